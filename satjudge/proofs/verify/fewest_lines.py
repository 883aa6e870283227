"""Verifies certificates that no line with fewer units meets a goal, with clauses that describe all lines.

Their unknowns are the protected provinces, the places of units, and the supports.

Written from docs/background/lines.md alone (“What is asked”, “The condition”, “Who can come”), with another form of the
condition. Let *p* be protected and have a unit. Enemies cannot enter it exactly if there is a set *E* of provinces whose units
support *p*, such that at most 1 + |*E*| provinces outside have some enemy that could move to *p* or into *E*.

*Proof.* Let *N* be the provinces from which some could move to *p*, *A* the others from which some could move into *E*, and *m*
the size of the largest matching of other provinces outside with supporters. By the theorem of König and Ore *m* is the least
value of |*S*| − |*E*| + |*A*| over all sets *E* of the supporters *S*. So |*N*| + *m* ≤ 1 + |*S*| exactly if |*N*| + |*A*| ≤ 1
+ |*E*| for some *E*. ∎

Supporters of *p* outside *E* may as well hold: so *E* contains all who support *p*, and a unit supports at most one other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial, reduce
from itertools import combinations

from satjudge.base.errors import InputError
from satjudge.base.words import number_of
from satjudge.proofs.verify.certificate import CONDITION, CertificateFile, ClauseGroup, FewestClaim, NamedClauses
from satjudge.proofs.verify.checks import Verification, is_whole_map
from satjudge.proofs.verify.lines import Line, list_possible_enemies, make_line
from satjudge.proofs.verify.positions import DEFINED_SECOND, read_unit
from satjudge.proofs.verify.second_encoder import FALSE, Cnf, Literal
from satjudge.world.geography import Map, Power, ProvinceCode, UnitKind, load_map, province_of
from satjudge.world.orders import Named
from satjudge.world.rules import load_rulebook

HOLDS = "no enemies enter a protected province (docs/lines.md)"  # where the page stood when certificates first named it
COMES = "which enemies can come"
WANTED = "the goal, and how many units there may be"
EXCLUDED = "the lines that are listed are excluded"


_NUMBER = re.compile("[0-9]{1,3}")
"""A number in digits 0 to 9; digits of other scripts could pass for others."""


@dataclass(frozen=True)
class LineGoal:
    """The goal of a line: how many supply centres, and which provinces it must, must not, or must not all protect."""

    least: int = 0
    most: int | None = None
    protect: frozenset[ProvinceCode] = frozenset()
    outside: frozenset[ProvinceCode] = frozenset()
    not_all: tuple[frozenset[ProvinceCode], ...] = ()

    def is_met_by(self, protected: Collection[ProvinceCode], game_map: Map) -> bool:
        """Return whether a line that protects these provinces, and no others, meets the goal."""
        centers = len(game_map.centers.intersection(protected))
        most = centers if self.most is None else self.most
        enough = self.least <= centers <= most and self.protect.issubset(protected)
        return enough and self.outside.isdisjoint(protected) and not any(group.issubset(protected) for group in self.not_all)


def parse_goal(text: str, game_map: Map) -> LineGoal:
    """Parse a goal such as `centers=17 and outside:LVP`; raises `InputError`."""
    return reduce(lambda goal, part: _add_part(goal, part, game_map), text.split(" and "), LineGoal())


def _add_part(goal: LineGoal, part: str, game_map: Map) -> LineGoal:
    for sign in (">=", "<=", "="):
        name, found, number = part.partition(sign)
        if found and name == "centers" and _NUMBER.fullmatch(number):
            least = goal.least if sign == "<=" else max(goal.least, int(number))
            most = goal.most if sign == ">=" else min(int(number), len(game_map.centers) if goal.most is None else goal.most)
            return replace(goal, least=least, most=most)
    name, _, places = part.partition(":")
    provinces = frozenset(places.split(","))
    if not provinces <= game_map.provinces.keys() or name not in ("protect", "outside", "not-all"):
        forms = "centers=17, centers>=17, centers<=18, protect:A,B, outside:A,B and not-all:A,B"
        raise InputError(f"line certificates do not support the goal “{part}”", suggestion=f"supported forms: {forms}")
    if name == "protect":
        return replace(goal, protect=goal.protect | provinces)
    if name == "outside":
        return replace(goal, outside=goal.outside | provinces)
    return replace(goal, not_all=(*goal.not_all, provinces))


@dataclass(frozen=True)
class LineSpace:
    """The lines that a claim covers: their region, their goal and their enemies.

    With `feeds`, lines have no more units than protected supply centres. Without `pockets`, all unprotected provinces are
    connected with each other. The powers in `out` build no units; if it is None, enemies can be anywhere. Raises `InputError`
    for a map with rules of its own.
    """

    map: Map
    region: frozenset[ProvinceCode]
    goal: LineGoal
    feeds: bool = False
    pockets: bool = True
    missing: frozenset[Named] = frozenset()
    out: frozenset[Power] | None = None

    def __post_init__(self) -> None:
        if self.map.own_rules:
            raise InputError(f"lines on a map with {', '.join(self.map.own_rules)} have no certificates")
        if unknown := self.region - self.map.provinces.keys():
            raise InputError(f"there is no province {min(unknown)} on this map")
        if unknown := (self.out or frozenset()) - set(self.map.powers):
            raise InputError(f"there is no power {min(unknown)} on this map")
        if impossible := self.missing - set(list_possible_enemies(self.map, ())):
            raise InputError(f"the map allows no unit {min(map(str, impossible))}, so it need not be excluded")

    @cached_property
    def enemies(self) -> Sequence[Named]:
        """The enemy units that the claim allows, anywhere on the map."""
        return [unit for unit in list_possible_enemies(self.map, ()) if unit not in self.missing]

    @cached_property
    def reach(self) -> Mapping[Named, frozenset[ProvinceCode]]:
        """The provinces to which each enemy unit could move without a convoy."""
        return {unit: frozenset(map(province_of, _list_exits(self.map, unit))) for unit in self.enemies}

    @cached_property
    def touching_provinces(self) -> Mapping[ProvinceCode, Sequence[ProvinceCode]]:
        """By province, the provinces to which some unit there could move, and into which it could therefore support."""
        units = list_possible_enemies(self.map, ())
        found: dict[ProvinceCode, set[ProvinceCode]] = {province: set() for province in sorted(self.map.provinces)}
        for unit in units:
            found[unit.province].update(map(province_of, _list_exits(self.map, unit)))
        return {province: sorted(neighbours) for province, neighbours in found.items()}

    def can_be_built(self, unit: Named) -> bool:
        """Return whether the unit is in a centre where some power that is not in `out` may build."""
        left = (power for power in self.map.powers if power not in (self.out or ()))
        return any(unit.province in self.map.build_centers(power) for power in left)

    def find_problem(self, line: Line) -> str:
        """Return the reason why the claim does not cover a line, or why enemies can enter it; "" if there is none."""
        protected, units = line.protected, line.board.unit_at
        if not protected <= self.region:
            return f"{min(protected - self.region)} is outside the region"
        if not self.goal.is_met_by(protected, self.map):
            return "it does not protect what the goal demands"
        if self.feeds and len(units) > len(self.map.centers & protected):
            return "it has more units than protected supply centres"
        if not self.pockets and not self._is_connected(self.map.provinces.keys() - protected):
            return "it cuts some enemies off from the others"
        entered = [province for province in sorted(protected) if self._is_entered(line, province)]
        return f"enemies can enter {entered[0]}" if entered else ""

    def _is_connected(self, provinces: Collection[ProvinceCode]) -> bool:
        """Return whether each province can be reached from every other through adjacent provinces of this set."""
        left = set(provinces)
        edge = {left.pop()} if left else set()
        while edge:
            edge = {neighbour for province in edge for neighbour in self.map.neighbours[province]} & left
            left -= edge
        return not left

    def _is_entered(self, line: Line, province: ProvinceCode) -> bool:
        """Return whether enemies could enter this protected province, by the condition of docs/background/lines.md."""
        ways: dict[ProvinceCode, set[ProvinceCode]] = {}
        for unit in self.find_coming_enemies(line.protected):
            ways.setdefault(unit.province, set()).update(self.reach[unit])
        attackers = [outside for outside, reached in ways.items() if province in reached]
        if not attackers or province not in line.board.unit_at:
            return bool(attackers)
        supporters = line.supporters[province]
        cuts = {outside: reached & supporters for outside, reached in ways.items() if outside not in attackers}
        return len(attackers) + _count_largest_matching(cuts) > 1 + len(supporters)

    def find_coming_enemies(self, protected: Collection[ProvinceCode]) -> set[Named]:
        """Return the enemy units that can be outside the protected provinces; unless `out` is None, only if they can arrive."""
        outside = {unit for unit in self.enemies if unit.province not in protected}
        if self.out is None:
            return outside
        come: set[Named] = set()
        new = {unit for unit in outside if self.can_be_built(unit)}
        while new:
            come |= new
            fleets = {unit.province for unit in come if unit.kind is UnitKind.FLEET and unit.province in self.map.convoying}
            new = {
                place
                for unit in come
                for place in (
                    *_iter_moves(self.map, unit),
                    *(Named(unit.kind, coast) for coast in self._find_overseas(unit, fleets)),
                )
            }
            new = (new & outside) - come
        return come

    def _find_overseas(self, unit: Named, fleets: Collection[ProvinceCode]) -> set[ProvinceCode]:
        """Return the provinces to which the fleets in `fleets` could convoy a unit; empty if it is a fleet."""
        if unit.kind is not UnitKind.ARMY:
            return set()
        passed: set[ProvinceCode] = set()
        edge = self.map.shores.get(unit.province, frozenset()).intersection(fleets)
        while edge:
            passed |= edge
            edge = frozenset(place for sea in edge for place in self.map.fleet[sea] if place in fleets) - passed
        return {coast for coast, seas in self.map.shores.items() if not seas.isdisjoint(passed)}


def _list_exits(game_map: Map, unit: Named) -> Iterable[str]:
    assert unit.kind is not None
    return sorted(game_map.exits(unit.kind, unit.location))


def _iter_moves(game_map: Map, unit: Named) -> Iterator[Named]:
    """Yield the unit at each location that it can reach with one move, without a convoy."""
    return (Named(unit.kind, place) for place in _list_exits(game_map, unit))


def _count_largest_matching(ways: Mapping[ProvinceCode, Collection[ProvinceCode]]) -> int:
    """Return the largest number of keys in `ways` that can each be paired with a different one of their values."""
    partners: dict[ProvinceCode, ProvinceCode] = {}

    def is_matched(one: ProvinceCode, seen: set[ProvinceCode]) -> bool:
        for other in ways[one]:
            if other not in seen:
                seen.add(other)
                if other not in partners or is_matched(partners[other], seen):
                    partners[other] = one
                    return True
        return False

    return sum(is_matched(one, set()) for one in ways)


@dataclass
class LineFormula:
    """The clauses of all lines that a claim covers, with at most `most` units."""

    space: LineSpace
    most: int
    cnf: Cnf = field(default_factory=Cnf)

    def __post_init__(self) -> None:
        def make_region_literals(name: str) -> dict[ProvinceCode, Literal]:
            region = self.space.region
            found = {province: self.cnf.add_input(f"{name} {province}") for province in sorted(region)}
            return {province: found.get(province, FALSE) for province in sorted(self.space.map.provinces)}

        self.protected, self.stands = make_region_literals("PROTECTED"), make_region_literals("UNIT")
        self.supports = {
            (supporter, target): self.cnf.add_input(f"SUPPORT {supporter} {target}")
            for supporter in sorted(self.space.region)
            for target in self.space.touching_provinces[supporter]
            if target in self.space.region
        }
        self.comes = {unit: self._make_presence(unit) for unit in self.space.enemies}

    def _make_presence(self, unit: Named) -> Literal:
        """Return the literal, a new variable unless `out` is None, that this enemy unit can be in its (unprotected) place."""
        return -self.protected[unit.province] if self.space.out is None else self.cnf.add_input(f"COMES {unit}")

    def is_menaced(self, outside: ProvinceCode, province: ProvinceCode) -> Literal:
        """Return the literal that is true if an enemy unit can be in the province `outside` and move to `province`."""
        units = self._units_in[outside]
        return self.cnf.any_of(self.comes[unit] for unit in units if province in self.space.reach[unit])

    @cached_property
    def _units_in(self) -> Mapping[ProvinceCode, Sequence[Named]]:
        found: dict[ProvinceCode, list[Named]] = {province: [] for province in self.protected}
        for unit in self.space.enemies:
            found[unit.province].append(unit)
        return found

    def require_hold(self) -> None:
        """Require that units are in protected provinces, that each supports at most one other, and that no enemy can enter."""
        cnf, touching = self.cnf, self.space.touching_provinces
        for (supporter, target), literal in self.supports.items():
            cnf.require(-literal, self.stands[supporter])
            cnf.require(-literal, self.stands[target])
        for province in sorted(self.space.region):
            cnf.require(-self.stands[province], self.protected[province])
            for one, other in combinations(touching[province], 2):
                cnf.require(-self._make_support(province, one), -self._make_support(province, other))
            for outside in touching[province]:
                cnf.require(-self.protected[province], self.stands[province], -self.is_menaced(outside, province))
            self._require_few_enemies(province)

    def _make_support(self, province: ProvinceCode, target: ProvinceCode) -> Literal:
        return self.supports.get((province, target), FALSE)

    def _require_few_enemies(self, province: ProvinceCode) -> None:
        """Require, if a province has a unit, that threats to it come from at most one more province than its unit has supports.

        An enemy is a threat if it could move to the province or to one of its supporters.
        """
        cnf, near = self.cnf, self.space.touching_provinces[province]
        supports = [self._make_support(ally, province) for ally in near]
        around = {neighbour for ally in near for neighbour in self.space.touching_provinces[ally]}.difference(near, {province})
        enemies = [self._is_threat(neighbour, province) for neighbour in (*near, *sorted(around))]
        for number in range(len(supports) + 1):
            cnf.require(-self.stands[province], -cnf.at_least(number + 2, enemies), cnf.at_least(number + 1, supports))

    def _is_threat(self, outside: ProvinceCode, province: ProvinceCode) -> Literal:
        """Return a literal that clauses make true if an enemy in `outside` could enter a province or cut a support for it.

        One-way implications make proofs half as long as an equivalence would.
        """
        direct = self.is_menaced(outside, province)
        cuts = {ally: self.is_menaced(outside, ally) for ally in self.space.touching_provinces[province] if ally != outside}
        if all(menaces in (direct, FALSE) for menaces in cuts.values()):
            return direct
        counts = self.cnf.add_input(f"COUNTS {outside} {province}")
        self.cnf.require(-direct, counts)
        for ally, menaces in cuts.items():
            self.cnf.require(-menaces, -self._make_support(ally, province), counts)
        return counts

    def require_arrivals(self) -> None:
        """Unless `out` is None, require that enemies are wherever they can be: built outside, or arrived by land, sea, convoy.

        Further enemies are allowed, since they make no line easier. If `out` is None, every enemy outside is there.
        """
        if self.space.out is None:
            return
        game_map, cnf = self.space.map, self.cnf
        for unit, comes in self.comes.items():
            if self.space.can_be_built(unit):
                cnf.require(self.protected[unit.province], comes)
            for arrival in _iter_moves(game_map, unit):
                if arrival in self.comes:
                    cnf.require(-comes, self.protected[arrival.province], self.comes[arrival])
        fleets = {sea: self.comes.get(Named(UnitKind.FLEET, sea), FALSE) for sea in sorted(game_map.convoying)}
        aboard = {sea: cnf.add_input(f"ABOARD {sea}") for sea in fleets}
        for sea, fleet in fleets.items():
            for other in sorted(game_map.fleet[sea]):
                if other in aboard:
                    cnf.require(-aboard[other], -fleet, aboard[sea])
            for coast, seas in sorted(game_map.shores.items()):
                army = Named(UnitKind.ARMY, coast)
                if sea in seas and army in self.comes:
                    cnf.require(-self.comes[army], -fleet, aboard[sea])
                    cnf.require(-aboard[sea], self.protected[coast], self.comes[army])

    def require_goal(self) -> None:
        """Require that the line meets the goal, has at most `most` units, and respects the space's `feeds` and `pockets`."""
        cnf, goal = self.cnf, self.space.goal
        units = list(self.stands.values())
        centers = [literal for province, literal in self.protected.items() if province in self.space.map.centers]
        cnf.require(-cnf.at_least(self.most + 1, units))
        cnf.require(cnf.at_least(goal.least, centers))
        if goal.most is not None:
            cnf.require(-cnf.at_least(goal.most + 1, centers))
        for province in sorted(goal.protect):
            cnf.require(self.protected[province])
        for province in sorted(goal.outside):
            cnf.require(-self.protected[province])
        for provinces in goal.not_all:
            cnf.require(*(-self.protected[province] for province in sorted(provinces)))
        if self.space.feeds:
            for number in range(1, self.most + 1):
                cnf.require(-cnf.at_least(number, units), cnf.at_least(number, centers))
        if not self.space.pockets:
            self._require_connected_outside()

    def _require_connected_outside(self) -> None:
        """Require that all unprotected provinces are connected: all but the first have a link to a neighbour, without rings."""
        cnf, near = self.cnf, self.space.map.neighbours
        ways = {(here, end): cnf.add_input(f"WAY {here} {end}") for here in self.protected for end in sorted(near[here])}
        protected_before: list[Literal] = []
        for here, protected in self.protected.items():
            first = cnf.all_of(protected_before)
            protected_before = [cnf.all_of((first, protected))]
            cnf.require(protected, first, *(ways[here, end] for end in sorted(near[here])))
            for end in sorted(near[here]):
                cnf.require(-ways[here, end], -self.protected[end])
        self._require_no_ring(ways)

    def _require_no_ring(self, ways: Mapping[tuple[ProvinceCode, ProvinceCode], Literal]) -> None:
        """Require that those ways whose literals are true, each from one province to another, form no ring.

        Eliminates the provinces with the fewest ways first (Rankooh and Rintanen, *Propositional Encodings of Acyclicity and
        Reachability by Using Vertex Elimination*, AAAI 2022).
        """
        cnf, known = self.cnf, dict(ways)
        near = {origin: {target for start, target in ways if start == origin} for origin in self.protected}
        while near:
            removed = min(near, key=lambda province: (len(near[province]), province))
            around = sorted(near.pop(removed))
            for origin in around:
                near[origin] = (near[origin] | set(around)) - {origin, removed}
                cnf.require(-known[origin, removed], -known[removed, origin])
            for origin, target in ((origin, target) for origin in around for target in around if origin != target):
                if (origin, target) not in known:
                    known[origin, target] = cnf.add_input(f"WAYS {origin} {target}")
                cnf.require(-known[origin, removed], -known[removed, target], known[origin, target])

    def exclude_lines(self, province_sets: Iterable[Collection[ProvinceCode]]) -> None:
        """Exclude each line whose units stand in exactly the provinces of one of these sets."""
        for stands in province_sets:
            others = [self.stands[province] for province in self.stands if province not in stands and len(stands) < self.most]
            self.cnf.require(*(-self.stands[province] for province in sorted(stands)), *others)


