"""Holds the results of commands on cases and maps, as plain data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import UNSET, UnsetType

from satjudge.base.errors import NotFoundError, RulebookError
from satjudge.base.values import replace
from satjudge.base.version import __version__
from satjudge.base.words import number_of
from satjudge.explain.changes import Change, Pivot
from satjudge.explain.contradictions import Contradiction, WhyNot
from satjudge.explain.counterfactuals import WhatWouldChange
from satjudge.explain.documents import BatchAnswer, JudgedCase, OfPower, make_judged_case, make_phase_fields
from satjudge.explain.explanation import Explanation
from satjudge.files.batch_lines import make_position_fields
from satjudge.files.diplomacy_package import get_tables_to_store
from satjudge.files.maps.checks import list_faults, list_oddities
from satjudge.judging.check import CheckedCase
from satjudge.judging.judge import AnyOutcome, Judgement, judge_case
from satjudge.judging.solve.case_splitting import is_solver_installed
from satjudge.notation.documents import CaseDocument, Document, Rules, case_origin
from satjudge.notation.sheets import Sheet, SheetOrder
from satjudge.world.board import Board, Phase, Unit, by_power, group_pairs
from satjudge.world.geography import Location, Map, Power, ProvinceCode, format_year
from satjudge.world.rules import Option, load_preset, load_rulebook, nearest_preset, options, rulebook_sources, rulebook_text

# ---- check, datc ----


class CheckedCases(Document):
    """The document that `satjudge check --json` and `satjudge datc --json` write."""

    engine: str
    passed: int
    ran: int
    cases: list[CheckedCase]
    deviations: list[CheckedCase] | UnsetType = UNSET
    """Cases that deviate only under a rulebook other than the document's own."""


# ---- explain ----


class ExplainedCase(CaseDocument, kw_only=True):
    """One case of `satjudge explain --json`, with the answers to the questions."""

    engine: str
    orders: list[Explanation] | UnsetType = UNSET
    retreats: list[Explanation] | UnsetType = UNSET
    why_not: list[WhyNot] | UnsetType = UNSET
    no_resolution: list[Contradiction] | UnsetType = UNSET
    change: Change | UnsetType = UNSET
    what_would_change: WhatWouldChange | UnsetType = UNSET
    pivotal: list[Pivot] | UnsetType = UNSET
    pivotal_for: str | UnsetType = UNSET
    """The order in question: without any of the `pivotal` orders, it would have another verdict."""


# ---- export ----


class CaseLine(Document, kw_only=True):
    """A case as a batch line."""

    id: str
    title: str
    phase: str
    rules: str
    map: str | UnsetType = UNSET
    season: str | UnsetType = UNSET
    units: OfPower
    orders: OfPower
    centers: OfPower | UnsetType = UNSET
    dislodged: dict[str, OfPower] | UnsetType = UNSET


class ExportedLine(CaseLine, kw_only=True):
    """A shipped case, with the expected answer."""

    expected: BatchAnswer


def exported_lines(sheet: Sheet) -> Iterator[ExportedLine]:
    """Yield the batch lines, with expected answers, for a shipped case: one for its orders, and one for any retreats."""
    rulebook = load_preset(sheet.rules)
    judged = judge_case(sheet, rulebook)
    line = _make_exported_line(sheet, sheet.identity, sheet.board, sheet.orders, judged.require_outcome())
    if sheet.phase is Phase.ADJUSTMENT:
        line.expected.automatic = by_power(sheet.automatic)
    yield line
    if sheet.retreats and judged.retreats:
        yield _make_exported_line(sheet, f"{sheet.identity}/retreats", judged.retreats.board, sheet.retreats, judged.retreats)


def _make_exported_line(
    sheet: Sheet, identity: str, board: Board, orders: Sequence[SheetOrder], outcome: AnyOutcome
) -> ExportedLine:
    """Make the batch line of one phase of a case, with the expected answer; raise `NotFoundError` if a verdict is missing."""
    for entry in orders:
        if entry.expected is None:
            raise NotFoundError(f"{entry.order} has no expected verdict (line {entry.line})")
    answer = BatchAnswer(id=identity, **make_phase_fields(outcome))
    answer.results = group_pairs((entry.power, str(entry.expected)) for entry in orders)
    return ExportedLine(**_make_case_fields(sheet, identity, sheet.rules, board, orders), expected=answer)


