"""States the equations of DATC 3.2, 5.B, each once, with the options of a rulebook (DATC chapter 4).

They are written in a `Logic` `L`; `~L` is its opposing view (see `satjudge.judging.equations.logic`). MOVE, SUPPORT and CONVOY
are the decisions; PATH and the strengths are functions of them. The side conditions of candidate orders (`is_chosen`,
`is_occupied`, `same_power`) are constants in an adjudication and unknowns in a search.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

from satjudge.judging.equations.situation import (
    CanalDecision,
    ConvoyDecision,
    Decision,
    MoveDecision,
    PassDecision,
    Place,
    ReachDecision,
    Route,
    Stage,
    SupportDecision,
)
from satjudge.world.geography import UnitKind
from satjudge.world.rules.rulebook import (
    AttackOrigin,
    ConvoyingFleet,
    ConvoyIntent,
    DefendersSupport,
    DislodgedEffect,
    LandFallback,
    MultiRoute,
    ParadoxRule,
)

if TYPE_CHECKING:
    from satjudge.judging.equations.logic import Logic

B = TypeVar("B")
N = TypeVar("N")


def decision(L: Logic[B, N], subject: Decision) -> B:
    """Return the value that the equation of a decision of any kind gives."""
    if isinstance(subject, MoveDecision):
        return move(L, subject)
    if isinstance(subject, SupportDecision):
        return support(L, subject)
    if subject.rules.railroads:
        if isinstance(subject, ReachDecision):
            return reach(L, subject)
        if isinstance(subject, PassDecision):
            return passing(L, subject)
    if subject.rules.canals and isinstance(subject, CanalDecision):
        return canal(L, subject)
    assert isinstance(subject, ConvoyDecision)
    return convoy(L, subject)


def move(L: Logic[B, N], m: MoveDecision) -> B:
    """Return MOVE (5.B.1): whether the move has a path, and its strength exceeds what opposes it and PREVENT of every rival."""
    strength = L.attack(m)
    in_rivalry = strength if m.rules.defenders_support is DefendersSupport.IGNORED else L.defend(m)
    return L.all_of(
        chain(
            (L.path(m), exceeds_hold(L, m, strength)),
            (L.any_of((no_battle(L, m, other), L.exceeds(strength, (~L).defend(other)))) for other in m.opposed),
            L.exceeds_rivals(m, in_rivalry),
            exceeds_trains(L, m, strength),
        )
    )


def exceeds_hold(L: Logic[B, N], m: MoveDecision, strength: N) -> B:
    """Return whether the strength exceeds HOLD of the destination; with difficult borders, a head-to-head battle suffices.

    In a head-to-head battle, only DEFEND counts; it is less than HOLD only over a difficult border.
    """
    if not m.rules.difficult_borders:
        return L.exceeds(strength, (~L).hold(m.destination))
    meets = (L.head_to_head(m, other) for other in m.opposed)
    return L.any_of(chain((L.exceeds(strength, (~L).hold(m.destination)),), meets))


def exceeds_rivals(L: Logic[B, N], m: MoveDecision, strength: N) -> Iterable[B]:
    """Yield, for each rival of the move, whether the strength exceeds PREVENT of that rival."""
    return (outdoes(L, m, strength, rival) for rival in m.destination.moves_in if rival is not m)


def outdoes(L: Logic[B, N], m: MoveDecision, strength: N, rival: MoveDecision) -> B:
    """Return whether the strength exceeds PREVENT of a rival, or equals it if only the rival has half its strength (*1900*).

    Only this comparison distinguishes half a strength from a whole one. Otherwise a unit of half strength with the same
    supports dislodges, defends itself against an opponent over the same border, and bounces with others as if it were whole.
    """
    exceeding = L.exceeds(strength, (~L).prevent(rival))
    if not m.rules.half_strength:
        return exceeding
    halved = L.none_of((has_full_strength(~L, rival),))
    as_strong = L.none_of(((~L).exceeds((~L).prevent(rival), strength),))
    return L.any_of((exceeding, L.all_of((has_full_strength(L, m), halved, as_strong))))


def has_full_strength(L: Logic[B, N], m: MoveDecision) -> B:
    """Return whether the move avoids borders at half strength, both directly and from the last fleet of its convoy.

    If the convoy also has a route with another last fleet, the army arrives from there.
    """
    if not m.halved and m.halved_from is None:
        return L.constant(True)
    directly = L.all_of((L.constant(not m.halved), goes_by_land(L, m)))
    around = L.constant(True) if m.halved_from is None else L.has_open_route_elsewhere(m, None, m.halved_from)
    return L.any_of((directly, L.all_of((L.is_convoyed(m), around))))


def exceeds_trains(L: Logic[B, N], m: MoveDecision, strength: N) -> Iterable[B]:
    """Yield whether the strength exceeds that of each train that enters the destination or meets the move (7.B.28)."""
    return chain(
        (L.exceeds(strength, (~L).train_prevent(stage)) for stage in m.destination.stages_in if m.rules.railroads),
        (
            L.exceeds(strength, (~L).train_strength(train.stages[0]))
            for train in m.destination.trains_out
            if m.rules.railroads and train.stages[0].place is m.origin
        ),
    )


def support(L: Logic[B, N], s: SupportDecision) -> B:
    """Return SUPPORT (5.B.2): whether the support is matched and not cut, and its unit is not dislodged."""
    dislodging = (dislodges(~L, m, s) for m in s.place.moves_in)
    cutting = (cuts(~L, m, s) for m in s.place.moves_in)
    return L.all_of((is_matched(L, s), L.none_of(chain(dislodging, cutting))))


def is_foreign(L: Logic[B, N], one: Place, other: Place) -> B:
    """Return whether the units at two places belong to different powers, or one place is empty."""
    return L.none_of(((~L).same_power(one, other),))


def is_matched(L: Logic[B, N], s: SupportDecision) -> B:
    """Return whether the supported move is really ordered (4.E.2), or a unit supported to hold not ordered to move (6.D.7)."""
    if s.supports_hold:
        stays = L.none_of((~L).is_chosen(m) for m in s.supported.moves_out)
        return L.all_of((L.is_chosen(s), L.is_occupied(s.supported), L.supportable(s.supported), stays))
    by_rail = (L.constant(True) for train in s.trains if s.rules.railroads)
    return L.all_of((L.is_chosen(s), L.any_of(chain((L.is_chosen(m) for m in s.matches), by_rail))))


def dislodges(L: Logic[B, N], m: MoveDecision, s: SupportDecision) -> B:
    """Return whether the move dislodges the supporting unit, unless a paradox rule protects the support (6.F.17)."""
    return L.all_of((L.move(m), is_unprotected(L, m, s)))


def cuts(L: Logic[B, N], m: MoveDecision, s: SupportDecision) -> B:
    """Return whether the move cuts the support: another power's unit reaches the supporting unit in a way that cuts support.

    A move from the place into which support is given does not cut it (6.D.15). A convoyed attack comes from where the army is
    or, as an option, from the last fleet (4.A.4). A move over a difficult border only cuts if a support for it counts (DATC
    2.4, 10.A, 10.O), and one over a border at half strength only if it dislodges the unit (*1900*).
    """
    from_there = m.origin is s.directed_at
    if from_there and s.rules.support_origin is AttackOrigin.LAST_FLEET:
        from_other_side = L.is_convoyed(m)
    else:
        from_other_side = L.constant(not from_there)
    ways = [is_foreign(L, m.origin, s.place), L.path(m), from_other_side, is_unprotected(L, m, s)]
    if s.rules.difficult_borders:
        helping = (L.all_of((L.support(other), is_foreign(L, s.place, other.place))) for other in m.supports)
        ways.append(L.any_of(chain((avoids_difficult_border(L, m),), helping)))
    if s.rules.half_strength:
        ways.append(has_full_strength_or_convoy(L, m))
    if s.rules.paradox_origin is AttackOrigin.LAST_FLEET:
        ways.append(L.any_of((goes_by_land(L, m), L.has_open_route_elsewhere(m, None, s.directed_at))))
    return L.all_of(ways)


def has_full_strength_or_convoy(L: Logic[B, N], m: MoveDecision) -> B:
    """Return whether the move does not go by land over a border at half strength; a convoy over it cuts support (*1900*)."""
    return L.is_convoyed(m) if m.halved else L.constant(True)


def is_unprotected(L: Logic[B, N], m: MoveDecision, s: SupportDecision) -> B:
    """Return whether no rule for convoy paradoxes protects the support from this move (4.A.2).

    The rule of 1971 protects a fleet's support of a fleet's attack on a fleet that convoys the army; that of 2000 does so
    only if no successful route avoids that fleet. The rule of 1982 protects a fleet's support into a sea with any
    convoying fleet.
    """
    rule = s.rules.paradox
    if not m.convoys or rule not in (ParadoxRule.RULE_1971, ParadoxRule.RULE_1982, ParadoxRule.RULE_2000):
        return L.constant(True)
    if rule is ParadoxRule.RULE_1982:
        if s.order.unit.kind is not UnitKind.FLEET:  # with coasts that convoy (DATC 2.4, 9), armies could be meant, too
            return L.constant(True)
        protected = (~L).any_of(is_convoying_fleet(~L, c) for c in s.directed_at.convoys)
        return L.any_of((L.none_of(((~L).is_convoyed(m),)), L.none_of((protected,))))
    army = s.order.unit.kind is UnitKind.ARMY or s.order.supported.kind is UnitKind.ARMY
    if s.supports_hold or (rule is ParadoxRule.RULE_1971 and army):  # XII.5: “a fleet which is supporting a fleet”
        return L.constant(True)
    unneeded = L.none_of((~L).is_on_ordered_route(m, c, False) for c in s.directed_at.convoys)
    around = L.has_open_route_around(m, s.directed_at) if rule is ParadoxRule.RULE_2000 else L.constant(False)
    return L.any_of((unneeded, goes_by_land(L, m), around))


def is_convoying_fleet(L: Logic[B, N], c: ConvoyDecision) -> B:
    """Return whether the fleet is a “convoying fleet” in the rulebook's reading of the 1982 paradox rule (4.A.2 b).

    An army that goes by land does not count as trying to be convoyed.
    """
    reading = c.rules.convoying_fleet
    if reading is ConvoyingFleet.ORDERED:
        return L.is_chosen(c)
    if reading is ConvoyingFleet.ARMY:
        return L.all_of((L.is_chosen(c), L.any_of(tries_convoy(L, m) for m in c.matches)))
    return L.any_of(L.all_of((tries_convoy(L, m), L.is_on_ordered_route(m, c, False))) for m in c.matches)


def tries_convoy(L: Logic[B, N], m: MoveDecision) -> B:
    """Return whether the army is ordered to move, and goes by convoy (4.A.2 b: “an army that tries to convoy”)."""
    return L.all_of((L.is_chosen(m), L.is_convoyed(m)))


def goes_by_land(L: Logic[B, N], m: MoveDecision) -> B:
    """Return whether the move does not go by convoy."""
    return L.none_of(((~L).is_convoyed(m),))


def convoy(L: Logic[B, N], c: ConvoyDecision) -> B:
    """Return CONVOY (5.B.3): whether the fleet is ordered to convoy and not dislodged, so no move to its province succeeds."""
    return L.all_of((L.is_chosen(c), L.none_of((~L).move(m) for m in c.place.moves_in)))


def is_convoyed(L: Logic[B, N], m: MoveDecision) -> B:
    """Return whether a move goes by convoy: it cannot go by land, or it intends a convoy and does not fall back (4.A.3)."""
    if not m.by_land:
        return L.constant(True)
    if not m.might_be_convoyed:
        return L.constant(False)
    return L.all_of((means_convoy(L, m), may_convoy(L, m)))


def means_convoy(L: Logic[B, N], m: MoveDecision) -> B:
    """Return whether the army is intended to go by convoy, by the rulebook's criterion, if it could also go by land (4.A.3)."""
    own = (L.all_of((L.is_chosen(c), L.same_power(c.place, m.origin))) for c in m.convoys)
    opposite = (other for other in m.destination.moves_out if other.destination is m.origin)
    match m.rules.convoy_intent:
        case ConvoyIntent.ALWAYS:
            return L.any_of(chain((L.constant(m.order.via_convoy),), (L.is_chosen(c) for c in m.convoys)))
        case ConvoyIntent.OPPOSITE:
            return L.any_of(L.is_chosen(other) for other in opposite)
        case ConvoyIntent.INTENT_1982:
            own_swap = (L.all_of((L.is_chosen(other), L.same_power(other.origin, m.origin))) for other in opposite)
            return L.any_of(chain((L.constant(m.order.via_convoy),), own, own_swap))
        case ConvoyIntent.OWN_OR_VIA:
            return L.any_of(chain((L.constant(m.order.via_convoy),), own))
        case ConvoyIntent.EXPLICIT:
            return L.constant(m.order.via_convoy)


