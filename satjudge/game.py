"""A game in hand: its position, the orders given, and all that came before, from the first phase to victory or a draw.

    >>> from satjudge.game import Game
    >>> game = Game.new()
    >>> game.order("FRANCE", "A PAR - BUR", "A MAR S A PAR - BUR")
    ['A PAR - BUR', 'A MAR S A PAR - BUR']
    >>> game.next().results["FRANCE"], game.phase_name
    (['succeeds', 'given'], 'F1901M')

A game is kept in the format in which the `diplomacy` package saves games (`satjudge.formats.saved_games`), with what only
satjudge knows under a key of its own: the rulebook, the map if it is nobody's but the player's, and how the game ended.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import msgspec

from satjudge.as_meant import Line, settled
from satjudge.board import Board, Phase, Season, Turn, starting_board
from satjudge.errors import InputError, NotationError, NotFoundError, RequestError, UnresolvedError, reason_of
from satjudge.explain import Explanation, adjustment_explanations, explanations, retreat_explanations, why
from satjudge.formats import saved_games
from satjudge.formats.detect import Kind, detect
from satjudge.formats.maps import read_map, read_tables
from satjudge.formats.saved_games import COMPLETED, PlayedPhase, Row, SavedGame, SavedPhase
from satjudge.geography import Map, Power, load_map, province_of
from satjudge.judge import AnyOutcome, judge_phase, read_orders
from satjudge.judge import resolutions as resolutions_of
from satjudge.lazy import cached_property
from satjudge.legal_orders import legal_orders
from satjudge.legality import legal_alone
from satjudge.notation import parse_location, parse_order, parse_power, told_order
from satjudge.notation.sheets import read_orders_in
from satjudge.notation.write import sheet_text
from satjudge.orders import Build, Decline, Order, Permission, Remove, Unreadable
from satjudge.outcome import Outcome
from satjudge.retreats import RetreatOutcome
from satjudge.rules import DEFAULT_RULES, Declining, DisorderRetreats, DisorderSupport, Rulebook, load_rulebook
from satjudge.rules.rulebook import nearest_preset
from satjudge.seasons import adjustments_due, counted_centers, winner_of
from satjudge.solve.result import Resolutions
from satjudge.words import number_of, one_line

T = TypeVar("T")
OWN = "satjudge"
"""The key of a saved game under which stands what only satjudge writes and reads."""


class Ending(msgspec.Struct, frozen=True):
    """How a game ended: by `victory`, a `draw`, a `concession` to one power, or `nobody` having won it; and for whom."""

    how: Literal["victory", "draw", "concession", "nobody"]
    winners: tuple[Power, ...] = ()

    def __str__(self) -> str:
        names = ", ".join(self.winners)
        return {"victory": f"{names} has won", "draw": f"a draw of {names}", "concession": f"all concede to {names}"}.get(
            self.how, "nobody has won"
        )


class _Own(msgspec.Struct, omit_defaults=True):
    """What satjudge keeps in a saved game beside what the package does."""

    rules: str = DEFAULT_RULES
    settings: list[str] = []
    map: dict[str, Any] | None = None
    """The tables of a map that does not come with satjudge."""
    ended: Ending | None = None
    phase: str = ""
    """The phase that a finished game had come to."""
    victory: Annotated[int, msgspec.Meta(ge=1)] | None = None
    """How many centres win, where that is not the map's number."""


@dataclass(frozen=True, eq=False)
class Played:
    """A phase that was played, or is being played: the position, the orders as text, and what became of them."""

    board: Board
    orders: Mapping[Power, Sequence[str]]
    rulebook: Rulebook
    saved: Mapping[str, Any] | None = None
    """The phase as the file has it that it came from."""
    name: str = ""
    beside: Mapping[str, Any] = field(default_factory=dict)
    """What a file says of a phase that was played on since: messages, and what only the package knows of its position."""

    @property
    def phase_name(self) -> str:
        """What the phase is called, `"F1901R"`."""
        return self.name or self.board.phase_name

    @cached_property
    def outcome(self) -> AnyOutcome:
        """What becomes of the orders. Raises `UnresolvedError` where the rulebook has no answer."""
        return judge_phase(self.board, self.orders, rulebook=self.rulebook, lenient=True)

    @property
    def missing_orders(self) -> dict[Power, list[str]]:
        """What each power has left unordered, and what becomes of it by the rules (4.D.7 to 4.D.9); see `Game`."""
        return missing_orders(self.board, read_orders(self.board, self.orders, lenient=True))

    def __repr__(self) -> str:
        return one_line("Played", self.phase_name, number_of(sum(map(len, self.orders.values())), "order"))


