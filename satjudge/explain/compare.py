"""Finds the orders on which rulebooks give different verdicts, and the issues that make the difference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from itertools import chain, count
from typing import ClassVar

from satjudge.base.errors import RulebookError, UnresolvedError
from satjudge.base.imports import load_hook
from satjudge.base.values import one_line
from satjudge.base.version import __version__
from satjudge.judging.adjustments import AdjustmentOutcome
from satjudge.judging.judge import AnyOutcome, find_rulebook
from satjudge.judging.outcome import Outcome
from satjudge.judging.position import Position
from satjudge.judging.retreats import judge_retreats
from satjudge.judging.solve import Engine
from satjudge.notation.documents import Document, OrderOf
from satjudge.world.board import group_pairs
from satjudge.world.geography import Map, Power
from satjudge.world.orders import Orders
from satjudge.world.rules import DEFAULT_RULES, Rulebook, options
from satjudge.world.verdicts import NoVerdict

UNRESOLVED = NoVerdict.UNRESOLVED
NOTHING = "-"
RETREATS_OF, REMOVALS = "retreats of", "automatic removals"
"""The names of rows that are not orders; the first is followed by a unit."""

Row = tuple[Power, str, int]
"""The power and text of an order (or of a consequence), and a number that distinguishes orders with the same text."""
RowVerdicts = dict[Row, str]
"""One rulebook's verdicts, or words for other consequences, by row."""
Column = tuple[str, ...]
"""One rulebook's verdicts or words, row by row."""


class Share(StrEnum):
    """How each of several issues contributes to a difference."""

    ALONE = "alone"
    """Each issue makes the difference by itself."""
    NEEDED = "needed"
    """All issues are needed for the difference, and none makes it by itself."""
    PARTLY = "partly"
    """Each issue by itself makes another difference."""


class ComparedOrder(OrderOf):
    """An order with its verdict under each rulebook, and the issues that make it differ from the first rulebook's."""

    verdicts: dict[str, str]
    causes: dict[str, list[str]]
    shares: dict[str, Share]
    """How these issues contribute to the difference, by rulebook."""


class ComparedCase(Document, dict=True):
    """A comparison of rulebooks on one position, which is one case of `satjudge compare --json`.

    Its orders are those of the movement phase, then retreat orders, then rows for the retreats of each dislodged unit and for
    removals by civil disorder. `str` returns the command's table.
    """

    satjudge: str
    id: str | None
    title: str
    engine: str
    agrees: bool
    """True if all rulebooks give the same verdicts."""
    rulebooks: dict[str, dict[str, str]]
    """The settings of each rulebook."""
    orders: list[ComparedOrder]
    applied: dict[str, list[str]]
    """The choices that the rulebooks' explanations cite differently, if all verdicts agree."""
    game_map: ClassVar[Map | None] = None
    """The map that names the powers in print; it is no part of the document."""

    def __str__(self) -> str:
        return str(load_hook("as_text")(self))

    def __repr__(self) -> str:
        differing = [order.order for order in self.orders if order.causes]
        return one_line("ComparedCase", self.id or "", ", ".join(self.rulebooks), *(differing or ["no difference"]))

    @property
    def columns(self) -> dict[str, Column]:
        """The verdicts under each rulebook, by its name, in the same sequence as the orders."""
        return {name: tuple(order.verdicts[name] for order in self.orders) for name in self.rulebooks}

    @property
    def groups(self) -> dict[Column, list[str]]:
        """The names of the rulebooks with equal verdicts, grouped by these verdicts."""
        return group_pairs((column, name) for name, column in self.columns.items())

    @property
    def names(self) -> list[str]:
        """The names of the rulebooks in each group as one text, joined by commas."""
        return [", ".join(alike) for alike in self.groups.values()]

    @property
    def reference(self) -> Column:
        """The verdicts with which pictures compare others: those of the first rulebook with an answer, or else of the first."""
        columns = [*self.columns.values()]
        return next((column for column in columns if UNRESOLVED not in column), columns[0])

    def mark_differences(self, column: Column) -> list[bool]:
        """Return, for each verdict in a column, whether it differs from the reference; all False if it has no answer."""
        return [UNRESOLVED not in column and one != other for one, other in zip(column, self.reference, strict=True)]

    @property
    def reasons(self) -> dict[str, list[str]]:
        """The orders that issues affect, by a text with the rulebooks and issues: `1971: 4.A.5 (May …?)`.

        If there are several issues, the text states whether each of them alone makes the difference.
        """
        found: dict[tuple[Share, tuple[str, ...]], dict[str, list[str]]] = {}
        for name in self.rulebooks:
            for order in self.orders:
                if name in order.causes:
                    why = order.shares[name], tuple(order.causes[name])
                    found.setdefault(why, {}).setdefault(name, []).append(order.order)
        questions = {option.issue: f"{option.issue} ({option.question})" for option in options()}
        merged = {}
        for (share, issues), affected in found.items():
            joined = _join_issues([questions[issue] for issue in issues], share)
            merged[f"{', '.join(affected)}: {joined}"] = [*chain.from_iterable(affected.values())]
        return merged


