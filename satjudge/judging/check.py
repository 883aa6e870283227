"""Compares what order sheets expect with what the judge decides."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from satjudge.base.errors import SheetError, locate_errors
from satjudge.judging.adjustments import AdjustmentOutcome
from satjudge.judging.judge import AnyOutcome, judge_case
from satjudge.judging.solve import Engine, choose_usable_engine
from satjudge.notation.documents import CaseDocument, Document, OrderOf, case_origin
from satjudge.notation.sheets import Expectations, Sheet, SheetOrder
from satjudge.world.board import Unit, by_power
from satjudge.world.geography import Power
from satjudge.world.rules import Rulebook, load_preset
from satjudge.world.seasons import counted_centers, winner_of
from satjudge.world.verdicts import NoVerdict, Verdict, is_expected


class Unmet(OrderOf):
    """An expectation that is not met, about an order, the units of a power, or the position as a whole."""

    expected: str
    found: str
    line: int


class Erratum(Document):
    """An order whose printed verdict contradicts the rules or the map of its own source."""

    order: str
    printed: str | None
    correct: str | None


class CheckedCase(CaseDocument, kw_only=True):
    """A case with the expectations that are not met."""

    file: str
    passed: bool
    """True if every expectation is met."""
    checked: int
    """The number of expectations of the case; a case without expectations passes."""
    answered: bool = True
    """True if the engine could judge the case; brute force cannot judge large ones."""
    differences: Sequence[Unmet]
    errata: Sequence[Erratum] = ()
    erratum: Sequence[str]
    """The lines that explain why the source is wrong; empty if it is right."""


def check(sheet: Sheet, rulebook: Rulebook, engine: Engine | None = None) -> CheckedCase:
    """Judge a case and compare its outcome with all that its sheet expects: verdicts, units, centres and the winner."""
    wanted = Expectations((), (), orders=sheet.orders, retreats=sheet.retreats)
    wanted.automatic, wanted.automatic_lines, wanted.standing = sheet.automatic, sheet.automatic_lines, sheet.standing
    return _check(sheet, wanted, rulebook, engine)


def check_under(sheet: Sheet, engine: Engine | None = None, only_rulebook: Rulebook | None = None) -> Iterator[CheckedCase]:
    """Check each `under` block of a case with each of its rulebooks, or only with `only_rulebook`, and yield the results."""
    for block in sheet.under:
        for rulebook in iter_block_rulebooks(sheet, block):
            if only_rulebook in (None, rulebook):
                yield check_block(sheet, block, rulebook, engine)


def load_sheet_rulebook(sheet: Sheet) -> Rulebook:
    """Return the rulebook that a case names; an `InputError` for an unknown one names the line of the case."""
    with locate_errors(sheet.source_file, sheet.line):
        return load_preset(sheet.rules)


def iter_block_rulebooks(sheet: Sheet, block: Expectations) -> Iterator[Rulebook]:
    """Yield the rulebooks that an `under` block names, with its settings; an `InputError` for an unknown one names its line."""
    for name in block.rulebooks:
        with locate_errors(sheet.source_file, block.line):
            rulebook = load_preset(name).with_settings(block.settings)
        yield rulebook


def check_block(sheet: Sheet, block: Expectations, rulebook: Rulebook, engine: Engine | None = None) -> CheckedCase:
    """Judge a case by one rulebook of an `under` block, and compare the outcome with what the block and its sheet expect."""
    orders, retreats = (
        _overlay_verdicts(sheet.orders, block.orders, sheet),
        _overlay_verdicts(sheet.retreats, block.retreats, sheet),
    )
    wanted = replace(block, orders=orders, retreats=retreats)
    if not block.automatic:
        wanted.automatic, wanted.automatic_lines = sheet.automatic, sheet.automatic_lines
    return _check(sheet, wanted, rulebook, engine)


def _overlay_verdicts(lines: Sequence[SheetOrder], changes: Sequence[SheetOrder], sheet: Sheet) -> list[SheetOrder]:
    """Return the sheet's lines, each replaced by the line of `changes` for the same order; raise `SheetError` for others."""
    left = list(changes)
    result: list[SheetOrder] = []
    for line in lines:
        overlay = next((other for other in left if (other.power, other.order) == (line.power, line.order)), None)
        result.append(overlay or line)
        if overlay:
            left.remove(overlay)
    if left:
        message = f"{left[0].order} is not an order of this case; repeat one of its lines to change its verdict"
        raise SheetError(message, source=sheet.source_file, line=left[0].line)
    return result


