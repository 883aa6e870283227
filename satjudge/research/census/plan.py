"""What a census is of."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from random import Random

import msgspec

from satjudge.board import Board
from satjudge.geography import Power
from satjudge.orders import MovementOrder
from satjudge.research.boards import MIX, SIZES, Flavour, random_board
from satjudge.rules import DEFAULT_RULES, Rulebook, load_rulebook, preset_names

COMPARE_EVERY = 10

Orders = Mapping[Power, Sequence[MovementOrder]]


@dataclass(frozen=True)
class Plan:
    """What a census is of: everything that its result depends on, save the number of boards."""

    seed: int = 1
    units: tuple[int, int] | None = None
    """How many units a board has, from and to; None for a mix of sizes."""
    powers: int = 7
    """A board has units of two to so many powers (of one, if one)."""
    dense_convoys: bool = False
    """Whether all boards are tangles of convoys; otherwise they are of all flavours."""
    rules: str = DEFAULT_RULES
    """The rulebook that judges: a preset or a TOML file."""
    settings: tuple[str, ...] = ()
    """Issues settled otherwise, `4.A.2=all-hold`."""
    compare_every: int = COMPARE_EVERY
    """All preset rulebooks judge every so many boards (0: none), the first among them."""

    @cached_property
    def rulebook(self) -> Rulebook:
        """The rulebook that judges. Raises `RulebookError`."""
        return load_rulebook(self.rules).with_settings(self.settings)

    def draw(self, index: int) -> tuple[Flavour, Board, Orders]:
        """Board `index` with its orders."""
        random = Random(f"{self.seed}:{index}")
        flavour = Flavour.CONVOYS if self.dense_convoys else random.choice(MIX)
        units = self.units or random.choice(SIZES)
        return flavour, *random_board(random, flavour, units, self.powers)

    def compares(self, index: int) -> bool:
        """Whether all rulebooks judge this board."""
        return bool(self.compare_every) and index % self.compare_every == 0

    def described(self) -> dict[str, object]:
        """The plan as plain data, rulebooks spelled out: two censuses of the same description count the same boards alike."""
        rulebooks = [load_rulebook(name).settings() for name in presets()]
        return {
            "seed": self.seed,
            "units": list(self.units) if self.units else None,
            "powers": self.powers,
            "dense_convoys": self.dense_convoys,
            "rules": self.rulebook.name,
            "settings": self.rulebook.settings(),
            "compare_every": self.compare_every,
            "presets": hashlib.sha256(msgspec.json.encode(rulebooks, order="deterministic")).hexdigest()[:16],
        }


@cache
def presets() -> tuple[str, ...]:
    """The names of the rulebooks that judge where all do."""
    return tuple(preset_names())
