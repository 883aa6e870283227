"""Describes each use of a rule by all properties of all units that the rule is about.

A rule receives decisions, places, units or orders. These have *roles*: the moving unit, the unit that it attacks, the
supporting unit and so on. All roles are described by the same properties (`_describe_role`: kind, place, order, attacks,
supports), all pairs of roles by the same comparisons (`_describe_pair`), and sets of units (rivals, attackers, supports, fleets
of a convoy) by numbers, kinds and owners (`_describe_units`). Facts for one kind of rule follow below.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import combinations, islice
from typing import Any, NamedTuple

from satjudge.judging.legality import is_connected, make_docket
from satjudge.world.board import Board, Phase, Unit
from satjudge.world.geography import Location, Map, Power, ProvinceCode, UnitKind, province_of
from satjudge.world.orders import Convoy, Move, SupportMove
from satjudge.world.rules import load_rulebook


class Scene(NamedTuple):
    """The facts about a board and its orders on which circumstances depend."""

    board: Board
    ordered: Mapping[ProvinceCode, str]
    """What the unit in each province does, as words after `a unit that`; illegal orders count only if they are moves."""
    active: frozenset[Power]
    """The powers that give orders."""
    unmatched: frozenset[ProvinceCode]
    """The provinces of units whose support or convoy does not match the other unit's order."""
    ordered_to_hold: frozenset[ProvinceCode]
    """The provinces of units that are ordered to hold."""
    sailing: frozenset[ProvinceCode]
    """The origins of armies that are ordered to go by convoy."""
    overseas: frozenset[ProvinceCode]
    """The destinations of armies that are ordered to go by convoy."""
    goals: Mapping[ProvinceCode, Sequence[Unit]]
    """The units that are ordered to move to each province."""
    helped: Mapping[ProvinceCode, Unit]
    """The unit that the unit in each province is ordered to support or convoy."""
    carried: frozenset[tuple[ProvinceCode, ProvinceCode]]
    """The origins and destinations of armies that fleets of their own power are ordered to convoy."""
    backed: frozenset[ProvinceCode]
    """The destinations of moves that a matching order supports."""
    illegal: frozenset[ProvinceCode]
    """The provinces of units whose orders are all illegal."""
    commanded: Mapping[ProvinceCode, Location | None]
    """The destination of each unit that has an order; None if it is not a move."""
    commands: Mapping[ProvinceCode, str]
    """What the unit in each province is ordered to do, as words after `the unit`, even if the order is illegal."""
    spelled: frozenset[ProvinceCode]
    """The provinces of units that support another in place with an order that names the other's coast."""


class Role(NamedTuple):
    """A unit that a rule is about, with the phrase for its role and its place, if the rule has one."""

    who: str
    unit: Unit
    place: Any = None


_DOES = {"Move": "moves", "SupportHold": "supports a unit in place", "SupportMove": "supports a move", "Convoy": "convoys"}
_TOLD = {"Move": "moves", "SupportHold": "supports in place", "SupportMove": "supports a move", "Convoy": "convoys"}
_ALONE = {"an army": "armies", "a fleet": "fleets", "an own unit": "own units", "a foreign unit": "foreign units"}
_ROUTES = 20
"""The largest number of a convoy's routes that are examined."""
_ORDERS = ("Move", "SupportHold", "SupportMove", "Convoy", "Retreat", "Build", "Remove")


def make_scene(board: Board, orders: Mapping[Power, Sequence[Any]]) -> Scene:
    """Compute the facts about a board and its orders on which circumstances depend, so that this is done only once."""
    given, illegal = _collect_orders(board, orders)
    ordered = {place: _DOES[type(order).__name__] for place, order in given.items() if type(order).__name__ in _DOES}
    ordered = {place: does for place, does in ordered.items() if place not in illegal or does == "moves"}
    unmatched = frozenset(place for place, order in given.items() if place in ordered and not _is_matched(order, given))
    held = frozenset(place for place, order in given.items() if type(order).__name__ == "Hold")
    goals: dict[ProvinceCode, list[Unit]] = {}
    helped: dict[ProvinceCode, Unit] = {}
    for place, order in given.items():
        helped_unit = getattr(order, "supported", None) or getattr(order, "convoyed", None)
        if isinstance(order, Move):
            goals.setdefault(province_of(order.destination), []).append(board.unit_at[place])
        elif place in illegal:
            continue
        elif helped_unit is not None and helped_unit.province in board.unit_at:
            helped[place] = board.unit_at[helped_unit.province]
    active = frozenset(power for power in orders if orders[power])
    carried, backed = set[tuple[ProvinceCode, ProvinceCode]](), set[ProvinceCode]()
    for place, order in given.items():
        if isinstance(order, Convoy) and place in helped and helped[place].power == board.unit_at[place].power:
            carried.add((helped[place].province, province_of(order.destination)))
        if isinstance(order, SupportMove) and place not in unmatched:
            backed.add(province_of(order.destination))
    sailing = frozenset(place for place, order in given.items() if _is_overseas(order, board, carried))
    overseas = frozenset(province_of(given[place].destination) for place in sailing)
    return Scene(
        board,
        ordered,
        active,
        unmatched,
        held,
        sailing,
        overseas,
        goals,
        helped,
        frozenset(carried),
        frozenset(backed),
        illegal,
        {place: order.destination if isinstance(order, Move) else None for place, order in given.items()},
        {place: _TOLD[type(order).__name__] for place, order in given.items() if type(order).__name__ in _TOLD},
        frozenset(_iter_coast_supports(board, orders)),
    )


