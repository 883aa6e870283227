"""Questions to the solver: formulas that hold of every board with orders that has some property, and of few others.

Each is a *necessary* condition, so that "no assignment" is a proof; what the solver finds is judged, and the question refined
where the judge disagrees (docs/search.md says why each condition is necessary).

*Two encodings* of a resolution that differ say that there are several. *No resolution* is a for-all: whatever one sets the
convoys to, the rest of the equations has a solution, and in it some convoy is not what it was set to. One encoding for each
way to set them would say just that; here are as many as were needed so far. *Outcomes* are read from an encoding; in a
question of its own decisions may be overridden there as the rulebook's backup rules do, if there is the sign of a paradox.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from satjudge.backup import overridable
from satjudge.equations.situation import ConvoyDecision, Decision
from satjudge.rules import Rulebook
from satjudge.solve.clauses import Formula
from satjudge.solve.result import Resolutions
from satjudge.unknown.circular_movement import require_circular_movement
from satjudge.unknown.encoding import Encoding
from satjudge.unknown.paradoxes import ALL_AND_NONE, ConvoySettings, Pattern
from satjudge.unknown.universe import Universe
from satjudge.unknown.universe_orders import UniverseOrders


class Question:
    """A question about the boards of a universe with at most `most_units` units (None: any number).

    `outcomes` are the rulebooks whose outcomes it speaks of. `ruled`: under one of them at least the backup rule for a paradox
    overrides some decision. `tick` is called while the formula is written, as `Formula` has it.
    """

    def __init__(
        self,
        universe: Universe,
        most_units: int | None = None,
        *,
        outcomes: Iterable[Rulebook] = (),
        ruled: bool = False,
        tick: Callable[[], None] = lambda: None,
    ) -> None:
        self.ruled = ruled
        self.orders = UniverseOrders(universe, most_units, formula=Formula(tick))
        self.formula = self.orders.formula
        self._settings = ConvoySettings(self.orders)
        self._readings = {universe.rulebook: self.orders}
        self._patterns: set[Pattern] = set()
        self._outcomes = {book: self._encoded(book) for book in outcomes}
        if ruled:
            self.formula.require(*(fails for one in self._outcomes.values() for fails in one.fails.values()))

    def read_by(self, rulebook: Rulebook) -> UniverseOrders:
        """The same unknown units and orders as another rulebook reads them."""
        if rulebook not in self._readings:
            universe = self.orders.universe.under(rulebook)
            self._readings[rulebook] = UniverseOrders(universe, self.orders.most_units, beside=self.orders)
        return self._readings[rulebook]

    def outcome(self, rulebook: Rulebook | None = None) -> Encoding:
        """The final resolution under a rulebook, that of the universe if none is named."""
        return self._outcomes[rulebook or self.orders.universe.rulebook]

    def _encoded(self, rulebook: Rulebook) -> Encoding:
        """The final resolution. If a paradox is ruled on, decisions may be overridden: then there is the sign of it."""
        orders = self.read_by(rulebook)
        kinds = overridable(rulebook) if self.ruled else ()
        encoding = orders.resolution(rulebook.name, may_fail=kinds)
        if kinds:
            sign = ConvoySettings(orders).sign_of_paradox()
            for fails in encoding.fails.values():
                self.formula.require(-fails, sign)
        require_circular_movement(encoding)
        return encoding

    # What goals ask for.

    def require_several(self, kind: type[Decision], at_least: int = 1) -> None:
        """There are two resolutions, and so many decisions of some kind that hold in the first and not in the second.

        All decisions are functions of the moves, so resolutions that differ do so in a move; which is the first is open.
        """
        one, other = self.orders.resolution("1"), self.orders.resolution("2")
        subjects = (d for d in self.orders.situation.decisions if isinstance(d, kind))
        differing = (self.formula.all_of((one.value(d), -other.value(d))) for d in subjects)
        self.formula.require(self.formula.at_least(at_least, differing))

    def require_none(self) -> None:
        """There is no resolution, as far as has been asked."""
        for pattern in ALL_AND_NONE:
            self._contradict(pattern)

    def _contradict(self, pattern: Pattern) -> bool:
        """Ask that one more way to set the convoys is contradicted. Whether it is a new one."""
        if pattern in self._patterns:
            return False
        self._patterns.add(pattern)
        self.formula.require(self._settings.contradicted(pattern))
        return True

    def refine(self, resolutions: Resolutions) -> bool:
        """Ask more of a question about no resolution, where the judge found one: contradict its convoys. Whether it helped."""
        if not self._patterns or resolutions.count == 0:
            return False
        values = resolutions.first(1)[0]
        convoys = [d for d in resolutions.situation.decisions if isinstance(d, ConvoyDecision)]
        seas = sorted(d.place.province for d in convoys)
        available = frozenset(seas.index(d.place.province) for d in convoys if values[d.index])
        return self._contradict((available, False))
