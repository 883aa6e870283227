"""Certifies that no board has a goal, as a search found."""

from __future__ import annotations

from collections.abc import Mapping

from satjudge.certificates.packing import proved, versions
from satjudge.documents import Rules
from satjudge.errors import InputError
from satjudge.geography import load_map, shipped_maps
from satjudge.goals.goal import Both, Either, Goal
from satjudge.unknown.universe import Universe
from satjudge.verify.certificate import FORMAT, Certificate, SearchClaim, Step
from satjudge.verify.search_checks import bounds_of, rests_on
from satjudge.verify.searches import cases_of, formula


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


def check_certifiable(goal: Goal, universe: Universe) -> None:
    """Raise `InputError` for what no certificate can be written of: some goals, maps and rulebooks."""
    name = universe.map.name
    if name not in shipped_maps() or load_map(name) is not universe.map:
        raise InputError(f"certificates are of searches on maps that come with satjudge, and {name} is none of them")
    claim = claim_of(goal, universe, 1)
    cases_of(claim.goal, bounds_of(claim).rulebooks)


def certify(claim: SearchClaim) -> tuple[Certificate, Mapping[str, bytes]]:
    """A certificate of a claim, and the files that belong into it.

    Raises `InputError` for what the second encoder does not encode, `SatjudgeError` if its formula has a solution.
    """
    steps: list[Step] = []
    files: dict[str, bytes] = {}
    bounds = bounds_of(claim)
    for number, case in enumerate(cases_of(claim.goal, bounds.rulebooks), 1):
        step, proof = proved(f"not the case: {case.text}", str(number), formula(bounds, case), held=False)
        steps.append(step)
        files |= proof
    title = f"{claim.goal} with at most {claim.most} units"
    certificate = Certificate(
        format=FORMAT, claim=claim, title=title, steps=steps, assumptions=rests_on(claim), versions=versions()
    )
    return certificate, files
