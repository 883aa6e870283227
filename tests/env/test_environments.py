"""Agents play by DeepMind's protocol and by PettingZoo's interface what `Game` plays."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from importlib import import_module
from random import Random
from types import ModuleType

import numpy
import pytest

from satjudge.base.errors import InputError
from satjudge.bulk.games import Games
from satjudge.bulk.vocabulary import KINDS, Vocabulary
from satjudge.env.deepmind import _KEPT, DiplomacyState, Numbering, Season, begin_game
from satjudge.world.orders import Move, SupportHold

ACTIONS = "7119905c9e9e5ada690028961d5ba3d7aa2842458eaa05fd7f391d26ba122551"
"""The digest of DeepMind's `POSSIBLE_ACTIONS` as little-endian numbers of 64 bits."""
LAND, STP, STP_NC, STP_SC = 24, 78, 79, 80


@pytest.fixture(scope="module")
def numbering() -> Numbering:
    return Numbering(Vocabulary())


# DeepMind's numbers.


def test_actions_are_those_of_deepmind(numbering: Numbering) -> None:
    assert len(numbering.actions) == 18_584
    assert sha256(numbering.actions.astype("<i8").tobytes()).hexdigest() == ACTIONS
    assert (len(numbering.provinces), len(numbering.areas)) == (75, 81)
    assert numbering.areas[72:] == ("BUL", "BUL/EC", "BUL/SC", "SPA", "SPA/NC", "SPA/SC", "STP", "STP/NC", "STP/SC")


def test_an_action_says_what_its_order_says(numbering: Numbering) -> None:
    """As DeepMind's README has it: kind, province, target, third province, and the number of the action."""
    vocabulary = numbering.vocabulary
    for text, bits in (
        ("F MAO - SPA/SC", (4, "MAO", 0, "SPA", 1, None)),
        ("A PAR S A MAR - BUR", (6, "PAR", 0, "BUR", 0, "MAR")),
        ("F ENG C A LON - BRE", (2, "ENG", 0, "BRE", 0, "LON")),
        ("A LON - BRE VIA", (1, "LON", 0, "BRE", 0, None)),
    ):
        action = int(numbering.actions_by_order[vocabulary.order(text)])
        kind, own, coast, target, other_coast, third = bits
        names = [numbering.provinces[action >> first & 127] for first in (9, 17, 25)]
        assert (action & 255, action >> 8 & 1, action >> 16 & 1) == (kind, coast, other_coast)
        assert names[: 3 if third else 2] == [own, target, third][: 3 if third else 2]
        assert numbering.actions[action >> 48] == action


# Observations.


def test_a_board_says_where_units_stand(numbering: Numbering) -> None:
    board = numbering.encode_boards(Games(1))[0]
    assert board.shape == (81, 35)
    russia = numbering.vocabulary.powers.index("RUSSIA")
    for area, fleet in ((STP, 1), (STP_SC, 1), (STP_NC, 0)):
        assert board[area, :3].tolist() == [0, fleet, 1 - fleet]
        assert board[area, 3 + russia] == fleet
        assert board[area, 27 + russia] == 1  # the owner of the centre, on all its areas
    assert board[[STP, STP_NC, numbering.area_numbers["NTH"]], LAND : LAND + 3].tolist() == [[1, 0, 0], [0, 0, 1], [0, 1, 0]]
    assert board[:, :3].sum() == board[:, 13:16].sum() == board[:, 3:11].sum() == board[:, 16:24].sum() == 81
    assert board[numbering.area_numbers["BEL"], 34] == 1  # a centre of nobody
    assert board[numbering.area_numbers["BUR"], 27:].sum() == 0


def test_games_are_played_to_their_end() -> None:
    random = Random(1)
    state, seasons = DiplomacyState(last_year=1903), set()
    before: list[int] = []
    while not state.is_terminal():
        seen, legal = state.observation(), state.legal_actions()
        seasons.add(seen.season)
        assert seen.last_actions == before
        assert not state.returns().any()
        if seen.season.is_builds():
            assert (seen.build_numbers == state.games.due[0]).all()
            for power, due in enumerate(seen.build_numbers.tolist()):
                kinds = {action & 255 for action in legal[power]}
                assert kinds <= ({10, 11, 13} if due > 0 else {12} if due < 0 else set())
                assert bool(kinds) == bool(due)
        else:
            assert (seen.build_numbers <= 0).all()
        actions = [random.sample(of, min(len(of), 12)) for of in legal]
        before = [action for of in actions for action in of]
        state.step(actions)
    assert seasons >= {Season.SPRING_MOVES, Season.AUTUMN_MOVES, Season.BUILDS}
    assert state.returns().sum() == pytest.approx(1)


