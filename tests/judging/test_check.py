"""Sheets against the judge: every case of the DATC 3.2 passes with either engine, and a broken expectation is found."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from satjudge.base.errors import InputError, SheetError
from satjudge.judging.check import CheckedCase, Unmet, check, check_block
from satjudge.judging.solve import Engine, brute_engine
from satjudge.notation.bundled_cases import read_collection
from satjudge.notation.sheet_reader import read_sheets
from satjudge.notation.sheets import Sheet
from satjudge.world.rules import load_rulebook
from satjudge.world.verdicts import Verdict

DATC = read_collection()
ENGINES = [Engine.STAGED, Engine.FULL]


def difference(power: str, order: str, expected: str, found: str, line: int) -> Unmet:
    """A difference about an order, with its verdicts in words."""
    return Unmet(power, order, Verdict.read(expected), Verdict.read(found), line)


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
        difference("AUSTRIA", "A VIE - TYR", "succeeds", "fails", 3),
        difference("AUSTRIA", "A VEN - TYR", "fails", "fails, dislodged", 4),
        difference("ITALY", "A ROM - VEN", "fails", "succeeds", 6),
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
    assert case.differences == (difference("ITALY", "A VIE R BOH", "succeeds", "illegal", 12),)
    assert case.checked == 3


def test_a_label_printed_wrongly_is_an_erratum_and_not_compared() -> None:
    case = checked("erratum: x\nFrance:\nA PAR - BUR | succeeds {printed: fails}\nA MAR H | fails {printed: stands}")
    assert [(line.printed, line.correct) for line in case.errata] == [("fails", "succeeds"), ("stands", "fails")]
    assert case.differences == (difference("FRANCE", "A MAR H", "fails", "stands", 4),)


ADJUSTMENT = """
phase: adjustment
Russia owns SC Moscow, A Livonia, A Ukraine
Russia:
  {automatic}
  Build A Moscow | illegal
