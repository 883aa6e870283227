"""The independent oracle, on cases of DATC 3.2 chapter 6 and a few of our own.

Each order is written with the verdict that the rules give it, `"A PAR - BUR: succeeds"`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

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


# ---------------------------------------------------------------- what is legal


def test_6_A_illegal_orders() -> None:
    check(
        england=["F NTH C A YOR - YOR: illegal", "A YOR - YOR: illegal, dislodged", "A LVP S A YOR - YOR: illegal"],
        germany=["F LON - YOR: succeeds", "A WAL S F LON - YOR: given"],
    )  # 6.A.5
    check(england=["F LON - BEL: illegal", "F NTH C A LON - BEL: illegal"])  # 6.A.7
    check(
        italy=["A VEN - TRI: succeeds", "A TYR S A VEN - TRI: given"],
        austria=["F TRI S F TRI: illegal, dislodged"],
    )  # 6.A.8
    check(italy=["F ROM S A APU - VEN: illegal", "A APU - VEN: fails"], austria=["A VEN H: stands"])  # 6.A.10
    check(germany=["F LON - NTH: illegal", "A LON H: illegal"], units=["ENGLAND F LON"])  # 6.A.6
    check(england=["A LVP S A LVP - YOR: illegal", "F NTH S F ENG: illegal", "F IRI C A WAL - LON: illegal"])


def test_an_illegal_order_is_ignored_and_the_unit_holds() -> None:
    check(
        austria=["A BUD S F RUM: given"],
        russia=["F RUM - BUL/SC: illegal"],
        turkey=["F BLA - RUM: fails", "A BUL S F BLA - RUM: given"],
    )  # 6.D.29
    check(
        england=["F EDI S A LVP - YOR: given", "A LVP - YOR: fails"],
        france=["F LON S A YOR: given"],
        germany=["A YOR - HOL: illegal"],
    )  # 6.D.32


def test_the_first_legal_order_counts() -> None:
    """4.D.3: and only a unit without any legal order is told in its illegal ones that it is dislodged."""
    check(
        germany=["A HOL - BUR: illegal", "A HOL S F KIE: given", "A HOL - BEL: illegal", "F KIE H: stands"],
        england=["F DEN - KIE: fails", "F HEL S F DEN - KIE: given"],
    )
    check(
        germany=["A MUN - LON: illegal", "A MUN H: dislodged", "A MUN - KIE: illegal"],
        france=["A BUR - MUN: succeeds", "A RUH S A BUR - MUN: given"],
    )
    check(
        germany=["A MUN - LON: illegal, dislodged", "A MUN - NTH: illegal, dislodged"],
        france=["A BUR - MUN: succeeds", "A RUH S A BUR - MUN: given", "A MUN H: illegal"],
        units=["GERMANY A MUN"],
    )


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


def test_a_support_is_for_a_coast_that_can_be_reached() -> None:
    check(france=["F POR S F GAS - SPA/SC: illegal", "F GAS - SPA: succeeds"])
    check(france=["F POR S F GAS - SPA/NC: given", "F GAS - SPA: succeeds"])
    check(france=["F SPA/NC S F MAR - LYO: illegal", "F MAR - LYO: fails"], italy=["F LYO H: stands"])  # 6.B.5
    check(france=["F MAR S F GAS - SPA/NC: given", "F GAS - SPA/NC: succeeds"])  # 6.B.4
    check(
        italy=["A PRU S A LVN - PRU: illegal, destroyed"],
        germany=["A BER - PRU: succeeds", "A SIL S A BER - PRU: given", "F BAL S A BER - PRU: given"],
        russia=["A WAR S A LVN - PRU: given", "A LVN - PRU: fails"],
    )  # 6.D.34


def test_stated_kind_and_power_are_forgiven() -> None:
    """4.C: but an army that is to be convoyed must be one."""
    check(
        england=["NTH C F LON - BEL: available", "A ENG S F LON - BEL: given", "LON - BEL: succeeds"],
        france=["A BEL H: dislodged"],
        units=["ENGLAND A LON", "ENGLAND F NTH", "ENGLAND F ENG"],
    )


def test_6_D_31_a_fleet_cannot_support_the_army_that_needs_it_for_a_convoy() -> None:
    check(austria=["A RUM - ARM: invalid"], turkey=["F BLA S A RUM - ARM: illegal"])
    check(england=["F ENG S A LON - BEL: given", "A LON - BEL: invalid", "F NTH H: stands"])
    check(italy=["F ADR S A VEN - TRI: given", "A VEN - TRI VIA: invalid"])


def test_a_convoy_is_on_a_proper_route() -> None:
    check(
        england=["F ENG C A LON - BEL: available", "A LON - BEL: succeeds", "F IRI C A LON - BEL: illegal, dislodged"],
        france=["F NAO S F MAO - IRI: given", "F MAO - IRI: succeeds"],
    )  # 6.F.12
    check(
        turkey=["A GRE - SEV: illegal", "F AEG C A GRE - SEV: illegal", "F CON C A GRE - SEV: illegal"],
        russia=["F BLA C A GRE - SEV: illegal"],
    )  # 6.F.1
    check(
        italy=["A TUN - ALB: succeeds", "F ION C A TUN - ALB: available", "F ADR C A TUN - ALB: illegal"],
    )  # 4.E.1
    check(turkey=["A BUL - SEV: succeeds", "F BLA C A BUL - SEV: available"])  # 6.B.18


def test_a_legal_order_that_matches_nothing_is_invalid() -> None:
    check(
        germany=["A BER S A PRU - SIL: invalid", "F KIE S A BER: given"],
        russia=["F BAL S A PRU - BER: given", "A PRU - BER: fails"],
    )  # 6.D.26
    check(
        austria=["F ION H: stands", "A SER S A ALB - GRE: given", "A ALB - GRE: succeeds"],
        turkey=["A GRE - NAP: invalid, destroyed", "A BUL S A GRE: invalid"],
    )  # 6.D.8
    check(
        germany=["A BER H: stands"],
        england=["F SWE - BAL: fails", "F DEN S F SWE - BAL: given"],
        russia=["F BAL C A BER - LVN: invalid", "F PRU S F BAL: given"],
    )  # 6.D.27
    check(
        italy=["A VEN - TRI: succeeds", "A TYR S A VEN - TRI: given"],
        austria=["A ALB S A TRI - SER: invalid", "A TRI H: dislodged"],
    )  # 6.D.9
    check(england=["F ENG C A LON - BRE: invalid", "F NTH S A LON - BEL: given", "A LON - BEL: invalid"])


# ---------------------------------------------------------------- circular movement


def test_6_C_circular_movement() -> None:
    check(turkey=["F ANK - CON: succeeds", "A CON - SMY: succeeds", "A SMY - ANK: succeeds"])  # 6.C.1
    check(
        turkey=["F ANK - CON: succeeds", "A SMY - ANK: succeeds", "A BUL S F ANK - CON: given"],
        italy=["A CON - SMY: succeeds"],
    )  # 6.C.2
    check(turkey=["F ANK - CON: fails", "A CON - SMY: fails", "A SMY - ANK: fails", "A BUL - CON: fails"])  # 6.C.3


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


def test_6_C_no_self_dislodgment_in_circular_movement() -> None:
    check(
        turkey=["F CON - BLA: fails", "A BUL - CON: fails", "A SMY S A BUL - CON: given"],
        russia=["F BLA - BUL/EC: fails"],
        austria=["A SER - BUL: fails"],
    )  # 6.C.8
    check(
        turkey=["F CON - BLA: fails", "A SMY S A BUL - CON: given"],
        russia=["F BLA - BUL/EC: fails"],
        austria=["A SER - BUL: fails", "A BUL - CON: fails"],
    )  # 6.C.9


# ---------------------------------------------------------------- supports


def test_6_D_17_to_19_support_against_the_attacker() -> None:
    check(
        russia=["F CON S F BLA - ANK: cut, dislodged", "F BLA - ANK: fails"],
        turkey=["F ANK - CON: succeeds", "A SMY S F ANK - CON: given", "A ARM - ANK: fails"],
    )  # 6.D.17
    check(
        russia=["F CON S F BLA - ANK: given", "F BLA - ANK: succeeds", "A BUL S F CON: given"],
        turkey=["F ANK - CON: fails, destroyed", "A SMY S F ANK - CON: given", "A ARM - ANK: fails"],
    )  # 6.D.18
    check(
        russia=["F CON S F BLA - ANK: given", "F BLA - ANK: succeeds", "A SMY S F ANK - CON: given"],
        turkey=["F ANK - CON: fails, dislodged"],
    )  # 6.D.19


def test_6_D_20_and_21_who_cuts_support() -> None:
    check(
        england=["F LON S F NTH - ENG: given", "F NTH - ENG: succeeds", "A YOR - LON: fails"],
        france=["F ENG H: dislodged"],
    )  # 6.D.20
    check(
        austria=["F TRI H: stands"],
        italy=["A VEN - TRI: fails", "A TYR S A VEN - TRI: cut"],
        germany=["A MUN - TYR: fails, dislodged"],
        russia=["A SIL - MUN: succeeds", "A BER S A SIL - MUN: given"],
    )  # 6.D.21
    check(
        austria=["F ADR C A TRI - VEN: available", "A TRI - VEN VIA: fails, dislodged"],
        italy=["A VEN S F ALB - TRI: given", "F ALB - TRI: succeeds"],
    )  # 6.G.13


def test_6_D_no_power_helps_to_dislodge_its_own_unit() -> None:
    check(germany=["A BER H: stands", "F KIE - BER: fails"], russia=["A SIL S F KIE - BER: given"])
    check(
        germany=["A BER - PRU: fails", "F KIE - BER: fails", "A MUN S F KIE - BER: given"],
        russia=["A WAR - PRU: fails"],
    )
    check(austria=["F TRI H: stands", "A VIE S A VEN - TRI: given"], italy=["A VEN - TRI: fails"])  # 6.D.12
    check(
        austria=["F TRI H: dislodged", "A VIE S A VEN - TRI: given"],
        italy=["A VEN - TRI: succeeds", "A TYR S A VEN - TRI: given", "F ADR S A VEN - TRI: given"],
    )  # 6.D.14
    check(
        austria=["A SER - BUD: succeeds", "A VIE - BUD: fails"],
        russia=["A GAL S A SER - BUD: given"],
        turkey=["A BUL - SER: succeeds"],
    )  # 6.D.33


# ---------------------------------------------------------------- head-to-head battles and beleaguered garrisons


def test_6_E_1_to_3_head_to_head_battle() -> None:
    check(
        germany=["A BER - PRU: succeeds", "F KIE - BER: succeeds", "A SIL S A BER - PRU: given"],
        russia=["A PRU - BER: fails, dislodged"],
    )  # 6.E.1
    check(germany=["A BER - KIE: fails", "F KIE - BER: fails", "A MUN S A BER - KIE: given"])  # 6.E.2
    check(germany=["A BER - KIE: fails", "A MUN S F KIE - BER: given"], england=["F KIE - BER: fails"])  # 6.E.3
    check(
        germany=["A BER - KIE: fails", "A RUH S A BER - KIE: given", "A MUN S F KIE - BER: given"],
        england=["F KIE - BER: fails"],
    )  # the support of Munich counts in DEFEND STRENGTH, though not in ATTACK STRENGTH


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


def test_6_E_11_to_15_battles() -> None:
    check(
        france=["A SPA - POR VIA: succeeds", "F MAO C A SPA - POR: available", "F LYO S F POR - SPA/NC: given"],
        germany=["A MAR S A GAS - SPA: given", "A GAS - SPA: fails"],
        italy=["F POR - SPA/NC: succeeds", "F WES S F POR - SPA/NC: given"],
    )  # 6.E.11
    check(
        austria=["A BUD - RUM: fails", "A SER S A VIE - BUD: given"],
        italy=["A VIE - BUD: fails"],
        russia=["A GAL - BUD: fails", "A RUM S A GAL - BUD: given"],
    )  # 6.E.12
    check(england=["A LVP - EDI: fails"], russia=["F EDI - LVP: illegal"])  # 6.E.14
    check(
        england=["F HOL S A RUH - KIE: given", "A RUH - KIE: fails"],
        france=["A KIE - BER: fails", "A MUN S A KIE - BER: given", "A SIL S A KIE - BER: given"],
        germany=["A BER - KIE: fails", "F DEN S A BER - KIE: given", "F HEL S A BER - KIE: given"],
        russia=["F BAL S A PRU - BER: given", "A PRU - BER: fails"],
    )  # 6.E.15


# ---------------------------------------------------------------- convoys and their paradoxes


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


def test_6_F_14_to_18_convoy_paradoxes() -> None:
    check(
        england=["F LON S F WAL - ENG: given", "F WAL - ENG: succeeds"],
        france=["A BRE - LON: fails", "F ENG C A BRE - LON: disrupted, dislodged"],
        italy=["F IRI C A NAF - WAL: available", "F MAO C A NAF - WAL: available", "A NAF - WAL: succeeds"],
    )  # 6.F.15
    check(
        england=["F LON S F WAL - ENG: given", "F WAL - ENG: fails"],
        france=["A BRE - LON: fails", "F ENG C A BRE - LON: disrupted", "F YOR S A BRE - LON: given"],
        germany=["F NTH S F BEL - ENG: given", "F BEL - ENG: fails"],
    )  # 6.F.17, and without Yorkshire 6.F.16
    check(
        england=["F NTH C A LON - BEL: disrupted", "A LON - BEL: fails", "F ENG S A LON - BEL: given"],
        france=["F BEL S F NTH: given"],
        germany=["F HEL S F SKA - NTH: given", "F SKA - NTH: fails"],
    )  # 6.F.18


def test_6_F_19_to_21_no_paradox() -> None:
    check(
        france=["A TUN - NAP: fails", "F TYS C A TUN - NAP: available", "F ION C A TUN - NAP: available"],
        italy=["F NAP S F ROM - TYS: cut", "F ROM - TYS: fails"],
    )  # 6.F.19
    check(
        france=["A TUN - NAP: fails", "F TYS C A TUN - NAP: available"],
        italy=["F NAP S F ION: cut", "F ION C A TUN - NAP: disrupted, dislodged"],
        turkey=["F AEG S F EAS - ION: given", "F EAS - ION: succeeds"],
    )  # 6.F.20
    check(
        russia=["A EDI S A NWY - CLY: given", "F NWG C A NWY - CLY: available", "A NWY - CLY: succeeds"],
        france=["F IRI S F MAO - NAO: given", "F MAO - NAO: succeeds"],
        england=[
            "A LVP - CLY VIA: fails",
            "F NAO C A LVP - CLY: disrupted, destroyed",
            "F CLY S F NAO: cut, destroyed",
        ],
    )  # 6.F.21


def test_6_F_22_to_24_second_order_paradoxes() -> None:
    check(
        england=["F EDI - NTH: succeeds", "F LON S F EDI - NTH: given"],
        france=["A BRE - LON: fails", "F ENG C A BRE - LON: disrupted, dislodged"],
        germany=["F BEL S F PIC - ENG: given", "F PIC - ENG: succeeds"],
        russia=["A NWY - BEL: fails", "F NTH C A NWY - BEL: disrupted, dislodged"],
    )  # 6.F.22
    check(
        england=["F EDI - NTH: fails", "F YOR S F EDI - NTH: given"],
        france=["A BRE - LON: fails", "F ENG C A BRE - LON: disrupted"],
        germany=["F BEL S F ENG: given", "F LON S F NTH: given"],
        italy=["F MAO - ENG: fails", "F IRI S F MAO - ENG: given"],
        russia=["A NWY - BEL: fails", "F NTH C A NWY - BEL: disrupted"],
    )  # 6.F.23
    check(
        england=[
            "F EDI - NTH: succeeds",
            "F LON S F EDI - NTH: given",
            "F IRI - ENG: fails",
            "F MAO S F IRI - ENG: given",
        ],
        france=["A BRE - LON: fails", "F ENG C A BRE - LON: disrupted", "F BEL S F ENG: given"],
        russia=["A NWY - BEL: fails", "F NTH C A NWY - BEL: disrupted, dislodged"],
    )  # 6.F.24


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


# ---------------------------------------------------------------- convoys to adjacent provinces


def test_6_G_when_an_army_is_convoyed_to_an_adjacent_province() -> None:
    check(england=["A NWY - SWE: succeeds", "F SKA C A NWY - SWE: available"], russia=["A SWE - NWY: succeeds"])  # 6.G.1
    check(england=["A NWY - SWE: fails"], russia=["F SWE - NWY: fails"], germany=["F SKA C A NWY - SWE: available"])  # 6.G.2
    check(
        england=["A LVP - EDI: succeeds", "F ENG C A LVP - EDI: available"],
        germany=["A EDI - LVP: succeeds"],
        france=["F IRI H: stands", "F NTH H: stands"],
        russia=["F NWG C A LVP - EDI: available", "F NAO C A LVP - EDI: available"],
    )  # 6.G.6
    check(
        england=["F SKA C A SWE - NWY: available", "F NWY - SWE: fails"],
        russia=["A SWE - NWY: fails", "F BOT C A SWE - NWY: illegal"],
    )  # 6.G.7
    check(france=["A BEL - HOL VIA: invalid"], england=["F NTH - HEL: succeeds", "A HOL - KIE: succeeds"])  # 6.G.8
    check(france=["A BEL - HOL VIA: illegal"], england=["A HOL - KIE: succeeds"])
    check(
        france=["A MAR - SPA: fails", "F WES C A MAR - SPA: illegal"],
        italy=["F LYO C A MAR - SPA: available", "A SPA - MAR: fails"],
    )  # 6.G.19
    check(
        france=[
            "F BRE - ENG: succeeds",
            "A PIC - BEL VIA: fails",
            "A BUR S A PIC - BEL: given",
            "F MAO S F BRE - ENG: given",
        ],
        england=["F ENG C A PIC - BEL: disrupted, dislodged"],
    )  # 6.G.20


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


# ---------------------------------------------------------------- retreats and what is left on the board


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


# ---------------------------------------------------------------- no exponential blow-up


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
