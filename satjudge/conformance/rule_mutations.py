"""Each rule that is no equation, broken once: legality, where dislodged units may go, backup rules, retreats and adjustments.

A mutation is a piece of source, or several, and what it is changed into, as in `satjudge.conformance.mutations`. What those
engines do wrong that have such a mistake is what its name says.
"""

from __future__ import annotations

from collections.abc import Mapping

Change = tuple[str, str] | tuple[tuple[str, str], ...]
"""A piece of source and what it is changed into, or several."""

_BY_LAND = "by_land = order.destination in game_map.exits(unit.kind, unit.location)"
_FLEET_REACH = "reachable = game_map.fleet_reach[origin].get(province.code, ())\n    if not reachable:"
_ARMY_REACH = "if destination in position.map.army[origin] and not must_convoy:"

LEGALITY: Mapping[str, Change] = {
    "an army moves to a sea, 6.A.2": (
        (_ARMY_REACH, "if (destination in position.map.army[origin] or destination in position.map.shores.get(origin, ())) and not must_convoy:"),
        (_BY_LAND, f"{_BY_LAND} or (unit.kind is UnitKind.ARMY and there.province in situation.board.map.seas)"),
    ),
    "a fleet moves inland, 6.A.3": (
        (_FLEET_REACH, "reachable = game_map.fleet_reach[origin].get(province.code, ()) or ((province.code,) if province.terrain == 'inland' and province.code in game_map.army.get(province_of(origin), ()) else ())\n    if not reachable:"),
        (_BY_LAND, f"{_BY_LAND} or (unit.kind is UnitKind.FLEET and situation.board.map.provinces[there.province].terrain == 'inland')"),
    ),
    "a fleet moves over land to a coast, 6.A.9": (
        (_FLEET_REACH, "reachable = game_map.fleet_reach[origin].get(province.code, ()) or (province.locations[:1] if province.terrain == 'coast' and province.code in game_map.army.get(province_of(origin), ()) else ())\n    if not reachable:"),
        (_BY_LAND, f"{_BY_LAND} or (unit.kind is UnitKind.FLEET and there.province in situation.board.map.army.get(here.province, ()))"),
    ),
    "a fleet moves as if it stood on every coast of its province, 6.B.5": (
        (_FLEET_REACH, "reachable = game_map.fleet_reach[origin].get(province.code, ()) or tuple(sorted({there for here in game_map.provinces[province_of(origin)].locations for there in game_map.fleet_reach[here].get(province.code, ())}))\n    if not reachable:"),
        (_BY_LAND, f"{_BY_LAND} or (unit.kind is UnitKind.FLEET and there.province in situation.board.map.neighbours[here.province])"),
    ),
    "a fleet moves from one coast of its province to the other": (
        (_FLEET_REACH, "reachable = game_map.fleet_reach[origin].get(province.code, ()) or (tuple(place for place in province.locations if place != origin) if province.code == province_of(origin) else ())\n    if not reachable:"),
        (_BY_LAND, f"{_BY_LAND} or (unit.kind is UnitKind.FLEET and here is there)"),
    ),
    "a fleet moves to any coast or sea, 6.A.1": (
        (_FLEET_REACH, "reachable = game_map.fleet_reach[origin].get(province.code, ()) or (province.locations[:1] if province.terrain != 'inland' and province.code != province_of(origin) else ())\n    if not reachable:"),
        (_BY_LAND, f"{_BY_LAND} or unit.kind is UnitKind.FLEET"),
    ),
    "an army moves to any land, 6.A.1": (
        (_ARMY_REACH, "if destination not in position.map.seas and destination != origin and not must_convoy:"),
        (_BY_LAND, f"{_BY_LAND} or unit.kind is UnitKind.ARMY"),
    ),
    "an army that is ordered to move to where it is cannot be supported in place, 6.A.4": (_ARMY_REACH, "if destination == origin or destination in position.map.army[origin] and not must_convoy:"),
    "a fleet that is ordered to move to where it is cannot be supported in place, 6.A.4": (_FLEET_REACH, "reachable = game_map.fleet_reach[origin].get(province.code, ()) or ((origin,) if province.code == province_of(origin) else ())\n    if not reachable:"),
    "an army that no fleets could convoy cannot be supported in place, 4.E.1": (
        (  # it is ordered to move, without a way
            'raise IllegalOrder(f"no fleets are there that could convoy an army from {origin} to {destination} (4.E.1, 6.D.32)")', "return",
        ),
    ),
    "orders to foreign units count, 6.A.6": ("if unit.power != power:\n        raise IllegalOrder(f\"{unit} belongs to", "if False:\n        raise IllegalOrder(f\"{unit} belongs to"),
    "the first order counts even if it is illegal, 4.D.3": (
        ("return entry.legal is not None or entry.counts_as_move", "return True"),
        ("if entry.province is None or entry.legal is None:", "if entry.province is None:"),
    ),
    "an order that is given twice does not count, where several do not": ("return any(order != orders[0] for order in orders)", "return len(orders) > 1"),
    "a unit supports itself in place, 6.A.8": ("_check_reach(position, unit, order.supported.province)", "order.supported.province == unit.province or _check_reach(position, unit, order.supported.province)"),
    "a unit supports an attack on itself, 6.D.34": ("_check_reach(position, unit, destination)\n    check_coast", "destination == unit.province or _check_reach(position, unit, destination)\n    check_coast"),
    "a unit supports its own move, 4.E.1": ("if supported.province == unit.province:\n        raise", "if False:\n        raise"),
    "support goes to any province, 6.A.10": ("if not reachable:\n        raise IllegalOrder(f\"{unit} cannot support into", "if False:\n        raise IllegalOrder(f\"{unit} cannot support into"),
    "a fleet supports over land, 6.A.10": ("reachable = province in position.map.fleet_reach[unit.location]", "reachable = province in position.map.neighbours[unit.province]"),
    "an army supports into a sea, 6.D.22": ("reachable = province in position.map.army[unit.province]", "reachable = province in position.map.neighbours[unit.province]"),
    "a fleet supports from every coast of its province, 6.B.5": ("reachable = province in position.map.fleet_reach[unit.location]", "reachable = any(province in position.map.fleet_reach[place] for place in position.map.provinces[unit.province].locations)"),
    "a fleet supports a move only to a coast that it could move to itself, 6.B.4": ("_check_reach(position, unit, destination)\n    check_coast", "_check_reach(position, unit, order.destination if unit.kind is UnitKind.FLEET and supported.kind is UnitKind.FLEET and order.destination not in position.map.fleet[unit.location] and \"/\" in order.destination else destination)\n    check_coast"),
    "an order to support an army's move that it cannot make stands, 6.D.32": ("_check_army_move(position, supported, destination, without=unit.province)", "pass"),
    "a fleet may support a move that it alone could convoy, 6.D.31": ("_check_army_move(position, supported, destination, without=unit.province)", "_check_army_move(position, supported, destination)"),
    "an order to support a fleet's move that it cannot make stands, 6.D.22": ("if not reachable or (named != province.code and named not in reachable):", "if named != province.code and named not in reachable and reachable:"),
    "a support that names a coast that the fleet cannot reach stands, 6.D.23": ("if not reachable or (named != province.code and named not in reachable):", "if not reachable:"),
    "a fleet in a coast convoys, 6.F.1": (
        ("if unit.kind is not UnitKind.FLEET or unit.province not in position.map.convoying:", "if unit.kind is not UnitKind.FLEET:"),
        ("fleets = board.convoyers\n", "fleets = frozenset(place for place, unit in board.unit_at.items() if unit.kind == 'F')\n"),
        ("start = game_map.shores.get(origin, frozenset()) & fleets\n    goal = game_map.shores.get(destination, frozenset())", "start = game_map.neighbours[origin] & fleets\n    goal = game_map.neighbours[destination]"),
        ("onward = game_map.fleet[route[-1]] & free", "onward = game_map.neighbours[route[-1]] & free"),
    ),
    "a fleet is convoyed, 6.A.7": (
        ("if army.kind is not UnitKind.ARMY:", "if False:"),
        (_ARMY_REACH, "if destination in position.map.army.get(origin, ()) and not must_convoy:"),
        ("if unit.kind is UnitKind.FLEET:\n        if position.map.canal_between", "if unit.kind is UnitKind.FLEET and (province_of(order.destination) in position.map.fleet_reach[unit.location] or not position.ask(ConvoyQuestion(unit.province, province_of(order.destination)))):\n        if position.map.canal_between"),
        ("return move.order.unit.kind is UnitKind.ARMY and not says_by_land", "return not says_by_land"),
    ),
    "an order to convoy where the fleet is on no way stands, 4.E.1": ("if not position.ask(ConvoyQuestion(army.province, destination, through=unit.province)):", "if False:"),
    "a convoy order to another place convoys as well": ("if move.destination.province == target and _may_board(move):", "if _may_board(move):"),
    "only one fleet may convoy an army": ("onward = game_map.fleet[route[-1]] & free", "onward = frozenset()"),
    "provinces are never shut, DATC 2.4, 8": (
        ("if turn and province in position.map.closed.get(turn.season, ()):", "if False:"),
        ("return self.board.open_map", "return self.board.map"),
    ),
    "a fleet convoys to its own province, DATC 2.4, 9.A": (
        ("if destination == unit.province:  # a coast that convoys", "if False:"),
        ("fleets -= {origin, destination}  # a fleet in a coast", "fleets -= {origin}  # a fleet in a coast"),
    ),
    "support crosses difficult borders, DATC 2.4, 10.E": ("if unit.kind is UnitKind.ARMY and position.map.is_difficult(unit.province, province):", "if False:"),
    "any power uses a railroad, DATC 2.4, 7.B.34": ("if unit.power != line.power:", "if False:"),
    "several units use one railroad, DATC 2.4, 7.B.33": ("if board.map.railroads:\n        _one_train_only(entries, legal)", "if False:\n        pass"),
    "anybody permits to pass a canal, DATC 2.4, 7.C": ("if keeper is None or keeper.power != power:", "if keeper is None:"),
    "of several permissions to pass a canal the last counts, DATC 2.4, 7.C.5": ("several = {order.canal for order in legal if any(other != order for other in legal if other.canal == order.canal)}", "several = set()"),
    "a power needs a permission for its own canal": ("found = [move for move in passing if move.power == keeper.power]", "found = []"),
    "two fleets of a power pass its canal": ("if len(found) == 1:\n            index, place", "if found:\n            index, place"),
}  # fmt: skip
"""Which orders count, and what they are taken for (`satjudge/legality`, `satjudge/equations/situation.py`)."""

