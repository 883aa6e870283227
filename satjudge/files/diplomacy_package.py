"""Reads and writes games in the format of the `diplomacy` package, and reads single phases with another engine's results.

A game is JSON with a list of phases, each with state, orders and results, as the package's `to_saved_game_format` writes it. A
file contains one game, a list of games, or JSON Lines of games. Single phases are JSON Lines as well. Each phase is judged on
its own, so that every difference is found. docs/reference/saved-files.md describes which parts are read and written.
"""

from __future__ import annotations

import gzip
import re
import zlib
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from io import BytesIO
from itertools import chain, islice, pairwise
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import msgspec

from satjudge.base.errors import NotFoundError, RequestError
from satjudge.base.resources import decode_json
from satjudge.base.values import brief
from satjudge.files.batch_lines import parse_with_place
from satjudge.files.maps import make_map
from satjudge.judging.judge import judge
from satjudge.judging.solve import Engine
from satjudge.notation.parse import parse_location, parse_unit
from satjudge.world.board import Board, DislodgedUnit, Phase, Season, Turn, Unit, by_power, group_pairs
from satjudge.world.geography import Location, Map, Power, ProvinceCode, load_map, map_of_others, normal, province_of
from satjudge.world.rules import Rulebook
from satjudge.world.seasons import adjustments_due, build_sites
from satjudge.world.verdicts import OrderResult, Verdict

LONGEST_FILE = 200_000_000
"""The maximum size of an unpacked file, in bytes. A game takes about 200,000."""
LONGEST_DOCUMENT = 20_000_000
"""The maximum size of a game or a list of games, in bytes: reading it can take 50 times as much memory."""
COMPLETED = "COMPLETED"
"""The name of the last phase of a finished game."""
_NOT_JSON = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
_GZIP = b"\x1f\x8b"
_KINDS = {"M": Phase.MOVEMENT, "R": Phase.RETREAT, "A": Phase.ADJUSTMENT}
_SEASONS = {"S": Season.SPRING, "F": Season.FALL, "W": Season.FALL}
_PHASE = re.compile(r"([SFW])([0-9]{1,5})([MRA])")


S = TypeVar("S")


class State(msgspec.Struct):
    """A position.

    `units` may also contain dislodged units, marked by an asterisk; `retreats` contains their possible retreats.
    """

    name: str
    units: dict[Power, list[str]]
    retreats: dict[Power, dict[str, list[Location]]] = {}
    centers: dict[Power, list[ProvinceCode]] = {}

    __repr__ = brief


class SavedPhase(msgspec.Struct):
    """A phase: the position at its beginning, the orders (none for a power that gave none) and their results."""

    name: str
    state: State
    orders: dict[Power, list[str] | None] = {}
    results: dict[str, list[Any] | None] = {}

    __repr__ = brief


class KeptRules(msgspec.Struct):
    """A part of satjudge's own data in a game (satjudge/game/stored_game.py)."""

    rules: str | None = None
    """The rulebook by which the game is judged."""
    map: dict[str, Any] | None = None
    """The tables of a map that does not come with satjudge."""


class SavedGame(msgspec.Struct):
    """A saved game; its last phase has not been played."""

    phases: list[SavedPhase]
    id: Any = None
    map: str | None = None
    satjudge: KeptRules | None = None

    __repr__ = brief


def load_games(path: str | Path) -> list[SavedGame]:
    """Read the games in a file, or raise `NotFoundError` or `RequestError`."""
    return read_games(read_file(Path(path)), str(path))


def read_file(path: Path) -> bytes:
    """Return the content of a file, unpacked if it is a gzip file.

    Raises `NotFoundError`, or `RequestError` if it is too long.
    """
    try:
        with path.open("rb") as file:
            return read_all(file, str(path))
    except OSError as error:
        raise NotFoundError(f"cannot read {path}: {error.strerror}") from None


def read_all(file: BinaryIO, source: str) -> bytes:
    """Return the content of an open file, unpacked if it is a gzip file; raise `RequestError` if it is too long or damaged."""
    data = file.read(LONGEST_FILE + 1)
    if data.startswith(_GZIP):
        try:
            with gzip.open(BytesIO(data)) as packed:
                data = packed.read(LONGEST_FILE + 1)
        except (OSError, EOFError, zlib.error) as error:
            raise RequestError(f"the gzip file is damaged: {error}", source=source) from None
    if len(data) > LONGEST_FILE:
        raise RequestError(f"a file of games can have at most {LONGEST_FILE:,} bytes", source=source)
    return data


def read_games(data: bytes, source: str = "") -> list[SavedGame]:
    """Return the games in a JSON document or in JSON Lines, or raise `RequestError` with the line."""
    return [read() for read in game_readers(data, source)]


