"""Lets the `diplomacy` package (PyPI, AGPL) adjudicate movement phases: a separate program, run as `python FILE`.

The program and satjudge never import each other. The program reads satjudge's batch format: JSON Lines with `id`, `units` and
`orders`. It answers each line with `id`, `results`, `units` and `dislodged`, or with an `error`.

The result of an order is the package's words for it, joined by commas, or "" if there are none. It is `not accepted` if the
package silently dropped the order, as it does with illegal orders and with further orders to a unit.
"""

from __future__ import annotations

import json
import sys
from typing import Any, TypeAlias

from diplomacy import Game

ByPower: TypeAlias = dict[str, list[str]]
Results: TypeAlias = dict[str, list[str]]
"""The package's result words for every unit."""

RULES = ["SOLITAIRE", "NO_PRESS", "NO_DEADLINE", "IGNORE_ERRORS"]
PHASE = "S1901M"
NOT_ACCEPTED = "not accepted"


def main() -> None:
    """Answer questions from standard input, one on each line, until the input ends."""
    answers, sys.stdout = sys.stdout, sys.stderr  # what the package prints must not be read as an answer
    game = Game(rules=RULES)
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = adjudicate_phase(game, request["units"], request["orders"])
        except Exception as error:  # an error in the package, which may still judge the next position
            answer, game = {"error": f"{type(error).__name__}: {error}"}, Game(rules=RULES)
        answers.write(json.dumps({"id": request["id"], **answer}) + "\n")
        answers.flush()


def adjudicate_phase(game: Game, units: ByPower, orders: ByPower) -> dict[str, Any]:
    """Let the package adjudicate a movement phase, and return `results`, `units` and `dislodged` units by power."""
    place_units(game, units)
    accepted = {power: [accept_order(game, power, text) for text in texts] for power, texts in orders.items()}
    results = {unit: [str(word) for word in words] for unit, words in game.process().results.items()}
    return {
        "results": {power: [format_results(unit, results) for unit in ordered] for power, ordered in accepted.items()},
        "units": {name: power.units for name, power in game.powers.items() if power.units},
        "dislodged": list_dislodged_units(game, units, results),
    }


def place_units(game: Game, units: ByPower) -> None:
    """Set the game to the first movement phase with exactly these units on the board, or raise `ValueError`."""
    if unknown := units.keys() - game.powers:
        raise ValueError(f"there is no power {', '.join(sorted(unknown))}")
    nothing: ByPower = {power: [] for power in game.powers}
    game.set_state({"name": PHASE, "units": {**nothing, **units}, "centers": nothing, "influence": nothing})
    for power, texts in units.items():
        if sorted(game.get_units(power)) != sorted(texts):
            raise ValueError(f"{power}: only {', '.join(game.get_units(power))} of {', '.join(texts)} could be placed")


def accept_order(game: Game, power: str, text: str) -> str | None:
    """Give an order to the package; return the ordered unit (`A PAR`) if it accepts the order, else None."""
    before = game.get_orders(power)
    game.set_orders(power, [text], replace=False)  # the first order to a unit counts
    new = [order for order in game.get_orders(power) if order not in before]
    return " ".join(new[0].split()[:2]) if new else None


def format_results(unit: str | None, results: Results) -> str:
    """Return a unit's result words, joined by commas; `not accepted` if `unit` is None, as for an order that was dropped."""
    return NOT_ACCEPTED if unit is None else ", ".join(results[unit])


def list_dislodged_units(game: Game, units: ByPower, results: Results) -> dict[str, dict[str, list[str]]]:
    """Return each power's dislodged units with the places to which they may retreat, for powers that have any."""
    found = {}
    for power, texts in units.items():
        retreats = game.get_power(power).retreats
        lost = {unit: sorted(retreats.get(unit, ())) for unit in texts if "dislodged" in results[unit]}
        if lost:
            found[power] = lost
    return found


if __name__ == "__main__":
    main()
