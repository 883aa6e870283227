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
    m_49 = at[FIRST_MOVE_IN, at[PLACE, subject]]
    while m_49 >= 0:
        if o[m_49]:
            return False
        m_49 = at[NEXT_MOVE_IN, m_49]
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
def convoyed(at: Numbers, v: Flags, o: Flags, m: int) -> bool:
    return not at[BY_LAND, m] == 1 or (at[MIGHT_BE_CONVOYED, m] == 1 and means_convoy(at, v, o, m))


@compiled
def head_to_head(at: Numbers, v: Flags, o: Flags, m: int, other: int) -> bool:
    return not convoyed(at, o, v, m) and (not convoyed(at, o, v, other)) if at[DESTINATION, m] == at[PLACE, other] and at[DESTINATION, other] == at[PLACE, m] else convoyed(at, v, o, m if at[DESTINATION, other] != at[PLACE, m] and at[FIRST_ROUTE, m] < at[FIRST_ROUTE, m + 1] else other)


@compiled
def attack(at: Numbers, v: Flags, o: Flags, m: int) -> int:
    if not at[MIGHT_BE_CONVOYED, m] == 1 or not convoyed(at, o, v, m) or (at[FIRST_ROUTE, m] < at[FIRST_ROUTE, m + 1] and any_5(at, m, v)):
        if at[OWNER, at[DESTINATION, m]] < 0 or (at[MOVE_OUT, at[DESTINATION, m]] >= 0 and any_7(at, m, v, o)):
            n = 1
            s_10 = at[FIRST_SUPPORT, m]
            while s_10 >= 0:
                if v[s_10]:
                    n += 1
                s_10 = at[NEXT_SUPPORT, s_10]
            return n
        if at[OWNER, at[DESTINATION, m]] < 0 or at[OWNER, at[PLACE, m]] < 0 or at[OWNER, at[DESTINATION, m]] != at[OWNER, at[PLACE, m]]:
            n = 1
            s_9 = at[FIRST_SUPPORT, m]
            while s_9 >= 0:
                if v[s_9] and (at[OWNER, at[DESTINATION, m]] < 0 or at[OWNER, at[PLACE, s_9]] < 0 or at[OWNER, at[DESTINATION, m]] != at[OWNER, at[PLACE, s_9]]):
                    n += 1
                s_9 = at[NEXT_SUPPORT, s_9]
            return n
        return 0
    return 0


@compiled
def any_5(at: Numbers, m: int, v: Flags) -> bool:
    for route_11 in range(at[FIRST_ROUTE, m], at[FIRST_ROUTE, m + 1]):
        if at[FIRST_LEG, route_11] == at[FIRST_LEG, route_11 + 1] or all_6(at, route_11, v):
            return True
    return False


@compiled
def all_6(at: Numbers, route_11: int, v: Flags) -> bool:
    for leg in range(at[FIRST_LEG, route_11], at[FIRST_LEG, route_11 + 1]):
        c_12 = at[LEG, leg]
        if not v[c_12]:
            return False
    return True


@compiled
def any_7(at: Numbers, m: int, v: Flags, o: Flags) -> bool:
    other_8 = at[MOVE_OUT, at[DESTINATION, m]]
    if other_8 >= 0:
        if v[other_8] and (other_8 != at[OPPOSED, m] or not head_to_head(at, o, v, m, other_8)):
            return True
    return False


@compiled
def hold(at: Numbers, v: Flags, o: Flags, p: int) -> int:
    if at[OWNER, p] >= 0 and (not at[MOVE_OUT, p] >= 0 or all_9(at, p, o)):
        n = 1
        s_19 = at[FIRST_HOLD_SUPPORT, p]
        while s_19 >= 0:
            if v[s_19]:
                n += 1
            s_19 = at[NEXT_SUPPORT, s_19]
        return n
    return 0


@compiled
def all_9(at: Numbers, p: int, o: Flags) -> bool:
    m_18 = at[MOVE_OUT, p]
    if m_18 >= 0:
        if o[m_18]:
            return False
    return True


@compiled
def prevent(at: Numbers, v: Flags, o: Flags, m: int) -> int:
    if (not at[MIGHT_BE_CONVOYED, m] == 1 or not convoyed(at, o, v, m) or (at[FIRST_ROUTE, m] < at[FIRST_ROUTE, m + 1] and any_11(at, m, v))) and (not at[OPPOSED, m] >= 0 or all_13(at, m, o, v)):
        n = 1
        s_30 = at[FIRST_SUPPORT, m]
        while s_30 >= 0:
            if v[s_30]:
                n += 1
            s_30 = at[NEXT_SUPPORT, s_30]
        return n
    return 0


@compiled
def any_11(at: Numbers, m: int, v: Flags) -> bool:
    for route_27 in range(at[FIRST_ROUTE, m], at[FIRST_ROUTE, m + 1]):
        if at[FIRST_LEG, route_27] == at[FIRST_LEG, route_27 + 1] or all_12(at, route_27, v):
            return True
    return False


