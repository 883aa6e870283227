"""Counts on random boards how often each kind of core occurs, where rulebooks differ, and whether the claims hold.

Board N of a census depends only on the plan and on N, and the counts are sums and smallest examples. Therefore the result does
not depend on how the boards are divided among chunks, processes and interrupted runs. Boards that a census names are written as
order sheets, which `satjudge check` can run.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from itertools import combinations
from math import ceil
from pathlib import Path
from random import Random
from typing import NamedTuple, TypeAlias, TypeVar

import msgspec

from satjudge.base.errors import UnresolvedError
from satjudge.base.imports import MissingPackageError
from satjudge.base.processes import processes
from satjudge.base.values import replace
from satjudge.base.words import number_of
from satjudge.bulk.chunked_runs import CHUNK, Count, run_count
from satjudge.bulk.random_boards.boards import MIX, SIZES, Flavour, random_board
from satjudge.bulk.tallies import (
    CLAIMS,
    ONE_RESOLUTION,
    BoardTally,
    ClaimTally,
    Counterexample,
    Example,
    Graph,
    NameTally,
    ShapeTally,
    Tally,
    add_by_name,
    list_dependencies,
    make_core_graph,
    test_core_claims,
)
from satjudge.bulk.wasm.loading import report_failure
from satjudge.explain.cores import ClassifiedCore, classify_cores
from satjudge.judging.equations.situation import Situation, build_situation
from satjudge.judging.legality import Docket, make_docket
from satjudge.judging.outcome import Outcome
from satjudge.judging.solve import Engine, adjudicate
from satjudge.judging.solve.result import Adjudication
from satjudge.notation.documents import Document, JudgedDocument, document_origin
from satjudge.notation.sheets import Expectations
from satjudge.notation.write import sheet_text
from satjudge.world.board import Board, Unit
from satjudge.world.geography import Map, Power, load_map
from satjudge.world.orders import MovementOrders
from satjudge.world.rules import DEFAULT_RULES, Rulebook, load_rulebook, preset_names, rulebook_text
from satjudge.world.rules.rulebook import OtherCoreRule, ParadoxFallback, ParadoxRule

COMPARE_EVERY = 10
LARGE_CHUNK = 20_000


NOT_EXHAUSTED = "not exhausted"


@dataclass(frozen=True)
class Plan:
    """The settings of a census: everything that its result depends on, except the number of boards."""

    seed: int = 1
    units: tuple[int, int] | None = None
    """The smallest and the largest number of units on a board; None for a mix of sizes."""
    powers: int = 7
    """The largest number of powers with units on a board; the smallest is two, or one if the largest is one."""
    dense_convoys: bool = False
    """Whether all boards are tangles of convoys; otherwise boards of all flavours are drawn."""
    rules: str = DEFAULT_RULES
    """The rulebook that judges: a preset or a TOML file."""
    settings: tuple[str, ...] = ()
    """Choices that differ from the rulebook's, such as `4.A.2=all-hold`."""
    compare_every: int = COMPARE_EVERY
    """The distance between boards that all preset rulebooks judge and on which claim `c` is tested (0: none)."""
    map: Map = field(default_factory=load_map)

    @cached_property
    def rulebook(self) -> Rulebook:
        """The rulebook that judges the boards.

        Raises `RulebookError`.
        """
        return load_rulebook(self.rules).with_settings(self.settings)

    def draw(self, index: int) -> tuple[Flavour, Board, MovementOrders]:
        """Draw the board with this number; return its flavour, the board and its orders."""
        random = Random(f"{self.seed}:{index}")
        flavour = Flavour.CONVOYS if self.dense_convoys else random.choice(MIX)
        units = self.units or random.choice(SIZES)
        return flavour, *random_board(random, flavour, units, self.powers, game_map=self.map)

    def is_compared(self, index: int) -> bool:
        """Return whether all preset rulebooks judge the board with this number."""
        return bool(self.compare_every) and index % self.compare_every == 0

    def describe(self) -> dict[str, object]:
        """Return the plan as plain data; censuses with equal descriptions count the same boards in the same way."""
        rulebooks = [load_rulebook(name).settings() for name in list_presets()]
        return {
            "seed": self.seed,
            "units": list(self.units) if self.units else None,
            "powers": self.powers,
            "dense_convoys": self.dense_convoys,
            "rules": self.rulebook.name,
            "settings": self.rulebook.settings(),
            "compare_every": self.compare_every,
            "presets": hashlib.sha256(msgspec.json.encode(rulebooks, order="deterministic")).hexdigest()[:16],
            **({} if self.map.is_standard else {"map": self.map.exact_name}),
        }

    @property
    def source(self) -> str:
        """The origin of the boards, as in the notes of cases, to which the number of a board is appended."""
        on = "" if self.map.is_standard else f", map {self.map.exact_name}"
        return f"satjudge census, seed {self.seed}{on}, board"


