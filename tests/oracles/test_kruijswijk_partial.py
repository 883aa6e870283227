"""The independent oracle, on cases of DATC 3.2 chapter 6 and a few of our own.

Most are in kruijswijk_partial.txt. Each order has the verdict that the rules give it, `"A PAR - BUR: succeeds"`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from satjudge.oracles.kruijswijk_partial import judge
from satjudge.oracles.oracle import Answer
from satjudge.world.board import Board, Unit
from satjudge.world.geography import UnitKind
from satjudge.world.orders import Convoy, Hold, Move, MovementOrder, Named, SupportHold, SupportMove

NAMED = re.compile(r"(?:([AF]) )?(\S+)")


def named(text: str) -> Named:
    match = NAMED.fullmatch(text)
    assert match, text
    return Named(UnitKind(match[1]) if match[1] else None, match[2])


def order(text: str) -> MovementOrder:
    """The order in compact notation: `A PAR H`, `A PAR - BUR`, `F BRE S A PAR - PIC`, `F ENG C A BRE - LON`, …"""
    text, via = text.removesuffix(" VIA"), text.endswith(" VIA")
    unit, verb, rest = re.split(r" (H|-|S|C)(?: |$)", text, maxsplit=1)
    object_, _, destination = rest.partition(" - ")
    match verb:
        case "H":
            return Hold(named(unit))
        case "-":
            return Move(named(unit), rest, via)
        case "S" if destination:
            return SupportMove(named(unit), named(object_), destination)
        case "S":
            return SupportHold(named(unit), named(object_))
        case _:
            return Convoy(named(unit), named(object_), destination)


def units_in(orders: Sequence[MovementOrder], power: str) -> dict[str, Unit]:
    """The units that the orders name, where the orders name them."""
    return {
        entry.unit.province: Unit(power, entry.unit.kind, entry.unit.location) for entry in reversed(orders) if entry.unit.kind
    }


def check(*, units: Sequence[str] = (), **powers: Sequence[str]) -> Answer:
    """Judge the orders and compare the verdicts. `units` are further units or other ones than the orders name."""
    orders: dict[str, list[MovementOrder]] = {}
    verdicts: dict[str, list[str]] = {}
    board: dict[str, Unit] = {}
    for power, entries in powers.items():
        texts = [re.fullmatch(r"(.+): (.+)", entry) for entry in entries]
        orders[power.upper()] = [order(match[1]) for match in texts if match]
        verdicts[power.upper()] = [match[2] for match in texts if match]
        board.update(units_in(orders[power.upper()], power.upper()))
    for entry in units:
        power, kind, location = entry.split()
        unit = Unit(power, UnitKind(kind), location)
        board[unit.province] = unit
    answer = judge(Board(tuple(board.values())).ensure_possible(), orders)
    assert answer.verdicts == verdicts
    return answer


def read_cases() -> Iterator[Any]:
    """Iterate over the cases of kruijswijk_partial.txt, as the arguments of `check`."""
    text = Path(__file__).with_name("kruijswijk_partial.txt").read_text(encoding="utf-8")
    for number, block in enumerate(re.split(r"^case ?", text, flags=re.MULTILINE)[1:], 1):
        name, *rows = (row for row in block.splitlines() if not row.startswith("#"))
        parts = (row.strip().split(": ", 1) for row in rows)
        yield pytest.param({who.lower(): re.split("; |, (?=[A-Z])", said) for who, said in parts}, id=f"{number} {name}")


@pytest.mark.parametrize("case", list(read_cases()))
def test_case(case: dict[str, list[str]]) -> None:
    check(**case)


def test_6_B_coasts_of_moves() -> None:
    check(france=["F POR - SPA: illegal"])  # 6.B.1
    assert check(france=["F GAS - SPA: succeeds"]).units == {"FRANCE": ["F SPA/NC"]}  # 6.B.2
    check(france=["F GAS - SPA/SC: illegal"])  # 6.B.3
    assert check(france=["A GAS - SPA/NC: succeeds"]).units == {"FRANCE": ["A SPA"]}  # 6.B.12
    check(france=["F SPA/NC - LYO: succeeds"], units=["FRANCE F SPA/SC"])  # 6.B.10
    check(france=["F SPA/SC - LYO: illegal"], units=["FRANCE F SPA/NC"])  # 6.B.11
    assert check(france=["F MAO - SPA/WC: illegal", "F ENG - BRE/EC: succeeds"]).units["FRANCE"] == ["F BRE", "F MAO"]
    check(france=["F ENG - BRE/EC VIA: illegal"])  # 6.A.7
    check(turkey=["F BUL/SC - CON: fails", "F CON - BUL/EC: fails"])  # 6.B.13


@pytest.mark.parametrize(("coast", "verdict"), [("", "given"), ("/NC", "given"), ("/SC", "invalid"), ("/WC", "given")])
def test_6_B_coasts_of_supports(coast: str, verdict: str) -> None:
    """4.B.4: without a coast, or with one that does not exist, a support is good for both."""
    check(
        france=[f"F POR S F MAO - SPA{coast}: {verdict}", "F MAO - SPA/NC: fails"],
        italy=[
            "F LYO S F WES - SPA/SC: given",
            "F WES - SPA/SC: succeeds" if verdict == "invalid" else "F WES - SPA/SC: fails",
        ],
    )


def test_6_C_circular_movement_with_convoys() -> None:
    convoys = [f"F {sea} C A BUL - TRI" for sea in ("AEG", "ION", "ADR")]
    check(
        austria=["A TRI - SER: succeeds", "A SER - BUL: succeeds"],
        turkey=["A BUL - TRI: succeeds", *(f"{convoy}: available" for convoy in convoys)],
        italy=["F NAP - ION: fails"],
    )  # 6.C.4
    check(
        austria=["A TRI - SER: fails", "A SER - BUL: fails"],
        turkey=[
            "A BUL - TRI: fails",
            f"{convoys[0]}: available",
            f"{convoys[1]}: disrupted, dislodged",
            f"{convoys[2]}: available",
        ],
        italy=["F NAP - ION: succeeds", "F TUN S F NAP - ION: given"],
    )  # 6.C.5
    check(
        england=["F NTH C A LON - BEL: available", "A LON - BEL: succeeds"],
        france=["F ENG C A BEL - LON: available", "A BEL - LON: succeeds"],
    )  # 6.C.6
    check(
        england=["F NTH C A LON - BEL: available", "A LON - BEL: fails"],
        france=["F ENG C A BEL - LON: available", "A BEL - LON: fails", "A BUR - BEL: fails"],
    )  # 6.C.7


@pytest.mark.parametrize("dislodged", [False, True])
def test_6_E_4_and_5_a_loser_that_the_winner_does_not_dislodge_still_has_effect(dislodged: bool) -> None:
    check(
        germany=["F HOL - NTH: fails", "F HEL S F HOL - NTH: given", "F SKA S F HOL - NTH: given"],
        france=["F NTH - HOL: fails" + ", dislodged" * dislodged, "F BEL S F NTH - HOL: given"],
        england=[
            "F EDI S F NWG - NTH: given",
            "F YOR S F NWG - NTH: given",
            "F NWG - NTH: succeeds" if dislodged else "F NWG - NTH: fails",
            *(["F LON S F NWG - NTH: given"] if dislodged else []),
        ],
        austria=["A KIE S A RUH - HOL: given", "A RUH - HOL: fails"],
    )


def test_6_E_7_to_10_beleaguered_garrison() -> None:
    attack = ["F SKA S F NWY - NTH: given"]
    rival = ["F HOL S F HEL - NTH: given", "F HEL - NTH: fails"]
    yorkshire = "F YOR S F NWY - NTH: given"
    check(england=["F NTH H: stands", yorkshire], germany=rival, russia=[*attack, "F NWY - NTH: fails"])  # 6.E.7
    check(england=["F NTH - NWY: fails", yorkshire], germany=rival, russia=[*attack, "F NWY - NTH: fails"])  # 6.E.8
    check(england=["F NTH - NWG: succeeds", yorkshire], germany=rival, russia=[*attack, "F NWY - NTH: succeeds"])  # 6.E.9
    check(
        england=["F NTH - DEN: fails", yorkshire],
        germany=[*rival, "F DEN - HEL: fails"],
        russia=[*attack, "F NWY - NTH: fails"],
    )  # 6.E.10


def test_6_F_disrupted_convoys() -> None:
    answer = check(
        england=["F NTH C A LON - HOL: disrupted, dislodged", "A LON - HOL: fails"],
        germany=["F HEL S F SKA - NTH: given", "F SKA - NTH: succeeds"],
    )  # 6.F.7: Holland is not contested
    assert "HOL" in answer.dislodged["ENGLAND"]["F NTH"]
    check(
        england=["F NTH C A LON - HOL: disrupted, dislodged", "A LON - HOL: fails"],
        germany=["F HEL S F SKA - NTH: given", "F SKA - NTH: succeeds", "A BEL - HOL: succeeds"],
    )  # 6.F.8
    check(
        england=[
            "F ENG C A LON - BEL: disrupted, dislodged",
            "F NTH C A LON - BEL: available",
            "A LON - BEL: succeeds",
        ],
        france=["F BRE S F MAO - ENG: given", "F MAO - ENG: succeeds"],
    )  # 6.F.9
    check(
        england=["A LON - BEL: fails", "F ENG C A LON - BEL: disrupted, dislodged", "F NTH S A LON - BEL: given"],
        france=["F BEL - ENG: succeeds", "F BRE S F BEL - ENG: given"],
    )  # 6.F.30


@pytest.mark.parametrize("butterfly", [False, True])
def test_6_F_28_and_29_sixth_order_paradox(butterfly: bool) -> None:
    """One support in Portugal has effect as far as the Gulf of Bothnia."""
    move = ": fails" if butterfly else ": succeeds"
    support = ": cut" if butterfly else ": given"
    dislodged = ": available" if butterfly else ": disrupted, dislodged"
    destroyed = ": available" if butterfly else ": disrupted, destroyed"
    check(
        russia=[
            "F FIN - BOT" + move,
            "F STP/SC S F FIN - BOT" + support,
            "F PRU - BAL" + move,
            "F SWE S F PRU - BAL" + support,
            "F SKA - NTH" + move,
            "F DEN S F SKA - NTH" + support,
            "F NWY - NWG" + move,
            "F CLY S F NWY - NWG" + support,
        ],
        germany=[
            "A LVN - SWE: fails",
            "F BOT C A LVN - SWE" + destroyed,
            "A BER - DEN: fails",
            "F BAL C A BER - DEN" + dislodged,
            "A HOL - LON: fails",
            "F NTH C A HOL - LON" + dislodged,
            "A BEL - BRE: fails",
            "F ENG C A BEL - BRE" + dislodged,
        ],
        england=[
            "F WAL - ENG" + move,
            "F LON S F WAL - ENG" + support,
            "A NAF - CLY: fails",
            "F MAO C A NAF - CLY" + dislodged,
            "F NAO C A NAF - CLY: available",
            "A EDI - STP: fails",
            "F NWG C A EDI - STP" + destroyed,
            "F BAR C A EDI - STP: available",
            *(["F POR S F MAO: given"] if butterfly else []),
        ],
        france=["F SPA/NC - MAO" + move, "F BRE S F SPA/NC - MAO" + support],
    )


def test_6_G_10_to_15_bounces_by_convoy() -> None:
    french = ["F NWG - NWY: fails", "F NTH S F NWG - NWY: given"]
    supports = ["F DEN S A NWY - SWE: given", "F FIN S A NWY - SWE: given"]
    check(
        england=["A NWY - SWE VIA: succeeds", *supports],
        germany=["F SKA C A NWY - SWE: available"],
        russia=["A SWE - NWY: fails, destroyed", "F BAR S A SWE - NWY: given"],
        france=french,
    )  # 6.G.10
    check(
        england=["F NWY S F NTH - SKA: given", "F NTH - SKA: succeeds"],
        russia=["A SWE - NWY: fails", "F SKA C A SWE - NWY: disrupted, dislodged", "F BAR S A SWE - NWY: given"],
    )  # 6.G.11
    check(
        england=["A NWY - SWE: succeeds", *supports],
        germany=["F SKA C A SWE - NWY: available"],
        russia=["A SWE - NWY VIA: fails, destroyed", "F BAR S A SWE - NWY: given"],
        france=french,
    )  # 6.G.14
    check(
        england=[
            "F NTH C A LON - BEL: available",
            "A HOL S A LON - BEL: given",
            "A YOR - LON: fails",
            "A LON - BEL: succeeds",
        ],
        france=["F ENG C A BEL - LON: available", "A BEL - LON: fails, dislodged"],
    )  # 6.G.15


def test_6_G_16_to_18_never_two_units_in_one_province() -> None:
    russian = "F NWG S A SWE - NWY: given"
    supports = ["A DEN S A NWY - SWE: given", "F BAL S A NWY - SWE: given", "F NTH - NWY: fails"]
    check(
        england=["A NWY - SWE: succeeds", *supports],
        russia=["A SWE - NWY VIA: succeeds", "F SKA C A SWE - NWY: available", russian],
    )  # 6.G.16
    check(
        england=["A NWY - SWE VIA: succeeds", *supports, "F SKA C A NWY - SWE: available"],
        russia=["A SWE - NWY: succeeds", russian],
    )  # 6.G.17
    check(
        england=[
            "F NTH C A LON - BEL: available",
            "A HOL S A LON - BEL: given",
            "A YOR - LON: fails",
            "A LON - BEL: succeeds",
            "A RUH S A LON - BEL: given",
        ],
        france=["F ENG C A BEL - LON: available", "A BEL - LON: succeeds", "A WAL S A BEL - LON: given"],
    )  # 6.G.18


def test_6_H_where_a_dislodged_unit_may_retreat() -> None:
    vienna = check(
        austria=["A BUD S A TRI - VIE: given", "A TRI - VIE: succeeds"],
        germany=["A MUN - BOH: fails", "A SIL - BOH: fails"],
        italy=["A VIE H: dislodged"],
    )  # 6.H.6: neither to Bohemia, which is contested, nor to Trieste, from where it was attacked
    assert vienna.dislodged == {"ITALY": {"A VIE": ["GAL", "TYR"]}}
    kiel = check(
        england=["F HEL - KIE: succeeds", "F DEN S F HEL - KIE: given"],
        germany=["A BER - PRU: succeeds", "F KIE H: dislodged", "A SIL S A BER - PRU: given"],
        russia=["A PRU - BER: fails, dislodged"],
    )  # 6.H.9: Berlin is not contested, but it is from where Prussia was attacked
    assert kiel.dislodged == {"GERMANY": {"F KIE": ["BAL", "BER", "HOL"]}, "RUSSIA": {"A PRU": ["LVN", "WAR"]}}
    assert kiel.units == {"ENGLAND": ["F DEN", "F KIE"], "GERMANY": ["A PRU", "A SIL"]}
    marseilles = check(
        france=[
            "A GAS - MAR VIA: succeeds",
            "A BUR S A GAS - MAR: given",
            *(f"F {sea} C A GAS - MAR: available" for sea in ("MAO", "WES", "LYO")),
        ],
        italy=["A MAR H: dislodged"],
    )  # 6.H.11: a convoyed attacker did not come over the border
    assert marseilles.dislodged == {"ITALY": {"A MAR": ["GAS", "PIE", "SPA"]}}
    portugal = check(
        england=["F POR H: destroyed"], france=["F SPA/SC - POR: succeeds", "F MAO S F SPA/SC - POR: given"]
    )  # 6.H.15: not to the other coast of Spain either
    assert portugal.dislodged == {"ENGLAND": {"F POR": []}}
    assert portugal.units == {"FRANCE": ["F MAO", "F POR"]}


def test_6_H_16_a_province_is_contested_for_both_its_coasts() -> None:
    answer = check(
        france=["F MAO - SPA/NC: fails", "F GAS - SPA/NC: fails", "F WES H: dislodged"],
        italy=["F TUN S F TYS - WES: given", "F TYS - WES: succeeds"],
    )
    assert answer.dislodged == {"FRANCE": {"F WES": ["LYO", "NAF"]}}


def test_units_without_orders_hold() -> None:
    answer = check(france=["A PAR - BUR: fails"], units=["GERMANY A BUR", "ITALY F NAP"])
    assert answer.units == {"FRANCE": ["A PAR"], "GERMANY": ["A BUR"], "ITALY": ["F NAP"]}


# fmt: off
RING = [
    "KIE", "DEN", "SWE", "FIN", "NWY", "STP", "LVN", "MOS", "SEV", "UKR", "WAR", "PRU", "BER", "SIL", "BOH",
    "GAL", "VIE", "BUD", "RUM", "BUL", "GRE", "ALB", "SER", "TRI", "TYR", "MUN", "RUH", "BUR", "BEL", "HOL",
]
# fmt: on


def test_a_ring_of_thirty_moves() -> None:
    moves = [f"A {origin} - {destination}" for origin, destination in zip(RING, [*RING[1:], RING[0]], strict=True)]
    check(turkey=[f"{move}: succeeds" for move in moves])
    check(turkey=[f"{move}: fails" for move in moves], france=["A PIC - BEL: fails"])


def test_twelve_fleets_and_a_paradox_at_the_end() -> None:
    seas = ["AEG", "EAS", "ION", "TYS", "WES", "MAO", "ENG", "NTH", "NAO", "NWG"]
    check(
        turkey=["A SMY - STP: fails", *(f"F {sea} C A SMY - STP: available" for sea in seas)],
        france=["F IRI C A SMY - STP: illegal"],  # the Mid-Atlantic leads to the North Atlantic without it
        england=["F BAR C A SMY - STP: disrupted, destroyed"],
        russia=["F STP/NC S F NWY - BAR: given", "F NWY - BAR: succeeds"],
    )
