"""The equations of DATC 5.B over the matrix of satjudge.bulk.arrays, to be compiled by numba.

Made by `python -m satjudge.bulk.translate` from satjudge/equations/statement.py for the rulebook datc-3: do not edit.
"""

from __future__ import annotations

from satjudge.bulk.arrays import Flags, Numbers, compiled
from satjudge.bulk.arrays import BY_LAND, DESTINATION, DIRECTED_AT, FIRST_CONVOY, FIRST_HOLD_SUPPORT, FIRST_LEG, FIRST_MOVE_IN, FIRST_ROUTE, FIRST_SUPPORT, KIND, LEG, MATCH, MIGHT_BE_CONVOYED, MOVE, MOVE_OUT, NEXT_CONVOY, NEXT_MOVE_IN, NEXT_SUPPORT, OPPOSED, OWNER, PLACE, SUPPORT, SUPPORTED, SUPPORTS_HOLD, VIA_CONVOY


@compiled
def decision(at: Numbers, v: Flags, o: Flags, subject: int) -> bool:
    if at[KIND, subject] == MOVE:
        return move(at, v, o, subject)
    if at[KIND, subject] == SUPPORT:
        return support(at, v, o, subject)
    m_51 = at[FIRST_MOVE_IN, at[PLACE, subject]]
    while m_51 >= 0:
        if o[m_51]:
            return False
        m_51 = at[NEXT_MOVE_IN, m_51]
    return True


@compiled
def means_convoy(at: Numbers, v: Flags, o: Flags, m: int) -> bool:
    if at[VIA_CONVOY, m] == 1:
        return True
    c_3 = at[FIRST_CONVOY, m]
    while c_3 >= 0:
        if at[OWNER, at[PLACE, c_3]] >= 0 and at[OWNER, at[PLACE, m]] >= 0 and (at[OWNER, at[PLACE, c_3]] == at[OWNER, at[PLACE, m]]):
            return True
        c_3 = at[NEXT_CONVOY, c_3]
    return False


@compiled
def head_to_head(at: Numbers, v: Flags, o: Flags, m: int, other: int) -> bool:
    return at[BY_LAND, m] == 1 and (not at[MIGHT_BE_CONVOYED, m] == 1 or not means_convoy(at, o, v, m)) and (at[BY_LAND, other] == 1) and (not at[MIGHT_BE_CONVOYED, other] == 1 or not means_convoy(at, o, v, other))


@compiled
def path(at: Numbers, v: Flags, o: Flags, m: int) -> bool:
    if not at[MIGHT_BE_CONVOYED, m] == 1:
        return True
    if at[BY_LAND, m] == 1 and (not at[MIGHT_BE_CONVOYED, m] == 1 or not means_convoy(at, o, v, m)):
        return True
    for route_10 in range(at[FIRST_ROUTE, m], at[FIRST_ROUTE, m + 1]):
        if at[FIRST_LEG, route_10] == at[FIRST_LEG, route_10 + 1] or all_4(at, route_10, v):
            return True
    return False


@compiled
def all_4(at: Numbers, route_10: int, v: Flags) -> bool:
    for leg in range(at[FIRST_LEG, route_10], at[FIRST_LEG, route_10 + 1]):
        c_11 = at[LEG, leg]
        if not v[c_11]:
            return False
    return True


@compiled
def attack(at: Numbers, v: Flags, o: Flags, m: int) -> int:
    if path(at, v, o, m):
        if at[OWNER, at[DESTINATION, m]] < 0 or (at[MOVE_OUT, at[DESTINATION, m]] >= 0 and any_6(at, m, v, o)):
            n = 1
            s_16 = at[FIRST_SUPPORT, m]
            while s_16 >= 0:
                if v[s_16]:
                    n += 1
                s_16 = at[NEXT_SUPPORT, s_16]
            return n
        if at[OWNER, at[DESTINATION, m]] < 0 or at[OWNER, at[PLACE, m]] < 0 or at[OWNER, at[DESTINATION, m]] != at[OWNER, at[PLACE, m]]:
            n = 1
            s_15 = at[FIRST_SUPPORT, m]
            while s_15 >= 0:
                if v[s_15] and (at[OWNER, at[DESTINATION, m]] < 0 or at[OWNER, at[PLACE, s_15]] < 0 or at[OWNER, at[DESTINATION, m]] != at[OWNER, at[PLACE, s_15]]):
                    n += 1
                s_15 = at[NEXT_SUPPORT, s_15]
            return n
        return 0
    return 0


@compiled
def any_6(at: Numbers, m: int, v: Flags, o: Flags) -> bool:
    other_12 = at[MOVE_OUT, at[DESTINATION, m]]
    if other_12 >= 0:
        if v[other_12] and (other_12 != at[OPPOSED, m] or not head_to_head(at, o, v, m, other_12)):
            return True
    return False


