"""Test cases in jDip's format: reading them, what is compared, and errors with their line."""

from __future__ import annotations

import pytest

from satjudge.base.errors import InputError
from satjudge.engines.documents.campaigns import ReplayedDifference
from satjudge.engines.replaying import Replayed, replay_case
from satjudge.files.jdip import JdipCase, read_cases
from satjudge.judging.judge import judge
from satjudge.world.board import Phase
from satjudge.world.geography import load_map
from satjudge.world.rules import load_rulebook

HEAD = "VARIANT_ALL Standard\n"
DISLODGED = """
# Trieste is taken; the Austrian fleet has to go
CASE one (Trieste)
PRESTATE_SETPHASE Spring 1901, Movement   # the phase
PRESTATE
\tItaly: A ven
\tItaly A tyr          # no colon
\tAustria: F tri
ORDERS
\tItaly: A ven-tri
\tItally: A tyr SUPPORTS A ven - tri     # misspelt
\tAustria: F tri HOLD
POSTSTATE
\tItaly: A tri
\tItaly: a tyr
POSTSTATE_DISLODGED
\tAustria: F tri
END
"""
RETREAT = """
CASE two
PRESTATE_SETPHASE Fall 1901, Retreat
PRESTATE
  Italy: A tri
  Italy: A tyr
  Austria: A bud
PRESTATE_DISLODGED
  Austria: A tri
PRESTATE_RESULTS
  SUCCESS: Italy: A ven-tri
  SUCCESS: Italy: A tyr S ven-tri
  FAILURE: Austria: A tri H
  FAILURE: Austria: A bud-ser
  FAILURE: Turkey: A bul-ser
ORDERS
  Austria: A tri-{}
POSTSTATE
  Italy: A tri
  Italy: A tyr
  Austria: A bud
{}END
"""
BUILD = """
CASE three
PRESTATE_SETPHASE {}
PRESTATE_SUPPLYCENTER_OWNERS
  Russia: A stp
  Russia: F mos
  Turkey: ankara
PRESTATE
  Russia: A mos
  Turkey: A con
  Turkey: F bla
ORDERS
  Russia: Build F stp/nc
POSTSTATE
  Russia: A mos
  Russia: F stp/nc
  Turkey: A con
END
"""


def the_case(text: str) -> JdipCase:
    (case,) = read_cases((HEAD + text).encode(), "cases.txt")
    return case


def checked(text: str) -> Replayed:
    return replay_case(the_case(text), load_rulebook())


def differences(text: str) -> list[tuple[str, str, str, str]]:
    different = checked(text).different
    assert different
    return [(entry.what, entry.power, entry.satjudge, entry.file) for entry in different.differences]


def test_a_case_is_read() -> None:
    case = the_case(DISLODGED)
    assert (case.title, case.line, case.phase) == ("one (Trieste)", 4, Phase.MOVEMENT)
    assert [f"{unit.power} {unit}" for unit in case.units] == ["ITALY A VEN", "ITALY A TYR", "AUSTRIA F TRI"]
    assert {power: [str(order) for order in orders] for power, orders in case.orders.items()} == {
        "ITALY": ["A VEN - TRI", "A TYR S A VEN - TRI"],
        "AUSTRIA": ["F TRI H"],
    }
    assert [str(unit) for unit in case.after] == ["A TRI", "A TYR"]
    assert [str(unit) for unit in case.lost] == ["F TRI"]


def test_a_case_that_comes_out_as_expected() -> None:
    assert checked(DISLODGED) == Replayed("one (Trieste)")


def test_other_positions_and_other_dislodgements_are_differences() -> None:
    wrong = DISLODGED.replace("Italy: A tri\n", "Italy: A ven\n")
    assert differences(wrong) == [("units", "ITALY", "A TRI", "A VEN")]
    silent = DISLODGED.replace("POSTSTATE_DISLODGED\n\tAustria: F tri\n", "")
    assert differences(silent) == [("dislodged", "AUSTRIA", "F TRI", "")]
    different = checked(silent).different
    assert different
    assert [str(entry.order) for entry in different.orders] == ["A VEN - TRI", "A TYR S A VEN - TRI", "F TRI H"]
    assert different.differences == [ReplayedDifference("dislodged", "AUSTRIA", "F TRI", "")]


def test_the_units_stand_as_before() -> None:
    bounce = (
        "CASE x\nPRESTATE\nAustria: A vie\nItaly: A ven\nORDERS\nAustria: A vie-tyr\nItaly: A ven-tyr\nPOSTSTATE_SAME\nEND\n"
    )
    assert checked(bounce).different is None
    assert differences(bounce.replace("Italy: A ven-tyr\n", "")) == [("units", "AUSTRIA", "A TYR", "A VIE")]


