"""Probabilities of wishes: the games are solved exactly, and no play of either side does better."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from random import Random

import ending_tables
import pytest
from helpers.playing_out import phase_plays, random_ending

from satjudge import Board, load_map, load_rulebook, parse_unit, starting_board
from satjudge.apps.cli import run
from satjudge.base.errors import InputError
from satjudge.search.goals.wishes import AssumptionReader, WishReader
from satjudge.search.guarantees.lookahead import Lookahead, PositionAhead, Wish
from satjudge.search.guarantees.odds import Odds, solve_by_double_oracle, solve_matrix_game
from satjudge.world.orders import Orders

RULES = load_rulebook("datc-3")


def expected(shares: Iterable[tuple[Fraction, Fraction]]) -> Fraction:
    return sum((share * value for share, value in shares), Fraction(0))


@pytest.mark.parametrize(
    ("matrix", "value"),
    [
        ([[1, 0], [0, 1]], Fraction(1, 2)),
        ([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], 0),
        ([[3, 5], [4, 2]], Fraction(7, 2)),  # 3p + 4(1 - p) = 5p + 2(1 - p)
        ([[1, 2, 3]], 1),
        ([[1], [4]], 4),
        ([[0, 0], [0, 0]], 0),
    ],
)
def test_games_of_known_value(matrix: list[list[int]], value: Fraction) -> None:
    assert solve_matrix_game(matrix).value == value


@pytest.mark.parametrize("seed", range(12))
def test_no_row_and_no_column_does_better(seed: int) -> None:
    random = Random(f"matrix {seed}")
    width, height = random.randint(1, 7), random.randint(1, 7)
    matrix = [[random.randint(-3, 3) for _ in range(width)] for _ in range(height)]
    found = solve_matrix_game(matrix)
    assert sum(found.rows) == sum(found.columns) == 1
    assert min(*found.rows, *found.columns) >= 0
    for column in range(width):
        assert sum(share * row[column] for share, row in zip(found.rows, matrix, strict=True)) >= found.value
    for row in matrix:
        assert sum(share * entry for share, entry in zip(found.columns, row, strict=True)) <= found.value
    mixed = solve_by_double_oracle(range(height), range(width), lambda row, column: Fraction(matrix[row][column]))
    assert mixed.value == found.value


def check_each_position(odds: Odds) -> None:
    """No own play does better against the lots of the others than the value says, and no reply against the own lots."""
    wish = odds.wish
    for position, chances in list(odds.solved.values()):

        def value(play: Orders, reply: Orders, position: PositionAhead = position) -> Fraction:
            return odds.solve(position.apply_orders({**play, **reply}, wish)).value

        for reply in phase_plays(position.board, wish.powers, own=False):
            assert expected((share, value(play, reply)) for play, share in chances.rows) >= chances.value
        for play in phase_plays(position.board, wish.powers, own=True):
            assert expected((share, value(play, reply)) for reply, share in chances.columns) <= chances.value


def some_odds(seed: int, seasons: int, most: int) -> tuple[Odds, PositionAhead, bool]:
    """The odds of a random ending, and whether the wish is guaranteed there."""
    board, powers, text, _ = random_ending(Random(f"odds {seed}"), most)
    wish = Wish(powers, WishReader(text, board, powers[0], powers[1:], seasons=True).parse_text(), RULES)
    return Odds(wish), PositionAhead(board, seasons), Lookahead(wish).solve(PositionAhead(board, seasons)).is_won


@pytest.mark.parametrize("seed", [12, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(13, 60))])
def test_nobody_does_better_by_other_plays(seed: int) -> None:
    odds, start, won = some_odds(seed, seasons=2, most=60)
    assert (odds.solve(start).value == 1) is won
    check_each_position(odds)


def test_a_guess(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (sheet := tmp_path / "guess.txt").write_text("Austria:\n  A Budapest H\nRussia:\n  A Galicia H\n")
    ask = ["guarantee", "take RUM or take VIE", str(sheet), "--power", "Austria", "--odds", "--region", "BUD GAL RUM VIE"]
    assert run(ask) == 2
    assert "add --seasons 1" in capsys.readouterr().err
    assert run([*ask, "--seasons", "1"]) == 1
    said = capsys.readouterr().out
    assert "With the best odds on both sides, the probability is 1/2." in said
    assert "Odds of Austria:\n     1/2  A BUD - RUM\n     1/2  A BUD - VIE\n" in said
    assert run([*ask, "--seasons", "1", "--json", "--assume", "Russia does not attack VIE"]) == 0
    (case,) = json.loads(capsys.readouterr().out)["cases"]
    assert (case["odds"], case["orders"]) == (None, ["A BUD - VIE"])
    assert run([*ask, "--seasons", "1", "--json"]) == 1
    (case,) = json.loads(capsys.readouterr().out)["cases"]
    assert [drawn["probability"] for drawn in case["odds"]["others"]] == ["1/2", "1/2"]


@pytest.mark.slow
def test_the_black_sea_is_a_guess_indeed() -> None:
    """The Pouch's problem (test_guarantee.py): two attacks are blocked at once; against all of them it is one half."""
    units = {"RUSSIA": "A RUM, F SEV, A UKR", "TURKEY": "F BLA, A BUL, A ARM"}
    there = [parse_unit(text.strip(), power, load_map()) for power, texts in units.items() for text in texts.split(",")]
    board = Board(tuple(there), map=load_map().restrict_to_region(frozenset(["RUM", "SEV", "UKR", "BLA", "BUL", "ARM"])))
    wish = Wish(("RUSSIA",), WishReader("keep RUM and keep SEV", board, "RUSSIA", seasons=True).parse_text(), RULES)
    assert Odds(wish).solve(PositionAhead(board, 1)).value == Fraction(1, 2)


