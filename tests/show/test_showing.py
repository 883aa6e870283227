"""What a value shows of itself at a prompt and to `print`: a line that can be read, or a table."""

from __future__ import annotations

import subprocess
import sys

import pytest
from helpers.boards import board_of

from satjudge import Board, Position, judge, judge_phase, load_map, resolutions, starting_board
from satjudge.apps.cli import run
from satjudge.explain.compare import compare
from satjudge.judging.judge import read_situation
from satjudge.judging.outcome import Outcome
from satjudge.notation.bundled_cases import find_bundled_case
from satjudge.world.board import DislodgedUnit, Phase, Unit
from satjudge.world.geography import UnitKind

LONGEST = 2000
"""Characters of the longest line, for a full board."""
PARADOX = {"FRANCE": ["A BRE - LON", "F ENG C A BRE - LON"], "ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG"]}


@pytest.fixture
def paradox() -> Outcome:
    return judge(board_of({"FRANCE": ["A BRE", "F ENG"], "ENGLAND": ["F LON", "F WAL"]}), PARADOX)


def full_board() -> tuple[Board, dict[str, list[str]]]:
    """34 units, as many as there are centres, with long orders."""
    game_map = load_map()
    fleets = [Unit("RUSSIA", UnitKind.FLEET, code) for code in sorted(game_map.seas)]
    armies = [Unit("ENGLAND", UnitKind.ARMY, code) for code in sorted(game_map.centers)]
    board = Board((*fleets, *armies)[:34], centers=dict.fromkeys(sorted(game_map.centers), "ENGLAND"))
    return board, {
        "RUSSIA": [f"{unit} C A LON - PIC" for unit in board.units if unit.kind is UnitKind.FLEET],
        "ENGLAND": [f"{unit} S A LON - PIC" for unit in board.units if unit.kind is UnitKind.ARMY],
    }


def test_each_is_a_line_even_of_a_full_board() -> None:
    board, orders = full_board()
    assert len(board.units) == 34
    outcome, found, situation = judge(board, orders), resolutions(board, orders), read_situation(board, orders)
    lost = tuple(DislodgedUnit(unit, ()) for unit in board.units)
    disbanded = [f"{unit} D" for unit in board.units if unit.power == "RUSSIA"]
    retreats = judge_phase(Board((), lost, phase=Phase.RETREAT), {"RUSSIA": disbanded})
    starving = Board(board.units, centers={"LON": "RUSSIA"}, phase=Phase.ADJUSTMENT)
    values = [
        board, outcome, found, situation, retreats, judge_phase(starving, {}), board.map, outcome.docket, outcome.adjudication,
        retreats.next_board, *situation.decisions, *situation.places.values(), *found.components, *found.cores,
    ]  # fmt: skip
    for value in values:
        shown = repr(value)
        assert len(shown) < LONGEST
        assert "\n" not in shown


def test_outcomes_count_their_verdicts(paradox: Outcome) -> None:
    assert repr(paradox) == (
        "<Outcome: datc-3; 4 orders: 1 fails, 1 disrupted and dislodged, 1 given, 1 succeeds; dislodged F ENG; "
        "backup rule szykman>"
    )
    assert repr(judge(starting_board(), {})) == "<Outcome: datc-3; no orders>"
    assert repr(judge_phase(paradox.next_board, {"FRANCE": ["F ENG - MAO"]})) == "<RetreatOutcome: FRANCE F ENG R MAO succeeds>"


def test_adjustments_say_what_civil_disorder_took() -> None:
    board = Board((Unit("ITALY", UnitKind.ARMY, "TYR"),), phase=Phase.ADJUSTMENT, centers={"PAR": "FRANCE"})
    outcome = judge_phase(board, {"FRANCE": ["Build A PAR"], "ITALY": []})
    assert repr(outcome) == "<AdjustmentOutcome: FRANCE A PAR B succeeds; civil disorder: ITALY loses A TYR>"


def test_boards_name_their_units(paradox: Outcome) -> None:
    assert repr(starting_board()).startswith("<Board: movement; AUSTRIA A BUD, F TRI, A VIE; ENGLAND F EDI, ")
    assert repr(starting_board()).endswith("; 22 owned centres>")
    assert repr(paradox.next_board) == "<Board: retreat; FRANCE A BRE; ENGLAND F LON, F ENG; 1 dislodged unit>"


def test_resolutions_say_how_many_and_of_what(paradox: Outcome) -> None:
    found = paradox.adjudication.resolutions
    assert repr(found) == "<Resolutions: 2; 4 decisions; datc-3>"
    assert repr(found.situation) == "<Situation: datc-3; 4 units; 4 decisions>"
    assert repr(found.situation.decisions[0]) == "<MoveDecision: 0; A BRE - LON of FRANCE>"


def test_a_map_can_be_loaded_by_what_it_shows() -> None:
    assert eval(repr(load_map())) is load_map()


def test_print_shows_the_tables_of_the_commands(paradox: Outcome, capsys: pytest.CaptureFixture[str]) -> None:
    for case in ("6.D.2", "6.C.1"):  # their lines are short enough for both
        sheet = find_bundled_case(case)
        orders = {power: [str(order) for order in given] for power, given in sheet.orders_by_power().items()}
        assert run(["judge", f"datc:{case}"]) == 0
        assert str(judge(sheet.board, orders)) in capsys.readouterr().out
    assert str(paradox.adjudication.resolutions).splitlines()[0].split() == ["Power", "Order", "#1", "#2"]


def test_print_shows_positions(paradox: Outcome) -> None:
    shown = str(starting_board()).splitlines()
    assert shown[0] == "Movement phase, 22 units"
    assert shown[2].split("  ")[0] == "Austria"
    assert shown[2].endswith("BUD TRI VIE")
    assert str(paradox.next_board).endswith("F ENG of France is dislodged; it may retreat to BEL, IRI, MAO, NTH, PIC.")


def test_the_core_shows_itself_without_the_renderer() -> None:
    program = "import sys, satjudge; repr(satjudge.judge(satjudge.starting_board(), {})); print('rich' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert ran.stdout.strip() == "False"


def test_a_comparison_prints_the_table_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["compare", "datc:6.F.17", "--rules", "datc-3,1971"]) == 0
    _, _, table = capsys.readouterr().out.partition("\n")
    found = compare(Position.read("datc:6.F.17"), ["datc-3", "1971"])
    assert str(found) == table.rstrip()
    assert repr(found).startswith("<ComparedCase: 6.F.17; datc-3, 1971; F LON S F WAL - ENG; ")


def test_what_would_change_prints_the_lines_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "datc:6.D.3", "A TRI", "--what-would-change"]) == 0
    _, _, lines = capsys.readouterr().out.partition("\n")
    found = Position.read("datc:6.D.3").what_would_change("A TRI")
    assert str(found) == lines.rstrip()
    assert "  Italy  " in lines


def test_a_power_whose_last_unit_is_to_retreat_has_not_lost_it() -> None:
    orders = {"FRANCE": ["A PAR - BUR", "A GAS S A PAR - BUR"], "GERMANY": ["A BUR H"]}
    assert str(Position.of(orders).judge()).splitlines()[-1] == "            Germany  none; to retreat: A BUR"
