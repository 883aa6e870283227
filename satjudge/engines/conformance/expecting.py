"""Keeps the differences that are expected of an engine, each with its reason, so that CI fails on new ones alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from json import dumps
from pathlib import Path

from satjudge.base.errors import RequestError
from satjudge.base.resources import read_toml
from satjudge.engines.conformance.questions import name_of
from satjudge.engines.documents.conformance import EXPECTED, Conformance, PartAsked

Expected = Mapping[str, str]
"""The reason for each question that the engine is expected to answer otherwise, by its name; empty if nobody gave one."""
_HEAD = """# Questions of satjudge's kit that the engine is expected to answer otherwise, each with the reason.
# satjudge conformance --against … --expect THIS --update writes it anew, and keeps the reasons.
"""


def read_expected(path: Path) -> Expected:
    """Read the expected differences from a file.

    Raises `InputError`.
    """
    found: dict[str, str] = {}
    for question, entry in read_toml(path, RequestError).items():
        because = entry.get("because") if isinstance(entry, dict) else None
        if not isinstance(because, str):
            hint = f'write [{dumps(question, ensure_ascii=False)}] and below it because = "…"'
            raise RequestError(f"{question!r} says no reason", source=str(path), suggestion=hint)
        found[question] = because
    return found


def expect(found: Conformance, parts: Mapping[str, Sequence[bytes]], expected: Expected) -> None:
    """Take expected differences out of the findings of a result, and note those that have vanished.

    `parts` are the batch lines that were asked.
    """
    for part in found.parts:
        for one in part.findings:
            if one.question in expected:
                part.others[one.question] = f"{EXPECTED}: {expected[one.question] or 'no reason is given'}"
        part.expected = sum(one.question in expected for one in part.findings)
        part.findings = [one for one in part.findings if one.question not in expected]
        found.vanished += [name for name in _agreeing(part, parts) if name in expected]


def expected_text(found: Conformance, expected: Expected) -> str:
    """Write all differences of a result as expected ones, with the reasons that there are; what vanished is left out."""
    differing = [one.question for part in found.parts for one in part.findings]
    kept = [name for name in expected if name not in found.vanished]
    entries = (
        f"\n[{dumps(name, ensure_ascii=False)}]\nbecause = {dumps(expected.get(name, ''), ensure_ascii=False)}\n"
        for name in dict.fromkeys((*kept, *differing))
    )
    return _HEAD + "".join(entries)


def _agreeing(part: PartAsked, parts: Mapping[str, Sequence[bytes]]) -> list[str]:
    """List the questions of a part that were asked and on which nothing differs."""
    others = {*part.others, *(one.question for one in part.findings)}
    asked = map(name_of, parts[part.part][: part.asked + part.not_asked])
    return [name for name in asked if name not in others]
