"""Positions out of published games, or where there are none, out of games that a seeded player plays by satjudge itself.

The published games are other people's data and no part of the project. They are read in `../shared/games` beside the checkout,
or where SATJUDGE_GAMES says.
"""

from __future__ import annotations

import gzip
import itertools
import os
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from random import Random

import msgspec
from phases import GAME_SIZE, Case

from satjudge.judging.judge import judge_phase
from satjudge.judging.legal_orders import legal_orders
from satjudge.notation.parse import parse_unit
from satjudge.world.board import Board, Phase, starting_board
from satjudge.world.geography import Power, load_map, province_of
from satjudge.world.orders import Build, Convoy, Move, Named, Order, Retreat, SupportHold, SupportMove

FOLDER = Path(os.environ.get("SATJUDGE_GAMES") or Path(__file__).parents[2] / "shared" / "games")
FILES = ("cicero_webdip", "backstabbr", "dipcc_misc")
PUBLISHED, PLAYED = "published games, 22–34 units", "games of a seeded player, 22–34 units"
YEARS = 12
"""How long the seeded player plays a game."""


class Row(msgspec.Struct):
    """A phase of a published game; its name ends in M, R or A, by its kind."""

    game: str
    phase: str
    units: dict[Power, list[str]]
    orders: dict[Power, list[str]]
    centers: dict[Power, list[str]] = {}

    @property
    def case(self) -> Case:
        """Its units and orders."""
        return Case(f"{self.game} {self.phase}", _board(self.units), self.orders)


def real_cases(seed: int, count: int) -> tuple[str, list[Case]]:
    """Return this number of movement phases of real games, with their names."""
    if published := published_cases():
        return PUBLISHED, Random(f"{seed}:real").sample(published, min(count, len(published)))
    return PLAYED, played_cases(seed, count)


def published_cases() -> list[Case]:
    """All movement phases of published games with 22 units and more; none where there are no games."""
    return [
        row.case
        for row in published_phases()
        if row.phase.endswith("M") and GAME_SIZE[0] <= sum(map(len, row.units.values())) <= GAME_SIZE[1]
    ]


def published_phases() -> list[Row]:
    """All phases of published games; none where there are no games."""
    decode = msgspec.json.Decoder(Row).decode
    return [decode(line) for path in _files() for line in gzip.decompress(path.read_bytes()).splitlines()]


def _files() -> list[Path]:
    return [path for name in FILES if (path := FOLDER / f"{name}.jsonl.gz").is_file()]


def _board(units: Mapping[Power, Sequence[str]]) -> Board:
    standard = load_map()
    return Board(tuple(parse_unit(text, power, standard) for power, texts in units.items() for text in texts))


def played_cases(seed: int, count: int) -> list[Case]:
    """Return this number of movement phases from games played from the beginning."""
    phases = (case for game in itertools.count() for case in _game(Random(f"{seed}:game {game}"), game))
    return list(islice(phases, count))


def _game(random: Random, game: int) -> Iterator[Case]:
    """The movement phases of a game with 22 units and more."""
    board = starting_board()
    assert board.turn is not None
    last = board.turn.year + YEARS
    while board.turn is not None and board.turn.year < last:
        orders = {power: list(map(str, given)) for power, given in _ordered(random, board).items()}
        if board.phase is Phase.MOVEMENT and len(board.units) >= GAME_SIZE[0]:
            yield Case(f"game {game} {board.turn}", Board(board.units), orders)
        board = judge_phase(board, orders).next_board


def _ordered(random: Random, board: Board) -> dict[Power, list[Order]]:
    """What the player orders for each power: moves towards centres of others, supports and convoys of what moves."""
    found: dict[Power, list[Order]] = {}
    for power, options in legal_orders(board).items():
        given = found[power] = []
        for what in random.sample(sorted(options), len(options)):
            given.append(max(options[what], key=lambda order: _liking(board, power, order, given) + random.random()))
    return found


def _liking(board: Board, power: Power, order: Order, given: Sequence[Order]) -> float:
    """How much the player would like to give an order, with what else the power is to do."""
    match order:
        case Move(destination=there, via_convoy=via):
            taken = any(isinstance(other, Move) and province_of(other.destination) == province_of(there) for other in given)
            wanted = province_of(there) in board.map.centers and board.centers.get(province_of(there)) != power
            return 0.6 + 0.5 * wanted - 0.8 * taken - 0.3 * via
        case SupportMove(supported=unit, destination=there) | Convoy(convoyed=unit, destination=there):
            return 0.7 if _is_ordered(unit, there, given) else -0.7
        case SupportHold():
            return -0.1
        case Build() | Retreat():
            return 1.0
    return 0.0


def _is_ordered(unit: Named, there: str, given: Sequence[Order]) -> bool:
    return any(
        isinstance(other, Move)
        and other.unit.province == unit.province
        and province_of(other.destination) == province_of(there)
        for other in given
    )
