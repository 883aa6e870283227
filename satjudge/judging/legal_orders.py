"""Lists the legal orders of a position in any phase: for each unit, dislodged unit or empty home centre.

Orders are proposed from the map and the units, generously, and the judge's own legality (`satjudge.judging.legality`, retreats,
adjustments) says which of them are legal. So no rule is stated here; an illegal proposal costs only time.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain
from typing import overload

from satjudge.base.errors import EngineLimitError, NotFoundError
from satjudge.base.imports import cached_property
from satjudge.base.values import one_line
from satjudge.judging.adjustments import filter_legal_adjustments
from satjudge.judging.fast_path import legal_texts, legal_values
from satjudge.judging.legality import iter_coasts_through, iter_legal_forms, judge_orders_alone, list_convoy_coasts
from satjudge.judging.retreats import judge_retreats
from satjudge.world.board import Board, DislodgedUnit, Phase, Unit, group_pairs
from satjudge.world.geography import Location, Map, Power, ProvinceCode, UnitKind, province_of
from satjudge.world.orders import (
    Build,
    Convoy,
    Decline,
    Disband,
    Hold,
    Move,
    MovementOrder,
    Named,
    Order,
    Permission,
    Remove,
    Retreat,
    SupportHold,
    SupportMove,
)
from satjudge.world.rules import DEFAULT_RULES, Rulebook, load_rulebook
from satjudge.world.rules.rulebook import SuperfluousConvoy
from satjudge.world.seasons import adjustments_due, build_sites

MOST_PROPOSALS = 100_000
"""The most proposals that are checked for all units at once."""


def legal_orders(board: Board, rulebook: Rulebook | str | None = None) -> dict[Power, dict[str, list[Order]]]:
    """Return every legal order in this phase as values, by power, then by the text of the unit or centre that is ordered.

    These are the text of a unit (`"A PAR"`), a centre in which a unit may be built (`"PAR"`), or a canal that a power holds
    (`"SC"`). Each order is legal by itself, but two may exclude each other, such as two builds in one centre. Orders are in
    full, with kinds and coasts. `VIA` is listed if there are fleets that could convoy; convoy paths are not written out
    (4.A.6). Raises `BoardError` for an impossible position, `RulebookError` for an unknown rulebook, and `EngineLimitError`
    if more than `MOST_PROPOSALS` orders would have to be examined; `unit_orders` is for one unit.
    """
    rules = _find_rulebook(rulebook)
    board = board.ensure_possible()
    listed = _iter_movement_orders(board, rules) if board.phase is Phase.MOVEMENT else _iter_later_orders(board, rules)
    return {power: {what: list(orders) for what, orders in of.items()} for power, of in _group_by_power(listed).items()}


def legal_order_texts(board: Board, rulebook: Rulebook | str | None = None) -> dict[str, list[str]]:
    """Return the orders of `legal_orders` as texts, by the unit or place that is ordered; raises the same errors."""
    return find_phase_orders(board, _find_rulebook(rulebook)).by_unit


def orderable(board: Board, rulebook: Rulebook | str | None = None) -> dict[Power, dict[str, Sequence[Order]]]:
    """Return what `legal_orders` returns, but with sequences that compute a unit's orders only when they are read.

    It also works on boards with too many orders to list.
    """
    rules = _find_rulebook(rulebook)
    board = board.ensure_possible()
    if board.phase is not Phase.MOVEMENT:
        return _group_by_power(_iter_later_orders(board, rules))
    proposals = _Proposals(board)
    of_units = ((unit.power, str(unit), UnitOrders(board, unit, rules, proposals)) for unit in _list_player_units(board))
    return _group_by_power(chain(of_units, _iter_permissions(board, rules)))


class PhaseOrders:
    """The legal orders of one phase as texts, worked out when they are first needed, and cached."""

    def __init__(self, board: Board, rules: Rulebook) -> None:
        self.board, self.rules = board.ensure_possible(), rules
        self._texts: dict[str, list[str]] = {}

    def __repr__(self) -> str:
        return one_line("PhaseOrders", self.board.phase_name, self.rules.name)

    @cached_property
    def orderable(self) -> dict[Power, list[str]]:
        """The texts of the units, centres and canals that each power may order."""
        if self.board.phase is Phase.MOVEMENT:  # every unit that is ordered may hold
            units = [(unit.power, str(unit)) for unit in _list_player_units(self.board)]
            return group_pairs([*units, *((power, what) for power, what, orders in self._orders_by_subject if orders)])
        return group_pairs((power, what) for power, what, orders in self._orders_by_subject if orders)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of all that may be ordered, as `orderable` writes them."""
        return frozenset(chain.from_iterable(self.orderable.values()))

    @cached_property
    def powers(self) -> frozenset[Power]:
        """The powers that own a centre or have a unit that is not dislodged."""
        return frozenset((*self.board.centers.values(), *(unit.power for unit in self.board.units)))

    @property
    def by_unit(self) -> dict[str, list[str]]:
        """All legal orders as texts, by the unit or place that is ordered.

        Raises `EngineLimitError` if there are too many.
        """
        if self.board.phase is Phase.MOVEMENT:
            _check_count(self.board)
        return {what: list(self.list_orders(what)) for names in self.orderable.values() for what in names}

    def list_orders(self, name: str) -> Sequence[str]:
        """List the orders of one unit, centre or canal, named as `orderable` does; raises `KeyError` for another name."""
        found = self._texts.get(name)
        if found is None:
            found = self._texts[name] = self._list_texts(name)
        return found

    def match_listed(self, power: Power, texts: Sequence[object]) -> dict[str, str] | None:
        """Return texts by their units if all are legal orders of the power that were listed before, else None.

        None if one of them is not listed, or if two are for one unit.
        """
        orders = {_find_ordered_name(text): text for text in texts if type(text) is str}
        whole = len(orders) == len(texts) and all(self._is_listed(power, *both) for both in orders.items())
        return orders if whole else None

    def _is_listed(self, power: Power, name: str, text: str) -> bool:
        """Return whether a text is among the orders of this power's unit or centre that were listed before."""
        listed = self._texts.get(name)
        return listed is not None and text in listed and self._owners.get(name) == power

    @cached_property
    def _owners(self) -> dict[str, Power]:
        """The power that orders each unit or centre, by its text."""
        if self.board.phase is Phase.MOVEMENT:
            return {what: self.board.units[at].power for what, at in self._unit_positions.items()}
        return {what: power for power, what, _ in self._orders_by_subject}

    def _list_texts(self, name: str) -> list[str]:
        at = self._unit_positions.get(name)
        if at is None:
            return [*map(str, self._orders_by_name[name])]
        if self._kernel_texts is not None:
            return self._kernel_texts[at]
        return [*map(str, UnitOrders(self.board, self.board.units[at], self.rules, self._proposals))]

    @cached_property
    def _kernel_texts(self) -> list[list[str]] | None:
        """The orders of each unit as the compiled kernel lists them; None if Python must list them."""
        return legal_texts(self.board, self.rules)

    @cached_property
    def _unit_positions(self) -> dict[str, int]:
        """The index in `board.units` of each unit that may be ordered to move, by its text."""
        units = self.board.units if self.board.phase is Phase.MOVEMENT else ()
        return {str(unit): at for at, unit in enumerate(units)}

    @cached_property
    def _proposals(self) -> _Proposals:
        return _Proposals(self.board)

    @cached_property
    def _orders_by_subject(self) -> list[tuple[Power, str, list[Order]]]:
        """Each power and unit, centre or canal with its orders; in a movement phase only permissions for canals."""
        listed = _iter_permissions if self.board.phase is Phase.MOVEMENT else _iter_later_orders
        return list(listed(self.board, self.rules))

    @cached_property
    def _orders_by_name(self) -> dict[str, list[Order]]:
        return {what: orders for _, what, orders in self._orders_by_subject}


