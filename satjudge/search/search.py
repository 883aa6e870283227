"""Searches for boards: proposes, judges and excludes boards until the goal is met or proved impossible.

To minimise, the search asks for zero units, then one, two, and so on: each question without an assignment proves that this many
are not enough. At each step it asks the questions of all cases, since any of them may lead to an answer.
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
    """One question at one step: its size, how many proposals the judge refused, and the answer."""

    question: str
    most: int | None
    variables: int
    clauses: int
    refused: int
    outcome: str


class OutOfTime(Exception):  # noqa: N818  # no error
    """The signal that the time limit has been reached."""


@dataclass
class Search:
    """A search for a goal in a universe, and its state so far.

    Boards have at most `most_units` units, and the search stops at `count` different answers. The objective is known
    to be at least `at_least`. `time_left` returns the seconds left. `tell` is called with progress messages. `solver` makes a
    solver for a formula.
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
    tell: Callable[[str], None] = lambda message: None

    status: Status = field(init=False, default=Status.STOPPED)
    answers: list[Judged] = field(init=False, default_factory=list)
    bound: int = field(init=False, default=0)
    """The proved lower bound on the objective."""
    complete: bool = field(init=False, default=False)
    """Whether all answers are known."""
    stopped_by: str = field(init=False, default="Time is up")
    """The reason why the search was stopped, if it was."""
    drawn: bool = field(init=False, default=False)
    """Whether the goal drew the board itself, which proved the result without a question (`Goal.draw_board`)."""
    rounds: list[Round] = field(init=False, default_factory=list)
    refuted_questions: list[tuple[str, Formula]] = field(init=False, default_factory=list)
    """The questions without an answer, which prove that no answer exists, or no smaller one."""
    _refused: list[Judged] = field(init=False, default_factory=list)

    __repr__ = brief

    def __post_init__(self) -> None:
        self.universe = add_goal_rulebooks(self.goal, self.universe)

    @property
    def value(self) -> int | None:
        """The size of the first answer in terms of the objective; None without an answer or an objective."""
        return measure_proposal(self.answers[0].proposal, self.objective) if self.answers and self.objective else None

    def run(self) -> Search:
        """Search until there are enough answers, it is proved that no more exist, or time is up; return this search."""
        try:
            if self.objective is not None:
                self._minimize_objective()
                self._reduce_units()
            if self.objective is None or self.answers:
                self._find_answers(self.bound, self.count)
            if self.objective is None:
                self.status = Status.FOUND if self.answers else Status.NONE
            self.complete = len(self.answers) < self.count
        except OutOfTime:
            pass  # keep what is proved
        return self

    def _minimize_objective(self) -> None:
        """Find an answer with the smallest value of the objective; set `bound` and `status` to what was proved.

        Each step raises the bound by two; after an answer, a last step tries one less. If a lower bound is known beforehand,
        the first step tries exactly that, since the smallest answer usually meets it.
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
                self.bound = self.value or 0  # if one less is refuted, the present answer has the smallest value
            elif not self.answers:
                self.bound = most + 1
        self.status = Status.MINIMAL if self.answers else Status.NONE

    def _take_drawn_board(self, max_units: int) -> bool:
        """Let the goal draw a board, and keep it if it proves the result; return whether a search is still needed."""
        self.tell("drawing")
        board = self.goal.draw_board(self.universe, self.check_time)
        if board is None:
            return True
        if board.at_least is None or board.at_least > max_units:
            self.bound, self.status, self.drawn = max_units + 1, Status.NONE, True
            return False
        self.bound = max(self.bound, board.at_least)
        if board.proposal is not None and len(board.proposal.board.units) == self.bound:
            judged = Judged(board.proposal, self.universe.rulebook)
            assert not find_never_legal_orders(board.proposal, self.universe.rulebooks)
            if self.goal.holds(judged):
                self.answers.append(judged)
                self.status, self.drawn = Status.MINIMAL, True
        return not self.answers

    def _try_standing_units(self) -> None:
        """If units are minimised, search first with only the standing ones: keep any answer, or else raise the bound by one."""
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
        """If the objective is not units, replace the first answer with an equally good one that has the fewest units."""
        refuted, better = self.refuted_questions, self.objective is not Objective.UNITS
        while better and self.answers and (units := len(self.answers[0].proposal.board.units)) > len(self.universe.units):
            better = self._improve_answer(units - 1)
        self.refuted_questions = refuted

    def _improve_answer(self, most_units: int | None) -> bool:
        """Replace the answer by one within the bound, with at most `most_units` units (None: any); return if there is one."""
        found, limit = self.answers, self.most_units
        self.answers, self.most_units = [], most_units
        try:
            self._find_answers(self.bound, 1)
            return bool(self.answers)
        finally:
            self.answers, self.most_units = self.answers or found, limit

    def _find_answers(self, max_value: int, count: int) -> None:
        """Add answers with the objective at most `max_value` until there are `count` in all; if there are none, record that."""
        before, refuted = len(self.answers), []
        for case in list_search_cases(self.goal, self.universe.rulebook, self.universe.map):
            if len(self.answers) < count:
                self.check_time()
                question = self._make_question(case, max_value)
                self._find_case_answers(case, question, max_value, count)
                refuted.append((str(case), question.formula))
        if refuted and len(self.answers) == before == 0:
            self.refuted_questions = refuted

    def iter_questions(self, *, exact: bool = False) -> Iterator[tuple[SearchCase, Question]]:
        """Yield each case of the goal with its question, within the limit on units; if `exact`, not only about tidy answers.

        Every board that meets the goal is an assignment of one of these questions. Raises `OutOfTime` when the time is up.
        """
        for case in list_search_cases(self.goal, self.universe.rulebook, self.universe.map):
            self.check_time()
            question = pose_question(case, self.universe, self.most_units, self.check_time, exact=exact)
            require_at_most(question.orders, Objective.UNITS, self.most_units)
            yield case, question

    def _make_question(self, search_case: SearchCase, max_value: int) -> Question:
        """Return the question about a case with the objective at most `max_value`, without refused boards and known answers."""
        most_units = max_value if self.objective is Objective.UNITS else self.most_units
        question = pose_question(search_case, self.universe, most_units, self.check_time)
        require_at_most(question.orders, Objective.UNITS, most_units)
        require_at_most(question.orders, self.objective, max_value)
        for judged in self._refused:
            question.orders.forbid_proposal(judged.proposal)
        for judged in self.answers:
            question.orders.forbid_supersets(judged.proposal)
        return question

    def _find_case_answers(self, search_case: SearchCase, question: Question, max_value: int, count: int) -> None:
        """Add answers to a case until there are `count` in all or no more exist, and record the round."""
        refused, before, outcome = len(self._refused), len(self.answers), "stopped"
        proposals = self._iter_proposals(search_case, question, max_value)

        def judge(proposal: Proposal) -> Judged | None:
            """Judge a proposal and keep any answer; return the judgement, so that it is excluded, or None to stop."""
            judged = self._judge_proposal(proposal)
            return judged if len(self.answers) < count else None

        try:
            find_accepted(lambda: next(proposals, None), judge, lambda judged: self._forbid_judged(question, judged))
            outcome = "found" if len(self.answers) > before else "none"
        finally:
            size, step = question.formula.size, max_value if self.objective else None
            refused = len(self._refused) - refused
            self.rounds.append(Round(str(search_case), step, size, len(question.formula.clauses), refused, outcome))

    def _judge_proposal(self, proposal: Proposal) -> Judged:
        """Judge a proposal and return the judgement; if it is an answer unlike those so far, thin it out and keep it."""
        judged = Judged(proposal, self.universe.rulebook)
        illegal = find_never_legal_orders(proposal, self.universe.rulebooks)
        assert not illegal, f"the search proposed an illegal order: {illegal}"
        if self._find_overlong_reading(judged) is None and self.goal.holds(judged):
            judged = thin_answer(self.goal, judged, self.universe)
            if not any(is_isomorphic(judged.proposal, other.proposal) for other in self.answers):
                self.answers.append(judged)
        return judged

    def _forbid_judged(self, question: Question, judged: Judged) -> None:
        """Exclude boards with the same overlong route, or that contain this one if it is an answer, or else refuse this one."""
        if (reading := self._find_overlong_reading(judged)) is not None:
            question.orders.forbid_long_routes(reading.situation)
        elif self.goal.holds(judged):
            question.orders.forbid_supersets(judged.proposal)
        else:
            self._refused.append(judged)
            if not question.contradict_resolutions(judged.resolutions):
                question.orders.forbid_proposal(judged.proposal)

    def _find_overlong_reading(self, judged: Judged) -> Judged | None:
        """Return the judgement under the first rulebook by which a convoy route is longer than allowed, or None."""
        readings = (judged.judge_under(rulebook) for rulebook in self.universe.rulebooks)
        return next((reading for reading in readings if reading.longest_route > self.universe.longest_route), None)

    def check_time(self) -> float | None:
        """Return the seconds left, or None without a time limit; raises `OutOfTime` if none are left."""
        left = self.time_left()
        if left is not None and left <= 0:
            raise OutOfTime
        return left

    def _iter_proposals(self, search_case: SearchCase, question: Question, max_value: int) -> Iterator[Proposal]:
        """Yield the solver's proposals for a case until none are left; the caller must exclude each in `question`."""
        step = f", at most {max_value} {str(self.objective)[: -1 if max_value == 1 else None]}" if self.objective else ""
        return self.iter_proposals(
            question,
            self.solver,
            lambda: f"{search_case}{step}: {question.formula.size:,} variables, {len(self._refused)} refused",
        )

    def iter_proposals(
        self, question: Question, make_solver: Callable[..., Solver | Cadical], format_progress: Callable[[], str]
    ) -> Iterator[Proposal]:
        """Yield the solver's proposals until none are left; the caller must exclude each in `question` before the next one.

        Raises `OutOfTime` when the time is up.
        """
        solver = make_solver(question.formula, workers=self.workers, seed=self.seed)
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
    """Return a case's question to the solver; unless `exact`, only about tidy answers if that is enough for its goals."""
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
    """Return the answer without the units and orders that the goal does not need, except those fixed by the universe."""
    proposal, free = judged.proposal, {spot.province for spot in universe.spots}
    units = [("unit", province) for province in proposal.by_province if province in free]
    orders = [("order", province) for province in proposal.chosen if province not in universe.orders]

    def judge_remaining(things: list[tuple[str, str]]) -> Judged:
        removed = [{province for kind, province in group if (kind, province) not in things} for group in (units, orders)]
        return Judged(proposal.remove_units_and_orders(*removed), judged.rulebook)

    def still_holds(things: list[tuple[str, str]]) -> bool:
        smaller = judge_remaining(things)
        return not find_never_legal_orders(smaller.proposal, universe.rulebooks) and goal.holds(smaller)

    return judge_remaining(find_minimal_subset((*units, *orders), still_holds, in_one_pass=False))


