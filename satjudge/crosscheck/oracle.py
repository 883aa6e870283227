"""What an oracle is: anything that judges a movement phase by its own means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from satjudge.board import Board
from satjudge.geography import Location, Power
from satjudge.orders import MovementOrder

NOT_ACCEPTED = "not accepted"
"""What an oracle says of an order that it dropped; where satjudge finds it illegal, the two agree."""


@dataclass(frozen=True, slots=True)
class Answer:
    """How the orders of a movement phase come out. What an oracle does not tell is left empty (`comparison.Depth`)."""

    verdicts: dict[Power, list[str]]
    """A verdict for every order, in the order in which each power gave them."""
    dislodged: dict[Power, dict[str, list[Location]]]
    """The dislodged units, each with the locations it may retreat to, sorted; without any it is destroyed."""
    units: dict[Power, list[str]]
    """Where the units stand after the moves, sorted, without the dislodged ones."""


class Oracle(Protocol):
    """Judges a movement phase."""

    def __call__(self, board: Board, orders: Mapping[Power, Sequence[MovementOrder]], /) -> Answer:
        """How the orders come out. Raises whatever goes wrong inside."""
        ...
