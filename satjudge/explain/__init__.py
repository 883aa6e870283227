"""Why, why not, and what if: explanations of verdicts, read off the equations."""

from satjudge.explain.parts import Explanation
from satjudge.explain.reasons import explanations, why

__all__ = ["Explanation", "explanations", "why"]
