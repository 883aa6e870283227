"""The command that looks for boards and orders instead of judging them: `search`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

import click

from satjudge.cli.common import (
    json_option,
    provenance,
    read_cases,
    rulebook_from_options,
    rules_options,
    show,
    write_files,
    write_json,
)
from satjudge.cli.positions import check_movement
from satjudge.errors import InputError
from satjudge.geography import ProvinceCode, load_map, province_of
from satjudge.notation.parse import parse_location
from satjudge.orders import MovementOrder
from satjudge.rules import DEFAULT_RULES

if TYPE_CHECKING:
    from satjudge.research.search.judging import Judged
    from satjudge.research.search.searching import Result
    from satjudge.research.search.second import Certificate, Opinion
    from satjudge.research.search.universe import Universe

T = TypeVar("T")

FEW_UNITS = 8
"""How many units a board of free units has at most, unless more are asked for."""


@click.command(
    epilog='Examples:  satjudge search paradox --region "BRE ENG LON WAL PIC NTH BEL"'
    '  ·  satjudge search "differs:1982,datc-3" --timeout 600'
    "  ·  satjudge search 'not dislodged:ENG' --board datc:6.F.14 --free-units --region 'BRE ENG LON WAL IRI BEL'"
)
@click.argument("goal")
@click.option("--board", "file", metavar="FILE", help="A sheet: its units stand, its orders are given; others are open.")
@click.option("--free-units", is_flag=True, help="There may be more units than those of the board. [default without --board]")
@click.option("--region", metavar="PROVINCES", help="Where free units stand and all units move. [default: the whole map]")
@click.option(
    "--max-units", type=click.IntRange(min=1), metavar="N",
    help=f"At most so many units. [default: {FEW_UNITS}, or those of the board]",
)  # fmt: skip
@click.option(
    "--minimise", type=click.Choice(["units", "orders", "fleets"]),
    help="With as few as can be. [default: units, if there are free ones]",
)  # fmt: skip
@click.option("--count", type=click.IntRange(min=1), default=1, show_default=True, metavar="K", help="So many unlike answers.")
@click.option(
    "--longest-route", type=click.IntRange(min=1), default=3, show_default=True, metavar="N", help="Convoys over N fleets."
)
@click.option("--timeout", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS", help="Stop after so long.")
@click.option("--seed", type=int, default=0, show_default=True, metavar="S", help="What the solver starts from.")
@click.option("--second-opinion", is_flag=True, help="Put what is proved to an independent SAT solver as well.")
@click.option(
    "--certificate", type=click.Path(dir_okay=False, path_type=Path), metavar="PATH",
    help="Write what is proved as PATH-1.cnf and its proof, which checkers of DRAT can follow, as PATH-1.drat; and so on.",
)  # fmt: skip
@click.option(
    "--save", type=click.Path(file_okay=False, path_type=Path), metavar="DIR", help="Write the answers there as cases."
)
@rules_options
@json_option
def search(
    goal: str,
    file: str | None,
    free_units: bool,
    region: str | None,
    max_units: int | None,
    minimise: str | None,
    count: int,
    longest_route: int,
    timeout: float | None,
    seed: int,
    second_opinion: bool,
    certificate: Path | None,
    save: Path | None,
    rules: str | None,
    settings: tuple[str, ...],
    as_json: bool,
) -> int:
    """Find a position with a property, or prove there is none.

    GOAL is several-resolutions, no-resolution, paradox, core:SHAPE, differs:RULEBOOK,RULEBOOK, dislodged:PAR,
    occupied:PAR=FRANCE or verdict:"F WAL - ENG"=succeeds, or some of these with and, or, not and parentheses.

    Every answer is judged before it is shown. What is proved holds under the restrictions that are printed with it. The
    exit status is 1 if the time was up before there was an answer, or if a second opinion differs.
    """
    from satjudge.research.search.reading import parse_goal
    from satjudge.research.search.report import document, sheets
    from satjudge.research.search.searching import Objective, Search, Status
    from satjudge.research.search.second import check_solver, second_opinions, write_certificates

    name, universe = _universe(file, free_units, region, longest_route, rules, settings)
    if max_units is not None and max_units < len(universe.units):
        raise click.UsageError(f"--max-units {max_units}: {len(universe.units)} units stand on the board already")
    if second_opinion or certificate:
        check_solver()
    _write(lambda: _prepare(save, certificate))
    objective = minimise or ("units" if universe.spots else None)
    most_units = max_units or max(FEW_UNITS, len(universe.units)) if universe.spots else max_units
    began = monotonic()
    with _status() as tell:
        found = Search(
            universe,
            parse_goal(goal, universe.map),
            Objective(objective) if objective else None,
            most_units,
            count,
            seed=seed,
            time_left=lambda: None if timeout is None else began + timeout - monotonic(),
            tell=tell,
        )
        result = found.run()
        seconds = monotonic() - began
        wanted = (second_opinion or certificate) and result.refuted
        opinions = second_opinions(result, with_proof=bool(certificate)) if wanted else []
    written = _write(lambda: write_certificates(result, opinions, certificate)) if certificate else []
    if save:
        cases = sheets(result, universe, most_units, rules=name, settings=settings)
        write_files(save, ((f"{name}.txt", text) for name, text in cases.items()), read=[file] if file else ())
    if as_json:
        about = provenance(universe.rulebook, seed=seed, seconds=round(seconds, 2))
        write_json(about | document(result, universe, most_units, opinions, written))
    else:
        _tell(result, universe, most_units, seconds, opinions, written)
    unanswered = result.status is Status.STOPPED and not result.answers
    return 1 if unanswered or not all(opinion.agrees for opinion in opinions) else 0


def _universe(
    file: str | None, free_units: bool, region: str | None, longest_route: int, rules: str | None, settings: tuple[str, ...]
) -> tuple[str, Universe]:
    """What is searched, and the name of its rulebook."""
    from satjudge.research.search.universe import Universe, spots_of

    game_map = load_map()
    provinces = frozenset[ProvinceCode]() if region is None else _provinces(region)
    if file is None:
        spots = spots_of(game_map, provinces or game_map.provinces)
        rulebook = rulebook_from_options(rules, settings)
        return rules or DEFAULT_RULES, Universe(rulebook, spots=spots, region=provinces, longest_route=longest_route)
    sheet = read_cases(file)[0]
    check_movement(sheet)
    given: dict[ProvinceCode, MovementOrder] = {}
    for orders in sheet.orders_by_power().values():
        for order in orders:
            if isinstance(order, MovementOrder):
                given.setdefault(order.unit.province, order)
    units = sheet.board.units
    if provinces:
        provinces |= {unit.province for unit in units}
    free = (provinces or frozenset(game_map.provinces)) - {unit.province for unit in units} if free_units else ()
    rulebook = rulebook_from_options(rules, settings, sheet.rules)
    spots = spots_of(game_map, free)
    universe = Universe(rulebook, units, spots, orders=given, region=provinces, longest_route=longest_route)
    return rules or sheet.rules, universe


def _provinces(text: str) -> frozenset[ProvinceCode]:
    """Provinces with blanks or commas between them. Raises `InputError`."""
    found = frozenset(province_of(parse_location(name, load_map())) for name in text.replace(",", " ").split())
    if not found:
        raise InputError("--region names no province", suggestion='write --region "BRE ENG LON WAL"')
    return found


@contextmanager
def _status() -> Iterator[Callable[[str], None]]:
    """Shows what is being done, where somebody looks on."""
    if not sys.stderr.isatty():
        yield lambda told: None
        return
    from rich.console import Console
    from rich.markup import escape

    began = monotonic()
    with Console(stderr=True).status("searching") as status:
        yield lambda told: status.update(f"{escape(told)} ({monotonic() - began:.0f} s)")


def _tell(
    result: Result,
    universe: Universe,
    most_units: int | None,
    seconds: float,
    opinions: list[Opinion],
    written: list[Certificate],
) -> None:
    from satjudge.research.search.report import headline, restrictions
    from satjudge.research.search.second import SOLVER

    searched = "; ".join(restrictions(universe, most_units))
    show(f"{result.goal}  [{universe.rulebook.name}]", headline(result), f"Searched: {searched}.")
    refused = sum(part.refused for part in result.rounds)
    largest = max((part.variables for part in result.rounds), default=0)
    asked = "1 question" if len(result.rounds) == 1 else f"{len(result.rounds)} questions"
    show(f"{asked} of up to {largest:,} variables, {refused} proposals refused, {seconds:.1f} s.")
    for opinion in opinions:
        word = "agrees" if opinion.agrees else "DISAGREES"
        show(f"Second opinion: {SOLVER} {word} on “{opinion.question}” ({opinion.clauses:,} clauses).")
    for proof in written:
        show(f"Certificate: {proof.proof}, {proof.size:,} bytes, sha256 {proof.sha256}, of {proof.formula}.")
    for judged in result.answers:
        _tell_answer(judged)


def _tell_answer(judged: Judged) -> None:
    """The position with its verdicts, its cores, and the reasons."""
    from rich.text import Text

    from satjudge.cli.explaining import explanation_lines
    from satjudge.explain import explanations
    from satjudge.render.text import cores_text, count_text, outcome_table

    show("")
    if judged.outcome is None:
        show(*(str(order) for given in judged.proposal.orders.values() for order in given), count_text(judged.resolutions))
        return
    show(outcome_table(judged.outcome))
    show(*(Text(line) for line in cores_text(judged.cores)))
    show(*(Text(line) for line in explanation_lines(explanations(judged.outcome), judged.proposal.board.map)))


def _prepare(save: Path | None, certificate: Path | None) -> None:
    """Find out before a long search whether there is a place to write to."""
    if save:
        save.mkdir(parents=True, exist_ok=True)
    if certificate and not certificate.parent.is_dir():
        raise FileNotFoundError(2, "there is no such directory", str(certificate.parent))


def _write(action: Callable[[], T]) -> T:
    """Write files; what cannot be written is a message."""
    try:
        return action()
    except OSError as error:
        raise click.FileError(str(error.filename), error.strerror or str(error)) from None
