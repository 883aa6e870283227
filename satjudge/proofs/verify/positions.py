"""Reads the positions of claims, and has the second encoder write their equations.

Powers, units and orders must be written exactly as satjudge writes them.

A claim is shown as it is written. If a name were read differently from how it looks, the claim shown would not be the one
proved: `Britain` is ENGLAND, `French A PAR` of RUSSIA is Russian, and a Cyrillic letter makes another power.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from satjudge.base.errors import InputError, SatjudgeError
from satjudge.base.words import quote_text
from satjudge.notation.documents import Rules
from satjudge.notation.parse import parse_order, parse_unit
from satjudge.proofs.verify.certificate import ClaimedPosition, Clause, ClauseGroup, NamedClauses, Resolution
from satjudge.proofs.verify.second_encoder import FALSE, Cnf, EncodedOutcome, Literal, encode_orders
from satjudge.world.board import Board, Turn, Unit
from satjudge.world.geography import Location, Map, Power, ProvinceCode, UnitKind, coast_of, load_map, normal, province_of
from satjudge.world.orders import Convoy, Hold, Move, MovementOrder, Named, Permission, SupportHold, SupportMove
from satjudge.world.rules import Rulebook, before_options, nearest_preset
from satjudge.world.rules.rulebook import ConvoyPaths, DisorderSupport, IllegalOrders, SupportCoast

_OTHER_POWER = re.compile("[A-Z][A-Z0-9_]*")
"""The allowed power names that are not on the map."""


def check_power(power: Power, game_map: Map) -> None:
    """Raise `InputError` unless the power has the exact name of one on the map, or another name in capitals."""
    if power in game_map.powers:
        return
    if power_name := game_map.power_aliases.get(normal(power)):
        raise InputError(f"the power “{power}” must be written “{power_name}”")
    if not _OTHER_POWER.fullmatch(power):
        raise InputError(f"“{power}” is neither a power of the map nor a name in capital letters A to Z")


def read_unit(text: str, power: Power, game_map: Map) -> Unit:
    """Parse a unit, written like `A PAR` or `F STP/SC`, that belongs to this power.

    Raises `InputError` if it is written in any other way.
    """
    unit = parse_unit(text, power, game_map)
    if str(unit) != text:
        raise InputError(f"the unit “{text}” must be written “{unit}”")
    return unit


def read_units(units: Mapping[Power, Sequence[str]], game_map: Map) -> Iterator[Unit]:
    """Parse the units of all powers, given as texts by power; raises `InputError` for an invalid unit or power."""
    for power, texts in units.items():
        check_power(power, game_map)
        yield from (read_unit(text, power, game_map) for text in texts)


def read_order(text: str, board: Board) -> MovementOrder:
    """Parse an order for a unit that is on the board.

    Raises `InputError` if there is no such unit, if the order is not written in full, or if it names another unit that is
    missing or different (DATC 3.2, 4.C).
    """
    order = parse_order(text, board.map)
    if not isinstance(order, MovementOrder) or not _is_there(order.unit, board) or order.unit.power:
        raise InputError(f"“{text}” is not an order to a unit on the board")
    if str(order) != text:
        raise InputError(f"“{text}” must be written “{order}”")
    other = get_other_unit(order)
    if other and not _is_there(other, board):
        raise InputError(f"“{text}”: there is no {other}")
    return order


def is_possible(order: MovementOrder, board: Board) -> bool:
    """Return whether the map allows the order, whatever the other units do.

    A fleet goes by water to an adjacent province, or by a canal; an army to adjacent land, from coast to coast, or on its
    power's railroad. A unit supports into provinces where it could go, but not over a difficult border. Fleets convoy armies
    where the map lets them (DATC 3.2, 4.E.1; DATC 2.4, 7 to 10).
    """
    game_map, unit = board.open_map, board.unit_at[order.unit.province]
    reach = game_map.exits(unit.kind, unit.location)
    match order:
        case Move() if order.railroad:
            return _is_by_railroad(order, unit, game_map)
        case Move() if unit.kind is UnitKind.FLEET:
            return order.destination in reach or game_map.canal_between(unit.location, order.destination) is not None
        case Move():
            return order.destination in reach or _are_coasts(unit.province, order.destination, game_map)
        case SupportHold():
            return _can_support_into(order.supported.province, unit, game_map)
        case SupportMove():
            kind, destination = order.supported.kind, order.destination
            is_there = destination in game_map.provinces or (kind is UnitKind.FLEET and destination in game_map.fleet)
            return is_there and _can_support_into(province_of(destination), unit, game_map)
        case Convoy():
            may_convoy = unit.kind is UnitKind.FLEET and unit.province in game_map.convoying
            of_army = order.convoyed.kind is UnitKind.ARMY
            return may_convoy and of_army and _are_coasts(order.convoyed.province, order.destination, game_map)
    return True


def _is_by_railroad(move: Move, unit: Unit, game_map: Map) -> bool:
    """Return whether the move is by an army of the railroad's power between two of its provinces (DATC 2.4, 7.B)."""
    (railroad,) = (railroad for railroad in game_map.railroads if railroad.name == move.railroad)
    on_it = {unit.province, move.destination}.issubset(railroad.line) and unit.province != move.destination
    return on_it and unit.kind is UnitKind.ARMY and unit.power == railroad.power


