"""The kernel answers lines of retreats and adjustments as the plain path does, and lines with several orders for one unit."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice, product
from typing import Any

import pytest
from helpers.slips import RETREATS, WINTERS, slipped_retreats, slipped_winters
from test_bulk import boards

from satjudge.bulk.batch import Settings, answer_line
from satjudge.bulk.random_boards.boards import Flavour
from satjudge.bulk.vocabulary import Vocabulary
from satjudge.bulk.wasm.lines import LineAnswerer
from satjudge.bulk.wasm.loading import make_supply
from satjudge.world.geography import load_map
from satjudge.world.rules import load_preset

Row = dict[str, Any]
VOCABULARY = Vocabulary()
MAP = load_map()


@cache
def answerer(rules: str) -> LineAnswerer:
    found = make_supply(MAP, load_preset(rules))
    assert found is not None
    return LineAnswerer(found)


def compare(rules: str, rows: Iterable[Row], ours: LineAnswerer | None = None) -> tuple[int, int]:
    """Compare answers byte for byte; how many lines there were, and how many were answered."""
    ours, settings = ours or answerer(rules), Settings(rules=rules.partition(" with ")[0], settings=settings_of(rules))
    count = answered = 0
    lines = [json.dumps(row).encode() for row in rows]
    ours.learn_lines(lines)
    for line in lines:
        found = ours.answer(line)
        assert found in (None, answer_line(line, settings)), line
        count, answered = count + 1, answered + (found is not None)
    return count, answered


def settings_of(rules: str) -> tuple[str, ...]:
    return tuple(filter(None, rules.partition(" with ")[2].split(", ")))


POWERS = (*MAP.powers, "LEPANTO")
LEARNT = ("REMOVE {unit}", "BUILD {open}", "{unit} RETREATS {open}")
"""Forms of orders that are in no table, and learnt."""


@pytest.mark.parametrize("rules", ["datc-3", "1971", "datc-3 with 4.D.3=last", "datc-2"])
def test_retreats(rules: str) -> None:
    rows = islice(slipped_retreats("lines", POWERS, (*RETREATS, *LEARNT)), 150)
    count, answered = compare(rules, rows)
    assert answered == count


@pytest.mark.parametrize("rules", ["datc-3", "1971", "2000", "guide-1998", "datc-3 with 4.D.4=last, 4.D.5=last, 4.D.6=last"])
def test_adjustments(rules: str) -> None:
    rows = islice(slipped_winters("lines", POWERS, (*WINTERS, *LEARNT)), 150)
    count, answered = compare(rules, rows)
    assert answered > 0.9 * count


@pytest.mark.parametrize(
    "choices", ["4.D.4=all-illegal, 4.D.5=all-illegal, 4.D.6=civil-disorder", "4.D.5=last, 4.D.7=refused", "4.D.6=last"]
)
def test_every_few_orders_of_an_adjustment_phase(choices: str) -> None:
    """Every sequence of up to three orders, with one or two centres too many or too few."""
    rules = f"datc-3 with {choices}"
    ours = answerer(rules)

    def rows() -> Iterator[Row]:
        for builds, size in product((True, False), range(4)):
            possible = ["A PAR B", "F BRE B", "A BRE B", "WAIVE"] if builds else ["A GAS D", "A PIC D", "A BUR D", "A PAR B"]
            for orders, surplus in product(product(possible, repeat=size), (1, 2)):
                centers = ["PAR", "BRE"][:surplus] if builds else []
                units = {} if builds else {"FRANCE": ["A GAS", "A PIC", "A BUR"][: surplus + 1]}
                centers = centers if builds else ["MAR"]
                yield {
                    "phase": "adjustment", "units": units, "centers": {"FRANCE": centers}, "orders": {"FRANCE": list(orders)}
                }  # fmt: skip

    count, answered = compare(rules, rows(), ours)
    assert count == 2 * 2 * (1 + 4 + 16 + 64)
    assert answered > count / 4


@pytest.mark.parametrize(
    ("base", "several"),
    [
        ("datc-3", "first"),
        ("guide-1998", "all-illegal"),
        *(pytest.param("guide-1998", several, marks=pytest.mark.slow) for several in ("first", "last")),
    ],
)
def test_every_few_orders_for_two_units(base: str, several: str) -> None:
    """Every sequence of up to three orders of two units, legal ones, illegal ones and ones that count as moves."""
    rules = f"{base} with 4.D.3={several}"
    texts = ["A PAR - BUR", "A PAR H", "A PAR - LON", "PAR - BUR", "A GAS S A PAR - BUR", "A GAS - PAR"]

    def rows() -> Iterator[Row]:
        for size in range(4):
            for orders in product(texts, repeat=size):
                yield {
                    "units": {"FRANCE": ["A PAR", "A GAS"], "GERMANY": ["A BUR", "A PIC"]},
                    "orders": {"FRANCE": list(orders), "GERMANY": ["A BUR - PAR", "A PIC S A BUR - PAR"]},
                }

    count, answered = compare(rules, rows())
    assert answered == count == 1 + 6 + 36 + 216


def test_rulings_are_written() -> None:
    rows = [row for flavour in (Flavour.CONVOYS, Flavour.CIRCLES) for row in boards(flavour, 40, 0)]
    ours = answerer("datc-3")
    answers = [ours.answer(json.dumps(row).encode()) for row in rows]
    assert sum(b'"rule":"szykman"' in (answer or b"") for answer in answers) > 5
    assert compare("datc-3", iter(rows), ours)[1] > 60


def test_lines_of_several_phases_at_once_are_left() -> None:
    ours = answerer("datc-3")
    left = (
        {"units": {"FRANCE": ["A PAR"]}, "centers": {"FRANCE": ["PAR"]}},
        {"units": {}, "orders": {}, "phase": "retreat"},
        {"phase": "retreat", "units": {"FRANCE": ["A BUR"]}, "dislodged": {"ITALY": {"A PAR": ["BUR"]}}},
        {"phase": "retreat", "units": {}, "dislodged": {"ITALY": {"A PAR": ["LON"]}}},
        {"phase": "retreat", "units": {}, "dislodged": {"ITALY": {"A SPA": []}, "FRANCE": {"F SPA/NC": []}}},
        {"phase": "adjustment", "units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": []}},
        {"phase": "adjustment", "units": {}, "centers": {"ITALY": ["BUR"]}},
        {"phase": "adjustment", "units": {}, "centers": {"ITALY": ["PAR"], "FRANCE": ["PAR"]}},
        {"phase": "adjustment", "units": {"FRANCE": ["A PAR", "A BUR"]}, "centers": {"French": ["PAR"]}},
    )
    for row in left:
        assert ours.answer(json.dumps(row).encode()) is None, row
