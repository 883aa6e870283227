"""Says in words why the kernel refuses a line, for hosts that have no plain path to ask (docs/guides/kernel.md)."""

from __future__ import annotations

from satjudge.bulk.arrays import *

_WORDS = {
    IN_NO_TABLE: "this is in no table: it is misspelt, or out of the ordinary",
    NOT_AS_USUAL: "the line is not written as usual: JSON in ASCII without escapes, each key with what it holds",
    UNKNOWN_KEY: "there is no such key",
    TWICE: "this stands there twice",
    SPELT_OTHERWISE: "this power is spelt otherwise elsewhere in the line",
    NO_UNITS: "`units` is missing",
    NO_CENTERS: "an adjustment phase needs `centers`: what each power owns",
    OF_ANOTHER_PHASE: "this key belongs to another phase",
    PHASE_BEHIND: "`phase` has to stand before `orders`",
    UNKNOWN_PHASE: "there is no such phase",
    OTHER_TABLES: "these tables are of another map or rulebook",
    CANNOT_BE_READ: "nobody can read this",
    TOO_MANY: "there is more of this than the kernel has room for",
    SHARED_PLACE: "another unit stands there",
    NO_WAY: "this unit may not retreat to all of these places: one is out of reach or taken",
    NO_CENTER: "this is no supply centre",
    TWO_OWNERS: "this centre has another owner, too",
    TO_NO_UNIT: "this order is to no unit of the power, and it may count by this rulebook",
    SEVERAL_LEFT: "which of several orders counts is left to the plain path",
    UNDECIDED: "the rulebook has no answer here, or it is left to the plain path",
    MUST_BUILD: "builds are left out that this rulebook does not let anybody decline",
    WITHOUT_STEPS: "which units go by themselves is left to the plain path: removals are to be ordered",
    NOTHING_OF_IT: "nothing of this name may be ordered now",
    NO_ROOM: "the answer is longer than the kernel has room for",
    UNKNOWN_POWER: "the map has no such power",
}
CAUSES: tuple[str, ...] = tuple(_WORDS[number] for number in range(len(_WORDS)))
"""Why a line is refused, in words, by the number of the cause."""
