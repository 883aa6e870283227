"""Finds a resolution in which an order succeeds, or a minimal set of equations that forbid it, as a step-by-step proof."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from satjudge.base.values import brief, one_line
from satjudge.explain.context import Context, find_order
from satjudge.explain.explanation import choose_value_word, format_list, format_predicate
from satjudge.explain.phases import why
from satjudge.explain.words.reason_text import choose_exceeding_word, format_owned_strength
from satjudge.judging.equations import statement
from satjudge.judging.equations.printing import name_decision
from satjudge.judging.equations.proof import Amount, Comparison, Fact, find_comparisons, make_bound_proofs
from satjudge.judging.equations.situation import Decision, MoveDecision, PassDecision, Situation, Stage, SupportDecision
from satjudge.judging.outcome import Outcome
from satjudge.judging.solve import staged_engine
from satjudge.judging.solve.bounds import Values
from satjudge.judging.solve.case_splitting import is_satisfiable
from satjudge.judging.solve.cores import Graph, find_mentions
from satjudge.judging.solve.result import Assignment, Limits
from satjudge.world.geography import Power
from satjudge.world.orders import Order
from satjudge.world.verdicts import OrderResult

_MANY = 6
"""The largest number of orders that are listed one by one."""


class WhyNot(Struct, frozen=True):
    """Whether an order could have succeeded without backup rules, and why or why not.

    `str` returns it as text.
    """

    power: Power
    order: str
    wish: str
    """The wish as a clause: `F WAL - ENG succeeds`."""
    possible: bool
    """True if the wish is true in some consistent resolution."""
    resolution: dict[str, bool] | None
    """A consistent resolution of the whole board in which the wish is true: whether each order succeeds."""
    forbidding: tuple[str, ...]
    """Without such a resolution, a minimal set of decisions whose equations forbid the wish, such as `MOVE(F WAL - ENG)`."""
    steps: tuple[str, ...]

    def __repr__(self) -> str:
        return one_line("WhyNot", self.power, self.wish, str(self))

    def __str__(self) -> str:
        return "; ".join(self.steps)


def why_not(outcome: Outcome, order: Order | str, power: Power | None = None) -> WhyNot:
    """Return why an order cannot succeed, or a consistent resolution in which it does.

    Raises `NotFoundError` if no such order was given.
    """
    entry = find_order(outcome, order, power)
    adjudication = outcome.adjudication
    situation = adjudication.situation
    decision = Context(outcome).decisions.get(entry.province or "") if entry.reason is None else None
    text = str(entry.order)
    if decision is None:
        remark = f"there is nothing to decide about it: {why(outcome, entry.order, entry.power).text}"
        return WhyNot(entry.power, text, text, False, None, (), (remark,))
    wish, wanted = f"{decision.order} {format_predicate(decision, True)}", {decision.index: True}
    known = adjudication.resolutions if adjudication.resolutions.complete else staged_engine.resolutions(situation, Limits())
    found = known.find_with_value(decision.index, value=True)
    if found is not None:
        remark = f"yes: {wish} in {_describe_resolution(outcome, decision, found)}"
        resolution = {str(other): found[other.index] for other in situation.decisions}
        return WhyNot(decision.power, text, wish, True, resolution, (), (remark,))
    indices = find_forbidding_equations(situation, wanted)
    remark = f"no: {wish} in no consistent resolution"
    if not adjudication.resolutions.count and adjudication.values[decision.index]:
        remark = f"no: there is no consistent resolution; {wish} only by a backup rule"
    steps = (remark, *_explain_steps(situation, indices, wanted))
    return WhyNot(decision.power, text, wish, False, None, _name_equations(situation, indices), steps)


def _describe_resolution(outcome: Outcome, decision: Decision, resolution: Assignment) -> str:
    """Return a phrase that identifies a resolution in which the order succeeds, and whether backup rules agree with it."""
    adjudication = outcome.adjudication
    if adjudication.resolutions.count == 1:
        return "the one consistent resolution"
    core = next((core.decisions for core in adjudication.cores if decision in core.decisions), ())
    others = [f"{other} {format_predicate(other, resolution[other.index])}" for other in core if other is not decision]
    rules = format_list(dict.fromkeys(ruling.rule for ruling in adjudication.rulings))
    fate = "and so it is" if adjudication.values[decision.index] else "but not"
    resolution_text = f", the one in which {format_list(others)}" if 0 < len(others) <= _MANY else ""
    return f"a consistent resolution{resolution_text}, {fate} by the backup rule ({rules})"


class Contradiction(Struct, frozen=True):
    """A core without a resolution, with a minimal set of its equations that contradict each other, and a proof in steps."""

    core: tuple[str, ...]
    """The orders of the core."""
    equations: tuple[str, ...]
    steps: tuple[str, ...]

    __repr__ = brief


def why_no_resolution(outcome: Outcome) -> list[Contradiction]:
    """Return a contradiction for each core without a resolution: a minimal set of its equations, and a proof in steps."""
    adjudication = outcome.adjudication
    situation = adjudication.situation
    found = []
    for core in adjudication.cores:
        if core.resolutions:
            continue
        own = {decision.index for decision in core.decisions}
        values: Values = [None if index in own else value for index, value in enumerate(adjudication.values)]
        indices = find_forbidding_equations(situation, {}, values)
        steps = _explain_steps(situation, indices, {}, values)
        found.append(Contradiction(tuple(map(str, core.decisions)), _name_equations(situation, indices), steps))
    return found


def _name_equations(situation: Situation, indices: Iterable[int]) -> tuple[str, ...]:
    return tuple(name_decision(situation.decisions[index]) for index in indices)


def _explain_steps(
    situation: Situation, indices: Sequence[int], wanted_values: Mapping[int, bool], values: Values | None = None
) -> tuple[str, ...]:
    """Return the steps of a proof, as clauses, that these equations exclude the wanted values of decisions, by index."""
    known: Values = [None] * len(situation.decisions) if values is None else list(values)
    for index, value in wanted_values.items():
        known[index] = value
    supposed = format_list(
        f"{situation.decisions[i]} {format_predicate(situation.decisions[i], value)}" for i, value in wanted_values.items()
    )
    equations = [situation.decisions[index] for index in indices]
    steps = list(_iter_refutation_steps(situation, equations, known))
    return (f"suppose that {supposed}", *steps) if supposed else tuple(steps)


def _iter_refutation_steps(situation: Situation, equations: Sequence[Decision], known: Values) -> Iterator[str]:
    """Yield conclusions until there is a contradiction, trying both values of a decision if needed; add them to `known`."""
    while True:
        step = _infer_forward(equations, known) or _infer_backward(situation, equations, known)
        if step is None:
            break
        subject, value, text = step
        if known[subject.index] is not None:
            yield f"{text}: a contradiction"
            return
        yield text
        known[subject.index] = value
    other = _choose_decision(situation, equations, known)
    for value in (True, False):
        yield (
            f"suppose that {other} {format_predicate(other, value)}"
            if value
            else f"suppose instead that it {format_predicate(other, value)}"
        )
        trial = list(known)
        trial[other.index] = value
        yield from _iter_refutation_steps(situation, equations, trial)


Step = tuple[Decision, bool, str]
_ADJECTIVES: dict[str, str] = {OrderResult.SUCCEEDS: "successful", OrderResult.FAILS: "failing", "not tried": "untried"}


def _find_forced_value(subject: Decision, known: Values) -> tuple[bool, Fact] | None:
    """Return the value that a decision's equation forces, given the known values, with its proof; None if it forces none."""
    optimist, pessimist = make_bound_proofs(known)
    denied = statement.decision(optimist, subject)
    if not denied.value:
        return False, denied
    granted = statement.decision(pessimist, subject)
    return (True, granted) if granted.value else None


