"""A third adjudicator for the movement phase: the procedure of the Diplomacy Player's Technical Guide.

Source: K. Black, T. Black (ed.) et al., "The Diplomacy Player's Technical Guide", October 1998: chapter VIII, whose twenty
steps are the functions `step_1` to `step_18_to_20` below, with chapters VI, VII, IX and XII for what a legal order is, XI
for retreats and XIII for removals. It shares with satjudge the map, the board and the orders as they were given, and nothing
else: not what is legal, and not one equation.

The procedure goes once through the orders of a `Turn` and changes their `Status` as it cuts, cancels and advances. Nothing is
tried out or taken back, but for the two questions of Step 10.

Words for what the guide only calls "cancelled": a support or convoy is `invalid` where the unit it names is not ordered so;
a fleet that Step 1 leaves out of a convoy although it cooperates is `available` all the same (`disrupted` if dislodged), and
so is a fleet whose convoy another fleet's dislodgement has disrupted. In a circle (Steps 12 and 13) the fleet through which
its convoy is subverted is `disrupted`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import lru_cache
from math import inf
from typing import TypeAlias

from satjudge.board import Board, Unit, by_power
from satjudge.crosscheck.oracle import Answer
from satjudge.geography import Location, Map, Power, ProvinceCode, UnitKind, coast_of, province_of
from satjudge.orders import Convoy, Hold, Move, MovementOrder, SupportHold, SupportMove


def judge(board: Board, orders: Mapping[Power, Sequence[MovementOrder]]) -> Answer:
    """Adjudicate a movement phase by the guide's procedure."""
    given = read_orders(board, orders)
    turn = turn_of(board, given)
    run(turn)
    return _answer(turn, given)


def run(turn: Turn) -> None:
    """All twenty steps of chapter VIII."""
    step_1(turn)
    step_2(turn)
    step_3(turn)
    step_4(turn)
    step_9(turn)
    if step_10(turn):
        step_11(turn)
    step_12(turn)
    step_13(turn)
    step_14(turn)
    battles = step_15(turn)
    step_16(turn, battles)
    step_17(turn, battles)
    step_18_to_20(turn)


# ---------------------------------------------------------------- what is known of the orders


class Status(Enum):
    """What has become of an order so far."""

    IN_FORCE = auto()
    ILLEGAL = auto()
    INCONSISTENT = auto()
    """Cancelled in Step 1 or 3 because the other unit is not ordered so (a move: because no complete chain is)."""
    CANCELLED = auto()
    CUT = auto()
    CONFOUNDED = auto()
    """A convoy order that a circle of subversion goes through (Steps 12 and 13)."""
    ADVANCED = auto()


@dataclass(eq=False, slots=True)
class _Order:
    """What a unit is ordered to do."""

    unit: Unit
    status: Status = field(default=Status.IN_FORCE, init=False)

    @property
    def space(self) -> ProvinceCode:
        """The space that the unit stood in before the moves."""
        return self.unit.province

    @property
    def power(self) -> Power:
        """Whose unit it is."""
        return self.unit.power

    @property
    def in_force(self) -> bool:
        """Whether the order has neither been cancelled nor carried out."""
        return self.status is Status.IN_FORCE


class _Hold(_Order):
    """The unit holds."""

    __slots__ = ()


@dataclass(eq=False, slots=True)
class _Move(_Order):
    """The unit moves, directly or by convoy. "Move" and "attack" mean the same (VII)."""

    destination: Location
    by_convoy: bool

    @property
    def target(self) -> ProvinceCode:
        """The space attacked."""
        return province_of(self.destination)


@dataclass(eq=False, slots=True)
class _Support(_Order):
    """The unit supports another one: to hold if the target is where that one stands, else to move."""

    supported: ProvinceCode
    target: ProvinceCode

    @property
    def to_hold(self) -> bool:
        """Whether it is a support to hold."""
        return self.supported == self.target


@dataclass(eq=False, slots=True)
class _Convoy(_Order):
    """The fleet convoys an army."""

    army: ProvinceCode
    target: ProvinceCode


class Prospect(Enum):
    """The adjectives of Step 10."""

    FUTILE = auto()
    INDOMITABLE = auto()
    CONFUSED = auto()


