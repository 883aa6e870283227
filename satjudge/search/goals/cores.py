"""Defines goals and quantities about cores, and lists all possible cores as words.

Each letter of a word stands for a link: docs/papers/cores.md proves that a core is a ring of such links.

A *link* of a paradox is a convoying fleet, its army, the unit where the army lands, and the effect of that unit's support on
the convoying fleet of the next link: it supports the attack on the fleet, supports the fleet, or supports a rival of its
attacker. If the army is strong enough to dislodge the unit where it lands, its move is in the core too. So there are six kinds
of links, and a core with a convoy is a ring of them. Every link except the support of the attack turns *available* into
*disrupted* and back: with an even number of these there are two resolutions, and with an odd number there are none.

Circular movement is a ring of moves, each by land or by convoy.

All this holds under the default rulebook, on maps without railroads, canals, difficult borders and coasts that convoy.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from functools import cache
from itertools import count, product
from typing import TypeVar

import networkx

from satjudge.base.errors import InputError
from satjudge.base.graph_digests import graph_digest
from satjudge.explain.cores import LETTERS, ClassifiedCore, is_same_graph
from satjudge.judging.equations import statement
from satjudge.judging.equations.situation import ConvoyDecision, Decision, MoveDecision, OrderDecision, SupportDecision
from satjudge.notation.bundled_cases import read_collection
from satjudge.search.formulas.clauses import FALSE, TRUE, Literal
from satjudge.search.goals.goal import DrawnBoard, Goal, count_least_units
from satjudge.search.goals.judged_position import Judged
from satjudge.search.goals.quantities import Quantity
from satjudge.search.open_orders.encoding import Encoding
from satjudge.search.open_orders.question import Question
from satjudge.search.open_orders.rulings import ConvoySettings
from satjudge.search.open_orders.same_power import join_by_key
from satjudge.search.open_orders.universe import Universe
from satjudge.search.open_orders.universe_orders import UniverseOrders
from satjudge.world.geography import Map, ProvinceCode
from satjudge.world.rules.rulebook import LandFallback


class LandingEffect(StrEnum):
    """The effect that the unit where an army lands has on the convoying fleet of the next link."""

    ATTACK = "a"
    """A support of the attack on the fleet (DATC 6.F.14)."""
    HOLD = "h"
    """A support of the fleet in place, against an attack (6.F.18)."""
    RIVAL = "r"
    """A support of a rival of the fleet's attacker, so that the two bounce (6.F.17)."""


@dataclass(frozen=True, slots=True, order=True)
class Link:
    """One link of a paradox; in a `dislodging` link the army is strong enough to dislodge the unit where it lands."""

    hand: LandingEffect
    dislodging: bool = False

    def __str__(self) -> str:
        return self.hand.upper() if self.dislodging else str(self.hand)

    @property
    def units(self) -> int:
        """The least number of units in the link: fleet, army, the unit where it lands, the fleet's attacker, and supporters."""
        return {LandingEffect.ATTACK: 4, LandingEffect.HOLD: 5, LandingEffect.RIVAL: 6}[self.hand] + self.dislodging


LINKS = tuple(Link(hand, dislodging) for hand in LandingEffect for dislodging in (False, True))
T = TypeVar("T")