@pytest.mark.parametrize("listed", [True, False])
def test_a_destroyed_unit_need_not_be_listed(listed: bool) -> None:
    """DATC 6.D.8: Greece has no retreat."""
    text = """
CASE x
PRESTATE
Austria: A ser
Austria: A alb
Austria: F ion
Austria: F aeg
Turkey: A gre
Turkey: A bul
ORDERS
Austria: A ser S A alb-gre
Austria: A alb-gre
POSTSTATE
Austria: A ser
Austria: A gre
Austria: F ion
Austria: F aeg
Turkey: A bul
""" + ("POSTSTATE_DISLODGED\nTurkey: A gre\n" if listed else "")
    assert checked(text + "END\n").different is None


@pytest.mark.parametrize(
    ("destination", "stands"),
    [
        ("alb", True),
        ("vie", True),
        ("ven", False),  # where the attacker came from
        ("ser", False),  # contested
        ("bud", False),  # occupied
    ],
)
def test_retreats_after_the_moves(destination: str, stands: bool) -> None:
    """DATC 6.H: what PRESTATE_RESULTS lists is judged again, for the attackers and the standoffs."""
    after = f"  Austria: A {destination}\n" if stands else ""
    assert checked(RETREAT.format(destination, after)).different is None


@pytest.mark.parametrize(
    ("destination", "stands"),
    [("vie", True), ("ven", False), ("ser", False), ("bud", False)],
)
def test_retreats_where_the_moves_before_would_not_dislodge(destination: str, stands: bool) -> None:
    """Then success and failure are taken as stated: here the support is missing."""
    text = RETREAT.replace("  SUCCESS: Italy: A tyr S ven-tri\n", "  SUCCESS: Italy: A tyr H\n")
    after = f"  Austria: A {destination}\n" if stands else ""
    assert checked(text.format(destination, after)).different is None


def test_the_failed_move_of_a_dislodged_unit_contests_nothing() -> None:
    """DATC 6.H.9: Berlin is left by the attacker, and open to Kiel."""
    text = """
CASE 6.H.9 (without the support in Silesia)
PRESTATE_SETPHASE Spring 1901, Retreat
PRESTATE
England: F kie
Germany: A pru
PRESTATE_DISLODGED
Russia: A pru
Germany: F kie
PRESTATE_RESULTS
SUCCESS: England: F hel-kie
FAILURE: Germany: F kie H
SUCCESS: Germany: A ber-pru
FAILURE: Russia: A pru-ber
ORDERS
Germany: F kie-ber
Russia: A pru-ber
POSTSTATE
England: F kie
Germany: A pru
Germany: F ber
END
"""
    assert checked(text).different is None


def test_retreats_without_the_moves_before() -> None:
    """Nothing is known of attackers and standoffs then."""
    start, end = RETREAT.index("PRESTATE_RESULTS"), RETREAT.index("ORDERS")
    text = RETREAT[:start] + RETREAT[end:]
    assert checked(text.format("ven", "  Austria: A ven\n")).different is None
    assert checked(text.format("bud", "")).different is None


@pytest.mark.parametrize("phase", ["Fall 1901, Adjustment", "winter 1901, adjustment", "F1901B", "W1901A"])
def test_builds_and_removals_by_civil_disorder(phase: str) -> None:
    assert checked(BUILD.format(phase)) == Replayed("three")


def test_without_owners_the_centres_are_those_of_the_first_turn() -> None:
    text = "CASE x\nPRESTATE_SETPHASE F1901A\nPRESTATE\nFrance: A gas\nORDERS\nFrance: Build A par\nPOSTSTATE\n"
    assert checked(text + "France: A gas\nFrance: A par\nEND\n").different is None


