"""`guarantee` against exhaustive play, and what it says."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from helpers.boards import board_of
from helpers.judged import judged_from_outcome
from helpers.playing_out import all_plays, guaranteeing_orders, played, random_wish

from satjudge import Board, judge, load_rulebook, starting_board
from satjudge.apps.cli import run
from satjudge.apps.cli.options import read_cases
from satjudge.apps.cli.output import show
from satjudge.base.errors import InputError
from satjudge.bulk.random_boards.boards import Flavour, random_board
from satjudge.judging.outcome import Outcome
from satjudge.judging.solve.result import Core, CoreKind
from satjudge.notation.sheet_reader import read_sheets
from satjudge.search.documents.proofs import make_guarantee_case
from satjudge.search.formulas.clauses import Formula
from satjudge.search.formulas.cpsat import Solver
from satjudge.search.goals.wishes import WishReader, parse_wish
from satjudge.search.guarantees.one_season import Defeat, GuaranteeFinding, WishTable, find_guarantee
from satjudge.search.task import GuaranteeTask
from satjudge.show.searches import iter_reply_lines
from satjudge.world.orders import Hold, MovementOrder
from satjudge.world.rules import Rulebook, load_preset

RULES = load_rulebook("datc-3")
PARADOX = {"FRANCE": "A BRE, F ENG", "ENGLAND": "F LON, F WAL"}
SWAP = {"ENGLAND": "F NTH, A LON", "FRANCE": "A BEL"}
RING = {"TURKEY": "F ANK, A CON, A SMY", "RUSSIA": "A ARM"}


def asked(board: Board, power: str, wish: str, rules: Rulebook = RULES) -> GuaranteeFinding:
    return find_guarantee(WishTable(board, power, parse_wish(wish, board, power), rules))


def orders_of(finding: GuaranteeFinding) -> list[str]:
    assert finding.orders is not None
    return [str(order) for order in finding.orders.values()]


@pytest.mark.parametrize("seed", [*range(8), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(8, 14))])
def test_the_same_answer_as_exhaustive_play(seed: int) -> None:
    board, power, wish, meaning = random_wish(Random(f"wish {seed}"), most=1000)
    found = asked(board, power, wish)
    plays = list(guaranteeing_orders(board, power, meaning))
    assert (found.orders is not None) == bool(plays)
    if found.orders is not None:
        replies = [{**found.orders, **defeat.reply} for defeat in found.defeats]
        assert all(meaning(played(board, orders)) for orders in replies)
    for defeat in found.defeats:
        assert not meaning(played(board, {**defeat.own, **defeat.reply}))
    if found.orders is None:
        assert all_fail(found, meaning, found.defeats)
        for defeat in found.defeats:  # no reply too many
            rest = [other for other in found.defeats if other is not defeat]
            assert not rest or not all_fail(found, meaning, rest)


def all_fail(found: GuaranteeFinding, meaning: Callable[[Outcome], bool], defeats: Sequence[Defeat]) -> bool:
    """Whether all own orders lose to one of these replies."""
    board, plays = found.table.board, all_plays(found.table.board, found.table.side_units)
    return all(any(not meaning(played(board, {**own, **defeat.reply})) for defeat in defeats) for own in plays)


@pytest.mark.parametrize(
    "rules", ["datc-3", "guide-1998", *(pytest.param(name, marks=pytest.mark.slow) for name in ("all-hold", "1971"))]
)
@pytest.mark.parametrize(
    ("units", "power", "wish"),
    [
        (PARADOX, "ENGLAND", "take ENG"),
        (PARADOX, "ENGLAND", "dislodged:ENG"),
        (PARADOX, "FRANCE", "take LON or keep ENG"),
        (PARADOX, "FRANCE", "hold"),
        (SWAP, "ENGLAND", "take BEL"),
        (RING, "TURKEY", "take CON and take ANK and take SMY"),
    ],
)
def test_boards_with_paradoxes_and_circular_movement(units: dict[str, str], power: str, wish: str, rules: str) -> None:
    rulebook = RULES.with_settings(("4.A.2=all-hold",)) if rules == "all-hold" else load_rulebook(rules)
    if rules == "1971":
        rulebook = rulebook.with_settings(("4.A.2.fallback=szykman",))
    board = board_of(units)
    goal = parse_wish(wish, board, power)
    plays = guaranteeing_orders(board, power, lambda outcome: goal.holds(judged_from_outcome(outcome)), rulebook)
    assert (asked(board, power, wish, rulebook).orders is None) == (next(plays, None) is None)


NO_RESOLUTION = """
France: F ENG C A BRE - LON
France: A BRE - LON
England: F LON S F ENG
Germany: F NTH - ENG
Germany: F BEL S F NTH - ENG
"""
"""If the army lands, it cuts the support that keeps its fleet in place; if not, not."""


def cores_allowed_for(board: Board, orders: Mapping[str, Sequence[MovementOrder]], rulebook: Rulebook) -> list[Core]:
    """Check that a copy may come to what the judge says, decision by decision; the cores that there were."""
    outcome = judge(board, orders, rulebook=rulebook)
    given = {board.unit_at[place]: order for place, order in outcome.docket.orders.items()}
    power = board.units[0].power
    formula = Formula()
    encoding = WishTable(board, power, parse_wish("hold", board, power), rulebook).encode_orders(formula, given, ())
    adjudication = outcome.adjudication
    judged = {decision.order: adjudication.values[decision.index] for decision in adjudication.situation.decisions}
    for decision in encoding.orders.situation.decisions:
        value = encoding.value_of(decision)
        formula.require(value if judged[decision.order] else -value)
    assert Solver(formula, workers=1).decide().values is not None, outcome.results
    return list(adjudication.cores)


@pytest.mark.parametrize("rules", ["datc-3", "all-hold", "guide-1998"])
def test_copies_leave_room_for_what_backup_rules_say(rules: str) -> None:
    rulebook = RULES.with_settings(("4.A.2=all-hold",)) if rules == "all-hold" else load_rulebook(rules)
    (sheet,) = read_sheets(NO_RESOLUTION)
    (core,) = cores_allowed_for(sheet.board, sheet.orders_by_power(), rulebook)  # type: ignore[arg-type]
    assert core.resolutions == ()
    kinds = []
    for seed in range(150):
        flavour = Flavour.CIRCLES if seed % 3 == 0 else Flavour.CONVOYS
        board, orders = random_board(Random(f"ruled {seed}"), flavour, (5, 14))
        kinds += [core.kind for core in cores_allowed_for(board, orders, rulebook)]
    assert {CoreKind.CIRCULAR_MOVEMENT, CoreKind.SEVERAL_RESOLUTIONS} <= set(kinds)


def test_a_supported_attack_goes_before_the_convoy_that_would_cut_its_support() -> None:
    """The Szykman rule decides the paradox of DATC 6.F.14 for England, whatever France orders."""
    assert orders_of(asked(board_of(PARADOX), "ENGLAND", "take ENG")) == ["F LON S F WAL - ENG", "F WAL - ENG"]


def test_the_opening() -> None:
    board = starting_board()
    assert orders_of(asked(board, "AUSTRIA", "take SER")) == ["A BUD - SER", "F TRI H", "A VIE H"]
    burgundy = asked(board, "FRANCE", "take BUR")
    assert {"A PAR - BUR", "A MAR S A PAR - BUR"} <= set(orders_of(burgundy)) or (
        {"A MAR - BUR", "A PAR S A MAR - BUR"} <= set(orders_of(burgundy))
    )
    refuted = asked(board, "RUSSIA", "take GAL")
    assert refuted.orders is None
    assert not refuted.undecided
    (defeat,) = refuted.defeats  # one reply is enough, and it has one order that matters
    assert [str(order) for order in defeat.reply.values() if not isinstance(order, Hold)] in (["A BUD - GAL"], ["A VIE - GAL"])
    assert all("GAL" in str(order) for order in defeat.own.values() if not isinstance(order, Hold))


def test_every_legal_order_is_looked_at() -> None:
    board = board_of({"ENGLAND": "A LON, F NTH", "FRANCE": "A BEL, F MAO"})
    table = WishTable(board, "ENGLAND", parse_wish("hold", board, "ENGLAND"), RULES)

    def texts(orders: tuple[MovementOrder, ...]) -> set[str]:
        return {str(order) for order in orders}

    army, fleet, _, raider = board.units
    assert {"A LON - BEL", "A LON - WAL", "A LON - YOR VIA", "A LON - YOR", "A LON - EDI"} <= texts(table.orders_by_unit[army])
    assert "F NTH C A LON - BEL" in texts(table.orders_by_unit[fleet])
    assert "F NTH S A BEL - HOL" in texts(table.orders_by_unit[fleet])
    assert {"F MAO - SPA/NC", "F MAO - SPA/SC"} <= texts(table.orders_by_unit[raider])


def test_time_that_runs_out_is_no_answer() -> None:
    board = starting_board()
    table = WishTable(board, "RUSSIA", parse_wish("take GAL", board, "RUSSIA"), RULES)
    seconds = iter((60.0, 60.0))
    found = find_guarantee(table, time_left=lambda: next(seconds, 0.0))
    assert found.undecided
    assert found.orders is None


@pytest.mark.parametrize(
    ("wish", "message"),
    [
        ("keep", "expected a province after keep"),
        ("take XYZ", "expected a province"),
        ("paradox", "cannot be part of a wish"),
        ("hold and", "expected a goal"),
        ("differs:1982,datc-3", "cannot be part of a wish"),
        ("take SEX", "goal 'take SEX', column 6: expected a province, found 'SEX' .*did you mean Serbia"),
        ("hold and taek LON", "goal 'hold and taek LON', column 10: there is no goal 'taek' .*did you mean take PROVINCE"),
        ("dislodgd:BRE", "did you mean dislodged:BRE"),
        ("grab", "known goals: keep PROVINCE, take PROVINCE, hold PROVINCE, dislodged:PROVINCE, occupied:PROVINCE=POWER"),
        ("take LON keep BRE", "column 10: expected an `and` or an `or`, found keep"),
        ("keep SPA/NC", "column 6: `keep` needs a province without a coast .write keep SPA"),
        ("hold STP/NC", "column 6: no unit of France is in STP/NC"),
        ("hold LON", "column 6: no unit of France is in LON to hold it .its units are in BRE, ENG"),
    ],
)
def test_what_is_no_wish(wish: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_wish(wish, board_of(PARADOX), "FRANCE")


def test_wishes_are_goals() -> None:
    board = board_of(PARADOX)
    assert str(parse_wish("keep LON or hold ENG", board, "FRANCE")) == (
        "((occupied:LON=FRANCE or not occupied:LON) or not dislodged:ENG)"
    )
    assert str(parse_wish("hold", board, "FRANCE")) == "(not dislodged:BRE and not dislodged:ENG)"
    assert str(parse_wish("not (Take lon)", board, "ENGLAND")) == "not occupied:LON=ENGLAND"
    assert str(parse_wish("take North Sea", board, "FRANCE")) == "occupied:NTH=FRANCE"


def test_a_coast_in_a_wish_is_where_a_fleet_stands() -> None:
    board = board_of({"RUSSIA": "F BAR, A MOS, F BUL/EC", "TURKEY": "F AEG, F CON"})
    assert orders_of(asked(board, "RUSSIA", "take STP/NC"))[0] == "F BAR - STP/NC"
    assert asked(board, "RUSSIA", "take STP/SC").orders is None
    assert asked(board, "RUSSIA", "take STP").orders is not None
    assert asked(board, "RUSSIA", "not occupied:STP/SC and not dislodged:BUL/SC").orders is not None
    for coast in ("BUL/SC", "BUL/EC"):
        assert any(order.endswith(f"- {coast}") for order in orders_of(asked(board, "TURKEY", f"take {coast}")))
    hold = asked(board, "RUSSIA", "hold BUL/EC")
    assert (hold.orders is not None, str(hold.table.goal)) == (True, "not dislodged:BUL/EC")


def test_a_wish_for_a_province_without_an_own_unit_is_remarked_upon() -> None:
    reader = WishReader("keep ENG and keep LON", board_of(PARADOX), "FRANCE")
    reader.parse_text()
    assert reader.remarks == ["no unit of France stands in LON; keep LON means that no foreign unit does"]


def test_nothing_is_guaranteed_where_the_rules_have_no_answer() -> None:
    board = board_of(PARADOX)
    goal = parse_wish("hold", board, "FRANCE")
    with pytest.raises(InputError, match="has no answer"):
        WishTable(board, "FRANCE", goal, RULES.with_settings(("4.A.2=none",)))
    with pytest.raises(InputError, match=r"Italy has no units on this board \(these powers have units: France, England\)"):
        WishTable(board, "ITALY", goal, RULES)


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["guarantee", "take ENG", "datc:6.F.14", "--power", "England"]) == 0
    said = capsys.readouterr().out
    assert "England wants: take ENG  [datc-3]" in said
    assert "  F LON S F WAL - ENG\n  F WAL - ENG\n" in said
    assert run(["guarantee", "keep ENG or take LON", "datc:6.F.14", "--power", "France"]) == 1
    said = capsys.readouterr().out
    assert "Refuted" in said
    assert "F LON S F WAL - ENG; F WAL - ENG" in said or "F LON - ENG; F WAL S F LON - ENG" in said  # either fleet may go
    assert "F ENG H              dislodged" in said or "dislodged" in said


def test_the_command_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["guarantee", "take LON", "datc:6.F.14", "--power", "France", "--json"]) == 1
    (case,) = json.loads(capsys.readouterr().out)["cases"]
    assert (case["finding"], case["orders"], case["power"]) == ("refuted", None, "FRANCE")
    assert case["rulebook"]["name"] == "datc-3"
    assert all(set(defeat) == {"orders", "reply", "results"} for defeat in case["defeats"])
    assert run(["guarantee", "take LON", "datc:6.F.14", "--power", "Ruritania"]) == 2
    assert capsys.readouterr().err.startswith("satjudge: --power: there is no power")
    assert run(["guarantee", "hold", "datc:6.F.14", "--power", "Italy"]) == 2
    assert "Italy has no units on this board (these powers have units:" in capsys.readouterr().err


@pytest.mark.parametrize(("count", "first", "shown"), [(20, 1, 20), (21, 17, 5)])
def test_all_replies_are_shown_or_it_is_said_that_they_are_not(
    capsys: pytest.CaptureFixture[str], count: int, first: int, shown: int
) -> None:
    (sheet,) = read_cases("datc:6.F.14")
    found = asked(sheet.board, "FRANCE", "take LON")
    many = replace(found, defeats=found.defeats[:1] * count)
    show(*iter_reply_lines(make_guarantee_case(many, sheet, GuaranteeTask(goal="take LON", power="France")), sheet.board))
    said = capsys.readouterr().out
    assert [int(number) for number in re.findall(r"^  (\d+)\. ", said, re.MULTILINE)] == list(range(first, count + 1))
    assert ("(the last 5 of 21; --json lists all)" in said) == (shown < count)


FRANCE_DEFENDS = {"FRANCE": "F LON, A BRE, A PAR, A MAR", "GERMANY": "F ENG, A PIC, A BUR"}


@pytest.mark.slow
def test_defending_france() -> None:
    """The first of Inspector Clouseau's problems (D. Norman, The Diplomatic Pouch, F2007R; solved in W2007A)."""
    found = asked(board_of(FRANCE_DEFENDS), "FRANCE", "keep BRE and keep PAR")
    assert orders_of(found) == ["F LON - ENG", "A BRE - PIC", "A PAR - PIC", "A MAR - BUR"]


