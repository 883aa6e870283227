"""Reads batch lines: positions with their orders as JSON, one on each line (docs/reference/batch.md)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from functools import partial
from itertools import islice
from typing import Annotated, Any, Concatenate, Literal, ParamSpec, TypeVar

import msgspec
from msgspec import Meta

from satjudge.base.errors import MOST_TOLD, NotationError, NotFoundError, RequestError
from satjudge.base.resources import check_distinct_keys
from satjudge.notation.parse import find_power, parse_location, parse_order, parse_order_leniently, parse_power, parse_unit
from satjudge.world.board import Board, DislodgedUnit, Phase, Season, Turn, group_pairs
from satjudge.world.geography import Map, Power, ProvinceCode, map_called, province_of
from satjudge.world.orders import Order, Unreadable

LONGEST_LINE = 1_000_000
"""The maximum length of a line, in bytes. Longer lines are refused unread; a real position takes a few thousand bytes."""
LONGEST_NAME = 200
"""The maximum length of a power's name, in characters."""
P = ParamSpec("P")
T = TypeVar("T")


class Request(msgspec.Struct, omit_defaults=True):
    """One input line of a batch.

    The extra keys that `check_keys` allows are ignored.
    """

    units: Annotated[dict[str, list[str]], Meta(description='The units of each power: {"FRANCE": ["A PAR", "F BRE"]}.')]
    id: Annotated[Any, Meta(description="Any value. The answer repeats it.")] = None
    phase: Literal["movement", "retreat", "adjustment"] = "movement"
    rules: Annotated[str | None, Meta(description="The rulebook, such as `1971`. The default is `datc-3`.")] = None
    orders: Annotated[dict[str, list[str]], Meta(description='The orders of each power: {"FRANCE": ["A PAR - BUR"]}.')] = {}
    dislodged: Annotated[
        dict[str, dict[str, list[str]]],
        Meta(description='In a retreat phase, each dislodged unit with its retreats: {"FRANCE": {"A BUR": ["PAR", "GAS"]}}.'),
    ] = {}
    centers: Annotated[
        dict[str, list[str]] | msgspec.UnsetType,
        Meta(description="The supply centres of each power. Required in adjustment phases."),
    ] = msgspec.UNSET
    map: Annotated[str | None, Meta(description="An included map. The default is `standard`.")] = None
    season: Annotated[
        Literal["spring", "fall"] | None,
        Meta(description="The season, for maps where provinces are closed in a season (DATC 2.4, 8)."),
    ] = None


KEYS = frozenset(Request.__struct_fields__)
EXTRAS = frozenset({"title", "source", "note"})
"""The keys that are ignored, as are those that begin with `expected`: `satjudge export` and saved findings contain them."""


class UnknownKeyError(RequestError):
    """The error for an unknown key: it may be misspelt, and ignoring it would drop part of the position."""

    kind = "unknown-key"


_top_of = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


_VALUES = {"phase": tuple(str(phase) for phase in Phase), "season": tuple(str(season) for season in Season)}
_WITHIN = re.compile(r"(?P<said>.*) - at `\$\.(?P<key>\w+)(?P<within>\S*)`", re.DOTALL)
"""The form of msgspec's messages: what is wrong, and where."""


def format_decode_error(error: Exception, decoded_line: object) -> str:
    """Return a decoding error's message with any hint: the allowed values, or that the entry of a power must be a list."""
    found = _WITHIN.fullmatch(str(error))
    if found is None:
        missing = re.sub(r"Object missing required field `(\w+)`", r"\1", str(error))
        near = get_close_matches(missing, map(str, decoded_line), 1) if isinstance(decoded_line, Mapping) else []
        return f"{error} (did you mean `{missing}` by `{near[0]}`?)" if near else str(error)
    values = _VALUES.get(found["key"], ()) if found["said"].startswith("Invalid enum value") else ()
    by_power = decoded_line.get(found["key"]) if isinstance(decoded_line, Mapping) and found["within"] == "[...]" else None
    texts = {power: one for power, one in by_power.items() if isinstance(one, str)} if isinstance(by_power, Mapping) else {}
    if texts:
        power, text = next(iter(texts.items()))
        return f"{error} (the entry of {power!s:.60} is a text: write a list, {msgspec.json.encode([text[:60]]).decode()})"
    return f"{error} ({', '.join(values)})" if values else str(error)


R = TypeVar("R", bound=Request)


def read_request(line: bytes, request_type: type[R], description: str = "batch request") -> R:
    """Decode a batch line as a `request_type`, or raise `RequestError`: `not a <description>: …` if it is malformed."""
    try:
        try:
            request = msgspec.json.decode(line, type=request_type)
        except msgspec.ValidationError:
            request = msgspec.json.decode(_replace_empty_lists(line), type=request_type)
        check_keys(line, request)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        row = None
        with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            row = msgspec.json.decode(line)
        raise RequestError(f"not a {description}: {format_decode_error(error, row)}") from None
    return request


_BY_POWER = ("units", "orders", "dislodged", "centers")