def game_readers(data: bytes, source: str = "") -> Iterator[Callable[[], SavedGame]]:
    """Return functions that each read one game in a file, so that the others can be read if one game is unreadable.

    If you call them one after another, only one game is in memory at a time. This function and the returned ones raise
    `RequestError` with the place.
    """
    return _readers(data, source, SavedGame)


def read_raw_games(data: bytes, source: str = "") -> list[dict[str, Any]]:
    """Return the games of a file as plain dicts, with all keys that the file has.

    Raises `RequestError` with the place.
    """
    return [read() for read in _readers(data, source, dict[str, Any])]


def _readers(data: bytes, source: str, kind: type[S]) -> Iterator[Callable[[], S]]:
    data = data.removeprefix(BOM_UTF8)
    if not data.strip():
        raise RequestError("the file is empty; it should contain a saved game", source=source)
    read: Callable[..., S] = partial(_read, kind=kind, description="a saved game")
    lines = ((number, line) for number, line in enumerate(BytesIO(data), start=1) if line.strip())
    first = list(islice(lines, 2))
    if len(first) == 2 and any(_is_json(line) for _, line in first):
        return (partial(read, line, source=source, line=number) for number, line in chain(first, lines))
    if data.lstrip().startswith(b"["):
        try:
            games = msgspec.json.decode(check_length(data, source), type=list[msgspec.Raw])
        except _NOT_JSON as error:
            raise RequestError(f"not a saved game: {error}", source=source, line=1) from None
        return (
            partial(read, bytes(game), source=f"{source}, game {number} of the list") for number, game in enumerate(games, 1)
        )
    return iter([partial(read, data, source=source, line=first[0][0])])


def check_length(data: bytes, source: str) -> bytes:
    """Return the data unchanged, or raise `RequestError` if they are too long to decode in one piece."""
    if len(data) > LONGEST_DOCUMENT:
        message = f"the document has {len(data):,} bytes, but at most {LONGEST_DOCUMENT:,} can be read in one piece"
        raise RequestError(message, source=source, suggestion="split it, or write JSON Lines with one game on each line")
    return data


def _is_json(data: bytes) -> bool:
    try:
        msgspec.json.decode(data, type=msgspec.Raw)
    except _NOT_JSON:
        return False
    return True


def _read(data: bytes, kind: type[S], description: str, source: str, line: int | None = None) -> S:
    try:
        return decode_json(check_length(data, source), kind)
    except _NOT_JSON as error:
        raise RequestError(f"not {description}: {error}", source=source, line=line) from None
    except RequestError as error:
        raise error.add_place(line=line) from None


def parse_phase(name: str) -> tuple[Phase, Turn | None]:
    """Parse a name such as `"F1901R"` into a phase and a turn; for `COMPLETED`, return the movement phase and None.

    Raises `RequestError` for other names.
    """
    if name == COMPLETED:
        return Phase.MOVEMENT, None
    if match := _PHASE.fullmatch(name):
        season, year, kind = match.groups()
        return _KINDS[kind], Turn(int(year), _SEASONS[season])
    raise RequestError(f"there is no phase {name!r:.60}", suggestion="phases are called S1901M, F1901R, W1901A and so on")


def get_tables_to_store(game_map: Map) -> dict[str, Any] | None:
    """Return the tables of a map, to be stored in a game; None for a map that comes with satjudge, which is not stored.

    Raises `RequestError` for a map that was put together in Python and has no tables.
    """
    if game_map.exact_name == game_map.name:
        return None
    if game_map.tables is None:
        hint = "write it as a TOML file, and read that with satjudge.files.maps.read_map"
        raise RequestError(f"the map {game_map.name} is not included in satjudge, and cannot be saved", suggestion=hint)
    return dict(game_map.tables)


def rename_powers(values_by_name: Mapping[str, S], game_map: Map) -> dict[Power, S]:
    """Return a mapping whose keys are replaced by the map's power names: `FRANCE` for `France`; unknown names stay.

    Raises `RequestError` for a power under two names.
    """
    found: dict[Power, S] = {}
    for name, value in values_by_name.items():
        power = name if name in game_map.power_names else game_map.power_aliases.get(normal(name), name)
        if power in found:
            raise RequestError(f"{power} has two names, one of them {name!r:.60}")
        found[power] = value
    return found


def normalize_phase(phase: SavedPhase, game_map: Map) -> SavedPhase:
    """Copy a phase with its powers under the map's names; raise `RequestError` for a power under two names."""
    state = phase.state
    try:
        units, retreats = rename_powers(state.units, game_map), rename_powers(state.retreats, game_map)
        unified = State(state.name, units, retreats, rename_powers(state.centers, game_map))
        return SavedPhase(phase.name, unified, rename_powers(phase.orders, game_map), phase.results)
    except RequestError as error:
        raise error.add_place(source=phase.name) from None


