"""Reads test cases in jDip's format, which many adjudicators support: CASE, PRESTATE, ORDERS, POSTSTATE, END.

docs/reference/saved-files.md describes the parts that are read. The only expected results in this format are the units
afterwards and the dislodged units.

In a retreat phase, PRESTATE_RESULTS lists the preceding moves, which decide where dislodged units may retreat. These moves are
judged again. If they do not dislodge a unit of PRESTATE_DISLODGED (the common files are careless here), the stated successes
and failures decide: the unit may retreat neither to the origin of its attacker nor to the target of a failed move.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import cast

from satjudge.base.errors import InputError, NotationError, NotFoundError, SheetError
from satjudge.base.values import brief
from satjudge.judging.judge import judge
from satjudge.judging.position import Position
from satjudge.judging.solve import Engine
from satjudge.notation.parse import parse_location, parse_order, parse_power, parse_unit
from satjudge.world.board import Board, DislodgedUnit, Phase, Season, Turn, Unit
from satjudge.world.geography import Location, Map, Power, ProvinceCode, load_map, map_of_others, normal, province_of
from satjudge.world.orders import Build, Hold, Move, MovementOrder, Named, Order, Remove
from satjudge.world.rules import Rulebook

_BLOCKS = (
    *("PRESTATE", "PRESTATE_DISLODGED", "PRESTATE_RESULTS", "PRESTATE_SUPPLYCENTER_OWNERS"),
    *("ORDERS", "POSTSTATE", "POSTSTATE_DISLODGED"),
)
_WITH_A_VALUE = ("VARIANT_ALL", "CASE", "PRESTATE_SETPHASE")
_ALONE = ("POSTSTATE_SAME", "END")
_PHASE = re.compile(
    r"(spring|summer|fall|autumn|winter)\s*(?:,\s*)?"
    r"(\d+)\s*(?:[,(\[]\s*)?(movement|retreat|adjustment)\s*[)\]]?|([sfw])(\d+)([mrab])",
    re.I,
)
_PHASES = {"m": Phase.MOVEMENT, "r": Phase.RETREAT, "a": Phase.ADJUSTMENT, "b": Phase.ADJUSTMENT}
"""The phases by the first letter of their names; `b` stands for builds."""
_VARIANTS = {
    "datc_standard": "standard",  # with wings as well, in cases that cannot be read here
    "datc_convoyingcoastal": "standard-9-both",
    "datc_loeb9": "loeb9",
    "datc_loeb9_tc14d": "loeb9-10d",
    "datc_loeb9_tc14fgl": "loeb9-10f",
    "datc_loeb9_tc14specialg": "loeb9-10g",
    "datc_chaos": "chaos",
    "datc_1898": "1898",
}
"""satjudge's names for the maps on which jDip plays the DATC; other variants are looked up by their own names."""
_RESULT = re.compile(r"(?:(success)|failure)\s*:\s*", re.I)
_KIND = re.compile(r"(?:army|fleet|a|f)\s+", re.I)
_LINE = re.compile(r"(?P<power>[^\s:]+)(?:\s*:\s*|\s+)(?P<rest>\S.*)")
"""A line in a block: `England: F nth`; the colon is sometimes missing."""


@dataclass(frozen=True, slots=True)
class Result:
    """A line of PRESTATE_RESULTS."""

    power: Power
    order: MovementOrder
    success: bool


@dataclass
class JdipCase:
    """A test case: `results` are those of the preceding moves; `after` and `lost` are the units of POSTSTATE(_DISLODGED)."""

    title: str
    line: int
    map: Map
    phase: Phase = Phase.MOVEMENT
    turn: Turn | None = None
    units: list[Unit] = field(default_factory=list)
    dislodged: list[Unit] = field(default_factory=list)
    centers: dict[ProvinceCode, Power] = field(default_factory=dict)
    results: list[Result] = field(default_factory=list)
    orders: dict[Power, list[Order]] = field(default_factory=dict)
    same: bool = False
    """True if POSTSTATE_SAME states that no unit has moved."""
    after: list[Unit] = field(default_factory=list)
    lost: list[Unit] = field(default_factory=list)
    problem: InputError | None = None
    """The reason why the case cannot be read; None if it can."""

    __repr__ = brief

    def require_readable(self) -> JdipCase:
        """Return this case, or raise the `InputError` that was recorded when it was read."""
        if self.problem is not None:
            raise self.problem
        return self

    @property
    def board(self) -> Board:
        """The position before the orders, without dislodged units; if the case lists no owners of centres, those at the start.

        If the case lists no owners of centres, the owners at the start of a game are used.
        """
        centers: Mapping[ProvinceCode, Power] = self.centers or self.map.owners
        turn = self.turn if self.map.closed else None  # else the arbitrary year would decide the next phase
        return Board(tuple(self.units), centers=centers, phase=self.phase, map=self.map, turn=turn)


