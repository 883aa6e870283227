"""Which orders count: every reason for which an order is illegal, with its number in the DATC 3.2."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import permutations
from random import Random

import pytest
from helpers.boards import split
from hypothesis import example, given
from hypothesis import strategies as st

from satjudge.base.errors import NotationError
from satjudge.bulk.random_boards.boards import MIX, SIZES, random_board
from satjudge.explain.phases import explanations
from satjudge.judging.judge import judge as judge_orders
from satjudge.judging.legality import Docket, Route, dockets, list_routes, make_docket
from satjudge.notation.parse import _find_lexicon, parse_order, parse_unit
from satjudge.world.board import Board, Unit
from satjudge.world.geography import ProvinceCode, UnitKind, load_map
from satjudge.world.orders import Move, MovementOrder, Named
from satjudge.world.rules import load_rulebook, preset_names

MAP = load_map()
Texts = Mapping[str, str]
"""For each power units or orders, divided by commas."""


def by_power(units: str) -> Texts:
    """The units of the tables below: "F BLA; ENGLAND: F LON", those that nobody is named for being France's."""
    named = (part.rpartition(":") for part in units.split(";"))
    return {power.strip() or "FRANCE": text for power, _, text in named}


def board(units: Texts) -> Board:
    return Board(tuple(parse_unit(unit, power, MAP) for power, text in units.items() for unit in split(text))).ensure_possible()


def judge(units: Texts, orders: Texts) -> Docket:
    read = {power: [parse_order(order, MAP) for order in split(text)] for power, text in orders.items()}
    return make_docket(board(units), read, load_rulebook())


def reasons(units: Texts, orders: Texts) -> list[str | None]:
    """Why each order is illegal, power by power; None for one that counts."""
    return [entry.reason for entries in judge(units, orders).entries.values() for entry in entries]


def counted(units: Texts, orders: Texts) -> list[str]:
    """The orders that count, in full."""
    return [str(order) for order in judge(units, orders).orders.values()]


