"""The command `replay`: saved games and jDip's cases, tables and JSON, exit codes."""

from __future__ import annotations

import doctest
import gzip
import io
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from satjudge.apps.cli import run
from satjudge.engines import replaying
from satjudge.engines.replaying import replay_case, replay_row
from satjudge.files.diplomacy_package import PlayedPhase, row_readers, saved_game
from satjudge.files.jdip import read_cases
from satjudge.judging.judge import AnyOutcome, judge_phase
from satjudge.world.board import Board, starting_board
from satjudge.world.rules import load_rulebook

CASES = """VARIANT_ALL Standard
CASE fine
PRESTATE
  France: A par
ORDERS
  France: A par-bur
POSTSTATE
  France: A bur
END
CASE wrong
PRESTATE
  France: A bel
  England: F nth
ORDERS
  France: A bel-hol via convoy
  England: F nth H
POSTSTATE
  France: A hol
  England: F nth
END
"""


class Ran(NamedTuple):
    code: int
    out: str
    err: str


Invoke = Callable[..., Ran]


@pytest.fixture
def replay(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Invoke:
    def call(*arguments: str, stdin: bytes = b"") -> Ran:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(stdin)))
        return Ran(run(["replay", *arguments]), *capsys.readouterr())

    return call


def game(identity: str = "g") -> dict[str, Any]:
    """Spring 1901 with one move, as satjudge plays it."""
    board, orders = starting_board(), {"FRANCE": ["A PAR - BUR"]}
    outcome = judge_phase(board, orders)
    after = outcome.next_board
    played = (PlayedPhase(board.phase_name, board, orders, outcome.results), PlayedPhase(after.phase_name, after, {}, {}))
    return saved_game(identity, played)


def other_game() -> dict[str, Any]:
    """The same, but the army went elsewhere."""
    document = game("h")
    document["phases"][1]["state"]["units"]["FRANCE"] = ["A PIC", "A MAR", "F BRE"]
    return document


def written(path: Path, content: object) -> str:
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return str(path)


def test_games_that_are_the_same(replay: Invoke, tmp_path: Path) -> None:
    first, second = written(tmp_path / "a.json", game()), written(tmp_path / "b.jsonl", f"{json.dumps(game())}\n" * 2)
    assert replay(first, second) == (
        0,
        "3 phases of 3 games: 3 the same, 0 differ.\n",
        "",
    )


def test_a_phase_that_differs_is_shown_with_the_orders_concerned(replay: Invoke, tmp_path: Path) -> None:
    ran = replay(written(tmp_path / "a.json", [game(), other_game()]))
    assert ran.code == 1
    assert ran.out == (
        "h: S1901M\n"
        "What   Power   Only satjudge has  Only the file has\n"
        "units  FRANCE  A BUR              A PIC\n"
        "Power   Order        Verdict   In the file\n"
        "FRANCE  A PAR - BUR  succeeds\n"
        "\n"
        "2 phases of 2 games: 1 the same, 1 differs.\n"
    )


def test_machine_output(replay: Invoke, tmp_path: Path) -> None:
    path = written(tmp_path / "a.json", [game(), other_game()])
    ran = replay(path, "--json")
    document = json.loads(ran.out)
    assert ran.code == 1
    assert document["rulebook"]["name"] == "datc-3"
    assert document["engine"] == "staged"
    assert document["games"] == [
        {"file": path, "game": "g", "same": 1, "different": None, "unanswered": ""},
        {
            "file": path,
            "game": "h",
            "same": 0,
            "different": {
                "phase": "S1901M",
                "differences": [{"what": "units", "power": "FRANCE", "satjudge": "A BUR", "file": "A PIC"}],
                "orders": [{"power": "FRANCE", "order": "A PAR - BUR", "verdict": "succeeds", "file": ""}],
            },
            "unanswered": "",
        },
    ]


def test_cases_in_the_format_of_jdip(replay: Invoke, tmp_path: Path) -> None:
    path = written(tmp_path / "cases.txt", CASES)
    ran = replay(path)
    assert ran.code == 1
    assert ran.out.startswith("wrong: movement\n")
    assert "FRANCE  A BEL - HOL VIA  invalid" in ran.out
    assert replay(path, "--rules", "datc-2").code == 0
    assert replay(path, "--set", "4.A.3.fallback=unordered").code == 0


