"""Settles certain decisions and then one core after another, following DATC 2.4, 5.B.9.

1. A decision that has the same value for all values of the open decisions is settled.
2. If there are no more such decisions, the direct and indirect dependencies of each open decision are listed. A smallest
   list is a core.
3. A core with one resolution gets its values. Otherwise the backup rules settle some of its decisions, and step 1 follows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import TypeAlias

from satjudge.oracles.datc_turn import MoveOrder, find_all_dependencies
from satjudge.oracles.kruijswijk_variants.decisions import Decision, Equations, Kind, make_move_decision
from satjudge.world.geography import ProvinceCode

Values: TypeAlias = dict[Decision, bool]
Table: TypeAlias = list[tuple[Values, bool]]
"""The truth table of a decision: rows with values of the open decisions that it reads, and its value for these."""


class UnknownCoreError(Exception):
    """An error for a core that no backup rule covers."""


class _OpenDecision(Exception):  # noqa: N818  # a signal, not an error
    def __init__(self, decision: Decision) -> None:
        self.decision = decision


def resolve_turn(equations: Equations) -> Values:
    """Solve the equations of a turn, and return the values of all its decisions.

    Raises `UnknownCoreError`.
    """
    known: Values = {}
    undecided = equations.list_decisions()
    while undecided := _settle_certain_decisions(equations, undecided, known):
        tables = {decision: _build_table(equations, decision, known) for decision in undecided}
        core = _find_core(tables)
        resolutions = list(_iter_resolutions([(decision, tables[decision]) for decision in core], {}))
        if len(resolutions) == 1:
            known.update(resolutions[0])
        else:
            _apply_backup_rule(equations, core, resolutions, known)
        undecided = [decision for decision in undecided if decision not in known]
    return known


def _settle_certain_decisions(equations: Equations, undecided: Sequence[Decision], known: Values) -> list[Decision]:
    """Add all decisions to `known` whose values do not depend on open decisions; return the remaining open decisions."""
    left = list(undecided)
    while True:
        found = {}
        for decision in left:
            rows = _iter_rows(equations, decision, known)
            _, first = next(rows)
            if all(result is first for _, result in rows):
                known[decision] = found[decision] = first
        if not found:
            return left
        left = [decision for decision in left if decision not in found]


def _iter_rows(equations: Equations, decision: Decision, known: Mapping[Decision, bool]) -> Iterator[tuple[Values, bool]]:
    """Yield the rows of a decision's truth table: the values of the open decisions that it reads, and its value for these."""
    waiting: list[Values] = [{}]
    while waiting:
        assumed = waiting.pop()

        def get_value(subject: Decision, assumed: Values = assumed) -> bool:
            if subject in known:
                return known[subject]
            if subject in assumed:
                return assumed[subject]
            raise _OpenDecision(subject)

        try:
            result = equations.holds(decision, get_value)
        except _OpenDecision as unread:
            waiting += [{**assumed, unread.decision: value} for value in (False, True)]
        else:
            yield assumed, result


def _build_table(equations: Equations, decision: Decision, known: Mapping[Decision, bool]) -> Table:
    return list(_iter_rows(equations, decision, known))


def _find_direct_dependencies(table: Table) -> set[Decision]:
    """Return the decisions on which a truth table's result depends: those whose change alone can change it."""
    found: set[Decision] = set()
    true = [row for row, result in table if result]
    false = [row for row, result in table if not result]
    for one in true:
        for other in false:
            differing = [decision for decision in one.keys() & other.keys() if one[decision] != other[decision]]
            if len(differing) == 1:
                found.add(differing[0])
    return found


def _find_core(tables: Mapping[Decision, Table]) -> list[Decision]:
    """Return a smallest set of decisions that depend on no decisions outside it, directly or indirectly."""
    direct = {decision: _find_direct_dependencies(table) for decision, table in tables.items()}
    lists = [find_all_dependencies(decision, direct) for decision in direct]
    smallest = min(lists, key=len)
    return [decision for decision in tables if decision in smallest]


