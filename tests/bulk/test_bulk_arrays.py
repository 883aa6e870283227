"""Arrays in, arrays out: every array says what the plain path says, board by board."""

from __future__ import annotations

import doctest
import threading
from collections.abc import Iterator
from copy import copy
from dataclasses import fields, replace
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import numpy
import pytest

from satjudge.base import processes
from satjudge.base.errors import BoardError, InputError, NotationError, NotFoundError, UnresolvedError
from satjudge.bulk.games import Games
from satjudge.bulk.judge import RESULTS, Judge, Outcomes
from satjudge.bulk.kernel.memory import SETTLED, WITH_CORES
from satjudge.bulk.random_boards.boards import Flavour, random_board
from satjudge.bulk.vocabulary import Vocabulary, explain_size, find_uncompiled_rule
from satjudge.bulk.wasm import loading, sandbox
from satjudge.bulk.wasm.loading import make_supply
from satjudge.judging.adjustments import judge_adjustments
from satjudge.judging.judge import judge
from satjudge.judging.legal_orders import legal_orders
from satjudge.judging.legality.order_legality import ConvoyQuestion
from satjudge.judging.outcome import Outcome
from satjudge.judging.retreats import judge_retreats
from satjudge.world.board import Board, Phase, Season, Turn, Unit, starting_board
from satjudge.world.geography import UnitKind, load_map, shipped_maps
from satjudge.world.orders import Build, Order
from satjudge.world.rules import load_rulebook, preset_names
from satjudge.world.seasons import adjustments_due, centers_after_fall

NONE = -1
FLAVOURS = [flavour for flavour in Flavour if flavour is not Flavour.VARIANT]
Arrays = tuple[Any, Any, Any]


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return Vocabulary()


@pytest.fixture(scope="module")
def judge_of_arrays(vocabulary: Vocabulary) -> Judge:
    return Judge(vocabulary)


def drawn(vocabulary: Vocabulary, number: int, flavour: Flavour, *, columns: int = 36) -> Arrays:
    """Random boards, with some orders that are illegal there, some units without an order, and columns without a unit."""
    units, powers, orders = (numpy.full((number, columns), NONE) for _ in range(3))
    for board in range(number):
        random = Random(f"arrays {flavour} {board}")
        position, given = random_board(random, flavour, (4, 34), illegal=0.2 if board % 2 else 0, game_map=vocabulary.map)
        of = {order.unit.province: order for order in chain.from_iterable(given.values())}
        seats = random.sample(range(columns), len(position.units))
        for seat, unit in zip(seats, position.units, strict=True):
            units[board, seat] = vocabulary.unit_numbers[unit.named]
            powers[board, seat] = vocabulary.powers.index(unit.power)
            orders[board, seat] = vocabulary.order_numbers.get(of.get(unit.province), NONE)  # type: ignore[arg-type]
    return units, powers, orders


def plainly(
    vocabulary: Vocabulary, arrays: Arrays, board: int, season: str | None = None
) -> tuple[Board, dict[str, int], dict[str, list[Order]]]:
    """A board as the plain path takes it, and where each province's unit stands in the arrays."""
    standing, columns, given = [], {}, dict[str, list[Order]]()
    for column, (unit, power, order) in enumerate(zip(*(array[board].tolist() for array in arrays), strict=True)):
        if unit != NONE:
            named = vocabulary.units[unit]
            assert named.kind
            standing.append(Unit(vocabulary.powers[power], named.kind, named.location))
            columns[named.province] = column
            if order != NONE:
                given.setdefault(vocabulary.powers[power], []).append(vocabulary.orders[order])
    turn = Turn(vocabulary.map.first_year, Season(season)) if season else None
    return Board(tuple(standing), map=vocabulary.map, turn=turn), columns, given


def same(judging: Judge, arrays: Arrays, found: Outcomes) -> None:
    """Compare every array with the plain path's outcomes."""
    for board in range(len(found.status)):
        position, columns, given = plainly(judging.vocabulary, arrays, board, judging.season)
        try:
            outcome = judge(position, given, rulebook=judging.rulebook)
        except UnresolvedError:
            assert found.unresolved[board]
            continue
        assert not found.unresolved[board]
        same_units(judging.vocabulary, columns, outcome, found, board)
        contested = {judging.vocabulary.provinces[place] for place in numpy.flatnonzero(found.contested[board])}
        assert contested == outcome.contested
        assert found.resolutions[board] == outcome.adjudication.resolutions.count
        cores = {(ruling.rule, sum(1 << columns[d.province] for d in ruling.core)) for ruling in outcome.adjudication.rulings}
        ruled = found.rulings[found.rulings[:, 0] == board].tolist()
        assert {(found.rules[rule], core) for _, rule, _, core in ruled} == cores


