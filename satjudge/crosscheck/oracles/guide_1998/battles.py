"""Steps 14 to 20: rings, half-battles, ordinary battles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from satjudge.crosscheck.oracles.guide_1998.turn import Battle, GuideMove, Status, Turn
from satjudge.geography import ProvinceCode


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


def rings(turn: Turn) -> Iterator[list[GuideMove]]:
    """Closed circles of three or more attacks, or of two if one of them is by convoy."""
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
    """Step 15, identify head-to-head battles, balanced and unbalanced: two units attack each other without convoy."""
    at = {attack.space: attack for attack in turn.attacks if not attack.by_convoy}
    pairs = [
        (attack, other)
        for attack in at.values()
        if (other := at.get(attack.target)) and other.target == attack.space and attack.space < other.space
    ]
    return [_battle(turn, *pair) for pair in pairs]


def _battle(turn: Turn, one: GuideMove, other: GuideMove) -> Battle:
    """Who is stronger. Support by the weaker unit's countrymen to the stronger's attack cannot unbalance the battle."""
    weaker, stronger = sorted((one, other), key=turn.attack_strength)
    unbalanced = stronger.power != weaker.power and turn.attack_strength(stronger, against=weaker.power) > turn.attack_strength(
        weaker
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


def _resolve_half(turn: Turn, attack: GuideMove) -> None:
    """Resolve the attacks on the target of a head-to-head attack that can save its target, but not dislodge it."""
    if turn.strongest(attack.target) is attack:
        turn.stand_off(attack.target)
    else:
        turn.resolve(attack.target)


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
