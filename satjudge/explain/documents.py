"""Defines the documents of `judge`, `resolutions` and `render`, and outcomes as batch lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import UNSET, UnsetType

from satjudge.judging.equations.logic import Strengths, compute_hold_strengths, compute_strengths
from satjudge.judging.equations.situation import Situation
from satjudge.judging.judge import AnyOutcome, Judgement
from satjudge.judging.outcome import Dislodgement
from satjudge.notation.documents import CaseDocument, Document, JudgedDocument, Problem, Rules, case_origin, document_origin
from satjudge.world.board import DislodgedUnit, Phase, by_power
from satjudge.world.geography import Power

if TYPE_CHECKING:
    from satjudge.explain.cores import ClassifiedCore
    from satjudge.judging import backup

LISTED = 1000
"""The largest number of resolutions that a document lists."""
OfPower = dict[str, list[str]]
"""The units, orders or verdicts of each power."""


# ---- judge, batch ----


class Ruling(Document):
    """A backup rule applied to a core."""

    rule: str
    core: list[str]


class PhaseResult(Document, kw_only=True):
    """An outcome in the batch format (docs/reference/batch.md); each phase has some of these keys."""

    results: OfPower | UnsetType = UNSET
    dislodged: dict[str, OfPower] | UnsetType = UNSET
    """Each power's dislodged units with their possible retreats."""
    units: OfPower | UnsetType = UNSET
    """The units afterwards."""
    resolutions: int | UnsetType = UNSET
    complete: bool | UnsetType = UNSET
    """True if all resolutions were counted."""
    rulings: list[Ruling] | UnsetType = UNSET
    automatic: OfPower | UnsetType = UNSET
    """The units that civil disorder removes."""


def make_phase_fields(outcome: AnyOutcome, power_names: Mapping[Power, str] | None = None) -> dict[str, Any]:
    """Return the fields of `PhaseResult` for an outcome, by name; `power_names` replaces the power names."""
    names = power_names or {}
    found: dict[str, Any] = {"results": {power: verdicts for power, verdicts in outcome.results.items() if verdicts}}
    if outcome.phase is Phase.MOVEMENT:
        found["dislodged"] = list_retreats(outcome.dislodgements.values())
    found["units"] = by_power(outcome.units)
    if outcome.phase is Phase.ADJUSTMENT:
        found["automatic"] = {power: [str(unit) for unit in units] for power, units in outcome.automatic.items()}
    if names:
        found = {key: {names.get(power, power): value for power, value in entries.items()} for key, entries in found.items()}
    if outcome.phase is Phase.MOVEMENT:
        adjudication = outcome.adjudication
        found["resolutions"] = adjudication.resolutions.count
        found["complete"] = adjudication.resolutions.complete
        found["rulings"] = [Ruling(ruling.rule, [str(decision) for decision in ruling.core]) for ruling in adjudication.rulings]
    return found


def list_retreats(dislodged: Iterable[DislodgedUnit | Dislodgement]) -> dict[str, OfPower]:
    """Map each power to its dislodged units, and each of these to the places to which it may retreat."""
    found: dict[str, OfPower] = {}
    for entry in dislodged:
        found.setdefault(entry.unit.power, {})[str(entry.unit)] = list(entry.retreats)
    return found


def make_batch_answer(outcome: AnyOutcome, identity: object, power_names: Mapping[Power, str] | None = None) -> dict[str, Any]:
    """Return an outcome as the data of a batch line with this ID; `power_names` replaces the power names."""
    line = {"id": identity, **make_phase_fields(outcome, power_names)}
    if rulings := line.get("rulings"):
        line["rulings"] = msgspec.to_builtins(rulings)
    return line


class BatchAnswer(PhaseResult, kw_only=True):
    """A line of the output of `satjudge batch`."""

    id: Any
    error: Problem | UnsetType = UNSET


class Retreats(PhaseResult, kw_only=True):
    """The outcome of the retreats after a movement phase."""

    id: None = None


class JudgedCase(PhaseResult, kw_only=True):
    """One case of `satjudge judge --json`, which has no results if the rulebook or the engine has no answer."""

    satjudge: str
    rulebook: Rules
    phase: str
    title: str
    id: str | None
    retreats: Retreats | UnsetType = UNSET
    unresolved: str | UnsetType = UNSET
    """The reason why the rulebook has no answer."""
    unanswered: str | UnsetType = UNSET
    """The reason why the engine has no answer."""


class Judged(Document):
    """The document that `satjudge judge --json` writes."""

    engine: str
    cases: list[JudgedCase]


