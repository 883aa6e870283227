"""The three engines agree, and what they say satisfies the equations."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Mapping
from math import prod
from random import Random
from typing import TypeVar

import pytest
from helpers.strategies import (
    Position,
    all_in_words,
    boards_with_orders,
    in_words,
    interpreted,
    note,
    position,
    rulebooks,
    rulings_in_words,
    with_attacks_on_last_fleets,
)
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from satjudge.base.errors import SatjudgeError, UnresolvedError
from satjudge.bulk.random_boards.boards import Flavour, random_board
from satjudge.judging.backup import rule_on
from satjudge.judging.equations import compiler, logic, statement
from satjudge.judging.equations.logic import Logic, Reading
from satjudge.judging.equations.situation import ConvoyDecision, Decision, MoveDecision, SupportDecision
from satjudge.judging.judge import judge, read_situation
from satjudge.judging.solve import Engine, adjudicate, bounds, brute_engine, case_splitting, full_engine, staged_engine
from satjudge.judging.solve.bounds import Values
from satjudge.judging.solve.cores import find_cores, find_mentions, make_dependence_test
from satjudge.judging.solve.cpsat_model import Model, Strength, Truth, enumerate_all, new_solver
from satjudge.judging.solve.result import Adjudication, Core, settle_core
from satjudge.world.rules import Rulebook, load_rulebook

B = TypeVar("B")
N = TypeVar("N")

BRUTE_DECISIONS = 10
PANDIN = position(
    {"FRANCE": ["A BRE", "F ENG"], "ENGLAND": ["F LON", "F WAL"]},
    {"FRANCE": ["A BRE - LON", "F ENG C A BRE - LON"], "ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG"]},
)
"""DATC 6.F.14, the simplest convoy paradox, with two resolutions."""
TWO_CORES = position(
    {"FRANCE": ["A BRE", "F ENG"], "ENGLAND": ["F LON", "F WAL"], "TURKEY": ["A ANK", "A CON", "A SMY"]},
    {
        "FRANCE": ["A BRE - LON", "F ENG C A BRE - LON"],
        "ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG"],
        "TURKEY": ["A ANK - CON", "A CON - SMY", "A SMY - ANK"],
    },
)


def assert_same(one: Adjudication, other: Adjudication) -> None:
    """The same resolutions, the same values, the same rulings."""
    assert one.resolutions.complete
    assert other.resolutions.complete
    assert one.resolutions.count == other.resolutions.count
    assert all_in_words(one) == all_in_words(other)
    assert in_words(one.situation, one.values) == in_words(other.situation, other.values)
    assert rulings_in_words(one) == rulings_in_words(other)
    assert one.overridden == other.overridden


def assert_satisfied(adjudication: Adjudication) -> None:
    """Every resolution satisfies every equation, the ruled one all but those that were overridden."""
    situation = adjudication.situation
    for values in adjudication.resolutions:
        assert logic.find_violated(situation, values) == []
    assert logic.find_violated(situation, adjudication.values, adjudication.overridden) == []
    for ruling in adjudication.rulings:
        assert ruling.resolutions != 1
        assert all(adjudication.values[index] is value for index, value in ruling.settled.items())
    if not adjudication.rulings:
        assert adjudication.resolutions.list_first(2) == [adjudication.values]


@pytest.mark.parametrize("flavour", Flavour)
@settings(max_examples=40)
@given(data=st.data())
def test_staged_full_and_brute_agree(flavour: Flavour, data: st.DataObject) -> None:
    assert_the_three_agree(flavour, data)


@pytest.mark.slow
@pytest.mark.parametrize("flavour", Flavour)
@settings(max_examples=200)
@given(data=st.data())
def test_staged_full_and_brute_agree_on_many(flavour: Flavour, data: st.DataObject) -> None:
    assert_the_three_agree(flavour, data)


def assert_the_three_agree(flavour: Flavour, data: st.DataObject) -> None:
    drawn = data.draw(boards_with_orders(flavour, (1, 9)))
    by_stages = adjudicate(drawn.situation, Engine.STAGED)
    note(by_stages)
    assert_satisfied(by_stages)
    assert_same(by_stages, adjudicate(drawn.situation, Engine.FULL))
    if len(drawn.situation.decisions) <= BRUTE_DECISIONS:
        assert_same(by_stages, adjudicate(drawn.situation, Engine.BRUTE))


@pytest.mark.parametrize("flavour", Flavour)
@pytest.mark.parametrize("seed", range(15))
def test_staged_and_full_agree_on_large_boards(flavour: Flavour, seed: int) -> None:
    situation = read_situation(*random_board(Random(seed), flavour, (20, 34)))
    by_stages = adjudicate(situation, Engine.STAGED)
    assert_satisfied(by_stages)
    assert_same(by_stages, adjudicate(situation, Engine.FULL))


@pytest.mark.parametrize("most", [0, 3])
@pytest.mark.parametrize("flavour", [Flavour.CONVOYS, Flavour.CIRCLES])
def test_cores_are_enumerated_by_hand_as_by_the_solver(monkeypatch: pytest.MonkeyPatch, flavour: Flavour, most: int) -> None:
    """With no suppositions allowed, or few, every core or many a one is left to the solver."""
    situations = [read_situation(*random_board(Random(f"by hand {seed}"), flavour, (10, 34))) for seed in range(12)]
    by_hand = [adjudicate(situation) for situation in situations]
    monkeypatch.setattr(case_splitting, "MOST_SUPPOSITIONS", most)
    by_solver = [adjudicate(situation) for situation in situations]
    assert sum(len(one.cores) for one in by_hand) > 6
    for one, other in zip(by_hand, by_solver, strict=True):
        assert_same(one, other)
        assert list(one.resolutions) == list(other.resolutions)


@given(drawn=boards_with_orders(units=(1, 12), illegal=0.2))
def test_engines_agree_with_illegal_orders_among_them(drawn: Position) -> None:
    assert_same(adjudicate(drawn.situation, Engine.STAGED), adjudicate(drawn.situation, Engine.FULL))


@given(drawn=boards_with_orders(units=(1, 9), illegal=0.05), rulebook=rulebooks())
def test_engines_agree_under_any_rulebook(drawn: Position, rulebook: Rulebook) -> None:
    situation = read_situation(drawn.board, drawn.orders, rulebook=rulebook)
    engines = [engine for engine in Engine if engine is not Engine.BRUTE or len(situation.decisions) <= BRUTE_DECISIONS]
    results: list[Adjudication] = []
    for engine in engines:
        with contextlib.suppress(UnresolvedError):
            results.append(adjudicate(situation, engine))
    assert len(results) in (0, len(engines)), "some engines have an answer, others have none"
    for result in results:
        note(result)
        assert_satisfied(result)
        assert_same(results[0], result)


BRANNAN = [
    f"4.A.4.1=last-fleet,4.A.4.2=last-fleet,{more}"
    for more in (
        "4.A.1=all-routes",
        "4.A.1=all-routes,4.A.7=never,4.E.1.convoy=legal",
        "4.A.1=any-route,4.A.2=1982,4.A.3.fallback=disrupted",
        "4.A.1=any-own-route,4.A.2=guide,4.E.1.convoy=legal,4.A.3.fallback=disrupted",
    )
]


@pytest.mark.parametrize(
    ("settings", "boards", "least"),
    [(BRANNAN[0], 40, 5), *(pytest.param(one, 120, 20, marks=pytest.mark.slow) for one in BRANNAN)],
)
def test_engines_agree_on_battles_at_sea(settings: str, boards: int, least: int) -> None:
    """Brannan's rule (DATC 4.A.4): fleets attack the last fleets of convoys from where the convoys lead."""
    rulebook = load_rulebook().with_settings(settings.split(","))
    fought = Counter[bool]()
    for seed in range(boards):
        random = Random(f"Brannan {seed}")
        board, orders = with_attacks_on_last_fleets(random, *random_board(random, Flavour.CONVOYS, (4, 9)))
        situation = read_situation(board, orders, rulebook=rulebook)
        staged_, full_ = adjudicate(situation, Engine.STAGED), adjudicate(situation, Engine.FULL)
        assert_satisfied(staged_)
        assert_same(staged_, full_)
        if len(situation.decisions) <= BRUTE_DECISIONS:
            assert_same(staged_, adjudicate(situation, Engine.BRUTE))
        reading = Reading(staged_.values)
        fought.update(
            reading.head_to_head(move, other)
            for move in situation.moves
            for other in move.opposed
            if not statement.is_opposite(move, other)
        )
    assert min(fought[True], fought[False]) > least, fought


