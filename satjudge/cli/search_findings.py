"""What a search found, for people: `satjudge search` without `--json`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from satjudge.cli.common import show
from satjudge.orders import Hold
from satjudge.words import number_of

if TYPE_CHECKING:
    from satjudge.research.search.judging import Judged
    from satjudge.research.search.searching import Result
    from satjudge.research.search.second import Certificate, Opinion
    from satjudge.research.search.universe import Universe
    from satjudge.rules import Rulebook

RESOLUTIONS_SHOWN = 8
"""Of a board that the rulebook has no answer to."""


def tell(
    result: Result,
    universe: Universe,
    most_units: int | None,
    seconds: float,
    opinions: list[Opinion],
    written: list[Certificate],
    counted: int,
) -> None:
    """Say how it ended and under what restrictions; then each answer. Less than `counted` units were not asked for."""
    from satjudge.research.search.report import compared_rulebooks, headline, remarks, restrictions
    from satjudge.research.search.second import SOLVER

    searched = "; ".join(restrictions(result.goal, universe, most_units))
    show(f"{result.goal}  [{universe.rulebook.name}]", headline(result), *remarks(result, universe, counted))
    show(f"Searched: {searched}.")
    refused = sum(part.refused for part in result.rounds)
    largest = max((part.variables for part in result.rounds), default=0)
    asked = f"{number_of(len(result.rounds), 'question')} of up to {number_of(largest, 'variable')}"
    show(f"{asked}, {number_of(refused, 'proposal')} refused, {seconds:.1f} s.")
    for opinion in opinions:
        word = "agrees" if opinion.agrees else "DISAGREES"
        show(f"Second opinion: {SOLVER} {word} on “{opinion.question}” ({opinion.clauses:,} clauses).")
    for proof in written:
        show(f"Certificate: {proof.proof}, {proof.size:,} bytes, sha256 {proof.sha256}, of {proof.formula}.")
    compared = list(compared_rulebooks(result.goal).values())
    for judged in result.answers:
        show("")
        _tell_answer(judged)
        if compared:
            _tell_difference(judged, compared)


def _tell_answer(judged: Judged) -> None:
    """The position with its verdicts, its cores, and the reasons; its resolutions where the rulebook has no answer."""
    from rich.text import Text

    from satjudge.explain import explanations
    from satjudge.render.explained import explanation_lines
    from satjudge.render.text import cores_text, outcome_table, resolutions_table

    board = judged.proposal.board
    if judged.outcome is None:
        show(resolutions_table(judged.resolutions, None, RESOLUTIONS_SHOWN))
        holding = [unit for unit in board.units if isinstance(judged.proposal.by_province[unit.province], Hold)]
        if holding:
            show(f"Holding: {', '.join(f'{unit} ({board.map.name_of(unit.power)})' for unit in holding)}.")
        show(*(Text(line) for line in cores_text(judged.unsettled)), f"Unresolved: {judged.error}")
        return
    show(outcome_table(judged.outcome))
    show(*(Text(line) for line in cores_text(judged.cores)))
    show(*(Text(line) for line in explanation_lines(explanations(judged.outcome), board.map)))


def _tell_difference(judged: Judged, compared: list[Rulebook]) -> None:
    """What the rulebooks that the goal compares say of the answer, side by side."""
    from satjudge.render.text import comparison_table
    from satjudge.research.compare import compare

    board = judged.proposal.board
    show("", comparison_table(compare(board, judged.proposal.orders, compared), board.map))
