"""Verifies a certificate of a search: that no board with legal orders has a goal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from satjudge.errors import InputError
from satjudge.geography import load_map
from satjudge.verify.certificate import Package, SearchClaim
from satjudge.verify.checks import Verification
from satjudge.verify.open_boards import Bounds
from satjudge.verify.position import rulebook_of
from satjudge.verify.searches import Case, cases_of, formula
from satjudge.words import number_of


def bounds_of(claim: SearchClaim) -> Bounds:
    """Which boards a claim speaks of. Raises `InputError` if that cannot be read."""
    rulebooks = tuple(map(rulebook_of, claim.rulebooks))
    return Bounds(load_map(claim.map), frozenset(claim.region), claim.most, claim.fleets, rulebooks)


def rests_on(claim: SearchClaim) -> list[str]:
    """The assumptions of a claim: those of its cases, each once."""
    return [*dict.fromkeys(name for case in cases_of(claim.goal, bounds_of(claim).rulebooks) for name in case.assumptions)]


class SearchVerification(Verification):
    """The checks of a certificate of a search."""

    def __init__(self, package: Package, claim: SearchClaim) -> None:
        super().__init__(package)
        self.stated = claim

    @property
    def claim(self) -> str:
        """What the certificate claims, with every bound."""
        stated = self.stated
        fleets = "" if stated.fleets is None else f", {stated.fleets} of them fleets,"
        rules = " and ".join(rules.name for rules in stated.rulebooks)
        return (
            f"no board with at most {number_of(stated.most, 'unit')}{fleets} and legal orders under {rules} has {stated.goal}"
        )

    @property
    def subject(self) -> Sequence[str]:
        """Where the units are."""
        everywhere = set(self.stated.region) == load_map(self.stated.map).provinces.keys()
        provinces = "any provinces" if everywhere else ", ".join(self.stated.region)
        return (f"units of any powers stand and move in {provinces} of the map {self.stated.map}",)

    @cached_property
    def bounds(self) -> Bounds:
        """Which boards there are."""
        return bounds_of(self.stated)

    @cached_property
    def cases(self) -> Sequence[Case]:
        """The cases of the goal."""
        return cases_of(self.stated.goal, self.bounds.rulebooks)

    @property
    def steps(self) -> int:
        """One for each case of the goal."""
        return len(self.cases)

    def parts(self) -> Sequence[tuple[str, Callable[[], str]]]:
        """The checks by their names."""
        return (
            ("boards", self._boards),
            ("goal", self._goal),
            ("assumptions", lambda: self.check_assumptions(*rests_on(self.stated))),
            ("no such board", self._refutations),
        )

    def _goal(self) -> str:
        """The goal is one that can be written as clauses."""
        return "; or ".join(case.text for case in self.cases)

    def _boards(self) -> str:
        """Region, bounds and rulebook can be read."""
        bounds = self.bounds
        if len(bounds.region) < len(self.stated.region):
            raise InputError("a province is listed twice")
        return f"{number_of(len(bounds.region), 'province')}, {', '.join(rulebook.name for rulebook in bounds.rulebooks)}"

    def _refutations(self) -> str:
        """The clauses that say a case of the goal, written anew, cannot all hold."""
        return "; ".join(map(self._refuted, range(self.steps)))

    def _refuted(self, number: int) -> str:
        clauses = self.check_formula(number, formula(self.bounds, self.cases[number]))
        steps = self.check_proved(number, clauses.clauses)
        return f"{clauses.size:,} variables and {len(clauses.clauses):,} clauses cannot all hold: proved in {steps:,} steps"
