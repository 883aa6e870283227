"""Writes the findings of `explain` as lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from satjudge.explain.changes import Change, LostUnit, OwnedUnit, Pivot
from satjudge.explain.contradictions import Contradiction, WhyNot
from satjudge.explain.explanation import Explanation, Reason
from satjudge.world.geography import Map


def explanation_lines(found: Sequence[Explanation], game_map: Map) -> Iterator[str]:
    """Write explanations power by power, a line for each reason, with what a reason takes for granted indented below it."""
    power = None
    for entry in found:
        if entry.power != power:
            power = entry.power
            yield f"{game_map.name_of(power)}:"
        yield f"  {entry.order}  {entry.head}"
        yield from [line for reason in entry.reasons for line in _reason_lines(reason, 2)][1:]


def why_lines(orders: Sequence[Explanation], retreats: Sequence[Explanation], game_map: Map) -> Iterator[str]:
    """Write explanations of the orders of a phase, and below them those of the retreats that follow."""
    yield from explanation_lines(orders, game_map)
    if retreats:
        yield "Retreats"
        yield from explanation_lines(retreats, game_map)


def _reason_lines(reason: Reason, depth: int) -> Iterator[str]:
    yield f"{'  ' * depth}{reason}"
    for below in reason.because:
        yield from _reason_lines(below, depth + 1)


def why_not_lines(answers: Iterable[WhyNot], cores: Iterable[Contradiction]) -> Iterator[str]:
    """Write whether orders could have had their way, and why cores have no resolution, step by step."""
    for answer in answers:
        yield from (answer.wish, *(f"  {step}" for step in answer.steps))
    for core in cores:
        yield from (f"The core {'; '.join(core.core)} has no resolution", *(f"  {step}" for step in core.steps))


def change_lines(change: Change, game_map: Map) -> Iterator[str]:
    """Write the verdicts, units and dislodgements that other orders change, and the explanation of an order asked about."""
    if not change.verdicts:
        yield "Nothing changes."
    for entry in change.verdicts:
        before, after = entry.before or "not ordered", entry.after or "left out"
        yield f"  {game_map.name_of(entry.power)}  {entry.order}: {before} -> {after}"
    yield from _outcome_lines(change, game_map)
    if change.order:
        yield from ("Then", *explanation_lines([change.order], game_map))


def _outcome_lines(change: Change, game_map: Map) -> Iterator[str]:
    lost = change.dislodgements
    lost_before, lost_after = ({_owned(entry, game_map) for entry in side} for side in (lost.before, lost.after))
    yield from (f"  no longer there: {_owned(unit, game_map)}" for unit in change.positions.before)
    yield from (f"  now there: {_owned(unit, game_map)}" for unit in change.positions.after)
    yield from (f"  no longer: {_fate(entry, game_map)}" for entry in lost.before if _owned(entry, game_map) not in lost_after)
    for entry in lost.after:
        yield f"  {'still' if _owned(entry, game_map) in lost_before else 'now'}: {_fate(entry, game_map)}"


def _owned(entry: OwnedUnit, game_map: Map) -> str:
    return f"{entry.unit} of {game_map.name_of(entry.power)}"


def _fate(entry: LostUnit, game_map: Map) -> str:
    fate = f"dislodged (may retreat to {', '.join(entry.retreats)})" if entry.retreats else "destroyed"
    return f"{_owned(entry, game_map)} {fate}"


def pivotal_lines(found: Iterable[Pivot], game_map: Map) -> Iterator[str]:
    """Write the orders on which the outcome hangs, each with the changes that leaving it out makes."""
    pivots = list(found)
    for pivot in pivots:
        yield f"Without {pivot.order} of {game_map.name_of(pivot.power)}"
        yield from _outcome_lines(pivot.change, game_map) if pivot.change else ["  the rulebook has no answer"]
    if not pivots:
        yield "No order is pivotal."
