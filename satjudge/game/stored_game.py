"""Keeps a game in memory and in files: its played phases and its current phase.

Files have the format of the `diplomacy` package's saved games (`satjudge.files.diplomacy_package`), with satjudge's own
fields under one key: the rulebook, the map if it does not come with satjudge, and the end of the game.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeVar
from warnings import warn

import msgspec

from satjudge.base.errors import InputError, NotFoundError, RequestError, UnresolvedError, reason_of
from satjudge.base.imports import cached_property
from satjudge.base.locking import WAIT, hold_lock
from satjudge.base.resources import write_atomically
from satjudge.base.values import Displayable, one_line
from satjudge.base.words import number_of
from satjudge.files import diplomacy_package
from satjudge.files.detect import GAMES_UNREAD, Kind, detect, format_hint
from satjudge.files.diplomacy_package import COMPLETED, PlayedPhase, Row, SavedGame, SavedPhase
from satjudge.files.game_readers import GAMES, ROWS
from satjudge.files.maps import read_map
from satjudge.judging.judge import AnyOutcome, group_by_power, judge_phase, read_orders
from satjudge.judging.legal_orders import PhaseOrders
from satjudge.judging.order_review import describe_missing_orders, find_missing_orders
from satjudge.notation.phase_names import choose_retreats, is_order_of, match_phases
from satjudge.notation.write import sheet_text
from satjudge.world.board import Board, ByPower, Phase, Season, group_pairs
from satjudge.world.geography import Map, Power, normal
from satjudge.world.orders import Build, Decline, Order, Permission, same_unit
from satjudge.world.rules import DEFAULT_RULES, Rulebook, load_rulebook, nearest_preset
from satjudge.world.seasons import adjustments_due, counted_centers, winners_of

T = TypeVar("T")
OWN = "satjudge"
"""The key of a saved game under which satjudge keeps its own fields."""


class Ending(msgspec.Struct, frozen=True):
    """How a game ended (`victory`, `draw`, `concession` or `nobody`), with its winners."""

    how: Literal["victory", "draw", "concession", "nobody"]
    winners: tuple[Power, ...] = ()

    def __str__(self) -> str:
        names = ", ".join(self.winners)
        return {"victory": f"{names} has won", "draw": f"a draw of {names}", "concession": f"all concede to {names}"}.get(
            self.how, "nobody has won"
        )


class _OwnFields(msgspec.Struct, omit_defaults=True):
    """The fields that satjudge adds to a saved game of the package."""

    rules: str = DEFAULT_RULES
    settings: list[str] = []
    map: dict[str, Any] | None = None
    """The tables of a map that does not come with satjudge."""
    ended: Ending | None = None
    phase: str = ""
    """The last phase of a finished game."""
    victory: Annotated[int, msgspec.Meta(ge=1)] | None = None
    """The number of centres needed to win, if it differs from the map's."""
    retreats_behind_arrow: bool = False
    """True if `> Gas, Pic` after an order means retreats in order of preference."""
    early: dict[str, dict[str, list[str]]] = {}
    """The orders given for later phases, by phase name and power."""