@given(drawn=boards_with_orders(units=(1, 12)))
def test_solver_returns_every_resolution_once(drawn: Position) -> None:
    for model in (_whole(drawn), _whole(drawn).with_names()):
        found = enumerate_all(model.with_equations())
        assert found.complete
        assert found.raw_count == len(found.assignments) == len(set(found.assignments))


def _whole(drawn: Position) -> Model:
    unknown: Values = [None] * len(drawn.situation.decisions)
    return Model(drawn.situation, unknown)


# Strengths.


@given(drawn=boards_with_orders(units=(1, 12)), data=st.data())
def test_strengths_in_the_solver_are_the_plain_ones(drawn: Position, data: st.DataObject) -> None:
    """In the resolutions, and in any other assignment if the equations are not posted."""
    values = data.draw(st.lists(st.booleans(), min_size=(size := len(drawn.situation.decisions)), max_size=size))
    assert _strengths_in_solver(_whole(drawn).with_names(), values) == _plain_strengths(drawn, values)
    for resolution in adjudicate(drawn.situation).resolutions.list_first(4):
        model = _whole(drawn).with_names().with_equations()
        assert _strengths_in_solver(model, resolution) == _plain_strengths(drawn, resolution)


def _strengths_in_solver(model: Model, values: list[bool] | tuple[bool, ...]) -> Mapping[tuple[str, int | str], int]:
    for index, variable in model.variables.items():
        model.model.add(variable == int(values[index]))
    solver = new_solver()
    status = solver.solve(model.model)
    assert solver.status_name(status) in ("OPTIMAL", "FEASIBLE")

    def truth(part: Truth) -> int:
        return int(part if isinstance(part, bool) else solver.boolean_value(part.variable))

    def strength(part: Strength) -> int:
        return part if isinstance(part, int) else int(solver.value(part.expression))

    paths: dict[tuple[str, int | str], int] = {("PATH", index): truth(path) for index, path in model.paths.items()}
    return paths | {key: strength(value) for key, value in model.strengths.items()}


