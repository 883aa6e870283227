"""Fetches files from public registries when they are first needed, each pinned by its hash, and keeps them in a cache."""

from __future__ import annotations

import base64
import hashlib
import http.client
import os
import ssl
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

from satjudge.base.errors import InputError, reason_of

PATIENCE = 60
"""The seconds to wait for an answer of a registry."""


@dataclass(frozen=True)
class Download:
    """A file of a registry: its address, its length, and its hash as the registry tells it."""

    url: str
    length: int
    digest: str
    """The hash: `sha512-` and Base64 as npm has it, `sha256=` and hexadecimal digits as PyPI has it."""

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.url.rpartition("/")[2]

    def is_right(self, data: bytes) -> bool:
        """Tell whether data are the content of this file, by its hash."""
        algorithm = self.digest[:6]
        found = hashlib.new(algorithm, data)
        return self.digest in (f"{algorithm}={found.hexdigest()}", f"{algorithm}-{base64.b64encode(found.digest()).decode()}")


def user_cache() -> Path:
    """Find the folder where programs of this user keep what they can fetch again."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "satjudge"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "satjudge"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "satjudge"


def fetched(download: Download, cache: Path) -> bytes:
    """Read a file of a registry from the cache, or fetch it and keep it there.

    Raises `InputError` if it cannot be fetched or is not what it should be, `OSError` if it cannot be kept.
    """
    kept = cache / download.name
    if kept.is_file() and download.is_right(data := kept.read_bytes()):
        return data
    data = _from_registry(download, kept)
    if not download.is_right(data):
        raise InputError(
            f"{download.url} is not the file that it should be: its hash is not {download.digest}; nothing was written",
            suggestion="something between here and the registry changes it",
        )
    cache.mkdir(parents=True, exist_ok=True)
    _write_whole(kept, data)
    return data


def _from_registry(download: Download, kept: Path) -> bytes:
    try:
        with urlopen(download.url, timeout=PATIENCE) as response:  # an address of ours, which pins what comes
            data: bytes = response.read(download.length + 1)
            return data
    except HTTPError as error:
        reason = f"the server answers {error.code} {error.reason}"
    except URLError as error:
        reason = reason_of(error.reason) if isinstance(error.reason, Exception) else str(error.reason)
    except (OSError, http.client.HTTPException, ssl.SSLError) as error:
        reason = reason_of(error)
    raise InputError(
        f"cannot fetch {download.url}: {reason}", suggestion=f"without a network put that file there yourself: {kept}"
    )


def _write_whole(path: Path, data: bytes) -> None:
    """Write a file that is never seen in part.

    Raises `OSError`.
    """
    handle, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    try:
        with open(handle, "wb") as file:
            file.write(data)
        os.replace(name, path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
