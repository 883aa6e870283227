"""Plays with PettingZoo's parallel interface: all powers order at once, each from its own legal orders (extra `pettingzoo`).

>>> env = DiplomacyEnv(last_year=1901)
>>> observations, infos = env.reset(seed=1)
>>> observations, rewards, *_ = env.step({agent: env.action_space(agent).sample() for agent in env.agents})
>>> rewards["FRANCE"]
0.0
"""

from __future__ import annotations

from typing import Any

from satjudge.base.errors import InputError
from satjudge.base.imports import require_packages
from satjudge.world.rules import Rulebook

with require_packages("satjudge.env.parallel", "pettingzoo", "gymnasium", "numpy", "wasmtime"):
    import numpy
    from gymnasium import spaces
    from numpy.typing import NDArray
    from pettingzoo import ParallelEnv  # type: ignore[import-untyped]

    from satjudge.bulk.kernel.memory import NONE, Numbers
    from satjudge.env.deepmind import begin_game

Observations = dict[str, dict[str, Any]]


class Actions(spaces.MultiDiscrete):  # not a generic class before gymnasium 1.3
    """A space of actions that samples with a mask as gymnasium does, with the same random numbers, but all slots at once."""

    def sample(self, mask: tuple[Any, ...] | None = None, probability: tuple[Any, ...] | None = None) -> NDArray[Any]:
        """Return a random action: for each slot a number that the mask allows (None: any), all equally likely by default."""
        allowed: NDArray[Any] = numpy.array(mask if isinstance(mask, tuple) and probability is None else ())
        if allowed.dtype != numpy.int8 or allowed.shape != (len(self.nvec), self.nvec[0]) or (allowed & ~1).any():
            return super().sample(mask, probability)  # reports the fault, if there is one
        slots, numbers = numpy.nonzero(allowed)
        counts = numpy.bincount(slots, minlength=len(allowed))
        chosen = numpy.zeros_like(counts)
        for slot in numpy.flatnonzero(counts > 1).tolist():
            chosen[slot] = self.np_random.integers(0, counts[slot])
        has_choice = counts > 0
        found = self.start.copy()
        found[has_choice] += numbers[(numpy.cumsum(counts) - counts + chosen)[has_choice]]
        return found


