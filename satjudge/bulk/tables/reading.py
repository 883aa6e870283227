"""Reads table files, and sets up the kernel with them (docs/guides/kernel.md), without numpy, as any other host does."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from math import prod
from pathlib import Path

import msgspec

from satjudge.base.errors import SatjudgeError
from satjudge.bulk.wasm.sandbox import Sandbox, SandboxError

FORMAT = b"satjudge tables 1\n"
ALIGNED = 64
ENDING = ".tables"


class Part(msgspec.Struct, frozen=True, omit_defaults=True):
    """A part of the contents, with its number of bytes in deflated form and in memory."""

    deflated: int
    bytes: int
    file: str = ""
    """The name of the file with the part, if several table files share it; "" if the part is in this file."""


class ArrayPlace(msgspec.Struct, frozen=True):
    """An array in the memory: its type of elements, its shape, and its start, counted from the start of the contents."""

    elements: str
    shape: tuple[int, ...]
    at: int


class Header(msgspec.Struct, frozen=True):
    """The line of JSON at the beginning of a table file."""

    map: str
    rulebook: str
    kernel: str
    """The digest of the C code from which the kernel's module must be compiled."""
    functions: dict[str, str]
    """The names of the module's functions for this rulebook."""
    memory: int
    """The number of bytes from the start of the contents to the end of the memory that is set up."""
    arrays: dict[str, ArrayPlace]
    limits: dict[str, int]
    causes: list[str]
    """The causes for which the kernel may refuse a line, in words, by number."""
    about: Part
    """The map's names and words for hosts (`satjudge.bulk.tables.map_words`); it follows the other parts, and is not loaded."""
    parts: list[Part]


class Tables(msgspec.Struct, frozen=True):
    """The content of a table file."""

    header: Header
    contents: bytes
    about: bytes
    """The map's names and words, as JSON."""


def parse_tables(data: bytes, read_part: Callable[[str], bytes] | None = None) -> Tables:
    """Parse a table file; `read_part` returns the content of a part that is stored in a file of its own, by its name.

    Raises `SatjudgeError` if the data are not an intact table file.
    """
    if not data.startswith(FORMAT):
        raise SatjudgeError(f"this is not a table file of satjudge: it does not begin with {FORMAT.decode().strip()!r}")
    try:
        line, rest = data[len(FORMAT) :].split(b"\n", 1)
        header = msgspec.json.decode(line, type=Header)
        parts = []
        for one in (*header.parts, header.about):
            deflated = read_part(one.file) if one.file and read_part else rest[: one.deflated]
            rest = rest if one.file else rest[one.deflated :]
            parts.append(zlib.decompress(deflated))
            if len(parts[-1]) != one.bytes:
                raise ValueError("a part does not have the length that the header states")
    except (ValueError, zlib.error, msgspec.DecodeError) as error:
        raise SatjudgeError(f"the table file is damaged: {error}") from None
    return Tables(header, b"".join(parts[:-1]), parts[-1])


def read_table_file(path: Path) -> Tables:
    """Read and parse a table file; its parts may be in separate files in the same folder."""
    return parse_tables(path.read_bytes(), lambda name: path.with_name(name).read_bytes())


class Host:
    """An instance of the kernel that is set up with a table file."""

    def __init__(self, code: bytes, tables: Tables) -> None:
        self.header = tables.header
        self.sandbox = sandbox = Sandbox(code)
        self.base = base = sandbox.call("first_free") + ALIGNED - 1 & -ALIGNED
        sandbox.grow_memory(base + tables.header.memory)
        self.memory = sandbox.memory
        self.memory[base : base + len(tables.contents)] = tables.contents
        if not sandbox.call("load", [base]):
            raise SandboxError("the table file belongs to another version of the kernel")

    def find_place(self, name: str) -> int:
        """Return the address of an array in the kernel's memory."""
        return self.base + self.header.arrays[name].at

    def view_array(self, name: str) -> memoryview:
        """Return a view of an array in the kernel's memory, as one row of numbers."""
        stood = self.header.arrays[name]
        width, place = _SIZES[stood.elements], self.find_place(name)
        part = self.memory[place : place + width * prod(stood.shape)]
        if stood.elements == "uint8":
            return part
        return part.cast("b") if width == 1 else part.cast("i") if width == 4 else part.cast("q")


_SIZES = {"int64": 8, "int32": 4, "int8": 1, "uint8": 1, "bool": 1}
"""The number of bytes of each type of element."""
