"""Finds orders that fulfil a wish several seasons ahead, whatever the other powers order, or proves that none exist.

    lookahead = Lookahead(Wish(powers, goal, rulebook), time_left)
    solved = lookahead.solve(PositionAhead(board, seasons=2))
    solved.orders                        # the orders to give now, or None if each set of orders is defeated by a reply
    lookahead.make_plan(solved)          # the orders for every position that may follow

A position is won if some own orders lead to a won position whatever the other powers order. In every phase (moves, retreats,
and adjustments after Fall) both sides write their orders without knowing the other side's.

Moves are handled as in `satjudge.search.guarantees.one_season`, with proposals and replies. There, a formula states the wish.
Here, the won positions are learned: every solved position adds a clause to encodings that need the opposite result, to forbid
outcomes that lead there. Solved positions are cached. Retreats and adjustments have few choices, so all are played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, combinations, islice, product

from satjudge.base.errors import InputError
from satjudge.base.values import brief
from satjudge.judging.judge import judge_parsed_orders
from satjudge.judging.legal_orders import legal_orders
from satjudge.judging.outcome import Outcome
from satjudge.search.formulas.clauses import TRUE, Formula, Literal
from satjudge.search.formulas.cpsat import Solver
from satjudge.search.goals.goal import Goal
from satjudge.search.goals.judged_position import JudgedSeasons
from satjudge.search.goals.outcomes import is_retreat_barred
from satjudge.search.goals.wishes import is_about_dislodgement
from satjudge.search.guarantees.one_season import (
    GuaranteeFinding,
    OrderChoices,
    OrderSet,
    OutOfTimeError,
    TimeLeft,
    WishTable,
    check_time,
    find_guarantee,
    group_by_power,
)
from satjudge.search.guarantees.playout import MOST_PAIRS, OrderTable, find_by_playout, make_order_table, outcome_key
from satjudge.search.open_orders.encoding import Encoding
from satjudge.world.board import Board, Phase, Unit
from satjudge.world.geography import Location, Power, province_of
from satjudge.world.orders import Build, Decline, Order, Orders
from satjudge.world.rules import Rulebook
from satjudge.world.rules.rulebook import Declining
from satjudge.world.seasons import adjustments_due, next_board

MOST_KEPT = 300_000
"""The largest number of cached order sets and judged pairs; with more, the cache is cleared."""


@dataclass(frozen=True)
class Wish:
    """A goal that some powers share after several seasons, with an assumption about the other powers' orders."""

    powers: tuple[Power, ...]
    goal: Goal
    rulebook: Rulebook
    assumed: Goal | None = None

    @cached_property
    def is_about_past(self) -> bool:
        """True if the wish depends on units that are dislodged on the way, not only on the final position."""
        return is_about_dislodgement(self.goal)

    def is_met(self, final_board: Board, dislodged: Iterable[Unit]) -> bool:
        """Return whether the wish is fulfilled by the final board and the units dislodged on the way."""
        return self.goal.holds(JudgedSeasons(final_board, final_board, dislodged, self.rulebook))

    def get_sides(self, board: Board) -> tuple[tuple[Power, ...], tuple[Power, ...]]:
        """Return the powers that have the wish, then all other powers with units or centres on the board."""
        present_powers = dict.fromkeys((*(unit.power for unit in board.units), *(lost.unit.power for lost in board.dislodged)))
        present_powers |= dict.fromkeys(board.centers.values())
        return self.powers, tuple(power for power in present_powers if power not in self.powers)


