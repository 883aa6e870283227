"""Finds faults and oddities in a map (`satjudge maps check`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, pairwise

from satjudge.base.errors import MapError
from satjudge.world.geography import Location, Map, ProvinceCode, Terrain, UnitKind, load_map, normal, province_of, shipped_maps


def refuse_unusable(game_map: Map, source: str) -> Map:
    """Return the map unchanged, or raise `MapError` with the first fault that makes it unusable."""
    for problem in list_fatal_faults(game_map):
        raise MapError(problem, source=source)
    return game_map


def list_faults(game_map: Map) -> list[str]:
    """List messages on the faults of a map, such as one-way borders; if some are fatal (judging is impossible), only those."""
    parts = (_one_way, _wrong_terrain, _unreachable, _centers, _difficult, _at_half, _iter_railroad_faults, _ambiguous)
    return list(list_fatal_faults(game_map)) or list(chain.from_iterable(part(game_map) for part in parts))


def list_oddities(game_map: Map) -> list[str]:
    """List messages on oddities of a map, which may be intended; empty if the map has fatal faults."""
    if next(list_fatal_faults(game_map), None) is not None:
        return []
    parts = (_iter_known_gaps, _shipped_name, _dry_coasts, _coasts_without_common_sea, _powers_without_homes)
    return list(chain.from_iterable(part(game_map) for part in parts))


# ---- fatal faults: everything that a map mentions must exist ----


def list_fatal_faults(game_map: Map) -> Iterator[str]:
    """Yield messages on the faults of a map that make judging on it impossible."""
    yield from _iter_name_faults(game_map)
    yield from _unknown_places(game_map)
    yield from _iter_misplaced_coasts(game_map)
    yield from _iter_impossible_borders(game_map)
    yield from _unknown_powers(game_map)
    yield from _starts(game_map)


def _iter_name_faults(game_map: Map) -> Iterator[str]:
    """Yield messages on unusable names, powers listed twice, and a map without any power or province."""
    powers = ((f"the power {power}", name) for power in game_map.powers for name in (power, game_map.name_of(power)))
    adjectives = ((f"the adjective of {power}", game_map.adjectives.get(power, power)) for power in game_map.powers)
    provinces = ((code, province.name) for code, province in game_map.provinces.items())
    railroads = (("a railroad", line.name) for line in game_map.railroads)
    canals = (("a canal", canal.name) for canal in game_map.canals)
    itself = (("the map", game_map.name), ("the title", game_map.title))
    for subject, name in chain(itself, powers, adjectives, provinces, railroads, canals):
        if not normal(name) or not name.isprintable():
            yield f"{subject}: {name!r:.60} is not a name: write letters on one line"
    for power, times in Counter(game_map.powers).items():
        if times > 1:
            yield f"`powers` lists the power {power} {times} times"
    if not game_map.powers:
        yield "there is no power"
    if not game_map.provinces:
        yield "there is no province"


def _iter_place_lists(game_map: Map) -> Iterator[tuple[str, Iterable[Location]]]:
    """Yield a pair for each list of places in a map's tables: a description for messages, and the places."""
    for kind, adjacent in _borders(game_map):
        for origin, exits in adjacent.items():
            yield f"the borders of {origin} for {kind}", exits
    for season, codes in game_map.closed.items():
        yield f"the provinces closed in {season}", codes
    for code, codes in game_map.difficult.items():
        yield f"the difficult borders of {code}", codes
    for code, codes in game_map.half_strength.items():
        yield f"the borders of {code} at half strength", codes
    yield "victory_needs", game_map.victory_needs
    for power, groups in game_map.power_needs.items():
        yield f"what {power} needs to win", chain.from_iterable(groups)
    yield "partisans", game_map.partisans.values()
    if game_map.neutral is not None:
        yield "neutral.supports", (*game_map.neutral.supports, *game_map.neutral.supports.values())
    for railroad in game_map.railroads:
        yield f"the railroad {railroad.name}", railroad.line
    for canal in game_map.canals:
        yield f"the canal {canal.name}", (canal.keeper, *canal.seas)
    for name, codes in game_map.groups.items():
        yield f"the group {name}", codes
    if game_map.geometry is not None:
        for name in ("units", "dislodged", "centers", "labels", "outlines"):
            yield f"geometry.{name}", getattr(game_map.geometry, name)


def _unknown_places(game_map: Map) -> Iterator[str]:
    known = {*game_map.provinces, *(place for province in game_map.provinces.values() for place in province.locations)}
    for code in game_map.provinces:
        if not (code.isascii() and code.isalnum() and code == code.upper()):
            yield f"{code!r} is not the code of a province: write capitals and digits, such as PAR"
    for subject, places in _iter_place_lists(game_map):
        for place in places:
            if place not in known:
                coast_hint = f": {province_of(place)} has no such coast" if province_of(place) in known else ""
                yield f"{subject}: there is no place {place} on the map{coast_hint}"


