"""The Technical Guide's own examples, and every step of its procedure by itself."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest
from helpers import guide_removals

from satjudge.notation.sheet_reader import load_sheets, read_sheets
from satjudge.notation.sheets import Sheet
from satjudge.oracles import guide_1998 as guide
from satjudge.oracles.guide_1998 import steps
from satjudge.oracles.guide_1998.turn import Prospect, Status, Turn, build_turn, read_orders
from satjudge.world.board import Phase
from satjudge.world.geography import Power
from satjudge.world.orders import MovementOrder

CASES = Path(__file__).resolve().parents[2] / "datc_cases" / "guide-1998"
SHEETS = {sheet.identity: sheet for path in sorted(CASES.glob("*.txt")) for sheet in load_sheets(path)}
MOVEMENT = [sheet for sheet in SHEETS.values() if sheet.phase is Phase.MOVEMENT]
ADJUSTMENT = [sheet for sheet in SHEETS.values() if sheet.phase is Phase.ADJUSTMENT]


def movement_orders(sheet: Sheet) -> dict[Power, list[MovementOrder]]:
    return cast("dict[Power, list[MovementOrder]]", sheet.orders_by_power())


def verdicts(sheet: Sheet) -> list[str]:
    """The verdicts on the orders of a sheet, in its order."""
    answer = guide.judge(sheet.board, movement_orders(sheet))
    by_power = {power: iter(given) for power, given in answer.verdicts.items()}
    return [next(by_power[entry.power]) for entry in sheet.orders]


def sheet_of(text: str) -> Sheet:
    (sheet,) = read_sheets(text)
    return sheet


def judged(text: str) -> list[str]:
    return verdicts(sheet_of(text))


def begun(sheet: Sheet) -> Turn:
    return build_turn(sheet.board, read_orders(sheet.board, movement_orders(sheet)))


def listed(sheet: Sheet) -> Turn:
    """The turn after Steps 1 to 4."""
    turn = begun(sheet)
    for step in (steps.step_1, steps.step_2, steps.step_3, steps.step_4):
        step(turn)
    return turn


def convoy_list(turn: Turn) -> dict[str, set[str]]:
    return {space: {fleet.space for fleet in convoy.fleets} for space, convoy in turn.convoys.items()}


def subversion(turn: Turn) -> set[tuple[str, str]]:
    """Which convoy subverts which."""
    return {(subverter.move.space, space) for space, convoy in turn.convoys.items() for subverter in convoy.subverted_by}


def prospects(turn: Turn) -> dict[str, Prospect | None]:
    return {space: convoy.prospect for space, convoy in turn.convoys.items()}


def with_status(turn: Turn, *statuses: Status) -> set[str]:
    return {space for space, order in turn.order_at.items() if order.status in statuses}


# ---------------------------------------------------------------- the examples


@pytest.mark.parametrize("sheet", MOVEMENT, ids=lambda sheet: sheet.identity)
def test_example(sheet: Sheet) -> None:
    assert verdicts(sheet) == [entry.expected for entry in sheet.orders]


@pytest.mark.parametrize("sheet", ADJUSTMENT, ids=lambda sheet: sheet.identity)
def test_example_of_a_removal(sheet: Sheet) -> None:
    (power,) = {unit.power for unit in sheet.automatic}
    assert guide_removals.removal_order(sheet.board, power)[: len(sheet.automatic)] == sheet.automatic


def test_examples_are_complete() -> None:
    assert {path.stem for path in CASES.glob("*.txt")} == {"VI", "VII", "VIII", "IX", "XII", "XIII"}
    assert len(MOVEMENT) == 77
    for sheet in MOVEMENT:
        assert sheet.rules == "guide-1998", sheet.identity
        assert sheet.notes["source"], sheet.identity
        assert all(entry.expected for entry in sheet.orders), sheet.identity


# ---------------------------------------------------------------- orders (VI, VII, IX, XII)


@pytest.mark.parametrize(
    ("order", "verdict"),
    [
        ("F Gulf of Lyon - Spain(nc)", "illegal"),  # the wrong coast
        ("F Gulf of Lyon - Spain", "succeeds"),  # only one coast can be reached
        ("F Portugal - Spain", "illegal"),  # either can
        ("F Denmark - Sweden(nc)", "succeeds"),  # no such coast: nothing to choose
        ("A Gascony - Spain(nc)", "succeeds"),  # armies do not care about coasts
        ("A Spain - North Africa", "illegal"),
        ("A Denmark - Kiel", "succeeds"),
        ("A Constantinople - Smyrna", "succeeds"),
        ("F Baltic Sea - Skagerrak", "illegal"),
        ("F Denmark - Kiel via convoy", "illegal"),  # a fleet is not convoyed
        ("A Rome - Tyrrhenian Sea", "illegal"),
        ("A Finland - Livonia", "illegal"),
        ("F Norway - St Petersburg(nc)", "succeeds"),
        ("A Paris - Paris", "illegal"),
    ],
)
def test_moves(order: str, verdict: str) -> None:
    assert judged(f"France: {order}") == [verdict]


def test_the_space_tells_which_unit_is_meant() -> None:
    assert judged("France owns F Spain(sc)\nFrance: A Spain(nc) - Gulf of Lyon") == ["succeeds"]
    assert judged("France owns A London, F English Channel\nFrance:\nA London - Brest\nF ENG C German F London - Brest") == [
        "succeeds",
        "available",
    ]


def test_orders_to_foreign_or_missing_units_are_illegal() -> None:
    sheet = sheet_of("Germany owns A Munich\nFrance owns A Paris\nFrance:\nA Munich H\nA Paris S A Burgundy")
    assert verdicts(sheet) == ["illegal", "illegal"]


def test_a_unit_follows_its_first_order_but_for_illegal_ones_that_are_no_moves() -> None:
    """An illegal move “is as a hold order” (VII), which is a first order like others; other illegal orders are none."""
    assert judged("France: A Paris - Moscow\nA Paris - Burgundy\nA Paris - Picardy") == ["illegal", "illegal", "illegal"]
    assert judged("France: A Paris S A Moscow\nA Paris - Burgundy\nA Paris - Picardy") == ["illegal", "succeeds", "illegal"]


def test_an_illegal_order_carries_the_fate_of_a_unit_that_has_no_other() -> None:
    attack = "Germany:\nA Ruhr - Burgundy\nA Munich S A Ruhr - Burgundy\nFrance:\n"
    assert judged(attack + "A Burgundy - Moscow\nA Paris S A Burgundy")[2:] == ["illegal, dislodged", "invalid"]
    assert judged(attack + "A Burgundy - Moscow\nA Burgundy H\nA Paris S A Burgundy")[2:] == [
        "illegal, dislodged", "illegal, dislodged", "invalid",
    ]  # fmt: skip
    assert judged(attack + "A Burgundy S A Brest\nA Paris S A Burgundy")[2:] == ["illegal", "given"]
    assert judged(attack + "A Burgundy S A Brest")[2:] == ["illegal, dislodged"]
    assert judged(attack + "A Burgundy H\nA Burgundy H")[2:] == ["dislodged", "dislodged"]  # DATC 3.2, 4.D.3: the same
    assert judged(attack + "A Burgundy H\nA Burgundy - Paris")[2:] == ["dislodged", "illegal"]


def test_a_unit_without_orders_holds() -> None:
    sheet = sheet_of("France owns A Burgundy\nGermany:\nA Ruhr - Burgundy\nA Munich S A Ruhr - Burgundy")
    answer = guide.judge(sheet.board, movement_orders(sheet))
    assert answer.dislodged == {"FRANCE": {"A BUR": ["BEL", "GAS", "MAR", "PAR", "PIC"]}}
    assert answer.units == {"GERMANY": ["A BUR", "A MUN"]}


def test_support_needs_a_move_that_is_possible() -> None:
    assert judged("France:\nF MAO - Spain\nF Gascony S F MAO - Spain") == ["illegal", "invalid"]
    assert judged("France:\nF MAO - Spain(nc)\nF LYO S F MAO - Spain(sc)") == ["succeeds", "given"]
    assert judged("France:\nA Brest - Wales\nF IRI S A Brest - Wales") == ["illegal", "illegal"]
    assert judged("France:\nA Brest - Wales\nF ENG H\nF IRI S A Brest - Wales") == ["invalid", "stands", "given"]


# ---------------------------------------------------------------- Steps 1 to 4


def test_step_1_cancels_what_the_guide_marks() -> None:
    turn = begun(SHEETS["guide/VIII.1"])
    steps.step_1(turn)
    assert with_status(turn, Status.CANCELLED) == {"BOT", "TYS", "NWG", "IRI"}
    assert with_status(turn, Status.INCONSISTENT) == {"NAP", "NAO"}


def test_step_2_lists_what_the_guide_lists() -> None:
    assert convoy_list(listed(SHEETS["guide/VIII.1"])) == {
        "RUM": {"BLA"},
        "ALB": {"ION", "AEG", "EAS"},
        "LVN": {"BAL"},
        "LON": {"NTH", "ENG"},
    }


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        ("a", {}),
        ("b", {"LVN": {"BOT"}}),
        ("c", {"LVN": {"BOT", "BAL"}}),
        ("d", {"LVN": {"BOT", "BAL"}}),
        ("e", {"ALB": {"ION", "AEG"}}),
        ("f", {"LON": {"NTH", "ENG", "NAO", "NWG", "IRI"}}),
    ],
)
def test_step_2_for_the_variations(case: str, expected: dict[str, set[str]]) -> None:
    assert convoy_list(listed(SHEETS[f"guide/VIII.1-{case}"])) == expected


def test_step_1_declines_foreigners_only_if_countrymen_suffice() -> None:
    text = "France: A Brest - London\nEngland: F ENG C A Brest - London\nGermany: F MAO C A Brest - London\nF NAO H\n"
    assert convoy_list(listed(sheet_of(text))) == {"BRE": {"ENG", "MAO"}}
    assert convoy_list(listed(sheet_of(text.replace("England: F ENG", "France: F ENG")))) == {"BRE": {"ENG"}}


def test_step_1_needs_the_words_by_convoy_to_an_adjacent_province() -> None:
    text = "Russia: A Rumania - Sevastopol{}\nF Black Sea C A Rumania - Sevastopol"
    assert convoy_list(listed(sheet_of(text.format("")))) == {}
    assert convoy_list(listed(sheet_of(text.format(" by convoy")))) == {"RUM": {"BLA"}}


def test_step_3_cancels_what_the_guide_marks() -> None:
    turn = begun(SHEETS["guide/VIII.3"])
    steps.step_3(turn)
    assert with_status(turn, Status.INCONSISTENT) == {"PAR", "NTH", "SER"}


def test_step_3_leaves_no_support_to_hold_to_an_army_whose_convoy_was_cancelled() -> None:
    assert judged("Turkey: A Greece - Naples\nA Bulgaria S A Greece\nItaly: F Ionian H") == ["invalid", "invalid", "stands"]


def test_step_4_exceptions() -> None:
    assert with_status(listed(SHEETS["guide/VIII.4-A"]), Status.CUT) == set()
    assert with_status(listed(SHEETS["guide/VIII.4-B"]), Status.CUT) == set()
    assert with_status(listed(SHEETS["guide/VIII.4-B-a"]), Status.CUT) == {"TYR"}


def test_step_4_leaves_convoyed_attacks_to_step_8() -> None:
    text = "Germany: A Holland S A Belgium\nA Belgium H\nEngland: A Yorkshire - Holland\nF North Sea C A Yorkshire - Holland"
    turn = listed(sheet_of(text))
    assert with_status(turn, Status.CUT) == set()
    steps.step_5(turn)
    assert steps.step_8(turn)
    assert with_status(turn, Status.CUT) == {"HOL"}


def test_a_support_is_cut_in_the_end_by_dislodging_the_supporter() -> None:
    austria = "Austria: A Silesia - Munich\nA Tyrolia S A Silesia - Munich\n"
    germany = "Germany: A Munich - Tyrolia\nA Bohemia S A Munich - Tyrolia"
    assert judged(austria + germany) == ["succeeds", "cut, dislodged", "succeeds", "given"]


# ---------------------------------------------------------------- Steps 5 to 13


FIVE = {
    ("RUM", "RUM"),
    ("TUN", "PIE"),
    ("PIE", "GAS"),
    ("GAS", "EDI"),
    ("EDI", "HOL"),
    ("HOL", "GAS"),
}
"""The annotations of Step 5's convoy list."""


