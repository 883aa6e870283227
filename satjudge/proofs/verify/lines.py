"""Verifies certificates of lines, with formulas for attacks that enter a protected province.

The second encoder writes the formula, from docs/background/lines.md alone.

A formula covers only the orders described in “Why it is enough to look at few orders”. No other attack does better, by the
assumption `SIEGE` (satjudge/proofs/verify/certificate.py).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, groupby
from typing import TypeVar

from satjudge.base.errors import InputError, SatjudgeError
from satjudge.base.words import join_first_names, number_of, quote_text
from satjudge.proofs.verify.certificate import ENEMIES, SIEGE, CertificateFile, ClauseGroup, LineClaim, ListedLine, NamedClauses
from satjudge.proofs.verify.checks import Verification
from satjudge.proofs.verify.positions import DEFINED_SECOND, EQUATIONS, describe_rulebook, read_order, read_rulebook, read_unit
from satjudge.proofs.verify.second_encoder import FALSE, TRUE, Candidate, Cnf, Literal, encode_equations
from satjudge.world.board import Board
from satjudge.world.geography import Location, Map, ProvinceCode, UnitKind, load_map, province_of
from satjudge.world.orders import Hold, Move, MovementOrder, Named, SupportHold, SupportMove
from satjudge.world.rules import Rulebook

ORDER = "ORDER "
"""The prefix of the variables for the enemies' orders."""
ONE_ORDER = "no two orders for one province, no support without its move"
BOUNDS = "no more enemies than there can be"
ENTERS = "some move into the province succeeds"


@dataclass(frozen=True, slots=True)
class Bound:
    """A limit on how many of some enemy units can exist at a time."""

    most: int
    enemies: frozenset[Named]


