"""Judges a phase, or a case of a sheet: a board, orders and a rulebook give an outcome."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from satjudge.base.errors import InputError, NotationError, RequestError, SatjudgeError, SheetError, UnresolvedError
from satjudge.base.values import brief
from satjudge.judging.adjustments import AdjustmentOutcome, judge_adjustments
from satjudge.judging.equations.situation import Situation, build_situation
from satjudge.judging.fast_path import judge_by_kernel
from satjudge.judging.legality import make_docket
from satjudge.judging.outcome import KernelOutcome, Outcome
from satjudge.judging.retreats import RetreatOutcome, judge_retreats
from satjudge.judging.solve import Engine, adjudicate
from satjudge.judging.solve.result import Adjudication, Limits, Resolutions
from satjudge.notation.parse import known_orders, parse_order, parse_order_leniently, parse_power
from satjudge.world.board import Board, Phase, group_pairs
from satjudge.world.geography import Power, province_of
from satjudge.world.orders import Hold, Order, Orders, places_named
from satjudge.world.rules import DEFAULT_RULES, Rulebook, load_rulebook

if TYPE_CHECKING:  # judging boards needs no sheets
    from satjudge.notation.sheets import Sheet

T = TypeVar("T")
AnyOutcome = Outcome | RetreatOutcome | AdjustmentOutcome
"""An outcome of a phase of any kind."""
GivenOrders = Mapping[str, Sequence[Order | str]]
"""The orders of each power as values or as text in either notation; the power by any of its names (`France`, `FRANCE`)."""


def judge(
    board: Board,
    orders: GivenOrders,
    *,
    rulebook: Rulebook | str | None = None,
    engine: Engine = Engine.STAGED,
    limits: Limits = Limits(),  # noqa: B008  # frozen
    lenient: bool = False,
) -> Outcome:
    """Judge a movement phase by a rulebook or the default one; return the outcome; if `lenient`, unreadable orders are illegal.

    The outcome names powers as the map does (`FRANCE`). If `lenient`, unreadable orders are illegal, with the reason; otherwise
    they raise `NotationError`, as unreadable powers always do. Raises `BoardError` for an impossible board and
    `UnresolvedError` for a core that the rulebook does not settle.
    """
    _check_board(board)
    rules = find_rulebook(rulebook)
    by_kernel = _ask_kernel(board, orders, rules, engine, limits)
    if by_kernel is None:
        return _judge_given_orders(board, orders, rules, engine, limits, lenient)
    copied = _copy_orders(orders)
    return Outcome.from_kernel(board, by_kernel, lambda: _judge_given_orders(board, copied, rules, engine, limits, lenient))


def warm_up_caches(board: Board, rules: Rulebook) -> None:
    """Judge holds in a movement phase, once for its map and rules, so that what every such phase needs is cached."""
    ready: set[Rulebook] = board.map.cache.setdefault(warm_up_caches, set())
    if board.phase is Phase.MOVEMENT and board.units and rules not in ready:
        ready.add(rules)
        holding = group_pairs((unit.power, Hold(unit.named)) for unit in board.units if unit.power != board.map.nobody)
        judge(board, holding, rulebook=rules).results  # noqa: B018  # computes the results, which are made on first use


def _ask_kernel(board: Board, orders: GivenOrders, rules: Rulebook, engine: Engine, limits: Limits) -> KernelOutcome | None:
    """Judge a movement phase with the compiled kernel, and return its outcome; None if Python must judge it."""
    has_choice = engine is Engine.STAGED and limits == _NO_LIMITS and isinstance(orders, Mapping)
    return judge_by_kernel(board, orders, rules) if has_choice else None


def _copy_orders(orders: Mapping[str, Sequence[T]]) -> dict[str, tuple[T, ...]]:
    """Return the orders with each list as a tuple, as the caller may change its lists before an outcome is completed."""
    return {power: tuple(given) for power, given in orders.items()}


_NO_LIMITS = Limits()


def _judge_given_orders(
    board: Board, orders: GivenOrders, rules: Rulebook, engine: Engine, limits: Limits, lenient: bool
) -> Outcome:
    read = read_orders(board.ensure_possible(), orders, lenient=lenient)
    return _judge_movement(board, read, rules, engine, limits)


def _judge_movement(board: Board, orders: Orders, rules: Rulebook, engine: Engine, limits: Limits) -> Outcome:
    docket = make_docket(board, orders, rules)
    return Outcome(board, docket, adjudicate(build_situation(board, docket, rules), engine, limits), engine)


def read_situation(board: Board, orders: GivenOrders, *, rulebook: Rulebook | str | None = None) -> Situation:
    """Return the situation of a movement phase with these orders, without solving it; raises what `judge` raises."""
    rules = find_rulebook(rulebook)
    return build_situation(board, make_docket(board, read_orders(board.ensure_possible(), orders), rules), rules)


def find_rulebook(rulebook: Rulebook | str | None) -> Rulebook:
    """Return a rulebook itself, the one with this name or `.toml` file, or the default for None; raises `RulebookError`."""
    return rulebook if isinstance(rulebook, Rulebook) else load_rulebook(rulebook or DEFAULT_RULES)


def resolutions(
    board: Board,
    orders: GivenOrders,
    *,
    rulebook: Rulebook | str | None = None,
    engine: Engine = Engine.STAGED,
    limits: Limits = Limits(),  # noqa: B008  # frozen
) -> Resolutions:
    """Return all consistent resolutions of a movement phase before any backup rule, which you can iterate over and count.

    This also works if the rulebook does not settle some core.
    """
    _check_board(board)
    rules = find_rulebook(rulebook)
    try:
        return _judge_movement(
            board, read_orders(board.ensure_possible(), orders), rules, engine, limits
        ).adjudication.resolutions
    except UnresolvedError as error:
        found: Resolutions = error.resolutions
        return found


def iter_outcomes(all_resolutions: Resolutions, orders: Orders, assignments: Iterable[Sequence[bool]]) -> Iterator[Outcome]:
    """Yield the outcome of the orders for each of these assignments, which are resolutions that need no backup rule."""
    situation = all_resolutions.situation
    docket = make_docket(situation.board, orders, situation.rulebook)
    for values in assignments:
        yield Outcome(situation.board, docket, Adjudication(situation, tuple(values), (), all_resolutions))


def judge_phase(
    board: Board,
    orders: GivenOrders,
    *,
    rulebook: Rulebook | str | None = None,
    engine: Engine = Engine.STAGED,
    lenient: bool = False,
) -> AnyOutcome:
    """Judge a phase of any kind and return its outcome; raises what `judge` raises."""
    _check_board(board)
    if board.phase is Phase.MOVEMENT:
        return judge(board, orders, rulebook=rulebook, engine=engine, lenient=lenient)
    rules = find_rulebook(rulebook)
    return judge_without_kernel(board, read_orders(board.ensure_possible(), orders, lenient=lenient), rules, engine)


def judge_parsed_orders(
    board: Board,
    orders: Orders,
    rulebook: Rulebook,
    engine: Engine = Engine.STAGED,
    limits: Limits = Limits(),  # noqa: B008  # frozen
) -> AnyOutcome:
    """Judge a phase of any kind by orders that are already values, and return its outcome.

    As in a batch line, the powers need not be on the map.
    """
    if board.phase is not Phase.MOVEMENT:
        return judge_without_kernel(board, orders, rulebook, engine, limits)
    by_kernel = _ask_kernel(board, orders, rulebook, engine, limits)
    if by_kernel is None:
        return judge_without_kernel(board, orders, rulebook, engine, limits)
    copied = _copy_orders(orders)
    return Outcome.from_kernel(
        board, by_kernel, lambda: _judge_movement(board.ensure_possible(), copied, rulebook, engine, limits)
    )


def judge_without_kernel(
    board: Board,
    orders: Orders,
    rulebook: Rulebook,
    engine: Engine = Engine.STAGED,
    limits: Limits = Limits(),  # noqa: B008  # frozen
) -> AnyOutcome:
    """Judge a phase as `judge_parsed_orders` does, but never by the kernel, for callers that need the whole outcome."""
    board = board.ensure_possible()
    if board.phase is Phase.RETREAT:
        return judge_retreats(board, orders, rulebook=rulebook)
    if board.phase is Phase.ADJUSTMENT:
        return judge_adjustments(board, orders, rulebook=rulebook)
    return _judge_movement(board, orders, rulebook, engine, limits)


@dataclass(frozen=True)
class Judgement:
    """The judgement of a case by a rulebook: its outcome or an error, and the outcome of its retreats if it has any."""

    sheet: Sheet
    rulebook: Rulebook
    engine: Engine
    outcome: AnyOutcome | None
    retreats: RetreatOutcome | None = None
    error: SatjudgeError | None = None
    """The error if the rulebook does not settle a core (`UnresolvedError`), or if the engine cannot judge the case."""

    __repr__ = brief

    @property
    def unresolved_error(self) -> UnresolvedError | None:
        """The error for a core that the rulebook does not settle, or None."""
        return self.error if isinstance(self.error, UnresolvedError) else None

    def require_outcome(self) -> AnyOutcome:
        """Return the outcome of the case, or raise its error if it has no outcome."""
        if self.outcome is None:
            assert self.error is not None
            raise self.error
        return self.outcome

    def require_movement(self) -> Outcome:
        """Return the outcome of the case's movement phase, or raise its error if it has no outcome."""
        outcome = self.require_outcome()
        assert isinstance(outcome, Outcome)
        return outcome

    @property
    def adjudication(self) -> Adjudication | None:
        """The adjudication of the movement phase; None for another phase or without an outcome."""
        return self.outcome.adjudication if isinstance(self.outcome, Outcome) else None

    @property
    def resolutions(self) -> Resolutions:
        """The consistent resolutions of the movement phase; raises the error if the engine could not judge it."""
        return self.unresolved_error.resolutions if self.unresolved_error else self.require_movement().adjudication.resolutions


