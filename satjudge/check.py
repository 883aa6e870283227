"""Order sheets against the judge: which expectations hold, and which do not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from satjudge.adjustments import AdjustmentOutcome
from satjudge.board import Unit, by_power
from satjudge.errors import SheetError, UnresolvedError
from satjudge.geography import Power
from satjudge.judge import judge_phase
from satjudge.notation.sheets import Expectations, Sheet, SheetOrder
from satjudge.outcome import Outcome
from satjudge.retreats import judge_retreats
from satjudge.rules import Rulebook, load_rulebook
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

    @property
    def passed(self) -> bool:
        """Whether all is as expected."""
        return not self.differences


def check(sheet: Sheet, rulebook: Rulebook, engine: Engine = Engine.FULL) -> CheckedCase:
    """Judge a case and compare every verdict that its sheet expects, in the first phase and in the retreats."""
    return _check(sheet, _Expected(sheet.orders, sheet.retreats, sheet.automatic), rulebook, engine)


def check_under(sheet: Sheet, engine: Engine = Engine.FULL) -> Iterator[CheckedCase]:
    """Check the `under` blocks of a case: what is expected under other rulebooks and settings."""
    for block in sheet.under:
        for name in block.rulebooks:
            yield check_block(sheet, block, load_rulebook(name).with_settings(block.settings), engine)


def check_block(sheet: Sheet, block: Expectations, rulebook: Rulebook, engine: Engine = Engine.FULL) -> CheckedCase:
    """Check one `under` block with one rulebook."""
    orders, retreats = _overlaid(sheet.orders, block.orders, sheet), _overlaid(sheet.retreats, block.retreats, sheet)
    expected = _Expected(orders, retreats, block.automatic or sheet.automatic)
    if not block.unresolved:
        return _check(sheet, expected, rulebook, engine)
    try:
        judge_phase(sheet.board, sheet.orders_by_power(), rulebook=rulebook, engine=engine)
    except UnresolvedError:
        return CheckedCase(sheet, rulebook, 1, ())
    return CheckedCase(sheet, rulebook, 1, (Difference("", "the position", "unresolved", "resolved", block.line),))


@dataclass(frozen=True, slots=True)
class _Expected:
    orders: Sequence[SheetOrder]
    retreats: Sequence[SheetOrder]
    automatic: Sequence[Unit]


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
    checked = sum(line.expected is not None for line in lines) + len(expected.automatic)
    differences: list[Difference] = []
    try:
        outcome = judge_phase(sheet.board, sheet.orders_by_power(), rulebook=rulebook, engine=engine)
    except UnresolvedError:
        silent = Difference("", "the position", "resolved", "unresolved", sheet.line)
        return CheckedCase(sheet, rulebook, checked, (silent,) if checked else ())
    _compare(expected.orders, outcome.results, differences)
    if isinstance(outcome, Outcome) and expected.retreats:
        retreats = judge_retreats(outcome.next_board, sheet.retreats_by_power(), rulebook=rulebook)
        _compare(expected.retreats, retreats.results, differences)
    elif isinstance(outcome, AdjustmentOutcome) and checked:
        removed = by_power(chain.from_iterable(outcome.automatic.values()))
        differences += _compare_automatic(sheet, by_power(expected.automatic), removed)
    errata = tuple(line for line in lines if line.printed is not None)
    return CheckedCase(sheet, rulebook, checked, tuple(differences), errata)


def _compare(
    lines: Sequence[SheetOrder], results: Mapping[Power, Sequence[str]], differences: list[Difference]
) -> None:
    given = {power: iter(verdicts) for power, verdicts in results.items()}
    for line in lines:
        found = next(given[line.power])
        if line.expected is not None and found != line.expected:
            differences.append(Difference(line.power, str(line.order), line.expected, found, line.line))


def _compare_automatic(
    sheet: Sheet, expected: Mapping[Power, Sequence[str]], found: Mapping[Power, Sequence[str]]
) -> list[Difference]:
    return [
        Difference(
            power,
            "automatic disband",
            ", ".join(expected.get(power, ["none"])),
            ", ".join(found.get(power, ["none"])),
            sheet.line,
        )
        for power in sorted({*expected, *found})
        if sorted(expected.get(power, ())) != sorted(found.get(power, ()))
    ]