@dataclass(frozen=True)
class Paradox:
    """A core with convoys: a ring of links, each with an effect on the next."""

    links: tuple[Link, ...]

    def __str__(self) -> str:
        return "".join(map(str, self.links))

    @classmethod
    def read(cls, word: str) -> Paradox:
        """Parse a word with one letter for each link, a capital if the link's army dislodges the unit where it lands."""
        return cls(tuple(Link(LandingEffect(letter.lower()), letter.isupper()) for letter in word))

    @property
    def resolutions(self) -> int:
        """The number of resolutions: 0 if an odd number of links turn *available* into *disrupted*, else 2."""
        return 0 if sum(link.hand is not LandingEffect.ATTACK for link in self.links) % 2 else 2

    @property
    def least_units(self) -> int:
        """The least number of units on any board with the core."""
        return sum(link.units for link in self.links)

    @property
    def graph(self) -> networkx.DiGraph:
        """The directed graph of dependencies between the core's decisions, in the form used by `satjudge.explain.cores`."""
        graph = networkx.DiGraph()
        for number, link in enumerate(self.links):
            following = (number + 1) % len(self.links)
            graph.add_node(("convoy", number), label="convoy")
            graph.add_node(("move", number), label="move")
            graph.add_node(("support", number), label="hold support" if link.hand is LandingEffect.HOLD else "move support")
            graph.add_edge(("convoy", number), ("move", number), sign="-")
            graph.add_edge(("move", following), ("support", number), sign="+" if link.hand is LandingEffect.ATTACK else "-")
            graph.add_edge(("support", number), ("convoy", number), sign="-")
            if link.dislodging:
                graph.add_node(("army", number), label="convoyed move")
                graph.add_edge(("support", number), ("army", number), sign="-")
                graph.add_edge(("army", number), ("convoy", number), sign="+")
        return graph

    @property
    def shape(self) -> str:
        """The name of the core's shape, such as `1C1M1S-2r-21451013`."""
        order = len(self.links)
        moves = order + sum(link.dislodging for link in self.links)
        return f"{order}C{moves}M{order}S-{self.resolutions}r-{graph_digest(self.graph)}"


@dataclass(frozen=True)
class Ring:
    """A circular movement, described by which of its moves go by convoy."""

    by_convoy: tuple[bool, ...]

    def __str__(self) -> str:
        return "".join("c" if convoyed else "l" for convoyed in self.by_convoy)

    @property
    def resolutions(self) -> int:
        """The number of resolutions, always 2: all moves succeed, or all fail."""
        return 2

    @property
    def least_units(self) -> int:
        """The least number of units: one for every move, and one fleet for every convoy."""
        return len(self.by_convoy) + sum(self.by_convoy)

    @property
    def graph(self) -> networkx.DiGraph:
        """The directed graph of dependencies: each move depends on the next."""
        graph = networkx.DiGraph()
        for number, convoyed in enumerate(self.by_convoy):
            graph.add_node(number, label="convoyed move" if convoyed else "move")
            graph.add_edge(number, (number + 1) % len(self.by_convoy), sign="+")
        return graph

    @property
    def shape(self) -> str:
        """The name of the core's shape, such as `3M-2r-f25cf801` for three moves."""
        return f"{len(self.by_convoy)}M-2r-{graph_digest(self.graph)}"


def iter_paradoxes(order: int) -> Iterator[Paradox]:
    """Yield all paradoxes with `order` links, only one of those that differ just by a rotation."""
    return (Paradox(links) for links in iter_necklaces(LINKS, order))


def iter_rings(length: int) -> Iterator[Ring]:
    """Yield all circular movements of `length` moves (two: only with a convoy), but only one of each set of rotations.

    Two units can change places only by convoy (DATC 6.C.4).
    """
    return (Ring(word) for word in iter_necklaces((False, True), length) if length > 2 or (length == 2 and any(word)))


def iter_necklaces(letters: Sequence[T], length: int) -> Iterator[tuple[T, ...]]:
    """Yield the words of a length over some letters, as tuples; of words that are rotations of each other, only the first."""
    rank = range(len(letters))
    for word in product(rank, repeat=length):
        if length and all(word <= word[turn:] + word[:turn] for turn in range(1, length)):
            yield tuple(letters[place] for place in word)


_HIGHEST_ORDER = 6
"""The largest number of convoys in a shape that can be found by its name; there are 7,826 shapes with six."""


