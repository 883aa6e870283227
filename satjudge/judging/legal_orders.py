"""Lists the legal orders of a position in any phase: for each unit, dislodged unit or empty home centre.

Orders are proposed generously from the map and the units, and the judge's own legality (`satjudge.judging.legality`, retreats,
adjustments) decides which of them are legal. So no rule is repeated here, and an illegal proposal only costs time.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain
from typing import overload

from satjudge.base.errors import EngineLimitError, NotFoundError, RulebookError
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
"""The maximum number of proposals that are checked for all units together."""


def legal_orders(board: Board, rulebook: Rulebook | str | None = None) -> dict[Power, dict[str, list[Order]]]:
    """Return every legal order in this phase as values, by power, then by the text of what is ordered.

    What is ordered is a unit (`"A PAR"`), a centre in which a unit may be built (`"PAR"`), or a canal that a power holds
    (`"SC"`). Each order is legal by itself, but two may exclude each other, such as two builds in one centre. Orders are
    written in full, with kinds and coasts. Moves with `VIA` are listed if fleets could convoy them, but without convoy paths
    (4.A.6). Raises `BoardError` for an impossible position, `RulebookError` for an unknown rulebook, and `EngineLimitError` if
    more than `MOST_PROPOSALS` orders would have to be examined; then use `unit_orders`.
    """
    rules = _find_rulebook(rulebook)
    board = board.ensure_possible()
    rows = _iter_movement_orders(board, rules) if board.phase is Phase.MOVEMENT else _iter_later_orders(board, rules)
    return {power: {what: list(orders) for what, orders in group.items()} for power, group in _group_by_power(rows).items()}


def legal_order_texts(board: Board, rulebook: Rulebook | str | None = None) -> dict[str, list[str]]:
    """Return the orders of `legal_orders` as texts, by the unit, centre or canal that is ordered; raises the same errors."""
    return find_phase_orders(board, _find_rulebook(rulebook)).by_unit


def orderable(board: Board, rulebook: Rulebook | str | None = None) -> dict[Power, dict[str, Sequence[Order]]]:
    """Return what `legal_orders` returns, but with sequences that compute a unit's orders only when you read them.

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
    """The legal orders of one phase as texts, computed when they are first needed, and cached."""

    def __init__(self, board: Board, rules: Rulebook) -> None:
        self.board, self.rules = board.ensure_possible(), rules
        self._texts: dict[str, list[str]] = {}

    def __repr__(self) -> str:
        return one_line("PhaseOrders", self.board.phase_name, self.rules.name)

    @cached_property
    def orderable(self) -> dict[Power, list[str]]:
        """The texts of the units, centres and canals that each power may order."""
        if self.board.phase is Phase.MOVEMENT:  # every unit has a legal order: it may hold
            units = [(unit.power, str(unit)) for unit in _list_player_units(self.board)]
            return group_pairs([*units, *((power, subject) for power, subject, orders in self._orders_by_subject if orders)])
        return group_pairs((power, subject) for power, subject, orders in self._orders_by_subject if orders)

    @cached_property
    def names(self) -> frozenset[str]:
        """The texts of all units, centres and canals that may be ordered, as in `orderable`."""
        return frozenset(chain.from_iterable(self.orderable.values()))

    @cached_property
    def powers(self) -> frozenset[Power]:
        """The powers that own a centre or have a unit that is not dislodged."""
        return frozenset((*self.board.centers.values(), *(unit.power for unit in self.board.units)))

    @property
    def by_unit(self) -> dict[str, list[str]]:
        """All legal orders as texts, by the unit, centre or canal that is ordered.

        Raises `EngineLimitError` if there are too many.
        """
        if self.board.phase is Phase.MOVEMENT:
            _check_count(self.board)
        return {subject: list(self.list_orders(subject)) for names in self.orderable.values() for subject in names}

    def list_orders(self, name: str) -> Sequence[str]:
        """Return the orders of one unit, centre or canal, named as in `orderable`; raises `KeyError` for an unknown name."""
        found = self._texts.get(name)
        if found is None:
            found = self._texts[name] = self._list_texts(name)
        return found

    def match_listed(self, power: Power, texts: Sequence[object]) -> dict[str, str] | None:
        """Return the texts by the units that they order if all are legal orders of the power listed before, else None.

        Also returns None if two texts are for the same unit.
        """
        orders = {_find_ordered_name(text): text for text in texts if type(text) is str}
        whole = len(orders) == len(texts) and all(self._is_listed(power, *both) for both in orders.items())
        return orders if whole else None

    def _is_listed(self, power: Power, name: str, text: str) -> bool:
        """Return whether a text is among the orders that were listed before for this unit or centre of the power."""
        texts = self._texts.get(name)
        return texts is not None and text in texts and self._owners.get(name) == power

    @cached_property
    def _owners(self) -> dict[str, Power]:
        """The power that may order each unit or centre, by the text of the unit or centre."""
        if self.board.phase is Phase.MOVEMENT:
            return {name: self.board.units[index].power for name, index in self._unit_positions.items()}
        return {subject: power for power, subject, _ in self._orders_by_subject}

    def _list_texts(self, name: str) -> list[str]:
        index = self._unit_positions.get(name)
        if index is None:
            return [*map(str, self._orders_by_name[name])]
        if self._kernel_texts is not None:
            return self._kernel_texts[index]
        return [*map(str, UnitOrders(self.board, self.board.units[index], self.rules, self._proposals))]

    @cached_property
    def _kernel_texts(self) -> list[list[str]] | None:
        """The orders of each unit as the compiled kernel lists them; None if Python must list them."""
        return legal_texts(self.board, self.rules)

    @cached_property
    def _unit_positions(self) -> dict[str, int]:
        """The index in `board.units` of each unit, by its text; empty except in a movement phase."""
        units = self.board.units if self.board.phase is Phase.MOVEMENT else ()
        return {str(unit): index for index, unit in enumerate(units)}

    @cached_property
    def _proposals(self) -> _Proposals:
        return _Proposals(self.board)

    @cached_property
    def _orders_by_subject(self) -> list[tuple[Power, str, list[Order]]]:
        """All that may be ordered, each as its power, its text and its orders; in a movement phase only canals."""
        listed = _iter_permissions if self.board.phase is Phase.MOVEMENT else _iter_later_orders
        return list(listed(self.board, self.rules))

    @cached_property
    def _orders_by_name(self) -> dict[str, list[Order]]:
        return {subject: orders for _, subject, orders in self._orders_by_subject}


