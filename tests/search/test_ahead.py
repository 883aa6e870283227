"""Guarantees over several seasons against exhaustive play."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from math import prod
from pathlib import Path
from random import Random
from typing import Any

import pytest
from helpers.playing_out import legal_orders, phase_plays, random_ending, sure_to_win

from satjudge import Board, judge_phase, load_map, load_rulebook, parse_unit, starting_board
from satjudge.apps.cli import run
from satjudge.judging.judge import AnyOutcome, judge_parsed_orders
from satjudge.notation.sheet_reader import read_sheets
from satjudge.search.goals.wishes import AssumptionReader, WishReader
from satjudge.search.guarantees.lookahead import Lookahead, PositionAhead, SolvedPosition, Wish, look_ahead
from satjudge.search.guarantees.one_season import WishTable
from satjudge.search.guarantees.playout import MOST_PAIRS, make_order_table
from satjudge.world.board import Season, Turn, group_pairs
from satjudge.world.orders import Hold, Orders
from satjudge.world.rules import Rulebook

RULES = load_rulebook("datc-3")


ROOT = Path(__file__).parents[2]
ENDINGS = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "benchmarks" / "studies" / "endings.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]


@pytest.fixture(params=["play", "solver"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Endings are played out where they are small; or the solver is asked all the same."""
    if request.param == "solver":
        monkeypatch.setattr("satjudge.search.guarantees.lookahead.make_order_table", lambda *_: None)


def test_the_campaign_found_no_disagreement() -> None:
    """`python benchmarks/studies/endings.py --count 1000 --write`; `--again` solves all of them again."""
    assert len(ENDINGS) == 1000
    assert all(row["won"] is row["proved"] is row["played"] for row in ENDINGS)
    assert {row["won"] for row in ENDINGS} == {True, False}


def check_again(row: dict[str, Any], most_pairs: int) -> None:
    """An ending of the campaign comes out as it did."""
    board, powers, wish, _ = random_ending(Random(f"ending {row['seed']}"), most=400)
    assert (list(powers), wish) == (row["powers"], row["wish"])
    goal = WishReader(wish, board, powers[0], powers[1:], seasons=True).parse_text()
    journey = Lookahead(Wish(powers, goal, RULES), most_pairs=most_pairs)
    assert journey.solve(PositionAhead(board, row["seasons"])).is_won is row["played"]
    assert any(journey.order_tables.values()) is bool(most_pairs)


@pytest.mark.parametrize(("most_pairs", "step"), [(MOST_PAIRS, 50), (0, 500)], ids=["play", "solver"])
def test_some_endings_again(most_pairs: int, step: int) -> None:
    for row in ENDINGS[::step]:
        check_again(row, most_pairs)


@pytest.mark.slow
@pytest.mark.parametrize("most_pairs", [MOST_PAIRS, 0], ids=["play", "solver"])
def test_more_endings_again(most_pairs: int) -> None:
    for row in ENDINGS[1::5]:
        check_again(row, most_pairs)


def follow(journey: Lookahead, position: PositionAhead) -> int:
    """Play the orders that were found against every reply, season after season; how many positions come about."""
    solved, board = journey.solve(position), position.board
    assert solved.orders is not None
    if position.is_over:
        return 1
    after = {}
    for reply in phase_plays(board, journey.wish.powers, own=False):
        following = position.apply_orders({**solved.orders, **reply}, journey.wish)
        after[following.key] = following
    return 1 + sum(follow(journey, following) for following in after.values())


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("seed", [1, 11])
def test_the_same_answer_as_exhaustive_play(seed: int) -> None:
    board, powers, wish, meaning = random_ending(Random(f"ending {seed}"), most=150)
    goal = WishReader(wish, board, powers[0], powers[1:], seasons=True).parse_text()
    journey = Lookahead(Wish(powers, goal, RULES))
    start = PositionAhead(board, 2)
    assert journey.solve(start).is_won == sure_to_win(board, powers, meaning, 2, known={})
    if journey.solve(start).is_won:
        assert follow(journey, start) > 1


