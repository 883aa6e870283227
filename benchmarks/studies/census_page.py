"""Runs a census and writes its page: docs/papers/census.md with the tables, its data and chart, and the examples of all shapes.

    python benchmarks/studies/census_page.py --boards 100000000 --compare-every 1000 --jobs 2 --state census.jsonl

It goes on where it stopped if it is started again with the same `--state`.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import matplotlib
import msgspec
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from satjudge.base.words import number_of
from satjudge.bulk.census import NOT_EXHAUSTED, Census
from satjudge.show.research import KIND_COLOURS, count_by_resolutions, format_map, sort_names

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "papers" / "census.md"
SHAPES = ROOT / "datc_cases" / "census" / "shapes.txt"
BLOCK = re.compile(r"(<!-- counted -->\n).*?(?=<!-- end -->)", re.DOTALL)


def asked(chosen: argparse.Namespace) -> list[str]:
    """The options of the census, as one writes them."""
    every = [] if chosen.compare_every == 10 else ["--compare-every", str(chosen.compare_every)]
    return ["--boards", str(chosen.boards), "--seed", str(chosen.seed), *every, "--jobs", str(chosen.jobs)]


def census(chosen: argparse.Namespace, *options: str) -> str:
    """What the command prints, also where a claim does not hold. Raises `CalledProcessError` if it fails."""
    command = [sys.executable, "-m", "satjudge", "census", *asked(chosen), "--state", str(chosen.state), *options]
    environment = os.environ | {"COLUMNS": "160"}
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False, env=environment)
    if done.returncode not in (0, 1):
        done.check_returncode()
    return done.stdout


def counted(state: Path) -> int:
    """How many boards a state file holds already."""
    lines = state.read_text(encoding="utf-8").splitlines()[1:] if state.exists() else []
    chunks = [json.loads(line)["chunk"] for line in lines if line.endswith("}")]
    return sum(end - begin for begin, end in chunks)


def page(chosen: argparse.Namespace, tables: str, boards: int, seconds: float, shapes: int) -> str:
    """The part of the page that is counted; the rate is that of the boards that were counted at the end without a break."""
    command = " ".join(["satjudge census", *asked(chosen), "--state census.jsonl --save shapes --plot census.svg"])
    what = "It" if boards == chosen.boards else f"The last {boards:,} boards"
    rate = f"{what} took {seconds:,.0f} seconds with {chosen.jobs} processes ({boards / seconds:,.0f} boards a second)."
    return f"""
```sh
{command}
```

{rate if boards else ""} [census.json](census/census.json) contains the whole answer.
[`datc_cases/census`](../../datc_cases/census/shapes.txt) has the smallest example of each of the {shapes} shapes, as a case.

![the census as bar charts](census/census.svg)

```
{tables.strip()}
```

"""


def plot_census(found: Census, path: Path) -> None:
    """Write bar charts to an .svg file: cores by name, boards by number of resolutions, and differences of rulebooks."""
    names = sort_names(found)
    pairs = sorted(found.differing.items(), key=lambda item: (-item[1].boards, item[0]))
    with matplotlib.rc_context({"svg.hashsalt": "satjudge", "svg.fonttype": "none", "font.size": 9}):
        figure = Figure(figsize=(14, 2 + 0.2 * max(len(names), len(pairs), 18)), layout="constrained")
        figure.suptitle(
            f"{number_of(found.boards, 'random board')}, seed {found.seed}{format_map(found)}, {found.rulebook.name}"
        )
        cores, resolutions, rulebooks = figure.subplots(1, 3, width_ratios=(5, 3, 4))
        _draw_bars(cores, [name for name, _ in names], [named.cores for _, named in names])
        for bar, (_, named) in zip(cores.patches, names, strict=True):
            bar.set_facecolor(KIND_COLOURS[named.kind])
        cores.set(title="cores", **({"xscale": "log", "xlim": (0.5, None)} if names else {}))
        _draw_stacked_bars(resolutions, found)
        _draw_bars(rulebooks, [both.replace(",", " and ") for both, _ in pairs], [pair.boards for _, pair in pairs])
        rulebooks.set(title=f"boards on which rulebooks part, of {found.compared:,}")
        figure.savefig(path, metadata={"Date": None})


def _draw_bars(axes: Axes, labels: Sequence[str], counts: Sequence[int]) -> None:
    axes.bar_label(axes.barh(labels, counts, color="#5c677d"), fmt="{:,.0f}", padding=2, fontsize=7)
    axes.margins(x=0.15, y=0.01)
    axes.invert_yaxis()


def _draw_stacked_bars(axes: Axes, found: Census) -> None:
    """Draw each flavour's shares of boards with no, one, two and more resolutions, as stacked bars."""
    rows = count_by_resolutions(found)
    left = dict.fromkeys(rows, 0.0)
    colours = {"0": "#bc4749", "1": "#ced4da", "2": "#a9d6e5", "more": "#2a6f97", NOT_EXHAUSTED: "#000000"}
    for column, colour in colours.items():
        shares = [100 * row[column] / sum(row.values()) for row in rows.values()]
        if any(shares):
            axes.barh(list(rows), shares, left=list(left.values()), color=colour, label=column)
            left = {name: start + share for (name, start), share in zip(left.items(), shares, strict=True)}
    axes.set(title="boards by number of resolutions", xlabel="%")
    axes.invert_yaxis()
    axes.legend(ncols=4, fontsize=7, loc="upper center", bbox_to_anchor=(0.5, -0.08))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it; the exit status."""
    parser = argparse.ArgumentParser(description="a census and its page")
    parser.add_argument("--boards", type=int, default=200_000, metavar="N", help="how many (200,000)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="what they are drawn from (1)")
    parser.add_argument("--compare-every", type=int, default=10, metavar="N", help="rulebooks judge every Nth board (10)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="processes (one for each core)")
    parser.add_argument("--state", type=Path, default=Path("census.jsonl"), metavar="FILE", help="go on from it (census.jsonl)")
    chosen = parser.parse_args(arguments)
    before, began = counted(chosen.state), time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        tables = census(chosen, "--save", folder)
        seconds = time.perf_counter() - began
        cases = [path.read_text(encoding="utf-8").strip() for path in sorted(Path(folder).glob("*.txt"))]
    of = f"{chosen.boards:,} boards, seed {chosen.seed}"
    head = f"# The smallest example of every shape of core in the census of docs/papers/census.md: {of}."
    SHAPES.write_text("\n\n".join([head, *cases]) + "\n", encoding="utf-8")
    document = census(chosen, "--json")
    (PAGE.with_suffix("") / "census.json").write_text(document, encoding="utf-8")
    plot_census(msgspec.json.decode(document, type=Census), PAGE.with_suffix("") / "census.svg")
    block = page(chosen, tables, chosen.boards - before, seconds, len(cases))
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(BLOCK.sub(lambda marked: f"{marked[1]}{block}", text), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
