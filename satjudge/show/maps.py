"""Writes maps as tables, and their faults as lines, for `satjudge maps`."""

from __future__ import annotations

from satjudge.base.words import number_of
from satjudge.files.documents import CheckedMap, DescribedMap, ListedMaps
from satjudge.show.layout import Group, Part, StyledText
from satjudge.show.text import make_listing


def make_map_list(document: ListedMaps) -> Part:
    """Make a table of maps: their names, numbers of provinces, centres and powers, and titles."""
    numbers = ("Spaces", "Centres", "Powers")
    table = make_listing("Map", *numbers, "Title", numbers=numbers)
    for game_map in document.maps:
        table.add_row(game_map.name, str(game_map.spaces), str(game_map.centers), str(game_map.powers), game_map.title)
    return table


def make_map_tables(document: DescribedMap) -> Part:
    """Make the tables that describe a map: its rules, its powers, and its provinces with their borders."""
    heading = StyledText(f"{document.name}: {document.title}", style="bold")
    begins = f"starts in {document.first_year_called}, {number_of(document.victory, 'centre')} to win"
    powers = make_listing("Power", "Home centres", "Units at the start", "Owns at the start")
    for power in document.powers:
        owns = "its homes" if power.owns == power.homes else " ".join(power.owns)
        powers.add_row(power.name, " ".join(power.homes), ", ".join(power.units), owns)
    provinces = make_listing("Code", "Province", "Kind", "Armies to", "Fleets to")
    for province in document.provinces:
        kind = f"{province.kind}, centre" if province.center else province.kind
        by_coast = [(place.partition("/")[2].lower(), " ".join(exits)) for place, exits in province.fleet.items()]
        fleets = "; ".join(f"{coast}: {exits}" if coast else exits for coast, exits in by_coast)
        provinces.add_row(province.code, province.name, kind, " ".join(province.army), fleets)
    rules = [StyledText(f"- {rule}") for rule in document.rules]
    return Group(heading, StyledText(begins), *rules, StyledText(""), powers, StyledText(""), provinces)


def format_map_check(document: CheckedMap) -> str:
    """Return the faults and oddities of a map, one on each line, and a last line that counts them."""
    lines = [f"wrong: {problem}" for problem in document.problems] + [f"odd:   {remark}" for remark in document.remarks]
    counts = f"{number_of(len(document.problems), 'problem')}, {number_of(len(document.remarks), 'remark')}"
    return "\n".join([*lines, f"{document.name}: {counts}"])
