"""Plays random games with the package `diplomacy`, or with what stands in for it, and writes each phase: one line of JSON.

    python benchmarks/studies/drop_in_program.py 0 10 5 1
    python -m satjudge.as_diplomacy benchmarks/studies/drop_in_program.py 0 10 5 1

The numbers are the first game, the one after the last, and the years that each is played. Orders are drawn from the lists of
possible orders; some powers stay silent. With a 1 behind, half of the orders are written untidily (`untidy.py`), and what is
taken of each is written, too. The last line of a game has the processor time of each call.
"""

import hashlib
import json
import random
import sys
import time
from collections.abc import Iterator
from typing import Any, TypeAlias

from diplomacy import Game
from untidy import SLIPS

Document: TypeAlias = dict[str, Any]
SILENT = 0.2
"""How often a power gives no orders."""
LISTS = ("units", "centers", "influence")


def main(first: int, last: int, years: int, untidy: int = 0) -> None:
    """Play these games, and write their phases."""
    out, sys.stdout = sys.stdout, sys.stderr
    names = sorted({word for name in Game().map.aliases for word in name.split()}) if untidy else []
    for seed in range(first, last):
        spent = {"possible": 0.0, "set_orders": 0.0, "process": 0.0, "longest": 0.0}
        drawn, game = random.Random(seed), Game()
        while not game.is_game_done and int(game.get_current_phase()[1:5]) < 1901 + years:
            out.write(json.dumps({"seed": seed, **phase_of(game, drawn, spent, untidy)}) + "\n")
        out.write(json.dumps({"seed": seed, "spent": spent, "names": names}) + "\n")
        out.flush()


def phase_of(game: Game, drawn: random.Random, spent: dict[str, float], untidy: int) -> Document:
    """Play a phase, and return everything about it."""
    name, begun = game.get_current_phase(), time.process_time()
    possible, places = game.get_all_possible_orders(), game.get_orderable_locations()
    listed = time.process_time()
    orders = {
        power: [drawn.choice(sorted(possible[place])) for place in places[power] if possible[place]]
        for power in game.powers
        if drawn.random() >= SILENT
    }
    texts = list(written_untidily(game, orders, drawn)) if untidy else []
    chosen = time.process_time()
    for power, given in orders.items():
        for one in [[text] for text in given] if untidy else [given]:
            taken(game, power, one)
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
        "texts": texts,
        "accepted": accepted,
        "results": {unit: [str(word) for word in words] for unit, words in before.results.items()},
        "after": state_of(game),
    }


def written_untidily(game: Game, orders: dict[str, list[str]], drawn: random.Random) -> Iterator[Document]:
    """Write half of the orders with a slip each, and return which are accepted, one by one."""
    for power, given in orders.items():
        for at, order in enumerate(given):
            if drawn.random() < 0.5:
                slip = drawn.choice(list(SLIPS))
                given[at] = SLIPS[slip](order, drawn)
                game.clear_orders()
                yield {
                    "power": power,
                    "slip": slip,
                    "order": order,
                    "text": given[at],
                    "taken": taken(game, power, [given[at]]),
                }
    game.clear_orders()


def taken(game: Game, power: str, given: list[str]) -> list[str]:
    """List the orders of a power as they are taken; the package raises at some."""
    try:
        game.set_orders(power, given)
    except (IndexError, ValueError):
        return ["raises"]
    orders: list[str] = game.get_orders(power)
    return orders


def state_of(game: Game) -> Document:
    """Return the state of the game, without anything that depends on the clock or the order of lists."""
    state = game.get_state()
    told: Document = {key: {power: sorted(of) for power, of in state[key].items()} for key in LISTS}
    retreats = {power: {unit: sorted(ways) for unit, ways in of.items()} for power, of in state["retreats"].items()}
    ended = [game.is_game_done, game.note, game.outcome]
    return told | {"retreats": retreats, "builds": state["builds"], "phase": game.phase, "ended": ended}


def digest(value: object) -> str:
    return hashlib.blake2b(json.dumps(value).encode(), digest_size=8).hexdigest()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:5]))
