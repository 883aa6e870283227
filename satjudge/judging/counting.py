"""States rules about many orders at once, in numbers: the judge calls them, and the compiled kernel is printed from them.

So these functions are in the subset of `satjudge.bulk.kernel`: whole numbers and lists of them, and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence

NONE = -1
NONE_COUNTS, LAST_COUNTS = 2, 1
"""What becomes of several orders for one unit, where the first does not count."""


def chosen(places: Sequence[int], forms: Sequence[int], place: int, count: int, several: int) -> int:
    """Find which of several orders counts for the unit in a place (4.D.3): its number, or -1 if none does.

    Of each order there is where its unit stands and what it comes to, -1 for what cannot count. Where none of several counts,
    one that is given twice does.
    """
    found = NONE
    for number in range(count):
        if places[number] == place and forms[number] != NONE:
            if found != NONE and several == NONE_COUNTS and forms[number] != forms[found]:
                return NONE
            if found == NONE or several == LAST_COUNTS:
                found = number
    return found


def bounces(going: Sequence[int], yielding: Sequence[int], unit: int, count: int) -> bool:
    """Tell whether a unit that retreats meets another one where it goes (DATC 6.H.7).

    Of each unit there is the place to which it goes, or -1, and whether it yields to those who do not, as it comes over a
    difficult border (DATC 2.4, 10.K).
    """
    for other in range(count):
        if other != unit and going[other] == going[unit] and (yielding[unit] or not yielding[other]):
            return True
    return False