_RECENT: deque[PhaseOrders] = deque(maxlen=4)
"""The latest results, because a caller that lists the orders of a position often plays some of them in a game."""


def find_phase_orders(board: Board, rules: Rulebook) -> PhaseOrders:
    """Return the legal orders of a phase, from the cache if it is one of the last few phases."""
    for recent in tuple(_RECENT):
        if recent.board is board and recent.rules is rules:
            return recent
    found = PhaseOrders(board, rules)
    _RECENT.append(found)
    return found


def _list_player_units(board: Board) -> list[Unit]:
    """List the units on the board that a player orders, which leaves out neutral units."""
    return [unit for unit in board.units if unit.power != board.map.nobody]


def _find_ordered_name(text: str) -> str:
    """Return the unit that a listed order is for, as a text, or the code of the centre for a build."""
    words = text.split(" ", 2)
    return province_of(words[1]) if words[2:] == ["B"] else " ".join(words[:2])


def _group_by_power(orders_by_subject: Iterable[tuple[Power, str, Sequence[Order]]]) -> dict[Power, dict[str, Sequence[Order]]]:
    """Return orders by power, then by the text of what is ordered; those that have no legal order are left out."""
    found: dict[Power, dict[str, Sequence[Order]]] = {}
    for power, subject, orders in orders_by_subject:
        if orders:
            found.setdefault(power, {})[subject] = orders
    return found


def has_too_many_orders(board: Board) -> bool:
    """Return whether a movement phase has more proposed orders than `MOST_PROPOSALS`, so that listing all is refused."""
    return board.phase is Phase.MOVEMENT and _Proposals(board.ensure_possible()).count() > MOST_PROPOSALS


