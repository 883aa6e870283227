"""Distributes work over this process, worker processes or a cluster, and collects the results.

It also ensures that all processes together log only one warning.

Worker processes leave interrupts (Ctrl-C) and other signals to their parent, and end when it ends. There are two kinds.
`processes` yields an executor, which raises `WorkerLostError` when a process dies. `workers` yields a pool that works on lists
of items and loses only an item that kills its process. `ProcessPoolExecutor` cannot do this: it does not report on which list a
process died, and waits for ever if a process dies while it sends a result.
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
"""How often a list is tried before it is split: the first process may have died for another reason."""
_CONNECTING = "15s"
_KILLED = "killed, perhaps because memory ran out: try fewer --jobs"
_LOG = logging.getLogger("satjudge")
_take_token: Callable[[bool], bool] = threading.Semaphore(1).acquire
"""Takes the one token that lets a process log a warning; worker processes share the token with their parent."""


def warn_once(message: str) -> None:
    """Log a warning unless this process, or another process of its pool, has already logged one."""
    if _take_token(False):
        _LOG.warning("satjudge: %s", escape_controls(message))


# ---- how processes start and stop ----


@dataclass(frozen=True)
class _Family:
    """What is needed to start worker processes and to stop them together: each waits until `stopping` is closed here."""

    context: SpawnContext
    stop: connection.Connection
    stopping: connection.Connection

    @contextmanager
    def end_on_errors(self) -> Iterator[None]:
        """Stop all workers at once if the context raises an error; after an interrupt, let a second one end this process."""
        try:
            yield
        except BaseException as error:
            self.stopping.close()
            if isinstance(error, KeyboardInterrupt):
                for number in _list_interrupts():
                    signal.signal(number, _exit_by_signal)
            raise


@contextmanager
def _open_family() -> Iterator[_Family]:
    """Yield what is needed to start worker processes that stop together; at the end restore this process's signal handlers."""
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
    """Return which of SIGINT and the ending signals currently raise `KeyboardInterrupt` in this process.

    Ignored signals are left out, so that they stay ignored.
    """
    return tuple(
        number for number in (signal.SIGINT, *ending_signals()) if signal.getsignal(number) is signal.default_int_handler
    )


def _exit_by_signal(number: int, frame: object) -> None:
    """As a signal handler, end this process at once with the exit status for the signal `number`."""
    os._exit(128 + number)


def _start_worker(stop: connection.Connection, token: Semaphore | None = None) -> None:
    """Prepare a worker process: ignore signals, end when the parent ends or closes `stop`, share `token` for `warn_once`."""
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
    """Yield an executor with `jobs` worker processes, or None if `jobs` is 1 or less.

    An error or an interrupt stops the processes. Work that has not begun is dropped at the end. Raises `WorkerLostError` if a
    process dies.
    """
    if jobs <= 1:
        yield None
        return
    with _open_family() as family:
        begin = partial(_start_worker, family.stop)
        pool = _UncancelledPool(ProcessPoolExecutor(jobs, mp_context=family.context, initializer=begin))
        with pool, family.end_on_errors():
            try:
                yield pool
            except BrokenExecutor:
                raise WorkerLostError(f"a worker process ended before its work was done; it was {_KILLED}") from None


class _UncancelledPool(Executor):
    """A process pool that cancels no work before it shuts down: the results of cancelled futures are merely dropped.

    `ProcessPoolExecutor` must not hold a cancelled future when a process dies or is asked to stop: in CPython 3.11 its manager
    thread then ends with `InvalidStateError` in `terminate_broken`, and its other futures never finish (fixed in 3.12,
    python/cpython#108974). Only that thread can drop work safely, by `shutdown(cancel_futures=True)`. Shutting down before
    processes are asked to stop would not help: it waits for all running work, or with `wait=False` leaves nothing to join.
    """

    def __init__(self, pool: ProcessPoolExecutor) -> None:
        self._pool = pool

    def submit(self, work: Callable[..., B], /, *args: Any, **named: Any) -> Future[B]:  # noqa: ANN401  # as executors do
        """Have a process of the pool call `work` with these arguments; return the future result, which cannot be cancelled."""
        future: Future[B] = Future()
        future.set_running_or_notify_cancel()  # running work cannot be cancelled
        self._pool.submit(work, *args, **named).add_done_callback(partial(_copy_result, future))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = True) -> None:
        """End the processes after their running work; wait for that if `wait`, and by default drop work that has not begun."""
        self._pool.shutdown(wait, cancel_futures=cancel_futures)


def _copy_result(target: Future[B], source: Future[B]) -> None:
    """Set the result or the error of the finished future `source` in the future `target`."""
    error = CancelledError() if source.cancelled() else source.exception()
    if error is None:
        target.set_result(source.result())
    else:
        target.set_exception(error)


class Pool(NamedTuple):
    """An executor for work, or None for this process, with the number of jobs to submit to it at a time."""

    executor: Executor | None
    max_pending: int
    describe_loss: Callable[[], str] = lambda: ""
    """Returns the message for an executor that can no longer be reached; "" if it can."""


HERE = Pool(None, 1)


