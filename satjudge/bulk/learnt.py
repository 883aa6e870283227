"""Keeps what the plain path says of all orders of a map under a rulebook, so that nothing of it need be asked again.

`models/kernel` has such a file for rulebooks of satjudge on the standard map. It holds columns of numbers: of each order of the
vocabulary when it is legal and what it comes to, and of each pair of an order that helps and a move whether they match. Orders
to other units than they name are asked as they come up.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

import msgspec
import numpy

from satjudge.base.errors import NotFoundError
from satjudge.base.resources import data_file
from satjudge.bulk.arrays import COLUMNS, IN_FULL, LEGAL, NONE, LongNumbers
from satjudge.judging.legality.tracked_reads import ConvoyQuestion
from satjudge.world.geography import load_map, province_of
from satjudge.world.orders import Convoy, Move, Named, SupportMove
from satjudge.world.rules import DEFAULT_RULES, Rulebook, load_preset, preset_names

if TYPE_CHECKING:
    from satjudge.bulk.known import Known
    from satjudge.bulk.vocabulary import Vocabulary

FILES = "learnt.json"
"""The file that names, for each rulebook, the file with what is kept of it."""


class Learnt(msgspec.Struct, frozen=True):
    """What is known of all orders, each as bytes of the differences of numbers of 32 or 64 bits."""

    asked_of: int
    """A number of the sources that answered (`asked_of`)."""
    entries: bytes
    questions: bytes
    links: bytes
    matches: bytes


@cache
def asked_of() -> int:
    """Compute a number of all files that decide what the plain path says of orders: while it is the same, so is that."""
    package = Path(__file__).resolve().parents[1]
    sources = [path for place in ("judging/legality", "judging/equations", "world") for path in (package / place).rglob("*.py")]
    ours = [package / "bulk" / f"{name}.py" for name in ("arrays", "known", "learnt", "vocabulary")]
    rulebooks = data_file("models", "rulebooks", f"{DEFAULT_RULES}.toml").parent.glob("*.toml")
    data = [data_file("models", "maps", "standard.toml"), *sorted(rulebooks)]
    found = 0
    for path in (*sorted(sources), *ours, *data):
        found = crc32(path.read_text(encoding="utf-8").encode(), found)
    return found


def learn_all(known: Known) -> None:
    """Ask the plain path about all orders of the vocabulary, and about all pairs that might match."""
    for number in range(known.vocabulary.first_order[-1]):
        known.learn_entry(number)
    for key in _pairs(known):
        known.learn_link(key)
    known.as_arrays()


def _pairs(known: Known) -> Iterator[int]:
    """List the keys of all pairs of a support or convoy with a move to the same province."""
    orders = known.vocabulary.orders[: known.vocabulary.first_order[-1]]
    full = {int(number) for number in known.entries[: len(orders), IN_FULL] if number != NONE}
    moves: dict[tuple[Named, str], list[int]] = {}
    for number in sorted(full):
        if isinstance(order := orders[number], Move):
            moves.setdefault((order.unit, province_of(order.destination)), []).append(number)
    for number in sorted(full):
        order = orders[number]
        if isinstance(order, SupportMove | Convoy):
            helped = order.supported if isinstance(order, SupportMove) else order.convoyed
            yield from (number << 24 | move for move in moves.get((helped, province_of(order.destination)), ()))


def written(known: Known) -> bytes:
    """Write what is known of the orders of the vocabulary."""
    learn_all(known)
    links = known.links.array
    used = numpy.sort(links[:, 0][links[:, 0] != NONE])
    matches = [known.links[key] for key in used.tolist()]
    entries = known.entries[: known.vocabulary.first_order[-1], LEGAL:]
    columns = (entries.T.ravel(), known.question_rows[:-1].T.ravel(), used, matches)
    return zlib.compress(msgspec.msgpack.encode(Learnt(asked_of(), *map(_packed, columns))), 9)


def enter(known: Known, learnt: Learnt) -> None:
    """Enter what is kept into what is known, which is empty so far."""
    count = known.vocabulary.first_order[-1]
    known.entries[:count, LEGAL:] = _unpacked(learnt.entries).reshape(COLUMNS - LEGAL, count).T
    codes = (*known.vocabulary.provinces, None)  # the last one, at -1, is no place
    for places in _unpacked(learnt.questions).reshape(4, -1).T.tolist():
        origin, destination, without, through = (codes[place] for place in places)
        known.questions[ConvoyQuestion(origin or "", destination or "", without, through)] = len(known.questions)
    known.links.fill(_unpacked(learnt.links), _unpacked(learnt.matches))


def _packed(numbers: Any) -> bytes:  # noqa: ANN401  # an array or a list
    """Write the differences of numbers byte by byte, all first bytes before all second ones, as they compress best."""
    differences = numpy.diff(numpy.asarray(numbers, numpy.int64), prepend=0)
    return differences.astype("<i8").view(numpy.uint8).reshape(-1, 8).T.tobytes()


def _unpacked(data: bytes) -> LongNumbers:
    parts = numpy.frombuffer(data, numpy.uint8).reshape(8, -1).T
    return numpy.ascontiguousarray(parts).view("<i8").ravel().cumsum()


@lru_cache(maxsize=2)
def kept(rulebook: str) -> Learnt | None:
    """Read what is kept of a rulebook on the standard map; None where there is no such file."""
    try:
        files = msgspec.json.decode(data_file("models", "kernel", FILES).read_bytes(), type=dict[str, str])
        data = data_file("models", "kernel", files[rulebook]).read_bytes()
        return msgspec.msgpack.decode(zlib.decompress(data), type=Learnt)
    except (OSError, NotFoundError, KeyError, zlib.error, msgspec.DecodeError):
        return None


def kept_for(vocabulary: Vocabulary, rulebook: Rulebook) -> Learnt | None:
    """Read what is kept for a vocabulary under a rulebook; None where there is nothing of just these."""
    if vocabulary.map is not load_map() or rulebook.name not in preset_names() or rulebook != load_preset(rulebook.name):
        return None
    found = kept(rulebook.name)
    return found if found and found.asked_of == asked_of() else None
