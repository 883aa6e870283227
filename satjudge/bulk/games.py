"""Plays thousands of games at once, phase by phase: lists or draws legal orders, and makes the next positions.

>>> games = Games(3, seed=1, last_year=1903)
>>> while not games.over.all():
...     _ = games.step(games.draw())
>>> games
<Games: 3 on standard by datc-3; 3 over>

Games follow `satjudge.Game` phase by phase: the same retreats, adjustments, owners, years and victories.
"""

from __future__ import annotations

from copy import copy
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy
from numpy.typing import ArrayLike, NDArray

from satjudge.base.errors import BoardError, InputError, UnresolvedError
from satjudge.base.values import one_line
from satjudge.bulk import argument_checks
from satjudge.bulk.judge import Judge
from satjudge.bulk.kernel.memory import *
from satjudge.bulk.tables.later_facts import make_game_tables
from satjudge.bulk.vocabulary import Vocabulary
from satjudge.bulk.wasm.array_kernel import draw_orders, list_orders, make_scratch_arrays
from satjudge.game.game import Game
from satjudge.judging.adjustments import judge_adjustments
from satjudge.judging.legal_orders import legal_orders
from satjudge.world.board import Board, DislodgedUnit, Phase, Season, Turn, group_pairs
from satjudge.world.geography import Map
from satjudge.world.orders import Build, Remove
from satjudge.world.rules import Rulebook

PHASES = (Phase.MOVEMENT, Phase.RETREAT, Phase.ADJUSTMENT)
"""The phases by the numbers in `Games.moments`."""
_STATE = ("units", "powers", "owners", "lost_units", "lost_powers", "ways_out", "moments", "due")
_LOST = {"lost_units", "lost_powers", "ways_out"}
_SCRATCH = {"at", "bits", "reaches", "wanted"}
_UNREAD: dict[str, set[str]] = {
    "list_games": {"cause"},
    "draw_moves": {"cause", "request", "moments", "due", *_LOST},
    "draw_listed": {"cause", "request", "units", "powers", "owners", *_LOST, *_SCRATCH},
    "go_on": {"at", "bits", "reaches"},
    "begin_games": {"cause", *_LOST, *_SCRATCH},
}
"""The arrays that a function does not read, and that are not passed to it, to save time."""


class Slots(NamedTuple):
    """The possible orders in many games: a row for each unit or place, game by game and power by power in winter.

    A slot's orders are `orders[first[slot] : first[slot + 1]]`.
    """

    game: Numbers
    column: Numbers
    """The column of the slot's order in the orders for `Games.step`."""
    power: Numbers
    place: Numbers
    """The number of the province (`Vocabulary.provinces`)."""
    first: Numbers
    """The index in `orders` at which the orders of each slot begin, and then the number of all orders."""
    orders: Numbers
    """The legal orders of all slots, slot after slot, by the vocabulary."""

    @property
    def counts(self) -> Numbers:
        """The number of legal orders of each slot, in the same sequence as the slots."""
        return numpy.diff(self.first)