BLACK_SEA = """
Russia:
  A Rumania H
  F Sevastopol H
  A Ukraine S A Rumania
Turkey:
  F Black Sea H
  A Bulgaria H
  A Armenia H
"""
ON_RUMANIA = 'order:"F BLA S A BUL - RUM" and order:"A BUL - RUM" and order:"A ARM - SEV"'
ON_SEVASTOPOL = 'order:"F BLA S A ARM - SEV" and order:"A ARM - SEV" and order:"A BUL - RUM"'


def test_both_attacks_are_blocked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The first problem of The Diplomatic Pouch, W1995A (Tactics): not a guess, if there are just these two attacks."""
    (sheet := tmp_path / "black-sea.txt").write_text(BLACK_SEA)
    six = ["--region", "RUM SEV UKR BLA BUL ARM"]
    ask = ["guarantee", "keep RUM and keep SEV", str(sheet), "--power", "Russia", *six]
    assert run([*ask, "--assume", f"({ON_RUMANIA}) or ({ON_SEVASTOPOL})"]) == 0
    said = capsys.readouterr().out
    assert "Assumed about the orders of others: " in said
    assert "Guaranteed by these orders, whatever else" in said
    assert "Note: " not in said
    absent = 'not order:"A GRE - BUL" and Italy does not attack RUM'
    run([*ask, "--assume", f"({ON_SEVASTOPOL}) and {absent}"])
    said = capsys.readouterr().out
    assert 'Note: order:"A GRE - BUL" applies to no unit of the other powers on this board, which are F BLA (Turkey)' in said
    assert "Note: attacks:RUM=ITALY applies to no unit" in said
    assert run([*ask, "--assume", ON_SEVASTOPOL, "--keep-orders"]) == 1
    said = capsys.readouterr().out
    assert "Kept: A RUM H; F SEV H; A UKR S A RUM." in said


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--assume", "holds:RUSSIA"], "Russia is one of the powers whose wish this is, so its orders cannot be assumed"),
        (["--assume", 'order:"A BUL - GRE" and holds:BUL'], "with"),
        (["--assume", "holds:GRE"], r"no orders .holds:GRE applies to no unit of the other powers on this board"),
        (["--assume", "take RUM"], "there is no goal 'take'"),
        (["--assume", "Russia does not attack XYZ"], "expected a province"),
        (["--region", "RUM SEV UKR BUL ARM"], "F BLA is outside the region .add BLA"),
        (["--region", "RUM XYZ"], "--region .*expected a province"),
    ],
)
def test_what_cannot_be_asked(options: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (sheet := tmp_path / "black-sea.txt").write_text(BLACK_SEA)
    assert run(["guarantee", "keep RUM", str(sheet), "--power", "Russia", *options]) == 2
    assert re.search(message, capsys.readouterr().err)


def test_a_power_may_order_nothing() -> None:
    """Serbia's support of Trieste, a unit of another power, would not count if that power ordered nothing (4.D.9=refused)."""
    board = board_of({"AUSTRIA": "A SER", "ITALY": "F TRI"})
    with pytest.raises(InputError, match="a power that orders nothing loses the support of its units") as told:
        asked(board, "AUSTRIA", "keep SER", load_preset("datc-3 with 4.D.9=refused"))
    assert told.value.suggestion == "add --set 4.D.9=given"


