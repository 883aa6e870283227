"""Plays games in arrays beside the games that the plain path plays, and compares where they come to."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy

from satjudge.base.errors import UnresolvedError
from satjudge.bulk.games import Games
from satjudge.bulk.kernel.memory import NONE
from satjudge.game.game import Game
from satjudge.world.board import Phase
from satjudge.world.orders import Decline, Move, Order, SupportMove


class Beside:
    """Games in arrays, and beside each the game that the plain path plays."""

    def __init__(self, games: Games) -> None:
        self.games = games
        self.plain = [Game.new(games.vocabulary.map, games.rulebook) for _ in range(len(games))]

    def step(self, orders: numpy.ndarray) -> None:
        """Give the same orders to both, and compare where they come to."""
        stuck = self.games.step(orders)
        for number, game in enumerate(self.plain):
            if game.is_over or (self.games.last_year and game.board.turn and game.board.turn.year > self.games.last_year):
                continue
            for power, given in self.given(game, orders[number]).items():
                game.set_orders(power, given)
            try:
                game.next()
            except UnresolvedError:
                assert stuck[number]
                game.clear_orders()
            else:
                assert not stuck[number]
            self.compare(number, game)

    def given(self, game: Game, orders: numpy.ndarray) -> dict[str, list[Order]]:
        """The orders of a row by the powers that give them."""
        board, found = game.board, dict[str, list[Order]]()
        whose = {unit.province: unit.power for unit in board.units} if board.phase is not Phase.RETREAT else {}
        whose |= {lost.unit.province: lost.unit.power for lost in board.dislodged}
        for order in (self.games.vocabulary.orders[number] for number in orders.tolist() if number != NONE):
            assert not isinstance(order, Decline)
            power = whose.get(order.unit.province) or board.centers[order.unit.province]
            found.setdefault(power, []).append(order)
        return found

    def compare(self, number: int, game: Game) -> None:
        games, board = self.games, self.games.board(number)
        assert games.name_of(number) == game.phase_name if not game.is_over else True
        assert Counter(board.units) == Counter(game.board.units)
        lost, expected = ([(one.unit, one.retreats) for one in of.dislodged] for of in (board, game.board))
        assert Counter(lost) == Counter(expected)
        assert board.centers == game.board.centers
        assert (board.phase, board.turn) == (game.board.phase, game.board.turn)
        won = game.ending is not None
        assert won == (games.winner[number] != NONE)
        if won:
            assert game.ending
            assert game.ending.winners == (games.vocabulary.powers[games.winner[number]],)

    def same_lists(self, number: int) -> None:
        """What is legal is what `Game` lists, but for waiving builds."""
        games, slots, game = self.games, self.games.legal(), self.plain[number]
        found = {}
        for slot in numpy.flatnonzero(slots.game == number).tolist():
            texts = [games.vocabulary.texts[order] for order in slots.orders[slots.first[slot] : slots.first[slot + 1]]]
            found[games.vocabulary.provinces[slots.place[slot]]] = texts
            assert len(set(texts)) == len(texts)
        listed = game.legal_orders()
        expected = {what.split()[-1].partition("/")[0]: set(orders) - {"WAIVE"} for what, orders in listed.items()}
        assert {place: set(texts) for place, texts in found.items()} == expected


def fierce(games: Games, random: Random) -> numpy.ndarray:
    """Legal orders with moves as they are supported, also too many builds and removals, and now and then none."""
    slots, vocabulary = games.legal(), games.vocabulary
    orders = numpy.full((len(games), games.columns), NONE, numpy.int32)
    where = {}
    for slot in range(len(slots.game)):
        listed = slots.orders[slots.first[slot] : slots.first[slot + 1]].tolist()
        where[int(slots.game[slot]), vocabulary.provinces[slots.place[slot]]] = int(slots.column[slot]), listed
        if random.random() < 0.9:
            orders[slots.game[slot], slots.column[slot]] = random.choice(listed)
    for game, row in enumerate(orders.tolist()):
        for order in (vocabulary.orders[number] for number in row if number != NONE):
            if isinstance(order, SupportMove) and (found := where.get((game, order.supported.province))):
                column, listed = found
                orders[game, column] = next(
                    (number for number in listed if (move := vocabulary.orders[number]) == Move(move.unit, order.destination)),
                    orders[game, column],
                )
    return orders


def compared(games: Games, draws: str) -> set[int]:
    """Play games to their end beside the plain path, and return the phases that there were."""
    beside, random, seen = Beside(games), Random(1), set[int]()
    while not games.over.all():
        seen.update(games.phase.tolist())
        number = random.randrange(len(games))
        if not games.over[number]:
            beside.same_lists(number)
        before = games.moments.copy()
        beside.step(games.draw() if draws == "drawn" else fierce(games, random))
        if (before == games.moments).all():  # builds that are owed and not ordered
            games.end(numpy.arange(len(games)))
    return seen