def board_of(units: dict[str, str], region: str, season: Season | None = None, centers: str = "") -> Board:
    """`centers` are those of the first power."""
    game_map = load_map().restrict_to_region(frozenset(region.split()))
    there = [parse_unit(text.strip(), power, load_map()) for power, texts in units.items() for text in texts.split(",")]
    turn = Turn(1905, season) if season else None
    return Board(tuple(there), map=game_map, turn=turn, centers=dict.fromkeys(centers.split(), next(iter(units))))


def asked(board: Board, power: str, wish: str, seasons: int, assumed: str | None = None) -> SolvedPosition:
    first, *allies = powers = tuple(power.split(","))
    goal = WishReader(wish, board, first, tuple(allies), seasons=True).parse_text()
    taken = AssumptionReader(assumed, board, powers).parse_text() if assumed else None
    return Lookahead(Wish(powers, goal, RULES, taken)).solve(PositionAhead(board, seasons))


def orders_of(solved: SolvedPosition) -> list[str] | None:
    return None if solved.orders is None else [str(order) for given in solved.orders.values() for order in given]


REGION = "VIE BUD GAL RUM SER TRI"


@pytest.mark.usefixtures("way")
def test_two_seasons_do_what_one_cannot() -> None:
    board = board_of({"AUSTRIA": "A VIE, A BUD", "RUSSIA": "A GAL"}, "VIE BUD GAL SER")
    assert not asked(board, "AUSTRIA", "take SER and take BUD", 1).is_won
    assert asked(board, "AUSTRIA", "take SER and take BUD", 2).is_won


@pytest.mark.parametrize(
    ("most_pairs", "phases"), [(0, ["movement", "retreat", "movement"]), (MOST_PAIRS, ["movement", "movement"])]
)
def test_one_line_of_play_of_what_is_lost(most_pairs: int, phases: list[str]) -> None:
    board = board_of({"AUSTRIA": "A VIE, A BUD", "RUSSIA": "A GAL", "TURKEY": "A SER"}, "VIE BUD GAL SER")
    goal = WishReader("take GAL and keep BUD", board, "AUSTRIA", seasons=True).parse_text()
    journey = Lookahead(Wish(("AUSTRIA",), goal, RULES), most_pairs=most_pairs)
    *steps, (end, nothing) = journey.iter_line_of_play(journey.solve(PositionAhead(board, 2)))
    assert [str(position.board.phase) for position, _ in steps] == phases
    for (position, orders), (following, _) in pairwise((*steps, (end, nothing))):
        assert not journey.solve(position).is_won
        assert position.apply_orders(orders, journey.wish).key == following.key
    assert not nothing
    assert end.is_over
    assert not journey.wish.is_met(end.board, end.dislodged)


@pytest.mark.usefixtures("way")
def test_an_assumption_about_others() -> None:
    board = board_of({"AUSTRIA": "A BUD", "RUSSIA": "A GAL"}, REGION)
    assert not asked(board, "AUSTRIA", "take RUM", 1).is_won
    for assumed in ("holds:RUSSIA", "Russia does not attack RUM", 'not order:"A GAL - RUM"', "holds:GAL or attacks:VIE"):
        assert orders_of(asked(board, "AUSTRIA", "take RUM", 1, assumed)) == ["A BUD - RUM"]


@pytest.mark.usefixtures("way")
def test_an_assumption_about_a_coast() -> None:
    board = board_of({"AUSTRIA": "A RUM", "RUSSIA": "F CON"}, "RUM BUL CON")
    assert not asked(board, "AUSTRIA", "take BUL", 1).is_won
    for one, other in (("EC", "SC"), ("SC", "EC")):
        assert not asked(board, "AUSTRIA", "take BUL", 1, f"Russia does not attack BUL/{one}").is_won
        both = f"not attacks:BUL/{one}=RUSSIA and not attacks:BUL/{other}"
        assert orders_of(asked(board, "AUSTRIA", "take BUL", 1, both)) == ["A RUM - BUL"]


