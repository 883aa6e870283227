"""What became of an order and of its unit, as values; and the words that the DATC has for them (DATC 4.E.2).

>>> str(Verdict.of(OrderResult.FAILS, Fate.DISLODGED))
'fails, dislodged'
>>> Verdict.read("fails, dislodged").unit
<Fate.DISLODGED: 'dislodged'>
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from msgspec import Struct

from satjudge.base.lazy import cached_property
from satjudge.base.showing import Shown
from satjudge.base.words import one_line

if TYPE_CHECKING:
    from satjudge.world.board import Board, Unit
    from satjudge.world.geography import Power, ProvinceCode
    from satjudge.world.orders import Order


class OrderResult(StrEnum):
    """What became of an order."""

    ILLEGAL = "illegal"
    """It is impossible on this board, and ignored."""
    INVALID = "invalid"
    """It is legal, but not matched by the order that it needs."""
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
    """A permission to pass a canal counts (DATC 2.4, 7.C), whether a fleet makes use of it or not."""


class Fate(StrEnum):
    """What became of a unit that was driven out of its province."""

    DISLODGED = "dislodged"
    DESTROYED = "destroyed"
    """It has no retreat."""


class Verdict(Struct, frozen=True, dict=True):
    """What became of an order, and of its unit if that was driven out.

    `order` is None for a hold whose unit was driven out: of such an order the DATC says nothing but the unit's fate.
    """

    order: OrderResult | None
    unit: Fate | None = None

    @staticmethod
    @cache
    def of(order: OrderResult | None, unit: Fate | None = None) -> Verdict:
        """The one value for this verdict; with it goes the hold that the unit's fate says everything about."""
        if order is OrderResult.STANDS and unit is not None:
            return Verdict.of(None, unit)
        return Verdict(order, unit)

    @staticmethod
    @cache
    def read(text: str) -> Verdict:
        """The verdict that these words tell. Raises `ValueError` for words that are none."""
        first, *fate = text.split(", ")
        if not fate and first in _FATES:
            return Verdict.of(None, Fate(first))
        if len(fate) > 1 or (fate and first == OrderResult.STANDS):
            raise ValueError(text)
        return Verdict.of(OrderResult(first), Fate(fate[0]) if fate else None)

    def __str__(self) -> str:
        return self.text

    @cached_property
    def text(self) -> str:
        """The words for it."""
        return ", ".join(self.words)

    @property
    def words(self) -> tuple[OrderResult | Fate, ...]:
        """The words for it: one, or two if the order has a result and the unit was driven out."""
        return tuple(word for word in (self.order, self.unit) if word is not None)

    @property
    def word(self) -> OrderResult | Fate:
        """The first of these words."""
        return self.words[0]


class NoVerdict(StrEnum):
    """What is told in place of a verdict where there is none: it reads like one, and says nothing of an order or a fate."""

    REMOVED = "removed"
    """Nobody ordered it: civil disorder takes the unit (DATC 4.D.8)."""
    UNRESOLVED = "unresolved"
    """The rulebook has no answer."""

    @property
    def order(self) -> None:
        """No order was judged."""

    @property
    def unit(self) -> None:
        """No unit was driven out."""

    @property
    def words(self) -> tuple[NoVerdict]:
        """The one word for it."""
        return (self,)

    @property
    def word(self) -> NoVerdict:
        """The same."""
        return self


AnyVerdict: TypeAlias = Verdict | NoVerdict

_FATES = frozenset(Fate)


class JudgedOrder(NamedTuple):
    """An order with its verdict. `reason` says why it is illegal, and is None for a legal order."""

    power: Power
    order: Order
    verdict: Verdict
    reason: str | None
    province: ProvinceCode | None
    """Where the ordered unit stands, None if the power has no unit there."""

    def __repr__(self) -> str:
        return one_line("JudgedOrder", self.power, str(self), self.reason or "")

    def __str__(self) -> str:
        return f"{self.order} {self.verdict}"


class PhaseOutcome(Shown):
    """What the outcomes of movement, retreats and adjustments have in common: orders with verdicts, and views of them."""

    if TYPE_CHECKING:

        @property
        def board(self) -> Board:
            """The position before."""

        @property
        def judged(self) -> Mapping[Power, Sequence[JudgedOrder]]:
            """Every power's orders with their verdicts, in the order in which they were given."""

        @property
        def units(self) -> tuple[Unit, ...]:
            """The units afterwards, without those that must retreat."""

        @property
        def next_board(self) -> Board:
            """The next position that players meet."""

    @cached_property
    def orders(self) -> Mapping[Power, list[Order]]:
        """Every power's orders, as they were given."""
        return {power: [entry.order for entry in given] for power, given in self.judged.items()}

    @cached_property
    def results(self) -> Mapping[Power, list[str]]:
        """The verdicts in the DATC's words (4.E.2), as the batch format writes them."""
        return {power: [str(entry.verdict) for entry in given] for power, given in self.judged.items()}

    @property
    def reasons(self) -> Mapping[Power, list[str | None]]:
        """Why orders are illegal, in the same order; None for the legal ones."""
        return {power: [entry.reason for entry in given] for power, given in self.judged.items()}

    def __repr__(self) -> str:
        told = (f"{power} {', '.join(map(str, given))}" for power, given in self.judged.items() if given)
        return one_line(type(self).__name__, *told)
