"""The command `lines`."""

from __future__ import annotations

from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

import click

from satjudge.apps.cli import options
from satjudge.apps.cli.options import FILE_PATH, MOST, RulesOptions, Seconds, argument, command, flag, option
from satjudge.apps.cli.output import (
    check_writable,
    convert_file_errors,
    show,
    show_status,
    write_certificate,
    write_files,
    write_json,
    write_text,
)
from satjudge.base.words import number_of
from satjudge.search.task import LinesTask
from satjudge.world.geography import Map, load_map

if TYPE_CHECKING:
    from satjudge.search.lines.line_search import LineSearchResult


@command(
    epilog='Examples:  satjudge lines centers=3  ·  satjudge lines "centers=17 and outside:LVP,LON,EDI" --count 5'
    '  ·  satjudge lines protect:NAP,ROM,VEN --without "F LYO, F WES" --save found'
    "  ·  satjudge lines centers=3 --all --drat turkey"
)
def lines(
    task: LinesTask = options.task(
        LinesTask,
        goal=argument(),
        region=option("Provinces for the line. [default: all]", metavar="PROVINCES"),
        without=options.without,
        out=option("The line's own power, then powers without units.", metavar="POWERS"),
        feeds=flag("Use at most one unit for each protected centre."),
        no_pockets=flag("Do not cut off any enemies from the rest."),
        count=option(
            "Number of lines to find, each in different provinces.", type=click.IntRange(1, MOST), default=1, metavar="K"
        ),
        everything=flag("Find all lines with the fewest units.", "--all"),
    ),
    timeout: float | None = option("Stop after this time.", type=Seconds(min=0, min_open=True), metavar="SECONDS"),
    second_opinion: bool = flag("Check the proof with another SAT solver."),
    drat: Path | None = options.drat,
    certificate: Path | None = option("Write a certificate for `satjudge verify`.", type=FILE_PATH, metavar="FILE"),
    save: Path | None = options.save("Save the lines as sheets for `satjudge prove`."),
    game_map: Map | None = options.on_map("An included map or a map file. [default: standard]"),
    rules: RulesOptions = options.rules,
    as_json: bool = options.json,
) -> int:  # fmt: skip
    """Find the smallest line of units that protects given centres.

    GOAL is one of the following, or several joined by `and`: centers=17 (protect exactly 17 supply centres), centers>=17,
    centers<=18, protect:NAP,ROM (protect both), outside:LON,LVP (protect neither), not-all:LON,LVP (do not protect both).

    The units hold, or support each other to hold, whatever enemies there are and whatever they order. satjudge proves that
    every line holds and that no smaller line does. The exit status is 1 if there is no such line, the time runs out first,
    or a second opinion differs. docs/reference/lines.md explains every option.
    """
    from satjudge.proofs.certificates.claims import make_fewest_claim
    from satjudge.search.documents.proofs import LinesDocument, format_line_sheets
    from satjudge.search.formulas.cadical import Cadical, is_installed
    from satjudge.search.lines.line_search import ask_second_solver, find_smallest_lines, make_cp_sat_solver
    from satjudge.search.second_opinion import check_solver, write_proofs
    from satjudge.show.searches import iter_found_lines

    played_on = game_map or load_map()
    wanted = task.parse_conditions(played_on)
    if certificate:
        make_fewest_claim(wanted)
    if second_opinion or drat or certificate:
        check_solver("--certificate" if certificate else "--drat" if drat else "--second-opinion")
    check_writable(None, filter(None, (drat, certificate)))
    began = monotonic()
    with show_status("searching") as on_step:
        found = find_smallest_lines(
            wanted,
            rules.load_rulebook(),
            count=MOST if task.everything else task.count,
            choose_solver=Cadical if is_installed() and not (second_opinion or drat) else make_cp_sat_solver,
            time_left=lambda: None if timeout is None else began + timeout - monotonic(),
            on_line=lambda number: on_step(f"{number_of(number, 'line')} found"),
        )
    seconds = monotonic() - began
    proved_anew = second_opinion or drat is not None
    opinions = ask_second_solver(found, with_proof=bool(drat)) if proved_anew else []
    written = []
    if drat:
        with convert_file_errors(drat):
            written = write_proofs(found, (proof for _, proof in opinions), drat)
    document = LinesDocument.from_result(found, task.goal, seconds, [opinion for opinion, _ in opinions], written)
    if save:
        sheets = format_line_sheets(found, task.goal)
        write_files(save, ((f"{name}.txt", text) for name, text in sheets.items()))
        write_text(f"wrote {number_of(len(sheets), 'sheet')} to {save}", err=True)
    if as_json:
        write_json(document)
    else:
        show(*iter_found_lines(document))
    if certificate:
        _write_certificate(found, task.goal, certificate)
    return 0 if found.lines and all(opinion.agrees for opinion, _ in opinions) else 1


def _write_certificate(result: LineSearchResult, goal: str, path: Path) -> None:
    """Write a certificate that no other line up to the proved number of units exists, or a note if nothing was proved."""
    from satjudge.proofs.certificates.claims import certify_fewest, get_proved_number

    if get_proved_number(result) < 0:
        write_text("No certificate is written: nothing was proved about any number of units.", err=True)
        return
    with show_status("writing the certificate"):
        certificate = certify_fewest(result, goal)
    write_certificate(certificate, path)
