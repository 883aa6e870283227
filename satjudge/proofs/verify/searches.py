"""Verifies certificates of searches and guarantees: no board meets a goal.

The second encoder writes the questions, from docs/background/search.md alone.

A goal is split into cases, each with a formula. If no formula has a solution, no board meets the goal. Everything in a
formula follows from its case, by equivalence or by an assumption.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Generic, TypeAlias, TypeVar

from satjudge.base.errors import InputError
from satjudge.base.words import number_of
from satjudge.proofs.verify.certificate import (
    CORES,
    RULINGS,
    SETTINGS,
    CertificateFile,
    ClauseGroup,
    GuaranteeClaim,
    NamedClauses,
    SearchClaim,
)
from satjudge.proofs.verify.checks import Verification, is_whole_map
from satjudge.proofs.verify.cores import CoreQuestion, check_rulebook, find_shape
from satjudge.proofs.verify.goals import DIFFERENCES, WishParser
from satjudge.proofs.verify.open_boards import BoardClauses, Bounds, shorten_order
from satjudge.proofs.verify.positions import (
    DEFINED_SECOND,
    EQUATIONS,
    describe_rulebook,
    get_other_unit,
    read_order,
    read_rulebook,
    read_units,
)
from satjudge.proofs.verify.second_encoder import FALSE, Candidate, Cnf, EncodedOutcome, Literal
from satjudge.proofs.verify.second_encoder.candidates import is_convoy_of
from satjudge.world.board import Board
from satjudge.world.geography import Location, ProvinceCode, UnitKind, load_map, province_of
from satjudge.world.orders import Convoy, Move, MovementOrder, Named
from satjudge.world.rules import Rulebook
from satjudge.world.rules.rulebook import Mistake, ParadoxFallback, ParadoxRule

LEGAL = "units, legal orders, and how many there may be (DATC 3.2, 4.E.1)"


def choose_rounds(max_units: int) -> int:
    """Return how often `require_no_resolution` should apply the convoys' equations, if boards have at most `max_units` units.

    Any number is sound. Orders outside cores are settled after a few rounds: each further round takes a fleet, an army, and
    two units that attack a fleet.
    """
    return min(2 + max(0, max_units - 2) // 4, 4)


def lets_moves_fail(rulebook: Rulebook) -> bool:
    """Return whether a ruling on a paradox may let moves fail; true unless the rule and fallback are known not to."""
    others = (ParadoxRule.RULE_1971, ParadoxRule.RULE_1982, ParadoxRule.RULE_2000, ParadoxRule.SZYKMAN, ParadoxRule.NONE)
    fallbacks = ParadoxFallback.SZYKMAN, ParadoxFallback.UNRESOLVED
    return rulebook.paradox not in others or rulebook.paradox_fallback not in fallbacks


class OpenFormula:
    """A formula under construction: boards with orders, and resolutions of these orders."""

    def __init__(self, bounds: Bounds) -> None:
        self.cnf = Cnf()
        self.bounds = bounds
        self.boards = BoardClauses(self.cnf, bounds)
        self.copies = 0

    def list_convoys(self, rulebook: Rulebook) -> Sequence[Candidate]:
        """List the convoy orders that may be given and legal under the rulebook."""
        return [
            candidate for candidate in self.boards.list_counting_candidates(rulebook) if isinstance(candidate.order, Convoy)
        ]

    def add_resolution(self, rulebook: Rulebook, convoys: Mapping[Candidate, Literal] | None = None) -> EncodedOutcome:
        """Add the equations of another resolution of the orders; `convoys`, if given, decides whether each convoy succeeds."""
        self.copies += 1
        return self.boards.encode_resolution(rulebook, str(self.copies), convoys)

    def add_outcome(self, rulebook: Rulebook, *, ruled: bool) -> EncodedOutcome:
        """Add an outcome of the orders: a consistent resolution or, if `ruled`, any result that a ruling on a paradox may give.

        After a ruling, a convoy may fail despite its equation; so may a move, if the rulebook's rule lets moves fail (5.B.9).
        Moves in a circle succeed: in a consistent resolution, no ring of moves fails only because each waits for the next.
        """
        self.copies += 1
        if ruled:
            label = str(self.copies)
            convoys = {convoy: self.cnf.add_input(f"{label} CONVOY {convoy.order}") for convoy in self.list_convoys(rulebook)}
            found = self.boards.encode_resolution(rulebook, label, convoys, moves_may_fail=lets_moves_fail(rulebook))
            for convoy, literal in convoys.items():
                self.cnf.require(-literal, found.equations.convoy_equation(convoy))
            return found
        found = self.boards.encode_resolution(rulebook, str(self.copies))
        self._require_no_waiting_ring(found)
        return found

    def _require_no_waiting_ring(self, outcome: EncodedOutcome) -> None:
        """Require that no ring of moves fails only because each waits for the next: a waiting unit has the higher rank."""
        most = self.bounds.most
        ranks = {
            province: [self.cnf.add_input(f"{self.copies} RANK {province} > {rank}") for rank in range(most)] + [FALSE]
            for province in outcome.equations.moves_from
        }
        for move, succeeds in outcome.moves.items():
            if move.destination in ranks:
                waits = self.cnf.all_of((-succeeds, outcome.equations.can_follow(move)))
                higher, lower = ranks[move.province], ranks[move.destination]
                self.cnf.require(-waits, higher[0])
                for rank in range(most):
                    self.cnf.require(-waits, -lower[rank], higher[rank + 1])

    def is_dislodged(self, outcome: EncodedOutcome, place: Location) -> Literal:
        """Return the literal that is true if the unit in a place is dislodged: it stays, and a move there succeeds."""
        province = province_of(place)
        stands = self.boards.occupancy.get(province, FALSE)
        if place != province:
            stands = self.boards.stands.get(Named(UnitKind.FLEET, place), FALSE)
        return self.cnf.all_of((stands, self.has_arrival(outcome, province), -self.has_departure(outcome, province)))

    def has_departure(self, outcome: EncodedOutcome, province: ProvinceCode) -> Literal:
        """Return the literal that is true if a move out of a province succeeds in an outcome."""
        return self.cnf.any_of(outcome.moves[move] for move in outcome.equations.moves_from[province])

    def has_arrival(self, outcome: EncodedOutcome, province: ProvinceCode) -> Literal:
        """Return the literal that is true if a move into a province succeeds in an outcome."""
        return self.cnf.any_of(outcome.moves[move] for move in outcome.equations.moves_to[province])

    def has_difference(self, one: Literal, other: Literal) -> Literal:
        """Return the literal that is true if exactly one of the two literals is true."""
        return self.cnf.any_of((self.cnf.all_of((one, -other)), self.cnf.all_of((-one, other))))


Requirement: TypeAlias = Callable[[OpenFormula], None]


@dataclass(frozen=True)
class ClaimedCase:
    """One case of a goal: its text, its requirement, and the assumptions by which the requirement follows from the case."""

    text: str
    require: Requirement
    assumptions: tuple[str, ...] = ()

    def __and__(self, other: ClaimedCase) -> ClaimedCase:
        """Return the case in which both cases hold for the same orders."""

        def require_both(question: OpenFormula) -> None:
            self.require(question)
            other.require(question)

        assumptions = tuple(dict.fromkeys((*self.assumptions, *other.assumptions)))
        return ClaimedCase(f"{self.text}; {other.text}", require_both, assumptions)

    def make_formula(self, bounds: Bounds) -> NamedClauses:
        """Make the clauses for boards within the bounds that fit this case."""
        question = OpenFormula(bounds)
        self.require(question)
        boundary = len(question.cnf.requirements)
        question.boards.require_legal()
        requirements = question.cnf.requirements
        groups = (
            ClauseGroup(DEFINED_SECOND, question.cnf.definitions),
            ClauseGroup(f"{EQUATIONS}; {self.text}", requirements[:boundary]),
            ClauseGroup(LEGAL, requirements[boundary:]),
        )
        return NamedClauses(question.cnf.number_of_variables, question.cnf.names, groups)


@dataclass(frozen=True)
class CoreCase:
    """The case in which the board has a core of a certain shape."""

    shape: str
    assumptions: tuple[str, ...] = (CORES,)

    @property
    def text(self) -> str:
        """The case in words."""
        return f"a core has the shape {self.shape}"

    def make_formula(self, bounds: Bounds) -> NamedClauses:
        """Make the clauses for boards within the bounds that have a core of this shape."""
        return CoreQuestion(find_shape(self.shape), bounds).make_formula()


AnyCase: TypeAlias = ClaimedCase | CoreCase


def require_no_resolution(question: OpenFormula, rulebook_index: int = 0) -> None:
    """Require that there is no consistent resolution under a rulebook, as far as some rounds of computing the convoys show.

    First all convoys are disrupted; in each further round they have the results that their equations gave in the round before.
    In each round the other equations have a solution. If the convoys' equations gave the same results again, this would be a
    resolution.
    """
    rulebook = question.bounds.rulebooks[rulebook_index]
    convoys = question.list_convoys(rulebook)
    settings = dict.fromkeys(convoys, FALSE)
    for _ in range(choose_rounds(question.bounds.most)):
        resolved = question.add_resolution(rulebook, settings).equations
        results = {convoy: resolved.convoy_equation(convoy) for convoy in convoys}
        question.cnf.require(*(question.has_difference(results[convoy], settings[convoy]) for convoy in convoys))
        settings = results


def require_two_resolutions(question: OpenFormula) -> None:
    """Require two consistent resolutions: some move succeeds in the first and fails in the second.

    All other decisions follow from the moves.
    """
    rulebook = question.bounds.rulebooks[0]
    one, other = question.add_resolution(rulebook), question.add_resolution(rulebook)
    moves = zip(one.moves.values(), other.moves.values(), strict=True)
    question.cnf.require(*(question.cnf.all_of((first, -second)) for first, second in moves))


def require_differing_convoys(question: OpenFormula, rulebook_index: int = 0) -> None:
    """Require two resolutions under a rulebook; some convoy that a move is ordered to take succeeds only in the first."""
    rulebook = question.bounds.rulebooks[rulebook_index]
    one, other = question.add_resolution(rulebook), question.add_resolution(rulebook)
    moves = [candidate for candidate in question.boards.list_counting_candidates(rulebook) if isinstance(candidate.order, Move)]
    found = []
    for convoy in question.list_convoys(rulebook):
        is_used = question.cnf.any_of(move.given for move in moves if is_convoy_of(convoy, move))
        found.append(question.cnf.all_of((is_used, one.convoys[convoy], -other.convoys[convoy])))
    question.cnf.require(*found)


NONE = ClaimedCase("the orders have no consistent resolution", require_no_resolution, (SETTINGS,))
SEVERAL = ClaimedCase("the orders have two consistent resolutions", require_two_resolutions)
DIFFERING_CONVOYS = ClaimedCase(
    "two consistent resolutions differ about a convoy that some move is ordered to take", require_differing_convoys
)

RESOLUTION_GOALS: Mapping[str, tuple[ClaimedCase, ...]] = {
    "no-resolution": (NONE,),
    "several-resolutions": (SEVERAL,),
    "paradox": (NONE, DIFFERING_CONVOYS),
    "paradox and several-resolutions": (DIFFERING_CONVOYS,),
}
"""The goals about resolutions, with their cases. The last has one case, since a board with several resolutions has some."""
FORMS = (
    *RESOLUTION_GOALS,
    "core:SHAPE",
    "dislodged:PAR",
    "some(dislodged:UNIT)",
    "occupied:PAR",
    "differs:A,B",
    "differs:A,B=ASPECT",
    "differs-legal:A,B",
    "differs-legal:A,B=ASPECT",
)
"""The goals that certificates support. Goals about units may be joined with `and`, `or` and `not`."""


def iter_paradox_cases(rulebooks: Sequence[Rulebook]) -> Iterator[ClaimedCase]:
    """Yield two cases of a paradox for each rulebook: no consistent resolution, or two that differ in a convoy."""
    for rulebook_index, rulebook in enumerate(rulebooks):
        under = f" under {rulebook.name}" if len(rulebooks) > 1 else ""
        yield replace(NONE, text=NONE.text + under, require=partial(require_no_resolution, rulebook_index=rulebook_index))
        differing = partial(require_differing_convoys, rulebook_index=rulebook_index)
        yield replace(DIFFERING_CONVOYS, text=DIFFERING_CONVOYS.text + under, require=differing)


Wanted: TypeAlias = Callable[[OpenFormula, Sequence[EncodedOutcome]], Literal]


def make_outcome_cases(text: str, make_literal: Wanted, rulebooks: Sequence[Rulebook]) -> tuple[ClaimedCase, ...]:
    """Return a goal's cases, titled `text, …`: one without a ruling on a paradox, and two for each rulebook with one."""

    def require(question: OpenFormula, *, ruled: bool) -> None:
        outcomes = [question.add_outcome(rulebook, ruled=ruled) for rulebook in question.bounds.rulebooks]
        question.cnf.require(make_literal(question, outcomes))

    unruled = ClaimedCase(f"{text}, without a ruling on a paradox", partial(require, ruled=False), (RULINGS,))
    ruled = ClaimedCase(f"{text}, as a ruling may have it", partial(require, ruled=True), (RULINGS,))
    return unruled, *(paradox & ruled for paradox in iter_paradox_cases(rulebooks))


