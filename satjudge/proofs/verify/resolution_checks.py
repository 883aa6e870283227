"""Verifies a certificate of resolutions: that a position has those that are listed, and no other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from satjudge.base.errors import InputError
from satjudge.base.words import number_of
from satjudge.proofs.verify.assumptions import LEGALITY
from satjudge.proofs.verify.certificate import Package, ResolutionsClaim
from satjudge.proofs.verify.checks import Verification
from satjudge.proofs.verify.named_clauses import NamedClauses
from satjudge.proofs.verify.position import ReadPosition
from satjudge.proofs.verify.verdicts import check_verdicts


class ResolutionsVerification(Verification):
    """The checks of a certificate of resolutions."""

    steps = 1

    def __init__(self, package: Package, claim: ResolutionsClaim) -> None:
        super().__init__(package)
        self.stated = claim
        self.position = ReadPosition(claim.position)

    @property
    def claim(self) -> str:
        """The claim of the certificate, in words."""
        if not self.stated.resolutions:
            return "the position has no consistent resolution"
        return f"the position has {number_of(len(self.stated.resolutions), 'consistent resolution')}, and no other"

    @property
    def subject(self) -> Sequence[str]:
        """The position, the orders in each resolution, and the verdicts in the end."""
        succeeding = ([order for order, holds in one.succeeds.items() if holds] for one in self.stated.resolutions)
        verdicts = self.stated.verdicts or {}
        return (
            *self.position.told(),
            *(f"resolution {n}: {', '.join(these) or 'nothing'} succeeds" for n, these in enumerate(succeeding, 1)),
            *([f"in the end: {'; '.join(f'{order}: {verdict}' for order, verdict in verdicts.items())}"] if verdicts else ()),
        )

    def parts(self) -> Sequence[tuple[str, Callable[[], str]]]:
        """List the checks by their names."""
        return (
            ("assumptions", lambda: self.check_assumptions(LEGALITY)),
            ("position", self._position),
            ("resolutions", self._resolutions),
            ("formula", self._formula),
            ("completeness", self._completeness),
            ("verdicts", self._verdicts),
        )

    def _position(self) -> str:
        """Check that the position can be read, and can be so."""
        position = self.position
        units, orders = number_of(len(position.board.units), "unit"), number_of(len(position.by_province), "order")
        more = (
            *([number_of(len(position.permissions), "permission")] if position.permissions else ()),
            *([f"{number_of(len(position.unsupportable), 'unit')} not supportable"] if position.unsupportable else ()),
        )
        return ", ".join((units, orders, *more, f"rulebook {position.rulebook.name}"))

    def _resolutions(self) -> str:
        """Check that each listed resolution satisfies the second encoder's equations, and that no two are the same."""
        literals = self.position.literals
        listed = self.stated.resolutions
        for number, resolution in enumerate(listed, 1):
            if resolution.succeeds.keys() != literals.keys():
                raise InputError(f"resolution {number} does not speak of the orders of the position")
            if problem := self.position.problem_with(resolution.succeeds):
                raise InputError(f"resolution {number} is not consistent: {problem}")
        if len({tuple(sorted(one.succeeds.items())) for one in listed}) < len(listed):
            raise InputError("a resolution is listed twice")
        return f"{len(listed)} listed, each satisfies the equations"

    @cached_property
    def formula(self) -> NamedClauses:
        """The formula of a further resolution."""
        return self.position.without(self.stated.resolutions)

    def _formula(self) -> str:
        """Check that the clauses are the second encoder's equations, with the listed resolutions excluded."""
        formula = self.check_formula(0, self.formula)
        return f"{number_of(formula.size, 'variable')}, {number_of(len(formula.clauses), 'clause')}"

    def _completeness(self) -> str:
        """Check that no other resolution satisfies the formula."""
        return f"there is no other resolution: proved in {number_of(self.check_proved(0, self.formula.clauses), 'step')}"

    def _verdicts(self) -> str:
        """Check that the verdicts are those of everyone who can judge."""
        return check_verdicts(self.position, self.stated.resolutions, self.stated.verdicts)