# (DATC number, units, the power's order, the reason)
ILLEGAL: list[tuple[str, str, str, str]] = [
    # ---- whose unit, and which (6.A) ----
    ("6.A.6 another power's unit", "ENGLAND: F LON", "F LON - NTH", "F LON belongs to England (6.A.6)"),
    ("no unit at all", "A PAR", "A MAR H", "there is no unit in MAR"),
    # ---- moves ----
    ("6.A.1 not a neighbour", "F NTH", "F NTH - PIC", "a fleet cannot move from NTH to PIC"),
    ("6.A.1 not a neighbour", "A PAR", "A PAR - MAR", "from PAR to MAR: not adjacent, and PAR is inland (6.A.1)"),
    ("6.A.1 not a coast", "A PAR", "A PAR - MUN", "from PAR to MUN: not adjacent, and MUN is inland (6.A.1)"),
    ("6.A.2 army to sea", "A LVP", "A LVP - IRI", "an army cannot move from LVP to IRI, which is a sea (6.A.2)"),
    ("6.A.3 fleet to land", "F KIE", "F KIE - MUN", "a fleet cannot move from KIE to MUN (6.A.3, 6.A.9)"),
    ("6.A.4 own province", "F KIE", "F KIE - KIE", "a fleet cannot move from KIE to KIE"),
    ("6.A.4 own province", "A MUN", "A MUN - MUN", "A MUN is already in MUN (6.A.4)"),
    ("6.A.5 own province by convoy", "A YOR, F NTH", "A YOR - YOR VIA", "A YOR is already in YOR (6.A.4)"),
    ("6.A.9 along the coast", "F ROM", "F ROM - VEN", "a fleet cannot move from ROM to VEN (6.A.3, 6.A.9)"),
    ("6.A.7 no convoy for a fleet", "F LON, F NTH", "F LON - BEL VIA", "a fleet cannot move from LON to BEL"),
    ("6.A.7 for a fleet that needs none", "F LON", "F LON - NTH VIA", "F LON cannot be convoyed: only armies are (4.E.1.via"),
    # ---- coasts (4.B) ----
    ("4.B.1 coast missing, 6.B.1", "F POR", "F POR - SPA", "coast must be named: SPA/NC or SPA/SC (4.B.1)"),
    ("4.B.1 coast missing", "F CON", "F CON - BUL", "the coast must be named: BUL/EC or BUL/SC (4.B.1)"),
    ("4.B.1 unknown coast", "F POR", "F POR - SPA/EC", "there is no SPA/EC, and the coast must be named: SPA/NC or"),
    ("4.B.3 impossible coast, 6.B.3", "F GAS", "F GAS - SPA/SC", "in GAS can reach SPA/NC, not SPA/SC (4.B.3)"),
    ("6.B.11 the true coast counts", "F SPA/NC", "F SPA/SC - LYO", "a fleet cannot move from SPA/NC to LYO"),
    # ---- convoyed moves (4.A.3, 4.E.1) ----
    ("6.D.32 a missing fleet", "A YOR", "A YOR - HOL", "could convoy an army from YOR to HOL (4.E.1, 6.D.32)"),
    ("4.E.1 the chain is broken", "A LON, F ENG, F WES", "A LON - TUN", "there are no fleets that could"),
    ("4.E.1 inland", "A PAR, F ENG", "A PAR - LON", "an army cannot move from PAR to LON: not adjacent, and PAR"),
    ("4.A.3 by convoy without a fleet", "A PIC, F LYO", "A PIC - BEL VIA", "there are no fleets that could"),
    ("4.A.3 by convoy to an inland province", "A BEL, F ENG", "A BEL - BUR VIA", "no army can be convoyed from BEL to BUR: "),
    ("4.A.3 by convoy from an inland province", "A PAR, F ENG", "A PAR - BRE VIA", "convoyed from PAR to BRE: PAR is inland"),
    ("6.F.1 no fleet on a coast", "A GRE, F AEG, F CON, F BLA", "A GRE - SEV", "there are no fleets that could"),
    # ---- supports ----
    ("6.A.8 itself", "F TRI", "F TRI S F TRI", "F TRI cannot support into its own province (6.A.8, 6.D.34)"),
    ("6.D.34 own province", "A PRU, A LVN", "A PRU S A LVN - PRU", "into its own province (6.A.8, 6.D.34)"),
    ("6.A.10 out of reach", "F ROM, A APU", "F ROM S A APU - VEN", "cannot support into VEN: it could not move"),
    ("6.A.10 an army at sea", "A BRE, F ENG", "A BRE S F ENG", "A BRE cannot support into ENG: it could not"),
    ("6.B.5 from the wrong coast", "F SPA/NC, F MAR", "F SPA/NC S F MAR - LYO", "cannot support into LYO"),
    ("4.E.1 nobody to support", "A PAR", "A PAR S A BUR", "there is no unit in BUR to support"),
    ("4.E.1 nobody to support", "A PAR", "A PAR S A MAR - BUR", "there is no unit in MAR to support"),
    ("4.E.1 its own move", "A PAR", "A PAR S A PAR - BUR", "A PAR cannot support its own move (4.E.1)"),
    ("6.D.22 impossible fleet move", "A BUR, F KIE", "A BUR S F KIE - MUN", "F KIE cannot move to MUN (6.D.22"),
    ("6.D.23 impossible coast", "F MAR, F SPA/NC", "F MAR S F SPA/NC - LYO", "F SPA/NC cannot move to LYO"),
    ("4.B.4 impossible coast", "F POR, F GAS", "F POR S F GAS - SPA/SC", "cannot move to SPA/SC (6.D.22, 6.D.23)"),
    ("6.D.24 army to sea", "F SPA/SC, A MAR", "F SPA/SC S A MAR - LYO", "an army cannot move from MAR to LYO"),
    ("6.A.5 own province", "A LVP, A YOR, F NTH", "A LVP S A YOR - YOR", "A YOR is already in YOR (6.A.4)"),
    ("6.D.31 it is the convoy", "F BLA, A RUM", "F BLA S A RUM - ARM", "only F BLA could convoy an army from RUM to ARM"),
    ("6.D.32 a missing fleet", "F BEL, A YOR", "F BEL S A YOR - HOL", "convoy an army from YOR to HOL"),
    # ---- convoys ----
    ("6.F.1 a fleet on a coast", "F CON, A GRE", "F CON C A GRE - SEV", "only a fleet at sea can convoy, not F CON"),
    ("6.F.1 an army", "A HOL, A LON", "A HOL C A LON - BEL", "only a fleet at sea can convoy, not A HOL (6.F.1)"),
    ("6.A.7 a fleet", "F NTH, F LON", "F NTH C A LON - BEL", "only armies are convoyed (6.A.7)"),
    ("4.E.1 nobody to convoy", "F NTH", "F NTH C A LON - BEL", "there is no unit in LON to convoy"),
    ("4.E.1 nowhere near", "F NTH, A SEV", "F NTH C A SEV - ANK", "F NTH is not on a proper route from SEV to ANK"),
    ("6.A.5 to its own province", "F NTH, A YOR", "F NTH C A YOR - YOR", "not on a proper route from YOR to YOR"),
    ("6.A.2 to sea", "F NTH, F ENG, A LON", "F NTH C A LON - ENG", "not on a proper route from LON to ENG"),
    ("4.E.1 inland", "F ENG, A LON", "F ENG C A LON - PAR", "not on a proper route from LON to PAR (4.E.1, 6.G.19)"),
    ("4.E.1 from inland", "F ENG, A PAR", "F ENG C A PAR - LON", "not on a proper route from PAR to LON"),
    ("4.E.1 superfluous", "F ADR, F ION, A TUN", "F ADR C A TUN - ALB", "not on a proper route from TUN to ALB"),
    ("6.F.12 on no route", "F IRI, F ENG, A LON", "F IRI C A LON - BEL", "not on a proper route from LON to BEL"),
    ("6.G.19 superfluous", "F WES, F LYO, A MAR", "F WES C A MAR - SPA", "F WES is not on a proper route from MAR"),
    # ---- other phases ----
    ("a retreat", "A PAR", "A PAR R BUR", "in a retreat phase: on a sheet, below a line `retreats`"),
    ("a disbandment", "A PAR", "A PAR D", "(on a sheet, below a line `retreats`) or with phase: adjustment"),
    ("a build", "A PAR", "Build A Brest", "ordered in an adjustment phase (phase: adjustment)"),
    ("a declined build", "A PAR", "WAIVE", "ordered in an adjustment phase (phase: adjustment)"),
]


