"""Defines verdicts on orders and units as values, in the words of the DATC (DATC 4.E.2).

>>> str(Verdict.from_result(OrderResult.FAILS, Fate.DISLODGED))
'fails, dislodged'
>>> Verdict.read("fails, dislodged").unit
<Fate.DISLODGED: 'dislodged'>
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeAlias

from satjudge.base.imports import cached_property
from satjudge.base.values import Displayable, one_line
from satjudge.world.board import ByPower, Phase

if TYPE_CHECKING:
    from satjudge.world.board import Board, Unit
    from satjudge.world.geography import Power, ProvinceCode
    from satjudge.world.orders import Order


class OrderResult(StrEnum):
    """The result of an order."""

    ILLEGAL = "illegal"
    """The order is impossible on this board and is ignored."""
    INVALID = "invalid"
    """The order is legal, but the order that it must match was not given."""
    STANDS = "stands"
    """The unit holds and is not dislodged."""
    SUCCEEDS = "succeeds"
    STOPS = "stops"
    """A move by railroad ends before its destination (DATC 2.4, 7.B)."""
    FAILS = "fails"
    GIVEN = "given"
    CUT = "cut"
    AVAILABLE = "available"
    DISRUPTED = "disrupted"
    GRANTED = "granted"
    """A permission to pass a canal counts (DATC 2.4, 7.C), whether a fleet uses the canal or not."""


class Fate(StrEnum):
    """The fate of a unit that was dislodged from its province."""

    DISLODGED = "dislodged"
    DESTROYED = "destroyed"
    """The unit has no retreat."""


class Verdict(str):
    """The result of an order, with the fate of its unit if that was dislodged; the text has the words of both.

    `order` is None for a hold whose unit was dislodged: for such an order, the DATC states only the fate of the unit.
    """

    __slots__ = ("order", "unit", "words")
    order: OrderResult | None
    unit: Fate | None
    words: tuple[OrderResult | Fate, ...]
    """The words of the verdict: one, or two if the order has a result and the unit was dislodged."""

    def __new__(cls, order: OrderResult | None, unit: Fate | None = None) -> Verdict:
        """Make the text of a verdict; `Verdict.from_result` returns the same object each time."""
        words = tuple(word for word in (order, unit) if word is not None)
        verdict = super().__new__(cls, ", ".join(words))
        verdict.order, verdict.unit, verdict.words = order, unit, words
        return verdict

    def __reduce__(self) -> tuple[Any, ...]:
        return Verdict.from_result, (self.order, self.unit)

    def __repr__(self) -> str:
        return f"Verdict({self.order!r}, {self.unit!r})"

    @staticmethod
    @cache
    def from_result(order: OrderResult | None, unit: Fate | None = None) -> Verdict:
        """Return the cached verdict for a result and a fate (None if not dislodged); after a hold, only the fate counts."""
        if order is OrderResult.STANDS and unit is not None:
            return Verdict.from_result(None, unit)
        return Verdict(order, unit)

    @staticmethod
    @cache
    def read(text: str) -> Verdict:
        """Return the verdict whose words a text has, such as `fails, dislodged`, or raise `ValueError`."""
        first, *fate = text.split(", ")
        if not fate and first in _FATES:
            return Verdict.from_result(None, Fate(first))
        if len(fate) > 1 or (fate and first == OrderResult.STANDS):
            raise ValueError(text)
        return Verdict.from_result(OrderResult(first), Fate(fate[0]) if fate else None)

    @property
    def text(self) -> str:
        """The verdict as a plain string."""
        return str(self)

    @property
    def word(self) -> OrderResult | Fate:
        """The first word of the verdict: the result of the order, or the fate of a dislodged unit that held."""
        return self.words[0]


class Outline(StrEnum):
    """What other programs' tests expect: only whether an order succeeds."""

    SUCCEEDS = "Succeeds"
    FAILS = "Fails"

    @staticmethod
    def from_verdict(verdict: AnyVerdict) -> Outline:
        """Return `SUCCEEDS` if an order is carried out, a hold stands, support is given, a convoy available; else `FAILS`."""
        return Outline.SUCCEEDS if verdict.order in _CARRIED_OUT else Outline.FAILS