def _are_coasts(origin: ProvinceCode, destination: Location, game_map: Map) -> bool:
    """Return whether both are coasts between which an army could be convoyed if fleets stood wherever they can."""
    on_land = game_map.problem_with(UnitKind.ARMY, destination) is None and origin != destination
    return on_land and all(game_map.shores.get(province) for province in (origin, destination))


def _can_support_into(province: ProvinceCode, unit: Unit, game_map: Map) -> bool:
    """Return whether a unit may support into a province: it could move there by land or water, over no difficult border."""
    difficult = unit.kind is UnitKind.ARMY and game_map.is_difficult(unit.province, province)
    return not difficult and province in map(province_of, game_map.exits(unit.kind, unit.location))


def find_implied_words(order: MovementOrder, game_map: Map, rulebook: Rulebook) -> str:
    """Return a phrase naming what the rulebook would add to an order, such as a coast, and its DATC issue; "" if nothing.

    The rulebook adds VIA if the order states a convoy path (4.A.6), and the coast if a fleet's move is supported (4.B.4).
    """
    match order:
        case Move(via_convoy=False) if order.route and rulebook.convoy_paths is not ConvoyPaths.IGNORED:
            return "VIA, as the rulebook has 4.A.6"
        case SupportMove() if order.supported.kind is UnitKind.FLEET and rulebook.support_coast is SupportCoast.DEFAULT:
            several = not coast_of(order.destination) and game_map.provinces[order.destination].coasts
            return "a coast, as the rulebook has 4.B.4" if several else ""
    return ""


def get_other_unit(order: MovementOrder) -> Named | None:
    """Return the unit that an order supports or convoys, as the order names it; None for other orders."""
    match order:
        case SupportHold() | SupportMove():
            return order.supported
        case Convoy():
            return order.convoyed
    return None


def _is_there(unit_name: Named, board: Board) -> bool:
    """Return whether the named unit is on the board, with the same kind and location, and the same power if it names one."""
    unit = board.unit_at.get(unit_name.province)
    return unit is not None and unit_name in (unit.named, Named(unit.kind, unit.location, unit.power))


# ---- the position, and its equations by the second encoder ----

DEFINED_SECOND = "definitions of the second encoder"
EQUATIONS = "equations of the second encoder (DATC 5.B)"
EXCLUDED = "the resolutions that are listed are excluded"


def read_rulebook(rules: Rules) -> Rulebook:
    """Parse a rulebook with all its settings; a missing option gets the value in use before the option existed.

    Raises `InputError` if there is no such preset or option.
    """
    settings = {**before_options(), **rules.settings}
    rulebook = Rules(rules.name, rules.title, settings).rulebook()
    if rulebook.settings() != settings:
        raise InputError(f"the settings do not fit the rulebook {rulebook.name}")
    return rulebook


def describe_rulebook(rules: Rules) -> str:
    """Describe a rulebook in words, by the nearest preset and the settings that differ from it.

    If the rulebook has another name, that name is mentioned as well.
    """
    try:
        preset, otherwise = nearest_preset(read_rulebook(rules))
    except SatjudgeError:
        return f"a rulebook called {quote_text(rules.name)}"
    settings = f"{preset} with {', '.join(otherwise)}" if otherwise else preset
    return settings if settings == rules.name else f"{settings} (called {quote_text(rules.name)}, which is not verified)"


