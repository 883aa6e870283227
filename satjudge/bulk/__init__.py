"""Judges many movement phases at once, over arrays, with the equations compiled by numba (extra `bulk`).

The pipeline is the plain one (`boards`, with `tables` below and `answers` around it); it answers what partial information
settles, and leaves everything else to the plain path. The equations in it are not written a second time:
`translate` makes them from `satjudge.equations.statement`.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from satjudge.errors import named, was_interrupted
from satjudge.running.processes import tell_once

if TYPE_CHECKING:
    from satjudge.bulk.answers import Answerer

_SUMS, _LOCK = "SHA256SUMS", "lock"


def installed() -> bool:
    """Whether numba is installed, even if it does not work."""
    try:
        return find_spec("numba") is not None
    except ValueError:
        return True


@cache
def answerer() -> Answerer | None:
    """What answers many requests at once under `datc-3` on the standard map; None where numba is not installed or fails.

    That numba fails is told once on standard error.
    """
    if not installed():
        return None
    while True:
        try:
            with kept_whole():
                found = _tried()
        except Exception as error:
            if forget():  # that was at fault, perhaps
                continue
            tell_failure(error)
            return None
        if folder() is None:
            tell_once("nowhere can compiled code be kept, so every process compiles: let NUMBA_CACHE_DIR name a folder")
        return found


def _tried() -> Answerer:
    """The answerer, when it has judged a board. At the very first time this compiles for some seconds."""
    from satjudge.bulk.answers import Answerer
    from satjudge.bulk.tables import Tables
    from satjudge.formats.batch_lines import Request
    from satjudge.geography import load_map
    from satjudge.rules import DEFAULT_RULES, load_preset

    found = Answerer(Tables(load_map(), load_preset(DEFAULT_RULES)))
    (answer,) = found.answers([Request(units={"FRANCE": ["A PAR"]}, orders={"FRANCE": ["A PAR - BUR"]})])
    if answer is None or answer["results"] != {"FRANCE": ["succeeds"]}:
        raise RuntimeError(f"the compiled code is wrong: {answer}")
    return found


def tell_failure(error: Exception) -> None:
    """Tell that boards are judged one by one from here on. Raises `KeyboardInterrupt` for an error that came of Ctrl-C."""
    if was_interrupted(error):
        raise KeyboardInterrupt from error
    tell_once(f"answers take longer, as the compiled path for many boards fails: {named(error)}")


# ---- where numba keeps machine code for the next process: a folder that is whole, as checksums show, or empty. numba trusts
# what it finds, and what a full disk or a crash has left there ends a run, or worse ----


@cache
def folder() -> Path | None:
    """A folder for the machine code of just these sources; None if it can be kept nowhere.

    numba by itself looks only at the file that a function is in, and would keep code that calls what has changed elsewhere.
    """
    from satjudge.bulk import translate

    sources = b"".join(path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py")))
    name = f"compiled-{hashlib.sha256(sources + translate.source().encode()).hexdigest()[:16]}"
    for place in _places():
        with suppress(OSError):
            (place / name).mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=place / name):
                return place / name
    return None


def _places() -> Iterator[Path]:
    if wanted := os.environ.get("NUMBA_CACHE_DIR"):
        yield Path(wanted)
    yield Path(__file__).parent / "__pycache__"
    with suppress(RuntimeError):  # no home
        yield Path.home() / ".cache" / "satjudge"


@contextmanager
def kept_whole() -> Iterator[None]:
    """Work with what is in the folder, by one process at a time: before, all of it goes if any is damaged."""
    place = folder()
    if place is None:
        yield
        return
    with _alone(place):
        if _vouched_for(place) != _sums(place):
            forget()
        yield
        _vouch(place)


def forget() -> bool:
    """Remove all that is kept; whether there was anything."""
    place = folder()
    files = _files(place) if place else []
    for path in files:
        with suppress(OSError):
            path.unlink()
    return bool(files)


def _files(place: Path) -> list[Path]:
    return sorted(path for path in place.rglob("*.nb*") if path.is_file())


def _sums(place: Path) -> bytes:
    """A line for each file, as `sha256sum` writes them."""
    lines = (f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(place)}\n" for path in _files(place))
    return "".join(lines).encode()


def _vouched_for(place: Path) -> bytes:
    try:
        return (place / _SUMS).read_bytes()
    except OSError:
        return b""


def _vouch(place: Path) -> None:
    found = _sums(place)
    if found != _vouched_for(place):
        with suppress(OSError):  # then it is all made again next time
            (place / _SUMS).write_bytes(found)


@contextmanager
def _alone(place: Path) -> Iterator[None]:
    """Keep other processes out meanwhile, where the system can."""
    with ExitStack() as stack:
        with suppress(ImportError, OSError):
            import fcntl

            lock = stack.enter_context(open(place / _LOCK, "wb"))
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