def map_of(game: SavedGame, game_map: Map | None = None) -> Map:
    """Return the map of a game: the stored one if `game_map` is None, else the one it names, or `game_map` if that is unknown.

    Raises `InputError`.
    """
    if game.satjudge and game.satjudge.map and game_map is None:
        return make_map(game.satjudge.map, "the map of the game")
    return map_of_others(game.map, game_map)


def board_of(phase: SavedPhase, game_map: Map) -> Board:
    """Return the position at the beginning of a phase, or raise `InputError` with the place of an unreadable unit."""
    state = normalize_phase(phase, game_map).state
    standing = [
        parse_with_place(parse_unit, text, f"{phase.name}, units of {power}", power, game_map)
        for power, texts in state.units.items()
        for text in texts
        if not text.startswith("*")
    ]
    dislodged = []
    for power, entries in state.retreats.items():
        where = f"{phase.name}, retreats of {power}"
        for text, retreats in entries.items():
            unit = parse_with_place(parse_unit, text, where, power, game_map)
            locations = (parse_with_place(parse_location, place, where, game_map) for place in retreats)
            dislodged.append(DislodgedUnit(unit, tuple(sorted(locations))))
    kind, turn = parse_phase(phase.name)
    return Board(tuple(standing), tuple(dislodged), _owners(state.centers), kind, game_map, turn)


def _owners(centers: Mapping[Power, Iterable[ProvinceCode]]) -> dict[ProvinceCode, Power]:
    return {province: power for power, provinces in centers.items() for province in provinces}


def state_of(name: str, board: Board) -> State:
    """Return a position as the state of the phase `name` in saved games, without dislodged units that cannot retreat."""
    retreats: dict[Power, dict[str, list[Location]]] = {power: {} for power in board.map.powers}
    for lost in board.dislodged:
        if lost.retreats:
            retreats.setdefault(lost.unit.power, {})[str(lost.unit)] = list(lost.retreats)
    nobody: dict[Power, list[str]] = {power: [] for power in board.map.powers}
    units = nobody | by_power(board.units)
    for power, entries in retreats.items():
        units[power] = [*units.get(power, ()), *(f"*{unit}" for unit in entries)]
    return State(name, units, retreats, nobody | centers_by_power(board.centers))


def centers_by_power(centers: Mapping[ProvinceCode, Power]) -> dict[Power, list[ProvinceCode]]:
    """Return the centres of each power that owns any, sorted by code."""
    return group_pairs((power, province) for province, power in sorted(centers.items()))


# ---- single phases, with the position before and after each: the JSON Lines of other adjudicators' answers ----

_ByPower = dict[Power, list[str]]
"""Units, orders or centres by power: `{"FRANCE": ["A BRE", "F SPA/SC"]}`."""


class Movement(msgspec.Struct):
    """A movement phase: the position before it and the orders."""

    phase: str
    units: _ByPower
    orders: _ByPower

    __repr__ = brief


class Row(Movement):
    """A phase of any kind with the position after it."""

    game: str
    next_units: _ByPower | None = None
    """The units after the phase; None for the current phase of a game."""
    map: str | None = None
    next_dislodged: _ByPower = {}
    centers: _ByPower = {}
    next_centers: _ByPower | None = None
    """The centres after the phase, which are compared at the end of a Fall turn."""
    results: dict[str, list[str]] = {}
    """The results of each unit, in the file's words, which are shown but not compared."""
    prev: Movement | None = None
    """The movement phase before a retreat phase."""


def row_readers(data: bytes, source: str = "") -> Iterator[Callable[[], Row]]:
    """Yield functions that each read a line of a file as a row, with the owners after it from the game's next row.

    If one row is unreadable, the others can still be read. The functions raise `RequestError`.
    """
    rows = (
        cache(partial(_read, line, Row, "a phase of a game", source, number))
        for number, line in enumerate(BytesIO(data), start=1)
    )
    for read, following in pairwise(chain(rows, [None])):
        assert read is not None  # only the last of the pairs has no next row
        yield partial(_copy_with_next_owners, read, following)


def _copy_with_next_owners(read_row: Callable[[], Row], read_next_row: Callable[[], Row] | None) -> Row:
    """Return a row, with `next_centers` from the next row of its game if that has any; else without any like its `centers`."""
    row, after = read_row(), None
    if read_next_row is not None:
        with suppress(RequestError):
            after = read_next_row()
    if after is not None and row.game == after.game and after.centers:
        return msgspec.structs.replace(row, next_centers=after.centers)
    return msgspec.structs.replace(row, next_centers=None) if row.next_centers == row.centers else row


