"""Verifies certificates, whatever they claim."""

from __future__ import annotations

from satjudge.verify.certificate import LineClaim, Package
from satjudge.verify.checks import Verification
from satjudge.verify.line_checks import LineVerification
from satjudge.verify.resolution_checks import ResolutionsVerification


def verification_of(package: Package) -> Verification:
    """The checks of a certificate."""
    claim = package.certificate.claim
    return LineVerification(package, claim) if isinstance(claim, LineClaim) else ResolutionsVerification(package, claim)