def may_convoy(L: Logic[B, N], m: MoveDecision) -> B:
    """Return whether the army “could arrive” by convoy, in the rulebook's reading of these words (4.A.3)."""
    match m.rules.land_fallback:
        case LandFallback.NEVER:
            return L.constant(True)
        case LandFallback.IMPOSSIBLE:
            return L.any_of(L.all_of(L.is_occupied(place) for place in seas) for seas in m.waters)
        case LandFallback.UNORDERED:
            return L.has_ordered_route(m, False)
        case LandFallback.DISRUPTED:
            return goes_by_sea(L, m, None)


def no_battle(L: Logic[B, N], m: MoveDecision, other: MoveDecision) -> B:
    """Return whether two opposed moves do not meet in a head-to-head battle."""
    return L.none_of(((~L).head_to_head(m, other),))


def head_to_head(L: Logic[B, N], m: MoveDecision, other: MoveDecision) -> B:
    """Return whether opposite moves not by convoy meet in battle or, by Brannan's rule, a convoyed army and a unit at sea.

    Under Brannan's rule, so do a convoyed army and the unit that attacks its last fleet from its destination (4.A.4).
    """
    meet = L.all_of((L.is_chosen(m), L.is_chosen(other)))
    if m.rules.head_to_head_origin is AttackOrigin.START or is_opposite(m, other):
        return L.all_of((meet, L.none_of(((~L).is_convoyed(m), (~L).is_convoyed(other)))))
    if m.has_route:
        return L.all_of((meet, comes_from(L, m, other.destination)))
    return L.all_of((meet, comes_from(L, other, m.destination)))


