"""Compares other adjudicators with satjudge: campaigns, shrinking, the kit of questions and its diagnosis.

Other rooms import only the modules in `__all__`.
"""

__all__ = [
    "campaign",
    "comparison",
    "conformance",
    "connections",
    "documents",
    "families",
    "findings",
    "kit",
    "positions",
    "replaying",
    "report",
    "shrinking",
]