def _iter_coast_supports(board: Board, orders: Mapping[Power, Sequence[Any]]) -> Iterator[ProvinceCode]:
    """Yield the provinces of units that support another unit in place by an order that names this unit's coast."""
    coasts = {unit.location for unit in board.units if "/" in unit.location}
    for order in (one for several in orders.values() for one in several):
        if type(order).__name__ == "SupportHold" and order.supported.location in coasts:
            yield order.unit.province


def _collect_orders(
    board: Board, orders: Mapping[Power, Sequence[Any]]
) -> tuple[dict[ProvinceCode, Any], frozenset[ProvinceCode]]:
    """Return the orders by province in movement phases (a legal one, else the first), and provinces with only illegal ones."""
    if board.phase is not Phase.MOVEMENT:
        return {}, frozenset()
    read = {power: [order for order in several if not isinstance(order, str)] for power, several in orders.items()}
    given: dict[ProvinceCode, Any] = dict(make_docket(board, read, load_rulebook()).orders)
    illegal: dict[ProvinceCode, Any] = {}
    for power, several in read.items():
        for order in several:
            unit = board.unit_at.get(order.unit.province) if getattr(order, "unit", None) else None
            if unit is not None and unit.power == power and unit.province not in given:
                illegal.setdefault(unit.province, order)
    return {**given, **illegal}, frozenset(illegal)


def _is_overseas(order: Any, board: Board, carried: Set[tuple[ProvinceCode, ProvinceCode]]) -> bool:  # noqa: ANN401
    """Return whether an order moves an army by convoy: it has `VIA`, its own power's fleet convoys it, or land is no option."""
    unit = board.unit_at[order.unit.province]
    if not isinstance(order, Move) or unit.kind is not UnitKind.ARMY:
        return False
    goal = province_of(order.destination)
    by_land = goal in board.map.army.get(unit.province, ())
    return not by_land or order.via_convoy or (unit.province, goal) in carried


def _is_matched(order: Any, orders_by_province: Mapping[ProvinceCode, Any]) -> bool:  # noqa: ANN401
    """Return whether a support or convoy matches the other unit's order; True for orders of other kinds."""
    helped = getattr(order, "supported", None) or getattr(order, "convoyed", None)
    if helped is None:
        return True
    other = orders_by_province.get(helped.province)
    if type(order).__name__ == "SupportHold":
        return not isinstance(other, Move)
    return isinstance(other, Move) and province_of(other.destination) == province_of(order.destination)


def find_circumstances(values: Sequence[object], scene: Scene) -> Iterator[str]:
    """Yield the circumstances that are true of a rule's arguments `values`, such as `the moving unit is a fleet`.

    Copies of modules have their own classes, so classes are identified by name.
    """
    board = scene.board
    found: dict[str, list[Any]] = {}
    for value in values:
        first = value[0] if isinstance(value, list | tuple) and value else None
        if isinstance(first, Unit) and isinstance(value, tuple):  # with its distance from home
            found.setdefault("Unit", []).append(first)
        else:
            many = type(first).__name__.endswith("Decision")
            found.setdefault("core" if many else type(value).__name__, []).append(value)
    moves, supports, convoys = (found.get(kind, []) for kind in ("MoveDecision", "SupportDecision", "ConvoyDecision"))
    places = found.get("Place", []) if not moves and not supports else []
    roles = list({role.who: role for role in _iter_roles(moves, supports, convoys, places) if role.unit is not None}.values())
    for role in roles:
        yield from _describe_role(role, scene)
    for one, other in combinations(roles, 2):
        yield from _describe_pair(one, other)
        for helper, helped in ((one, other), (other, one)):
            if scene.helped.get(helper.unit.province) == helped.unit:
                yield f"{helper.who} supports or convoys {helped.who}"
    for who, move in zip(("the moving unit", "the other unit"), moves, strict=False):
        yield from _describe_move(who, move, scene)
    for one, other in combinations(moves[:2], 2):
        both = _is_convoyed(one, scene) and _is_convoyed(other, scene)
        yield _choose(both, "both units are convoyed", "not both units are convoyed")
        if one.destination.province == other.destination.province:
            is_same = one.order.destination == other.order.destination
            yield f"both units go to {_choose(is_same, 'the same place', 'different coasts of one province')}"
        if any(
            move.order.destination.partition("/")[0] == to.origin.province
            and to.origin.unit
            and move.order.destination != to.origin.unit.location
            for move, to in ((one, other), (other, one))
        ):
            yield "one of both units goes to another coast than the one where the other stands"
    for support in supports:
        yield from _describe_support(support, scene)
        for move in support.matches[:1]:
            yield from _describe_move("the supported unit", move, scene)
        for move in moves[:1]:
            from_there = move.origin is support.directed_at
            yield f"the moving unit comes {_choose(from_there, 'from', 'not from')} where the support is directed at"
    for convoy in convoys:
        yield from _describe_convoy(convoy)
    for helping in (*convoys, *supports):
        for move in moves[:1]:
            yield from _describe_destinations(helping.order, move, board.map)
    for convoy in convoys if moves else ():
        yield from _describe_convoy_leg(convoy, moves[0], board.map)
    for place in places[:1]:
        yield from _describe_province("the place is", place.province, board.map)
    for core in found.get("core", []):
        yield from _describe_core(core, scene)
    for order in (one for kind in _ORDERS for one in found.get(kind, [])):
        yield from _describe_order(order, board)
    units = found.get("Unit", []) or [lost.unit for lost in found.get("DislodgedUnit", [])]
    for unit in units[:1]:
        yield from _describe_unit("the unit", unit, board.map)
        if unit.province in scene.commands:
            yield f"the unit {scene.commands[unit.province]}"
        yield from _describe_home("the unit", unit, board)
    for location in [one for one in values if type(one) is str and province_of(one) in board.map.provinces] if units else ():
        yield from _describe_destination("the unit", units[0], location, scene)
    for lost in found.get("DislodgedUnit", []):
        yield f"the unit may retreat to {_choose(len(lost.retreats) > 1, 'several places', 'one place at most')}"
        yield f"the unit may retreat {_choose(bool(lost.retreats), 'somewhere', 'nowhere')}"
    for entry in found.get("_Entry", []):
        yield from _describe_retreat(entry, values, board)
    for power in [one for one in values if type(one) is str and one in board.map.powers]:
        yield from _describe_power("the power", power, board)
        for center in [one for one in values if type(one) is str and one in board.centers]:
            yield from _describe_center(str(center), power, board)
    for account in found.get("_Account", []):
        yield from _describe_account(account)
        yield f"the power gives {_choose(account.power in scene.active, 'orders', 'no orders')}"
        builds = [one for value in found.get("list", []) for one in value if type(one).__name__ == "Build"]
        for order in (*found.get("Build", []), *_iter_repeated_builds(builds)):
            yield from _describe_build(account, order, builds)


