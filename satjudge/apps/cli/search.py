"""The command `search`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

import click

from satjudge.apps.cli import options
from satjudge.apps.cli.options import (
    FILE_PATH,
    MOST,
    RulesOptions,
    Seconds,
    Workers,
    argument,
    check_movement,
    command,
    flag,
    option,
    read_case,
)
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
from satjudge.base.errors import InputError, SheetError
from satjudge.base.words import number_of
from satjudge.notation.sheets import Sheet
from satjudge.search.task import FEW_UNITS, FREE_BESIDE, SearchTask
from satjudge.world.geography import Map, load_map
from satjudge.world.rules import DEFAULT_RULES

if TYPE_CHECKING:
    from satjudge.search.enumeration import Enumeration
    from satjudge.search.goals.goal import Goal
    from satjudge.search.open_orders.universe import Universe
    from satjudge.search.search import Search
    from satjudge.search.second_opinion import DratLines, Proof, SecondOpinion
    from satjudge.world.rules import Rulebook


@command(
    epilog='Examples:  satjudge search paradox --region "BRE ENG LON WAL PIC NTH BEL"'
    '  ·  satjudge search "differs-legal:1982,datc-3" --timeout 600'
    "  ·  satjudge search 'not dislodged:ENG' --board datc:6.F.14 --free-units --region 'BRE ENG LON WAL IRI BEL'"
)
def search(
    task: SearchTask = options.task(
        SearchTask,
        goal=argument(),
        region=option("Provinces to search. [default: all]", metavar="PROVINCES"),
        max_units=option(
            f"Maximum number of units. [default: {FEW_UNITS}, or {FREE_BESIDE} more than --board has]",
            type=click.IntRange(min=1)
        ),
        free_units=flag("Allow other units besides those of --board."),
        minimise=option(
            "Minimise units, orders or fleets. [default: units]",
            type=click.Choice(["units", "orders", "fleets"]), metavar="WHAT"
        ),
        count=option("Number of different answers to find.", type=click.IntRange(1, MOST), default=1, metavar="K"),
        everything=flag("Count all boards that have the property.", "--all"),
        longest_route=option("Maximum number of fleets in a convoy.", type=click.IntRange(min=1), default=3),
    ),
    file: str | None = option("Start from the units and orders of this case.", "--board", metavar="FILE"),
    identity: str | None = options.case,
    timeout: float | None = option(
        "Stop after this time; recommended for a whole map.", type=Seconds(min=0, min_open=True), metavar="SECONDS"
    ),
    workers: Workers = options.workers(
        "Number of processes, or tcp:// address of a scheduler. [default: 1]", 1
    ),
    second_opinion: bool = flag("Check the proof with another SAT solver."),
    drat: Path | None = options.drat,
    certificate: Path | None = option("Write a certificate for `satjudge verify`.", type=FILE_PATH, metavar="FILE"),
    formula: Path | None = option("Only write the formula (.cnf, .opb, .mzn or .smt2).", type=FILE_PATH, metavar="FILE"),
    save: Path | None = options.save("Save the answers as cases in this directory."),
    game_map: Map | None = options.game_map,
    rules: RulesOptions = options.rules,
    as_json: bool = options.json,
) -> int:  # fmt: skip
    """Find a position with a property, or prove that there is none.

    GOAL names the property, such as paradox, no-resolution, core:SHAPE, dislodged:PAR, differs:1982,datc-3 or verdict:"F WAL
    - ENG"=succeeds. You can combine goals with and, or, not and parentheses. docs/reference/goals.md lists all goals.

    satjudge judges every answer before showing it. A proof holds within the limits printed with it. The exit status is 1 if
    the time runs out first or a second opinion differs. docs/reference/search.md explains every option.
    """
    from satjudge.base.processes import worker_pool
    from satjudge.proofs.certificates.claims import check_search_certifiable
    from satjudge.search.cubes import make_solver_factory
    from satjudge.search.documents.search import format_sheets, make_formulas_document, make_search_document
    from satjudge.search.enumeration import Enumeration
    from satjudge.search.formulas.cpsat import Solver
    from satjudge.search.goals.registry import parse_goal
    from satjudge.search.open_orders.universe import check_board
    from satjudge.search.search import Objective, OutOfTime, Search, Status, add_goal_rulebooks
    from satjudge.search.second_opinion import check_ending, check_solver, iter_second_opinions, write_formulas, write_proofs
    from satjudge.show.searches import iter_formula_lines, iter_search_text

    if identity is not None and file is None:
        raise click.UsageError("--case chooses a case from a file, but no file is given: add --board FILE")
    if task.everything and (task.minimise or second_opinion or drat or certificate):
        raise click.UsageError("--all only counts: leave out --minimise, --second-opinion, --drat and --certificate")
    if certificate and (file is not None or task.minimise not in (None, "units")):
        raise click.UsageError(
            "--certificate needs all units to be free and their number minimised: leave out --board and --minimise"
        )
    is_shared = workers.jobs > 1 or workers.scheduler is not None
    if is_shared and (second_opinion or drat):
        raise click.UsageError("--jobs uses CaDiCaL, as --second-opinion and --drat do: leave one of them out")
    if formula:
        check_ending(formula)
    sheet = None if file is None else read_case(file, identity, game_map)
    if sheet is not None:
        check_movement(sheet)
        check_board(sheet.board)
    played_on = sheet.map if sheet is not None else game_map or load_map()
    goal = parse_goal(task.goal, played_on, own=True)
    rulebook = _choose_rulebook(goal, sheet, rules)
    universe = add_goal_rulebooks(goal, task.make_universe(sheet, played_on, rulebook))
    if certificate:
        check_search_certifiable(goal, universe)
    if second_opinion or drat or certificate:
        check_solver("--certificate" if certificate else "--drat" if drat else "--second-opinion")
    if is_shared:
        check_solver("--jobs")
    if save:
        with convert_file_errors(save):
            save.mkdir(parents=True, exist_ok=True)
    check_writable(None, filter(None, (drat, certificate)))
    objective = None if task.everything else task.minimise or ("units" if universe.spots else None)
    proved_anew = second_opinion or drat is not None
    counted = _count_core_units(goal, universe) if objective == "units" and not proved_anew else 0
    most_units = task.get_most_units(universe, counted, goal.draws)
    began = monotonic()
    with worker_pool(*workers) as pool, show_status("searching") as on_step:
        found = Search(
            universe,
            goal,
            Objective(objective) if objective else None,
            most_units,
            1 if task.everything else task.count,
            at_least=counted,
            solver=Solver if proved_anew else make_solver_factory(pool),  # the second solver is CaDiCaL
            time_left=lambda: None if timeout is None else began + timeout - monotonic(),
            tell=on_step,
        )
        if formula:
            try:
                with convert_file_errors(formula):
                    written_formulas = make_formulas_document(found, list(write_formulas(found, formula)))
            except OutOfTime:
                raise InputError(
                    "the time ran out before the formula was written", suggestion="allow a longer --timeout"
                ) from None
            if as_json:
                write_json(written_formulas)
            else:
                show(*iter_formula_lines(written_formulas))
            return 0
        enumeration = Enumeration(found) if task.everything else None
        interrupted = _run_search(found, sheet, enumeration)
        found.answers = found.answers[: task.count]
        seconds = monotonic() - began
        opinions: list[tuple[SecondOpinion, DratLines]] = []
        if proved_anew and not interrupted:
            try:
                opinions.extend(iter_second_opinions(found, with_proof=bool(drat)))
            except KeyboardInterrupt:  # keep the results so far
                interrupted = True
    written: list[Proof] = []
    if drat:
        with convert_file_errors(drat):
            written = write_proofs(found, (proof for _, proof in opinions), drat)
    totals = enumeration.totals if enumeration else None
    document = make_search_document(found, seconds, [opinion for opinion, _ in opinions], written, totals)
    if proved_anew and len(opinions) < len(found.refuted_questions):
        document.remarks.append(
            f"Second opinion: interrupted after {len(opinions)} of {number_of(len(found.refuted_questions), 'question')}."
        )
    if certificate and not interrupted:
        with show_status("writing the certificate"):
            _write_certificates(found, [*format_sheets(document, played_on).values()][:1], certificate)
    if save:
        is_taken = {path.stem for path in save.iterdir()}.__contains__
        cases = format_sheets(document, played_on, is_taken)
        write_files(save, ((f"{name}.txt", text) for name, text in cases.items()))
    if as_json:
        write_json(document)
    else:
        show(*iter_search_text(document, played_on))
    unanswered = found.status is Status.STOPPED and not found.answers
    if interrupted:
        raise click.Abort
    return 1 if unanswered or not all(opinion.agrees for opinion, _ in opinions) else 0


def _run_search(position_search: Search, sheet: Sheet | None, enumeration: Enumeration | None) -> bool:
    """Run a search, or its enumeration if there is one; return whether Ctrl-C ended it, in which case its results are kept.

    Raises `InputError` with the place of an impossible order on the sheet.
    """
    from satjudge.search.open_orders.universe_orders import NeverLegalError

    try:
        (enumeration or position_search).run()
    except KeyboardInterrupt:
        position_search.stopped_by = "Interrupted"
        return True
    except NeverLegalError as error:
        if sheet is None:
            raise
        line = next(line.line for line in sheet.orders if line.order == error.order)
        message = f"case {sheet.identity}: {error.message}" if sheet.identity else error.message
        raise SheetError(message, source=sheet.source_file, line=line, suggestion=error.suggestion) from None
    return False


def _write_certificates(position_search: Search, answer_sheets: Sequence[str], path: Path) -> None:
    """Write a certificate that no answer, or none with fewer units, exists, and one for the resolutions of each answer."""
    from satjudge.apps.cli.resolutions import name_position_file, write_position
    from satjudge.proofs.certificates.claims import certify_search, make_search_claim
    from satjudge.search.search import Status

    most = position_search.most_units if position_search.status is Status.NONE else position_search.bound - 1
    if not most or most < 1:
        why = "no board has fewer than one unit" if most == 0 else "nothing was proved about any number of units"
        write_text(f"No certificate of a least number is written: {why}.", err=True)
    else:
        try:
            certificate = certify_search(make_search_claim(position_search.goal, position_search.universe, most))
        except InputError as error:  # the position found is shown anyway
            write_text(f"{error.message[0].upper()}{error.message[1:]}.", err=True)
        else:
            write_certificate(certificate, path)
    for text in answer_sheets:
        rulebooks = position_search.universe.rulebooks
        for rulebook in rulebooks:
            file = name_position_file(path, rulebook.name if len(rulebooks) > 1 else None)
            write_position(text, position_search.universe.map, rulebook, file)


def _count_core_units(goal: Goal, universe: Universe) -> int:
    """Return the least number of units that the cores of a goal need; 0 if the board already has enough units."""
    from satjudge.search.goals.goal import count_least_units

    least = count_least_units(goal, universe.rulebook, universe.map)
    return least if least > len(universe.units) else 0


def _choose_rulebook(goal: Goal, sheet: Sheet | None, rules: RulesOptions) -> Rulebook:
    """Return the rulebook to judge by: from `rules` or the sheet, but the goal's first if it only compares or `rules` is unset.

    If the goal compares rulebooks, this is the first of them, unless the goal has other conditions and `rules` names one.
    """
    from satjudge.search.documents.search import map_compared_rulebooks
    from satjudge.search.goals.differences import RulebookDifference

    for rulebook in map_compared_rulebooks(goal).values():
        alone = all(isinstance(atom, RulebookDifference) for atom in goal.iter_atoms())
        if alone and rules.is_given:
            note = "--rules and --set have no effect on a goal that only compares rulebooks"
            write_text(f"Note: {note}.", err=True)
        if alone or not rules.is_given:
            return rulebook
    return rules.load_rulebook(sheet.rules if sheet else DEFAULT_RULES)