"""


@pytest.mark.parametrize(
    ("automatic", "expected", "line"),
    [
        ("Automatic disband A Livonia", None, None),
        ("Automatic disband A Ukraine", "A UKR", 5),
        ("Automatic disband F Livonia", "F LVN", 5),
        ("", "none", 4),
    ],
)
def test_automatic_removals_are_compared(automatic: str, expected: str | None, line: int) -> None:
    """6.J.4: of two armies at the same distance Livonia comes before Ukraine. A missing line: that of the heading."""
    case = checked(ADJUSTMENT.format(automatic=automatic))
    assert case.checked == (2 if automatic else 1)
    assert case.differences == (() if expected is None else (Unmet("RUSSIA", "automatic disband", expected, "A LVN", line),))


def test_an_automatic_removal_that_does_not_happen_is_found() -> None:
    case = checked("phase: adjustment\nRussia owns SC Moscow, A Ukraine\nRussia:\nAutomatic disband A Ukraine")
    assert case.differences == (Unmet("RUSSIA", "automatic disband", "A UKR", "none", 4),)


def test_the_line_of_the_removal_that_is_wrong() -> None:
    """Of several lines the one that does not happen; for a power without a heading the line of the case."""
    text = "case 1: x\nphase: adjustment\nRussia owns A Livonia, A Ukraine, A Syria\nItaly owns A Rome, SC Moscow\nRussia:\n"
    lines = (f"Automatic disband {name}\n" for name in ("A Livonia", "A Moscow", "A Ukraine"))
    (found,) = checked(text + "".join(lines)).differences
    assert (found.expected, found.found, found.line) == ("A LVN, A MOS, A UKR", "A LVN, A SYR, A UKR", 7)
    text = "case 1: x\nphase: adjustment\nRussia owns A Livonia\nFrance owns SC Paris\nFrance:\nBuild A Paris | succeeds"
    assert checked(text).differences == (Unmet("RUSSIA", "automatic disband", "none", "A LVN", 1),)


@pytest.mark.parametrize(
    ("line", "expected", "found"),
    [
        ("France A Burgundy", None, None),
        ("France A Paris", "A PAR", "A BUR"),
        ("France A Burgundy, A Paris", "A BUR, A PAR", "A BUR"),
        ("France none", "none", "A BUR"),
        ("Germany none", None, None),
        ("Germany A Munich", "A MUN", "none"),
    ],
)
def test_the_units_of_a_power_afterwards_are_compared(line: str, expected: str | None, found: str | None) -> None:
    (sheet,) = read_sheets(f"France:\n  A Paris - Burgundy\nafterwards: {line}")
    checked = check(sheet, load_rulebook(sheet.rules))
    assert checked.checked == 1
    told = [] if expected is None else [(line.split()[0].upper(), expected, found)]
    assert [(difference.power, difference.expected, difference.found) for difference in checked.differences] == told


def test_a_block_has_units_afterwards_of_its_own() -> None:
    main = "France:\n  A Paris - Burgundy\nafterwards: France A Burgundy"
    (sheet,) = read_sheets(f"{main}\nunder 1971:\n  afterwards: France A Paris\nunder 1982:\n  same")
    one, other = (check_block(sheet, block, load_rulebook(block.rulebooks[0])) for block in sheet.under)
    assert [(difference.expected, difference.found) for difference in one.differences] == [("A PAR", "A BUR")]
    assert (other.checked, other.passed) == (0, True)


def test_a_sheet_that_expects_nothing_fails_in_nothing() -> None:
    case = checked("phase: adjustment\nRussia owns SC Moscow, A Livonia, A Ukraine\nRussia:\nBuild A Moscow")
    assert (case.passed, case.checked) == (True, 0)


def test_the_rulebook_is_the_one_asked_for() -> None:
    """6.F.14 under the rule that all moves of a paradox fail (4.A.2): the fleet in Wales stays where it is."""
    (sheet,) = (sheet for sheet in DATC if sheet.identity == "6.F.14")
    rulebook = load_rulebook().with_settings(["4.A.2=all-hold"])
    case = check(sheet, rulebook, Engine.STAGED)
    assert (case.rulebook.name, case.rulebook.settings) == (rulebook.name, rulebook.settings())
    assert "F WAL - ENG: fails" in [f"{found.order}: {found.found}" for found in case.differences]


# ---- `under` blocks ----

PARADOX = """
England:
  F London Supports F Wales - English Channel | given
  F Wales - English Channel                   | succeeds
France:
  A Brest - London                            | fails
  F English Channel Convoys A Brest - London  | disrupted, dislodged
retreats
France:
  F English Channel - Irish Sea               | succeeds
under datc-3 with 4.A.2=all-hold:
{block}
"""


def under(block: str, *settings: str) -> CheckedCase:
    """The block checked with the default rulebook and these settings."""
    (sheet,) = read_sheets(PARADOX.format(block=block))
    return check_block(sheet, sheet.under[0], load_rulebook().with_settings(settings), Engine.STAGED)


def test_a_block_changes_the_verdicts_that_it_repeats() -> None:
    """6.F.14 where all moves of the paradox fail (4.A.2): nobody is dislodged, so nobody retreats."""
    block = """
  France:
    F English Channel Convoys A Brest - London  | {convoy}
  England:
    F Wales - English Channel | fails
  retreats
  France:
    F English Channel - Irish Sea | illegal
