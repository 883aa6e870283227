"""The kernel says why it refuses a line, and where in it that stands."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest
from helpers.kit_lines import kit_lines

from satjudge.bulk.kernel.memory import (
    IN_NO_TABLE,
    KEY_CENTERS,
    KEY_DISLODGED,
    KEY_OF,
    KEY_ORDERS,
    KEY_PHASE,
    KEY_RULES,
    KEY_UNITS,
    MISSING,
    MUST_BUILD,
    NO_CENTER,
    NO_CENTERS,
    NO_UNITS,
    NO_WAY,
    NONE,
    NOT_AS_USUAL,
    NOTHING_OF_IT,
    ODD,
    OF_ANOTHER_PHASE,
    OTHER_TABLES,
    PHASE_BEHIND,
    SHARED_PLACE,
    TO_NO_UNIT,
    TOO_MANY,
    TWICE,
    TWO_OWNERS,
    UNKNOWN_KEY,
    UNKNOWN_PHASE,
)
from satjudge.bulk.tables.learner import CAUSES
from satjudge.bulk.vocabulary import Vocabulary
from satjudge.bulk.wasm.lines import LineAnswerer, LineQuestion
from satjudge.bulk.wasm.loading import make_supply
from satjudge.world.geography import load_map
from satjudge.world.rules import load_rulebook

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "causes.md"


class Told(NamedTuple):
    """What the kernel says of a line that it refuses."""

    cause: int
    key: int = NONE
    power: int = NONE
    nth: int = NONE
    text: str | None = None


class Asking:
    """What a host does for each line, and what it reads where that is refused."""

    def __init__(self, rules: str, *settings: str) -> None:
        found = make_supply(load_map(), load_rulebook(rules).with_settings(settings))
        assert found is not None
        answerer = LineAnswerer(found)
        self.calls, self.line, self.cause = answerer._calls, answerer._line, answerer.host.view_array("cause")

    def size(self, line: bytes, question: LineQuestion = LineQuestion.OUTCOME) -> int:
        self.line[: len(line)] = line
        return self.calls[question](len(line))

    def told(self, line: bytes) -> Told:
        cause, key, power, nth, start, end = self.cause
        return Told(cause, key, power, nth, None if start == NONE else line[start:end].decode())


@cache
def asking(rules: str = "datc-3", *settings: str) -> Asking:
    return Asking(rules, *settings)


def refused(request: Any, question: LineQuestion = LineQuestion.OUTCOME, *rules: str) -> Told:  # noqa: ANN401
    line = request.encode() if isinstance(request, str) else msgspec.json.encode(request)
    ours = asking(*rules)
    size = ours.size(line, question)
    told = ours.told(line)
    assert size == (MISSING if told.cause == IN_NO_TABLE else ODD)
    return told


F, G = "FRANCE", "GERMANY"
EVERYWHERE = [str(unit) for unit in {unit.province: unit for unit in Vocabulary(load_map()).units}.values()]
IN_MOVES = [
    ({"units": {F: ["A PAR"], G: ["A BER", "A MNUICH"]}}, Told(IN_NO_TABLE, KEY_UNITS, 1, 1, "A MNUICH")),
    ({"units": {}, "orders": {F: ["A PAR H", "A BRE to GAS"]}}, Told(IN_NO_TABLE, KEY_ORDERS, 0, 1, "A BRE to GAS")),
    ({"units": {F: ["A PAR"], "FRANCHE": []}}, Told(IN_NO_TABLE, KEY_UNITS, 1, NONE, "FRANCHE")),
    ({"units": {F: ["A PAR"], G: ["A BER", "A PAR"]}}, Told(SHARED_PLACE, KEY_UNITS, 1, 1, "A PAR")),
    ('{"units":{"FRANCE":[],"FRANCE":[]}}', Told(TWICE, KEY_UNITS, 1, NONE, F)),
    ('{"units":{},"units":{}}', Told(TWICE, text="units")),
    ({"units": {}, "ordres": {}}, Told(UNKNOWN_KEY, text="ordres")),
    ({"orders": {}}, Told(NO_UNITS, KEY_UNITS)),
    ({"units": {F: ["A PAR"]}, "orders": {F: "A PAR H"}}, Told(NOT_AS_USUAL, KEY_ORDERS, 0)),
    ({"units": {F: ["A PAR"]}, "orders": {F: ["A PAR H", None]}}, Told(NOT_AS_USUAL, KEY_ORDERS, 0, 1)),
    ({"units": {F: ["Ä PAR"]}}, Told(NOT_AS_USUAL, KEY_UNITS, 0, 0)),
    ({"units": []}, Told(NOT_AS_USUAL, KEY_UNITS)),
    ("no JSON", Told(NOT_AS_USUAL)),
    ("", Told(NOT_AS_USUAL)),
    ({"units": {}, "centers": {F: ["PAR"]}}, Told(OF_ANOTHER_PHASE, KEY_CENTERS)),
    ({"units": {}, "dislodged": {}}, Told(OF_ANOTHER_PHASE, KEY_DISLODGED)),
    ({"rules": "1971", "units": {}}, Told(OTHER_TABLES, KEY_RULES, text="1971")),
    ({"phase": "Spring", "units": {}}, Told(UNKNOWN_PHASE, KEY_PHASE, text="Spring")),
    ({"units": {F: list(EVERYWHERE)}}, Told(TOO_MANY, KEY_UNITS, 0, 62, EVERYWHERE[62])),
]  # fmt: skip
RETREAT = {"phase": "retreat", "units": {F: ["A BUR"]}}
LATER = [
    ({"units": {}, "orders": {}, "phase": "retreat"}, Told(PHASE_BEHIND, KEY_PHASE, text="phase")),
    (RETREAT | {"dislodged": {G: {"A MUN": ["BUR"]}}}, Told(NO_WAY, KEY_DISLODGED, 0, 0, "A MUN")),
    (RETREAT | {"dislodged": {F: {}, G: {"A MUN": ["BER"], "A KIE": ["PAR"]}}}, Told(NO_WAY, KEY_DISLODGED, 1, 1, "A KIE")),
    (RETREAT | {"dislodged": {F: {"A MUN": []}, G: {"A MUN": []}}}, Told(SHARED_PLACE, KEY_DISLODGED, 1, 0, "A MUN")),
    (RETREAT | {"dislodged": {G: {"A MUN": ["BERLIN"]}}}, Told(IN_NO_TABLE, KEY_DISLODGED, 0, 0, "BERLIN")),
    ({"phase": "adjustment", "units": {F: ["A PAR"]}}, Told(NO_CENTERS, KEY_CENTERS)),
    ({"phase": "adjustment", "units": {}, "centers": {F: ["PAR", "BUR"]}}, Told(NO_CENTER, KEY_CENTERS, 0, 1, "BUR")),
    ({"phase": "adjustment", "units": {}, "centers": {F: ["PAR"], G: ["PAR"]}}, Told(TWO_OWNERS, KEY_CENTERS, 1, 0, "PAR")),
    ({"phase": "adjustment", "units": {G: ["A MUN", "A MUN"]}, "centers": {}}, Told(SHARED_PLACE, KEY_UNITS, 0, 1, "A MUN")),
]  # fmt: skip
OF_GAMES = [
    ({"phase": "F190M", "units": {F: ["A PAR"]}, "of": "A BUR"}, Told(NOTHING_OF_IT, KEY_OF, text="A BUR")),
    ({"phase": "F1901X", "units": {}}, Told(UNKNOWN_PHASE, KEY_PHASE, text="F1901X")),
    ({"phase": "W1901A", "units": {}}, Told(NO_CENTERS, KEY_CENTERS)),
]


@pytest.mark.parametrize(("request_", "told"), [*IN_MOVES, *LATER])
def test_a_refused_line_is_told_why_and_where(request_: Any, told: Told) -> None:  # noqa: ANN401
    found = refused(request_)
    assert found == told if told.text else found[:4] == told[:4]


@pytest.mark.parametrize(("request_", "told"), OF_GAMES)
def test_a_refused_question_is_told_why_and_where(request_: Any, told: Told) -> None:  # noqa: ANN401
    assert refused(request_, LineQuestion.LEGAL_ORDERS) == told


def test_causes_hang_on_the_rulebook() -> None:
    stray = {"units": {F: ["A PAR"]}, "orders": {F: ["A PAR H", "A BUR H"]}}
    assert refused(stray, LineQuestion.OUTCOME, "1971") == Told(TO_NO_UNIT, KEY_ORDERS, 0, 1, "A BUR H")
    building = {"phase": "adjustment", "units": {}, "centers": {F: ["PAR"]}, "orders": {F: []}}
    assert refused(building, LineQuestion.OUTCOME, "datc-3", "4.D.7=refused") == Told(MUST_BUILD)


def test_whatever_is_refused_has_a_cause() -> None:
    random, ours = Random("causes"), asking()
    lines = random.sample(kit_lines(), 400)
    found = set()
    for _ in range(4000):
        line = bytearray(random.choice(lines))
        for _ in range(random.randrange(1, 3)):
            if random.random() < 0.3:
                place = random.randrange(len(line))
                line[place : place + random.randrange(3)] = random.choice((b"", b"A", b" ", b'"', b",", b"[", b"}"))
            elif texts := list(re.finditer(rb'"[^"]*"', line)):
                other = random.choice((lines[0], line, random.choice(lines)))
                line[slice(*random.choice(texts).span())] = random.choice(re.findall(rb'"[^"]*"', other))
        for question in LineQuestion:
            size, told = ours.size(bytes(line), question), ours.told(bytes(line))
            assert (size < 0) == (told.cause != NONE), (line, question)
            assert size != MISSING or told.cause in (IN_NO_TABLE, OTHER_TABLES), (line, question)
            found.add(told.cause)
    assert len(found) > 8, found


def test_the_page_has_all_causes() -> None:
    rows = re.findall(r"^\| (\d+) \| (.+?) \|", PAGE.read_text(), re.MULTILINE)
    assert [(int(number), words) for number, words in rows] == list(enumerate(CAUSES))


def test_the_example_of_the_page_is_as_it_says() -> None:
    refused({"units": {F: ["A PAR"], G: ["A PAR"]}})
    assert f"`{' '.join(map(str, asking().cause))}`" in PAGE.read_text()
