"""Where legality is decided, with a record of what was asked there: where the answers are the same, so is what an order is."""

from __future__ import annotations

from dataclasses import dataclass

from satjudge.board import Board
from satjudge.geography import Map, ProvinceCode
from satjudge.legality.routes import convoy_routes, simple_routes
from satjudge.rules import Rulebook, SuperfluousConvoy


@dataclass(frozen=True, slots=True)
class Question:
    """What legality asks of the board at large: could fleets carry an army, `without` one of them, or `through` it?"""

    origin: ProvinceCode
    destination: ProvinceCode
    without: ProvinceCode | None = None
    through: ProvinceCode | None = None

    def answer(self, board: Board, rules: Rulebook) -> bool:
        """Yes or no, on this board."""
        fleets = board.fleets_at_sea
        if self.without in fleets:
            fleets -= {self.without}
        superfluous = self.through and rules.superfluous_convoy is SuperfluousConvoy.LEGAL
        routes = (simple_routes if superfluous else convoy_routes)(board.map, self.origin, self.destination, fleets)
        if self.through is None:
            return bool(routes)
        return any(self.through in route for route in routes)


@dataclass(slots=True)
class Bench:
    """Where legality is decided: the board and the rulebook, and what has been asked of them about the order at hand."""

    board: Board
    rules: Rulebook
    asked: Question | None = None
    answer: bool = False
    looked_around: bool = False
    """Whether anything else had a say but the power, its unit, and the kind and place of the unit that is to be helped."""

    @property
    def map(self) -> Map:
        """The map of the board."""
        return self.board.map

    def clear(self) -> None:
        """Begin with another order, about which nothing has been asked."""
        self.asked, self.looked_around = None, False

    def ask(self, question: Question) -> bool:
        """The answer to a question about the board at large, on record."""
        self.asked, self.answer = question, question.answer(self.board, self.rules)
        return self.answer