def _make_case_fields(sheet: Sheet, identity: str, rules: str, board: Board, orders: Sequence[SheetOrder]) -> dict[str, Any]:
    """Return the JSON fields of a `CaseLine` for a sheet, its board and its orders."""
    return {
        "id": identity,
        "title": sheet.heading,
        "phase": str(board.phase),
        "rules": rules,
        "units": by_power(board.units),
        "orders": group_pairs((entry.power, str(entry.order)) for entry in orders),
        **make_position_fields(board),
    }


# ---- judge --report ----


class ReportedPhase(Document):
    """A phase as a batch line, and satjudge's results for it."""

    request: CaseLine
    answer: JudgedCase


class Report(Document, kw_only=True):
    """The document of `satjudge judge --report`: everything needed to judge a phase again in the same way."""

    satjudge: str
    python: str
    system: str
    solver: str | None
    """The version of ortools; None if it is not installed."""
    engine: str
    reported: list[ReportedPhase]
    map: Mapping[str, Any] | UnsetType = UNSET
    """The tables of a map that does not come with satjudge."""


def reported_phases(judged: Judgement) -> Iterator[ReportedPhase]:
    """Yield the phases of a judged case with their results: the phase of its orders, and any retreat phase after it."""
    sheet, rules = judged.sheet, rulebook_text(*nearest_preset(judged.rulebook))
    line = CaseLine(**_make_case_fields(sheet, sheet.identity, rules, sheet.board, sheet.orders) | {"title": sheet.title})
    yield ReportedPhase(line, make_judged_case(replace(judged, retreats=None)))
    if judged.retreats:
        after = judged.retreats.board
        line = CaseLine(
            **_make_case_fields(sheet, f"{sheet.identity}/retreats", rules, after, sheet.retreats) | {"title": sheet.title}
        )
        about = {**case_origin(sheet, judged.rulebook), "phase": str(after.phase)}
        yield ReportedPhase(line, JudgedCase(**about, **make_phase_fields(judged.retreats)))


def make_report(phases: Iterable[ReportedPhase], game_map: Map, engine: str) -> Report:
    """Make the document that `satjudge judge --report` writes about judged phases on one map, with the engine's name."""
    import platform
    from importlib.metadata import version

    return Report(
        satjudge=__version__,
        python=platform.python_version(),
        system=platform.platform(),
        solver=version("ortools") if is_solver_installed() else None,
        engine=engine,
        reported=list(phases),
        map=get_tables_to_store(game_map) or UNSET,
    )


# ---- rulebooks ----


class DescribedRules(Rules):
    """A rulebook with the sources of its choices, by issue."""

    sources: Mapping[str, str]


class Rulebooks(Document):
    """The document that `satjudge rulebooks --json` writes."""

    rulebooks: list[DescribedRules]
    options: list[Option]

    @property
    def differing(self) -> list[Option]:
        """The options for which these rulebooks choose different values."""
        return [option for option in self.options if len({book.settings[option.issue] for book in self.rulebooks}) > 1]


def described_rulebooks(names: Iterable[str], sections: Sequence[str] = ()) -> Rulebooks:
    """Describe the named rulebooks with the sources of their choices, for all options or for those of some DATC sections.

    `sections` are numbers such as `4.A.2` or `4.A`. Raises `RulebookError` if no option belongs to them.
    """
    chosen_options = [
        option for option in options() if not sections or f"{option.issue}.".startswith(tuple(f"{one}." for one in sections))
    ]
    if not chosen_options:
        raise RulebookError(
            f"there is no option for {', '.join(sections)}", suggestion="`satjudge rulebooks` lists all options"
        )
    books = []
    for book, sources in [(load_rulebook(name), rulebook_sources(name)) for name in names]:
        choices = book.settings()
        books.append(DescribedRules(book.name, book.title, {one.issue: choices[one.issue] for one in chosen_options}, sources))
    return Rulebooks(books, chosen_options)


# ---- maps ----


class ListedMap(Document):
    """A map in a list of maps."""

    name: str
    title: str
    spaces: int
    centers: int
    powers: int

    @staticmethod
    def from_map(game_map: Map) -> ListedMap:
        """Make the entry of a map in a list: its name, title, and numbers of provinces, centres and powers."""
        counts = len(game_map.provinces), len(game_map.centers), len(game_map.powers)
        return ListedMap(game_map.name, game_map.title, *counts)


class ListedMaps(Document):
    """The maps that come with satjudge."""

    maps: list[ListedMap]


