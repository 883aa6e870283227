"""Read batch lines and write their answers for adapters in Python (docs/reference/batch.md), and split the words of an order.

It imports nothing of satjudge, so that an adapter runs wherever its engine is installed.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TextIO

Request = dict[str, Any]
Answer = dict[str, Any]
Judge = Callable[[Request], Answer]


class Skip(Exception):  # noqa: N818 - it is an answer, and no error
    """The engine does not judge such a position; the text says why."""


@dataclass(frozen=True)
class Unit:
    """A unit as text names it. Orders may leave its kind out, or name its power as well."""

    kind: str
    """`A`, `F`, or `""` where nothing is said."""
    location: str
    power: str = ""

    @property
    def province(self) -> str:
        """Its place without a coast."""
        return province_of(self.location)

    def __str__(self) -> str:
        return f"{self.kind} {self.location}"


@dataclass(frozen=True)
class Order:
    """An order, taken apart. `kind` is one of H, -, S, C, R, D, B and WAIVE."""

    power: str
    text: str
    kind: str
    unit: Unit
    other: Unit | None = None
    """Whom a support or convoy is for."""
    destination: str = ""
    """Where a move, a retreat, or the move that is supported or convoyed goes; of a support to hold nothing."""
    route: tuple[str, ...] = ()
    """The seas of a written convoy route."""
    via: bool = False


_UNIT = r"(?:(?P<{0}power>[A-Za-z]{{4,}}) )?(?:(?P<{0}kind>[AF]) )?(?P<{0}place>[A-Za-z]{{3}}(?:/[NESWnesw][Cc])?)"
_ORDER = re.compile(
    rf"{_UNIT.format('')} (?:(?P<word>[HDB])|R (?P<retreat>\S+)|(?P<moves>- .+)"
    rf"|(?P<help>[SC]) {_UNIT.format('other_')}(?P<helped> - .+)?)"
)


def province_of(location: str) -> str:
    """SPA of SPA/SC."""
    return location.partition("/")[0]


def read_unit(text: str, power: str = "") -> Unit:
    """`F SPA/SC`."""
    kind, location = text.split()
    return Unit(kind, location, power)


def read_order(text: str, power: str = "") -> Order:
    """An order in the compact notation, as satjudge sends it, perhaps in small letters. Raises `Skip` for other texts."""
    if text == "WAIVE":
        return Order(power, text, text, Unit("", ""))
    plain = text.removesuffix(" VIA").removesuffix(" via")
    via = plain != text
    found = _ORDER.fullmatch(plain)
    if found is None:
        raise Skip(f"the adapter does not know such an order: {text}")
    unit = _unit(found, "", power)
    if word := found["word"]:
        return Order(power, text, word, unit)
    if retreat := found["retreat"]:
        return Order(power, text, "R", unit, None, retreat, (), via)
    *route, destination = (found["moves"] or found["helped"] or " - ").strip(" -").split(" - ")
    if not found["help"]:
        return Order(power, text, "-", unit, None, destination, tuple(route), via)
    return Order(power, text, found["help"], unit, _unit(found, "other_"), destination, tuple(route), via)


def _unit(found: re.Match[str], prefix: str, power: str = "") -> Unit:
    return Unit(found[f"{prefix}kind"] or "", found[f"{prefix}place"], found[f"{prefix}power"] or power)


def units_of(request: Request) -> list[Unit]:
    """The units of a request that stand."""
    return [read_unit(text, power) for power, texts in request["units"].items() for text in texts]


def dislodged_of(request: Request) -> dict[Unit, list[str]]:
    """The dislodged units of a request, each with the places to which it may retreat."""
    told = request.get("dislodged", {})
    return {read_unit(text, power): places for power, lost in told.items() for text, places in lost.items()}


def orders_of(request: Request) -> list[Order]:
    """The orders of a request."""
    return [read_order(text, power) for power, texts in request["orders"].items() for text in texts]


def one_for_each(orders: list[Order]) -> dict[str, Order]:
    """The order for each province. Raises `Skip` if two are for the same, as most engines take only one."""
    found: dict[str, Order] = {}
    for order in orders:
        if order.unit.province in found:
            raise Skip(f"the engine takes one order for each unit; two are for {order.unit.province}")
        found[order.unit.province] = order
    return found


def by_power(units: list[Unit]) -> dict[str, list[str]]:
    """The `units` of an answer."""
    found: dict[str, list[str]] = {}
    for unit in units:
        found.setdefault(unit.power, []).append(str(unit))
    return found


def answered(line: str, phases: Mapping[str, Judge]) -> Answer:
    """The answer to a batch line by the judge of its phase. What an engine raises becomes an `error`."""
    request: Request = json.loads(line)
    answer: Answer = {"id": request.get("id")}
    phase = request.get("phase", "movement")
    try:
        if request.get("map", "standard") != "standard":
            raise Skip("only the standard map")
        if phase not in phases:
            raise Skip(f"no {phase} phases")
        return answer | phases[phase](request)
    except Skip as skip:
        return answer | {"skip": str(skip)}
    except Exception as error:  # any exception of the engine is its answer
        return answer | {"error": f"{type(error).__name__}: {error}"}


def serve(phases: Mapping[str, Judge], lines: TextIO = sys.stdin, out: TextIO = sys.stdout) -> None:
    """Answer each line before the next is read."""
    for line in lines:
        print(json.dumps(answered(line, phases)), file=out, flush=True)
