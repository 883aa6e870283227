"""Prints the equations of a situation as text: one line for every decision, PATH and strength."""

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
"""The maximum number of routes of a convoy to print; if there are more, its fleets are printed instead."""


class Printing(Adjudication[str, str]):
    """A logic that prints equations, with decisions and derived terms by name and constants simplified away.

    On a map with difficult borders, strengths are printed as people count them, one less than in the statement: an
    unsupported move over such a border has 0, and the absence of strength is `none`, which every strength exceeds (DATC
    2.4, 10).
    """

    def __init__(self, *, difficult_borders: bool = False) -> None:
        self.difficult_borders = difficult_borders

    def all_of(self, parts: Iterable[str]) -> str:
        """Return the parts as a text such as `a and b`, without constants."""
        return _join(parts, " and ", neutral=TRUE, absorbing=FALSE)

    def any_of(self, parts: Iterable[str]) -> str:
        """Return the parts as a text such as `a or b`, without constants."""
        return _join(parts, " or ", neutral=FALSE, absorbing=TRUE)

    def none_of(self, parts: Iterable[str]) -> str:
        """Return the parts as a text such as `not a and not b`, without constants."""
        return self.all_of(_negate(part) for part in parts)

    def total(self, base: int, parts: Iterable[str]) -> str:
        """Return the sum of `base`, one less with difficult borders, and of the parts as a text such as `1 + a + b`."""
        terms = []
        base -= self.difficult_borders
        for part in parts:
            if part == TRUE:
                base += 1
            elif part != FALSE:
                terms.append(f"({part})" if part.startswith("not ") else _parenthesize(part))
        return " + ".join([str(base), *terms] if base or not terms else terms)

    def exceeds(self, one: str, other: str) -> str:
        """Return the comparison as a text such as `a > b`, or `true` or `false` if it is certain."""
        if one == NONE or (one.isdigit() and other.isdigit()):
            return TRUE if one != NONE and int(one) > int(other) else FALSE
        if other == NONE and one.isdigit():
            return TRUE
        return f"{_parenthesize(one)} > {_parenthesize(other)}"

    def zero(self) -> str:
        """Return the text `0`, or `none` on maps with difficult borders, where the strength 0 means something else."""
        return NONE if self.difficult_borders else "0"

    def choose(self, condition: str, larger: str, smaller: str) -> str:
        """Return the choice as a text such as `a if c else b`, or only one strength if the condition is certain."""
        if condition in (TRUE, FALSE) or larger == smaller:
            return larger if condition == TRUE or larger == smaller else smaller
        return f"{_parenthesize(larger)} if {condition} else {smaller}"

    def value_of(self, decision: Decision) -> str:
        """Return the name of a decision: `MOVE(A PAR - BUR)`."""
        return name_decision(decision)

    def connects_coasts(self, move: MoveDecision, graph: ConvoyGraph, truths: dict[int, str], not_last: int = 0) -> str:
        """Return the routes as a text joined by `or`; if there are too many, `CHAIN(…)` with the fleets."""
        if len([*islice(graph.iter_routes(graph.fleets), MOST_ROUTES + 1)]) <= MOST_ROUTES:
            return super().connects_coasts(move, graph, truths, not_last)
        other = f", not last by {', '.join(graph.list_provinces(not_last & graph.goal))}" if not_last & graph.goal else ""
        return f"CHAIN({move}{other}: {', '.join(truths.values())})"

    def path(self, move: MoveDecision) -> str:
        """Return `PATH(…)` with the move, or `true` or `false` if its value is certain."""
        truth = statement.path(self, move)
        return truth if truth in (TRUE, FALSE) else f"PATH({move})"

    def hold(self, place: Place) -> str:
        """Return `HOLD(…)` with the place, or a number or `none` if the strength is certain."""
        return _name_strength(statement.hold(self, place), f"HOLD({place})")

    def attack(self, move: MoveDecision) -> str:
        """Return `ATTACK(…)` with the move, or a number or `none` if the strength is certain."""
        return _name_strength(statement.attack(self, move), f"ATTACK({move})")

    def prevent(self, move: MoveDecision) -> str:
        """Return `PREVENT(…)` with the move, or a number or `none` if the strength is certain."""
        return _name_strength(statement.prevent(self, move), f"PREVENT({move})")

    def defend(self, move: MoveDecision) -> str:
        """Return `DEFEND(…)` with the move, or a number if the strength is certain."""
        return _name_strength(statement.defend(self, move), f"DEFEND({move})")

    def train_prevent(self, stage: Stage) -> str:
        """Return `PREVENT(…)` with the stage of a train (move by railroad), or a number or `none` if that is certain."""
        return _name_strength(statement.train_prevent(self, stage), f"PREVENT({stage})")

    def train_strength(self, stage: Stage) -> str:
        """Return `DEFEND(…)` with the stage of a train (move by railroad), or a number if the strength is certain."""
        return _name_strength(statement.train_strength(self, stage), f"DEFEND({stage})")


def name_decision(decision: Decision) -> str:
    """Return the name of a decision in printed equations, such as `MOVE(A PAR - BUR)`."""
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
    """Return a text in parentheses, unless it is a single name or number, perhaps after `not`."""
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
    """Return whether a part needs parentheses among parts that are joined by `word`, which is ` and ` or ` or `."""
    other = " or " if word == " and " else " and "
    return _parenthesize(part) != part and (other in part or " if " in part)


def format_equations(situation: Situation) -> Iterator[str]:
    """Yield a situation's equations as lines: HOLD of each place, then each decision with its PATH and strengths."""
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
