"""Lists rules that an engine may have for some orders and not for others: how units and coasts are named, and what is counted.

A rulebook settles each of these issues once. Code for moves, supports, retreats and builds is often four pieces of code, so
that an engine may forgive a mistake in one of them, and not in another. The name of each says what such an engine does wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from satjudge.engines.conformance.edits import Change, Edit, put

_NAMING = {
    "no letter for": ("4.C.1",),
    "a wrong letter for": ("4.C.2",),
    "a wrong coast named for": ("4.B.5",),
    "a coast that there is not named for": ("4.B.6",),
    "any coast but its own named for": ("4.B.5", "4.B.6"),
}
_NAMED_UNITS = {
    "the unit that is ordered": "single.judged",
    "the unit that is supported or convoyed": "single._helped_unit",
    "the unit that retreats": "retreats._enter",
    "the unit that is removed": "adjustments._not_removable",
}
_UNKNOWN_COASTS = {
    "an army's move": put("single._legal_move", "check_coast(_1, _2, _3, _4)", 'check_coast(_1, _2.with_settings(["4.B.6=illegal"]), _3, _4)'),
    "a support": put("single._legal_support_move", "check_coast(_1, _2, _3, _4)", 'check_coast(_1, _2.with_settings(["4.B.6=illegal"]), _3, _4)'),
    "a convoy": put("single._legal_convoy", "check_coast(_1, _2, _3, _4)", 'check_coast(_1, _2.with_settings(["4.B.6=illegal"]), _3, _4)'),
    "a retreat": put("retreats._destination", "check_coast(_1, _2, _3, _4)", 'check_coast(_1, _2.with_settings(["4.B.6=illegal"]), _3, _4)'),
    "a build": put("adjustments._obstacle", "account.rules.unknown_coast is Mistake.ILLEGAL", "True"),
}  # fmt: skip
_DESTINATIONS = {"move": "single._legal_move", "retreat": "retreats._destination"}
_COASTS = {
    "4.B.1=default-coast": "without a coast goes to the usual one of two, 4.B.1",
    "4.B.2=illegal": "without a coast is illegal though one coast alone can be reached, 4.B.2",
    "4.B.3=possible-coast": "to a coast that cannot be reached goes to the other one, 4.B.3",
}


def _stricter(function: str, issues: tuple[str, ...]) -> Edit:
    """Have a function forgive nothing of some issues where it checks how a unit is named."""
    settings = [f"{issue}=illegal" for issue in issues]
    return put(function, "check_name(_1, _2, _3, _4)", f"check_name(_1, _2.with_settings({settings}), _3, _4)")


def _named() -> Iterator[tuple[str, Change]]:
    for mistake, issues in _NAMING.items():
        for which, function in _NAMED_UNITS.items():
            yield f"{mistake} {which} makes an order illegal, {' and '.join(issues)}", _stricter(function, issues)
    whole = "check_name(_1, _2, _3, _4)"
    for which, function in _NAMED_UNITS.items():
        as_nameless = 'check_name(_1, _2.with_settings(["4.C.1=illegal"]), type(_3)(None, _3.location), _4)'
        new = f"{whole} if '/' in _3.location or '/' not in _4.location else {as_nameless}"
        yield f"no coast named for {which} makes an order illegal, 4.B.5", put(function, whole, new)
        new = f"{whole} if '/' not in _4.location or _3.location == _4.location else {as_nameless}"
        yield f"any name but that of its coast for {which} makes an order illegal, 4.B.5", put(function, whole, new)
    for order, edit in _UNKNOWN_COASTS.items():
        yield f"a coast that there is not makes {order} illegal, 4.B.6", edit
    for setting, result in _COASTS.items():
        for order, function in _DESTINATIONS.items():
            new = f'fleet_destination(_1, _2, _3, _4.with_settings(["{setting}"]))'
            yield f"a fleet's {order} {result}", put(function, "fleet_destination(_1, _2, _3, _4)", new)
    for order, function in _DESTINATIONS.items():
        for number, which in ((0, "first"), (-1, "last")):
            known = "_3 if _3 in _1.provinces[province_of(_3)].locations else province_of(_3)"
            found = f"(_1.fleet_reach[_2].get({known}) or (_3,))[{number}]"
            new = f"fleet_destination(_1, _2, {found}, _4)"
            yield (
                f"a fleet's {order} without a coast goes to the {which} of two, 4.B.1",
                put(function, "fleet_destination(_1, _2, _3, _4)", new),
            )


NAMES: Mapping[str, Change] = dict(_named())
"""How units and coasts are named."""

_STRAITS = ("CON", "DEN", "KIE")
"""The coasts of the standard map that fleets cross from sea to sea."""

COUNTED: Mapping[str, Change] = {
    "a fleet in a strait convoys, 6.F.1": (
        put("single._legal_convoy", "_1 or _2.province not in position.map.convoying", f"_1 or _2.province not in {{*position.map.convoying, *{_STRAITS}}}"),
        put("tracked_reads.ConvoyQuestion.answer", "fleets = _.convoyers", f"fleets = frozenset(place for place, unit in board.unit_at.items() if unit.kind == 'F' and place in {{*board.map.convoying, *{_STRAITS}}})"),
        put("waters.waters_of", "sorted(game_map.convoying)", f"sorted({{*game_map.convoying, *(place for place in {_STRAITS} if place in game_map.provinces)}})"),
        put("waters.waters_of", "game_map.shores.items()", "((coast, touched & set(codes)) for coast, touched in game_map.neighbours.items())"),
        put("waters.waters_of", "game_map.fleet.get(code, _)", "game_map.neighbours[code]"),
    ),
    "a fleet supports in place only a unit on a coast that it can reach, 6.B.4": put("single._legal_support_hold", "_check_reach(_1, _2, _3)", "_check_reach(_1, _2, _3 if _2.kind is UnitKind.ARMY or _3 not in position.board.unit_at or position.board.unit_at[_3].location in position.map.fleet.get(_2.location, ()) else _2.province)"),
    "an army supports where it could be convoyed, 6.A.10": put("single._check_reach", "not reachable", "not reachable and not (unit.kind is UnitKind.ARMY and province in position.map.provinces and position.ask(ConvoyQuestion(unit.province, province)))"),
    "of several moves, supports or convoys for a unit the last counts, 4.D.3": put("sorting.sort_out", "rulebook.several_orders", "SeveralOrders.LAST"),
    "of several retreats of a unit the last counts, 4.D.3": put("retreats.judge_retreats", "rules.several_orders", "SeveralOrders.LAST"),
    "of several retreats of a unit none counts, 4.D.3": put("retreats.judge_retreats", "rules.several_orders", "[*SeveralOrders][-1]"),
    "an illegal build uses up a build": put("adjustments._build", "return reason", "account.declined += account.builds_left > 0\nreturn reason"),
    "more units are built than there are centres for": put("adjustments._build", "_no_build_left(_1)", "(_no_build_left(_1) if _1.surplus <= 0 else None)"),
    "one unit more is built than there are centres for": put("adjustments._build", "_no_build_left(_1)", "(_no_build_left(_1) if _1.surplus < 0 or _1.builds_left + when(_1) <= 0 else None)"),
    "a unit that is built uses up no build": put("adjustments._Account.builds_left", "len(self.built)", "sum(not when(unit) for unit in self.built)"),
    "a build that is declined declines all that are left": put("adjustments._decline", "account.declined += 1", "account.declined += max(1, account.builds_left)"),
    "a power removes no unit by an order that stands on its own centre": put("adjustments._not_removable", "_1 or _2.power != account.power", "_1 or _2.power != account.power or account.board.centers.get(_2.province) == account.power"),
    "an illegal removal counts as one": put("adjustments._remove", "return reason", "account.surplus += account.surplus < 0\nreturn reason"),
    "an illegal retreat hinders others, 6.H.10": (
        put("retreats._enter", "_Entry(order, lost.unit.province, reason=str(illegal))", "_Entry(order, lost.unit.province, getattr(order, 'destination', None), reason=str(illegal))"),
        put("retreats.judge_retreats", "{_1: _2 for _3 in _ for _4 in _5 if _6}", "{entry.province: entry for given in entries.values() for entry in given if entry.reason is None or entry.destination}"),
        put("retreats.judge_retreats", "(entry := counted.get(lost.unit.province)) and entry.destination and _1", "(entry := counted.get(lost.unit.province)) and entry.destination and entry.reason is None and _1"),
    ),
    "a unit may retreat to where a unit of its own power bounced": put("outcome.Outcome._retreats", "province not in self.contested", "province not in {move.destination.province for move in self._moves if move.power != unit.power and move.destination.province in self.contested and move.destination.province not in self._arrived}"),
    "a unit may not retreat to where a disrupted convoy was to go, 6.F.7": put("outcome.Outcome.contested", "prevent(_1, _, _2) > 0", "prevent(_1, _1, _2) > 0 or not _2.by_land"),
    "a unit may retreat to where units bounced if that was left, 6.H.6": put("outcome.Outcome._retreats", "province not in self.contested", "province not in self.contested or province in self.moved"),
    "a fleet may retreat to another coast of where its attacker came from, 6.H.15": put("outcome.Outcome._retreats", "(province := province_of(location)) != barred", "(province := province_of(location)) != barred or (unit.kind is UnitKind.FLEET and location != province and location != self.board.unit_at[attacker.origin.province].location)"),
    "a unit that is dislodged contests nothing, 6.H.6": put("outcome.Outcome.contested", "prevent(_1, _, _2) > 0", "prevent(_1, _1, _2) > 0 and not any(_1[other.index] for other in _2.origin.moves_in)"),
    "a standoff of more than two contests nothing, 6.H.6": put("outcome.Outcome.contested", "prevent(_1, _, _2) > 0", "prevent(_1, _1, _2) > 0 and len(_2.destination.moves_in) < 3"),
    "SUPPORT never cut by a unit that is dislodged": put("statement.cuts", "[_1, _2, _3, unprotected(L, _4, _5)]", "[_1, _2, _3, unprotected(L, _4, _5), L.none_of((~L).move(_) for _ in _4.origin.moves_in)]"),
    "civil disorder counts from home centres that are owned, or from all that are where there is none, 4.D.8": put("adjustments.steps_from_home", "[_ for _ in _ if owner == power]", "[code for code in sorted(board.homes(power)) if board.centers.get(code) == power] or [code for code, owner in board.centers.items() if owner == power]"),
    "civil disorder counts for all by land alone, 4.D.8": put("adjustments.steps_from_home", "return lambda unit: found.get(_, inf)", "by_army = _distances(board.map.army, owned)\nreturn lambda unit: (by_army if when(unit) else found).get(unit.province, inf)"),
    "civil disorder counts over seas and coasts alone, 4.D.8": put("adjustments.steps_from_home", "return lambda unit: found.get(_, inf)", "wet = {code for code, one in board.map.provinces.items() if one.terrain is not Terrain.INLAND}\nover_water = _distances({code: board.map.neighbours[code] & wet for code in sorted(wet)}, owned)\nreturn lambda unit: (over_water if when(unit) else found).get(unit.province, inf)"),
    "an order to disband a dislodged unit is illegal": put("retreats._enter", "_destination(_1, _2, _3, _4) if isinstance(order, Retreat) else None", "_destination(_1, _2, _3, _4) if isinstance(order, Retreat) else (one for one in ()).throw(IllegalOrder('it may not be disbanded')) if when(lost, lost.unit) else None"),
    "some centres of a power do not count": put("seasons.counted_centers", "[*board.centers.values()].count(power)", "sum(owner == power and not when(power, code) for code, owner in board.centers.items())"),
    "two units are built in a season at most": put("adjustments._Account.builds_left", "self.surplus", "min(self.surplus, 2)"),
    "a fleet's move by convoy goes by sea, 4.E.1.via": put("single._legal_move", "order.via_convoy and position.rules.impossible_via is Mistake.ILLEGAL", "False"),
    "a retreat by convoy is a retreat, 4.E.1.via": put("retreats._enter", "isinstance(order, Retreat) and order.via_convoy and rules.impossible_via is Mistake.ILLEGAL", "False"),
    "a fleet's retreat to a coast that is not open goes to the other one, 4.B.3": put("retreats._destination", "fleet_destination(_1, _2, _3, _4)", "next((there for there in (named, *lost.retreats) if there in lost.retreats and province_of(there) == province_of(named)), named)"),
    "a build is declined though none is left, 4.D.7": put("adjustments._decline", "return reason", "return None if account.surplus > 0 else reason"),
    "a legal retreat is illegal": put("retreats._destination", "return destination", "raise IllegalOrder('it is legal')"),
    "a fleet is built on the first coast where none is named, 4.B.7": (
        put("adjustments._new_unit", "_1 is CoastOmitted.DEFAULT", "True"),
        put("adjustments._new_unit", "location = province.default_location", "location = province.locations[0]"),
    ),
    "a fleet is built on the usual coast where one is named that there is not, 4.B.6": put("adjustments._new_unit", "account.rules.build_coast is CoastOmitted.DEFAULT", "(account.rules.build_coast is CoastOmitted.DEFAULT or '/' in order.unit.location)"),
    "civil disorder takes one unit too few, 4.D.8": put("adjustments._civil_disorder", "max(0, _1)", "max(0, _1 - 1)"),
    "civil disorder takes fleets before armies at any distance, 4.D.8": put("adjustments.order_of_removal.rank", "-steps", "min(steps, 999) / -1e6 - (unit.kind is UnitKind.FLEET)"),
    "civil disorder takes armies before fleets at any distance, 4.D.8": put("adjustments.order_of_removal.rank", "-steps", "min(steps, 999) / -1e6 - (unit.kind is UnitKind.ARMY)"),
    "civil disorder takes some units first, 4.D.8": put("adjustments.order_of_removal.rank", "-steps", "(not when(unit), -steps)"),
    "civil disorder takes some units last, 4.D.8": put("adjustments.order_of_removal.rank", "-steps", "(when(unit), -steps)"),
    "a build that names no kind is of an army, 4.C.3": put("adjustments._kind", "UnitKind.FLEET if _1 else None", "UnitKind.FLEET if _1 else UnitKind.ARMY"),
    "a build that names no kind is of a fleet on a coast, 4.C.3": put("adjustments._kind", "UnitKind.FLEET if _1 else None", "UnitKind.FLEET"),
    "civil disorder takes fleets of two coasts as farther, 4.D.8": put("adjustments.order_of_removal.rank", "-steps", "-steps - ('/' in unit.location)"),
}  # fmt: skip
"""What orders count, and what stands in the way of a retreat."""

_RESOLUTION = "{decision.index: value for decision, value in zip(core, values, strict=True)}"
_SUPPORTS = "_all([one for one in core if isinstance(one, SupportDecision)], {})"


def _on_paradoxes(instead: str) -> Edit:
    return put("backup._rule_on_paradox", "_all(_1, False)", instead)


PARADOXES: Mapping[str, Change] = {
    "of several resolutions of a paradox that one counts in which a convoy works": _on_paradoxes(f"next(({_RESOLUTION} for values in resolutions if any(value for one, value in zip(core, values, strict=True) if isinstance(one, ConvoyDecision))), None) or _all(_1, False)"),
    "of several resolutions of a paradox that one counts in which most orders succeed": _on_paradoxes(f"next(({_RESOLUTION} for values in sorted(resolutions, key=sum, reverse=True)), None) or _all(_1, False)"),
    "Szykman's rule: convoys of the core are not broken": _on_paradoxes("{one.index: when(one) for one in convoys}"),
    "Szykman's rule: the convoys of the core work, and its supports are cut": _on_paradoxes(f"_all(convoys, True) | {_SUPPORTS.format(False)}"),
    "Szykman's rule: the convoys of the core work, and all else in it fails": _on_paradoxes("_all(core, False) | _all(convoys, True)"),
    "Szykman's rule: the supports of the core fail as well": _on_paradoxes(f"_all(_1, False) | {_SUPPORTS.format(False)}"),
    "Szykman's rule: the moves of the core fail as well": _on_paradoxes("_all(_1, False) | _all([one for one in core if isinstance(one, MoveDecision)], False)"),
}  # fmt: skip
"""What may be done in place of Szykman's rule (DATC 4.A.2)."""

RULE_VARIATIONS: Mapping[str, Change] = {**NAMES, **COUNTED, **PARADOXES}
"""All of them by name."""