@pytest.mark.parametrize(
    ("units", "order", "reason"), [case[1:] for case in ILLEGAL], ids=[f"{case[0]}: {case[2]}" for case in ILLEGAL]
)
def test_illegal(units: str, order: str, reason: str) -> None:
    docket = judge(by_power(units), {"FRANCE": order})
    (entry,) = docket.entries["FRANCE"]
    assert entry.reason is not None
    assert reason in entry.reason
    assert docket.orders == {}


# (DATC number, units, the power's order, the order that counts)
LEGAL: list[tuple[str, str, str, str]] = [
    ("a hold", "A PAR", "A PAR H", "A PAR H"),
    ("a move", "A PAR", "A PAR - BUR", "A PAR - BUR"),
    # coasts
    ("4.B.2 one coast only, 6.B.2", "F GAS", "F GAS - SPA", "F GAS - SPA/NC"),
    ("4.B.5 wrong coast, 6.B.10", "F SPA/SC", "F SPA/NC - LYO", "F SPA/SC - LYO"),
    ("4.B.6 unknown coast", "F GAS", "F GAS - SPA/WC", "F GAS - SPA/NC"),
    ("4.B.6 irrelevant coast", "F ENG", "F ENG - BRE/EC", "F ENG - BRE"),
    ("4.B.6 irrelevant coast of the unit", "F BRE", "F BRE/EC - ENG", "F BRE - ENG"),
    ("4.B.6 an army, 6.B.12", "A GAS", "A GAS - SPA/NC", "A GAS - SPA"),
    ("4.B.4 support to both coasts", "F POR, F MAO", "F POR S F MAO - SPA", "F POR S F MAO - SPA"),
    ("4.B.4 support to one coast", "F POR, F MAO", "F POR S F MAO - SPA/NC", "F POR S F MAO - SPA/NC"),
    ("4.B.4 to a coast out of reach, 6.B.4", "F MAR, F GAS", "F MAR S F GAS - SPA/NC", "F MAR S F GAS - SPA/NC"),
    ("4.B.4 the DATC's example", "F GRE, F BLA", "F GRE S F BLA - BUL/EC", "F GRE S F BLA - BUL/EC"),
    ("4.B.5 hold support, 6.B.16", "F POR, F SPA/SC", "F POR S F SPA/NC", "F POR S F SPA/SC"),
    ("4.B.5 move support, 6.B.17", "F WES, F SPA/SC", "F WES S F SPA/NC - MAO", "F WES S F SPA/SC - MAO"),
    ("4.B.6 support to an unknown coast", "F POR, F MAO", "F POR S F MAO - SPA/WC", "F POR S F MAO - SPA"),
    ("4.B.6 support to an army's coast", "F POR, A GAS", "F POR S A GAS - SPA/NC", "F POR S A GAS - SPA"),
    # kinds and nationalities
    ("4.C.1 kind missing, 6.C.1", "A PAR", "PAR - BUR", "A PAR - BUR"),
    ("4.C.2 wrong kind", "A PAR", "F PAR - BUR", "A PAR - BUR"),
    ("4.C.2 wrong kind supported", "A PAR, A BUR", "A PAR S F BUR", "A PAR S A BUR"),
    ("4.C.2 wrong kind convoyed", "F ENG, A LON", "F ENG C F LON - BEL", "F ENG C A LON - BEL"),
    ("4.C.5 nationality missing", "A PAR; GERMANY: A BUR", "A PAR S A BUR", "A PAR S A BUR"),
    ("4.C.5 nationality given", "A PAR; GERMANY: A BUR", "A PAR S German A BUR", "A PAR S A BUR"),
    ("4.C.6 wrong nationality", "A PAR; GERMANY: A BUR", "A PAR S Turkish A BUR", "A PAR S A BUR"),
    ("4.C.6 wrong nationality, move", "A PAR, A MUN", "A PAR S Turkish A MUN - BUR", "A PAR S A MUN - BUR"),
    ("4.C.6 wrong nationality, convoy", "F ENG, A LON", "F ENG C Turkish A LON - BEL", "F ENG C A LON - BEL"),
    # convoys
    ("4.E.1 a route on the board", "A YOR; ENGLAND: F NTH", "A YOR - HOL", "A YOR - HOL"),
    ("4.A.3 by convoy to a neighbour", "A PIC; ENGLAND: F ENG", "A PIC - BEL VIA", "A PIC - BEL VIA"),
    ("4.A.3 by convoy to a coast of two", "A MAR, F LYO", "A MAR - SPA VIA", "A MAR - SPA VIA"),
    ("4.A.3 to a neighbour by land", "A PIC", "A PIC - BEL", "A PIC - BEL"),
    ("4.A.6 a path is ignored", "A YOR, F NTH", "A YOR - NTH - HOL", "A YOR - HOL"),
    ("4.E.1 any proper route will do", "F NTH, F ENG, A LON", "F NTH C A LON - BEL", "F NTH C A LON - BEL"),
    ("4.E.1 a chain", "F MAO, F ENG, A LON", "F MAO C A LON - POR", "F MAO C A LON - POR"),
    ("6.B.18 from two coasts", "F BLA, A BUL", "F BLA C A BUL - SEV", "F BLA C A BUL - SEV"),
    ("6.B.19 to two coasts", "F BLA, A SEV", "F BLA C A SEV - BUL/EC", "F BLA C A SEV - BUL"),
    ("6.G.6 off the route taken", "F ENG, F IRI, F NTH, A LVP", "F ENG C A LVP - EDI", "F ENG C A LVP - EDI"),
    # supports
    ("6.D.31 with a second fleet", "F ENG, F NTH, A LON", "F ENG S A LON - BEL", "F ENG S A LON - BEL"),
    ("6.D.31 a move by land", "F BLA, A SEV", "F BLA S A SEV - ARM", "F BLA S A SEV - ARM"),
    ("4.D.9 a hold", "A PAR; GERMANY: A BUR", "A PAR S A BUR H", "A PAR S A BUR"),
]


