"""Defines verdicts on orders and units as values, with the words of the DATC for them (DATC 4.E.2).

>>> str(Verdict.of(OrderResult.FAILS, Fate.DISLODGED))
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
    """The order is impossible on this board, and ignored."""
    INVALID = "invalid"
    """The order is legal, but not matched by the order that it needs."""
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
    """The fate of a unit that was driven out of its province."""

    DISLODGED = "dislodged"
    DESTROYED = "destroyed"
    """The unit has no retreat."""


class Verdict(str):
    """The result of an order, with the fate of its unit if the unit was driven out; as a text the words of both.

    `order` is None for a hold whose unit was driven out: of such an order the DATC says nothing but the unit's fate.
    """

    __slots__ = ("order", "unit", "words")
    order: OrderResult | None
    unit: Fate | None
    words: tuple[OrderResult | Fate, ...]
    """The words of the verdict: one, or two if the order has a result and the unit was driven out."""

    def __new__(cls, order: OrderResult | None, unit: Fate | None = None) -> Verdict:
        """Make the text of a verdict; `Verdict.from_result` returns the same object each time."""
        words = tuple(word for word in (order, unit) if word is not None)
        made = super().__new__(cls, ", ".join(words))
        made.order, made.unit, made.words = order, unit, words
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return Verdict.from_result, (self.order, self.unit)

    def __repr__(self) -> str:
        return f"Verdict({self.order!r}, {self.unit!r})"

    @staticmethod
    @cache
    def from_result(order: OrderResult | None, unit: Fate | None = None) -> Verdict:
        """Return the verdict for a result and the unit's fate, always the same object; for a hold only the fate counts."""
        if order is OrderResult.STANDS and unit is not None:
            return Verdict.from_result(None, unit)
        return Verdict(order, unit)

    @staticmethod
    @cache
    def read(text: str) -> Verdict:
        """Return the verdict that a text states, or raise `ValueError`."""
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
        """The first word of the verdict."""
        return self.words[0]


class Outline(StrEnum):
    """The expectation in tests of other programs: that an order is carried out, or that it is not."""

    SUCCEEDS = "Succeeds"
    FAILS = "Fails"

    @staticmethod
    def from_verdict(verdict: AnyVerdict) -> Outline:
        """Return the outline of a verdict: a hold succeeds if its unit is not dislodged, a support or convoy if it counts."""
        return Outline.SUCCEEDS if verdict.order in _CARRIED_OUT else Outline.FAILS


_CARRIED_OUT = frozenset({OrderResult.STANDS, OrderResult.SUCCEEDS, OrderResult.GIVEN, OrderResult.AVAILABLE})


def is_expected(verdict: AnyVerdict, expected: str) -> bool:
    """Return whether a verdict is the expected one, given in a verdict's own words or as an outline."""
    return expected in (str(verdict), Outline.from_verdict(verdict))


class NoVerdict(StrEnum):
    """A placeholder where there is no verdict; it can be read like one without result or fate."""

    REMOVED = "removed"
    """Civil disorder takes a unit that nobody ordered to be removed (DATC 4.D.8)."""
    UNRESOLVED = "unresolved"
    """The rulebook has no answer to the core."""

    @property
    def order(self) -> None:
        """The result of the order: None, as no order was judged."""

    @property
    def unit(self) -> None:
        """The fate of the ordered unit: None, as nothing dislodged the unit."""

    @property
    def words(self) -> tuple[NoVerdict]:
        """The one word in place of a verdict, as a tuple."""
        return (self,)

    @property
    def word(self) -> NoVerdict:
        """The one word in place of a verdict."""
        return self


AnyVerdict: TypeAlias = Verdict | NoVerdict
if TYPE_CHECKING:
    InWords = AnyVerdict
else:
    InWords = str
    """A verdict in a document, which writes its words."""

_FATES = frozenset(Fate)


class JudgedOrder(NamedTuple):
    """An order with its verdict.

    `reason` says why the order is illegal, and is None for a legal order.
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
    """The common part of movement, retreat and adjustment outcomes: orders with verdicts, and views of them."""

    phase: ClassVar[Phase]
    """The kind of phase that was judged."""
    engine = "plain"
    """Who judged: `kernel`, or an engine (`staged`, `full`, `brute`); `plain` where a phase needs no engine."""

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
        """The orders of every power as they were given."""
        return ByPower({power: [entry.order for entry in given] for power, given in self.judged.items()})

    @property
    def results(self) -> Mapping[Power, list[str]]:
        """The texts of the verdicts on each power's orders, in the DATC's words (4.E.2), in the order of the orders."""
        return ByPower(self._results)

    @cached_property
    def _results(self) -> dict[Power, list[str]]:
        return {power: [str(entry.verdict) for entry in given] for power, given in self.judged.items()}

    @property
    def reasons(self) -> Mapping[Power, list[str | None]]:
        """The reason why each order is illegal, by power in the order of the orders; None for legal ones."""
        return ByPower({power: [entry.reason for entry in given] for power, given in self.judged.items()})

    def __repr__(self) -> str:
        told = (f"{power} {', '.join(map(str, given))}" for power, given in self.judged.items() if given)
        return one_line(type(self).__name__, *told)
