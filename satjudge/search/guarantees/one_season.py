"""Finds orders of a power that fulfil a wish against any orders of the other powers, or proves that none exist.

    finding = find_guarantee(WishTable(board, power, parse_wish(wish, board, power), rulebook))
    finding.orders                       # orders that no reply defeats, or None
    finding.defeats                      # replies; each set of orders is defeated by one of them

The search proposes own orders that meet the wish against every reply found so far; each reply has its own encoding of the
resolution. Then a solver looks for a reply that defeats them, or proves that none exists. Encodings allow at least the outcomes
that the judge may find, so *none* is a proof. Proposals are judged, and excluded if the judge disagrees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import ClassVar

from satjudge.base.errors import InputError
from satjudge.base.values import brief
from satjudge.judging.backup import list_overridable_kinds
from satjudge.judging.legality import make_docket
from satjudge.judging.outcome import Outcome
from satjudge.search.formulas.clauses import TRUE, Formula, Literal
from satjudge.search.formulas.cpsat import Answer, Solver
from satjudge.search.goals.goal import Goal
from satjudge.search.goals.judged_position import Judged
from satjudge.search.goals.outcomes import DislodgedGoal, OccupiedGoal
from satjudge.search.goals.wishes import list_own_units
from satjudge.search.open_orders.encoding import Choice, Encoding, make_known_powers
from satjudge.search.open_orders.proposal import Proposal, complete_order, find_accepted, find_minimal_subset, make_hold
from satjudge.search.open_orders.rulings import require_circular_movement, require_cycles
from satjudge.search.open_orders.same_power import require_one_per_key
from satjudge.search.open_orders.universe import Spot, Universe, check_board
from satjudge.world.board import Board, Unit, group_pairs
from satjudge.world.geography import Power, province_of
from satjudge.world.orders import Hold, MovementOrder, SupportHold
from satjudge.world.rules import Rulebook
from satjudge.world.rules.rulebook import DisorderSupport, ParadoxRule

OrderSet = Mapping[Unit, MovementOrder]
"""One order for each unit of a set."""


def group_by_power(*orders: OrderSet) -> dict[Power, list[MovementOrder]]:
    """Return the orders of all these sets by power."""
    return group_pairs((unit.power, order) for part in orders for unit, order in part.items())


@dataclass(frozen=True)
class WishTable:
    """The question about a wish: the board, the power that has the wish, the wish as a goal, and the rulebook.

    `allies` share the wish and give orders too. Own units in `kept` must have the orders stated there. `assumed` is a goal
    about the other powers' orders: only replies that meet it count.

    Raises `InputError` for a power without units, for an illegal kept order, and for a rulebook under which nothing can be
    guaranteed: if it leaves some convoy paradoxes unsettled, or lets other powers do harm by giving no orders.
    """

    board: Board
    power: Power
    goal: Goal
    rulebook: Rulebook
    allies: tuple[Power, ...] = ()
    kept: OrderSet = field(default_factory=dict)
    assumed: Goal | None = None

    __repr__ = brief
    simplifies: ClassVar[bool] = True
    """Whether findings leave out orders and replies that do not matter."""

    def __post_init__(self) -> None:
        if not list_overridable_kinds(self.rulebook):
            none = self.rulebook.paradox is ParadoxRule.NONE
            hint = "add --set 4.A.2=szykman" if none else "add --set 4.A.2.fallback=szykman"
            raise InputError(f"{self.rulebook.name} has no answer to some convoy paradoxes", suggestion=hint)
        if self.rulebook.disorder_support is DisorderSupport.REFUSED:
            reason = "a power that orders nothing loses the support of its units (4.D.9=refused)"
            raise InputError(f"nothing can be guaranteed if {reason}", suggestion="add --set 4.D.9=given")
        _ = self.side_units, self.kept_orders, self.universe

    @property
    def powers(self) -> tuple[Power, ...]:
        """The power and its allies."""
        return (self.power, *self.allies)

    @cached_property
    def side_units(self) -> tuple[Unit, ...]:
        """The units of the power and its allies."""
        return list_own_units(self.board, *self.powers)

    @cached_property
    def other_units(self) -> tuple[Unit, ...]:
        """The units of all other powers."""
        return tuple(unit for unit in self.board.units if unit.power not in self.powers)

    @cached_property
    def kept_orders(self) -> dict[Unit, MovementOrder]:
        """By unit, the orders that the powers must give, completed as the rulebook requires."""
        found = {}
        for unit, order in self.kept.items():
            docket = make_docket(self.board, {unit.power: [order]}, self.rulebook)
            if unit.province not in docket.orders:
                reason = docket.entries[unit.power][0].reason
                raise InputError(f"{order} cannot be kept: {reason or 'the order is not legal'}")
            found[unit] = docket.orders[unit.province]
        return found

    @property
    def universe(self) -> Universe:
        """The search universe that has exactly the board's units, with all orders that they may be given.

        Raises `InputError` if searches do not support the board or the rulebook.
        """
        check_board(self.board)
        longest = max(1, len(self.board.convoyers))
        return Universe(self.rulebook, self.board.units, longest_route=longest, map=self.board.map)

    @cached_property
    def orders_by_unit(self) -> dict[Unit, tuple[MovementOrder, ...]]:
        """By unit, its legal orders except holds, with units named in full; a unit with a kept order has only that one."""
        found: dict[Unit, dict[MovementOrder, None]] = {unit: {} for unit in self.board.units}
        for candidate in self.universe.candidates:
            unit = self.board.unit_at[candidate.order.unit.province]
            order = complete_order(candidate.order, self.board, self.rulebook)
            legal = make_docket(self.board, {unit.power: [order]}, self.rulebook).orders.get(unit.province)
            if legal is not None:
                found[unit].setdefault(legal)
        found |= {unit: {} if isinstance(order, Hold) else {order: None} for unit, order in self.kept_orders.items()}
        return {unit: tuple(orders) for unit, orders in found.items()}

    def judge_orders(self, *orders: OrderSet) -> Judged:
        """Judge these order sets together."""
        given = {unit.province: order for part in orders for unit, order in part.items()}
        return Judged(Proposal(self.board, given, {}), self.rulebook)

    def is_met(self, *orders: OrderSet) -> bool:
        """Judge these orders; return whether the wish is met, or the replies break the assumption; false without an answer."""
        judged = self.judge_orders(*orders)
        excused = self.assumed is not None and not self.assumed.holds(judged)
        return excused or (self.goal.has_answer(judged) and self.goal.holds(judged))

    def is_known_unmet(self, *orders: OrderSet) -> bool:
        """Judge these orders; return whether the wish is not met."""
        return not self.is_met(*orders)

    def require_met(self, encoding: Encoding, counts: Literal) -> None:
        """Require, if the literal `counts` holds, conditions that every outcome meets if it fulfils the wish."""
        encoding.formula.require(-counts, self.goal.literal(encoding))

    def require_unmet(self, encoding: Encoding) -> None:
        """Require conditions that every outcome meets if it does not fulfil the wish."""
        encoding.formula.require(-self.goal.literal(encoding))

    def encode_orders(self, formula: Formula, given_orders: OrderSet, unknown_orders: Iterable[OrderChoices]) -> Encoding:
        """Encode the outcome of given and unknown orders; every outcome that the judge may find is an assignment.

        Further assignments are possible. The encoding's `fails` contains the literals of decisions that fail despite their
        equations; if none holds, the outcome is consistent.
        """
        choices: list[Choice] = [((unit, order), TRUE) for unit, order in given_orders.items()]
        choices += [entry for part in unknown_orders for entry in part.literals.items()]
        units = {Spot(unit.kind, unit.location): TRUE for unit in self.board.units}
        powers = {unit.province: unit.power for unit in self.board.units}
        most = len(units)
        orders = make_known_powers(self.board, choices, self.rulebook, formula, units=units, powers=powers, most_units=most)
        encoding = orders.encode_resolution(may_fail=list_overridable_kinds(self.rulebook))
        require_cycles(encoding)
        require_circular_movement(encoding)
        return encoding


class OrderChoices:
    """Units whose orders are unknown, with a literal for each of their legal orders.

    A unit without a chosen order holds.
    """

    def __init__(self, table: WishTable, units: Iterable[Unit], formula: Formula) -> None:
        self.literals = {
            (unit, order): formula.add_variable(str(order)) for unit in units for order in table.orders_by_unit[unit]
        }
        self.units = tuple(units)
        require_one_per_key(formula, ((unit, literal) for (unit, _), literal in self.literals.items()))
        for key in table.kept_orders.items():
            formula.require(self.literals.get(key, TRUE))

    def read_orders(self, holds: Callable[[Literal], bool]) -> dict[Unit, MovementOrder]:
        """Return, by unit, the order that an assignment gives to it, or a hold if it gives none."""
        orders: dict[Unit, MovementOrder] = {unit: make_hold(unit) for unit in self.units}
        orders.update(key for key, literal in self.literals.items() if holds(literal))
        return orders

    def list_literals(self, orders: OrderSet) -> list[Literal]:
        """Return literals that together hold if and only if the units are given exactly these orders."""
        return [literal if orders[unit] == order else -literal for (unit, order), literal in self.literals.items()]


@dataclass(frozen=True, slots=True)
class Defeat:
    """Own orders, a reply that defeats them, and the judge's outcome of both."""

    own: OrderSet
    reply: OrderSet
    outcome: Outcome | None

    __repr__ = brief


