"""Advances a game from phase to phase, on any map: the next position, and the adjustments due there.

A retreat phase follows if a dislodged unit may retreat. After Fall and its retreats, the centres change hands, and an
adjustment phase follows if any power may build or must remove units. Phases in which nobody has anything to do are skipped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from satjudge.world.board import Board, DislodgedUnit, Phase, Season, Turn, Unit
from satjudge.world.geography import Power, ProvinceCode, UnitKind


def next_board(board: Board, units: Iterable[Unit], dislodged: Iterable[DislodgedUnit] = ()) -> Board:
    """Return the next position with anything to order, after a phase that left these units; without a turn, never of builds.

    If the board has no turn, retreats or else moves follow, since nobody knows whether Fall is over.
    """
    left = replace(board, units=tuple(units), dislodged=tuple(dislodged), phase=Phase.RETREAT)
    if any(lost.retreats for lost in left.dislodged):
        return left
    after = replace(left, dislodged=(), phase=Phase.MOVEMENT)
    if board.turn is None:
        return after
    if board.turn.season is Season.FALL and board.phase is not Phase.ADJUSTMENT:
        after = replace(after, centers=centers_after_fall(after))
        if adjustments_due(after):
            return replace(after, phase=Phase.ADJUSTMENT)
    if board.map.first_builds is not None and _is_before_first_spring(board):
        after = replace(after, centers={code: owner for code, owner in after.centers.items() if code in after.unit_at})
    return replace(_add_neutral_armies(after), turn=board.turn.next_turn)


def _add_neutral_armies(board: Board) -> Board:
    """Return the board, after Fall with an army in each empty centre of the neutral power if that rebuilds."""
    neutral = board.map.neutral
    if neutral is None or not neutral.rebuilds or board.turn is None or board.turn.season is not Season.FALL:
        return board
    empty = sorted(code for code, owner in board.centers.items() if owner == neutral.power and code not in board.unit_at)
    built = (Unit(neutral.power, UnitKind.ARMY, code) for code in empty if not board.map.problem_with(UnitKind.ARMY, code))
    return replace(board, units=(*board.units, *built))


def centers_after_fall(board: Board) -> dict[ProvinceCode, Power]:
    """Return the owner of each owned supply centre after Fall: the power with a unit there, or else the earlier owner."""
    taken = {province: unit.power for province, unit in board.unit_at.items() if province in board.map.centers}
    return {**board.centers, **taken}


def adjustments_due(board: Board) -> dict[Power, int]:
    """Return how many units each power may build, at most one for each site, or must remove (negative), without powers at 0.

    A power cannot build more units than it has sites for.
    """
    units = Counter(unit.power for unit in board.units)
    powers = dict.fromkeys((*board.map.powers, *board.centers.values(), *units))
    due = {power: surplus(board, power) for power in powers}
    return {
        power: number
        for power, excess in due.items()
        if (number := min(excess, len(build_sites(board, power))) if excess > 0 else excess)
    }


def surplus(board: Board, power: Power) -> int:
    """Return how many more units a power may have, by its centres and partisans; negative if too many, 0 if nobody plays it.

    The result is 0 for the power that nobody plays, which never builds or removes units.
    """
    if power == board.map.nobody:
        return 0
    may_have = counted_centers(board, power) + (partisans_of(board, power) is not None)
    if board.map.first_builds is not None and _is_before_first_spring(board):
        may_have = min(may_have, board.map.first_builds)
    more = may_have - [unit.power for unit in board.units].count(power)
    return min(more, len(_list_empty_homes(board, power))) if more > 0 and alternatives_of(board, power) else more


def _is_before_first_spring(board: Board) -> bool:
    """Return whether the board is in the Winter before the first Spring, in which games with initial builds begin."""
    return board.turn == Turn(board.map.first_year - 1, Season.FALL)


def partisans_of(board: Board, power: Power) -> ProvinceCode | None:
    """Return where a power may build partisans if it owns some but not all of its homes (*1900*); else None."""
    site = board.map.partisans.get(power)
    if site is None:
        return None
    homes = board.map.homes(power)
    return site if 0 < _count_owned(board, power, homes) < len(homes) else None


def _count_owned(board: Board, power: Power, homes: Iterable[ProvinceCode]) -> int:
    """Return how many of the centres `homes` a power owns."""
    return sum(board.centers.get(home) == power for home in homes)


def counted_centers(board: Board, power: Power) -> int:
    """Return how many of a power's centres count for builds and winning; Hong Kong does not for China (DATC 2.4, 7.A)."""
    provinces = board.map.provinces
    if not board.map.has_uncounted_centers:
        return [*board.centers.values()].count(power)
    return sum(power not in provinces[code].not_counted for code, owner in board.centers.items() if owner == power)