def test_centers_are_counted_when_a_season_is_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (sheet := tmp_path / "black-sea.txt").write_text(f"season: fall\n{BLACK_SEA}")
    ask = ["guarantee", "centers:TURKEY >= 1", str(sheet), "--power", "Turkey"]
    assert run(ask) == 2
    assert "centers are only known at the end of a season (add --seasons 1)" in capsys.readouterr().err
    assert run([*ask, "--seasons", "1", "--json"]) == 0  # Bulgaria
    (case,) = json.loads(capsys.readouterr().out)["cases"]
    assert (case["seasons"], case["allies"], case["finding"]) == (1, [], "guaranteed")
    assert run(["guarantee", "at least 2 of (take BUL, take RUM)", str(sheet), "--power", "Turkey", "--keep-orders"]) == 1


def test_two_seasons_of_two_powers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (sheet := tmp_path / "ending.txt").write_text("Austria:\n  A Budapest H\nItaly:\n  A Trieste H\nRussia:\n  A Serbia H\n")
    ask = ["guarantee", "take SER", str(sheet), "--power", "Austria, Italy", "--seasons", "2", "--region", "SER BUD TRI RUM"]
    assert run(ask) == 0
    said = capsys.readouterr().out
    assert "Austria and Italy want: take SER when 2 seasons are over" in said
    assert "that may follow:" in said
    assert run([*ask, "--timeout", "0.1", "--json"]) in (0, 1)


PAGE = (Path(__file__).parents[2] / "docs" / "guides" / "guarantee.md").read_text(encoding="utf-8")
SHEETS = {name: sheet for sheet, name in re.findall(r"```\n(case (\w+): (?s:.*?))```", PAGE)}


@pytest.mark.parametrize("number", [0, 1, 2, 3])
def test_what_the_page_shows(
    number: int, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command, text = re.findall(r"```text\n\$ satjudge (.*)\n((?s:.*?))```", PAGE)[number]
    monkeypatch.chdir(tmp_path)
    for name, sheet in SHEETS.items():
        Path(f"{name}.txt").write_text(sheet)
    run(shlex.split(command))
    said = capsys.readouterr().out
    for part in text.split("  …\n"):
        assert part in said
