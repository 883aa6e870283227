"""The judge: orders x board x rulebook -> outcome, as the pipeline that the package's layout shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from satjudge.adjustments import AdjustmentOutcome, judge_adjustments
from satjudge.board import Board, Phase
from satjudge.equations.situation import Situation, situate
from satjudge.errors import NotationError, UnresolvedError
from satjudge.geography import Power, province_of
from satjudge.legality import Docket, sort_out
from satjudge.notation import known_orders, parse_order
from satjudge.orders import Order, places_named
from satjudge.outcome import Outcome
from satjudge.retreats import RetreatOutcome, judge_retreats
from satjudge.rules import DEFAULT_RULES, Rulebook, load_rulebook
from satjudge.solve import Engine, adjudicate
from satjudge.solve.result import Limits, Resolutions

Orders = Mapping[Power, Sequence[Order | str]]
"""Each power's orders as values or as text in either notation."""


def judge(
    board: Board,
    orders: Orders,
    *,
    rulebook: Rulebook | str | None = None,
    engine: Engine = Engine.STAGED,
    limits: Limits = Limits(),  # noqa: B008  # frozen
) -> Outcome:
    """Judge a movement phase.

    Raises `NotationError` for unreadable orders, `BoardError` for an impossible board and `UnresolvedError` for a core
    that the rulebook has no answer to.
    """
    docket, situation = _posed(board, orders, rulebook)
    return Outcome(board, docket, adjudicate(situation, engine, limits))


def situation_of(board: Board, orders: Orders, *, rulebook: Rulebook | str | None = None) -> Situation:
    """The situation that a movement phase poses, before it is solved."""
    return _posed(board, orders, rulebook)[1]


def _posed(board: Board, orders: Orders, rulebook: Rulebook | str | None) -> tuple[Docket, Situation]:
    """Which orders count, and the situation that they make."""
    rules = _rules(rulebook)
    docket = sort_out(board.checked(), read_orders(board, orders), rules)
    return docket, situate(board, docket, rules)


def _rules(rulebook: Rulebook | str | None) -> Rulebook:
    """The rulebook itself, or the one of that name, or the default one. Raises `RulebookError`."""
    return rulebook if isinstance(rulebook, Rulebook) else load_rulebook(rulebook or DEFAULT_RULES)


def resolutions(
    board: Board,
    orders: Orders,
    *,
    rulebook: Rulebook | str | None = None,
    engine: Engine = Engine.FULL,
    limits: Limits = Limits(),  # noqa: B008  # frozen
) -> Resolutions:
    """Every consistent resolution of a movement phase, before any backup rule: iterate, count, or test membership.

    A core that the rulebook has no answer to is no obstacle.
    """
    try:
        return judge(board, orders, rulebook=rulebook, engine=engine, limits=limits).adjudication.resolutions
    except UnresolvedError as error:
        found: Resolutions = error.resolutions
        return found


def judge_phase(
    board: Board, orders: Orders, *, rulebook: Rulebook | str | None = None, engine: Engine = Engine.STAGED
) -> Outcome | RetreatOutcome | AdjustmentOutcome:
    """Judge whichever phase the board is in."""
    if board.phase is Phase.RETREAT:
        return judge_retreats(board.checked(), read_orders(board, orders), rulebook=_rules(rulebook))
    if board.phase is Phase.ADJUSTMENT:
        return judge_adjustments(board.checked(), read_orders(board, orders), rulebook=_rules(rulebook))
    return judge(board, orders, rulebook=rulebook, engine=engine)


def read_orders(board: Board, orders: Orders) -> dict[Power, list[Order]]:
    """The orders as values, texts read in the phase that the board is in. Raises `NotationError`."""
    for power, given in orders.items():
        if isinstance(given, str):
            raise NotationError(f"the orders of {power} must be a list", suggestion=f"write [{given!r}]")
    known = known_orders(board.map, board.phase)
    return {
        power: [
            known.get(order) or parse_order(order, board.map, board.phase)
            if isinstance(order, str)
            else _on_the_map(board, order)
            for order in given
        ]
        for power, given in orders.items()
    }


def _on_the_map(board: Board, order: Order) -> Order:
    for location in places_named(order):
        if province_of(location) not in board.map.provinces:
            raise NotationError(f"{order} names {location}: there is no such province on this map")
    return order
