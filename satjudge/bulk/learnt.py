"""Asks the plain path about all orders of a map under a rulebook, and reads what was kept of that in table files.

`models/kernel` has such a file for rulebooks of satjudge on the standard map: of each order of the vocabulary when it is legal
and what it comes to, and of each pair of an order that helps and a move whether they match. Orders to other units than they
name are asked as they come up.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from satjudge.base.errors import NotFoundError, SatjudgeError
from satjudge.base.resources import data_file
from satjudge.bulk.arrays import IN_FULL, LEGAL, NONE
from satjudge.bulk.table_file import columns_of
from satjudge.bulk.wasm.digests import asked_of
from satjudge.bulk.wasm.ready import has_tables, table_file
from satjudge.bulk.wasm.tables import Tables, read_table_file
from satjudge.judging.legality.order_legality import ConvoyQuestion
from satjudge.world.geography import province_of
from satjudge.world.orders import Convoy, Move, Named, SupportMove
from satjudge.world.rules import Rulebook

if TYPE_CHECKING:
    from satjudge.bulk.known import Known
    from satjudge.bulk.vocabulary import Vocabulary


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


def enter(known: Known, tables: Tables) -> None:
    """Enter what is kept into what is known, which is empty so far."""
    found, count = columns_of(tables), known.vocabulary.first_order[-1]
    known.entries[:count, LEGAL:] = found["entries"][:count, LEGAL:]
    codes = (*known.vocabulary.provinces, None)  # the last one, at -1, is no place
    for places in found["questions"][:-1].tolist():
        origin, destination, without, through = (codes[place] for place in places)
        known.questions[ConvoyQuestion(origin or "", destination or "", without, through)] = len(known.questions)
    known.links.fill(*found["links"].reshape(2, -1))


@lru_cache(maxsize=2)
def kept(rulebook: str) -> Tables | None:
    """Read the table file of a rulebook on the standard map; None where there is no such file."""
    try:
        return read_table_file(data_file("models", "kernel", table_file(rulebook)))
    except (OSError, NotFoundError, SatjudgeError):
        return None


def kept_for(vocabulary: Vocabulary, rulebook: Rulebook) -> Tables | None:
    """Read what is kept for a vocabulary under a rulebook; None where there is nothing of just these."""
    if not has_tables(vocabulary.map, rulebook):
        return None
    found = kept(rulebook.name)
    return found if found and found.header.sources == asked_of() else None