class Game:
    """A game of Diplomacy on any map by any rulebook. Make one by `Game.new`, `Game.load` or `Game.from_saved`.

    `board` is the position and `orders` are the orders given so far; `order` and `clear_orders` change them, `next` judges
    them and goes on to the next phase in which anybody has anything to do, and `undo` takes that back.
    """

    def __init__(self, board: Board, rulebook: Rulebook, *, name: str = "game", victory: int | None = None) -> None:
        self.name = name
        self.rulebook = rulebook
        self.board = board
        self.victory = victory
        self.ending: Ending | None = None
        """How the game ended; None while it goes on."""
        self._past: list[Played] = []
        self._orders: dict[Power, list[str]] = {}
        self._tables: dict[str, Any] | None = None
        self._saved: dict[str, Any] = {}
        """What a file said of the game beside its phases."""
        self._beside: Mapping[str, Any] = {}
        """What it said of the phase at hand."""

    # ---- beginning ----

    @classmethod
    def new(
        cls,
        map: str | Path | Map = "standard",  # noqa: A002  # as users of other packages call it
        rulebook: Rulebook | str = DEFAULT_RULES,
        *,
        name: str = "game",
        board: Board | None = None,
        victory: int | None = None,
    ) -> Game:
        """A game that begins: on a map, given by its name, file or value, or from a position of one's own.

        Where a map places no units the game begins with builds, as Chaos does. `victory` is how many centres win, where that
        is not the map's number. Raises `InputError`.
        """
        rules = rulebook if isinstance(rulebook, Rulebook) else load_rulebook(rulebook)
        played_on, tables = _map_and_tables(board.map if board else map)
        if board is None:
            board = _beginning(played_on)
        elif board.turn is None:
            board = replace(board, turn=Turn(board.map.first_year, Season.SPRING))
        game = cls(board.checked(), rules, name=name, victory=victory)
        game._tables = tables
        return game

    # ---- orders ----

    @property
    def phase_name(self) -> str:
        """The phase at hand, `"S1901M"`; `"COMPLETED"` once the game is over."""
        return COMPLETED if self.ending else self.board.phase_name or COMPLETED

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.phase_name == COMPLETED

    @property
    def map(self) -> Map:
        """The map that is played on."""
        return self.board.map

    @property
    def orders(self) -> dict[Power, list[str]]:
        """The orders given in this phase, of the powers that gave any."""
        return {power: list(given) for power, given in self._orders.items() if given}

    def order(self, power: str, *orders: str | Order) -> list[str]:
        """Give orders; each takes the place of one given before to the same unit. Returns all orders of the power.

        Orders that are not legal are taken, for they may count (4.E.1): `illegal_orders` tells of them. Raises `NotationError`
        for what cannot be read; then none of these orders is taken.
        """
        whose, read = self._power(power), [self._read(order) for order in orders]
        given = list(self._orders.get(whose, ()))
        for order in self._in_full(whose, read):
            given = [text for text in given if not _same_unit(told_order(text, self.map, self.board.phase), order)]
            given.append(str(order))
        self._orders[whose] = given
        return list(given)

    def read_sheet(
        self,
        text: str,
        *,
        power: str | None = None,
        source: str = "sheet",
        lenient: bool = False,
        as_meant: bool = False,
        told: list[str] | None = None,
    ) -> dict[Power, list[str]]:
        """Set the orders of all powers that an order sheet names, `France:` with its orders below; or, if a power is given,
        add its orders, one on each line.

        Returns all orders of these powers. Raises `SheetError` that tells all lines that cannot be read; then nothing changes.
        If it is `lenient` orders that cannot be read are kept as they stand: they are illegal, and `illegal_orders` tells why.
        `as_meant` reads what is poorly written where it can have one meaning only (DATC 2.4, 4.E.2 d). That, and what is
        passed over, is added to `told`.
        """
        self._check_going_on()
        whose = self._power(power) if power else None
        settle = self._settled if as_meant else None
        found = read_orders_in(text, self.board, whose=whose, source=source, lenient=lenient, settle=settle, told=told)
        return {
            named: self.order(named, *orders) if whose else self.set_orders(named, orders) for named, orders in found.items()
        }

    def _settled(self, power: Power, known: list[Order], doubtful: list[list[list[Order]]]) -> list[list[Line]]:
        return settled(self.board, power, known, doubtful, self.rulebook)

    def set_orders(self, power: str, orders: Iterable[str | Order]) -> list[str]:
        """Give a power these orders and no others. Raises what `order` raises, and then changes nothing."""
        whose, read = self._power(power), [self._read(order) for order in orders]
        self._orders[whose] = [str(order) for order in self._in_full(whose, read)]
        return list(self._orders[whose])

    def clear_orders(self, *powers: str) -> None:
        """Take back the orders of these powers, or of all."""
        for power in [self._power(power) for power in powers] or list(self._orders):
            self._orders.pop(power, None)

    def _power(self, name: str) -> Power:
        self._check_going_on()
        if name in {*self.board.centers.values(), *(unit.power for unit in self.board.units)}:
            return name
        try:
            return parse_power(name, self.map)
        except NotationError as error:
            error.column = None  # it is a name by itself, and no part of a text
            raise

    def _read(self, order: str | Order) -> Order:
        return parse_order(order, self.map, self.board.phase) if isinstance(order, str) else order

    def _in_full(self, power: Power, orders: Sequence[Order]) -> list[Order]:
        """Orders as they are kept: legal ones to units with all kinds and coasts, as the rulebook fills them in."""
        if self.board.phase is not Phase.MOVEMENT:
            return list(orders)
        return [entry.legal or entry.order for entry in legal_alone(self.board, power, orders, self.rulebook)]

    @property
    def orderable(self) -> dict[Power, list[str]]:
        """What each power may order: units, dislodged ones, centres to build in, units of which some must go."""
        return {power: list(listed) for power, listed in self._legal.items()}

    def legal_orders(self, what: str = "") -> Any:  # noqa: ANN401  # a list, or lists by what is ordered
        """All legal orders of one unit or centre (`"A PAR"`, `"PAR"`, `"Paris"`); of all of them if none is named.

        Raises `NotFoundError` for what cannot be ordered now, and says what can.
        """
        listed = {name: [str(order) for order in orders] for of in self._legal.values() for name, orders in of.items()}
        if not what or what in listed:
            return listed[what] if what else listed
        with suppress(InputError):
            place = what.split(None, 1)[1] if what.upper().startswith(("A ", "F ")) else what
            sought = province_of(parse_location(place, self.map))
            for name, orders in listed.items():
                if province_of(name.split()[-1]) == sought:
                    return orders
        hint = f"what can be ordered: {', '.join(listed)}" if listed else "nobody has anything to order"
        raise NotFoundError(f"{what!r} has no orders in {self.phase_name}", suggestion=hint)

    @property
    def _legal(self) -> dict[Power, dict[str, list[Order]]]:
        return {} if self.is_over else legal_orders(self.board, self.rulebook)

    @property
    def missing_orders(self) -> dict[Power, list[str]]:
        """What each power has not ordered yet: units that would hold, or be disbanded, builds and removals that are due."""
        return {} if self.is_over else self._now.missing_orders

    @property
    def illegal_orders(self) -> dict[Power, dict[str, str]]:
        """The orders given that are not legal, with the reasons, by power."""
        if self.is_over:
            return {}
        read = read_orders(self.board, self._orders, lenient=True)
        if self.board.phase is Phase.MOVEMENT:
            entries = {power: legal_alone(self.board, power, given, self.rulebook) for power, given in read.items()}
            told = {power: {str(one.order): one.reason for one in of if one.reason} for power, of in entries.items()}
        else:
            try:
                judged = self._now.outcome.judged
            except UnresolvedError:  # of builds that may not be declined some are not ordered yet (4.D.7 b)
                return {}
            told = {power: {str(one.order): one.reason for one in of if one.reason} for power, of in judged.items()}
        return {power: reasons for power, reasons in told.items() if reasons}

    # ---- going on and back ----

    def judge(self, phase: str | None = None) -> AnyOutcome:
        """What becomes of the orders of a phase, as they are: of the one at hand, or of one played before, `"F1901M"`.

        Raises `NotFoundError` for a phase that there is not, `UnresolvedError` where the rulebook has no answer, `InputError`
        for none at hand as the game is over.
        """
        if phase is None:
            self._check_going_on()
        return self.at(phase).outcome

    def next(self) -> AnyOutcome:
        """Judge the orders, and go on to the next phase in which anybody has anything to do; returns what became of them.

        After a Fall the game is over if a power has the centres that win. Raises `InputError` if it is over already, and
        `UnresolvedError` where the rulebook has no answer; then the game stays where it is.
        """
        self._check_going_on()
        played = self._now
        following = _without_destroyed(played.outcome.next_board)
        self._past.append(played)
        self.board, self._orders, self._beside = following, {}, {}
        fall_is_over = played.board.turn and played.board.turn.season is Season.FALL and following.phase is not Phase.RETREAT
        if fall_is_over and played.board.phase is not Phase.ADJUSTMENT:
            winner = winner_of(following, self.victory)
            self.ending = Ending("victory", (winner,)) if winner else None
        return played.outcome

    def undo(self) -> str:
        """Take back the end of the game, or else the last phase, whose orders stand as they were; returns its name.

        Raises `InputError` where there is nothing to take back.
        """
        if self.ending is not None and self.ending.how != "victory" and self.board.turn:
            self.ending = None
        elif self._past:
            last = self._past.pop()
            self.board, self.ending, self._beside = last.board, None, last.saved or last.beside
            self._orders = {power: list(given) for power, given in last.orders.items() if given}
        else:
            raise InputError(f"nothing comes before {self.phase_name}", suggestion="`clear_orders` takes back orders")
        return self.phase_name

    def fork(self, phase: str | None = None, *, name: str = "") -> Game:
        """A game of its own that has come as far as this one; or that begins anew at a phase, with the orders given there.

        Raises `NotFoundError` for a phase that there is not.
        """
        self.at(phase)
        branch = Game(self.board, self.rulebook, name=name or self.name, victory=self.victory)
        branch.ending, branch._past, branch._orders = self.ending, list(self._past), self.orders
        branch._tables, branch._saved, branch._beside = self._tables, dict(self._saved), self._beside
        while phase is not None and branch.phase_name != phase:
            branch.undo()
        return branch

    def end(self, *winners: str) -> Ending:
        """End the game without victory: a draw of several powers, a concession to one, or nobody wins. `undo` reopens it."""
        powers = tuple(dict.fromkeys(self._power(power) for power in winners))
        self._check_going_on()
        self.ending = Ending("nobody" if not powers else "concession" if len(powers) == 1 else "draw", powers)
        return self.ending

    def draw(self) -> Ending:
        """End the game as a draw of all powers that still own a centre or have a unit."""
        return self.end(*self.survivors)

    @property
    def survivors(self) -> list[Power]:
        """The powers that own a centre or have a unit."""
        alive = {*self.board.centers.values(), *(unit.power for unit in self.board.units)}
        return [power for power in dict.fromkeys((*self.map.powers, *sorted(alive))) if power in alive]

    @property
    def centers(self) -> dict[Power, int]:
        """How many centres count for each power, the map's powers first, also those that have none."""
        powers = dict.fromkeys((*self.map.powers, *self.board.centers.values()))
        return {power: counted_centers(self.board, power) for power in powers}

    def _check_going_on(self) -> None:
        if self.is_over:
            ended = self.ending or "its file says so"
            raise InputError(f"the game is over: {ended}", suggestion="undo takes the last step back")

    # ---- looking back ----

    @property
    def history(self) -> tuple[Played, ...]:
        """The phases that were played, from the first."""
        return tuple(self._past)

    @property
    def _now(self) -> Played:
        return Played(self.board, self.orders, self.rulebook, beside=self._beside)

    def at(self, phase: str | None = None) -> Played:
        """A phase by its name, or the one at hand. Raises `NotFoundError`."""
        wanted = (phase or self.phase_name).upper()
        if wanted == self.phase_name:
            return self._now
        for played in self._past:
            if played.phase_name == wanted:
                return played
        names = [*(played.phase_name for played in self._past), self.phase_name]
        told = ", ".join(names if len(names) < 12 else (*names[:3], "…", *names[-6:]))
        raise NotFoundError(f"there is no phase {phase!r} in this game", suggestion=f"there are {told}")

    def resolutions(self, phase: str | None = None) -> Resolutions:
        """Every consistent resolution of a movement phase. Raises `InputError` for one of another kind."""
        played = self.at(phase)
        if played.board.phase is not Phase.MOVEMENT:
            raise InputError(f"{played.phase_name} has no resolutions: only movement phases have")
        return resolutions_of(played.board, played.outcome.orders, rulebook=self.rulebook)

    def explain(self, order: str, power: str | None = None, *, phase: str | None = None) -> Explanation:
        """Why the verdict on an order is what it is; a unit alone (`"F LON"`) stands for its order.

        Raises `NotFoundError` for an order that was not given.
        """
        outcome = self.judge(phase)
        whose = parse_power(power, self.map) if power else None
        if isinstance(outcome, Outcome):
            return why(outcome, order, whose)
        told = [one for one in self.explanations(phase) if whose in (None, one.power)]
        with suppress(InputError):
            order = str(parse_order(order, self.map, outcome.board.phase))
        for one in told:
            if one.order == order or one.order.startswith(f"{order} "):
                return one
        orders = "; ".join(one.order for one in told) or "no orders"
        raise NotFoundError(f"there is no order {order}", suggestion=f"there are {orders}")

    def explanations(self, phase: str | None = None) -> list[Explanation]:
        """Why each order of a phase has its verdict. A retreat phase is explained from the moves before it."""
        outcome = self.judge(phase)
        if isinstance(outcome, Outcome):
            return explanations(outcome)
        if isinstance(outcome, RetreatOutcome):
            names = [played.phase_name for played in self._past]
            number = names.index(phase.upper()) if phase and phase.upper() in names else len(names)
            moves = self._past[number - 1].outcome if number else None
            return retreat_explanations(outcome, rulebook=self.rulebook, movement=moves if isinstance(moves, Outcome) else None)
        return adjustment_explanations(outcome, rulebook=self.rulebook)

    def __repr__(self) -> str:
        counted = sorted(self.centers.items(), key=lambda entry: -entry[1])
        told = ", ".join(f"{power} {count}" for power, count in counted if count)
        given = number_of(sum(map(len, self._orders.values())), "order")
        return one_line("Game", f"{self.map.name}, {self.rulebook.name}", self._where, told, "" if self.is_over else given)

    @property
    def _where(self) -> str:
        return f"over, {self.ending}" if self.ending else self.phase_name

    def __str__(self) -> str:
        """The position as a table."""
        return f"{self._where}\n{self.board}"

    def _repr_svg_(self) -> str | None:
        """The picture that notebooks show."""
        return self.board._repr_svg_()

    # ---- files ----

    def document(self) -> dict[str, Any]:
        """The game as plain data, as the `diplomacy` package saves it. Phases that came from a file stay as they were."""
        phases = [self._saved_phase(played) for played in self._past]
        last = PlayedPhase(self.phase_name, self.board, self._orders, {})
        phases.append(_with_all(self._beside, saved_games.phase_document(last, self.name)))
        return {**self._saved, "id": self.name, "map": self.map.name, "phases": phases, OWN: self._own()}

    def sheet(self, phase: str | None = None) -> str:
        """A phase as an order sheet: its position and orders; retreats stand below the moves that they follow.

        Raises `SheetError` for what a sheet cannot say, as retreats of which the moves are not known.
        """
        played = self.at(phase)
        names = [past.phase_name for past in self._past]
        number = names.index(played.phase_name) if played.phase_name in names else len(names)
        following = [*self._past, self._now][number + 1 : number + 2]
        retreats = following[0] if following and following[0].board.phase is Phase.RETREAT else None
        if played.board.phase is Phase.RETREAT and number:
            played, retreats = self._past[number - 1], played
        preset, settings = nearest_preset(self.rulebook)
        orders = read_orders(played.board, played.orders, lenient=True)
        return sheet_text(
            played.board,
            {power: given for power, given in orders.items() if given},
            title=f"{self.name}, {played.phase_name}",
            identity=played.phase_name,
            rules=preset,
            notes={"note": [f"judged with --set {setting}" for setting in settings]} if settings else None,
            retreats=read_orders(retreats.board, retreats.orders, lenient=True) if retreats else None,
        )

    def _saved_phase(self, played: Played) -> dict[str, Any]:
        if played.saved is not None:
            return dict(played.saved)
        orders = {power: tuple(given) for power, given in played.orders.items() if given}
        judged = PlayedPhase(played.phase_name, played.board, orders, {p: played.outcome.results[p] for p in orders})
        return _with_all(played.beside, saved_games.phase_document(judged, self.name))

    def _own(self) -> dict[str, Any]:
        if self._tables is None and not _comes_along(self.map):
            hint = "make the game by Game.new with the map's file, which is then kept in the game"
            raise InputError(f"the map {self.map.name} does not come with satjudge, and cannot be saved", suggestion=hint)
        preset, settings = nearest_preset(self.rulebook)
        phase = self.board.phase_name if self.ending else ""
        own = _Own(preset, list(settings), self._tables, self.ending, phase, self.victory)
        found: dict[str, Any] = msgspec.to_builtins(own)
        return {"rules": preset, **found}

    def save(self, path: str | Path) -> None:
        """Write the game to a file, all of it or nothing. Raises `InputError` if it cannot be written."""
        target = Path(path)
        data = msgspec.json.encode(self.document())
        try:
            write_atomically(target, data + b"\n")
        except OSError as error:
            raise InputError(f"cannot write {target}: {reason_of(error)}") from None

    @classmethod
    def load(cls, path: str | Path, *, game: str | None = None) -> Game:
        """The game in a file: one of satjudge's, of the `diplomacy` package's, or single phases of a game.

        `game` is the name of one where the file holds several. Raises `InputError` for what is no game, with the place.
        """
        return cls.read(saved_games.read_file(Path(path)), str(path), game=game)

    @classmethod
    def read(
        cls,
        data: bytes,
        source: str = "",
        *,
        game: str | None = None,
        rulebook: Rulebook | str | None = None,
        map: str | Path | Map | None = None,  # noqa: A002
    ) -> Game:
        """The game in the content of a file (see `load`); the rulebook and the map are those that it names, or these."""
        kind = detect(data)
        if kind is Kind.GZIP:
            data = saved_games.read_all(BytesIO(data), source)
            kind = detect(data)
        if kind is Kind.ROWS:
            rows = _chosen(_by_game(saved_games.read_rows(data, source)), game, source)
        elif kind is Kind.GAME:
            saved = _chosen([(str(one.get("id")), one) for one in saved_games.raw_games(data, source)], game, source)
        else:
            hint = "`satjudge game new FILE` begins one, `satjudge game import SAVED FILE` takes one of another program"
            raise RequestError(f"this is {kind}, no saved game", source=source, suggestion=hint)
        try:
            if kind is Kind.GAME:
                return cls.from_saved(saved, rulebook=rulebook, map=map)
            given = _map_and_tables(map)[0] if map is not None else None
            made = cls.from_saved(_document_of(rows, given), rulebook=rulebook, map=map)
            made.next()  # where the last phase leads to
            return made
        except InputError as error:
            raise error.at(source=", ".join(part for part in (source, error.source) if part)) from None

    @classmethod
    def from_saved(
        cls,
        saved: Mapping[str, Any] | str | bytes,
        *,
        rulebook: Rulebook | str | None = None,
        map: str | Path | Map | None = None,  # noqa: A002
    ) -> Game:
        """A game from what the `diplomacy` package's `to_saved_game_format` gives, or `document`, as plain data or as JSON.

        Positions stay as they were saved, whatever satjudge would have made of the orders. Raises `InputError`.
        """
        raw: Mapping[str, Any] = saved_games.raw_games(_bytes(saved))[0] if isinstance(saved, str | bytes) else saved
        try:
            read = msgspec.convert(raw, SavedGame)
            own = msgspec.convert(raw.get(OWN) or {}, _Own)
        except msgspec.ValidationError as error:
            raise RequestError(f"not a saved game: {error}") from None
        if not read.phases:
            raise RequestError("a saved game without phases says nothing of where it stands")
        if map is not None:
            played_on, tables = _map_and_tables(map)
        else:
            played_on, tables = saved_games.map_of(read), own.map
        rules = _rules(rulebook) if rulebook else load_rulebook(own.rules).with_settings(own.settings)
        boards = [_board_of(phase, played_on, own) for phase in read.phases]
        orders = [{power: given or [] for power, given in phase.orders.items()} for phase in read.phases]
        for phase, board in zip(read.phases, boards, strict=True):
            _check_powers(phase, board)
        game = cls(boards[-1], rules, name=str(read.id or "game"), victory=own.victory)
        game._past = [
            Played(board, given, rules, document, phase.name)
            for board, given, document, phase in list(zip(boards, orders, raw["phases"], read.phases, strict=True))[:-1]
        ]
        game.ending, game._tables = own.ended, tables
        game._orders = {power: list(given) for power, given in orders[-1].items() if given}
        game._beside = raw["phases"][-1]
        game._saved = {key: value for key, value in raw.items() if key not in (OWN, "phases")}
        return game


