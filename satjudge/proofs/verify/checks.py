"""Runs the checks of a verification, and provides the checks of formulas and proofs that all verifications share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from satjudge.base.errors import InputError, SatjudgeError
from satjudge.base.words import number_of
from satjudge.notation.documents import Document
from satjudge.proofs.verify.certificate import CertificateFile, Clause, NamedClauses, Step, describe_file
from satjudge.proofs.verify.lrat import LIMITS, ReadLimits, check_proof, iter_lines
from satjudge.world.geography import load_map, shipped_maps


class Checked(Document):
    """One check, with what it found; `problem` is the reason why it failed, or empty."""

    name: str
    found: str
    problem: str


class Verification(ABC):
    """The checks of one certificate."""

    limits: ReadLimits = LIMITS
    """The limits on reading proofs."""

    def __init__(self, package: CertificateFile) -> None:
        self.package = package
        self.certificate = package.certificate

    @property
    @abstractmethod
    def claim(self) -> str:
        """The claim of the certificate, in words."""

    @property
    @abstractmethod
    def subject(self) -> Sequence[str]:
        """The lines of text that describe what the claim is about, such as the units and the map."""

    @abstractmethod
    def list_checks(self) -> Sequence[tuple[str, Callable[[], str]]]:
        """Return the checks in order, each with its name and the function that runs it.

        Each function returns its finding in words, or raises `SatjudgeError` if the check fails.
        """

    @property
    @abstractmethod
    def steps(self) -> int:
        """The number of steps that a certificate of the claim must have."""

    def run_checks(self) -> Iterator[Checked]:
        """Run the checks in order and yield each result; stop after the first failure."""
        for name, check in self.list_checks():
            result = _run_check(name, check)
            yield result
            if result.problem:
                return

    def check_assumptions(self, *expected: str) -> str:
        """Raise `InputError` unless the certificate states exactly the `expected` assumptions; return their number in words."""
        if self.certificate.assumptions != [*expected]:
            raise InputError(f"the certificate's assumptions must be exactly “{', '.join(expected)}”")
        return number_of(len(expected), "assumption")

    def get_step(self, step_index: int) -> Step:
        """Return a step of the certificate by its index, from 0.

        Raises `InputError` if the certificate has more or fewer steps than the claim needs.
        """
        if len(self.certificate.steps) != self.steps:
            raise InputError(f"the certificate has {len(self.certificate.steps)} steps, not {self.steps}")
        return self.certificate.steps[step_index]

    def check_formula(self, step_index: int, expected: NamedClauses) -> NamedClauses:
        """Return `expected`, the clauses of a step, after checking them against the step's digest and any stored file.

        Raises `InputError` if they differ.
        """
        file = self.get_step(step_index).formula
        if describe_file(file.name, expected.text.encode()) != file:
            raise InputError(f"{file.name}: these are not the clauses of the claim")
        if self.package.has_file(file):
            self.package.check_file(file)
        return expected

    def check_proof(self, step_index: int, clauses: Iterable[Clause]) -> int:
        """Check a step's proof that the clauses cannot all hold; return how many clauses it derives.

        Raises `SatjudgeError` if the proof is wrong or is not the file that the certificate describes.
        """
        proof = self.get_step(step_index).proof
        self.package.check_file(proof)
        with self.package.open_file(proof) as file:
            return check_proof(list(clauses), iter_lines(file, self.limits), limits=self.limits)


def _run_check(name: str, check: Callable[[], str]) -> Checked:
    try:
        return Checked(name, check(), "")
    except SatjudgeError as error:
        return Checked(name, "", str(error))
    except RecursionError:
        return Checked(name, "", "the data is nested too deeply")
    except MemoryError:
        return Checked(name, "", "there is not enough memory for this check")


def is_whole_map(region: Collection[str], map_name: str) -> bool:
    """Return whether a region contains all provinces of the map with this name; false if there is no such map."""
    return map_name in shipped_maps() and set(region) == load_map(map_name).provinces.keys()


# ---- the documents of `satjudge verify` ----

FILE = "file"
"""The name of the only check of a file that cannot be read."""


class Verified(Document):
    """The verification of one certificate: its claim, each check, and the assumptions that the claim depends on.

    `accepted` is true if no check failed. `title` is the certificate's name for the position, which is not verified. If the
    file cannot be read, the only check is `file`, which gives the reason, and the other fields are empty.
    """

    file: str
    title: str
    claim: str
    subject: list[str]
    """The subject of the claim: the position and its resolutions, or the line."""
    checks: list[Checked]
    assumptions: list[str]
    accepted: bool


def make_unreadable(error: InputError) -> Verified:
    """Return the `Verified` document for a certificate that could not be read: its only check, `file`, gives the error."""
    problem = f"{error.message} ({error.suggestion})" if error.suggestion else error.message
    return Verified(error.source or "", "", "", [], [Checked(FILE, "", problem)], [], accepted=False)


class VerifiedFiles(Document):
    """The document that `satjudge verify --json` writes."""

    satjudge: str
    certificates: list[Verified]
