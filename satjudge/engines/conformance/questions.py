"""Defines the questions of the kit: positions with their orders, each with the answer that a rulebook gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import msgspec

from satjudge.base.errors import UnresolvedError, kind_and_message
from satjudge.explain.documents.positions import phase_fields
from satjudge.files.batch_lines import Request, RequestReader, position_keys, read_request
from satjudge.judging.judge import AnyOutcome, judge_read
from satjudge.judging.outcome import Outcome
from satjudge.notation.sheets import Sheet
from satjudge.world.board import Board, by_power
from satjudge.world.orders import Orders
from satjudge.world.rules import DEFAULT_RULES, Rulebook, load_rulebook

Judge: TypeAlias = Callable[[Board, Orders, Rulebook], AnyOutcome]
"""A function that answers: `judge_read`, or that of a mutant."""


@dataclass(frozen=True, eq=False)
class KitQuestion:
    """A position of any phase with its orders, and the rulebook of its expected answer."""

    name: str
    board: Board
    orders: Orders
    rules: str = DEFAULT_RULES
    settings: tuple[str, ...] = ()
    """Issues settled otherwise, `4.A.2=all-hold`."""
    tells: tuple[str, ...] = ()
    """The broken clauses, or the values of an option, that the question tells apart under this rulebook."""
    proved: tuple[str, ...] = ()
    """The clauses, of these, that no position with fewer units tells under this rulebook (`conformance.minimal`)."""

    @property
    def rulebook(self) -> Rulebook:
        """The rulebook with its settings."""
        return load_rulebook(self.rules).with_settings(self.settings)

    @property
    def needs(self) -> tuple[bool, int, bool]:
        """The demands on an engine beside the default rules: another map, settings, another rulebook."""
        return not self.board.map.is_standard, len(self.settings), self.rules != DEFAULT_RULES

    @property
    def usual(self) -> bool:
        """Tell whether every engine can be asked the question: on the standard map, by the default rulebook."""
        return not any(self.needs)

    @property
    def position(self) -> dict[str, Any]:
        """The position as a batch line has it, without a name and an answer."""
        orders = {power: [str(order) for order in given] for power, given in self.orders.items() if given}
        line = {"phase": str(self.board.phase), "rules": self.rules, **position_keys(self.board)}
        return {**line, "units": by_power(self.board.units), "orders": orders}

    @property
    def asked(self) -> bytes:
        """The batch line that asks the question."""
        return msgspec.json.encode({"id": self.name, **self.position})

    @property
    def answered(self) -> bytes:
        """The batch line with the expected answer and the purpose of the question (docs/guides/conformance.md)."""
        more: dict[str, Any] = {"expected_settings": self.settings} if self.settings else {}
        more |= {"expected_to_tell": self.tells} if self.tells else {}
        more |= {"expected_proved": self.proved} if self.proved else {}
        return msgspec.json.encode({"id": self.name, **self.position, "expected": self.answer(self.rulebook), **more})

    def telling(self, name: str) -> KitQuestion:
        """The question that tells this apart as well."""
        return replace(self, tells=(*self.tells, name))

    def answer(self, rulebook: Rulebook, judge: Judge = judge_read) -> dict[str, Any]:
        """Judge the question by a rulebook, and return what all players see of the outcome, or that there is none.

        All players see verdicts and units, and dislodgements or removals.
        """
        try:
            told = phase_fields(judge(self.board, self.orders, rulebook))
        except UnresolvedError as error:
            return {"error": {"kind": kind_and_message(error)[0]}}
        return {key: told[key] for key in ("results", "dislodged", "units", "automatic") if key in told}


def questions_of(sheet: Sheet, rules: str | None = None, settings: Sequence[str] = ()) -> Iterator[KitQuestion]:
    """Yield the questions of a case, by its own rulebook or another: its phase, and the retreats after it if it has any."""
    rules, orders = rules or sheet.rules, sheet.orders_by_power()
    question = KitQuestion(sheet.identity, sheet.board, orders, rules, tuple(settings))
    yield question
    if sheet.retreats:
        outcome = judge_read(sheet.board, orders, question.rulebook)
        assert isinstance(outcome, Outcome)
        yield KitQuestion(
            f"{sheet.identity}/retreats", outcome.retreat_board, sheet.retreats_by_power(), rules, tuple(settings)
        )


class _Line(Request):
    """A line of a kit."""

    expected_settings: tuple[str, ...] = ()
    expected_to_tell: tuple[str, ...] = ()
    expected_proved: tuple[str, ...] = ()


class _Named(msgspec.Struct):
    """A line of a kit, as far as it is read to name the question."""

    id: str


def name_of(line: bytes) -> str:
    """Read the name of the question that a line asks."""
    return msgspec.json.decode(line, type=_Named).id


def read_question(line: bytes) -> KitQuestion:
    """Read the question that a line of a kit asks.

    Raises `InputError`.
    """
    reader = RequestReader(request := read_request(line, _Line))
    told = request.rules or DEFAULT_RULES, request.expected_settings, request.expected_to_tell, request.expected_proved
    return KitQuestion(str(request.id), reader.board(), reader.orders(), *told)