class DiplomacyEnv(ParallelEnv[str, dict[str, Any], Any]):  # type: ignore[misc]  # it has no types
    """A game of Diplomacy in which every power is an agent.

    An action is a number for each slot of a power: slot k is the k-th unit or place that can be given an order, and number n is
    the n-th of that slot's legal orders; 0 means no order. `observation["orders"][k, n]` is that order by the vocabulary, or
    -1, and `observation["action_mask"][k]` marks the valid numbers. Numbers without an order count as 0. `most_orders` is the
    largest number; longer lists, which are extremely rare, are cut off.

    The winner's reward is 1; a draw, after `last_year`, is shared equally by all powers that own a centre. Raises the errors of
    `Games`.
    """

    metadata = {"name": "diplomacy_v0", "render_modes": []}  # noqa: RUF012  # as PettingZoo has it

    def __init__(
        self,
        map_name: str = "standard",
        rulebook: Rulebook | str | None = None,
        *,
        last_year: int | None = None,
        victory: int | None = None,
        most_orders: int = 700,
    ) -> None:
        self.games, self.numbering = begin_game(map_name, rulebook, last_year=last_year, victory=victory)
        self.render_mode = None
        self.possible_agents = list(self.games.vocabulary.powers)
        self.agents: list[str] = []
        self._slots, self._most = self.games.centres_to_win, most_orders
        action = [most_orders + 1] * self._slots
        self.action_spaces = {agent: Actions(action) for agent in self.possible_agents}
        self.observation_spaces = {agent: self._make_space() for agent in self.possible_agents}

    def _make_space(self) -> spaces.Dict:
        """Return the space of an agent's observations, with its action mask."""
        games, shape = self.games, (self._slots, self._most + 1)
        board = self.numbering.encode_boards(games)[0].shape
        centers = len(games.vocabulary.centers)
        return spaces.Dict(
            {
                "board": spaces.Box(0, 1, board, numpy.uint8),
                "action_mask": spaces.Tuple([spaces.MultiBinary(shape[1]) for _ in range(shape[0])]),
                "orders": spaces.Box(NONE, len(games.vocabulary) - 1, shape, numpy.int32),
                "build_numbers": spaces.Box(-centers, centers, (len(self.possible_agents),), numpy.int32),
            }
        )

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Actions:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, dict[str, Any]]]:
        """Begin a game and return each agent's observation and infos; the seed and the options have no effect."""
        self.games.reset()
        self.agents = list(self.possible_agents)
        return self._make_observations(), self._make_infos()

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[Observations, dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Carry out the agents' actions; return observations, rewards, terminations, truncations and infos by agent.

        Raises `InputError` if an agent has no action, or one outside its space, and then changes nothing.
        """
        numbers = self._check_actions(actions)
        order_array = numpy.full((1, self.games.columns), NONE, numpy.int32)
        orders, columns = self._list_orders()
        for power, unit_columns in enumerate(columns):
            slots = numpy.arange(len(unit_columns))
            order_array[0, unit_columns] = orders[power, slots, numbers[power, slots]]
        self.games.step(order_array)
        over, won = bool(self.games.over[0]), bool(self.games.winner[0] != NONE)
        seen, infos, agents = self._make_observations(), self._make_infos(), self.agents
        if over:
            self.agents = []
        rewards = dict(zip(self.possible_agents, self.games.returns[0].tolist(), strict=True))
        return seen, rewards, dict.fromkeys(agents, won), dict.fromkeys(agents, over and not won), infos

    def _check_actions(self, actions: dict[str, Any]) -> Numbers:
        """Return the actions as one array, agents × slots; raise `InputError` for missing, unknown or impossible actions."""
        if not self.agents:
            raise InputError("no game has begun", suggestion="call reset() to begin one")
        for agent in (*actions, *self.agents):
            if agent not in self.agents or agent not in actions:
                problem = "has no action" if agent in self.agents else f"is not an agent: they are {', '.join(self.agents)}"
                raise InputError(f"{agent!r} {problem}", suggestion=f"give each agent {self._slots} numbers; 0 means no order")
        found = []
        for agent in self.agents:
            action = numpy.asarray(actions[agent])
            if action.shape != (self._slots,) or action.dtype.kind not in "iu":
                kind = f"an array of {action.dtype} with the shape {action.shape}"
                raise InputError(f"the action of {agent} must be {self._slots} whole numbers, but it is {kind}")
            if len(wrong := numpy.flatnonzero((action < 0) | (action > self._most))):
                problem = f"the action of {agent} has {action[wrong[0]]} in slot {wrong[0]}"
                raise InputError(problem, suggestion=f"use a number from 0 to {self._most}")
            found.append(action)
        return numpy.array(found, numpy.int64)

    def _list_orders(self) -> tuple[Numbers, list[list[int]]]:
        """Return the order numbers of each slot, in an array of powers × slots × numbers, and each power's slots' columns."""
        slots = self.games.legal()
        orders = numpy.full((len(self.possible_agents), self._slots, self._most + 1), NONE, numpy.int32)
        columns: list[list[int]] = [[] for _ in self.possible_agents]
        for slot in range(len(slots.game)):
            power = int(slots.power[slot])
            if len(columns[power]) < self._slots:
                legal = slots.orders[slots.first[slot] : slots.first[slot + 1]][: self._most]
                orders[power, len(columns[power]), 1 : 1 + len(legal)] = legal
                columns[power].append(int(slots.column[slot]))
        return orders, columns

    def _make_observations(self) -> Observations:
        board, (orders, _) = self.numbering.encode_boards(self.games)[0], self._list_orders()
        masks = (orders != NONE).astype(numpy.int8)
        masks[:, :, 0] = 1
        return {
            agent: {
                "board": board.copy(),
                "action_mask": tuple(masks[power]),
                "orders": orders[power],
                "build_numbers": self.games.due[0].copy(),
            }
            for power, agent in enumerate(self.possible_agents)
            if agent in self.agents
        }

    def _make_infos(self) -> dict[str, dict[str, Any]]:
        return {agent: {"phase": self.games.name_of(0)} for agent in self.agents}
