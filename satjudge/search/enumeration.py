"""Counts all boards with orders in a universe that meet a goal, and how many different kinds there are.

    enumeration = Enumeration(Search(universe, goal, most_units=3)).run()
    enumeration.totals      # by number of units

Boards that no question of the search allows need not be judged (`satjudge.search.open_orders.question`). All others are judged:
each set of units with orders that the solver finds is judged with every way to assign powers to the units, and then excluded.
Boards that differ only in the power names are counted once if those powers are neither on the given board nor in the goal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from satjudge.base.values import brief, replace
from satjudge.search.formulas.cpsat import Solver
from satjudge.search.goals.judged_position import Judged, find_never_legal_orders
from satjudge.search.open_orders.proposal import Proposal, complete_order, is_isomorphic, isomorphism_digest
from satjudge.search.open_orders.question import Question
from satjudge.search.search import OutOfTime, Round, Search, Status
from satjudge.world.board import Board
from satjudge.world.geography import Power


@dataclass(frozen=True, slots=True)
class Total:
    """For a number of units, the number of boards with orders that meet a goal, and the number of different kinds (`unlike`).

    Boards are of one kind if they differ only in the province names and powers.
    """

    units: int
    boards: int
    unlike: int


@dataclass
class Enumeration:
    """The boards of a universe that meet a goal.

    If `search.complete` is false, time ran out and there may be more boards.
    """

    search: Search
    found: dict[int, int] = field(default_factory=dict)
    """The number of boards with orders, by the number of units."""
    unlike: dict[tuple[int, str], list[Judged]] = field(default_factory=dict)
    """One board of each kind, by the number of units and the digest of its kind."""
    _seen: list[Proposal] = field(default_factory=list, repr=False)

    __repr__ = brief

    def run(self) -> Enumeration:
        """Count boards that meet the goal until time is up; set the search's answers (one per kind) and status; return this."""
        search = self.search
        try:
            for case, question in search.iter_questions(exact=True):
                for proposal in self._seen:
                    question.orders.forbid_placement(proposal)
                held = [self._count_proposal(proposal) for proposal in self._iter_placements(question)]
                size, refused = (question.formula.size, len(question.formula.clauses)), held.count(False)
                search.rounds.append(Round(str(case), None, *size, refused, "found" if any(held) else "none"))
            search.complete = True
        except OutOfTime:
            pass  # keep what was counted
        finally:  # also after an interruption
            search.answers = [judged for _, kinds in sorted(self.unlike.items()) for judged in kinds]
            if search.complete:
                search.status = Status.FOUND if search.answers else Status.NONE
        return self

    @property
    def totals(self) -> list[Total]:
        """The totals for each number of units that occurs, the smallest first."""
        kinds = {units: sum(len(group) for (n, _), group in self.unlike.items() if n == units) for units in self.found}
        return [Total(units, boards, kinds[units]) for units, boards in sorted(self.found.items())]

    def _iter_placements(self, question: Question) -> Iterator[Proposal]:
        """Yield every set of units with orders once, as a proposal with some powers for the units, and exclude it."""
        for proposal in self.search.iter_proposals(question, Solver, self._format_progress):
            self._seen.append(proposal)
            yield proposal
            question.orders.forbid_placement(proposal)

    def _format_progress(self) -> str:
        return f"{self.search.goal}: {sum(self.found.values()):,} found, {len(self._seen):,} examined"

    def _count_proposal(self, proposal: Proposal) -> bool:
        """Add to the counts the boards with these units and orders and any powers that meet the goal; return whether any do."""
        goal, universe, before = self.search.goal, self.search.universe, sum(self.found.values())
        for shared in iter_power_assignments(proposal, self.search):
            if find_never_legal_orders(shared, universe.rulebooks):
                continue
            judged = Judged(shared, universe.rulebook)
            if judged.longest_route <= universe.longest_route and goal.holds(judged):
                units = len(shared.board.units)
                self.found[units] = self.found.get(units, 0) + 1
                kinds = self.unlike.setdefault((units, isomorphism_digest(shared)), [])
                if not any(is_isomorphic(shared, other.proposal) for other in kinds):
                    kinds.append(judged)
        return sum(self.found.values()) > before


def iter_power_assignments(proposal: Proposal, search: Search) -> Iterator[Proposal]:
    """Yield the proposal with every assignment of powers to its free units, except those that differ only in unused names."""
    universe = search.universe
    standing = {unit.province: unit.power for unit in universe.units}
    free = [unit for unit in proposal.board.units if unit.province not in standing]
    mentioned = [power for power in universe.map.powers if power in str(search.goal)]
    for powers in _iter_power_choices(len(free), [*dict.fromkeys([*standing.values(), *mentioned])], universe.map.powers):
        powers_by_province = standing | {unit.province: power for unit, power in zip(free, powers, strict=True)}
        units = tuple(replace(unit, power=powers_by_province[unit.province]) for unit in proposal.board.units)
        board = Board(tuple(sorted(units, key=lambda unit: (unit.power, unit.location))), map=universe.map)
        orders = {place: complete_order(order, board, *universe.rulebooks) for place, order in proposal.by_province.items()}
        yield Proposal(board, orders, proposal.chosen)


def _iter_power_choices(number: int, used_powers: Sequence[Power], powers: Sequence[Power]) -> Iterator[tuple[Power, ...]]:
    """Yield each tuple of `number` powers; of the powers not used so far, only the first is tried at each place."""
    if number == 0:
        yield ()
        return
    for power in (*used_powers, *[power for power in powers if power not in used_powers][:1]):
        for others in _iter_power_choices(number - 1, [*dict.fromkeys((*used_powers, power))], powers):
            yield (power, *others)
