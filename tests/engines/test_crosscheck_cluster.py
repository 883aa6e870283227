"""The same campaign on a cluster: two workers in processes of their own, of which one is killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from satjudge.apps.cli import run
from satjudge.base.errors import RequestError
from satjudge.base.processes import worker_pool
from satjudge.bulk.chunked_runs import run_count
from satjudge.engines.campaign import Tally, make_campaign, tally_boards
from satjudge.engines.findings import collect_findings, list_tasks
from satjudge.engines.positions import Fuzz
from satjudge.judging.solve import Engine

pytestmark = pytest.mark.slow
"""A cluster takes its time to begin, and to notice what is lost."""

BOARDS = 60
HERE = Path(__file__).parents[1]


def test_a_lost_worker_costs_no_board(cluster: Any) -> None:  # noqa: ANN401
    campaign = make_campaign("guide-1998", Fuzz(1, BOARDS), engine=Engine.STAGED)
    here = tally_boards(campaign, range(BOARDS))
    done: list[int] = []
    deadline = time.monotonic() + 20

    def kill_one_after_a_chunk(boards: int) -> None:
        if not done:
            os.kill(victim, signal.SIGKILL)
        done.append(boards)

    with worker_pool(1, cluster.scheduler_address) as (executor, ahead, _):
        assert executor is not None
        assert ahead == 4
        victim = min(pids(cluster))
        counted = run_count(campaign.count, BOARDS, executor, pending=ahead, chunk=5, on_progress=kill_one_after_a_chunk)
        submit, shrunk_there = executor.submit, list[object]()

        def submit_and_tell(work: Any, task: Any) -> Any:  # noqa: ANN401
            shrunk_there.append(task)
            return submit(work, task)

        executor.submit = submit_and_tell  # type: ignore[method-assign, assignment]
        found = collect_findings(campaign, counted, executor, tasks_ahead=ahead)
    assert shrunk_there == list_tasks(counted)
    assert counted == here
    assert sum(done) == BOARDS
    assert max(done) <= 5
    assert found == collect_findings(campaign, here)
    while victim in pids(cluster) and time.monotonic() < deadline:  # until it is missed
        time.sleep(0.05)
    assert victim not in pids(cluster)


PROGRAM = """
import os, sys, time
from distributed import LocalCluster
if __name__ == "__main__":
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0", host="127.0.0.1", silence_logs=50) as cluster:
        print(cluster.scheduler_address, flush=True)
        time.sleep(600)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.parametrize("when", ["counting", "shrinking"])
def test_a_lost_scheduler_loses_nothing_that_was_found(
    when: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The campaign ends, and what it found is shrunk here and told."""
    boards = 20_000 if when == "counting" else 60
    (tmp_path / "cluster.py").write_text(PROGRAM, encoding="utf-8")
    scheduler = subprocess.Popen(
        [sys.executable, str(tmp_path / "cluster.py")], stdout=subprocess.PIPE, text=True, start_new_session=True, cwd=HERE
    )
    assert scheduler.stdout is not None
    try:
        address = scheduler.stdout.readline().strip()

        def kill() -> None:
            with suppress(ProcessLookupError):
                os.killpg(scheduler.pid, signal.SIGKILL)

        counted = Tally.add

        def add(mine: Tally, other: Tally) -> None:
            counted(mine, other)
            if mine.boards >= (boards if when == "shrinking" else 20):
                kill()

        monkeypatch.setattr(Tally, "add", add)
        against = [
            "--against",
            "helpers.broken_engine:ring_broken",
            "--flavour",
            "circles",
            "--no-diagnosis",
        ]
        code = run(
            [
                "crosscheck",
                *against,
                "--flavour",
                "circles",
                "--no-diagnosis",
                "--fuzz",
                str(boards),
                "--limit=shrink=2",
                "--jobs",
                address,
                "--json",
            ]
        )
    finally:
        with suppress(ProcessLookupError):
            os.killpg(scheduler.pid, signal.SIGKILL)
        scheduler.wait()
        scheduler.stdout.close()
    captured = capsys.readouterr()
    assert code == 1, captured.err
    document = json.loads(captured.out)
    assert "Traceback" not in captured.err
    assert document["findings"]
    if when == "counting":
        assert 0 < document["boards"] < boards
        of = f"{document['boards']:,} of 20,000 boards were compared."
        assert document["lost"] == f"The scheduler at {address} was lost; {of}"
    else:
        assert (document["boards"], document["lost"]) == (boards, "")


def pids(cluster: Any) -> list[int]:  # noqa: ANN401
    """The processes of the workers."""
    return [nanny.pid for nanny in cluster.workers.values() if nanny.pid is not None]


def test_a_scheduler_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("satjudge.base.processes._CONNECTING", "0.2s")
    with (
        pytest.raises(RequestError, match=r"no scheduler answers at tcp://127\.0\.0\.1:1"),
        worker_pool(1, "tcp://127.0.0.1:1"),
    ):
        pass