@dataclass(frozen=True)
class PositionAhead:
    """A position, the number of movement phases to come, and the units dislodged on the way if the wish depends on them."""

    board: Board
    seasons: int
    dislodged: frozenset[Unit] = frozenset()

    @property
    def is_over(self) -> bool:
        """Return whether all movement phases and their retreats are over; builds afterwards do not matter."""
        return self.seasons == 0 and self.board.phase is not Phase.RETREAT

    @cached_property
    def key(self) -> object:
        """A key that is equal for positions with the same possible futures."""
        board = self.board
        lost = frozenset((one.unit, one.retreats) for one in board.dislodged)
        season = board.turn and board.turn.season
        centers = frozenset(board.centers.items())
        return frozenset(board.units), lost, centers, board.phase, season, self.seasons, self.dislodged

    def apply_outcome(self, outcome: Outcome, wish: Wish) -> PositionAhead:
        """Return the position after the outcome of a movement phase, with one season fewer to play."""
        lost = (one.unit for one in outcome.dislodgements.values()) if wish.is_about_past else ()
        board = next_board(self.board, outcome.units, outcome.retreat_board.dislodged)
        return PositionAhead(board, self.seasons - 1, self.dislodged.union(lost))

    def apply_orders(self, orders: Orders, wish: Wish) -> PositionAhead:
        """Judge these orders in the position's phase (moves, retreats or adjustments), and return the next position."""
        outcome = judge_parsed_orders(self.board, orders, wish.rulebook)
        return self.apply_outcome(outcome, wish) if isinstance(outcome, Outcome) else replace(self, board=outcome.next_board)


@dataclass(frozen=True)
class SolvedPosition:
    """A solved position: orders that win it (None if there are none) and, for a movement phase, the finding."""

    position: PositionAhead
    orders: Orders | None
    finding: GuaranteeFinding | None = None
    defeats: tuple[tuple[Orders, Orders], ...] = ()
    """For retreats and adjustments, each set of own orders with a reply that defeats it."""

    @property
    def is_won(self) -> bool:
        """Return whether the wish can be guaranteed from the position."""
        return self.orders is not None

    @property
    def defeat(self) -> Orders:
        """For a lost position, own orders together with the reply that defeats them, by power."""
        if self.finding is None:
            own, reply = self.defeats[-1]
            return {**own, **reply}
        found_defeat = self.finding.defeats[self.finding.example]
        return group_by_power(found_defeat.own, found_defeat.reply)


