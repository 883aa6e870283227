"""Orders that are nearly right, and the boards with them that engines are asked before they are said to agree."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from types import ModuleType

import pytest

from satjudge.apps.cli import run
from satjudge.engines.campaign import make_campaign
from satjudge.engines.comparison import answer_from_outcome
from satjudge.engines.conformance.diagnosis import _draw_pool, _draw_pool_with_slips, diagnose_engine
from satjudge.engines.conformance.evidence import make_recording_campaign
from satjudge.engines.documents.conformance import Conformance
from satjudge.engines.kit.parts import PARTS, get_board_source
from satjudge.engines.kit.run import ask_kit
from satjudge.engines.positions import AskedPosition, ListedPositions, add_slips, parse_position
from satjudge.judging.judge import judge_parsed_orders
from satjudge.judging.solve import Engine
from satjudge.oracles.oracle import Answer
from satjudge.world.board import Board, Phase
from satjudge.world.geography import Power
from satjudge.world.orders import Order
from satjudge.world.rules import load_rulebook

DRAW = "from satjudge.engines.positions import add_slips\nfrom satjudge.engines.kit.parts import get_board_source\n"
SHOW = "print([add_slips(get_board_source(phase).get_position(7)).line for phase in ('movement', 'retreat', 'adjustment')])"


def test_slips_are_the_same_in_every_process() -> None:
    here = [add_slips(get_board_source(phase).get_position(7)).line for phase in ("movement", "retreat", "adjustment")]
    other = subprocess.run([sys.executable, "-c", DRAW + SHOW], capture_output=True, text=True, check=True).stdout
    assert other == f"{here}\n"


@pytest.mark.parametrize("phase", list(Phase))
def test_slips_leave_the_board_and_can_be_read_again(phase: Phase) -> None:
    for number in range(60):
        plain = get_board_source(phase).get_position(number)
        slipped = add_slips(plain)
        assert slipped.board is plain.board
        assert parse_position(slipped.line).line == slipped.line


def test_slips_are_of_many_kinds() -> None:
    """Some orders no longer count, some count otherwise, some units have two, and some have none."""
    found = Counter[str]()
    for number in range(200):
        plain = get_board_source("movement").get_position(number)
        slipped = add_slips(plain)
        old, new = ([str(order) for given in one.orders.values() for order in given] for one in (plain, slipped))
        found["another order"] += old != new
        found["a second order"] += len(new) > len(old)
        usual, said = (judge_parsed_orders(one.board, one.orders, load_rulebook()) for one in (plain, slipped))
        words = Counter(str(one.verdict) for given in said.judged.values() for one in given)
        words.subtract(Counter(str(one.verdict) for given in usual.judged.values() for one in given))
        found |= {word: max(found[word], number) for word, number in words.items()}
        found["other units"] += usual.units != said.units
    assert all(found[kind] > 0 for kind in ("another order", "a second order", "other units", "illegal", "invalid"))
    assert found["another order"] > 150


def test_kruijswijks_procedure_agrees_on_boards_with_slips() -> None:
    campaign = make_campaign("kruijswijk-partial", ListedPositions(()), rules="datc-3", settings=(), engine=Engine.STAGED)
    boards = [one for one in _draw_pool_with_slips()[::5] if one.board.phase is Phase.MOVEMENT]
    assert len(boards) > 400
    assert [one.line for one in boards if campaign.compare(one).differences] == []


def asked_of(wrong: frozenset[str]) -> Conformance:
    """Ask an engine that is right but for some positions, given by key, on which it leaves every unit where it was."""

    def judge(board: Board, orders: Mapping[Power, Sequence[Order]]) -> Answer:
        position = AskedPosition(board, orders)  # type: ignore[arg-type]
        right = answer_from_outcome(judge_parsed_orders(board, orders, load_rulebook()))
        if position.key not in wrong:
            return right
        return Answer(verdicts=right.verdicts, dislodged=right.dislodged, units={})

    module = ModuleType(f"wrong_on_{len(wrong)}")  # connections are kept by name
    module.judge = judge  # type: ignore[attr-defined]
    sys.modules[module.__name__] = module
    campaign = make_recording_campaign(
        make_campaign(f"{module.__name__}:judge", ListedPositions(()), rules="datc-3", settings=(), engine=Engine.STAGED)
    )
    parts = {part: [one.question_line for one in PARTS[part].make()] for part in ("retreats", "boards")}
    found = ask_kit(campaign, parts)
    found.diagnosis = diagnose_engine(campaign, campaign.list_answers(parts), found)
    return found


def test_an_engine_that_is_wrong_on_a_further_board_alone_is_not_said_to_agree() -> None:
    (last,) = [one for one in _draw_pool_with_slips() if one.board.phase is Phase.RETREAT][-1:]
    found = asked_of(frozenset({last.key}))
    told = found.diagnosis
    assert told is not None
    assert (found.differing, told.besides) == (0, 1)
    assert [one.question for one in told.unexplained] == [last.name]
    assert not found.passes
    assert "agrees with datc-3" not in told.says
    assert told.count_text == f"All answers to the kit are right, but of {told.further:,} to further boards 1 differs."


def test_an_engine_that_agrees_was_asked_all_further_boards() -> None:
    found = asked_of(frozenset())
    assert found.diagnosis is not None
    assert found.diagnosis.further == len(_draw_pool()) + len(_draw_pool_with_slips())
    assert (found.diagnosis.besides, found.passes) == (0, True)
    assert found.diagnosis.says == "agrees with datc-3"


# ---- what further questions may meet ----


def test_a_position_that_is_asked_besides_is_known_as_it_is_asked() -> None:
    """With `--legal-only` illegal orders are left out, so that verdicts are those of fewer orders."""
    campaign = make_recording_campaign(
        make_campaign("1982", ListedPositions(()), rules="datc-3", settings=(), engine=Engine.STAGED, legal_only=True)
    )
    heard = campaign.ask_position(
        parse_position(b'{"units": {"FRANCE": ["A PAR", "F BRE"]}, "orders": {"FRANCE": ["A PAR - MOS", "F BRE H"]}}')
    )
    assert heard is not None
    assert heard.theirs is not None
    assert [list(map(str, given)) for given in heard.position.orders.values()] == [["F BRE H"]]
    assert list(heard.theirs.verdicts.values()) == [["stands"]]


def test_a_rulebook_as_an_engine_may_have_no_answer() -> None:
    campaign = make_recording_campaign(
        make_campaign("2000", ListedPositions(()), rules="datc-3", settings=(), engine=Engine.STAGED)
    )
    asked = [campaign.ask_position(one) for one in _draw_pool() if one.board.phase is Phase.MOVEMENT]
    assert None in asked
    assert any(one is not None and one.theirs is not None for one in asked)


def failing(*_: object, **__: object) -> None:
    """Fail as code with a mistake does."""
    raise IndexError("a mistake")


def test_findings_are_told_though_looking_for_causes_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("satjudge.engines.families.find_best_hypothesis", failing)
    assert run(["crosscheck", "--against", "1982", "--rules", "datc-3", "--fuzz", "5", "--seed", "5", "--jobs", "1"]) == 1
    told = capsys.readouterr()
    assert "the search failed (IndexError: a mistake)" in told.err
    assert "differ in ways that are not known" in told.out


def test_what_differs_is_told_though_the_diagnosis_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("satjudge.engines.conformance.diagnosis.diagnose_engine", failing)
    assert run(["conformance", "--against", "1982", "--rules", "datc-3", "--part", "clauses"]) == 1
    told = capsys.readouterr()
    assert "no diagnosis: the search for causes failed (IndexError: a mistake)" in told.err
    assert "differently, in the parts clauses" in told.out
