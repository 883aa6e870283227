"""The compiled kernel tells `judge` what becomes of a board, which is what is judged at length when somebody asks for more."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from satjudge.base import processes
from satjudge.base.errors import BoardError, NotationError, UnresolvedError
from satjudge.bulk.kernel.memory import ALIASES, MOST_BOARD_UNITS, OF_ORDERS
from satjudge.bulk.random_boards.boards import Flavour, random_board
from satjudge.bulk.vocabulary import Vocabulary
from satjudge.bulk.wasm import loading, sandbox
from satjudge.bulk.wasm.boards import BoardJudge
from satjudge.bulk.wasm.loading import make_supply
from satjudge.engines.conformance.switchable_judge import make_faulty_judge
from satjudge.game.game import Game
from satjudge.judging import fast_path
from satjudge.judging import judge as judging
from satjudge.judging import legal_orders as legal_orders_module
from satjudge.judging.fast_path import KernelChoice
from satjudge.judging.judge import judge, judge_parsed_orders, judge_phase, judge_without_kernel, read_orders
from satjudge.judging.legal_orders import PhaseOrders, legal_orders, unit_orders
from satjudge.judging.outcome import Outcome
from satjudge.notation.bundled_cases import read_collection
from satjudge.world.board import Board, Phase, Unit, starting_board
from satjudge.world.geography import UnitKind, load_map
from satjudge.world.rules import Rulebook, load_preset, load_rulebook, preset_names

OPENING = {"FRANCE": ["A PAR - BUR", "a mar s a par - bur"], "GERMANY": ["A MUN - BUR"], "ITALY": []}


def made(rules: Rulebook) -> BoardJudge:
    found = make_supply(load_map(), rules)
    assert found is not None
    return BoardJudge(found)


@pytest.fixture(scope="module")
def teller() -> BoardJudge:
    return made(load_rulebook())


@pytest.fixture
def at_once_from_the_first(teller: BoardJudge, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The kernel is loaded for all tests together."""
    load_map().cache.pop(KernelChoice, None)
    monkeypatch.setattr(fast_path, "USE_SHIPPED_TABLES", True)
    monkeypatch.setattr("satjudge.bulk.wasm.boards.BoardJudge", lambda _: teller)
    yield
    load_map().cache.pop(KernelChoice, None)


def drawn(number: int, illegal: float = 0.2) -> Iterator[tuple[Board, dict[str, list[Any]]]]:
    """Random boards, some orders of which are illegal; every other one with orders as values."""
    for index in range(number):
        flavour = list(Flavour)[index % len(Flavour)]
        board, orders = random_board(Random(f"at once {index}"), flavour, (4, 34), illegal=illegal)
        yield board, {power: [*given] if index % 2 else [*map(str, given)] for power, given in orders.items()}


def views(outcome: Outcome) -> tuple[Any, ...]:
    """All that is told at once, with the order in which it is told."""
    lost = list(outcome.dislodgements.items())
    return list(outcome.results.items()), lost, outcome.units, outcome.contested, outcome.next_board, repr(outcome)


def assert_told_as_at_length(teller: BoardJudge, rules: Rulebook, board: Board, orders: dict[str, list[Any]]) -> bool:
    """The answer is that at length, if there is one after what the board speaks of was learnt."""
    given = read_orders(board, orders, lenient=True)
    try:
        expected = judge_without_kernel(board, given, rules)
    except UnresolvedError:
        assert teller.judge_board(board, orders) is None
        return False
    told = teller.judge_board(board, orders)
    if told is not None:
        assert isinstance(expected, Outcome)
        assert views(Outcome.from_kernel(board, told, lambda: expected)) == views(expected), (board, orders)
    return told is not None


