"""Plays games with the `diplomacy` package (AGPL), for the tests that replay them: a program of its own, run as `python FILE`.

It reads one JSON object from standard input and writes one: `{"seeds": [...], "years": N}` gives `games` with random orders,
`{"orders": [...]}` a game with these orders, phase by phase, and `{"load": GAME}` what the package reads from a saved game.
`{"replay": GAME}` gives where the package comes from each phase of a saved game.
"""

import json
import sys
from random import Random
from typing import Any, TypeAlias

from diplomacy import Game
from diplomacy.utils.export import from_saved_game_format, to_saved_game_format
from diplomacy.utils.game_phase_data import GamePhaseData

Document: TypeAlias = dict[str, Any]

SILENT = 0.25
"""How often a power gives no orders: its units hold or disband, builds are waived, removals are automatic."""


def main() -> None:
    answers, sys.stdout = sys.stdout, sys.stderr
    request = json.load(sys.stdin)
    if "load" in request:
        answer: Document = loaded(request["load"])
    elif "replay" in request:
        answer = {"phases": [processed(phase) for phase in request["replay"]["phases"][:-1]]}
    elif "orders" in request:
        answer = scripted(request["orders"])
    else:
        answer = {"games": [random_game(seed, request["years"]) for seed in request["seeds"]]}
    json.dump(answer, answers)


def random_game(seed: int, years: int) -> Document:
    random = Random(seed)
    game = Game(game_id=f"seed {seed}")
    while not game.is_game_done and int(game.get_current_phase()[1:5]) < 1901 + years:
        possible = game.get_all_possible_orders()
        for power, places in game.get_orderable_locations().items():
            if random.random() >= SILENT:
                game.set_orders(power, [random.choice(sorted(possible[place])) for place in places if possible[place]])
        game.process()
    return saved(game)


def scripted(phases: list[dict[str, list[str]]]) -> Document:
    game = Game(game_id="scripted")
    for orders in phases:
        for power, given in orders.items():
            game.set_orders(power, given)
        game.process()
    return saved(game)


def saved(game: Game) -> Document:
    document: Document = to_saved_game_format(game)
    return document


def loaded(document: Document) -> Document:
    game = from_saved_game_format(document)
    powers = {name: {"units": sorted(power.units), "centers": sorted(power.centers)} for name, power in game.powers.items()}
    return {
        "phase": game.get_current_phase(),
        "powers": powers,
        "history": {str(name): orders for name, orders in game.order_history.items()},
    }


def in_phase(phase: Document) -> Game:
    game = Game()
    game.set_phase_data(GamePhaseData.from_dict(phase))
    game.clear_orders()
    return game


def processed(phase: Document) -> Document:
    game = in_phase(phase)
    for power, orders in phase["orders"].items():
        game.set_orders(power, orders)
    game.process()
    units = {name: sorted(unit for unit in power.units if unit[0] != "*") for name, power in game.powers.items()}
    centers = {name: sorted(power.centers) for name, power in game.powers.items()}
    return {"phase": game.get_current_phase(), "units": units, "centers": centers}


if __name__ == "__main__":
    main()
