"""Orders as people write them: `as_people_write.toml` says how each is read, or which part of it is told."""

from __future__ import annotations

import contextlib
import time
import tomllib
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from satjudge.apps.cli import run
from satjudge.base.errors import InputError, NotationError, SheetError
from satjudge.game.game import Game
from satjudge.judging.legal_orders import legal_orders
from satjudge.judging.order_review import settle_lines
from satjudge.notation.messages.reader import read_partial_orders
from satjudge.notation.parse import (
    LONGEST_LINE,
    list_readings,
    parse_location,
    parse_order,
    parse_orders,
    parse_orders_leniently,
    parse_power,
    parse_unit,
)
from satjudge.notation.rewording import collect_places, find_table, find_vocabulary, make_key, reword
from satjudge.notation.sheet_reader import read_sheets
from satjudge.notation.sheets import Sheet
from satjudge.notation.text_around_orders import LIST_MARK
from satjudge.notation.write import format_prose
from satjudge.world.board import Board, Phase, Unit, starting_board
from satjudge.world.geography import UnitKind, load_map
from satjudge.world.orders import Unreadable
from satjudge.world.rules import load_rulebook

MAP = load_map()
COLLECTED: dict[str, list[dict[str, Any]]] = tomllib.loads(
    Path(__file__).with_name("as_people_write.toml").read_text(encoding="utf-8")
)
READ = [
    (text, said, Phase(manner.get("phase", "movement")))
    for manner in COLLECTED["manner"]
    for text, said in manner.get("read", {}).items()
]
TOLD = [
    (text, word, Phase(manner.get("phase", "movement")))
    for manner in COLLECTED["manner"]
    for text, word in manner.get("told", {}).items()
]
LETTERS = COLLECTED["letter"]
OF_ORDERS = (
    "army", "fleet", "hold", "support", "convoy", "to", "move", "from", "via", "through", "retreat", "disband", "build",
    "waive", "coasts", "coast_signs", "of", "and", "passing",
)  # fmt: skip
BESIDE = (
    "results",
    "seasons",
    "phases",
    "headings",
    "no_orders",
    "talk",
    "closings",
    "greetings",
    "mail_heads",
    "judge_commands",
)
"""The tables of the readers' vocabulary: words of orders, and of what stands beside them."""


def test_there_are_200_ways_of_many_manners() -> None:
    manners = [entry["from"] for entry in (*COLLECTED["manner"], *LETTERS)]
    assert len({text for text, _, _ in (*READ, *TOLD)}) >= 200
    assert len(set(manners)) == len(manners) >= 30


@pytest.mark.parametrize(("text", "said", "phase"), READ, ids=[text for text, _, _ in READ])
def test_what_is_read(text: str, said: str, phase: Phase) -> None:
    orders = parse_orders(text, MAP, phase)
    assert "; ".join(map(str, orders)) == said
    assert [parse_order(str(order), MAP, phase) for order in orders] == orders
    if len(orders) == 1 and not LIST_MARK.match(text):
        assert [parse_order(text, MAP, phase)] == orders


@pytest.mark.parametrize(("text", "word", "phase"), TOLD, ids=[text for text, _, _ in TOLD])
def test_what_is_told(text: str, word: str, phase: Phase) -> None:
    """The error stands at the word that says nothing, and names it."""
    with pytest.raises(NotationError) as told:
        parse_orders(text, MAP, phase)
    assert told.value.column is not None
    rest = text[told.value.column - 1 :]
    assert rest.startswith(word)
    assert bool(rest) is bool(word)
    assert word in told.value.message


@pytest.mark.parametrize("letter", LETTERS, ids=[letter["from"] for letter in LETTERS])
def test_letters(letter: dict[str, Any]) -> None:
    if "told" in letter:
        with pytest.raises(InputError, match=letter["told"]):
            read_sheets(letter["text"])
        return
    (sheet,) = read_sheets(letter["text"])
    said = {power: "; ".join(map(str, orders)) for power, orders in sheet.orders_by_power().items() if orders}
    assert (said, sheet.phase) == (letter["read"], Phase(letter.get("phase", "movement")))
    assert [text for _, text in sheet.passed_over] == letter.get("passed_over", [])
    assert_nothing_is_lost(letter["text"], sheet)