def _replace_empty_lists(line: bytes) -> bytes:
    """Return a JSON line with `{}` in place of `[]` wherever a mapping by power belongs: PHP writes empty mappings as lists."""
    document = msgspec.json.decode(line)
    if isinstance(document, dict):
        document |= {key: {} for key in _BY_POWER if document.get(key) == []}
        if isinstance(lost := document.get("dislodged"), dict):
            document["dislodged"] = {power: {} if units == [] else units for power, units in lost.items()}
    return msgspec.json.encode(document)


def check_keys(line: bytes, request: Request, *, allow_unknown: bool = False) -> None:
    """Raise `RequestError` if a line, decoded as `request`, repeats a key or, unless `allow_unknown`, has an unknown one."""
    try:
        keys = _top_of(line).keys()
    except UnicodeDecodeError as error:
        raise RequestError(f"not UTF-8: {error.reason} at byte {error.start + 1} of a key or text") from None
    if not (keys <= KEYS or allow_unknown):
        check_known_keys(keys, request.__struct_fields__)
    below = sum(len(mapping) for mapping in (request.units, request.orders, request.centers or {}, request.dislodged))
    below += sum(map(len, request.dislodged.values()))
    if line.count(b":") > len(keys) + below:  # a key may have been overwritten: there are more colons than keys
        try:
            check_distinct_keys(line)
        except msgspec.ValidationError as error:
            raise RequestError(str(error), suggestion="write each key once") from None


def check_known_keys(keys: Iterable[object], known: Sequence[str] = Request.__struct_fields__) -> None:
    """Raise `UnknownKeyError` for the first key that is not in `known` or `EXTRAS` and does not begin with `expected`."""
    for key in keys:
        if not isinstance(key, str) or not (key in known or key in EXTRAS or key.startswith("expected")):
            name = f"{key:.40}" if isinstance(key, str) else repr(key)
            near = get_close_matches(name, known, 1)
            hint = f"did you mean `{near[0]}`?" if near else f"the keys are {', '.join(known)}"
            raise UnknownKeyError(f"no request has a key `{name}`", suggestion=hint)


