"""Goals about units after the moves: which is dislodged, and which stands where."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from satjudge.errors import InputError
from satjudge.geography import Location, Map, Power, ProvinceCode, province_of
from satjudge.goals.goal import Goal, OutcomeGoal
from satjudge.goals.judged import Judged, fits, same_unit
from satjudge.notation.parse import parse_location, parse_power
from satjudge.orders import Named
from satjudge.solve.clauses import FALSE, Literal
from satjudge.unknown.encoding import Encoding
from satjudge.unknown.universe import Universe


@dataclass(frozen=True, slots=True)
class Dislodged(OutcomeGoal):
    """The unit in the province is dislodged; where a coast is named, a fleet on that coast."""

    name = "dislodged"
    form = "dislodged:PROVINCE"

    place: Location

    def __str__(self) -> str:
        return f"dislodged:{self.place}"

    @classmethod
    def read(cls, argument: str, game_map: Map) -> Goal:
        return cls(existing(argument, game_map))

    @property
    def province(self) -> ProvinceCode:
        """The province, whatever the coast."""
        return province_of(self.place)

    def holds(self, judged: Judged) -> bool:
        lost = judged.outcome.dislodgements.values() if judged.outcome else ()
        return any(fits(self.place, one.unit.location) for one in lost)

    def literal(self, encoding: Encoding) -> Literal:
        return encoding.all_of((_unit_at(encoding, self.place), encoding.dislodged(self.province)))

    def hints(self, universe: Universe) -> Iterator[str]:
        return about_unit(Named(None, self.place), universe)


@dataclass(frozen=True, slots=True)
class Occupied(OutcomeGoal):
    """A unit, of that power if one is named, stands in the province after the moves; on that coast if one is named."""

    name = "occupied"
    form = "occupied:PROVINCE=POWER"

    place: Location
    power: Power | None = None

    def __str__(self) -> str:
        return f"occupied:{self.place}" + (f"={self.power}" if self.power else "")

    @classmethod
    def read(cls, argument: str, game_map: Map) -> Goal:
        place, equals, power = argument.partition("=")
        return cls(existing(place, game_map), parse_power(power, game_map) if equals else None)

    @property
    def province(self) -> ProvinceCode:
        """The province, whatever the coast."""
        return province_of(self.place)

    def holds(self, judged: Judged) -> bool:
        units = judged.outcome.units if judged.outcome else ()
        return any(fits(self.place, unit.location) and self.power in (None, unit.power) for unit in units)

    def literal(self, encoding: Encoding) -> Literal:
        """A unit of that power stays in the province undisturbed, or enters it."""
        place = encoding.orders.situation.places.get(self.province)
        here = (_unit_at(encoding, self.place), self._owned(encoding, self.province))
        stays = encoding.all_of((*here, -encoding.left(self.province), -encoding.entered(self.province)))
        entering = [move for move in place.moves_in if fits(self.place, move.order.destination)] if place else []
        arriving = (encoding.all_of((encoding.move(m), self._owned(encoding, m.origin.province))) for m in entering)
        return encoding.any_of((stays, *arriving))

    def _owned(self, encoding: Encoding, province: ProvinceCode) -> Literal:
        orders = encoding.orders
        return orders.powers.of(province, self.power) if self.power else orders.occupied.get(province, FALSE)

    def hints(self, universe: Universe) -> Iterator[str]:
        """Nothing moves there, or there is no such power."""
        if self.province not in universe.provinces:
            yield f"{self.province} is outside the region"
        elif self.power and not universe.spots and all(unit.power != self.power for unit in universe.units):
            yield f"no unit of {universe.map.name_of(self.power)} is on the board"

    def powers(self) -> frozenset[Power]:
        return frozenset((self.power,)) if self.power else frozenset()


def existing(text: str, game_map: Map) -> Location:
    """The province or coast of that name. Raises `InputError` for one that there is not."""
    location = parse_location(text, game_map)
    if location not in game_map.locations:
        province = province_of(location)
        coasts = sorted(one for one in game_map.locations if province_of(one) == province and one != province)
        raise InputError(f"there is no {location}", suggestion=f"write {' or '.join((province, *coasts))}", column=1)
    return location


def _unit_at(encoding: Encoding, place: Location) -> Literal:
    """A unit stands in the province, or on the coast, before the moves."""
    there = encoding.orders.units_in(province_of(place))
    return encoding.any_of(literal for spot, literal in there if fits(place, spot.location))


def about_unit(named: Named, universe: Universe) -> Iterator[str]:
    """Why there can be no such unit."""
    if named.province not in universe.provinces:
        yield f"{named.province} is outside the region"
    elif not any(same_unit(named, spot.named) for spot in universe.standing):
        yield f"there is no {named}" if named.kind else f"no unit stands in {named.location}"
