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

import re
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeAlias

from satjudge.equations import statement
from satjudge.equations.situation import ConvoyDecision, Decision, MoveDecision, SupportDecision
from satjudge.geography import ProvinceCode
from satjudge.orders import Hold, Named
from satjudge.research.search import goals
from satjudge.research.search.goals import Case, OfOutcome, Structural
from satjudge.research.search.judging import Judged, same_order
from satjudge.research.search.model import Copy, OrderModel
from satjudge.research.search.tidying import can_be_tidy, longest_route, tidy
from satjudge.research.search.universe import Spot, Universe
from satjudge.rules import ParadoxFallback, ParadoxRule, Rulebook
from satjudge.solve.clauses import FALSE, TRUE, Literal

Pattern: TypeAlias = tuple[frozenset[int], bool]
"""Which of the chosen convoys are available, by their rank among the convoying seas; if true, all but these."""


@dataclass(frozen=True)
class Asked:
    """A case of a goal; `ruled`: the outcomes that it speaks of come about by the backup rule for a paradox."""

    case: Case
    ruled: bool

    def __str__(self) -> str:
        return " and ".join(map(str, self.case)) + (" (by a ruling on a paradox)" if self.ruled else "")


def questions(goal: goals.Goal, rulebook: Rulebook) -> list[Asked]:
    """What must be asked: the goal holds of a board only if one of these does."""
    found = []
    for case in map(_simplified, goals.cases(goal)):
        may_rule = any(relaxed_kinds(book) for book in _rulebooks(case, rulebook))
        found += [Asked(case, ruled) for ruled in ((False, True) if may_rule else (False,))]
    return found


def _simplified(case: Case) -> Case:
    """The case without what the rest of it says already."""
    implied = (goals.Several(),) if goals.DifferingConvoys() in case else ()
    return tuple(goal for goal in case if goal not in implied)


def _rulebooks(case: Case, rulebook: Rulebook) -> list[Rulebook]:
    """The rulebooks whose outcomes a case speaks of: that of the search first, if it is among them."""
    atoms = [goal.goal if isinstance(goal, goals.Not) else goal for goal in case]
    found = [rulebook] if any(isinstance(atom, OfOutcome) for atom in atoms) else []
    for goal in case:
        if isinstance(goal, goals.Differs):
            found += [book for book in (goal.one, goal.other) if book not in found]
    return found


def relaxed_kinds(rulebook: Rulebook) -> tuple[type[Decision], ...]:
    """The decisions that the rulebook's backup rule for paradoxes makes fail whatever their equations say (4.A.2)."""
    if rulebook.paradox is ParadoxRule.SZYKMAN:
        return (ConvoyDecision,)
    if rulebook.paradox in (ParadoxRule.ALL_HOLD, ParadoxRule.GUIDE):
        return (MoveDecision, ConvoyDecision)
    if rulebook.paradox is ParadoxRule.NONE or rulebook.paradox_fallback is ParadoxFallback.UNRESOLVED:
        return ()
    return (ConvoyDecision,) if rulebook.paradox_fallback is ParadoxFallback.SZYKMAN else (MoveDecision, ConvoyDecision)


