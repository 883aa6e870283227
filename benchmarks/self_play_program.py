"""Plays games by random legal orders as one contestant: a seed a line in, a line out of what each phase took in seconds.

    echo 1 | python benchmarks/self_play_program.py "Game at once, plain"

The first line out is what the first phase of the process took, the game being there already.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

PHASES = 40
"""The phases of a game that are played, if it does not end before."""


def games_of_ours() -> Any:  # noqa: ANN401
    from satjudge import Game

    return Game.new


def games_of_ours_judged_by_python() -> Any:  # noqa: ANN401
    """`Game` as where wasmtime is missing."""
    from satjudge.bulk.wasm import sandbox

    sandbox.is_installed = lambda: False
    return games_of_ours()


def games_of_the_drop_in() -> Any:  # noqa: ANN401
    from satjudge.compat.diplomacy import Game

    return Game


def games_of_the_package() -> Any:  # noqa: ANN401
    from diplomacy import Game

    return Game


def at_once(game: Any, random: Random) -> None:  # noqa: ANN401
    """Play a phase of `Game`: all legal orders of the board in one call, all orders of a power in another."""
    legal = game.board.legal_orders()
    for power, units in game.orderable.items():
        game.set_orders(power, [random.choice(legal[unit]) for unit in units])
    game.next()


def by_unit(game: Any, random: Random) -> None:  # noqa: ANN401
    """Play a phase of `Game`: a call for the legal orders of each unit, another one for all orders of a power."""
    for power, units in game.orderable.items():
        game.set_orders(power, [random.choice(game.legal_orders(unit)) for unit in units])
    game.next()


def as_the_package(game: Any, random: Random) -> None:  # noqa: ANN401
    """Play a phase by the names of the package."""
    possible = game.get_all_possible_orders()
    for power, places in game.get_orderable_locations().items():
        game.set_orders(power, [random.choice(possible[place]) for place in places if possible[place]])
    game.process()


PLAYERS: Mapping[str, tuple[Callable[[], Any], Callable[[Any, Random], None]]] = {
    "Game at once, kernel": (games_of_ours, at_once),
    "Game unit by unit, kernel": (games_of_ours, by_unit),
    "Game at once, plain": (games_of_ours_judged_by_python, at_once),
    "Game unit by unit, plain": (games_of_ours_judged_by_python, by_unit),
    "drop-in": (games_of_the_drop_in, as_the_package),
    "diplomacy": (games_of_the_package, as_the_package),
}
"""What begins a game, and what plays a phase of it, by contestant."""


def is_going_on(game: Any) -> bool:  # noqa: ANN401
    """Return whether there is a phase to play."""
    return not (game.is_game_done if hasattr(game, "is_game_done") else game.is_over)


def timed(play: Callable[[Any, Random], None], game: Any, random: Random) -> float:  # noqa: ANN401
    """Play a phase, and return the seconds of the processor that it took."""
    began = time.process_time()
    play(game, random)
    return time.process_time() - began


def main(name: str) -> None:
    """Play the requested games."""
    begin, play = PLAYERS[name]
    begin = begin()
    print(json.dumps(timed(play, begin(), Random(0))), flush=True)
    for line in sys.stdin:
        game, random, taken = begin(), Random(int(line)), list[float]()
        while len(taken) < PHASES and is_going_on(game):
            taken.append(timed(play, game, random))
        print(json.dumps(taken), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
