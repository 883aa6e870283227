"""Defines the data of one phase: position, orders, results and messages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from satjudge.compat.diplomacy.engine.message import Message
from satjudge.compat.refusals import StrictAttributes


class GamePhaseData(StrictAttributes):
    """The data of one phase of a game; you can set any attribute."""

    def __init__(
        self,
        name: str,
        state: dict[str, Any],
        orders: Mapping[str, list[str] | None],
        results: Mapping[str, list[Any]],
        messages: Any = None,  # noqa: ANN401  # a mapping by time, or a list
        **_others: object,
    ) -> None:
        self.name = name
        self.state = state
        self.orders = dict(orders)
        self.results = dict(results)
        self.messages = sort_messages(messages)

    def __repr__(self) -> str:
        return f"<GamePhaseData {self.name}>"

    def to_dict(self) -> dict[str, Any]:
        """Return the data as a dict of plain values, in the format of saved games."""
        return {
            "name": self.name,
            "state": self.state,
            "orders": {power: None if given is None else list(given) for power, given in self.orders.items()},
            "results": {unit: [str(word) for word in words] for unit, words in self.results.items()},
            "messages": [message.to_dict() for message in self.messages.values()],
        }

    @classmethod
    def from_dict(cls, json_dict: Mapping[str, Any]) -> GamePhaseData:
        """Make the data from a dict in the format of `to_dict`; missing orders, results and messages become empty."""
        known = {"orders": {}, "results": {}, "messages": []} | dict(json_dict)
        return cls(**{key: known[key] for key in ("name", "state", "orders", "results", "messages")})


def sort_messages(messages: Any) -> dict[int, Message]:  # noqa: ANN401  # a mapping by time, or a list
    """Return a dict of messages by sending time, from a list or mapping of messages or of their plain data."""
    message_list: Iterable[Any] = messages.values() if isinstance(messages, Mapping) else messages or ()
    read = (one if isinstance(one, Message) else Message.from_dict(one) for one in message_list)
    return {message.time_sent or 0: message for message in read}
