"""Judges the adjustment phase: builds, removals and civil disorder (DATC 6.I, 6.J)."""

from __future__ import annotations

import unicodedata
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from math import inf
from typing import ClassVar, Literal

from msgspec import Struct

from satjudge.base.errors import RulebookError, UnresolvedError
from satjudge.base.words import number_of
from satjudge.judging.legality import IllegalOrder, check_name, is_connected
from satjudge.world.board import Board, ByPower, Phase, Unit
from satjudge.world.geography import Location, Map, Power, Province, ProvinceCode, Terrain, UnitKind, coast_of
from satjudge.world.orders import Build, Decline, Order, Remove, Unreadable
from satjudge.world.rules import Rulebook, load_rulebook
from satjudge.world.rules.rulebook import (
    BuildWithoutKind,
    CivilDisorder,
    CoastOmitted,
    Declining,
    InlandFleet,
    Language,
    Mistake,
    TooMany,
    TooManyRemovals,
)
from satjudge.world.seasons import alternatives_of, build_sites, lacks_home, next_board, partisans_of, surplus
from satjudge.world.verdicts import JudgedOrder, OrderResult, PhaseOutcome, Verdict


class AdjustmentOutcome(PhaseOutcome, Struct, frozen=True, dict=True):
    """The outcome of an adjustment phase: orders with verdicts, removals by civil disorder, and the units left."""

    phase: ClassVar[Literal[Phase.ADJUSTMENT]] = Phase.ADJUSTMENT
    board: Board
    judged: Mapping[Power, list[JudgedOrder]]
    automatic: Mapping[Power, tuple[Unit, ...]]
    units: tuple[Unit, ...]

    def __repr__(self) -> str:
        disorder = ", ".join(f"{power} loses {unit}" for power, units in self.automatic.items() for unit in units)
        return super().__repr__().removesuffix(">") + (f"; civil disorder: {disorder}>" if disorder else ">")

    @property
    def next_board(self) -> Board:
        """The position in which the next year begins."""
        return next_board(self.board, self.units)


class _Account(Struct):
    """The legal builds, declined builds and removals of one power so far in this phase."""

    board: Board
    rules: Rulebook
    power: Power
    surplus: int
    """The number of builds allowed if positive, or of removals required if negative."""
    built: list[Unit] = []
    declined: int = 0
    removed: list[Unit] = []

    @property
    def name(self) -> str:
        """The name of the power, as written in the reasons for illegal orders."""
        return self.board.map.name_of(self.power)

    @property
    def builds_left(self) -> int:
        return self.surplus - len(self.built) - self.declined

    @property
    def sites(self) -> set[ProvinceCode]:
        """The provinces in which the power can still build: its build sites without those already built in."""
        return set(build_sites(self.board, self.power)) - {unit.province for unit in self.built}


def judge_adjustments(
    board: Board, orders: Mapping[Power, Sequence[Order]], *, rulebook: Rulebook | None = None
) -> AdjustmentOutcome:
    """Carry out builds and removals, in the rulebook's order, and return the outcome; excess orders are illegal (4.D.4, 4.D.6).

    A power that orders too few removals loses the units that civil disorder takes (4.D.8). Raises `UnresolvedError` if builds
    may not be declined and a power orders too few (4.D.7 b).
    """
    rules = rulebook or load_rulebook()
    powers = dict.fromkeys((*orders, *(unit.power for unit in board.units), *board.centers.values()))
    accounts = {power: _Account(board, rules, power, surplus(board, power)) for power in powers}
    reasons = {power: _carry_out_all(accounts[power], given) for power, given in orders.items()}
    _check_declined_builds(rules, accounts.values())
    automatic = {power: removed for power, account in accounts.items() if (removed := _find_automatic_removals(account))}
    removed_from = {unit.province for account in accounts.values() for unit in account.removed}
    removed_from.update(unit.province for removed in automatic.values() for unit in removed)
    built = tuple(unit for account in accounts.values() for unit in account.built)
    judged = {
        power: [_make_judged_order(accounts[power], order, reason) for order, reason in zip(given, reasons[power], strict=True)]
        for power, given in orders.items()
    }
    return AdjustmentOutcome(
        board, ByPower(judged), automatic, (*(unit for unit in board.units if unit.province not in removed_from), *built)
    )


def find_adjustment_problem(board: Board, power: Power, order: Order, rules: Rulebook) -> str | None:
    """Return why an order would be illegal if it were its power's only one in an adjustment phase; None if it is legal."""
    return _carry_out(_Account(board, rules, power, surplus(board, power)), order)


def filter_legal_adjustments(board: Board, power: Power, orders: Iterable[Order], rules: Rulebook) -> list[Order]:
    """Return those of a power's orders that would each be legal if it were the power's only one in an adjustment phase."""
    due = surplus(board, power)
    return [order for order in orders if _carry_out(_Account(board, rules, power, due), order) is None]


