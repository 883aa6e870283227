"""Certificates of cores: what a formula says of a shape is true of every board with such a core, and takes as many units."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from random import Random

import networkx
import pytest
from helpers.brute_search import proposals
from networkx.algorithms.isomorphism import DiGraphMatcher, categorical_edge_match, categorical_node_match
from pysat.solvers import Cadical153

from satjudge.apps.cli import run
from satjudge.base.errors import InputError
from satjudge.bulk.random_boards.boards import Flavour, random_board
from satjudge.explain.cores import ClassifiedCore, classify_cores, label_decision
from satjudge.judging.judge import judge
from satjudge.judging.legality import make_docket
from satjudge.notation.sheet_reader import read_sheets
from satjudge.proofs.verify.cores import LONGEST, CoreQuestion, CoreShape, find_shape
from satjudge.proofs.verify.open_boards import ORDER, SAME_POWER, Bounds
from satjudge.proofs.verify.searches import list_cases
from satjudge.search.open_orders.universe import Universe, spots_of
from satjudge.world.board import Board
from satjudge.world.geography import ProvinceCode, UnitKind, load_map, province_of
from satjudge.world.orders import Convoy, Hold, Move, MovementOrder, Named, Order, SupportHold, SupportMove
from satjudge.world.rules import load_rulebook

MAP, RULES = load_map(), load_rulebook()
ROOT = Path(__file__).parents[2]
SHAPES = {
    name: int(units)
    for units, name in re.findall(
        r"^\| (\d+) \| \[`(\S+?)`", (ROOT / "docs" / "papers" / "catalogue.md").read_text(encoding="utf-8"), re.M
    )
}
"""The shapes of the catalogue, with their units."""


class Asked:
    """The formula of a shape for so many units, and its solver."""

    def __init__(self, shape: CoreShape, most: int) -> None:
        question = CoreQuestion(shape, Bounds(MAP, frozenset(MAP.provinces), most, None, (RULES,)))
        self.of_core, self.others, self.empty = question.of_core, question.others, question.empty
        clauses = question.make_formula()
        self.literals = {name: literal for literal, name in clauses.names.items()}
        self.solver = Cadical153(bootstrap_with=clauses.clauses)

    def holds_of(self, core: ClassifiedCore, board: Board, orders: Mapping[ProvinceCode, MovementOrder]) -> bool:
        """Whether it holds of a board, with the core as its name has it."""
        shape = find_shape(core.shape)
        graph = networkx.DiGraph()
        graph.add_nodes_from((node, {"label": kind}) for node, kind in shape.kinds.items())
        graph.add_edges_from((*edge, {"sign": sign}) for edge, sign in shape.signs.items())
        labels, signs = categorical_node_match("label", ""), categorical_edge_match("sign", "")  # type: ignore[no-untyped-call]
        matcher = DiGraphMatcher(core.graph, graph, labels, signs)  # type: ignore[no-untyped-call]
        assert matcher.is_isomorphic(), (core.shape, board, orders)  # type: ignore[no-untyped-call]
        decisions = core.situation.decisions
        called = {decisions[index].province: self.of_core[node] for index, node in matcher.mapping.items()}
        assert len(called) == len(shape.kinds), "decisions of a core are of different units"
        rest = sorted({unit.province for unit in board.units} - called.keys())
        called |= zip(rest, self.others, strict=True)
        *targets, elsewhere = self.empty
        for index in matcher.mapping:
            order = decisions[index].order
            if isinstance(order, Move) and order.destination not in called and province_of(order.destination) not in called:
                called[province_of(order.destination)] = targets.pop()
        places = {province: called.get(province, elsewhere) for province in MAP.provinces}
        by_convoy = {decision.province for decision in decisions if label_decision(decision) == "convoyed move"}
        renamed = (_renamed(order, places, order.unit.province in by_convoy) for order in orders.values())
        told = {f"{ORDER}{order}" for order in renamed if order}
        given = [literal if name in told else -literal for name, literal in self.literals.items() if name.startswith(ORDER)]
        powers = {called[unit.province]: unit.power for unit in board.units}
        for name, literal in self.literals.items():
            if name.startswith(SAME_POWER):
                one, other = name.removeprefix(SAME_POWER).split()
                given.append(literal if powers[one] == powers[other] else -literal)
        assert told <= self.literals.keys(), told - self.literals.keys()
        return self.solver.solve(given) is True


@lru_cache(maxsize=64)
def asked(name: str, most: int) -> Asked:
    """The formula of a shape that has a name."""
    return Asked(find_shape(name), most)


def _renamed(order: MovementOrder, places: Mapping[ProvinceCode, ProvinceCode], by_convoy: bool) -> MovementOrder | None:
    """An order in the formula's words: there kinds matter to moves only, and every move says how it goes."""
    here = places[order.unit.province]
    fleet = Named(UnitKind.FLEET, here)
    match order:
        case Move():
            return Move(Named(UnitKind.ARMY, here) if by_convoy else fleet, places[province_of(order.destination)], by_convoy)
        case SupportHold():
            supported = places[order.supported.province]
            return None if supported == here else SupportHold(fleet, Named(None, supported))
        case SupportMove():
            return SupportMove(fleet, Named(None, places[order.supported.province]), places[province_of(order.destination)])
        case Convoy():
            return Convoy(fleet, Named(UnitKind.ARMY, places[order.convoyed.province]), places[province_of(order.destination)])
    assert isinstance(order, Hold)
    return None