def list_cases(goal: str, bounds: Bounds) -> tuple[AnyCase, ...]:
    """Split a goal into cases, and return those; a certificate must refute each one.

    Raises `InputError` for an unsupported goal, or one that compares other rulebooks than the claim.
    """
    rulebooks = bounds.rulebooks
    name, _, argument = goal.partition(":")
    compared, _, aspect = argument.partition("=")
    if name in ("differs", "differs-legal") and "," in compared and aspect in DIFFERENCES:
        if ",".join(rulebook.name for rulebook in rulebooks) != compared or len(rulebooks) != 2:
            raise InputError(f"{goal} must compare exactly the rulebooks of the claim")
        return make_outcome_cases(*DIFFERENCES[aspect], rulebooks)
    if len(rulebooks) != 1:
        raise InputError(f"{goal} needs exactly one rulebook")
    if goal in RESOLUTION_GOALS:
        return RESOLUTION_GOALS[goal]
    if name == "core":
        check_rulebook(rulebooks[0])
        find_shape(argument)
        return (CoreCase(argument),)
    try:
        wish = WishParser(goal, bounds.map).parse_wish()
    except InputError:
        suggestion = f"supported forms: {', '.join(FORMS)}"
        raise InputError(f"certificates do not support the goal “{goal}”", suggestion=suggestion) from None
    return make_outcome_cases(f"{goal} in the end", lambda question, found: wish(question, found[0]), rulebooks)


