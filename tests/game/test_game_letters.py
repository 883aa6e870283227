"""What players send, as it comes: `satjudge game order g.json POWER --sheet mail.txt`."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from satjudge.apps.cli import run
from satjudge.base.errors import InputError, NotationError, SheetError
from satjudge.game.game import Game
from satjudge.game.readings import Unreadable
from satjudge.game.stored_game import list_due_orders
from satjudge.notation.parse import parse_unit
from satjudge.world.board import Board

ORDERS = ["A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO"]
LETTERS: dict[str, list[dict[str, Any]]] = tomllib.loads(Path(__file__).with_name("letters.toml").read_text(encoding="utf-8"))
WRITTEN = "A Par - Bur\nA Mar S A Par - Bur\nF Bre - MAO\n"


def at(phase: str) -> Game:
    """A game in which France has built nothing yet, Austria is in Serbia, and nobody is dislodged."""
    game = Game.new()
    if phase != "S1901M":
        game.order("AUSTRIA", "A BUD - SER", "A VIE - BUD")
        game.order("FRANCE", "A MAR - SPA", "F BRE - MAO", "A PAR - BUR")
        game.next()
    if phase == "W1901A":
        game.order("FRANCE", "F MAO - POR")
        game.next()
    assert game.phase_name == phase
    return game


def sent(text: str, phase: str = "S1901M", power: str = "FRANCE") -> tuple[Game, list[str], list[str]]:
    """The game after a player's letter, the orders of the power, and what was told."""
    game = at(phase)
    message = game.read_message(power, text, add=False, source="m").ensure_read()
    return game, message.orders, message.remarks


@pytest.mark.parametrize(("about", "letter"), [(about, letter) for about, letters in LETTERS.items() for letter in letters])
def test_what_is_taken_of_a_letter(about: str, letter: dict[str, Any]) -> None:
    game, orders, told = sent(letter["text"], letter.get("phase", "S1901M"))
    early: dict[str, list[str]] = letter.get("early", {})
    assert orders == letter["orders"], about
    assert game.early_orders == {phase: {"FRANCE": given} for phase, given in early.items()}
    kept = [f"{phase}: {order} (FRANCE)" for phase, given in early.items() for order in given]
    assert [line.partition(": kept for ")[2] for line in told if ": kept for " in line] == kept
    assert letter.get("remark", "") in "\n".join(told)
    assert len(told) == letter.get("remarks", len(told))


# ---- what is no order ----


@pytest.mark.parametrize(
    "talk",
    [
        "P.S. did you see the game?", "ok?", "https://example.org/board.php?game=12", "Gents,", "Vive la France!",
        "thx, Mehmet", "Note: I'm away next week.", "Under pressure, as ever", "Case in point: none", "It was a good war",
        "Germany: thanks for everything!", "Hope you are well; see you.", "Whatever else | happens",
    ],
)  # fmt: skip
def test_talk_is_passed_over_and_told(talk: str) -> None:
    for text in (f"{talk}\n{WRITTEN}", f"{WRITTEN}{talk}\n"):
        _, orders, told = sent(text)
        assert orders == ORDERS
        assert len(told) == 1
        assert "passed over: " in told[0] or "refused: " in told[0]


@pytest.mark.parametrize("unreadable", ["refuse", "keep"])
def test_talk_is_no_illegal_order(unreadable: Unreadable) -> None:
    game = Game.new()
    message = game.read_message("FRANCE", f"{WRITTEN}thx\nMehmet", unreadable=unreadable)
    assert (message.orders, message.ignored, game.illegal_orders) == (ORDERS, ["thx", "Mehmet"], {})


def test_a_text_that_names_one_power_comes_from_it() -> None:
    read = Game.new().read_sheet(f"France:\n{WRITTEN}thx, Mehmet", source="m")
    assert (read.orders, read.remarks) == ({"FRANCE": ORDERS}, ["m:5: passed over: 'thx, Mehmet'"])
    with pytest.raises(InputError, match="expected a province"):
        Game.new().read_sheet(f"France:\n{WRITTEN}P.S. all clear?\nItaly:\nA VEN H")
    for unreadable in ("raise", "refuse"):  # whose are the orders below it?
        with pytest.raises(NotationError, match="found 'Germny'"):
            Game.new().read_sheet(f"France:\n{WRITTEN}Germny\nA MUN H", unreadable=unreadable).ensure_read()


