"""What a wish means: of an outcome, and of a resolution of unknown orders. `satjudge.research.guarantee.reading` reads it."""

from __future__ import annotations

from satjudge.board import Board
from satjudge.outcome import Outcome
from satjudge.research.search.copies import Copy
from satjudge.research.search.goals import Both, Dislodged, Either, Goal, Not, Occupied, fits
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
        case Dislodged(place):
            return any(fits(place, lost.unit.location) for lost in outcome.dislodgements.values())
        case Occupied(place, power):
            return any(fits(place, unit.location) and power in (None, unit.power) for unit in outcome.units)
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
        case Dislodged():
            there = board.unit_at.get(goal.province)
            return copy.dislodged(goal.province) if there and fits(goal.place, there.location) else FALSE
        case Occupied():
            return formula.any_of((_arrives(copy, goal), _stays(copy, board, goal)))
        case _:
            raise TypeError(goal)


def _arrives(copy: Copy, goal: Occupied) -> Literal:
    """A unit, of that power if one is named, moves in; to that coast if one is named."""
    place = copy.orders.situation.places.get(goal.province)
    moves = place.moves_in if place else ()
    there = (move for move in moves if fits(goal.place, move.order.destination))
    return copy.formula.any_of(copy.move(move) for move in there if goal.power in (None, move.power))


def _stays(copy: Copy, board: Board, goal: Occupied) -> Literal:
    """The unit that stands there, of that power if one is named, neither leaves nor is dislodged."""
    unit = board.unit_at.get(goal.province)
    if unit is None or not fits(goal.place, unit.location) or goal.power not in (None, unit.power):
        return FALSE
    return copy.formula.all_of((-copy.left(goal.province), -copy.entered(goal.province)))