def test_step_5_finds_what_the_guide_lists() -> None:
    turn = listed(SHEETS["guide/VIII.5"])
    steps.step_5(turn)
    assert convoy_list(turn) == {
        "RUM": {"BLA"},
        "BUL": {"AEG", "EAS"},
        "GRE": {"ION"},
        "TUN": {"TYS"},
        "PIE": {"LYO"},
        "GAS": {"NAO", "MAO"},
        "EDI": {"NWG"},
        "HOL": {"NTH", "ENG"},
    }
    assert subversion(turn) == FIVE


def test_step_5_exception_a() -> None:
    for case in ("guide/VIII.5-A", "guide/VIII.5-a"):
        turn = listed(SHEETS[case])
        steps.step_5(turn)
        assert subversion(turn) == set(), case


def test_steps_6_to_8_in_the_guides_own_order() -> None:
    turn = listed(SHEETS["guide/VIII.5"])
    steps.step_5(turn)
    assert steps.step_6(turn)
    assert set(turn.dislodged) == {"ION"}
    steps.step_7(turn)
    assert "GRE" not in turn.convoys
    assert turn.order_at["GRE"].status is Status.CANCELLED
    assert steps.step_8(turn)
    assert with_status(turn, Status.CUT) == {"SMY", "TUS"}
    steps.step_5(turn)  # the second time round
    assert subversion(turn) == FIVE - {("TUN", "PIE")}
    assert not steps.step_6(turn)
    assert steps.step_8(turn)
    assert with_status(turn, Status.CUT) == {"SMY", "TUS", "SPA"}
    steps.step_5(turn)  # the third
    assert subversion(turn) == FIVE - {("TUN", "PIE"), ("PIE", "GAS")}
    assert not steps.step_6(turn)
    assert not steps.step_8(turn)


