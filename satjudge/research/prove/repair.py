"""The fewest units more that make a line hold.

Every attack found so far is a copy of the resolution in which the further units, with their orders, are unknown, and must
not succeed. The solver proposes as few units as can be, the attacks that break even so are added, until none is left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from satjudge.board import Unit
from satjudge.geography import ProvinceCode, province_of
from satjudge.orders import Hold, Named, SupportHold
from satjudge.research.prove.attack import Attack
from satjudge.research.prove.examine import attacks
from satjudge.research.prove.line import Line, all_units
from satjudge.research.prove.siege import setting
from satjudge.research.prove.threats import Candidate
from satjudge.research.search.copies import Copy
from satjudge.research.search.proposals import in_full
from satjudge.solve.clauses import FALSE, Formula, Literal
from satjudge.solve.cpsat import Answer, Solver


def repair(line: Line, on_try: Callable[[], None] = lambda: None) -> Line | None:
    """The line with the fewest units more, and orders for them, that holds; None if no units can make it hold.

    Further units stand behind the line or next to it, and hold or support each other or the line, whose own orders stay.
    """
    works = _Works(line)
    solver = Solver(works.formula, workers=1)
    while (answer := solver.decide(minimise=list(works.standing.values()))).values is not None:
        on_try()
        built = works.built(answer)
        broken = list(attacks(built))
        if not broken:
            return built
        for attack in broken:
            works.withstand(attack)
    return None


class _Works:
    """Units that may be added to a line, with their orders, as unknowns."""

    def __init__(self, line: Line) -> None:
        self.line = line
        self.formula = Formula()
        self.guards = {candidate: self.formula.new(f"{candidate[1]}") for candidate in _candidates(line)}
        by_province: dict[ProvinceCode, list[Literal]] = {}
        for (unit, _), guard in self.guards.items():
            by_province.setdefault(unit.province, []).append(guard)
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
        orders: list[tuple[Candidate, Literal]] = [(entry, 1) for entry in attack.orders.items()]
        orders += [(entry, guard) for entry, guard in self.guards.items() if entry[0].province in ours]
        copy = Copy(setting(self.line, orders, self.formula, ours)).posted()
        unbroken = [-copy.entered(province) for province in self.line.protected]
        unbroken += [self._spared(copy, province, ours) for province in ours if province not in self.line.protected]
        taken = (self.standing.get(province, FALSE) for province in enemies)
        self.formula.require(self.formula.all_of(unbroken), *taken)

    def _spared(self, copy: Copy, province: ProvinceCode, ours: Mapping[ProvinceCode, Literal]) -> Literal:
        """No unit of ours stands there, or none enters."""
        return self.formula.any_of((-ours[province], -copy.entered(province)))


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
