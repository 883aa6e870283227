"""What agents that learn get: phases a second of random play, by arrays, by each interface, and by the package `diplomacy`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from importlib.util import find_spec
from random import Random

import diplomacy_package
from measuring import Effort, Figure, spread

from satjudge.bulk.games import Games
from satjudge.env.deepmind import DiplomacyState

SECTION = "environments"
LAST = 1903
"""The last year that a game is played."""
PACKAGE = "diplomacy, its own Game"
TARGET = 25_000
"""Phases a second of one core that many games at once must reach: 50,000 on two."""


def env(effort: Effort) -> Iterator[Figure]:
    """Phases a second of one core, drawing included; contestants take turns, each after a game to warm up."""
    players = contestants(effort)
    rates: dict[str, list[float]] = {name: [] for name in players}
    for turn in range(effort.rounds + 1):
        for name, play in players.items():
            began = time.process_time()
            phases = play(effort.seed + turn)
            if turn:
                rates[name].append(phases / (time.process_time() - began))
    for name, found in rates.items():
        target = TARGET if "1,000 games" in name else None
        yield Figure(SECTION, f"{name}: phases a second", "", spread(found), target, at_least=True)
        if name != PACKAGE and PACKAGE in rates:
            ratios = [ours / theirs for ours, theirs in zip(found, rates[PACKAGE], strict=True)]
            yield Figure(SECTION, f"{name}: times as many as diplomacy", "×", spread(ratios))


def contestants(effort: Effort) -> Mapping[str, Callable[[int], int]]:
    """All that play, by name: each plays by a seed, and returns how many phases it played."""
    many = 10 * effort.boards
    games = {1: Games(1, last_year=LAST), many: Games(many, last_year=LAST)}
    few = max(1, effort.boards // 20)
    found: dict[str, Callable[[int], int]] = {
        f"arrays, {count:,} games at a time": lambda seed, some=some: _arrays(some)  # type: ignore[misc]
        for count, some in games.items()
    }
    found["DeepMind's protocol"] = lambda seed: sum(_deepmind(seed + 1000 * game) for game in range(few))
    if find_spec("pettingzoo"):
        found["PettingZoo"] = lambda seed: sum(_pettingzoo(seed + 1000 * game) for game in range(few))
    if diplomacy_package.installed():
        found[PACKAGE] = lambda seed: sum(_package(seed + 1000 * game) for game in range(few))
    return found


def _arrays(games: Games) -> int:
    games.reset()
    phases = 0
    while not games.over.all():
        phases += int((~games.over).sum())
        games.step(games.draw())
    return phases


def _deepmind(seed: int) -> int:
    """An observation, the legal actions of all, one action for each unit."""
    random, state, phases = Random(seed), DiplomacyState(last_year=LAST), 0
    while not state.is_terminal():
        state.observation()
        chosen = []
        for actions in state.legal_actions():
            by_place: dict[int, list[int]] = {}
            for action in actions:
                by_place.setdefault(action >> 8 & 255, []).append(action)
            chosen.append([random.choice(some) for some in by_place.values()])
        state.step(chosen)
        phases += 1
    return phases


def _pettingzoo(seed: int) -> int:
    """Observations of all agents, and an action drawn for each by its mask."""
    from satjudge.env.parallel import DiplomacyEnv

    env, phases = DiplomacyEnv(last_year=LAST), 0
    observations, _ = env.reset(seed=seed)
    for agent in env.possible_agents:
        env.action_space(agent).seed(seed)
    while env.agents:
        actions = {agent: env.action_space(agent).sample(observations[agent]["action_mask"]) for agent in env.agents}
        observations, *_ = env.step(actions)
        phases += 1
    return phases


def _package(seed: int) -> int:
    """The lists of possible orders, one of each unit, and its own judge: the least that any environment over it does."""
    from diplomacy import Game

    random, game, phases = Random(seed), Game(), 0
    while not game.is_game_done and int(game.get_current_phase()[1:5]) <= LAST:
        possible = game.get_all_possible_orders()
        for power, places in game.get_orderable_locations().items():
            game.set_orders(power, [random.choice(possible[place]) for place in places if possible[place]])
        game.process()
        phases += 1
    return phases
