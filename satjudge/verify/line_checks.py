"""Verifies a certificate of a line: that no enemies bring a unit into a province that it protects."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TypeVar

from satjudge.board import Board
from satjudge.errors import InputError, SatjudgeError
from satjudge.geography import Map, ProvinceCode, UnitKind, load_map
from satjudge.notation.parse import parse_order, parse_unit
from satjudge.orders import MovementOrder, Named
from satjudge.verify.assumptions import ENEMIES, SIEGE
from satjudge.verify.bridge import DEFINED, REQUIRED
from satjudge.verify.certificate import LineClaim, Package
from satjudge.verify.checks import Verification
from satjudge.verify.named_clauses import NamedClauses
from satjudge.verify.position import rulebook_of
from satjudge.verify.sieges import Bound, Line, possible_enemies
from satjudge.words import in_short, number_of

T = TypeVar("T")

OWN = "LINE"
"""The one power of which the units of a line are taken to be."""


def read_line(claim: LineClaim) -> Line:
    """A line as values. Raises `InputError` for what is none."""
    game_map = load_map(claim.map)
    board = Board(tuple(parse_unit(text, OWN, game_map) for text in claim.units), map=game_map)
    if len(board.unit_at) < len(board.units):
        raise InputError("two units of the line stand in one province")
    for unit in board.units:
        if problem := game_map.problem_with(unit.kind, unit.location):
            raise InputError(problem)
    orders = [_order(text, game_map) for text in claim.orders]
    if sorted(order.unit.province for order in orders) != sorted(board.unit_at):
        raise InputError("not every unit of the line has one order")
    if unknown := set(claim.protected) - game_map.provinces.keys():
        raise InputError(f"there is no province {min(unknown)} on this map")
    enemies = [_enemy(text, game_map) for text in claim.enemies]
    return Line(
        board,
        {order.unit.province: order for order in orders},
        frozenset(claim.protected),
        enemies,
        tuple(_bounds(claim, enemies)),
        rulebook_of(claim.rulebook),
    )


def _order(text: str, game_map: Map) -> MovementOrder:
    order = parse_order(text, game_map)
    if not isinstance(order, MovementOrder):
        raise InputError(f"“{text}” is no order to a unit of the line")
    return order


def _enemy(text: str, game_map: Map) -> Named:
    return parse_unit(text, "", game_map).named


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
    """The enemy units that could stand outside the protected provinces, and are taken not to exist."""
    enemies = set(line.enemies)
    return sorted(str(enemy) for enemy in possible_enemies(line.board.map, line.protected) if enemy not in enemies)


def rests_on(claim: LineClaim, line: Line) -> list[str]:
    """The assumptions of a claim: that no other enemies exist is one wherever some are ruled out."""
    return [SIEGE, ENEMIES] if absent_enemies(line) or claim.fleets is not None or claim.limits else [SIEGE]


class LineVerification(Verification):
    """The checks of a certificate of a line."""

    def __init__(self, package: Package, claim: LineClaim) -> None:
        super().__init__(package)
        self.stated = claim

    @property
    def claim(self) -> str:
        """What the certificate claims, with every condition."""
        stated = self.stated
        conditions = [f"at most {number_of(stated.most, 'enemy', 'enemies')}"]
        if stated.fleets is not None:
            conditions.append(f"at most {number_of(stated.fleets, 'fleet')} of them")
        conditions += (f"at most {limit.most} of {in_short(limit.units)}" for limit in stated.limits)
        if stated.restrictions:
            conditions.append(f"of enemies the order sheet says: {'; '.join(stated.restrictions)}")
        repeat = "unit of the line repeats its order" if len(stated.units) == 1 else "units of the line repeat their orders"
        provinces = ", ".join(stated.protected)
        return f"no enemy from outside ever enters {provinces} while {len(stated.units)} {repeat} ({'; '.join(conditions)})"

    @property
    def subject(self) -> Sequence[str]:
        """The units of the line, with their orders."""
        return (f"{', '.join(self.stated.orders)}",)

    @cached_property
    def line(self) -> Line:
        """The line. Raises `InputError` if it is none."""
        return read_line(self.stated)

    @cached_property
    def sieges(self) -> dict[str, NamedClauses]:
        """By each province that enemies touch what the second encoder says of an attack on it."""
        found = ((province, self.line.siege(province)) for province in sorted(self.line.protected))
        return {province: formula for province, formula in found if formula is not None}

    @property
    def steps(self) -> int:
        """Two for each province that enemies touch: a formula, and the bridge to it."""
        return 2 * len(self.sieges)

    def parts(self) -> Sequence[tuple[str, Callable[[], str]]]:
        """The checks by their names."""
        return (
            ("line", self._line),
            ("enemies", self._enemies),
            ("assumptions", lambda: self.check_assumptions(*rests_on(self.stated, self.line))),
            ("provinces", self._provinces),
            ("formulas", self._formulas),
            ("both encoders", self._bridges),
            ("no attack", self._refutations),
        )

    def _line(self) -> str:
        """The units hold and support each other, and stand in protected provinces."""
        line = self.line
        units, provinces = number_of(len(line.board.units), "unit"), number_of(len(line.protected), "protected province")
        return f"{units}, {provinces}, rulebook {line.rulebook.name}"

    def _enemies(self) -> str:
        """Where nothing is said to restrict them, enemies can be wherever they can stand outside the protected provinces."""
        everywhere, missing = possible_enemies(self.line.board.map, self.line.protected), absent_enemies(self.line)
        if len(set(self.line.enemies)) < len(self.line.enemies):
            raise InputError("an enemy is listed twice")
        if missing and not any(self.stated.restrictions):
            raise InputError(f"nothing says why there can be no enemy {in_short(missing)}")
        if self.stated.limits and not any(self.stated.restrictions):
            raise InputError("nothing says why there can be no more of some enemies")
        if not missing:
            return f"all {len(everywhere)} that can stand outside"
        left = f"{len(everywhere) - len(missing)} of {len(everywhere)} that can stand outside"
        return f"{left}; that these others do not exist is an assumption: {', '.join(missing)}"

    def _provinces(self) -> str:
        """The provinces that no enemy can reach are those that no enemy touches."""
        unreachable = sorted(self.line.protected - self.sieges.keys())
        if self.stated.unreachable != unreachable:
            raise InputError("the provinces that no enemy touches are not those that are listed")
        return f"enemies touch {len(self.sieges)}; {len(unreachable)} they do not"

    @cached_property
    def _first(self) -> dict[str, NamedClauses]:
        """By each province that enemies touch what the first encoder says of an attack on it."""
        return dict(self._each(lambda number, province: self.first_formula(2 * number, (DEFINED, REQUIRED))))

    def _formulas(self) -> str:
        """The formulas of the first encoder define what they do not require."""
        if len(self.certificate.steps) != self.steps:  # of a line that nobody touches no step is asked for
            raise InputError(f"it has {len(self.certificate.steps)} steps, not {self.steps}")
        variables = sum(formula.size for formula in self._first.values())
        clauses = sum(len(formula.clauses) for formula in self._first.values())
        return f"{number_of(len(self._first), 'formula')}, {variables} variables, {clauses} clauses"

    def _bridges(self) -> str:
        """For each province what the second encoder requires of an attack implies what the first does."""

        def steps(number: int, province: ProvinceCode) -> int:
            return self.check_bridge(2 * number + 1, self.sieges[province], self._first[province])

        return f"the second implies the first, province by province: proved in {sum(self._each_number(steps))} steps"

    def _refutations(self) -> str:
        """No attack on any province satisfies the formula."""

        def steps(number: int, province: ProvinceCode) -> int:
            return self.check_proved(2 * number, self._first[province].clauses)

        return f"no attack enters any of them: proved in {sum(self._each_number(steps))} steps"

    def _each(self, found: Callable[[int, ProvinceCode], T]) -> Iterator[tuple[ProvinceCode, T]]:
        """What is found of each province that enemies touch. Raises `InputError`, which names it."""
        for number, province in enumerate(self.sieges):
            try:
                yield province, found(number, province)
            except SatjudgeError as error:
                raise InputError(f"{province}: {error}") from None

    def _each_number(self, found: Callable[[int, ProvinceCode], int]) -> Iterator[int]:
        return (number for _, number in self._each(found))
