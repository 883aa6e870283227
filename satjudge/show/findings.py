"""Writes the findings of `explain` as lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from satjudge.explain.changes import Change, LostUnit, OwnedUnit, Pivot
from satjudge.explain.counterfactuals import format_lines
from satjudge.explain.explanation import Explanation, Reason
from satjudge.world.geography import Map, province_of

if TYPE_CHECKING:
    from satjudge.files.documents import ExplainedCase


def iter_explanation_lines(explanations: Sequence[Explanation], game_map: Map) -> Iterator[str]:
    """Yield explanations as lines, grouped by power: each order with its verdict, and below it an indented tree of reasons."""
    power = None
    for entry in explanations:
        if entry.power != power:
            power = entry.power
            yield f"{game_map.name_of(power)}:"
        yield f"  {entry.order}  {entry.head}"
        yield from [line for reason in entry.reasons for line in _iter_reason_lines(reason, 2)][1:]


def iter_case_lines(case: ExplainedCase, game_map: Map) -> Iterator[str]:
    """Yield all results of `explain` for a case as lines: explanations, answers to questions, changes and pivotal orders."""
    yield from iter_explanation_lines(case.orders or (), game_map)
    if case.retreats:
        yield from ("Retreats", *iter_explanation_lines(case.retreats, game_map))
    for answer in case.why_not or ():
        yield from (answer.wish, *(f"  {step}" for step in answer.steps))
    for core in case.no_resolution or ():
        yield from (f"The core {'; '.join(core.core)} has no resolution", *(f"  {step}" for step in core.steps))
    if any(not answer.possible for answer in case.why_not or ()):
        yield "To see which other orders would change this, use --what-would-change."
    if case.what_would_change:
        yield from format_lines(case.what_would_change, game_map.name_of)
    if case.change:
        yield from _iter_change_lines(case.change, game_map)
    for pivot in case.pivotal or ():
        yield f"Without {pivot.order} of {game_map.name_of(pivot.power)}"
        yield from _iter_pivot_lines(pivot, game_map)
    if case.pivotal == []:
        affected = f"the verdict on {case.pivotal_for}" if case.pivotal_for else "where units end up"
        yield f"No single order, if it is left out, changes {affected}."


def _iter_pivot_lines(pivot: Pivot, game_map: Map) -> Iterator[str]:
    """Yield lines on what changes without a pivotal order: the verdict asked about, or else units; or that no answer exists."""
    if not pivot.change:
        yield "  the rulebook has no answer"
    elif pivot.change.order:
        yield f"  {pivot.change.order.order}  {pivot.change.order.head}"
    else:
        yield from _iter_outcome_lines(pivot.change, game_map)


def _iter_reason_lines(reason: Reason, depth: int) -> Iterator[str]:
    yield f"{'  ' * depth}{reason}"
    for below in reason.because:
        yield from _iter_reason_lines(below, depth + 1)


def _iter_change_lines(change: Change, game_map: Map) -> Iterator[str]:
    """Yield lines on the verdicts, units and dislodgements that change, and an explanation of the order asked about, if any."""
    if not change.verdicts:
        yield "Nothing changes."
    given = {(entry.power, _find_unit(entry.order)): entry for entry in change.verdicts if not entry.before}
    for entry in change.verdicts:
        power_name, unit = game_map.name_of(entry.power), (entry.power, _find_unit(entry.order))
        if not entry.after and unit in given:
            instead = given.pop(unit)
            yield f"  {power_name}  {entry.order}: {entry.before} -> {instead.order}: {instead.after}"
        elif entry.before or unit in given:
            yield f"  {power_name}  {entry.order}: {entry.before or 'not ordered'} -> {entry.after or 'left out'}"
    yield from (f"  {note}" for note in change.notes)
    yield from _iter_outcome_lines(change, game_map)
    if change.order:
        yield from ("Then", *iter_explanation_lines([change.order], game_map))


def _find_unit(order: str) -> str:
    """Return the province of the unit that an order's text names first; for a text of one word, that word."""
    return province_of(order.split()[1] if len(order.split()) > 1 else order)


def _iter_outcome_lines(change: Change, game_map: Map) -> Iterator[str]:
    lost = change.dislodgements
    lost_before, lost_after = ({_format_owned_unit(entry, game_map) for entry in side} for side in (lost.before, lost.after))
    yield from (f"  no longer there: {_format_owned_unit(unit, game_map)}" for unit in change.positions.before)
    yield from (f"  now there: {_format_owned_unit(unit, game_map)}" for unit in change.positions.after)
    yield from (
        f"  no longer: {_format_fate(entry, game_map)}"
        for entry in lost.before
        if _format_owned_unit(entry, game_map) not in lost_after
    )
    for entry in lost.after:
        yield f"  {'still' if _format_owned_unit(entry, game_map) in lost_before else 'now'}: {_format_fate(entry, game_map)}"


def _format_owned_unit(entry: OwnedUnit, game_map: Map) -> str:
    return f"{entry.unit} of {game_map.name_of(entry.power)}"


def _format_fate(entry: LostUnit, game_map: Map) -> str:
    fate = f"dislodged (may retreat to {', '.join(entry.retreats)})" if entry.retreats else "destroyed"
    return f"{_format_owned_unit(entry, game_map)} {fate}"
