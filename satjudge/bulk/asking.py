"""What is asked of the plain path for compiled code, and how several rulebooks share the answers.

A judge asks each question once. Campaigns that judge the same boards by several rulebooks would ask it once for each of them,
though most answers hang on few of a rulebook's choices, or on none: a support of an army reads nothing about convoys. So an
answer is kept with the choices that were read for it, and it is that of every rulebook with the same ones.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple, TypeVar, cast

from satjudge.board import Board, Unit
from satjudge.equations.situation import ConvoyDecision, Decision, MoveDecision, SupportDecision, situate_candidates
from satjudge.geography import Map, ProvinceCode
from satjudge.legality.single import judged
from satjudge.legality.tracked_reads import ConvoyQuestion, TrackedPosition
from satjudge.orders import MovementOrder, Order
from satjudge.rules import Rulebook

OURS, THEIRS = "ours", "theirs"
_KEPT = 1_000_000
"""Answers that are shared, at most."""
T = TypeVar("T")


class SharedAnswers:
    """Answers about one map, for all rulebooks together."""

    def __init__(self, game_map: Map) -> None:
        self.map = game_map
        self.count = 0
        self._by_question: dict[Hashable, list[tuple[tuple[tuple[str, object], ...], Any]]] = {}

    def find(self, question: Hashable, rulebook: Rulebook, work_out: Callable[[Rulebook], T]) -> T:
        """The answer under this rulebook; worked out if no rulebook with the same choices was asked before."""
        for read, answer in self._by_question.get(question, ()):
            if all(getattr(rulebook, name) == value for name, value in read):
                return cast("T", answer)
        reading = _Reading(rulebook)
        answer = work_out(cast("Rulebook", reading))
        if self.count >= _KEPT:
            self.count, self._by_question = 0, {}
        self.count += 1
        self._by_question.setdefault(question, []).append((tuple(reading.choices.items()), answer))
        return answer


class _Reading:
    """A rulebook that notes which of its choices are read. Nothing can be kept by it as a whole: it has no hash."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, rulebook: Rulebook) -> None:
        self._rulebook = rulebook
        self.choices: dict[str, object] = {}

    def __getattr__(self, name: str) -> object:
        value = self.choices[name] = getattr(self._rulebook, name)
        return value

    def on(self, game_map: Map) -> _Reading:  # as it is: the map's rules are in it
        return self


class Legality(NamedTuple):
    """What an order comes to where no more stands on the board than the units that it speaks of."""

    legal: Order | None
    """Its legal form."""
    counts_as_move: bool
    """`Entry.counts_as_move`."""
    asked: ConvoyQuestion | None
    """What was asked about convoys."""
    depends_on_more: bool
    """`TrackedPosition.depends_on_more`."""


class _Supposed(TrackedPosition):
    """A position in which questions about convoys have a given answer."""

    supposed: bool = True

    def ask(self, question: ConvoyQuestion) -> bool:
        self.asked, self.answer = question, self.supposed
        return self.supposed


class Asking:
    """Asks the plain path about one map under one rulebook."""

    def __init__(self, game_map: Map, rulebook: Rulebook, answers: SharedAnswers | None = None) -> None:
        if answers is not None and answers.map is not game_map:
            raise ValueError(f"answers about the map {answers.map.name} are none about {game_map.name}")
        self.map, self.rulebook, self.answers = game_map, rulebook, answers

    def _find(self, question: Hashable, work_out: Callable[[Rulebook], T]) -> T:
        return self.answers.find(question, self.rulebook, work_out) if self.answers else work_out(self.rulebook)

    def legality(self, units: tuple[Unit, ...], order: Order, *, supposed: bool) -> Legality:
        """Whether an order of ours to the first unit is legal, if what it asks about convoys has this answer."""

        def work_out(rulebook: Rulebook) -> Legality:
            position = _Supposed(Board(units, map=self.map), rulebook, supposed=supposed)
            found = judged(position, OURS, order)
            return Legality(found.legal, found.counts_as_move, position.asked, position.depends_on_more)

        return self._find(("legality", units, order, supposed), work_out)

    def decision(self, unit: Unit, order: MovementOrder) -> Decision:
        """The decision about an order in full to this unit, where nobody else is."""
        return self._find(("decision", unit, order), lambda rulebook: self._decisions([(unit, order)], rulebook)[0])

    def _decisions(self, candidates: Sequence[tuple[Unit, MovementOrder]], rulebook: Rulebook) -> list[Decision]:
        board = Board(tuple(unit for unit, _ in candidates), map=self.map)
        return situate_candidates(board, candidates, rulebook).decisions

    def link(self, helping: tuple[Unit, MovementOrder], move: tuple[Unit, MovementOrder]) -> tuple[bool, bool]:
        """Whether a support or convoy matches a move, and whether that might then go by convoy."""

        def work_out(rulebook: Rulebook) -> tuple[bool, bool]:
            helper, moving = self._decisions((helping, move), rulebook)
            assert isinstance(helper, SupportDecision | ConvoyDecision)
            assert isinstance(moving, MoveDecision)
            return moving in helper.matches, moving.might_be_convoyed

        return self._find(("link", helping, move), work_out)

    def routes(self, candidates: tuple[tuple[Unit, MovementOrder], ...]) -> tuple[tuple[ProvinceCode, ...], ...]:
        """The routes that fleets make which are ordered to convoy, for the move that comes before them."""

        def work_out(rulebook: Rulebook) -> tuple[tuple[ProvinceCode, ...], ...]:
            move = self._decisions(candidates, rulebook)[0]
            assert isinstance(move, MoveDecision)
            return tuple(tuple(convoy.place.province for convoy in route) for route in move.routes)

        return self._find(("routes", candidates), work_out)
