"""Order sheets: every feature of docs/reference/order-sheets.md, every mistake with its place; all cases of the DATC 3.2."""

from __future__ import annotations

import re
import time
import tomllib
from pathlib import Path
from typing import Any

import pytest

from satjudge.base.errors import BoardError, InputError, NotFoundError, SheetError
from satjudge.base.resources import data_directory
from satjudge.judging.judge import judge
from satjudge.notation.bundled_cases import find_bundled_case, list_case_files, read_collection
from satjudge.notation.parse import LONGEST_LINE, parse_order, parse_unit
from satjudge.notation.sheet_reader import VERDICTS, load_sheets, read_sheets
from satjudge.notation.sheets import Sheet
from satjudge.show.notebooks import as_text
from satjudge.world.board import Phase, Unit, by_power
from satjudge.world.geography import UnitKind, load_map
from satjudge.world.orders import Build, Disband, Named, Remove, Retreat
from satjudge.world.rules import load_rulebook

DOCUMENTATION = data_directory() / "docs" / "reference" / "order-sheets.md"

EVERYTHING = """\
# a comment, and an empty line

case 6.X.1: A case with everything   # and a comment behind it
source: DATC 3.2, 6.X.1
source: made up
note: see case#7 and: this
rules: datc-3
erratum: the source forgets the dislodgement

England owns F London, F Wales,A Liverpool
France owns SC Brest, Supply Centre Paris, supply center Marseilles
England:
  F London - English Channel             | fails
  F WAL S F LON - ENG                    | cut, dislodged {printed: cut}
France: F BRE - ENG | fails
france:
  A PAR H

retreats
England:
  F Wales - Irish Sea                    | succeeds {Printed: FAILS}
  Disband A Liverpool

under 1971, 1982:
  France:
    F BRE - ENG | succeeds
  note: as printed
  retreats:
  England:
    F Wales - Irish Sea | illegal
under datc-3 with 4.A.2=all-hold, 4.A.7=a:
  same

CASE 6.X.2 : The next one
Phase: Adjustment
Russia owns sc Moscow
Russia owns A Livonia, A Ukraine
Russia:
  Automatic disband A Livonia
  Remove A Moscow | illegal
under datc-3:
  Russia:
  Automatically removes A Ukraine
"""


def only(text: str) -> Sheet:
    (sheet,) = read_sheets(text)
    return sheet


@pytest.fixture(scope="module")
def both() -> list[Sheet]:
    return read_sheets(EVERYTHING, source="everything.txt")


@pytest.fixture(scope="module")
def first(both: list[Sheet]) -> Sheet:
    return both[0]


@pytest.fixture(scope="module")
def second(both: list[Sheet]) -> Sheet:
    return both[1]


# ---- what a sheet says ----


def test_cases_have_an_id_a_title_and_a_place(both: list[Sheet]) -> None:
    assert [(sheet.identity, sheet.title, sheet.source_file, sheet.line) for sheet in both] == [
        ("6.X.1", "A case with everything", "everything.txt", 3),
        ("6.X.2", "The next one", "everything.txt", 34),
    ]
    assert [(sheet.phase, sheet.rules) for sheet in both] == [
        (Phase.MOVEMENT, "datc-3"),
        (Phase.ADJUSTMENT, "datc-3"),
    ]


def test_notes_may_be_repeated(first: Sheet, second: Sheet) -> None:
    assert first.notes == {
        "source": ["DATC 3.2, 6.X.1", "made up"],
        "note": ["see case#7 and: this"],
        "erratum": ["the source forgets the dislodgement"],
    }
    assert second.notes == {}


def test_units_and_centres_are_owned(first: Sheet, second: Sheet) -> None:
    assert by_power(first.owned) == {"ENGLAND": ["F LON", "F WAL", "A LVP"]}
    assert first.centers == {"BRE": "FRANCE", "PAR": "FRANCE", "MAR": "FRANCE"}
    assert second.centers == {"MOS": "RUSSIA"}


