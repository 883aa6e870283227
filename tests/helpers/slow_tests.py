"""Reads tests/slow_tests.txt, the list of tests that `make test` leaves to `make slow-test`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

LIST = Path(__file__).resolve().parents[1] / "slow_tests.txt"


def list_slow_tests() -> Iterator[str]:
    """Iterate over the names that pytest gives to the listed tests, such as `tests/bulk/test_bulk.py::test_requests`."""
    file = ""
    for line in LIST.read_text(encoding="utf-8").splitlines():
        if line.startswith("tests/"):
            file = line
        elif line.startswith("  "):
            yield f"{file}::{line.strip()}"
