"""Compares other adjudicators with satjudge: campaigns, shrinking, the kit of questions and its diagnosis.

Other rooms use the modules in `__all__`; the rest is private to this room.
"""

__all__ = [
    "campaign",
    "comparison",
    "conformance",
    "documents",
    "families",
    "findings",
    "kit",
    "positions",
    "process_oracle",
    "registry",
    "replaying",
    "report",
    "shrinking",
]
