"""Order sheets against the judge: which expectations hold, and which do not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from satjudge.adjustments import AdjustmentOutcome
from satjudge.board import Unit, by_power
from satjudge.errors import InputError, SatjudgeError, SheetError, UnresolvedError
from satjudge.geography import Power
from satjudge.judge import judge_phase
from satjudge.notation.sheets import Expectations, Sheet, SheetOrder
from satjudge.outcome import Outcome
from satjudge.retreats import judge_retreats
from satjudge.rules import Rulebook, load_preset
from satjudge.seasons import counted_centers, winner_of
from satjudge.solve import Engine


@dataclass(frozen=True, slots=True)
class Difference:
    """An expectation that does not hold."""

    power: Power
    order: str
    expected: str
    found: str
    line: int


@dataclass(frozen=True, slots=True)
class CheckedCase:
    """A case with what the judge said of it. `checked` is how many expectations it has; with none it passes as well."""

    sheet: Sheet
    rulebook: Rulebook
    checked: int
    differences: tuple[Difference, ...]
    errata: tuple[SheetOrder, ...] = field(default=())
    answered: bool = True
    """False if the engine could not judge it, as brute force cannot where there are too many decisions."""

    @property
    def passed(self) -> bool:
        """Whether all is as expected."""
        return not self.differences


def check(sheet: Sheet, rulebook: Rulebook, engine: Engine = Engine.FULL) -> CheckedCase:
    """Judge a case and compare every verdict that its sheet expects, in the first phase and in the retreats."""
    return _check(
        sheet, _Expected(sheet.orders, sheet.retreats, sheet.automatic, sheet.automatic_lines, sheet.standing), rulebook, engine
    )


def check_under(sheet: Sheet, engine: Engine = Engine.FULL) -> Iterator[CheckedCase]:
    """Check the `under` blocks of a case: what is expected under other rulebooks and settings."""
    for block in sheet.under:
        for rulebook in rulebooks_of(sheet, block):
            yield check_block(sheet, block, rulebook, engine)


def rulebook_of(sheet: Sheet) -> Rulebook:
    """The rulebook that a case is to be judged by. Raises `InputError` with the place of the case."""
    try:
        return load_preset(sheet.rules)
    except InputError as error:
        raise error.at(source=sheet.source_file, line=sheet.line) from None


def rulebooks_of(sheet: Sheet, block: Expectations) -> Iterator[Rulebook]:
    """The rulebooks that an `under` block is about. Raises `InputError` with its place."""
    for name in block.rulebooks:
        try:
            yield load_preset(name).with_settings(block.settings)
        except InputError as error:
            raise error.at(source=sheet.source_file, line=block.line) from None


def check_block(sheet: Sheet, block: Expectations, rulebook: Rulebook, engine: Engine = Engine.FULL) -> CheckedCase:
    """Check one `under` block with one rulebook."""
    orders, retreats = _overlaid(sheet.orders, block.orders, sheet), _overlaid(sheet.retreats, block.retreats, sheet)
    removals = (block.automatic, block.automatic_lines) if block.automatic else (sheet.automatic, sheet.automatic_lines)
    expected = _Expected(orders, retreats, *removals, block.standing)
    if not block.unresolved:
        return _check(sheet, expected, rulebook, engine)
    try:
        judge_phase(sheet.board, sheet.orders_by_power(), rulebook=rulebook, engine=engine)
    except UnresolvedError:
        return CheckedCase(sheet, rulebook, 1, ())
    except InputError:
        raise
    except SatjudgeError as error:
        return _not_answered(sheet, rulebook, 1, error, block.line)
    return CheckedCase(sheet, rulebook, 1, (Difference("", "the position", "unresolved", "resolved", block.line),))


@dataclass(frozen=True, slots=True)
class _Expected:
    orders: Sequence[SheetOrder]
    retreats: Sequence[SheetOrder]
    automatic: Sequence[Unit]
    automatic_lines: Mapping[Unit, int]
    standing: Mapping[Power, Sequence[Unit]]


def _overlaid(lines: Sequence[SheetOrder], changed: Sequence[SheetOrder], sheet: Sheet) -> list[SheetOrder]:
    """The lines with the verdicts of a block in place of their own. An order without a verdict there expects nothing."""
    left = list(changed)
    result: list[SheetOrder] = []
    for line in lines:
        same = next((other for other in left if (other.power, other.order) == (line.power, line.order)), None)
        result.append(same or line)
        if same:
            left.remove(same)
    if left:
        message = f"{left[0].order} is no order of this case; repeat one of its lines to change its verdict"
        raise SheetError(message, source=sheet.source_file, line=left[0].line)
    return result


def _check(sheet: Sheet, expected: _Expected, rulebook: Rulebook, engine: Engine) -> CheckedCase:
    lines = [*expected.orders, *expected.retreats]
    checked = sum(line.expected is not None for line in lines) + len(expected.automatic) + (sheet.afterwards is not None)
    checked += len(expected.standing) + len(sheet.counts) + (sheet.winner is not None)
    differences: list[Difference] = []
    try:
        outcome = judge_phase(sheet.board, sheet.orders_by_power(), rulebook=rulebook, engine=engine)
    except UnresolvedError:
        silent = Difference("", "the position", "resolved", "unresolved", sheet.line)
        return CheckedCase(sheet, rulebook, checked, (silent,) if checked else ())
    except InputError:
        raise
    except SatjudgeError as error:
        return _not_answered(sheet, rulebook, checked, error, sheet.line)
    _compare(expected.orders, outcome.results, differences)
    if isinstance(outcome, Outcome) and expected.retreats:
        retreats = judge_retreats(outcome.retreat_board, sheet.retreats_by_power(), rulebook=rulebook)
        _compare(expected.retreats, retreats.results, differences)
    elif isinstance(outcome, AdjustmentOutcome) and checked:
        removed = list(chain.from_iterable(outcome.automatic.values()))
        differences += _compare_automatic(sheet, expected, removed)
    if sheet.afterwards is not None:
        differences += _compare_afterwards(by_power(sheet.afterwards), by_power(outcome.units), sheet.line)
    standing = by_power(outcome.units)
    for power, units in expected.standing.items():
        differences += _compare_afterwards({power: [*map(str, units)]}, {power: standing.get(power, [])}, sheet.line)
    differences += _compare_centers(sheet)
    errata = tuple(line for line in lines if line.printed is not None)
    return CheckedCase(sheet, rulebook, checked, tuple(differences), errata)


def _not_answered(sheet: Sheet, rulebook: Rulebook, checked: int, error: SatjudgeError, line: int) -> CheckedCase:
    """A case that the engine cannot judge: it fails, if it expects anything, and the others are checked all the same."""
    silent = Difference("", "the position", "answered", f"not answered: {error}", line)
    return CheckedCase(sheet, rulebook, checked, (silent,) if checked else (), answered=False)


def _compare(lines: Sequence[SheetOrder], results: Mapping[Power, Sequence[str]], differences: list[Difference]) -> None:
    given = {power: iter(verdicts) for power, verdicts in results.items()}
    for line in lines:
        found = next(given[line.power])
        if line.expected is not None and found != line.expected:
            differences.append(Difference(line.power, str(line.order), line.expected, found, line.line))


def _compare_afterwards(
    wanted: Mapping[Power, Sequence[str]], found: Mapping[Power, Sequence[str]], line: int
) -> Iterator[Difference]:
    """The powers whose units stand elsewhere after the phase than a file of another program says."""
    for power in sorted({*wanted, *found}):
        texts, others = sorted(wanted.get(power, ())), sorted(found.get(power, ()))
        if texts != others:
            yield Difference(power, "units afterwards", ", ".join(texts) or "none", ", ".join(others) or "none", line)


def _compare_centers(sheet: Sheet) -> Iterator[Difference]:
    """The powers for which other numbers of centres count than the sheet expects, and the winner if it is another."""
    board, lines = sheet.board, sheet.setting_lines
    for power, wanted in sheet.counts.items():
        if (found := counted_centers(board, power)) != wanted:
            yield Difference(power, "centres that count", str(wanted), str(found), lines["counts"])
    if sheet.winner is not None and (winner := winner_of(board, sheet.victory) or "") != sheet.winner:
        yield Difference("", "the winner", sheet.winner or "nobody", winner or "nobody", lines["winner"])


def _compare_automatic(sheet: Sheet, expected: _Expected, removed: Sequence[Unit]) -> Iterator[Difference]:
    """The powers of which civil disorder takes other units than those expected."""
    wanted, found = by_power(expected.automatic), by_power(removed)
    for power in sorted({*wanted, *found}):
        texts, others = wanted.get(power, []), found.get(power, [])
        if sorted(texts) != sorted(others):
            line = _line_of_removal(sheet, expected, power, removed)
            yield Difference(power, "automatic disband", ", ".join(texts) or "none", ", ".join(others) or "none", line)


def _line_of_removal(sheet: Sheet, expected: _Expected, power: Power, removed: Sequence[Unit]) -> int:
    """The line that expects another removal, or any of that power, or where the orders of the power begin."""
    units = sorted((unit for unit in expected.automatic if unit.power == power), key=lambda unit: unit in removed)
    headings = sheet.heading_lines
    return expected.automatic_lines.get(units[0], sheet.line) if units else headings.get(power, sheet.line)