def _plain_strengths(drawn: Position, values: list[bool] | tuple[bool, ...]) -> Mapping[tuple[str, int | str], int]:
    found: dict[tuple[str, int | str], int] = {}
    for move in drawn.situation.moves:
        strengths = logic.compute_strengths(move, values)
        found["PATH", move.index] = int(strengths.path)
        found["ATTACK", move.index] = strengths.attack
        found["PREVENT", move.index] = strengths.prevent
        found["DEFEND", move.index] = strengths.defend
    holds = logic.compute_hold_strengths(drawn.situation, values)
    return found | {("HOLD", province): strength for province, strength in holds.items()}


# The order in which cores are ruled.


MANY_CORES = boards_with_orders(Flavour.CONVOYS, (8, 20)) | boards_with_orders(Flavour.CIRCLES, (8, 20))


@given(drawn=MANY_CORES, data=st.data())
def test_order_of_cores_does_not_matter(drawn: Position, data: st.DataObject) -> None:
    usual = adjudicate(drawn.situation)
    assume(usual.rulings)
    note(usual)
    other = _core_by_core(drawn, lambda count: data.draw(st.integers(0, count - 1)))
    assert in_words(usual.situation, usual.values) == in_words(other.situation, other.values)
    assert rulings_in_words(usual) == rulings_in_words(other)


@pytest.mark.parametrize("which", [0, -1])
def test_either_of_two_cores_may_be_ruled_first(which: int) -> None:
    usual = adjudicate(TWO_CORES.situation)
    other = _core_by_core(TWO_CORES, lambda count: which % count)
    assert sorted(ruling.rule for ruling in other.rulings) == ["circular", "szykman"]
    assert usual.values == other.values
    assert usual.resolutions.count == 4