@dataclass(frozen=True)
class ParsedPosition:
    """The position of a claim, parsed.

    The properties raise `InputError` if it is invalid.
    """

    position: ClaimedPosition

    @cached_property
    def rulebook(self) -> Rulebook:
        """The rulebook, with all its settings."""
        return read_rulebook(self.position.rulebook)

    @cached_property
    def board(self) -> Board:
        """The board of the position: its map, units, centres and season; raises `InputError` if the board is impossible."""
        game_map = load_map(self.position.map)
        if rules := game_map.beyond_tables:
            raise InputError(f"the map {game_map.name} has {rules}, for which there are no certificates")
        for power in (*self.position.orders, *self.position.centers.values()):
            check_power(power, game_map)
        standing = tuple(read_units(self.position.units, game_map))
        season = self.position.season
        turn = Turn(game_map.first_year, season) if season else None
        return Board(standing, map=game_map, centers=self.position.centers, turn=turn).ensure_possible()

    @cached_property
    def orders(self) -> dict[Power, list[MovementOrder]]:
        """The orders of each power, checked to be possible.

        Raises `InputError` for an order to a unit of another power, or one that is not written in full.
        """
        return {power: list(self._iter_orders(power, texts)) for power, texts in self.position.orders.items()}

    def _iter_orders(self, power: Power, texts: list[str]) -> Iterator[MovementOrder]:
        for text in texts:
            order = read_order(text, self.board)
            if self.board.unit_at[order.unit.province].power != power:
                raise InputError(f"“{text}” is not an order to a unit of {power}")
            if not is_possible(order, self.board):
                raise InputError(f"“{text}” is impossible on this map")
            if missing := find_implied_words(order, self.board.map, self.rulebook):
                raise InputError(f"“{text}” is not written in full: it must name {missing}")
            yield order

    @cached_property
    def by_province(self) -> dict[ProvinceCode, MovementOrder]:
        """The orders, by the province of the ordered unit; raises `InputError` if a unit has two orders."""
        found: dict[ProvinceCode, MovementOrder] = {}
        for orders in self.orders.values():
            for order in orders:
                if order.unit.province in found:
                    raise InputError(f"there are two orders for the unit in {order.unit.province}")
                found[order.unit.province] = order
        return found

    @cached_property
    def permissions(self) -> list[Permission]:
        """The permissions, parsed, for fleets to pass a canal.

        Raises `InputError` for any other text, or for an impossible permission (DATC 2.4, 7.C).
        """
        return [*map(self._read_permission, self.position.permissions)]

    def _read_permission(self, text: str) -> Permission:
        """Parse a permission by which the unit that holds a canal lets a fleet pass it."""
        order = parse_order(text, self.board.map)
        if not isinstance(order, Permission) or str(order) != text:
            raise InputError(f"“{text}” among the permissions permits no fleet to pass a canal")
        canal = next(canal for canal in self.board.map.canals if canal.name == order.canal)
        fleet = self.board.unit_at.get(order.unit.province)
        if canal.keeper not in self.board.unit_at or fleet is None or order.unit != Named(UnitKind.FLEET, fleet.location):
            raise InputError(
                f"“{text}” among the permissions: there is no unit in {canal.keeper} to permit it, or no such fleet"
            )
        if self.board.map.canal_between(fleet.location, order.destination) is not canal:
            raise InputError(f"“{text}” among the permissions: the canal does not lead there")
        return order

    @cached_property
    def unsupportable(self) -> list[ProvinceCode]:
        """The provinces whose units have no order that counts and cannot be supported in place, after checking them.

        Raises `InputError` for a unit that can be supported under the rulebook.
        """
        provinces = self.position.unsupportable
        for province in provinces:
            unit = self.board.unit_at.get(province)
            if unit is None:
                raise InputError(f"there is no unit in {province} that could be unsupportable")
            if province in self.by_province:
                raise InputError(f"{unit} has an order that counts, so it must not be listed as unsupportable")
            if not (self._can_have_illegal_move(unit) or self._is_in_disorder(unit.power)):
                raise InputError(f"{unit} can be supported in place under the rulebook's choices for 4.E.1 and 4.D.9")
        if len(set(provinces)) < len(provinces):
            raise InputError("a unit appears twice in the list of unsupportable units")
        return provinces

    def _can_have_illegal_move(self, unit: Unit) -> bool:
        """Return whether the rulebook lets an illegal move keep this unit from being supported in place (4.E.1).

        Under `hold-if-possible` the move must be legal with other units on the board, so it must be by convoy (DATC 2.4, 4.E.1
        c).
        """
        if self.rulebook.illegal_orders is IllegalOrders.HOLD_IF_POSSIBLE:
            return unit.kind is UnitKind.ARMY and bool(self.board.map.shores.get(unit.province))
        return self.rulebook.illegal_orders is IllegalOrders.HOLD

    def _is_in_disorder(self, power: Power) -> bool:
        """Return whether a power without orders is refused support (4.D.9), and the position lists all its units as such."""
        units = {unit.province for unit in self.board.units if unit.power == power}
        refused = self.rulebook.disorder_support is DisorderSupport.REFUSED
        return refused and not self.orders.get(power) and units.issubset(self.position.unsupportable)

    def iter_lines(self) -> Iterator[str]:
        """Yield lines of text that describe the position: map, rulebook, units and orders, and other things stated, if any."""
        stated = self.position
        yield f"map {stated.map}, rulebook {describe_rulebook(stated.rulebook)}"
        if stated.season:
            yield f"season: {stated.season}"
        if stated.permissions:
            yield f"permitted: {', '.join(stated.permissions)}"
        if stated.centers:
            yield f"centres: {', '.join(f'{province} of {power}' for province, power in stated.centers.items())}"
        for power in {**stated.units, **stated.orders}:
            orders = ", ".join(stated.orders.get(power, ())) or "nothing"
            yield f"{power}: {', '.join(stated.units.get(power, ())) or 'no units'}; ordered: {orders}"
        if stated.unsupportable:
            yield f"unsupportable, after an illegal order to move or in civil disorder: {', '.join(stated.unsupportable)}"

    @cached_property
    def second_encoding(self) -> tuple[Cnf, EncodedOutcome]:
        """The formula of the equations as the second encoder writes it, and the literals of its decisions."""
        orders = {province: order for province, order in self.by_province.items() if not isinstance(order, Hold)}
        return encode_orders(
            self.board,
            orders,
            self.rulebook,
            no_hold_support=self.unsupportable,
            permissions=self.permissions,
        )

    @cached_property
    def literals(self) -> Mapping[str, Literal]:
        """For each order except holds, by its text, the literal that is true if it succeeds."""
        _, encoded = self.second_encoding
        decided = {**encoded.moves, **encoded.supports, **encoded.convoys}
        return {str(candidate.order): literal for candidate, literal in decided.items()}

    def find_solution(self, succeeds: Mapping[str, bool]) -> set[Literal] | None:
        """Return the literals that are true with these results of orders; None if a clause is violated or undecided."""
        cnf, _ = self.second_encoding
        true, violated, left = _propagate_literals(
            {*self._choose_literals(succeeds).values()}, [*cnf.definitions, *cnf.requirements]
        )
        return None if violated or left else true

    def _choose_literals(self, succeeds: Mapping[str, bool]) -> Mapping[str, Literal]:
        """Return for each order its literal if the order succeeds, else the opposite literal."""
        return {order: self.literals[order] if value else -self.literals[order] for order, value in succeeds.items()}

    def find_problem(self, succeeds: Mapping[str, bool]) -> str:
        """Return why these results of orders violate the equations, naming an order if possible; "" if they do not."""
        if self.find_solution(succeeds) is not None:
            return ""
        (cnf, _), ends = self.second_encoding, self._choose_literals(succeeds)
        decided = {literal: order for order, literal in ends.items() if abs(literal) in cnf.inputs}
        true, _, _ = _propagate_literals({*decided}, cnf.definitions)  # results of the equations
        otherwise = next((order for order, literal in ends.items() if -literal in true), None)
        if otherwise is None:
            _, violated, _ = _propagate_literals(true, cnf.requirements)
            otherwise = next((decided[-literal] for literal in violated or () if -literal in decided), None)
        if otherwise is None:
            return "equations that belong to no order, such as those of a train's stages, cannot all be satisfied"
        return f"the equation of {otherwise} says that it {'does not succeed' if succeeds[otherwise] else 'succeeds'}"

    def encode_further_resolution(self, resolutions: Iterable[Resolution]) -> NamedClauses:
        """Make the clauses for a resolution other than these: the equations, and a clause that excludes each of them.

        Raises `InputError` for an impossible resolution, in which orders with the same literal have different results.
        """
        cnf, _ = self.second_encoding
        excluded = [_make_blocking_clause(self.literals, one.succeeds) for one in resolutions]
        groups = (
            ClauseGroup(DEFINED_SECOND, cnf.definitions),
            ClauseGroup(EQUATIONS, cnf.requirements),
            ClauseGroup(EXCLUDED, excluded),
        )
        return NamedClauses(cnf.number_of_variables, cnf.names, groups)


