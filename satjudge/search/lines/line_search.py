"""Finds lines with the fewest units that hold given provinces, or a given number of supply centres.

    found = find_smallest_lines(LineConditions(load_map(), least=17, most=17), rulebook)
    found.lines[0].orders, found.units, found.proved

Units that hold or support each other lose a province *p* exactly if enough enemies can get near. An enemy that can move to *p*
attacks or supports the attack, and any other can cut one support for *p*. So *p* holds if the enemies next to it, plus the
largest number of supports that the others can cut at once, exceed its supports by at most one. That number is the size of a
matching of enemies with supporters, which is at most the size of a cover of them (König 1931). The formula states that a
small enough cover exists (docs/background/lines.md has the proof). Then `satjudge.search.lines.prove`, which does not use this
condition, proves each proposed line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from satjudge.base.errors import InputError, locate_errors
from satjudge.base.values import brief
from satjudge.base.words import number_of
from satjudge.search.formulas.cadical import Cadical
from satjudge.search.formulas.clauses import FALSE, Formula, Literal
from satjudge.search.formulas.cpsat import Answer, Solver
from satjudge.search.lines.line import (
    Line,
    MissingUnits,
    exclude_powers,
    find_connected_parts,
    iter_destinations,
    list_all_units,
    parse_missing_units,
    parse_powers,
    parse_provinces,
)
from satjudge.search.lines.prove import examine_line
from satjudge.search.open_orders.proposal import complete_order, find_accepted, find_minimal_subset
from satjudge.search.open_orders.universe import Spot
from satjudge.search.second_opinion import DratLines, SecondOpinion, iter_second_opinions
from satjudge.search.task import LinesTask
from satjudge.world.board import Board, Unit
from satjudge.world.geography import Map, Power, ProvinceCode, UnitKind, province_of
from satjudge.world.orders import Hold, MovementOrder, Named, SupportHold
from satjudge.world.rules import Rulebook


@dataclass(frozen=True)
class LineConditions:
    """The conditions for a line: what it protects, and what it may consist of.

    No enemy may enter `protected` provinces. The line must not protect any province in `outside`, or all of any set in
    `incomplete`. It protects at least `least` supply centres and at most `most`. Units and protected provinces are only in the
    `region`. `missing` are enemy units that cannot exist. With `feeds`, the line has no more units than it protects centres.
    Without `pockets`, it cuts off no enemies from the others. The first power in `out` owns the line, and the others have no
    units: the only enemies are then those that the remaining powers can build and bring up (None: any). Raises `InputError`
    for contradictions, and for maps with rules of their own.
    """

    map: Map
    protected: frozenset[ProvinceCode] = frozenset()
    outside: frozenset[ProvinceCode] = frozenset()
    least: int = 0
    most: int | None = None
    region: frozenset[ProvinceCode] | None = None
    missing: tuple[MissingUnits, ...] = ()
    feeds: bool = False
    pockets: bool = True
    incomplete: tuple[frozenset[ProvinceCode], ...] = ()
    out: tuple[Power, ...] | None = None

    __repr__ = brief

    def __post_init__(self) -> None:
        if own := ", ".join(self.map.own_rules):
            raise InputError(f"lines can only be found on maps without rules of their own, but {self.map.name} has {own}")
        if not self.protected and not self.least:
            hint = "add a condition such as centers=17 or protect:NAP,ROM,VEN"
            raise InputError("the line has nothing to protect", suggestion=hint)
        if both := sorted(self.protected & self.outside):
            raise InputError(f"{', '.join(both)} cannot be both protected and outside")
        for whole in self.incomplete:
            if whole <= self.protected:
                raise InputError(
                    f"{', '.join(sorted(whole))}: `protect` names them all, but `not-all` says not to protect them all"
                )
        if self.out is not None and not self.out:
            raise InputError(
                "the option out does not name the line's power",
                suggestion="name its power first, then the powers without units",
            )
        if self.region is not None and (beyond := sorted(self.protected - self.region)):
            raise InputError(f"{', '.join(beyond)} cannot be protected: not in the region")
        centers = len(self.map.centers)
        if self.least > centers:
            raise InputError(f"the map has only {number_of(centers, 'supply centre')}, so no line can protect {self.least}")
        if self.most is not None and self.most < self.least:
            raise InputError(f"no number of centres is at least {self.least} and at most {self.most}")

    @cached_property
    def enemies(self) -> Mapping[ProvinceCode, frozenset[ProvinceCode]]:
        """By province, the provinces to which an enemy unit there, of either kind, could move without a convoy."""
        return self._map_destinations(self.enemy_units)

    @cached_property
    def enemy_units(self) -> tuple[Spot, ...]:
        """Every unit that enemies may have if the line does not protect its place."""
        return tuple(unit for unit in self.units if not any(missing.covers(*unit) for missing in self.missing))

    @cached_property
    def units(self) -> tuple[Spot, ...]:
        """Every unit that the line may have, armies before fleets."""
        return tuple(Spot(kind, place) for kind, place in sorted(list_all_units(self.map)))

    @cached_property
    def support_targets(self) -> Mapping[ProvinceCode, frozenset[ProvinceCode]]:
        """By province, the provinces into which a unit of the line there, of either kind, could support."""
        return self._map_destinations(self.units)

    def _map_destinations(self, units: Iterable[Spot]) -> dict[ProvinceCode, frozenset[ProvinceCode]]:
        reached: dict[ProvinceCode, set[ProvinceCode]] = {province: set() for province in self.map.provinces}
        for unit in units:
            reached[unit.province] |= self.find_destinations(unit)
        return {origin: frozenset(found) for origin, found in reached.items()}

    def find_destinations(self, unit: Spot) -> set[ProvinceCode]:
        """Return the provinces to which a unit can move without a convoy."""
        return {province_of(way) for way in self.map.exits(unit.kind, unit.location)}

    def can_protect(self, province: ProvinceCode) -> bool:
        """Return whether the line may protect a province: it is in the region and not in `outside`."""
        return province not in self.outside and (self.region is None or province in self.region)


@dataclass
class LineSearchResult:
    """Lines with the fewest units that meet the conditions, no two in the same provinces.

    `bound`: the proved lower bound on units. `proved`: it is proved that no line has fewer units than these. `complete`: it is
    proved that no other provinces allow a line with this number of units.
    """

    wanted: LineConditions
    rulebook: Rulebook
    lines: list[Line] = field(default_factory=list)
    bound: int = 0
    proved: bool = False
    complete: bool = False
    pockets: list[frozenset[ProvinceCode]] = field(default_factory=list)
    """The forbidden pockets of refused proposals: provinces where enemies would be cut off."""

    __repr__ = brief

    @property
    def refuted_questions(self) -> list[tuple[str, Formula]]:
        """The questions proved to have no answer, each as a description (such as `fewer units`) and its formula."""
        most, questions = self.units, list[tuple[str, Formula]]()
        if self.proved and most != 0:
            fewer = "any units" if most is None else "fewer units"
            questions.append((fewer, self._make_formula((), -1 if most is None else most - 1)))
        if self.complete and most is not None:
            questions.append((f"{number_of(most, 'unit')} in other provinces", self._make_formula(self.lines, most)))
        return questions

    def _make_formula(self, lines: Iterable[Line], max_units: int) -> Formula:
        """Make the formula of lines in other provinces than `lines`, with at most `max_units` units (negative: any number)."""
        plans = PlanFormula(self.wanted, self.rulebook)
        for pocket in self.pockets:
            plans.open_pocket(pocket)
        for line in lines:
            plans.forbid_line(line.board.unit_at)
        if max_units >= 0:
            plans.formula.require(-plans.formula.at_least(max_units + 1, plans.occupied.values()))
        return plans.formula

    @property
    def units(self) -> int | None:
        """The number of units in each of the lines; None if no line was found."""
        return len(self.lines[0].board.units) if self.lines else None


def make_cp_sat_solver(formula: Formula) -> Solver:
    """Return a CP-SAT solver for the formula, without linear relaxations, which makes it twice as fast for lines."""
    return Solver(formula, relaxed=False)


def find_smallest_lines(
    conditions: LineConditions,
    rulebook: Rulebook,
    *,
    count: int = 1,
    choose_solver: Callable[[Formula], Solver | Cadical] = make_cp_sat_solver,
    time_left: Callable[[], float | None] = lambda: None,
    on_line: Callable[[int], None] = lambda _: None,
) -> LineSearchResult:
    """Find up to `count` stalemate lines with the fewest units that meet the conditions, no two in the same provinces.

    `choose_solver` makes the solver. `time_left` returns the seconds left (None: no limit). `on_line` is called with the number
    of lines found so far.
    """
    plans = PlanFormula(conditions, rulebook)
    found = LineSearchResult(conditions, rulebook)
    solver = choose_solver(plans.formula)
    occupied = list(plans.occupied.values())
    last: Answer | None = None

    def propose() -> LinePlan | None:
        nonlocal last
        most = found.units
        if most is None:
            last = solver.decide(minimise=occupied, timeout=time_left())
            found.bound = last.bound
        else:
            last = solver.decide(at_most=(occupied, most), timeout=time_left())
        return None if last.values is None else plans.read_plan(last)

    def learn(plan: LinePlan) -> None:
        if pocket := plan.pocket:
            found.pockets.append(pocket)
            plans.open_pocket(pocket)
        else:
            plans.forbid_line(plan.standing)

    while len(found.lines) < count and (plan := find_accepted(propose, _find_objection, learn)) is not None:
        assert last is not None
        if not found.lines:
            found.proved = last.exhausted
            found.bound = len(plan.standing) if found.proved else found.bound
        found.lines.append(plan.drop_idle_supports().make_line())
        plans.forbid_line(plan.standing)
        on_line(len(found.lines))
        if not found.proved:
            break
    if last is not None and last.is_unsatisfiable:
        found.complete = True
        found.proved = found.proved or not found.lines
    return found


def ask_second_solver(result: LineSearchResult, *, with_proof: bool = False) -> list[tuple[SecondOpinion, DratLines]]:
    """Ask a second solver for each refuted question; return its opinions and proofs; mark an undecided result that it proves.

    If the result was undecided and the second solver decides it, the result is marked as proved. Raises `InputError` if there
    is no such solver, `SatjudgeError` if it fails.
    """
    undecided, result.proved = not result.proved, True
    opinions = list(iter_second_opinions(result, with_proof=with_proof))
    if undecided and not all(opinion.agrees for opinion, _ in opinions):
        result.proved = False
        return []
    if undecided:
        result.bound, result.complete = result.units or 0, not result.lines
    return opinions


def _find_objection(plan: LinePlan) -> LinePlan | None:
    """Return the plan itself if it must be rejected (forbidden pockets, or attacks that break the line); else None."""
    return plan if plan.pocket or not examine_line(plan.make_line()).holds else None


@dataclass(frozen=True)
class LinePlan:
    """A proposed line: where units stand, which province each supports, and which provinces are protected."""

    wanted: LineConditions
    rulebook: Rulebook
    standing: frozenset[ProvinceCode]
    supported: Mapping[ProvinceCode, ProvinceCode]
    protected: frozenset[ProvinceCode]

    @property
    def pocket(self) -> frozenset[ProvinceCode] | None:
        """The smallest part of the unprotected provinces if they are not connected; else, or if pockets are allowed, None."""
        if self.wanted.pockets:
            return None
        parts = find_connected_parts(self.wanted.map, self.wanted.map.provinces.keys() - self.protected)
        return parts[-1] if len(parts) > 1 else None

    def make_line(self) -> Line:
        """Make the line of the plan, with armies wherever an army can do what is planned."""
        game_map = self.wanted.map
        spots = {province: self._choose_unit(province) for province in sorted(self.standing)}
        ours, *out = self.wanted.out or game_map.powers[:1]
        board = Board(tuple(Unit(ours, *spot) for spot in spots.values()), map=game_map)
        orders: dict[ProvinceCode, MovementOrder] = {}
        for province, spot in spots.items():
            target = self.supported.get(province)
            order = Hold(spot.unit_name) if target is None else SupportHold(spot.unit_name, Named(None, target))
            orders[province] = complete_order(order, board, self.rulebook)
        enemies = max(0, len(game_map.centers) - len(board.units))
        line = Line(board, orders, self.rulebook, self.protected - self.standing, self.wanted.missing, enemies)
        return line if self.wanted.out is None else exclude_powers(line, tuple(out))

    def _choose_unit(self, province: ProvinceCode) -> Spot:
        """Return the unit for a province of the plan: an army, or a fleet if only a fleet can be there and give the support."""
        target = self.supported.get(province)
        units = (unit for unit in self.wanted.units if unit.province == province)
        return next(unit for unit in units if target is None or target in self.wanted.find_destinations(unit))

    def drop_idle_supports(self) -> LinePlan:
        """Return the plan without the supports that it does not need, whose units hold instead."""

        def keep_supports(supporting: Iterable[ProvinceCode]) -> LinePlan:
            return replace(self, supported={province: self.supported[province] for province in supporting})

        return keep_supports(
            find_minimal_subset(self.supported, lambda supporting: examine_line(keep_supports(supporting).make_line()).holds)
        )


class PlanFormula:
    """A formula whose assignments are plans for lines that meet the conditions."""

    def __init__(self, conditions: LineConditions, rulebook: Rulebook) -> None:
        self.wanted = conditions
        self.rulebook = rulebook
        self.formula = Formula()
        game_map = conditions.map
        self.protected = {
            code: self._add_variable_unless(not conditions.can_protect(code), f"{code} is protected")
            for code in game_map.provinces
        }
        self.occupied = {
            code: self.formula.add_variable(f"a unit in {code}") for code in game_map.provinces if conditions.can_protect(code)
        }
        for province, occupied in self.occupied.items():
            self.formula.require(-occupied, self.protected[province])
        self.supporters = self._make_supporters()
        self.coming = None if conditions.out is None else self._encode_coming_units(conditions.out)
        for province in self.occupied:
            self._require_hold(province)
        self._require_conditions()

    def _add_variable_unless(self, impossible: bool, name: str) -> Literal:
        return FALSE if impossible else self.formula.add_variable(name)

    def _make_supporters(self) -> Mapping[ProvinceCode, Mapping[ProvinceCode, Literal]]:
        """Add a literal and clauses for each possible support; return the literals by supported, then by supporting province.

        A unit of either kind gives at most one support.
        """
        found: dict[ProvinceCode, dict[ProvinceCode, Literal]] = {province: {} for province in self.occupied}
        for province, occupied in self.occupied.items():
            given: list[Literal] = []
            for target in sorted(self.wanted.support_targets[province] & self.occupied.keys()):
                supports = found[target][province] = self.formula.add_variable(f"{province} S {target}")
                self.formula.require(-supports, occupied)
                self.formula.require(-supports, self.occupied[target])
                given.append(supports)
            self.formula.require_at_most_one(given)
        return found

    def _encode_coming_units(self, excluded_powers: Collection[Power]) -> Mapping[Spot, Literal]:
        """Return, by enemy unit, a new literal that clauses make true if powers that are not excluded can bring it there."""
        game_map, require, protected = self.wanted.map, self.formula.require, self.protected
        coming = {unit: self.formula.add_variable(f"{unit} can come") for unit in self.wanted.enemy_units}
        afloat = {sea: self.formula.add_variable(f"armies are carried over {sea}") for sea in game_map.convoying}
        built = {code for power in game_map.powers if power not in excluded_powers for code in game_map.build_centers(power)}
        for unit, comes in coming.items():
            if unit.province in built:
                require(protected[unit.province], comes)
            for way in iter_destinations(game_map, *unit):
                if (arrival := Spot(unit.kind, way)) in coming:
                    require(-comes, protected[arrival.province], coming[arrival])
        for near, seas in game_map.shores.items():
            army = coming.get(Spot(UnitKind.ARMY, near), FALSE)
            for sea in seas:
                require(-afloat.get(near, army), -coming.get(Spot(UnitKind.FLEET, sea), FALSE), afloat[sea])
                if army != FALSE:
                    require(-afloat[sea], protected[near], army)
        return coming

    def _make_threat(self, origin: ProvinceCode, target: ProvinceCode) -> Literal:
        """Return the literal that holds if an enemy unit can be in `origin` and could move to `target`."""
        if self.coming is None:
            return -self.protected[origin]
        attackers = (
            unit
            for unit in self.wanted.enemy_units
            if unit.province == origin and target in self.wanted.find_destinations(unit)
        )
        return self.formula.all_of((-self.protected[origin], self.formula.any_of(self.coming[unit] for unit in attackers)))

    def _require_hold(self, target: ProvinceCode) -> None:
        """Require, if the province `target` is protected, enough supports that no enemy can enter it."""
        require, protected, supporters = self.formula.require, self.protected, self.supporters[target]
        near = [origin for origin, reached in self.wanted.enemies.items() if target in reached]
        besieged = self.formula.add_variable(f"{target} is besieged")
        for origin in near:
            require(-protected[target], -self._make_threat(origin, target), besieged)
        require(-besieged, self.occupied[target])
        cut = {province: self.formula.add_variable(f"{province} S {target} counts as cut") for province in supporters}
        cutting: dict[ProvinceCode, Literal] = {}
        for origin, reached in self.wanted.enemies.items():
            if target in reached or origin == target:
                continue
            for province in sorted(reached & supporters.keys()):
                cutter = cutting.get(origin) or cutting.setdefault(
                    origin, self.formula.add_variable(f"{origin} counts as cutting for {target}")
                )
                require(cutter, cut[province], -self._make_threat(origin, province), -supporters[province])
        # near outside + cutting + cut <= 1 + supporters, written as a count of literals that hold
        against = [*(self._make_threat(origin, target) for origin in near), *cutting.values(), *cut.values()]
        enough = self.formula.at_least(len(against) - 1, [*(-literal for literal in against), *supporters.values()])
        require(-besieged, enough)

    def _require_conditions(self) -> None:
        """Require that the line meets the conditions and, if these set no `most`, leaves some supply centre to the enemies."""
        wanted = self.wanted
        for province in wanted.protected:
            self.formula.require(self.protected[province])
        for whole in wanted.incomplete:
            self.formula.require(*(-self.protected[province] for province in sorted(whole)))
        centers = [self.protected[province] for province in sorted(wanted.map.centers)]
        self.formula.require(self.formula.at_least(wanted.least, centers))
        most = len(centers) - 1 if wanted.most is None else wanted.most
        self.formula.require(-self.formula.at_least(most + 1, centers))
        if wanted.feeds:  # no more units than protected centres
            occupied = list(self.occupied.values())
            self.formula.require(self.formula.at_least(len(occupied), [*centers, *(-literal for literal in occupied)]))
        if not wanted.pockets:
            for pocket in _iter_small_parts(wanted.map):
                self.open_pocket(pocket)

    def read_plan(self, answer: Answer) -> LinePlan:
        """Return the plan that the solver's assignment describes."""
        given = ((target, supporters.items()) for target, supporters in self.supporters.items())
        supported = {province: target for target, each in given for province, literal in each if answer.holds(literal)}
        standing = frozenset(province for province, literal in self.occupied.items() if answer.holds(literal))
        protected = frozenset(province for province, literal in self.protected.items() if answer.holds(literal))
        return LinePlan(self.wanted, self.rulebook, standing, supported, protected)

    def forbid_line(self, provinces: Collection[ProvinceCode]) -> None:
        """Forbid lines whose units stand in exactly these provinces."""
        occupied = self.occupied.items()
        self.formula.require(*(-literal if province in provinces else literal for province, literal in occupied))

    def open_pocket(self, pocket: frozenset[ProvinceCode]) -> None:
        """Require that a neighbour of the pocket is unprotected too, unless the pocket or all other provinces are protected."""
        game_map, protected = self.wanted.map, self.protected
        rim = {near for province in pocket for near in game_map.neighbours[province]} - pocket
        may_be_all = self.wanted.most is None or len(game_map.centers - pocket) <= self.wanted.most
        others = (protected[province] for province in game_map.provinces if province not in pocket)
        rest = self.formula.all_of(others) if may_be_all else FALSE
        for province in pocket:
            self.formula.require(protected[province], *(-protected[near] for near in sorted(rim)), rest)


