"""The `diplomacy` package as an oracle: where it agrees with the DATC, what it does not accept, and what its words mean."""

from __future__ import annotations

import subprocess
import sys

import pytest
from helpers.oracle_cases import DATC, answer_of, orders_of, position, verdicts_of

from satjudge.base.errors import OracleError
from satjudge.engines.comparison import Depth, compare_answers
from satjudge.engines.connections.diplomacy_package import judge
from satjudge.judging.judge import judge as ours
from satjudge.notation.sheets import Sheet
from satjudge.world.board import Board, Unit
from satjudge.world.geography import UnitKind

TRIESTE = ("Italy: A VEN - TRI", "Italy: A TYR S A VEN - TRI")

OTHERWISE = {
    "6.B.9": "4.B.4: it ignores the coast that a support names",
    "6.B.16": "4.B.5: it does not accept a support that names another coast than the unit stands on",
    "6.B.17": "4.B.5: it does not accept a support that names another coast than the unit stands on",
    "6.D.35": "4.C.2: it does not accept a support that calls a fleet an army, nor the other way round",
    "6.F.21": "4.A.5: a unit dislodged by a convoyed army may retreat anywhere, even to where others stand",
    "6.F.25": "4.A.5: the same",
    "6.F.26": "4.A.5: the same",
    "6.F.29": "5.B.2: an army does not cut a support for or against a fleet that convoys it",
    "6.G.8": "4.A.3: an army goes by land where no convoy is ordered",
    "6.G.10": "4.A.5: a unit dislodged by a convoyed army may retreat anywhere, even to where others stand",
    "6.G.15": "4.A.5: the same",
    "6.H.11": "4.A.5: the same",
    "6.H.12": "4.A.5: the same",
}
"""The cases of DATC 3.2 that the package judges otherwise, and the rule by which it errs (or follows another rulebook)."""


@pytest.mark.parametrize("sheet", DATC, ids=lambda sheet: sheet.identity)
def test_a_case_of_the_datc(sheet: Sheet) -> None:
    orders = orders_of(sheet)
    differences = compare_answers(answer_of(ours(sheet.board, orders)), judge(sheet.board, orders), orders, Depth.VERDICTS, {})
    assert bool(differences) is (sheet.identity in OTHERWISE), differences


def test_the_package_is_never_imported_here() -> None:
    """It is under the AGPL: it runs in a process of its own."""
    code = (
        "import sys; from satjudge.world.board import Board; from satjudge.engines.connections.diplomacy_package import judge;"
        "print(judge(Board(()), {}), 'diplomacy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "Answer(verdicts={}, dislodged={}, units={}) False\n"
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("lines", "verdicts"),
    [
        (("France: A PAR - BUR", "Germany: A MUN - BUR"), ["fails", "fails"]),
        (("France: A PAR - LON",), ["not accepted"]),  # no route
        ((*TRIESTE, "Austria: F TRI - LON"), ["succeeds", "given", "not accepted, dislodged"]),
        ((*TRIESTE, "Austria: F TRI H"), ["succeeds", "given", "dislodged"]),
        (("France: A PAR S A MAR - BUR", "France: A MAR H"), ["invalid", "stands"]),
        (("Germany: A MUN S F KIE - BER", "Germany: F KIE - BER", "Germany: A BER H"), ["", "fails", "stands"]),  # void
        (("England: A LON - NWY", "England: F NTH C A LON - NWY"), ["succeeds", "available"]),
        (("England: A LON - NWY", "England: F NTH C A LON - BEL"), ["", "invalid"]),
        (("England: F NTH C A LON - NWY", "England: A LON H"), ["invalid", "stands"]),
    ],
)  # fmt: skip
def test_its_words(lines: tuple[str, ...], verdicts: list[str]) -> None:
    assert verdicts_of(judge, *lines) == verdicts


def test_the_first_order_for_a_unit_counts() -> None:
    """DATC 4.D.3."""
    board, orders = position("France: A PAR H")
    second = position("France: A PAR - BUR")[1]["FRANCE"]
    assert judge(board, {"FRANCE": [*orders["FRANCE"], *second]}).verdicts == {"FRANCE": ["stands", "not accepted"]}


def test_a_disrupted_convoy() -> None:
    lines = (
        "England: A LON - NWY",
        "England: F NTH C A LON - NWY",
        "Germany: F SKA - NTH",
        "Germany: F DEN S F SKA - NTH",
        "France: A BEL S A LON - HOL",
    )
    assert verdicts_of(judge, *lines) == ["fails", "disrupted, dislodged", "succeeds", "given", "invalid"]
    answer = judge(*position(*lines))
    assert answer.units == {"ENGLAND": ["A LON"], "FRANCE": ["A BEL"], "GERMANY": ["F DEN", "F NTH"]}
    assert answer.dislodged == {"ENGLAND": {"F NTH": ["EDI", "ENG", "HEL", "HOL", "NWG", "NWY", "YOR"]}}


def test_a_destroyed_unit() -> None:
    lines = ("England: F POR H", "France: F SPA/SC - POR", "France: F MAO S F SPA/SC - POR")
    assert verdicts_of(judge, *lines) == ["destroyed", "succeeds", "given"]  # DATC 6.H.15


def test_an_army_that_it_lets_retreat_where_another_one_stands() -> None:
    """DATC 4.A.5 and 6.H.2: dislodged by a convoyed army; only Naples is free."""
    lines = (
        "Austria: F ROM - TYS",
        "England: A SPA - ROM",
        "England: F TYS C A SPA - ROM",
        "France: F WES C A SPA - ROM",
        "England: F TUS S A SPA - ROM",
    )
    board, orders = position(*lines)
    assert judge(board, orders).dislodged == {"AUSTRIA": {"F ROM": ["NAP", "TUS", "TYS"]}}
    assert answer_of(ours(board, orders)).dislodged == {"AUSTRIA": {"F ROM": ["NAP"]}}


def test_boards_do_not_remember_each_other() -> None:
    first = position(*TRIESTE, "Austria: F TRI H")
    second = position("France: A PAR - BUR")
    answers = [judge(*first), judge(*second)]
    assert [judge(*second), judge(*first), judge(*first)] == [answers[1], answers[0], answers[0]]


def test_a_power_that_it_does_not_know_is_an_error_and_the_next_board_is_judged() -> None:
    atlantis = Board((Unit("ATLANTIS", UnitKind.ARMY, "PAR"),))
    for _ in range(3):
        with pytest.raises(OracleError, match="there is no power ATLANTIS"):
            judge(atlantis, {})
    assert verdicts_of(judge, "France: A PAR - BUR") == ["succeeds"]