def same_units(vocabulary: Vocabulary, columns: dict[str, int], outcome: Outcome, found: Outcomes, board: int) -> None:
    """What is said of the units of a board, and of those that were dislodged."""
    told = {judged.province: judged.verdict for judged in chain.from_iterable(outcome.judged.values())}
    rows = {column: row for row, (of, column) in enumerate(found.dislodged.tolist()) if of == board}
    assert rows.keys() == {columns[province] for province in outcome.dislodgements}
    for province, column in columns.items():
        assert found.verdict(board, column) == told.get(province)
        legal, order = outcome.docket.orders.get(province), found.orders[board, column]
        assert (None if order == NONE else vocabulary.orders[order]) == legal
        lost, after = outcome.dislodgements.get(province), found.units[board, column]
        if lost:
            assert (
                tuple(sorted(vocabulary.locations[at] for at in numpy.flatnonzero(found.retreats[rows[column]])))
                == lost.retreats
            )
            assert found.attackers[board, column] == columns[lost.attacker.province]
            assert after == NONE
        else:
            move, named = outcome.successful_moves.get(province), vocabulary.units[after]
            assert named.location == (move.order.destination if move else outcome.board.unit_at[province].location)
            assert found.attackers[board, column] == NONE


@pytest.mark.parametrize("flavour", FLAVOURS)
def test_random_boards(flavour: Flavour, judge_of_arrays: Judge) -> None:
    arrays = drawn(judge_of_arrays.vocabulary, 60, flavour)
    found = judge_of_arrays.judge(*arrays)
    same(judge_of_arrays, arrays, found)
    assert numpy.isin(found.status, (SETTLED, WITH_CORES)).all()
    assert (found.status == WITH_CORES).sum() > (25 if flavour in (Flavour.CONVOYS, Flavour.CIRCLES) else NONE)


@pytest.mark.parametrize("rules", [*preset_names(), "datc-3 with 4.D.3=first"])
def test_other_rulebooks(rules: str, vocabulary: Vocabulary) -> None:
    judging = Judge(vocabulary, rules)
    for flavour in FLAVOURS:
        arrays = drawn(vocabulary, 20, flavour)
        found = judging.judge(*arrays)
        same(judging, arrays, found)
        assert found.plainly.mean() < 0.5


@pytest.mark.parametrize(
    ("rules", "first", "dislodged"),
    [
        ("guide-1998", "A BRE - LON", True),  # no fleets are there: illegal, but a move (4.E.1)
        ("guide-1998", None, False),
        ("datc-3 with 4.D.9=refused", "A BRE - LON", False),
        ("datc-3 with 4.D.9=refused", None, True),  # of a power without orders
        ("datc-3", "A BRE - LON", False),
    ],
)
def test_a_unit_that_cannot_be_supported(vocabulary: Vocabulary, rules: str, first: str | None, dislodged: bool) -> None:
    judging, board = Judge(vocabulary, rules), ("A BRE", "F MAO", "A PIC", "A GAS")
    orders = (first, "F MAO S A BRE", "A PIC - BRE", "A GAS S A PIC - BRE")
    arrays = (
        numpy.array([[vocabulary.unit(unit) for unit in board]]),
        numpy.array([[vocabulary.powers.index(power) for power in ("FRANCE", "ENGLAND", "GERMANY", "GERMANY")]]),
        numpy.array([[vocabulary.order(text) if text else NONE for text in orders]]),
    )
    found = judging.judge(*arrays)
    same(judging, arrays, found)
    assert found.plainly[0] == (" with " in rules)  # whose equations do not come compiled
    assert (found.fates[0, 0] > 0) == dislodged