def is_opposite(m: MoveDecision, other: MoveDecision) -> bool:
    """Return whether each of two moves goes to the other's origin."""
    return m.destination is other.origin and other.destination is m.origin


def comes_from(L: Logic[B, N], m: MoveDecision, last: Place) -> B:
    """Return whether a convoyed army arrives from the fleet at `last`, the last one on its way (4.A.4, Brannan's rule).

    Disrupted routes do not count. The fleet itself counts as convoying, since the battle with its attacker decides whether it
    does. If the army can also arrive by another last fleet, it comes from there.
    """
    undecided = m.by_land and m.rules.land_fallback is LandFallback.DISRUPTED  # the rest decides whether it falls back
    sails = means_convoy(L, m) if undecided else L.is_convoyed(m)
    return L.all_of((sails, goes_by_sea(L, m, last), L.none_of(((~L).has_open_route_elsewhere(m, last, last),))))


def path(L: Logic[B, N], m: MoveDecision) -> B:
    """Return PATH (5.B.4): whether the move can go by land, or by a convoy that is not disrupted."""
    if m.rules.canals and m.by_canal:
        return L.all_of((L.is_chosen(m), L.any_of(L.canal(c) for c in m.canals)))
    if not m.might_be_convoyed or (m.by_land and m.rules.land_fallback is LandFallback.DISRUPTED):
        return L.is_chosen(m)  # by land, or in either way
    return goes_by_land_or_sea(L, m)


