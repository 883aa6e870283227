"""Tells which questions of the kit a setting or a fault changes, from a table made beforehand, so that diagnosis is quick.

`benchmarks/studies/diagnosis_table.py` makes the table, `datc_cases/kit/signatures.json`. It only says what need not be tried:
what a hypothesis answers is always worked out anew. Questions that the table does not have are tried.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Set
from functools import cache
from itertools import accumulate, pairwise

import msgspec

from satjudge.base.errors import InputError, RequestError
from satjudge.base.resources import data_file
from satjudge.engines.conformance.kit import PARTS
from satjudge.engines.positions import AskedPosition, parse_position
from satjudge.world.rules import DEFAULT_RULES

LEFT_OUT = ("map", "boards", "variants")
"""Parts that are no evidence for settings and faults: the map audit and questions on other maps; boards are tried anyway."""


class Signatures(msgspec.Struct, frozen=True):
    """The table of the questions that each setting or fault changes."""

    questions: tuple[str, ...]
    """The keys of the questions."""
    told: Mapping[str, Mapping[str, tuple[int, ...]]]
    """The numbers of the questions that a setting or fault changes, by rulebook and by name; also if there are none."""


def make_key(position: AskedPosition) -> str:
    """Return the key that identifies a position, whatever its name."""
    return position.key


def list_evidence_positions() -> list[AskedPosition]:
    """List the positions of the kit that are evidence for settings and faults, each once."""
    found: dict[str, AskedPosition] = {}
    for part in PARTS.values():
        for question in part.make() if part.name not in LEFT_OUT else ():
            try:
                position = parse_position(question.question_line)
            except RequestError:
                continue
            found.setdefault(make_key(position), position)
    return list(found.values())


@cache
def load_signatures() -> Signatures:
    """Load the table; an empty one if there is no file."""
    try:
        written = msgspec.json.decode(data_file("datc_cases", "kit", "signatures.json").read_bytes(), type=Signatures)
    except (InputError, OSError):
        return Signatures((), {})
    told = {rules: {part: tuple(accumulate(steps)) for part, steps in parts.items()} for rules, parts in written.told.items()}
    return Signatures(written.questions, told)


@cache
def _number_keys() -> Mapping[str, int]:
    return {key: number for number, key in enumerate(load_signatures().questions)}


def get_table_keys() -> Set[str]:
    """Return the keys of the questions that the table has."""
    return _number_keys().keys()


@cache
def find_unchanged_keys(rules: str, part: str) -> Set[str]:
    """Return the keys of the questions whose answer a part does not change under a rulebook, as far as the table knows."""
    told = load_signatures().told.get(rules, {}).get(part)
    return get_table_keys() - {load_signatures().questions[number] for number in told} if told is not None else frozenset()


def count_changed(rules: str, part: str, unexplained: Collection[str]) -> tuple[int, int] | None:
    """Count the questions whose answer a part changes: among those unexplained, and among all others.

    Questions are given by their keys; those that the table does not have are left out. For a rulebook that the table does not
    have, the default one stands. None if the table has none of the questions, or not the part.
    """
    by_rulebook = load_signatures().told
    told = by_rulebook.get(rules, by_rulebook.get(DEFAULT_RULES, {})).get(part)
    numbers = {_number_keys()[key] for key in unexplained if key in _number_keys()}
    if told is None or not numbers:
        return None
    within = len(numbers.intersection(told))
    return within, len(told) - within


def format_table(told: Mapping[str, Mapping[str, Iterable[int]]], questions: Iterable[str]) -> bytes:
    """Write the table in its stored form: a line for each setting and fault, with differences between successive numbers."""

    def format_json(value: object) -> str:
        return msgspec.json.encode(value).decode()

    rulebooks = (
        f"{format_json(rules)}: {{\n"
        + ",\n".join(f"{format_json(part)}: {format_json(_difference_numbers(at))}" for part, at in parts.items())
        + "}"
        for rules, parts in told.items()
    )
    return f'{{"questions": {format_json(list(questions))},\n"told": {{'.encode() + ",\n".join(rulebooks).encode() + b"}}\n"


def _difference_numbers(numbers: Iterable[int]) -> list[int]:
    return [number - before for before, number in pairwise((0, *sorted(numbers)))]