@compiled
def hold(at: Numbers, v: Flags, o: Flags, p: int) -> int:
    if at[OWNER, p] >= 0 and (not at[MOVE_OUT, p] >= 0 or all_8(at, p, o)):
        n = 1
        s_25 = at[FIRST_HOLD_SUPPORT, p]
        while s_25 >= 0:
            if v[s_25]:
                n += 1
            s_25 = at[NEXT_SUPPORT, s_25]
        return n
    return 0


@compiled
def all_8(at: Numbers, p: int, o: Flags) -> bool:
    m_22 = at[MOVE_OUT, p]
    if m_22 >= 0:
        if o[m_22]:
            return False
    return True


@compiled
def prevent(at: Numbers, v: Flags, o: Flags, m: int) -> int:
    if path(at, v, o, m) and (not at[OPPOSED, m] >= 0 or all_10(at, m, o, v)):
        n = 1
        s_31 = at[FIRST_SUPPORT, m]
        while s_31 >= 0:
            if v[s_31]:
                n += 1
            s_31 = at[NEXT_SUPPORT, s_31]
        return n
    return 0


@compiled
def all_10(at: Numbers, m: int, o: Flags, v: Flags) -> bool:
    other_32 = at[OPPOSED, m]
    if other_32 >= 0:
        if head_to_head(at, o, v, m, other_32) and o[other_32]:
            return False
    return True


@compiled
def move(at: Numbers, v: Flags, o: Flags, m: int) -> bool:
    strength = attack(at, v, o, m)
    if not path(at, v, o, m):
        return False
    if strength <= hold(at, o, v, at[DESTINATION, m]):
        return False
    other_36 = at[OPPOSED, m]
    if other_36 >= 0:
        if head_to_head(at, o, v, m, other_36) and strength <= (total_12(at, other_36, o) if at[FIRST_SUPPORT, other_36] >= 0 else 1):
            return False
    rival_38 = at[FIRST_MOVE_IN, at[DESTINATION, m]]
    while rival_38 >= 0:
        if rival_38 != m and strength <= prevent(at, o, v, rival_38):
            return False
        rival_38 = at[NEXT_MOVE_IN, rival_38]
    return True


@compiled
def total_12(at: Numbers, other_36: int, o: Flags) -> int:
    n = 1
    s_37 = at[FIRST_SUPPORT, other_36]
    while s_37 >= 0:
        if o[s_37]:
            n += 1
        s_37 = at[NEXT_SUPPORT, s_37]
    return n


@compiled
def cuts(at: Numbers, v: Flags, o: Flags, m: int, s: int) -> bool:
    return (at[OWNER, at[PLACE, m]] < 0 or at[OWNER, at[PLACE, s]] < 0 or at[OWNER, at[PLACE, m]] != at[OWNER, at[PLACE, s]]) and path(at, v, o, m) and (at[PLACE, m] != at[DIRECTED_AT, s])


@compiled
def support(at: Numbers, v: Flags, o: Flags, s: int) -> bool:
    if at[OWNER, at[SUPPORTED, s]] < 0 or not True or at[MOVE_OUT, at[SUPPORTED, s]] >= 0 if at[SUPPORTS_HOLD, s] == 1 else not at[MATCH, s] >= 0:
        return False
    m_49 = at[FIRST_MOVE_IN, at[PLACE, s]]
    while m_49 >= 0:
        if o[m_49]:
            return False
        m_49 = at[NEXT_MOVE_IN, m_49]
    m_50 = at[FIRST_MOVE_IN, at[PLACE, s]]
    while m_50 >= 0:
        if cuts(at, o, v, m_50, s):
            return False
        m_50 = at[NEXT_MOVE_IN, m_50]
    return True


@compiled
def convoy(at: Numbers, v: Flags, o: Flags, c: int) -> bool:
    m_52 = at[FIRST_MOVE_IN, at[PLACE, c]]
    while m_52 >= 0:
        if o[m_52]:
            return False
        m_52 = at[NEXT_MOVE_IN, m_52]
    return True


@compiled
def matched(at: Numbers, v: Flags, o: Flags, s: int) -> bool:
    return at[OWNER, at[SUPPORTED, s]] >= 0 and True and (not at[MOVE_OUT, at[SUPPORTED, s]] >= 0) if at[SUPPORTS_HOLD, s] == 1 else at[MATCH, s] >= 0


@compiled
def convoyed(at: Numbers, v: Flags, o: Flags, m: int) -> bool:
    return not at[BY_LAND, m] == 1 or (at[MIGHT_BE_CONVOYED, m] == 1 and means_convoy(at, v, o, m))
