"""The kernel lists what is legal, and goes on to the next phase, as the plain path does, byte for byte."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import chain, product
from random import Random
from typing import Any

import msgspec
import pytest
from helpers.kit_lines import kit_lines

from satjudge.apps.serve.questions import Legal, describe_phase
from satjudge.bulk.batch import Settings, answer_line
from satjudge.bulk.kernel.memory import NEVER, NONE, PLAINLY
from satjudge.bulk.tables.learner import _list_impossible_moves
from satjudge.bulk.tables.order_facts import OrderFacts, helped_unit
from satjudge.bulk.vocabulary import Vocabulary
from satjudge.bulk.wasm.lines import LineAnswerer, LineQuestion
from satjudge.bulk.wasm.loading import make_supply
from satjudge.files.batch_lines import Request, RequestReader, read_request
from satjudge.game.game import Game
from satjudge.judging.legality import judge_orders_alone
from satjudge.notation.parse import parse_unit
from satjudge.world.board import Board, Phase, Season, Turn, group_pairs
from satjudge.world.geography import load_map
from satjudge.world.orders import Convoy, Move, MovementOrder, SupportHold, SupportMove
from satjudge.world.rules import load_preset, preset_names

MAP = load_map()


@cache
def answerer(rules: str) -> LineAnswerer:
    """Answer by the tables that come with satjudge, and learn nothing."""
    found = make_supply(MAP, load_preset(rules))
    assert found is not None
    return LineAnswerer(found, learn_after=1_000_000)


def played(rules: str, seed: int, last_year: int) -> Iterator[Game]:
    """A game in each of its phases, with random legal orders, some left out, or too many in Winter."""
    random, game = Random(f"play lines {seed}"), Game.new("standard", rules)
    while not game.is_over and game.board.turn and game.board.turn.year < last_year:
        legal = game.legal_orders()
        for power, names in game.orderable.items():
            game.set_orders(
                power, [random.choice(legal[name]) for name in random.sample(names, len(names)) if random.random() < 0.9]
            )
        yield game
        game.next()


def line_of(game: Game, **more: Any) -> bytes:  # noqa: ANN401
    told: dict[str, Any] = msgspec.to_builtins(describe_phase(game.board, game.rulebook))
    return msgspec.json.encode(told | more | {"orders": game.orders})


def next_of(line: bytes, game: Game, victory: int | None = None) -> bytes:
    """What the plain path says of the next phase."""
    request = msgspec.json.decode(line)
    of_batch = {"movement": (), "retreat": ("dislodged",), "adjustment": ("centers",)}[game.board.phase]
    judged = {key: request[key] for key in ("id", "units", "orders", *of_batch) if key in request}
    answer = msgspec.Raw(
        answer_line(msgspec.json.encode(judged | {"phase": game.board.phase}), Settings(rules=game.rulebook.name))
    )
    after = Game.from_phases([(game.board, game.orders)], game.rulebook, victory=victory)
    after.next()
    ended = str(after.ending) if after.ending else None
    return msgspec.json.encode({"judged": answer, "next": describe_phase(after.board, game.rulebook), "ended": ended})


@pytest.mark.parametrize("rules", preset_names())
def test_games_go_on_as_they_do_plainly(rules: str) -> None:
    phases = set()
    for game in chain.from_iterable(played(rules, seed, 1908) for seed in range(4)):
        line = line_of(game)
        assert answerer(rules).answer(line, LineQuestion.NEXT_PHASE) == next_of(line, game)
        phases.add(game.board.phase)
    assert phases == {*Phase}


@pytest.mark.parametrize("rules", preset_names())
def test_what_is_legal_is_what_the_plain_path_lists(rules: str) -> None:
    for game in played(rules, 2, 1905):
        line = line_of(game)
        assert answerer(rules).answer(line, LineQuestion.LEGAL_ORDERS) == read_request(line, Legal).answer().content
        what = Random(line).choice([name for names in game.orderable.values() for name in names])
        line = line_of(game, of=what)
        assert answerer(rules).answer(line, LineQuestion.LEGAL_ORDERS) == read_request(line, Legal).answer().content


def test_a_game_ends_with_so_many_centres() -> None:
    ended = set()
    for game in played("datc-3", 3, 1909):
        for victory in (3, 5, 7):
            line = line_of(game, id="so many", victory=victory)
            answer = answerer("datc-3").answer(line, LineQuestion.NEXT_PHASE)
            assert answer == next_of(line, game, victory)
            ended.add(msgspec.json.decode(answer)["ended"])
    assert len(ended) > 1


def test_an_adjustment_that_comes_next_says_so_where_nobody_owns_a_centre() -> None:
    board = Board((parse_unit("A BUR", "FRANCE", MAP),), turn=Turn(1901, Season.FALL), map=MAP)
    game = Game.new(MAP, board=board)
    line = line_of(game)
    answer = answerer("datc-3").answer(line, LineQuestion.NEXT_PHASE)
    assert answer == next_of(line, game)
    following = msgspec.json.decode(answer)["next"]
    assert (following["phase"], following["centers"]) == ("W1901A", {})
    assert answerer("datc-3").answer(msgspec.json.encode(following), LineQuestion.NEXT_PHASE)


def test_positions_of_the_kit_have_the_same_orders() -> None:
    """Whatever their phase; what is left is a power that the map does not know, or a position that cannot be."""
    left = 0
    lines = [line for line in kit_lines() if b'"expected' not in line][::3]
    for line in lines:
        row = {key: value for key, value in msgspec.json.decode(line).items() if key in Request.__struct_fields__}
        line = msgspec.json.encode(row | {"orders": {}})
        found = answerer("datc-3").answer(line, LineQuestion.LEGAL_ORDERS)
        left += found is None
        asked = {key: value for key, value in row.items() if key != "id"}
        if found is not None:
            whole = msgspec.json.decode(found)
            assert whole.pop("id", None) == row.get("id")
            assert (
                msgspec.json.encode(whole) == read_request(msgspec.json.encode(asked | {"orders": {}}), Legal).answer().content
            )
    assert left < len(lines) // 10


def test_orders_come_in_full() -> None:
    for line in kit_lines()[::3]:
        row = msgspec.json.decode(line)
        found = answerer("datc-3").answer(line, LineQuestion.ORDERS_IN_FULL)
        if found is None or row.get("phase", "movement") != "movement":
            continue
        reader = RequestReader(read_request(line, Request))
        board, rules = reader.board(), load_preset("datc-3")
        expected = {}
        for power, orders in reader.orders().items():
            entries = judge_orders_alone(board, power, orders, rules)
            texts = row["orders"][reader.spelling[power]]
            pairs = zip(entries, texts, strict=True)
            expected[reader.spelling[power]] = [str(one.legal) if one.legal else text for one, text in pairs]
        assert msgspec.json.decode(found)["orders"] == expected


def test_what_cannot_be_is_left() -> None:
    for left in (
        b'{"units":{"FRANCE":["A PAR","F PAR"]}}',  # two in one province
        b'{"units":{"ATLANTIS":["A PAR"]}}',
        b'{"units":{"FRANCE":["A PAR"]},"of":"A MUN"}',
        b'{"units":{"FRANCE":["A PAR"]},"rules":"2023"}',
        b'{"units":{"FRANCE":["A PAR"]},"phase":"X1901M"}',
        b'{"units":{"FRANCE":["A PAR"]},"phase":"S190123M"}',
        b'{"units":{"FRANCE":["A PAR"]},"phase":"S',
        b'{"units":{"FRANCE":["A PAR"]},"victory":0}',
        b'{"units":{"FRANCE":["A PAR"]},"centers":{"FRANCE":["BUR"]}}',
    ):
        assert answerer("datc-3").answer(left, LineQuestion.LEGAL_ORDERS) is None, left
        assert answerer("datc-3").answer(left, LineQuestion.NEXT_PHASE) is None or b'"of"' in left, left
    assert answerer("datc-3").answer(b'{"units":{"FRANCE":["A PAR"]},"phase":"S1901M"}') is None  # no line of a batch


# Orders that nobody could carry out.


def strange_orders() -> Iterator[MovementOrder]:
    """Moves, supports and convoys between any units and places, most of which nobody could carry out."""
    vocabulary, random = Vocabulary(), Random("strange orders")
    units, places = vocabulary.units, vocabulary.locations
    for unit in units:
        for place in random.sample(places, 12):
            yield Move(unit, place, via_convoy=random.random() < 0.2)
        for other in random.sample(units, 12):
            yield SupportHold(unit, other)
            yield SupportMove(unit, other, random.choice(places))
            yield Convoy(unit, other, random.choice(places))


def lines_of(orders: Iterator[MovementOrder]) -> Iterator[bytes]:
    """Lines with a strange order each, to the units that it names or to others, among fleets that could convoy."""
    random = Random("lines of strange orders")
    for order in orders:
        helped = helped_unit(order)
        units = {"FRANCE": [str(order.unit)]}
        if helped and helped.province != order.unit.province and random.random() < 0.9:
            units.setdefault(random.choice(["FRANCE", "ITALY"]), []).append(str(helped))
        taken = {order.unit.province, helped.province if helped else ""}
        units["TURKEY"] = [f"F {sea}" for sea in ("NTH", "ENG", "MAO", "WES", "ION", "AEG", "BLA") if sea not in taken]
        yield msgspec.json.encode({"units": units, "orders": {"FRANCE": [str(order)]}})


@pytest.mark.parametrize("rules", preset_names())
def test_orders_that_nobody_could_carry_out_are_judged(rules: str) -> None:
    lines = [*lines_of(strange_orders())][:: 1 if rules == "datc-3" else 7]
    left = []
    for line in lines:
        found = answerer(rules).answer(line)
        assert found in (None, answer_line(line, Settings(rules=rules))), line
        left += [line] if found is None else []
    assert len(left) < len(lines) // 20, (len(left), len(lines), left[:5])


@pytest.mark.parametrize(
    "rules", [pytest.param(name, marks=[pytest.mark.slow] * (name not in ("datc-3", "1971"))) for name in preset_names()]
)
def test_orders_that_nobody_could_carry_out_are_judged_after_something_was_learnt(rules: str) -> None:
    supply = make_supply(MAP, load_preset(rules))
    assert supply is not None
    ours = LineAnswerer(supply, learn_after=0)
    before = supply.tables
    assert ours.answer(msgspec.json.encode({"units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A Paris - Burgundy"]}}))
    assert supply.tables is not before
    lines, ours.learn_after = [*lines_of(strange_orders())][::3], 1_000_000
    left = []
    for line in lines:
        found = ours.answer(line)
        assert found in (None, answer_line(line, Settings(rules=rules))), line
        left += [line] if found is None else []
    assert len(left) < len(lines) // 20, (len(left), len(lines), left[:5])


@pytest.mark.parametrize("rules", ["datc-3", "1971"])
def test_whether_impossible_moves_count_is_known_of_all(rules: str) -> None:
    known = OrderFacts(Vocabulary(), load_preset(rules))
    found = _list_impossible_moves(known)
    for (unit, named), (place, code) in product(enumerate(known.vocabulary.units), enumerate(known.vocabulary.provinces)):
        assert (found[unit, place] == PLAINLY) == (Move(named, code) in known.vocabulary.order_numbers)


@pytest.mark.parametrize("rules", preset_names())
def test_no_rulebook_has_units_help_where_nobody_is(rules: str) -> None:
    known = OrderFacts(Vocabulary(), load_preset(rules))
    for number in range(0, known.vocabulary.first_order[-1], 1 if rules == "datc-3" else 9):
        order = known.vocabulary.orders[number]
        if helped_unit(order):
            unit = known.vocabulary.unit_numbers[order.unit]  # type: ignore[union-attr]
            assert known._judge_helping_order(order, unit, NONE, is_own=False) == (NEVER, NONE, False)


def test_units_may_be_called_otherwise() -> None:
    """By the wrong kind or coast, or by their place alone (DATC 4.B.5, 4.C.1, 4.C.2), also in what nobody could carry out."""
    units = {"FRANCE": ["F BRE", "A PAR"], "RUSSIA": ["F STP/NC", "A MOS"]}
    texts = (
        *(
            "A BRE - ENG",
            "BRE - MAO",
            "A BRE - MOS",
            "BRE H",
            "BRE S PAR",
            "PAR S BRE - PIC",
            "F PAR S F BRE - PIC",
            "PAR - BUR",
        ),
        *("A BRE S F PAR - GAS", "PAR S STP/SC - LVN", "F BRE - SPA/NC", "BRE - SPA/SC", "BRE C PAR - LON", "PAR - MUN VIA"),
        *("F STP - NWY", "F STP/SC - BAR", "A STP - LVN", "STP - MOS", "MOS S F STP/SC - LVN", "A MOS S A STP - LVN"),
    )
    for first, second in product(texts, texts):
        orders = {"FRANCE": [first], "RUSSIA": [second]}
        line = msgspec.json.encode({"units": units, "orders": orders})
        assert answerer("datc-3").answer(line) == answer_line(line), line
    several = msgspec.json.encode({"units": units, "orders": {"FRANCE": ["BRE - ENG", "A BRE - PIC"]}})
    assert answerer("datc-3").answer(several) in (None, answer_line(several))


@pytest.mark.parametrize("name", [",ANK", "ANK,", "ank", "Ankara"])
def test_a_name_that_is_known_of_a_centre_means_in_an_order_what_it_means_there(name: str) -> None:
    """By itself a place may be written in ways that no order may have, such as `,ANK`."""
    supply = make_supply(MAP, load_preset("datc-3"))
    assert supply is not None
    ours = LineAnswerer(supply, learn_after=0)
    winter = {"phase": "adjustment", "units": {}, "centers": {"FRANCE": [name, "SPANC"]}}
    assert ours.answer(msgspec.json.encode(winter))
    units = {"FRANCE": ["A ANK", "A SMY", "F GAS"]}
    orders = (f"A {name} H", f"A {name} - BUL", f"A {name} S A SMY - ARM", f"A SMY S A {name} - CON", f"A SMY - {name}")
    for text in (*orders, "F GAS - SPANC", "A ANK - SPANC"):
        line = msgspec.json.encode({"units": units, "orders": {"FRANCE": [text]}})
        assert ours.answer(line) in (None, answer_line(line))


@pytest.mark.parametrize("rules", preset_names())
def test_the_same_impossible_order_twice_is_the_same(rules: str) -> None:
    for orders in product(["A PAR - BEL", "A PAR - MOS", "A PAR - BUR", "A PAR - NAP VIA"], repeat=2):
        line = msgspec.json.encode({"units": {"FRANCE": ["A PAR", "A MAR"]}, "orders": {"FRANCE": [*orders, "A MAR S A PAR"]}})
        assert answerer(rules).answer(line) == answer_line(line, Settings(rules=rules)), line


def by_lines_alone(line: dict[str, Any], orders: Any, rules: str) -> dict[str, Any]:  # noqa: ANN401
    found = answerer(rules).answer(msgspec.json.encode(line | {"orders": orders}))
    assert found is not None, line
    told: dict[str, Any] = msgspec.json.decode(found)
    return told


@pytest.mark.parametrize("rules", ["datc-3", "1971"])
def test_a_host_goes_through_games_by_answers_to_lines_alone(rules: str) -> None:
    """What an answer says of units and of the dislodged is the next line; only who owns a centre after Fall the host enters."""
    phases = set()
    for seed in range(3):
        units: Any = None
        lost: Any = {}
        owners = dict(Game.new().board.centers)
        for game in played(rules, seed, 1906):
            told: dict[str, Any] = msgspec.to_builtins(describe_phase(game.board, game.rulebook))
            units = units if units is not None else told["units"]
            assert {power: sorted(some) for power, some in units.items()} == {
                power: sorted(some) for power, some in told["units"].items()
            }
            line = {"units": units}
            if game.board.phase is Phase.RETREAT:
                line |= {"phase": "retreat", "dislodged": lost}
            if game.board.phase is Phase.ADJUSTMENT:
                line |= {"phase": "adjustment", "centers": group_pairs((power, code) for code, power in owners.items())}
            answer = by_lines_alone(line, game.orders, rules)
            units, lost = answer["units"], answer.get("dislodged", {})
            phases.add(game.board.phase)
            ends_fall = game.board.turn and game.board.turn.season is Season.FALL and game.board.phase is not Phase.ADJUSTMENT
            if ends_fall and not any(ways for of in lost.values() for ways in of.values()):
                owners |= {unit[2:5]: power for power, some in units.items() for unit in some if unit[2:5] in MAP.centers}
    assert phases == set(Phase)