DISLODGEMENTS: Mapping[str, Change] = {
    "a unit may retreat to where its attacker came from, 6.H.5": ("barred = None if free else attacker.origin.province", "barred = None"),
    "a unit may retreat to where units bounced, 6.H.6": ("and province not in self.contested\n", "\n"),
    "a unit may retreat to where another one is": ("and province not in self._occupied_afterwards\n", "\n"),
    "a unit may not retreat to a province that was left": ("and province not in self._occupied_afterwards\n", "and province not in self._occupied_afterwards and province not in self.board.unit_at\n"),
    "a unit may retreat to a province that was entered": ("return frozenset(stayed | self._arrived.keys())", "return frozenset(stayed)"),
    "a unit may not retreat to where a move without effect was directed, 6.H.9": (" if prevent(values, values, move) > 0", ""),
    "a move contests no province if its unit is dislodged": ("prevent(values, values, move) > 0", "prevent(values, values, move) > 0 and move.origin.province not in self._arrived"),
    "a fleet may retreat from every coast of its province": ("for location in self.board.open_map.exits(unit.kind, unit.location)", "for location in {there for here in ((unit.location,) if unit.kind == 'A' else self.board.map.provinces[unit.province].locations) for there in self.board.open_map.exits(unit.kind, here)}"),
    "a unit may retreat to a province that is shut, DATC 2.4, 8": ("in self.board.open_map.exits", "in self.board.map.exits"),
    "a train that is turned back contests no province, DATC 2.4, 7.B": ("turned = (stage for stage in train.stages if values[stage.reaching.index] and not values[stage.passing.index])", "turned = ()"),
}  # fmt: skip
"""Where dislodged units may go (`satjudge/outcome.py`)."""

