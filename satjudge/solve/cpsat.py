"""CP-SAT as a reader of the equations: the only module that imports ortools.

A truth value is a `bool` or a `Literal`, a strength an `int` or a `Linear`. Whatever is constant is folded away, so the
model holds just what is open. Every auxiliary variable is defined in both directions and so is a function of the
decisions: otherwise solutions would repeat.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from ortools.sat.python import cp_model

from satjudge.equations import statement
from satjudge.equations.logic import Adjudication
from satjudge.equations.situation import ConvoyDecision, Decision, MoveDecision, Place, Situation, SupportDecision
from satjudge.solve.bounds import Values
from satjudge.solve.result import Limits


@dataclass(frozen=True, slots=True)
class Literal:
    """A solver literal, with the decisions that it is a function of."""

    variable: cp_model.BoolVarT
    reads: frozenset[int]

    def __invert__(self) -> Literal:
        return Literal(~self.variable, self.reads)


@dataclass(frozen=True, slots=True)
class Linear:
    """A strength: a solver expression with its bounds, and the decisions that it is a function of."""

    expression: cp_model.LinearExprT
    low: int
    high: int
    reads: frozenset[int]


Truth: TypeAlias = bool | Literal
Strength: TypeAlias = int | Linear


class Model(Adjudication[Truth, Strength]):
    """The equations of a situation as a CP-SAT model.

    Decisions with a value in `values` are constants; of the others those in `only` (by default all) are variables, and the
    rest must not matter. With `named` every PATH and strength is a variable of its own. Equations are posted by `post`.
    """

    def __init__(
        self, situation: Situation, values: Values, *, only: Collection[int] | None = None, beside: Model | None = None
    ) -> None:
        self.situation = situation
        self.values = values
        self.model: cp_model.CpModel = beside.model if beside else cp_model.CpModel()
        self.named = False
        self.paths: dict[int, Truth] = {}
        self.strengths: dict[tuple[str, int | str], Strength] = {}
        self.variables: dict[int, cp_model.IntVar] = {}
        for subject in situation.decisions:
            index = subject.index
            if values[index] is None and (only is None or index in only):
                shared = beside.variables.get(index) if beside else None
                self.variables[index] = (
                    self.model.new_bool_var(f"{_KIND[type(subject)]}[{subject}]") if shared is None else shared
                )
        self.literals = {index: Literal(variable, frozenset((index,))) for index, variable in self.variables.items()}

    def post(self) -> dict[int, frozenset[int]]:
        """Post the equation of every variable: the decision is what its statement says.

        Returns for each the variables that its equation is made of.
        """
        reads: dict[int, frozenset[int]] = {}
        for index, variable in self.variables.items():
            truth = statement.decision(self, self.situation.decisions[index])
            if isinstance(truth, bool):
                self.model.add(variable == int(truth))
                reads[index] = frozenset()
            else:
                self.model.add_implication(variable, truth.variable)
                self.model.add_implication(truth.variable, variable)
                reads[index] = truth.reads
        return reads

    def posted(self) -> Model:
        """This model with all its equations."""
        self.post()
        return self

    def with_names(self) -> Model:
        """This model with a variable for every PATH and strength, so that they can be read in the model and a solution."""
        self.named = True
        for move in self.situation.moves:
            self.path(move), self.attack(move), self.prevent(move), self.defend(move)
        for place in self.situation.places.values():
            self.hold(place)
        return self

    # The language.

    def all_of(self, parts: Iterable[Truth]) -> Truth:
        """A literal that is equivalent to the conjunction."""
        open_parts: dict[int, Literal] = {}
        for part in parts:
            if isinstance(part, Literal):
                open_parts[part.variable.index] = part
            elif not part:
                return False
        literals = list(open_parts.values())
        if len(literals) <= 1:
            return literals[0] if literals else True
        result = self._literal("and", literals)
        variables = [literal.variable for literal in literals]
        self.model.add_bool_and(variables).only_enforce_if(result.variable)
        self.model.add_bool_or([~variable for variable in variables] + [result.variable])
        return result

    def any_of(self, parts: Iterable[Truth]) -> Truth:
        """A literal that is equivalent to the disjunction."""
        return _negation(self.all_of(_negation(part) for part in parts))

    def none_of(self, parts: Iterable[Truth]) -> Truth:
        """A literal that is equivalent to no part holding."""
        return self.all_of(_negation(part) for part in parts)

    def total(self, base: int, parts: Iterable[Truth]) -> Strength:
        """A linear expression."""
        literals: list[Literal] = []
        for part in parts:
            if isinstance(part, Literal):
                literals.append(part)
            else:
                base += part
        if not literals:
            return base
        expression = cp_model.LinearExpr.sum([literal.variable for literal in literals]) + base
        return Linear(expression, base, base + len(literals), _reads(literals))

    def exceeds(self, one: Strength, other: Strength) -> Truth:
        """A literal that is equivalent to the comparison."""
        one, other = _linear(one), _linear(other)
        if one.low > other.high:
            return True
        if one.high <= other.low:
            return False
        result = self._literal("exceeds", (one, other))
        self.model.add(one.expression >= other.expression + 1).only_enforce_if(result.variable)
        self.model.add(one.expression <= other.expression).only_enforce_if(~result.variable)
        return result

    def choose(self, condition: Truth, larger: Strength, smaller: Strength) -> Strength:
        """An integer variable that equals the one or the other."""
        if isinstance(condition, bool):
            return larger if condition else smaller
        one, other = _linear(larger), _linear(smaller)
        if one.low == one.high == other.low == other.high:
            return one.low
        low, high = min(one.low, other.low), max(one.high, other.high)
        variable = self.model.new_int_var(low, high, "choose")
        self.model.add(variable == one.expression).only_enforce_if(condition.variable)
        self.model.add(variable == other.expression).only_enforce_if(~condition.variable)
        return Linear(variable, low, high, one.reads | other.reads | condition.reads)

    def _literal(self, name: str, parts: Sequence[Literal | Linear]) -> Literal:
        return Literal(self.model.new_bool_var(name), _reads(parts))

    # The decisions.

    def _decision(self, subject: Decision) -> Truth:
        literal = self.literals.get(subject.index)
        return bool(self.values[subject.index]) if literal is None else literal

    def move(self, move: MoveDecision) -> Truth:
        """Its variable, or the value it has."""
        return self._decision(move)

    def support(self, support: SupportDecision) -> Truth:
        """Its variable, or the value it has."""
        return self._decision(support)

    def convoy(self, convoy: ConvoyDecision) -> Truth:
        """Its variable, or the value it has."""
        return self._decision(convoy)

    # The derived terms are worked out once each.

    def path(self, move: MoveDecision) -> Truth:
        """PATH, shared by all that read it."""
        if move.index not in self.paths:
            truth = super().path(move)
            if self.named:
                variable = self.model.new_bool_var(f"PATH[{move}]")
                self.model.add(variable == (int(truth) if isinstance(truth, bool) else truth.variable))
            self.paths[move.index] = truth
        return self.paths[move.index]

    def _strength(self, name: str, key: int | str, label: object, work_out: Callable[[], Strength]) -> Strength:
        strength = self.strengths.get((name, key))
        if strength is None:
            strength = work_out()
            if self.named:
                linear = _linear(strength)
                variable = self.model.new_int_var(linear.low, linear.high, f"{name}[{label}]")
                self.model.add(variable == linear.expression)
                strength = Linear(variable, linear.low, linear.high, linear.reads)
            self.strengths[name, key] = strength
        return strength

    def hold(self, place: Place) -> Strength:
        """HOLD, shared by all that read it."""
        return self._strength("HOLD", place.province, place, lambda: statement.hold(self, place))

    def attack(self, move: MoveDecision) -> Strength:
        """ATTACK, shared by all that read it."""
        return self._strength("ATTACK", move.index, move, lambda: statement.attack(self, move))

    def prevent(self, move: MoveDecision) -> Strength:
        """PREVENT, shared by all that read it."""
        return self._strength("PREVENT", move.index, move, lambda: statement.prevent(self, move))

    def defend(self, move: MoveDecision) -> Strength:
        """DEFEND, shared by all that read it."""
        return self._strength("DEFEND", move.index, move, lambda: statement.defend(self, move))

    # Asking the solver.

    def write(self, path: Path) -> None:
        """Write the model as a CP-SAT text protocol buffer."""
        if not self.model.export_to_file(str(path)):
            raise OSError(f"the solver could not write {path}")


def _negation(truth: Truth) -> Truth:
    return not truth if isinstance(truth, bool) else ~truth


def _linear(strength: Strength) -> Linear:
    return strength if isinstance(strength, Linear) else Linear(strength, strength, strength, frozenset())


def _reads(parts: Iterable[Literal | Linear]) -> frozenset[int]:
    return frozenset[int]().union(*(part.reads for part in parts))


_KIND = {MoveDecision: "MOVE", SupportDecision: "SUPPORT", ConvoyDecision: "CONVOY"}


def new_solver(timeout: float | None = None) -> cp_model.CpSolver:
    """A solver that enumerates faithfully: more than one worker returns duplicates and misses solutions."""
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    if timeout is not None:
        solver.parameters.max_time_in_seconds = timeout
    return solver


@dataclass(slots=True)
class Enumeration:
    """The assignments of the open decisions that satisfy their equations, as tuples in the order of `indices`."""

    indices: tuple[int, ...]
    assignments: list[tuple[bool, ...]] = field(default_factory=list)
    complete: bool = True
    raw_count: int = 0
    """Solutions that the solver returned; equal to the number of assignments, or an auxiliary variable is undefined."""


class _Collector(cp_model.CpSolverSolutionCallback):
    def __init__(self, variables: Sequence[cp_model.IntVar], limit: int) -> None:
        super().__init__()
        self.variables = variables
        self.limit = limit
        self.found: list[tuple[bool, ...]] = []
        self.stopped = False

    def on_solution_callback(self) -> None:
        if len(self.found) >= self.limit:
            self.stopped = True  # the solver may call the search exhausted all the same
            self.stop_search()
        else:
            self.found.append(tuple(bool(self.value(variable)) for variable in self.variables))


def enumerate_all(model: Model, *, limit: int = Limits().count, timeout: float | None = None) -> Enumeration:
    """All assignments of the model's decisions, in a stable order of their own: successes first."""
    indices = tuple(sorted(model.variables))
    if not indices:
        return Enumeration(indices, [()], raw_count=1)
    solver = new_solver(timeout)
    solver.parameters.enumerate_all_solutions = True
    collector = _Collector([model.variables[index] for index in indices], limit)
    status = solver.solve(model.model, collector)
    complete = status in (cp_model.OPTIMAL, cp_model.INFEASIBLE) and not collector.stopped
    return Enumeration(indices, sorted(set(collector.found), reverse=True), complete, len(collector.found))


