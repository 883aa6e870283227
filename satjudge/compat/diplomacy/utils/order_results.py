"""Defines the words for results of orders."""

from __future__ import annotations

from typing import Any


class OrderResult(str):
    """A word for the result of an order, equal to the plain text; `code` is the package's number for it."""

    __slots__ = ("code",)
    code: int

    def __new__(cls, code: int, message: str) -> OrderResult:
        """Make the result word with this number and text."""
        instance = super().__new__(cls, message)
        instance.code = code
        return instance

    @property
    def message(self) -> str:
        """The word as a plain string."""
        return str(self)

    def __repr__(self) -> str:
        return f"{self.code}:{self}"

    def __reduce__(self) -> tuple[Any, ...]:
        return OrderResult, (self.code, str(self))


OK = OrderResult(0, "")
NO_CONVOY = OrderResult(10001, "no convoy")
BOUNCE = OrderResult(10002, "bounce")
VOID = OrderResult(10003, "void")
CUT = OrderResult(10004, "cut")
DISLODGED = OrderResult(10005, "dislodged")
DISRUPTED = OrderResult(10006, "disrupted")
DISBAND = OrderResult(10007, "disband")
MAYBE = OrderResult(10008, "maybe")
