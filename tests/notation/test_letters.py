"""Which lines of a player's mail are orders: what is quoted, said of another time or game, or left open is none."""

from __future__ import annotations

import tomllib
from importlib import import_module
from pathlib import Path
from unittest.mock import Mock

import pytest

from satjudge.apps.cli import run
from satjudge.base.errors import MOST_TOLD
from satjudge.game.game import Game
from satjudge.notation.messages.reader import read_partial_orders
from satjudge.notation.parse import parse_unit
from satjudge.world.board import Board, Phase, Season, Turn
from satjudge.world.geography import load_map

MAP = load_map()
NOW = "F Kie-Den\nA Ber-Kie\nA Mun-Ruh\n"
OTHER = "F Kie-Hol\nA Ber-Sil\nA Mun-Bur\n"
BESIDE: list[str] = tomllib.loads(Path(__file__).with_name("almost.toml").read_text(encoding="utf-8"))["beside"]
TAKEN = ["F KIE - DEN", "A BER - KIE", "A MUN - RUH"]


def read(text: str, power: str = "GERMANY", game: Game | None = None) -> tuple[list[str], list[str]]:
    """The orders of a player's mail in a game, by default one that begins, and what is told, errors among it."""
    message = (game or Game.new()).read_message(power, text, source="m", add=False)
    return message.orders, message.remarks


# ---- quotations ----


def quoted(text: str, mark: str = "> ") -> str:
    return "".join(f"{mark}{line}\n" for line in text.splitlines())


@pytest.mark.parametrize(
    "above",
    [
        "Thanks, I'll send orders tomorrow.\n",
        "Please cancel these:\n",
        "Got it! Orders to follow.\n\nOn Mon, 3 Feb 2025, Dave wrote:\n",
        "Are they as below?\n",
        "",
    ],
)
def test_what_is_only_quoted_is_no_order_and_the_way_out_is_named(above: str) -> None:
    orders, told = read(f"{above}{quoted(OTHER)}")
    begin = above.count("\n") + 1
    last = above.count("\n") + 3
    hint = "write them without quotation marks, or write above the quotation: as quoted"
    assert orders == []
    assert told[-1] == f"refused: m:{begin}: lines {begin} to {last}: orders that are only quoted do not count ({hint})"


def test_a_line_that_is_refused_makes_no_quoted_order_count() -> None:
    orders, told = read(f"A Mun - Xyzzy\n\nBob schrieb:\n{quoted(OTHER)}")
    assert orders == []
    assert [line.split(":")[2] for line in told if line.startswith("refused")] == ["1", "4"]


@pytest.mark.parametrize("said", ["Yes, as below please.", "Bitte wie unten!", "My orders are as quoted."])
def test_quoted_orders_count_where_the_player_says_so(said: str) -> None:
    orders, told = read(f"{said}\n\n{quoted(NOW, '> > ')}")
    assert orders == TAKEN
    assert f"m:3: {said!r} is read as the orders that are quoted" in told


def test_quoted_orders_that_a_letter_adopts_are_those_to_units_of_which_it_says_nothing() -> None:
    orders, told = read(f"A Mun H. A Ber - Xyzzy\nThe rest as below.\n{quoted(OTHER)}")
    assert set(orders) == {"A MUN H", "F KIE - HOL"}
    assert "refused: m:5: A MUN - BUR is quoted, but the letter says something else about MUN" in told
    assert "refused: m:4: A BER - SIL is quoted, but the letter says something else about BER" in told


ANSWERED = [
    "Am 03.02.2025 um 20:14 schrieb Dave:",
    "Am Montag, 3. Februar 2025, schrieb Dave Miller <dave@dipgm.example>:",
    "Le lun. 3 févr. 2025 à 20:14, Dave a écrit :",
    "Il giorno 3 feb 2025 Dave ha scritto:",
    "El 3 feb 2025, Dave escribió:",
    "Op 3 feb 2025 schreef Dave:",
    "On Mon, 3 Feb 2025 at 20:14, Dave <dave@dipgm.example> wrote:",
    "On Mon, 3 Feb 2025 at 20:14, Dave Miller\n<dave@dipgm.example> wrote:",
    "-----Original Message-----",
    "-----Ursprüngliche Nachricht-----",
    "________________________________\nFrom: Greg <greg@example.org>\nSent: Monday, February 3, 2025\nSubject: F01",
    "Von: Greg\nGesendet: Montag\nAn: Dave\nBetreff: F01",
    "*De :* Greg\n*Envoyé :* lundi\n*Objet :* F01",
    "---------- Forwarded message ---------\nFrom: Greg\nDate: Sun, 2 Feb",
    "Begin forwarded message:",
]