@pytest.mark.usefixtures("way")
def test_a_unit_that_holds_on_a_coast() -> None:
    board = board_of({"AUSTRIA": "A FIN", "RUSSIA": "F STP/NC"}, "FIN NWY STP")
    assert asked(board, "AUSTRIA", "take NWY", 1, "holds:STP/NC").is_won
    assert not asked(board, "AUSTRIA", "take NWY", 1, "not holds:STP/SC").is_won  # there is no such unit


@pytest.mark.usefixtures("way")
def test_allies_order_together() -> None:
    board = board_of({"AUSTRIA": "A BUD", "ITALY": "A TRI", "RUSSIA": "A SER"}, REGION)
    assert not asked(board, "AUSTRIA", "take SER", 1).is_won
    assert not asked(board, "ITALY", "take SER", 1).is_won
    assert asked(board, "AUSTRIA,ITALY", "take SER", 1).is_won


@pytest.mark.usefixtures("way")
def test_centers_and_builds_after_fall() -> None:
    spring = board_of({"AUSTRIA": "A BUD", "RUSSIA": "A GAL"}, REGION, Season.SPRING, "BUD VIE")
    assert not asked(spring, "AUSTRIA", "builds:AUSTRIA >= 1", 1).is_won  # nothing is built after Spring
    fall = replace(spring, turn=Turn(1905, Season.FALL))
    assert asked(fall, "AUSTRIA", "builds:AUSTRIA >= 1", 1).is_won  # from Rumania, if Russia takes one of the other two
    assert not asked(fall, "AUSTRIA", "builds:AUSTRIA >= 2", 1).is_won
    assert asked(fall, "AUSTRIA", "builds:AUSTRIA >= 2", 1, "holds:RUSSIA").is_won
    assert asked(fall, "AUSTRIA", "centers:AUSTRIA >= 2", 1).is_won
    assert not asked(fall, "AUSTRIA", "centers:AUSTRIA >= 3", 1).is_won


@pytest.mark.usefixtures("way")
def test_what_is_built_fights_in_the_next_spring() -> None:
    board = board_of({"AUSTRIA": "A VIE", "RUSSIA": "A BOH"}, "VIE BUD GAL SER BOH", Season.FALL, "VIE BUD")
    assert asked(board, "AUSTRIA", "take SER and keep VIE", 2).is_won  # by an army that is built in Budapest
    assert not asked(replace(board, turn=None), "AUSTRIA", "take SER and keep VIE", 2).is_won


FINAL_YEAR = """
season: spring 1904
Austria owns SC VIE, A TYR
England owns SC EDI, SC LON, SC LVP, SC MAR, SC VEN, A VEN
Russia owns SC CON, SC MOS, SC STP, SC TRI, F TRI
Turkey owns SC ANK, SC BUD, SC SEV, SC SMY, A BUD
"""


@pytest.mark.usefixtures("way")
@pytest.mark.slow
def test_the_last_man_standing() -> None:
    """Unfinished Requiem (M. Huys, The Diplomatic Pouch, S2016R): the last year, if the one unit that is left is England's."""
    (sheet,) = read_sheets(FINAL_YEAR)
    board = replace(
        sheet.board, map=load_map().restrict_to_region(frozenset(["TYR", "VEN", "TRI", "VIE", "BUD", "ADR", "ALB"]))
    )
    others_gone = "not some(occupied:PROVINCE=RUSSIA, occupied:PROVINCE=TURKEY) and centers:AUSTRIA = 0"
    solved = asked(board, "ENGLAND,AUSTRIA,RUSSIA,TURKEY", f"occupied:VIE=ENGLAND and {others_gone}", 2)
    orders = orders_of(solved)
    assert orders is not None
    assert {"A VEN - TRI", "A TYR S A VEN - TRI", "A BUD - VIE"} <= set(orders)