def test_step_9_ends_where_the_guide_ends() -> None:
    turn = listed(SHEETS["guide/VIII.5"])
    steps.step_9(turn)
    assert subversion(turn) == {("RUM", "RUM"), ("GAS", "EDI"), ("EDI", "HOL"), ("HOL", "GAS")}


@pytest.mark.parametrize(
    ("case", "subverting", "adjectives"),
    [
        (
            "guide/VIII.10.1",
            {("RUM", "RUM"), ("APU", "APU"), ("PIC", "NWY"), ("NWY", "PIC")},
            {"RUM": Prospect.FUTILE, "APU": Prospect.INDOMITABLE, "PIC": Prospect.INDOMITABLE, "NWY": Prospect.FUTILE},
        ),
        (
            "guide/VIII.10.2",
            {("RUM", "RUM"), ("APU", "APU"), ("PIC", "NWY"), ("NWY", "PIC")},
            {"RUM": Prospect.CONFUSED, "APU": None, "PIC": Prospect.CONFUSED, "NWY": None},
        ),
        (
            "guide/VIII.11.1",
            {("RUM", "RUM"), ("APU", "APU"), ("ROM", "NAF"), ("NAF", "ROM"), ("PIC", "NWY"), ("NWY", "PIC"), ("SWE", "SWE")},
            {
                "RUM": Prospect.CONFUSED,
                "APU": None,
                "ROM": Prospect.CONFUSED,  # see the erratum in the sheet
                "NAF": Prospect.FUTILE,
                "PIC": Prospect.INDOMITABLE,
                "NWY": None,
                "SWE": Prospect.INDOMITABLE,
            },
        ),
        (
            "guide/VIII.11.1-a",
            {("ROM", "NAF"), ("NAF", "ROM")},
            {"ROM": Prospect.CONFUSED, "NAF": Prospect.INDOMITABLE},
        ),
        (
            "guide/VIII.11.2",
            {("WAL", "GAS"), ("GAS", "NWY"), ("NWY", "WAL")},
            {"WAL": Prospect.INDOMITABLE, "GAS": Prospect.CONFUSED, "NWY": None},
        ),
        (
            "guide/VIII.13",
            {("WAL", "GAS"), ("GAS", "NWY"), ("NWY", "WAL")},
            {"WAL": Prospect.CONFUSED, "GAS": Prospect.CONFUSED, "NWY": None},
        ),
    ],
)
def test_step_10_finds_the_adjectives_of_the_guide(
    case: str, subverting: set[tuple[str, str]], adjectives: dict[str, Prospect | None]
) -> None:
    turn = listed(SHEETS[case])
    steps.step_9(turn)
    assert subversion(turn) == subverting
    broken = steps.step_10(turn)
    assert prospects(turn) == adjectives
    assert broken == (not {Prospect.FUTILE, Prospect.INDOMITABLE}.isdisjoint(adjectives.values()))


