"""pydip, asked by batch lines. It answers with positions and retreats, not with verdicts on orders."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

sys.path.append(str(Path(__file__).resolve().parents[1] / "shared"))

from batch_lines import (
    Answer,
    Order,
    Request,
    Skip,
    Unit,
    by_power,
    dislodged_of,
    one_for_each,
    orders_of,
    serve,
    units_of,
)

Theirs: TypeAlias = Any
"""A value of pydip, which has no types."""
NAMES = {
    "ADR": "Adriatic Sea", "AEG": "Aegean Sea", "ALB": "Albania", "ANK": "Ankara", "APU": "Apulia", "ARM": "Armenia",
    "BAL": "Baltic Sea", "BAR": "Barents Sea", "BEL": "Belgium", "BER": "Berlin", "BLA": "Black Sea", "BOH": "Bohemia",
    "BOT": "Gulf of Bothnia", "BRE": "Brest", "BUD": "Budapest", "BUL": "Bulgaria", "BUR": "Burgundy", "CLY": "Clyde",
    "CON": "Constantinople", "DEN": "Denmark", "EAS": "Eastern Mediterranean Sea", "EDI": "Edinburgh",
    "ENG": "English Channel", "FIN": "Finland", "GAL": "Galicia", "GAS": "Gascony", "GRE": "Greece",
    "HEL": "Helgoland Bight", "HOL": "Holland", "ION": "Ionian Sea", "IRI": "Irish Sea", "KIE": "Kiel", "LON": "London",
    "LVN": "Livonia", "LVP": "Liverpool", "LYO": "Gulf of Lyon", "MAO": "Mid-Atlantic Ocean", "MAR": "Marseilles",
    "MOS": "Moscow", "MUN": "Munich", "NAF": "North Africa", "NAO": "North Atlantic Ocean", "NAP": "Naples",
    "NTH": "North Sea", "NWG": "Norwegian Sea", "NWY": "Norway", "PAR": "Paris", "PIC": "Picardy", "PIE": "Piedmont",
    "POR": "Portugal", "PRU": "Prussia", "ROM": "Rome", "RUH": "Ruhr", "RUM": "Rumania", "SER": "Serbia",
    "SEV": "Sevastopol", "SIL": "Silesia", "SKA": "Skagerrak", "SMY": "Smyrna", "SPA": "Spain", "STP": "St. Petersburg",
    "SWE": "Sweden", "SYR": "Syria", "TRI": "Trieste", "TUN": "Tunis", "TUS": "Tuscany", "TYR": "Tyrolia",
    "TYS": "Tyrrhenian Sea", "UKR": "Ukraine", "VEN": "Venice", "VIE": "Vienna", "WAL": "Wales", "WAR": "Warsaw",
    "WES": "Western Mediterranean Sea", "YOR": "Yorkshire",
}  # fmt: skip
"""pydip's name of each province."""
CODES = {name: code for code, name in NAMES.items()}
COASTS = {"NC": "North Coast", "SC": "South Coast", "EC": "North Coast"}
"""pydip calls the east coast of Bulgaria its north coast."""
BACK = {"North Coast": "NC", "South Coast": "SC"}
SEAS = {code for code, name in NAMES.items() if name.endswith(("Sea", "Ocean", "Gulf of Lyon", "Gulf of Bothnia"))} | {
    "ENG", "HEL", "SKA",
}  # fmt: skip
TWO_COASTS = {"BUL", "SPA", "STP"}


def written(location: str, kind: str) -> str:
    """The name of a place for an army or a fleet: pydip keeps fleets on coasts, `Brest Coast`."""
    code, _, coast = location.partition("/")
    if kind == "A" or code in SEAS or (code in TWO_COASTS and not coast):
        return NAMES[code]
    return f"{NAMES[code]} {COASTS[coast]}" if code in TWO_COASTS else f"{NAMES[code]} Coast"


