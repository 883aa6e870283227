"""What a power wants to be sure of: a goal in the language of `satjudge search`, with three words more.

    keep VIE    no foreign unit stands in Vienna after the moves        not occupied:VIE or occupied:VIE=AUSTRIA
    take BUD    a unit of the power stands in Budapest after the moves  occupied:BUD=AUSTRIA
    hold VIE    the unit in Vienna is not dislodged                     not dislodged:VIE
    hold        no unit of the power is dislodged

A wish speaks of the position after the moves and before any retreat.
"""

from __future__ import annotations

import re

from satjudge.board import Board
from satjudge.errors import InputError
from satjudge.geography import Power, ProvinceCode
from satjudge.outcome import Outcome
from satjudge.research.search.goals import Both, Dislodged, Either, Goal, Not, Occupied, parse_goal
from satjudge.research.search.model import Copy
from satjudge.solve.clauses import FALSE, Literal

_WORDS = re.compile(r"\b(?P<word>keep|take|hold)\b(?:\s+(?!and\b|or\b|not\b)(?P<place>[^\s()]+))?", re.IGNORECASE)


def parse_wish(text: str, board: Board, power: Power) -> Goal:
    """Read a wish. Raises `InputError` for what cannot be read, and for goals that do not speak of the outcome."""
    goal = parse_goal(_WORDS.sub(lambda match: _translated(match, board, power), text), board.map)
    _check(goal)
    return goal


def _translated(match: re.Match[str], board: Board, power: Power) -> str:
    word, place = match["word"].lower(), match["place"]
    if word == "hold":
        own = [place] if place else [unit.province for unit in board.units if unit.power == power]
        return f"({' and '.join(f'not dislodged:{province}' for province in own)})"
    if not place:
        hint, column = f"write {word} VIE", match.start() + 1
        raise InputError(f"{word} what?", source=f"goal {match.string!r}", column=column, suggestion=hint)
    taken = f"occupied:{place}={board.map.power_names[power]}"
    return taken if word == "take" else f"({taken} or not occupied:{place})"


def _check(goal: Goal) -> None:
    match goal:
        case Both(one, other) | Either(one, other):
            _check(one)
            _check(other)
        case Not(inner):
            _check(inner)
        case Dislodged() | Occupied():
            return
        case _:
            hint = "write keep VIE, take BUD, hold VIE, dislodged:VIE or occupied:VIE=ITALY"
            raise InputError(f"{goal} cannot be guaranteed", suggestion=hint)


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
