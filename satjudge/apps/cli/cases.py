"""Has the commands about cases that sheets state and about rulebooks: `check`, `datc`, `export`, `rulebooks`."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import click

from satjudge.apps.cli import EXIT_NOTHING_RAN, options
from satjudge.apps.cli.options import RulesOptions, argument, command, flag, option, read_cases
from satjudge.apps.cli.output import progress, show, tell, write_json
from satjudge.judging.check import CheckedCase, check_under, rulebook_of
from satjudge.judging.check import check as check_sheet
from satjudge.judging.solve import Engine
from satjudge.notation.sheets import Sheet
from satjudge.notation.shipped import EDITIONS, collection_of, is_shipped, shipped_cases
from satjudge.world.geography import Map
from satjudge.world.rules import preset_names

CheckedSheets = list[tuple[Sheet, CheckedCase]]
"""The sheets, each with what came of checking it."""


@command(epilog="Examples:  satjudge check my-cases/*.txt  ·  satjudge check sheet.txt --engine staged --json")
def check(
    files: tuple[str, ...] = argument(nargs=-1, required=True, metavar="FILE..."),
    game_map: Map | None = options.game_map,
    rules: RulesOptions = options.rules,
    engine: Engine = options.engine(Engine.FULL),
    as_json: bool = options.json,
) -> int:
    """Compare the verdicts that sheets expect with the judge's.

    Each case is judged by the rulebook that it names, and by those of its `under` blocks; with --rules or --set by that one.
    Of games of other programs, and of jDip's cases, the units after each phase are compared (docs/guides/saved-games.md).
    """
    sheets = [sheet for file in files for sheet in read_cases(file, game_map=game_map)]
    if rules.is_given:
        cases = _check_sheets(sheets, lambda sheet: [check_sheet(sheet, rules.rulebook(sheet.rules), engine)])
        return _report("Cases", {"": cases}, engine, as_json)
    return _report("Cases", _check_as_stated(sheets, engine), engine, as_json)


@command(
    epilog="Examples:  satjudge datc  ·  satjudge datc 6.F.14 6.G.11  ·  satjudge datc --rules 1971  ·  "
    "satjudge datc --edition 2.4 7.B"
)
def datc(
    ids: tuple[str, ...] = argument(nargs=-1, metavar="[ID]..."),
    edition: str = option(
        "Which edition of the DATC: 2.4 has the variants too, in chapters 7 to 12.", type=click.Choice(EDITIONS),
        default=EDITIONS[0]
    ),
    game_map: Map | None = options.game_map,
    rules: RulesOptions = options.rules,
    engine: Engine = options.engine(Engine.FULL),
    as_json: bool = options.json,
) -> int:  # fmt: skip
    """Run the cases of the DATC 3.2 or 2.4: all, or those named.

    An ID is that of a case (6.F.14) or of a section (6.F, 9). Every verdict is compared, and what the document says of
    other rulebooks. With --rules NAME the deviations of that rulebook from the author's preferences are listed; only one
    that contradicts what the document says of it is a failure.
    """
    if other := next((name for name in ids if is_shipped(name) and not name.lower().startswith("datc:")), None):
        raise click.UsageError(f"{other} is not of the DATC; `satjudge check {other}` checks it")
    sheets = _read_shipped_sheets(ids, game_map, edition)
    editions = " and ".join(sorted({collection_of(sheet.identity).removeprefix("datc-") for sheet in sheets}))
    if not rules.is_given:
        return _report(f"DATC {editions}", _check_as_stated(sheets, engine), engine, as_json)
    rulebook = rules.rulebook()
    stated = _check_sheets(sheets, lambda sheet: check_under(sheet, engine, rulebook))
    told = {id(sheet) for sheet, _ in stated}
    silent = [sheet for sheet in sheets if id(sheet) not in told]
    deviations = _check_sheets(silent, lambda sheet: [check_sheet(sheet, rulebook, engine)])
    title = f"DATC {editions} under {rulebook.name}"
    return _report(title, {" as the document says of it": stated}, engine, as_json, deviations=deviations)


def _read_shipped_sheets(ids: tuple[str, ...], game_map: Map | None, edition: str = EDITIONS[0]) -> list[Sheet]:
    return [sheet for name in ids or ("all",) for sheet in shipped_cases(name, game_map, edition)]


def _check_as_stated(sheets: list[Sheet], engine: Engine) -> dict[str, CheckedSheets]:
    """Check the cases by the rulebooks that their sheets name, and their `under` blocks."""
    main = _check_sheets(sheets, lambda sheet: [check_sheet(sheet, rulebook_of(sheet), engine)])
    under = _check_sheets(sheets, lambda sheet: check_under(sheet, engine))
    return {"": main, " under other rulebooks": under} if under else {"": main}


def _check_sheets(sheets: list[Sheet], checks: Callable[[Sheet], Iterable[CheckedCase]]) -> CheckedSheets:
    """Check the verdicts that sheets expect, with a progress bar at a terminal."""
    found: CheckedSheets = []
    with progress(len(sheets), "cases", lines=False) as advance:
        for sheet in sheets:
            found += [(sheet, case) for case in checks(sheet)]
            advance(1)
    return found


def _report(
    title: str, groups: dict[str, CheckedSheets], engine: Engine, as_json: bool, deviations: CheckedSheets | None = None
) -> int:
    """Show the results of checks, and return the exit code; `deviations` are told but are no failures."""
    from satjudge.files.documents.cases import CheckedCases
    from satjudge.show.text import checked_text

    cases = [case for group in groups.values() for _, case in group]
    ran = [case for case in cases if case.checked]
    failed = [case for case in ran if not case.passed]
    silent = [case for _, case in deviations or () if not case.answered]
    deviating = [case for _, case in deviations or () if not case.passed]
    if as_json:
        document = CheckedCases(engine, len(ran) - len(failed), len(ran), cases)
        if deviations is not None:
            document.deviations = deviating
        write_json(document)
    else:
        show(*checked_text(title, groups, deviations))
    if not ran and not deviations:
        tell("satjudge: nothing ran: no sheet expects a verdict (write `| succeeds` behind an order)", err=True)
        return EXIT_NOTHING_RAN
    return 1 if failed or silent else 0


@command(
    epilog="Examples:  satjudge export > datc.jsonl  ·  satjudge export 6.F catalogue:all  ·  satjudge export | satjudge batch"
)
def export(ids: tuple[str, ...] = argument(nargs=-1, metavar="[ID]..."), game_map: Map | None = options.game_map) -> None:
    """Write the shipped cases as batch lines with their answers.

    An ID is that of a case of the DATC (6.F.14) or of a section (6.F), or a short name (datc:all, catalogue:all, line:all, or
    that of one case). Without any, all cases of the DATC are written.

    The answer that is expected stands under `expected`. Verdicts and automatic removals are those of the case; the rest
    of an expected answer (positions, retreats, resolutions, rulings) is satjudge's own. A case with retreats gives a
    second line, ID/retreats.
    """
    from satjudge.files.documents.cases import exported_lines

    sheets = _read_shipped_sheets(ids, game_map)
    for sheet in sheets:
        for line in exported_lines(sheet):
            write_json(line, one_line=True)


@command(
    epilog="Examples:  satjudge rulebooks  ·  satjudge rulebooks 1982  ·  satjudge rulebooks 1982 2023 --differences  ·  "
    "satjudge rulebooks --json"
)
def rulebooks(
    names: tuple[str, ...] = argument(nargs=-1, metavar="[NAME]..."),
    differences: bool = flag("Only the options on which the NAMEs differ, with what each chooses."),
    as_json: bool = options.json,
) -> None:
    """List the rulebooks and their options.

    Every option is listed with its values; with NAMEs, what these rulebooks choose and where that is stated.
    """
    from satjudge.files.documents.cases import described_rulebooks
    from satjudge.show.text import differences_table, rulebooks_table, sources_table

    if differences and len(names) == 1:
        raise click.UsageError(f"{names[0]} by itself has no differences: name another one, too")
    document = described_rulebooks(names or preset_names())
    if differences:
        document.options = document.differing
    if as_json:
        write_json(document)
    elif differences:
        show(differences_table(document))
    elif names:
        for book in document.rulebooks:
            show(sources_table(book), "")
    else:
        show(rulebooks_table(document))