def test_a_case_can_be_judged_by_another_rulebook() -> None:
    """DATC 4.A.3, 6.G.8."""
    text = """
CASE x
PRESTATE
France: A bel
England: F nth
ORDERS
France: A bel-hol via convoy
POSTSTATE
France: A hol
England: F nth
END
"""
    assert checked(text).different
    assert replay_case(the_case(text), load_rulebook("datc-2")).different is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("CASE x\nPRESTATE\nFrance: A bre\n", r"line 2: the case has no END"),
        ("CASE x\nPRESTATE_SETPHASE Tuesday\nEND\n", r"line 3: there is no phase 'Tuesday'"),
        ("CASE x\nPRESTATE\nAtlantis: A par\nEND\n", r"line 4\b.*Atlantis"),
        ("CASE x\nPRESTATE\nFrance: A prais\nEND\n", r"line 4\b.*prais"),
        ("CASE x\nPRESTATE\nFrance: A no\nEND\n", r"line 4\b.*expected a province"),
        ("CASE x\nPRESTATE\nFrance: W black sea\nEND\n", r"line 4\b.*W black sea"),
        ("CASE x\nORDERS\nFrance: A par flies\nEND\n", r"line 4\b.*flies"),
        ("CASE x\nPRESTATE_RESULTS\nFrance: A par H\nEND\n", r"line 4: cannot read.*SUCCESS"),
        ("CASE x\nPRESTATE\nFrance:\nEND\n", r"line 4: cannot read 'France:'"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_line(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        checked(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("England: F nth\n", "cases.txt:2: 'England: F nth' does not belong to a block"),
        ("PRESTATE\n", "cases.txt:2: this line does not belong to a case"),
        ("VARIANT_ALL Youngstown\n", "cases.txt:2: there is no map for the variant 'Youngstown'"),
    ],
)
def test_what_belongs_to_no_case_is_told_with_its_line(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        the_case(text)


def test_a_case_that_cannot_be_read_leaves_the_others_alone() -> None:
    cases = read_cases(f"{HEAD}CASE bad\nPRESTATE\nFrance: W par\nCASE open\nORDERS\n{DISLODGED}".encode(), "cases.txt")
    assert [case.title for case in cases] == ["bad", "open", "one (Trieste)"]
    assert replay_case(cases[-1], load_rulebook()) == Replayed("one (Trieste)")
    for case, line in zip(cases, (4, 5), strict=False):
        with pytest.raises(InputError, match=rf"line {line}\b"):
            replay_case(case, load_rulebook())


def test_what_careless_files_write() -> None:
    """As a game master would: a phase in brackets, full stops, the beginning of a name, arrows, whose unit it is."""
    text = """
CASE x [Movement]
PRESTATE_SETPHASE Fall 1901 (Movement)
PRESTATE
  Austria: Army Bohemia.
  Germany: Army Munich
  Germany: Fleet Spain (south coast)
ORDERS
  Austria: Army Bohemia SUPPORT German Army Munich => Tyrolia.
  Germany: Army Munich => Tyrolia
  Germany: Fleet Spain (south coast) => Marseilles
POSTSTATE
  Austria: Army Bohem
  Germany: Army Tyrol.
  Germany: Fleet Marseille
END
"""
    assert checked(text) == Replayed("x [Movement]")


def test_results_without_orders_are_of_units_that_stood() -> None:
    case = RETREAT.replace("  FAILURE: Austria: A tri H\n", "  FAILURE: Austria: A tri   # dislodged\n")
    assert checked(case.format("tyr", "")).different is None
    assert [str(result.order) for result in the_case(case.format("tyr", "")).results][2] == "A TRI H"


def test_an_impossible_position_is_told_with_its_case() -> None:
    with pytest.raises(InputError, match=r"x:2: F PAR of FRANCE: a fleet cannot be inland"):
        checked("CASE x\nPRESTATE\nFrance: F par\nORDERS\nPOSTSTATE_SAME\nEND\n")


def test_what_is_no_text() -> None:
    with pytest.raises(InputError, match=r"cases\.txt: not a text"):
        read_cases(b"CASE \xff\xfe", "cases.txt")


@pytest.mark.parametrize(
    ("variant", "name"),
    [("DATC_Loeb9", "loeb9"), ("DATC_Chaos", "chaos"), ("DATC_ConvoyingCoastal", "standard-9-both"), ("colonial", "colonial")],
)
def test_cases_on_other_maps(variant: str, name: str) -> None:
    (case,) = read_cases(f"VARIANT_ALL {variant}\nCASE x\nPRESTATE_SETPHASE Fall 1901, Movement\nEND\n".encode())
    assert case.require_readable().map is load_map(name)


def test_a_season_shuts_provinces() -> None:
    """8.B: in Fall nothing leaves the Arctic Ocean; in Spring it does. Keywords may be written small, as some files do."""
    text = (
        "VARIANT_ALL DATC_Loeb9\nCASE x\nPRESTATE_SETPHASE {}\nPRESTATE\nNorway: F arc\n"
        "Orders\nNorway: F arc - nwg\nPOSTSTATE\nNorway: F {}\nEND\n"
    )
    for phase, after in (("Fall 1901, Movement", "arc"), ("S1901M", "nwg"), ("Spring 1901, Movement", "nwg")):
        (case,) = read_cases(text.format(phase, after).encode())
        outcome = judge(case.require_readable().board, case.orders)
        assert set(outcome.units) == set(case.after), phase


def test_an_unknown_variant_is_named() -> None:
    with pytest.raises(InputError, match="there is no map for the variant 'Mars'"):
        read_cases(b"VARIANT_ALL Mars\nCASE x\nEND\n")