@dataclass(eq=False, slots=True)
class ConvoyEntry:
    """One line of the GM's convoy list (Step 2)."""

    move: _Move
    fleets: list[_Convoy]
    prospect: Prospect | None = None
    subverted_by: dict[ConvoyEntry, _Support] = field(default_factory=dict)
    """The convoys that subvert it, each with the vulnerable supporter through which it does."""


@dataclass(eq=False, slots=True)
class Battle:
    """A head-to-head battle (Step 15)."""

    stronger: _Move
    weaker: _Move
    balanced: bool


@dataclass(eq=False)
class Turn:
    """The orders of one movement phase, one for every unit on the board, and the lists that the GM keeps."""

    board: Board
    order_at: dict[ProvinceCode, _Order]
    convoys: dict[ProvinceCode, ConvoyEntry] = field(default_factory=dict)
    """The GM's convoy list, by the space the convoyed army starts from."""
    dislodged: dict[ProvinceCode, _Move] = field(default_factory=dict)
    """The dislodged units, by the space they stood in, with the attack that did it."""
    standoffs: set[ProvinceCode] = field(default_factory=set)
    """The noted sites of a standoff."""

    @property
    def supports(self) -> list[_Support]:
        """The supports in force."""
        return [order for order in self.order_at.values() if isinstance(order, _Support) and order.in_force]

    @property
    def attacks(self) -> list[_Move]:
        """The attacks that are as yet neither resolved nor cancelled."""
        return [order for order in self.order_at.values() if isinstance(order, _Move) and order.in_force]

    def attacks_on(self, space: ProvinceCode) -> list[_Move]:
        """The attacks against a space."""
        return [attack for attack in self.attacks if attack.target == space]

    def occupant(self, space: ProvinceCode) -> _Order | None:
        """The unit in a space that has neither moved out of it nor been dislodged."""
        order = self.order_at.get(space)
        return None if order is None or order.status is Status.ADVANCED or space in self.dislodged else order

    def attack_strength(self, attack: _Move, against: Power | None = None, without: _Support | None = None) -> int:
        """One for the attacker, one for each support to its move; not for those by a power that it goes against."""
        return 1 + sum(
            support.supported == attack.space
            and support.target == attack.target
            and support.power != against
            and support is not without
            for support in self.supports
        )

    def defence_strength(self, defender: _Order, without: _Support | None = None) -> int:
        """One for the defender, one for each support to hold. A unit ordered to move holds without support."""
        if isinstance(defender, _Move):
            return 1
        return 1 + sum(
            support.to_hold and support.target == defender.space and support is not without for support in self.supports
        )

    def strongest(self, space: ProvinceCode, without: _Support | None = None) -> _Move | None:
        """The single strongest attack against a space (Step 19); None if there is none, or if several tie."""
        strength = {attack: self.attack_strength(attack, without=without) for attack in self.attacks_on(space)}
        best = [attack for attack in strength if strength[attack] == max(strength.values())]
        return best[0] if len(best) == 1 else None

    def winner(self, space: ProvinceCode, without: _Support | None = None) -> _Move | None:
        """The attack that advances into a space, as Step 19 has it."""
        attack, defender = self.strongest(space, without), self.occupant(space)
        if attack is None or defender is None:
            return attack
        if attack.power == defender.power:
            return None  # "No attacker may dislodge a countryman."
        strength = self.attack_strength(attack, against=defender.power, without=without)
        return attack if strength > self.defence_strength(defender, without) else None

    def resolve(self, space: ProvinceCode) -> None:
        """Resolve the set of attacks against a space "per the standard instructions given in Step 19"."""
        winner, defender = self.winner(space), self.occupant(space)
        self.cancel(attack for attack in self.attacks_on(space) if attack is not winner)
        if winner is None:
            if defender is None:
                self.standoffs.add(space)
            return
        winner.status = Status.ADVANCED
        if defender is not None:
            self.dislodged[space] = winner
            if isinstance(defender, _Support) and defender.in_force:
                defender.status = Status.CUT  # "No dislodged unit can ever give support"

    def stand_off(self, space: ProvinceCode) -> None:
        """Cancel all attacks against an occupied space."""
        self.cancel(self.attacks_on(space))

    @staticmethod
    def cancel(orders: Iterable[_Order], status: Status = Status.CANCELLED) -> None:
        """Cancel orders; each of their units counts "strictly as a holding unit" from now on (Step 3)."""
        for order in orders:
            order.status = status


