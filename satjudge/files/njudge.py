"""Reads games, phase by phase, from the emails in which an email judge (Ken Lowe's njudge) sends the results.

    Movement results for Spring of 1901. (ferret.001)

    Austria: Army Budapest -> Serbia.
    Austria: Army Vienna -> Galicia. (*bounce, dislodged*)

A movement phase names all units. Retreats and adjustments name only the units with orders, so later positions follow from the
results. Lists of owners and of possible retreats are read; everything else is skipped.

`format_history` writes such a file, with the lines between the emails by which jDip recognizes a history.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise

from satjudge.base.errors import InputError, RequestError, SheetError
from satjudge.base.values import brief
from satjudge.files.diplomacy_package import COMPLETED, SavedGame, SavedPhase, State, check_length, normalize_phase, parse_phase
from satjudge.notation.parse import parse_location, parse_order, parse_power, parse_unit
from satjudge.world.board import Phase, Unit
from satjudge.world.geography import Location, Map, Power, ProvinceCode, UnitKind, coast_of, load_map, map_called, province_of
from satjudge.world.orders import Build, Convoy, Decline, Hold, Move, Order, Remove, Retreat, SupportHold, SupportMove

_RESULTS = re.compile(
    r"(Movement|Retreat|Adjustment) (results|orders) for (Spring|Summer|Fall|Autumn|Winter) of ([0-9]{1,5})\."
    r"[ \t]*\(([^()\s]{1,80})\)"
)
"""The line above results; its last group is the game with the number of the phase in it, `ferret.001`."""
_VARIANT = re.compile(r":: Judge: .*?\bVariant: (\w+)")
_OWNERS, _DISLODGED = "Ownership of supply centers:", "The following units were dislodged:"
_NEXT = re.compile(r"The next phase of '([^']{1,80})' will be (Movement|Retreats|Adjustments) for (\w+) of ([0-9]{1,5})\.")
_SENTENCE = re.compile(r"(?P<power>[A-Z][\w-]*):\s+(?P<told>.+)")
_OUTCOME = re.compile(r" ?\(\*(?P<words>[^*]{1,60})\*\)\.?$|\. ?\(\*(?P<after>[^*]{1,60})\*\)$")
_LOST = re.compile(
    r"The (?P<power>[\w-]+) (?P<kind>Army|Fleet) in (?:the )?(?P<place>.+?) (?:can retreat to (?P<ways>.+)|with no .*)\.$"
)
_SILENT = re.compile(r", No Order Processed(?: \(DISBAND\))?\.?$")
_REMOVED = re.compile(r"(?:Removes|Defaults, removing) the (army|fleet) in (?:the )?(.+?)\.?$", re.IGNORECASE)
_BUILT = re.compile(r"Builds an? (army|fleet) in (?:the )?(.+?)\.?$")
_MOST_LINES, _LONGEST = 6, 1_000
"""The maximum number of lines in a sentence, and of characters in a line. Longer ones, which no judge writes, are skipped."""


@dataclass
class _Game:
    """The part of a game that has been read from its emails."""

    name: str
    map: Map
    phases: list[SavedPhase] = field(default_factory=list)
    units: dict[Power, list[str]] = field(default_factory=dict)
    """The units on the board after the part read so far."""
    retreats: dict[Power, dict[str, list[str]]] = field(default_factory=dict)
    centers: dict[Power, list[ProvinceCode]] = field(default_factory=dict)
    following: str = ""
    """The next phase, as an email names it."""

    __repr__ = brief

    def begin_phase(self, name: str) -> None:
        """Add a phase that begins with the current position, then clear `retreats`; raise `SheetError` if it exists."""
        if any(phase.name == name for phase in self.phases):
            raise SheetError(f"{name} appears twice", suggestion="a file should contain each mail once")
        standing = {
            power: [*units, *(f"*{unit}" for unit in self.retreats.get(power, ()))] for power, units in self.units.items()
        }
        for power, lost in self.retreats.items():
            standing.setdefault(power, [f"*{unit}" for unit in lost])
        state = State(name, standing, self.retreats, {power: list(codes) for power, codes in self.centers.items()})
        self.phases.append(SavedPhase(name, state, {}, {}))
        self.retreats = {}

    def add_order(self, power: Power, order: str) -> None:
        """Add an order of a power to the last phase."""
        given = self.phases[-1].orders
        given[power] = [*(given.get(power) or ()), order]

    def make_saved_game(self) -> SavedGame:
        """Return the game in the format of saved games; if a mail names the next phase, it comes last, without orders."""
        if self.following and all(phase.name != self.following for phase in self.phases):
            self.begin_phase(self.following)
        return SavedGame(self.phases, self.name, self.map.name)


def game_readers(data: bytes, source: str = "") -> Iterator[Callable[[], SavedGame]]:
    """Read a file of mails at once, or raise `InputError` with the line; return functions that each return one game."""
    games = _Mails(source).read(check_length(data, source).decode("utf-8-sig", "replace"))
    return (partial(_Game.make_saved_game, game) for game in games.values())


class _Mails:
    """The emails in a file, read sentence by sentence."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.games: dict[str, _Game] = {}
        self.game: _Game | None = None
        self.part: Callable[[str], None] | None = None
        """The reader of the sentences of the current part."""
        self.map = load_map()

    def read(self, text: str) -> dict[str, _Game]:
        """Return the games in a text of mails, by their names; raise `InputError` with the line of an unreadable sentence."""
        for line, sentence in _iter_sentences(text):
            try:
                self._sentence(sentence)
            except InputError as error:
                error.column = None  # it is a column of only a part of the sentence
                raise error.add_place(source=self.source, line=line) from None
        if not self.games:
            raise RequestError("the file contains no results of a judge", source=self.source)
        return self.games

    def _sentence(self, sentence: str) -> None:
        if match := _RESULTS.search(sentence):
            self._heading(*match.groups())
        elif match := _VARIANT.match(sentence):
            self.map = map_called(match[1].casefold())
        elif self.game is None:
            return
        elif match := _NEXT.match(sentence):
            self.game.following, self.part = _phase_name(match[2], match[3], match[4]), None
        elif sentence == _OWNERS:
            self.game.centers, self.part = {}, self._read_centers
        elif sentence == _DISLODGED:
            self.part = self._read_dislodgement
        elif self.part is not None:
            self.part(sentence)

    def _heading(self, kind: str, subject: str, season: str, year: str, game_name: str) -> None:
        if kind == "Movement" and subject == "orders":
            raise SheetError(
                "orders of a movement phase are not its results", suggestion="use the mail `Movement results for …`"
            )
        name = game_name.rpartition(".")[0] or game_name
        self.game = game = self.games.setdefault(name, _Game(name, self.map, centers=_list_first_centers(self.map)))
        if kind == "Movement":
            game.units, game.retreats = {}, {}  # the mail lists all units again
        game.begin_phase(_phase_name(kind, season, year))
        self.part = {"Movement": self._read_movement, "Retreat": self._read_retreat, "Adjustment": self._read_adjustment}[kind]

    # ---- the parts ----

    def _split_sentence(self, sentence: str) -> tuple[_Game, Power, str, list[str]] | None:
        """Split a sentence into the current game, power, order text and result words; None unless it begins with a power."""
        match = _SENTENCE.match(sentence)
        if match is None or self.game is None:
            return None
        order_text = " ".join(match["told"].split())
        outcome = _OUTCOME.search(order_text)
        words = re.split(r",\s*", outcome["words"] or outcome["after"]) if outcome else []
        order_text = order_text[: outcome.start()] if outcome else order_text
        return self.game, parse_power(match["power"], self.game.map), order_text.strip(), words

    def _parse_order(self, game: _Game, power: Power, order_text: str, phase: Phase) -> tuple[str, Order | None]:
        """Return the unit's text (`A PAR`) and the order that a sentence names; the order is None for `No Order Processed`."""
        if (silent := _SILENT.search(order_text)) is not None:
            return str(parse_unit(order_text[: silent.start()], power, game.map)), None
        order = parse_order(order_text.rstrip("."), game.map, phase)
        return str(order).partition(" - ")[0].split(" S ")[0].split(" C ")[0].removesuffix(" H").removesuffix(" D"), order

    def _read_movement(self, sentence: str) -> None:
        if (found := self._split_sentence(sentence)) is None:
            return
        game, power, order_text, words = found
        unit, order = self._parse_order(game, power, order_text, Phase.MOVEMENT)
        phase = game.phases[-1]
        phase.state.units.setdefault(power, []).append(unit)
        phase.results[unit] = list(words)
        if order is not None:
            game.add_order(power, str(order))
        if "dislodged" in words:
            return
        arrives = isinstance(order, Move) and not words
        game.units.setdefault(power, []).append(
            f"{unit[0]} {order.destination}" if arrives and isinstance(order, Move) else unit
        )

    def _read_dislodgement(self, sentence: str) -> None:
        match = _LOST.match(sentence)
        if match is None or self.game is None:
            return
        game = self.game
        if match["ways"]:
            power = parse_power(match["power"], game.map)
            unit = str(parse_unit(f"{match['kind']} {match['place']}", power, game.map))
            ways = [str(parse_location(way.strip(), game.map)) for way in match["ways"].split(" or ")]
            game.retreats.setdefault(power, {})[unit] = sorted(ways)

    def _read_retreat(self, sentence: str) -> None:
        if (found := self._split_sentence(sentence)) is None:
            return
        game, power, order_text, words = found
        unit, order = self._parse_order(game, power, order_text, Phase.RETREAT)
        phase = game.phases[-1]
        if order is not None:
            game.add_order(power, str(order))
        unit = " ".join(unit.split()[:2])
        phase.results[unit] = list(words)
        if isinstance(order, Retreat) and not words:
            game.units.setdefault(power, []).append(f"{unit[0]} {order.destination}")

    def _read_adjustment(self, sentence: str) -> None:
        if (found := self._split_sentence(sentence)) is None:
            return
        game, power, order_text, _ = found
        if match := _BUILT.match(order_text):
            order = parse_order(f"{match[1]} {match[2]} B", game.map, Phase.ADJUSTMENT)
            assert isinstance(order, Build)
            game.units.setdefault(power, []).append(str(order).removesuffix(" B"))
        elif match := _REMOVED.match(order_text):
            order = parse_order(f"{match[1]} {match[2]} D", game.map, Phase.ADJUSTMENT)
            assert isinstance(order, Remove)
            removed_province = order.unit.province
            game.units[power] = [unit for unit in game.units.get(power, ()) if province_of(unit[2:]) != removed_province]
            if order_text.startswith("Defaults"):
                return
        elif order_text.startswith("Build waived"):
            game.add_order(power, "WAIVE")
            return
        else:
            return
        game.add_order(power, str(order))

    def _read_centers(self, sentence: str) -> None:
        match = _SENTENCE.match(sentence)
        if match is None or self.game is None:
            return
        if re.match(r"[0-9]+ Supply cent", match["told"]):  # `3 Supply centers,  4 Units:  Removes  1 unit.`
            self.part = None
            return
        if match["power"].casefold() not in ("unowned", "neutral"):
            places = match["told"].rstrip(".").split(",")
            owned = [parse_location(place.strip(), self.game.map) for place in places]
            self.game.centers[parse_power(match["power"], self.game.map)] = owned


