"""Tells which rules the classes of a webDiplomacy variant are known to bring, and refuses those that are not known by name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from typing import Any, NamedTuple

from satjudge.base.errors import MapError, NotFoundError
from satjudge.base.resources import data_file, read_toml
from satjudge.files.maps import php
from satjudge.files.maps.lineage import MAIN, VARIANT, Lineage

START = "adjudicatorPreGame"
_SHOWN_ONLY = frozenset({
    "drawMap", "drawMapXML", "Maps", "OrderInterface", "OrderArchiv", "Chatbox", "panelGame", "panelGameBoard", "panelGameHome",
    "panelMember", "panelMembers", "panelMemberHome", "panelMembersHome", "userMember",
})  # fmt: skip
"""Classes that show a game and change no rule."""
_NO_RULES = ("__construct", "initialize", "turnAsDate", "turnAsDateJS")
"""Functions of `variant.php` whose literals are read, and that hold no rule but those."""
_NEUTRAL = re.compile(
    r"""\( \$countryName \) \{ if \( \$countryName == (['"])(?P<name>[^'"]+)\1 \) """
    r"return count \( \$this -> countries \) \+ 1 ; "
    r"return parent :: countryID \( \$countryName \) ; \}"
)
"""How a variant numbers the country that nobody plays: behind the others."""
_NOT_KNOWN = "satjudge does not know what it changes"


class KnownCode(NamedTuple):
    """What the code of a class is known to do: the rules that a map's own file says instead, or what satjudge lacks."""

    rules: Mapping[str, Any]
    lacks: str
    tells: str = ""
    """What is told of a variant with such code, which changes nothing in how orders are judged."""
    covers: Sequence[str] = ()
    """The classes that a constructor takes in by switches, whose files the program finds out."""

    @classmethod
    def from_entry(cls, stated: Mapping[str, Any]) -> KnownCode:
        """Make the value from an entry of models/webdiplomacy.toml."""
        return cls(stated.get("rules", {}), stated.get("lacks", ""), stated.get("tells", ""), stated.get("covers", ()))


class Rules(NamedTuple):
    """The rules that a variant brings, the name of the country that nobody plays, empty for none, and what is told of it."""

    stated: Mapping[str, Any]
    neutral: str
    told: Sequence[str]


def rules_of(lineage: Lineage) -> Rules:
    """Find the rules that the code of a variant states.

    Raises `MapError` that names all code that is not known, or whose rules satjudge does not have.
    """
    stated: dict[str, Any] = {}
    told: dict[str, None] = {}
    refused: list[tuple[str, str]] = []
    for file, what, known in _known_parts(lineage):
        if known is None or known.lacks:
            refused.append((file, f"{what}: {known.lacks if known else _NOT_KNOWN}"))
        else:
            stated |= known.rules
            told |= {known.tells: None} if known.tells else {}
    if refused:
        (source, first), others = refused[0], dict.fromkeys(what for _, what in refused[1:])
        raise MapError("; ".join((first, *others)), source=source)
    found = _NEUTRAL.fullmatch(" ".join(lineage.method("countryID")))
    return Rules(stated, found["name"] if found else "", [*told])


def _known_parts(lineage: Lineage) -> Iterator[tuple[str, str, KnownCode | None]]:
    """Each part of a variant's code that can change rules: its file, its name, and what is known of it."""
    known = known_code()
    switches = known.get(digest_of_words(lineage.method("__construct")), KnownCode({}, ""))
    yield lineage.package.format_file_name(VARIANT), "__construct", switches
    for name in lineage.methods:
        words = lineage.method(name)
        if name not in _NO_RULES and not (name == "countryID" and _NEUTRAL.fullmatch(" ".join(words))):
            yield lineage.package.format_file_name(VARIANT), name, known.get(digest_of_words(words))
    if dropped_borders(lineage.install.source) is None:
        yield lineage.package.format_file_name(MAIN), "sql_put", KnownCode({}, "the tables are changed after they are written")
    for name in lineage.classes:
        if name not in _SHOWN_ONLY and name not in switches.covers:
            yield from _known_files(lineage, name)


_DROPPED = re.compile(
    r"sql_put \( 'DELETE FROM wD_(?:Coastal)?Borders {1,20}WHERE mapID=' \. \$this -> mapID \. "
    r"' AND (?:fromTerrID=(?P<start>\d{1,4}) AND )?toTerrID=(?P<to>\d{1,4})' \) ;"
)


def dropped_borders(source: php.Source) -> set[tuple[int | None, int]] | None:
    """List the borders that an installer takes away in one direction, by the numbers of territories; None for other changes.

    None in place of the first number stands for every territory.
    """
    words = " ".join(token.text for token in source.tokens)
    found = list(_DROPPED.finditer(words))
    if words.count("sql_put") != len(found):
        return None
    return {(int(one["start"]) if one["start"] else None, int(one["to"])) for one in found}


def _known_files(lineage: Lineage, name: str) -> Iterator[tuple[str, str, KnownCode | None]]:
    """What is known of each file with a class."""
    try:
        for code in lineage.code(name):
            states_units_only = name == START and set(code.source.methods()) <= {"__construct"}
            yield code.display_name, name, KnownCode({}, "") if states_units_only else known_code().get(code.digest)
    except NotFoundError:
        yield (
            lineage.package.format_file_name(VARIANT),
            name,
            KnownCode({}, "its file is not there: what names it is worked out"),
        )


def digest_of_words(words: Sequence[str]) -> str:
    """Digest a function by its words and signs."""
    return sha256("\x1f".join(words).encode()).hexdigest()


@cache
def known_code() -> Mapping[str, KnownCode]:
    """Return what is known of classes and functions, by the digests of their code."""
    tables = read_toml(data_file("models", "webdiplomacy.toml"), MapError).get("code", [])
    return {one["sha256"]: KnownCode.from_entry(one) for one in tables}