def _core_by_core(drawn: Position, choose: Callable[[int], int]) -> Adjudication:
    """The staged engine, save that one core at a time is settled, whichever is chosen."""
    situation = drawn.situation
    values: Values = [None] * len(situation.decisions)
    settled: list[Core] = []
    while still_open := bounds.settle(situation, values).still_open:
        graph = find_mentions(situation, values, still_open)
        found = find_cores(situation, graph, make_dependence_test(situation, values, graph))
        core = found[choose(len(found))]
        only = frozenset(decision.index for decision in core)
        consistent = enumerate_all(Model(situation, values, open_indices=only).with_equations())
        settled.append(settle_core(core, consistent.assignments, situation.rulebook))
        for index, value in settled[-1].settled_values.items():
            values[index] = value
    usual = adjudicate(situation)
    return Adjudication(situation, tuple(value is True for value in values), tuple(settled), usual.resolutions)


# The backup rules, on cores that no board is known to have.


@pytest.fixture
def decisions() -> dict[type[Decision], list[Decision]]:
    """Decisions of each kind to make cores of."""
    found: dict[type[Decision], list[Decision]] = {MoveDecision: [], SupportDecision: [], ConvoyDecision: []}
    for decision in TWO_CORES.situation.decisions:
        found[type(decision)].append(decision)
    return found


DATC = load_rulebook("datc-3")
ALL_HOLD = DATC.with_settings(["4.A.2=all-hold"])
ALL_FAIL = DATC.with_settings(["5.B.9=all-fail"])
NO_RULE = DATC.with_settings(["4.A.2=none"])
GUIDE = DATC.with_settings(["4.A.2=guide"])
Decisions = dict[type[Decision], list[Decision]]


def both(core: list[Decision]) -> list[tuple[bool, ...]]:
    """Two resolutions of a core: all succeed, or none does."""
    return [(True,) * len(core), (False,) * len(core)]


@pytest.mark.parametrize("rulebook", [DATC, ALL_HOLD, ALL_FAIL, NO_RULE], ids=lambda rulebook: rulebook.name)
@pytest.mark.parametrize("count", [0, 2])
def test_core_of_moves_is_circular_movement(decisions: Decisions, rulebook: Rulebook, count: int) -> None:
    core = decisions[MoveDecision]
    ruling = rule_on(core, both(core)[:count], rulebook)
    assert (ruling.rule, ruling.core, ruling.resolutions) == ("circular", tuple(core), count)
    assert ruling.settled == {decision.index: True for decision in core}


def test_szykman_fails_the_convoys_of_a_core(decisions: Decisions) -> None:
    core = [*decisions[MoveDecision], *decisions[SupportDecision], *decisions[ConvoyDecision]]
    ruling = rule_on(core, [], DATC)
    assert ruling.rule == "szykman"
    assert ruling.settled == {decision.index: False for decision in decisions[ConvoyDecision]}


def test_all_hold_fails_the_moves_of_a_core_with_a_convoy(decisions: Decisions) -> None:
    core = [*decisions[MoveDecision], *decisions[SupportDecision], *decisions[ConvoyDecision]]
    ruling = rule_on(core, both(core), ALL_HOLD)
    assert ruling.rule == "all-hold"
    failing = [*decisions[MoveDecision], *decisions[ConvoyDecision]]
    assert ruling.settled == {decision.index: False for decision in failing}


def test_guide_takes_the_one_resolution_without_convoys(decisions: Decisions) -> None:
    core = [*decisions[MoveDecision], *decisions[SupportDecision], *decisions[ConvoyDecision]]
    convoys = len(decisions[ConvoyDecision])
    moves_only = tuple(not isinstance(decision, ConvoyDecision) for decision in core)
    ruling = rule_on(core, [(True,) * len(core), moves_only], GUIDE)
    assert ruling.rule == "guide"
    assert ruling.settled == {decision.index: value for decision, value in zip(core, moves_only, strict=True)}
    for resolutions in ([], [(True,) * len(core)], [moves_only, (False,) * len(core)]):  # not just one: All Hold
        settled = rule_on(core, resolutions, GUIDE).settled
        assert not any(settled.values())
        assert len(settled) == len(decisions[MoveDecision]) + convoys


