"""Builds, removals and civil disorder, beyond the DATC's cases (6.I, 6.J)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest
from helpers.boards import split

from satjudge.base.errors import UnresolvedError
from satjudge.explain.phases import adjustment_explanations
from satjudge.explain.words.verdict_text import iter_notes
from satjudge.judging.adjustments import AdjustmentOutcome
from satjudge.judging.judge import judge_phase
from satjudge.notation.parse import parse_unit
from satjudge.world.board import Board, Phase, by_power
from satjudge.world.geography import load_map
from satjudge.world.rules import load_rulebook

MAP = load_map()
Texts = Mapping[str, str]
"""For each power its centres (divided by blanks), or units or orders (divided by commas)."""


def adjusted(centers: Texts, units: Texts, orders: Texts) -> AdjustmentOutcome:
    owners = {center: power for power, text in centers.items() for center in text.split()}
    standing = tuple(parse_unit(unit, power, MAP) for power, text in units.items() for unit in split(text))
    board = Board(standing, (), owners, Phase.ADJUSTMENT)
    outcome = judge_phase(board, {power: split(text) for power, text in orders.items()})
    assert isinstance(outcome, AdjustmentOutcome)
    return outcome


def reasons(outcome: AdjustmentOutcome) -> list[str | None]:
    return [reason for given in outcome.reasons.values() for reason in given]


def removed(outcome: AdjustmentOutcome) -> dict[str, list[str]]:
    return {power: [str(unit) for unit in units] for power, units in outcome.automatic.items()}


# ---- builds ----


@pytest.mark.parametrize(
    ("order", "built"),
    [
        ("Build A Moscow", "A MOS"),
        ("Build Moscow", "A MOS"),  # 4.C.3: only on a coast must the kind be named
        ("Build F Sevastopol", "F SEV"),
        ("Build A Sevastopol", "A SEV"),
        ("Build F St Petersburg(nc)", "F STP/NC"),
        ("F STP/SC B", "F STP/SC"),
        ("Build A St Petersburg", "A STP"),
        ("Build A St Petersburg(nc)", "A STP"),  # 4.B.6: a coast means nothing to an army
        ("Build F Sevastopol(ec)", "F SEV"),  # 4.B.6: Sevastopol has no coasts
    ],
)
def test_what_can_be_built(order: str, built: str) -> None:
    outcome = adjusted({"RUSSIA": "MOS SEV STP WAR"}, {"RUSSIA": "A WAR"}, {"RUSSIA": order})
    assert outcome.results == {"RUSSIA": ["succeeds"]}
    assert by_power(outcome.units) == {"RUSSIA": ["A WAR", built]}
    assert outcome.automatic == {}


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        ("Build Sevastopol", "army or fleet must be named in Sevastopol (4.C.3)"),
        ("Build St Petersburg(nc)", "army or fleet must be named in St Petersburg (4.C.3)"),
        ("Build F Moscow", "a fleet cannot be inland in Moscow (4.C.4)"),
        ("Build F St Petersburg", "F STP must name a coast that St Petersburg has: F STP/NC or F STP/SC (4.B.7)"),
        ("Build F St Petersburg(ec)", "F STP must name a coast that St Petersburg has: F STP/NC or F STP/SC (4.B.7)"),
        ("Build A Warsaw", "Warsaw is not empty (6.I.3"),
        ("Build A Berlin", "Berlin is not a home supply centre of Russia (6.I.6)"),  # owned
        ("Build A Budapest", "Budapest is not a home supply centre of Russia (6.I.6)"),
        ("Build A Ukraine", "Ukraine is not a home supply centre of Russia (6.I.6)"),  # in the country, but no centre
        ("A MOS H", "only builds and removals are ordered in an adjustment phase"),
        ("A WAR - MOS", "only builds and removals are ordered in an adjustment phase"),
        ("A WAR D", "Russia has no units to remove"),
    ],
)
def test_what_cannot_be_built(order: str, reason: str) -> None:
    """And an illegal build does not use up the right to one: the next is carried out (4.E.1, 6.B.14)."""
    outcome = adjusted({"RUSSIA": "BER MOS SEV STP WAR"}, {"RUSSIA": "A WAR"}, {"RUSSIA": f"{order}, Build A Moscow"})
    assert outcome.results == {"RUSSIA": ["illegal", "succeeds"]}
    first, second = reasons(outcome)
    assert reason in (first or "")
    assert second is None
    assert by_power(outcome.units) == {"RUSSIA": ["A WAR", "A MOS"]}


def test_a_home_centre_that_somebody_else_owns() -> None:
    """6.I.5, and the new owner may not build there either (6.I.6)."""
    outcome = adjusted(
        {"RUSSIA": "MOS", "TURKEY": "SEV CON"}, {}, {"RUSSIA": "Build A Sevastopol", "TURKEY": "Build A Sevastopol"}
    )
    assert reasons(outcome) == [
        "Russia does not own Sevastopol (6.I.5)",
        "Sevastopol is not a home supply centre of Turkey (6.I.6)",
    ]
    assert outcome.units == ()


def test_a_home_centre_that_nobody_owns() -> None:
    outcome = adjusted({"RUSSIA": "MOS"}, {}, {"RUSSIA": "Build A Warsaw"})
    assert reasons(outcome) == ["Russia does not own Warsaw (6.I.5)"]


def test_a_foreign_unit_in_a_home_centre() -> None:
    """It did not stay there in the fall; the centre is still Russia's, and not empty (6.I.3)."""
    outcome = adjusted({"RUSSIA": "MOS WAR", "GERMANY": "BER"}, {"GERMANY": "A WAR"}, {"RUSSIA": "Build A Warsaw"})
    assert "Warsaw is not empty" in (reasons(outcome)[0] or "")