def _iter_sentences(text: str) -> Iterator[tuple[int, str]]:
    """Yield the number of each sentence's first line, and the sentence, joined from its lines."""
    begun, parts = 0, list[str]()
    for number, line in enumerate(text.splitlines(), start=1):
        stripped = line.strip() if len(line) <= _LONGEST else ""
        goes_on = bool(parts) and bool(stripped) and not _SENTENCE.match(stripped) and len(parts) < _MOST_LINES
        if parts and not (goes_on and _is_open(parts[-1])):
            yield begun, " ".join(parts)
            parts = []
        if stripped:
            begun = begun if parts else number
            parts.append(re.sub(r"\s+", " ", stripped))
    if parts:
        yield begun, " ".join(parts)


def _is_open(line: str) -> bool:
    """Return whether a sentence continues after this line, which ends in no full stop, colon or bracket, or only in `St.`."""
    return line.endswith("St.") or not line.endswith((".", ":", ")"))


def _phase_name(kind: str, season: str, year: str) -> str:
    if kind.startswith("Adjustment"):
        return f"W{year}A"
    return f"{'S' if season in ('Spring', 'Summer') else 'F'}{year}{kind[0]}"


def _list_first_centers(game_map: Map) -> dict[Power, list[ProvinceCode]]:
    """Return the centres that each power owns when a game begins."""
    found: dict[Power, list[ProvinceCode]] = {}
    for center, power in game_map.owners.items():
        found.setdefault(power, []).append(center)
    return found