_CARRIED_OUT = frozenset({OrderResult.STANDS, OrderResult.SUCCEEDS, OrderResult.GIVEN, OrderResult.AVAILABLE})


def is_expected(verdict: AnyVerdict, expected: str) -> bool:
    """Return whether `expected` is the verdict in its own words, or its outline (`Succeeds` or `Fails`)."""
    return expected in (str(verdict), Outline.from_verdict(verdict))


class NoVerdict(StrEnum):
    """A placeholder for a missing verdict, with the same attributes as a verdict without result or fate."""

    REMOVED = "removed"
    """Civil disorder removes a unit whose removal nobody ordered (DATC 4.D.8)."""
    UNRESOLVED = "unresolved"
    """The rulebook does not settle the core."""

    @property
    def order(self) -> None:
        """The result of the order: None, since no order was judged."""

    @property
    def unit(self) -> None:
        """The fate of the ordered unit: None, since no unit was dislodged."""

    @property
    def words(self) -> tuple[NoVerdict]:
        """The placeholder itself, as a tuple of one word."""
        return (self,)

    @property
    def word(self) -> NoVerdict:
        """The placeholder itself, as the first word."""
        return self


AnyVerdict: TypeAlias = Verdict | NoVerdict
if TYPE_CHECKING:
    InWords = AnyVerdict
else:
    InWords = str
    """A verdict in a document, written as its words."""

_FATES = frozenset(Fate)


class JudgedOrder(NamedTuple):
    """An order with its verdict.

    `reason` is why the order is illegal; None for a legal order.
    """

    power: Power
    order: Order
    verdict: Verdict
    reason: str | None
    province: ProvinceCode | None
    """The province of the ordered unit; None if the power has no unit there."""

    def __repr__(self) -> str:
        return one_line("JudgedOrder", self.power, str(self), self.reason or "")

    def __str__(self) -> str:
        return f"{self.order} {self.verdict}"


class PhaseOutcome(Displayable):
    """The common base of movement, retreat and adjustment outcomes: orders with verdicts, and views of them."""

    phase: ClassVar[Phase]
    """The kind of phase that was judged."""
    engine = "plain"
    """What judged the phase: `kernel` or an engine (`staged`, `full`, `brute`); `plain` if the phase needs no engine."""

    if TYPE_CHECKING:

        @property
        def board(self) -> Board:
            """The position before the phase."""

        @property
        def judged(self) -> Mapping[Power, Sequence[JudgedOrder]]:
            """The orders of every power with their verdicts, in the order in which they were given."""

        @property
        def units(self) -> tuple[Unit, ...]:
            """The units after the phase, without those that must retreat."""

        @property
        def next_board(self) -> Board:
            """The next position in which players have something to do."""

    @cached_property
    def orders(self) -> Mapping[Power, list[Order]]:
        """The orders of every power, in the order in which they were given."""
        return ByPower({power: [entry.order for entry in given] for power, given in self.judged.items()})

    @property
    def results(self) -> Mapping[Power, list[str]]:
        """The verdicts on each power's orders as texts in the DATC's words (4.E.2), in the order of the orders."""
        return ByPower(self._results)

    @cached_property
    def _results(self) -> dict[Power, list[str]]:
        return {power: [str(entry.verdict) for entry in given] for power, given in self.judged.items()}

    @property
    def reasons(self) -> Mapping[Power, list[str | None]]:
        """The reason why each order is illegal, by power in the order of the orders; None for legal orders."""
        return ByPower({power: [entry.reason for entry in given] for power, given in self.judged.items()})

    def __repr__(self) -> str:
        texts = (f"{power} {', '.join(map(str, given))}" for power, given in self.judged.items() if given)
        return one_line(type(self).__name__, *texts)
