"""Asks the plain path all that a table file holds of a map under a rulebook: texts, orders, and what each comes to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, combinations, product

import numpy
from numpy.typing import NDArray

from satjudge.base.errors import InputError, NotationError, NotFoundError, SatjudgeError
from satjudge.base.values import replace
from satjudge.bulk.arrays import *
from satjudge.bulk.causes import CAUSES
from satjudge.bulk.duties import Duties
from satjudge.bulk.game_tables import duties_of, facts_of, lists_of, phase_of
from satjudge.bulk.judge import FATES, MOST_COLUMNS, RESULTS
from satjudge.bulk.known import Known, helped_by
from satjudge.bulk.learnt import kept_for, learn_all
from satjudge.bulk.limits import too_large
from satjudge.bulk.table_file import Contents, in_one_piece, slots_for
from satjudge.bulk.vocabulary import Vocabulary
from satjudge.bulk.wasm.digests import asked_of
from satjudge.bulk.wasm.shipped import shipped
from satjudge.bulk.wasm.tables import Tables
from satjudge.files.batch_lines import LONGEST_NAME
from satjudge.judging.equations.generator import TranslationError
from satjudge.notation.map_vocabulary import encode_vocabulary
from satjudge.notation.parse import parse_location, parse_order, parse_unit
from satjudge.world.board import Phase
from satjudge.world.geography import Map, UnitKind, load_map, map_called, normal, province_of
from satjudge.world.orders import Move, MovementOrder, Order, Retreat, SupportMove
from satjudge.world.rules import Rulebook, nearest_preset, preset_names
from satjudge.world.verdicts import OrderResult, Verdict

OWN, OF_MAP, OF_ORDERS_KNOWN = range(3)
"""The parts of a table file: what is a rulebook's own; what is the map's; what several rulebooks say of orders alike."""
KEYS = ("id", "units", "orders", "phase", "dislodged", "centers", "map", "rules", "of", "victory")
"""The keys of a request in the order of `KEY_ID` and the others."""
LONGEST = 20_000
"""The most bytes of a line."""
LONGEST_ANSWER = 400_000
MOST_TEXTS = 400
"""The largest number of powers, units or orders in a line."""
MOST_WANTED = 1024
_COAST = re.compile(r"/[A-Z]+")
_VERDICTS = [str(Verdict.from_result(result, fate)) for result in RESULTS for fate in FATES]

_PHASES = {OF_RETREATS: Phase.RETREAT, OF_ADJUSTMENTS: Phase.ADJUSTMENT}

Texts = list[tuple[str, int, int]]
"""Texts, each with its kind and its number."""


class Learner:
    """What is known of a map under a rulebook, as a table file holds it; it grows by what a host misses."""

    def __init__(self, known: Known, kernel: str, functions: dict[str, str]) -> None:
        if trouble := too_large(known.vocabulary):
            raise InputError(f"the map {known.map.name} is too large for tables: {trouble}")
        self.known, self.kernel, self.functions = known, kernel, functions
        self.duties = duties_of(known)
        self.powers = {power: number for number, power in enumerate(known.vocabulary.powers)}
        self.texts: Texts = [*_texts_of_vocabulary(known.vocabulary, self.duties), *_texts_of_map(known)]
        self._impossible = numpy.full((len(known.vocabulary.units), len(known.vocabulary.provinces)), PLAINLY, numpy.int8)
        self._first = len(self.texts) + known.aliases.count

    def learn_everything(self) -> None:
        """Ask about all orders in full and those that leave out coasts, of all phases."""
        if self.known.links.count == 0:  # nothing was kept
            learn_all(self.known)
        told = {(kind, text) for text, kind, _ in self.texts}
        more = (*_orders(self.known), *_later_orders(self.known, self.duties))
        self.texts += ((text, kind, number) for text, kind, number in more if (kind, text) not in told)
        self._impossible = _impossible_moves(self.known)
        self._first = len(self.texts) + self.known.aliases.count
        self.known.as_arrays()

    @property
    def size(self) -> int:
        """The number of texts, and of facts about orders beyond the vocabulary, that were learnt."""
        return len(self.texts) + self.known.aliases.count - self._first

    def learn(self, facts: Iterable[tuple[int, int]], texts: Iterable[tuple[int, str]]) -> None:
        """Learn facts by their keys, and texts by their kinds."""
        told = {(kind, text) for text, kind, _ in self.texts}
        for kind, text in sorted({*texts} - told):
            self.texts.append((text, kind, self._meaning(kind, text)))
        wanted = sorted({*facts})
        for what, key in wanted:
            if what == COMINGS and self.duties.comings.find(key) is None:
                self.duties.learn(key)
        self.known.learn_missing((what, key) for what, key in wanted if what not in (TEXTS, COMINGS))
        self.known.as_arrays()

    def _meaning(self, kind: int, text: str) -> int:
        """Ask those who read texts on the plain path what one means."""
        vocabulary, game_map = self.known.vocabulary, self.known.map
        try:
            if kind == OF_POWERS:
                return self._power(text)
            if kind == OF_UNITS:
                return vocabulary.unit_numbers.get(parse_unit(text, "", game_map).named, UNREADABLE)
            if kind == OF_LOCATIONS:
                return vocabulary.location_numbers.get(parse_location(text, game_map), UNREADABLE)
            if kind == OF_ORDERS:
                return self.known.number(parse_order(text, game_map, Phase.MOVEMENT))
            if kind == OF_MAPS:
                return 0 if map_called(text, game_map) is game_map else UNREADABLE
            if kind in _PHASES:
                return self.duties.number(parse_order(text, game_map, _PHASES[kind]), _PHASES[kind])
        except (NotationError, NotFoundError):
            pass
        return UNREADABLE

    def _power(self, name: str) -> int:
        if len(name) > LONGEST_NAME or not name.strip():
            return UNREADABLE
        power = self.known.map.power_aliases.get(normal(name), name)
        return self.powers.setdefault(power, len(self.powers))

    def tables(self) -> Tables:
        """Put together what is known."""
        known, contents = self.known, Contents(3)
        _put_map(contents, known, self.texts)
        _put_orders(contents, known)
        _put_own(contents, known, self.duties)
        contents.whole(OWN, "impossible", self._impossible)
        _put_scratch(contents, known)
        told = {
            "map": known.map.name, "rulebook": known.rulebook.name, "kernel": self.kernel, "sources": asked_of(),
            "functions": {name: self.functions[name] for name in self.functions if name not in _beyond(known.map)}, "limits": {
                "bytes of a line": LONGEST, "units": MOST_COLUMNS, "texts of a kind in a line": MOST_TEXTS,
                "open decisions": MOST_OPEN,
            }, "causes": list(CAUSES),
        }  # fmt: skip
        return contents.tables(told, encode_vocabulary(known.map))


def write_tables(known: Known, kernel: str, functions: dict[str, str]) -> bytes:
    """Write the table file of a map under a rulebook, for a kernel with this digest and these functions."""
    learner = Learner(known, kernel, functions)
    learner.learn_everything()
    return in_one_piece(learner.tables())


def tables_for(game_map: Map | None, rulebook: Rulebook) -> tuple[bytes, bytes]:
    """Write the table file of a map, else of the standard map, under a rulebook; with the kernel that it is for.

    Raises `SatjudgeError` where there can be none.
    """
    found = shipped()
    if found is None:
        raise SatjudgeError("there is no kernel for which a table file could be written (make kernel)")
    if rules := (game_map or load_map()).beyond_kernel:
        raise InputError(f"the map {(game_map or load_map()).name} has {rules}, which the kernel does not know")
    try:
        functions = found.names(rulebook.with_map_rules(game_map or load_map()))
    except TranslationError:
        functions = None
    if functions is None:
        raise InputError(
            f"the kernel has not the equations of {rulebook.name}",
            suggestion="it has those of the rulebooks that come with satjudge, on maps without rules of their own",
        )
    known = Known(Vocabulary(game_map), rulebook)
    if tables := kept_for(known.vocabulary, rulebook):
        return in_one_piece(tables), found.code
    return write_tables(known, found.manifest.printed, functions), found.code


_OF_GAMES = ("legal_line", "next_line", "orders_line", "list_board")


def _beyond(game_map: Map) -> tuple[str, ...]:
    """List the functions of the kernel that know less than a map has."""
    if game_map.closed or game_map.has_rules:
        return _OF_GAMES
    return ("next_line",) if game_map.victory_lead or game_map.last_year else ()


# ---- texts ----


def _texts_of_vocabulary(vocabulary: Vocabulary, duties: Duties) -> Iterator[tuple[str, int, int]]:
    kinds = {phase: kind for kind, phase in _PHASES.items()}
    for number, (text, order) in enumerate(zip(vocabulary.texts, vocabulary.orders, strict=True)):
        if isinstance(order, MovementOrder):
            yield text, OF_ORDERS, number
        else:
            phase = phase_of(order)
            yield text, kinds[phase], duties.number(order, phase)


def _texts_of_map(known: Known) -> Texts:
    vocabulary = known.vocabulary
    found = [(text, OF_KEYS, number) for number, text in enumerate(KEYS)]
    found += [(text, OF_PHASES, number) for number, text in enumerate(Phase)]
    found += [(power, OF_POWERS, number) for number, power in enumerate(vocabulary.powers)]
    found += [(str(unit), OF_UNITS, number) for number, unit in enumerate(vocabulary.units)]
    found += [(place, OF_LOCATIONS, number) for number, place in enumerate(vocabulary.locations)]
    if known.map.exact_name == known.map.name:
        found.append((known.map.name, OF_MAPS, 0))
    found += [(name, OF_RULES, number) for number, name in enumerate(preset_names())]
    return found


def _orders(known: Known) -> Texts:
    """List texts of orders of a movement phase with other coasts than there are, or fewer, and learn what they come to."""
    canonical = known.vocabulary.texts[: known.vocabulary.first_order[-1]]
    texts = (*canonical, *_with_coasts(known.vocabulary))
    new = {text: known.number(order) for text, order in _read(known, texts, Phase.MOVEMENT)}
    for number in new.values():
        _learn_forms(known, number)
    return [(text, OF_ORDERS, number) for text, number in new.items()]


def _read(known: Known, texts: Sequence[str], phase: Phase) -> Iterator[tuple[str, Order]]:
    """Read the texts that are in no vocabulary, and those that leave out coasts of texts that name some."""
    canonical = {*known.vocabulary.texts}
    for text in dict.fromkeys(chain(texts, chain.from_iterable(map(_without_coasts, texts)))):
        if text not in canonical:
            try:
                yield text, parse_order(text, known.map, phase)
            except NotationError:
                continue


def _with_coasts(vocabulary: Vocabulary) -> Iterator[str]:
    """Write moves and their supports to each coast of the province that they name, whether it can be reached or not.

    Moves are written with `VIA` besides.
    """
    provinces = vocabulary.map.provinces
    for order in vocabulary.orders[: vocabulary.first_order[-1]]:
        if isinstance(order, Move | SupportMove):
            for place in provinces[order.destination].locations if order.destination in provinces else ():
                other = replace(order, destination=place)
                yield from (str(other), f"{other} VIA") if isinstance(other, Move) and not other.via_convoy else (str(other),)


def _retreats_to_coasts(vocabulary: Vocabulary) -> Iterator[str]:
    """Write retreats to a province and to each of its coasts, with and without `VIA`."""
    for order in vocabulary.orders[vocabulary.first_order[-1] :]:
        if isinstance(order, Retreat):
            province = province_of(order.destination)
            for place in (province, *vocabulary.map.provinces[province].locations):
                yield from (f"{order.unit} R {place}", f"{order.unit} R {place} VIA")


def _impossible_moves(known: Known) -> NDArray[numpy.int8]:
    """Tell of each unit and province whether a move there that nobody could carry out counts as one all the same (4.E.1).

    PLAINLY for those that are known, or that are not found to be impossible.
    """
    vocabulary = known.vocabulary
    found = numpy.full((len(vocabulary.units), len(vocabulary.provinces)), PLAINLY, numpy.int8)
    for unit, named in enumerate(vocabulary.units):
        for place, code in enumerate(vocabulary.provinces):
            order = Move(named, code)
            if order not in vocabulary.order_numbers:
                found[unit, place] = known.impossible(order, unit)
    return found


def _without_coasts(text: str) -> Iterator[str]:
    places = [match.span() for match in _COAST.finditer(text)]
    for count in range(1, len(places) + 1):
        for some in combinations(reversed(places), count):
            shorter = text
            for first, last in some:
                shorter = shorter[:first] + shorter[last:]
            yield shorter


def _learn_forms(known: Known, number: int) -> None:
    """Learn what an order comes to that stands not in the vocabulary, with each unit that it could speak of."""
    place, other = known.entries[number, OWN_PLACE], known.entries[number, OTHER_PLACE]
    if number < len(known.vocabulary) or place == NONE:
        return
    order = known.orders[number]
    assert isinstance(order, MovementOrder)
    named = helped_by(order)
    for unit in _standing(known, place, order.unit.kind):
        others = _standing(known, other, named.kind) if named else [NONE]
        for helped, own in ((helped, own) for helped in others for own in (0, 1)):
            key = ((number * 512 + unit) * 512 + helped + 1) * 2 + own
            if (own == 0 or helped != NONE) and known.aliases.find(key) is None:
                known.learn_alias(key)


def _standing(known: Known, place: int, kind: object) -> list[int]:
    units = known.vocabulary.units
    return [number for number, at in enumerate(known.of_units) if at == place and kind in (None, units[number].kind)]


def _anywhere(vocabulary: Vocabulary) -> Iterator[str]:
    """Write builds and removals in every place, also where nothing can be built, with either kind and with none."""
    for place, verb in product(vocabulary.locations, ("B", "D")):
        yield from (f"{kind} {place} {verb}" for kind in UnitKind)
        yield f"{place} {verb}"


def _later_orders(known: Known, duties: Duties) -> Texts:
    """List the texts of orders of later phases, and learn what each comes to for the units that it may be of."""
    vocabulary, found = known.vocabulary, Texts()
    first = vocabulary.first_order[-1]
    for kind, phase in _PHASES.items():
        texts = list(vocabulary.texts[first:])
        read = [(text, parse_order(text, known.map, phase)) for text in texts]
        more = _retreats_to_coasts(vocabulary) if phase is Phase.RETREAT else ()
        read += _read(known, (*texts, *_anywhere(vocabulary), *more), phase)
        for text, order in dict(read).items():
            number = duties.number(order, phase)
            found.append((text, kind, number))
            if duties.rows[number][0] in (RETREATS, REMOVE):
                for unit in _standing(known, duties.rows[number][1], None):
                    duties.learn(number * 512 + unit)
    return found


# ---- columns ----


def _put_map(contents: Contents, known: Known, texts: Texts) -> None:
    vocabulary = known.vocabulary
    contents.whole(OF_MAP, "spots", known.spots)
    ranked = sorted(range(len(vocabulary.locations)), key=vocabulary.locations.__getitem__)
    contents.whole(OF_MAP, "ranked", numpy.array(ranked, numpy.int32))
    encoded = [text.encode() for text, _, _ in texts]  # the vocabulary first: `named_from` counts from there
    canonical = len(vocabulary)
    starts = numpy.array([0, *accumulate(map(len, encoded[:canonical]))], numpy.int32)
    contents.whole(OF_MAP, "named_from", starts)
    pool = b"".join(encoded)
    room = contents.array("pool", (len(pool),))
    contents.steps.append((BYTES, contents.put(OF_MAP, pool), len(pool), 0, room))
    held = contents.room(24 * len(texts))
    columns = (list(map(len, encoded)), [kind for _, kind, _ in texts], [number for _, _, number in texts])
    for number, column in enumerate(columns):
        contents.column(OF_MAP, column, held.behind(8 * number * len(texts)), LONG)
    slots = slots_for(len(texts))
    contents.steps.append((OF_TEXTS, held, len(texts), room, contents.array("texts", (slots, 4)), slots))
    for name, values in lists_of(vocabulary).items():
        contents.whole(OF_MAP, name, values)


def _put_orders(contents: Contents, known: Known) -> None:
    count = len(known.orders)
    room = contents.array("entries", (count + MOST_IMPOSSIBLE, COLUMNS))
    for column in range(COLUMNS):
        part = OF_MAP if column < LEGAL else OF_ORDERS_KNOWN
        contents.column(part, known.entries[:count, column], room.behind(4 * column), 4, COLUMNS)
    contents.whole(OF_ORDERS_KNOWN, "questions", known.question_rows)
    for name, table in (("links", known.links), ("aliases", known.aliases)):
        rows = table.array[table.array[:, 0] != NONE]
        rows = rows[rows[:, 0].argsort()]
        slots = slots_for(len(rows))
        contents.table(OF_ORDERS_KNOWN, name, rows[:, 0], [*rows[:, 1:].T], slots)


def _put_own(contents: Contents, known: Known, duties: Duties) -> None:
    said = _sentences(known)
    starts = numpy.array([0, *accumulate(map(len, said))], numpy.int32)
    contents.whole(OWN, "said", numpy.frombuffer(b"".join(said), numpy.uint8))
    contents.whole(OWN, "said_from", starts)
    for name, values in facts_of(duties).items():
        contents.whole(OWN, name, values)
    rows = duties.comings.array[duties.comings.array[:, 0] != NONE]
    rows = rows[rows[:, 0].argsort()]
    contents.table(OWN, "comings", rows[:, 0], [*rows[:, 1:].T], slots_for(len(rows)))


def _put_scratch(contents: Contents, known: Known) -> None:
    """Give room to what the kernel writes; memory is empty at first, and nothing of it need be set up."""
    provinces, locations = len(known.vocabulary.provinces), len(known.vocabulary.locations)
    shapes = {
        "line": (LONGEST,), "written": (LONGEST_ANSWER,), "request": (OF_REQUEST, max(provinces, MOST_TEXTS)),
        "cause": (OF_CAUSE,),
        **dict.fromkeys(("units", "powers", "orders"), (1, MOST_COLUMNS)), "status": (1,), "told": (TOLD, 1, MOST_COLUMNS),
        "contested": (1, provinces), "resolutions": (1,), "dislodged": (MOST_COLUMNS, 2), "retreats": (MOST_COLUMNS, locations),
        "cores": (64, 6), "wanted": (MOST_WANTED, 2), "counters": (OF_COUNTERS,),
        "at": (PITCH * max(provinces, MOST_COLUMNS + 1),), "inputs": (MOST_OPEN, 1 + MOST_INPUTS),
        "tables": (MOST_OPEN, 1 << MOST_INPUTS), "bits": (6, 64),
        "owners": (1, provinces), "due": (1, len(known.vocabulary.powers)), "moments": (1, OF_MOMENT), "reaches": (provinces,),
        "listing": (MOST_LISTED,), "slot_list": (MOST_TEXTS, OF_SLOT),
    }  # fmt: skip
    for name, shape in shapes.items():
        contents.array(name, shape)


def _sentences(known: Known) -> list[bytes]:
    """List the texts of answers by their numbers."""
    vocabulary = known.vocabulary
    around = ['{"id":', '{"id":null,', '"results":{', '},"dislodged":{', '},"units":{', '},"resolutions":']
    around += [',"complete":true,"rulings":[', '{"rule":', ',"core":[', "]}"]
    around += [f'"{word}"' for word in (OrderResult.ILLEGAL, OrderResult.SUCCEEDS, OrderResult.FAILS)]
    around += ['},"automatic":{', "}}", *(f'"{rule}"' for rule in known.rules)]
    texts = {SAY_ID + number: text for number, text in enumerate(around)}
    texts |= {SAY_JUDGED: '{"judged":', SAY_NEXT: ',"next":{"phase":"', SAY_NEXT_UNITS: '","units":{'}
    texts |= {SAY_NEXT_CENTERS: ',"centers":{', SAY_NEXT_DISLODGED: ',"dislodged":{', SAY_NAMES: _names(known)}
    texts |= {SAY_LEGAL: '"legal":{', SAY_ORDERS: '"orders":{', SAY_NULL: "null"}
    texts |= {SAY_POWER + number: f'"{power}"' for number, power in enumerate(vocabulary.powers)}
    texts |= {SAY_WON + number: f'"{power} has won"' for number, power in enumerate(vocabulary.powers)}
    texts |= {SAY_VERDICT + number: f'"{text}"' for number, text in enumerate(_VERDICTS)}
    texts |= {SAY_UNIT + number: f'"{unit}"' for number, unit in enumerate(vocabulary.units)}
    texts |= {SAY_LOCATION + number: f'"{place}"' for number, place in enumerate(vocabulary.locations)}
    assert len(FATES) == FATES_OF_VERDICT
    assert len(_VERDICTS) <= MOST_VERDICTS
    assert len(vocabulary.powers) <= MOST_POWERS
    assert SAY_RULES + len(known.rules) <= SAY_JUDGED
    assert len(vocabulary.units) <= MOST_UNITS
    return [texts.get(number, "").encode() for number in range(SAY_LOCATION + len(vocabulary.locations))]


def _names(known: Known) -> str:
    """Write the names of the map and of the rulebook, behind which a game says how it ended."""
    preset, otherwise = nearest_preset(known.rulebook)
    rules = preset + (f" with {', '.join(otherwise)}" if otherwise else "")
    return f',"map":"{known.map.name}","rules":"{rules}"}},"ended":'
