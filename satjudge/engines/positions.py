"""Holds the positions that a campaign compares, of any phase: drawn at random, or listed in files."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random
from typing import Any, TypeAlias

import msgspec

from satjudge.base.errors import RequestError
from satjudge.base.words import brief
from satjudge.bulk.boards import MIX, SIZES, Flavour, random_board
from satjudge.engines.later_phases import random_later_phase
from satjudge.files.batch_lines import Request, RequestReader, position_keys, read_request
from satjudge.judging.position import Position
from satjudge.world.board import Board, Phase, by_power
from satjudge.world.geography import Map, Power, load_map
from satjudge.world.orders import AdjustmentOrder, Move, MovementOrder, Order, Permission, RetreatOrder, Unreadable

PhaseOrder: TypeAlias = MovementOrder | RetreatOrder | AdjustmentOrder
"""An order that engines are asked about."""
_ORDERS_OF: Mapping[Phase, Any] = {
    Phase.MOVEMENT: MovementOrder,
    Phase.RETREAT: RetreatOrder,
    Phase.ADJUSTMENT: AdjustmentOrder,
}
OrderNumber = tuple[Power, int]
"""An order of a position: its power and its number among that power's orders, from 0."""
EVERY_SO_MANY_ILLEGAL = 8
ILLEGAL = 0.15
"""The share of illegal orders on the boards that have any."""


@dataclass(frozen=True, eq=False, repr=False)
class AskedPosition(Position):
    """A position that engines are asked about: it may be impossible, and each of its orders belongs to its phase."""

    orders: Mapping[Power, Sequence[PhaseOrder]]

    @cached_property
    def numbered(self) -> dict[OrderNumber, PhaseOrder]:
        """All orders, by number."""
        return {(power, number): order for power, given in self.orders.items() for number, order in enumerate(given)}

    @cached_property
    def movement_orders(self) -> dict[OrderNumber, MovementOrder]:
        """All orders of a movement phase, by number."""
        return {number: order for number, order in self.numbered.items() if isinstance(order, MovementOrder)}

    def changed(self, change: Callable[[OrderNumber, MovementOrder], MovementOrder]) -> dict[Power, list[PhaseOrder]]:
        """Return the orders after a function has changed each order of a movement phase."""

        def made_of(number: OrderNumber, order: PhaseOrder) -> PhaseOrder:
            return change(number, order) if isinstance(order, MovementOrder) else order

        return {
            power: [made_of((power, number), order) for number, order in enumerate(given)]
            for power, given in self.orders.items()
        }

    @cached_property
    def line(self) -> bytes:
        """The position as a batch line, by which it is stored, sent and recognised."""
        written = {power: [str(order) for order in given] for power, given in self.orders.items()}
        line: dict[str, object] = {
            "id": self.name,
            **({} if self.board.phase is Phase.MOVEMENT else {"phase": self.board.phase}),
            **position_keys(self.board),
            "units": by_power(self.board.units),
            "orders": written,
        }
        return msgspec.json.encode(line)

    @cached_property
    def key(self) -> str:
        """The key of the position, which tells it from others, whatever its name."""
        nameless = replace(self, name="").line
        return hashlib.sha256(nameless + repr(self.board.dislodged).encode()).hexdigest()[:12]


def lone_move(position: AskedPosition) -> str:
    """Return the move that is the only order to the only unit, a question about a border; "" if there is no such."""
    orders = list(position.numbered.values())
    if position.board.phase is Phase.MOVEMENT and len(position.board.units) == 1 and len(orders) == 1:
        unit, order = position.board.units[0], orders[0]
        if isinstance(order, Move) and order.unit.province == unit.province and not order.via_convoy:
            return f"{unit} - {order.destination}"
    return ""


def position_from(line: bytes, game_map: Map | None = None) -> AskedPosition:
    """Read the position that a batch line holds, on a given map if it names none.

    Raises `InputError`.
    """
    reader = RequestReader(read_request(line, Request), game_map)
    position = position_of(reader.board(), reader.orders(), str(reader.request.id or ""))
    if position is None:
        raise RequestError("only phases with their own orders can be compared, without permissions")
    return position


def position_of(board: Board, orders: Mapping[Power, Iterable[Order]], name: str) -> AskedPosition | None:
    """Make a position; None if it has an order of another phase, a permission, or an order that cannot be read."""
    given: dict[Power, list[PhaseOrder]] = {}
    for power, orders_of in orders.items():
        given[power] = []
        for order in orders_of:
            if isinstance(order, Permission | Unreadable) or not isinstance(order, _ORDERS_OF[board.phase]):
                return None
            given[power].append(order)
    return AskedPosition(board, given, name)


