"""Makes the kit: a fixed set of questions in parts, each a position with orders and a rulebook's answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from typing import Any, TypeAlias

import msgspec

from satjudge.base.errors import RequestError, UnresolvedError, kind_and_message
from satjudge.base.resources import data_file, read_toml
from satjudge.engines.positions import AskedPosition, Fuzz, add_slips, parse_position
from satjudge.explain.documents import make_phase_fields
from satjudge.files.batch_lines import Request, RequestReader, make_position_fields, read_request
from satjudge.judging.judge import AnyOutcome, judge_parsed_orders
from satjudge.judging.outcome import Outcome
from satjudge.notation.bundled_cases import read_collection
from satjudge.notation.sheets import Sheet
from satjudge.oracles.oracle import Answer
from satjudge.world.board import Board, Phase, Unit, by_power
from satjudge.world.geography import Map, UnitKind, load_map, province_of
from satjudge.world.orders import Move, Orders, Unreadable
from satjudge.world.rules import DEFAULT_RULES, Rulebook, load_rulebook

Judge: TypeAlias = Callable[[Board, Orders, Rulebook], AnyOutcome]
"""A function that judges: `judge_parsed_orders`, or that of a judge with a mutation."""


@dataclass(frozen=True, eq=False)
class KitQuestion:
    """A position of any phase with its orders, and the rulebook that gives the expected answer."""

    name: str
    board: Board
    orders: Orders
    rules: str = DEFAULT_RULES
    settings: tuple[str, ...] = ()
    """Settings that replace those of the rulebook: `4.A.2=all-hold`."""
    tells: tuple[str, ...] = ()
    """The mistakes that the question reveals, or the values of an option that it distinguishes, under this rulebook."""
    proved: tuple[str, ...] = ()
    """The mistakes, among these, that no position with fewer units reveals under this rulebook."""

    @property
    def rulebook(self) -> Rulebook:
        """The rulebook with its settings."""
        return load_rulebook(self.rules).with_settings(self.settings)

    @property
    def needs(self) -> tuple[bool, int, bool]:
        """The needs beyond the defaults: whether another map, how many settings, whether another rulebook."""
        return not self.board.map.is_standard, len(self.settings), self.rules != DEFAULT_RULES

    @property
    def is_usual(self) -> bool:
        """True if every engine can be asked the question: it is on the standard map and under the default rulebook."""
        return not any(self.needs)

    @property
    def position(self) -> dict[str, Any]:
        """The position as the data of a batch line, without a name and an answer."""
        orders = {power: [str(order) for order in given] for power, given in self.orders.items() if given}
        line = {"phase": str(self.board.phase), "rules": self.rules, **make_position_fields(self.board)}
        return {**line, "units": by_power(self.board.units), "orders": orders}

    @property
    def question_line(self) -> bytes:
        """The batch line that asks the question."""
        return msgspec.json.encode({"id": self.name, **self.position})

    @property
    def answered_line(self) -> bytes:
        """The batch line with the question, its expected answer and its purpose (docs/guides/conformance.md)."""
        more: dict[str, Any] = {"expected_settings": self.settings} if self.settings else {}
        more |= {"expected_to_tell": self.tells} if self.tells else {}
        more |= {"expected_proved": self.proved} if self.proved else {}
        return msgspec.json.encode({"id": self.name, **self.position, "expected": self.make_answer(self.rulebook), **more})

    def with_purpose(self, name: str) -> KitQuestion:
        """Return the question with one more mistake or option, by name, in its purpose `tells`."""
        return replace(self, tells=(*self.tells, name))

    def make_answer(self, rulebook: Rulebook, judge: Judge = judge_parsed_orders) -> dict[str, Any]:
        """Judge the question under a rulebook; return the fields of its answer, or `{"error": …}` if there is none."""
        try:
            fields = make_phase_fields(judge(self.board, self.orders, rulebook))
        except UnresolvedError as error:
            return {"error": {"kind": kind_and_message(error)[0]}}
        return {key: fields[key] for key in ("results", "dislodged", "units", "automatic") if key in fields}


def iter_questions(sheet: Sheet, rules: str | None = None, settings: Sequence[str] = ()) -> Iterator[KitQuestion]:
    """Yield the question of a case, under its own rulebook or `rules`, and then that of its retreats, if it has any."""
    rules, orders = rules or sheet.rules, sheet.orders_by_power()
    question = KitQuestion(sheet.identity, sheet.board, orders, rules, tuple(settings))
    yield question
    if sheet.retreats:
        outcome = judge_parsed_orders(sheet.board, orders, question.rulebook)
        assert isinstance(outcome, Outcome)
        yield KitQuestion(
            f"{sheet.identity}/retreats", outcome.retreat_board, sheet.retreats_by_power(), rules, tuple(settings)
        )


class _Line(Request):
    """A line of a kit file."""

    expected_settings: tuple[str, ...] = ()
    expected_to_tell: tuple[str, ...] = ()
    expected_proved: tuple[str, ...] = ()


class _LineName(msgspec.Struct):
    """A line of a kit file, of which only the name is read."""

    id: str


def read_name(line: bytes) -> str:
    """Return the name of the question in a batch line."""
    return msgspec.json.decode(line, type=_LineName).id


def read_question(line: bytes) -> KitQuestion:
    """Parse a question from a line of a kit file.

    Raises `InputError`.
    """
    reader = RequestReader(request := read_request(line, _Line))
    expectations = request.rules or DEFAULT_RULES, request.expected_settings, request.expected_to_tell, request.expected_proved
    return KitQuestion(str(request.id), reader.board(), reader.orders(), *expectations)


# ---- the parts of the kit: from the map, the cases that come with satjudge, and the statement ----
#
# Questions that reveal broken rules take long to find (`benchmarks/studies/conformance_kit.py`), so `datc_cases/kit` has them.

COLLECTIONS = ("datc-3.2", "rulebook-1971", "rulebook-1982", "guide-1998", "promoted")
"""The collections from which questions about retreats and adjustments are taken."""


@dataclass(frozen=True)
class Part:
    """A part of the kit: questions about one subject."""

    name: str
    about: str
    make: Callable[[], Iterator[KitQuestion]]
    usual: bool = True
    """Whether the part is asked by default."""


def iter_map_questions(game_map: Map | None = None) -> Iterator[KitQuestion]:
    """Yield a question for every move of a lone unit from any place to any other place that suits its kind."""
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


def _iter_movement_questions(collection: str) -> Iterator[KitQuestion]:
    """Yield a collection's questions about movement phases on the standard map."""
    return (question for question in _iter_case_questions([collection]) if question.board.phase is Phase.MOVEMENT)


