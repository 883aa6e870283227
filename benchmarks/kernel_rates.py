"""Measures the kernel on real positions, with its targets: a phase, a line, arrays, legal orders, games, a census."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from statistics import median

import diplomacy_package
import msgspec
import other_engines
from as_arrays import as_arrays
from measuring import Effort, Figure, in_turn, no_collection, peak_megabytes, run, seconds, spread
from phases import Case
from real_positions import real_cases

from satjudge.bulk import census
from satjudge.bulk.games import Games
from satjudge.bulk.judge import Judge
from satjudge.bulk.wasm.loading import load_line_answerer
from satjudge.judging.fast_path import PHASES_BEFORE_TABLES
from satjudge.judging.judge import judge
from satjudge.world.board import Board
from satjudge.world.rules import load_rulebook

SECTION = "the kernel on real positions"
POSITIONS, BOARDS, GAMES, YEARS = 400, 40_000, 1_000, 3
_LINE = '{"units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A PAR - BUR"]}}'
_FIRST = (
    "from satjudge.bulk.wasm.loading import load_line_answerer; from satjudge.world.rules import load_rulebook; "
    f"assert load_line_answerer(None, load_rulebook()).answer({_LINE.encode()!r})"
)


def kernel(effort: Effort) -> Iterator[Figure]:
    """All of it in turn, in processor time."""
    cases = [case for case in real_cases(effort.seed, POSITIONS)[1] if diplomacy_package.can_take(case)]
    if other_engines.PROGRAMS[0].path:
        cases = [case for case, taken in zip(cases, other_engines.PROGRAMS[0].takes(cases), strict=True) if taken]
    yield from _phases(cases, effort)
    yield from _legal_orders(cases, effort)
    yield _first_answer(effort)
    yield from _games(effort)
    yield from _census(effort)


def _phases(cases: Sequence[Case], effort: Effort) -> Iterator[Figure]:
    """Measure a phase in Python, a line, and arrays on one and two threads, and `process()` and dipcc if installed."""
    for _ in range(PHASES_BEFORE_TABLES // len(cases) + 2):  # then the kernel is loaded, and knows all orders
        for case in cases:
            judge(case.board, case.orders)
    lines = [msgspec.json.encode({"units": case.units, "orders": case.orders}) for case in cases]
    answerer = load_line_answerer(None, load_rulebook())
    assert answerer is not None
    works: dict[str, Callable[[], Callable[[], object]]] = {
        "a phase in Python": lambda: partial(_judged, [(_anew(case.board), case.orders) for case in cases]),
        "a line to its answer": lambda: lambda: [answerer.answer(line) for line in lines],
    }
    for threads in (1, 2):
        judging = Judge(threads=threads)
        arrays = as_arrays(judging, cases)
        works[f"arrays, {threads} thread{'s' * (threads > 1)}"] = lambda j=judging, a=arrays: partial(j.judge_compiled, *a)  # type: ignore[misc]
    if diplomacy_package.installed():
        works["process()"] = lambda: partial(_all_of, [diplomacy_package.process(case) for case in cases])
    times = {name: median(taken) / len(cases) for name, taken in in_turn(works, effort.rounds).items()}
    targets = {"a phase in Python": 40, "a line to its answer": 12}
    for name, taken in times.items():
        note = "processor time of both together" if "threads" in name else f"{len(cases)} positions"
        yield Figure(SECTION, name, "µs", spread([taken]).times(1e6), targets.get(name), note=note)
    yield from _beside(times, cases)


def _beside(times: Mapping[str, float], cases: Sequence[Case]) -> Iterator[Figure]:
    """How many times as fast that is as `process()` and dipcc."""
    if theirs := times.get("process()"):
        for name, target in (("a phase in Python", 50), ("a line to its answer", 150)):
            yield Figure(SECTION, f"{name}: times process()", "×", spread([theirs / times[name]]), target, at_least=True)
    if other_engines.PROGRAMS[0].path:
        taken = median(other_engines.PROGRAMS[0].seconds(cases)["dipcc (C++), judging"])
        for name, threads, target in (("arrays, 1 thread", 1, 13), ("arrays, 2 threads", 2, 20)):
            ratio = taken * threads / times[name]
            note = "dipcc's time of a position over ours" + (", on two idle cores" if threads == 2 else "")
            yield Figure(SECTION, f"{name}: times dipcc", "×", spread([ratio]), target, at_least=True, note=note)


def _anew(board: Board) -> Board:
    """The same position, of which nothing was worked out."""
    return Board(board.units, map=board.map)


def _judged(positions: Sequence[tuple[Board, Mapping[str, Sequence[str]]]]) -> None:
    for board, orders in positions:
        outcome = judge(board, orders)
        outcome.results, outcome.dislodgements, outcome.units  # noqa: B018  # which are made when they are asked for


def _all_of(works: Sequence[Callable[[], object]]) -> None:
    for work in works:
        work()


def _legal_orders(cases: Sequence[Case], effort: Effort) -> Iterator[Figure]:
    """All legal orders of a board as texts, and as a mask."""
    judging = Judge()
    units, powers, _ = as_arrays(judging, cases)
    works: dict[str, Callable[[], Callable[[], object]]] = {
        "all legal orders of a board, as texts": lambda: lambda: [_anew(case.board).legal_orders() for case in cases],
        "all legal orders of a board, as a mask": lambda: lambda: judging.legal_orders(units, powers),
    }
    targets = {"texts": 400, "mask": 40}
    for name, taken in in_turn(works, effort.rounds).items():
        target = targets[name.rpartition(" ")[2]]
        yield Figure(SECTION, name, "µs", spread(time / len(cases) for time in taken).times(1e6), target)


def _first_answer(effort: Effort) -> Figure:
    """The first answer in a process of its own, as a line."""
    run(sys.executable, "-c", _FIRST)
    taken = [run(sys.executable, "-c", _FIRST)[1] for _ in range(effort.processes)]
    note = f"processor time, Python's own start with it; peak memory {peak_megabytes(_FIRST):.0f} MB"
    return Figure(SECTION, "first answer in a process", "ms", spread(taken).times(1e3), 60, note=note)


def _games(effort: Effort) -> Iterator[Figure]:
    """Phases of games by random orders, drawing included."""
    games = Games(GAMES, seed=effort.seed, last_year=1900 + YEARS)
    phases = 0

    def play() -> None:
        nonlocal phases
        games.reset()
        phases = 0
        while not games.over.all():
            phases += int((~games.over).sum())
            games.step(games.draw())

    play()
    with no_collection():
        rates = [2 * phases / seconds(play) for _ in range(effort.rounds)]
    note = f"{GAMES:,} games at a time; twice what one core does"
    yield Figure(SECTION, "phases of self-play a second, two cores", "", spread(rates), 50_000, at_least=True, note=note)


def _census(effort: Effort) -> Iterator[Figure]:
    """Measure a census of some boards on one core, with loading, and how much longer it takes one by one."""
    from satjudge.bulk import bulk_census

    plan, few = census.Plan(seed=effort.seed), 10 * effort.boards
    bulk_census.make_counter.cache_clear()
    taken = seconds(lambda: census.tally_boards(plan, range(BOARDS)))
    one_by_one = seconds(lambda: [census.tally_board(plan, board) for board in range(few)]) * BOARDS / few
    name = f"a census of {BOARDS:,} boards"
    yield Figure(SECTION, name, "s", spread([taken]), 15, note="one core")
    yield Figure(SECTION, f"{name}: times one by one", "×", spread([one_by_one / taken]), 4, at_least=True)
