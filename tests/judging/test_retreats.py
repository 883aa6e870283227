"""The retreat phase, beyond the DATC's cases (6.H): coasts, clashes, and orders that do not count."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from helpers.boards import split

from satjudge.judging.judge import judge, judge_phase
from satjudge.judging.retreats import RetreatOutcome, judge_retreats
from satjudge.notation.parse import parse_unit
from satjudge.world.board import Board, DislodgedUnit, Phase, by_power
from satjudge.world.geography import load_map
from satjudge.world.rules import load_rulebook

MAP = load_map()


def retreated(
    dislodged: Mapping[str, Mapping[str, str]], orders: Mapping[str, str], units: Mapping[str, str] | None = None
) -> RetreatOutcome:
    """Each power's dislodged units with where they can go, its orders, and the units that stand, divided by commas."""
    lost = tuple(
        DislodgedUnit(parse_unit(unit, power, MAP), tuple(retreats.split()))
        for power, entries in dislodged.items()
        for unit, retreats in entries.items()
    )
    standing = tuple(parse_unit(unit, power, MAP) for power, text in (units or {}).items() for unit in split(text))
    board = Board(standing, lost, {"PAR": "FRANCE"}, Phase.RETREAT)
    outcome = judge_phase(board, {power: split(text) for power, text in orders.items()})
    assert isinstance(outcome, RetreatOutcome)
    return outcome


def test_a_retreat() -> None:
    outcome = retreated({"FRANCE": {"A BUR": "GAS PAR"}}, {"FRANCE": "A BUR - GAS"}, {"GERMANY": "A BUR"})
    assert outcome.results == {"FRANCE": ["succeeds"]}
    assert outcome.reasons == {"FRANCE": [None]}
    assert by_power(outcome.units) == {"GERMANY": ["A BUR"], "FRANCE": ["A GAS"]}
    after = outcome.next_board
    assert (after.phase, after.dislodged, after.centers) == (Phase.MOVEMENT, (), {"PAR": "FRANCE"})
    assert after.units == outcome.units


def test_a_disbandment() -> None:
    outcome = retreated({"FRANCE": {"A BUR": "GAS PAR"}}, {"FRANCE": "A BUR D"})
    assert outcome.results == {"FRANCE": ["succeeds"]}
    assert outcome.units == ()


def test_a_destroyed_unit_may_be_disbanded_but_not_moved() -> None:
    outcome = retreated({"FRANCE": {"A BUR": ""}}, {"FRANCE": "A BUR - GAS, A BUR D"})
    assert outcome.results == {"FRANCE": ["illegal", "succeeds"]}
    assert outcome.reasons["FRANCE"][0] == "A BUR cannot retreat to GAS; it can go to: nowhere"


def test_a_unit_without_an_order_is_disbanded() -> None:
    outcome = retreated({"FRANCE": {"A BUR": "GAS"}, "ITALY": {"A VEN": "TUS"}}, {"ITALY": "A VEN R TUS"})
    assert by_power(outcome.units) == {"ITALY": ["A TUS"]}
    assert outcome.results == {"ITALY": ["succeeds"]}


# ---- two retreats to one province (6.H.7, 6.H.8) ----


def test_two_retreats_to_one_province_fail_whoever_makes_them() -> None:
    outcome = retreated(
        {"FRANCE": {"A BUR": "GAS", "A SPA": "GAS"}, "ITALY": {"A MAR": "PIE"}},
        {"FRANCE": "A BUR - GAS, A SPA - GAS", "ITALY": "A MAR - PIE"},
    )
    assert outcome.results == {"FRANCE": ["fails", "fails"], "ITALY": ["succeeds"]}
    assert by_power(outcome.units) == {"ITALY": ["A PIE"]}


def test_two_retreats_to_different_coasts_are_two_retreats_to_one_province() -> None:
    outcome = retreated(
        {"FRANCE": {"F GAS": "SPA/NC"}, "ITALY": {"F LYO": "SPA/SC"}},
        {"FRANCE": "F GAS - SPA/NC", "ITALY": "F LYO - SPA/SC"},
    )
    assert outcome.results == {"FRANCE": ["fails"], "ITALY": ["fails"]}
    assert outcome.units == ()


