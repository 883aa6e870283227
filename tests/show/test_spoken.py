"""What became of orders is told as players say it, with the words of the rules behind `--details`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from helpers.scripted_game import scripted

from satjudge import Game
from satjudge.apps.cli import run
from satjudge.base.errors import NotationError, SatjudgeError
from satjudge.explain.words.player_text import Said, iter_remarks, spoken_words, strip_rule_numbers
from satjudge.game.documents import make_game_report
from satjudge.judging.judge import AnyOutcome, judge_phase
from satjudge.judging.outcome import Outcome
from satjudge.judging.retreats import judge_retreats
from satjudge.notation.bundled_cases import find_bundled_case, read_collection
from satjudge.notation.parse import parse_order
from satjudge.notation.sheet_reader import read_sheets
from satjudge.show.game_reports import format_markdown, format_text
from satjudge.show.report import GamePage
from satjudge.show.text import format_plain, make_spoken_table
from satjudge.world.board import Phase
from satjudge.world.geography import load_map

ENGINE = re.compile(r"\b(?:attack|prevent|defend|hold) \d|\(itself|\bcores?\b|\bresolutions?\b|\b\d+\.[A-J]\b|\bszykman")
"""Words of equations, of the solver, of options, and numbers of passages."""


def said(identity: str) -> dict[str, str]:
    sheet = find_bundled_case(identity)
    return {one.order: one.words for one in spoken_words(judge_phase(sheet.board, sheet.orders_by_power()))}


def told(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    assert run(list(arguments)) == code
    shown = capsys.readouterr()
    return shown.err if code else shown.out


@pytest.mark.parametrize(
    ("case", "order", "words"),
    [
        ("6.D.2", "A TRI - VEN", "moved"),
        ("6.D.2", "A VIE - TYR", "bounced off A TYR, 1 against 1"),
        ("6.D.2", "A TYR S A VEN", "support cut by A VIE of Austria"),
        ("6.D.2", "A VEN H", "dislodged by A TRI of Austria, 2 against 1; may retreat to APU, PIE, ROM or TUS"),
        ("6.D.7", "A FIN - SWE", "bounced with F BAL, 1 against 1"),
        ("6.D.10", "F KIE - BER", "did not move: A BER of its own power is in the way"),
        ("6.D.12", "A VEN - TRI", "bounced off F TRI, 1 against 1; "
         "the support of A VIE does not count: Austria does not help to dislodge its own F TRI"),
        ("6.E.1", "A PRU - BER", "bounced with A BER, head to head, 1 against 2; "
         "dislodged by A BER of Germany, 2 against 1; may retreat to LVN or WAR"),
        ("6.D.15", "F CON S F BLA - ANK", "support given; not cut by F ANK, at which it is directed"),
        ("6.D.20", "F LON S F NTH - ENG", "support given; not cut by A YOR, of its own power"),
        ("6.F.2", "F ENG C A LON - BRE", "convoy not disrupted"),
        ("6.F.5", "A LON - HOL", "moved by convoy"),
        ("6.F.8", "A LON - HOL", "did not move: its convoy is disrupted at F NTH"),
        ("6.F.16", "F ENG C A BRE - LON", "convoy disrupted by the rule for paradoxes"),
        ("6.D.7", "F PRU S F BAL", "came to nothing, because F BAL cannot be supported in place: its order is F BAL - SWE"),
        ("6.B.3", "F GAS - SPA/SC", "not possible: a fleet in GAS can reach SPA/NC, not SPA/SC"),
        ("6.I.1", "A KIE B", "built"),
        ("6.I.1", "A MUN B", "not possible: Germany may build only 1"),
    ],
)  # fmt: skip
def test_an_order_is_told_as_players_say_it(case: str, order: str, words: str) -> None:
    assert said(case)[order] == words


@pytest.mark.parametrize("rulebook", ["1971", "1982", "2000", "datc-3"])
def test_a_convoyed_attack_that_cuts_no_support_is_told(rulebook: str) -> None:
    """A support against the convoying fleet, which the convoyed army attacks, is protected by the rulebooks before 2023."""
    sheet = read_sheets(
        "England:\n  A Lon - Bel\n  F Nth C A Lon - Bel\nFrance:\n  F Bel S F Eng - Nth\n  F Eng - Nth\n  F Bre - Eng\n"
    )[0]
    words = spoken_words(judge_phase(sheet.board, sheet.orders_by_power(), rulebook=rulebook))
    why = "; not cut by A LON, which comes by convoy: the support is directed at F NTH, which convoys"
    assert [one.words for one in words if one.order == "F BEL S F ENG - NTH"] == [
        "support given" if rulebook == "datc-3" else f"support given{why}"
    ]


@pytest.mark.parametrize("attack", ["F Hol - Bel", "A Lon - Bel\n  F Eng C A Lon - Bel\n  F Bre - Eng"])
def test_an_attack_that_cuts_or_does_not_arrive_has_no_such_remark(attack: str) -> None:
    sheet = read_sheets(
        f"England:\n  {attack}\nFrance:\n  F Bel S F Pic - Eng\n  F Pic - Eng\n  F Mao S F Pic - Eng\nGermany:\n  F Nth H\n"
    )[0]
    words = {one.order: one.words for one in spoken_words(judge_phase(sheet.board, sheet.orders_by_power()))}
    assert "not cut" not in words["F BEL S F PIC - ENG"]


@pytest.fixture(scope="module")
def cases() -> list[tuple[str, AnyOutcome, list[Said]]]:
    """The cases of the DATC with what is said of their orders, and of their retreats."""
    found: list[tuple[str, AnyOutcome]] = []
    for sheet in (*read_collection("datc-3.2"), *read_collection("datc-2.4")):
        try:
            found.append((sheet.identity, outcome := judge_phase(sheet.board, sheet.orders_by_power())))
        except SatjudgeError:  # the rulebook has no answer
            continue
        if sheet.has_retreats and isinstance(outcome, Outcome):
            found.append((sheet.identity, judge_retreats(outcome.retreat_board, sheet.retreats_by_power())))
    return [(identity, outcome, spoken_words(outcome)) for identity, outcome in found]


def test_no_case_is_told_in_the_engines_words(cases: list[tuple[str, AnyOutcome, list[Said]]]) -> None:
    for identity, outcome, orders in cases:
        for one in orders:
            assert one.head, (identity, one)
            assert not ENGINE.search(one.words), (identity, one)
        for remark in iter_remarks(outcome):
            assert not ENGINE.search(remark), (identity, remark)


def test_a_bounce_names_a_unit_that_went_there_or_stood_there(cases: list[tuple[str, AnyOutcome, list[Said]]]) -> None:
    """By the orders alone: the unit moves to the same place; or it stands in it, or comes from it head to head."""
    bounces = 0
    for identity, outcome, orders in cases:
        if not isinstance(outcome, Outcome) or outcome.adjudication.situation.trains:
            continue
        moves = {str(move.order.unit)[:5]: move.destination.province for move in outcome.adjudication.situation.moves}
        for one in orders:
            if found := re.match(r"bounced (with|off) (. \w+(?:/\wC)?)(, head to head)?, \d", one.words):
                how, unit, met = found.groups()
                there = moves.get(unit[:5]) if how == "with" and not met else unit[2:5]
                assert there == moves[one.order[:5]], (identity, one)
                bounces += 1
    assert bounces > 50


def test_the_report_of_a_phase_is_for_players_whatever_it_is_written_as() -> None:
    game = scripted()
    for played in game.history:
        report = make_game_report(game, played.phase_name)
        for written in (format_text(report, for_players=True), format_markdown(report, for_players=True)):
            assert not ENGINE.search(written.replace("Szykman", "")), written
    report = make_game_report(game, "S1902M")
    mail = " ".join(format_text(report, for_players=True).split())
    assert "A BUL - SER bounced off A SER, 1 against 1" in mail
    assert "F BER" not in mail
    assert "F DEN no order: holds" in mail
    assert "A BUD no order: destroyed by A TRI of Italy, 2 against 1; no retreat" in mail
    assert "* A paradox: F WAL - ENG" in mail
    assert "- `A BUL - SER`: **bounced** off A SER, 1 against 1\n" in format_markdown(report, for_players=True)
    page = GamePage(game, "S1902M").format_page()
    assert '<span class="verdict fails">bounced</span>' in page
    assert "does not exceed" not in page
    assert "does not exceed" in GamePage(game, "S1902M", details=True).format_page()


def test_details_have_the_words_of_the_rules_and_documents_do_not_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    scripted().save("g.json")
    for command in (("report", "g.json", "--phase", "S1902M"), ("show", "g.json", "--phase", "S1902M")):
        plainly, detailed = told(capsys, "game", *command), told(capsys, "game", *command, "--details")
        assert "A paradox: " in plainly
        assert "disrupted, dislodged" not in plainly
        assert "disrupted, dislodged" in detailed
        assert told(capsys, "game", *command, "--json") == told(capsys, "game", *command, "--json", "--details")
    remarks = {one["remark"] for given in json.loads(told(capsys, "game", "report", "g.json", "--phase", "S1902M", "--json"))
               ["results"].values() for one in given}  # fmt: skip
    assert "attack 1 does not exceed hold 1 of A SER" in remarks
    told(capsys, "game", "report", "g.json", "--phase", "S1902M", "--details", "-o", "all")
    assert "does not exceed" in Path("all/S1902M.html").read_text(encoding="utf-8")
    judged = told(capsys, "judge", "datc:6.F.14")
    assert "Consistent resolutions" not in judged
    assert "By the Szykman rule" in judged
    assert "Consistent resolutions: 2." in told(capsys, "judge", "datc:6.F.14", "--details")


def test_beside_a_verdict_nothing_is_said_twice() -> None:
    sheet = find_bundled_case("6.D.2")
    shown = format_plain(make_spoken_table(judge_phase(sheet.board, sheet.orders_by_power())))
    assert re.search(r"A VIE - TYR +fails +bounced off A TYR, 1 against 1$", shown, re.MULTILINE)
    assert re.search(r"A TYR S A VEN +cut +by A VIE of Austria$", shown, re.MULTILINE)
    assert re.search(r"A VEN H +dislodged +by A TRI of Austria, 2 against 1;", shown)
    assert re.search(r"A TRI - VEN +succeeds$", shown, re.MULTILINE)


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("England in civil disorder loses F ENG (DATC 4.D.8).", "England in civil disorder loses F ENG."),
        ("Italy gives no orders (civil disorder, 4.D.9): A ROM holds.", "Italy gives no orders (civil disorder): A ROM holds."),
        ("only retreats are ordered (6.H.1, 6.H.3, 6.H.4)", "only retreats are ordered"),
        ("all of them succeed (DATC 2.4, 7.B.24).", "all of them succeed."),
        ("F STP/NC (A SMY) 1.5", "F STP/NC (A SMY) 1.5"),
    ],
)
def test_numbers_of_passages_are_left_out(written: str, shown: str) -> None:
    assert strip_rule_numbers(written) == shown


# ---------------------------------------------------------------- hints


def in_winter() -> Game:
    game = Game.new()
    game.order("GERMANY", "F KIE - DEN", "A MUN - RUH")
    game.next()
    game.order("GERMANY", "A RUH - HOL")
    game.next()
    assert game.phase_name == "W1901A"
    return game


def test_hints_of_winter_are_builds_and_removals(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = in_winter()
    for text_ in ("A MUN", "F KIE or so"):
        with pytest.raises(NotationError, match="expected what") as caught:
            game.order("GERMANY", text_)
        unit = text_[:5]
        assert caught.value.suggestion == f"for example {unit} B or {unit} D"
    game.clear_orders()
    game.save(tmp_path / "g.json")
    shown = told(capsys, "game", "show", str(tmp_path / "g.json"))
    assert "Germany may build 2 units, in KIE or MUN." in shown
    assert "In this phase, write orders like this: A KIE B (build)." in shown
    refused = told(capsys, "game", "order", str(tmp_path / "g.json"), "GERMANY", "A BER D")
    assert "Germany: A BER D is illegal: Germany has no units to remove." in refused
    assert "A KIE B (build)" in refused


def test_a_build_that_is_only_in_the_wrong_place_is_no_order_of_the_wrong_form(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game, file = in_winter(), str(tmp_path / "g.json")
    game.save(file)
    refused = told(capsys, "game", "order", file, "GERMANY", "A PAR B")
    assert "Germany: A PAR B is illegal" in refused
    assert "like this" not in refused
    assert "With these orders: Germany leaves 2 builds unordered: waived." in refused
    shown = told(capsys, "game", "order", file, "GERMANY", "A KIE B")
    assert "With these orders: Germany leaves 1 build unordered: waived." in shown


def test_hints_of_retreats_and_moves_can_be_ordered() -> None:
    hints = {}
    for phase, unit in ((Phase.RETREAT, "A BOH"), (Phase.MOVEMENT, "F KIE"), (Phase.ADJUSTMENT, "F KIE")):
        with pytest.raises(NotationError) as caught:
            parse_order(unit, load_map(), phase)
        hints[phase] = caught.value.suggestion
    assert hints == {
        Phase.RETREAT: "for example A BOH R GAL or A BOH D",
        Phase.MOVEMENT: "for example F KIE H or F KIE - BAL",
        Phase.ADJUSTMENT: "for example F KIE B or F KIE D",
    }


def test_undo_at_the_start_says_what_a_player_can_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Game.new().save(tmp_path / "g.json")
    said = told(capsys, "game", "undo", str(tmp_path / "g.json"), code=2)
    assert "there is no phase before S1901M, the first of the game" in said
    assert "clear_orders" not in said
    assert "`satjudge game order FILE --clear`" in said


def test_next_says_which_centres_changed_hands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game, file = in_winter(), str(tmp_path / "g.json")
    game.undo()
    game.save(file)
    assert "Supply centres: Germany takes DEN and HOL." in told(capsys, "game", "next", file)
    assert "Supply centres" not in told(capsys, "game", "show", file, "--phase", "S1901M")
