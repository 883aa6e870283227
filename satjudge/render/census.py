"""A census as rich tables and as a plot. Nothing here prints; the command does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from satjudge.errors import RequestError
from satjudge.research.boards import Flavour
from satjudge.research.census import CLAIMS, NOT_EXHAUSTED, ONE_RESOLUTION, OTHERWISE, Example, NameTally, Plan, Tally

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_PLOTS = (".svg", ".png", ".pdf")
_KINDS = {
    "circular movement": "#8cb369",
    "paradox with several resolutions": "#2a6f97",
    "paradox without a resolution": "#bc4749",
    "cyclic dependency with one resolution": "#f4a259",
}


def census_tables(plan: Plan, tally: Tally) -> Iterator[RenderableType]:
    """Everything that was counted, for people."""
    cores = sum(named.cores for named in tally.names.values())
    yield Text(
        f"{tally.boards:,} boards of seed {plan.seed}, judged by {plan.rulebook.name}: "
        f"{tally.boards_with_cores:,} with a core, {cores:,} cores of {len(tally.shapes):,} shapes"
        + (f"; to {tally.unresolved:,} boards this rulebook has no answer" if tally.unresolved else "")
    )
    yield _resolutions_table(tally)
    if tally.names:
        yield _names_table(tally)
    if tally.compared:
        yield _rulebooks_table(plan, tally)
    yield _claims_table(tally)
    yield from _footnotes(tally)


def _table(title: str, *headings: str, numbers: Sequence[str] = ()) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in headings:
        table.add_column(heading, header_style="bold", overflow="fold", justify="right" if heading in numbers else "left")
    return table


def by_resolutions(tally: Tally) -> dict[str, dict[str, int]]:
    """Boards by flavour (`all` last) and by whether they have no resolution, one, two or more."""
    rows: dict[str, dict[str, int]] = {}
    for flavour in Flavour:
        for number, boards in tally.resolutions.get(flavour, {}).items():
            column = number if number in ("0", "1", "2", NOT_EXHAUSTED) else "more"
            for name in (str(flavour), "all"):
                row = rows.setdefault(name, dict.fromkeys(("0", "1", "2", "more", NOT_EXHAUSTED), 0))
                row[column] += boards
    return dict(sorted(rows.items(), key=lambda item: item[0] == "all"))


def _resolutions_table(tally: Tally) -> Table:
    columns = ["0", "1", "2", "more"]
    if any(row[NOT_EXHAUSTED] for row in by_resolutions(tally).values()):
        columns.append(NOT_EXHAUSTED)
    table = _table("Boards by number of resolutions", "Flavour", "Boards", *columns, numbers=("Boards", *columns))
    for flavour, row in by_resolutions(tally).items():
        table.add_row(flavour, f"{sum(row.values()):,}", *(f"{row[column]:,}" for column in columns))
    return table


def _sorted_names(tally: Tally) -> list[tuple[str, NameTally]]:
    kinds = list(_KINDS)
    return sorted(tally.names.items(), key=lambda item: (kinds.index(item[1].kind), item[1].order, -item[1].cores, item[0]))


def _names_table(tally: Tally) -> Table:
    numbers = ("Cores", "Boards", "per 1,000", "Shapes", "Units")
    table = _table("Cores", "Kind", "Name", *numbers, "Smallest", numbers=(*numbers, "Smallest"))
    previous = ""
    for name, found in _sorted_names(tally):
        shapes = sum(name in shape.names for shape in tally.shapes.values())
        rate = f"{1000 * found.boards / tally.boards:.2f}"
        kind = found.kind if found.kind != previous else ""
        previous = found.kind
        table.add_row(kind, name, f"{found.cores:,}", f"{found.boards:,}", rate, f"{shapes:,}", *_example(found.smallest))
    return table


def _example(example: Example) -> tuple[str, str]:
    return str(example.units), f"board {example.board}"


def _rulebooks_table(plan: Plan, tally: Tally) -> Table:
    names = sorted({name for pair in tally.differing for name in pair.split(",")} | set(tally.unresolved_by))
    every = f"every {_ordinal(plan.compare_every)} board" if plan.compare_every > 1 else "every board"
    title = f"Where rulebooks leave the units in other places: {every}, {tally.compared:,} in all"
    table = _table(title, "Rulebook", *names, "No answer", numbers=(*names, "No answer"))
    for one in names:
        cells = [_differing(tally, one, other) for other in names]
        table.add_row(one, *cells, f"{tally.unresolved_by.get(one, 0):,}")
    return table


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _differing(tally: Tally, one: str, other: str) -> str:
    if one == other:
        return "·"
    pair = tally.differing.get(",".join(sorted((one, other))))
    return f"{pair.boards:,}" if pair else "0"


def _claims_table(tally: Tally) -> Table:
    numbers = ("Tested", "Violated")
    table = _table("Kruijswijk's claims", "Claim", "says", *numbers, "Counterexamples", numbers=numbers)
    for claim, text in CLAIMS.items():
        tests = tally.claims[claim]
        examples = ", ".join(f"board {found.board}" for found in tests.counterexamples[:5]) or "none"
        table.add_row(claim, text, f"{tests.tested:,}", f"{tests.violations:,}", examples)
    return table


def _footnotes(tally: Tally) -> Iterator[Text]:
    whole, *others = [f"{tally.dependencies.get(finding, 0):,}" for finding in (*ONE_RESOLUTION, OTHERWISE)]
    yield Text(
        f"Cyclic dependencies with one resolution, by what bounds settle: all of it in {whole}, some of it in {others[0]}, "
        f"nothing in {others[1]}. With none or several: {others[2]}."
    )
    if tally.ambiguous_shapes:
        yield Text(f"These names of shapes stand for several shapes each: {', '.join(tally.ambiguous_shapes)}.", style="red")


# ---- the plot ----


def check_plot(path: Path) -> None:
    """Raise `RequestError` if no plot could be written there: an unknown kind of file, or no matplotlib."""
    if path.suffix.lower() not in _PLOTS:
        raise RequestError(f"no plot can be written to {path}", suggestion=f"name a file that ends in {', '.join(_PLOTS)}")
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise RequestError("plots need matplotlib", suggestion="pip install 'satjudge[plot]'") from None


def plot_census(plan: Plan, tally: Tally, path: Path) -> None:
    """Write bar charts: cores by name, boards by number of resolutions, and how often rulebooks part."""
    import matplotlib
    from matplotlib.figure import Figure

    names = _sorted_names(tally)
    pairs = sorted(tally.differing.items(), key=lambda item: (-item[1].boards, item[0]))
    with matplotlib.rc_context({"svg.hashsalt": "satjudge", "svg.fonttype": "none", "font.size": 9}):
        figure = Figure(figsize=(14, 2 + 0.2 * max(len(names), len(pairs), 18)), layout="constrained")
        figure.suptitle(f"{tally.boards:,} random boards, seed {plan.seed}, {plan.rulebook.name}")
        cores, resolutions, rulebooks = figure.subplots(1, 3, width_ratios=(5, 3, 4))
        _bars(cores, [name for name, _ in names], [found.cores for _, found in names])
        for bar, (_, found) in zip(cores.patches, names, strict=True):
            bar.set_facecolor(_KINDS[found.kind])
        cores.set(title="cores", **({"xscale": "log", "xlim": (0.5, None)} if names else {}))
        _stacked(resolutions, tally)
        _bars(rulebooks, [pair.replace(",", " and ") for pair, _ in pairs], [found.boards for _, found in pairs])
        rulebooks.set(title=f"boards on which rulebooks part, of {tally.compared:,}")
        undated = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
        figure.savefig(path, metadata=undated.get(path.suffix.lower()), dpi=120)


def _bars(axes: Axes, labels: Sequence[str], counts: Sequence[int]) -> None:
    axes.bar_label(axes.barh(labels, counts, color="#5c677d"), fmt="{:,.0f}", padding=2, fontsize=7)
    axes.margins(x=0.15, y=0.01)
    axes.invert_yaxis()


def _stacked(axes: Axes, tally: Tally) -> None:
    """The share of boards with no, one, two and more resolutions, flavour by flavour."""
    rows = by_resolutions(tally)
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