_RECENT: deque[PhaseOrders] = deque(maxlen=4)
"""The latest answers, because a caller that lists the orders of a position often gives some of them in a game."""


def find_phase_orders(board: Board, rules: Rulebook) -> PhaseOrders:
    """Return the legal orders of a phase, which are cached for the last few phases."""
    for kept in tuple(_RECENT):
        if kept.board is board and kept.rules is rules:
            return kept
    found = PhaseOrders(board, rules)
    _RECENT.append(found)
    return found


def _list_player_units(board: Board) -> list[Unit]:
    """List the units that are not those of a power without a player."""
    return [unit for unit in board.units if unit.power != board.map.nobody]


def _find_ordered_name(text: str) -> str:
    """Return the text of the unit, or the code of the centre to build in, that a listed order is for."""
    words = text.split(" ", 2)
    return province_of(words[1]) if words[2:] == ["B"] else " ".join(words[:2])


def _group_by_power(listed: Iterable[tuple[Power, str, Sequence[Order]]]) -> dict[Power, dict[str, Sequence[Order]]]:
    """Return the orders by power and by the text of the unit or place; those without any order are left out."""
    found: dict[Power, dict[str, Sequence[Order]]] = {}
    for power, what, orders in listed:
        if orders:
            found.setdefault(power, {})[what] = orders
    return found


