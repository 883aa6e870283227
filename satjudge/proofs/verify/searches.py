"""Writes the questions of a search for boards by the second encoder, from docs/background/search.md alone.

A goal is a choice of cases, each of which takes a formula: if none of these has a solution, no board has the goal. What a
formula says beyond that is weaker than the case and follows from it, by equivalence or by an assumption.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

from satjudge.base.errors import InputError
from satjudge.proofs.verify.assumptions import CORES, RULINGS, SETTINGS
from satjudge.proofs.verify.core_shapes import shape_of
from satjudge.proofs.verify.cores import CoreQuestion, check_rulebook
from satjudge.proofs.verify.differences import DIFFERENCES
from satjudge.proofs.verify.named_clauses import Group, NamedClauses
from satjudge.proofs.verify.open_boards import Bounds, OpenBoards
from satjudge.proofs.verify.position import DEFINED_SECOND, EQUATIONS
from satjudge.proofs.verify.second_encoder import FALSE, Candidate, Cnf, Encoded, Literal
from satjudge.proofs.verify.second_encoder.candidates import is_convoy_of
from satjudge.proofs.verify.wishes import WishParser
from satjudge.world.geography import Location, ProvinceCode, UnitKind, province_of
from satjudge.world.orders import Convoy, Move, Named
from satjudge.world.rules import Rulebook
from satjudge.world.rules.rulebook import ParadoxFallback, ParadoxRule

LEGAL = "units, legal orders, and how many there may be (DATC 3.2, 4.E.1)"


def rounds_of(most: int) -> int:
    """Choose how often the equations of convoys are asked about a setting, for at most so many units.

    Any number is sound. An order that is in no core is what it should be after few: whoever waits for another convoy takes a
    fleet, an army, and two units that attack a fleet, and each of them one time more.
    """
    return min(2 + max(0, most - 2) // 4, 4)


class OpenFormula:
    """A formula under construction: boards, and resolutions of their orders."""

    def __init__(self, bounds: Bounds) -> None:
        self.cnf = Cnf()
        self.bounds = bounds
        self.boards = OpenBoards(self.cnf, bounds)
        self.copies = 0

    def convoys(self, rulebook: Rulebook) -> Sequence[Candidate]:
        """List the convoy orders that may be given."""
        return [candidate for candidate in self.boards.counted(rulebook) if isinstance(candidate.order, Convoy)]

    def resolution(self, rulebook: Rulebook, convoys: Mapping[Candidate, Literal] | None = None) -> Encoded:
        """Add one more resolution of the same orders."""
        self.copies += 1
        return self.boards.resolution(rulebook, str(self.copies), convoys)

    def outcome(self, rulebook: Rulebook, *, ruled: bool) -> Encoded:
        """Add an outcome of the orders: a consistent resolution, or one of a ruling on a paradox (`ruled`).

        After a ruling a convoy may fail whatever its equation says; so may a move, where the rulebook has a rule by which moves
        fail (5.B.9).

        Circular movement succeeds: no moves fail that wait for each other round.
        """
        self.copies += 1
        if ruled:
            label = str(self.copies)
            convoys = {convoy: self.cnf.variable(f"{label} CONVOY {convoy.order}") for convoy in self.convoys(rulebook)}
            moves_may_fail = ParadoxRule.ALL_HOLD is rulebook.paradox or rulebook.paradox is ParadoxRule.GUIDE
            moves_may_fail |= rulebook.paradox_fallback is ParadoxFallback.ALL_HOLD
            found = self.boards.resolution(rulebook, label, convoys, moves_may_fail=moves_may_fail)
            for convoy, literal in convoys.items():
                self.cnf.require(-literal, found.equations.convoy_equation(convoy))
            return found
        found = self.boards.resolution(rulebook, str(self.copies))
        self._require_that_no_ring_waits(found)
        return found

    def _require_that_no_ring_waits(self, found: Encoded) -> None:
        """Require a higher rank of a province whose unit waits for another's: a literal for each rank, from 0."""
        most = self.bounds.most
        ranks = {
            province: [self.cnf.variable(f"{self.copies} RANK {province} > {rank}") for rank in range(most)] + [FALSE]
            for province in found.equations.moves_from
        }
        for move, succeeds in found.moves.items():
            if move.destination in ranks:
                waits = self.cnf.all_of((-succeeds, found.equations.would_follow(move)))
                higher, lower = ranks[move.province], ranks[move.destination]
                self.cnf.require(-waits, higher[0])
                for rank in range(most):
                    self.cnf.require(-waits, -lower[rank], higher[rank + 1])

    def dislodged(self, found: Encoded, place: Location) -> Literal:
        """Return the literal that the unit in a province, or the fleet on a coast, stays there while a move to it succeeds."""
        province = province_of(place)
        stands = self.boards.occupied.get(province, FALSE)
        if place != province:
            stands = self.boards.stands.get(Named(UnitKind.FLEET, place), FALSE)
        return self.cnf.all_of((stands, self.entered(found, province), -self.left(found, province)))

    def left(self, found: Encoded, province: ProvinceCode) -> Literal:
        """Return the literal that a move out of a province succeeds."""
        return self.cnf.any_of(found.moves[move] for move in found.equations.moves_from[province])

    def entered(self, found: Encoded, province: ProvinceCode) -> Literal:
        """Return the literal that a move into a province succeeds."""
        return self.cnf.any_of(found.moves[move] for move in found.equations.moves_to[province])

    def differ(self, one: Literal, other: Literal) -> Literal:
        """Return the literal that two literals differ."""
        return self.cnf.any_of((self.cnf.all_of((one, -other)), self.cnf.all_of((-one, other))))