@pytest.mark.parametrize("rulebook", [DATC, ALL_HOLD, NO_RULE], ids=lambda rulebook: rulebook.name)
@pytest.mark.parametrize("kinds", [(SupportDecision,), (MoveDecision, SupportDecision)])
def test_unknown_core_is_an_error(decisions: Decisions, rulebook: Rulebook, kinds: tuple[type[Decision], ...]) -> None:
    core = [decision for kind in kinds for decision in decisions[kind]]
    with pytest.raises(UnresolvedError, match=r"no answer to this core with 2 resolutions: .*F LON S F WAL - ENG"):
        rule_on(core, both(core), rulebook)


def test_paradox_without_a_rule_is_an_error(decisions: Decisions) -> None:
    with pytest.raises(UnresolvedError, match=r"4\.A\.2=none has no answer to this core with 0 resolutions"):
        rule_on([*decisions[MoveDecision], *decisions[ConvoyDecision]], [], NO_RULE)
    for engine in Engine:
        with pytest.raises(UnresolvedError, match="F ENG C A BRE - LON"):
            judge(PANDIN.board, PANDIN.orders, rulebook=NO_RULE, engine=engine)


def test_all_fail_is_an_option_for_unknown_cores(decisions: Decisions) -> None:
    core = [*decisions[MoveDecision], *decisions[SupportDecision]]
    ruling = rule_on(core, [], ALL_FAIL)
    assert ruling.rule == "all-fail"
    assert ruling.settled == {decision.index: False for decision in core}


FIVE_SUPPORTS = position(
    {"FRANCE": ["A PAR", "A BUR", "A MAR", "A GAS", "A PIC"]},
    {"FRANCE": ["A PAR S A BUR", "A BUR S A MAR", "A MAR S A BUR", "A GAS S A PAR", "A PIC S A PAR"]},
)
"""Its decisions 0 to 4 are given equations that no rule of the game gives them."""

MadeUp = Callable[[Logic[B, N], list[B], list[B], int], B]
"""An equation of decision `index`, from all decisions as they speak for it, and as they speak against it."""


def make_up(monkeypatch: pytest.MonkeyPatch, equation: MadeUp[B, N]) -> None:
    """Have every reader of the equations read this one instead."""
    supports = [decision for decision in FIVE_SUPPORTS.situation.decisions if isinstance(decision, SupportDecision)]

    def decision(logic: Logic[B, N], subject: Decision) -> B:
        pro = [logic.support(support) for support in supports]
        contra = [(~logic).support(support) for support in supports]
        return equation(logic, pro, contra, subject.index)

    monkeypatch.setattr(statement, "decision", decision)
    monkeypatch.setattr(compiler, "compile_equations", lambda _: {"decision": interpreted})


def _unique(logic: Logic[B, N], pro: list[B], contra: list[B], index: int) -> B:
    """0 = 1 or 2, 1 = 0, 2 = not 0: they wait for each other, and yet (true, true, false) is all that fits."""
    match index:
        case 0:
            return logic.any_of((pro[1], pro[2]))
        case 1:
            return pro[0]
        case 2:
            return logic.none_of((contra[0],))
    return logic.constant(True)


def _two(logic: Logic[B, N], pro: list[B], contra: list[B], index: int) -> B:
    """0, 1 and 2: each as the one before it."""
    return pro[(index - 1) % 3] if index < 3 else logic.constant(True)


def _none(logic: Logic[B, N], pro: list[B], contra: list[B], index: int) -> B:
    """0, 1 and 2: each as the one before it, but the first not as the last."""
    return logic.none_of((contra[2],)) if index == 0 else _two(logic, pro, contra, index)


def _unique_and_two(logic: Logic[B, N], pro: list[B], contra: list[B], index: int) -> B:
    """A core with one resolution beside one, 3 = 4 and 4 = 3, with two."""
    return _unique(logic, pro, contra, index) if index < 3 else pro[7 - index]


def _two_and_two(logic: Logic[B, N], pro: list[B], contra: list[B], index: int) -> B:
    """Two cores, 0 = 1 and 2 = 3, whose equations mention each other where it cannot matter: `2 and not 2`."""
    if index == 4:
        return logic.constant(True)
    across = {1: 2, 3: 0}.get(index)
    idle = [] if across is None else [logic.all_of((pro[across], logic.none_of((contra[across],))))]
    return logic.any_of((pro[index ^ 1], *idle))


