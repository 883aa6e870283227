"""Defines dicts whose keys are sorted by time, and dicts of priorities."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class SortedDict(dict[K, V]):
    """A dict whose keys are sorted by time, provided that they are added in that order."""

    def first_key(self) -> K:
        """Return the first key, or raise `StopIteration`."""
        return next(iter(self))

    def last_key(self) -> K:
        """Return the last key, or raise `StopIteration`."""
        return next(reversed(self))

    def first_value(self) -> V:
        """Return the first value, or raise `StopIteration`."""
        return self[self.first_key()]

    def last_value(self) -> V:
        """Return the last value, or raise `StopIteration`."""
        return self[self.last_key()]


class PriorityDict(dict[Any, Any]):
    """A dict from keys to priorities."""

    def smallest(self) -> tuple[Any, Any] | None:
        """Return the smallest priority and its key, in this order, or None if the dict is empty."""
        return min(((priority, key) for key, priority in self.items()), default=None)
