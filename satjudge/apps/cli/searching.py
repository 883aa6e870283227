"""Has the command `search`, which looks for boards and orders instead of judging them."""

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
    argument,
    check_movement,
    command,
    flag,
    option,
    read_case,
)
from satjudge.apps.cli.output import announce_file, file_errors, show, status, tell, write_files, write_json
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

_MOST_SEED = 2**31 - 1
"""The greatest seed, as CP-SAT takes 32 bits."""


@command(
    epilog='Examples:  satjudge search paradox --region "BRE ENG LON WAL PIC NTH BEL"'
    '  ·  satjudge search "differs-legal:1982,datc-3" --timeout 600'
    "  ·  satjudge search 'not dislodged:ENG' --board datc:6.F.14 --free-units --region 'BRE ENG LON WAL IRI BEL'"
)
def search(
    task: SearchTask = options.task(
        SearchTask,
        goal=argument(),
        free_units=flag("There may be more units than those of the board. [default without --board]"),
        region=option(
            "Where free units stand; all units move there and in the board's provinces. [default: the whole map]",
            metavar="PROVINCES"
        ),
        max_units=option(
            f"At most so many units, with those of the board. [default: {FEW_UNITS}, or the board's and {FREE_BESIDE} more]",
            type=click.IntRange(min=1), metavar="N"
        ),
        minimise=option(
            "With as few as can be. [default: units, if there are free ones]", type=click.Choice(["units", "orders", "fleets"])
        ),
        count=option("So many unlike answers.", type=click.IntRange(1, MOST), default=1, metavar="K"),
        everything=flag("Count all boards with orders that there are, and those that are unlike.", "--all"),
        longest_route=option("Convoys over N fleets.", type=click.IntRange(min=1), default=3, metavar="N"),
    ),
    file: str | None = option("A case: its units stand, its orders are given; others are open.", "--board", metavar="FILE"),
    identity: str | None = options.case,
    timeout: float | None = option("Stop after so long.", type=Seconds(min=0, min_open=True), metavar="SECONDS"),
    seed: int = option("What the solver starts from.", type=click.IntRange(-_MOST_SEED, _MOST_SEED), default=0, metavar="S"),
    jobs: int = option(
        "Cut large questions into cubes, for so many processes. Needs satjudge[proofs].", type=click.IntRange(1, 1024),
        default=1, metavar="J"
    ),
    scheduler: str | None = option("Work on the cluster of this `distributed` scheduler instead.", metavar="ADDRESS"),
    second_opinion: bool = flag("Put what is proved to an independent SAT solver as well."),
    drat: Path | None = options.drat,
    certificate: Path | None = option(
        "Write a certificate that there is none with fewer units, or at all, which `satjudge verify` checks; and one of the "
        "resolutions of what was found, as FILE-position.zip. This takes longer than the search.", type=FILE_PATH,
        metavar="FILE"
    ),
    formula: Path | None = option(
        "Write what would be asked for another solver, and do not look for it: FILE.cnf, .opb, .mzn or .smt2.", type=FILE_PATH,
        metavar="FILE"
    ),
    save: Path | None = options.save("Write the answers there as cases, beside those that are there."),
    game_map: Map | None = options.game_map,
    rules: RulesOptions = options.rules,
    as_json: bool = options.json,
) -> int:  # fmt: skip
    """Find a position with a property, or prove there is none.

    GOAL is several-resolutions, no-resolution, paradox, core:SHAPE, differs:RULEBOOK,RULEBOOK, dislodged:PAR,
    occupied:PAR=FRANCE or verdict:"F WAL - ENG"=succeeds, or some of these with and, or, not and parentheses; also
    some(dislodged:UNIT), count(order:UNIT=cut) >= 2, hold:PAR > 2, without:PAR (dislodged:BUR) and more
    (docs/reference/goals.md). Under differs each rulebook decides for itself which orders are legal; under differs-legal all
    are legal under both.

    Every answer is judged before it is shown. What is proved holds under the restrictions that are printed with it. The
    exit status is 1 if the time was up before there was an answer, or if a second opinion differs. Ctrl-C ends a search as
    --timeout does, with exit status 130. On the whole map a search may take many minutes: give it a --timeout.
    """
    from satjudge.base.processes import worker_pool
    from satjudge.proofs.certificates.searches import check_certifiable
    from satjudge.search.cubes import make_solver_factory
    from satjudge.search.documents.search import formulas_document, search_document, sheets
    from satjudge.search.enumeration import Enumeration
    from satjudge.search.formulas.cpsat import Solver
    from satjudge.search.goals.registry import parse_goal
    from satjudge.search.open_orders.universe import check_board
    from satjudge.search.search import Objective, OutOfTime, Search, Status, universe_of
    from satjudge.search.second_opinion import check_ending, check_solver, second_opinions, write_formulas, write_proofs
    from satjudge.show.searches import formula_lines, search_lines

    if identity is not None and file is None:
        raise click.UsageError("--case chooses one of the cases of a file: name it with --board FILE")
    if task.everything and (task.minimise or second_opinion or drat or certificate):
        raise click.UsageError("--all counts: nothing is minimised, and nothing proved anew")
    if certificate and (file is not None or task.minimise not in (None, "units")):
        raise click.UsageError("--certificate is of as few units as can be, all of them free: without --board")
    if (jobs > 1 or scheduler) and (second_opinion or drat):
        raise click.UsageError(
            "--jobs and --scheduler ask CaDiCaL, and so do --second-opinion and --drat: leave one of them out"
        )
    if formula:
        check_ending(formula)
    sheet = None if file is None else read_case(file, identity, game_map)
    if sheet is not None:
        check_movement(sheet)
        check_board(sheet.board)
    played_on = sheet.map if sheet is not None else game_map or load_map()
    sought = parse_goal(task.goal, played_on, own=True)
    rulebook = _rulebook(sought, sheet, rules)
    universe = universe_of(sought, task.universe(sheet, played_on, rulebook))
    if certificate:
        check_certifiable(sought, universe)
    if second_opinion or drat or certificate:
        check_solver("--certificate" if certificate else "--drat" if drat else "--second-opinion")
    if jobs > 1 or scheduler:
        check_solver("--scheduler" if scheduler else "--jobs")
    if save:
        with file_errors(save):
            save.mkdir(parents=True, exist_ok=True)
    for path in (drat, certificate):
        if path and not path.parent.is_dir():
            raise click.FileError(str(path.parent), "there is no such directory")
    objective = None if task.everything else task.minimise or ("units" if universe.spots else None)
    proved_anew = second_opinion or drat is not None
    counted = _count_core_units(sought, universe) if objective == "units" and not proved_anew else 0
    most_units = task.most_units(universe, counted, sought.draws)
    began = monotonic()
    with worker_pool(jobs, scheduler) as pool, status("searching") as on_step:
        found = Search(
            universe,
            sought,
            Objective(objective) if objective else None,
            most_units,
            1 if task.everything else task.count,
            at_least=counted,
            seed=seed,
            solver=Solver if proved_anew else make_solver_factory(pool),  # the second solver is CaDiCaL
            time_left=lambda: None if timeout is None else began + timeout - monotonic(),
            tell=on_step,
        )
        if formula:
            try:
                with file_errors(formula):
                    written_formulas = formulas_document(found, list(write_formulas(found, formula)))
            except OutOfTime:
                raise InputError(
                    "time was up before the formula was written", suggestion="give it a longer --timeout"
                ) from None
            if as_json:
                write_json(written_formulas)
            else:
                show(*formula_lines(written_formulas))
            return 0
        enumeration = Enumeration(found) if task.everything else None
        interrupted = _run(found, sheet, enumeration)
        found.answers = found.answers[: task.count]
        seconds = monotonic() - began
        opinions: list[tuple[SecondOpinion, DratLines]] = []
        if proved_anew and not interrupted:
            try:
                opinions.extend(second_opinions(found, with_proof=bool(drat)))
            except KeyboardInterrupt:  # what was found stays found, and what was confirmed confirmed
                interrupted = True
    written: list[Proof] = []
    if drat:
        with file_errors(drat):
            written = write_proofs(found, (proof for _, proof in opinions), drat)
    totals = enumeration.totals if enumeration else None
    document = search_document(found, seconds, [opinion for opinion, _ in opinions], written, totals)
    if proved_anew and len(opinions) < len(found.refuted_questions):
        document.remarks.append(
            f"Second opinion: interrupted, {len(opinions)} of {number_of(len(found.refuted_questions), 'question')} answered."
        )
    if certificate and not interrupted:
        with status("writing the certificate"):
            _write_certificates(found, [*sheets(document, played_on).values()][:1], certificate)
    if save:
        is_taken = {path.stem for path in save.iterdir()}.__contains__
        cases = sheets(document, played_on, is_taken)
        write_files(save, ((f"{name}.txt", text) for name, text in cases.items()))
    if as_json:
        write_json(document)
    else:
        show(*search_lines(document, played_on))
    unanswered = found.status is Status.STOPPED and not found.answers
    if interrupted:
        raise click.Abort
    return 1 if unanswered or not all(opinion.agrees for opinion, _ in opinions) else 0