def test_the_tables() -> None:
    """`python benchmarks/studies/ending_tables.py --write`; `--again N` solves so many placements by themselves."""
    told = ending_tables.rows()
    assert Counter(row["ending"] for row in told) == {one.name: len(list(one.placements())) for one in ending_tables.ENDINGS}
    guessed = next(row for row in told if row["probability"] == ["1", "2/3", "16/39"])
    assert ending_tables.again(guessed) == guessed["probability"]


@pytest.mark.slow
@pytest.mark.parametrize("ending", ending_tables.ENDINGS, ids=lambda ending: ending.name)
def test_nobody_does_better_anywhere_in_the_tables(ending: ending_tables.Ending) -> None:
    odds = ending.odds()
    for placement in ending.placements():
        odds.solve(PositionAhead(ending.board(*placement), ending.seasons))
    check_each_position(odds)


def test_too_many_plays_are_no_guess(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("satjudge.search.guarantees.lookahead.MOST_PLAYS", 100)
    board = starting_board()
    wish = Wish(("RUSSIA",), WishReader("take GAL", board, "RUSSIA", seasons=True).parse_text(), RULES)
    with pytest.raises(InputError, match=r"too many to try them all .*--region"):
        Odds(wish).solve(PositionAhead(board, 1))


def test_help_in_vain_may_be_what_is_assumed() -> None:
    """Rumania may stay, though Galicia supports its move."""
    there = [
        parse_unit(text, power, load_map()) for text, power in (("A SER", "AUSTRIA"), ("A GAL", "RUSSIA"), ("A RUM", "RUSSIA"))
    ]
    board = Board(tuple(there), map=load_map().restrict_to_region(frozenset(["SER", "GAL", "RUM", "BUD"])))
    goal = WishReader("take RUM", board, "AUSTRIA", seasons=True).parse_text()
    taken = AssumptionReader('order:"A GAL S A RUM - BUD"', board, ("AUSTRIA",)).parse_text()
    assert Odds(Wish(("AUSTRIA",), goal, RULES, taken)).solve(PositionAhead(board, 1)).value == 0
