"""The batch format to the letter (docs/reference/batch.md): answers, errors, exit codes, streaming, and input of any kind."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import threading
import time
import tracemalloc
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from typing import Any, NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satjudge.apps.cli import batch as batch_command
from satjudge.apps.cli import run
from satjudge.base.errors import WorkerLostError
from satjudge.base.processes import processes
from satjudge.bulk import batch as batch_module
from satjudge.bulk.batch import Answering, Settings, answer_line, is_error, judge_many
from satjudge.files.batch_lines import LONGEST_LINE
from satjudge.judging.solve import Engine
from satjudge.world.verdicts import Fate, OrderResult

Row = dict[str, Any]

DOCS = Path(__file__).parents[2] / "docs" / "reference" / "batch.md"
COMMAND = (sys.executable, "-c", "from satjudge.apps.cli import main; main()", "batch")
KINDS = {"json", "request", "unknown-key", "too-long", "notation", "board", "rulebook", "unresolved", "unanswered"}
"""Of errors in the input. The kind `internal` is of mistakes in satjudge."""

EXAMPLE: Row = {
    "id": "x1",
    "phase": "movement",
    "rules": "datc-3",
    "units": {"FRANCE": ["A BRE", "F ENG"], "ENGLAND": ["F LON", "F WAL"]},
    "orders": {
        "FRANCE": ["A BRE - LON", "F ENG C A BRE - LON"],
        "ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG"],
    },
}
EXAMPLE_ANSWER: Row = {
    "id": "x1",
    "results": {"FRANCE": ["fails", "disrupted, dislodged"], "ENGLAND": ["given", "succeeds"]},
    "dislodged": {"FRANCE": {"F ENG": ["BEL", "IRI", "MAO", "NTH", "PIC"]}},
    "units": {"FRANCE": ["A BRE"], "ENGLAND": ["F LON", "F ENG"]},
    "resolutions": 2,
    "complete": True,
    "rulings": [{"rule": "szykman", "core": ["F ENG C A BRE - LON", "F LON S F WAL - ENG", "F WAL - ENG"]}],
}


def well_formed(answer: bytes) -> Row:
    """An answer line as strict JSON, checked for what every answer has."""

    def no_json(constant: str) -> NoReturn:
        raise AssertionError(f"{constant} is not JSON")

    assert b"\n" not in answer
    assert b"\r" not in answer
    value: Row = json.loads(answer.decode("utf-8"), parse_constant=no_json)
    assert next(iter(value)) == "id"
    assert ("error" in value) is is_error(answer)
    if "error" in value:
        judged_all_the_same = value["error"]["kind"] == "notation" and "results" in value  # but for unreadable orders
        assert {"id", "results", "units"} <= value.keys() if judged_all_the_same else value.keys() == {"id", "error"}
        assert value["error"].keys() == {"kind", "message"}
        assert value["error"]["kind"] in KINDS
        assert value["error"]["message"]
    else:
        assert {"id", "results", "units"} <= value.keys()
    return value


def ask(row: Mapping[str, Any], settings: Settings | None = None) -> Row:
    return well_formed(answer_line(json.dumps(row).encode(), settings))


def stream(row: Mapping[str, Any]) -> bytes:
    return json.dumps(row).encode() + b"\n"


# The example of the contract.


def test_the_example_as_a_whole() -> None:
    assert ask(EXAMPLE) == EXAMPLE_ANSWER


def test_the_documentation_shows_the_example() -> None:
    shown = [json.loads(line) for line in DOCS.read_text(encoding="utf-8").splitlines() if line.startswith('{"id"')]
    assert shown[:2] == [EXAMPLE, EXAMPLE_ANSWER]


@pytest.mark.parametrize("engine", Engine)
def test_every_engine_answers_alike_in_the_order_documented(engine: Engine) -> None:
    assert [*ask(EXAMPLE, Settings(engine=engine)).items()] == [*EXAMPLE_ANSWER.items()]


def test_phase_rules_and_orders_have_defaults() -> None:
    row = {"units": EXAMPLE["units"], "orders": EXAMPLE["orders"]}
    assert ask(row) == EXAMPLE_ANSWER | {"id": None}
    assert ask({"id": 1, "units": {"FRANCE": ["A PAR"]}}) == {
        "id": 1,
        "results": {},
        "dislodged": {},
        "units": {"FRANCE": ["A PAR"]},
        "resolutions": 1,
        "complete": True,
        "rulings": [],
    }


def test_what_our_own_exports_add_is_ignored() -> None:
    """`satjudge export` and the cases that `crosscheck --save` writes (see also the tests of both)."""
    extras = {"expected": {"results": 3}, "expected_by_hand": None, "title": "6.F.14", "source": ["x"], "note": ["y"]}
    assert ask(EXAMPLE | extras) == EXAMPLE_ANSWER
    assert list(judge_many([EXAMPLE | extras])) == [EXAMPLE_ANSWER]


@pytest.mark.parametrize(
    ("key", "hint"),
    [
        ("order", "did you mean `orders`?"),
        ("Orders", "did you mean `orders`?"),
        ("centres", "did you mean `centers`?"),
        ("ruleset", "did you mean `rules`?"),
        ("comment", "the keys are units, id, phase, rules, orders, dislodged, centers"),
        ("", "the keys are units"),
    ],
)
def test_an_unknown_key_is_an_error_of_its_line(key: str, hint: str) -> None:
    """It may be one that is misspelt: then all that stands below it would be passed over."""
    row = {**EXAMPLE, key: EXAMPLE["orders"]}
    for answer in (ask(row), *judge_many([row])):
        assert answer["id"] == "x1"
        assert answer["error"]["kind"] == "unknown-key"
        assert f"no request has a key `{key}` ({hint}" in answer["error"]["message"]


@pytest.mark.parametrize(
    ("given", "way_out"),
    [
        ({"phase": "winter"}, "'winter' - at `$.phase` (movement, retreat, adjustment)"),
        ({"season": "winter"}, "'winter' - at `$.season` (spring, fall)"),
        (
            {"orders": {"AUSTRIA": [], "FRANCE": "A PAR - BUR"}},
            '`$.orders[...]` (the entry of FRANCE is a text: write a list, ["A PAR - BUR"])',
        ),
        ({"units": {"FRANCE": "A PAR"}}, '`$.units[...]` (the entry of FRANCE is a text: write a list, ["A PAR"])'),
        ({"orders": {"FRANCE": [7]}}, "Expected `str`, got `int` - at `$.orders[...][0]`"),
        ({"orders": 7}, "Expected `object`, got `int` - at `$.orders`"),
    ],
)
def test_a_value_of_another_kind_is_told_what_belongs_there(given: dict[str, Any], way_out: str) -> None:
    row = {"id": 7, "units": {"FRANCE": ["A PAR"]}} | given
    told = json.loads(answer_line(json.dumps(row).encode()))
    assert told["id"] == 7
    assert told["error"]["message"].endswith(way_out)
    assert list(judge_many([row])) == [told]


def test_a_sheet_is_told_where_it_is_judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = tmp_path / "rules.txt"
    for text, hint in (("FRANCE:\nA PAR - BUR\n", True), ('{"units": {}}\nnonsense\n', False)):
        rows.write_text(text, encoding="utf-8")
        assert run(["batch", str(rows)]) == 1
        told = f"satjudge: {rows} has no JSON lines; if it is an order sheet, run `satjudge judge {rows}`\n"
        assert capsys.readouterr().err == (told if hint else "")


def test_unknown_keys_are_ignored_where_that_is_asked_for() -> None:
    row, settings = EXAMPLE | {"order": {"FRANCE": 3}, "comment": None}, Settings(allow_unknown=True)
    assert ask(row, settings) == EXAMPLE_ANSWER
    assert list(judge_many([row], settings)) == [EXAMPLE_ANSWER]


def test_an_adjustment_says_who_owns_which_centre() -> None:
    """Without centres every unit would be removed."""
    row = {"phase": "adjustment", "units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": []}}
    error = ask(row)["error"]
    assert error["kind"] == "request"
    assert "an adjustment phase needs the owners of the supply centres" in error["message"]
    assert '"centers": {"FRANCE"' in error["message"]
    assert ask(row | {"centers": {}})["automatic"] == {"FRANCE": ["A PAR"]}


@pytest.mark.parametrize(
    ("line", "key"),
    [
        (b'{"id": 1, "units": {"FRANCE": ["A PAR"]}, "units": {}}', "units"),
        (b'{"id": 1, "id": 2, "units": {}}', "id"),
        (b'{"units": {"FRANCE": ["A PAR"], "FRANCE": ["A MAR"]}}', "FRANCE"),
        (b'{"units": {}, "orders": {"FRANCE": ["A PAR H"], "FRANC\\u0045": []}}', "FRANCE"),
        (b'{"units" : {}, "id":{"a":[{"b":1, "b" :1}]}}', "b"),
        (b'{"units": {}, "phase": "retreat", "dislodged": {"FRANCE": {"A PAR": [], "A PAR": ["BUR"]}}}', "A PAR"),
        (b'{"units": {}, "expected": 1, "expected": 2}', "expected"),
        (b'{"units": {}, "id": ' + b"1" * 4000 + b', "phase": "movement", "phase": "movement"}', "phase"),
    ],
)
def test_a_key_that_stands_twice_is_an_error(line: bytes, key: str) -> None:
    error = well_formed(answer_line(line))["error"]
    assert error["kind"] == "request"
    assert f"the key '{key}' appears twice" in error["message"]


def test_colons_are_not_taken_for_keys() -> None:
    row = {"id": {'a:"b":': [":", {"c": ":"}, {"c": 1.5}]}, "units": {"Lepanto: a town": ["A PAR"]}, "title": "a: b"}
    assert ask(row)["units"] == {"Lepanto: a town": ["A PAR"]}


def test_what_belongs_to_another_phase_is_ignored() -> None:
    others = {"dislodged": {"FRANCE": {"A ?": ["?"]}}, "centers": {"FRANCE": ["?"]}}
    assert ask(EXAMPLE | others) == EXAMPLE_ANSWER
    empty = {"id": 1, "results": {}, "units": {}}
    assert ask({"id": 1, "phase": "retreat", "units": {}, "centers": others["centers"]}) == empty
    winter = {"id": 1, "phase": "adjustment", "units": {}, "centers": {}, "dislodged": others["dislodged"]}
    assert ask(winter) == empty | {"automatic": {}}


def test_orders_in_prose() -> None:
    orders = {
        "FRANCE": ["A Brest - London", "F English Channel Convoys A Brest - London"],
        "ENGLAND": ["F London Supports F Wales - English Channel", "f wales → english channel"],
    }
    assert ask(EXAMPLE | {"orders": orders}) == EXAMPLE_ANSWER


def test_a_position_without_units() -> None:
    assert ask({"id": 0, "units": {}})["units"] == {}


# Movement.


def test_dislodged_fleets_have_coasts_and_sorted_retreats() -> None:
    answer = ask(
        {
            "id": "mao",
            "units": {"ENGLAND": ["F NAO", "F IRI"], "FRANCE": ["F MAO"]},
            "orders": {"ENGLAND": ["F NAO - MAO", "F IRI S F NAO - MAO"], "FRANCE": ["F MAO H"]},
        }
    )
    assert answer["results"] == {"ENGLAND": ["succeeds", "given"], "FRANCE": ["dislodged"]}
    assert answer["dislodged"] == {"FRANCE": {"F MAO": ["BRE", "ENG", "GAS", "NAF", "POR", "SPA/NC", "SPA/SC", "WES"]}}
    assert answer["units"] == {"ENGLAND": ["F MAO", "F IRI"]}


def test_a_dislodged_fleet_is_named_with_its_coast() -> None:
    answer = ask(
        {
            "units": {"ITALY": ["F WES", "F LYO"], "FRANCE": ["F SPA/SC"]},
            "orders": {"ITALY": ["F WES - SPA/SC", "F LYO S F WES - SPA"], "FRANCE": []},
        }
    )
    assert answer["dislodged"] == {"FRANCE": {"F SPA/SC": ["MAO", "MAR", "POR"]}}
    assert answer["units"] == {"ITALY": ["F SPA/SC", "F LYO"]}


def test_a_destroyed_unit_has_no_retreats() -> None:
    answer = ask(
        {
            "units": {"AUSTRIA": ["A NAP"], "ITALY": ["A ROM", "A APU"]},
            "orders": {"AUSTRIA": ["A NAP H"], "ITALY": ["A ROM - NAP", "A APU S A ROM - NAP"]},
        }
    )
    assert answer["results"] == {"AUSTRIA": ["destroyed"], "ITALY": ["succeeds", "given"]}
    assert answer["dislodged"] == {"AUSTRIA": {"A NAP": []}}
    assert answer["units"] == {"ITALY": ["A NAP", "A APU"]}


@pytest.mark.parametrize(
    ("orders", "results"),
    [
        (["A PAR H", "A PAR - BUR"], ["stands", "illegal"]),
        (["A PAR - BUR", "A PAR - BUR"], ["succeeds", "succeeds"]),  # 4.D.3: the same
        (["A PAR - BUR", "A PAR - GAS"], ["succeeds", "illegal"]),
        (["A PAR - LON", "A PAR - BUR"], ["illegal", "succeeds"]),
        (["A PAR B", "A PAR D", "WAIVE", "A PAR - PIC", "A MAR H"], ["illegal", "illegal", "illegal", "succeeds", "illegal"]),
        (["A PAR S A MAR", "A PAR - PIC"], ["illegal", "succeeds"]),
        (["A PAR - BRE"], ["succeeds"]),
    ],
)
def test_the_first_legal_order_counts(orders: list[str], results: list[str]) -> None:
    assert ask({"units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": orders}})["results"] == {"FRANCE": results}


MANY = {
    "movement": ({}, ("A PAR - BUR", "A PAR - PIC")),
    "unreadable": ({}, ("A PAR - XXX",)),
    "retreat": ({"phase": "retreat", "dislodged": {"FRANCE": {"A BUR": ["MAR", "GAS"]}}}, ("A BUR R MAR", "A BUR R GAS")),
    "adjustment": ({"phase": "adjustment", "centers": {"FRANCE": []}}, ("A PAR D",)),
}


@pytest.mark.parametrize("phase", MANY)
@pytest.mark.parametrize("rules", ["datc-3", "1982"])
def test_many_orders_to_one_unit_take_no_longer_than_as_many_to_others(phase: str, rules: str) -> None:
    """With the square of their number, 20,000 would take half a minute."""
    more, texts = MANY[phase]
    row = {"units": {"FRANCE": ["A PAR"]}, "rules": rules, **more, "orders": {"FRANCE": [*texts] * (20_000 // len(texts))}}
    began = time.process_time()
    assert len(json.loads(answer_line(json.dumps(row).encode()))["results"]["FRANCE"]) == 20_000
    assert time.process_time() - began < 5


@pytest.mark.parametrize("phase", ["movement", "retreat", "adjustment"])
def test_an_unreadable_order_does_not_cost_the_phase(phase: str) -> None:
    """It is illegal and told (DATC 3.2, 4.E.1: “ignoring everything that isn't a proper order”), all else is judged."""
    good = {"movement": "A PAR - BUR", "retreat": "A PAR R BUR", "adjustment": "A BRE B"}[phase]
    row = {
        "id": 7,
        "phase": phase,
        "units": {} if phase == "retreat" else {"FRANCE": ["A PAR"]},
        "dislodged": {"FRANCE": {"A PAR": ["BUR"]}},
        "centers": {"FRANCE": ["PAR", "BRE"]},
        "orders": {"FRANCE": ["A PAR to Switzerland", good], "ITALY": ["whistle Dixie"]},
    }
    answer = ask(row)
    readable = ask(row | {"orders": {"FRANCE": [good]}})
    assert answer["results"] == {"FRANCE": ["illegal", "succeeds"], "ITALY": ["illegal"]}
    assert {key: answer[key] for key in readable if key != "results"} == {k: readable[k] for k in readable if k != "results"}
    first, second = answer["error"]["message"].split("; ")
    assert first.startswith("order 1 of FRANCE, column 10: expected a province, found 'Switzerland'")
    assert second.startswith("order 1 of ITALY, column 1: ")


def test_an_order_for_a_foreign_unit_is_illegal() -> None:
    answer = ask({"units": {"FRANCE": ["A PAR"]}, "orders": {"GERMANY": ["A PAR - BUR"]}})
    assert answer["results"] == {"GERMANY": ["illegal"]}
    assert answer["units"] == {"FRANCE": ["A PAR"]}


def test_powers_without_orders_have_no_results() -> None:
    units = {"FRANCE": ["A PAR"], "ITALY": ["A ROM"], "TURKEY": ["A CON"]}
    answer = ask({"units": units, "orders": {"ITALY": [], "FRANCE": ["A PAR H"], "RUSSIA": []}})
    assert answer["results"] == {"FRANCE": ["stands"]}
    assert answer["units"] == units


def test_results_and_units_stand_in_the_order_given() -> None:
    answer = ask(
        {
            "units": {"TURKEY": ["F SMY", "A CON"], "AUSTRIA": ["A VIE", "A BUD", "F TRI"]},
            "orders": {"AUSTRIA": ["F TRI - ADR", "A VIE - TRI"], "TURKEY": ["A CON - BUL", "F SMY - AEG"]},
        }
    )
    assert list(answer["results"].items()) == [("AUSTRIA", ["succeeds", "succeeds"]), ("TURKEY", ["succeeds", "succeeds"])]
    assert list(answer["units"].items()) == [("TURKEY", ["F AEG", "A BUL"]), ("AUSTRIA", ["A TRI", "A BUD", "F ADR"])]


def test_each_of_two_circles_is_a_ruling() -> None:
    circles = {"TURKEY": ["F ANK - CON", "A CON - SMY", "A SMY - ANK"], "ITALY": ["A ROM - NAP", "A NAP - APU", "A APU - ROM"]}
    units = {power: [order[:5] for order in orders] for power, orders in circles.items()}
    answer = ask({"units": units, "orders": circles})
    assert answer["resolutions"] == 4
    assert answer["complete"] is True
    assert answer["rulings"] == [{"rule": "circular", "core": core} for core in circles.values()]
    assert answer["results"] == dict.fromkeys(circles, ["succeeds"] * 3)


# Powers.


def test_the_spelling_of_powers_is_kept() -> None:
    answer = ask(
        {
            "units": {"french": ["A BRE", "F ENG"], "Great Britain": ["F LON", "F WAL"]},
            "orders": dict(zip(("french", "Great Britain"), EXAMPLE["orders"].values(), strict=True)),
        }
    )
    for key in ("results", "units", "dislodged"):
        expected = {"french" if power == "FRANCE" else "Great Britain": value for power, value in EXAMPLE_ANSWER[key].items()}
        assert answer[key] == expected


def test_the_spelling_of_powers_is_kept_in_adjustments() -> None:
    row = {"phase": "adjustment", "units": {"french": ["A PAR", "F ENG"]}, "centers": {"french": ["PAR"]}}
    assert ask(row) == {"id": None, "results": {}, "units": {"french": ["A PAR"]}, "automatic": {"french": ["F ENG"]}}


def test_a_spelled_power_owns_its_home_centres() -> None:
    row = {"phase": "adjustment", "units": {}, "centers": {"french": ["PAR"]}, "orders": {"french": ["A PAR B"]}}
    assert ask(row)["units"] == {"french": ["A PAR"]}


def test_unknown_powers_are_powers_of_their_own() -> None:
    answer = ask(
        {
            "units": {"Lepanto": ["A PAR", "A GAS"], "lepanto": ["A BUR"]},
            "orders": {"Lepanto": ["A PAR - BUR", "A GAS S A PAR - BUR"], "lepanto": ["A BUR H"]},
        }
    )
    assert answer["results"] == {"Lepanto": ["succeeds", "given"], "lepanto": ["dislodged"]}
    assert ask({"units": {}, "orders": {"Lepanto": ["A PAR H"]}})["results"] == {"Lepanto": ["illegal"]}


def test_unknown_powers_have_no_home_centres() -> None:
    row = {"id": 1, "phase": "adjustment", "units": {"Lepanto": ["A ROM"]}, "centers": {"Lepanto": ["PAR", "MAR"]}}
    assert ask(row | {"orders": {"Lepanto": ["A PAR B"]}})["results"] == {"Lepanto": ["illegal"]}
    row["centers"] = {}
    assert ask(row | {"orders": {"Lepanto": ["A ROM D"]}}) == {
        "id": 1,
        "results": {"Lepanto": ["succeeds"]},
        "units": {},
        "automatic": {},
    }


# Ids.

IDS: list[object] = [
    "x",
    "",
    'quote " and \\ and \u2028 and ü',
    0,
    -7,
    18446744073709551616,
    -(10**30),
    1.5,
    True,
    False,
    None,
    [],
    [1, [None, {"a": "b"}]],
    {"error": {}},
    {"error": {"kind": "json", "message": "no"}},
]


@pytest.mark.parametrize("identity", IDS, ids=repr)
def test_an_id_of_any_type_comes_back(identity: object) -> None:
    for row in ({"units": {"FRANCE": ["A PAR"]}}, {"units": {"FRANCE": ["A XYZ"]}}, {"units": 3}, {}):
        answer = ask({"id": identity, **row})
        assert json.dumps(answer["id"]) == json.dumps(identity)


# Retreats.


def test_a_retreat_phase_takes_what_a_movement_phase_gives() -> None:
    moved = ask(EXAMPLE)
    row = {"id": 2, "phase": "retreat", "units": moved["units"], "dislodged": moved["dislodged"]}
    assert ask(row | {"orders": {"FRANCE": ["F ENG R IRI"]}}) == {
        "id": 2,
        "results": {"FRANCE": ["succeeds"]},
        "units": {"FRANCE": ["A BRE", "F IRI"], "ENGLAND": ["F LON", "F ENG"]},
    }


@pytest.mark.parametrize(
    ("orders", "results", "after"),
    [
        (["F MAO - WES"], ["succeeds"], "F WES"),
        (["F MAO R SPA/SC"], ["succeeds"], "F SPA/SC"),
        (["F MAO R SPA"], ["illegal"], None),  # which coast?
        (["F MAO R GAS"], ["illegal"], None),
        (["F MAO R GAS", "F MAO R WES"], ["illegal", "succeeds"], "F WES"),
        (["F MAO R WES", "F MAO D"], ["succeeds", "illegal"], "F WES"),
        (["F MAO D"], ["succeeds"], None),
        (["F MAO H"], ["illegal"], None),
        (["F POR R WES"], ["illegal"], None),
        ([], None, None),
    ],
)
def test_retreats(orders: list[str], results: list[str] | None, after: str | None) -> None:
    answer = ask(
        {
            "phase": "retreat",
            "units": {"ENGLAND": ["F POR"]},
            "dislodged": {"FRANCE": {"F MAO": ["SPA/NC", "SPA/SC", "WES"]}},
            "orders": {"FRANCE": orders},
        }
    )
    units = {"ENGLAND": ["F POR"]} | ({"FRANCE": [after]} if after else {})
    assert answer == {"id": None, "results": {"FRANCE": results} if results else {}, "units": units}


def test_retreats_to_one_province_fail() -> None:
    answer = ask(
        {
            "phase": "retreat",
            "units": {},
            "dislodged": {"FRANCE": {"A BEL": ["HOL", "PIC"]}, "GERMANY": {"A KIE": ["HOL"], "F HEL": ["HOL", "DEN"]}},
            "orders": {"FRANCE": ["A BEL - HOL"], "GERMANY": ["F HEL - DEN", "A KIE - HOL"]},
        }
    )
    assert answer["results"] == {"FRANCE": ["fails"], "GERMANY": ["succeeds", "fails"]}
    assert answer["units"] == {"GERMANY": ["F DEN"]}


# Adjustments.


def test_builds_removals_and_civil_disorder() -> None:
    answer = ask(
        {
            "id": [1901],
            "phase": "adjustment",
            "units": {"FRANCE": ["A MAR"], "GERMANY": ["A KIE", "F BAL", "A RUH"], "RUSSIA": ["A MOS"]},
            "centers": {"FRANCE": ["PAR", "MAR", "BRE"], "GERMANY": ["KIE"], "RUSSIA": ["MOS", "STP", "WAR"]},
            "orders": {
                "FRANCE": ["A MAR B", "A PAR B", "F BRE B", "A PAR B"],
                "GERMANY": ["A RUH D", "A BER B"],
                "RUSSIA": ["F STP B", "F STP/SC B", "WAIVE", "WAIVE"],
            },
        }
    )
    assert answer == {
        "id": [1901],
        "results": {
            "FRANCE": ["illegal", "succeeds", "succeeds", "illegal"],
            "GERMANY": ["succeeds", "illegal"],
            "RUSSIA": ["illegal", "succeeds", "succeeds", "illegal"],
        },
        "units": {"FRANCE": ["A MAR", "A PAR", "F BRE"], "GERMANY": ["A KIE"], "RUSSIA": ["A MOS", "F STP/SC"]},
        "automatic": {"GERMANY": ["F BAL"]},
    }


def test_centres_may_be_spelled_out() -> None:
    row = {"phase": "adjustment", "units": {}, "centers": {"FRANCE": ["Paris"]}, "orders": {"FRANCE": ["Build A Paris"]}}
    assert ask(row)["units"] == {"FRANCE": ["A PAR"]}


# Errors.

PARIS = {"FRANCE": ["A PAR"]}
BAD_ROWS: dict[str, tuple[Row, str, tuple[str, ...]]] = {
    "units missing": ({}, "request", ("units",)),
    "units a list": ({"units": ["A PAR"]}, "request", ("units", "array")),
    "a unit a number": ({"units": {"FRANCE": [3]}}, "request", ("str", "int")),
    "orders a text": ({"units": PARIS, "orders": {"FRANCE": "A PAR H"}}, "request", ("orders",)),
    "an order null": ({"units": PARIS, "orders": {"FRANCE": [None]}}, "request", ("orders",)),
    "rules a number": ({"units": PARIS, "rules": 3}, "request", ("rules",)),
    "unknown phase": ({"units": PARIS, "phase": "winter"}, "request", ("phase", "winter")),
    "dislodged a list": ({"units": {}, "phase": "retreat", "dislodged": {"FRANCE": ["A PAR"]}}, "request", ("dislodged",)),
    "unknown map": ({"units": PARIS, "map": "../../etc/passwd"}, "request", ("there is no map named",)),
    "unknown rulebook": ({"units": PARIS, "rules": "datc-33"}, "rulebook", ("datc-33", "did you mean datc-3?")),
    "unknown province": ({"units": {"FRANCE": ["A PRS"]}}, "notation", ("units of FRANCE", "PRS")),
    "unknown province with a near one": ({"units": {"FRANCE": ["A Pariss"]}}, "notation", ("did you mean Paris (PAR)?",)),
    "a unit without a kind": ({"units": {"FRANCE": ["PAR"]}}, "notation", ("units of FRANCE", "A PAR or F PAR")),
    "two units in one place": ({"units": {"FRANCE": ["A BRE"], "ITALY": ["F BRE"]}}, "board", ("A BRE", "F BRE", "ITALY")),
    "a unit listed twice": ({"units": {"FRANCE": ["A BRE", "A BRE"]}}, "board", ("two units in BRE",)),
    "an army at sea": ({"units": {"FRANCE": ["A ENG"]}}, "board", ("English Channel",)),
    "a fleet inland": ({"units": {"FRANCE": ["F PAR"]}}, "board", ("Paris",)),
    "a fleet without its coast": ({"units": {"FRANCE": ["F SPA"]}}, "board", ("F SPA/NC or F SPA/SC",)),
    "all problems at once": ({"units": {"FRANCE": ["F PAR", "A ENG"]}}, "board", ("Paris", "English Channel")),
    "an unreadable order": (
        {"units": PARIS, "orders": {"FRANCE": ["A PAR H", "A PAR runs"], "ITALY": ["A ROM H"]}},
        "notation",
        ("order 2 of FRANCE, column 7", "runs", "for example A PAR H"),
    ),
    "an empty order": ({"units": PARIS, "orders": {"FRANCE": [""]}}, "notation", ("order 1 of FRANCE", "empty order")),
    "an endless order": ({"units": PARIS, "orders": {"FRANCE": ["A PAR" * 9999]}}, "notation", ("order 1 of FRANCE",)),
    "one power in two spellings": ({"units": PARIS, "orders": {"france": ["A PAR H"]}}, "request", ("FRANCE", "france")),
    "a power without a name": ({"units": {" ": ["A PAR"]}}, "request", ("name",)),
    "a dislodged unit unreadable": (
        {"units": {}, "phase": "retreat", "dislodged": {"FRANCE": {"PAR": ["BUR"]}}},
        "notation",
        ("dislodged units of FRANCE",),
    ),
    "a retreat unreadable": (
        {"units": {}, "phase": "retreat", "dislodged": {"FRANCE": {"A PAR": ["NOWHERE"]}}},
        "notation",
        ("dislodged units of FRANCE", "NOWHERE"),
    ),
    "a dislodged fleet inland": (
        {"units": {}, "phase": "retreat", "dislodged": {"FRANCE": {"F PAR": []}}},
        "board",
        ("Paris",),
    ),
    "a centre unreadable": (
        {"units": {}, "phase": "adjustment", "centers": {"FRANCE": ["Pariss"]}},
        "notation",
        ("centers of FRANCE", "did you mean Paris (PAR)?"),
    ),
    "a centre that is none": ({"units": {}, "phase": "adjustment", "centers": {"FRANCE": ["PIC"]}}, "board", ("Picardy",)),
    "a centre of two powers": (
        {"units": {}, "phase": "adjustment", "centers": {"FRANCE": ["PAR"], "Lepanto": ["PAR"]}},
        "request",
        ("PAR", "FRANCE", "Lepanto"),
    ),
}


@pytest.mark.parametrize("name", BAD_ROWS)
def test_bad_rows(name: str) -> None:
    row, kind, pieces = BAD_ROWS[name]
    answer = ask({"id": name, **row})
    assert answer["id"] == name
    assert answer["error"]["kind"] == kind
    for piece in pieces:
        assert piece in answer["error"]["message"]


BAD_LINES: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "request"),
    "blank": (b" \t ", "request"),
    "a word": (b"units", "json"),
    "broken off": (b'{"id": 1, "units": {"FRANCE": ["A PAR"', "json"),
    "broken after a wrong shape": (b'{"units": 3, "id": oops}', "json"),
    "two objects": (b'{"units": {}} {"units": {}}', "json"),
    "single quotes": (b"{'units': {}}", "json"),
    "a comma too many": (b'{"units": {},}', "json"),
    "a list": (b'[{"units": {}}]', "request"),
    "an empty list": (b"[]", "request"),
    "a broken list": (b'[{"units": {}}', "json"),
    "a number": (b"3", "request"),
    "null": (b"null", "request"),
    "a text": (b'"{}"', "request"),
    "NaN": (b"NaN", "json"),
    "NaN for an id": (b'{"id": NaN, "units": {}}', "json"),
    "a number out of range": (b'{"id": 1e999, "units": {}}', "request"),
    "a number out of range in a wrong shape": (b'{"id": 1e999, "units": 3}', "request"),
    "invalid UTF-8": (b'{"id": "\xff", "units": {}}', "json"),
    "invalid UTF-8 in a wrong shape": (b'{"units": 3, "id": "\xff"}', "json"),
    "invalid UTF-8 in a power": (b'{"units": {"\xc3\x28": []}}', "json"),
    "UTF-16": ('{"units": {}}'.encode("utf-16"), "json"),
    "a surrogate encoded": (b'{"id": "\xed\xa0\x80", "units": {}}', "json"),
    "a surrogate escaped": (b'{"id": "\\ud800", "units": {}}', "json"),
    "zero bytes": (b"\0\0\0", "json"),
    "deeply nested lists": (b"[" * 100_000, "json"),
    "deeply nested objects": (b'{"id":' * 100_000, "json"),
    "a deeply nested id": (b'{"units": {}, "id": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "json"),
    "a deeply nested id in a wrong shape": (b'{"units": 3, "id": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "json"),
    "too long": (b" " * (LONGEST_LINE + 1), "too-long"),
    "10 MB": (b'{"units": {}, "id": "' + b"x" * 10_000_000 + b'"}', "too-long"),
}


@pytest.mark.parametrize("name", BAD_LINES)
def test_bad_lines(name: str) -> None:
    line, kind = BAD_LINES[name]
    answer = well_formed(answer_line(line))
    assert (answer["id"], answer["error"]["kind"]) == (None, kind)


@pytest.mark.parametrize("depth", [1, 100, 900, *range(950, 1050, 7)])
def test_a_nested_id_comes_back_or_is_an_error(depth: int) -> None:
    nested = b"[" * depth + b"]" * depth
    answer = answer_line(b'{"id": ' + nested + b', "units": {}}')
    assert answer.startswith(b'{"id":' + nested) or (depth > 900 and is_error(answer))


def test_the_longest_line_is_judged() -> None:
    line = json.dumps(EXAMPLE).encode().ljust(LONGEST_LINE)
    assert well_formed(answer_line(line)) == EXAMPLE_ANSWER


def test_an_unresolved_core() -> None:
    answer = ask(EXAMPLE, Settings(settings=("4.A.2=none",)))
    assert answer["id"] == "x1"
    assert answer["error"]["kind"] == "unresolved"
    assert "F ENG C A BRE - LON; F LON S F WAL - ENG; F WAL - ENG" in answer["error"]["message"]


def test_what_brute_force_cannot_do() -> None:
    moves = "A VIE-TRI,A BUD-SER,F TRI-ALB,F EDI-NWG,F LON-NTH,A LVP-YOR,F BRE-MAO,A PAR-BUR,A MAR-SPA,F KIE-DEN,A BER-KIE"
    moves += ",A MUN-RUH,F NAP-ION,A ROM-APU,A VEN-PIE,A MOS-UKR,A WAR-GAL,F SEV-BLA,F ANK-CON"
    row = {"id": 1, "units": {"Lepanto": [move[:5] for move in moves.split(",")]}, "orders": {"Lepanto": moves.split(",")}}
    assert ask(row)["results"] == {"Lepanto": ["succeeds"] * 19}
    error = ask(row, Settings(engine=Engine.BRUTE))["error"]
    assert error["kind"] == "unanswered"
    assert "at most 18 decisions, not 19" in error["message"]


# Settings.


def test_settings_apply_to_every_line() -> None:
    settings = Settings(settings=("4.A.2=all-hold",))
    answer = ask(EXAMPLE, settings)
    assert [*judge_many([EXAMPLE], settings)] == [answer]
    assert answer["results"]["FRANCE"][0] == answer["results"]["ENGLAND"][1] == "fails"
    assert answer["dislodged"] == {}
    assert [ruling["rule"] for ruling in answer["rulings"]] == ["all-hold"]


def test_a_line_names_its_own_rulebook(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text('based_on = "datc-3"\nsettings."4.A.2" = "all-hold"\n', encoding="utf-8")
    default = Settings(rules=str(own))
    assert ask(EXAMPLE, default) == EXAMPLE_ANSWER
    assert ask(EXAMPLE | {"rules": None}, default)["rulings"][0]["rule"] == "all-hold"
    assert ask({key: value for key, value in EXAMPLE.items() if key != "rules"}, default)["rulings"][0]["rule"] == "all-hold"


def test_judge_many_is_lazy_and_goes_on_after_errors() -> None:
    taken: list[int] = []

    def rows() -> Iterator[Mapping[str, Any]]:
        bad = {"id": 2, "units": 3}, {"id": 3, "units": {"X": ["?"]}}
        for number, row in enumerate([EXAMPLE, *bad, MappingProxyType(EXAMPLE)]):
            taken.append(number)
            yield row

    answers = judge_many(rows())
    assert taken == []
    assert next(answers) == EXAMPLE_ANSWER
    assert taken == [0]
    second, third, fourth = answers
    assert (second["id"], second["error"]["kind"]) == (2, "request")
    assert (third["id"], third["error"]["kind"]) == (3, "notation")
    assert fourth == EXAMPLE_ANSWER


@pytest.mark.parametrize(
    "row", [None, 3, "units", [], [EXAMPLE], b"{}", {1: 2}, {"units": {}, 3: 4}, {"units": {1, 2}}, object], ids=repr
)
def test_a_row_of_any_kind_is_answered(row: Any) -> None:  # noqa: ANN401
    first, second = judge_many([row, EXAMPLE])
    assert first["id"] is None
    assert first["error"]["kind"] in ("request", "unknown-key")
    assert second == EXAMPLE_ANSWER


def test_rows_that_cannot_be_sent_to_a_process_are_answered_all_the_same() -> None:
    rows: list[Any] = [EXAMPLE, MappingProxyType(EXAMPLE), None, {"id": 4, "units": lambda: None}]
    answers = list(judge_many(rows, jobs=2))
    assert answers[:2] == [EXAMPLE_ANSWER] * 2
    assert [answer["error"]["kind"] for answer in answers[2:]] == ["request"] * 2


# What a mistake of satjudge's own does to the lines around it.


@pytest.fixture
def mistaken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Judging raises what it should not, where a row's id says so."""
    judged = batch_module.judge_request
    raised: dict[object, BaseException] = {
        "key": KeyError("pi̇c"), "memory": MemoryError(), "deep": RecursionError("too deep"), "stop": KeyboardInterrupt(),
        "import": ImportError("initialization failed"),
    }  # fmt: skip
    raised["import"].__cause__ = KeyboardInterrupt()

    def judged_or_not(request: batch_module.Request, settings: Settings) -> Row:
        if isinstance(request.id, str) and request.id in raised:
            raise raised[request.id]
        return judged(request, settings)

    monkeypatch.setattr(batch_module, "judge_request", judged_or_not)


INTERNAL = {"key": "KeyError: 'pi̇c'", "memory": "MemoryError", "deep": "RecursionError: too deep"}


@pytest.mark.slow
@pytest.mark.usefixtures("mistaken")
def test_whatever_an_answer_raises_is_the_error_of_its_line(batch: Batch) -> None:
    rows = [EXAMPLE, *(EXAMPLE | {"id": name} for name in INTERNAL), EXAMPLE]
    code, _, _ = batch(GOOD)
    assert code == 0
    found = [json.loads(answer_line(stream(row))) for row in rows]
    assert found == list(judge_many(rows)) == list(Answering().rows(rows))
    assert found[0] == found[-1] == EXAMPLE_ANSWER
    for answer, (name, message) in zip(found[1:-1], INTERNAL.items(), strict=True):
        assert answer["id"] == name
        assert answer["error"]["kind"] == "internal"
        assert message in answer["error"]["message"]


@pytest.mark.usefixtures("mistaken")
def test_the_command_goes_on_after_an_internal_error(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(GOOD + stream(EXAMPLE | {"id": "key"}) + GOOD)))
    assert run(["batch"]) == 1
    first, second, third = map(json.loads, capsysbinary.readouterr().out.splitlines())
    assert first == third == EXAMPLE_ANSWER
    assert second["error"]["kind"] == "internal"


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_error_without_an_id_has_the_number_of_its_line(jobs: str, batch: Batch) -> None:
    code, (first, second, third), _ = batch(b'{"units": {"X": ["?"]}}\n' + GOOD + b"x\n", "--jobs", jobs)
    assert (code, second) == (1, EXAMPLE_ANSWER)
    assert first["error"]["message"].startswith("line 1: units of X, ")
    assert third["error"] == {"kind": "json", "message": "line 3: not valid JSON: invalid character (byte 0)"}


@pytest.mark.usefixtures("mistaken")
def test_where_a_mistake_is_can_be_seen(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("SATJUDGE_DEBUG", "1")
    answer_line(stream(EXAMPLE | {"id": "key"}))
    assert "in judged_or_not" in capsys.readouterr().err


@pytest.mark.usefixtures("mistaken")
@pytest.mark.parametrize("name", ["stop", "import"])
def test_an_interrupt_is_no_error_of_a_line(name: str) -> None:
    """Nor is what a compiled module makes of one."""
    with pytest.raises(KeyboardInterrupt):
        answer_line(stream(EXAMPLE | {"id": name}))


def test_turkish_letters_do_not_end_a_run(batch: Batch) -> None:
    texts = ["A PAR - PİC", "A PAR - pıc", "a parıſ - pic", "A PAR - PİÇ"]
    rows = [{"id": text, "units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": [text]}} for text in texts]
    code, answers, _ = batch(GOOD + b"".join(map(stream, rows)) + GOOD)
    assert code == 1
    assert [answer.get("units", {}).get("FRANCE") for answer in answers[1:4]] == [["A PIC"]] * 3
    assert answers[4]["error"]["kind"] == "notation"
    assert answers[0] == answers[5] == EXAMPLE_ANSWER


# The command.


class Batch:
    """Runs `satjudge batch` in this process on bytes as standard input."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, captured: pytest.CaptureFixture[bytes]) -> None:
        self.monkeypatch = monkeypatch
        self.captured = captured

    def __call__(self, data: bytes | io.BufferedReader, *arguments: str) -> tuple[int, list[Row], str]:
        stdin = io.BytesIO(data) if isinstance(data, bytes) else data
        self.monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=stdin))
        code = run(["batch", *arguments])
        out, err = self.captured.readouterr()
        return code, [well_formed(line) for line in out.split(b"\n")[:-1]], err.decode()


@pytest.fixture
def batch(monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> Batch:
    return Batch(monkeypatch, capsysbinary)


GOOD = stream(EXAMPLE)


def test_exit_code_without_errors(batch: Batch) -> None:
    assert batch(GOOD + GOOD) == (0, [EXAMPLE_ANSWER, EXAMPLE_ANSWER], "")


def test_exit_code_of_empty_input(batch: Batch, tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    for arguments in ((), ("-",), (str(empty),)):
        code, answers, message = batch(b"", *arguments)
        assert (code, answers) == (5, [])
        assert "nothing ran" in message


def test_other_lines_are_answered(batch: Batch) -> None:
    data = b"".join(line + b"\n" + GOOD for line, _ in BAD_LINES.values())
    code, answers, _ = batch(data)
    assert code == 1
    assert [answer.get("error", {}).get("kind") for answer in answers[::2]] == [kind for _, kind in BAD_LINES.values()]
    assert answers[1::2] == [EXAMPLE_ANSWER] * len(BAD_LINES)


def test_line_ends(batch: Batch) -> None:
    line = GOOD.rstrip()
    assert batch(line + b"\r\n" + line) == (0, [EXAMPLE_ANSWER] * 2, "")


def test_a_byte_order_mark(batch: Batch, tmp_path: Path) -> None:
    """At the start of the input only; Windows programs write one."""
    mark = "\ufeff".encode()
    assert batch(mark + GOOD + GOOD) == (0, [EXAMPLE_ANSWER] * 2, "")
    assert batch(mark + GOOD.rstrip().ljust(LONGEST_LINE) + b"\r\n" + GOOD)[0] == 0
    file = tmp_path / "rows.jsonl"
    file.write_bytes(mark + GOOD)
    assert batch(b"", str(file)) == (0, [EXAMPLE_ANSWER], "")
    assert batch(mark)[:2] == (5, [])
    assert batch(GOOD + mark + GOOD)[1][1]["error"]["kind"] == "json"


def test_a_line_at_the_limit(batch: Batch) -> None:
    longest = GOOD.rstrip().ljust(LONGEST_LINE)
    longer = longest + b" "
    for end in (b"\n", b"\r\n"):
        code, answers, _ = batch(longest + end + longer + end + GOOD)
        assert code == 1
        assert [answer.get("error", {}).get("kind") for answer in answers] == [None, "too-long", None]
    assert batch(longest)[0] == 0
    assert batch(longer)[1][0]["error"]["kind"] == "too-long"


def test_the_rest_of_a_long_line_is_not_taken_for_nothing(batch: Batch) -> None:
    start = GOOD.rstrip().ljust(LONGEST_LINE - 1)
    code, answers, _ = batch(start + b"\r\r\r and more\n" + GOOD)
    assert code == 1
    assert [answer.get("error", {}).get("kind") for answer in answers] == ["too-long", None]


def test_a_file(batch: Batch, tmp_path: Path) -> None:
    file = tmp_path / "rows.jsonl"
    file.write_bytes(GOOD + b"{\n")
    code, answers, _ = batch(b"", str(file))
    assert code == 1
    assert answers[0] == EXAMPLE_ANSWER
    assert answers[1]["error"]["kind"] == "json"


@pytest.mark.parametrize("name", ["missing.jsonl", "."])
def test_a_file_that_cannot_be_read(batch: Batch, name: str, tmp_path: Path) -> None:
    code, answers, message = batch(GOOD, str(tmp_path / name))
    assert (code, answers) == (2, [])
    assert f"cannot read {tmp_path / name}" in message


def test_options(batch: Batch) -> None:
    code, (answer,), _ = batch(GOOD, "--set", "4.A.2=all-hold", "--engine", "full")
    assert code == 0
    assert answer["rulings"][0]["rule"] == "all-hold"


def test_the_flag_for_unknown_keys(batch: Batch) -> None:
    line = stream(EXAMPLE | {"comment": "mine"})
    assert batch(line)[0] == 1
    assert batch(line, "--allow-unknown") == (0, [EXAMPLE_ANSWER], "")


@pytest.mark.parametrize("arguments", [("--rules", "nonsense"), ("--set", "4.A.2=nonsense"), ("--engine", "nonsense")])
def test_wrong_options_are_told_once(batch: Batch, arguments: tuple[str, str]) -> None:
    code, answers, message = batch(GOOD * 3, *arguments)
    assert (code, answers) == (2, [])
    assert message.count("nonsense") == 1


class EndlessLine(io.RawIOBase):
    """A line of many bytes and then a good one, made up as they are read."""

    def __init__(self, size: int, then: bytes) -> None:
        self.left, self.then = size, then

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401
        if self.left:
            count = min(self.left, len(buffer))
            buffer[:count] = b"x" * count
            self.left -= count
        else:
            count = min(len(self.then), len(buffer))
            buffer[:count] = self.then[:count]
            self.then = self.then[count:]
        return count


def test_a_long_line_is_not_kept_in_memory(batch: Batch) -> None:
    size = 10 * LONGEST_LINE
    batch(GOOD)
    tracemalloc.start()
    try:
        code, answers, _ = batch(io.BufferedReader(EndlessLine(size, b"\n" + GOOD)))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert code == 1
    assert answers[0]["error"]["kind"] == "too-long"
    assert answers[1:] == [EXAMPLE_ANSWER]
    assert peak < size / 2


def test_each_line_is_answered_before_the_next_is_written() -> None:
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}
    process = subprocess.Popen([*COMMAND, "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
    assert process.stdin
    assert process.stdout
    watchdog = threading.Timer(30, process.kill)
    watchdog.start()
    try:
        for row in (EXAMPLE, EXAMPLE | {"id": 2, "units": {}}, {"id": 3}):
            process.stdin.write(stream(row))
            process.stdin.flush()
            answer = process.stdout.readline()
            assert answer, "no answer before the next line"
            assert well_formed(answer.rstrip())["id"] == row["id"]
        process.stdin.close()
        assert process.stdout.read() == b""
        assert process.wait() == 1
    finally:
        watchdog.cancel()
        process.kill()
        process.stdout.close()


def test_every_exported_case_is_answered_as_expected(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["export"]) == 0
    lines = capsys.readouterr().out.splitlines()
    rows = [json.loads(line) for line in lines]
    assert len({row["id"] for row in rows}) == len(rows)
    assert len([row for row in rows if "/" not in row["id"]]) == 176
    assert len([row for row in rows if row["phase"] == "retreat"]) >= 15
    assert {row["id"]: well_formed(answer_line(line.encode())) for row, line in zip(rows, lines, strict=True)} == {
        row["id"]: row["expected"] for row in rows
    }


# Input of any kind.

LINES = [json.dumps(row).encode() for row, _, _ in BAD_ROWS.values()] + [
    json.dumps(EXAMPLE).encode(),
    b'{"id":7,"phase":"retreat","units":{"ENGLAND":["F ENG"]},"dislodged":{"FRANCE":{"F MAO":["SPA/NC","WES"]}},'
    b'"orders":{"FRANCE":["F MAO R SPA/NC"]}}',
    b'{"id":8,"phase":"adjustment","units":{"FRANCE":["F ENG"]},"centers":{"FRANCE":["PAR","BRE"]},'
    b'"orders":{"FRANCE":["A PAR B"]}}',
]
PIECES = [b"{", b"}", b"[", b"]", b'"', b",", b":", b"null", b"\xff", b"\\ud800", b"\\", b"0", b"-", b"SPA/EC", b"A ", b"NaN"]


@st.composite
def spliced(draw: st.DrawFn) -> bytes:
    """A line that is nearly right: pieces of it cut out and others put in."""
    line = draw(st.sampled_from(LINES))
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(line)))
        end = min(len(line), start + draw(st.integers(0, 8)))
        line = line[:start] + draw(st.one_of(st.sampled_from(PIECES), st.binary(max_size=4))) + line[end:]
    return line


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
LOCATIONS = st.sampled_from(
    ["PAR", "BRE", "MAR", "ENG", "MAO", "SPA", "SPA/NC", "SPA/SC", "SPA/EC", "POR", "LON", "WAL", "BEL", "PIC", "STP/SC", "SWI"]
)
UNITS = st.builds("{} {}".format, st.sampled_from("AF"), LOCATIONS)
ORDERS = st.one_of(
    st.builds("{} {}".format, UNITS, st.sampled_from(["H", "D", "B"])),
    st.builds("{} {} {}".format, UNITS, st.sampled_from(["-", "R", "S"]), LOCATIONS),
    st.builds("{} {} {} - {}".format, UNITS, st.sampled_from(["S", "C", "-"]), UNITS, LOCATIONS),
    st.sampled_from(["WAIVE", "A BRE - LON VIA", "F ENG C A BRE - LON", "LON H", "Build Paris"]),
    st.text(max_size=12),
)
POWERS = st.sampled_from(["FRANCE", "ENGLAND", "french", "Lepanto"]) | st.text(max_size=3)
REQUESTS = st.fixed_dictionaries(
    {"units": st.dictionaries(POWERS, st.lists(UNITS, max_size=4, unique_by=lambda unit: unit[2:5]), max_size=2)},
    optional={
        "id": JSON,
        "phase": st.sampled_from(["movement", "retreat", "adjustment"]),
        "rules": st.sampled_from(["datc-3", "none", "x.toml", None]),
        "orders": st.dictionaries(POWERS, st.lists(ORDERS, max_size=5), max_size=3),
        "dislodged": st.dictionaries(POWERS, st.dictionaries(UNITS, st.lists(LOCATIONS, max_size=3), max_size=2), max_size=2),
        "centers": st.dictionaries(POWERS, st.lists(LOCATIONS, max_size=3), max_size=2),
    },
)
KEYS = st.sampled_from(["id", "phase", "rules", "units", "orders", "dislodged", "centers", "other"])


@given(st.one_of(st.binary(max_size=60), spliced(), JSON.map(lambda value: json.dumps(value).encode())))
def test_any_bytes_have_a_well_formed_answer(line: bytes) -> None:
    answer = well_formed(answer_line(line))
    try:
        value = json.loads(line, parse_constant=float)
    except (ValueError, UnicodeDecodeError):
        return
    if isinstance(value, dict) and "id" in value and answer.get("error", {}).get("kind") != "json":
        assert answer["id"] in (value["id"], None)


@given(st.dictionaries(KEYS, JSON, max_size=5))
def test_any_object_has_a_well_formed_answer_with_its_id(row: Row) -> None:
    assert ask(row)["id"] == row.get("id")


@given(REQUESTS)
def test_any_request_is_judged_or_refused(row: Row) -> None:
    answer = ask(row)
    assert answer["id"] == row.get("id")
    if "results" in answer:
        given_orders = {power: len(orders) for power, orders in row.get("orders", {}).items() if orders}
        assert {power: len(results) for power, results in answer["results"].items()} == given_orders
        standing = [unit for units in answer["units"].values() for unit in units]
        assert all(re.fullmatch(r"[AF] [A-Z]{3}(/[NSEW]C)?", unit) for unit in standing)
        if row.get("phase", "movement") != "retreat":  # whose request may say that a unit may go where another one stands
            assert len({unit[2:5] for unit in standing}) == len(standing)
    else:
        assert answer["error"]["kind"] != "json"


def test_a_worker_that_dies_is_told_in_plain_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def lose_one() -> None:
        with processes(2) as executor:
            assert executor is not None
            executor.submit(os._exit, 1).result()

    with pytest.raises(WorkerLostError, match="fewer --jobs"):
        lose_one()

    def dies(*arguments: object) -> None:
        raise WorkerLostError("a worker process ended before its work was done")

    monkeypatch.setattr(batch_command, "_answer_rows", dies)
    assert run(["batch", "-"]) == 3


def test_a_key_that_is_no_text_is_an_error_of_its_line() -> None:
    line = b'{"id": 1, "\x80itle": "t", "units": {"FRANCE": ["A PAR"]}, "orders": {}}'
    answered = json.loads(answer_line(line))
    assert answered["id"] == 1
    assert answered["error"]["kind"] == "request"
    assert "not UTF-8" in answered["error"]["message"]


def test_a_line_on_another_map() -> None:
    """DATC 2.4, 8.B and 7.B.18: the season and the owners of centres count there."""
    arctic = {"map": "loeb9", "units": {"NORWAY": ["F ARC"]}, "orders": {"NORWAY": ["F ARC - NWG"]}}
    train = {"map": "colonial", "units": {"RUSSIA": ["A MOS"]}, "orders": {"RUSSIA": ["A MOS - TSR - VLA"]}}
    fall, spring = ({**arctic, "season": season} for season in ("fall", "spring"))
    rows = [fall, spring, arctic, train, {**train, "centers": {"CHINA": ["OMS"]}}]
    results = [next(iter(answer["results"].values()))[0] for answer in judge_many(rows)]
    assert results == ["illegal", "succeeds", "succeeds", "succeeds", "stops"]


def test_the_documented_verdicts_are_those_that_there_are() -> None:
    text = DOCS.read_text(encoding="utf-8").partition("### Verdicts")[2].partition("###")[0]
    rows = re.findall(r"^[|] (`.+?) [|] (.+?) [|]", text, re.MULTILINE)
    assert [word for words, _ in rows for word in re.findall(r"`(\w+)`", words)] == list(OrderResult)
    assert set(re.findall(r"`(\w+)` if\s+it\s+can", text)) == set(Fate)


@pytest.mark.parametrize(
    ("order", "verdict"),
    [
        ("A BUR H", "dislodged"), ("A BUR - RUH", "fails, dislodged"), ("A BUR S A RUH", "cut, dislodged"),
        ("A BUR S A MUN - RUH", "invalid, dislodged"), ("A BUR - EDI", "illegal, dislodged"),
    ],
)  # fmt: skip
def test_the_documented_verdicts_of_dislodged_units(order: str, verdict: str) -> None:
    units = {"FRANCE": ["A PAR", "A GAS"], "GERMANY": ["A BUR", "A RUH", "A MUN"]}
    orders = {"FRANCE": ["A PAR - BUR", "A GAS S A PAR - BUR"], "GERMANY": [order, "A RUH H"]}
    said = json.loads(answer_line(json.dumps({"units": units, "orders": orders}).encode()))
    assert (said["results"]["GERMANY"][0], *said["dislodged"]["GERMANY"]) == (verdict, "A BUR")
