"""Makes questions to the solver: formulas that hold for every board with orders that has a property, and for few others.

Each formula is a *necessary* condition, so "no assignment" is a proof. Each answer of the solver is judged, and the question is
refined if the judge disagrees (docs/background/search.md shows why each condition is necessary).

*Two encodings* that differ state that several resolutions exist. *No resolution* is a statement about all settings of the
convoys: for each of them, the other equations have a solution in which some convoy contradicts its setting. One encoding for
each setting would state exactly that, but they are added only as needed. *Outcomes* are read from an encoding. In a separate
question, decisions may be overridden there by the rulebook's backup rules, if there is the sign of a paradox.

*Dominance* removes what an answer does not need. Some goals depend only on the resolutions of the equations
(`Goal.about_resolutions`). An order that no other equation reads can be replaced by a hold, and a unit that no equation reads
can be removed: the resolutions of the other orders stay the same. So if there is an answer, there is a tidy one with no more
units, orders or fleets. In a tidy answer

- a support is for an order that is really given; a support to hold is for a unit that is attacked; a support of a move is for
  one into a province with a unit or a rival (otherwise nothing is compared with its strength);
- a convoy is for a move that is really given, and a move by convoy has a route on which every fleet is ordered to convoy it
  (otherwise it fails, whatever the others do, and its unit might as well hold: no support for it counts in either case);
- a unit that moves goes to a province with a unit or a rival, or is attacked where it stands;
- a unit that holds is attacked, supported, or at sea, where it may be needed to make other orders legal.

Orders are only replaced by holds, which are always legal, and only free units are removed, so the input of a search stays
unchanged. Under rulebooks whose paradox rule changes SUPPORT (4.A.2), equations read more of a convoy, so dominance does not
apply to them.
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

    `outcomes` are the rulebooks whose outcomes the question is about. If `ruled`, the backup rule for a paradox may override
    decisions in these; once all goals are added, `require_ruling` requires that it does. `tick` is called while the formula
    grows, as in `Formula`.
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
        """Return the same unknown units and orders as another rulebook reads them; results are cached."""
        if rulebook not in self._readings:
            universe = self.orders.universe.get_reading(rulebook)
            self._readings[rulebook] = UniverseOrders(universe, self.orders.most_units, beside=self.orders)
        return self._readings[rulebook]

    def get_outcome(self, rulebook: Rulebook | None = None) -> Encoding:
        """Return the encoding of the final resolution under one of the question's rulebooks, by default the universe's own."""
        return self._outcomes[rulebook or self.orders.universe.rulebook]

    def _encode_without(self, orders: UniverseOrders, removed: frozenset[ProvinceCode]) -> Encoding:
        """Return the encoding of the final resolution for `orders` without the `removed` units; it is added on first use.

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

    # Requirements of goals

    def require_ruling(self) -> None:
        """If the question is `ruled`, require that the backup rule for a paradox overrides some decision in an outcome."""
        if self.ruled:
            self.formula.require(*(fails for one in self._final.values() for fails in one.fails.values()))

    def require_several(self, kind: type[Decision], at_least: int = 1) -> None:
        """Require two resolutions; at least `at_least` decisions of this kind are true in the first and false in the second.

        All decisions are functions of the moves, so different resolutions differ in a move. Either of them can be the first.
        """
        one, other = self.orders.encode_resolution("1"), self.orders.encode_resolution("2")
        if kind is ConvoyDecision:
            self.formula.require(has_self_dependent_convoy(self.orders, against=False))
        subjects = (d for d in self.orders.situation.decisions if isinstance(d, kind))
        differing = (self.formula.all_of((one.value_of(d), -other.value_of(d))) for d in subjects)
        self.formula.require(self.formula.at_least(at_least, differing))

    def require_resolutions(self, least: int) -> None:
        """Require at least `least` resolutions, each two of which differ in some move."""
        found = [self.orders.encode_resolution(str(number)) for number in range(1, least + 1)]
        for one, other in combinations(found, 2):
            self.formula.require(*(self.formula.xor(one.move(m), other.move(m)) for m in self.orders.situation.moves))

    def require_no_resolution(self) -> None:
        """Require necessary conditions for a board without a resolution; `contradict_resolutions` adds more as needed."""
        self.formula.require(has_self_dependent_convoy(self.orders, against=True))
        for pattern in ALL_AND_NONE:
            self._contradict_pattern(pattern)

    def _contradict_pattern(self, pattern: Pattern) -> bool:
        """Require that some convoy's equation contradicts this setting of convoys; return False if that is already required."""
        if pattern in self._patterns:
            return False
        self._patterns.add(pattern)
        self.formula.require(self._settings.contradiction_literal(pattern))
        return True

    def contradict_resolutions(self, resolutions: Resolutions) -> bool:
        """Exclude the convoys of an unwanted resolution that the judge found; return False if that excludes nothing new."""
        if not self._patterns or resolutions.count == 0:
            return False
        values = resolutions.list_first(1)[0]
        convoys = [d for d in resolutions.situation.decisions if isinstance(d, ConvoyDecision)]
        seas = sorted(d.place.province for d in convoys)
        available = frozenset(seas.index(d.place.province) for d in convoys if values[d.index])
        return self._contradict_pattern((available, False))


_INTENTS = (ConvoyIntent.OPPOSITE, ConvoyIntent.INTENT_1982)


def can_be_tidy(universe: Universe) -> bool:
    """Return whether a search for a goal about resolutions may be limited to tidy answers, without idle units and orders."""
    rulebook = universe.rulebook
    reads_little = rulebook.paradox not in SUPPORT_RULES and rulebook.convoy_intent not in _INTENTS
    return reads_little and not universe.orders and not universe.beside


def count_longest_route(universe: Universe, most_units: int | None) -> int:
    """Return the most fleets on a route in a tidy answer of at most `most_units` units (None: any), if a fleet is dislodged.

    The goal must have `dislodges_a_convoy`: for some values of the convoys, a moving fleet with another unit's support
    dislodges a convoying fleet, which holds with at least 1. Neither of these two is a fleet or the army of the route, so a
    route of n fleets takes n + 3 units. Routes of one fleet are always included: without any, the question would be trivial,
    with nothing for a second solver to confirm.
    """
    return universe.longest_route if most_units is None else min(universe.longest_route, max(1, most_units - 3))


def require_tidy_answer(orders: UniverseOrders) -> None:
    """Require a tidy answer, in which every order and every free unit has an effect."""
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
    """Return the literal that holds if something depends on the result of a given order."""
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
    """Return the literal that holds if the move's destination has a unit, or another unit is ordered there."""
    rivals = (encoding.is_chosen(other) for other in move.destination.moves_in if other.origin is not move.origin)
    return encoding.any_of((encoding.is_occupied(move.destination), *rivals))


def _attack_literal(encoding: Encoding, place: Place) -> Literal:
    """Return the literal that holds if a unit is ordered to move to the place."""
    return encoding.any_of(encoding.is_chosen(move) for move in place.moves_in)
