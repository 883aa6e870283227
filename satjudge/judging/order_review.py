"""Reviews the orders of a player: what poorly written orders mean, and which orders contradict each other or are missing.

"A poorly written order that has only one meaning must be followed", say the rulebooks (DATC 2.4, 4.E.2 d). An unreadable
line has one reading for each name that resembles its text. Only legal orders to units without another order count. If several
readings are left, those that match the power's other orders count. Other powers' orders are not considered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from satjudge.base.words import EACH_BY_ITSELF, number_of
from satjudge.judging.adjustments import find_adjustment_problem
from satjudge.judging.legality import judge_orders_alone
from satjudge.judging.retreats import judge_retreats
from satjudge.world.board import Board, Phase
from satjudge.world.geography import Power, ProvinceCode, province_of
from satjudge.world.orders import (
    Build,
    Convoy,
    Decline,
    Move,
    Named,
    Order,
    Permission,
    Remove,
    SupportHold,
    SupportMove,
    Unreadable,
)
from satjudge.world.rules import Rulebook
from satjudge.world.rules.rulebook import Declining, DisorderRetreats, DisorderSupport
from satjudge.world.seasons import adjustments_due

Line: TypeAlias = Sequence[Order]
"""The orders that one line states."""


def settle_lines(
    board: Board, power: Power, known_orders: Iterable[Order], doubtful: Sequence[Sequence[Line]], rules: Rulebook
) -> list[list[Line]]:
    """For each doubtful line of a power, given as its possible readings, return the readings that its other orders leave.

    Illegal readings are dropped. Once a line has only one reading left, its orders count as known for the other lines.
    """
    left = [[line for line in lines if all(_is_legal(board, power, order, rules) for order in line)] for lines in doubtful]
    known_orders = list(known_orders)
    open_lines = {index for index, lines in enumerate(left) if lines}
    while open_lines:
        for index in open_lines:
            left[index] = _keep_best_matches(_drop_second_orders(left[index], known_orders), known_orders)
        certain = {index for index in open_lines if len(left[index]) == 1}
        known_orders += [order for index in certain for order in left[index][0]]
        open_lines -= certain | {index for index in open_lines if not left[index]}
        if not certain:
            break
    return left


def _is_legal(board: Board, power: Power, order: Order, rules: Rulebook) -> bool:
    if board.phase is Phase.RETREAT:
        return judge_retreats(board, {power: [order]}, rulebook=rules).judged[power][0].reason is None
    if board.phase is Phase.ADJUSTMENT:
        return find_adjustment_problem(board, power, order, rules) is None
    return judge_orders_alone(board, power, [order], rules)[0].reason is None


def _find_ordered_provinces(orders: Iterable[Order]) -> set[ProvinceCode]:
    return {order.unit.province for order in orders if not isinstance(order, Decline | Permission | Unreadable)}


def _drop_second_orders(lines: Sequence[Line], known_orders: Sequence[Order]) -> list[Line]:
    """Return those readings of a line that give no order to a unit that one of the `known_orders` is for (4.E.2 c)."""
    ordered = _find_ordered_provinces(known_orders)
    return [line for line in lines if ordered.isdisjoint(_find_ordered_provinces(line))]


def _keep_best_matches(lines: list[Line], known_orders: Sequence[Order]) -> list[Line]:
    """Of several readings of a line, return those that match the most known orders (4.E.2 d)."""
    if len(lines) < 2:
        return lines
    matches = [
        sum(_is_help_for(order, other) or _is_help_for(other, order) for order in line for other in known_orders)
        for line in lines
    ]
    return [line for line, number in zip(lines, matches, strict=True) if number == max(matches)]


def find_contradictions(orders: Sequence[Order]) -> Iterator[tuple[Order, Order]]:
    """Yield each support or convoy that does not match the same power's order to the helped unit, with that order."""
    for helping in orders:
        unit = _find_helped_unit(helping)
        others = [order for order in orders if unit and _find_ordered_provinces([order]) == {unit.province}]
        if others and not any(_is_help_for(helping, other) for other in others):
            yield helping, others[-1]


def _find_helped_unit(order: Order) -> Named | None:
    """Return the unit that a support or a convoy helps; None for another kind of order."""
    if isinstance(order, SupportHold | SupportMove):
        return order.supported
    return order.convoyed if isinstance(order, Convoy) else None


def has_wrong_kind(order: Order, intended: Order) -> bool:
    """Return whether an order names a unit as an army or fleet where `intended` names it as the other kind (4.C.2)."""
    return any(
        named and actual and named.kind and actual.kind and named.kind is not actual.kind
        for named, actual in zip(_find_named_units(order), _find_named_units(intended), strict=True)
    )


def _find_named_units(order: Order) -> tuple[Named | None, Named | None]:
    """Return the unit that an order is for and the unit that the order helps, each None if there is none."""
    return (None if isinstance(order, Decline) else order.unit), _find_helped_unit(order)


def _is_help_for(helping: Order, helped: Order) -> bool:
    """Return whether the order `helping` supports or convoys the unit in what the order `helped` does, whatever the coasts."""
    if isinstance(helping, SupportMove | Convoy) and isinstance(helped, Move):
        unit = helping.supported if isinstance(helping, SupportMove) else helping.convoyed
        return unit.province == helped.unit.province and province_of(helping.destination) == province_of(helped.destination)
    if isinstance(helping, SupportHold) and not isinstance(helped, Decline | Permission | Unreadable | Move):
        return helping.supported.province == helped.unit.province
    return False


