"""The retreat phase: plain functions, no equations (DATC 6.H)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from satjudge.board import Board, DislodgedUnit, Phase, Unit
from satjudge.geography import Location, Power, ProvinceCode, UnitKind, coast_of, province_of
from satjudge.orders import Disband, Order, Retreat


@dataclass(frozen=True)
class RetreatOutcome:
    """What became of a retreat phase: verdicts in the order given, why orders were illegal, and the units afterwards."""

    board: Board
    results: Mapping[Power, list[str]]
    reasons: Mapping[Power, list[str | None]]
    units: tuple[Unit, ...]

    @property
    def next_board(self) -> Board:
        """The position after the retreats."""
        return Board(self.units, (), self.board.centers, Phase.MOVEMENT, self.board.map)


@dataclass(slots=True)
class _Entry:
    order: Order
    province: ProvinceCode | None = None
    destination: Location | None = None
    reason: str | None = None


def judge_retreats(board: Board, orders: Mapping[Power, Sequence[Order]]) -> RetreatOutcome:
    """Carry out retreats: two units that retreat to one province are both disbanded (DATC 6.H.7), as are units without
    a legal order.
    """
    counted: dict[ProvinceCode, _Entry] = {}
    entries: dict[Power, list[_Entry]] = {}
    for power, handed_in in orders.items():
        entries[power] = [_enter(board, power, order, counted) for order in handed_in]
    targets = Counter(province_of(entry.destination) for entry in counted.values() if entry.destination)

    def verdict(entry: _Entry) -> str:
        if entry.reason is not None:
            return "illegal"
        return "fails" if entry.destination and targets[province_of(entry.destination)] > 1 else "succeeds"

    arrived = [
        replace(lost.unit, location=entry.destination)
        for lost in board.dislodged
        if (entry := counted.get(lost.unit.province)) and entry.destination and verdict(entry) == "succeeds"
    ]
    return RetreatOutcome(
        board,
        {power: [verdict(entry) for entry in given] for power, given in entries.items()},
        {power: [entry.reason for entry in given] for power, given in entries.items()},
        (*board.units, *arrived),
    )


def _enter(board: Board, power: Power, order: Order, counted: dict[ProvinceCode, _Entry]) -> _Entry:
    entry = _Entry(order)
    if not isinstance(order, Retreat | Disband):
        entry.reason = "only retreats and disbandments are ordered in a retreat phase (6.H.1, 6.H.3, 6.H.4)"
        return entry
    lost = next((lost for lost in board.dislodged if lost.unit.province == order.unit.province), None)
    if lost is None or lost.unit.power != power:
        entry.reason = f"{power} has no dislodged unit in {order.unit.province}"
        return entry
    entry.province = lost.unit.province
    if isinstance(order, Retreat):
        entry.destination, entry.reason = _destination(board, lost, order.destination)
    if entry.reason is None and entry.province in counted:
        entry.reason = f"{lost.unit} has a legal order already: {counted[entry.province].order} (4.D.3)"
    if entry.reason is None:
        counted[entry.province] = entry
    return entry


def _destination(board: Board, lost: DislodgedUnit, named: Location) -> tuple[Location | None, str | None]:
    """The location that the unit retreats to, or why it cannot; coasts are read as in a move (4.B.1 to 4.B.6)."""
    province = board.map.provinces.get(province_of(named))
    choices = [choice for choice in lost.retreats if province and province_of(choice) == province.code]
    if province and lost.unit.kind is UnitKind.FLEET and coast_of(named) in province.coasts:
        choices = [choice for choice in choices if choice == named]
    if len(choices) == 1:
        return choices[0], None
    if choices:
        return None, f"the coast must be named: {' or '.join(choices)} (4.B.1)"
    possible = ", ".join(lost.retreats) or "nowhere"
    return None, f"{lost.unit} cannot retreat to {named}; it can go to: {possible}"
