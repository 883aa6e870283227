"""Order sheets against the judge: which expectations hold, and which do not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from satjudge.adjustments import AdjustmentOutcome
from satjudge.board import by_power
from satjudge.geography import Power
from satjudge.judge import judge_phase
from satjudge.notation.sheets import Sheet, SheetOrder
from satjudge.outcome import Outcome
from satjudge.retreats import judge_retreats
from satjudge.rules import Rulebook
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
    lines = [*sheet.orders, *sheet.retreats]
    checked = sum(line.expected is not None for line in lines) + len(sheet.automatic)
    differences: list[Difference] = []
    outcome = judge_phase(sheet.board, sheet.orders_by_power(), rulebook=rulebook, engine=engine)
    _compare(sheet.orders, outcome.results, differences)
    if isinstance(outcome, Outcome) and sheet.retreats:
        retreats = judge_retreats(outcome.next_board, sheet.retreats_by_power())
        _compare(sheet.retreats, retreats.results, differences)
    elif isinstance(outcome, AdjustmentOutcome) and checked:
        differences += _compare_automatic(sheet, by_power(chain.from_iterable(outcome.automatic.values())))
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


def _compare_automatic(sheet: Sheet, found: Mapping[Power, Sequence[str]]) -> list[Difference]:
    expected: dict[Power, list[str]] = {}
    for unit in sheet.automatic:
        expected.setdefault(unit.power, []).append(str(unit))
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
