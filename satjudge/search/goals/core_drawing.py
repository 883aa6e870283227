"""Draws boards for cores by following the ring of links (`satjudge.search.goals.cores`) instead of searching for them.

Every unit of a smallest board belongs to one link: the convoying fleet, its army, the unit where the army lands, and the
fleet's attacker with its helpers. A formula states where each unit can do its part, and a solver finds places for all of them.
The drawn board contains only the orders that the core needs. With routes of one fleet, no board with the core is smaller; each
further fleet adds a unit. If there are no such places, no board on the map or in the region has the core and such routes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from satjudge.judging.legality import Route
from satjudge.search.formulas.clauses import Formula, Literal
from satjudge.search.formulas.cpsat import Solver
from satjudge.search.goals.cores import LandingEffect, Paradox, Ring
from satjudge.search.goals.goal import DrawnBoard
from satjudge.search.open_orders.proposal import Proposal, complete_order
from satjudge.search.open_orders.universe import Spot, Universe, meaning_key
from satjudge.world.board import Board, Unit
from satjudge.world.geography import Map, ProvinceCode, UnitKind, province_of
from satjudge.world.orders import Convoy, Move, MovementOrder, Named, SupportHold, SupportMove

ARMY, FLEET = UnitKind.ARMY, UnitKind.FLEET


class Part(NamedTuple):
    """The role of a unit in a core, such as (`fleet`, 2) for the convoying fleet of the third link."""

    name: str
    link: int


class ConvoyRoute(NamedTuple):
    """A convoy route: the army's province, the provinces of the fleets, and the destination."""

    origin: ProvinceCode
    route: Route
    destination: ProvinceCode