BACKUP: Mapping[str, Change] = {
    "circular movement fails, 6.C.1": ("if len(moves) == len(core):\n        return _all(core, True)", "if len(moves) == len(core):\n        return _all(core, False)"),
    "two units never exchange places, 6.G.1": ("if len(moves) == len(core):\n        return _all(core, True)", "if len(moves) == len(core):\n        return _all(core, len(core) > 2)"),
    "Szykman's rule: the convoy succeeds, 6.F.17": ("if name == ParadoxRule.SZYKMAN:\n        settled = _all(convoys, False)", "if name == ParadoxRule.SZYKMAN:\n        settled = _all(convoys, True)"),
    "Szykman's rule: one convoy alone fails, 6.F.22": ("if name == ParadoxRule.SZYKMAN:\n        settled = _all(convoys, False)", "if name == ParadoxRule.SZYKMAN:\n        settled = _all(convoys[:1], False)"),
    "All Hold: the convoys are not disrupted": ("if isinstance(decision, MoveDecision | ConvoyDecision)], False)", "if isinstance(decision, MoveDecision)], False)"),
    "All Hold: moves are not stopped": ("if isinstance(decision, MoveDecision | ConvoyDecision)], False)", "if isinstance(decision, ConvoyDecision)], False)"),
    "the guide's rule: All Hold at once": ("settled = _without_convoys(core, resolutions) or _all_hold(core)", "settled = _all_hold(core)"),
    "the guide's rule: whichever resolution disrupts the convoys, of however many": ("return found[0] if len(found) == 1 and len(resolutions) == 2 else None", "return found[0] if found else None"),
    "the guide's rule: a resolution that is the only one": ("return found[0] if len(found) == 1 and len(resolutions) == 2 else None", "return found[0] if len(found) == 1 else None"),
    "a rule that has no answer is used all the same": ("silent = rulebook.paradox is ParadoxRule.NONE or rulebook.paradox_fallback is ParadoxFallback.UNRESOLVED", "silent = rulebook.paradox_fallback is ParadoxFallback.UNRESOLVED"),
    "of a core without convoys only moves fail": ("failing = [decision for decision in core if isinstance(decision, MoveDecision | SupportDecision)]", "failing = [decision for decision in core if isinstance(decision, MoveDecision)]"),
}  # fmt: skip
"""What is decided of cores without a resolution, or with several (`satjudge/backup.py`)."""

