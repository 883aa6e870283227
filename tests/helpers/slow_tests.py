"""Reads tests/slow_tests.txt, the list of tests that `make test` leaves to `make slow-test`."""

from __future__ import annotations

from pathlib import Path

LIST = Path(__file__).resolve().parents[1] / "slow_tests.txt"


def read_slow_tests() -> dict[str, int]:
    """Return the listed tests by their names in pytest without examples, such as `tests/bulk/test_bulk.py::test_requests`.

    The value is the `n` of "every n-th example stays in `make test`", and 0 if none stays.
    """
    tests = dict[str, int]()
    file = ""
    for line in LIST.read_text(encoding="utf-8").splitlines():
        if line.startswith("tests/"):
            file = line
        elif line.startswith("  "):
            name, _, share = line.strip().partition(" 1/")
            tests[f"{file}::{name}"] = int(share or 0)
    return tests
