"""The second encoder's formula has the resolutions that satjudge finds, under every rulebook; and each equation matters."""

from __future__ import annotations

from itertools import combinations, permutations, product
from pathlib import Path
from random import Random

import pytest
from helpers.crowded_waters import waters
from helpers.second_encoder_boards import Position, decisions_of, encoded, judged, legal_orders_of, random_position, solutions
from helpers.second_encoder_mutations import MUTATIONS, POSITIONS, Mutation, is_proper
from pysat.solvers import Cadical153, Minisat22

from satjudge.base.errors import RulebookError
from satjudge.judging.legality import make_docket
from satjudge.notation.bundled_cases import find_bundled_case, read_collection
from satjudge.notation.parse import parse_order, parse_unit
from satjudge.proofs.verify import second_encoder
from satjudge.proofs.verify.second_encoder import FALSE, TRUE, Candidate, Cnf, Equations, encode_equations, encode_orders
from satjudge.proofs.verify.second_encoder.routes import iter_proper_routes, iter_simple_routes
from satjudge.world.board import Board, Phase
from satjudge.world.geography import ProvinceCode, Terrain, load_map
from satjudge.world.orders import MovementOrder
from satjudge.world.rules import Rulebook, load_preset, load_rulebook, preset_names

RULEBOOKS = preset_names()


def datc_case(identity: str) -> Position:
    sheet = find_bundled_case(identity)
    return sheet.board, sheet.orders_by_power()


def written(orders: dict[str, list[str]]) -> Position:
    """Orders as text, one for each unit."""
    game_map = load_map()
    given = {power: [parse_order(text, game_map) for text in texts] for power, texts in orders.items()}
    units = [parse_unit(" ".join(text.split()[:2]), power, game_map) for power, texts in orders.items() for text in texts]
    return Board(tuple(units)), given


def test_the_paradox_and_the_circle_have_two_resolutions_each() -> None:
    """DATC 6.F.14 and 6.C.1, from text to all resolutions."""
    rules = load_rulebook()
    either = [("F", True), ("F", False)]
    assert encoded(datc_case("6.C.1"), rules) == {
        frozenset((province, moves) for province in ("ANK", "CON", "SMY")) for _, moves in either
    }
    assert encoded(datc_case("6.F.14"), rules) == {
        frozenset({("LON", True), ("WAL", True), ("BRE", False), ("ENG", False)}),
        frozenset({("LON", False), ("WAL", False), ("BRE", False), ("ENG", True)}),
    }


def test_variables_have_the_names_of_the_text() -> None:
    board, orders = datc_case("6.F.14")
    cnf, _ = encode_orders(board, make_docket(board, orders, load_rulebook()).orders, load_rulebook())
    assert {cnf.names[number] for number in cnf.inputs} == {"MOVE A BRE - LON", "MOVE F WAL - ENG"}
    assert "SUPPORT F LON S F WAL - ENG" in cnf.names.values()
    assert "not CONVOY F ENG C A BRE - LON" not in cnf.names.values(), "it is MOVE F WAL - ENG, which has its name"
    assert max(cnf.names) <= cnf.number_of_variables


def cases_of_the_datc(collection: str = "datc-3.2") -> list[tuple[str, Position]]:
    sheets = [sheet for sheet in read_collection(collection) if sheet.phase is Phase.MOVEMENT]
    return [(sheet.identity, (sheet.board, sheet.orders_by_power())) for sheet in sheets]


def test_every_case_of_the_datc_under_a_rulebook_of_the_eight() -> None:
    """They take turns; `make campaigns` tests every case under every one."""
    for number, (identity, position) in enumerate(cases_of_the_datc()):
        rules = load_rulebook(RULEBOOKS[number % len(RULEBOOKS)])
        assert encoded(position, rules) == judged(position, rules), (identity, rules.name)


@pytest.mark.parametrize("name", RULEBOOKS)
def test_random_boards(name: str) -> None:
    rules = load_rulebook(name)
    for seed in range(4):
        position = random_position(f"{name} {seed}")
        assert encoded(position, rules) == judged(position, rules), (name, seed)


VARIANTS = ("standard-9-both", "loeb9", "loeb9-10f", "colonial", "1898", "chaos")
"""Maps, of which the first have coasts that convoy, difficult borders, and a canal (DATC 2.4, 9, 10 and 7.C)."""


@pytest.mark.parametrize(
    ("map_name", "boards"),
    [*((name, 2) for name in VARIANTS), *(pytest.param(name, 300, marks=pytest.mark.campaign) for name in VARIANTS)],
)
def test_boards_on_other_maps(map_name: str, boards: int) -> None:
    """Rulebooks take turns. What is not encoded is left out."""
    number_encoded = 0
    for seed in range(boards):
        position = random_position(f"{map_name} {seed}", load_map(map_name))
        rules = load_rulebook(RULEBOOKS[seed % len(RULEBOOKS)])
        if is_encoded(position, rules):
            assert encoded(position, rules) == judged(position, rules), (map_name, seed)
            number_encoded += 1
    assert number_encoded >= boards / 3


