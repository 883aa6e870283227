"""Lists hypotheses for findings of `satjudge crosscheck`: other rulebooks, issues settled otherwise, and broken rules."""

from __future__ import annotations

import re
from contextlib import suppress
from difflib import get_close_matches

from satjudge.base.errors import RequestError, RulebookError
from satjudge.engines.conformance.faults import FAULTS
from satjudge.engines.conformance.hypotheses import Hypothesis
from satjudge.engines.conformance.mutations import ROOMS
from satjudge.world.rules import Rulebook, load_preset, options, preset_names

RULEBOOK = "rulebook "
"""The beginning of the name of a hypothesis that is a rulebook: `rulebook 1982`."""

_IS_A_MAP = re.compile("(borders?|coasts?)( are)? (missing|extra|wrong|there)", re.IGNORECASE)
"""The words of diagnoses and families about an engine's map."""
_OF_MAPS = (
    "leave it out: crosscheck asks about single borders itself, and all that needs one that the engine lacks is one family;"
    " what can be known is ISSUE=VALUE, a rulebook, a fault as satjudge names it, or a file that ends in .toml"
)


def hypotheses(rulebook: Rulebook) -> dict[str, Hypothesis]:
    """List all hypotheses about an engine that is compared under a rulebook, by name.

    These are every issue settled otherwise, every other rulebook, and every broken rule that a position can tell.
    """
    chosen, told = rulebook.settings(), Hypothesis.by(rulebook)
    found: dict[str, Hypothesis] = {}
    for option in options():
        for value in option.values:
            if value != chosen[option.issue]:
                with suppress(RulebookError):  # choices that do not go together
                    found[f"{option.issue}={value}"] = told.with_part(f"{option.issue}={value}")
    for name in preset_names():
        if load_preset(name).settings() != chosen:
            found[f"{RULEBOOK}{name}"] = Hypothesis(name)
    untold = {name for room in ROOMS.values() for name in room.survivors}
    return found | {name: told.with_part(name) for name in FAULTS if name not in untold}


def named_hypothesis(text: str, rulebook: Rulebook) -> Hypothesis:
    """Find the hypothesis that a text names: one of `hypotheses`, or several joined by `+`.

    Raises `RequestError`.
    """
    known = {name.casefold(): one for name, one in hypotheses(rulebook).items()}
    whole: Hypothesis | None = None
    for part in (part.strip() for part in text.split(" + ")):
        one = known.get(part.casefold()) or known.get(f"{RULEBOOK}{part}".casefold())
        if one is None:
            if _IS_A_MAP.match(part):
                raise RequestError(f"{part!r} is about the engine's map, and no hypothesis", suggestion=_OF_MAPS)
            near = get_close_matches(part, hypotheses(rulebook), 3, 0.4)
            hint = f"do you mean {' or '.join(map(repr, near))}?" if near else ""
            about = "name ISSUE=VALUE, a rulebook, a fault as satjudge names it, or a file that ends in .toml"
            raise RequestError(f"there is no hypothesis {part!r}", suggestion=hint or about)
        whole = one if whole is None else whole.joined(one)
        if whole is None:
            raise RequestError(f"{text!r}: these do not go together")
    assert whole is not None
    return whole
