"""Where the work of a campaign is done: here, in processes of this machine, or on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from importlib import import_module
from typing import Any, NamedTuple

from satjudge.crosscheck.line_process import end_all
from satjudge.errors import NotFoundError, RequestError
from satjudge.research.chunks import processes

_CONNECTING = "15s"


class Workers(NamedTuple):
    """Who does the work: an executor, or None for this process; and how much it is given at a time."""

    executor: Executor | None
    ahead: int
    lost: Callable[[], str] = lambda: ""
    """What to tell if they cannot be reached any more; whatever their executor raises then means that."""


HERE = Workers(None, 1)


@contextmanager
def workers(jobs: int, scheduler: str | None = None) -> Iterator[Workers]:
    """So many processes, or all workers of a `distributed` scheduler. Raises `InputError` if it cannot be reached."""
    if scheduler is not None:
        with _cluster(scheduler) as cluster:
            yield cluster
    else:
        with processes(jobs, end_all) as executor:
            yield Workers(executor, 2 * jobs)


@contextmanager
def _cluster(address: str) -> Iterator[Workers]:
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
            yield Workers(executor, 2 * threads, lost)
