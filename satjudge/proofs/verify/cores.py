"""States as clauses that a core has a certain shape, given by its name in docs/papers/cores.md.

A core is a ring of links, each with a convoy and a letter, or a ring of moves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from typing import TypeAlias

from satjudge.base.errors import InputError
from satjudge.base.graph_digests import digest
from satjudge.proofs.verify.certificate import ClauseGroup, NamedClauses
from satjudge.proofs.verify.open_boards import ORDER, SAME_POWER, Bounds
from satjudge.proofs.verify.positions import DEFINED_SECOND, EQUATIONS
from satjudge.proofs.verify.second_encoder import FALSE, TRUE, Candidate, Cnf, Equations, Literal
from satjudge.world.geography import ProvinceCode, UnitKind
from satjudge.world.orders import Convoy, Move, MovementOrder, Named, SupportHold, SupportMove
from satjudge.world.rules import Rulebook, load_rulebook

Node: TypeAlias = str
"""A decision of a core, such as `convoy 0` of the first link."""

CONVOY, MOVE, CONVOYED_MOVE, MOVE_SUPPORT, HOLD_SUPPORT = "convoy", "move", "convoyed move", "move support", "hold support"

_LETTERS = {"C": (CONVOY,), "M": (MOVE, CONVOYED_MOVE), "S": (MOVE_SUPPORT, HOLD_SUPPORT)}
"""The kinds of decisions that each letter of a name counts."""

LONGEST = 7
"""The number of moves or links in the longest ring that has a name."""

_NAME = re.compile(r"(?:([0-9]{1,3})C)?([0-9]{1,3})M(?:[0-9]{1,3}S)?-([02])r-[0-9a-f]{8}")


@dataclass(frozen=True)
class CoreShape:
    """The kinds of decisions in a core, and the sign of each dependency: `+` if one decision helps the other to hold."""

    kinds: Mapping[Node, str]
    signs: Mapping[tuple[Node, Node], str]

    def format_name(self, resolution_count: int) -> str:
        """Return the shape's name, such as `1C1M1S-2r-21451013`, for cores with this number of resolutions."""
        counts = ((letter, sum(map(kinds.__contains__, self.kinds.values()))) for letter, kinds in _LETTERS.items())
        return f"{''.join(f'{count}{letter}' for letter, count in counts if count)}-{resolution_count}r-{self.digest}"

    @property
    def digest(self) -> str:
        """The hash at the end of the shape's name."""
        looks_at: dict[Node, dict[Node, str]] = {}
        for (one, other), sign in self.signs.items():
            looks_at.setdefault(one, {})[other] = sign
        return digest(self.kinds, looks_at)


def make_move_ring(by_convoy: Sequence[bool]) -> CoreShape:
    """Make the shape of a ring of moves, each to where the next unit stands; `by_convoy` says which moves are convoyed."""
    moves = [f"move {place}" for place in range(len(by_convoy))]
    kinds = {move: CONVOYED_MOVE if convoyed else MOVE for move, convoyed in zip(moves, by_convoy, strict=True)}
    return CoreShape(kinds, dict.fromkeys(zip(moves, [*moves[1:], moves[0]], strict=True), "+"))


def make_link_ring(word: str) -> CoreShape:
    """Make a ring's shape, one link per letter: its support helps an attack (a), hold (h) or rival (r); a capital dislodges.

    A move that attacks the link's fleet stops its convoy. The move depends on the support of the unit where the previous link's
    army lands; that link's convoy, if it succeeds, cuts this support. If the letter is a capital, the army dislodges that unit.
    """
    kinds: dict[Node, str] = {}
    signs: dict[tuple[Node, Node], str] = {}
    for place, letter in enumerate(word):
        convoy, support, army = (f"{item} {place}" for item in ("convoy", "support", "army"))
        attack, following = f"attack {(place + 1) % len(word)}", f"convoy {(place + 1) % len(word)}"
        kinds |= {convoy: CONVOY, support: HOLD_SUPPORT if letter in "hH" else MOVE_SUPPORT, attack: MOVE}
        signs |= {(support, convoy): "-", (attack, support): "+" if letter in "aA" else "-", (following, attack): "-"}
        if letter.isupper():
            kinds[army] = CONVOYED_MOVE
            signs |= {(support, army): "-", (army, convoy): "+"}
    return CoreShape(kinds, signs)


@cache
def find_shape(name: str) -> CoreShape:
    """Return the shape with this name, from the rings that docs/papers/cores.md lists.

    Raises `InputError` if the page has no ring with that name.
    """
    found = _NAME.fullmatch(name)
    if found:
        convoys, moves, resolutions = (int(number or 0) for number in found.groups())
        for shape in _iter_rings(convoys, moves, resolutions) if max(convoys, moves - convoys) <= LONGEST else ():
            if name == shape.format_name(resolutions):
                return shape
    raise InputError(
        f"certificates do not support the core {name}", suggestion="use the name of a ring in docs/papers/cores.md"
    )


