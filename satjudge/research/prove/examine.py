"""What can be said of a line: that it holds, or how it breaks; which of its units it can do without.

    finding = examine(line)
    finding.holds, finding.attack        # a proof that no attack breaks it, or one that does
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from satjudge.board import Unit
from satjudge.research.prove.attack import Attack
from satjudge.research.prove.line import Line
from satjudge.research.prove.siege import Siege
from satjudge.solve.clauses import Formula
from satjudge.solve.cpsat import Solver


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
    while (answer := solver.decide(minimise=list(keep.values()))).values is not None:
        on_try()
        kept = line.keeping(province for province, literal in keep.items() if answer.holds(literal))
        broken = [_reinforced(attack, line) for attack in attacks(kept)]
        if not broken:
            return kept
        for attack in broken:
            standing = attack.line.board.unit_at
            formula.require(*(literal for province, literal in keep.items() if province not in standing))
    return None


def _reinforced(attack: Attack, line: Line) -> Attack:
    """The same attack on as many units of the line as it can break."""
    for unit in line.board.units:
        kept = attack.line.board.unit_at.keys() | {unit.province}
        stronger = attack.against(line.keeping(kept))
        attack = stronger if stronger.entered else attack
    return attack
