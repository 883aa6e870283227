"""The command `guarantee`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import click

from satjudge.apps.cli import options
from satjudge.apps.cli.options import PATH, RulesOptions, Seconds, argument, check_movement, command, flag, option, read_cases
from satjudge.apps.cli.output import convert_file_errors, show, show_call_count, write_certificate, write_json, write_text
from satjudge.base.errors import InputError
from satjudge.notation.write import make_file_name
from satjudge.search.task import GuaranteeTask
from satjudge.world.geography import Map

if TYPE_CHECKING:
    from satjudge.search.documents.proofs import GuaranteeCase


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
        power=option('Power that is to reach GOAL, or allied powers, e.g. "England, France".', metavar="POWERS", required=True),
        keep_orders=flag("Keep the orders of these powers in FILE."),
        assumed=option('Assume this about the others, e.g. "Russia does not attack GAL".', "--assume", metavar="CONDITION"),
        seasons=option("Look N seasons ahead. [default: the moves only]", type=click.IntRange(min=1, max=9)),
        region=option("Assume that no unit leaves these provinces.", metavar="PROVINCES"),
        odds=flag("If GOAL is refuted, find the best random choice of orders."),
    ),
    file: str = argument(),
    timeout: float | None = option(
        "Stop after this time, with the answer `undecided`.", type=Seconds(min=0.1), metavar="SECONDS"
    ),
    certificate: Path | None = option(
        "Write a certificate for `satjudge verify`; for several cases, name a folder.", type=PATH, metavar="PATH"
    ),
    game_map: Map | None = options.game_map,
    rules: RulesOptions = options.rules,
    as_json: bool = options.json,
) -> int:  # fmt: skip
    """Find orders that reach GOAL, whatever the other powers order.

    GOAL is "keep VIE" (no foreign unit is there afterwards), "take BUD" (one of your units is there), "hold VIE" (your unit
    there is not dislodged) or "hold" (none of your units is dislodged). You can combine goals with and, or, not and
    parentheses. satjudge checks the goal after the moves, before retreats.

    FILE contains the units; its orders are used only with --keep-orders. satjudge shows orders that reach GOAL, or how the
    other powers can refute each set of orders. The exit status is 1 if GOAL is refuted or undecided.
    docs/reference/guarantee.md explains every option and goal.
    """
    from satjudge.notation.documents import Cases
    from satjudge.proofs.certificates.claims import certify_search, check_shipped_map, make_guarantee_claim
    from satjudge.search.documents.proofs import make_guarantee_case
    from satjudge.search.guarantees.lookahead import Lookahead, look_ahead
    from satjudge.search.guarantees.odds import compute_odds
    from satjudge.search.guarantees.one_season import find_guarantee as find
    from satjudge.search.guarantees.one_season import has_possible_replies
    from satjudge.search.second_opinion import check_solver
    from satjudge.show.searches import iter_wish_text

    if task.odds and not task.seasons:
        raise click.BadParameter("odds are computed for a whole season: add --seasons 1.", param_hint="--odds")
    if certificate and (task.seasons or task.assumed or task.region):
        raise click.UsageError("--certificate covers one phase of moves: leave out --seasons, --assume and --region")
    if certificate:
        check_solver("--certificate")
    answers: list[GuaranteeCase] = []
    sheets = read_cases(file, game_map=game_map)
    if certificate and len(sheets) > 1:
        with convert_file_errors(certificate):
            certificate.mkdir(exist_ok=True)
    for number, sheet in enumerate(sheets, 1):
        check_movement(sheet)
        if certificate:
            check_shipped_map(sheet.map)
        rulebook = rules.load_rulebook(sheet.rules)
        question = task.read_guarantee(sheet, rulebook)
        began = perf_counter()
        time_left = _make_timer(timeout)
        with show_call_count(f"{sheet.heading}: {'positions' if task.seasons else 'replies'}") as step:
            if not has_possible_replies(question.table, time_left=time_left):
                why = "; ".join(question.on_assumption) or None
                raise InputError(f"with {task.assumed}, the other powers have no orders", source="--assume", suggestion=why)
            journey = Lookahead(question.wish, time_left, step)
            found = (
                look_ahead(journey, question.table, task.seasons)
                if task.seasons
                else find(question.table, time_left=time_left, on_reply=step)
            )
            refuted = found.orders is None and not found.undecided
            chances = compute_odds(journey, question.table, task.seasons) if task.odds and task.seasons and refuted else None
        remarks = [*question.remarks, *question.on_assumption]
        answers.append(make_guarantee_case(found, sheet, task, remarks, journey if task.seasons else None, chances))
        if not as_json:
            show(*iter_wish_text(sheet.heading, answers[-1], question.table.board, perf_counter() - began))
        if certificate and found.orders is None:
            write_text(f"{sheet.heading}: no certificate is written because nothing is guaranteed", err=True)
        elif certificate:
            path = certificate / f"{make_file_name(sheet.identity or str(number))}.zip" if len(sheets) > 1 else certificate
            claim = make_guarantee_claim(question.table, answers[-1].orders or ())
            proof = certify_search(claim, sheet.heading)
            write_certificate(proof, path)
    if as_json:
        write_json(Cases(answers))
    return 0 if all(case.orders is not None for case in answers) else 1


def _make_timer(timeout: float | None) -> Callable[[], float | None]:
    """Return a function that returns the seconds left of `timeout`, at least 0.01, or None if there is no timeout."""
    end = perf_counter() + timeout if timeout else None
    return lambda: None if end is None else max(0.01, end - perf_counter())