def judge_case(
    sheet: Sheet,
    rulebook: Rulebook,
    engine: Engine = Engine.STAGED,
    limits: Limits = Limits(),  # noqa: B008  # frozen
) -> Judgement:
    """Judge a case and its retreats, and record an unsettled core or an engine's limit as an error; raises `InputError`."""
    _check_ordered_units(sheet)
    orders, retreats = read_orders(sheet.board.ensure_possible(), sheet.orders_by_power()), None
    try:
        outcome = judge_without_kernel(sheet.board, orders, rulebook, engine, limits)
        if sheet.has_retreats and isinstance(outcome, Outcome):
            retreats = judge_retreats(outcome.retreat_board, sheet.retreats_by_power(), rulebook=rulebook)
    except InputError:
        raise
    except SatjudgeError as error:
        return Judgement(sheet, rulebook, engine, None, None, error)
    return Judgement(sheet, rulebook, engine, outcome, retreats)


def _check_ordered_units(sheet: Sheet) -> None:
    """Raise `SheetError` if an order is for one of several alternative units, as in `A Bud or Vie S A Ser`."""
    lines = {entry.line for entry in sheet.orders}
    for text, (line, column) in zip(sheet.notes.get("either", ()), sheet.note_lines.get("either", ()), strict=True):
        if line in lines:
            message, hint = f"{text!r} names several units", "name one of them; only `satjudge prove` considers each"
            raise SheetError(message, source=sheet.source_file, line=line, column=column, suggestion=hint)


