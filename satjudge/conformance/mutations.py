"""Each conjunct and exemption of each equation, and each other rule, broken once: the mistakes that an engine could have.

A mutation is a piece of source and what it is changed into: here of `satjudge/equations/statement.py`, in
`satjudge.conformance.rule_mutations` of the modules that state other rules. `tests/test_mutations.py` has a case
notice each; the kit has the smallest positions that do (`satjudge.conformance.witnesses`).
"""

from __future__ import annotations

import re
import types
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from satjudge import adjustments, backup, outcome, retreats, seasons
from satjudge.conformance import rule_mutations
from satjudge.conformance.rule_mutations import Change
from satjudge.equations import compiled, situation, statement
from satjudge.geography import load_map, shipped_maps
from satjudge.legality import naming, routes, single, sorting, tracked_reads
from satjudge.legality.cache import MapCaches

MUTATIONS: Mapping[str, Change] = {
    "MOVE without PATH": ("(L.path(m), over_hold(L, m, strength))", "(over_hold(L, m, strength),)"),
    "MOVE without HOLD": ("(L.path(m), over_hold(L, m, strength))", "(L.path(m),)"),
    "MOVE without DEFEND": ("L.exceeds(strength, (~L).defend(other))", "L.constant(True)"),
    "MOVE against DEFEND without a head-to-head battle": ("L.any_of((no_battle(L, m, other), L.exceeds(strength, (~L).defend(other))))", "L.exceeds(strength, (~L).defend(other))"),
    "MOVE without rivals": ("if rival is not m)", "if False)"),
    "SUPPORT given without the supported order": ("return L.all_of((matched(L, s), L.none_of", "return L.all_of((L.constant(True), L.none_of"),
    "SUPPORT given by a dislodged unit": ("L.none_of(chain(dislodging, cutting))", "L.none_of(cutting)"),
    "SUPPORT never cut": ("L.none_of(chain(dislodging, cutting))", "L.none_of(dislodging)"),
    "SUPPORT cut without PATH": ("s.place), L.path(m), from_other_side", "s.place), from_other_side"),
    "SUPPORT cut by its own power": ("ways = [foreign(L, m.origin, s.place), L.path(m)", "ways = [L.path(m)"),
    "SUPPORT cut from where it is directed at": ("from_other_side = L.constant(not from_there)", "from_other_side = L.constant(True)"),
    "SUPPORT cut by a convoyed attack from there, 4.A.4": ("from_other_side = L.convoyed(m)", "from_other_side = L.constant(False)"),
    "SUPPORT cut by an attack by land from there, 4.A.4": ("from_other_side = L.convoyed(m)", "from_other_side = L.constant(True)"),
    "SUPPORT cut by way of the last fleet, Brannan's rule": ("if route[-1].place is not s.directed_at]", "]"),
    "SUPPORT cut although a paradox rule protects it": ("L.path(m), from_other_side, unprotected(L, m, s)]", "L.path(m), from_other_side]"),
    "SUPPORT lost to dislodgement although a paradox rule protects it": ("return L.all_of((L.move(m), unprotected(L, m, s)))", "return L.move(m)"),
    "1982: protected also from an army that goes by land": ("return L.any_of((L.none_of(((~L).convoyed(m),)), L.none_of((protected,))))", "return L.none_of((protected,))"),
    "1982: protected without a convoying fleet": ("L.none_of((protected,))))", "L.constant(False)))"),
    "1982: every fleet ordered to convoy is a convoying fleet": ("return L.all_of((L.chosen(c), L.any_of(tries_convoy(L, m) for m in c.matches)))", "return L.chosen(c)"),
    "1982: an army that marches by land tries to convoy": ("return L.all_of((L.chosen(m), L.convoyed(m)))", "return L.chosen(m)"),
    "1982: an army that marches by land tries to convoy, third meaning": ("return L.any_of(L.all_of((tries_convoy(L, m), ordered(L, route)))", "return L.any_of(L.all_of((L.chosen(m), ordered(L, route)))"),
    "1982: a fleet without an army is no convoying fleet in the first meaning": ("if reading is ConvoyingFleet.ORDERED:\n        return L.chosen(c)", "if False:\n        return L.chosen(c)"),
    "1982: any fleet is on a route": ("return L.any_of(L.all_of((tries_convoy(L, m), ordered(L, route))) for m in c.matches for route in m.routes if c in route)", "return L.any_of(tries_convoy(L, m) for m in c.matches)"),
    "1971, 2000: also a hold support is protected": ("if s.supports_hold or (rule is ParadoxRule.RULE_1971 and army):", "if rule is ParadoxRule.RULE_1971 and army:"),
    "1971, 2000: protected whatever it attacks": ("return L.any_of((unneeded, ", "return L.any_of((L.constant(False), "),
    "1971: also a fleet's support for an army is protected": ("rule is ParadoxRule.RULE_1971 and army)", "False)"),
    "1971 like 2000": ("avoiding if rule is ParadoxRule.RULE_2000 else ()", "avoiding"),
    "2000 like 1971": ("avoiding if rule is ParadoxRule.RULE_2000 else ()", "()"),
    "a unit ordered to move supported in place": ("L.supportable(s.supported), stays)", "L.supportable(s.supported))"),
    "a unit supported in place that may not be, 4.D.9, 4.E.1": ("L.supportable(s.supported), stays)", "stays)"),
    "a move support for any order": ("L.any_of(chain((L.chosen(m) for m in s.matches), by_rail))))\n\n\ndef dislodges", "L.constant(True)))\n\n\ndef dislodges"),
    "CONVOY by a dislodged fleet": ("L.none_of((~L).move(m) for m in c.place.moves_in)", "L.constant(True)"),
    "convoyed only where land fails": ("return L.all_of((means_convoy(L, m), may_convoy(L, m)))", "return L.constant(False)"),
    "convoyed only where it says so": ("return L.any_of(chain((L.constant(m.order.via_convoy),), own))", "return L.constant(m.order.via_convoy)"),
    "convoyed although it does not say so, guide": ("case ConvoyIntent.EXPLICIT:\n            return L.constant(m.order.via_convoy)", "case ConvoyIntent.EXPLICIT:\n            return L.constant(True)"),
    "convoyed by a foreign fleet's order": ("own = (L.all_of((L.chosen(c), L.same_power(c.place, m.origin))) for c", "own = (L.chosen(c) for c"),
    "1971: convoyed without a unit that moves the other way": ("return L.any_of(L.chosen(other) for other in opposite)", "return L.constant(True)"),
    "1982: an own unit that moves the other way shows no intent": ("L.any_of(chain((L.constant(m.order.via_convoy),), own, own_swap))", "L.any_of(chain((L.constant(m.order.via_convoy),), own))"),
    "1982: a foreign unit that moves the other way shows intent": ("own_swap = (L.all_of((L.chosen(other), L.same_power(other.origin, m.origin))) for other", "own_swap = (L.chosen(other) for other"),
    "never by land though no fleets are there": ("return L.any_of(L.all_of(L.occupied(place) for place in seas) for seas in m.waters)", "return L.constant(True)"),
    "never by land though no route is ordered": ("case LandFallback.UNORDERED:\n            return L.any_of(ordered(L, route) for route in m.routes)", "case LandFallback.UNORDERED:\n            return L.constant(True)"),
    "never by land though every route is disrupted": ("case LandFallback.DISRUPTED:\n            return by_sea(L, m, None)", "case LandFallback.DISRUPTED:\n            return L.any_of(ordered(L, route) for route in m.routes)"),
    "head-to-head although convoyed": ("L.none_of(((~L).convoyed(m), (~L).convoyed(other)))", "L.constant(True)"),
    "head-to-head although the other is convoyed": ("L.none_of(((~L).convoyed(m), (~L).convoyed(other)))", "L.none_of(((~L).convoyed(m),))"),
    "head-to-head although this one is convoyed": ("L.none_of(((~L).convoyed(m), (~L).convoyed(other)))", "L.none_of(((~L).convoyed(other),))"),
    "Brannan's rule: never head-to-head at sea": (
        ("comes_from(L, m, other.destination)", "L.constant(False)"), ("comes_from(L, other, m.destination)", "L.constant(False)"),
    ),
    "Brannan's rule: the fleet does not meet the army": ("comes_from(L, other, m.destination)", "L.constant(False)"),
    "Brannan's rule: the army does not meet the fleet": ("comes_from(L, m, other.destination)", "L.constant(False)"),
    "Brannan's rule: head-to-head though the army goes by land": ("L.all_of((sails, by_sea(L, m, last)", "L.all_of((by_sea(L, m, last)"),
    "Brannan's rule: head-to-head though the army does not mean to convoy": ("sails = means_convoy(L, m) if", "sails = L.constant(True) if"),
    "Brannan's rule: by land already where only this battle decides": ("if undecided else", "if False else"),
    "Brannan's rule: head-to-head though the convoy is disrupted elsewhere": ("L.all_of((sails, by_sea(L, m, last), ", "L.all_of((sails, "),
    "Brannan's rule: head-to-head only if the fleet is not dislodged": ("by_sea(L, m, last), L.none_of", "by_sea(L, m, None), L.none_of"),
    "Brannan's rule: head-to-head though the army comes by another fleet": ("L.none_of(unbroken(~L, route, last) for route in others)", "L.constant(True)"),
    "Brannan's rule: never head-to-head where another route is disrupted": ("L.none_of(unbroken(~L, route, last) for route in others)", "L.none_of(ordered(~L, route) for route in others)"),
    "Brannan's rule: comes by another fleet only if this one is not dislodged": ("L.none_of(unbroken(~L, route, last) for route in others)", "L.none_of(unbroken(~L, route, None) for route in others)"),
    "PATH without a route": ("L.any_of((L.none_of(((~L).convoyed(m),)), by_sea(L, m, None)))", "L.constant(True)"),
    "PATH by land although convoyed": ("L.any_of((L.none_of(((~L).convoyed(m),)), by_sea(L, m, None)))", "L.any_of((L.constant(m.by_land), by_sea(L, m, None)))"),
    "PATH through one fleet of a route": ("return L.all_of(L.convoy(c) if spared", "return L.any_of(L.convoy(c) if spared"),
    "PATH only if every route is free": ("if m.rules.multi_route is MultiRoute.ALL:", "if False:"),
    "PATH if any route is free, 1971": ("if m.rules.multi_route is MultiRoute.ALL:", "if True:"),
    "PATH needs foreign fleets, guide": ("if m.rules.multi_route is not MultiRoute.ANY_OWN:", "if True:"),
    "PATH needs no own fleets either, guide": ("L.all_of((L.none_of((own_fleets(~L, m, route),)), L.any_of(own_ordered)))", "L.any_of(own_ordered)"),
    "PATH without any route, 1971": ("return L.all_of(chain((L.any_of(ordered(L, route) for route in m.routes),), (harmless", "return L.all_of(chain((), (harmless"),
    "HOLD of a place that was left": ("stays = L.all_of((L.occupied(p), L.none_of(chain(((~L).move(m) for m in p.moves_out), departures(~L, p)))))", "stays = L.occupied(p)"),
    "HOLD of an empty place": ("stays = L.all_of((L.occupied(p), ", "stays = L.all_of((L.constant(True), "),
    "HOLD without supports": ("L.total(1, chain((alike,), (L.support(s) for s in p.hold_supports)))", "L.total(1, (alike,))"),
    "ATTACK of a unit that never leaves": ("L.choose(vacated, moving_in, dislodging)", "dislodging"),
    "ATTACK as if every unit left": ("L.choose(vacated, moving_in, dislodging)", "moving_in"),
    "ATTACK as if head-to-head did not matter": ("if other not in m.opposed else no_battle(L, m, other)", ""),
    "ATTACK on a unit of one's own power": ("L.choose(foreign(L, target, m.origin), L.total(1, chain((ahead(L, m),), helping)), L.zero())", "L.total(1, chain((ahead(L, m),), helping))"),
    "ATTACK helped by the unit's own power": ("L.all_of((L.support(s), foreign(L, target, s.place)))", "L.support(s)"),
    "ATTACK without supports": ("moving_in = L.total(1, chain((ahead(L, m),), (L.support(s) for s in m.supports)))", "moving_in = L.total(1, (ahead(L, m),))"),
    "ATTACK without foreign supports": ("L.total(1, chain((ahead(L, m),), helping)), L.zero())", "L.total(1, (ahead(L, m),)), L.zero())"),
    "ATTACK without PATH": ("return L.choose(L.path(m), L.choose(vacated", "return L.choose(L.constant(True), L.choose(vacated"),
    "MOVE and ATTACK without PATH": (  # two changes, since each makes the other superfluous
        ("(L.path(m), over_hold(L, m, strength))", "(over_hold(L, m, strength),)"),
        ("return L.choose(L.path(m), L.choose(vacated", "return L.choose(L.constant(True), L.choose(vacated"),
    ),
    "PREVENT without PATH": ("L.all_of((L.path(m), L.none_of(lost)))", "L.none_of(lost)"),
    "PREVENT by the loser of a head-to-head battle": ("L.all_of((L.path(m), L.none_of(lost)))", "L.path(m)"),
    "PREVENT lost although not head-to-head": ("return L.all_of((L.head_to_head(m, other), L.move(other)))", "return L.move(other)"),
    "PREVENT by a dislodged unit, 4.A.7 a": ("return L.all_of((L.move(other), L.none_of(((~L).move(m),))))", "return L.all_of((L.head_to_head(m, other), L.move(other)))"),
    "PREVENT lost to a fleet that came another way, 4.A.7 a": ("if m.rules.dislodged_effect is DislodgedEffect.HEAD_TO_HEAD or not opposite(m, other):", "if m.rules.dislodged_effect is DislodgedEffect.HEAD_TO_HEAD:"),
    "PREVENT lost although not dislodged, 4.A.7 a": ("return L.all_of((L.move(other), L.none_of(((~L).move(m),))))", "return L.move(other)"),
    "PREVENT without supports": ("strength = L.total(1, chain((ahead(L, m),), (L.support(s) for s in m.supports)))", "strength = L.total(1, (ahead(L, m),))"),
    "DEFEND without supports": ('gives them."""\n    return L.total(1, chain((ahead(L, m),), (L.support(s) for s in m.supports)))', 'gives them."""\n    return L.total(1, (ahead(L, m),))'),
    "difficult borders: HOLD is less than other strengths, DATC 2.4, 10": ("alike = L.constant(p.rules.difficult_borders)", "alike = L.constant(False)"),
    "difficult borders do not weaken a move": ("return unhindered(L, m) if m.rules.difficult_borders", "return L.constant(True) if m.rules.difficult_borders"),
    "difficult borders weaken every move": ("return unhindered(L, m) if m.rules.difficult_borders", "return L.constant(False) if m.rules.difficult_borders"),
    "difficult borders weaken a convoyed move, 10.M": ("return L.convoyed(m) if m.difficult", "return L.constant(False) if m.difficult"),
    "SUPPORT cut over a difficult border without support, 10.A": ("ways.append(L.any_of(chain((unhindered(L, m),), helping)))", "ways.append(L.constant(True))"),
    "SUPPORT not cut over a difficult border with support, 10.B": ("ways.append(L.any_of(chain((unhindered(L, m),), helping)))", "ways.append(unhindered(L, m))"),
    "SUPPORT cut over a difficult border with a defender's support, 10.O": ("(L.all_of((L.support(other), foreign(L, s.place, other.place))) for other in m.supports)", "(L.support(other) for other in m.supports)"),
    "1982: also the support of an army is protected, DATC 2.4, 9": ("if s.order.unit.kind is not UnitKind.FLEET: # with", "if False:  # with"),
    "difficult borders: HOLD counts in a head-to-head battle as well": ("return L.any_of(chain((L.exceeds(strength, (~L).hold(m.destination)),), meets))", "return L.exceeds(strength, (~L).hold(m.destination))"),
    "MOVE although a train is as strong, DATC 2.4, 7.B.1": ("against_trains(L, m, strength),", ""),
    "MOVE into a province that a train wants": ("(L.exceeds(strength, (~L).train_prevent(stage)) for stage in m.destination.stages_in if m.rules.railroads)", "()"),
    "MOVE although a train meets it as strongly, 7.B.28": ("if m.rules.railroads and train.stages[0].place is m.origin", "if False"),
    "MOVE meets a train that leaves the other way": ("if m.rules.railroads and train.stages[0].place is m.origin", "if m.rules.railroads"),
    "SUPPORT of a train never given, 7.B.15": ("(L.constant(True) for train in s.trains if s.rules.railroads)", "(L.constant(False) for train in s.trains if s.rules.railroads)"),
    "PATH through a canal that is not open, 7.C.1": ("L.all_of((L.chosen(m), L.any_of(L.canal(c) for c in m.canals)))", "L.chosen(m)"),
    "PATH through no canal, 7.C.2": ("L.all_of((L.chosen(m), L.any_of(L.canal(c) for c in m.canals)))", "L.constant(False)"),
    "HOLD of a place that a train left, 7.B.17": ("L.none_of(chain(((~L).move(m) for m in p.moves_out), departures(~L, p)))", "L.none_of((~L).move(m) for m in p.moves_out)"),
    "ATTACK as if trains never left": ("left, departures(L, target)))", "left))"),
    "REACH although the train did not come through": ("L.all_of((L.passed(previous), L.none_of((halts(~L, previous),))))", "L.none_of((halts(~L, previous),))"),
    "REACH past a supply centre to take, 7.B.18": ("L.all_of((L.passed(previous), L.none_of((halts(~L, previous),))))", "L.passed(previous)"),
    "a train stops in every vacant province": ("L.all_of((L.constant(stage.unowned), vacant(L, stage.place)))", "vacant(L, stage.place)"),
    "a train stops where an army of its own holds a centre, 7.B.20": ("L.all_of((L.constant(stage.unowned), vacant(L, stage.place)))", "L.constant(stage.unowned)"),
    "vacant only where no unit was, 7.B.21": ("(L.none_of(((~L).occupied(p),)),), (L.move(m) for m in p.moves_out)", "(L.none_of(((~L).occupied(p),)),), ()"),
    "vacant wherever somebody leaves, else never": ("return L.any_of(chain((L.none_of(((~L).occupied(p),)),), (L.move(m) for m in p.moves_out)))", "return L.any_of(L.move(m) for m in p.moves_out)"),
    "PASS where it was not reached": ("L.all_of((L.reached(stage), unopposed, L.any_of", "L.all_of((unopposed, L.any_of"),
    "PASS against a unit that comes towards it, 7.B.26": ("L.all_of((L.reached(stage), unopposed, L.any_of", "L.all_of((L.reached(stage), L.any_of"),
    "PASS never through an army, 7.B.3": ("L.any_of((comes_through(L, stage), comes_into(L, stage)))", "comes_into(L, stage)"),
    "PASS only through armies": ("L.any_of((comes_through(L, stage), comes_into(L, stage)))", "comes_through(L, stage)"),
    "a train comes through an army where it is to end": ("L.all_of((L.constant(not stage.last), L.same_power", "L.all_of((L.same_power"),
    "a train comes through a foreign army": ("L.same_power(stage.place, stage.origin), L.none_of(ways)", "L.occupied(stage.place), L.none_of(ways)"),
    "a train comes through an army that leaves": ("ways = chain(((~L).move(m) for m in stage.place.moves_out), ((~L).move(m) for m in stage.place.moves_in))", "ways = ((~L).move(m) for m in stage.place.moves_in)"),
    "a train comes through an army that is dislodged": ("ways = chain(((~L).move(m) for m in stage.place.moves_out), ((~L).move(m) for m in stage.place.moves_in))", "ways = ((~L).move(m) for m in stage.place.moves_out)"),
    "a train comes into a province that is not vacant, 7.B.13": ("L.all_of(chain((vacant(L, stage.place),), (outdone", "L.all_of(chain((), (outdone"),
    "a train comes in whoever else wants to": ("L.all_of(chain((vacant(L, stage.place),), (outdone(L, stage, rival) for rival in stage.place.moves_in)))", "vacant(L, stage.place)"),
    "a train never stronger than a rival, 7.B.15": ("L.any_of(chain((L.exceeds(L.train_strength(stage), (~L).prevent(rival)),), tied))", "L.any_of(tied)"),
    "a train never slips through, 7.B.6": ("L.any_of(chain((L.exceeds(L.train_strength(stage), (~L).prevent(rival)),), tied))", "L.exceeds(L.train_strength(stage), (~L).prevent(rival))"),
    "a rival bounces with itself": ("(other for other in stage.place.moves_in if other is not rival)", "(other for other in stage.place.moves_in)"),
    "a train slips through whatever rivals there are, 7.B.8": ("(L.none_of(((~L).exceeds((~L).prevent(rival), L.prevent(other)),)) for other in others)", "(L.constant(True) for other in others)"),
    "a train without supports": ("chain((alike,), (L.support(s) for s in stage.supports))", "(alike,)"),
    "a train is weaker than moves on maps with difficult borders": ("alike = L.constant(stage.rules.difficult_borders)", "alike = L.constant(False)"),
    "PREVENT of a train that does not come so far, 7.B.11": ("L.choose(L.all_of((L.reached(stage), L.none_of(lost))), L.train_strength", "L.choose(L.none_of(lost), L.train_strength"),
    "PREVENT of a train that lost a head-to-head battle, 7.B.27": ("L.choose(L.all_of((L.reached(stage), L.none_of(lost))), L.train_strength", "L.choose(L.reached(stage), L.train_strength"),
    "a train leaves as soon as one province can be reached and is vacant": ("L.all_of((L.passed(stage), vacant(L, stage.place)))", "L.all_of((L.reached(stage), vacant(L, stage.place)))"),
    "a train leaves though it comes to no vacant province, 7.B.12": ("L.all_of((L.passed(stage), vacant(L, stage.place)))", "L.passed(stage)"),
    "CANAL open although its holder leaves, 7.C.8": ("ways = chain(((~L).move(m) for m in c.place.moves_out), ((~L).move(m) for m in c.place.moves_in))", "ways = ((~L).move(m) for m in c.place.moves_in)"),
    "CANAL open although its holder is dislodged, 7.C.10": ("ways = chain(((~L).move(m) for m in c.place.moves_out), ((~L).move(m) for m in c.place.moves_in))", "ways = ((~L).move(m) for m in c.place.moves_out)"),
    "CANAL open although its holder leaves by railroad": ("L.none_of(chain(ways, departures(~L, c.place)))", "L.none_of(ways)"),
}  # fmt: skip
"""Of the equations, by what is broken: the piece and what it is changed into, or several."""