def test_orders_with_their_verdicts(first: Sheet) -> None:
    assert [(entry.power, str(entry.order), entry.expected, entry.printed, entry.line) for entry in first.orders] == [
        ("ENGLAND", "F LON - ENG", "fails", None, 13),
        ("ENGLAND", "F WAL S F LON - ENG", "cut, dislodged", "cut", 14),
        ("FRANCE", "F BRE - ENG", "fails", None, 15),
        ("FRANCE", "A PAR H", None, None, 17),
    ]
    assert {power: list(map(str, orders)) for power, orders in first.orders_by_power().items()} == {
        "ENGLAND": ["F LON - ENG", "F WAL S F LON - ENG"],
        "FRANCE": ["F BRE - ENG", "A PAR H"],
    }


def test_retreats_are_read_as_retreats(first: Sheet) -> None:
    assert [(entry.order, entry.expected, entry.printed) for entry in first.retreats] == [
        (Retreat(Named(UnitKind.FLEET, "WAL"), "IRI"), "succeeds", "fails"),
        (Disband(Named(UnitKind.ARMY, "LVP")), None, None),
    ]
    assert list(first.retreats_by_power()) == ["ENGLAND"]


def test_under_blocks(first: Sheet) -> None:
    old, variant = first.under
    assert (old.rulebooks, old.settings, old.line) == (("1971", "1982"), (), 24)
    assert [(entry.power, str(entry.order), entry.expected) for entry in old.orders] == [("FRANCE", "F BRE - ENG", "succeeds")]
    assert [(str(entry.order), entry.expected) for entry in old.retreats] == [("F WAL R IRI", "illegal")]
    assert old.notes == ["as printed"]
    assert (variant.rulebooks, variant.settings) == (("datc-3",), ("4.A.2=all-hold", "4.A.7=a"))
    assert variant.orders == variant.retreats == []


def test_a_block_may_expect_no_answer() -> None:
    same, silent = only("under datc-3:\nsame\nunder datc-3 with 4.A.2=none:\nUnresolved").under
    assert (same.unresolved, silent.unresolved) == (False, True)


def test_adjustments(second: Sheet) -> None:
    assert [entry.order for entry in second.orders] == [Remove(Named(UnitKind.ARMY, "MOS"))]
    assert second.automatic == [Unit("RUSSIA", UnitKind.ARMY, "LVN")]
    assert second.under[0].automatic == [Unit("RUSSIA", UnitKind.ARMY, "UKR")]
    assert only("phase: adjustment\nFrance:\n Build A Paris").orders[0].order == Build(Named(UnitKind.ARMY, "PAR"))


def test_a_file_with_one_position_needs_no_case() -> None:
    sheet = only("\n\nFrance:\nA PAR - BUR")
    assert (sheet.identity, sheet.title, sheet.source_file, sheet.line) == ("", "", "sheet", 3)
    assert [str(entry.order) for entry in sheet.orders] == ["A PAR - BUR"]


def test_headings_start_anew_with_each_case_and_section() -> None:
    for text in ("France:\nA PAR H\ncase 2: x\nA MAR H", "France:\nA PAR H\nretreats\nA PAR D"):
        with pytest.raises(SheetError, match="whose order is"):
            read_sheets(text)
    with pytest.raises(SheetError, match="whose order is 'A PAR H'"):
        read_sheets("France:\nA PAR H\nunder datc-3:\nA PAR H")


def test_any_line_ending_and_a_byte_order_mark(tmp_path: Path) -> None:
    file = tmp_path / "dos.txt"
    file.write_bytes("\ufeffFrance:\r\n  A PAR – BUR | succeeds\r\n".encode())
    (sheet,) = load_sheets(file)
    assert (str(sheet.orders[0].order), sheet.orders[0].expected) == ("A PAR - BUR", "succeeds")


# ---- the board that a sheet describes ----


def test_units_stand_where_they_are_ordered_from() -> None:
    board = only("England owns F Spain(sc)\nFrance:\nA PAR - BUR\nF Brest H\nGermany: F Spain(nc) - MAO").board
    assert by_power(board.units) == {"ENGLAND": ["F SPA/SC"], "FRANCE": ["A PAR", "F BRE"]}


