"""Runs the page's tasks as processes, reports their progress, and ends them when time is up or nobody is waiting."""

from __future__ import annotations

import re
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from secrets import token_hex
from subprocess import PIPE

from anyio import BrokenResourceError, CancelScope, Event, create_task_group, open_process, sleep
from anyio.abc import ByteReceiveStream, ByteSendStream, Process
from anyio.to_thread import run_sync

from satjudge.apps.explore.tasks import PageTask
from satjudge.apps.explore.wire import Fault, make_fault
from satjudge.base.errors import InputError
from satjudge.base.platforms import PROGRESS, detached_options
from satjudge.base.process_tree import Kin
from satjudge.base.words import number_of

MOST = 2
"""The maximum number of tasks at a time."""
GRACE = 10.0
"""The time in seconds that an interrupted command has to report its findings."""
TICK = 0.2
"""The seconds between two reports of progress."""
SATJUDGE = (sys.executable, "-m", "satjudge")
LONGEST_OUTPUT = 30_000_000
"""The maximum number of bytes of output that are kept; the answer of a search takes a few kilobytes."""
_INPUT = re.compile(r"standard input(:1)?: ")
"""The prefix of a command's messages about the position, which it reads from standard input."""
Reporter = Callable[[object], Awaitable[None]]


class TaskRunner:
    """The running tasks, by name."""

    def __init__(self) -> None:
        self._at_work: dict[str, _RunningTask] = {}
        self._ended = False

    async def run_task(self, task: PageTask, report: Reporter) -> None:
        """Run a task unless too many run; send `report` its name (`started`), any `progress`, and `found` or `fault`.

        If this coroutine is cancelled, the task is killed.
        """
        if len(self._at_work) >= MOST:
            fault = Fault(f"{number_of(MOST, 'task')} are running already", suggestion="stop one of them, or wait")
            await report({"fault": fault})
            return
        name, work = token_hex(8), _RunningTask(task, report)
        self._at_work[name] = work
        if self._ended:
            work.scope.cancel()
        try:
            with work.scope:
                await report({"started": name})
                await report(await work.run())
        except InputError as error:
            await report({"fault": make_fault(error)})
        finally:
            del self._at_work[name]

    def stop_task(self, name: str) -> bool:
        """Interrupt the task of that name, which then reports its findings so far; return False if there is no such task."""
        work = self._at_work.get(name)
        if work is not None:
            work.interrupted.set()
        return work is not None

    def kill_all(self) -> None:
        """Kill all running tasks, and every task that is started later."""
        self._ended = True
        for work in self._at_work.values():
            work.scope.cancel()


class _RunningTask:
    """A running task."""

    def __init__(self, task: PageTask, report: Reporter) -> None:
        self.task = task
        self.report = report
        self.interrupted = Event()
        self.scope = CancelScope()
        self.process: Process | None = None
        self.why = "stopped"
        """Why an interrupted task has no answer."""
        self.progress = ""
        self.other: list[str] = []
        """The last lines of standard error that do not report progress."""

    async def run(self) -> dict[str, object]:
        """Run the task's command, and return `{"found": …}` with its findings, or `{"fault": …}` if there are none.

        Raises `InputError`.
        """
        arguments, given = await run_sync(lambda: (list(self.task.iter_arguments()), self.task.format_input()))
        kin = Kin()
        environment = {**kin.environment, PROGRESS: "1"}
        try:
            async with await open_process(
                [*SATJUDGE, *arguments], stdin=PIPE, stdout=PIPE, stderr=PIPE, env=environment, **detached_options()
            ) as process:
                kin.record_start(process.pid)
                self.process = process
                written = await self._communicate(process, given)
        finally:
            with CancelScope(shield=True):
                await run_sync(partial(kin.end, owns_number=False))
        if written:
            return {"found": await run_sync(self.task.read_findings, written)}
        if self.interrupted.is_set():
            return {"fault": Fault(self.why)}
        message = "\n".join(self.other).removeprefix("satjudge: ")
        return {"fault": Fault(message or f"satjudge {arguments[0]} ended without an answer")}

    async def _communicate(self, process: Process, input_data: bytes) -> bytes:
        """Send a process its input and return its output; report progress, and end it when time is up or on an interrupt."""
        assert process.stdin
        assert process.stdout
        assert process.stderr
        async with create_task_group() as group:
            for attend in (self._report_progress, self._watch_time, self._await_interrupt):
                group.start_soon(attend)
            async with create_task_group() as streams:
                streams.start_soon(_write_input, process.stdin, input_data)
                streams.start_soon(self._read_messages, process.stderr)
                written = await _read_all(process.stdout)
            await process.wait()
            group.cancel_scope.cancel()
        return written

    async def _read_messages(self, stream: ByteReceiveStream) -> None:
        """Read the command's standard error line by line; keep the latest progress, and the last of the other lines."""
        begun = b""
        async for part in stream:
            *lines, begun = (begun + part).split(b"\n")
            begun = begun[-10_000:]
            for line in lines:
                text = _INPUT.sub("", line.decode("utf-8", "replace"))
                if text.startswith(PROGRESS):
                    self.progress = text.removeprefix(f"{PROGRESS}: ")
                else:
                    self.other = [*self.other[-50:], text]

    async def _report_progress(self) -> None:
        """Report the progress at regular intervals if it has changed, until cancelled."""
        reported = ""
        while True:
            if self.progress != reported:
                reported = self.progress
                await self.report({"progress": reported})
            await sleep(TICK)

    async def _watch_time(self) -> None:
        """Interrupt the command when its time is up; a command that itself keeps the time limit gets some extra time."""
        await sleep(self.task.seconds + GRACE * self.task.asks.keeps_time)
        self.why = "the time ran out before there was an answer"
        self.interrupted.set()

    async def _await_interrupt(self) -> None:
        """Wait for an interrupt, terminate the command, and kill it if it does not end in time.

        The signal is not SIGINT, because the command ignores SIGINT if the server was started with SIGINT ignored, as by cron.
        """
        await self.interrupted.wait()
        if self.process is not None:
            with suppress(ProcessLookupError):
                self.process.terminate()
        await sleep(GRACE)
        if self.process is not None:
            with suppress(ProcessLookupError):
                self.process.kill()


async def _write_input(stream: ByteSendStream, input_data: bytes) -> None:
    """Send all input data and close the stream; do nothing if the command ends before it has read everything."""
    with suppress(BrokenResourceError):
        if input_data:
            await stream.send(input_data)
        await stream.aclose()


async def _read_all(stream: ByteReceiveStream) -> bytes:
    """Return the content of a stream, up to a little more than `LONGEST_OUTPUT` bytes; discard the rest."""
    found = bytearray()
    async for part in stream:
        if len(found) < LONGEST_OUTPUT:
            found += part
    return bytes(found)