# ---------------------------------------------------------------- legal orders (chapters VI, VII, IX, XII)


@dataclass(frozen=True, slots=True)
class Entry:
    """An order as it was given: the unit it is for (None if the power has none there) and, if it is legal, its meaning."""

    unit: Unit | None
    moves: bool
    order: _Order | None


def read_orders(board: Board, orders: Mapping[Power, Sequence[MovementOrder]]) -> dict[Power, list[Entry]]:
    """What the orders say, in the order given."""
    return {power: [_read(board, power, order) for order in entries] for power, entries in orders.items()}


def _read(board: Board, power: Power, order: MovementOrder) -> Entry:
    """What an order says. The space alone tells which unit is meant: there is only one there."""
    unit = board.unit_at.get(order.unit.province)
    if unit is None or unit.power != power:
        return Entry(None, False, None)
    return Entry(unit, isinstance(order, Move), _legal(board, unit, order))


def _legal(board: Board, unit: Unit, order: MovementOrder) -> _Order | None:
    """The order if it is legal, viewed individually (Step 1): possible whatever the other units are ordered to do."""
    match order:
        case Hold():
            return _Hold(unit)
        case Move():
            return _legal_move(board, unit, order)
        case SupportHold():
            return _legal_support(board, unit, order.supported.province, order.supported.province)
        case SupportMove():
            if _could_move(board, order.supported.province, province_of(order.destination)):
                return _legal_support(board, unit, order.supported.province, province_of(order.destination))
        case Convoy():
            return _legal_convoy(board, unit, order.convoyed.province, province_of(order.destination))
    return None


def _legal_move(board: Board, unit: Unit, order: Move) -> _Move | None:
    """VII and XII: a direct move goes to an adjacent space; a move by convoy must say so if the target is adjacent."""
    says_so = order.via_convoy or bool(order.route)
    if unit.kind is UnitKind.FLEET:
        location = _fleet_target(board.map, unit.location, order.destination)
        return None if says_so or location is None else _Move(unit, location, by_convoy=False)
    target = province_of(order.destination)  # armies do not care about coasts (VI)
    if target in board.map.exits(unit.kind, unit.location) and not says_so:
        return _Move(unit, target, by_convoy=False)
    return _Move(unit, target, by_convoy=True) if convoy_fleets(board, unit.province, target) else None


def _fleet_target(game_map: Map, origin: Location, destination: Location) -> Location | None:
    """Where a fleet would sail; of two coasts that it could reach it must name one (VI, VII)."""
    province = province_of(destination)
    reachable = game_map.fleet_reach.get(origin, {}).get(province, ())
    if coast_of(destination) and game_map.provinces[province].coasts:
        return destination if destination in reachable else None
    return reachable[0] if len(reachable) == 1 else None


def _legal_support(board: Board, unit: Unit, supported: ProvinceCode, target: ProvinceCode) -> _Support | None:
    """IX: a supporter must be able to move to the target space without convoy, coasts aside; none supports itself."""
    reach = {province_of(location) for location in board.map.exits(unit.kind, unit.location)}
    possible = target in reach and supported in board.unit_at and supported != unit.province
    return _Support(unit, supported, target) if possible else None


def _could_move(board: Board, origin: ProvinceCode, target: ProvinceCode) -> bool:
    """IX: "One cannot legally order a unit to support an illegal move." Directly or by convoy, to any coast."""
    unit = board.unit_at.get(origin)
    if unit is None or target == origin:
        return False
    direct = any(province_of(location) == target for location in board.map.exits(unit.kind, unit.location))
    return direct or (unit.kind is UnitKind.ARMY and bool(convoy_fleets(board, origin, target)))


def _legal_convoy(board: Board, unit: Unit, army: ProvinceCode, target: ProvinceCode) -> _Convoy | None:
    """XII: only fleets in bodies of water convoy, and only where a possible chain has a place for the fleet."""
    convoyed = board.unit_at.get(army)
    if convoyed is None or convoyed.kind is not UnitKind.ARMY:
        return None
    return _Convoy(unit, army, target) if unit.province in convoy_fleets(board, army, target) else None


