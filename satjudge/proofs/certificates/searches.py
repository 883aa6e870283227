"""Certifies the result of a search that no board meets a goal, or that a guaranteed wish fails in no outcome."""

from __future__ import annotations

from collections.abc import Collection
from itertools import starmap

from satjudge.base.errors import InputError
from satjudge.notation.documents import describe_rules
from satjudge.proofs.certificates.lrat_proofs import SatisfiableError
from satjudge.proofs.certificates.packing import Certified, Proved, check_shipped_map, pack_certificate, prove_step
from satjudge.proofs.verify.certificate import CORES, RULINGS, GuaranteeClaim, SearchClaim
from satjudge.proofs.verify.searches import AnyCase, list_assumptions, read_cases
from satjudge.search.goals.goal import Both, Either, Goal
from satjudge.search.guarantees.one_season import WishTable
from satjudge.search.open_orders.universe import Universe
from satjudge.world.board import by_power

_NOT_ENOUGH = {
    RULINGS: "of rulings on paradoxes it is only proved which orders they may change",
    CORES: "of cores it is only proved what is true on every map",
}
"""The reasons why a formula that rests on an assumption may not prove the claim."""


def make_search_claim(goal: Goal, universe: Universe, most: int) -> SearchClaim:
    """Write the claim that no board of free units, at most a number of them, meets a goal."""
    rulebooks = universe.rulebooks
    return SearchClaim(
        goal=str(goal)[1:-1] if isinstance(goal, Both | Either) else str(goal),
        map=universe.map.name,
        region=sorted(universe.provinces),
        most=most,
        fleets=None,
        rulebooks=[*map(describe_rules, rulebooks)],
    )


def make_guarantee_claim(table: WishTable, orders: Collection[str]) -> GuaranteeClaim:
    """Write the claim that orders of some powers guarantee their wish.

    Raises `InputError` for maps that a certificate cannot name.
    """
    board, rulebook = table.board, table.rulebook
    check_shipped_map(board.map)
    return GuaranteeClaim(
        goal=str(table.goal),
        map=board.map.name,
        units=by_power(board.units),
        powers=[table.power, *table.allies],
        orders=[*orders],
        rulebook=describe_rules(rulebook),
    )


def check_certifiable(goal: Goal, universe: Universe) -> None:
    """Raise `InputError` for goals, maps and rulebooks that certificates do not support."""
    check_shipped_map(universe.map)
    read_cases(make_search_claim(goal, universe, 1))


def certify_search(claim: SearchClaim | GuaranteeClaim, title: str = "") -> Certified:
    """Write a certificate of a claim, with the files that belong to it.

    Raises `InputError` if the second encoder cannot encode the claim, or not exactly enough to prove it.
    """
    bounds, cases = read_cases(claim)

    def step(number: int, case: AnyCase) -> Proved:
        try:
            return prove_step(f"not the case: {case.text}", str(number), case.make_formula(bounds), store_clauses=False)
        except SatisfiableError as error:
            if why := [_NOT_ENOUGH[name] for name in case.assumptions if name in _NOT_ENOUGH]:
                raise InputError(f"no certificate can be written: {why[0]}, and here that is not enough") from None
            raise error from None

    title = title or f"{claim.goal} with at most {bounds.most} units"
    return pack_certificate(claim, title, starmap(step, enumerate(cases, 1)), *list_assumptions(cases))