@dataclass(frozen=True, eq=False)
class Played(Displayable):
    """A phase that was played or is being played: its position, its orders as texts, and its outcome."""

    board: Board
    orders: Mapping[Power, Sequence[str]]
    rulebook: Rulebook
    saved: Mapping[str, Any] | None = None
    """The phase as it was stored in the file from which the game was loaded."""
    name: str = ""
    beside: Mapping[str, Any] = field(default_factory=dict)
    """Other data in the file on the phase before it was played: messages, and data of the `diplomacy` package."""

    @property
    def phase_name(self) -> str:
        """The name of the phase in saved games, `"F1901R"`."""
        return self.name or self.board.phase_name

    @cached_property
    def outcome(self) -> AnyOutcome:
        """The outcome of the orders.

        Raises `UnresolvedError` if the rulebook has no answer.
        """
        return judge_phase(self.board, self.orders, rulebook=self.rulebook, lenient=True)

    @property
    def missing_orders(self) -> dict[Power, list[str]]:
        """The texts of what each power did not order: its units, and the number of its builds or removals."""
        return find_missing_orders(self.board, read_orders(self.board, self.orders, lenient=True))

    @property
    def missing_remarks(self) -> list[str]:
        """A sentence for each power whose orders are missing, on what the rulebook does about them (4.D.7 to 4.D.9)."""
        return describe_missing_orders(
            self.board, self.rulebook, self.orders, find_missing_orders(self.board, self._counted_orders)
        )

    @property
    def missing_remarks_so_far(self) -> list[str]:
        """The sentences of `missing_remarks` for a phase in play, but with one for all powers that gave no orders."""
        missing = find_missing_orders(self.board, self._counted_orders)
        return describe_missing_orders(self.board, self.rulebook, self.orders, missing, max_sentences=1)

    @property
    def told_missing(self) -> list[str]:
        """The former name of `missing_remarks`, which warns."""
        warn("Played.told_missing will be removed in 1.2; use missing_remarks", DeprecationWarning, stacklevel=2)
        return self.missing_remarks

    @property
    def _counted_orders(self) -> dict[Power, list[Order]]:
        """Each power's orders that count as given: all of them, or in an adjustment phase only the legal ones."""
        given = read_orders(self.board, self.orders, lenient=True)
        if self.board.phase is not Phase.ADJUSTMENT:
            return given
        try:
            judged = self.outcome.judged
        except UnresolvedError:  # some mandatory builds are not ordered (4.D.7 b)
            return given
        return {power: [one.order for one in own if not one.reason] for power, own in judged.items()}

    def __repr__(self) -> str:
        return one_line("Played", self.phase_name, number_of(sum(map(len, self.orders.values())), "order"))


class MissingPhaseError(NotFoundError, KeyError):
    """An error for a phase that a game does not have."""

    @classmethod
    def from_choices(cls, phase: str | None, names: Sequence[str]) -> Self:
        """Return the error for a phase that is not among `names`; its message lists some of these."""
        names_text = ", ".join(names if len(names) < 12 else (*names[:3], "…", *names[-6:]))
        hint = f"there are {names_text}" if len(names) > 1 else f"there is {names_text}" if names else "none has been played"
        return cls(f"there is no phase {phase!r} in this game", suggestion=hint)


class PhasesByName(dict[str, Played]):
    """The phases of a game by name; a missing name raises an error that lists the names."""

    def __missing__(self, name: str) -> Played:
        raise MissingPhaseError.from_choices(name, [*self])


class ProvinceGivenError(NotFoundError, KeyError):
    """An error for a province that is named instead of a power."""


class CenterCounts(ByPower[int]):
    """The number of centres that count for each power, the map's powers first, including powers with none.

    Both `[]` and `get` raise an error for a province: it was meant as a key of `Board.centers`, and None from `get` would look
    like a centre without an owner.
    """

    def __init__(self, board: Board) -> None:
        powers = dict.fromkeys((*board.map.powers, *board.centers.values()))
        super().__init__({power: counted_centers(board, power) for power in powers})
        self._provinces = board.map.names

    def __missing__(self, name: Power) -> int:
        code = self._provinces.get(normal(name)) if isinstance(name, str) else None
        if code is None or self._find_power(name) is not None:
            return super().__missing__(name)
        hint = f"game.board.centers.get({code!r}) is the owner of a centre"
        raise ProvinceGivenError(f"{name!r} is a province: game.centers counts the centres of each power", suggestion=hint)