@pytest.mark.parametrize(
    ("wrong", "word"),
    [
        ("A Par Brugundy", "Brugundy"),
        ("A PRA - Bur", "PRA - Bur"),
        ("Should I do A Par - Bur?", "asks a question"),
        ("It should read A Par - Bur", "corrects something"),
        ("A Par - Bur?", "'?'"),
        ("Not these: A Par - Bur; A Par - Pic", "Not these"),
        ("if Germany agrees A Par - Bur", "depends on a condition"),
        ("A Par - Bur unless Bob objects", "depends on a condition"),
        ("same as last turn", "is not an order by itself"),
        ("x" * 5000, "too long"),
        ("Build A Par", "to keep it for W1901A, write it below a line `Builds:`"),
        ("A Par R Gas", "to keep it for S1901R, write it below a line `retreats`"),
    ],
)
def test_what_cannot_be_an_order_of_the_phase_is_refused_by_itself(wrong: str, word: str) -> None:
    _, orders, told = sent(f"F Bre - MAO\n{wrong}\nA Mar - Spa")
    assert orders == ["F BRE - MAO", "A MAR - SPA"]
    assert len(told) == 1
    assert told[0].startswith("refused: m:2")
    assert word in told[0]
    with pytest.raises(InputError):  # nothing else is there
        sent(wrong)


@pytest.mark.parametrize(
    ("text", "place", "said", "unit", "order"),
    [
        ("Brest goes to the MAO.\nF Bre - Mao (hope that is ok)", "m:1: ", "in line 2 is unclear", "F BRE", "BRE - MAO"),
        ("Hi, I am Pierre. Be my ally. I'll go to Burgundy.", "m:1:30: ", "expected a province", None, None),
        ("  A Mar H; F Bre - Xyz", "m:1:20: ", "'Xyz'", "F BRE", None),
        ("A Mar H. **F Bre - Xyz**", "m:1:20: ", "'Xyz", "F BRE", None),
        ("\N{GRINNING FACE} F Bre - Xyz", "m:1:11: ", "'Xyz'", "F BRE", None),
        ("A Mar H. F Bre -", "m:1:17: ", "the text ends", "F BRE", None),
        ("If Germany agrees, A Par - Bur", "m:1: ", "condition", "A PAR", None),
        ("A Mar H\nBuild A Par", "m:2: ", "movement phase", "A PAR", "A PAR B"),
        ("hello there", "m: ", "there is no order", None, None),
    ],
)
def test_a_refusal_names_place_unit_and_order(text: str, place: str, said: str, unit: str | None, order: str | None) -> None:
    refusal, *_ = Game.new().read_message("FRANCE", text, source="m").refused
    assert (str(refusal).startswith(place), said in str(refusal)) == (True, True), str(refusal)
    assert (refusal.unit, refusal.order, refusal.readings) == (unit, order, refusal.readings)


def test_a_message_raises_nothing_and_a_sheet_is_taken_whole_or_not() -> None:
    game = Game.new()
    game.order("FRANCE", "A PAR H")
    for text, refused, ignored in [
        ("A Par - Bur\nGermany:\nA Mun H", ["for Germany"], []),
        ("hello there", ["there is no order"], []),
        ("A Par - Xyz\nA Mar - Qrs\n", ["'Xyz'", "'Qrs'"], []),
        ("hello\nA Par - Xyz\nF Bre - Mao\nBuild A Par\nRetreats: A Par - Gas", ["'Xyz'", "Builds"], ["hello"]),
    ]:
        message = game.read_message("France", text)
        assert [said in str(error) for said, error in zip(refused, message.refused, strict=True)] == [True] * len(refused)
        assert (message.ignored, str(message)) == (ignored, "\n".join(message.remarks))
        assert message.orders == game.orders["FRANCE"]
    assert (message.orders, message.kept_for_later) == (["A PAR H", "F BRE - MAO"], {"S1901R": ["A PAR R GAS"]})
    with pytest.raises(InputError, match="'Xyz'"):
        game.read_sheet("France:\nA Par - Xyz\nA Mar H")
    sheet = game.read_sheet("France:\nA Mar H\nGermany:\nBuilds:\nA Mun\n", add=True)
    assert sheet.orders == {"FRANCE": ["A PAR H", "F BRE - MAO", "A MAR H"]}
    assert sheet.kept_for_later == {"S1901R": {"FRANCE": ["A PAR R GAS"]}, "W1901A": {"GERMANY": ["A MUN B"]}}


