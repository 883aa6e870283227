"""Removals where a player orders too few (chapter XIII)."""

from __future__ import annotations

from math import inf

from satjudge.world.board import Board, Unit
from satjudge.world.geography import Location, Map, Power, ProvinceCode, UnitKind, province_of

_ALPHABET = """
ADR AEG ALB ANK APU ARM BAL BAR BEL BER BLA BOH BOT BRE BUD BUL BUR CLY CON DEN EAS EDI ENG FIN GAL GAS GRE HEL HOL ION IRI KIE
LVP LVN LON LYO MAR MAO MOS MUN NAP NAF NAO NTH NWY NWG PAR PIC PIE POR PRU ROM RUH RUM STP SER SEV SIL SKA SMY SPA SWE SYR TRI
TUN TUS TYR TYS UKR VEN VIE WAL WAR WES YOR
"""
ALPHABET: tuple[ProvinceCode, ...] = tuple(_ALPHABET.split())
"""The spaces in "the correct English-language alphabetical order" (XIII)."""


def removal_order(board: Board, power: Power) -> list[Unit]:
    """XIII: the units of a power, those first that the GM removes first when the player fails to order enough removals.

    The most distant from home, fleets before armies, then by the alphabet.
    """
    units = [unit for unit in board.units if unit.power == power]
    return sorted(
        units,
        key=lambda unit: (
            -distance_from_home(board.map, unit),
            unit.kind is not UnitKind.FLEET,
            ALPHABET.index(unit.province),
        ),
    )


def distance_from_home(game_map: Map, unit: Unit) -> float:
    """XIII: moves to the nearest home centre, whoever controls it; an army may enter any space, a fleet sails legally."""
    homes = game_map.homes(unit.power)
    reached: set[Location] = {unit.province if unit.kind is UnitKind.ARMY else unit.location}
    frontier, moves = reached, 0
    while frontier:
        if any(province_of(location) in homes for location in frontier):
            return moves
        exits = game_map.neighbours if unit.kind is UnitKind.ARMY else game_map.fleet
        frontier = {near for location in frontier for near in exits.get(location, ())} - reached
        reached = reached | frontier
        moves += 1
    return inf