class UnitOrders(Sequence[Order]):
    """The legal orders of a unit in a movement phase, computed as they are read."""

    def __init__(self, board: Board, unit: Unit, rules: Rulebook, proposals: _Proposals) -> None:
        self.board = board
        self.unit = unit
        self.rules = rules
        self.proposals = proposals
        self._orders_read: list[Order] = []
        self._unread = self._iter_legal()

    def __repr__(self) -> str:
        return one_line("UnitOrders", str(self.unit), self.rules.name)

    def __iter__(self) -> Iterator[Order]:
        index = 0
        while index < len(self._orders_read) or self._read_one():
            yield self._orders_read[index]
            index += 1

    @overload
    def __getitem__(self, index: int) -> Order: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Order]: ...

    def __getitem__(self, index: int | slice) -> Order | Sequence[Order]:
        last = _find_last_index(index)
        while (last is None or last >= len(self._orders_read)) and self._read_one():
            pass
        return self._orders_read[index]

    def __len__(self) -> int:
        return len(self[:])

    def __bool__(self) -> bool:
        return bool(self._orders_read) or self._read_one()

    def __contains__(self, order: object) -> bool:
        if not isinstance(order, MovementOrder) or order.unit.province != self.unit.province:
            return False
        (entry,) = judge_orders_alone(self.board, self.unit.power, [order], self.rules)
        return entry.reason is None and entry.legal == order

    @property
    def convoys(self) -> dict[Named, list[ProvinceCode]]:
        """The armies that the unit, a fleet, might be ordered to convoy, each with the coasts to which it might go.

        Not every such order is legal, since the fleet must be on a proper route (4.E.1, 6.G.19), but all legal ones are
        included.
        """
        return {army.named: coasts for army, coasts in self.proposals.iter_convoys(self.unit)}

    def _read_one(self) -> bool:
        order = next(self._unread, None)
        if order is None:
            return False
        self._orders_read.append(order)
        return True

    def _iter_legal(self) -> Iterator[Order]:
        return iter_legal_forms(self.board, self.unit.power, self.proposals.propose_orders(self.unit, self.rules), self.rules)


def _find_last_index(index: int | slice) -> int | None:
    """Return the last position to compute for an index or a slice; None if all must be computed, as it counts from the end."""
    start, last = (0, index) if isinstance(index, int) else (index.start or 0, -1 if index.stop is None else index.stop - 1)
    from_end = start < 0 or last < 0 or (isinstance(index, slice) and index.step is not None)
    return None if from_end else last


def unit_orders(board: Board, unit: Unit | str, rulebook: Rulebook | str | None = None) -> UnitOrders:
    """Return the legal orders of one unit in a movement phase, as a sequence that computes each order when you read it.

    The unit is a value or a text (`"A PAR"`). Raises `NotFoundError` for a text that names no unit on the board.
    """
    board = board.ensure_possible()
    if isinstance(unit, str):
        unit = _find_unit(board, unit)
    return UnitOrders(board, unit, _find_rulebook(rulebook), _Proposals(board))


def _find_unit(board: Board, text: str) -> Unit:
    """Return the unit on the board whose text this is, such as `A PAR`; raises `NotFoundError`."""
    found = next((unit for unit in board.units if str(unit) == text.strip().upper()), None)
    if found is None:
        raise NotFoundError(f"there is no unit {text!r} on the board", suggestion="write one as 'A PAR' or 'F SPA/SC'")
    return found


def _find_rulebook(rulebook: Rulebook | str | None) -> Rulebook:
    if isinstance(rulebook, str) and rulebook[:2].upper() in ("A ", "F "):
        hint = f"for the orders of a unit, write legal_orders()[{rulebook!r}]"
        raise RulebookError(f"there is no rulebook {rulebook!r}", suggestion=hint)
    return rulebook if isinstance(rulebook, Rulebook) else load_rulebook(rulebook or DEFAULT_RULES)


def _iter_later_orders(board: Board, rules: Rulebook) -> Iterator[tuple[Power, str, list[Order]]]:
    """Yield each power and unit, or centre to build in, with its legal orders in a retreat or adjustment phase."""
    yield from _iter_retreats(board, rules) if board.phase is Phase.RETREAT else _iter_adjustments(board, rules)


