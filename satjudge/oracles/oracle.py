"""Defines oracles and their answers, and checks answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from satjudge.base.errors import OracleError
from satjudge.base.words import escape_controls, number_of
from satjudge.world.board import Board, Unit, by_power
from satjudge.world.geography import Location, Power

SHAPE = "wrong shape"
"""The kind of an `OracleError` for an answer of the wrong form."""
NOT_ACCEPTED = "not accepted"
"""The verdict on an order that an oracle dropped, which agrees with satjudge's verdict `illegal`."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An oracle's outcome of a phase.

    Fields that an oracle does not provide are empty (`comparison.Depth`).
    """

    verdicts: dict[Power, list[str]]
    """The verdicts on each power's orders, in the same sequence as the orders."""
    dislodged: dict[Power, dict[str, list[Location]]]
    """Each power's dislodged units after a movement phase, with their sorted retreats; a unit without any is destroyed."""
    units: dict[Power, list[str]]
    """Each power's units afterwards, sorted, without dislodged units."""

    @classmethod
    def from_verdicts(
        cls, verdicts: dict[Power, list[str]], retreats: Mapping[Unit, Sequence[Location]], units: Iterable[Unit]
    ) -> Answer:
        """Make an answer from each power's verdicts, the retreats of dislodged units, and the units that are not dislodged."""
        dislodged: dict[Power, dict[str, list[Location]]] = {}
        for unit, locations in retreats.items():
            dislodged.setdefault(unit.power, {})[str(unit)] = list(locations)
        return cls(verdicts, dislodged, {power: sorted(units) for power, units in by_power(units).items()})


def format_verdict(word: str, retreats: Sequence[Location] | None) -> str:
    """Return an order's verdict: its result, with its unit's fate if that is dislodged (`retreats` is not None)."""
    if retreats is None:
        return word
    fate = "dislodged" if retreats else "destroyed"
    return fate if word == "stands" else f"{word}, {fate}"


class Oracle(Protocol):
    """A function that judges the phase of a board."""

    def __call__(self, board: Board, orders: Mapping[Power, Sequence[Any]], /) -> Answer:
        """Judge orders, which are values of `satjudge.world.orders`, by power. Errors of any kind may be raised."""
        ...


def check_answer(answer: object, orders: Mapping[Power, Sequence[object]]) -> Answer:
    """Check that an answer fits the orders, and return it with control characters in its texts escaped.

    Raises `OracleError` if the answer does not fit these orders.
    """
    if not isinstance(answer, Answer):
        raise OracleError(SHAPE, f"it returned {answer!r:.80} instead of an `Answer`")
    try:
        verdicts = {
            escape_controls(power): [escape_controls(word) for word in words] for power, words in answer.verdicts.items()
        }
        dislodged = {
            escape_controls(power): {
                escape_controls(unit): [escape_controls(place) for place in places] for unit, places in units.items()
            }
            for power, units in answer.dislodged.items()
        }
        units = {
            escape_controls(power): [escape_controls(unit) for unit in standing] for power, standing in answer.units.items()
        }
    except (AttributeError, TypeError) as error:
        raise OracleError(SHAPE, f"an `Answer` must contain texts by power: {error}") from None
    for power, given in orders.items() if verdicts else ():
        if len(verdicts.get(power, ())) != len(given):
            counted = number_of(len(verdicts.get(power, ())), "verdict")
            raise OracleError(SHAPE, f"it has {counted} for the {number_of(len(given), 'order')} of {power}")
    return Answer(verdicts, dislodged, units)