def test_an_owns_line_wins_over_what_orders_imply() -> None:
    """6.A.6, 4.C.1, 4.C.2: other powers, missing and wrong kinds."""
    board = only("England owns F London\nGermany: F London - North Sea\nFrance: LON H\nItaly: A LON H").board
    assert by_power(board.units) == {"ENGLAND": ["F LON"]}


def test_several_orders_for_one_unit_imply_it_once() -> None:
    board = only("France:\nF SPA/NC - MAO\nF SPA/SC - WES\nSPA H").board
    assert by_power(board.units) == {"FRANCE": ["F SPA/NC"]}


def test_in_an_adjustment_phase_orders_imply_nothing() -> None:
    """6.J.1 disbands a fleet that is not there."""
    board = only("phase: adjustment\nFrance owns A Paris, SC Paris\nFrance:\nDisband F Gulf of Lyon\nWAIVE").board
    assert by_power(board.units) == {"FRANCE": ["A PAR"]}
    assert (board.phase, board.centers) == (Phase.ADJUSTMENT, {"PAR": "FRANCE"})


def test_an_order_that_names_no_unit_implies_none() -> None:
    assert only("France:\nWAIVE\nBuild A Paris\nBuild Brest").board.units == ()


@pytest.mark.parametrize("place", ["", "under 1971:\n"])
def test_an_erratum_anywhere_in_the_case_explains_a_printed_label(place: str) -> None:
    sheet = only(f"France:\nA PAR H | stands {{printed: fails}}\n{place}erratum: it cannot fail")
    assert sheet.notes["erratum"] == ["it cannot fail"]


def test_a_sheet_may_have_retreats_without_orders() -> None:
    assert only("France:\nA PAR H\nretreats").has_retreats
    assert not only("France:\nA PAR H\nunder 1971:\nretreats").has_retreats


# ---- mistakes, each with its place ----

