"""Whole games on the page to play with: links, charts, files, and the cases that come with satjudge."""

from __future__ import annotations

import json
from base64 import b64encode
from pathlib import Path
from typing import Any

import msgspec
import pytest
from helpers.own_maps import OWN

from satjudge.apps.cli import run
from satjudge.apps.explore import wire
from satjudge.apps.explore.examples import EXAMPLES, draw_example
from satjudge.apps.explore.questions import answer_question
from satjudge.apps.explore.tasks import read_task
from satjudge.base.errors import InputError, NotFoundError
from satjudge.game.game import Game
from satjudge.notation.bundled_cases import read_collection
from satjudge.notation.sheet_reader import read_sheets
from satjudge.world.geography import shipped_maps

RULES = {"name": "1982", "settings": ["4.A.2=szykman"]}


def ask(name: str, /, **more: object) -> Any:  # noqa: ANN401
    """The answer, or the fault."""
    told = msgspec.json.decode(answer_question(msgspec.json.encode({"ask": name, **more})))
    return told["answer"] if "answer" in told else told["fault"]


def read(data: bytes, **more: object) -> Any:  # noqa: ANN401
    """What a file holds, or the fault."""
    return ask("read", data=b64encode(data).decode(), **more)


@pytest.fixture
def nothing_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    """No map is open but those that come with satjudge."""
    monkeypatch.setattr(wire, "_opened", {})


@pytest.mark.usefixtures("nothing_opened")
def test_every_map_that_comes_with_satjudge_is_offered_and_begun() -> None:
    offered = ask("start")["maps"]
    assert set(offered) == set(shipped_maps())
    for name in offered:
        assert ask("start", map=name)["position"].get("map", "standard") == name


@pytest.mark.usefixtures("nothing_opened")
def test_a_map_of_ones_own_is_opened_and_played_on() -> None:
    position = {"units": {"NORTH": ["A AAA", "F SEA"]}, "map": "two-isles", "phase": "S1901M"}
    sheet = "NORTH:\nA AAA - BBB\nF SEA C A AAA - BBB\n"
    assert ask("judge", position=position, sheet=sheet)["suggestion"].endswith("to use your own map, open its file first")
    (opened,) = read(OWN.encode(), name="isles.toml")["opened"]
    assert opened["position"]["map"] == "two-isles"
    assert opened["position"]["units"] == {"NORTH": ["A AAA"]}
    assert "two-isles" in ask("start")["maps"]
    assert set(ask("start", map="two-isles")["provinces"]) == {"AAA", "BBB", "SEA"}
    assert [one["verdict"] for one in ask("judge", position=position, sheet=sheet)["orders"]] == ["succeeds", "available"]
    assert "<svg" in ask("draw", position=position, sheet=sheet)


@pytest.mark.usefixtures("nothing_opened")
def test_a_game_that_keeps_its_map_is_opened_on_it(tmp_path: Path) -> None:
    file, own = tmp_path / "game.json", tmp_path / "isles.toml"
    own.write_text(OWN, encoding="utf-8")
    assert run(["game", "new", str(file), "--map", str(own)]) == 0
    (opened,) = read(file.read_bytes())["opened"]
    assert ask("judge", position=opened["position"])["units"] == {"NORTH": ["A AAA"]}