def assert_nothing_is_lost(text: str, sheet: Sheet) -> None:
    """Every line with a word in it is a heading, holds an order that was read, or is listed as passed over."""
    used = {entry.line for entry in (*sheet.orders, *sheet.retreats)} | {line for line, _ in sheet.passed_over}
    for number, line in enumerate(text.splitlines(), start=1):
        if any(map(str.isalnum, line)) and number not in used:
            parse_orders_fails_on(line)


def parse_orders_fails_on(line: str) -> None:
    with pytest.raises(NotationError):
        parse_orders(line, MAP)


@pytest.mark.parametrize(
    ("text", "suggestion"),
    [
        ("A Liv - Yor", "did you mean Livonia (LVN) or Liverpool (LVP)?"),
        ("Armee München - Tirrol", "did you mean Tyrolia (TYR)?"),
        ("Armee Böhmmen - München", "did you mean Bohemia (BOH)?"),
        ("A Par suports A Bur", "did you mean supports?"),
        ("A Par hlds", "did you mean holds?"),
        ("F Ionian Seea - Tun", "did you mean Ionian Sea (ION)?"),
        ("F Nap - Ionian Seea", "did you mean Ionian Sea (ION)?"),
        ("F Tun S F Ionian Seea - Nap", "did you mean Ionian Sea (ION)?"),
        ("F Lon - Nort Sea", "did you mean North Sea (NTH)?"),
        ("F Mid Atlantic Ocan H", "did you mean Mid-Atlantic Ocean (MAO)?"),
        ("F Ionian hlds", "did you mean holds?"),
        ("A Mar S A Par hlds", "did you mean holds?"),
        ("F Kie reterats Ber", "did you mean retreats?"),
        ("Dsband A Par", "did you mean disband?"),
        ("A Con Bul - Smy", "a unit is in one province: omit the other"),
    ],
)
def test_suggestions(text: str, suggestion: str) -> None:
    with pytest.raises(NotationError) as told:
        parse_orders(text, MAP)
    assert told.value.suggestion == suggestion


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("posiiton: opening\nFrance: A PAR H", "did you mean position?"),
        ("position: openning", "did you mean opening?"),
        ("phase: movment", "did you mean movement?"),
        ("Spring 1901 Movment\nFrance: A PAR H", "did you mean movement?"),
        ("France: A PAR - BUR\nreterats", "did you mean retreats?"),
        ("Frence: A PAR H", "did you mean France?"),
    ],
)
def test_suggestions_for_words_of_sheets(text: str, error: str) -> None:
    with pytest.raises(InputError) as told:
        read_sheets(text)
    assert error in str(told.value)


def test_units_that_the_power_has_are_meant_first() -> None:
    game = Game.new()
    with pytest.raises(InputError, match=r"did you mean Trieste \(TRI\) or Tyrolia \(TYR\)"):
        game.order("AUSTRIA", "F TIR - ALB")
    game.order("GERMANY", "A BRE - KIE", "A MUN - BRE")
    assert game.illegal_orders["GERMANY"]["A BRE - KIE"] == "F BRE belongs to France (6.A.6) (did you mean A BER?)"
    assert "did you mean" not in game.illegal_orders["GERMANY"]["A MUN - BRE"]


# ---- names and words ----


def test_a_name_in_one_language_is_no_other_province_in_another() -> None:
    meant: dict[str, str] = {make_key(name): code for name, code in MAP.names.items()}
    names = [(code, name) for names in MAP.foreign_names.values() for code, name in names.items()]
    names += [
        (code, name)
        for language, spelt in MAP.spellings.items()
        if language != "powers"
        for code, spellings in spelt.items()
        for name in spellings
    ]
    assert {code for code, _ in names} <= MAP.provinces.keys()
    for code, name in names:
        assert meant.setdefault(make_key(name), code) == code, name
    assert MAP.spellings["powers"].keys() == set(MAP.powers)