# ---- orders that are missing in a phase, and how the rulebook replaces them (DATC 4.D.7 to 4.D.9) ----


def find_missing_orders(board: Board, orders: Mapping[Power, Sequence[Order]]) -> dict[Power, list[str]]:
    """Return, by power, what it left unordered, as texts: its units, dislodged units that could retreat, or `2 builds`.

    Builds and removals count if they are due and neither ordered nor declined. Illegal orders count as orders.
    """
    given = {power: [order for order in of if not isinstance(order, Permission)] for power, of in orders.items()}
    named = {power: {order.unit.province for order in of if not isinstance(order, Decline)} for power, of in given.items()}
    found: dict[Power, list[str]] = {}
    if board.phase is Phase.ADJUSTMENT:
        for power, due in adjustments_due(board).items():
            kinds = Build | Decline if due > 0 else Remove
            missing = abs(due) - sum(isinstance(order, kinds | Unreadable) for order in given.get(power, ()))
            if missing > 0:
                found[power] = [number_of(missing, "build" if due > 0 else "removal")]
        return found
    retreating = board.phase is Phase.RETREAT
    for unit in [lost.unit for lost in board.dislodged if lost.retreats] if retreating else board.units:
        if unit.power != board.map.nobody and unit.province not in named.get(unit.power, ()):
            found.setdefault(unit.power, []).append(str(unit))
    return found


def describe_missing_orders(
    board: Board,
    rulebook: Rulebook,
    orders: Mapping[Power, Sequence[object]],
    missing: Mapping[Power, Sequence[str]],
    *,
    max_sentences: int = EACH_BY_ITSELF,
) -> list[str]:
    """Return a sentence for each power on what the rulebook does about its missing orders, or a joint one for many powers.

    If more than `max_sentences` powers order nothing (by default, as many as the standard map has), one sentence covers them
    all.
    """
    silent = [power for power, texts in missing.items() if not orders.get(power) and _has_common_fate(board, texts)]
    together = silent if len(silent) > max_sentences else []
    sentences = [
        _describe_power(board, rulebook, power, texts, bool(orders.get(power)))
        for power, texts in missing.items()
        if power not in together
    ]
    if together:
        builds = board.phase is Phase.ADJUSTMENT
        sentences.append(
            (_describe_unordered_builds if builds else _describe_disorder)(
                board, rulebook, {power: missing[power] for power in together}
            )
        )
    return sentences


def _has_common_fate(board: Board, missing: Sequence[str]) -> bool:
    """Return whether what a power left unordered is treated alike for all powers: units hold, builds are waived."""
    return board.phase is Phase.MOVEMENT or (board.phase is Phase.ADJUSTMENT and missing[0].endswith(("build", "builds")))


def _describe_unordered_builds(board: Board, rulebook: Rulebook, missing: Mapping[Power, Sequence[str]]) -> str:
    """Return a sentence that states which powers left how many builds unordered, and what happens to the builds."""
    names = ", ".join(f"{board.map.name_of(power)} ({text.partition(' ')[0]})" for power, (text,) in missing.items())
    return f"Builds are left unordered by {names}: {_describe_build_fate(rulebook)} (4.D.7)."


def _describe_build_fate(rulebook: Rulebook) -> str:
    return "waived" if rulebook.declining is Declining.ALLOWED else "the rulebook does not say what is built"


def _describe_disorder(board: Board, rulebook: Rulebook, missing: Mapping[Power, Sequence[str]]) -> str:
    """Return a sentence that the keys of `missing` (two or more powers) gave no orders to move, and what their units do."""
    names = [*map(board.map.name_of, missing)]
    fate = ", ".join(("all their units hold", *_list_disorder_fates(rulebook)))
    return f"{', '.join(names[:-1])} and {names[-1]} give no orders (civil disorder, 4.D.9): {fate}."


def _list_disorder_fates(rulebook: Rulebook) -> list[str]:
    """Return clauses about what happens to units in civil disorder besides holding, such as "cannot be supported"."""
    more = [] if rulebook.disorder_support is not DisorderSupport.REFUSED else ["cannot be supported"]
    return more + ([] if rulebook.disorder_retreats is DisorderRetreats.ALLOWED else ["are disbanded if dislodged"])


def _describe_power(board: Board, rulebook: Rulebook, power: Power, missing: Sequence[str], gave_orders: bool) -> str:
    name = board.map.name_of(power)
    if board.phase is Phase.ADJUSTMENT:
        (count_text,) = missing
        if count_text.endswith(("removal", "removals")):
            return f"{name} leaves {count_text} unordered: civil disorder removes the units (4.D.8)."
        return f"{name} leaves {count_text} unordered: {_describe_build_fate(rulebook)} (4.D.7)."
    units = ", ".join(missing)
    if board.phase is Phase.RETREAT:
        return f"{name} gives no order to {units}: disbanded (6.H)."
    holds = "holds" if len(missing) == 1 else "hold"
    if gave_orders:
        return f"{name} gives no order to {units}: {holds}."
    return (
        f"{name} gives no orders (civil disorder, 4.D.9): {', '.join((f'{units} {holds}', *_list_disorder_fates(rulebook)))}."
    )
