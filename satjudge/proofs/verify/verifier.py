"""Verifies certificates, whatever they claim."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from satjudge.proofs.verify.certificate import FewestClaim, GuaranteeClaim, LineClaim, Package, ResolutionsClaim, SearchClaim
from satjudge.proofs.verify.checks import Verification
from satjudge.proofs.verify.fewest_checks import FewestVerification, formula_of
from satjudge.proofs.verify.line_checks import LineVerification
from satjudge.proofs.verify.named_clauses import NamedClauses
from satjudge.proofs.verify.resolution_checks import ResolutionsVerification
from satjudge.proofs.verify.search_checks import GuaranteeVerification, SearchVerification, read_cases

UnheldClaim: TypeAlias = FewestClaim | SearchClaim | GuaranteeClaim
"""The claims from which their formulas follow, so that certificates do not hold these."""


def formulas_of(claim: UnheldClaim) -> Sequence[NamedClauses]:
    """Write the formula of each step of such a certificate.

    Raises `InputError` if the claim cannot be read.
    """
    if isinstance(claim, FewestClaim):
        return [formula_of(claim)]
    bounds, cases = read_cases(claim)
    return [case.formula(bounds) for case in cases]


def verification_of(package: Package) -> Verification:
    """Make the verification of a certificate."""
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