@cache
def list_presets() -> tuple[str, ...]:
    """Return the names of the rulebooks that a census compares."""
    return tuple(preset_names())


class CoreClass(NamedTuple):
    """The properties of a core that a census counts."""

    kind: str
    name: str
    order: int
    shape: str
    graph: Graph

    @classmethod
    def from_core(cls, core: ClassifiedCore) -> CoreClass:
        """Make the class of a classified core."""
        return cls(str(core.kind), core.name, core.order, core.shape, make_core_graph(core))


def has_plain_rules(game_map: Map) -> bool:
    """Return whether a map has no railroads, canals, difficult borders, closed seasons or convoying coasts."""
    return not (game_map.railroads or game_map.canals or game_map.difficult or game_map.closed) and (
        game_map.convoying == game_map.seas
    )


def tally_boards(plan: Plan, indices: Iterable[int]) -> Tally:
    """Return the counts of cores, resolutions and differences on the boards with these numbers.

    Compiled code judges them, except on maps with special rules. Raises `MissingPackageError`.
    """
    numbers = list(indices)
    if has_plain_rules(plan.map):
        from satjudge.bulk.bulk_census import make_counter

        try:
            return make_counter(plan).tally(numbers)
        except MissingPackageError:
            raise
        except Exception as error:  # count all boards one by one instead
            report_failure(error)
    tally = Tally()
    for index in numbers:
        tally.add(tally_board(plan, index))
    return tally


def tally_board(plan: Plan, index: int) -> Tally:
    """Return the counts of cores, resolutions and differences on one board, judged in Python."""
    flavour, board, orders = plan.draw(index)
    example = Example(len(board.units), index)
    found = judge_drawn_board(board, orders, plan.rulebook)
    _, adjudication, resolved = found
    number = NOT_EXHAUSTED
    if adjudication is not None and adjudication.resolutions.complete:
        number = str(adjudication.resolutions.count)
    tally = Tally(boards=1, unresolved=int(not resolved), resolutions={flavour: {number: 1}})
    if adjudication is not None:
        count_cores(tally, [*map(CoreClass.from_core, classify_cores(adjudication))] if adjudication.cores else [], example)
        _test_claims(tally, adjudication, example)
        if plan.is_compared(index):
            count_dependencies(tally, adjudication.situation, adjudication, example)
    if plan.is_compared(index):
        _compare(tally, board, orders, {plan.rulebook: _find_outcome(board, found)}, example)
    return tally


JudgedBoard: TypeAlias = tuple[Docket, Adjudication | None, bool]


def judge_drawn_board(board: Board, orders: MovementOrders, rulebook: Rulebook) -> JudgedBoard:
    """Return a board's docket, its adjudication or None, and whether the rulebook settled all cores without other rules.

    Cores that the rulebook cannot resolve are settled by other rules, so that the other cores can be examined, too. The
    adjudication is None if not all resolutions of a core could be found.
    """
    docket = make_docket(board, orders, rulebook)
    for candidate in (rulebook, _complete_rulebook(rulebook)):
        try:
            adjudication = adjudicate(build_situation(board, docket, candidate), Engine.STAGED)
        except UnresolvedError:
            continue
        return docket, adjudication, candidate is rulebook
    return docket, None, False


