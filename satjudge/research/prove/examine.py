"""What can be said of a line: it holds, or how it breaks; which units it can do without, and how many more would mend it.

finding = examine(line)
finding.holds, finding.attack        # a proof that no attack breaks it, or one that does
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from satjudge.board import Unit
from satjudge.geography import ProvinceCode, province_of
from satjudge.orders import Hold, Named, SupportHold
from satjudge.research.prove.line import Line, all_units
from satjudge.research.prove.siege import Attack, Candidate, Siege, encoded
from satjudge.solve.clauses import FALSE, TRUE, Formula, Literal
from satjudge.solve.cpsat import Answer, Solver
from satjudge.unknown.encoding import Choice, Encoding
from satjudge.unknown.places import Spot
from satjudge.unknown.proposal import in_full
from satjudge.unknown.refinement import refine


@dataclass(slots=True)
class Size:
    """How large the questions were that the solver was asked, one for each province that an enemy can reach at all."""

    questions: int = 0
    orders: int = 0
    variables: int = 0
    clauses: int = 0

    def count(self, siege: Siege) -> None:
        """Count one more."""
        self.questions += 1
        self.orders += len(siege.unknown)
        self.variables += siege.formula.size
        self.clauses += len(siege.formula.clauses) + len(siege.formula.counts)


@dataclass(frozen=True, slots=True)
class Finding:
    """What became of the question whether a line holds: the attack that breaks it, or None if it is proved to hold."""

    line: Line
    attack: Attack | None
    size: Size

    @property
    def holds(self) -> bool:
        """Whether it is proved that no attack breaks the line."""
        return self.attack is None


def examine(line: Line, *, cheapest: bool = False, on_province: Callable[[], None] = lambda: None) -> Finding:
    """Prove that a line holds, or find an attack that breaks it: one with the fewest enemies, if the cheapest is wanted.

    An attack that need not be the cheapest still has no enemy that it could do without.
    """
    size = Size()
    best: Attack | None = None
    for siege in sieges(line):
        on_province()
        if siege is not None and (best is None or cheapest):
            size.count(siege)
            most = line.enemies if best is None else len(best.orders) - 1
            best = siege.attack(most, cheapest=cheapest) or best
    return Finding(line, best if best is None or cheapest else best.trimmed(), size)


def sieges(line: Line) -> Iterator[Siege | None]:
    """One for each protected province; None where no enemy can come."""
    for target in sorted(line.protected):
        siege = Siege(line, target)
        yield siege if siege.candidates else None


def attacks(line: Line) -> Iterator[Attack]:
    """An attack for every province of the line that can be entered."""
    for siege in sieges(line):
        attack = siege.attack(line.enemies) if siege else None
        if attack is not None:
            yield attack.trimmed()


def redundant(line: Line, on_unit: Callable[[], None] = lambda: None) -> list[Unit]:
    """The units without which the line still holds, each by itself; the others still have the same orders."""
    found = []
    for unit in line.board.units:
        if examine(line.keeping(other.province for other in line.board.units if other != unit)).holds:
            found.append(unit)
        on_unit()
    return found


def smallest(line: Line, on_try: Callable[[], None] = lambda: None) -> Line | None:
    """The fewest units of the line that hold what it protects; None if not even all of them do.

    Every attack on too few units says that one of those is needed with which it would fail. The fewest units that meet all
    such demands are tried next, so the first that hold are the fewest. An attack that breaks some units also breaks fewer.
    """
    formula = Formula()
    keep = {unit.province: formula.new(str(unit)) for unit in line.board.units}
    solver = Solver(formula, workers=1)

    def propose() -> Line | None:
        answer = solver.decide(minimise=list(keep.values()))
        if answer.values is None:
            return None
        on_try()
        return line.keeping(province for province, literal in keep.items() if answer.holds(literal))

    def learn(broken: list[Attack]) -> None:
        for attack in broken:
            standing = attack.reinforced(line).line.board.unit_at
            formula.require(*(literal for province, literal in keep.items() if province not in standing))

    return refine(propose, lambda kept: list(attacks(kept)) or None, learn)


# Repair.


def repair(line: Line, on_try: Callable[[], None] = lambda: None) -> Line | None:
    """The line with the fewest units more, and orders for them, that holds; None if no units can make it hold.

    Further units stand behind the line or next to it, and hold or support each other or the line, whose own orders stay. Every
    attack found so far is an encoding of the resolution in which the further units, with their orders, are unknown, and must
    not succeed.
    """
    works = _Works(line)
    solver = Solver(works.formula, workers=1)

    def propose() -> Line | None:
        answer = solver.decide(minimise=list(works.standing.values()))
        if answer.values is None:
            return None
        on_try()
        return works.built(answer)

    def learn(broken: list[Attack]) -> None:
        for attack in broken:
            works.withstand(attack)

    return refine(propose, lambda built: list(attacks(built)) or None, learn)


class _Works:
    """Units that may be added to a line, with their orders, as unknowns."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self.formula = Formula()
        self.guards = {candidate: self.formula.new(f"{candidate[1]}") for candidate in _candidates(line)}
        by_province: dict[ProvinceCode, list[Literal]] = {}
        by_unit: dict[Spot, list[Literal]] = {}
        for (unit, _), guard in self.guards.items():
            by_province.setdefault(unit.province, []).append(guard)
            by_unit.setdefault(Spot(unit.kind, unit.location), []).append(guard)
        self.stands = {spot: self.formula.any_of(guards) for spot, guards in by_unit.items()}
        self.standing = {province: self.formula.any_of(guards) for province, guards in by_province.items()}
        for guards in by_province.values():
            self.formula.require_one_at_most(guards)
        for (_, order), guard in self.guards.items():
            if isinstance(order, SupportHold) and (place := order.supported.province) in self.standing:
                self.formula.require(-guard, self.standing[place])

    def built(self, answer: Answer) -> Line:
        """The line with the units that the solver proposes."""
        chosen = dict(candidate for candidate, guard in self.guards.items() if answer.holds(guard))
        bare = self.line.extended(chosen)
        return self.line.extended({unit: in_full(order, bare.board, bare.rulebook) for unit, order in chosen.items()})

    def withstand(self, attack: Attack) -> None:
        """From now on, no proposal that this attack breaks: it enters nothing protected, or has no room where it stands."""
        enemies = {unit.province for unit in attack.orders}
        ours = {province: literal for province, literal in self.standing.items() if province not in enemies}
        orders: list[Choice] = [(entry, TRUE) for entry in attack.orders.items()]
        orders += [(entry, guard) for entry, guard in self.guards.items() if entry[0].province in ours]
        more = {spot: literal for spot, literal in self.stands.items() if spot.province in ours}
        encoding = encoded(self.line, orders, self.formula, more)
        unbroken = [-encoding.entered(province) for province in self.line.protected]
        unbroken += [self._spared(encoding, province, ours) for province in ours if province not in self.line.protected]
        taken = (self.standing.get(province, FALSE) for province in enemies)
        self.formula.require(self.formula.all_of(unbroken), *taken)

    def _spared(self, encoding: Encoding, province: ProvinceCode, ours: Mapping[ProvinceCode, Literal]) -> Literal:
        """No unit of ours stands there, or none enters."""
        return self.formula.any_of((-ours[province], -encoding.entered(province)))


def _candidates(line: Line) -> Iterator[Candidate]:
    """Every unit that might be added, with every order that it might have."""
    power = line.board.units[0].power
    game_map = line.board.map
    near = line.protected.union(*(game_map.neighbours[code] for code in line.protected)) - line.board.unit_at.keys()
    for kind, place in all_units(game_map):
        if province_of(place) in near:
            unit, named = Unit(power, kind, place), Named(kind, place)
            yield unit, Hold(named)
            for target in sorted({province_of(way) for way in game_map.exits(kind, place)}):
                standing = line.board.unit_at.get(target)
                if standing is not None or target in near:
                    yield unit, SupportHold(named, Named(standing.kind, standing.location) if standing else Named(None, target))