@dataclass(frozen=True, slots=True)
class GuaranteeFinding:
    """What was found about a wish: orders that guarantee it, or None if each set of orders is defeated by some reply.

    `defeats` are in the sequence in which they were found. If `undecided`, the search stopped before it found an answer.
    """

    table: WishTable
    orders: OrderSet | None
    defeats: tuple[Defeat, ...] = ()
    undecided: bool = False

    __repr__ = brief

    @property
    def example(self) -> int:
        """The index of the defeat to show: the last one or, if not simplified, the one with the fewest holds; -1 if none."""
        if self.table.simplifies:
            return len(self.defeats) - 1

        def moving(place: int) -> tuple[int, int]:
            given = chain(self.defeats[place].own.values(), self.defeats[place].reply.values())
            return sum(not isinstance(order, Hold) for order in given), place

        return max(range(len(self.defeats)), key=moving, default=-1)


class OutOfTimeError(Exception):
    """Raised when a search runs out of time."""


def has_possible_replies(table: WishTable, *, time_left: TimeLeft = lambda: None) -> bool:
    """Return whether some orders of the other powers meet the assumption; true without one, or if time runs out."""
    if table.assumed is None:
        return True
    formula = Formula()
    encoding = table.encode_orders(formula, {}, (OrderChoices(table, table.other_units, formula),))
    formula.require(table.assumed.literal(encoding))
    return not Solver(formula, workers=1).decide(timeout=time_left()).is_unsatisfiable