SURVIVORS: Mapping[str, str] = {
    "MOVE without PATH": "ATTACK is 0 without a path and never exceeds anything; see 'MOVE and ATTACK without PATH'",
    "ATTACK without PATH": "MOVE asks for the path as well; see 'MOVE and ATTACK without PATH'",
    "convoyed although it does not say so, guide": "a convoy order does not match such a move to begin with (6.G.2)",
    "ATTACK as if head-to-head did not matter": "two moves that meet cannot both succeed: each would have to exceed the"
    " other's DEFEND, which is at least its ATTACK; so the unit that leaves head-to-head has won against this attack",
    "a train is weaker than moves on maps with difficult borders": "no shipped map has railroads and difficult borders"
    " (test_what_no_shipped_map_has); a map of one's own that has both could tell it",
    "CANAL open although its holder leaves by railroad": "no shipped map has a railroad through the province that"
    " holds its canal (test_what_no_shipped_map_has); a map of one's own that has one could tell it",
}
"""What no position tells apart, with the reason."""


@dataclass(frozen=True)
class Room:
    """Where rules are stated: modules, with the mutations of their sources and those that no position tells."""

    about: str
    modules: tuple[types.ModuleType, ...]
    mutations: Mapping[str, Change]
    survivors: Mapping[str, str]

    def holder(self, piece: str) -> types.ModuleType:
        """The one module that has this piece of source. Raises `ValueError`."""
        found = [module for module in self.modules if _pattern(piece).search(source_of(module))]
        if len(found) != 1:
            where = " and ".join(module.__name__ for module in found) or "no module of the room"
            raise ValueError(f"{piece!r} is in {where}; change the mutation")
        return found[0]