@pytest.mark.parametrize(
    ("units", "order", "in_full"), [case[1:] for case in LEGAL], ids=[f"{case[0]}: {case[2]}" for case in LEGAL]
)
def test_legal(units: str, order: str, in_full: str) -> None:
    docket = judge(by_power(units), {"FRANCE": order})
    (entry,) = docket.entries["FRANCE"]
    assert entry.reason is None
    assert entry.province in docket.orders
    assert [str(counts) for counts in docket.orders.values()] == [in_full]


def test_an_order_that_counts_names_the_true_unit() -> None:
    """The kind, coast and location in it are those of the board, and no nationality is left (4.B.5, 4.C.2, 4.C.6)."""
    docket = judge({"ITALY": "F SPA/SC, F WES"}, {"ITALY": "French A SPA/NC - MAO, WES S Turkish A SPA - MAO"})
    move, support = docket.orders.values()
    assert repr(move) == repr(parse_order("F SPA/SC - MAO", MAP))
    assert repr(support) == repr(parse_order("F WES S F SPA/SC - MAO", MAP))


# ---- several orders for one unit (4.D.3, 4.E.1) ----


def test_the_first_legal_order_counts() -> None:
    docket = judge({"FRANCE": "A PAR"}, {"FRANCE": "A PAR - BUR, A PAR - GAS, A PAR - BUR"})
    assert [entry.reason for entry in docket.entries["FRANCE"]] == [
        None,
        "the order that counts is A PAR - BUR (4.D.3)",
        None,
    ]