def test_what_is_not_legal_is_no_order() -> None:
    state = DiplomacyState()
    first = [of[0] for of in state.legal_actions()]
    state.step([[first[1], 0], *([] for _ in range(6))])
    assert state.games.name_of(0) == "F1901M"


def test_the_numbers_of_others_are_taken() -> None:
    """With DeepMind's own module observations are its tuples."""

    class Utils:
        Season, Observation = int, staticmethod(lambda *of: ("theirs", *of))

    seen: tuple[object, ...] = DiplomacyState(utils=Utils).observation()
    assert seen[:2] == ("theirs", 0)


# Many games, one after the other.


def test_games_share_what_was_worked_out_but_not_where_they_stand() -> None:
    one, other = DiplomacyState(last_year=1901), DiplomacyState("datc-3")
    assert DiplomacyState().numbering is one.numbering
    assert DiplomacyState("datc-2").games.judge is not one.games.judge
    one.step([[] for _ in range(7)])
    assert (one.games.name_of(0), other.games.name_of(0)) == ("F1901M", "S1901M")
    while not one.is_terminal():
        one.step([[] for _ in range(7)])
    assert not other.is_terminal()
    assert other.games.last_year is None


def test_each_thread_works_out_its_own() -> None:
    """What is learnt is not locked."""
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(DiplomacyState).result().games.judge is not DiplomacyState().games.judge


def test_few_rulebooks_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("satjudge.env.deepmind.MOST_KEPT", 2)

    def begin() -> None:
        for victory in (10, 11, 12):
            begin_game("standard", "datc-3", victory=victory)
        assert len(_KEPT.like) == 1

    with ThreadPoolExecutor(1) as pool:
        pool.submit(begin).result()


# PettingZoo.


@pytest.fixture(scope="module")
def parallel() -> ModuleType:
    pytest.importorskip("pettingzoo")
    return import_module("satjudge.env.parallel")


def test_pettingzoo_accepts_the_environment(parallel: ModuleType) -> None:
    from pettingzoo.test import parallel_api_test, parallel_seed_test  # type: ignore[import-untyped]

    parallel_api_test(parallel.DiplomacyEnv(last_year=1902), num_cycles=30)
    parallel_seed_test(lambda: parallel.DiplomacyEnv(last_year=1901), num_cycles=5)


def test_actions_are_drawn_as_gymnasium_draws_them(parallel: ModuleType) -> None:
    """The same ones by the same seed, some slots without a number that is allowed; what it refuses is refused."""
    from gymnasium.spaces import MultiDiscrete

    ours, theirs, random = parallel.Actions([9] * 5, seed=3), MultiDiscrete([9] * 5, seed=3), numpy.random.default_rng(3)
    for share in (0.0, 0.1, 0.2, 0.5, 1.0) * 20:
        mask = tuple((random.random((5, 9)) < share).astype(numpy.int8))
        assert ours.sample(mask).tolist() == theirs.sample(mask).tolist()
    assert ours.sample().tolist() == theirs.sample().tolist()
    for wrong in (mask[1:], tuple(2 * row for row in mask), tuple(row.astype(float) for row in mask), [*mask]):
        with pytest.raises(AssertionError):
            ours.sample(wrong)


def test_an_agent_orders_by_its_own_lists(parallel: ModuleType) -> None:
    env = parallel.DiplomacyEnv(last_year=1901)
    seen, told = env.reset(seed=1)
    assert told["FRANCE"] == {"phase": "S1901M"}
    assert all(env.observation_space(agent).contains(seen[agent]) for agent in env.agents)
    assert env.action_space("FRANCE").nvec.tolist() == [701] * 18
    texts = env.games.vocabulary.texts
    orders = seen["FRANCE"]["orders"]
    assert ((orders != -1) == numpy.stack(seen["FRANCE"]["action_mask"])[:, :] * (numpy.arange(701) > 0)).all()
    slot = next(slot for slot in range(3) if texts[orders[slot, 1]].startswith("A PAR"))
    number = [texts[order] for order in orders[slot] if order != -1].index("A PAR - BUR") + 1
    action = numpy.zeros(18, numpy.int64)
    action[slot] = number
    nothing = dict.fromkeys(env.agents, [0] * 18)
    seen, rewards, terminated, truncated, told = env.step(nothing | {"FRANCE": action})
    assert "A BUR" in map(str, env.games.board(0).units)
    assert not any([*rewards.values(), *terminated.values(), *truncated.values()])
    assert told["FRANCE"] == {"phase": "F1901M"}
    while env.agents:
        seen, rewards, terminated, truncated, told = env.step(nothing)
    assert sum(rewards.values()) == pytest.approx(1)
    assert all(truncated.values())
    assert not any(terminated.values())