def test_a_fleet_and_an_army_to_one_province() -> None:
    outcome = retreated(
        {"FRANCE": {"F GAS": "SPA/NC"}, "ITALY": {"A MAR": "SPA"}},
        {"FRANCE": "F GAS - SPA/NC", "ITALY": "A MAR - SPA"},
    )
    assert outcome.results == {"FRANCE": ["fails"], "ITALY": ["fails"]}


def test_an_illegal_retreat_stands_in_nobodys_way() -> None:
    outcome = retreated(
        {"FRANCE": {"A BUR": "PAR"}, "ITALY": {"A MAR": "GAS"}},
        {"FRANCE": "A BUR - GAS", "ITALY": "A MAR - GAS"},
    )
    assert outcome.results == {"FRANCE": ["illegal"], "ITALY": ["succeeds"]}
    assert by_power(outcome.units) == {"ITALY": ["A GAS"]}


def test_a_second_order_for_a_unit_stands_in_nobodys_way() -> None:
    outcome = retreated(
        {"FRANCE": {"A BUR": "GAS PAR"}, "ITALY": {"A MAR": "GAS"}},
        {"FRANCE": "A BUR - PAR, A BUR - GAS", "ITALY": "A MAR - GAS"},
    )
    assert outcome.results == {"FRANCE": ["succeeds", "illegal"], "ITALY": ["succeeds"]}


# ---- coasts (4.B.1 to 4.B.6) ----


@pytest.mark.parametrize(
    ("unit", "retreats", "order", "result", "arrives"),
    [
        ("F POR", "MAO SPA/NC SPA/SC", "F POR - SPA", "illegal", None),
        ("F POR", "MAO SPA/NC SPA/SC", "F POR - SPA/WC", "illegal", None),
        ("F POR", "MAO SPA/NC SPA/SC", "F POR - SPA/SC", "succeeds", "F SPA/SC"),
        ("F GAS", "BRE SPA/NC", "F GAS - SPA", "succeeds", "F SPA/NC"),
        ("F GAS", "BRE SPA/NC", "F GAS - SPA/SC", "illegal", None),
        ("F GAS", "BRE SPA/NC", "F GAS - SPA/EC", "succeeds", "F SPA/NC"),
        ("F GAS", "BRE SPA/NC", "F GAS - BRE/EC", "succeeds", "F BRE"),
        ("F SPA/SC", "MAR POR", "F SPA/NC - MAR", "succeeds", "F MAR"),
        ("F BRE", "GAS", "A BRE - GAS", "succeeds", "F GAS"),
        ("F BRE", "GAS", "BRE - GAS", "succeeds", "F GAS"),
        ("A GAS", "BRE SPA", "A GAS - SPA(nc)", "succeeds", "A SPA"),
        ("A GAS", "BRE SPA", "A GAS - SPA", "succeeds", "A SPA"),
        ("A GAS", "BRE SPA", "F GAS - BRE/EC", "succeeds", "A BRE"),
    ],
)
def test_coasts(unit: str, retreats: str, order: str, result: str, arrives: str | None) -> None:
    outcome = retreated({"FRANCE": {unit: retreats}}, {"FRANCE": order})
    assert outcome.results == {"FRANCE": [result]}
    assert [str(unit) for unit in outcome.units] == ([arrives] if arrives else [])


def test_an_ambiguous_coast_says_which_there_are() -> None:
    outcome = retreated({"FRANCE": {"F POR": "MAO SPA/NC SPA/SC"}}, {"FRANCE": "F POR - SPA"})
    assert outcome.reasons == {"FRANCE": ["the coast must be named: SPA/NC or SPA/SC (4.B.1)"]}


