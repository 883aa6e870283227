"""Certifies that no board has a goal, as a search found."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from satjudge.certificates.packing import proved, versions
from satjudge.documents import Rules
from satjudge.errors import InputError
from satjudge.geography import Map, ProvinceCode, load_map, shipped_maps
from satjudge.rules import Rulebook
from satjudge.verify.certificate import FORMAT, Certificate, SearchClaim, Step
from satjudge.verify.search_checks import bounds_of, rests_on
from satjudge.verify.searches import cases_of, formula


def claim_of(
    goal: str, game_map: Map, region: Collection[ProvinceCode], most: int, rulebook: Rulebook, fleets: int | None = None
) -> SearchClaim:
    """That no board with so many units has a goal. Raises `InputError` for a map that a certificate cannot name."""
    if game_map.name not in shipped_maps() or load_map(game_map.name) is not game_map:
        raise InputError(f"certificates are of searches on maps that come with satjudge, and {game_map.name} is none of them")
    rules = Rules(rulebook.name, rulebook.title, rulebook.settings())
    return SearchClaim(goal=goal, map=game_map.name, region=sorted(region), most=most, fleets=fleets, rulebook=rules)


def certify(claim: SearchClaim) -> tuple[Certificate, Mapping[str, bytes]]:
    """A certificate of a claim, and the files that belong into it.

    Raises `InputError` for what the second encoder does not encode, `SatjudgeError` if its formula has a solution.
    """
    steps: list[Step] = []
    files: dict[str, bytes] = {}
    bounds = bounds_of(claim)
    for number, case in enumerate(cases_of(claim.goal), 1):
        step, proof = proved(f"not the case: {case.text}", str(number), formula(bounds, case), held=False)
        steps.append(step)
        files |= proof
    title = f"{claim.goal} with at most {claim.most} units"
    certificate = Certificate(
        format=FORMAT, claim=claim, title=title, steps=steps, assumptions=rests_on(claim), versions=versions()
    )
    return certificate, files