def solution(model: Model) -> dict[int, bool] | None:
    """Some assignment of the model's decisions that satisfies it, or None if there is none."""
    solver = new_solver()
    status = solver.solve(model.model)
    if status == cp_model.INFEASIBLE:
        return None
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        raise RuntimeError(f"the solver ended with {solver.status_name(status)}")
    return {index: solver.boolean_value(variable) for index, variable in model.variables.items()}


def constant_value(situation: Situation, values: Values, subject: Decision) -> bool | None:
    """What the subject's equation says whatever the open decisions are; None if they matter."""
    possible = [wanted for wanted in (True, False) if _can_be(situation, values, subject, wanted)]
    return possible[0] if len(possible) == 1 else None


def _can_be(situation: Situation, values: Values, subject: Decision, wanted: bool) -> bool:
    model = Model(situation, values)
    truth = statement.decision(model, subject)
    if isinstance(truth, bool):
        return truth is wanted
    model.model.add_bool_or([truth.variable if wanted else ~truth.variable])
    return solution(model) is not None


def mentions(situation: Situation, values: Values, subject: Decision) -> frozenset[int]:
    """The open decisions that the subject's equation is made of in the model."""
    truth = statement.decision(Model(situation, values), subject)
    return frozenset() if isinstance(truth, bool) else truth.reads


