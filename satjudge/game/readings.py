"""Holds the results of reading orders from a game master's sheet or a player's message."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any, Literal, ParamSpec, Self
from warnings import warn

from satjudge.base.errors import RefusedOrderError, join_errors
from satjudge.world.geography import Power

P = ParamSpec("P")
Unreadable = Literal["raise", "refuse", "keep"]
"""The treatment of unreadable orders: refuse the whole text, refuse only these, or keep each as an illegal order."""


@dataclass(frozen=True, eq=False)
class Reading:
    """The orders read from a text, with remarks, which `print` shows."""

    refused: list[RefusedOrderError]
    """The refused orders, as errors: each with its place, the reason, often a suggestion, and the unit and order if known."""
    ignored: list[str]
    """The lines, or parts of lines, that are not orders."""
    remarks: list[str]
    """A sentence about each text that was ignored, refused, kept for later, replaced, or corrected."""
    is_read: bool
    """False if nothing in the text could be accepted; then the game is unchanged."""

    def ensure_read(self) -> Self:
        """Return this reading, or raise the errors in `refused` as a single one if nothing in the text could be accepted."""
        if not self.is_read:
            raise join_errors(self.refused)
        return self

    def __str__(self) -> str:
        return "\n".join(self.remarks)


@dataclass(frozen=True, eq=False)
class SheetReading(Reading, Mapping[Power, list[str]]):
    """The orders read from a game master's sheet; it can be used as the mapping `orders`, which version 1.0 returned."""

    orders: dict[Power, list[str]]
    """All orders that the powers in the sheet have now."""
    kept_for_later: dict[str, dict[Power, list[str]]]
    """The orders of these powers that are kept for later phases, by phase name and power."""

    def __getitem__(self, power: Power) -> list[str]:
        return self.orders[power]

    def __iter__(self) -> Iterator[Power]:
        return iter(self.orders)

    def __len__(self) -> int:
        return len(self.orders)


@dataclass(frozen=True, eq=False)
class MessageReading(Reading):
    """The orders read from a player's message."""

    orders: list[str]
    """All orders that the power has now."""
    kept_for_later: dict[str, list[str]]
    """The orders of the power that are kept for later phases, by phase name."""


def accept_old_options(read_sheet: Callable[P, SheetReading]) -> Callable[P, SheetReading]:
    """Return a `read_sheet` that also accepts the options of version 1.0, which work as in that version, with a warning."""

    @wraps(read_sheet)
    def reading(*args: P.args, **options: P.kwargs) -> Any:  # noqa: ANN401  # a reading, or orders by power
        if not options.keys() & {"power", "letter", "lenient", "told"}:
            return read_sheet(*args, **options)
        hint = "read_message(power, text) reads a player's message, and both return what they refuse and ignore"
        warn(f"read_sheet will lose power, letter, lenient and told in version 1.2: {hint}", DeprecationWarning, stacklevel=2)
        game: Any = args[0]
        text, as_now = args[1], {"source": "sheet", **options}
        power, letter, lenient, told = (as_now.pop(name, None) for name in ("power", "letter", "lenient", "told"))
        as_now |= {
            "unreadable": "keep" if lenient else "refuse" if letter else "raise",
            "add": bool(power if as_now.get("add") is None else as_now["add"]),
        }
        for one in (game.fork(), game):
            read = one.read_message(power, text, **as_now) if power else one.read_sheet(text, **as_now)
            if read.ensure_read().refused and told is None:
                raise join_errors(read.refused)
        if told is not None:
            told += read.remarks
        return {game._find_power(power): read.orders} if power else read.orders

    return reading
