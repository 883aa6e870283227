"""Why, why not, and what if: explanations of verdicts, read off the equations."""

from satjudge.explain.changes import Change, Pivot, VerdictChange, pivotal_orders, what_if
from satjudge.explain.contradictions import Contradiction, WhyNot, why_no_resolution, why_not
from satjudge.explain.explanation import CoreAccount, Culprit, Explanation, Reason, Strength
from satjudge.explain.phases import adjustment_explanations, explanations, retreat_explanations, why

__all__ = [
    "Change",
    "Contradiction",
    "CoreAccount",
    "Culprit",
    "Explanation",
    "Pivot",
    "Reason",
    "Strength",
    "VerdictChange",
    "WhyNot",
    "adjustment_explanations",
    "explanations",
    "pivotal_orders",
    "retreat_explanations",
    "what_if",
    "why",
    "why_no_resolution",
    "why_not",
]
