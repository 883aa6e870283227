"""Writes table files: the facts that the kernel needs for a map under a rulebook, for any host (docs/guides/kernel.md).

A file consists of a line that names its format, a line of JSON that any host can read, and the contents as deflated parts. The
contents define the arrays in the kernel's memory, which `satjudge.bulk.kernel.setup` sets up.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

import msgspec
import numpy
from numpy.typing import NDArray

from satjudge.bulk.kernel.memory import *
from satjudge.bulk.tables.reading import ALIGNED, FORMAT, ArrayPlace, Header, Part, Tables


class _Blob(msgspec.Struct, frozen=True):
    """The position of some bytes in a part of the contents."""

    part: int
    at: int


class _Room(msgspec.Struct, frozen=True):
    """A reserved piece of the kernel's memory, by its position after the contents."""

    at: int

    def skip(self, size: int) -> _Room:
        """Return the reserved memory that begins `size` bytes later."""
        return _Room(self.at + size)


class Contents:
    """The contents of a table file under construction: parts with data, and steps that set up the kernel's memory."""

    def __init__(self, parts: int) -> None:
        self.parts = [bytearray() for _ in range(parts)]
        self.steps: list[tuple[Any, ...]] = []
        self.arrays: dict[str, tuple[_Room, tuple[int, ...]]] = {}
        self.end = 0

    def reserve(self, size: int) -> _Room:
        """Reserve `size` bytes of the kernel's memory, and return their position."""
        found = _Room(self.end)
        self.end += -(-size // ALIGNED) * ALIGNED
        return found

    def reserve_array(self, name: str, shape: Sequence[int]) -> _Room:
        """Reserve room in the kernel's memory for the array with this name and shape; return its position."""
        size = int(numpy.prod(shape, dtype=numpy.int64)) * numpy.dtype(ARRAYS[name].elements).itemsize
        found = self.reserve(size)
        self.arrays[name] = found, tuple(shape)
        return found

    def add_bytes(self, part: int, data: bytes) -> _Blob:
        """Append bytes to the part with this index, and return their position."""
        found = _Blob(part, len(self.parts[part]))
        self.parts[part] += data
        return found

    def add_column(self, part: int, numbers: Any, target: _Room, bytes_per_number: int, stride: int = 1) -> None:  # noqa: ANN401
        """Store a column in a part, with the setup step that writes its numbers to memory, in every `stride`-th place."""
        data, planes = pack_numbers(numbers)
        count = len(data) // planes
        if count:
            self.steps.append((PACKED, self.add_bytes(part, data), count, planes, target, bytes_per_number, stride))

    def store_array(self, part: int, name: str, values: NDArray[Any]) -> None:
        """Store the values of a named array in a part, with the setup step that copies them to the kernel's memory."""
        target, stated = self.reserve_array(name, values.shape), ARRAYS[name]
        width = numpy.dtype(stated.elements).itemsize
        if width == 1:
            self.steps.append((BYTES, self.add_bytes(part, values.tobytes()), values.size, 0, target))
        else:
            self.add_column(part, values.ravel(), target, width)

    def add_table(self, part: int, name: str, keys: LongNumbers, values: Sequence[LongNumbers], slots: int) -> None:
        """Store the columns of a hash table in a part, with the setup step that fills the table, with `slots` slots."""
        columns = [keys, *values]
        held = self.reserve(8 * len(columns) * len(keys))
        for number, column in enumerate(columns):
            self.add_column(part, column, held.skip(8 * number * len(keys)), LONG)
        self.steps.append((TABLE, held, len(keys), len(values), self.reserve_array(name, (slots, 1 + len(values))), slots))

    def make_tables(self, fields: Mapping[str, Any], map_words: bytes) -> Tables:
        """Return the finished table file; `fields` are the header's fields other than memory, arrays and parts."""
        head = 4 * (CONTENTS_HEAD + OF_DESCRIPTORS + STEP * len(self.steps))
        starts = [_align(head)]
        for data in self.parts[:-1]:
            starts.append(_align(starts[-1] + len(data)))
        size = _align(starts[-1] + len(self.parts[-1]))

        def number_of(value: Any) -> int:  # noqa: ANN401
            if isinstance(value, _Blob):
                return starts[value.part] + value.at
            return size + value.at if isinstance(value, _Room) else int(value)

        numbers = [CONTENTS, OF_DESCRIPTORS, len(self.steps), size]
        for name in ARRAYS:
            where, shape = self.arrays.get(name, (0, ()))
            numbers += [*([number_of(where), *shape, 0, 0, 0][:4])]
        for step in self.steps:
            numbers += [*map(number_of, step), *[0] * (STEP - len(step))]
        ends = [*starts[1:], size]
        parts = [bytes(data).ljust(end - start, b"\0") for data, start, end in zip(self.parts, starts, ends, strict=True)]
        parts[0] = numpy.array(numbers, "<i4").tobytes().ljust(starts[0], b"\0") + parts[0]
        stood = {
            name: ArrayPlace(ARRAYS[name].elements, shape, number_of(where)) for name, (where, shape) in self.arrays.items()
        }
        stored_parts = [Part(0, len(part)) for part in parts]
        header = Header(**fields, memory=size + self.end, arrays=stood, parts=stored_parts, about=Part(0, len(map_words)))
        return Tables(header, b"".join(parts), map_words)


def split_shared_parts(data: bytes) -> tuple[bytes, dict[str, bytes]]:
    """Return a table file with only its first part, and the other parts as files, by names made from their hashes."""
    line, rest = data[len(FORMAT) :].split(b"\n", 1)
    header, parts, files = msgspec.json.decode(line, type=Header), list[Part](), dict[str, bytes]()
    for part in (*header.parts, header.about):
        deflated, rest = rest[: part.deflated], rest[part.deflated :]
        name = f"{hashlib.sha256(deflated).hexdigest()[:12]}.part" if parts else ""
        files[name] = deflated
        parts.append(msgspec.structs.replace(part, file=name))
    header = msgspec.structs.replace(header, parts=parts[:-1], about=parts[-1])
    return FORMAT + msgspec.json.encode(header) + b"\n" + files.pop(""), files


def write_one_file(tables: Tables) -> bytes:
    """Return the bytes of a table file that contains all of its parts."""
    parts, start = [], 0
    for part in tables.header.parts:
        parts.append(tables.contents[start : start + part.bytes])
        start += part.bytes
    parts.append(tables.about)
    small = [_deflate(part) for part in parts]
    *stored_parts, about = [Part(len(deflated), len(part)) for deflated, part in zip(small, parts, strict=True)]
    header = msgspec.structs.replace(tables.header, parts=stored_parts, about=about)
    return FORMAT + msgspec.json.encode(header) + b"\n" + b"".join(small)


def _deflate(part: bytes) -> bytes:
    """Return a part compressed, at a low memory level, which suits columns of numbers and saves a twentieth."""
    deflating = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS, 4)
    return deflating.compress(part) + deflating.flush()