def test_random_boards_are_told_as_they_are_judged_at_length(teller: BoardJudge, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(5):  # what is new is learnt
        monkeypatch.setattr(teller, "_patience", 40)
        told = [assert_told_as_at_length(teller, load_rulebook(), board, orders) for board, orders in drawn(60)]
    assert sum(told) > 50


def test_every_case_is_told_as_it_is_judged_at_length(teller: BoardJudge) -> None:
    sheets = [sheet for sheet in read_collection() if sheet.phase is Phase.MOVEMENT and sheet.board.map is load_map()]
    for _ in range(2):
        told = [
            assert_told_as_at_length(teller, load_rulebook(), sheet.board, dict(sheet.orders_by_power())) for sheet in sheets
        ]
    assert sum(told) > 100


@pytest.mark.slow
@pytest.mark.parametrize("rules", preset_names())
def test_boards_under_every_rulebook_are_told_as_they_are_judged_at_length(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    judge, told = made(load_preset(rules)), 0
    for _ in range(4):
        monkeypatch.setattr(judge, "_patience", 100)  # what is new is learnt within the run
        told += sum(assert_told_as_at_length(judge, load_preset(rules), board, orders) for board, orders in drawn(400))
    assert told > 300


@pytest.mark.usefixtures("at_once_from_the_first")
def test_reasons_are_made_when_they_are_asked_for_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    board, at_length = starting_board(), list[object]()
    expected = judge_without_kernel(board, read_orders(board, OPENING), load_rulebook())
    assert isinstance(expected, Outcome)
    usual = judging._judge_movement

    def counted(*args: object) -> Outcome:
        at_length.append(args)
        return usual(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(judging, "_judge_movement", counted)
    for of in (judge, judge_phase):
        at_length.clear()
        orders = {power: list(given) for power, given in OPENING.items()}
        outcome = of(board, orders)
        assert isinstance(outcome, Outcome)
        assert (outcome.results, outcome.units, outcome.contested) == (expected.results, expected.units, frozenset({"BUR"}))
        assert outcome.next_board == expected.next_board
        assert not at_length  # if this fails, the kernel is not asked any more
        orders["FRANCE"].clear()  # it is the caller's
        assert outcome.reasons == expected.reasons
        assert outcome.docket == expected.docket
        assert outcome.judged == expected.judged
        assert str(outcome) == str(expected)
        assert (outcome.engine, expected.engine, pickle.loads(pickle.dumps(outcome)).engine) == ("kernel", "staged", "staged")
        assert views(pickle.loads(pickle.dumps(outcome))) == views(expected)
        assert outcome == outcome  # as for any value
        assert len(at_length) == 1
    with pytest.raises(AttributeError, match="cannot be changed"):
        setattr(outcome, "units", ())  # noqa: B010  # as whoever does not ask mypy


@pytest.mark.usefixtures("at_once_from_the_first")
def test_games_ask_the_kernel_and_play_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def played() -> list[Any]:
        random, game = Random(3), Game.new()
        for _ in range(20):
            listed = game.legal_orders()
            for power, names in game.orderable.items():
                game.set_orders(power, [random.choice(listed[what]) for what in names])
            game.next()
        return [game.document(), game.board]

    at_once_played = played()
    monkeypatch.setattr(fast_path, "PHASES_BEFORE_TABLES", 10**9)
    load_map().cache.pop(KernelChoice)
    assert played() == at_once_played


@pytest.mark.usefixtures("at_once_from_the_first")
def test_bad_input_is_told_as_ever() -> None:
    board = starting_board()
    with pytest.raises(NotationError, match="did you mean Burgundy"):
        judge(board, {"FRANCE": ["A PAR - Bugundy"]})
    with pytest.raises(NotationError, match="there is no power"):
        judge(board, {"FRANKREICHS": []})
    with pytest.raises(NotationError, match="must be a list"):
        judge(board, {"FRANCE": "A PAR - BUR"})
    with pytest.raises(NotationError, match="is not an order"):
        judge(board, {"FRANCE": [3]})  # type: ignore[list-item]
    with pytest.raises(NotationError, match="orders by power"):
        judge(board, ["A PAR - BUR"])  # type: ignore[arg-type]
    for unit in (
        Unit("FRANCE", UnitKind.ARMY, "PAR"),
        Unit("FRANCE", UnitKind.FLEET, "MUN"),
        Unit("FRANCE", UnitKind.ARMY, "X"),
    ):
        with pytest.raises(BoardError):
            judge(Board((*board.units, unit)), {"FRANCE": ["A PAR - BUR"]})
    with pytest.raises(BoardError, match="no supply centre"):
        judge(Board(board.units, centers={"BUR": "FRANCE"}), {"FRANCE": ["A PAR - BUR"]})
    texts: Any = (text for text in ["A PAR - BUR"])
    assert judge(board, {"FRANCE": texts}).results == {"FRANCE": ["succeeds"]}
    assert any(judge(board, {"FRANCE": ["A PAR H", "A PAR - BUR"]}).reasons["FRANCE"])
    assert judge(board, {"France": ["A PAR - BUR"]}).results == {"FRANCE": ["succeeds"]}
    assert judge_parsed_orders(board, {"FRANCE": []}, load_rulebook()).results == {"FRANCE": []}


@pytest.mark.parametrize("tables", [True, False])
def test_the_kernel_is_asked_from_the_first_phase_on_where_its_tables_come_with_satjudge(
    tables: bool, teller: BoardJudge, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[object] = []
    load_map().cache.pop(KernelChoice, None)
    monkeypatch.setattr(fast_path, "PHASES_BEFORE_TABLES", 2)
    monkeypatch.setattr(fast_path, "USE_SHIPPED_TABLES", True)
    monkeypatch.setattr(KernelChoice, "tables_made", 0)

    def load(*asked: object, make_tables: bool) -> object:
        if not (tables or make_tables):
            return None
        loaded.append(asked)
        return teller

    monkeypatch.setattr(loading, "load_board_judge", load)
    for count in range(5):
        outcome = judge(starting_board(), OPENING)
        assert outcome.results["GERMANY"] == ["fails"]
        assert len(loaded) == (tables or count >= 2)
        assert outcome.engine == ("kernel" if loaded else "staged")
    for _ in range(5):
        judge(starting_board(), OPENING, rulebook=load_preset("1971"))
    assert len(loaded) == 2
    load_map().cache.pop(KernelChoice, None)


@pytest.mark.usefixtures("at_once_from_the_first")
def test_a_mutant_asks_no_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "load_board_judge", lambda *_, **__: pytest.fail("it was asked"))
    with make_faulty_judge(["MOVE without rivals"]) as broken:
        outcomes = broken.judge(starting_board(), OPENING), broken.judge_read(starting_board(), {}, load_rulebook())
    assert {outcome.engine for outcome in outcomes} == {"staged"}


@pytest.mark.usefixtures("at_once_from_the_first")
def test_a_kernel_that_fails_is_told_of_once_and_not_asked_again(
    teller: BoardJudge, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "_take_token", threading.Semaphore(1).acquire)  # another test may have told
    asked: list[object] = []

    def trapped(*_: object) -> None:
        asked.append(1)
        raise sandbox.SandboxError("wasm trap: unreachable")

    for _ in range(2):
        assert judge(starting_board(), OPENING).results["GERMANY"] == ["fails"]
    before, teller._call = teller._host, trapped  # type: ignore[assignment]
    for _ in range(4):
        assert judge(starting_board(), OPENING).results["GERMANY"] == ["fails"]
    assert len(asked) == 1
    assert teller._host is not before  # a new instance
    assert caplog.text.count("answers take longer") == 1


def test_while_one_thread_judges_another_one_does_so_at_length(teller: BoardJudge) -> None:
    board, orders = starting_board(), {"FRANCE": ["A PAR - BUR"]}
    assert teller.judge_board(board, orders) is not None
    with teller._lock:
        assert teller.judge_board(board, orders) is None
    assert teller.judge_board(board, orders) is not None


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("satjudge.bulk.wasm.boards._MOST_KEPT", 40)
    judge, rules = made(load_rulebook()), load_rulebook()
    for board, orders in drawn(40):
        assert_told_as_at_length(judge, rules, board, orders)
    assert len(judge._orders) < 42
    assert len(judge._spots) < 42


def test_the_kernel_is_for_maps_without_rules_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, there in (("1898", True), ("loeb9", False)):
        assert (loading.load_board_judge(load_map(name), load_rulebook()) is not None) == there
    assert loading.load_board_judge(load_map(), load_rulebook().with_settings(["4.A.7=never"])) is None
    monkeypatch.setattr(sandbox, "is_installed", lambda: False)
    assert loading.load_board_judge(load_map(), load_rulebook()) is None


# Legal orders.


@pytest.mark.parametrize("rules", preset_names())
def test_legal_orders_are_those_of_the_plain_path(rules: str) -> None:
    """In their order, as values and as texts, with no order given yet."""
    quick, rulebook = made(load_preset(rules)), load_preset(rules)
    for board, _ in drawn(30):
        expected = [list(unit_orders(board, unit, rulebook)) for unit in board.units]
        values, texts = quick.legal_values(board), quick.legal_texts(board)
        assert values == expected
        assert texts == [[*map(str, orders)] for orders in expected]


@pytest.mark.usefixtures("at_once_from_the_first")
def test_games_list_what_is_legal_by_the_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    random, lists = Random("legal orders at once"), list[object]()
    game = Game.new()
    while game.board.turn and game.board.turn.year < 1904:
        plainly = PhaseOrders(game.board, game.rulebook)
        with monkeypatch.context() as context:
            context.setattr(legal_orders_module, "legal_texts", lambda *_: None)
            context.setattr(legal_orders_module, "legal_values", lambda *_: None)
            expected, values = plainly.by_unit, legal_orders(game.board, game.rulebook)
        found = game.legal_orders()
        assert list(game.board.legal_orders(game.rulebook).items()) == list(expected.items())
        assert list(found.items()) == list(expected.items())
        assert legal_orders(game.board, game.rulebook) == values
        for power, names in game.orderable.items():
            assert [game.legal_orders(what) for what in names] == [expected[what] for what in names]
            game.set_orders(power, [random.choice(found[what]) for what in names])
        game.next()
        lists.append(found)
    assert len(lists) > 8


def test_a_board_that_the_kernel_does_not_know_is_listed_at_length(teller: BoardJudge) -> None:
    crowd = Board(tuple(Unit("FRANCE", UnitKind.ARMY, code) for code in sorted(load_map().army)), map=load_map())
    for board in (Board((Unit("FRANCE", UnitKind.ARMY, "PAR"), Unit("ITALY", UnitKind.FLEET, "PAR"))), crowd):
        assert teller.legal_texts(board) is None or len(board.units) <= MOST_BOARD_UNITS
        assert teller.legal_values(board) is None or len(board.units) <= MOST_BOARD_UNITS


def test_facts_of_orders_that_a_table_file_numbers_are_not_taken_for_those_of_others() -> None:
    supply = make_supply(load_map(), load_preset("datc-3"))
    assert supply
    supply.whole, first = False, len(Vocabulary())
    supply.learn([(ALIASES, first << 19), (ALIASES, 5 << 19)], [(OF_ORDERS, "F STP - NWY")])  # it gets that number
    learner = supply._learner
    assert learner
    assert str(learner.facts.orders[first]) == "F STP - NWY"
    assert learner.facts.aliases.find(first << 19) is None
    assert learner.facts.aliases.find(5 << 19) is not None