def check_board(board: Board, ordered: Mapping[str, Sequence[Order]], largest: int) -> Iterator[str]:
    """The shapes of the board's cores that are known; of each its formula holds, with as many units as the board has."""
    orders = make_docket(board, ordered, RULES).orders
    for core in classify_cores(judge(board, ordered, rulebook=RULES).adjudication):
        if len(core.core.decisions) <= (largest if "C" in core.shape else min(largest, LONGEST)):
            one = asked(core.shape, len(board.units))
            assert one.holds_of(core, board, orders), (core.shape, board, ordered)
            yield core.shape


def drawn(seed: int, most: int) -> tuple[Board, Mapping[str, Sequence[Order]]]:
    """A board at random, most often one with convoys."""
    random = Random(f"cores {seed}")
    return random_board(random, random.choice((Flavour.CONVOYS, *Flavour)), (3, most), 4)


@pytest.mark.parametrize(("boards", "most"), [(40, 5), pytest.param(10_000, 9, marks=pytest.mark.campaign)])
def test_the_formula_of_a_shape_holds_of_every_board_with_such_a_core(boards: int, most: int) -> None:
    """The assumption `cores`."""
    found = Counter(shape for seed in range(boards) for shape in check_board(*drawn(seed, most), 7))
    assert len(found) > 2


def cases(pattern: str) -> Iterator[tuple[Board, Mapping[str, Sequence[Order]]]]:
    """The positions of the case files, each drawn or kept for its cores. Of larger ones the formula takes minutes."""
    for file in sorted((ROOT / "datc_cases").glob(pattern)):
        for sheet in read_sheets(file.read_text(encoding="utf-8")):
            if len(sheet.board.units) <= 16:
                yield sheet.board, sheet.orders_by_power()


@pytest.mark.parametrize(
    ("pattern", "largest", "least"),
    [
        ("catalogue/1C1M1S*.txt", 7, 3),
        pytest.param("catalogue/*.txt", 17, 37, marks=pytest.mark.slow),
        pytest.param("census/*.txt", 17, 51, marks=pytest.mark.slow),
        pytest.param("cores/second-order.txt", 17, 5, marks=pytest.mark.slow),
    ],
)
def test_it_holds_of_boards_that_are_kept_for_their_cores(pattern: str, largest: int, least: int) -> None:
    assert len({shape for board, orders in cases(pattern) for shape in check_board(board, orders, largest)}) >= least


@pytest.mark.parametrize(
    ("shape", "units"),
    [
        one if one[1] < 6 else pytest.param(*one, marks=pytest.mark.slow)
        for one in SHAPES.items()
        if one[1] < 20  # of the other one the formula takes minutes
    ],
)
def test_as_many_units_as_the_catalogue_says_are_the_least_that_the_formula_allows(shape: str, units: int) -> None:
    assert not asked(shape, units - 1).solver.solve()
    assert asked(shape, units).solver.solve()


