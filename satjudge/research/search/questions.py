"""Questions to the solver: formulas that hold of every board with orders that the goal holds of, and of few others.

A goal is a choice of cases (`goals.cases`), a case one or more questions. Each is a *necessary* condition for the case, so
that "no assignment" is a proof; what the solver finds is judged, and refined where the judge disagrees (docs/search.md says
why each condition is necessary).

*Two copies* of the resolution variables that differ say `several-resolutions`. *No resolution* is a for-all: whatever one
sets the convoys to, the rest of the equations has a solution, and in it some convoy is not what it was set to. One copy
for each way to set them would say just that; here are as many as were needed so far. *Outcomes* are read from a copy; in a
question of its own decisions may be overridden there as the rulebook's backup rules do, if there is the sign of a paradox.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from satjudge.equations.situation import ConvoyDecision, Decision, MoveDecision
from satjudge.research.search import goals
from satjudge.research.search.asked import Asked, relaxed_kinds, rulebooks_of
from satjudge.research.search.copies import Copy
from satjudge.research.search.goals import OfOutcome, Structural
from satjudge.research.search.judging import Judged
from satjudge.research.search.members import members_of, require_members
from satjudge.research.search.model import OrderModel
from satjudge.research.search.rings import turn_rings
from satjudge.research.search.settings import ALL_AND_NONE, ConvoySettings, Pattern
from satjudge.research.search.tidying import can_be_tidy, longest_route, tidy
from satjudge.research.search.told import told
from satjudge.research.search.universe import Universe
from satjudge.rules import Rulebook
from satjudge.solve.clauses import FALSE, Formula, Literal


class Question:
    """One question about the boards of a universe with at most `most_units` units (None: any number).

    `tick` is called while the formula is written, as `Formula` has it.
    """

    def __init__(
        self, universe: Universe, asked: Asked, most_units: int | None = None, tick: Callable[[], None] = lambda: None
    ) -> None:
        self.asked = asked
        is_tidy = can_be_tidy(asked.case, universe)
        if is_tidy:
            universe = replace(universe, longest_route=longest_route(asked.case, universe, most_units))
        self.orders = OrderModel(universe, most_units, formula=Formula(tick))
        self.formula = self.orders.formula
        self._settings = ConvoySettings(self.orders)
        self._models = {universe.rulebook: self.orders}
        self._patterns: set[Pattern] = set()
        self._outcomes = {book: self._outcome(book) for book in rulebooks_of(asked.case, universe.rulebook)}
        if asked.ruled:
            self.formula.require(*(fails for copy in self._outcomes.values() for fails in copy.fails.values()))
        for goal in asked.case:
            self._require(goal)
        if is_tidy:
            tidy(self.orders)

    def model(self, rulebook: Rulebook) -> OrderModel:
        """The same unknown units and orders as another rulebook reads them."""
        if rulebook not in self._models:
            universe = self.orders.universe.under(rulebook)
            self._models[rulebook] = OrderModel(universe, self.orders.most_units, beside=self.orders)
        return self._models[rulebook]

    def _outcome(self, rulebook: Rulebook) -> Copy:
        """The final resolution. If a paradox is ruled on, decisions may be overridden: then there is the sign of it."""
        model = self.model(rulebook)
        kinds = relaxed_kinds(rulebook) if self.asked.ruled else ()
        copy = model.copy(rulebook.name, may_fail=kinds)
        if kinds:
            sign = ConvoySettings(model).sign_of_paradox()
            for fails in copy.fails.values():
                self.formula.require(-fails, sign)
        turn_rings(copy)
        return copy

    # What the goals come to.

    def _require(self, goal: goals.Part) -> None:
        match goal:
            case _ if all(isinstance(atom, OfOutcome) for atom in goals.atoms(goal)):
                self.formula.require(self._of_outcome(goal))
            case goals.Not(goals.NoResolution()):
                self.orders.copy()
            case goals.Not():
                pass  # the judge refuses what does not fit
            case goals.Paradox() | goals.Both() | goals.Either():
                raise AssertionError("a choice of cases")
            case goals.Dislodged() | goals.Occupied() | goals.Verdict():
                raise AssertionError("about the outcome")
            case _:
                self._require_structure(goal)

    def _of_outcome(self, goal: goals.Goal) -> Literal:
        """What a goal that speaks of the outcome alone comes to."""
        match goal:
            case goals.Both(one, other):
                return self.formula.all_of((self._of_outcome(one), self._of_outcome(other)))
            case goals.Either(one, other):
                return self.formula.any_of((self._of_outcome(one), self._of_outcome(other)))
            case goals.Not(inner):
                return -self._of_outcome(inner)
            case goals.Dislodged() | goals.Occupied() | goals.Verdict():
                return told(self.orders, self._outcomes[self.orders.universe.rulebook], goal)
        raise AssertionError("not about the outcome")

    def _require_structure(self, goal: Structural) -> None:
        match goal:
            case goals.Several():
                self._differ(MoveDecision)
            case goals.DifferingConvoys():
                self._differ(ConvoyDecision)
            case goals.NoResolution():
                self._no_resolution()
            case goals.CoreShape(shape):
                self._require_core(shape)
            case goals.Differs():
                self._require_difference(goal)

    def _require_difference(self, goal: goals.Differs) -> None:
        """Some move succeeds under just one of the rulebooks: positions that differ do so because of a move."""
        one, other = (
            {move.order: self._outcomes[book].move(move) for move in self.model(book).situation.moves}
            for book in (goal.one, goal.other)
        )
        moves = dict.fromkeys((*one, *other))
        self.formula.require(*(self.formula.xor(one.get(move, FALSE), other.get(move, FALSE)) for move in moves))
        for rulebook in (goal.one, goal.other) if goal.legal else ():
            self.orders.given.require_legal(rulebook)

    def _differ(self, kind: type[Decision], at_least: int = 1) -> None:
        """There are two resolutions, and so many decisions of some kind that hold in the first and not in the second.

        All decisions are functions of the moves, so resolutions that differ do so in a move; which is the first is open.
        """
        one, other = self.orders.copy("1"), self.orders.copy("2")
        subjects = (d for d in self.orders.situation.decisions if isinstance(d, kind))
        differing = (self.formula.all_of((one.value(d), -other.value(d))) for d in subjects)
        self.formula.require(self.formula.at_least(at_least, differing))

    def _require_core(self, shape: str) -> None:
        """What the name of a shape says: what is in the core, and how many resolutions it has.

        Several resolutions of a core with a convoy differ about a convoy; those of circular movement about all its moves.
        """
        members = members_of(shape)
        require_members(self.orders, shape)
        resolutions = shape.split("-")[1]
        if resolutions == "0r":
            self._no_resolution()
        elif resolutions != "1r":
            with_convoy = members[ConvoyDecision] > 0
            self._differ(ConvoyDecision if with_convoy else MoveDecision, 1 if with_convoy else members[MoveDecision])

    # No resolution.

    def _no_resolution(self) -> None:
        for pattern in ALL_AND_NONE:
            self._add_pattern(pattern)

    def _add_pattern(self, pattern: Pattern) -> bool:
        """Ask that one more way to set the convoys is contradicted. Whether it is a new one."""
        if pattern in self._patterns:
            return False
        self._patterns.add(pattern)
        self.formula.require(self._settings.contradicted(pattern))
        return True

    def refine(self, judged: Judged) -> bool:
        """Ask more of a question about no resolution, where the judge found one: contradict its convoys. Whether it helped."""
        if not self._patterns or judged.resolutions.count == 0:
            return False
        values = judged.resolutions.first(1)[0]
        convoys = [d for d in judged.situation.decisions if isinstance(d, ConvoyDecision)]
        seas = sorted(d.place.province for d in convoys)
        available = frozenset(seas.index(d.place.province) for d in convoys if values[d.index])
        return self._add_pattern((available, False))