def _make_judged_order(account: _Account, order: Order, reason: str | None) -> JudgedOrder:
    verdict = Verdict.from_result(OrderResult.ILLEGAL if reason else OrderResult.SUCCEEDS)
    standing = None if isinstance(order, Decline) else account.board.unit_at.get(order.unit.province)
    own = standing is not None and standing.power == account.power
    return JudgedOrder(account.power, order, verdict, reason, standing.province if standing and own else None)


def _carry_out_all(account: _Account, orders: Sequence[Order]) -> list[str | None]:
    """Carry out a power's orders from the first or the last, as the rulebook says; return why each is illegal, or None."""
    refused = _refuse_excess_orders(account, orders)
    last = account.rules.too_many_builds if account.surplus > 0 else account.rules.too_many_removals
    positions = range(len(orders))
    reasons: dict[int, str | None] = {}
    for position in reversed(positions) if last in (TooMany.LAST, TooManyRemovals.LAST) else positions:
        reasons[position] = refused.get(position) or _carry_out(account, orders[position])
    return [reasons[position] for position in positions]


def _refuse_excess_orders(account: _Account, orders: Sequence[Order]) -> dict[int, str]:
    """Map the index of each order to refuse in advance to the reason: several builds in a province, or too many in all."""
    rules = account.rules
    some_refuse_all = rules.too_many_builds is TooMany.NONE or rules.too_many_removals is TooManyRemovals.CIVIL_DISORDER
    places = {None if isinstance(order, Decline) else order.unit.province for order in orders}
    if len(places) == len(orders) and not some_refuse_all:  # the usual case
        return {}
    refused: dict[int, str] = {}
    builds = {
        i: order for i, order in enumerate(orders) if isinstance(order, Build) and not _find_build_problem(account, order)
    }
    removals = {
        i: order for i, order in enumerate(orders) if isinstance(order, Remove) and not _find_removal_problem(account, order)
    }
    by_province: dict[ProvinceCode, list[int]] = {}
    for position, order in builds.items():
        by_province.setdefault(order.unit.province, []).append(position)
    for province, positions in by_province.items():
        drop = {TooMany.FIRST: positions[1:], TooMany.LAST: positions[:-1], TooMany.NONE: positions}
        if len(positions) > 1:
            refused |= dict.fromkeys(drop[rules.builds_in_one_province], f"there are several builds in {province} (4.D.5)")
    if rules.too_many_builds is TooMany.NONE and len(by_province) > account.surplus > 0:
        refused |= dict.fromkeys(builds, f"{account.name} ordered more than {number_of(account.surplus, 'build')} (4.D.4)")
    too_many = len({order.unit.province for order in removals.values()}) > -account.surplus > 0
    if rules.too_many_removals is TooManyRemovals.CIVIL_DISORDER and too_many:
        refused |= dict.fromkeys(removals, f"{account.name} ordered more than {number_of(-account.surplus, 'removal')} (4.D.6)")
    return refused


def _carry_out(account: _Account, order: Order) -> str | None:
    """Record one order in the account and return None, or return why the order is illegal."""
    match order:
        case Build():
            return _build(account, order)
        case Remove():
            return _remove(account, order)
        case Decline():
            return _decline(account)
        case Unreadable():
            return order.problem
        case _:
            return "only builds and removals are ordered in an adjustment phase"


def _check_declined_builds(rules: Rulebook, accounts: Iterable[_Account]) -> None:
    """Raise `UnresolvedError` if the rulebook forbids declining builds and a power leaves possible builds unordered.

    “Additional rules are required when someone forgets to build” (4.D.7 b), but no text has rules for what is built and where.
    """
    if rules.declining is Declining.ALLOWED:
        return
    owed = {account.name: count for account in accounts if (count := min(account.builds_left, len(account.sites))) > 0}
    if owed:
        shortfalls = ", ".join(f"{name} must build {count} more" for name, count in owed.items())
        raise UnresolvedError(f"{shortfalls}: {rules.name} forbids declining builds (4.D.7), and no rule says what is built")


def _find_surplus_problem(account: _Account) -> str | None:
    if account.surplus <= 0:
        return f"{account.name} has nothing to build"
    return f"{account.name} may build only {account.surplus} (4.D.4)" if account.builds_left <= 0 else None


def _decline(account: _Account) -> str | None:
    if account.rules.declining is Declining.REFUSED:
        return "builds may not be declined (4.D.7)"
    if (reason := _find_surplus_problem(account)) is None:
        account.declined += 1
    return reason