@pytest.mark.parametrize("chapter", ["7.B", "7.C", "9", "10"])
def test_what_maps_bring(chapter: str) -> None:
    """The cases of the DATC 2.4 on a railroad, on a canal, on coasts that convoy, and on difficult borders."""
    rules = load_rulebook("datc-2")
    sheets = [sheet for sheet in read_collection("datc-2.4", section=chapter) if sheet.phase is Phase.MOVEMENT]
    assert len(sheets) > 5
    for sheet in sheets:
        position = sheet.board, sheet.orders_by_power()
        assert encoded(position, rules) == judged(position, rules), sheet.identity


MEETING = {
    "A LON": ("- BEL", "- BEL VIA", "H"),
    "F ENG": ("C A LON - BEL", "C A LON - BEL", "C A LON - BEL", "S F NTH", "H"),
    "F BEL": ("- ENG", "- ENG", "- NTH", "H"),
    "F NTH": ("S A LON - BEL", "C A LON - BEL", "S F BEL - ENG", "- ENG", "S F ENG", "- BEL", "- LON", "H"),
    "F BRE": ("S F BEL - ENG", "- ENG", "S F ENG", "S F WAL - ENG", "H"),
    "F PIC": ("- BEL", "S A LON - BEL", "S F BEL - ENG", "- ENG", "S F ENG", "S F BEL", "H"),
    "A HOL": ("- BEL", "S A LON - BEL", "S F BEL", "H"),
    "F WAL": ("- ENG", "S F BEL - ENG", "S F ENG", "- LON", "H"),
    "F HEL": ("- NTH", "S F NTH", "S F BEL - NTH", "H"),
}
"""A convoyed army, a fleet that moves to its last fleet, and others (DATC 3.2, 6.F.30)."""

MEETING_FARTHER = {
    "A SPA": ("- NAP", "- NAP", "H"),
    "F LYO": (*("C A SPA - NAP",) * 4, "H"),
    "F TYS": (*("C A SPA - NAP",) * 4, "S F LYO", "H"),
    "F NAP": ("- TYS", "- TYS", "- TYS", "- ION", "H"),
    "F WES": ("C A SPA - NAP", "- LYO", "- TYS", "S F TYS", "- TUN"),
    "F ION": ("S F NAP - TYS", "- TYS", "C A SPA - NAP", "S A SPA - NAP", "S F TYS", "H"),
    "F MAR": ("S F WES - LYO", "- LYO", "S F LYO"),
    "F PIE": ("- LYO", "S F LYO", "S F MAR - LYO"),
    "F TUN": ("S F NAP - TYS", "- TYS", "S F TYS", "C A SPA - NAP", "- ION"),
    "F ROM": ("- NAP", "S A SPA - NAP", "S F NAP - TYS", "S F NAP", "- TYS"),
    "A APU": ("S A SPA - NAP", "- NAP", "S F NAP"),
}
"""The same with a route of two fleets and more (own.5)."""


def check_meetings(seeds: range) -> int:
    """How many random boards of these have other resolutions where such a battle is head-to-head (4.A.4.1=last-fleet)."""
    differing = 0
    for seed in seeds:
        random = Random(f"meeting {seed}")
        orders: dict[str, list[str]] = {}
        meeting = random.choice((MEETING, MEETING_FARTHER))
        for place, (unit, choices) in enumerate(meeting.items()):
            if place < 4 or random.random() < 0.75:
                power = random.choice(("ENGLAND", "FRANCE", "GERMANY"))
                orders.setdefault(power, []).append(f"{unit} {random.choice(choices)}")
        usual = load_rulebook(RULEBOOKS[seed % len(RULEBOOKS)])
        usual = usual.with_settings([f"4.A.4.2={random.choice(('start', 'last-fleet'))}"])
        usual = usual.with_settings([f"4.A.1={random.choice(('all-routes', 'any-route', 'any-own-route'))}"])
        brannan, position = usual.with_settings(["4.A.4.1=last-fleet"]), written(orders)
        assert encoded(position, brannan) == judged(position, brannan), (seed, orders)
        differing += judged(position, brannan) != judged(position, usual)
    return differing


def test_a_convoyed_army_and_a_fleet_meet_under_brannans_rule() -> None:
    rules = load_rulebook().with_settings(["4.A.4.1=last-fleet"])
    (resolution,) = encoded(datc_case("6.F.30"), rules)
    assert {("LON", False), ("BEL", False)} < resolution, "“a standoff”"
    check_meetings(range(20))


@pytest.mark.slow
def test_thousands_of_boards_under_brannans_rule() -> None:
    assert check_meetings(range(3000)) > 30


