"""Lists the faults that an engine could have: mutations of all rules, and clauses that hold for some units only.

A fault is tried by judging with it (`faulty_judge`), several at once. `satjudge.engines.conformance.hypotheses` asks what
answers an engine with some of them would give.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from satjudge.engines.conformance.edits import Change, put
from satjudge.engines.conformance.mutations import ROOM_OF, ROOMS, Mutant

VARIATIONS: Mapping[str, Change] = {
    "DEFEND without supports by the attacker's power": put("statement.defend", "L.support(_1)", "L.all_of((L.support(_1), foreign(L, m.destination, _1.place)))"),
    "DEFEND without foreign supports": put("statement.defend", "L.support(_1)", "L.all_of((L.support(_1), L.same_power(m.origin, _1.place)))"),
    "PREVENT without foreign supports": put("statement.prevent", "L.support(_1)", "L.all_of((L.support(_1), L.same_power(m.origin, _1.place)))"),
    "PREVENT without supports by the power of the unit attacked": put("statement.prevent", "L.support(_1)", "L.all_of((L.support(_1), foreign(L, m.destination, _1.place)))"),
    "PREVENT by a unit that any attack dislodged": put("statement.prevent", "(_ for _1 in _2.opposed)", "((~L).move(other) for _1 in _2.origin.moves_in)"),
    "HOLD without foreign supports": put("statement.hold", "L.support(_1)", "L.all_of((L.support(_1), L.same_power(p, _1.place)))"),
    "HOLD one too little": put("statement.hold", "L.total(1, chain(_1, _2))", "L.total(0, chain(_1, _2))"),
    "SUPPORT of a move never cut": put("statement.support", "(cuts(~L, _1, _2) for _3 in _)", "(cuts(~L, _1, _2) for _3 in _2.place.moves_in if _2.supports_hold)"),
    "SUPPORT in place never cut": put("statement.support", "(cuts(~L, _1, _2) for _3 in _)", "(cuts(~L, _1, _2) for _3 in _2.place.moves_in if not _2.supports_hold)"),
    "SUPPORT never cut by a convoyed army": put("statement.cuts", "[_1, _2, _3, unprotected(L, _4, _5)]", "[_1, _2, _3, unprotected(L, _4, _5), L.none_of(((~L).convoyed(_4),))]"),
    "SUPPORT against a unit of one's own power never given": put("statement.matched", "(_1, L.any_of(chain(_2, _3)))", "(_1, L.any_of(chain(_2, _3)), foreign(L, s.directed_at, s.place))"),
    "SUPPORT of a convoyed move never given": put("statement.matched", "L.chosen(m)", "L.all_of((L.chosen(m), L.none_of(((~L).convoyed(m),))))"),
    "CONVOY broken by every attack": put("statement.convoy", "(~L).move", "(~L).chosen"),
    "never head-to-head": put("statement.head_to_head", "L.all_of((_, L.none_of((_, (~L).convoyed(...)))))", "L.constant(False)"),
}  # fmt: skip
"""Mistakes that engines have made, or could make, beside those that the kit has a question for (`mutations.py`)."""

FAULTS = (*ROOM_OF, *VARIATIONS)
"""The names of all faults."""


def room_of(fault: str) -> str:
    """Return the kind of rules that a fault breaks: `equations`, `legality`, `retreats` and so on."""
    return ROOM_OF.get(fault, "equations")


def faulty_judge(names: Iterable[str]) -> Mutant:
    """Make a judge with some faults.

    Raises `ValueError` for faults that exclude each other.
    """
    given = sorted(names, key=VARIATIONS.__contains__)  # a variation says more of a place than a mutation
    return Mutant(*(VARIATIONS.get(name) or ROOMS[ROOM_OF[name]].mutations[name] for name in given))