@pytest.mark.slow
@pytest.mark.parametrize("name", ["standard-9-both", "loeb9", "colonial"])
def test_other_maps(name: str) -> None:
    vocabulary = Vocabulary(name)
    for season in Season if vocabulary.map.closed else (None,):
        judging = Judge(vocabulary, season=season)
        assert (judging.obstacle is None) == (name == "standard-9-both")
        arrays = drawn(judging.vocabulary, 60, Flavour.CONVOYS)
        same(judging, arrays, judging.judge(*arrays))


# Maps with rules of their own.


@pytest.fixture(scope="module")
def shut() -> Vocabulary:
    """Of a map that is compiled, and on which the North Sea is shut in fall."""
    return Vocabulary(replace(load_map(), name="shut", closed={"fall": frozenset({"NTH"})}, cache={}))


def test_provinces_that_are_shut(shut: Vocabulary) -> None:
    """In fall as the plain path says it, and in spring not at all."""
    spring, fall = (Judge(shut, season=season) for season in Season)
    assert fall.kernels
    arrays = drawn(shut, 3, Flavour.CONVOYS)
    same(fall, arrays, fall.judge(*arrays))
    board, _, _ = plainly(shut, arrays, 2, fall.season)
    legal = fall.legal_orders(*arrays[:2])[2]
    assert {shut.orders[number] for number in numpy.flatnonzero(legal)} == legal_by_the_plain_path(shut, board, "datc-3")
    unit, order = shut.unit("F LON"), shut.order("F LON - NTH")
    found = [str(judging.judge([[unit]], [[0]], [[order]]).verdict(0, 0)) for judging in (spring, fall)]
    assert found == ["succeeds", "illegal"]


def test_a_season_that_is_missing(shut: Vocabulary, vocabulary: Vocabulary) -> None:
    with pytest.raises(BoardError, match=r"closes provinces in some seasons \(NTH in fall\): pass season='spring' or 'fall'"):
        Judge(shut)
    with pytest.raises(BoardError, match="there is no season 'winter'"):
        Judge(vocabulary, season="winter")
    assert loading.load_line_answerer(shut.map, load_rulebook()) is None


@pytest.mark.parametrize("name", [name for name in shipped_maps() if load_map(name).has_rules])
def test_what_is_not_compiled_is_told_in_words(name: str) -> None:
    game_map = load_map(name)
    told = (
        "no difficult borders" if game_map.difficult else "no trains" if game_map.railroads else "no borders at half strength"
    )
    assert str(find_uncompiled_rule(load_rulebook().with_map_rules(game_map))).startswith(f"the arrays have {told} (")