class StoredGame(Displayable):
    """A game at some phase: `board` is its position, and `orders` are the orders given so far."""

    def __init__(self, board: Board, rulebook: Rulebook | str, *, name: str = "game", victory: int | None = None) -> None:
        self.name = name
        self.rulebook = rulebook if isinstance(rulebook, Rulebook) else load_rulebook(rulebook)
        self.board = board
        self.victory = victory
        self.ending: Ending | None = None
        """How the game ended; None while it goes on."""
        self.retreats_behind_arrow = False
        """True if the players write retreats after an order, in order of preference: `A Par - Bur > Gas, Pic`."""
        self._past: list[Played] = []
        self._orders: dict[Power, list[str]] = {}
        self._kept_orders: PhaseOrders | None = None
        """The possible orders in the current phase, once they have been computed."""
        self._early: dict[str, dict[Power, list[str]]] = {}
        """The orders for later phases, by phase name and power. Used ones stay, so that they are there after an undo."""
        self._saved: Mapping[str, Any] = {}
        """Other data on the game from its file."""
        self._beside: Mapping[str, Any] = {}
        """Other data on the current phase from that file."""
        self._files: dict[str, bytes] = {}
        """The files from which the game was read or to which it was written, each with a digest of its content then."""

    @classmethod
    def from_phases(
        cls,
        phases: Sequence[tuple[Board, Mapping[Power, Sequence[str]]]],
        rulebook: Rulebook | str,
        *,
        name: str = "game",
        victory: int | None = None,
    ) -> Self:
        """Make a game from positions, each with the orders given in it; the last position is the current phase.

        Raises `NotationError` for orders of a power that is neither on the map nor on the board.
        """
        read = [
            (board, {power: [*given] for power, given in group_by_power(board, orders).items()}) for board, orders in phases
        ]
        *past, (board, orders) = read
        game = cls(board, rulebook, name=name, victory=victory)
        game._past = [Played(before, given, game.rulebook) for before, given in past]
        game._orders = orders
        game.ending = game._find_ending(past[-1][0]) if past else None
        return game

    # ---- phases ----

    @property
    def phase_name(self) -> str:
        """The name of the current phase, `"S1901M"`; `"COMPLETED"` once the game is over."""
        return COMPLETED if self.ending else self.board.phase_name or COMPLETED

    @property
    def is_over(self) -> bool:
        """True if the game has ended."""
        return self.ending is not None or self.board.turn is None

    @property
    def map(self) -> Map:
        """The map of the game."""
        return self.board.map

    @property
    def orders(self) -> dict[Power, list[str]]:
        """The texts of the orders given in this phase, by power; powers without orders are left out."""
        return ByPower({power: list(given) for power, given in self._orders.items() if given})

    @property
    def history(self) -> tuple[Played, ...]:
        """The phases that were played, from the first."""
        return tuple(self._past)

    @property
    def phases(self) -> dict[str, Played]:
        """The phases by name, from the first; the last is the current one, unless the game is over."""
        played = PhasesByName((past.phase_name, past) for past in self._past)
        if not self.is_over:
            played[self.phase_name] = self._current_phase
        return played

    @property
    def _current_phase(self) -> Played:
        return Played(self.board, dict(self.orders), self.rulebook, beside=self._beside)

    def at(self, phase: str | None = None) -> Played:
        """Return a phase by its name (`F1901M`, or in words such as `Fall 1901`); without a name, return the current phase.

        Raises `NotFoundError`.
        """
        names = [*(played.phase_name for played in self._past), self.phase_name]
        wanted = (phase or self.phase_name).upper()
        if wanted not in names and len(called := match_phases(wanted, names, self.map)) == 1:
            wanted = called[0]
        if wanted == self.phase_name:
            return self._current_phase
        for played in self._past:
            if played.phase_name == wanted:
                return played
        raise MissingPhaseError.from_choices(phase, names)

    def _advance_phase(self) -> None:
        """Judge the current phase; then begin the next one in which a power can act, with its early orders, or end the game."""
        played = self._current_phase
        self.board = find_next_board(played.outcome)
        self._past.append(played)
        self._orders, self._beside = {}, {}
        self.ending = self._find_ending(played.board)
        if not self.is_over:
            early = self._early.get(self.phase_name)
            self._orders = list_due_orders(self.board, early) if early else {}

    def _find_ending(self, previous_board: Board) -> Ending | None:
        """Return the ending if the phase of `previous_board` brought a victory or ended the map's last year, else None."""
        winners = find_victors(previous_board, self.board, self.victory)
        return Ending("victory" if len(winners) == 1 else "draw", winners) if winners else None

    def _check_going_on(self) -> None:
        if self.is_over:
            ended = self.ending or "its file says so"
            raise InputError(f"the game is over: {ended}", suggestion="take back the last step with undo")

    # ---- files ----

    def document(self) -> dict[str, Any]:
        """Return the game as plain data, in the format in which the `diplomacy` package saves games.

        Phases that were read from a file are returned unchanged.
        """
        phases = [self._format_phase(played) for played in self._past]
        last = PlayedPhase(self.phase_name, self.board, self._orders, {})
        phases.append(_merge_phase(self._beside, diplomacy_package.phase_document(last, self.name)))
        return {**self._saved, "id": self.name, "map": self.map.name, "phases": phases, OWN: self._make_own_fields()}

    def sheet(self, phase: str | None = None) -> str:
        """Return a phase as the text of an order sheet; a phase of moves and the retreats after it share one sheet.

        Raises `SheetError` for a phase that a sheet cannot express, such as retreats after unknown moves.
        """
        played = self.at(phase)
        names = [past.phase_name for past in self._past]
        number = names.index(played.phase_name) if played.phase_name in names else len(names)
        following = [*self._past, self._current_phase][number + 1 : number + 2]
        retreats = following[0] if following and following[0].board.phase is Phase.RETREAT else None
        if played.board.phase is Phase.RETREAT and number:
            played, retreats = self._past[number - 1], played
        preset, settings = nearest_preset(self.rulebook)
        orders = read_orders(played.board, played.orders, lenient=True)
        return sheet_text(
            played.board,
            {power: given for power, given in orders.items() if given},
            title=f"{self.name}, {played.board.date or played.phase_name}",
            identity=played.phase_name,
            rules=preset,
            notes={"note": [f"judged with --set {setting}" for setting in settings]} if settings else None,
            retreats=read_orders(retreats.board, retreats.orders, lenient=True) if retreats else None,
        )

    def _format_phase(self, played: Played) -> dict[str, Any]:
        if played.saved is not None:
            return dict(played.saved)
        orders = {power: tuple(given) for power, given in played.orders.items() if given}
        judged = PlayedPhase(played.phase_name, played.board, orders, {p: played.outcome.results[p] for p in orders})
        return _merge_phase(played.beside, diplomacy_package.phase_document(judged, self.name))

    def _make_own_fields(self) -> dict[str, Any]:
        preset, settings = nearest_preset(self.rulebook)
        phase = self.board.phase_name if self.ending else ""
        fields = self.ending, phase, self.victory, self.retreats_behind_arrow, self._early
        own = _OwnFields(preset, list(settings), diplomacy_package.get_tables_to_store(self.map), *fields)
        found: dict[str, Any] = msgspec.to_builtins(own)
        return {"rules": preset, **found}

    def save(self, path: str | Path) -> None:
        """Write the game to a file atomically, unless the file has changed since the game was read from it.

        Raises `InputError` in that case, and if the file cannot be written.
        """
        target = Path(path)
        data = msgspec.json.encode(self.document()) + b"\n"
        with hold_game_lock(target):
            self._check_unchanged(target)
            try:
                write_atomically(target, data)
            except OSError as error:
                raise InputError(f"cannot write {target}: {reason_of(error)}") from None
        self._files[os.path.realpath(target)] = _compute_digest(data)

    def _check_unchanged(self, path: Path) -> None:
        known = self._files.get(os.path.realpath(path))
        if known is not None and path.exists() and known != _compute_digest(diplomacy_package.read_file(path)):
            hint = "load it again and repeat your changes, or save the game to another file"
            raise InputError("the file has changed since the game was read from it", source=str(path), suggestion=hint)

    @classmethod
    def load(cls, path: str | Path, *, game: str | None = None) -> Self:
        """Load the game in a file, which satjudge or the `diplomacy` package saved, or which holds single phases of a game.

        `game` names one game in a file with several. Raises `InputError`, with the place, for a file without a game.
        """
        data = diplomacy_package.read_file(Path(path))
        loaded = cls.read(data, str(path), game=game)
        loaded._files[os.path.realpath(path)] = _compute_digest(data)
        return loaded

    @classmethod
    @contextmanager
    def open(cls, path: str | Path, *, wait: float = WAIT) -> Iterator[Self]:
        """Load a game, lock its file against other processes, and save the game after this block unless an error occurs.

        If another process has the file open, waits up to `wait` seconds. Raises `InputError`, and the errors of `load` and
        `save`.
        """
        with hold_game_lock(path, wait):
            game = cls.load(path)
            yield game
            game.save(path)

    @classmethod
    def read(
        cls,
        data: bytes,
        source: str = "",
        *,
        game: str | None = None,
        rulebook: Rulebook | str | None = None,
        map: str | Path | Map | None = None,  # noqa: A002
    ) -> Self:
        """Read the game in a file's bytes (see `load`), with the file's own rulebook and map unless others are given."""
        chosen = _choose_game(_list_games(data, source), game, source)
        try:
            if not isinstance(chosen, list):
                return cls.from_saved(chosen, rulebook=rulebook, map=map)
            loaded = cls.from_saved(_make_document(chosen, _load_map(map)), rulebook=rulebook, map=map)
            if chosen[-1].next_units is not None:
                loaded._advance_phase()  # to the phase after the last row
            return loaded
        except InputError as error:
            raise error.add_place(source=", ".join(part for part in (source, error.source) if part)) from None

    @classmethod
    def from_saved(
        cls,
        saved: Mapping[str, Any] | str | bytes,
        *,
        rulebook: Rulebook | str | None = None,
        map: str | Path | Map | None = None,  # noqa: A002
    ) -> Self:
        """Make a game from data or JSON that `document`, or the `diplomacy` package's `to_saved_game_format`, wrote.

        Positions are kept as saved, even if satjudge would have judged differently. Raises `InputError`.
        """
        raw: Mapping[str, Any] = _decode_json(saved) if isinstance(saved, str | bytes) else saved
        try:
            read = msgspec.convert(raw, SavedGame)
            own = msgspec.convert(raw.get(OWN) or {}, _OwnFields)
        except msgspec.ValidationError as error:
            raise RequestError(f"not a saved game: {error}") from None
        if not read.phases:
            raise RequestError("the saved game has no phases")
        if twice := [name for name, times in Counter(phase.name for phase in read.phases).items() if times > 1]:
            raise RequestError(f"the phase {twice[0]:.40} appears twice in the game")
        played_on = _load_map(map) or diplomacy_package.map_of(read)
        given = [diplomacy_package.normalize_phase(phase, played_on) for phase in read.phases]
        boards = [_read_board(phase, played_on, own) for phase in given]
        rules = rulebook or load_rulebook(own.rules).with_settings(own.settings)
        game = cls(boards[-1], rules, name=str(read.id or "game"), victory=own.victory)
        game._past = [
            Played(board, _read_orders(phase, board), game.rulebook, document, phase.name)
            for board, phase, document in list(zip(boards, given, raw["phases"], strict=True))[:-1]
        ]
        game.ending = own.ended
        game._orders = {power: [*texts] for power, texts in _read_orders(given[-1], boards[-1]).items() if texts}
        game._beside = raw["phases"][-1]
        game._early, game.retreats_behind_arrow = own.early, own.retreats_behind_arrow
        game._saved = {key: value for key, value in raw.items() if key not in (OWN, "phases")}
        return game