"""
    case = under(block.format(convoy="disrupted"), "4.A.2=all-hold")
    assert (case.differences, case.checked) == ((), 5)
    case = under(block.format(convoy="available"), "4.A.2=all-hold")
    assert case.differences == (difference("FRANCE", "F ENG C A BRE - LON", "available", "disrupted", 14),)


def test_a_block_that_says_same_expects_the_main_verdicts() -> None:
    assert under("same").passed
    assert [found.order for found in under("same", "4.A.2=all-hold").differences] == [
        "F WAL - ENG",
        "F ENG C A BRE - LON",
        "F ENG R IRI",
    ]


def test_an_order_that_a_block_repeats_without_a_verdict_is_left_open() -> None:
    block = "England:\nF Wales - English Channel\nFrance:\nF English Channel Convoys A Brest - London\n"
    case = under(f"{block}retreats\nFrance:\nF ENG - IRI", "4.A.2=all-hold")
    assert (case.differences, case.checked) == ((), 2)


def test_a_block_can_only_repeat_orders() -> None:
    with pytest.raises(SheetError, match="F WAL - IRI is not an order of this case") as caught:
        under("England:\nF Wales - Irish Sea | fails")
    assert caught.value.line == 13


def test_a_rulebook_without_an_answer() -> None:
    """Expected in a block, and otherwise a difference like any other."""
    assert under("unresolved", "4.A.2=none").passed
    assert under("same", "4.A.2=none").differences == (Unmet("", "the position", "resolved", "unresolved", 2),)
    assert under("unresolved").differences == (Unmet("", "the position", "unresolved", "resolved", 11),)


@pytest.mark.parametrize("block", ["same", "unresolved"])
def test_a_case_that_the_engine_cannot_judge(monkeypatch: pytest.MonkeyPatch, block: str) -> None:
    """It is marked as not answered, where it expects something, and no error: other cases follow."""
    monkeypatch.setattr(brute_engine, "MOST_DECISIONS", 3)
    why = "not answered: brute force supports at most 3 decisions, not 4"
    (sheet,) = read_sheets(PARADOX.format(block=block))
    case = check(sheet, load_rulebook(), Engine.BRUTE)
    assert (case.answered, case.passed, case.checked) == (False, False, 5)
    assert case.differences == (Unmet("", "the position", "answered", why, 2),)
    case = check_block(sheet, sheet.under[0], load_rulebook(), Engine.BRUTE)
    assert case.differences == (Unmet("", "the position", "answered", why, 11 if block == "unresolved" else 2),)
    (silent,) = read_sheets("France:\nA PAR - BUR\nA MAR - BUR\nA MUN - BUR\nA BEL - BUR")
    case = check(silent, load_rulebook(), Engine.BRUTE)
    assert (case.answered, case.checked, case.differences) == (False, 0, ())


def test_a_block_has_automatic_removals_of_its_own() -> None:
    text = ADJUSTMENT.format(automatic="Automatic disband A Livonia")
    (sheet,) = read_sheets(f"{text}\nunder datc-3:\nRussia:\nAutomatic disband A Ukraine\nunder datc-3:\nsame")
    first, second = (check_block(sheet, block, load_rulebook(), Engine.STAGED) for block in sheet.under)
    assert first.differences == (Unmet("RUSSIA", "automatic disband", "A UKR", "A LVN", 10),)
    assert second.passed


# ---- whatever is written ----

LINES = [
    "case 1: One", "note: x", "rules: datc-3", "phase: adjustment", "phase: movement", "retreats", "same", "unresolved",
    "under datc-3:", "under datc-3 with 4.A.2=all-hold, 5.B.9=all-fail:", "France:", "Germany: A MUN H | stands",
    "France owns SC Paris, SC Brest", "France owns A Paris", "Italy owns F Spain(sc), A PAR", "A PAR - BUR | succeeds",
    "F SPA - MAO", "A BRE R GAS | fails", "A PAR D | illegal", "Build F Brest | succeeds", "WAIVE", "PAR H", "A PAR |",
    "Automatic disband A Paris", "A MUN - BUR | fails {printed: cut}", "A PAR", ":", "|", "owns", "a owns b", "under :",
    "{printed: cut}", "Italy:", "# x", "",
]  # fmt: skip


@given(st.lists(st.sampled_from(LINES), max_size=25) | st.lists(st.text(max_size=20), max_size=5))
def test_any_sheet_is_checked_or_refused_with_its_place(lines: list[str]) -> None:
    try:
        for sheet in read_sheets("\n".join(lines)):
            case = check(sheet, load_rulebook(), Engine.STAGED)
            assert case.passed or case.checked
            for block in sheet.under:
                check_block(sheet, block, load_rulebook(), Engine.STAGED)
    except InputError as error:
        place = error.source
    else:
        place = "sheet"
    assert place == "sheet"
