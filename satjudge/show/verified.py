"""Writes the findings of `satjudge verify` as lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from satjudge.base.words import number_of, quoted
from satjudge.proofs.documents import FILE, Verified
from satjudge.proofs.verify.checks import Checked

SUBJECTS_SHOWN = 30
LONGEST_TITLE = 200


def claim_lines(verified: Verified) -> Iterator[str]:
    """Write the claim of a certificate and its subject; its title, which is not verified, is marked so."""
    yield f"{verified.file}: {verified.claim}"
    yield f"  called {quoted(verified.title, LONGEST_TITLE)}, which is not verified"
    yield from (f"    {line}" for line in verified.subject[:SUBJECTS_SHOWN])
    if (more := len(verified.subject) - SUBJECTS_SHOWN) > 0:
        yield f"    and {number_of(more, 'line')} more; --json tells them all"


def check_line(check: Checked) -> str:
    """Write the result of one check of a certificate, or why the check failed."""
    return f"  {'FAILED' if check.problem else 'ok':<6}  {check.name}: {check.problem or check.found}"


def assumption_lines(verified: Verified, sentences: Mapping[str, str]) -> Iterator[str]:
    """Number the assumptions on which an accepted certificate rests; `sentences` holds the words for each assumption."""
    if verified.accepted:
        yield "  It rests on:" if verified.assumptions else "  It rests on nothing else"
        for number, name in enumerate(verified.assumptions, 1):
            yield f"  {number}. {sentences[name]}"


def conclusion(verified: Verified) -> str:
    """Write whether a certificate is accepted, or which check failed."""
    if verified.accepted:
        return "  accepted"
    failed = next(check.name for check in verified.checks if check.problem)
    return f"  refused: the check “{failed}” failed"


def conclusion_of_all(found: Sequence[Verified]) -> str:
    """Count the certificates, those that are refused, and those that could not be read."""
    unread = sum(any(check.name == FILE for check in one.checks) for one in found)
    refused = sum(not one.accepted for one in found) - unread
    exceptions = [
        *([f"{refused:,} refused"] if refused else []),
        *([f"{unread:,} could not be read"] if unread else []),
    ]
    return f"{number_of(len(found), 'certificate')}, {' and '.join(exceptions) or 'all accepted'}"
