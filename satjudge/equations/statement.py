"""The equations of DATC 3.2, 5.B, each stated once, in the author's preferences and with the options of a rulebook.

They are written in a `Logic` `L`; `~L` is its opposing view (see `satjudge.equations.logic`). MOVE, SUPPORT and CONVOY are
the decisions; PATH and the strengths are functions of them. The side conditions of candidate orders (`chosen`, `occupied`,
`owned`) are constants in an adjudication and unknowns in a search.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, TypeVar

from satjudge.equations.situation import ConvoyDecision, Decision, MoveDecision, Place, SupportDecision

if TYPE_CHECKING:
    from satjudge.equations.logic import Logic

B = TypeVar("B")
N = TypeVar("N")


def decision(L: Logic[B, N], subject: Decision) -> B:
    """The equation of a decision, whichever it is."""
    if isinstance(subject, MoveDecision):
        return move(L, subject)
    if isinstance(subject, SupportDecision):
        return support(L, subject)
    return convoy(L, subject)


def move(L: Logic[B, N], m: MoveDecision) -> B:
    """MOVE (5.B.1): there is a path, and ATTACK exceeds what opposes it and PREVENT of every rival."""
    strength = L.attack(m)
    return L.all_of(
        chain(
            (L.path(m), L.exceeds(strength, opposition(~L, m))),
            (L.exceeds(strength, (~L).prevent(rival)) for rival in m.destination.moves_in if rival is not m),
        )
    )


def support(L: Logic[B, N], s: SupportDecision) -> B:
    """SUPPORT (5.B.2): it matches, its unit is not dislodged and it is not cut.

    Cut by a move of another power that has a path, unless that comes from where the support is directed at.
    """
    dislodging = ((~L).move(m) for m in s.place.moves_in)
    cutting = (
        (~L).path(m) for m in s.place.moves_in if m.power != s.power and m.origin is not s.directed_at
    )
    return L.all_of((matched(L, s), L.none_of(chain(dislodging, cutting))))


def matched(L: Logic[B, N], s: SupportDecision) -> B:
    """The order that is supported is really given (4.E.2); a unit ordered to move cannot be supported in place (6.D.7)."""
    if s.supports_hold:
        stays = L.none_of((~L).chosen(m) for m in s.supported.moves_out)
        return L.all_of((L.chosen(s), L.occupied(s.supported), stays))
    return L.all_of((L.chosen(s), L.any_of(L.chosen(m) for m in s.matches)))


def convoy(L: Logic[B, N], c: ConvoyDecision) -> B:
    """CONVOY (5.B.3): the fleet is not dislodged, so no move to its province succeeds."""
    return L.all_of((L.chosen(c), L.none_of((~L).move(m) for m in c.place.moves_in)))


def convoyed(L: Logic[B, N], m: MoveDecision) -> B:
    """Whether a move goes by convoy (4.A.3).

    It must where it cannot go by land; it is meant to where it says so, or where a fleet of its own power has an order to
    convoy it, on whatever route (6.G.6). There is no falling back to land.
    """
    if not m.by_land or m.order.via_convoy:
        return L.constant(True)
    return L.any_of(L.chosen(c) for c in m.convoys if c.power == m.power)


def head_to_head(L: Logic[B, N], m: MoveDecision, other: MoveDecision) -> B:
    """Two units ordered to each other's provinces, neither by convoy, meet on the way (5.B.1)."""
    return L.all_of((L.chosen(m), L.chosen(other), L.none_of(((~L).convoyed(m), (~L).convoyed(other)))))


def path(L: Logic[B, N], m: MoveDecision) -> B:
    """PATH (5.B.4): it goes by land, or every fleet of some route convoys it.

    Routes are listed, not followed from fleet to fleet, so that two fleets cannot justify each other.
    """
    by_land = L.none_of(((~L).convoyed(m),))
    by_sea = (L.all_of(L.convoy(c) for c in route) for route in m.routes)
    return L.all_of((L.chosen(m), L.any_of(chain((by_land,), by_sea))))


def hold(L: Logic[B, N], p: Place) -> N:
    """HOLD (5.B.5): 0 if empty or left; 1 if its unit was ordered to move and fails; else 1 and the hold supports.

    The middle case needs no words of its own: a hold support for a unit that was ordered to move does not match.
    """
    stays = L.all_of((L.occupied(p), L.none_of((~L).move(m) for m in p.moves_out)))
    return L.choose(stays, L.total(1, (L.support(s) for s in p.hold_supports)), L.zero())


def attack(L: Logic[B, N], m: MoveDecision) -> N:
    """ATTACK (5.B.8): 0 without a path; 1 and the supports given.

    If the unit at the destination does not leave, nothing against a unit of the same power, and no help from the power of
    that unit: nobody dislodges his own unit or helps to (6.D.10, 6.D.12).
    """
    target = m.destination
    left = (L.all_of((L.move(other), meets_not(L, m, other))) for other in target.moves_out)
    vacated = L.any_of(chain((L.none_of(((~L).occupied(target),)),), left))
    foreign = (L.all_of((L.support(s), L.none_of(((~L).owned(target, s.power),)))) for s in m.supports)
    dislodging = L.choose(L.none_of(((~L).owned(target, m.power),)), L.total(1, foreign), L.zero())
    moving_in = L.total(1, (L.support(s) for s in m.supports))
    return L.choose(L.path(m), L.choose(vacated, moving_in, dislodging), L.zero())


def meets_not(L: Logic[B, N], m: MoveDecision, other: MoveDecision) -> B:
    """The two moves do not meet in a head-to-head battle."""
    return L.none_of(((~L).head_to_head(m, other),) if other in m.opposed else ())


def prevent(L: Logic[B, N], m: MoveDecision) -> N:
    """PREVENT (5.B.6): 0 without a path, or if it lost a head-to-head battle (4.A.7 b); else 1 and the supports given."""
    lost = (
        (~L).all_of(((~L).head_to_head(m, other), (~L).move(other))) for other in m.opposed
    )
    return L.choose(
        L.all_of((L.path(m), L.none_of(lost))), L.total(1, (L.support(s) for s in m.supports)), L.zero()
    )


def defend(L: Logic[B, N], m: MoveDecision) -> N:
    """DEFEND (5.B.7): 1 and the supports given, whoever gives them."""
    return L.total(1, (L.support(s) for s in m.supports))


def opposition(L: Logic[B, N], m: MoveDecision) -> N:
    """What stands against a move: DEFEND of the unit that it meets head-to-head, else HOLD of the destination (5.B.1)."""
    strength = L.hold(m.destination)
    for other in m.opposed:
        strength = L.choose(L.head_to_head(m, other), L.defend(other), strength)
    return strength