def looks_at(situation: Situation, values: Values, subject: Decision, other: int) -> bool:
    """Whether the subject's equation can come out otherwise if just `other` does: two copies that must differ."""
    copies: list[Truth] = []
    first: Model | None = None
    for value in (True, False):
        changed = list(values)
        changed[other] = value
        model = Model(situation, changed, beside=first)
        copies.append(statement.decision(model, subject))
        first = first or model
    assert first is not None
    one, two = copies
    if isinstance(one, bool) and isinstance(two, bool):
        return one is not two
    first.model.add_bool_xor([copy if isinstance(copy, bool) else copy.variable for copy in copies])
    return solution(first) is not None


def backbone(model: Model, solutions: Sequence[Sequence[bool]], indices: Sequence[int]) -> dict[int, bool]:
    """The decisions that have the same value in every solution of the model, given some of its solutions."""
    same = {index: solutions[0][i] for i, index in enumerate(indices) if len({row[i] for row in solutions}) == 1}
    while same:
        model.model.add_bool_or([~model.variables[i] if value else model.variables[i] for i, value in same.items()])
        other = solution(model)
        if other is None:
            break
        same = {index: value for index, value in same.items() if other[index] is value}
    return same


def resolution_with(situation: Situation, wanted: Mapping[int, bool]) -> tuple[bool, ...] | None:
    """A consistent resolution of the whole board in which these decisions have these values, or None if there is none."""
    model = Model(situation, [None] * len(situation.decisions)).posted()
    for index, value in wanted.items():
        model.model.add(model.variables[index] == int(value))
    found = solution(model)
    return None if found is None else tuple(found[index] for index in sorted(found))