def _propagate_literals(true: set[Literal], clauses: Iterable[Clause]) -> tuple[set[Literal], Clause | None, list[Clause]]:
    """Return all literals that follow from `true` by unit propagation, a violated clause or None, and the undecided clauses.

    `true` may contain a literal and its opposite, since one literal can stand for several orders.
    """
    true = {*true}
    if both := next((literal for literal in true if -literal in true), None):
        return true, (both,), []
    left = [*clauses]
    while left:
        before, still = len(true), []
        for clause in left:
            if not true.isdisjoint(clause):
                continue
            undecided = [literal for literal in clause if -literal not in true]
            if not undecided:
                return true, clause, []
            if len(undecided) == 1:
                true.add(undecided[0])
            else:
                still.append(clause)
        if len(true) == before:
            return true, None, still
        left = still
    return true, None, []


def _make_blocking_clause(literals: Mapping[str, Literal], succeeds: Mapping[str, bool]) -> Clause:
    """Make the clause that excludes the resolution `succeeds`: at least one order has another result."""
    differing = {-literal if succeeds[order] else literal for order, literal in literals.items()} - {FALSE}
    if any(-literal in differing for literal in differing):
        raise InputError("a resolution is not consistent: orders that share a decision have different results")
    return tuple(sorted(differing, key=abs)) or (FALSE,)
