"""Sheets against the judge: every case of the DATC 3.2 passes with either engine, and a broken expectation is found."""

from __future__ import annotations

import pytest

from satjudge.check import CheckedCase, Difference, check
from satjudge.notation.sheets import Sheet, read_sheets, shipped_sheets
from satjudge.rules import load_rulebook
from satjudge.solve import Engine

DATC = shipped_sheets()
ENGINES = [Engine.STAGED, Engine.FULL]


def checked(text: str, engine: Engine = Engine.STAGED) -> CheckedCase:
    (sheet,) = read_sheets(text)
    return check(sheet, load_rulebook(sheet.rules), engine)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("sheet", DATC, ids=[sheet.identity for sheet in DATC])
def test_datc(sheet: Sheet, engine: Engine) -> None:
    case = check(sheet, load_rulebook(sheet.rules), engine)
    assert [f"{found.order}: {found.found}, not {found.expected}" for found in case.differences] == []
    assert case.passed
    assert case.checked == len(sheet.orders) + len(sheet.retreats) + len(sheet.automatic) > 0


MOVEMENT = """
Austria:
  A Vienna - Tyrolia                    | {vienna}
  A Venice - Tyrolia                    | fails
Italy:
  A Rome - Venice                       | fails
  A Apulia Supports A Rome - Venice     | given
  A Tuscany Supports A Rome - Venice
"""


@pytest.mark.parametrize("engine", ENGINES)
def test_a_broken_expectation_is_found(engine: Engine) -> None:
    case = checked(MOVEMENT.format(vienna="succeeds"), engine)
    assert not case.passed
    assert case.differences == (
        Difference("AUSTRIA", "A VIE - TYR", "succeeds", "fails", 3),
        Difference("AUSTRIA", "A VEN - TYR", "fails", "fails, dislodged", 4),
        Difference("ITALY", "A ROM - VEN", "fails", "succeeds", 6),
    )
    assert case.checked == 4


def test_each_line_is_compared_with_its_own_verdict() -> None:
    """Two orders for one unit, and a power whose heading stands twice (4.D.3)."""
    case = checked(
        "France:\nA PAR - BUR | succeeds\nA PAR - GAS | illegal\nGermany:\nA MUN H | stands\n"
        "France:\nA MAR - MUN | illegal\nA BRE - PAR | succeeds"
    )
    assert case.differences == ()
    assert case.checked == 5


def test_an_order_without_a_verdict_is_not_compared() -> None:
    case = checked("France:\nA PAR - BUR\nA MAR - BUR")
    assert (case.passed, case.checked, case.differences) == (True, 0, ())


def test_a_broken_expectation_of_a_retreat_is_found() -> None:
    """6.H.6: a unit may not retreat to a contested province."""
    text = """
Austria:
  A Budapest Supports A Trieste - Vienna
  A Trieste - Vienna
Germany:
  A Munich - Bohemia
  A Silesia - Bohemia
Italy:
  A Vienna Holds                         | dislodged
retreats
Italy:
  A Vienna - Bohemia                     | succeeds
  A Vienna - Tyrolia                     | succeeds
"""
    case = checked(text)
    assert case.differences == (Difference("ITALY", "A VIE R BOH", "succeeds", "illegal", 12),)
    assert case.checked == 3


def test_a_label_printed_wrongly_is_an_erratum_and_not_compared() -> None:
    case = checked("erratum: x\nFrance:\nA PAR - BUR | succeeds {printed: fails}\nA MAR H | fails {printed: stands}")
    assert [(line.printed, line.expected) for line in case.errata] == [("fails", "succeeds"), ("stands", "fails")]
    assert case.differences == (Difference("FRANCE", "A MAR H", "fails", "stands", 4),)


ADJUSTMENT = """
phase: adjustment
Russia owns SC Moscow, A Livonia, A Ukraine
Russia:
  {automatic}
  Build A Moscow | illegal
"""


@pytest.mark.parametrize(
    ("automatic", "expected"),
    [
        ("Automatic disband A Livonia", None),
        ("Automatic disband A Ukraine", "A UKR"),
        ("Automatic disband F Livonia", "F LVN"),
        ("", "none"),
    ],
)
def test_automatic_removals_are_compared(automatic: str, expected: str | None) -> None:
    """6.J.4: of two armies at the same distance Livonia comes before Ukraine."""
    case = checked(ADJUSTMENT.format(automatic=automatic))
    assert case.checked == (2 if automatic else 1)
    assert case.differences == (
        () if expected is None else (Difference("RUSSIA", "automatic disband", expected, "A LVN", 2),)
    )


def test_an_automatic_removal_that_does_not_happen_is_found() -> None:
    case = checked("phase: adjustment\nRussia owns SC Moscow, A Ukraine\nRussia:\nAutomatic disband A Ukraine")
    assert case.differences == (Difference("RUSSIA", "automatic disband", "A UKR", "none", 1),)


def test_a_sheet_that_expects_nothing_fails_in_nothing() -> None:
    case = checked("phase: adjustment\nRussia owns SC Moscow, A Livonia, A Ukraine\nRussia:\nBuild A Moscow")
    assert (case.passed, case.checked) == (True, 0)


def test_the_rulebook_is_the_one_asked_for() -> None:
    """6.F.14 under the rule that all moves of a paradox fail (4.A.2): the fleet in Wales stays where it is."""
    (sheet,) = (sheet for sheet in DATC if sheet.identity == "6.F.14")
    rulebook = load_rulebook().with_settings(["4.A.2=all-hold"])
    case = check(sheet, rulebook, Engine.STAGED)
    assert case.rulebook is rulebook
    assert "F WAL - ENG: fails" in [f"{found.order}: {found.found}" for found in case.differences]
