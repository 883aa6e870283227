"""Verifies a certificate of a line: that no enemies bring a unit into a province that it protects."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TypeVar

from satjudge.base.errors import InputError, SatjudgeError
from satjudge.base.words import in_short, number_of, quoted
from satjudge.proofs.verify.assumptions import ENEMIES, SIEGE
from satjudge.proofs.verify.certificate import LineClaim, ListedLine, Package
from satjudge.proofs.verify.checks import Verification
from satjudge.proofs.verify.named_clauses import NamedClauses
from satjudge.proofs.verify.position import rulebook_of, rules_in_words
from satjudge.proofs.verify.reading import read_order, read_unit
from satjudge.proofs.verify.sieges import Bound, Line, possible_enemies
from satjudge.world.board import Board
from satjudge.world.geography import Map, UnitKind, load_map
from satjudge.world.orders import Named
from satjudge.world.rules import Rulebook

T = TypeVar("T")

OWN = "LINE"
"""The one power that the units of a line are taken to have."""


def read_line(claim: LineClaim) -> Line:
    """Read a line.

    Raises `InputError` for what is none.
    """
    game_map = load_map(claim.map)
    enemies = [read_unit(text, "", game_map).named for text in claim.enemies]
    return line_of(claim, game_map, enemies, tuple(_bounds(claim, enemies)), rulebook_of(claim.rulebook))


def line_of(
    stated: LineClaim | ListedLine, game_map: Map, enemies: Sequence[Named], bounds: Sequence[Bound], rulebook: Rulebook
) -> Line:
    """Read the units, orders and protected provinces of a line, against these enemies.

    Raises `InputError` for what is none.
    """
    board = Board(tuple(read_unit(text, OWN, game_map) for text in stated.units), map=game_map)
    if len(board.unit_at) < len(board.units):
        raise InputError("two units of the line stand in one province")
    for unit in board.units:
        if problem := game_map.problem_with(unit.kind, unit.location):
            raise InputError(problem)
    orders = [read_order(text, board) for text in stated.orders]
    if sorted(order.unit.province for order in orders) != sorted(board.unit_at):
        raise InputError("not every unit of the line has one order")
    if unknown := set(stated.protected) - game_map.provinces.keys():
        raise InputError(f"there is no province {min(unknown)} on this map")
    if len(set(stated.protected)) < len(stated.protected):
        raise InputError("a protected province is listed twice")
    by_province = {order.unit.province: order for order in orders}
    return Line(board, by_province, frozenset(stated.protected), enemies, bounds, rulebook)


def _bounds(claim: LineClaim, enemies: Sequence[Named]) -> Iterator[Bound]:
    if min((claim.most, claim.fleets or 0, *(limit.most for limit in claim.limits))) < 0:
        raise InputError("there cannot be fewer enemies than none")
    yield Bound(claim.most, frozenset(enemies))
    if claim.fleets is not None:
        yield Bound(claim.fleets, frozenset(enemy for enemy in enemies if enemy.kind is UnitKind.FLEET))
    by_name = {str(enemy): enemy for enemy in enemies}
    for limit in claim.limits:
        if unknown := set(limit.units) - by_name.keys():
            raise InputError(f"{min(unknown)} is among those of whom there are at most {limit.most}, but not among the enemies")
        yield Bound(limit.most, frozenset(by_name[name] for name in limit.units))


def absent_enemies(line: Line) -> list[str]:
    """List the enemy units that could stand outside the protected provinces, and are taken not to exist."""
    enemies = set(line.enemies)
    return sorted(str(enemy) for enemy in possible_enemies(line.board.map, line.protected) if enemy not in enemies)


def rests_on(claim: LineClaim, line: Line) -> list[str]:
    """List the assumptions of a claim: that no other enemies exist is one wherever some are ruled out."""
    return [SIEGE, ENEMIES] if absent_enemies(line) or claim.fleets is not None or claim.limits else [SIEGE]


class LineVerification(Verification):
    """The checks of a certificate of a line."""

    def __init__(self, package: Package, claim: LineClaim) -> None:
        super().__init__(package)
        self.stated = claim

    @property
    def claim(self) -> str:
        """The claim of the certificate, with every condition."""
        stated = self.stated
        conditions = [f"at most {number_of(stated.most, 'enemy', 'enemies')}"]
        if stated.fleets is not None:
            conditions.append(f"at most {number_of(stated.fleets, 'fleet')} of them")
        conditions += (f"at most {limit.most} of {', '.join(limit.units)}" for limit in stated.limits)
        if stated.restrictions:
            said = "; ".join(map(quoted, stated.restrictions))
            conditions.append(f"of enemies the order sheet says, which is not verified: {said}")
        repeat = "unit of the line repeats its order" if len(stated.units) == 1 else "units of the line repeat their orders"
        provinces = ", ".join(stated.protected)
        return f"no enemy from outside ever enters {provinces} while {len(stated.units)} {repeat} ({'; '.join(conditions)})"

    @property
    def subject(self) -> Sequence[str]:
        """The map and the rulebook, and the units of the line with their orders."""
        stated = self.stated
        return f"map {stated.map}, rulebook {rules_in_words(stated.rulebook)}", ", ".join(stated.orders)

    @cached_property
    def line(self) -> Line:
        """The line.

        Raises `InputError` if it is none.
        """
        return read_line(self.stated)

    @property
    def steps(self) -> int:
        """The number of steps: one for each province that enemies touch."""
        return len(self.line.sieges)

    def parts(self) -> Sequence[tuple[str, Callable[[], str]]]:
        """List the checks by their names."""
        return (
            ("line", self._line),
            ("enemies", self._enemies),
            ("assumptions", lambda: self.check_assumptions(*rests_on(self.stated, self.line))),
            ("provinces", self._provinces),
            ("formulas", self._formulas),
            ("no attack", self._refutations),
        )

    def _line(self) -> str:
        """Check that the units hold and support each other, and stand in protected provinces."""
        line = self.line
        units, provinces = number_of(len(line.board.units), "unit"), number_of(len(line.protected), "protected province")
        return f"{units}, {provinces}, rulebook {line.rulebook.name}"

    def _enemies(self) -> str:
        """Check that unrestricted enemies can be wherever they can stand outside the protected provinces."""
        everywhere, missing = possible_enemies(self.line.board.map, self.line.protected), absent_enemies(self.line)
        if len(set(self.line.enemies)) < len(self.line.enemies):
            raise InputError("an enemy is listed twice")
        if not all(map(str.strip, self.stated.restrictions)):
            raise InputError("a restriction of enemies says nothing")
        if missing and not self.stated.restrictions:
            raise InputError(f"nothing says why there can be no enemy {in_short(missing)}")
        if self.stated.limits and not self.stated.restrictions:
            raise InputError("nothing says why there can be no more of some enemies")
        if not missing:
            return f"all {len(everywhere)} that can stand outside"
        left = f"{len(everywhere) - len(missing)} of {len(everywhere)} that can stand outside"
        return f"{left}; that these others do not exist is an assumption: {', '.join(missing)}"

    def _provinces(self) -> str:
        """Check that the provinces that no enemy can reach are those that no enemy touches."""
        unreachable = sorted(self.line.protected - self.line.sieges.keys())
        if self.stated.unreachable != unreachable:
            raise InputError("the provinces that no enemy touches are not those that are listed")
        return f"enemies touch {len(self.line.sieges)}; {len(unreachable)} they do not"

    def _formulas(self) -> str:
        """Check that the clauses are what an attack on each of these provinces satisfies, by the second encoder."""
        if len(self.certificate.steps) != self.steps:  # of a line that nobody touches no step is asked for
            raise InputError(f"it has {len(self.certificate.steps)} steps, not {self.steps}")
        formulas = [*self._each(self.check_formula)]
        variables = sum(formula.size for formula in formulas)
        clauses = sum(len(formula.clauses) for formula in formulas)
        return f"{number_of(len(formulas), 'formula')}, {number_of(variables, 'variable')}, {number_of(clauses, 'clause')}"

    def _refutations(self) -> str:
        """Check that no attack on any province satisfies the formula."""
        steps = sum(self._each(lambda number, formula: self.check_proved(number, formula.clauses)))
        return f"no attack enters any of them: proved in {number_of(steps, 'step')}"

    def _each(self, found: Callable[[int, NamedClauses], T]) -> Iterator[T]:
        """Apply a check to the formula of each province that enemies touch. Raises `InputError`, which names it."""
        for number, (province, formula) in enumerate(self.line.sieges.items()):
            try:
                yield found(number, formula)
            except SatjudgeError as error:
                raise InputError(f"{province}: {error}") from None
