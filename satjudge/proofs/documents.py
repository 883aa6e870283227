"""Holds what `satjudge verify` found."""

from __future__ import annotations

from satjudge.base.errors import InputError
from satjudge.notation.documents import Document


class Checked(Document):
    """One check, and what it found; `problem` says why it fails, and is empty if it does not."""

    name: str
    found: str
    problem: str


FILE = "file"
"""The one check of a file that cannot be read."""


class Verified(Document):
    """One certificate: what it claims, each check, and what the claim rests on besides. `accepted` if no check failed.

    `title` is what the position is called by who wrote the certificate: nothing of it is verified. Of a file that cannot be
    read all is empty but the check `file`, which says why.
    """

    file: str
    title: str
    claim: str
    subject: list[str]
    """What the claim speaks of: the position and its resolutions, or the line."""
    checks: list[Checked]
    assumptions: list[str]
    accepted: bool


def unreadable(error: InputError) -> Verified:
    """What is said of a file, or of one in a bundle, that cannot be read."""
    problem = f"{error.message} ({error.suggestion})" if error.suggestion else error.message
    return Verified(error.source or "", "", "", [], [Checked(FILE, "", problem)], [], accepted=False)


class VerifiedFiles(Document):
    """What `satjudge verify --json` writes."""

    satjudge: str
    certificates: list[Verified]