_MOST_REPLIES = 30
"""The largest number of replies that are checked for redundancy, which takes two questions for each."""
TimeLeft = Callable[[], float | None]
"""A function that returns the seconds left; None if there is no limit."""
_NO_TIME = 0.01
"""The seconds that commands keep in reserve at the end of their time limit."""


def check_time(time_left: TimeLeft) -> None:
    """Raise `OutOfTimeError` if the time is up."""
    if (left := time_left()) is not None and left <= _NO_TIME:
        raise OutOfTimeError


def find_guarantee(
    table: WishTable, *, time_left: TimeLeft = lambda: None, on_reply: Callable[[], None] = lambda: None
) -> GuaranteeFinding:
    """Find orders that guarantee the wish, or prove that none exist; undecided if time runs out."""
    player, opposition = _Player(table, time_left), _Opponents(table, time_left)
    defeats: list[Defeat] = []

    def find_defeat(own_orders: OrderSet) -> Defeat | None:
        defeat = opposition.find_defeat(own_orders)
        on_reply()
        return defeat

    def withstand(defeat: Defeat) -> None:
        defeats.append(defeat)
        player.add_reply(defeat.reply)

    try:
        own = find_accepted(player.find_proposal, find_defeat, withstand)
    except OutOfTimeError:
        return GuaranteeFinding(table, None, tuple(defeats), undecided=True)
    if not table.simplifies:
        return GuaranteeFinding(table, own, tuple(defeats))
    if own is not None:
        return GuaranteeFinding(table, _simplify_orders(own, opposition), tuple(defeats))
    return GuaranteeFinding(
        table, None, tuple(simplify_defeat(table, defeat) for defeat in _find_needed_defeats(player, defeats))
    )