def read_columns(tables: Tables) -> dict[str, NDArray[Any]]:
    """Return the arrays in a table file by name; for a hash table, the column of keys followed by the columns of values."""
    memory, contents = numpy.zeros(tables.header.memory, numpy.uint8), tables.contents
    head = numpy.frombuffer(contents, "<i4", CONTENTS_HEAD)
    steps = numpy.frombuffer(contents, "<i4", int(head[2]) * STEP, 4 * (CONTENTS_HEAD + OF_DESCRIPTORS)).reshape(-1, STEP)
    held: dict[int, tuple[int, int]] = {}
    for kind, first, count, third, target, width, stride, _ in steps.tolist():
        if kind == PACKED:
            planes = numpy.frombuffer(contents, numpy.uint8, third * count, first).reshape(third, count)
            size = count * stride
            room = _view(memory, target, min(size, (len(memory) - target) // width), "<i8" if width == LONG else "<i4")
            room[::stride] = unpack_numbers(planes)
        elif kind == TABLE:
            held[target] = first, (1 + third) * count
    found = {}
    for name, stood in tables.header.arrays.items():
        at, size = held.get(stood.at, (stood.at, prod(stood.shape)))
        values = _view(memory, at, size, stood.elements)
        found[name] = values if stood.at in held else values.reshape(stood.shape)
    return found


def _view(memory: NDArray[numpy.uint8], at: int, size: int, elements: str) -> NDArray[Any]:
    return memory[at : at + size * numpy.dtype(elements).itemsize].view(elements)


def unpack_numbers(planes: NDArray[numpy.uint8]) -> LongNumbers:
    """Return the numbers of a column that `pack_numbers` packed."""
    count = planes.shape[1]
    whole = numpy.zeros((count, 8), numpy.uint8)
    whole[:, : len(planes)] = planes.T
    whole[:, len(planes) :] = numpy.where(planes[-1] > 127, 255, 0)[:, None] if len(planes) else 0
    return whole.view("<i8").ravel().cumsum()


def _align(size: int) -> int:
    return -(-size // ALIGNED) * ALIGNED


def pack_numbers(numbers: Any) -> tuple[bytes, int]:  # noqa: ANN401  # an array or a list
    """Return the differences of numbers as bytes, all first bytes before all second bytes, and the bytes per number."""
    differences = numpy.diff(numpy.asarray(numbers, numpy.int64), prepend=0)
    planes = 1
    while len(differences) and not -(1 << 8 * planes - 1) <= differences.min() <= differences.max() < 1 << 8 * planes - 1:
        planes += 1
    return differences.astype("<i8").view(numpy.uint8).reshape(-1, 8).T[:planes].tobytes(), planes


def count_slots(key_count: int) -> int:
    """Return the number of slots for a hash table of this many keys: a power of 2, at least 1,024, at most two thirds used."""
    return 1 << max(10, (3 * key_count // 2).bit_length())
