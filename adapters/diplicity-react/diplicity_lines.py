"""The adjudicator of diplicity-react, asked by batch lines in all phases. It writes as the dialect `godip` does.

    python diplicity_lines.py CHECKOUT/service

reads the engine, and the standard map that its tests use, from the folder `service` of a checkout.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Collection
from itertools import pairwise
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
    read_order,
    serve,
    units_of,
)

Theirs: TypeAlias = Any
"""A value of the engine, whose types are not at hand."""
MAP = Path("harness", "data", "variants", "classical.json")
HOMES = Path("variant", "data", "classical.json")
KINDS = {"A": "Army", "F": "Fleet"}
SHORT = {kind: short for short, kind in KINDS.items()}
WORDS = {"H": "Hold", "-": "Move", "S": "Support", "C": "Convoy", "R": "Retreat", "D": "Disband", "B": "Build"}
PHASES = {"movement": ("Spring", "Movement"), "retreat": ("Spring", "Retreat"), "adjustment": ("Fall", "Adjustment")}
NEXT = (("Spring", "Movement", 0), ("Spring", "Retreat", 0), ("Fall", "Movement", 0), ("Fall", "Retreat", 0))
YEAR = 1901


def variant(game_map: dict[str, Any], start: dict[str, Any]) -> dict[str, Any]:
    """What the engine asks of a variant, from the tables that come with it."""
    homes = {center["province"]: center["nation"].lower() for center in start["initial_supply_centers"]}
    phases = [*NEXT, ("Fall", "Adjustment", 0), ("Spring", "Movement", 1)]
    coasts = [place for place in game_map["provinces"] if place["parent_id"]]
    return {
        "schemaVersion": 1,
        "id": "classical",
        "name": "Classical",
        "description": "The standard map.",
        "author": "Allan B. Calhamer",
        "victoryConditions": [{"type": "supply-center-majority", "supplyCenters": 18}],
        "phaseProgression": {
            "seasons": ["Spring", "Fall"],
            "transitions": [
                {"from": {"season": season, "type": kind}, "to": {"season": after, "type": then, "yearDelta": later}}
                for (season, kind, _), (after, then, later) in pairwise(phases)
            ],
        },
        "nations": [{"id": nation["nation_id"], "name": nation["name"], "color": "#000000"} for nation in game_map["nations"]],
        "provinces": [
            {
                "id": place["id"],
                "name": place["name"],
                "type": place["type"],
                "supplyCenter": place["supply_center"],
                **({"homeNation": homes[place["id"]]} if place["id"] in homes else {}),
                "adjacencies": place["adjacencies"],
            }
            for place in game_map["provinces"]
            if not place["parent_id"]
        ],
        "namedCoasts": [
            {
                "id": place["id"],
                "name": place["name"],
                "parentProvince": place["parent_id"],
                "adjacencies": place["adjacencies"],
            }
            for place in coasts
        ],
        "initialState": {
            "phase": {"season": "Spring", "year": YEAR, "type": "Movement"},
            "units": [],
            "supplyCenters": [],
        },
    }


class Engine:
    """The engine with the standard map."""

    def __init__(self, service: Path) -> None:
        sys.path.insert(0, str(service))
        from adjudicator import serializers
        from adjudicator.engine import Engine as TheirEngine
        from adjudicator.options import get_options

        self.serializers, self.options, self.engine = serializers, get_options, TheirEngine()
        read = [json.loads((service / path).read_text(encoding="utf-8")) for path in (MAP, HOMES)]
        self.variant = serializers.deserialize_variant(variant(*read))

    def movement(self, request: Request) -> Answer:
        """A unit that is gone, and did not move, was dislodged with nowhere to go: the engine takes it off at once."""
        units, orders = units_of(request), orders_of(request)
        resolved, after = self._judged(request, units, orders)
        codes = {entry.province: entry.code for entry in resolved.resolutions}
        moved = {
            unit.location for unit in units for order in orders if _moves(order, unit) and codes.get(unit.location) == "OK"
        }
        standing = [_read(unit) for unit in after.units if not unit.dislodged]
        retreats: dict[str, list[str]] = {unit.location: [] for unit in after.units if unit.dislodged}
        for option in self.options(after) if retreats else ():
            if option.order_type == "Retreat":
                retreats[option.source].append(option.target)
        stayed = {unit.location for unit in standing if unit in units}
        dislodged: dict[str, dict[str, list[str]]] = {}
        for unit in units:
            if unit.location in retreats or unit.location not in moved | stayed:
                dislodged.setdefault(unit.power, {})[str(unit)] = retreats.get(unit.location, [])
        convoying = _convoying(orders, units)
        told = {place: "" if code == "OK" and place in convoying else code for place, code in codes.items()}
        results = self._results(request, units, told, {str(unit) for lost in dislodged.values() for unit in lost})
        return {"results": results, "units": by_power(standing), "dislodged": dislodged}

    def retreat(self, request: Request) -> Answer:
        """Return the retreats. The engine takes standoffs and attackers, not the places where units may go."""
        units, lost = units_of(request), dislodged_of(request)
        resolved, after = self._judged(request, units, orders_of(request), lost)
        codes = {entry.province: entry.code for entry in resolved.resolutions}
        return {
            "results": self._results(request, list(lost), codes),
            "units": by_power([_read(unit) for unit in after.units if not unit.dislodged]),
        }

    def adjustment(self, request: Request) -> Answer:
        """Builds and removals."""
        resolved, after = self._judged(request, units_of(request), orders_of(request))
        codes: dict[str, list[str]] = {}
        for entry in resolved.resolutions:
            codes.setdefault(entry.province, []).append(entry.code)
        results = _each(request, lambda order: (codes.get(order.unit.location) or [""]).pop(0) if order.kind != "WAIVE" else "")
        return {"results": results, "units": by_power([_read(unit) for unit in after.units])}

    def _judged(
        self, request: Request, units: list[Unit], orders: list[Order], lost: dict[Unit, list[str]] | None = None
    ) -> tuple[Theirs, Theirs]:
        """The phase as it was resolved, and the state that comes next."""
        lost = lost or {}
        phase = request.get("phase", "movement")
        if phase != "adjustment":
            one_for_each(orders)
        season, kind = PHASES[phase]
        contested, whence = self._barred(units, lost)
        powers = {nation.id for nation in self.variant.nations}
        told = {
            "phase": {"season": season, "year": YEAR, "type": kind},
            "units": [
                *(_written(unit) for unit in units),
                *(_written(unit) | {"dislodged": True, "dislodgedFrom": whence.get(unit)} for unit in lost),
            ],
            "supplyCenters": [
                {"nation": power.lower(), "province": place}
                for power, places in request.get("centers", {}).items()
                for place in places
            ],
            "orders": [_order(order, [*units, *lost]) for order in orders if order.kind != "WAIVE"],
            "contestedProvinces": contested,
        }
        for power in {*request["units"], *request["orders"], *request.get("dislodged", ()), *request.get("centers", ())}:
            if power.lower() not in powers:
                raise Skip(f"there is no power {power}")
        state = self.serializers.deserialize_game_state(told, self.variant)
        resolved, after = self.engine.adjudicate(state)
        return resolved, after

    def _barred(self, units: list[Unit], lost: dict[Unit, list[str]]) -> tuple[list[str], dict[Unit, str]]:
        """Where nobody may retreat to, and for each dislodged unit whence it was attacked, read off the places.

        Raises `Skip` if the engine would derive other places from them.
        """
        taken = {unit.province for unit in units}
        may = {unit: {place.partition("/")[0] for place in places} for unit, places in lost.items()}
        barred = {unit: self._within_reach(unit) - taken - may[unit] for unit in lost}
        open_to_some = {place for places in may.values() for place in places}
        whence = {unit: sorted(places & open_to_some) for unit, places in barred.items()}
        if any(len(places) > 1 for places in whence.values()):
            raise Skip("the engine derives the places to which units may go, and would find others")
        contested = {place for places in barred.values() for place in places} - open_to_some
        return sorted(contested), {unit: places[0] for unit, places in whence.items() if places}

    def _within_reach(self, unit: Unit) -> set[str]:
        adjacent = self.variant.adjacencies_of(unit.location)
        return {self.variant.parent_of(one.to) for one in adjacent if one.allows(KINDS[unit.kind])}

    def _results(
        self, request: Request, units: list[Unit], codes: dict[str, str], lost: Collection[str] = ()
    ) -> dict[str, list[str]]:
        """A word for each order, or "" if the engine says nothing of it, as of one for a unit that is not there."""
        where = {(unit.power, unit.province): unit for unit in units}

        def word(order: Order) -> str:
            unit = where.get((order.power, order.unit.province))
            said = codes.get(unit.location, "") if unit else ""
            return ", ".join(part for part in (said, "dislodged" if str(unit) in lost else "") if part)

        return _each(request, word)


def _each(request: Request, word: Callable[[Order], str]) -> dict[str, list[str]]:
    """The `results` of an answer: a word for each order."""
    return {power: [word(read_order(text, power)) for text in texts] for power, texts in request["orders"].items()}


def _convoying(orders: list[Order], units: list[Unit]) -> set[str]:
    """Where fleets stand that are ordered to convoy: `OK` says that they were not dislodged, and nothing of the army."""
    return {unit.location for unit in units for order in orders if order.kind == "C" and order.unit.province == unit.province}


def _moves(order: Order, unit: Unit) -> bool:
    return order.kind == "-" and order.power == unit.power and order.unit.province == unit.province


def _written(unit: Unit) -> dict[str, Any]:
    return {"nation": unit.power.lower(), "type": KINDS[unit.kind], "location": unit.location}


def _read(unit: Theirs) -> Unit:
    return Unit(SHORT[unit.type], unit.location, unit.nation.capitalize())


def _order(order: Order, units: list[Unit]) -> dict[str, Any]:
    """Return the order in the engine's form. Raises `Skip` for an order that it cannot express."""
    if order.route:
        raise Skip("the engine has no convoy routes")
    standing = {unit.province: unit for unit in units}
    for named in (order.unit, order.other):
        there = standing.get(named.province) if named else None
        if order.kind != "B" and named and there and named.kind not in ("", there.kind):
            raise Skip("the engine is not told the kind of a unit")
    source = order.unit.location
    if order.kind == "B" and not order.unit.kind:
        raise Skip("the engine needs the kind of a unit")
    return {
        "nation": order.power.lower(),
        "source": standing[order.unit.province].location
        if order.kind in ("R", "D") and order.unit.province in standing
        else source,
        "orderType": WORDS[order.kind],
        "target": order.destination or (order.other.location if order.other else None),
        "aux": order.other.location if order.other else None,
        "unitType": KINDS.get(order.unit.kind),
        "viaConvoy": order.via,
    }


if __name__ == "__main__":
    if len(sys.argv) != 2 or not Path(sys.argv[1], "adjudicator").is_dir():
        sys.exit("usage: python diplicity_lines.py CHECKOUT/service (the folder that has `adjudicator`)")
    engine = Engine(Path(sys.argv[1]))
    serve({"movement": engine.movement, "retreat": engine.retreat, "adjustment": engine.adjustment})
