"""Answers batch lines one by one in a sandbox, bytes in and bytes out (`satjudge.bulk.line_kernel`)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate
from threading import Lock
from typing import Any

import msgspec
import numpy
from numpy.typing import NDArray

from satjudge.base.errors import NotationError
from satjudge.bulk.arrays import *
from satjudge.bulk.duties import Duties
from satjudge.bulk.judge import FATES, MOST_COLUMNS, RESULTS
from satjudge.bulk.known import HashTable, Known
from satjudge.bulk.wasm.boards import one_board
from satjudge.bulk.wasm.kernel import describe, lay_out, view
from satjudge.bulk.wasm.sandbox import Sandbox
from satjudge.files.batch_lines import LONGEST_NAME
from satjudge.notation.parse import parse_location, parse_order, parse_unit
from satjudge.world.board import Phase
from satjudge.world.geography import Power, UnitKind, normal
from satjudge.world.verdicts import OrderResult, Verdict

LONGEST = 20_000
"""The most bytes of a line; longer ones are left to the plain path."""
_LONGEST_ANSWER = 100_000
_MOST_TEXTS = 400
"""The largest number of powers, units or orders in a line."""
_ROUNDS = 12
"""The most times that a line is asked again, after what it wanted was learnt."""
_MOST_KEPT = 200_000
"""The largest number of texts that are kept."""
_KEYS = ("id", "units", "orders", "phase", "dislodged", "centers")
"""The keys of a request in the order of `KEY_ID` and the others."""
_VERDICTS = [str(Verdict.of(result, fate)) for result in RESULTS for fate in FATES]


class LineAnswerer:
    """Answers lines for one map and rulebook."""

    def __init__(self, code: bytes, names: Mapping[str, str], known: Known) -> None:
        self.known, self.vocabulary = known, known.vocabulary
        self._code, self._name = code, names["answer_line"]
        self._sandbox = Sandbox(code)
        self._lock = Lock()
        self._said, self._said_from = self._sentences()
        ranked = sorted(range(len(self.vocabulary.locations)), key=self.vocabulary.locations.__getitem__)
        self._ranked = numpy.array(ranked, numpy.int32)
        duties = Duties(self.vocabulary, known.rulebook)
        self._of_powers, self._away, self._alphabet = duties.of_powers(), duties.away(), duties.alphabet()
        texts = self.vocabulary.texts[: self.vocabulary.first_order[-1]]
        self._named_from = numpy.array([0, *accumulate(map(len, texts))], numpy.int32)
        self._begin_anew()

    def _begin_anew(self) -> None:
        """Forget all texts."""
        self._texts, self._pool = HashTable(3), bytearray()
        self._powers: dict[Power, int] = {power: number for number, power in enumerate(self.vocabulary.powers)}
        self._duties = Duties(self.vocabulary, self.known.rulebook)
        self._enter_canonical()
        for kind, texts in ((OF_KEYS, _KEYS), (OF_PHASES, Phase)):
            for number, text in enumerate(texts):
                self._enter(text.encode(), kind, number)
        self._version = -1

    def _sentences(self) -> tuple[NDArray[numpy.uint8], Numbers]:
        """Lay out the texts of answers end to end."""
        around = ['{"id":', "null", ',"results":{', '},"dislodged":{', '},"units":{', '},"resolutions":']
        around += [',"complete":true,"rulings":[', '{"rule":', ',"core":[', "]}"]
        around += [f'"{word}"' for word in (OrderResult.ILLEGAL, OrderResult.SUCCEEDS, OrderResult.FAILS)]
        around += ['},"automatic":{', "}}", *(f'"{rule}"' for rule in self.known.rules)]
        locations = self.vocabulary.locations
        texts = {SAY_ID + number: text for number, text in enumerate(around)}
        texts |= {SAY_VERDICT + number: f'"{text}"' for number, text in enumerate(_VERDICTS)}
        texts |= {SAY_UNIT + number: f'"{unit}"' for number, unit in enumerate(self.vocabulary.units)}
        texts |= {SAY_LOCATION + number: f'"{place}"' for number, place in enumerate(locations)}
        assert len(FATES) == FATES_OF_VERDICT
        assert len(_VERDICTS) <= MOST_VERDICTS
        assert len(self.vocabulary.units) <= MOST_UNITS
        parts = [texts.get(number, "").encode() for number in range(SAY_LOCATION + len(locations))]
        starts = numpy.array([0, *accumulate(map(len, parts))], numpy.int32)
        return numpy.frombuffer(b"".join(parts), numpy.uint8), starts

    # What texts mean.

    def _enter_canonical(self) -> None:
        """Enter the texts of all orders and units as satjudge writes them, which mean just these."""
        vocabulary = self.vocabulary
        orders, units = vocabulary.texts[: vocabulary.first_order[-1]], list(map(str, vocabulary.units))
        texts = numpy.array([*orders, *units], numpy.bytes_)
        lengths = numpy.char.str_len(texts)
        kinds = numpy.repeat(numpy.array((OF_ORDERS, OF_UNITS)), (len(orders), len(units)))
        self._texts.fill(
            _keys_of(texts, lengths, kinds), lengths.cumsum() - lengths, lengths,
            numpy.concatenate((numpy.arange(len(orders)), numpy.arange(len(units)))),
        )  # fmt: skip
        self._pool += "".join((*orders, *units)).encode()

    def _enter(self, text: bytes, kind: int, number: int) -> None:
        key = kind
        for byte in text:
            key = mixed_in(key, byte)
        self._texts.put(key & TEXT_KEYS, len(self._pool), len(text), number)
        self._pool += text

    def _learn_text(self, text: bytes, kind: int) -> None:
        """Learn what a text means, which is asked of those who read texts on the plain path."""
        readers = {
            OF_POWERS: self._power, OF_UNITS: self._unit, OF_LOCATIONS: self._place, OF_ORDERS: self._order,
            OF_RETREATS: self._retreat, OF_ADJUSTMENTS: self._adjustment,
        }  # fmt: skip
        read = readers.get(kind)
        try:
            number = read(text.decode()) if read else UNREADABLE
        except NotationError:
            number = UNREADABLE
        self._enter(text, kind, number)

    def _power(self, name: str) -> int:
        if len(name) > LONGEST_NAME or not name.strip():
            return UNREADABLE
        power = self.vocabulary.map.power_aliases.get(normal(name), name)
        return self._powers.setdefault(power, len(self._powers))

    def _unit(self, text: str) -> int:
        return self.vocabulary.unit_numbers.get(parse_unit(text, "", self.vocabulary.map).named, UNREADABLE)

    def _place(self, text: str) -> int:
        return self.vocabulary.location_numbers.get(parse_location(text, self.vocabulary.map), UNREADABLE)

    def _order(self, text: str) -> int:
        return self.known.number(parse_order(text, self.vocabulary.map, Phase.MOVEMENT))

    def _retreat(self, text: str) -> int:
        return self._duties.number(parse_order(text, self.vocabulary.map, Phase.RETREAT), Phase.RETREAT)

    def _adjustment(self, text: str) -> int:
        return self._duties.number(parse_order(text, self.vocabulary.map, Phase.ADJUSTMENT), Phase.ADJUSTMENT)

    # Answers.

    @property
    def trial(self) -> bytes:
        """A line in which an army goes by land, to try out the kernel."""
        game_map = self.vocabulary.map
        army = next(unit for unit in self.vocabulary.units if unit.kind is UnitKind.ARMY and game_map.army.get(unit.location))
        move = f"{army} - {min(game_map.army[army.location])}"
        return msgspec.json.encode({"id": "trial", "units": {"A": [str(army)]}, "orders": {"A": [move]}})

    def answer(self, line: bytes) -> bytes | None:
        """Answer a line; None for one that is left to the plain path."""
        if len(line) > LONGEST:
            return None
        with self._lock:
            if self._texts.count > _MOST_KEPT or self.known.too_large:
                self.known.begin_anew()
                self._begin_anew()
            try:
                return self._answered(line)
            except BaseException:  # whatever has stopped it, what it was at is in no state to go on from
                self.begin_instance()
                raise

    def begin_instance(self) -> None:
        """Make a new instance of the kernel, as what stopped the one before may have left it in no state to go on from."""
        self._sandbox, self._version = Sandbox(self._code), -1

    def _answered(self, line: bytes) -> bytes | None:
        length = len(line)
        for _ in range(_ROUNDS):
            if self._version != self.known.version:
                self._lay_out()
            self._memory[self._line : self._line + length] = line
            size = self._call(length)
            if size >= 0:
                return bytes(self._memory[self._written : self._written + size])
            if size == ODD:
                return None
            self._learn(line)
        return None

    def _learn(self, line: bytes) -> None:
        """Learn what a line wanted."""
        facts = []
        for what, key in {tuple(row) for row in self._wanted[: int(self._counters[WANTS])].tolist()}:
            if what == TEXTS:
                self._learn_text(line[key >> 32 : key >> 4 & 0xFFFFFFF], key & 15)
            elif what == COMINGS:
                self._duties.learn(key)
            else:
                facts.append((what, key))
        if facts:
            self.known.learn(numpy.array(facts, numpy.int64))
        self._version = -1

    def _lay_out(self) -> None:
        """Lay out all arrays for one board in the memory."""
        known, places = self.known, max(len(self.vocabulary.provinces), _MOST_TEXTS)
        columns, locations = MOST_COLUMNS, len(self.vocabulary.locations)
        board: dict[str, NDArray[Any]] = {
            "line": numpy.zeros(LONGEST, numpy.uint8),
            "written": numpy.zeros(_LONGEST_ANSWER, numpy.uint8),
            "request": numpy.zeros((OF_REQUEST, places), numpy.int32),
            **{name: numpy.full((1, columns), NONE, numpy.int32) for name in ("units", "powers", "orders")},
            **one_board(columns, len(self.vocabulary.provinces), locations),
        }
        facts: dict[str, NDArray[Any]] = {
            "texts": self._texts.array, "pool": numpy.frombuffer(bytes(self._pool), numpy.uint8), "said": self._said,
            "said_from": self._said_from, "ranked": self._ranked, "named_from": self._named_from,
            "choices": self._duties.choices(), "duties": self._duties.array, "comings": self._duties.comings.array,
            "of_powers": self._of_powers, "away": self._away, "alphabet": self._alphabet, **known.tables(),
        }  # fmt: skip
        found, _ = lay_out(self._sandbox, facts | board, self._sandbox.call("first_free"))
        describe(self._sandbox, found)
        self._call = self._sandbox.prepared(self._name, [0])
        self._memory = self._sandbox.memory
        self._line, self._written = found["line"][0], found["written"][0]
        self._wanted, self._counters = (view(self._sandbox, found[name], board[name]) for name in ("wanted", "counters"))
        self._version = known.version


def _keys_of(texts: NDArray[numpy.bytes_], lengths: LongNumbers, kinds: LongNumbers) -> LongNumbers:
    """Compute the keys of many texts (`mixed_in`)."""
    signs = texts.view(numpy.uint8).reshape(len(texts), -1)
    keys = kinds.astype(numpy.int64)
    for place in range(signs.shape[1]):
        longer = lengths > place
        keys[longer] = mixed_in(keys[longer], signs[longer, place])  # type: ignore[arg-type]  # for all texts at once
    return keys & TEXT_KEYS