# ---- writing ----


def format_history(game: SavedGame, game_map: Map) -> str:
    """Return a game's played phases as the history that a judge sends, which jDip can import; may raise `InputError`.

    In the history, a unit with an illegal move or hold has no order, because a judge would not accept it.
    """
    name = re.sub(r"[^\w-]+", "-", str(game.id or "game"))
    lines = [f":: Judge: satjudge  Game: {name}  Variant: {'Standard' if game_map.is_standard else game_map.name}", ""]
    for number, (phase, after) in enumerate(pairwise(normalize_phase(phase, game_map) for phase in game.phases), start=1):
        lines += _Mail(f"{name}.{number:03}", phase, after, game_map).lines()
    return "\n".join(lines)


_SEASONS = {"S": "Spring", "F": "Fall", "W": "Winter"}
_KINDS = {"M": "Movement", "R": "Retreat", "A": "Adjustment"}
_NAMES = {UnitKind.ARMY: "Army", UnitKind.FLEET: "Fleet"}
_COASTS = {"NC": "north", "SC": "south", "EC": "east", "WC": "west"}


class _Mail:
    """The email on a phase: the orders, their results and the position afterwards."""

    def __init__(self, name: str, phase: SavedPhase, after: SavedPhase, game_map: Map) -> None:
        self.name, self.phase, self.after, self.map = name, phase, after, game_map
        self.kind = parse_phase(phase.name)[0]
        standing: Mapping[Power, Iterable[str]] = phase.state.retreats if self.kind is Phase.RETREAT else phase.state.units
        units = [parse_unit(text, power, game_map) for power, texts in standing.items() for text in texts]
        self.units = {unit.province: unit for unit in units}
        self.orders: dict[ProvinceCode, Order] = {}
        for texts in phase.orders.values():
            for order in (parse_order(text, game_map, self.kind) for text in texts or ()):
                if isinstance(order, SupportHold | SupportMove | Convoy) or (
                    isinstance(order, Hold | Move | Retreat | Build | Remove)
                    and "void" not in self._format_result(str(order.unit))
                ):
                    self.orders[order.unit.province] = order

    def lines(self) -> list[str]:
        """Return the lines of the mail that reports this phase."""
        phase, after, game = self.phase.name, self.after.name, self.name.rpartition(".")[0]
        lines = [f"Date: Tue, 01 Jan {phase[1:-1]} 00:00:00 +0000", f"Subject: satjudge:{game} - {phase} Results", ""]
        lines += [f"{_KINDS[phase[-1]]} results for {_SEASONS[phase[0]]} of {phase[1:-1]}.  ({self.name})", ""]
        entries = self._adjustments() if self.kind is Phase.ADJUSTMENT else self._iter_orders()
        lines += [f"{self.map.name_of(power)}:  {text}" for power, text in entries]
        if lost := [*self._iter_dislodged()]:
            lines += ["", _DISLODGED, "", *lost]
        if after.endswith("A") or self.phase.state.centers != self.after.state.centers:
            lines += ["", _OWNERS, "", *self._owners()]
        if after == COMPLETED:
            return [*lines, "", "The game is over.", ""]
        kind = _KINDS[after[-1]] + "s" * (after[-1] != "M")
        return [*lines, "", f"The next phase of '{game}' will be {kind} for {_SEASONS[after[0]]} of {after[1:-1]}.", ""]

    def _format_result(self, unit: str) -> list[str]:
        """Return the results of a unit's order that a judge would name: any of `bounce`, `cut`, `void` and `dislodged`."""
        return [word for word in map(str, self.phase.results.get(unit) or ()) if word in ("bounce", "cut", "void", "dislodged")]

    def _place(self, location: Location) -> str:
        name = self.map.provinces[province_of(location)].name
        return f"{name} ({_COASTS[coast]} coast)" if (coast := coast_of(location)) else name

    def _format_unit(self, province: ProvinceCode, power: Power = "", within: str = " ") -> str:
        """Write a province's unit as `Army Paris`, with `within` between the words; name a nationality other than `power`."""
        unit = self.units[province]
        foreign = f"{self.map.adjectives[unit.power]} " * (unit.power != power != "")
        return f"{foreign}{_NAMES[unit.kind]}{within}{self._place(unit.location)}"

    def _iter_orders(self) -> Iterator[tuple[Power, str]]:
        """Yield each unit's power and the text of its order and results, in a movement or retreat phase."""
        for province, unit in self.units.items():
            words = self._format_result(str(unit))
            result_text = f" (*{', '.join(words)}*)" if words else ""
            yield unit.power, f"{self._format_unit(province)}{self._order(self.orders.get(province), unit)}.{result_text}"

    def _order(self, order: Order | None, unit: Unit) -> str:
        match order:
            case Hold(becomes=None):
                return " HOLD"
            case Move():
                return "".join(f" -> {self._place(place)}" for place in (*self._find_route(order), order.destination))
            case Retreat():
                return f" -> {self._place(order.destination)}"
            case SupportHold() if order.supported.province in self.units:
                return f" SUPPORT {self._format_unit(order.supported.province, unit.power)}"
            case SupportMove() if order.supported.province in self.units:
                return f" SUPPORT {self._format_unit(order.supported.province, unit.power)} -> {self._place(order.destination)}"
            case Convoy() if order.convoyed.province in self.units:
                return f" CONVOY {self._format_unit(order.convoyed.province, unit.power)} -> {self._place(order.destination)}"
        return " DISBAND" if self.kind is Phase.RETREAT else ", No Order Processed"

    def _find_route(self, move: Move) -> Sequence[Location]:
        """Return the places of fleets on a move's stated route or, if it needs or names a convoy, on a shortest ordered one."""
        origin, goal = move.unit.province, province_of(move.destination)
        if move.route or move.unit.kind is UnitKind.FLEET or (goal in self.map.army[origin] and not move.via_convoy):
            return move.route
        ready = {
            at for at, order in self.orders.items()
            if isinstance(order, Convoy) and (order.convoyed.province, province_of(order.destination)) == (origin, goal)
        }  # fmt: skip
        ways: list[tuple[ProvinceCode, ...]] = [()]
        for way in ways:  # the list grows
            near = self.map.neighbours[way[-1] if way else origin]
            if way and goal in near:
                return way
            ways += [(*way, at) for at in sorted(ready & near)]
            ready -= near
        return ()

    def _iter_dislodged(self) -> Iterator[str]:
        for province, unit in self.units.items():
            if "dislodged" in self._format_result(str(unit)):
                ways = " or ".join(map(self._place, self.after.state.retreats.get(unit.power, {}).get(str(unit), ())))
                goes = f"can retreat to {ways}" if ways else "with no valid retreats was destroyed"
                yield f"The {self.map.adjectives[unit.power]} {self._format_unit(province, within=' in ')} {goes}."

    def _adjustments(self) -> Iterator[tuple[Power, str]]:
        stays = {(power, unit) for power, units in self.after.state.units.items() for unit in units}
        for power, texts in self.phase.orders.items():
            for order in (parse_order(text, self.map, self.kind) for text in texts or ()):
                match order:
                    case Build(built) if self.orders.get(built.province) == order:
                        kind = "a fleet" if built.kind is UnitKind.FLEET else "an army"
                        yield power, f"Builds {kind} in {self._place(built.location)}."
                    case Remove(gone) if gone.province in self.units and self.orders.get(gone.province) == order:
                        yield power, f"Removes the {self._format_unit(gone.province, within=' in ')}."
                    case Decline():
                        yield power, "Build waived."
        for province, unit in self.units.items():
            if (unit.power, str(unit)) not in stays and not isinstance(self.orders.get(province), Remove):
                yield unit.power, f"Defaults, removing the {self._format_unit(province, within=' in ')}."

    def _owners(self) -> Iterator[str]:
        owned = self.after.state.centers
        for power, codes in owned.items():
            if codes:
                yield f"{self.map.name_of(power)}: {', '.join(map(self._place, codes))}."
        if free := self.map.centers - {code for codes in owned.values() for code in codes}:
            yield f"Unowned: {', '.join(map(self._place, sorted(free)))}."
        yield ""
        for power, codes in owned.items():
            units = [unit for unit in self.after.state.units.get(power, ()) if not unit.startswith("*")]
            if codes or units:
                due = len(codes) - len(units)
                change = f"{'Builds' if due >= 0 else 'Removes'} {abs(due)} unit{'s' * (abs(due) != 1)}"
                yield f"{self.map.name_of(power)}: {len(codes)} Supply centers, {len(units)} Units: {change}."