def test_the_other_coast_is_not_empty() -> None:
    """6.I.4, and one build in a province whatever the coast (6.I.7, 4.D.5)."""
    outcome = adjusted({"RUSSIA": "MOS SEV STP WAR"}, {}, {"RUSSIA": "Build F St Petersburg(nc), Build F St Petersburg(sc)"})
    assert outcome.results == {"RUSSIA": ["succeeds", "illegal"]}
    assert [str(unit) for unit in outcome.units] == ["F STP/NC"]


def test_too_many_builds() -> None:
    """4.D.4: the first legal ones are carried out."""
    outcome = adjusted(
        {"FRANCE": "BRE MAR PAR SPA"},
        {"FRANCE": "A SPA, F POR"},
        {"FRANCE": "Build F Paris, Build A Paris, Build F Brest, Build A Marseilles, Build A Ruhr"},
    )
    assert outcome.results == {"FRANCE": ["illegal", "succeeds", "succeeds", "illegal", "illegal"]}
    assert reasons(outcome)[3:] == ["France may build only 2 (4.D.4)", "Ruhr is not a home supply centre of France (6.I.6)"]
    assert by_power(outcome.units) == {"FRANCE": ["A SPA", "F POR", "A PAR", "F BRE"]}


def test_too_few_builds_are_declined_in_silence() -> None:
    """4.D.7: a power may decline to build."""
    outcome = adjusted({"FRANCE": "BRE MAR PAR"}, {}, {"FRANCE": "Build A Paris"})
    assert outcome.results == {"FRANCE": ["succeeds"]}
    assert [str(unit) for unit in outcome.units] == ["A PAR"]
    assert outcome.automatic == {}


def test_a_declined_build_is_used_up() -> None:
    """4.D.7, 4.D.4: orders are followed from top to bottom."""
    outcome = adjusted({"FRANCE": "BRE PAR"}, {}, {"FRANCE": "WAIVE, Build A Paris, Build F Brest"})
    assert outcome.results == {"FRANCE": ["succeeds", "succeeds", "illegal"]}
    outcome = adjusted({"FRANCE": "BRE PAR"}, {}, {"FRANCE": "Build A Paris, WAIVE, WAIVE"})
    assert outcome.results == {"FRANCE": ["succeeds", "succeeds", "illegal"]}
    assert reasons(outcome)[2] == "France may build only 2 (4.D.4)"


