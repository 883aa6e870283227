"""Defines goals that two rulebooks differ, and checks whether they can differ about moves at all.

A movement phase is judged in four steps, each of which reads a rulebook in its own way (`READINGS`). *Legality* reads the
options that its source code names. The *equations* are compared as compiled for each rulebook
(`satjudge.judging.equations.compiler`), so options without effect make no difference. The *rulings* are the rules for cores
that `satjudge.judging.backup` derives. *Retreats* read options by name again. If the readings of two rulebooks are the same in
all steps that lead to a result, the rulebooks give the same result for all boards and orders on every map. The converse does
not hold: if readings differ, only a search shows whether that ever matters.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from itertools import product
from types import ModuleType
from typing import TypeAlias

from satjudge.base.errors import InputError
from satjudge.base.values import replace
from satjudge.judging import outcome
from satjudge.judging.backup import find_ruling_choices
from satjudge.judging.equations import compiler, situation
from satjudge.judging.equations.situation import OrderDecision
from satjudge.judging.legality import dockets, order_legality, routes, waters
from satjudge.judging.outcome import Outcome
from satjudge.search.formulas.clauses import FALSE, Literal
from satjudge.search.goals.goal import Goal
from satjudge.search.goals.judged_position import Judged, find_illegal_orders
from satjudge.search.goals.outcomes import VERDICTS, has_no_retreat, has_result, is_retreat_barred
from satjudge.search.open_orders.encoding import Encoding
from satjudge.search.open_orders.question import Question
from satjudge.search.open_orders.universe import meaning_key
from satjudge.world.geography import Map, ProvinceCode, province_of
from satjudge.world.rules import Rulebook, load_rulebook
from satjudge.world.rules.rulebook import option_fields


class Step(StrEnum):
    """A step of judging a movement phase, from the orders to the visible outcome."""

    LEGALITY = "what is legal"
    EQUATIONS = "the equations"
    RULINGS = "the rulings on cores"
    RETREATS = "retreats"


MOVEMENT = (Step.LEGALITY, Step.EQUATIONS, Step.RULINGS)
"""The steps that decide which moves succeed."""

MODULES: dict[Step, tuple[ModuleType, ...]] = {
    Step.LEGALITY: (order_legality, dockets, routes, waters, situation),
    Step.RETREATS: (outcome,),
}
"""The modules of those steps that read options by name."""


@cache
def find_options(step: Step) -> frozenset[str]:
    """Return the DATC issues, such as `4.A.2`, whose options the source code of a step (legality, retreats) reads."""
    names = {
        node.attr
        for module in MODULES[step]
        for node in ast.walk(ast.parse(inspect.getsource(module)))
        if isinstance(node, ast.Attribute)
    }
    return frozenset(issue for issue, field in option_fields().items() if field in names)


Reading: TypeAlias = Callable[[Rulebook], Iterator[object]]
"""A function that yields everything that a step reads from a rulebook."""


def _get_reading(step: Step) -> Reading:
    def read(rulebook: Rulebook) -> Iterator[object]:
        settings = rulebook.settings()
        yield from (settings[issue] for issue in sorted(find_options(step)))

    return read


def _iter_equations(rulebook: Rulebook) -> Iterator[object]:
    """Yield the compiled equations for all eight kinds of map: with or without difficult borders, railroads, canals."""
    maps = product((False, True), repeat=3)
    on_maps = (replace(rulebook, difficult_borders=one, railroads=two, canals=three) for one, two, three in maps)
    return map(compiler.generate_source, on_maps)


def _iter_rulings(rulebook: Rulebook) -> Iterator[object]:
    return iter(find_ruling_choices(rulebook))


READINGS: dict[Step, Reading] = {
    Step.LEGALITY: _get_reading(Step.LEGALITY),
    Step.EQUATIONS: _iter_equations,
    Step.RULINGS: _iter_rulings,
    Step.RETREATS: _get_reading(Step.RETREATS),
}
"""The reading of each step. A step works in the same way under all rulebooks with the same reading."""


def list_differing_steps(one: Rulebook, other: Rulebook, steps: Iterable[Step] = tuple(Step)) -> list[Step]:
    """List those of the given steps that may work differently under the two rulebooks.

    The other steps work in the same way on every board.
    """
    parts = {step: zip(READINGS[step](one), READINGS[step](other), strict=True) for step in steps}
    return [step for step, pairs in parts.items() if any(first != second for first, second in pairs)]


def explain_agreement(one: Rulebook, other: Rulebook, steps: Iterable[Step]) -> str | None:
    """Return a sentence that says why the steps cannot lead to different outcomes under two rulebooks; None if they may."""
    steps = tuple(steps)
    if list_differing_steps(one, other, steps):
        return None
    settled, otherwise = one.settings(), other.settings()
    apart = [issue for issue in settled if settled[issue] != otherwise[issue]]
    if not apart:
        return f"{one.name} and {other.name} are the same rulebook"
    steps_text = ", ".join(steps[:-1])
    return f"{one.name} and {other.name} differ only in {', '.join(apart)}, which never changes {steps_text} or {steps[-1]}"


# ---- goals: two rulebooks have different outcomes for the same orders ----


class Aspect(StrEnum):
    """The aspect of the outcome in which two rulebooks should differ."""

    POSITION = "position"
    """The units that stand afterwards and their places, and the dislodged ones."""
    UNITS = "units"
    """The units that stand afterwards and their places, without dislodged units."""
    DISLODGEMENTS = "dislodgements"
    """The units that are dislodged."""
    VERDICTS = "verdicts"
    """The verdict on some order, such as `fails` or `given, dislodged`."""
    RETREATS = "retreats"
    """The possible retreats of a unit that is dislodged under both rulebooks."""

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps of judging that the aspect depends on."""
        return (*MOVEMENT, Step.RETREATS) if self in (Aspect.VERDICTS, Aspect.RETREATS) else MOVEMENT