def _join_issues(issues: Sequence[str], share: Share) -> str:
    """Return a text that lists issues and states how they contribute to the difference."""
    both, either = ("both", "either") if len(issues) == 2 else ("all", "any")
    behind = {
        Share.ALONE: f", {either} of which would be enough" if len(issues) > 1 else "",
        Share.NEEDED: f", {both} of which are needed" if len(issues) > 1 else ", which is needed, but not enough alone",
        Share.PARTLY: ", each of which contributes" if len(issues) > 1 else ", in part",
    }
    return "; ".join(issues) + behind[share]


def name_rulebooks(rulebooks: Sequence[Rulebook]) -> dict[str, Rulebook]:
    """Return the rulebooks by name, without duplicates; `(2)` and so on is added to repeated names of different rulebooks."""
    found: dict[str, Rulebook] = {}
    for book in dict.fromkeys(rulebooks):
        names = chain([book.name], (f"{book.name} ({number})" for number in count(2)))
        found[next(name for name in names if name not in found)] = book
    return found


def compare(
    position: Position,
    rulebooks: Sequence[Rulebook | str],
    *,
    retreats: Orders | None = None,
    engine: Engine = Engine.STAGED,
) -> ComparedCase:
    """Judge a position under several rulebooks, and return all verdicts with the issues that make them differ.

    If a rulebook has no answer, all its verdicts are `unresolved`. Raises `RulebookError` for an unknown rulebook, or if
    `rulebooks` is not a list.
    """
    if isinstance(rulebooks, str | Rulebook) or not rulebooks:
        names = [name.strip() for name in rulebooks.split(",")] if isinstance(rulebooks, str) else []
        examples = names if len(names) > 1 else [*dict.fromkeys((*names, DEFAULT_RULES, "1971"))][:2]
        hint = f"compare(position, {examples})"
        raise RulebookError(f"rulebooks to compare must be a list, not {rulebooks!r:.60}", suggestion=hint)
    judged: dict[Rulebook, RowVerdicts] = {}

    def find_verdicts(rulebook: Rulebook) -> RowVerdicts:
        if rulebook not in judged:
            judged[rulebook] = _judge_rows(position, retreats or {}, rulebook, engine)
        return judged[rulebook]

    books = name_rulebooks([find_rulebook(one) for one in rulebooks])
    first = next(iter(books.values()))
    orders = []
    for row in dict.fromkeys(row for book in books.values() for row in find_verdicts(book)):
        causes = {name: _find_causes(row, first, book, find_verdicts) for name, book in books.items()}
        verdicts = {name: find_verdicts(book).get(row, NOTHING) for name, book in books.items()}
        issues = {name: found for name, (_, found) in causes.items() if found}
        orders.append(ComparedOrder(*row[:2], verdicts, issues, {name: causes[name][0] for name in issues}))
    agrees = all(len(set(order.verdicts.values())) == 1 for order in orders)
    settings = {name: book.settings() for name, book in books.items()}
    applied = _find_applied_choices(position, books, engine) if agrees and len(books) > 1 else {}
    found = ComparedCase(__version__, position.name or None, "", engine, agrees, settings, orders, applied)
    found.__dict__["game_map"] = position.board.map
    return found