@pytest.mark.parametrize("order", ["WAIVE", "Build A Paris"])
@pytest.mark.parametrize("centers", ["BRE", ""])
def test_a_power_that_may_not_build(order: str, centers: str) -> None:
    outcome = adjusted({"FRANCE": centers}, {"FRANCE": "A BRE"}, {"FRANCE": order})
    assert outcome.results == {"FRANCE": ["illegal"]}
    assert reasons(outcome) == ["France has nothing to build"]


# ---- removals ----


def test_removals() -> None:
    outcome = adjusted(
        {"FRANCE": "PAR"}, {"FRANCE": "A PAR, A BUR, F MAO"}, {"FRANCE": "Remove A Burgundy, Disband F Mid-Atlantic"}
    )
    assert outcome.results == {"FRANCE": ["succeeds", "succeeds"]}
    assert by_power(outcome.units) == {"FRANCE": ["A PAR"]}
    assert outcome.automatic == {}
    assert (outcome.next_board.phase, outcome.next_board.centers) == (Phase.MOVEMENT, {"PAR": "FRANCE"})
    assert outcome.next_board.units == outcome.units


def test_the_kind_and_coast_of_a_removed_unit_are_forgiven() -> None:
    """4.B.5, 4.C.1, 4.C.2."""
    outcome = adjusted({"FRANCE": ""}, {"FRANCE": "F SPA/SC, A BUR, A PAR"}, {"FRANCE": "A SPA/NC D, BUR D, F PAR D"})
    assert outcome.results == {"FRANCE": ["succeeds"] * 3}
    assert outcome.units == ()


def test_too_many_removals() -> None:
    """4.D.6: the first legal ones are carried out; the same unit is not removed twice (6.J.2)."""
    outcome = adjusted(
        {"FRANCE": "PAR"},
        {"FRANCE": "A PAR, A BUR, A GAS"},
        {"FRANCE": "A MAR D, A BUR D, A BUR D, A GAS D, A PAR D"},
    )
    assert outcome.results == {"FRANCE": ["illegal", "succeeds", "illegal", "succeeds", "illegal"]}
    assert [reason for reason in reasons(outcome) if reason] == [
        "France has no unit in MAR",
        "A BUR is already removed (6.J.2)",
        "France has only 2 to remove (4.D.6)",
    ]
    assert by_power(outcome.units) == {"FRANCE": ["A PAR"]}
    assert outcome.automatic == {}


def test_a_power_cannot_remove_what_is_not_its_own() -> None:
    outcome = adjusted(
        {"FRANCE": "PAR", "ITALY": "ROM"}, {"FRANCE": "A PAR, A BUR", "ITALY": "A ROM"}, {"FRANCE": "A ROM D, A BUR D"}
    )
    assert outcome.results == {"FRANCE": ["illegal", "succeeds"]}
    assert reasons(outcome)[0] == "France has no unit in ROM"
    assert by_power(outcome.units) == {"FRANCE": ["A PAR"], "ITALY": ["A ROM"]}


def test_a_power_that_must_remove_may_not_build() -> None:
    outcome = adjusted({"FRANCE": "PAR"}, {"FRANCE": "A BUR, A GAS"}, {"FRANCE": "Build A Paris, WAIVE, A GAS D"})
    assert outcome.results == {"FRANCE": ["illegal", "illegal", "succeeds"]}


def test_too_few_removals_are_made_up_for() -> None:
    """4.D.8: civil disorder takes the rest, and not what was removed already."""
    outcome = adjusted({"FRANCE": "PAR"}, {"FRANCE": "A PAR, A GAL, A GAS, A MOS"}, {"FRANCE": "A GAL D"})
    assert removed(outcome) == {"FRANCE": ["A MOS", "A GAS"]}
    assert by_power(outcome.units) == {"FRANCE": ["A PAR"]}
    assert outcome.results == {"FRANCE": ["succeeds"]}


# ---- civil disorder (4.D.8) ----


