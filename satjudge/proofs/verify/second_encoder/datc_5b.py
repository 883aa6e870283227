"""Writes the equations of DATC 3.2, 5.B, as clauses a second time, based only on the text.

The module shares nothing with `satjudge.judging.equations`, which its author had not read, so agreement means that two
authors understood the rules in the same way. The code is as plain as possible: one method for each section of 5.B, in the
same order, and with the words of the text.

Each candidate move has a variable MOVE, which must equal its equation. Everything else is a function of these variables and of
the given orders. On a map with difficult borders, every SUPPORT is a variable as well, since supports may depend on each
other there (DATC 2.4, 10.F). A strength is a list of literals: the literal at index k is true if the strength exceeds k.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, wraps
from itertools import zip_longest
from typing import Any, TypeAlias, TypeVar

from satjudge.base.errors import RulebookError
from satjudge.proofs.verify.second_encoder.candidates import Candidate, is_convoy_of, is_support_of_move
from satjudge.proofs.verify.second_encoder.cnf import FALSE, TRUE, Cnf, Literal
from satjudge.proofs.verify.second_encoder.routes import Route, iter_proper_routes, iter_simple_routes
from satjudge.world.geography import Canal, Map, ProvinceCode, province_of
from satjudge.world.orders import Convoy, Move, Permission, SupportHold, SupportMove
from satjudge.world.rules import Rulebook
from satjudge.world.rules.rulebook import (
    AttackOrigin,
    ConvoyingFleet,
    ConvoyIntent,
    ConvoyPaths,
    DefendersSupport,
    DislodgedEffect,
    LandFallback,
    MultiRoute,
    ParadoxRule,
    SuperfluousConvoy,
)

T = TypeVar("T")
Strength: TypeAlias = Sequence[Literal]
"""A number, as literals: the first is true if the number exceeds 0, the next if it exceeds 1, and so on."""


@dataclass(frozen=True)
class EncodedOutcome:
    """The literals that are true if the orders of one outcome succeed; they are false for orders that are not given."""

    moves: Mapping[Candidate, Literal]
    supports: Mapping[Candidate, Literal]
    convoys: Mapping[Candidate, Literal]
    equations: Equations
    """The equations with the strengths and their terms."""


def encode_equations(
    cnf: Cnf,
    candidates: Sequence[Candidate],
    *,
    game_map: Map,
    rulebook: Rulebook,
    occupied: Mapping[ProvinceCode, Literal],
    same_power: Callable[[ProvinceCode, ProvinceCode], Literal],
    no_hold_support: Mapping[ProvinceCode, Literal] | None = None,
    permissions: Mapping[Permission, Literal] | None = None,
    convoys: Mapping[Candidate, Literal] | None = None,
    moves_may_fail: bool = False,
    most_units: int | None = None,
    label: str = "",
    equations_class: Callable[..., Equations] | None = None,
) -> EncodedOutcome:
    """Add the equations of DATC 5.B to a formula, so that its solutions are resolutions; return the decisions' literals.

    `occupied`: by province, whether a unit stands there (default: no unit). `same_power`: whether the units in two occupied
    provinces belong to one power. `no_hold_support`: by province, whether its unit cannot be supported to hold although it
    has no move order that counts (4.D.9, 4.E.1). `permissions`: which fleets may pass a canal. `convoys`: the results of
    convoy orders, in place of their equations. `moves_may_fail`: whether a move may fail despite its equation.
    `most_units`: the largest number of units; strengths and routes that need more are left out. `label`: the prefix of
    variable names. `equations_class`: the class that makes the equations, for boards with trains.

    The caller must require that each unit has at most one order, that an ordered unit exists, and the number of units. Raises
    `RulebookError` for a rulebook or a map that is not supported.
    """
    _check_supported(candidates, game_map, rulebook, trains=equations_class is not None)
    equations = (equations_class or Equations)(
        cnf,
        candidates,
        game_map,
        rulebook,
        occupied,
        same_power,
        no_hold_support or {},
        permissions or {},
        convoys or {},
        most_units,
        label,
    )
    for move, literal in equations.moves.items():
        if moves_may_fail:
            cnf.require(-literal, equations.move_equation(move))
        else:
            cnf.require_equal(literal, equations.move_equation(move))
    for support, literal in equations.support_variables.items():
        cnf.require_equal(literal, equations.support_equation(support))
    supports = {support: equations.support(support) for support in equations.candidates if _is_support(support)}
    convoys = {convoy: equations.convoy(convoy) for convoy in equations.candidates if isinstance(convoy.order, Convoy)}
    return EncodedOutcome(equations.moves, supports, convoys, equations)


def _is_support(candidate: Candidate) -> bool:
    return isinstance(candidate.order, SupportHold | SupportMove)


def _check_supported(candidates: Sequence[Candidate], game_map: Map, rulebook: Rulebook, *, trains: bool) -> None:
    """Raise `RulebookError` if a rulebook's option, the map, or an order (without `trains`, by railroad) is not supported."""
    by_circumstances = rulebook.convoy_intent in (ConvoyIntent.ALWAYS, ConvoyIntent.OPPOSITE)
    not_encoded = {
        f"4.A.3={rulebook.convoy_intent} with 4.A.3.fallback=impossible: no text says when such an army goes by land": (
            by_circumstances and rulebook.land_fallback is LandFallback.IMPOSSIBLE
        ),
        "4.A.3=1982 with 4.A.3.fallback=never: no text says when an army that exchanges places goes by land": (
            rulebook.convoy_intent is ConvoyIntent.INTENT_1982 and rulebook.land_fallback is LandFallback.NEVER
        ),
        "moves by railroad whose orders are not known (DATC 2.4, 7.B)": not trains
        and any(isinstance(c.order, Move) and c.order.railroad for c in candidates),
        "4.A.3.fallback=impossible where coasts convoy (DATC 2.4, 9)": (
            rulebook.land_fallback is LandFallback.IMPOSSIBLE and game_map.convoying != game_map.seas
        ),
    }
    for name, found in not_encoded.items():
        if found:
            raise RulebookError(f"the second encoder has no equations for {name}")