@pytest.mark.parametrize("head", ANSWERED)
def test_a_letter_ends_where_a_mail_program_quotes_another_without_marks(head: str) -> None:
    orders, told = read(f"{NOW}\nGreg\n\n{head}\n\nYour orders:\n{OTHER}")
    assert orders == TAKEN
    assert not [line for line in told if "takes the place" in line or "refused" in line]
    assert [line for line in told if line.endswith("passed over: 'A Mun-Bur'")]
    orders, told = read(f"See you on Sunday.\n\n{head}\n\nYour orders:\n{OTHER}")
    assert bool(orders) is ("orward" in head)  # a letter that is sent on is read
    assert bool(orders) is not any("only quoted" in line for line in told)


@pytest.mark.parametrize(
    "head",
    [
        "From: Greg\nDate: today\nSubject: Germany S01\n\n",
        "---------- Forwarded message ---------\nFrom: Greg\nDate: now\n\nHi,\n",
    ],
)
def test_a_letters_own_head_quotes_nothing(head: str) -> None:
    assert read(f"{head}{NOW}\nOn Monday Dave wrote:\n{OTHER}")[0] == TAKEN


def test_below_quoted_lines_the_letter_goes_on() -> None:
    assert read(f"On Monday Dave wrote:\n> Where are your orders?\nHere:\n{NOW}")[0] == TAKEN


# ---- convoys ----


@pytest.mark.parametrize(
    "text", ["A Bel-Hol via Nth", "A Bel-Hol (via the North Sea)", "A Bel-Nth-Hol", "Bel-Hol über Nordsee"]
)
def test_whoever_names_the_way_by_sea_goes_by_convoy(text: str) -> None:
    """Their path is ignored (DATC 4.A.6), their intent is not (4.A.3): else this army meets the other head to head."""
    units = [("FRANCE", "A BEL"), ("ENGLAND", "F NTH"), ("GERMANY", "A HOL")]
    board = Board(tuple(parse_unit(unit, power, MAP) for power, unit in units), map=MAP, turn=Turn(1901, Season.FALL))
    game = Game.new(board=board)
    assert read(text, "FRANCE", game)[0] == ["A BEL - HOL VIA"]
    game.order("ENGLAND", "F NTH C A BEL - HOL")
    game.order("GERMANY", "A HOL - BEL")
    assert game.order("FRANCE", text) == ["A BEL - HOL VIA"]
    assert game.next().results["FRANCE"] == ["succeeds"]


def test_that_a_path_is_read_as_a_convoy_is_told() -> None:
    game = Game.new()
    told = read("A Lvp-Iri-Wal\nF Lon-Eng-Wal\nA Edi-Lvp-Wal", "ENGLAND", game)[1]
    assert "ENGLAND: A LVP - IRI - WAL is read as A LVP - IRI - WAL VIA: a move across water goes by convoy (4.A.3)" in told
    assert sum("VIA" in line for line in told) == 1


# ---- other times, other games, what is told, options ----


def test_lines_of_options_are_not_joined_and_are_refused_in_their_order() -> None:
    refused = read("Plan A\nA Mun - Ruh\nPlan B\nA Mun - Tyr")[1] + read("Plan A:\nA Mun - Ruh\nPlan B:\nA Mun - Tyr")[1]
    assert [line[:21] for line in refused if line.startswith("refused")] == [
        f"refused: m:{line}: A MUN -" for line in (2, 4)
    ] * 2