_SMALL = 3
"""The largest pocket, in provinces, that is excluded from the start; larger ones are rarely proposed."""


def _iter_small_parts(game_map: Map) -> Iterator[frozenset[ProvinceCode]]:
    """Yield every connected set of up to three provinces, the smaller sets first."""
    parts = {frozenset((province,)) for province in game_map.provinces}
    for _ in range(_SMALL):
        yield from sorted(parts, key=sorted)
        parts = {part | {near} for part in parts for one in part for near in game_map.neighbours[one] if near not in part}


# Conditions as text

_CONDITION = re.compile(
    r"\s*(?:(?P<places>protect|outside|not-all)\s*:(?P<provinces>.*)|cent(?:er|re)s\s*(?P<sign><=|>=|=)\s*(?P<number>\d{1,3})\s*)",
    re.IGNORECASE | re.DOTALL,
)


def _parse_condition(text: str) -> tuple[str, str, str, int]:
    """Parse a condition into its name, sign and argument, and the argument's index in the text; raises `InputError`."""
    found = _CONDITION.fullmatch(text)
    if found is None:
        hint = "write centers=17, centers>=17, protect:NAP,ROM, outside:LON or not-all:ANK,CON, joined with `and`"
        column = len(text) - len(text.lstrip()) + 1
        raise InputError(f"{text.strip()!r} is not a condition for a line", column=column, suggestion=hint)
    if found["places"]:
        return found["places"].lower(), ":", found["provinces"], found.start("provinces")
    return "centers", found["sign"], found["number"], found.start("number")


