"""Tells what `satjudge verify` found, in lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from satjudge.base.words import number_of, quoted
from satjudge.proofs.documents import FILE, Checked, Verified

SUBJECTS_SHOWN = 30
LONGEST_TITLE = 200


def claim_lines(verified: Verified) -> Iterator[str]:
    """What a certificate claims, and of what. How it is called is not verified."""
    yield f"{verified.file}: {verified.claim}"
    yield f"  called {quoted(verified.title, LONGEST_TITLE)}, which is not verified"
    yield from (f"    {line}" for line in verified.subject[:SUBJECTS_SHOWN])
    if (more := len(verified.subject) - SUBJECTS_SHOWN) > 0:
        yield f"    and {number_of(more, 'line')} more; --json tells them all"


def check_line(check: Checked) -> str:
    """One check, and what it found or why it fails."""
    return f"  {'FAILED' if check.problem else 'ok':<6}  {check.name}: {check.problem or check.found}"


def assumption_lines(verified: Verified, sentences: Mapping[str, str]) -> Iterator[str]:
    """What the claim rests on that is not proved in the certificate, numbered; `sentences` by the words for them."""
    if verified.accepted:
        yield "  It rests on:" if verified.assumptions else "  It rests on nothing else"
        for number, name in enumerate(verified.assumptions, 1):
            yield f"  {number}. {sentences[name]}"


def conclusion(verified: Verified) -> str:
    """Whether the certificate is accepted."""
    if verified.accepted:
        return "  accepted"
    failed = next(check.name for check in verified.checks if check.problem)
    return f"  refused: the check “{failed}” failed"


def conclusion_of_all(found: Sequence[Verified]) -> str:
    """How many certificates there are, and of how many that cannot be said."""
    unread = sum(any(check.name == FILE for check in one.checks) for one in found)
    refused = sum(not one.accepted for one in found) - unread
    exceptions = [
        *([f"{refused:,} refused"] if refused else []),
        *([f"{unread:,} could not be read"] if unread else []),
    ]
    return f"{number_of(len(found), 'certificate')}, {' and '.join(exceptions) or 'all accepted'}"