def _iter_roles(moves: Sequence[Any], supports: Sequence[Any], convoys: Sequence[Any], places: Sequence[Any]) -> Iterator[Role]:
    for who, move in zip(("the moving unit", "the other unit"), moves, strict=False):
        yield Role(who, move.origin.unit, move.origin)
    for support in supports[:1]:
        yield Role("the supporting unit", support.place.unit, support.place)
        yield Role("the supported unit", support.supported.unit, support.supported)
        if not support.supports_hold:
            yield Role("the unit where the support is directed at", support.directed_at.unit, support.directed_at)
    for move in moves[:1]:
        if not supports:
            yield Role("the attacked unit", move.destination.unit, move.destination)
    for convoy in convoys[:1]:
        yield Role("the convoying fleet", convoy.place.unit, convoy.place)
        for move in convoy.matches[:1]:
            yield Role("the convoyed army", move.origin.unit, move.origin)
            yield Role("the unit where the army goes", move.destination.unit, move.destination)
    for place in places[:1]:
        yield Role("the unit there", place.unit, place)


def _choose(is_true: bool, if_true: str, if_false: str) -> str:
    return if_true if is_true else if_false


def _describe_kind(subject: str, kind: UnitKind | None) -> str:
    return f"{subject} is {_choose(kind is UnitKind.ARMY, 'an army', 'a fleet')}"


# ---- facts about every role ----


def _describe_role(role: Role, scene: Scene) -> Iterator[str]:
    who, unit, place = role
    yield from _describe_unit(who, unit, scene.board.map)
    does = scene.ordered.get(unit.province, "holds")
    yield f"{who} {does}"
    if does.startswith("supports"):
        yield f"{who} supports"
    if does != "moves":
        yield f"{who} does not move"
    yield f"{who} {_choose(bool(place.moves_out), 'has a move', 'has no move')} that counts"
    if does == "moves" and any(_is_convoyed(one, scene) for one in place.moves_out):
        yield f"{who} is to be convoyed away"
    if unit.province in scene.unmatched:
        yield f"{who} supports or convoys what is not ordered"
    elif does.startswith(("supports", "convoys")):
        yield f"{who} supports or convoys what is ordered"
    if unit.province in scene.illegal:
        yield f"{who} has an illegal order"
    if unit.province in scene.illegal or unit.province not in scene.commanded:
        yield f"{who} has no legal order"
    if does == "moves" and not place.moves_out:
        yield f"{who} is ordered to move where it cannot"
    if does == "holds":
        yield f"{who} is {_choose(unit.province in scene.ordered_to_hold, '', 'not ')}ordered to hold"
    if (helped := scene.helped.get(unit.province)) is not None:
        yield f"{who} supports or convoys {_choose(helped.power == unit.power, 'an own', 'a foreign')} unit"
    if unit.power not in scene.active:
        yield f"{who} is of a power without orders"
    attackers = place.moves_in
    for move in place.moves_out:
        yield from _describe_province(f"{who} is to leave for", move.order.destination, scene.board.map)
        where = move.destination.unit
        yield f"{who} is to leave for where {_choose(where is None, 'nobody', 'somebody')} stands"
        yield f"{who} {_choose(bool(move.supports), 'has support', 'has no support')} to leave"
        if _is_convoyed(move, scene):
            yield f"{who} {_choose(move.has_route, 'has a route', 'has no route')} to be convoyed away"
    yield f"{who} is attacked by {('nobody', 'one unit', 'several units')[min(len(attackers), 2)]}"
    foreign = len([one for one in attackers if one.power != unit.power])
    yield f"{who} is attacked by {('no foreign unit', 'one foreign unit')[foreign] if foreign < 2 else 'several foreign units'}"
    yield from _describe_units(f"{who} is attacked by", [one.origin.unit for one in attackers], unit)
    if any(_is_convoyed(one, scene) for one in attackers):
        yield f"{who} is attacked by a convoyed army"
    if attackers:
        yield f"{who} is attacked {_choose(any(one.supports for one in attackers), 'with', 'without')} support"
    supports = place.hold_supports
    yield f"{who} is {_choose(bool(supports), '', 'not ')}supported in place"
    if supports:
        yield f"{who} has {_choose(len(supports) > 1, 'several supports', 'one support')} in place"
    yield from _describe_units(f"{who} is supported in place by", [one.place.unit for one in supports], unit)