@dataclass
class CoreDrawing:
    """A formula for the places of a core's units in a universe where all is free, with convoys of limited length."""

    universe: Universe
    core: Paradox | Ring
    longest_route: int = 1
    tick: Callable[[], object] = lambda: None

    formula: Formula = field(init=False)
    places: dict[Part, dict[Spot, Literal]] = field(init=False, default_factory=dict)
    ways: dict[int, dict[tuple[ConvoyRoute, int], Literal]] = field(init=False, default_factory=dict)
    """The possible routes of each link's convoy, each with the index of the fleet that is in the core."""
    beside: list[Literal] = field(init=False, default_factory=list)
    """The literals of extra fleets, those on a convoy route that are not in the core; a smallest board has few."""

    def __post_init__(self) -> None:
        self.formula = Formula(self.tick)
        self._all_ways = [
            ConvoyRoute(origin, route, destination)
            for (origin, destination), routes in self.universe.routes.items()
            if Spot(ARMY, origin) in self.universe.standing
            for route in routes
            if len(route) <= self.longest_route
        ]
        self._occupied: defaultdict[ProvinceCode, list[Literal]] = defaultdict(list)
        if isinstance(self.core, Paradox):
            self._require_links(self.core)
        else:
            self._require_ring(self.core)
        for literals in self._occupied.values():
            self.formula.require_at_most_one(literals)

    # Where the units may stand

    def _add_part(self, name: str, link: int, fits: Callable[[Spot], bool] = lambda spot: True) -> dict[Spot, Literal]:
        """Add a unit of a link that stands in exactly one of the spots for which `fits` holds; return its literal for each."""
        spots = {
            spot: self.formula.add_variable(f"{name} {link}: {spot.location}") for spot in self.universe.standing if fits(spot)
        }
        self.formula.require(*spots.values())
        self.formula.require_at_most_one(spots.values())
        for spot, literal in spots.items():
            self._occupied[spot.province].append(literal)
        self.places[Part(name, link)] = spots
        return spots

    def _require_reach(self, helpers: Mapping[Spot, Literal], targets: Mapping[Spot, Literal]) -> None:
        """Require that the unit placed by `helpers` can move to, and so support into, the province of the one in `targets`."""
        literals_by_province = defaultdict(list)
        for spot, literal in targets.items():
            literals_by_province[spot.province].append(literal)
        for spot, literal in helpers.items():
            reach = {province_of(exit_) for exit_ in self.universe.map.exits(*spot)}
            self.formula.require(-literal, *(at for province in sorted(reach) for at in literals_by_province.get(province, ())))

    def _require_convoy(
        self,
        link: int,
        army: Mapping[Spot, Literal],
        landing: Mapping[Spot, Literal],
        fleet: Mapping[Spot, Literal] | None,
        needed: Literal,
    ) -> None:
        """Require, if `needed` holds, a convoy of `army` to the place of `landing`, over `fleet` unless that is None."""
        ways: dict[tuple[ConvoyRoute, int], Literal] = {}
        lands = defaultdict(list)
        for spot, literal in landing.items():
            lands[spot.province].append(literal)
        sails = defaultdict(list)
        for way in self._all_ways:
            if Spot(ARMY, way.origin) in army and way.destination in lands:
                for number, sea in enumerate(way.route):
                    if fleet is None or Spot(FLEET, sea) in fleet:
                        literal = ways[way, number] = self.formula.add_variable(f"way {link}: {way}")
                        self.formula.require(-literal, army[Spot(ARMY, way.origin)])
                        self.formula.require(-literal, *lands[way.destination])
                        if fleet is not None:
                            self.formula.require(-literal, fleet[Spot(FLEET, sea)])
                        for other in way.route:
                            if fleet is None or other != sea:
                                sails[other].append(literal)
                    if fleet is None:
                        break
        for sea, literals in sails.items():
            is_occupied = self.formula.any_of(literals)
            self._occupied[sea].append(is_occupied)
            self.beside.append(is_occupied)
        self.formula.require(-needed, *ways.values())
        self.formula.require_at_most_one(ways.values())
        self.ways[link] = ways

    def _require_links(self, core: Paradox) -> None:
        seas, links = self.universe.map.seas, core.links
        at_sea: Callable[[Spot], bool] = lambda spot: spot.kind is FLEET and spot.province in seas  # noqa: E731
        fleets = [self._add_part("fleet", number, at_sea) for number in range(len(links))]
        always = self.formula.all_of(())
        for number, link in enumerate(links):
            sea = fleets[(number + 1) % len(links)]
            army = self._add_part("army", number, lambda spot: spot.kind is ARMY)
            landing = self._add_part("landing", number, lambda spot: spot.kind is FLEET and spot.province not in seas)
            self._require_convoy(number, army, landing, fleets[number], always)
            hands = {
                LandingEffect.ATTACK: ["attacker"],
                LandingEffect.HOLD: ["attacker", "helper"],
                LandingEffect.RIVAL: ["attacker", "helper", "rival"],
            }
            for helping in (landing, *(self._add_part(name, number, _is_fleet) for name in hands[link.hand])):
                self._require_reach(helping, sea)
            if link.dislodging:
                self._require_reach(self._add_part("guard", number), landing)

    def _require_ring(self, core: Ring) -> None:
        moves = [self._add_part("move", number) for number in range(len(core.by_convoy))]
        for number, convoyed in enumerate(core.by_convoy):
            following = moves[(number + 1) % len(moves)]
            if convoyed:
                armies = {spot: literal for spot, literal in moves[number].items() if spot.kind is ARMY}
                self.formula.require(*armies.values())
                self._require_convoy(number, armies, following, None, self.formula.all_of(()))
            else:
                self._require_reach(moves[number], following)

    # The drawn board

    def find_board(self, extra_fleets: int | None = None, *, timeout: float | None = None) -> tuple[Proposal | None, bool]:
        """Find a board with at most `extra_fleets` extra fleets (None: the fewest); also return whether the result is proved.

        If the result is proved, no board has fewer units, or there is none.
        """
        solver = Solver(self.formula)
        if extra_fleets is None:
            answer = solver.decide(minimise=self.beside, timeout=timeout)
        else:
            counted = sum(self.core.by_convoy) if isinstance(self.core, Ring) else 0
            answer = solver.decide(at_most=(self.beside, extra_fleets + counted), timeout=timeout)
        if answer.values is None:
            return None, answer.is_unsatisfiable
        at = {part: next(s for s, literal in spots.items() if answer.holds(literal)) for part, spots in self.places.items()}
        ways = {link: next((w for w, yes in ways.items() if answer.holds(yes)), None) for link, ways in self.ways.items()}
        starts = {link: way[0] for link, way in ways.items() if way}
        game_map, core = self.universe.map, self.core
        orders = dict(
            _order_links(game_map, core, at, starts) if isinstance(core, Paradox) else _order_ring(game_map, core, at, starts)
        )
        powers = self.universe.map.powers
        board = Board(tuple(Unit(powers[side], *spot) for spot, (side, _) in orders.items()), map=self.universe.map)
        written = {spot.province: complete_order(order, board, *self.universe.rulebooks) for spot, (_, order) in orders.items()}
        ordered = {spot.province: meaning_key(order) for spot, (_, order) in orders.items()}
        return Proposal(board, written, ordered), answer.exhausted