@pytest.mark.parametrize(
    "heading",
    ["Old orders (ignore):", "Last turn I did:", "Meine alten Züge, ungültig:", "Ordres du tour dernier :",
     "Next year:", "Nächste Runde:",
     "After that:", "PS: if Italy asks, I told him this:", "Officially:", "France suggested:"],
)  # fmt: skip
def test_orders_of_another_time_and_what_is_told_take_no_orders_place(heading: str) -> None:
    for text in (f"{NOW}\n{heading}\n{OTHER}", f"{heading}\n{OTHER}\nNow:\n{NOW}", f"{heading}\n{OTHER}\n{NOW}"):
        orders, told = read(text)
        assert orders == TAKEN
        assert sum(f"is below {heading!r}" in line for line in told) == 3
    assert read(f"{NOW}{heading} A Mun-Bur, A Ber-Sil")[0] == TAKEN
    orders, told = read(f"{heading}\n{OTHER}")
    assert orders == []
    assert all("is below" in line for line in told if line.startswith("refused"))


@pytest.mark.parametrize(
    "heading", ["New orders (ignore the old):", "Please ignore my last mail. Orders:", "Corrected, replaces my old orders:"]
)
def test_headings_of_orders_that_count_may_speak_of_others(heading: str) -> None:
    assert read(f"{heading}\n{NOW}")[0] == TAKEN


def test_what_somebody_wanted_is_no_order() -> None:
    orders, told = read(f"{NOW}\nItaly wanted me to play\nA Mun-Tyr\nbut no way.")
    assert orders == TAKEN
    assert any("'A Mun-Tyr' is below 'Italy wanted me to play'" in line for line in told)
    assert read("I expect Italy to play A Ven-Tyr, A Rom-Ven, A Mun-Tyr")[0] == []


def test_orders_for_a_season_to_come_are_kept_and_those_for_next_year_refused() -> None:
    game = Game.new()
    orders, told = read(f"{NOW}\nThen in fall:\nA Kie-Hol\n\nNext year A Mun-Bur.", game=game)
    assert orders == TAKEN
    assert game.early_orders == {"F1901M": {"GERMANY": ["A KIE - HOL"]}}
    assert any("'Next year A Mun-Bur.' is for a later turn (to keep it, write it below" in line for line in told)


def test_of_options_only_what_all_have_counts() -> None:
    orders, told = read(f"Option 1:\n{NOW}\nOption 2:\nF Kie-Hol\nA Ber-Kie\n\nI'll tell you tomorrow.")
    assert orders == ["A BER - KIE"]
    assert sum("send the one that counts)" in line for line in told) == 3
    assert read("Plan A: F Kie-Den\nPlan B: F Kie-Den, A Mun H")[0] == ["F KIE - DEN"]
    assert read(f"Plan A:\n{NOW}")[0] == []


@pytest.mark.parametrize(
    ("headings", "taken"),
    [
        (("Falcon S01:", "Heron S01:"), False),
        (('Game "Falcon", I am Germany:', 'Game "Heron" (I am France):'), True),
        (("Falcon, Spring 1901 orders:", "Heron, Fall 1903:"), True),
        (("Spring 1901 orders:", "Spring 1901 moves again:"), True),
    ],
)
def test_the_orders_for_several_games_are_asked_for_unless_one_is_the_one_at_hand(
    headings: tuple[str, str], taken: bool
) -> None:
    orders, told = read(f"{headings[0]}\n{NOW}\n{headings[1]}\n{OTHER if 'again' not in headings[1] else NOW}")
    assert (orders == TAKEN) is taken
    assert bool(orders) is taken
    assert any("send the orders for each game separately" in line for line in told) is ("again" not in headings[1])


def test_two_orders_to_a_unit_are_asked_for_unless_one_is_a_correction() -> None:
    orders, told = read(f"{NOW}\nF Kiel - Holland")
    assert orders == TAKEN[1:]
    hint = "is for the same unit (send the one that counts)"
    assert f"refused: m:1: F KIE - DEN is not certain: F KIE - HOL in line 5 {hint}" in told
    assert any(line.startswith("refused: m:5: F KIE - HOL is not certain: F KIE - DEN in line 1") for line in told)
    assert set(read(f"{NOW}\nF Kie-Den")[0]) == set(TAKEN)
    for word in ("Sorry, I meant", "Correction:", "Nein, lieber:", "Pardon,"):
        assert set(read(f"{NOW}\n{word}\nF Kie-Hol")[0]) == {"F KIE - HOL", *TAKEN[1:]}
    assert "A BER - KIE" not in read(f"{NOW}\nA Ber-Sil\n\nEverybody else holds")[0]


