"""Runs processes that answer questions, and ends those that exceed the limits on time or memory."""

from __future__ import annotations

import asyncio
import sys
from asyncio import subprocess
from contextlib import suppress
from dataclasses import dataclass

from satjudge.apps.serve.worker import TRIAL
from satjudge.base.platforms import detached_options
from satjudge.base.process_tree import Kin
from satjudge.base.words import number_of

COMMAND = (sys.executable, "-m", "satjudge.apps.serve.worker")
TICK = 0.25
"""The seconds between two checks of the processes' memory."""
LONGEST_ANSWER = 1 << 28


@dataclass(frozen=True)
class ServiceLimits:
    """The limits for each question and for the service as a whole."""

    jobs: int = 2
    """The number of processes."""
    seconds: float = 10.0
    """The maximum number of seconds for an answer."""
    memory: int = 1_000
    """The maximum memory of a process, in MiB."""
    waiting: int = 256
    """The maximum number of questions that wait for a process."""


@dataclass(frozen=True)
class ServiceAnswer:
    """An answer: its HTTP status, media type and content."""

    status: int
    media_type: str
    content: bytes


class LimitError(Exception):
    """An error for a question that exceeds a limit, or for too many waiting questions."""

    def __init__(self, kind: str, message: str, status: int = 422) -> None:
        super().__init__(message)
        self.kind = kind
        self.status = status


class Workers:
    """A pool of processes, each of which answers one question at a time."""

    def __init__(self, limits: ServiceLimits) -> None:
        self.limits = limits
        self._idle: asyncio.Queue[_Worker] = asyncio.Queue()
        self._all: list[_Worker] = []
        self.waiting = 0
        """The number of questions that wait for a process."""
        self._is_ending = False
        self._watch: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start the processes and the watch over their memory."""
        self._all = [_Worker() for _ in range(self.limits.jobs)]
        await asyncio.gather(*(worker.start() for worker in self._all))
        for worker in self._all:
            self._idle.put_nowait(worker)
        self._watch = asyncio.create_task(self._watch_memory())

    async def end(self) -> None:
        """End the processes and the watch over their memory."""
        self._is_ending = True
        if self._watch:
            self._watch.cancel()
        await asyncio.gather(*(worker.end() for worker in self._all))

    def count_busy(self) -> int:
        """Return the number of processes that are working on an answer or being replaced."""
        return sum(not worker.is_free for worker in self._all)

    async def warm_up(self) -> None:
        """Let each process answer a trial question, so that it loads what most answers need; ignore failures."""
        trials = (self.answer("/judge", TRIAL) for _ in self._all)
        await asyncio.gather(*trials, return_exceptions=True)

    async def answer(self, path: str, body: bytes) -> ServiceAnswer:
        """Return a process's answer; raise `LimitError` if too many wait, or it exceeds a limit or ends (and is replaced)."""
        if self.waiting >= self.limits.waiting:
            raise LimitError(
                "busy", f"{number_of(self.waiting, 'request is', 'requests are')} waiting already: try again later", 503
            )
        self.waiting += 1
        try:
            worker = await self._idle.get()
        finally:
            self.waiting -= 1
        try:
            return await asyncio.wait_for(worker.answer(path, body), self.limits.seconds)
        except TimeoutError:
            worker.why = LimitError("time", f"the answer takes more than {self.limits.seconds:g} s")
            raise worker.why from None
        except (OSError, EOFError):
            raise worker.why or LimitError("internal", "the process working on the answer ended unexpectedly", 500) from None
        finally:
            if not worker.is_free:  # the process is stuck or has ended
                await worker.end()
                if not self._is_ending:
                    await worker.start()
            self._idle.put_nowait(worker)

    async def _watch_memory(self) -> None:
        """Check at regular intervals, and end each busy process that uses more memory than allowed."""
        while True:
            await asyncio.sleep(TICK)
            for worker in self._all:
                if not worker.is_free and worker.kin.memory() > self.limits.memory:
                    worker.why = LimitError("memory", f"the answer takes more than {self.limits.memory:,} MiB of memory")
                    worker.kin.end()


class _Worker:
    """A process that answers questions."""

    def __init__(self) -> None:
        self.kin = Kin()
        self.is_free = False
        """Whether the process waits for a question."""
        self.why: LimitError | None = None
        """Why the process was ended."""
        self._process: subprocess.Process | None = None

    async def start(self) -> None:
        """Start the process, which writes to the same standard error as the service."""
        self.kin, self.why = Kin(), None
        self._process = await subprocess.create_subprocess_exec(
            *COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=self.kin.environment,
            limit=LONGEST_ANSWER,
            **detached_options(),
        )
        self.kin.record_start(self._process.pid)
        self.is_free = True

    async def answer(self, path: str, body: bytes) -> ServiceAnswer:
        """Send a question to the process, and return the answer.

        Raises `EOFError` or `OSError` if the process ends.
        """
        assert self._process
        assert self._process.stdin
        assert self._process.stdout
        self.is_free = False
        self._process.stdin.write(f"{path} {len(body)}\n".encode() + body)
        await self._process.stdin.drain()
        head = await self._process.stdout.readline()
        if not head:
            raise EOFError
        status, length, media_type = head.decode().strip().split(" ", 2)
        content = await self._process.stdout.readexactly(int(length))
        self.is_free = True
        return ServiceAnswer(int(status), media_type, content)

    async def end(self) -> None:
        """Kill the process and all its child processes, and wait until they have ended."""
        self.is_free = False
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()
            await asyncio.to_thread(self.kin.end, owns_number=False)
            self._process = None
