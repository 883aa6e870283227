"""Compares other adjudicators with satjudge: campaigns, shrinking, the kit of questions and its diagnosis.

Other rooms use the modules in `__all__`; the rest is private to this room. `satjudge.crosscheck` is this room at the front
door.
"""

from typing import TYPE_CHECKING

from satjudge.base.lazy import lazily as _lazily

if TYPE_CHECKING:
    from satjudge.engines import replaying as replaying
else:
    __getattr__ = _lazily(
        __name__,
        replaying="satjudge.engines.replaying",
    )

__all__ = [
    "campaign",
    "child",
    "comparison",
    "conformance",
    "documents",
    "families",
    "findings",
    "positions",
    "reducing",
    "registry",
    "replaying",
    "report",
]