def _find_outcome(board: Board, judged: JudgedBoard) -> Outcome | None:
    """Return the outcome of a judged board; None if the rulebook has no answer."""
    docket, adjudication, resolved = judged
    return Outcome(board, docket, adjudication) if adjudication is not None and resolved else None


@cache
def _complete_rulebook(rulebook: Rulebook) -> Rulebook:
    """Return a rulebook with the same equations as this one, but with an answer to every core."""
    rule = ParadoxRule.SZYKMAN if rulebook.paradox is ParadoxRule.NONE else rulebook.paradox
    return replace(rulebook, paradox=rule, paradox_fallback=ParadoxFallback.SZYKMAN, other_cores=OtherCoreRule.ALL_FAIL)


def count_cores(tally: Tally, cores: Sequence[CoreClass], example: Example) -> None:
    """Add the cores of a board to a tally, by name and by shape; `example` identifies the board."""
    tally.boards_with_cores += bool(cores)
    counted = set[str]()
    for core in cores:
        name_tally = NameTally(core.kind, core.order, 1, int(core.name not in counted), example)
        add_by_name(tally.names, {core.name: name_tally})
        counted.add(core.name)
        tally.add_shape(core.shape, ShapeTally(core.kind, {core.name: 1}, 1, example, core.graph))


def _compare(
    tally: Tally, board: Board, orders: MovementOrders, outcomes: dict[Rulebook, Outcome | None], example: Example
) -> None:
    """Judge a board under all preset rulebooks, into `outcomes`, and count the pairs that leave units in different places.

    Dislodged units are ignored. `outcomes` contains the known outcomes, by rulebook, and receives the others.
    """
    found: dict[str, tuple[Unit, ...] | None] = {}
    for name in list_presets():
        rulebook = load_rulebook(name)
        if rulebook not in outcomes:
            outcomes[rulebook] = _find_outcome(board, judge_drawn_board(board, orders, rulebook))
        outcome = outcomes[rulebook]
        found[name] = outcome.units if outcome else None
    count_differences(tally, found, example)


def count_differences(tally: Tally, positions: Mapping[str, object], example: Example) -> None:
    """Count in a tally a compared board, the rulebooks without an answer (None), and the pairs whose `positions` differ."""
    tally.compared += 1
    add_by_name(tally.unresolved_by, {name: 1 for name, units in positions.items() if units is None})
    for one, other in combinations(positions, 2):
        if positions[one] != positions[other]:
            add_by_name(tally.differing, {f"{one},{other}": BoardTally(1, example)})


def _test_claims(tally: Tally, adjudication: Adjudication, example: Example) -> None:
    """Test the claims about cores on the cores of a board, and add the results to a tally."""
    for core in adjudication.cores:
        for claim, holds in test_core_claims(core):
            _count_test(tally, claim, holds, example, [str(decision) for decision in core.decisions])


def count_dependencies(tally: Tally, situation: Situation, adjudication: Adjudication | None, example: Example) -> None:
    """Count a board's cyclic dependencies in a tally, and test claim `c` on them; compute the adjudication if need be."""
    for dependency, finding in list_dependencies(situation, adjudication):
        tally.dependencies[finding] = tally.dependencies.get(finding, 0) + 1
        if finding in ONE_RESOLUTION:
            _count_test(tally, "c", finding != ONE_RESOLUTION[-1], example, [str(decision) for decision in dependency])


def _count_test(tally: Tally, claim: str, holds: bool, example: Example, orders: Sequence[str]) -> None:
    test = ClaimTally(tested=1)
    if not holds:
        test.violations = 1
        test.counterexamples = [Counterexample(example.units, example.board, "; ".join(orders))]
    add_by_name(tally.claims, {claim: test})