@pytest.mark.parametrize("seed", [pytest.param(seed, marks=[pytest.mark.slow] * (seed == 12)) for seed in range(40)])
def test_proper_routes_are_those_of_all_in_which_no_fleet_can_be_left_out(seed: int) -> None:
    random = Random(seed)
    game_map = waters(random, random.randint(1, 8))
    fleets = [province for province in sorted(game_map.convoying) if random.random() < 0.9]
    coasts = [code for code, province in game_map.provinces.items() if province.terrain is Terrain.COAST]
    for (origin, destination), longest in product(permutations(coasts, 2), (None, 3)):
        routes = iter_simple_routes(game_map, origin, destination, fleets, longest)
        proper = [route for route in routes if is_proper(game_map, origin, destination, route)]
        assert [*iter_proper_routes(game_map, origin, destination, fleets, longest)] == proper


@pytest.mark.campaign
@pytest.mark.parametrize("name", RULEBOOKS)
def test_every_case_and_a_thousand_boards(name: str) -> None:
    rules = load_rulebook(name)
    for identity, position in cases_of_the_datc():
        assert encoded(position, rules) == judged(position, rules), (identity, name)
    for seed in range(1000):
        position = random_position(f"campaign {seed}")
        assert encoded(position, rules) == judged(position, rules), (name, seed)


@pytest.mark.slow
def test_what_the_cases_say_of_other_rulebooks() -> None:
    """Every case that satjudge ships, under its own rulebook and each that its `under` blocks name."""
    judged_cases = 0
    for collection in (
        "datc-3.2",
        "datc-2.4",
        "rulebook-1971",
        "rulebook-1982",
        "guide-1998",
        "promoted",
        "catalogue",
        "cores",
    ):
        for sheet in read_collection(collection):
            named = [(rules, block.settings) for block in sheet.under for rules in block.rulebooks or (sheet.rules,)]
            for rules, settings in dict.fromkeys([(sheet.rules, ()), *named] if sheet.phase is Phase.MOVEMENT else []):
                rulebook = load_preset(rules).with_settings(settings)
                position = sheet.board, sheet.orders_by_power()
                if is_encoded(position, rulebook):
                    assert encoded(position, rulebook) == judged(position, rulebook), (
                        collection,
                        sheet.identity,
                        rulebook.name,
                    )
                    judged_cases += 1
    assert judged_cases > 1000


def is_encoded(position: Position, rulebook: Rulebook) -> bool:
    """Whether the second encoder has equations for a rulebook on a map; it says what it has none for."""
    try:
        encoded(position, rulebook)
    except RulebookError as refused:
        return "the second encoder has no equations for" not in str(refused)
    return True


class ManyOrders:
    """One formula for several positions: every order, unit and pair of units has a literal of its own."""

    def __init__(self, positions: list[Position], rules: str) -> None:
        self.rulebook = load_rulebook(rules)
        self.cnf = Cnf()
        self.legal = [legal_orders_of(position, self.rulebook) for position in positions]
        self.positions = positions
        provinces = sorted({unit.province for board, _ in positions for unit in board.units})
        orders: list[MovementOrder] = list(dict.fromkeys(order for known, _ in self.legal for order in known.values()))
        self.given = {order: self.cnf.add_input(f"GIVEN {order}") for order in orders}
        self.occupied = {province: self.cnf.add_input(f"OCCUPIED {province}") for province in provinces}
        self.no_support = {province: self.cnf.add_input(f"NO HOLD SUPPORT {province}") for province in provinces}
        self.pairs = {
            frozenset(pair): self.cnf.add_input(f"SAME POWER {' '.join(pair)}")
            for pair in combinations(load_map().provinces, 2)
        }
        self.candidates = {order: Candidate(order, literal) for order, literal in self.given.items()}
        self.made = encode_equations(
            self.cnf,
            list(self.candidates.values()),
            game_map=load_map(),
            rulebook=self.rulebook,
            occupied=self.occupied,
            same_power=self.same_power,
            no_hold_support=self.no_support,
        )

    def same_power(self, one: ProvinceCode, other: ProvinceCode) -> int:
        return TRUE if one == other else self.pairs[frozenset((one, other))]

    def facts(self, number: int) -> list[int]:
        """What is so in a position: which orders are given, where units stand, and of whom; of empty provinces anything."""
        board, (orders, unsupportable) = self.positions[number][0], self.legal[number]
        facts = [literal if order in orders.values() else -literal for order, literal in self.given.items()]
        facts += [literal if province in board.unit_at else -literal for province, literal in self.occupied.items()]
        facts += [literal if province in unsupportable else -literal for province, literal in self.no_support.items()]
        for pair, literal in self.pairs.items():
            units = [board.unit_at[province] for province in pair if province in board.unit_at]
            if len(units) == 2:
                facts.append(literal if units[0].power == units[1].power else -literal)
        return facts

    def resolutions(self, number: int) -> set[frozenset[tuple[ProvinceCode, bool]]]:
        only = frozenset(self.candidates[order] for order in self.legal[number][0].values())
        return set(solutions(self.cnf, self.made, self.facts(number), only))


