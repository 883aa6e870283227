"""The catalogue: every board is judged as written, has the core that it says, and as few units as it claims."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from core_units import count_core_units

from satjudge.apps.cli import run
from satjudge.base.errors import NotFoundError
from satjudge.explain.cores import classify_cores
from satjudge.judging.check import check
from satjudge.judging.equations.situation import ConvoyDecision
from satjudge.judging.judge import judge
from satjudge.judging.judge import resolutions as resolutions_of
from satjudge.notation.bundled_cases import read_bundled_cases, read_collection
from satjudge.search.goals.cores import CoreShape
from satjudge.search.open_orders.universe import Universe, spots_of
from satjudge.search.search import Objective, Search, Status
from satjudge.world.geography import load_map, province_of
from satjudge.world.orders import Move
from satjudge.world.rules import load_rulebook

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks" / "studies"))
import search_catalogue

PAGE = (Path(__file__).parents[2] / "docs" / "papers" / "catalogue.md").read_text(encoding="utf-8")
SHEETS = {sheet.identity.removeprefix("catalogue-"): sheet for sheet in read_collection("catalogue")}
CORE_LIST = Path(__file__).parents[2] / "benchmarks" / "studies" / "core_list.jsonl"
DRAWN = {"6C6M6S-2r-0ef94b09"}
"""Shapes of which drawing proves what counting leaves open: the paradox of DATC 6.F.28."""


def test_the_catalogue_has_the_shapes_of_the_first_census_and_that_of_the_datc() -> None:
    known = {sheet.identity for sheet in read_collection("census")}
    assert len(SHEETS) == 38
    assert SHEETS.keys() - known == {"6C6M6S-2r-0ef94b09"}  # DATC 6.F.28


def test_every_shape_of_the_census_is_in_the_list_of_all_cores_and_no_example_is_smaller_than_can_be() -> None:
    """The list is drawn up from docs/papers/cores.md, which knows no random boards; it ends with rings of seven moves."""
    listed = {line["shape"]: line["at_least"] for line in map(json.loads, CORE_LIST.read_text("utf-8").splitlines())}
    found = {sheet.identity: len(sheet.board.units) for sheet in read_collection("census")}
    longer = {shape: int(shape.split("M-2r-")[0]) for shape in found if re.match(r"([89]|\d\d)M-2r-", shape)}
    assert (len(found), len(longer)) == (80, 4)
    assert found.keys() - longer.keys() <= listed.keys()
    least = longer | listed
    assert [shape for shape, units in found.items() if units < least[shape]] == []


@pytest.mark.parametrize("shape", SHEETS)
def test_a_board_of_the_catalogue_has_its_core_and_the_least_units(shape: str) -> None:
    sheet = SHEETS[shape]
    assert check(sheet, load_rulebook("datc-3")).passed
    cores = classify_cores(judge(sheet.board, sheet.orders_by_power()).adjudication)
    core = next(core for core in cores if core.shape == shape)
    units, least = len(sheet.board.units), count_core_units(core)
    assert (units > least) is (shape in DRAWN)
    claim = "no smaller board exists"
    if shape in DRAWN:
        listed = map(json.loads, CORE_LIST.read_text(encoding="utf-8").splitlines())
        assert next(line for line in listed if line["shape"] == shape)["at_least"] == units
        claim += " on the standard map"
    assert f"| {units} | [`{shape}`](../../datc_cases/catalogue/{shape}.txt) | {core.name} | {claim} |" in PAGE
    assert f"{units} units; {claim}" in sheet.notes["note"]


@pytest.mark.parametrize("shape", SHEETS)
def test_the_page_says_what_happens_on_a_board_and_which_command_shows_it(
    shape: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The words are made from the core; here from what the judge says of it."""
    sheet = SHEETS[shape]
    orders = search_catalogue.movement_orders(sheet)
    outcome = judge(sheet.board, orders)
    entry = search_catalogue.Entry(shape, outcome, orders, 0, "")
    section = "\n".join(search_catalogue.section_of(entry))
    assert section in PAGE
    (command,) = re.findall(r"```sh\nsatjudge (.*)\n```", section)
    assert run(command.split()) == 0
    assert sheet.heading in capsys.readouterr().out
    (ruling,) = outcome.adjudication.rulings
    values = outcome.adjudication.values
    convoys = [decision for decision in ruling.core if isinstance(decision, ConvoyDecision)]
    if "-2r-" in shape:
        resolutions = resolutions_of(sheet.board, orders).list_first(3)
        holding = sorted(sum(found[decision.index] for decision in convoys) for found in resolutions)
        assert len(holding) == 2
        assert ("In each of them, one convoy succeeds" in section) is (holding == [1, 1])
        assert ("in the other." in section) is (bool(convoys) and holding == [0, len(convoys)])
        assert ("All moves succeed." in section) is (not convoys and all(values[decision.index] for decision in ruling.core))
    assert ("without a resolution" in section) is ("-0r-" in shape)
    assert ("Szykman's rule disrupts" in section) is (bool(convoys) and not any(values[one.index] for one in convoys))


@pytest.mark.parametrize(
    "shape", ["2M-2r-8f8dc5ac", "2M-2r-f384c711", "3M-2r-f25cf801", "1C1M1S-2r-21451013", "1C1M1S-0r-81281ad4"]
)
def test_a_search_refutes_one_unit_less(shape: str) -> None:
    """In the provinces of the board, over all orders; what is counted, held to something else."""
    sheet = SHEETS[shape]
    moves = (order for orders in sheet.orders_by_power().values() for order in orders if isinstance(order, Move))
    region = frozenset((*sheet.board.unit_at, *(province_of(move.destination) for move in moves)))
    universe = Universe(load_rulebook("datc-3"), spots=spots_of(load_map(), region), region=region)
    fewer = len(sheet.board.units) - 1
    assert Search(universe, CoreShape(shape), Objective.UNITS, fewer, workers=1).run().status is Status.NONE


BETRAYALS = ["catalogue:1C1M1S-0r-81281ad4 (betrayal paradox)", "catalogue:1C2M1S-0r-23425d29 (betrayal paradox)"]


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("catalogue:betrayal", BETRAYALS),
        ("catalogue:betrayl", BETRAYALS),
        ("catalogue:Simple paradox", ["catalogue:1C1M1S-2r-21451013 (simple paradox)"]),
        ("catalogue:pandin", ["catalogue:1C1M1S-0r-de2bd8fd (Pandin's paradox)"]),
        ("datc:betrayal", ["datc:6.F.18 (Betrayal paradox)"]),
        ("catalogue:circular", ["catalogue:2M-2r-8f8dc5ac (circular movement of 2, 1 by convoy)", "and 9 more"]),
    ],
)  # fmt: skip
def test_words_that_are_no_name_lead_to_the_boards_with_such_a_title(said: str, meant: list[str]) -> None:
    with pytest.raises(NotFoundError) as told:
        read_bundled_cases(said)
    assert told.value.suggestion is not None
    for one in meant:
        assert one in told.value.suggestion
    assert told.value.suggestion.startswith("did you mean ")
