"""Fills the marked blocks of docs/papers/speed.md, and README's headline, from the folder docs/papers/speed.

    python benchmarks/page.py

`make bench` does so too (`bench.py --page`). A test holds that the page says what the files say.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from measuring import Figure, Spread

PAGE = Path(__file__).resolve().parents[1] / "docs" / "papers" / "speed.md"
README = Path(__file__).resolve().parents[1] / "README.md"
BLOCK = re.compile(r"(<!-- measured: (?P<name>[a-z-]+) -->\n).*?(?=<!-- end -->)", re.DOTALL)


def shown(value: float) -> str:
    """A value to three digits, thousands apart."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def figures_of(bench: Mapping[str, Any]) -> list[Figure]:
    """The figures of what `bench.py --json` wrote."""
    rows = ({key: value for key, value in row.items() if key != "met"} for row in bench["figures"])
    return [Figure(**{**row, "values": Spread(**row["values"])}) for row in rows]


@dataclass(frozen=True)
class Measured:
    """The latest measurements."""

    machine: Mapping[str, str]
    figures: Sequence[Figure]
    differential: Mapping[str, Any]
    million: Mapping[str, Any]

    @classmethod
    def read(cls, folder: Path) -> Measured:
        """From the files of `bench.py`, `differential.py` and `million.py`."""
        bench, differential, million = (
            json.loads((folder / f"{name}.json").read_text(encoding="utf-8")) for name in ("bench", "differential", "million")
        )
        return cls(bench["machine"], figures_of(bench), differential, million)

    def section(self, section: str) -> dict[str, Figure]:
        """The figures of a section by their names."""
        return {figure.name: figure for figure in self.figures if figure.section == section}

    def grouped(self, section: str) -> dict[str, dict[str, Figure]]:
        """Those that are named "group: what", by group and by what."""
        found: dict[str, dict[str, Figure]] = {}
        for figure in self.section(section).values():
            group, _, what = figure.name.partition(": ")
            found.setdefault(group, {})[what] = figure
        return found


def median(figure: Figure) -> str:
    """The median with its unit."""
    return f"{shown(figure.values.median)} {figure.unit}".strip()


def largest(figure: Figure) -> str:
    """The largest value with its unit."""
    return f"{shown(figure.values.most)} {figure.unit}".strip()


