"""Searches for boards: proposes, judges and excludes, until the goal is met or proved impossible.

To minimise, the search asks for zero, then one, two, …: each "no assignment" on the way proves that fewer will not do. Every
question is asked at every step, since any of them may lead to an answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum

from satjudge.base.errors import InputError
from satjudge.base.values import brief
from satjudge.search.formulas.cadical import Cadical, choose_solver
from satjudge.search.formulas.clauses import Formula, Literal
from satjudge.search.formulas.cpsat import Solver
from satjudge.search.goals.differences import RulebookDifference
from satjudge.search.goals.goal import Goal, SearchCase, list_case_rulebooks, list_goal_rulebooks, list_search_cases
from satjudge.search.goals.judged_position import Judged, find_never_legal_orders
from satjudge.search.open_orders.proposal import Proposal, find_accepted, find_minimal_subset, is_isomorphic
from satjudge.search.open_orders.question import Question, can_be_tidy, count_longest_route, require_tidy_answer
from satjudge.search.open_orders.universe import Universe
from satjudge.search.open_orders.universe_orders import NeverLegalError, UniverseOrders
from satjudge.world.geography import UnitKind
from satjudge.world.rules.rulebook import ImplicitOrders


class Objective(StrEnum):
    """What a search minimises; holds do not count as orders."""

    UNITS = "units"
    ORDERS = "orders"
    FLEETS = "fleets"


class Status(StrEnum):
    """The ways in which a search ends."""

    MINIMAL = "proved minimal"
    FOUND = "found"
    NONE = "proved that there is none"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Round:
    """One question at one step: its size, the number of proposals that the judge refused, and its answer."""

    question: str
    most: int | None
    variables: int
    clauses: int
    refused: int
    outcome: str


class OutOfTime(Exception):  # noqa: N818  # no error
    """The signal that the time is up."""


@dataclass
class Search:
    """A search for a goal in a universe, and its state so far.

    There are at most `most_units` units and `count` answers of different kinds. Fewer than `at_least` of the objective are
    known not to suffice. `time_left` returns the seconds left; `tell` receives progress messages. `solver` is the solver.
    """

    universe: Universe
    goal: Goal
    objective: Objective | None = None
    most_units: int | None = None
    count: int = 1
    at_least: int = 0
    workers: int = 1
    seed: int = 0
    solver: Callable[..., Solver | Cadical] = choose_solver
    time_left: Callable[[], float | None] = lambda: None
    tell: Callable[[str], None] = lambda told: None

    status: Status = field(init=False, default=Status.STOPPED)
    answers: list[Judged] = field(init=False, default_factory=list)
    bound: int = field(init=False, default=0)
    """The objective is at least this, by proof."""
    complete: bool = field(init=False, default=False)
    """Whether all answers are known."""
    stopped_by: str = field(init=False, default="Time is up")
    """The reason why the search ended, if it was stopped."""
    drawn: bool = field(init=False, default=False)
    """Whether a goal drew its board, which proved the result without a question (`Goal.drawn`)."""
    rounds: list[Round] = field(init=False, default_factory=list)
    refuted_questions: list[tuple[str, Formula]] = field(init=False, default_factory=list)
    """The questions without an answer that prove that no answer exists, or none with less."""
    _refused: list[Judged] = field(init=False, default_factory=list)

    __repr__ = brief

    def __post_init__(self) -> None:
        self.universe = add_goal_rulebooks(self.goal, self.universe)

    @property
    def value(self) -> int | None:
        """The number that is minimised, in the first answer; None without an answer or an objective."""
        return measure_proposal(self.answers[0].proposal, self.objective) if self.answers and self.objective else None

    def run(self) -> Search:
        """Search until there are enough answers, a proof that no more exist, or no time, and return this search."""
        try:
            if self.objective is not None:
                self._minimize_units()
                self._reduce_units()
            if self.objective is None or self.answers:
                self._find_answers(self.bound, self.count)
            if self.objective is None:
                self.status = Status.FOUND if self.answers else Status.NONE
            self.complete = len(self.answers) < self.count
        except OutOfTime:
            pass  # keep what is proved
        return self

    def _minimize_units(self) -> None:
        """Find the smallest answer: raise the bound by two until there is one, then try one less.

        If a lower bound is known beforehand, the smallest answer usually has just that many.
        """
        rooms = len(self.universe.spots_in)
        highest = rooms if self.most_units is None else min(rooms, self.most_units)
        self.bound = max(self.at_least, len(self.universe.units) if self.objective is Objective.UNITS else 0)
        if self.at_least and not self._take_drawn_board(highest):
            return
        self._try_standing_units()
        while not self.answers and self.bound <= highest:
            likely = 0 < self.bound == self.at_least
            most = min(self.bound + (not likely), highest)
            self._find_answers(most, 1)
            if self.value == most > self.bound:
                self._improve_answer(self.most_units)
                self.bound = self.value or 0  # if it is refuted, the present answer meets the next one
            elif not self.answers:
                self.bound = most + 1
        self.status = Status.MINIMAL if self.answers else Status.NONE

    def _take_drawn_board(self, highest: int) -> bool:
        """Let the goal draw a board and keep it if it is an answer; return whether a search is still needed."""
        self.tell("drawing")
        drawn = self.goal.draw_board(self.universe, self.check_time)
        if drawn is None:
            return True
        if drawn.at_least is None or drawn.at_least > highest:
            self.bound, self.status, self.drawn = highest + 1, Status.NONE, True
            return False
        self.bound = max(self.bound, drawn.at_least)
        if drawn.proposal is not None and len(drawn.proposal.board.units) == self.bound:
            judged = Judged(drawn.proposal, self.universe.rulebook)
            assert not find_never_legal_orders(drawn.proposal, self.universe.rulebooks)
            if self.goal.holds(judged):
                self.answers.append(judged)
                self.status, self.drawn = Status.MINIMAL, True
        return not self.answers

    def _try_standing_units(self) -> None:
        """Search with the standing units alone, as that question is small; keeps an answer, or raises the bound by one."""
        standing = len(self.universe.units)
        if self.objective is Objective.UNITS and self.universe.spots and standing == self.bound > 0:
            everything = self.universe
            self.universe = replace(everything, spots=frozenset())
            try:
                self._find_answers(standing, 1)
                self.bound += not self.answers
            except NeverLegalError:
                pass  # a given order needs a free unit
            finally:
                self.universe = everything

    def _reduce_units(self) -> None:
        """Replace the first answer with an equally good one with the fewest units, if something else was minimised."""
        refuted, better = self.refuted_questions, self.objective is not Objective.UNITS
        while better and self.answers and (units := len(self.answers[0].proposal.board.units)) > len(self.universe.units):
            better = self._improve_answer(units - 1)
        self.refuted_questions = refuted

    def _improve_answer(self, most_units: int | None) -> bool:
        """Replace the answer with one within the bound and with at most `most_units` units; return False if there is none."""
        found, limit = self.answers, self.most_units
        self.answers, self.most_units = [], most_units
        try:
            self._find_answers(self.bound, 1)
            return bool(self.answers)
        finally:
            self.answers, self.most_units = self.answers or found, limit

    def _find_answers(self, most: int, count: int) -> None:
        """Search until there are `count` answers in all, with the objective at most `most`; keep what is refuted."""
        before, refuted = len(self.answers), []
        for asked in list_search_cases(self.goal, self.universe.rulebook, self.universe.map):
            if len(self.answers) < count:
                self.check_time()
                question = self._make_question(asked, most)
                self._find_case_answers(asked, question, most, count)
                refuted.append((str(asked), question.formula))
        if refuted and len(self.answers) == before == 0:
            self.refuted_questions = refuted

    def iter_questions(self, *, exact: bool = False) -> Iterator[tuple[SearchCase, Question]]:
        """Yield each case of the goal with its question, under the limit on units; if `exact`, not only about tidy answers.

        Every board that meets the goal is an assignment of one of them. Raises `OutOfTime` when the time is up.
        """
        for asked in list_search_cases(self.goal, self.universe.rulebook, self.universe.map):
            self.check_time()
            question = pose_question(asked, self.universe, self.most_units, self.check_time, exact=exact)
            require_at_most(question.orders, Objective.UNITS, self.most_units)
            yield asked, question

    def _make_question(self, search_case: SearchCase, most: int) -> Question:
        """Return the question about a case with the objective at most `most`, without refused boards and present answers."""
        most_units = most if self.objective is Objective.UNITS else self.most_units
        question = pose_question(search_case, self.universe, most_units, self.check_time)
        require_at_most(question.orders, Objective.UNITS, most_units)
        require_at_most(question.orders, self.objective, most)
        for judged in self._refused:
            question.orders.forbid_proposal(judged.proposal)
        for judged in self.answers:
            question.orders.forbid_supersets(judged.proposal)
        return question

    def _find_case_answers(self, search_case: SearchCase, question: Question, most: int, count: int) -> None:
        """Add answers to a case until there are `count` in all or no more, and record the round."""
        refused, before, outcome = len(self._refused), len(self.answers), "stopped"
        proposals = self._iter_proposals(search_case, question, most)

        def judge(proposal: Proposal) -> Judged | None:
            """Judge a proposal, keeping it if it is an answer; return it to exclude it, or None to stop."""
            judged = self._judge_proposal(question, proposal)
            return judged if len(self.answers) < count else None

        try:
            find_accepted(lambda: next(proposals, None), judge, lambda judged: self._forbid_judged(question, judged))
            outcome = "found" if len(self.answers) > before else "none"
        finally:
            size, step = question.formula.size, most if self.objective else None
            refused = len(self._refused) - refused
            self.rounds.append(Round(str(search_case), step, size, len(question.formula.clauses), refused, outcome))

    def _judge_proposal(self, question: Question, proposal: Proposal) -> Judged:
        """Judge a proposal; if the goal holds, thin it out and keep it as an answer; return the judgement."""
        judged = Judged(proposal, self.universe.rulebook)
        illegal = find_never_legal_orders(proposal, self.universe.rulebooks)
        assert not illegal, f"the search proposed an illegal order: {illegal}"
        if self._find_overlong_reading(judged) is None and self.goal.holds(judged):
            judged = thin_answer(self.goal, judged, self.universe)
            if not any(is_isomorphic(judged.proposal, other.proposal) for other in self.answers):
                self.answers.append(judged)
        return judged

    def _forbid_judged(self, question: Question, judged: Judged) -> None:
        """Exclude boards by a judged one: with a too long route, with this answer in them, or with its convoys or orders."""
        if (reading := self._find_overlong_reading(judged)) is not None:
            question.orders.forbid_long_routes(reading.situation)
        elif self.goal.holds(judged):
            question.orders.forbid_supersets(judged.proposal)
        else:
            self._refused.append(judged)
            if not question.contradict_resolutions(judged.resolutions):
                question.orders.forbid_proposal(judged.proposal)

    def _find_overlong_reading(self, judged: Judged) -> Judged | None:
        """Return the judgement under the first rulebook by which a convoy route is too long; None if there is none."""
        readings = (judged.judge_under(rulebook) for rulebook in self.universe.rulebooks)
        return next((reading for reading in readings if reading.longest_route > self.universe.longest_route), None)

    def check_time(self) -> float | None:
        """Return the seconds that are left; None if the time is not limited.

        Raises `OutOfTime` when there are none.
        """
        left = self.time_left()
        if left is not None and left <= 0:
            raise OutOfTime
        return left

    def _iter_proposals(self, search_case: SearchCase, question: Question, most: int) -> Iterator[Proposal]:
        """Yield the solver's proposals until none is left. Raises `OutOfTime` when the time is up."""
        step = f", at most {most} {str(self.objective)[: -1 if most == 1 else None]}" if self.objective else ""
        return self.iter_proposals(
            question,
            self.solver,
            lambda: f"{search_case}{step}: {question.formula.size:,} variables, {len(self._refused)} refused",
        )

    def iter_proposals(
        self, question: Question, solver_of: Callable[..., Solver | Cadical], format_progress: Callable[[], str]
    ) -> Iterator[Proposal]:
        """Yield the solver's proposals until there are none left; before each, report the text of `format_progress`.

        Raises `OutOfTime` when the time is up.
        """
        solver = solver_of(question.formula, workers=self.workers, seed=self.seed)
        while True:
            self.tell(format_progress())
            solver.add_new_parts()
            answer = solver.decide(timeout=self.check_time())
            if answer.is_unsatisfiable:
                return
            if answer.values is None:
                raise OutOfTime
            proposal = question.orders.read_proposal(answer)
            if proposal is not None:
                yield proposal


