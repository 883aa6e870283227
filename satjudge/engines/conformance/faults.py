"""Lists the faults that an engine could have: mutations of all rules, and rules that apply only to some units.

A fault is tested by judging with it, alone or together with others (`satjudge.engines.conformance.switchable_judge`).
`satjudge.engines.conformance.hypotheses` computes the answers that an engine with some faults would give. A fault may be
limited to circumstances that must all be true, written `FAULT, if ONE and OTHER` (`circumstances.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from satjudge.base.errors import RequestError
from satjudge.base.resources import data_file, read_toml
from satjudge.engines.conformance.edits import Change, Edit, put
from satjudge.engines.conformance.mutations import ROOM_OF, ROOMS
from satjudge.engines.conformance.rule_faults import RULE_VARIATIONS
from satjudge.world.rules import options

IF, AND = ", if ", " and "
Condition = tuple[str, ...]
"""Circumstances that must all be true, sorted; () if a fault always applies."""


def split_fault(name: str) -> tuple[str, Condition]:
    """Split the name of a fault into its base name and the sorted circumstances in which it applies (() for always)."""
    base, _, condition = name.partition(IF)
    return base, tuple(sorted(condition.split(AND))) if condition else ()


def name_conditional_fault(base: str, condition: Iterable[str]) -> str:
    """Return the name of the fault `base` limited to a condition (circumstances that must all be true); `base` if empty."""
    condition_text = AND.join(sorted(condition))
    return f"{base}{IF}{condition_text}" if condition_text else base


def is_conditional(fault: str) -> bool:
    """Return whether the name of a fault contains a condition."""
    return IF in fault


_GIVEN, _HELP = "L.total(1, chain(_1, (L.support(_) for _ in _2)))", "L.total(1, chain(_1, helping))"


def _iter_strength_faults() -> Iterator[tuple[str, Change]]:
    """Yield names and edits of faults in adding up strengths: one too much or too little, an ignored support, or a limit."""
    counted = {
        "ATTACK": ("statement.attack", "m", "m.supports"),
        "PREVENT": ("statement.prevent", "m", "m.supports"),
        "DEFEND": ("statement.defend", "m", "m.supports"),
        "HOLD": ("statement.hold", "p", "p.hold_supports"),
    }
    for strength, (function, power_text, supports) in counted.items():
        also_helping = strength == "ATTACK"

        def make_change(
            first: int, given: str, helping: str, function: str = function, also_helping: bool = also_helping
        ) -> Change:
            edits = put(function, _GIVEN, f"L.total({first}, {given})"), put(function, _HELP, f"L.total({first}, {helping})")
            return edits if also_helping else edits[0]

        counting = f"(L.support(s) for s in {supports} if not when({power_text}, s))"
        against = "(L.all_of((L.support(s), is_foreign(L, target, s.place))) for s in m.supports if not when(m, s))"
        yield f"{strength} without a support", make_change(1, f"chain(_1, {counting})", f"chain(_1, {against})")
        all_of_them, helping = f"chain(_1, (L.support(s) for s in {supports}))", "chain(_1, helping)"
        if strength not in ("HOLD",):
            yield f"{strength} one too little", make_change(0, all_of_them, helping)
        if strength == "DEFEND":
            yield f"{strength} one too much", make_change(2, all_of_them, helping)
        for most in (1, 2):
            named = f"{strength} with {'one support' if most == 1 else 'two supports'} at most"
            yield (
                named,
                make_change(
                    1, _format_capped_sum(most, supports, "L.support({})"), _format_capped_sum(most, supports, HELPING)
                ),
            )


HELPING = "L.all_of((L.support({0}), is_foreign(L, target, {0}.place)))"


def _format_capped_sum(cap: int, supports: str, support_template: str) -> str:
    """Return Python code for the strength that supports add, at most `cap` (1 or 2); the other arguments are code as well."""
    one, two = support_template.format("s"), support_template.format("t")
    first = f"L.any_of({one} for s in {supports})"
    if cap == 1:
        return f"({first},)"
    return f"({first}, L.any_of(L.all_of(({one}, {two})) for s in {supports} for t in {supports} if t.index < s.index))"


def _list_edits(change: Change) -> tuple[Edit, ...]:
    return (change,) if isinstance(change, Edit) else change


_STRENGTHS: Mapping[str, Change] = dict(_iter_strength_faults())

VARIATIONS: Mapping[str, Change] = {
    "DEFEND without supports by the attacker's power": put("statement.defend", "L.support(_1)", "L.all_of((L.support(_1), is_foreign(L, m.destination, _1.place)))"),
    "DEFEND without foreign supports": put("statement.defend", "L.support(_1)", "L.all_of((L.support(_1), L.same_power(m.origin, _1.place)))"),
    "PREVENT without foreign supports": put("statement.prevent", "L.support(_1)", "L.all_of((L.support(_1), L.same_power(m.origin, _1.place)))"),
    "PREVENT without supports by the power of the unit attacked": put("statement.prevent", "L.support(_1)", "L.all_of((L.support(_1), is_foreign(L, m.destination, _1.place)))"),
    "PREVENT by a unit that any attack dislodged": put("statement.prevent", "(_1 for _2 in _3.opposed)", "chain((_1 for _2 in _3.opposed), ((~L).move(attack) for attack in _3.origin.moves_in if when(m, attack)))"),
    "HOLD without foreign supports": put("statement.hold", "L.support(_1)", "L.all_of((L.support(_1), L.same_power(p, _1.place)))"),
    "HOLD one too little": put("statement.hold", "L.total(1, chain(_1, _2))", "L.total(0, chain(_1, _2))"),
    "SUPPORT neither cut nor lost": (
        put("statement.cuts", "L.all_of(ways)", "L.constant(False)"),
        put("statement.dislodges", "L.all_of(...)", "L.constant(False)"),
    ),
    "SUPPORT of a move never cut": put("statement.support", "(cuts(~L, _1, _2) for _3 in _)", "(cuts(~L, _1, _2) for _3 in _2.place.moves_in if _2.supports_hold)"),
    "SUPPORT in place never cut": put("statement.support", "(cuts(~L, _1, _2) for _3 in _)", "(cuts(~L, _1, _2) for _3 in _2.place.moves_in if not _2.supports_hold)"),
    "SUPPORT never cut by a convoyed army": put("statement.cuts", "[_1, _2, _3, is_unprotected(L, _4, _5)]", "[_1, _2, _3, is_unprotected(L, _4, _5), L.none_of(((~L).is_convoyed(_4),))]"),
    "SUPPORT against a unit of one's own power never given": put("statement.is_matched", "(_1, L.any_of(chain(_2, _3)))", "(_1, L.any_of(chain(_2, _3)), is_foreign(L, s.directed_at, s.place))"),
    "SUPPORT of a convoyed move never given": put("statement.is_matched", "L.is_chosen(m)", "L.all_of((L.is_chosen(m), L.none_of(((~L).is_convoyed(m),))))"),
    "CONVOY broken by every attack": put("statement.convoy", "(~L).move", "(~L).is_chosen"),
    "MOVE never": put("statement.move", "L.all_of(...)", "L.constant(False)"),
    "CONVOY never": put("statement.convoy", "L.all_of(...)", "L.constant(False)"),
    "PATH never by convoy": put("statement.goes_by_land_or_sea", "goes_by_sea(L, _, None)", "L.constant(False)"),
    "SUPPORT never given": put("statement.support", "L.all_of(...)", "L.constant(False)"),
    "SUPPORT always given": put("statement.support", "L.none_of(chain(_1, _2))", "L.constant(True)"),
    "PREVENT nothing": put("statement.prevent", "L.choose(...)", "L.zero()"),
    "PREVENT as ATTACK": put("statement.prevent", "L.choose(_1, _2, L.zero())", "L.choose(_1, L.attack(m), L.zero())"),
    "DEFEND as ATTACK": put("statement.defend", "L.total(_1, _2)", "L.attack(m)"),
    "PREVENT one too much": put("statement.prevent", "L.total(1, chain(_1, _2))", "L.total(2, chain(_1, _2))"),
    "HOLD one too much": put("statement.hold", "L.total(1, chain(_1, _2))", "L.total(2, chain(_1, _2))"),
    "ATTACK one too much": (
        put("statement.attack", "L.total(1, chain(_1, helping))", "L.total(2, chain(_1, helping))"),
        put("statement.attack", "L.total(1, chain(_1, (L.support(_) for _ in _2)))", "L.total(2, chain(_1, (L.support(s) for s in _2)))"),
    ),
    "head-to-head always": put("statement.head_to_head", "L.all_of((_1, L.none_of((_, (~L).is_convoyed(...)))))", "_1"),
    "a convoy order matches no army": put("situation._match_convoy", "_1 and _can_board(_2)", "_1 and _can_board(_2) and not when(convoy, move)"),
    "a support order matches no move": put("situation._match_support", "_.destination is target and _1", "move.destination is target and _1 and not when(support, move)"),
    "a move support helps a unit in place that does not move": put("situation._link_decisions", "not decision.supports_hold and decision.supported.moves_out", "not decision.supports_hold and (decision.supported.moves_out or (when(decision) and (setattr(decision, 'supports_hold', True), setattr(decision, 'directed_at', decision.supported), setattr(decision.supported, 'hold_supports', (*decision.supported.hold_supports, decision))) and ()))"),
    "a support in place does not count": put("statement.is_matched", "L.all_of((L.is_chosen(s), _1, _2, stays))", "L.constant(False)"),
    "a legal order does not count": put("order_legality.find_legal_form", "return _(position, unit, order)", "raise IllegalOrder('it is legal')"),
    "a dislodged unit may retreat nowhere": put("outcome.Outcome._find_retreats", "tuple(...)", "()"),
    "a retreat never succeeds": put("retreats.judge_retreats.is_bounced", "bounces(...)", "bool(entry.destination)"),
    "one unit less is built than there are centres for": put("adjustments._Account.builds_left", "self.surplus", "(self.surplus - 1)"),
    "a unit that may be built is not": put("adjustments._find_build_problem", "_1 if problem else None", "'it may be built'"),
    "a unit that may be removed is not": put("adjustments._find_removal_problem", "_1 or _.power != account.power", "True"),
    **_STRENGTHS,
    "a support of a move counts in no strength": tuple(
        edit for strength in ("ATTACK", "PREVENT", "DEFEND") for edit in _list_edits(_STRENGTHS[f"{strength} without a support"])
    ),
    "ATTACK helped by a support of the attacked unit's power": put("statement.attack", "L.all_of((_1, is_foreign(...)))", "L.all_of((_1, L.any_of((is_foreign(L, target, s.place), L.constant(when(m, s))))))"),
    "ATTACK without supports of third powers": put("statement.attack", "L.all_of((_1, is_foreign(...)))", "L.all_of((_1, is_foreign(L, target, s.place), L.same_power(m.origin, s.place)))"),
    "MOVE although HOLD is as strong": put("statement.exceeds_hold", "return L.exceeds(_1, _2)", "return L.none_of(((~L).exceeds(_2, _1),))"),
    "MOVE although the attacked unit is as strong": (
        put("statement.exceeds_hold", "return L.exceeds(_1, _2)", "return L.none_of(((~L).exceeds(_2, _1),))"),
        put("statement.move", "L.any_of((_1, L.exceeds(_2, _3)))", "L.any_of((_1, L.none_of(((~L).exceeds(_3, _2),))))"),
    ),
    "MOVE although a rival is as strong": put("statement.outdoes", "return exceeding", "return L.any_of((exceeding, L.all_of((L.constant(when(m, rival)), L.none_of(((~L).exceeds((~L).prevent(rival), strength),))))))"),
    "MOVE against a rival as if that had no support": put("statement.outdoes", "return exceeding", "return L.any_of((exceeding, L.all_of((L.constant(when(m, rival)), L.exceeds(strength, (~L).total(1, ()))))))"),
    "MOVE against a unit in place as if that had no support": put("statement.exceeds_hold", "return L.exceeds(_1, _2)", "return L.any_of((L.exceeds(_1, _2), L.all_of((L.constant(when(m)), L.exceeds(_1, (~L).total(1, ()))))))"),
    "MOVE against a rival without a support": put("statement.outdoes", "return exceeding", "return L.any_of((exceeding, L.exceeds(strength, (~L).total(1, ((~L).support(s) for s in rival.supports if not when(m, s))))))"),
    "MOVE against a unit in place without a support": put("statement.exceeds_hold", "return L.exceeds(_1, _2)", "return L.any_of((L.exceeds(_1, _2), L.exceeds(_1, (~L).total(1, ((~L).support(s) for s in m.destination.hold_supports if not when(m, s))))))"),
    "MOVE whatever a rival does": put("statement.outdoes", "return exceeding", "return L.any_of((exceeding, L.constant(when(m, rival))))"),
    "the first of two moves that are as strong succeeds": put("statement.outdoes", "return exceeding", "return L.any_of((exceeding, L.all_of((L.constant(m.index < rival.index and when(m, rival)), L.none_of(((~L).exceeds((~L).prevent(rival), strength),))))))"),
    "CONVOY broken by an attack": put("statement.convoy", "(~L).move(_1)", "(~L).any_of(((~L).move(_1), (~L).all_of(((~L).path(_1), (~L).constant(when(c, _1))))))"),
    "CONVOY broken by an attack with support": put("statement.convoy", "(~L).move(_1)", "(~L).any_of(((~L).move(_1), (~L).all_of(((~L).path(_1), (~L).any_of((~L).support(s) for s in _1.supports)))))"),
    "SUPPORT cut by attacks with support alone": put("statement.cuts", "[_1, _2, _3, is_unprotected(L, _4, _5)]", "[_1, _2, _3, is_unprotected(L, _4, _5), L.any_of(L.support(other) for other in _4.supports)]"),
    "CONVOY by a fleet that is dislodged by some units": put("statement.convoy", "(~L).move(_1)", "(~L).all_of(((~L).move(_1), (~L).constant(not when(c, _1))))"),
    "PATH broken by any fleet of it": put("statement.goes_by_sea", "return L.has_open_route(_1, _2)", "return L.all_of((L.has_open_route(_1, _2), L.all_of(L.convoy(c) for c in _1.convoys if when(_1, c))))"),
    "a convoy over some fleets is not found": (
        put("statement.goes_by_sea", "return L.has_open_route(_1, _2)", "return L.any_of(L.all_of((is_route_open(L, route, _2), L.constant(not any(when(_1, c) for c in route)))) for route in _1.routes)"),
        put("outcome.Outcome._is_matched", "decision.has_route", "(decision.has_route and any(not any(when(decision, c) for c in route) for route in decision.routes))"),
        put("statement.means_convoy", "L.all_of((_1, L.same_power(_2.place, _3)))", "L.all_of((_1, L.same_power(_2.place, _3), L.constant(any(not any(when(m, c) for c in route) for route in m.routes))))"),
    ),
    "PATH by a shortest route alone": put("statement.goes_by_sea", "return L.has_open_route(_1, _2)", "return L.any_of(L.all_of((is_route_open(L, route, _2), L.constant(len(route) == min(len(other) for other in _1.routes)))) for route in _1.routes)"),
    "PATH by one shortest route alone": put("statement.goes_by_sea", "return L.has_open_route(_1, _2)", "return L.any_of(L.all_of((is_route_open(L, route, _2), L.constant((len(route), [c.place.province for c in route]) == min((len(other), [c.place.province for c in other]) for other in _1.routes)))) for route in _1.routes)"),
    "PATH by no route over some fleets": put("statement.goes_by_sea", "return L.has_open_route(_1, _2)", "return L.all_of(chain((L.has_open_route(_1, _2),), (L.has_open_route_around(_1, c.place) for c in _1.convoys if when(_1, c))))"),
    "HOLD helped by supports to leave": put("statement.hold", "L.total(1, chain(_1, _2))", "L.choose(L.any_of(L.is_chosen(m) for m in p.moves_out), L.total(1, chain(_1, (L.support(s) for m in p.moves_out for s in m.supports if when(p, s)))), L.total(1, chain(_1, _2)))"),
    "SUPPORT cut by the first attack alone": put("statement.cuts", "[_1, _2, _3, is_unprotected(L, _4, _5)]", "[_1, _2, _3, is_unprotected(L, _4, _5), L.constant(not any(other.index < _4.index for other in _5.place.moves_in if when(other, s)))]"),
    "SUPPORT cut by the power of the supported unit, not of the supporting one": put("statement.cuts", "[is_foreign(L, _1, _2), _3, _4, is_unprotected(L, _5, _6)]", "[is_foreign(L, _1, s.supported), _3, _4, is_unprotected(L, _5, _6)]"),
    "HOLD nothing of an army whose convoy is disrupted": put("statement.hold", "return L.choose(_1, _2, L.zero())", "return L.choose(L.any_of(L.all_of((L.is_chosen(m), L.none_of(((~L).path(m),)))) for m in p.moves_out), L.zero(), L.choose(_1, _2, L.zero()))"),
    "HOLD nothing": put("statement.hold", "L.choose(...)", "L.zero()"),
    "a unit may retreat to where its attacker came from, by place": put("outcome.Outcome._find_retreats", "(province := province_of(location)) != barred", "((province := province_of(location)) != barred or when(unit, attacker, location))"),
    "a unit may retreat to where units bounced, by place": put("outcome.Outcome._find_retreats", "province not in self.contested", "(province not in self.contested or when(unit, attacker, location))"),
    "a unit may retreat to where one stands, by place": put("outcome.Outcome._find_retreats", "province not in self._occupied_afterwards", "(province not in self._occupied_afterwards or when(unit, attacker, location))"),
    "a unit may not retreat to a place": put("outcome.Outcome._find_retreats", "province not in self.contested", "province not in self.contested and not when(unit, attacker, location)"),
    "a move contests nothing": put("outcome.Outcome.contested", "prevent(_1, _, _2) > 0", "prevent(_1, _1, _2) > 0 and not when(_2)"),
    "a move without effect contests a province": put("outcome.Outcome.contested", "prevent(_1, _, _2) > 0", "(prevent(_1, _1, _2) > 0 or when(_2))"),
    "the first of several units that retreat to one province stays": put("retreats.judge_retreats.is_bounced", "bounces(_1, _2, _3, _4)", "bounces(_1, _2, _3, _3)"),
    "a unit without an order retreats to the first place": put("retreats.judge_retreats", "{_1: _2 for _3 in _ for _4 in _5 if _6}", "(lambda ordered: {**ordered, **{lost.unit.province: _Entry(None, lost.unit.province, lost.retreats[0]) for lost in board.dislodged if lost.retreats and lost.unit.province not in ordered and when(lost, lost.unit)}})({_1: _2 for _3 in entries.values() for _4 in _5 if _6})"),
    "a support that names another coast counts, 4.B.4": put("situation._match_support", "wanted in (_1, _2)", "(wanted in (_1, _2) or wanted != target.province)"),
    "a support that names no coast does not count, 4.B.4": put("situation._match_support", "wanted in (_1, _2)", "wanted == _1"),
    "a support of a move to another place counts as well, 6.D.28": put("situation._match_support", "_.destination is target and _1", "(move.destination is target and _1) or when(support, move)"),
    "a fleet may retreat over land to a coast": put("outcome.Outcome._find_retreats", "self.board.open_map.exits(_1, _2)", "{*self.board.open_map.exits(_1, _2), *(self.board.map.provinces[near].locations[0] for near in self.board.map.army.get(unit.province, ()) if unit.kind is UnitKind.FLEET and self.board.map.provinces[near].terrain == 'coast' and near not in self.board.map.fleet_reach[unit.location])}"),
    "head-to-head although one of both is convoyed": put("statement.head_to_head", "L.none_of((_1, _2))", "L.none_of(((~L).all_of((_1, (~L).constant(not when(m)))), (~L).all_of((_2, (~L).constant(not when(other))))))"),
    "a retreat is told without its coast": put("outcome.Outcome._find_retreats", "tuple(sorted(_1))", "tuple(sorted(set(map(lambda one: province_of(one) if when(unit, attacker, one) else one, _1))))"),
    "a support in place of a unit that is ordered to move is told, but does not count": (
        put("statement.is_matched", "(_1, _2, _3, stays)", "(_1, _2, _3, L.any_of((stays, L.constant(when(s)))))"),
        put("statement.hold", "L.support(_1)", "L.all_of((L.support(_1), L.constant(not (p.moves_out and when(_1)))))"),
        put("statement.cuts", "from_there = m.origin is s.directed_at", "from_there = m.origin is s.directed_at and not (s.supports_hold and when(s))"),
    ),
    "an order that matches is told as invalid": put("outcome.Outcome.find_result", "self._is_matched(_1)", "(self._is_matched(_1) and not when(_1))"),
    "an invalid order is told as one that fails or holds good": put("outcome.Outcome.find_result", "self._is_matched(_1)", "(self._is_matched(_1) or when(_1))"),
    "PREVENT nothing against a stronger unit that is met": put("statement.is_beaten", "L.all_of((L.head_to_head(m, other), L.move(other)))", "L.all_of((L.head_to_head(m, other), L.exceeds(L.attack(other), (~L).defend(m))))"),
    "CONVOY broken by a stronger attack that bounces": put("statement.convoy", "(~L).move(_1)", "(~L).any_of(((~L).move(_1), (~L).exceeds((~L).attack(_1), L.hold(c.place))))"),
    "SUPPORT lost to a stronger attack that bounces": put("statement.dislodges", "L.all_of((L.move(m), _1))", "L.all_of((L.any_of((L.move(m), L.exceeds(L.attack(m), (~L).hold(s.place)))), _1))"),
    "never head-to-head": put("statement.head_to_head", "L.all_of((_, L.none_of((_, (~L).is_convoyed(...)))))", "L.constant(False)"),
}  # fmt: skip
"""Mistakes that engines have made or could make, in addition to the mutations that the kit covers (`mutations.py`)."""

FAULTS = (*ROOM_OF, *VARIATIONS, *RULE_VARIATIONS)
"""The names of all faults."""
_KNOWN = frozenset(FAULTS)


def is_fault(name: str) -> bool:
    """Return whether a text is the name of a fault, with or without a condition."""
    return split_fault(name)[0] in _KNOWN


def asks_conditions(fault: str) -> bool:
    """Return whether the edits of a fault test its condition themselves, by calling `when(…)`."""
    return any(edit.asks_conditions for edit in get_edits(split_fault(fault)[0]))


def get_edits(fault: str) -> tuple[Edit, ...]:
    """Return the edits that make the fault with this name, which must not contain a condition."""
    change = VARIATIONS.get(fault) or RULE_VARIATIONS.get(fault) or ROOMS[ROOM_OF[fault]].mutations[fault]
    return _list_edits(change)


# ---- descriptions of settings and faults for authors of engines ----

SENTENCES: Mapping[str, str] = read_toml(data_file("models", "faults.toml"), RequestError)
"""Descriptions of faults, by name; other faults have names that need no explanation."""


def describe_part(part: str) -> str:
    """Return the name of a setting (`ISSUE=VALUE`) or a fault, followed by a description in plain words if it needs one."""
    issue, _, value = part.partition("=")
    for option in options():
        if option.issue == issue and value in option.values:
            return f"{part}: {option.question} {option.values[value]}"
    fault, condition = split_fault(part)
    return f"{part}: {SENTENCES[fault]}{IF * bool(condition)}{AND.join(condition)}" if fault in SENTENCES else part