def goes_by_land_or_sea(L: Logic[B, N], m: MoveDecision) -> B:
    """Return PATH of a move that might be convoyed: whether it goes by land, or by a convoy that is not disrupted."""
    return L.all_of((L.is_chosen(m), L.any_of((goes_by_land(L, m), goes_by_sea(L, m, None)))))


def goes_by_sea(L: Logic[B, N], m: MoveDecision, spared: Place | None) -> B:
    """Return whether convoying fleets (or at `spared`) connect the coasts or, by option, no fleet the move needs is disrupted.

    A fleet at `spared` counts as if it could not be dislodged.
    """
    if m.rules.multi_route is MultiRoute.ALL:
        return L.has_open_route(m, spared)
    return L.all_of(chain((L.has_ordered_route(m, False),), (is_harmless(L, m, c, spared) for c in m.convoys)))


def is_harmless(L: Logic[B, N], m: MoveDecision, c: ConvoyDecision, spared: Place | None) -> B:
    """Return whether a fleet is not disrupted, or the move does not need it; a fleet at `spared` counts as not disrupted."""
    return L.any_of((L.none_of((is_needed(~L, m, c),)), fleet_stands(L, c, spared)))


def is_needed(L: Logic[B, N], m: MoveDecision, c: ConvoyDecision) -> B:
    """Return whether a convoy is on a route of ordered fleets that counts.

    Under `ANY_OWN` (1998 guide), only routes of the army's own fleets count if there is one.
    """
    if m.rules.multi_route is not MultiRoute.ANY_OWN:
        return L.is_on_ordered_route(m, c, False)
    foreign_counts = L.none_of(((~L).has_ordered_route(m, True),))
    return L.any_of((L.is_on_ordered_route(m, c, True), L.all_of((L.is_on_ordered_route(m, c, False), foreign_counts))))


