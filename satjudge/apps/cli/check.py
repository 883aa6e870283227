"""The commands `check` and `datc`."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import click

from satjudge.apps.cli import EXIT_NOTHING_RAN, options
from satjudge.apps.cli.options import RulesOptions, argument, command, option, read_cases
from satjudge.apps.cli.output import show, show_progress, write_json, write_text
from satjudge.judging.check import CheckedCase, check_under, load_sheet_rulebook
from satjudge.judging.check import check as check_sheet
from satjudge.judging.solve import Engine
from satjudge.notation.bundled_cases import EDITIONS, find_collection, is_case_name, read_bundled_cases
from satjudge.notation.sheets import Sheet
from satjudge.world.geography import Map

CheckedSheets = list[tuple[Sheet, CheckedCase]]
"""Pairs of a sheet and a result of checking it."""


@command(epilog="Examples:  satjudge check my-cases/*.txt  ·  satjudge check sheet.txt --engine staged --json")
def check(
    files: tuple[str, ...] = argument(nargs=-1, required=True, metavar="FILE..."),
    game_map: Map | None = options.game_map,
    rules: RulesOptions = options.rules,
    engine: Engine = options.engine(Engine.FULL),
    as_json: bool = options.json,
) -> int:
    """Check satjudge against the expected verdicts in sheets.

    Each case is judged under the rulebook that it names, and under those in its `under` blocks. --rules and --set override
    both. For jDip cases and games from other programs, the units after each phase are compared with those in the file
    (docs/guides/saved-games.md).
    """
    sheets = [sheet for file in files for sheet in read_cases(file, game_map=game_map)]
    if rules.is_given:
        cases = _check_sheets(sheets, lambda sheet: [check_sheet(sheet, rules.load_rulebook(sheet.rules), engine)])
        return _report_checks("Cases", {"": cases}, engine, as_json)
    return _report_checks("Cases", _check_as_stated(sheets, engine), engine, as_json)


@command(
    epilog="Examples:  satjudge datc  ·  satjudge datc 6.F.14 6.G.11  ·  satjudge datc --rules 1971  ·  "
    "satjudge datc --edition 2.4 7.B"
)
def datc(
    ids: tuple[str, ...] = argument(nargs=-1, metavar="[ID]..."),
    edition: str = option(
        "Edition of the DATC. Only 2.4 has variants (chapters 7 to 12).", type=click.Choice(EDITIONS),
        default=EDITIONS[0]
    ),
    game_map: Map | None = options.game_map,
    rules: RulesOptions = options.rules,
    engine: Engine = options.engine(Engine.FULL),
    as_json: bool = options.json,
) -> int:  # fmt: skip
    """Run the test cases of the DATC.

    An ID is a case (6.F.14) or a section (6.F, 9). Without an ID, satjudge runs all cases. It compares every verdict with
    the one in the DATC, and checks what the DATC says about other rulebooks.

    With --rules, the output shows where that rulebook differs from the preferences of the DATC's author. Such a difference
    is a failure only if the DATC expects another result under that rulebook.
    """
    if other := next((name for name in ids if is_case_name(name) and not name.lower().startswith("datc:")), None):
        raise click.UsageError(f"{other} is not a case of the DATC; run `satjudge check {other}`")
    sheets = [sheet for name in ids or ("all",) for sheet in read_bundled_cases(name, game_map, edition)]
    editions = " and ".join(sorted({find_collection(sheet.identity).removeprefix("datc-") for sheet in sheets}))
    if not rules.is_given:
        return _report_checks(f"DATC {editions}", _check_as_stated(sheets, engine), engine, as_json)
    rulebook = rules.load_rulebook()
    stated = _check_sheets(sheets, lambda sheet: check_under(sheet, engine, rulebook))
    stated_ids = {id(sheet) for sheet, _ in stated}
    silent = [sheet for sheet in sheets if id(sheet) not in stated_ids]
    deviations = _check_sheets(silent, lambda sheet: [check_sheet(sheet, rulebook, engine)])
    title = f"DATC {editions} under {rulebook.name}"
    return _report_checks(title, {", as the document states": stated}, engine, as_json, deviations=deviations)


def _check_as_stated(sheets: list[Sheet], engine: Engine) -> dict[str, CheckedSheets]:
    """Check cases under their own rulebooks (key "") and under those of `under` blocks, if any (" under other rulebooks")."""
    main = _check_sheets(sheets, lambda sheet: [check_sheet(sheet, load_sheet_rulebook(sheet), engine)])
    under = _check_sheets(sheets, lambda sheet: check_under(sheet, engine))
    return {"": main, " under other rulebooks": under} if under else {"": main}


def _check_sheets(sheets: list[Sheet], run_checks: Callable[[Sheet], Iterable[CheckedCase]]) -> CheckedSheets:
    """Return a pair of sheet and result for each result of `run_checks(sheet)`; show a progress bar at a terminal."""
    found: CheckedSheets = []
    with show_progress(len(sheets), "cases", lines=False) as advance:
        for sheet in sheets:
            found += [(sheet, case) for case in run_checks(sheet)]
            advance(1)
    return found


def _report_checks(
    title: str, groups: dict[str, CheckedSheets], engine: Engine, as_json: bool, deviations: CheckedSheets | None = None
) -> int:
    """Show the results of checks by group; return the exit code: 1 for failures or unanswered deviations, 5 if nothing ran."""
    from satjudge.files.documents import CheckedCases
    from satjudge.show.text import iter_checked_text

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
        show(*iter_checked_text(title, groups, deviations))
    if not ran and not deviations:
        write_text("satjudge: nothing ran: no sheet expects a verdict (write `| succeeds` after an order)", err=True)
        return EXIT_NOTHING_RAN
    return 1 if failed or silent else 0