def after_step_10(case: str) -> Turn:
    turn = listed(SHEETS[case])
    steps.step_9(turn)
    steps.step_10(turn)
    return turn


def test_step_11_first_example_pass_by_pass() -> None:
    turn = after_step_10("guide/VIII.11.1")
    steps.step_5(turn)
    assert subversion(turn) == {("RUM", "RUM"), ("APU", "APU"), ("PIC", "NWY")}
    assert steps.step_6(turn)
    steps.step_7(turn)
    assert set(turn.convoys) == {"RUM", "APU", "ROM", "PIC", "NWY", "SWE"}
    steps.step_8(turn)
    assert with_status(turn, Status.CUT) == {"LON", "TUN", "LVN"}
    steps.step_5(turn)
    assert subversion(turn) == {("RUM", "RUM"), ("APU", "APU")}
    assert not steps.step_6(turn)
    steps.step_8(turn)
    assert with_status(turn, Status.CUT) == {"LON", "TUN", "LVN", "BEL"}
    steps.step_5(turn)
    assert subversion(turn) == {("RUM", "RUM"), ("APU", "APU")}
    assert not steps.step_6(turn)
    assert not steps.step_8(turn)


def test_step_11_second_example() -> None:
    turn = after_step_10("guide/VIII.11.2")
    steps.step_11(turn)
    assert set(turn.convoys) == {"WAL"}
    assert set(turn.dislodged) == {"MAO", "NTH"}
    assert with_status(turn, Status.CUT) == {"BRE"}