def winner_of(board: Board, victory: int | None = None) -> Power | None:
    """Return the power that won by most centres (at least `victory`, else the map's number or over half) or a lead; or None.

    If several powers have enough, the one with most wins; in a tie, nobody does. A power with its own number on the map wins
    with that, before all others. A winner must own the centres that the map requires. Neutral powers never win.
    """
    game_map = board.map
    needed = victory or game_map.victory or len(game_map.centers) // 2 + 1
    owners = dict.fromkeys(board.centers.values())
    counts = {power: counted_centers(board, power) for power in owners if power != game_map.nobody}
    most = max(counts.values(), default=0)
    first = [power for power, least in game_map.victories.items() if counts.get(power, 0) >= least]
    first = first or [power for power, count in counts.items() if count == most >= needed]
    if len(first) == 1 and _owns_what_it_needs(board, first[0]):
        return first[0]
    return _find_sufficient_leader(board, counts)


def _owns_what_it_needs(board: Board, power: Power) -> bool:
    """Return whether a power owns the centres that the map requires a winner to own."""
    groups = [*((code,) for code in board.map.victory_needs), *board.map.power_needs.get(power, ())]
    return all(_count_owned(board, power, group) for group in groups)


def _find_sufficient_leader(board: Board, counts: Mapping[Power, int]) -> Power | None:
    """Return the power whose lead in counted centres is large enough to win in this year, or None."""
    lead, game_map = board.map.victory_lead, board.map
    if lead is None or board.turn is None or not counts:
        return None
    (leader, most), *others = Counter(counts).most_common(2)
    second = others[0][1] if others else 0
    return leader if most - second >= lead.compute_lead(board.turn.year - game_map.first_year) else None


def winners_of(board: Board, victory: int | None = None) -> tuple[Power, ...]:
    """Return the powers that win after this Fall: the `winner_of` it or, in the last year, those who share it; else ()."""
    if winner := winner_of(board, victory):
        return (winner,)
    last = board.map.last_year
    if last is None or board.turn is None or board.map.calendar_year(board.turn.year, fall=True) < last.year:
        return ()
    counts = {power: counted_centers(board, power) for power in board.map.players}
    if last.draw:
        return tuple(power for power, count in counts.items() if count or any(unit.power == power for unit in board.units))
    return tuple(power for power, count in counts.items() if count == max(counts.values()))


def build_sites(board: Board, power: Power) -> list[ProvinceCode]:
    """Return, sorted, the empty provinces in which a power may build: homes that it owns or, if the map allows, other places.

    The sites include the province of its partisans, and provinces in which it may build in place of a home (DATC 6.I.3).
    """
    if lacks_home(board, power):
        return []
    empty = _list_empty_homes(board, power)
    if site := partisans_of(board, power):
        empty.add(site)
    return sorted((empty | alternatives_of(board, power) if empty else empty) - board.unit_at.keys())


def alternatives_of(board: Board, power: Power) -> set[ProvinceCode]:
    """Return where a power may build in place of its homes: provinces without a centre, or centres that it owns (*Zeus*)."""
    named = (code for code, powers in board.map.alternatives.items() if power in powers)
    return {code for code in named if code not in board.map.centers or board.centers.get(code) == power}


def _list_empty_homes(board: Board, power: Power) -> set[ProvinceCode]:
    """Return the empty centres that a power owns and in which it may build."""
    return {home for home in board.homes(power) if board.centers.get(home) == power and home not in board.unit_at}


def lacks_home(board: Board, power: Power) -> bool:
    """Return whether a power cannot build because the map requires it to own a home and it owns none (REMOTE_BUILDS)."""
    return board.map.builds_need_home and not _count_owned(board, power, board.map.homes(power))