def _build(account: _Account, order: Build) -> str | None:
    excess = _find_surplus_problem(account)
    if reason := (excess if account.surplus <= 0 else None) or _find_build_problem(account, order) or excess:
        return reason
    if any(unit.province == order.unit.province for unit in account.built):
        return f"{account.board.map.provinces[order.unit.province].name} is not empty (6.I.7)"
    account.built.append(_make_unit(account, order))
    return None


def _find_build_problem(account: _Account, order: Build) -> str | None:
    """Return why the unit cannot be built there, whatever else its power builds; None if it can."""
    board, power = account.board, account.power
    province = board.map.provinces[order.unit.province]
    if lacks_home(board, power):
        return f"{account.name} owns none of its home centres, so it cannot build"
    elsewhere = {partisans_of(board, power)} | alternatives_of(board, power)
    if province.code not in elsewhere and (reason := _find_center_problem(account, province)):
        return reason
    if province.code in board.unit_at:
        return f"{province.name} is not empty (6.I.3, 6.I.4)"
    kind = _choose_kind(account.rules, province, order)
    if kind is None:
        return f"army or fleet must be named in {province.name} (4.C.3)"
    if kind is UnitKind.FLEET and province.code == partisans_of(board, power):
        return f"partisans are armies, so no fleet can be built in {province.name}"
    coast = coast_of(order.unit.location)
    if account.rules.unknown_coast is Mistake.ILLEGAL and coast and (kind is UnitKind.ARMY or coast not in province.coasts):
        return f"{order.unit.location} names a coast that does not exist for this unit (4.B.6)"
    problem = board.map.problem_with(kind, _make_unit(account, order).location)
    return f"{problem} ({'4.C.4' if province.terrain is Terrain.INLAND else '4.B.7'})" if problem else None


def _find_center_problem(account: _Account, province: Province) -> str | None:
    """Return why a power may not build in a province (no home centre, or not owned); None if it may, even if occupied."""
    board, power = account.board, account.power
    if not board.map.builds_anywhere and province.code not in board.homes(power):
        of_power = "" if board.map.builds_in_any_home else f" of {account.name}"
        return f"{province.name} is not a home supply centre{of_power} (6.I.6)"
    if board.centers.get(province.code) != power:
        return f"{account.name} does not own {province.name} ({'DATC 2.4, 11' if board.map.builds_anywhere else '6.I.5'})"
    return None


def _choose_kind(rules: Rulebook, province: Province, order: Build) -> UnitKind | None:
    """Return the kind of unit to build, as ordered, filled in or corrected by the rulebook (4.C.3, 4.C.4); None for neither."""
    inland = province.terrain is Terrain.INLAND
    if order.unit.kind is UnitKind.FLEET and inland and rules.inland_fleet is InlandFleet.ARMY:
        return UnitKind.ARMY
    if order.unit.kind or rules.build_without_kind is BuildWithoutKind.ILLEGAL:
        return order.unit.kind
    if inland:
        return UnitKind.ARMY
    named_coast = coast_of(order.unit.location) in province.coasts
    return UnitKind.FLEET if named_coast and rules.build_without_kind is BuildWithoutKind.COAST_FLEET else None


def _make_unit(account: _Account, order: Build) -> Unit:
    """Return the unit to build; an unknown coast is ignored (4.B.6), a missing one filled in if the rulebook says so."""
    province = account.board.map.provinces[order.unit.province]
    kind = _choose_kind(account.rules, province, order) or UnitKind.ARMY
    location: Location = province.code
    if kind is UnitKind.FLEET:
        if order.unit.location in province.locations:
            location = order.unit.location
        elif account.rules.build_coast is CoastOmitted.DEFAULT and province.coasts:
            location = province.default_location
    return Unit(account.power, kind, location)


def _remove(account: _Account, order: Remove) -> str | None:
    if reason := _find_removal_problem(account, order):
        return reason
    unit = account.board.unit_at[order.unit.province]
    if unit in account.removed:
        return f"{unit} is already removed (6.J.2)"
    if len(account.removed) >= -account.surplus:
        return f"{account.name} has only {-account.surplus} to remove (4.D.6)"
    account.removed.append(unit)
    return None


def _find_removal_problem(account: _Account, order: Remove) -> str | None:
    unit = account.board.unit_at.get(order.unit.province)
    if unit is None or unit.power != account.power:
        return f"{account.name} has no unit in {order.unit.province}"
    try:
        check_name(account.board.map, account.rules, order.unit, unit)
    except IllegalOrder as illegal:
        return str(illegal)
    return f"{account.name} has no units to remove" if account.surplus >= 0 else None


def _find_automatic_removals(account: _Account) -> tuple[Unit, ...]:
    """Return the units that civil disorder removes because their power removed too few (4.D.8)."""
    missing = max(0, -account.surplus - len(account.removed))
    ranked = rank_removals(account.board, account.power, account.rules, already_removed=account.removed) if missing else []
    return tuple(unit for unit, _ in ranked[:missing])