@dataclass(frozen=True)
class Line:
    """Units that hold or support each other in place, the provinces that they protect, and possible enemies.

    Raises `InputError` for any other line.
    """

    board: Board
    orders: Mapping[ProvinceCode, MovementOrder]
    protected: frozenset[ProvinceCode]
    enemies: Sequence[Named]
    bounds: Sequence[Bound]
    rulebook: Rulebook

    def __post_init__(self) -> None:
        game_map = self.board.map
        if game_map.own_rules:
            raise InputError(f"lines on a map with {', '.join(game_map.own_rules)} have no certificates")
        if unprotected := self.board.unit_at.keys() - self.protected:
            raise InputError(f"the line does not protect {min(unprotected)}, where it has a unit")
        for order in self.orders.values():
            self._check_order(order)
        if outside := set(self.enemies) - set(list_possible_enemies(game_map, self.protected)):
            raise InputError(f"no enemy unit can be {min(map(str, outside))} on this map")

    def _check_order(self, order: MovementOrder) -> None:
        """Raise `InputError` unless a unit of the line is to hold, or to support an adjacent one to hold (4.D.4)."""
        unit = self.board.unit_at.get(order.unit.province)
        if unit is None or unit.named != order.unit:
            raise InputError(f"“{order}” is not an order to a unit of the line")
        if isinstance(order, Hold):
            return
        if not isinstance(order, SupportHold):
            raise InputError(f"“{order}”: units of a line can only hold or support each other to hold")
        province = order.supported.province
        if province not in self.board.unit_at or not _list_ways(self.board.map, order.unit, province):
            raise InputError(f"“{order}”: there is no such unit next to it")

    @cached_property
    def supporters(self) -> Mapping[ProvinceCode, frozenset[ProvinceCode]]:
        """The provinces of the units that support each unit of the line, by the province of the supported unit."""
        supports = [order for order in self.orders.values() if isinstance(order, SupportHold)]
        return {
            province: frozenset(order.unit.province for order in supports if order.supported.province == province)
            for province in self.board.unit_at
        }

    def list_moves_into(self, provinces: Collection[ProvinceCode]) -> list[Move]:
        """List every enemy move by land or water into these provinces."""
        return [
            Move(enemy, destination)
            for enemy in self.enemies
            for destination in sorted(self.board.map.exits(_kind(enemy), enemy.location))
            if province_of(destination) in provinces
        ]

    def list_supports(self, moves: Iterable[Move]) -> list[SupportMove]:
        """List the enemies' supports of these moves, leaving out supports that cannot matter.

        The units could swap the move and the support, so it is enough if the alphabetically first province moves.
        """
        return [
            SupportMove(enemy, move.unit, move.destination)
            for move in moves
            for enemy in self.enemies
            if enemy.province > move.unit.province and _list_ways(self.board.map, enemy, province_of(move.destination))
        ]

    def list_orders_against(self, province: ProvinceCode) -> list[MovementOrder]:
        """List enemy moves into a province, their supports, and moves to its supporters; none if no enemy can move there."""
        attacks = self.list_moves_into({province})
        cuts = self.list_moves_into(self.supporters.get(province, frozenset())) if attacks else []
        return [*attacks, *cuts, *self.list_supports(attacks)]

    @cached_property
    def sieges(self) -> Mapping[ProvinceCode, NamedClauses]:
        """For each protected province that enemies can move to, the clauses of a successful attack on it."""
        found = ((province, self.make_siege(province)) for province in sorted(self.protected))
        return {province: formula for province, formula in found if formula is not None}

    def make_siege(self, province: ProvinceCode) -> NamedClauses | None:
        """Make the clauses of a successful attack on a protected province; return None if no enemy can move there."""
        orders = self.list_orders_against(province)
        if not orders:
            return None
        cnf = Cnf()
        given = {order: cnf.add_input(f"{ORDER}{order}") for order in orders}
        candidates = {order: Candidate(order, literal) for order, literal in given.items()}
        own = [Candidate(order, TRUE) for order in self.orders.values() if not isinstance(order, Hold)]
        encoded = encode_equations(
            cnf,
            [*own, *candidates.values()],
            game_map=self.board.map,
            rulebook=self.rulebook,
            occupied={**self._find_occupancy(cnf, given), **dict.fromkeys(self.board.unit_at, TRUE)},
            same_power=lambda one, other: TRUE if {one, other} <= self.board.unit_at.keys() else FALSE,
        )
        parts = _FormulaParts(cnf)
        parts.end_group(EQUATIONS)
        self._require_one_order(cnf, given)
        parts.end_group(ONE_ORDER)
        self._require_bounds(cnf, given)
        parts.end_group(BOUNDS)
        cnf.require(*(encoded.moves[candidates[move]] for move in self.list_moves_into({province})))
        parts.end_group(ENTERS)
        groups = (ClauseGroup(DEFINED_SECOND, cnf.definitions), *parts.groups)
        return NamedClauses(cnf.number_of_variables, cnf.names, groups)

    def _find_occupancy(self, cnf: Cnf, order_literals: Mapping[MovementOrder, Literal]) -> Mapping[ProvinceCode, Literal]:
        """Return by province the literal that is true if an enemy there is given one of the orders."""
        return {province: cnf.any_of(literals) for province, literals in _group_by_province(order_literals).items()}

    def _require_one_order(self, cnf: Cnf, order_literals: Mapping[MovementOrder, Literal]) -> None:
        for literals in _group_by_province(order_literals).values():
            for one, other in combinations(literals, 2):
                cnf.require(-one, -other)
        for order, literal in order_literals.items():
            if isinstance(order, SupportMove):
                cnf.require(-literal, order_literals[Move(order.supported, order.destination)])

    def _require_bounds(self, cnf: Cnf, order_literals: Mapping[MovementOrder, Literal]) -> None:
        """Require, for each of the line's bounds, that at most `bound.most` of its enemies are given orders."""
        for bound in self.bounds:
            bounded = {order: literal for order, literal in order_literals.items() if order.unit in bound.enemies}
            occupied = [cnf.any_of(literals) for literals in _group_by_province(bounded).values()]
            cnf.require(-cnf.at_least(bound.most + 1, occupied))


class _FormulaParts:
    """The requirements of a formula, collected in groups."""

    def __init__(self, cnf: Cnf) -> None:
        self.cnf = cnf
        self.groups: list[ClauseGroup] = []
        self.ended = 0

    def end_group(self, meaning: str) -> None:
        """Collect the requirements added since the last group into a new clause group described by `meaning`."""
        self.groups.append(ClauseGroup(meaning, self.cnf.requirements[self.ended :]))
        self.ended = len(self.cnf.requirements)


def list_possible_enemies(game_map: Map, protected: Collection[ProvinceCode]) -> list[Named]:
    """List every unit that could stand outside the protected provinces, with one fleet for each coast."""
    places: Sequence[Location] = sorted({*game_map.provinces, *game_map.fleet})
    return [
        Named(kind, place)
        for kind in UnitKind
        for place in places
        if province_of(place) not in protected and game_map.problem_with(kind, place) is None
    ]


def _kind(unit: Named) -> UnitKind:
    assert unit.kind is not None
    return unit.kind