def _with_all(told: Mapping[str, Any], phase: Mapping[str, Any]) -> dict[str, Any]:
    """A phase as satjudge writes it, with what else a file told of it: its messages, more about its position."""
    state = {**told.get("state", {}), **phase["state"]}
    return {**told, **phase, "state": state, "messages": told.get("messages", [])}


def _check_powers(phase: SavedPhase, board: Board) -> None:
    """Raise `RequestError` for orders of a power that is not in the game."""
    known = {*board.map.powers, *board.centers.values(), *(unit.power for unit in board.units)}
    known |= {lost.unit.power for lost in board.dislodged}
    if unknown := [power for power, given in phase.orders.items() if given and power not in known]:
        what, hint = (
            f"{phase.name}, orders of {unknown[0]!r:.60}: there is no such power",
            f"there are {', '.join(sorted(known))}",
        )
        raise RequestError(what, suggestion=hint)


def _without_destroyed(board: Board) -> Board:
    """The position without dislodged units that can go nowhere: they are gone, and no saved game has them."""
    return replace(board, dislodged=tuple(lost for lost in board.dislodged if lost.retreats))


def _board_of(phase: SavedPhase, game_map: Map, own: _Own) -> Board:
    """The position of a phase; that of a finished game in the phase that it had come to, if that is known."""
    named = own.phase if phase.name == COMPLETED and own.phase else phase.name
    return saved_games.board_of(msgspec.structs.replace(phase, name=named), game_map).checked()