def convoy_fleets(board: Board, army: ProvinceCode, target: ProvinceCode) -> frozenset[ProvinceCode]:
    """The bodies of water with fleets in them that could take part in a convoy, whatever the fleets' orders (XII)."""
    return on_routes(board.map, army, target, board.fleets_at_sea)


@lru_cache(maxsize=100_000)
def on_routes(
    game_map: Map, start: ProvinceCode, target: ProvinceCode, waters: frozenset[ProvinceCode]
) -> frozenset[ProvinceCode]:
    """Those of the waters that lie on an unbroken route which passes through none of them twice (Step 1, XII)."""
    if start == target or target in game_map.seas:
        return frozenset()
    shore = game_map.shores.get(target, frozenset())
    found: set[ProvinceCode] = set()

    def sail(route: tuple[ProvinceCode, ...]) -> None:
        if route[-1] in shore:
            found.update(route)
        for water in game_map.fleet[route[-1]] & waters:
            if water not in route:
                sail((*route, water))

    for water in game_map.shores.get(start, frozenset()) & waters:
        sail((water,))
    return frozenset(found)


def turn_of(board: Board, given: Mapping[Power, Sequence[Entry]]) -> Turn:
    """Every unit with the first legal order it was given. Without any it holds, after an illegal move as such (VII)."""
    order_at: dict[ProvinceCode, _Order] = {}
    entries = [entry for power_entries in given.values() for entry in power_entries]
    for entry in entries:
        if entry.order is not None:
            order_at.setdefault(entry.order.space, entry.order)
    for entry in entries:
        if entry.unit is not None and entry.moves and entry.unit.province not in order_at:
            illegal = _Move(entry.unit, entry.unit.location, by_convoy=False)
            illegal.status = Status.ILLEGAL
            order_at[entry.unit.province] = illegal
    for unit in board.units:
        order_at.setdefault(unit.province, _Hold(unit))
    return Turn(board, order_at)


# ---------------------------------------------------------------- Steps 1 to 4


def step_1(turn: Turn) -> None:
    """Step 1, cancel inconsistent convoys: army and fleets must cooperate and lay at least one unbroken route.

    Foreign fleets are excluded where countrymen suffice, and so are fleets that are on no remaining route.
    """
    fleets = [order for order in turn.order_at.values() if isinstance(order, _Convoy)]
    for move in turn.attacks:
        if move.by_convoy:
            cooperating = [fleet for fleet in fleets if (fleet.army, fleet.target) == (move.space, move.target)]
            convoying = _on_best_routes(turn.board.map, move, cooperating)
            turn.cancel(fleet for fleet in cooperating if fleet not in convoying)
            if not convoying:
                move.status = Status.INCONSISTENT
    turn.cancel((fleet for fleet in fleets if not _cooperates(turn.order_at[fleet.army], fleet)), Status.INCONSISTENT)


def _on_best_routes(game_map: Map, move: _Move, fleets: list[_Convoy]) -> list[_Convoy]:
    """The fleets of a convoy: countrymen only if there are enough of them, and only those on a route."""
    for choice in ([fleet for fleet in fleets if fleet.power == move.power], fleets):
        routed = on_routes(game_map, move.space, move.target, frozenset(fleet.space for fleet in choice))
        if routed:
            return [fleet for fleet in choice if fleet.space in routed]
    return []


def _cooperates(order: _Order, fleet: _Convoy) -> bool:
    """Whether an army is ordered as the fleet says: by convoy, to that target."""
    return isinstance(order, _Move) and order.by_convoy and order.target == fleet.target


def step_2(turn: Turn) -> None:
    """Step 2, list the convoys and their fleets, each named after the space that the convoyed army starts from."""
    fleets = [order for order in turn.order_at.values() if isinstance(order, _Convoy) and order.in_force]
    for move in turn.attacks:
        if move.by_convoy:
            turn.convoys[move.space] = ConvoyEntry(move, [fleet for fleet in fleets if fleet.army == move.space])


def step_3(turn: Turn) -> None:
    """Step 3, cancel inconsistent supports: to hold where the unit attempts to move, to move where it does not go there."""
    turn.cancel((support for support in turn.supports if not _consistent(turn, support)), Status.INCONSISTENT)