def _describe_unit(subject: str, unit: Unit, game_map: Map) -> Iterator[str]:
    yield _describe_kind(subject, unit.kind)
    yield from _describe_province(f"{subject} stands in", unit.location, game_map)


def _describe_province(phrase: str, place: Location, game_map: Map) -> Iterator[str]:
    """Yield facts about a province, each beginning with `phrase`, such as `the unit stands in`."""
    province = game_map.provinces.get(province_of(place))
    if province is not None:
        yield f"{phrase} {_choose(province.terrain == 'inland', 'an inland province', f'a {province.terrain}')}"
        yield f"{phrase} a province with {_choose(len(province.coasts) > 1, 'several coasts', 'one coast at most')}"
        yield f"{phrase} a province {_choose(province.center, 'with', 'without')} a supply centre"


def _describe_pair(one: Role, other: Role) -> Iterator[str]:
    yield f"{one.who} is {_choose(one.unit.power == other.unit.power, 'of', 'not of')} the power of {other.who}"
    yield f"{one.who} is {_choose(one.unit.kind is other.unit.kind, 'of', 'not of')} the kind of {other.who}"


def _describe_units(phrase: str, units: Iterable[Unit | None], own_unit: Unit | None) -> Iterator[str]:
    """Yield which kinds and owners (own: `own_unit`'s power, or foreign) occur among units, and which all of them have."""
    known_units = [one for one in units if one is not None]
    for kind, name in ((UnitKind.ARMY, "an army"), (UnitKind.FLEET, "a fleet")):
        if any(one.kind is kind for one in known_units):
            yield f"{phrase} {name}"
        if known_units and all(one.kind is kind for one in known_units):
            yield f"{phrase} {_ALONE[name]} alone"
    if own_unit is not None:
        for is_own, name in ((True, "an own unit"), (False, "a foreign unit")):
            if any((one.power == own_unit.power) is is_own for one in known_units):
                yield f"{phrase} {name}"
            if known_units and all((one.power == own_unit.power) is is_own for one in known_units):
                yield f"{phrase} {_ALONE[name]} alone"


# ---- moves ----


def _is_convoyed(move: Any, scene: Scene) -> bool:  # noqa: ANN401  # a decision, perhaps of a mutant's class
    """Return whether a move would go by convoy, judging only from the orders."""
    order = move.order
    if order.unit.kind is not UnitKind.ARMY or not (move.by_land or move.might_be_convoyed):
        return False
    carried = (move.origin.province, province_of(order.destination)) in scene.carried
    return not move.by_land or order.via_convoy or carried


def _describe_move(subject: str, move: Any, scene: Scene) -> Iterator[str]:  # noqa: ANN401
    board = scene.board
    yield f"{subject} is {_choose(_is_convoyed(move, scene), '', 'not ')}convoyed"
    if _is_convoyed(move, scene):
        yield from _describe_crossing(subject, move)
    elif move.might_be_convoyed:
        yield f"{subject} has {_choose(move.has_route, 'a route', 'no route')}"
    yield from _describe_province(f"{subject} goes to", move.order.destination, board.map)
    if move.origin.unit is not None:
        yield from _describe_coasts(subject, move.origin.unit, move.order, board.map)
    enemy = move.destination.unit
    yield f"{subject} goes to where {_choose(enemy is None, 'nobody', 'somebody')} stands"
    if enemy is not None:
        yield f"{subject} goes against {_choose(enemy.power == move.power, 'a unit of its own power', 'a foreign unit')}"
        kinds = [_choose(one.kind is UnitKind.ARMY, "an army", "a fleet") for one in (move.origin.unit, enemy)]
        yield f"{subject} is {kinds[0]} against {kinds[1]}"
    yield from _describe_supports(subject, move.supports, move.power)
    if enemy is not None:
        for does, several in (("has support by", move.supports), ("is convoyed by", move.convoys)):
            if any(one.power == enemy.power for one in several):
                yield f"{subject} {does} the power of the attacked unit"
    meets = [one for one in move.opposed if one.destination is move.origin and one.origin is move.destination]
    yield f"{subject} meets {_choose(bool(meets), 'a unit', 'nobody')} that comes the other way"
    if any(_is_convoyed(one, scene) for one in meets):
        yield f"{subject} meets a convoyed unit that comes the other way"
    if enemy is not None and enemy.location != province_of(enemy.location):
        another = move.order.destination != enemy.location
        yield f"{subject} goes to {_choose(another, 'another coast than', 'the coast')} where a unit stands"
    rivals = [one for one in move.destination.moves_in if one is not move]
    yield f"{_choose(bool(rivals), 'another unit', 'nobody else')} goes to the destination of {subject}"
    if len(rivals) > 1:
        yield f"several other units go to the destination of {subject}"
    yield from _describe_units(f"a rival of {subject} is", [one.origin.unit for one in rivals], move.origin.unit)
    if rivals:
        for power, name in ((move.power, "its own power"), (enemy.power if enemy else None, "the attacked unit's power")):
            if all(one.power == power for one in rivals):
                yield f"all rivals of {subject} are of {name}"
    for rival in rivals:
        yield f"a rival of {subject} is {_choose(_is_convoyed(rival, scene), '', 'not ')}convoyed"
        yield f"a rival of {subject} has {_choose(bool(rival.supports), 'support', 'no support')}"


