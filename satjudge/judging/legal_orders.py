"""Lists the legal orders of a position in any phase: for each unit, dislodged unit or empty home centre.

Orders are proposed from the map and the units, generously, and the judge's own legality (`satjudge.judging.legality`, retreats,
adjustments) says which of them are legal. So no rule is stated here; what is proposed in vain costs time and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from itertools import chain

from satjudge.base.lazy import cached_property
from satjudge.judging.adjustments import why_not_adjusted
from satjudge.judging.legality import legal_alone
from satjudge.judging.retreats import judge_retreats
from satjudge.world.board import Board, DislodgedUnit, Phase, Unit
from satjudge.world.geography import Location, Map, Power, ProvinceCode, Terrain, UnitKind, province_of
from satjudge.world.orders import (
    Build,
    Convoy,
    Decline,
    Disband,
    Hold,
    Move,
    Named,
    Order,
    Permission,
    Remove,
    Retreat,
    SupportHold,
    SupportMove,
)
from satjudge.world.rules import DEFAULT_RULES, Rulebook, load_rulebook
from satjudge.world.seasons import adjustments_due, build_sites


def legal_orders(board: Board, rulebook: Rulebook | str | None = None) -> dict[Power, dict[str, list[Order]]]:
    """List every legal order in this phase, by power, and by the unit or centre that is ordered.

    That is a unit as it is written (`"A PAR"`), a centre in which something may be built (`"PAR"`), or a canal that a power
    holds (`"SC"`). An order is legal by itself; two that are may be too many together, as two builds in one centre are.
    Orders stand in full: with kinds and coasts. `VIA` is listed where fleets are there that could convoy; convoy paths are not
    written out (4.A.6). Raises `BoardError` for an impossible position, `RulebookError` for an unknown rulebook.
    """
    rules = rulebook if isinstance(rulebook, Rulebook) else load_rulebook(rulebook or DEFAULT_RULES)
    board = board.checked()
    if board.phase is Phase.RETREAT:
        listed: Iterator[tuple[Power, str, list[Order]]] = _retreats(board, rules)
    elif board.phase is Phase.ADJUSTMENT:
        listed = _adjustments(board, rules)
    else:
        listed = _moves(board, rules)
    found: dict[Power, dict[str, list[Order]]] = {}
    for power, what, orders in listed:
        if orders:
            found.setdefault(power, {})[what] = orders
    return found


def _retreats(board: Board, rules: Rulebook) -> Iterator[tuple[Power, str, list[Order]]]:
    for lost in board.dislodged:
        power, named = lost.unit.power, lost.unit.named
        proposed: list[Order] = [*(Retreat(named, place) for place in _ways_out(board, lost)), Disband(named)]
        judged = (judge_retreats(board, {power: [order]}, rulebook=rules).judged[power][0] for order in proposed)
        yield power, str(lost.unit), [entry.order for entry in judged if entry.reason is None]


def _ways_out(board: Board, lost: DislodgedUnit) -> list[Location]:
    return sorted(board.map.exits(lost.unit.kind, lost.unit.location))


def _adjustments(board: Board, rules: Rulebook) -> Iterator[tuple[Power, str, list[Order]]]:
    for power, due in adjustments_due(board).items():
        proposed: dict[str, list[Order]] = {}
        if due < 0:
            proposed = {str(unit): [Remove(unit.named)] for unit in board.units if unit.power == power}
        for site in build_sites(board, power) if due > 0 else ():
            places = dict.fromkeys((site, *board.map.provinces[site].locations))
            spots = ((kind, place) for kind in UnitKind for place in places)
            built = [Build(Named(*spot)) for spot in spots if board.map.problem_with(*spot) is None]
            proposed[site] = [*built, Decline()]
        for what, orders in proposed.items():
            yield power, what, [order for order in orders if why_not_adjusted(board, power, order, rules) is None]


def _moves(board: Board, rules: Rulebook) -> Iterator[tuple[Power, str, list[Order]]]:
    proposals = _Proposals(board)
    for unit in board.units:
        yield unit.power, str(unit), _kept(board, unit.power, proposals.of(unit), rules)
    for canal in board.map.canals:
        keeper = board.unit_at.get(canal.keeper)
        if keeper is not None:
            both = (canal.seas, canal.seas[::-1])
            passing = [
                Permission(canal.name, board.unit_at[here].named, there) for here, there in both if here in board.unit_at
            ]
            yield keeper.power, canal.name, _kept(board, keeper.power, passing, rules)


def _kept(board: Board, power: Power, proposed: Iterable[Order], rules: Rulebook) -> list[Order]:
    """The legal ones in the form in which they count, each once."""
    entries = legal_alone(board, power, proposed, rules)
    return list(dict.fromkeys(entry.legal or entry.order for entry in entries if entry.reason is None))


class _Proposals:
    """Orders of a movement phase that may be legal, and perhaps some more: all that any rulebook finds legal are among them."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.map = board.open_map

    def of(self, unit: Unit) -> Iterator[Order]:
        """The orders proposed for a unit."""
        me, reach = unit.named, {province_of(place) for place in self.map.exits(unit.kind, unit.location)}
        yield Hold(me)
        yield from self._moves(unit)
        for other in self.board.units:
            if other.province in reach and other is not unit:
                yield SupportHold(me, other.named)
        for other in self.board.units:
            if other is not unit:
                yield from (SupportMove(me, other.named, to) for to in self.destinations[other] if province_of(to) in reach)
        if unit.kind is UnitKind.FLEET and unit.province in self.board.convoyers:
            for other in self.board.units:
                yield from (Convoy(me, other.named, coast) for coast in self.convoyed_to.get(other, ()))

    def _moves(self, unit: Unit) -> Iterator[Move]:
        me = unit.named
        yield from (Move(me, place) for place in self.destinations[unit])
        yield from (Move(me, coast, via_convoy=True) for coast in self.convoyed_to.get(unit, ()))
        for line in self.map.railroads:
            if unit.kind is UnitKind.ARMY and unit.province in line.line:
                yield from (Move(me, place, railroad=line.name) for place in line.line)

    @cached_property
    def destinations(self) -> Mapping[Unit, list[Location]]:
        """Where each unit may be ordered or helped to go, by whatever way."""
        found: dict[Unit, list[Location]] = {}
        for unit in self.board.units:
            by_canal = chain.from_iterable(canal.seas for canal in self.map.canals if unit.location in canal.seas)
            by_rail = chain.from_iterable(line.line for line in self.map.railroads if unit.province in line.line)
            army = unit.kind is UnitKind.ARMY
            others = {*self.convoyed_to.get(unit, ()), *by_rail} if army else set(by_canal)
            reached = self.map.exits(unit.kind, unit.location) | others
            found[unit] = sorted({*reached, *map(province_of, reached)} - {unit.location, unit.province})
        return found

    @cached_property
    def convoyed_to(self) -> Mapping[Unit, list[ProvinceCode]]:
        """The coasts to which fleets that stand could carry each army."""
        armies = (unit for unit in self.board.units if unit.kind is UnitKind.ARMY)
        return {unit: coasts_beyond(self.map, unit.province, self.board.convoyers) for unit in armies}


def coasts_beyond(game_map: Map, province: ProvinceCode, fleets: Set[ProvinceCode]) -> list[ProvinceCode]:
    """List the coasts to which fleets in these provinces could carry an army from a province."""
    passed: set[ProvinceCode] = set()
    waters = list(game_map.shores.get(province, frozenset()) & fleets)
    while waters:
        water = waters.pop()
        if water not in passed:
            passed.add(water)
            ways = chain.from_iterable(game_map.fleet.get(place, ()) for place in game_map.provinces[water].locations)
            waters += [place for place in map(province_of, ways) if place in fleets]
    return sorted(
        coast
        for coast, touched in game_map.shores.items()
        if touched & passed and coast != province and game_map.provinces[coast].terrain is Terrain.COAST
    )