def make_row_board(row: Row, rulebook: Rulebook, engine: Engine = Engine.STAGED, default_map: Map | None = None) -> Board:
    """Return the position before a row's orders; for a retreat phase, judge the moves before it; may raise `InputError`.

    A row that names no known map uses `default_map`.
    """
    game_map = map_of_others(row.map, default_map)
    owners, (phase, turn) = _owners(rename_powers(row.centers, game_map)), parse_phase(row.phase)
    if phase is not Phase.RETREAT:
        return _standing(row.units, owners, phase, turn, game_map)
    if row.prev is None:
        raise RequestError("a retreat phase needs the movement phase before it", suggestion="add it as `prev`")
    before = _standing(row.prev.units, owners, Phase.MOVEMENT, turn, game_map)
    return judge(before, row.prev.orders, rulebook=rulebook, engine=engine).retreat_board


def _standing(units: _ByPower, owners: Mapping[ProvinceCode, Power], phase: Phase, turn: Turn | None, game_map: Map) -> Board:
    placed = (parse_unit(text, power, game_map) for power, texts in rename_powers(units, game_map).items() for text in texts)
    return Board(tuple(placed), (), owners, phase, game_map, turn)


# ---- writing ----


@dataclass(frozen=True, slots=True)
class PlayedPhase:
    """A phase to be saved: its name, the position at its beginning, the orders as text, and their verdicts."""

    name: str
    board: Board
    orders: Mapping[Power, Sequence[str]]
    verdicts: Mapping[Power, Sequence[str]]

    __repr__ = brief


def saved_game(identity: str, phases: Iterable[PlayedPhase]) -> dict[str, Any]:
    """Return a game with this ID and these phases as plain data in the format of saved games.

    The last phase is the current one. A map that does not come with satjudge is stored in the game. Raises `RequestError` for
    a map that was made in Python.
    """
    played = list(phases)
    on = played[0].board.map if played else load_map()
    document = {"id": identity, "map": on.name, "rules": [], "phases": [phase_document(phase, identity) for phase in played]}
    return document | ({"satjudge": {"map": tables}} if (tables := get_tables_to_store(on)) else {})


def phase_document(phase: PlayedPhase, identity: str) -> dict[str, Any]:
    """Return one phase of the game with this ID as plain data in the format of saved games, or raise `BoardError`."""
    state: dict[str, Any] = msgspec.to_builtins(state_of(phase.name, phase.board.ensure_possible()))
    homes = {power: sorted(phase.board.map.homes(power)) for power in phase.board.map.powers}
    state |= {
        "note": "",
        "homes": homes,
        "builds": _list_builds(phase.board),
        "game_id": identity,
        "map": phase.board.map.name,
        "rules": [],
    }
    return {
        "name": phase.name,
        "state": state,
        "orders": {power: [] for power in phase.board.map.powers}
        | {power: list(given) for power, given in phase.orders.items()},
        "results": dict(_iter_results(phase)),
        "messages": [],
    }


def _list_builds(board: Board) -> dict[Power, dict[str, Any]]:
    """Return for all powers of the map the builds due (negative: removals; else 0) as `count`, and any sites as `homes`."""
    due = adjustments_due(board) if board.phase is Phase.ADJUSTMENT else {}
    counts = {power: due.get(power, 0) for power in board.map.powers}
    return {power: {"count": count, "homes": build_sites(board, power) if count > 0 else []} for power, count in counts.items()}


_WORDS = {
    OrderResult.FAILS: "bounce",
    OrderResult.CUT: "cut",
    OrderResult.DISRUPTED: "disrupted",
    OrderResult.ILLEGAL: "void",
    OrderResult.INVALID: "void",
}


def _iter_results(phase: PlayedPhase) -> Iterator[tuple[str, list[str]]]:
    """Yield the text of each ordered unit with its results in the words of the `diplomacy` package, such as `bounce`."""
    standing = (*phase.board.units, *(lost.unit for lost in phase.board.dislodged))
    for power, verdicts in phase.verdicts.items():
        for text, verdict in zip(phase.orders[power], verdicts, strict=True):
            read = Verdict.read(verdict)
            words = [_WORDS[read.order]] if read.order in _WORDS else []
            yield _find_ordered_unit(text, standing), [*words, "dislodged"] if read.unit else words


def _find_ordered_unit(order: str, units: Iterable[Unit]) -> str:
    """Return the text of the unit in the province that an order names first; if none is there, the order's first two words."""
    words = order.split()
    province = province_of(words[1]) if len(words) > 1 else ""
    return next((str(unit) for unit in units if unit.province == province), " ".join(words[:2]))
