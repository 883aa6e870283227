"""Defines the position: units, dislodged units, supply centres and the turn, before any order is read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from functools import lru_cache
from typing import Any, Self, TypeVar, overload

from msgspec import Struct

from satjudge.base.errors import BoardError, NotFoundError
from satjudge.base.imports import cached_property, load_hook
from satjudge.base.values import LONGEST, Displayable, one_line
from satjudge.base.words import number_of
from satjudge.world.geography import Location, Map, Power, ProvinceCode, UnitKind, load_map, normal, province_of
from satjudge.world.orders import Named

K = TypeVar("K")
V = TypeVar("V")
D = TypeVar("D")
_KNOWN_UNITS = 100_000


class Phase(StrEnum):
    """One of the three phases of a turn."""

    MOVEMENT = "movement"
    RETREAT = "retreat"
    ADJUSTMENT = "adjustment"


class Season(StrEnum):
    """One of the two turns of a year; supply centres change hands at the end of Fall."""

    SPRING = "spring"
    FALL = "fall"


class Turn(Struct, frozen=True, order=True, gc=False):
    """A turn of a game.

    `Turn(1901, Season.FALL).name_of(Phase.ADJUSTMENT)` is `"W1901A"`: adjustments end a Fall turn.
    """

    year: int
    season: Season

    def __post_init__(self) -> None:
        if not isinstance(self.year, int) or not isinstance(self.season, Season):
            raise BoardError([f"a turn is written as Turn(1901, Season.FALL), not Turn({self.year!r}, {self.season!r})"])

    @property
    def next_turn(self) -> Turn:
        """The turn after this one: Fall of the same year, or Spring of the next."""
        return Turn(self.year + 1, Season.SPRING) if self.season is Season.FALL else Turn(self.year, Season.FALL)

    def name_of(self, phase: Phase) -> str:
        """Return the name of a phase of this turn as in saved games, such as `"F1901R"`."""
        letter = "W" if phase is Phase.ADJUSTMENT else self.season[0]
        return f"{letter}{self.year}{phase[0]}".upper()


class Unit(Struct, frozen=True, gc=False):
    """An army or fleet of a power, and its location.

    `str(unit)` is `"F STP/SC"`.
    """

    power: Power
    kind: UnitKind
    location: Location

    @property
    def province(self) -> ProvinceCode:
        """The province in which the unit is."""
        return province_of(self.location)

    @property
    def named(self) -> Named:
        """The unit's kind and location, as orders name it."""
        return Named(self.kind, self.location)

    def __str__(self) -> str:
        return f"{self.kind} {self.location}"


@lru_cache(maxsize=10_000)
def unit_of(power: Power, kind: UnitKind, location: Location) -> Unit:
    """Return the unit with these fields, from a cache: equal fields give the same object."""
    return Unit(power, kind, location)


@dataclass(frozen=True, slots=True)
class DislodgedUnit:
    """A dislodged unit, with the locations to which it may retreat, sorted, and its attacker's province if that is known.

    `disbanded_by` names the rule that disbands it although it could retreat (option 4.D.9.retreats).
    """

    unit: Unit
    retreats: tuple[Location, ...]
    attacker_origin: ProvinceCode | None = None
    disbanded_by: str = field(default="", compare=False)