def _by_game(rows: Iterable[Row]) -> list[tuple[str, list[Row]]]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row.game, []).append(row)
    return list(found.items())


def _chosen(games: Sequence[tuple[str, T]], wanted: str | None, source: str) -> T:
    """The only one of the games, or the only one of that name. Raises `RequestError`."""
    found = [one for name, one in games if wanted in (None, name)]
    if len(found) == 1:
        return found[0]
    names = [name for name, _ in games]
    told = ", ".join(names if len(names) < 8 else (*names[:6], "…"))
    what = f"no game or several are called {wanted!r}" if wanted else f"it holds {number_of(len(names), 'game')}: choose one"
    raise RequestError(what, source=source, suggestion=f"there are {told}" if names else None)


def _rules(rulebook: Rulebook | str) -> Rulebook:
    return rulebook if isinstance(rulebook, Rulebook) else load_rulebook(rulebook)


def _bytes(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text


def _beginning(game_map: Map) -> Board:
    """The position in which a game on a map begins; with builds, in the Winter before, where no units are placed."""
    board = starting_board(game_map)
    if not board.units and adjustments_due(board):
        return replace(board, phase=Phase.ADJUSTMENT, turn=Turn(game_map.first_year - 1, Season.FALL))
    return board


def _map_and_tables(chosen: str | Path | Map) -> tuple[Map, dict[str, Any] | None]:
    """A map by its name, file or value; and its tables, to be kept in the game, if it comes from a file."""
    if isinstance(chosen, Map):
        return chosen, None
    game_map = read_map(chosen)
    return game_map, None if _comes_along(game_map) else dict(read_tables(chosen))


def _comes_along(game_map: Map) -> bool:
    """Whether the map comes with satjudge, so that a file need only name it."""
    try:
        return load_map(game_map.name) is game_map
    except NotFoundError:
        return False


def missing_orders(board: Board, orders: Mapping[Power, Sequence[Order]]) -> dict[Power, list[str]]:
    """What each power has not ordered: units in a movement phase, dislodged units that could retreat, or the number of builds
    or removals that are due and neither ordered nor declined (`"2 builds"`). An illegal order is an order.
    """
    given = {power: [order for order in of if not isinstance(order, Permission)] for power, of in orders.items()}
    named = {power: {order.unit.province for order in of if not isinstance(order, Decline)} for power, of in given.items()}
    found: dict[Power, list[str]] = {}
    if board.phase is Phase.ADJUSTMENT:
        for power, due in adjustments_due(board).items():
            kinds = Build | Decline if due > 0 else Remove
            missing = abs(due) - sum(isinstance(order, kinds | Unreadable) for order in given.get(power, ()))
            if missing > 0:
                found[power] = [number_of(missing, "build" if due > 0 else "removal")]
        return found
    retreating = board.phase is Phase.RETREAT
    for unit in [lost.unit for lost in board.dislodged if lost.retreats] if retreating else board.units:
        if unit.province not in named.get(unit.power, ()):
            found.setdefault(unit.power, []).append(str(unit))
    return found


def told_missing(played: Played) -> list[str]:
    """What was left unordered in a phase, and what becomes of it by the rulebook, as a sentence for each power."""
    return [_told(played, power, missing) for power, missing in played.missing_orders.items()]


def _told(played: Played, power: Power, missing: Sequence[str]) -> str:
    name, rules = played.board.map.name_of(power), played.rulebook
    if played.board.phase is Phase.ADJUSTMENT:
        (what,) = missing
        if what.endswith(("removal", "removals")):
            return f"{name} owes {what}: civil disorder takes the units (4.D.8)."
        may = rules.declining is Declining.ALLOWED
        return f"{name} leaves {what} unordered: {'waived' if may else 'the rulebook has no answer to that'} (4.D.7)."
    units = ", ".join(missing)
    if played.board.phase is Phase.RETREAT:
        return f"{name} gives no order to {units}: disbanded (6.H)."
    holds = "holds" if len(missing) == 1 else "hold"
    if played.orders.get(power):
        return f"{name} gives no order to {units}: {holds}."
    more = [] if rules.disorder_support is not DisorderSupport.REFUSED else ["cannot be supported"]
    more += [] if rules.disorder_retreats is DisorderRetreats.ALLOWED else ["are disbanded if dislodged"]
    return f"{name} gives no orders (civil disorder, 4.D.9): {units} {holds}{''.join(f', {what}' for what in more)}."


def _same_unit(one: Order, other: Order) -> bool:
    """Whether the second order is to the unit, or about the centre or the canal, that the first is for; declining adds up."""
    if isinstance(one, Decline) or isinstance(other, Decline) or not (one.unit.location and other.unit.location):
        return False
    if isinstance(one, Permission) or isinstance(other, Permission):
        return isinstance(one, Permission) and isinstance(other, Permission) and one.canal == other.canal
    return one.unit.province == other.unit.province


# ---- files ----


def _document_of(rows: Sequence[Row], game_map: Map | None) -> dict[str, Any]:
    """Single phases of one game as a saved game, without those in which nobody could do anything."""
    name, rules, written = rows[0].game, load_rulebook(), []
    for row in rows:
        board = saved_games.row_board(row, rules, game_map=game_map)
        if board.phase is not Phase.RETREAT or any(lost.retreats for lost in board.dislodged):
            read = read_orders(board, row.orders, lenient=True)  # their powers as the map names them
            orders = {power: [str(order) for order in given] for power, given in read.items()}
            phase = saved_games.phase_document(PlayedPhase(row.phase, board, orders, {}), name)
            written.append({**phase, "results": row.results})
    return {"id": name, "map": board.map.name, "rules": [], "phases": written}


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file so that it holds the old content or the new one, whatever happens meanwhile. Raises `OSError`."""
    target = path.resolve()  # a link stays one
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(name, target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~umask)
        os.replace(name, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise
