"""Commands about many cases: `check`, `datc`, `export`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import click

from satjudge.batch import written
from satjudge.board import Board, DislodgedUnit, Phase, by_power
from satjudge.check import CheckedCase, check_block, rulebook_of, rulebooks_of
from satjudge.check import check as check_sheet
from satjudge.cli.common import (
    EXIT_NOTHING_RAN,
    engine_option,
    heading,
    json_option,
    provenance,
    read_cases,
    rulebook_from_options,
    rules_options,
    show,
    tell,
    write_json,
    write_json_line,
)
from satjudge.errors import NotFoundError
from satjudge.geography import Power
from satjudge.judge import judge_phase
from satjudge.notation.sheets import Sheet, SheetOrder, shipped_sheet, shipped_sheets
from satjudge.outcome import Outcome
from satjudge.retreats import judge_retreats
from satjudge.rules import Rulebook, load_rulebook, preset_names, rulebook_sources
from satjudge.solve import Engine


@click.command(epilog="Examples:  satjudge check my-cases/*.txt  ·  satjudge check sheet.txt --engine staged --json")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@rules_options
@engine_option(Engine.FULL)
@json_option
def check(files: tuple[str, ...], rules: str | None, settings: tuple[str, ...], engine: str, as_json: bool) -> int:
    """Compare the verdicts that sheets expect with the judge's.

    Each case is judged by the rulebook that it names, and by those of its `under` blocks; with --rules or --set by that one.
    """
    sheets = [sheet for file in files for sheet in read_cases(file)]
    if rules or settings:
        cases = _checked(sheets, lambda sheet: _main(sheet, rulebook_from_options(rules, settings, sheet.rules), engine))
        return _report("Cases", {"": cases}, engine, as_json)
    return _report("Cases", _by_the_sheets(sheets, engine), engine, as_json)


@click.command(epilog="Examples:  satjudge datc  ·  satjudge datc 6.F.14 6.G.11  ·  satjudge datc --rules 1971")
@click.argument("ids", nargs=-1, metavar="[ID]...")
@rules_options
@engine_option(Engine.FULL)
@json_option
def datc(ids: tuple[str, ...], rules: str | None, settings: tuple[str, ...], engine: str, as_json: bool) -> int:
    """Run the cases of the DATC 3.2: all, or those named.

    An ID is that of a case (6.F.14) or of a section (6.F). Every verdict is compared, and what the document says of
    other rulebooks. With --rules NAME the deviations of that rulebook from the author's preferences are listed; only one
    that contradicts what the document says of it is a failure.
    """
    sheets = shipped_sheets() if not ids else [sheet for name in ids for sheet in _named_cases(name)]
    if not rules and not settings:
        return _report("DATC 3.2", _by_the_sheets(sheets, engine), engine, as_json)
    rulebook = rulebook_from_options(rules, settings)
    stated = _checked(sheets, lambda sheet: _blocks(sheet, engine, only=rulebook))
    told = {id(case.sheet) for case in stated}
    silent = [sheet for sheet in sheets if id(sheet) not in told]
    deviations = _checked(silent, lambda sheet: _main(sheet, rulebook, engine))
    title = f"DATC 3.2 under {rulebook.name}"
    return _report(title, {" as the document says of it": stated}, engine, as_json, deviations=deviations)


def _named_cases(name: str) -> list[Sheet]:
    name = name.removeprefix("datc:")
    section = [sheet for sheet in shipped_sheets() if sheet.identity.lower().startswith(f"{name.lower().rstrip('.')}.")]
    return section or [shipped_sheet(name)]


def _by_the_sheets(sheets: list[Sheet], engine: str) -> dict[str, list[CheckedCase]]:
    """The cases as their sheets expect them, and their `under` blocks."""
    main = _checked(sheets, lambda sheet: _main(sheet, rulebook_of(sheet), engine))
    under = _checked(sheets, lambda sheet: _blocks(sheet, engine))
    return {"": main, " under other rulebooks": under} if under else {"": main}


def _main(sheet: Sheet, rulebook: Rulebook, engine: str) -> Iterator[CheckedCase]:
    yield check_sheet(sheet, rulebook, Engine(engine))


def _blocks(sheet: Sheet, engine: str, only: Rulebook | None = None) -> Iterator[CheckedCase]:
    for block in sheet.under:
        for rulebook in rulebooks_of(sheet, block):
            if only in (None, rulebook):
                yield check_block(sheet, block, rulebook, Engine(engine))


def _checked(sheets: list[Sheet], checks: Callable[[Sheet], Iterator[CheckedCase]]) -> list[CheckedCase]:
    """All checks of the sheets, with a progress bar where somebody looks on."""
    from rich.console import Console
    from rich.progress import track

    shown: Iterable[Sheet] = sheets
    if sys.stderr.isatty() and len(sheets) > 20:
        shown = track(sheets, "judging", console=Console(stderr=True), transient=True)
    return [case for sheet in shown for case in checks(sheet)]


def _report(
    title: str,
    groups: dict[str, list[CheckedCase]],
    engine: str,
    as_json: bool,
    deviations: list[CheckedCase] | None = None,
) -> int:
    """Show what was checked, and return the exit code. `deviations` are told but are no failures."""
    from satjudge.render.text import cases_table

    cases = [case for group in groups.values() for case in group]
    ran = [case for case in cases if case.checked]
    failed = [case for case in ran if not case.passed]
    silent = [case for case in deviations or () if not case.answered]
    deviating = [case for case in deviations or () if not case.passed]
    if as_json:
        document = {
            "engine": engine,
            "passed": len(ran) - len(failed),
            "ran": len(ran),
            "cases": [_document(case) for case in cases],
        }
        write_json(document | ({"deviations": [_document(case) for case in deviating]} if deviations is not None else {}))
    else:
        _show(cases, failed)
        if deviating:
            show(cases_table(deviating, title="Deviations from the preferences of the document's author"), "")
        for what, group in groups.items():
            show(_summary(title + what, group))
        if deviations is not None:
            show(f"{title}: {len(deviating)} of {len(deviations)} other cases deviate")
    if not ran and not deviations:
        tell("satjudge: nothing ran: no sheet expects a verdict (write `| succeeds` behind an order)", err=True)
        return EXIT_NOTHING_RAN
    return 1 if failed or silent else 0


def _summary(title: str, cases: list[CheckedCase]) -> str:
    ran = [case for case in cases if case.checked]
    passed = sum(case.passed for case in ran)
    return f"{title}: {passed}/{len(ran)} passed, {sum(case.checked for case in ran)} verdicts compared"


def _show(cases: list[CheckedCase], failed: list[CheckedCase]) -> None:
    from satjudge.render.text import cases_table, errata_table

    mistaken = {id(case.sheet): case for case in reversed(cases) if case.sheet.notes.get("erratum")}
    if mistaken:
        show(errata_table(reversed(mistaken.values())), "")
    if failed:
        show(cases_table(failed), "")


def _document(case: CheckedCase) -> dict[str, Any]:
    return {
        **provenance(case.rulebook, id=case.sheet.identity or None, title=case.sheet.title, file=case.sheet.source_file),
        "passed": case.passed,
        "checked": case.checked,
        "answered": case.answered,
        "differences": [
            {"power": entry.power, "order": entry.order, "expected": entry.expected, "found": entry.found, "line": entry.line}
            for entry in case.differences
        ],
        "errata": [
            {"order": str(line.order), "printed": line.printed, "correct": line.expected} for line in case.errata
        ],
        "erratum": case.sheet.notes.get("erratum", []),
    }


@click.command(epilog="Examples:  satjudge export > datc.jsonl  ·  satjudge export | satjudge batch | head")
@click.argument("ids", nargs=-1, metavar="[ID]...")
def export(ids: tuple[str, ...]) -> None:
    """Write the shipped cases as batch lines with their answers.

    The answer that is expected stands under `expected`. Verdicts and automatic removals are those of the case; the rest
    of an expected answer (positions, retreats, resolutions, rulings) is satjudge's own. A case with retreats gives a
    second line, ID/retreats.
    """
    sheets = shipped_sheets() if not ids else [sheet for name in ids for sheet in _named_cases(name)]
    for sheet in sheets:
        for line in exported(sheet):
            write_json_line(line)


def exported(sheet: Sheet) -> Iterator[dict[str, Any]]:
    """The batch lines of one case."""
    board = sheet.board
    outcome = judge_phase(board, sheet.orders_by_power(), rulebook=rulebook_from_options(sheet.rules, ()))
    answer = written(outcome, sheet.identity) | {"results": _expected(sheet.orders)}
    if board.phase is Phase.ADJUSTMENT:
        answer["automatic"] = by_power(sheet.automatic)
    yield _line(sheet, sheet.identity, board, sheet.orders) | {"expected": answer}
    if sheet.retreats and isinstance(outcome, Outcome):
        after = outcome.retreat_board
        retreats = judge_retreats(after, sheet.retreats_by_power(), rulebook=load_rulebook(sheet.rules))
        name = f"{sheet.identity}/retreats"
        answer = written(retreats, name) | {"results": _expected(sheet.retreats)}
        line = _line(sheet, name, after, sheet.retreats)
        yield line | {"phase": Phase.RETREAT, "dislodged": _dislodged(after.dislodged), "expected": answer}


def _line(sheet: Sheet, identity: str, board: Board, orders: Iterable[SheetOrder]) -> dict[str, Any]:
    texts: dict[Power, list[str]] = {}
    for entry in orders:
        texts.setdefault(entry.power, []).append(str(entry.order))
    line: dict[str, Any] = {"id": identity, "title": heading(sheet), "phase": board.phase, "rules": sheet.rules}
    line |= {"units": by_power(board.units), "orders": texts}
    if board.phase is Phase.ADJUSTMENT:
        owned: dict[Power, list[str]] = {}
        for province, power in board.centers.items():
            owned.setdefault(power, []).append(province)
        line["centers"] = owned
    return line


def _expected(orders: Iterable[SheetOrder]) -> dict[Power, list[str]]:
    results: dict[Power, list[str]] = {}
    for entry in orders:
        if entry.expected is None:
            raise NotFoundError(f"{entry.order} has no expected verdict (line {entry.line})")
        results.setdefault(entry.power, []).append(entry.expected)
    return results


def _dislodged(entries: Iterable[DislodgedUnit]) -> dict[Power, dict[str, list[str]]]:
    found: dict[Power, dict[str, list[str]]] = {}
    for entry in entries:
        found.setdefault(entry.unit.power, {})[str(entry.unit)] = list(entry.retreats)
    return found


@click.command(epilog="Examples:  satjudge rulebooks  ·  satjudge rulebooks 1982  ·  satjudge rulebooks --json")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@json_option
def rulebooks(names: tuple[str, ...], as_json: bool) -> None:
    """List the rulebooks and their options.

    Every option is listed with its values; with NAMEs, what these rulebooks choose and where that is stated.
    """
    from satjudge.render.text import rulebooks_table, sources_table
    from satjudge.rules import options

    chosen = [load_rulebook(name) for name in names or preset_names()]
    sources = {name: rulebook_sources(name) for name in names or preset_names()}
    if as_json:
        described = [{"issue": o.issue, "question": o.question, "values": dict(o.values)} for o in options()]
        books = [
            {"name": book.name, "title": book.title, "settings": book.settings(), "sources": dict(sources[name])}
            for name, book in zip(sources, chosen, strict=True)
        ]
        write_json({"rulebooks": books, "options": described})
    elif names:
        for name, book in zip(sources, chosen, strict=True):
            rows = {issue: (value, sources[name].get(issue, "")) for issue, value in book.settings().items()}
            show(sources_table(rows, f"{book.name}: {book.title}"), "")
    else:
        show(rulebooks_table(chosen))
