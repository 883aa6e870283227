"""Defines oracles, their answers, and how an answer is checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from satjudge.base.errors import OracleError
from satjudge.base.words import escape_controls, number_of
from satjudge.world.board import Board, Unit, by_power
from satjudge.world.geography import Location, Power

SHAPE = "wrong shape"
"""The kind of an `OracleError` about an answer of the wrong form."""
NOT_ACCEPTED = "not accepted"
"""The verdict on an order that an oracle dropped; it agrees with satjudge's verdict of an illegal order."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The outcome of a phase by an oracle.

    Fields that an oracle does not provide are empty (`comparison.Depth`).
    """

    verdicts: dict[Power, list[str]]
    """The verdicts on all orders, in the order in which each power gave them."""
    dislodged: dict[Power, dict[str, list[Location]]]
    """The dislodged units after moves, each with its retreats, sorted; a unit without retreats is destroyed."""
    units: dict[Power, list[str]]
    """The positions of the units afterwards, sorted, without the dislodged ones."""

    @classmethod
    def from_verdicts(
        cls, verdicts: dict[Power, list[str]], retreats: Mapping[Unit, Sequence[Location]], standing: Iterable[Unit]
    ) -> Answer:
        """Return the answer with each power's verdicts, the retreats of dislodged units, and the units that stand."""
        dislodged: dict[Power, dict[str, list[Location]]] = {}
        for unit, locations in retreats.items():
            dislodged.setdefault(unit.power, {})[str(unit)] = list(locations)
        return cls(verdicts, dislodged, {power: sorted(units) for power, units in by_power(standing).items()})


def format_verdict(word: str, retreats: Sequence[Location] | None) -> str:
    """Return a verdict from an order's result and its unit's retreats, which are None unless it is dislodged (4.E.2)."""
    if retreats is None:
        return word
    fate = "dislodged" if retreats else "destroyed"
    return fate if word == "stands" else f"{word}, {fate}"


class Oracle(Protocol):
    """Judges the phase that a board is in."""

    def __call__(self, board: Board, orders: Mapping[Power, Sequence[Any]], /) -> Answer:
        """Judge orders, which are values of `satjudge.world.orders`. Any internal error is raised."""
        ...


def check_answer(answer: object, orders: Mapping[Power, Sequence[object]]) -> Answer:
    """Check that an answer fits the orders, and return it with texts that can be shown and stored.

    Raises `OracleError` unless it answers these orders.
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
            told = number_of(len(verdicts.get(power, ())), "verdict")
            raise OracleError(SHAPE, f"it has {told} for the {number_of(len(given), 'order')} of {power}")
    return Answer(verdicts, dislodged, units)