MISTAKES: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("mistakes.toml").read_text(encoding="utf-8")) | {
    "bad verdict": {
        "text": "France:\n  A PAR H | wins",
        "kind": "sheet",
        "line": 2,
        "column": 12,
        "message": "'wins' is not a verdict",
        "suggestion": f"verdicts are {', '.join(sorted(VERDICTS))}",
    },
    "endless line": {
        "text": "France:\n" + "x" * 10_000_000,
        "kind": "sheet",
        "line": 2,
        "column": LONGEST_LINE + 1,
        "message": "a line of 10,000,000 characters",
    },
    "endless order": {
        "text": "France:\n" + "x" * 4000,
        "kind": "notation",
        "line": 2,
        "column": 1,
        "message": "a text of 4,000 characters is not an order",
    },
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes(mistake: str) -> None:
    text, kind, line, message = (MISTAKES[mistake][key] for key in ("text", "kind", "line", "message"))
    column, suggestion = MISTAKES[mistake].get("column"), MISTAKES[mistake].get("suggestion")
    start = time.process_time()
    with pytest.raises(InputError) as caught:
        read_sheets(text, source="my.txt")
    assert time.process_time() - start < 0.5
    error = caught.value
    assert (error.kind, error.source, error.line or 0, error.column) == (kind, "my.txt", line, column)
    assert message in error.message
    assert (error.suggestion is None) == (suggestion is None)
    assert (error.suggestion or "").startswith(suggestion or "")
    place = ":".join(str(part) for part in ("my.txt", line, column) if part)
    assert str(error).startswith(f"{place}: ")


@pytest.mark.parametrize("blank", [" ", "\t", "a ", "a\u3000"])
def test_a_line_of_blanks_takes_no_time(blank: str) -> None:
    """The patterns for headings and owners must not try every pair of blanks."""
    line = f"x{blank * (LONGEST_LINE // len(blank) - 3)}x"

    def taken() -> float:
        start = time.process_time()
        for text in (line, f"France: {line[:3000]}", f"under {line[:3000]}"):
            with pytest.raises(InputError):
                read_sheets(text)
        return time.process_time() - start

    assert any(taken() < 0.5 for _ in range(3))  # garbage of other tests may be collected in one of them


def board_error(text: str) -> InputError:
    (sheet,) = read_sheets(text, source="my.txt")
    with pytest.raises(InputError) as caught:
        _ = sheet.board
    return caught.value


def test_a_unit_of_unknown_kind() -> None:
    error = board_error("Italy:\nA ROM H\nParis - Burgundy")
    assert isinstance(error, SheetError)
    assert str(error) == ("my.txt:3: is PAR an army or a fleet? (write A PAR or F PAR, or say who owns it: X owns F PAR)")


@pytest.mark.parametrize(
    ("text", "power"), [("Italy:\nA ROM H\nFrance: F ROM - TUS", "FRANCE"), ("Italy:\nA ROM H\nF ROM - TUS", "ITALY")]
)
def test_two_units_in_one_place_by_their_orders(text: str, power: str) -> None:
    assert str(board_error(text)) == (
        f"my.txt:3: two units in ROM: A ROM of ITALY and F ROM of {power} (say which one is there: Italy owns A ROM)"
    )


def test_two_units_in_one_place_by_owners() -> None:
    error = board_error("\ncase 1: Crowded\nItaly owns F Spain(nc), A Rome\nFrance owns F Spain(sc)\nItaly owns A Rome")
    assert isinstance(error, BoardError)
    assert str(error) == (
        "my.txt:4: two units in SPA: F SPA/NC of ITALY and F SPA/SC of FRANCE; "
        "line 5: two units in ROM: A ROM of ITALY and A ROM of ITALY"
    )


def test_a_unit_that_cannot_be_where_it_is() -> None:
    assert str(board_error("England:\nA North Sea - Holland")) == (
        "my.txt:2: A NTH of ENGLAND: an army cannot be at sea in North Sea"
    )
    assert "F SPA must name a coast" in str(board_error("France owns F Spain"))
    assert str(board_error("\nFrance owns SC Paris\nFrance owns SC Burgundy")) == (
        "my.txt:3: FRANCE owns BUR: Burgundy has no supply centre"
    )


def test_each_problem_of_a_position_has_its_line() -> None:
    assert str(board_error("England:\n  F Paris H\n  A North Sea H")) == (
        "my.txt:2: F PAR of ENGLAND: a fleet cannot be inland in Paris; "
        "line 3: A NTH of ENGLAND: an army cannot be at sea in North Sea"
    )
    text = "case 1: x\nEngland:\nA Norwegian Sea H\nEngland owns A North Sea, F Paris, F London\nFrance owns A Rome, SC Ruhr"
    assert str(board_error(text)) == (
        "my.txt:3: A NWG of ENGLAND: an army cannot be at sea in Norwegian Sea; "
        "line 4: A NTH of ENGLAND: an army cannot be at sea in North Sea; F PAR of ENGLAND: a fleet cannot be inland in Paris; "
        "line 5: FRANCE owns RUH: Ruhr has no supply centre"
    )


# ---- files ----


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError) as caught:
        load_sheets(tmp_path / "none.txt")
    assert str(caught.value) == f"there is no file {tmp_path / 'none.txt'}"


def test_a_directory(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="is a directory") as caught:
        load_sheets(tmp_path)
    assert caught.value.suggestion == f"name the files in it: {tmp_path}/*.txt"


def test_an_empty_file(tmp_path: Path) -> None:
    file = tmp_path / "empty.txt"
    file.touch()
    with pytest.raises(SheetError, match="there is nothing in this sheet") as caught:
        load_sheets(file)
    assert str(caught.value).startswith(f"{file}: ")


