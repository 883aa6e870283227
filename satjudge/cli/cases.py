"""Commands about many cases: `check`, `datc`, `export`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import Any

import click

from satjudge.batch import written
from satjudge.board import Board, DislodgedUnit, Phase, by_power
from satjudge.check import CheckedCase
from satjudge.check import check as check_sheet
from satjudge.cli.common import (
    engine_option,
    heading,
    json_option,
    provenance,
    read_cases,
    rulebook_from_options,
    rules_options,
    show,
    write_json,
)
from satjudge.errors import NotFoundError
from satjudge.geography import Power
from satjudge.judge import judge_phase
from satjudge.notation.sheets import Sheet, SheetOrder, shipped_sheet, shipped_sheets
from satjudge.retreats import judge_retreats
from satjudge.solve import Engine

EXIT_NOTHING_RAN = 5


@click.command(epilog="Examples:  satjudge check my-cases/*.txt  ·  satjudge check sheet.txt --engine staged --json")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@rules_options
@engine_option(Engine.FULL)
@json_option
def check(files: tuple[str, ...], rules: str | None, settings: tuple[str, ...], engine: str, as_json: bool) -> int:
    """Compare every verdict that the order sheets expect with what the judge says."""
    sheets = [sheet for file in files for sheet in read_cases(file)]
    return _report(sheets, rules, settings, Engine(engine), as_json)


@click.command(epilog="Examples:  satjudge datc  ·  satjudge datc 6.F.14 6.G.11  ·  satjudge datc 6.F --json")
@click.argument("ids", nargs=-1, metavar="[ID]...")
@rules_options
@engine_option(Engine.FULL)
@json_option
def datc(ids: tuple[str, ...], rules: str | None, settings: tuple[str, ...], engine: str, as_json: bool) -> int:
    """Run the cases of the DATC 3.2: all, or those named (6.F.14, or a section such as 6.F)."""
    sheets = shipped_sheets() if not ids else [sheet for name in ids for sheet in _named_cases(name)]
    return _report(sheets, rules, settings, Engine(engine), as_json, title="DATC 3.2")


def _named_cases(name: str) -> list[Sheet]:
    name = name.removeprefix("datc:")
    section = [sheet for sheet in shipped_sheets() if sheet.identity.lower().startswith(f"{name.lower().rstrip('.')}.")]
    return section or [shipped_sheet(name)]


def _report(
    sheets: list[Sheet],
    rules: str | None,
    settings: tuple[str, ...],
    engine: Engine,
    as_json: bool,
    title: str = "Cases",
) -> int:
    """Check the sheets, show the result, and return the exit code."""
    cases = list(_checked(sheets, rules, settings, engine))
    ran = [case for case in cases if case.checked]
    passed = [case for case in ran if case.passed]
    if as_json:
        write_json({"engine": engine, "passed": len(passed), "ran": len(ran), "cases": [_document(case) for case in cases]})
    else:
        _show(cases, f"{title}: {len(passed)}/{len(ran)} passed, {sum(case.checked for case in ran)} verdicts compared")
    if not ran:
        click.echo("satjudge: nothing ran: no sheet expects a verdict (write `| succeeds` behind an order)", err=True)
        return EXIT_NOTHING_RAN
    return 0 if len(passed) == len(ran) else 1


def _checked(
    sheets: list[Sheet], rules: str | None, settings: tuple[str, ...], engine: Engine
) -> Iterator[CheckedCase]:
    from rich.console import Console
    from rich.progress import track

    shown: Iterable[Sheet] = sheets
    if sys.stderr.isatty() and len(sheets) > 20:
        shown = track(sheets, "judging", console=Console(stderr=True), transient=True)
    for sheet in shown:
        yield check_sheet(sheet, rulebook_from_options(rules, settings, sheet.rules), engine)


def _show(cases: list[CheckedCase], summary: str) -> None:
    from satjudge.render.text import cases_table, errata_table

    if any(case.errata or case.sheet.notes.get("erratum") for case in cases):
        show(errata_table(case for case in cases if case.errata or case.sheet.notes.get("erratum")), "")
    failed = [case for case in cases if not case.passed]
    if failed:
        show(cases_table(failed), "")
    show(summary)


def _document(case: CheckedCase) -> dict[str, Any]:
    return {
        **provenance(case.rulebook, id=case.sheet.identity or None, title=case.sheet.title, file=case.sheet.source_file),
        "passed": case.passed,
        "checked": case.checked,
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
    """Write the shipped cases as batch lines, each with the answer that is expected under `expected`.

    Verdicts and automatic removals are those of the case; the rest of an expected answer (positions, retreats,
    resolutions, rulings) is satjudge's own. A case with retreats gives a second line, ID/retreats.
    """
    import msgspec

    sheets = shipped_sheets() if not ids else [sheet for name in ids for sheet in _named_cases(name)]
    for sheet in sheets:
        for line in exported(sheet):
            sys.stdout.write(msgspec.json.encode(line).decode() + "\n")


def exported(sheet: Sheet) -> Iterator[dict[str, Any]]:
    """The batch lines of one case."""
    board = sheet.board
    outcome = judge_phase(board, sheet.orders_by_power(), rulebook=rulebook_from_options(sheet.rules, ()))
    answer = written(outcome, sheet.identity) | {"results": _expected(sheet.orders)}
    if board.phase is Phase.ADJUSTMENT:
        answer["automatic"] = by_power(sheet.automatic)
    yield _line(sheet, sheet.identity, board, sheet.orders) | {"expected": answer}
    if sheet.retreats:
        after = outcome.next_board
        retreats = judge_retreats(after, sheet.retreats_by_power())
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


COMMANDS = (check, datc, export)
