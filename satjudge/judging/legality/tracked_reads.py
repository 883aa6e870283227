"""Records what legality reads of a board and a rulebook: where the same is read, the judgement of an order is the same."""

from __future__ import annotations

from msgspec import Struct

from satjudge.judging.legality.routes import Route, convoy_routes, is_connected, is_on_route
from satjudge.world.board import Board
from satjudge.world.geography import Map, ProvinceCode
from satjudge.world.rules import Rulebook
from satjudge.world.rules.rulebook import SuperfluousConvoy


class ConvoyQuestion(Struct, frozen=True, gc=False):
    """A question about a board as a whole: could fleets carry an army, `without` one of them, or `through` it."""

    origin: ProvinceCode
    destination: ProvinceCode
    without: ProvinceCode | None = None
    through: ProvinceCode | None = None

    def answer(self, board: Board, rules: Rulebook) -> bool:
        """Answer the question on this board."""
        there = board.open_map
        fleets = board.convoyers
        if self.through is None:
            return is_connected(there, self.origin, self.destination, fleets, self.without)
        roundabout = rules.superfluous_convoy is SuperfluousConvoy.LEGAL
        return is_on_route(there, self.origin, self.destination, fleets, self.through, roundabout=roundabout)

    def ways(self, game_map: Map) -> tuple[Route, ...]:
        """List the proper routes of which any makes the answer yes if fleets stand in all of it, on whatever board."""
        routes = convoy_routes(game_map, self.origin, self.destination, game_map.convoying)
        return tuple(route for route in routes if self.without not in route and self.through in (None, *route))


class TrackedPosition(Struct):
    """A board and a rulebook, with a record of what has been asked of them about the order at hand."""

    board: Board
    rules: Rulebook
    asked: ConvoyQuestion | None = None
    answer: bool = False
    depends_on_more: bool = False
    """True if anything else had a say but the power, its unit, and the kind and place of the unit that is to be helped."""

    @property
    def map(self) -> Map:
        """The map of the board in its season."""
        return self.board.open_map

    def clear(self) -> None:
        """Forget what was recorded, to begin with another order."""
        self.asked, self.depends_on_more = None, False

    def ask(self, question: ConvoyQuestion) -> bool:
        """Answer a question about the board as a whole, and record it."""
        self.asked, self.answer = question, question.answer(self.board, self.rules)
        return self.answer
