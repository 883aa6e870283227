"""The adjudicator of johnpooch/diplomacy, asked by batch lines in movement phases; its answers are positions.

    python johnpooch_lines.py CHECKOUT KIT/maps/standard.json

Each question contains the map, here that of the packaged kit.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[1] / "shared"))

from batch_lines import Answer, Order, Request, Skip, Unit, by_power, one_for_each, orders_of, province_of, serve, units_of

sys.path.append(sys.argv[1])
from adjudicator import process_game_state  # of the checkout

PROVINCES: list[dict[str, Any]] = json.loads(Path(sys.argv[2]).read_text(encoding="utf-8"))["provinces"]
POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
KINDS = {"A": "army", "F": "fleet"}
TYPES = {"inland": "inland", "coast": "coastal", "sea": "sea"}
WORDS = {"H": "hold", "-": "move", "S": "support", "C": "convoy"}
BY_CODE = {province["code"]: province for province in PROVINCES}


def reached(province: dict[str, Any]) -> set[str]:
    """The provinces that a fleet reaches from any coast of a province."""
    return {province_of(place) for places in province["fleet"].values() for place in places}


def territory(province: dict[str, Any]) -> dict[str, Any]:
    """A province in the engine's form."""
    beside = {*province["army"], *reached(province)}
    shared = sorted(code for code in beside & reached(province) if BY_CODE[code]["kind"] == "coast")
    return {
        "id": province["code"],
        "type": TYPES[province["kind"]],
        "name": province["name"],
        "neighbours": sorted(beside),
        "shared_coasts": shared if province["kind"] == "coast" else [],
        "supply_center": province["center"],
    }


TERRITORIES = [territory(province) for province in PROVINCES]
COASTS = [
    {"id": place, "name": place, "parent": province["code"], "neighbours": sorted({*map(province_of, beside)})}
    for province in PROVINCES
    if len(province["fleet"]) > 1
    for place, beside in province["fleet"].items()
]


def coast(place: str) -> str | None:
    """The named coast of a place, if it is one."""
    return place if "/" in place else None


def by_convoy(order: Order, kind: str) -> bool:
    """Return whether a move is by convoy: the engine also requires this for an army's move without a border."""
    return order.via or (kind == "A" and province_of(order.destination) not in BY_CODE[order.unit.province]["army"])


def order_told(number: int, order: Order, kinds: dict[str, str]) -> dict[str, Any]:
    """An order as the engine reads it."""
    if order.route:
        raise Skip("it takes no routes of convoys")
    told = {"id": number, "type": WORDS[order.kind], "nation": order.power, "source": order.unit.province}
    if order.kind == "-":
        kind = kinds.get(order.unit.province, "")
        told["target"], told["via_convoy"] = province_of(order.destination), by_convoy(order, kind)
        told["target_coast"] = coast(order.destination) if kind == "F" else None
    elif order.other:
        told |= {"aux": order.other.province, "target": province_of(order.destination) or order.other.province}
    return told


def movement(request: Request) -> Answer:
    """Where units stand after the moves."""
    units, orders = units_of(request), one_for_each(orders_of(request))
    kinds = {unit.province: unit.kind for unit in units}
    pieces = [
        {
            "id": number,
            "type": KINDS[unit.kind],
            "nation": unit.power,
            "territory": unit.province,
            "named_coast": coast(unit.location),
        }
        for number, unit in enumerate(units)
    ]
    asked = {
        "id": 1,
        "phase": "order",
        "season": "spring",
        "year": 1901,
        "territories": TERRITORIES,
        "named_coasts": COASTS,
        "nations": [{"id": power, "name": power} for power in POWERS],
        "pieces": pieces,
        "orders": [order_told(number, order, kinds) for number, order in enumerate(orders.values())],
    }
    told = process_game_state(json.loads(json.dumps(asked)))
    dislodged = {piece["id"] for piece in told["pieces"] if piece["dislodged"]}
    moved = {order["id"] for order in told["orders"] if order["outcome"] == "succeeds" and not order["illegal"]}
    moves = [(number, order) for number, order in enumerate(orders.values()) if order.kind == "-"]
    targets = {order.unit.province: order.destination for number, order in moves if number in moved}
    after = [
        Unit(unit.kind, place if unit.kind == "F" else province_of(place), unit.power)
        for number, unit in enumerate(units)
        if number not in dislodged
        for place in [targets.get(unit.province, unit.location)]
    ]
    return {"units": by_power(after)}


serve({"movement": movement})