# ---- the verification of certificates of searches and guarantees ----

LARGE = 450
"""The product of provinces and units above which a formula takes minutes: six units on the whole standard map."""


def read_bounds(claim: SearchClaim | GuaranteeClaim) -> Bounds:
    """Parse a claim into the bounds of the boards that it covers; raises `InputError` if the claim cannot be read."""
    if isinstance(claim, GuaranteeClaim):
        return _read_board(claim)
    rulebooks = tuple(map(read_rulebook, claim.rulebooks))
    region, most = frozenset(claim.region), min(claim.most, len(claim.region))
    return Bounds(load_map(claim.map), region, most, claim.fleets, rulebooks, under_one=needs_one_rulebook(claim))


def needs_one_rulebook(claim: SearchClaim) -> bool:
    """Return whether an order only needs to be legal under one of the rulebooks, as in `differs` goals."""
    return claim.goal.startswith("differs:")


def _read_board(claim: GuaranteeClaim) -> Bounds:
    """Parse the board and the orders of a claim into bounds that allow only this board; raises `InputError`."""
    game_map = load_map(claim.map)
    board = Board(tuple(read_units(claim.units, game_map)), map=game_map)
    if len(board.unit_at) < len(board.units):
        raise InputError("two units are in one province")
    for unit in board.units:
        if problem := game_map.problem_with(unit.kind, unit.location):
            raise InputError(problem)
    powers = set(claim.powers)
    if not powers or len(powers) < len(claim.powers) or powers - {unit.power for unit in board.units}:
        raise InputError("the claim's `powers` must list at least one power with units on the board, and none twice")
    rulebook = read_rulebook(claim.rulebook)
    read = [read_order(text, board) for text in claim.orders]
    own = [unit.named for unit in board.units if unit.power in claim.powers]
    if sorted(map(str, own)) != sorted(str(order.unit) for order in read):
        raise InputError("each unit of the claim's powers must have exactly one order, and no other unit may have any")
    for order in read:
        _check_nationality(order, board, rulebook)
    orders = tuple(shorten_order(order, game_map) for order in read)
    return Bounds(game_map, frozenset(game_map.provinces), len(board.units), None, (rulebook,), board=board, orders=orders)


