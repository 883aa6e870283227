"""Lists mistakes that an engine could make: each breaks one conjunct or exemption of an equation, or another rule.

A mutation is one or more edits of functions (`satjudge.engines.conformance.edits`). Those listed here change
`satjudge/judging/equations/statement.py`; those in `satjudge.engines.conformance.rule_faults` change the modules of other
rules. A judge with a mutation is made of copies of modules (`satjudge.engines.conformance.switchable_judge`).
`tests/judging/test_mutations.py` checks that a case detects each mutation. The kit contains the smallest positions that do so,
found by `benchmarks/studies/conformance_kit.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from satjudge.engines.conformance import rule_faults
from satjudge.engines.conformance.edits import Change, drop, put

MUTATIONS: Mapping[str, Change] = {
    "MOVE without PATH": drop("statement.move", "L.path(...)"),
    "MOVE without HOLD": drop("statement.move", "exceeds_hold(...)"),
    "MOVE without DEFEND": put("statement.move", "L.exceeds(...)", "L.constant(True)"),
    "MOVE against DEFEND without a head-to-head battle": put("statement.move", "L.any_of((_, L.exceeds(_1, _2)))", "L.exceeds(_1, _2)"),
    "MOVE without rivals": drop("statement.move", "L.exceeds_rivals(...)"),
    "SUPPORT given without the supported order": put("statement.support", "is_matched(...)", "L.constant(True)"),
    "SUPPORT given by a dislodged unit": put("statement.dislodges", "L.all_of(...)", "L.constant(False)"),
    "SUPPORT never cut": put("statement.cuts", "L.all_of(ways)", "L.constant(False)"),
    "SUPPORT cut without PATH": drop("statement.cuts", "L.path(...)"),
    "SUPPORT cut by its own power": drop("statement.cuts", "is_foreign(L, m.origin, s.place)"),
    "SUPPORT cut from where it is directed at": put("statement.cuts", "not from_there", "True"),
    "SUPPORT cut by a convoyed attack from there, 4.A.4": put("statement.cuts", "L.is_convoyed(...)", "L.constant(False)"),
    "SUPPORT cut by an attack by land from there, 4.A.4": put("statement.cuts", "L.is_convoyed(...)", "L.constant(True)"),
    "SUPPORT cut by way of the last fleet, Brannan's rule": put("statement.cuts", "L.has_open_route_elsewhere(_1, _, _.directed_at)", "L.has_open_route(_1, None)"),
    "SUPPORT cut although a paradox rule protects it": drop("statement.cuts", "is_unprotected(...)"),
    "SUPPORT lost to dislodgement although a paradox rule protects it": put("statement.dislodges", "L.all_of((_1, is_unprotected(...)))", "_1"),
    "1982: protected also from an army that goes by land": put("statement.is_unprotected", "L.any_of((_, L.none_of((protected,))))", "L.none_of((protected,))"),
    "1982: protected without a convoying fleet": put("statement.is_unprotected", "L.none_of((protected,))", "L.constant(False)"),
    "1982: every fleet ordered to convoy is a convoying fleet": put("statement.is_convoying_fleet", "L.all_of((_1, L.any_of(_ for _ in _.matches)))", "_1"),
    "1982: an army that marches by land tries to convoy": put("statement.tries_convoy", "L.all_of((_1, L.is_convoyed(...)))", "_1"),
    "1982: an army that marches by land tries to convoy, third meaning": put("statement.is_convoying_fleet", "(_, L.is_on_ordered_route(_1, _2, False))", "(L.is_chosen(_1), L.is_on_ordered_route(_1, _2, False))"),
    "1982: a fleet without an army is no convoying fleet in the first meaning": put("statement.is_convoying_fleet", "reading is ConvoyingFleet.ORDERED", "False"),
    "1982: any fleet is on a route": put("statement.is_convoying_fleet", "L.all_of((_1, L.is_on_ordered_route(...)))", "_1"),
    "1971, 2000: also a hold support is protected": put("statement.is_unprotected", "_ or (_1 and army)", "_1 and army"),
    "1971, 2000: protected whatever it attacks": put("statement.is_unprotected", "(unneeded, _1, _2)", "(_1, _2)"),
    "1971: also a fleet's support for an army is protected": put("statement.is_unprotected", "_ and army", "False"),
    "1971 like 2000": put("statement.is_unprotected", "_1 if rule is ParadoxRule.RULE_2000 else _", "_1"),
    "2000 like 1971": put("statement.is_unprotected", "_ if rule is ParadoxRule.RULE_2000 else _1", "_1"),
    "a unit ordered to move supported in place": put("statement.is_matched", "(_1, _2, _3, stays)", "(_1, _2, _3)"),
    "a unit supported in place that may not be, 4.D.9, 4.E.1": drop("statement.is_matched", "L.supportable(...)"),
    "a move support for any order": put("statement.is_matched", "L.any_of(chain(...))", "L.constant(True)"),
    "CONVOY by a dislodged fleet": put("statement.convoy", "L.none_of(_ for _ in _.place.moves_in)", "L.constant(True)"),
    "convoyed only where land fails": put("statement.is_convoyed", "L.all_of((_, may_convoy(...)))", "L.constant(False)"),
    "convoyed only where it says so": put("statement.means_convoy", "L.any_of(chain((_1,), own))", "_1"),
    "convoyed although it does not say so, guide": put("statement.means_convoy", "return L.constant(_.order.via_convoy)", "return L.constant(True)"),
    "convoyed by a foreign fleet's order": put("statement.means_convoy", "L.all_of((_1, L.same_power(_.place, _)))", "_1"),
    "1971: convoyed without a unit that moves the other way": put("statement.means_convoy", "L.any_of(_ for _ in opposite)", "L.constant(True)"),
    "1982: an own unit that moves the other way shows no intent": put("statement.means_convoy", "chain(_1, _2, _)", "chain(_1, _2)"),
    "1982: a foreign unit that moves the other way shows intent": put("statement.means_convoy", "L.all_of((_1, L.same_power(_.origin, _)))", "_1"),
    "never by land though no fleets are there": put("statement.may_convoy", "L.any_of(_ for _ in _.waters)", "L.constant(True)"),
    "never by land though no route is ordered": put("statement.may_convoy", "L.has_ordered_route(...)", "L.constant(True)"),
    "never by land though every route is disrupted": put("statement.may_convoy", "goes_by_sea(...)", "L.has_ordered_route(m, False)"),
    "head-to-head although convoyed": put("statement.head_to_head", "L.none_of((_, (~L).is_convoyed(...)))", "L.constant(True)"),
    "head-to-head although the other is convoyed": drop("statement.head_to_head", "(~L).is_convoyed(other)"),
    "head-to-head although this one is convoyed": drop("statement.head_to_head", "(~L).is_convoyed(m)"),
    "Brannan's rule: never head-to-head at sea": (
        put("statement.head_to_head", "comes_from(L, _, other.destination)", "L.constant(False)"),
        put("statement.head_to_head", "comes_from(...)", "L.constant(False)"),
    ),
    "Brannan's rule: the fleet does not meet the army": put("statement.head_to_head", "comes_from(L, _, m.destination)", "L.constant(False)"),
    "Brannan's rule: the army does not meet the fleet": put("statement.head_to_head", "comes_from(L, _, other.destination)", "L.constant(False)"),
    "Brannan's rule: head-to-head though the army goes by land": put("statement.comes_from", "(sails, _1, _2)", "(_1, _2)"),
    "Brannan's rule: head-to-head though the army does not mean to convoy": put("statement.comes_from", "means_convoy(...)", "L.constant(True)"),
    "Brannan's rule: by land already where only this battle decides": put("statement.comes_from", "_1 if undecided else _2", "_1 if False else _2"),
    "Brannan's rule: head-to-head though the convoy is disrupted elsewhere": drop("statement.comes_from", "goes_by_sea(...)"),
    "Brannan's rule: head-to-head only if the fleet is not dislodged": put("statement.comes_from", "goes_by_sea(L, _1, _)", "goes_by_sea(L, _1, None)"),
    "Brannan's rule: head-to-head though the army comes by another fleet": drop("statement.comes_from", "L.none_of(...)"),
    "Brannan's rule: never head-to-head where another route is disrupted": put("statement.comes_from", "L.none_of((_,))", "L.none_of(L.constant(place is not last) for place in m.last_places)"),
    "Brannan's rule: comes by another fleet only if this one is not dislodged": put("statement.comes_from", "(~L).has_open_route_elsewhere(_1, _, _2)", "(~L).has_open_route_elsewhere(_1, None, _2)"),
    "PATH without a route": put("statement.goes_by_land_or_sea", "L.any_of((_, goes_by_sea(L, _, None)))", "L.constant(True)"),
    "PATH by land although convoyed": put("statement.goes_by_land_or_sea", "goes_by_land(...)", "L.constant(m.by_land)"),
    # Not by 1971, which asks what routes are ordered and whether a fleet of one is disrupted: nothing there reads `linked`.
    "PATH through one fleet of a route": (
        put("statement.is_route_open", "L.all_of(_1 for _2 in route)", "L.any_of(_1 for _2 in route)"),
        put("convoy_graph.ConvoyGraph.has_route", "has_path(_1, _2, _3, _)", "bool(area) and has_path(_1, _2, _3, self.fleets)"),
    ),
    "PATH only if every route is free": put("statement.goes_by_sea", "_.rules.multi_route is MultiRoute.ALL", "False"),
    "PATH if any route is free, 1971": put("statement.goes_by_sea", "_.rules.multi_route is MultiRoute.ALL", "True"),
    "PATH needs foreign fleets, guide": put("statement.is_needed", "_.rules.multi_route is not MultiRoute.ANY_OWN", "True"),
    "PATH needs no own fleets either, guide": put("statement.is_needed", "L.any_of((L.is_on_ordered_route(_, _, True), _1))", "_1"),
    "PATH without any route, 1971": drop("statement.goes_by_sea", "L.has_ordered_route(...)"),
    "HOLD of a place that was left": put("statement.hold", "L.all_of((_1, L.none_of(chain(...))))", "_1"),
    "HOLD of an empty place": put("statement.hold", "L.is_occupied(...)", "L.constant(True)"),
    "HOLD without supports": put("statement.hold", "chain(_1, (_ for _ in _))", "_1"),
    "ATTACK of a unit that never leaves": put("statement.attack", "L.choose(_, _, dislodging)", "dislodging"),
    "ATTACK as if every unit left": put("statement.attack", "L.choose(_, _1, dislodging)", "_1"),
    "ATTACK as if head-to-head did not matter": put("statement.attack", "_1 if _ not in _.opposed else _", "_1"),
    "ATTACK on a unit of one's own power": put("statement.attack", "L.choose(_, L.total(1, chain(_1, _2)), _)", "L.total(1, chain(_1, _2))"),
    "ATTACK helped by the unit's own power": put("statement.attack", "L.all_of((_1, is_foreign(...)))", "_1"),
    "ATTACK without supports": put("statement.attack", "chain(_1, (_ for _ in _))", "_1"),
    "ATTACK without foreign supports": put("statement.attack", "chain(_1, helping)", "_1"),
    "ATTACK without PATH": put("statement.attack", "L.path(...)", "L.constant(True)"),
    "MOVE and ATTACK without PATH": (  # two changes, since each makes the other superfluous
        drop("statement.move", "L.path(...)"),
        put("statement.attack", "L.path(...)", "L.constant(True)"),
    ),
    "PREVENT without PATH": put("statement.prevent", "L.all_of((_, L.none_of(lost)))", "L.none_of(lost)"),
    "PREVENT by the loser of a head-to-head battle": put("statement.prevent", "L.all_of((_1, L.none_of(lost)))", "_1"),
    "PREVENT lost although not head-to-head": put("statement.is_beaten", "L.all_of((_, L.move(_1)))", "L.move(_1)"),
    "PREVENT by a dislodged unit, 4.A.7 a": put("statement.is_beaten", "(_1, L.none_of(((~L).move(_2),)))", "(L.head_to_head(_2, other), _1)"),
    "PREVENT lost to a fleet that came another way, 4.A.7 a": put("statement.is_beaten", "_1 or not is_opposite(...)", "_1"),
    "PREVENT lost although not dislodged, 4.A.7 a": put("statement.is_beaten", "L.all_of((_1, L.none_of(((~L).move(...),))))", "_1"),
    "PREVENT without supports": put("statement.prevent", "chain(_1, _)", "_1"),
    "DEFEND without supports": put("statement.defend", "chain(_1, _)", "_1"),
    "difficult borders: HOLD is less than other strengths, DATC 2.4, 10": put("statement.hold", "_.rules.difficult_borders", "False"),
    "difficult borders do not weaken a move": put("statement.extra_strength", "avoids_difficult_border(...)", "L.constant(True)"),
    "difficult borders weaken every move": put("statement.extra_strength", "avoids_difficult_border(...)", "L.constant(False)"),
    "difficult borders weaken a convoyed move, 10.M": put("statement.avoids_difficult_border", "L.is_convoyed(...)", "L.constant(False)"),
    "SUPPORT cut over a difficult border without support, 10.A": put("statement.cuts", "L.any_of(chain(...))", "L.constant(True)"),
    "SUPPORT not cut over a difficult border with support, 10.B": put("statement.cuts", "L.any_of(chain((_1,), helping))", "_1"),
    "SUPPORT cut over a difficult border with a defender's support, 10.O": put("statement.cuts", "L.all_of((_1, is_foreign(...)))", "_1"),
    "half strength: it keeps others out, 1900": put("statement.outdoes", "L.any_of((exceeding, _))", "exceeding"),
    "half strength: it does not keep its own sort out": put("statement.outdoes", "(has_full_strength(...), _1, _2)", "(_1, _2)"),
    "half strength: nobody keeps others out": put("statement.outdoes", "(_1, halved, _2)", "(_1, _2)"),
    "half strength: it counts for nothing, whatever its supports": put("statement.outdoes", "(_1, _2, as_strong)", "(_1, _2)"),
    "half strength: units by land have it as well": put("statement.has_full_strength", "L.any_of((directly, _1))", "_1"),
    "half strength: units have it by convoy alone": put("statement.has_full_strength", "L.constant(not _.halved)", "L.constant(True)"),
    "half strength: armies by convoy never have it": put("statement.has_full_strength", "L.has_open_route_elsewhere(...)", "L.constant(True)"),
    "half strength: it cuts support": put("statement.has_full_strength_or_convoy", "L.is_convoyed(_) if _.halved else _1", "_1"),
    "1982: also the support of an army is protected, DATC 2.4, 9": put("statement.is_unprotected", "_.order.unit.kind is not UnitKind.FLEET", "False"),
    "difficult borders: HOLD counts in a head-to-head battle as well": put("statement.exceeds_hold", "L.any_of(chain((_1,), _))", "_1"),
    "MOVE although a train is as strong, DATC 2.4, 7.B.1": drop("statement.move", "exceeds_trains(...)"),
    "MOVE into a province that a train wants": put("statement.exceeds_trains", "(_ for _ in _ if _.rules.railroads)", "()"),
    "MOVE although a train meets it as strongly, 7.B.28": put("statement.exceeds_trains", "_ and _.stages[0].place is _.origin", "False"),
    "MOVE meets a train that leaves the other way": put("statement.exceeds_trains", "_1 and _.stages[0].place is _.origin", "_1"),
    "SUPPORT of a train never given, 7.B.15": put("statement.is_matched", "(_ for _1 in _.trains if _2)", "(L.constant(False) for _1 in s.trains if _2)"),
    "PATH through a canal that is not open, 7.C.1": put("statement.path", "L.all_of((_1, L.any_of(_ for _ in _.canals)))", "_1"),
    "PATH through no canal, 7.C.2": put("statement.path", "L.all_of((_, L.any_of(_ for _ in _.canals)))", "L.constant(False)"),
    "HOLD of a place that a train left, 7.B.17": put("statement.hold", "chain(_1, departures(~L, _))", "_1"),
    "ATTACK as if trains never left": drop("statement.attack", "departures(...)"),
    "REACH although the train did not come through": put("statement.reach", "L.all_of((_, L.none_of((halts(~L, _1),))))", "L.none_of((halts(~L, _1),))"),
    "REACH past a supply centre to take, 7.B.18": put("statement.reach", "L.all_of((_1, L.none_of((halts(~L, _),))))", "_1"),
    "a train stops in every vacant province": put("statement.halts", "L.all_of((_, is_vacant(L, _1)))", "is_vacant(L, _1)"),
    "a train stops where an army of its own holds a centre, 7.B.20": put("statement.halts", "L.all_of((_1, is_vacant(...)))", "_1"),
    "vacant only where no unit was, 7.B.21": put("statement.is_vacant", "(_ for _ in _.moves_out)", "()"),
    "vacant wherever somebody leaves, else never": put("statement.is_vacant", "chain(_, _1)", "_1"),
    "PASS where it was not reached": drop("statement.passing", "L.reach(...)"),
    "PASS against a unit that comes towards it, 7.B.26": put("statement.passing", "(_1, _, L.any_of((_2, comes_into(L, _3))))", "(_1, L.any_of((_2, comes_into(L, _3))))"),
    "PASS never through an army, 7.B.3": put("statement.passing", "L.any_of((_, comes_into(L, _1)))", "comes_into(L, _1)"),
    "PASS only through armies": put("statement.passing", "L.any_of((_1, comes_into(...)))", "_1"),
    "a train comes through an army where it is to end": drop("statement.comes_through", "L.constant(not _.last)"),
    "a train comes through a foreign army": put("statement.comes_through", "L.same_power(_1, _)", "L.is_occupied(_1)"),
    "a train comes through an army that leaves": put("statement.comes_through", "chain(_, _1)", "_1"),
    "a train comes through an army that is dislodged": put("statement.comes_through", "chain(_1, _)", "_1"),
    "a train comes into a province that is not vacant, 7.B.13": drop("statement.comes_into", "is_vacant(...)"),
    "a train comes in whoever else wants to": put("statement.comes_into", "L.all_of(chain((_1,), _))", "_1"),
    "a train never stronger than a rival, 7.B.15": put("statement.is_outdone", "chain(_, _1)", "_1"),
    "a train never slips through, 7.B.6": put("statement.is_outdone", "L.any_of(chain((_1,), tied))", "_1"),
    "a rival bounces with itself": drop("statement.is_outdone", "_ is not rival"),
    "a train slips through whatever rivals there are, 7.B.8": put("statement.is_outdone", "L.none_of(((~L).exceeds(...),))", "L.constant(True)"),
    "a train without supports": put("statement.train_strength", "chain(_1, _)", "_1"),
    "a train is weaker than moves on maps with difficult borders": put("statement.train_strength", "_.rules.difficult_borders", "False"),
    "PREVENT of a train that does not come so far, 7.B.11": put("statement.train_prevent", "L.all_of((_, L.none_of(lost)))", "L.none_of(lost)"),
    "PREVENT of a train that lost a head-to-head battle, 7.B.27": put("statement.train_prevent", "L.all_of((_1, L.none_of(lost)))", "_1"),
    "a train leaves as soon as one province can be reached and is vacant": put("statement.departures", "L.passing", "L.reach"),
    "a train leaves though it comes to no vacant province, 7.B.12": put("statement.departures", "L.all_of((_1, is_vacant(...)))", "_1"),
    "CANAL open although its holder leaves, 7.C.8": put("statement.canal", "chain(_, (_1 for _2 in _3))", "(_1 for _2 in _3)"),
    "CANAL open although its holder is dislodged, 7.C.10": put("statement.canal", "chain(_1, (_ for _ in _))", "_1"),
    "CANAL open although its holder leaves by railroad": put("statement.canal", "chain(_1, departures(~L, _))", "_1"),
}  # fmt: skip
"""Mutations of the equations by name, each with its edit or edits."""

SURVIVORS: Mapping[str, str] = {
    "MOVE without PATH": "ATTACK is 0 without a path and never exceeds anything; see 'MOVE and ATTACK without PATH'",
    "ATTACK without PATH": "MOVE asks for the path as well; see 'MOVE and ATTACK without PATH'",
    "convoyed although it does not say so, guide": "a convoy order does not match such a move to begin with (6.G.2)",
    "ATTACK as if head-to-head did not matter": "two moves that meet cannot both succeed: each would have to exceed the"
    " other's DEFEND, which is at least its ATTACK; so the unit that leaves head-to-head has won against this attack",
    "a train is weaker than moves on maps with difficult borders": "no shipped map has railroads and difficult borders"
    " (test_what_no_shipped_map_has); a user's map that has both could reveal it",
    "CANAL open although its holder leaves by railroad": "no shipped map has a railroad through the province that"
    " holds its canal (test_what_no_shipped_map_has); a user's map that has one could reveal it",
}
"""Mutations that no position reveals, each with the reason."""


@dataclass(frozen=True)
class Room:
    """A group of rules with their mutations; `survivors` are the mutations that no position reveals, with the reasons."""

    about: str
    mutations: Mapping[str, Change]
    survivors: Mapping[str, str]


def _make_room(description: str, mutations: Mapping[str, Change]) -> Room:
    survivors = {**SURVIVORS, **rule_faults.SURVIVORS}
    return Room(description, mutations, {name: why for name, why in survivors.items() if name in mutations})


ROOMS: Mapping[str, Room] = {
    "equations": _make_room("the equations", MUTATIONS),
    "legality": _make_room("which orders count", rule_faults.LEGALITY),
    "dislodgements": _make_room("where dislodged units may go", rule_faults.DISLODGEMENTS),
    "backup": _make_room("backup rules", {**rule_faults.BACKUP, **rule_faults.BACKUP_OF_VARIANTS}),
    "retreats": _make_room("retreats", rule_faults.RETREATS),
    "adjustments": _make_room("adjustments", rule_faults.ADJUSTMENTS),
}
"""All mutations, by the group of rules that they break."""
ROOM_OF: Mapping[str, str] = {name: room for room, stated in ROOMS.items() for name in stated.mutations}
"""The group of rules that each mutation breaks, by the mutation's name; the names are unique."""

_PLACES = {
    "statement": "judging.equations.statement", "situation": "judging.equations.situation", "seasons": "world.seasons",
    "convoy_graph": "judging.equations.convoy_graph", "order_legality": "judging.legality.order_legality",
    "dockets": "judging.legality.dockets", "routes": "judging.legality.routes", "waters": "judging.legality.waters",
}  # fmt: skip
"""The module paths for the short names in edits, for modules outside `judging` or in its folders."""


def get_module_name(function: str) -> str:
    """Return the full name of the module of a function that an edit names, such as `statement.move`."""
    name = function.partition(".")[0]
    return f"satjudge.{_PLACES.get(name, f'judging.{name}')}"


DECISIONS = ("m", "other", "s", "c", "p")
"""The names of those parameters of equations that are decisions or places."""
