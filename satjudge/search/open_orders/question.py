"""Makes questions to the solver: formulas that hold of every board with orders that has some property, and few others.

Each is a *necessary* condition, so "no assignment" is a proof. Each answer of the solver is judged, and the question refined if
the judge disagrees (docs/background/search.md shows why each condition is necessary).

*Two encodings* of a resolution that differ state that several exist. *No resolution* is a for-all: for every setting of the
convoys, the other equations have a solution in which some convoy contradicts its setting. One encoding for each setting would
state just that; here they are added only as needed. *Outcomes* are read from an encoding; in a question of its own decisions
may be overridden there as the rulebook's backup rules do, if there is the sign of a paradox.

*Dominance* removes what an answer does not need. Some goals depend only on the resolutions of the equations
(`Goal.about_resolutions`). An order that no other equation reads may be replaced with a hold, and a unit that nothing reads may
be removed: the resolutions of the rest stay the same. So if there is an answer, there is a tidy one with no more units, orders
or fleets. In a tidy answer

- a support is of an order that is really given; a hold support for a unit that is attacked; the support of a move for one
  into a province with a unit or a rival (else it meets nothing that its strength is compared with);
- a convoy is of a move that is really given, and a move by convoy has a route on which every fleet is ordered to convoy it
  (else it fails, whatever the others do, and its unit might as well hold: no support for it counts either way);
- a unit that moves goes where there is a unit or a rival, or is attacked where it stands;
- a unit that holds is attacked, supported, or at sea, where it may be needed to make other orders legal.

An order is replaced only by a hold that is legal wherever the unit is, and only free units are removed, so the input of a
search stays. Rulebooks whose paradox rule changes SUPPORT (4.A.2) read more of a convoy, so this does not apply to them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations

from satjudge.judging.backup import list_overridable_kinds
from satjudge.judging.equations import statement
from satjudge.judging.equations.situation import ConvoyDecision, Decision, MoveDecision, OrderDecision, Place
from satjudge.judging.solve.result import Resolutions
from satjudge.search.formulas.clauses import Formula, Literal
from satjudge.search.open_orders.encoding import Encoding
from satjudge.search.open_orders.rulings import (
    ALL_AND_NONE,
    SUPPORT_RULES,
    ConvoySettings,
    Pattern,
    has_self_dependent_convoy,
    require_circular_movement,
)
from satjudge.search.open_orders.universe import Universe
from satjudge.search.open_orders.universe_orders import UniverseOrders
from satjudge.world.geography import ProvinceCode
from satjudge.world.rules import Rulebook
from satjudge.world.rules.rulebook import ConvoyIntent


class Question:
    """A question to the solver about all boards of a universe with at most `most_units` units (None: any number).

    `outcomes` are the rulebooks whose outcomes it is about. `ruled`: the backup rule for a paradox may override decisions in
    these; once all goals are added, `require_ruling` requires that it does. `tick` is called while the formula is written, as
    in `Formula`.
    """

    def __init__(
        self,
        universe: Universe,
        most_units: int | None = None,
        *,
        outcomes: Iterable[Rulebook] = (),
        ruled: bool = False,
        tick: Callable[[], object] = lambda: None,
    ) -> None:
        self.ruled = ruled
        self.orders = UniverseOrders(universe, most_units, formula=Formula(tick))
        self.formula = self.orders.formula
        self._settings = ConvoySettings(self.orders)
        self._readings = {universe.rulebook: self.orders}
        self._patterns: set[Pattern] = set()
        self._final: dict[tuple[Rulebook, frozenset[ProvinceCode]], Encoding] = {}
        self._outcomes = {book: self._encode_without(self.get_reading(book), frozenset()) for book in outcomes}

    def get_reading(self, rulebook: Rulebook) -> UniverseOrders:
        """Return the same unknown units and orders as another rulebook understands them; cached."""
        if rulebook not in self._readings:
            universe = self.orders.universe.get_reading(rulebook)
            self._readings[rulebook] = UniverseOrders(universe, self.orders.most_units, beside=self.orders)
        return self._readings[rulebook]

    def get_outcome(self, rulebook: Rulebook | None = None) -> Encoding:
        """Return the encoding of the final resolution under one of the question's rulebooks, by default the universe's."""
        return self._outcomes[rulebook or self.orders.universe.rulebook]

    def _encode_without(self, orders: UniverseOrders, removed: frozenset[ProvinceCode]) -> Encoding:
        """Return the encoding of the final resolution without the units in `removed`; added to the formula on first use.

        A ruling on a paradox may override decisions, but only where the encoding shows the sign of a paradox.
        """
        rulebook = orders.universe.rulebook
        if (rulebook, removed) in self._final:
            return self._final[rulebook, removed]
        kinds = list_overridable_kinds(rulebook) if self.ruled else ()
        name = " ".join((rulebook.name, *(f"without {province}" for province in sorted(removed))))
        encoding = self._final[rulebook, removed] = orders.encode_resolution(name, may_fail=kinds)
        if kinds:
            sign = ConvoySettings(orders).make_paradox_sign()
            for fails in encoding.fails.values():
                self.formula.require(-fails, sign)
        require_circular_movement(encoding)
        encoding.missing = lambda province: self._encode_without(orders.remove_unit(province), removed | {province})
        return encoding

    # Requirements of goals.

    def require_ruling(self) -> None:
        """Require that the backup rule for a paradox overrides some decision in one of the requested outcomes."""
        if self.ruled:
            self.formula.require(*(fails for one in self._final.values() for fails in one.fails.values()))

    def require_several(self, kind: type[Decision], at_least: int = 1) -> None:
        """Require two resolutions, with at least `at_least` decisions of a kind that hold in the first but not in the second.

        All decisions are functions of the moves, so different resolutions differ in a move; which is the first is open.
        """
        one, other = self.orders.encode_resolution("1"), self.orders.encode_resolution("2")
        if kind is ConvoyDecision:
            self.formula.require(has_self_dependent_convoy(self.orders, against=False))
        subjects = (d for d in self.orders.situation.decisions if isinstance(d, kind))
        differing = (self.formula.all_of((one.value_of(d), -other.value_of(d))) for d in subjects)
        self.formula.require(self.formula.at_least(at_least, differing))

    def require_resolutions(self, least: int) -> None:
        """Require at least `least` different resolutions; they differ in moves, of which all other decisions are functions."""
        found = [self.orders.encode_resolution(str(number)) for number in range(1, least + 1)]
        for one, other in combinations(found, 2):
            self.formula.require(*(self.formula.xor(one.move(m), other.move(m)) for m in self.orders.situation.moves))

    def require_no_resolution(self) -> None:
        """Require what holds if no resolution exists; `contradict_resolutions` later excludes those that the judge finds."""
        self.formula.require(has_self_dependent_convoy(self.orders, against=True))
        for pattern in ALL_AND_NONE:
            self._contradict_pattern(pattern)

    def _contradict_pattern(self, pattern: Pattern) -> bool:
        """Require that a setting of the convoys contradicts their equations; return False if that was required before."""
        if pattern in self._patterns:
            return False
        self._patterns.add(pattern)
        self.formula.require(self._settings.contradiction_literal(pattern))
        return True

    def contradict_resolutions(self, resolutions: Resolutions) -> bool:
        """Exclude the convoys of a resolution that the judge found though none is wanted; False if nothing new is excluded."""
        if not self._patterns or resolutions.count == 0:
            return False
        values = resolutions.list_first(1)[0]
        convoys = [d for d in resolutions.situation.decisions if isinstance(d, ConvoyDecision)]
        seas = sorted(d.place.province for d in convoys)
        available = frozenset(seas.index(d.place.province) for d in convoys if values[d.index])
        return self._contradict_pattern((available, False))


_INTENTS = (ConvoyIntent.OPPOSITE, ConvoyIntent.INTENT_1982)


def can_be_tidy(universe: Universe) -> bool:
    """Return whether a search for a goal about resolutions may look only for tidy answers, without idle units and orders."""
    rulebook = universe.rulebook
    reads_little = rulebook.paradox not in SUPPORT_RULES and rulebook.convoy_intent not in _INTENTS
    return reads_little and not universe.orders and not universe.beside


def count_longest_route(universe: Universe, most_units: int | None) -> int:
    """Return the most fleets on a route in a tidy answer with at most that many units, for a goal that `dislodges_a_convoy`.

    With no resolution, or convoys that differ, some convoying fleet is dislodged for some values of the convoys: by a fleet
    that moves and another unit's support, as the convoying fleet holds with at least 1. Neither of them convoys or is the army
    of the route, so a route of n fleets takes n + 3 units. Routes of one fleet are always included: without any, the question
    would be trivial, with nothing for a second solver to confirm.
    """
    return universe.longest_route if most_units is None else min(universe.longest_route, max(1, most_units - 3))


def require_tidy_answer(orders: UniverseOrders) -> None:
    """Require a tidy answer: one in which no order or unit is without effect."""
    encoding = Encoding(orders)
    given = orders.universe.orders
    free = {spot.province for spot in orders.universe.spots}
    for decision in orders.situation.order_decisions:
        province = decision.province
        if province not in given and (not isinstance(decision, MoveDecision) or province in free):
            orders.formula.require(-encoding.is_chosen(decision), _is_relevant(encoding, decision))
        if province not in given and isinstance(decision, MoveDecision) and not decision.by_land:
            orders.formula.require(
                -encoding.is_chosen(decision), statement.has_ordered_route(encoding, decision, own_only=False)
            )
    for place in orders.situation.places.values():
        if place.province in free and place.province not in given and place.province not in orders.universe.map.seas:
            holds = encoding.all_of((encoding.is_occupied(place), -orders.order_literal(place.province)))
            orders.formula.require(-holds, _attack_literal(encoding, place), *map(encoding.is_chosen, place.hold_supports))


def _is_relevant(encoding: Encoding, decision: OrderDecision) -> Literal:
    """Return the literal that holds if something depends on the result of the order."""
    if isinstance(decision, ConvoyDecision):
        return encoding.any_of(encoding.is_chosen(move) for move in decision.matches)
    if isinstance(decision, MoveDecision):
        return encoding.any_of((_opposition_literal(encoding, decision), _attack_literal(encoding, decision.origin)))
    if decision.supports_hold:
        return encoding.all_of((statement.is_matched(encoding, decision), _attack_literal(encoding, decision.supported)))
    return encoding.any_of(
        encoding.all_of((encoding.is_chosen(move), _opposition_literal(encoding, move))) for move in decision.matches
    )


def _opposition_literal(encoding: Encoding, move: MoveDecision) -> Literal:
    """Return the literal that holds if the move's destination has a unit or another move to it."""
    rivals = (encoding.is_chosen(other) for other in move.destination.moves_in if other.origin is not move.origin)
    return encoding.any_of((encoding.is_occupied(move.destination), *rivals))


def _attack_literal(encoding: Encoding, place: Place) -> Literal:
    """Return the literal that holds if a unit moves to the place."""
    return encoding.any_of(encoding.is_chosen(move) for move in place.moves_in)