def draw_smallest_board(
    universe: Universe, core: Paradox | Ring, time_left: Callable[[], float | None] = lambda: None
) -> DrawnBoard:
    """Draw the smallest board with a core; return it, if one was found, with the proved lower bound on its units.

    With n extra fleets, no route is longer than n + 1, so short routes are tried first.
    """
    least, longest_route = core.least_units, universe.longest_route
    for beside in range(_FEW_BESIDE):
        drawing = CoreDrawing(universe, core, min(beside + 1, longest_route), time_left)
        proposal, sure = drawing.find_board(beside, timeout=time_left())
        if proposal is not None or not sure:
            return DrawnBoard(proposal, least + beside)
        if longest_route == 1:
            return DrawnBoard(None, None)
    proposal, sure = CoreDrawing(universe, core, longest_route, time_left).find_board(timeout=time_left())
    if sure:
        return DrawnBoard(proposal, None if proposal is None else len(proposal.board.units))
    return DrawnBoard(proposal, least + _FEW_BESIDE)


_FEW_BESIDE = 4
"""The number of extra fleets up to which the numbers are tried one by one, which is faster than minimising."""

Ordered = Iterator[tuple[Spot, tuple[int, MovementOrder]]]
"""Units, each with its side (`CONVOYS` or `ATTACKS`, which become two powers) and its order."""
CONVOYS, ATTACKS = 0, 1


def _is_fleet(spot: Spot) -> bool:
    return spot.kind is FLEET


def _order_convoy(game_map: Map, spot: Spot, route: ConvoyRoute) -> Ordered:
    """Yield the orders of an army and of the fleets on its route; `via convoy` is added if the army could go by land."""
    yield spot, (CONVOYS, Move(spot.unit_name, route.destination, via_convoy=route.destination in game_map.exits(*spot)))
    for sea in route.route:
        yield Spot(FLEET, sea), (CONVOYS, Convoy(Named(FLEET, sea), spot.unit_name, route.destination))


def _make_support(game_map: Map, helper: Spot, move: Move) -> SupportMove:
    """Return the order of `helper` to support a move, which names the moving unit's kind only if its target has coasts."""
    target = province_of(move.destination)
    kind = move.unit.kind if game_map.provinces[target].coasts else None
    return SupportMove(helper.unit_name, Named(kind, move.unit.location), target)


def _order_links(game_map: Map, core: Paradox, spots: Mapping[Part, Spot], routes: Mapping[int, ConvoyRoute]) -> Ordered:
    """Yield the orders of a paradox's units, from the spot of each unit and the route of each link's convoy."""
    for number, link in enumerate(core.links):
        yield from _order_convoy(game_map, spots[Part("army", number)], routes[number])
        landing, attacker = spots[Part("landing", number)], spots[Part("attacker", number)]
        fleet = spots[Part("fleet", (number + 1) % len(core.links))]
        attack = supported = Move(attacker.unit_name, fleet.location)
        yield attacker, (ATTACKS, attack)
        if link.hand is LandingEffect.RIVAL:
            rival = spots[Part("rival", number)]
            supported = Move(rival.unit_name, fleet.location)
            yield rival, (ATTACKS, supported)
        if link.hand is not LandingEffect.ATTACK:
            helper = spots[Part("helper", number)]
            yield helper, (ATTACKS, _make_support(game_map, helper, attack))
        hold = SupportHold(landing.unit_name, fleet.unit_name)
        yield landing, (ATTACKS, hold if link.hand is LandingEffect.HOLD else _make_support(game_map, landing, supported))
        if link.dislodging:
            guard, army = spots[Part("guard", number)], spots[Part("army", number)]
            yield guard, (CONVOYS, _make_support(game_map, guard, Move(army.unit_name, landing.province)))


def _order_ring(game_map: Map, core: Ring, spots: Mapping[Part, Spot], routes: Mapping[int, ConvoyRoute]) -> Ordered:
    """Yield the orders of a circular movement's units, all of one power, from their spots and the convoys' routes."""
    for number in range(len(core.by_convoy)):
        spot, after = spots[Part("move", number)], spots[Part("move", (number + 1) % len(spots))]
        if number in routes:
            yield from _order_convoy(game_map, spot, routes[number])
        else:  # to any coast
            exits = game_map.exits(*spot)
            yield spot, (CONVOYS, Move(spot.unit_name, min(exit_ for exit_ in exits if province_of(exit_) == after.province)))
