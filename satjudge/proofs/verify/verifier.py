"""Verifies certificates of all kinds of claims."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

from satjudge.base.errors import InputError
from satjudge.proofs.verify.certificate import (
    CertificateFile,
    FewestClaim,
    GuaranteeClaim,
    LineClaim,
    NamedClauses,
    ResolutionsClaim,
    SearchClaim,
    Step,
    describe_file,
)
from satjudge.proofs.verify.checks import Verification
from satjudge.proofs.verify.fewest_lines import FewestVerification, make_claim_formula
from satjudge.proofs.verify.lines import LineVerification
from satjudge.proofs.verify.resolutions import ResolutionsVerification
from satjudge.proofs.verify.searches import GuaranteeVerification, SearchVerification, read_cases

ClaimWithFormulas: TypeAlias = FewestClaim | SearchClaim | GuaranteeClaim
"""The claims that determine their formulas, so that certificates need not store these."""


def make_formulas(claim: ClaimWithFormulas) -> Sequence[NamedClauses]:
    """Return the formula of each step that a certificate of this claim must have.

    Raises `InputError` if the claim cannot be read.
    """
    if isinstance(claim, FewestClaim):
        return [make_claim_formula(claim)]
    bounds, cases = read_cases(claim)
    return [case.make_formula(bounds) for case in cases]


def make_verification(package: CertificateFile) -> Verification:
    """Return the verification for the kind of claim that the certificate makes."""
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


# ---- formulas and proofs as files, for other checkers of LRAT ----
#
#     write_formulas(package, Path("files"))   # files/1.cnf and files/1.lrat, and so on for each step
#
# If the claim determines the clauses, the certificate does not store them: they are made anew and compared with its digest.

README = """\
Formulas from satjudge's certificates (N.cnf, in DIMACS), and proofs that their clauses cannot all hold (N.lrat, in LRAT). Each
certificate has its own folder. The files are for proof checkers written by others:

    lrat-check 1.cnf 1.lrat                       of drat-trim (https://github.com/marijnheule/drat-trim)
    cake_lpr 1.cnf 1.lrat                         formally verified (https://github.com/tanyongkiam/cake_lpr)
    python -m satjudge.proofs.verify.lrat 1.cnf 1.lrat   satjudge's own

Such a checker confirms that nothing satisfies the clauses. `satjudge verify` checks that the clauses state what the certificate
claims. The comments in the formulas explain their meaning.
"""


def iter_formula_texts(package: CertificateFile) -> Iterator[tuple[Step, str]]:
    """Yield each step of a certificate, with its clauses as the text of a DIMACS file.

    Raises `InputError` if the text does not match the certificate's digest.
    """
    claim, steps = package.certificate.claim, package.certificate.steps
    if not isinstance(claim, ClaimWithFormulas):
        yield from ((step, package.read_text(step.formula)) for step in steps)
        return
    formulas = make_formulas(claim)
    if len(formulas) != len(steps):
        raise InputError(f"the certificate has {len(steps)} steps, not {len(formulas)}", source=str(package.path))
    for step, formula in zip(steps, formulas, strict=True):
        text = formula.text
        if describe_file(step.formula.name, text.encode()) != step.formula:
            problem = f"{step.formula.name}: these are not the clauses of the claim"
            raise InputError(problem, source=str(package.path))
        yield step, text


def write_formulas(package: CertificateFile, folder: Path) -> int:
    """Write each step's clauses to N.cnf and proof to N.lrat in a folder, created if missing; return the number of steps.

    Raises `InputError` for a file that does not match the certificate, and `OSError`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    number = 0
    for number, (step, text) in enumerate(iter_formula_texts(package), 1):
        (folder / f"{number}.cnf").write_text(text, encoding="utf-8", newline="\n")
        package.check_file(step.proof)
        with (
            package.open_file(step.proof) as proof,
            (folder / f"{number}.lrat").open("w", encoding="utf-8", newline="\n") as file,
        ):
            shutil.copyfileobj(proof, file)
    return number
