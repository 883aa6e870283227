"""Finds where rulebooks part on a position, order by order, and which disputed issue makes the difference."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from satjudge.base.errors import RulebookError, UnresolvedError
from satjudge.base.words import brief
from satjudge.judging.adjustments import AdjustmentOutcome
from satjudge.judging.judge import AnyOutcome
from satjudge.judging.outcome import Outcome
from satjudge.judging.position import Position
from satjudge.judging.retreats import judge_retreats
from satjudge.judging.solve import Engine
from satjudge.world.board import grouped
from satjudge.world.geography import Power
from satjudge.world.orders import Orders
from satjudge.world.rules import Rulebook, options
from satjudge.world.verdicts import NoVerdict, Verdict

UNRESOLVED = NoVerdict.UNRESOLVED
NOTHING = "-"
RETREATS_OF, REMOVALS = "retreats of", "automatic removals"
"""The names of rows that are no orders: with a unit behind it, and by itself."""

Row = tuple[Power, str, int]
"""An order (or a consequence) with its power; the number tells apart orders that read the same."""
Said = Verdict | str
"""The verdict on an order, or the words for another consequence."""
Told = dict[Row, Said]
"""The verdicts or words of one rulebook, by row."""
Column = tuple[Said, ...]
"""The verdicts or words of one rulebook, row by row."""


@dataclass(frozen=True)
class Comparison:
    """A comparison of rulebooks on one position.

    `columns` has one entry per rulebook, in the order given.

    Rows are the orders, retreat orders behind those of the movement phase; then the retreats of each unit that is dislodged,
    and the removals by civil disorder.
    """

    rows: tuple[Row, ...]
    rulebooks: tuple[Rulebook, ...]
    columns: tuple[Column, ...]
    causes: tuple[tuple[tuple[str, ...], ...], ...]
    """The issues that make a rulebook differ from the first one, for each rulebook and row."""

    __repr__ = brief

    @property
    def orders(self) -> tuple[tuple[Power, str], ...]:
        """The power and the text of each row."""
        return tuple((power, text) for power, text, _ in self.rows)

    @cached_property
    def agrees(self) -> bool:
        """True if all rulebooks say the same."""
        return len(set(self.columns)) == 1

    @cached_property
    def groups(self) -> dict[Column, list[Rulebook]]:
        """The rulebooks with the same answers, by these answers."""
        return grouped(zip(self.columns, self.rulebooks, strict=True))

    @property
    def names(self) -> list[str]:
        """The names of the rulebooks in each of these groups."""
        return [", ".join(rulebook.name for rulebook in alike) for alike in self.groups.values()]

    @property
    def reference(self) -> Column:
        """The answers with which pictures compare: those of the first rulebook that has any, or of the first."""
        return next((column for column in self.columns if UNRESOLVED not in column), self.columns[0])

    def marks(self, column: Column) -> list[bool]:
        """Find the rows of a column that differ from the reference; none where the column has no answer."""
        return [UNRESOLVED not in column and one != other for one, other in zip(column, self.reference, strict=True)]

    @cached_property
    def reasons(self) -> dict[str, list[str]]:
        """The rulebooks that an issue sets apart, with its question, `1971: 4.A.5 (May …?)`, and the orders concerned."""
        found: dict[tuple[str, ...], dict[str, list[str]]] = {}
        for rulebook, causes in zip(self.rulebooks, self.causes, strict=True):
            for issues, (_, order) in zip(causes, self.orders, strict=True):
                if issues:
                    found.setdefault(issues, {}).setdefault(rulebook.name, []).append(order)
        questions = {option.issue: f"{option.issue} ({option.question})" for option in options()}
        told = {}
        for issues, affected in found.items():
            why = "; ".join(questions[issue] for issue in issues)
            told[f"{', '.join(affected)}: {why}"] = [*chain.from_iterable(affected.values())]
        return told


def compare(
    position: Position,
    rulebooks: Sequence[Rulebook],
    *,
    retreats: Orders | None = None,
    engine: Engine = Engine.STAGED,
) -> Comparison:
    """Judge a position under several rulebooks; where one has no answer, each of its verdicts is `unresolved`."""
    judged: dict[Rulebook, Told] = {}

    def told(rulebook: Rulebook) -> Told:
        if rulebook not in judged:
            judged[rulebook] = _told(position, retreats or {}, rulebook, engine)
        return judged[rulebook]

    rows = tuple(dict.fromkeys(row for rulebook in rulebooks for row in told(rulebook)))
    first = rulebooks[0]
    causes = [tuple(_causes(row, first, rulebook, told) for row in rows) for rulebook in rulebooks]
    columns = tuple(tuple(told(rulebook).get(row, NOTHING) for row in rows) for rulebook in rulebooks)
    return Comparison(rows, tuple(rulebooks), columns, tuple(causes))


def _told(position: Position, retreats: Orders, rulebook: Rulebook, engine: Engine) -> Told:
    try:
        outcome = position.judge(rulebook, engine=engine)
    except UnresolvedError:
        return dict.fromkeys((*_rows(position.orders, 0), *_rows(retreats, 1)), UNRESOLVED)
    found = _verdicts(position.orders, outcome, 0)
    if isinstance(outcome, Outcome):
        if retreats:
            found |= _verdicts(retreats, judge_retreats(outcome.retreat_board, retreats, rulebook=rulebook), 1)
        for lost in outcome.dislodgements.values():
            found[lost.unit.power, f"{RETREATS_OF} {lost.unit}", 0] = " ".join(lost.retreats) or "none"
    elif isinstance(outcome, AdjustmentOutcome):
        for power, units in outcome.automatic.items():
            found[power, REMOVALS, 0] = ", ".join(str(unit) for unit in units)
    return found


def _verdicts(orders: Orders, outcome: AnyOutcome, phase: int) -> Told:
    verdicts = (entry.verdict for power in orders for entry in outcome.judged[power])
    return dict(zip(_rows(orders, phase), verdicts, strict=True))


def _rows(orders: Orders, phase: int) -> list[Row]:
    """A row for each order: of the movement (or adjustment) phase 0, of the retreats 1."""
    return [(power, str(order), 2 * number + phase) for power, given in orders.items() for number, order in enumerate(given)]


def _moved(rulebook: Rulebook, towards: Rulebook, issue: str) -> Rulebook:
    """The rulebook with one issue settled as in the other; unchanged if that does not go together with the rest."""
    try:
        return rulebook.with_settings([f"{issue}={towards.settings()[issue]}"])
    except RulebookError:
        return rulebook


def _causes(row: Row, first: Rulebook, second: Rulebook, told: Callable[[Rulebook], Told]) -> tuple[str, ...]:
    """The issues that change this row by themselves; failing these, those without which it would not change."""
    one, two = told(first).get(row), told(second).get(row)
    if one == two:
        return ()
    issues = [issue for issue, value in second.settings().items() if first.settings()[issue] != value]
    sufficient = tuple(issue for issue in issues if told(_moved(first, second, issue)).get(row) == two)
    needed = tuple(issue for issue in issues if told(_moved(second, first, issue)).get(row) != two)
    return sufficient or needed or tuple(issue for issue in issues if told(_moved(first, second, issue)).get(row) != one)
