"""Certificates of searches: the boards that they speak of are all that there are, and what is not right any more is refused."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from io import BytesIO
from itertools import chain, pairwise
from pathlib import Path
from random import Random

import pytest
from helpers.brute_search import proposals
from helpers.playing_out import all_plays, played, random_wish
from helpers.tampering import (
    GUARANTEE_CHANGES,
    SEARCH_CHANGES,
    accepted_mutants,
    has_none,
    packed,
    problems,
    read,
    written_proof,
)
from pysat.solvers import Cadical153

from satjudge.apps.cli import run
from satjudge.bulk.random_boards.boards import Flavour, random_board
from satjudge.judging.judge import judge, resolutions
from satjudge.judging.legality import make_docket
from satjudge.notation.parse import parse_order, parse_unit
from satjudge.proofs.certificates.claims import certify_search, make_guarantee_claim, make_search_claim
from satjudge.proofs.verify.certificate import GuaranteeClaim, write_certificate
from satjudge.proofs.verify.goals import Results, Retreats
from satjudge.proofs.verify.open_boards import ORDER, SAME_POWER, UNIT, BoardClauses, Bounds, LegalOrders, shorten_order
from satjudge.proofs.verify.searches import DIFFERING_CONVOYS, NONE, SEVERAL, ClaimedCase, OpenFormula, make_outcome_cases
from satjudge.proofs.verify.second_encoder import FALSE, TRUE, Candidate, Cnf, EncodedOutcome, encode_equations
from satjudge.proofs.verify.second_encoder.routes import iter_simple_routes
from satjudge.search.goals.registry import parse_goal
from satjudge.search.goals.wishes import parse_wish
from satjudge.search.guarantees.one_season import WishTable
from satjudge.search.open_orders.universe import Universe, spots_of
from satjudge.search.search import add_goal_rulebooks
from satjudge.world.board import Board, Unit, group_pairs
from satjudge.world.geography import UnitKind, load_map, province_of
from satjudge.world.orders import Convoy, Hold, Move, MovementOrder, Named
from satjudge.world.rules import Rulebook, load_rulebook, preset_names
from satjudge.world.rules.rulebook import ParadoxFallback
from satjudge.world.verdicts import OrderResult

MAP = load_map()


def bounds(region: str, most: int, rulebook: Rulebook) -> Bounds:
    return Bounds(MAP, frozenset(region.split()), most, None, (rulebook,))


def universe(within: Bounds) -> Universe:
    """The same boards, for brute force."""
    region = within.region
    return Universe(within.rulebooks[0], spots=spots_of(MAP, region), region=region, longest_route=9, map=MAP)


def told_of(within: Bounds, board: Board, orders: Iterable[MovementOrder]) -> Iterator[str]:
    """The names of the variables that are true of a board with legal orders."""
    yield from (f"{UNIT}{unit.kind} {unit.location}" for unit in board.units)
    for order in orders:
        if isinstance(order, Hold):
            continue
        yield f"{ORDER}{as_ranged_over(within, order)}"


def as_ranged_over(within: Bounds, order: MovementOrder) -> MovementOrder:
    """An order as formulas have it: its coast in full, nobody's nationality, and `via convoy` where that says something."""
    short = shorten_order(order, MAP)
    match short:
        case Convoy(unit, convoyed, destination):
            return Convoy(unit, Named(convoyed.kind, convoyed.location), destination)
        case Move(unit, destination) if unit.kind is UnitKind.FLEET:
            (only,) = (to for to in MAP.fleet[unit.location] if destination in (to, province_of(to)))
            return Move(unit, only)
        case Move(unit, destination, via_convoy=True) if not can_be_convoyed(within, unit.province, destination):
            return Move(unit, destination)
    return short


@cache
def can_be_convoyed(within: Bounds, origin: str, destination: str) -> bool:
    """Whether the region has seas for it; where rulebooks need not agree that an order is legal, it need have none."""
    return within.under_one or any(iter_simple_routes(MAP, origin, destination, within.region & MAP.seas, within.most - 1))


def legal_boards(within: Bounds) -> Iterator[frozenset[str]]:
    """Every board with legal orders, as the second encoder has it."""
    cnf = Cnf()
    boards = BoardClauses(cnf, within)
    boards.require_legal()
    told = {literal: name for literal, name in cnf.names.items() if name.startswith((UNIT, ORDER))}
    with Cadical153(bootstrap_with=[*cnf.definitions, *cnf.requirements]) as solver:
        while solver.solve():
            model = set(solver.get_model())
            yield frozenset(name for literal, name in told.items() if literal in model)
            solver.add_clause([-literal if literal in model else literal for literal in told])


