"""Verifies certificates, whatever they claim."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from satjudge.verify.certificate import FewestClaim, GuaranteeClaim, LineClaim, Package, ResolutionsClaim, SearchClaim
from satjudge.verify.checks import Verification
from satjudge.verify.fewest_checks import FewestVerification, formula_of
from satjudge.verify.line_checks import LineVerification
from satjudge.verify.named_clauses import NamedClauses
from satjudge.verify.resolution_checks import ResolutionsVerification
from satjudge.verify.search_checks import GuaranteeVerification, SearchVerification, asked

UnheldClaim: TypeAlias = FewestClaim | SearchClaim | GuaranteeClaim
"""Claims that their formulas follow from, so that certificates do not hold them."""


def formulas_of(claim: UnheldClaim) -> Sequence[NamedClauses]:
    """The formula of each step of such a certificate. Raises `InputError` if the claim cannot be read."""
    if isinstance(claim, FewestClaim):
        return [formula_of(claim)]
    bounds, cases = asked(claim)
    return [case.formula(bounds) for case in cases]


def verification_of(package: Package) -> Verification:
    """The checks of a certificate."""
    match package.certificate.claim:
        case ResolutionsClaim() as claim:
            return ResolutionsVerification(package, claim)
        case LineClaim() as claim:
            return LineVerification(package, claim)
        case FewestClaim() as claim:
            return FewestVerification(package, claim)
        case SearchClaim() as claim:
            return SearchVerification(package, claim)
        case GuaranteeClaim() as claim:
            return GuaranteeVerification(package, claim)