@pytest.mark.parametrize("language", ["french", "german", "italian"])
def test_every_province_is_read_in_three_languages(language: str) -> None:
    names = dict(MAP.foreign_names.get(language, {}))
    for code, spelt in MAP.spellings[language].items():
        names.setdefault(code, spelt[0])
    assert names.keys() | {"BUD", "BUR"} >= MAP.provinces.keys()
    for code, name in names.items():
        bare = make_key(name)
        for written in (name, bare, name.upper()):
            assert parse_location(written, MAP) == code
            assert str(parse_order(f"F {written} - Clyde", MAP)) == f"F {code} - CLY"
            assert str(parse_order(f"A Clyde - {written}", MAP)) == f"A CLY - {code}"


def test_names_of_units_and_powers_in_other_languages() -> None:
    assert parse_unit("Armee München", "GERMANY", MAP) == Unit("GERMANY", UnitKind.ARMY, "MUN")
    assert str(parse_unit("Flotte Nordsee", "ENGLAND", MAP)) == "F NTH"
    for name in ("Frankreich", "Francia", "française", "Fra", "FRANCAISE"):
        assert parse_power(name, MAP) == "FRANCE"


def test_no_word_of_orders_is_a_name_or_has_two_meanings() -> None:
    places, meanings = collect_places(MAP), dict[str, str]()
    for kind in ("army", "fleet", "hold", "support", "convoy", "to", "via", "through", "retreat", "disband", "build", "waive"):
        for word in (make_key(word) for words in find_table(kind).values() for word in words):
            assert word not in places, word
            assert meanings.setdefault(word, kind) == kind or {meanings[word], kind} == {"to", "move"}, word


# ---- what was read before is read as before ----


def test_legal_orders_in_full_never_need_the_rewording(monkeypatch: pytest.MonkeyPatch) -> None:
    """What programs send, and the prose of the DATC, are read at once: the rewording is for what is left."""
    monkeypatch.setattr("satjudge.notation.parse.reword", None)
    for by_unit in legal_orders(starting_board(MAP)).values():
        for order in (order for orders in by_unit.values() for order in orders):
            assert parse_order(str(order), MAP) == parse_order(format_prose(order, MAP), MAP) == order


def test_the_rewording_reads_the_notations_as_the_reader_does() -> None:
    for by_unit in legal_orders(starting_board(MAP)).values():
        for order in (order for orders in by_unit.values() for order in orders):
            for text in (str(order), format_prose(order, MAP)):
                assert str(parse_order(reword(text, MAP).text, MAP)) == str(order), text


def test_columns_are_those_of_the_text() -> None:
    text = "Armée\u200b&nbsp;de  Pa\u0301ris vers Xyz"
    with pytest.raises(NotationError) as told:
        parse_orders(text, MAP)
    assert text[(told.value.column or 0) - 1 :] == "Xyz"
    made = reword(text, MAP)
    assert len(made.origin) == len(made.text) + 1
    assert all(one <= other for one, other in pairwise(made.origin))


@pytest.mark.parametrize("piece", ["via ", "(", "eng ", "&#1", "build a par ", "ok ", "cut by ", "(bounced "])
def test_long_lines_take_no_time(piece: str) -> None:
    text = (piece * LONGEST_LINE)[:LONGEST_LINE]
    began = time.process_time()
    parse_orders_leniently(text, MAP)
    assert time.process_time() - began < 1


@pytest.mark.parametrize("piece", ["France: ", "spring 1901 ", "> "])
def test_long_lines_of_a_sheet_take_no_time(piece: str) -> None:
    began = time.process_time()
    with contextlib.suppress(InputError):
        read_sheets(f"France:\n{(piece * LONGEST_LINE)[: LONGEST_LINE - 1]}x")
    assert time.process_time() - began < 1


# ---- whatever is written is read or told ----

PIECES = {
    "word": st.sampled_from([word for name in OF_ORDERS for word in chain.from_iterable(find_table(name).values())]),
    "beside": st.sampled_from([word for name in BESIDE for word in chain.from_iterable(find_table(name).values())]),
    "name": st.sampled_from(
        [*MAP.names, *find_vocabulary(MAP).powers, *(name for of in MAP.foreign_names.values() for name in of.values())]
    ),
    "few": st.sampled_from(["A", "F", "Par", "Mar", "Move", "Hold", "Retreat", "Build", "Disband", "to", "-", "S", "C", "and"]),
    "sign": st.sampled_from([*",;:.-+&()/|>#*'\"=!?_~[]", "->", "→", "&rarr;", "1)", "--", "VIA", "(sc)", "\n"]),
}
COMPOSED = st.lists(st.one_of(*PIECES.values(), PIECES["few"], PIECES["sign"]), min_size=1, max_size=16).map(" ".join)


