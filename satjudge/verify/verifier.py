"""Verifies certificates, whatever they claim."""

from __future__ import annotations

from satjudge.verify.certificate import FewestClaim, GuaranteeClaim, LineClaim, Package, ResolutionsClaim, SearchClaim
from satjudge.verify.checks import Verification
from satjudge.verify.fewest_checks import FewestVerification
from satjudge.verify.line_checks import LineVerification
from satjudge.verify.resolution_checks import ResolutionsVerification
from satjudge.verify.search_checks import GuaranteeVerification, SearchVerification


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