@pytest.mark.usefixtures("nothing_opened")
def test_a_name_means_one_map_and_searches_are_on_those_that_come_with_satjudge(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "opened" in read(OWN.encode())
    assert "opened" in read(OWN.encode())
    assert read(OWN.replace("An isle", "No isle").encode())["message"] == "there is another map named two-isles"
    assert read(OWN.replace("two-isles", "standard").encode())["message"] == "there is another map named standard"
    task = {"task": "lines", "asks": {"goal": "centers=1"}, "position": {"units": {}, "map": "two-isles"}}
    with pytest.raises(InputError, match="the page can search only on included maps, not on 'two-isles'"):
        list(read_task(json.dumps(task).encode()).iter_arguments())
    monkeypatch.setattr(wire, "MOST_OPENED", 1)
    assert read(OWN.replace("two-isles", "more").encode())["message"] == "no more than 1 map can be open"


@pytest.fixture(scope="module")
def line() -> list[dict[str, Any]]:
    """A year in which France takes Belgium, dislodging Germany, up to the builds."""
    position = {
        "units": {"FRANCE": ["A BUR", "A PIC"], "GERMANY": ["A BEL"]},
        "phase": "F1901M",
        "centers": {"FRANCE": ["MAR", "PAR"]},
    }
    steps: list[dict[str, Any]] = []
    for sheet in ("FRANCE:\nA BUR - BEL\nA PIC S A BUR - BEL\nA gibberish\n", "GERMANY:\nA BEL - HOL\n", "FRANCE:\nA PAR B\n"):
        steps.append({"position": position, "sheet": sheet})
        position = ask("next", position=position, sheet=sheet)["position"]
    assert [step["position"]["phase"] for step in steps] == ["F1901M", "F1901R", "W1901A"]
    return steps


def test_positions_of_a_link_are_checked(line: list[dict[str, Any]]) -> None:
    positions = [step["position"] for step in line]
    assert ask("check", positions=positions, rules=RULES) is None
    wrong = {"units": {"FRANCE": ["F PAR"]}}
    assert "a fleet cannot be inland in Paris" in ask("check", positions=[*positions, wrong], rules=RULES)["message"]
    assert "no such" in ask("check", positions=positions, rules={"name": "no such"})["message"]


def test_the_chart_counts_centres_at_the_end_of_each_year(line: list[dict[str, Any]]) -> None:
    told = ask("chart", positions=[step["position"] for step in line])
    assert [(year["year"], year["counts"]["FRANCE"], year["counts"]["GERMANY"]) for year in told["chart"]] == [
        (1900, 2, 0),
        (1901, 3, 1),
    ]
    assert told["ended"] is None
    assert ask("chart", positions=[step["position"] for step in line], victory=3)["ended"] == "FRANCE has won"
    assert ask("chart", positions=[line[0]["position"]], victory=1)["ended"] is None, "nobody wins but after a Fall"


def test_a_phase_is_written_as_an_order_sheet_with_its_retreats(line: list[dict[str, Any]]) -> None:
    (sheet,) = read_sheets(ask("write", format="sheet", line=line[:2], rules=RULES))
    assert [str(entry.order) for entry in sheet.orders] == ["A BUR - BEL", "A PIC S A BUR - BEL"]
    assert [str(entry.order) for entry in sheet.retreats] == ["A BEL R HOL"]
    assert "cannot begin with a retreat phase" in ask("write", format="sheet", line=line[1:2], rules=RULES)["message"]


def test_a_game_is_saved_and_opened_again(line: list[dict[str, Any]]) -> None:
    saved = ask("write", format="game", line=line, rules=RULES, name="mine", victory=20)
    game = Game.from_saved(json.loads(saved))
    assert (game.name, game.phase_name, game.victory, game.orders) == ("mine", "W1901A", 20, {"FRANCE": ["A PAR B"]})
    found = read(saved.encode(), name="mine.json")["opened"]
    assert [one["position"]["phase"] for one in found] == ["F1901M", "F1901R", "W1901A"]
    assert [one["follows"] for one in found] == [False, True, True]
    assert found[0]["title"] == "mine"
    assert found[0]["sheet"] == "FRANCE:\nA BUR - BEL\nA PIC S A BUR - BEL\n", "what cannot be read is in no game"
    assert found[1]["position"]["dislodged"] == line[1]["position"]["dislodged"]
    assert {(one["rules"]["name"], *one["rules"]["settings"]) for one in found} == {("1982", "4.A.2=szykman")}


def test_a_report_is_of_the_phase_at_hand_if_it_has_orders_else_of_the_last_one(line: list[dict[str, Any]]) -> None:
    told = ask("write", format="report.md", line=line[:2], rules=RULES, name="Ours")
    assert told.startswith("# Ours: results of Fall 1901, retreats\n")
    told = ask("write", format="report.md", line=[line[0], line[1] | {"sheet": ""}], rules=RULES, name="Ours")
    assert told.startswith("# Ours: results of Fall 1901, moves\n")
    assert "`A BUR - BEL`: **moved**" in told
    begun = [line[0] | {"sheet": ""}]
    assert ask("write", format="report.txt", line=begun, rules=RULES, name="Ours").startswith("Ours: the game begins\n")


def test_cases_of_a_file_are_listed_and_opened() -> None:
    data = Path("datc_cases/datc-3.2/6.F.txt").read_bytes()
    cases = read(data)["cases"]
    assert cases[13] == {"title": "6.F.14: Simple convoy paradox", "number": 13}
    (opened,) = read(data, number=13)["opened"]
    assert opened["position"]["units"]["FRANCE"] == ["A BRE", "F ENG"]
    assert opened["about"] == "source: DATC 3.2, 6.F.14"
    assert "no case 99" in read(data, number=99)["message"]


def test_the_games_of_a_file_are_listed_and_opened_whole(line: list[dict[str, Any]]) -> None:
    saved = [ask("write", format="game", line=line, rules=RULES, name=name).encode() for name in ("one", "two")]
    assert read(b"".join(saved))["cases"] == [{"title": "one, 3 phases", "number": 0}, {"title": "two, 3 phases", "number": 1}]
    found = read(b"".join(saved), number=1)["opened"]
    assert (found[0]["title"], len(found)) == ("two", 3)


def test_orders_that_cannot_be_read_are_opened_as_they_stand() -> None:
    (opened,) = read(b"FRANCE:\nA PAR - BUX\nA MAR H\n")["opened"]
    assert opened["sheet"] == "FRANCE:\nA PAR - BUX\nA MAR H\n"


def test_answers_of_a_search_are_opened_with_their_rulebook() -> None:
    answer = {"units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A PAR - BUR"]}, "resolutions": 1}
    rulebook = {"name": "1982", "title": "", "settings": {}}
    found = read(json.dumps({"goal": "paradox", "rulebook": rulebook, "answers": [answer, answer]}).encode(), number=1)
    (opened,) = found["opened"]
    assert (opened["sheet"], opened["rules"]["name"]) == ("FRANCE:\nA PAR - BUR\n", "1982")


