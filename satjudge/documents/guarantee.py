"""What became of a wish: the document of `satjudge guarantee`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from satjudge.documents import Made, made_by
from satjudge.geography import Power
from satjudge.orders import Hold, MovementOrder
from satjudge.research.guarantee import Defeat, Finding, OrderSet, by_power


class DefeatDocument(msgspec.Struct):
    """Orders of the power, a reply that defeats them, and the verdicts; `unresolved` where the rulebook has no answer."""

    orders: list[str]
    reply: Mapping[Power, Sequence[str]]
    results: Mapping[Power, Sequence[str]] | str


class GuaranteeCase(Made, kw_only=True):
    """The orders that guarantee the wish, or the replies of which each set of orders loses to one."""

    id: str | None
    title: str
    wish: str
    remarks: list[str]
    power: Power
    goal: str
    finding: str
    """`guaranteed`, `refuted` or `undecided`."""
    orders: list[str] | None
    defeats: list[DefeatDocument]

    @staticmethod
    def of(finding: Finding, *, identity: str, title: str, wish: str, remarks: list[str]) -> GuaranteeCase:
        """What became of a wish on a sheet."""
        table = finding.table
        return GuaranteeCase(
            **made_by(table.rulebook),
            id=identity or None,
            title=title,
            wish=wish,
            remarks=remarks,
            power=table.power,
            goal=str(table.goal),
            finding=verdict(finding),
            orders=None if finding.orders is None else list(map(str, finding.orders.values())),
            defeats=list(map(_defeat, finding.defeats)),
        )


class GuaranteeDocument(msgspec.Struct):
    """One for each case of a file."""

    cases: list[GuaranteeCase]


def verdict(finding: Finding) -> str:
    """In one word."""
    return "undecided" if finding.undecided else "refuted" if finding.orders is None else "guaranteed"


def _defeat(defeat: Defeat) -> DefeatDocument:
    reply = {power: list(map(str, orders)) for power, orders in by_power(defeat.reply).items()}
    results = defeat.outcome.results if defeat.outcome else "unresolved"
    return DefeatDocument(list(map(str, defeat.own.values())), reply, results)


def moving(orders: OrderSet) -> list[MovementOrder]:
    """The orders but those to hold."""
    return [order for order in orders.values() if not isinstance(order, Hold)]
