"""Describes all boards with legal orders as clauses, in which the units and their orders are unknown.

Written from DATC 3.2 (4.B.4, 4.E.1 and the cases of chapter 6) and docs/background/search.md alone. The variables are `UNIT F
LON`, `ORDER F LON - NTH` and `SAME_POWER LON WAL`. Orders are written in full, with the true kind, location and coasts of the
unit; other units are named by province. A unit without an order holds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from msgspec.structs import replace

from satjudge.base.errors import InputError, RulebookError
from satjudge.proofs.verify.second_encoder import FALSE, TRUE, Candidate, Cnf, EncodedOutcome, Literal, encode_equations
from satjudge.proofs.verify.second_encoder.routes import Route, iter_proper_routes, iter_simple_routes
from satjudge.world.board import Board
from satjudge.world.geography import Location, Map, ProvinceCode, UnitKind, coast_of, province_of
from satjudge.world.orders import Convoy, Hold, Move, MovementOrder, Named, SupportHold, SupportMove
from satjudge.world.rules import Rulebook
from satjudge.world.rules.rulebook import (
    AttackOrigin,
    ConvoyPaths,
    DisorderSupport,
    IllegalOrders,
    ImplicitOrders,
    LandFallback,
    SuperfluousConvoy,
    SupportCoast,
)

UNIT, ORDER, SAME_POWER = "UNIT ", "ORDER ", "SAME_POWER "
"""The prefixes of the variables that describe the board."""


@dataclass(frozen=True)
class Bounds:
    """The bounds of boards: the provinces where units stand and move, and the largest numbers of units and fleets."""

    map: Map
    region: frozenset[ProvinceCode]
    most: int
    fleets: int | None
    rulebooks: tuple[Rulebook, ...]
    """The rulebooks. Orders must be legal under each of them, or under one of them (`under_one`)."""
    under_one: bool = False
    """Whether an order only needs to be legal under one of the rulebooks; under the others, its unit then holds."""
    board: Board | None = None
    """If given, the board with exactly the units to use."""
    orders: tuple[MovementOrder, ...] = ()
    """The known orders to units of this board."""

    def __post_init__(self) -> None:
        if self.map.own_rules:
            raise InputError(f"no certificate covers searches on a map with {', '.join(self.map.own_rules)}")
        if unknown := self.region - self.map.provinces.keys():
            raise InputError(f"there is no province {min(unknown)} on this map")
        if self.most < 0 or (self.fleets or 0) < 0:
            raise InputError("the number of units cannot be negative")
        for rulebook in self.rulebooks:
            if rulebook.convoy_paths is not ConvoyPaths.IGNORED:
                raise RulebookError("no certificate covers searches with written convoy paths (4.A.6)")
            if rulebook.head_to_head_origin is AttackOrigin.LAST_FLEET:
                raise RulebookError("no certificate covers searches with Brannan's head-to-head battles (4.A.4.1=last-fleet)")
            if rulebook.implicit_orders is not ImplicitOrders.IGNORED:
                raise RulebookError("no certificate covers searches with implicit orders (4.E.3)")
            if self.board and rulebook.disorder_support is DisorderSupport.REFUSED:
                raise RulebookError("no certificate covers guarantees if a power without orders loses support (4.D.9)")
            if len(self.rulebooks) > 1 and rulebook.support_coast is SupportCoast.DEFAULT:
                raise RulebookError("no certificate covers comparisons with default coasts in supports (4.B.4)")
            if self.under_one and rulebook.illegal_orders is IllegalOrders.HOLD_IF_POSSIBLE:
                raise RulebookError(
                    "no certificate covers comparisons with moves that might have been legal (4.E.1=hold-if-possible)"
                )


def shorten_order(order: MovementOrder, game_map: Map) -> MovementOrder:
    """Return the order without a supported unit's kind and coast, and with `via convoy` only if it could go by land."""
    match order:
        case SupportHold(unit, supported):
            return SupportHold(unit, Named(None, supported.province))
        case SupportMove(unit, supported, destination):
            return SupportMove(unit, Named(None, supported.province), destination)
        case Move(Named(UnitKind.ARMY, place), destination, via_convoy=True) if destination not in game_map.army.get(place, ()):
            return replace(order, via_convoy=False)
    return order


