"""Defines the package's `Power`: units, centres, homes, retreats and orders, in lists that programs may change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from satjudge.compat.refusals import StrictAttributes

if TYPE_CHECKING:
    from satjudge.compat.diplomacy.engine.game import Game


class Power(StrictAttributes):
    """A power in a game.

    Its lists hold the position, so changing them changes the game.
    """

    def __init__(self, game: Game | None = None, name: str = "", **_others: object) -> None:
        self.game = game
        self.name = name
        self.abbrev = name[:1]
        self.units: list[str] = []
        """The units that are not dislodged: `["A PAR"]`."""
        self.retreats: dict[str, list[str]] = {}
        """The dislodged units, each with the places to which it may retreat."""
        self.centers: list[str] = []
        self.homes: list[str] = []
        self.influence: list[str] = []
        """The provinces that a unit of this power was the last to enter."""
        self.orders: dict[str, str] = {}
        """The orders of a movement phase by unit: `{"A PAR": "- BUR"}`."""
        self.adjust: list[str] = []
        """The orders of a retreat or adjustment phase; illegal orders begin with `VOID`."""
        self.civil_disorder = 0
        self.order_is_set = 0
        self.wait = True
        self.vote = "neutral"
        self.role = "server_type"

    def __repr__(self) -> str:
        return f"<Power {self.name}: {', '.join([*self.units, *(f'*{unit}' for unit in self.retreats)])}>"

    def __str__(self) -> str:
        lines = [f"{self.name} ({self.role})", f"INHABITS {' '.join(self.homes)}", f"OWNS {' '.join(self.centers)}"]
        return "\n".join([*lines, *self.units, *(f"{unit} -> {', '.join(ways)}" for unit, ways in self.retreats.items())])

    @property
    def goner(self) -> bool:
        """True if the power has no supply centre left."""
        return not self.centers

    def is_eliminated(self) -> bool:
        """Return whether the power has no unit and no supply centre left."""
        return not (self.units or self.centers or self.retreats)

    def clear_units(self) -> None:
        """Remove all units of the power from the board, also dislodged ones, and its influence."""
        self.units, self.retreats, self.influence = [], {}, []

    def clear_centers(self) -> None:
        """Remove all supply centres from the power."""
        self.centers = []

    def clear_orders(self) -> None:
        """Withdraw all orders of the power."""
        self.orders, self.adjust, self.order_is_set = {}, [], 0

    def is_dummy(self) -> bool:
        """Return whether nobody controls the power: always True, as there is no server."""
        return True

    def is_controlled(self) -> bool:
        """Return whether somebody controls the power: always False, as there is no server."""
        return False

    def moves_submitted(self) -> bool:
        """Return whether the power has given orders for a movement phase, or needs to give none."""
        return self.game is None or self.game.phase_type != "M" or bool(self.orders) or not self.units
