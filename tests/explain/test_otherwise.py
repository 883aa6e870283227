"""What would change an order: every answer is judged anew, and every order that is no answer as well."""

from __future__ import annotations

import io
import json
import random
import sys
from collections.abc import Callable
from itertools import product
from types import SimpleNamespace

import pytest

from satjudge import Position, load_map
from satjudge.apps.cli import run
from satjudge.base.errors import NotFoundError, RequestError
from satjudge.bulk.random_boards.boards import Flavour, random_board
from satjudge.explain import Pivot, what_would_change
from satjudge.explain.changes import pivotal_orders
from satjudge.judging import fast_path
from satjudge.judging.judge import judge
from satjudge.judging.outcome import Outcome
from satjudge.judging.solve import Engine
from satjudge.world.verdicts import Outline

CONTESTED = """case contested:
France: A PAR - BUR; A MAR S A PAR - BUR; F BRE - ENG
Germany: A MUN - BUR; A RUH S A MUN - BUR; A BEL S A MUN - BUR
England: F LON - ENG; F NTH S F LON - ENG
Italy: A ROM H
"""
HEMMED = """case hemmed:
France: A PAR - BUR; A MAR H; F ENG H
Germany: A BUR H; A MUN S A BUR; A RUH S A BUR; A BEL S A BUR; A PIC H; A GAS H
"""


def comes_out(position: Position, order: str) -> Outline:
    """How an order comes out when its position is judged with all that an outcome holds."""
    return Outline.from_verdict(position.explain(order).verdict)


def test_an_order_of_another_unit_is_found() -> None:
    found = what_would_change(Position.read(CONTESTED), "A PAR - BUR")
    assert (found.power, found.verdict, found.wish) == ("FRANCE", "fails", "A PAR - BUR succeeds")
    assert [(one.unit, one.orders if len(one.orders) == 1 else one.all_but) for one in found.changes] == [
        ("A MUN", ("A MUN - BUR",)),
        ("A RUH", ("A RUH S A PAR - BUR",)),
        ("A BEL", ("A BEL S A PAR - BUR",)),
    ]
    assert str(found).splitlines() == [
        "A PAR - BUR succeeds if one of these units has another order:",
        "  Germany  A MUN: anything but - BUR",
        "  Germany  A RUH: S A PAR - BUR",
        "  Germany  A BEL: S A PAR - BUR",
        "All 112 other legal orders of other units were tried, one at a time.",
    ]
    assert Position.read(CONTESTED).what_would_change("A PAR") == found


@pytest.mark.parametrize(
    ("asked", "wish"),
    [
        ("A MUN - BUR", "A MUN - BUR fails"),
        ("A RUH S A MUN - BUR", "A RUH S A MUN - BUR is not given"),
        ("F LON - ENG", "F LON - ENG fails"),
    ],
)
def test_what_comes_out_well_would_come_out_badly(asked: str, wish: str) -> None:
    found = what_would_change(Position.read(CONTESTED), asked)
    assert found.wish == wish
    assert found.changes


def test_holds_and_convoys_and_units_without_orders_have_words_of_their_own() -> None:
    convoy = Position.read("datc:6.F.14")
    assert what_would_change(convoy, "F ENG").wish == "F ENG C A BRE - LON is available"
    silent = Position.of({"FRANCE": ["A MUN - BUR", "A PAR S A MUN - BUR"]}, units={"GERMANY": ["A BUR", "A RUH"]})
    found = what_would_change(silent, "A BUR")
    assert (found.verdict, found.wish) == ("dislodged", "A BUR is not dislodged")
    assert [one.unit for one in found.changes] == ["A RUH", "A MUN", "A PAR"]
    assert "A RUH S A BUR" in found.changes[0].orders


def test_units_of_the_same_power_come_first() -> None:
    found = what_would_change(Position.read(CONTESTED), "A MUN - BUR")
    assert [one.power for one in found.changes] == ["GERMANY", "GERMANY", "ENGLAND"]


