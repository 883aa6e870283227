"""Collects the facts for a table file of a map and a rulebook from the Python code: texts, orders, and their meanings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, combinations, product

import numpy
from numpy.typing import NDArray

from satjudge.base.errors import InputError, NotationError, NotFoundError, SatjudgeError
from satjudge.base.values import replace
from satjudge.bulk.judge import FATES, MOST_BOARD_UNITS, RESULTS
from satjudge.bulk.kernel.memory import *
from satjudge.bulk.tables.later_facts import LaterOrders, find_phase, list_later_facts, list_orders_by_unit, number_later_orders
from satjudge.bulk.tables.map_words import encode_vocabulary
from satjudge.bulk.tables.order_facts import OrderFacts, helped_unit, learn_all
from satjudge.bulk.tables.reading import Tables
from satjudge.bulk.tables.writing import Contents, count_slots, write_one_file
from satjudge.bulk.vocabulary import Vocabulary, explain_size
from satjudge.bulk.wasm.loading import load_kernel, load_tables
from satjudge.files.batch_lines import LONGEST_NAME
from satjudge.notation.parse import find_power, parse_location, parse_order, parse_unit
from satjudge.world.board import Phase
from satjudge.world.geography import Map, UnitKind, load_map, map_called, province_of
from satjudge.world.orders import Move, MovementOrder, Order, Retreat, SupportMove
from satjudge.world.rules import Rulebook, nearest_preset, preset_names
from satjudge.world.verdicts import OrderResult, Verdict

OWN, OF_MAP, OF_ORDERS_KNOWN = range(3)
"""The parts of a table file: for one rulebook; for the map; facts about orders that several rulebooks share."""
KEYS = ("id", "units", "orders", "phase", "dislodged", "centers", "map", "rules", "of", "victory")
"""The keys of a request, by their numbers (`KEY_ID` and so on)."""
LONGEST = 20_000
"""The largest number of bytes of a line."""
LONGEST_ANSWER = 400_000
MOST_TEXTS = 400
"""The largest number of powers, units or orders in a line."""
MOST_WANTED = 1024
_COAST = re.compile(r"/[A-Z]+")
_VERDICTS = [str(Verdict.from_result(result, fate)) for result in RESULTS for fate in FATES]

_PHASES = {OF_RETREATS: Phase.RETREAT, OF_ADJUSTMENTS: Phase.ADJUSTMENT}

Texts = list[tuple[str, int, int]]
"""Texts, each with its kind and the number that it means."""


class TableLearner:
    """Learns the facts about a map under a rulebook for a table file, and adds facts that a host lacks."""

    def __init__(self, facts: OrderFacts, kernel: str, functions: dict[str, str]) -> None:
        if trouble := explain_size(facts.vocabulary):
            raise InputError(f"the map {facts.map.name} is too large for tables: {trouble}")
        self.facts, self.kernel, self.functions = facts, kernel, functions
        self.duties = number_later_orders(facts)
        self.powers = {power: number for number, power in enumerate(facts.vocabulary.powers)}
        self.texts: Texts = [*_list_vocabulary_texts(facts.vocabulary, self.duties), *_list_map_texts(facts)]
        self._impossible = numpy.full((len(facts.vocabulary.units), len(facts.vocabulary.provinces)), PLAINLY, numpy.int8)
        self._first = len(self.texts) + facts.aliases.count

    def learn_everything(self) -> None:
        """Look up all orders of all phases, in full or with missing or wrong coasts, and add them to the tables."""
        if self.facts.links.count == 0:  # no shipped tables were loaded
            learn_all(self.facts)
        known_texts = {(kind, text) for text, kind, _ in self.texts}
        more = (*_list_order_texts(self.facts), *_list_later_texts(self.facts, self.duties))
        self.texts += ((text, kind, number) for text, kind, number in more if (kind, text) not in known_texts)
        self._impossible = _list_impossible_moves(self.facts)
        self._first = len(self.texts) + self.facts.aliases.count
        self.facts.update_arrays()

    @property
    def size(self) -> int:
        """The number of texts and facts that were looked up on request, after those with which the tables began."""
        return len(self.texts) + self.facts.aliases.count - self._first

    def learn(self, facts: Iterable[tuple[int, int]], texts: Iterable[tuple[int, str]]) -> None:
        """Look up facts, as pairs of kind and key, and texts, as pairs of kind and text, and add them to the tables."""
        known_texts = {(kind, text) for text, kind, _ in self.texts}
        for kind, text in sorted({*texts} - known_texts):
            self.texts.append((text, kind, self._find_meaning(kind, text)))
        wanted = sorted({*facts})
        for fact_kind, key in wanted:
            if fact_kind == COMINGS and self.duties.comings.find(key) is None:
                self.duties.learn(key)
        self.facts.learn_missing((fact_kind, key) for fact_kind, key in wanted if fact_kind not in (TEXTS, COMINGS))
        self.facts.update_arrays()

    def _find_meaning(self, kind: int, text: str) -> int:
        """Return the number that a text of a kind means, assigning one if need be; UNREADABLE if it means nothing."""
        vocabulary, game_map = self.facts.vocabulary, self.facts.map
        try:
            if kind == OF_POWERS:
                return self._number_power(text)
            if kind == OF_UNITS:
                return vocabulary.unit_numbers.get(parse_unit(text, "", game_map).named, UNREADABLE)
            if kind == OF_LOCATIONS:
                return vocabulary.location_numbers.get(parse_location(text, game_map), UNREADABLE)
            if kind == OF_ORDERS:
                return self.facts.number_order(parse_order(text, game_map, Phase.MOVEMENT))
            if kind == OF_MAPS:
                return 0 if map_called(text, game_map) is game_map else UNREADABLE
            if kind in _PHASES:
                return self.duties.number_order(parse_order(text, game_map, _PHASES[kind]), _PHASES[kind])
        except (NotationError, NotFoundError):
            pass
        return UNREADABLE

    def _number_power(self, name: str) -> int:
        if len(name) > LONGEST_NAME or not name.strip():
            return UNREADABLE
        power = find_power(name, self.facts.map) or name
        return self.powers.setdefault(power, len(self.powers))

    def make_tables(self) -> Tables:
        """Return the tables with everything that was learnt so far."""
        facts, contents = self.facts, Contents(3)
        _put_map(contents, facts, self.texts)
        _put_orders(contents, facts)
        _put_rulebook(contents, facts, self.duties)
        contents.store_array(OWN, "impossible", self._impossible)
        _reserve_scratch(contents, facts)
        unfit = _list_unfit_functions(facts.map)
        fields = {
            "map": facts.map.name, "rulebook": facts.rulebook.name, "kernel": self.kernel,
            "functions": {name: self.functions[name] for name in self.functions if name not in unfit}, "limits": {
                "bytes of a line": LONGEST, "units": MOST_BOARD_UNITS, "texts of a kind in a line": MOST_TEXTS,
                "open decisions": MOST_OPEN,
            }, "causes": list(CAUSES),
        }  # fmt: skip
        return contents.make_tables(fields, encode_vocabulary(facts.map))


def write_table_file(facts: OrderFacts, kernel_digest: str, functions: dict[str, str]) -> bytes:
    """Return the bytes of a new table file for a map under a rulebook, for a kernel with this digest and these functions."""
    learner = TableLearner(facts, kernel_digest, functions)
    learner.learn_everything()
    return write_one_file(learner.make_tables())


def make_table_file(game_map: Map | None, rulebook: Rulebook) -> tuple[bytes, bytes]:
    """Return the table file of a map (by default the standard map) under a rulebook, and the kernel's module.

    Raises `SatjudgeError` if the kernel is missing, or does not support them.
    """
    found = load_kernel()
    if found is None:
        raise SatjudgeError("a table file needs a kernel, which is missing (make kernel)")
    if rules := (game_map or load_map()).beyond_kernel:
        raise InputError(f"the map {(game_map or load_map()).name} has {rules}, which the kernel does not support")
    functions = found.find_functions(rulebook.with_map_rules(game_map or load_map()))
    if functions is None:
        raise InputError(
            f"the kernel does not contain the equations of {rulebook.name}",
            suggestion="it supports the rulebooks that come with satjudge, on maps without special rules",
        )
    if tables := load_tables(game_map or load_map(), rulebook):
        return write_one_file(tables), found.code
    return write_table_file(OrderFacts(Vocabulary(game_map), rulebook), found.manifest.printed, functions), found.code


_OF_GAMES = ("legal_line", "next_line", "orders_line", "list_board")


def _list_unfit_functions(game_map: Map) -> tuple[str, ...]:
    """Return the names of the kernel's functions that cannot handle a map's rules."""
    if game_map.closed or game_map.has_rules:
        return _OF_GAMES
    return ("next_line",) if game_map.victory_lead or game_map.last_year else ()


# ---- texts ----


def _list_vocabulary_texts(vocabulary: Vocabulary, duties: LaterOrders) -> Iterator[tuple[str, int, int]]:
    kinds = {phase: kind for kind, phase in _PHASES.items()}
    for number, (text, order) in enumerate(zip(vocabulary.texts, vocabulary.orders, strict=True)):
        if isinstance(order, MovementOrder):
            yield text, OF_ORDERS, number
        else:
            phase = find_phase(order)
            yield text, kinds[phase], duties.number_order(order, phase)


def _list_map_texts(facts: OrderFacts) -> Texts:
    vocabulary = facts.vocabulary
    found = [(text, OF_KEYS, number) for number, text in enumerate(KEYS)]
    found += [(text, OF_PHASES, number) for number, text in enumerate(Phase)]
    found += [(power, OF_POWERS, number) for number, power in enumerate(vocabulary.powers)]
    found += [(str(unit), OF_UNITS, number) for number, unit in enumerate(vocabulary.units)]
    found += [(place, OF_LOCATIONS, number) for number, place in enumerate(vocabulary.locations)]
    if facts.map.exact_name == facts.map.name:
        found.append((facts.map.name, OF_MAPS, 0))
    found += [(name, OF_RULES, number) for number, name in enumerate(preset_names())]
    return found


def _list_order_texts(facts: OrderFacts) -> Texts:
    """Enter the meanings of movement orders with wrong or missing coasts; return their texts with kinds and numbers."""
    canonical = facts.vocabulary.texts[: facts.vocabulary.first_order[-1]]
    texts = (*canonical, *_write_coasts(facts.vocabulary))
    new = {text: facts.number_order(order) for text, order in _read_texts(facts, texts, Phase.MOVEMENT)}
    for number in new.values():
        _learn_forms(facts, number)
    return [(text, OF_ORDERS, number) for text, number in new.items()]


def _read_texts(facts: OrderFacts, texts: Sequence[str], phase: Phase) -> Iterator[tuple[str, Order]]:
    """Yield each readable text that is not in the vocabulary, also without its coasts, with the order that it means."""
    canonical = {*facts.vocabulary.texts}
    for text in dict.fromkeys(chain(texts, chain.from_iterable(map(_leave_out_coasts, texts)))):
        if text not in canonical:
            try:
                yield text, parse_order(text, facts.map, phase)
            except NotationError:
                continue


def _write_coasts(vocabulary: Vocabulary) -> Iterator[str]:
    """Yield moves, and supports of moves, as texts with every coast of the destination, reachable or not.

    Moves are also yielded with `VIA`.
    """
    provinces = vocabulary.map.provinces
    for order in vocabulary.orders[: vocabulary.first_order[-1]]:
        if isinstance(order, Move | SupportMove):
            for place in provinces[order.destination].locations if order.destination in provinces else ():
                other = replace(order, destination=place)
                yield from (str(other), f"{other} VIA") if isinstance(other, Move) and not other.via_convoy else (str(other),)


def _write_retreats_to_coasts(vocabulary: Vocabulary) -> Iterator[str]:
    """Yield the texts of retreats to each province and each of its coasts, with and without `VIA`."""
    for order in vocabulary.orders[vocabulary.first_order[-1] :]:
        if isinstance(order, Retreat):
            province = province_of(order.destination)
            for place in (province, *vocabulary.map.provinces[province].locations):
                yield from (f"{order.unit} R {place}", f"{order.unit} R {place} VIA")


def _list_impossible_moves(facts: OrderFacts) -> NDArray[numpy.int8]:
    """Return an array, units × provinces: 1 if an impossible move counts as one (4.E.1), else 0; PLAINLY if it may be legal.

    PLAINLY means that a move is in the tables, or not known to be impossible.
    """
    vocabulary = facts.vocabulary
    found = numpy.full((len(vocabulary.units), len(vocabulary.provinces)), PLAINLY, numpy.int8)
    for unit, unit_name in enumerate(vocabulary.units):
        for place, code in enumerate(vocabulary.provinces):
            order = Move(unit_name, code)
            if order not in vocabulary.order_numbers:
                found[unit, place] = facts.judge_impossible(order, unit)
    return found


def _leave_out_coasts(text: str) -> Iterator[str]:
    places = [match.span() for match in _COAST.finditer(text)]
    for count in range(1, len(places) + 1):
        for chosen_places in combinations(reversed(places), count):
            shorter = text
            for first, last in chosen_places:
                shorter = shorter[:first] + shorter[last:]
            yield shorter


def _learn_forms(facts: OrderFacts, order_number: int) -> None:
    """Enter the meaning of an order outside the vocabulary for each unit to which it might be given; else do nothing."""
    place, other = facts.entries[order_number, OWN_PLACE], facts.entries[order_number, OTHER_PLACE]
    if order_number < len(facts.vocabulary) or place == NONE:
        return
    order = facts.orders[order_number]
    assert isinstance(order, MovementOrder)
    unit_name = helped_unit(order)
    for unit in _list_units_at(facts, place, order.unit.kind):
        others = _list_units_at(facts, other, unit_name.kind) if unit_name else [NONE]
        for helped, own in ((helped, own) for helped in others for own in (0, 1)):
            key = ((order_number * 512 + unit) * 512 + helped + 1) * 2 + own
            if (own == 0 or helped != NONE) and facts.aliases.find(key) is None:
                facts.learn_alias(key)


def _list_units_at(facts: OrderFacts, place: int, kind: object) -> list[int]:
    units = facts.vocabulary.units
    return [number for number, at in enumerate(facts.of_units) if at == place and kind in (None, units[number].kind)]


def _write_adjustments(vocabulary: Vocabulary) -> Iterator[str]:
    """Yield the texts of builds and removals in every place, even if impossible, with each kind or no kind of unit."""
    for place, verb in product(vocabulary.locations, ("B", "D")):
        yield from (f"{kind} {place} {verb}" for kind in UnitKind)
        yield f"{place} {verb}"


def _list_later_texts(facts: OrderFacts, later_orders: LaterOrders) -> Texts:
    """Enter the meanings of retreats, builds and removals for each possible unit; return their texts with kinds and numbers."""
    vocabulary, found = facts.vocabulary, Texts()
    first = vocabulary.first_order[-1]
    for kind, phase in _PHASES.items():
        texts = list(vocabulary.texts[first:])
        read = [(text, parse_order(text, facts.map, phase)) for text in texts]
        more = _write_retreats_to_coasts(vocabulary) if phase is Phase.RETREAT else ()
        read += _read_texts(facts, (*texts, *_write_adjustments(vocabulary), *more), phase)
        for text, order in dict(read).items():
            number = later_orders.number_order(order, phase)
            found.append((text, kind, number))
            if later_orders.rows[number][0] in (RETREATS, REMOVE):
                for unit in _list_units_at(facts, later_orders.rows[number][1], None):
                    later_orders.learn(number * 512 + unit)
    return found


# ---- columns ----


def _put_map(contents: Contents, facts: OrderFacts, texts: Texts) -> None:
    vocabulary = facts.vocabulary
    contents.store_array(OF_MAP, "spots", facts.spots)
    ranked = sorted(range(len(vocabulary.locations)), key=vocabulary.locations.__getitem__)
    contents.store_array(OF_MAP, "ranked", numpy.array(ranked, numpy.int32))
    encoded = [text.encode() for text, _, _ in texts]  # `named_from` needs the vocabulary's texts first
    canonical = len(vocabulary)
    starts = numpy.array([0, *accumulate(map(len, encoded[:canonical]))], numpy.int32)
    contents.store_array(OF_MAP, "named_from", starts)
    pool = b"".join(encoded)
    room = contents.reserve_array("pool", (len(pool),))
    contents.steps.append((BYTES, contents.add_bytes(OF_MAP, pool), len(pool), 0, room))
    held = contents.reserve(24 * len(texts))
    columns = (list(map(len, encoded)), [kind for _, kind, _ in texts], [number for _, _, number in texts])
    for number, column in enumerate(columns):
        contents.add_column(OF_MAP, column, held.skip(8 * number * len(texts)), LONG)
    slots = count_slots(len(texts))
    contents.steps.append((OF_TEXTS, held, len(texts), room, contents.reserve_array("texts", (slots, 4)), slots))
    for name, values in list_orders_by_unit(vocabulary).items():
        contents.store_array(OF_MAP, name, values)


def _put_orders(contents: Contents, facts: OrderFacts) -> None:
    count = len(facts.orders)
    room = contents.reserve_array("entries", (count + MOST_IMPOSSIBLE, COLUMNS))
    for column in range(COLUMNS):
        part = OF_MAP if column < LEGAL else OF_ORDERS_KNOWN
        contents.add_column(part, facts.entries[:count, column], room.skip(4 * column), 4, COLUMNS)
    contents.store_array(OF_ORDERS_KNOWN, "questions", facts.question_rows)
    for name, table in (("links", facts.links), ("aliases", facts.aliases)):
        rows = table.array[table.array[:, 0] != NONE]
        rows = rows[rows[:, 0].argsort()]
        slots = count_slots(len(rows))
        contents.add_table(OF_ORDERS_KNOWN, name, rows[:, 0], [*rows[:, 1:].T], slots)


def _put_rulebook(contents: Contents, facts: OrderFacts, duties: LaterOrders) -> None:
    texts = _list_answer_texts(facts)
    starts = numpy.array([0, *accumulate(map(len, texts))], numpy.int32)
    contents.store_array(OWN, "said", numpy.frombuffer(b"".join(texts), numpy.uint8))
    contents.store_array(OWN, "said_from", starts)
    for name, values in list_later_facts(duties).items():
        contents.store_array(OWN, name, values)
    rows = duties.comings.array[duties.comings.array[:, 0] != NONE]
    rows = rows[rows[:, 0].argsort()]
    contents.add_table(OWN, "comings", rows[:, 0], [*rows[:, 1:].T], count_slots(len(rows)))


def _reserve_scratch(contents: Contents, facts: OrderFacts) -> None:
    """Reserve the memory to which the kernel writes; it needs no setup, since memory is zero at first."""
    provinces, locations = len(facts.vocabulary.provinces), len(facts.vocabulary.locations)
    shapes = {
        "line": (LONGEST,), "written": (LONGEST_ANSWER,), "request": (OF_REQUEST, max(provinces, MOST_TEXTS)),
        "cause": (OF_CAUSE,),
        **dict.fromkeys(("units", "powers", "orders"), (1, MOST_BOARD_UNITS)),
        "status": (1,), "told": (TOLD, 1, MOST_BOARD_UNITS),
        "contested": (1, provinces), "resolutions": (1,), "dislodged": (MOST_BOARD_UNITS, 2),
        "retreats": (MOST_BOARD_UNITS, locations),
        "cores": (64, 6), "wanted": (MOST_WANTED, 2), "counters": (OF_COUNTERS,),
        "at": (PITCH * max(provinces, MOST_BOARD_UNITS + 1),), "inputs": (MOST_OPEN, 1 + MOST_INPUTS),
        "tables": (MOST_OPEN, 1 << MOST_INPUTS), "bits": (6, 64),
        "owners": (1, provinces), "due": (1, len(facts.vocabulary.powers)), "moments": (1, OF_MOMENT), "reaches": (provinces,),
        "listing": (MOST_LISTED,), "slot_list": (MOST_TEXTS, OF_SLOT),
    }  # fmt: skip
    for name, shape in shapes.items():
        contents.reserve_array(name, shape)


def _list_answer_texts(facts: OrderFacts) -> list[bytes]:
    """Return the texts that make up the kernel's answers, as a list by number."""
    vocabulary = facts.vocabulary
    around = ['{"id":', '{"id":null,', '"results":{', '},"dislodged":{', '},"units":{', '},"resolutions":']
    around += [',"complete":true,"rulings":[', '{"rule":', ',"core":[', "]}"]
    around += [f'"{word}"' for word in (OrderResult.ILLEGAL, OrderResult.SUCCEEDS, OrderResult.FAILS)]
    around += ['},"automatic":{', "}}", *(f'"{rule}"' for rule in facts.rules)]
    texts = {SAY_ID + number: text for number, text in enumerate(around)}
    texts |= {SAY_JUDGED: '{"judged":', SAY_NEXT: ',"next":{"phase":"', SAY_NEXT_UNITS: '","units":{'}
    texts |= {SAY_NEXT_CENTERS: ',"centers":{', SAY_NEXT_DISLODGED: ',"dislodged":{', SAY_NAMES: _write_names(facts)}
    texts |= {SAY_LEGAL: '"legal":{', SAY_ORDERS: '"orders":{', SAY_NULL: "null"}
    texts |= {SAY_POWER + number: f'"{power}"' for number, power in enumerate(vocabulary.powers)}
    texts |= {SAY_WON + number: f'"{power} has won"' for number, power in enumerate(vocabulary.powers)}
    texts |= {SAY_VERDICT + number: f'"{text}"' for number, text in enumerate(_VERDICTS)}
    texts |= {SAY_UNIT + number: f'"{unit}"' for number, unit in enumerate(vocabulary.units)}
    texts |= {SAY_LOCATION + number: f'"{place}"' for number, place in enumerate(vocabulary.locations)}
    assert len(FATES) == FATES_OF_VERDICT
    assert len(_VERDICTS) <= MOST_VERDICTS
    assert len(vocabulary.powers) <= MOST_POWERS
    assert SAY_RULES + len(facts.rules) <= SAY_JUDGED
    assert len(vocabulary.units) <= MOST_UNIT_TEXTS
    return [texts.get(number, "").encode() for number in range(SAY_LOCATION + len(vocabulary.locations))]