@pytest.mark.parametrize("engine", Engine)
def test_core_with_exactly_one_resolution_needs_no_rule(monkeypatch: pytest.MonkeyPatch, engine: Engine) -> None:
    make_up(monkeypatch, _unique)
    values: Values = [None] * 5
    assert len(bounds.settle(FIVE_SUPPORTS.situation, values).still_open) == 3  # partial information does not settle it
    result = adjudicate(FIVE_SUPPORTS.situation, engine)
    assert result.values == (True, True, False, True, True)
    assert result.rulings == ()
    assert list(result.resolutions) == [result.values]


@pytest.mark.parametrize("engine", Engine)
@pytest.mark.parametrize(("equation", "count"), [(_two, 2), (_none, 0)])
def test_engines_raise_on_an_unknown_core(
    monkeypatch: pytest.MonkeyPatch, engine: Engine, equation: MadeUp[B, N], count: int
) -> None:
    make_up(monkeypatch, equation)
    with pytest.raises(UnresolvedError, match=f"no answer to this core with {count} resolutions: A PAR S A BUR; "):
        adjudicate(FIVE_SUPPORTS.situation, engine)


@pytest.mark.parametrize("engine", Engine)
@pytest.mark.parametrize(
    ("equation", "cores_ruled", "values"),
    [
        (_two, [(2, 3)], (False, False, False, True, True)),
        (_none, [(0, 3)], (False, False, False, True, True)),
        (_unique_and_two, [(2, 2)], (True, True, False, False, False)),
        (_two_and_two, [(2, 2), (2, 2)], (False, False, False, False, True)),
    ],
)
def test_engines_let_unknown_cores_fail_where_the_rulebook_says_so(
    monkeypatch: pytest.MonkeyPatch,
    engine: Engine,
    equation: MadeUp[B, N],
    cores_ruled: list[tuple[int, int]],
    values: tuple[bool, ...],
) -> None:
    """`cores_ruled` is for each ruling how many resolutions the core had, and how many decisions."""
    make_up(monkeypatch, equation)
    situation = read_situation(FIVE_SUPPORTS.board, FIVE_SUPPORTS.orders, rulebook=ALL_FAIL)
    result = adjudicate(situation, engine)
    assert result.values == values
    assert {ruling.rule for ruling in result.rulings} == {"all-fail"}
    assert [(ruling.resolutions, len(ruling.core)) for ruling in result.rulings] == cores_ruled
    assert result.resolutions.count == prod(resolutions for resolutions, _ in cores_ruled)


# Which engine does what.


@pytest.mark.parametrize(
    ("engine", "module"), [(Engine.STAGED, staged_engine), (Engine.FULL, full_engine), (Engine.BRUTE, brute_engine)]
)
def test_the_engine_chosen_is_the_one_that_runs(monkeypatch: pytest.MonkeyPatch, engine: Engine, module: object) -> None:
    calls: list[Engine] = []
    for name, each in ((Engine.STAGED, staged_engine), (Engine.FULL, full_engine), (Engine.BRUTE, brute_engine)):
        genuine = each.adjudicate

        def counting(*given: object, name: Engine = name, genuine: Callable[..., object] = genuine) -> object:
            calls.append(name)
            return genuine(*given)

        monkeypatch.setattr(each, "adjudicate", counting)
    outcome = judge(PANDIN.board, PANDIN.orders, engine=engine)
    assert calls == [engine]
    assert outcome.results == {"FRANCE": ["fails", "disrupted, dislodged"], "ENGLAND": ["given", "succeeds"]}


def test_full_neither_uses_bounds_nor_truth_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """It finds its cores from the model alone, so that agreement with `staged` means something."""

    def forbidden(*_: object, **__: object) -> None:
        raise AssertionError("the full engine is to find this out by itself")

    for name in ("bounds.settle", "staged_engine.settle", "cores.make_dependence_test", "cores.find_mentions"):
        monkeypatch.setattr(f"satjudge.judging.solve.{name}", forbidden)
    assert adjudicate(TWO_CORES.situation, Engine.FULL).resolutions.count == 4


def test_brute_force_has_its_limit() -> None:
    situation = read_situation(*random_board(Random(1), Flavour.DENSE, (30, 34)))
    with pytest.raises(SatjudgeError, match="at most 18 decisions"):
        adjudicate(situation, Engine.BRUTE)
