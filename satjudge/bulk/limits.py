"""Explains which maps are too large for compiled code, and which rules arrays cannot express."""

from __future__ import annotations

from satjudge.bulk.vocabulary import Vocabulary
from satjudge.world.rules import Rulebook
from satjudge.world.rules.rulebook import AttackOrigin, ConvoyPaths, ImplicitOrders, LandFallback

MOST_PROVINCES, MOST_WATERS, MOST_MAP_UNITS, MOST_ORDERS = 128, 62, 510, 1 << 24
"""The largest numbers that the keys and sets of `satjudge.bulk.kernel.judging` hold."""


def explain_size(vocabulary: Vocabulary) -> str | None:
    """Explain which limit of the compiled code a map exceeds; None if it exceeds none."""
    counted = {
        "provinces": (len(vocabulary.provinces), MOST_PROVINCES),
        "provinces in which fleets convoy": (len(vocabulary.map.convoying), MOST_WATERS),
        "units that can be": (len(vocabulary.units), MOST_MAP_UNITS),
        "orders": (len(vocabulary), MOST_ORDERS),
    }
    found = [f"{count:,} {what}, more than {most:,}" for what, (count, most) in counted.items() if count > most]
    return f"it has {' and '.join(found)}" if found else None


def find_uncompiled_rule(rulebook: Rulebook) -> str | None:
    """Describe a rule that arrays cannot express; None if they can express the whole rulebook."""
    rules = {
        "the arrays have no trains (DATC 2.4, 7.B)": rulebook.railroads,
        "the arrays have no canals (DATC 2.4, 7.C)": rulebook.canals,
        "the arrays have no difficult borders (DATC 2.4, 10)": rulebook.difficult_borders,
        "the arrays have no borders at half strength (vDiplomacy)": rulebook.half_strength,
        "no orders are added to those given (4.E.3)": rulebook.implicit_orders is not ImplicitOrders.IGNORED,
        "the arrays have no convoy paths (4.A.6)": rulebook.convoy_paths is not ConvoyPaths.IGNORED,
        "the arrays have convoys of ordered fleets alone (4.A.3)": rulebook.land_fallback is LandFallback.IMPOSSIBLE,
        "nobody meets at sea (4.A.4)": rulebook.head_to_head_origin is not AttackOrigin.START,
    }
    return next((rule for rule, has_rule in rules.items() if has_rule), None)
