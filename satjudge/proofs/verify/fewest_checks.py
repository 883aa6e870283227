"""Verifies a certificate that no line with so few units meets a goal, except those that are listed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from satjudge.base.errors import InputError
from satjudge.base.words import number_of
from satjudge.proofs.verify.assumptions import CONDITION
from satjudge.proofs.verify.certificate import FewestClaim, Package
from satjudge.proofs.verify.checks import Verification, is_everywhere
from satjudge.proofs.verify.line_checks import line_of
from satjudge.proofs.verify.named_clauses import NamedClauses
from satjudge.proofs.verify.open_lines import Asked, formula, parse_goal
from satjudge.proofs.verify.reading import read_unit
from satjudge.proofs.verify.sieges import Line
from satjudge.world.geography import load_map
from satjudge.world.rules import load_rulebook


def asked_of(claim: FewestClaim) -> Asked:
    """Read the lines that a claim speaks of.

    Raises `InputError` if that cannot be read.
    """
    game_map = load_map(claim.map)
    return Asked(
        game_map,
        frozenset(claim.region),
        parse_goal(claim.goal, game_map),
        claim.feeds,
        claim.pockets,
        frozenset(read_unit(text, "", game_map).named for text in claim.missing),
        None if claim.out is None else frozenset(claim.out),
    )


def listed_lines(claim: FewestClaim, asked: Asked) -> list[Line]:
    """Read the lines that are listed.

    Raises `InputError` for one that is none; which rulebook it is makes no difference.
    """
    return [line_of(line, asked.map, (), (), load_rulebook()) for line in claim.lines]


def formula_of(claim: FewestClaim) -> NamedClauses:
    """Write the formula of a line that the claim says there is not.

    Raises `InputError`.
    """
    asked = asked_of(claim)
    stand = [line.board.unit_at.keys() for line in listed_lines(claim, asked)]
    most = min(claim.most, len(asked.region))  # no more can stand there
    return formula(asked, most, [provinces for provinces in stand if len(provinces) <= most])


class FewestVerification(Verification):
    """The checks of a certificate of the fewest units."""

    def __init__(self, package: Package, claim: FewestClaim) -> None:
        super().__init__(package)
        self.stated = claim

    @property
    def claim(self) -> str:
        """The claim of the certificate, with every condition."""
        stated = self.stated
        conditions = [
            *(["no more units than protected supply centres"] if stated.feeds else []),
            *([] if stated.pockets else ["no enemies cut off from the others"]),
        ]
        with_these = f" (lines with {' and '.join(conditions)})" if conditions else ""
        excepted = sum(len(line.units) <= stated.most for line in stated.lines)
        listed = f", but those that stand in {number_of(excepted, 'listed set')} of provinces" if excepted else ""
        return f"no line that stands still with at most {number_of(stated.most, 'unit')}{with_these} has {stated.goal}{listed}"

    @property
    def subject(self) -> Sequence[str]:
        """The places of lines, the possible enemies, and the lines that are listed."""
        stated = self.stated
        place = "anywhere" if is_everywhere(stated.region, stated.map) else f"in {', '.join(stated.region)}"
        enemies = ["enemies in every province outside"]
        if stated.missing:
            enemies.append(f"none of them {', '.join(stated.missing)}")
        if stated.out is not None:
            out = f"no units are built by {', '.join(stated.out)}" if stated.out else "all powers build units"
            enemies.append(f"{out}, and enemies come from where they are built, over provinces outside")
        return (
            f"lines are {place} on the map {stated.map}, against {'; '.join(enemies)}",
            *(f"{number_of(len(line.units), 'unit')} do: {', '.join(line.orders)}" for line in stated.lines),
        )

    @cached_property
    def asked(self) -> Asked:
        """The lines that are looked for."""
        return asked_of(self.stated)

    @property
    def steps(self) -> int:
        """The number of steps: that there is no such line is one."""
        return 1

    def parts(self) -> Sequence[tuple[str, Callable[[], str]]]:
        """List the checks by their names."""
        return (
            ("question", self._question),
            ("assumptions", lambda: self.check_assumptions(CONDITION)),
            ("lines", self._lines),
            ("no such line", self._refutation),
        )

    def _question(self) -> str:
        """Check that region, goal, number and enemies can be read."""
        asked = self.asked
        if self.stated.most < 0:
            raise InputError("there cannot be fewer units than none")
        if not asked.region:
            raise InputError("no province is told where lines are")
        if len(asked.region) < len(self.stated.region):
            raise InputError("a province is listed twice")
        return f"{number_of(len(asked.region), 'province')}, {number_of(len(asked.enemies), 'enemy unit')} that can exist"

    def _lines(self) -> str:
        """Check that each line that is listed meets the goal, and that no two stand in the same provinces."""
        lines = listed_lines(self.stated, self.asked)
        for line in lines:
            if problem := self.asked.problem_with(line):
                raise InputError(f"{', '.join(map(str, line.orders.values()))}: {problem}")
        if len({frozenset(line.board.unit_at) for line in lines}) < len(lines):
            raise InputError("two lines stand in the same provinces")
        return f"{len(lines)} listed, each has the goal"

    def _refutation(self) -> str:
        """Check that the clauses for another line, written anew, cannot all hold."""
        clauses = self.check_formula(0, formula_of(self.stated))
        steps = number_of(self.check_proved(0, clauses.clauses), "step")
        variables, several = number_of(clauses.size, "variable"), number_of(len(clauses.clauses), "clause")
        return f"{variables} and {several} cannot all hold: proved in {steps}"
