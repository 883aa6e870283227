"""Backup rules (DATC 5.B.9): what is decided of a core that has no resolution, or several.

A core is a set of decisions that wait for each other and for nothing else. With exactly one resolution it needs no rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from satjudge.equations.situation import ConvoyDecision, Decision, MoveDecision, SupportDecision
from satjudge.errors import UnresolvedError
from satjudge.rules import OtherCoreRule, ParadoxRule, Rulebook

CIRCULAR = "circular"


@dataclass(frozen=True, slots=True)
class Ruling:
    """A backup rule applied to a core: what it settles, in place of these decisions' equations."""

    rule: str
    core: tuple[Decision, ...]
    resolutions: int
    """How many resolutions the core had."""
    settled: dict[int, bool]
    """By index; some of the core may be left to its equations."""


def rule_on(core: Sequence[Decision], resolutions: int, rulebook: Rulebook) -> Ruling:
    """Apply the backup rule that the rulebook has for a core with this number of resolutions (none or several).

    Raises `UnresolvedError` where it has none.
    """
    if all(isinstance(decision, MoveDecision) for decision in core):
        return _ruling(CIRCULAR, core, resolutions, core, True)
    convoys = [decision for decision in core if isinstance(decision, ConvoyDecision)]
    if convoys and rulebook.paradox is ParadoxRule.SZYKMAN:
        return _ruling(rulebook.paradox, core, resolutions, convoys, False)
    if convoys and rulebook.paradox is ParadoxRule.ALL_HOLD:
        moves = [decision for decision in core if isinstance(decision, MoveDecision)]
        return _ruling(rulebook.paradox, core, resolutions, moves or convoys, False)
    if not convoys and rulebook.other_cores is OtherCoreRule.ALL_FAIL:
        failing = [decision for decision in core if isinstance(decision, MoveDecision | SupportDecision)]
        return _ruling(rulebook.other_cores, core, resolutions, failing, False)
    orders = "; ".join(str(decision) for decision in core)
    raise UnresolvedError(f"{rulebook.name} has no answer to this core with {resolutions} resolutions: {orders}")


def _ruling(
    rule: str, core: Sequence[Decision], resolutions: int, settled: Sequence[Decision], value: bool
) -> Ruling:
    return Ruling(str(rule), tuple(core), resolutions, {decision.index: value for decision in settled})