REGIONS = {"BRE ENG WAL": 3, "GAS POR SPA MAO": 2, "BOT FIN STP": 3, "ADR ALB ION TUN": 3}
"""Where there are convoys, coasts, and (in the last one) a fleet that is superfluous; with how many units."""


@pytest.mark.parametrize("region", [*REGIONS][:2] + [pytest.param(region, marks=pytest.mark.slow) for region in [*REGIONS][2:]])
@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.slow) for part in range(1, 8))])
def test_the_boards_with_legal_orders_are_those_that_are_drawn_up(region: str, part: int) -> None:
    """Each region under one of the eight rulebooks; `slow` takes all."""
    rulebook = load_rulebook(preset_names()[([*REGIONS].index(region) + part) % 8])
    within = bounds(region, REGIONS[region], rulebook)
    found = [*legal_boards(within)]
    assert len(found) == len(set(found)) > 200
    assert set(found) == {
        frozenset(told_of(within, proposal.board, proposal.by_province.values()))
        for proposal in proposals(universe(within), within.most)
    }


# ---- goals: boards are put to a formula, and taken from it ----

WIDE = "DEN HEL LON NTH NWY SKA SWE"


class Asked:
    """A formula for the case of a goal."""

    def __init__(self, within: Bounds, case: ClaimedCase) -> None:
        self.within, self.case = within, case
        clauses = case.make_formula(within)
        self.literals = {name: literal for literal, name in clauses.names.items()}
        self.solver = Cadical153(bootstrap_with=clauses.clauses)

    def holds_of(self, board: Board, orders: Iterable[MovementOrder], more: Iterable[int] = ()) -> bool:
        """Whether a board with legal orders satisfies it, and some literals more."""
        told = set(told_of(self.within, board, orders))
        powers = {unit.province: unit.power for unit in board.units}
        given = [literal if name in told else -literal for name, literal in self.of(UNIT, ORDER)]
        return self.solver.solve([*given, *self.of_powers(powers), *more]) is True

    def of_powers(self, powers: dict[str, str]) -> Iterator[int]:
        """What is so if the units in these provinces are of these powers."""
        for name, literal in self.of(SAME_POWER):
            one, other = (powers.get(province) for province in name.split()[1:])
            if one and other:
                yield literal if one == other else -literal

    def of(self, *kinds: str) -> list[tuple[str, int]]:
        """The variables whose names begin so."""
        return [(name, literal) for name, literal in self.literals.items() if name.startswith(kinds)]

    def boards(self, random: Random, number: int) -> Iterator[tuple[Board, dict[str, list[MovementOrder]]]]:
        """Some boards that satisfy it. In each province whatever stands there is of a power drawn before."""
        for _ in range(number):
            powers = {province: random.choice("ABC") for province in sorted(self.within.region)}
            some = [literal for _, literal in self.of(ORDER) if random.random() < 0.01]
            while not self.solver.solve([*self.of_powers(powers), *some]):
                if not some:
                    break
                some.pop()
            else:
                model = set(self.solver.get_model())
                true = [name for name, literal in self.literals.items() if literal in model]
                units = [name.removeprefix(UNIT) for name in true if name.startswith(UNIT)]
                board = Board(tuple(parse_unit(unit, powers[unit[2:5]], MAP) for unit in units))
                orders: dict[str, list[MovementOrder]] = {}
                for name in true:
                    if name.startswith(ORDER):
                        order = parse_order(name.removeprefix(ORDER), MAP)
                        assert isinstance(order, MovementOrder)
                        orders.setdefault(powers[order.unit.province], []).append(order)
                yield board, orders


def truth(board: Board, orders: dict[str, list[MovementOrder]], rulebook: Rulebook) -> dict[str, bool]:
    """Which cases a board has, as all its resolutions have them."""
    found = resolutions(board, orders, rulebook=rulebook)
    convoys = [decision for decision in found.situation.order_decisions if isinstance(decision.order, Convoy)]
    given = [order for of_one in orders.values() for order in of_one if isinstance(order, Move)]
    taken = [
        decision.index
        for decision in convoys
        if any(
            (move.unit.province, move.destination) == (decision.order.convoyed.province, decision.order.destination)
            for move in given
        )
    ]
    ends = {tuple(values[index] for index in taken) for values in found}
    return {NONE.text: found.count == 0, SEVERAL.text: found.count > 1, DIFFERING_CONVOYS.text: len(ends) > 1}