def _iter_impossible_borders(game_map: Map) -> Iterator[str]:
    """Yield a message for each border that leads an army to sea or a fleet inland."""
    wrong = {UnitKind.ARMY: Terrain.SEA, UnitKind.FLEET: Terrain.INLAND}
    for (kind, terrain), (name, adjacent) in zip(wrong.items(), _borders(game_map), strict=True):
        for origin, exits in adjacent.items():
            for place in sorted(exits):
                province = game_map.provinces.get(province_of(place))
                if province is not None and province.terrain is terrain:
                    yield f"{name} can move {origin} - {place}, but {game_map.problem_with(kind, place)}"


def _iter_misplaced_coasts(game_map: Map) -> Iterator[str]:
    """Yield a message for each province with coasts or convoying fleets where the rules allow none (DATC 2.4, 9)."""
    for code, province in game_map.provinces.items():
        if province.coasts and province.terrain is not Terrain.COAST:
            yield f"{code} is {province.terrain}, but has coasts: only a coast can have them"
        elif province.convoys and province.terrain is Terrain.INLAND:
            yield f"{code} is inland, so no fleet can convoy there"
        elif province.convoys and province.coasts:
            yield f"{code} has separate coasts, so no fleet can convoy there"


def _unknown_powers(game_map: Map) -> Iterator[str]:
    for code, province in game_map.provinces.items():
        found = (province.home, province.country, game_map.owners.get(code), *province.not_counted)
        for power in found:
            if power is not None and power not in game_map.powers:
                yield f"{code}: there is no power {power} on the map"
    for subject, builders in (("the builders of", game_map.builders), ("builds_instead of", game_map.alternatives)):
        for code, power in ((code, power) for code, powers in builders.items() for power in powers):
            if power not in game_map.powers:
                yield f"{subject} {code}: there is no power {power} on the map"
    if game_map.neutral is not None and game_map.neutral.power not in game_map.powers:
        name = game_map.neutral.power
        yield f"neutral: there is no power {name} on the map: add a table [power.{name}], and list it in `powers`"
    for railroad in game_map.railroads:
        if railroad.power not in game_map.powers:
            yield f"the railroad {railroad.name}: there is no power {railroad.power} on the map"


def _starts(game_map: Map) -> Iterator[str]:
    for power, kind, location in game_map.start:
        if power not in game_map.powers:
            yield f"a unit starts in {location} for {power}, which is not a power on the map: add a unit_power"
        elif problem := game_map.problem_with(kind, location):
            yield f"the start of {power}: {problem}"
    for code, count in Counter(province_of(location) for _, _, location in game_map.start).items():
        if count > 1:
            yield f"{count} units start in {code}"


# ---- faults ----


def _borders(game_map: Map) -> tuple[tuple[str, Mapping[Location, frozenset[Location]]], ...]:
    return ("armies", game_map.army), ("fleets", game_map.fleet)


def _one_way(game_map: Map) -> Iterator[str]:
    for kind, adjacent in _borders(game_map):
        for origin in adjacent:
            for destination in sorted(adjacent[origin]):
                if province_of(destination) == province_of(origin):
                    yield f"{origin} borders on itself for {kind}"
                elif origin not in adjacent.get(destination, ()):
                    yield f"{kind} can move {origin} - {destination}, but not back"


def _wrong_terrain(game_map: Map) -> Iterator[str]:
    for kind, (name, adjacent) in zip(UnitKind, _borders(game_map), strict=True):
        for place in adjacent:
            if adjacent[place] and (problem := game_map.problem_with(kind, place)):
                yield f"there are borders of {place} for {name}, but {problem}"


def _unreachable(game_map: Map) -> Iterator[str]:
    for code, province in game_map.provinces.items():
        for location in _list_unreachable_coasts(game_map, code):
            if province.coasts or province.terrain is Terrain.SEA:
                yield f"no fleet can get to {location}: it has no borders for fleets"
        if province.terrain is not Terrain.SEA and not game_map.neighbours[code]:
            yield f"nobody can get to {code}: it has no borders"


def _list_unreachable_coasts(game_map: Map, code: ProvinceCode) -> list[Location]:
    """List the locations of a coast or sea (each coast, if it has several) that have no borders for fleets."""
    province = game_map.provinces[code]
    places = () if province.terrain is Terrain.INLAND else province.locations
    return [location for location in places if not game_map.fleet.get(location)]