class Games:
    """Plays many games on one map under one rulebook.

    Pass the map and the rulebook as for `Judge`. `victory` is the number of centres needed to win, if it differs from the
    map's; after `last_year`, a game is a draw. The arrays are the games' state, for reading only:

    - `units`, `powers`: games × columns, the units and their powers; -1 for none;
    - `owners`: games × provinces, the owner of the supply centre there; -1 for nobody;
    - `lost_units`, `lost_powers`: games × columns, the units that must retreat;
    - `due`: games × powers, the number of builds, or of removals if negative;
    - `moments`: games × `arrays.OF_MOMENT`: the phase (`PHASES`), the year, whether it is Fall, how the game ended, who won.

    Raises the errors of `Judge`, and `InputError` for a map with provinces closed in a season, a railroad, a canal, victory by
    a lead or a last year, and for one that is too large for compiled code.
    """

    def __init__(
        self,
        count: int = 1,
        game_map: Map | Vocabulary | str | Path | None = None,
        rulebook: Rulebook | str | None = None,
        *,
        seed: int = 0,
        victory: int | None = None,
        last_year: int | None = None,
    ) -> None:
        self.judge = Judge(game_map, rulebook)
        _refuse_map_rules(self.judge.vocabulary.map)
        self.vocabulary, self.rulebook = self.judge.vocabulary, self.judge.rulebook
        if not self.judge.kernels:
            raise InputError(f"the map {self.vocabulary.map.name} is too large for games in arrays: {self.judge.obstacle}")
        self.kernel = self.judge.kernels[0]
        self._tables = make_game_tables(self.judge.facts, victory)
        self._start = Game.new(self.vocabulary.map).board
        self._begin(count, seed, last_year)

    def _begin(self, count: int, seed: int, last_year: int | None) -> None:
        """Create the state's arrays for this number of games, and begin all of them."""
        self.last_year = last_year
        columns = max(len(self.vocabulary.centers), len(self._start.units))
        provinces, powers = len(self.vocabulary.provinces), len(self.vocabulary.powers)
        self.units, self.powers, self.lost_units, self.lost_powers = numpy.full((4, count, columns), NONE, numpy.int32)
        self.ways_out = numpy.zeros((count, columns), numpy.int64)
        self.owners = numpy.full((count, provinces), NONE, numpy.int32)
        self.moments = numpy.zeros((count, OF_MOMENT), numpy.int32)
        self.due = numpy.zeros((count, powers), numpy.int32)
        self.seeds = (numpy.int64(seed) << 32) + numpy.arange(count, dtype=numpy.int64)
        self.columns = columns + len(self.vocabulary.centers)
        """The number of columns of orders: one for each unit, and one for each place to build in."""
        self._kept: Slots | None = None
        self.reset()

    def others(self, count: int = 1, *, seed: int = 0, last_year: int | None = None) -> Games:
        """Return other games, at their beginning, on the same map with the same rulebook and victory; they share its facts.

        Use both in the same thread.
        """
        found = copy(self)
        found._begin(count, seed, last_year)
        return found

    def __repr__(self) -> str:
        playing = f"{len(self.units)} on {self.vocabulary.map.name} by {self.rulebook.name}"
        return one_line("Games", playing, f"{int(self.over.sum())} over")

    def __len__(self) -> int:
        return len(self.units)

    # ---- the state of games ----

    @property
    def over(self) -> Flags:
        """True for each game that is over."""
        return self.moments[:, ENDED] != GOES_ON  # type: ignore[no-any-return]

    @property
    def winner(self) -> Numbers:
        """The number of the power that has won each game; -1 if no power has."""
        return self.moments[:, WINNER]

    @property
    def phase(self) -> Numbers:
        """The phase of each game, as an index in `PHASES`."""
        return self.moments[:, PHASE]

    @property
    def centers(self) -> Numbers:
        """The owners of the supply centres, games × `Vocabulary.centers`; -1 for nobody."""
        return self.owners[:, self._center_places]

    @property
    def scores(self) -> Numbers:
        """The numbers of supply centres that count for each power, games × powers."""
        powers = range(len(self.vocabulary.powers))
        matter = self._tables["of_powers"][:-1] & MATTERS != 0
        return numpy.stack([((self.owners == power) & matter[power]).sum(axis=1) for power in powers], axis=1)

    @property
    def returns(self) -> NDArray[numpy.float64]:
        """Each power's payoff, games × powers: 0 until a game ends; then 1 to the winner, or equal shares to centre owners.

        A victory is worth 1 to the winner; a draw is shared equally by all powers that own a centre.
        """
        shares = (self.scores > 0).astype(float)
        won = self.winner != NONE
        shares[won] = numpy.arange(shares.shape[1]) == self.winner[won, None]
        return shares / numpy.maximum(1, shares.sum(axis=1, keepdims=True)) * self.over[:, None]  # type: ignore[no-any-return]

    @property
    def centres_to_win(self) -> int:
        """The number of centres with which an ordinary power wins; it limits how many units a power can have."""
        return int(self._tables["aims"][NEEDED])

    @cached_property
    def _center_places(self) -> list[int]:
        return [self.vocabulary.location_numbers[code] for code in self.vocabulary.centers]

    def name_of(self, game: int) -> str:
        """Return the name of a game's current phase, as in saved games: `F1901M`."""
        phase, year, fall = self.moments[game, : FALL + 1].tolist()
        return Turn(year, Season.FALL if fall else Season.SPRING).name_of(PHASES[phase])

    def board(self, game: int) -> Board:
        """Return the position of a game as a `Board`."""
        vocabulary, (phase, year, fall) = self.vocabulary, self.moments[game, : FALL + 1].tolist()
        placed = zip(self.units[game].tolist(), self.powers[game].tolist(), strict=True)
        owned = zip(vocabulary.provinces, self.owners[game].tolist(), strict=True)
        lost = numpy.flatnonzero(self.lost_units[game] != NONE).tolist()
        return Board(
            tuple(vocabulary.unit_of_power(unit, power) for unit, power in placed if unit != NONE),
            tuple(self._make_dislodged_unit(game, column) for column in lost),
            centers={code: vocabulary.power(power) for code, power in owned if power != NONE},
            phase=PHASES[phase],
            turn=Turn(year, Season.FALL if fall else Season.SPRING),
            map=vocabulary.map,
        )

    def _make_dislodged_unit(self, game: int, column: int) -> DislodgedUnit:
        unit = self.vocabulary.unit_of_power(int(self.lost_units[game, column]), int(self.lost_powers[game, column]))
        exits, open_ways = sorted(self.vocabulary.map.exits(unit.kind, unit.location)), int(self.ways_out[game, column])
        return DislodgedUnit(unit, tuple(place for number, place in enumerate(exits) if open_ways >> number & 1))

    def reset(self, games: ArrayLike | None = None) -> None:
        """Begin these games again (given by numbers or as flags), or all games; the random numbers continue."""
        game_rows = numpy.arange(len(self)) if games is None else numpy.atleast_1d(numpy.asarray(games))
        units, powers, centers = self.vocabulary.arrays_of([self._start])
        for array in (self.units, self.powers, self.lost_units, self.lost_powers, self.owners):
            array[game_rows] = NONE
        self.units[game_rows, : units.shape[1]], self.powers[game_rows, : units.shape[1]] = units, powers
        self.ways_out[game_rows] = 0
        owned = self.owners[game_rows]
        owned[:, self._center_places] = centers
        self.owners[game_rows] = owned
        turn = self._start.turn or Turn(self.vocabulary.map.first_year, Season.SPRING)
        phase = PHASES.index(self._start.phase)
        self.moments[game_rows] = phase, turn.year, turn.season is Season.FALL, GOES_ON, NONE
        status = numpy.full(len(self), SETTLED, numpy.int8)
        status[game_rows] = PENDING
        self._call_kernel("begin_games", {"status": status}, ("status", "due"))
        self._kept = None

    def end(self, games: ArrayLike) -> None:
        """End these games (given by numbers or as flags) as draws, except those that are over."""
        ended_games = numpy.zeros(len(self), numpy.bool_)
        ended_games[numpy.asarray(games)] = True
        self.moments[ended_games & ~self.over, ENDED] = IN_DRAW
        self._kept = None

    # ---- orders ----

    def legal(self) -> Slots:
        """Return the legal orders of all unfinished games; they are cached until a game changes.

        In winter there is a slot for each place where a power may build, or for each unit of a power that must remove some.
        """
        if self._kept is None:
            plainly = ~self.over & (self.phase == OF_MOVEMENT) & (not self.kernel.knows_moves)
            self._kept = self._list_slots(~self.over & ~plainly, plainly)
        return self._kept

    def draw(self) -> Numbers:
        """Draw random legal orders for all games, and return them as games × `columns`; -1 for no order.

        Each unit's legal orders are equally likely, independently of other units. In winter, all sets of places to build in, or
        of units to remove, that have the required size are equally likely, and so are the units to build in each place; no
        build is declined. The same seed gives the same orders.
        """
        order_array = numpy.full((len(self), self.columns), NONE, numpy.int32)
        moving = ~self.over & (self.phase == OF_MOVEMENT)
        status = numpy.where(moving, PENDING if self.kernel.knows_moves else LEFT, SETTLED).astype(numpy.int8)
        draw_orders(self._call_kernel, self.judge.facts, status, self.seeds, order_array)
        self._refuse_mistakes(status)
        self._draw_listed(self._list_slots(~moving, status == LEFT), order_array)
        return order_array

    def _draw_listed(self, slots: Slots, order_numbers: Numbers) -> None:
        """Draw orders from the slots' lists of legal orders, and enter them in `order_numbers`, games × `columns`."""
        of_slot = (slots.game, slots.column, slots.power, slots.place, slots.first[:-1])
        rows = numpy.stack(of_slot, axis=1).astype(numpy.int32)
        counters = numpy.zeros(OF_COUNTERS, numpy.int64)
        counters[[SLOTS, LISTED]] = len(rows), len(slots.orders)
        arrays: dict[str, NDArray[Any]] = {
            "listing": slots.orders,
            "slot_list": rows,
            "asked": order_numbers,
            "counters": counters,
            "seeds": self.seeds,
        }
        self._call_kernel("draw_listed", arrays, ("seeds", "asked"))

    def _list_slots(self, games: Flags, by_python: Flags) -> Slots:
        """Return the legal orders of `games` and, listed by Python, of `by_python` and of games that the kernel leaves."""
        status = numpy.where(by_python, LEFT, numpy.where(games, PENDING, SETTLED)).astype(numpy.int8)
        found = list_orders(self._call_kernel, self.judge.facts, status, self.columns)
        for game in numpy.flatnonzero(status == LEFT).tolist():
            self._list_plainly(game, found)
        self._refuse_mistakes(status)
        return _sort_slots(numpy.concatenate(found[0]), numpy.concatenate(found[1]))

    def _refuse_mistakes(self, status: NDArray[numpy.int8]) -> None:
        """Raise `BoardError` for a game that has, by its status, two units in one province."""
        for game in numpy.flatnonzero(status == MISTAKEN).tolist():
            argument_checks.refuse_board(self.vocabulary, game, self.units, numpy.full_like(self.units, NONE))

    def _list_plainly(self, game: int, slots_and_orders: tuple[list[Numbers], list[Numbers]]) -> None:
        """Append a game's legal movement orders, listed by Python, to two lists of arrays: of slots, and of order numbers."""
        legal = {key: orders for of in legal_orders(self.board(game), self.rulebook).values() for key, orders in of.items()}
        begun = sum(map(len, slots_and_orders[1]))
        for column in numpy.flatnonzero(self.units[game] != NONE).tolist():
            unit = self.vocabulary.units[self.units[game, column]]
            orders = [self.vocabulary.order_numbers[order] for order in legal[str(unit)]]
            row = [game, column, int(self.powers[game, column]), self.vocabulary.location_numbers[unit.province], begun]
            slots_and_orders[0].append(numpy.array([row], numpy.int32))
            slots_and_orders[1].append(numpy.array(orders, numpy.int32))
            begun += len(orders)

    # ---- the next phase ----

    def step(self, orders: ArrayLike) -> Flags:
        """Carry out orders (games × `columns`) and advance unfinished games a phase; return True for each without an answer.

        Put each order in the column of its slot, which in a movement phase is the column of its unit. -1 means no order: a unit
        holds, a dislodged unit is disbanded, nothing is built, and civil disorder removes units.

        Returns True for each game that does not change because the rulebook has no answer. Raises `BoardError` and
        `NotationError` for numbers out of range and orders to other units, without changing any game.
        """
        numbers = argument_checks.check_numbers("order", orders, ("game", "column"))
        if numbers.shape != (len(self), self.columns):
            raise BoardError([f"orders must be an array of games × columns, {(len(self), self.columns)}, not {numbers.shape}"])
        if ((numbers < NONE) | (numbers >= len(self.vocabulary))).any():
            game, column = numpy.argwhere((numbers < NONE) | (numbers >= len(self.vocabulary)))[0].tolist()
            raise BoardError([f"game {game}, column {column}: there is no order {numbers[game, column]}"])
        going = ~self.over
        status = numpy.where(going, PENDING, SETTLED).astype(numpy.int8)
        moves = self._judge_moves(numpy.flatnonzero(going & (self.phase == OF_MOVEMENT)), numbers, status)
        arrays = {**moves, "asked": numbers, "status": status}
        self._call_kernel("go_on", arrays, (*_STATE, "status"))
        for game in numpy.flatnonzero(status == LEFT).tolist():
            status[game] = self._adjust_plainly(game, numbers[game].tolist())
        if self.last_year is not None:
            self.moments[going & (self.moments[:, YEAR] > self.last_year) & ~self.over, ENDED] = IN_DRAW
        self._kept = None
        return status == UNRESOLVED  # type: ignore[no-any-return]

    def _judge_moves(
        self, games: NDArray[numpy.int64], order_numbers: Numbers, status: NDArray[numpy.int8]
    ) -> dict[str, NDArray[Any]]:
        """Judge some games' moves, mark those without an answer in `status`, and return the results by the kernel's names."""
        columns = self.units.shape[1]
        arrived = self.units.copy()
        if not len(games):
            dislodged, retreats = numpy.zeros((1, 2), numpy.int32), numpy.zeros((columns, len(self.vocabulary.locations)), bool)
            return {"arrived": arrived, "dislodged": dislodged, "retreats": retreats, "counters": numpy.zeros(OF_COUNTERS, int)}
        found = self.judge.judge(self.units[games], self.powers[games], order_numbers[games, :columns])
        status[games[found.unresolved]] = UNRESOLVED
        arrived[games] = found.units
        dislodged = found.dislodged.copy()
        dislodged[:, 0] = games[dislodged[:, 0]]
        more = numpy.zeros((max(1, columns - len(dislodged)), found.retreats.shape[1]), numpy.bool_)
        counters = numpy.zeros(OF_COUNTERS, numpy.int64)
        counters[LOST] = len(dislodged)
        return {
            "arrived": arrived, "dislodged": numpy.concatenate((dislodged, numpy.zeros((1, 2), numpy.int32))),
            "retreats": numpy.concatenate((found.retreats, more)), "counters": counters,
        }  # fmt: skip

    def _adjust_plainly(self, game: int, order_numbers: list[int]) -> int:
        """Judge a game's builds and removals in Python and store the next position; return SETTLED or UNRESOLVED (no answer).

        The kernel leaves to Python civil disorder that depends on fleets, and builds that may not be declined.
        """
        board, power_numbers = self.board(game), {power: number for number, power in enumerate(self.vocabulary.powers)}
        orders = [
            order
            for number in order_numbers
            if number != NONE and isinstance(order := self.vocabulary.orders[number], Build | Remove)
        ]
        standing = {unit.province: unit.power for unit in board.units}
        givers = [
            board.centers.get(order.unit.province) if isinstance(order, Build) else standing.get(order.unit.province)
            for order in orders
        ]
        by_power = group_pairs((power, order) for power, order in zip(givers, orders, strict=True) if power)
        try:
            after = judge_adjustments(board, by_power, rulebook=self.rulebook).next_board
        except UnresolvedError:
            return UNRESOLVED
        self.units[game] = self.powers[game] = NONE
        for column, unit in enumerate(after.units):
            self.units[game, column] = self.vocabulary.unit_numbers[unit.named]
            self.powers[game, column] = power_numbers[unit.power]
        assert after.turn
        self.moments[game, : FALL + 1] = OF_MOVEMENT, after.turn.year, after.turn.season is Season.FALL
        self.due[game] = 0
        return SETTLED

    def _call_kernel(self, function: str, arrays: dict[str, NDArray[Any]], outputs: tuple[str, ...]) -> None:
        """Call a function of the kernel with these arrays and the games' state, and copy the arrays in `outputs` back."""
        facts = self.judge.facts
        provinces = len(self.vocabulary.provinces)
        rest: dict[str, Any] = {
            "cause": numpy.zeros(OF_CAUSE, numpy.int64),
            "request": numpy.zeros((OF_REQUEST, provinces + 2 * self.columns), numpy.int32),
            **make_scratch_arrays(provinces), **facts.tables(), **self._tables,
            **{name: getattr(self, name) for name in _STATE}, **arrays,
        }  # fmt: skip
        self.kernel.call(function, {name: array for name, array in rest.items() if name not in _UNREAD[function]}, outputs)


