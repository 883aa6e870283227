"""Verifies certificates that no board meets a goal: of searches, and of guarantees."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Generic, TypeVar

from satjudge.base.errors import InputError
from satjudge.base.words import number_of
from satjudge.proofs.verify.certificate import GuaranteeClaim, Package, SearchClaim
from satjudge.proofs.verify.checks import Verification, is_everywhere
from satjudge.proofs.verify.open_boards import Bounds, OpenBoards, in_short
from satjudge.proofs.verify.position import rulebook_of, rules_in_words
from satjudge.proofs.verify.reading import other_unit, read_order, read_units
from satjudge.proofs.verify.searches import AnyCase, OpenFormula, cases_of, outcome_cases
from satjudge.proofs.verify.second_encoder import Cnf, Encoded, Literal
from satjudge.proofs.verify.wishes import WishParser
from satjudge.world.board import Board
from satjudge.world.geography import load_map
from satjudge.world.orders import MovementOrder
from satjudge.world.rules import Rulebook
from satjudge.world.rules.rulebook import Mistake

LARGE = 450
"""The product of provinces and units above which a formula takes long: six units on the whole standard map."""


def bounds_of(claim: SearchClaim | GuaranteeClaim) -> Bounds:
    """Read the boards that a claim speaks of.

    Raises `InputError` if that cannot be read.
    """
    if isinstance(claim, GuaranteeClaim):
        return _board_of(claim)
    rulebooks = tuple(map(rulebook_of, claim.rulebooks))
    region, most = frozenset(claim.region), min(claim.most, len(claim.region))
    return Bounds(load_map(claim.map), region, most, claim.fleets, rulebooks, under_one=is_under_one(claim))


def is_under_one(claim: SearchClaim) -> bool:
    """Tell whether orders need be legal under one of the rulebooks only."""
    return claim.goal.startswith("differs:")


def _board_of(claim: GuaranteeClaim) -> Bounds:
    """Read the board of a claim, with the orders that are given. Raises `InputError` if it is none."""
    game_map = load_map(claim.map)
    board = Board(tuple(read_units(claim.units, game_map)), map=game_map)
    if len(board.unit_at) < len(board.units):
        raise InputError("two units stand in one province")
    for unit in board.units:
        if problem := game_map.problem_with(unit.kind, unit.location):
            raise InputError(problem)
    powers = set(claim.powers)
    if not powers or len(powers) < len(claim.powers) or powers - {unit.power for unit in board.units}:
        raise InputError("no power is told whose orders these are, or one twice, or one without units")
    rulebook = rulebook_of(claim.rulebook)
    read = [read_order(text, board) for text in claim.orders]
    own = [unit.named for unit in board.units if unit.power in claim.powers]
    if sorted(map(str, own)) != sorted(str(order.unit) for order in read):
        raise InputError("not every own unit has one order, and nobody else")
    for order in read:
        _check_nationality(order, board, rulebook)
    orders = tuple(in_short(order, game_map) for order in read)
    return Bounds(game_map, frozenset(game_map.provinces), len(board.units), None, (rulebook,), board=board, orders=orders)


def _check_nationality(order: MovementOrder, board: Board, rulebook: Rulebook) -> None:
    """Raise `InputError` if an order does not name the power of a foreign unit, where it must (4.C.5)."""
    other = other_unit(order)
    if rulebook.missing_nationality is Mistake.ILLEGAL and other and not other.power:
        power, foreign = (board.unit_at[unit.province].power for unit in (order.unit, other))
        if power != foreign:
            raise InputError(f"“{order}” is not legal without “{foreign}”, as the rulebook has 4.C.5")


def read_cases(claim: SearchClaim | GuaranteeClaim) -> tuple[Bounds, Sequence[AnyCase]]:
    """Read the boards that a claim speaks of, and the cases that none of them has.

    Raises `InputError` if it cannot be read.
    """
    bounds = bounds_of(claim)
    if isinstance(claim, SearchClaim):
        return bounds, cases_of(claim.goal, bounds)
    assert bounds.board
    wish = WishParser(claim.goal, bounds.map, bounds.board).whole()

    def fails(question: OpenFormula, found: Sequence[Encoded]) -> Literal:
        return -wish(question, found[0])

    return bounds, outcome_cases("the wish fails", fails, bounds.rulebooks)


def rests_on(cases: Iterable[AnyCase]) -> list[str]:
    """List the assumptions of a claim: those of its cases, each once."""
    return [*dict.fromkeys(name for case in cases for name in case.assumptions)]


Asking = TypeVar("Asking", SearchClaim, GuaranteeClaim)


class EmptinessVerification(Verification, Generic[Asking]):
    """The checks of a claim that no board meets a goal, by a formula for each case that has no solution."""

    def __init__(self, package: Package, claim: Asking) -> None:
        super().__init__(package)
        self.stated: Asking = claim

    @cached_property
    def bounds(self) -> Bounds:
        """The bounds of the boards."""
        return bounds_of(self.stated)

    @cached_property
    def cases(self) -> Sequence[AnyCase]:
        """The cases of the goal."""
        return read_cases(self.stated)[1]

    @property
    def steps(self) -> int:
        """The number of steps: one for each case of the goal."""
        return len(self.cases)

    def parts(self) -> Sequence[tuple[str, Callable[[], str]]]:
        """List the checks by their names."""
        return (
            ("boards", self._boards),
            ("goal", self._goal),
            ("assumptions", lambda: self.check_assumptions(*rests_on(self.cases))),
            ("no such board", self._refutations),
        )

    @abstractmethod
    def _boards(self) -> str:
        """Check that the boards and rulebooks of the claim can be read."""

    def _goal(self) -> str:
        """Check that the goal can be written as clauses."""
        return "; or ".join(case.text for case in self.cases)

    def _refutations(self) -> str:
        """Check that the clauses for a case of the goal, written anew, cannot all hold."""
        return "; ".join(map(self._refuted, range(self.steps)))

    def _refuted(self, number: int) -> str:
        clauses = self.check_formula(number, self.cases[number].formula(self.bounds))
        steps = number_of(self.check_proved(number, clauses.clauses), "step")
        variables, several = number_of(clauses.size, "variable"), number_of(len(clauses.clauses), "clause")
        return f"{variables} and {several} cannot all hold: proved in {steps}"


class SearchVerification(EmptinessVerification[SearchClaim]):
    """The checks of a certificate of a search."""

    @property
    def claim(self) -> str:
        """The claim of the certificate, with every bound."""
        stated = self.stated
        fleets = "" if stated.fleets is None else f", {stated.fleets} of them fleets,"
        rules = (" or " if is_under_one(stated) else " and ").join(map(rules_in_words, stated.rulebooks))
        return (
            f"no board with at most {number_of(stated.most, 'unit')}{fleets} and legal orders under {rules} has {stated.goal}"
        )

    @property
    def subject(self) -> Sequence[str]:
        """The places of the units, and that each has one order (4.D.3, 4.D.9)."""
        everywhere = is_everywhere(self.stated.region, self.stated.map)
        provinces = "any provinces" if everywhere else ", ".join(self.stated.region)
        each = "each has one order, written in full"
        return (f"units of any powers stand and move in {provinces} of the map {self.stated.map}; {each}",)

    def _boards(self) -> str:
        """Check that region, bounds and rulebook can be read."""
        bounds = self.bounds
        if not bounds.region:
            raise InputError("no province is told where units are")
        if len(bounds.region) < len(self.stated.region):
            raise InputError("a province is listed twice")
        size = len(bounds.region) * bounds.most
        long = "; the formula is written anew, and one so large takes minutes and much memory" if size > LARGE else ""
        return f"{number_of(len(bounds.region), 'province')}, {', '.join(rulebook.name for rulebook in bounds.rulebooks)}{long}"


class GuaranteeVerification(EmptinessVerification[GuaranteeClaim]):
    """The checks of a certificate of a guarantee: in no outcome, whatever the others order, the wish fails."""

    @property
    def claim(self) -> str:
        """The claim of the certificate, in words."""
        stated = self.stated
        bring = "brings" if len(stated.powers) == 1 else "bring"
        wanted = f"{', '.join(stated.powers)} {bring} about “{stated.goal}” by {', '.join(stated.orders)}"
        return f"{wanted}, whatever legal orders the others give under {rules_in_words(stated.rulebook)}"

    @property
    def subject(self) -> Sequence[str]:
        """The map, and the units of each power."""
        return f"map {self.stated.map}", *(f"{power}: {', '.join(units)}" for power, units in self.stated.units.items())

    def _boards(self) -> str:
        """Check that units and orders can be read, and that each unit of the powers has one legal order."""
        OpenBoards(Cnf(), self.bounds)
        own = len(self.bounds.orders)
        others = number_of(self.bounds.most - own, "unit")
        return f"{number_of(own, 'own order')}, {others} of others, {self.bounds.rulebooks[0].name}"
