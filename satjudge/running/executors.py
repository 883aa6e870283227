"""Where work is done: in this process, in processes of this machine, or on a cluster; and its results as they come."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import contextmanager
from importlib import import_module
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from satjudge.errors import NotFoundError, RequestError
from satjudge.running.processes import processes

A = TypeVar("A")
B = TypeVar("B")

_CONNECTING = "15s"


class Pool(NamedTuple):
    """Who does the work: an executor, or None for this process; and how much it is given at a time."""

    executor: Executor | None
    ahead: int
    lost: Callable[[], str] = lambda: ""
    """What to tell if the pool cannot be reached any more; whatever its executor raises then means that."""


HERE = Pool(None, 1)


@contextmanager
def worker_pool(jobs: int, scheduler: str | None = None, at_end: Callable[[], object] | None = None) -> Iterator[Pool]:
    """So many processes (see `processes`), or all workers of a `distributed` scheduler.

    Raises `InputError` if the scheduler cannot be reached.
    """
    if scheduler is not None:
        with _cluster(scheduler) as cluster:
            yield cluster
    else:
        with processes(jobs, at_end) as executor:
            yield Pool(executor, 2 * jobs)


@contextmanager
def _cluster(address: str) -> Iterator[Pool]:
    """The scheduler gives work that a lost worker had to another one, and hands over each result once.

    Its peers are trusted: whatever comes over the network is unpickled.
    """
    try:
        distributed: Any = import_module("distributed")
    except ModuleNotFoundError:
        raise NotFoundError("--scheduler needs the package distributed", suggestion='pip install "satjudge[cluster]"') from None
    try:
        client = distributed.Client(address, timeout=_CONNECTING)
    except (OSError, ValueError) as error:
        raise RequestError(f"no scheduler answers at {address}: {error}", suggestion="for example tcp://host:8786") from None

    def lost() -> str:
        return "" if client.status == "running" else f"The scheduler at {address} was lost"

    with client:
        threads = sum(client.nthreads().values())
        if not threads:
            raise RequestError(f"the scheduler at {address} has no workers", suggestion=f"dask worker {address}")
        with client.get_executor() as executor:
            yield Pool(executor, 2 * threads, lost)


def as_completed(
    work: Callable[[A], B], items: Iterable[A], executor: Executor | None = None, ahead: int = 1
) -> Generator[B, None, None]:
    """Each item's result, as soon as it is finished; without an executor one after the other."""
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
        for future in pending:  # after an interrupt; what is being worked on is finished and forgotten
            future.cancel()


def in_order(submit: Callable[[A], Future[B]], items: Iterable[A], ahead: int) -> Generator[B, None, None]:
    """Each item's result, in the order of the items; `ahead` of them are submitted before the first is waited for."""
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