@pytest.mark.parametrize("flavour", [Flavour.GENERAL, Flavour.CONVOYS, Flavour.CIRCLES, Flavour.DENSE])
def test_every_order_is_told_as_judging_it_says(flavour: Flavour) -> None:
    rng = random.Random(11)
    board, orders = random_board(rng, flavour, (5, 7), illegal=0.1)
    position = Position(board, orders)
    listed = [(power, str(order)) for power, given in position.orders.items() for order in given]
    power, asked = rng.choice(listed)
    found = what_would_change(position, asked, power)
    told = {(one.power, order) for one in found.changes for order in one.orders}
    before, tried = comes_out(position, asked), 0
    for unit in board.units:
        every = position.legal_orders()[str(unit)]
        mine = next((one for one in found.changes if one.unit == str(unit)), None)
        if mine is not None:
            assert {*mine.orders, *mine.all_but} >= set(every)
        for order in every:
            changed = position.order(unit.power, order)
            if asked in changed.texts.get(power, ()) and not asked.startswith(f"{unit} "):
                tried += 1
                differs = comes_out(changed, asked) is not before
                assert ((unit.power, order) in told) == differs, (asked, order)
    assert tried >= found.tried > 20


def test_the_plain_path_says_the_same() -> None:
    position = Position.read(CONTESTED)
    for asked in ("A PAR - BUR", "F NTH"):
        assert what_would_change(position, asked, engine=Engine.FULL) == what_would_change(position, asked)


def test_pairs_are_tried_where_no_single_order_is_enough() -> None:
    position = Position.read(HEMMED)
    found = what_would_change(position, "A MAR")
    assert found.changes == ()
    assert isinstance(found.pairs, tuple)
    assert found.pairs
    for pair in found.pairs:
        for one, other in product(pair.one.orders, pair.other.orders):
            both = position.order(pair.one.power, one).order(pair.other.power, other)
            assert comes_out(both, "A MAR H") is Outline.FAILS
    text = str(found)
    assert text.startswith(f"There is no single other order with which A MAR is dislodged: all {found.tried} were tried.")
    assert f"{found.tried_pairs:,} pairs of orders of " in text
    assert "Germany  A BUR: - MAR, and Germany  A GAS: S A BUR - MAR" in text


def test_pairs_are_bounded() -> None:
    found = what_would_change(Position.read(HEMMED), "A MAR", most_pairs=30)
    assert isinstance(found.tried_pairs, int)
    assert found.tried_pairs <= 30
    assert "were tried" in str(found).splitlines()[-1]


def test_no_tables_are_made_for_the_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """They take longer than the phases that are judged here; on the standard map they come with satjudge."""
    monkeypatch.setattr(fast_path, "PHASES_BEFORE_TABLES", 3)
    monkeypatch.setattr(fast_path, "_load_kernel", lambda *given: pytest.fail("tables are made") if given[-1] else None)
    monkeypatch.setitem(load_map("loeb9").cache, fast_path.KernelChoice, {})  # other tests judge on it, before and after
    position = Position.of({"SPAIN": ["A MAD - NAV"], "FRANCE": ["A GAS - NAV"]}, map="loeb9")
    assert what_would_change(position, "A MAD - NAV").tried > 3


def test_where_there_is_nothing_to_try_that_is_said() -> None:
    assert (
        str(what_would_change(Position.of({"FRANCE": ["A PAR - BUR"]}), "A PAR")) == "There is no order of another unit to try."
    )
    assert (
        str(what_would_change(Position.of({"FRANCE": ["A PAR - LON"]}), "A PAR"))
        == "A PAR - LON is illegal; its explanation says why.\nThere is no order of another unit to try."
    )


