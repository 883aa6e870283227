"""Explains differences between two engines by known differences (`models/crosscheck/explained.toml`).

A known difference names a *feature* of positions (`satjudge.engines.features`). It explains a board if nothing differs on
it any more once the feature is accounted for. A board that all known differences together do not explain is a finding.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, partial, reduce
from operator import or_
from pathlib import Path
from typing import Protocol

from satjudge.base.errors import RequestError, UnresolvedError
from satjudge.base.resources import data_file
from satjudge.engines.comparison import ComparedPosition, Difference
from satjudge.engines.conformance.hypotheses import Hypothesis, joined_hypothesis, named_hypothesis
from satjudge.engines.features import AS_GIVEN, EXCUSES, FEATURES, READINGS, REWRITINGS, Excuse, Reading, Rewriting, TakenOrders
from satjudge.engines.positions import AskedPosition
from satjudge.files.dialects import read_tables
from satjudge.search.open_orders.proposal import minimal
from satjudge.world.rules import Rulebook, load_rulebook

EVERY_ORACLE = "*"


@dataclass(frozen=True, slots=True)
class KnownDifference:
    """A known difference between satjudge and other engines."""

    name: str
    oracle: str
    """The name of its oracle; `*` for any."""
    feature: str
    """The name of the function that accounts for it; "" if a hypothesis does."""
    because: str
    """The rule that explains it, and who is right by it."""
    example: str = ""
    """An order sheet that shows it."""
    hypothesis: Hypothesis | None = None
    """A hypothesis about the other engine; a board is explained if an engine that judges so gives all its answers."""


class Judges(Protocol):
    """The two engines that are compared."""

    def compare(self, position: AskedPosition) -> ComparedPosition:
        """Compare the answers of both engines to a position."""
        ...

    def compare_read(self, compared: ComparedPosition, otherwise: TakenOrders) -> ComparedPosition:
        """Compare the other engine's answer with satjudge's after some orders are read otherwise."""
        ...

    def supposing(self, hypothesis: Hypothesis) -> Judges:
        """Return the two engines, with what a hypothesis gives in place of satjudge's answers."""
        ...


def explanation(compared: ComparedPosition, known: Sequence[KnownDifference], judges: Judges) -> tuple[str, ...] | None:
    """Name as few known differences as possible that explain a board; None if all together do not."""
    if not compared.differences:
        return None
    exact = [one for one in known if one.feature not in REWRITINGS]

    def explain(chosen: Sequence[KnownDifference]) -> bool:
        with suppress(UnresolvedError):  # one of the two judges has no answer then
            return not unexplained_rest(compared, chosen, judges).differences
        return False

    enough = next(filter(explain, (*([one] for one in known), exact, known)), None)
    return None if enough is None else tuple(one.name for one in minimal(enough[::-1], explain)[::-1])


def unexplained_rest(compared: ComparedPosition, chosen: Sequence[KnownDifference], judges: Judges) -> ComparedPosition:
    """Return what still differs after known differences are accounted for: hypotheses, rewritings, readings, then excuses.

    Orders are rewritten twice, as one feature may hide another. Hypotheses that exclude each other account for nothing.
    """
    if supposed := joined_hypothesis(one.hypothesis for one in chosen):
        judges = judges.supposing(supposed)
        compared = judges.compare_read(compared, AS_GIVEN)
    features = [one.feature for one in chosen]
    for feature in [name for name in features if name in REWRITINGS] * 2:
        compared = _rewritten(compared, REWRITINGS[feature], judges)
    readings = [READINGS[name] for name in features if name in READINGS]
    return _read(compared, readings, [EXCUSES[name] for name in features if name in EXCUSES], judges)


def _rewritten(compared: ComparedPosition, rewriting: Rewriting, judges: Judges) -> ComparedPosition:
    position, orders = compared.position, compared.position.changed(partial(rewriting, compared))
    return compared if orders == position.orders else judges.compare(AskedPosition(position.board, orders, position.name))


def _read(
    compared: ComparedPosition, readings: Sequence[Reading], excuses: Sequence[Excuse], judges: Judges
) -> ComparedPosition:
    """Take all readings if every difference has an excuse then; otherwise only those by which differences become fewer."""
    together = reduce(or_, (one for reading in readings for one in reading(compared)), AS_GIVEN)
    if together.orders:
        read = judges.compare_read(compared, together)
        if not _without_excuse(read, excuses):
            return replace(read, differences=())
    return _read_one_by_one(compared, readings, excuses, judges)


def _read_one_by_one(
    compared: ComparedPosition, readings: Sequence[Reading], excuses: Sequence[Excuse], judges: Judges
) -> ComparedPosition:
    """Take readings one by one as long as fewer differences are without excuse.

    Each reading that is taken may call for others.
    """
    best, fewest = AS_GIVEN, _without_excuse(compared, excuses)
    taken: list[TakenOrders] = []
    tried: list[TakenOrders] = []
    while fewest and (new := next((one for reading in readings for one in reading(compared) if one not in tried), None)):
        tried.append(new)
        read = judges.compare_read(compared, best | new)
        fewer = _without_excuse(read, excuses)
        if len(fewer) < len(fewest):
            compared, best, fewest = read, best | new, fewer
            taken.append(new)
            tried = list(taken)
    return replace(compared, differences=fewest)


def _without_excuse(compared: ComparedPosition, excuses: Sequence[Excuse]) -> tuple[Difference, ...]:
    return tuple(found for found in compared.differences if not any(excuse(compared, found) for excuse in excuses))


def known_differences(against: str, more: Sequence[str], rulebook: Rulebook) -> tuple[KnownDifference, ...]:
    """List the known differences of an oracle, and more from files (`.toml`) or of hypotheses by name.

    Raises `InputError`.
    """
    found = [one for one in load_known() if one.oracle in (against, EVERY_ORACLE)]
    for given in more:
        found += _load(Path(given), rulebook) if given.endswith(".toml") else [_supposed(given, given, "", rulebook)]
    return tuple(found)


def _supposed(name: str, text: str, because: str, rulebook: Rulebook) -> KnownDifference:
    """Make a known difference of the hypothesis that a text names."""
    supposed = named_hypothesis(text, rulebook)
    return KnownDifference(name, EVERY_ORACLE, "", because or "what such an engine says is known", hypothesis=supposed)


@cache
def load_known() -> tuple[KnownDifference, ...]:
    """Load all known differences that come with satjudge."""
    return tuple(_load(data_file("models", "crosscheck", "explained.toml"), load_rulebook()))


def _load(path: Path, rulebook: Rulebook) -> list[KnownDifference]:
    found = []
    for name, entry in read_tables(path).items():
        if {"hypothesis"} <= entry.keys() <= {"hypothesis", "because"}:
            found.append(_supposed(name, str(entry["hypothesis"]), str(entry.get("because", "")), rulebook))
            continue
        try:
            found.append(KnownDifference(name, **{"oracle": EVERY_ORACLE, **entry}))
        except TypeError:
            hint = f"it has {', '.join(KnownDifference.__dataclass_fields__)}"
            raise RequestError(f"[{name}] is no known difference", source=str(path), suggestion=hint) from None
        if found[-1].feature not in FEATURES:
            hint = f"there are {', '.join(FEATURES)}"
            raise RequestError(f"[{name}] has no such feature: {found[-1].feature}", source=str(path), suggestion=hint)
    return found