@pytest.mark.parametrize(
    ("centers", "units", "gone"),
    [
        # the farthest from a centre that is owned, not from home (6.J.12)
        ("WAR", "A WAR, A ROM", "A ROM"),
        ("WAR", "A MOS, A ROM", "A ROM"),
        # over land and water alike (6.J.11): Albania is two steps from Naples through the Ionian Sea
        ("NAP", "A ALB, A VEN", "A ALB"),
        ("NAP", "A ALB, A PIE", "A PIE"),
        # a fleet is no farther for not being able to go there: Munich is two steps from the Baltic Sea
        ("MUN", "F BAL, A WAR", "F BAL"),
        # fleets before armies, whatever their names (6.J.7)
        ("STP", "F NWY, A FIN", "F NWY"),
        ("STP", "A FIN, F NWY", "F NWY"),
        # by the names in full: Liverpool comes before Livonia, though LVN comes before LVP
        ("EDI WAR", "A LVN, A LVP, A WAR", "A LVP"),
        ("EDI WAR", "A LVP, A LVN, A WAR", "A LVP"),
        # … the Gulf of Lyon before the Ionian Sea, though ION comes before LYO
        ("ROM", "F ION, F LYO", "F LYO"),
        # … Norway before the Norwegian Sea, though NWG comes before NWY
        ("DEN", "F NWG, F NWY", "F NWY"),
        # … and a blank before any letter: North Sea, Norway, Norwegian Sea; then the army
        ("", "F NWG, A NAF, F NWY, F NTH", "F NTH, F NWY, F NWG, A NAF"),
        # a unit on an owned centre goes last
        ("BUD SER", "A BUD, A SER, A RUM", "A RUM"),
        # only what is too many
        ("BUD SER", "A BUD, A SER", ""),
        ("BUD SER", "A RUM, A GAL", ""),
    ],
)
def test_civil_disorder(centers: str, units: str, gone: str) -> None:
    """All at once for a power without orders, and without a heading of its own."""
    outcome = adjusted({"ITALY": centers}, {"ITALY": units}, {})
    assert removed(outcome) == ({"ITALY": split(gone)} if gone else {})
    assert sorted(map(str, outcome.units)) == sorted(set(split(units)) - set(split(gone)))
    assert outcome.results == {}


def test_a_power_without_any_centre_loses_all_its_units() -> None:
    outcome = adjusted({"FRANCE": "PAR"}, {"ITALY": "A ROM, F LYO, A APU", "FRANCE": "A PAR"}, {"ITALY": ""})
    assert removed(outcome) == {"ITALY": ["F LYO", "A APU", "A ROM"]}
    assert by_power(outcome.units) == {"FRANCE": ["A PAR"]}
    assert outcome.results == {"ITALY": []}


def test_a_power_with_centres_and_without_units_or_orders_has_nothing_to_do() -> None:
    outcome = adjusted({"FRANCE": "PAR"}, {}, {})
    assert (outcome.results, outcome.automatic, outcome.units) == ({}, {}, ())


def test_each_power_keeps_its_own_account() -> None:
    outcome = adjusted(
        {"FRANCE": "BRE PAR", "GERMANY": "BER", "ITALY": "ROM"},
        {"FRANCE": "A PAR", "GERMANY": "A BER, A MUN", "ITALY": "A VEN"},
        {"FRANCE": "Build F Brest", "GERMANY": "A MUN D", "ITALY": "Build A Rome"},
    )
    assert outcome.results == {"FRANCE": ["succeeds"], "GERMANY": ["succeeds"], "ITALY": ["illegal"]}
    assert by_power(outcome.units) == {"FRANCE": ["A PAR", "F BRE"], "GERMANY": ["A BER"], "ITALY": ["A VEN"]}


# ---- builds that may not be declined (4.D.7 b) ----


