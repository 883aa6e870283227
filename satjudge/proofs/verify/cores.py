"""States as clauses that a core has a shape, read from its name as docs/papers/cores.md lists them.

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
"""The number of moves or links of the longest ring with a known name."""

_NAME = re.compile(r"(?:([0-9]{1,3})C)?([0-9]{1,3})M(?:[0-9]{1,3}S)?-([02])r-[0-9a-f]{8}")


@dataclass(frozen=True)
class CoreShape:
    """The kinds of decisions in a core, with a sign for each dependency: `+` if one tends to hold where the other holds."""

    kinds: Mapping[Node, str]
    signs: Mapping[tuple[Node, Node], str]

    def format_name(self, resolutions: int) -> str:
        """Return the name of the shape for cores with a given number of resolutions."""
        counts = ((letter, sum(map(kinds.__contains__, self.kinds.values()))) for letter, kinds in _LETTERS.items())
        return f"{''.join(f'{count}{letter}' for letter, count in counts if count)}-{resolutions}r-{self.digest}"

    @property
    def digest(self) -> str:
        """The hash of the shape that ends its name."""
        looks_at: dict[Node, dict[Node, str]] = {}
        for (one, other), sign in self.signs.items():
            looks_at.setdefault(one, {})[other] = sign
        return digest(self.kinds, looks_at)


def make_move_ring(by_convoy: Sequence[bool]) -> CoreShape:
    """Make the shape in which each move goes where the next one comes from; True marks a convoyed move."""
    moves = [f"move {place}" for place in range(len(by_convoy))]
    kinds = {move: CONVOYED_MOVE if convoyed else MOVE for move, convoyed in zip(moves, by_convoy, strict=True)}
    return CoreShape(kinds, dict.fromkeys(zip(moves, [*moves[1:], moves[0]], strict=True), "+"))


def make_link_ring(word: str) -> CoreShape:
    """Make the shape of a ring from a word with a letter for each link.

    The move that attacks its fleet stops a convoy. It depends on the support of the unit where the previous link's army lands,
    which is cut if that link's convoy holds. A capital lets the army dislodge that unit as well.
    """
    kinds: dict[Node, str] = {}
    signs: dict[tuple[Node, Node], str] = {}
    for place, letter in enumerate(word):
        convoy, support, army = (f"{what} {place}" for what in ("convoy", "support", "army"))
        attack, following = f"attack {(place + 1) % len(word)}", f"convoy {(place + 1) % len(word)}"
        kinds |= {convoy: CONVOY, support: HOLD_SUPPORT if letter in "hH" else MOVE_SUPPORT, attack: MOVE}
        signs |= {(support, convoy): "-", (attack, support): "+" if letter in "aA" else "-", (following, attack): "-"}
        if letter.isupper():
            kinds[army] = CONVOYED_MOVE
            signs |= {(support, army): "-", (army, convoy): "+"}
    return CoreShape(kinds, signs)


@cache
def find_shape(name: str) -> CoreShape:
    """Return the shape with this name, of rings that docs/papers/cores.md lists.

    Raises `InputError` if docs/papers/cores.md has none with that name.
    """
    found = _NAME.fullmatch(name)
    if found:
        convoys, moves, resolutions = (int(number or 0) for number in found.groups())
        for shape in _iter_rings(convoys, moves, resolutions) if max(convoys, moves - convoys) <= LONGEST else ():
            if name == shape.format_name(resolutions):
                return shape
    raise InputError(
        f"certificates do not support the core {name}", suggestion="they support the rings of docs/papers/cores.md, by name"
    )


def _iter_rings(convoys: int, moves: int, resolutions: int) -> Iterator[CoreShape]:
    """Yield each ring with these numbers of convoys, moves and resolutions once, from its alphabetically first rotation."""
    if not convoys:
        if resolutions == 2:
            yield from (make_move_ring([letter == "c" for letter in word]) for word in _iter_words("cm", moves))
        return
    for word in _iter_words("AHRahr", convoys):
        dislodging, changes = sum(map(str.isupper, word)), sum(letter not in "aA" for letter in word)
        if (moves, resolutions) == (convoys + dislodging, 0 if changes % 2 else 2):
            yield make_link_ring(word)


def _iter_words(letters: str, length: int) -> Iterator[str]:
    """Yield the words of a length over some letters; of all rotations of a word only the alphabetically first."""
    for word in map("".join, product(letters, repeat=length)):
        if word == min(word[place:] + word[:place] for place in range(length)):
            yield word


# ---- clauses: a core has a shape, that is which decision looks at which in it, on any map ----
#
# Each decision of a core is the order of a different unit. It depends on another one if there are values of the decisions of
# the core for which its equation changes when only that one changes; everything outside the core is settled, and
# stays as it is. So the formula has a unit for each decision, some more units with any orders, and for each dependency
# between two decisions the second encoder's equation, twice.
#
# The map is left open: any order may be legal, and each route only has to have a fleet whose convoy is available.
# So every board with the core satisfies this, on any map.

UNITS = "each decision is the order of a unit of its own, and each unit has one order"
LOOKS_AT = "what looks at what in the core"


MOST = 30
"""The largest number of units in a question about a core."""


def check_rulebook(rulebook: Rulebook) -> None:
    """Raise `InputError` for any rulebook but that of docs/papers/cores.md, as some let routes be more than chains."""
    if rulebook.settings() != load_rulebook().settings():
        raise InputError(f"certificates support cores under {load_rulebook().name} only, not under {rulebook.name}")


class CoreEquations(Equations):
    """The equations without any knowledge of the map, with every decision given as input."""

    def __init__(self, *stated: object, paths: Mapping[Candidate, Literal]) -> None:
        super().__init__(*stated)  # type: ignore[arg-type]
        self.paths = paths

    def is_convoyed(self, move: Candidate) -> Literal:
        """Return the literal that an army goes by convoy, which is true here exactly if its order says so."""
        assert isinstance(move.order, Move)
        return TRUE if move.order.via_convoy else FALSE

    def convoy_path(self, move: Candidate, spared: ProvinceCode = "") -> Literal:
        """Return the literal that a convoy carries the army: a free variable here, or false."""
        return self.paths.get(move, FALSE)


class CoreQuestion:
    """A formula under construction: the units of a core of some shape and some more, with their orders."""

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
        """Yield the possible orders of the unit in a province, each with its literal: of one kind, or all but a hold."""
        orders = self._list_orders(unit)
        for one in [kind] if kind else orders:
            yield from (Candidate(order, self.cnf.add_input(f"{ORDER}{order}")) for order in orders[one])

    def _list_orders(self, unit: ProvinceCode) -> Mapping[str, Sequence[MovementOrder]]:
        fleet, army = Named(UnitKind.FLEET, unit), Named(UnitKind.ARMY, unit)
        others = [other for other in self.units if other != unit]
        there = [*others, *self.empty]
        ways = [(origin, to) for origin in others for to in there if to != origin]
        return {
            CONVOY: [Convoy(fleet, Named(UnitKind.ARMY, origin), to) for origin, to in ways],
            MOVE: [Move(fleet, to) for to in there],
            CONVOYED_MOVE: [Move(army, to, via_convoy=True) for to in there],
            MOVE_SUPPORT: [SupportMove(fleet, Named(None, origin), to) for origin, to in ways],
            HOLD_SUPPORT: [SupportHold(fleet, Named(None, to)) for to in others],
        }

    def same_power(self, one: ProvinceCode, other: ProvinceCode) -> Literal:
        """Return the literal that the units in two provinces are of one power."""
        return TRUE if one == other else self.powers.get(frozenset((one, other)), FALSE)

    def require_orders(self) -> None:
        """Require exactly one order for each unit of the core, and at most one for each other unit."""
        self.cnf.require(TRUE if len(self.of_core) <= self.bounds.most else FALSE)
        for unit, candidates in self.at.items():
            if unit not in self.others:
                self.cnf.require(*(candidate.given for candidate in candidates))
            before = FALSE
            for candidate in candidates:
                self.cnf.require(-before, -candidate.given)
                before = self.cnf.any_of((before, candidate.given))

    def require_dependencies(self) -> None:
        """Require that each dependency of the shape shows for some values of the other decisions."""
        for (subject, other), sign in self.shape.signs.items():
            without, with_it = self._make_readings(f"{subject} looks at {other}: ", other)
            before, after = (
                self.cnf.any_of(self._make_equation(reading, candidate) for candidate in self.at[self.of_core[subject]])
                for reading in (without, with_it)
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

    def _make_readings(self, label: str, other: Node) -> tuple[Equations, Equations]:
        """Return the equations with `other` false and with it true, for the same free values of all other decisions."""
        values = {unit: self.cnf.add_input(f"{label}{node}") for node, unit in self.of_core.items() if node != other}
        changed = self.of_core[other]
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
            for move, path in paths_before.items():  # it depends on convoys alone: the more, the better
                its = self.cnf.any_of(convoy.given for convoy in reading.list_convoys(move) if convoy.province == changed)
                self.cnf.require(-path, paths[move])
                self.cnf.require(path, -paths[move], its)
            found.append(reading)
        return found[0], found[1]

    def make_formula(self) -> NamedClauses:
        """Return the clauses that hold exactly for units and orders with a core of this shape."""
        self.require_orders()
        asked = len(self.cnf.requirements)
        self.require_dependencies()
        requirements = self.cnf.requirements
        groups = (
            ClauseGroup(DEFINED_SECOND, self.cnf.definitions),
            ClauseGroup(UNITS, requirements[:asked]),
            ClauseGroup(f"{EQUATIONS}; {LOOKS_AT}", requirements[asked:]),
        )
        return NamedClauses(self.cnf.number_of_variables, self.cnf.names, groups)
