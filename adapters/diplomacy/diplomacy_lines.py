"""The `diplomacy` package, asked by batch lines in all phases.

The oracle of that name, which comes with satjudge, judges movement only. Its words are those of the dialect `diplomacy`.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Any, TypeAlias

sys.path.append(str(Path(__file__).resolve().parents[1] / "shared"))

from batch_lines import Answer, Request, Skip, serve

Theirs: TypeAlias = Any
"""A value of the package, which has no types."""
RULES = ["SOLITAIRE", "NO_PRESS", "NO_DEADLINE", "IGNORE_ERRORS"]
PHASES = {"movement": "S1901M", "retreat": "S1901R", "adjustment": "W1901A"}
WAIVE = "WAIVE"
NOT_ACCEPTED = "not accepted"
"""The verdict on an order that the package drops silently."""


class Engine:
    """A game of the package, which is set to each position in turn."""

    def __init__(self) -> None:
        self.game = self._new()

    def _new(self) -> Theirs:
        from diplomacy import Game

        return Game(rules=RULES)

    def judge(self, request: Request) -> Answer:
        """What the package makes of a phase. After it has raised something it is not trusted with another position."""
        try:
            return self._judged(request)
        except Exception:
            self.game = self._new()
            raise

    def _judged(self, request: Request) -> Answer:
        phase = request.get("phase", "movement")
        self._place(request, PHASES[phase])
        accepted = {power: [self._accept(power, text) for text in texts] for power, texts in request["orders"].items()}
        results = {unit: [str(word) for word in words] for unit, words in self.game.process().results.items()}
        told: Answer = {
            "results": {power: [_told(unit, results) for unit in units] for power, units in accepted.items()},
            "units": {name: power.units for name, power in self.game.powers.items() if power.units},
        }
        if phase == "movement":
            told["dislodged"] = self._dislodged(request, results)
        return told

    def _place(self, request: Request, phase: str) -> None:
        """Put the game into a position. Raises `Skip` for a power that it does not have."""
        units, lost = request["units"], request.get("dislodged", {})
        powers = self.game.powers
        if unknown := sorted({*units, *lost, *request["orders"], *request.get("centers", ())} - powers.keys()):
            raise Skip(f"there is no power {unknown[0]}")
        self.game.set_state(
            {
                "name": phase,
                "units": {power: [*units.get(power, ()), *(f"*{unit}" for unit in lost.get(power, ()))] for power in powers},
                "retreats": lost,
                "centers": {power: request.get("centers", {}).get(power, []) for power in powers},
                "influence": {power: [] for power in powers},
            }
        )
        for power, texts in units.items():
            if sorted(powers[power].units) != sorted(texts):
                raise ValueError(f"of {', '.join(texts)} of {power} only {', '.join(powers[power].units)} could be placed")

    def _accept(self, power: str, text: str) -> str | None:
        """Give an order: the unit that it is for, or None if it is dropped. Of two for one unit the first counts.

        The package adds and removes waived builds as it likes: nothing is said of them.
        """
        given = self.game.powers[power]
        before = self._taken(given)
        self.game.set_orders(power, [text], replace=False)
        new = [order for order in Counter(self._taken(given)) - Counter(before) if order != WAIVE]
        if text == WAIVE:
            return WAIVE
        return " ".join(new[0].removeprefix("VOID ").split()[:2]) if new else None

    def _taken(self, power: Theirs) -> list[str]:
        """The orders that the package has of a power."""
        return [f"{unit} {order}" for unit, order in power.orders.items()] if power.orders else list(power.adjust)

    def _dislodged(self, request: Request, results: dict[str, list[str]]) -> dict[str, dict[str, list[str]]]:
        """The dislodged units of each power, with where they may retreat."""
        found = {}
        for power, texts in request["units"].items():
            retreats = self.game.powers[power].retreats
            lost = {unit: sorted(retreats.get(unit, ())) for unit in texts if "dislodged" in results.get(unit, ())}
            if lost:
                found[power] = lost
        return found


def _told(unit: str | None, results: dict[str, list[str]]) -> str:
    """Return the verdict on a unit's order; `disband` after a bounce is its consequence."""
    if unit is None:
        return NOT_ACCEPTED
    words = results.get(unit, [])
    return ", ".join(word for word in words if word != "disband") or ", ".join(words)


if __name__ == "__main__":
    answers, sys.stdout = sys.stdout, sys.stderr  # what the package prints is no answer
    engine = Engine()
    serve(dict.fromkeys(PHASES, engine.judge), out=answers)
