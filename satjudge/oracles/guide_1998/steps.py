"""Performs the twenty steps of chapter VIII: convoys, with cuts and circles (1 to 13), and battles (14 to 20)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from satjudge.oracles.guide_1998.turn import (
    Battle,
    ConvoyEntry,
    GuideConvoy,
    GuideMove,
    GuideOrder,
    GuideSupport,
    Prospect,
    Status,
    Turn,
    find_route_waters,
)
from satjudge.world.geography import Map, ProvinceCode


def run_steps(turn: Turn) -> None:
    """Perform all twenty steps of chapter VIII in sequence, which set the status of each order in the turn."""
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


# ---- Steps 1 to 13: convoys ----


def step_1(turn: Turn) -> None:
    """Perform Step 1: cancel convoys whose army and fleets do not cooperate or have no unbroken route.

    Foreign fleets are excluded if countrymen suffice, and so are fleets on no remaining route.
    """
    fleets = [order for order in turn.order_at.values() if isinstance(order, GuideConvoy)]
    for move in turn.attacks:
        if move.by_convoy:
            cooperating = [fleet for fleet in fleets if (fleet.army, fleet.target) == (move.space, move.target)]
            convoying = _list_routed_fleets(turn.board.map, move, cooperating)
            turn.cancel(fleet for fleet in cooperating if fleet not in convoying)
            if not convoying:
                move.status = Status.INCONSISTENT
    turn.cancel((fleet for fleet in fleets if not _is_cooperating(turn.order_at[fleet.army], fleet)), Status.INCONSISTENT)


def _list_routed_fleets(game_map: Map, move: GuideMove, fleets: list[GuideConvoy]) -> list[GuideConvoy]:
    """List the fleets that are on a route for a move: only countrymen's if these suffice, else all."""
    for choice in ([fleet for fleet in fleets if fleet.power == move.power], fleets):
        routed = find_route_waters(game_map, move.space, move.target, frozenset(fleet.space for fleet in choice))
        if routed:
            return [fleet for fleet in choice if fleet.space in routed]
    return []


def _is_cooperating(order: GuideOrder, fleet: GuideConvoy) -> bool:
    """Return whether the order of a fleet's army is a move by convoy to the target that the fleet names."""
    return isinstance(order, GuideMove) and order.by_convoy and order.target == fleet.target


def step_2(turn: Turn) -> None:
    """Perform Step 2: record the convoys and their fleets in the turn's convoy list, by the convoyed army's space."""
    fleets = [order for order in turn.order_at.values() if isinstance(order, GuideConvoy) and order.is_in_force]
    for move in turn.attacks:
        if move.by_convoy:
            turn.convoys[move.space] = ConvoyEntry(move, [fleet for fleet in fleets if fleet.army == move.space])


def step_3(turn: Turn) -> None:
    """Perform Step 3: cancel supports that do not match the supported unit's order."""
    turn.cancel((support for support in turn.supports if not _is_consistent(turn, support)), Status.INCONSISTENT)


def _is_consistent(turn: Turn, support: GuideSupport) -> bool:
    """Return whether a support matches the supported unit's order.

    A unit ordered to move never counts as holding, even if the order is illegal.

    If Step 1 cancelled the supported move, the support has no effect but is still consistent with the order.
    """
    order = turn.order_at[support.supported]
    if support.is_to_hold:
        return not isinstance(order, GuideMove)
    return isinstance(order, GuideMove) and order.status is not Status.ILLEGAL and order.target == support.target


def step_4(turn: Turn) -> None:
    """Perform Step 4: cut supports that direct attacks cut, not (A) countrymen's or (B) those directed at the attacker."""
    attacks = [attack for attack in turn.attacks if not attack.by_convoy]
    turn.cancel(
        (support for support in turn.supports if any(_cuts_directly(attack, support) for attack in attacks)), Status.CUT
    )


def _cuts_directly(attack: GuideMove, support: GuideSupport) -> bool:
    """Return whether a direct attack cuts a support: it is by another power, and not from the support's target (Step 4)."""
    if attack.target != support.space or attack.power == support.power:
        return False
    return attack.space != support.target


def step_5(turn: Turn) -> None:
    """Perform Step 5: record which convoys subvert others, by attacking a support that decides about their fleets."""
    for target in turn.convoys.values():
        target.subverted_by = dict(_iter_subverters(turn, target))


def _iter_subverters(turn: Turn, target: ConvoyEntry) -> Iterator[tuple[ConvoyEntry, GuideSupport]]:
    """Yield each convoy that subverts the target convoy, with the vulnerable support that it attacks (Step 5)."""
    if target.prospect in (Prospect.FUTILE, Prospect.INDOMITABLE):  # C
        return
    for support in _iter_vulnerable_supports(turn, target):
        for convoy in turn.convoys.values():
            threatens = convoy.move.target == support.space and convoy.move.power != support.power  # A
            if threatens and convoy.prospect is not Prospect.FUTILE:  # B
                yield convoy, support