@pytest.mark.parametrize("several", ["first", "last", "all-illegal"])
def test_the_same_order_twice_is_followed(several: str) -> None:
    """4.D.3: “if the orders are the same, then it should just follow that order”, however they are written."""
    read = [parse_order(order, MAP) for order in ("A PAR - BUR", "Army Paris - Burgundy", "PAR - BUR")]
    docket = make_docket(board({"FRANCE": "A PAR"}), {"FRANCE": read}, load_rulebook().with_settings([f"4.D.3={several}"]))
    assert [entry.reason for entry in docket.entries["FRANCE"]] == [None, None, None]
    assert [str(order) for order in docket.orders.values()] == ["A PAR - BUR"]
    assert [str(order) for order in docket.orders.values()] == ["A PAR - BUR"]


def test_a_legal_order_counts_after_an_illegal_one() -> None:
    """4.E.1's example: A Holland - Burgundy (which is not adjacent), A Holland Supports Kiel."""
    units, orders = {"GERMANY": "A HOL, F KIE"}, {"GERMANY": "A HOL - BUR, A HOL S KIE, A HOL H"}
    first, second, third = reasons(units, orders)
    assert (first, second) == ("an army cannot move from HOL to BUR: not adjacent, and BUR is inland (6.A.1)", None)
    assert third == "the order that counts is A HOL S KIE (4.D.3)"
    assert counted(units, orders) == ["A HOL S F KIE"]


def test_an_illegal_order_after_a_legal_one_is_illegal_for_its_own_reason() -> None:
    assert reasons({"FRANCE": "A PAR"}, {"FRANCE": "A PAR H, A PAR - MUN"})[1] == (
        "an army cannot move from PAR to MUN: not adjacent, and MUN is inland (6.A.1)"
    )


def test_after_the_tricky_impossible_support_comes_a_second_order() -> None:
    """6.D.31: "If there is a second order for the Black Sea, that order should be executed"."""
    units = {"AUSTRIA": "A RUM", "TURKEY": "F BLA"}
    orders = {"AUSTRIA": "A RUM - ARM", "TURKEY": "F BLA S A RUM - ARM, F BLA C A RUM - ARM"}
    assert [reason is None for reason in reasons(units, orders)] == [True, False, True]
    assert counted(units, orders) == ["A RUM - ARM", "F BLA C A RUM - ARM"]


def test_another_power_cannot_use_up_the_order_of_a_unit() -> None:
    units, orders = {"FRANCE": "A PAR"}, {"GERMANY": "A PAR H", "FRANCE": "A PAR - BUR"}
    assert reasons(units, orders) == ["A PAR belongs to France (6.A.6)", None]
    assert counted(units, orders) == ["A PAR - BUR"]


def test_orders_of_another_phase_do_not_count() -> None:
    units, orders = {"FRANCE": "A PAR"}, {"FRANCE": "A PAR D, A PAR R BUR, Build A PAR, WAIVE, A PAR - BUR"}
    assert [reason is None for reason in reasons(units, orders)] == [False] * 4 + [True]
    docket = judge(units, orders)
    assert [entry.province for entry in docket.entries["FRANCE"]] == [None] * 4 + ["PAR"]


def test_a_unit_without_a_legal_order_is_not_in_the_docket() -> None:
    docket = judge({"FRANCE": "A PAR, A MAR"}, {"FRANCE": "A PAR - MUN"})
    assert docket.orders == {}
    assert docket.entries["FRANCE"][0].province == "PAR"