def _describe_crossing(subject: str, move: Any) -> Iterator[str]:  # noqa: ANN401
    yield f"{subject} goes to {_choose(move.by_land, 'an adjacent province', 'a province that is not adjacent')} by convoy"
    yield f"{subject} {_choose(move.order.via_convoy, 'says', 'does not say')} that it goes by convoy"
    foreign = [convoy.power != move.power for convoy in move.convoys]
    yield f"{subject} is convoyed by {_choose(any(foreign), 'a foreign fleet', 'own fleets alone')}"
    yield f"{subject} is convoyed by {_choose(not all(foreign), 'an own fleet', 'foreign fleets alone')}"
    yield f"{subject} has {_choose(move.has_route, 'a route', 'no route')}"
    if move.convoys:
        powers = {convoy.power for convoy in move.convoys}
        yield f"{subject} is convoyed by fleets of {_choose(len(powers) > 1, 'several powers', 'one power')}"
        yield f"{subject} has {_choose(move.count_routes(1) > 1, 'several routes', 'one route at most')}"
        shortest = min((len(route) for route in move.iter_routes()), default=0)
        yield f"{subject} needs {_choose(shortest > 1, 'several fleets', 'one fleet')}"
        if shortest > 2:
            yield f"{subject} needs more than two fleets"
        attacked = any(convoy.place.moves_in for convoy in move.convoys)
        yield f"{_choose(attacked, 'a', 'no')} fleet that convoys {subject} is attacked"


def _describe_supports(subject: str, supports: Sequence[Any], power: Power) -> Iterator[str]:
    yield f"{subject} has {_choose(bool(supports), 'support', 'no support')}"
    if supports:
        yield f"{subject} has {_choose(len(supports) > 1, 'several supports', 'one support')}"
        yield f"{subject} has {_choose(all(one.power == power for one in supports), 'own support alone', 'foreign support')}"
        yield f"{subject} has {_choose(any(one.power == power for one in supports), 'own support', 'foreign support alone')}"
        for kind, name in ((UnitKind.ARMY, "an army"), (UnitKind.FLEET, "a fleet")):
            if any(one.place.unit is not None and one.place.unit.kind is kind for one in supports):
                yield f"{subject} has support by {name}"


# ---- supports and convoys ----


def _describe_support(support: Any, scene: Scene) -> Iterator[str]:  # noqa: ANN401
    who = "the supporting unit"
    if not support.supports_hold:
        by_convoy = any(_is_convoyed(one, scene) for one in support.matches)
        yield f"{who} supports a unit that is {_choose(by_convoy, '', 'not ')}convoyed"
        where = _choose(support.directed_at.unit is None, "nobody", "somebody")
        yield f"{who} supports into where {where} stands"
        if "/" in support.order.destination:
            yield f"{who} names a coast of the destination"
    elif support.supported.unit is not None and "/" in support.supported.unit.location:
        names = support.place.province in scene.spelled
        yield f"{who} {_choose(names, 'names', 'does not name')} the coast where the supported unit stands"
    if any(move.power == support.power for move in support.directed_at.moves_in if move.origin is not support.supported):
        yield "another unit of the power of the supporting unit goes to where the support is directed at"
    against = support.supported if support.supports_hold else support.directed_at
    if against.unit is not None:
        convoying = scene.ordered.get(against.province) == "convoys"
        yield f"the support is for the hold of, or against, {_choose(convoying, 'a convoying fleet', 'no convoying fleet')}"
    for move in support.matches[:1]:
        exits = scene.board.map.exits(support.place.unit.kind, support.place.unit.location)
        goes = move.order.destination in exits
        yield f"{who} could {_choose(goes, '', 'not ')}itself go to the coast where the supported unit goes"
    yield from _describe_province(f"{who} supports into", support.directed_at.province, scene.board.map)
    if support.supported.unit is not None:
        yield from _describe_coasts("the supported unit", support.supported.unit, support.order, scene.board.map)
        kinds = [
            _choose(one.kind is UnitKind.ARMY, "an army", "a fleet") for one in (support.place.unit, support.supported.unit)
        ]
        yield f"{kinds[0]} supports {kinds[1]}"
    if any(move.power == support.power for move in support.supported.moves_in):
        yield "the supported unit is attacked by a unit of the power of the supporting unit"
    matched = len(support.matches[0].supports) if support.matches else len(support.supported.hold_supports)
    yield f"{who} is {_choose(matched > 1, 'one of several', 'the only one')} to support it"


def _describe_coasts(subject: str, unit: Unit, order: Any, game_map: Map) -> Iterator[str]:  # noqa: ANN401
    """Yield whether a fleet could reach one or several coasts of its order's destination, as facts about `subject`."""
    if unit.kind is UnitKind.FLEET and getattr(order, "destination", None):
        coasts = game_map.fleet_reach[unit.location].get(province_of(order.destination), ())
        yield f"{subject} could reach {_choose(len(coasts) > 1, 'several coasts', 'one coast at most')} there"


