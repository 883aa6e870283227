"""Known differences: those that a rule explains, listed in `models/crosscheck/explained.toml`.

A known difference names a *feature*: a function here that takes it out of what was compared, mostly by rewriting the orders
that have it. It explains what a board shows if the two judges agree once it is gone. So hardly anything can hide behind it:
what is left after all that is known has been taken out is a finding.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from satjudge.crosscheck.comparison import Compared
from satjudge.crosscheck.dialects import read_tables
from satjudge.crosscheck.features import EXCUSES, FEATURES
from satjudge.crosscheck.positions import Position
from satjudge.errors import RequestError
from satjudge.resources import data_file

EVERY_ORACLE = "*"


@dataclass(frozen=True, slots=True)
class Known:
    """A known difference."""

    name: str
    oracle: str
    """Whose it is; `*` for any."""
    feature: str
    """The function that takes it out of a position."""
    because: str
    """The rule that explains it, and who is right by it."""
    example: str = ""
    """An order sheet that shows it."""


def explanation(compared: Compared, known: Sequence[Known], compare: Callable[[Position], Compared]) -> tuple[str, ...] | None:
    """The names of the known differences that explain all of it: one if one is enough; None if all together do not."""
    if not compared.differences:
        return None

    def explain(chosen: Sequence[Known]) -> bool:
        """Orders are rewritten twice, as one feature may hide another; excused is what differs then."""
        left = compared
        rewriting = [one for one in chosen if one.feature in FEATURES]
        for one in (*rewriting, *rewriting, *(one for one in chosen if one.feature in EXCUSES)):
            left = taken_out(left, one, compare) or left
        return not left.differences

    for one in known:
        if explain([one]):
            return (one.name,)
    if not explain(known):
        return None
    needed = list(known)
    for one in known:
        without = [other for other in needed if other is not one]
        if explain(without):
            needed = without
    return tuple(one.name for one in needed)


def taken_out(compared: Compared, known: Known, compare: Callable[[Position], Compared]) -> Compared | None:
    """What differs without the feature; None if the position does not have it."""
    if known.feature in EXCUSES:
        excused = EXCUSES[known.feature]
        left = tuple(found for found in compared.differences if not excused(compared, found))
        return replace(compared, differences=left) if left != compared.differences else None
    position, feature = compared.position, FEATURES[known.feature]
    orders = {
        power: [feature(compared, order, compared.differing(power, number)) for number, order in enumerate(given)]
        for power, given in position.orders.items()
    }
    return None if orders == position.orders else compare(Position(position.board, orders, position.name))


def known_differences(against: str, more: Path | None = None) -> tuple[Known, ...]:
    """The known differences of an oracle, and those of a file of one's own. Raises `InputError`."""
    shipped = [one for one in load_known() if one.oracle in (against, EVERY_ORACLE)]
    return (*shipped, *(_read(more) if more else ()))


@cache
def load_known() -> tuple[Known, ...]:
    """All known differences that come with satjudge."""
    return tuple(_read(data_file("models", "crosscheck", "explained.toml")))


def _read(path: Path) -> list[Known]:
    found = []
    for name, entry in read_tables(path).items():
        try:
            found.append(Known(name, **{"oracle": EVERY_ORACLE, **entry}))
        except TypeError:
            hint = f"it has {', '.join(Known.__dataclass_fields__)}"
            raise RequestError(f"[{name}] is no known difference", source=str(path), suggestion=hint) from None
        if found[-1].feature not in {**FEATURES, **EXCUSES}:
            hint = f"there are {', '.join((*FEATURES, *EXCUSES))}"
            raise RequestError(f"[{name}] has no such feature: {found[-1].feature}", source=str(path), suggestion=hint)
    return found
