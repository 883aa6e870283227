"""Reads orders in the notation of the package `diplomacy`, and decides which of them are legal."""

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
"""Signs that cross out, question or negate an order, or a slash that is not before a coast."""
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


def read_order(game_map: Map, phase_orders: PhaseOrders, power: Power, text: str) -> tuple[str, str]:
    """Return an order in full notation (or as far as it was understood), and why it is not legal, or "" if it is."""
    unit, mine = " ".join(text.split(" ", 2)[:2]), phase_orders.orderable.get(power, ())
    phase, is_listed = phase_orders.board.phase, unit in mine and text in phase_orders.list_orders(unit)
    if is_listed and ("/" not in text or not _FORMS[phase].fullmatch(text)):  # the package has no other forms, maps do
        return text, ""
    words, problem = _sort_words(game_map, text)
    order = " ".join(words)
    if words == ["V"] and len(text.split()) == 1 and phase is Phase.ADJUSTMENT:
        return WAIVE, "" if any(WAIVE in phase_orders.list_orders(site) for site in mine) else "WAIVE NOT ALLOWED"
    form = _FORMS[phase].fullmatch(order)
    if problem or form is None:
        return order, problem or _explain_form(game_map, text)
    building = order.endswith(" B")
    subject = province_of(form["place"]) if building else _find_unit(mine, form, any_coast=phase is Phase.MOVEMENT)
    if subject not in mine:
        return order, "UNORDERABLE UNIT"
    order = order if building else _complete_order(game_map, phase_orders, subject, form)
    return order, "" if order in phase_orders.list_orders(subject) else _explain_refusal(phase_orders, power, order)


def _sort_words(game_map: Map, text: str) -> tuple[list[str], str]:
    """Return an order's words in standard sequence, without those that the package ignores, and a problem, or ""."""
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
    """Return the error for an order of unknown form, naming its unknown words if there are any."""
    words = game_map.vet(game_map.rearrange(game_map.compact(text)), strict=1)
    unknown = " ".join(word for word, kind in words if kind in (-1, -5, -7))
    return f"UNREADABLE ORDER (UNKNOWN WORDS: {unknown})" if unknown else "UNREADABLE ORDER"


def _explain_places(text: str, words: Sequence[str]) -> str:
    """Return the error for an order with several arrows or places that is not a path through seas."""
    if "A" in words or "F" in words:
        return "MORE THAN ONE ORDER"
    if words.count("-") < 2:
        return "UNREADABLE ORDER"
    is_path = len(_ARROW.findall(text)) > 1
    return "A PATH GOES OVER SEAS, WITH ` - ` BETWEEN THEM" if is_path else "MORE PLACES THAN ONE ORDER NAMES"


def _find_unit(units: Iterable[str], match: re.Match[str], prefix: str = "", *, any_coast: bool = False) -> str:
    """Return the one of `units` that a match names in groups with `prefix`, or ""; `any_coast` also allows another coast."""
    kind, place = match[f"{prefix}kind"], match[f"{prefix}place"]
    for unit in units:
        stands = unit.split()[-1]
        if province_of(stands) == province_of(place) and kind in (None, unit[0]):
            return unit if place in (stands, province_of(stands)) or (any_coast and kind) else ""
    return ""


def _complete_order(game_map: Map, phase_orders: PhaseOrders, unit: str, match: re.Match[str]) -> str:
    """Return the matched order of a unit with omitted unit kinds and coasts added, and coasts of armies removed."""
    groups, phase, goal = match.groupdict(), phase_orders.board.phase, match.groupdict().get("goal")
    if goal:
        if unit[0] == UnitKind.ARMY and phase is Phase.MOVEMENT and not groups["via"]:
            goal = province_of(goal)
        *_, goal = game_map.default_coast([*unit.split(), "-", goal])
        return f"{unit} R {goal}" if phase is Phase.RETREAT else f"{unit} - {goal}{groups['via'] or ''}"
    if phase is not Phase.MOVEMENT:
        return f"{unit} D"
    if not groups["verb"]:
        return f"{unit} H"
    helped, goal = _find_unit((str(one) for one in phase_orders.board.units), match, "its_"), groups["its_goal"]
    order = f"{unit} {groups['verb']} {helped}"
    if goal is None:
        return order
    in_full = groups["verb"] == "S" and groups["kind"] and groups["its_kind"]
    if "/" in goal and in_full and (unit[0], helped[:1]) != (UnitKind.ARMY, UnitKind.FLEET):
        *_, goal = game_map.default_coast([*helped.split(), "-", province_of(goal)])  # all coasts, or the one within reach
    return f"{order} - {goal}"


def _explain_refusal(phase_orders: PhaseOrders, power: Power, order: str) -> str:
    if phase_orders.board.phase is not Phase.MOVEMENT:
        return "ORDER NOT ALLOWED"
    try:
        board = phase_orders.board
        (entry,) = judge_orders_alone(board, power, [parse_order(order, board.map, board.phase)], phase_orders.rules)
    except NotationError as error:
        return str(error)
    return entry.reason or "ORDER NOT ALLOWED"
