"""Guarantees over several seasons against exhaustive play."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from helpers.playing_out import phase_plays, random_ending, sure_to_win

from satjudge import Board, load_map, load_rulebook, parse_unit
from satjudge.notation.sheet_reader import read_sheets
from satjudge.search.ahead import Journey, Position, Solved, Wish
from satjudge.search.goals.wishes import AssumptionReader, WishReader
from satjudge.world.board import Season, Turn
from satjudge.world.orders import Hold

RULES = load_rulebook("datc-3")


ENDINGS = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "benchmarks" / "endings.jsonl").read_text(encoding="utf-8").splitlines()
]


def test_the_campaign_found_no_disagreement() -> None:
    """`python benchmarks/endings.py --count 300 --write`; `--again` solves all of them again."""
    assert len(ENDINGS) == 300
    assert all(row["won"] is row["played"] for row in ENDINGS)
    assert {row["won"] for row in ENDINGS} == {True, False}
    for row in ENDINGS[::150]:
        board, powers, wish, _ = random_ending(Random(f"ending {row['seed']}"), most=400)
        assert (list(powers), wish) == (row["powers"], row["wish"])
        goal = WishReader(wish, board, powers[0], powers[1:], seasons=True).whole()
        assert Journey(Wish(powers, goal, RULES)).solve(Position(board, row["seasons"])).won is row["won"]


def follow(journey: Journey, position: Position) -> int:
    """Play the orders that were found against every reply, season after season; how many positions come about."""
    solved, board = journey.solve(position), position.board
    assert solved.orders is not None
    if position.over:
        return 1
    after = {}
    for reply in phase_plays(board, journey.wish.powers, own=False):
        following = position.after_orders({**solved.orders, **reply}, journey.wish)
        after[following.key] = following
    return 1 + sum(follow(journey, following) for following in after.values())


@pytest.mark.parametrize("seed", [1, 11])
def test_the_same_answer_as_exhaustive_play(seed: int) -> None:
    board, powers, wish, meaning = random_ending(Random(f"ending {seed}"), most=150)
    goal = WishReader(wish, board, powers[0], powers[1:], seasons=True).whole()
    journey = Journey(Wish(powers, goal, RULES))
    start = Position(board, 2)
    assert journey.solve(start).won == sure_to_win(board, powers, meaning, 2, known={})
    if journey.solve(start).won:
        assert follow(journey, start) > 1


def board_of(units: dict[str, str], region: str, season: Season | None = None, centers: str = "") -> Board:
    """`centers` are those of the first power."""
    game_map = load_map().within(frozenset(region.split()))
    there = [parse_unit(text.strip(), power, load_map()) for power, texts in units.items() for text in texts.split(",")]
    turn = Turn(1905, season) if season else None
    return Board(tuple(there), map=game_map, turn=turn, centers=dict.fromkeys(centers.split(), next(iter(units))))


def asked(board: Board, power: str, wish: str, seasons: int, assumed: str | None = None) -> Solved:
    first, *allies = powers = tuple(power.split(","))
    goal = WishReader(wish, board, first, tuple(allies), seasons=True).whole()
    taken = AssumptionReader(assumed, board, powers).whole() if assumed else None
    return Journey(Wish(powers, goal, RULES, taken)).solve(Position(board, seasons))


def orders_of(solved: Solved) -> list[str] | None:
    return None if solved.orders is None else [str(order) for given in solved.orders.values() for order in given]


REGION = "VIE BUD GAL RUM SER TRI"


def test_two_seasons_do_what_one_cannot() -> None:
    board = board_of({"AUSTRIA": "A VIE, A BUD", "RUSSIA": "A GAL"}, "VIE BUD GAL SER")
    assert not asked(board, "AUSTRIA", "take SER and take BUD", 1).won
    assert asked(board, "AUSTRIA", "take SER and take BUD", 2).won


def test_one_line_of_play_of_what_is_lost() -> None:
    board = board_of({"AUSTRIA": "A VIE, A BUD", "RUSSIA": "A GAL", "TURKEY": "A SER"}, "VIE BUD GAL SER")
    goal = WishReader("take GAL and keep BUD", board, "AUSTRIA", seasons=True).whole()
    journey = Journey(Wish(("AUSTRIA",), goal, RULES))
    *steps, (end, nothing) = journey.line_of_play(journey.solve(Position(board, 2)))
    assert [str(position.board.phase) for position, _ in steps] == ["movement", "retreat", "movement"]
    for (position, orders), (following, _) in pairwise((*steps, (end, nothing))):
        assert not journey.solve(position).won
        assert position.after_orders(orders, journey.wish).key == following.key
    assert not nothing
    assert end.over
    assert not journey.wish.met(end.board, end.dislodged)


def test_an_assumption_about_others() -> None:
    board = board_of({"AUSTRIA": "A BUD", "RUSSIA": "A GAL"}, REGION)
    assert not asked(board, "AUSTRIA", "take RUM", 1).won
    for assumed in ("holds:RUSSIA", "Russia does not attack RUM", 'not order:"A GAL - RUM"', "holds:GAL or attacks:VIE"):
        assert orders_of(asked(board, "AUSTRIA", "take RUM", 1, assumed)) == ["A BUD - RUM"]


def test_an_assumption_about_a_coast() -> None:
    board = board_of({"AUSTRIA": "A RUM", "RUSSIA": "F CON"}, "RUM BUL CON")
    assert not asked(board, "AUSTRIA", "take BUL", 1).won
    for one, other in (("EC", "SC"), ("SC", "EC")):
        assert not asked(board, "AUSTRIA", "take BUL", 1, f"Russia does not attack BUL/{one}").won
        both = f"not attacks:BUL/{one}=RUSSIA and not attacks:BUL/{other}"
        assert orders_of(asked(board, "AUSTRIA", "take BUL", 1, both)) == ["A RUM - BUL"]


def test_a_unit_that_holds_on_a_coast() -> None:
    board = board_of({"AUSTRIA": "A FIN", "RUSSIA": "F STP/NC"}, "FIN NWY STP")
    assert asked(board, "AUSTRIA", "take NWY", 1, "holds:STP/NC").won
    assert not asked(board, "AUSTRIA", "take NWY", 1, "not holds:STP/SC").won  # there is no such unit


def test_allies_order_together() -> None:
    board = board_of({"AUSTRIA": "A BUD", "ITALY": "A TRI", "RUSSIA": "A SER"}, REGION)
    assert not asked(board, "AUSTRIA", "take SER", 1).won
    assert not asked(board, "ITALY", "take SER", 1).won
    assert asked(board, "AUSTRIA,ITALY", "take SER", 1).won


def test_centers_and_builds_after_fall() -> None:
    spring = board_of({"AUSTRIA": "A BUD", "RUSSIA": "A GAL"}, REGION, Season.SPRING, "BUD VIE")
    assert not asked(spring, "AUSTRIA", "builds:AUSTRIA >= 1", 1).won  # nothing is built after Spring
    fall = replace(spring, turn=Turn(1905, Season.FALL))
    assert asked(fall, "AUSTRIA", "builds:AUSTRIA >= 1", 1).won  # from Rumania, if Russia takes one of the other two
    assert not asked(fall, "AUSTRIA", "builds:AUSTRIA >= 2", 1).won
    assert asked(fall, "AUSTRIA", "builds:AUSTRIA >= 2", 1, "holds:RUSSIA").won
    assert asked(fall, "AUSTRIA", "centers:AUSTRIA >= 2", 1).won
    assert not asked(fall, "AUSTRIA", "centers:AUSTRIA >= 3", 1).won


def test_what_is_built_fights_in_the_next_spring() -> None:
    board = board_of({"AUSTRIA": "A VIE", "RUSSIA": "A BOH"}, "VIE BUD GAL SER BOH", Season.FALL, "VIE BUD")
    assert asked(board, "AUSTRIA", "take SER and keep VIE", 2).won  # by an army that is built in Budapest
    assert not asked(replace(board, turn=None), "AUSTRIA", "take SER and keep VIE", 2).won


FINAL_YEAR = """
season: spring 1904
Austria owns SC VIE, A TYR
England owns SC EDI, SC LON, SC LVP, SC MAR, SC VEN, A VEN
Russia owns SC CON, SC MOS, SC STP, SC TRI, F TRI
Turkey owns SC ANK, SC BUD, SC SEV, SC SMY, A BUD
"""


@pytest.mark.slow
def test_the_last_man_standing() -> None:
    """Unfinished Requiem (M. Huys, The Diplomatic Pouch, S2016R): the last year, if the one unit that is left is England's."""
    (sheet,) = read_sheets(FINAL_YEAR)
    board = replace(sheet.board, map=load_map().within(frozenset(["TYR", "VEN", "TRI", "VIE", "BUD", "ADR", "ALB"])))
    others_gone = "not some(occupied:PROVINCE=RUSSIA, occupied:PROVINCE=TURKEY) and centers:AUSTRIA = 0"
    solved = asked(board, "ENGLAND,AUSTRIA,RUSSIA,TURKEY", f"occupied:VIE=ENGLAND and {others_gone}", 2)
    orders = orders_of(solved)
    assert orders is not None
    assert {"A VEN - TRI", "A TYR S A VEN - TRI", "A BUD - VIE"} <= set(orders)


