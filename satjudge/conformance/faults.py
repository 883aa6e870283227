"""What an engine could do wrong: the mutations of all rules, and clauses of the statement that hold for some units only.

A fault is tried by judging with the changed source (`faulty`), several at once. `satjudge.conformance.hypotheses` asks what
answers an engine with some of them would give.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import ModuleType

from satjudge.conformance.mutations import ROOM_OF, judged_by, mutated_sources, replaced, source_of
from satjudge.conformance.rule_mutations import Change
from satjudge.equations import statement

_SUPPORTS = "return L.total(1, chain((ahead(L, m),), (L.support(s) for s in m.supports)))"
_DEFEND = f'gives them."""\n    {_SUPPORTS}'
_PREVENT = "strength = L.total(1, chain((ahead(L, m),), (L.support(s) for s in m.supports)))"
_HOLD = "(L.support(s) for s in p.hold_supports)"


def _counting(written: str, condition: str) -> str:
    """An equation in which only the supports count that meet a condition."""
    return written.replace("(L.support(s) for s", f"(L.all_of((L.support(s), {condition})) for s")


VARIATIONS: Mapping[str, Change] = {
    "DEFEND without supports by the attacker's power": (_DEFEND, _counting(_DEFEND, "foreign(L, m.destination, s.place)")),
    "DEFEND without foreign supports": (_DEFEND, _counting(_DEFEND, "L.same_power(m.origin, s.place)")),
    "PREVENT without foreign supports": (_PREVENT, _counting(_PREVENT, "L.same_power(m.origin, s.place)")),
    "PREVENT without supports by the power of the unit attacked": (_PREVENT, _counting(_PREVENT, "foreign(L, m.destination, s.place)")),
    "PREVENT by a unit that any attack dislodged": ("lost = (beaten(~L, m, other) for other in m.opposed)", "lost = ((~L).move(other) for other in m.origin.moves_in)"),
    "HOLD without foreign supports": (_HOLD, _counting(_HOLD, "L.same_power(p, s.place)")),
    "HOLD one too little": ("L.total(1, chain((alike,), (L.support(s) for s in p.hold_supports)))", "L.total(0, chain((alike,), (L.support(s) for s in p.hold_supports)))"),
    "SUPPORT of a move never cut": ("cutting = (cuts(~L, m, s) for m in s.place.moves_in)", "cutting = (cuts(~L, m, s) for m in s.place.moves_in if s.supports_hold)"),
    "SUPPORT in place never cut": ("cutting = (cuts(~L, m, s) for m in s.place.moves_in)", "cutting = (cuts(~L, m, s) for m in s.place.moves_in if not s.supports_hold)"),
    "SUPPORT never cut by a convoyed army": ("L.path(m), from_other_side, unprotected(L, m, s)]", "L.path(m), from_other_side, unprotected(L, m, s), L.none_of(((~L).convoyed(m),))]"),
    "SUPPORT against a unit of one's own power never given": ("L.any_of(chain((L.chosen(m) for m in s.matches), by_rail))))", "L.any_of(chain((L.chosen(m) for m in s.matches), by_rail)), foreign(L, s.directed_at, s.place)))"),
    "SUPPORT of a convoyed move never given": ("L.any_of(chain((L.chosen(m) for m in s.matches), by_rail))))", "L.any_of(chain((L.all_of((L.chosen(m), L.none_of(((~L).convoyed(m),)))) for m in s.matches), by_rail))))"),
    "CONVOY broken by every attack": ("L.none_of((~L).move(m) for m in c.place.moves_in)", "L.none_of((~L).chosen(m) for m in c.place.moves_in)"),
    "never head-to-head": ("return L.all_of((meet, L.none_of(((~L).convoyed(m), (~L).convoyed(other)))))", "return L.constant(False)"),
}  # fmt: skip
"""Mistakes that engines have made, or could, beside those that the kit has a question for (`mutations.py`)."""

FAULTS = (*ROOM_OF, *VARIATIONS)
"""The names of all faults."""


def room_of(fault: str) -> str:
    """Which rules a fault breaks: `equations`, `legality`, `retreats` …"""
    return ROOM_OF.get(fault, "equations")


@contextmanager
def faulty(names: Iterable[str]) -> Iterator[None]:
    """Judge with these faults, in all threads of the process. Raises `ValueError` for faults that exclude each other."""
    with judged_by(changed_sources(names)):
        yield


def changed_sources(names: Iterable[str]) -> dict[ModuleType, str]:
    """The texts of the modules that these faults change. Raises `ValueError` for faults that exclude each other."""
    given = list(names)
    sources = mutated_sources(*(name for name in given if name not in VARIATIONS))
    for name in given:
        change = VARIATIONS.get(name, ())
        for old, new in (change,) if change and isinstance(change[0], str) else change:
            sources[statement] = replaced(sources.get(statement) or source_of(statement), old, new)
    return sources
