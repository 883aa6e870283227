"""Reads games from webDiplomacy's API (`game/status`): JSON with numbers for territories and countries.

Phases become rows (`satjudge.files.diplomacy_package`): the API lists no possible retreats, so the preceding moves decide them.
Provinces are numbered as the variants on the classic map install them (docs/reference/saved-files.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import msgspec

from satjudge.base.errors import RequestError
from satjudge.base.resources import decode_json
from satjudge.base.values import brief
from satjudge.files.diplomacy_package import Movement, Row, check_length
from satjudge.world.board import group_pairs
from satjudge.world.geography import Location, Power, ProvinceCode, load_map, province_of

_NUMBERED = """
CLY EDI LVP YOR WAL LON POR SPA NAF TUN NAP ROM TUS PIE VEN APU GRE ALB SER BUL RUM CON SMY ANK ARM SYR SEV UKR WAR LVN
MOS STP FIN SWE NWY DEN KIE BER PRU SIL MUN RUH HOL BEL PIC BRE PAR BUR MAR GAS BAR NWG NTH SKA HEL BAL BOT NAO IRI ENG
MAO WES LYO TYS ION ADR AEG EAS BLA TYR BOH VIE TRI BUD GAL
"""
"""The provinces from number 1."""
_PROVINCES: Sequence[ProvinceCode] = _NUMBERED.split()
_COASTS = ("SPA/NC", "SPA/SC", "STP/NC", "STP/SC", "BUL/EC", "BUL/SC")


@dataclass(frozen=True)
class _Variant:
    """A variant on the classic map: its countries and territories by number, from 1; number 0 is nobody or nowhere."""

    countries: Sequence[Power]
    territories: Sequence[Location]

    __repr__ = brief

    def find_power(self, entry: _Territory) -> Power:
        """Return the power that an entry belongs to, by its country's number; raise `RequestError` for an unknown number."""
        if 0 < entry.country < len(self.countries):
            return self.countries[entry.country]
        raise RequestError(f"there is no country {entry.country}")

    def find_location(self, number: int | None) -> Location:
        """Return the location of the territory with this number; raise `RequestError` for an unknown number."""
        if number and 0 < number < len(self.territories):
            return self.territories[number]
        raise RequestError(f"there is no territory {number}")


_SEVEN = _Variant(("", "ENGLAND", "FRANCE", "ITALY", "GERMANY", "AUSTRIA", "TURKEY", "RUSSIA"), ("", *_PROVINCES, *_COASTS))
_BY_PROVINCE = ("", *(place for code in _PROVINCES for place in (code, *(c for c in _COASTS if province_of(c) == code))))
"""The territories of the variants for two players, where coasts follow their province."""
_VARIANTS = {
    1: _SEVEN,  # Classic
    3: _SEVEN,  # Fleet Rome
    4: _SEVEN,  # Custom Start
    15: _Variant(("", "FRANCE", "AUSTRIA"), _BY_PROVINCE),
    23: _Variant(("", "GERMANY", "ITALY"), _BY_PROVINCE),
}
_REFUSED = {
    2: "World", 5: "Build Anywhere", 9: "Ancient Mediterranean", 17: "Chaos", 19: "Modern", 20: "Empire", 91: "Cold War",
}  # fmt: skip
"""The names of variants with other maps, or with rules that are not in the answer."""
_LETTERS = {"Army": "A", "Fleet": "F"}
_PHASES = {"Diplomacy": "M", "Retreats": "R", "Builds": "A"}
_FINISHED = "Finished"


class _Territory(msgspec.Struct, rename={"territory": "terrID", "country": "countryID"}):
    territory: int
    country: int


class _Unit(_Territory, rename={"kind": "unitType"}):
    kind: str
    retreating: str = "No"


class _Order(_Territory, rename={"unit": "unitType", "goal": "toTerrID", "origin": "fromTerrID", "via": "viaConvoy"}):
    type: str
    unit: str = ""
    goal: int | None = 0
    origin: int | None = 0
    via: str | None = "No"
    success: str | None = ""
    dislodged: str | None = "No"


class _Phase(msgspec.Struct):
    turn: int
    phase: str
    units: list[_Unit] = []
    orders: list[_Order] = []
    centers: list[_Territory] = []


class _Status(msgspec.Struct, rename={"game": "gameID", "variant": "variantID", "over": "gameOver"}):
    game: int
    variant: int
    phases: list[_Phase]
    over: str = "No"


def row_readers(data: bytes, source: str = "") -> Iterator[Callable[[], Row]]:
    """Return functions that each read one phase of a game as a row; phases that cannot be judged are left out.

    The last phase of an unfinished game has no position after it. This function and the returned ones raise `RequestError`.
    """
    try:
        status = decode_json(check_length(data, source), _Status)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RequestError(f"not a game from webDiplomacy: {error}", source=source) from None
    variant = _VARIANTS.get(status.variant)
    if variant is None:
        reason = f" ({_REFUSED[status.variant]})" if status.variant in _REFUSED else ""
        hint = f"satjudge reads the variants {', '.join(map(str, _VARIANTS))}; others number territories differently"
        raise RequestError(f"webDiplomacy's variant {status.variant}{reason} cannot be read", source=source, suggestion=hint)
    phases = [_PhaseReader(phase, variant) for phase in status.phases]
    if status.over != "No" and phases and phases[-1].phase != _FINISHED:
        del phases[-1]  # older releases of webDiplomacy list only the units there that had to retreat
    return (
        partial(_row, str(status.game), phases, number)
        for number, saved_phase in enumerate(phases)
        if saved_phase.phase != _FINISHED  # the present phase of a finished game
    )