def forbidding_equations(
    situation: Situation, wanted: Mapping[int, bool], values: Values | None = None
) -> tuple[int, ...]:
    """A minimal set of decisions whose equations cannot all hold where these decisions have the values wanted.

    Equations that lie near the wanted decisions are kept before others. With nothing wanted it is a minimal contradiction
    in the equations themselves. `values` are those of decisions that are settled already, by whatever means. Raises
    `ValueError` if some resolution has all that is wanted.
    """
    model = Model(situation, [None] * len(situation.decisions) if values is None else values)
    for index, value in wanted.items():
        model.model.add(model.variables[index] == int(value))
    guards: dict[int, cp_model.IntVar] = {}
    reads: dict[int, frozenset[int]] = {}
    for index, variable in model.variables.items():
        truth = statement.decision(model, situation.decisions[index])
        guards[index] = model.model.new_bool_var(f"equation[{situation.decisions[index]}]")
        expression = int(truth) if isinstance(truth, bool) else truth.variable
        model.model.add(variable == expression).only_enforce_if(guards[index])
        reads[index] = frozenset() if isinstance(truth, bool) else truth.reads
    needed = _contradiction(model, guards)
    if needed is None:
        raise ValueError("some resolution has all that is wanted")
    near = _nearest_first(reads, wanted or needed)
    needed = list(guards) if wanted else needed
    for index in reversed(near):
        if index in needed:
            rest = {other: guards[other] for other in needed if other != index}
            needed = needed if _contradiction(model, rest) is None else list(rest)
    return tuple(sorted(needed))


def _contradiction(model: Model, guards: Mapping[int, cp_model.IntVar]) -> list[int] | None:
    """Some of the equations with these guards that contradict each other; None if they do not."""
    model.model.clear_assumptions()
    model.model.add_assumptions(list(guards.values()))
    solver = new_solver()
    if solver.solve(model.model) != cp_model.INFEASIBLE:
        return None
    blamed = set(solver.sufficient_assumptions_for_infeasibility())
    return [index for index, guard in guards.items() if guard.index in blamed]


def _nearest_first(reads: Mapping[int, frozenset[int]], start: Iterable[int]) -> list[int]:
    """The decisions in the order in which equations lead to them from the start; last those to which none leads."""
    order = dict.fromkeys(start)
    queue = list(order)
    for index in queue:
        found = [other for other in sorted(reads[index]) if other not in order]
        order.update(dict.fromkeys(found))
        queue += found
    return list(dict.fromkeys((*order, *reads)))