def _run(found: Search, sheet: Sheet | None, enumeration: Enumeration | None) -> bool:
    """Search, or count, and tell whether Ctrl-C ended it: what is known is known.

    Raises `InputError`, at its place on the sheet.
    """
    from satjudge.search.open_orders.universe_orders import NeverLegalError

    try:
        (enumeration or found).run()
    except KeyboardInterrupt:
        found.stopped_by = "Interrupted"
        return True
    except NeverLegalError as error:
        if sheet is None:
            raise
        line = next(line.line for line in sheet.orders if line.order == error.order)
        told = f"case {sheet.identity}: {error.message}" if sheet.identity else error.message
        raise SheetError(told, source=sheet.source_file, line=line, suggestion=error.suggestion) from None
    return False


def _write_certificates(found: Search, answers: Sequence[str], path: Path) -> None:
    """Write a certificate that there is none with fewer units, or at all, and one of the resolutions of each answer."""
    from satjudge.apps.cli.positions import position_file, write_position
    from satjudge.proofs.certificates.searches import certify, claim_of
    from satjudge.proofs.verify.certificate import write
    from satjudge.search.search import Status

    most = found.most_units if found.status is Status.NONE else found.bound - 1
    if not most or most < 1:
        proved = "one unit is the fewest that there can be" if most == 0 else "nothing was proved of any number of units"
        tell(f"No certificate of a least number is written: {proved}.", err=True)
    else:
        try:
            made = certify(claim_of(found.goal, found.universe, most))
        except InputError as error:  # what was found is shown all the same
            tell(f"{error.message[0].upper()}{error.message[1:]}.", err=True)
        else:
            with announce_file(path):
                write(*made, path)
    for text in answers:
        rulebooks = found.universe.rulebooks
        for rulebook in rulebooks:
            file = position_file(path, rulebook.name if len(rulebooks) > 1 else None)
            write_position(text, found.universe.map, rulebook, file)


def _count_core_units(goal: Goal, universe: Universe) -> int:
    """Count the units that the cores of the goal need at least, or return 0 if no more than are on the board."""
    from satjudge.search.goals.goal import count_least_units

    least = count_least_units(goal, universe.rulebook, universe.map)
    return least if least > len(universe.units) else 0


def _rulebook(goal: Goal, sheet: Sheet | None, rules: RulesOptions) -> Rulebook:
    """Choose the rulebook that judges the answers.

    Where rulebooks are compared it is the first of them, unless another one is asked for, and the goal speaks of that too.
    """
    from satjudge.search.documents.search import compared_rulebooks
    from satjudge.search.goals.differences import RulebookDifference

    for rulebook in compared_rulebooks(goal).values():
        alone = all(isinstance(atom, RulebookDifference) for atom in goal.atoms())
        if alone and rules.is_given:
            note = "a goal that only compares rulebooks speaks of no other: --rules and --set change nothing"
            tell(f"Note: {note}.", err=True)
        if alone or not rules.is_given:
            return rulebook
    return rules.rulebook(sheet.rules if sheet else DEFAULT_RULES)