def parse_conditions(task: LinesTask, game_map: Map) -> LineConditions:
    """Parse conditions such as `centers=17 and outside:LVP,LON`, and the other options of a task.

    Raises `InputError` that names the column in the text.
    """
    text = task.goal
    protected: set[ProvinceCode] = set()
    outside: set[ProvinceCode] = set()
    incomplete: list[frozenset[ProvinceCode]] = []
    least, most = 0, None
    begins = [0, *(found.end() for found in re.finditer(r"\band\b", text, re.IGNORECASE))]
    for begin, end in zip(begins, [*(begin - len("and") for begin in begins[1:]), len(text)], strict=True):
        with locate_errors("goal", offset=begin):
            name, sign, value, column = _parse_condition(text[begin:end])
            if name == "not-all":
                incomplete.append(frozenset(parse_provinces(value, game_map, column)))
            elif sign == ":":
                (protected if name == "protect" else outside).update(parse_provinces(value, game_map, column))
            else:
                least = max(least, int(value)) if sign != "<=" else least
                most = min(int(value), len(game_map.centers) if most is None else most) if sign != ">=" else most
    area = None
    if task.region is not None:
        with locate_errors("--region"):
            area = frozenset(parse_provinces(task.region, game_map))
    missing = parse_missing_units(task.without, game_map)
    banned = None
    if task.out is not None:
        with locate_errors("--out"):
            banned = tuple(dict.fromkeys(parse_powers(task.out, game_map)))
    protect, without_these, open_sets = frozenset(protected), frozenset(outside), tuple(incomplete)
    pockets = not task.no_pockets
    return LineConditions(game_map, protect, without_these, least, most, area, missing, task.feeds, pockets, open_sets, banned)
