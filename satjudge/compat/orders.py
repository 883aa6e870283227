"""Reads orders as the package `diplomacy` reads them, and decides which of them are legal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from satjudge.base.errors import NotationError
from satjudge.judging.legal_orders import PhaseOrders
from satjudge.judging.legality import judge_orders_alone
from satjudge.notation.parse import parse_order
from satjudge.notation.text_around_orders import is_uncertain
from satjudge.world.board import Phase
from satjudge.world.geography import Power, UnitKind, province_of

if TYPE_CHECKING:
    from satjudge.compat.diplomacy.engine.map import Map

WAIVE = "WAIVE"
_STRUCK_OUT = re.compile(
    "~~|[?]|!(?:=|.*[\\w-])|<!|/(?!\\s*[NSEW]C?\\b)|[\\[(]\\s*[\\])]|[\u0334-\u0338↛⇏⇎❌✗✘👎🗑🚫]", re.IGNORECASE
)
"""Signs that strike out, doubt or deny an order, and a slash that is not before a coast."""
_COAST = r"([NSEW])(?:C|(?:ORTH|OUTH|AST|EST)(?:ERN)?(?: COAST)?)\b"
_TWO_COASTS = re.compile(rf"\b{_COAST}\W*(?:(?:OR|AND)\W+)?\b(?!\1){_COAST}", re.IGNORECASE)
_ARROW = re.compile(r"-+|>|\bTO\b", re.IGNORECASE)
_UNIT, _OTHER = r"(?:(?P<kind>[AF]) )?(?P<place>\S\S+)", r"(?:(?P<its_kind>[AF]) )?(?P<its_place>\S\S+)"
_FORMS = {
    Phase.MOVEMENT: re.compile(
        rf"{_UNIT} (?:H|- (?P<goal>\S+)(?P<via> VIA)?|(?P<verb>[SC])(?: H)* {_OTHER}(?: - (?P<its_goal>\S+))?(?: H)*)(?: [=_])*"
    ),
    Phase.RETREAT: re.compile(rf"{_UNIT} (?:D|R|(?:-|R|R -|- R) (?P<goal>\S+))"),
    Phase.ADJUSTMENT: re.compile(rf"{_UNIT} (?P<verb>[BD])"),
}


def read_order(game_map: Map, now: PhaseOrders, power: Power, text: str) -> tuple[str, str]:
    """Return an order in full, or as far as it could be read, and its problem; "" if it is legal."""
    unit, mine = " ".join(text.split(" ", 2)[:2]), now.orderable.get(power, ())
    phase, is_listed = now.board.phase, unit in mine and text in now.list_orders(unit)
    if is_listed and ("/" not in text or not _FORMS[phase].fullmatch(text)):  # the package has no other forms, maps do
        return text, ""
    words, problem = _sort_words(game_map, text)
    order = " ".join(words)
    if words == ["V"] and len(text.split()) == 1 and phase is Phase.ADJUSTMENT:
        return WAIVE, "" if any(WAIVE in now.list_orders(site) for site in mine) else "WAIVE NOT ALLOWED"
    form = _FORMS[phase].fullmatch(order)
    if problem or form is None:
        return order, problem or _explain_form(game_map, text)
    building = order.endswith(" B")
    what = province_of(form["place"]) if building else _find_unit(mine, form, anywhere=phase is Phase.MOVEMENT)
    if what not in mine:
        return order, "UNORDERABLE UNIT"
    order = order if building else _complete_order(game_map, now, what, form)
    return order, "" if order in now.list_orders(what) else _explain_refusal(now, power, order)


def _sort_words(game_map: Map, text: str) -> tuple[list[str], str]:
    """Return an order's words in the sequence in which they are read, and the problem if they are uncertain, else ""."""
    words = game_map.rearrange(game_map.compact(text))
    kinds = dict(game_map.vet(words, strict=1))
    goal = "" if "-" in words else text.upper().partition("-")[2]  # of a move, or of a support that is none to hold
    unknown = [word for word, kind in kinds.items() if kind == -3 or (kind == -1 and word in goal.split())]
    beside = " ".join([*(word for word in words if kinds[word] == -1), *unknown])  # the package ignores these words
    problems = ["AN ORDER THAT IS LEFT OPEN"] * (is_uncertain(beside) or bool(_STRUCK_OUT.search(text)))
    problems += ["MORE THAN ONE COAST"] * bool(_TWO_COASTS.search(text)) + [f"UNKNOWN PLACE {word}" for word in unknown]
    words = [word for word in words if kinds[word] not in (1, -1, -5, -7)]
    between, written = words.count("-"), text.split().count("-")
    if between > 1 or written > 1:
        first, last = words.index("-") if between else 0, len(words) - 1 - words[::-1].index("-") if between else 0
        if min(between, written) < 2 or any(game_map.area_type(one) != "WATER" for one in words[first + 1 : last : 2]):
            return words, [*problems, _explain_places(text, words[first:])][0]
        words = [*words[: first + 1], *words[last + 1 :], *["VIA"] * (words[-1] != "VIA")]
    return words, next(iter(problems), "")