def test_the_options_of_version_1_0_are_taken_with_a_warning() -> None:
    game, old = Game.new(), dict[str, Any](power="FRANCE", letter=True)
    remarks = old["told"] = list[str]()
    with pytest.warns(DeprecationWarning, match=r"read_message\(power, text\)") as warned:
        read: object = game.read_sheet("hello\nA Par - Bur\nBuild A Par", **old)
    assert (read, len(remarks), warned[0].filename) == ({"FRANCE": ["A PAR - BUR"]}, 2, __file__)
    with pytest.warns(match="read_message"), pytest.raises(InputError, match="Builds"):  # nobody is told what is refused
        game.read_sheet("A Mar H\nBuild A Par", **{**old, "told": None})
    assert game.orders == {"FRANCE": ["A PAR - BUR"]}


def test_the_heading_of_another_power_is_an_error_still() -> None:
    with pytest.raises(SheetError, match="heading is for Germany"):
        sent(f"{WRITTEN}Germany:\nA Mun H")


# ---- notations ----


def test_units_that_are_only_listed_are_told() -> None:
    assert sent("A Par", "W1901A")[2] == ["m:1: 'A Par' is read as A PAR B"]
    with pytest.raises(NotationError):
        sent("A Ven", "W1901A", "AUSTRIA" if "AUSTRIA" not in at("W1901A").missing_orders else "ITALY")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("A Lon - Nwy (convoy)", ["A LON - NWY VIA"]),
        ("F Nth convoy A Lon - Nwy", ["F NTH C A LON - NWY"]),
        ("A Lon - Nwy. Fleet Edi to the Norwegian Sea. Hold A Lvp.", ["A LON - NWY", "F EDI - NWG", "A LVP H"]),
        ("F St. Petersburg - Bot. A Mos H.", ["F STP - BOT", "A MOS H"]),
    ],
)
def test_convoys_and_full_stops(text: str, said: list[str]) -> None:
    _, _, told = sent(text)
    game = Game.new()
    read = game.order("FRANCE", text)
    assert (read, told) == (said, [])


# ---- for later ----


@pytest.mark.parametrize("agreed", [False, True])
def test_retreats_behind_an_arrow_are_kept_where_that_is_agreed(agreed: bool) -> None:
    game = Game.new()
    game.retreats_behind_arrow = agreed
    reading = Game.from_saved(game.document()).read_message(
        "FRANCE", "A Par - Bur > Gas, Pic\nA Mar S A Par (retreat Pie, OTB)"
    )
    assert reading.orders == ["A PAR - BUR", "A MAR S A PAR"]
    kept = ["A PAR R GAS", "A PAR R PIC"] * agreed + ["A MAR R PIE", "A MAR D"]
    assert (reading.kept_for_later, len(reading.refused)) == ({"S1901R": kept}, not agreed)


def test_the_first_retreat_that_is_possible_is_used() -> None:
    units = [("GERMANY", "A MUN"), ("FRANCE", "A BUR"), ("FRANCE", "A RUH"), ("FRANCE", "A TYR")]
    game = Game.new(board=Board(tuple(parse_unit(unit, power) for power, unit in units)))
    game.read_message("GERMANY", "A Mun H (retreat Ruh, Sil, Kie)")
    game.order("FRANCE", "A BUR - MUN", "A RUH S A BUR - MUN", "A TYR S A BUR - MUN")
    game.next()
    assert game.orders == {"GERMANY": ["A MUN R SIL"]}
    assert game.dropped_orders == {"S1901R": {"GERMANY": ["A MUN R RUH"]}}
    assert game.read_message("GERMANY", "A Mun R Ruh, Kie or Sil").orders == ["A MUN R KIE"]