def pose_question(
    search_case: SearchCase,
    universe: Universe,
    most_units: int | None = None,
    tick: Callable[[], object] = lambda: None,
    *,
    exact: bool = False,
) -> Question:
    """Return the question to the solver about a case; only about tidy answers if these suffice, unless `exact`."""
    is_tidy = not exact and all(goal.about_resolutions for goal in search_case.case) and can_be_tidy(universe)
    if is_tidy and any(goal.dislodges_a_convoy for goal in search_case.case):
        universe = replace(universe, longest_route=count_longest_route(universe, most_units))
    outcomes = list_case_rulebooks(search_case.case, universe.rulebook)
    question = Question(universe, most_units, outcomes=outcomes, ruled=search_case.ruled, tick=tick)
    for goal in search_case.case:
        goal.require(question)
    question.require_ruling()
    if is_tidy:
        require_tidy_answer(question.orders)
    return question


def thin_answer(goal: Goal, judged: Judged, universe: Universe) -> Judged:
    """Return the answer without free units and orders that the goal does not need; given ones stay."""
    proposal, free = judged.proposal, {spot.province for spot in universe.spots}
    units = [("unit", province) for province in proposal.by_province if province in free]
    orders = [("order", province) for province in proposal.chosen if province not in universe.orders]

    def judge_remaining(things: list[tuple[str, str]]) -> Judged:
        gone = [{province for what, province in some if (what, province) not in things} for some in (units, orders)]
        return Judged(proposal.remove_units_and_orders(*gone), judged.rulebook)

    def still_holds(things: list[tuple[str, str]]) -> bool:
        smaller = judge_remaining(things)
        return not find_never_legal_orders(smaller.proposal, universe.rulebooks) and goal.holds(smaller)

    return judge_remaining(find_minimal_subset((*units, *orders), still_holds, in_one_pass=False))


