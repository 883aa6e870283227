"""Processes that work on lists of items, and of which any may die: no item is lost by it, save one that they die of."""

from __future__ import annotations

import multiprocessing
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing import connection
from queue import LifoQueue
from typing import Generic, TypeVar

from satjudge import notices
from satjudge.errors import WorkerLostError
from satjudge.research.chunks import leave, second_interrupt, start_worker

A = TypeVar("A")
B = TypeVar("B")

_TRIES = 2
"""How often a list is worked on before it is split: the first process may have died of something else."""


class Workers(Generic[A, B]):
    """Processes, each with a thread here that gives it one list at a time: so it is known which list it died over."""

    def __init__(
        self,
        jobs: int,
        work: Callable[[Sequence[A]], list[B]],
        lost: Callable[[A], B],
        started: Callable[[], ProcessPoolExecutor],
    ) -> None:
        self.work = work
        self.lost = lost
        self.ending = False
        self._started = started
        self._threads = ThreadPoolExecutor(jobs)
        self._idle: LifoQueue[ProcessPoolExecutor] = LifoQueue()
        for _ in range(jobs):
            self._idle.put(started())
        self._here = threading.Lock()

    def submit(self, items: Sequence[A]) -> Future[list[B]]:
        """Have a list worked on. The future raises `WorkerLostError` if no process can be started."""
        return self._threads.submit(self._worked, items, _TRIES)

    def _worked(self, items: Sequence[A], tries: int) -> list[B]:
        for _ in range(tries):
            process = self._idle.get()
            try:
                asked = process.submit(self.work, items)
                error = asked.exception()
                if error is None:
                    return asked.result()
                if isinstance(error, BrokenExecutor):
                    raise error
                with self._here:  # something cannot be sent to a process or back
                    return self.work(items)
            except BrokenExecutor:
                _give_up_sending(process)
                if self.ending:
                    raise
                process = self._replacement(process)
            finally:
                self._idle.put(process)
        if len(items) == 1:
            return [self.lost(items[0])]
        middle = len(items) // 2
        return self._worked(items[:middle], 1) + self._worked(items[middle:], 1)

    def _replacement(self, dead: ProcessPoolExecutor) -> ProcessPoolExecutor:
        """A process in place of one that died. Raises `WorkerLostError` if it dies as well, before it is given anything."""
        dead.shutdown()
        process = self._started()
        try:
            process.submit(int).result()
        except BrokenExecutor:
            why = "they are killed, perhaps for want of memory: try fewer --jobs"
            raise WorkerLostError(f"worker processes end before they have begun to work; {why}") from None
        return process

    def end(self) -> None:
        """Wait until the processes have ended; lists that wait are given up."""
        self._threads.shutdown(cancel_futures=True)
        while not self._idle.empty():
            self._idle.get().shutdown()


@contextmanager
def workers(
    jobs: int, work: Callable[[Sequence[A]], list[B]], lost: Callable[[A], B]
) -> Iterator[Workers[A, B]]:
    """So many processes. An error or an interrupt ends them at once.

    `work` makes from a list of items a list of as many results. A process that dies over a list is replaced, and the list is
    worked on again, then by halves, until the item is alone that processes die of: that one becomes `lost(item)`.
    """
    context = multiprocessing.get_context("spawn")
    stop, stopping = context.Pipe(duplex=False)
    initial = (stop, context.Semaphore(1))
    started = partial(ProcessPoolExecutor, 1, mp_context=context, initializer=_start, initargs=initial)
    with stop, stopping, second_interrupt():
        crew = Workers(jobs, work, lost, started)
        try:
            yield crew
        except BaseException as error:
            crew.ending = True
            stopping.close()
            if isinstance(error, KeyboardInterrupt):
                signal.signal(signal.SIGINT, leave)
            raise
        finally:
            crew.end()


def _give_up_sending(dead: ProcessPoolExecutor) -> None:
    """Python before 3.11.5 waits for ever if a process dies before it has read all that it is sent (CPython issue 94777)."""
    queue = getattr(dead, "_call_queue", None)
    if sys.version_info < (3, 11, 5) and queue is not None:
        with suppress(OSError):
            queue._reader.close()


def _start(stop: connection.Connection, token: notices.Token) -> None:
    start_worker(stop, None)
    notices.share(token)
