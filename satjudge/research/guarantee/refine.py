"""The search for orders that guarantee a wish, by refinement.

    finding = guarantee(table)
    finding.orders                       # orders that no reply defeats; or None: every set of orders
    finding.defeats                      # is defeated by the reply in one of these

Own orders are proposed that meet the wish against every reply found so far, each reply with a copy of the resolution of its
own; then a reply is looked for that defeats them. It is found, or proved not to be there. Copies are over-approximations of
what the judge says, so the solver's *none* is a proof; what it proposes is judged, and forbidden if the judge disagrees.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from satjudge.board import Unit
from satjudge.orders import MovementOrder
from satjudge.research.guarantee.defeats import Defeat, plainer_attempt
from satjudge.research.guarantee.table import Choices, OrderSet, Posed, Table
from satjudge.research.guarantee.wish import literal
from satjudge.research.search.proposals import holding
from satjudge.solve.clauses import Formula, Literal
from satjudge.solve.cpsat import Answer, Solver


@dataclass(frozen=True, slots=True)
class Finding:
    """What became of a wish: orders that guarantee it, or None if every set of orders is defeated by one of the replies.

    `defeats` are in the order in which they were found. `undecided`: the search was stopped before either was known.
    """

    table: Table
    orders: OrderSet | None
    defeats: tuple[Defeat, ...] = ()
    undecided: bool = False


class OutOfTimeError(Exception):
    """The solver was stopped. Never leaves the module."""


_MOST_REPLIES = 30
"""Of more, none is asked whether it is needed: each would take two questions."""
Patience = Callable[[], float | None]
"""How many seconds are left, if there is a limit."""


def guarantee(table: Table, *, patience: Patience = lambda: None, on_reply: Callable[[], None] = lambda: None) -> Finding:
    """Find orders that guarantee the wish, or prove that there are none."""
    player, opposition = _Player(table, patience), _Opposition(table, patience)
    defeats: list[Defeat] = []
    try:
        while (own := player.proposal()) is not None:
            defeat = opposition.defeat(own)
            on_reply()
            if defeat is None:
                return Finding(table, _plainer(own, opposition), tuple(defeats))
            defeats.append(defeat)
            player.withstand(defeat.reply)
    except OutOfTimeError:
        return Finding(table, None, tuple(defeats), undecided=True)
    return Finding(table, None, tuple(plainer_attempt(table, defeat) for defeat in _needed(player, defeats)))


def _needed(player: _Player, defeats: Sequence[Defeat]) -> Sequence[Defeat]:
    """One of these replies that defeats all own orders alone, or else those without which some would not be defeated.

    Of many replies, or if the time is up, some may stay that could go.
    """
    needed = list(defeats)
    if len(defeats) > _MOST_REPLIES:
        return needed
    try:
        for defeat in reversed(defeats):
            if player.proposal([defeat.reply]) is None:
                return [defeat]
        for defeat in defeats:
            rest = [other for other in needed if other is not defeat]
            if player.proposal([other.reply for other in rest]) is None:
                needed = rest
    except OutOfTimeError:
        pass
    return needed


def _plainer(own: OrderSet, opposition: _Opposition) -> OrderSet:
    """Orders that still guarantee it, with holds where nothing else is needed, as far as there is time."""
    try:
        for unit, order in own.items():
            plainer = {**own, unit: holding(unit)}
            if order != plainer[unit] and opposition.defeat(plainer) is None:
                own = plainer
    except OutOfTimeError:
        pass
    return own


@dataclass(frozen=True, slots=True)
class _Met:
    """A reply with its copy of the resolution; `counts` says that own orders must withstand it."""

    reply: OrderSet
    posed: Posed
    counts: Literal


@dataclass
class _Player:
    """The own orders as unknowns, with a copy of the resolution for each reply that they must withstand."""

    table: Table
    patience: Patience
    formula: Formula = field(default_factory=Formula)
    met: list[_Met] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.choices = Choices(self.table, self.table.own, self.formula)
        self.solver = Solver(self.formula, workers=1)

    def withstand(self, reply: OrderSet) -> None:
        """From now on, only orders that meet the wish in some resolution against this reply."""
        posed, counts = Posed(self.table, self.formula, reply, (self.choices,)), self.formula.new()
        self.formula.require(-counts, literal(self.table.goal, posed.copy, self.table.board))
        self.met.append(_Met(reply, posed, counts))

    def proposal(self, replies: Sequence[OrderSet] | None = None) -> dict[Unit, MovementOrder] | None:
        """Orders that meet the wish against every reply so far, or some, as the judge has it; None if there are none."""
        met = [one for one in self.met if replies is None or one.reply in replies]
        fails = [literal for one in met for literal in one.posed.fails]
        while (answer := _decided(self.solver, [one.counts for one in met], fails, self.patience)).values is not None:
            own = self.choices.read(answer.holds)
            outcomes = [(one, self.table.outcome(own, one.reply)) for one in met]
            wrong = [(one, outcome) for one, outcome in outcomes if not self.table.met(outcome)]
            if not wrong:
                return own
            if not any(outcome is not None and one.posed.learn_rings(outcome) for one, outcome in wrong):
                self.formula.require(-wrong[0][0].counts, *(-part for part in self.choices.exactly(own)))
        return None


class _Opposition:
    """The orders of all others as unknowns, and one resolution of them with the own orders, which does not meet the wish."""

    def __init__(self, table: Table, patience: Patience) -> None:
        self.table = table
        self.patience = patience
        self.formula = Formula()
        self.own = Choices(table, table.own, self.formula)
        self.others = Choices(table, table.others, self.formula)
        self.posed = Posed(table, self.formula, {}, (self.own, self.others))
        self.formula.require(-literal(table.goal, self.posed.copy, table.board))
        self.solver = Solver(self.formula, workers=1)

    def defeat(self, own: OrderSet) -> Defeat | None:
        """A reply that defeats these orders, as the judge has it; None if there is none."""
        given = self.own.exactly(own)
        while (answer := _decided(self.solver, given, self.posed.fails, self.patience)).values is not None:
            reply = self.others.read(answer.holds)
            outcome = self.table.outcome(own, reply)
            if outcome is None or not self.table.met(outcome):
                return self._plainest(own, reply)
            if not self.posed.learn_rings(outcome):
                self.formula.require(*(-part for part in (*given, *self.others.exactly(reply))))
        return None

    def _plainest(self, own: OrderSet, reply: OrderSet) -> Defeat:
        """The same reply with holds for all units that it does not need."""
        for unit in reply:
            plainer = {**reply, unit: holding(unit)}
            if not self.table.met(self.table.outcome(own, plainer)):
                reply = plainer
        return Defeat(own, reply, self.table.outcome(own, reply))


def _decided(solver: Solver, given: Sequence[Literal], fails: Sequence[Literal], patience: Patience) -> Answer:
    """An assignment in which some literals hold; one in which no decision is overridden if there is one."""
    denied = [-part for part in given]
    for unwanted in ([*denied, *fails], denied):
        answer = solver.decide(at_most=(unwanted, 0), timeout=patience())
        if answer.values is None and not answer.exhausted:
            raise OutOfTimeError
        if answer.values is not None or not fails:
            break
    return answer