def add_goal_rulebooks(goal: Goal, universe: Universe) -> Universe:
    """Return the universe with the rulebooks that the goal compares, the first of which judges the answers.

    Raises `InputError` for a goal about illegal orders if units without an order may still move (4.E.3).
    """
    rulebook, *beside = list_goal_rulebooks(goal, universe.rulebook)
    moving = [book.name for book in (rulebook, *beside) if book.implicit_orders is ImplicitOrders.ALLOWED]
    if beside and moving and not all(isinstance(atom, RulebookDifference) and atom.legal for atom in goal.iter_atoms()):
        raise InputError(
            f"under {moving[0]} a unit with an illegal order may move (4.E.3), which searches do not support",
            suggestion="choose 4.E.3=ignored, or search for differs-legal alone",
        )
    return replace(universe, rulebook=rulebook, beside=tuple(beside))


def list_counted_literals(orders: UniverseOrders, objective: Objective) -> list[Literal]:
    """List literals whose true ones the objective counts: one for each possible unit, order or fleet."""
    match objective:
        case Objective.UNITS:
            return list(orders.occupied.values())
        case Objective.ORDERS:
            return [literal for _, literal in orders.list_order_literals()]
        case Objective.FLEETS:
            return [literal for spot, literal in orders.stands.items() if spot.kind is UnitKind.FLEET]