BACKUP_OF_VARIANTS: Mapping[str, Change] = {
    "circular movement without trains, 7.B.17": ("isinstance(decision, MoveDecision | ReachDecision | PassDecision)", "isinstance(decision, MoveDecision)"),
    "circular movement though that is no resolution, 7.B.24": ("if any(_is_circle(core, moves, values) for values in resolutions) else None", "if True else None"),
    "circular movement though it is no circle, 7.B.25": ("return any(_closes({**onward, train.origin: place}) for place in ends)", "return any(ends)"),
    "circular movement though a move fails": ("    if not all(holds[move.index] for move in moves):\n        return False\n", ""),
    "no rule for trains by themselves, 7.B.24": ("if trains or canals:", "if canals:"),
    "no rule for canals by themselves, 7.C.8": ("if trains or canals:", "if trains:"),
    "a convoy beside a canal is left alone, 7.C.13": ("if convoys and rulebook.paradox in _BACKUP_RULES:", "if False:"),
    "a canal beside a convoy is left alone": ("if canals:", "if canals and not convoys:"),
    "the canal is open, 7.C.12": ("settled |= _all(canals, False)", "settled |= _all(canals, True)"),
    "all moves through the canal's core fail, 7.C.12": ("settled |= _all(canals, False)", "settled |= _all([d for d in core if isinstance(d, MoveDecision)], False)"),
    "the last stage of a train fails without bouncing, 7.B.24": ("({reaching.index: True} if reaching in trains else {})", "({reaching.index: False} if reaching in trains else {})"),
    "the last stage of a train succeeds, 7.B.31": ("{passing.index: False} |", "{passing.index: True} |"),
    "a supported last stage succeeds where its PASS is in no core": ("return {passing.index: False} |", "return ({passing.index: False} if passing in trains else {}) |"),
    "the first stage of a train fails, not the last, 7.B.24": ("if one.place in met][-1:]", "if one.place in met][:1]"),
    "a stage fails whether it meets another unit or not": ("[one for one in stages if one.place in met][-1:] or stages[-1:]", "stages[-1:]"),
    "a unit is met only where it goes, 7.B.31": ("for place in (move.origin, move.destination)}", "for place in (move.destination,)}"),
    "a unit is met only where it stands, 7.B.24": ("for place in (move.origin, move.destination)}", "for place in (move.origin,)}"),
    "the first of all stages fails where none meets another unit": ("or stages[-1:]", "or stages[:1]"),
}  # fmt: skip
"""What is decided of cores with trains and canals (DATC 2.4, 7)."""