def add_goal_rulebooks(goal: Goal, universe: Universe) -> Universe:
    """Return the universe with the rulebooks that the goal compares, after its own if a part needs that; the first judges.

    Raises `InputError` for a goal about illegal orders if units without an order may still move (4.E.3).
    """
    rulebook, *beside = list_goal_rulebooks(goal, universe.rulebook)
    moving = [book.name for book in (rulebook, *beside) if book.implicit_orders is ImplicitOrders.ALLOWED]
    if beside and moving and not all(isinstance(atom, RulebookDifference) and atom.legal for atom in goal.iter_atoms()):
        raise InputError(
            f"under {moving[0]}, a unit with an illegal order may move (4.E.3), which searches do not support",
            suggestion="choose 4.E.3=ignored, or search for differs-legal alone",
        )
    return replace(universe, rulebook=rulebook, beside=tuple(beside))


def list_counted_literals(orders: UniverseOrders, objective: Objective) -> list[Literal]:
    """List the literals that the objective counts, one for each possible unit, order or fleet."""
    match objective:
        case Objective.UNITS:
            return list(orders.occupied.values())
        case Objective.ORDERS:
            return [literal for _, literal in orders.list_order_literals()]
        case Objective.FLEETS:
            return [literal for spot, literal in orders.stands.items() if spot.kind is UnitKind.FLEET]