@dataclass(frozen=True)
class Board(Displayable):
    """A position on a map: units, dislodged units, owners of supply centres, and the turn.

    `units` does not include the `dislodged` units, which must retreat. `centers` has the owner of each owned supply centre.
    `turn` is the turn of a game; None for a single position, of which nobody knows whether Fall or Spring follows.
    """

    units: tuple[Unit, ...]
    dislodged: tuple[DislodgedUnit, ...] = ()
    centers: Mapping[ProvinceCode, Power] = field(default_factory=dict)
    phase: Phase = Phase.MOVEMENT
    map: Map = field(default_factory=load_map, repr=False)
    turn: Turn | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.phase, Phase):
            raise BoardError([f"the phase must be one of Phase, such as Phase.RETREAT, not {self.phase!r:.60}"])
        if self.turn is not None and not isinstance(self.turn, Turn):
            raise BoardError([f"the turn must be a Turn, such as Turn(1901, Season.FALL), not {self.turn!r:.60}"])

    def can_retreat(self, unit: Unit | Named, destination: Location) -> bool:
        """Return whether the unit dislodged from the province of `unit` may retreat to a location; a coast may be omitted."""
        retreats = next((lost.retreats for lost in self.dislodged if lost.unit.province == unit.province), ())
        return destination in retreats or province_of(destination) in retreats or destination in map(province_of, retreats)

    @property
    def phase_name(self) -> str:
        """The name of the phase as in saved games, such as `"F1901R"`; "" if the board has no turn."""
        return self.turn.name_of(self.phase) if self.turn else ""

    @property
    def date(self) -> str:
        """The turn in the map's own calendar, such as `Spring 480 BC`; "" if the map has no calendar or the board no turn."""
        if self.turn is None or self.map.years is None:
            return ""
        return f"{self.turn.season.capitalize()} {self.map.year_called(self.turn.year, fall=self.turn.season is Season.FALL)}"

    def __repr__(self) -> str:
        standing = "; ".join(f"{power} {', '.join(units)}" for power, units in by_power(self.units).items())
        dislodged = number_of(len(self.dislodged), "dislodged unit") if self.dislodged else ""
        centers = number_of(len(self.centers), "owned centre") if self.centers else ""
        return one_line("Board", self.phase, standing, dislodged, centers)

    def __hash__(self) -> int:
        """Return a hash that is equal for equal boards, so that they can be keys."""
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.units, self.dislodged, frozenset(self.centers.items()), self.phase, self.map, self.turn))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the position without cached results; the map is pickled in its own way (`Map.__reduce__`)."""
        values = {entry.name: getattr(self, entry.name) for entry in fields(self)}
        return type(self), tuple((values | {"centers": dict(self.centers)}).values())

    @cached_property
    def unit_at(self) -> dict[ProvinceCode, Unit]:
        """The unit in each occupied province, without dislodged units."""
        return {province_of(unit.location): unit for unit in self.units}

    @cached_property
    def open_map(self) -> Map:
        """The map, with no borders into provinces closed in the board's season (DATC 2.4, 8); the whole map without a turn."""
        return self.map.in_season(self.turn.season) if self.turn else self.map

    @cached_property
    def convoyers(self) -> frozenset[ProvinceCode]:
        """The provinces with a fleet that can convoy: at sea, or on a coast where the map allows that (DATC 2.4, 9)."""
        convoying = self.open_map.convoying
        if convoying is self.map.seas:
            return convoying.intersection(self.unit_at)
        return frozenset(code for code, unit in self.unit_at.items() if code in convoying and unit.kind is UnitKind.FLEET)

    def homes(self, power: Power) -> frozenset[ProvinceCode]:
        """Return the centres in which a power may build while it owns them: its homes, or others if the map allows them."""
        if self.map.builds_anywhere:
            return frozenset(code for code, owner in self.centers.items() if owner == power)
        return self.map.build_centers(power)

    def legal_orders(self, rulebook: Any = None) -> dict[str, list[str]]:  # noqa: ANN401  # a `Rulebook`, whose module imports this one
        """Return every legal order as text, by its unit (`"A PAR"`), its canal, or the centre to build in (`"PAR"`).

        The rulebook is a `Rulebook` or its name. `satjudge.judging.legal_orders` describes the list and the errors.
        """
        found: dict[str, list[str]] = load_hook("legal_order_texts")(self, rulebook)
        return found

    def unit_orders(self, unit: Unit | str, rulebook: Any = None) -> Any:  # noqa: ANN401  # whose modules import this one
        """Return the legal orders of one unit (`"A PAR"`) in a movement phase, as a sequence that computes them as you read it.

        Its `convoys` has the coasts to which the unit, a fleet, might convoy each army, including every legal convoy. Raises
        `NotFoundError`.
        """
        return load_hook("unit_orders")(self, unit, rulebook)

    def problems(self) -> list[str]:
        """Return a sentence for each problem of the position; none if the position is possible."""
        return list(self._problems)

    @cached_property
    def _problems(self) -> list[str]:
        return [] if self._is_plainly_possible else self._problems_found()

    @property
    def _is_plainly_possible(self) -> bool:
        """True if a quick check finds the board possible: none dislodged, one valid unit per province, only real centres."""
        known: set[Unit | Power] = self.map.cache.setdefault(Board, set())
        is_simple = not self.dislodged and len(self.unit_at) == len(self.units) and self.map.centers.issuperset(self.centers)
        entries: set[Unit | Power] = {*self.units, *self.centers.values()}
        if is_simple and not known.issuperset(entries):
            if len(known) > _KNOWN_UNITS:  # powers may have any names
                known.clear()
            known.update(entry for entry in entries if self._find_problem(entry) is None)
        return is_simple and known.issuperset(entries)

    def _find_problem(self, entry: Unit | Power) -> str | None:
        """Return why a unit or an owner of centres is impossible on the map, or None if it is not."""
        if not isinstance(entry, Unit):
            return self.map.problem_with_power(entry)
        return self.map.problem_with(entry.kind, entry.location) or self.map.problem_with_power(entry.power)

    def _problems_found(self) -> list[str]:
        found: list[str] = []
        for units, noun in ((self.units, "units"), ([entry.unit for entry in self.dislodged], "dislodged units")):
            seen: dict[ProvinceCode, Unit] = {}
            for unit in units:
                if problem := self._find_problem(unit):
                    found.append(f"{unit} of {unit.power}: {problem}")
                elif other := seen.get(unit.province):
                    found.append(f"two {noun} in {unit.province}: {other} of {other.power} and {unit} of {unit.power}")
                else:
                    seen[unit.province] = unit
        for lost in self.dislodged:
            found.extend(self._problems_with_retreats(lost))
        for province, power in self.centers.items():
            if problem := self._find_problem(power):
                found.append(f"{power} owns {province}: {problem}")
            elif province not in self.map.provinces:
                found.append(f"{power} owns {province}: there is no such province on this map")
            elif province not in self.map.centers:
                found.append(f"{power} owns {province}: {self.map.provinces[province].name} has no supply centre")
        return found

    def _problems_with_retreats(self, lost: DislodgedUnit) -> list[str]:
        """Return a sentence for each location in `lost.retreats` to which the dislodged unit could not retreat."""
        found = []
        for location in lost.retreats:
            if location not in self.map.exits(lost.unit.kind, lost.unit.location):
                found.append(f"{lost.unit} of {lost.unit.power} cannot retreat to {location}: it cannot go there directly")
            elif (standing := self.unit_at.get(province_of(location))) is not None:
                who = f"{standing} of {standing.power}"
                found.append(f"{lost.unit} of {lost.unit.power} cannot retreat to {location}: {who} is there")
        return found

    def ensure_possible(self) -> Board:
        """Return this board if it is possible, else raise `BoardError` with all its problems."""
        if self._problems:
            raise BoardError(self.problems())
        return self