def agree(asked: Asked, board: Board, orders: dict[str, list[MovementOrder]]) -> bool:
    """Whether the formula says of a board what is true. Of no resolution it says what is necessary."""
    true = truth(board, orders, asked.within.rulebooks[0])[asked.case.text]
    satisfied = asked.holds_of(board, chain.from_iterable(orders.values()))
    return satisfied or not true if asked.case is NONE else satisfied == true


def check_goals(name: str, seed: object, *, random_boards: int, boards: int) -> dict[ClaimedCase, int]:
    """How many boards of those that the formulas have do have the case; all formulas agree about each."""
    rulebook, random = load_rulebook(name), Random(f"{name} {seed}")
    within = bounds(WIDE, 5, rulebook)
    asked = {case: Asked(within, case) for case in (NONE, SEVERAL, DIFFERING_CONVOYS)}
    for _ in range(random_boards):
        board, orders = random_board(random, Flavour.CONVOYS, (3, 5), 3, within=within.region)
        assert all(agree(one, board, orders) for one in asked.values()), (board, orders)
    right = dict.fromkeys(asked, 0)
    for case, one in asked.items():
        for board, orders in one.boards(random, boards):
            assert all(agree(other, board, orders) for other in asked.values()), (board, orders)
            right[case] += truth(board, orders, rulebook)[case.text]
    return right


def test_formulas_have_the_boards_that_have_the_goal() -> None:
    """All boards that a formula has for no resolution have none: so much is not promised, but shows that it says enough."""
    assert min(check_goals("datc-3", 0, random_boards=5, boards=2).values()) > 0


@pytest.mark.campaign
@pytest.mark.parametrize("name", preset_names())
def test_formulas_have_the_boards_that_have_the_goal_under_every_rulebook(name: str) -> None:
    right = check_goals(name, 1, random_boards=1000, boards=100)
    assert right[SEVERAL] > 90
    assert (right[DIFFERING_CONVOYS] > 80) == (name in ("datc-2", "datc-3", "guide-1998")), (
        "a ruling on supports has no such boards"
    )


def check_settings(name: str, seeds: range) -> int:
    """How many boards have a convoy; whatever these are set to, the other equations have a solution (assumption `settings`)."""
    return sum(check_setting(load_rulebook(name), Random(f"settings {name} {seed}")) for seed in seeds)


def check_setting(rulebook: Rulebook, random: Random) -> bool:
    """Whether a random board has a convoy order."""
    board, ordered = random_board(random, Flavour.CONVOYS, (3, 20))
    powers = {unit.province: unit.power for unit in board.units}
    cnf = Cnf()
    candidates = [Candidate(order, TRUE) for order in make_docket(board, ordered, rulebook).orders.values()]
    convoys = {one: random.choice((TRUE, FALSE)) for one in candidates if isinstance(one.order, Convoy)}
    encode_equations(
        cnf,
        candidates,
        game_map=MAP,
        rulebook=rulebook,
        occupied=dict.fromkeys(powers, TRUE),
        same_power=lambda one, other: TRUE if one in powers and powers.get(one) == powers.get(other) else FALSE,
        convoys=convoys,
    )
    with Cadical153(bootstrap_with=[*cnf.definitions, *cnf.requirements]) as solver:
        assert solver.solve(), (board, ordered)
    return bool(convoys)


def test_whatever_convoys_are_set_to_the_rest_has_a_solution() -> None:
    assert check_settings("datc-3", range(20)) > 10