def _row(game: str, phases: Sequence[_PhaseReader], number: int) -> Row:
    phase = phases[number]
    before = phases[number - 1] if number else None
    after = phases[number + 1] if number + 1 < len(phases) else None
    try:
        row = Row(
            phase.name,
            phase.list_units(),
            phase.list_orders(),
            game,
            None,
            centers=phase.list_centers(),
            results=phase.list_results(),
        )
        if phase.phase == "Retreats" and before and before.is_same_turn(phase):
            row.prev = Movement(before.name, before.list_units(), before.list_orders())
        if after:
            row.next_units = after.list_units()
            row.next_dislodged = after.list_units("Yes") if after.phase == "Retreats" else {}
            row.next_centers = None if after.is_same_turn(phase) and after.phase != "Builds" else after.list_centers()
    except RequestError as error:
        raise error.add_place(source=f"game {game}, turn {phase.stored.turn}, {phase.phase}") from None
    return row


@dataclass(frozen=True, slots=True)
class _PhaseReader:
    """A phase of the API in satjudge's notation; its properties and methods may raise `RequestError`."""

    stored: _Phase
    variant: _Variant

    __repr__ = brief

    @property
    def phase(self) -> str:
        """The kind of phase, as the API names it: `Diplomacy`, `Retreats`, `Builds` or `Finished`."""
        return self.stored.phase

    @property
    def name(self) -> str:
        """The name of the phase in saved games: `S1901M`, `F1901R`, `W1901A`; `RequestError` for a finished game."""
        if self.phase not in _PHASES or self.stored.turn < 0:
            raise RequestError(f"there is no phase {self.phase!r:.40} in turn {self.stored.turn}")
        year, autumn = divmod(self.stored.turn, 2)
        return f"{'W' if self.phase == 'Builds' else 'SF'[autumn]}{load_map().first_year + year}{_PHASES[self.phase]}"

    def is_same_turn(self, other: _PhaseReader) -> bool:
        """Return whether the two phases belong to the same turn."""
        return self.stored.turn == other.stored.turn

    def list_units(self, retreating: str = "No") -> dict[Power, list[str]]:
        """Return each power's units as texts: those that need not retreat ("No"), or those that must retreat ("Yes")."""
        country, location = self.variant.find_power, self.variant.find_location
        units = (unit for unit in self.stored.units if unit.retreating == retreating)
        return group_pairs((country(unit), f"{_letter(unit.kind)} {location(unit.territory)}") for unit in units)

    def list_centers(self) -> dict[Power, list[ProvinceCode]]:
        """Return the supply centres of each power that owns any."""
        owned = (
            (self.variant.find_power(one), self.variant.find_location(one.territory))
            for one in self.stored.centers
            if one.country
        )
        return group_pairs((power, code) for power, code in owned if code in load_map().centers)

    def list_orders(self) -> dict[Power, list[str]]:
        """Return the orders of each power, in satjudge's notation."""
        return group_pairs((self.variant.find_power(order), self._format_order(order)) for order in self.stored.orders)

    def list_results(self) -> dict[str, list[str]]:
        """Return the API's results by unit: `success` or `no success`, perhaps also `dislodged`; none for units that hold."""
        words = {"Yes": "success", "No": "no success"}
        return {
            " ".join(self._format_order(order).split()[:2]): [words[order.success], *["dislodged"] * (order.dislodged == "Yes")]
            for order in self.stored.orders
            if order.success in words and order.type not in ("Hold", "Wait")  # a hold never has any
        }

    def _format_order(self, order: _Order) -> str:
        """Write an order in satjudge's notation, or raise `RequestError` for an unknown type."""
        if order.type == "Wait":
            return "WAIVE"
        if order.type in ("Build Army", "Build Fleet"):
            return f"{order.type[6]} {self.variant.find_location(order.territory or order.goal)} B"
        if order.type == "Destroy":
            return f"{self._unit_at(order.territory or order.goal)} D"
        unit = f"{_letter(order.unit)} {self.variant.find_location(order.territory)}"
        match order.type:
            case "Hold":
                return f"{unit} H"
            case "Move":
                return f"{unit} - {self.variant.find_location(order.goal)}{' VIA' if order.via == 'Yes' else ''}"
            case "Support hold":
                return f"{unit} S {self._unit_at(order.goal)}"
            case "Support move":
                return f"{unit} S {self._unit_at(order.origin)} - {self.variant.find_location(order.goal)}"
            case "Convoy":
                return f"{unit} C {self._unit_at(order.origin)} - {self.variant.find_location(order.goal)}"
            case "Retreat":
                return f"{unit} R {self.variant.find_location(order.goal)}"
            case "Disband":
                return f"{unit} D"
        raise RequestError(f"there is no order type {order.type!r:.40}")

    def _unit_at(self, number: int | None) -> str:
        """Return the text of the unit in a territory (`F STP/SC` even for STP); that of an army if no unit stands there."""
        place = self.variant.find_location(number)
        standing = (unit for unit in self.stored.units if unit.retreating == "No")
        found = (unit for unit in standing if province_of(self.variant.find_location(unit.territory)) == province_of(place))
        return next((f"{_letter(unit.kind)} {self.variant.find_location(unit.territory)}" for unit in found), f"A {place}")


def _letter(kind: str) -> str:
    if kind in _LETTERS:
        return _LETTERS[kind]
    raise RequestError(f"a unit is an Army or a Fleet, not {kind!r:.40}")
