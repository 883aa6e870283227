"""A copy of the resolution variables: one consistent resolution of orders that are unknown.

Copies of the same orders share who stands where and what is ordered; each has moves, supports and convoys of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from satjudge.equations import statement
from satjudge.equations.situation import ConvoyDecision, Decision, MoveDecision, Place, Situation, SupportDecision
from satjudge.geography import ProvinceCode
from satjudge.solve.clauses import FALSE, Clausal, Formula, Literal, Thresholds


class UnknownOrders(Protocol):
    """What a copy reads: a situation, which of its orders are chosen, and where units of which powers stand."""

    @property
    def formula(self) -> Formula:
        """The formula that the copy writes into."""
        ...

    @property
    def situation(self) -> Situation:
        """All orders that may be chosen."""
        ...

    @property
    def guards(self) -> Sequence[Literal]:
        """Whether each is, by the index of its decision; also simply true or false."""
        ...

    @property
    def occupied(self) -> Mapping[ProvinceCode, Literal]:
        """Whether a unit stands in a province; none does in those left out."""
        ...

    @property
    def most_units(self) -> int | None:
        """How many units there may be, if that is known: no strength is greater."""
        ...

    @property
    def unsupportable(self) -> Mapping[ProvinceCode, Literal]:
        """Whether the unit in a province cannot be supported in place, whoever would; those in the ones left out can be."""
        ...

    def same_power(self, one: ProvinceCode, other: ProvinceCode) -> Literal:
        """Units of one power stand at both."""
        ...


class Copy(Clausal):
    """One consistent resolution of the unknown orders: a reader of the equations.

    Every MOVE is a variable; SUPPORT, CONVOY and the rest are functions of these. Orders that are not chosen fail.
    """

    def __init__(
        self,
        orders: UnknownOrders,
        name: str = "",
        *,
        may_fail: Collection[type[Decision]] = (),
        convoys: Mapping[int, Literal] | None = None,
    ) -> None:
        super().__init__(orders.formula, orders.most_units)
        self.orders = orders
        self.name = name
        self.inputs = convoys
        """Whether each convoy is available, where that is not for the equations to say."""
        subjects = orders.situation.decisions
        self.fails = {d.index: self.formula.new(f"{name} FAILS[{d}]") for d in subjects if isinstance(d, tuple(may_fail))}
        """Whether a decision fails whatever its equation says."""
        self._moves = {d.index: self.formula.new(f"{name} MOVE[{d}]") for d in subjects if isinstance(d, MoveDecision)}
        self._truths: dict[tuple[str, int], Literal] = {}
        self._strengths: dict[tuple[str, int | str], Thresholds] = {}

    def posted(self) -> Copy:
        """This copy with the equation of every move."""
        for subject in self.orders.situation.decisions:
            if isinstance(subject, MoveDecision):
                self.formula.equate(self._moves[subject.index], self._granted(subject, statement.move(self, subject)))
            else:
                self.value(subject)  # now, so that an answer has a value for it
        return self

    def value(self, subject: Decision) -> Literal:
        """The literal of a decision."""
        if isinstance(subject, MoveDecision):
            return self.move(subject)
        return self.support(subject) if isinstance(subject, SupportDecision) else self.convoy(subject)

    def _granted(self, subject: Decision, truth: Literal) -> Literal:
        """What the equation says, unless the decision fails at will: it would hold, and does not."""
        fails = self.fails.get(subject.index, FALSE)
        self.formula.require(-fails, truth)
        return self.formula.all_of((truth, -fails))

    # What is given.

    def chosen(self, decision: Decision) -> Literal:
        """Its guard."""
        return self.orders.guards[decision.index]

    def occupied(self, place: Place) -> Literal:
        """Whether any unit stands there."""
        return self.orders.occupied.get(place.province, FALSE)

    def supportable(self, place: Place) -> Literal:
        """Whether the unit there can be supported in place."""
        return -self.orders.unsupportable.get(place.province, FALSE)

    def same_power(self, one: Place, other: Place) -> Literal:
        """Whether units of one power do."""
        return self.orders.same_power(one.province, other.province)

    # The decisions.

    def move(self, move: MoveDecision) -> Literal:
        """Its variable."""
        return self._moves[move.index]

    def support(self, support: SupportDecision) -> Literal:
        """What its equation says."""
        key = ("SUPPORT", support.index)
        if key not in self._truths:
            self._truths[key] = self._granted(support, statement.support(self, support))
        return self._truths[key]

    def convoy(self, convoy: ConvoyDecision) -> Literal:
        """What its equation says, or what it is told to be."""
        if self.inputs is not None:
            return self.inputs[convoy.index]
        return self._granted(convoy, self.computed(convoy))

    def computed(self, convoy: ConvoyDecision) -> Literal:
        """What the equation of a convoy says, whatever it is told to be."""
        key = ("CONVOY", convoy.index)
        if key not in self._truths:
            self._truths[key] = statement.convoy(self, convoy)
        return self._truths[key]

    # The derived terms are worked out once each.

    def path(self, move: MoveDecision) -> Literal:
        """PATH."""
        key = ("PATH", move.index)
        if key not in self._truths:
            self._truths[key] = statement.path(self, move)
        return self._truths[key]

    def hold(self, place: Place) -> Thresholds:
        """HOLD."""
        key = ("HOLD", place.province)
        if key not in self._strengths:
            self._strengths[key] = statement.hold(self, place)
        return self._strengths[key]

    def attack(self, move: MoveDecision) -> Thresholds:
        """ATTACK."""
        key = ("ATTACK", move.index)
        if key not in self._strengths:
            self._strengths[key] = statement.attack(self, move)
        return self._strengths[key]

    def prevent(self, move: MoveDecision) -> Thresholds:
        """PREVENT."""
        key = ("PREVENT", move.index)
        if key not in self._strengths:
            self._strengths[key] = statement.prevent(self, move)
        return self._strengths[key]

    # What is asked about.

    def entered(self, province: ProvinceCode) -> Literal:
        """Some move into the province succeeds."""
        place = self.orders.situation.places.get(province)
        return self.formula.any_of(self.move(move) for move in place.moves_in) if place else FALSE

    def left(self, province: ProvinceCode) -> Literal:
        """The unit in the province leaves."""
        place = self.orders.situation.places.get(province)
        return self.formula.any_of(self.move(move) for move in place.moves_out) if place else FALSE

    def stays(self, province: ProvinceCode) -> Literal:
        """There is a unit in the province that does not leave."""
        return self.formula.all_of((self.orders.occupied.get(province, FALSE), -self.left(province)))

    def dislodged(self, province: ProvinceCode) -> Literal:
        """The unit in the province is dislodged."""
        return self.formula.all_of((self.stays(province), self.entered(province)))
