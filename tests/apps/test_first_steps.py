"""What somebody asks who uses satjudge for the first time: a coast left out, a power's name, a game under another book."""

from __future__ import annotations

from pathlib import Path

import pytest

from satjudge.apps.cli import run
from satjudge.game.game import Game

DISLODGED = """season: fall 1902
Italy owns A Ven, F Nap
Austria:
A Tyr - Ven
A Tri S A Tyr - Ven
Russia:
F Nwy H
England:
F Nwg - Nwy
F Nth S F Nwg - Nwy
retreats
Russia:
F Nwy R Stp/nc
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("turn.txt").write_text(DISLODGED, encoding="utf-8")
    return "turn.txt"


def test_a_unit_without_orders_that_may_not_retreat_is_not_said_to_be_destroyed(
    file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["judge", file, "--rules", "1982"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "dislodged by A TYR of Austria, 2 against 1; disbanded: Italy gave no orders" in shown
    assert "destroyed" not in shown


@pytest.mark.parametrize(
    ("asked", "explained", "others"),
    [
        ("F Nwy R Stp", ["F NWY R STP/NC  succeeds"], ["A TYR"]),
        ("F Nwy - Stp", ["F NWY R STP/NC  succeeds"], ["A TYR"]),
        ("Austria", ["A TYR - VEN  succeeds", "A TRI S A TYR - VEN  given"], ["F NWG", "Russia"]),
        ("Russia", ["F NWY H  dislodged", "F NWY R STP/NC  succeeds"], ["A TRI"]),
    ],
)
def test_what_may_be_asked_for(
    asked: str, explained: list[str], others: list[str], file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["explain", file, asked]) == 0
    shown = capsys.readouterr().out
    assert all(one in shown for one in explained)
    assert not any(f"  {one}" in shown.splitlines() for one in others)


def test_a_power_without_orders_cannot_be_asked_for(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", file, "Turkey"]) != 0
    assert "Turkey has no orders" in capsys.readouterr().err


def played() -> Game:
    game = Game.new()
    game.order("RUSSIA", "F STP/SC - BOT")
    game.next()
    game.order("RUSSIA", "F BOT - SWE")
    game.next()
    return game


def test_a_coast_may_be_left_out(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    played().save(Path("g.json"))
    assert run(["explain", "g.json", "F St Petersburg - Bot", "--case", "S1901M"]) == 0
    assert "F STP/SC - BOT  succeeds" in capsys.readouterr().out


def test_of_a_game_only_the_phases_are_compared_that_differ(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    played().save(Path("g.json"))
    assert run(["compare", "g.json", "--rules", "1982,2023"]) == 0
    shown = capsys.readouterr().out
    assert len(shown.splitlines()) == 1
    assert shown.startswith("1982, 2023: no difference in verdicts in any phase, S1901M to ")


def test_a_game_that_ends_with_dislodged_units_asks_for_no_retreat(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    game = Game.new()
    game.order("AUSTRIA", "A VIE - TYR")
    game.next()
    game.order("AUSTRIA", "A TYR - VEN", "F TRI S A TYR - VEN")
    game.order("ITALY", "A VEN H")
    game.next()
    game.save(Path("g.json"))
    assert run(["game", "show", "g.json"]) == 0
    assert "Italy: A VEN must retreat to APU, PIE or TUS, or disband." in capsys.readouterr().out
    assert run(["game", "end", "g.json", "--draw"]) == 0
    capsys.readouterr()
    assert run(["game", "show", "g.json"]) == 0
    assert "must retreat" not in capsys.readouterr().out


def test_a_build_too_many_names_the_way_out(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    game = Game.new()
    game.order("GERMANY", "F KIE - DEN", "A MUN - RUH", "A BER - SIL")
    game.next()
    game.next()
    game.order("GERMANY", "A KIE B", "A BER B")
    game.save(Path("g.json"))
    assert run(["game", "show", "g.json"]) == 0
    assert "may build only 1 (take back an earlier order with --take-back or `take_back`)" in capsys.readouterr().out