def _iter_phase_questions(phase: Phase) -> Iterator[KitQuestion]:
    """Yield the questions about one phase from all collections, on the standard map, without repeated positions."""
    seen: set[bytes] = set()
    for question in _iter_case_questions(COLLECTIONS):
        same = question.question_line.partition(b'"phase"')[2]
        if question.board.phase is phase and same not in seen:
            seen.add(same)
            yield question


def _iter_case_questions(collections: Iterable[str], *, standard: bool = True) -> Iterator[KitQuestion]:
    """Yield the collections' questions on the standard map, or on other maps if `standard` is false, that fit a batch line."""
    for collection in collections:
        for sheet in _load_sheets(collection):
            if sheet.board.map.is_standard is standard and _can_be_sent(sheet):
                yield from iter_questions(sheet)


@cache
def _load_sheets(collection: str) -> list[Sheet]:
    return read_collection(collection)


KEPT: Mapping[str, tuple[str, ...]] = {
    "clauses": ("equations", "dislodgements", "backup"),
    "legality": ("legality",),
    "retreats": ("retreats",),
    "adjustments": ("adjustments",),
}
"""The parts with stored questions, each with the groups of rules whose mutations its questions reveal."""


@cache
def load_stored_questions(part: str) -> tuple[KitQuestion, ...]:
    """Load the stored questions of a part, on all maps: small positions that reveal the mutations of its rules."""
    return tuple(map(read_question, data_file("datc_cases", "kit", f"{part}.jsonl").read_bytes().splitlines()))