@pytest.mark.parametrize("fleets", ["", "F NTH", "F ENG", "F NTH, F ENG", "F SKA", "F IRI"])
def test_via_to_a_neighbour_needs_a_route_on_the_board(fleets: str) -> None:
    """4.A.3, 4.E.1: the fleets must be there, ordered or not, and whoever owns them; without VIA they need not."""
    units = {"FRANCE": "A PIC", "ENGLAND": fleets}
    by_convoy, by_land = reasons(units, {"FRANCE": "A PIC - BEL VIA, A PIC - BEL"})
    assert (by_convoy is None) == ("F ENG" in fleets)
    assert by_land == ("the order that counts is A PIC - BEL VIA (4.D.3)" if by_convoy is None else None)


def test_all_that_is_ordered_is_in_the_docket() -> None:
    units = {"FRANCE": "A PAR, A MAR", "GERMANY": "A MUN"}
    docket = judge(units, {"FRANCE": "A MAR - SPA, A PAR - BUR", "GERMANY": "", "ITALY": "A MUN H"})
    assert {power: [str(entry.order) for entry in entries] for power, entries in docket.entries.items()} == {
        "FRANCE": ["A MAR - SPA", "A PAR - BUR"],
        "GERMANY": [],
        "ITALY": ["A MUN H"],
    }
    assert list(docket.orders) == ["MAR", "PAR"]
    assert all(isinstance(order, MovementOrder) for order in docket.orders.values())


# ---- proper routes ----


def chains(origin: ProvinceCode, destination: ProvinceCode, fleets: frozenset[ProvinceCode]) -> Iterator[Route]:
    """Every chain of different fleets, each adjacent to the next, from shore to shore; superfluous fleets and all."""
    unfinished: list[Route] = [(fleet,) for fleet in fleets if fleet in MAP.shores.get(origin, ())]
    while unfinished:
        chain = unfinished.pop()
        if chain[-1] in MAP.shores.get(destination, ()):
            yield chain
        unfinished += [(*chain, fleet) for fleet in fleets if fleet in MAP.fleet[chain[-1]] and fleet not in chain]


def none_can_be_left_out(route: Route, origin: ProvinceCode, destination: ProvinceCode) -> bool:
    """4.E.1: without any one of its fleets the others make no chain, in whatever order."""
    return not any(next(chains(origin, destination, frozenset(route) - {fleet}), None) for fleet in route)


SHORES = sorted(set(MAP.shores) - MAP.seas)
PAIRS = list(permutations(SHORES, 2))


@pytest.mark.slow
@given(st.sets(st.sampled_from(sorted(MAP.seas)), max_size=9))
@example({"ION", "ADR"})  # 4.E.1, Tunis to Albania
@example({"LYO", "WES"})  # 6.G.19, Marseilles to Spain
@example({"ENG", "IRI", "NTH"})  # 6.F.12, London to Belgium
@example({"ENG", "IRI", "NTH", "NWG", "NAO"})  # 6.G.6, Liverpool to Edinburgh
def test_proper_routes_are_those_of_which_no_fleet_can_be_left_out(fleets: set[ProvinceCode]) -> None:
    for origin, destination in PAIRS:
        every = list(chains(origin, destination, frozenset(fleets)))
        proper = {route for route in every if none_can_be_left_out(route, origin, destination)}
        routes = list_routes(MAP, origin, destination, frozenset(fleets))
        assert set(routes) == proper
        assert list(routes) == sorted(set(routes)), "in a stable order, none twice"
        assert bool(routes) == bool(every), "where there is a chain there is a proper route"


@pytest.mark.parametrize(("origin", "destination"), [("LON", "BEL"), ("LVP", "EDI"), ("NWY", "TUN"), ("BUL", "PIE")])
def test_proper_routes_through_the_whole_sea(origin: ProvinceCode, destination: ProvinceCode) -> None:
    every = frozenset(MAP.seas)
    found = {route for route in chains(origin, destination, every) if none_can_be_left_out(route, origin, destination)}
    assert set(list_routes(MAP, origin, destination, every)) == found
    assert found