def read_orders(board: Board, orders: GivenOrders, *, lenient: bool = False) -> dict[Power, list[Order]]:
    """Return each power's orders as values for the board's phase, by its name on the map; if `lenient`, also unreadable ones.

    Raises `NotationError` for a power that is not on the map and has nothing on the board, and for an order that cannot be
    read. If `lenient`, such an order becomes an `Unreadable` one.
    """
    known = known_orders(board.map, board.phase)
    read = parse_order_leniently if lenient else parse_order

    def read_order(order: Order | str) -> Order:
        if not isinstance(order, str):
            return _check_places(board, order)
        return known.get(order) or read(order, board.map, board.phase)

    found: dict[Power, list[Order]] = {}
    for power, given in group_by_power(board, orders).items():
        found[power] = []
        try:
            for order in given:
                found[power].append(read_order(order))
        except NotationError as error:
            raise error.add_place(source=f"order {len(found[power]) + 1} of {power}") from None
    return found


def group_by_power(board: Board, orders: Mapping[str, Iterable[T]]) -> dict[Power, Iterable[T]]:
    """Return the orders under the map's or the board's name of each power; raises `NotationError` for two names of a power."""
    if not isinstance(orders, Mapping):
        raise NotationError(f"give orders by power, not as {orders!r:.60}", suggestion='write {"FRANCE": ["A PAR - BUR"]}')
    found: dict[Power, Iterable[T]] = {}
    for name, given in orders.items():
        power = name if name in board.map.power_names else _find_power(board, name)
        if not isinstance(given, list) and (isinstance(given, str) or not isinstance(given, Iterable)):
            hint = f"write [{given!r}]" if given else "write [] if there are none"
            raise NotationError(f"the orders of {power} must be a list", suggestion=hint)
        if power in found:
            raise NotationError(f"{power} has orders under two names, one of them {name!r}")
        found[power] = given
    return found


def _find_power(board: Board, name: str) -> Power:
    """Return the power with this name, in any spelling, on the board or on the map; raises `NotationError`."""
    units = (*board.units, *(lost.unit for lost in board.dislodged))
    if name in {*board.centers.values(), *(unit.power for unit in units)}:
        return name
    return parse_power(str(name), board.map, column=None)


def _check_board(board: object) -> None:
    """Raise `RequestError` if the argument is not a `Board` (but, for instance, a mapping of units by power)."""
    if not isinstance(board, Board):
        hint = '`Position.of({"FRANCE": ["A PAR - BUR"]}).judge()` places each unit where it is ordered'
        raise RequestError(f"expected a Board, not {type(board).__name__}", suggestion=hint)


def _check_places(board: Board, order: Order) -> Order:
    try:
        places = places_named(order)
    except AttributeError:
        raise NotationError(f"{order!r:.60} is not an order", suggestion="write it as text: 'A PAR - BUR'") from None
    for location in places:
        if province_of(location) not in board.map.provinces:
            raise NotationError(f"{order} names {location}: there is no such province on this map")
    return order