@pytest.mark.parametrize(
    ("name", "boards"),
    [("1971", 4), ("1982", 4), ("datc-3", 4), *(pytest.param(name, 150, marks=pytest.mark.campaign) for name in RULEBOOKS)],
)
def test_candidates_under_assumptions_are_the_orders_given(name: str, boards: int) -> None:
    """A formula over the orders of several boards, told which of them are given, has the resolutions of each board."""
    many = ManyOrders([random_position(f"candidates {name} {seed}") for seed in range(boards)], name)
    for number, position in enumerate(many.positions):
        assert many.resolutions(number) == encoded(position, many.rulebook), (name, number)


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.breaks)
def test_each_equation_matters(mutation: Mutation, monkeypatch: pytest.MonkeyPatch) -> None:
    """A case is resolved otherwise if one of the equations is broken."""
    position = written(POSITIONS[mutation.case]) if mutation.case in POSITIONS else datc_case(mutation.case)
    rules = load_preset(mutation.rules)
    right = encoded(position, rules)
    monkeypatch.setattr(Equations, mutation.method, mutation.wrong)
    assert right == judged(position, rules)
    assert encoded(position, rules) != right


def test_definitions_rule_nothing_out() -> None:
    """Whatever is given, wherever units stand and whichever moves succeed, everything defined has one value."""
    many = ManyOrders([random_position(f"candidates {seed}") for seed in range(3)], "1971")
    random = Random(20)
    free = many.cnf.inputs
    named = set(free)
    with Minisat22(bootstrap_with=many.cnf.definitions) as solver:
        for _ in range(20):
            assert solver.solve([number if random.random() < 0.5 else -number for number in free])
            values = solver.get_model()
            assert len(values) == many.cnf.number_of_variables
            fixed = [value for value in values if abs(value) in named]
            assert {TRUE, *solver.propagate(fixed)[1]} == set(values)


def test_no_order_that_is_not_given_has_a_success() -> None:
    many = ManyOrders([random_position(f"candidates {seed}") for seed in range(3)], "2000")
    successes = [literal for candidate, literal in decisions_of(many.made) if candidate.order not in many.legal[0][0].values()]
    with Cadical153(bootstrap_with=[*many.cnf.definitions, *many.cnf.requirements]) as solver:
        assert solver.solve(many.facts(0))
        solver.add_clause(successes)
        assert not solver.solve(many.facts(0))


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("4.A.3.fallback=impossible, 4.A.3=always", "4.A.3=always with 4.A.3.fallback=impossible"),
        ("4.A.3=1982", "4.A.3=1982 with 4.A.3.fallback=never"),  # one army is convoyed: may the other go by land?
    ],
)
def test_what_is_not_encoded_is_refused_by_name(setting: str, told: str) -> None:
    position = datc_case("6.A.1")
    with pytest.raises(RulebookError, match=f"the second encoder has no equations for {told}"):
        encoded(position, load_rulebook().with_settings(setting.split(", ")))


def test_gates() -> None:
    """Every gate has the value of what it is called after, for all values of its literals."""
    cnf = Cnf()
    a, b, _ = literals = [cnf.add_input(name) for name in "abc"]
    gates = [(cnf.at_least(number, literals), range(number, 4)) for number in range(5)]
    gates += [(cnf.all_of((*literals, TRUE)), range(3, 4)), (cnf.any_of((*literals, FALSE)), range(1, 4))]
    assert cnf.all_of(()) == TRUE == cnf.any_of((a, -a)) == -cnf.all_of((b, -b)) == -cnf.any_of(())
    with Cadical153(bootstrap_with=cnf.definitions) as solver:
        for signs in product((1, -1), repeat=3):
            assert solver.solve([sign * literal for sign, literal in zip(signs, literals, strict=True)])
            model = set(solver.get_model())
            assert all((gate in model) == (signs.count(1) in counts) for gate, counts in gates)


def test_it_shares_nothing_with_what_it_checks() -> None:
    """It imports values of satjudge only: no equations, no legality, no solver."""
    values = ("world.", "base.errors", "proofs.verify.second_encoder")
    for file in Path(second_encoder.__file__).parent.glob("*.py"):
        for line in file.read_text().splitlines():
            if line.startswith(("from satjudge", "import satjudge")):
                assert line.split()[1].startswith(tuple(f"satjudge.{value}" for value in values)), (file.name, line)
            assert not line.startswith(("from ortools", "from pysat", "import ortools", "import pysat"))