def _write_names(facts: OrderFacts) -> str:
    """Return the JSON after the next position of a game: the names of the map and the rulebook, up to the key `ended`."""
    preset, otherwise = nearest_preset(facts.rulebook)
    rules = preset + (f" with {', '.join(otherwise)}" if otherwise else "")
    return f',"map":"{facts.map.name}","rules":"{rules}"}},"ended":'


# ---- the causes for which the kernel refuses a line, in words for hosts without Python (docs/guides/kernel.md) ----

_WORDS = {
    IN_NO_TABLE: "this is in no table: it is misspelt or unusual",
    NOT_AS_USUAL: "the line does not have the usual form: ASCII JSON without escapes, and values of the right kind",
    UNKNOWN_KEY: "there is no such key",
    TWICE: "this occurs twice",
    SPELT_OTHERWISE: "this power is spelt differently elsewhere in the line",
    NO_UNITS: "`units` is missing",
    NO_CENTERS: "an adjustment phase needs `centers`, the centres that each power owns",
    OF_ANOTHER_PHASE: "this key belongs to another phase",
    PHASE_BEHIND: "`phase` must precede `orders`",
    UNKNOWN_PHASE: "there is no such phase",
    OTHER_TABLES: "these tables are for another map or rulebook",
    CANNOT_BE_READ: "this cannot be read",
    TOO_MANY: "the line has more of these than the kernel has room for",
    SHARED_PLACE: "another unit stands there",
    NO_WAY: "this unit cannot retreat to all of these places: one is out of reach or occupied",
    NO_CENTER: "this is not a supply centre",
    TWO_OWNERS: "this centre also has another owner",
    TO_NO_UNIT: "this order is to no unit of the power, but may count under this rulebook",
    SEVERAL_LEFT: "the kernel cannot decide which of several orders counts",
    UNDECIDED: "the rulebook has no answer here, or the kernel cannot find it",
    MUST_BUILD: "builds are missing, and this rulebook does not let a power decline them",
    WITHOUT_STEPS: "the kernel cannot decide which units civil disorder removes: order the removals",
    NOTHING_OF_IT: "no unit or place with this name can get an order now",
    NO_ROOM: "the answer is too long for the kernel",
    UNKNOWN_POWER: "the map has no such power",
}
CAUSES: tuple[str, ...] = tuple(_WORDS[number] for number in range(len(_WORDS)))
"""The causes for which the kernel refuses a line, in words, by number."""