def _consistent(turn: Turn, support: _Support) -> bool:
    """Whether the supported unit is ordered so. A unit ordered to move never counts as holding, however illegal the order.

    Step 1 may have cancelled the move supported: then the support has no effect, but it was consistent with the order.
    """
    order = turn.order_at[support.supported]
    if support.to_hold:
        return not isinstance(order, _Move)
    return isinstance(order, _Move) and order.status is not Status.ILLEGAL and order.target == support.target


def step_4(turn: Turn) -> None:
    """Step 4, let direct attacks cut support, but A. not a countryman's and B. not that for an attack on the cutter."""
    attacks = [attack for attack in turn.attacks if not attack.by_convoy]
    turn.cancel(
        (support for support in turn.supports if any(_cuts_directly(attack, support) for attack in attacks)), Status.CUT
    )


def _cuts_directly(attack: _Move, support: _Support) -> bool:
    """Whether a direct attack cuts a support (Step 4)."""
    if attack.target != support.space or attack.power == support.power:
        return False
    return attack.space != support.target


# ---------------------------------------------------------------- Steps 5 to 9


def step_5(turn: Turn) -> None:
    """Step 5, identify convoy subversion: which convoyed attacks threaten a supporter that decides about a convoy."""
    for target in turn.convoys.values():
        target.subverted_by = dict(_subverters(turn, target))


def _subverters(turn: Turn, target: ConvoyEntry) -> Iterator[tuple[ConvoyEntry, _Support]]:
    """The convoys that subvert one, with the supports they threaten; exceptions A, B and C are those of Step 5."""
    if target.prospect in (Prospect.FUTILE, Prospect.INDOMITABLE):  # C
        return
    for support in _vulnerable(turn, target):
        for convoy in turn.convoys.values():
            threatens = convoy.move.target == support.space and convoy.move.power != support.power  # A
            if threatens and convoy.prospect is not Prospect.FUTILE:  # B
                yield convoy, support


def _vulnerable(turn: Turn, convoy: ConvoyEntry) -> Iterator[_Support]:
    """The supports (i) of one of a convoy's fleets to hold, and (ii) of an attack against one of them."""
    fleets = {fleet.space for fleet in convoy.fleets}
    for support in turn.supports:
        if support.target in fleets and (support.to_hold or turn.order_at[support.supported].in_force):
            yield support


def step_6(turn: Turn) -> bool:
    """Step 6, disrupt convoys: resolve the attacks against the fleets of all convoys that are not subverted."""
    before = len(turn.dislodged)
    for convoy in turn.convoys.values():
        if not convoy.subverted_by:
            _resolve_fleets(turn, convoy)
    return len(turn.dislodged) > before


def _resolve_fleets(turn: Turn, convoy: ConvoyEntry) -> None:
    """Resolve the attacks against the fleets of a convoy."""
    for fleet in convoy.fleets:
        if turn.attacks_on(fleet.space):
            turn.resolve(fleet.space)


def step_7(turn: Turn) -> None:
    """Step 7, cancel disrupted convoys' convoyed moves: one dislodged fleet disrupts the whole convoy."""
    for space, convoy in list(turn.convoys.items()):
        if any(fleet.space in turn.dislodged for fleet in convoy.fleets):
            turn.cancel([convoy.move])
            del turn.convoys[space]


def step_8(turn: Turn) -> bool:
    """Step 8, let convoyed attacks cut support, but A. not a countryman's, B. not subverted, C. not Futile."""
    moves = [
        convoy.move
        for convoy in turn.convoys.values()
        if not convoy.subverted_by and convoy.prospect is not Prospect.FUTILE
    ]
    cut = [
        support
        for support in turn.supports
        if any(move.target == support.space and move.power != support.power for move in moves)
    ]
    turn.cancel(cut, Status.CUT)
    return bool(cut)


def step_9(turn: Turn) -> None:
    """Step 9, if useful, return to Step 5: until the loop disrupts no convoy and cuts no support."""
    useful = True
    while useful:
        step_5(turn)
        disrupted = step_6(turn)
        step_7(turn)
        useful = step_8(turn) or disrupted