Requirement: TypeAlias = Callable[[OpenFormula], None]


@dataclass(frozen=True)
class ClaimedCase:
    """One case of a goal: in words, its requirement, and the assumptions by which that is necessary."""

    text: str
    require: Requirement
    assumptions: tuple[str, ...] = ()

    def __and__(self, other: ClaimedCase) -> ClaimedCase:
        """Join two cases into the case in which both hold, of the same orders."""

        def both(question: OpenFormula) -> None:
            self.require(question)
            other.require(question)

        assumptions = tuple(dict.fromkeys((*self.assumptions, *other.assumptions)))
        return ClaimedCase(f"{self.text}; {other.text}", both, assumptions)

    def formula(self, bounds: Bounds) -> NamedClauses:
        """Write the formula of boards within the bounds that have this case."""
        question = OpenFormula(bounds)
        self.require(question)
        asked = len(question.cnf.requirements)
        question.boards.require_legal()
        requirements = question.cnf.requirements
        groups = (
            Group(DEFINED_SECOND, question.cnf.definitions),
            Group(f"{EQUATIONS}; {self.text}", requirements[:asked]),
            Group(LEGAL, requirements[asked:]),
        )
        return NamedClauses(question.cnf.number_of_variables, question.cnf.names, groups)


@dataclass(frozen=True)
class CoreCase:
    """The case that a core has a shape."""

    shape: str
    assumptions: tuple[str, ...] = (CORES,)

    @property
    def text(self) -> str:
        """The case in words."""
        return f"a core has the shape {self.shape}"

    def formula(self, bounds: Bounds) -> NamedClauses:
        """Write the formula of boards with at most so many units that have this case."""
        return CoreQuestion(shape_of(self.shape), bounds).formula()


AnyCase: TypeAlias = ClaimedCase | CoreCase


def require_none(question: OpenFormula, which: int = 0) -> None:
    """Require that there is no consistent resolution.

    Convoys are first set to be disrupted, then to what their equations say of that, and so on.

    The other equations have a solution each time; if the equations of convoys then said what was set, this were a resolution.
    """
    rulebook = question.bounds.rulebooks[which]
    convoys = question.convoys(rulebook)
    settings = dict.fromkeys(convoys, FALSE)
    for _ in range(rounds_of(question.bounds.most)):
        resolved = question.resolution(rulebook, settings).equations
        says = {convoy: resolved.convoy_equation(convoy) for convoy in convoys}
        question.cnf.require(*(question.differ(says[convoy], settings[convoy]) for convoy in convoys))
        settings = says


def require_several(question: OpenFormula) -> None:
    """Require two consistent resolutions: a move succeeds in the first and fails in the second.

    All else is a function of moves.
    """
    rulebook = question.bounds.rulebooks[0]
    one, other = question.resolution(rulebook), question.resolution(rulebook)
    moves = zip(one.moves.values(), other.moves.values(), strict=True)
    question.cnf.require(*(question.cnf.all_of((first, -second)) for first, second in moves))


