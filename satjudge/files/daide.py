"""Reads a game from a log of a DAIDE server: from its NOW, SCO and ORD messages (DAIDE Message Syntax).

    NOW (SPR 1901) (AUS FLT TRI) (RUS FLT (STP SCS)) …                 the turn, and the units on the board
    SCO (AUS BUD TRI VIE) (ENG LVP EDI LON) …                         the owners of centres
    ORD (SPR 1901) ((AUS FLT TRI) MTO ALB) (SUC)                      an order and its result

Text around the messages is skipped, so a log may add times and receivers. A message that was sent to several receivers is read
once. `satjudge.notation` reads the orders; this module writes the units in the compact notation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

from satjudge.base.errors import InputError, RequestError, SheetError
from satjudge.base.values import brief
from satjudge.files.diplomacy_package import SavedGame, SavedPhase, State, check_length
from satjudge.notation.parse import parse_location, parse_power
from satjudge.world.geography import Location, Map, Power, load_map, map_called

_Group = list["str | _Group"]
"""The text between brackets."""
_PHASES = {"SPR": "S{}M", "SUM": "S{}R", "FAL": "F{}M", "AUT": "F{}R", "WIN": "W{}A"}
_KINDS = {"AMY": "A", "FLT": "F"}
_COASTS = {"NCS": "NC", "SCS": "SC", "ECS": "EC", "WCS": "WC"}
_NOBODY = "UNO"
_MESSAGE = re.compile(r"\b(MAP|NOW|SCO|ORD)\s*(?=\()")
_TOKEN = re.compile(r"\(|\)|[^\s()]+")
_LONGEST = 20_000
"""The maximum length of a message, in characters."""
_DEEPEST = 8
"""The maximum depth of nested brackets."""


@dataclass
class _Phase:
    """A phase as far as the messages have described it."""

    name: str
    units: dict[Power, list[str]]
    retreats: dict[Power, dict[str, list[Location]]]
    centers: dict[Power, list[str]]
    orders: dict[Power, list[str]] = field(default_factory=dict)
    results: dict[str, list[object] | None] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    """The orders read so far. An order that is repeated counts once, even a waived build: missing builds are waived too."""

    __repr__ = brief

    def make_saved_phase(self) -> SavedPhase:
        """Return this phase in the format in which the package `diplomacy` saves phases."""
        return SavedPhase(self.name, State(self.name, self.units, self.retreats, self.centers), {**self.orders}, self.results)


def game_readers(data: bytes, source: str = "") -> Iterator[Callable[[], SavedGame]]:
    """Return an iterator with one function, which reads the game in a log, or raises `InputError` with the line."""
    return iter([partial(read_game, data, source)])


def read_game(data: bytes, source: str = "") -> SavedGame:
    """Read the game in a log, or raise `InputError` with the line of an unreadable message."""
    text = check_length(data, source).decode("utf-8-sig", "replace")
    log = _Log()
    line, reached = 1, 0
    for match in _MESSAGE.finditer(text):
        line, reached = line + text.count("\n", reached, match.start()), match.start()
        try:
            log.read_message(match[1], _parse_groups(text, match.end()))
        except InputError as error:
            error.column = None  # it is a column of only a part of the message
            raise error.add_place(source=source, line=line) from None
    if not log.phases:
        raise RequestError("no NOW message contains a position", source=source)
    return SavedGame(
        [phase.make_saved_phase() for phase in log.phases.values()], source.rpartition("/")[2] or None, log.map.name
    )


def _parse_groups(text: str, start: int) -> _Group:
    """Parse the message at `start` into nested lists of words, one for each pair of brackets; may raise `SheetError`."""
    found: _Group = []
    open_groups = [found]
    for match in _TOKEN.finditer(text, start, start + _LONGEST):
        token = match[0]
        if token == "(":
            if len(open_groups) > _DEEPEST:
                raise SheetError("too many nested brackets")
            inner: _Group = []
            open_groups[-1].append(inner)
            open_groups.append(inner)
        elif token == ")":
            open_groups.pop()
            if not open_groups:
                break
        elif len(open_groups) == 1:
            break
        else:
            open_groups[-1].append(token)
    if len(open_groups) > 1:
        raise SheetError("a bracket is not closed")
    return found


@dataclass
class _Log:
    """The part of the game that has been read."""

    map: Map = field(default_factory=load_map)
    phases: dict[str, _Phase] = field(default_factory=dict)
    centers: dict[Power, list[str]] = field(default_factory=dict)

    __repr__ = brief

    def read_message(self, message_type: str, groups: _Group) -> None:
        """Add the content of a MAP, SCO, NOW or ORD message to the game; ignore other messages; may raise `InputError`."""
        if message_type == "MAP":
            self.map = map_called(_join_group(groups).strip("()'\" ").casefold())
        elif message_type == "SCO":
            self._owners(groups)
        elif message_type == "NOW" and groups:
            self._position(groups)
        elif message_type == "ORD" and len(groups) > 1:
            self._order(groups[0], groups[1], _join_group(groups[2:]))

    def _owners(self, groups: _Group) -> None:
        self.centers = {}
        for group in groups:
            if isinstance(group, list) and group and group[0] != _NOBODY:
                self.centers[self._power(group[0])] = [self._parse_place(place) for place in group[1:]]
        if self.phases and not (last := [*self.phases.values()][-1]).centers:  # a client may ask for SCO and NOW in any order
            last.centers = self.centers

    def _position(self, groups: _Group) -> None:
        name = _phase_name(groups[0])
        phase = _Phase(name, {}, {}, self.centers)
        for group in groups[1:]:
            power, unit, retreats = self._parse_unit(group)
            if retreats is None:
                phase.units.setdefault(power, []).append(unit)
            else:
                phase.units.setdefault(power, []).append(f"*{unit}")
                phase.retreats.setdefault(power, {})[unit] = retreats
        known = self.phases.setdefault(name, phase)
        if {power: set(units) for power, units in known.units.items()} != {power: set(of) for power, of in phase.units.items()}:
            raise SheetError(f"{name} appears twice with different units", suggestion="a log must contain only one game")
        self.centers = [*self.phases.values()][-1].centers  # the last SCO may be for an older turn

    def _order(self, turn: str | _Group, order: str | _Group, result: str) -> None:
        name, text = _phase_name(turn), _join_group(order)
        phase = self.phases.get(name)
        if phase is None:
            raise SheetError(f"there is an order for {name}, but no NOW message with this phase precedes it")
        if not isinstance(order, list) or not order:
            raise SheetError(f"cannot read the order {text!r:.60}")
        if text in phase.seen:
            return
        phase.seen.add(text)
        if order[-1] == "WVE":
            phase.orders.setdefault(self._power(order[0]), []).append("WAIVE")
            return
        power, unit, _ = self._parse_unit(order[0])
        phase.orders.setdefault(power, []).append(f"{unit} {_join_group(order[1:])}")
        phase.results[unit] = list(result.split())

    def _parse_unit(self, group: str | _Group) -> tuple[Power, str, list[Location] | None]:
        """Parse `(ENG FLT NTH MRT (LON YOR))` into power, `F NTH` and retreats (None without MRT); may raise `SheetError`."""
        match group:
            case [power, str(kind), place, *more] if kind in _KINDS and more in ([], ["MRT", *more[1:]]):
                goals = more[1] if len(more) > 1 else None
                retreats = [self._parse_place(goal) for goal in goals] if isinstance(goals, list) else None
                return self._power(power), f"{_KINDS[kind]} {self._parse_place(place)}", retreats
        raise SheetError(f"cannot read the unit {_join_group(group)!r:.60}", suggestion="write `(ENG FLT LON)`")

    def _power(self, name: str | _Group) -> Power:
        return parse_power(_join_group(name), self.map)

    def _parse_place(self, place: str | _Group) -> Location:
        """Parse a province (`LON`), or a province with a coast (`(STP SCS)`), into a location."""
        match place:
            case [str(province), str(coast)] if coast in _COASTS:
                return parse_location(f"{province}/{_COASTS[coast]}", self.map)
        return parse_location(_join_group(place), self.map)


def _join_group(group: str | _Group) -> str:
    """Write a group as text: its words with blanks between them, and its inner groups in brackets."""
    if isinstance(group, str):
        return group
    return " ".join(one if isinstance(one, str) else f"({_join_group(one)})" for one in group)


def _phase_name(turn: str | _Group) -> str:
    match turn:
        case [str(season), str(year)] if season in _PHASES and re.fullmatch(r"[0-9]{4}", year):
            return _PHASES[season].format(year)
    raise SheetError(
        f"there is no turn {_join_group(turn)!r:.40}", suggestion="turns are called (SPR 1901), SUM, FAL, AUT and WIN"
    )
