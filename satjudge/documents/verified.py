"""Holds what `satjudge verify` found."""

from __future__ import annotations

from satjudge.documents import Document


class Checked(Document):
    """One check, and what it found; `problem` says why it fails, and is empty if it does not."""

    name: str
    found: str
    problem: str


class Verified(Document):
    """One certificate: what it claims, each check, and what the claim rests on besides. `accepted` if no check failed.

    `title` is what the position is called by who wrote the certificate: nothing of it is verified.
    """

    file: str
    title: str
    claim: str
    subject: list[str]
    """What the claim speaks of: the position and its resolutions, or the line."""
    checks: list[Checked]
    assumptions: list[str]
    accepted: bool


class VerifiedFiles(Document):
    """What `satjudge verify --json` writes."""

    satjudge: str
    certificates: list[Verified]
