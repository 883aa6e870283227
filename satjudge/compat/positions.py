"""Makes satjudge positions from the lists of the drop-in's powers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from msgspec import structs

from satjudge.base.errors import RequestError
from satjudge.notation.parse import parse_location, parse_unit
from satjudge.world.board import Board, DislodgedUnit, Phase, Season, Turn, Unit, unit_of
from satjudge.world.geography import Map, Power, ProvinceCode, UnitKind
from satjudge.world.rules import Rulebook, load_rulebook

if TYPE_CHECKING:
    from satjudge.compat.diplomacy.engine.power import Power as Holder

COMPLETED = "COMPLETED"
PHASES = {"M": Phase.MOVEMENT, "R": Phase.RETREAT, "A": Phase.ADJUSTMENT}
_KINDS = {str(kind): kind for kind in UnitKind}


def make_board(game_map: Map, phase: str, powers: Sequence[Holder], attackers: Mapping[str, ProvinceCode]) -> Board:
    """Return the position of `powers` in a phase (`S1901M`, `COMPLETED`); `attackers` has the dislodgers' origins by unit.

    `attackers` maps each dislodged unit to its attacker's origin. Raises `InputError` for an impossible position.
    """
    world = set_homes(game_map, tuple((power.name, tuple(power.homes)) for power in powers))
    units = tuple(_read_unit(world, power.name, text) for power in powers for text in power.units)
    dislodged = tuple(
        DislodgedUnit(
            _read_unit(world, power.name, text), tuple(sorted(parse_location(way, world) for way in ways)), attackers.get(text)
        )
        for power in powers
        for text, ways in power.retreats.items()
    )
    centers = {center: power.name for power in powers for center in power.centers}
    if phase == COMPLETED:
        return Board(units, (), centers, map=world).ensure_possible()
    return Board(units, dislodged, centers, PHASES[phase[-1]], world, parse_turn(phase)).ensure_possible()


@cache
def choose_rulebook(rulebook: str | Rulebook | None) -> Rulebook:
    """Return a rulebook, given as an object or by name; None means the rulebook nearest to the package's rules.

    The nearest rulebook is DATC 2.4, where a move with `VIA` to a neighbour goes by land if nobody convoys it (4.A.3). As in
    DATC 3.2, however, convoy orders to fleets that no convoy needs are illegal (4.E.1, 6.G.19).
    """
    if rulebook is None:
        return load_rulebook("datc-2").with_settings(["4.E.1.convoy=illegal"])
    return rulebook if isinstance(rulebook, Rulebook) else load_rulebook(rulebook)


def _read_unit(game_map: Map, power: Power, text: str) -> Unit:
    kind, _, place = text.partition(" ")
    if kind in _KINDS and place in game_map.locations:
        return unit_of(power, _KINDS[kind], place)
    return parse_unit(text, power, game_map)


def parse_turn(phase: str) -> Turn:
    """Return the season and year of a phase from its short name; Winter adjustments belong to Fall."""
    return Turn(int(phase[1:-1]), Season.SPRING if phase[0] == "S" else Season.FALL)


@lru_cache(maxsize=64)
def set_homes(game_map: Map, homes: tuple[tuple[Power, tuple[ProvinceCode, ...]], ...]) -> Map:
    """Return a copy of the map with these home centres for each power, or the map itself if it already has them.

    Raises `InputError` for a home that is not a supply centre of the map.
    """
    if all(game_map.homes(power) == frozenset(codes) for power, codes in homes):
        return game_map
    builders: dict[ProvinceCode, tuple[Power, ...]] = {}
    for power, codes in homes:
        for code in codes:
            if code not in game_map.centers:
                raise RequestError(
                    f"{code!r:.40} cannot be a home of {power}: it is not a supply centre of the map {game_map.name}"
                )
            builders[code] = (*builders.get(code, ()), power)
    provinces = {
        code: structs.replace(province, home=builders.get(code, (None,))[0]) for code, province in game_map.provinces.items()
    }
    return replace(game_map, provinces=provinces, builders=builders, tables=None, cache={})