def test_routes_of_the_whole_sea() -> None:
    """With a fleet in every sea province: from London to Wales through the Channel alone, or round Scotland."""
    every = frozenset(MAP.seas)
    assert list_routes(MAP, "LON", "WAL", every) == (("ENG",), ("NTH", "NWG", "NAO", "IRI"))
    assert list_routes(MAP, "SEV", "CON", every) == (("BLA",),)
    assert list_routes(MAP, "SEV", "GRE", every) == ()
    assert list_routes(MAP, "STP", "SWE", every)[0] == ("BAR", "NWG", "NTH", "SKA")
    assert list_routes(MAP, "PAR", "BRE", every) == ()
    assert list_routes(MAP, "BRE", "MAO", every) == ()


def test_no_convoy_passes_a_fleet_on_a_coast() -> None:
    """6.F.1: Constantinople, Kiel and Denmark are no canals for convoys (DPTG VI)."""
    fleets = board({"TURKEY": "F AEG, F CON, F BLA", "GERMANY": "F HEL, F KIE, F BAL"}).convoyers
    assert fleets == frozenset({"AEG", "BLA", "HEL", "BAL"})
    assert list_routes(MAP, "GRE", "SEV", fleets) == ()
    assert list_routes(MAP, "HOL", "SWE", fleets) == ()
    assert list_routes(MAP, "GRE", "CON", fleets) == (("AEG",),)


# What is remembered from board to board.


@pytest.mark.parametrize("preset", preset_names())
def test_what_is_remembered_of_other_boards_changes_nothing(preset: str) -> None:
    """Orders judged on one board after another come to the same as on the first board that the judge ever sees."""
    rulebook = load_rulebook(preset)
    game_map = load_map()
    game_map.cache.pop(dockets.MapCaches, None)
    judged = []
    for seed in range(60):
        random = Random(f"{preset}:{seed}")
        board, orders = random_board(random, random.choice(MIX), random.choice(SIZES), illegal=0.3)
        judged.append((board, orders, make_docket(board, orders, rulebook)))
    for board, orders, docket in judged:
        game_map.cache.pop(dockets.MapCaches)
        assert make_docket(board, orders, rulebook) == docket


def test_the_fleets_on_the_board_are_looked_at_each_time() -> None:
    """An order of which all is remembered but whether fleets are there."""
    for fleets, legal in (("F NTH", True), ("F ENG", False), ("F NTH, F ENG", True), ("F BAR", False)):
        docket = judge({"ENGLAND": f"A YOR, {fleets}"}, {"ENGLAND": "A YOR - NWY"})
        assert (docket.entries["ENGLAND"][0].reason is None) is legal


def test_the_cache_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dockets, "_CACHED_ORDERS", 3)
    known = dockets.LegalityCache()
    for text in ("A PAR H", "A PAR - BUR", "A PAR - GAS", "A PAR - PIC", "A PAR - BRE"):
        assert known.find_order(parse_order(text, load_map())).order == parse_order(text, load_map())
        assert len(known.by_value) == len(known.by_identity) <= 3


INLAND = ("BOH", "BUD", "BUR", "GAL", "MOS", "MUN", "PAR", "RUH", "SER", "SIL", "TYR", "UKR", "VIE", "WAR")