def read_cases(data: bytes, source: str = "", default_map: Map | None = None) -> list[JdipCase]:
    """Read all cases in a file; a case that cannot be read has an `InputError`, with the line, as its `problem`.

    Cases without a known variant use `default_map`. Raises `InputError` for text that belongs to no case.
    """
    try:
        return list(_Reader(default_map, source).cases(data.decode("utf-8-sig")))
    except UnicodeDecodeError as error:
        raise SheetError(f"not a text: {error}", source=source) from None


class _Reader:
    """Reads cases line by line."""

    def __init__(self, game_map: Map | None, source: str) -> None:
        self.given = game_map
        self.map = game_map or load_map()
        self.source = source
        self.case: JdipCase | None = None
        self.block = ""

    def cases(self, text: str) -> Iterator[JdipCase]:
        """Yield the cases of a text; an unreadable one has an `InputError` as its `problem`; text outside cases raises one."""
        for number, raw in enumerate(text.splitlines(), start=1):
            line = " ".join(raw.partition("#")[0].split())
            try:
                if line and (case := self._read_line(line, number)):
                    yield case
            except InputError as error:
                if self.case is None:
                    raise error.add_place(source=self.source, line=number) from None
                # Keep the first problem of a case, as others may follow from it.
                self.case.problem = self.case.problem or error.add_place(line=number)
        if self.case is not None:
            yield self._mark_unended(self.case)

    def _mark_unended(self, case: JdipCase) -> JdipCase:
        case.problem = case.problem or SheetError("the case has no END", line=case.line)
        return case

    def _read_line(self, line: str, number: int) -> JdipCase | None:
        """Read the line with this number, and return the case that it completes, or None; may raise `InputError`."""
        word, _, value = line.partition(" ")
        if word.upper() in (*_BLOCKS, *_WITH_A_VALUE, *_ALONE):  # sometimes written `Orders`
            line, word = line.replace(word, word.upper(), 1), word.upper()
        if word in _WITH_A_VALUE or line in _ALONE:
            return self._keyword(word, value.strip(), number)
        if line in _BLOCKS:
            self.block = line
            self._open()
        elif self.case is None or not self.block:
            raise SheetError(f"{line!r} does not belong to a block", suggestion="begin with CASE, PRESTATE and ORDERS")
        elif self.block == "ORDERS":
            power, text = self._split_line(line)
            self.case.orders.setdefault(power, []).append(parse_order(text, self.map, self.case.phase))
        elif self.block == "PRESTATE_RESULTS":
            self._result(line)
        else:
            self._unit(line)
        return None

    def _keyword(self, word: str, value: str, number: int) -> JdipCase | None:
        self.block = ""
        if word == "VARIANT_ALL":
            try:
                self.map = map_of_others(_VARIANTS.get(value.casefold(), value.casefold()), self.given)
            except NotFoundError as error:
                raise NotFoundError(f"there is no map for the variant {value!r:.60}", suggestion=error.suggestion) from None
        elif word == "CASE":
            before, self.case = self.case, JdipCase(value, number, self.map)
            return self._mark_unended(before) if before else None
        elif word == "PRESTATE_SETPHASE":
            case = self._open()
            case.phase, case.turn = _phase(value)
        elif word == "POSTSTATE_SAME":
            self._open().same = True
        else:
            case, self.case = self._open(), None
            return case
        return None

    def _open(self) -> JdipCase:
        if self.case is None:
            raise SheetError("this line does not belong to a case", suggestion="begin with CASE and a name")
        return self.case

    def _unit(self, line: str) -> None:
        power, text = self._split_line(line)
        case = self._open()
        if self.block == "PRESTATE_SUPPLYCENTER_OWNERS":  # written as a unit of any kind
            province = province_of(parse_location(_KIND.sub("", text, count=1), self.map))
            case.centers[province] = power
            return
        unit = self._parse_unit(text, power)
        blocks = {"PRESTATE": case.units, "PRESTATE_DISLODGED": case.dislodged, "POSTSTATE_DISLODGED": case.lost}
        blocks.get(self.block, case.after).append(unit)

    def _parse_unit(self, text: str, power: Power) -> Unit:
        """Parse a unit; as in jDip, any unambiguous beginning of a name can stand for its province."""
        try:
            return parse_unit(text, power, self.map)
        except NotationError:
            kind = _KIND.match(text)
            begun = {code for name, code in self.map.names.items() if kind and name.startswith(normal(text[kind.end() :]))}
            if kind is None or len(begun) != 1:
                raise
            return parse_unit(kind[0] + begun.pop(), power, self.map)

    def _result(self, line: str) -> None:
        match = _RESULT.match(line)
        if match is None:
            raise SheetError(f"cannot read {line!r}", suggestion="write `SUCCESS: England: F nth H` or `FAILURE: …`")
        power, text = self._split_line(line[match.end() :])
        try:
            order = cast(MovementOrder, parse_order(text, self.map))
        except NotationError:  # sometimes there is only the unit
            unit = parse_unit(text, power, self.map)
            order = Hold(Named(unit.kind, unit.location))
        self._open().results.append(Result(power, order, match[1] is not None))

    def _split_line(self, line: str) -> tuple[Power, str]:
        """Split `England: F nth` into the power, perhaps slightly misspelt, and the text after it, or raise `InputError`."""
        match = _LINE.fullmatch(line)
        if match is None:
            raise SheetError(f"cannot read {line!r}", suggestion="write `England: F nth`")
        try:
            return parse_power(match["power"], self.map), match["rest"]
        except NotationError:
            near = get_close_matches(normal(match["power"]), self.map.power_aliases, n=1, cutoff=0.8)
            if not near:
                raise
            return self.map.power_aliases[near[0]], match["rest"]