def test_who_looks_otherwise_at_another_is_another_shape() -> None:
    """Each sign matters: turned round, the formula does not hold of the board any more."""
    ((board, orders),) = cases("catalogue/1C1M1S-0r-81281ad4.txt")
    (core,) = classify_cores(judge(board, orders, rulebook=RULES).adjudication)
    shape = find_shape(core.shape)
    legal = make_docket(board, orders, RULES).orders
    for edge, sign in shape.signs.items():
        other = replace(shape, signs={**shape.signs, edge: "-" if sign == "+" else "+"})
        assert Asked(shape, len(board.units)).holds_of(core, board, legal)
        assert not Asked(other, len(board.units)).holds_of(core, board, legal)


@pytest.mark.parametrize(
    ("region", "shape", "units"),
    [
        pytest.param("BOT LVN STP", "2M-2r-8f8dc5ac", 3, marks=pytest.mark.slow),
        pytest.param("ANK CON SMY", "3M-2r-f25cf801", 3, marks=pytest.mark.slow),
        pytest.param("BRE ENG LON WAL", "1C1M1S-2r-21451013", 4, marks=pytest.mark.slow),
    ],
)
def test_no_board_of_a_small_region_has_a_core_with_fewer_units(region: str, shape: str, units: int) -> None:
    """Every board with legal orders is drawn up; those who hold are in no core."""
    spots = spots_of(MAP, frozenset(region.split()))
    ranged = Universe(RULES, spots=spots, region=frozenset(region.split()), longest_route=9, map=MAP)
    found: dict[str, int] = {}
    for proposal in proposals(ranged, units):
        orders = {power: [*given] for power, given in proposal.orders.items()}
        if not any(isinstance(order, Hold) for order in proposal.by_province.values()):
            for one in check_board(proposal.board, orders, 7):
                found[one] = min(found.get(one, units), len(proposal.board.units))
    assert found[shape] == units
    for one, least in found.items():
        assert not asked(one, SHAPES[one] - 1).solver.solve()
        assert least >= SHAPES[one]


@pytest.mark.parametrize("name", ["1C1M1S-2r-00000000", "8M-2r-50f8c073", "9C9M9S-2r-0ef94b09", "2M-2r-8f8dc5ac and paradox"])
def test_shapes_that_are_no_rings_are_refused(name: str) -> None:
    with pytest.raises(InputError, match="do not support the core"):
        find_shape(name)


def test_cores_under_other_rulebooks_are_refused() -> None:
    with pytest.raises(InputError, match="under datc-3 only, not under 1982"):
        list_cases("core:1C1M1S-2r-21451013", Bounds(MAP, frozenset(MAP.provinces), 3, None, (load_rulebook("1982"),)))


def test_a_search_for_a_core_writes_its_certificate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "core.zip"
    assert run(["search", "core:1C2M1S-2r-5b6c089a", "--certificate", str(file)]) == 0
    assert run(["verify", str(file)]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "no board with at most 4 units and legal orders under datc-3 has core:1C2M1S-2r-5b6c089a" in told


def test_what_only_a_region_forbids_has_no_certificate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What the search says of it is shown all the same."""
    file = tmp_path / "core.zip"
    assert run(["search", "core:2M-2r-8f8dc5ac", "--region", "BOH GAL VIE", "--certificate", str(file)]) == 0
    told = capsys.readouterr()
    assert "No certificate can be written: the proof only covers what is true of cores on every map" in told.err
    assert "core:2M-2r-8f8dc5ac  [datc-3]" in told.out
    assert not file.exists()


@pytest.mark.parametrize(
    "name",
    [
        "2C2M9S-2r-83869c5c",
        "2C2M-2r-83869c5c",
        "02C2M2S-2r-83869c5c",
        "２C2M2S-2r-83869c5c",
        "2M-0r-8f8dc5ac",
        f"{'9' * 5000}M-2r-8f8dc5ac",
    ],
    ids=lambda name: name[:20],
)
def test_a_name_that_no_shape_has_is_refused(name: str) -> None:
    """The digits at its end are right; of what no core has the shape of there is none on any board."""
    with pytest.raises(InputError, match="certificates do not support the core"):
        find_shape(name)