def test_a_line_takes_back_only_the_orders_to_the_units_that_it_names() -> None:
    orders, told = read("A Mun-Ruh\nF Kie-Den\nA Ber-Mun, no wait, A Ber-Kie")
    assert orders == ["A MUN - RUH", "F KIE - DEN"]
    assert any("A Ber-Kie" in line for line in told if line.startswith("refused"))


def test_a_signature_below_the_end_of_a_letter_is_not_read_in_pieces() -> None:
    orders, told = read(f"{NOW}\nBest regards,\nA. Holland\nDirector, Holland & Sons, Kiel - Berlin\n")
    assert orders == TAKEN
    assert any("Kiel - Berlin' is part of the signature" in line for line in told)
    assert read("F Kie-Den\nThanks,\nA Mun-Ruh\nBob, Munich\n\nPS: A Ber-Kie")[0] == TAKEN[:1] + TAKEN[:0:-1]


# ---- what stands beside orders on their lines ----


@pytest.mark.parametrize("text", BESIDE)
def test_what_stands_beside_orders_costs_none(text: str) -> None:
    orders, told = read(text)
    assert orders == TAKEN
    assert not [line for line in told if line.startswith("refused")]


def test_a_condition_takes_no_other_line_with_it() -> None:
    orders, told = read("F Kie-Den, unless Russia is ordering Bot-Swe, then F Kie-Hol,\nA Ber-Kie\nA Mun-Ruh")
    assert orders == TAKEN[1:]
    assert [line.split(" ")[1] for line in told if line.startswith("refused")] == ["m:1:"]


def test_the_rest_stays_and_all_hold_but_some() -> None:
    game = Game.new()
    read(NOW, game=game)
    orders, told = read("Correction: F Kie H. Everything else as before.", game=game)
    assert set(orders) == {"F KIE H", *TAKEN[1:]}
    assert any("is read as --add" in line for line in told)
    assert set(read("All hold except A Mun-Ruh.")[0]) == {"A MUN - RUH", "F KIE H", "A BER H"}


def test_headings_with_a_dash_or_in_brackets() -> None:
    game = Game.new()
    game.read_sheet("Germany - NMR\n[Turkey]\nA Con-Bul\nItaly -- no orders\n[Russia]\nA War H")
    assert {power: orders for power, orders in game.orders.items() if orders} == {
        "TURKEY": ["A CON - BUL"],
        "RUSSIA": ["A WAR H"],
    }
    assert read(f"{NOW}\nTom\n(France)")[0] == TAKEN


def test_a_build_is_waived_in_many_words() -> None:
    centers = {"MOS": "RUSSIA", "WAR": "RUSSIA", "SEV": "RUSSIA"}
    board = Board(
        (parse_unit("A WAR", "RUSSIA", MAP),), centers=centers, phase=Phase.ADJUSTMENT, map=MAP, turn=Turn(1901, Season.FALL)
    )
    for text in ("Hi Dave, Russia waives its build this winter.", "I waive my build", "Build A Mos, waive the other."):
        orders, told = read(text, "RUSSIA", Game.new(board=board))
        assert "WAIVE" in orders
        assert not [line for line in told if line.startswith("refused")]


@pytest.mark.parametrize("text", ["", "\n\n", "> "])
def test_an_empty_text_has_no_orders(text: str) -> None:
    orders, told = read(text)
    assert orders == []
    assert [line.startswith("refused: m") and "there is no" in line for line in told] == [True]
    assert read_partial_orders(text, Game.new().board).orders == []


