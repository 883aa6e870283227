"""`satjudge reduce`: a position of anybody's is shrunk as long as a program of theirs says that it fails."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from satjudge.apps.cli import run
from satjudge.base.errors import RequestError
from satjudge.base.platforms import command_of
from satjudge.engines import shrinking
from satjudge.engines.positions import AskedPosition, parse_position
from satjudge.engines.shrinking import FailureTest, reduce_position, shrink_position

BOARD = json.dumps(
    {
        "id": "a crash",
        "units": {
            "FRANCE": ["A PAR", "A PIC", "F ENG", "F MAO"],
            "GERMANY": ["A MUN", "A RUH", "F NTH"],
            "ITALY": ["A VEN"],
        },
        "orders": {
            "FRANCE": ["A PAR - BUR", "A PIC S A PAR - BUR", "F ENG H", "F MAO S F ENG"],
            "GERMANY": ["A MUN - BUR", "A RUH S A MUN - BUR", "F NTH - ENG"],
            "ITALY": ["A VEN H"],
        },
    }
).encode()
TWO_SUPPORTED = (
    "import json, sys; sys.exit(sum(' S A ' in one for given in json.load(sys.stdin)['orders'].values() for one in given) < 2)"
)
"""A test that exits with 0 while two moves are supported."""


@pytest.fixture
def board(tmp_path: Path) -> str:
    path = tmp_path / "crash.jsonl"
    path.write_bytes(BOARD + b"\n")
    return str(path)


def python(source: str) -> list[str]:
    return [sys.executable, "-S", "-c", source]


def supports(position: AskedPosition) -> bool:
    return sum(" S A " in str(order) for order in position.orders_by_number.values()) >= 2


def test_a_position_is_shrunk_while_the_test_exits_with_0(board: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The result is what the one shrinker makes of the same question asked here, and reruns as a sheet."""
    assert run(["reduce", board, "--test", command_of(python(TWO_SUPPORTED))]) == 0
    shown = capsys.readouterr()
    expected = shrink_position(parse_position(BOARD), supports)
    assert shown.out == shrinking.format_reduced(expected)
    assert len(expected.board.units) < 8
    assert f"{len(expected.board.units)} of 8 units left after " in shown.err


def test_a_retreat_phase(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A sheet cannot begin with retreats: the smallest position is written as a batch line."""
    path, where = tmp_path / "retreat.jsonl", {"ENGLAND": {"F NTH": ["BEL", "HOL", "YOR"]}, "RUSSIA": {"A NWY": ["FIN"]}}
    line = {"phase": "retreat", "units": {"ENGLAND": ["A LON"]}, "dislodged": where, "orders": {"ENGLAND": ["F NTH R HOL"]}}
    path.write_text(json.dumps(line), encoding="utf-8")
    assert run(["reduce", str(path), "--test", command_of(python("import sys; sys.exit('R HOL' not in input())"))]) == 0
    small = json.loads(capsys.readouterr().out)
    assert (small["units"], small["orders"]) == ({}, {"ENGLAND": ["F NTH R HOL"]})
    assert list(small["dislodged"]) == ["ENGLAND"]


@pytest.mark.parametrize(
    ("test", "message"),
    [
        (python("raise SystemExit(3)"), "the test exits with 3 on the original position"),
        (["no-such-program"], "it cannot be started"),
    ],
)
def test_what_is_no_test(test: list[str], message: str, board: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["reduce", board, "--test", command_of(test)]) == 2
    assert message in capsys.readouterr().err


def test_a_test_that_takes_too_long_says_no(board: str, capsys: pytest.CaptureFixture[str]) -> None:
    slow = command_of(python("import time; time.sleep(600)"))
    assert run(["reduce", board, "--timeout", "0.3", "--test", slow]) == 2
    assert "the test takes too long on the original position" in capsys.readouterr().err


def test_a_file_of_several_positions_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["reduce", "datc:6.F", "--test", "x"]) == 2
    assert "positions that can be reduced" in capsys.readouterr().err


def test_a_test_that_changes_its_mind_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written must still fail: an answer that is another one the second time is no result."""
    monkeypatch.setattr(FailureTest, "run", answering([0, 0, 1] + [1] * 1000))
    with pytest.raises(RequestError, match="repeated on the smallest position, the test exits with 1"):
        reduce_position(parse_position(BOARD), FailureTest(["x"]))


def test_what_is_found_survives_an_interrupt(
    board: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(FailureTest, "run", answering([0, 0, 1]))
    assert run(["crosscheck", "--reduce", board, "--test", "x", "--json"]) == 130
    shown = capsys.readouterr()
    assert len(json.loads(shown.out)["units"]) < 3
    assert "of 8 units left after 2 questions" in shown.err


def answering(statuses: list[int]) -> Callable[[FailureTest, AskedPosition], int]:
    """Make a test that exits so, one time after the other, and is then interrupted."""
    left = iter(statuses)

    def status(_test: FailureTest, _position: AskedPosition) -> int:
        for one in left:
            return one
        raise KeyboardInterrupt

    return status