def _room(about: str, mutations: Mapping[str, Change], *modules: types.ModuleType) -> Room:
    survivors = {**SURVIVORS, **rule_mutations.SURVIVORS}
    return Room(about, modules, mutations, {name: why for name, why in survivors.items() if name in mutations})


ROOMS: Mapping[str, Room] = {
    "equations": _room("the equations", MUTATIONS, statement),
    "legality": _room("which orders count", rule_mutations.LEGALITY, single, naming, routes, sorting, tracked_reads, situation),
    "dislodgements": _room("where dislodged units may go", rule_mutations.DISLODGEMENTS, outcome),
    "backup": _room("backup rules", {**rule_mutations.BACKUP, **rule_mutations.BACKUP_OF_VARIANTS}, backup),
    "retreats": _room("retreats", rule_mutations.RETREATS, retreats),
    "adjustments": _room("adjustments", rule_mutations.ADJUSTMENTS, adjustments, seasons),
}
"""All mutations, by what they break."""
ROOM_OF: Mapping[str, str] = {name: room for room, stated in ROOMS.items() for name in stated.mutations}
"""Every mutation of every room: what it breaks. No two have the same name."""


@contextmanager
def broken(*names: str) -> Iterator[None]:
    """Judge by rules with these changes in them, of whichever rooms: everywhere, in what is compiled from the statement as well.

    Functions are changed in place, for all threads of the process. Raises `ValueError` for changes that do not go together. A
    second one inside it would undo the first: name all at once.
    """
    with judged_by(mutated_sources(*names)):
        yield


