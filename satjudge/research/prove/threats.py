"""What the enemies of a line need to be able to order.

If any enemies with any orders can bring a unit into a protected province, then one enemy can whose fellows do nothing but
support that one move, or move to provinces whose units support against it; and none of them goes by convoy, as the last
fleet of its route could go there itself (the proof is in docs/prove.md). So no other orders are looked at, and nothing is
lost.
"""

from __future__ import annotations

from collections.abc import Iterator

from satjudge.board import Unit
from satjudge.geography import Location, Power, ProvinceCode, UnitKind, province_of
from satjudge.orders import Move, MovementOrder, Named, SupportHold, SupportMove
from satjudge.research.prove.line import Line

Candidate = tuple[Unit, MovementOrder]


def enemy_power(line: Line) -> Power:
    """One power for all enemies: their orders do not touch each other, so it does not matter whose they are."""
    ours = {unit.power for unit in line.board.units}
    return next(power for power in line.board.map.powers if power not in ours)


def threats(line: Line, target: ProvinceCode) -> list[Candidate]:
    """Every order that may have a part in bringing an enemy into the target."""
    attackers = [*_entries(line, target)]
    if not attackers:
        return []
    cutters = (cut for province in _supporters(line, target) for cut in _entries(line, province))
    return [*dict.fromkeys((*attackers, *cutters)), *_supports(line, target, attackers)]


def _supporters(line: Line, target: ProvinceCode) -> list[ProvinceCode]:
    """Where units of the line stand that support the one in the target."""
    given = line.orders.items()
    return [place for place, order in given if isinstance(order, SupportHold) and order.supported.province == target]


def _entries(line: Line, target: ProvinceCode) -> Iterator[Candidate]:
    """Every move of an enemy to this province."""
    for kind, place in line.enemy_units:
        way = _way(line, kind, place, target)
        if way is not None:
            yield Unit(enemy_power(line), kind, place), Move(Named(kind, place), way)


def _way(line: Line, kind: UnitKind, place: Location, target: ProvinceCode) -> Location | None:
    """Where in the target a unit can go: on one coast, for it does not matter on which."""
    return min((way for way in line.board.map.exits(kind, place) if province_of(way) == target), default=None)


def _supports(line: Line, target: ProvinceCode, attackers: list[Candidate]) -> Iterator[Candidate]:
    """Every support for a move to the target; the unit that is supported is named by its province alone.

    Who can support a move could make it as well, so of units that help each other the first in the alphabet may do so.
    """
    origins = sorted({unit.province for unit, _ in attackers})
    for unit, _ in attackers:
        for origin in origins:
            if origin < unit.province:
                yield unit, SupportMove(Named(unit.kind, unit.location), Named(None, origin), target)
