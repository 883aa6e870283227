"""Defines the messages that players exchange."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from satjudge.compat.refusals import StrictAttributes

SYSTEM = "SYSTEM"
GLOBAL = "GLOBAL"
OBSERVER = "OBSERVER"
OMNISCIENT = "OMNISCIENT"


class Message(StrictAttributes):
    """A message from one power to another, or to all powers (`GLOBAL`).

    `time_sent` is in microseconds. If it is None, the game sets it.
    """

    def __init__(
        self, *, sender: str, recipient: str, phase: str, message: str, time_sent: int | None = None, **_others: object
    ) -> None:
        self.sender = sender
        self.recipient = recipient
        self.time_sent = time_sent
        self.phase = phase
        self.message = message

    def __repr__(self) -> str:
        return f"[{self.time_sent}/{self.phase}/{self.sender}->{self.recipient}]({self.message})"

    def __lt__(self, other: Message) -> bool:
        """Return whether this message was sent before another one."""
        return (self.time_sent or 0) < (other.time_sent or 0)

    def is_global(self) -> bool:
        """Return whether the message is for all powers."""
        return self.recipient == GLOBAL

    def for_observer(self) -> bool:
        """Return whether the message is for observers."""
        return self.recipient == OBSERVER

    def to_dict(self) -> dict[str, Any]:
        """Return the message as a dict that `from_dict` can read."""
        return {key: getattr(self, key) for key in ("sender", "recipient", "time_sent", "phase", "message")}

    @classmethod
    def from_dict(cls, json_dict: Mapping[str, Any]) -> Message:
        """Make a message from a dict with the keys of `to_dict`."""
        return cls(**json_dict)