@given(COMPOSED, st.booleans())
@settings(max_examples=100)
@example("Move A Par to Bur, move A Mar to Spa", False)
@example("Retreat A Par to Bur, retreat A Mar to Gas", False)
def test_whatever_the_vocabulary_composes_is_put_in_order(text: str, builds: bool) -> None:
    made = reword(text, MAP, builds)
    assert len(made.origin) == len(made.text) + 1
    assert all(0 <= place <= len(text) for place in made.origin)


@given(COMPOSED)
@settings(max_examples=6)
@example("Move A Par to Bur, move A Mar to Spa")
@example("Retreat A Par to Bur, retreat A Mar to Gas")
def test_readers_raise_nothing_but_errors_of_input(text: str) -> None:
    every_reader_reads(text)


@pytest.mark.slow
@given(COMPOSED)
@settings(max_examples=500)
def test_readers_raise_nothing_but_errors_of_input_in_hundreds_of_texts(text: str) -> None:
    every_reader_reads(text)


def every_reader_reads(text: str) -> None:
    for phase in Phase:
        with contextlib.suppress(InputError):
            assert parse_orders(text, MAP, phase)
        assert parse_orders_leniently(text, MAP, phase)
    for whole in (text, f"France:\n{text}"):
        with contextlib.suppress(InputError):
            assert read_sheets(whole)
        read_partial_orders(whole, starting_board(MAP))
    for place in (parse_location, parse_power):
        with contextlib.suppress(InputError):
            assert place(text, MAP)
    Game.new().read_message("FRANCE", f"A PAR H\n{text}", as_meant=True, add=False)
    with contextlib.suppress(InputError):
        Game.new().read_message("FRANCE", f"A PAR H\n{text}", unreadable="raise", add=False)


# ---- sheets ----


@pytest.mark.parametrize(
    "heading", ["FRANCE", "  french", "**France**", "## France", "__France:__", "France (Bob):", "Orders for France"]
)
def test_headings(heading: str) -> None:
    (sheet,) = read_sheets(f"England:\n F LON H\n{heading}\n A PAR H\n")
    assert {power: [str(order) for order in orders] for power, orders in sheet.orders_by_power().items()} == {
        "ENGLAND": ["F LON H"],
        "FRANCE": ["A PAR H"],
    }


def test_one_number_sign_is_a_comment_still() -> None:
    (sheet,) = read_sheets("England:\n F LON H\n# France\n F EDI H\n")
    assert list(sheet.orders_by_power()) == ["ENGLAND"]


def test_a_verdict_belongs_to_one_order() -> None:
    with pytest.raises(SheetError, match="one verdict cannot apply to several orders"):
        read_sheets("France:\n A PAR H, A MAR H | stands")


def test_a_lenient_sheet_loses_only_what_cannot_be_read() -> None:
    (sheet,) = read_sheets("FRANCE\n A PAR - BUR, A MAR - Xyz; F BRE H", lenient=True)
    assert [str(entry.order) for entry in sheet.orders] == ["A PAR - BUR", "A MAR - Xyz", "F BRE H"]


def test_a_heading_of_another_phase_than_that_of_the_game() -> None:
    """What comes later is kept for its phase; what is over is refused, and an error where nothing else is said."""
    game = Game.new()
    read = game.read_sheet("Fall 1901 Retreats\nFrance: A PAR - BUR", source="m")
    assert game.early_orders == read.kept_for_later == {"F1901R": {"FRANCE": ["A PAR R BUR"]}}
    assert read.remarks == ["m:1: passed over: 'Fall 1901 Retreats'", "m:2: kept for F1901R: A PAR R BUR (FRANCE)"]
    with pytest.raises(NotationError, match="A PAR R BUR is for F1900R, which is over"):
        game.read_sheet("Fall 1900 Retreats\nFrance: A PAR - BUR")
    assert game.orders == {}