RETREATS: Mapping[str, Change] = {
    "two units retreat to one province, 6.H.7": ("return OrderResult.FAILS if entry.destination and bounces(entry) else OrderResult.SUCCEEDS", "return OrderResult.SUCCEEDS"),
    "the first of two units that retreat to one province arrives, 6.H.7": ("if one.province != entry.province and one.destination", "if list(counted).index(one.province) < list(counted).index(entry.province) and one.destination"),
    "two fleets retreat to two coasts of one province": ("and province_of(one.destination) == there", "and one.destination == entry.destination"),
    "a unit retreats to where it may not go, 6.H.5": ("if destination not in lost.retreats:", "if False:"),
    "orders to foreign dislodged units count": ("if lost is None or lost.unit.power != power:", "if lost is None:"),
    "a unit without an order retreats": ("return RetreatOutcome(board, judged_orders, (*board.units, *arrived))", "return RetreatOutcome(board, judged_orders, (*board.units, *arrived, *(replace(lost.unit, location=lost.retreats[0]) for lost in board.dislodged if lost.retreats and lost.unit.province not in counted)))"),
    "no unit can be disbanded by an order": ("if not isinstance(order, Retreat | Disband):", "if not isinstance(order, Retreat):"),
    "the first retreat order counts even if it is illegal, 4.D.3": ("if entry.reason is None:\n            chosen.setdefault", "if True:\n            chosen.setdefault"),
    "whoever retreats over a difficult border bounces another, DATC 2.4, 10.K": ("return any(entry.difficult or not rival.difficult for rival in rivals)", "return bool(rivals)"),
}  # fmt: skip
"""What becomes of retreats (`satjudge/retreats.py`)."""

_NO_BUILD_LEFT = 'return f"{account.name} may build {account.surplus}, no more (4.D.4)" if account.builds_left <= 0 else None'
_OWNED = "return lambda unit: found.get(unit.province, inf)"