class BoardClauses:
    """The clauses of all boards within some bounds."""

    def __init__(self, cnf: Cnf, bounds: Bounds) -> None:
        self.cnf = cnf
        self.bounds = bounds
        self.map = bounds.map.restrict_to_region(bounds.region)
        self.stands = self._make_unit_literals()
        self.powers: dict[tuple[ProvinceCode, ProvinceCode], Literal] = {}
        legal = [dict(LegalOrders(self, rulebook).iter_conditions()) for rulebook in bounds.rulebooks]
        legal_under = {order: [conditions.get(order, FALSE) for conditions in legal] for one in legal for order in one}
        combined = cnf.any_of if bounds.under_one else cnf.all_of
        self.conditions = {
            order: combined(each) for order, each in legal_under.items() if bounds.under_one or FALSE not in each
        }
        self.candidates = [
            Candidate(order, given) for order in self.conditions if (given := self._make_order_literal(order)) != FALSE
        ]
        self.counting = [self.candidates] * len(legal)
        self.no_hold_support: list[dict[ProvinceCode, Literal]] = [{} for _ in legal]
        if bounds.under_one:
            for rulebook_index in range(len(legal)):
                self._apply_rulebook(rulebook_index, {order: each[rulebook_index] for order, each in legal_under.items()})
        if illegal := [order for order in bounds.orders if self.conditions.get(order) != TRUE and not isinstance(order, Hold)]:
            raise InputError(f"“{illegal[0]}” is not legal, or not written in full")

    def _apply_rulebook(self, index: int, legal_literals: Mapping[MovementOrder, Literal]) -> None:
        """Record, for the rulebook at this index, which orders count and which units an illegal move keeps from hold support.

        These are the choices a and b of DATC 2.4, 4.E.1.
        """
        self.counting[index] = [
            Candidate(one.order, counts)
            for one in self.candidates
            if (counts := self.cnf.all_of((one.given, legal_literals[one.order]))) != FALSE
        ]
        if self.bounds.rulebooks[index].illegal_orders is IllegalOrders.HOLD:
            for province in self.units_in:
                moves = (one for one in self.candidates if isinstance(one.order, Move) and one.province == province)
                illegal = (self.cnf.all_of((move.given, -legal_literals[move.order])) for move in moves)
                self.no_hold_support[index][province] = self.cnf.any_of(illegal)

    def list_counting_candidates(self, rulebook: Rulebook) -> Sequence[Candidate]:
        """Return the candidate orders, each with the literal that is true if it is given and legal under the rulebook."""
        return self.counting[self.bounds.rulebooks.index(rulebook)]

    def _make_unit_literals(self) -> dict[Named, Literal]:
        """Return, by possible unit, a new literal that it is on the board, or `TRUE` for each unit of a known board."""
        if self.bounds.board:
            return {unit.named: TRUE for unit in self.bounds.board.units}
        region = self.bounds.region
        places: list[Location] = sorted({*region, *(place for place in self.map.fleet if province_of(place) in region)})
        units = [Named(kind, place) for place in places for kind in UnitKind if self.map.problem_with(kind, place) is None]
        return {unit: self.cnf.add_input(f"{UNIT}{unit}") for unit in units}

    def _make_order_literal(self, order: MovementOrder) -> Literal:
        """Return the literal that is true if an order is given: a new input, or a constant if it is known or impossible."""
        if any(known.unit == order.unit for known in self.bounds.orders):
            return TRUE if order in self.bounds.orders else FALSE
        return FALSE if self.conditions[order] == FALSE else self.cnf.add_input(f"{ORDER}{order}")

    @cached_property
    def units_in(self) -> Mapping[ProvinceCode, list[Named]]:
        """By province, the units that may stand there."""
        found: dict[ProvinceCode, list[Named]] = {province: [] for province in sorted(self.bounds.region)}
        for unit in self.stands:
            found[unit.province].append(unit)
        return found

    @cached_property
    def occupancy(self) -> Mapping[ProvinceCode, Literal]:
        """By province, the literal that is true if a unit stands there."""
        return {
            province: self.cnf.any_of(self.stands[unit] for unit in units) for province, units in self.units_in.items() if units
        }

    def same_power(self, one: ProvinceCode, other: ProvinceCode) -> Literal:
        """Return the literal (a constant on a known board) that the units in two provinces belong to one power.

        Transitivity is not required: the extra clauses would make refutations harder.
        """
        if one == other:
            return TRUE
        if self.bounds.board:
            units = (self.bounds.board.unit_at.get(province) for province in (one, other))
            return TRUE if len({unit and unit.power for unit in units}) == 1 else FALSE
        pair = min(one, other), max(one, other)
        if pair not in self.powers:
            self.powers[pair] = self.cnf.add_input(f"{SAME_POWER}{pair[0]} {pair[1]}")
        return self.powers[pair]

    def require_legal(self) -> None:
        """Require at most one unit in each province, at most one order for it, a legal one, and the bounds on units."""
        for units in self.units_in.values():
            self._require_at_most_one([self.stands[unit] for unit in units])
        by_province: dict[ProvinceCode, list[Literal]] = {}
        for candidate in self.candidates:
            by_province.setdefault(candidate.province, []).append(candidate.given)
            self.cnf.require(-candidate.given, self.stands[candidate.order.unit])
            self.cnf.require(-candidate.given, self.conditions[candidate.order])
        for given in by_province.values():
            self._require_at_most_one(given)
        self.cnf.require(-self.cnf.at_least(self.bounds.most + 1, [*self.occupancy.values()]))
        if self.bounds.fleets is not None:
            fleets = [literal for unit, literal in self.stands.items() if unit.kind is UnitKind.FLEET]
            self.cnf.require(-self.cnf.at_least(self.bounds.fleets + 1, fleets))

    def _require_at_most_one(self, literals: Iterable[Literal]) -> None:
        before = FALSE
        for literal in literals:
            self.cnf.require(-before, -literal)
            before = self.cnf.any_of((before, literal))

    def encode_resolution(
        self,
        rulebook: Rulebook,
        label: str,
        convoys: Mapping[Candidate, Literal] | None = None,
        *,
        moves_may_fail: bool = False,
    ) -> EncodedOutcome:
        """Add the equations of another resolution under a rulebook and return it; for parameters, see `encode_equations`."""
        return encode_equations(
            self.cnf,
            self.list_counting_candidates(rulebook),
            game_map=self.map,
            rulebook=rulebook,
            occupied=self.occupancy,
            same_power=self.same_power,
            no_hold_support=self.no_hold_support[self.bounds.rulebooks.index(rulebook)],
            convoys=convoys,
            moves_may_fail=moves_may_fail,
            most_units=self.bounds.most,
            label=f"{label} ",
        )