# Routes: each is a chain of fleets from coast to coast. As any chain contains a proper route (4.E.1), logics for given orders
# follow the fleets instead (`satjudge.judging.equations.convoy_graph`). Fleets in a circle that touches no coast do not connect
# anything.


def has_open_route(L: Logic[B, N], m: MoveDecision, spared: Place | None) -> B:
    """Return whether every fleet of some route of the move convoys; a fleet at `spared` always counts as convoying."""
    return L.any_of(is_route_open(L, route, spared) for route in m.routes)


def has_open_route_elsewhere(L: Logic[B, N], m: MoveDecision, spared: Place | None, last: Place) -> B:
    """Return whether some route whose last fleet is not at `last` has only fleets that convoy; one at `spared` counts."""
    return L.any_of(is_route_open(L, route, spared) for route in m.routes if route[-1].place is not last)


def has_open_route_around(L: Logic[B, N], m: MoveDecision, avoided: Place) -> B:
    """Return whether some route of the move that avoids the place `avoided` has only fleets that convoy."""
    return L.any_of(is_route_open(L, route, None) for route in m.routes if not any(c.place is avoided for c in route))


def has_ordered_route(L: Logic[B, N], m: MoveDecision, own_only: bool) -> B:
    """Return whether every fleet of some route is ordered to convoy the move; if `own_only`, a route of own fleets."""
    return L.any_of(is_route_ordered(L, route, m, own_only) for route in m.routes)


def is_on_ordered_route(L: Logic[B, N], m: MoveDecision, c: ConvoyDecision, own_only: bool) -> B:
    """Return whether the convoy's fleet is on a route whose fleets are all ordered to convoy; if `own_only`, of own fleets."""
    return L.any_of(is_route_ordered(L, route, m, own_only) for route in m.routes if any(leg is c for leg in route))


def is_route_ordered(L: Logic[B, N], route: Route, m: MoveDecision, own_only: bool) -> B:
    """Return whether every fleet of a route is ordered to convoy and, if `own_only`, belongs to the mover's power."""
    return L.all_of(
        (L.all_of(L.is_chosen(c) for c in route), L.any_of((L.constant(not own_only), has_own_fleets(L, m, route))))
    )


def is_route_open(L: Logic[B, N], route: Route, spared: Place | None) -> B:
    """Return whether every fleet of the route convoys; a fleet at `spared` always counts as convoying."""
    return L.all_of(fleet_stands(L, c, spared) for c in route)


def fleet_stands(L: Logic[B, N], c: ConvoyDecision, spared: Place | None) -> B:
    """Return whether a fleet convoys; one at `spared` counts as convoying if it is ordered to."""
    return L.convoy(c) if spared is None or c.place is not spared else L.is_chosen(c)


def has_own_fleets(L: Logic[B, N], m: MoveDecision, route: Route) -> B:
    """Return whether all fleets of the route belong to the power whose army moves."""
    return L.all_of(L.same_power(c.place, m.origin) for c in route)


