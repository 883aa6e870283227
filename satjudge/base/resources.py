"""Finds the files that come with satjudge, reads users' files within limits, and writes files atomically.

The files of satjudge, `models/` and `datc_cases/`, are next to the package in a checkout and an editable install, and inside
it in a wheel. A user's file may be anything, even an endless device, and some texts would take
the parsers too much time or memory.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO, TypeVar
from zlib import crc32

from satjudge.base.errors import InputError, NotFoundError, SheetError, reason_of

LONGEST_TEXT = 10_000_000
"""The maximum size of an order sheet in bytes. The longest one that comes with satjudge has 40,000."""
LONGEST_RUN = 200_000_000
"""The maximum size in bytes of a census or a cross-check as JSON."""
LONGEST_TOML = 200_000
MOST_DOTS = 200
"""The maximum number of dots in a line of TOML: each may add a table to a key, and time and memory grow with their square."""
_PACKAGE = Path(__file__).resolve().parents[1]
T = TypeVar("T")


@cache
def data_directory() -> Path:
    """Return the directory that holds `models/` and `datc_cases/`, or raise `NotFoundError` if it is missing."""
    for candidate in (_PACKAGE / "_data", _PACKAGE.parent):
        if (candidate / "models" / "maps").is_dir():
            return candidate
    raise NotFoundError(f"satjudge's data (models/ and datc_cases/) is missing next to {_PACKAGE}; reinstall satjudge")


def data_file(*parts: str) -> Path:
    """Return the path of a file that comes with satjudge, from its parts; raises `NotFoundError` if there is no such file."""
    path = data_directory().joinpath(*parts)
    if not path.is_file():
        siblings = sorted(path.parent.glob(f"*{path.suffix}"), key=lambda entry: entry.stem) if path.parent.is_dir() else []
        hint = f"there are {', '.join(entry.name for entry in siblings)}" if siblings else None
        raise NotFoundError(f"there is no file {'/'.join(parts)}", suggestion=hint)
    return path


def read_all(file: BinaryIO, source: str, max_bytes: int = LONGEST_TEXT) -> bytes:
    """Return all bytes of a stream, or raise `SheetError`, which names `source`, if there are more than `max_bytes`."""
    data = file.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise SheetError(f"too long: more than {max_bytes:,} bytes", source=source)
    return data


def read_file(path: Path, max_bytes: int = LONGEST_TEXT) -> bytes:
    """Return the bytes of a file; raises `NotFoundError`, or `SheetError` if it is unreadable or longer than `max_bytes`."""
    try:
        with path.open("rb") as file:
            return read_all(file, str(path), max_bytes)
    except FileNotFoundError:
        raise NotFoundError(f"there is no file {path}") from None
    except IsADirectoryError:
        raise NotFoundError(f"{path} is a directory", suggestion=f"name the files in it: {path}/*.txt") from None
    except (OSError, ValueError) as error:  # a name with a null character is a ValueError
        raise SheetError(f"cannot be read: {reason_of(error)}", source=str(path)) from None


KEPT_TOML = ("models/maps/standard.toml", "models/rulebooks/datc-3.toml")
"""The TOML files that nearly every command needs. Their tables are also stored as JSON, which loads twenty times faster."""


def read_toml(path: Path, make_error: Callable[[str], InputError]) -> dict[str, Any]:
    """Return the tables of a TOML file; raises `NotFoundError`, or, for a fault, what `make_error` makes of its message."""
    try:
        data = read_file(path, LONGEST_TOML)
    except SheetError as error:
        raise make_error(error.message) from None
    return _find_stored_tables(path, data) or parse_toml(data, make_error)


def _find_stored_tables(path: Path, data: bytes) -> dict[str, Any] | None:
    """Return the tables stored for a file in `KEPT_TOML` if they were made from `data`, the file's bytes; else None."""
    name = next((name for name in KEPT_TOML if path == data_directory() / name), None)
    if name is None:
        return None
    import msgspec

    entry = msgspec.json.decode(data_file("models", "kept.json").read_bytes()).get(name)
    return entry["tables"] if entry and entry["checksum"] == crc32(data) else None


