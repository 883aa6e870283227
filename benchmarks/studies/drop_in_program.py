"""Plays random games with the package `diplomacy`, or with what stands in for it, and writes each phase: one line of JSON.

    python benchmarks/studies/drop_in_program.py 0 10 5
    python -m satjudge.as_diplomacy benchmarks/studies/drop_in_program.py 0 10 5

The numbers are the first game, the one after the last, and the years that each is played. Orders are drawn from the lists of
possible orders; some powers stay silent. The last line of a game has the processor time of each call.
"""

import hashlib
import json
import random
import sys
import time
from typing import Any, TypeAlias

from diplomacy import Game

Document: TypeAlias = dict[str, Any]
SILENT = 0.2
"""How often a power gives no orders."""
LISTS = ("units", "centers", "influence")


def main(first: int, last: int, years: int) -> None:
    """Play these games, and write their phases."""
    out, sys.stdout = sys.stdout, sys.stderr
    for seed in range(first, last):
        spent = {"possible": 0.0, "set_orders": 0.0, "process": 0.0, "longest": 0.0}
        drawn, game = random.Random(seed), Game()
        while not game.is_game_done and int(game.get_current_phase()[1:5]) < 1901 + years:
            out.write(json.dumps({"seed": seed, **phase_of(game, drawn, spent)}) + "\n")
        out.write(json.dumps({"seed": seed, "spent": spent}) + "\n")
        out.flush()


def phase_of(game: Game, drawn: random.Random, spent: dict[str, float]) -> Document:
    """Play a phase, and tell all of it."""
    name, begun = game.get_current_phase(), time.process_time()
    possible, places = game.get_all_possible_orders(), game.get_orderable_locations()
    listed = time.process_time()
    orders = {
        power: [drawn.choice(sorted(possible[place])) for place in places[power] if possible[place]]
        for power in game.powers
        if drawn.random() >= SILENT
    }
    chosen = time.process_time()
    for power, given in orders.items():
        game.set_orders(power, given)
    ordered = time.process_time()
    accepted = game.get_orders()
    asked = time.process_time()
    before = game.process()
    done = time.process_time()
    parts = {"possible": listed - begun, "set_orders": ordered - chosen, "process": done - asked}
    for part, seconds in parts.items():
        spent[part] += seconds
    spent["longest"] = max(spent["longest"], sum(parts.values()))
    return {
        "phase": name,
        "possible": digest({place: sorted(of) for place, of in sorted(possible.items()) if of}),
        "places": places,
        "orders": orders,
        "accepted": accepted,
        "results": {unit: [str(word) for word in words] for unit, words in before.results.items()},
        "after": state_of(game),
    }


def state_of(game: Game) -> Document:
    """Tell where the game has come to, without what hangs on the clock or the order of lists."""
    state = game.get_state()
    told: Document = {key: {power: sorted(of) for power, of in state[key].items()} for key in LISTS}
    retreats = {power: {unit: sorted(ways) for unit, ways in of.items()} for power, of in state["retreats"].items()}
    ended = [game.is_game_done, game.note, game.outcome]
    return told | {"retreats": retreats, "builds": state["builds"], "phase": game.phase, "ended": ended}


def digest(value: object) -> str:
    return hashlib.blake2b(json.dumps(value).encode(), digest_size=8).hexdigest()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:4]))