def test_only_moves_hang_on_others_and_only_given_orders_are_asked_about() -> None:
    with pytest.raises(RequestError, match="only in movement phases"):
        Position.read("datc:6.I.1").what_would_change("A PAR")
    with pytest.raises(NotFoundError, match="there is no order A PAR - GAS"):
        Position.read(CONTESTED).what_would_change("A PAR - GAS")


def test_an_order_hangs_on_those_without_which_it_has_another_verdict() -> None:
    position = Position.read(CONTESTED)
    (pivot,) = pivotal_orders(position, asked=(None, "A PAR - BUR"))
    assert isinstance(pivot, Pivot)
    assert pivot.order == "A MUN - BUR"
    assert pivot.change
    assert pivot.change.order
    assert pivot.change.order.verdict == "succeeds"
    assert {one.order for one in pivotal_orders(position)} > {"A MUN - BUR", "F LON - ENG"}


def test_what_an_order_hangs_on_is_what_judging_without_says() -> None:
    rng, found = random.Random(5), 0
    for flavour in (Flavour.GENERAL, Flavour.CONVOYS, Flavour.DENSE):
        board, orders = random_board(rng, flavour, (8, 14), illegal=0.1)
        before = judge(board, orders)
        listed = [(power, place) for power, given in orders.items() for place in range(len(given))]
        for power, place in rng.sample(listed, 4):
            asked = orders[power][place]
            pivots = {(one.power, one.order) for one in pivotal_orders(board, orders, asked=(power, asked))}
            for other, number in listed:
                if (other, number) != (power, place):
                    left = {
                        name: [one for at, one in enumerate(given) if (name, at) != (other, number)]
                        for name, given in orders.items()
                    }
                    after: Outcome = judge(board, left)
                    at = place - (other == power and number < place)
                    differs = after.results[power][at] != before.results[power][place]
                    assert ((other, str(orders[other][number])) in pivots) == differs
                    found += differs
    assert found > 5


# ---- the command ----

Invoke = Callable[..., tuple[int, str, str]]


@pytest.fixture
def invoke(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Invoke:
    def call(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(CONTESTED.encode())))
        return (run(["explain", "-", *arguments]), *capsys.readouterr())

    return call


def test_command_tells_what_would_change(invoke: Invoke) -> None:
    out = invoke("France: A PAR - BUR", "--what-would-change")[1]
    assert "\n  Germany  A MUN: anything but - BUR\n" in out
    (case,) = json.loads(invoke("A PAR", "--what-would-change", "--json")[1])["cases"]
    assert case["what_would_change"]["changes"][1]["orders"] == ["A RUH S A PAR - BUR"]
    assert case["what_would_change"]["tried"] == 112


def test_command_tells_on_what_an_order_hangs(invoke: Invoke) -> None:
    out = invoke("A PAR - BUR", "--pivotal")[1]
    assert out.splitlines()[1:3] == [
        "Without A MUN - BUR of Germany",
        "  A PAR - BUR  succeeds: attack 2 (itself, A MAR) exceeds hold 0 of BUR (empty) [5.B.1]",
    ]
    assert "F LON" not in out
    assert "No single order, if it is left out, changes the verdict on A ROM." in invoke("A ROM", "--pivotal")[1]
    (case,) = json.loads(invoke("A PAR - BUR", "--pivotal", "--json")[1])["cases"]
    assert [one["order"] for one in case["pivotal"]] == ["A MUN - BUR"]
    assert case["pivotal_for"] == "A PAR - BUR"


def test_command_points_from_why_not_to_other_orders(invoke: Invoke) -> None:
    assert "--what-would-change" in invoke("A PAR - BUR", "--why-not")[1]
    assert "--what-would-change" not in invoke("A MUN - BUR", "--why-not")[1]


def test_command_needs_an_order_and_one_question(invoke: Invoke) -> None:
    code, _, err = invoke("--what-would-change")
    assert (code, "name ORDER after FILE" in err) == (2, True)
    code, _, err = invoke("A PAR", "--what-would-change", "--pivotal")
    assert (code, "one at a time" in err) == (2, True)