def test_steps_12_and_13_share_the_circles_of_the_second_example() -> None:
    turn = after_step_10("guide/VIII.10.2")
    steps.step_12(turn)
    assert set(turn.convoys) == {"RUM", "PIC", "NWY"}
    assert set(turn.dislodged) == {"ADR"}
    steps.step_13(turn)
    assert turn.convoys == {}
    assert set(turn.dislodged) == {"ADR"}
    assert with_status(turn, Status.CANCELLED) == {"RUM", "APU", "PIC", "NWY", "CON", "BUL", "IRI", "YOR"}
    assert with_status(turn, Status.CUT) == set()


def test_step_13_cancels_the_attacks_on_all_fleets_of_the_circle() -> None:
    text = SHEETS["guide/VIII.13"]
    turn = after_step_10(text.identity)
    steps.step_12(turn)
    steps.step_13(turn)
    assert with_status(turn, Status.CANCELLED) == {"WAL", "GAS", "NWY", "YOR", "PIC", "IRI", "NAF"}
    assert with_status(turn, Status.CONFOUNDED) == {"ENG", "MAO", "NTH"}


# ---------------------------------------------------------------- Steps 14 to 20


def test_step_14_lets_the_ring_advance_or_breaks_it() -> None:
    turn = begun(SHEETS["guide/VIII.14"])
    steps.step_14(turn)
    assert with_status(turn, Status.ADVANCED) == {"MUN", "BOH", "TYR"}
    turn = begun(SHEETS["guide/VIII.14-a"])
    steps.step_14(turn)
    assert with_status(turn, Status.CANCELLED) == {"BOH", "VEN"}
    assert with_status(turn, Status.IN_FORCE) == {"MUN", "TYR"}
    assert turn.standoffs == {"TYR"}


