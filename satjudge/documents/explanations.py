"""What `explain` finds: why verdicts are what they are, why not others, and what would change them."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec import UNSET, UnsetType

from satjudge.board import Unit
from satjudge.documents import Made
from satjudge.equations.printing import name
from satjudge.explain import Change, Contradiction, CoreAccount, Dislodged, Explanation, Pivot, Reason, Strength, WhyNot
from satjudge.geography import Power
from satjudge.outcome import Outcome
from satjudge.verdicts import Verdict


class Blamed(msgspec.Struct):
    """An order that is to blame, or a unit that just stands there."""

    power: str
    order: str


class ReasonTold(msgspec.Struct):
    """One sentence of an explanation, with the rules, the orders and the numbers that it rests on."""

    text: str
    rules: tuple[str, ...]
    culprits: list[Blamed]
    strengths: tuple[Strength, ...]
    because: list[ReasonTold]
    """Why that holds which it takes for granted."""


class Explained(msgspec.Struct):
    """Why the verdict on one order is what it is."""

    power: str
    order: str
    verdict: str
    text: str
    rules: tuple[str, ...]
    culprits: list[Blamed]
    reasons: list[ReasonTold]
    core: CoreAccount | None


class Refused(msgspec.Struct):
    """Whether an order could have had its way: a resolution in which it has, or what forbids it."""

    power: str
    order: str
    wish: str
    possible: bool
    resolution: dict[str, bool] | None
    forbidding: list[str]
    steps: tuple[str, ...]


class Contradicted(msgspec.Struct):
    """Why a core has no resolution."""

    core: list[str]
    equations: list[str]
    steps: tuple[str, ...]


class OwnedUnit(msgspec.Struct):
    """A unit with its power."""

    power: str
    unit: str


class DislodgedUnit(OwnedUnit):
    """A dislodged unit, and where it may retreat to."""

    retreats: tuple[str, ...]


class ChangedVerdict(msgspec.Struct):
    """An order with another verdict; None where it was not ordered, or is left out."""

    power: str
    order: str
    before: str | None
    after: str | None


class BeforeAndAfter(msgspec.Struct):
    """The units that stand in only one of two positions."""

    before: list[OwnedUnit]
    after: list[OwnedUnit]


class Dislodgements(msgspec.Struct):
    """The dislodgements that are in only one of two outcomes."""

    before: list[DislodgedUnit]
    after: list[DislodgedUnit]


class Changed(msgspec.Struct):
    """What is not the same with other orders."""

    outcome_differs: bool
    verdicts: list[ChangedVerdict]
    positions: BeforeAndAfter
    dislodgements: Dislodgements
    order: Explained | UnsetType = UNSET
    """Why, with these other orders, if one was asked about."""


class Pivotal(msgspec.Struct):
    """An order that changes positions or dislodgements if it is left out; None where the rulebook then has no answer."""

    power: str
    order: str
    change: Changed | None


class ExplainedCase(Made, kw_only=True):
    """One case of `satjudge explain --json`, with the answers to what was asked."""

    engine: str
    id: str | None
    title: str
    orders: list[Explained] | UnsetType = UNSET
    retreats: list[Explained] | UnsetType = UNSET
    why_not: list[Refused] | UnsetType = UNSET
    no_resolution: list[Contradicted] | UnsetType = UNSET
    change: Changed | UnsetType = UNSET
    pivotal: list[Pivotal] | UnsetType = UNSET


class ExplainedCases(msgspec.Struct):
    """What `satjudge explain --json` writes."""

    cases: list[ExplainedCase]


def explained(entry: Explanation) -> Explained:
    """An explanation as plain data."""
    reasons = [_reason(reason) for reason in entry.reasons]
    verdict, culprits = str(entry.verdict), _blamed(entry.culprits)
    return Explained(entry.power, entry.order, verdict, entry.text, entry.rules, culprits, reasons, entry.core)


def _reason(reason: Reason) -> ReasonTold:
    because = [_reason(below) for below in reason.nested]
    return ReasonTold(reason.text, reason.rules, _blamed(reason.culprits), reason.strengths, because)


def _blamed(culprits: Iterable[tuple[Power, str]]) -> list[Blamed]:
    return [Blamed(power, order) for power, order in culprits]


def refused(answer: WhyNot, outcome: Outcome) -> Refused:
    """The answer to "why not?" as plain data."""
    values = answer.resolution
    decisions = outcome.adjudication.situation.decisions
    resolution = {str(decision): values[decision.index] for decision in decisions} if values else None
    forbidding = [name(decision) for decision in answer.forbidding]
    return Refused(answer.power, answer.order, answer.wish, answer.possible, resolution, forbidding, answer.steps)


def contradicted(found: Contradiction) -> Contradicted:
    """Why a core has no resolution, as plain data."""
    core = [str(decision) for decision in found.core.decisions]
    return Contradicted(core, [name(decision) for decision in found.equations], found.steps)


def changed(change: Change, order: Explanation | None = None) -> Changed:
    """What other orders change, as plain data; and why one then comes out as it does."""
    verdicts = [ChangedVerdict(one.power, one.order, _words(one.before), _words(one.after)) for one in change.verdicts]
    positions = BeforeAndAfter(*map(_units, change.positions))
    dislodgements = Dislodgements(*map(_dislodged, change.dislodgements))
    asked = explained(order) if order else UNSET
    return Changed(change.outcome_differs, verdicts, positions, dislodgements, asked)


def _words(verdict: Verdict | None) -> str | None:
    return None if verdict is None else str(verdict)


def _units(units: Iterable[Unit]) -> list[OwnedUnit]:
    return [OwnedUnit(unit.power, str(unit)) for unit in units]


def _dislodged(lost: Iterable[Dislodged]) -> list[DislodgedUnit]:
    return [DislodgedUnit(entry.unit.power, str(entry.unit), entry.retreats) for entry in lost]


def pivotal(pivot: Pivot) -> Pivotal:
    """An order on which the outcome hangs, as plain data."""
    return Pivotal(pivot.power, pivot.order, changed(pivot.change) if pivot.change else None)
