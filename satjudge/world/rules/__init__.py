"""Holds rulebooks: their choices where the rules are disputed (DATC chapter 4)."""

from satjudge.world.rules.presets import (
    DEFAULT_RULES,
    load_preset,
    load_rulebook,
    nearest_preset,
    preset_names,
    rulebook_from,
    rulebook_sources,
    rulebook_text,
)
from satjudge.world.rules.rulebook import Option, Rulebook, before_options, options

__all__ = [
    "DEFAULT_RULES",
    "Option",
    "Rulebook",
    "before_options",
    "load_preset",
    "load_rulebook",
    "nearest_preset",
    "options",
    "preset_names",
    "rulebook_from",
    "rulebook_sources",
    "rulebook_text",
]