def _iter_vulnerable_supports(turn: Turn, convoy: ConvoyEntry) -> Iterator[GuideSupport]:
    """Yield the supports (i) for one of a convoy's fleets to hold, or (ii) for an attack on one of them."""
    fleets = {fleet.space for fleet in convoy.fleets}
    for support in turn.supports:
        if support.target in fleets and (support.is_to_hold or turn.order_at[support.supported].is_in_force):
            yield support


def step_6(turn: Turn) -> bool:
    """Perform Step 6: resolve attacks on fleets of convoys that are not subverted; return whether a unit was dislodged."""
    before = len(turn.dislodged)
    for convoy in turn.convoys.values():
        if not convoy.subverted_by:
            _resolve_fleets(turn, convoy)
    return len(turn.dislodged) > before


def _resolve_fleets(turn: Turn, convoy: ConvoyEntry) -> None:
    """Resolve the attacks on each attacked fleet of a convoy."""
    for fleet in convoy.fleets:
        if turn.list_attacks_on(fleet.space):
            turn.resolve_attacks(fleet.space)


def step_7(turn: Turn) -> None:
    """Perform Step 7: cancel the moves of convoys with a dislodged fleet, and remove these convoys from the turn's list."""
    for space, convoy in list(turn.convoys.items()):
        if any(fleet.space in turn.dislodged for fleet in convoy.fleets):
            turn.cancel([convoy.move])
            del turn.convoys[space]


def step_8(turn: Turn) -> bool:
    """Perform Step 8: cut supports by convoyed attacks unless subverted, Futile or countrymen's; return whether any was cut."""
    moves = [
        convoy.move for convoy in turn.convoys.values() if not convoy.subverted_by and convoy.prospect is not Prospect.FUTILE
    ]
    cut = [
        support
        for support in turn.supports
        if any(move.target == support.space and move.power != support.power for move in moves)
    ]
    turn.cancel(cut, Status.CUT)
    return bool(cut)


def step_9(turn: Turn) -> None:
    """Perform Step 9: repeat Steps 5 to 8 until no convoy is disrupted and no support is cut."""
    useful = True
    while useful:
        step_5(turn)
        disrupted = step_6(turn)
        step_7(turn)
        useful = step_8(turn) or disrupted


