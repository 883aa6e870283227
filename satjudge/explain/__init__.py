"""Explains verdicts: why, why not, and what if, read off the equations; names cores; compares rulebooks.

Other rooms use the modules in `__all__`; the rest is private to this room. Programs use its functions and values:
`satjudge.explain.why(…)`, `why_not`, `what_if`, `pivotal_orders`, `what_would_change` and so on.
"""

from typing import TYPE_CHECKING

from satjudge.base.imports import make_deprecated_getattr as _formerly

if TYPE_CHECKING:
    from satjudge.explain.changes import Change as Change
    from satjudge.explain.changes import Pivot as Pivot
    from satjudge.explain.changes import VerdictChange as VerdictChange
    from satjudge.explain.changes import pivotal_orders as pivotal_orders
    from satjudge.explain.changes import what_if as what_if
    from satjudge.explain.contradictions import Contradiction as Contradiction
    from satjudge.explain.contradictions import WhyNot as WhyNot
    from satjudge.explain.contradictions import why_no_resolution as why_no_resolution
    from satjudge.explain.contradictions import why_not as why_not
    from satjudge.explain.counterfactuals import OrdersThatChange as OrdersThatChange
    from satjudge.explain.counterfactuals import OtherOrders as OtherOrders
    from satjudge.explain.counterfactuals import PairOfUnits as PairOfUnits
    from satjudge.explain.counterfactuals import WhatWouldChange as WhatWouldChange
    from satjudge.explain.counterfactuals import what_would_change as what_would_change
    from satjudge.explain.explanation import CoreAccount as CoreAccount
    from satjudge.explain.explanation import Culprit as Culprit
    from satjudge.explain.explanation import Explanation as Explanation
    from satjudge.explain.explanation import Reason as Reason
    from satjudge.explain.explanation import Strength as Strength
    from satjudge.explain.phases import adjustment_explanations as adjustment_explanations
    from satjudge.explain.phases import explanations as explanations
    from satjudge.explain.phases import retreat_explanations as retreat_explanations
    from satjudge.explain.phases import why as why
    from satjudge.explain.words.player_text import Said as Said
    from satjudge.explain.words.player_text import spoken_words as spoken_words
else:
    _OFFERED = {
        "changes": ("Change", "Pivot", "VerdictChange", "pivotal_orders", "what_if"),
        "contradictions": ("Contradiction", "WhyNot", "why_no_resolution", "why_not"),
        "words.player_text": ("Said", "spoken_words"),
        "explanation": ("CoreAccount", "Culprit", "Explanation", "Reason", "Strength"),
        "counterfactuals": ("OrdersThatChange", "OtherOrders", "PairOfUnits", "WhatWouldChange", "what_would_change"),
        "phases": ("adjustment_explanations", "explanations", "retreat_explanations", "why"),
    }
    _PLACES = {f"{__name__}.{module}": names for module, names in _OFFERED.items()}
    __getattr__ = _formerly(__name__, _PLACES, otherwise=f"{__name__}.counterfactuals")

__all__ = [
    "changes",
    "compare",
    "contradictions",
    "cores",
    "counterfactuals",
    "documents",
    "explanation",
    "phases",
    "words",
]