def _iter_retreats(board: Board, rules: Rulebook) -> Iterator[tuple[Power, str, list[Order]]]:
    for lost in board.dislodged:
        if lost.unit.power == board.map.nobody:
            continue
        power, unit_name = lost.unit.power, lost.unit.named
        proposed: list[Order] = [*(Retreat(unit_name, place) for place in _list_exits(board, lost)), Disband(unit_name)]
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
        for subject, orders in proposed.items():
            yield power, subject, filter_legal_adjustments(board, power, orders, rules)


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
    """Raise `EngineLimitError` for a board with more proposed orders than `MOST_PROPOSALS`."""
    units, provinces = len(board.units), len(board.map.provinces)
    if units * units * provinces + 2 * units * provinces <= MOST_PROPOSALS:  # an upper bound, which is quick to compute
        return
    count = _Proposals(board).count()
    if count > MOST_PROPOSALS:
        raise EngineLimitError(
            f"there are {count:,} orders that may be legal for the {len(board.units)} units, but at most {MOST_PROPOSALS:,} "
            "can be checked together: ask for the orders of one unit (`board.unit_orders('A PAR')`, "
            "`satjudge game show --legal 'A PAR'`)"
        )


def _iter_permissions(board: Board, rules: Rulebook) -> Iterator[tuple[Power, str, list[Order]]]:
    """Yield for each canal the power that holds it, its name, and the legal permissions to pass it (DATC 2.4, 7.C)."""
    for canal in board.map.canals:
        keeper = board.unit_at.get(canal.keeper)
        if keeper is not None:
            both = (canal.seas, canal.seas[::-1])
            passing = [Permission(canal.name, board.unit_at[sea].named, goal) for sea, goal in both if sea in board.unit_at]
            yield keeper.power, canal.name, list(iter_legal_forms(board, keeper.power, passing, rules))


class _Proposals:
    """The orders of a movement phase that may be legal under some rulebook, and perhaps others."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.map = board.open_map

    def propose_orders(self, unit: Unit, rules: Rulebook) -> Iterator[Order]:
        """Yield orders for a unit that include all its legal ones, and perhaps others."""
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
        """Yield the orders by which a unit becomes the other kind, where the map allows that."""
        province = self.map.provinces[province_of(unit.location)]
        if self.map.may_transform(province.code):
            to_fleet = unit.kind is UnitKind.ARMY
            places = province.locations if to_fleet else (province.code,)
            yield from (Hold(unit, Named(UnitKind.FLEET if to_fleet else UnitKind.ARMY, place)) for place in places)

    def count(self) -> int:
        """Return the number of orders proposed for all units, counting also supports and convoys of a unit for itself."""
        helped = Counter(province_of(to) for unit in self.board.units for to in {*self.destinations[unit], unit.province})
        reached = Counter(chain.from_iterable(self._find_reach(unit) for unit in self.board.units))
        supports = sum(times * helped[province] for province, times in reached.items())
        carried = sum(map(len, self.convoy_coasts.values()))
        convoys = sum(len(coasts) for unit in self.board.units for _, coasts in self.iter_convoys(unit))
        return len(self.board.units) + sum(map(len, self.destinations.values())) + carried + supports + convoys

    def iter_convoys(self, unit: Unit) -> Iterator[tuple[Unit, list[ProvinceCode]]]:
        """Yield each army that the unit, if a fleet, might convoy, with the coasts to which fleets could carry the army."""
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
        """The locations to which each unit might be ordered to go by land, sea, convoy, canal or railroad."""
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
        """The coasts to which the fleets on the board could carry each army, whatever they are ordered."""
        armies = (unit for unit in self.board.units if unit.kind is UnitKind.ARMY)
        return {unit: coasts_beyond(self.map, unit.province, self.board.convoyers) for unit in armies}


def coasts_beyond(game_map: Map, province: ProvinceCode, fleets: Set[ProvinceCode]) -> list[ProvinceCode]:
    """List the coasts to which fleets in these provinces could carry an army from a province."""
    return list_convoy_coasts(game_map, province, frozenset(fleets))
