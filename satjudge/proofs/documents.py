"""Holds the documents of `satjudge verify`."""

from __future__ import annotations

from satjudge.base.errors import InputError
from satjudge.notation.documents import Document
from satjudge.proofs.verify.checks import Checked

FILE = "file"
"""The name of the one check of a file that cannot be read."""


class Verified(Document):
    """The verification of one certificate: its claim, each check, and the assumptions that the claim rests on.

    `accepted` if no check failed.

    `title` is the certificate's name for the position, which is not verified. If the file cannot be read, everything is empty
    except the check `file`, which gives the reason.
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
    """Write the document about a file, or a certificate in a bundle, that cannot be read."""
    problem = f"{error.message} ({error.suggestion})" if error.suggestion else error.message
    return Verified(error.source or "", "", "", [], [Checked(FILE, "", problem)], [], accepted=False)


class VerifiedFiles(Document):
    """The document that `satjudge verify --json` writes."""

    satjudge: str
    certificates: list[Verified]
