"""Says in which cases a fault applies, by circumstances of the units, orders and places that a rule is about.

A circumstance is a clause such as `the moving unit is convoyed`. A fault with some is written `FAULT, if ONE and OTHER`, and
applies where all of them are true. What is true is read off the values that a function of the rules is given: whichever
function a fault breaks, its circumstances are in the same words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from types import MappingProxyType
from typing import Any, NamedTuple

from satjudge.world.board import Board, Unit
from satjudge.world.geography import Location, Map, Power, ProvinceCode, UnitKind, province_of
from satjudge.world.orders import Move

IF, AND = ", if ", " and "
Condition = tuple[str, ...]
"""Circumstances that must all be true, sorted; none if a fault applies always."""


def split_fault(name: str) -> tuple[str, Condition]:
    """Split the name of a fault into that of the rule broken and the circumstances in which it is."""
    base, _, condition = name.partition(IF)
    return base, tuple(sorted(condition.split(AND))) if condition else ()


def fault_if(base: str, condition: Iterable[str]) -> str:
    """Name a fault that applies in some circumstances only."""
    told = AND.join(sorted(condition))
    return f"{base}{IF}{told}" if told else base


def is_conditional(fault: str) -> bool:
    """Tell whether a fault has circumstances."""
    return IF in fault


class Scene(NamedTuple):
    """What a judged board is told by, beside the values of the rules."""

    board: Board
    ordered: Mapping[ProvinceCode, str]
    """What the unit in each province is ordered to do, by its first order, as words after `a unit that`."""
    active: frozenset[Power]
    """The powers that give orders."""


def _ordered_to(board: Board, orders: Mapping[Power, Sequence[Any]]) -> dict[ProvinceCode, str]:
    found: dict[ProvinceCode, str] = {}
    for power, given in orders.items():
        for order in given:
            there = board.unit_at.get(order.unit.province) if getattr(order, "unit", None) else None
            if there is not None and there.power == power and (does := _DOES.get(type(order).__name__)):
                found.setdefault(there.province, does)
    return found


_DOES = {"Move": "moves", "SupportHold": "supports a unit in place", "SupportMove": "supports a move", "Convoy": "convoys"}


class Circumstances:
    """Decides of each use of broken functions whether their faults apply, on the board that is judged."""

    def __init__(self, conditions: Mapping[int, Sequence[Condition]] = MappingProxyType({})) -> None:
        self.scene: Scene | None = None
        self.uses: dict[int, set[frozenset[str]]] = {}
        """What is true at each use of a fault with a condition so far, by the number of the fault."""
        self._seen: dict[tuple[int, ...], tuple[frozenset[str], tuple[object, ...]]] = {}
        self.switch(conditions)

    def switch(self, conditions: Mapping[int, Sequence[Condition]]) -> None:
        """Let faults apply, given by number, each under any of some conditions."""
        self.conditions = {number: () if () in several else tuple(several) for number, several in conditions.items()}
        self.are_limited = any(self.conditions.values())

    def judging(self, board: Board, orders: Mapping[Power, Sequence[Any]]) -> None:
        """Begin with another board and its orders."""
        self.scene, self._seen = Scene(board, _ordered_to(board, orders), frozenset(p for p in orders if orders[p])), {}
        self.uses.clear()

    def hold(self, number: int, *values: object) -> bool:
        """Tell whether the circumstances of a fault are true of the values that a function was given."""
        conditions = self.conditions[number]
        if not conditions:
            return True
        found = self.true_of(values)
        self.uses.setdefault(number, set()).add(found)
        return any(found.issuperset(condition) for condition in conditions)

    def true_of(self, values: tuple[object, ...]) -> frozenset[str]:
        """Return all circumstances that are true of some values; these are kept, so that none is taken for another."""
        key = tuple(map(id, values))
        found = self._seen.get(key)
        if found is None:
            true = frozenset(_true_of(values, self.scene)) if self.scene else frozenset[str]()
            found = self._seen[key] = true, values
        return found[0]


def _true_of(values: Sequence[object], scene: Scene) -> Iterator[str]:
    """Yield all circumstances that are true of some values, by the names of their classes.

    Mutants have classes of their own.
    """
    board = scene.board
    found: dict[str, list[Any]] = {}
    for value in values:
        many = isinstance(value, list | tuple) and value and type(value[0]).__name__.endswith("Decision")
        found.setdefault("core" if many else type(value).__name__, []).append(value)
    moves, supports, places = found.get("MoveDecision", []), found.get("SupportDecision", []), found.get("Place", [])
    for who, move in zip(("the moving unit", "the other unit"), moves, strict=False):
        yield from _of_move(who, move, scene)
    for one, other in combinations(moves[:2], 2):
        yield "both units are of one power" if one.power == other.power else "the units are of two powers"
        if _is_convoyed(one) and _is_convoyed(other):
            yield "both units are convoyed"
    for support in supports:
        yield from _of_support(support, scene)
        for move in moves[:1]:
            yield from _of_attack_on_support(move, support)
    for convoy in found.get("ConvoyDecision", []):
        yield from _of_convoy(convoy, board)
    for place in places[:1] if not moves and not supports else ():
        yield from _of_place("the unit there", place, scene)
    for core in found.get("core", []):
        yield from _of_core(core)
    for unit in found.get("Unit", []):
        yield from _of_unit("the unit", unit, board.map)
    for order in (one for kind in _ORDERS for one in found.get(kind, [])):
        yield from _of_order(order, board)
    for entry in found.get("_Entry", []):
        yield from _of_retreat(entry, values, board)
    for account in found.get("_Account", []):
        yield "one unit is built or removed" if abs(account.surplus) == 1 else "several units are built or removed"


_ORDERS = ("Move", "SupportHold", "SupportMove", "Convoy", "Retreat", "Build", "Remove")


def _either(is_true: bool, one: str, other: str) -> str:
    return one if is_true else other


def _kind(who: str, kind: UnitKind | None) -> str:
    return f"{who} is {_either(kind is UnitKind.ARMY, 'an army', 'a fleet')}"


def _of_province(does: str, place: Location, game_map: Map) -> Iterator[str]:
    """Yield what is true of a province, after words such as `the unit stands in`."""
    province = game_map.provinces.get(province_of(place))
    if province is not None:
        yield f"{does} {_either(province.terrain == 'inland', 'an inland province', f'a {province.terrain}')}"
        yield f"{does} a province with {_either(len(province.coasts) > 1, 'several coasts', 'one coast at most')}"
        yield f"{does} a province {_either(province.center, 'with', 'without')} a supply centre"


def _is_convoyed(move: Any) -> bool:  # noqa: ANN401  # a decision, perhaps of a mutant's class
    """Tell whether a move goes by convoy as far as orders tell."""
    if not move.might_be_convoyed:
        return False
    return not move.by_land or move.order.via_convoy or any(convoy.power == move.power for convoy in move.convoys)


def _of_move(who: str, move: Any, scene: Scene) -> Iterator[str]:  # noqa: ANN401
    game_map = scene.board.map
    yield _kind(who, move.origin.unit.kind if move.origin.unit else move.order.unit.kind)
    yield f"{who} is {_either(_is_convoyed(move), '', 'not ')}convoyed"
    if _is_convoyed(move):
        yield from _of_crossing(who, move)
    yield from _of_province(f"{who} goes to", move.order.destination, game_map)
    yield from _of_province(f"{who} comes from", move.order.unit.location, game_map)
    yield from _against(f"{who} goes", move.destination, move.power, scene)
    yield from _of_supports(who, move.supports, move.power)
    meets = [one for one in move.opposed if one.destination is move.origin and one.origin is move.destination]
    yield f"{who} meets {_either(bool(meets), 'a unit', 'nobody')} that comes the other way"
    if any(map(_is_convoyed, meets)):
        yield f"{who} meets a convoyed unit that comes the other way"
    attacked = any(one.power != move.power for one in move.origin.moves_in)
    yield f"{_either(attacked, 'a foreign unit', 'no foreign unit')} goes to where {who} comes from"
    there = move.destination.unit
    if there is not None and there.location != province_of(there.location):
        another = move.order.destination != there.location
        yield f"{who} goes to {_either(another, 'another coast than', 'the coast')} where a unit stands"
    rivals = [one for one in move.destination.moves_in if one is not move]
    if len(rivals) > 1:
        yield f"several other units go to the destination of {who}"
    yield f"{_either(bool(rivals), 'another unit', 'nobody else')} goes to the destination of {who}"
    for rival in rivals:
        yield f"{_either(rival.power == move.power, 'another own', 'another foreign')} unit goes to the destination of {who}"


def _of_crossing(who: str, move: Any) -> Iterator[str]:  # noqa: ANN401
    yield f"{who} goes to {_either(move.by_land, 'an adjacent province', 'a province that is not adjacent')} by convoy"
    yield f"{who} {_either(move.order.via_convoy, 'says', 'does not say')} that it goes by convoy"
    foreign = any(convoy.power != move.power for convoy in move.convoys)
    yield f"{who} is convoyed by {_either(foreign, 'a foreign fleet', 'own fleets alone')}"
    yield f"{who} has {_either(move.has_route, 'a route', 'no route')}"
    if move.convoys:
        yield f"{who} has {_either(move.number_of_routes(1) > 1, 'several routes', 'one route at most')}"
        shortest = min((len(route) for route in move.some_routes()), default=0)
        yield f"{who} needs {_either(shortest > 1, 'several fleets', 'one fleet')}"


def _against(does: str, place: Any, power: Power, scene: Scene) -> Iterator[str]:  # noqa: ANN401
    """Yield what is true of the unit that stands where a move or a support is directed at."""
    there = place.unit
    if there is None:
        yield f"{does} where nobody stands"
        return
    yield f"{does} where somebody stands"
    yield f"{does} against {_either(there.power == power, 'a unit of its own power', 'a foreign unit')}"
    yield f"{does} against {_either(there.kind is UnitKind.ARMY, 'an army', 'a fleet')}"
    yield from _doing(f"{does} against a unit that", there, scene)
    yield f"{does} against a unit that is {_either(bool(place.hold_supports), '', 'not ')}supported in place"


def _doing(what: str, unit: Unit, scene: Scene) -> Iterator[str]:
    """Yield what a unit is ordered to do, after words such as `against a unit that`."""
    does = scene.ordered.get(unit.province, "holds")
    yield f"{what} {does}"
    if does.startswith("supports"):
        yield f"{what} supports"
    if does != "moves":
        yield f"{what} does not move"
    if unit.power not in scene.active:
        yield f"{what} is of a power without orders"


def _of_supports(who: str, supports: Sequence[Any], power: Power) -> Iterator[str]:
    yield f"{who} has {_either(bool(supports), 'support', 'no support')}"
    if supports:
        yield f"{who} has {_either(len(supports) > 1, 'several supports', 'one support')}"
        yield f"{who} has {_either(any(one.power == power for one in supports), 'own', 'foreign')} support"


def _of_support(support: Any, scene: Scene) -> Iterator[str]:  # noqa: ANN401
    game_map = scene.board.map
    who = "the supporting unit"
    yield _kind(who, support.place.unit.kind if support.place.unit else support.order.unit.kind)
    yield f"{who} supports {_either(support.supports_hold, 'a unit in place', 'a move')}"
    supported = support.supported.unit
    if supported is not None:
        yield f"{who} supports {_either(supported.power == support.power, 'an own', 'a foreign')} unit"
        yield f"{who} supports {_either(supported.kind is UnitKind.ARMY, 'an army', 'a fleet')}"
    if support.supports_hold:
        if supported is not None:
            yield from _doing(f"{who} supports a unit that", supported, scene)
    else:
        yield f"{who} supports a unit that is {_either(any(map(_is_convoyed, support.matches)), '', 'not ')}convoyed"
        yield from _against(f"{who} supports", support.directed_at, support.power, scene)
    yield from _of_province(f"{who} stands in", support.order.unit.location, game_map)
    yield from _of_province(f"{who} supports into", getattr(support.order, "destination", support.supported.province), game_map)
    attacked = len([one for one in support.place.moves_in if one.power != support.power])
    yield f"{who} is attacked by {('nobody', 'one unit')[attacked] if attacked < 2 else 'several units'}"
    yield f"{who} is {_either(bool(support.place.hold_supports), '', 'not ')}supported in place"
    if len(support.matches) == 1 and support.order.destination != province_of(support.order.destination):
        yield f"{who} names a coast of the destination"


def _of_attack_on_support(move: Any, support: Any) -> Iterator[str]:  # noqa: ANN401
    from_there = move.origin is support.directed_at
    yield f"the moving unit comes {_either(from_there, 'from', 'not from')} where the support is directed at"
    yield f"the moving unit is {_either(move.power == support.power, 'of', 'not of')} the power of the supporting unit"
    if support.supported.unit is not None:
        own = move.power == support.supported.unit.power
        yield f"the moving unit is {_either(own, 'of', 'not of')} the power of the supported unit"


def _of_convoy(convoy: Any, board: Board) -> Iterator[str]:  # noqa: ANN401
    who = "the convoying fleet"
    army = board.unit_at.get(convoy.order.convoyed.province)
    if army is not None:
        yield f"{who} convoys {_either(army.power == convoy.power, 'an own', 'a foreign')} army"
    for move in convoy.matches[:1]:
        yield f"{who} convoys to {_either(move.by_land, 'an adjacent province', 'a province that is not adjacent')}"
        yield f"{who} is {_either(len(move.convoys) > 1, 'one of several', 'the only one')} for its army"
        yield f"the army of {who} has {_either(move.number_of_routes(1) > 1, 'several routes', 'one route at most')}"
    attackers = convoy.place.moves_in
    yield f"{who} is attacked by {'several units' if len(attackers) > 1 else 'one unit' if attackers else 'nobody'}"
    if attackers:
        yield f"{who} is attacked {_either(any(one.supports for one in attackers), 'with', 'without')} support"
    for attacker in attackers:
        yield f"{who} is attacked by {_either(attacker.order.unit.kind is UnitKind.ARMY, 'an army', 'a fleet')}"
    yield from _of_province(f"{who} stands in", convoy.order.unit.location, board.map)


def _of_place(who: str, place: Any, scene: Scene) -> Iterator[str]:  # noqa: ANN401
    game_map = scene.board.map
    yield from _of_province("the place is", place.province, game_map)
    if place.unit is not None:
        yield _kind(who, place.unit.kind)
        yield from _doing(f"{who}", place.unit, scene)
        if any(map(_is_convoyed, place.moves_out)):
            yield f"{who} is to be convoyed away"
        yield from _of_supports(who, place.hold_supports, place.unit.power)
        attackers = place.moves_in
        yield f"{who} is attacked by {'several units' if len(attackers) > 1 else 'one unit' if attackers else 'nobody'}"
        if any(map(_is_convoyed, attackers)):
            yield f"{who} is attacked by a convoyed army"


def _of_core(core: Sequence[Any]) -> Iterator[str]:
    moves = [one for one in core if type(one).__name__ == "MoveDecision"]
    yield f"{_either(any(map(_is_convoyed, moves)), 'a', 'no')} unit of the circle is convoyed"
    size = {2: "two units", 3: "three units"}.get(len(moves), "more than three units")
    yield f"the circle has {size}"
    kinds = {move.origin.unit.kind for move in moves if move.origin.unit}
    yield f"the circle has {_either(len(kinds) > 1, 'units of both kinds', 'units of one kind')}"
    yield f"{_either(UnitKind.FLEET in kinds, 'a', 'no')} fleet is in the circle"
    yield f"the circle has {_either(len({move.power for move in moves}) > 1, 'units of several powers', 'units of one power')}"
    yield f"{_either(any(move.supports for move in moves), 'a', 'no')} unit of the circle has support"


def _of_unit(who: str, unit: Unit, game_map: Map) -> Iterator[str]:
    yield _kind(who, unit.kind)
    yield from _of_province(f"{who} stands in", unit.location, game_map)


def _of_order(order: Any, board: Board) -> Iterator[str]:  # noqa: ANN401
    """Yield what is true of an order that is looked at by itself."""
    said = {"Move": "moves", "SupportHold": "supports in place", "SupportMove": "supports a move", "Convoy": "convoys"}
    if type(order).__name__ in said:
        yield f"the unit {said[type(order).__name__]}"
    if getattr(order, "destination", None):
        yield from _of_province("the order is for", order.destination, board.map)
    ordered = board.unit_at.get(order.unit.province)
    if isinstance(order, Move) and order.via_convoy:
        yield "the order says that the unit goes by convoy"
    named = getattr(order, "supported", None) or getattr(order, "convoyed", None)
    helped = board.unit_at.get(named.province) if named else None
    if ordered is not None and helped is not None:
        yield f"the order helps {_either(ordered.power == helped.power, 'an own', 'a foreign')} unit"
        yield f"the order helps {_either(helped.kind is UnitKind.ARMY, 'an army', 'a fleet')}"
    if type(order).__name__ in ("Build", "Remove"):
        yield _kind("the unit", order.unit.kind)
        yield from _of_province("the order is for", order.unit.location, board.map)


def _of_retreat(entry: Any, values: Sequence[object], board: Board) -> Iterator[str]:  # noqa: ANN401
    """Yield what is true of a retreat, and of those to the same province.

    The values have the number of each retreating unit by its province, and by number the place where each goes.
    """
    lost = {one.unit.province: one.unit for one in board.dislodged}
    unit, there = lost.get(entry.province), province_of(entry.destination or "")
    if unit is None:
        return
    who = "the retreating unit"
    yield from _of_unit(who, unit, board.map)
    yield from _of_province(f"{who} goes to", there, board.map)
    numbers = next((one for one in values if isinstance(one, dict)), {})
    going = next((one for one in values if isinstance(one, list) and one and type(one[0]) is int), [])
    goal = going[numbers[entry.province]] if numbers.get(entry.province, len(going)) < len(going) else -1
    rivals = [
        lost[province]
        for province, number in numbers.items()
        if number < len(going) and going[number] == goal >= 0 and province != entry.province and province in lost
    ]
    for rival in rivals:
        yield f"{_either(rival.power == unit.power, 'an own', 'a foreign')} unit retreats to the same province"
        yield f"a unit of the {_either(rival.kind is unit.kind, 'same', 'other')} kind retreats to the same province"
    if rivals:
        yield f"{_either(len(rivals) > 1, 'several units retreat', 'one other unit retreats')} to the same province"
