"""Finds the PHP files of a webDiplomacy variant, and the rules that its classes are known to define."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from typing import Any, NamedTuple

from satjudge.base.errors import MapError, NotFoundError, locate_errors
from satjudge.base.resources import data_file, read_toml
from satjudge.files.maps import php
from satjudge.files.maps.packages import Package
from satjudge.world.geography import fold

MAIN, VARIANT = "install.php", "variant.php"
_CLASSES = "this->variantClasses"
_OF_VARIANT = re.compile(r"(?P<variant>\w+)Variant_(?P<name>\w+)")
_INSTALLER = re.compile(r"variants/(?P<variant>\w+)/install\.php")
_LONGEST = 8
"""The maximum number of variants that extend each other in sequence; vDiplomacy has up to three."""


@dataclass(frozen=True)
class Folder:
    """The folder of one variant."""

    package: Package

    def source(self, name: str) -> php.Source:
        """Return the tokens of the folder's PHP file of this name; raise `MapError` if it is missing or not PHP."""
        with locate_errors(self.package.format_file_name(name)):
            return php.read(self.package.read_member(name).decode("utf-8", errors="replace"))

    @cached_property
    def variant(self) -> php.Source:
        """The tokens of the folder's `variant.php`."""
        return self.source(VARIANT)

    @cached_property
    def literals(self) -> Mapping[str, php.Literal]:
        """The literals in the folder's `variant.php`, by the variables that they are assigned to."""
        return self.variant.find_literals()

    @property
    def name(self) -> str:
        """The name of the variant, with which the names of its classes begin."""
        return str(self.literals.get("name"))

    @property
    def parent_name(self) -> str:
        """The name of the variant that this one extends; "" if it extends none."""
        parent = next(iter(self.variant.find_parent_classes().values()), "")
        return parent.removesuffix("Variant") if fold(parent) != "wdvariant" else ""


@dataclass(frozen=True)
class Code:
    """A file that defines classes of a variant."""

    folder: Folder
    file: str
    source: php.Source

    @property
    def display_name(self) -> str:
        """The name of the file with that of its package, for messages."""
        return self.folder.package.format_file_name(self.file)

    @property
    def digest(self) -> str:
        """The digest of the file's code (`Source.digest`), by which known code is looked up."""
        return self.source.digest(self.folder.name)


class Lineage:
    """A variant, followed by the variants that it extends."""

    def __init__(self, package: Package) -> None:
        self.package = package
        self.folders = [Folder(package)]
        while parent := self.folders[-1].parent_name:
            self.folders.append(self._open_sibling(parent, VARIANT))
        self.stated = {name: value for folder in reversed(self.folders) for name, value in folder.literals.items()}

    def _open_sibling(self, name: str, named_in: str) -> Folder:
        """Open the folder of another variant next to this one; if missing, raise `MapError` with the file that names it."""
        if name == self.folders[0].name:
            return self.folders[0]
        found = self.package.beside(name)
        if found is None or len(self.folders) == _LONGEST:
            hint = f"put the folder {name} next to this one"
            raise MapError(f"the variant uses rules of {name}", source=self.package.format_file_name(named_in), suggestion=hint)
        return Folder(found)

    @cached_property
    def install_file(self) -> Code:
        """The file that installs the map: the variant's own, or another variant's if the own one only includes that."""
        own = self.folders[0].source(MAIN)
        for required in own.list_required_files():
            if (other := _INSTALLER.fullmatch(required)) and not own.has_assignment("territoryRawData"):
                folder = self._open_sibling(other["variant"], MAIN)
                return Code(folder, MAIN, folder.source(MAIN))
        return Code(self.folders[0], MAIN, own)

    @property
    def methods(self) -> dict[str, php.Source]:
        """The `variant.php` that defines each function, by name; the variant's own functions replace inherited ones."""
        return {name: folder.variant for folder in reversed(self.folders) for name in folder.variant.list_methods()}

    def find_method(self, name: str) -> Sequence[str]:
        """Return the texts of the tokens of a function, the variant's own or an inherited one; empty if there is none."""
        found = self.methods.get(name)
        return found.find_method(name) if found else []

    @property
    def classes(self) -> list[str]:
        """The names of the classes that the variant and its ancestors list in `variant.php`."""
        return list(
            dict.fromkeys(name for folder in reversed(self.folders) for name in folder.variant.list_assigned_keys(_CLASSES))
        )

    def iter_class_files(self, name: str) -> Iterator[Code]:
        """Yield the file that defines this class of the variant, then the files of the classes that it extends."""
        stated = self.stated.get(f"{_CLASSES}[{name}]")
        folder = self._open_sibling(stated, VARIANT) if isinstance(stated, str) else self.folders[0]
        file = f"classes/{name}.php"
        for _ in range(_LONGEST):
            source = folder.source(file)
            yield Code(folder, file, source)
            classes = source.find_parent_classes()
            others = [_OF_VARIANT.fullmatch(extended) for extended in classes.values() if extended not in classes]
            found = next((other for other in others if other), None)
            if found is None:
                return
            folder, file = self._open_sibling(found["variant"], file), f"classes/{found['name']}.php"


# ---- The known rules of a variant's classes; other classes are refused by name ----