@dataclass(frozen=True)
class RulebookDifference(Goal):
    """The goal that two rulebooks leave different positions, or differ in another aspect of the outcome.

    Each rulebook treats illegal orders in its own way. If `legal`, all orders must be legal under both.
    """

    name = "differs"
    form = "differs:RULEBOOK,RULEBOOK"

    one: Rulebook
    other: Rulebook
    legal: bool = False
    names: tuple[str, ...] = field(default=(), compare=False)
    """The names by which the user asked for the rulebooks; for a user's own file, its path."""
    aspect: Aspect = Aspect.POSITION

    def __str__(self) -> str:
        aspect = "" if self.aspect is Aspect.POSITION else f"={self.aspect}"
        return f"differs{'-legal' * self.legal}:{self.one.name},{self.other.name}{aspect}"

    @classmethod
    def read(cls, argument: str, game_map: Map) -> Goal:
        names, equals, aspect_name = argument.partition("=")
        one, comma, other = names.partition(",")
        if not comma:
            raise InputError("expected two rulebooks", suggestion="write differs:1982,datc-3")
        if equals and aspect_name not in list(Aspect):
            raise InputError(
                f"{aspect_name!r} is not an aspect in which rulebooks differ", suggestion=f"write one of {', '.join(Aspect)}"
            )
        aspect = Aspect(aspect_name) if equals else Aspect.POSITION
        books = load_rulebook(one), load_rulebook(other)
        return RulebookDifference(*books, legal=cls is LegalRulebookDifference, names=(one, other), aspect=aspect)

    def holds(self, judged: Judged) -> bool:
        one, other = (judged.judge_under(rulebook).outcome for rulebook in self.list_compared_rulebooks())
        return self.has_answer(judged) and one is not None and other is not None and has_difference(self.aspect, one, other)

    def has_answer(self, judged: Judged) -> bool:
        answered = all(judged.judge_under(rulebook).outcome for rulebook in self.list_compared_rulebooks())
        return answered and not (
            self.legal and any(find_illegal_orders(judged.proposal, book) for book in self.list_compared_rulebooks())
        )

    def require(self, question: Question) -> None:
        """Require that the outcomes under the two rulebooks differ in this aspect; if `legal`, that all orders are legal."""
        one, other = (question.get_outcome(book) for book in self.list_compared_rulebooks())
        differing = {
            Aspect.DISLODGEMENTS: _iter_dislodgement_differences,
            Aspect.VERDICTS: _iter_verdict_differences,
            Aspect.RETREATS: _iter_retreat_differences,
        }.get(self.aspect, _iter_move_differences)
        question.formula.require(*differing(one, other))
        for rulebook in self.list_compared_rulebooks() if self.legal else ():
            question.orders.choices.require_legal(rulebook)

    def find_general_refutation(self) -> str | None:
        return explain_agreement(self.one, self.other, self.aspect.steps)

    def list_compared_rulebooks(self) -> tuple[Rulebook, ...]:
        return self.one, self.other