class Lookahead:
    """A search over the positions on the way to a wish, each of which is solved once."""

    def __init__(
        self,
        wish: Wish,
        time_left: TimeLeft = lambda: None,
        on_position: Callable[[], None] = lambda: None,
        *,
        most_pairs: int = MOST_PAIRS,
    ) -> None:
        self.wish = wish
        self.most_pairs = most_pairs
        self.time_left = time_left
        self.on_position = on_position
        self.solved: dict[object, SolvedPosition] = {}
        self.order_tables: dict[object, OrderTable | None] = {}

    def solve(self, position: PositionAhead, kept_orders: OrderSet | None = None) -> SolvedPosition:
        """Solve a position: find orders that guarantee the wish, or a defeat of each set of orders; solutions are cached.

        Raises `OutOfTimeError`. Units in `kept_orders` must have these orders in this phase.
        """
        found = self.solved.get(position.key)
        if found is None:
            found = self._solve_phase(position, kept_orders or {})
            self.solved[position.key] = found
            self.on_position()
        return found

    def _solve_phase(self, position: PositionAhead, kept_orders: OrderSet) -> SolvedPosition:
        if position.is_over:
            return SolvedPosition(position, {} if self.wish.is_met(position.board, position.dislodged) else None)
        if position.board.phase is not Phase.MOVEMENT:
            return self._play_all_orders(position)
        wish = self.wish
        power, *allies = wish.powers
        table = SeasonTable(
            position.board,
            power,
            wish.goal,
            wish.rulebook,
            tuple(allies),
            kept_orders,
            wish.assumed,
            position=position,
            lookahead=self,
        )
        found = self._solve_moves(table)
        if found.undecided:
            raise OutOfTimeError
        return SolvedPosition(position, None if found.orders is None else group_by_power(found.orders), found)

    def _solve_moves(self, table: SeasonTable) -> GuaranteeFinding:
        if table.order_table is None:
            return find_guarantee(table, time_left=self.time_left)
        return find_by_playout(table, table.order_table, table.is_won_after, self.time_left)

    def get_order_table(self, table: SeasonTable) -> OrderTable | None:
        """Return the table of both sides' orders, which is cached; None if there are too many orders to play out."""
        key = frozenset(table.board.units), frozenset(table.kept_orders.items())
        if key not in self.order_tables:
            if sum(map(len, filter(None, self.order_tables.values()))) > MOST_KEPT:
                self.order_tables.clear()
            self.order_tables[key] = make_order_table(table, self.most_pairs)
        return self.order_tables[key]

    def _play_all_orders(self, position: PositionAhead) -> SolvedPosition:
        """Solve a retreat or adjustment phase by playing all own orders against every reply."""
        own, others = self.wish.get_sides(position.board)
        replies = list_plays(position.board, others, self.wish.rulebook)
        defeats = []
        for play in list_plays(position.board, own, self.wish.rulebook):
            check_time(self.time_left)
            lost = (reply for reply in replies if not self.solve(position.apply_orders({**play, **reply}, self.wish)).is_won)
            reply = next(lost, None)
            if reply is None:
                return SolvedPosition(position, play)
            defeats.append((play, reply))
        return SolvedPosition(position, None, defeats=tuple(defeats))

    def make_plan(self, solved: SolvedPosition) -> list[SolvedPosition]:
        """Solve every position that may follow a won one; return each once, with its winning orders, without the first.

        Raises `OutOfTimeError`.
        """
        seen, coming = {solved.position.key}, [solved]
        for entry in coming:
            for position in self.iter_successors(entry):
                if position.key not in seen and not position.is_over:
                    seen.add(position.key)
                    coming.append(self.solve(position))
        return coming[1:]

    def iter_line_of_play(self, solved: SolvedPosition) -> Iterator[tuple[PositionAhead, Orders]]:
        """Yield each position of a lost game with both sides' orders by power; the last position has no orders.

        Each reply defeats the own orders. Raises `OutOfTimeError`.
        """
        position = solved.position
        while not position.is_over:
            orders = self.solve(position).defeat
            yield position, orders
            position = position.apply_orders(orders, self.wish)
        yield position, {}

    def iter_successors(self, solved: SolvedPosition) -> Iterator[PositionAhead]:
        """Yield the positions to which a won position's winning orders may lead, perhaps without those with no orders left.

        Positions after a last season without dislodgements are left out, since no orders are left to give there.
        """
        assert solved.orders is not None
        if solved.finding is not None:
            assert isinstance(solved.finding.table, SeasonTable)
            assert solved.finding.orders is not None
            yield from solved.finding.table.iter_successors(solved.finding.orders)
            return
        _, others = self.wish.get_sides(solved.position.board)
        for reply in list_plays(solved.position.board, others, self.wish.rulebook):
            yield solved.position.apply_orders({**solved.orders, **reply}, self.wish)


def look_ahead(lookahead: Lookahead, table: WishTable, seasons: int) -> GuaranteeFinding:
    """Return what a table's powers can guarantee after `seasons` seasons; the table's kept orders are for the first one."""
    try:
        found = lookahead.solve(PositionAhead(table.board, seasons), table.kept_orders).finding
    except OutOfTimeError:
        return GuaranteeFinding(table, None, undecided=True)
    assert found is not None
    return found