def _list_ways(game_map: Map, unit: Named, province: ProvinceCode) -> list[Location]:
    """List the locations in a province to which a unit could move without a convoy."""
    return [place for place in game_map.exits(_kind(unit), unit.location) if province_of(place) == province]


def _group_by_province(order_literals: Mapping[MovementOrder, Literal]) -> dict[ProvinceCode, list[Literal]]:
    """Return the orders' literals by the province of the ordered unit, sorted by province."""
    ordered = sorted(order_literals.items(), key=lambda entry: entry[0].unit.province)
    return {
        province: [literal for _, literal in entries]
        for province, entries in groupby(ordered, key=lambda entry: entry[0].unit.province)
    }


# ---- the verification of a certificate ----

T = TypeVar("T")

OWN = "LINE"
"""The power to which the units of a line are assigned."""


def read_line(claim: LineClaim) -> Line:
    """Parse the stalemate line of a claim, its possible enemies and their limits; raises `InputError` if it is not valid."""
    game_map = load_map(claim.map)
    enemies = [read_unit(text, "", game_map).named for text in claim.enemies]
    return make_line(claim, game_map, enemies, tuple(_iter_bounds(claim, enemies)), read_rulebook(claim.rulebook))


def make_line(
    line_claim: LineClaim | ListedLine, game_map: Map, enemies: Sequence[Named], bounds: Sequence[Bound], rulebook: Rulebook
) -> Line:
    """Make a line from the claim's texts of units and orders, and its protected provinces, with the given enemies and bounds.

    Raises `InputError` if it is not valid.
    """
    board = Board(tuple(read_unit(text, OWN, game_map) for text in line_claim.units), map=game_map)
    if len(board.unit_at) < len(board.units):
        raise InputError("two units of the line are in one province")
    for unit in board.units:
        if problem := game_map.problem_with(unit.kind, unit.location):
            raise InputError(problem)
    orders = [read_order(text, board) for text in line_claim.orders]
    if sorted(order.unit.province for order in orders) != sorted(board.unit_at):
        raise InputError("each unit of the line must have exactly one order")
    if unknown := set(line_claim.protected) - game_map.provinces.keys():
        raise InputError(f"there is no province {min(unknown)} on this map")
    if len(set(line_claim.protected)) < len(line_claim.protected):
        raise InputError("a protected province is listed twice")
    by_province = {order.unit.province: order for order in orders}
    return Line(board, by_province, frozenset(line_claim.protected), enemies, bounds, rulebook)


def _iter_bounds(claim: LineClaim, enemies: Sequence[Named]) -> Iterator[Bound]:
    if min((claim.most, claim.fleets or 0, *(limit.most for limit in claim.limits))) < 0:
        raise InputError("the number of enemies cannot be negative")
    yield Bound(claim.most, frozenset(enemies))
    if claim.fleets is not None:
        yield Bound(claim.fleets, frozenset(enemy for enemy in enemies if enemy.kind is UnitKind.FLEET))
    by_name = {str(enemy): enemy for enemy in enemies}
    for limit in claim.limits:
        if unknown := set(limit.units) - by_name.keys():
            raise InputError(f"the number of {min(unknown)} is limited to {limit.most}, but it is not one of the enemies")
        yield Bound(limit.most, frozenset(by_name[name] for name in limit.units))


def list_absent_enemies(line: Line) -> list[str]:
    """Return the enemy units, as texts, that could stand outside the protected provinces but are assumed not to exist."""
    enemies = set(line.enemies)
    return sorted(str(enemy) for enemy in list_possible_enemies(line.board.map, line.protected) if enemy not in enemies)


def list_assumptions(claim: LineClaim, line: Line) -> list[str]:
    """Return a claim's assumptions by name: `SIEGE`, and `ENEMIES` unless all enemies may exist, limited only in total."""
    return [SIEGE, ENEMIES] if list_absent_enemies(line) or claim.fleets is not None or claim.limits else [SIEGE]