def measure_proposal(proposal: Proposal, objective: Objective) -> int:
    """Return the number of units, orders (except holds) or fleets of a proposal, by the objective."""
    match objective:
        case Objective.UNITS:
            return len(proposal.board.units)
        case Objective.ORDERS:
            return len(proposal.chosen)
        case Objective.FLEETS:
            return sum(unit.kind is UnitKind.FLEET for unit in proposal.board.units)


def require_at_most(orders: UniverseOrders, objective: Objective | None, most: int | None) -> None:
    """Require that the number of units, orders or fleets (the objective) is at most `most`, if both are given."""
    if objective is not None and most is not None:
        orders.formula.require(-orders.formula.at_least(most + 1, list_counted_literals(orders, objective)))
        if objective is Objective.UNITS:
            orders.formula.require(-orders.formula.at_least(most + 1, _iter_order_counts(orders, most)))


def _iter_order_counts(orders: UniverseOrders, most: int) -> Iterator[Literal]:
    """Yield units once more, by orders: literals that at least 1, 2, … armies move, fleets move, units support, fleets convoy.

    This is redundant, but helps a solver to add up the numbers of units of each kind.
    """
    for units in orders.group_literals_by_kind().values():
        yield from (orders.formula.at_least(least, units) for least in range(1, most + 1))