QUOTING = """\
France:
A Par - Pic
> Germany:
> A Mun H
>> France:
>> A Par - Bur
> F BRE S A PAR - GAS   invalid: that is no order
> Year  Austria  England"""
SIGNED = """\
-- \nBob, who never holds
A Mar - Spa is how I opened in 2019
Germany (I hope): never again, and Italy: A Ven H"""


def test_an_answer_to_the_game_master_quotes_and_is_signed() -> None:
    """None of that is an order; but where all is quoted it is read."""
    game = Game.new()
    told = game.read_sheet(f"{QUOTING}\n{SIGNED}\n**Italy**\nA Rom - Apu", source="m").remarks
    assert game.orders == {"FRANCE": ["A PAR - PIC"], "ITALY": ["A ROM - APU"]}
    lines = f"{QUOTING}\n{SIGNED}".splitlines()
    assert told == [f"m:{number}: passed over: {line.strip()!r}" for number, line in enumerate(lines, start=1) if number > 2]
    game.read_sheet("On Monday Bob wrote:\n> France:\n> A Par - Bur\n> -- \n> A Mar H")
    assert game.orders["FRANCE"] == ["A PAR - BUR"]


@pytest.mark.parametrize("between", ["--\n", "> "])
def test_on_a_sheet_nothing_is_passed_over_that_holds_orders(between: str) -> None:
    (sheet,) = read_sheets(f"France: A PAR H\n{between}Germany: A MUN H")
    assert len(sheet.orders) == 2


def test_the_sheet_of_one_power_has_no_heading_of_another() -> None:
    """But in what it quotes."""
    game = Game.new()
    with pytest.raises(SheetError, match="heading is for Germany") as told:
        game.read_message("TURKEY", "A CON - BUL\nGermany:\nA MUN H\nAustria: A VIE H", unreadable="raise")
    assert told.value.line == 2
    assert "line 4" in str(told.value) or ":4:" in str(told.value)
    assert not game.orders
    game.read_message("TURKEY", "Turkey:\nA CON - BUL\n> Germany:\n> A MUN H", unreadable="raise")
    assert game.orders == {"TURKEY": ["A CON - BUL"]}


def test_a_game_takes_several_orders_in_one_text() -> None:
    game = Game.new()
    assert game.order("FRANCE", "A Par-Bur, A Mar S A Par-Bur") == ["A PAR - BUR", "A MAR S A PAR - BUR"]
    assert game.set_orders("Deutschland", ["Armee München hält; F Kie-Den"]) == ["A MUN H", "F KIE - DEN"]


def test_an_order_that_cannot_be_read_names_its_unit_in_any_language() -> None:
    """A move to a place off the map is a move under 4.E.1 a."""
    for text in ("Armee München - Schweiz", "- Armee München - Schweiz"):
        (order,) = parse_orders_leniently(text, MAP)
        assert isinstance(order, Unreadable)
        assert (str(order.unit), order.moves) == ("A MUN", True)
        assert "found 'Schweiz'" in order.problem


# ---- what is poorly written (DATC 2.4, 4.E.2) ----


def board(**units: list[str]) -> Board:
    return Board(tuple(parse_unit(text, power, MAP) for power, texts in units.items() for text in texts))


def meant(where: Board, power: str, *lines: str) -> list[list[str]]:
    """What is left of each line's readings where the position is such, lines that can be read first."""
    read = [list_readings(line, MAP, where.phase) for line in lines]
    certain = [order for line, found in zip(lines, read, strict=True) if is_certain(line, where.phase) for order in found[0]]
    doubtful = [found for line, found in zip(lines, read, strict=True) if not is_certain(line, where.phase)]
    left = settle_lines(where, power, certain, doubtful, load_rulebook())
    return [["; ".join(map(str, line)) for line in lines] for lines in left]


def is_certain(line: str, phase: Phase) -> bool:
    try:
        return bool(parse_orders(line, MAP, phase))
    except NotationError:
        return False


FIRST = board(FRANCE=["A BUR"])
SERBIA = board(AUSTRIA=["A GRE", "A SER"])