@contextmanager
def worker_pool(jobs: int, scheduler: str | None = None) -> Iterator[Pool]:
    """Yield a pool of `jobs` processes (1: this process), or of all workers of the `distributed` scheduler at this address.

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
    """Yield a pool of all workers of the `distributed` scheduler at this address, or raise `InputError`; lost work is repeated.

    The workers are trusted: everything that comes over the network is unpickled.
    """
    try:
        distributed: Any = import_module("distributed")
    except ModuleNotFoundError:
        raise NotFoundError("work on a cluster needs the package distributed", suggestion="pip install distributed") from None
    try:
        client = distributed.Client(address, timeout=_CONNECTING)
    except (OSError, ValueError) as error:
        raise RequestError(
            f"no scheduler answers at {address}: {error}", suggestion="write for example tcp://host:8786"
        ) from None

    def describe_loss() -> str:
        return "" if client.status == "running" else f"The scheduler at {address} was lost"

    with client:
        threads = sum(client.nthreads().values())
        if not threads:
            raise RequestError(f"the scheduler at {address} has no workers", suggestion=f"dask worker {address}")
        with client.get_executor() as executor:
            yield Pool(executor, 2 * threads, describe_loss)


def as_completed(
    work: Callable[[A], B], items: Iterable[A], executor: Executor | None = None, max_pending: int = 1
) -> Generator[B, None, None]:
    """Yield each result of `work` when it is ready, up to `max_pending` items at once; without an executor, work here."""
    waiting = iter(items)
    if executor is None:
        yield from map(work, waiting)
        return
    pending: set[Future[B]] = set()
    try:
        pending = {executor.submit(work, item) for item in islice(waiting, max_pending)}
        while pending:
            finished, pending = wait(pending, return_when=FIRST_COMPLETED)
            pending |= {executor.submit(work, item) for item in islice(waiting, len(finished))}
            yield from (future.result() for future in finished)
    finally:
        for future in pending:  # after an interrupt; the results of running work are dropped
            future.cancel()


def in_order(submit: Callable[[A], Future[B]], items: Iterable[A], max_pending: int) -> Generator[B, None, None]:
    """Yield each item's result in the order of the items, keeping up to `max_pending` later items submitted."""
    pending: deque[Future[B]] = deque()
    try:
        for item in items:
            pending.append(submit(item))
            if len(pending) > max_pending:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()
    finally:
        for future in pending:
            future.cancel()


# ---- workers on lists of items ----


class Workers(Generic[A, B]):
    """A pool of processes that each work on one list at a time, so that the list on which a process dies is known."""

    def __init__(
        self,
        jobs: int,
        work: Callable[[Sequence[A]], list[B]],
        make_lost_result: Callable[[A], B],
        start_process: Callable[[], _Process],
    ) -> None:
        self.work = work
        self.make_lost_result = make_lost_result
        self.ending = False
        self._started = start_process
        self._threads = ThreadPoolExecutor(jobs)
        self._idle: LifoQueue[_Process | None] = LifoQueue()
        for _ in range(jobs):
            self._idle.put(None)  # a process is started when one is needed
        self._here = threading.Lock()

    def submit(self, items: Sequence[A]) -> Future[list[B]]:
        """Submit a list of items, and return the future list of their results, one for each item.

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
            return [self.make_lost_result(items[0])]
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
        """Drop the lists that have not been started, and wait until all processes have ended."""
        self._threads.shutdown(cancel_futures=True)
        while not self._idle.empty():
            if process := self._idle.get():
                process.end()


class _DiedError(Exception):
    """An error for a process that has ended."""


class _UnsendableError(Exception):
    """An error for a value that cannot be sent to another process, or back."""


class _Process:
    """A worker process with the pipe to it. Raises `_DiedError` if the process cannot be started."""

    def __init__(self, context: SpawnContext, begin: Callable[[], object]) -> None:
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, begin), daemon=True)
        try:
            self._process.start()
        except OSError:
            self._pipe.close()
            raise _DiedError from None
        finally:
            theirs.close()  # so that the pipe closes when the process ends

    def run_work(self, work: Callable[[Sequence[A]], list[B]], items: Sequence[A]) -> list[B]:
        """Return what `work` returns for the items in the worker process; raises `_DiedError` or `_UnsendableError`."""
        try:
            self._pipe.send((work, items))
            (results,) = self._pipe.recv() or (None,)
        except (OSError, EOFError):
            raise _DiedError from None
        except Exception as error:
            raise _UnsendableError from error
        if results is None:
            raise _UnsendableError
        return results  # type: ignore[no-any-return]

    def end(self) -> None:
        """Close the pipe, which makes the process end after its current work, and wait until it has ended."""
        self._pipe.close()
        self._process.join()


def _serve(pipe: connection.Connection, begin: Callable[[], object]) -> None:
    """In a worker, call `begin`, then send back the result of each task from the pipe, or () on an error, until it closes."""
    begin()
    with suppress(EOFError, OSError):
        while True:
            try:
                work, items = pipe.recv()
                answer = (work(items),)
                pipe.send(answer)
            except (EOFError, OSError):
                raise
            except Exception:  # a value that cannot be unpickled here, or sent back
                pipe.send(())


@contextmanager
def workers(jobs: int, work: Callable[[Sequence[A]], list[B]], make_lost_result: Callable[[A], B]) -> Iterator[Workers[A, B]]:
    """Yield `jobs` worker processes that apply `work` to lists of items; `make_lost_result` gives the result of a lost item.

    `work` returns one result for each item of a list. If a process dies while it works on a list, another one tries the list
    again, then its halves, until the item that kills processes is isolated. An error or an interrupt stops the processes at
    once.
    """
    with _open_family() as family:
        begin = partial(_start_worker, family.stop, token=family.context.Semaphore(1))
        crew = Workers(jobs, work, make_lost_result, partial(_Process, family.context, begin))
        try:
            with family.end_on_errors():
                try:
                    yield crew
                except BaseException:
                    crew.ending = True  # before the processes are asked to stop
                    raise
        finally:
            crew.end()