class RequestReader:
    """A reader of one request, which keeps the request's spelling of powers.

    A request that names no map uses `game_map`, by default the standard one. Raises `RequestError` for an unknown map. The
    owners of centres are read only if the outcome depends on them, but always with `of_a_game`.
    """

    def __init__(self, request: Request, game_map: Map | None = None, *, of_a_game: bool = False) -> None:
        self.request = request
        self.of_a_game = of_a_game
        try:
            self.map = map_called(request.map, game_map)
        except NotFoundError as error:
            raise RequestError(error.message, suggestion=error.suggestion) from None
        self.spelling: dict[Power, str] = {}

    def find_power(self, name: str) -> Power:
        """Return the power with this name, or an unknown name as it is; remember its spelling, and refuse a second one.

        Raises `RequestError` for an empty or overlong name, and for a second spelling of the same power.
        """
        if len(name) > LONGEST_NAME:
            raise RequestError(f"a power's name of {len(name):,} characters is too long: {name[:30]!r}…")
        power = find_power(name, self.map) or name
        if not name.strip():
            raise RequestError("a power must have a name")
        if self.spelling.setdefault(power, name) != name:
            raise RequestError(f"{name!r} and {self.spelling[power]!r} are the same power", suggestion="use one of them")
        return power

    def board(self) -> Board:
        """Return the position that the request describes.

        Raises `InputError`; if several units or places are unreadable, one `NotationError` lists them.
        """
        try:
            return self._board()
        except NotationError as error:
            problems = list(islice(self._iter_unreadable(), MOST_TOLD))
            raise NotationError("; ".join(problems)) if len(problems) > 1 else error from None

    def _iter_unreadable(self) -> Iterator[str]:
        """Yield a message for each unit and each location in the request that cannot be read, with its place."""
        request = self.request
        units = [(f"units of {name}", name, text) for name, texts in request.units.items() for text in texts]
        lost = [(f"dislodged units of {name}", name, entries) for name, entries in self._dislodged_entries.items()]
        units += [(where, name, text) for where, name, entries in lost for text in entries]
        places = [(where, text) for where, _, entries in lost for retreats in entries.values() for text in retreats]
        places += [(f"centers of {name}", text) for name, texts in self._center_entries.items() for text in texts]
        for where, name, text in units:
            yield from _iter_error_message(partial(parse_with_place, parse_unit, text, where, self.find_power(name), self.map))
        for where, text in places:
            yield from _iter_error_message(partial(parse_with_place, parse_location, text, where, self.map))

    def _board(self) -> Board:
        request = self.request
        phase = Phase(request.phase)
        if phase is Phase.ADJUSTMENT and request.centers is msgspec.UNSET:
            raise RequestError(
                "an adjustment phase needs the owners of the supply centres",
                suggestion='add `"centers": {"FRANCE": ["PAR", …], …}`',
            )
        units = tuple(
            parse_with_place(parse_unit, text, f"units of {name}", self.find_power(name), self.map)
            for name, texts in request.units.items()
            for text in texts
        )
        dislodged, centers = tuple(self._iter_dislodged()), self._centers()
        turn = Turn(self.map.first_year, Season(request.season)) if request.season else None
        return Board(units, dislodged, centers, phase, self.map, turn)

    @property
    def _dislodged_entries(self) -> Mapping[str, Mapping[str, list[str]]]:
        """The retreats of each dislodged unit, as texts by power and unit; empty outside a retreat phase."""
        return self.request.dislodged if Phase(self.request.phase) is Phase.RETREAT else {}

    @property
    def _center_entries(self) -> Mapping[str, list[str]]:
        """The supply centres of each power, as texts; outside a game, empty if their owners do not affect the outcome."""
        matters = self.of_a_game or self.map.railroads or Phase(self.request.phase) is Phase.ADJUSTMENT
        return self.request.centers or {} if matters else {}

    def _iter_dislodged(self) -> Iterator[DislodgedUnit]:
        for name, entries in self._dislodged_entries.items():
            power = self.find_power(name)
            for text, retreats in entries.items():
                where = f"dislodged units of {name}"
                unit = parse_with_place(parse_unit, text, where, power, self.map)
                read = [parse_with_place(parse_location, retreat, where, self.map) for retreat in retreats]
                yield DislodgedUnit(unit, tuple(read))

    def _centers(self) -> dict[ProvinceCode, Power]:
        owners: dict[ProvinceCode, Power] = {}
        for name, texts in self._center_entries.items():
            power = self.find_power(name)
            for text in texts:
                province = province_of(parse_with_place(parse_location, text, f"centers of {name}", self.map))
                if owners.setdefault(province, power) != power:
                    raise RequestError(f"{province} is a centre of both {self.spelling[owners[province]]} and {name}")
        return owners

    def read_orders(self) -> tuple[dict[Power, list[Order]], list[str]]:
        """Return each power's orders, unreadable ones as `Unreadable`, and messages on these and on mistyped powers."""
        phase = Phase(self.request.phase)
        read: dict[Power, list[Order]] = {}
        problems = []
        for name, texts in self.request.orders.items():
            orders_by_text = {text: parse_order_leniently(text, self.map, phase) for text in dict.fromkeys(texts)}
            given = read[self.find_power(name)] = [orders_by_text[text] for text in texts]
            unreadable = [(number, one) for number, one in enumerate(given, start=1) if isinstance(one, Unreadable)]
            problems += [f"order {number} of {name}, {one.problem}" for number, one in unreadable]
        return read, [*problems, *self._iter_mistyped_powers()]

    def _iter_mistyped_powers(self) -> Iterator[str]:
        """Yield a message for each name in `orders` that is no power of the map, and has no units or centres."""
        request = self.request
        present_powers = {self.find_power(name) for name in (*request.units, *self._dislodged_entries, *self._center_entries)}
        for name in request.orders:
            if self.find_power(name) not in present_powers and self.find_power(name) not in self.map.powers:
                yield from _iter_error_message(partial(parse_power, name, self.map, column=None))

    def orders(self) -> dict[Power, list[Order]]:
        """Return each power's orders, or raise `NotationError` with the power and number of the first unreadable order."""
        phase = Phase(self.request.phase)
        return {
            self.find_power(name): [
                parse_with_place(parse_order, text, f"order {number} of {name}", self.map, phase)
                for number, text in enumerate(texts, start=1)
            ]
            for name, texts in self.request.orders.items()
        }


def _iter_error_message(parse: Callable[[], object]) -> Iterator[str]:
    """Call `parse`; if it raises a `NotationError`, yield its message."""
    try:
        parse()
    except NotationError as error:
        yield str(error)


def parse_with_place(
    parse: Callable[Concatenate[str, P], T], text: str, where: str, *context: P.args, **options: P.kwargs
) -> T:
    """Return `parse(text, *context, **options)`; if it raises a `NotationError`, add the place `where` to the error."""
    try:
        return parse(text, *context, **options)
    except NotationError as error:
        raise error.add_place(source=where) from None


def make_position_fields(board: Board) -> dict[str, Any]:
    """Return a position's fields in a batch line, except units and phase; fields that do not affect the outcome are left out.

    These fields are the map, if it is not the standard one, the season, the dislodged units with their retreats, and the owners
    of centres.
    """
    found: dict[str, Any] = {} if board.map.case_name is None or board.map.is_standard else {"map": board.map.case_name}
    if board.map.closed and board.turn:
        found["season"] = str(board.turn.season)
    if board.phase is Phase.RETREAT:
        lost = group_pairs((entry.unit.power, entry) for entry in board.dislodged)
        found["dislodged"] = {power: {str(one.unit): list(one.retreats) for one in units} for power, units in lost.items()}
    if board.phase is Phase.ADJUSTMENT or (board.map.railroads and board.centers):
        found["centers"] = group_pairs((power, code) for code, power in board.centers.items())
    return found