def parse_toml(data: bytes, make_error: Callable[[str], InputError]) -> dict[str, Any]:
    """Return the tables in the bytes of a TOML file, or raise the error that `make_error` makes from a message."""
    import tomllib

    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise make_error(str(error)) from None
    for number, line in enumerate(text.splitlines(), start=1):
        if line.count(".") > MOST_DOTS:
            raise make_error(f"line {number} has {line.count('.'):,} dots; at most {MOST_DOTS} are allowed")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise make_error("its arrays or tables are nested too deeply") from None
    except tomllib.TOMLDecodeError as error:
        fault = make_error(str(error))
        fault.suggestion = _suggest_quotes(text, str(error)) or fault.suggestion
        raise fault from None
    except ValueError:  # Python does not convert numbers of more than 4,300 digits
        raise make_error("a number is too long") from None


def _suggest_quotes(text: str, problem: str) -> str | None:
    """Return a hint to quote, or to write in lower case, the word that a TOML parser's message `problem` means, or None."""
    place = re.fullmatch(r"Invalid value \(at line (\d+), column (\d+)\)", problem)
    word = place and re.compile(r"[A-Za-z][\w-]*").match(text.split("\n")[int(place[1]) - 1], int(place[2]) - 1)
    if not word:
        return None
    boolean = word[0].lower() in ("true", "false")
    return f"write {word[0].lower()}, in lower case" if boolean else f'put text in quotation marks: "{word[0]:.40}"'


def decode_json(data: bytes | str, kind: type[T] | Any = Any) -> T | Any:  # noqa: ANN401  # a union is no type
    """Decode JSON into the type `kind` as msgspec does, but refuse an object with a repeated key.

    msgspec silently takes the last of the repeated keys. Raises `msgspec.DecodeError`.
    """
    import json

    import msgspec

    try:
        read = msgspec.json.decode(data, type=kind)
        check_distinct_keys(data)
    except RecursionError:
        raise msgspec.ValidationError("the JSON is nested too deeply") from None
    except UnicodeDecodeError as error:  # msgspec checks a text only when it reads it
        raise msgspec.DecodeError(f"JSON is malformed: not UTF-8: {error.reason} (byte {error.start} of a text)") from None
    except json.JSONDecodeError as error:  # in the parts that msgspec skips
        raise msgspec.DecodeError(str(error)) from None
    return read


def check_distinct_keys(data: bytes | str) -> None:
    """Raise `msgspec.ValidationError` if any object in the JSON has the same key twice."""
    import json

    json.loads(data, object_pairs_hook=_refuse_repeated_keys, parse_int=_ignore_number, parse_float=_ignore_number)


def _refuse_repeated_keys(pairs: list[tuple[str, None]]) -> None:
    """Raise `msgspec.ValidationError` if two of an object's pairs (key and value) have the same key."""
    if len(dict(pairs)) < len(pairs):
        from collections import Counter

        import msgspec

        (twice, _), *_ = Counter(key for key, _ in pairs).most_common(1)
        raise msgspec.ValidationError(f"the key {twice[:40]!r} appears twice in one object")


def _ignore_number(digits: str) -> None:
    """Return None for any number in JSON: only keys matter here, and Python would refuse very long numbers."""


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file so that at any moment it has either its old content or the new one.

    Raises `OSError`, also for a device, a pipe or a folder, which the file would replace.
    """
    from satjudge.base.platforms import keep_permissions, new_file, replace_file

    target = Path(os.path.realpath(path))  # a link stays one
    if target.exists() and not target.is_file():
        raise OSError(errno.EINVAL, "it is not a regular file")
    handle, new = new_file(target.parent, f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            keep_permissions(new, target)
        replace_file(new, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(new)
        raise