ADJUSTMENTS: Mapping[str, Change] = {
    "more is built than there are centres for, 4.D.4": (_NO_BUILD_LEFT, "return None"),
    "a power builds that has no centre more than units": (
        ('if account.surplus <= 0:\n        return f"{account.name} has nothing to build"', "if False:\n        pass"),
        ("if account.builds_left <= 0 else None", "if account.surplus > 0 >= account.builds_left else None"),
    ),
    "a build that is declined can be made after all": ("return self.surplus - len(self.built) - self.declined", "return self.surplus - len(self.built)"),
    "units are built in every centre that is owned, 6.I.6": ("if not board.map.builds_anywhere and province.code not in board.homes(power):", "if False:"),
    "units are built in home centres of others' that are owned, 6.I.6": ("if not board.map.builds_anywhere and province.code not in board.homes(power):", "if not board.map.builds_anywhere and not province.home:"),
    "units are built in home centres that are lost, 6.I.5": ("if board.centers.get(province.code) != power:", "if False:"),
    "units are built in home centres that nobody owns": ("if board.centers.get(province.code) != power:", "if board.centers.get(province.code, power) != power:"),
    "units are built where one stands, 6.I.3": ("if province.code in board.unit_at:\n        return f\"{province.name} is not empty (6.I.3", "if False:\n        return f\"{province.name} is not empty (6.I.3"),
    "units are built where a foreign one stands, 6.I.4": ("if province.code in board.unit_at:\n        return f\"{province.name} is not empty (6.I.3", "if province.code in board.unit_at and board.unit_at[province.code].power == power:\n        return f\"{province.name} is not empty (6.I.3"),
    "two units are built in one centre, 6.I.7": (
        ('if any(unit.province == order.unit.province for unit in account.built):\n        return f"{account.board.map.provinces', 'if False:\n        return f"{account.board.map.provinces'),
        ("if len(positions) > 1:", "if False:"),
    ),
    "a fleet is built inland, 6.I.2": ("problem = board.map.problem_with(kind, _new_unit(account, order).location)", "problem = None if kind is UnitKind.FLEET and province.terrain is Terrain.INLAND else board.map.problem_with(kind, _new_unit(account, order).location)"),
    "a fleet is built on no coast where there are two, 6.I.1": ("problem = board.map.problem_with(kind, _new_unit(account, order).location)", "problem = None if kind is UnitKind.FLEET and province.coasts else board.map.problem_with(kind, _new_unit(account, order).location)"),
    "a fleet is built on the first coast, whichever is named": ("if order.unit.location in province.locations:\n            location = order.unit.location", "if order.unit.location in province.locations:\n            location = province.locations[0]"),
    "a power removes a foreign unit": ("if unit is None or unit.power != account.power:\n        return f\"{account.name} has no unit in", "if unit is None:\n        return f\"{account.name} has no unit in"),
    "a power removes more units than it must, 4.D.6": ("if len(account.removed) >= -account.surplus:", "if False:"),
    "a power removes a unit that has none too many": (
        ('return f"{account.name} has no unit too many" if account.surplus >= 0 else None', "return None"),
        ("if len(account.removed) >= -account.surplus:", "if len(account.removed) >= -account.surplus > 0:"),
    ),
    "a unit that is removed twice counts twice, 6.J.2": ("if unit in account.removed:", "if False:"),
    "units that are too many stay if nobody removes them, 4.D.8": ("missing = max(0, -account.surplus - len(account.removed))", "missing = 0"),
    "civil disorder takes units although enough are removed, 4.D.8": ("missing = max(0, -account.surplus - len(account.removed))", "missing = max(0, -account.surplus)"),
    "where too few units are removed civil disorder takes none, 4.D.8": ("missing = max(0, -account.surplus - len(account.removed))", "missing = 0 if account.removed else max(0, -account.surplus)"),
    "civil disorder takes a unit that was removed already, 4.D.8": ("ranked = order_of_removal(account.board, account.power, account.rules, without=account.removed)", "ranked = order_of_removal(account.board, account.power, account.rules)"),
    "civil disorder takes the nearest units first, 4.D.8": ("return -steps, unit.kind is not UnitKind.FLEET", "return steps, unit.kind is not UnitKind.FLEET"),
    "civil disorder heeds no distances, 4.D.8": ("return -steps, unit.kind is not UnitKind.FLEET", "return 0, unit.kind is not UnitKind.FLEET"),
    "civil disorder takes armies before fleets, 4.D.8": ("return -steps, unit.kind is not UnitKind.FLEET", "return -steps, unit.kind is UnitKind.FLEET"),
    "civil disorder takes fleets and armies alike, 4.D.8": ("return -steps, unit.kind is not UnitKind.FLEET", "return -steps, False"),
    "civil disorder takes units in the order in which they are listed, 4.D.8": ("_in_alphabet(board.map, unit.province, rules)\n", '""\n'),
    "civil disorder takes units from the end of the alphabet, 4.D.8": ("_in_alphabet(board.map, unit.province, rules)\n", '"".join(chr(0x10FFFF - ord(letter)) for letter in _in_alphabet(board.map, unit.province, rules) + "\\0")\n'),
    "civil disorder takes units by the codes of provinces, 4.D.8": ("_in_alphabet(board.map, unit.province, rules)\n", "unit.province\n"),
    "civil disorder counts from every supply centre, 4.D.8": ("owned = [code for code, owner in board.centers.items() if owner == power]", "owned = list(board.map.centers)"),
    "civil disorder counts from home centres that are owned, 4.D.8": ("owned = [code for code, owner in board.centers.items() if owner == power]", "owned = [code for code, owner in board.centers.items() if owner == power and code in board.homes(power)]"),
    "civil disorder counts from home centres, owned or not, 4.D.8": ("owned = [code for code, owner in board.centers.items() if owner == power]", "owned = sorted(board.homes(power))"),
    "civil disorder counts for armies by land alone, 4.D.8": (_OWNED, "by_army = _distances(board.map.army, owned)\n        return lambda unit: (by_army if unit.kind is UnitKind.ARMY else found).get(unit.province, inf)"),
    "civil disorder counts for fleets by water alone, 4.D.8": (_OWNED, "by_fleet = _distances(board.map.fleet, [location for code in owned for location in board.map.provinces[code].locations])\n        return lambda unit: by_fleet.get(unit.location, inf) if unit.kind is UnitKind.FLEET else found.get(unit.province, inf)"),
    "civil disorder counts for fleets as for armies, 1971 and later": ("return lambda unit: by_fleet.get(unit.location, inf) if unit.kind is UnitKind.FLEET else by_army.get(unit.province, inf)", "return lambda unit: by_army.get(unit.province, inf)"),
    "civil disorder counts from the home country as from its centres": ("home = [province for province in provinces if power in (province.country, province.home)]", "home = [province for province in provinces if province.home == power]"),
    "civil disorder counts convoys of several moves": ("| {coast for coast in coasts if coast != origin and convoy_routes(board.map, origin, coast, seas)}", ""),
    "centres that do not count do, DATC 2.4, 7.A": ("owner == power and power not in provinces[code].not_counted for", "owner == power for"),
}  # fmt: skip
"""Builds, removals and civil disorder (`satjudge/adjustments.py`, `satjudge/seasons.py`)."""