@pytest.mark.usefixtures("way")
def test_whether_a_retreat_is_barred_tells_positions_apart() -> None:
    """Galicia falls in any case. If Russia is to keep Sevastopol and Bulgaria, it must bounce with itself in Rumania."""
    board = board_of({"AUSTRIA": "A GAL", "RUSSIA": "A UKR, A WAR, A SEV, A BUL"}, "GAL UKR WAR RUM SEV BUL")
    wish = "some(occupied:PROVINCE=AUSTRIA) or not occupied:SEV or not occupied:BUL"
    goal = WishReader(wish, board, "AUSTRIA", seasons=True).parse_text()
    (army,) = (unit for unit in board.units if unit.power == "AUSTRIA")
    solved = Lookahead(Wish(("AUSTRIA",), goal, RULES)).solve(PositionAhead(board, 1), {army: Hold(army.named)})
    assert solved.finding is not None
    assert not solved.is_won
    (defeat,) = solved.finding.defeats
    assert {"A SEV - RUM", "A BUL - RUM"} <= {str(order) for order in defeat.reply.values()}


@pytest.mark.usefixtures("way")
def test_who_owns_what_tells_positions_apart() -> None:
    """An army alone takes Bulgaria in Fall and another centre a year later; the way there decides, not where it stands."""
    board = board_of({"AUSTRIA": "A SER"}, "SER RUM BUL", Season.FALL, "SER")
    won, lost = (replace(board, units=(unit,), centers=dict.fromkeys(owned.split(), "AUSTRIA")) for unit, owned in TWO_WAYS)
    goal = WishReader("centers:AUSTRIA >= 3", board, "AUSTRIA", seasons=True).parse_text()
    journey = Lookahead(Wish(("AUSTRIA",), goal, RULES))
    assert not journey.solve(PositionAhead(lost, 1)).is_won
    assert journey.solve(PositionAhead(won, 1)).is_won
    assert journey.solve(PositionAhead(board, 3)).is_won
    assert not journey.solve(PositionAhead(board, 2)).is_won


TWO_WAYS = [(parse_unit("A RUM", "AUSTRIA", load_map()), "SER BUL"), (parse_unit("A RUM", "AUSTRIA", load_map()), "SER")]


# ---- what is played out ----


def wish_of(board: Board, text: str, power: str = "AUSTRIA") -> Wish:
    return Wish((power,), WishReader(text, board, power, seasons=True).parse_text(), RULES)


def test_few_orders_are_played_out_and_the_solver_is_asked_about_more() -> None:
    board = board_of({"AUSTRIA": "A SER, A BUD", "TURKEY": "A BUL, A RUM"}, "SER BUD BUL RUM")
    pairs = prod(len(legal_orders(board, unit)) for unit in board.units)
    table = WishTable(board, "AUSTRIA", wish_of(board, "take RUM").goal, RULES)
    assert make_order_table(table, pairs - 1) is None
    assert (order_table := make_order_table(table, pairs)) is not None
    assert 0 < len(order_table.own) * len(order_table.replies) < pairs
    start = starting_board()
    assert make_order_table(WishTable(start, "AUSTRIA", wish_of(start, "take SER").goal, RULES)) is None