def _find_needed_defeats(player: _Player, defeats: Sequence[Defeat]) -> Sequence[Defeat]:
    """Return a defeat whose reply defeats all own orders, or else those needed together (more, if many or short of time).

    If there are many replies or too little time, some unnecessary ones may remain.
    """
    if len(defeats) > _MOST_REPLIES:
        return defeats

    def defeat_all(chosen_defeats: Sequence[Defeat]) -> bool:
        try:
            return player.find_proposal([defeat.reply for defeat in chosen_defeats]) is None
        except OutOfTimeError:
            return False

    alone = next((defeat for defeat in reversed(defeats) if defeat_all([defeat])), None)
    return [alone] if alone else find_minimal_subset(defeats, defeat_all)


def _simplify_orders(own_orders: OrderSet, opposition: _Opponents) -> OrderSet:
    """Return the orders with holds in place of those that the guarantee does not need, as far as the time allows."""
    kept_units = opposition.table.kept_orders

    def is_guaranteed(needed: list[Unit]) -> bool:
        try:
            return opposition.find_defeat(_hold_except(own_orders, (*needed, *kept_units))) is None
        except OutOfTimeError:
            return False

    free = (unit for unit, order in own_orders.items() if unit not in kept_units and not isinstance(order, Hold))
    return _hold_except(own_orders, (*find_minimal_subset(free, is_guaranteed), *kept_units))


@dataclass(frozen=True, slots=True)
class _EncodedReply:
    """A reply with its encoding; if the literal `counts` holds, own orders must meet the wish against the reply."""

    reply: OrderSet
    encoding: Encoding
    counts: Literal


@dataclass
class _Player:
    """The own orders as unknowns, with an encoding of the outcome for each reply found so far."""

    table: WishTable
    time_left: TimeLeft
    formula: Formula = field(default_factory=Formula)
    met: list[_EncodedReply] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.choices = OrderChoices(self.table, self.table.side_units, self.formula)
        self.solver = Solver(self.formula, workers=1)

    def add_reply(self, reply: OrderSet) -> None:
        """Add a reply, with an encoding of its outcome, against which own orders must meet the wish."""
        encoding, counts = self.table.encode_orders(self.formula, reply, (self.choices,)), self.formula.add_variable()
        self.table.require_met(encoding, counts)
        self.met.append(_EncodedReply(reply, encoding, counts))

    def find_proposal(self, replies: Sequence[OrderSet] | None = None) -> OrderSet | None:
        """Find own orders that meet the wish against these replies (None: all so far); return None if there are none."""
        met = [one for one in self.met if replies is None or one.reply in replies]
        fails = [literal for one in met for literal in one.encoding.fails.values()]

        def propose() -> OrderSet | None:
            answer = _find_assignment(self.solver, [one.counts for one in met], fails, self.time_left)
            return self.choices.read_orders(answer.holds) if answer.values is not None else None

        def judge(own: OrderSet) -> tuple[OrderSet, _EncodedReply] | None:
            return next(((own, one) for one in met if not self.table.is_met(own, one.reply)), None)

        def learn(wrong: tuple[OrderSet, _EncodedReply]) -> None:
            own, one = wrong
            self.formula.require(-one.counts, *(-part for part in self.choices.list_literals(own)))

        return find_accepted(propose, judge, learn)


