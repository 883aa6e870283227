"""Finds the files that come with satjudge, reads the files that users give, within limits, and writes files atomically.

The files of satjudge, `models/` and `datc_cases/`, are next to the package in a checkout and an editable install, and inside
it in a wheel. A user's file may be anything, even an endless device; and the parsers take too much time or memory for some
texts.
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
"""The most bytes of an order sheet. The longest one that comes with satjudge has 40,000."""
LONGEST_RUN = 200_000_000
"""The most bytes of a census or a cross-check as JSON."""
LONGEST_TOML = 200_000
MOST_DOTS = 200
"""The most dots in a line of TOML: each may add a table to a key, and time and memory grow with the square of their number."""
_PACKAGE = Path(__file__).resolve().parents[1]
T = TypeVar("T")


@cache
def data_directory() -> Path:
    """Return the directory that holds `models/` and `datc_cases/`.

    Raises `NotFoundError` if the installation is incomplete.
    """
    for candidate in (_PACKAGE / "_data", _PACKAGE.parent):
        if (candidate / "models" / "maps").is_dir():
            return candidate
    raise NotFoundError(f"satjudge's data (models/ and datc_cases/) is missing next to {_PACKAGE}; reinstall satjudge")


def data_file(*parts: str) -> Path:
    """Return the path of one data file, for instance `data_file("models", "maps", "standard.toml")`."""
    path = data_directory().joinpath(*parts)
    if not path.is_file():
        siblings = sorted(path.parent.glob(f"*{path.suffix}"), key=lambda entry: entry.stem) if path.parent.is_dir() else []
        hint = f"there are {', '.join(entry.name for entry in siblings)}" if siblings else None
        raise NotFoundError(f"there is no file {'/'.join(parts)}", suggestion=hint)
    return path


def read_all(file: BinaryIO, source: str, most: int = LONGEST_TEXT) -> bytes:
    """Return all bytes of a stream, or raise `SheetError` if there are more than `most`."""
    data = file.read(most + 1)
    if len(data) > most:
        raise SheetError(f"too long: more than {most:,} bytes", source=source)
    return data


def read_file(path: Path, most: int = LONGEST_TEXT) -> bytes:
    """Return the bytes of a file.

    Raises `NotFoundError`, or `SheetError` if the file cannot be read or is too long.
    """
    try:
        with path.open("rb") as file:
            return read_all(file, str(path), most)
    except FileNotFoundError:
        raise NotFoundError(f"there is no file {path}") from None
    except IsADirectoryError:
        raise NotFoundError(f"{path} is a directory", suggestion=f"name the files in it: {path}/*.txt") from None
    except (OSError, ValueError) as error:  # a name with a null character is a ValueError
        raise SheetError(f"cannot be read: {reason_of(error)}", source=str(path)) from None


KEPT_TOML = ("models/maps/standard.toml", "models/rulebooks/datc-3.toml")
"""The TOML files that nearly every command needs. Their tables are kept as JSON, which Python reads twenty times faster."""


def read_toml(path: Path, wrong: Callable[[str], InputError]) -> dict[str, Any]:
    """Return the tables of a TOML file.

    `wrong` turns the message for a fault into the error to raise.
    """
    try:
        data = read_file(path, LONGEST_TOML)
    except SheetError as error:
        raise wrong(error.message) from None
    return _kept_tables(path, data) or parsed_toml(data, wrong)


def _kept_tables(path: Path, data: bytes) -> dict[str, Any] | None:
    """Return the tables kept for one of the files in `KEPT_TOML` if they were made from these bytes, else None."""
    name = next((name for name in KEPT_TOML if path == data_directory() / name), None)
    if name is None:
        return None
    import msgspec

    kept = msgspec.json.decode(data_file("models", "kept.json").read_bytes()).get(name)
    return kept["tables"] if kept and kept["checksum"] == crc32(data) else None


def parsed_toml(data: bytes, wrong: Callable[[str], InputError]) -> dict[str, Any]:
    """Return the tables in the bytes of a TOML file; `wrong` makes the error for a message."""
    import tomllib

    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise wrong(str(error)) from None
    for number, line in enumerate(text.splitlines(), start=1):
        if line.count(".") > MOST_DOTS:
            raise wrong(f"line {number} has {line.count('.'):,} dots; more than {MOST_DOTS} are not read")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise wrong("its arrays or tables are nested too deeply") from None
    except tomllib.TOMLDecodeError as error:
        told = wrong(str(error))
        told.suggestion = _suggest_quotes(text, str(error)) or told.suggestion
        raise told from None
    except ValueError:  # Python converts no number of more than 4,300 digits
        raise wrong("a number is too long") from None


def _suggest_quotes(text: str, problem: str) -> str | None:
    """Return a hint to quote the word in a TOML text that the problem complains about, or None."""
    place = re.fullmatch(r"Invalid value \(at line (\d+), column (\d+)\)", problem)
    word = place and re.compile(r"[A-Za-z][\w-]*").match(text.split("\n")[int(place[1]) - 1], int(place[2]) - 1)
    if not word:
        return None
    boolean = word[0].lower() in ("true", "false")
    return f"write {word[0].lower()}, in small letters" if boolean else f'text stands in quotes: "{word[0]:.40}"'


def decode_json(data: bytes | str, kind: type[T] | Any = Any) -> T | Any:  # noqa: ANN401  # a union is no type
    """Decode JSON as msgspec does, but refuse an object that has a key twice: msgspec silently takes the last one.

    Raises `msgspec.DecodeError`.
    """
    import json

    import msgspec

    try:
        read = msgspec.json.decode(data, type=kind)
        check_distinct_keys(data)
    except RecursionError:
        raise msgspec.ValidationError("it is nested too deeply") from None
    except UnicodeDecodeError as error:  # msgspec looks at texts when it reads them
        raise msgspec.DecodeError(f"JSON is malformed: not UTF-8: {error.reason} (byte {error.start} of a text)") from None
    except json.JSONDecodeError as error:  # in the parts that msgspec skips
        raise msgspec.DecodeError(str(error)) from None
    return read


def check_distinct_keys(data: bytes | str) -> None:
    """Raise `msgspec.ValidationError` for JSON with an object that has a key twice."""
    import json

    json.loads(data, object_pairs_hook=_refuse_repeated_keys, parse_int=_ignore_number, parse_float=_ignore_number)


def _refuse_repeated_keys(pairs: list[tuple[str, None]]) -> None:
    """Raise an error if two of an object's pairs have the same key."""
    if len(dict(pairs)) < len(pairs):
        from collections import Counter

        import msgspec

        (twice, _), *_ = Counter(key for key, _ in pairs).most_common(1)
        raise msgspec.ValidationError(f"the key {twice[:40]!r} appears twice in one object")


def _ignore_number(digits: str) -> None:
    """Return None for any number in JSON, as only keys matter here; Python would refuse very long numbers."""


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file so that it always has either its old content or the new one.

    Raises `OSError`, also for a device, a pipe or a folder, which a file would replace.
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