class DescribedPower(Document):
    """A power: its home centres, and the centres and units that it has when a game begins."""

    power: Power
    name: str
    homes: list[ProvinceCode]
    owns: list[ProvinceCode]
    units: list[str]


class DescribedProvince(Document):
    """A province with its borders; `fleet` has a key for each coast, or the province itself if it has no named coasts."""

    code: ProvinceCode
    name: str
    kind: str
    center: bool
    army: list[ProvinceCode]
    fleet: dict[Location, list[Location]]


class DescribedMap(Document):
    """A map: its powers and provinces, and the rules that differ from the standard game."""

    name: str
    title: str
    first_year: int
    first_year_called: str
    """The year as people write it: `480 BC`."""
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
    """Make the document that lists maps with their names, titles and sizes."""
    return ListedMaps([ListedMap.from_map(game_map) for game_map in maps])


def checked_map(game_map: Map) -> CheckedMap:
    """Check a map, and return its faults and oddities as a document."""
    return CheckedMap(game_map.name, game_map.title, list_faults(game_map), list_oddities(game_map))


def described_map(game_map: Map) -> DescribedMap:
    """Make the document that describes a map: its powers, provinces, borders and special rules."""
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
    return DescribedMap(game_map.name, game_map.title, *begins, victory, _describe_rules(game_map), powers, provinces)


def _describe_rules(game_map: Map) -> list[str]:
    """List, in one phrase each, the rules of a map that differ from the standard game (DATC 2.4, 7 to 12)."""
    rules = []
    if coasts := sorted(game_map.convoying - game_map.seas):
        rules.append(f"fleets convoy in {', '.join(coasts)} as well")
    for code, others in sorted(game_map.difficult.items()):
        rules += [f"the border {code} - {other} is difficult" for other in sorted(others) if code < other]
    for code, others in sorted(game_map.half_strength.items()):
        rules += [f"units pass the border {code} - {other} at half strength" for other in sorted(others) if code < other]
    rules += [f"closed in {season.capitalize()}: {', '.join(sorted(codes))}" for season, codes in game_map.closed.items()]
    if game_map.builds_anywhere:
        rules.append("every owned centre counts as a home centre")
    if game_map.builds_in_any_home:
        rules.append("a power may build in every home centre that it owns, even another power's")
    if game_map.first_builds:
        first = number_of(game_map.first_builds, "build")
        rules.append(f"a game begins with {first} by each power in its homes; homes that stay empty become unowned")
    if game_map.builds_need_home:
        rules.append("a power builds only while it owns one of its homes")
    for power, code in game_map.partisans.items():
        name = game_map.name_of(power)
        rules.append(f"while {name} owns some but not all of its homes, it may have one more unit, and build an army in {code}")
    for code, powers in sorted(game_map.builders.items()):
        rules.append(f"{', '.join(map(game_map.name_of, powers))} may build in {code}")
    for code, powers in sorted(game_map.alternatives.items()):
        rules.append(f"{', '.join(map(game_map.name_of, powers))} may build in {code} instead of in a home")
    rules += _describe_neutral_units(game_map)
    if game_map.no_retreats:
        rules.append("units that are dislodged are disbanded")
    if game_map.transforms:
        rules.append("a unit in a coastal centre may become the other kind of unit, if nobody else attacks it")
    rules += [f"{number_of(least, 'centre')} win for {game_map.name_of(power)}" for power, least in game_map.victories.items()]
    if lead := game_map.victory_lead:
        less = f", {lead.less_each_year} less each year" if lead.less_each_year else ""
        rules.append(f"a lead of {number_of(lead.first, 'centre')} wins{less}")
    if last := game_map.last_year:
        how = "the remaining players draw" if last.draw else "the most centres win"
        rules.append(f"the game ends after {format_year(last.year)}: {how}")
    if game_map.victory_needs:
        rules.append(f"only an owner of {' and '.join(game_map.victory_needs)} can win")
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


def _describe_neutral_units(game_map: Map) -> list[str]:
    """List, in one phrase each, what the units of a power that nobody plays do; empty if the map has no such power."""
    if (neutral := game_map.neutral) is None:
        return []
    rules = [f"nobody plays {game_map.name_of(neutral.power)}: its units hold, and are disbanded if dislodged"]
    rules += [f"the unit in {code} supports the one in {other} to hold" for code, other in sorted(neutral.supports.items())]
    if neutral.rebuilds:
        rules.append("before each Spring, it gets an army in each empty centre that it owns")
    return rules