def hold(L: Logic[B, N], p: Place) -> N:
    """Return HOLD (5.B.5): 0 if the place is empty or left; 1 if its unit fails to move; else 1 plus the hold supports given.

    The middle case needs no condition of its own: a hold support for a unit that was ordered to move does not match.
    """
    stays = L.all_of((L.is_occupied(p), L.none_of(chain(((~L).move(m) for m in p.moves_out), departures(~L, p)))))
    alike = L.constant(p.rules.difficult_borders)
    return L.choose(stays, L.total(1, chain((alike,), (L.support(s) for s in p.hold_supports))), L.zero())


def attack(L: Logic[B, N], m: MoveDecision) -> N:
    """Return ATTACK (5.B.8): 0 without a path or against an own unit that stays, else 1 plus the supports that count there.

    If that unit does not leave, ATTACK is 0 against a unit of the same power, and supports from the unit's own power do not
    count: nobody dislodges their own unit or helps to dislodge it (6.D.10, 6.D.12).
    """
    target = m.destination
    left = (L.all_of((L.move(other), L.constant(True) if other not in m.opposed else no_battle(L, m, other)))
            for other in target.moves_out)  # fmt: skip
    vacated = L.any_of(chain((L.none_of(((~L).is_occupied(target),)),), left, departures(L, target)))
    helping = (L.all_of((L.support(s), is_foreign(L, target, s.place))) for s in m.supports)
    dislodging = L.choose(is_foreign(L, target, m.origin), L.total(1, chain((extra_strength(L, m),), helping)), L.zero())
    moving_in = L.total(1, chain((extra_strength(L, m),), (L.support(s) for s in m.supports)))
    return L.choose(L.path(m), L.choose(vacated, moving_in, dislodging), L.zero())


def prevent(L: Logic[B, N], m: MoveDecision) -> N:
    """Return PREVENT (5.B.6): 0 without a path or after losing a head-to-head battle (4.A.7 b), else 1 plus given supports."""
    lost = (is_beaten(~L, m, other) for other in m.opposed)
    strength = L.total(1, chain((extra_strength(L, m),), (L.support(s) for s in m.supports)))
    return L.choose(L.all_of((L.path(m), L.none_of(lost))), strength, L.zero())


def is_beaten(L: Logic[B, N], m: MoveDecision, other: MoveDecision) -> B:
    """Return whether the other move wins a head-to-head battle with this one or, as an option, dislodges its unit (4.A.7 a)."""
    if m.rules.dislodged_effect is DislodgedEffect.HEAD_TO_HEAD or not is_opposite(m, other):
        return L.all_of((L.head_to_head(m, other), L.move(other)))
    return L.all_of((L.move(other), L.none_of(((~L).move(m),))))


def defend(L: Logic[B, N], m: MoveDecision) -> N:
    """Return DEFEND (5.B.7): 1 plus the supports given, by any power."""
    return L.total(1, chain((extra_strength(L, m),), (L.support(s) for s in m.supports)))


def extra_strength(L: Logic[B, N], m: MoveDecision) -> B:
    """Return whether a move has one more strength: on maps with difficult borders, if it does not cross one (DATC 2.4, 10).

    “One support less” can be less than none: without support, an army still takes an empty province over such a border, and
    bounces with another such army. So on such a map every other strength, HOLD too, is one more, and only no strength is 0.
    """
    return avoids_difficult_border(L, m) if m.rules.difficult_borders else L.constant(False)


def avoids_difficult_border(L: Logic[B, N], m: MoveDecision) -> B:
    """Return whether the move does not go by land over a difficult border, which a convoy avoids (DATC 2.4, 10.M)."""
    return L.is_convoyed(m) if m.difficult else L.constant(True)


def reach(L: Logic[B, N], r: ReachDecision) -> B:
    """Return REACH: whether the train (move by railroad) passed the stage before and need not stop there (DATC 2.4, 7.B)."""
    previous = r.stage.previous
    if not previous:
        return L.is_chosen(r)
    return L.all_of((L.passing(previous), L.none_of((halts(~L, previous),))))


