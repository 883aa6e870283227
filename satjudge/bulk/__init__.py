"""Judges many boards at once: arrays (docs/guides/arrays.md), batch lines, census, counts, random positions.

`Vocabulary` numbers the units and orders of a map, and `Judge` judges arrays of these numbers. The compiled kernel (written in
`kernel`, run by `wasm`) judges them and answers batch lines from tables of facts (`tables`), and leaves the rest to the Python
code. Its equations are not written a second time: `release/kernel` makes them from `satjudge.judging.equations.statement`.

Other rooms use the modules in `__all__`; the rest is private to this room.
"""

from typing import TYPE_CHECKING

from satjudge.base.imports import make_lazy_getattr as _lazily
from satjudge.base.imports import require_packages as _require_packages

if TYPE_CHECKING:
    from satjudge.bulk import vocabulary as vocabulary
    from satjudge.bulk.games import Games as Games
    from satjudge.bulk.judge import FATES as FATES
    from satjudge.bulk.judge import RESULTS as RESULTS
    from satjudge.bulk.judge import Judge as Judge
    from satjudge.bulk.judge import Outcomes as Outcomes
    from satjudge.bulk.position_counts import Count as Count
    from satjudge.bulk.random_boards.boards import MIX as MIX
    from satjudge.bulk.random_boards.boards import SIZES as SIZES
    from satjudge.bulk.random_boards.boards import Flavour as Flavour
    from satjudge.bulk.random_boards.boards import random_board as random_board
    from satjudge.bulk.vocabulary import KINDS as KINDS
    from satjudge.bulk.vocabulary import Vocabulary as Vocabulary
else:
    _OFFERED = {
        "satjudge.bulk.random_boards.boards": ("MIX", "SIZES", "Flavour", "random_board"),
        "satjudge.bulk.position_counts": ("Count",),
        "satjudge.bulk.games": ("Games",),
        "satjudge.bulk.judge": ("FATES", "RESULTS", "Judge", "Outcomes"),
        "satjudge.bulk.vocabulary": ("KINDS", "Vocabulary"),
    }
    _found = _lazily(__name__, _OFFERED, vocabulary="satjudge.bulk.vocabulary")

    def __getattr__(name: str) -> object:
        with _require_packages("satjudge.bulk", "numpy", "wasmtime"):
            return _found(name)


__all__ = [
    "batch",
    "census",
    "chunked_runs",
    "games",
    "kernel",
    "position_counts",
    "random_boards",
    "tables",
    "tallies",
    "vocabulary",
    "wasm",
]
