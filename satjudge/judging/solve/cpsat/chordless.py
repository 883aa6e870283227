"""Asks the solver for a chordless path through a fleet, where a search takes too long."""

from __future__ import annotations

from ortools.sat.python import cp_model

from satjudge.judging.legality.waters import bits, members
from satjudge.judging.solve.cpsat.questions import new_solver

SECONDS = 10.0


def chordless_arm(near: tuple[int, ...], start: int, goal: int, free: int, through: int) -> int | None:
    """Find what a chordless path passes from the one shore up to a fleet; nothing if there is none.

    None if it takes too long. The path is a circuit from the one shore to the other and back: it passes no two fleets
    that touch but one after the other, and of each shore one fleet.
    """
    if not start & free or not goal & free:
        return 0
    model = cp_model.CpModel()
    node = {sea: at for at, sea in enumerate(members(free), 1)}
    passed = {sea: model.new_bool_var("") for sea in node}
    arcs = [(at, at, ~passed[sea]) for sea, at in node.items()]
    step: dict[tuple[int, int], cp_model.IntVar] = {}
    for sea, at in node.items():
        for other in members(near[sea] & free):
            step[sea, other] = model.new_bool_var("")
            arcs.append((at, node[other], step[sea, other]))
    for (sea, other), taken in step.items():
        if sea < other:
            model.add_bool_or([~passed[sea], ~passed[other], taken, step[other, sea]])
    arcs += [(0, node[sea], passed[sea]) for sea in members(start & free)]
    arcs += [(node[sea], 0, passed[sea]) for sea in members(goal & free)]
    model.add_circuit(arcs)
    model.add(passed[through] == 1)
    solver = new_solver(SECONDS)
    status = solver.solve(model)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return 0 if status == cp_model.INFEASIBLE else None
    after = {sea: other for (sea, other), taken in step.items() if solver.boolean_value(taken)}
    arm = [next(sea for sea in members(start & free) if solver.boolean_value(passed[sea]))]
    while arm[-1] != through:
        arm.append(after[arm[-1]])
    return bits(arm)
