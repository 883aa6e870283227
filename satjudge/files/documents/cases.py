"""Holds the findings about cases of `check`, `datc` and `explain`, the lines of `export`, the lists of `rulebooks`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import UNSET, UnsetType

from satjudge.base.errors import NotFoundError
from satjudge.base.replacing import replace
from satjudge.base.version import __version__
from satjudge.explain.changes import Change, Pivot
from satjudge.explain.contradictions import Contradiction, WhyNot
from satjudge.explain.counterfactuals import WhatWouldChange
from satjudge.explain.documents import BatchAnswer, JudgedCase, OfPower, judged_case, phase_fields
from satjudge.explain.explanation import Explanation
from satjudge.files.batch_lines import position_keys
from satjudge.files.saved_games import kept_tables
from satjudge.judging.check import CheckedCase
from satjudge.judging.judge import AnyOutcome, Judgement, judge_case
from satjudge.judging.solve.case_splitting import solver_installed
from satjudge.notation.documents import CaseMade, Document, Rules, case_made
from satjudge.notation.sheets import Sheet, SheetOrder
from satjudge.world.board import Board, Phase, by_power, group_pairs
from satjudge.world.geography import Map
from satjudge.world.rules import Option, load_preset, load_rulebook, nearest_preset, options, rulebook_sources, rulebook_text

# ---- check, datc ----


class CheckedCases(Document):
    """The document that `satjudge check --json` and `satjudge datc --json` write."""

    engine: str
    passed: int
    ran: int
    cases: list[CheckedCase]
    deviations: list[CheckedCase] | UnsetType = UNSET
    """Cases that only a rulebook other than the document's own judges otherwise."""


# ---- explain ----


class ExplainedCase(CaseMade, kw_only=True):
    """One case of `satjudge explain --json`, with the answers to what was asked."""

    engine: str
    orders: list[Explanation] | UnsetType = UNSET
    retreats: list[Explanation] | UnsetType = UNSET
    why_not: list[WhyNot] | UnsetType = UNSET
    no_resolution: list[Contradiction] | UnsetType = UNSET
    change: Change | UnsetType = UNSET
    what_would_change: WhatWouldChange | UnsetType = UNSET
    pivotal: list[Pivot] | UnsetType = UNSET
    pivotal_for: str | UnsetType = UNSET
    """The order that was asked about: `pivotal` are the orders without which it has another verdict."""


# ---- export ----


class CaseLine(Document, kw_only=True):
    """A case as a batch line."""

    id: str
    title: str
    phase: str
    rules: str
    map: str | UnsetType = UNSET
    season: str | UnsetType = UNSET
    units: OfPower
    orders: OfPower
    centers: OfPower | UnsetType = UNSET
    dislodged: dict[str, OfPower] | UnsetType = UNSET


class ExportedLine(CaseLine, kw_only=True):
    """A shipped case, with the answer that is expected."""

    expected: BatchAnswer


def exported_lines(sheet: Sheet) -> Iterator[ExportedLine]:
    """Write the batch lines of one case: that of its orders and, if it has retreats, one for these."""
    rulebook = load_preset(sheet.rules)
    judged = judge_case(sheet, rulebook)
    line = _line(sheet, sheet.identity, sheet.board, sheet.orders, judged.settled())
    if sheet.phase is Phase.ADJUSTMENT:
        line.expected.automatic = by_power(sheet.automatic)
    yield line
    if sheet.retreats and judged.retreats:
        yield _line(sheet, f"{sheet.identity}/retreats", judged.retreats.board, sheet.retreats, judged.retreats)


def _line(sheet: Sheet, identity: str, board: Board, orders: Sequence[SheetOrder], outcome: AnyOutcome) -> ExportedLine:
    """Raises `NotFoundError` for an order without an expected verdict."""
    for entry in orders:
        if entry.expected is None:
            raise NotFoundError(f"{entry.order} has no expected verdict (line {entry.line})")
    answer = BatchAnswer(id=identity, **phase_fields(outcome))
    answer.results = group_pairs((entry.power, str(entry.expected)) for entry in orders)
    return ExportedLine(**_line_of(sheet, identity, sheet.rules, board, orders), expected=answer)


def _line_of(sheet: Sheet, identity: str, rules: str, board: Board, orders: Sequence[SheetOrder]) -> dict[str, Any]:
    """The fields of `CaseLine`."""
    return {
        "id": identity,
        "title": sheet.heading,
        "phase": str(board.phase),
        "rules": rules,
        "units": by_power(board.units),
        "orders": group_pairs((entry.power, str(entry.order)) for entry in orders),
        **position_keys(board),
    }


# ---- judge --report ----


class ReportedPhase(Document):
    """A phase as a batch line, and what satjudge makes of it."""

    request: CaseLine
    answer: JudgedCase


class Report(Document, kw_only=True):
    """What `satjudge judge --report` writes: all that is needed to judge a phase again as it was judged."""

    satjudge: str
    python: str
    system: str
    solver: str | None
    """The version of ortools; none where it is not installed."""
    engine: str
    reported: list[ReportedPhase]
    map: Mapping[str, Any] | UnsetType = UNSET
    """The tables of a map that does not come with satjudge."""


def reported_phases(judged: Judgement) -> Iterator[ReportedPhase]:
    """A case as it was judged: the phase of its orders and, if it has retreats, that of these."""
    sheet, rules = judged.sheet, rulebook_text(*nearest_preset(judged.rulebook))
    line = CaseLine(**_line_of(sheet, sheet.identity, rules, sheet.board, sheet.orders) | {"title": sheet.title})
    yield ReportedPhase(line, judged_case(replace(judged, retreats=None)))
    if judged.retreats:
        after = judged.retreats.board
        line = CaseLine(**_line_of(sheet, f"{sheet.identity}/retreats", rules, after, sheet.retreats) | {"title": sheet.title})
        about = {**case_made(sheet, judged.rulebook), "phase": str(after.phase)}
        yield ReportedPhase(line, JudgedCase(**about, **phase_fields(judged.retreats)))


def report_of(phases: Iterable[ReportedPhase], game_map: Map, engine: str) -> Report:
    """A report on phases that were judged on one map, with what they were judged on."""
    import platform
    from importlib.metadata import version

    return Report(
        satjudge=__version__,
        python=platform.python_version(),
        system=platform.platform(),
        solver=version("ortools") if solver_installed() else None,
        engine=engine,
        reported=list(phases),
        map=kept_tables(game_map) or UNSET,
    )


# ---- rulebooks ----


class DescribedRules(Rules):
    """A rulebook with the sources of its choices, by issue."""

    sources: Mapping[str, str]


class Rulebooks(Document):
    """The document that `satjudge rulebooks --json` writes."""

    rulebooks: list[DescribedRules]
    options: list[Option]

    @property
    def differing(self) -> list[Option]:
        """The options for which the rulebooks choose different values."""
        return [option for option in self.options if len({book.settings[option.issue] for book in self.rulebooks}) > 1]


def described_rulebooks(names: Iterable[str]) -> Rulebooks:
    """Read rulebooks with their sources, and every option."""
    books = [(load_rulebook(name), rulebook_sources(name)) for name in names]
    return Rulebooks([DescribedRules(book.name, book.title, book.settings(), sources) for book, sources in books], options())