def find_next_board(outcome: AnyOutcome) -> Board:
    """Return the position after an outcome, as saved games store it: without dislodged units that cannot retreat."""
    board = outcome.next_board
    going = tuple(lost for lost in board.dislodged if lost.retreats)
    return board if going == board.dislodged else replace(board, dislodged=going)


def find_victors(previous_board: Board, board: Board, victory: int | None) -> tuple[Power, ...]:
    """Return the winners, () unless a phase ended a Fall: by `victory` centres (None: the map's number) or in the last year.

    There are none unless the phase ended a Fall turn.
    """
    fall_is_over = previous_board.turn and previous_board.turn.season is Season.FALL and board.phase is not Phase.RETREAT
    if not fall_is_over or previous_board.phase is Phase.ADJUSTMENT:
        return ()
    return winners_of(replace(board, turn=previous_board.turn), victory)


@contextmanager
def hold_game_lock(path: str | Path, wait: float = WAIT) -> Iterator[None]:
    """Hold a lock on a game's file, which need not exist, waiting up to `wait` seconds for it; raise `InputError`."""
    target = Path(path)
    if target.exists() and not target.is_file():
        raise InputError(f"cannot write {target}: it is not a regular file")
    with ExitStack() as stack:
        try:
            stack.enter_context(hold_lock(target, wait, is_reentrant=True))
        except OSError as error:
            raise InputError(f"cannot write {target}: {reason_of(error)}") from None
        yield