def _check_nationality(order: MovementOrder, board: Board, rulebook: Rulebook) -> None:
    """Raise `InputError` if the rulebook requires an order to name a foreign unit's power and it does not (4.C.5)."""
    other = get_other_unit(order)
    if rulebook.missing_nationality is Mistake.ILLEGAL and other and not other.power:
        power, foreign = (board.unit_at[unit.province].power for unit in (order.unit, other))
        if power != foreign:
            raise InputError(f"“{order}” is not legal without “{foreign}” under the rulebook's choice for 4.C.5")


def read_cases(claim: SearchClaim | GuaranteeClaim) -> tuple[Bounds, Sequence[AnyCase]]:
    """Parse a claim; return the bounds of the boards that it covers, and the cases that no such board may fit.

    Raises `InputError` if the claim cannot be read.
    """
    bounds = read_bounds(claim)
    if isinstance(claim, SearchClaim):
        return bounds, list_cases(claim.goal, bounds)
    assert bounds.board
    wish = WishParser(claim.goal, bounds.map, bounds.board).parse_wish()

    def fails(question: OpenFormula, outcomes: Sequence[EncodedOutcome]) -> Literal:
        return -wish(question, outcomes[0])

    return bounds, make_outcome_cases("the wish fails", fails, bounds.rulebooks)