def _infer_forward(equations: Sequence[Decision], known: Values) -> Step | None:
    """Return the first decision to which its equation gives a new value, this value, and the step as text; None if none."""
    for subject in equations:
        found = _find_forced_value(subject, known)
        if found is not None and known[subject.index] is not found[0]:
            value, fact = found
            predicate, cutter = format_predicate(subject, value), _format_cutter(subject, value, known)
            return subject, value, f"{subject} {predicate}{cutter}{_format_premises(subject, fact, known)}"
    return None


def _infer_backward(situation: Situation, equations: Sequence[Decision], known: Values) -> Step | None:
    """Return an open decision, the value that a known decision's equation requires of it, and the step as text, or None."""
    for subject in equations:
        if known[subject.index] is None:
            continue
        for index in _list_open_mentions(situation, subject, known):
            for value in (True, False):
                trial = list(known)
                trial[index] = not value
                found = _find_forced_value(subject, trial)
                if found is not None and found[0] is not known[subject.index]:
                    other = situation.decisions[index]
                    stays = choose_value_word(subject, bool(known[subject.index]))
                    adjective = _ADJECTIVES.get(stays, stays)
                    return other, value, f"then {other} {format_predicate(other, value)}, or {subject} would not be {adjective}"
    return None


def _list_open_mentions(situation: Situation, subject: Decision, known: Values) -> list[int]:
    trial = list(known)
    trial[subject.index] = None
    return [index for index in sorted(find_mentions(situation, trial, [subject])[subject.index]) if known[index] is None]


def _choose_decision(situation: Situation, equations: Sequence[Decision], known: Values) -> Decision:
    """Return the open decision that most equations mention, preferably one whose own equation is among them."""
    mentions = [index for subject in equations for index in _list_open_mentions(situation, subject, known)]
    own = {subject.index for subject in equations}
    return situation.decisions[max(dict.fromkeys(mentions), key=lambda index: (index in own, mentions.count(index)))]


