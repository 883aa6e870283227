"""What a wish means: of an outcome, and of a resolution of unknown orders. `satjudge.research.guarantee.reading` reads it."""

from __future__ import annotations

from satjudge.board import Board
from satjudge.geography import Power, ProvinceCode
from satjudge.outcome import Outcome
from satjudge.research.search.copies import Copy
from satjudge.research.search.goals import Both, Dislodged, Either, Goal, Not, Occupied
from satjudge.solve.clauses import FALSE, Literal


def is_met(goal: Goal, outcome: Outcome) -> bool:
    """Whether the wish came true."""
    match goal:
        case Both(one, other):
            return is_met(one, outcome) and is_met(other, outcome)
        case Either(one, other):
            return is_met(one, outcome) or is_met(other, outcome)
        case Not(inner):
            return not is_met(inner, outcome)
        case Dislodged(province):
            return province in outcome.dislodgements
        case Occupied(province, power):
            return any(unit.province == province and power in (None, unit.power) for unit in outcome.units)
        case _:
            raise TypeError(goal)


def literal(goal: Goal, copy: Copy, board: Board) -> Literal:
    """The wish as a literal over a resolution of unknown orders on this board."""
    formula = copy.formula
    match goal:
        case Both(one, other):
            return formula.all_of((literal(one, copy, board), literal(other, copy, board)))
        case Either(one, other):
            return formula.any_of((literal(one, copy, board), literal(other, copy, board)))
        case Not(inner):
            return -literal(inner, copy, board)
        case Dislodged(province):
            return copy.dislodged(province)
        case Occupied(province, power):
            return formula.any_of((_arrives(copy, province, power), _stays(copy, board, province, power)))
        case _:
            raise TypeError(goal)


def _arrives(copy: Copy, province: ProvinceCode, power: Power | None) -> Literal:
    """A unit, of that power if one is named, moves in."""
    place = copy.orders.situation.places.get(province)
    moves = place.moves_in if place else ()
    return copy.formula.any_of(copy.move(move) for move in moves if power in (None, move.power))


def _stays(copy: Copy, board: Board, province: ProvinceCode, power: Power | None) -> Literal:
    """The unit that stands there, of that power if one is named, neither leaves nor is dislodged."""
    unit = board.unit_at.get(province)
    if unit is None or power not in (None, unit.power):
        return FALSE
    return copy.formula.all_of((-copy.left(province), -copy.entered(province)))