def list_assumptions(cases: Iterable[AnyCase]) -> list[str]:
    """Return the names of the assumptions of all cases, each once."""
    return [*dict.fromkeys(name for case in cases for name in case.assumptions)]


Asking = TypeVar("Asking", SearchClaim, GuaranteeClaim)


class EmptinessVerification(Verification, Generic[Asking]):
    """The checks of a claim that no board meets a goal, proved by an unsatisfiable formula for each case."""

    def __init__(self, package: CertificateFile, claim: Asking) -> None:
        super().__init__(package)
        self.stated: Asking = claim

    @cached_property
    def bounds(self) -> Bounds:
        """The bounds of the boards that the claim covers."""
        return read_bounds(self.stated)

    @cached_property
    def cases(self) -> Sequence[AnyCase]:
        """The cases into which the claim's goal is split."""
        return read_cases(self.stated)[1]

    @property
    def steps(self) -> int:
        """The number of steps: one for each case of the goal."""
        return len(self.cases)

    def list_checks(self) -> Sequence[tuple[str, Callable[[], str]]]:
        """Return the checks in order, each with its name and the function that runs it and returns its finding."""
        return (
            ("boards", self._check_boards),
            ("goal", self._check_goal),
            ("assumptions", lambda: self.check_assumptions(*list_assumptions(self.cases))),
            ("no such board", self._check_refutations),
        )

    @abstractmethod
    def _check_boards(self) -> str:
        """Check that the claim's boards and rulebooks can be read; return a sentence that describes them."""

    def _check_goal(self) -> str:
        """Check that the goal can be written as clauses; return the texts of its cases."""
        return "; or ".join(case.text for case in self.cases)

    def _check_refutations(self) -> str:
        """Check the proof of each case with newly made clauses; return a sentence on each."""
        return "; ".join(map(self._check_refutation, range(self.steps)))

    def _check_refutation(self, number: int) -> str:
        clauses = self.check_formula(number, self.cases[number].make_formula(self.bounds))
        steps = number_of(self.check_proof(number, clauses.clauses), "step")
        variables, several = number_of(clauses.size, "variable"), number_of(len(clauses.clauses), "clause")
        return f"{variables} and {several} cannot all hold: proved in {steps}"