def _explain_form(game_map: Map, text: str) -> str:
    """Explain that an order has no known form, with the words of it that are unknown."""
    words = game_map.vet(game_map.rearrange(game_map.compact(text)), strict=1)
    unknown = " ".join(word for word, kind in words if kind in (-1, -5, -7))
    return f"UNREADABLE ORDER (UNKNOWN WORDS: {unknown})" if unknown else "UNREADABLE ORDER"


def _explain_places(text: str, goals: Sequence[str]) -> str:
    """Return why an order with several places or arrows is not a path over seas."""
    if "A" in goals or "F" in goals:
        return "MORE THAN ONE ORDER"
    if goals.count("-") < 2:
        return "UNREADABLE ORDER"
    is_path = len(_ARROW.findall(text)) > 1
    return "A PATH GOES OVER SEAS, WITH ` - ` BETWEEN THEM" if is_path else "MORE PLACES THAN ONE ORDER NAMES"


def _find_unit(units: Iterable[str], form: re.Match[str], its: str = "", *, anywhere: bool = False) -> str:
    """Return the unit that a matched order names, or ""; if `anywhere`, also one on another coast if its kind is named."""
    kind, place = form[f"{its}kind"], form[f"{its}place"]
    for unit in units:
        stands = unit.split()[-1]
        if province_of(stands) == province_of(place) and kind in (None, unit[0]):
            return unit if place in (stands, province_of(stands)) or (anywhere and kind) else ""
    return ""


def _complete_order(game_map: Map, now: PhaseOrders, unit: str, form: re.Match[str]) -> str:
    """Return an order with the unit kinds and coasts that it omits, and without coasts for armies."""
    named, phase, goal = form.groupdict(), now.board.phase, form.groupdict().get("goal")
    if goal:
        if unit[0] == UnitKind.ARMY and phase is Phase.MOVEMENT and not named["via"]:
            goal = province_of(goal)
        *_, goal = game_map.default_coast([*unit.split(), "-", goal])
        return f"{unit} R {goal}" if phase is Phase.RETREAT else f"{unit} - {goal}{named['via'] or ''}"
    if phase is not Phase.MOVEMENT:
        return f"{unit} D"
    if not named["verb"]:
        return f"{unit} H"
    helped, goal = _find_unit((str(one) for one in now.board.units), form, "its_"), named["its_goal"]
    order = f"{unit} {named['verb']} {helped}"
    if goal is None:
        return order
    in_full = named["verb"] == "S" and named["kind"] and named["its_kind"]
    if "/" in goal and in_full and (unit[0], helped[:1]) != (UnitKind.ARMY, UnitKind.FLEET):
        *_, goal = game_map.default_coast([*helped.split(), "-", province_of(goal)])  # all coasts, or the one within reach
    return f"{order} - {goal}"


def _explain_refusal(now: PhaseOrders, power: Power, order: str) -> str:
    if now.board.phase is not Phase.MOVEMENT:
        return "ORDER NOT ALLOWED"
    try:
        (entry,) = judge_orders_alone(now.board, power, [parse_order(order, now.board.map, now.board.phase)], now.rules)
    except NotationError as error:
        return str(error)
    return entry.reason or "ORDER NOT ALLOWED"
