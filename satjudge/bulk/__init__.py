"""Judges many boards at once: arrays (docs/guides/arrays.md), batch lines, census, counts, drawn boards.

`Vocabulary` numbers the units and orders of a map, and `Judge` judges arrays of these numbers. The compiled path
(`kernel`, run in `wasm`) judges them and answers batch lines by what the plain path has told it (`known`), and leaves the rest
to the plain path. The equations in it are not written a second time: `translate` makes them from
`satjudge.judging.equations.statement`.

Other rooms use the modules in `__all__`; the rest is private to this room.
"""

from typing import TYPE_CHECKING

from satjudge.base.imports import make_lazy_getattr as _lazily
from satjudge.base.imports import require_packages as _require_packages

if TYPE_CHECKING:
    from satjudge.bulk import vocabulary as vocabulary
    from satjudge.bulk.boards import MIX as MIX
    from satjudge.bulk.boards import SIZES as SIZES
    from satjudge.bulk.boards import Flavour as Flavour
    from satjudge.bulk.boards import random_board as random_board
    from satjudge.bulk.counts import Count as Count
    from satjudge.bulk.games import Games as Games
    from satjudge.bulk.judge import FATES as FATES
    from satjudge.bulk.judge import RESULTS as RESULTS
    from satjudge.bulk.judge import Judge as Judge
    from satjudge.bulk.judge import Outcomes as Outcomes
    from satjudge.bulk.vocabulary import KINDS as KINDS
    from satjudge.bulk.vocabulary import Vocabulary as Vocabulary
else:
    _OFFERED = {
        "satjudge.bulk.boards": ("MIX", "SIZES", "Flavour", "random_board"),
        "satjudge.bulk.counts": ("Count",),
        "satjudge.bulk.games": ("Games",),
        "satjudge.bulk.judge": ("FATES", "RESULTS", "Judge", "Outcomes"),
        "satjudge.bulk.vocabulary": ("KINDS", "Vocabulary"),
    }
    _found = _lazily(__name__, _OFFERED, vocabulary="satjudge.bulk.vocabulary")

    def __getattr__(name: str) -> object:
        with _require_packages("satjudge.bulk", "numpy", "wasmtime"):
            return _found(name)


__all__ = [
    "arrays",
    "available",
    "batch",
    "boards",
    "census",
    "documents",
    "games",
    "table_facts",
    "tallies",
    "vocabulary",
]