def make_census_count(plan: Plan) -> Count[Tally]:
    """Return the description of a plan's census with which `run_count` counts boards in chunks."""
    return Count("census", plan.describe(), Tally, partial(tally_boards, plan))


def chunk_size(plan: Plan, boards: int, jobs: int) -> int:
    """Return the number of boards in a chunk: a few chunks for each process, and larger ones if compiled code judges."""
    return max(1, min(LARGE_CHUNK if has_plain_rules(plan.map) else CHUNK, boards // (4 * jobs)))


def run_census(
    plan: Plan,
    boards: int,
    *,
    jobs: int = 1,
    state_path: Path | None = None,
    chunk: int = CHUNK,
    on_start: Callable[[int, int], None] = lambda done, damaged: None,
    on_progress: Callable[[int], None] = lambda boards: None,
) -> Tally:
    """Count boards 0 to `boards` - 1 in `jobs` processes, and return the tally; other arguments are those of `run_count`."""
    with processes(min(jobs, ceil(boards / chunk))) as executor:
        return run_count(
            make_census_count(plan), boards, executor, pending=2 * jobs, state_path=state_path, chunk=chunk,
            on_start=on_start, on_progress=on_progress,
        )  # fmt: skip


def write_shape_case(plan: Plan, tally: Tally, shape: str) -> str:
    """Return the smallest example of a shape as the text of an order sheet."""
    found = tally.shapes[shape]
    names = ", or ".join(sorted(found.names, key=lambda name: (-found.names[name], name)))
    _, board, orders = plan.draw(found.smallest.board)
    _, adjudication, _ = judge_drawn_board(board, orders, plan.rulebook)
    cores = [core for core in classify_cores(adjudication) if core.shape == shape] if adjudication else []
    notes = [f"core: {'; '.join(str(decision) for decision in core.core.decisions)}" for core in cores]
    notes.append(f"the smallest of {number_of(found.cores, 'core')} of this shape on {number_of(tally.boards, 'board')}")
    return _write_case(plan, found.smallest.board, shape, names, notes)


def write_claim_case(plan: Plan, claim: str, name: str, counterexample: Counterexample) -> str:
    """Return a counterexample to a claim as the text of an order sheet named `name`."""
    return _write_case(plan, counterexample.board, name, f"against: {CLAIMS[claim]}", [f"see {counterexample.what}"])


def _write_case(plan: Plan, index: int, identity: str, title: str, notes: Sequence[str]) -> str:
    flavour, board, orders = plan.draw(index)
    source = f"{plan.source} {index} ({flavour}, {number_of(len(board.units), 'unit')})"
    note_fields = {"source": [source], "note": notes}
    return write_case(board, orders, plan.rules, plan.settings, identity=identity, title=title, notes=note_fields)


def write_case(
    board: Board,
    orders: MovementOrders,
    rules: str,
    settings: tuple[str, ...],
    *,
    identity: str,
    title: str,
    notes: Mapping[str, Sequence[str]],
) -> str:
    """Return a position as an order sheet that expects a rulebook's verdicts, or, if it has no answer, `unresolved`."""
    verdicts = _list_verdicts(board, orders, load_rulebook(rules).with_settings(settings))
    under = [] if verdicts is not None else [Expectations((rules,), settings, unresolved=True)]
    named = rulebook_text(rules, settings)
    return sheet_text(board, orders, identity=identity, title=title, rules=named, notes=notes, expected=verdicts, under=under)


def _list_verdicts(board: Board, orders: MovementOrders, rulebook: Rulebook) -> Mapping[Power, Sequence[str]] | None:
    outcome = _find_outcome(board, judge_drawn_board(board, orders, rulebook))
    return outcome.results if outcome else None


# ---- the document of `satjudge census` ----

T = TypeVar("T")


@dataclass
class Shape(ShapeTally):
    """The count of cores of one shape, with the smallest example as an order sheet."""

    case: str


@dataclass(frozen=True, order=True)
class FoundAgainst(Counterexample):
    """A board on which a claim does not hold, with the decisions that contradict it and an order sheet."""

    case: str


class Claim(Document):
    """The number of tests of a claim, with its counterexamples."""

    tested: int
    violations: int
    counterexamples: list[FoundAgainst]
    claim: str
    """The claim in words."""


class Census(JudgedDocument, kw_only=True):
    """The document that `satjudge census --json` writes."""

    seed: int
    map: str | msgspec.UnsetType = msgspec.UNSET
    """The map, if it is not the standard one."""
    units: tuple[int, int] | None
    powers: int
    dense_convoys: bool
    compare_every: int
    boards: int
    boards_with_cores: int
    unresolved: int
    """The number of boards to which the rulebook has no answer."""
    resolutions: dict[str, dict[str, int]]
    """The number of boards by flavour and by the number of resolutions of the whole board."""
    names: dict[str, NameTally]
    shapes: dict[str, Shape]
    ambiguous_shapes: list[str]
    """The shapes whose name means several graphs, which are counted together."""
    dependencies: dict[str, int]
    """The number of cyclic dependencies, by how many of their decisions bounds settle."""
    claims: dict[str, Claim]
    compared: int
    """The number of boards that all preset rulebooks judged."""
    unresolved_by: dict[str, int]
    """The number of compared boards to which each rulebook has no answer."""
    differing: dict[str, BoardTally]
    """The number of compared boards on which two rulebooks (`A,B`) leave units in different places."""


def census_document(plan: Plan, tally: Tally) -> Census:
    """Return the document of a census, with all counts sorted by name, so that the sequence of chunks does not matter."""
    claims = {}
    for claim, tests in tally.claims.items():
        against = [
            FoundAgainst(**vars(found), case=write_claim_case(plan, claim, _name_claim(claim, number), found))
            for number, found in enumerate(tests.counterexamples, 1)
        ]
        claims[claim] = Claim(tests.tested, tests.violations, against, CLAIMS[claim])
    shapes = {
        shape: Shape(**(vars(found) | {"names": sort_by_name(found.names)}), case=write_shape_case(plan, tally, shape))
        for shape, found in sort_by_name(tally.shapes).items()
    }
    settings = {name: getattr(plan, name) for name in ("seed", "units", "powers", "dense_convoys", "compare_every")}
    counted = {name: sort_by_name(value) if isinstance(value, dict) else value for name, value in vars(tally).items()}
    counted |= {"claims": claims, "shapes": shapes}
    counted["resolutions"] = {flavour: sort_by_name(counts) for flavour, counts in counted["resolutions"].items()}
    on = {} if plan.map.is_standard else {"map": plan.map.exact_name}
    return Census(**(document_origin(plan.rulebook) | settings | on | counted))


def _name_claim(claim: str, number: int) -> str:
    return f"claim-{claim}-{number}"


def list_cases(census: Census) -> Iterator[tuple[str, str]]:
    """Yield the name and sheet of each case of a census: the smallest example of each shape, then the counterexamples."""
    yield from ((shape, one.case) for shape, one in census.shapes.items())
    for claim, tests in census.claims.items():
        yield from ((_name_claim(claim, number), one.case) for number, one in enumerate(tests.counterexamples, 1))


def sort_by_name(counts: Mapping[str, T]) -> dict[str, T]:
    """Return a mapping sorted by its names: first numbers, by value, and then words."""
    return {name: counts[name] for name in sorted(counts, key=name_key)}


def name_key(text: str) -> tuple[bool, int, str]:
    """Return the sort key of a name that may be a number (see `sort_by_name`)."""
    return (not text.isdigit(), int(text) if text.isdigit() else 0, text)