def test_step_14_two_units_need_a_convoy() -> None:
    text = "England: A Norway - Sweden{}\nF Skagerrak C A Norway - Sweden\nRussia: A Sweden - Norway"
    assert judged(text.format(" by convoy")) == ["succeeds", "available", "succeeds"]
    assert judged(text.format("")) == ["fails", "invalid", "fails"]


def test_step_14_notes_a_standoff_that_no_one_may_retreat_into() -> None:
    text = """
    Germany:
    A Munich - Bohemia
    Austria:
    A Bohemia - Tyrolia
    A Tyrolia - Munich
    A Trieste S A Tyrolia - Munich
    Italy:
    A Venice - Tyrolia
    """
    turn = begun(sheet_of(text))
    steps.run_steps(turn)
    assert turn.standoffs == {"TYR"}


@pytest.mark.parametrize(
    ("case", "balanced"),
    [("15", True), ("15-a", True), ("15-b", False), ("15-c", True), ("17-b", True), ("17.2", True), ("17.2-a", False)],
)
def test_step_15_balance(case: str, balanced: bool) -> None:
    (battle,) = steps.step_15(listed(SHEETS[f"guide/VIII.{case}"]))
    assert battle.balanced is balanced


def test_step_15_names_the_stronger() -> None:
    (battle,) = steps.step_15(listed(SHEETS["guide/VIII.15-b"]))
    assert (battle.stronger.space, battle.weaker.space) == ("AEG", "ION")


UNBALANCED = """
Germany:
A Munich - Tyrolia
A Bohemia S A Munich - Tyrolia
Austria:
A Tyrolia - Munich
"""


def test_step_16_the_weaker_dislodged_by_the_stronger_has_no_effect() -> None:
    assert judged(UNBALANCED + "Russia: A Berlin - Munich") == ["succeeds", "given", "fails, dislodged", "succeeds"]


def test_step_16_the_weaker_dislodged_from_outside_still_saves_the_stronger() -> None:
    outside = "Italy:\nA Venice - Tyrolia\nA Piedmont S A Venice - Tyrolia\nA Trieste S A Venice - Tyrolia\n"
    attack = "France:\nA Burgundy - Munich\n"
    found = judged(UNBALANCED + outside + attack)
    assert found == ["fails", "given", "fails, dislodged", "succeeds", "given", "given", "fails"]
    support = "A Ruhr S A Burgundy - Munich\n"
    found = judged(UNBALANCED + outside + attack + support)
    assert found == ["fails, dislodged", "given", "fails, dislodged", "succeeds", "given", "given", "succeeds", "given"]


def test_step_16_the_weaker_never_dislodges_the_stronger() -> None:
    text = """
    Germany:
    A Munich - Tyrolia
    A Bohemia S A Munich - Tyrolia
    A Vienna S A Munich - Tyrolia
    Austria:
    A Tyrolia - Munich
    A Silesia S A Tyrolia - Munich
    Italy:
    A Venice - Tyrolia
    A Trieste S A Venice - Tyrolia
    A Piedmont S A Venice - Tyrolia
    """
    assert judged(text) == ["fails", "given", "given", "fails", "given", "fails", "given", "given"]


def test_step_17_saves_both_from_each_other() -> None:
    turn = listed(SHEETS["guide/VIII.15"])
    steps.step_17(turn, steps.step_15(turn))
    assert {attack.space for attack in turn.attacks} == {"BLA"}
    assert turn.dislodged == {}


def test_step_18_lists_no_space_that_a_unit_may_leave() -> None:
    turn = listed(SHEETS["guide/VIII.18"])
    loops = []
    while targets := steps.step_18(turn):
        loops.append(targets)
        steps.step_19(turn, targets)
    assert loops == [["ALB", "ION", "NWY"], ["NTH", "TRI"], ["VEN"]]