@contextmanager
def judged_by(sources: Mapping[types.ModuleType, str]) -> Iterator[None]:
    """Judge by these texts of modules."""
    kept = [(function, function.__code__) for module in sources for function in _functions(module).values()]
    read = compiled.statement_source
    try:
        for module, source in sources.items():
            _judge_by(module, source)
        if statement in sources:
            compiled.statement_source = lambda: sources[statement]
        _forget(sources)
        yield
    finally:
        compiled.statement_source = read
        for function, code in kept:
            function.__code__ = code
        _forget(sources)


def mutated_sources(*names: str) -> dict[types.ModuleType, str]:
    """The texts of the modules that these mutations change. Raises `ValueError` for changes that do not go together."""
    sources: dict[types.ModuleType, str] = {}
    for name in names:
        room = ROOMS[ROOM_OF[name]]
        change = room.mutations[name]
        for old, new in change if isinstance(change[0], tuple) else (change,):
            module = room.holder(old)
            sources[module] = replaced(sources.get(module) or source_of(module), old, new)
    return sources


@cache
def source_of(module: types.ModuleType) -> str:
    """The text of a module."""
    return Path(module.__file__ or "").read_text(encoding="utf-8")


def _judge_by(module: types.ModuleType, source: str) -> None:
    """Give the functions of a module the code that they have in this source."""
    codes = dict(_codes(compile(source, f"mutant of {module.__name__}", "exec")))
    for name, function in _functions(module).items():
        function.__code__ = codes[name]