class SearchVerification(EmptinessVerification[SearchClaim]):
    """The checks of a certificate of a search."""

    @property
    def claim(self) -> str:
        """The claim in words: the bounds on units and fleets, the rulebooks and the goal, without the region."""
        stated = self.stated
        fleets = "" if stated.fleets is None else f", {stated.fleets} of them fleets,"
        rules = (" or " if needs_one_rulebook(stated) else " and ").join(map(describe_rulebook, stated.rulebooks))
        return (
            f"no board with at most {number_of(stated.most, 'unit')}{fleets} and legal orders under {rules} has {stated.goal}"
        )

    @property
    def subject(self) -> Sequence[str]:
        """The line of text on where units may stand, which also states that each unit has one order (4.D.3, 4.D.9)."""
        everywhere = is_whole_map(self.stated.region, self.stated.map)
        provinces = "any provinces" if everywhere else ", ".join(self.stated.region)
        each = "each has one order, written in full"
        return (f"units of any powers stand and move in {provinces} of the map {self.stated.map}; {each}",)

    def _check_boards(self) -> str:
        """Check that region, bounds and rulebooks can be read; return the number of provinces and the rulebooks in words."""
        bounds = self.bounds
        if not bounds.region:
            raise InputError("the region of the units is empty")
        if len(bounds.region) < len(self.stated.region):
            raise InputError("a province is listed twice")
        size = len(bounds.region) * bounds.most
        long = "; making this large formula again takes minutes and much memory" if size > LARGE else ""
        return f"{number_of(len(bounds.region), 'province')}, {', '.join(rulebook.name for rulebook in bounds.rulebooks)}{long}"


class GuaranteeVerification(EmptinessVerification[GuaranteeClaim]):
    """The checks of a certificate of a guarantee: the wish fails in no outcome, for any orders of the others."""

    @property
    def claim(self) -> str:
        """The claim of the certificate, in words."""
        stated = self.stated
        bring = "brings" if len(stated.powers) == 1 else "bring"
        wanted = f"{', '.join(stated.powers)} {bring} about “{stated.goal}” by {', '.join(stated.orders)}"
        return f"{wanted}, whatever legal orders the others give under {describe_rulebook(stated.rulebook)}"

    @property
    def subject(self) -> Sequence[str]:
        """The lines of text with the map and with the units of each power."""
        return f"map {self.stated.map}", *(f"{power}: {', '.join(units)}" for power, units in self.stated.units.items())

    def _check_boards(self) -> str:
        """Check that the board can be read and each unit of the powers has one legal order; return the numbers in words."""
        BoardClauses(Cnf(), self.bounds)
        own = len(self.bounds.orders)
        others = number_of(self.bounds.most - own, "unit")
        return f"{number_of(own, 'own order')}, {others} of others, {self.bounds.rulebooks[0].name}"