def test_a_map_that_is_too_large_for_compiled_code_is_judged_plainly(
    vocabulary: Vocabulary, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert explain_size(vocabulary) is None
    monkeypatch.setattr("satjudge.bulk.vocabulary.MOST_PROVINCES", 70)
    judging = Judge(vocabulary)
    assert "it has 75 provinces, more than 70" in str(judging.obstacle)
    monkeypatch.setattr("satjudge.bulk.wasm.loading.load_tables", lambda *_: None)
    assert make_supply(load_map(), judging.rulebook) is None
    arrays = drawn(vocabulary, 2, Flavour.CONVOYS)
    found = judging.judge(*arrays)
    assert found.plainly.all()
    same(judging, arrays, found)


def test_orders_that_have_no_number(vocabulary: Vocabulary) -> None:
    words = copy(vocabulary)
    words.map = load_map("colonial")
    with pytest.raises(NotationError, match="the map colonial; arrays have no orders by railroad or through a canal, which"):
        words.order("F MED - RED")


def test_maps_and_rulebooks_have_names(vocabulary: Vocabulary) -> None:
    assert Vocabulary("1898").map is load_map("1898")
    with pytest.raises(NotFoundError, match="standrad"):
        Judge("standrad")
    found = Judge(vocabulary, "datc-3 with 4.A.2=all-hold").rulebook
    assert found == load_rulebook("datc-3").with_settings(["4.A.2=all-hold"])


def test_what_was_learnt_changes_nothing(vocabulary: Vocabulary, judge_of_arrays: Judge) -> None:
    arrays = drawn(vocabulary, 40, Flavour.CONVOYS)
    again = [numpy.tile(array, (3, 1)) for array in arrays]
    first, second = judge_of_arrays.judge(*arrays), judge_of_arrays.judge(*again)
    for name in ("results", "fates", "units", "resolutions", "contested"):
        assert (getattr(second, name) == numpy.tile(getattr(first, name).T, 3).T).all()
    assert len(second.dislodged) == 3 * len(first.dislodged)


@pytest.mark.parametrize("made", [Judge, Games])
def test_without_wasmtime_arrays_say_what_they_need(made: type[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "find_spec", lambda name: None)
    sandbox._load_library.cache_clear()
    needed = r"^the compiled kernel needs the package wasmtime, which is not installed \(pip install wasmtime\)$"
    with pytest.raises(ModuleNotFoundError, match=needed):
        made()


# Legal orders.


def legal_by_the_plain_path(vocabulary: Vocabulary, board: Board, rules: str) -> set[Order]:
    return {order for of in legal_orders(board, rules).values() for listed in of.values() for order in listed}


def test_legal_orders_of_random_boards(vocabulary: Vocabulary, judge_of_arrays: Judge) -> None:
    arrays = drawn(vocabulary, 6, Flavour.CONVOYS)
    found = judge_of_arrays.legal_orders(*arrays[:2])
    for board in range(len(found)):
        listed = legal_by_the_plain_path(vocabulary, plainly(vocabulary, arrays, board)[0], "datc-3")
        assert {vocabulary.orders[number] for number in numpy.flatnonzero(found[board])} == listed


@pytest.mark.parametrize("name", ["standard", "standard-9-both"])
def test_the_vocabulary_has_every_legal_order(name: str) -> None:
    words = Vocabulary(load_map(name))
    for index in range(3):
        board, _ = random_board(Random(index), Flavour.CONVOYS, game_map=words.map)
        listed = legal_by_the_plain_path(words, Board(board.units, map=words.map), "datc-2")
        assert listed <= words.order_numbers.keys()


def test_numbers_of_the_vocabulary(vocabulary: Vocabulary) -> None:
    assert len(set(vocabulary.orders)) == len(vocabulary) == len(vocabulary.texts)
    assert vocabulary.orders[vocabulary.order("F STP/SC - BOT")] == vocabulary.orders[vocabulary.order("F stp(sc)-BOT")]
    for number, unit in enumerate(vocabulary.units):
        first, behind = vocabulary.first_order[number : number + 2]
        assert {order.unit for order in vocabulary.orders[first:behind]} == {unit}  # type: ignore[union-attr]
    with pytest.raises(NotationError, match="write kinds and coasts in full"):
        vocabulary.order("PAR - BUR")
    with pytest.raises(NotationError, match="'A STP/NC' is not a unit"):
        vocabulary.unit("A STP/NC")


# Retreats and adjustments, and the worked example.


def test_retreats_after_random_boards(vocabulary: Vocabulary, judge_of_arrays: Judge) -> None:
    """Every dislodged unit has a random legal order or none; the plain path plays the same phases from its own outcomes."""
    arrays, random = drawn(vocabulary, 60, Flavour.DENSE), Random(3)
    moves = judge_of_arrays.judge(*arrays)
    legal = [numpy.flatnonzero(row).tolist() for row in judge_of_arrays.legal_retreats(moves)]
    orders = [random.choice([*numbers, NONE]) for numbers in legal]
    found = judge_of_arrays.retreat(moves, orders)
    assert len(orders) > 30
    for board in sorted(set(moves.dislodged[:, 0].tolist())):
        position, columns, given = plainly(vocabulary, arrays, board)
        after = judge(position, given).retreat_board
        rows = {
            columns[province_of_row(vocabulary, moves, row)]: row
            for row in range(len(orders))
            if moves.dislodged[row, 0] == board
        }
        told: dict[str, list[Order]] = {}
        for lost in after.dislodged:
            row = rows[columns[lost.unit.province]]
            listed = legal_orders(after, "datc-3").get(lost.unit.power, {}).get(str(lost.unit), [])
            assert {vocabulary.orders[number] for number in legal[row]} == set(listed)
            if orders[row] != NONE:
                told.setdefault(lost.unit.power, []).append(vocabulary.orders[orders[row]])
        outcome = judge_retreats(after, told)
        results = {judged.province: judged.verdict.order for of in outcome.judged.values() for judged in of}
        for lost in after.dislodged:
            result = found.results[rows[columns[lost.unit.province]]]
            assert (None if result == NONE else RESULTS[result]) == results.get(lost.unit.province)
        units = {
            (vocabulary.units[unit], int(arrays[1][board, column]))
            for column, unit in enumerate(found.units[board])
            if unit != NONE
        }
        assert units == {(unit.named, vocabulary.powers.index(unit.power)) for unit in outcome.units}


def province_of_row(vocabulary: Vocabulary, moves: Outcomes, row: int) -> str:
    """The province of a dislodged unit."""
    unit: int = moves.units_before[tuple(moves.dislodged[row])]
    return vocabulary.units[unit].province


@pytest.mark.parametrize("players", [7, 2])
def test_random_adjustments(players: int, vocabulary: Vocabulary, judge_of_arrays: Judge) -> None:
    """With two players boards are alike in what a power has to adjust, so that much of it is known from boards before."""
    units, powers, _ = drawn(vocabulary, 30, Flavour.GENERAL)
    random = Random(4)
    powers = numpy.where(units == NONE, NONE, powers % players)
    centers = numpy.array([[random.randrange(-1, players) for _ in vocabulary.centers] for _ in units])
    legal = judge_of_arrays.legal_adjustments(units, powers, centers)
    orders = numpy.array([random.choices([*numpy.flatnonzero(row).tolist(), NONE], k=12) for row in legal])
    givers = numpy.array([[random.randrange(players) for _ in row] for row in orders])
    found = judge_of_arrays.adjust(units, powers, centers, orders, givers)
    due, taken = (
        said(units, powers, centers) for said in (judge_of_arrays.adjustments_due, judge_of_arrays.centers_after_fall)
    )
    for number in range(len(units)):
        board, _, _ = plainly(vocabulary, (units, powers, numpy.full_like(units, NONE)), number)
        owned = {
            code: vocabulary.powers[owner]
            for code, owner in zip(vocabulary.centers, centers[number], strict=True)
            if owner >= 0
        }
        board = Board(board.units, centers=owned, phase=Phase.ADJUSTMENT, map=vocabulary.map)
        told: dict[str, list[tuple[Order, int]]] = {}
        for column, (order, giver) in enumerate(zip(orders[number].tolist(), givers[number].tolist(), strict=True)):
            if order != NONE:
                told.setdefault(vocabulary.powers[giver], []).append((vocabulary.orders[order], column))
        outcome = judge_adjustments(board, {power: [order for order, _ in given] for power, given in told.items()})
        for power, judged in outcome.judged.items():
            for (_, column), one in zip(told[power], judged, strict=True):
                assert RESULTS[found.results[number, column]] == one.verdict.order
        rows = zip(found.units[number].tolist(), found.powers[number].tolist(), strict=True)
        units_after = {(vocabulary.units[unit], vocabulary.powers[power]) for unit, power in rows if unit != NONE}
        assert units_after == {(unit.named, unit.power) for unit in outcome.units}
        listed = legal_by_the_plain_path(vocabulary, board, "datc-3")
        assert {vocabulary.orders[order] for order in numpy.flatnonzero(legal[number])} == listed
        assert {vocabulary.powers[power]: due[number, power] for power in numpy.flatnonzero(due[number])} == adjustments_due(
            board
        )
        _, _, after_fall = vocabulary.arrays_of([replace(board, centers=centers_after_fall(board))])
        assert (after_fall[0] == taken[number]).all()


def test_new_units_have_free_columns(vocabulary: Vocabulary, judge_of_arrays: Judge) -> None:
    """What comes back can be fed back, and grows only where a board has more units than columns."""
    home = [vocabulary.unit(text) for text in ("A PAR", "A MAR", "F BRE")]
    builds = [vocabulary.order(text, Phase.ADJUSTMENT) for text in ("A PAR B", "A MAR B", "F BRE B")]
    france, centers = vocabulary.powers.index("FRANCE"), vocabulary.arrays_of([starting_board()] * 2)[2]
    units = [[NONE, home[0], NONE], [NONE, NONE, NONE]]
    orders = [[NONE, builds[2], builds[1]], builds]
    for columns, wanted in ((3, [[home[2], home[0], home[1]], home]), (2, [[home[2], home[0], home[1]], home])):
        given = [row[:columns] for row in units]
        found = judge_of_arrays.adjust(given, numpy.full((2, columns), france), centers, orders, numpy.full((2, 3), france))
        assert found.units.tolist() == wanted
        assert (found.powers == france).all()


def test_positions_as_arrays(vocabulary: Vocabulary) -> None:
    board = starting_board()
    units, powers, centers = vocabulary.arrays_of([board, replace(board, units=board.units[:3], centers={})])
    assert units.shape == powers.shape == centers.shape == (2, 34)
    assert [vocabulary.unit_of_power(*pair) for pair in zip(units[0, :22], powers[0, :22], strict=True)] == [*board.units]
    assert ((units >= 0).sum(axis=1) == [22, 3]).all()
    owned = {code: vocabulary.powers[owner] for code, owner in zip(vocabulary.centers, centers[0], strict=True) if owner >= 0}
    assert (owned, (centers[1] == NONE).all()) == (board.centers, True)
    with pytest.raises(BoardError, match="board 0: there is no CHINA on the map standard"):
        vocabulary.arrays_of([Board((Unit("CHINA", UnitKind.ARMY, "PAR"),))])


def test_the_worked_example(judge_of_arrays: Judge) -> None:
    assert judge_of_arrays.kernels
    failures, tried = doctest.testfile(str(Path(__file__).parents[2] / "docs" / "guides" / "arrays.md"), module_relative=False)
    assert tried > 40
    assert failures == 0


# Mistakes.


def position(vocabulary: Vocabulary, *texts: str) -> Iterator[Any]:
    """The arrays of two boards, of which the second has these units of power 0 with these orders, `unit: order`."""
    parts = [text.split(": ") for text in texts]
    units = [vocabulary.unit(unit) for unit, _ in parts]
    orders = [vocabulary.order(order) if order else NONE for _, order in parts]
    for row, other in ((units, NONE), ([0] * len(units), 0), (orders, NONE)):
        yield numpy.array([[other] * len(row), row])


@pytest.mark.parametrize(
    ("texts", "error", "told"),
    [
        (("A PAR: ", "A PAR: "), BoardError, "board 1, column 1: A PAR is in the province of another unit"),
        (("F SPA/NC: ", "A SPA: "), BoardError, "board 1, column 1: A SPA is in the province of another unit"),
        (("A PAR: A MAR - BUR",), NotationError, "board 1, column 0: A MAR - BUR is not an order for A PAR"),
    ],
)
def test_positions_that_cannot_be(texts: tuple[str, ...], error: type[Exception], told: str, judge_of_arrays: Judge) -> None:
    with pytest.raises(error, match=told):
        judge_of_arrays.judge(*position(judge_of_arrays.vocabulary, *texts))


def test_an_order_where_no_unit_stands(judge_of_arrays: Judge) -> None:
    told = "board 0, column 0: this column has no unit, so write -1 for its order, not 5 "
    with pytest.raises(NotationError, match=told):
        judge_of_arrays.judge([[NONE]], [[0]], [[5]])


def test_no_boards_at_all(vocabulary: Vocabulary, judge_of_arrays: Judge) -> None:
    found = judge_of_arrays.judge([], [], [])
    assert found.results.shape == found.units.shape == (0, 0)
    assert judge_of_arrays.retreat(found, []).units.shape == (0, 0)
    assert judge_of_arrays.legal_orders([], []).shape == judge_of_arrays.legal_retreats(found).shape == (0, len(vocabulary))
    assert judge_of_arrays.legal_adjustments([], [], []).shape == (0, len(vocabulary))
    assert judge_of_arrays.centers_after_fall([], [], []).shape == (0, len(vocabulary.centers))
    assert judge_of_arrays.adjustments_due([], [], []).shape == (0, len(vocabulary.powers))
    assert judge_of_arrays.adjust([], [], [], [], []).units.shape == (0, 0)


def test_a_disband_is_no_removal_though_it_is_written_so(vocabulary: Vocabulary, judge_of_arrays: Judge) -> None:
    paris, disband = vocabulary.unit("A PAR"), vocabulary.order("A PAR D")
    centers = numpy.full((1, len(vocabulary.centers)), NONE)
    with pytest.raises(NotationError, match=f"number {disband}, A PAR D, is not an order of an adjustment phase") as caught:
        judge_of_arrays.adjust([[paris]], [[0]], centers, [[disband]], [[0]])
    assert caught.value.suggestion
    assert "vocabulary.order('A PAR D', Phase.ADJUSTMENT)" in caught.value.suggestion
    removal = vocabulary.order("A PAR D", Phase.ADJUSTMENT)
    assert judge_of_arrays.adjust([[paris]], [[0]], centers, [[removal]], [[0]]).units.tolist() == [[NONE]]


def test_outcomes_on_another_map(vocabulary: Vocabulary, judge_of_arrays: Judge) -> None:
    found = judge_of_arrays.judge([[vocabulary.unit("A PAR")]], [[0]], [[NONE]])
    elsewhere = Judge("1898")
    for ask in (lambda: elsewhere.retreat(found, []), lambda: elsewhere.legal_retreats(found)):
        with pytest.raises(BoardError, match="outcomes are on the map standard: use a judge for that map, not one for 1898"):
            ask()


def test_what_is_no_array(judge_of_arrays: Judge) -> None:
    with pytest.raises(BoardError, match=r"^units must be an array with the axes board and column, not None: write numbers"):
        judge_of_arrays.judge(None, None, None)  # type: ignore[arg-type]
    with pytest.raises(BoardError, match=r"^orders must be an array with the axes dislodged unit, not None"):
        judge_of_arrays.retreat(judge_of_arrays.judge([], [], []), None)  # type: ignore[arg-type]


@pytest.mark.slow
def test_which_shipped_maps_are_compiled() -> None:
    """As docs/guides/arrays.md lists them."""
    with pytest.raises(InputError, match="neutral units"):
        Judge("standard-neutral")
    with pytest.raises(InputError, match="change their kind"):
        Judge("standard-transform")
    with pytest.raises(InputError, match="borders at half strength"):
        Judge("standard-cape")
    others = [name for name in shipped_maps() if name not in ("standard-cape", "standard-neutral", "standard-transform")]
    seasons = {name: "fall" if load_map(name).closed else None for name in others}
    compiled = {name for name, season in seasons.items() if not Judge(name, season=season).obstacle}
    assert compiled == {"chaos", "1898", *(name for name in seasons if name.startswith("standard"))}


def test_after_fall_the_judge_of_either_season_says_the_same() -> None:
    vocabulary = Vocabulary("loeb9")
    board = starting_board(vocabulary.map)
    units, powers, centers = vocabulary.arrays_of([board])
    position = (units[:, 3:], powers[:, 3:], centers)
    orders = [[vocabulary.orders.index(order) for order in vocabulary.orders if isinstance(order, Build)][:9]]
    said = []
    for season in ("spring", "fall"):
        judge = Judge(vocabulary, season=season)
        adjusted = judge.adjust(*position, orders, [[0] * 9])
        said.append([judge.centers_after_fall(*position), judge.adjustments_due(*position), judge.legal_adjustments(*position)])
        said[-1] += [adjusted.results, adjusted.units, adjusted.powers]
    assert said[0][2].any()
    for spring, fall in zip(*said, strict=True):
        assert numpy.array_equal(spring, fall)


def test_numbers_that_mean_nothing(vocabulary: Vocabulary, judge_of_arrays: Judge) -> None:
    good = list(position(vocabulary, "A PAR: A PAR - BUR"))
    for which, (number, told) in enumerate(((len(vocabulary.units), "unit"), (-1, "power"), (len(vocabulary), "order"))):
        wrong = [array.copy() for array in good]
        wrong[which][1, 0] = number
        with pytest.raises(BoardError, match=f"board 1, column 0: there is no {told} {number}"):
            judge_of_arrays.judge(*wrong)
    with pytest.raises(BoardError, match="same shape"):
        judge_of_arrays.judge(good[0], good[1], good[2][0])
    with pytest.raises(NotationError, match="board 1, column 0: A PAR D is not an order of a movement phase"):
        judge_of_arrays.judge(good[0], good[1], numpy.array([[NONE], [vocabulary.order("A PAR D", Phase.RETREAT)]]))


def test_orders_of_games_are_wider_than_boards_which_is_told_with_the_way_out() -> None:
    games = Games(2, seed=1)
    drawn = games.draw()
    told = r"orders for Games have 34 more columns, for builds; .*: write orders\[:, : units.shape\[1\]\]"
    with pytest.raises(BoardError, match=told):
        games.judge.judge(games.units, games.powers, drawn)
    found = games.judge.judge(games.units, games.powers, drawn[:, : games.units.shape[1]])
    assert (found.results != NONE).sum() == 44
    with pytest.raises(BoardError) as caught:
        games.judge.judge(games.units, games.powers, drawn[:, :-1])
    assert "Games" not in str(caught.value)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ([[2.5]], "board 0, column 0: there is no unit 2.5"),
        ([[0, numpy.nan]], "board 0, column 1: there is no unit nan"),
        ([[1 << 40]], "board 0, column 0: there is no unit 1099511627776"),
        ([["A PAR"]], r"board 0, column 0: there is no unit A PAR: write numbers, vocabulary.unit\('A PAR'\)"),
        ([[True]], "board 0, column 0: there is no unit True"),
        ([[0, 1], [2]], "units: board 1 has 1 columns, but board 0 has 2: pad it with -1"),
    ],
)
def test_arrays_of_something_else(given: list[list[Any]], told: str, judge_of_arrays: Judge) -> None:
    powers = numpy.zeros((len(given), len(given[0])), int)
    with pytest.raises(BoardError, match=told):
        judge_of_arrays.legal_orders(given, powers)
    with pytest.raises(BoardError, match=told):
        judge_of_arrays.judge(given, powers, powers)


