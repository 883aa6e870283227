"""Where two rulebooks part on a position, order by order, and which disputed issue makes the difference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from satjudge.board import Board
from satjudge.errors import RulebookError, UnresolvedError
from satjudge.geography import Power
from satjudge.judge import judge_phase
from satjudge.orders import Order
from satjudge.retreats import judge_retreats
from satjudge.rules import Rulebook
from satjudge.solve import Engine

UNRESOLVED = "unresolved"
Verdicts = tuple[str, ...]
"""The verdict of every order, power by power, retreats last."""


@dataclass(frozen=True)
class Comparison:
    """The verdicts of some rulebooks on one position. `columns` has one entry per rulebook, in the order given."""

    orders: tuple[tuple[Power, str], ...]
    """Every order with its power; retreat orders behind those of the movement phase."""
    rulebooks: tuple[Rulebook, ...]
    columns: tuple[Verdicts, ...]
    causes: tuple[tuple[tuple[str, ...], ...], ...]
    """For each rulebook and order: the issues that make its verdict another than the first rulebook's."""

    @cached_property
    def agrees(self) -> bool:
        """Whether all rulebooks say the same."""
        return len(set(self.columns)) == 1


def compare(
    board: Board,
    orders: Mapping[Power, Sequence[Order]],
    rulebooks: Sequence[Rulebook],
    *,
    retreats: Mapping[Power, Sequence[Order]] | None = None,
    engine: Engine = Engine.STAGED,
) -> Comparison:
    """Judge a position under several rulebooks; where one has no answer, each of its verdicts is `unresolved`."""
    judged: dict[Rulebook, Verdicts] = {}

    def verdicts(rulebook: Rulebook) -> Verdicts:
        if rulebook not in judged:
            judged[rulebook] = _verdicts(board, orders, retreats or {}, rulebook, engine)
        return judged[rulebook]

    columns = tuple(verdicts(rulebook) for rulebook in rulebooks)
    first = rulebooks[0]
    causes = []
    for rulebook, column in zip(rulebooks, columns, strict=True):
        issues = [issue for issue, value in rulebook.settings().items() if first.settings()[issue] != value]
        alone = {issue: verdicts(_moved(first, rulebook, issue)) for issue in issues} if column != columns[0] else {}
        without = {issue: verdicts(_moved(rulebook, first, issue)) for issue in issues} if column != columns[0] else {}
        causes.append(tuple(_causes(i, columns[0], column, alone, without) for i in range(len(column))))
    listed = [(power, str(order)) for group in (orders, retreats or {}) for power, given in group.items() for order in given]
    return Comparison(tuple(listed), tuple(rulebooks), columns, tuple(causes))


def _verdicts(
    board: Board,
    orders: Mapping[Power, Sequence[Order]],
    retreats: Mapping[Power, Sequence[Order]],
    rulebook: Rulebook,
    engine: Engine,
) -> Verdicts:
    try:
        outcome = judge_phase(board, orders, rulebook=rulebook, engine=engine)
    except UnresolvedError:
        return (UNRESOLVED,) * sum(len(given) for group in (orders, retreats) for given in group.values())
    results = [verdict for power in orders for verdict in outcome.results[power]]
    if retreats:
        after = judge_retreats(outcome.next_board, retreats, rulebook=rulebook)
        results += [verdict for power in retreats for verdict in after.results[power]]
    return tuple(results)


def _moved(rulebook: Rulebook, towards: Rulebook, issue: str) -> Rulebook:
    """The rulebook with one issue settled as in the other; unchanged if that does not go together with the rest."""
    try:
        return rulebook.with_settings([f"{issue}={towards.settings()[issue]}"])
    except RulebookError:
        return rulebook


def _causes(
    position: int, first: Verdicts, second: Verdicts, alone: Mapping[str, Verdicts], without: Mapping[str, Verdicts]
) -> tuple[str, ...]:
    """The issues that change this verdict by themselves; failing these, those without which it would not change."""
    if first[position] == second[position]:
        return ()
    sufficient = tuple(issue for issue, column in alone.items() if column[position] == second[position])
    needed = tuple(issue for issue, column in without.items() if column[position] != second[position])
    return sufficient or needed or tuple(issue for issue, column in alone.items() if column[position] != first[position])
