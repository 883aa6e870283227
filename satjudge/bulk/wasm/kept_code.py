"""Keeps the machine code of modules of WebAssembly for the next process, in a folder that belongs to the user alone.

Machine code is run outside of any sandbox. So it is read only from the user's own cache, from a file and a folder that nobody
else can write, and only if it is what was written there, by the same version of wasmtime from the same module.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path

from satjudge.base.platforms import is_mine_alone, user_cache
from satjudge.base.resources import write_atomically

_MOST = 8
"""The largest number of files that are kept; the oldest ones make way."""


def read_code(version: str, module: bytes) -> bytes | None:
    """Read the machine code that is kept of a module; None where there is none that can be trusted."""
    with suppress(OSError, RuntimeError):  # no home
        path = _file(version, module)
        if not (is_mine_alone(path.parent) and is_mine_alone(path) and path.is_file()):
            return None
        data = path.read_bytes()
        size = hashlib.sha256().digest_size
        return data[size:] if hashlib.sha256(data[size:]).digest() == data[:size] else None
    return None


def keep_code(version: str, module: bytes, code: bytes) -> None:
    """Keep the machine code of a module where that can be done; else the next process compiles again."""
    with suppress(OSError, RuntimeError):
        path = _file(version, module)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if is_mine_alone(path.parent):
            write_atomically(path, hashlib.sha256(code).digest() + code)
            for old in sorted(path.parent.glob("*.cwasm"), key=lambda file: file.stat().st_mtime)[:-_MOST]:
                old.unlink()


def _file(version: str, module: bytes) -> Path:
    return user_cache() / "kernel" / f"{version}-{hashlib.sha256(module).hexdigest()[:32]}.cwasm"
