"""Keeps the differences that are expected of an engine, each with its reason, so that CI fails on new ones alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from json import dumps
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from satjudge.base.errors import RequestError
from satjudge.base.resources import read_toml
from satjudge.engines.conformance.kit import normalize_name, read_name
from satjudge.engines.documents.conformance import EXPECTED, SKIPPED, Conformance, Otherwise, PartAsked


class Entry(NamedTuple):
    """A difference that is expected of an engine."""

    because: str
    """The reason; empty if nobody gave one."""
    differs: str | None = None
    """What differs, as `what_differs` writes it; None for whatever does."""


_SKIPS = "skipped"
"""The table of the file that says how many questions of each part are skipped; no question has this name."""


Expected = Mapping[str, Entry]
"""The difference that is expected on each question, by its name."""
_HEAD = """# Questions of satjudge's kit that the engine is expected to answer otherwise: the reason, and what differs.
# satjudge conformance --against … --expect THIS --update writes it anew, and keeps the reasons.
"""


def read_expected(path: Path) -> Expected:
    """Read the expected differences from a file.

    Raises `InputError`.
    """
    found: dict[str, Entry] = {}
    for question, entry in read_toml(path, RequestError).items():
        if question == _SKIPS:
            continue
        because, differs = (entry.get(key) for key in ("because", "differs")) if isinstance(entry, dict) else (None, None)
        if not isinstance(because, str):
            hint = f'write [{dumps(question, ensure_ascii=False)}] and below it because = "…"'
            raise RequestError(f"{question!r} says no reason", source=str(path), suggestion=hint)
        if not isinstance(differs, str | None):
            raise RequestError(f"{question!r}: differs is no text", source=str(path), suggestion="--update writes it")
        found[normalize_name(question)] = Entry(because, differs)
    return found


def read_skips(path: Path) -> dict[str, int]:
    """Read how many questions of each part the file of expected differences lets the engine skip.

    Raises `InputError`.
    """
    skips = read_toml(path, RequestError).get(_SKIPS, {})
    if not isinstance(skips, dict) or not all(type(number) is int for number in skips.values()):
        hint = f"write [{_SKIPS}] and below it datc = 65"
        raise RequestError(f"{_SKIPS!r} is no table of parts and numbers", source=str(path), suggestion=hint)
    return skips


def format_differences(found: Otherwise) -> str:
    """Write all differences of a question: `A MAR (FRANCE): answered fails, should be succeeds`."""
    told = (
        f"{one.subject_with_power}: answered {one.theirs or 'nothing'}, should be {one.ours or 'nothing'}"
        for one in found.differences
    )
    return "; ".join(told)


def apply_expectations(
    found: Conformance,
    parts: Mapping[str, Sequence[bytes]],
    expected: Expected,
    skips: Mapping[str, int] = MappingProxyType({}),
) -> None:
    """Take expected differences out of a result's findings, and note those that changed, vanished or were skipped.

    `parts` are the batch lines that were asked. `skips` has how many of a part may be skipped; of other parts any number may.
    """
    told = (f"{part.part} ({part.skipped:,}, not {skips.get(part.part, part.skipped):,})" for part in found.parts)
    more = (part.skipped > skips.get(part.part, part.skipped) for part in found.parts)
    found.skipped_more = [text for text, is_more in zip(told, more, strict=True) if is_more]
    for part in found.parts:
        as_expected = [one for one in part.findings if is_expected(one, expected)]
        part.findings = [one for one in part.findings if not is_expected(one, expected)]
        found.changed += [one.question for one in part.findings if one.question in expected]
        for one in as_expected:
            part.others[one.question] = f"{EXPECTED}: {expected[one.question].because or 'no reason is given'}"
        part.expected = len(as_expected)
        found.without_reason += sum(not expected[one.question].because for one in as_expected)
        found.vanished += [name for name in _list_agreeing(part, parts) if name in expected]
        found.unanswered += [name for name, why in part.others.items() if name in expected and why.startswith(SKIPPED)]


def is_expected(one: Otherwise, expected: Expected) -> bool:
    """Return whether a question differs exactly as it is expected to."""
    return one.question in expected and expected[one.question].differs in (None, format_differences(one))


def format_expected(found: Conformance, expected: Expected, differing: Mapping[str, str], skips: Mapping[str, int]) -> str:
    """Write all differences of a result as expected ones, keeping the reasons already given.

    What vanished or was skipped is left out.
    `differing` has what differs on each question of the result, by its name; `skips` how many of each part are skipped.
    """
    gone = {*found.vanished, *found.unanswered}
    kept = {name: entry.differs for name, entry in expected.items() if name not in gone}

    def entry(name: str, differs: str | None) -> str:
        because = expected[name].because if name in expected else ""
        rows = {"because": because, "differs": differs}
        told = (f"{key} = {dumps(text, ensure_ascii=False)}\n" for key, text in rows.items() if text is not None)
        return f"\n[{dumps(name, ensure_ascii=False)}]\n{''.join(told)}"

    rows = "".join(f"{part} = {number}\n" for part, number in skips.items())
    table = f"\n# How many questions of each part the engine may skip.\n[{_SKIPS}]\n{rows}" if rows else ""
    return _HEAD + table + "".join(entry(name, differs) for name, differs in {**kept, **differing}.items())


def _list_agreeing(part: PartAsked, parts: Mapping[str, Sequence[bytes]]) -> list[str]:
    """List the questions of a part that were asked and on which nothing differs."""
    others = {*part.others, *(one.question for one in part.findings)}
    asked = map(read_name, parts[part.part][: part.asked + part.not_asked])
    return [name for name in asked if name not in others]
