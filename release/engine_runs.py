"""Keeps of runs what pages of engines show: `python -m release.engine_runs RUNS` writes docs/engine-runs/NAME.json."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from satjudge.engines.documents.engines import read_runs, trimmed_run

KEPT = Path(__file__).resolve().parents[1] / "docs" / "engine-runs"


def keep(runs: Path, folder: Path = KEPT) -> None:
    """Write what the pages show of the runs in a folder."""
    for engine in read_runs(runs):
        data = msgspec.json.format(msgspec.json.encode(trimmed_run(engine)), indent=1)
        (folder / f"{engine.name}.json").write_bytes(data + b"\n")


if __name__ == "__main__":
    keep(Path(sys.argv[1]))
