"""Explanations as lines of text: reasons, why not, and what other orders would change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from satjudge.board import Unit
from satjudge.explain import Change, Contradiction, Dislodged, Explanation, Pivot, Reason, WhyNot
from satjudge.geography import Map


def explanation_lines(found: Sequence[Explanation], game_map: Map) -> Iterator[str]:
    """Explanations power by power, a line for each reason, those for what it takes for granted farther right."""
    power = None
    for entry in found:
        if entry.power != power:
            power = entry.power
            yield f"{game_map.name_of(power)}:"
        _, *rest = [line for reason in entry.reasons for line in _reason_lines(reason, 2)]
        yield f"  {entry.order}  {entry.head}"
        yield from rest


def why_lines(orders: Sequence[Explanation], retreats: Sequence[Explanation], game_map: Map) -> Iterator[str]:
    """Explanations of the orders of a phase, and below them of the retreats that follow."""
    yield from explanation_lines(orders, game_map)
    if retreats:
        yield "Retreats"
        yield from explanation_lines(retreats, game_map)


def _reason_lines(reason: Reason, depth: int) -> Iterator[str]:
    yield f"{'  ' * depth}{reason}"
    for below in reason.nested:
        yield from _reason_lines(below, depth + 1)


def why_not_lines(answers: Iterable[WhyNot], cores: Iterable[Contradiction]) -> Iterator[str]:
    """Whether orders could have had their way, and why cores have no resolution, step by step."""
    for answer in answers:
        yield from (answer.wish, *(f"  {step}" for step in answer.steps))
    for core in cores:
        orders = "; ".join(str(decision) for decision in core.core.decisions)
        yield from (f"The core {orders} has no resolution", *(f"  {step}" for step in core.steps))


def change_lines(change: Change, game_map: Map, then: Explanation | None = None) -> Iterator[str]:
    """The verdicts, units and dislodgements that other orders change, and why an order comes out as it does `then`."""
    if not change.verdicts:
        yield "Nothing changes."
    for entry in change.verdicts:
        before, after = entry.before or "not ordered", entry.after or "left out"
        yield f"  {game_map.name_of(entry.power)}  {entry.order}: {before} -> {after}"
    yield from _outcome_lines(change)
    if then is not None:
        yield from ("Then", *explanation_lines([then], game_map))


def _outcome_lines(change: Change) -> Iterator[str]:
    game_map = change.before.board.map
    gone, come = change.positions
    yield from (f"  no longer there: {_unit_line(entry, game_map)}" for entry in gone)
    yield from (f"  now there: {_unit_line(entry, game_map)}" for entry in come)
    before, after = change.dislodgements
    both = {entry.unit for entry in before} & {entry.unit for entry in after}
    yield from (f"  no longer: {_unit_line(entry, game_map)}" for entry in before if entry.unit not in both)
    for entry in after:
        still = "still" if entry.unit in both else "now"
        yield f"  {still}: {_unit_line(entry, game_map)}"


def _unit_line(entry: Unit | Dislodged, game_map: Map) -> str:
    if isinstance(entry, Unit):
        return f"{entry} of {game_map.name_of(entry.power)}"
    fate = f"dislodged (may retreat to {', '.join(entry.retreats)})" if entry.retreats else "destroyed"
    return f"{entry.unit} of {game_map.name_of(entry.unit.power)} {fate}"


def pivotal_lines(found: Iterable[Pivot], game_map: Map) -> Iterator[str]:
    """The orders on which the outcome hangs, each with what changes without it."""
    none = True
    for pivot in found:
        none = False
        yield f"Without {pivot.order} of {game_map.name_of(pivot.power)}"
        if pivot.change is None:
            yield "  the rulebook has no answer"
        else:
            yield from _outcome_lines(pivot.change)
    if none:
        yield "No order is pivotal."
