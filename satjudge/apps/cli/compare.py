"""The commands `compare` and `rulebooks`."""

from __future__ import annotations

import re

import click

from satjudge.apps.cli import options
from satjudge.apps.cli.options import (
    argument,
    command,
    flag,
    load_rulebooks,
    option,
    read_cases,
)
from satjudge.apps.cli.output import show, write_json, write_text
from satjudge.judging.solve import Engine
from satjudge.world.geography import Map
from satjudge.world.rules import preset_names

_PHASE_OF_GAME = re.compile(r"[SFW][0-9]+[MRA]")
_ISSUE = re.compile(r"[0-9]+\.[A-Z]")


@command(epilog="Examples:  satjudge compare datc:6.F.17 --rules all  ·  satjudge compare sheet.txt --rules 1982,2025ee")
def compare(
    file: str = argument(),
    identity: str | None = options.case,
    game_map: Map | None = options.game_map,
    names: str = option("Rulebooks, or `all` for every preset.", "--rules", default="all", metavar="A,B,..."),
    settings: tuple[str, ...] = option(
        "Change a choice in all rulebooks, e.g. 4.A.2=all-hold.", "--set", metavar="ISSUE=VALUE", multiple=True
    ),
    engine: Engine = options.engine(Engine.STAGED),
    as_json: bool = options.json,
) -> None:
    """Judge FILE under several rulebooks and compare the results.

    Rulebooks that agree share a column. Each difference from the first column is marked, with the issue that causes it. For
    a game, the output shows only the phases on which the rulebooks differ.
    """
    from satjudge.explain.compare import compare as compare_rulebooks
    from satjudge.judging.position import read_sheet_position
    from satjudge.notation.documents import Cases
    from satjudge.show.text import format_differing_phases, make_comparison_table, make_heading

    cases = []
    sheets = read_cases(file, identity, game_map)
    of_game = len(sheets) > 1 and all(_PHASE_OF_GAME.fullmatch(sheet.identity) for sheet in sheets)
    for sheet in sheets:
        rulebooks = load_rulebooks(names, settings)
        case = compare_rulebooks(read_sheet_position(sheet), rulebooks, retreats=sheet.retreats_by_power(), engine=engine)
        case.title = sheet.title
        cases.append(case)
        if not as_json and not (of_game and case.agrees and not case.applied):
            show(make_heading(sheet), make_comparison_table(case, sheet.map), "")
    if not as_json and of_game:
        write_text(format_differing_phases(cases, [sheet.identity for sheet in sheets]))
    if as_json:
        write_json(Cases(cases))


@command(
    epilog="Examples:  satjudge rulebooks  ·  satjudge rulebooks 1982  ·  satjudge rulebooks 1971 4.A.2  ·  "
    "satjudge rulebooks 1982 2023 --differences"
)
def rulebooks(
    names: tuple[str, ...] = argument(nargs=-1, metavar="[NAME|ISSUE]..."),
    differences: bool = flag("Show only options on which the named rulebooks differ."),
    as_json: bool = options.json,
) -> None:
    """List the rulebooks and their options.

    Without arguments, satjudge lists every option with its values. If you name rulebooks, it lists their choices and the
    passages that support them. If you also name issues, such as 4.A.2, it lists only those.
    """
    from satjudge.files.documents import described_rulebooks
    from satjudge.show.text import make_differences_table, make_rulebooks_table, make_sources_table

    issues = [name for name in names if _ISSUE.match(name)]
    rulebook_names = [name for name in names if name not in issues]
    if differences and len(rulebook_names) == 1:
        raise click.UsageError(f"--differences compares rulebooks: name another one in addition to {rulebook_names[0]}")
    document = described_rulebooks(rulebook_names or preset_names(), issues)
    if differences:
        document.options = document.differing
    if as_json:
        write_json(document)
    elif differences:
        show(make_differences_table(document))
    elif rulebook_names:
        for book in document.rulebooks:
            show(make_sources_table(book), "")
    else:
        show(make_rulebooks_table(document))