def test_steps_18_to_20_in_the_thorough_example() -> None:
    turn = listed(SHEETS["guide/VIII.20"])
    loops = []
    while targets := steps.step_18(turn):
        loops.append(targets)
        steps.step_19(turn, targets)
    assert loops == [["BOT", "SWE", "TUN", "WAR"], ["PRU", "STP", "WES"], ["SPA"]]


def test_step_19_support_by_the_defenders_countryman_counts_against_rivals_only() -> None:
    text = "England: F North Sea H\nF Yorkshire S F Norway - North Sea\nRussia: F Norway - North Sea\n"
    rival = "France: F Belgium - North Sea\n"
    assert judged(text) == ["stands", "given", "fails"]
    assert judged(text + "F Skagerrak S F Norway - North Sea\n" + rival + "F Holland S F Belgium - North Sea") == [
        "dislodged",
        "given",
        "succeeds",
        "given",
        "fails",
        "given",
    ]


def test_step_20_never_waits_for_ever_on_the_examples() -> None:
    for sheet in MOVEMENT:
        turn = begun(sheet)
        steps.run_steps(turn)
        assert turn.attacks == [], sheet.identity


def test_step_20_says_so_if_it_comes_to_no_end() -> None:
    turn = begun(SHEETS["guide/VIII.14"])
    with pytest.raises(steps.UnresolvedMovesError, match="BOH, MUN, TYR"):
        steps.step_18_to_20(turn)


# ---------------------------------------------------------------- retreats (XI)


def dislodged(text: str) -> dict[str, dict[str, list[str]]]:
    sheet = sheet_of(text)
    return guide.judge(sheet.board, movement_orders(sheet)).dislodged


def test_retreats_not_into_occupied_spaces_standoffs_or_back() -> None:
    text = """
    Germany:
    A Munich H
    Austria:
    A Tyrolia - Munich
    A Bohemia S A Tyrolia - Munich
    France:
    A Paris - Burgundy
    Italy:
    A Marseilles - Burgundy
    Russia:
    A Prussia - Berlin
    """
    assert dislodged(text) == {"GERMANY": {"A MUN": ["KIE", "RUH", "SIL"]}}


def test_retreats_to_where_a_convoyed_attacker_came_from() -> None:
    text = """
    Russia:
    A Finland H
    Germany:
    A Sweden - Finland{}
    F Gulf of Bothnia C A Sweden - Finland
    A Norway S A Sweden - Finland
    """
    assert dislodged(text.format("")) == {"RUSSIA": {"A FIN": ["STP"]}}
    assert dislodged(text.format(" by convoy")) == {"RUSSIA": {"A FIN": ["STP", "SWE"]}}


def test_a_fleet_may_choose_between_coasts() -> None:
    text = "France: F MAO H\nEngland: F ENG - MAO\nF IRI S F ENG - MAO\nF NAO H\nF WES H\nA Brest H\nA Gascony H\nF NAF H"
    assert dislodged(text) == {"FRANCE": {"F MAO": ["POR", "SPA/NC", "SPA/SC"]}}


# ---------------------------------------------------------------- removals (XIII)


def test_the_alphabet_has_every_space_of_the_map_once() -> None:
    assert sorted(guide_removals.ALPHABET) == sorted(sheet_of("France: A Paris H").map.provinces)


def test_distances_of_the_text() -> None:
    board = SHEETS["guide/XIII.1"].board
    assert [guide_removals.distance_from_home(board.map, unit) for unit in board.units] == [2, 3]


def test_removal_order() -> None:
    sheet = sheet_of("phase: adjustment\nFrance owns A Ruhr, F North Sea, A Belgium, F Irish Sea, F London, A Paris, F Clyde")
    order = [str(unit) for unit in guide_removals.removal_order(sheet.board, "FRANCE")]
    assert order == ["F CLY", "F IRI", "F LON", "F NTH", "A BEL", "A RUH", "A PAR"]