def _check(sheet: Sheet, expectations: Expectations, rulebook: Rulebook, engine: Engine | None) -> CheckedCase:
    engine = engine or choose_usable_engine(Engine.FULL)  # `judge` uses the staged engine, so this gives a second opinion
    lines = [*expectations.orders, *expectations.retreats]
    checked = sum(line.expected is not None for line in lines) + len(expectations.automatic) + (sheet.afterwards is not None)
    checked += len(expectations.standing) + len(sheet.counts) + (sheet.winner is not None)
    if expectations.unresolved:
        checked = 1

    def case(differences: Sequence[Unmet], **more: Any) -> CheckedCase:  # noqa: ANN401
        about = {**case_origin(sheet, rulebook), "file": sheet.source_file, "erratum": sheet.notes.get("erratum", [])}
        return CheckedCase(**about, **more, passed=not differences, checked=checked, differences=differences)

    def make_case_without_verdicts(expected: str, actual: str, *, answered: bool = True) -> CheckedCase:
        """Return the result of a case of which only "resolved", "unresolved" or "answered" is compared, not the verdicts."""
        line = expectations.line if expectations.unresolved else sheet.line
        differs = checked and expected != actual
        return case((Unmet("", "the position", expected, actual, line),) if differs else (), answered=answered)

    judged = judge_case(sheet, rulebook, engine)
    outcome = judged.outcome
    if judged.unresolved_error:
        return make_case_without_verdicts(NoVerdict.UNRESOLVED if expectations.unresolved else "resolved", NoVerdict.UNRESOLVED)
    if outcome is None:  # the case fails, but other cases are still checked
        return make_case_without_verdicts("answered", f"not answered: {judged.error}", answered=False)
    if expectations.unresolved:
        return make_case_without_verdicts(NoVerdict.UNRESOLVED, "resolved")
    differences = [*_compare_verdicts(expectations.orders, outcome)]
    if judged.retreats:
        differences += _compare_verdicts(expectations.retreats, judged.retreats)
    elif isinstance(outcome, AdjustmentOutcome) and checked and (sheet.given is None or expectations.automatic):
        removed = list(chain.from_iterable(outcome.automatic.values()))
        differences += _compare_units(
            "automatic disband",
            expectations.automatic,
            removed,
            lambda power: _find_removal_line(sheet, expectations, power, removed),
        )
    if sheet.afterwards is not None:
        differences += _compare_afterwards(sheet.afterwards, outcome.units, sheet.line)
    theirs = (unit for unit in outcome.units if unit.power in expectations.standing)
    differences += _compare_afterwards(chain.from_iterable(expectations.standing.values()), theirs, sheet.line)
    differences += _compare_centers(sheet)
    errata = [Erratum(str(line.order), line.printed, line.expected) for line in lines if line.printed is not None]
    return case(tuple(differences), errata=errata)


def _compare_verdicts(lines: Sequence[SheetOrder], outcome: AnyOutcome) -> Iterator[Unmet]:
    """Yield a difference for each line whose order has another verdict than the line expects."""
    judged = {power: iter(given) for power, given in outcome.judged.items()}
    for line in lines:
        actual = next(judged[line.power]).verdict
        if line.expected is not None and not is_expected(actual, line.expected):
            yield Unmet(line.power, str(line.order), _parse_verdict(line.expected), actual, line.line)


def _parse_verdict(expected: str) -> Verdict | str:
    """Return the verdict that a text states, or the text itself if it states none, as in files of other programs."""
    try:
        return Verdict.read(expected)
    except ValueError:
        return expected


def _compare_units(
    subject: str, expected: Iterable[Unit], actual: Iterable[Unit], find_line: Callable[[Power], int]
) -> Iterator[Unmet]:
    """Yield a difference about `subject` for each power whose `actual` units differ from the `expected` ones."""
    wanted, present = by_power(expected), by_power(actual)
    for power in sorted({*wanted, *present}):
        texts, others = wanted.get(power, []), present.get(power, [])
        if sorted(texts) != sorted(others):
            yield Unmet(power, subject, ", ".join(texts) or "none", ", ".join(others) or "none", find_line(power))


def _compare_afterwards(expected: Iterable[Unit], actual: Iterable[Unit], line: int) -> Iterator[Unmet]:
    return _compare_units("units afterwards", sorted(expected, key=str), sorted(actual, key=str), lambda power: line)


def _compare_centers(sheet: Sheet) -> Iterator[Unmet]:
    """Yield differences from the sheet's numbers of centres on the board, one for each power, and from its winner."""
    board, lines = sheet.board, sheet.setting_lines
    for power, wanted in sheet.counts.items():
        if (found := counted_centers(board, power)) != wanted:
            yield Unmet(power, "centres that count", str(wanted), str(found), lines["counts"])
    if sheet.winner is not None and (winner := winner_of(board, sheet.victory) or "") != sheet.winner:
        yield Unmet("", "the winner", sheet.winner or "nobody", winner or "nobody", lines["winner"])


def _find_removal_line(sheet: Sheet, expectations: Expectations, power: Power, removed: Sequence[Unit]) -> int:
    """Return the line of a power's expected removal (rather one that did not happen), else of its heading, else of the case."""
    units = sorted((unit for unit in expectations.automatic if unit.power == power), key=lambda unit: unit in removed)
    return expectations.automatic_lines.get(units[0], sheet.line) if units else sheet.heading_lines.get(power, sheet.line)
