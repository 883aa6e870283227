"""Positions with orders for property tests, legal by construction.

They are drafted like random boards (`satjudge.bulk.random_boards.boards`), but every choice is a draw of its own, so that a
failure shrinks order by order and unit by unit. A position prints as an expression that makes it again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar, cast

from hypothesis import event
from hypothesis import strategies as st
from hypothesis.vendor.pretty import RepresentationPrinter

from satjudge.base.values import replace
from satjudge.bulk.random_boards.boards import Flavour, random_board
from satjudge.judging.equations import statement
from satjudge.judging.equations.logic import Reading
from satjudge.judging.equations.situation import Decision, Situation
from satjudge.judging.judge import read_situation
from satjudge.judging.legality import make_docket
from satjudge.judging.solve.result import Adjudication
from satjudge.notation.parse import parse_order, parse_unit
from satjudge.world.board import Board, Unit, by_power
from satjudge.world.geography import Power, ProvinceCode, UnitKind, load_map, province_of
from satjudge.world.orders import Convoy, Move, MovementOrder, Named
from satjudge.world.rules import Rulebook, load_rulebook
from satjudge.world.rules.rulebook import ConvoyIntent, LandFallback, option_fields

if TYPE_CHECKING:
    from _typeshed import SupportsLenAndGetItem

T = TypeVar("T")


@dataclass(frozen=True, repr=False)
class Position:
    """A board with orders. Its `repr` can be evaluated again."""

    board: Board
    orders: Mapping[Power, Sequence[MovementOrder]]

    @cached_property
    def situation(self) -> Situation:
        return read_situation(self.board, self.orders)

    def __repr__(self) -> str:
        orders = {power: [str(order) for order in given] for power, given in self.orders.items()}
        return f"position({by_power(self.board.units)}, {orders})"

    def _repr_pretty_(self, printer: RepresentationPrinter, cycle: bool) -> None:
        printer.text(repr(self))  # hypothesis would print every field


def position(units: Mapping[Power, Sequence[str]], orders: Mapping[Power, Sequence[str]]) -> Position:
    """A position from text, `position({"FRANCE": ["A PAR"]}, {"FRANCE": ["A PAR H"]})`."""
    game_map = load_map()
    board = Board(tuple(parse_unit(text, power, game_map) for power, texts in units.items() for text in texts))

    def read(text: str) -> MovementOrder:
        return cast(MovementOrder, parse_order(text, game_map))

    return Position(board, {power: [read(text) for text in texts] for power, texts in orders.items()})


class Draws(Random):
    """Choices as draws: they shrink to the first of several, to the smaller number and to nothing happening."""

    def __init__(self, draw: st.DrawFn) -> None:
        super().__init__()
        self.draw = draw

    def choice(self, seq: SupportsLenAndGetItem[T]) -> T:
        return seq[self.draw(st.integers(0, len(seq) - 1))]

    def random(self) -> float:
        return 0.995 - self.draw(st.integers(0, 99)) / 100

    def randint(self, a: int, b: int) -> int:
        return self.draw(st.integers(a, b))

    def getrandbits(self, k: int, /) -> int:
        return self.draw(st.integers(0, 2**k - 1))


@st.composite
def boards_with_orders(
    draw: st.DrawFn,
    flavour: Flavour | None = None,
    units: tuple[int, int] = (1, 12),
    *,
    illegal: float = 0.0,
    within: frozenset[ProvinceCode] | None = None,
) -> Position:
    """A position of that flavour, or of any; its orders are legal unless some are to be `illegal`."""
    chosen = flavour or draw(st.sampled_from(Flavour))
    board, orders = random_board(Draws(draw), chosen, units, illegal=illegal, within=within)
    kept = {power: [order for order in given if draw(_MOSTLY)] for power, given in orders.items()}
    return _without_idle_units(draw, board, {power: given for power, given in kept.items() if given})


_MOSTLY = st.integers(0, 29).map(bool)
"""True, but shrinks to False: an order that does not matter is left out, and its unit holds."""


def _without_idle_units(draw: st.DrawFn, board: Board, orders: Mapping[Power, Sequence[MovementOrder]]) -> Position:
    """The position without some units that have no order, as far as that leaves the orders of the others as legal."""
    ordered = {order.unit.province for given in orders.values() for order in given}
    legal = _legal_orders(board, orders)
    for unit in board.units:
        if unit.province not in ordered and not draw(st.booleans()):
            fewer = replace(board, units=tuple(other for other in board.units if other is not unit))
            if _legal_orders(fewer, orders) == legal:
                board = fewer
    return Position(board, orders)


def _legal_orders(board: Board, orders: Mapping[Power, Sequence[MovementOrder]]) -> list[bool]:
    docket = make_docket(board, orders, load_rulebook())
    return [entry.reason is None for entries in docket.entries.values() for entry in entries]


@st.composite
def rulebooks(draw: st.DrawFn) -> Rulebook:
    """A rulebook with some of its issues settled otherwise than in the default one."""
    changed = draw(st.lists(st.sampled_from(list(option_fields().values())), unique=True, max_size=6))
    kinds: dict[str, type[Enum]] = {name: type(getattr(load_rulebook(), name)) for name in changed}
    chosen: dict[str, Any] = {name: draw(st.sampled_from(list(kind))) for name, kind in kinds.items()}
    if chosen.get("convoy_intent") in (ConvoyIntent.ALWAYS, ConvoyIntent.OPPOSITE):  # goes with some fallback only
        chosen["land_fallback"] = draw(st.sampled_from([way for way in LandFallback if way is not LandFallback.NEVER]))
    return replace(load_rulebook(), **chosen)


def with_attacks_on_last_fleets(
    random: Random, board: Board, orders: Mapping[Power, Sequence[MovementOrder]]
) -> tuple[Board, dict[Power, list[MovementOrder]]]:
    """The position with a fleet at the destination of many a convoy, ordered against a fleet that could be the last on it."""
    units, ordered = dict(board.unit_at), {order.unit.province: order for given in orders.values() for order in given}
    for convoy in [order for order in ordered.values() if isinstance(order, Convoy)]:
        sea, goal = convoy.unit.province, province_of(convoy.destination)
        if sea in board.map.shores.get(goal, ()) and random.random() < 0.7:
            start = random.choice([place for place in board.map.provinces[goal].locations if sea in board.map.fleet[place]])
            power = units[goal].power if goal in units else random.choice(board.map.powers)
            units[goal] = Unit(power, UnitKind.FLEET, start)
            ordered[goal] = Move(Named(UnitKind.FLEET, start), sea)
    given: dict[Power, list[MovementOrder]] = {}
    for province, order in ordered.items():
        given.setdefault(units[province].power, []).append(order)
    return replace(board, units=tuple(units.values())), given


class View(Reading):
    """One of two opposing views: `~view` is the other."""

    opposing: View

    def __invert__(self) -> View:
        return self.opposing


def views(values: Sequence[bool], opposing: Sequence[bool]) -> View:
    """The statement read over these values, and in the opposing view over the others: what is compiled, interpreted."""
    one, other = View(values), View(opposing)
    one.opposing, other.opposing = other, one
    return one


def interpreted(values: Sequence[bool], opposing: Sequence[bool], subject: Decision) -> bool:
    """The equation of a decision as the statement has it."""
    return statement.decision(views(values, opposing), subject)


# What an engine says, in words: comparable between engines, and between a position and another made from it.

Resolution = frozenset[tuple[str, bool]]
"""The value of every decision, by the text of its order."""


def in_words(situation: Situation, values: Sequence[bool]) -> Resolution:
    return frozenset((str(decision), values[decision.index]) for decision in situation.decisions)


def all_in_words(adjudication: Adjudication) -> frozenset[Resolution]:
    return frozenset(in_words(adjudication.situation, values) for values in adjudication.resolutions)


def rulings_in_words(adjudication: Adjudication) -> frozenset[tuple[str, frozenset[str], frozenset[Resolution]]]:
    """For each ruling its rule, the orders of the core, and the core's resolutions."""
    found = []
    for core in adjudication.cores:
        if core.ruling is not None:
            orders = [str(decision) for decision in core.decisions]
            resolutions = frozenset(frozenset(zip(orders, values, strict=True)) for values in core.resolutions)
            assert len(resolutions) == len(core.resolutions) == core.ruling.resolutions
            found.append((core.ruling.rule, frozenset(orders), resolutions))
    assert len(set(found)) == len(found)
    return frozenset(found)


def note(adjudication: Adjudication) -> None:
    """Tell hypothesis what was covered: `pytest --hypothesis-show-statistics`."""
    count = adjudication.resolutions.count
    event("resolutions", payload=count if count < 3 else "more")
    for ruling in adjudication.rulings:
        event("ruling", payload=f"{ruling.rule} on {min(ruling.resolutions, 2)}")