@cache
def find_core_by_shape(shape: str) -> Paradox | Ring | None:
    """Return the core whose shape has this name; None if there is none, or if it is too large to be found by name."""
    counts, resolutions, _ = shape.split("-")
    convoys, _, members = counts.rpartition("C")
    moves = int(members.partition("M")[0] or 0)
    if not convoys:
        candidates: Iterator[Paradox | Ring] = iter_rings(moves) if moves <= 2 * _HIGHEST_ORDER else iter(())
    else:
        order = int(convoys)
        candidates = (
            paradox
            for paradox in (iter_paradoxes(order) if order <= _HIGHEST_ORDER else ())
            if f"{paradox.resolutions}r" == resolutions and order + sum(link.dislodging for link in paradox.links) == moves
        )
    return next((core for core in candidates if core.shape == shape), None)


# ---- the goal that a core has a given shape (`satjudge.explain.cores`), and what a shape implies for its boards ----
#
# *Required orders.* Every decision in a core is read by another one. So its supports and convoys are for orders that are really
# given. In a core with a convoy, each move goes to a unit that supports or convoys, and dislodges it for some values
# (docs/background/search.md): the two units belong to different powers, and a third unit, not of the attacked unit's power,
# supports the move.
#
# *Least number of units*, counted only from the graph, so that it is true of every core with the shape. Every decision of a
# core is about the order of a different unit. Other units are needed for these orders. In circular movement, a convoyed
# move needs a fleet that convoys it. In a core with a convoy, as a unit that stays holds with at least 1,
#
# - every move is supported: by a support in the core, on which it then depends positively, or by one outside;
# - every convoyed move has a fleet: one in the core, on which it depends positively, or one outside;
# - every convoy has an army. A decision that reads the convoy, except that army's move, is or attacks the unit where it
#   lands, and armies that land in two places are two;
# - every support of a move has that move. If all moves into the province of a convoy read the support, and against
#   themselves, it supports another move, a fleet's, which is outside.
#
# All of these orders are different, so their units are different.

_SHAPE = re.compile(r"(?:\d+[CMS])+-\d+r-[0-9a-f]{8}")


@dataclass(frozen=True, slots=True)
class CoreShape(Goal):
    """The goal that a core has this shape, and that the rest of the board does not settle the core.

    Each of the core's resolutions is part of a resolution of the board. If the core has none, the board has none.
    """

    name = "core"
    form = "core:SHAPE"
    about_resolutions = True
    draws = True

    shape: str

    def __str__(self) -> str:
        return f"core:{self.shape}"

    @classmethod
    def read(cls, argument: str, game_map: Map) -> Goal:
        if not _SHAPE.fullmatch(argument):
            raise InputError(f"{argument!r} is not the shape of a core", suggestion="write a shape such as 1C1M1S-2r-21451013")
        return cls(argument)

    def holds(self, judged: Judged) -> bool:
        return any(has_shape(core, self.shape) for core in judged.open_cores)

    def require(self, question: Question) -> None:
        """Require what the shape's name implies: enough orders of each kind, and the number of resolutions.

        Resolutions of a core with a convoy differ in a convoy; those of a circular movement differ in all its moves.
        """
        members = count_members(self.shape)
        require_members(question.orders, self.shape)
        resolutions = self.shape.split("-")[1]
        if resolutions == "0r":
            question.require_no_resolution()
        elif resolutions != "1r":
            kind, least = (ConvoyDecision, 1) if members[ConvoyDecision] else (MoveDecision, members[MoveDecision])
            question.require_several(kind, least)

    def hints(self, universe: Universe) -> Iterator[str]:
        """Yield a sentence if the catalogue has no such shape, or if the universe has too few places for its units."""
        if find_core_by_shape(self.shape) is None:
            known = [sheet.identity.removeprefix("catalogue-") for sheet in read_collection("catalogue")]
            close = get_close_matches(self.shape, known, 1)
            yield f"the catalogue has no shape {self.shape}" + (f" (the nearest is {close[0]})" if close else "")
        least = count_least_units(self, universe.rulebook, universe.map)
        if least > len(universe.spots_in):
            yield f"{self.shape} takes at least {least} units, and there is room for {len(universe.spots_in)}"

    def least_units(self) -> int:
        """Return the least number of units of a core with this shape; 0 if the catalogue has no such shape."""
        core = find_core_by_shape(self.shape)
        return core.least_units if core else 0

    def draw_board(self, universe: Universe, time_left: Callable[[], float | None]) -> DrawnBoard | None:
        """Make the smallest board with a core of this shape; None if it is unknown or the universe fixes units or orders."""
        core = find_core_by_shape(self.shape)
        if core is None or not universe.all_free:
            return None
        from satjudge.search.goals.core_drawing import draw_smallest_board  # imported here because it needs a solver

        return draw_smallest_board(universe, core, time_left)