def _cache_result(method: Callable[..., T]) -> Callable[..., T]:
    """Wrap a method of `Equations` so that it caches results, and gives names to the gates of those listed in `_NAMED`."""

    @wraps(method)
    def remembering(self: Equations, *asked: Any) -> T:  # noqa: ANN401  # candidates and provinces
        key = (method.__name__, *asked)
        if key not in self.known:
            self.known[key] = method(self, *asked)
            if method.__name__ in _NAMED:
                self.name_gates(_NAMED[method.__name__], asked[0], self.known[key])
        found: T = self.known[key]
        return found

    return remembering


_NAMED = {name: name for name in ("support", "convoy", "path", "hold", "prevent", "defend", "attack")} | {
    "is_convoyed": "convoyed"
}
"""The methods whose literals and strengths get names in the formula, with these names."""


class Equations:
    """The equations for some candidate orders.

    Most methods define a literal or a strength, and return the same one when called again.
    """

    def __init__(
        self,
        cnf: Cnf,
        candidates: Sequence[Candidate],
        game_map: Map,
        rulebook: Rulebook,
        occupied: Mapping[ProvinceCode, Literal],
        same_power: Callable[[ProvinceCode, ProvinceCode], Literal],
        no_hold_support: Mapping[ProvinceCode, Literal],
        permissions: Mapping[Permission, Literal],
        decided: Mapping[Candidate, Literal],
        most_units: int | None,
        label: str,
    ) -> None:
        self.cnf = cnf
        self.candidates = tuple(candidate for candidate in candidates if candidate.given != FALSE)
        self.map = game_map
        self.rules = rulebook
        self.occupied = occupied
        self.same_power = same_power
        self.no_hold_support = no_hold_support
        self.permissions = permissions
        self.decided = decided
        self.most_units = most_units
        self.longest_route = None if most_units is None else most_units - 1  # the army is a unit, too
        self.label = label
        self.known: dict[tuple[Any, ...], Any] = {}
        self.moves = {
            candidate: decided.get(candidate) or cnf.add_input(f"{label}MOVE {candidate.order}")
            for candidate in self.candidates
            if isinstance(candidate.order, Move)
        }
        self.support_variables = {
            candidate: cnf.add_input(f"{label}SUPPORT {candidate.order}")
            for candidate in self.candidates
            if game_map.difficult and _is_support(candidate)
        }

    def name_gates(self, term: str, subject: Candidate | ProvinceCode, value: Literal | Strength) -> None:
        """Name the gates of the decision or the strength `value`, such as `PATH A LON - BEL` or `HOLD BEL > 1`."""
        name = f"{self.label}{term.upper()} {subject.order if isinstance(subject, Candidate) else subject}"
        if isinstance(value, int):
            self.cnf.name_gate(value, name)
        else:
            for number, literal in enumerate(value):
                self.cnf.name_gate(literal, f"{name} > {number}")

    # Which candidates belong together

    @cached_property
    def moves_from(self) -> Mapping[ProvinceCode, list[Candidate]]:
        """The candidate moves, by the province that they come from."""
        return _group_candidates(self.moves, lambda move: move.province)

    @cached_property
    def moves_to(self) -> Mapping[ProvinceCode, list[Candidate]]:
        """The candidate moves, by the province that they go to."""
        return _group_candidates(self.moves, lambda move: move.destination)

    @cached_property
    def supports_to(self) -> Mapping[ProvinceCode, list[Candidate]]:
        """The candidate supports for moves, by the province that the supported move goes to."""
        supports = [candidate for candidate in self.candidates if isinstance(candidate.order, SupportMove)]
        return _group_candidates(supports, lambda support: support.destination)

    @cached_property
    def hold_supports(self) -> Mapping[ProvinceCode, list[Candidate]]:
        """The candidate supports to hold, by the province of the supported unit."""
        groups: defaultdict[ProvinceCode, list[Candidate]] = defaultdict(list)
        for candidate in self.candidates:
            if isinstance(candidate.order, SupportHold) and candidate.order.supported.province != candidate.province:
                groups[candidate.order.supported.province].append(candidate)
        return groups

    @cached_property
    def convoys_in(self) -> Mapping[ProvinceCode, list[Candidate]]:
        """The candidate convoy orders, by the province of the fleet."""
        return _group_candidates(
            [candidate for candidate in self.candidates if isinstance(candidate.order, Convoy)], lambda c: c.province
        )

    @cached_property
    def convoys_to(self) -> Mapping[ProvinceCode, list[Candidate]]:
        """The candidate convoy orders, by the province that the army is to reach."""
        convoys = [candidate for candidate in self.candidates if isinstance(candidate.order, Convoy)]
        return _group_candidates(convoys, lambda convoy: convoy.destination)

    def is_occupied(self, province: ProvinceCode) -> Literal:
        """Return the literal that is true if a unit stands in a province."""
        return self.occupied.get(province, FALSE)

    def list_opposing(self, move: Candidate) -> list[Candidate]:
        """List the candidate moves in the opposite direction, from this move's destination to its origin."""
        return [other for other in self.moves_from[move.destination] if other.destination == move.province]

    @_cache_result
    def list_origins(self, destination: ProvinceCode) -> list[ProvinceCode]:
        """List the provinces, sorted, from which candidate moves go to a province."""
        return sorted({move.province for move in self.moves_to[destination]})

    @_cache_result
    def list_convoys(self, move: Candidate) -> list[Candidate]:
        """List the candidate convoy orders for the army of this move, from its origin to its destination."""
        return [convoy for convoy in self.convoys_to[move.destination] if is_convoy_of(convoy, move)]

    # 5.B.1 MOVE

    def move_equation(self, move: Candidate) -> Literal:
        """Return the literal of 5.B.1, which is true if the ATTACK strength of the move is large enough for it to succeed.

        ATTACK must exceed DEFEND of the opposing unit in a head-to-head battle, else HOLD of the destination. It must also
        exceed PREVENT of every other move to the same destination.
        """
        against_unit, against_rivals = self.attack(move), self.make_attack_on_rivals(move)
        conditions = [move.given, self.path(move)]
        for other in self.list_battle_opponents(move):
            battle = self.is_head_to_head(move, other)
            conditions.append(self.cnf.implies(battle, self.exceeds(against_unit, self.defend(other))))
        in_battle = self.cnf.any_of(
            self.is_head_to_head(move, other)
            for other in self.list_battle_opponents(move)
            if other.province == move.destination
        )
        exceeds_hold = self.exceeds(against_unit, self.hold(move.destination))
        conditions.append(self.cnf.any_of((in_battle, exceeds_hold)))
        conditions.append(self.exceeds(against_rivals, self.make_strongest_rival(move.destination, move.province)))
        return self.cnf.all_of(conditions)

    def can_follow(self, move: Candidate) -> Literal:
        """Return the literal that is true if a move would succeed, outside a head-to-head battle, if the unit there left."""
        strength = self.make_strength((move.given, self.path(move)), self.list_supports(move))
        in_battle = self.cnf.any_of(self.is_head_to_head(move, other) for other in self.list_battle_opponents(move))
        return self.cnf.all_of((-in_battle, self.exceeds(strength, self.make_strongest_rival(move.destination, move.province))))

    def exceeds(self, one: Strength, other: Strength) -> Literal:
        """Return the literal that is true if `one` exceeds `other`: if it is above 0 and above every value of `other`."""
        at_least_one_more = [one[0] if one else FALSE]
        for number, reached in enumerate(other, start=1):
            at_least_one_more.append(self.cnf.implies(reached, one[number] if number < len(one) else FALSE))
        return self.cnf.all_of(at_least_one_more)

    @_cache_result
    def make_strongest_rival(self, destination: ProvinceCode, origin: ProvinceCode) -> Strength:
        """Return the greatest PREVENT strength of the moves to a province, except those from `origin`."""
        others = (
            self.make_strength_from(destination, province) for province in self.list_origins(destination) if province != origin
        )
        return self.make_greatest(others)

    @_cache_result
    def make_strength_from(self, destination: ProvinceCode, origin: ProvinceCode) -> Strength:
        """Return the PREVENT strength of the move from `origin` to `destination`; empty, which means 0, without such a move."""
        return self.make_greatest(self.prevent(move) for move in self.moves_to[destination] if move.province == origin)

    def make_greatest(self, strengths: Iterable[Strength]) -> Strength:
        """Return the maximum of some strengths."""
        return [self.cnf.any_of(literals) for literals in zip_longest(*strengths, fillvalue=FALSE)]

    def is_head_to_head(self, move: Candidate, opponent: Candidate) -> Literal:
        """Return the literal that two given moves meet head to head: without convoy or canal, or at sea by Brannan's rule.

        By 4.A.4, which follows Calhamer rather than Brannan, a convoyed attack comes from where the army stands and meets no
        other unit on its way. A canal allows no head-to-head battle, since one of the two passes (DATC 2.4, 7.C.6). Under
        Brannan's rule (4.A.4.1=last-fleet) there is “a kind of head-to-head battle” with a fleet that moves to the last
        convoying fleet.
        """
        if self.find_canal(move):
            return FALSE
        for army, fleet in ((move, opponent), (opponent, move)):
            if self.can_meet_fleet(army, fleet):
                return self.cnf.all_of((army.given, fleet.given, self.comes_only_from(army, fleet.destination)))
        return self.cnf.all_of((move.given, opponent.given, -self.is_convoyed(move), -self.is_convoyed(opponent)))

    def list_battle_opponents(self, move: Candidate) -> list[Candidate]:
        """List the moves that a move may meet head to head: opposite ones and, by Brannan's rule, those met at sea.

        The opponents are the moves in the opposite direction and, under Brannan's rule, for a convoyed army those of a fleet
        that meets it at sea, and for a fleet those of such armies.
        """
        others = (*self.moves_from[move.destination], *self.moves_to[move.province])
        return [*self.list_opposing(move), *(o for o in others if self.can_meet_fleet(move, o) or self.can_meet_fleet(o, move))]

    def can_meet_fleet(self, army: Candidate, fleet: Candidate) -> bool:
        """Return whether, by 4.A.4.1=last-fleet, a fleet goes from the army's destination to a last sea of its routes."""
        return (
            self.rules.head_to_head_origin is AttackOrigin.LAST_FLEET
            and fleet.province == army.destination
            and fleet.is_fleet
            and any(route[-1] == fleet.destination for route in self.list_routes(army))
        )

    def comes_only_from(self, army: Candidate, last_fleet: ProvinceCode) -> Literal:
        """Return the literal that is true if the army would arrive over this last fleet alone, were it not dislodged (4.A.4).

        This is situation 1. The battle itself decides whether the fleet is dislodged (6.F.30).
        """
        carried = self.cnf.all_of((self.goes_by_convoy(army, spared=last_fleet), self.convoy_path(army, spared=last_fleet)))
        return self.cnf.all_of((carried, -self.comes_from_other_fleets(army, last_fleet, spared=last_fleet)))

    # 5.B.2 SUPPORT

    @_cache_result
    def support(self, support: Candidate) -> Literal:
        """Return the literal that is true if a support is given: by the caller's decision, a variable, or its equation."""
        return self.decided.get(support) or self.support_variables.get(support) or self.support_equation(support)

    def support_equation(self, support: Candidate) -> Literal:
        """Return the literal of 5.B.2: the supported order is given, and no move dislodges the supporter or cuts the support.

        No move to the supporter's province succeeds. No move by another power to that province has a PATH, except one that
        comes from the province into which the support is given.
        """
        uncut = []
        for move in self.moves_to[support.province]:
            if move.province == support.province:
                continue
            cuts = self.cnf.all_of((self.is_foreign_attack(move), -self.is_from_support_target(move, support)))
            dislodges = self.moves[move]
            effective = self.cnf.any_of((cuts, dislodges))
            uncut.append(-self.cnf.all_of((effective, -self.is_protected(support, move))))
        return self.cnf.all_of((support.given, self.is_matched(support), self.cnf.all_of(uncut)))

    @_cache_result
    def is_foreign_attack(self, move: Candidate) -> Literal:
        """Return the literal that a move has a PATH, goes to no unit of its power and, over a difficult border, is supported.

        Over a difficult border, a move attacks only if a support is given that counts against that unit (DATC 2.4, 10.A, 10.B
        and 10.O).
        """
        helped = self.cnf.any_of(
            self.cnf.all_of((self.support(helper), -self.same_power(helper.province, move.destination)))
            for helper in self.list_supports(move)
            if self.map.is_difficult(move.province, move.destination)
        )
        strong_enough = self.cnf.any_of((-self.is_over_difficult_border(move), helped))
        return self.cnf.all_of((move.given, self.path(move), -self.same_power(move.province, move.destination), strong_enough))

    def is_over_difficult_border(self, move: Candidate) -> Literal:
        """Return the literal that is true if an army crosses a difficult border by land; a convoy does not (DATC 2.4, 10.M)."""
        if move.is_fleet or not self.map.is_difficult(move.province, move.destination):
            return FALSE
        return -self.is_convoyed(move)

    def is_matched(self, support: Candidate) -> Literal:
        """Return the literal that is true if the supported move is ordered, or the unit can be supported to hold (4.E.2)."""
        if isinstance(support.order, SupportMove):
            return self.cnf.any_of(
                move.given for move in self.moves_to[support.destination] if is_support_of_move(support, move, self.rules)
            )
        assert isinstance(support.order, SupportHold)
        province = support.order.supported.province
        return self.cnf.all_of(
            (self.is_occupied(province), -self.is_ordered_to_move(province), -self.no_hold_support.get(province, FALSE))
        )

    def is_valid(self, candidate: Candidate) -> Literal:
        """Return the literal that is true if other units are given the matching orders that this order needs (4.E.2).

        A support needs the supported order. A convoy needs the order of an army that intends to be convoyed. A move by convoy
        needs a route of convoy orders.
        """
        match candidate.order:
            case Convoy():
                armies = (move for move in self.moves_to[candidate.destination] if is_convoy_of(candidate, move))
                explicit = self.rules.convoy_intent is ConvoyIntent.EXPLICIT
                return self.cnf.any_of(
                    self.cnf.all_of((move.given, self.can_be_convoyed(move) if explicit else TRUE)) for move in armies
                )
            case Move():
                return self.cnf.any_of((-self.is_convoyed(candidate), self.has_route(candidate)))
            case _:
                return self.is_matched(candidate)

    def can_be_convoyed(self, move: Candidate) -> Literal:
        """Return the literal that an army goes by convoy, or would by ordered convoys if they were not disrupted (4.A.3).

        By 4.A.3 the army may go by land after all if the convoy is disrupted.
        """
        if self.rules.land_fallback is not LandFallback.DISRUPTED:
            return self.is_convoyed(move)
        ordered = self.cnf.all_of((self.intends_convoy(move), self.has_route(move)))
        return self.cnf.any_of((self.is_convoyed(move), ordered))

    def has_route(self, move: Candidate) -> Literal:
        """Return the literal that is true if all fleets of some route are ordered to convoy the move."""
        return self.cnf.any_of(self.is_ordered(move, route) for route in self.list_routes(move))

    def is_ordered_to_move(self, province: ProvinceCode) -> Literal:
        """Return the literal that is true if the unit in a province is ordered to move."""
        return self.cnf.any_of(move.given for move in self.moves_from[province])

    def is_from_support_target(self, move: Candidate, support: Candidate) -> Literal:
        """Return the literal that, as 4.A.4 counts, a move comes from the province supported into, so cannot cut the support.

        With 4.A.4.5=last-fleet, a convoyed attack comes from the sea, so it can cut the support. Under Brannan's rule
        (4.A.4.2=last-fleet) support to hold is also protected in this way: the support is cut if its unit “is attacked from a
        space different from the one into which it is giving support” (1971 rulebook, X).
        """
        if isinstance(support.order, SupportMove) and support.destination == move.province:
            return -self.is_convoyed(move) if self.rules.support_origin is AttackOrigin.LAST_FLEET else TRUE
        if self.rules.paradox_origin is AttackOrigin.LAST_FLEET:
            return self.comes_from_fleet(move, self.find_support_target(support))
        return FALSE

    def find_support_target(self, support: Candidate) -> ProvinceCode:
        """Return the province into which a support is given: the supported move's destination, or the held province."""
        return support.order.supported.province if isinstance(support.order, SupportHold) else support.destination

    def comes_from_fleet(self, move: Candidate, last_fleet: ProvinceCode) -> Literal:
        """Return the literal that is true if a convoyed army comes over this last fleet alone (4.A.4, situation 2, Brannan).

        “With a multi-route convoy multiple last fleets are possible … the support is cut by the other convoying last fleet(s).”
        """
        return self.cnf.all_of((self.is_convoyed(move), -self.comes_from_other_fleets(move, last_fleet)))

    def comes_from_other_fleets(self, move: Candidate, last_fleet: ProvinceCode, spared: ProvinceCode = "") -> Literal:
        """Return the literal that is true if some route that ends with another fleet succeeds, as if `spared` stayed."""
        return self.cnf.any_of(
            self.is_successful(move, route, spared) for route in self.list_routes(move) if route[-1] != last_fleet
        )

    # 4.A.2, the paradox rules of the rulebooks: which supports a convoyed army does not cut. They override the dislodge
    # rule (4.A.2: “it is necessary to treat XII.5 as overriding X”; 6.F.17). Other paradox rules are backup rules.

    @_cache_result
    def is_protected(self, support: Candidate, move: Candidate) -> Literal:
        """Return the literal that is true if a paradox rule keeps a convoyed army's move from cutting this support (4.A.2)."""
        match self.rules.paradox:
            case ParadoxRule.RULE_1971:
                protects = self.is_protected_1971(support, move)
            case ParadoxRule.RULE_1982:
                protects = self.is_protected_1982(support)
            case ParadoxRule.RULE_2000:
                protects = self.is_protected_2000(support, move)
            case _:
                return FALSE
        return self.cnf.all_of((self.is_convoyed(move), protects))

    def is_protected_1971(self, support: Candidate, move: Candidate) -> Literal:
        """Return the literal of 4.A.2 a: a fleet supports another fleet's attack on one of the army's convoying fleets.

        “If a convoyed army attacks a fleet which is supporting a fleet which is attacking one of the convoy fleets, that
        support is not cut.” The convoy is what “the orders as written permit” (1971 rulebook, XII.4): it includes every fleet
        on a completely ordered route.
        """
        if not support.is_fleet or not isinstance(support.order, SupportMove):
            return FALSE
        through = [route for route in self.list_routes(move) if support.destination in route]
        of_the_convoy = self.cnf.any_of(self.is_ordered(move, route) for route in through)
        attackers = [other for other in self.moves_to[support.destination] if is_support_of_move(support, other, self.rules)]
        by_fleet = self.cnf.any_of(attacker.given for attacker in attackers if attacker.is_fleet)
        return self.cnf.all_of((of_the_convoy, by_fleet))

    def is_protected_1982(self, support: Candidate) -> Literal:
        """Return the literal of 4.A.2 b: a fleet supports an action in a place where a fleet convoys.

        “If a convoyed army attacks a fleet which is supporting an action in a body of water; and that body of water contains a
        convoying fleet, that support is not cut.” Any place where a fleet convoys counts as one, even a coast (DATC 2.4, 9).
        """
        if not support.is_fleet:
            return FALSE
        return self.cnf.any_of(self.is_convoying_fleet(fleet) for fleet in self.convoys_in[self.find_support_target(support)])

    @_cache_result
    def is_convoying_fleet(self, fleet: Candidate) -> Literal:
        """Return the literal that is true if a fleet with a convoy order counts as convoying under the rulebook (4.A.2 b).

        “Does it mean a fleet that is ordered to convoy? Or must there be at least an army that tries to convoy? Or must there
        be a possible route?”
        """
        if self.rules.convoying_fleet is ConvoyingFleet.ORDERED:
            return fleet.given
        armies = []
        for move in self.moves_to[fleet.destination]:
            if is_convoy_of(fleet, move):
                tries = [move.given, self.is_convoyed(move)]
                if self.rules.convoying_fleet is ConvoyingFleet.ROUTE:
                    through = [route for route in self.list_routes(move) if fleet.province in route]
                    tries.append(self.cnf.any_of(self.is_ordered(move, route) for route in through))
                armies.append(self.cnf.all_of(tries))
        return self.cnf.all_of((fleet.given, self.cnf.any_of(armies)))

    def is_protected_2000(self, support: Candidate, move: Candidate) -> Literal:
        """Return the literal of 4.A.2 c: a unit supports an attack on a fleet that the army's convoy needs.

        “A convoyed Army does not cut the support of a unit supporting an attack against one of the fleets necessary for the
        army to convoy.” A fleet is necessary if no successful route avoids it (an army without a successful route cuts no
        support).
        """
        if not isinstance(support.order, SupportMove):
            return FALSE
        avoiding = [route for route in self.list_routes(move) if support.destination not in route]
        return -self.cnf.any_of(self.is_successful(move, route) for route in avoiding)

    # 5.B.3 CONVOY

    @_cache_result
    def convoy(self, convoy: Candidate) -> Literal:
        """Return the literal that is true if a convoy order succeeds: as decided by the caller, else by its equation."""
        return self.decided.get(convoy) or self.convoy_equation(convoy)

    def convoy_equation(self, convoy: Candidate) -> Literal:
        """Return the literal of 5.B.3: “The convoy order is successful if the fleet is not dislodged”.

        “So, no other unit has a successful MOVE to the province.”
        """
        return self.cnf.all_of((convoy.given, *(-self.moves[move] for move in self.moves_to[convoy.province])))

    # 5.B.4 PATH

    @_cache_result
    def path(self, move: Candidate) -> Literal:
        """Return the literal of 5.B.4, which is true if a move has a PATH.

        “The unit can directly move to the destination and is not convoyed or is convoyed and there is a chain of adjacent
        fleets from origin to destination each with a matching and successful CONVOY order.”
        """
        convoyed, canal = self.is_convoyed(move), self.find_canal(move)
        by_convoy = self.cnf.all_of((convoyed, self.convoy_path(move)))
        directly = self.cnf.all_of((-convoyed, self.is_open_for(move, canal) if canal else TRUE))
        return self.cnf.any_of((directly, by_convoy))

    def find_canal(self, move: Candidate) -> Canal | None:
        """Return the canal through which a fleet moves; None if it passes none."""
        assert isinstance(move.order, Move)
        return self.map.canal_between(move.location, move.order.destination) if move.is_fleet else None

    def is_open_for(self, move: Candidate, canal: Canal) -> Literal:
        """Return the literal that a canal's holder stays and lets a move pass, by permission or as its own power's (7.C).

        The holder stays if it neither moves nor is dislodged (7.C.8 to 7.C.12). A unit of the holder's power needs no
        permission (7.C.3), unless another unit has one (7.C.4) or two such units pass (7.C.5).
        """
        through = [other for other in self.moves if self.find_canal(other) is canal]
        of_the_keeper = {
            other: self.cnf.all_of((other.given, self.same_power(other.province, canal.keeper))) for other in through
        }
        others_of_the_keeper = (of_the_keeper[other] for other in through if other.province != move.province)
        anybody = self.cnf.any_of(given for permission, given in self.permissions.items() if permission.canal == canal.name)
        implicitly = self.cnf.all_of((of_the_keeper[move], -anybody, *(-other for other in others_of_the_keeper)))
        leaves = (self.moves[other] for other in self.moves_from[canal.keeper])
        dislodged = (self.moves[other] for other in self.moves_to[canal.keeper])
        stays = self.cnf.all_of((self.is_occupied(canal.keeper), -self.cnf.any_of((*leaves, *dislodged))))
        return self.cnf.all_of((stays, self.cnf.any_of((self.is_permitted(move, canal), implicitly))))

    def is_permitted(self, move: Candidate, canal: Canal) -> Literal:
        """Return the literal that is true if a permission to pass a canal is given for a move."""
        return self.cnf.any_of(
            given
            for permission, given in self.permissions.items()
            if (permission.canal, permission.unit.province, province_of(permission.destination))
            == (canal.name, move.province, move.destination)
        )

    def convoy_path(self, move: Candidate, spared: ProvinceCode = "") -> Literal:
        """Return the literal that is true if enough convoy routes succeed to carry the army, as if `spared` stayed (4.A.1).

        Either one ordered route must succeed, or all of them; with 4.A.1=any-own-route, all those of the army's own power if
        there are any. The fleet in the province `spared` counts as not dislodged.
        """
        routes = self.list_routes(move)
        if self.rules.multi_route is MultiRoute.ALL:
            return self.cnf.any_of(self.is_successful(move, route, spared) for route in routes)
        all_stand = self.has_no_failed_route(move, routes, spared)
        if self.rules.multi_route is MultiRoute.ANY:
            return all_stand
        own = {route: self.is_own_route(move, route) for route in routes}
        own_suffice = self.cnf.any_of(own.values())
        own_stand = self.cnf.all_of(self.cnf.implies(own[route], self.is_successful(move, route, spared)) for route in routes)
        return self.cnf.any_of((self.cnf.all_of((own_suffice, own_stand)), self.cnf.all_of((-own_suffice, all_stand))))

    def has_no_failed_route(self, move: Candidate, routes: Sequence[Route], spared: ProvinceCode = "") -> Literal:
        """Return the literal that is true if some route is ordered and all ordered ones succeed, as if `spared` stayed."""
        ordered = self.cnf.any_of(self.is_ordered(move, route) for route in routes)
        stand = [self.cnf.implies(self.is_ordered(move, route), self.is_successful(move, route, spared)) for route in routes]
        return self.cnf.all_of((ordered, *stand))

    @_cache_result
    def list_routes(self, move: Candidate) -> list[Route]:
        """List a move's routes over fleets that may convoy it: proper ones, all (4.E.1.convoy=legal), or its path (4.A.6).

        If convoy paths count (4.A.6), the path in the order is the only route. If they are required and the order has none,
        there is no route.
        """
        assert isinstance(move.order, Move)
        if move.is_fleet:
            return []
        fleets = sorted({convoy.province for convoy in self.list_convoys(move)})
        ends = move.province, move.destination
        stated_route = tuple(map(province_of, move.order.route))
        if self.rules.convoy_paths is ConvoyPaths.REQUIRED or (stated_route and self.rules.convoy_paths is ConvoyPaths.ALLOWED):
            return [route for route in iter_simple_routes(self.map, *ends, fleets, self.longest_route) if route == stated_route]
        if self.rules.superfluous_convoy is SuperfluousConvoy.LEGAL:
            return list(iter_simple_routes(self.map, *ends, fleets, self.longest_route))
        return list(iter_proper_routes(self.map, *ends, fleets, self.longest_route))

    def is_ordered(self, move: Candidate, route: Route) -> Literal:
        """Return the literal that is true if every fleet of a route is ordered to convoy the move."""
        return self.cnf.all_of(
            self.cnf.any_of(fleet.given for fleet in self.list_convoys(move) if fleet.province == province)
            for province in route
        )

    def is_successful(self, move: Candidate, route: Route, spared: ProvinceCode = "") -> Literal:
        """Return the literal that is true if every fleet of a route is ordered to convoy and, except in `spared`, succeeds."""
        return self.cnf.all_of(
            self.cnf.any_of(
                fleet.given if province == spared else self.convoy(fleet)
                for fleet in self.list_convoys(move)
                if fleet.province == province
            )
            for province in route
        )

    def is_own_route(self, move: Candidate, route: Route) -> Literal:
        """Return the literal that is true if a route is ordered and all its fleets belong to the army's power."""
        same_powers = (self.same_power(move.province, province) for province in route)
        return self.cnf.all_of((self.is_ordered(move, route), *same_powers))

    @_cache_result
    def is_convoyed(self, move: Candidate) -> Literal:
        """Return the literal that is true if a move goes by convoy: always if it cannot go by land, else as 4.A.3 says."""
        return self.goes_by_convoy(move)

    def goes_by_convoy(self, move: Candidate, spared: ProvinceCode = "") -> Literal:
        """Return the literal that is true if a move goes by convoy, as if the fleet in `spared` were not dislodged."""
        assert isinstance(move.order, Move)
        if move.is_fleet:
            return FALSE
        if move.destination not in self.map.army.get(move.province, ()):
            return TRUE
        return self.cnf.all_of((self.intends_convoy(move), -self.falls_back_to_land(move, spared)))

    def intends_convoy(self, move: Candidate) -> Literal:
        """Return the literal that is true if an army that could go by land intends to go by convoy (4.A.3)."""
        assert isinstance(move.order, Move)
        says_so = TRUE if move.order.via_convoy else FALSE
        by_own_fleet = self.cnf.any_of(
            self.cnf.all_of((fleet.given, self.same_power(fleet.province, move.province))) for fleet in self.list_convoys(move)
        )
        other_way = self.cnf.any_of(other.given for other in self.list_opposing(move))
        match self.rules.convoy_intent:
            case ConvoyIntent.ALWAYS:
                return TRUE
            case ConvoyIntent.OPPOSITE:
                return other_way
            case ConvoyIntent.INTENT_1982:
                own_other_way = self.cnf.all_of((other_way, self.same_power(move.province, move.destination)))
                return self.cnf.any_of((says_so, by_own_fleet, own_other_way))
            case ConvoyIntent.OWN_OR_VIA:
                return self.cnf.any_of((says_so, by_own_fleet))
            case ConvoyIntent.EXPLICIT:
                return says_so

    def falls_back_to_land(self, move: Candidate, spared: ProvinceCode) -> Literal:
        """Return the literal that is true if an army that intends to go by convoy goes by land, as if `spared` stayed (4.A.3).

        “does it fall back to the land route?” Never; or unless there are (a) fleets on the board that could convoy, (b) a
        convoy path is ordered, or (c) a convoy path is ordered and it is not disrupted.
        """
        match self.rules.land_fallback:
            case LandFallback.NEVER:
                return FALSE
            case LandFallback.IMPOSSIBLE:
                routes = iter_simple_routes(
                    self.map, move.province, move.destination, sorted(self.map.convoying), self.longest_route
                )
                return -self.cnf.any_of(self.cnf.all_of(map(self.is_occupied, route)) for route in routes)
            case LandFallback.UNORDERED:
                return -self.cnf.any_of(self.is_ordered(move, route) for route in self.list_routes(move))
            case LandFallback.DISRUPTED:
                return -self.convoy_path(move, spared)

    # 5.B.5 to 5.B.8 the strengths

    @_cache_result
    def hold(self, province: ProvinceCode) -> Strength:
        """Return the HOLD strength (5.B.5) of a province: 0 if empty or left, 1 if a move from it fails, else 1 + supports."""
        stays = self.cnf.all_of((self.is_occupied(province), *(-self.leaves(move) for move in self.moves_from[province])))
        return self.make_strength((stays, -self.is_ordered_to_move(province)), self.hold_supports[province], nonzero=stays)

    @_cache_result
    def prevent(self, move: Candidate) -> Strength:
        """Return the PREVENT strength (5.B.6): 0 without PATH or after a lost head-to-head battle; else 1 + given supports.

        With 4.A.7=never (DATC 2.4, 5.B.6) no head-to-head battle is needed: “the PREVENT STRENGTH is zero when the MOVE
        decision of the same unit has status 'fails' and the MOVE decision of the opposing unit has status 'moves'.”
        """
        conditions = [move.given, self.path(move)]
        for other in self.list_battle_opponents(move):
            if self.rules.dislodged_effect is DislodgedEffect.NEVER and other in self.list_opposing(move):
                beaten = self.cnf.all_of((-self.moves[move], self.moves[other]))
            else:
                beaten = self.cnf.all_of((self.is_head_to_head(move, other), self.moves[other]))
            conditions.append(-beaten)
        return self.make_strength(conditions, self.list_supports(move), one_less=self.is_over_difficult_border(move))

    @_cache_result
    def defend(self, move: Candidate) -> Strength:
        """Return DEFEND (5.B.7) of a move: 1 plus its successful supports, one less over a difficult border; 0 if not given."""
        return self.make_strength((move.given,), self.list_supports(move), one_less=self.is_over_difficult_border(move))

    @_cache_result
    def attack(self, move: Candidate) -> Strength:
        """Return the ATTACK strength (5.B.8): 0 without PATH, else 1 + the given supports that count at the destination.

        If the destination is empty or its unit leaves, all given supports count. Otherwise the strength is 0 if that unit
        belongs to the same power; if not, supports by that unit's power do not count.
        """
        path = self.cnf.all_of((move.given, self.path(move)))
        open_way = self.is_vacated_for(move)
        enemy = -self.same_power(move.province, move.destination)
        supports, one_less = self.list_supports(move), self.is_over_difficult_border(move)
        free = self.make_strength((path, open_way), supports, one_less=one_less)
        opposed = self.make_strength(
            (path, -open_way, enemy),
            supports,
            one_less=one_less,
            counts=lambda s: -self.same_power(s.province, move.destination),
        )
        return [self.cnf.any_of(either) for either in zip(free, opposed, strict=True)]

    @_cache_result
    def make_attack_on_rivals(self, move: Candidate) -> Strength:
        """Return the ATTACK strength against rivals: `attack`, or with all supports if the rulebook has 5.B.8=against-rivals.

        It is the usual ATTACK strength, except that with 5.B.8=against-rivals (guide, Step 19) supports by the attacked unit's
        power count as well.
        """
        if self.rules.defenders_support is DefendersSupport.IGNORED:
            return self.attack(move)
        conditions = (move.given, self.path(move))
        return self.make_strength(conditions, self.list_supports(move), one_less=self.is_over_difficult_border(move))

    def leaves(self, move: Candidate) -> Literal:
        """Return the literal that is true if the unit of a move leaves its province, that is, if the move succeeds."""
        return self.moves[move]

    def is_vacated_for(self, move: Candidate) -> Literal:
        """Return the literal that the destination is empty, or that its unit leaves, and not in a head-to-head battle (5.B.8).

        The unit leaves if its MOVE succeeds, and not in a head-to-head battle.
        """
        leaves = [
            self.cnf.all_of((self.leaves(other), -self.is_head_to_head(move, other)))
            if other.destination == move.province or self.can_meet_fleet(move, other)
            else self.leaves(other)
            for other in self.moves_from[move.destination]
        ]
        return self.cnf.any_of((-self.is_occupied(move.destination), *leaves))

    @_cache_result
    def list_supports(self, move: Candidate) -> list[Candidate]:
        """List the candidate supports for a move."""
        return [support for support in self.supports_to[move.destination] if is_support_of_move(support, move, self.rules)]

    def make_strength(
        self,
        conditions: Sequence[Literal],
        supports: Sequence[Candidate],
        *,
        nonzero: Literal | None = None,
        one_less: Literal = FALSE,
        counts: Callable[[Candidate], Literal] = lambda support: TRUE,
    ) -> Strength:
        """Return the strength 1 + the number of given supports that count; 0 unless `conditions` hold, or `nonzero` if given.

        `nonzero`, if given, decides alone whether the strength exceeds 0. Orders of one supporter exclude each other, so they
        add at most 1.

        If the map has difficult borders, all strengths except 0 are greater by one, unless `one_less` is true: a move over such
        a border. Without support, such moves exceed only 0, and are equal to each other (DATC 2.4, 10.C, 10.D).
        """
        by_supporter = _group_candidates(supports, lambda support: support.province)
        given = [
            self.cnf.any_of(self.cnf.all_of((self.support(support), counts(support))) for support in of_one)
            for _, of_one in sorted(by_supporter.items())
        ]
        holds = self.cnf.all_of(conditions)
        exceeds = [holds if nonzero is None else nonzero]
        most = len(given) if self.most_units is None else min(len(given), self.most_units - 1)
        exceeds.extend(self.cnf.all_of((holds, self.cnf.at_least(number, given))) for number in range(1, most + 1))
        if not self.map.difficult:
            return exceeds
        exceeds.insert(0, exceeds[0])
        return [
            self.cnf.any_of((self.cnf.all_of((-one_less, usual)), self.cnf.all_of((one_less, of_one_less))))
            for usual, of_one_less in zip(exceeds, [*exceeds[1:], FALSE], strict=True)
        ]


def _group_candidates(
    candidates: Sequence[Candidate] | Mapping[Candidate, Literal], key: Callable[[Candidate], ProvinceCode]
) -> Mapping[ProvinceCode, list[Candidate]]:
    """Return the candidates grouped by the province that `key` returns for each."""
    groups: defaultdict[ProvinceCode, list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        groups[key(candidate)].append(candidate)
    return groups