def _format_cutter(subject: Decision, value: bool, known: Values) -> str:
    """Return ` by …` with a move that cuts a support for all values of open decisions; "" if there is none."""
    if value or not isinstance(subject, SupportDecision):
        return ""
    _, pessimist = make_bound_proofs(known)
    attacks = (m for m in subject.place.moves_in if m.power != subject.power and statement.cuts(pessimist, m, subject).value)
    cutting = next(attacks, None)
    return f" by {cutting}" if cutting else ""


def _format_premises(subject: Decision, fact: Fact, known: Values) -> str:
    """Return `, as …` with the strengths and decisions from which a conclusion about `subject` follows."""
    premise_texts = []
    shown_supports: set[Decision] = set()
    found = (
        _find_decisive_comparison(fact)
        if isinstance(subject, MoveDecision)
        else _find_bounce(fact)
        if isinstance(subject, PassDecision)
        else None
    )
    if found is not None and found.one is not None and found.other is not None:
        verb, bounds = (
            (choose_exceeding_word(found.one, found.other), ("least", "most"))
            if found.value
            else ("does not exceed", ("most", "least"))
        )
        premise_texts.append(f"{_format_bound(found.one, bounds[0])} {verb} {_format_bound(found.other, bounds[1])}")
        shown_supports.update(found.one.supports, found.other.supports)
    premises = sorted(fact.decisions() - shown_supports, key=lambda decision: decision.index)
    premise_texts += [f"{other} {format_predicate(other, bool(known[other.index]))}" for other in premises]
    return f", because {format_list(premise_texts)}" if premise_texts else ", whatever else happens"


def _find_decisive_comparison(fact: Fact) -> Comparison | None:
    """Return the comparison of strengths on which a conclusion about a move depends; None if it depends on none."""
    if not fact.one_suffices:
        found = find_comparisons(fact)
        return max(found, key=lambda comparison: comparison.other.value if comparison.other else 0)
    fewest = min(fact.parts, key=lambda part: len(part.decisions()))
    found = find_comparisons(fewest)
    return found[0] if found else None


def _find_bounce(fact: Fact) -> Comparison | None:
    """Return the comparison of strengths that makes an army on a railroad bounce; None if something else stops it."""
    found = find_comparisons(fact) if not fact.value else []
    return next((one for one in found if one.one is not None and isinstance(one.one.about, Stage)), None)


def _format_bound(amount: Amount, bound: str) -> str:
    return format_owned_strength(amount).replace(
        f"{amount.term} {amount.counted_value}", f"{amount.term} at {bound} {amount.counted_value}", 1
    )


# ---- minimal sets of equations that exclude some values of decisions ----


def find_forbidding_equations(
    situation: Situation, wanted_values: Mapping[int, bool], values: Values | None = None
) -> tuple[int, ...]:
    """Return the indices of a minimal set of equations that excludes these values of some decisions.

    Equations close to these decisions are preferred. If `wanted_values` is empty, the set is a minimal contradiction among the
    equations themselves. `values` are those of settled decisions. Raises `ValueError` if a resolution has all wanted values,
    and `EngineLimitError` if a solver is needed but not available.
    """
    equations = _Equations(situation, wanted_values, [None] * len(situation.decisions) if values is None else values)
    needed = equations.find_contradiction([decision.index for decision in equations.subjects])
    if needed is None:
        raise ValueError("there is no contradiction to explain: a resolution has all the wanted values")
    near = _order_nearest_first(find_mentions(situation, equations.values, equations.subjects), wanted_values or needed)
    if wanted_values:
        needed = [decision.index for decision in equations.subjects]
    for index in reversed(near):
        if index in needed:
            needed = equations.find_contradiction([other for other in needed if other != index]) or needed
    return tuple(sorted(needed))


class _Equations:
    """The equations of the open decisions, some of which have wanted values."""

    def __init__(self, situation: Situation, wanted: Mapping[int, bool], values: Values) -> None:
        self.situation = situation
        self.wanted = wanted
        self.values = values
        self.subjects = [decision for decision in situation.decisions if values[decision.index] is None]

    def find_contradiction(self, indices: Sequence[int]) -> list[int] | None:
        """Return the indices of contradicting equations among these; None if there is no contradiction."""
        found = is_satisfiable(self.situation, self.values, self.wanted, indices)
        if found is None:
            from satjudge.judging.solve.cpsat_model import GuardedEquations

            return GuardedEquations(self.situation, self.wanted, self.values).find_contradiction(indices)
        return None if found else list(indices)


def _order_nearest_first(graph: Graph, start: Iterable[int]) -> list[int]:
    """List decisions by their distance from `start` in the graph; those that cannot be reached come last."""
    order = dict.fromkeys(start)
    queue = list(order)
    for index in queue:
        found = [other for other in sorted(graph[index]) if other not in order]
        order.update(dict.fromkeys(found))
        queue += found
    return list(dict.fromkeys((*order, *graph)))