def measure_proposal(proposal: Proposal, objective: Objective) -> int:
    """Return the number of units, orders (except holds) or fleets of a proposal, depending on the objective."""
    match objective:
        case Objective.UNITS:
            return len(proposal.board.units)
        case Objective.ORDERS:
            return len(proposal.chosen)
        case Objective.FLEETS:
            return sum(unit.kind is UnitKind.FLEET for unit in proposal.board.units)


def require_at_most(orders: UniverseOrders, objective: Objective | None, max_value: int | None) -> None:
    """Require that the objective (units, orders or fleets) is at most `max_value`; does nothing if either is None."""
    if objective is not None and max_value is not None:
        orders.formula.require(-orders.formula.at_least(max_value + 1, list_counted_literals(orders, objective)))
        if objective is Objective.UNITS:
            orders.formula.require(-orders.formula.at_least(max_value + 1, _iter_order_counts(orders, max_value)))


def _iter_order_counts(orders: UniverseOrders, max_units: int) -> Iterator[Literal]:
    """Yield literals that at least 1, 2, … `max_units` armies move, fleets move, units support, and fleets convoy.

    They add up to the number of units with such orders. They are redundant, but help a solver to bound the number of units.
    """
    for units in orders.group_literals_by_kind().values():
        yield from (orders.formula.at_least(least, units) for least in range(1, max_units + 1))