def _centers(game_map: Map) -> Iterator[str]:
    for code, province in game_map.provinces.items():
        if province.home is not None and not province.center:
            yield f"{code} is a home of {province.home}, but no supply centre"
        elif code in game_map.owners and not province.center:
            yield f"{game_map.owners[code]} owns {code}, which is not a supply centre"
    for subject, codes in (("victory_needs", game_map.victory_needs), ("builders", game_map.builders)):
        for code in codes:
            if code not in game_map.centers:
                yield f"{subject}: {code} is not a supply centre"
    for power, code in game_map.partisans.items():
        if code in game_map.centers or code in game_map.seas:
            yield f"partisans of {power}: {code} is {'a supply centre' if code in game_map.centers else 'a sea'}"
    for power, least in game_map.victories.items():
        if least > len(game_map.centers):
            yield f"{least} centres win for {power}, but there are {len(game_map.centers)}"
    if game_map.victory is not None and game_map.victory > len(game_map.centers):
        yield f"{game_map.victory} centres win, but there are {len(game_map.centers)}"


def _difficult(game_map: Map) -> Iterator[str]:
    for code, others in game_map.difficult.items():
        for other in sorted(others):
            if code not in game_map.difficult.get(other, ()):
                yield f"the border {code} - {other} is difficult only for {code}: declare it for {other} as well"
            elif other not in game_map.army.get(code, ()):
                yield f"the border {code} - {other} is difficult, but no army can move there"


def _at_half(game_map: Map) -> Iterator[str]:
    for code, others in game_map.half_strength.items():
        for other in sorted(others):
            if code not in game_map.half_strength.get(other, ()):
                yield f"the border {code} - {other} is at half strength only for {code}: declare it for {other} as well"
            elif other not in game_map.neighbours[code]:
                yield f"the border {code} - {other} is at half strength, but no unit can move there"
        if len(seas := sorted(others & game_map.convoying)) > 1 and code not in game_map.convoying:
            yield f"armies arrive in {code} at half strength from {' and '.join(seas)}: satjudge supports only one"


def _iter_railroad_faults(game_map: Map) -> Iterator[str]:
    """Yield a message for each railroad or canal whose provinces or seas are not adjacent."""
    for railroad in game_map.railroads:
        for one, other in pairwise(railroad.line):
            if other not in game_map.army.get(one, ()):
                yield f"the railroad {railroad.name} leads {one} - {other}, where no army can move"
    for canal in game_map.canals:
        for sea in canal.seas:
            if sea not in game_map.seas:
                yield f"the canal {canal.name} leads to {sea}, which is not a sea"
            elif sea not in game_map.neighbours[canal.keeper]:
                yield f"the canal {canal.name} leads to {sea}, which does not touch {canal.keeper}"


def _ambiguous(game_map: Map) -> Iterator[str]:
    codes: dict[str, ProvinceCode] = {}
    for code, province in game_map.provinces.items():
        for spelling in dict.fromkeys(map(normal, (code, province.name, *province.aliases))):
            if codes.setdefault(spelling, code) != code:
                yield f"{spelling!r} stands for {codes[spelling]} and for {code}"
    for power in game_map.powers:
        for spelling in dict.fromkeys(map(normal, (power, game_map.name_of(power), game_map.adjectives.get(power, power)))):
            if (other := game_map.power_aliases.get(spelling, power)) != power:
                yield f"{spelling!r} stands for {power} and for {other}"


# ---- oddities ----


def _iter_known_gaps(game_map: Map) -> Iterator[str]:
    """Yield what the reader of the map's file recorded as missing."""
    yield from (game_map.tables or {}).get("lacks", ())


def _shipped_name(game_map: Map) -> Iterator[str]:
    name = game_map.name
    if name in shipped_maps() and load_map(name).fingerprint != game_map.fingerprint:
        yield f"a map that comes with satjudge is also called {name}: cases that name {name} use that map, not this one"


def _dry_coasts(game_map: Map) -> Iterator[str]:
    for code, province in game_map.provinces.items():
        if province.terrain is Terrain.COAST and not province.coasts and _list_unreachable_coasts(game_map, code):
            yield f"{code} is a coast, but no fleet can get there"


def _coasts_without_common_sea(game_map: Map) -> Iterator[str]:
    for origin, exits in game_map.fleet.items():
        for destination in sorted(exits):
            on_coasts = province_of(origin) not in game_map.seas and province_of(destination) not in game_map.seas
            if (
                on_coasts
                and origin < destination
                and not (exits & game_map.fleet.get(destination, frozenset()) & game_map.seas)
            ):
                yield f"fleets can move {origin} - {destination}, but these touch no sea in common"


def _powers_without_homes(game_map: Map) -> Iterator[str]:
    if not game_map.builds_anywhere:
        for power in game_map.players:
            if not game_map.build_centers(power):
                yield f"{game_map.name_of(power)} has no home centre: it cannot build"