class _Opponents:
    """The orders of the other powers as unknowns, with an encoding of an outcome that does not meet the wish."""

    def __init__(self, table: WishTable, time_left: TimeLeft) -> None:
        self.table = table
        self.time_left = time_left
        self.formula = Formula()
        self.own = OrderChoices(table, table.side_units, self.formula)
        self.others = OrderChoices(table, table.other_units, self.formula)
        self.encoding = table.encode_orders(self.formula, {}, (self.own, self.others))
        table.require_unmet(self.encoding)
        if table.assumed is not None:
            self.formula.require(table.assumed.literal(self.encoding))
        self.solver = Solver(self.formula, workers=1)

    def find_defeat(self, own_orders: OrderSet) -> Defeat | None:
        """Find a reply, with as many holds as possible, that defeats these orders by the judge; None if there is none."""
        given, fails = self.own.list_literals(own_orders), list(self.encoding.fails.values())

        def propose() -> OrderSet | None:
            answer = _find_assignment(self.solver, given, fails, self.time_left)
            return self.others.read_orders(answer.holds) if answer.values is not None else None

        def judge(reply: OrderSet) -> OrderSet | None:
            return reply if self.table.is_met(own_orders, reply) else None

        def learn(reply: OrderSet) -> None:
            self.formula.require(*(-part for part in (*given, *self.others.list_literals(reply))))

        reply = find_accepted(propose, judge, learn)
        if reply is None:
            return None
        plainest = _hold_except(
            reply, find_minimal_subset(reply, lambda needed: self.table.is_known_unmet(own_orders, _hold_except(reply, needed)))
        )
        return Defeat(own_orders, plainest, self.table.judge_orders(own_orders, plainest).outcome)


def simplify_defeat(table: WishTable, defeat: Defeat) -> Defeat:
    """Return the defeat with holds in place of own orders that matter neither for the wish nor for other verdicts."""
    provinces = {atom.province for atom in table.goal.iter_atoms() if isinstance(atom, DislodgedGoal | OccupiedGoal)}

    def still_fails(needed: list[Unit]) -> bool:
        nonlocal defeat
        own = _hold_except(defeat.own, (*needed, *table.kept_orders))
        plainer = Defeat(own, defeat.reply, table.judge_orders(own, defeat.reply).outcome)
        if table.is_met(own, defeat.reply) or _count_differing_verdicts(defeat, plainer) > 1:
            return False
        defeat = plainer
        return True

    free = {unit: order for unit, order in defeat.own.items() if unit not in table.kept_orders and not isinstance(order, Hold)}
    idle = (unit for unit, order in free.items() if _find_province_acted_on(order) not in provinces)
    about_it = [unit for unit, order in defeat.own.items() if _find_province_acted_on(order) in provinces]
    find_minimal_subset(idle, lambda needed: still_fails([*about_it, *needed]))
    return defeat


def _hold_except(orders: OrderSet, needed: Iterable[Unit]) -> dict[Unit, MovementOrder]:
    """Return the orders with holds in place of all orders to units that are not in `needed`."""
    active = set(needed)
    return {unit: order if unit in active else make_hold(unit) for unit, order in orders.items()}


def _find_province_acted_on(order: MovementOrder) -> str:
    """Return the destination of a move or of a supported or convoyed one, or the province of a supported or holding unit."""
    match order:
        case Hold():
            return order.unit.province
        case SupportHold():
            return order.supported.province
    return province_of(order.destination)


def _count_differing_verdicts(one: Defeat, other: Defeat) -> int:
    """Return how many orders have different verdicts in two defeats; the number of all orders if one has no verdicts."""
    if one.outcome is None or other.outcome is None:
        return len(one.own) + len(one.reply)
    verdicts = (chain.from_iterable(outcome.results.values()) for outcome in (one.outcome, other.outcome))
    return sum(before != after for before, after in zip(*verdicts, strict=True))


def _find_assignment(
    solver: Solver, assumptions: Sequence[Literal], failures: Sequence[Literal], time_left: TimeLeft
) -> Answer:
    """Return an assignment in which all assumptions hold, with none of `failures` if possible; no values if there is none."""
    denied = [-part for part in assumptions]
    for unwanted in ([*denied, *failures], denied):
        answer = solver.decide(at_most=(unwanted, 0), timeout=time_left())
        if answer.values is None and not answer.exhausted:
            raise OutOfTimeError
        if answer.values is not None or not failures:
            break
    return answer