START = "adjudicatorPreGame"
_SHOWN_ONLY = frozenset({
    "drawMap", "drawMapXML", "Maps", "OrderInterface", "OrderArchiv", "Chatbox", "panelGame", "panelGameBoard", "panelGameHome",
    "panelMember", "panelMembers", "panelMemberHome", "panelMembersHome", "userMember",
})  # fmt: skip
"""Classes that display a game and change no rule."""
_NO_RULES = ("__construct", "initialize", "turnAsDate", "turnAsDateJS")
"""Functions of `variant.php` that contain no rules except in their literals, which are read."""
_NEUTRAL = re.compile(
    r"""\( \$countryName \) \{ if \( \$countryName == (['"])(?P<name>[^'"]+)\1 \) """
    r"return count \( \$this -> countries \) \+ 1 ; "
    r"return parent :: countryID \( \$countryName \) ; \}"
)
"""Code that gives the country that nobody plays a number, after the others."""
_NOT_KNOWN = "satjudge does not know what it changes"


class KnownCode(NamedTuple):
    """The known effect of some code: the rules to write into the map's tables, or a rule that satjudge does not support."""

    rules: Mapping[str, Any]
    lacks: str
    tells: str = ""
    """A remark on variants with such code, which does not affect how orders are judged."""
    covers: Sequence[str] = ()
    """The classes that a constructor chooses by switches."""

    @classmethod
    def from_entry(cls, stated: Mapping[str, Any]) -> KnownCode:
        """Make a `KnownCode` from an entry of models/webdiplomacy.toml."""
        return cls(stated.get("rules", {}), stated.get("lacks", ""), stated.get("tells", ""), stated.get("covers", ()))


class Rules(NamedTuple):
    """The rules of a variant, its country that nobody plays ("" for none), and remarks on the variant."""

    stated: Mapping[str, Any]
    neutral: str
    remarks: Sequence[str]


def find_rules(lineage: Lineage) -> Rules:
    """Return the rules that a variant's code defines, as keys of a map's tables, with its neutral country and remarks.

    Raises `MapError`, which names all code that is unknown or has rules that satjudge does not support.
    """
    stated: dict[str, Any] = {}
    remarks: dict[str, None] = {}
    refused: list[tuple[str, str]] = []
    for file, subject, known in _iter_known_parts(lineage):
        if known is None or known.lacks:
            refused.append((file, f"{subject}: {known.lacks if known else _NOT_KNOWN}"))
        else:
            stated |= known.rules
            remarks |= {known.tells: None} if known.tells else {}
    if refused:
        (source, first), others = refused[0], dict.fromkeys(subject for _, subject in refused[1:])
        raise MapError("; ".join((first, *others)), source=source)
    found = _NEUTRAL.fullmatch(" ".join(lineage.find_method("countryID")))
    return Rules(stated, found["name"] if found else "", [*remarks])


def _iter_known_parts(lineage: Lineage) -> Iterator[tuple[str, str, KnownCode | None]]:
    """Yield the file, the name and the known effect (None: unknown) of each part of a variant's code that can change rules."""
    known = load_known_code()
    switches = known.get(digest_words(lineage.find_method("__construct")), KnownCode({}, ""))
    yield lineage.package.format_file_name(VARIANT), "__construct", switches
    for name in lineage.methods:
        words = lineage.find_method(name)
        if name not in _NO_RULES and not (name == "countryID" and _NEUTRAL.fullmatch(" ".join(words))):
            yield lineage.package.format_file_name(VARIANT), name, known.get(digest_words(words))
    if find_dropped_borders(lineage.install_file.source) is None:
        yield lineage.package.format_file_name(MAIN), "sql_put", KnownCode({}, "it changes the tables after writing them")
    for name in lineage.classes:
        if name not in _SHOWN_ONLY and name not in switches.covers:
            yield from _load_known_files(lineage, name)


_DROPPED = re.compile(
    r"sql_put \( 'DELETE FROM wD_(?:Coastal)?Borders {1,20}WHERE mapID=' \. \$this -> mapID \. "
    r"' AND (?:fromTerrID=(?P<start>\d{1,4}) AND )?toTerrID=(?P<to>\d{1,4})' \) ;"
)


def find_dropped_borders(source: php.Source) -> set[tuple[int | None, int]] | None:
    """Return the borders that an installer removes, as pairs of territory numbers (from, to); None if it changes anything else.

    None as the first number stands for every territory.
    """
    words = " ".join(token.text for token in source.tokens)
    found = list(_DROPPED.finditer(words))
    if words.count("sql_put") != len(found):
        return None
    return {(int(one["start"]) if one["start"] else None, int(one["to"])) for one in found}


def _load_known_files(lineage: Lineage, name: str) -> Iterator[tuple[str, str, KnownCode | None]]:
    """Yield each file that defines a class or its parents: its name, the class, and its known effect (None: unknown)."""
    try:
        for code in lineage.iter_class_files(name):
            states_units_only = name == START and set(code.source.list_methods()) <= {"__construct"}
            yield code.display_name, name, KnownCode({}, "") if states_units_only else load_known_code().get(code.digest)
    except NotFoundError:
        yield (
            lineage.package.format_file_name(VARIANT),
            name,
            KnownCode({}, "its file is missing: the program computes its name"),
        )


def digest_words(words: Sequence[str]) -> str:
    """Return a SHA-256 of the texts of a function's tokens."""
    return sha256("\x1f".join(words).encode()).hexdigest()


@cache
def load_known_code() -> Mapping[str, KnownCode]:
    """Load the known effects of classes and functions, by the digests of their code."""
    tables = read_toml(data_file("models", "webdiplomacy.toml"), MapError).get("code", [])
    return {one["sha256"]: KnownCode.from_entry(one) for one in tables}
