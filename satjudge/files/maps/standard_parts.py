"""Writes satjudge's own standard map in the grammar of `.map` files.

A file that begins with `USE standard.map` can then be read without the files of DPjudge.
"""

from __future__ import annotations

from collections.abc import Iterator

from satjudge.world.geography import Location, Map, ProvinceCode, Terrain, province_of

_SWITZERLAND = ("BUR", "MAR", "MUN", "PIE", "TYR")
"""The borders of the space on the standard board that nobody can enter; it is open on other maps."""
_KEYWORDS = {Terrain.INLAND: "LAND", Terrain.COAST: "COAST", Terrain.SEA: "WATER"}


def format_standard_part(name: str, game_map: Map) -> str | None:
    """Write a map as the `.map` file of that name, such as `standard.map` or `standard.politics`; None for another name."""
    stem, _, part = name.partition(".")
    parts = {"geography": _geography, "politics": _politics, "military": _military}
    wanted = parts if part == "map" else {part} & parts.keys()
    return "\n".join(line for key in wanted for line in parts[key](game_map)) if stem == game_map.name and wanted else None


def _geography(game_map: Map) -> Iterator[str]:
    yield "Switzerland = SWI"
    yield f"SHUT SWI ABUTS {' '.join(_SWITZERLAND)}"
    for code, province in game_map.provinces.items():
        yield f"{province.name} = {' '.join(alias.replace(' ', '+') for alias in (code, *province.aliases))}"
        armies = game_map.army.get(code, frozenset())
        for location in province.locations if province.terrain is not Terrain.INLAND else ():
            yield _format_place(game_map, location, armies if not province.coasts else frozenset(), game_map.fleet[location])
        if province.terrain is Terrain.INLAND or province.coasts:
            yield _format_place(game_map, code.lower() if province.coasts else code, armies, armies)


def _format_place(game_map: Map, key: str, armies: frozenset[ProvinceCode], fleets: frozenset[Location]) -> str:
    """Write the line of a place and its borders: `par` for a border that only armies can pass, `Par` for only fleets."""
    terrain = game_map.provinces[province_of(key).upper()].terrain
    reached = {province_of(exit_) for exit_ in fleets}
    borders = [*sorted(fleets), *(code.lower() for code in sorted(armies - reached))]
    on_land = terrain is Terrain.COAST and "/" not in key
    only_fleets = {exit_ for exit_ in fleets if on_land and _is_land(game_map, exit_) and province_of(exit_) not in armies}
    borders += ["SWI"] if key in _SWITZERLAND else []
    written = [f"{border[0]}{border[1:].lower()}" if border in only_fleets else border for border in borders]
    return f"{_KEYWORDS[terrain]} {key} ABUTS {' '.join(written)}"


def _is_land(game_map: Map, location: Location) -> bool:
    return game_map.provinces[province_of(location)].terrain is not Terrain.SEA


def _politics(game_map: Map) -> Iterator[str]:
    for power in game_map.powers:
        yield f"{power} ({game_map.adjectives[power]}) {' '.join(sorted(game_map.homes(power)))}"
    neutral = sorted(code for code in game_map.centers if game_map.provinces[code].home is None)
    yield f"UNOWNED {' '.join(neutral)}"


def _military(game_map: Map) -> Iterator[str]:
    for power in game_map.powers:
        yield power
        yield from (f"{kind} {location}" for owner, kind, location in game_map.start if owner == power)
