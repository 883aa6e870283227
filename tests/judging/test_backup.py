"""Backup rules: what a ruling on a paradox may override, stated once for every question about unknown orders."""

from __future__ import annotations

from random import Random

import pytest

from satjudge import UnresolvedError, judge, load_rulebook
from satjudge.bulk.random_boards.boards import Flavour, random_board
from satjudge.judging.backup import CIRCULAR, list_overridable_kinds
from satjudge.judging.equations.situation import ConvoyDecision, MoveDecision
from satjudge.judging.solve import Engine
from satjudge.world.board import Board, Unit
from satjudge.world.geography import UnitKind, load_map


@pytest.mark.parametrize(
    ("settings", "kinds"),
    [
        ((), (ConvoyDecision,)),
        (("4.A.2.fallback=all-hold",), (ConvoyDecision,)),  # Szykman's rule has an answer to every paradox
        (("4.A.2=all-hold", "4.A.2.fallback=szykman"), (MoveDecision, ConvoyDecision)),
        (("4.A.2=1982", "4.A.2.fallback=all-hold"), (MoveDecision, ConvoyDecision)),
        (("4.A.2=1982", "4.A.2.fallback=szykman"), (ConvoyDecision,)),
        (("4.A.2=1982", "4.A.2.fallback=unresolved"), ()),
        (("4.A.2=none", "4.A.2.fallback=all-hold"), ()),
    ],
)
def test_what_a_ruling_on_a_paradox_may_override(settings: tuple[str, ...], kinds: tuple[type, ...]) -> None:
    """`overridable` allows what rulings do to random boards, and no more kinds than some ruling overrides."""
    rulebook = load_rulebook("datc-3").with_settings(settings)
    assert list_overridable_kinds(rulebook) == kinds
    seen = set()
    for seed in range(40):
        board, orders = random_board(Random(f"overridden {seed}"), Flavour.CONVOYS, (5, 14))
        try:
            adjudication = judge(board, orders, rulebook=rulebook).adjudication
        except UnresolvedError:
            continue
        for ruling in adjudication.rulings:
            if ruling.rule != CIRCULAR:
                seen |= {type(adjudication.situation.decisions[index]) for index in ruling.settled}
    assert seen <= set(kinds)
    assert seen == set(kinds) or rulebook.paradox == "1982"  # which leaves hardly any paradox to the fallback


def test_the_last_stage_of_a_train_fails_even_where_it_is_in_no_core() -> None:
    """DATC 2.4, 7: it “fails, but is still capable of bouncing”. Here only that the train tries to enter is in the core."""
    orders = {"RUSSIA": ["A IRK - TSR - OMS"], "FRANCE": ["A KRA - OMS", "A PRM S A IRK - OMS"]}
    units = [Unit("RUSSIA", UnitKind.ARMY, "IRK"), *(Unit("FRANCE", UnitKind.ARMY, code) for code in ("KRA", "PRM"))]
    for engine in Engine:
        outcome = judge(Board(tuple(units), map=load_map("colonial")), orders, rulebook="datc-2", engine=engine)
        assert outcome.results == {"RUSSIA": ["fails"], "FRANCE": ["fails", "given"]}


def test_a_train_that_must_stop_takes_part_in_circular_movement() -> None:
    """DATC 2.4, 7.B.17 and 7.B.18: it stops in Omsk, a centre that it has to take; where else it might go does not matter."""
    board = Board(
        tuple(Unit(power, UnitKind.ARMY, code) for power, code in (("RUSSIA", "KRA"), ("CHINA", "OMS"), ("CHINA", "AKM"))),
        centers={"OMS": "CHINA"},
        map=load_map("colonial"),
    )
    orders = {"RUSSIA": ["A KRA - TSR - MOS"], "CHINA": ["A OMS - AKM", "A AKM - KRA"]}
    for engine in Engine:
        outcome = judge(board, orders, rulebook="datc-2", engine=engine)
        assert outcome.results == {"RUSSIA": ["stops"], "CHINA": ["succeeds", "succeeds"]}
        assert [ruling.rule for ruling in outcome.adjudication.rulings] == [CIRCULAR]


def test_a_circle_in_which_a_train_must_retake_a_centre() -> None:
    """DATC 2.4, 5.B.9 asks for a circle first. 7.B.25 is alike, but its units form none."""
    standing = {"RUSSIA": ("MOS", "PRM", "OMS"), "CHINA": ("KRA", "AKM", "ORE")}
    units = tuple(Unit(power, UnitKind.ARMY, code) for power, codes in standing.items() for code in codes)
    board = Board(units, centers={"OMS": "CHINA"}, map=load_map("colonial"))
    orders = {
        "RUSSIA": ["A MOS - TSR - VLA", "A PRM H", "A OMS - KRA"],
        "CHINA": ["A KRA - AKM", "A AKM - ORE", "A ORE - MOS"],
    }
    for engine in (Engine.STAGED, Engine.FULL):
        outcome = judge(board, orders, rulebook="datc-2", engine=engine)
        assert outcome.results == {"RUSSIA": ["stops", "stands", "succeeds"], "CHINA": ["succeeds"] * 3}