@compiled
def all_12(at: Numbers, route_27: int, v: Flags) -> bool:
    for leg in range(at[FIRST_LEG, route_27], at[FIRST_LEG, route_27 + 1]):
        c_28 = at[LEG, leg]
        if not v[c_28]:
            return False
    return True


@compiled
def all_13(at: Numbers, m: int, o: Flags, v: Flags) -> bool:
    other_29 = at[OPPOSED, m]
    if other_29 >= 0:
        if head_to_head(at, o, v, m, other_29) and o[other_29]:
            return False
    return True


@compiled
def move(at: Numbers, v: Flags, o: Flags, m: int) -> bool:
    strength = attack(at, v, o, m)
    if at[MIGHT_BE_CONVOYED, m] == 1 and convoyed(at, o, v, m) and (not at[FIRST_ROUTE, m] < at[FIRST_ROUTE, m + 1] or all_15(at, m, v)):
        return False
    if strength <= hold(at, o, v, at[DESTINATION, m]):
        return False
    other_34 = at[OPPOSED, m]
    if other_34 >= 0:
        if head_to_head(at, o, v, m, other_34) and strength <= (total_17(at, other_34, o) if at[FIRST_SUPPORT, other_34] >= 0 else 1):
            return False
    rival_36 = at[FIRST_MOVE_IN, at[DESTINATION, m]]
    while rival_36 >= 0:
        if rival_36 != m and strength <= prevent(at, o, v, rival_36):
            return False
        rival_36 = at[NEXT_MOVE_IN, rival_36]
    return True


@compiled
def all_15(at: Numbers, m: int, v: Flags) -> bool:
    for route_32 in range(at[FIRST_ROUTE, m], at[FIRST_ROUTE, m + 1]):
        if at[FIRST_LEG, route_32] == at[FIRST_LEG, route_32 + 1] or all_16(at, route_32, v):
            return False
    return True


@compiled
def all_16(at: Numbers, route_32: int, v: Flags) -> bool:
    for leg in range(at[FIRST_LEG, route_32], at[FIRST_LEG, route_32 + 1]):
        c_33 = at[LEG, leg]
        if not v[c_33]:
            return False
    return True


@compiled
def total_17(at: Numbers, other_34: int, o: Flags) -> int:
    n = 1
    s_35 = at[FIRST_SUPPORT, other_34]
    while s_35 >= 0:
        if o[s_35]:
            n += 1
        s_35 = at[NEXT_SUPPORT, s_35]
    return n


@compiled
def cuts(at: Numbers, v: Flags, o: Flags, m: int, s: int) -> bool:
    if at[OWNER, at[PLACE, m]] >= 0 and at[OWNER, at[PLACE, s]] >= 0 and (at[OWNER, at[PLACE, m]] == at[OWNER, at[PLACE, s]]):
        return False
    if at[MIGHT_BE_CONVOYED, m] == 1 and convoyed(at, o, v, m) and (not at[FIRST_ROUTE, m] < at[FIRST_ROUTE, m + 1] or all_19(at, m, v)):
        return False
    return at[PLACE, m] != at[DIRECTED_AT, s]


@compiled
def all_19(at: Numbers, m: int, v: Flags) -> bool:
    for route_43 in range(at[FIRST_ROUTE, m], at[FIRST_ROUTE, m + 1]):
        if at[FIRST_LEG, route_43] == at[FIRST_LEG, route_43 + 1] or all_20(at, route_43, v):
            return False
    return True


@compiled
def all_20(at: Numbers, route_43: int, v: Flags) -> bool:
    for leg in range(at[FIRST_LEG, route_43], at[FIRST_LEG, route_43 + 1]):
        c_44 = at[LEG, leg]
        if not v[c_44]:
            return False
    return True


@compiled
def support(at: Numbers, v: Flags, o: Flags, s: int) -> bool:
    if at[OWNER, at[SUPPORTED, s]] < 0 or not True or at[MOVE_OUT, at[SUPPORTED, s]] >= 0 if at[SUPPORTS_HOLD, s] == 1 else not at[MATCH, s] >= 0:
        return False
    m_47 = at[FIRST_MOVE_IN, at[PLACE, s]]
    while m_47 >= 0:
        if o[m_47]:
            return False
        m_47 = at[NEXT_MOVE_IN, m_47]
    m_48 = at[FIRST_MOVE_IN, at[PLACE, s]]
    while m_48 >= 0:
        if cuts(at, o, v, m_48, s):
            return False
        m_48 = at[NEXT_MOVE_IN, m_48]
    return True


@compiled
def convoy(at: Numbers, v: Flags, o: Flags, c: int) -> bool:
    m_50 = at[FIRST_MOVE_IN, at[PLACE, c]]
    while m_50 >= 0:
        if o[m_50]:
            return False
        m_50 = at[NEXT_MOVE_IN, m_50]
    return True


@compiled
def matched(at: Numbers, v: Flags, o: Flags, s: int) -> bool:
    return at[OWNER, at[SUPPORTED, s]] >= 0 and True and (not at[MOVE_OUT, at[SUPPORTED, s]] >= 0) if at[SUPPORTS_HOLD, s] == 1 else at[MATCH, s] >= 0