# ---- what is told of the rest ----


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("Please change my order for Kiel to F Kie - Den.", "to order F KIE - DEN, write it by itself"),
        ("F Kie-Den, unless Russia is in Sweden", "an order must be certain: write F KIE - DEN by itself"),
        ("Winter: If I get a build, F Kie", "leave out the condition, and write builds below `Builds:`"),
        ("kie/den", "expected what KIE is to do, found '/den'"),
        ("I'll send them tomorrow, honestly", 'there is no order in this message: line 1 "I\'ll send them tomorrow, honestly"'),
        ("Leger Berlijn naar Praag\nA Mun - Praag", "there is no order in these lines: line 1 'Leger Berlijn naar Praag'"),
    ],
)
def test_a_refusal_names_the_way_out(text: str, hint: str) -> None:
    orders, told = read(text)
    assert orders == []
    assert any(hint in line for line in told)


def test_a_mail_in_quoted_printable_is_read() -> None:
    assert read("F Kie =E2=80=93 Den=20\nA Ber =E2=80=93 Kie=20\nA Mun =E2=80=93 Ruh=20")[0] == TAKEN
    assert read("F Kie=DEN\nA Ber=KIE\nA Mun=RUH")[0] == TAKEN


@pytest.mark.parametrize(
    "text",
    [
        "| Power | Orders |\n|---|---|\n| Germany | F Kie-Den, A Ber-Kie, A Mun-Ruh |\n| France | A Par H |",
        "Power,Type,From,Order,To\nGermany,F,Kie,-,Den\nGermany,A,Ber,-,Kie\nGermany,A,Mun,-,Ruh\nFrance,A,Par,holds",
    ],
)
def test_tables_of_all_powers(text: str) -> None:
    game = Game.new()
    game.read_sheet(text)
    assert game.orders == {"GERMANY": TAKEN, "FRANCE": ["A PAR H"]}


def test_the_command_names_the_option_that_reads_misspelt_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, mail = str(tmp_path / "g.json"), tmp_path / "mail.txt"
    Game.new().save(Path(file))
    mail.write_text("F Kie-Den\nA Ber-Kie\nA Mun-Rhur", encoding="utf-8")
    assert run(["game", "order", file, "GERMANY", "--sheet", str(mail)]) == 0
    assert "use --as-meant to accept misspelt names that can mean only one thing\n" in capsys.readouterr().err
    assert run(["game", "order", file, "GERMANY", "--sheet", str(mail), "--as-meant"]) == 0
    assert "--as-meant" not in capsys.readouterr().err


# ---- mails of junk ----


def calls_while_reading(text: str, module: str, name: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """How often a module calls a function while a mail is read."""
    called = Mock(wraps=getattr(import_module(f"satjudge.notation.{module}"), name))
    with monkeypatch.context() as patched:
        patched.setattr(f"satjudge.notation.{module}.{name}", called)
        read(text)
    return called.call_count


def test_no_name_is_looked_for_in_lines_that_are_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    talk = "".join(f"tcid{letter} opvmg uaoih narho\n" for letter in "bcdfghjk")
    assert "passed over: 'tcidb opvmg uaoih narho'" in read(f"{talk}{NOW}")[1][0]
    assert calls_while_reading(talk, "parse", "find_nearest", monkeypatch) == 0


def test_of_many_refused_lines_only_the_first_say_what_was_perhaps_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    junk = "A Mun - Rhur\n" * MOST_TOLD
    told = [line for line in read(f"{junk}A Ber - Kiell")[1] if "expected a province" in line]
    assert ["did you mean" in line for line in told] == [True] * MOST_TOLD + [False]
    few = calls_while_reading(junk, "parse", "find_nearest", monkeypatch)
    assert calls_while_reading(junk + "A Mun - Rhur\n" * 20, "parse", "find_nearest", monkeypatch) == few > 0


def test_the_end_of_a_mail_is_looked_for_in_the_few_lines_above(monkeypatch: pytest.MonkeyPatch) -> None:
    talk = "tcid opvmg uaoih narho\n"
    forty, eighty = (calls_while_reading(talk * lines, "messages.reader", "is_closing", monkeypatch) for lines in (40, 80))
    assert 0 < eighty - forty <= 8 * 40
