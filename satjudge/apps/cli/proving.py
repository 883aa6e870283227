"""Has the commands that prove something of all possible orders: `prove` (lines of units), `guarantee` (a power's wishes)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import chain, count
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import click

from satjudge.apps.cli import options
from satjudge.apps.cli.options import RulesOptions, Seconds, argument, check_movement, command, flag, option, read_cases
from satjudge.apps.cli.output import announce_file, count_calls, file_errors, show, status, tell, write_files, write_json
from satjudge.apps.cli.positions import position_file, write_position
from satjudge.base.errors import InputError
from satjudge.base.words import number_of
from satjudge.notation.sheets import Sheet
from satjudge.notation.write import file_name
from satjudge.search.task import GuaranteeTask, LineTask
from satjudge.world.board import Unit
from satjudge.world.geography import Map

if TYPE_CHECKING:
    from satjudge.search.documents.proofs import GuaranteeCase, Report
    from satjudge.search.lines.line import Line
    from satjudge.search.lines.prove import Finding


@command(
    epilog="Examples:  satjudge prove line:walker-1  ·  satjudge prove line:beshera-1 --cheapest --repair"
    "  ·  satjudge prove line:lipton-dynamic"
    '  ·  satjudge prove sheet.txt --behind "POR SPA" --without "F VEN" --redundant'
)
def prove(
    file: str = argument(),
    task: LineTask = options.task(
        LineTask,
        behind=option(
            "What the line protects besides its own provinces. [default: what it cuts off]", metavar="PROVINCES"
        ),
        outside=option(
            "What the line does not protect, with all that is not cut off from it; the rest is behind. [default: the largest "
            "part]", metavar="PROVINCES"
        ),
        without=options.without,
        centers=option('The supply centres that the line owns: "Turkey, Balkans, TUN".', metavar="PROVINCES"),
        out=option('Powers that have no units and build none: "Italy, Russia".', metavar="POWERS"),
        enemies=option(
            "At most so many enemy units. [default: as many as there are supply centres beyond those of the line, or one for "
            "each of its units]", type=click.IntRange(min=0), metavar="N"
        ),
        fleets=option("At most so many enemy fleets. [default: any number]", type=click.IntRange(min=0), metavar="N"),
        cheapest=flag("Show an attack with as few units as can be."),
        redundant=flag("If it holds: without which units, and what is the smallest part that does?"),
        repair=flag("If it breaks: the fewest units more that make it hold, with their orders."),
        reorder=flag("Repair, and change orders of the line, if that saves units: as few as can be."),
    ),
    save: Path | None = options.save(
        "Write attacks, smaller and repaired lines there, as sheets, beside those that are there."
    ),
    certificate: Path | None = option(
        "Write a certificate that the line holds to the file PATH; of several lines one each, to the folder PATH. Of a line "
        "that breaks, with --cheapest: that fewer enemies do not break it, and of the attack, as PATH-position.zip. With "
        "--redundant: of the line without each unit, that it holds, or of an attack, as PATH-without-PAR.zip and so on.",
        type=click.Path(path_type=Path), metavar="PATH"
    ),
    game_map: Map | None = options.game_map,
    rules: RulesOptions = options.rules,
    as_json: bool = options.json,
) -> int:  # fmt: skip
    """Prove that a line of units holds, or break it.

    FILE holds the units of one side with their orders, mostly holds and supports to hold. No enemy stands behind the
    line, or is built there. The line holds if no enemies outside, wherever they stand and whatever they order, can bring a
    unit into a province of the line or behind it: then it holds in every turn to come. An attack is judged before it is shown.

    Units may also move, and support such moves: where they go is protected as well. Then it is proved of all positions that
    the line comes to, which are shown; "then: A CON H; A SMY - ANK" on the sheet is one more, with its orders, and
    "outposts: SEV" what may be lost. Example: satjudge prove line:lipton-dynamic

    The exit status is 0 if every line holds, or breaks where its sheet says so (finding: breaks); it is 1 if one breaks that
    its sheet does not say breaks, or holds that its sheet says breaks. With an option that says what is protected or what
    enemies there are, with --rules or --set it is another question, and what a sheet says does not count. What --certificate
    writes `satjudge verify` checks; there is none of a line whose units move.
    """
    from satjudge.notation.documents import Cases
    from satjudge.proofs.certificates.packing import check_shipped
    from satjudge.search.documents.proofs import Report
    from satjudge.search.lines.alternatives import parse_either_kind, variants
    from satjudge.search.lines.line import finding_of
    from satjudge.show.searches import line_text, variants_text

    reports: list[Report] = []
    as_stated = task.as_stated and not rules.is_given

    def report_on(sheet: Sheet) -> Report:
        rulebook = rules.rulebook(sheet.rules)
        if task.enemies is not None and task.enemies > (most := len(sheet.map.provinces)):  # there is room for one in each
            raise click.BadParameter(f"{task.enemies} is not in the range 0<=x<={most}.", param_hint="--enemies")
        line = parse_either_kind(sheet, rulebook, task.line)
        began = perf_counter()
        with count_calls(f"{sheet.heading}: questions") as step:
            report = Report.from_task(sheet, line, finding_of(sheet) if as_stated else None, task, step)
        if not as_json:
            show(*line_text(sheet, report.case, perf_counter() - began))
        return report

    sheets = read_cases(file, game_map=game_map)
    for sheet in sheets if certificate else ():
        check_shipped(sheet.map)
    for sheet in sheets:
        found = [report_on(variant) for variant in variants(sheet)]
        reports += found
        if len(found) > 1 and not as_json:
            show(*variants_text(sheet, [report.case for report in found]))
    if save:
        _save(reports, save)
    if certificate:
        _write_certificates(reports, certificate, cheapest=task.cheapest)
    if as_json:
        write_json(Cases([report.case for report in reports]))
    return 0 if all(report.case.as_expected for report in reports) else 1


def _save(reports: list[Report], directory: Path) -> None:
    """Write a finding beside earlier ones: under the next free number, unless it is the same."""
    sheets: dict[str, str] = {}
    read = [report.sheet.source_file for report in reports]
    inputs = {Path(name).resolve() for name in read}  # of these `write_files` says that they are not written over
    taken = {path.stem: path for path in directory.glob("*.txt") if path.resolve() not in inputs}
    for report in reports:
        for name in chain((report.name,), (f"{report.name}-{number}" for number in count(2))):
            found = {file_name(title): text for title, text in report.sheets(name).items()}
            if all(sheets.get(title, text) == text and _is_same(taken.get(title), text) for title, text in found.items()):
                break
        if name != report.name:
            tell(f"{directory} holds another {report.name}: this one is {name}", err=True)
        sheets |= found
    written = write_files(directory, ((f"{name}.txt", text) for name, text in sheets.items()), read=read)
    tell(f"wrote {number_of(written, 'sheet')} to {directory}", err=True)


def _write_certificates(reports: list[Report], path: Path, *, cheapest: bool) -> None:
    """Write certificates of each line: to the file, or of several to a folder, named as the lines are.

    Of a line that breaks there are some if the attack is the `cheapest`; otherwise it is told that there are none. A line that
    cannot be certified is passed over with a word, unless there is no other. Raises `InputError` then.
    """
    from satjudge.proofs.certificates.lines import check_certifiable

    if len(reports) > 1:
        path.mkdir(exist_ok=True)
    for number, report in enumerate(reports, 1):
        file = path / f"{file_name(report.name)}.zip" if len(reports) > 1 else path
        try:
            check_certifiable(report.line)
            _write_certificates_of(report, file, f"certificate {number} of {len(reports)}", cheapest=cheapest)
        except InputError as error:
            if len(reports) == 1:
                raise
            tell(f"{report.sheet.heading}: passed over, {error}", err=True)


def _write_certificates_of(report: Report, file: Path, what: str, *, cheapest: bool) -> None:
    """Write the certificates of one line: that it holds; or that fewer enemies than attack do not break it, and of the attack.

    Where it was asked which units are redundant, also of the line without each of them. Shows meanwhile which one it is.
    """
    heading, line, attack = report.sheet.heading, report.line, report.attack
    if attack is None:
        _write_certificate(line, report.sheet, file, what)
        for unit, rest in (report.without or {}).items():
            _write_certificate_without(unit, rest, report, file, what)
        return
    if not cheapest:
        tell(f"{heading}: no certificate is written, for it breaks; --cheapest certifies with how few enemies", err=True)
        return
    if fewer := len(attack.orders) - 1:
        _write_certificate(replace(line, enemies=fewer), report.sheet, file, what)
    else:
        tell(f"{heading}: no certificate of a least number is written, one enemy is the fewest that there can be", err=True)
    text = report.sheets(report.name)[f"{report.name}-attack"]
    write_position(text, line.board.map, line.rulebook, position_file(file))


def _write_certificate_without(unit: Unit, rest: Finding, report: Report, file: Path, what: str) -> None:
    """Write a certificate that a line holds without a unit as well, or of an attack that breaks it then."""
    from satjudge.search.documents.proofs import attack_sheet

    written = file.with_name(f"{file.stem}-without-{unit.province}.zip")
    if rest.attack is None:
        _write_certificate(rest.line, report.sheet, written, what)
    else:
        text = attack_sheet(rest.attack, f"{report.name}-without-{unit.province}", f"an attack on the line without {unit}")
        write_position(text, rest.line.board.map, rest.line.rulebook, written)


def _write_certificate(line: Line, sheet: Sheet, file: Path, what: str) -> None:
    """Write a certificate that a line holds. Shows meanwhile the province that is looked at."""
    from satjudge.proofs.certificates.lines import certify
    from satjudge.proofs.verify.certificate import write

    with status(what) as change:
        made = certify(line, sheet, lambda province: change(f"{what}: {sheet.heading}: {province}"))
    with announce_file(file):
        write(*made, file)


def _is_same(path: Path | None, text: str) -> bool:
    """Tell whether a file may be written: there is none, or one with this text."""
    try:
        return path is None or path.read_text(encoding="utf-8") == text
    except (OSError, UnicodeDecodeError):
        return False


@command(
    epilog='Examples:  satjudge guarantee "take SER and keep TRI" start.txt --power Austria'
    '  ·  satjudge guarantee hold sheet.txt --power FRANCE --json  ·  satjudge guarantee "take ENG" datc:6.F.14 --power England'
    '  ·  satjudge guarantee "take SER" sheet.txt --power Austria --seasons 2 --region "SER BUD VIE TRI RUM BUL GAL"'
    '  ·  satjudge guarantee "keep VIE" sheet.txt --power "Austria, Italy" --assume "Russia does not attack GAL"'
)
def guarantee(
    task: GuaranteeTask = options.task(
        GuaranteeTask,
        goal=argument(),
        power=option(
            'Whose wish it is; allies give their orders together: "England, France".', metavar="POWERS", required=True
        ),
        keep_orders=flag("Own units that have an order in FILE are given it; others are free."),
        assumed=option(
            'What the others order, or not: "Russia does not attack GAL", holds:RUSSIA, \'not order:"A UKR - GAL"\'.',
            "--assume", metavar="CONDITION"
        ),
        seasons=option(
            "Look so many seasons ahead, with retreats, and builds after Fall. [default: at the moves only, before any "
            "retreat]", type=click.IntRange(min=1, max=9), metavar="N"
        ),
        region=option("Nobody leaves these provinces.", metavar="PROVINCES"),
        odds=flag(
            "Where it is refuted: the probability with which it comes true if both sides draw lots well. For few units."
        ),
    ),
    file: str = argument(),
    timeout: float | None = option(
        "Give up after so long; the answer is then: undecided.", type=Seconds(min=0.1), metavar="SECONDS"
    ),
    certificate: Path | None = option(
        "Write a certificate of the guarantee to the file PATH, of several cases one each, to the folder PATH.",
        type=click.Path(path_type=Path), metavar="PATH"
    ),
    game_map: Map | None = options.game_map,
    rules: RulesOptions = options.rules,
    as_json: bool = options.json,
) -> int:  # fmt: skip
    """Find orders that reach GOAL whatever the others order.

    GOAL is made of "keep VIE" (no foreign unit stands there afterwards), "take BUD" (an own unit does), "hold VIE" (the
    own unit there is not dislodged), "hold" (no own unit is), and of the goals dislodged: and occupied: of `satjudge search`,
    with and, or, not and parentheses; "at least 2 of (take SER, take GRE)" counts. It speaks of the position after the moves,
    backup rules applied, before retreats. FILE says which units there are; the orders in it do not matter
    unless they are kept.

    With --seasons it speaks of the position when the last season is over, retreats included, and of every dislodgement on the
    way; "centers:ITALY >= 5" and "builds:AUSTRIA >= 2" may be wished for as well. What is ordered in each phase hangs on the
    position that has come about.

    Shown are the orders, or a proof that there are none: a set of replies of the others such that all orders of the power
    fail against one of them. The exit status is 0 if there are orders that guarantee it; it is 1 if that is refuted, or
    undecided when the time is up: the first word says which, and "finding" with --json.
    """
    from satjudge.notation.documents import Cases
    from satjudge.proofs.certificates.packing import check_shipped
    from satjudge.proofs.certificates.searches import certify, guarantee_claim
    from satjudge.proofs.verify.certificate import write
    from satjudge.search.documents.proofs import guarantee_case
    from satjudge.search.guarantees.lookahead import Journey, look_ahead
    from satjudge.search.guarantees.odds import odds_of
    from satjudge.search.guarantees.one_season import guarantee as find
    from satjudge.search.guarantees.one_season import has_possible_replies
    from satjudge.search.second_opinion import check_solver
    from satjudge.show.searches import wish_text

    if task.odds and not task.seasons:
        raise click.BadParameter("they are of a position when seasons are over: add --seasons 1.", param_hint="--odds")
    if certificate and (task.seasons or task.assumed or task.region):
        raise click.UsageError("--certificate is of one phase of moves: without --seasons, --assume and --region")
    if certificate:
        check_solver("--certificate")
    told: list[GuaranteeCase] = []
    sheets = read_cases(file, game_map=game_map)
    if certificate and len(sheets) > 1:
        with file_errors(certificate):
            certificate.mkdir(exist_ok=True)
    for number, sheet in enumerate(sheets, 1):
        check_movement(sheet)
        if certificate:
            check_shipped(sheet.map)
        rulebook = rules.rulebook(sheet.rules)
        asked = task.read(sheet, rulebook)
        began = perf_counter()
        patience = _patience(timeout)
        with count_calls(f"{sheet.heading}: {'positions' if task.seasons else 'replies'}") as step:
            if not has_possible_replies(asked.table, patience=patience):
                why = "; ".join(asked.on_assumption) or None
                raise InputError(f"no orders of the others are such that {task.assumed}", source="--assume", suggestion=why)
            journey = Journey(asked.wish, patience, step)
            found = (
                look_ahead(journey, asked.table, task.seasons)
                if task.seasons
                else find(asked.table, patience=patience, on_reply=step)
            )
            refuted = found.orders is None and not found.undecided
            chances = odds_of(journey, asked.table, task.seasons) if task.odds and task.seasons and refuted else None
        remarks = [*asked.remarks, *asked.on_assumption]
        told.append(guarantee_case(found, sheet, task, remarks, journey if task.seasons else None, chances))
        if not as_json:
            show(*wish_text(sheet.heading, told[-1], asked.table.board, perf_counter() - began))
        if certificate and found.orders is None:
            tell(f"{sheet.heading}: no certificate is written, for nothing is guaranteed", err=True)
        elif certificate:
            path = certificate / f"{file_name(sheet.identity or str(number))}.zip" if len(sheets) > 1 else certificate
            claim = guarantee_claim(asked.table, told[-1].orders or ())
            made = certify(claim, sheet.heading)
            with announce_file(path):
                write(*made, path)
    if as_json:
        write_json(Cases(told))
    return 0 if all(case.orders is not None for case in told) else 1


def _patience(timeout: float | None) -> Callable[[], float | None]:
    """Make a function that tells how many seconds are left, from now on."""
    end = perf_counter() + timeout if timeout else None
    return lambda: None if end is None else max(0.01, end - perf_counter())
