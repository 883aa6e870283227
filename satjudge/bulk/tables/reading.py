"""Reads table files, and sets up the kernel by them (docs/guides/kernel.md): without numpy, as any other host does."""

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
    """A part of the contents: its bytes as they are deflated, and as they are in the memory."""

    deflated: int
    bytes: int
    file: str = ""
    """The name of the file that holds the part, where several table files share it; it stands in this one if there is none."""


class ArrayPlace(msgspec.Struct, frozen=True):
    """An array in the memory: its elements, its shape, and where it begins, counted from where the contents do."""

    elements: str
    shape: tuple[int, ...]
    at: int


class Header(msgspec.Struct, frozen=True):
    """The line of JSON of a table file."""

    map: str
    rulebook: str
    kernel: str
    """The digest of the kernel's C, which the module has to be compiled from."""
    functions: dict[str, str]
    """The functions of the module for this rulebook."""
    memory: int
    """The bytes from where the contents begin to the end of all that is set up."""
    arrays: dict[str, ArrayPlace]
    limits: dict[str, int]
    causes: list[str]
    """Why a line may be refused, in words, by the number of the cause."""
    about: Part
    """The map in words, for hosts (`satjudge.bulk.tables.map_words`): behind the parts, and not in the memory."""
    parts: list[Part]


class Tables(msgspec.Struct, frozen=True):
    """A table file as it was read."""

    header: Header
    contents: bytes
    about: bytes
    """The map in words, as JSON."""


def parse_tables(data: bytes, part: Callable[[str], bytes] | None = None) -> Tables:
    """Parse a table file; `part` returns the content of parts that are stored in separate files, by their names.

    Raises `SatjudgeError` for anything but a table file.
    """
    if not data.startswith(FORMAT):
        raise SatjudgeError(f"this is not a table file of satjudge: it does not begin with {FORMAT.decode().strip()!r}")
    try:
        line, rest = data[len(FORMAT) :].split(b"\n", 1)
        header = msgspec.json.decode(line, type=Header)
        parts = []
        for one in (*header.parts, header.about):
            deflated = part(one.file) if one.file and part else rest[: one.deflated]
            rest = rest if one.file else rest[one.deflated :]
            parts.append(zlib.decompress(deflated))
            if len(parts[-1]) != one.bytes:
                raise ValueError("a part does not have the length that the header states")
    except (ValueError, zlib.error, msgspec.DecodeError) as error:
        raise SatjudgeError(f"the table file is damaged: {error}") from None
    return Tables(header, b"".join(parts[:-1]), parts[-1])


def read_table_file(path: Path) -> Tables:
    """Read and parse a table file, with its parts in separate files in the same folder."""
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
            raise SandboxError("the table file belongs to another kernel")

    def find_place(self, name: str) -> int:
        """Return the address of an array in the memory."""
        return self.base + self.header.arrays[name].at

    def view_array(self, name: str) -> memoryview:
        """Return a view of an array in the memory as one row of numbers."""
        stood = self.header.arrays[name]
        width, place = _SIZES[stood.elements], self.find_place(name)
        part = self.memory[place : place + width * prod(stood.shape)]
        if stood.elements == "uint8":
            return part
        return part.cast("b") if width == 1 else part.cast("i") if width == 4 else part.cast("q")


_SIZES = {"int64": 8, "int32": 4, "int8": 1, "uint8": 1, "bool": 1}
"""The bytes of each kind of element."""
