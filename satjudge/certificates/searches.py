"""Certifies that no board has a goal, as a search found, and that in no outcome a wish fails, which is guaranteed."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from satjudge.board import Board, by_power
from satjudge.certificates.lrat_proofs import SatisfiableError
from satjudge.certificates.packing import check_shipped, proved, versions
from satjudge.documents import Rules
from satjudge.errors import InputError
from satjudge.geography import Power
from satjudge.goals.goal import Both, Either, Goal
from satjudge.rules import Rulebook
from satjudge.unknown.universe import Universe
from satjudge.verify.certificate import FORMAT, Certificate, GuaranteeClaim, SearchClaim, Step
from satjudge.verify.search_checks import asked, rests_on


def claim_of(goal: Goal, universe: Universe, most: int) -> SearchClaim:
    """That no board of free units, at most so many, has a goal."""
    rulebooks = universe.rulebooks
    return SearchClaim(
        goal=str(goal)[1:-1] if isinstance(goal, Both | Either) else str(goal),
        map=universe.map.name,
        region=sorted(universe.provinces),
        most=most,
        fleets=None,
        rulebooks=[Rules(rulebook.name, rulebook.title, rulebook.settings()) for rulebook in rulebooks],
    )


def guarantee_claim(
    board: Board, powers: Collection[Power], goal: str, orders: Collection[str], rulebook: Rulebook
) -> GuaranteeClaim:
    """That orders of some powers bring a wish about. Raises `InputError` for maps that a certificate cannot name."""
    check_shipped(board.map)
    return GuaranteeClaim(
        goal=goal,
        map=board.map.name,
        units=by_power(board.units),
        powers=[*powers],
        orders=[*orders],
        rulebook=Rules(rulebook.name, rulebook.title, rulebook.settings()),
    )


def check_certifiable(goal: Goal, universe: Universe) -> None:
    """Raise `InputError` for what no certificate can be written of: some goals, maps and rulebooks."""
    check_shipped(universe.map)
    asked(claim_of(goal, universe, 1))


def certify(claim: SearchClaim | GuaranteeClaim, title: str = "") -> tuple[Certificate, Mapping[str, bytes]]:
    """A certificate of a claim, and the files that belong into it.

    Raises `InputError` for what the second encoder does not encode, `SatisfiableError` if its formula has a solution.
    """
    steps: list[Step] = []
    files: dict[str, bytes] = {}
    bounds, cases = asked(claim)
    for number, case in enumerate(cases, 1):
        step, proof = proved(f"not the case: {case.text}", str(number), case.formula(bounds), held=False)
        steps.append(step)
        files |= proof
    certificate = Certificate(
        format=FORMAT,
        claim=claim,
        title=title or f"{claim.goal} with at most {bounds.most} units",
        steps=steps,
        assumptions=rests_on(cases),
        versions=versions(),
    )
    return certificate, files


def certify_guarantee(claim: GuaranteeClaim, title: str) -> tuple[Certificate, Mapping[str, bytes]]:
    """A certificate that orders guarantee a wish.

    Raises `InputError` if there is none: rulings on paradoxes may do less than the second encoder's formula lets them.
    """
    try:
        return certify(claim, title)
    except SatisfiableError:
        why = "of rulings on paradoxes it is only proved which orders they may change, and here that is not enough"
        raise InputError(f"no certificate can be written: {why}") from None