class LegalRulebookDifference(RulebookDifference):
    """The goal that two rulebooks differ and that all orders are legal under both."""

    name = "differs-legal"
    form = "differs-legal:RULEBOOK,RULEBOOK"


def has_difference(aspect: Aspect, one: Outcome, other: Outcome) -> bool:
    """Return whether two outcomes of the same orders differ in an aspect."""
    lost, also_lost = one.dislodgements, other.dislodgements
    match aspect:
        case Aspect.POSITION:
            return set(one.units) != set(other.units) or lost.keys() != also_lost.keys()
        case Aspect.UNITS:
            return set(one.units) != set(other.units)
        case Aspect.DISLODGEMENTS:
            return lost.keys() != also_lost.keys()
        case Aspect.VERDICTS:
            return one.results != other.results
        case Aspect.RETREATS:
            return any(lost[place].retreats != also_lost[place].retreats for place in lost.keys() & also_lost.keys())


# Literals, at least one of which holds if two outcomes differ


def _iter_move_differences(one: Encoding, other: Encoding) -> Iterator[Literal]:
    """Yield literals for possible moves, each of which holds if the move succeeds under only one rulebook."""
    first, second = ({move.order: encoding.move(move) for move in encoding.orders.situation.moves} for encoding in (one, other))
    for move in dict.fromkeys((*first, *second)):
        yield one.formula.xor(first.get(move, FALSE), second.get(move, FALSE))


def _iter_dislodgement_differences(one: Encoding, other: Encoding) -> Iterator[Literal]:
    """Yield for each province the literal that holds if its unit is dislodged under only one rulebook."""
    for province in one.orders.occupied:
        yield one.formula.xor(one.dislodged(province), other.dislodged(province))


def _iter_verdict_differences(one: Encoding, other: Encoding) -> Iterator[Literal]:
    """Yield literals, each of which holds if an order has some result, or a unit some fate, under only one rulebook."""
    first, second = (dict(_iter_decisions(encoding)) for encoding in (one, other))
    for order in dict.fromkeys((*first, *second)):
        kind = type((first.get(order) or second[order]).order)
        for result in VERDICTS[kind]:
            literals = (has_result(encoding, found[order], result) if order in found else FALSE
                    for encoding, found in ((one, first), (other, second)))  # fmt: skip
            yield one.formula.xor(*literals)
    yield from _iter_dislodgement_differences(one, other)
    for province in one.orders.occupied:
        lost = (
            encoding.all_of((encoding.dislodged(province), has_no_retreat(encoding, province))) for encoding in (one, other)
        )
        yield one.formula.xor(*lost)


def _iter_decisions(encoding: Encoding) -> Iterator[tuple[object, OrderDecision]]:
    """Yield the decision about each order with the order's meaning key, which is the same under every rulebook."""
    for decision, order in zip(encoding.orders.situation.order_decisions, encoding.orders.written_orders, strict=True):
        yield meaning_key(order), decision


def _iter_retreat_differences(one: Encoding, other: Encoding) -> Iterator[Literal]:
    """Yield, by province, the literal that its unit is dislodged by both rulebooks and may retreat somewhere by only one."""
    for province in one.orders.occupied:
        exits = {
            province_of(location) for spot, _ in one.orders.iter_units(province) for location in one.orders.map.exits(*spot)
        }
        yield one.formula.all_of((
            one.dislodged(province),
            other.dislodged(province),
            one.formula.any_of(_can_retreat_differ(one, other, province, place) for place in sorted(exits)),
        ))  # fmt: skip


def _can_retreat_differ(one: Encoding, other: Encoding, province: ProvinceCode, place: ProvinceCode) -> Literal:
    return one.formula.xor(is_retreat_barred(one, province, place), is_retreat_barred(other, province, place))