def _iter_rings(convoys: int, moves: int, resolutions: int) -> Iterator[CoreShape]:
    """Yield the shape of each ring with these numbers of convoys, moves and resolutions, without rotations of the same ring."""
    if not convoys:
        if resolutions == 2:
            yield from (make_move_ring([letter == "c" for letter in word]) for word in _iter_words("cm", moves))
        return
    for word in _iter_words("AHRahr", convoys):
        dislodging, changes = sum(map(str.isupper, word)), sum(letter not in "aA" for letter in word)
        if (moves, resolutions) == (convoys + dislodging, 0 if changes % 2 else 2):
            yield make_link_ring(word)


def _iter_words(letters: str, length: int) -> Iterator[str]:
    """Yield the words of a length over some letters, only the alphabetically first of the rotations of each word."""
    for word in map("".join, product(letters, repeat=length)):
        if word == min(word[place:] + word[:place] for place in range(length)):
            yield word


# ---- clauses: a core has a shape (which of its decisions depend on which), on any map ----
#
# Each decision of a core is about the order of a different unit. It depends on another decision if, for some values of the
# core's decisions, changing only the other one changes its equation. Everything outside the core is settled and
# does not change. So the formula has a unit for each decision, further units with any orders, and for each dependency
# between two decisions the second encoder's equation, twice.
#
# The map is left open: any order may be legal, and a route only needs some fleet whose convoy is available.
# So every board with the core satisfies the formula, on any map.

UNITS = "each decision is the order of a unit of its own, and each unit has one order"
LOOKS_AT = "what looks at what in the core"


MOST = 30
"""The largest number of units in a formula about a core."""


def check_rulebook(rulebook: Rulebook) -> None:
    """Raise `InputError` unless the settings are those of the default rulebook, which docs/papers/cores.md assumes."""
    if rulebook.settings() != load_rulebook().settings():
        raise InputError(f"certificates support cores under {load_rulebook().name} only, not under {rulebook.name}")


class CoreEquations(Equations):
    """The equations without any knowledge of the map, in which all decisions are inputs."""

    def __init__(self, *stated: object, paths: Mapping[Candidate, Literal]) -> None:
        super().__init__(*stated)  # type: ignore[arg-type]
        self.paths = paths

    def is_convoyed(self, move: Candidate) -> Literal:
        """Return `TRUE` if the army's order says that it goes by convoy, else `FALSE`."""
        assert isinstance(move.order, Move)
        return TRUE if move.order.via_convoy else FALSE

    def convoy_path(self, move: Candidate, spared: ProvinceCode = "") -> Literal:
        """Return the literal that is true if a convoy carries the army: a free variable, or `FALSE`; `spared` is ignored."""
        return self.paths.get(move, FALSE)