def read(name: str) -> str:
    """The place that pydip names."""
    if name in CODES:
        return CODES[name]
    for coast, short in BACK.items():
        if name.endswith(f" {coast}"):
            code = CODES[name.removesuffix(f" {coast}")]
            return f"{code}/{'EC' if (code, short) == ('BUL', 'NC') else short}"
    return CODES[name.removesuffix(" Coast")]


class Engine:
    """pydip with its standard map."""

    def __init__(self) -> None:
        from pydip.map.map import OwnershipMap
        from pydip.map.predefined import vanilla_dip
        from pydip.player import unit
        from pydip.player.command import adjustment_command, command, retreat_command
        from pydip.player.player import Player
        from pydip.turn import adjustment, resolve, retreat

        self.map = vanilla_dip.generate_map()
        self.supply_map = vanilla_dip.generate_supply_center_map()
        self.homes = {power.upper(): home for power, home in vanilla_dip.generate_home_territories().items()}
        self.ownership, self.player = OwnershipMap, Player
        self.kinds = {"A": unit.UnitTypes.TROOP, "F": unit.UnitTypes.FLEET}
        self.unit_class = unit.Unit
        self.moves, self.retreats, self.builds = command, retreat_command, adjustment_command
        self.resolve_turn, self.resolve_retreats = resolve.resolve_turn, retreat.resolve_retreats
        self.resolve_adjustment = adjustment.resolve_adjustment

    def movement(self, request: Request) -> Answer:
        """A unit whose order pydip refuses holds."""
        units = units_of(request)
        given = one_for_each(orders_of(request))
        players = self._players(units)
        standing = {unit.province: unit for unit in units}
        commands = [self._command(players[unit.power], unit, given.get(unit.province), standing) for unit in units]
        found = self.resolve_turn(self.map, commands)
        after: list[Unit] = []
        dislodged: dict[str, dict[str, list[str]]] = {}
        for power, results in found.items():
            for unit, retreats in results.items():
                told = self._read(unit, power)
                if retreats is None:
                    after.append(told)
                else:
                    places = {read(name) for name in retreats}
                    dislodged.setdefault(power, {})[str(told)] = sorted(places)
        return {"units": by_power(after), "dislodged": dislodged}

    def retreat(self, request: Request) -> Answer:
        """A unit whose order pydip refuses is disbanded."""
        lost = dislodged_of(request)
        units = units_of(request)
        given = one_for_each(orders_of(request))
        players = self._players(units)
        for power, player in self._players(list(lost)).items():
            if power in players:
                players[power].units += player.units
            else:
                players[power] = player
        may: dict[str, dict[Theirs, set[str] | None]] = {power: {} for power in players}
        for unit in units:
            may[unit.power][self._unit(unit)] = None
        for unit, places in lost.items():
            may[unit.power][self._unit(unit)] = {written(place, unit.kind) for place in places}
        commands = [self._retreat(may, players[unit.power], unit, given.get(unit.province)) for unit in lost]
        found = self.resolve_retreats(may, commands)
        return {"units": by_power([self._read(unit, power) for power, left in found.items() for unit in left])}

    def adjustment(self, request: Request) -> Answer:
        """An order that pydip refuses is left out."""
        units = units_of(request)
        players = self._players(units)
        for power in {*request["centers"], *request["orders"]} - players.keys():
            players[power] = self.player(power, self.map, [])
        owned = {power: {NAMES[code] for code in request["centers"].get(power, ())} for power in players}
        ownership = self.ownership(self.supply_map, owned, {power: self.homes.get(power, set()) for power in players})
        counts = {power: len(owned[power]) - len(player.units) for power, player in players.items()}
        commands = [
            command
            for order in orders_of(request)
            if (command := self._adjustment(ownership, players[order.power], order)) is not None
        ]
        standing = {power: set(player.units) for power, player in players.items()}
        found = self.resolve_adjustment(ownership, counts, standing, commands)
        return {"units": by_power([self._read(unit, power) for power, left in found.items() for unit in left])}

    def _unit(self, unit: Unit) -> Theirs:
        return self.unit_class(self.kinds[unit.kind], written(unit.location, unit.kind))

    def _read(self, unit: Theirs, power: str) -> Unit:
        return Unit("A" if unit.unit_type is self.kinds["A"] else "F", read(unit.position), power)

    def _players(self, units: list[Unit]) -> dict[str, Theirs]:
        placed: dict[str, list[dict[str, Theirs]]] = {}
        for unit in units:
            position = {"territory_name": written(unit.location, unit.kind), "unit_type": self.kinds[unit.kind]}
            placed.setdefault(unit.power, []).append(position)
        return {power: self.player(power, self.map, positions) for power, positions in placed.items()}

    def _command(self, player: Theirs, unit: Unit, order: Order | None, standing: dict[str, Unit]) -> Theirs:
        """The order for a unit, which holds if there is none, or if it is not the power's, or of the other kind."""
        hold = self.moves.HoldCommand(player, self._unit(unit))
        if order is None or not meant(order, unit):
            return hold
        return accepted(lambda: self._made(player, unit, order, standing)) or hold

    def _made(self, player: Theirs, unit: Unit, order: Order, standing: dict[str, Unit]) -> Theirs:
        if order.route:
            raise Skip("pydip has no convoy routes")
        mine = self._unit(unit)
        if order.kind == "-":
            there = written(order.destination, unit.kind)
            direct = there in self.map.adjacency[mine.position]
            by_convoy = unit.kind == "A" and (order.via or not direct)
            return (self.moves.ConvoyMoveCommand if by_convoy else self.moves.MoveCommand)(player, mine, there)
        if order.other is None:
            return None
        other = standing.get(order.other.province)
        if other is None or order.other.kind not in ("", other.kind):
            return None  # pydip takes a unit, and there is none
        theirs = self._unit(other)
        if order.kind == "C":
            return self.moves.ConvoyTransportCommand(player, mine, theirs, written(order.destination, "A"))
        there = self._supported(theirs, other.kind, order.destination) if order.destination else theirs.position
        return self.moves.SupportCommand(player, mine, theirs, there)

    def _supported(self, unit: Theirs, kind: str, destination: str) -> str:
        """Where a supported unit goes. Of a province alone a coast that it can reach: pydip needs one of them."""
        name = written(destination, kind)
        if kind == "A" or destination not in TWO_COASTS:
            return name
        coasts: list[str] = [coast.name for coast in self.map.name_map[name].coasts]
        return next((coast for coast in coasts if coast in self.map.adjacency[unit.position]), name)

    def _retreat(
        self, may: dict[str, dict[Theirs, set[str] | None]], player: Theirs, unit: Unit, order: Order | None
    ) -> Theirs:
        mine = self._unit(unit)
        disband = self.retreats.RetreatDisbandCommand(may, player, mine)
        if order is None or order.kind != "R" or order.via or not meant(order, unit):
            return disband
        there = written(order.destination, unit.kind)
        return accepted(lambda: self.retreats.RetreatMoveCommand(may, player, mine, there)) or disband

    def _adjustment(self, ownership: Theirs, player: Theirs, order: Order) -> Theirs:
        if order.kind not in ("B", "D"):
            return None
        if not order.unit.kind:
            raise Skip("pydip needs the kind of a unit")
        mine = self._unit(order.unit)
        if mine.position not in self.map.name_map:  # a fleet inland
            return None
        if order.kind == "B":
            return accepted(lambda: self.builds.AdjustmentCreateCommand(ownership, player, mine))
        return accepted(lambda: self.builds.AdjustmentDisbandCommand(player, mine))


def meant(order: Order, unit: Unit) -> bool:
    """Whether the order for the province is for its unit: of the power that gives it, and of the kind that it names."""
    return order.power == unit.power and order.unit.kind in ("", unit.kind)


def accepted(make: Callable[[], Theirs]) -> Theirs:
    """The command, or None if pydip refuses it: its constructors assert that an order is legal."""
    try:
        return make()
    except AssertionError:
        return None


if __name__ == "__main__":
    engine = Engine()
    serve({"movement": engine.movement, "retreat": engine.retreat, "adjustment": engine.adjustment})
