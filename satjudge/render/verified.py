"""Tells what `satjudge verify` found, in lines."""

from __future__ import annotations

from collections.abc import Iterator

from satjudge.documents.verified import Checked, Verified
from satjudge.verify.assumptions import ASSUMPTIONS


def check_line(check: Checked) -> str:
    """One check, and what it found or why it fails."""
    return f"  {'FAILED' if check.problem else 'ok':<6}  {check.name}: {check.problem or check.found}"


def assumption_lines(verified: Verified) -> Iterator[str]:
    """What the claim rests on that is not proved in the certificate, numbered."""
    if verified.accepted:
        yield "  It rests on:"
        for number, name in enumerate(verified.assumptions, 1):
            yield f"  {number}. {ASSUMPTIONS[name]}"


def conclusion(verified: Verified) -> str:
    """Whether the certificate is accepted."""
    if verified.accepted:
        return "  accepted"
    failed = next(check.name for check in verified.checks if check.problem)
    return f"  refused: the check “{failed}” failed"