def _describe_convoy(convoy: Any) -> Iterator[str]:  # noqa: ANN401
    who = "the convoying fleet"
    for move in convoy.matches[:1]:
        yield f"{who} convoys to {_choose(move.by_land, 'an adjacent province', 'a province that is not adjacent')}"
        yield f"{who} is {_choose(len(move.convoys) > 1, 'one of several', 'the only one')} for its army"
        yield from _describe_crossing("the convoyed army", move)


def _describe_convoy_leg(convoy: Any, move: Any, game_map: Map) -> Iterator[str]:  # noqa: ANN401
    """Yield facts about one of the fleets that are ordered to convoy a moving army."""
    who = "the convoying fleet"
    routes = [*islice(move.iter_routes(), _ROUTES)]
    if routes:
        least = min(map(len, routes))
        on_shortest = any(convoy in route for route in routes if len(route) == least)
        yield f"{who} is {_choose(on_shortest, 'on', 'not on')} a shortest route"
        yield f"{who} is {_choose(all(convoy in route for route in routes), 'on every route', 'not on every route')}"
    for end, place in (("comes from", move.origin), ("goes to", move.destination)):
        touches = convoy.place.province in game_map.neighbours[place.province]
        yield f"{who} {_choose(touches, 'borders', 'does not border')} on where the army {end}"


def _describe_destinations(order: Any, move: Any, game_map: Map) -> Iterator[str]:  # noqa: ANN401
    """Yield facts about how the destination that a support or convoy names differs from that of the unit's own move."""
    place, goal = province_of(getattr(order, "destination", "")), move.destination.province
    if place in game_map.provinces and place != goal:
        beside = goal in game_map.neighbours[place]
        yield f"the order names {_choose(beside, 'a province beside the destination', 'no province beside the destination')}"
        origin = place == move.origin.province
        yield f"the moving unit comes {_choose(origin, 'from', 'not from')} where the order says that the army goes"


def _describe_core(core: Sequence[Any], scene: Scene) -> Iterator[str]:
    moves = [one for one in core if type(one).__name__ == "MoveDecision"]
    yield f"{_choose(any(_is_convoyed(one, scene) for one in moves), 'a', 'no')} unit of the circle is convoyed"
    size = {2: "two units", 3: "three units"}.get(len(moves), "more than three units")
    yield f"the circle has {size}"
    kinds = {move.origin.unit.kind for move in moves if move.origin.unit}
    yield f"the circle has {_choose(len(kinds) > 1, 'units of both kinds', 'units of one kind')}"
    yield f"{_choose(UnitKind.FLEET in kinds, 'a', 'no')} fleet is in the circle"
    yield f"{_choose(UnitKind.ARMY in kinds, 'an', 'no')} army is in the circle"
    yield f"the circle has {_choose(len({move.power for move in moves}) > 1, 'units of several powers', 'units of one power')}"
    yield f"{_choose(any(move.supports for move in moves), 'a', 'no')} unit of the circle has support"
    attacked = any(one not in moves for move in moves for one in move.origin.moves_in)
    yield f"{_choose(attacked, 'a', 'no')} unit of the circle is attacked from without"
    fleets = [one for one in core if type(one).__name__ == "ConvoyDecision"]
    if fleets:
        yield f"the core has {_choose(len(fleets) > 1, 'several fleets', 'one fleet')} that convoy"
        yield f"the core has {_choose(len(moves) > 1, 'several moves', 'one move')}"
        armies = {move.origin.province for fleet in fleets for move in fleet.matches}
        yield f"the core has {_choose(len(armies) > 1, 'several convoyed armies', 'one convoyed army')}"
        own = all(move.power == fleet.power for fleet in fleets for move in fleet.matches)
        yield f"the core has {_choose(own, 'convoys of own armies alone', 'a convoy of a foreign army')}"


# ---- orders by themselves, retreats and adjustments ----


def _describe_order(order: Any, board: Board) -> Iterator[str]:  # noqa: ANN401
    """Yield facts about an order that do not depend on other orders."""
    if type(order).__name__ in _TOLD:
        yield f"the unit {_TOLD[type(order).__name__]}"
    if getattr(order, "destination", None):
        yield from _describe_province("the order is for", order.destination, board.map)
        yield f"the order {_choose('/' in order.destination, 'names a coast', 'names no coast')} of its destination"
        target_unit = board.unit_at.get(province_of(order.destination))
        yield f"the order is for a province where {_choose(target_unit is None, 'nobody', 'somebody')} stands"
    ordered = board.unit_at.get(order.unit.province) if order.unit is not None else None
    if ordered is not None and type(order).__name__ in _TOLD:
        yield from _describe_unit("the unit", ordered, board.map)
    if isinstance(order, Move):
        if ordered is not None and all(
            board.map.provinces[one].terrain == "coast" for one in (ordered.province, province_of(order.destination))
        ):
            yield "the order is from a coast to a coast"
        yield f"the order {_choose(order.via_convoy, 'says', 'does not say')} that the unit goes by convoy"
    helped_name = getattr(order, "supported", None) or getattr(order, "convoyed", None)
    helped = board.unit_at.get(helped_name.province) if helped_name else None
    mover = helped if helped_name else ordered
    if mover is not None:
        yield from _describe_coasts("the helped unit" if helped_name else "the unit", mover, order, board.map)
    if mover is not None and getattr(order, "destination", None) and type(order).__name__ in _TOLD:
        exits = map(province_of, board.map.exits(mover.kind, mover.location))
        adjacent = province_of(order.destination) in exits
        yield f"the order is for {_choose(adjacent, 'an adjacent province', 'a province that is not adjacent')}"
    if isinstance(order, Convoy) and helped is not None:
        could = is_connected(board.open_map, helped.province, province_of(order.destination), board.convoyers)
        yield f"{_choose(could, 'fleets', 'no fleets')} could convoy the army there"
    if ordered is not None and helped is not None and ordered.kind is UnitKind.FLEET:
        into = province_of(getattr(order, "destination", "") or helped.location)
        if into in board.map.provinces and len(board.map.provinces[into].coasts) > 1:
            several = len(board.map.fleet_reach[ordered.location].get(into, ())) > 1
            yield f"the unit supports where it could reach {_choose(several, 'several coasts', 'one coast at most')}"
    if ordered is not None and helped is not None:
        yield f"the order helps {_choose(ordered.power == helped.power, 'an own', 'a foreign')} unit"
        yield f"the order helps {_choose(helped.kind is UnitKind.ARMY, 'an army', 'a fleet')}"
    if type(order).__name__ in ("Build", "Remove"):
        yield _describe_kind("the unit", order.unit.kind)
        yield from _describe_province("the order is for", order.unit.location, board.map)