def test_several_lines_given_as_one_text() -> None:
    game = Game.new()
    assert game.order("AUSTRIA", "1. A VIE - GAL\n2. A BUD supports A VIE - GAL\n") == ["A VIE - GAL", "A BUD S A VIE - GAL"]
    for text in ("My orders:\nA VIE - GAL", "I'd like to open with A Vie - Gal, A Bud - Ser and F Tri - Alb."):
        with pytest.raises(NotationError, match=r"game\.read_message\('AUSTRIA', text\)"):
            game.order("AUSTRIA", text)
    with pytest.raises(NotationError, match="A VIE - GAL and A VIE - BOH are for the same unit"):
        game.order("AUSTRIA", "A VIE - GAL, A VIE - BOH")
    reading = Game.new().read_message("AUSTRIA", "I'd like to open with A Vie - Gal, A Bud - Ser and F Tri - Alb.")
    assert (reading.orders, reading.refused) == (["A VIE - GAL", "A BUD - SER", "F TRI - ALB"], [])


def test_phases_of_a_sheet_of_several_powers() -> None:
    """Below a power's name a phase ends with its orders, else it goes on for all that follow."""
    game = Game.new()
    game.read_sheet("France:\nA Par H\nBuilds: A Par\nGermany:\nA Mun H\nretreats\nFrance:\nA Mar - Gas\nGermany:\nA Mun - Ruh")
    assert game.orders == {"FRANCE": ["A PAR H"], "GERMANY": ["A MUN H"]}
    assert game.early_orders == {
        "W1901A": {"FRANCE": ["A PAR B"]},
        "S1901R": {"FRANCE": ["A MAR R GAS"], "GERMANY": ["A MUN R RUH"]},
    }
    game = Game.new()
    game.read_sheet("France:\nA Par H\nBuilds:\nA Par\nGermany:\nA Mun H\nFrance builds:\nF Bre")
    assert game.orders == {"FRANCE": ["A PAR H"], "GERMANY": ["A MUN H"]}
    assert game.early_orders == {"W1901A": {"FRANCE": ["A PAR B", "F BRE B"]}}


def test_what_is_kept_is_given_when_its_phase_comes(tmp_path: Path) -> None:
    game = at("F1901M")
    game.read_message("FRANCE", "F Mao - Por\nBuilds: A Par, F Bre\nRetreats:\nA Bur - Par")
    game.save(tmp_path / "g.json")
    game = Game.load(tmp_path / "g.json")
    assert game.early_orders == {"F1901R": {"FRANCE": ["A BUR R PAR"]}, "W1901A": {"FRANCE": ["A PAR B", "F BRE B"]}}
    branch = game.fork()
    assert branch.early_orders == game.early_orders
    game.next()
    assert (game.phase_name, game.orders, game.early_orders) == ("W1901A", {"FRANCE": ["A PAR B", "F BRE B"]}, {})
    game.undo()
    assert list(game.early_orders) == ["F1901R", "W1901A"]
    game.clear_orders("FRANCE")
    game.next()
    assert game.orders == {}
    branch.read_message("FRANCE", "Builds: F Mar", add=False)
    branch.next()
    assert branch.orders == {"FRANCE": ["F MAR B"]}


def test_only_what_can_be_ordered_is_given_when_its_phase_comes() -> None:
    early = {"FRANCE": ["A PAR B", "A SPA D", "WAIVE"], "AUSTRIA": ["A SER D"]}
    assert list_due_orders(at("W1901A").board, early) == {"FRANCE": ["A PAR B", "WAIVE"]}
    assert list_due_orders(at("F1901M").board, {"FRANCE": ["A BUR - MUN", "A PIC - BEL", "A BUR B"]}) == {
        "FRANCE": ["A BUR - MUN"]
    }