@pytest.mark.slow
def test_the_cache_is_bounded_whatever_powers_are_called() -> None:
    """Every name makes entries of its own: a million of them once took 1.6 GB."""
    of_map = load_map().cache
    of_map.pop(dockets.MapCaches, None)
    orders = [parse_order(f"A {origin} - {destination}", load_map()) for origin, destination in permutations(INLAND, 2)]
    most = 0
    for number in range(1 + 250_000 // len(orders)):
        power = f"power {number}"
        position = Board(tuple(Unit(power, UnitKind.ARMY, province) for province in INLAND))
        make_docket(position, {power: orders}, load_rulebook(("datc-3", "1971")[number % 2]))
        if number % 50 == 0:
            kept = [known for one in of_map[dockets.MapCaches].by_rulebook.values() for known in one.by_value.values()]
            most = max(most, sum(len(known.entries) for known in kept))
    assert 50_000 < most <= dockets._CACHED_ENTRIES + len(orders)
    of_map.pop(dockets.MapCaches)


def test_units_of_powers_of_any_name_are_not_kept_without_bound() -> None:
    for number in range(50_000):
        parse_unit("A PAR", f"power {number}", load_map())
    assert len(_find_lexicon(load_map()).units) <= 20_000


def test_an_order_is_known_by_its_value() -> None:
    """Two orders that are equal are one to the cache, whoever made them."""
    known = dockets.LegalityCache()
    one = parse_order("A PAR - BUR", load_map())
    assert known.find_order(Move(Named(UnitKind.ARMY, "PAR"), "BUR")) is known.find_order(one) is known.find_order(one)
    assert len(known.by_identity) == 1


# ---- orders that cannot be read (4.E.1; DATC 2.4, 4.E.2) ----


@pytest.mark.parametrize(
    ("order", "others", "supported"),
    [
        ("A PAR to Switzerland", "4.E.1=ignored", "given"),
        ("A PAR to Switzerland", "4.E.1=hold", "invalid"),  # guide, VII: “a good choice”
        ("A PAR to Switzerland", "4.E.1=hold-if-possible", "given"),  # it is not possible wherever units stand
        ("A PAR loot and pillage", "4.E.1=hold", "given"),
        ("A MAR to Switzerland", "4.E.1=hold", "given"),
    ],
)
def test_a_move_off_the_map(order: str, others: str, supported: str) -> None:
    """It is illegal where that is no error; and it counts as a move where illegal moves do (2.4, 4.E.1 a)."""
    standing = board({"FRANCE": "A PAR", "GERMANY": "A MAR, A BUR"})
    orders = {"FRANCE": [order], "GERMANY": ["A BUR S A PAR"]}
    rules = load_rulebook().with_settings([others])
    with pytest.raises(NotationError, match="expected"):
        judge_orders(standing, orders, rulebook=rules)
    outcome = judge_orders(standing, orders, rulebook=rules, lenient=True)
    assert outcome.results == {"FRANCE": ["illegal"], "GERMANY": [supported]}
    (told,) = (entry.reason for entry in outcome.docket.entries["FRANCE"])
    assert "expected" in str(told)
    assert explanations(outcome)[0].order == order


def test_an_unreadable_order_carries_the_fate_of_its_unit_and_gives_way_to_one_that_can_be_read() -> None:
    standing = board({"FRANCE": "A BUR", "GERMANY": "A MUN, A RUH"})
    attack = ["A MUN - BUR", "A RUH S A MUN - BUR"]
    alone = judge_orders(standing, {"FRANCE": ["A BUR whistles"], "GERMANY": attack}, lenient=True)
    assert alone.results["FRANCE"] == ["illegal, dislodged"]
    beside = judge_orders(standing, {"FRANCE": ["A BUR whistles", "A BUR - PAR"], "GERMANY": attack}, lenient=True)
    assert beside.results["FRANCE"] == ["illegal", "succeeds"]
    foreign = judge_orders(standing, {"ITALY": ["A BUR whistles"], "GERMANY": attack}, lenient=True)
    assert foreign.results["ITALY"] == ["illegal"]


def test_only_the_power_of_the_railroad_is_supported_on_it() -> None:
    """DATC 2.4, 7.B.34: what one power's unit was told is not remembered for another one's."""
    for power, verdict in (("JAPAN", "illegal"), ("RUSSIA", "given"), ("JAPAN", "illegal")):
        units = (Unit(power, UnitKind.ARMY, "KRA"), Unit("FRANCE", UnitKind.ARMY, "PRM"))
        orders = {power: ["A KRA - TSR - MOS"], "FRANCE": ["A PRM S A KRA - MOS"]}
        outcome = judge_orders(Board(units, map=load_map("colonial")), orders, rulebook="datc-2")
        assert outcome.results["FRANCE"] == [verdict], power


def test_no_fleet_is_supported_along_the_railroad_of_its_power() -> None:
    """DATC 2.4, 7.B: only armies go by railroad."""
    for kind, verdict in ((UnitKind.FLEET, "illegal"), (UnitKind.ARMY, "invalid")):
        units = (Unit("RUSSIA", kind, "VLA"), Unit("FRANCE", UnitKind.ARMY, "KRA"))
        orders = {"RUSSIA": [f"{kind} VLA H"], "FRANCE": [f"A KRA S {kind} VLA - IRK"]}
        outcome = judge_orders(Board(units, map=load_map("colonial")), orders, rulebook="datc-2")
        assert outcome.results["FRANCE"] == [verdict], kind
