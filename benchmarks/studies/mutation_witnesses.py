"""Finds for each mutation (`mutations.py`) a small position with different results under the broken rules.

It begins with a shipped case, or one that was drawn (`benchmarks/studies/drawn_boards.py`), that tells the two apart, and
shrinks it as findings of `crosscheck` are shrunk, until no single step keeps the difference.
`benchmarks/studies/conformance_kit.py` does so for all mutations and keeps what it found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from satjudge.base.errors import RequestError, UnresolvedError
from satjudge.engines.conformance.switchable_judge import make_faulty_judge
from satjudge.engines.kit.parts import Judge, KitQuestion, iter_questions
from satjudge.engines.positions import AskedPosition, make_position, parse_position
from satjudge.engines.shrinking import shrink_position
from satjudge.judging.judge import judge_parsed_orders
from satjudge.notation.bundled_cases import read_collection
from satjudge.notation.sheets import Sheet
from satjudge.world.board import Phase
from satjudge.world.orders import Hold, Unreadable

Answer = Mapping[str, Any]
Answers = Callable[[KitQuestion], Answer]
"""A function that answers a question: by the statement, or by a broken one."""
COLLECTIONS = ("datc-3.2", "promoted", "rulebook-1971", "rulebook-1982", "datc-2.4", "variants")
MOST_TRIED = 20
MOST_SEEDS = 2
"""Cases that are shrunk for a mutation, the smallest first; the smallest result is taken."""


def trials(collection: str, phase: Phase = Phase.MOVEMENT) -> Iterator[KitQuestion]:
    """Yield the phases of one kind in a collection, each under all rulebooks that its case speaks of."""
    for sheet in read_collection(collection):
        if phase is sheet.phase or (phase is Phase.RETREAT and sheet.retreats):
            for rules, settings in dict.fromkeys(_spoken_of(sheet)):
                with suppress(UnresolvedError):  # then there are no retreats
                    asked = iter_questions(sheet, rules, settings)
                    yield from (question for question in asked if question.board.phase is phase and _can_be_asked(question))


def _can_be_asked(question: KitQuestion) -> bool:
    """Return whether all orders of a question can be read, and those of a later phase are of that phase."""
    if question.board.phase is Phase.MOVEMENT:
        return not any(isinstance(order, Unreadable) for given in question.orders.values() for order in given)
    return make_position(question.board, question.orders, question.name) is not None


def _spoken_of(sheet: Sheet) -> Iterator[tuple[str, tuple[str, ...]]]:
    """List the rulebooks of a case, by name and settings."""
    yield sheet.rules, ()
    for block in sheet.under:
        for name in block.rulebooks:
            yield name, tuple(block.settings)


def statement_answer(question: KitQuestion, judge: Judge = judge_parsed_orders) -> Answer:
    """Answer a question by the statement, or by a mutant; an error is an answer as well."""
    try:
        return question.make_answer(question.rulebook, judge)
    except Exception as error:  # any result of a broken clause
        return {"error": type(error).__name__}


def statement_answers(questions: Sequence[KitQuestion], *names: str) -> list[Answer]:
    """Answer several questions by the statement, or by a mutant with the mutations named."""
    if not names:
        return [statement_answer(question) for question in questions]
    with make_faulty_judge(names) as judge:
        return [statement_answer(question, judge.judge_read) for question in questions]


def differ_visibly(one: Answer, other: Answer) -> bool:
    """Return whether two answers differ in where units stand or which are dislodged, not only in words."""
    return any(one.get(key) != other.get(key) for key in ("units", "dislodged"))


def witness(differing: Iterable[KitQuestion], whole: Answers, broken: Answers) -> KitQuestion | None:
    """Shrink differing questions, and return the smallest position on which two judges still differ, if any.

    `whole` and `broken` are the two judges. A question by the default rulebook is better than one that needs another, and one
    on which units stand otherwise better than one on which only words are others.
    """
    ordered = sorted(differing, key=lambda question: (*question.needs, len(question.board.units)))
    alike = [question for question in ordered if question.needs == ordered[0].needs][:MOST_TRIED]
    seen = [question for question in alike if differ_visibly(whole(question), broken(question))]
    return min((_shrunk(question, whole, broken) for question in (seen or alike)[:MOST_SEEDS]), key=_size, default=None)


def _shrunk(question: KitQuestion, whole: Answers, broken: Answers) -> KitQuestion:
    """Shrink a question as long as two judges still differ on it, in what is visible if they do so now."""
    try:
        position = parse_position(question.question_line, question.board.map)
    except RequestError:  # permissions to pass a canal are no orders that can be shrunk
        return question

    def asked(smaller: AskedPosition) -> KitQuestion:
        return replace(question, board=smaller.board, orders=smaller.orders)

    def differs(one: Answer, other: Answer) -> bool:
        return "error" not in one and one != other

    keeps = differ_visibly if differ_visibly(whole(question), broken(question)) else differs

    def still(smaller: AskedPosition) -> bool:
        one, other = whole(asked(smaller)), broken(asked(smaller))
        return differs(one, other) and keeps(one, other)

    return asked(shrink_position(position, still)) if still(position) else question


def _size(question: KitQuestion) -> tuple[int, int, int]:
    given = [order for orders in question.orders.values() for order in orders]
    return len(question.board.units), sum(not isinstance(order, Hold) for order in given), len(question.question_line)
