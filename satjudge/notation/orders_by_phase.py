"""Takes orders for the phase that they are for: the phase at hand, a later one, or none."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from typing import NamedTuple

from satjudge.base.errors import InputError, NotationError
from satjudge.notation.letters import Part, Quotation
from satjudge.notation.lines import LIST_MARK, season_named_in
from satjudge.notation.moments import Moment, belongs_to, moment_named, moment_of, of_another_phase, phase_of
from satjudge.notation.parse import parse_orders
from satjudge.notation.sheet_reader import SheetReader
from satjudge.notation.sheets import SheetOrder
from satjudge.notation.suggestions import word_meant
from satjudge.world.board import Board, Phase
from satjudge.world.geography import Power, ProvinceCode, normal
from satjudge.world.orders import Build, Decline, Named, Order, Permission, Remove, Unreadable
from satjudge.world.seasons import adjustments_due

LONGEST_SHOWN = 200
"""Characters of a text that is refused."""
BESIDE_NOW = {  # the ways out for orders that are none of now, by kind of part
    "former": "write orders of now by themselves",
    "planned": "name its phase, and it is kept for it: Spring 1902: …",
    "reported": "write orders of now by themselves",
    "games": "send the orders for each game by themselves",
}


class EarlyOrder(NamedTuple):
    """An order for a later phase."""

    phase: str
    """The name of that phase, `W1901A`."""
    power: Power
    order: Order
    line: int


class Retraction(NamedTuple):
    """A line that takes orders back, or leaves them open: those of some lines, and those to the units in some places."""

    line: int
    power: Power
    lines: Collection[int]
    places: Collection[ProvinceCode]


class Remark(NamedTuple):
    """Words beside an order: the text of its sentence, and the orders in it if they are known."""

    beside: str
    entries: Sequence[SheetOrder] = ()


class OrdersByPhase(SheetReader):
    """A reader that takes the orders in a text for their phases, and refuses the others by themselves."""

    def __init__(
        self, board: Board, source: str, whose: Power | None = None, *, lenient: bool = False, letter: bool = False
    ) -> None:
        standing: dict[Power, set[ProvinceCode]] = {}
        for unit in [lost.unit for lost in board.dislodged] if board.phase is Phase.RETREAT else board.units:
            standing.setdefault(unit.power, set()).add(unit.province)
        super().__init__(source, board.map, lenient, board.phase, whose, standing)
        self.board = board
        self.letter = letter
        """Whether the text is a player's: what is no order is passed over, what cannot be read is refused by itself."""
        self.talk = letter
        """Whether what names no unit and no place is passed over."""
        self.now = moment_of(board.turn, board.phase) if board.turn else None
        self.moment = self.now
        """The phase that the orders are for."""
        self.scoped = False
        """Whether that was said below a power's name, so that it ends at the next."""
        self.begun = False
        """Whether an order followed since it was said."""
        self.listed = ""
        """What is done with units that are only listed, as a heading says: `Build` or `Remove`."""
        self.early: list[EarlyOrder] = []
        self.all_hold: dict[Power, tuple[int, str]] = {}
        """The powers whose other units all hold, with the line that says so."""
        self.spoken: set[Power] = set()
        """The powers of which something was kept for later or refused."""
        self.unclear: dict[Power, set[ProvinceCode]] = {}
        """The places that lines name which are refused: nobody knows what the units there are to do."""
        self.retracted: list[Retraction] = []
        self.unread: list[tuple[NotationError, Power, set[ProvinceCode], str]] = []
        """What cannot be read, with the places of units that it names, and its text."""
        self.last: tuple[int, Named] | None = None
        """The unit that was ordered last, and in which line."""
        self.retreats_behind_arrow = False
        """Whether `> Gas, Pic` behind an order are retreats, as some game masters agree with their players."""
        self.quotation: Quotation | None = None
        """The first part of a letter that quotes orders, which do not count."""
        self.adopted: Collection[int] = ()
        """The lines of a quotation whose orders count, as the letter says: to units of which its own text says nothing."""
        self.adding = False
        """Whether the letter says that the orders given before stay."""
        self.remarks: dict[tuple[int, str], Remark] = {}
        """What was passed over beside an order, by its line."""
        self.replaced = 0
        """The last line whose words replace all orders before it."""
        self.parts: dict[int, Part] = {}
        """The parts of a letter that are no orders of now, by the numbers of their lines."""
        self.own: dict[int, str] = {}
        """The lines of a letter that are not quoted, by their numbers."""

    @property
    def _phase(self) -> Phase:
        return self.moment.phase if self.moment else self.board.phase

    def _start_if_needed(self) -> None:
        if not self.sheets:
            self._start()

    def _refuse(self, error: InputError) -> None:
        """Keep an error to be told: it takes nothing else with it."""
        self.spoken.add(self.power or "")
        self.sheet.refused.append(error.add_place(source=self.source, line=self.number))

    def _pass(self, text: str) -> None:
        if any(map(str.isalnum, text)):
            self.sheet.passed_over.append((self.number, text.strip()))

    def _is_whole(self, line: str) -> bool:
        """Whether a line is all orders."""
        with suppress(NotationError):
            return bool(parse_orders(line, self.map, self.board.phase, quick=True))
        return False

    def _is_a_misspelt_power(self, name: str) -> bool:
        """Whether a line that is passed over would give one power's orders to another."""
        return self.whose is None and word_meant(normal(name), self.game_map.power_aliases) is not None

    def _parsed(self, text: str) -> list[Order]:
        """The orders of a text; where units are built or removed a list of them. Raises a quick `NotationError`."""
        try:
            return parse_orders(text, self.game_map, self._phase, quick=True)
        except NotationError:
            with suppress(NotationError):
                if verb := self._done_to_listed():
                    return self._units_listed(text, verb)
            raise

    def _read_for(self, text: str, phase: Phase) -> list[Order]:
        """The orders of a text for such a phase; none if it says anything else."""
        with suppress(NotationError):
            orders = parse_orders(text, self.game_map, phase, quick=True)
            return orders if all(belongs_to(order, phase) for order in orders) else []
        return []

    def _last_of(self, text: str) -> Named | None:
        """The unit that is ordered last in a text, or that it is."""
        for written in (text, f"{text} H"):
            with suppress(NotationError):
                return unit_of(parse_orders(written, self.game_map, Phase.MOVEMENT, quick=True)[-1])
        return None

    def _done_to_listed(self) -> str:
        """Whether units that are only listed are built or removed."""
        if self._phase is not Phase.ADJUSTMENT or self.listed or self.moment != self.now:
            return self.listed if self._phase is Phase.ADJUSTMENT else ""
        due = adjustments_due(self.board).get(self.power or "", 0)
        return "Build" if due > 0 else "Remove" if due < 0 else ""

    def _units_listed(self, text: str, verb: str) -> list[Order]:
        mark = LIST_MARK.match(text)
        written = f"{verb} {text[mark.end() :] if mark else text}".replace(" + ", ", ")
        orders = parse_orders(written, self.game_map, Phase.ADJUSTMENT, quick=True)
        kind = Build if verb == "Build" else Remove
        if not all(isinstance(order, kind) and order.unit.kind for order in orders):
            raise NotationError(f"these are no units: {text!r}")
        self.sheet.read_as.append((self.number, text.strip(), "; ".join(map(str, orders))))
        return orders

    @abstractmethod
    def _take(self, text: str, *, alone: bool = True) -> None:
        """A line, or a piece of one: its orders, or what it says else."""

    def _give(self, orders: Iterable[Order]) -> None:
        """Take orders for the phase that they are for; those of another phase are refused."""
        for order in orders:
            if self.power is None or self.nobody:
                continue  # the heading was told
            if self.moment != self.now and not belongs_to(order, self._phase) and belongs_to(order, self.board.phase):
                self.moment, self.listed = self.now, ""  # those of the later phase have ended
            if unit := unit_of(order):
                self.last = (self.number, unit)
            if self.moment == self.now and belongs_to(order, self.board.phase):
                self.sheet.orders.append(SheetOrder(self.power, order, None, None, self.number))
            elif (
                self.moment is None
                or isinstance(order, Unreadable)
                or self.now is None
                or self.moment == self.now
                or not belongs_to(order, self._phase)
            ):
                self._refuse(self._foreign(order))
            elif self.moment < self.now:
                self._refuse(NotationError(f"{order} is for {self.moment.name}, which is over"))
            else:
                self._keep(order, self.moment)

    def _foreign(self, order: Order) -> NotationError:
        error = of_another_phase(order, self._phase)
        headings = {Phase.RETREAT: "retreats", Phase.ADJUSTMENT: "Builds:" if isinstance(order, Build) else "Winter:"}
        if self.now and (heading := headings.get(phase_of(order))):
            later = moment_named(season_named_in(heading), self.now, self.game_map)
            if later > self.now:
                error.suggestion = f"below a line `{heading}` it is kept for {later.name}"
        return error

    def _give_as(self, text: str, orders: Sequence[Order]) -> None:
        """Take orders that a text is read as, which is told."""
        self.sheet.read_as.append((self.number, text, "; ".join(map(str, orders))))
        self._give(orders)

    @property
    def _lines_above(self) -> list[int]:
        """The lines of the orders of the power so far."""
        return [entry.line for entry in self.sheet.orders if entry.power == self.power] if self.sheets else []

    def _retract(self, lines: Collection[int], places: Collection[ProvinceCode] = ()) -> None:
        """Make the orders of some lines uncertain, and those to the units in some places."""
        self.retracted.append(Retraction(self.number, self.power or "", lines, places))

    def _keep(self, order: Order, moment: Moment) -> None:
        self.begun = True
        self.spoken.add(self.power or "")
        self.early.append(EarlyOrder(moment.name, self.power or "", order, self.number))

    def _keep_all(self, orders: Iterable[Order], moment: Moment, text: str) -> None:
        orders = list(orders)
        self.sheet.read_as.append((self.number, text, "; ".join(map(str, orders))))
        for order in orders:
            self._keep(order, moment)

    def _later(self, phase: Phase) -> Moment:
        assert self.now is not None
        return moment_named(season_named_in(str(phase)), self.now, self.game_map)


def unit_of(order: Order) -> Named | None:
    """Return the unit that is ordered, if a unit is."""
    named = None if isinstance(order, Decline | Permission) else order.unit
    return named if named and named.location else None