# ---------------------------------------------------------------- Steps 10 to 13


def step_10(turn: Turn) -> bool:
    """Step 10, break circles of subversion: would a convoy be disrupted with the one support, and would it without?

    Twice yes: Futile. Twice no: Indomitable. No and yes: Confused. Says whether there is one of the first two.
    """
    for convoy in turn.convoys.values():
        if convoy.subverted_by:
            (support,) = convoy.subverted_by.values()  # exactly one, says the guide before this step
            answers = _would_be_disrupted(turn, convoy, None), _would_be_disrupted(turn, convoy, support)
            convoy.prospect = {
                (True, True): Prospect.FUTILE,
                (False, False): Prospect.INDOMITABLE,
                (False, True): Prospect.CONFUSED,
            }.get(answers)
    return any(convoy.prospect in (Prospect.FUTILE, Prospect.INDOMITABLE) for convoy in turn.convoys.values())


def _would_be_disrupted(turn: Turn, convoy: ConvoyEntry, cut: _Support | None) -> bool:
    """Whether a fleet of the convoy would be dislodged, were a support cut."""
    return any(turn.winner(fleet.space, without=cut) for fleet in convoy.fleets)


def step_11(turn: Turn) -> None:
    """Step 11, repeat Steps 5 through 9, now that Step 10 has found a Futile or Indomitable convoy."""
    step_9(turn)


def step_12(turn: Turn) -> None:
    """Step 12, resolve unconfused circles of subversion: all the convoys of such a circle are disrupted."""
    for circle in list(circles(turn)):
        if all(convoy.prospect is not Prospect.CONFUSED for convoy in circle):
            _strike(turn, circle)
            for convoy in circle:
                _resolve_fleets(turn, convoy)


def step_13(turn: Turn) -> None:
    """Step 13, resolve confused circles of subversion as a grand standoff: their fleets are not dislodged either."""
    for circle in list(circles(turn)):
        _strike(turn, circle)
        for convoy in circle:
            for fleet in convoy.fleets:
                turn.stand_off(fleet.space)


def circles(turn: Turn) -> Iterator[list[ConvoyEntry]]:
    """The circles of convoys that each subvert the next."""
    seen: set[ConvoyEntry] = set()
    for convoy in turn.convoys.values():
        circle: list[ConvoyEntry] = []
        while convoy.subverted_by and convoy not in seen:
            seen.add(convoy)
            circle.append(convoy)
            (convoy,) = convoy.subverted_by
        if circle:
            yield circle


def _strike(turn: Turn, circle: list[ConvoyEntry]) -> None:
    """Cancel the convoyed moves of a circle and strike its convoys from the list."""
    for convoy in circle:
        (support,) = convoy.subverted_by.values()
        turn.cancel([convoy.move])
        turn.cancel((fleet for fleet in convoy.fleets if fleet.space == support.target), Status.CONFOUNDED)
        del turn.convoys[convoy.move.space]


# ---------------------------------------------------------------- Steps 14 to 17


def step_14(turn: Turn) -> None:
    """Step 14, let rings of attack advance, each unless an extra attacker interferes with it and breaks it."""
    for ring in list(rings(turn)):
        for space in [attack.target for attack in ring]:
            _interfere(turn, space)
        if all(attack.in_force for attack in ring):
            turn.cancel(ring, Status.ADVANCED)


def _interfere(turn: Turn, space: ProvinceCode) -> None:
    """Cancel all but the single strongest attack against a space; where two tie for strongest, all, and note it."""
    attacks, strongest = turn.attacks_on(space), turn.strongest(space)
    turn.cancel(attack for attack in attacks if attack is not strongest)
    if strongest is None:
        turn.standoffs.add(space)


def rings(turn: Turn) -> Iterator[list[_Move]]:
    """Closed circles of three or more attacks, or of two if one of them is by convoy."""
    at = {attack.space: attack for attack in turn.attacks}
    seen: set[_Move] = set()
    for first in at.values():
        path: list[_Move] = []
        attack: _Move | None = first
        while attack is not None and attack not in seen:
            seen.add(attack)
            path.append(attack)
            attack = at.get(attack.target)
        if attack is not None and attack in path:
            ring = path[path.index(attack) :]
            if len(ring) > 2 or any(member.by_convoy for member in ring):
                yield ring


