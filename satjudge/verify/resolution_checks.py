"""Verifies a certificate of resolutions: that a position has those that are listed, and no other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

from satjudge.errors import InputError
from satjudge.verify.assumptions import LEGALITY
from satjudge.verify.bridge import DEFINED, REQUIRED, TRUE
from satjudge.verify.certificate import Package, Resolution, ResolutionsClaim
from satjudge.verify.checks import MOVE, TRUTH, Verification
from satjudge.verify.named_clauses import Clause, NamedClauses
from satjudge.verify.position import ReadPosition
from satjudge.words import number_of

EXCLUDED = "the resolutions that are listed are excluded"
COMPLETE, BRIDGE = range(2)
"""The steps of a certificate of resolutions, by number."""


class ResolutionsVerification(Verification):
    """The checks of a certificate of resolutions."""

    steps = 2

    def __init__(self, package: Package, claim: ResolutionsClaim) -> None:
        super().__init__(package)
        self.stated = claim
        self.position = ReadPosition(claim.position)

    @property
    def claim(self) -> str:
        """What the certificate claims."""
        found = number_of(len(self.stated.resolutions), "consistent resolution")
        return f"the position has {found}, and no other"

    @property
    def subject(self) -> Sequence[str]:
        """The position: units and orders of each power; and what becomes of the orders in each resolution."""
        position = self.stated.position
        powers = (
            f"{power}: {', '.join(units)}; ordered: {', '.join(position.orders.get(power, ())) or 'nothing'}"
            for power, units in position.units.items()
        )
        succeeding = ([order for order, holds in one.succeeds.items() if holds] for one in self.stated.resolutions)
        return (
            *powers,
            *(f"resolution {n}: {', '.join(these) or 'nothing'} succeeds" for n, these in enumerate(succeeding, 1)),
        )

    def parts(self) -> Sequence[tuple[str, Callable[[], str]]]:
        """The checks by their names."""
        return (
            ("assumptions", lambda: self.check_assumptions(LEGALITY)),
            ("position", self._position),
            ("resolutions", self._resolutions),
            ("formula", self._formula),
            ("both encoders", self._bridge),
            ("completeness", self._completeness),
        )

    def _position(self) -> str:
        """The units, orders and rulebook can be read."""
        position = self.position
        units, orders = number_of(len(position.board.units), "unit"), number_of(len(position.by_province), "order")
        return f"{units}, {orders}, rulebook {position.rulebook.name}"

    def _resolutions(self) -> str:
        """Each resolution that is listed satisfies the equations of the second encoder, and no two are the same."""
        clauses, literals = self.position.second
        listed = self.stated.resolutions
        for number, resolution in enumerate(listed, 1):
            if resolution.succeeds.keys() != literals.keys():
                raise InputError(f"resolution {number} does not speak of the orders of the position")
            if not satisfied(clauses, literals, resolution):
                raise InputError(f"resolution {number} is not consistent")
        if len({tuple(sorted(one.succeeds.items())) for one in listed}) < len(listed):
            raise InputError("a resolution is listed twice")
        return f"{len(listed)} listed, each satisfies the equations"

    def _formula(self) -> str:
        """The formula of the first encoder defines what it does not require, and excludes what is listed and nothing else."""
        formula = self._first
        shared = (name for name in self.position.second[0].names.values() if name == TRUTH or name.startswith(MOVE))
        if sorted(formula.names.values()) != sorted(shared):
            raise InputError("it does not speak of the moves of the position")
        if list(formula.group(EXCLUDED)) != excluded(formula.names, self.stated.resolutions):
            raise InputError("what is excluded is not what is listed")
        return f"{formula.size} variables, {len(formula.clauses)} clauses"

    @cached_property
    def _first(self) -> NamedClauses:
        return self.first_formula(COMPLETE, (DEFINED, REQUIRED, EXCLUDED))

    def _bridge(self) -> str:
        """The equations of the second encoder imply those of the first."""
        steps = self.check_bridge(BRIDGE, self.position.second[0], self._first)
        return f"the second implies the first: proved in {steps} steps"

    def _completeness(self) -> str:
        """No other resolution satisfies the formula."""
        return f"there is no other resolution: proved in {self.check_proved(COMPLETE, self._first.clauses)} steps"


def excluded(names: Mapping[int, str], resolutions: Iterable[Resolution]) -> list[Clause]:
    """A clause for each resolution, which only this one does not satisfy: some move ends otherwise."""
    moves = {variable: name.removeprefix(MOVE) for variable, name in sorted(names.items()) if name.startswith(MOVE)}
    return [tuple(-v if one.succeeds.get(order) else v for v, order in moves.items()) or (-TRUE,) for one in resolutions]


def satisfied(clauses: NamedClauses, literals: Mapping[str, int], resolution: Resolution) -> bool:
    """Whether the clauses hold where the orders succeed as a resolution says: units follow, until every clause is satisfied."""
    true = {literal if resolution.succeeds[order] else -literal for order, literal in literals.items()}
    if any(-literal in true for literal in true):  # one literal may stand for several orders
        return False
    left = clauses.clauses
    while left:
        before, still = len(true), []
        for clause in left:
            if not true.isdisjoint(clause):
                continue
            undecided = [literal for literal in clause if -literal not in true]
            if not undecided:
                return False
            if len(undecided) == 1:
                true.add(undecided[0])
            else:
                still.append(clause)
        if len(true) == before:
            return not still
        left = still
    return True
