"""Plays a game from its first phase to a victory or a draw.

    >>> from satjudge.game.game import Game
    >>> game = Game.new()
    >>> game.order("FRANCE", "A PAR - BUR", "A MAR S A PAR - BUR")
    ['A PAR - BUR', 'A MAR S A PAR - BUR']
    >>> game.next().results["FRANCE"], game.phase_name
    (['succeeds', 'given'], 'F1901M')

`satjudge.game.stored_game` holds the state of a game and saves it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from satjudge.base.errors import InputError, NotationError, NotFoundError, RefusedOrderError, UnresolvedError
from satjudge.base.imports import load_hook
from satjudge.base.values import one_line, replace
from satjudge.base.words import number_of
from satjudge.explain.explanation import Explanation
from satjudge.explain.phases import adjustment_explanations, explanations, find_explanation, retreat_explanations, why
from satjudge.files.maps import read_map
from satjudge.game.readings import MessageReading, SheetReading, Unreadable, accept_old_options
from satjudge.game.stored_game import CenterCounts, Ending, Played, StoredGame, list_undue_orders
from satjudge.judging.judge import AnyOutcome, read_orders, warm_up_caches
from satjudge.judging.judge import resolutions as resolutions_of
from satjudge.judging.legal_orders import PhaseOrders, find_phase_orders
from satjudge.judging.legality import judge_orders_alone
from satjudge.judging.order_review import Line, find_contradictions, has_wrong_kind, settle_lines
from satjudge.judging.outcome import Outcome
from satjudge.judging.position import parse_order_or_unit
from satjudge.judging.retreats import RetreatOutcome
from satjudge.judging.solve.result import Resolutions
from satjudge.notation.messages.phase_orders import find_move_before, ordered_unit
from satjudge.notation.messages.reader import MessageOrders, read_phase_orders
from satjudge.notation.parse import find_known_order, parse_location, parse_order_leniently, parse_orders, parse_power
from satjudge.notation.phase_names import GamePhase, find_named_phase, game_phase, is_order_of, wrong_phase_error
from satjudge.notation.sheets import suggest_destination, suggest_unit
from satjudge.notation.text_around_orders import NamedSeason, has_order, read_named_season
from satjudge.world.board import Board, ByPower, Phase, Season, Turn, by_power, starting_board
from satjudge.world.geography import Map, Power, UnitKind, province_of
from satjudge.world.orders import (
    Decline,
    Disband,
    Move,
    Order,
    Permission,
    Remove,
    Retreat,
    replace_orders,
    same_unit,
    subject_of,
)
from satjudge.world.rules import DEFAULT_RULES, Rulebook
from satjudge.world.rules.rulebook import Mistake
from satjudge.world.seasons import adjustments_due

if TYPE_CHECKING:
    from satjudge.explain.counterfactuals import WhatWouldChange


_MOST_WORDS = 12
"""The maximum number of words in an order."""


class Game(StoredGame):
    """A game of Diplomacy on any map, under any rulebook.

    Create one with `Game.new`, `Game.load` or `Game.from_saved`.

    `board` is the position, and `orders` are the orders given so far. `order` and `clear_orders` change the orders, `next`
    judges them and moves on to the next phase that needs orders, and `undo` goes back to the last judged phase."""

    # ---- start ----

    @classmethod
    def new(
        cls,
        map: str | Path | Map = "standard",  # noqa: A002  # the name that users of other packages expect
        rulebook: Rulebook | str = DEFAULT_RULES,
        *,
        name: str = "game",
        board: Board | None = None,
        victory: int | None = None,
    ) -> Game:
        """Start a game on a map (its name, file or `Map`), or from a position of your own (`board`).

        On a map without units at the start, such as Chaos, the game begins with builds. `victory` is the number of centres
        needed to win, if it differs from the map's. Raises `InputError`.
        """
        if board is None:
            board = _make_first_board(map if isinstance(map, Map) else read_map(map))
        elif board.turn is None:
            board = replace(board, turn=Turn(board.map.first_year, Season.SPRING))
        game = cls(board.ensure_possible(), rulebook, name=name, victory=victory)
        warm_up_caches(game.board, game.rulebook)
        return game

    # ---- orders ----

    def order(self, power: str, *orders: str | Order) -> list[str]:
        """Add orders for a power, each replacing an earlier one for the same unit, and return all its orders for this phase.

        Illegal orders are accepted, because some of them have an effect (4.E.1); `illegal_orders` lists them. Raises
        `NotationError` for an order that cannot be read or belongs to another phase, and then accepts none of the orders.
        """
        if any(isinstance(order, list | tuple) for order in orders):
            raise NotationError(f"the orders of {power} must not be in a list", suggestion=f"game.order({power!r}, *orders)")
        found_power = self._find_power(power)
        return self._add_orders(found_power, orders, self._orders.get(found_power, []))

    def _add_orders(self, power: Power, orders: Sequence[str | Order], earlier_texts: Sequence[str]) -> list[str]:
        """Store new orders of a power and keep those of `earlier_texts` for its other units; return the texts of all."""
        new_texts, previous = (self._phase_orders.match_listed(power, given) for given in (orders, earlier_texts))
        if new_texts is not None and previous is not None:
            given = [*(text for unit, text in previous.items() if unit not in new_texts), *new_texts.values()]
        else:
            read = self._complete_orders(power, self._read_orders(power, orders))
            earlier = [parse_order_leniently(text, self.map, self.board.phase) for text in earlier_texts]
            given = [*map(str, replace_orders(earlier, read))]
        self._orders[power] = given
        return [*given]

    @accept_old_options
    def read_sheet(
        self,
        text: str,
        *,
        add: bool = False,
        as_meant: bool = False,
        unreadable: Unreadable = "raise",
        source: str = "sheet",
    ) -> SheetReading:
        """Store the orders of each power in a game master's sheet in place of all its earlier ones; return what was read.

        With `add`, units that the sheet does not name keep their orders. `as_meant` accepts badly written orders that have only
        one possible meaning (DATC 2.4, 4.E.2 d). By default, an unreadable line raises `SheetError`, and nothing changes.
        `unreadable="refuse"` refuses only that line, as in a player's message, and `"keep"` keeps it as an illegal order.

        Orders that name a later phase are kept for that phase. The result's `refused` lists other orders that do not belong to
        this phase; the remaining orders are accepted.
        """
        return self._read_text(text, None, source, as_meant, unreadable, add)

    def read_message(
        self,
        power: str,
        text: str,
        *,
        add: bool = True,
        as_meant: bool = False,
        unreadable: Unreadable = "refuse",
        source: str = "message",
    ) -> MessageReading:
        """Store the readable orders in a player's message, each for its unit's earlier one; return what was read and refused.

        Text without orders is ignored. An unreadable order is refused and listed in the result; the others are accepted.
        Without `add`, the orders replace all earlier ones. The other options work as in `read_sheet`; with
        `unreadable="raise"`, every line must be an order.
        """
        found_power = self._find_power(power)
        read = self._read_text(text, found_power, source, as_meant, unreadable, add)
        kept = {phase: early[found_power] for phase, early in self.early_orders.items() if found_power in early}
        return MessageReading(read.refused, read.ignored, read.remarks, read.is_read, self.orders.get(found_power, []), kept)

    def _read_text(
        self, text: str, power: Power | None, source: str, as_meant: bool, unreadable: Unreadable, add: bool
    ) -> SheetReading:
        """Read a sheet, or the message of `power`, store its orders for this and later phases, and return them with remarks."""
        self._check_going_on()
        settle, lenient = self._settle_lines if as_meant else None, unreadable == "keep"
        letter, is_read = unreadable == "refuse" or (lenient and power is not None), True
        try:
            found = read_phase_orders(
                text,
                self.board,
                only_power=power,
                source=source,
                lenient=lenient,
                letter=letter,
                settle=settle,
                retreats_behind_arrow=self.retreats_behind_arrow,
            )
        except InputError as error:
            if not letter:
                raise
            errors, is_read = list(getattr(error, "errors", (error,))), False
            errors = [one if isinstance(one, RefusedOrderError) else RefusedOrderError(one) for one in errors]
            found = MessageOrders({}, {}, errors, [], [f"refused: {one}" for one in errors])
        before, adding = self.orders, found.adding or add
        remarks = [
            *found.remarks,
            *(line for name, orders in found.orders.items() for line in self._iter_repeated_orders(name, orders)),
        ]
        beside = before if adding else {}
        given = ByPower({name: self._add_orders(name, orders, beside.get(name, [])) for name, orders in found.orders.items()})
        for name, orders in found.orders.items():
            remarks += self._iter_remarks(name, orders, before.get(name, []))
        remarks += self._store_early_orders(found.early, adding)
        powers = {*given, *(power for early in found.early.values() for power in early)}
        early_orders = {
            phase: {power: early[power] for power in early if power in powers} for phase, early in self.early_orders.items()
        }
        later = {phase: early for phase, early in early_orders.items() if early}
        return SheetReading(found.refused, found.ignored, remarks, is_read, given, later)

    def _iter_remarks(self, power: Power, orders: Sequence[Order], earlier_texts: Sequence[str]) -> Iterator[str]:
        """Yield remarks on a power's orders: corrected unit kinds, added VIA, dropped earlier orders, contradictions."""
        for order, completed in zip(orders, self._complete_orders(power, orders), strict=True):
            if has_wrong_kind(order, completed):
                yield f"{power}: {order} is read as {completed}, by the kind of the unit that stands there (4.C.2)"
            elif order != self._add_via(order):
                yield f"{power}: {order} is read as {order} VIA: a move across water goes by convoy (4.A.3)"
        now = [parse_order_leniently(text, self.map, self.board.phase) for text in self._orders[power]]
        texts, subjects = {str(order) for order in now}, {subject_of(order) for order in now}
        for text in earlier_texts:
            earlier = parse_order_leniently(text, self.map, self.board.phase)
            if str(earlier) not in texts and subject_of(earlier) not in subjects:
                yield f"{power}: dropped the earlier order {text}"
        for helping, helped in find_contradictions(now):
            yield f"{power}: {helping} does not match {helped}"

    def _iter_repeated_orders(self, power: Power, orders: Sequence[Order]) -> Iterator[str]:
        """Yield a remark on each order that replaces another one in the same list."""
        last: dict[object, Order] = {}
        for order in self._complete_orders(power, orders):
            other = last.get(subject_of(order), order)
            if str(other) != str(order):
                yield f"{power}: {order} replaces {other}"
            last[subject_of(order)] = order

    def _settle_lines(self, power: Power, known: list[Order], doubtful: list[list[list[Order]]]) -> list[list[Line]]:
        return settle_lines(self.board, power, known, doubtful, self.rulebook)

    def set_orders(self, power: str, orders: Iterable[str | Order]) -> list[str]:
        """Replace a power's orders for this phase by these, and return them; of two orders for one unit, the later one counts.

        Raises the same errors as `order`, and then changes nothing.
        """
        if isinstance(orders, str):
            raise NotationError(f"the orders of {power} must be a list", suggestion=f"game.set_orders({power!r}, [{orders!r}])")
        return self._add_orders(self._find_power(power), list(orders), [])

    def take_back(self, power: str, *orders: str | Order) -> list[str]:
        """Withdraw orders of a power, for this phase or kept for later ones; return its remaining orders for this phase.

        A unit alone (`"F BRE"`) stands for its order. Raises `NotFoundError` for an order that was not given, and then
        withdraws none.
        """
        found_power = self._find_power(power)
        lists = [given[found_power] for given in (self._orders, *self._early.values()) if given.get(found_power)]
        texts = [text for given in lists for text in given]
        taken_back = {text for order in orders for text in self._match_orders(order, texts, found_power)}
        for given in lists:
            given[:] = [text for text in given if text not in taken_back]
        return self.orders.get(found_power, [])

    def _match_orders(self, order: str | Order, texts: Sequence[str], power: Power) -> list[str]:
        """Return those of a power's order texts to which an order, or a unit's name, refers; raise `NotFoundError` for none."""
        whole, unit = {" ".join(str(order).upper().split())}, ""
        for phase in Phase:
            with suppress(NotationError):
                whole.add(str(parse_orders(str(order), self.map, phase)[0]))
        with suppress(NotationError):
            unit = str(parse_orders(f"{order} H", self.map)[0]).removesuffix(" H")
        found = [text for text in texts if text in whole or (unit and text.startswith(f"{unit} "))]
        if not found:
            hint = f"there are {'; '.join(texts)}" if texts else "the power has given none"
            raise NotFoundError(f"{self.map.name_of(power)} gave no order {order}", suggestion=hint)
        return found

    def clear_orders(self, *powers: str) -> None:
        """Withdraw all orders of these powers (of all powers if none is named), including those for later phases."""
        given = (self._orders, *self._early.values())
        for power in [self._find_power(power) for power in powers] or [power for orders in given for power in orders]:
            for orders in given:
                orders.pop(power, None)

    def _store_early_orders(self, early_orders: Mapping[str, Mapping[Power, Sequence[Order]]], adding: bool) -> list[str]:
        """Store orders by later phase and power, beside earlier ones if `adding`; return remarks on those dropped.

        Several retreats of one unit are alternatives, in order of preference.
        """
        remarks: list[str] = []
        for name, orders_of in early_orders.items():
            phase = {"M": Phase.MOVEMENT, "R": Phase.RETREAT, "A": Phase.ADJUSTMENT}[name[-1]]
            early = self._early.setdefault(name, {})
            for power, orders in orders_of.items():
                before = [parse_order_leniently(text, self.map, phase) for text in early.get(power, ())]
                preferred = orders if phase is Phase.RETREAT else replace_orders((), orders)
                subjects = {subject_of(order) for order in preferred}
                others = [order for order in before if order not in preferred and subject_of(order) not in subjects]
                remarks += [] if adding else [f"{power}: dropped the earlier order {one} for {name}" for one in others]
                early[power] = [*dict.fromkeys(map(str, (*(others if adding else ()), *preferred)))]
        return remarks

    def _find_power(self, name: str) -> Power:
        self._check_going_on()
        if name in self._phase_orders.powers:
            return name
        return parse_power(name, self.map, column=None)

    def _read_orders(self, power: Power, orders: Iterable[str | Order]) -> list[Order]:
        """Parse orders given as texts or values; raise `NotationError` for one that cannot be read or is of another phase."""
        found: list[Order] = []
        for order in orders:
            known = find_known_order(order, self.map, self.board.phase) if isinstance(order, str) else order
            found += (known,) if known is not None else self._read_lines(power, str(order))
        for order in found:
            if not is_order_of(order, self.board.phase):
                raise wrong_phase_error(order, self.board.phase)
        return found

    def _read_lines(self, power: Power, text: str) -> list[Order]:
        """Parse the orders in a text of one or more lines; raise `NotationError`, also for two orders for one unit."""
        units = (*self.board.units, *(lost.unit for lost in self.board.dislodged))
        own = {unit.province for unit in units if unit.power == power}
        lines = [(number, line) for number, line in enumerate(text.splitlines(), start=1) if any(map(str.isalnum, line))]
        found: list[Order] = []
        for number, line in lines if len(lines) > 1 else [(None, text)]:
            try:
                found += parse_orders(line, self.map, self.board.phase, own_places=own)
            except NotationError as error:
                if number or len(text.split()) > _MOST_WORDS or (error.column == 1 and has_order(text, self.map)):
                    error.suggestion = f"game.read_message({power!r}, text) reads orders among other words"
                raise error.add_place(line=number) from None
        for at, order in enumerate(found):
            if other := next((one for one in found[:at] if same_unit(one, order) and one != order), None):
                raise NotationError(f"{other} and {order} are for the same unit", suggestion="give only one of them")
            unit, move = ordered_unit(order), find_move_before(order, found, own)
            if unit and unit.kind is None and move:
                raise NotationError(f"{order} may be a continuation of {move}", suggestion="give only one of them")
        return found

    def _add_via(self, order: Order) -> Order:
        """Return an order with `VIA` added if its path takes an army across sea provinces; any other order unchanged."""
        if not (isinstance(order, Move) and order.route) or order.via_convoy or order.unit.kind is UnitKind.FLEET:
            return order
        unit = self.board.unit_at.get(order.unit.province)
        army = unit is None or unit.kind is UnitKind.ARMY
        by_sea = army and not order.railroad and self.map.convoying.issuperset(order.route)
        return Move(order.unit, order.destination, True, order.route) if by_sea else order

    def _complete_orders(self, power: Power, orders: Sequence[Order]) -> list[Order]:
        """Return orders as they are stored: with units' kinds and coasts and `VIA` added or corrected as the rules allow."""
        if self.board.phase is not Phase.MOVEMENT:
            return [self._correct_kind(power, order) for order in orders]
        orders = [self._add_via(order) for order in orders]
        return [entry.legal or entry.order for entry in judge_orders_alone(self.board, power, orders, self.rulebook)]

    def _correct_kind(self, power: Power, order: Order) -> Order:
        """Return a retreat, disbandment or removal with its unit's actual kind, unless a wrong kind is illegal."""
        if not isinstance(order, Retreat | Disband | Remove) or self.rulebook.wrong_kind is Mistake.ILLEGAL:
            return order
        units = self.board.units if isinstance(order, Remove) else [lost.unit for lost in self.board.dislodged]
        kinds = [unit.kind for unit in units if unit.power == power and unit.province == order.unit.province]
        return replace(order, unit=replace(order.unit, kind=kinds[0])) if order.unit.kind and kinds else order

    @property
    def orderable(self) -> dict[Power, list[str]]:
        """The units and places that each power may order: units, dislodged units, centres to build in, or units to remove."""
        return ByPower({} if self.is_over else {power: list(names) for power, names in self._phase_orders.orderable.items()})

    def legal_orders(self, what: str = "") -> Any:  # noqa: ANN401  # a list, or a dict of lists
        """Return a list of a unit's or centre's legal orders (`"A PAR"`, `"PAR"`, `"Paris"`), or a dict for all of them.

        The orders are computed once per phase. Raises `NotFoundError` for a unit or centre that can get none in this phase; the
        message lists those that can.
        """
        if not what:
            return {} if self.is_over else self._phase_orders.by_unit
        if not self.is_over and what in self._phase_orders.names:
            return list(self._phase_orders.list_orders(what))
        names = [name for names in self.orderable.values() for name in names]
        place = what.split(None, 1)[-1] if what.upper().startswith(("A ", "F ")) else what
        province, hint = None, f"there are orders for {', '.join(names)}" if names else "no power can give orders now"
        try:
            province = province_of(parse_location(place, self.map))
        except InputError as error:
            by_place = {name.split()[-1]: name for name in names}
            near = get_close_matches(place.upper(), by_place, 1)
            hint = f"did you mean {by_place[near[0]]}?" if near else error.suggestion or hint
        for name in names:
            if province_of(name.split()[-1]) == province:
                if place != what and " " in name and name[0] != what[0].upper():
                    raise NotFoundError(f"{what!r} has no orders in {self.phase_name}", suggestion=f"{name} is there")
                return list(self._phase_orders.list_orders(name))
        raise NotFoundError(f"{what!r} has no orders in {self.phase_name}", suggestion=hint)

    @property
    def _phase_orders(self) -> PhaseOrders:
        """The possible orders in the current phase, cached until the position or the rulebook changes."""
        cached = self._kept_orders
        if cached is None or cached.board is not self.board or cached.rules is not self.rulebook:
            cached = self._kept_orders = find_phase_orders(self.board, self.rulebook)
        return cached

    @property
    def missing_orders(self) -> dict[Power, list[str]]:
        """The texts of what each power has not ordered yet: its units, and the number of its builds or removals."""
        return ByPower({} if self.is_over else self._current_phase.missing_orders)

    @property
    def due(self) -> dict[Power, int]:
        """The number of units that each power may build, or must remove if negative, never 0; {} outside adjustment phases."""
        return ByPower({} if self.is_over or self.board.phase is not Phase.ADJUSTMENT else adjustments_due(self.board))

    @property
    def illegal_orders(self) -> dict[Power, dict[str, str]]:
        """The illegal orders given in this phase, by power: each order's text with the reason."""
        if self.is_over:
            return ByPower()
        read = read_orders(self.board, self._orders, lenient=True)
        if self.board.phase is Phase.MOVEMENT:
            entries = {power: judge_orders_alone(self.board, power, given, self.rulebook) for power, given in read.items()}
            reasons = {
                power: {str(one.order): one.reason + self._suggest_correction(power, one.order) for one in alone if one.reason}
                for power, alone in entries.items()
            }
        else:
            try:
                judged = self._current_phase.outcome.judged
            except UnresolvedError:  # some mandatory builds are not ordered yet (4.D.7 b)
                return ByPower()
            reasons = {power: {str(one.order): one.reason for one in own if one.reason} for power, own in judged.items()}
        return ByPower({power: texts for power, texts in reasons.items() if texts})

    def _suggest_correction(self, power: Power, order: Order) -> str:
        """Return ` (did you mean …?)` with the unit or place that an illegal order may have meant; "" if none is likely."""
        own = [unit for unit in self.board.units if unit.power == power]
        unit_name = None if isinstance(order, Decline | Permission) else order.unit
        if unit_name is None or not unit_name.location:
            return ""
        unit = next((unit for unit in own if unit.province == unit_name.province), None)
        hint = suggest_destination(order, unit, self.map) if unit else suggest_unit(order, own, self.map)
        return f" ({hint})" if hint else ""

    @property
    def early_orders(self) -> dict[str, dict[Power, list[str]]]:
        """The orders kept for later phases, by phase name and power."""
        now = self._find_moment(self.board)
        if now is None or self.is_over:
            return {}
        return {moment.name: orders for moment, orders in self._list_early_orders(now) if moment > now}

    @property
    def dropped_orders(self) -> dict[str, dict[Power, list[str]]]:
        """The early orders lost since the last played phase: their phase was skipped, or they are impossible now."""
        before = self._find_moment(self._past[-1].board) if self._past else None
        now = self._find_moment(self.board)
        if before is None or now is None or (self.is_over and not self._ended_by_last_phase):
            return {}
        found = {}
        for moment, orders in self._list_early_orders(now):
            if before < moment and (moment < now or self.is_over):
                found[moment.name] = orders
            elif moment == now and (left := list_undue_orders(self.board, orders)):
                found[moment.name] = left
        return found

    @property
    def _ended_by_last_phase(self) -> bool:
        return self.ending is not None and self.ending == self._find_ending(self._past[-1].board)

    def _find_moment(self, board: Board) -> GamePhase | None:
        return game_phase(board.turn, board.phase) if board.turn else None

    def _list_early_orders(self, current_phase: GamePhase) -> list[tuple[GamePhase, dict[Power, list[str]]]]:
        """List the phases for which orders are kept, in chronological order, each with its orders by power."""
        names = {find_named_phase(read_named_season(name), current_phase, self.map): name for name in self._early}
        kept = {moment: self._early[name] for moment, name in names.items()}
        given = [(moment, {power: list(orders) for power, orders in kept[moment].items() if orders}) for moment in sorted(kept)]
        return [(moment, orders) for moment, orders in given if orders]

    # ---- from phase to phase ----

    def judge(self, phase: str | None = None) -> AnyOutcome:
        """Judge the current phase with the orders given so far, or an earlier phase (`"F1901M"`), and return the outcome.

        The game does not change. Raises `NotFoundError` for a phase that is not in the game, `UnresolvedError` if the rulebook
        has no answer, and `InputError` if the game is over and no phase is named.
        """
        if phase is None:
            self._check_going_on()
        return self.at(phase).outcome

    def next(self) -> AnyOutcome:
        """Judge the orders, move on to the next phase that needs orders, and return the outcome of the judged phase.

        The game ends when a power has enough centres after a Fall turn. Raises `InputError` if the game is already over, and
        `UnresolvedError` if the rulebook has no answer. In both cases the game does not change.
        """
        self._check_going_on()
        self._advance_phase()
        return self._past[-1].outcome

    def undo(self) -> str:
        """Undo a declared end of the game, or else the last phase; restore its orders and return the now current phase's name.

        The orders already given for the undone phase are kept in `early_orders`. Raises `InputError` if there is nothing to
        undo.
        """
        undone, given = self.phase_name, {} if self.is_over else self.orders
        self._step_back()
        if given and self.phase_name != undone:
            self._early.setdefault(undone, {}).update(given)
        return self.phase_name

    def _step_back(self) -> None:
        if self.ending is not None and self.ending.how != "victory" and self.board.turn:
            self.ending = None
        elif self._past:
            last = self._past.pop()
            self.board, self.ending, self._beside = last.board, None, last.saved or last.beside
            self._orders = {power: list(given) for power, given in last.orders.items() if given}
        else:
            hint = "to change orders, give new ones; to take them back, use `satjudge game order FILE --clear`"
            raise InputError(f"there is no phase before {self.phase_name}, the first of the game", suggestion=hint)

    def fork(self, phase: str | None = None, *, name: str = "") -> Game:
        """Return a copy of the game up to its current phase, or up to `phase`, including the orders given in that phase.

        Raises `NotFoundError` for a phase that is not in the game.
        """
        wanted = self.at(phase).phase_name
        branch = Game(self.board, self.rulebook, name=name or self.name, victory=self.victory)
        branch.ending, branch._past, branch._orders = self.ending, list(self._past), self.orders
        branch.retreats_behind_arrow = self.retreats_behind_arrow
        branch._early = {name: dict(early) for name, early in self._early.items()}
        branch._saved, branch._beside, branch._files = self._saved, self._beside, dict(self._files)
        while branch.phase_name != wanted:
            branch._step_back()
        return branch

    def end(self, *winners: str) -> Ending:
        """End the game in a draw (several winners) or a concession (one), or without a winner, and return the ending.

        `undo` reopens the game.
        """
        powers = tuple(dict.fromkeys(self._find_power(power) for power in winners))
        self._check_going_on()
        self.ending = Ending("nobody" if not powers else "concession" if len(powers) == 1 else "draw", powers)
        return self.ending

    def draw(self) -> Ending:
        """End the game as a draw of all powers that own a centre or have an undislodged unit, and return the ending."""
        return self.end(*self.survivors)

    @property
    def winner(self) -> Power | None:
        """The power that won, or to which the others conceded; None while the game goes on, and after a draw."""
        won = self.ending is not None and self.ending.how in ("victory", "concession")
        return self.ending.winners[0] if self.ending and won else None

    @property
    def survivors(self) -> list[Power]:
        """The powers that own a centre or have an undislodged unit, except the map's power that nobody plays."""
        alive = {*self.board.centers.values(), *(unit.power for unit in self.board.units)} - {self.map.nobody}
        return [power for power in dict.fromkeys((*self.map.powers, *sorted(alive))) if power in alive]

    @property
    def units(self) -> dict[Power, list[str]]:
        """The texts of each power's units, except dislodged ones: `{"FRANCE": ["F BRE", "A MAR"]}`."""
        return ByPower(by_power(self.board.units))

    @property
    def centers(self) -> dict[Power, int]:
        """The number of centres that count for each power, including powers with none: `{"FRANCE": 3}`.

        `board.centers` holds the owner of each centre: `{"PAR": "FRANCE"}`.
        """
        return CenterCounts(self.board)

    # ---- questions ----

    def report(self, format: str = "text", phase: str | None = None, *, deadline: str | None = None) -> str:  # noqa: A002
        """Return the game master's report on the last judged phase, or on `phase`, as `text`, `markdown` or `html`.

        `deadline` is the time by which orders are due, in your words: `Sunday 20:00`. Raises `RequestError` for another format
        and `InputError` for a phase that has not been judged yet.
        """
        written: str = load_hook("game_report")(self, format, phase, deadline=deadline)
        return written

    def resolutions(self, phase: str | None = None) -> Resolutions:
        """Return every consistent resolution of a movement phase, or raise `InputError` for another kind of phase."""
        played = self.at(phase)
        if played.board.phase is not Phase.MOVEMENT:
            raise InputError(f"{played.phase_name} has no resolutions: only movement phases do")
        return resolutions_of(played.board, played.outcome.orders, rulebook=self.rulebook)

    def explain(self, order: str, power: str | None = None, *, phase: str | None = None) -> Explanation:
        """Explain the verdict on an order; a unit alone (`"F LON"`) stands for its order.

        Raises `NotFoundError` for an order that was not given.
        """
        outcome, found_power = self.judge(phase), self._parse_asked_power(power)
        with self._name_phase_in_errors(order, phase):
            if isinstance(outcome, Outcome):
                return why(outcome, order, found_power)
            explained = [one for one in self.explanations(phase) if found_power in (None, one.power)]
            return find_explanation(explained, order, outcome.board)

    def what_would_change(self, order: str, power: str | None = None, *, phase: str | None = None) -> WhatWouldChange:
        """Find other orders for other units that would change an order's verdict; `print` shows the result as text.

        A unit alone (`"F LON"`) stands for its order. Raises `NotFoundError` for an order that was not given, and
        `RequestError` for a phase without moves.
        """
        from satjudge.explain.counterfactuals import what_would_change

        played, found_power = self.at(phase), self._parse_asked_power(power)
        with self._name_phase_in_errors(order, phase):
            return what_would_change(played.board, order, found_power, orders=played.outcome.orders, rulebook=self.rulebook)

    def _parse_asked_power(self, power: str | None) -> Power | None:
        """Parse a power's name, or return None if there is none; raise `NotationError`, with a hint if the name is a phase."""
        try:
            return parse_power(power, self.map) if power else None
        except NotationError as error:
            if read_named_season(power or "") == NamedSeason():
                raise
            hint = f"to name a phase, write phase={power!r}"
            raise NotationError(f"{power!r} is a phase, but a power is needed here", suggestion=hint) from error

    @contextmanager
    def _name_phase_in_errors(self, order: str, phase: str | None) -> Iterator[None]:
        """Add to a `NotFoundError` in this block the phase, and the last other phase in which the order was given."""
        try:
            yield
        except NotFoundError as error:
            name = self.at(phase).phase_name
            elsewhere = [played.phase_name for played in self._past if played.phase_name != name and _has_order(played, order)]
            hint = f"it was ordered in {elsewhere[-1]}: phase={elsewhere[-1]!r}" if elsewhere else error.suggestion
            raise NotFoundError(f"{error.message} in {name}", suggestion=hint) from None

    def explanations(self, phase: str | None = None) -> list[Explanation]:
        """Explain the verdict on each order of a phase (by default the current one), and retreats by the moves before them."""
        outcome = self.judge(phase)
        if isinstance(outcome, Outcome):
            return explanations(outcome)
        if isinstance(outcome, RetreatOutcome):
            names = [played.phase_name for played in self._past]
            wanted = self.at(phase).phase_name
            number = names.index(wanted) if wanted in names else len(names)
            moves = self._past[number - 1].outcome if number else None
            return retreat_explanations(outcome, rulebook=self.rulebook, movement=moves if isinstance(moves, Outcome) else None)
        return adjustment_explanations(outcome, rulebook=self.rulebook)

    def __repr__(self) -> str:
        counted = sorted(self.centers.items(), key=lambda entry: -entry[1])
        counts = ", ".join(f"{power} {count}" for power, count in counted if count)
        given = number_of(sum(map(len, self._orders.values())), "order")
        where = f"over, {self.ending}" if self.ending else self.phase_name
        return one_line("Game", f"{self.map.name}, {self.rulebook.name}", where, counts, "" if self.is_over else given)


def _has_order(played: Played, order: str) -> bool:
    """Return whether an order was given in a phase or, if `order` only names a unit, any order for that unit."""
    try:
        wanted, alone = parse_order_or_unit(played.board, order)
    except NotationError:
        return False
    given = [one for orders in read_orders(played.board, played.orders, lenient=True).values() for one in orders]
    return any(one == wanted or (alone and same_unit(one, wanted)) for one in given)


def _make_first_board(game_map: Map) -> Board:
    """Return the position in which a game begins: a build phase if the map gives the players no units."""
    board = starting_board(game_map)
    if all(unit.power == game_map.nobody for unit in board.units) and adjustments_due(board):
        return replace(board, phase=Phase.ADJUSTMENT, turn=Turn(game_map.first_year - 1, Season.FALL))
    return board