def starting_board(map_name: str | Map = "standard") -> Board:
    """Return the position in which a game on this map begins: Spring 1901 on the standard map.

    You can also pass your own map: `starting_board(read_map("island.toml"))`. Raises `NotFoundError` for an unknown name.
    """
    game_map = map_name if isinstance(map_name, Map) else load_map(map_name)
    turn = Turn(game_map.first_year, Season.SPRING)
    return Board(tuple(Unit(*entry) for entry in game_map.start), centers=dict(game_map.owners), map=game_map, turn=turn)


def by_power(units: Iterable[Unit]) -> dict[Power, list[str]]:
    """Group units by power, as texts in the batch format: `{"FRANCE": ["A BRE", "F ENG"]}`."""
    texts: dict[Power, list[str]] = {}
    for unit in units:
        texts.setdefault(unit.power, []).append(str(unit))
    return texts


def group_pairs(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """Map each first element of the pairs to the list of the second elements that occur with it."""
    found: dict[K, list[V]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


class MissingPowerError(NotFoundError, KeyError):
    """An error for a power that is not in a mapping by powers."""

    @classmethod
    def from_choices(cls, name: object, powers: Iterable[Power]) -> Self:
        """Return the error for a name that is not among these powers, with a suggestion that lists them."""
        names = [*powers]
        hint = f"there are entries for {', '.join(names)}" if names else "there are no entries"
        return cls(f"there is no entry for {name!r:.60} here", suggestion=hint)


class ByPower(dict[Power, V]):
    """A mapping whose keys are powers in capitals, such as `FRANCE`, which also finds `France` and `france`.

    The error for a missing power lists the powers in the mapping.
    """

    def _find_power(self, name: object) -> Power | None:
        """Return the key for a power's name in any spelling, or None."""
        if not isinstance(name, str):
            return None
        sought = normal(name)
        return next((power for power in self if normal(power) == sought), None)

    def __repr__(self) -> str:
        """Return the mapping as a dictionary's text, cut off if it is long and has values other than texts and numbers."""
        whole = super().__repr__()
        items = [item for value in self.values() for item in (value if isinstance(value, list) else [value])]
        if len(whole) <= LONGEST or all(isinstance(item, str | int | None) for item in items):
            return whole
        return f"{whole[: LONGEST - 2]}…}}"

    def __missing__(self, name: Power) -> V:
        power = self._find_power(name)
        if power is None:
            raise MissingPowerError.from_choices(name, self)
        return self[power]

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or self._find_power(name) is not None

    @overload
    def get(self, name: Power, default: None = None, /) -> V | None: ...
    @overload
    def get(self, name: Power, default: V, /) -> V: ...
    @overload
    def get(self, name: Power, default: D, /) -> V | D: ...
    def get(self, name: Power, default: object = None, /) -> object:
        """Return the value of a power, whose name may be in any spelling, or the default if the mapping lacks the power."""
        try:
            return self[name]
        except MissingPowerError:
            return default
