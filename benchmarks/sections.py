"""What `make bench` measures, section by section. Every section yields figures; none depends on another."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import compress, islice
from statistics import median
from typing import Any

import diplomacy_package
import msgspec
import numpy
import other_engines
from as_arrays import as_arrays
from campaign_rates import campaigns
from counters import counted, solver_work
from env_rates import env
from kernel_rates import kernel
from large_maps import LANDS, convoying_board, crowd_on_land, made_up_map
from large_maps import SIZES as SIZES_OF_MAPS
from measuring import Effort, Figure, in_turn, interleaved, no_collection, number, repeated, seconds, spread
from node_rates import node
from phases import Case, classes, datc, drawn, ring_of_thirty, sixteen_rings, twelve_fleets, with_core
from real_positions import Row, published_phases, real_cases
from self_play import self_play
from serve_rates import serve
from starting import memory, starting

from satjudge.bulk.batch import CHUNK, Answering
from satjudge.bulk.judge import Judge, Outcomes
from satjudge.bulk.kernel.memory import Numbers
from satjudge.bulk.random_boards.boards import Flavour
from satjudge.bulk.wasm.loading import load_line_answerer
from satjudge.judging.equations.situation import Situation
from satjudge.judging.judge import judge, read_situation, resolutions
from satjudge.judging.solve import Engine, full_engine, staged_engine
from satjudge.judging.solve.result import Limits, Resolutions
from satjudge.notation.bundled_cases import list_case_files
from satjudge.notation.parse import known_orders, parse_order
from satjudge.notation.sheet_reader import load_sheets
from satjudge.world.board import Board, Phase
from satjudge.world.geography import Map, UnitKind, load_map
from satjudge.world.orders import RetreatOrder
from satjudge.world.rules import Rulebook, load_rulebook

MILLISECONDS = 1e3
MICROSECONDS = 1e6

REAL = 4
"""Times as many boards as of other classes are compared with the engines of others."""

SIZES = (4, 10, 16, 22, 28, 34)
"""Units."""


def judging(case: Case) -> Callable[[], object]:
    """The judge, from order strings to results and retreats; the board is there already."""
    return case.judged


def against_process(effort: Effort) -> Iterator[Figure]:
    """The judge and `Game.process()` on the same phases, in turn; ratios phase by phase."""
    section = "judge against process() of diplomacy"
    slowest: list[float] = []
    for name, cases in _with_real_ones(effort.seed, effort.boards).items():
        cases = [case for case in cases if diplomacy_package.can_take(case)]
        note = f"{len(cases)} phases, {median(case.size for case in cases):g} units at the median"
        times = interleaved(contestants(), cases, effort.rounds)
        yield Figure(section, f"{name}: judge", "ms", spread(times["judge"]).times(MILLISECONDS), note=note)
        if theirs := times.get("process()"):
            yield Figure(section, f"{name}: process()", "ms", spread(theirs).times(MILLISECONDS))
            ratios = [their / our for their, our in zip(theirs, times["judge"], strict=True)]
            target = 8 if name.startswith("random") else 5
            note = "times as fast, phase by phase"
            yield Figure(section, f"{name}: ratio", "×", spread(ratios), target, at_least=True, note=note)
            slowest.append(median(ratios))
    if slowest:
        yield Figure(section, "slowest class: ratio", "×", spread([min(slowest)]), 5, at_least=True)


def _with_real_ones(seed: int, count: int) -> dict[str, list[Case]]:
    """All classes of phases, real ones first."""
    real, cases = real_cases(seed, count)
    return {real: cases, **classes(seed, count)}


def contestants() -> dict[str, Callable[[Case], Callable[[], object]]]:
    """The judge, and `process()` where it is installed."""
    return {"judge": judging, **({"process()": diplomacy_package.process} if diplomacy_package.installed() else {})}


def beside_others(effort: Effort) -> Iterator[Figure]:
    """Real positions: satjudge, `process()` and the other engines that you name, in turn.

    Judging goes from an engine's own values (of satjudge and `process()`: from order strings) to verdicts or to where the units
    are. From line to line is judging with JSON read and written.
    """
    section = "engines on real positions"
    name, cases = real_cases(effort.seed, REAL * effort.boards)
    programs = list(other_engines.found())
    if left_out := other_engines.missing():
        print(left_out, file=sys.stderr)
    for takes in (lambda some: list(map(diplomacy_package.can_take, some)), *(program.takes for program in programs)):
        cases = list(compress(cases, takes(cases)))
    yield number(section, "positions", "", len(cases), note=f"{name}; {median(case.size for case in cases):g} at the median")
    others = [_lines_of_ours, _arrays_of_ours, *(program.seconds for program in programs)]
    ours = {f"{name}, {other_engines.JUDGING}": contestant for name, contestant in contestants().items()}
    times = interleaved(ours, cases, effort.rounds, others)
    yield from (Figure(section, what, "µs", spread(taken).times(MICROSECONDS)) for what, taken in times.items())
    for what, taken in times.items():
        how = what.rpartition(", ")[2]
        our = times["judge, judging" if how == other_engines.JUDGING else f"in bulk, {how}"]
        if taken is not our:
            ratios = [theirs / mine for theirs, mine in zip(taken, our, strict=True)]
            yield Figure(section, f"{what}: ratio", "×", spread(ratios), note="their time over ours, position by position")
    yield from _targets_of_arrays(section, times)


def _targets_of_arrays(section: str, times: Mapping[str, Sequence[float]]) -> Iterator[Figure]:
    """How many phases a second arrays are judged, and how many times as fast as dipcc that is."""
    if ours := times.get("arrays, judging"):
        rate = spread(1 / taken for taken in ours)
        yield Figure(section, "phases a second over arrays", "", rate, 300_000, at_least=True, note="one core")
        if dipcc := times.get("dipcc (C++), judging"):
            ratios = [theirs / mine for theirs, mine in zip(dipcc, ours, strict=True)]
            yield Figure(section, "arrays beside dipcc, judging", "×", spread(ratios), 13, at_least=True)


def _lines_of_ours(cases: Sequence[Case]) -> dict[str, list[float]]:
    """Batch lines answered one by one and in bulk: the mean for each, as they are answered in chunks."""
    lines = [msgspec.json.encode({"units": case.units, "orders": case.orders}) for case in cases]
    ways = {"judge": Answering(plain_first=sys.maxsize), "in bulk": Answering(plain_first=0)}
    found = {}
    for name, answering in ways.items():
        _in_chunks(answering.lines, lines)  # as the other engines warm up
        with no_collection():
            taken = median(seconds(lambda: _in_chunks(answering.lines, lines)) for _ in range(3))  # noqa: B023  # at once
        found[f"{name}, {other_engines.LINE_TO_LINE}"] = [taken / len(cases)] * len(cases)
    return found


def _arrays_of_ours(cases: Sequence[Case]) -> dict[str, list[float]]:
    """All positions at once, from arrays to arrays: the mean for each."""
    judge = _array_judge()
    arrays = as_arrays(judge, cases)
    judge.judge_compiled(*arrays)  # which learns what these orders come to
    with no_collection():
        taken = median(seconds(lambda: judge.judge_compiled(*arrays)) for _ in range(9))
    return {f"arrays, {other_engines.JUDGING}": [taken / len(cases)] * len(cases)}


def whole_games(effort: Effort) -> Iterator[Figure]:
    """All phases of published games over arrays, every kind in one call; what their orders come to was asked before."""
    judge, phases = _array_judge(), published_phases()
    if not phases:
        print("left out: whole games (there are no published games)", file=sys.stderr)
        return
    moves, winters = ([row for row in phases if row.phase.endswith(kind)] for kind in "MA")
    arrays, adjustments = as_arrays(judge, [row.case for row in moves]), _adjustments(judge, winters)
    found = judge.judge_compiled(*arrays)
    retreats = _retreats(judge, found, moves, phases)
    counts = {"moves": len(moves), "retreats": len(set(found.dislodged[:, 0].tolist())), "adjustments": len(winters)}
    works: dict[str, Callable[[], object]] = {
        "moves": lambda: judge.judge_compiled(*arrays),
        "retreats": lambda: judge.retreat(found, retreats),
        "adjustments": lambda: judge.adjust(*adjustments),
    }
    taken = in_turn({name: lambda work=work: work for name, work in works.items()}, 4 * effort.rounds)  # type: ignore[misc]
    for name, times in taken.items():
        each = [time / counts[name] for time in times]
        yield Figure("whole games over arrays", name, "µs", spread(each).times(MICROSECONDS), note=f"{counts[name]:,} phases")
    rates = [sum(counts.values()) / sum(times) for times in zip(*taken.values(), strict=True)]
    yield Figure("whole games over arrays", "phases a second", "", spread(rates), note=f"{sum(counts.values()):,} phases")


def _retreats(judge: Judge, found: Outcomes, moves: Sequence[Row], phases: Sequence[Row]) -> Numbers:
    """The number of the order to each dislodged unit, -1 without one."""
    given = {
        (row.game, row.phase, order.unit.province): judge.vocabulary.order_numbers.get(order, -1)
        for row in phases
        if row.phase.endswith("R")
        for text in (text for texts in row.orders.values() for text in texts)
        if isinstance(order := parse_order(text, judge.vocabulary.map, Phase.RETREAT), RetreatOrder)
    }
    orders = []
    for board, column in found.dislodged.tolist():
        row, province = moves[board], judge.vocabulary.units[found.units_before[board, column]].province
        orders.append(given.get((row.game, row.phase[:-1] + "R", province), -1))
    return numpy.array(orders, numpy.int32)


def _adjustments(judge: Judge, rows: Sequence[Row]) -> tuple[Numbers, ...]:
    """Units and their powers, who owns the centres, orders and who gives them."""
    vocabulary = judge.vocabulary
    units, powers, _ = as_arrays(judge, [Case("", row.case.board, {}) for row in rows])
    centers = numpy.full((len(rows), len(vocabulary.centers)), -1, numpy.int32)
    orders = numpy.full((len(rows), max(sum(map(len, row.orders.values())) for row in rows)), -1, numpy.int32)
    givers = numpy.zeros_like(orders)
    for board, row in enumerate(rows):
        for power, owned in row.centers.items():
            centers[board, [vocabulary.centers.index(code) for code in owned]] = vocabulary.powers.index(power)
        given = ((power, text) for power, texts in row.orders.items() for text in texts)
        for column, (power, text) in enumerate(given):
            order = parse_order(text, vocabulary.map, Phase.ADJUSTMENT)
            orders[board, column] = vocabulary.order_numbers.get(order, -1)
            givers[board, column] = vocabulary.powers.index(power)
    return units, powers, centers, orders, givers


@cache
def _array_judge() -> Judge:
    return Judge()


def cores(effort: Effort) -> Iterator[Figure]:
    """Boards on which something is left to be enumerated, by the number of orders in the largest core."""
    section = "boards with a core"
    found = list(islice(with_core(effort.seed), max(6, effort.boards)))
    orders = [count for _, count in found]
    works = {
        "judge": judging,
        "all resolutions, staged": _enumerating(staged_engine.resolutions),
        "all resolutions, full": _enumerating(full_engine.resolutions),
    }
    for what, taken in interleaved(works, [case for case, _ in found], effort.rounds).items():
        target = 5 if what == "judge" else None
        times = spread(taken).times(MILLISECONDS)
        yield Figure(section, f"all: {what}", "ms", times, target, of_largest=True, note="22–34 units")
        for size in sorted(set(orders)):
            times = spread(time for time, count in zip(taken, orders, strict=True) if count == size).times(MILLISECONDS)
            yield Figure(section, f"{size} orders in the largest core: {what}", "ms", times, note=f"{times.count} boards")


def _enumerating(resolutions: Callable[[Situation, Limits], Resolutions]) -> Callable[[Case], Callable[[], object]]:
    """Only the enumeration of all resolutions, of a situation that is posed already."""

    def prepare(case: Case) -> Callable[[], object]:
        situation = read_situation(case.board, case.orders)
        return lambda: resolutions(situation, Limits())

    return prepare


def whole_boards(effort: Effort) -> Iterator[Figure]:
    """The engine `full` against the size of the board; every question goes to the solver."""
    count = max(3, effort.boards // 5)
    for size in SIZES:
        general = [drawn(effort.seed, index, Flavour.GENERAL, (size, size)) for index in range(count)]
        held_up = [case for case, _ in islice(with_core(effort.seed, (size, size)), count)]
        for what, cases in ((f"{size} units", general), (f"{size} units, with a core", held_up)):
            times = spread(repeated(_whole, cases, effort.rounds)).times(MILLISECONDS)
            yield Figure("engine full", what, "ms", times, 10 if size == SIZES[-1] else None, of_largest=True)


def _whole(case: Case) -> Callable[[], object]:
    return lambda: judge(case.board, case.orders, engine=Engine.FULL).results


def by_size(effort: Effort) -> Iterator[Figure]:
    """Measure the judge and `process()` against the size of the board."""
    for size in SIZES:
        cases = [drawn(effort.seed, index, Flavour.GENERAL, (size, size)) for index in range(max(3, effort.boards // 4))]
        cases = [case for case in cases if diplomacy_package.can_take(case)]
        for what, times in interleaved(contestants(), cases, effort.rounds).items():
            yield Figure(f"{what} by size", f"{size} units", "ms", spread(times).times(MILLISECONDS))


def paradoxes(effort: Effort) -> Iterator[Figure]:
    """All resolutions of the two hardest cases of the DATC, and of boards that would be hard for others."""
    for identity in ("6.F.28", "6.F.29"):
        for engine in (Engine.FULL, Engine.STAGED):
            work = partial(_count, datc(identity), None, engine)
            times = [seconds(work) for _ in range(1 + 4 * effort.rounds)][1:]
            yield Figure("all resolutions", f"{identity}, {engine}", "ms", spread(times).times(MILLISECONDS), 20)


def growth(effort: Effort) -> Iterator[Figure]:
    """What must not explode: each under a second, judged and with all resolutions counted."""
    lenient = load_rulebook().with_settings(["4.E.1.convoy=legal"])
    cases = [(case, None) for case in (ring_of_thirty(), twelve_fleets(), sixteen_rings(), datc("6.F.28"))]
    works: dict[str, Callable[[], Callable[[], object]]] = {}
    notes: dict[str, str] = {}
    for case, rulebook in (*cases, (twelve_fleets(), lenient)):
        name = case.name if rulebook is None else f"{case.name}, any convoy legal"
        works[f"{name}: judge"] = _set_up(_judge, case, rulebook)
        for engine in (Engine.FULL, Engine.STAGED):
            works[f"{name}: all resolutions, {engine}"] = _set_up(_count, case, rulebook, engine)
        notes[f"{name}: judge"] = f"{_count(case, rulebook, Engine.STAGED):,} resolutions"
    for what, taken in in_turn(works, 2 * effort.rounds).items():
        times = spread(taken).times(MILLISECONDS)
        yield Figure("growth", what, "ms", times, 1000, of_largest=True, note=notes.get(what, ""))


def large(effort: Effort) -> Iterator[Figure]:
    """Made-up maps of hundreds of provinces, with fleets and thirty convoys as first met, and with armies."""
    targets = {(342, 0.4): 10.0, (342, 1.0): 50.0, (842, 1.0): 250.0}
    for provinces, seas in SIZES_OF_MAPS:
        game_map = made_up_map(effort.seed, provinces, seas)
        for share in (0.2, 0.4, 0.6, 1.0):
            cases = [convoying_board(game_map, effort.seed + number, share) for number in range(effort.rounds + 1)]
            judge(*cases[0])  # what a map is asked once
            times = spread([seconds(partial(judge, board, orders)) for board, orders in cases[1:]]).times(MILLISECONDS)
            name = f"{provinces} provinces, {round(share * seas)} fleets: judge"
            yield Figure("large maps", name, "ms", times, targets.get((provinces, share)))
        yield from _lists(game_map, convoying_board(game_map, effort.seed)[0])
    for provinces in LANDS:
        game_map = made_up_map(effort.seed, provinces, 0)
        boards = [crowd_on_land(game_map, effort.seed + number) for number in range(effort.rounds + 1)]
        works = {str(at): _set_up(judge, board, orders) for at, (board, orders) in enumerate(boards)}
        taken = [time for some in in_turn(works, 2 * effort.rounds).values() for time in some]
        name = f"{provinces} provinces, {len(boards[0][0].units)} armies: judge"
        yield Figure("large maps", name, "ms", spread(taken).times(MILLISECONDS), 2.5 if provinces == LANDS[-1] else None)


def _lists(game_map: Map, board: Board) -> Iterator[Figure]:
    """How long the legal orders of each unit take where all seas are full: of each fleet, of each army."""
    taken: dict[UnitKind, list[float]] = {kind: [] for kind in UnitKind}
    with no_collection():
        for unit in board.units:
            taken[unit.kind].append(seconds(partial(len, board.unit_orders(unit))))
    for kind, most in ((UnitKind.FLEET, 150), (UnitKind.ARMY, 20)):
        name = (
            f"{len(game_map.provinces)} provinces, {len(taken[UnitKind.FLEET])} fleets: all orders of one {kind.name.lower()}"
        )
        yield Figure("large maps", name, "ms", spread(taken[kind]).times(MILLISECONDS), most, of_largest=True)


def _set_up(work: Callable[..., object], *arguments: object) -> Callable[[], Callable[[], object]]:
    return lambda: partial(work, *arguments)


def _judge(case: Case, rulebook: Rulebook | None) -> object:
    outcome = judge(case.board, case.orders, rulebook=rulebook)
    return outcome.results, outcome.dislodgements


def _count(case: Case, rulebook: Rulebook | None, engine: Engine) -> int:
    return resolutions(case.board, case.orders, rulebook=rulebook, engine=engine).count


def reading(effort: Effort) -> Iterator[Figure]:
    """Parsing: order by order, each text for the first time and again, and whole sheets."""
    drafts = [drawn(effort.seed, index, Flavour.CONVOYS) for index in range(effort.boards)]
    texts = sorted({text for case in drafts for given in case.orders.values() for text in given})
    game_map = load_map()

    def read_all() -> None:
        for text in texts:
            parse_order(text, game_map)

    times: dict[str, list[float]] = {"an order, first time": [], "an order, again": []}
    for _ in range(effort.rounds + 1):
        known_orders(game_map, Phase.MOVEMENT).clear()
        for found in times.values():
            found.append(seconds(read_all) / len(texts))
    for name, found in times.items():
        yield Figure("reading", name, "µs", spread(found).times(MICROSECONDS), note=f"{len(texts)} different orders")
    files = sorted(list_case_files())
    for_files = repeated(lambda path: lambda: load_sheets(path), files, effort.rounds)
    cases = sum(len(load_sheets(path)) for path in files)
    note = f"{cases} cases in {len(files)} files"
    yield Figure("reading", "a case of an order sheet", "µs", spread([sum(for_files) / cases]).times(MICROSECONDS), note=note)


def counts(effort: Effort) -> Iterator[Figure]:
    """What does not depend on the machine: decisions, terms, calls of Python, constraints, solver branches."""
    for flavour in (Flavour.GENERAL, Flavour.CONVOYS):
        cases = [drawn(effort.seed, index, flavour) for index in range(effort.boards)]
        work = [counted(case) for case in cases]
        for what in work[0]:
            yield Figure(f"counters, {flavour} boards of 22–34 units", what, "", spread(row[what] for row in work))
    for identity in ("6.F.28", "6.F.29"):
        for what, value in solver_work(datc(identity)).items():
            yield number(f"counters, {identity}", f"full: {what}", "", value)


def in_bulk(effort: Effort) -> Iterator[Figure]:
    """Whole batches: the kernel (with what it leaves to the plain path), the plain path, and `process()`, in turn."""
    compiled = load_line_answerer(None, load_rulebook())
    if compiled is None:
        return
    for name, cases in _with_real_ones(effort.seed, 2 * effort.boards).items():
        lines = (msgspec.json.encode({"units": case.units, "orders": case.orders}) for case in cases)
        left = sum(compiled.answer(line) is None for line in lines)
        note = f"{left / len(cases):.1%} left to the plain path"
        yield from _bulk_class(name, [case for case in cases if diplomacy_package.can_take(case)], effort, note)


def _bulk_class(name: str, cases: Sequence[Case], effort: Effort, note: str) -> Iterator[Figure]:
    rows = [{"units": case.units, "orders": case.orders} for case in cases]
    lines = [msgspec.json.encode(row) for row in rows]
    answering, plain = Answering(plain_first=0), Answering(plain_first=sys.maxsize)
    works: dict[str, Callable[[], Callable[[], object]]] = {
        "line to line": lambda: lambda: _in_chunks(answering.lines, lines),
        "row to row": lambda: lambda: _in_chunks(answering.rows, rows),
        "line to line, plain path": lambda: lambda: _in_chunks(plain.lines, lines),
    }
    if diplomacy_package.installed():
        works["process()"] = lambda: _one_after_the_other([diplomacy_package.process(case) for case in cases])
    times = {what: [taken / len(cases) for taken in found] for what, found in in_turn(works, effort.rounds).items()}
    for what, found in times.items():
        of_all = note if what == "line to line" else ""
        yield Figure("bulk", f"{name}: {what}", "µs", spread(found).times(MICROSECONDS), note=of_all)
    median_class = name.startswith("random")
    for what, target in (("line to line, plain path", 5), ("process()", 35)):
        if what in times:
            values = [theirs / ours for theirs, ours in zip(times[what], times["line to line"], strict=True)]
            aim = target if median_class else None
            yield Figure("bulk", f"{name}: times as fast as {what}", "×", spread(values), aim, at_least=True)


def _in_chunks(answer: Callable[[Any], Iterator[Any]], given: Sequence[Any]) -> None:
    for start in range(0, len(given), CHUNK):
        for _ in answer(given[start : start + CHUNK]):
            pass


def _one_after_the_other(works: Sequence[Callable[[], object]]) -> Callable[[], object]:
    return lambda: [work() for work in works]


SECTIONS: Mapping[str, Callable[[Effort], Iterator[Figure]]] = {
    "engines": beside_others,
    "games": whole_games,
    "kernel": kernel,
    "self-play": self_play,
    "serve": serve,
    "node": node,
    "env": env,
    "process": against_process,
    "bulk": in_bulk,
    "size": by_size,
    "cores": cores,
    "full": whole_boards,
    "paradoxes": paradoxes,
    "growth": growth,
    "large": large,
    "reading": reading,
    "start": starting,
    "memory": memory,
    "counters": counts,
    "campaigns": campaigns,
}