def _describe_home(subject: str, unit: Unit, board: Board) -> Iterator[str]:
    at_home = unit.province in board.homes(unit.power)
    yield f"{subject} stands {_choose(at_home, 'in', 'outside')} its home centres"
    owned = board.centers.get(unit.province) == unit.power
    yield f"{subject} stands in {_choose(owned, 'a centre', 'no centre')} of its power"
    yield from _describe_power(f"the power of {subject}", unit.power, board)


def _describe_power(subject: str, power: Power, board: Board) -> Iterator[str]:
    yield f"{subject} has {_choose(power in board.centers.values(), 'a supply centre', 'no supply centre')}"
    at_home = any(board.centers.get(home) == power for home in board.homes(power))
    yield f"{subject} has {_choose(at_home, 'a home centre', 'no home centre')}"


def _describe_center(center: ProvinceCode, power: Power, board: Board) -> Iterator[str]:
    """Yield facts about a supply centre in relation to a power."""
    center_unit = board.unit_at.get(center)
    who = "nobody" if center_unit is None else _choose(center_unit.power == power, "an own unit", "a foreign unit")
    yield f"{who} stands in the centre"
    yield f"the centre is {_choose(center in board.homes(power), 'a', 'no')} home centre of the power"
    yield from _describe_province("the centre is", center, board.map)


def _describe_destination(subject: str, unit: Unit, location: Location, scene: Scene) -> Iterator[str]:
    """Yield facts about a unit's destination, each beginning with `subject`."""
    board = scene.board
    if province_of(location) in scene.overseas:
        yield f"{subject} goes to where an army is ordered to go by convoy"
    if province_of(location) in scene.backed:
        yield f"{subject} goes to where a move is supported"
    if province_of(scene.commanded.get(unit.province) or "") == province_of(location):
        yield f"{subject} goes to where it was ordered to move"
    others = [one for one in scene.goals.get(province_of(location), ()) if one.province != unit.province]
    if others:
        yield f"{subject} goes to where another unit is ordered to go"
        alike = any(scene.commanded[one.province] == location for one in others)
        yield f"{subject} goes to {_choose(alike, 'a place', 'another coast than the one')} where another unit is ordered to go"
    yield from _describe_units(f"{subject} goes to a goal of", others, unit)
    yield from _describe_province(f"{subject} goes to", location, board.map)
    locations = board.map.provinces[province_of(location)].locations
    if len(locations) > 1 and location in locations:
        yield f"{subject} goes to {_choose(location == locations[0], 'the first coast', 'another coast than the first')}"
    if unit.kind is UnitKind.FLEET:
        coasts = board.map.fleet_reach[unit.location].get(province_of(location), ())
        yield f"{subject} could reach {_choose(len(coasts) > 1, 'several coasts', 'one coast at most')} there"
    exits = list(map(province_of, board.map.exits(unit.kind, unit.location)))
    by_sea = any(board.map.provinces[one].terrain == "sea" and one not in board.unit_at for one in exits)
    yield f"{subject} borders on {_choose(by_sea, 'a', 'no')} sea where nobody was"
    adjacent = province_of(location) in exits
    yield f"{subject} goes to {_choose(adjacent, 'a province', 'no province')} that it borders on"
    target_unit = board.unit_at.get(province_of(location))
    if target_unit is not None and target_unit.province != unit.province:
        yield f"{subject} goes to where somebody was"
        if target_unit.province in scene.sailing:
            yield f"{subject} goes to where an army was that is ordered to go by convoy"
        yield f"{subject} goes to where {_choose(target_unit.power == unit.power, 'an own', 'a foreign')} unit was"
        yield f"{subject} goes to where {_choose(target_unit.kind is UnitKind.ARMY, 'an army', 'a fleet')} was"
    else:
        yield f"{subject} goes to where nobody was"


