"""Whole games by random legal orders, phase by phase: `Game`, the drop-in and the package `diplomacy`, in comparison."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import diplomacy_package
from measuring import Effort, Figure, spread
from self_play_program import PLAYERS

SECTION = "self-play"
PROGRAM = Path(__file__).with_name("self_play_program.py")
PACKAGE = "diplomacy"
GAMES = 20
TARGETS = {"kernel": 0.5}
"""The most milliseconds for a phase of `Game`, by who judges it."""
TIMES = 7
"""How many times as fast as the package `diplomacy` `Game` is to be."""


class Player:
    """A contestant in a process of its own, which keeps what it has worked out from game to game."""

    def __init__(self, name: str, open_until: ExitStack) -> None:
        command = [sys.executable, str(PROGRAM), name]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        open_until.enter_context(self._process)
        self.first = float(self._read())
        """The seconds of the processor that the first phase of the process took."""

    def play(self, seed: int) -> list[float]:
        """Play a game, and return the seconds of the processor that each phase took."""
        assert self._process.stdin
        self._process.stdin.write(f"{seed}\n")
        self._process.stdin.flush()
        return list(self._read())

    def _read(self) -> Any:  # noqa: ANN401
        assert self._process.stdout
        return json.loads(self._process.stdout.readline())


def self_play(effort: Effort) -> Iterator[Figure]:
    """How long a phase takes, the longest one, and the first of a process; contestants take turns game by game."""
    names = [name for name in PLAYERS if is_among_us(name)]
    with ExitStack() as open_until:
        players = {name: Player(name, open_until) for name in names}
        games: dict[str, list[list[float]]] = {name: [] for name in names}
        for seed in range(effort.seed, effort.seed + min(GAMES, 1 + effort.boards // 2)):
            for name, player in players.items():
                games[name].append(player.play(seed))
    each = {name: [sum(game) / len(game) for game in some] for name, some in games.items()}
    for name, player in players.items():
        yield from _told(name, player.first, games[name], each)


def is_among_us(name: str) -> bool:
    """Return whether a contestant's requirements are installed."""
    return name != PACKAGE or bool(diplomacy_package.installed())


def _told(name: str, first: float, games: Sequence[Sequence[float]], each: dict[str, list[float]]) -> Iterator[Figure]:
    """The figures of a contestant; `each` has what a phase took on average, game by game."""
    target = TARGETS.get(name.rpartition(" ")[2])
    note = f"{sum(map(len, games)):,} phases of {len(games)} games"
    yield Figure(SECTION, f"{name}: a phase", "ms", spread(each[name]).times(1e3), target, note=note)
    yield Figure(SECTION, f"{name}: the longest phase", "ms", spread([max(map(max, games))]).times(1e3), target and 20)
    yield Figure(SECTION, f"{name}: the first phase", "ms", spread([first]).times(1e3), target and 20)
    if name != PACKAGE and PACKAGE in each:
        ratios = [theirs / ours for theirs, ours in zip(each[PACKAGE], each[name], strict=True)]
        goal = TIMES if name.endswith("kernel") else None
        yield Figure(
            SECTION, f"{name}: times as fast as diplomacy", "×", spread(ratios), goal, at_least=True, note="game by game"
        )