class Question:
    """One question about the boards of a universe with at most `most_units` units (None: any number)."""

    def __init__(self, universe: Universe, asked: Asked, most_units: int | None = None) -> None:
        self.asked = asked
        is_tidy = can_be_tidy(asked.case, universe)
        if is_tidy:
            universe = replace(universe, longest_route=longest_route(asked.case, universe, most_units))
        self.orders = OrderModel(universe, most_units)
        self.formula = self.orders.formula
        self._models = {universe.rulebook: self.orders}
        self._pair: tuple[Copy, Copy] | None = None
        self._is_oriented = False
        self._patterns: set[Pattern] = set()
        self._outcomes: dict[Rulebook, Copy] = {}
        for rulebook in _rulebooks(asked.case, universe.rulebook):
            self._outcomes[rulebook] = self._ruled(rulebook) if asked.ruled else self.model(rulebook).copy(rulebook.name)
        if asked.ruled:
            self.formula.require(*(fails for copy in self._outcomes.values() for fails in copy.fails.values()))
        for goal in asked.case:
            self._require(goal)
        if is_tidy:
            tidy(self.orders)

    def model(self, rulebook: Rulebook) -> OrderModel:
        """The same unknown units and orders as another rulebook reads them: all orders are legal under both."""
        if rulebook not in self._models:
            universe = self.orders.universe
            universe = replace(universe, rulebook=rulebook, beside=(universe.rulebook, *universe.beside))
            self._models[rulebook] = OrderModel(universe, self.orders.most_units, beside=self.orders)
        return self._models[rulebook]

    # What the goals come to.

    def _require(self, goal: goals.Atom | goals.Not) -> None:
        match goal:
            case goals.Not(goals.NoResolution()):
                self._two_copies()
            case goals.Not(inner):
                if isinstance(inner, OfOutcome):
                    self.formula.require(-self._in_outcome(inner))
            case goals.Dislodged() | goals.Occupied() | goals.Verdict():
                self.formula.require(self._in_outcome(goal))
            case goals.Paradox():
                raise AssertionError("a choice of cases")
            case _:
                self._require_structure(goal)

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
            case goals.Differs(one, other):
                first, second = self._outcomes[one], self._outcomes[other]
                twins = {move.order: move for move in self.model(other).situation.moves}
                moves = (move for move in self.model(one).situation.moves if move.order in twins)
                self.formula.require(*(self._xor(first.move(move), second.move(twins[move.order])) for move in moves))

    def _two_copies(self) -> tuple[Copy, Copy]:
        """Two resolutions of the board, not necessarily different."""
        if self._pair is None:
            self._pair = self.orders.copy("1"), self.orders.copy("2")
        return self._pair

    def _differ(self, kind: type[Decision], at_least: int = 1) -> None:
        """The two resolutions differ in so many decisions of some kind.

        All decisions are functions of the moves, so resolutions that differ do so in a move. The first of the two may be
        called the one in which they hold; whatever else is asked then goes either way.
        """
        one, other = self._two_copies()
        pairs = [(one.value(d), other.value(d)) for d in self.orders.situation.decisions if isinstance(d, kind)]
        differing = [self._xor(*pair) if self._is_oriented else self.formula.all_of((pair[0], -pair[1])) for pair in pairs]
        self.formula.require(self.formula.at_least(at_least, differing))
        self._is_oriented = True

    def _require_core(self, shape: str) -> None:
        """What the name of a shape says: how many convoys, moves and supports are in the core, and how many resolutions."""
        counts, resolutions, _ = shape.split("-")
        kinds = {"C": ConvoyDecision, "M": MoveDecision, "S": SupportDecision}
        wanted = {kind: _count_in(counts, letter) for letter, kind in kinds.items()}
        for kind, least in wanted.items():
            chosen = (self.orders.guards[d.index] for d in self.orders.situation.decisions if isinstance(d, kind))
            self.formula.require(self.formula.at_least(least, chosen))
        if resolutions == "0r":
            self._no_resolution()
        elif wanted[ConvoyDecision]:
            self._differ(MoveDecision)
        else:
            self._differ(MoveDecision, wanted[MoveDecision])

    def _xor(self, one: Literal, other: Literal) -> Literal:
        return self.formula.any_of((self.formula.all_of((one, -other)), self.formula.all_of((-one, other))))

    # No resolution.

    def _no_resolution(self) -> None:
        for complement in (False, True):
            self._add_pattern((frozenset(), complement))

    def _add_pattern(self, pattern: Pattern) -> bool:
        """Ask that one more way to set the convoys is contradicted. Whether it is a new one."""
        if pattern in self._patterns:
            return False
        self._patterns.add(pattern)
        self.formula.require(self._contradicted(self.orders, pattern))
        return True

    def _contradicted(self, model: OrderModel, pattern: Pattern) -> Literal:
        """The equations contradict this way to set the convoys."""
        copy = self._set_convoys(model, f"convoys set, {sorted(pattern[0])} {pattern[1]}", pattern)
        convoys = (d for d in model.situation.decisions if isinstance(d, ConvoyDecision))
        return self.formula.any_of(self._xor(copy.convoy(c), copy.computed(c)) for c in convoys)

    def _set_convoys(self, model: OrderModel, name: str, pattern: Pattern) -> Copy:
        """A solution of the equations but those of convoys, which are set by rank."""
        ranks, complement = pattern
        inputs = {}
        for sea, before in self._convoys_before(model).items():
            exactly = [self.formula.all_of((rank, -following)) for rank, following in pairwise(before)]
            listed = self.formula.any_of(exactly[rank] for rank in ranks if rank < len(exactly))
            for c in model.situation.places[sea].convoys:
                available = -listed if complement else listed
                inputs[c.index] = self.formula.all_of((model.guards[c.index], available))
        return Copy(model, name, convoys=inputs).posted()

    def _convoys_before(self, model: OrderModel) -> dict[ProvinceCode, list[Literal]]:
        """For each sea, in a fixed order: whether at least 0, 1, 2 … of the fleets in the seas before it convoy."""
        found: dict[ProvinceCode, list[Literal]] = {}
        before: list[Literal] = [TRUE]
        for province, place in sorted(model.situation.places.items()):
            if place.convoys:
                found[province] = [*before, FALSE]
                convoying = self.formula.any_of(model.guards[c.index] for c in place.convoys)
                more = (self.formula.all_of((convoying, rank)) for rank in before)
                before = [self.formula.any_of(pair) for pair in zip([*before, FALSE], [TRUE, *more], strict=True)]
        return found

    def refine(self, judged: Judged) -> bool:
        """Ask more of a question about no resolution, where the judge found one: contradict its convoys. Whether it helped."""
        if not self._patterns or judged.resolutions.count == 0:
            return False
        values = judged.resolutions.first(1)[0]
        convoys = [d for d in judged.situation.decisions if isinstance(d, ConvoyDecision)]
        seas = sorted(d.place.province for d in convoys)
        available = frozenset(seas.index(d.place.province) for d in convoys if values[d.index])
        return self._add_pattern((available, False))

    # Outcomes.

    def _ruled(self, rulebook: Rulebook) -> Copy:
        """A copy that may be the final resolution: where decisions are overridden, there is the sign of a paradox."""
        model, kinds = self.model(rulebook), relaxed_kinds(rulebook)
        copy = model.copy(rulebook.name, may_fail=kinds)
        if kinds:
            sign = self.formula.any_of((self._sign_of_several(model), self._sign_of_none(model)))
            for fails in copy.fails.values():
                self.formula.require(-fails, sign)
        return copy

    def _sign_of_several(self, model: OrderModel) -> Literal:
        """A core with several resolutions: some convoy is consistently available in one copy and disrupted in another.

        What depends on that core may have no resolution, so the other convoys are what they are said to be.
        """
        convoys = [d for d in model.situation.decisions if isinstance(d, ConvoyDecision)]
        copies = []
        for name in ("one way", "another way"):
            inputs = {c.index: self.formula.all_of((self.formula.new(), model.guards[c.index])) for c in convoys}
            copies.append(Copy(model, name, convoys=inputs).posted())
        one, other = copies
        return self.formula.any_of(
            self.formula.all_of(
                (one.convoy(c), one.computed(c), model.guards[c.index], -other.convoy(c), -other.computed(c))
            )
            for c in convoys
        )

    def _sign_of_none(self, model: OrderModel) -> Literal:
        """A core with no resolution: setting all convoys, or none, contradicts the equations."""
        return self.formula.all_of(self._contradicted(model, (frozenset(), complement)) for complement in (False, True))

    def _in_outcome(self, goal: OfOutcome) -> Literal:
        copy = self._outcomes[self.orders.universe.rulebook]
        match goal:
            case goals.Dislodged(province):
                return copy.dislodged(province)
            case goals.Occupied():
                return self._stands_afterwards(copy, goal)
            case goals.Verdict():
                return self._has_verdict(copy, goal)

    def _stands_afterwards(self, copy: Copy, goal: goals.Occupied) -> Literal:
        """A unit of that power stays in the province undisturbed, or enters it."""
        place = self.orders.situation.places.get(goal.province)
        entering = place.moves_in if place else []
        stays = self.formula.all_of((self._of(goal.province, goal), -copy.left(goal.province), -copy.entered(goal.province)))
        arriving = (self.formula.all_of((copy.move(m), self._of(m.origin.province, goal))) for m in entering)
        return self.formula.any_of((stays, *arriving))

    def _of(self, province: ProvinceCode, goal: goals.Occupied) -> Literal:
        if goal.power is None:
            return self.orders.occupied.get(province, FALSE)
        return self.orders.parties.of(province, goal.power)

    def _has_verdict(self, copy: Copy, goal: goals.Verdict) -> Literal:
        """The order, or one that it may stand for, is given, and its decision has the value that the verdict tells."""
        words = goal.verdict.split(", ")
        place = goal.order.unit.province
        fate = copy.dislodged(place) if words[-1] in goals.FATES else TRUE
        named = (self.orders.stands[spot] for spot in self.orders.universe.spots_in.get(place, ()) if _fits(goal, spot))
        stands = self.formula.any_of(named)
        if isinstance(goal.order, Hold):
            return self.formula.all_of((stands, -self.orders.ordered.get(place, FALSE), fate))
        asked = replace(goal.order, unit=Named(None, place))  # a candidate names any of the units that can be given it
        given = (
            self.formula.all_of((self.orders.guards[d.index], _as_told(copy, d, words[0])))
            for d in self.orders.situation.decisions
            if same_order(asked, d.order)
        )
        return self.formula.all_of((stands, self.formula.any_of(given), fate))


def _as_told(copy: Copy, subject: Decision, verdict: str) -> Literal:
    """What a verdict says of a decision: that its order is matched by the one it needs or not, and what came of it."""
    if isinstance(subject, SupportDecision):
        matched = statement.matched(copy, subject)
    elif isinstance(subject, ConvoyDecision):
        matched = copy.any_of(copy.chosen(move) for move in subject.matches)
    else:
        by_land = -copy.convoyed(subject)
        matched = copy.any_of((by_land, *(statement.ordered(copy, route) for route in subject.routes)))
    if verdict == "invalid":
        return -matched
    value = copy.value(subject)
    return copy.all_of((matched, value if verdict in ("succeeds", "given", "available") else -value))


def _fits(goal: goals.Verdict, spot: Spot) -> bool:
    """Whether the order of the goal may be for this unit."""
    named = goal.order.unit
    return named.kind in (None, spot.kind) and named.location in (spot.location, spot.province)


def _count_in(counts: str, letter: str) -> int:
    """How many of a kind the name of a shape tells: 2 for `C` in `2C4M2S`."""
    found = re.search(rf"(\d+){letter}", counts)
    return int(found[1]) if found else 0
