"""The oracle of the maps with rules of their own (DATC 2.4, 7 to 10): the cases, other texts, and random positions."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from helpers.oracle_cases import orders_of
from helpers.variant_boards import EVERYTHING, described, differences, variant_board

from satjudge.notation.bundled_cases import read_collection
from satjudge.notation.parse import parse_order, parse_unit
from satjudge.notation.sheets import Sheet
from satjudge.oracles.datc_turn import Given
from satjudge.oracles.kruijswijk_variants import judge
from satjudge.oracles.oracle import Answer
from satjudge.world.board import Board, Phase
from satjudge.world.geography import Power, ProvinceCode, load_map
from satjudge.world.orders import MovementOrder, Permission

CASES = [sheet for sheet in read_collection("datc-2.4") if sheet.phase is Phase.MOVEMENT]


@pytest.mark.parametrize("sheet", CASES, ids=lambda sheet: sheet.identity)
def test_a_case_of_the_datc(sheet: Sheet) -> None:
    orders = orders_of(sheet)
    answer = judge(sheet.board, orders)
    given = {power: iter(zip(orders[power], words, strict=True)) for power, words in answer.verdicts.items()}
    judged = [(entry, *next(given[entry.power])) for entry in sheet.orders]
    assert not [(str(order), word, entry.expected) for entry, order, word in judged if entry.expected not in (None, word)]
    for power, units in sheet.standing.items():
        assert answer.units.get(power, []) == sorted(map(str, units))


def answered(*lines: str, map_name: str = "colonial", centers: Mapping[ProvinceCode, Power] | None = None) -> Answer:
    """What the oracle says of orders such as `"RUSSIA: A MOS - TSR - VLA"`; each unit stands where it is ordered from."""
    game_map = load_map(map_name)
    units, orders = [], dict[Power, list[Given]]()
    for line in lines:
        power, _, text = line.partition(": ")
        order = parse_order(text, game_map)
        assert isinstance(order, (MovementOrder, Permission))
        if not isinstance(order, Permission):
            units.append(parse_unit(str(order.unit), power, game_map))
        orders.setdefault(power, []).append(order)
    return judge(Board(tuple(units), centers=centers or {}, map=game_map).ensure_possible(), orders)


# ---- the examples of the errata and of the questions below them ----


def test_a_train_does_not_profit_from_anothers_attack() -> None:
    """9.23: the Chinese unit is dislodged by the Japanese one; the train stops in Irkutsk, where nothing can retreat to."""
    answer = answered("RUSSIA: A MOS - TSR - VLA", "CHINA: A VLA H", "JAPAN: A SEO - VLA", "JAPAN: F OKH S A SEO - VLA")
    assert answer.verdicts == {"RUSSIA": ["stops"], "CHINA": ["dislodged"], "JAPAN": ["succeeds", "given"]}
    assert answer.units["RUSSIA"] == ["A IRK"]
    assert answer.dislodged == {"CHINA": {"A VLA": ["MAC", "SAK"]}}


def test_the_line_is_open_as_far_as_a_lost_centre() -> None:
    """9.241: China owns Omsk but has vacated it."""
    assert answered("RUSSIA: A VLA - TSR - MOS", centers={"OMS": "CHINA"}).units == {"RUSSIA": ["A OMS"]}


@pytest.mark.parametrize("destination", ["OMS", "PRM", "MOS"])
def test_a_train_and_the_unit_ahead_of_it_bounce(destination: str) -> None:
    """9.25: "The Chinese unit stays in Krasnoyarsk and the Russian unit stays in Irkutsk"."""
    answer = answered(f"RUSSIA: A VLA - TSR - {destination}", "CHINA: A KRA - OMS")
    assert answer.units == {"RUSSIA": ["A IRK"], "CHINA": ["A KRA"]}


def test_the_questions_below_the_errata() -> None:
    first = answered("RUSSIA: A MOS - TSR - VLA", "RUSSIA: A OMS - KRA", "RUSSIA: A VLA - SEO", "CHINA: A MAC - IRK")
    assert first.units == {"RUSSIA": ["A OMS", "A PRM", "A SEO"], "CHINA": ["A IRK"]}
    second = answered("RUSSIA: A MOS - TSR - VLA", "CHINA: A MAC - IRK", "CHINA: A MON - KRA")
    assert second.units == {"RUSSIA": ["A OMS"], "CHINA": ["A IRK", "A MON"]}


# ---- what random positions showed ----


def test_the_last_part_of_a_paradox_fails_though_support_would_win_there() -> None:
    """If Krasnoyarsk leaves, the train throws it back; if it stays, the train cannot pass it: 9.25 with a support."""
    answer = answered("RUSSIA: A IRK - TSR - OMS", "FRANCE: A KRA - OMS", "FRANCE: A PRM S A IRK - OMS")
    assert answer.verdicts == {"RUSSIA": ["fails"], "FRANCE": ["fails", "given"]}


@pytest.mark.parametrize("destination", ["OMS", "MOS"])
def test_a_train_that_must_stop_in_a_lost_centre_goes_round_with_others(destination: str) -> None:
    """7.B.17 and 7.B.18 together: wherever it would have gone on to, it ends in Omsk."""
    lines = (f"RUSSIA: A KRA - TSR - {destination}", "CHINA: A OMS - AKM", "CHINA: A AKM - KRA")
    assert answered(*lines, centers={"OMS": "CHINA"}).units == {"RUSSIA": ["A OMS"], "CHINA": ["A AKM", "A KRA"]}


def test_whether_a_train_retakes_a_centre_can_hang_on_itself() -> None:
    """As 7.B.25: if Omsk leaves, the train stops there, so it leaves; if it stays, the train bounces it in Perm."""
    answer = answered("RUSSIA: A KRA - TSR - MOS", "RUSSIA: A OMS - PRM", centers={"OMS": "JAPAN"})
    assert answer.verdicts == {"RUSSIA": ["fails", "fails"]}


def test_only_its_own_power_can_be_supported_on_a_railroad() -> None:
    lines = ("{power}: A KRA - TSR - MOS", "FRANCE: A PRM S A KRA - MOS")
    assert answered(*(line.format(power="JAPAN") for line in lines)).verdicts["FRANCE"] == ["illegal"]
    assert answered(*(line.format(power="RUSSIA") for line in lines)).verdicts["FRANCE"] == ["given"]


# ---- difficult borders ----


def test_head_to_head_over_a_difficult_border_one_support_wins() -> None:
    orders = ("ITALY: A NAP - SIC", "TURKEY: A SIC - NAP")
    assert answered(*orders, map_name="loeb9").verdicts == {"ITALY": ["fails"], "TURKEY": ["fails"]}
    supported = answered(*orders, "ITALY: F ION S A NAP - SIC", map_name="loeb9")
    assert supported.verdicts == {"ITALY": ["succeeds", "given"], "TURKEY": ["fails, destroyed"]}


def test_a_standoff_without_strength_leaves_the_place_contested() -> None:
    """10.D, and a unit that would retreat there."""
    answer = answered(
        "SPAIN: A COR - NAF",
        "ITALY: A TUN - NAF",
        "FRANCE: F WES H",
        "TURKEY: F TYS - WES",
        "TURKEY: F LYO S F TYS - WES",
        map_name="loeb9-10d",
    )
    assert "NAF" not in answer.dislodged["FRANCE"]["F WES"]
    assert answer.verdicts["SPAIN"] == answer.verdicts["ITALY"] == ["fails"]


# ---- random positions ----


@pytest.mark.parametrize("chapter", [7, 8, 9, 10, EVERYTHING])
def test_random_positions(chapter: int) -> None:
    """The judge says of each position what the oracle says. `variant_boards.py` as a program compares many more."""
    for number in range(120):
        board, orders = variant_board(chapter, 21, number)
        assert not differences(board, orders), "\n".join(described(board, orders))
