"""The `diplomacy` package as the benchmark wants it: a game set up to process one movement phase.

The package is under the AGPL. Nothing but the benchmark imports it, and satjudge does not depend on it.
"""

from __future__ import annotations

from collections.abc import Callable

from measuring import version_of
from phases import Case


def installed() -> str | None:
    """Its version, None where it is not installed."""
    return version_of("diplomacy")


def process(case: Case) -> Callable[[], object]:
    """What it does with a phase from order strings on; the game is set up now."""
    from diplomacy import Game

    game = Game()
    game.clear_units()
    for power, units in case.units.items():
        game.set_units(power, units)

    def timed() -> object:
        for power, orders in case.orders.items():
            game.set_orders(power, list(orders))
        return game.process()

    return timed


def can_take(case: Case) -> bool:
    """Whether it accepts the position and gets through the phase; without it nothing is to be accepted."""
    if installed() is None:
        return True
    from diplomacy import Game

    try:
        process(case)()
    except Exception:
        return False
    game = Game()
    game.clear_units()
    for power, units in case.units.items():
        game.set_units(power, units)
    standing = sorted(unit for units in game.get_units().values() for unit in units)
    return standing == sorted(unit for units in case.units.values() for unit in units)