@pytest.mark.parametrize(
    ("example", "where", "power", "lines", "left"),
    [
        (1, FIRST, "FRANCE", ["A Bur - Pir"], [["A BUR - PAR", "A BUR - PIC"]]),
        (2, FIRST, "FRANCE", ["A Burgundy - Pariz"], [["A BUR - PAR"]]),
        (4, board(FRANCE=["A BUR"], ENGLAND=["A BRE"]), "FRANCE", ["A Bur - Pir"], [["A BUR - PAR", "A BUR - PIC"]]),
        (5, board(TURKEY=["F RUM"]), "TURKEY", ["F Rum - Bu."], [["F RUM - BUL"]]),
        (6, board(TURKEY=["A GRE"], AUSTRIA=["A SER"]), "TURKEY", ["A Gre S A Ser - Bu."], [["A GRE S A SER - BUL"]]),
        (7, board(FRANCE=["A PAR", "A PIC"]), "FRANCE", ["A Par H", "A Pir - Bre"], [["A PIC - BRE"]]),
        (7, board(FRANCE=["A PAR", "A PIC"]), "FRANCE", ["A Par S A Pir - Bre", "A Pir - Bre"],
         [["A PAR S A PIC - BRE"], ["A PIC - BRE"]]),
        (8, SERBIA, "AUSTRIA", ["A Ser - Bu"], [["A SER - BUD", "A SER - BUL"]]),
        (8, SERBIA, "AUSTRIA", ["A Ser - Bu", "A Gre S A Ser - Bu"], [["A SER - BUL"], ["A GRE S A SER - BUL"]]),
    ],
)  # fmt: skip
def test_the_examples_of_the_datc(example: int, where: Board, power: str, lines: list[str], left: list[list[str]]) -> None:
    assert [sorted(found) for found in meant(where, power, *lines)] == left, example


def test_a_place_that_is_named_rightly_is_never_another() -> None:
    """Example 3, `Build F Tyr`, and 9, `F Rum - Bud(ec)`."""
    assert [str(order) for order in parse_orders("Build F Tyr", MAP, Phase.ADJUSTMENT)] == ["F TYR B"]
    assert str(parse_order("F Rum - Bud(ec)", MAP)) == "F RUM - BUD/EC"


def test_a_game_reads_what_is_meant_only_if_it_is_asked_to() -> None:
    text = "France:\n  A PRA - BUR\n  A MAR H\nGermany:\n  A MUN - Bru\n"
    game = Game.new()
    with pytest.raises(SheetError):
        game.read_sheet(text)
    told = game.read_sheet(text, as_meant=True, source="o.txt").remarks
    assert game.orders == {"FRANCE": ["A MAR H", "A PAR - BUR"], "GERMANY": ["A MUN - BUR"]}
    assert told == ["o.txt:2: 'A PRA - BUR' is read as A PAR - BUR", "o.txt:5: 'A MUN - Bru' is read as A MUN - BUR"]


def test_what_may_mean_several_orders_is_told_with_them() -> None:
    game = Game.new(board=Board(FIRST.units, centers={"PAR": "FRANCE"}))
    with pytest.raises(NotationError, match="it may be A BUR - PAR or A BUR - PIC") as told:
        game.read_sheet("France:\n A Bur - Pir", as_meant=True, source="o.txt")
    assert (told.value.source, told.value.line, told.value.column) == ("o.txt", 2, 10)
    assert game.orders == {}


def test_the_command_tells_what_it_read_otherwise(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, sheet = str(tmp_path / "g.json"), tmp_path / "o.txt"
    sheet.write_text("Spring 1901\nFRANCE\nA PRA - BUR\n", encoding="utf-8")
    assert run(["game", "new", file]) == 0
    assert run(["game", "order", file, "--sheet", str(sheet)]) == 2
    assert run(["game", "order", file, "--sheet", str(sheet), "--as-meant"]) == 0
    told = capsys.readouterr().err
    assert f"{sheet}:3: 'A PRA - BUR' is read as A PAR - BUR" in told
    assert f"{sheet}:1: passed over: 'Spring 1901'" in told


def test_vocabularies_belong_to_their_map() -> None:
    assert find_vocabulary(MAP) is find_vocabulary(MAP)
    assert find_vocabulary(load_map("chaos")).powers["ankara"] == "ANKARA"
    assert str(parse_order("Armee München - Burgund", load_map("chaos"))) == "A MUN - BUR"