def halts(L: Logic[B, N], stage: Stage) -> B:
    """Return whether a railroad move stops to take an unowned supply centre where no unit stays (7.B.18, 7.B.20)."""
    return L.all_of((L.constant(stage.unowned), is_vacant(L, stage.place)))


def is_vacant(L: Logic[B, N], p: Place) -> B:
    """Return whether there is no unit at a place, or its unit leaves by a move."""
    return L.any_of(chain((L.none_of(((~L).is_occupied(p),)),), (L.move(m) for m in p.moves_out)))


def passing(L: Logic[B, N], p: PassDecision) -> B:
    """Return PASS: whether the train (move by railroad) gets into a province, or through an army of its own (DATC 2.4, 7.B).

    A train attacks nobody. If a unit moves from the first province on its way towards it, the train stays (7.B.26).
    """
    stage = p.stage
    unopposed = L.none_of((~L).is_chosen(other) for other in stage.opposed)
    return L.all_of((L.reach(stage), unopposed, L.any_of((comes_through(L, stage), comes_into(L, stage)))))


def comes_through(L: Logic[B, N], stage: Stage) -> B:
    """Return whether a railroad move goes on through an own army that stays and is not dislodged (7.B.3, 7.B.9, 7.B.10)."""
    ways = chain(((~L).move(m) for m in stage.place.moves_out), ((~L).move(m) for m in stage.place.moves_in))
    return L.all_of((L.constant(not stage.last), L.same_power(stage.place, stage.origin), L.none_of(ways)))


def comes_into(L: Logic[B, N], stage: Stage) -> B:
    """Return whether the stage's province is vacant, and no rival both bounces the railroad move and exceeds all others."""
    return L.all_of(chain((is_vacant(L, stage.place),), (is_outdone(L, stage, rival) for rival in stage.place.moves_in)))


def is_outdone(L: Logic[B, N], stage: Stage, rival: MoveDecision) -> B:
    """Return whether a rival fails against a railroad move: it is weaker, or another rival is no weaker than it (7.B.6)."""
    others = (other for other in stage.place.moves_in if other is not rival)
    tied = (L.none_of(((~L).exceeds((~L).prevent(rival), L.prevent(other)),)) for other in others)
    return L.any_of(chain((L.exceeds(L.train_strength(stage), (~L).prevent(rival)),), tied))


def train_strength(L: Logic[B, N], stage: Stage) -> N:
    """Return DEFEND of an army that moves by railroad, at a stage: 1 plus, in the last stage, the supports given."""
    alike = L.constant(stage.rules.difficult_borders)
    return L.total(1, chain((alike,), (L.support(s) for s in stage.supports)))


def train_prevent(L: Logic[B, N], stage: Stage) -> N:
    """Return PREVENT of an army that moves by railroad: 0 unless it reaches the stage and no move beats it (7.B.11, 7.B.27)."""
    lost = ((~L).move(other) for other in stage.opposed)
    return L.choose(L.all_of((L.reach(stage), L.none_of(lost))), L.train_strength(stage), L.zero())


def departures(L: Logic[B, N], p: Place) -> Iterable[B]:
    """Yield, for each stage of a train (move by railroad) from a place, whether the train gets into that vacant province."""
    return (
        L.all_of((L.passing(stage), is_vacant(L, stage.place)))
        for train in p.trains_out
        if p.rules.railroads
        for stage in train.stages
    )


def canal(L: Logic[B, N], c: CanalDecision) -> B:
    """Return CANAL (DATC 2.4, 7.C): whether the unit that holds the canal neither leaves nor is dislodged."""
    ways = chain(((~L).move(m) for m in c.place.moves_out), ((~L).move(m) for m in c.place.moves_in))
    return L.none_of(chain(ways, departures(~L, c.place)))


def opposition(L: Logic[B, N], m: MoveDecision) -> N:
    """Return the strength that a move must exceed at its destination: DEFEND of a head-to-head opponent, else HOLD (5.B.1).

    A fleet that meets an army at sea must exceed both (4.A.4), so the greater of the two is returned.
    """
    strength = L.hold(m.destination)
    for other in m.opposed:
        weaker = L.none_of(((~L).exceeds(strength, L.defend(other)),))
        strength = L.choose(L.all_of((L.head_to_head(m, other), weaker)), L.defend(other), strength)
    return strength