@pytest.mark.parametrize("content", [b"\x89PNG\r\n\x1a\n\xff\xfe", b"France:\n\xff\n", b"\x80"])
def test_a_binary_file(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "picture.txt"
    file.write_bytes(content)
    with pytest.raises(SheetError, match="not a text file") as caught:
        load_sheets(file)
    assert caught.value.source == str(file)


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_a_file_in_another_encoding(tmp_path: Path, mark: bytes, end: bytes) -> None:
    file = tmp_path / "latin.txt"
    file.write_bytes(mark + b"France:" + end + "  A PAR H # Zürich, ".encode() + "café".encode("latin-1") + end)
    with pytest.raises(SheetError) as caught:
        load_sheets(file)
    assert str(caught.value) == f"{file}:2:24: not a text file in UTF-8: byte 0xe9 (save the file as UTF-8)"


def test_a_file_of_zero_bytes(tmp_path: Path) -> None:
    file = tmp_path / "zeros.txt"
    file.write_bytes(bytes(1000))
    with pytest.raises(SheetError, match="whose order is") as caught:
        load_sheets(file)
    assert (caught.value.source, caught.value.line) == (str(file), 1)


# ---- the documentation ----


def test_the_examples_of_the_documentation_are_read() -> None:
    case, block = re.findall(r"```\n(.*?)```", DOCUMENTATION.read_text(encoding="utf-8"), re.DOTALL)
    sheet = only(case)
    assert (sheet.identity, len(sheet.orders), len(sheet.retreats)) == ("6.H.9", 6, 2)
    assert [entry.rulebooks for entry in only(block).under] == [("1971", "1982"), ("datc-3",)]


def test_the_documented_orders_are_read() -> None:
    """Each spelling in words means one of the short forms beside it."""
    row = r"^\| (movement|retreat|adjustment|) ?\| (`[^|]*) \| (`[^|]*) \|$"
    rows = re.findall(row, DOCUMENTATION.read_text(encoding="utf-8"), re.MULTILINE)
    game_map, phase, spellings = load_map(), Phase.MOVEMENT, 0
    for name, words, short in rows:
        phase = Phase(name) if name else phase
        forms = {parse_order(text, game_map, phase) for text in re.findall(r"`([^`]+)`", short)}
        assert {str(order) for order in forms} == set(re.findall(r"`([^`]+)`", short))
        for text in re.findall(r"`([A-Z][^`]+)`", words):
            assert parse_order(text, game_map, phase) in forms
            spellings += 1
    assert (len(rows), spellings) == (9, 16)


def test_the_documentation_names_every_verdict() -> None:
    text = DOCUMENTATION.read_text(encoding="utf-8")
    assert {verdict for verdict in VERDICTS if f"`{verdict}`" not in text and f"`, {verdict}`" not in text} == set()


# ---- the shipped cases of the DATC 3.2 ----

SECTIONS = {"A": 12, "B": 19, "C": 9, "D": 35, "E": 15, "F": 30, "G": 20, "H": 17, "I": 7, "J": 12}
DATC_IDS = [f"6.{section}.{number}" for section, count in SECTIONS.items() for number in range(1, count + 1)]
DATC = {sheet.identity: sheet for sheet in read_collection()}

# Cases with an erratum, but without another label: the order itself is wrong in the source.
WRONG_IN_THE_SOURCE = {"6.D.35"}


# Cases outside section 6.H with retreats.
FOLLOWED_BY_RETREATS = {"6.F.7"}


def test_all_176_cases_are_there_in_order() -> None:
    assert len(DATC_IDS) == 176
    assert [sheet.identity for sheet in read_collection()] == DATC_IDS


@pytest.mark.parametrize("identity", DATC_IDS)
def test_every_case_says_what_it_is_and_expects_something_of_every_order(identity: str) -> None:
    sheet = DATC[identity]
    assert sheet.title
    assert sheet.notes["source"] == [f"DATC 3.2, {identity}"]
    assert load_rulebook(sheet.rules).name == "datc-3"
    lines = [*sheet.orders, *sheet.retreats]
    assert lines or sheet.automatic
    assert [str(entry.order) for entry in lines if entry.expected is None] == []
    assert (sheet.phase is Phase.ADJUSTMENT) == (identity.startswith(("6.I.", "6.J.")) or identity == "6.B.14")
    assert bool(sheet.retreats) <= (identity.startswith("6.H.") or identity in FOLLOWED_BY_RETREATS)


@pytest.mark.parametrize("identity", DATC_IDS)
def test_a_case_with_another_printed_label_says_why(identity: str) -> None:
    sheet = DATC[identity]
    printed = [entry for entry in (*sheet.orders, *sheet.retreats) if entry.printed is not None]
    assert bool(printed or identity in WRONG_IN_THE_SOURCE) == bool(sheet.notes.get("erratum"))
    assert all(entry.printed != entry.expected for entry in printed)


def test_the_errata_known() -> None:
    """A new one must be argued for: the judge is never bent to fit, nor the label."""
    labels = {
        (identity, str(entry.order)): f"{entry.printed} -> {entry.expected}"
        for identity, sheet in DATC.items()
        for entry in (*sheet.orders, *sheet.retreats)
        if entry.printed is not None
    }
    assert labels == {
        ("6.B.11", "F SPA/SC - LYO"): "fails -> illegal",
        ("6.B.14", "F STP B"): "fails -> illegal",
        ("6.D.4", "A BER S F KIE"): "given -> cut",
        ("6.D.8", "A GRE - NAP"): "invalid, dislodged -> invalid, destroyed",
        ("6.F.21", "F CLY S F NAO"): "cut -> cut, destroyed",
        ("6.F.28", "F BOT C A LVN - SWE"): "disrupted, dislodged -> disrupted, destroyed",
        ("6.F.28", "F NWG C A EDI - STP"): "disrupted, dislodged -> disrupted, destroyed",
        ("6.H.15", "F POR H"): "dislodged -> destroyed",
    }


def test_each_case_stands_in_the_file_of_its_section() -> None:
    for identity, sheet in DATC.items():
        assert Path(sheet.source_file).name == f"{identity[:3]}.txt"
    assert {Path(sheet.source_file) for sheet in DATC.values()} <= set(list_case_files())


def test_a_shipped_case_by_its_id() -> None:
    assert find_bundled_case("6.f.14").title == DATC["6.F.14"].title
    with pytest.raises(NotFoundError, match=re.escape("there is no case '6.F.99'")) as caught:
        find_bundled_case("6.F.99")
    assert caught.value.suggestion is not None
    assert caught.value.suggestion.startswith("did you mean datc:6.F.")


def test_an_unknown_collection() -> None:
    with pytest.raises(NotFoundError, match="there is no collection 'datc-9'") as caught:
        read_collection("datc-9")
    assert "datc-3.2" in (caught.value.suggestion or "")


def test_a_season_is_given_once() -> None:
    with pytest.raises(SheetError, match=r"line 3.*already a line season:, in line 2|3:1: there is already a line season"):
        read_sheets("map: loeb9\nseason: fall\nseason: spring\nNorway:\n  F ARC H\n")


def test_units_of_a_power_by_any_of_its_names() -> None:
    """In Python too: `france` is not another power."""
    assert {parse_unit("A PAR", name, load_map()).power for name in ("france", "France", "FRANCE")} == {"FRANCE"}
    assert parse_unit("A PAR", "Burgundy", load_map()).power == "Burgundy"


def test_a_season_that_is_missing_is_told() -> None:
    (sheet,) = read_sheets("map: loeb9\nNorway:\n  F ARC - NWG\n")
    assert "This map shuts ARC in fall: write `season: fall`." in as_text(judge(sheet.board, sheet.orders_by_power()))


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("My game, Fall 1903\nTurkey: F SMY - AEG", "write a title as `case 1: My game, Fall 1903`"),
        ("case my game, Fall 1903\nTurkey: F SMY - AEG", "case 1: my game, Fall 1903"),
        ("Here are my orders for this season.\nItaly: A VEN H\nTurkey: F SMY H", "leave out anything that is not an order"),
        ("Germany and Austria from me:\nGermany: A MUN H", "write each above its own orders, Germany: and Austria:"),
    ],
)
def test_a_line_above_the_first_power_has_a_hint(text: str, hint: str) -> None:
    with pytest.raises(InputError) as caught:
        read_sheets(text)
    assert hint in str(caught.value)


def test_sentences_above_the_orders_of_one_power_are_passed_over() -> None:
    (sheet,) = read_sheets("Dear Bob,\nhere are my orders for Spring 1901. I hope you are well.\n\nGermany:\n A MUN - BUR")
    assert [str(entry.order) for entry in sheet.orders] == ["A MUN - BUR"]
    for line in ("rules 1982", "position opening"):
        with pytest.raises(SheetError, match="whose order is"):
            read_sheets(f"{line}\nGermany:\n A MUN - BUR")