def test_no_orders_are_judged_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even where the same units stand again in another season."""
    judged: list[object] = []

    def counting(board: Board, orders: Orders, rulebook: Rulebook) -> AnyOutcome:
        judged.append((frozenset(board.units), *sorted(str(order) for given in orders.values() for order in given)))
        return judge_parsed_orders(board, orders, rulebook)

    monkeypatch.setattr("satjudge.search.guarantees.playout.judge_parsed_orders", counting)
    board = board_of({"AUSTRIA": "A SER, A BUD", "TURKEY": "A BUL, A RUM"}, "SER BUD BUL RUM")
    assert not Lookahead(wish_of(board, "take RUM or take BUL")).solve(PositionAhead(board, 3)).is_won
    assert len(judged) > 100
    assert len(judged) == len(set(judged))


def test_every_reply_is_tried_though_the_same_units_stand_so_a_season_later() -> None:
    board = board_of({"AUSTRIA": "A SER, A BUD, A GRE", "TURKEY": "A BUL"}, "SER BUD BUL RUM GRE CON")
    assert follow(Lookahead(wish_of(board, "take BUL and take RUM")), PositionAhead(board, 3)) > 10


def test_all_orders_fail_against_one_of_the_replies() -> None:
    board, powers, text, meaning = random_ending(Random("ending 187"), most=400)
    goal = WishReader(text, board, powers[0], powers[1:], seasons=True).parse_text()
    finding = Lookahead(Wish(powers, goal, RULES)).solve(PositionAhead(board, 2)).finding
    assert finding is not None
    assert finding.orders is None
    replies = [group_pairs((unit.power, order) for unit, order in defeat.reply.items()) for defeat in finding.defeats]
    assert len(replies) > 1
    for own in phase_plays(board, powers, own=True):
        after = [judge_phase(board, {**own, **reply}, rulebook=RULES).next_board for reply in replies]
        assert not all(sure_to_win(following, powers, meaning, 1, known={}) for following in after)


def test_play_ends_when_the_time_is_up() -> None:
    board = board_of({"AUSTRIA": "A SER, A BUD", "TURKEY": "A BUL, A RUM"}, "SER BUD BUL RUM")
    wish, seconds = wish_of(board, "take RUM"), iter([60.0] * 50)
    found = look_ahead(Lookahead(wish, lambda: next(seconds, 0.01)), WishTable(board, "AUSTRIA", wish.goal, RULES), 2)
    assert found.undecided
    assert found.orders is None


@pytest.mark.usefixtures("way")
def test_help_in_vain_may_be_what_is_assumed() -> None:
    """Rumania may stay, though Galicia supports its move."""
    board = board_of({"AUSTRIA": "A SER", "RUSSIA": "A GAL, A RUM"}, REGION)
    taken = AssumptionReader('order:"A GAL S A RUM - BUD"', board, ("AUSTRIA",)).parse_text()
    wish = replace(wish_of(board, "take RUM"), assumed=taken)
    assert not Lookahead(wish).solve(PositionAhead(board, 1)).is_won
    moving = replace(
        wish, assumed=AssumptionReader('order:"A GAL S A RUM - BUD" and order:"A RUM - BUD"', board, ("AUSTRIA",)).parse_text()
    )
    assert Lookahead(moving).solve(PositionAhead(board, 1)).is_won


@pytest.mark.parametrize(("wish", "status"), [("take GAL or keep BUD", 0), ("take GAL and keep BUD", 1)])
def test_what_was_played_is_told_as_what_was_proved(
    wish: str, status: int, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (sheet := tmp_path / "chase.txt").write_text("Austria owns A VIE, A BUD\nRussia owns A GAL\nTurkey owns A SER\n")
    ask = ["guarantee", wish, str(sheet), "--power", "Austria", "--seasons", "2", "--region", "VIE BUD GAL SER", "--json"]
    assert run(ask) == status
    played = json.loads(capsys.readouterr().out)
    monkeypatch.setattr("satjudge.search.guarantees.lookahead.make_order_table", lambda *_: None)
    assert run(ask) == status
    (by_play,), (by_solver,) = played["cases"], json.loads(capsys.readouterr().out)["cases"]
    assert by_play.keys() == by_solver.keys()
    assert by_play["positions"] != by_solver["positions"]
    assert by_play["finding"] == by_solver["finding"]
    assert [type(by_play[part]) for part in by_play] == [type(by_solver[part]) for part in by_solver]
    for part in ("plan", "line_of_play", "defeats"):
        assert {frozenset(entry) for entry in by_play[part]} == {frozenset(entry) for entry in by_solver[part]}


NO_SOLVER = """
import sys
from satjudge.apps.cli import run
assert run(sys.argv[1:]) == 0
assert "satjudge.search.guarantees.playout" in sys.modules
assert not [name for name in sys.modules if name.split(".")[0] in ("ortools", "pandas")]
"""


@pytest.mark.slow
def test_what_is_played_out_takes_no_solver(tmp_path: Path) -> None:
    """To import it takes longer than to play."""
    (sheet := tmp_path / "chase.txt").write_text("Austria owns A VIE, A BUD\nRussia owns A GAL\nTurkey owns A SER\n")
    ask = [
        "guarantee",
        "take GAL or keep BUD",
        str(sheet),
        "--power",
        "Austria",
        "--seasons",
        "1",
        "--region",
        "VIE BUD GAL SER",
    ]
    subprocess.run([sys.executable, "-c", NO_SOLVER, *ask], check=True, capture_output=True)