NO_ANSWER = """
CASE paradox
PRESTATE
England: F lon
England: F wal
France: A bre
France: F eng
ORDERS
England: F lon S F wal-eng
England: F wal-eng
France: A bre-lon
France: F eng C A bre-lon
POSTSTATE_SAME
END
"""


def test_a_phase_without_an_answer_does_not_hide_the_others(replay: Invoke, tmp_path: Path) -> None:
    """Two resolutions, and no backup rule."""
    path = written(tmp_path / "cases.txt", NO_ANSWER + CASES)
    rules = ["--set", "4.A.2=none", "--set", "4.A.2.fallback=unresolved"]
    ran = replay(path, *rules)
    assert ran.code == 1
    assert "has no answer to this core with 2 resolutions: F LON S F WAL - ENG" in ran.out
    assert ran.out.endswith("\n3 phases of 3 cases: 1 the same, 1 differs, 1 without an answer in the rulebook.\n")
    (first, *_) = json.loads(replay(path, *rules, "--json").out)["games"]
    assert first["unanswered"].startswith("paradox: datc-3 with ")


def row(game: str, phase: str, units: str, orders: dict[str, list[str]], after: str, **more: object) -> dict[str, Any]:
    """A phase of a game in which only France has units, `"A PAR, F BRE"`."""
    before, then = ({"FRANCE": text.split(", ") if text else []} for text in (units, after))
    return {"game": game, "phase": phase, "units": before, "orders": orders, "next_units": then, **more}


SPRING = row("g", "S1901M", "A PAR, A MAR", {"FRANCE": ["A PAR - BUR"]}, "A BUR, A MAR", results={"A PAR": ["fine"]})
FALL = row(
    "g", "F1901M", "A MUN, A BUR", {"FRANCE": ["A BUR - BEL"]}, "A MUN, A BEL",
    centers={"FRANCE": ["PAR"]}, next_centers={"FRANCE": ["PAR"]},
)  # fmt: skip
WINTER = row(
    "g", "W1901A", "A MUN, A BEL", {"FRANCE": ["A PAR B"]}, "A MUN, A BEL, A PAR", centers={"FRANCE": ["PAR", "MUN", "BEL"]}
)
MOVES = {
    "phase": "S1902M",
    "units": {"FRANCE": ["A BUR"], "GERMANY": ["A MUN", "A RUH"]},
    "orders": {"GERMANY": ["A MUN - BUR", "A RUH S A MUN - BUR"]},
}
RETREAT = row("g", "S1902R", "", {"FRANCE": ["A BUR R PAR"]}, "A PAR", prev=MOVES)
RETREAT["next_units"]["GERMANY"] = ["A BUR", "A RUH"]


def phases(*rows: dict[str, Any]) -> bytes:
    return b"\n".join(json.dumps(one).encode() for one in rows)


def test_single_phases(replay: Invoke) -> None:
    ran = replay("-", stdin=phases(SPRING, FALL, WINTER, RETREAT))
    assert ran.out == "4 phases of 1 game: 4 the same, 0 differ.\n"
    assert replay("-", stdin=gzip.compress(phases(SPRING, FALL))).code == 0


def test_games_of_one_name_in_two_files_are_two(replay: Invoke, tmp_path: Path) -> None:
    """And the phases of two games in one file are those of two games, however they are mixed."""
    other = SPRING | {"game": "other"}
    first = written(tmp_path / "a.jsonl", phases(SPRING, other, FALL).decode())
    second = written(tmp_path / "b.jsonl", phases(SPRING).decode())
    assert replay(first, second).out == "4 phases of 3 games: 4 the same, 0 differ.\n"