def has_too_many_orders(board: Board) -> bool:
    """Return whether a movement phase has too many possible orders to list them all."""
    return board.phase is Phase.MOVEMENT and _Proposals(board.ensure_possible()).count() > MOST_PROPOSALS


class UnitOrders(Sequence[Order]):
    """The legal orders of a unit in a movement phase, worked out as they are read."""

    def __init__(self, board: Board, unit: Unit, rules: Rulebook, proposals: _Proposals) -> None:
        self.board = board
        self.unit = unit
        self.rules = rules
        self.proposals = proposals
        self._found: list[Order] = []
        self._rest = self._iter_legal()

    def __repr__(self) -> str:
        return one_line("UnitOrders", str(self.unit), self.rules.name)

    def __iter__(self) -> Iterator[Order]:
        at = 0
        while at < len(self._found) or self._read_one():
            yield self._found[at]
            at += 1

    @overload
    def __getitem__(self, at: int) -> Order: ...

    @overload
    def __getitem__(self, at: slice) -> Sequence[Order]: ...

    def __getitem__(self, at: int | slice) -> Order | Sequence[Order]:
        wanted = _find_last_index(at)
        while (wanted is None or wanted >= len(self._found)) and self._read_one():
            pass
        return self._found[at]

    def __len__(self) -> int:
        return len(self[:])

    def __bool__(self) -> bool:
        return bool(self._found) or self._read_one()

    def __contains__(self, order: object) -> bool:
        if not isinstance(order, MovementOrder) or order.unit.province != self.unit.province:
            return False
        (entry,) = judge_orders_alone(self.board, self.unit.power, [order], self.rules)
        return entry.reason is None and entry.legal == order

    @property
    def convoys(self) -> dict[Named, list[ProvinceCode]]:
        """Return the coasts to which a fleet might be ordered to convoy each army.

        Not every one is legal, for the fleet must be on a proper route (4.E.1, 6.G.19); every legal one is among them.
        """
        return {army.named: coasts for army, coasts in self.proposals.iter_convoys(self.unit)}

    def _read_one(self) -> bool:
        found = next(self._rest, None)
        if found is None:
            return False
        self._found.append(found)
        return True

    def _iter_legal(self) -> Iterator[Order]:
        return iter_legal_forms(self.board, self.unit.power, self.proposals.propose_orders(self.unit, self.rules), self.rules)


def _find_last_index(at: int | slice) -> int | None:
    """Return the last index that is needed for an index or a slice; None if the length must be known."""
    start, last = (0, at) if isinstance(at, int) else (at.start or 0, -1 if at.stop is None else at.stop - 1)
    from_end = start < 0 or last < 0 or (isinstance(at, slice) and at.step is not None)
    return None if from_end else last


def unit_orders(board: Board, unit: Unit | str, rulebook: Rulebook | str | None = None) -> UnitOrders:
    """Return the legal orders of one unit in a movement phase as a sequence that is computed as it is read.

    The unit is a value or a text (`"A PAR"`). Raises `NotFoundError` for one that is not on the board.
    """
    board = board.ensure_possible()
    if isinstance(unit, str):
        unit = _find_unit(board, unit)
    return UnitOrders(board, unit, _find_rulebook(rulebook), _Proposals(board))