@pytest.mark.campaign
@pytest.mark.parametrize("name", preset_names())
def test_whatever_convoys_are_set_to_on_ten_thousand_boards(name: str) -> None:
    assert check_settings(name, range(10_000 // len(preset_names()))) > 600


# ---- what becomes of orders in the end ----


VALID, SUCCEEDS, DESTROYED, OPEN = "VALID ", "SUCCEEDS ", "DESTROYED ", "OPEN "
"""How the variables begin that say what becomes of orders and units."""
GOOD = {OrderResult.SUCCEEDS, OrderResult.GIVEN, OrderResult.AVAILABLE}


def told_outcome(question: OpenFormula, found: Sequence[EncodedOutcome]) -> int:
    """Variables for all that is read off an outcome."""
    results, retreats = Results(question, found[0]), Retreats(question, found[0])
    told: dict[str, int] = {}
    for order, (_, valid, succeeds) in results.of_orders.items():
        told |= {f"{VALID}{order}": valid, f"{SUCCEEDS}{order}": succeeds}
    for unit in question.boards.stands:
        told[f"{DESTROYED}{unit}"] = retreats.is_destroyed(unit)
        places = question.bounds.region.intersection(retreats.list_places(unit))
        told |= {f"{OPEN}{unit.province} {place}": retreats.is_open(unit.province, place) for place in places}
    for name, literal in told.items():
        question.cnf.require_equal(question.cnf.add_input(name), literal)
    return TRUE


def outcomes(rulebook: Rulebook) -> list[Asked]:
    """Formulas for any outcome, without a ruling and with one."""
    return [Asked(bounds(WIDE, 5, rulebook), case) for case in make_outcome_cases("they end somehow", told_outcome, [rulebook])]


def with_holds(board: Board, orders: dict[str, list[MovementOrder]]) -> dict[str, list[MovementOrder]]:
    """The orders of each power, and orders to hold for its other units, so that none is in civil disorder (4.D.9)."""
    ordered = {order.unit for order in chain.from_iterable(orders.values())}
    holds = group_pairs((unit.power, Hold(unit.named)) for unit in board.units if unit.named not in ordered)
    return {unit.power: [*orders.get(unit.power, ()), *holds.get(unit.power, ())] for unit in board.units}


def ends(asked: Asked, board: Board, orders: dict[str, list[MovementOrder]]) -> bool:
    """Whether a formula lets orders and units end as they do."""
    judged = judge(board, with_holds(board, orders), rulebook=asked.within.rulebooks[0])
    true: dict[str, bool] = {}
    for told in chain.from_iterable(judged.judged.values()):
        if isinstance(told.order, MovementOrder):
            order = as_ranged_over(asked.within, told.order)
            true |= {
                f"{VALID}{order}": told.verdict.order is not OrderResult.INVALID,
                f"{SUCCEEDS}{order}": told.verdict.order in GOOD,
            }
    for province, lost in judged.dislodgements.items():
        true[f"{DESTROYED}{lost.unit.kind} {lost.unit.location}"] = not lost.retreats
        for place in map(province_of, MAP.exits(lost.unit.kind, lost.unit.location)):
            true[f"{OPEN}{province} {place}"] = place in map(province_of, lost.retreats)
    ending = [literal if true[name] else -literal for name, literal in asked.literals.items() if name in true]
    return asked.holds_of(board, chain.from_iterable(orders.values()), ending)


def check_outcomes(name: str, seed: object, *, random_boards: int, paradoxes: int) -> Counter[bool]:
    """How many boards do not end, and end, in a resolution without a ruling; all end in one with or without it."""
    rulebook, random = load_rulebook(name), Random(f"outcomes {name} {seed}")
    if rulebook.paradox_fallback is ParadoxFallback.UNRESOLVED:
        rulebook = rulebook.with_settings([f"4.A.2.fallback={random.choice(('szykman', 'all-hold'))}"])
    without, *ruled = outcomes(rulebook)
    boards = [random_board(random, Flavour.CONVOYS, (3, 5), 3, within=without.within.region) for _ in range(random_boards)]
    for case in (NONE, DIFFERING_CONVOYS):
        boards += Asked(without.within, case).boards(random, paradoxes)
    found: Counter[bool] = Counter()
    for board, orders in boards:
        found[plain := ends(without, board, orders)] += 1
        assert plain or any(ends(one, board, orders) for one in ruled), (board, orders)
    return found


def test_orders_end_as_the_formulas_have_it() -> None:
    found = check_outcomes("datc-3", 1, random_boards=3, paradoxes=4)
    assert found[False]
    assert found[True]


@pytest.mark.campaign
@pytest.mark.parametrize("name", preset_names())
def test_orders_of_ten_thousand_boards_end_as_the_formulas_have_it(name: str) -> None:
    found = check_outcomes(name, 1, random_boards=1150, paradoxes=50)
    assert found[True] > 1000


# ---- certificates ----

CLAIMS = {
    "none": ("no-resolution", "BRE ENG LON WAL", 3),
    "paradox": ("paradox", "BEL BRE ENG", 3),
    "several": ("several-resolutions", "BRE PAR", 2),
    "inland": ("paradox", "BOH GAL TYR VIE", 4),
    "dislodged": ("dislodged:PIC", "BEL ENG PIC", 2),
    "ring": ("differs-legal:datc-3,2025ee", "ANK CON SMY", 3),
    "differ": ("differs:1982,2000=dislodgements", "BEL PIC", 2),
    "verdicts": ("differs:1971,2000=verdicts", "BEL ENG PIC", 2),
    "retreats": ("differs:2000,2023=retreats", "BEL ENG PIC", 3),
    "nobody": ("some(dislodged:UNIT) and not occupied:BEL", "BEL ENG PIC", 2),
    "core": ("core:1C1M1S-0r-81281ad4", "DEN NTH NWY SKA SWE", 4),
}


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Path]]:
    """Certificates of some claims, written without the time that processes take."""
    folder, found = tmp_path_factory.mktemp("searches"), {}
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("satjudge.proofs.certificates.lrat_proofs.request_proof", written_proof)
        for name, (goal, region, most) in CLAIMS.items():
            sought = parse_goal(goal, MAP)
            claim = make_search_claim(sought, add_goal_rulebooks(sought, universe(bounds(region, most, load_rulebook()))), most)
            found[name] = folder / f"{name}.zip"
            write_certificate(*certify_search(claim), found[name])
        yield found


