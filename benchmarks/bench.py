"""Measures the speed of satjudge, in one run and as ratios: a table, JSON and plots.

    make bench                                  # all of it, in a virtual environment of its own
    python benchmarks/bench.py --quick          # a few boards, one round
    python benchmarks/bench.py --only process,cores --json found.json

With `--strict` the exit status is 1 if a target is not met. `diplomacy` (AGPL) is compared with where it is installed.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

import page
from measuring import FULL, QUICK, Effort, Figure, version_of
from page import shown
from rich.console import Console
from rich.table import Table
from sections import SECTIONS

from satjudge import __version__


def measured(names: Sequence[str], effort: Effort) -> list[Figure]:
    """Measure the figures of these sections; progress goes to standard error."""
    found: list[Figure] = []
    console = Console(stderr=True)
    for name in names:
        began = time.perf_counter()
        with console.status(f"measuring {name}"):
            found += SECTIONS[name](effort)
        console.print(f"{name}: {time.perf_counter() - began:.1f} s", highlight=False)
    return found


def machine() -> dict[str, str]:
    """What it ran on."""
    names = ("ortools", "networkx", "msgspec", "wasmtime", "diplomacy")
    packages = {name: version_of(name) or "not installed" for name in names}
    return {"processor": processor(), "cores": str(os.cpu_count()), "python": platform.python_version(), **packages}


def processor() -> str:
    """The name of the processor."""
    found = [line for line in _lines("/proc/cpuinfo") if line.startswith("model name")]
    return found[0].partition(":")[2].strip() if found else platform.processor()


def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text(encoding="utf-8").splitlines()
    except OSError:
        return []


def rows(figures: Sequence[Figure]) -> list[tuple[str, ...]]:
    """The cells of the table."""
    marks = {True: "yes", False: "NO", None: ""}
    return [
        (
            figure.name,
            f"{shown(figure.values.median)} {figure.unit}".strip(),
            f"{shown(figure.values.low)}–{shown(figure.values.high)}" if figure.values.count > 1 else "",
            f"{shown(figure.values.most)}" if figure.values.count > 1 else "",
            figure.aim,
            marks[figure.met],
            figure.note,
        )
        for figure in figures
    ]


HEADINGS = ("what", "median", "quartiles", "largest", "target", "met", "")


def sections_of(figures: Sequence[Figure]) -> dict[str, list[Figure]]:
    """The figures section by section."""
    found: dict[str, list[Figure]] = {}
    for figure in figures:
        found.setdefault(figure.section, []).append(figure)
    return found


def tables(figures: Sequence[Figure]) -> list[Table]:
    """A table for each section."""
    found = []
    for section, some in sections_of(figures).items():
        table = Table(title=section, title_justify="left")
        for heading in HEADINGS:
            table.add_column(heading, justify="left" if heading in ("what", "") else "right")
        for cells in rows(some):
            table.add_row(*cells)
        found.append(table)
    return found


def markdown(figures: Sequence[Figure]) -> str:
    """The same as Markdown."""
    lines: list[str] = []
    for section, some in sections_of(figures).items():
        lines += ["", f"**{section}**", "", f"| {' | '.join(HEADINGS)} |", "|---|---:|---:|---:|---:|---:|---|"]
        lines += [f"| {' | '.join(cells)} |" for cells in rows(some)]
    return "\n".join(lines[1:]) + "\n"


def as_json(figures: Sequence[Figure], effort: Effort) -> dict[str, object]:
    """Everything, for machines."""
    return {
        "satjudge": __version__,
        "machine": machine(),
        "effort": asdict(effort),
        "figures": [{**asdict(figure), "met": figure.met} for figure in figures],
    }


def beside(before: Sequence[Figure], now: Sequence[Figure]) -> list[Figure]:
    """These figures, and those of sections that were measured before only."""
    sections = sections_of(before) | sections_of(now)
    return [figure for some in sections.values() for figure in some]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark; the exit status."""
    parser = argparse.ArgumentParser(description="the speed of satjudge, as ratios in one run")
    parser.add_argument("--quick", action="store_true", help="a few boards, one round")
    parser.add_argument("--only", metavar="NAME,…", help=f"some sections: {', '.join(SECTIONS)}")
    parser.add_argument("--keep", action="store_true", help="of other sections say what the file of --json says")
    parser.add_argument("--strict", action="store_true", help="exit status 1 if a target is not met")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="what boards are drawn from (1)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures with their spread")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the tables")
    parser.add_argument("--page", type=Path, metavar="FILE.md", help="fill it from the JSON files in the folder of its name")
    parser.add_argument("--plot", type=Path, metavar="FILE.svg", help="plot the cost against the size of the board")
    chosen = parser.parse_args(arguments)
    names = chosen.only.split(",") if chosen.only else list(SECTIONS)
    if unknown := set(names) - set(SECTIONS):
        parser.error(f"there is no section {', '.join(sorted(unknown))}; there are {', '.join(SECTIONS)}")
    if chosen.keep and not (chosen.json and chosen.json.exists()):
        parser.error("--keep takes a file of --json that is there")
    effort = replace(QUICK if chosen.quick else FULL, seed=chosen.seed)
    figures = measured(names, effort)
    if chosen.keep:
        figures = beside(page.figures_of(json.loads(chosen.json.read_text(encoding="utf-8"))), figures)
    console = Console(width=None if sys.stdout.isatty() else 160)
    console.print(", ".join(f"{key} {value}" for key, value in machine().items()), highlight=False)
    console.print(*tables(figures), sep="\n\n")
    if chosen.json:
        chosen.json.write_text(json.dumps(as_json(figures, effort), indent=1) + "\n", encoding="utf-8")
    if chosen.markdown:
        chosen.markdown.write_text(markdown(figures), encoding="utf-8")
    if chosen.plot:
        from plots import plot

        plot(figures, chosen.plot)
    if chosen.page:
        page.fill(chosen.page)
    missed = [figure for figure in figures if figure.met is False]
    console.print(f"{len(missed)} of {sum(figure.target is not None for figure in figures)} targets not met", highlight=False)
    for figure in missed:
        console.print(f"  {figure.section}, {figure.name}: {figure.aim}", highlight=False)
    return int(chosen.strict and bool(missed))


if __name__ == "__main__":
    sys.exit(main())
