"""Whatever is read, there is an answer or an error that says what is wrong: no internal error, no traceback, no hanging.

`make fuzz` mutates samples of every format for `FUZZ_SECONDS` in all, elsewhere every time (`FUZZ_SEED` repeats a run). What it
finds is shrunk and kept in `.hypothesis/fuzz`. A few mutations of each format are always the same, and part of `make test`.
"""

from __future__ import annotations

import os
import random
import re
import signal
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest
from formats import BrokenError, Format, formats
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from mutations import mutated

NAMES = (
    "sheet", "batch", "game", "packed game", "daide", "njudge", "webdiplomacy", "jdip", "rulebook", "setting", "order", "goal",
    "region", "wish", "line", "census state", "checkpoint", "dialect", "engine", "map", "dpjudge", "package", "archive",
)  # fmt: skip
LONGEST = 20.0
"""Seconds for one input; most take milliseconds."""
KEPT = Path(__file__).resolve().parents[2] / ".hypothesis" / "fuzz"
ROUND = 25
"""Mutations between two looks at the clock."""


class Hanging(BaseException):
    """An input was not answered in time."""


@contextmanager
def in_time(seconds: float) -> Iterator[None]:
    def too_late(_: int, __: FrameType | None) -> None:
        raise Hanging

    before = signal.signal(signal.SIGALRM, too_late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def failure_of(error: BaseException) -> str:
    """What tells a failure from others: the exception, and the last line of satjudge that it went through."""
    if isinstance(error, BrokenError):
        return re.sub(r"\d+", "N", error.what)
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "/satjudge/" in frame.filename]
    place = f" in {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{place}"


class Fuzzing:
    """The search for inputs of one format that break something. Each failure is told once, with its smallest input."""

    def __init__(self, subject: Format, folder: Path) -> None:
        self.subject = subject
        self.folder = folder
        self.failures: dict[str, tuple[bytes, str]] = {}
        self.tried = 0
        self._now: tuple[str, bytes, str] | None = None

    def round(self, number: int, examples: int = ROUND) -> None:
        """Try so many mutations; the first failure that is new ends the round."""
        inputs = st.tuples(mutated(self.subject.samples, self.subject.words), st.integers(0, 59))

        @seed(number)
        @settings(
            max_examples=examples, deadline=None, database=None, phases=[Phase.generate, Phase.shrink],
            suppress_health_check=list(HealthCheck), derandomize=False,
        )  # fmt: skip
        @given(inputs)
        def attempt(drawn: tuple[bytes, int]) -> None:
            self._try(*drawn)

        try:
            attempt()
        except Exception:
            if self._now is None:
                raise
            what, data, told = self._now
            self.failures[what] = data, told
            self._now = None

    def _try(self, data: bytes, choice: int) -> None:
        self.tried += 1
        try:
            with in_time(LONGEST):
                self.subject.read(data, choice, self.folder)
        except Hanging as error:  # to shrink these would take hours
            where = "".join(traceback.format_tb(error.__traceback__)[-3:])
            self.failures.setdefault(f"more than {LONGEST:g} s", (data, f"choice {choice}\n{where}"))
        except Exception as error:
            what = failure_of(error)
            if what in self.failures:
                return
            self._now = what, data, f"choice {choice}\n{error!s:.500}"
            raise

    def told(self) -> str:
        """All failures, each with the file that its input is kept in."""
        KEPT.mkdir(parents=True, exist_ok=True)
        lines = [f"{self.subject.name}: {len(self.failures)} failures in {self.tried:,} inputs"]
        for number, (what, (data, told)) in enumerate(self.failures.items(), start=1):
            path = KEPT / f"{self.subject.name.replace(' ', '-')}-{number}"
            path.write_bytes(data)
            lines.append(f"- {what} [{path}]: {data[-300:]!r}\n{told}")
        return "\n".join(lines)


@pytest.fixture(scope="module")
def subjects(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Format]:
    return {subject.name: subject for subject in formats(tmp_path_factory.mktemp("samples"))}


def test_every_format_is_fuzzed(subjects: dict[str, Format]) -> None:
    assert tuple(subjects) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_samples_are_read(subjects: dict[str, Format], name: str, tmp_path: Path) -> None:
    for number, sample in enumerate(subjects[name].samples):
        subjects[name].read(sample, number, tmp_path)


@pytest.mark.parametrize("name", NAMES)
def test_a_few_mutations_are_answered(subjects: dict[str, Format], name: str, tmp_path: Path) -> None:
    """The same ones every time."""
    fuzzing = Fuzzing(subjects[name], tmp_path)
    fuzzing.round(1, examples=12)
    assert not fuzzing.failures, fuzzing.told()


@pytest.mark.fuzz
@pytest.mark.parametrize("name", NAMES)
def test_mutations_are_answered(subjects: dict[str, Format], name: str, tmp_path: Path) -> None:
    ends = time.monotonic() + float(os.environ.get("FUZZ_SECONDS", "120")) / len(NAMES)
    numbers = random.Random(os.environ.get("FUZZ_SEED"))
    fuzzing = Fuzzing(subjects[name], tmp_path)
    while time.monotonic() < ends:
        fuzzing.round(numbers.getrandbits(32))
    print(f"\n{name}: {fuzzing.tried:,} inputs", end="")
    assert not fuzzing.failures, fuzzing.told()