def _find_unit(board: Board, text: str) -> Unit:
    """Return the unit on the board with this name; raises `NotFoundError`."""
    found = next((unit for unit in board.units if str(unit) == text.strip().upper()), None)
    if found is None:
        raise NotFoundError(f"there is no unit {text!r} on the board", suggestion="write one as 'A PAR' or 'F SPA/SC'")
    return found


def _find_rulebook(rulebook: Rulebook | str | None) -> Rulebook:
    return rulebook if isinstance(rulebook, Rulebook) else load_rulebook(rulebook or DEFAULT_RULES)


def _iter_later_orders(board: Board, rules: Rulebook) -> Iterator[tuple[Power, str, list[Order]]]:
    """Yield the legal orders of a retreat or adjustment phase, with their power and unit or centre."""
    yield from _iter_retreats(board, rules) if board.phase is Phase.RETREAT else _iter_adjustments(board, rules)


def _iter_retreats(board: Board, rules: Rulebook) -> Iterator[tuple[Power, str, list[Order]]]:
    for lost in board.dislodged:
        if lost.unit.power == board.map.nobody:
            continue
        power, named = lost.unit.power, lost.unit.named
        proposed: list[Order] = [*(Retreat(named, place) for place in _list_exits(board, lost)), Disband(named)]
        judged = (judge_retreats(board, {power: [order]}, rulebook=rules).judged[power][0] for order in proposed)
        yield power, str(lost.unit), [entry.order for entry in judged if entry.reason is None]


def _list_exits(board: Board, lost: DislodgedUnit) -> list[Location]:
    return sorted(board.map.exits(lost.unit.kind, lost.unit.location))


def _iter_adjustments(board: Board, rules: Rulebook) -> Iterator[tuple[Power, str, list[Order]]]:
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
            yield power, what, filter_legal_adjustments(board, power, orders, rules)


def _iter_movement_orders(board: Board, rules: Rulebook) -> Iterator[tuple[Power, str, list[Order]]]:
    _check_count(board)
    if (at_once := legal_values(board, rules)) is not None:
        yield from ((unit.power, str(unit), orders) for unit, orders in zip(board.units, at_once, strict=True))
    else:
        proposals = _Proposals(board)
        yield from (
            (unit.power, str(unit), list(UnitOrders(board, unit, rules, proposals))) for unit in _list_player_units(board)
        )
    yield from _iter_permissions(board, rules)


def _check_count(board: Board) -> None:
    """Raise `EngineLimitError` for a board with too many possible orders to list them all."""
    units, provinces = len(board.units), len(board.map.provinces)
    if units * units * provinces + 2 * units * provinces <= MOST_PROPOSALS:  # more than could be
        return
    count = _Proposals(board).count()
    if count > MOST_PROPOSALS:
        raise EngineLimitError(
            f"there are {count:,} orders that may be legal for the {len(board.units)} units, but at most {MOST_PROPOSALS:,} "
            "can be checked together: ask for the orders of one unit (`board.unit_orders('A PAR')`, "
            "`satjudge game show --legal 'A PAR'`)"
        )


def _iter_permissions(board: Board, rules: Rulebook) -> Iterator[tuple[Power, str, list[Order]]]:
    """Yield the legal permissions to pass each canal, with the power and the canal's name (DATC 2.4, 7.C)."""
    for canal in board.map.canals:
        keeper = board.unit_at.get(canal.keeper)
        if keeper is not None:
            both = (canal.seas, canal.seas[::-1])
            passing = [
                Permission(canal.name, board.unit_at[here].named, there) for here, there in both if here in board.unit_at
            ]
            yield keeper.power, canal.name, list(iter_legal_forms(board, keeper.power, passing, rules))


