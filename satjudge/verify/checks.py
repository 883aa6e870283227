"""Verifies a certificate: what each check looked at, and whether it holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from satjudge.errors import InputError, SatjudgeError
from satjudge.verify.assumptions import LEGALITY
from satjudge.verify.bridge import DEFINED, REQUIRED, TRUE, bridge
from satjudge.verify.certificate import Package, Resolution, Step, lines_of
from satjudge.verify.conservative import check_definitions
from satjudge.verify.lrat import check_proof
from satjudge.verify.named_clauses import Clause, NamedClauses, read_clauses
from satjudge.verify.position import ReadPosition
from satjudge.words import number_of

EXCLUDED = "the resolutions that are listed are excluded"
TRUTH, MOVE = "TRUE", "MOVE "
"""How variables are called, or begin, that both encoders have."""
COMPLETE, BRIDGE = range(2)
"""The steps of a certificate of resolutions, by number."""


@dataclass(frozen=True, slots=True)
class Check:
    """One check, and what it found. `problem` is empty if it holds."""

    name: str
    found: str
    problem: str = ""


class Verification:
    """The checks of one certificate, that of a claim that its resolutions are all that there are."""

    def __init__(self, package: Package) -> None:
        self.package = package
        self.certificate = package.certificate
        self.position = ReadPosition(self.certificate.position)

    @property
    def claim(self) -> str:
        """What the certificate claims."""
        found = number_of(len(self.certificate.resolutions), "consistent resolution")
        return f"the position has {found}, and no other"

    def checks(self) -> Iterator[Check]:
        """Every check, until one fails on which others rest."""
        for name, check in (
            ("assumptions", self._assumptions),
            ("position", self._position),
            ("resolutions", self._resolutions),
            ("formula", self._formula),
            ("both encoders", self._bridge),
            ("completeness", self._completeness),
        ):
            done = _checked(name, check)
            yield done
            if done.problem:
                return

    def _assumptions(self) -> str:
        """What the claim rests on is what claims of its kind may rest on."""
        if self.certificate.assumptions != [LEGALITY]:
            raise InputError(f"it rests on other assumptions than “{LEGALITY}”")
        return number_of(1, "assumption")

    def _position(self) -> str:
        """The units, orders and rulebook can be read."""
        position = self.position
        units, orders = number_of(len(position.board.units), "unit"), number_of(len(position.by_province), "order")
        return f"{units}, {orders}, rulebook {position.rulebook.name}"

    def _resolutions(self) -> str:
        """Each resolution that is listed satisfies the equations of the second encoder, and no two are the same."""
        clauses, literals = self.position.second
        listed = self.certificate.resolutions
        for number, resolution in enumerate(listed, 1):
            if resolution.succeeds.keys() != literals.keys():
                raise InputError(f"resolution {number} does not speak of the orders of the position")
            if not satisfied(clauses, literals, resolution):
                raise InputError(f"resolution {number} is not consistent")
        if len({tuple(sorted(one.succeeds.items())) for one in listed}) < len(listed):
            raise InputError("a resolution is listed twice")
        return f"{len(listed)} listed, each satisfies the equations"

    def _formula(self) -> str:
        """The formula of the first encoder defines what it does not require, and excludes what is listed and nothing else."""
        formula = self._formula_of(COMPLETE)
        check_definitions(formula.group(DEFINED), formula.names.keys() - {TRUE})
        shared = (name for name in self.position.second[0].names.values() if name == TRUTH or name.startswith(MOVE))
        if sorted(formula.names.values()) != sorted(shared):
            raise InputError("it does not speak of the moves of the position")
        if list(formula.group(EXCLUDED)) != excluded(formula.names, self.certificate.resolutions):
            raise InputError("what is excluded is not what is listed")
        if [group.meaning for group in formula.groups] != [DEFINED, REQUIRED, EXCLUDED]:
            raise InputError("it has other groups of clauses than it may have")
        return f"{formula.size} variables, {len(formula.clauses)} clauses"

    def _bridge(self) -> str:
        """The equations of the second encoder imply those of the first."""
        expected = bridge(self.position.second[0], self._formula_of(COMPLETE))
        if lines_of(self.package.text(self._step(BRIDGE).formula)) != list(expected.lines()):
            raise InputError("its clauses are not those of the two encoders")
        return f"the second implies the first: {self._proved(BRIDGE, expected.clauses)}"

    def _completeness(self) -> str:
        """No other resolution satisfies the formula."""
        return f"there is no other resolution: {self._proved(COMPLETE, self._formula_of(COMPLETE).clauses)}"

    def _step(self, number: int) -> Step:
        if len(self.certificate.steps) != 2:
            raise InputError(f"it has {len(self.certificate.steps)} steps, not 2")
        return self.certificate.steps[number]

    def _formula_of(self, number: int) -> NamedClauses:
        step = self._step(number)
        try:
            return read_clauses(lines_of(self.package.text(step.formula)))
        except InputError as error:
            raise InputError(f"{step.formula.name}: {error}") from None

    def _proved(self, number: int, clauses: Iterable[Clause]) -> str:
        step = self._step(number)
        steps = check_proof(list(clauses), lines_of(self.package.text(step.proof)))
        return f"proved in {steps} steps"


def _checked(name: str, check: Callable[[], str]) -> Check:
    try:
        return Check(name, check())
    except SatjudgeError as error:
        return Check(name, "", str(error))


def excluded(names: Mapping[int, str], resolutions: Iterable[Resolution]) -> list[Clause]:
    """A clause for each resolution, which only this one does not satisfy: some move ends otherwise."""
    moves = {variable: name.removeprefix(MOVE) for variable, name in sorted(names.items()) if name.startswith(MOVE)}
    return [tuple(-v if one.succeeds.get(order) else v for v, order in moves.items()) or (-TRUE,) for one in resolutions]


def satisfied(clauses: NamedClauses, literals: Mapping[str, int], resolution: Resolution) -> bool:
    """Whether the clauses hold where the orders succeed as a resolution says: units follow, until every clause is satisfied."""
    true = {literal if resolution.succeeds[order] else -literal for order, literal in literals.items()}
    if any(-literal in true for literal in true):  # one literal may stand for several orders
        return False
    left = clauses.clauses
    while left:
        before, still = len(true), []
        for clause in left:
            if not true.isdisjoint(clause):
                continue
            undecided = [literal for literal in clause if -literal not in true]
            if not undecided:
                return False
            if len(undecided) == 1:
                true.add(undecided[0])
            else:
                still.append(clause)
        if len(true) == before:
            return not still
        left = still
    return True
