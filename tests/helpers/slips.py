"""Random phases of retreats and adjustments on the standard map, as batch lines, with orders that are possible or almost so."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from random import Random
from typing import Any

from satjudge.bulk.vocabulary import Vocabulary
from satjudge.world.geography import UnitKind, load_map

Row = dict[str, Any]
MAP = load_map()
UNITS = [str(unit) for unit in Vocabulary().units if unit.kind]
PLACES = sorted({place for province in MAP.provinces.values() for place in (province.code, *province.locations)})
ANYWHERE = ("{unit} H", "{unit} S A PAR - BUR", "{unit} S {place}", "F ENG C A LON - BEL", "{unit} - {place}", "WAIVE")
RETREATS = (
    *["{unit} R {open}"] * 9, *["{unit} R {place}"] * 6, *["{unit} D"] * 3, *ANYWHERE, "{unit} - {open}", "{unit} R {open} VIA",
    "{unit} R {base}/NC", "{unit} R {base}/EC", "{other} R {open}", "{other} R {place}", "{code} R {open}", "{unit} B",
    "A {place} R {open}",
)  # fmt: skip
WINTERS = (
    *["A {open} B"] * 6, *["F {open} B"] * 4, *["{unit} D"] * 6, *ANYWHERE, "WAIVE", "F {base}/NC B", "{open} B", "{place} D",
    "{other} D", "F STP/NC B", "F {place} B", "A {place} B", "{unit} R {place}",
)  # fmt: skip


def slipped_retreats(seed: str, powers: Sequence[str] = MAP.powers, forms: Sequence[str] = RETREATS) -> Iterator[Row]:
    """Retreat phases without an end: up to four units were driven out of where others stand, and most have a way out."""
    random = Random(seed)
    for number in count():
        standing = _distinct(random, random.randint(3, 20))
        units = _of_powers(random, powers, standing.values())
        lost, orders = dict[str, Row](), dict[str, list[str]]()
        for unit in random.sample([unit for unit in UNITS if unit[2:5] in standing], 3):
            power, exits = random.choice(powers), MAP.exits(UnitKind(unit[0]), unit[2:])
            if any(unit[2:5] == other[2:5] for of in lost.values() for other in of):
                continue
            places = sorted(place for place in exits if place[:3] not in standing and random.random() < 0.8)
            lost.setdefault(power, {})[unit] = places
            given = orders.setdefault(power if random.random() < 0.95 else random.choice(powers), [])
            given += (_order(random, forms, unit, places) for _ in range(random.choice((0, 1, 1, 1, 2))))
        yield {"id": number, "phase": "retreat", "units": units, "dislodged": lost, "orders": orders}


def slipped_winters(seed: str, powers: Sequence[str] = MAP.powers, forms: Sequence[str] = WINTERS) -> Iterator[Row]:
    """Adjustment phases without an end: powers with more and fewer centres than units."""
    random = Random(seed)
    for number in count():
        units = _of_powers(random, powers, _distinct(random, random.randint(0, 34)).values())
        owned = dict[str, list[str]]()
        for center in random.sample(sorted(MAP.centers), random.randint(5, 34)):
            home = MAP.provinces[center].home
            owned.setdefault(home if home and random.random() < 0.6 else random.choice(powers), []).append(center)
        orders = {
            power: [_order(random, forms, random.choice(units.get(power, UNITS)), owned.get(power, ())) for _ in range(size)]
            for power in random.sample(powers, 5)
            for size in (random.choice((0, 1, 2, 3, 5)),)
        }
        yield {"id": number, "phase": "adjustment", "units": units, "centers": owned, "orders": orders}


def _distinct(random: Random, size: int) -> dict[str, str]:
    """Units in as many provinces, by these."""
    return {unit[2:5]: unit for unit in random.sample(UNITS, size)}


def _of_powers(random: Random, powers: Sequence[str], units: Any) -> dict[str, list[str]]:  # noqa: ANN401
    found = dict[str, list[str]]()
    for unit in units:
        found.setdefault(random.choice(powers), []).append(unit)
    return found


def _order(random: Random, forms: Sequence[str], unit: str, places: Sequence[str]) -> str:
    choose: Callable[[Sequence[str]], str] = random.choice
    there = choose(places) if places else choose(PLACES)
    other = ("F" if unit[0] == "A" else "A") + unit[1:]
    return choose(forms).format(unit=unit, open=there, base=there[:3], place=choose(PLACES), other=other, code=unit[2:])