def with_quartiles(figure: Figure) -> str:
    """The median and the quartiles."""
    values = figure.values
    return f"{median(figure)} ({shown(values.low)}–{shown(values.high)})" if values.count > 1 else median(figure)


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table whose first column is text, the others numbers."""
    lines = [headings, ["---", *("---:" for _ in headings[1:])], *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def machine(measured: Measured) -> str:
    """What it was measured on."""
    told = dict(measured.machine)
    versions = ", ".join(f"{name} {told[name]}" for name in ("ortools", "diplomacy", "wasmtime") if name in told)
    return f"Measured on {told['cores']} cores of {told['processor']} with Python {told['python']}, {versions}."


def targets(measured: Measured) -> str:
    """Every target, and whether it is met; of the growth cases the worst."""
    aimed = [figure for figure in measured.figures if figure.target is not None]
    growing = [figure for figure in aimed if figure.section == "growth"]
    others = [figure for figure in aimed if figure.section != "growth"]
    slowest = max(growing, key=lambda figure: figure.values.most)
    rows = [(f"{figure.section}: {figure.name}", figure) for figure in others]
    rows.append((f"growth, the slowest of {len(growing)}: {slowest.name}", slowest))
    return table(
        ("what", "target", "measured", "met"),
        ((name, _aim(figure), _held_against(figure), "yes" if figure.met else "**no**") for name, figure in rows),
    )


def _aim(figure: Figure) -> str:
    """The target with its unit."""
    sign = "at least" if figure.at_least else "at most"
    return f"{sign} {figure.target:g} {figure.unit}{', the largest' if figure.of_largest else ''}"


def _held_against(figure: Figure) -> str:
    """The value that a target is about."""
    return largest(figure) if figure.of_largest else median(figure)


def phases(measured: Measured) -> str:
    """One phase at a time, class by class."""
    groups = measured.grouped("judge against process() of diplomacy")
    return table(
        ("phases", "`judge`", "`process()`", "ratio (quartiles)"),
        (
            (group, median(found["judge"]), median(found["process()"]), with_quartiles(found["ratio"]))
            for group, found in groups.items()
            if "process()" in found
        ),
    )


def engines(measured: Measured) -> str:
    """Format the comparison of satjudge with other engines."""
    found = measured.section("engines on real positions")
    names = dict.fromkeys(name.partition(",")[0] for name in found if "," in name)
    rows = (
        (
            f"`{name}`" if name in ("judge", "process()") else name,
            *(_cell(found.get(f"{name}, {how}{end}")) for how in ("judging", "line to line") for end in ("", ": ratio")),
        )
        for name in names
    )
    heading = ("engine", "judging", "times `judge`", "line to line", "times in bulk")
    positions = found.get("positions")
    told = f"{positions.values.median:g} positions of {positions.note}.\n\n" if positions else ""
    return told + table(heading, rows)


def games(measured: Measured) -> str:
    """All phases of whole games."""
    found = measured.section("whole games over arrays")
    rate = found.get("phases a second")
    if rate is None:
        return "Not measured."
    kinds = ", ".join(f"{name} {median(one)} ({one.note})" for name, one in found.items() if one is not rate)
    speed = f"{rate.values.median:,.0f} phases of published games a second"
    return f"satjudge judges {speed}, each kind in one call over arrays: {kinds}."


def _cell(figure: Figure | None) -> str:
    return median(figure) if figure else ""


def sizes(measured: Measured) -> str:
    """By the size of the board."""
    full = measured.section("engine full")
    judge, process = measured.section("judge by size"), measured.section("process() by size")
    return table(
        ("board", "`judge`", "`process()`", "`full`", "`full`, boards with a core", "largest"),
        (
            (size, median(judge[size]), median(process[size]), median(full[size]), median(core), largest(core))
            for size in judge
            for core in [full[f"{size}, with a core"]]
        ),
    )


def cores(measured: Measured) -> str:
    """By the number of orders in the largest core."""
    groups = measured.grouped("boards with a core")
    columns = ("judge", "all resolutions, staged", "all resolutions, full")
    return table(
        ("orders in the largest core", "boards", "`judge`", "all resolutions, `staged`", "all resolutions, `full`"),
        (
            (group.split()[0], str(found["judge"].values.count), *(with_quartiles(found[column]) for column in columns))
            for group, found in groups.items()
        ),
    )


def growth(measured: Measured) -> str:
    """What must not explode."""
    groups = measured.grouped("growth")
    columns = ("judge", "all resolutions, staged", "all resolutions, full")
    return table(
        ("position", "resolutions", "`judge`", "all resolutions, `staged`", "all resolutions, `full`"),
        (
            (group, found["judge"].note.split()[0], *(median(found[column]) for column in columns))
            for group, found in groups.items()
        ),
    )


def selfplay(measured: Measured) -> str:
    """Whole games by random legal orders."""
    columns = ("a phase", "times as fast as diplomacy", "the longest phase", "the first phase")
    return table(
        ("who plays", *columns),
        (
            (f"`{group}`", *(_cell(found.get(column)) for column in columns))
            for group, found in measured.grouped("self-play").items()
        ),
    )


def _one_by_one(measured: Measured, section: str) -> str:
    """Return the figures of a section with its questions."""
    found = measured.section(section).values()
    return table(("what", "median (quartiles)", ""), ((one.name, with_quartiles(one), one.note) for one in found))


def serve(measured: Measured) -> str:
    """The service over HTTP."""
    return _one_by_one(measured, "satjudge serve")


def node(measured: Measured) -> str:
    """The npm package."""
    return _one_by_one(measured, "npm package in Node")


def env(measured: Measured) -> str:
    """What agents that learn get."""
    columns = ("phases a second", "times as many as diplomacy")
    return table(
        ("by", *columns),
        (
            (group, *(_cell(found.get(column)) for column in columns))
            for group, found in measured.grouped("environments").items()
        ),
    )


def bulk(measured: Measured) -> str:
    """Whole batches."""
    groups = measured.grouped("bulk")
    columns = (
        "line to line", "row to row", "line to line, plain path", "times as fast as line to line, plain path",
        "times as fast as process()",
    )  # fmt: skip
    return table(
        ("phases", "line to line", "row to row", "plain path", "times the plain path", "times `process()`", "left to it"),
        (
            (group, *(median(found[column]) for column in columns), found["line to line"].note.split()[0])
            for group, found in groups.items()
        ),
    )


def campaigns(measured: Measured) -> str:
    """Censuses and crosschecks."""
    return table(
        ("campaign", "one by one", "over arrays", "times as fast", "in the other engine"),
        (
            (group, *(_cell(found.get(what)) for what in ("one by one", "over arrays", "times as fast", "in the other engine")))
            for group, found in measured.grouped("campaigns").items()
        ),
    )


def differential(measured: Measured) -> str:
    """How the kernel was held to the plain path, and that to the engine `full`."""
    found, plain = measured.differential, measured.differential["plain"]
    return (
        f"On {found['boards']:,} drawn boards (seed {found['seed']}), we compared the kernel with the plain path, under the"
        f" eight rulebooks in turn, and found {found['different']:,} differences. The answers contain {found['rulings']:,}"
        f" rulings. The kernel left {sum(found['left'].values()):,} boards to the plain path. {plain['with_cores']:,} of the"
        f" boards that the plain path judged have several resolutions or none. The engine `full` listed the same resolutions"
        f" as `staged` on {plain['by_full']:,} boards, with {plain['different']:,} differences."
    )


def million(measured: Measured) -> str:
    """The long run, and its memory."""
    found = measured.million
    order = "in order" if found["in_order"] else "NOT IN ORDER"
    rows = (
        (
            f"{sample['answers']:,}", f"{sample['seconds']:.0f} s", f"{sample['megabytes'][0]:.0f} MB",
            " + ".join(f"{each:.0f}" for each in sample["megabytes"][1:]) + " MB",
        )
        for sample in found["memory"]
    )  # fmt: skip
    return (
        f"satjudge judged {found['boards']:,} boards with {found['jobs']} jobs, at {found['boards'] / found['seconds']:,.0f}"
        f" boards a second, while the same cores also made the boards. Each board took"
        f" {found['processor_seconds'] / found['boards'] * 1e6:.0f} µs of processor time. The answers were {order}, with"
        f" {found['errors']:,} errors. Memory reached {found['peak_megabytes']:.0f} MB in all. The last quarter of the run"
        f" needed {found['growth']:.2f} times the memory of the second quarter:\n\n"
        + table(("answers", "after", "the command", "the processes that it started"), rows)
    )


def parts(measured: Measured) -> str:
    """Reading, starting, memory."""
    found = [*measured.section("reading").values(), *measured.section("start-up").values(),
             *measured.section("peak memory").values()]  # fmt: skip
    return table(("what", "median (quartiles)", ""), ((one.name, with_quartiles(one), one.note) for one in found))


def large(measured: Measured) -> str:
    """Made-up maps of hundreds of provinces."""
    found = measured.section("large maps")
    rows = ((name, median(one), largest(one), _aim(one) if one.target is not None else "") for name, one in found.items())
    return table(("map and units", "typical", "largest", "target"), rows)


def counters(measured: Measured) -> str:
    """What does not depend on the machine."""
    found = [one for one in measured.figures if one.section.startswith("counters")]
    groups: dict[str, dict[str, str]] = {}
    for one in found:
        groups.setdefault(one.section.removeprefix("counters, "), {})[one.name] = with_quartiles(one)
    names = list(dict.fromkeys(one.name for one in found))
    return table(("what", *groups), ((name, *(group.get(name, "") for group in groups.values())) for name in names))


def headline(measured: Measured) -> str:
    """What README says of real positions; empty where not all engines were measured."""
    found = measured.section("engines on real positions")
    names = ("process(), judging: ratio", "dipcc (C++), judging: ratio", "arrays beside dipcc, judging",
             "dipcc (C++), line to line: ratio")  # fmt: skip
    if not {"positions", *names} <= found.keys():
        return ""
    process, dipcc, arrays, lines = (shown(found[name].values.median) for name in names)
    rust = found.get("diplomacy (Rust), judging: ratio")
    crate = f"{shown(rust.values.median)} times as fast as the Rust crate of that name, " if rust else ""
    return (
        f"On {found['positions'].values.median:g} positions of {found['positions'].note.partition(';')[0]},\n"
        f"satjudge is {process} times as fast as `process()` of the `diplomacy` package, from order strings to verdicts,\n"
        f"{crate}and {dipcc} times as fast as dipcc, a C++ engine that gets its orders already parsed.\n"
        f"Over [arrays](docs/guides/arrays.md) it is {arrays} times as fast as dipcc, and {lines} times\n"
        "from JSON line to JSON line. `make bench` measures [all figures](docs/papers/speed.md)."
    )


BLOCKS: Mapping[str, Callable[[Measured], str]] = {
    write.__name__: write
    for write in (
        machine,
        targets,
        engines,
        games,
        phases,
        selfplay,
        serve,
        node,
        env,
        sizes,
        cores,
        growth,
        large,
        bulk,
        campaigns,
        differential,
        million,
        parts,
        counters,
    )
}


def filled(text: str, measured: Measured) -> str:
    """The page with its blocks brought up to date. Raises `KeyError` for a block that nobody writes."""
    return BLOCK.sub(lambda block: f"{block[1]}\n{BLOCKS[block['name']](measured)}\n\n", text)


def filled_readme(text: str, measured: Measured) -> str:
    """README with its headline brought up to date, if there is one."""
    said = headline(measured)
    return BLOCK.sub(lambda block: f"{block[1]}\n{said}\n\n", text) if said else text


def fill(page: Path = PAGE) -> None:
    """Bring the page up to date with the folder of the same name; with the page of the project also README."""
    measured = Measured.read(page.with_suffix(""))
    texts = {page: filled, **({README: filled_readme} if page.resolve() == PAGE else {})}
    for path, brought_up in texts.items():
        path.write_text(brought_up(path.read_text(encoding="utf-8"), measured), encoding="utf-8")


if __name__ == "__main__":
    fill(*map(Path, sys.argv[1:2]))