@pytest.mark.parametrize(
    "data",
    [
        b"", b"\xff\xfe", b"%PDF-1.4", b"<html>", b"{}", b'{"phases": []}', b'{"phases": [{"name": "S1901M"}]}', b"[" * 90_000,
        b'{"answers": [{"units": {"X": ["A ZZZ"]}, "orders": {}}]}', b'{"answers": [1]}', b"[settings]\n", b"case x\ncase x",
        b'{"phases": [{"name": "S1901M", "state": {"name": "", "units": {"FRANCE": ["A PAR"]}}}], "map": "/etc/passwd"}',
    ],
)  # fmt: skip
def test_what_cannot_be_opened_is_told(data: bytes) -> None:
    assert read(data, name="/etc/passwd")["message"]


def test_the_gallery_lists_the_cases_that_come_with_satjudge() -> None:
    shelves = {shelf["title"]: shelf["files"] for shelf in ask("gallery")}
    (first,) = [file for file in shelves["DATC 3.2"] if file["file"] == "datc-3.2/6.F"]
    assert [case["identity"] for case in first["cases"]] == [sheet.identity for sheet in read_collection(section="6.F")]
    assert first["title"] == "6.F: convoys"
    assert first["cases"][13] == {"identity": "6.F.14", "title": "Simple convoy paradox", "source": "DATC 3.2, 6.F.14"}
    assert "Rules of other variants" in shelves
    assert len(shelves) == 12


def test_examples_are_cases_of_the_gallery_with_a_picture_of_their_corner_of_the_map() -> None:
    assert len({one.picture for one in EXAMPLES}) == len(EXAMPLES) > 2
    for one in EXAMPLES:
        assert ask("case", file=one.file, identity=one.identity)
        assert draw_example(one.picture).startswith(b"<svg")
    assert len(draw_example("examples/6.C.1.svg")) < 60_000 < len(draw_example("examples/1982-F1901.svg"))
    with pytest.raises(NotFoundError, match="no example"):
        draw_example("examples/../server.py")


def test_a_case_of_the_gallery_is_opened_with_its_retreats_and_rulebook() -> None:
    phases = ask("case", file="rulebook-1982/sample-game", identity="1982/F1901")
    assert phases[0]["rules"]["name"] == "1982"
    assert ask("case", file="datc-3.2/6.H", identity="6.H.1")[1]["follows"] is True
    assert "no file" in ask("case", file="../pyproject", identity="x")["message"]
    assert "no case" in ask("case", file="datc-3.2/6.H", identity="6.A.1")["message"]
