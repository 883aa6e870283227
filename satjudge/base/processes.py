"""Distributes work over this process, worker processes or a cluster, and collects the results.

It also gives each warning once.

Worker processes leave interrupts (Ctrl-C) and other signals to their parent, and end when it does. There are two kinds.
`processes` is an executor, which ends with `WorkerLostError` when a process dies. `workers` work on lists of items and lose
nothing when a process dies, except an item that kills it: `ProcessPoolExecutor` does not report which list a process died
over, and waits for ever if one dies while it sends a result.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import islice
from multiprocessing import connection
from multiprocessing.context import SpawnContext
from multiprocessing.synchronize import Semaphore
from queue import LifoQueue
from typing import Any, Generic, NamedTuple, TypeVar

from satjudge.base.errors import NotFoundError, RequestError, WorkerLostError
from satjudge.base.platforms import ending_signals
from satjudge.base.process_tree import ignore_ends
from satjudge.base.words import escape_controls

A = TypeVar("A")
B = TypeVar("B")

_TRIES = 2
"""The number of attempts at a list before it is split: the first process may have died for another reason."""
_CONNECTING = "15s"
_KILLED = "killed, perhaps because memory ran out: try fewer --jobs"
_LOG = logging.getLogger("satjudge")
_take_token: Callable[[bool], bool] = threading.Semaphore(1).acquire
"""A lock with one token, which the first process to warn takes; worker processes share it with their parent."""


def warn_once(message: str) -> None:
    """Log a warning unless this process, or another process of its pool, has logged one before."""
    if _take_token(False):
        _LOG.warning("satjudge: %s", escape_controls(message))


# ---- how processes begin and end ----


@dataclass(frozen=True)
class _Family:
    """The processes to start and their stop signal: they hold `stop`, and its other end is closed here."""

    context: SpawnContext
    stop: connection.Connection
    stopping: connection.Connection

    @contextmanager
    def end_on_errors(self) -> Iterator[None]:
        """Stop the processes at once if the context raises an error; then a second interrupt ends this process, too."""
        try:
            yield
        except BaseException as error:
            self.stopping.close()
            if isinstance(error, KeyboardInterrupt):
                for number in _list_interrupts():
                    signal.signal(number, _exit_by_signal)
            raise


@contextmanager
def _family() -> Iterator[_Family]:
    """Yield what is needed to start processes that stop together, and restore the handlers of interrupts at the end."""
    context = multiprocessing.get_context("spawn")
    stop, stopping = context.Pipe(duplex=False)
    before = {number: signal.getsignal(number) for number in _list_interrupts()}
    with stop, stopping:
        try:
            yield _Family(context, stop, stopping)
        finally:
            for number, handler in before.items():
                if signal.getsignal(number) is _exit_by_signal:
                    signal.signal(number, handler)


def _list_interrupts() -> tuple[signal.Signals, ...]:
    """Return those of SIGINT and the ending signals that now raise `KeyboardInterrupt` in this process.

    Ignored signals stay ignored.
    """
    return tuple(
        number for number in (signal.SIGINT, *ending_signals()) if signal.getsignal(number) is signal.default_int_handler
    )


def _exit_by_signal(number: int, frame: object) -> None:
    """End this process at once with the exit status for a signal."""
    os._exit(128 + number)


def _start_worker(stop: connection.Connection, token: Semaphore | None = None) -> None:
    """Prepare a worker process: ignore signals, end when the parent ends or asks, use the token for warnings."""
    global _take_token
    if token is not None:
        _take_token = token.acquire
    ignore_ends()
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_go_with, args=(stop, parent.sentinel), daemon=True).start()


def _go_with(stop: connection.Connection, sentinel: int) -> None:
    connection.wait([stop, sentinel])
    os._exit(1)


# ---- executors ----


@contextmanager
def processes(jobs: int) -> Iterator[Executor | None]:
    """Yield an executor with this number of processes; None for one job.

    An error or an interrupt stops the processes. Work that has not begun is dropped at the end. Raises `WorkerLostError` if a
    process dies.
    """
    if jobs <= 1:
        yield None
        return
    with _family() as family:
        begin = partial(_start_worker, family.stop)
        pool = _UncancelledPool(ProcessPoolExecutor(jobs, mp_context=family.context, initializer=begin))
        with pool, family.end_on_errors():
            try:
                yield pool
            except BrokenExecutor:
                raise WorkerLostError(f"a worker process ended before its work was done; it was {_KILLED}") from None


class _UncancelledPool(Executor):
    """A process pool that cancels nothing before its end: cancelled futures are merely forgotten.

    `ProcessPoolExecutor` must not hold a cancelled future when a process dies or is asked to stop: in CPython 3.11 its manager
    thread then ends with `InvalidStateError` in `terminate_broken`, and its other futures never finish (fixed in 3.12,
    python/cpython#108974). Only that thread can drop work safely, by `shutdown(cancel_futures=True)`. Shutting down before
    processes are asked to stop would not help: it waits for all running work, or with `wait=False` leaves nothing to join.
    """

    def __init__(self, pool: ProcessPoolExecutor) -> None:
        self._pool = pool

    def submit(self, work: Callable[..., B], /, *args: Any, **named: Any) -> Future[B]:  # noqa: ANN401  # as executors do
        """Have a process call `work` with these arguments and return the future, which cannot be cancelled."""
        told: Future[B] = Future()
        told.set_running_or_notify_cancel()  # running work cannot be cancelled
        self._pool.submit(work, *args, **named).add_done_callback(partial(_copy_result, told))
        return told

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = True) -> None:
        """End the processes after their running work, and wait for it if `wait`; by default drop work that waits."""
        self._pool.shutdown(wait, cancel_futures=cancel_futures)


def _copy_result(target: Future[B], source: Future[B]) -> None:
    """Set the result or the error of the finished future `source` in the future `target`."""
    error = CancelledError() if source.cancelled() else source.exception()
    if error is None:
        target.set_result(source.result())
    else:
        target.set_exception(error)


class Pool(NamedTuple):
    """An executor for work, or None for this process, with the number of jobs that it gets at a time."""

    executor: Executor | None
    ahead: int
    lost: Callable[[], str] = lambda: ""
    """The message for an unreachable pool, for any error that its executor raises."""


HERE = Pool(None, 1)


@contextmanager
def worker_pool(jobs: int, scheduler: str | None = None) -> Iterator[Pool]:
    """Yield a pool of this number of processes (see `processes`), or of all workers of a `distributed` scheduler.

    Raises `InputError` if the scheduler cannot be reached.
    """
    if scheduler is not None:
        with _open_cluster(scheduler) as cluster:
            yield cluster
    else:
        with processes(jobs) as executor:
            yield Pool(executor, 2 * jobs)


@contextmanager
def _open_cluster(address: str) -> Iterator[Pool]:
    """Yield the pool of the `distributed` scheduler at an address, which repeats the work of a lost worker on another.

    It trusts the workers, and unpickles everything that comes over the network.
    """
    try:
        distributed: Any = import_module("distributed")
    except ModuleNotFoundError:
        raise NotFoundError("work on a cluster needs the package distributed", suggestion="pip install distributed") from None
    try:
        client = distributed.Client(address, timeout=_CONNECTING)
    except (OSError, ValueError) as error:
        raise RequestError(f"no scheduler answers at {address}: {error}", suggestion="for example tcp://host:8786") from None

    def describe_loss() -> str:
        return "" if client.status == "running" else f"The scheduler at {address} was lost"

    with client:
        threads = sum(client.nthreads().values())
        if not threads:
            raise RequestError(f"the scheduler at {address} has no workers", suggestion=f"dask worker {address}")
        with client.get_executor() as executor:
            yield Pool(executor, 2 * threads, describe_loss)


def as_completed(
    work: Callable[[A], B], items: Iterable[A], executor: Executor | None = None, ahead: int = 1
) -> Generator[B, None, None]:
    """Yield the results of `work` as they finish, with up to `ahead` items in work at once; without executor, in order."""
    waiting = iter(items)
    if executor is None:
        yield from map(work, waiting)
        return
    pending: set[Future[B]] = set()
    try:
        pending = {executor.submit(work, item) for item in islice(waiting, ahead)}
        while pending:
            finished, pending = wait(pending, return_when=FIRST_COMPLETED)
            pending |= {executor.submit(work, item) for item in islice(waiting, len(finished))}
            yield from (future.result() for future in finished)
    finally:
        for future in pending:  # after an interrupt; running work is finished and forgotten
            future.cancel()


def in_order(submit: Callable[[A], Future[B]], items: Iterable[A], ahead: int) -> Generator[B, None, None]:
    """Yield each item's result in the order of the items; up to `ahead` later items are submitted before one is waited for."""
    pending: deque[Future[B]] = deque()
    try:
        for item in items:
            pending.append(submit(item))
            if len(pending) > ahead:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    finally:
        for future in pending:
            future.cancel()


# ---- workers on lists of items ----


class Workers(Generic[A, B]):
    """A pool of processes that each work on one list at a time, so that the list over which a process dies is known."""

    def __init__(
        self,
        jobs: int,
        work: Callable[[Sequence[A]], list[B]],
        lost: Callable[[A], B],
        started: Callable[[], _Process],
    ) -> None:
        self.work = work
        self.lost = lost
        self.ending = False
        self._started = started
        self._threads = ThreadPoolExecutor(jobs)
        self._idle: LifoQueue[_Process | None] = LifoQueue()
        for _ in range(jobs):
            self._idle.put(None)  # started when it is needed
        self._here = threading.Lock()

    def submit(self, items: Sequence[A]) -> Future[list[B]]:
        """Submit a list of items, and return the future list of their results.

        The future raises `WorkerLostError` if no process can be started.
        """
        return self._threads.submit(self._run_items, items, _TRIES)

    def _run_items(self, items: Sequence[A], tries: int) -> list[B]:
        for _ in range(tries):
            process = self._idle.get()
            try:
                process = process or self._start_process()
                return process.run_work(self.work, items)
            except _DiedError:
                if process is not None:
                    process.end()
                    process = None
                if self.ending:
                    raise
            except _UnsendableError:
                with self._here:
                    return self.work(items)
            finally:
                self._idle.put(process)
        if len(items) == 1:
            return [self.lost(items[0])]
        middle = len(items) // 2
        return self._run_items(items[:middle], 1) + self._run_items(items[middle:], 1)

    def _start_process(self) -> _Process:
        """Start a process and return it. Raises `WorkerLostError` if it dies before it has any work."""
        try:
            process = self._started()
            process.run_work(list, ())
        except _DiedError:
            if self.ending:
                raise
            raise WorkerLostError(f"worker processes end before they start to work; they were {_KILLED}") from None
        return process

    def end(self) -> None:
        """Drop the lists that wait, and wait until all processes have ended."""
        self._threads.shutdown(cancel_futures=True)
        while not self._idle.empty():
            if process := self._idle.get():
                process.end()


class _DiedError(Exception):
    """An error for a process that has ended."""


class _UnsendableError(Exception):
    """An error for a value that cannot be sent to another process, or back."""


class _Process:
    """One process. Raises `_DiedError` if it cannot be started."""

    def __init__(self, context: SpawnContext, begin: Callable[[], object]) -> None:
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, begin), daemon=True)
        try:
            self._process.start()
        except OSError:
            self._pipe.close()
            raise _DiedError from None
        finally:
            theirs.close()  # so that the pipe ends with the process

    def run_work(self, work: Callable[[Sequence[A]], list[B]], items: Sequence[A]) -> list[B]:
        """Call `work` with the items in the process and return its results. Raises `_DiedError` and `_UnsendableError`."""
        try:
            self._pipe.send((work, items))
            (found,) = self._pipe.recv() or (None,)
        except (OSError, EOFError):
            raise _DiedError from None
        except Exception as error:
            raise _UnsendableError from error
        if found is None:
            raise _UnsendableError
        return found  # type: ignore[no-any-return]

    def end(self) -> None:
        """Close the pipe, which lets the process end after its work, and wait until it has ended."""
        self._pipe.close()
        self._process.join()


def _serve(pipe: connection.Connection, begin: Callable[[], object]) -> None:
    """In a worker process, call `begin`, then carry out each task from the pipe and send its result back, until it closes."""
    begin()
    with suppress(EOFError, OSError):
        while True:
            try:
                work, items = pipe.recv()
                answer = (work(items),)
                pipe.send(answer)
            except (EOFError, OSError):
                raise
            except Exception:  # a value cannot be read here, or sent back
                pipe.send(())


@contextmanager
def workers(jobs: int, work: Callable[[Sequence[A]], list[B]], lost: Callable[[A], B]) -> Iterator[Workers[A, B]]:
    """Yield a pool of this number of worker processes, which an error or an interrupt ends at once.

    `work` turns a list of items into a list of as many results. If a process dies over a list, another one works on the list
    again, then on its halves, until the item that kills processes is alone: that one becomes `lost(item)`.
    """
    with _family() as family:
        begin = partial(_start_worker, family.stop, token=family.context.Semaphore(1))
        crew = Workers(jobs, work, lost, partial(_Process, family.context, begin))
        try:
            with family.end_on_errors():
                try:
                    yield crew
                except BaseException:
                    crew.ending = True  # before they are asked to stop
                    raise
        finally:
            crew.end()