def _iter_resolutions(core: Sequence[tuple[Decision, Table]], assumptions: Values) -> Iterator[Values]:
    """Yield all assignments of values to a core's decisions that satisfy their truth tables and the assumptions."""
    values = dict(assumptions)
    while True:
        before = len(values)
        for decision, table in core:
            results = {result for row, result in table if all(values.get(one, value) == value for one, value in row.items())}
            if decision in values and values[decision] not in results:
                return
            if len(results) == 1:
                values[decision] = results.pop()
        if len(values) == before:
            break
    unvalued = next((decision for decision, _ in core if decision not in values), None)
    if unvalued is None:
        yield values
        return
    for value in (False, True):
        yield from _iter_resolutions(core, {**values, unvalued: value})


# ---------------------------------------------------------------- the backup rules


def _apply_backup_rule(equations: Equations, core: Sequence[Decision], resolutions: Sequence[Values], known: Values) -> None:
    """Add to `known` the values that backup rules give to a core without one resolution; record stages of trains they stop."""
    moves = [decision for decision in core if decision.kind is Kind.MOVE]
    if _is_circular(core) and any(all(found[move] for move in moves) for found in resolutions):
        known.update(dict.fromkeys(moves or core, True))  # the moves determine how far a train gets
        return
    fail = [decision for decision in core if decision.kind in (Kind.CONVOY, Kind.CANAL)]
    for train in equations.turn.trains:
        stage = _find_ruled_stage(equations, train, set(core), known)
        if stage is not None:
            equations.ruled.add((train, stage))
            fail.append(Decision(Kind.STAGE, train, stage))
    if not fail:
        fail = [decision for decision in core if decision.kind is Kind.SUPPORT]  # 10.F
    if not fail:
        raise UnknownCoreError(", ".join(f"{decision.kind.name} {decision.order.unit}" for decision in core))
    known.update(dict.fromkeys(fail, False))


def _is_circular(core: Sequence[Decision]) -> bool:
    """Return whether a core is a circle of units that each move to the province that the next one leaves."""
    movers = {move.unit.province: move for decision in core if isinstance(move := decision.order, MoveOrder)}
    if not all(decision.kind in (Kind.MOVE, Kind.STAGE) for decision in core):
        return False
    start = next(iter(movers))
    paths: list[tuple[ProvinceCode, ...]] = [(start,)]
    while paths:
        path = paths.pop()
        move = movers[path[-1]]
        onward = move.stages or (move.province,)
        if start in onward and len(path) == len(movers):
            return True
        paths += [(*path, code) for code in onward if code in movers and code not in path]
    return False


def _find_ruled_stage(
    equations: Equations, train: MoveOrder, core: Set[Decision], known: Mapping[Decision, bool]
) -> int | None:
    """Return the index of a train's last stage in a paradox, preferably where it meets another unit; None if there is none."""
    of_core = [stage for stage in range(len(train.stages)) if Decision(Kind.STAGE, train, stage) in core]
    open_to = [stage for stage in range(len(train.stages)) if _is_attempt_in_core(equations, train, stage, core, known)]
    meeting = [stage for stage in {*of_core, *open_to} if _touches_province(equations, train.stages[stage], core)]
    return max(meeting or of_core, default=None)


def _is_attempt_in_core(
    equations: Equations, train: MoveOrder, stage: int, core: Set[Decision], known: Mapping[Decision, bool]
) -> bool:
    """Return whether the core's decisions determine whether a train tries to enter the province of a stage."""
    asked: set[Decision] = set()

    def get_value(decision: Decision) -> bool:
        if decision not in known:
            asked.add(decision)
        return known.get(decision, True)

    equations.tries_to_enter(train, stage, get_value)
    return bool(asked & core)


def _touches_province(equations: Equations, province: ProvinceCode, core: Set[Decision]) -> bool:
    """Return whether the core has decisions on a province's unit, or on moves to it, their supports or their convoys."""
    turn = equations.turn
    occupant = turn.order_at.get(province)
    moves = turn.moves_to.get(province, [])
    decisions = [Decision(Kind.SUPPORT, support) for move in moves for support in move.supports]
    decisions += [Decision(Kind.CONVOY, convoy) for move in moves for chain in move.chains for convoy in chain]
    decisions += [make_move_decision(move) for move in moves] + ([make_move_decision(occupant)] if occupant else [])
    return any(decision in core for decision in decisions)
