"""Numbers the sources from which the kernel and its tables were made, so that those of other sources are passed over.

Only in a checkout can they be others; an installed package is what it was made as.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from zlib import crc32

from satjudge.base.resources import data_file
from satjudge.world.rules import DEFAULT_RULES

_PACKAGE = Path(__file__).resolve().parents[2]
KERNELS = ("kernel", "line_kernel", "later_kernel", "load_kernel", "step_kernel", "play_kernel")
"""The modules of `satjudge.bulk` that are printed."""
_PRINTED = (
    *("bulk/arrays", "bulk/kernel_source", "bulk/translate", "bulk/wasm/printer", "judging/outcome"),
    *("judging/legality/dockets", "judging/retreats", "world/rules/__init__", "world/verdicts"),
    *(f"bulk/{name}" for name in KERNELS),
    *("bulk/wasm/ready", "bulk/wasm/sources"),
)
_ASKED = (
    *("judging/adjustments", "judging/retreats", "notation/parse", "bulk/arrays", "bulk/causes", "bulk/duties"),
    *("bulk/known", "bulk/learnt", "notation/map_vocabulary", "bulk/table_facts", "bulk/table_file", "bulk/vocabulary"),
)
_ASKED_ROOMS = ("judging/legality", "judging/equations", "world")


@cache
def is_checkout() -> bool:
    """Tell whether the package stands in a checkout, whose sources may change."""
    return _PACKAGE.with_name("pyproject.toml").is_file()


@cache
def written_from() -> int:
    """Compute a number of all files that decide what is printed: while it is the same, so is the text."""
    equations = sorted((_PACKAGE / "judging" / "equations").glob("*.py"))
    return _number_of((*_modules(_PRINTED), *equations, *_rulebooks()))


@cache
def asked_of() -> int:
    """Compute a number of all files that decide what the plain path says of orders: while it is the same, so is that."""
    rooms = (path for room in _ASKED_ROOMS for path in sorted((_PACKAGE / room).rglob("*.py")))
    return _number_of((*rooms, *_modules(_ASKED), data_file("models", "maps", "standard.toml"), *_rulebooks()))


def _modules(names: Iterable[str]) -> Iterator[Path]:
    return (_PACKAGE / f"{name}.py" for name in names)


def _rulebooks() -> list[Path]:
    return sorted(data_file("models", "rulebooks", f"{DEFAULT_RULES}.toml").parent.glob("*.toml"))


def _number_of(files: Iterable[Path]) -> int:
    found = 0
    for path in files:
        found = crc32(path.read_bytes().replace(b"\r\n", b"\n"), found)
    return found