class CoreQuestion:
    """A formula under construction: the units of a core with a given shape, and further units, with their orders."""

    def __init__(self, shape: CoreShape, bounds: Bounds) -> None:
        if bounds.most > MOST:
            raise InputError(f"certificates of cores have at most {MOST} units")
        self.shape = shape
        self.bounds = bounds
        self.cnf = Cnf()
        self.of_core = {node: ProvinceCode(node.replace(" ", "").upper()) for node in shape.kinds}
        self.others = [ProvinceCode(f"OTHER{number}") for number in range(bounds.most - len(self.of_core))]
        self.units = [*self.of_core.values(), *self.others]
        moves = sum(kind in (MOVE, CONVOYED_MOVE) for kind in shape.kinds.values())
        self.empty = [ProvinceCode(f"EMPTY{number}") for number in range(moves + 1)]  # one to which no move of the core goes
        self.powers = {
            frozenset(pair): self.cnf.add_input(f"{SAME_POWER}{' '.join(pair)}") for pair in combinations(self.units, 2)
        }
        self.settled = {unit: self.cnf.add_input(f"SETTLED {unit}") for unit in self.others}
        self.at = {unit: [*self._iter_candidates(unit, shape.kinds[node])] for node, unit in self.of_core.items()}
        self.at |= {unit: [*self._iter_candidates(unit)] for unit in self.others}
        self.candidates = [candidate for unit in self.units for candidate in self.at[unit]]

    def _iter_candidates(self, unit: ProvinceCode, kind: str | None = None) -> Iterator[Candidate]:
        """Yield a unit's possible orders, each with a new literal: those of one kind or, without `kind`, all except holds."""
        orders = self._list_orders(unit)
        for one in [kind] if kind else orders:
            yield from (Candidate(order, self.cnf.add_input(f"{ORDER}{order}")) for order in orders[one])

    def _list_orders(self, unit: ProvinceCode) -> Mapping[str, Sequence[MovementOrder]]:
        fleet, army = Named(UnitKind.FLEET, unit), Named(UnitKind.ARMY, unit)
        others = [other for other in self.units if other != unit]
        targets = [*others, *self.empty]
        ways = [(origin, to) for origin in others for to in targets if to != origin]
        return {
            CONVOY: [Convoy(fleet, Named(UnitKind.ARMY, origin), to) for origin, to in ways],
            MOVE: [Move(fleet, to) for to in targets],
            CONVOYED_MOVE: [Move(army, to, via_convoy=True) for to in targets],
            MOVE_SUPPORT: [SupportMove(fleet, Named(None, origin), to) for origin, to in ways],
            HOLD_SUPPORT: [SupportHold(fleet, Named(None, to)) for to in others],
        }

    def same_power(self, one: ProvinceCode, other: ProvinceCode) -> Literal:
        """Return the literal that is true if the units in two provinces belong to one power."""
        return TRUE if one == other else self.powers.get(frozenset((one, other)), FALSE)

    def require_orders(self) -> None:
        """Require one order for each unit of the core (at most `most` units), and at most one for each other unit."""
        self.cnf.require(TRUE if len(self.of_core) <= self.bounds.most else FALSE)
        for unit, candidates in self.at.items():
            if unit not in self.others:
                self.cnf.require(*(candidate.given for candidate in candidates))
            before = FALSE
            for candidate in candidates:
                self.cnf.require(-before, -candidate.given)
                before = self.cnf.any_of((before, candidate.given))

    def require_dependencies(self) -> None:
        """Require for each dependency in the shape that one decision can change the other's equation, as its sign says."""
        for (subject, other), sign in self.shape.signs.items():
            without_it, with_it = self._make_readings(f"{subject} looks at {other}: ", other)
            before, after = (
                self.cnf.any_of(self._make_equation(reading, candidate) for candidate in self.at[self.of_core[subject]])
                for reading in (without_it, with_it)
            )
            self.cnf.require(after if sign == "+" else -after)
            self.cnf.require(-before if sign == "+" else before)

    @staticmethod
    def _make_equation(reading: Equations, candidate: Candidate) -> Literal:
        match candidate.order:
            case Move():
                return reading.move_equation(candidate)
            case Convoy():
                return reading.convoy_equation(candidate)
        return reading.support_equation(candidate)

    def _make_readings(self, label: str, node: Node) -> tuple[Equations, Equations]:
        """Return equations with the decision `node` false, and with it true; other decisions and convoy paths are variables."""
        values = {unit: self.cnf.add_input(f"{label}{other}") for other, unit in self.of_core.items() if other != node}
        changed = self.of_core[node]
        found: list[Equations] = []
        paths: dict[Candidate, Literal] = {}
        for value in (FALSE, TRUE):
            known = {**self.settled, **values, changed: value}
            decided = {one: self.cnf.all_of((one.given, known[one.province])) for one in self.candidates}
            paths_before, paths = paths, {}
            for move in self.candidates:
                if isinstance(move.order, Move) and move.order.via_convoy:
                    paths[move] = self.cnf.add_input(f"{label}PATH {value > 0} {move.order}")
            reading = CoreEquations(
                self.cnf, self.candidates, self.bounds.map, self.bounds.rulebooks[0], dict.fromkeys(self.units, TRUE),
                self.same_power, {}, {}, decided, self.bounds.most, label, paths=paths,
            )  # fmt: skip
            for move, path in paths.items():
                self.cnf.require(-path, *(decided[convoy] for convoy in reading.list_convoys(move)))
            for move, path in paths_before.items():  # a path depends only on convoys, and more convoys can only help it
                its = self.cnf.any_of(convoy.given for convoy in reading.list_convoys(move) if convoy.province == changed)
                self.cnf.require(-path, paths[move])
                self.cnf.require(path, -paths[move], its)
            found.append(reading)
        return found[0], found[1]

    def make_formula(self) -> NamedClauses:
        """Add all requirements; return the clauses, which all units and orders with such a core satisfy, on any map."""
        self.require_orders()
        boundary = len(self.cnf.requirements)
        self.require_dependencies()
        requirements = self.cnf.requirements
        groups = (
            ClauseGroup(DEFINED_SECOND, self.cnf.definitions),
            ClauseGroup(UNITS, requirements[:boundary]),
            ClauseGroup(f"{EQUATIONS}; {LOOKS_AT}", requirements[boundary:]),
        )
        return NamedClauses(self.cnf.number_of_variables, self.cnf.names, groups)
