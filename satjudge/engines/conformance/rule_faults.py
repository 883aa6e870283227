"""Lists mistakes in rules that are not equations: legality, possible retreats, backup rules, retreats and adjustments.

`satjudge.engines.conformance.mutations` explains mutations. The name of each mutation describes the engine's mistake.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from satjudge.engines.conformance.edits import Change, Edit, also, drop, put

_BY_LAND = "order.destination in game_map.exits(_1, _2)"
_FLEET_REACH = "game_map.fleet_reach[_1].get(_2, ())"


def _allow_build_if(allowed: str) -> Edit:
    """Make an edit that allows a build without a suitable centre if the Python expression `allowed` is true."""
    return put(
        "adjustments._find_build_problem",
        "_find_center_problem(_1, _2)",
        f"(None if {allowed} else _find_center_problem(_1, _2))",
    )


LEGALITY: Mapping[str, Change] = {
    "an army moves to a sea, 6.A.2": (
        also("order_legality._check_army_move", "_1 in position.map.army[_2]", "_1 in position.map.shores.get(_2, ())"),
        also("situation._add_move", _BY_LAND, "_1 is UnitKind.ARMY and there.province in situation.board.map.seas"),
    ),
    "a fleet moves inland, 6.A.3": (
        also("order_legality.find_fleet_destination", _FLEET_REACH, "(_2,) if province.terrain == 'inland' and _2 in game_map.army.get(province_of(_1), ()) else ()"),
        also("situation._add_move", _BY_LAND, "_1 is UnitKind.FLEET and situation.board.map.provinces[there.province].terrain == 'inland'"),
    ),
    "a fleet moves over land to a coast, 6.A.9": (
        also("order_legality.find_fleet_destination", _FLEET_REACH, "province.locations[:1] if province.terrain == 'coast' and _2 in game_map.army.get(province_of(_1), ()) else ()"),
        also("situation._add_move", _BY_LAND, "_1 is UnitKind.FLEET and there.province in situation.board.map.army.get(here.province, ())"),
    ),
    "a fleet moves as if it stood on every coast of its province, 6.B.5": (
        also("order_legality.find_fleet_destination", _FLEET_REACH, "tuple(sorted({there for here in game_map.provinces[province_of(_1)].locations for there in game_map.fleet_reach[here].get(_2, ())}))"),
        also("situation._add_move", _BY_LAND, "_1 is UnitKind.FLEET and there.province in situation.board.map.neighbours[here.province]"),
    ),
    "a fleet moves from one coast of its province to the other": (
        also("order_legality.find_fleet_destination", _FLEET_REACH, "tuple(place for place in province.locations if place != _1) if _2 == province_of(_1) else ()"),
        also("situation._add_move", _BY_LAND, "_1 is UnitKind.FLEET and here is there"),
    ),
    "a fleet moves to any coast or sea, 6.A.1": (
        also("order_legality.find_fleet_destination", _FLEET_REACH, "province.locations[:1] if province.terrain != 'inland' and _2 != province_of(_1) else ()"),
        also("situation._add_move", _BY_LAND, "_1 is UnitKind.FLEET"),
    ),
    "an army moves to any land, 6.A.1": (
        put("order_legality._check_army_move", "_ and not must_convoy", "destination not in position.map.seas and destination != origin and not must_convoy"),
        also("situation._add_move", _BY_LAND, "_1 is UnitKind.ARMY"),
    ),
    "an army that is ordered to move to where it is cannot be supported in place, 6.A.4": put("order_legality._check_army_move", "_1 and not must_convoy", "destination == origin or (_1 and not must_convoy)"),
    "a fleet that is ordered to move to where it is cannot be supported in place, 6.A.4": also("order_legality.find_fleet_destination", _FLEET_REACH, "(_1,) if _2 == province_of(_1) else ()"),
    "an army that no fleets could convoy cannot be supported in place, 4.E.1": put("order_legality._check_army_move", 'raise IllegalOrder(f"{origin}{destination}")', "return"),
    "orders to foreign units count, 6.A.6": put("order_legality._find_ordered_unit", "_.power != power", "False"),
    "the first order counts even if it is illegal, 4.D.3": (
        put("dockets._can_count", "_ or _.counts_as_move", "True"),
        put("dockets._keep_one_order_each", "_1 or _.legal is None", "_1"),
    ),
    "an order that is given twice does not count, where several do not": put("dockets.choose_order", "forms[number] != forms[found]", "True"),
    "a unit supports itself in place, 6.A.8": put("order_legality._legal_support_hold", "_check_reach(_1, _2, _3)", "_3 == _2.province or _check_reach(_1, _2, _3)"),
    "a unit supports an attack on itself, 6.D.34": put("order_legality._legal_support_move", "_check_reach(_1, _2, _3)", "_3 == _2.province or _check_reach(_1, _2, _3)"),
    "a unit supports its own move, 4.E.1": put("order_legality._legal_support_move", "_.province == _.province", "False"),
    "support goes to any province, 6.A.10": put("order_legality._check_reach", "not reachable", "False"),
    "a fleet supports over land, 6.A.10": put("order_legality._check_reach", "position.map.fleet_reach[_1.location]", "position.map.neighbours[_1.province]"),
    "an army supports into a sea, 6.D.22": put("order_legality._check_reach", "position.map.army", "position.map.neighbours"),
    "a fleet supports from every coast of its province, 6.B.5": put("order_legality._check_reach", "_1 in position.map.fleet_reach[_2.location]", "any(_1 in position.map.fleet_reach[place] for place in position.map.provinces[_2.province].locations)"),
    "a fleet supports a move only to a coast that it could move to itself, 6.B.4": put("order_legality._legal_support_move", "_check_reach(_1, _2, _3)", "_check_reach(_1, _2, order.destination if _2.kind is UnitKind.FLEET and supported.kind is UnitKind.FLEET and (order.destination not in _1.map.fleet[_2.location]) and ('/' in order.destination) else _3)"),
    "an order to support an army's move that it cannot make stands, 6.D.32": put("order_legality._legal_support_move", "_check_army_move(..., without=_)", "None"),
    "a fleet may support a move that it alone could convoy, 6.D.31": put("order_legality._legal_support_move", "_check_army_move(_1, _2, _3, without=_)", "_check_army_move(_1, _2, _3)"),
    "an order to support a fleet's move that it cannot make stands, 6.D.22": put("order_legality.find_supported_destination", "_ or (_1 and named not in reachable)", "_1 and named not in reachable and reachable"),
    "a support that names a coast that the fleet cannot reach stands, 6.D.23": put("order_legality.find_supported_destination", "_1 or (_ and named not in reachable)", "_1"),
    "a fleet in a coast convoys, 6.F.1": (
        put("order_legality._legal_convoy", "_1 or _.province not in position.map.convoying", "_1"),
        put("order_legality.ConvoyQuestion.answer", "fleets = _.convoyers", "fleets = frozenset(place for place, unit in board.unit_at.items() if unit.kind == 'F')"),
        put("waters.number_waters", "sorted(game_map.convoying)", "sorted(game_map.provinces)"),
        put("waters.number_waters", "game_map.shores.items()", "game_map.neighbours.items()"),
        put("waters.number_waters", "game_map.fleet.get(code, _)", "game_map.neighbours[code]"),
    ),
    "a fleet is convoyed, 6.A.7": (
        put("order_legality._legal_convoy", "_.kind is not UnitKind.ARMY", "False"),
        put("order_legality._check_army_move", "position.map.army[_1]", "position.map.army.get(_1, ())"),
        put("order_legality._legal_move", "if unit.kind is UnitKind.FLEET:", "unit.kind is UnitKind.FLEET and (province_of(order.destination) in position.map.fleet_reach[unit.location] or not position.ask(ConvoyQuestion(unit.province, province_of(order.destination))))"),
        put("situation._can_board", "_ and not says_by_land", "not says_by_land"),
    ),
    "an order to convoy where the fleet is on no way stands, 4.E.1": put("order_legality._legal_convoy", "not position.ask(...)", "False"),
    "a convoy order to another place convoys as well": put("situation._match_convoy", "_1 and _can_board(_2)", "(_1 or when(convoy, move)) and _can_board(_2)"),
    "only one fleet may convoy an army": put("waters.number_waters", "game_map.fleet.get(code, _1)", "_1"),
    "provinces are never shut, DATC 2.4, 8": (
        put("order_legality._check_open", "_ and province in position.map.closed.get(...)", "False"),
        put("order_legality.TrackedPosition.map", "self.board.open_map", "self.board.map"),
    ),
    "a fleet convoys to its own province, DATC 2.4, 9.A": (
        put("order_legality._legal_convoy", "destination == _.province", "False"),
        put("routes.route_ends", "(_1, destination)", "(_1,)"),
    ),
    "support crosses difficult borders, DATC 2.4, 10.E": put("order_legality._check_reach", "_ and position.map.is_difficult(...)", "False"),
    "any power uses a railroad, DATC 2.4, 7.B.34": put("order_legality._legal_ride", "_.power != _.power", "False"),
    "several units use one railroad, DATC 2.4, 7.B.33": put("dockets.make_docket", "if _.map.railroads:", "False"),
    "anybody permits to pass a canal, DATC 2.4, 7.C": put("order_legality._check_permission", "_1 or _.power != power", "_1"),
    "of several permissions to pass a canal the last counts, DATC 2.4, 7.C.5": put("dockets._settle_permissions", "count > 1", "False"),
    "a power needs a permission for its own canal": put("situation._add_canals", "[_ for _ in _ if _.power == _.power]", "[]"),
    "two fleets of a power pass its canal": put("situation._add_canals", "len(_1) == 1", "_1"),
}  # fmt: skip
"""Mutations of the rules for legal orders (`satjudge/judging/legality`, `satjudge/judging/equations/situation.py`)."""

DISLODGEMENTS: Mapping[str, Change] = {
    "a unit may retreat to where its attacker came from, 6.H.5": put("outcome.Outcome._find_retreats", "None if is_allowed else _.origin.province", "None"),
    "a unit may retreat to where units bounced, 6.H.6": drop("outcome.Outcome._find_retreats", "province not in self.contested"),
    "a unit may retreat to where another one is": drop("outcome.Outcome._find_retreats", "province not in self._occupied_afterwards"),
    "a unit may not retreat to a province that was left": put("outcome.Outcome._find_retreats", "province not in self._occupied_afterwards", "province not in self._occupied_afterwards and province not in self.board.unit_at"),
    "a unit may retreat to a province that was entered": put("outcome.Outcome._occupied_afterwards", "_1 | self._moves_by_destination.keys()", "_1"),
    "a unit may not retreat to where a move without effect was directed, 6.H.9": drop("outcome.Outcome.contested", "prevent(...) > 0"),
    "a move contests no province if its unit is dislodged": put("outcome.Outcome.contested", "prevent(_1, _, _2) > 0", "prevent(_1, _1, _2) > 0 and _2.origin.province not in self._moves_by_destination"),
    "a fleet may retreat from every coast of its province": put("outcome.Outcome._find_retreats", "self.board.open_map.exits(_1, _2)", "{there for here in ((_2,) if _1 == 'A' else self.board.map.provinces[unit.province].locations) for there in self.board.open_map.exits(_1, here)}"),
    "a unit may retreat to a province that is shut, DATC 2.4, 8": put("outcome.Outcome._find_retreats", "self.board.open_map", "self.board.map"),
    "a train that is turned back contests no province, DATC 2.4, 7.B": put("outcome.Outcome.contested", "(_ for _ in _.stages if _)", "()"),
}  # fmt: skip
"""Mutations of the retreats of dislodged units (`satjudge/judging/outcome.py`)."""

BACKUP: Mapping[str, Change] = {
    "circular movement fails, 6.C.1": put("backup._settle_circle", "_assign_all(core, True)", "_assign_all(core, False)"),
    "two units never exchange places, 6.G.1": put("backup._settle_circle", "_assign_all(core, True)", "_assign_all(core, len(core) > 2)"),
    "Szykman's rule: the convoy succeeds, 6.F.17": put("backup._rule_on_paradox", "_assign_all(_1, False)", "_assign_all(_1, True)"),
    "Szykman's rule: one convoy alone fails, 6.F.22": put("backup._rule_on_paradox", "_assign_all(_1, False)", "_assign_all(_1[:1], False)"),
    "All Hold: the convoys are not disrupted": put("backup._hold_all", "MoveDecision | ConvoyDecision", "MoveDecision"),
    "All Hold: moves are not stopped": put("backup._hold_all", "MoveDecision | ConvoyDecision", "ConvoyDecision"),
    "the guide's rule: All Hold at once": put("backup._rule_on_paradox", "_ or _hold_all(_1)", "_hold_all(_1)"),
    "the guide's rule: whichever resolution disrupts the convoys, of however many": put("backup._find_disrupted_resolution", "_ and len(...) == 2", "found"),
    "the guide's rule: a resolution that is the only one": put("backup._find_disrupted_resolution", "_1 and len(...) == 2", "_1"),
    "a rule that has no answer is used all the same": put("backup.find_paradox_rule", "_ or _1.paradox_fallback is ParadoxFallback.UNRESOLVED", "_1.paradox_fallback is ParadoxFallback.UNRESOLVED"),
    "of a core without convoys only moves fail": put("backup.rule_on", "MoveDecision | SupportDecision", "MoveDecision"),
}  # fmt: skip
"""Mutations of the rules for cores without a resolution, or with several (`satjudge/judging/backup.py`)."""

BACKUP_OF_VARIANTS: Mapping[str, Change] = {
    "circular movement without trains, 7.B.17": put("backup._settle_circle", "_ | PassDecision", "MoveDecision"),
    "circular movement though that is no resolution, 7.B.24": put("backup._settle_circle", "any(_ for _ in resolutions)", "True"),
    "circular movement though it is no circle, 7.B.25": put("backup._is_circle", "(_ for _ in ends)", "ends"),
    "circular movement though a move fails": put("backup._is_circle", "if not all(...):", "False"),
    "no rule for trains by themselves, 7.B.24": put("backup.rule_on", "_ or canals", "canals"),
    "no rule for canals by themselves, 7.C.8": put("backup.rule_on", "_1 or canals", "_1"),
    "a convoy beside a canal is left alone, 7.C.13": put("backup._rule_on_variant", "_ and _.paradox in _BACKUP_RULES", "False"),
    "a canal beside a convoy is left alone": put("backup._rule_on_variant", "if canals:", "canals and not convoys"),
    "the canal is open, 7.C.12": put("backup._rule_on_variant", "_assign_all(_1, False)", "_assign_all(_1, True)"),
    "all moves through the canal's core fail, 7.C.12": put("backup._rule_on_variant", "_assign_all(_, False)", "_assign_all([d for d in core if isinstance(d, MoveDecision)], False)"),
    "the last stage of a train fails without bouncing, 7.B.24": put("backup._fail_last_stage", "{_1.index: True}", "{_1.index: False}"),
    "the last stage of a train succeeds, 7.B.31": put("backup._fail_last_stage", "{_1.index: False}", "{_1.index: True}"),
    "a supported last stage succeeds where its PASS is in no core": put("backup._fail_last_stage", "{_1.index: False}", "{_1.index: False} if _1 in trains else {}"),
    "the first stage of a train fails, not the last, 7.B.24": put("backup._fail_last_stage", "_1[-1:] or _2", "_1[:1] or _2"),
    "a stage fails whether it meets another unit or not": put("backup._fail_last_stage", "_[-1:] or _1", "_1"),
    "a unit is met only where it goes, 7.B.31": drop("backup._fail_last_stage", "_.origin"),
    "a unit is met only where it stands, 7.B.24": drop("backup._fail_last_stage", "_.destination"),
    "the first of all stages fails where none meets another unit": put("backup._fail_last_stage", "_1 or stages[-1:]", "_1 or stages[:1]"),
}  # fmt: skip
"""Mutations of the rules for cores with trains and canals (DATC 2.4, 7)."""

RETREATS: Mapping[str, Change] = {
    "two units retreat to one province, 6.H.7": put("retreats.judge_retreats.is_bounced", "bounces(...)", "False"),
    "the first of two units that retreat to one province arrives, 6.H.7": put("retreats.bounces", "other != unit", "other < unit"),
    "retreats to one province meet only if they name the same coast": put("retreats._number_destinations", "province_of(_1)", "_1"),
    "a unit retreats to where it may not go, 6.H.5": put("retreats._find_destination", "destination not in _.retreats", "False"),
    "orders to foreign dislodged units count": put("retreats._judge_order", "_1 or _.unit.power != power", "_1"),
    "a unit without an order retreats": put("retreats.judge_retreats", "(_1, *arrived)", "(_1, *arrived, *(replace(lost.unit, location=lost.retreats[0]) for lost in board.dislodged if lost.retreats and lost.unit.province not in counted))"),
    "no unit can be disbanded by an order": put("retreats._judge_order", "Retreat | Disband", "Retreat"),
    "the first retreat order counts even if it is illegal, 4.D.3": put("retreats._number_form", "_1 if _.reason is None else NONE", "_1"),
    "whoever retreats over a difficult border bounces another, DATC 2.4, 10.K": drop("retreats.bounces", "yielding[unit] or not yielding[other]"),
}  # fmt: skip
"""Mutations of the rules for retreats (`satjudge/judging/retreats.py`)."""

ADJUSTMENTS: Mapping[str, Change] = {
    "more is built than there are centres for, 4.D.4": put("adjustments._find_surplus_problem", "_ if account.builds_left <= 0 else None", "None"),
    "a power builds that has no centre more than units": (
        put("adjustments._find_surplus_problem", "if account.surplus <= 0:", "False"),
        put("adjustments._find_surplus_problem", "account.builds_left <= 0", "account.surplus > 0 >= account.builds_left"),
    ),
    "a build that is declined can be made after all": put("adjustments._Account.builds_left", "_1 - self.declined", "_1"),
    "units are built in every centre that is owned, 6.I.6": _allow_build_if("board.centers.get(province.code) == power"),
    "units are built in home centres of others' that are owned, 6.I.6": _allow_build_if("province.home and board.centers.get(province.code) == power"),
    "units are built in home centres that are lost, 6.I.5": _allow_build_if("province.code in board.homes(power)"),
    "units are built in home centres that nobody owns": _allow_build_if("province.code in board.homes(power) and province.code not in board.centers"),
    "units are built where one stands, 6.I.3": put("adjustments._find_build_problem", "province.code in board.unit_at", "False"),
    "units are built where a foreign one stands, 6.I.4": put("adjustments._find_build_problem", "province.code in board.unit_at", "province.code in board.unit_at and board.unit_at[province.code].power == power"),
    "two units are built in one centre, 6.I.7": (
        put("adjustments._build", "any(...)", "False"),
        put("adjustments._refuse_excess_orders", "len(...) > 1", "False"),
    ),
    "a fleet is built inland, 6.I.2": put("adjustments._find_build_problem", "board.map.problem_with(_1, _2)", "None if _1 is UnitKind.FLEET and province.terrain is Terrain.INLAND else board.map.problem_with(_1, _2)"),
    "a fleet is built on no coast where there are two, 6.I.1": put("adjustments._find_build_problem", "board.map.problem_with(_1, _2)", "None if _1 is UnitKind.FLEET and province.coasts else board.map.problem_with(_1, _2)"),
    "a fleet is built on the first coast, whichever is named": put("adjustments._make_unit", "location = order.unit.location", "location = province.locations[0]"),
    "a power removes a foreign unit": put("adjustments._find_removal_problem", "_1 or _.power != account.power", "_1"),
    "a power removes more units than it must, 4.D.6": put("adjustments._remove", "len(...) >= -account.surplus", "False"),
    "a power removes a unit that has none too many": (
        put("adjustments._find_removal_problem", "_ if account.surplus >= 0 else None", "None"),
        put("adjustments._remove", "len(_1) >= -account.surplus", "len(_1) >= -account.surplus > 0"),
    ),
    "a unit that is removed twice counts twice, 6.J.2": put("adjustments._remove", "unit in account.removed", "False"),
    "units that are too many stay if nobody removes them, 4.D.8": put("adjustments._find_automatic_removals", "max(0, _)", "0"),
    "civil disorder takes units although enough are removed, 4.D.8": put("adjustments._find_automatic_removals", "_1 - len(...)", "_1"),
    "where too few units are removed civil disorder takes none, 4.D.8": put("adjustments._find_automatic_removals", "max(0, _1)", "0 if account.removed else max(0, _1)"),
    "civil disorder takes a unit that was removed already, 4.D.8": put("adjustments._find_automatic_removals", "rank_removals(_1, _2, _3, already_removed=_)", "rank_removals(_1, _2, _3)"),
    "civil disorder takes the nearest units first, 4.D.8": put("adjustments.rank_removals.rank", "-steps", "steps"),
    "civil disorder heeds no distances, 4.D.8": put("adjustments.rank_removals.rank", "-steps", "0"),
    "civil disorder takes armies before fleets, 4.D.8": put("adjustments.rank_removals.rank", "_1.kind is not UnitKind.FLEET", "_1.kind is UnitKind.FLEET"),
    "civil disorder takes fleets and armies alike, 4.D.8": put("adjustments.rank_removals.rank", "_.kind is not UnitKind.FLEET", "False"),
    "civil disorder takes units in the order in which they are listed, 4.D.8": put("adjustments.rank_removals.rank", "make_sort_key(...)", "''"),
    "civil disorder takes units from the end of the alphabet, 4.D.8": put("adjustments.rank_removals.rank", "make_sort_key(_1, _2, _3)", '"".join(chr(0x10FFFF - ord(letter)) for letter in make_sort_key(_1, _2, _3) + "\\0")'),
    "civil disorder takes units by the codes of provinces, 4.D.8": put("adjustments.rank_removals.rank", "make_sort_key(_, _1, _)", "_1"),
    "civil disorder counts from every supply centre, 4.D.8": put("adjustments.make_distance_measure", "[_ for _ in _ if owner == power]", "list(board.map.centers)"),
    "civil disorder counts from home centres that are owned, 4.D.8": put("adjustments.make_distance_measure", "owner == power", "owner == power and code in board.homes(power)"),
    "civil disorder counts from home centres, owned or not, 4.D.8": put("adjustments.make_distance_measure", "[_ for _ in _ if owner == power]", "sorted(board.homes(power))"),
    "civil disorder counts for armies by land alone, 4.D.8": put("adjustments.make_distance_measure", "return lambda unit: found.get(_, inf)", "by_army = _measure_distances(board.map.army, owned)\nreturn lambda unit: (by_army if unit.kind is UnitKind.ARMY else found).get(unit.province, inf)"),
    "civil disorder counts for fleets by water alone, 4.D.8": put("adjustments.make_distance_measure", "return lambda unit: found.get(_, inf)", "by_fleet = _measure_distances(board.map.fleet, [location for code in owned for location in board.map.provinces[code].locations])\nreturn lambda unit: by_fleet.get(unit.location, inf) if unit.kind is UnitKind.FLEET else found.get(unit.province, inf)"),
    "civil disorder counts for fleets as for armies, 1971 and later": put("adjustments.make_distance_measure", "_ if _.kind is UnitKind.FLEET else _1", "_1"),
    "civil disorder counts from the home country as from its centres": put("adjustments.make_distance_measure", "power in (_.country, _1)", "_1 == power"),
    "civil disorder counts convoys of several moves": put("adjustments._find_army_steps", "_1 | {_ for _ in _ if _ and is_connected(...)}", "_1"),
    "centres that do not count do, DATC 2.4, 7.A": put("seasons.counted_centers", "power not in _.not_counted", "True"),
}  # fmt: skip
"""Mutations of builds, removals and civil disorder (`satjudge/judging/adjustments.py`, `satjudge/world/seasons.py`)."""

_GUIDE = (
    "it takes a core with convoys and three resolutions, or two without convoys; one resolution needs no rule. Where what a station"
    " reads has its target there (docs/papers/cores.md, Theorem 1) a core is a ring in which each order is a function of the one before"
    " it: it has at most two resolutions, and two differ in every order. That leaves 4.A.4.1=last-fleet, railroads and canals; there"
    " no such core is known, and random boards have none (test_no_core_is_known_that_tells_the_guides_rule_broken)"
)
SURVIVORS: Mapping[str, str] = {
    "a train that is turned back contests no province, DATC 2.4, 7.B": "who turns it back stands there or was on the way there"
    " as well: the province is occupied, or contested by that move",
    "the guide's rule: whichever resolution disrupts the convoys, of however many": _GUIDE,
    "the guide's rule: a resolution that is the only one": _GUIDE,
    "of a core without convoys only moves fail": "without difficult borders a core has a convoy, or consists of moves and is"
    " circular movement (docs/papers/cores.md, Theorems 3 and 4; trains and canals have a rule of their own before, and under"
    " 4.A.4.1=last-fleet none is known). On maps with difficult borders 10.F is a core of supports, which 10.F=unresolved with"
    " 5.B.9=all-fail leaves to this rule: so broken it settles nothing there and never ends, so that there is no answer",
    "circular movement though a move fails": "of a circle that is no paradox all moves succeed in one resolution and fail in the"
    " other; a circle that bounces itself has none (7.B.31), and then no resolution is asked",
    "the first of all stages fails where none meets another unit": "a train that nobody of the core meets depends on it by way of"
    " a convoy or a canal only, at the other end of the map: Kruijswijk's paradox (7.D.2), which the document leaves open",
}
"""Mutations that no known position reveals, each with the reason."""


# ---- rules that an engine may have for some orders only: naming units and coasts, and counting ----
#
# A rulebook settles each of these issues once. An engine often has separate code for moves, supports, retreats and builds, so
# it may forgive a mistake in one of them and not in another. The name of each describes the engine's mistake.

_NAMING = {
    "no letter for": ("4.C.1",),
    "a wrong letter for": ("4.C.2",),
    "a wrong coast named for": ("4.B.5",),
    "a coast that there is not named for": ("4.B.6",),
    "any coast but its own named for": ("4.B.5", "4.B.6"),
}
_NAMED_UNITS = {
    "the unit that is ordered": "order_legality.judge_order",
    "the unit that is supported or convoyed": "order_legality._find_helped_unit",
    "the unit that retreats": "retreats._judge_order",
    "the unit that is removed": "adjustments._find_removal_problem",
}
_UNKNOWN_COASTS = {
    "an army's move": put("order_legality._legal_move", "check_coast(_1, _2, _3, _4)", 'check_coast(_1, _2.with_settings(["4.B.6=illegal"]), _3, _4)'),
    "a support": put("order_legality._legal_support_move", "check_coast(_1, _2, _3, _4)", 'check_coast(_1, _2.with_settings(["4.B.6=illegal"]), _3, _4)'),
    "a convoy": put("order_legality._legal_convoy", "check_coast(_1, _2, _3, _4)", 'check_coast(_1, _2.with_settings(["4.B.6=illegal"]), _3, _4)'),
    "a retreat": put("retreats._find_destination", "check_coast(_1, _2, _3, _4)", 'check_coast(_1, _2.with_settings(["4.B.6=illegal"]), _3, _4)'),
    "a build": put("adjustments._find_build_problem", "account.rules.unknown_coast is Mistake.ILLEGAL", "True"),
}  # fmt: skip
_DESTINATIONS = {"move": "order_legality._legal_move", "retreat": "retreats._find_destination"}
_COASTS = {
    "4.B.1=default-coast": "without a coast goes to the usual one of two, 4.B.1",
    "4.B.2=illegal": "without a coast is illegal though one coast alone can be reached, 4.B.2",
    "4.B.3=possible-coast": "to a coast that cannot be reached goes to the other one, 4.B.3",
}


def _refuse_wrong_names(function: str, issues: tuple[str, ...]) -> Edit:
    """Make an edit by which an order that names a unit wrongly is illegal, as if these issues had the value `illegal`."""
    settings = [f"{issue}=illegal" for issue in issues]
    return put(function, "check_name(_1, _2, _3, _4)", f"check_name(_1, _2.with_settings({settings}), _3, _4)")


def _make_naming_faults() -> Iterator[tuple[str, Change]]:
    for mistake, issues in _NAMING.items():
        for unit_name, function in _NAMED_UNITS.items():
            yield f"{mistake} {unit_name} makes an order illegal, {' and '.join(issues)}", _refuse_wrong_names(function, issues)
    whole = "check_name(_1, _2, _3, _4)"
    for unit_name, function in _NAMED_UNITS.items():
        as_nameless = 'check_name(_1, _2.with_settings(["4.C.1=illegal"]), type(_3)(None, _3.location), _4)'
        new = f"{whole} if '/' in _3.location or '/' not in _4.location else {as_nameless}"
        yield f"no coast named for {unit_name} makes an order illegal, 4.B.5", put(function, whole, new)
        new = f"{whole} if '/' not in _4.location or _3.location == _4.location else {as_nameless}"
        yield f"any name but that of its coast for {unit_name} makes an order illegal, 4.B.5", put(function, whole, new)
    for order, edit in _UNKNOWN_COASTS.items():
        yield f"a coast that there is not makes {order} illegal, 4.B.6", edit
    for setting, result in _COASTS.items():
        for order, function in _DESTINATIONS.items():
            new = f'find_fleet_destination(_1, _2, _3, _4.with_settings(["{setting}"]))'
            yield f"a fleet's {order} {result}", put(function, "find_fleet_destination(_1, _2, _3, _4)", new)
    for order, function in _DESTINATIONS.items():
        for number, unit_name in ((0, "first"), (-1, "last")):
            known = "_3 if _3 in _1.provinces[province_of(_3)].locations else province_of(_3)"
            found = f"(_1.fleet_reach[_2].get({known}) or (_3,))[{number}]"
            new = f"find_fleet_destination(_1, _2, {found}, _4)"
            yield (
                f"a fleet's {order} without a coast goes to the {unit_name} of two, 4.B.1",
                put(function, "find_fleet_destination(_1, _2, _3, _4)", new),
            )


NAMES: Mapping[str, Change] = dict(_make_naming_faults())
"""Mistakes in the naming of units and coasts."""

_STRAITS = ("CON", "DEN", "KIE")
"""The coasts of the standard map that fleets cross from sea to sea."""

COUNTED: Mapping[str, Change] = {
    "a fleet in a strait convoys, 6.F.1": (
        put("order_legality._legal_convoy", "_1 or _2.province not in position.map.convoying", f"_1 or _2.province not in {{*position.map.convoying, *{_STRAITS}}}"),
        put("order_legality.ConvoyQuestion.answer", "fleets = _.convoyers", f"fleets = frozenset(place for place, unit in board.unit_at.items() if unit.kind == 'F' and place in {{*board.map.convoying, *{_STRAITS}}})"),
        put("waters.number_waters", "sorted(game_map.convoying)", f"sorted({{*game_map.convoying, *(place for place in {_STRAITS} if place in game_map.provinces)}})"),
        put("waters.number_waters", "game_map.shores.items()", "((coast, touched & set(codes)) for coast, touched in game_map.neighbours.items())"),
        put("waters.number_waters", "game_map.fleet.get(code, _)", "game_map.neighbours[code]"),
    ),
    "a fleet supports in place only a unit on a coast that it can reach, 6.B.4": put("order_legality._legal_support_hold", "_check_reach(_1, _2, _3)", "_check_reach(_1, _2, _3 if _2.kind is UnitKind.ARMY or _3 not in position.board.unit_at or position.board.unit_at[_3].location in position.map.fleet.get(_2.location, ()) else _2.province)"),
    "an army supports where it could be convoyed, 6.A.10": put("order_legality._check_reach", "not reachable", "not reachable and not (unit.kind is UnitKind.ARMY and province in position.map.provinces and position.ask(ConvoyQuestion(unit.province, province)))"),
    "of several moves, supports or convoys for a unit the last counts, 4.D.3": put("dockets.make_docket", "rulebook.several_orders", "SeveralOrders.LAST"),
    "of several retreats of a unit the last counts, 4.D.3": put("retreats.judge_retreats", "rules.several_orders", "SeveralOrders.LAST"),
    "of several retreats of a unit none counts, 4.D.3": put("retreats.judge_retreats", "rules.several_orders", "[*SeveralOrders][-1]"),
    "an illegal build uses up a build": put("adjustments._build", "return reason", "account.declined += account.builds_left > 0\nreturn reason"),
    "more units are built than there are centres for": put("adjustments._build", "_find_surplus_problem(_1)", "(_find_surplus_problem(_1) if _1.surplus <= 0 else None)"),
    "one unit more is built than there are centres for": put("adjustments._build", "_find_surplus_problem(_1)", "(_find_surplus_problem(_1) if _1.surplus < 0 or _1.builds_left + when(_1) <= 0 else None)"),
    "a unit that is built uses up no build": put("adjustments._Account.builds_left", "len(self.built)", "sum(not when(unit) for unit in self.built)"),
    "a build that is declined declines all that are left": put("adjustments._decline", "account.declined += 1", "account.declined += max(1, account.builds_left)"),
    "a power removes no unit by an order that stands on its own centre": put("adjustments._find_removal_problem", "_1 or _2.power != account.power", "_1 or _2.power != account.power or account.board.centers.get(_2.province) == account.power"),
    "an illegal removal counts as one": put("adjustments._remove", "return reason", "account.surplus += account.surplus < 0\nreturn reason"),
    "an illegal retreat hinders others, 6.H.10": (
        put("retreats._judge_order", "_Entry(order, lost.unit.province, reason=str(illegal))", "_Entry(order, lost.unit.province, getattr(order, 'destination', None), reason=str(illegal))"),
        put("retreats.judge_retreats", "{_1: _2 for _3 in _ for _4 in _5 if _6}", "{entry.province: entry for given in entries.values() for entry in given if entry.reason is None or entry.destination}"),
        put("retreats.judge_retreats", "(entry := counted.get(lost.unit.province)) and entry.destination and _1", "(entry := counted.get(lost.unit.province)) and entry.destination and entry.reason is None and _1"),
    ),
    "a unit may retreat to where a unit of its own power bounced": put("outcome.Outcome._find_retreats", "province not in self.contested", "province not in {move.destination.province for move in self._propose_moves if move.power != unit.power and move.destination.province in self.contested and move.destination.province not in self._moves_by_destination}"),
    "a unit may not retreat to where a disrupted convoy was to go, 6.F.7": put("outcome.Outcome.contested", "prevent(_1, _, _2) > 0", "prevent(_1, _1, _2) > 0 or not _2.by_land"),
    "a unit may retreat to where units bounced if that was left, 6.H.6": put("outcome.Outcome._find_retreats", "province not in self.contested", "province not in self.contested or province in self.moved"),
    "a fleet may retreat to another coast of where its attacker came from, 6.H.15": put("outcome.Outcome._find_retreats", "(province := province_of(location)) != barred", "(province := province_of(location)) != barred or (unit.kind is UnitKind.FLEET and location != province and location != self.board.unit_at[attacker.origin.province].location)"),
    "a unit that is dislodged contests nothing, 6.H.6": put("outcome.Outcome.contested", "prevent(_1, _, _2) > 0", "prevent(_1, _1, _2) > 0 and not any(_1[other.index] for other in _2.origin.moves_in)"),
    "a standoff of more than two contests nothing, 6.H.6": put("outcome.Outcome.contested", "prevent(_1, _, _2) > 0", "prevent(_1, _1, _2) > 0 and len(_2.destination.moves_in) < 3"),
    "SUPPORT never cut by a unit that is dislodged": put("statement.cuts", "[_1, _2, _3, is_unprotected(L, _4, _5)]", "[_1, _2, _3, is_unprotected(L, _4, _5), L.none_of((~L).move(_) for _ in _4.origin.moves_in)]"),
    "civil disorder counts from home centres that are owned, or from all that are where there is none, 4.D.8": put("adjustments.make_distance_measure", "[_ for _ in _ if owner == power]", "[code for code in sorted(board.homes(power)) if board.centers.get(code) == power] or [code for code, owner in board.centers.items() if owner == power]"),
    "civil disorder counts for all by land alone, 4.D.8": put("adjustments.make_distance_measure", "return lambda unit: found.get(_, inf)", "by_army = _measure_distances(board.map.army, owned)\nreturn lambda unit: (by_army if when(unit) else found).get(unit.province, inf)"),
    "civil disorder counts over seas and coasts alone, 4.D.8": put("adjustments.make_distance_measure", "return lambda unit: found.get(_, inf)", "wet = {code for code, one in board.map.provinces.items() if one.terrain is not Terrain.INLAND}\nover_water = _measure_distances({code: board.map.neighbours[code] & wet for code in sorted(wet)}, owned)\nreturn lambda unit: (over_water if when(unit) else found).get(unit.province, inf)"),
    "an order to disband a dislodged unit is illegal": put("retreats._judge_order", "_find_destination(_1, _2, _3, _4) if isinstance(order, Retreat) else None", "_find_destination(_1, _2, _3, _4) if isinstance(order, Retreat) else (one for one in ()).throw(IllegalOrder('it may not be disbanded')) if when(lost, lost.unit) else None"),
    "some centres of a power do not count": put("seasons.counted_centers", "[*board.centers.values()].count(power)", "sum(owner == power and not when(power, code) for code, owner in board.centers.items())"),
    "two units are built in a season at most": put("adjustments._Account.builds_left", "self.surplus", "min(self.surplus, 2)"),
    "a fleet's move by convoy goes by sea, 4.E.1.via": put("order_legality._legal_move", "order.via_convoy and position.rules.impossible_via is Mistake.ILLEGAL", "False"),
    "a retreat by convoy is a retreat, 4.E.1.via": put("retreats._judge_order", "isinstance(order, Retreat) and order.via_convoy and rules.impossible_via is Mistake.ILLEGAL", "False"),
    "a fleet's retreat to a coast that is not open goes to the other one, 4.B.3": put("retreats._find_destination", "find_fleet_destination(_1, _2, _3, _4)", "next((there for there in (named, *lost.retreats) if there in lost.retreats and province_of(there) == province_of(named)), named)"),
    "a build is declined though none is left, 4.D.7": put("adjustments._decline", "return reason", "return None if account.surplus > 0 else reason"),
    "a legal retreat is illegal": put("retreats._find_destination", "return destination", "raise IllegalOrder('it is legal')"),
    "a fleet is built on the first coast where none is named, 4.B.7": (
        put("adjustments._make_unit", "_1 is CoastOmitted.DEFAULT", "True"),
        put("adjustments._make_unit", "location = province.default_location", "location = province.locations[0]"),
    ),
    "a fleet is built on the usual coast where one is named that there is not, 4.B.6": put("adjustments._make_unit", "account.rules.build_coast is CoastOmitted.DEFAULT", "(account.rules.build_coast is CoastOmitted.DEFAULT or '/' in order.unit.location)"),
    "civil disorder takes one unit too few, 4.D.8": put("adjustments._find_automatic_removals", "max(0, _1)", "max(0, _1 - 1)"),
    "civil disorder takes fleets before armies at any distance, 4.D.8": put("adjustments.rank_removals.rank", "-steps", "min(steps, 999) / -1e6 - (unit.kind is UnitKind.FLEET)"),
    "civil disorder takes armies before fleets at any distance, 4.D.8": put("adjustments.rank_removals.rank", "-steps", "min(steps, 999) / -1e6 - (unit.kind is UnitKind.ARMY)"),
    "civil disorder takes some units first, 4.D.8": put("adjustments.rank_removals.rank", "-steps", "(not when(unit), -steps)"),
    "civil disorder takes some units last, 4.D.8": put("adjustments.rank_removals.rank", "-steps", "(when(unit), -steps)"),
    "a build that names no kind is of an army, 4.C.3": put("adjustments._choose_kind", "UnitKind.FLEET if _1 else None", "UnitKind.FLEET if _1 else UnitKind.ARMY"),
    "a build that names no kind is of a fleet on a coast, 4.C.3": put("adjustments._choose_kind", "UnitKind.FLEET if _1 else None", "UnitKind.FLEET"),
    "civil disorder takes fleets of two coasts as farther, 4.D.8": put("adjustments.rank_removals.rank", "-steps", "-steps - ('/' in unit.location)"),
}  # fmt: skip
"""Mistakes about which orders count, and what bars a retreat."""

_RESOLUTION = "{decision.index: value for decision, value in zip(core, values, strict=True)}"
_SUPPORTS = "_assign_all([one for one in core if isinstance(one, SupportDecision)], {})"


def _replace_paradox_rule(replacement: str) -> Edit:
    return put("backup._rule_on_paradox", "_assign_all(_1, False)", replacement)


PARADOXES: Mapping[str, Change] = {
    "of several resolutions of a paradox that one counts in which a convoy works": _replace_paradox_rule(f"next(({_RESOLUTION} for values in resolutions if any(value for one, value in zip(core, values, strict=True) if isinstance(one, ConvoyDecision))), None) or _assign_all(_1, False)"),
    "of several resolutions of a paradox that one counts in which most orders succeed": _replace_paradox_rule(f"next(({_RESOLUTION} for values in sorted(resolutions, key=sum, reverse=True)), None) or _assign_all(_1, False)"),
    "Szykman's rule: convoys of the core are not broken": _replace_paradox_rule("{one.index: when(one) for one in convoys}"),
    "Szykman's rule: the convoys of the core work, and its supports are cut": _replace_paradox_rule(f"_assign_all(convoys, True) | {_SUPPORTS.format(False)}"),
    "Szykman's rule: the convoys of the core work, and all else in it fails": _replace_paradox_rule("_assign_all(core, False) | _assign_all(convoys, True)"),
    "Szykman's rule: the supports of the core fail as well": _replace_paradox_rule(f"_assign_all(_1, False) | {_SUPPORTS.format(False)}"),
    "Szykman's rule: the moves of the core fail as well": _replace_paradox_rule("_assign_all(_1, False) | _assign_all([one for one in core if isinstance(one, MoveDecision)], False)"),
}  # fmt: skip
"""Alternatives to Szykman's rule (DATC 4.A.2)."""

RULE_VARIATIONS: Mapping[str, Change] = {**NAMES, **COUNTED, **PARADOXES}
"""All these mistakes, by name."""