# ---- orders that do not count ----


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        ("A BUR - MUN", "A BUR cannot retreat to MUN; it can go to: GAS, PAR"),
        ("A MAR - GAS", "France has no dislodged unit in MAR"),
        ("A MAR D", "France has no dislodged unit in MAR"),
        ("A VEN - TUS", "France has no dislodged unit in VEN"),
        ("A VEN D", "France has no dislodged unit in VEN"),
        ("A BUR H", "only retreats and disbandments are ordered in a retreat phase (6.H.1, 6.H.3, 6.H.4)"),
        ("A MAR S A BUR - GAS", "only retreats and disbandments are ordered in a retreat phase (6.H.1, 6.H.3, 6.H.4)"),
        ("F LYO C A BUR - ROM", "only retreats and disbandments are ordered in a retreat phase (6.H.1, 6.H.3, 6.H.4)"),
        ("Build A Paris", "only retreats and disbandments are ordered in a retreat phase (6.H.1, 6.H.3, 6.H.4)"),
        ("WAIVE", "only retreats and disbandments are ordered in a retreat phase (6.H.1, 6.H.3, 6.H.4)"),
    ],
)
def test_illegal(order: str, reason: str) -> None:
    """A unit that stands, one of another power, a place it cannot go to, orders of other phases."""
    outcome = retreated(
        {"FRANCE": {"A BUR": "GAS PAR"}, "ITALY": {"A VEN": "TUS"}},
        {"FRANCE": order, "ITALY": "A VEN - TUS"},
        {"FRANCE": "A MAR", "ITALY": "F LYO"},
    )
    assert outcome.results == {"FRANCE": ["illegal"], "ITALY": ["succeeds"]}
    assert outcome.reasons == {"FRANCE": [reason], "ITALY": [None]}
    assert by_power(outcome.units) == {"FRANCE": ["A MAR"], "ITALY": ["F LYO", "A TUS"]}


def test_the_first_legal_order_counts() -> None:
    """4.D.3, as in a movement phase: an illegal order before it is ignored."""
    outcome = retreated({"FRANCE": {"A BUR": "GAS PAR"}}, {"FRANCE": "A BUR - MUN, A BUR - PAR, A BUR D, A BUR - GAS"})
    assert outcome.results == {"FRANCE": ["illegal", "succeeds", "illegal", "illegal"]}
    assert ["(4.D.3)" in (reason or "") for reason in outcome.reasons["FRANCE"]] == [False, False, True, True]
    assert by_power(outcome.units) == {"FRANCE": ["A PAR"]}


def test_the_same_retreat_twice_is_followed() -> None:
    """4.D.3: “if the orders are the same, then it should just follow that order”."""
    lost = {"FRANCE": {"A BUR": "GAS PAR"}, "ITALY": {"A VEN": "TUS"}}
    outcome = retreated(lost, {"FRANCE": "A BUR - PAR, Army Burgundy retreats to Paris", "ITALY": "A VEN D, Disband A Venice"})
    assert outcome.results == {"FRANCE": ["succeeds", "succeeds"], "ITALY": ["succeeds", "succeeds"]}
    assert by_power(outcome.units) == {"FRANCE": ["A PAR"]}


def test_nothing_retreats_by_convoy() -> None:
    """Guide XII, 4.E.1: illegal. A rulebook may have it that the words are ignored."""
    outcome = retreated({"FRANCE": {"A BUR": "GAS PAR"}}, {"FRANCE": "A BUR - PAR via convoy"})
    assert outcome.results == {"FRANCE": ["illegal"]}
    assert outcome.reasons == {"FRANCE": ["no unit retreats by convoy (4.E.1.via)"]}
    ignored = load_rulebook().with_settings(["4.E.1.via=ignored"])
    outcome = judge_retreats(outcome.board, outcome.orders, rulebook=ignored)
    assert outcome.results == {"FRANCE": ["succeeds"]}


def test_a_disbandment_that_comes_first_counts_as_well() -> None:
    outcome = retreated({"FRANCE": {"A BUR": "GAS PAR"}}, {"FRANCE": "A BUR D, A BUR - PAR"})
    assert outcome.results == {"FRANCE": ["succeeds", "illegal"]}
    assert outcome.units == ()


# ---- after a movement phase ----


def test_the_retreats_that_a_movement_phase_leaves() -> None:
    """4.A.5: from Belgium to Picardy, where the attacker came from by convoy; not to Holland, which is contested."""
    board = Board(
        tuple(
            parse_unit(unit, power, MAP)
            for power, text in {"FRANCE": "A PIC, A BUR, F ENG", "ENGLAND": "A BEL", "GERMANY": "A KIE, F HEL"}.items()
            for unit in split(text)
        )
    )
    moved = judge(
        board,
        {
            "FRANCE": ["A PIC - BEL VIA", "A BUR S A PIC - BEL", "F ENG C A PIC - BEL"],
            "GERMANY": ["A KIE - HOL", "F HEL - HOL"],
        },
    )
    after = moved.next_board
    assert after.phase is Phase.RETREAT
    outcome = judge_phase(after, {"ENGLAND": ["A BEL - HOL", "A BEL - PIC"]})
    assert outcome.results == {"ENGLAND": ["illegal", "succeeds"]}
    assert sorted(by_power(outcome.units)["ENGLAND"]) == ["A PIC"]
