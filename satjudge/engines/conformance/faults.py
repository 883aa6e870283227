"""Lists the faults that an engine could have: mutations of all rules, and clauses that hold for some units only.

A fault is tried by judging with it (`satjudge.engines.conformance.switchable_judge`), several at once.
`satjudge.engines.conformance.hypotheses` finds the answers of an engine with some of them. A fault may apply only if some
circumstances are all true, written `FAULT, if ONE and OTHER` (`circumstances.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from satjudge.engines.conformance.edits import Change, Edit, put
from satjudge.engines.conformance.mutations import ROOM_OF, ROOMS
from satjudge.engines.conformance.rule_faults import RULE_VARIATIONS
from satjudge.world.rules import options

IF, AND = ", if ", " and "
Condition = tuple[str, ...]
"""Circumstances that must all be true, sorted; none if a fault always applies."""


def split_fault(name: str) -> tuple[str, Condition]:
    """Split the name of a fault into the name of the broken rule and the circumstances in which it is broken."""
    base, _, condition = name.partition(IF)
    return base, tuple(sorted(condition.split(AND))) if condition else ()


def name_conditional_fault(base: str, condition: Iterable[str]) -> str:
    """Name a fault that applies only in some circumstances."""
    told = AND.join(sorted(condition))
    return f"{base}{IF}{told}" if told else base


def is_conditional(fault: str) -> bool:
    """Return whether a fault applies only in some circumstances."""
    return IF in fault


_GIVEN, _HELP = "L.total(1, chain(_1, (L.support(_) for _ in _2)))", "L.total(1, chain(_1, helping))"


def _iter_strength_faults() -> Iterator[tuple[str, Change]]:
    """Yield faults in counting strengths: single supports, one more or less, or no more than some number."""
    counted = {
        "ATTACK": ("statement.attack", "m", "m.supports"),
        "PREVENT": ("statement.prevent", "m", "m.supports"),
        "DEFEND": ("statement.defend", "m", "m.supports"),
        "HOLD": ("statement.hold", "p", "p.hold_supports"),
    }
    for strength, (function, whose, supports) in counted.items():
        also_helping = strength == "ATTACK"

        def make_change(
            first: int, given: str, helping: str, function: str = function, also_helping: bool = also_helping
        ) -> Change:
            edits = put(function, _GIVEN, f"L.total({first}, {given})"), put(function, _HELP, f"L.total({first}, {helping})")
            return edits if also_helping else edits[0]

        counting = f"(L.support(s) for s in {supports} if not when({whose}, s))"
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


def _format_capped_sum(most: int, supports: str, given_supports: str) -> str:
    """Write the sum of several supports, limited to `most`."""
    one, two = given_supports.format("s"), given_supports.format("t")
    first = f"L.any_of({one} for s in {supports})"
    if most == 1:
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
"""Mistakes that engines have made or could make, in addition to those that the kit covers (`mutations.py`)."""

FAULTS = (*ROOM_OF, *VARIATIONS, *RULE_VARIATIONS)
"""The names of all faults."""
_KNOWN = frozenset(FAULTS)


def is_fault(name: str) -> bool:
    """Return whether a text names a fault, perhaps with circumstances."""
    return split_fault(name)[0] in _KNOWN


def asks_conditions(fault: str) -> bool:
    """Return whether a fault itself tests a condition on its values."""
    return any(edit.asks_conditions for edit in get_edits(split_fault(fault)[0]))


def get_edits(fault: str) -> tuple[Edit, ...]:
    """Return the edits that make a fault, without its circumstances."""
    change = VARIATIONS.get(fault) or RULE_VARIATIONS.get(fault) or ROOMS[ROOM_OF[fault]].mutations[fault]
    return _list_edits(change)


# ---- Puts settings and faults into plain words, for authors of engines ----

SENTENCES: Mapping[str, str] = {
    "MOVE without HOLD": "A move succeeds however strongly the unit at its destination is held (DATC 5.B.1, 6.A.11)",
    "MOVE without DEFEND": "Of two units that move against each other one gets through although the other is as strong (5.B.7, 6.E.1)",
    "MOVE against DEFEND without a head-to-head battle": "A move must overcome the strength of the opposite move also where one of them is convoyed (5.B.1, 6.G.1)",
    "MOVE without rivals": "Two moves of equal strength to one province do not bounce (5.B.6, 6.A.12)",
    "SUPPORT given without the supported order": "A support is called given though the unit does something else (4.E.2)",
    "SUPPORT given by a dislodged unit": "A unit that is dislodged still gives its support, if the attack came from where that is directed at (6.D.17)",
    "SUPPORT never cut": "Supports are not cut by attacks (6.D.2, 6.D.3)",
    "SUPPORT cut without PATH": "A convoyed army cuts support although its convoy is disrupted (6.F.5)",
    "SUPPORT cut by its own power": "An attack by a unit of the same power cuts a support (6.D.20)",
    "SUPPORT cut from where it is directed at": "A support is cut by the unit that it is directed at, although that does not dislodge it (6.D.15)",
    "SUPPORT lost to dislodgement although a paradox rule protects it": "A support that a paradox rule protects is lost when its unit is dislodged (4.A.2)",
    "SUPPORT cut although a paradox rule protects it": "A convoyed army cuts a support that a paradox rule protects (4.A.2)",
    "SUPPORT cut by a convoyed attack from there, 4.A.4": "A convoyed attack from where a support is directed at does not cut it, though the rulebook has it come from the last fleet (4.A.4)",
    "SUPPORT cut by an attack by land from there, 4.A.4": "A support is cut by an attack by land from where it is directed at (4.A.4, 6.D.15)",
    "a unit ordered to move supported in place": "A unit that was ordered to move, and fails, is helped by support in place (6.D.7, 6.D.8)",
    "a unit supported in place that may not be, 4.D.9, 4.E.1": "A unit is supported in place although the rulebook forbids it after such an order (4.D.9, 4.E.1)",
    "a move support for any order": "A support for a move counts as matched whatever the unit does (6.D.6, 6.D.28)",
    "CONVOY by a dislodged fleet": "A fleet that is dislodged still convoys (6.F.4)",
    "convoyed only where land fails": "An army that could go by land is never convoyed, whatever is ordered (4.A.3, 6.G.1)",
    "convoyed only where it says so": "An army that could go by land is convoyed only if its order says so, not for a fleet's order of its own power (4.A.3)",
    "convoyed by a foreign fleet's order": "A foreign fleet's order to convoy takes an army to sea that could go by land: it is kidnapped (4.A.3, 6.G.2)",
    "never by land though no fleets are there": "An army does not go by land after all although no fleets are there (4.A.3)",
    "never by land though no route is ordered": "An army does not go by land after all although no route is ordered (4.A.3)",
    "never by land though every route is disrupted": "An army does not go by land after all although every route is disrupted (4.A.3)",
    "head-to-head although convoyed": "Units that exchange places bounce although one of them is convoyed (6.G.1)",
    "head-to-head although the other is convoyed": "A unit that moves by land bounces with the convoyed army that comes the other way (6.G.1)",
    "head-to-head although this one is convoyed": "A convoyed army bounces with the unit that comes the other way by land (6.G.1)",
    "PATH without a route": "An army arrives over sea without a convoy (5.B.4, 6.F.5)",
    "PATH by land although convoyed": "An army whose convoy is disrupted goes by land after all (6.G.7)",
    "PATH through one fleet of a route": "A convoy succeeds if one fleet of the route is left (6.F.4)",
    "PATH only if every route is free": "A convoy fails as soon as one of several routes is disrupted, though another is free (4.A.1, 6.F.9)",
    "PATH if any route is free, 1971": "A convoy succeeds if any route is free, though the rulebook asks for all (4.A.1)",
    "PATH needs foreign fleets, guide": "A disrupted route of foreign fleets disrupts the convoy although own fleets suffice (4.A.1, guide)",
    "PATH needs no own fleets either, guide": "Routes with own fleets are disregarded as well (4.A.1, guide)",
    "PATH without any route, 1971": "A convoy succeeds although no route is ordered (4.A.1, 1971)",
    "HOLD of a place that was left": "A province counts as held although its unit moved away (5.B.5)",
    "HOLD of an empty place": "An empty province counts as held (5.B.5)",
    "HOLD without supports": "Supports in place do not count (5.B.5, 6.A.11)",
    "HOLD without foreign supports": "Supports in place count only if they are of the same power",
    "HOLD one too little": "A unit that stays is dislodged by an attack that is only as strong as it (5.B.1)",
    "ATTACK of a unit that never leaves": "An attack counts as if the unit at its destination stayed, also where that moves away (5.B.8)",
    "ATTACK as if every unit left": "An attack counts as if the unit at its destination moved away: units of one power dislodge each other (5.B.8, 6.D.10)",
    "ATTACK on a unit of one's own power": "A power dislodges its own unit, if foreign units support the attack (5.B.8, 6.D.10 to 6.D.12)",
    "ATTACK helped by the unit's own power": "Support counts against a unit of the power that gives it (5.B.8, 6.D.12)",
    "ATTACK without supports": "Supports do not count where units move into provinces that are empty or left (5.B.8)",
    "ATTACK without foreign supports": "Supports do not count against a unit that stays (5.B.8, 6.A.11)",
    "MOVE and ATTACK without PATH": "A convoyed army arrives although no fleet convoys it (5.B.4, 5.B.8)",
    "PREVENT without PATH": "A convoyed army bounces others although its convoy is disrupted (5.B.6)",
    "PREVENT by the loser of a head-to-head battle": "A unit that lost a head-to-head battle still bounces others (5.B.6, 6.E.1)",
    "PREVENT lost although not head-to-head": "A unit bounces nobody if the unit at its destination came its way, also where one was convoyed (5.B.6)",
    "PREVENT without supports": "Supports do not count in a standoff (5.B.6)",
    "PREVENT without foreign supports": "Supports count in a standoff only if they are of the same power as the move (5.B.6)",
    "PREVENT without supports by the power of the unit attacked": "In a standoff supports do not count that are given by the power of the unit in the province (5.B.6, 6.E.12)",
    "PREVENT by a unit that any attack dislodged": "A unit that is dislodged bounces nobody, from wherever the attack came (5.B.6, 6.E.4)",
    "DEFEND without supports": "Supports do not count for the defence in a head-to-head battle (5.B.7, 6.E.6)",
    "DEFEND without supports by the attacker's power": "In a head-to-head battle supports by the attacker's own power do not count for the other side (5.B.7)",
    "DEFEND without foreign supports": "In a head-to-head battle supports count for the defence only if they are of the same power (5.B.7)",
    "SUPPORT neither cut nor lost": "An attack neither cuts a support nor ends it by dislodging its unit (5.B.2)",
    "SUPPORT of a move never cut": "Supports for moves are not cut by attacks (6.D.3)",
    "SUPPORT in place never cut": "Supports in place are not cut by attacks (6.D.2)",
    "SUPPORT never cut by a convoyed army": "Convoyed armies do not cut support (5.B.2)",
    "SUPPORT against a unit of one's own power never given": "Support for an attack on a province with an own unit counts nowhere, not even in a standoff (6.D.10, 6.E.9)",
    "SUPPORT of a convoyed move never given": "Support for a convoyed move does not count (6.F.3)",
    "CONVOY broken by every attack": "A convoy is disrupted as soon as a fleet is attacked, not only if it is dislodged (6.F.3)",
    "MOVE never": "A move fails that nothing stops (5.B.1)",
    "CONVOY never": "A fleet does not convoy though it is not dislodged (5.B.3)",
    "PATH never by convoy": "An army is not convoyed though no fleet that it needs is dislodged (5.B.4)",
    "SUPPORT never given": "A support that nothing cuts is not given (5.B.2)",
    "SUPPORT always given": "A support is given although it is cut, or its unit dislodged (5.B.2)",
    "PREVENT nothing": "A move bounces no other one (5.B.6)",
    "PREVENT one too much": "A move bounces others as if it had a support more (5.B.6)",
    "HOLD one too much": "A unit that stays is held as if it had a support more (5.B.5)",
    "ATTACK one too much": "A move attacks as if it had a support more (5.B.8)",
    "ATTACK with one support at most": "Of several supports of an attack only one counts (5.B.8)",
    "HOLD with one support at most": "Of several supports in place only one counts (5.B.5)",
    "PREVENT with one support at most": "Of several supports only one counts in a standoff (5.B.6)",
    "DEFEND with one support at most": "Of several supports only one counts for the defence in a head-to-head battle (5.B.7)",
    "head-to-head always": "Units that exchange places bounce although they are convoyed (6.G.1)",
    "a convoy order matches no army": "A fleet's order to convoy does not count though its army is ordered to move so (4.E.2)",
    "a support order matches no move": "A support does not count though the unit is ordered to move so (4.E.2, 4.B.4)",
    "a support in place does not count": "A support in place does not count though its unit is not ordered to move (4.E.2)",
    "a legal order does not count": "An order is called illegal that is legal (4.E.1)",
    "a dislodged unit may retreat nowhere": "A dislodged unit may not retreat though it has where to go (6.H)",
    "a retreat never succeeds": "A retreat fails that nothing stops (6.H)",
    "two units retreat to one province, 6.H.7": "Units that retreat to one province do not collide (6.H.7)",
    "one unit less is built than there are centres for": "A power may build one unit less than it has centres for (4.D.4)",
    "a unit that may be built is not": "A unit is not built though it may be (6.I)",
    "a unit that may be removed is not": "A unit is not removed though it may be (6.J)",
    "ATTACK without a support": "A support does not count for an attack (5.B.8)",
    "PREVENT without a support": "A support does not count in a standoff (5.B.6)",
    "DEFEND without a support": "A support does not count for the defence in a head-to-head battle (5.B.7)",
    "HOLD without a support": "A support in place does not count (5.B.5)",
    "ATTACK one too little": "A move attacks as if it had a support less (5.B.8)",
    "PREVENT one too little": "A move bounces others as if it had a support less (5.B.6)",
    "DEFEND one too little": "A move defends itself in a head-to-head battle as if it had a support less (5.B.7)",
    "DEFEND one too much": "A move defends itself in a head-to-head battle as if it had a support more (5.B.7)",
    "ATTACK with two supports at most": "Of several supports of an attack only two count (5.B.8)",
    "PREVENT with two supports at most": "Of several supports only two count in a standoff (5.B.6)",
    "DEFEND with two supports at most": "Of several supports only two count for the defence in a head-to-head battle (5.B.7)",
    "HOLD with two supports at most": "Of several supports in place only two count (5.B.5)",
    "ATTACK helped by a support of the attacked unit's power": "A support by the power of the attacked unit helps to dislodge it (5.B.8, 6.D.12)",
    "MOVE although HOLD is as strong": "A move succeeds against a unit that is held as strongly (5.B.1)",
    "MOVE although the attacked unit is as strong": "A move succeeds against a unit that is held, or defends itself, as strongly (5.B.1)",
    "MOVE although a rival is as strong": "A move succeeds although another one to its destination is as strong (5.B.1)",
    "MOVE whatever a rival does": "A move succeeds although another one to its destination bounces it (5.B.1)",
    "the first of two moves that are as strong succeeds": "Of two moves to one province that are as strong the first one listed succeeds (5.B.1)",
    "CONVOY broken by an attack": "An attack disrupts a convoy though it does not dislodge the fleet (5.B.3, 6.F.3)",
    "CONVOY broken by an attack with support": "A supported attack disrupts a convoy though it does not dislodge the fleet (5.B.3, 6.F.3)",
    "SUPPORT cut by attacks with support alone": "A support is cut only by an attack that is supported itself (5.B.2, 6.D.2)",
    "a convoy over some fleets is not found": "Some fleets are not looked at where a convoy is looked for, so that their army does not go over them (4.A.1)",
    "a support in place of a unit that is ordered to move is told, but does not count": "A support in place of a unit that is ordered to move is told as if it matched; it does not count (6.D.7)",
    "PREVENT as ATTACK": "A unit hinders others with the strength by which it attacks: supports against one's own unit do not count (5.B.6)",
    "DEFEND as ATTACK": "In a head-to-head battle a unit defends with the strength by which it attacks (5.B.7)",
    "PATH by a shortest route alone": "A convoy goes by a shortest route alone, though a longer one is free (4.A.1)",
    "PATH by one shortest route alone": "A convoy goes by one route alone, a shortest one, though another one is free (4.A.1)",
    "an order that matches is told as invalid": "An order that matches another, or a move that has a route, is told as `invalid`; no unit fares otherwise (4.E.2)",
    "an invalid order is told as one that fails or holds good": "An order that matches no other, or a move without a route, is not told as `invalid`; no unit fares otherwise (4.E.2)",
    "PREVENT nothing against a stronger unit that is met": "Who meets a stronger unit head-to-head hinders nobody else, also where that one bounces (5.B.6, 4.A.7)",
    "CONVOY broken by a stronger attack that bounces": "An attack stronger than the fleet disrupts its convoy, also where others bounce the attack (5.B.3)",
    "SUPPORT lost to a stronger attack that bounces": "A support is lost to an attack from where it is directed at that is stronger than its unit, also where others bounce the attack (5.B.2)",
    "MOVE against a rival as if that had no support": "The supports of another move to the same province do not count against a move (5.B.6)",
    "MOVE against a unit in place as if that had no support": "Supports in place do not count against a move (5.B.5)",
    "HOLD nothing of an army whose convoy is disrupted": "An army whose convoy is disrupted does not defend the province where it stands (5.B.5)",
    "MOVE against a rival without a support": "A support of another move to the same province does not count against a move (5.B.6)",
    "MOVE against a unit in place without a support": "A support in place does not count against a move (5.B.5)",
    "PATH by no route over some fleets": "Some fleets carry nobody, though they are ordered to and not dislodged (5.B.4)",
    "ATTACK without supports of third powers": "Against a unit only supports by the attacker's own power count (5.B.8)",
    "CONVOY by a fleet that is dislodged by some units": "A fleet still convoys though some unit dislodges it (5.B.3, 6.F.4)",
    "PATH broken by any fleet of it": "A convoy fails as soon as some fleet that is ordered to take part is dislodged, though a route is free (4.A.1)",
    "a move support helps a unit in place that does not move": "A support for a move helps to hold the unit, if that does not move (6.D.28)",
    "a support of a move counts in no strength": "A support for a move is called given and counts in no strength: ATTACK, PREVENT or DEFEND (5.B.6 to 5.B.8)",
    "HOLD helped by supports to leave": "A unit whose move fails holds with the supports for its move (5.B.5, 6.D.8)",
    "SUPPORT cut by the first attack alone": "Of several attacks on a supporting unit only the first can cut its support (5.B.2)",
    "SUPPORT cut by the power of the supported unit, not of the supporting one": "Whether an attack is of a power that does not cut is asked of the supported unit, not of the supporting one (5.B.2, 6.D.20)",
    "HOLD nothing": "A unit that stays holds with no strength at all (5.B.5)",
    "a unit may retreat to where its attacker came from, by place": "A unit may retreat to where its attacker came from, if some place is meant (6.H.5)",
    "a unit may retreat to where units bounced, by place": "A unit may retreat to where units bounced, if some place is meant (6.H.6)",
    "a unit may retreat to where one stands, by place": "A unit may retreat to where another one stands (6.H.5)",
    "a unit may not retreat to a place": "A unit may not retreat to a place that is free (6.H)",
    "a move contests nothing": "Where a move bounced a unit may retreat (6.H.6)",
    "a move without effect contests a province": "A unit may not retreat to where a move without effect was directed, as if it had bounced (6.H.9)",
    "the first of several units that retreat to one province stays": "Of several units that retreat to one province the first one arrives (6.H.7)",
    "a unit without an order retreats to the first place": "A unit without an order to retreat goes to the first place that it can (6.H.3)",
    "a support that names another coast counts, 4.B.4": "A support that names another coast than the move counts all the same (4.B.4)",
    "a support that names no coast does not count, 4.B.4": "A support of a move to a coast does not count if it names no coast (4.B.4)",
    "a support of a move to another place counts as well, 6.D.28": "A support of a move counts although the unit moves to another place (6.D.28)",
    "a fleet may retreat over land to a coast": "A fleet may retreat to a coast that it borders on by land alone (6.H)",
    "head-to-head although one of both is convoyed": "Two units that exchange places bounce, whichever of them is convoyed (6.G.1)",
    "a retreat is told without its coast": "A place where a fleet may retreat is told without its coast (4.B.1)",
    "never head-to-head": "Units exchange places by land: there are no head-to-head battles (6.B.13, 6.C.5)",
}  # fmt: skip
"""The sentence for a fault, by name; the names of other faults explain themselves."""


def describe_part(part: str) -> str:
    """Describe a setting or a fault in plain words."""
    issue, _, value = part.partition("=")
    for option in options():
        if option.issue == issue and value in option.values:
            return f"{part}: {option.question} {option.values[value]}"
    fault, condition = split_fault(part)
    return f"{part}: {SENTENCES[fault]}{IF * bool(condition)}{AND.join(condition)}" if fault in SENTENCES else part