def _phase(text: str) -> tuple[Phase, Turn]:
    match = _PHASE.fullmatch(text)
    if match is None:
        raise SheetError(f"there is no phase {text!r}", suggestion="phases are called `Fall 1901, Movement` or F1901M")
    season, year, phase = match.groups()[:3] if match[1] else match.groups()[3:]
    early = season[0].casefold() == "s"  # Spring's retreats are in summer
    return _PHASES[phase[0].casefold()], Turn(int(year[:6]), Season.SPRING if early else Season.FALL)


# ---------------------------------------------------------------- dislodged units


def board_of(case: JdipCase, rulebook: Rulebook, engine: Engine = Engine.STAGED) -> Board:
    """Return the position of a case, in a retreat phase with dislodged units and their retreats; may raise `InputError`."""
    board = case.board
    if case.phase is not Phase.RETREAT:
        return board
    judged = _find_retreats(case, rulebook, engine)
    lost = []
    for unit in case.dislodged:
        exits = judged[unit.province] if unit.province in judged else _find_exits(unit, board, case.results)
        free = tuple(location for location in exits if province_of(location) not in board.unit_at)  # despite the results
        lost.append(DislodgedUnit(unit, free))
    return replace(board, dislodged=tuple(lost))


def _find_retreats(case: JdipCase, rulebook: Rulebook, engine: Engine) -> dict[ProvinceCode, tuple[Location, ...]]:
    """Judge the moves before a retreat phase, and return each dislodged unit's retreats by the province of the unit."""
    units: dict[ProvinceCode, Unit] = {}
    orders: dict[Power, list[MovementOrder]] = {}
    for result in case.results:
        unit = parse_unit(str(result.order.unit), result.power, case.map)
        units.setdefault(unit.province, unit)
        orders.setdefault(result.power, []).append(result.order)
    board = replace(case.board, units=tuple(units.values()), phase=Phase.MOVEMENT)
    outcome = judge(board, orders, rulebook=rulebook, engine=engine)
    return {province: entry.retreats for province, entry in outcome.dislodgements.items()}


def _find_exits(unit: Unit, board: Board, results: Sequence[Result]) -> tuple[Location, ...]:
    """Return where a dislodged unit may retreat by the stated results of the moves; other dislodged units contest nothing."""
    moves = [(result.order, result.success) for result in results if isinstance(result.order, Move)]
    origins = {move.unit.province for move, success in moves if success and province_of(move.destination) == unit.province}
    arrived = {province_of(move.destination) for move, success in moves if success}
    contested = {province_of(move.destination) for move, success in moves if not success and move.unit.province not in arrived}
    closed = origins | contested | board.unit_at.keys()
    exits = board.open_map.exits(unit.kind, unit.location)
    return tuple(sorted(location for location in exits if province_of(location) not in closed))


# ---------------------------------------------------------------- writing


def jdip_case(name: str, position: Position, units: Mapping[Power, Sequence[str]], lost: Mapping[Power, Iterable[str]]) -> str:
    """Write a position, and the units and lost (dislodged) units expected after it, as a case's text; "" if impossible.

    The format cannot express retreats without the moves before them, or a phase of builds in which nobody owns a centre.
    """
    board, phase = position.board, position.board.phase
    builds = phase is Phase.ADJUSTMENT
    if phase is Phase.RETREAT or not board.map.is_standard or (builds and not board.centers):
        return ""
    owned = [(power, f"A {code}") for code, power in board.centers.items()] if builds else []
    blocks = {
        "PRESTATE": [(unit.power, str(unit)) for unit in board.units],
        "PRESTATE_SUPPLYCENTER_OWNERS": owned,
        "ORDERS": [(power, _order_text(order)) for power, given in position.orders.items() for order in given],
        "POSTSTATE": [(power, unit) for power, power_units in units.items() for unit in power_units],
        "POSTSTATE_DISLODGED": [(power, unit) for power, power_units in lost.items() for unit in power_units],
    }
    lines = [f"CASE {name}", f"PRESTATE_SETPHASE {'Fall 1901, Adjustment' if builds else 'Spring 1901, Movement'}"]
    for block, entries in blocks.items():
        lines += [block, *(f"  {power.title()}: {text}" for power, text in entries)] if entries else []
    return "\n".join((*lines, "END", ""))


def _order_text(order: Order) -> str:
    """Write an order in jDip's spelling, such as `Build A PAR`."""
    match order:
        case Build(unit):
            return f"Build {unit}"
        case Remove(unit):
            return f"Remove {unit}"
        case Move(via_convoy=True):
            return str(order).replace(" VIA", " by convoy")
    return str(order)