_GUIDE = (
    "it takes a core with convoys and three resolutions, or two without convoys; one resolution needs no rule. Where what a station"
    " reads has its target there (docs/cores.md, Theorem 1) a core is a ring in which each order is a function of the one before"
    " it: it has at most two resolutions, and two differ in every order. That leaves 4.A.4.1=last-fleet, railroads and canals; there"
    " no such core is known, and random boards have none (test_no_core_is_known_that_tells_the_guides_rule_broken)"
)
SURVIVORS: Mapping[str, str] = {
    "a train that is turned back contests no province, DATC 2.4, 7.B": "who turns it back stands there or was on the way there"
    " as well: the province is occupied, or contested by that move",
    "the guide's rule: whichever resolution disrupts the convoys, of however many": _GUIDE,
    "the guide's rule: a resolution that is the only one": _GUIDE,
    "of a core without convoys only moves fail": "without difficult borders a core has a convoy, or consists of moves and is"
    " circular movement (docs/cores.md, Theorems 3 and 4; trains and canals have a rule of their own before, and under"
    " 4.A.4.1=last-fleet none is known). On maps with difficult borders 10.F is a core of supports, which 10.F=unresolved with"
    " 5.B.9=all-fail leaves to this rule: so broken it settles nothing there and never ends, so that there is no answer",
    "circular movement though a move fails": "of a circle that is no paradox all moves succeed in one resolution and fail in the"
    " other; a circle that bounces itself has none (7.B.31), and then no resolution is asked",
    "the first of all stages fails where none meets another unit": "a train that nobody of the core meets depends on it by way of"
    " a convoy or a canal only, at the other end of the map: Kruijswijk's paradox (7.D.2), which the document leaves open",
}
"""What no position is known to tell apart, with the reason."""