def step_15(turn: Turn) -> list[Battle]:
    """Step 15, identify head-to-head battles, balanced and unbalanced: two units attack each other without convoy."""
    at = {attack.space: attack for attack in turn.attacks if not attack.by_convoy}
    pairs = [
        (attack, other)
        for attack in at.values()
        if (other := at.get(attack.target)) and other.target == attack.space and attack.space < other.space
    ]
    return [_battle(turn, *pair) for pair in pairs]


def _battle(turn: Turn, one: _Move, other: _Move) -> Battle:
    """Who is stronger. Support by the weaker unit's countrymen to the stronger's attack cannot unbalance the battle."""
    weaker, stronger = sorted((one, other), key=turn.attack_strength)
    unbalanced = (
        stronger.power != weaker.power
        and turn.attack_strength(stronger, against=weaker.power) > turn.attack_strength(weaker)
    )
    return Battle(stronger, weaker, balanced=not unbalanced)


def step_16(turn: Turn, battles: Iterable[Battle]) -> None:
    """Step 16, resolve unbalanced head-to-head battles: first the attacks on the weaker's space, then on the stronger's.

    Dislodged by the stronger, the weaker has no effect; else its attack counts, but never dislodges the stronger.
    """
    for battle in battles:
        if battle.balanced:
            continue
        turn.resolve(battle.weaker.space)
        if battle.stronger.status is Status.ADVANCED:
            turn.cancel([battle.weaker])
        else:
            _resolve_half(turn, battle.weaker)


def step_17(turn: Turn, battles: Iterable[Battle]) -> None:
    """Step 17, resolve balanced head-to-head battles in two halves; neither unit dislodges the other."""
    for battle in battles:
        if battle.balanced:
            _resolve_half(turn, battle.stronger)
            _resolve_half(turn, battle.weaker)


def _resolve_half(turn: Turn, attack: _Move) -> None:
    """Resolve the attacks on the target of a head-to-head attack that can save its target, but not dislodge it."""
    if turn.strongest(attack.target) is attack:
        turn.stand_off(attack.target)
    else:
        turn.resolve(attack.target)


# ---------------------------------------------------------------- Steps 18 to 20


def step_18(turn: Turn) -> list[ProvinceCode]:
    """Step 18, list targets of attack, but for now none that contains a unit with an unresolved order to move."""
    attacks = turn.attacks
    leaving = {attack.space for attack in attacks}
    return sorted({attack.target for attack in attacks} - leaving)


def step_19(turn: Turn, targets: Iterable[ProvinceCode]) -> None:
    """Step 19, fight ordinary battles: the single strongest attack against the defence, for each space listed."""
    for space in targets:
        turn.resolve(space)


def step_18_to_20(turn: Turn) -> None:
    """Step 20, return to Step 18 if any attacks remain unresolved. "The loop is guaranteed to resolve all the moves"."""
    while turn.attacks:
        targets = step_18(turn)
        if not targets:
            unresolved = ", ".join(sorted(attack.space for attack in turn.attacks))
            raise UnresolvedMovesError(f"Step 20 comes to no end: the moves from {unresolved} wait for each other")
        step_19(turn, targets)


class UnresolvedMovesError(Exception):
    """Step 20 comes to no end, which the guide says cannot be."""


# ---------------------------------------------------------------- retreats (chapter XI) and the answer


def retreats(turn: Turn, order: _Order) -> list[Location]:
    """XI: not into an occupied space, nor one left vacant by a standoff, nor back along a direct attack."""
    attack = turn.dislodged[order.space]
    barred = {province_of(location) for location in _locations(turn).values()} | turn.standoffs
    if not attack.by_convoy:
        barred.add(attack.space)
    exits = turn.board.map.exits(order.unit.kind, order.unit.location)
    return sorted(location for location in exits if province_of(location) not in barred)


def _locations(turn: Turn) -> dict[Unit, Location]:
    """Where the units stand after the moves; dislodged ones stand nowhere."""
    return {
        order.unit: order.destination if isinstance(order, _Move) and order.status is Status.ADVANCED else order.unit.location
        for order in turn.order_at.values()
        if order.space not in turn.dislodged
    }


