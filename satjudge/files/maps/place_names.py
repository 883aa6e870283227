"""Assigns codes to the provinces and coasts of maps from other programs, which name them in their own way."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from satjudge.base.errors import MapError
from satjudge.world.geography import fold, load_map, normal

_ABBREVIATED = re.compile(r"[({](?P<code>[A-Za-z][A-Za-z0-9.' ]{0,5})[)}]")
_COASTS = {"north": "nc", "south": "sc", "east": "ec", "west": "wc"}


def strip_abbreviation(name: str) -> str:
    """Return a name without any abbreviation in brackets: `Aden` for `Aden {ADE}`."""
    return " ".join(_ABBREVIATED.sub(" ", name).split()) or name


def assign_codes(names: Sequence[str]) -> dict[str, str]:
    """Return a code for each territory's name: the name if short, its abbreviation, the standard map's code, or letters.

    No code is the name of another territory, because the code would be ambiguous.
    """
    standard = {normal(one.name): code for code, one in load_map("standard").provinces.items()}
    names_by_key = {strip_abbreviation(name).upper(): name for name in names}
    codes: dict[str, str] = {}
    for wanted in (_itself, _abbreviation, lambda name: standard.get(normal(strip_abbreviation(name)), "")):
        for name in names:
            code = wanted(name)
            if name not in codes and code and code not in codes.values() and names_by_key.get(code, name) == name:
                codes[name] = code
    used_codes = {*codes.values(), *names_by_key}
    for name in names:
        if name not in codes:
            codes[name] = next(code for code in _iter_code_candidates(name) if code not in used_codes)
            used_codes.add(codes[name])
    return codes


def assign_coast_codes(coasts: Sequence[str]) -> dict[str, str]:
    """Return a code for each named coast of one territory: nc, sc, ec or wc as its name means, or else an unused one.

    Raises `MapError` for more than four coasts.
    """
    known = {**_COASTS, **{code: code for code in _COASTS.values()}}
    codes = {coast: known[fold(coast)] for coast in coasts if fold(coast) in known}
    free = iter([code for code in _COASTS.values() if code not in codes.values()])
    for coast in coasts:
        if coast not in codes and (code := next(free, None)):
            codes[coast] = code
    if len(codes) < len(coasts):
        raise MapError(f"a territory has {len(coasts)} coasts, but satjudge supports at most four")
    return codes


def _itself(name: str) -> str:
    return name.upper() if re.fullmatch(r"[A-Za-z][A-Za-z0-9]{1,2}", name) else ""


def _abbreviation(name: str) -> str:
    found = _ABBREVIATED.search(name)
    letters = re.sub(r"[^A-Z0-9]", "", found["code"].upper()) if found else ""
    return letters if len(letters) > 1 else ""


def _iter_code_candidates(name: str) -> Iterator[str]:
    """Yield possible codes for a territory's name, the best ones first: `BOH`, `BOE`, …, and finally numbered ones."""
    plain = unicodedata.normalize("NFKD", name.replace("'", "")).encode("ascii", "ignore").decode().upper()
    words = re.findall(r"[A-Z0-9]+", plain) or ["X"]
    letters = "".join(words)
    if len(words) > 2:
        yield "".join(word[0] for word in words[:3])
    if len(letters) >= 3:
        yield letters[:3]
        yield from (letters[:2] + letter for letter in letters[3:])
        yield from (letters[0] + one + other for at, one in enumerate(letters[1:], 2) for other in letters[at:])
    yield from (f"{letters[:2]}{number}" for number in range(1, 100_000))