class LegalOrders:
    """The possible orders on open boards, with the conditions under which they are legal by a rulebook."""

    def __init__(self, boards: BoardClauses, rulebook: Rulebook) -> None:
        self.boards = boards
        self.cnf = boards.cnf
        self.map = boards.map
        self.stands = boards.stands
        self.units_in = boards.units_in
        self.rules = rulebook

    def iter_conditions(self) -> Iterator[tuple[MovementOrder, Literal]]:
        """Yield every possible order except holds, with the literal that is true if it is legal, provided its unit exists."""
        for unit in self.stands:
            yield from self._iter_moves(unit)
            if self.boards.bounds.most < 2:
                continue  # a support and a convoy take two units
            yield from self._iter_supports(unit)
            if unit.kind is UnitKind.FLEET and unit.province in self.map.convoying:
                yield from self._iter_convoys(unit)

    def _iter_moves(self, unit: Named) -> Iterator[tuple[Move, Literal]]:
        """Yield a unit's moves, by land, by water or by convoy, each with the literal that is true if it is legal (4.E.1).

        If the army could go by land, a move `via convoy` without fleets is illegal under a rulebook that never falls back to
        land (4.A.3); under others, `via convoy` has no effect then.
        """
        for destination in self._list_exits(unit):
            yield Move(unit, destination), TRUE
        if unit.kind is UnitKind.ARMY:
            falls_back = self.rules.land_fallback is not LandFallback.NEVER
            overseas = [*self._iter_overseas(unit.province)]
            if falls_back and self.boards.bounds.under_one:  # another rulebook may find the move illegal without fleets
                overseas.extend(destination for destination in self._list_exits(unit) if destination not in overseas)
            for destination in overseas:
                by_land = destination in self.map.army.get(unit.province, ())
                fleets = TRUE if by_land and falls_back else self._could_be_convoyed(unit.province, destination)
                yield Move(unit, destination, via_convoy=by_land), fleets

    def _iter_supports(self, unit: Named) -> Iterator[tuple[SupportHold | SupportMove, Literal]]:
        """Yield a unit's supports into provinces that it could move to, each with the literal that is true if it is legal."""
        for target in sorted({province_of(place) for place in self._list_exits(unit)}):
            yield SupportHold(unit, Named(None, target)), self.boards.occupancy.get(target, FALSE)
            coasts = self.map.provinces[target].coasts
            for origin in self.units_in:
                if origin not in (unit.province, target):
                    for named_place in (target, *(f"{target}/{coast}" for coast in coasts)):
                        possible = self._could_be_supported(unit, origin, named_place)
                        if possible != FALSE:
                            yield SupportMove(unit, Named(None, origin), named_place), possible

    def _could_be_supported(self, helper: Named, origin: ProvinceCode, named_place: Location) -> Literal:
        """Return the literal that `helper` may support a unit's move from `origin` to `named_place` without convoying it."""
        could = []
        for unit in self.units_in[origin]:
            if unit.kind is UnitKind.FLEET:
                could.append(self.cnf.all_of((self.stands[unit], self._has_right_coast(helper, unit, named_place))))
            elif not coast_of(named_place):
                by_land = named_place in self.map.army.get(origin, ())
                way = TRUE if by_land else self._could_be_convoyed(origin, named_place, excluded=helper.province)
                could.append(self.cnf.all_of((self.stands[unit], way)))
        return self.cnf.any_of(could)

    def _has_right_coast(self, helper: Named, fleet: Named, named_place: Location) -> Literal:
        """Return the literal that is true if the support of a fleet's move names the coast as the rulebook requires (4.B.4)."""
        coasts = [location for location in self._list_exits(fleet) if province_of(location) == province_of(named_place)]
        choice = self.rules.support_coast
        if not coasts:
            return FALSE
        if coast_of(named_place):
            if choice is SupportCoast.IGNORED:  # the coast has no effect here, but may have one under another rulebook
                return TRUE if len(self.boards.bounds.rulebooks) > 1 else FALSE
            return TRUE if named_place in coasts else FALSE
        if not coast_of(coasts[0]):
            return TRUE
        match choice:
            case SupportCoast.EITHER | SupportCoast.IGNORED:
                return TRUE
            case SupportCoast.MANDATORY | SupportCoast.DEFAULT:  # the order names the coast, or the default applies
                return FALSE
            case SupportCoast.MANDATORY_IF_TWO:
                return TRUE if len(coasts) == 1 else FALSE
            case SupportCoast.OWN:
                return TRUE if len(coasts) == 1 else self.boards.same_power(helper.province, fleet.province)

    def _iter_convoys(self, fleet: Named) -> Iterator[tuple[Convoy, Literal]]:
        """Yield a fleet's convoy orders, each with the literal that the army exists and the fleet is on a route of fleets."""
        for (origin, destination), routes in self.routes.items():
            through = [self._has_fleets(route) for route in routes if fleet.province in route]
            if through:
                army = Named(UnitKind.ARMY, origin)
                yield (
                    Convoy(fleet, army, destination),
                    self.cnf.all_of((self.stands.get(army, FALSE), self.cnf.any_of(through))),
                )

    def _list_exits(self, unit: Named) -> list[Location]:
        assert unit.kind is not None
        return sorted(self.map.exits(unit.kind, unit.location))

    @cached_property
    def routes(self) -> Mapping[tuple[ProvinceCode, ProvinceCode], list[Route]]:
        """The routes on which fleets could convoy an army, by pair of origin and destination."""
        ashore = [place for place, seas in sorted(self.map.shores.items()) if seas and place not in self.map.seas]
        found = {}
        for origin in ashore:
            for destination in ashore:
                if origin != destination:
                    routes = self._list_routes(origin, destination)
                    if routes:
                        found[origin, destination] = routes
        return found

    @cached_property
    def _convoy_provinces(self) -> list[ProvinceCode]:
        """The provinces where a fleet may stand and could convoy."""
        return [province for province in sorted(self.map.convoying) if Named(UnitKind.FLEET, province) in self.stands]

    def _list_routes(self, origin: ProvinceCode, destination: ProvinceCode) -> list[Route]:
        legal = iter_simple_routes if self.rules.superfluous_convoy is SuperfluousConvoy.LEGAL else iter_proper_routes
        return list(legal(self.map, origin, destination, self._convoy_provinces, self.boards.bounds.most - 1))

    def _iter_overseas(self, origin: ProvinceCode) -> Iterator[ProvinceCode]:
        return (destination for start, destination in self.routes if start == origin)

    def _could_be_convoyed(self, origin: ProvinceCode, destination: ProvinceCode, excluded: ProvinceCode = "") -> Literal:
        """Return the literal that is true if fleets stand all along some route that avoids the province `excluded`."""
        routes = self.routes.get((origin, destination), ())
        return self.cnf.any_of(self._has_fleets(route) for route in routes if excluded not in route)

    def _has_fleets(self, route: Collection[ProvinceCode]) -> Literal:
        return self.cnf.all_of(self.stands.get(Named(UnitKind.FLEET, province), FALSE) for province in route)
