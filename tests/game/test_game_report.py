"""What a game master sends out when a phase is judged, and what is told of a sheet that is not as it should be."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from helpers.scripted_game import scripted

from satjudge import Board, Game, judge, parse_unit, starting_board
from satjudge.apps.cli import run
from satjudge.base.errors import InputError, NotationError, SheetError
from satjudge.bulk.batch import answer_line
from satjudge.explain.words.verdict_text import describe_ruling
from satjudge.files.maps import read_map
from satjudge.game.documents import GameReport, format_phase, make_game_report
from satjudge.judging.judge import judge_phase
from satjudge.judging.outcome import Outcome
from satjudge.notation.bundled_cases import find_bundled_case, read_bundled_cases
from satjudge.notation.parse import parse_order
from satjudge.notation.sheet_reader import read_sheets
from satjudge.notation.suggestions import edit_distance, find_nearest
from satjudge.show.game_reports import format_markdown, format_text
from satjudge.show.report import GamePage
from satjudge.world.board import by_power
from satjudge.world.geography import load_map

COLUMNS = 77
"""An e-mail's lines are under 78 columns."""


@pytest.fixture(scope="module")
def game() -> Game:
    """A game of three years with a paradox, retreats, civil disorder and missing orders."""
    return scripted()


def told(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    assert run(list(arguments)) == code
    shown = capsys.readouterr()
    return shown.err if code else shown.out


# ---------------------------------------------------------------- the report


def reports(game: Game) -> Iterator[GameReport]:
    for played in game.history:
        yield make_game_report(game, played.phase_name, deadline="Sunday 20:00")


def test_codes_are_told_where_players_may_not_know_them(game: Game, tmp_path: Path) -> None:
    assert "What the codes mean" not in format_text(make_game_report(game))
    path = tmp_path / "hills.toml"
    path.write_text('based_on = "standard"\nname = "hills"\n[province.BUD]\nname = "Seven Hills"\n', encoding="utf-8")
    own = Game.new(read_map(path))
    own.order("AUSTRIA", "A BUD - SER")
    report = make_game_report(own)
    assert (report.codes["BUD"], "PIC" in report.codes) == ("Seven Hills", False)
    own.next()
    assert make_game_report(own).codes["SER"] == "Serbia"
    assert "BUD Seven Hills" in format_text(make_game_report(own)).partition("What the codes mean")[2].replace("\n", " ")
    assert "BUD Seven Hills" in GamePage(own).format_page()


def test_an_email_has_short_lines_of_plain_signs(game: Game) -> None:
    for report in reports(game):
        for line in format_text(report).splitlines():
            assert len(line) <= COLUMNS
            assert line.isascii()
            assert line == line.rstrip()


def test_the_email_of_a_paradox(game: Game) -> None:
    written = format_text(make_game_report(game, "S1902M", deadline="Sunday 20:00"))
    one_line = " ".join(written.split())
    for part in (
        "scripted: results of Spring 1902, moves",
        "Next: Spring 1902, retreats. Orders are due Sunday 20:00.",
        "France: F ENG is dislodged. It may retreat to IRI, MAO or NTH, or disband.",
        "F ENG C A PIC - LON disrupted, dislodged by F WAL; may retreat to IRI, MAO, NTH",
        "A BUD not ordered: destroyed by A TRI; no retreat",
        "* Germany gives no order to F DEN, A BER, F KIE: hold.",
        "* A paradox: F WAL - ENG, F LON S F WAL - ENG and F ENG C A PIC - LON depend on each other, and 2 results are",
        "By the Szykman rule, F ENG C A PIC - LON is disrupted. The other results",
        "France A POR, A PIC, F BRE, F ENG (to retreat) 4 centres: BRE, MAR, PAR, POR",
        "1901 2 (-1) 3 4 (+1) 5 (+2) 6 (+3) 6 (+2) 4 (+1)",
    ):
        assert part in one_line, part
    assert not re.search(r"\b[AF]\n", written)  # no unit is torn apart


def test_builds_and_removals_are_told_with_numbers_and_places(game: Game) -> None:
    lines = format_text(make_game_report(game, "F1901M")).splitlines()
    assert "* Austria must remove 1 unit." in lines
    assert "* Germany may build 2 units, in BER or KIE." in lines
    assert "* Next: Winter 1901, builds and removals." in lines
    assert "* England in civil disorder loses F ENG (DATC 4.D.8)." in format_text(make_game_report(game, "W1902A"))


def test_what_failed_has_its_reason_and_who_is_eliminated_is_told(game: Game) -> None:
    assert "A BUL - SER          fails: attack 1 does not exceed hold 1 of A SER\n" in format_text(
        make_game_report(game, "S1902M")
    )
    report = make_game_report(game, "F1902R")
    for written in (format_text(report), format_markdown(report), GamePage(game, "F1902R").format_page()):
        assert "Austria is eliminated." in written
    assert not any("eliminated" in format_text(other) for other in reports(game) if other.phase != "F1902R")


def test_builds_nobody_ordered_are_missing_and_declined_ones_are_not(game: Game) -> None:
    report = make_game_report(game, "W1902A")
    assert "Germany leaves 1 build unused." in report.missing
    assert report.missing[-1] == "England in civil disorder loses F ENG (DATC 4.D.8)."
    assert not report.notes
    report = make_game_report(game, "W1901A")
    assert (report.missing, report.notes) == ([], ["Turkey leaves 1 build unused (1 declined)."])


@pytest.mark.parametrize("dislodged", [False, True])
def test_contested_places_matter_where_somebody_must_retreat(dislodged: bool) -> None:
    units = [parse_unit(unit, power, load_map()) for power, unit in (("FRANCE", "A PAR"), ("GERMANY", "A MUN"))]
    units += [parse_unit(unit, "ITALY", load_map()) for unit in ("A VEN", "A TYR")]
    units.append(parse_unit("A TRI", "AUSTRIA", load_map()))
    game = Game.new(board=Board(tuple(units)))
    game.order("FRANCE", "A PAR - BUR")
    game.order("GERMANY", "A MUN - BUR")
    game.order("ITALY", "A VEN - TRI", *(["A TYR S A VEN - TRI"] * dislodged))
    game.next()
    assert ("Contested, so no unit can retreat there: BUR." in make_game_report(game).notes) is dislodged


def test_illegal_orders_are_told_with_their_reason() -> None:
    game = Game.new()
    game.order("FRANCE", "A PAR - LON", "F BRE - MAO")
    game.read_sheet("Italy:\n  A ROM - Vence", unreadable="keep")
    game.next()
    found = {one.order: one for given in make_game_report(game).results.values() for one in given}
    assert found["A PAR - LON"].verdict == "illegal"
    assert re.search("A PAR - LON +illegal: an army cannot move", format_text(make_game_report(game)))
    assert "did you mean Venice (VEN)?" in found["A ROM - Vence"].remark


def test_the_chart_has_the_centres_that_the_saved_game_has(game: Game) -> None:
    """Read from the file as other programs see it: whoever owns what in the phase that follows a year."""
    saved = {phase["name"]: phase["state"]["centers"] for phase in game.document()["phases"]}
    chart = make_game_report(game).chart
    assert [year.year for year in chart] == [1900, 1901, 1902, 1903]
    before: dict[str, int] = {}
    for year, name in zip(chart, ["S1901M", "S1902M", "S1903M", "S1904M"], strict=True):
        assert year.counts == {power: len(saved[name].get(power, [])) for power in year.counts}
        assert year.changes == {power: count - before.get(power, count) for power, count in year.counts.items()}
        before = year.counts
    assert [year.year for year in make_game_report(game, "F1902M").chart] == [1900, 1901]


def test_before_anything_is_judged_the_beginning_is_told_and_at_the_end_who_won() -> None:
    game = Game.new(name="new")
    assert format_text(make_game_report(game, deadline="soon")).startswith("new: the game begins\n")
    assert "Next: Spring 1901, moves. Orders are due soon." in format_text(make_game_report(game, deadline="soon"))
    with pytest.raises(InputError, match="S1901M has not been judged yet"):
        make_game_report(game, "S1901M")
    game.next()
    game.end("FRANCE", "TURKEY")
    assert "* The game is over: a draw of France, Turkey." in format_text(make_game_report(game))
    assert "No orders were given." in format_text(make_game_report(game))


def test_a_chart_of_many_powers_is_broken_into_several() -> None:
    game = Game.new("chaos")
    game.next()
    written = format_text(make_game_report(game))
    assert max(map(len, written.splitlines())) <= COLUMNS
    assert written.count("\nYear ") > 3
    assert all(name in written for name in game.map.power_names.values())


def test_markdown_says_the_same_and_a_name_means_nothing_in_it(game: Game) -> None:
    written = format_markdown(make_game_report(game, "S1902M"))
    assert "### France\n\n- `A PIC - LON VIA`: **fails**: its convoy is disrupted at F ENG\n" in written
    assert "**disrupted, dislodged** by F WAL;" in written
    assert "| 1901 | 2 (-1) | 3 | 4 (+1) |" in written
    named = format_markdown(make_game_report(Game.new(name="*a* <b> [c](http://d) | e")))
    assert named.startswith("# \\*a\\* &lt;b&gt; \\[c\\](http://d) \\| e: the game begins\n")


def test_the_page_needs_nothing_else_and_shows_one_piece_of_the_map(game: Game) -> None:
    pages = [GamePage(game, "S1902M"), GamePage(game, "S1902R")]
    written = pages[0].format_page()
    addresses = re.findall(r"(?:href|src)=\"([^\"]*)\"|url\(([^)]*)\)", written)
    assert {address[:1] for pair in addresses for address in pair if address} <= {"#", "d"}  # within the page, or data:
    assert "http" not in written.replace("http-equiv", "").replace("http://www.w3.org/2000/svg", "")
    assert 'id="results"' in written
    assert "Orders are due" not in written
    drawn = [picture for page in pages for picture in page.draw_pictures().values()]
    boxes = {panel.get("viewBox") for picture in drawn for panel in ElementTree.fromstring(picture).iter() if _is_panel(panel)}
    assert len(drawn) == 4
    assert len(boxes) == 1


def _is_panel(element: ElementTree.Element) -> bool:
    return element.get("class") == "panel"


def test_a_name_in_a_page_is_text() -> None:
    game = Game.new(name="<script>alert(1)</script>")
    assert "<script>alert" not in GamePage(game, deadline="<b>").format_page()


@pytest.mark.parametrize(
    ("name", "words"),
    [("S1901M", "Spring 1901, moves"), ("F1902R", "Fall 1902, retreats"), ("W1901A", "Winter 1901, builds and removals"),
     ("COMPLETED", "COMPLETED"), ("?", "?")],
)  # fmt: skip
def test_phases_in_words(name: str, words: str) -> None:
    assert format_phase(name) == words


def test_rulings_in_plain_words() -> None:
    found = {}
    for case in ("6.C.1", "6.F.16"):
        sheet = find_bundled_case(case)
        outcome = judge_phase(sheet.board, sheet.orders_by_power())
        assert isinstance(outcome, Outcome)
        found[case] = [describe_ruling(ruling) for ruling in outcome.adjudication.rulings]
    assert found["6.C.1"] == ["F ANK - CON, A CON - SMY and A SMY - ANK move in a circle, and all of them succeed (DATC 6.C)."]
    (paradox,) = found["6.F.16"]
    assert "no result is consistent" in paradox


def test_the_command(game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    game.save("g.json")
    report = ("game", "report", "g.json")
    assert told(capsys, *report, "--phase", "S1902M", "--due", "Friday").startswith("scripted: results of Spring 1902, moves\n")
    assert told(capsys, *report, "--format", "markdown").startswith("# scripted")
    assert json.loads(told(capsys, *report, "--json", "--due", "Friday"))["deadline"] == "Friday"
    told(capsys, *report, "--phase", "S1902M", "-o", "all")
    assert sorted(path.name for path in Path("all").iterdir()) == [
        "S1902M-orders.svg", "S1902M-position.svg", "S1902M.html", "S1902M.md", "S1902M.txt",
    ]  # fmt: skip
    told(capsys, *report, "-o", "one.md")
    assert Path("one.md").read_text(encoding="utf-8").startswith("# scripted")
    told(capsys, *report, "-o", "page.htm", "--format", "html")
    assert Path("page.htm").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert "is a directory and gets all formats" in told(capsys, *report, "-o", "all", "--format", "html", code=2)
    assert "use .txt, .md, .html, a directory, or --format" in told(capsys, *report, "-o", "x.pdf", code=2)
    assert "S1904M has not been judged yet" in told(capsys, *report, "--phase", "S1904M", code=2)


# ---------------------------------------------------------------- suggestions


def test_letters_that_changed_places_cost_least() -> None:
    assert edit_distance("bru", "bur") == 1
    assert edit_distance("bru", "bre") == 2
    assert edit_distance("bugundy", "burgundy") == 2
    assert edit_distance("", "ab") == edit_distance("ab", "") == 4
    assert edit_distance("abc", "abc") == 0


def test_of_names_as_near_those_that_are_preferred_are_meant() -> None:
    names = {"tri": "TRI", "tyr": "TYR", "tus": "TUS", "tyrolia": "TYR"}
    assert find_nearest("tre", names) == ["TRI"]
    assert find_nearest("tur", names) == ["TUS", "TYR"]
    assert find_nearest("tur", names, ["TYR"]) == ["TYR"]
    assert find_nearest("tyro", names) == ["TYR"]
    assert find_nearest("xyzzy", names) == find_nearest("", names) == find_nearest("t" * 50, names) == []


@pytest.mark.parametrize(
    ("order", "meant"),
    [
        ("A PAR - Bru", "Burgundy (BUR)"),
        ("A MAR S A PAR - Bru", "Burgundy (BUR)"),
        ("A MAR S A Pra - BUR", "Paris (PAR)"),
        ("F BRE - EGN", "English Channel (ENG)"),
        ("F STP/SC - Bth", "Gulf of Bothnia (BOT)"),
        ("A MUN - B", "Berlin (BER) or Bohemia (BOH) or Burgundy (BUR)"),
        ("F ENG C A BRE - Lno", "London (LON)"),
        ("F NTH R Nwa", "Norway (NWY)"),
    ],
)
def test_what_was_perhaps_meant(order: str, meant: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_order(order, load_map())
    assert caught.value.suggestion == f"did you mean {meant}?"


def test_units_that_are_there_are_meant_first() -> None:
    """Prussia is as near as Paris is, and Portugal."""
    with pytest.raises(SheetError, match=r"4 errors") as caught:
        Game.new().read_sheet("France:\n  A PSR - BUR\n  F BRF H\nRussia:\n A WRA - GAL\n  A MOZ - UKR")
    assert re.findall(r"did you mean ([^?]*)\?", str(caught.value)) == [
        "Paris (PAR)",
        "Brest (BRE)",
        "Warsaw (WAR)",
        "Moscow (MOS)",
    ]


# ---------------------------------------------------------------- errors, all at once


SHEET = """position: opening
France:
  A PSR - BUR
  A MAR - Bru
  F BRE - MAO
Frnace:
  A PAR - XXX
Germany:
  A BUR - MUN
  A MUN - RUH | perhaps
"""


def test_all_errors_of_a_sheet_are_told_with_their_places(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "s.txt"
    path.write_text(SHEET, encoding="utf-8")
    first, *errors = told(capsys, "judge", str(path), code=2).splitlines()
    assert first.endswith("6 errors:")
    assert [re.sub(r".*s\.txt:", "", error).partition(": ")[0] for error in errors] == [
        "3:5",
        "4:11",
        "6:1",
        "7:11",
        "9",
        "10:16",
    ]
    assert "did you mean Paris (PAR)?" in errors[0]
    assert "did you mean Burgundy (BUR)?" in errors[1]
    assert "did you mean France?" in errors[2]


def test_mistakes_are_told_as_the_document_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = ["position: opening", "France:", "  A PSR - BUR", "  A MAR - Bru", "Germany:", "  A BUR - MUN"]
    Path("orders.txt").write_text("\n".join(lines), encoding="utf-8")
    document = (Path(__file__).parents[2] / "docs" / "reference" / "order-sheets.md").read_text(encoding="utf-8")
    shown = document.partition("```text\n")[2].partition("```")[0]
    assert told(capsys, "judge", "orders.txt", code=2) == shown


def test_lines_below_an_unknown_power_are_not_told_again() -> None:
    with pytest.raises(InputError, match=r"^sheet:1:1: there is no power 'Frnace'"):
        read_sheets("Frnace:\n  A PAR H\n  A MAR H\nGermany:\n  A MUN H")
    with pytest.raises(InputError, match=r"^sheet:1:1: whose order is 'A PAR H'"):
        read_sheets("A PAR H\nA MAR H")


def test_a_long_list_of_errors_ends() -> None:
    with pytest.raises(SheetError) as caught:
        read_sheets("France:\n" + "  A XXX H\n" * 200)
    assert str(caught.value).startswith("50 or more errors:\n")
    assert len(str(caught.value).splitlines()) == 52


# ---------------------------------------------------------------- no unit by a typo


def test_in_the_opening_there_are_no_other_units() -> None:
    (sheet,) = read_sheets("position: opening\nFrance:\n  A PAR - BUR")
    assert sheet.board.units == starting_board().units
    assert dict(sheet.board.centers) == dict(starting_board().centers)


@pytest.mark.parametrize(
    ("order", "error"),
    [
        ("A BUR - MUN", r"sheet:4: there is no unit in Burgundy: A BUR - MUN \(did you mean A BER\?\)"),
        ("A SIL - DEN", r"no unit in Silesia: A SIL - DEN \(did you mean F KIE\?\)"),
        ("A TUS H", r"no unit in Tuscany: A TUS H \(Germany has A BER, F KIE, A MUN\)"),
        ("A MNU - BUR", r"expected a province, found 'MNU.*did you mean Munich \(MUN\)"),
    ],
)
@pytest.mark.parametrize("how", ["opening", "complete"])
def test_a_typo_makes_no_unit(order: str, error: str, how: str) -> None:
    units = "" if how == "opening" else "Germany owns A BER, F KIE, A MUN"
    with pytest.raises(InputError, match=error):
        read_sheets(f"position: {how}\n{units}\nGermany:\n  {order}\n  F KIE - DEN")
    (sheet,) = read_sheets(f"position: {how}\n{units}\nGermany:\n  {order}\n  F KIE - DEN", lenient=True)
    assert sum(unit.power == "GERMANY" for unit in sheet.board.units) == 3
    assert judge(sheet.board, sheet.orders_by_power()).results["GERMANY"] == ["illegal", "succeeds"]


def test_without_such_a_line_orders_make_units_as_ever() -> None:
    (sheet,) = read_sheets("Germany:\n  A BUR - MUN")
    assert [str(unit) for unit in sheet.board.units] == ["A BUR"]


@pytest.mark.parametrize(
    ("lines", "error"),
    [
        ("position: middle", r"there is no position 'middle' \(positions: opening, complete\)"),
        ("France owns A PAR\nposition: opening", "the opening must come first"),
        ("position: opening\nmap: loeb9", "the map must come first"),
        ("position: complete\nFrance:\n  A PAR H", r"write above it `position: opening` or France owns A PAR"),
    ],
)
def test_positions_that_cannot_be(lines: str, error: str) -> None:
    with pytest.raises(InputError, match=error):
        read_sheets(lines)


def test_the_command_is_strict_if_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "s.txt"
    path.write_text("France owns A PAR\nFrance:\n  A PAR - BUR\n  A MRA H\n", encoding="utf-8")
    assert "did you mean Marseilles" in told(capsys, "judge", str(path), code=2)
    path.write_text("France owns A PAR\nFrance:\n  A PAR - BUR\n  A MAR H\n", encoding="utf-8")
    assert "s.txt:4: there is no unit in Marseilles: A MAR H" in told(capsys, "judge", str(path), "--strict", code=2)
    lenient = told(capsys, "judge", str(path), "--strict", "--lenient")
    assert re.search(r"A MAR H +illegal +there is no unit in MAR", lenient)
    assert re.search(r"Afterwards +France +A BUR$", lenient, re.MULTILINE)


LISTED = "France owns A Paris, A Marseilles\n"


@pytest.mark.parametrize(
    ("sheet", "placed"),
    [
        (f"{LISTED}France:\n  A Par H\n  A Gas - Spa\nItaly:\n  F Rom H\n", "A GAS of France, F ROM of Italy"),
        (f"{LISTED}Italy:\n  F Rom H\n", ""),  # what is listed is not ordered: orders are meant to place the rest
        (f"{LISTED}France:\n  A Par H\n  A Mar H\n", ""),
        (f"position: complete\n{LISTED}France:\n  A Par H\n", ""),
        ("France:\n  A Par H\n  A Gas - Spa\n", ""),
    ],
)
def test_units_that_only_orders_place_are_named(
    sheet: str, placed: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "s.txt"
    path.write_text(sheet, encoding="utf-8")
    remark = f"Units that only orders mention: {placed}. With --strict, such orders are errors."
    assert told(capsys, "judge", str(path)).count("only orders mention") == bool(placed)
    assert not placed or remark in told(capsys, "judge", str(path)).splitlines()


def test_no_shipped_case_has_units_that_only_orders_place_beside_listed_ones() -> None:
    for name in ("datc:all", "datc:2.4/all", "catalogue:all", "line:all"):
        assert not [sheet.identity for sheet in read_bundled_cases(name) if sheet.units_from_orders]


def test_behind_a_list_mark_it_is_known_whose_order_cannot_be_read() -> None:
    sheet = "position: opening\n**France**\n- A Par-Bru, F Bre-MAO\n* A Mar S A Pra - Bur"
    (read,) = read_sheets(sheet, lenient=True)
    given = judge(read.board, read.orders_by_power())
    assert [str(order.order) for order in given.judged["FRANCE"]] == ["A Par-Bru", "F BRE - MAO", "A Mar S A Pra - Bur"]
    assert [order.province for order in given.judged["FRANCE"]] == ["PAR", "BRE", "MAR"]


# ---------------------------------------------------------------- what the table shows


def test_units_without_an_order_are_in_the_table() -> None:
    units = {"FRANCE": ["A PAR", "A MAR"], "GERMANY": ["A BUR", "A MUN"], "ITALY": ["A PIE"]}
    board = Board(tuple(parse_unit(text, power, load_map()) for power, texts in units.items() for text in texts))
    shown = str(judge(board, {"FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"], "GERMANY": ["A MUN - PAR"]}))
    assert re.search(r"^Germany +A MUN - PAR +illegal +an army cannot move from MUN to PAR", shown, re.MULTILINE)
    assert re.search(
        r"^ +A BUR +not ordered +dislodged by A PAR of France, 2 against 1; may retreat to .*GAS", shown, re.MULTILINE
    )
    assert re.search(r"^Italy +A PIE +not ordered +holds$", shown, re.MULTILINE)
    assert "not ordered" not in str(judge(board, {}))
    mistaken = str(
        judge(board, {"FRANCE": ["A PAR - LON", "A MAR H"], "GERMANY": ["A BUR H", "A MUN H"], "ITALY": ["A PIE H"]})
    )
    assert "not ordered" not in mistaken  # an illegal order is one


# ---------------------------------------------------------------- a game by itself


def test_a_game_writes_its_report_in_each_format(game: Game) -> None:
    document = make_game_report(game, "F1901M", deadline="Sunday")
    assert game.report("text", "F1901M", deadline="Sunday") == format_text(document, for_players=True)
    assert game.report("markdown", "F1901M", deadline="Sunday") == format_markdown(document, for_players=True)
    assert game.report("html", "F1901M") == GamePage(game, "F1901M").format_page()
    assert game.report() == format_text(make_game_report(game), for_players=True)
    with pytest.raises(InputError, match=r"a report cannot have the format 'pdf' \(choose from text, markdown, html\)"):
        game.report("pdf")


def test_a_game_tells_units_phases_by_name_and_the_winner(game: Game) -> None:
    assert list(game.phases) == [*(played.phase_name for played in game.history), game.phase_name]
    assert game.phases["F1901M"] is game.at("F1901M")
    assert game.phases["S1901M"].outcome.results == game.judge("S1901M").results
    assert game.units == by_power(game.board.units)
    drawn, conceded, won = game.fork(), game.fork(), Game.new(victory=4)
    drawn.draw()
    conceded.end("FRANCE")
    won.next()
    won.next()
    assert [one.winner for one in (game, drawn, conceded, won)] == [None, None, "FRANCE", "RUSSIA"]
    assert list(drawn.phases) == [played.phase_name for played in drawn.history]


# ---------------------------------------------------------------- lenient orders of a game


def test_orders_that_cannot_be_read_are_kept_if_that_is_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, sheet = str(tmp_path / "g.json"), tmp_path / "o.txt"
    told(capsys, "game", "new", path)
    sheet.write_text("France:\n  A PAR - Bru\n  gibberish\n  A MAR - Nonsens\n  F BRE - MAO\n", encoding="utf-8")
    assert "2 errors" in told(capsys, "game", "order", path, "--sheet", str(sheet), code=2)
    shown = json.loads(told(capsys, "game", "order", path, "--sheet", str(sheet), "--lenient", "--json"))
    assert shown["orders"]["FRANCE"] == ["A PAR - Bru", "A MAR - Nonsens", "F BRE - MAO"]
    assert list(shown["illegal"]["FRANCE"]) == ["A PAR - Bru", "A MAR - Nonsens"]
    assert "did you mean Burgundy" in shown["illegal"]["FRANCE"]["A PAR - Bru"]
    shown = json.loads(told(capsys, "game", "order", path, "FRANCE", "A PAR - BUR", "--json"))
    assert shown["orders"]["FRANCE"] == ["A MAR - Nonsens", "F BRE - MAO", "A PAR - BUR"]
    results = json.loads(told(capsys, "game", "next", path, "--json"))["results"]["FRANCE"]
    assert results == ["illegal", "succeeds", "succeeds"]


def test_a_batch_line_tells_all_units_and_places_that_cannot_be_read() -> None:
    line = {"units": {"FRANCE": ["A PARR", "F BRE", "F Bret"], "ITALY": ["A VEN"]}, "orders": {"FRANCE": ["F BRE H"]}}
    told = answer_line(json.dumps({**line, "dislodged": {"FRANCE": {"A XXX": []}}}).encode())
    problems = json.loads(told)["error"]["message"].split("; ")
    assert [problem.partition(":")[0] for problem in problems] == ["units of FRANCE, column 3", "units of FRANCE, column 3"]
    assert re.findall(r"did you mean ([^?]*)\?", "; ".join(problems)) == ["Paris (PAR)", "Brest (BRE)"]
