"""Writes the part of the kernel that depends on a rulebook, as text to print: its equations and its other choices."""

from __future__ import annotations

from functools import lru_cache

from release.kernel.equation_rows import translate_equations
from satjudge.judging.backup import find_paradox_rule
from satjudge.judging.equations.generator import TranslationError
from satjudge.judging.equations.situation import ConvoyDecision, MoveDecision, SupportDecision
from satjudge.judging.outcome import RESULTS
from satjudge.world.rules import Rulebook
from satjudge.world.rules.rulebook import (
    DisorderRetreats,
    DisorderSupport,
    OtherCoreRule,
    ParadoxRule,
    RetreatToOrigin,
    SuperfluousConvoy,
    SupportCoreRule,
)
from satjudge.world.verdicts import OrderResult

_RESULTS = (
    *(RESULTS[kind] for kind in (MoveDecision, SupportDecision, ConvoyDecision)),
    (OrderResult.STANDS, OrderResult.ILLEGAL, OrderResult.ILLEGAL),
)
"""The results of orders by the kind of decision and how it came out; last of holds and of orders that do not count."""
_KNOWN_CORE_RULES: frozenset[str | None] = frozenset(
    (
        *(None, ParadoxRule.SZYKMAN, ParadoxRule.ALL_HOLD, ParadoxRule.GUIDE),
        *(SupportCoreRule.CUT, SupportCoreRule.GIVEN, SupportCoreRule.UNRESOLVED, OtherCoreRule.ALL_FAIL),
    )
)
"""The rules for cores that `satjudge.bulk.kernel.judging.rule_on` applies, and those by which there is no answer."""


@lru_cache(maxsize=100)
def write_rulebook_source(rulebook: Rulebook) -> str:
    """Write the equations and other choices of a rulebook, as it is on its map, as text to print.

    Raises `TranslationError`.
    """
    choices = {
        "FREE_AFTER_CONVOY": rulebook.retreat_to_origin is RetreatToOrigin.ALLOWED,
        "DISBANDED_IN_DISORDER": rulebook.disorder_retreats is DisorderRetreats.REFUSED,
        "UNSUPPORTED_IN_DISORDER": rulebook.disorder_support is DisorderSupport.REFUSED,
        **_list_rulings(rulebook),
        "SUPERFLUOUS_CONVOYS": rulebook.superfluous_convoy is SuperfluousConvoy.LEGAL,
        "PASSING_MATTERS": "PASSES" in (equations := translate_equations(rulebook)),
    }
    results = [[*map([*OrderResult].index, row)] for row in _RESULTS]
    stated = "\n".join(f"{name} = {value}" for name, value in choices.items())
    return f"{equations}\n\n{stated}\nRESULT_TABLE = numpy.array({results})\n"


def _list_rulings(rulebook: Rulebook) -> dict[str, bool]:
    """List the choices of a rulebook about cores (`satjudge.judging.backup.rule_on`).

    Raises `TranslationError` for a rule that the kernel does not know.
    """
    paradoxes = find_paradox_rule(rulebook)
    if unknown := {paradoxes, rulebook.support_cores, rulebook.other_cores} - _KNOWN_CORE_RULES:
        raise TranslationError(f"`rule_on` in satjudge/bulk/kernel/judging.py lacks the rule {', '.join(map(str, unknown))}")
    return {
        "CONVOYS_FAIL": paradoxes == ParadoxRule.SZYKMAN,
        "WITHOUT_CONVOYS": paradoxes == ParadoxRule.GUIDE,
        "ALL_HOLD": paradoxes in (ParadoxRule.GUIDE, ParadoxRule.ALL_HOLD),
        "SUPPORTS_ALIKE": rulebook.difficult_borders and rulebook.support_cores is not SupportCoreRule.UNRESOLVED,
        "SUPPORTS_GIVEN": rulebook.support_cores is SupportCoreRule.GIVEN,
        "OTHERS_FAIL": rulebook.other_cores is OtherCoreRule.ALL_FAIL,
    }