def test_whether_a_retreat_is_barred_tells_positions_apart() -> None:
    """Galicia falls in any case. If Russia is to keep Sevastopol and Bulgaria, it must bounce with itself in Rumania."""
    board = board_of({"AUSTRIA": "A GAL", "RUSSIA": "A UKR, A WAR, A SEV, A BUL"}, "GAL UKR WAR RUM SEV BUL")
    wish = "some(occupied:PROVINCE=AUSTRIA) or not occupied:SEV or not occupied:BUL"
    goal = WishReader(wish, board, "AUSTRIA", seasons=True).whole()
    (army,) = (unit for unit in board.units if unit.power == "AUSTRIA")
    solved = Journey(Wish(("AUSTRIA",), goal, RULES)).solve(Position(board, 1), {army: Hold(army.named)})
    assert solved.finding is not None
    assert not solved.won
    (defeat,) = solved.finding.defeats
    assert {"A SEV - RUM", "A BUL - RUM"} <= {str(order) for order in defeat.reply.values()}


def test_who_owns_what_tells_positions_apart() -> None:
    """An army alone takes Bulgaria in Fall and another centre a year later; the way there decides, not where it stands."""
    board = board_of({"AUSTRIA": "A SER"}, "SER RUM BUL", Season.FALL, "SER")
    won, lost = (replace(board, units=(unit,), centers=dict.fromkeys(owned.split(), "AUSTRIA")) for unit, owned in TWO_WAYS)
    goal = WishReader("centers:AUSTRIA >= 3", board, "AUSTRIA", seasons=True).whole()
    journey = Journey(Wish(("AUSTRIA",), goal, RULES))
    assert not journey.solve(Position(lost, 1)).won
    assert journey.solve(Position(won, 1)).won
    assert journey.solve(Position(board, 3)).won
    assert not journey.solve(Position(board, 2)).won


TWO_WAYS = [(parse_unit("A RUM", "AUSTRIA", load_map()), "SER BUL"), (parse_unit("A RUM", "AUSTRIA", load_map()), "SER")]