def _refuse_map_rules(game_map: Map) -> None:
    """Raise `InputError` for a map with a railroad, a canal, victory by a lead, or a last year."""
    rules = {
        "a railroad": game_map.railroads,
        "a canal": game_map.canals,
        "a lead that wins": game_map.victory_lead,
        "a last year": game_map.last_year,
    }
    if found := [rule_name for rule_name, has_rule in rules.items() if has_rule]:
        raise InputError(
            f"the map {game_map.name} has {' and '.join(found)}, which games in arrays do not support",
            suggestion="use satjudge.Game",
        )


def _sort_slots(slot_rows: Numbers, order_numbers: Numbers) -> Slots:
    """Return slots sorted by game, with their orders in the same sequence."""
    counts = numpy.diff(slot_rows[:, SLOT_FIRST], append=len(order_numbers))
    order = numpy.argsort(slot_rows[:, SLOT_GAME], kind="stable")
    if (order != numpy.arange(len(order))).any():
        slot_rows, starts_before, counts = slot_rows[order], slot_rows[order, SLOT_FIRST], counts[order]
        ends = counts.cumsum()
        order_numbers = order_numbers[numpy.arange(len(order_numbers)) + numpy.repeat(starts_before - (ends - counts), counts)]
    first = numpy.concatenate(([0], counts.cumsum())).astype(numpy.int32)
    game, column, power, place, _ = (numpy.ascontiguousarray(of_slots) for of_slots in slot_rows.T)
    return Slots(game, column, power, place, first, order_numbers)
