"""The same campaign on a cluster: two workers in processes of their own, of which one is killed."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from typing import Any

import pytest
from distributed import LocalCluster

from satjudge.crosscheck.campaign import campaign_against, tally_boards
from satjudge.crosscheck.executors import workers
from satjudge.crosscheck.findings import findings
from satjudge.crosscheck.positions import Fuzz
from satjudge.errors import RequestError
from satjudge.research.chunks import run_count
from satjudge.solve import Engine

BOARDS = 120


@pytest.fixture
def cluster() -> Iterator[Any]:
    """A scheduler with two workers; a worker that dies is started anew."""
    with LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1", silence_logs=50
    ) as running:
        yield running


def test_a_lost_worker_costs_no_board(cluster: Any) -> None:  # noqa: ANN401
    campaign = campaign_against("guide-1998", Fuzz(1, BOARDS), engine=Engine.STAGED)
    here = tally_boards(campaign, range(BOARDS))
    done: list[int] = []
    deadline = time.monotonic() + 20

    def kill_one_after_the_first_chunk(boards: int) -> None:
        if not done:
            os.kill(victim, signal.SIGKILL)
        done.append(boards)

    with workers(1, cluster.scheduler_address) as (executor, ahead):
        assert executor is not None
        assert ahead == 4
        victim = min(pids(cluster))
        counted = run_count(campaign.count, BOARDS, executor, ahead=ahead, chunk=5, on_progress=kill_one_after_the_first_chunk)
        found = findings(campaign, counted, executor, ahead=ahead)
    assert counted == here
    assert sum(done) == BOARDS
    assert max(done) <= 5
    assert found == findings(campaign, here)
    while victim in pids(cluster) and time.monotonic() < deadline:  # until it is missed
        time.sleep(0.05)
    assert victim not in pids(cluster)


def pids(cluster: Any) -> list[int]:  # noqa: ANN401
    """The processes of the workers."""
    return [nanny.pid for nanny in cluster.workers.values() if nanny.pid is not None]


def test_a_scheduler_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("satjudge.crosscheck.executors._CONNECTING", "0.2s")
    with pytest.raises(RequestError, match=r"no scheduler answers at tcp://127\.0\.0\.1:1"), workers(1, "tcp://127.0.0.1:1"):
        pass