@pytest.mark.parametrize("name", CLAIMS)
def test_what_is_written_is_accepted(certificates: dict[str, Path], name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", str(certificates[name])]) == 0
    told = capsys.readouterr().out
    assert told.rstrip().endswith("accepted")
    assert ("rests on nothing else" in told) == (name == "several")


def test_a_goal_of_two_parts_is_known_by_its_words() -> None:
    ranged = universe(bounds("BRE ENG LON WAL", 2, load_rulebook()))
    assert (
        make_search_claim(parse_goal("paradox and several-resolutions", MAP), ranged, 2).goal
        == "paradox and several-resolutions"
    )


def test_the_claim_tells_every_bound(certificates: dict[str, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", str(certificates["none"]), "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["certificates"]
    assert found["claim"] == "no board with at most 3 units and legal orders under datc-3 has no-resolution"
    assert found["subject"] == [
        "units of any powers stand and move in BRE, ENG, LON, WAL of the map standard; each has one order, written in full"
    ]


def test_no_mutant_is_accepted_that_is_wrong(certificates: dict[str, Path]) -> None:
    assert accepted_mutants(certificates["none"], SEARCH_CHANGES, range(7)) < 4


@pytest.mark.campaign
@pytest.mark.parametrize("name", CLAIMS)
def test_no_mutant_of_hundreds_is_accepted_that_is_wrong(certificates: dict[str, Path], name: str) -> None:
    assert accepted_mutants(certificates[name], SEARCH_CHANGES, range(200)) < 200


def changed(path: Path, **changes: object) -> bytes:
    """A certificate of another claim, with the proof as it is; the clauses are told to be those of the claim."""
    data, files = read(path)
    data["claim"].update(changes)
    return packed(data, files)


RULES_1971 = load_rulebook("1971")


def rules_with(issue: str, value: str) -> dict[str, object]:
    """The usual rulebook as certificates tell it, with an issue settled otherwise."""
    return {"name": "datc-3", "title": "", "settings": load_rulebook().settings() | {issue: value}}


@pytest.mark.parametrize(
    "changes",
    [
        {"most": 4},
        {"region": ["BEL", "BRE", "ENG", "LON", "WAL"]},
        {"goal": "several-resolutions"},
        {"goal": "dislodged:ENG"},
        {"rulebooks": [{"name": "1971", "title": RULES_1971.title, "settings": RULES_1971.settings()}]},
    ],
    ids=str,
)
def test_another_claim_is_refused(certificates: dict[str, Path], changes: dict[str, object]) -> None:
    (problem,) = problems(changed(certificates["none"], **changes))
    assert problem.startswith(("no such board", "assumptions"))


def test_circular_movement_that_fails_is_no_outcome() -> None:
    armies = [Move(Named(UnitKind.ARMY, one), other) for one, other in pairwise(("ANK", "CON", "SMY", "ANK"))]
    board = Board(tuple(Unit("TURKEY", UnitKind.ARMY, move.unit.location) for move in armies))
    within = bounds("ANK CON SMY", 3, load_rulebook())

    def moves(wanted: int) -> Asked:
        """So many moves succeed."""

        def literal(question: OpenFormula, found: Sequence[EncodedOutcome]) -> int:
            several = [*found[0].moves.values()]
            return question.cnf.all_of((question.cnf.at_least(wanted, several), -question.cnf.at_least(wanted + 1, several)))

        return Asked(within, make_outcome_cases("so many moves succeed", literal, within.rulebooks)[0])

    assert [moves(wanted).holds_of(board, armies) for wanted in range(4)] == [False, False, False, True]


def test_clauses_without_an_order_are_refused(certificates: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """Who leaves out an order may have a proof for all else."""
    legal_orders = LegalOrders.iter_conditions

    def without_one(boards: LegalOrders) -> Iterator[tuple[MovementOrder, int]]:
        return ((order, condition) for order, condition in legal_orders(boards) if str(order) != "F WAL - ENG")

    with monkeypatch.context() as patched:
        patched.setattr(LegalOrders, "iter_conditions", without_one)
        patched.setattr("satjudge.proofs.certificates.lrat_proofs.request_proof", written_proof)
        claim = make_search_claim(parse_goal("no-resolution", MAP), universe(bounds("BRE ENG LON WAL", 3, load_rulebook())), 3)
        made, less = certify_search(claim), BytesIO()
        write_certificate(*made, less)
        assert not problems(less.getvalue())
    assert problems(less.getvalue()) == ["no such board: 1.cnf: these are not the clauses of the claim"]


def test_a_search_writes_what_it_proved_and_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "paradox.zip"
    assert run(["search", "paradox", "--region", "BRE ENG LON WAL", "--certificate", str(file)]) == 0
    assert run(["verify", str(file), str(tmp_path / "paradox-position.zip")]) == 0
    shown = capsys.readouterr()
    assert "no board with at most 3 units and legal orders under datc-3 has paradox" in shown.out
    assert "the position has 2 consistent resolutions, and no other" in shown.out
    assert shown.err.splitlines() == [f"wrote {file}", f"wrote {tmp_path / 'paradox-position.zip'}"]


def test_what_takes_long_is_told_first(
    certificates: dict[str, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    told = "making this large formula again takes minutes"
    for large in (True, False):
        monkeypatch.setattr("satjudge.proofs.verify.searches.LARGE", 0 if large else 450)
        assert run(["verify", str(certificates["none"])]) == 0
        assert (told in " ".join(capsys.readouterr().out.split())) == large


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["count(order:UNIT=cut) >= 2"], "do not support the goal “count(order:UNIT=cut) >= 2”"),
        (["paradox", "--board", "datc:6.F.14"], "all units to be free"),
        (["paradox", "--minimise", "fleets"], "their number minimised"),
        (["paradox", "--all"], "--all only counts"),
        (["paradox", "--set", "4.E.3=allowed"], "implicit orders (4.E.3)"),
    ],
)
def test_what_has_no_certificate_is_refused_at_once(
    arguments: list[str], problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["search", *arguments, "--certificate", str(tmp_path / "x.zip")]) == 2
    assert problem in capsys.readouterr().err
    assert not any(tmp_path.iterdir())


# ---- guarantees ----


def certified(board: Board, power: str, wish: str, orders: dict[Unit, MovementOrder], rulebook: Rulebook) -> GuaranteeClaim:
    """The claim that orders guarantee a wish."""
    table = WishTable(board, power, parse_wish(wish, board, power), rulebook)
    return make_guarantee_claim(table, [str(orders[unit]) for unit in board.units if unit.power == power])


def check_guarantee(seed: object) -> tuple[bool, bool]:
    """Whether random orders guarantee a random wish in truth, and whether that can be certified: only then."""
    random = Random(f"guarantee {seed}")
    board, power, wish, meaning = random_wish(random, most=1000)
    own, others = ([unit for unit in board.units if (unit.power == power) is mine] for mine in (True, False))
    orders = random.choice([*all_plays(board, own)])
    true = all(meaning(played(board, {**orders, **reply})) for reply in all_plays(board, others))
    proved = has_none(certified(board, power, wish, orders, load_rulebook()))
    assert true or not proved, (board, orders, wish)
    return true, proved


def test_what_is_certified_is_guaranteed() -> None:
    found = Counter(map(check_guarantee, (0, 9)))
    assert found[True, True]
    assert found[False, False]


@pytest.mark.campaign
def test_what_is_certified_is_guaranteed_and_mostly_the_reverse() -> None:
    found = Counter(map(check_guarantee, range(200)))
    assert found[True, True] > 50
    assert found[True, False] < 10


@pytest.fixture(scope="module")
def guaranteed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate of a guarantee."""
    folder = tmp_path_factory.mktemp("guarantees")
    sheet, file = folder / "sheet.txt", folder / "guaranteed.zip"
    sheet.write_text("case two: two fleets\nEngland:\n F LON H\n F WAL H\nFrance:\n F ENG H\n A BRE H\n", encoding="utf-8")
    assert run(["guarantee", "take ENG or keep LON", str(sheet), "--power", "England", "--certificate", str(file)]) == 0
    return file


def test_a_guarantee_is_accepted(guaranteed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", str(guaranteed)]) == 0
    told = capsys.readouterr().out
    assert "whatever legal orders the others give under datc-3" in " ".join(told.split())
    assert told.rstrip().endswith("accepted")


@pytest.mark.parametrize("seeds", [range(4), pytest.param(range(400), marks=pytest.mark.campaign)], ids=["few", "many"])
def test_no_mutant_of_a_guarantee_is_accepted_that_is_wrong(guaranteed: Path, seeds: range) -> None:
    assert accepted_mutants(guaranteed, GUARANTEE_CHANGES, seeds) < len(seeds)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"orders": ["F LON H"]}, "boards: each unit of the claim's powers must have exactly one order"),
        ({"orders": ["F LON H", "F WAL - BEL"]}, "boards: “F WAL - BEL” is not legal, or not written in full"),
        ({"units": {"ENGLAND": ["F LON", "F LON"]}}, "boards: two units are in one province"),
        ({"units": {"ENGLAND": ["F LON", "F PAR"]}}, "boards: a fleet cannot be inland in Paris"),
        ({"goal": "centers:ENGLAND>2"}, "goal: certificates do not support “centers:ENGLAND>2”"),
        ({"goal": "(occupied:LON"}, "goal: a parenthesis is not closed"),
        ({"goal": "not " * 5000 + "occupied:LON"}, "goal: the goal is nested too deeply"),
        ({"powers": []}, "boards: the claim's `powers` must list at least one power with units on the board"),
        ({"powers": ["ENGLAND", "TURKEY"]}, "boards: the claim's `powers` must list at least one power with units"),
        ({"powers": ["England"], "units": {"England": ["F LON", "F WAL"]}}, "boards: the power “England” must be written"),
        ({"orders": ["F LON - NTH VIA", "F WAL H"]}, "boards: “F LON - NTH VIA” is not legal, or not written in full"),
        ({"orders": ["F LON S A WAL", "F WAL H"]}, "boards: “F LON S A WAL”: there is no A WAL"),
        ({"orders": ["F LON S WAL", "F WAL H"]}, "boards: “F LON S WAL”: there is no WAL"),
        ({"orders": ["F LON S FRANCE F WAL", "F WAL H"]}, "boards: “F LON S FRANCE F WAL”: there is no FRANCE F WAL"),
        ({"orders": ["Fleet London holds", "F WAL H"]}, "boards: “Fleet London holds” must be written “F LON H”"),
        (
            {"orders": ["F LON S F ENG", "F WAL H"], "rulebook": rules_with("4.C.5", "illegal")},
            "boards: “F LON S F ENG” is not legal without “FRANCE” under the rulebook's choice for 4.C.5",
        ),
        ({"rulebook": rules_with("4.D.9", "refused")}, "boards: no certificate covers guarantees if a power"),
    ],
    ids=str,
)
def test_what_is_no_guarantee_is_refused(guaranteed: Path, changes: dict[str, object], problem: str) -> None:
    assert problems(changed(guaranteed, **changes))[0].startswith(problem)


def test_guarantees_without_certificates(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.zip"
    assert run(["guarantee", "take ENG", "datc:6.F.14", "--power", "England", "--certificate", str(file)]) == 2
    assert "the proof only shows which orders a ruling" in capsys.readouterr().err
    assert run(["guarantee", "take BRE", "datc:6.F.14", "--power", "England", "--certificate", str(file)]) == 1
    assert "nothing is guaranteed" in capsys.readouterr().err
    assert run(["guarantee", "hold", "datc:6.F.14", "--power", "England", "--seasons", "1", "--certificate", str(file)]) == 2
    assert not file.exists()
