"""Holds the document of `satjudge census`: everything that was counted, with the smallest example of every shape."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

import msgspec

from satjudge.bulk.census import Plan, claim_case, shape_case
from satjudge.bulk.tallies import CLAIMS, BoardTally, Counterexample, NameTally, ShapeTally, Tally
from satjudge.notation.documents import Document, JudgedDocument, document_origin

T = TypeVar("T")


@dataclass
class Shape(ShapeTally):
    """The count of cores of one shape, with the smallest example as an order sheet."""

    case: str


@dataclass(frozen=True, order=True)
class FoundAgainst(Counterexample):
    """A board on which a claim does not hold, with the decisions that contradict it and an order sheet."""

    case: str


class Claim(Document):
    """The number of tests of a claim, with its counterexamples."""

    tested: int
    violations: int
    counterexamples: list[FoundAgainst]
    claim: str
    """The claim in words."""


class Census(JudgedDocument, kw_only=True):
    """The document that `satjudge census --json` writes."""

    seed: int
    map: str | msgspec.UnsetType = msgspec.UNSET
    """The map, if it is not the standard one."""
    units: tuple[int, int] | None
    powers: int
    dense_convoys: bool
    compare_every: int
    boards: int
    boards_with_cores: int
    unresolved: int
    """The number of boards that the rulebook has no answer to."""
    resolutions: dict[str, dict[str, int]]
    """The number of boards by flavour and by the number of resolutions of the whole board."""
    names: dict[str, NameTally]
    shapes: dict[str, Shape]
    ambiguous_shapes: list[str]
    """The shapes whose name stands for several graphs, which are counted together."""
    dependencies: dict[str, int]
    """The number of cyclic dependencies by what bounds settle in them."""
    claims: dict[str, Claim]
    compared: int
    """The number of boards that all preset rulebooks judged."""
    unresolved_by: dict[str, int]
    """The number of compared boards that each rulebook had no answer to."""
    differing: dict[str, BoardTally]
    """The number of compared boards on which two rulebooks (`A,B`) leave units in other places."""


def census_document(plan: Plan, tally: Tally) -> Census:
    """Make the document of a census, with all counts sorted by name so that the order of chunks does not show."""
    claims = {}
    for claim, tests in tally.claims.items():
        against = [
            FoundAgainst(**vars(found), case=claim_case(plan, claim, _claim_name(claim, number), found))
            for number, found in enumerate(tests.counterexamples, 1)
        ]
        claims[claim] = Claim(tests.tested, tests.violations, against, CLAIMS[claim])
    shapes = {
        shape: Shape(**(vars(found) | {"names": by_name(found.names)}), case=shape_case(plan, tally, shape))
        for shape, found in by_name(tally.shapes).items()
    }
    asked = {name: getattr(plan, name) for name in ("seed", "units", "powers", "dense_convoys", "compare_every")}
    counted = {name: by_name(value) if isinstance(value, dict) else value for name, value in vars(tally).items()}
    counted |= {"claims": claims, "shapes": shapes}
    counted["resolutions"] = {flavour: by_name(counts) for flavour, counts in counted["resolutions"].items()}
    on = {} if plan.map.is_standard else {"map": plan.map.exact_name}
    return Census(**(document_origin(plan.rulebook) | asked | on | counted))


def _claim_name(claim: str, number: int) -> str:
    return f"claim-{claim}-{number}"


def cases(found: Census) -> Iterator[tuple[str, str]]:
    """List the cases of a census with their names: the smallest example of each shape, then the counterexamples."""
    yield from ((shape, one.case) for shape, one in found.shapes.items())
    for claim, tests in found.claims.items():
        yield from ((_claim_name(claim, number), one.case) for number, one in enumerate(tests.counterexamples, 1))


def by_name(counted: Mapping[str, T]) -> dict[str, T]:
    """Sort the entries of a mapping by name: numbers as numbers, and before words."""
    return {name: counted[name] for name in sorted(counted, key=number_or_name)}


def number_or_name(text: str) -> tuple[bool, int, str]:
    """Return the key by which names that may be numbers are sorted."""
    return (not text.isdigit(), int(text) if text.isdigit() else 0, text)