@dataclass(frozen=True)
class SeasonTable(WishTable):
    """A movement phase on the way to a wish; the wish counts as met if the next position is won."""

    position: PositionAhead = field(kw_only=True)
    lookahead: Lookahead = field(kw_only=True)
    known: dict[object, tuple[Outcome, bool]] = field(default_factory=dict)
    """One outcome of each kind seen so far, and whether the position after it is won."""
    asked: list[tuple[Encoding, Literal, bool]] = field(default_factory=list)
    """Encodings whose next position must be won (true) or lost (false) if the literal holds."""

    __repr__ = brief
    simplifies = False

    @cached_property
    def order_table(self) -> OrderTable | None:
        """The table of both sides' orders; None if there are too many, so that a solver is used instead."""
        return self.lookahead.get_order_table(self)

    @cached_property
    def side_units(self) -> tuple[Unit, ...]:
        """The units of the power and its allies; empty if they have lost all."""
        return tuple(unit for unit in self.board.units if unit.power in self.powers)

    def is_met(self, *orders: OrderSet) -> bool:
        """Judge these orders; return whether the next position is won or the assumption broken; false if unresolved."""
        judged = self.judge_orders(*orders)
        if self.assumed is not None and not self.assumed.holds(judged):
            return True
        if judged.outcome is None:
            return False
        sort = outcome_key(judged.outcome)
        if sort in self.known:
            return self.known[sort][1]
        won = self.is_won_after(judged.outcome)
        self.known[sort] = judged.outcome, won
        for entry in self.asked:
            self._exclude_outcome(*entry, judged.outcome, won)
        return won

    def is_known_unmet(self, *orders: OrderSet) -> bool:
        """Return whether the position after these orders is already known to be lost, without solving it."""
        judged = self.judge_orders(*orders)
        if judged.outcome is None or (self.assumed is not None and not self.assumed.holds(judged)):
            return False
        solved = self.lookahead.solved.get(self.position.apply_outcome(judged.outcome, self.lookahead.wish).key)
        return solved is not None and not solved.is_won

    def is_won_after(self, outcome: Outcome) -> bool:
        """Solve the position after an outcome, and return whether it is won; raises `OutOfTimeError`."""
        return self.lookahead.solve(self.position.apply_outcome(outcome, self.lookahead.wish)).is_won

    def iter_successors(self, own_orders: OrderSet) -> Iterator[PositionAhead]:
        """Yield the positions to which these own orders may lead, perhaps without those with no orders left to give."""
        outcomes = (
            self.order_table.iter_outcomes(own_orders) if self.order_table is not None else self._iter_outcomes(own_orders)
        )
        return (self.position.apply_outcome(outcome, self.lookahead.wish) for outcome in outcomes)

    def _iter_outcomes(self, own_orders: OrderSet) -> Iterator[Outcome]:
        """Yield an outcome of every kind that these own orders can have; in the last season, only those with dislodgements."""
        formula = Formula()
        others = OrderChoices(self, self.other_units, formula)
        encoding = self.encode_orders(formula, own_orders, (others,))
        if self.position.seasons == 1:
            formula.require(*(encoding.dislodged(unit.province) for unit in self.board.units))
        if self.assumed is not None:
            formula.require(self.assumed.literal(encoding))
        solver, seen = Solver(formula, workers=1), set[object]()
        while (answer := solver.decide(timeout=self.lookahead.time_left())).values is not None:
            reply = others.read_orders(answer.holds)
            outcome = self.judge_orders(own_orders, reply).outcome
            assert outcome is not None  # otherwise the orders would not win
            sort = outcome_key(outcome)
            if sort in seen:  # the encoding gives another result than the judge
                formula.require(*(-part for part in others.list_literals(reply)))
            else:
                seen.add(sort)
                formula.require(-outcome_literal(encoding, outcome))
                yield outcome
        if not answer.exhausted:
            raise OutOfTimeError

    def require_met(self, encoding: Encoding, counts: Literal) -> None:
        """Require, if `counts` holds, that the outcome does not lead to a position known, now or later, to be lost."""
        self._exclude_known(encoding, counts, must_win=True)

    def require_unmet(self, encoding: Encoding) -> None:
        """Require that the outcome does not lead to a position known, now or later, to be won."""
        self._exclude_known(encoding, TRUE, must_win=False)

    def _exclude_known(self, encoding: Encoding, counts: Literal, *, must_win: bool) -> None:
        self.asked.append((encoding, counts, must_win))
        for outcome, won in self.known.values():
            self._exclude_outcome(encoding, counts, must_win, outcome, won)
        if (
            self.position.seasons == 1 and not self.lookahead.wish.is_about_past
        ):  # without retreats the game ends after the moves
            literal = self.goal.literal(encoding)
            retreats = encoding.any_of(encoding.dislodged(unit.province) for unit in self.board.units)
            encoding.formula.require(-counts, retreats, literal if must_win else -literal)

    def _exclude_outcome(self, encoding: Encoding, counts: Literal, must_win: bool, outcome: Outcome, won: bool) -> None:
        if won is not must_win:
            encoding.formula.require(-counts, -outcome_literal(encoding, outcome))