def load_all_stored_questions() -> tuple[KitQuestion, ...]:
    """Load the stored questions of all parts, on all maps."""
    return tuple(question for part in KEPT for question in load_stored_questions(part))


@cache
def list_option_questions() -> tuple[KitQuestion, ...]:
    """Return the questions of datc_cases/options.toml, which distinguish any two values of each option."""
    listed = read_toml(data_file("datc_cases", "options.toml"), RequestError)["witness"]
    found: dict[bytes, KitQuestion] = {}
    for entry in listed:
        sheet = next(sheet for sheet in _load_sheets(entry["collection"]) if sheet.identity == entry["case"])
        first, second = ([f"{entry['issue']}={value}"] for value in entry["values"])
        for question in iter_questions(sheet, entry["rules"], entry.get("settings", ())):
            by_first, by_second = (question.make_answer(question.rulebook.with_settings(value)) for value in (first, second))
            if by_first != by_second:
                same = msgspec.json.encode((question.position, question.settings))
                known = found.get(same) or replace(question, name=f"option {len(found) + 1}, {question.name}")
                found[same] = known.with_purpose(f"{entry['issue']}: {' or '.join(entry['values'])}")
    return tuple(found.values())


def _filter_by_map(questions: Iterable[KitQuestion], standard: bool) -> Iterator[KitQuestion]:
    """Yield the questions on the standard map or, if `standard` is false, those on other maps."""
    return (question for question in questions if question.board.map.is_standard is standard)


def _can_be_sent(sheet: Sheet) -> bool:
    """Return whether all orders of a case can be written in a batch line, so that none is unreadable."""
    return not any(isinstance(line.order, Unreadable) for line in (*sheet.orders, *sheet.retreats))


def _iter_naming_questions() -> Iterator[KitQuestion]:
    """Yield the stored questions with every kind of wrongly named units, repeated orders and too many orders."""
    yield from map(read_question, data_file("datc_cases", "kit", "products.jsonl").read_bytes().splitlines())


def _iter_variant_questions() -> Iterator[KitQuestion]:
    """Yield all questions on maps other than the standard map, which may have special rules."""
    yield from _filter_by_map((*load_all_stored_questions(), *list_option_questions()), False)
    yield from _iter_case_questions(("datc-2.4", "promoted", "variants"), standard=False)


def _iter_part_questions(part: str, phase: Phase) -> Iterator[KitQuestion]:
    """Yield the questions about one phase from all cases, then the stored ones of a part, on the standard map."""
    yield from _iter_phase_questions(phase)
    yield from _filter_by_map(load_stored_questions(part), True)


# ---- boards ----

BOARDS = "boards"
"""The name of the part with random boards."""
BOARD_SEEDS = {"movement": 39, "retreat": 40, "adjustment": 41}
SLIPS = "slips "
"""The prefix of a phase for boards with slightly wrong orders."""


def get_board_source(phase: str) -> Fuzz:
    """Return the source of random boards from which the kit's boards of a phase are drawn."""
    return Fuzz(BOARD_SEEDS[phase], phases=(Phase(phase),))


def draw_fixed_board(phase: str, number: int) -> AskedPosition:
    """Draw the random board of a phase with this number; if the phase begins with `slips`, its orders are slightly wrong."""
    position = get_board_source(phase.removeprefix(SLIPS)).get_position(number)
    return add_slips(position) if phase.startswith(SLIPS) else position


