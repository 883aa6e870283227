"""Explains differences between engines by known differences of the other engine (`models/crosscheck/explained.toml`).

A known difference is a hypothesis about the other engine. It explains a board if it predicts the other engine's whole answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from satjudge.base.errors import RequestError, UnresolvedError
from satjudge.base.resources import data_file
from satjudge.engines.comparison import ComparedPosition
from satjudge.engines.conformance.hypotheses import Hypothesis, join_hypotheses, parse_hypothesis
from satjudge.files.dialects import read_tables
from satjudge.search.open_orders.proposal import find_minimal_subset
from satjudge.world.rules import Rulebook

MOST_TOGETHER = 3
"""The largest number of known differences that are tried together on a board, before all are tried at once."""


@dataclass(frozen=True, slots=True)
class KnownDifference:
    """A known difference between satjudge and other engines."""

    name: str
    hypothesis: Hypothesis
    because: str
    """The rule that explains the difference, and which engine is right by that rule."""


def match_known_differences(
    compared: ComparedPosition, known: Sequence[KnownDifference], compare_with: Callable[[Hypothesis], ComparedPosition]
) -> tuple[str, ...] | None:
    """Return the names of a minimal set of known differences that explains a compared position; None if there is none.

    `compare_with` compares the other engine's answer with a hypothesis's, and raises `UnresolvedError` if the hypothesis
    predicts none.
    """
    if compared.theirs is None or not compared.differences:
        return None

    def compare_chosen(chosen: Sequence[KnownDifference]) -> ComparedPosition | None:
        joined = join_hypotheses(one.hypothesis for one in chosen)
        with suppress(UnresolvedError):
            return compare_with(joined) if joined else None
        return None

    def explain(chosen: Sequence[KnownDifference]) -> bool:
        return (rest := compare_chosen(chosen)) is not None and not rest.differences

    promising: list[tuple[KnownDifference, ...]] = [()]
    for _ in range(MOST_TOGETHER):
        larger = {frozenset((*group, one)): (*group, one) for group in promising for one in known if one not in group}
        promising = []
        for chosen in larger.values():
            rest = compare_chosen(chosen)
            if rest is not None and not rest.differences:
                return tuple(one.name for one in known if one in chosen)
            if rest is not None and rest.ours != compared.ours and len(rest.differences) <= len(compared.differences):
                promising.append(chosen)
    return tuple(one.name for one in find_minimal_subset(known, explain)) if explain(known) else None


def load_known_differences(against: str, further: Sequence[str], rulebook: Rulebook) -> tuple[KnownDifference, ...]:
    """Load the known differences of an oracle, and further ones, given as `.toml` files or as hypotheses (`4.A.2=all-hold`).

    An oracle's difference is left out if the rulebook already has its settings. Raises `InputError`.
    """
    found = []
    for name, entry in read_shipped_differences(against).items():
        with suppress(RequestError):  # a setting that the rulebook has
            found.append(KnownDifference(name, parse_hypothesis(entry["hypothesis"], rulebook), entry["because"]))
    for given in further:
        entries = _read_file(Path(given)) if given.endswith(".toml") else {given: {"hypothesis": given}}
        for name, entry in entries.items():
            because = entry.get("because") or "you named it as known"
            found.append(KnownDifference(name, parse_hypothesis(entry["hypothesis"], rulebook), because))
    return tuple(found)


def read_shipped_differences(against: str) -> dict[str, Mapping[str, str]]:
    """Return an oracle's entries in the file of known differences that comes with satjudge, by name."""
    tables = read_tables(data_file("models", "crosscheck", "explained.toml"))
    return {name: entry for name, entry in tables.items() if entry["oracle"] == against}


def _read_file(path: Path) -> dict[str, Mapping[str, str]]:
    """Return the entries of a user's file of known differences, by name, or raise `InputError`."""
    tables = read_tables(path)
    for name, entry in tables.items():
        if not isinstance(entry, dict) or not {"hypothesis"} <= {*entry} <= {"hypothesis", "because"}:
            hint = (
                'write hypothesis = "…" (4.A.2=all-hold, 1982 or the name of a fault in satjudge), and optionally because = "…"'
            )
            raise RequestError(f"[{name}] is not a known difference", source=str(path), suggestion=hint)
    return {name: {key: str(text) for key, text in entry.items()} for name, entry in tables.items()}
