"""Holds the findings of `satjudge maps`, as plain data."""

from __future__ import annotations

from collections.abc import Sequence

from satjudge.base.words import number_of
from satjudge.files.maps.checks import problems, remarks
from satjudge.notation.documents import Document
from satjudge.world.board import Unit, by_power
from satjudge.world.geography import Location, Map, Power, ProvinceCode, in_era


class ListedMap(Document):
    """A map in a list of maps."""

    name: str
    title: str
    spaces: int
    centers: int
    powers: int

    @staticmethod
    def from_map(game_map: Map) -> ListedMap:
        """Make the entry of a map in a list."""
        counts = len(game_map.provinces), len(game_map.centers), len(game_map.powers)
        return ListedMap(game_map.name, game_map.title, *counts)


class ListedMaps(Document):
    """The maps that come with satjudge."""

    maps: list[ListedMap]


class DescribedPower(Document):
    """A power: its places to build in, its centres when a game begins, and its units."""

    power: Power
    name: str
    homes: list[ProvinceCode]
    owns: list[ProvinceCode]
    units: list[str]


class DescribedProvince(Document):
    """A province with its borders; `fleet` by the coasts of a province that has several, else by itself."""

    code: ProvinceCode
    name: str
    kind: str
    center: bool
    army: list[ProvinceCode]
    fleet: dict[Location, list[Location]]


class DescribedMap(Document):
    """A map: its powers and provinces, and where its rules differ from the standard game's."""

    name: str
    title: str
    first_year: int
    first_year_called: str
    """The year as people call it, `480 BC`."""
    victory: int
    rules: list[str]
    powers: list[DescribedPower]
    provinces: list[DescribedProvince]


class CheckedMap(Document):
    """The faults and the oddities of a map."""

    name: str
    title: str
    problems: list[str]
    remarks: list[str]


def listed_maps(maps: Sequence[Map]) -> ListedMaps:
    """Make the document of a list of maps."""
    return ListedMaps([ListedMap.from_map(game_map) for game_map in maps])


def checked_map(game_map: Map) -> CheckedMap:
    """Make the document of the faults and oddities of a map."""
    return CheckedMap(game_map.name, game_map.title, problems(game_map), remarks(game_map))


def described_map(game_map: Map) -> DescribedMap:
    """Make the document that describes a map."""
    units = by_power(Unit(*start) for start in game_map.start)
    powers = [
        DescribedPower(
            power=power,
            name=game_map.name_of(power),
            homes=sorted(game_map.homes(power)),
            owns=sorted(code for code, owner in game_map.owners.items() if owner == power),
            units=units.get(power, []),
        )
        for power in game_map.powers
    ]
    provinces = [
        DescribedProvince(
            code=code,
            name=province.name,
            kind=str(province.terrain),
            center=province.center,
            army=sorted(game_map.army.get(code, ())),
            fleet={place: sorted(game_map.fleet[place]) for place in province.locations if place in game_map.fleet},
        )
        for code, province in game_map.provinces.items()
    ]
    victory = game_map.victory or len(game_map.centers) // 2 + 1
    begins = game_map.first_year, game_map.year_called(game_map.first_year)
    return DescribedMap(game_map.name, game_map.title, *begins, victory, _rules(game_map), powers, provinces)


def _rules(game_map: Map) -> list[str]:
    """Where the rules differ from those of the standard game, in words (DATC 2.4, 7 to 12)."""
    rules = []
    if coasts := sorted(game_map.convoying - game_map.seas):
        rules.append(f"fleets convoy in {', '.join(coasts)} as well")
    for code, others in sorted(game_map.difficult.items()):
        rules += [f"the border {code} - {other} is difficult" for other in sorted(others) if code < other]
    for code, others in sorted(game_map.half_strength.items()):
        rules += [f"units pass the border {code} - {other} at half strength" for other in sorted(others) if code < other]
    rules += [f"{', '.join(sorted(codes))} shut in {season.capitalize()}" for season, codes in game_map.closed.items()]
    if game_map.builds_anywhere:
        rules.append("every owned centre counts as a home centre")
    if game_map.builds_in_any_home:
        rules.append("a power builds in every home centre that it owns, its own or another's")
    if game_map.first_builds:
        first = number_of(game_map.first_builds, "build")
        rules.append(f"a game begins with {first} of each power in its homes, of which those that stay empty are nobody's")
    if game_map.builds_need_home:
        rules.append("a power builds only while it owns one of its homes")
    for power, code in game_map.partisans.items():
        name = game_map.name_of(power)
        rules.append(f"while {name} owns some of its homes, not all, it may have one unit more, and build an army in {code}")
    for code, powers in sorted(game_map.builders.items()):
        rules.append(f"{', '.join(map(game_map.name_of, powers))} may build in {code}")
    for code, powers in sorted(game_map.alternatives.items()):
        rules.append(f"{', '.join(map(game_map.name_of, powers))} may build in {code} in place of in a home")
    rules += _list_neutral_rules(game_map)
    if game_map.no_retreats:
        rules.append("units that are dislodged are disbanded")
    if game_map.transforms:
        rules.append("a unit in a coastal centre may become the other kind of unit, if nobody else attacks it")
    rules += [f"{number_of(least, 'centre')} win for {game_map.name_of(power)}" for power, least in game_map.victories.items()]
    if lead := game_map.victory_lead:
        less = f"; each year {lead.less_each_year} less will do" if lead.less_each_year else ""
        rules.append(f"a lead of {number_of(lead.first, 'centre')} wins{less}")
    if last := game_map.last_year:
        how = "all who are left share it" if last.draw else "the most centres win"
        rules.append(f"the game ends after {in_era(last.year)}: {how}")
    if game_map.victory_needs:
        rules.append(f"whoever wins owns {' and '.join(game_map.victory_needs)}")
    for power, groups in game_map.power_needs.items():
        needed = " and ".join(" or ".join(group) for group in groups)
        rules.append(f"{game_map.name_of(power)} wins only while it owns {needed}")
    for railroad in game_map.railroads:
        rules.append(f"the railroad {railroad.name} of {game_map.name_of(railroad.power)}: {' - '.join(railroad.line)}")
    for canal in game_map.canals:
        rules.append(f"the canal {canal.name} between {' and '.join(canal.seas)}, permitted by whoever holds {canal.keeper}")
    for code, province in game_map.provinces.items():
        if province.not_counted:
            rules.append(f"{code} does not count for {', '.join(map(game_map.name_of, province.not_counted))}")
    return rules


def _list_neutral_rules(game_map: Map) -> list[str]:
    """List the rules for units of the power that nobody plays."""
    if (neutral := game_map.neutral) is None:
        return []
    rules = [f"nobody plays {game_map.name_of(neutral.power)}: its units hold, and are disbanded when they are dislodged"]
    rules += [f"the unit in {code} supports the one in {other} to hold" for code, other in sorted(neutral.supports.items())]
    if neutral.rebuilds:
        rules.append("an army of it comes back before Spring in each empty centre that it owns")
    return rules