def iter_fixed_boards() -> Iterator[KitQuestion]:
    """Yield the six hundred fixed boards of the kit as questions.

    Five hundred random boards were chosen to cover most combinations of circumstances; a hundred have slightly wrong orders.
    """
    by_phase = msgspec.json.decode(data_file("datc_cases", "kit", "boards.json").read_bytes(), type=dict[str, list[int]])
    for phase, numbers in by_phase.items():
        for number in numbers:
            position = draw_fixed_board(phase, number)
            yield KitQuestion(f"board {phase} {number}", position.board, position.orders)


NO_EVIDENCE = ("map", "boards", "variants")
"""Parts that are not used as evidence from the start: lone moves, random boards and other maps."""


def list_evidence_positions() -> list[AskedPosition]:
    """List the kit's positions that are evidence for settings and faults, without duplicates."""
    found: dict[str, AskedPosition] = {}
    for part in PARTS.values():
        for question in part.make() if part.name not in NO_EVIDENCE else ():
            with suppress(RequestError):
                position = parse_position(question.question_line)
                found.setdefault(position.key, position)
    return list(found.values())


def digest_answers(answers: Iterable[tuple[str, Answer]]) -> str:
    """Return a hash of named answers, in 16 hexadecimal digits, which depends only on where all units end up.

    The hash is the beginning of the SHA-256 of sorted lines, one for each question. A line contains the question's name, the
    units afterwards (`FRANCE A PAR`), and dislodged units with their retreats (`FRANCE A PAR>BUR,GAS`), sorted and separated by
    `|`.
    """
    return sha256("\n".join(sorted(_format_answer_line(name, answer) for name, answer in answers)).encode()).hexdigest()[:16]


def _format_answer_line(name: str, answer: Answer) -> str:
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
        Part("map", "every move of a single unit, to test borders and coasts", iter_map_questions),
        Part("datc", "the movement phases of the DATC 3.2", lambda: _iter_movement_questions("datc-3.2")),
        Part(
            "catalogue",
            "the smallest position with each known core",
            lambda: _iter_movement_questions("catalogue"),
        ),
        Part(
            "clauses",
            "for each clause of the rules, the smallest position that an engine without the clause judges wrongly",
            lambda: _filter_by_map(load_stored_questions("clauses"), True),
        ),
        Part(
            "legality",
            "for each rule about legal orders, a position that an engine without the rule judges wrongly",
            lambda: _filter_by_map(load_stored_questions("legality"), True),
        ),
        Part(
            "options",
            "for every pair of values of an option, a position with different results",
            lambda: _filter_by_map(list_option_questions(), True),
        ),
        Part(
            "retreats",
            "the retreat phases of all cases, and for each rule a position that an engine without the rule judges wrongly",
            lambda: _iter_part_questions("retreats", Phase.RETREAT),
        ),
        Part(
            "adjustments",
            "the adjustment phases of all cases, and for each rule a position that an engine without the rule judges wrongly",
            lambda: _iter_part_questions("adjustments", Phase.ADJUSTMENT),
        ),
        Part("products", "orders with mistakes of every kind, repeated orders, and too many orders", _iter_naming_questions),
        Part(BOARDS, "random boards of all phases, the same each time; 100 of them have mistyped orders", iter_fixed_boards),
        Part("variants", "cases, rules and options of maps with special rules", _iter_variant_questions, usual=False),
    )
}


def compute_fingerprint(lines: Iterable[bytes]) -> str:
    """Return a checksum of a part's lines, in 16 hexadecimal digits, which identifies the version of the part."""
    return sha256(b"\n".join(lines)).hexdigest()[:16]


def normalize_name(text: str) -> str:
    """Remove the part from a question's name: `datc/6.B.12` (in the kit) and `datc-6.B.12` (in pytest) become `6.B.12`."""
    part = next((name for name in PARTS if text.startswith((f"{name}/", f"{name}-"))), None)
    rest = text[len(part) + 1 :] if part else text
    return rest if part != "catalogue" or rest.startswith("catalogue-") else text  # its cores are named `catalogue-1C1M1S-…`