def test_what_is_kept_and_cannot_be_given_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = at("F1901M")
    sheet = "F Mao - Por\nWinter 1901\nA Par B\nA Bur D\nRetreats:\nA Bur - Par\nSpring 1902\nA Par - Pic\nA Pic - Bel\n"
    sheet += "Winter 1902\nA Mun D\n"
    game.read_message("FRANCE", sheet)
    assert game.dropped_orders == {}
    game.save(tmp_path / "g.json")
    said, kept = [], "earlier orders of FRANCE: A PAR - PIC"
    for _ in range(4):
        assert run(["game", "next", str(tmp_path / "g.json")]) == 0
        said.append(capsys.readouterr().err.splitlines())
    assert said == [
        [
            "F1901R: dropped the earlier orders of FRANCE: A BUR R PAR (the phase was skipped because no power could act)",
            "W1901A: dropped the earlier orders of FRANCE: A BUR D (no such build or removal is due)",
            "W1901A: earlier orders of FRANCE: A PAR B",
        ],
        [f"S1902M: {text}" for text in ("dropped the earlier orders of FRANCE: A PIC - BEL (it has no such unit)", kept)],
        [],
        ["W1902A: dropped the earlier orders of FRANCE: A MUN D (no such build or removal is due)"],
    ]
    game = Game.load(tmp_path / "g.json")
    assert game.dropped_orders == {"W1902A": {"FRANCE": ["A MUN D"]}}
    game.undo()
    assert game.dropped_orders == {}


def test_what_is_kept_is_dropped_when_the_game_ends() -> None:
    game = at("F1901M")
    game.victory = 1
    game.read_message("FRANCE", "F Mao - Por\nSpring 1902\nA Par - Pic")
    game.next()
    assert game.is_over
    assert game.dropped_orders == {"S1902M": {"FRANCE": ["A PAR - PIC"]}}