def _answer(turn: Turn, given: Mapping[Power, Sequence[Entry]]) -> Answer:
    """The answer in the form that is compared."""
    dislodged: dict[Power, dict[str, list[Location]]] = {}
    for space in turn.dislodged:
        order = turn.order_at[space]
        dislodged.setdefault(order.power, {})[str(order.unit)] = retreats(turn, order)
    stand = by_power(Unit(unit.power, unit.kind, location) for unit, location in _locations(turn).items())
    obeying = {entry.unit for entries in given.values() for entry in entries if entry.order}
    return Answer(
        verdicts={power: [_verdict(turn, entry, obeying, dislodged) for entry in entries] for power, entries in given.items()},
        dislodged=dislodged,
        units={power: sorted(units) for power, units in stand.items()},
    )


_Fates: TypeAlias = Mapping[Power, Mapping[str, list[Location]]]


def _verdict(turn: Turn, entry: Entry, obeying: Set[Unit | None], fates: _Fates) -> str:
    """The words for one order. An order that is not followed is illegal, and tagged only if its unit follows none."""
    unit, order = entry.unit, entry.order
    if unit is None:
        return "illegal"
    if order is None or order is not turn.order_at[unit.province]:
        return "illegal" if unit in obeying else _tagged("illegal", unit, fates)
    return _tagged(_resolution(turn, order), unit, fates).removeprefix("stands, ")


def _tagged(word: str, unit: Unit, fates: _Fates) -> str:
    open_to_it = fates.get(unit.power, {}).get(str(unit))
    if open_to_it is None:
        return word
    return f"{word}, {'dislodged' if open_to_it else 'destroyed'}"


def _resolution(turn: Turn, order: _Order) -> str:
    """The word for what became of an order, without what happens to its unit."""
    match order:
        case _Move():
            words = {Status.ADVANCED: "succeeds", Status.INCONSISTENT: "invalid"}
            return words.get(order.status, "fails")
        case _ if order.status is Status.INCONSISTENT:
            return "invalid"
        case _Support():
            return "cut" if order.status is Status.CUT else "given"
        case _Convoy():
            broken = order.status is Status.CONFOUNDED or order.space in turn.dislodged
            return "disrupted" if broken else "available"
        case _:
            return "stands"


# ---------------------------------------------------------------- removals (chapter XIII)


_ALPHABET = """
ADR AEG ALB ANK APU ARM BAL BAR BEL BER BLA BOH BOT BRE BUD BUL BUR CLY CON DEN EAS EDI ENG FIN GAL GAS GRE HEL HOL ION IRI KIE
LVP LVN LON LYO MAR MAO MOS MUN NAP NAF NAO NTH NWY NWG PAR PIC PIE POR PRU ROM RUH RUM STP SER SEV SIL SKA SMY SPA SWE SYR TRI
TUN TUS TYR TYS UKR VEN VIE WAL WAR WES YOR
"""
ALPHABET: tuple[ProvinceCode, ...] = tuple(_ALPHABET.split())
"""The spaces in "the correct English-language alphabetical order" (XIII)."""


def removal_order(board: Board, power: Power) -> list[Unit]:
    """XIII: the units of a power, those first that the GM removes first when the player fails to order enough removals.

    The most distant from home, fleets before armies, then by the alphabet.
    """
    units = [unit for unit in board.units if unit.power == power]
    return sorted(
        units,
        key=lambda unit: (
            -distance_from_home(board.map, unit),
            unit.kind is not UnitKind.FLEET,
            ALPHABET.index(unit.province),
        ),
    )


def distance_from_home(game_map: Map, unit: Unit) -> float:
    """XIII: moves to the nearest home centre, whoever controls it; an army may enter any space, a fleet sails legally."""
    homes = game_map.homes(unit.power)
    reached: set[Location] = {unit.province if unit.kind is UnitKind.ARMY else unit.location}
    frontier, moves = reached, 0
    while frontier:
        if any(province_of(location) in homes for location in frontier):
            return moves
        exits = game_map.neighbours if unit.kind is UnitKind.ARMY else game_map.fleet
        frontier = {near for location in frontier for near in exits.get(location, ())} - reached
        reached = reached | frontier
        moves += 1
    return inf
