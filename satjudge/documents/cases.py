"""What `check`, `datc` and `rulebooks` find, and the batch lines that `export` writes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec
from msgspec import UNSET, UnsetType

from satjudge.board import Board, DislodgedUnit, Phase, by_power
from satjudge.check import CheckedCase, Difference
from satjudge.documents import Made, Rules, made_by
from satjudge.documents.positions import BatchAnswer, phase_fields
from satjudge.errors import NotFoundError
from satjudge.geography import Power
from satjudge.judge import judge_phase
from satjudge.notation.sheets import Sheet, SheetOrder
from satjudge.outcome import Outcome
from satjudge.retreats import judge_retreats
from satjudge.rules import Rulebook, load_rulebook, options

# ---- check, datc ----


class Erratum(msgspec.Struct):
    """An order whose printed verdict the source's own rules or map contradict."""

    order: str
    printed: str | None
    correct: str | None


class Checked(Made, kw_only=True):
    """A case with the expectations that do not hold."""

    id: str | None
    title: str
    file: str
    passed: bool
    checked: int
    """How many expectations it has."""
    answered: bool
    """Whether the engine could judge it."""
    differences: list[Difference]
    errata: list[Erratum]
    erratum: Sequence[str]
    """Why the source is mistaken."""


class CheckedCases(msgspec.Struct):
    """What `satjudge check --json` and `satjudge datc --json` write."""

    engine: str
    passed: int
    ran: int
    cases: list[Checked]
    deviations: list[Checked] | UnsetType = UNSET
    """Cases that only a rulebook other than the document's own judges otherwise."""


def checked(case: CheckedCase) -> Checked:
    """A checked case as plain data."""
    return Checked(
        **made_by(case.rulebook),
        id=case.sheet.identity or None,
        title=case.sheet.title,
        file=case.sheet.source_file,
        passed=case.passed,
        checked=case.checked,
        answered=case.answered,
        differences=list(case.differences),
        errata=[Erratum(str(line.order), line.printed, line.expected) for line in case.errata],
        erratum=case.sheet.notes.get("erratum", []),
    )


# ---- rulebooks ----


class DescribedRules(Rules):
    """A rulebook with where its choices are stated, by issue."""

    sources: dict[str, str]


class OptionDescribed(msgspec.Struct):
    """An issue that rulebooks decide, and what its values mean."""

    issue: str
    question: str
    values: dict[str, str]


class Rulebooks(msgspec.Struct):
    """What `satjudge rulebooks --json` writes."""

    rulebooks: list[DescribedRules]
    options: list[OptionDescribed]


def described(rulebooks: Iterable[tuple[Rulebook, dict[str, str]]]) -> Rulebooks:
    """Rulebooks with their sources, and every option, as plain data."""
    books = [DescribedRules(book.name, book.title, book.settings(), sources) for book, sources in rulebooks]
    return Rulebooks(books, [OptionDescribed(one.issue, one.question, dict(one.values)) for one in options()])


# ---- export ----


class ExportedLine(msgspec.Struct, kw_only=True):
    """A shipped case as a batch line, with the answer that is expected."""

    id: str
    title: str
    phase: str
    rules: str
    map: str | UnsetType = UNSET
    season: str | UnsetType = UNSET
    units: dict[str, list[str]]
    orders: dict[str, list[str]]
    centers: dict[str, list[str]] | UnsetType = UNSET
    dislodged: dict[str, dict[str, list[str]]] | UnsetType = UNSET
    expected: BatchAnswer


def exported(sheet: Sheet) -> Iterator[ExportedLine]:
    """The batch lines of one case: that of its orders and, if it has retreats, one for these."""
    board, rulebook = sheet.board, load_rulebook(sheet.rules)
    outcome = judge_phase(board, sheet.orders_by_power(), rulebook=rulebook)
    answer = BatchAnswer(id=sheet.identity, **phase_fields(outcome))
    answer.results = _expected(sheet.orders)
    if board.phase is Phase.ADJUSTMENT:
        answer.automatic = by_power(sheet.automatic)
    yield _line(sheet, sheet.identity, board, sheet.orders, answer)
    if sheet.retreats and isinstance(outcome, Outcome):
        after = outcome.retreat_board
        retreats = judge_retreats(after, sheet.retreats_by_power(), rulebook=rulebook)
        name = f"{sheet.identity}/retreats"
        answer = BatchAnswer(id=name, **phase_fields(retreats))
        answer.results = _expected(sheet.retreats)
        yield _line(sheet, name, after, sheet.retreats, answer)


def _line(sheet: Sheet, identity: str, board: Board, orders: Iterable[SheetOrder], expected: BatchAnswer) -> ExportedLine:
    texts: dict[Power, list[str]] = {}
    for entry in orders:
        texts.setdefault(entry.power, []).append(str(entry.order))
    line = ExportedLine(
        id=identity, title=sheet.heading, phase=str(board.phase), rules=sheet.rules,
        units=by_power(board.units), orders=texts, expected=expected,
    )  # fmt: skip
    if board.map.name != "standard":
        line.map = board.map.name
        line.season = str(board.turn.season) if board.turn and board.map.closed else UNSET
    if board.phase is Phase.ADJUSTMENT or (board.map.railroads and board.centers):
        line.centers = {}
        for province, power in board.centers.items():
            line.centers.setdefault(power, []).append(province)
    elif board.phase is Phase.RETREAT:
        line.dislodged = _dislodged(board.dislodged)
    return line


def _expected(orders: Iterable[SheetOrder]) -> dict[Power, list[str]]:
    results: dict[Power, list[str]] = {}
    for entry in orders:
        if entry.expected is None:
            raise NotFoundError(f"{entry.order} has no expected verdict (line {entry.line})")
        results.setdefault(entry.power, []).append(str(entry.expected))
    return results


def _dislodged(entries: Iterable[DislodgedUnit]) -> dict[Power, dict[str, list[str]]]:
    found: dict[Power, dict[str, list[str]]] = {}
    for entry in entries:
        found.setdefault(entry.unit.power, {})[str(entry.unit)] = list(entry.retreats)
    return found
