"""The command `prove`."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, count
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import click

from satjudge.apps.cli import options
from satjudge.apps.cli.options import PATH, RulesOptions, argument, command, flag, option, read_cases
from satjudge.apps.cli.output import show, show_call_count, show_status, write_certificate, write_files, write_json, write_text
from satjudge.apps.cli.resolutions import name_position_file, write_position
from satjudge.base.errors import InputError
from satjudge.base.words import number_of
from satjudge.notation.sheets import Sheet
from satjudge.notation.write import make_file_name
from satjudge.search.task import LineTask
from satjudge.world.board import Unit
from satjudge.world.geography import Map

if TYPE_CHECKING:
    from satjudge.search.documents.proofs import Report
    from satjudge.search.lines.line import Line
    from satjudge.search.lines.prove import LineFinding


@command(
    epilog="Examples:  satjudge prove line:walker-1  ·  satjudge prove line:beshera-1 --cheapest --repair"
    "  ·  satjudge prove line:lipton-dynamic"
    '  ·  satjudge prove sheet.txt --behind "POR SPA" --without "F VEN" --redundant'
)
def prove(
    file: str = argument(),
    task: LineTask = options.task(
        LineTask,
        behind=option("Provinces behind the line. [default: all it cuts off]", metavar="PROVINCES"),
        outside=option(
            "Provinces that need no protection; the line protects everything that it cuts off from them.", metavar="PROVINCES"
        ),
        without=options.without,
        centers=option('Supply centres that the line owns, e.g. "Turkey, TUN".', metavar="PROVINCES"),
        out=option('Powers that have no units, e.g. "Italy, Russia".', metavar="POWERS"),
        enemies=option(
            "Maximum number of enemy units. [default: one for each supply centre that the line does not own]",
            type=click.IntRange(min=0)
        ),
        fleets=option("Maximum number of enemy fleets. [default: any]", type=click.IntRange(min=0)),
        cheapest=flag("Show an attack with the fewest units."),
        redundant=flag("If the line holds, show units that it does not need."),
        repair=flag("If the line breaks, find the fewest units to add."),
        reorder=flag("Like --repair, but also change orders to save units."),
    ),
    save: Path | None = options.save("Save attacks and new lines in this directory."),
    certificate: Path | None = option(
        "Write a certificate for `satjudge verify`; for several lines, name a folder.", type=PATH, metavar="PATH"
    ),
    game_map: Map | None = options.game_map,
    rules: RulesOptions = options.rules,
    as_json: bool = options.json,
) -> int:  # fmt: skip
    """Prove that a line of units holds, or show how it breaks.

    FILE contains the units of one side with their orders, mostly holds and supports to hold. The line holds if no enemy can
    ever enter a province of the line or behind it, whatever the enemies order. satjudge judges every attack before showing
    it. docs/reference/lines.md explains every option, and lines that move.

    The exit status is 0 if every line holds, or breaks as its sheet expects (`finding: breaks`). satjudge ignores this
    expectation if you change the protected provinces, the enemies or the rules.
    """
    from satjudge.notation.documents import Cases
    from satjudge.proofs.certificates.claims import check_shipped_map
    from satjudge.search.documents.proofs import Report
    from satjudge.search.lines.alternatives import list_variants, parse_either_kind
    from satjudge.search.lines.line import read_stated_finding
    from satjudge.show.searches import iter_line_text, iter_variants_text

    reports: list[Report] = []
    as_stated = task.as_stated and not rules.is_given

    def report_on(sheet: Sheet) -> Report:
        rulebook = rules.load_rulebook(sheet.rules)
        if task.enemies is not None and task.enemies > (most := len(sheet.map.provinces)):  # there is room for one in each
            raise click.BadParameter(f"{task.enemies} is not in the range 0<=x<={most}.", param_hint="--enemies")
        line = parse_either_kind(sheet, rulebook, task.read_line)
        began = perf_counter()
        with show_call_count(f"{sheet.heading}: questions") as step:
            report = Report.from_task(sheet, line, read_stated_finding(sheet) if as_stated else None, task, step)
        if not as_json:
            show(*iter_line_text(sheet, report.case, perf_counter() - began))
        return report

    sheets = read_cases(file, game_map=game_map)
    for sheet in sheets if certificate else ():
        check_shipped_map(sheet.map)
    for sheet in sheets:
        found = [report_on(variant) for variant in list_variants(sheet)]
        reports += found
        if len(found) > 1 and not as_json:
            show(*iter_variants_text(sheet, [report.case for report in found]))
    if save:
        _save_findings(reports, save)
    if certificate:
        _write_certificates(reports, certificate, cheapest=task.cheapest)
    if as_json:
        write_json(Cases([report.case for report in reports]))
    return 0 if all(report.case.as_expected for report in reports) else 1


def _save_findings(reports: list[Report], directory: Path) -> None:
    """Write the sheets of each report into a directory, under the report's name, with a number if the name is taken."""
    sheets: dict[str, str] = {}
    read = [report.sheet.source_file for report in reports]
    inputs = {Path(name).resolve() for name in read}  # `write_files` refuses to overwrite these
    paths = {path.stem: path for path in directory.glob("*.txt") if path.resolve() not in inputs}
    for report in reports:
        for name in chain((report.name,), (f"{report.name}-{number}" for number in count(2))):
            found = {make_file_name(title): text for title, text in report.format_sheets(name).items()}
            if all(sheets.get(title, text) == text and _is_writable(paths.get(title), text) for title, text in found.items()):
                break
        if name != report.name:
            write_text(f"{directory} already has another {report.name}, so this one is saved as {name}", err=True)
        sheets |= found
    written = write_files(directory, ((f"{name}.txt", text) for name, text in sheets.items()), input_names=read)
    write_text(f"wrote {number_of(written, 'sheet')} to {directory}", err=True)


