"""Suggests likely meanings: the nearest names, and among several those that the unit can reach."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TypeVar

from satjudge.world.geography import Map, ProvinceCode, UnitKind, province_of
from satjudge.world.orders import Named

T = TypeVar("T")
_SWAP, _EDIT = 1, 2
"""The cost of two letters in the wrong order, and of a letter that is wrong, missing or superfluous."""
_MOST = 3
"""The most names in a suggestion."""
_LONGEST = 40
"""The most letters of a name."""
_SHORT = 4
"""The length of words in which two wrong letters are too many."""
_LIKE = 0.75
"""The required similarity of two words; `hlds` and `holds` have 0.89."""


@lru_cache(maxsize=65_536)
def edit_distance(one: str, other: str, most: int = 2 * _EDIT * _LONGEST) -> int:
    """Return the distance of two spellings, the Damerau-Levenshtein distance with a lower cost for swapped letters.

    Each letter is changed at most once. If the distance is above `most`, the result is some number above `most`.
    """
    before, above = [0] * (len(other) + 1), [_EDIT * column for column in range(len(other) + 1)]
    for row, letter in enumerate(one, start=1):
        line = [_EDIT * row]
        for column, there in enumerate(other, start=1):
            least = min(above[column] + _EDIT, line[-1] + _EDIT, above[column - 1] + (_EDIT if letter != there else 0))
            if row > 1 and column > 1 and letter != there and letter == other[column - 2] and one[row - 2] == there:
                least = min(least, before[column - 2] + _SWAP)
            line.append(least)
        before, above = above, line
        if min(min(before), min(above)) > most:
            return most + 1
    return above[-1]


def find_nearest(guess: str, names: Mapping[str, T], *preferred: Collection[T], most: int = _MOST) -> list[T]:
    """Return the values of the names nearest to a text, sorted; names that begin with it take precedence.

    Of equally near names, returns those in the first `preferred` collection that has any of them. If more than `most` are left,
    returns only those with the same first letter, or nothing if these are too many.
    """
    if not 0 < len(guess) <= _LONGEST:
        return []
    limit = _EDIT * max(1, len(guess) // 4)
    letters, costs = frozenset(guess), dict[T, int]()
    for name, meant in names.items():
        if name.startswith(guess):
            limit = costs[meant] = 0
        elif len(guess) > 2 and _EDIT * max(abs(len(name) - len(guess)), len(letters.difference(name))) <= limit:
            limit = min(limit, found := edit_distance(guess, name, limit))
            costs[meant] = min(found, costs.get(meant, found))
    near = [meant for meant, one in costs.items() if one == limit]
    begun = {meant for name, meant in names.items() if name[0] == guess[0]} if len(near) > most else near
    liked = next((some for kind in (*preferred, begun) if (some := [one for one in near if one in kind])), near)
    return sorted(liked, key=str) if len(liked) <= most else []


def suggest_word(text: str, words: Iterable[str]) -> str | None:
    """Return `did you mean supports?` with the word nearest to a text; None if none is near, or the text is that word."""
    from difflib import get_close_matches

    text = text[:_LONGEST].casefold()
    close = get_close_matches(text, words, 1, _LIKE)
    if not close or close[0] == text or (len(text) == len(close[0]) <= _SHORT and edit_distance(text, close[0]) > _EDIT):
        return None
    return f"did you mean {close[0]}?"


def find_reach(units: Sequence[Named], game_map: Map) -> list[Collection[ProvinceCode]]:
    """List sets of provinces that units can reach: all of them, the last one, and an army by convoy; [] without units.

    These are the places that all of the units can reach, those that the last one can reach itself, and those that an army could
    reach by convoy.
    """
    steps = [_find_steps(unit, game_map) for unit in units if unit.location]
    if not steps:
        return []
    landing: Iterable[ProvinceCode] = ()
    if units[-1].kind is not UnitKind.FLEET and units[-1].province in game_map.shores:
        landing = game_map.shores
    return [frozenset.intersection(*steps), steps[-1], frozenset(landing)]


def _find_steps(unit: Named, game_map: Map) -> frozenset[ProvinceCode]:
    kinds = (unit.kind,) if unit.kind else UnitKind
    places = game_map.provinces[unit.province].locations
    exits = (there for kind in kinds for place in {unit.location, *places} for there in game_map.exits(kind, place))
    return frozenset(map(province_of, exits))
