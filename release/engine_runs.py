"""Keeps of runs what pages of engines show: `python -m release.engine_runs RUNS` writes docs/engine-runs/NAME.json."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from satjudge.engines.documents.conformance import Conformance, EngineRun, read_runs

KEPT = Path(__file__).resolve().parents[1] / "docs" / "engine-runs"


def trimmed_run(engine: EngineRun) -> Conformance:
    """Leave out of a run all that its page does not show, and what is particular to the machine: commands and paths."""
    shown = {(one.part, one.question) for one in engine.smallest.values()}
    command = msgspec.json.encode(engine.run.against)[1:-1]
    run = msgspec.json.decode(msgspec.json.encode(engine.run).replace(command, engine.name.encode()), type=Conformance)
    run.contradicting, run.lost = [], ""
    for part in run.parts:
        part.findings = [finding for finding in part.findings if (finding.part, finding.question) in shown]
        part.others = {}
        for finding in part.findings:
            finding.again = ""
    return run


def keep(runs: Path, folder: Path = KEPT) -> None:
    """Write what the pages show of the runs in a folder."""
    for engine in read_runs(runs):
        data = msgspec.json.format(msgspec.json.encode(trimmed_run(engine)), indent=1)
        (folder / f"{engine.name}.json").write_bytes(data + b"\n")


if __name__ == "__main__":
    keep(Path(sys.argv[1]))