def _compute_digest(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def _merge_phase(file_phase: Mapping[str, Any], phase: Mapping[str, Any]) -> dict[str, Any]:
    """Return a phase as satjudge writes it, with the other data that `file_phase` has, such as messages."""
    state = {**file_phase.get("state", {}), **phase["state"]}
    return {**file_phase, **phase, "state": state, "messages": file_phase.get("messages", [])}


def _read_orders(phase: SavedPhase, board: Board) -> dict[Power, list[str]]:
    """Return the orders of a saved phase by power. Raises `RequestError` for a power that is not in the game."""
    known = {*board.map.powers, *board.centers.values(), *(unit.power for unit in board.units)}
    known |= {lost.unit.power for lost in board.dislodged}
    if unknown := [power for power, given in phase.orders.items() if given and power not in known]:
        message = f"{phase.name}, orders of {unknown[0]!r:.60}: there is no such power"
        raise RequestError(message, suggestion=f"there are {', '.join(sorted(known))}")
    return {power: given or [] for power, given in phase.orders.items()}


def _read_board(phase: SavedPhase, game_map: Map, own_fields: _OwnFields) -> Board:
    """Return the position of a saved phase; the last one of a finished game gets the phase in which the game ended."""
    name = own_fields.phase if phase.name == COMPLETED and own_fields.phase else phase.name
    return diplomacy_package.board_of(msgspec.structs.replace(phase, name=name), game_map).ensure_possible()


def list_game_names(data: bytes, source: str = "") -> list[str]:
    """List the names of the games in a file's bytes, or raise `InputError` if there is none."""
    return [name for name, _ in _list_games(data, source)]


def list_due_orders(board: Board, early_orders: Mapping[Power, Sequence[str]]) -> dict[Power, list[str]]:
    """Return, by power, those early orders for the phase of `board` that are possible in it.

    The due orders are the first possible retreat of each dislodged unit, builds by powers that may build, removals by powers
    that must remove units, and all orders to a power's own units in a phase of moves.
    """
    due = adjustments_due(board) if board.phase is Phase.ADJUSTMENT else {}
    units = [lost.unit for lost in board.dislodged] if board.phase is Phase.RETREAT else board.units
    read = read_orders(board, early_orders, lenient=True)

    def counts(power: Power, order: Order) -> bool:
        if not is_order_of(order, board.phase):
            return False
        if isinstance(order, Build | Decline):
            return due.get(power, 0) > 0
        if isinstance(order, Permission):
            return True
        own = any(unit.power == power and unit.province == order.unit.province for unit in units)
        return own and (board.phase is not Phase.ADJUSTMENT or due.get(power, 0) < 0)

    counting = {power: [order for order in orders if counts(power, order)] for power, orders in read.items()}
    if board.phase is Phase.RETREAT:
        counting = {power: choose_retreats(orders, board) for power, orders in counting.items()}
    return {power: [*map(str, orders)] for power, orders in counting.items() if orders}


def list_undue_orders(board: Board, early_orders: Mapping[Power, Sequence[str]]) -> dict[Power, list[str]]:
    """Return, by power, the early orders that `list_due_orders` leaves out, except a unit's further choices of retreat."""
    due, found = list_due_orders(board, early_orders), dict[Power, list[str]]()
    for power, orders in read_orders(board, early_orders, lenient=True).items():
        counting: list[Order] = []
        left = found[power] = list[str]()
        for order in orders:
            if str(order) in due.get(power, ()):
                counting.append(order)
            elif not any(same_unit(one, order) for one in counting):
                left.append(str(order))
    return {power: orders for power, orders in found.items() if orders}


def _list_games(data: bytes, source: str) -> list[tuple[str, Mapping[str, Any] | list[Row]]]:
    """Return the games in a file's bytes, each as its name with its saved data or its rows. Raises `InputError`."""
    kind = detect(data)
    if kind is Kind.GZIP:
        data = diplomacy_package.read_all(BytesIO(data), source)
        kind = detect(data)
    if kind in ROWS:
        return [*group_pairs((row.game, row) for row in (read() for read in ROWS[kind](data, source))).items()]
    if kind in GAMES and kind is not Kind.GAME:
        return [(str(game.id), msgspec.to_builtins(game)) for game in (read() for read in GAMES[kind](data, source))]
    if kind is Kind.GAME:
        return [(str(one.get("id")), one) for one in diplomacy_package.read_raw_games(data, source)]
    begin = "start a game with `satjudge game new FILE`"
    begin += ", then enter the sheet with `satjudge game order FILE --sheet SHEET`" if kind is Kind.SHEET else ""
    hint = format_hint(kind) if kind in GAMES_UNREAD else begin
    raise RequestError(f"this is {kind}, not a saved game", source=source, suggestion=hint)


class ChoiceError(RequestError):
    """An error for a file with several games if no game or an unknown one is chosen."""


def _choose_game(games: Sequence[tuple[str, T]], name: str | None, source: str) -> T:
    """Return the game named `name`, or the only game if `name` is None. Raises `ChoiceError`."""
    found = [game for game_name, game in games if name in (None, game_name)]
    if len(found) == 1:
        return found[0]
    names = [game_name for game_name, _ in games]
    names_text = ", ".join(names if len(names) < 8 else (*names[:6], "…"))
    several = f"it holds {number_of(len(names), 'game')}: choose one"
    message = f"{'several games are' if found else 'no game is'} called {name!r}" if name else several
    raise ChoiceError(message, source=source, suggestion=f"there are {names_text}" if names else None)


def _decode_json(text: str | bytes) -> dict[str, Any]:
    return diplomacy_package.read_raw_games(text.encode() if isinstance(text, str) else text)[0]


def _load_map(given_map: str | Path | Map | None) -> Map | None:
    return read_map(given_map) if isinstance(given_map, str | Path) else given_map


def _make_document(rows: Sequence[Row], game_map: Map | None) -> dict[str, Any]:
    """Return a saved game made from the rows of one game, without retreat phases in which no unit could retreat."""
    name, rules, written = rows[0].game, load_rulebook(), []
    for row in rows:
        board = diplomacy_package.make_row_board(row, rules, default_map=game_map)
        if board.phase is not Phase.RETREAT or any(lost.retreats for lost in board.dislodged):
            read = read_orders(board, row.orders, lenient=True)  # with the map's power names
            orders = {power: [str(order) for order in given] for power, given in read.items()}
            phase = diplomacy_package.phase_document(PlayedPhase(row.phase, board, orders, {}), name)
            written.append({**phase, "results": row.results})
    return {"id": name, "map": board.map.name, "rules": [], "phases": written}