def _write_certificates(reports: list[Report], path: Path, *, cheapest: bool) -> None:
    """Write each line's certificates to `path` (a folder for several lines); a line that breaks gets some only if `cheapest`.

    A note names each line without certificates. If the only line cannot be certified, raises `InputError`.
    """
    from satjudge.proofs.certificates.claims import check_line_certifiable

    if len(reports) > 1:
        path.mkdir(exist_ok=True)
    for number, report in enumerate(reports, 1):
        file = path / f"{make_file_name(report.name)}.zip" if len(reports) > 1 else path
        try:
            check_line_certifiable(report.line)
            _write_line_certificates(report, file, f"certificate {number} of {len(reports)}", cheapest=cheapest)
        except InputError as error:
            if len(reports) == 1:
                raise
            write_text(f"{report.sheet.heading}: skipped, {error}", err=True)


def _write_line_certificates(report: Report, file: Path, status_text: str, *, cheapest: bool) -> None:
    """Write the certificates of one line: that it holds, or (if `cheapest`) the number of enemies that breaks it and an attack.

    If redundant units were requested, also writes certificates of the line without each unit. `status_text` names the
    certificate that is being written.
    """
    heading, line, attack = report.sheet.heading, report.line, report.attack
    if attack is None:
        _write_certificate(line, report.sheet, file, status_text)
        for unit, rest in (report.without or {}).items():
            _write_certificate_without(unit, rest, report, file, status_text)
        return
    if not cheapest:
        write_text(
            f"{heading}: no certificate is written because the line breaks; --cheapest certifies the fewest enemies",
            err=True,
        )
        return
    if fewer := len(attack.orders) - 1:
        _write_certificate(replace(line, enemies=fewer), report.sheet, file, status_text)
    else:
        write_text(
            f"{heading}: no certificate of a least number is written because no attack has fewer than one enemy", err=True
        )
    text = report.format_sheets(report.name)[f"{report.name}-attack"]
    write_position(text, line.board.map, line.rulebook, name_position_file(file))


def _write_certificate_without(unit: Unit, finding: LineFinding, report: Report, file: Path, status_text: str) -> None:
    """Write beside `file` a certificate that a line holds without `unit` or, if `finding` has one, of the breaking attack."""
    from satjudge.search.documents.proofs import format_attack_sheet

    written = file.with_name(f"{file.stem}-without-{unit.province}.zip")
    if finding.attack is None:
        _write_certificate(finding.line, report.sheet, written, status_text)
    else:
        text = format_attack_sheet(
            finding.attack, f"{report.name}-without-{unit.province}", f"an attack on the line without {unit}"
        )
        write_position(text, finding.line.board.map, finding.line.rulebook, written)


def _write_certificate(line: Line, sheet: Sheet, file: Path, status_text: str) -> None:
    """Write a certificate that a line holds; meanwhile, show `status_text` and the province in progress."""
    from satjudge.proofs.certificates.claims import certify_line

    with show_status(status_text) as change:
        certificate = certify_line(line, sheet, lambda province: change(f"{status_text}: {sheet.heading}: {province}"))
    write_certificate(certificate, file)


def _is_writable(path: Path | None, text: str) -> bool:
    """Return whether a text can be written to a file without loss: there is no file (None), or it already has this text."""
    try:
        return path is None or path.read_text(encoding="utf-8") == text
    except (OSError, UnicodeDecodeError):
        return False
