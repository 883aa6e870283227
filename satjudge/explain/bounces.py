"""Explains in plain words why a move bounces, in addition to the comparison of strengths."""

from __future__ import annotations

from satjudge.explain.explanation import Explanation

_OPPOSED = {
    "prevent": "{of} goes there too, and is {how} strong",
    "defend": "{of} comes the other way, and is {how} strong",
    "hold": "the unit in {of} is {how} strong",
}
"""The opponent of a move, by the term of its strength."""


def describe_bounce(found: Explanation) -> str:
    """Describe why a move bounces: against what, and how strong both are; empty for other orders.

    Also empty if a move has no strength at all, which is no bounce: it would dislodge a unit of its own power.
    """
    compared = found.reasons[0].strengths if found.reasons else ()
    if len(compared) < 2 or compared[0].term != "attack" or compared[0].of != found.order:
        return ""
    own, other = compared[:2]
    if not 0 < own.value <= other.value or other.term not in _OPPOSED:
        return ""
    opposed = _OPPOSED[other.term].format(of=other.of, how="as" if own.value == other.value else "more")
    return f"Bounces: {opposed.replace('is more strong', 'is stronger')} ({own.value} against {other.value})."