def _find_applied_choices(position: Position, rulebooks: Mapping[str, Rulebook], engine: Engine) -> dict[str, list[str]]:
    """Return the choices that the rulebooks' explanations cite differently, by rulebook; {} if none, or without an answer."""
    from satjudge.explain.phases import explain_phase  # only if nothing differs

    found = {}
    for name, book in rulebooks.items():
        try:
            explanations = explain_phase(position.judge(book, engine=engine), None, book)
        except UnresolvedError:
            return {}
        rules = {rule for why in (explanations if isinstance(explanations, list) else [explanations]) for rule in why.rules}
        found[name] = sorted(rule for rule in rules if "=" in rule)
    cited = {rule for rules in found.values() for rule in rules}
    times = Counter(rule.partition("=")[0] for rule in cited)
    left = {name: [rule for rule in rules if times[rule.partition("=")[0]] > 1] for name, rules in found.items()}
    return left if any(left.values()) else {}


def _judge_rows(position: Position, retreats: Orders, rulebook: Rulebook, engine: Engine) -> RowVerdicts:
    try:
        outcome = position.judge(rulebook, engine=engine)
    except UnresolvedError:
        return dict.fromkeys((*_list_rows(position.orders, 0), *_list_rows(retreats, 1)), UNRESOLVED)
    found = _map_verdicts(position.orders, outcome, 0)
    if isinstance(outcome, Outcome):
        if retreats:
            found |= _map_verdicts(retreats, judge_retreats(outcome.retreat_board, retreats, rulebook=rulebook), 1)
        for lost in outcome.dislodgements.values():
            found[lost.unit.power, f"{RETREATS_OF} {lost.unit}", 0] = " ".join(lost.retreats) or "none"
    elif isinstance(outcome, AdjustmentOutcome):
        for power, units in outcome.automatic.items():
            found[power, REMOVALS, 0] = ", ".join(str(unit) for unit in units)
    return found


def _map_verdicts(orders: Orders, outcome: AnyOutcome, phase: int) -> RowVerdicts:
    verdicts = (entry.verdict for power in orders for entry in outcome.judged[power])
    return dict(zip(_list_rows(orders, phase), verdicts, strict=True))


def _list_rows(orders: Orders, phase: int) -> list[Row]:
    """Return a row for each order; `phase` (0 for movement, 1 for retreats) makes the rows' numbers distinct."""
    return [(power, str(order), 2 * number + phase) for power, given in orders.items() for number, order in enumerate(given)]


def _adopt_choice(rulebook: Rulebook, source: Rulebook, issue: str) -> Rulebook:
    """Return a rulebook with one issue as in `source`, or the unchanged rulebook if that would be inconsistent."""
    try:
        return rulebook.with_settings([f"{issue}={source.settings()[issue]}"])
    except RulebookError:
        return rulebook


def _find_causes(
    row: Row, first: Rulebook, second: Rulebook, get_verdicts: Callable[[Rulebook], RowVerdicts]
) -> tuple[Share, list[str]]:
    """Return the issues that change a row's verdict from the first rulebook to the second, and how they contribute."""
    one, two = get_verdicts(first).get(row), get_verdicts(second).get(row)
    if one == two:
        return Share.ALONE, []
    issues = [issue for issue, value in second.settings().items() if first.settings()[issue] != value]
    if sufficient := [issue for issue in issues if get_verdicts(_adopt_choice(first, second, issue)).get(row) == two]:
        return Share.ALONE, sufficient
    if needed := [issue for issue in issues if get_verdicts(_adopt_choice(second, first, issue)).get(row) != two]:
        return Share.NEEDED, needed
    return Share.PARTLY, [issue for issue in issues if get_verdicts(_adopt_choice(first, second, issue)).get(row) != one]