def _codes(code: types.CodeType) -> Iterator[tuple[str, types.CodeType]]:
    """The code of all functions and methods, by their names; what is defined in a function goes with it."""
    for part in code.co_consts:
        if isinstance(part, types.CodeType) and "<" not in part.co_qualname:
            yield part.co_qualname, part
            yield from _codes(part)


@cache
def _functions(module: types.ModuleType) -> dict[str, types.FunctionType]:
    """The functions of a module and the methods of its classes, by their names."""
    holders: list[Mapping[str, object]] = [vars(module)]
    holders += [vars(kind) for kind in vars(module).values() if isinstance(kind, type) and kind.__module__ == module.__name__]
    plain = (_plain(value) for holder in holders for value in holder.values())
    written = {name for name, _ in _codes(compile(source_of(module), "", "exec"))}
    return {one.__qualname__: one for one in plain if one and one.__module__ == module.__name__ and one.__qualname__ in written}


def _plain(value: object) -> types.FunctionType | None:
    """The function in a property or the like."""
    for part in ("fget", "func", "work_out", "__func__", "__wrapped__"):
        value = getattr(value, part, None) or value
    return value if isinstance(value, types.FunctionType) else None


def _forget(modules: Collection[types.ModuleType]) -> None:
    """Forget what was worked out by rules that are changed now."""
    if statement in modules:
        compiled.forget()
    if not _KEPT_BY_MAPS.isdisjoint(modules):
        for name in shipped_maps():
            for seen in (load_map(name), *map(load_map(name).in_season, load_map(name).closed)):
                seen.cache.pop(MapCaches, None)
                seen.cache.pop(routes.convoy_routes, None)


_KEPT_BY_MAPS = frozenset({single, naming, routes, sorting, tracked_reads})


def mutated_source(name: str) -> str:
    """The text of the statement with that change in it."""
    return mutated_sources(name)[statement]


def replaced(source: str, old: str, new: str) -> str:
    """The source with one piece changed, whatever its line breaks. Raises `ValueError` if it is not in it."""
    changed, count = _pattern(old).subn(lambda _: new, source, count=1)
    if count != 1:
        raise ValueError(f"the source has changed: {old!r} is not in it; change the mutation too")
    return changed


@cache
def _pattern(piece: str) -> re.Pattern[str]:
    """The piece, whatever its line breaks."""
    return re.compile(r"\s+".join(re.escape(word) for word in piece.split()))