def outcome_literal(encoding: Encoding, outcome: Outcome) -> Literal:
    """Return the literal that holds if the encoded outcome is of the same kind as this one (see `outcome_key`)."""
    standing = (_stands_literal(encoding, unit) for unit in outcome.units)
    lost = (_iter_retreat_literals(encoding, entry.unit, entry.retreats) for entry in outcome.dislodgements.values())
    return encoding.all_of(chain(standing, *lost))


def _stands_literal(encoding: Encoding, unit: Unit) -> Literal:
    """Return the literal that holds if a unit of this power and kind stands at this location after the moves."""
    board, place = encoding.orders.situation.board, encoding.orders.situation.places.get(unit.province)
    arriving = (
        encoding.move(move)
        for move in (place.moves_in if place else ())
        if move.order.destination == unit.location and _has_same_kind(board.unit_at[move.origin.province], unit)
    )
    stays = encoding.all_of((encoding.stays(unit.province), -encoding.is_entered(unit.province)))
    return encoding.any_of((*arriving, *([stays] if board.unit_at.get(unit.province) == unit else [])))


def _has_same_kind(one: Unit, other: Unit) -> bool:
    return (one.power, one.kind) == (other.power, other.kind)


def _iter_retreat_literals(encoding: Encoding, unit: Unit, retreats: Sequence[Location]) -> Iterator[Literal]:
    """Yield literals that together hold if the unit is dislodged and may retreat to exactly these places."""
    yield encoding.dislodged(unit.province)
    free = {province_of(place) for place in retreats}
    for province in sorted({province_of(place) for place in encoding.orders.map.exits(unit.kind, unit.location)}):
        literal = is_retreat_barred(encoding, unit.province, province)
        yield -literal if province in free else literal


# ---- retreats and adjustments ----


MOST_PLAYS = 50_000
"""The largest number of order sets of one side that are tried one by one in a phase."""


def list_plays(board: Board, powers: Iterable[Power], rulebook: Rulebook) -> list[dict[Power, list[Order]]]:
    """List every way in which these powers can give orders in the board's phase, each as orders by power.

    Raises `InputError` if there are too many.
    """
    found = list(islice(_list_plays(board, powers, rulebook), MOST_PLAYS + 1))
    if len(found) > MOST_PLAYS:
        message = f"there are more than {MOST_PLAYS:,} ways to give orders in the {board.phase} phase, too many to try them all"
        raise InputError(message, suggestion="use a smaller board, or --region")
    return found


def _list_plays(board: Board, powers: Iterable[Power], rulebook: Rulebook) -> Iterator[dict[Power, list[Order]]]:
    orders_by_power = legal_orders(board, rulebook)
    due = adjustments_due(board) if board.phase is Phase.ADJUSTMENT else {}
    of_powers = []
    for power in powers:
        if power in orders_by_power:
            choices = list(orders_by_power[power].values())
            of_powers.append(
                [(power, play) for play in (_iter_adjustments(choices, due[power], rulebook) if due else product(*choices))]
            )
    return ({power: list(play) for power, play in chosen} for chosen in product(*of_powers))


def _iter_adjustments(choices: Sequence[Sequence[Order]], due: int, rulebook: Rulebook) -> Iterator[tuple[Order, ...]]:
    """Yield every choice of `-due` removals if `due` < 0, else of up to `due` builds (exactly, if none may be declined)."""
    if due < 0:
        removals = list(chain.from_iterable(choices))
        yield from combinations(removals, -due)
        return
    for number in range(due, -1, -1):
        declined: list[Order] = [Decline()] * (due - number)
        for sites in combinations(choices, number):
            builds = ([order for order in site if isinstance(order, Build)] for site in sites)
            yield from ((*chosen, *declined) for chosen in product(*builds))
        if rulebook.declining is not Declining.ALLOWED:
            return
