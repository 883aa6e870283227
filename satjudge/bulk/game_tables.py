"""Makes the tables by which the kernel plays games: functions of a map and a rulebook alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy
from numpy.typing import NDArray

from satjudge.bulk.arrays import *
from satjudge.bulk.duties import Duties
from satjudge.bulk.known import Known, helped_by, in_rows, starts
from satjudge.bulk.vocabulary import Vocabulary
from satjudge.world.board import Phase
from satjudge.world.geography import Map, UnitKind, province_of
from satjudge.world.orders import Build, Convoy, Disband, Move, MovementOrder, Order, Remove, Retreat, SupportMove


def tables_of(known: Known, victory: int | None = None) -> dict[str, NDArray[Any]]:
    """Make all tables, by the names of the arrays; `victory` is how many centres win, if not the map's number."""
    duties = duties_of(known)
    _learn_all(duties)
    return {**lists_of(known.vocabulary), **facts_of(duties, victory), "comings": duties.comings.array}


def phase_of(order: Order) -> Phase:
    """Return the later phase that an order of the vocabulary is for."""
    return Phase.RETREAT if isinstance(order, Retreat | Disband) else Phase.ADJUSTMENT


def duties_of(known: Known) -> Duties:
    """Number the orders of later phases as they stand in the vocabulary."""
    vocabulary = known.vocabulary
    duties = Duties(vocabulary, known.rulebook)
    for order in vocabulary.orders[vocabulary.first_order[-1] :]:
        duties.number(order, phase_of(order))
    return duties


def lists_of(vocabulary: Vocabulary) -> dict[str, NDArray[Any]]:
    """List what may be ordered on a map."""
    first_help, helping = _helping(vocabulary)
    return {"first_help": first_help, "helping": helping, "later_orders": _later_orders(vocabulary)}


def facts_of(duties: Duties, victory: int | None = None) -> dict[str, NDArray[Any]]:
    """Tell what a rulebook and a map say of later phases and of the end of games."""
    return {
        "of_powers": _of_powers(duties), "away": duties.away(), "alphabet": duties.alphabet(), "choices": duties.choices(),
        "duties": duties.array, "aims": _aims(duties.map, duties.vocabulary.first_order[-1], victory),
    }  # fmt: skip


def _learn_all(duties: Duties) -> None:
    """Learn what each order comes to for whatever unit may stand in the province of its own."""
    standing: dict[int, list[int]] = {}
    for number, unit in enumerate(duties.vocabulary.units):
        standing.setdefault(duties.place_of[unit.province], []).append(number)
    for number, (kind, place, _) in enumerate(duties.rows):
        if kind in (RETREATS, REMOVE):
            for there in standing[place]:
                duties.learn(number * 512 + there)


def _helping(vocabulary: Vocabulary) -> tuple[Numbers, Numbers]:
    """List the orders of each unit by the unit that is helped: first nobody, then each other one, convoys behind supports.

    Where the lists of a unit begin, and the orders with the place to which an army is to go by sea alone.
    """
    numbers, count = vocabulary.unit_numbers, HELPS * (1 + len(vocabulary.units))
    found: list[list[int]] = [[] for _ in range(len(vocabulary.units) * count)]
    by_sea = numpy.full(vocabulary.first_order[-1], NONE)
    for number, order in enumerate(vocabulary.orders[: vocabulary.first_order[-1]]):
        assert isinstance(order, MovementOrder)
        other = helped_by(order)
        helped = HELPS * (1 + numbers[other]) + CONVOYS * isinstance(order, Convoy) if other else 0
        found[numbers[order.unit] * count + helped].append(number)
        by_sea[number] = _by_sea_to(vocabulary, order)
    listed = numpy.array([number for numbers in found for number in numbers], numpy.int32)
    rows = numpy.arange(len(vocabulary.units))[:, None] * count + numpy.arange(count + 1)
    return numpy.array(starts(found), numpy.int32)[rows], numpy.stack((listed, by_sea[listed])).astype(numpy.int32)


def _by_sea_to(vocabulary: Vocabulary, order: MovementOrder) -> int:
    """Find the place to which an order would have an army go by sea; -1 if the army can go by land, and for other orders."""
    if not isinstance(order, Move | SupportMove | Convoy):
        return NONE
    army, target = helped_by(order) or order.unit, province_of(order.destination)
    by_land = army.kind is UnitKind.FLEET or target in vocabulary.map.army.get(army.location, ())
    stays = by_land and not isinstance(order, Convoy) and not (isinstance(order, Move) and order.via_convoy)
    return NONE if stays else vocabulary.location_numbers[target]


def _later_orders(vocabulary: Vocabulary) -> Numbers:
    """List the orders of later phases by what they are given to."""
    numbers, units = vocabulary.order_numbers, [unit for unit in vocabulary.units if unit.kind]
    exits = [(unit, place) for unit in units if unit.kind for place in sorted(vocabulary.map.exits(unit.kind, unit.location))]
    possible = [(unit.province, numbers[build]) for unit in units if (build := Build(unit)) in numbers]
    builds = [[number for province, number in possible if province == code] for code in vocabulary.provinces]
    rows = [
        [numbers[Disband(unit)] for unit in units],
        [numbers[Retreat(unit, place)] for unit, place in exits],
        starts(builds),
        [number for listed in builds for number in listed],
        [numbers[Remove(unit)] for unit in units],
    ]
    return in_rows(rows).astype(numpy.int32)


def _of_powers(duties: Duties) -> Numbers:
    """Tell what each place is to each power, and besides which the winner must own."""
    needed = [code in duties.map.victory_needs for code in duties.vocabulary.provinces]
    return duties.of_powers() | NEEDED_TO_WIN * numpy.array(needed, numpy.int32)


def _aims(game_map: Map, first_duty: int, victory: int | None) -> Numbers:
    """List what the kernel has to know of a game (`arrays.FIRST_DUTY` and so on)."""
    usual = game_map.victory or len(game_map.centers) // 2 + 1
    special: Mapping[str, int] = game_map.victories
    of_powers = (special.get(power, NONE) for power in game_map.powers)
    return numpy.array([first_duty, victory or usual, usual, game_map.first_year, *of_powers], numpy.int32)