def make_formula(line_space: LineSpace, max_units: int, excluded_sets: Iterable[Collection[ProvinceCode]]) -> NamedClauses:
    """Make the clauses for lines with at most `max_units` units, except those whose units stand in one of the sets."""
    lines = LineFormula(line_space, max_units)
    groups, ended = [], 0
    for meaning, require in (
        (HOLDS, lines.require_hold),
        (COMES, lines.require_arrivals),
        (WANTED, lines.require_goal),
        (EXCLUDED, partial(lines.exclude_lines, excluded_sets)),
    ):
        require()
        groups.append(ClauseGroup(meaning, lines.cnf.requirements[ended:]))
        ended = len(lines.cnf.requirements)
    groups.insert(0, ClauseGroup(DEFINED_SECOND, lines.cnf.definitions))
    return NamedClauses(lines.cnf.number_of_variables, lines.cnf.names, groups)


# ---- the verification of a certificate ----


def read_line_space(claim: FewestClaim) -> LineSpace:
    """Parse the claim into the set of lines that it covers; raises `InputError` if the claim cannot be read."""
    game_map = load_map(claim.map)
    return LineSpace(
        game_map,
        frozenset(claim.region),
        parse_goal(claim.goal, game_map),
        claim.feeds,
        claim.pockets,
        frozenset(read_unit(text, "", game_map).named for text in claim.missing),
        None if claim.out is None else frozenset(claim.out),
    )


