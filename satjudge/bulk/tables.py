"""Works out once for a map what all boards share: numbers for locations, units and order texts, and when orders are legal.

Legality is asked of `satjudge.legality`, on boards that hold just the units that an order speaks of, once for each text, unit
and other unit that meet. What then still depends on the board is which seas hold fleets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product

import numpy
from numpy.typing import NDArray

from satjudge.board import Board, Phase, Unit
from satjudge.bulk.arrays import CONVOY, MOVE, NONE, SUPPORT, Numbers
from satjudge.errors import NotationError
from satjudge.geography import Location, Map, Power, ProvinceCode, UnitKind, province_of
from satjudge.legality import convoy_routes, sort_out
from satjudge.notation import parse_order, parse_unit
from satjudge.orders import Convoy, Hold, Move, MovementOrder, Order, SupportHold, SupportMove
from satjudge.rules import Rulebook

UNREADABLE = -1

# What is known of the map, as rows of a matrix. A location's number is that of its province, or beyond these for a coast;
# a state is a kind of unit and its location; seas are bits; routes are those over all seas.
PROVINCE_OF_LOCATION, PROVINCE_OF_STATE, AFTER_MOVE, FIRST_EXIT, EXIT, SEA = range(6)
FIRST_KNOWN_ROUTE, KNOWN_ROUTE, FIRST_KNOWN_LEG, KNOWN_LEG = range(6, 10)
# What is known of a text: the provinces of the unit that is ordered and of the one that is supported or convoyed.
OWN_PROVINCE, OTHER_PROVINCE = range(2)
# An order in full: a kind of decision or one of these, where it leads, the province of the other unit, …
FORM_KIND, FORM_DESTINATION, FORM_OTHER, FORM_BY_LAND, FORM_VIA_CONVOY, FORM_SUPPORTS_HOLD, FORM_WHEN = range(7)
HOLD, ILLEGAL = 3, 4
# … and when it is legal: with a route from origin to destination, with one that does not need the supporter, or with a
# proper one that the fleet is on.
ALWAYS, WITH_ROUTE, ANOTHER_ROUTE, ON_ROUTE = range(4)

_KEPT = 300_000
"""Texts or forms that are kept at most."""
_MOST_SEAS = 62

_ILLEGAL_FORM = (ILLEGAL, NONE, NONE, False, False, False, ALWAYS)


class Texts(dict[str, int]):
    """The numbers of texts. One that is new is read when it is asked for; one that cannot be read has number -1."""

    def __init__(self, read: Callable[[str], int]) -> None:
        super().__init__()
        self.read = read

    def __missing__(self, text: str) -> int:
        try:
            self[text] = number = self.read(text)
        except NotationError:
            return UNREADABLE
        return number


class Tables:
    """Everything that was worked out for one map and rulebook. Texts and forms only grow, until there are too many."""

    def __init__(self, game_map: Map, rulebook: Rulebook) -> None:
        assert len(game_map.seas) <= _MOST_SEAS
        self.map = game_map
        self.rulebook = rulebook
        self.provinces = sorted(game_map.provinces)
        coasts = (place for province in game_map.provinces.values() for place in province.locations)
        self.locations: list[Location] = [*self.provinces, *sorted(set(coasts) - set(self.provinces))]
        self.number_of = {location: number for number, location in enumerate(self.locations)}
        self.states = [(kind, place) for kind in UnitKind for place in self.locations if not game_map.problem_with(kind, place)]
        self.state_of = {state: number for number, state in enumerate(self.states)}
        self.unit_texts = [f"{kind} {location}" for kind, location in self.states]
        pairs = product(self.provinces, repeat=2)
        routes = [convoy_routes(game_map, origin, destination, game_map.seas) for origin, destination in pairs]
        self.most_routes = max(map(len, routes))
        exits = [sorted(game_map.exits(kind, place)) for kind, place in self.states]
        self.most_exits = max(map(len, exits))
        self.known = self._known(exits, routes)
        self.begin_anew()

    def begin_anew(self) -> None:
        """Forget all texts and forms."""
        self.units = Texts(self._read_unit)
        self.texts = Texts(self._read_order)
        self.orders: list[Order] = []
        self.text_rows: Numbers = numpy.full((1024, 2), NONE, numpy.int32)
        self.forms = _empty(1 << 12)
        """A hash table: keys (text, unit and other unit in one number) and the rows of `form_rows` that belong to them."""
        self.form_count = 0
        self.form_rows: Numbers = numpy.full((256, len(_ILLEGAL_FORM)), NONE, numpy.int32)
        self.row_of: dict[tuple[int, ...], int] = {}

    @property
    def too_large(self) -> bool:
        """Whether it is time to begin anew."""
        return max(self.form_count, len(self.orders), len(self.units)) > _KEPT

    @property
    def states_and_none(self) -> int:
        """How many answers there are to which unit is in a province."""
        return len(self.states) + 1

    def _known(
        self, exits: Sequence[Sequence[Location]], routes: Sequence[Sequence[Sequence[ProvinceCode]]]
    ) -> NDArray[numpy.int64]:
        """The map as a matrix."""
        bit = {sea: 1 << number for number, sea in enumerate(sorted(self.map.seas))}
        every_route = [route for some in routes for route in some]
        rows: dict[int, Iterable[int]] = {
            PROVINCE_OF_LOCATION: (self.number_of[province_of(place)] for place in self.locations),
            PROVINCE_OF_STATE: (self.number_of[province_of(place)] for _, place in self.states),
            AFTER_MOVE: (self.state_of.get((kind, there), NONE) for kind, _ in self.states for there in self.locations),
            FIRST_EXIT: _starts(exits),
            EXIT: (self.number_of[there] for some in exits for there in some),
            SEA: (bit.get(province, 0) for province in self.provinces),
            FIRST_KNOWN_ROUTE: _starts(routes),
            KNOWN_ROUTE: (sum(bit[sea] for sea in route) for route in every_route),
            FIRST_KNOWN_LEG: _starts(every_route),
            KNOWN_LEG: (self.number_of[sea] for route in every_route for sea in route),
        }
        found = [list(rows[number]) for number in range(len(rows))]
        matrix = numpy.full((len(found), max(map(len, found))), NONE, numpy.int64)
        for row, values in zip(matrix, found, strict=True):
            row[: len(values)] = values
        return matrix

    def _read_unit(self, text: str) -> int:
        """The state of a unit; -1 for a unit that cannot be."""
        unit = parse_unit(text, "", self.map)
        return self.state_of.get((unit.kind, unit.location), UNREADABLE)

    def _read_order(self, text: str) -> int:
        """A number for the order that a new text says."""
        order, number = parse_order(text, self.map, Phase.MOVEMENT), len(self.orders)
        if number == len(self.text_rows):
            self.text_rows = _doubled(self.text_rows)
        other = _other_unit(order)
        own = order.unit.province if isinstance(order, MovementOrder) else None
        self.orders.append(order)
        self.text_rows[number] = [NONE if province is None else self.number_of[province] for province in (own, other)]
        return number

    def learn(self, keys: Iterable[int]) -> None:
        """Work out the forms of these texts with these units, which are not known yet."""
        for key in keys:
            rest, other = divmod(key, self.states_and_none)
            order, state = divmod(rest, self.states_and_none)
            form = self._form(self.orders[order], *self._units(state, other))
            row = self.row_of.setdefault(form, len(self.row_of))
            if row == len(self.form_rows):
                self.form_rows = _doubled(self.form_rows)
            self.form_rows[row] = form
            self._remember(key, row)

    def _units(self, *states: int) -> list[Unit]:
        """The units in these states, of a power each; the last may be none, or the first once more."""
        owned = zip(("ours", "theirs"), dict.fromkeys(states), strict=False)
        return [Unit(power, *self.states[state]) for power, state in owned if state < len(self.states)]

    def _form(self, order: Order, *units: Unit) -> tuple[int, ...]:
        """The order in full, and when it is legal."""
        when, legal = ALWAYS, self._legal(order, units)
        if legal is None and type(order) in _WHEN:
            spoken_of = {_other_unit(order), *(unit.province for unit in units)}
            fleets = (Unit("theirs", UnitKind.FLEET, sea) for sea in sorted(self.map.seas) if sea not in spoken_of)
            when, legal = _WHEN[type(order)], self._legal(order, (*units, *fleets))
        if legal is None:
            return _ILLEGAL_FORM
        to = self.number_of[legal.destination] if isinstance(legal, Move | SupportMove | Convoy) else NONE
        helped = _other_unit(legal)
        other = NONE if helped is None else self.number_of[helped]
        unit = units[0]
        by_land = isinstance(legal, Move) and legal.destination in self.map.exits(unit.kind, unit.location)
        via_convoy = isinstance(legal, Move) and legal.via_convoy
        return (_KINDS[type(legal)], to, other, by_land, via_convoy, isinstance(legal, SupportHold), when)

    def _legal(self, order: Order, units: Sequence[Unit]) -> MovementOrder | None:
        power: Power = units[0].power
        return sort_out(Board(tuple(units), map=self.map), {power: [order]}, self.rulebook).entries[power][0].legal

    def _remember(self, key: int, row: int) -> None:
        self.form_count += 1
        if 2 * self.form_count > self.forms.shape[1]:
            smaller = self.forms
            self.forms = _empty(4 * smaller.shape[1])
            for old, known in smaller[:, smaller[0] != NONE].T.tolist():
                _put(self.forms, old, known)
        _put(self.forms, key, row)


_KINDS: dict[type[MovementOrder], int] = {
    Move: MOVE, SupportHold: SUPPORT, SupportMove: SUPPORT, Convoy: CONVOY, Hold: HOLD,
}  # fmt: skip
_WHEN: dict[type[Order], int] = {Move: WITH_ROUTE, SupportMove: ANOTHER_ROUTE, Convoy: ON_ROUTE}


def _other_unit(order: Order) -> ProvinceCode | None:
    """The province of the unit that is supported or convoyed."""
    if isinstance(order, SupportHold | SupportMove):
        return order.supported.province
    return order.convoyed.province if isinstance(order, Convoy) else None


def _empty(slots: int) -> NDArray[numpy.int64]:
    return numpy.full((2, slots), NONE, numpy.int64)


def _put(forms: NDArray[numpy.int64], key: int, row: int) -> None:
    """Enter a key that is not in the hash table; `satjudge.bulk.boards.form_of` looks for it in the same way."""
    mask = forms.shape[1] - 1
    slot = key & mask
    while forms[0, slot] != NONE:
        slot = (slot + 1) & mask
    forms[:, slot] = key, row


def _starts(collections: Iterable[Sequence[object]]) -> list[int]:
    """Where each collection begins if all are laid end to end, and where the last one ends."""
    starts = [0]
    for collection in collections:
        starts.append(starts[-1] + len(collection))
    return starts


def _doubled(rows: Numbers) -> Numbers:
    return numpy.concatenate((rows, numpy.full_like(rows, NONE)))