def make_judged_case(judged: Judgement) -> JudgedCase:
    """Make the document of a judged case: its results, or the reason why there is no answer."""
    about = {**case_origin(judged.sheet, judged.rulebook), "phase": str(judged.sheet.phase)}
    if judged.outcome is None:
        about["unresolved" if judged.unresolved_error else "unanswered"] = str(judged.error)
        return JudgedCase(**about)
    retreats = Retreats(**make_phase_fields(judged.retreats)) if judged.retreats else UNSET
    return JudgedCase(**about, **make_phase_fields(judged.outcome), retreats=retreats)


# ---- resolutions ----


class Resolution(Document, kw_only=True):
    """One resolution: the value of every decision, the strengths of every move, and every province's hold strength."""

    decisions: dict[str, bool]
    strengths: dict[str, Strengths]
    hold: dict[str, int]


class ResolutionLine(Resolution, kw_only=True):
    """A line of `satjudge resolutions --jsonl`."""

    satjudge: str
    rulebook: Rules
    id: str | None
    resolution: int
    """The number of the resolution, from 1."""


class CoreFound(Document):
    """A core: its decisions, its name, and its own resolutions."""

    decisions: list[str]
    kind: str
    name: str
    order: int
    shape: str
    resolutions: list[dict[str, bool]]


class Settlement(Ruling):
    """A backup rule applied to a core, with the number of its resolutions and the decisions that the rule settled."""

    name: str
    """The name of the rule for readers."""
    resolutions: int
    settled: dict[str, bool]


class ResolvedCase(CaseDocument, kw_only=True):
    """One case of `satjudge resolutions --json`."""

    engine: str
    count: int
    complete: bool
    resolutions: list[Resolution]
    cores: list[CoreFound]
    rulings: list[Settlement]
    ruled: Resolution | None
    """The resolution that the rulebook chooses or constructs."""
    unresolved: str | None
    """The reason why the rulebook has no answer."""


def make_resolved_case(case: Judgement) -> ResolvedCase:
    """Make the document of a case: its first consistent resolutions, its cores and the rulebook's adjudication."""
    from satjudge.explain.cores import classify_case

    found, adjudication = case.resolutions, case.adjudication
    situation = found.situation
    return ResolvedCase(
        **case_origin(case.sheet, case.rulebook),
        engine=case.engine,
        count=found.count,
        complete=found.complete,
        resolutions=[Resolution(**_make_resolution(situation, values)) for values in found.list_first(LISTED)],
        cores=[*map(_make_core, classify_case(case))],
        rulings=[make_settlement(ruling, situation) for ruling in (adjudication.rulings if adjudication else ())],
        ruled=Resolution(**_make_resolution(situation, adjudication.values)) if adjudication else None,
        unresolved=str(case.unresolved_error) if case.unresolved_error else None,
    )


def make_settlement(ruling: backup.Ruling, situation: Situation) -> Settlement:
    """Make the document of an applied backup rule, with the core's number of resolutions and the decisions settled."""
    from satjudge.explain.words.reason_text import format_rule_names

    settled = {str(situation.decisions[index]): value for index, value in ruling.settled.items()}
    return Settlement(ruling.rule, [*map(str, ruling.core)], format_rule_names(ruling.rule), ruling.resolutions, settled)


def iter_resolution_lines(case: Judgement) -> Iterator[ResolutionLine]:
    """Yield a document for each consistent resolution of a case, with numbers from 1."""
    about = {**document_origin(case.rulebook), "id": case.sheet.identity or None}
    for number, values in enumerate(case.resolutions, start=1):
        yield ResolutionLine(**about, resolution=number, **_make_resolution(case.resolutions.situation, values))


def _make_resolution(situation: Situation, values: Sequence[bool]) -> dict[str, Any]:
    return {
        "decisions": {str(decision): values[decision.index] for decision in situation.decisions},
        "strengths": {str(move): compute_strengths(move, values) for move in situation.moves},
        "hold": compute_hold_strengths(situation, values),
    }


def _make_core(core: ClassifiedCore) -> CoreFound:
    names = [str(decision) for decision in core.core.decisions]
    several = [dict(zip(names, values, strict=True)) for values in core.core.resolutions]
    return CoreFound(names, core.kind, core.name, core.order, core.shape, several)


# ---- render ----


class Drawn(JudgedDocument, kw_only=True):
    """The document that `satjudge render --json` writes: the file, and a description of the picture."""

    engine: str
    id: str | None
    file: str
    notes: list[str]
    text: list[str]
