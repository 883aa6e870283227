"""The kit: a fixed set of questions in parts, made from the map, the cases that come with satjudge, and the statement.

Only the part `clauses` takes long to make (`satjudge.conformance.witnesses`). It is kept in `datc_cases/kit/clauses.jsonl`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256

import msgspec

from satjudge import __version__
from satjudge.board import Board, Phase, Unit
from satjudge.conformance.questions import Question, questions_of
from satjudge.geography import Map, UnitKind, load_map, province_of
from satjudge.notation.sheets import Sheet, shipped_sheets
from satjudge.orders import Move, Unreadable

COLLECTIONS = ("datc-3.2", "rulebook-1971", "rulebook-1982", "guide-1998", "promoted")
"""Where the retreats and adjustments are taken from."""


@dataclass(frozen=True)
class Part:
    """Questions about one thing."""

    name: str
    about: str
    make: Callable[[], Iterator[Question]]

    def lines(self) -> list[bytes]:
        """Its batch lines with the answers that are expected."""
        return [question.answered for question in self.make()]


def map_audit(game_map: Map | None = None) -> Iterator[Question]:
    """Every unit that can be, alone on the board, with a move to every other place where such a unit can be."""
    game_map = game_map or load_map()
    power = game_map.powers[0]
    for kind in UnitKind:
        places = [place for place in sorted({*game_map.provinces, *game_map.fleet}) if not game_map.problem_with(kind, place)]
        for origin in places:
            unit = Unit(power, kind, origin)
            for destination in places:
                if province_of(origin) != province_of(destination):
                    order = Move(unit.named, destination)
                    yield Question(str(order), Board((unit,), map=game_map), {power: [order]})


def _movement(collection: str) -> Iterator[Question]:
    """The movement phases of a collection."""
    return (question for question in _phases([collection]) if question.board.phase is Phase.MOVEMENT)


def _of_phase(phase: Phase) -> Iterator[Question]:
    """The phases of that kind in all collections, each once."""
    seen: set[bytes] = set()
    for question in _phases(COLLECTIONS):
        same = question.asked.partition(b'"phase"')[2]
        if question.board.phase is phase and same not in seen:
            seen.add(same)
            yield question


def _phases(collections: Iterable[str]) -> Iterator[Question]:
    """The phases on the standard map that can be written as batch lines."""
    for collection in collections:
        for sheet in _sheets(collection):
            if sheet.board.map.is_standard and _can_be_sent(sheet):
                yield from questions_of(sheet)


@cache
def _sheets(collection: str) -> list[Sheet]:
    return shipped_sheets(collection)


def _can_be_sent(sheet: Sheet) -> bool:
    """Whether all orders of a case can be written: one that cannot be read has no notation."""
    return not any(isinstance(line.order, Unreadable) for line in (*sheet.orders, *sheet.retreats))


PARTS = {
    part.name: part
    for part in (
        Part("map", "every move of one unit alone: borders and coasts", map_audit),
        Part("datc", "the movement phases of the DATC 3.2", lambda: _movement("datc-3.2")),
        Part("catalogue", "the smallest position with each core that is known", lambda: _movement("catalogue")),
        Part("retreats", "the retreat phases of all cases", lambda: _of_phase(Phase.RETREAT)),
        Part("adjustments", "the adjustment phases of all cases", lambda: _of_phase(Phase.ADJUSTMENT)),
    )
}


def index(parts: Mapping[str, Sequence[bytes]]) -> bytes:
    """What `kit.json` holds: each part with its number of questions, and what tells two versions of it apart."""
    told = {
        name: {"about": PARTS[name].about, "questions": len(lines), "fingerprint": fingerprint(lines)}
        for name, lines in parts.items()
    }
    return msgspec.json.format(msgspec.json.encode({"satjudge": __version__, "parts": told}), indent=2) + b"\n"


def fingerprint(lines: Iterable[bytes]) -> str:
    """What tells two versions of a part apart: 16 hexadecimal digits."""
    return sha256(b"\n".join(lines)).hexdigest()[:16]