def test_actions_outside_their_space_are_refused(parallel: ModuleType) -> None:
    env, none = parallel.DiplomacyEnv(last_year=1901), [0] * 18
    with pytest.raises(InputError, match=r"no game has begun \(call reset"):
        env.step({})
    env.reset()
    nothing = dict.fromkeys(env.agents, none)
    for wrong, said in (
        (nothing | {"FRANCE": [0, 0, -699, *none[3:]]}, "FRANCE has -699 in slot 2 (use a number from 0 to 700)"),
        (nothing | {"ITALY": numpy.full(18, 701)}, "the action of ITALY has 701 in slot 0"),
        (nothing | {"FRANCE": none[:3]}, "the action of FRANCE must be 18 whole numbers"),
        (nothing | {"FRANCE": numpy.zeros(18)}, "it is an array of float64 with the shape (18,)"),
        (nothing | {"FRANCH": none}, "'FRANCH' is not an agent: they are AUSTRIA, ENGLAND, FRANCE"),
        ({"AUSTRIA": none}, "'ENGLAND' has no action (give each agent 18 numbers; 0 means no order)"),
    ):
        with pytest.raises(InputError, match=re.escape(said)):
            env.step(wrong)
        assert env.games.name_of(0) == "S1901M"
    while env.agents:
        env.step(nothing)
    with pytest.raises(InputError, match="no game has begun"):  # the rewards are given once
        env.step(nothing)


# Orders by number.


def test_orders_are_looked_up_by_number(numbering: Numbering) -> None:
    vocabulary, columns = numbering.vocabulary, numbering.vocabulary.columns
    for text, kind, target in (("F MAO - SPA/SC", Move, "SPA/SC"), ("A PAR S A BUR", SupportHold, "BUR")):
        number = vocabulary.order(text)
        assert KINDS[columns.kind[number]] is kind
        assert vocabulary.locations[columns.target[number]] == target
        assert str(vocabulary.units[columns.unit[number]]) == text[: len(str(vocabulary.units[columns.unit[number]]))]
        assert vocabulary.provinces[columns.province[number]] == text.split()[1]
    assert all(len(column) == len(vocabulary) for column in columns)
    assert [column[-1] for column in columns] == [-1, KINDS.index(type(vocabulary.orders[-1])), -1, -1]


# Beside DiploBench's state, which is no part of the tests.


class History:
    def __init__(self, orders: dict[str, list[str]]) -> None:
        self.orders = orders

    def last_value(self) -> dict[str, list[str]]:
        return self.orders


class TheirGame:
    """The package's game after a phase: its orders, and where units stand then."""

    def __init__(self, orders: dict[str, list[str]], units: dict[str, list[str]]) -> None:
        self.order_history, self.units = History(orders), units

    def get_units(self) -> dict[str, list[str]]:
        return self.units


class Theirs:
    def __init__(self, game: TheirGame) -> None:
        self.game = game


def test_the_study_names_the_setting_by_which_positions_differ() -> None:
    import deepmind_states

    ours = DiplomacyState("datc-3")
    before = ours.games.board(0)
    units = {power: [str(unit) for unit in before.units if unit.power == power] for power in before.map.power_names}
    units["TURKEY"] = ["F ANK", "A BUL", "A SMY"]
    theirs = Theirs(TheirGame({"TURKEY": ["A CON - BUL VIA"]}, units))
    assert deepmind_states.cause_of(before, ours, theirs) == "4.A.3.fallback=unordered"
    units["TURKEY"] = ["F ANK", "A ARM", "A SMY"]
    assert deepmind_states.cause_of(before, ours, theirs) == deepmind_states.NOTHING