def test_single_phases_that_differ(replay: Invoke) -> None:
    """All of them are told, as each is judged by itself."""
    stays = SPRING | {"next_units": {"FRANCE": ["A PAR", "A MAR"]}}
    lost = RETREAT | {"orders": {"FRANCE": ["A BUR R MUN"]}}  # where the attacker came from
    rich = WINTER | {"centers": {"FRANCE": ["PAR", "MUN", "BEL", "MAR"]}}
    ran = replay("-", "--json", stdin=phases(stays, FALL, rich, lost))
    found = [game["different"] and game["different"]["differences"] for game in json.loads(ran.out)["games"]]
    assert found == [
        [{"what": "units", "power": "FRANCE", "satjudge": "A BUR", "file": "A PAR"}],
        [{"what": "centers", "power": "FRANCE", "satjudge": "", "file": "MAR"}],
        None,
        [{"what": "units", "power": "FRANCE", "satjudge": "", "file": "A PAR"}],
    ]
    assert "\n4 phases of 1 game: 1 the same, 3 differ.\n" in replay("-", stdin=phases(stays, FALL, rich, lost)).out
    silent = SPRING | {"next_dislodged": {"FRANCE": ["A MAR"]}}
    assert "dislodged  FRANCE                     A MAR" in replay("-", stdin=phases(silent)).out


def test_what_civil_disorder_removes_is_told_with_its_rule(replay: Invoke) -> None:
    """`F BOT` and `F FIN` are equally far from home; the DATC removes Finland, the `diplomacy` package Bothnia (4.D.8)."""
    winter = {"game": "g", "phase": "W1901A", "orders": {}, "units": {"RUSSIA": ["F BOT", "F FIN", "A UKR"]}}
    winter |= {"centers": {"RUSSIA": ["MOS", "WAR"]}, "next_units": {"RUSSIA": ["F FIN", "A UKR"]}}
    assert replay("-", stdin=phases(winter)).out == (
        "g: W1901A\n"
        "What   Power   Only satjudge has  Only the file has\n"
        "units  RUSSIA  F BOT              F FIN\n"
        "Power   Order    Verdict                 In the file\n"
        "RUSSIA  F FIN D  civil disorder (4.D.8)\n"
        "\n"
        "1 phase of 1 game: 0 the same, 1 differs.\n"
    )


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (phases(SPRING) + b"\n{}", "standard input:2: not a phase of a game"),
        (phases(RETREAT | {"prev": None}), "needs the movement phase before it (add it as `prev`)"),
        (phases(SPRING | {"phase": "Tuesday"}), "there is no phase 'Tuesday'"),
        (gzip.compress(phases(SPRING))[:-9], "the gzip file is damaged"),
    ],
)
def test_single_phases_that_cannot_be_read(replay: Invoke, data: bytes, message: str) -> None:
    ran = replay("-", stdin=data)
    assert ran.code == 2
    assert message in ran.err