def rank_removals(
    board: Board, power: Power, rules: Rulebook, *, already_removed: Collection[Unit] = ()
) -> list[tuple[Unit, float]]:
    """List a power's units in the order in which civil disorder removes them, each with its steps from home.

    The farthest comes first; among equals, fleets come first, then names in alphabetical order (4.D.8). Units in
    `already_removed` are not listed.
    """
    distance = make_distance_measure(board, power, rules)

    def rank(candidate: tuple[Unit, float]) -> tuple[float, bool, str]:
        unit, steps = candidate
        return -steps, unit.kind is not UnitKind.FLEET, make_sort_key(board.map, unit.province, rules)

    return sorted(
        [(unit, distance(unit)) for unit in board.units if unit.power == power and unit not in already_removed], key=rank
    )


def make_sort_key(game_map: Map, province: ProvinceCode, rules: Rulebook) -> str:
    """Return the text by which civil disorder sorts a province's name alphabetically, in the rulebook's language.

    The guide sorts "Gulf of Lyon" under Lyon, and "St. Petersburg" as "Saint Petersburg". In languages other than English,
    accented letters are sorted like plain ones.
    """
    if rules.alphabet_language is not Language.ENGLISH:
        foreign = game_map.foreign_names.get(rules.alphabet_language, {}).get(province)
        if foreign is None:
            raise RulebookError(
                f"4.D.8.language: the map {game_map.name} has no {rules.alphabet_language.capitalize()} name of"
                f" {game_map.provinces[province].name}", suggestion="choose english, whose names every map has",
            )  # fmt: skip
        name = unicodedata.normalize("NFKD", foreign)
        return "".join(letter for letter in name.casefold() if letter.isalnum())
    name, rule = game_map.provinces[province].name, rules.civil_disorder
    if rule is CivilDisorder.GUIDE:
        name = name.removeprefix("Gulf of ").replace("St ", "Saint ")
    return name.replace(" ", "").replace("-", "").casefold() if rule is not CivilDisorder.OWNED_CENTERS else name


def make_distance_measure(board: Board, power: Power, rules: Rulebook) -> Callable[[Unit], float]:
    """Return a function that gives a unit's number of steps from home by the rulebook, or infinity (4.D.8)."""
    rule = rules.civil_disorder
    if rule is CivilDisorder.OWNED_CENTERS:
        owned = [code for code, owner in board.centers.items() if owner == power]
        found = _measure_distances(board.map.neighbours, owned)
        return lambda unit: found.get(unit.province, inf)
    provinces = board.map.provinces.values()
    if board.map.builds_anywhere:  # “any owned supply center is treated as home supply center” (DATC 2.4, 11.A)
        home = [province for province in provinces if province.code in board.homes(power)]
    elif rule is CivilDisorder.HOME_COUNTRY:
        home = [province for province in provinces if power in (province.country, province.home)]
    else:
        home = [province for province in provinces if province.home == power]
    by_fleet = _measure_distances(board.map.fleet, [location for province in home for location in province.locations])
    by_army = _measure_distances(_find_army_steps(board, power, rule), [province.code for province in home])
    if rule is CivilDisorder.EITHER:
        return lambda unit: by_army.get(unit.province, inf)
    return lambda unit: by_fleet.get(unit.location, inf) if unit.kind is UnitKind.FLEET else by_army.get(unit.province, inf)


def _find_army_steps(board: Board, power: Power, rule: CivilDisorder) -> Mapping[ProvinceCode, Iterable[ProvinceCode]]:
    """Map each province to those one step away for an army: by land and sea, or by land and convoy, as `rule` says."""
    seas = {
        CivilDisorder.ONE_MOVE: board.map.seas,
        CivilDisorder.OWN_FLEETS: frozenset(sea for sea in board.convoyers if board.unit_at[sea].power == power),
        CivilDisorder.ANY_FLEETS: board.convoyers,
    }.get(rule)
    if seas is None:
        return board.map.neighbours
    coasts = [code for code, province in board.map.provinces.items() if province.terrain is Terrain.COAST]
    return {
        origin: board.map.army[origin]
        | {coast for coast in coasts if coast != origin and is_connected(board.map, origin, coast, seas)}
        for origin in board.map.army
    }


def _measure_distances(adjacent: Mapping[str, Iterable[str]], sources: Iterable[str]) -> dict[str, int]:
    """Map each place that can be reached from a source to its number of steps from the nearest one."""
    found = {source: 0 for source in sources if source in adjacent}
    queue = deque(found)
    while queue:
        place = queue.popleft()
        for neighbour in adjacent[place]:
            if neighbour not in found:
                found[neighbour] = found[place] + 1
                queue.append(neighbour)
    return found