def _describe_retreat(entry: Any, values: Sequence[object], board: Board) -> Iterator[str]:  # noqa: ANN401
    """Yield facts about the retreat of `entry` and others to its province; `values` are the arguments of satjudge's rule.

    Of these arguments, one maps provinces to numbers of retreating units, and one lists destinations by number.
    """
    lost = {one.unit.province: one.unit for one in board.dislodged}
    unit, destination = lost.get(entry.province), province_of(entry.destination or "")
    if unit is None:
        return
    who = "the retreating unit"
    yield from _describe_unit(who, unit, board.map)
    yield from _describe_province(f"{who} goes to", destination, board.map)
    numbers = next((one for one in values if isinstance(one, dict)), {})
    going = next((one for one in values if isinstance(one, list) and one and type(one[0]) is int), [])
    goal = going[numbers[entry.province]] if numbers.get(entry.province, len(going)) < len(going) else -1
    rivals = [
        lost[province]
        for province, number in numbers.items()
        if number < len(going) and going[number] == goal >= 0 and province != entry.province and province in lost
    ]
    for rival in rivals:
        yield f"{_choose(rival.power == unit.power, 'an own', 'a foreign')} unit retreats to the same province"
        yield f"a unit of the {_choose(rival.kind is unit.kind, 'same', 'other')} kind retreats to the same province"
        yield f"{_choose(rival.kind is UnitKind.ARMY, 'an army', 'a fleet')} retreats to the same province"
    if rivals:
        yield f"{_choose(len(rivals) > 1, 'several units retreat', 'one other unit retreats')} to the same province"
        yield from _describe_units("those that retreat to the same province are", rivals, unit)
        for alike, name in ((True, "the same"), (False, "the other")):
            if all((one.kind is unit.kind) is alike for one in rivals):
                yield f"those that retreat to the same province are units of {name} kind alone"


def _iter_repeated_builds(orders: Sequence[Any]) -> Iterator[Any]:
    """Yield the builds in provinces where an earlier order builds as well."""
    before = set[ProvinceCode]()
    for order in orders:
        if order.unit.province in before:
            yield order
        before.add(order.unit.province)


def _describe_build(account: Any, order: Any, orders: Sequence[Any]) -> Iterator[str]:  # noqa: ANN401
    """Yield facts about the province of a build: its unit, its owner, and other builds there."""
    board, kind, province = account.board, order.unit.kind, order.unit.province
    present_unit = board.unit_at.get(province)
    who = "nobody" if present_unit is None else _choose(present_unit.power == account.power, "an own unit", "a foreign unit")
    yield f"{who} stands where is built"
    if present_unit is not None:
        yield f"a unit of the {_choose(present_unit.kind is kind, 'same', 'other')} kind stands where is built"
        if present_unit.location != order.unit.location and present_unit.location != province:
            yield "a fleet stands on another coast than the one where is built"
    before = [*account.built, *(one.unit for one in orders if one is not order)]
    for one in before:
        if one.province == province:
            yield f"a unit of the {_choose(one.kind is kind, 'same', 'other')} kind is built there, too"
            yield f"a unit is built there, too, on {_choose(one.location == order.unit.location, 'the same', 'another')} coast"
    earlier = orders[: next((number for number, one in enumerate(orders) if one is order), 0)]
    for one in (*account.built, *(one.unit for one in earlier)):
        if one.province == province:
            yield f"{_choose(one.kind is UnitKind.ARMY, 'an army', 'a fleet')} was built there before"
    owner = board.centers.get(province)
    owner_text = "nobody's" if owner is None else _choose(owner == account.power, "the power's own", "another power's")
    yield f"it is built in a province that is {owner_text}"
    home = board.map.provinces[province].home
    owner_text = "nobody's home" if home is None else _choose(home == account.power, "the power's home", "another power's home")
    yield f"it is built in {owner_text}"


def _describe_account(account: Any) -> Iterator[str]:  # noqa: ANN401
    surplus = account.surplus
    yield "one unit is built or removed" if abs(surplus) == 1 else "several units are built or removed"
    yield f"the power has units {_choose(surplus < 0, 'too many', 'to build or none')}"
    if surplus > 0:
        yield "the power has units to build"
        left = surplus - len(account.built) - account.declined  # not `builds_left`, which may be broken
        yield f"the power has {_choose(left > 0, 'builds', 'no build')} left"
    yield f"the power has {_choose(surplus == 0, 'as many units as centres', 'more or fewer units than centres')}"
    yield f"the power has {_choose(bool(account.built), 'built a unit', 'built nothing')} before"
    if len(account.built) > 1:
        yield "the power has built several units before"
    yield f"the power has {_choose(account.declined > 0, 'declined a build', 'declined nothing')} before"
    yield from _describe_power("the power", account.power, account.board)
    mine = [unit for unit in account.board.units if unit.power == account.power]
    yield f"the power has {_choose(bool(mine), 'units', 'no units')}"
    if len(mine) == 1:
        yield "the power has one unit"
    homes = account.board.homes(account.power)
    at_home = any(unit.province in homes for unit in mine)
    yield f"the power has {_choose(at_home, 'a unit', 'no unit')} in its home centres"
    lost = any(account.board.centers.get(home) != account.power for home in homes)
    yield f"the power has {_choose(lost, 'lost a home centre', 'all its home centres')}"
    free = sum(account.board.centers.get(home) == account.power and home not in account.board.unit_at for home in homes)
    yield f"{('no home centre is', 'one home centre is')[free] if free < 2 else 'several home centres are'} free to build in"
    kinds = {unit.kind for unit in mine}
    yield f"the power has {_choose(len(kinds) > 1, 'units of both kinds', 'units of one kind')}"
