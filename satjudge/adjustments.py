"""The adjustment phase: builds, removals and civil disorder (DATC 6.I, 6.J); and who owns which centre after Fall."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf

from satjudge.board import Board, Phase, Unit
from satjudge.geography import Location, Map, Power, ProvinceCode, Terrain, UnitKind, province_of
from satjudge.orders import Build, Decline, Order, Remove


@dataclass(frozen=True)
class AdjustmentOutcome:
    """What became of an adjustment phase: verdicts in the order given, why orders were illegal, removals by civil
    disorder, and the units afterwards.
    """

    board: Board
    results: Mapping[Power, list[str]]
    reasons: Mapping[Power, list[str | None]]
    automatic: Mapping[Power, tuple[Unit, ...]]
    units: tuple[Unit, ...]

    @property
    def next_board(self) -> Board:
        """The position in which the next year begins."""
        return Board(self.units, (), self.board.centers, Phase.MOVEMENT, self.board.map)


@dataclass(slots=True)
class _Account:
    """What one power has done so far in this phase."""

    board: Board
    power: Power
    surplus: int
    """Centres less units at the start: builds if positive, removals if negative."""
    built: list[Unit] = field(default_factory=list)
    declined: int = 0
    removed: list[Unit] = field(default_factory=list)


def judge_adjustments(board: Board, orders: Mapping[Power, Sequence[Order]]) -> AdjustmentOutcome:
    """Carry out builds and removals in the order given; too many are illegal (4.D.4, 4.D.6).

    A power that orders too few removals loses the units that civil disorder takes (4.D.8).
    """
    centers, units = Counter(board.centers.values()), Counter(unit.power for unit in board.units)
    accounts = {
        power: _Account(board, power, centers[power] - units[power]) for power in dict.fromkeys((*orders, *units))
    }
    reasons = {power: [_carry_out(accounts[power], order) for order in given] for power, given in orders.items()}
    automatic = {power: removed for power, account in accounts.items() if (removed := _civil_disorder(account))}
    gone = {unit.province for account in accounts.values() for unit in account.removed}
    gone.update(unit.province for removed in automatic.values() for unit in removed)
    built = tuple(unit for account in accounts.values() for unit in account.built)
    return AdjustmentOutcome(
        board,
        {power: ["illegal" if reason else "succeeds" for reason in given] for power, given in reasons.items()},
        reasons,
        automatic,
        (*(unit for unit in board.units if unit.province not in gone), *built),
    )


def _carry_out(account: _Account, order: Order) -> str | None:
    """Carry out one order, or say why it is illegal."""
    match order:
        case Build():
            return _build(account, order)
        case Remove():
            return _remove(account, order)
        case Decline():
            if (reason := _no_build_left(account)) is None:
                account.declined += 1
            return reason
        case _:
            return "only builds and removals are ordered in an adjustment phase"


def _no_build_left(account: _Account) -> str | None:
    if account.surplus <= 0:
        return f"{account.power} has nothing to build"
    if len(account.built) + account.declined >= account.surplus:
        return f"{account.power} may build {account.surplus}, no more (4.D.4)"
    return None


def _build(account: _Account, order: Build) -> str | None:
    board, power = account.board, account.power
    province = board.map.provinces[order.unit.province]
    if reason := _no_build_left(account):
        return reason
    if province.home != power or not province.center:
        return f"{province.name} is no home supply centre of {power} (6.I.6)"
    if board.centers.get(province.code) != power:
        return f"{power} does not own {province.name} (6.I.5)"
    if province.code in board.unit_at or any(unit.province == province.code for unit in account.built):
        return f"{province.name} is not empty (6.I.3, 6.I.4, 6.I.7)"
    kind = order.unit.kind or (UnitKind.ARMY if province.terrain is Terrain.INLAND else None)
    if kind is None:
        return f"army or fleet must be named in {province.name} (4.C.3)"
    location = province.code if kind is UnitKind.ARMY else _fleet_location(board.map, order.unit.location)
    if problem := board.map.problem_with(kind, location):
        return f"{problem} (4.B.7, 4.C.4)"
    account.built.append(Unit(power, kind, location))
    return None


def _fleet_location(game_map: Map, named: Location) -> Location:
    """The location named; a coast that the province does not have is ignored (4.B.6)."""
    province = game_map.provinces[province_of(named)]
    return named if named in province.locations else province.code


def _remove(account: _Account, order: Remove) -> str | None:
    unit = account.board.unit_at.get(order.unit.province)
    if unit is None or unit.power != account.power:
        return f"{account.power} has no unit in {order.unit.province}"
    if account.surplus >= 0:
        return f"{account.power} has no unit too many"
    if unit in account.removed:
        return f"{unit} is removed already (6.J.2)"
    if len(account.removed) >= -account.surplus:
        return f"{account.power} has {-account.surplus} to remove, no more (4.D.6)"
    account.removed.append(unit)
    return None


def _civil_disorder(account: _Account) -> tuple[Unit, ...]:
    """The units that go because their power did not remove enough.

    As the 2023 rulebook has it (4.D.8): farthest from an owned supply centre first, counted over adjacent provinces of any
    kind; fleets before armies; then by the name of the province.
    """
    missing = -account.surplus - len(account.removed)
    if missing <= 0:
        return ()
    board = account.board
    distance = distances(board.map, (code for code, owner in board.centers.items() if owner == account.power))
    candidates = [unit for unit in board.units if unit.power == account.power and unit not in account.removed]
    candidates.sort(
        key=lambda unit: (
            -distance.get(unit.province, inf),
            unit.kind is not UnitKind.FLEET,
            board.map.provinces[unit.province].name,
        )
    )
    return tuple(candidates[:missing])


def distances(game_map: Map, sources: Iterable[ProvinceCode]) -> dict[ProvinceCode, int]:
    """How many steps each province is from the nearest source, whoever could make them."""
    found = dict.fromkeys(sources, 0)
    queue = deque(found)
    while queue:
        province = queue.popleft()
        for neighbour in game_map.neighbours[province]:
            if neighbour not in found:
                found[neighbour] = found[province] + 1
                queue.append(neighbour)
    return found


def centers_after_fall(board: Board) -> dict[ProvinceCode, Power]:
    """Who owns which supply centre once a Fall turn is over: the unit in it takes it, an empty one stays as it was."""
    taken = {province: unit.power for province, unit in board.unit_at.items() if province in board.map.centers}
    return {**board.centers, **taken}