def has_shape(core: ClassifiedCore, shape: str) -> bool:
    """Return whether a core has the shape with this name; if the shape is known, its graph is compared as well."""
    known_core = find_core_by_shape(shape) if core.shape == shape else None
    return core.shape == shape and (known_core is None or is_same_graph(core.graph, known_core.graph))


# Required orders


def count_members(shape: str) -> Counter[type[Decision]]:
    """Return the number of decisions of each kind in a shape's name, such as two convoys in `2C4M2S`."""
    counts = shape.partition("-")[0]
    found = {kind: re.search(rf"(?<!\d)(\d+){letter}", counts) for kind, letter in LETTERS.items()}
    return Counter({kind: int(number[1]) for kind, number in found.items() if number})


def require_members(orders: UniverseOrders, shape: str) -> None:
    """Require, of each kind, at least as many orders that may be in a core as a core with this shape has."""
    encoding, decisions = Encoding(orders), orders.situation.order_decisions
    can_be = require_kinds(orders, count_members(shape))
    known_core = find_core_by_shape(shape)
    if known_core and orders.universe.rulebook.land_fallback is not LandFallback.DISRUPTED:  # else labels depend on the outcome
        labels = Counter(label for _, label in known_core.graph.nodes(data="label"))
        for label, least in labels.items():
            labelled = (encoding.all_of((can_be[d.index], _has_label(encoding, d, label))) for d in decisions)
            orders.formula.require(orders.formula.at_least(least, labelled))


def require_kinds(orders: UniverseOrders, counts_by_kind: Mapping[type[Decision], int]) -> dict[int, Literal]:
    """Require at least these numbers of orders that may be in a core; return by decision index the literal that it may."""
    encoding, decisions = Encoding(orders), orders.situation.order_decisions
    busy = None
    if counts_by_kind.get(ConvoyDecision):
        busy = join_by_key(
            orders.formula, ((d.place.province, encoding.is_chosen(d)) for d in decisions if not isinstance(d, MoveDecision))
        )
    can_be = {d.index: _can_be_in_core(encoding, d, busy) for d in decisions}
    for kind, least in counts_by_kind.items():
        fit = (can_be[d.index] for d in decisions if isinstance(d, kind))
        orders.formula.require(orders.formula.at_least(least, fit))
    return can_be


def _has_label(encoding: Encoding, decision: OrderDecision, label: str) -> Literal:
    """Return the literal that holds if `satjudge.explain.cores.label_decision` would give the decision this label."""
    if isinstance(decision, MoveDecision):
        by_convoy = encoding.is_convoyed(decision)
        return {"move": -by_convoy, "convoyed move": by_convoy}.get(label, -TRUE)
    if isinstance(decision, SupportDecision):
        return encoding.constant(label == ("hold support" if decision.supports_hold else "move support"))
    return encoding.constant(label == "convoy")


def _can_be_in_core(encoding: Encoding, decision: OrderDecision, helpers: Mapping[ProvinceCode, Literal] | None) -> Literal:
    """Return the literal that an order is given and may be in a core or, with `helpers` (supports, convoys), in a paradox."""
    if isinstance(decision, ConvoyDecision):
        return encoding.all_of((encoding.is_chosen(decision), encoding.any_of(map(encoding.is_chosen, decision.matches))))
    if isinstance(decision, SupportDecision):
        return statement.is_matched(encoding, decision)
    return encoding.is_chosen(decision) if helpers is None else _may_dislodge(encoding, decision, helpers)


