"""Counting cores, differences between rulebooks, and tests of the claims."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations

from satjudge.board import Board, Unit
from satjudge.equations.situation import situate
from satjudge.errors import UnresolvedError
from satjudge.legality import Docket, sort_out
from satjudge.outcome import Outcome
from satjudge.research.census.claims import ONE_RESOLUTION, claims_on_core, dependencies
from satjudge.research.census.plan import Orders, Plan, presets
from satjudge.research.census.tallies import (
    ClaimTally,
    Counterexample,
    Example,
    NameTally,
    PairTally,
    ShapeTally,
    Tally,
    add_tallies,
    graph_of,
)
from satjudge.research.cores import ClassifiedCore, classify
from satjudge.rules import OtherCoreRule, ParadoxFallback, ParadoxRule, Rulebook, load_rulebook
from satjudge.solve import Engine, adjudicate
from satjudge.solve.result import Adjudication

NOT_EXHAUSTED = "not exhausted"


def tally_boards(plan: Plan, indices: Iterable[int]) -> Tally:
    """Count these boards of the census."""
    tally = Tally()
    for index in indices:
        tally.add(tally_board(plan, index))
    return tally


def tally_board(plan: Plan, index: int) -> Tally:
    """Count one board."""
    flavour, board, orders = plan.draw(index)
    example = Example(len(board.units), index)
    docket, adjudication, resolved = judged(board, orders, plan.rulebook)
    number = NOT_EXHAUSTED
    if adjudication is not None and adjudication.resolutions.complete:
        number = str(adjudication.resolutions.count)
    tally = Tally(boards=1, unresolved=int(not resolved), resolutions={flavour: {number: 1}})
    if adjudication is not None:
        _count_cores(tally, classify(adjudication) if adjudication.cores else [], example)
        _test_claims(tally, adjudication, example)
    if plan.compares(index):
        units = Outcome(board, docket, adjudication).units if adjudication is not None and resolved else None
        _compare(tally, board, orders, {plan.rulebook: units}, example)
    return tally


def judged(board: Board, orders: Orders, rulebook: Rulebook) -> tuple[Docket, Adjudication | None, bool]:
    """A board judged, and whether the rulebook had an answer to it all.

    Where it had none, cores that it cannot rule on are settled by others' rules, so that the rest can be looked at as
    well; None is left where the resolutions of a core could not be exhausted.
    """
    docket = sort_out(board, orders, rulebook)
    for candidate in (rulebook, _answering(rulebook)):
        try:
            adjudication = adjudicate(situate(board, docket, candidate), Engine.STAGED)
        except UnresolvedError:
            continue
        return docket, adjudication, candidate is rulebook
    return docket, None, False


@cache
def _answering(rulebook: Rulebook) -> Rulebook:
    """A rulebook with the same equations that has an answer to every core."""
    rule = ParadoxRule.SZYKMAN if rulebook.paradox is ParadoxRule.NONE else rulebook.paradox
    return replace(rulebook, paradox=rule, paradox_fallback=ParadoxFallback.SZYKMAN, other_cores=OtherCoreRule.ALL_FAIL)


def _count_cores(tally: Tally, cores: Sequence[ClassifiedCore], example: Example) -> None:
    tally.boards_with_cores = int(bool(cores))
    for core in cores:
        kind, name, shape = str(core.kind), core.name, core.shape
        named = NameTally(kind, core.order, 1, int(name not in tally.names), example)
        add_tallies(tally.names, {name: named})
        one = Tally(shapes={shape: ShapeTally(kind, {name: 1}, 1, example, graph_of(core))}, claims={})
        tally.add(one)  # which also compares the graphs


def _compare(
    tally: Tally, board: Board, orders: Orders, known: dict[Rulebook, tuple[Unit, ...] | None], example: Example
) -> None:
    """Judge by all preset rulebooks; two of them differ where the units end up in other places."""
    found: dict[str, tuple[Unit, ...] | None] = {}
    for name in presets():
        rulebook = load_rulebook(name)
        if rulebook not in known:
            known[rulebook] = final_units(board, orders, rulebook)
        found[name] = known[rulebook]
    tally.compared = 1
    tally.unresolved_by = {name: 1 for name, units in found.items() if units is None}
    for one, other in combinations(found, 2):
        if found[one] != found[other]:
            tally.differing[f"{one},{other}"] = PairTally(1, example)


def final_units(board: Board, orders: Orders, rulebook: Rulebook) -> tuple[Unit, ...] | None:
    """The units after the moves, dislodged ones left out; None where the rulebook has no answer."""
    docket = sort_out(board, orders, rulebook)
    try:
        return Outcome(board, docket, adjudicate(situate(board, docket, rulebook), Engine.STAGED)).units
    except UnresolvedError:
        return None


def _test_claims(tally: Tally, adjudication: Adjudication, example: Example) -> None:
    for core in adjudication.cores:
        for claim, holds in claims_on_core(core):
            _count_test(tally, claim, holds, example, [str(decision) for decision in core.decisions])
    for dependency, finding in dependencies(adjudication):
        tally.dependencies[finding] = tally.dependencies.get(finding, 0) + 1
        if finding in ONE_RESOLUTION:
            _count_test(tally, "c", finding != ONE_RESOLUTION[-1], example, [str(decision) for decision in dependency])


def _count_test(tally: Tally, claim: str, holds: bool, example: Example, orders: Sequence[str]) -> None:
    test = ClaimTally(tested=1)
    if not holds:
        test.violations = 1
        test.counterexamples = [Counterexample(example.units, example.board, "; ".join(orders))]
    add_tallies(tally.claims, {claim: test})