@dataclass(frozen=True)
class Fuzz:
    """Random boards by seed and number.

    Board N of a seed is always the same; now and then one has illegal orders among the others.
    """

    seed: int = 1
    positions: int = 1000
    flavours: tuple[Flavour, ...] = MIX
    """The flavours of which one is chosen for each board; one that is named twice is chosen twice as often."""
    units: tuple[int, int] | None = None
    """The fewest and most units of a board; None for a mix of sizes."""
    phases: tuple[Phase, ...] = (Phase.MOVEMENT,)
    """The phases of which one is chosen for each board."""
    first: int = 0
    """The number in the seed of position 0."""
    map: Map = field(default_factory=load_map)
    map_given: str = ""
    """The argument of `--map`."""

    __repr__ = brief

    def draw(self, number: int) -> AskedPosition:
        """Draw a board by its number, counted from the first."""
        number += self.first
        random, name = Random(f"{self.seed}:{number}"), f"seed {self.seed}, board {number}"
        phase = random.choice(self.phases) if len(self.phases) > 1 else self.phases[0]
        if phase is not Phase.MOVEMENT:
            return AskedPosition(*random_later_phase(random, phase, self.map), name)
        flavour = random.choice(self.flavours)
        illegal = 0.0 if number % EVERY_SO_MANY_ILLEGAL else ILLEGAL
        units = self.units or random.choice(SIZES)
        drawn = random_board(random, flavour, units, len(self.map.powers), illegal=illegal, game_map=self.map)
        return AskedPosition(*drawn, name)

    @property
    def maps(self) -> frozenset[Map]:
        """The maps of the boards."""
        return frozenset({self.map})

    def again(self, number: int) -> list[str]:
        """List the arguments of `satjudge crosscheck` that choose one board alone."""
        return ["--seed", str(self.seed), "--only", str(self.first + number), *self.options]

    @property
    def options(self) -> list[str]:
        """The arguments for properties of the boards that are not the default ones."""
        flavours = [] if self.flavours == MIX else ["--flavour", ",".join(self.flavours)]
        units = ["--units", f"{self.units[0]}..{self.units[1]}"] if self.units else []
        phases = [] if self.phases == (Phase.MOVEMENT,) else ["--phase", ",".join(self.phases)]
        return [*flavours, *units, *phases, *_map_options(self.map_given)]

    def described(self) -> dict[str, object]:
        """Describe as plain data all that the boards depend on, save how many there are."""
        like = {"seed": self.seed, "flavours": list(self.flavours), "units": list(self.units) if self.units else None}
        like |= {"phases": list(self.phases)} if self.phases != (Phase.MOVEMENT,) else {}
        like |= {"first": self.first} if self.first else {}
        return like if self.map.is_standard else {**like, "map": self.map.exact_name}


@dataclass(frozen=True)
class ListedPositions:
    """Positions that were read from files, as lines."""

    lines: tuple[bytes, ...]
    files: tuple[str, ...] = ()
    """The file that each position came from, as it was named."""
    on: tuple[Map, ...] = ()
    """The map of each position; empty if all are on the standard one."""
    map_given: str = ""
    """The argument of `--map`."""

    @property
    def positions(self) -> int:
        """The number of positions."""
        return len(self.lines)

    def draw(self, number: int) -> AskedPosition:
        """Read a position by its number, from 0."""
        return position_from(self.lines[number], self.on[number] if self.on else None)

    @property
    def maps(self) -> frozenset[Map]:
        """The maps of the positions."""
        return frozenset(self.on or {load_map()})

    def again(self, number: int) -> list[str]:
        """Return the file that a position came from, if that is known, and its options."""
        return [self.files[number], *self.options] if self.files else []

    @property
    def options(self) -> list[str]:
        """The arguments that the files need besides."""
        return _map_options(self.map_given)

    def described(self) -> dict[str, object]:
        """Describe the positions as plain data: a checksum over all of them."""
        own = sorted(game_map.exact_name.encode() for game_map in self.maps if game_map.exact_name != game_map.name)
        return {"positions": hashlib.sha256(b"\n".join((*self.lines, *own))).hexdigest()[:16]}


def _map_options(given: str) -> list[str]:
    return ["--map", given] if given else []


Source: TypeAlias = Fuzz | ListedPositions
"""Positions by number: a source describes what it depends on, and names the arguments that choose one position again."""


def listed_positions(positions: Iterable[AskedPosition], files: Iterable[str] = (), map_given: str = "") -> ListedPositions:
    """Make a source of positions, perhaps with the file that each came from."""
    taken = tuple(positions)
    lines, maps = tuple(position.line for position in taken), tuple(position.board.map for position in taken)
    return ListedPositions(lines, tuple(files), maps, map_given)
