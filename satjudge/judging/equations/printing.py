"""Writes the equations of a situation as text for people: one line for every decision, path and strength."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from satjudge.judging.equations import statement
from satjudge.judging.equations.convoy_graph import ConvoyGraph
from satjudge.judging.equations.logic import Adjudication
from satjudge.judging.equations.situation import (
    CanalDecision,
    ConvoyDecision,
    Decision,
    MoveDecision,
    PassDecision,
    Place,
    ReachDecision,
    Situation,
    Stage,
    SupportDecision,
)

TRUE, FALSE, NONE = "true", "false", "none"

MOST_ROUTES = 24
"""The most routes of a convoy that are printed; for more, its fleets are printed instead."""


class Printing(Adjudication[str, str]):
    """A logic that writes equations, with decisions and derived terms by name and constants folded away.

    On a map with difficult borders strengths are written as people count them, one less than in the statement: an
    unsupported move over such a border has 0, and the absence of strength is `none`, which everything exceeds (DATC 2.4, 10).
    """

    def __init__(self, *, difficult_borders: bool = False) -> None:
        self.difficult_borders = difficult_borders

    def all_of(self, parts: Iterable[str]) -> str:
        """Return the text `a and b`."""
        return _join(parts, " and ", neutral=TRUE, absorbing=FALSE)

    def any_of(self, parts: Iterable[str]) -> str:
        """Return the text `a or b`."""
        return _join(parts, " or ", neutral=FALSE, absorbing=TRUE)

    def none_of(self, parts: Iterable[str]) -> str:
        """Return the text `not a and not b`."""
        return self.all_of(_negate(part) for part in parts)

    def total(self, base: int, parts: Iterable[str]) -> str:
        """Return the text `1 + a + b`."""
        terms = []
        base -= self.difficult_borders
        for part in parts:
            if part == TRUE:
                base += 1
            elif part != FALSE:
                terms.append(f"({part})" if part.startswith("not ") else _parenthesize(part))
        return " + ".join([str(base), *terms] if base or not terms else terms)

    def exceeds(self, one: str, other: str) -> str:
        """Return the text `a > b`."""
        if one == NONE or (one.isdigit() and other.isdigit()):
            return TRUE if one != NONE and int(one) > int(other) else FALSE
        if other == NONE and one.isdigit():
            return TRUE
        return f"{_parenthesize(one)} > {_parenthesize(other)}"

    def zero(self) -> str:
        """Return the text `0`, or `none` where 0 is something else."""
        return NONE if self.difficult_borders else "0"

    def choose(self, condition: str, larger: str, smaller: str) -> str:
        """Return the text `a if c else b`."""
        if condition in (TRUE, FALSE) or larger == smaller:
            return larger if condition == TRUE or larger == smaller else smaller
        return f"{_parenthesize(larger)} if {condition} else {smaller}"

    def value_of(self, decision: Decision) -> str:
        """Return the name of a decision: `MOVE(A PAR - BUR)`."""
        return name_decision(decision)

    def connects_coasts(self, move: MoveDecision, crossing: ConvoyGraph, standing: dict[int, str], not_last: int = 0) -> str:
        """Return the routes joined by `or`; if there are many, `CHAIN(…)` with the fleets that must connect the coasts."""
        if len([*islice(crossing.iter_routes(crossing.fleets), MOST_ROUTES + 1)]) <= MOST_ROUTES:
            return super().connects_coasts(move, crossing, standing, not_last)
        other = (
            f", not at last by {', '.join(crossing.list_provinces(not_last & crossing.goal))}"
            if not_last & crossing.goal
            else ""
        )
        return f"CHAIN({move}{other}: {', '.join(standing.values())})"

    def path(self, move: MoveDecision) -> str:
        """Return the name of PATH of a move, or `true` or `false` if it is certain."""
        truth = statement.path(self, move)
        return truth if truth in (TRUE, FALSE) else f"PATH({move})"

    def hold(self, place: Place) -> str:
        """Return the name of HOLD of a place, or a number if it is certain."""
        return _name_strength(statement.hold(self, place), f"HOLD({place})")

    def attack(self, move: MoveDecision) -> str:
        """Return the name of ATTACK of a move, or a number if it is certain."""
        return _name_strength(statement.attack(self, move), f"ATTACK({move})")

    def prevent(self, move: MoveDecision) -> str:
        """Return the name of PREVENT of a move, or a number if it is certain."""
        return _name_strength(statement.prevent(self, move), f"PREVENT({move})")

    def defend(self, move: MoveDecision) -> str:
        """Return the name of DEFEND of a move, or a number if it is certain."""
        return _name_strength(statement.defend(self, move), f"DEFEND({move})")

    def train_prevent(self, stage: Stage) -> str:
        """Return the name of PREVENT of a train (move by railroad), or a number if it is certain."""
        return _name_strength(statement.train_prevent(self, stage), f"PREVENT({stage})")

    def train_strength(self, stage: Stage) -> str:
        """Return the name of DEFEND of a train (move by railroad), or a number if it is certain."""
        return _name_strength(statement.train_strength(self, stage), f"DEFEND({stage})")


def name_decision(decision: Decision) -> str:
    """Return the name of a decision in printed equations: `MOVE(A PAR - BUR)`."""
    return f"{KINDS[type(decision)]}({decision})"


KINDS: dict[type[Decision], str] = {
    MoveDecision: "MOVE",
    SupportDecision: "SUPPORT",
    ConvoyDecision: "CONVOY",
    ReachDecision: "REACH",
    PassDecision: "PASS",
    CanalDecision: "CANAL",
}
"""The names of the kinds of decisions in equations."""


def _name_strength(strength: str, label: str) -> str:
    return strength if strength.isdigit() or strength == NONE else label


def _negate(part: str) -> str:
    if part in (TRUE, FALSE):
        return FALSE if part == TRUE else TRUE
    if part.startswith("not ") and " and " not in part and " or " not in part:
        return part.removeprefix("not ")
    return f"not {_parenthesize(part)}"


def _parenthesize(text: str) -> str:
    """Return a text in parentheses, unless it is a single name, number or negation of one."""
    depth = 0
    for position, character in enumerate(text.removeprefix("not ")):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth == 0 and character == " " and position:
            return f"({text})"
    return text


def _join(parts: Iterable[str], word: str, *, neutral: str, absorbing: str) -> str:
    kept: list[str] = []
    for part in parts:
        if part == absorbing:
            return absorbing
        if part != neutral and part not in kept:
            kept.append(part)
    if not kept:
        return neutral
    return (
        kept[0]
        if len(kept) == 1
        else word.join(_parenthesize(part) if _needs_parentheses(part, word) else part for part in kept)
    )


def _needs_parentheses(part: str, word: str) -> bool:
    """Return whether a part between these words needs parentheses: unless it is simple, a comparison or the same chain."""
    other = " or " if word == " and " else " and "
    return _parenthesize(part) != part and (other in part or " if " in part)


def format_equations(situation: Situation) -> Iterator[str]:
    """Yield the lines of every equation of a situation, decision by decision."""
    printer = Printing(difficult_borders=situation.rulebook.difficult_borders)
    for place in situation.places.values():
        strength = statement.hold(printer, place)
        yield f"HOLD({place}) = {strength}"
    for decision in situation.decisions:
        yield ""
        yield f"{name_decision(decision)} = {statement.decision(printer, decision)}"
        if isinstance(decision, MoveDecision):
            yield f"  PATH({decision}) = {statement.path(printer, decision)}"
            for term in ("attack", "prevent", "defend"):
                yield f"  {term.upper()}({decision}) = {getattr(statement, term)(printer, decision)}"
        if isinstance(decision, PassDecision):
            yield f"  PREVENT({decision.stage}) = {statement.train_prevent(printer, decision.stage)}"
            yield f"  DEFEND({decision.stage}) = {statement.train_strength(printer, decision.stage)}"
