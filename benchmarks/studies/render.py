"""Measures how long pictures take once the geometry is loaded, for docs/guides/pictures.md (target: under 100 ms)."""

from __future__ import annotations

import sys
from pathlib import Path
from statistics import median, quantiles
from time import process_time

from satjudge.notation.sheet_reader import load_sheets
from satjudge.notation.sheets import Sheet
from satjudge.notation.shipped import shipped_files
from satjudge.show.pictures import picture
from satjudge.show.pictures.geometry import load_geometry
from satjudge.show.pictures.scene import case_panels
from satjudge.world.rules import load_rulebook

PICTURES = Path(__file__).resolve().parents[2] / "docs" / "pictures"
TARGET = 0.1


def seconds(sheet: Sheet, rounds: int = 3) -> float:
    """The median processor time that the picture of a case takes, judging left out."""
    scenes = case_panels(sheet, load_rulebook(sheet.rules)).scenes
    times = []
    for _ in range(rounds):
        start = process_time()
        picture(scenes, title=sheet.title)
        times.append(process_time() - start)
    return median(times)


def main() -> int:
    start = process_time()
    load_geometry("standard")
    print(f"geometry loaded in {1000 * (process_time() - start):.0f} ms")
    files = {"shipped cases": shipped_files()} | {name: [PICTURES / f"{name}.txt"] for name in ("opening", "midgame")}
    worst = 0.0
    for name, paths in files.items():
        times = [seconds(sheet) for path in paths for sheet in load_sheets(path)]
        high = quantiles(times, n=20)[-1] if len(times) > 1 else times[0]
        worst = max(worst, *times, 0.0)
        told = f"median {1000 * median(times):.1f} ms, 95 % under {1000 * high:.1f} ms, longest {1000 * max(times):.1f} ms"
        print(f"{name} ({len(times)}): {told}")
    print(f"target {1000 * TARGET:.0f} ms: {'met' if worst < TARGET else 'MISSED'}")
    return 0 if worst < TARGET else 1


if __name__ == "__main__":
    sys.exit(main())
