"""Reads the literals that PHP source assigns to names (texts, numbers and arrays), without executing anything."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import accumulate
from typing import NamedTuple, TypeAlias

from satjudge.base.errors import MapError

Literal: TypeAlias = "str | int | float | bool | Array | None"

_TOKEN = re.compile(
    r"""(?P<gap>\s+|//[^\n]*|\#[^\n]*|/\*.*?\*/|<\?php\b|\?>)
      | (?P<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\$]|\\.)*")
      | (?P<number>(?:\d[\d_]*)?\.?\d+)
      | (?P<name>\$?[A-Za-z_\x80-\U0010ffff][\w\x80-\U0010ffff]*)
      | (?P<sign>=>|->|::|==|!=|<=|>=|&&|\|\||.)""",
    re.DOTALL | re.VERBOSE,
)
_CONSTANTS: Mapping[str, bool | None] = {"true": True, "false": False, "null": None}
_ESCAPED = {"'": re.compile(r"\\([\\'])"), '"': re.compile(r"\\([\\\"$])")}
_UNITS_AT_START = "countryUnits"
_DEEPEST = 8
"""The maximum depth of nested arrays; tables of maps have three levels."""


class Token(NamedTuple):
    """A word, text, number or sign of the source, with its line."""

    kind: str
    text: str
    line: int


@dataclass
class Array:
    """An array: its entries in order, each with its key, which is a number if none is written."""

    line: int
    entries: list[tuple[str | int, Literal]] = field(default_factory=list)

    @property
    def values(self) -> list[Literal]:
        """The values in their order, without their keys."""
        return [value for _, value in self.entries]


class _NoLiteralError(Exception):
    """An error for a value that is not a literal: only the running program knows it."""


@dataclass(frozen=True)
class Source:
    """The tokens of a PHP file, without comments and text outside `<?php`."""

    tokens: Sequence[Token]

    def find_literals(self) -> dict[str, Literal]:
        """Return the last literal that is assigned to each variable, by the variable's name without `$`.

        An index or property is part of the name: `this->classes[drawMap]`. Values that are not literals are skipped.
        """
        found: dict[str, Literal] = {}
        for start, token in enumerate(self.tokens):
            if token.kind == "name" and token.text.startswith("$"):
                name, position = self._read_name(start)
                if self._find_sign(position) == "=":
                    try:
                        value, end = self._read_literal(position + 1, 0)
                    except _NoLiteralError:
                        continue
                    if self._find_sign(end) in (";", ",") or end >= len(self.tokens):
                        found[name] = value
        return found

    def has_assignment(self, name: str) -> bool:
        """Return whether the code assigns anything to the variable `$name`, or to a property or index of it."""
        places = (self._read_name(at) for at, token in enumerate(self.tokens) if token.text == f"${name}")
        return any(self._find_sign(end) == "=" for _, end in places)

    def list_assigned_keys(self, name: str) -> list[str]:
        """List the keys of single assignments to an array: `map` for `$this->classes['map'] = …` and `this->classes`."""
        begun = f"{name}["
        places = (self._read_name(at) for at, token in enumerate(self.tokens) if token.text.startswith("$"))
        variables = [place for place, end in places if self._find_sign(end) == "=" and place.startswith(begun)]
        return list(dict.fromkeys(place.removeprefix(begun).removesuffix("]") for place in variables))

    def list_row_names(self) -> dict[str, list[str]]:
        """Return the variables in each `list(…)`, by the array: `{"row": ["a", "b"]}` for `list($a, $b) = $row`."""
        found: dict[str, list[str]] = {}
        for start, token in enumerate(self.tokens):
            if token.text == "list" and self._find_sign(start + 1) == "(":
                end = next((at for at in range(start, len(self.tokens)) if self._find_sign(at) == ")"), start)
                row_names = [one.text[1:] for one in self.tokens[start + 2 : end] if one.kind == "name"]
                if self._find_sign(end + 1) == "=" and end + 2 < len(self.tokens):
                    found[self.tokens[end + 2].text.removeprefix("$")] = row_names
        return found

    def find_parent_classes(self) -> dict[str, str]:
        """Return the parent class of each class that the file defines, except classes that extend none."""
        found: dict[str, str] = {}
        for start, token in enumerate(self.tokens[:-3]):
            if token.text == "class" and self.tokens[start + 2].text == "extends":
                found[self.tokens[start + 1].text] = self.tokens[start + 3].text
        return found

    def list_methods(self) -> list[str]:
        """List the names of the functions that the file defines."""
        return [self.tokens[at + 1].text for at, token in enumerate(self.tokens[:-1]) if token.text == "function"]

    def find_method(self, name: str) -> list[str]:
        """Return the texts of a function's tokens, from its parameters to its closing brace; empty if it is missing."""
        for at, token in enumerate(self.tokens[:-1]):
            if token.text == "function" and self.tokens[at + 1].text == name:
                texts = [token.text for token in self.tokens[at + 2 :]]
                depths = accumulate((text == "{") - (text == "}") for text in texts)
                last = next((end for end, depth in enumerate(depths) if depth == 0 and texts[end] == "}"), len(texts) - 1)
                return texts[: last + 1]
        return []

    def list_required_files(self) -> list[str]:
        """List the names of the files that the code includes (`require` or `include`), if they are literals."""
        names = ("require_once", "require", "include_once", "include")
        return [
            _text(self.tokens[at + 2])
            for at, token in enumerate(self.tokens[:-2])
            if token.text in names and self.tokens[at + 2].kind == "text"
        ]

    def digest(self, own_name: str) -> str:
        """Return a SHA-256 of the code that ignores comments, blanks, the variant's own name, units and empty classes."""
        words = [
            re.sub(r"^\w+_(?=\w)|" + re.escape(own_name), "", token.text) for token in self._iter_code_tokens(_UNITS_AT_START)
        ]
        text = re.sub(r"\x1fclass\x1f[^\x1f]*\x1fextends\x1f[^\x1f]*\x1f\{\x1f\}", "", "\x1f" + "\x1f".join(words))
        text = re.sub(r"\x1fclass\x1f[^\x1f]*\x1fextends\x1f", "\x1fclass\x1fextends\x1f", text)
        return sha256(text.encode()).hexdigest()

    def _iter_code_tokens(self, skipped_variable: str) -> Iterator[Token]:
        """Yield the tokens of the file, except assignments of literals to the variable `$skipped_variable`."""
        at = 0
        while at < len(self.tokens):
            name, position = self._read_name(at) if self.tokens[at].text == f"${skipped_variable}" else ("", at)
            if name and self._find_sign(position) == "=":
                try:
                    _, at = self._read_literal(position + 1, 0)
                    continue
                except _NoLiteralError:
                    pass
            yield self.tokens[at]
            at += 1

    def _find_sign(self, position: int) -> str:
        """Return the text of the token at a position if it is a sign such as `(`; else ""."""
        token = self.tokens[position] if position < len(self.tokens) else Token("sign", "", 0)
        return token.text if token.kind == "sign" else ""

    def _read_name(self, position: int) -> tuple[str, int]:
        """Return the name of a variable, with properties and indexes, at a token's position, and the position after it."""
        name = self.tokens[position].text.removeprefix("$")
        position += 1
        while position + 1 < len(self.tokens):
            sign, following = self._find_sign(position), self.tokens[position + 1]
            if sign in ("->", "::") and following.kind == "name":
                name, position = f"{name}->{following.text.removeprefix('$')}", position + 2
            elif sign == "[" and following.kind in ("text", "number") and self._find_sign(position + 2) == "]":
                name, position = f"{name}[{_text(following)}]", position + 3
            else:
                break
        return name, position

    def _read_literal(self, position: int, depth: int) -> tuple[Literal, int]:
        """Return the literal at a token's position, inside `depth` arrays, and the position after it; or `_NoLiteralError`."""
        if position >= len(self.tokens) or depth > _DEEPEST:
            raise _NoLiteralError
        token = self.tokens[position]
        if token.kind == "text":
            return _text(token), position + 1
        if token.kind == "number":
            return _number(token.text), position + 1
        if token.text in ("-", "+") and self.tokens[position + 1 : position + 2] and self.tokens[position + 1].kind == "number":
            return _number(token.text + self.tokens[position + 1].text), position + 2
        if token.text.lower() in _CONSTANTS:
            return _CONSTANTS[token.text.lower()], position + 1
        if token.text.lower() == "array" and self._find_sign(position + 1) == "(":
            return self._array(position + 2, ")", depth)
        if token.text == "[":
            return self._array(position + 1, "]", depth)
        raise _NoLiteralError

    def _array(self, position: int, closing: str, depth: int) -> tuple[Array, int]:
        array = Array(self.tokens[position - 1].line)
        following = 0
        while self._find_sign(position) != closing:
            value, position = self._read_literal(position, depth + 1)
            key: str | int = following
            if self._find_sign(position) == "=>":
                if isinstance(value, Array | float) or value is None:
                    raise _NoLiteralError
                key = value
                value, position = self._read_literal(position + 1, depth + 1)
            following = key + 1 if isinstance(key, int) else following
            array.entries.append((key, value))
            if self._find_sign(position) == ",":
                position += 1
            elif self._find_sign(position) != closing:
                raise _NoLiteralError
        return array, position + 1


def read(text: str) -> Source:
    """Parse PHP source into its tokens, or raise `MapError` if the text contains no PHP."""
    if "<?php" not in text:
        raise MapError("the file contains no `<?php`")
    return Source(list(_tokens(text[text.index("<?php") :])))


def _tokens(text: str) -> Iterator[Token]:
    line = 1
    for found in _TOKEN.finditer(text):
        if found.lastgroup != "gap":
            yield Token(str(found.lastgroup), found[0], line)
        line += found[0].count("\n")


def _text(token: Token) -> str:
    return _ESCAPED[token.text[0]].sub(r"\1", token.text[1:-1]) if token.kind == "text" else token.text


def _number(text: str) -> int | float:
    try:
        return float(text) if "." in text else int(text[:20])
    except ValueError:
        raise _NoLiteralError from None
