"""The folder where numba keeps machine code for the next process: whole, as checksums show, or empty.

numba trusts what it finds, and what a full disk or a crash has left there ends a run, or worse.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path

_SUMS, _LOCK = "SHA256SUMS", "lock"


@cache
def folder() -> Path | None:
    """A folder for the machine code of just these sources; None if it can be kept nowhere.

    numba by itself looks only at the file that a function is in, and would keep code that calls what has changed elsewhere.
    """
    sources = b"".join(path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py")))
    name = f"compiled-{hashlib.sha256(sources).hexdigest()[:16]}"
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