@pytest.mark.parametrize(
    ("orders", "owed"),
    [
        ("", "France must build 2 more"),
        ("WAIVE", "France must build 2 more"),
        ("Build A Paris", "France must build 1 more"),
        ("Build A Paris, WAIVE", "France must build 1 more"),
        ("Build A Paris, Build A Vienna", "France must build 1 more"),
        ("Build A Paris, WAIVE, Build F Brest", ""),
    ],
)
def test_builds_that_may_not_be_declined_are_not_left_out_silently_either(orders: str, owed: str) -> None:
    """“additional rules are required when someone forgets to build” (DATC 3.2, 4.D.7), and no text has any."""
    owned = {"PAR": "FRANCE", "BRE": "FRANCE", "MAR": "FRANCE"}
    board = Board((parse_unit("A MAR", "FRANCE", MAP),), (), owned, Phase.ADJUSTMENT)
    refused = load_rulebook().with_settings(["4.D.7=refused"])
    for given in ({"FRANCE": split(orders)}, {} if not orders else {"FRANCE": split(orders)}):
        if owed:
            with pytest.raises(UnresolvedError, match=owed):
                judge_phase(board, given, rulebook=refused)
        else:
            outcome = judge_phase(board, given, rulebook=refused)
            assert outcome.results == {"FRANCE": ["succeeds", "illegal", "succeeds"]}
    assert judge_phase(board, {"FRANCE": split(orders)}).next_board  # by default a build may be declined


def test_nobody_owes_a_build_that_is_impossible() -> None:
    """A power with more centres than units whose home centres are lost or occupied has nothing to order."""
    owned = {"PAR": "FRANCE", "BRE": "GERMANY", "BEL": "FRANCE", "HOL": "FRANCE"}
    board = Board((parse_unit("A PAR", "FRANCE", MAP), parse_unit("A BRE", "GERMANY", MAP)), (), owned, Phase.ADJUSTMENT)
    assert judge_phase(board, {}, rulebook=load_rulebook().with_settings(["4.D.7=refused"])).next_board


# ---- the language of the names (4.D.8) ----


@pytest.mark.parametrize("language", ["french", "german"])
def test_every_province_has_a_name_in_every_language(language: str) -> None:
    names = MAP.foreign_names[language]
    assert set(names) == set(MAP.provinces)
    assert len(set(names.values())) == len(names)


def test_marks_make_no_letter() -> None:
    """Östliches Mittelmeer stands before Ostsee: the two dots do not count."""
    board = Board(
        tuple(parse_unit(text, "TURKEY", MAP) for text in ("F EAS", "F BAL")),
        (),
        {"SMY": "TURKEY", "BER": "TURKEY"},
        Phase.ADJUSTMENT,
    )
    board = replace(board, units=(*board.units, parse_unit("A SMY", "TURKEY", MAP)))
    outcome = judge_phase(board, {}, rulebook=load_rulebook().with_settings(["4.D.8.language=german"]))
    assert isinstance(outcome, AdjustmentOutcome)
    assert removed(outcome) == {"TURKEY": ["F EAS"]}


def test_the_reason_names_the_language_of_the_alphabet() -> None:
    board = Board(
        tuple(parse_unit(text, "TURKEY", MAP) for text in ("F GRE", "F BLA")), (), {"BUL": "TURKEY"}, Phase.ADJUSTMENT
    )
    german = load_rulebook().with_settings(["4.D.8.language=german"])
    outcome = judge_phase(board, {}, rulebook=german)
    assert isinstance(outcome, AdjustmentOutcome)
    names = [MAP.foreign_names["german"][code] for code in ("GRE", "BLA")]
    (removal,) = adjustment_explanations(outcome, rulebook=german)
    assert f"{names[0]} comes before {names[1]} in the alphabet, by their German names (4.D.8.language)" in str(removal)


@pytest.mark.parametrize(
    ("orders", "told"),
    [
        ({}, ["Russia leaves 1 build unused."]),
        ({"RUSSIA": "A WAR B"}, []),
        ({"RUSSIA": "WAIVE, WAIVE"}, ["Russia leaves 1 build unused (1 declined)."]),
    ],
)
def test_only_builds_for_which_there_is_a_place_are_told_as_unused(orders: Texts, told: list[str]) -> None:
    """Russia has one empty home and three builds; Turkey owns no home."""
    centers = {"RUSSIA": "MOS SEV WAR RUM ANK", "TURKEY": "GRE SER"}
    outcome = adjusted(centers, {"RUSSIA": "A MOS, A SEV", "TURKEY": "A GRE"}, orders)
    assert [*iter_notes(outcome)] == told