def require_differing_convoys(question: OpenFormula, which: int = 0) -> None:
    """Require two resolutions: a convoy that some move is ordered to take is available in the first only."""
    rulebook = question.bounds.rulebooks[which]
    one, other = question.resolution(rulebook), question.resolution(rulebook)
    moves = [candidate for candidate in question.boards.counted(rulebook) if isinstance(candidate.order, Move)]
    found = []
    for convoy in question.convoys(rulebook):
        taken = question.cnf.any_of(move.given for move in moves if is_convoy_of(convoy, move))
        found.append(question.cnf.all_of((taken, one.convoys[convoy], -other.convoys[convoy])))
    question.cnf.require(*found)


NONE = ClaimedCase("the orders have no consistent resolution", require_none, (SETTINGS,))
SEVERAL = ClaimedCase("the orders have two consistent resolutions", require_several)
DIFFERING_CONVOYS = ClaimedCase(
    "two consistent resolutions differ about a convoy that some move is ordered to take", require_differing_convoys
)

RESOLUTION_GOALS: Mapping[str, tuple[ClaimedCase, ...]] = {
    "no-resolution": (NONE,),
    "several-resolutions": (SEVERAL,),
    "paradox": (NONE, DIFFERING_CONVOYS),
    "paradox and several-resolutions": (DIFFERING_CONVOYS,),
}
"""The goals about resolutions, with their cases. What has several resolutions has one: so the last is one case."""
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
"""The goals that certificates know; those about units may be joined."""


def paradoxes(rulebooks: Sequence[Rulebook]) -> Iterator[ClaimedCase]:
    """List the cases in which some of these rulebooks rule on a paradox."""
    for which, rulebook in enumerate(rulebooks):
        under = f" under {rulebook.name}" if len(rulebooks) > 1 else ""
        yield replace(NONE, text=NONE.text + under, require=partial(require_none, which=which))
        differing = partial(require_differing_convoys, which=which)
        yield replace(DIFFERING_CONVOYS, text=DIFFERING_CONVOYS.text + under, require=differing)


Wanted: TypeAlias = Callable[[OpenFormula, Sequence[Encoded]], Literal]


def outcome_cases(text: str, wanted: Wanted, rulebooks: Sequence[Rulebook]) -> tuple[ClaimedCase, ...]:
    """List the cases of a goal about the outcome under each rulebook: without a ruling, or with one."""

    def require(question: OpenFormula, *, ruled: bool) -> None:
        outcomes = [question.outcome(rulebook, ruled=ruled) for rulebook in question.bounds.rulebooks]
        question.cnf.require(wanted(question, outcomes))

    without = ClaimedCase(f"{text}, without a ruling on a paradox", partial(require, ruled=False), (RULINGS,))
    ruled = ClaimedCase(f"{text}, as a ruling may have it", partial(require, ruled=True), (RULINGS,))
    return without, *(paradox & ruled for paradox in paradoxes(rulebooks))


def cases_of(goal: str, bounds: Bounds) -> tuple[AnyCase, ...]:
    """List the cases of a goal.

    Raises `InputError` for one that certificates do not know, or that is of other rulebooks.
    """
    rulebooks = bounds.rulebooks
    name, _, argument = goal.partition(":")
    compared, _, aspect = argument.partition("=")
    if name in ("differs", "differs-legal") and "," in compared and aspect in DIFFERENCES:
        if ",".join(rulebook.name for rulebook in rulebooks) != compared or len(rulebooks) != 2:
            raise InputError(f"{goal} is not about the rulebooks of the claim")
        return outcome_cases(*DIFFERENCES[aspect], rulebooks)
    if len(rulebooks) != 1:
        raise InputError(f"{goal} is about one rulebook")
    if goal in RESOLUTION_GOALS:
        return RESOLUTION_GOALS[goal]
    if name == "core":
        check_rulebook(rulebooks[0])
        shape_of(argument)
        return (CoreCase(argument),)
    try:
        wish = WishParser(goal, bounds.map).whole()
    except InputError:
        suggestion = f"known are {', '.join(FORMS)}"
        raise InputError(f"certificates do not know the goal “{goal}”", suggestion=suggestion) from None
    return outcome_cases(f"{goal} in the end", lambda question, found: wish(question, found[0]), rulebooks)