def test_too_many_columns_are_told(
    judge_of_arrays: Judge, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(processes, "_take_token", threading.Semaphore(1).acquire)
    wide = numpy.full((2, 70), NONE)
    assert judge_of_arrays.judge(wide, wide, wide).plainly.all()
    assert "compiled code accepts 62 columns, not 70: remove columns without units" in caplog.text


def test_threads_share_boards_and_say_the_same(vocabulary: Vocabulary, judge_of_arrays: Judge) -> None:
    several = Judge(vocabulary, threads=3)
    assert len(several.kernels) == 3
    boards = drawn(vocabulary, 70, Flavour.CONVOYS)
    one, many = judge_of_arrays.judge(*boards), several.judge(*boards)
    everything = (field.name for field in fields(one) if isinstance(getattr(one, field.name), numpy.ndarray))
    for name in everything:
        assert numpy.array_equal(getattr(one, name), getattr(many, name)), name
    assert len(many.rulings) > 20
    few = [array[:2] for array in boards]
    assert numpy.array_equal(several.judge(*few).results, one.results[:2])


def test_a_judge_by_the_plain_path_alone(vocabulary: Vocabulary, judge_of_arrays: Judge) -> None:
    plain, boards = Judge(vocabulary, plainly=True), drawn(vocabulary, 5, Flavour.CIRCLES)
    assert (plain.kernels, plain.obstacle) == ([], None)
    found = plain.judge(*boards)
    assert found.plainly.all()
    assert numpy.array_equal(found.results, judge_of_arrays.judge(*boards).results)


# What holds the speed.


def test_hardly_anything_is_asked_twice(
    vocabulary: Vocabulary, judge_of_arrays: Judge, monkeypatch: pytest.MonkeyPatch
) -> None:
    arrays = drawn(vocabulary, 30, Flavour.DENSE)
    judge_of_arrays.judge(*arrays)
    asked: list[int] = []
    monkeypatch.setattr(judge_of_arrays.facts, "learn", lambda wanted: asked.append(len(wanted)))
    judge_of_arrays.judge(*arrays)
    assert asked == []


def test_ways_are_what_a_question_is_answered_by() -> None:
    game_map = load_map()
    random, coasts = Random(2), sorted(game_map.shores)
    for _ in range(200):
        fleets = frozenset(random.sample(sorted(game_map.seas), random.randint(1, 12)))
        some = random.choice((None, random.choice(sorted(fleets))))
        origin, destination = random.sample(coasts, 2)
        board = Board(tuple(Unit("FRANCE", UnitKind.FLEET, sea) for sea in sorted(fleets)))
        for question in (ConvoyQuestion(origin, destination, some), ConvoyQuestion(origin, destination, None, some)):
            by_ways = any(fleets.issuperset(way) for way in question.list_routes(game_map))
            assert question.answer(board, load_rulebook()) == by_ways
