"""Plots the measurements."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
from measuring import Figure

mpl.use("svg")
mpl.rcParams["svg.hashsalt"] = "satjudge"  # the same figures make the same file

CURVES = {
    ("process() by size", ""): "process() of diplomacy",
    ("engine full", ", with a core"): "judge with the engine full, boards with a core",
    ("engine full", ""): "judge with the engine full",
    ("judge by size", ""): "judge",
}
"""Sections, the names in them after "34 units", and what to call the curve."""


def plot(figures: Sequence[Figure], path: Path) -> None:
    """The cost of a board against the number of its units: medians, with the range between the quartiles."""
    drawing, axes = plt.subplots(figsize=(6.4, 4))
    for (section, suffix), label in CURVES.items():
        found = [(int(size[1]), figure.values) for figure in figures if figure.section == section
                 and (size := re.fullmatch(rf"(\d+) units{suffix}", figure.name))]  # fmt: skip
        sizes = [size for size, _ in found]
        axes.plot(sizes, [values.median for _, values in found], marker="o", label=label)
        axes.fill_between(sizes, [values.low for _, values in found], [values.high for _, values in found], alpha=0.25)
    axes.set_xlabel("units")
    axes.set_ylabel("milliseconds (median, quartiles)")
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter("{x:g}")
    axes.grid(visible=True, which="both", alpha=0.3)
    axes.legend(fontsize="small")
    drawing.tight_layout()
    drawing.savefig(path, metadata={"Date": None})
    plt.close(drawing)