def _may_dislodge(encoding: Encoding, move: MoveDecision, helpers: Mapping[ProvinceCode, Literal]) -> Literal:
    """Return the literal that a move with foreign support attacks a foreign unit that, by `helpers`, supports or convoys."""
    target = move.destination
    attack = (
        encoding.is_chosen(move),
        helpers.get(target.province, FALSE),
        statement.is_foreign(encoding, target, move.origin),
    )
    helped = ((encoding.is_chosen(support), statement.is_foreign(encoding, target, support.place)) for support in move.supports)
    return encoding.all_of((*attack, encoding.any_of(map(encoding.all_of, helped))))


# ---- quantities of cores: the number of resolutions, and the order ----


class _CoreQuantity(Quantity):
    """A number about the board's cores. Without such a core, neither a comparison nor its opposite holds."""

    __slots__ = ()
    of_outcome = False
    about_resolutions = True

    def has_answer(self, judged: Judged) -> bool:
        return self.value(judged) is not None


@dataclass(frozen=True, slots=True)
class CoreResolutions(_CoreQuantity):
    """The largest number of resolutions of a core, if all of them are parts of resolutions of the board."""

    name = "core-resolutions"
    theorem = "a core has 0 or 2 resolutions, by theorems 3 and 4"

    def list_possible_values(self, max_value: int) -> Collection[int]:
        return (0, 2)

    def value(self, judged: Judged) -> int | None:
        return max((len(core.core.resolutions) for core in judged.open_cores), default=None)

    def require(self, question: Question, least: int, max_value: int | None) -> None:
        """Require that the board has at least `least` resolutions, or none if `max_value` is 0."""
        if max_value == 0:
            question.require_no_resolution()
        elif least:
            question.require_resolutions(least)


@dataclass(frozen=True, slots=True)
class CoreOrder(_CoreQuantity):
    """The largest order of a paradox: the number of convoys in a core that has no resolution, or several."""

    name = "core-order"
    draws = True

    def value(self, judged: Judged) -> int | None:
        return max((core.order for core in judged.open_cores if len(core.core.resolutions) != 1), default=None)

    def least_units(self, least: int) -> int:
        """Return the number of units of the smallest core with `least` convoys (docs/papers/cores.md); 0 if `least` is 0."""
        return _make_simplest_core(least).least_units if least > 0 else 0

    def draw_board(
        self, universe: Universe, least: int, max_value: int | None, time_left: Callable[[], float | None]
    ) -> DrawnBoard | None:
        """Make a smallest board with a core of order `least` to `max_value`; None if `least` is 0, or units or orders fixed."""
        if least < 1 or not universe.all_free:
            return None
        from satjudge.search.goals.core_drawing import draw_smallest_board  # which needs a solver

        rooms, best = len(universe.spots_in), DrawnBoard(None, None)
        for order in count(least) if max_value is None else range(least, max_value + 1):
            core = _make_simplest_core(order)
            if core.least_units >= (rooms + 1 if best.at_least is None else best.at_least):
                break
            found = draw_smallest_board(universe, core, time_left)
            if found.at_least is not None and (best.at_least is None or found.at_least < best.at_least):
                best = found
        return best

    def require(self, question: Question, least: int, max_value: int | None) -> None:
        """Unless `least` is 0, require the sign of a paradox, and `least` convoys and moves that may be in a core."""
        if least:
            question.formula.require(ConvoySettings(question.orders).make_paradox_sign())
            require_kinds(question.orders, Counter({ConvoyDecision: least, MoveDecision: least}))


def _make_simplest_core(order: int) -> Paradox:
    """Return the core of this order with the fewest units, whose decisions every other core of the order also has."""
    return Paradox((Link(LandingEffect.ATTACK),) * order)
