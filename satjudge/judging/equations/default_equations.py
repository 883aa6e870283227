"""The equations under datc-3: `make generated` writes them anew."""

# fmt: off
# ruff: noqa
# mypy: ignore-errors

from satjudge.judging.equations.statement import *

WRITTEN_FROM = 751313964
CHOICES = {'canals': False, 'convoy_intent': 'own-or-via', 'convoying_fleet': 'army', 'defenders_support': 'ignored', 'difficult_borders': False, 'dislodged_effect': 'unless-head-to-head', 'half_strength': False, 'head_to_head_origin': 'start', 'land_fallback': 'never', 'multi_route': 'all-routes', 'paradox': 'szykman', 'paradox_origin': 'start', 'railroads': False, 'support_origin': 'start'}


def decision(v, o, subject):
    if isinstance(subject, MoveDecision):
        return move(v, o, subject)
    if isinstance(subject, SupportDecision):
        return support(v, o, subject)
    for m_47 in subject.place.moves_in:
        if o[m_47.index]:
            return False
    return True

def means_convoy(v, o, m):
    if m.order.via_convoy:
        return True
    for c_3 in m.convoys:
        if c_3.place.unit is not None and m.origin.unit is not None and (c_3.place.unit.power == m.origin.unit.power):
            return True
    return False

def head_to_head(v, o, m, other):
    return m.by_land and (not m.might_be_convoyed or not means_convoy(o, v, m)) and other.by_land and (not other.might_be_convoyed or not means_convoy(o, v, other))

def goes_by_land_or_sea(v, o, m):
    return m.by_land and (not m.might_be_convoyed or not means_convoy(o, v, m)) or m.has_open_route(v, None)

def attack(v, o, m):
    if not m.might_be_convoyed or goes_by_land_or_sea(v, o, m):
        if m.destination.unit is None or (m.destination.moves_out and any_5(m, v, o)):
            n = 1
            for s_12 in m.supports:
                if v[s_12.index]:
                    n += 1
            return n
        if m.destination.unit is None or m.origin.unit is None or m.destination.unit.power != m.origin.unit.power:
            n = 1
            for s_11 in m.supports:
                if v[s_11.index] and (m.destination.unit is None or s_11.place.unit is None or m.destination.unit.power != s_11.place.unit.power):
                    n += 1
            return n
        return 0
    return 0

def any_5(m, v, o):
    for other_8 in m.destination.moves_out:
        if v[other_8.index] and (other_8 not in m.opposed or not head_to_head(o, v, m, other_8)):
            return True
    return False

def hold(v, o, p):
    if p.unit is not None and (not p.moves_out or all_7(p, o)):
        n = 1
        for s_21 in p.hold_supports:
            if v[s_21.index]:
                n += 1
        return n
    return 0

def all_7(p, o):
    for m_18 in p.moves_out:
        if o[m_18.index]:
            return False
    return True

def prevent(v, o, m):
    if (not m.might_be_convoyed or goes_by_land_or_sea(v, o, m)) and (not m.opposed or all_9(m, o, v)):
        n = 1
        for s_27 in m.supports:
            if v[s_27.index]:
                n += 1
        return n
    return 0

def all_9(m, o, v):
    for other_28 in m.opposed:
        if head_to_head(o, v, m, other_28) and o[other_28.index]:
            return False
    return True

def outdoes(v, o, m, strength, rival):
    exceeding = strength > prevent(o, v, rival)
    return exceeding

def move(v, o, m):
    strength = attack(v, o, m)
    if m.might_be_convoyed and (not goes_by_land_or_sea(v, o, m)):
        return False
    if strength <= hold(o, v, m.destination):
        return False
    for other_32 in m.opposed:
        if head_to_head(o, v, m, other_32) and strength <= (total_12(other_32, o) if other_32.supports else 1):
            return False
    for rival_34 in m.destination.moves_in:
        if rival_34 is not m and (not outdoes(v, o, m, strength, rival_34)):
            return False
    return True

def total_12(other_32, o):
    n = 1
    for s_33 in other_32.supports:
        if o[s_33.index]:
            n += 1
    return n

def cuts(v, o, m, s):
    return (m.origin.unit is None or s.place.unit is None or m.origin.unit.power != s.place.unit.power) and (not m.might_be_convoyed or goes_by_land_or_sea(v, o, m)) and (m.origin is not s.directed_at)

def support(v, o, s):
    if s.supported.unit is None or not s.supported.supportable or s.supported.moves_out if s.supports_hold else not s.matches:
        return False
    for m_45 in s.place.moves_in:
        if o[m_45.index]:
            return False
    for m_46 in s.place.moves_in:
        if cuts(o, v, m_46, s):
            return False
    return True

def convoy(v, o, c):
    for m_48 in c.place.moves_in:
        if o[m_48.index]:
            return False
    return True

def is_matched(v, o, s):
    return s.supported.unit is not None and s.supported.supportable and (not s.supported.moves_out) if s.supports_hold else s.matches

def is_convoyed(v, o, m):
    return not m.by_land or (m.might_be_convoyed and means_convoy(v, o, m))


EQUATIONS = {"decision": decision, "move": move, "support": support, "convoy": convoy, "is_matched": is_matched, "is_convoyed": is_convoyed, "prevent": prevent}
