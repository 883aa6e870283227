"""What `make bench` measures, section by section. Every section yields figures; none depends on another."""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import diplomacy_package
import msgspec
from measuring import Figure, interleaved, no_collection, number, peak_megabytes, repeated, run, seconds, spread
from phases import Case, classes, datc, drawn, ring_of_thirty, sixteen_rings, twelve_fleets, with_core

from satjudge.batch import CHUNK, LONGEST_NAME, Answering, Request
from satjudge.board import Phase
from satjudge.equations import statement
from satjudge.equations.logic import Reading
from satjudge.geography import load_map
from satjudge.judge import judge, resolutions
from satjudge.notation import parse_order
from satjudge.notation.parse import known_orders
from satjudge.notation.sheets import load_sheets, shipped_files
from satjudge.research.boards import Flavour
from satjudge.rules import Rulebook, load_rulebook
from satjudge.solve import Engine

MILLISECONDS = 1e3
MICROSECONDS = 1e6


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is measured."""

    seed: int
    boards: int
    """Of each class that is drawn."""
    rounds: int
    processes: int
    """How often a command is started."""


QUICK = Effort(seed=1, boards=6, rounds=1, processes=1)
FULL = Effort(seed=1, boards=100, rounds=5, processes=7)


def judging(case: Case) -> Callable[[], object]:
    """The judge, from order strings to results and retreats; the board is there already."""
    return case.judged


def against_process(effort: Effort) -> Iterator[Figure]:
    """The judge and `Game.process()` on the same phases, in turn; ratios phase by phase."""
    section = "judge against process() of diplomacy"
    slowest: list[float] = []
    for name, cases in classes(effort.seed, effort.boards).items():
        yield from _judge_alone(section, name, cases, effort)
        if diplomacy_package.installed():
            cases = [case for case in cases if diplomacy_package.can_take(case)]
            times = interleaved({"judge": judging, "process": diplomacy_package.process}, cases, effort.rounds)
            ratios = [theirs / ours for theirs, ours in zip(times["process"], times["judge"], strict=True)]
            yield Figure(section, f"{name}: process()", "ms", spread(times["process"]).times(MILLISECONDS))
            target = 8 if name.startswith("random") else 5
            note = "times as fast, phase by phase"
            yield Figure(section, f"{name}: ratio", "×", spread(ratios), target, at_least=True, note=note)
            slowest.append(median(ratios))
    if slowest:
        yield Figure(section, "slowest class: ratio", "×", spread([min(slowest)]), 5, at_least=True)


def _judge_alone(section: str, name: str, cases: Sequence[Case], effort: Effort) -> Iterator[Figure]:
    note = f"{len(cases)} phases, {median(case.size for case in cases):g} units at the median"
    times = spread(repeated(judging, cases, effort.rounds)).times(MILLISECONDS)
    yield Figure(section, f"{name}: judge", "ms", times, note=note)


def cores(effort: Effort) -> Iterator[Figure]:
    """Boards on which something goes to the solver, by the number of orders in the largest core."""
    section = "boards with a core"
    by_orders: dict[int, list[Case]] = defaultdict(list)
    for case, orders in with_core(effort.seed, max(6, effort.boards)):
        by_orders[orders].append(case)
    cases = [case for found in by_orders.values() for case in found]
    times = dict(zip((case.name for case in cases), repeated(judging, cases, effort.rounds), strict=True))
    yield Figure(section, "judge, all of them", "ms", spread(times.values()).times(MILLISECONDS), 5, note="game size")
    for orders, found in sorted(by_orders.items()):
        values = spread(times[case.name] for case in found).times(MILLISECONDS)
        yield Figure(section, f"judge, {orders} orders in the largest core", "ms", values)


def whole_boards(effort: Effort) -> Iterator[Figure]:
    """The engine `full` against the size of the board."""
    for size in (4, 10, 16, 22, 28, 34):
        cases = [drawn(effort.seed, index, Flavour.GENERAL, (size, size)) for index in range(max(3, effort.boards // 5))]
        times = spread(repeated(_whole, cases, effort.rounds)).times(MILLISECONDS)
        yield Figure("engine full", f"{size} units", "ms", times, 10 if size == 34 else None)


def _whole(case: Case) -> Callable[[], object]:
    return lambda: judge(case.board, case.orders, engine=Engine.FULL).results


def by_size(effort: Effort) -> Iterator[Figure]:
    """The judge against the size of the board."""
    for size in range(4, 36, 6):
        number = max(3, effort.boards // 2)
        cases = [drawn(effort.seed, index, Flavour.GENERAL, (size, size)) for index in range(number)]
        times = spread(repeated(judging, cases, effort.rounds)).times(MILLISECONDS)
        yield Figure("judge by size", f"{size} units", "ms", times)


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
    for case, rulebook in (*cases, (twelve_fleets(), lenient)):
        name = case.name if rulebook is None else f"{case.name}, any convoy legal"
        note = f"{resolutions(case.board, case.orders, rulebook=rulebook, engine=Engine.STAGED).count:,} resolutions"
        works: dict[str, Callable[[], object]] = {"judge": partial(_judge, case, rulebook)}
        for engine in (Engine.FULL, Engine.STAGED):
            works[f"all resolutions, {engine}"] = partial(_count, case, rulebook, engine)
        for what, work in works.items():
            times = spread(repeated(lambda work: work, [work], effort.rounds)).times(MILLISECONDS)
            yield Figure("growth", f"{name}: {what}", "ms", times, 1000, note=note)


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
    files = sorted(shipped_files())
    for_files = repeated(lambda path: lambda: load_sheets(path), files, effort.rounds)
    cases = sum(len(load_sheets(path)) for path in files)
    note = f"{cases} cases in {len(files)} files"
    yield Figure("reading", "a case of an order sheet", "µs", spread([sum(for_files) / cases]).times(MICROSECONDS), note=note)


def starting(effort: Effort) -> Iterator[Figure]:
    """Import and start-up of the commands, each in a process of its own, with its peak memory."""
    with TemporaryDirectory() as folder:
        plain = Path(folder) / "plain.txt"
        plain.write_text("France:\n  A Paris - Burgundy\n  A Marseilles S A Paris - Burgundy\n", encoding="utf-8")
        rows = Path(folder) / "rows.jsonl"
        rows.write_bytes(b'{"units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A PAR - BUR"]}}\n')
        yield _start("an empty Python", "pass", effort)
        yield _start("import satjudge", "import satjudge", effort)
        yield _start("satjudge judge, no core", _command("judge", str(plain)), effort, 0.25)
        yield _start("satjudge judge, a core (6.F.14)", _command("judge", "datc:6.F.14"), effort)
        yield _start("satjudge batch, one line", _command("batch", str(rows)), effort)


def _command(*arguments: str) -> str:
    """What the command `satjudge` runs."""
    return f"from satjudge.cli import run; assert run({list(arguments)!r}) == 0"


def _start(name: str, code: str, effort: Effort, target: float | None = None) -> Figure:
    run(sys.executable, "-c", code)
    times = [run(sys.executable, "-c", code) for _ in range(effort.processes)]
    return Figure("start-up", name, "s", spread(times), target, note=f"peak memory {peak_megabytes(code):.0f} MB")


def counters(effort: Effort) -> Iterator[Figure]:
    """What does not depend on the machine: decisions, terms, calls of Python, constraints, solver branches."""
    section = "counters, a board of game size"
    cases = [drawn(effort.seed, index, Flavour.GENERAL) for index in range(effort.boards)]
    work = [counted(case) for case in cases]
    for what in work[0]:
        yield Figure(section, what, "", spread(row[what] for row in work))
    for identity in ("6.F.28", "6.F.29"):
        for what, value in solver_work(datc(identity)).items():
            yield number(f"counters, {identity}", what, "", value)


def counted(case: Case) -> dict[str, float]:
    """Counts for one phase."""
    outcome = case.judged()
    situation = outcome.adjudication.situation
    logic = Counting(outcome.adjudication.values)
    for decision in situation.decisions:
        statement.decision(logic, decision)
    return {
        "decisions": len(situation.decisions),
        "terms of all equations, evaluated once": logic.terms,
        "function calls of one judgement": calls(case.judged),
        **{f"full: {what}": value for what, value in solver_work(case).items()},
    }


class Counting(Reading):
    """Counts the terms that a plain evaluation looks at."""

    terms = 0


def _counting(name: str) -> Callable[..., Any]:
    plain = getattr(Reading, name)

    def counting(self: Counting, *parts: Any) -> Any:  # noqa: ANN401
        self.terms += 1
        own = isinstance(Reading.__dict__.get(name), staticmethod)
        return plain(*parts) if own else plain(self, *parts)

    return counting


for term in ("all_of", "any_of", "none_of", "total", "exceeds", "choose", "move", "support", "convoy", "path", "convoyed",
             "head_to_head", "hold", "attack", "prevent", "defend"):  # fmt: skip
    setattr(Counting, term, _counting(term))


def calls(work: Callable[[], object]) -> int:
    """How many functions are called, in Python or in C."""
    counts: Counter[str] = Counter()
    sys.setprofile(lambda frame, event, argument: counts.update((event,)))
    try:
        work()
    finally:
        sys.setprofile(None)
    return counts["call"] + counts["c_call"]


def solver_work(case: Case) -> Mapping[str, float]:
    """The whole-board model, and what enumerating it takes."""
    from satjudge.judge import situation_of
    from satjudge.solve.cpsat import Model, new_solver

    situation = situation_of(case.board, case.orders)
    model = Model(situation, [None] * len(situation.decisions)).posted().model
    solver = new_solver()
    solver.parameters.enumerate_all_solutions = True
    solver.solve(model)
    found = {"variables": len(model.proto.variables), "constraints": len(model.proto.constraints)}
    return {**found, "branches": solver.num_branches, "conflicts": solver.num_conflicts}


def in_bulk(effort: Effort) -> Iterator[Figure]:
    """Whole batches: the compiled path (with what it leaves to the plain one), the plain path, and `process()`, in turn."""
    from satjudge.bulk import answerer

    compiled = answerer(LONGEST_NAME)
    if compiled is None:
        return
    for name, cases in classes(effort.seed, 2 * effort.boards).items():
        requests = [Request(units=case.units, orders=dict(case.orders)) for case in cases]  # type: ignore[arg-type]
        left = sum(answer is None for answer in compiled.answers(requests))
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
    times: dict[str, list[float]] = {what: [] for what in works}
    for turn in range(effort.rounds + 1):
        for what, prepare in works.items():
            with no_collection():
                taken = seconds(prepare())
            if turn:
                times[what].append(taken / len(cases))
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
    "process": against_process,
    "bulk": in_bulk,
    "size": by_size,
    "cores": cores,
    "full": whole_boards,
    "paradoxes": paradoxes,
    "growth": growth,
    "reading": reading,
    "start": starting,
    "counters": counters,
}