def read_listed_lines(claim: FewestClaim, line_space: LineSpace) -> list[Line]:
    """Parse the lines that a claim lists, without their enemies.

    Raises `InputError` if one is not a line. The lines get the default rulebook, which makes no difference.
    """
    return [make_line(line, line_space.map, (), (), load_rulebook()) for line in claim.lines]


def make_claim_formula(claim: FewestClaim) -> NamedClauses:
    """Make the clauses for a line that contradicts the claim; raises `InputError` if the claim cannot be read."""
    space = read_line_space(claim)
    stand = [line.board.unit_at.keys() for line in read_listed_lines(claim, space)]
    most = min(claim.most, len(space.region))  # no more can stand there
    return make_formula(space, most, [provinces for provinces in stand if len(provinces) <= most])


class FewestVerification(Verification):
    """The checks of a certificate that gives the fewest units of a line."""

    def __init__(self, package: CertificateFile, claim: FewestClaim) -> None:
        super().__init__(package)
        self.stated = claim

    @property
    def claim(self) -> str:
        """The claim of the certificate in words, without the lines' region and possible enemies, which `subject` describes."""
        stated = self.stated
        conditions = [
            *(["no more units than protected supply centres"] if stated.feeds else []),
            *([] if stated.pockets else ["no enemies cut off from the others"]),
        ]
        with_these = f" (lines with {' and '.join(conditions)})" if conditions else ""
        excepted = sum(len(line.units) <= stated.most for line in stated.lines)
        listed = f", except those that stand in {number_of(excepted, 'listed set')} of provinces" if excepted else ""
        return f"no line that stands still with at most {number_of(stated.most, 'unit')}{with_these} has {stated.goal}{listed}"

    @property
    def subject(self) -> Sequence[str]:
        """The lines of text on where units may be, on the possible enemies, and on each listed line."""
        stated = self.stated
        place = "anywhere" if is_whole_map(stated.region, stated.map) else f"in {', '.join(stated.region)}"
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
    def line_space(self) -> LineSpace:
        """The set of lines that the claim covers, parsed."""
        return read_line_space(self.stated)

    @property
    def steps(self) -> int:
        """The number of steps: one, which refutes any further line."""
        return 1

    def list_checks(self) -> Sequence[tuple[str, Callable[[], str]]]:
        """Return the checks in order: pairs of a name and a function that runs the check and returns its finding in words."""
        return (
            ("question", self._check_question),
            ("assumptions", lambda: self.check_assumptions(CONDITION)),
            ("lines", self._check_lines),
            ("no such line", self._check_refutation),
        )

    def _check_question(self) -> str:
        """Check that the claim can be read; return in words how many provinces and enemy units it covers."""
        space = self.line_space
        if self.stated.most < 0:
            raise InputError("the number of units cannot be negative")
        if not space.region:
            raise InputError("the region of the lines is empty")
        if len(space.region) < len(self.stated.region):
            raise InputError("a province is listed twice")
        return f"{number_of(len(space.region), 'province')}, {number_of(len(space.enemies), 'enemy unit')} that can exist"

    def _check_lines(self) -> str:
        """Check that each listed line meets the claim and no two use the same provinces; return their number in words."""
        lines = read_listed_lines(self.stated, self.line_space)
        for line in lines:
            if problem := self.line_space.find_problem(line):
                raise InputError(f"{', '.join(map(str, line.orders.values()))}: {problem}")
        if len({frozenset(line.board.unit_at) for line in lines}) < len(lines):
            raise InputError("two lines are in the same provinces")
        return f"{len(lines)} listed, each has the goal"

    def _check_refutation(self) -> str:
        """Check the proof that no further line exists, with newly made clauses; return the numbers of its parts in words."""
        clauses = self.check_formula(0, make_claim_formula(self.stated))
        steps = number_of(self.check_proof(0, clauses.clauses), "step")
        variables, several = number_of(clauses.size, "variable"), number_of(len(clauses.clauses), "clause")
        return f"{variables} and {several} cannot all hold: proved in {steps}"