class _Proposals:
    """The orders of a movement phase that may be legal under any rulebook, and perhaps some more."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.map = board.open_map

    def propose_orders(self, unit: Unit, rules: Rulebook) -> Iterator[Order]:
        """Yield orders for a unit among which are all its legal ones."""
        me, reach = unit.named, self._find_reach(unit)
        yield Hold(me)
        yield from self._propose_transformations(me)
        yield from self._propose_moves(unit)
        for other in self.board.units:
            if other.province in reach and other is not unit:
                yield SupportHold(me, other.named)
        for other in self.board.units:
            if other is not unit:
                yield from (SupportMove(me, other.named, to) for to in self.destinations[other] if province_of(to) in reach)
        roundabout, fleets = rules.superfluous_convoy is SuperfluousConvoy.LEGAL, self.board.convoyers
        for other, coasts in self.iter_convoys(unit):
            on_route = iter_coasts_through(self.map, other.province, coasts, fleets, unit.province, roundabout=roundabout)
            yield from (Convoy(me, other.named, coast) for coast in on_route)

    def _propose_transformations(self, unit: Named) -> Iterator[Hold]:
        """Yield the order to a unit to become the other kind, where a map has that."""
        province = self.map.provinces[province_of(unit.location)]
        if self.map.may_transform(province.code):
            to_fleet = unit.kind is UnitKind.ARMY
            places = province.locations if to_fleet else (province.code,)
            yield from (Hold(unit, Named(UnitKind.FLEET if to_fleet else UnitKind.ARMY, place)) for place in places)

    def count(self) -> int:
        """Return the number of orders proposed for all units, with supports and convoys of a unit for itself."""
        helped = Counter(province_of(to) for unit in self.board.units for to in {*self.destinations[unit], unit.province})
        reached = Counter(chain.from_iterable(self._find_reach(unit) for unit in self.board.units))
        supports = sum(times * helped[province] for province, times in reached.items())
        carried = sum(map(len, self.convoy_coasts.values()))
        convoys = sum(len(coasts) for unit in self.board.units for _, coasts in self.iter_convoys(unit))
        return len(self.board.units) + sum(map(len, self.destinations.values())) + carried + supports + convoys

    def iter_convoys(self, unit: Unit) -> Iterator[tuple[Unit, list[ProvinceCode]]]:
        """Yield each army that a fleet might convoy, with the coasts to which fleets could carry it."""
        if unit.kind is UnitKind.FLEET and unit.province in self.board.convoyers:
            for army, coasts in self.convoy_coasts.items():
                if coasts and army is not unit:
                    yield army, coasts

    def _find_reach(self, unit: Unit) -> set[ProvinceCode]:
        return {province_of(place) for place in self.map.exits(unit.kind, unit.location)}

    def _propose_moves(self, unit: Unit) -> Iterator[Move]:
        me = unit.named
        yield from (Move(me, place) for place in self.destinations[unit])
        yield from (Move(me, coast, via_convoy=True) for coast in self.convoy_coasts.get(unit, ()))
        for line in self.map.railroads:
            if unit.kind is UnitKind.ARMY and unit.province in line.line:
                yield from (Move(me, place, railroad=line.name) for place in line.line)

    @cached_property
    def destinations(self) -> Mapping[Unit, list[Location]]:
        """The locations to which each unit may be ordered, or supported, to go by any way."""
        found: dict[Unit, list[Location]] = {}
        for unit in self.board.units:
            by_canal = chain.from_iterable(canal.seas for canal in self.map.canals if unit.location in canal.seas)
            by_rail = chain.from_iterable(line.line for line in self.map.railroads if unit.province in line.line)
            army = unit.kind is UnitKind.ARMY
            others = {*self.convoy_coasts.get(unit, ()), *by_rail} if army else set(by_canal)
            reached = self.map.exits(unit.kind, unit.location) | others
            found[unit] = sorted({*reached, *map(province_of, reached)} - {unit.location, unit.province})
        return found

    @cached_property
    def convoy_coasts(self) -> Mapping[Unit, list[ProvinceCode]]:
        """The coasts to which the fleets on the board could carry each army."""
        armies = (unit for unit in self.board.units if unit.kind is UnitKind.ARMY)
        return {unit: coasts_beyond(self.map, unit.province, self.board.convoyers) for unit in armies}


def coasts_beyond(game_map: Map, province: ProvinceCode, fleets: Set[ProvinceCode]) -> list[ProvinceCode]:
    """List the coasts to which an army could be carried from a province by fleets in these provinces."""
    return list_convoy_coasts(game_map, province, frozenset(fleets))
