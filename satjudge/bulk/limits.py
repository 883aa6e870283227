"""Tells which maps are too large for compiled code, whose keys have so many bits for a place, a unit or a body of water."""

from __future__ import annotations

from satjudge.bulk.vocabulary import Vocabulary

MOST_PROVINCES, MOST_WATERS, MOST_UNITS, MOST_ORDERS = 128, 62, 510, 1 << 24
"""The largest numbers that the keys and sets of `satjudge.bulk.kernel` hold."""


def too_large(vocabulary: Vocabulary) -> str | None:
    """Say what a map has too much of; None if compiled code takes it."""
    counted = {
        "provinces": (len(vocabulary.provinces), MOST_PROVINCES),
        "provinces in which fleets convoy": (len(vocabulary.map.convoying), MOST_WATERS),
        "units that can be": (len(vocabulary.units), MOST_UNITS),
        "orders": (len(vocabulary), MOST_ORDERS),
    }
    found = [f"{count:,} {what}, more than {most:,}" for what, (count, most) in counted.items() if count > most]
    return f"it has {' and '.join(found)}" if found else None