def test_a_directory_and_standard_input(replay: Invoke, tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    written(tmp_path / "a.json", game())
    written(tmp_path / "more" / "b.txt", CASES)
    written(tmp_path / "notes.md", "not a game")
    out = replay(str(tmp_path)).out
    assert out.startswith(f"{tmp_path / 'more' / 'b.txt'}, wrong: movement\n")
    assert "3 phases of 1 game and 2 cases: 2 the same, 1 differs." in out
    assert "1 phase of 1 game: 1 the same" in replay("-", stdin=json.dumps(game()).encode()).out
    assert "2 phases of 2 cases:" in replay("-", stdin=CASES.encode()).out


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "the file is empty"),
        ("{", "not a saved game"),
        ("neither", "'neither' does not belong to a block"),
        ("<html>", "this is a web page or picture, not a saved game"),
        (json.dumps(game() | {"map": "moon"}), "there is no map named 'moon'"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(replay: Invoke, tmp_path: Path, content: str, message: str) -> None:
    ran = replay(written(tmp_path / "f", content))
    assert ran.code == 2
    assert str(tmp_path / "f") in ran.err
    assert message in ran.err
    assert ran.out == ""


def test_an_order_that_cannot_be_read_is_told_and_does_not_cost_its_phase(replay: Invoke, tmp_path: Path) -> None:
    document = game()
    document["phases"][0]["orders"] |= {"ITALY": ["A VEN whistles"]}
    path = written(tmp_path / "f", document)
    ran = replay(path)
    assert ran.code == 2
    assert ran.err.startswith(f"satjudge: {path}, game g, S1901M, ITALY, column 7: expected what A VEN is to do")
    assert ran.out == "1 phase of 1 game: 1 the same, 0 differ.\n"
    document["phases"][0]["orders"] |= {"FRANCE": ["A PAR - BRU"]}  # and so it holds
    ran = replay(written(tmp_path / "f", document))
    assert ran.code == 2
    assert "game g, S1901M, FRANCE, column 9: expected a province, found 'BRU'" in ran.err
    assert re.search(r"FRANCE +A PAR - BRU +illegal", ran.out)


def test_a_case_that_cannot_be_read_does_not_hide_the_others(replay: Invoke, tmp_path: Path) -> None:
    ran = replay(written(tmp_path / "f", CASES.replace("A par-bur", "A par-brr")))
    assert ran.code == 2
    assert f"{tmp_path / 'f'}:6:7: expected a province, found 'brr'" in ran.err
    assert "wrong: movement" in ran.out
    assert ran.out.endswith("\n1 phase of 1 case: 0 the same, 1 differs.\n")


def test_a_file_that_cannot_be_read_does_not_hide_the_others(replay: Invoke, tmp_path: Path) -> None:
    written(tmp_path / "a.json", other_game())
    bad = written(tmp_path / "b.json", "{")
    misread = written(tmp_path / "c.json", json.dumps(game()).replace("A PAR - BUR", "A PAR - BRU"))
    written(tmp_path / "d.json", game())
    ran = replay(str(tmp_path))
    assert ran.code == 2
    assert "3 phases of 3 games: 1 the same, 2 differ." in ran.out
    first, second = ran.err.splitlines()
    assert first.startswith(f"satjudge: {bad}:1: not a saved game")
    assert second.startswith(f"satjudge: {misread}, game g, S1901M")
    document = json.loads(replay(str(tmp_path), "--json").out)
    assert (len(document["games"]), len(document["errors"])) == (3, 2)


def test_whatever_one_phase_raises_is_its_error_and_the_others_are_judged(
    replay: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """satjudge itself fails on one phase in the middle of a game: its other phases and the other games are told."""
    monkeypatch.setattr(replaying, "judge_phase", fails_in_fall)
    path = written(tmp_path / "a.jsonl", f"{json.dumps(long_game())}\n" * 2 + json.dumps(other_game()))
    ran = replay(path)
    assert ran.code == 3
    assert ran.out.endswith("5 phases of 3 games: 4 the same, 1 differs.\n")
    assert "h: S1901M\n" in ran.out
    assert ran.err == f"satjudge: internal error: {path}, game long, F1901M: KeyError: 'no\u0307'\n" * 2
    document = json.loads(replay(path, "--json").out)
    assert document["errors"] == [{"kind": "internal", "message": f"{path}, game long, F1901M: KeyError: 'no\u0307'"}] * 2
    assert len(document["games"]) == 5


def fails_in_fall(board: Board, *rest: Any, **more: Any) -> AnyOutcome:  # noqa: ANN401
    if board.phase_name == "F1901M":
        raise KeyError("no\u0307")
    return judge_phase(board, *rest, **more)


def long_game() -> dict[str, Any]:
    """Three phases."""
    board, played = starting_board(), []
    for _ in range(4):
        played.append(PlayedPhase(board.phase_name, board, {}, {}))
        board = judge_phase(board, {}).next_board
    return saved_game("long", played[:4])


def test_a_map_that_is_a_path_loses_no_other_game(replay: Invoke, tmp_path: Path) -> None:
    """Each of these was opened; a file that is no map ended the run."""
    (tmp_path / "x.toml").write_text("neither", encoding="utf-8")
    names = (f"{tmp_path}/x", "../rulebooks/1971")
    ran = replay(written(tmp_path / "a.json", [game() | {"map": names[0]}, game() | {"map": names[1]}, other_game()]))
    assert ran.code == 2
    assert ran.out.endswith("1 phase of 1 game: 0 the same, 1 differs.\n")
    assert [f"no map named {name!r:.60}" in line for name, line in zip(names, ran.err.splitlines(), strict=True)] == [True] * 2


def test_rows_that_cannot_be_read_hide_no_other(replay: Invoke) -> None:
    ran = replay("-", stdin=phases(SPRING) + b"\n{}\n" + phases(FALL, WINTER | {"units": {"FRANCE": ["F PAR"]}}, WINTER))
    assert ran.code == 2
    assert ran.out == "3 phases of 1 game: 3 the same, 0 differ.\n"
    first, second = ran.err.splitlines()
    assert first.startswith("satjudge: standard input:2: not a phase of a game")
    assert second.startswith("satjudge: standard input, g, W1901A: ")


def test_a_file_full_of_errors_is_left_after_a_hundred(replay: Invoke) -> None:
    ran = replay("-", stdin=phases(SPRING) + b"\n{}" * 5000)
    assert ran.out == "1 phase of 1 game: 1 the same, 0 differ.\n"
    assert len(ran.err.splitlines()) == 101
    assert ran.err.endswith("the rest of the file is skipped after too many errors\n")


BOMBS: dict[str, Callable[[], bytes]] = {
    "lists": lambda: b'{"phases": [{"name": "", "state": {"name": "", "units": {"a": [' + b'"",' * 60_000_000 + b'""]}}}]}',
    "empty games": lambda: b'{"phases":[]}\n' * 2_000_000,
    "a list of games": lambda: b"[" + b'{"phases":[]},' * 14_000_000 + b'{"phases":[]}]',
    "rows": lambda: b'{"game":"","phase":"","units":{},"orders":{},"next_units":{}}\n' * 3_000_000,
    "cases": lambda: b"CASE x\nPRESTATE\nORDERS\nEND\n" * 6_000_000,
}
MOST_MEMORY = 1_000_000_000


@pytest.mark.parametrize("name", BOMBS)
@pytest.mark.slow
def test_a_small_file_that_unpacks_to_much_takes_little_memory(name: str, tmp_path: Path) -> None:
    """Up to 200 MB packed into some 200 kB: in a process that may use five times as much, it ends in good time."""
    packed = tmp_path / "bomb.gz"
    packed.write_bytes(gzip.compress(BOMBS[name](), 6))
    assert packed.stat().st_size < 2_000_000
    program = (
        f"import resource, sys; resource.setrlimit(resource.RLIMIT_AS, ({MOST_MEMORY}, {MOST_MEMORY}));"
        "from satjudge.apps.cli import run; sys.exit(run(['replay', sys.argv[1]]))"
    )
    ran = subprocess.run([sys.executable, "-c", program, str(packed)], capture_output=True, text=True, timeout=120, check=False)
    assert ran.returncode in (2, 5), ran.stderr[-500:]
    assert "satjudge: " in ran.stderr
    assert "MemoryError" not in ran.stderr


def test_files_that_are_not_there(replay: Invoke, tmp_path: Path) -> None:
    assert replay(str(tmp_path / "absent.json")) == (
        2,
        "",
        f"satjudge: cannot read {tmp_path}/absent.json: No such file or directory\n",
    )
    assert "there is no game in the directory" in replay(str(tmp_path)).err


def test_a_game_without_a_played_phase_is_nothing(replay: Invoke, tmp_path: Path) -> None:
    document = game()
    del document["phases"][1]
    ran = replay(written(tmp_path / "a.json", document))
    assert ran.code == 5
    assert "nothing ran" in ran.err


DOCS = Path(__file__).resolve().parents[2] / "docs" / "reference" / "saved-files.md"


def test_the_examples_in_the_documentation() -> None:
    assert doctest.testfile(str(DOCS), module_relative=False) == (0, 8)
    (example,) = re.findall(r"```\n(VARIANT_ALL.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    (case,) = read_cases(example.encode())
    assert replay_case(case, load_rulebook()).different is None
    (line,) = re.findall(r"```\n(\{.*\})\n```", DOCS.read_text(encoding="utf-8"))
    (phase,) = row_readers(line.encode())
    assert replay_row(phase(), load_rulebook()).different is None