# ---- corrections ----


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game in which France has given its orders."""
    monkeypatch.chdir(tmp_path)
    game = Game.new()
    game.order("FRANCE", *ORDERS)
    game.save(tmp_path / "g.json")
    return tmp_path / "g.json"


def test_a_correction_tells_what_it_drops(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["game", "order", "g.json", "FRANCE", "Builds: F Bre, F Mar"]) == 0
    Path("m.txt").write_text("Correction: A Par - Pic\nthx\nBuilds: F Mar", encoding="utf-8")
    assert run(["game", "order", "g.json", "FRANCE", "--sheet", "m.txt"]) == 0
    told = capsys.readouterr().err
    assert Game.load(file).orders == {"FRANCE": ["A PAR - PIC"]}
    assert "FRANCE: dropped the earlier order F BRE - MAO" in told
    assert "FRANCE: dropped the earlier order A MAR S A PAR - BUR" in told
    assert "FRANCE: dropped the earlier order F BRE B for W1901A" in told
    assert "F MAR B for" not in told
    assert "use --add" in told


def test_a_correction_adds(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("m.txt").write_text("A Par - Pic", encoding="utf-8")
    assert run(["game", "order", "g.json", "FRANCE", "--sheet", "m.txt", "--add"]) == 0
    assert Game.load(file).orders == {"FRANCE": ["A MAR S A PAR - BUR", "F BRE - MAO", "A PAR - PIC"]}
    told = capsys.readouterr().err
    assert "dropped" not in told
    assert "FRANCE: A MAR S A PAR - BUR does not match A PAR - PIC" in told
    Path("m.txt").write_text("France:\nF Bre - Eng", encoding="utf-8")
    assert run(["game", "order", "g.json", "--sheet", "m.txt", "--add"]) == 0
    assert len(Game.load(file).orders["FRANCE"]) == 3


@pytest.mark.parametrize("text", ["When is the deadline?", "Builds: A Par", "A Par R Gas", "if dislodged A Par - Gas"])
def test_a_mail_without_an_order_of_the_phase_drops_none(text: str, file: Path) -> None:
    Path("m.txt").write_text(text, encoding="utf-8")
    run(["game", "order", "g.json", "FRANCE", "--sheet", "m.txt"])
    assert Game.load(file).orders == {"FRANCE": ORDERS}


# ---- what is told of orders that are read ----


def test_a_kind_that_is_corrected_is_told() -> None:
    _, orders, told = sent("F Vie - Gal\nA Bud S F Vie - Gal", power="AUSTRIA")
    assert orders == ["A VIE - GAL", "A BUD S A VIE - GAL"]
    assert [line for line in told if "by the kind of the unit that stands there (4.C.2)" in line] == told
    assert len(told) == 2
    game = Game.new(rulebook="datc-2")
    game.set_orders("ITALY", ["A Ven H"])
    for orders in (["A Vie - Tyr"], ["A Tyr S F Tri - Ven", "F Tri - Ven"]):
        game.set_orders("AUSTRIA", orders)
        game.next()
    retreat = game.read_message("ITALY", "F Ven R Apu")
    assert retreat.orders == ["A VEN R APU"]
    assert "F VEN R APU is read as A VEN R APU" in retreat.remarks[0]
    game = Game.new(rulebook=game.rulebook.with_settings(["4.C.2=illegal"]))
    message = game.read_message("AUSTRIA", "F Vie - Gal")
    assert (message.remarks, list(game.illegal_orders["AUSTRIA"])) == ([], ["F VIE - GAL"])


@pytest.mark.parametrize(
    ("orders", "told"),
    [
        ("A VIE S A BUD\nA BUD - SER", ["A VIE S A BUD does not match A BUD - SER"]),
        ("A VIE S A BUD - GAL\nA BUD - SER", ["A VIE S A BUD - GAL does not match A BUD - SER"]),
        ("A VIE S A BUD - GAL\nA BUD H", ["A VIE S A BUD - GAL does not match A BUD H"]),
        ("A VIE S A BUD\nA BUD S A VIE", []),
        ("A VIE S A BUD - SER\nA BUD - SER", []),
        ("A VIE S A MUN - BOH\nA BUD - SER", []),
    ],
)
def test_supports_that_the_powers_own_orders_contradict_are_told(orders: str, told: list[str]) -> None:
    assert sent(orders, power="AUSTRIA")[2] == [f"AUSTRIA: {line}" for line in told]


def test_of_a_move_and_its_retreat_only_the_retreat_is_told_to_be_read_as_one() -> None:
    game, orders, told = sent("A Mar - Spa, if dislodged retreat to Gas")
    assert orders == ["A MAR - SPA"]
    assert told[0] == "m:1: 'if dislodged retreat to Gas' is read as A MAR R GAS"
    assert game.early_orders == {"S1901R": {"FRANCE": ["A MAR R GAS"]}}


def test_a_line_that_cannot_be_read_tells_which_order_to_its_unit_stays() -> None:
    _, orders, told = sent("A Par - Bur\nF Bre - Eng\nIs Paris safe?")
    assert orders == ["A PAR - BUR", "F BRE - ENG"]
    assert told == ["refused: m:3:1: expected a province, found 'Is Paris safe?' (A PAR - BUR of line 1 stays)"]


@pytest.mark.parametrize("text", ["Build F Mar, A Mar", "F Mar\nA Mar"])
def test_of_two_builds_in_one_place_none_is_certain_in_a_mail(text: str) -> None:
    with pytest.raises(InputError, match=r"A MAR B in line . is for the same place"):
        sent(text, "W1901A")
    _, orders, _ = sent("F Mar\nSorry, I meant A Mar", "W1901A")
    assert orders == ["A MAR B"]


def test_of_two_builds_in_one_place_given_by_commands_the_later_counts() -> None:
    game = at("W1901A")
    game.order("FRANCE", "F MAR B", "A PAR B")
    assert game.order("FRANCE", "A MAR B") == ["A PAR B", "A MAR B"]


def test_builds_may_name_the_winter_behind_them_and_stand_in_a_sum() -> None:
    game, orders, _ = sent("A Par - Pic\nBuild A Par in winter")
    assert (orders, game.early_orders) == (["A PAR - PIC"], {"W1901A": {"FRANCE": ["A PAR B"]}})
    assert sent("F Mar + A Par", "W1901A")[1] == ["F MAR B", "A PAR B"]


def test_builds_and_nothing_else_are_kept() -> None:
    game, _, _ = sent("A Par - Pic\nBuilds: F Bre, F Mar and nothing else")
    assert game.early_orders == {"W1901A": {"FRANCE": ["F BRE B", "F MAR B"]}}


def test_talk_among_orders_of_several_powers_is_told_what_to_do_with_it() -> None:
    """Which power would have said it? Nothing is taken, so that no order gets lost."""
    game = Game.new()
    with pytest.raises(NotationError, match="remove the line; in a text with the orders of one power, such lines are ignored"):
        game.read_sheet("France:\nA PAR - BUR\nI hope this works\nGermany:\nA MUN H\n")
    assert not game.orders
    assert game.read_sheet("France:\nA PAR - BUR\nI hope this works\n").orders == {"FRANCE": ["A PAR - BUR"]}
