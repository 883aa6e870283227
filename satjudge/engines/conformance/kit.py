"""Makes the kit: a fixed set of questions in parts, from the map, the cases that come with satjudge, and the statement.

Only what tells broken rules takes long to find (`satjudge.engines.conformance.witnesses`). It is kept in `datc_cases/kit`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256

import msgspec

from satjudge.base.errors import RequestError
from satjudge.base.resources import data_file, read_toml
from satjudge.engines.conformance.questions import KitQuestion, questions_of, read_question
from satjudge.engines.positions import AskedPosition, Fuzz
from satjudge.engines.slips import with_slips
from satjudge.notation.sheets import Sheet
from satjudge.notation.shipped import shipped_sheets
from satjudge.oracles.oracle import Answer
from satjudge.world.board import Board, Phase, Unit
from satjudge.world.geography import Map, UnitKind, load_map, province_of
from satjudge.world.orders import Move, Unreadable

COLLECTIONS = ("datc-3.2", "rulebook-1971", "rulebook-1982", "guide-1998", "promoted")
"""The collections from which retreats and adjustments are taken."""


@dataclass(frozen=True)
class Part:
    """A part of the kit: questions about one thing."""

    name: str
    about: str
    make: Callable[[], Iterator[KitQuestion]]
    usual: bool = True
    """Whether the part is asked unless others are named."""

    def lines(self) -> list[bytes]:
        """List the batch lines of the part, with the expected answers."""
        return [question.answered for question in self.make()]


def map_audit(game_map: Map | None = None) -> Iterator[KitQuestion]:
    """Yield a question for every unit alone on the board and every other place where such a unit can be: a move there."""
    game_map = game_map or load_map()
    power = game_map.powers[0]
    for kind in UnitKind:
        places = [place for place in sorted({*game_map.provinces, *game_map.fleet}) if not game_map.problem_with(kind, place)]
        for origin in places:
            unit = Unit(power, kind, origin)
            for destination in places:
                if province_of(origin) != province_of(destination):
                    order = Move(unit.named, destination)
                    yield KitQuestion(str(order), Board((unit,), map=game_map), {power: [order]})


def _movement(collection: str) -> Iterator[KitQuestion]:
    """Yield the movement phases of a collection."""
    return (question for question in _phases([collection]) if question.board.phase is Phase.MOVEMENT)


def _of_phase(phase: Phase) -> Iterator[KitQuestion]:
    """Yield the phases of one kind in all collections, each once."""
    seen: set[bytes] = set()
    for question in _phases(COLLECTIONS):
        same = question.asked.partition(b'"phase"')[2]
        if question.board.phase is phase and same not in seen:
            seen.add(same)
            yield question


def _phases(collections: Iterable[str], *, standard: bool = True) -> Iterator[KitQuestion]:
    """Yield the phases on the standard map, or on others, that can be written as batch lines."""
    for collection in collections:
        for sheet in _sheets(collection):
            if sheet.board.map.is_standard is standard and _can_be_sent(sheet):
                yield from questions_of(sheet)


@cache
def _sheets(collection: str) -> list[Sheet]:
    return shipped_sheets(collection)


KEPT: Mapping[str, tuple[str, ...]] = {
    "clauses": ("equations", "dislodgements", "backup"),
    "legality": ("legality",),
    "retreats": ("retreats",),
    "adjustments": ("adjustments",),
}
"""The parts with questions that `benchmarks/studies/conformance_kit.py` found, with the rooms whose mutations they tell."""


@cache
def kept_questions(part: str) -> tuple[KitQuestion, ...]:
    """Read the questions kept for a part, on all maps: for each mutation of its rooms a small position that tells it."""
    return tuple(map(read_question, data_file("datc_cases", "kit", f"{part}.jsonl").read_bytes().splitlines()))


def all_kept_questions() -> tuple[KitQuestion, ...]:
    """Read the questions kept for all parts."""
    return tuple(question for part in KEPT for question in kept_questions(part))


@cache
def option_witnesses() -> tuple[KitQuestion, ...]:
    """Return the cases of datc_cases/options.toml: for every two values of an option one by which they come out otherwise."""
    listed = read_toml(data_file("datc_cases", "options.toml"), RequestError)["witness"]
    found: dict[bytes, KitQuestion] = {}
    for entry in listed:
        sheet = next(sheet for sheet in _sheets(entry["collection"]) if sheet.identity == entry["case"])
        first, second = ([f"{entry['issue']}={value}"] for value in entry["values"])
        for question in questions_of(sheet, entry["rules"], entry.get("settings", ())):
            by_first, by_second = (question.answer(question.rulebook.with_settings(value)) for value in (first, second))
            if by_first != by_second:
                same = msgspec.json.encode((question.position, question.settings))
                known = found.get(same) or replace(question, name=f"option {len(found) + 1}, {question.name}")
                found[same] = known.telling(f"{entry['issue']}: {' or '.join(entry['values'])}")
    return tuple(found.values())


def _on(questions: Iterable[KitQuestion], standard: bool) -> Iterator[KitQuestion]:
    """Choose the questions on the standard map, or those on others."""
    return (question for question in questions if question.board.map.is_standard is standard)


def _can_be_sent(sheet: Sheet) -> bool:
    """Tell whether all orders of a case can be written: one that cannot be read has no notation."""
    return not any(isinstance(line.order, Unreadable) for line in (*sheet.orders, *sheet.retreats))


def _products() -> Iterator[KitQuestion]:
    """Yield orders of every kind with every mistake in their names, and given more than once or too often."""
    yield from map(read_question, data_file("datc_cases", "kit", "products.jsonl").read_bytes().splitlines())


def _variants() -> Iterator[KitQuestion]:
    """Yield the cases of the rules that maps bring, and the questions that tell such rules broken."""
    yield from _on((*all_kept_questions(), *option_witnesses()), False)
    yield from _phases(("datc-2.4", "promoted", "variants"), standard=False)


def _later(part: str, phase: Phase) -> Iterator[KitQuestion]:
    """Yield the phases of a kind in all cases, and the questions that tell broken rules of that phase."""
    yield from _of_phase(phase)
    yield from _on(kept_questions(part), True)


# ---- boards ----

BOARDS = "boards"
"""The part that is asked in every run."""
BOARD_SEEDS = {"movement": 39, "retreat": 40, "adjustment": 41}
SLIPS = "slips "
"""How the phases of boards begin whose orders are nearly right."""
FixedBoards = dict[str, list[int]]
"""The numbers of boards in the seeds of their phases; `slips movement` are those with slips."""


def board_source(phase: str) -> Fuzz:
    """Return the random boards of a phase from which those of the kit were chosen."""
    return Fuzz(BOARD_SEEDS[phase], phases=(Phase(phase),))


def fixed_board(phase: str, number: int) -> AskedPosition:
    """Draw a random board of a phase by its number, with slips in its orders if the phase says so."""
    position = board_source(phase.removeprefix(SLIPS)).draw(number)
    return with_slips(position) if phase.startswith(SLIPS) else position


def fixed_boards() -> Iterator[KitQuestion]:
    """Yield six hundred boards with orders, drawn at random once.

    Five hundred are chosen so that most circumstances meet on some; the orders of a hundred are nearly right.
    """
    listed = msgspec.json.decode(data_file("datc_cases", "kit", "boards.json").read_bytes(), type=dict[str, list[int]])
    for phase, numbers in listed.items():
        for number in numbers:
            position = fixed_board(phase, number)
            yield KitQuestion(f"board {phase} {number}", position.board, position.orders)


def answers_digest(answers: Iterable[tuple[str, Answer]]) -> str:
    """Return one number for many answers, as perft is for moves in chess: it is the same if all units fare alike.

    It is the beginning of the SHA-256 of a line for each question, in the order of their names: the name, the units afterwards
    (`FRANCE A PAR`), and the dislodged ones with their retreats (`FRANCE A PAR>BUR,GAS`), sorted and with `|` between them.
    """
    return sha256("\n".join(sorted(_line_of(name, answer) for name, answer in answers)).encode()).hexdigest()[:16]


def _line_of(name: str, answer: Answer) -> str:
    units = [f"{power} {unit}" for power, several in answer.units.items() for unit in several]
    lost = [
        f"{power} {unit}>{','.join(sorted(retreats))}"
        for power, several in answer.dislodged.items()
        for unit, retreats in several.items()
    ]
    return "|".join([name, *sorted(units), *sorted(lost)])


PARTS = {
    part.name: part
    for part in (
        Part("map", "every move of one unit alone: borders and coasts", map_audit),
        Part("datc", "the movement phases of the DATC 3.2", lambda: _movement("datc-3.2")),
        Part(
            "catalogue",
            "a position for each known core, the smallest set of orders that decide each other",
            lambda: _movement("catalogue"),
        ),
        Part(
            "clauses",
            "for each clause of the rules the smallest position that an engine without it judges otherwise",
            lambda: _on(kept_questions("clauses"), True),
        ),
        Part(
            "legality",
            "for each rule of legality such a position",
            lambda: _on(kept_questions("legality"), True),
        ),
        Part(
            "options", "for every two values of an option a case that tells them apart", lambda: _on(option_witnesses(), True)
        ),
        Part(
            "retreats",
            "the retreat phases of all cases, and such a position for each rule",
            lambda: _later("retreats", Phase.RETREAT),
        ),
        Part(
            "adjustments",
            "the adjustment phases of all cases, and such a position for each rule",
            lambda: _later("adjustments", Phase.ADJUSTMENT),
        ),
        Part("products", "orders of every kind, named wrongly in every way, repeated, or too many", _products),
        Part(BOARDS, "random boards of all phases, always the same, where orders meet; a hundred with slips", fixed_boards),
        Part("variants", "cases, rules and options of maps with rules of their own", _variants, usual=False),
    )
}


def fingerprint(lines: Iterable[bytes]) -> str:
    """Return a checksum that tells two versions of a part apart: 16 hexadecimal digits."""
    return sha256(b"\n".join(lines)).hexdigest()[:16]


def bare_name(text: str) -> str:
    """Return a name of a question as satjudge writes it: `datc/6.B.12` of the kit and `datc-6.B.12` of pytest are `6.B.12`."""
    part = next((name for name in PARTS if text.startswith((f"{name}/", f"{name}-"))), None)
    return text if part is None else text[len(part) + 1 :]
