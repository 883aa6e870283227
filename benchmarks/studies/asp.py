"""Adjudicates a movement phase by logic: clingo solves the equations as an answer-set program.

Source: Lucas B. Kruijswijk, DATC 3.2, chapter 5.B, restated in `asp.lp`; for circular movement and paradoxes also
the procedure of DATC 2.4, 5.B.9. It shares the reading of orders with the other oracles; with satjudge it shares the map, the
board and the orders as given.

The procedure:

1. If the program has exactly one answer set, that is the resolution.
2. Else partial information decides what it can: every decision whose equation has one value for any values of the open
   decisions. The solver is asked for each whether the other value is possible.
3. The solver also says which open decision affects which. Each decision thus has a list of direct and indirect
   dependencies, and the shortest list is a core. A core with one resolution takes it. Else its moves all succeed if it
   has only moves, and its convoys all fail if it has any (DATC 3.2, 5.B.9).
4. Everything is repeated with the core's results instead of its equations.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import clingo

from satjudge.oracles.datc_turn import ConvoyOrder, MoveOrder, Turn, build_answer, find_all_dependencies
from satjudge.oracles.kruijswijk_partial import UnknownCycleError
from satjudge.oracles.oracle import Answer
from satjudge.world.board import Board
from satjudge.world.geography import Power, ProvinceCode
from satjudge.world.orders import MovementOrder

Values = Mapping[ProvinceCode, bool]
"""The values of decisions that are made, by the province of the unit."""


def judge(board: Board, orders: Mapping[Power, Sequence[MovementOrder]]) -> Answer:
    """Adjudicate a movement phase by answer-set programming."""
    turn = Turn(board, orders)
    program = TurnProgram(turn)
    made: dict[ProvinceCode, bool] = {}
    while len(found := program.list_resolutions(made, limit=2)) != 1:
        made |= program.decide_core(made)
    for order in turn.orders:
        order.resolution = found[0].get(order.unit.province, False)
    return build_answer(turn, program.find_contested_provinces(found[0]))


class TurnProgram:
    """The answer-set program of a turn.

    Questions are put to it as assumptions, so that it is grounded only once.
    """

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        self.decisions = [order.unit.province for order in turn.decisions]
        self.control = clingo.Control(["--warn=none"])  # a turn without convoys, say, has no facts about them
        self.control.load(str(Path(__file__).with_suffix(".lp")))
        self.control.add("base", [], "\n".join(_format_facts(turn)))
        self.control.ground([("base", []), ("turn", [clingo.Number(1)])])
        self.has_dependencies = False

    def list_resolutions(self, decided: Values, *, limit: int = 0) -> list[dict[ProvinceCode, bool]]:
        """List the assignments that satisfy the equation of every open decision.

        The list has at most `limit` entries; 0 means no limit.
        """
        return self._list_resolutions(self._list_open_decisions(decided), decided, limit)

    def find_contested_provinces(self, values: Values) -> set[ProvinceCode]:
        """Find the provinces that a failed move contests once all is resolved."""
        with self.control.solve(assumptions=self._list_assumptions(values), yield_=True) as found:
            atoms = [atom for model in found for atom in model.symbols(atoms=True)]
        return {atom.arguments[0].string for atom in atoms if atom.match("contested", 2)}

    def decide_core(self, decided: Values) -> dict[ProvinceCode, bool]:
        """Decide a core by its only resolution or by the backup rule.

        Raises `UnknownCycleError`.
        """
        known = self.settle_certain_decisions(decided)
        core = self.find_core(known)
        others = {
            decision: False for decision in self._list_open_decisions(known) if decision not in core
        }  # they make no difference to it
        resolutions = self._list_resolutions(core, others | known, 0)
        if len(resolutions) == 1:
            return {decision: resolutions[0][decision] for decision in core}
        orders = [self.turn.order_at[decision] for decision in core]
        if convoys := [order.unit.province for order in orders if isinstance(order, ConvoyOrder)]:
            return dict.fromkeys(convoys, False)
        if all(isinstance(order, MoveOrder) for order in orders):
            return dict.fromkeys(core, True)
        raise UnknownCycleError(", ".join(core))

    def settle_certain_decisions(self, decided: Values) -> dict[ProvinceCode, bool]:
        """Return the decisions made so far, and all others with one value for any values of the open ones."""
        known = dict(decided)
        while True:
            assumptions = self._list_assumptions(known)
            possible = {
                decision: [
                    value
                    for value in (False, True)
                    if self._is_satisfiable(assumptions, _make_atom("holds", decision, 1), value)
                ]
                for decision in self._list_open_decisions(known)
            }
            if not (new := {decision: values[0] for decision, values in possible.items() if len(values) == 1}):
                return known
            known |= new

    def find_core(self, known: Values) -> list[ProvinceCode]:
        """Find the shortest list of open decisions that depend on each other and on no other open one."""
        if not self.has_dependencies:
            self.control.ground([("dependencies", []), ("turn", [clingo.Number(2)])])
            self.has_dependencies = True
        unknown = self._list_open_decisions(known)
        reads: dict[ProvinceCode, set[ProvinceCode]] = {decision: set() for decision in unknown}
        for other in unknown:
            assumptions = self._list_assumptions(known, flipped=other)
            for decision in unknown:
                if self._is_satisfiable(assumptions, _make_atom("differs", decision), True):
                    reads[decision].add(other)
        shortest = min((find_all_dependencies(decision, reads) for decision in unknown), key=len)
        return sorted(shortest)

    def _list_resolutions(
        self, satisfied: Collection[ProvinceCode], known: Values, limit: int
    ) -> list[dict[ProvinceCode, bool]]:
        """List the assignments in which the `satisfied` decisions satisfy their equations and the others keep known values."""
        configuration: Any = self.control.configuration
        configuration.solve.models = limit
        with self.control.solve(assumptions=self._list_assumptions(known, satisfied), yield_=True) as found:
            return [
                {decision: model.contains(_make_atom("true", decision, 1)) for decision in self.decisions} for model in found
            ]

    def _list_assumptions(
        self, known: Values, satisfied: Collection[ProvinceCode] = (), flipped: ProvinceCode | None = None
    ) -> list[tuple[clingo.Symbol, bool]]:
        """List assumptions for the solver: known values, decisions that satisfy their equations, and one inverted value."""
        return [
            *((_make_atom("free", decision), decision not in satisfied) for decision in self.decisions),
            *((_make_atom("flipped", decision), decision == flipped) for decision in self.decisions),
            *((_make_atom("true", decision, 1), value) for decision, value in known.items()),
        ]

    def _is_satisfiable(self, assumptions: Sequence[tuple[clingo.Symbol, bool]], atom: clingo.Symbol, value: bool) -> bool:
        return bool(self.control.solve(assumptions=[*assumptions, (atom, value)]).satisfiable)

    def _list_open_decisions(self, known: Values) -> list[ProvinceCode]:
        return [decision for decision in self.decisions if decision not in known]


def _make_atom(name: str, decision: ProvinceCode, *turn: int) -> clingo.Symbol:
    return clingo.Function(name, [clingo.String(decision), *map(clingo.Number, turn)])


def _format_facts(turn: Turn) -> Iterator[str]:
    """Write the facts of a turn in the form that the head of `asp.lp` explains."""
    powers = sorted({unit.power for unit in turn.board.units})
    for unit in turn.board.units:
        yield _format_fact("unit", unit.province, powers.index(unit.power))
    for move in turn.moves:
        yield _format_fact("move", move.unit.province, move.province)
        if move.convoyed:
            yield _format_fact("convoyed", move.unit.province)
    for support in turn.supports:
        if support.matched:
            yield _format_fact("support", support.unit.province, support.supported.province, support.province)
    for convoy in turn.convoys:
        if convoy.matched:
            yield _format_fact("convoy", convoy.unit.province, convoy.army.province)
            for province, seas in turn.board.map.shores.items():
                if convoy.unit.province in seas:
                    yield _format_fact("touches", province, convoy.unit.province)


def _format_fact(name: str, *arguments: str | int) -> str:
    """Write a fact, with numbers for powers and strings for provinces."""
    return f"{name}({', '.join(str(clingo.Number(a) if isinstance(a, int) else clingo.String(a)) for a in arguments)})."
