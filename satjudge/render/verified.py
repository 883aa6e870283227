"""Tells what `satjudge verify` found, in lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from satjudge.documents.verified import Checked, Verified

SUBJECTS_SHOWN = 30


def claim_lines(verified: Verified) -> Iterator[str]:
    """What a certificate claims, and of what. How it is called is not verified."""
    yield f"{verified.file}: {verified.claim}"
    yield f"  called “{verified.title}”, which is not verified"
    yield from (f"    {line}" for line in verified.subject[:SUBJECTS_SHOWN])
    if (more := len(verified.subject) - SUBJECTS_SHOWN) > 0:
        yield f"    and {more:,} lines more; --json tells them all"


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
