"""Suggests likely meanings: the nearest names, and among several, those that the unit can reach."""

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
"""The largest number of names in a suggestion."""
_LONGEST = 40
"""The largest number of letters of a name."""
_SHORT = 4
"""The length of words in which two wrong letters are too many."""
_LIKE = 0.75
"""The required similarity of two words; `hlds` and `holds` have 0.89."""


@lru_cache(maxsize=65_536)
def edit_distance(first: str, second: str, limit: int = 2 * _EDIT * _LONGEST) -> int:
    """Return the Damerau-Levenshtein distance of two spellings, with swapped letters cheaper, or a number above `limit`.

    Each letter is changed at most once. If the distance is above `limit`, the result is any number above `limit`.
    """
    before, above = [0] * (len(second) + 1), [_EDIT * column for column in range(len(second) + 1)]
    for row, letter in enumerate(first, start=1):
        line = [_EDIT * row]
        for column, char in enumerate(second, start=1):
            least = min(above[column] + _EDIT, line[-1] + _EDIT, above[column - 1] + (_EDIT if letter != char else 0))
            if row > 1 and column > 1 and letter != char and letter == second[column - 2] and first[row - 2] == char:
                least = min(least, before[column - 2] + _SWAP)
            line.append(least)
        before, above = above, line
        if min(min(before), min(above)) > limit:
            return limit + 1
    return above[-1]


def find_nearest(guess: str, names: Mapping[str, T], *preferred: Collection[T], max_names: int = _MOST) -> list[T]:
    """Return the values of the names nearest to a text, sorted; [] if over `max_names`; those that begin with it are nearest.

    Among equally near names, those in the first `preferred` collection that contains any of them are returned. If more than
    `max_names` are left, only those with the text's first letter are returned, or none if even these are too many.
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
    begun = {meant for name, meant in names.items() if name[0] == guess[0]} if len(near) > max_names else near
    liked = next((matches for kind in (*preferred, begun) if (matches := [one for one in near if one in kind])), near)
    return sorted(liked, key=str) if len(liked) <= max_names else []


def suggest_word(text: str, words: Iterable[str]) -> str | None:
    """Return `did you mean supports?` with the word nearest to a text; None if none is near, or the text is that word."""
    from difflib import get_close_matches

    text = text[:_LONGEST].casefold()
    close = get_close_matches(text, words, 1, _LIKE)
    if not close or close[0] == text or (len(text) == len(close[0]) <= _SHORT and edit_distance(text, close[0]) > _EDIT):
        return None
    return f"did you mean {close[0]}?"


def find_reach(units: Sequence[Named], game_map: Map) -> list[Collection[ProvinceCode]]:
    """List sets of provinces in reach: of all units, of the last unit, and of an army by convoy; [] without units.

    The first set contains the places that every unit can reach, the second those that the last unit can reach, and the third
    those to which that unit could be convoyed.
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
    exits = (destination for kind in kinds for place in {unit.location, *places} for destination in game_map.exits(kind, place))
    return frozenset(map(province_of, exits))