class LineVerification(Verification):
    """The checks of a certificate of a line."""

    def __init__(self, package: CertificateFile, claim: LineClaim) -> None:
        super().__init__(package)
        self.stated = claim

    @property
    def claim(self) -> str:
        """The claim of the certificate in words, with every condition on the enemies."""
        stated = self.stated
        conditions = [f"at most {number_of(stated.most, 'enemy', 'enemies')}"]
        if stated.fleets is not None:
            conditions.append(f"at most {number_of(stated.fleets, 'fleet')} of them")
        conditions += (f"at most {limit.most} of {', '.join(limit.units)}" for limit in stated.limits)
        if stated.restrictions:
            text = "; ".join(map(quote_text, stated.restrictions))
            conditions.append(f"of enemies the order sheet says, which is not verified: {text}")
        repeat = "unit of the line repeats its order" if len(stated.units) == 1 else "units of the line repeat their orders"
        provinces = ", ".join(stated.protected)
        return f"no enemy from outside ever enters {provinces} while {len(stated.units)} {repeat} ({'; '.join(conditions)})"

    @property
    def subject(self) -> Sequence[str]:
        """The lines of text with the map and the rulebook, and with the orders of the line."""
        stated = self.stated
        return f"map {stated.map}, rulebook {describe_rulebook(stated.rulebook)}", ", ".join(stated.orders)

    @cached_property
    def line(self) -> Line:
        """The line of the claim, parsed; raises `InputError` if it is not valid."""
        return read_line(self.stated)

    @property
    def steps(self) -> int:
        """The number of steps: one for each protected province that enemies can move to."""
        return len(self.line.sieges)

    def list_checks(self) -> Sequence[tuple[str, Callable[[], str]]]:
        """Return the checks in order, each with its name and the function that runs it and returns its finding."""
        return (
            ("line", self._check_line),
            ("enemies", self._check_enemies),
            ("assumptions", lambda: self.check_assumptions(*list_assumptions(self.stated, self.line))),
            ("provinces", self._check_provinces),
            ("formulas", self._check_formulas),
            ("no attack", self._check_refutations),
        )

    def _check_line(self) -> str:
        """Check that the stalemate line can be read; return its numbers of units and protected provinces, and its rulebook."""
        line = self.line
        units, provinces = number_of(len(line.board.units), "unit"), number_of(len(line.protected), "protected province")
        return f"{units}, {provinces}, rulebook {line.rulebook.name}"

    def _check_enemies(self) -> str:
        """Check that the claim gives a reason if it excludes or limits enemies; return in words how many can exist."""
        everywhere, missing = list_possible_enemies(self.line.board.map, self.line.protected), list_absent_enemies(self.line)
        if len(set(self.line.enemies)) < len(self.line.enemies):
            raise InputError("an enemy is listed twice")
        if not all(map(str.strip, self.stated.restrictions)):
            raise InputError("a restriction on enemies is empty")
        if missing and not self.stated.restrictions:
            raise InputError(f"the claim does not say why there can be no enemy {join_first_names(missing)}")
        if self.stated.limits and not self.stated.restrictions:
            raise InputError("the claim does not say why the number of some enemies is limited")
        if not missing:
            return f"all {len(everywhere)} that can stand outside"
        left = f"{len(everywhere) - len(missing)} of {len(everywhere)} that can stand outside"
        return f"{left}; that these others do not exist is an assumption: {', '.join(missing)}"

    def _check_provinces(self) -> str:
        """Check that `unreachable` has exactly the protected provinces no enemy can move to; return the numbers in words."""
        unreachable = sorted(self.line.protected - self.line.sieges.keys())
        if self.stated.unreachable != unreachable:
            raise InputError("the provinces listed as unreachable must be exactly those that no enemy can move to")
        return f"enemies can move to {len(self.line.sieges)}, and not to {len(unreachable)}"

    def _check_formulas(self) -> str:
        """Check each attack's clauses against those that the second encoder makes; return their numbers in words."""
        if len(self.certificate.steps) != self.steps:  # a line that no enemy can reach has no steps
            raise InputError(f"the certificate has {len(self.certificate.steps)} steps, not {self.steps}")
        formulas = [*self._apply_check(self.check_formula)]
        variables = sum(formula.size for formula in formulas)
        clauses = sum(len(formula.clauses) for formula in formulas)
        return f"{number_of(len(formulas), 'formula')}, {number_of(variables, 'variable')}, {number_of(clauses, 'clause')}"

    def _check_refutations(self) -> str:
        """Check the proofs that no attack succeeds; return the number of their steps in a sentence."""
        steps = sum(self._apply_check(lambda number, formula: self.check_proof(number, formula.clauses)))
        return f"no attack enters any of them: proved in {number_of(steps, 'step')}"

    def _apply_check(self, check: Callable[[int, NamedClauses], T]) -> Iterator[T]:
        """Yield what `check` returns for each attack's index and formula; name the province in any error."""
        for number, (province, formula) in enumerate(self.line.sieges.items()):
            try:
                yield check(number, formula)
            except SatjudgeError as error:
                raise InputError(f"{province}: {error}") from None
