"""Fetches files from public registries when they are first needed, each pinned by its hash, and keeps them in a cache."""

from __future__ import annotations

import base64
import hashlib
import http.client
import ssl
from dataclasses import dataclass
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

from satjudge.base.errors import InputError, reason_of
from satjudge.base.resources import write_atomically

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


def fetched_file(download: Download, cache: Path) -> bytes:
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
    write_atomically(kept, data)
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
