"""Lists the faults that an engine could have: mutations of all rules, and clauses that hold for some units only.

A fault is tried by judging with it (`faulty_judge`), several at once. `satjudge.engines.conformance.hypotheses` asks what
answers an engine with some of them would give.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from satjudge.engines.conformance.conditions import split_fault
from satjudge.engines.conformance.edits import Change, Edit, put
from satjudge.engines.conformance.mutations import ROOM_OF, ROOMS, Mutant
from satjudge.engines.conformance.rule_variations import RULE_VARIATIONS

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
    "MOVE never": put("statement.move", "L.all_of(...)", "L.constant(False)"),
    "CONVOY never": put("statement.convoy", "L.all_of(...)", "L.constant(False)"),
    "PATH never by convoy": put("statement.by_either", "by_sea(L, _, None)", "L.constant(False)"),
    "SUPPORT never given": put("statement.support", "L.all_of(...)", "L.constant(False)"),
    "SUPPORT always given": put("statement.support", "L.none_of(chain(_1, _2))", "L.constant(True)"),
    "PREVENT nothing": put("statement.prevent", "L.choose(...)", "L.zero()"),
    "PREVENT one too much": put("statement.prevent", "L.total(1, chain(_1, _2))", "L.total(2, chain(_1, _2))"),
    "HOLD one too much": put("statement.hold", "L.total(1, chain(_1, _2))", "L.total(2, chain(_1, _2))"),
    "ATTACK one too much": (
        put("statement.attack", "L.total(1, chain(_1, helping))", "L.total(2, chain(_1, helping))"),
        put("statement.attack", "L.total(1, chain(_1, (L.support(_) for _ in _2)))", "L.total(2, chain(_1, (L.support(s) for s in _2)))"),
    ),
    "ATTACK with one support at most": (
        put("statement.attack", "L.total(1, chain(_1, helping))", "L.total(1, (L.any_of(helping),))"),
        put("statement.attack", "L.total(1, chain(_1, (L.support(_) for _ in _2)))", "L.total(1, (L.any_of(L.support(s) for s in _2),))"),
    ),
    "HOLD with one support at most": put("statement.hold", "L.total(1, chain(_1, (L.support(_) for _ in _2)))", "L.total(1, (L.any_of(L.support(s) for s in _2),))"),
    "PREVENT with one support at most": put("statement.prevent", "L.total(1, chain(_1, (L.support(_) for _ in _2)))", "L.total(1, (L.any_of(L.support(s) for s in _2),))"),
    "DEFEND with one support at most": put("statement.defend", "L.total(1, chain(_1, (L.support(_) for _ in _2)))", "L.total(1, (L.any_of(L.support(s) for s in _2),))"),
    "head-to-head always": put("statement.head_to_head", "L.all_of((_1, L.none_of((_, (~L).convoyed(...)))))", "_1"),
    "a convoy order matches no army": put("situation._match_convoy", "_.province == target and _may_board(move)", "False"),
    "a support order matches no move": put("situation._match_support", "_.destination is target and _1", "False"),
    "a support in place does not count": put("statement.matched", "L.all_of((L.chosen(s), _1, _2, stays))", "L.constant(False)"),
    "a legal order does not count": put("single.legal_form", "return _(position, unit, order)", "raise IllegalOrder('it is legal')"),
    "a dislodged unit may retreat nowhere": put("outcome.Outcome._retreats", "tuple(...)", "()"),
    "a retreat never succeeds": put("retreats.judge_retreats.met", "bounces(...)", "bool(entry.destination)"),
    "one unit less is built than there are centres for": put("adjustments._Account.builds_left", "self.surplus", "(self.surplus - 1)"),
    "a unit that may be built is not": put("adjustments._obstacle", "_1 if problem else None", "'it may be built'"),
    "a unit that may be removed is not": put("adjustments._not_removable", "_1 or _.power != account.power", "True"),
    "never head-to-head": put("statement.head_to_head", "L.all_of((_, L.none_of((_, (~L).convoyed(...)))))", "L.constant(False)"),
}  # fmt: skip
"""Mistakes that engines have made, or could make, beside those that the kit has a question for (`mutations.py`)."""

FAULTS = (*ROOM_OF, *VARIATIONS, *RULE_VARIATIONS)
"""The names of all faults."""
_KNOWN = frozenset(FAULTS)


def room_of(fault: str) -> str:
    """Return the kind of rules that a fault breaks: `equations`, `legality`, `retreats` and so on."""
    base = split_fault(fault)[0]
    return ROOM_OF.get(base) or _ROOM_OF_MODULE.get(changes_of(base)[0].module, "legality")


_ROOM_OF_MODULE = {
    "statement": "equations", "backup": "backup", "outcome": "dislodgements", "retreats": "retreats", "adjustments": "adjustments",
}  # fmt: skip


def is_fault(name: str) -> bool:
    """Tell whether a text names a fault, perhaps with circumstances."""
    return split_fault(name)[0] in _KNOWN


def changes_of(fault: str) -> tuple[Edit, ...]:
    """Return the edits that make a fault, without its circumstances."""
    change = VARIATIONS.get(fault) or RULE_VARIATIONS.get(fault) or ROOMS[ROOM_OF[fault]].mutations[fault]
    return (change,) if isinstance(change, Edit) else change


def faulty_judge(names: Iterable[str]) -> Mutant:
    """Make a judge with some faults.

    Raises `ValueError` for faults that exclude each other.
    """
    split = sorted(map(split_fault, names), key=lambda one: one[0] in VARIATIONS)  # which say more of a place than mutations
    changes = [changes_of(name) for name, _ in split]
    return Mutant(*changes, when=[condition for _, condition in split])
