"""Answers batch lines one by one in a sandbox, from bytes to bytes (`satjudge.bulk.kernel.lines`)."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock

import msgspec

from satjudge.bulk.kernel.memory import *
from satjudge.bulk.wasm.loading import LineQuestion as LineQuestion
from satjudge.bulk.wasm.loading import Supply
from satjudge.bulk.wasm.sandbox import SandboxError

LEARN_AFTER = 200
"""The number of lines left to Python after which their missing facts are learnt; it doubles each time."""

MissedFacts = tuple[frozenset[tuple[int, int]], frozenset[tuple[int, str]]]
"""The facts and texts that lines needed but the tables lacked."""
_NOTHING: MissedFacts = (frozenset(), frozenset())


class LineAnswerer:
    """Answers lines on one map under one rulebook."""

    def __init__(self, supply: Supply, learn_after: int = LEARN_AFTER) -> None:
        self.supply, self.learn_after = supply, learn_after
        self._lock = Lock()
        self._learnt_last: MissedFacts = _NOTHING
        self.begin_instance()

    def begin_instance(self) -> None:
        """Make a new instance of the kernel from the current tables, and forget which facts were missing."""
        self.host = host = self.supply.make_host()
        functions = host.header.functions
        self._calls = {one: host.sandbox.prepare_call(functions[one], [0]) for one in LineQuestion if one in functions}
        self._line, self._written = host.view_array("line"), host.view_array("written")
        self._wanted, self._counters = host.view_array("wanted"), host.view_array("counters")
        self._missed = 0
        self._facts: set[tuple[int, int]] = set()
        self._texts: set[tuple[int, str]] = set()

    @property
    def trial_line(self) -> bytes:
        """A line with a simple move, with which the kernel is tested."""
        army = self.supply.map.army
        start = min(place for place, ways in army.items() if ways)
        power = min(self.supply.map.power_names)
        orders = {power: [f"A {start} - {min(army[start])}"]}
        return msgspec.json.encode({"id": "trial", "units": {power: [f"A {start}"]}, "orders": orders})

    def try_out(self) -> None:
        """Look up what the trial line needs, and answer it; raise `SandboxError` unless its army succeeds."""
        self.learn_lines([self.trial_line])
        answered = self.answer(self.trial_line)
        if answered is None or b':["succeeds"]' not in answered:
            raise SandboxError(f"the compiled kernel gives a wrong result: {self.trial_line.decode()}")

    def answer(self, line: bytes, question: LineQuestion = LineQuestion.OUTCOME) -> bytes | None:
        """Return the answer to a line, with its outcome or for another question; None if Python must answer it."""
        if len(line) > len(self._line) or question not in self._calls:
            return None
        with self._lock:
            try:
                return self._call_kernel(line, question)
            except BaseException:  # after any failure, its state is useless
                self.begin_instance()
                raise

    def _call_kernel(self, line: bytes, question: LineQuestion) -> bytes | None:
        length = len(line)
        self._line[:length] = line
        size = self._calls[question](length)
        while size == MISSING and self._note_missed(line):
            self._line[:length] = line
            size = self._calls[question](length)
        return bytes(self._written[:size]) if size >= 0 else None

    def _note_missed(self, line: bytes) -> bool:
        """Store the facts that a line lacks; look them up after enough such lines; return whether any were looked up."""
        rows = self._wanted[: 2 * self._counters[WANTS]].tolist()
        for kind, key in zip(rows[::2], rows[1::2], strict=True):
            if kind == TEXTS:
                self._texts.add((key & 15, line[key >> 32 : key >> 4 & 0xFFFFFFF].decode()))
            else:
                self._facts.add((kind, key))
        self._missed += 1
        if self._missed <= self.learn_after:
            return False
        self.learn_after *= 2
        return self.learn()

    def learn_lines(self, lines: Sequence[bytes]) -> None:
        """Look up all facts that lines need, repeating until none is missing: first texts, then their meanings."""
        new = True
        while new:
            for line in lines:
                self.answer(line)
            new = self.learn()

    def learn(self) -> bool:
        """Look up the missing facts and begin a new instance; return false if there is nothing new to look up."""
        missed = (frozenset(self._facts), frozenset(self._texts))
        if missed in (_NOTHING, self._learnt_last):  # facts that are requested again are left to Python
            return False
        self._learnt_last = missed
        self.supply.learn(self._facts, self._texts)
        self.begin_instance()
        return True
