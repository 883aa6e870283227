"""Assigns the orders in a text to the current phase or a later one, and collects refused orders with the reasons."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from typing import NamedTuple

from satjudge.base.errors import InputError, NotationError, RefusedOrderError
from satjudge.notation.messages.quotations import Part, Quotation
from satjudge.notation.parse import parse_orders
from satjudge.notation.phase_names import GamePhase, find_named_phase, game_phase, is_order_of, phase_kind, wrong_phase_error
from satjudge.notation.rewording import make_key, ordered_words
from satjudge.notation.sheet_reader import SheetReader
from satjudge.notation.sheets import SheetOrder
from satjudge.notation.suggestions import suggest_word
from satjudge.notation.text_around_orders import LIST_MARK, has_phrase, is_uncertain, read_named_season
from satjudge.world.board import Board, Phase
from satjudge.world.geography import Power, ProvinceCode, normal, province_of
from satjudge.world.orders import Build, Decline, Move, Named, Order, Permission, Remove, Unreadable
from satjudge.world.seasons import adjustments_due

LONGEST_SHOWN = 200
"""The largest number of characters of a refused text that an error quotes."""
MOST_PIECES = 60
ONE_THAT_COUNTS = "send the one that counts"
BESIDE_NOW = {  # hints for orders that are not for now, by kind of part
    "former": "write the orders for this phase by themselves",
    "planned": "to keep it, write it below the name of its phase",
    "reported": "write the orders for this phase by themselves",
    "games": "send the orders for each game separately",
}


class EarlyOrder(NamedTuple):
    """An order for a later phase."""

    phase: str
    """The name of the later phase, `W1901A`."""
    power: Power
    order: Order
    line: int


class Retraction(NamedTuple):
    """A line that withdraws orders or makes them uncertain: those on some lines, and those to the units in some places."""

    line: int
    power: Power
    lines: Collection[int]
    places: Collection[ProvinceCode]
    why: str = ""
    """The reason why the orders are uncertain, if they are not withdrawn."""


class Remark(NamedTuple):
    """A remark next to an order: the rest of its sentence, and the orders in that sentence if they are known."""

    beside: str
    entries: Sequence[SheetOrder] = ()


class PhaseOrdersReader(SheetReader):
    """A reader that assigns the orders in a text to their phases, and refuses unclear ones one by one."""

    def __init__(
        self, board: Board, source: str, only_power: Power | None = None, *, lenient: bool = False, is_message: bool = False
    ) -> None:
        standing: dict[Power, set[ProvinceCode]] = {}
        self.units = [lost.unit for lost in board.dislodged] if board.phase is Phase.RETREAT else board.units
        for unit in self.units:
            standing.setdefault(unit.power, set()).add(unit.province)
        super().__init__(source, board.map, lenient, board.phase, only_power, standing)
        self.board = board
        self.is_message = is_message
        """True if a player wrote the text: lines without orders are skipped, and unreadable orders are refused one by one."""
        self.skips_talk = is_message
        """True if lines that name no unit and no place are skipped."""
        self.now = game_phase(board.turn, board.phase) if board.turn else None
        self.target_phase = self.now
        """The phase to which the next orders belong."""
        self.target_ends_with_power = False
        """True if a line below a power's name names this phase, so that it ends at the next power."""
        self.target_has_orders = False
        """True if an order has followed since the phase was named."""
        self.list_verb = ""
        """The verb from a heading for units that are only listed: `Build`, `Remove` or ""."""
        self.listed_lines: set[int] = set()
        """The lines that only list units; the power's number of centres decides whether these are builds or removals."""
        self.early_orders: list[EarlyOrder] = []
        self.all_hold: dict[Power, tuple[int, str]] = {}
        """The powers that order all other units to hold, with the number and text of that line."""
        self.active_powers: set[Power] = set()
        """The powers with orders that were kept for later or refused."""
        self.unclear_places: dict[Power, set[ProvinceCode]] = {}
        """The places that refused lines name; the orders to the units there are unknown."""
        self.retractions: list[Retraction] = []
        self.unread_lines: list[tuple[NotationError, Power, set[ProvinceCode], str]] = []
        """The unreadable lines: the error, the power, the places of units that the line names, and its text."""
        self.heading_error: NotationError | None = None
        self.heading_power: Power | None = None
        """The error of the last heading that names no power, and the power whose orders are above it."""
        self.last_unit: tuple[int, Named] | None = None
        """The line of the last order, and its unit."""
        self.retreats_behind_arrow = False
        """True if `> Gas, Pic` after an order means retreats, as some game masters agree with their players."""
        self.quotation: Quotation | None = None
        """The first quotation with orders in a message; they do not count."""
        self.adopted_lines: Collection[int] = ()
        """The quoted lines that the message adopts; their orders count for units that its own text does not mention."""
        self.adding = False
        """True if the message says that earlier orders still count."""
        self.remarks: dict[tuple[int, str], Remark] = {}
        """The skipped remarks next to orders, by line."""
        self.last_replacing_line = 0
        """The last line that replaces all orders before it."""
        self.parts: dict[int, Part] = {}
        """The parts of a message whose orders are not for now, by the numbers of their lines."""
        self.written_lines: list[str] = []
        """The lines as they were written, including everything that is removed before reading."""
        self.own_lines: dict[int, str] = {}
        """The lines of a message that are not quoted, by their numbers."""

    @property
    def phase_kind(self) -> Phase:
        """The kind of phase that the orders are for."""
        return self.target_phase.phase if self.target_phase else self.board.phase

    @property
    def is_at_hand(self) -> bool:
        """True if the orders are for the current phase."""
        return self.target_phase == self.now

    def ensure_case(self) -> None:
        """Begin a case if none has begun."""
        if not self.sheets:
            self.start_case()

    def refuse(self, error: InputError, about: Order | str = "") -> RefusedOrderError:
        """Record an error at the current line about an order or a text, to be reported later, and return it as a refusal."""
        power, order, unit_name = self.power or "", None, None
        if isinstance(about, str):
            places = self.find_named_places(about) & self.standing.get(power, set())
        else:
            order, unit_name = str(about), ordered_unit(about)
            places = {unit_name.province} if unit_name else set()
        units = [str(unit) for unit in self.units if unit.power == power and unit.province in places]
        error.add_place(source=self.source, line=self.number)
        refusal = RefusedOrderError(error, order, units[0] if len(units) == 1 else str(unit_name) if unit_name else None)
        self.active_powers.add(power)
        self.sheet.refused.append(refusal)
        return refusal

    def find_column(self, text: str, part_column: int | None) -> int | None:
        """Return the column in the unindented line for a column in a part of the line; None if the line lacks that part."""
        begin = (part_column or 1) - 1
        before, word = text[:begin].split(), text[begin:].split()[:1]
        pattern = r"[\W_]*".join(map(re.escape, [*before, *word]))
        found = re.search(pattern, "".join(self.written_lines[self.number - 1 : self.number]))
        return found.end() - len("".join(word)) + 1 - self.indent if found else None

    def ignore(self, text: str) -> None:
        """Record a text of the current line as skipped, unless it has no letters and no digits."""
        if any(map(str.isalnum, text)):
            self.sheet.passed_over.append((self.number, text.strip()))

    def is_misspelt_power(self, name: str) -> bool:
        """Return whether a text is a misspelt power's name, which must not be skipped; False if all orders are one power's."""
        return self.only_power is None and suggest_word(normal(name), self.game_map.power_aliases) is not None

    def parse_orders_at_hand(self, text: str) -> list[Order]:
        """Return a text's orders for the phase being read, or raise `NotationError`; bare units may be builds or removals."""
        try:
            return parse_orders(text, self.game_map, self.phase_kind, quick=True)
        except NotationError:
            with suppress(NotationError):
                if verb := self._find_list_verb():
                    return self._parse_unit_list(text, verb)
            raise

    def parse_for_phase(self, text: str, phase: Phase) -> list[Order]:
        """Return the orders in a text for this kind of phase; an empty list if the text contains anything else."""
        with suppress(NotationError):
            orders = parse_orders(text, self.game_map, phase, quick=True)
            return orders if all(is_order_of(order, phase) for order in orders) else []
        return []

    def find_last_unit(self, text: str) -> Named | None:
        """Return the unit of the last order in a text, or the unit that the text names; None if it has neither."""
        for written in (text, f"{text} H"):
            with suppress(NotationError):
                return ordered_unit(parse_orders(written, self.game_map, Phase.MOVEMENT, quick=True)[-1])
        return None

    def _find_list_verb(self) -> str:
        """Return `Build` or `Remove` if a bare list of units means one of them at this point; "" if it means neither."""
        if self.phase_kind is not Phase.ADJUSTMENT or self.list_verb or not self.is_at_hand:
            return self.list_verb if self.phase_kind is Phase.ADJUSTMENT else ""
        due = adjustments_due(self.board).get(self.power or "", 0)
        return "Build" if due > 0 else "Remove" if due < 0 else ""

    def _parse_unit_list(self, text: str, verb: str) -> list[Order]:
        mark = LIST_MARK.match(text)
        written = f"{verb} {text[mark.end() :] if mark else text}".replace(" + ", ", ")
        orders = parse_orders(written, self.game_map, Phase.ADJUSTMENT, quick=True)
        kind = Build if verb == "Build" else Remove
        if (":" in text and not self.list_verb) or not all(isinstance(order, kind) and order.unit.kind for order in orders):
            raise NotationError(f"these are not units: {text!r}")
        self.sheet.read_as.append((self.number, text.strip(), "; ".join(map(str, orders))))
        if not self.list_verb:
            self.listed_lines.add(self.number)
        return orders

    def take_orders(self, orders: Iterable[Order]) -> None:
        """Store each order for the phase being read; refuse other kinds and past ones; keep those without a power as unread."""
        for order in orders:
            if self.power is None or self.has_no_power:  # the heading has an error
                if self.heading_error:
                    self.keep_unread(self.heading_error, str(order), self.heading_power)
                continue
            of_now, of_target = is_order_of(order, self.board.phase), is_order_of(order, self.phase_kind)
            if of_now and not (self.is_at_hand or of_target):
                self.target_phase, self.list_verb = self.now, ""  # the orders for the later phase have ended
            if unit := ordered_unit(order):
                self.last_unit = (self.number, unit)
            if self.is_at_hand and of_now:
                self.sheet.orders.append(SheetOrder(self.power, order, None, None, self.number))
            elif (
                self.target_phase is None
                or self.now is None
                or self.is_at_hand
                or not of_target
                or isinstance(order, Unreadable)
            ):
                self.refuse(self._wrong_phase_error(order), order)
            elif self.target_phase < self.now:
                self.refuse(NotationError(f"{order} is for {self.target_phase.name}, which is over"), order)
            else:
                self.keep_orders([order], self.target_phase)

    def _wrong_phase_error(self, order: Order) -> NotationError:
        error = wrong_phase_error(order, self.phase_kind)
        headings = {Phase.RETREAT: "retreats", Phase.ADJUSTMENT: "Builds:" if isinstance(order, Build) else "Winter:"}
        if self.now and (heading := headings.get(phase_kind(order))):
            later = find_named_phase(read_named_season(heading), self.now, self.game_map)
            if later > self.now:
                error.suggestion = f"to keep it for {later.name}, write it below a line `{heading}`"
        return error

    def take_orders_as(self, text: str, orders: Sequence[Order]) -> None:
        """Store orders that were read from a reworded text, and record the text and its reading for the remarks."""
        self.sheet.read_as.append((self.number, text, "; ".join(map(str, orders))))
        self.take_orders(orders)

    def keep_unread(self, error: NotationError, text: str, power: Power | None) -> None:
        """Record an unreadable text with its error and the places that it names, since it may concern other orders."""
        self.unread_lines.append((error, power or "", self.find_named_places(text), text))

    @property
    def lines_above(self) -> list[int]:
        """The numbers of the lines with orders of this power so far."""
        return [entry.line for entry in self.sheet.orders if entry.power == self.power] if self.sheets else []

    def retract(self, lines: Collection[int], places: Collection[ProvinceCode] = (), reason: str = "") -> None:
        """Record that the orders on these lines, and to units in these places, are withdrawn, or uncertain for `reason`."""
        self.retractions.append(Retraction(self.number, self.power or "", lines, places, reason))

    def find_paragraph(self) -> range:
        """Return the numbers of the lines below the current one, up to an empty line that is not directly below it."""
        end = self.number
        while end < len(self.all_lines) and (self.all_lines[end].strip() or end == self.number):
            end += 1
        return range(self.number + 1, end + 1)

    def keep_orders(self, orders: Sequence[Order], game_phase: GamePhase, text: str = "") -> None:
        """Store orders for a later phase, and record the text from which they were read, if there is one."""
        if text:
            self.sheet.read_as.append((self.number, text, "; ".join(map(str, orders))))
        self.target_has_orders = True
        self.active_powers.add(self.power or "")
        self.early_orders += (EarlyOrder(game_phase.name, self.power or "", order, self.number) for order in orders)

    def find_later_phase(self, phase_kind: Phase) -> GamePhase:
        """Return the next phase of a kind in the game, from the current phase on."""
        assert self.now is not None
        return find_named_phase(read_named_season(str(phase_kind)), self.now, self.game_map)

    def drop_order(self, entry: SheetOrder | EarlyOrder, error: InputError) -> None:
        """Remove a stored order, record the error, and mark the place of the order's unit as unclear."""
        if isinstance(entry, EarlyOrder):
            self.early_orders.remove(entry)
        else:
            self.sheet.orders.remove(entry)
        self.power, self.number = entry.power, entry.line
        if unit := ordered_unit(entry.order):
            self.unclear_places.setdefault(entry.power, set()).add(unit.province)
        self.refuse(error, entry.order)

    def replace_all(self) -> None:
        """Refuse all orders of the current power for the current phase stored so far, as after `Scrap that, instead: …`."""
        now = self.last_replacing_line = self.number
        for entry in [entry for entry in self.sheet.orders if entry.power == self.power]:
            self.sheet.orders.remove(entry)
            self.number = entry.line
            self.refuse(NotationError(f"{entry.order} is withdrawn in line {now}"), entry.order)
        self.number = now

    def refuse_order_text(self, text: str, error: NotationError) -> None:
        """Refuse a text, store it as unreadable, and mark its places as unclear; if it withdraws orders, retract those."""
        guessed = (error.suggestion is None or "did you mean" in error.suggestion) and not is_uncertain(
            self.all_lines[self.number - 1]
        )
        if self.is_message and guessed and (order := self._find_order_at_end(text)):
            error.suggestion = f"to order {order}, write it by itself"
        error = self.refuse(error, text)
        places = {word.text for word in ordered_words(text, self.game_map) if word.kind == "place"}
        self.unclear_places.setdefault(self.power or "", set()).update(places)
        self.keep_unread(error, text, self.power)
        if has_phrase("retractions", text) or make_key(text).startswith("no "):
            self.retract({self.number}, self.find_named_places(text))

    def _find_order_at_end(self, text: str) -> Order | None:
        """Return the order to an own unit that ends a text, such as `change my order for Tunis to A Tun - NAf`, or None."""
        own = self.standing.get(self.power or "", ())
        words = [found.start() for found in re.finditer(r"\S+", text)]
        for begin in words[1:][:MOST_PIECES]:
            if text[begin : begin + 2].strip().lower() in ("a", "f", "ar", "fl"):
                orders = self.parse_for_phase(text[begin:], self.phase_kind)
                alone = len(orders) == 1 and "to place" not in " ".join(
                    word.kind for word in ordered_words(text[:begin], self.game_map)
                )
                if alone and (unit := ordered_unit(orders[0])) and unit.province in own:
                    return orders[0]
        return None

    def find_named_places(self, text: str) -> set[ProvinceCode]:
        """Return the provinces named in a text, except destinations and the places of supported or convoyed units."""
        words = [word for word in ordered_words(text, self.game_map) if word.kind not in ("army", "fleet", "power")]
        beside = ("to", "through", "support", "convoy", "retreat", "from")
        return {
            word.text
            for before, word in zip((None, *words), words, strict=False)
            if word.kind == "place" and not (before and before.kind in beside)
        }


def find_move_before(order: Order, others: Sequence[Order], own_places: Collection[ProvinceCode]) -> Move | None:
    """Return the move that an order to no own unit seems to continue (`A Par - Bur`, for `Bur - Pic`), or None."""
    unit = ordered_unit(order)
    moves = (one for one in others if isinstance(one, Move) and unit and province_of(one.destination) == unit.province)
    return next(moves, None) if unit and unit.province not in own_places else None


def ordered_unit(order: Order) -> Named | None:
    """Return the unit to which an order is given; None for waived builds, canal permissions and units without a place."""
    unit_name = None if isinstance(order, Decline | Permission) else order.unit
    return unit_name if unit_name and unit_name.location else None