def step_10(turn: Turn) -> bool:
    """Perform Step 10: mark subverted convoys as Futile, Indomitable or confused; return whether any is not only confused.

    The question is whether a convoy would be disrupted with the vulnerable support, and without it. If both answers are yes,
    the convoy is Futile; if both are no, Indomitable; if it is disrupted only without the support, confused.
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


def _would_be_disrupted(turn: Turn, convoy: ConvoyEntry, cut_support: GuideSupport | None) -> bool:
    """Return whether a fleet of a convoy would be dislodged if `cut_support` were cut (or no support if it is None)."""
    return any(turn.find_winner(fleet.space, cut_support=cut_support) for fleet in convoy.fleets)


def step_11(turn: Turn) -> None:
    """Perform Step 11: repeat Steps 5 to 9 after Step 10 has found a Futile or Indomitable convoy."""
    step_9(turn)


def step_12(turn: Turn) -> None:
    """Perform Step 12: disrupt each circle of subversion without a confused convoy, and resolve attacks on its fleets."""
    for circle in list(iter_circles(turn)):
        if all(convoy.prospect is not Prospect.CONFUSED for convoy in circle):
            _strike_circle(turn, circle)
            for convoy in circle:
                _resolve_fleets(turn, convoy)


def step_13(turn: Turn) -> None:
    """Perform Step 13: resolve confused circles of subversion as a grand standoff that dislodges none of their fleets."""
    for circle in list(iter_circles(turn)):
        _strike_circle(turn, circle)
        for convoy in circle:
            for fleet in convoy.fleets:
                turn.stand_off(fleet.space)


def iter_circles(turn: Turn) -> Iterator[list[ConvoyEntry]]:
    """Yield each circle of convoys, in which the next convoy subverts each one, and the first the last."""
    seen: set[ConvoyEntry] = set()
    for convoy in turn.convoys.values():
        circle: list[ConvoyEntry] = []
        while convoy.subverted_by and convoy not in seen:
            seen.add(convoy)
            circle.append(convoy)
            (convoy,) = convoy.subverted_by
        if circle:
            yield circle


def _strike_circle(turn: Turn, circle: list[ConvoyEntry]) -> None:
    """Cancel a circle's convoyed moves and its decisive fleets, and remove its convoys from the turn's list."""
    for convoy in circle:
        (support,) = convoy.subverted_by.values()
        turn.cancel([convoy.move])
        turn.cancel((fleet for fleet in convoy.fleets if fleet.space == support.target), Status.CONFOUNDED)
        del turn.convoys[convoy.move.space]


# ---- Steps 14 to 20: rings, half-battles, ordinary battles ----


def step_14(turn: Turn) -> None:
    """Perform Step 14: keep only the strongest attack on each space of a ring of attacks; an unbroken ring advances."""
    for ring in list(iter_rings(turn)):
        for space in [attack.target for attack in ring]:
            _keep_strongest_attack(turn, space)
        if all(attack.is_in_force for attack in ring):
            turn.cancel(ring, Status.ADVANCED)


def _keep_strongest_attack(turn: Turn, space: ProvinceCode) -> None:
    """Cancel all attacks on a space except the strongest; if several are strongest, cancel all and record a standoff."""
    attacks, strongest = turn.list_attacks_on(space), turn.find_strongest(space)
    turn.cancel(attack for attack in attacks if attack is not strongest)
    if strongest is None:
        turn.standoffs.add(space)


def iter_rings(turn: Turn) -> Iterator[list[GuideMove]]:
    """Yield circles of three or more attacks (or two, if one is by convoy), each on the space of the next one."""
    at = {attack.space: attack for attack in turn.attacks}
    seen: set[GuideMove] = set()
    for first in at.values():
        path: list[GuideMove] = []
        attack: GuideMove | None = first
        while attack is not None and attack not in seen:
            seen.add(attack)
            path.append(attack)
            attack = at.get(attack.target)
        if attack is not None and attack in path:
            ring = path[path.index(attack) :]
            if len(ring) > 2 or any(member.by_convoy for member in ring):
                yield ring


def step_15(turn: Turn) -> list[Battle]:
    """Perform Step 15: return the head-to-head battles of units that directly attack each other."""
    at = {attack.space: attack for attack in turn.attacks if not attack.by_convoy}
    pairs = [
        (attack, other)
        for attack in at.values()
        if (other := at.get(attack.target)) and other.target == attack.space and attack.space < other.space
    ]
    return [_find_stronger(turn, *pair) for pair in pairs]


def _find_stronger(turn: Turn, one: GuideMove, other: GuideMove) -> Battle:
    """Return the head-to-head battle of two moves, with the stronger one first, and whether it is balanced.

    Support by the weaker unit's countrymen to the stronger's attack cannot unbalance the battle.
    """
    weaker, stronger = sorted((one, other), key=turn.count_attack_strength)
    unbalanced = stronger.power != weaker.power and turn.count_attack_strength(
        stronger, against=weaker.power
    ) > turn.count_attack_strength(weaker)
    return Battle(stronger, weaker, balanced=not unbalanced)


def step_16(turn: Turn, battles: Iterable[Battle]) -> None:
    """Perform Step 16: resolve unbalanced head-to-head battles, first the attacks on the weaker unit's space.

    If the stronger unit dislodges the weaker, the latter has no effect; else its attack counts, but never dislodges the former.
    """
    for battle in battles:
        if battle.balanced:
            continue
        turn.resolve_attacks(battle.weaker.space)
        if battle.stronger.status is Status.ADVANCED:
            turn.cancel([battle.weaker])
        else:
            _resolve_half(turn, battle.weaker)


def step_17(turn: Turn, battles: Iterable[Battle]) -> None:
    """Perform Step 17: resolve balanced head-to-head battles in two halves; neither unit dislodges the other."""
    for battle in battles:
        if battle.balanced:
            _resolve_half(turn, battle.stronger)
            _resolve_half(turn, battle.weaker)


def _resolve_half(turn: Turn, attack: GuideMove) -> None:
    """Resolve the attacks on the target of an attack that can prevent others, but cannot dislodge the unit there."""
    if turn.find_strongest(attack.target) is attack:
        turn.stand_off(attack.target)
    else:
        turn.resolve_attacks(attack.target)


def step_18(turn: Turn) -> list[ProvinceCode]:
    """Perform Step 18: return the attacked spaces, sorted, without those whose own unit has an unresolved move."""
    attacks = turn.attacks
    leaving = {attack.space for attack in attacks}
    return sorted({attack.target for attack in attacks} - leaving)


def step_19(turn: Turn, targets: Iterable[ProvinceCode]) -> None:
    """Perform Step 19: resolve the attacks on each of these spaces, the strongest one against the defence."""
    for space in targets:
        turn.resolve_attacks(space)


def step_18_to_20(turn: Turn) -> None:
    """Perform Steps 18 to 20: repeat Steps 18 and 19 as long as attacks remain unresolved.

    "The loop is guaranteed to resolve all the moves".
    """
    while turn.attacks:
        targets = step_18(turn)
        if not targets:
            unresolved = ", ".join(sorted(attack.space for attack in turn.attacks))
            raise UnresolvedMovesError(f"Step 20 does not end: the moves from {unresolved} wait for each other")
        step_19(turn, targets)


class UnresolvedMovesError(Exception):
    """An error for an endless Step 20, which the guide rules out."""
