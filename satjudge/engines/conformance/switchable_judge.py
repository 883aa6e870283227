"""Makes one judge that has all faults in it, each of which is switched on by its name, always or in some circumstances.

To make a judge with a fault takes far longer than to judge with it, and a diagnosis tries hundreds. So each function that a
fault breaks asks at run time which of its faults is on, and whether that one applies to what the function was given. Copies
of modules are made once in a process, and so are the compiled equations. As no fault but those of legality changes what a
situation is made of, the situation of each position is kept.
"""

from __future__ import annotations

import ast
from collections import Counter, OrderedDict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache, reduce
from threading import RLock
from typing import Any, NamedTuple

from satjudge.engines.comparison import answer_from_outcome
from satjudge.engines.conformance.circumstances import make_scene
from satjudge.engines.conformance.conditions import APPLIES, Circumstances, JudgedBoard, make_mask, split_fault
from satjudge.engines.conformance.copies import ModuleCopies, parse_module
from satjudge.engines.conformance.edits import Edit, ExclusiveFaultsError, add_branches, edit_module, list_parameters
from satjudge.engines.conformance.faults import FAULTS, get_edits
from satjudge.engines.conformance.mutations import DECISIONS, get_module_name
from satjudge.engines.positions import AskedPosition
from satjudge.judging.judge import AnyOutcome
from satjudge.oracles.oracle import Answer
from satjudge.world.board import Phase
from satjudge.world.geography import Map
from satjudge.world.rules import Rulebook

ON = "_on"
"""The name by which changed modules know which faults are on."""
AFTER_LEGALITY = {"statement", "backup", "outcome", "retreats", "adjustments"}
"""The modules whose faults leave the legal orders, and what a situation is made of, as they are."""
KEPT = 12_000
"""Situations that are kept."""


class _SituatedPosition(NamedTuple):
    """A position with its docket, its situation and its circumstances."""

    position: AskedPosition
    docket: Any
    situation: Any
    judging: JudgedBoard


class SwitchableJudge:
    """A judge whose faults can be switched on; one thread uses it at a time and holds its `lock`."""

    def __init__(self, faults: Sequence[str]) -> None:
        self.lock = RLock()
        self.circumstances = Circumstances()
        self.numbers: dict[str, int] = {}
        self._functions: dict[str, frozenset[str]] = {}
        self._early: set[str] = set()
        changed, self.numbers = _build_switched_trees(faults)
        self.on = [False] * len(self.numbers)
        for fault in self.numbers:
            edits = get_edits(fault)
            self._functions[fault] = frozenset(edit.function for edit in edits)
            if not {edit.module for edit in edits} <= AFTER_LEGALITY:
                self._early.add(fault)
        self._copies = ModuleCopies(changed, {APPLIES: self.circumstances.are_true, ON: self.on})
        self._modules = {name: self._copies.get_module(f"satjudge.judging.{name}") for name in ("judge", "outcome", "solve")}
        self._situations: OrderedDict[tuple[int, Rulebook], _SituatedPosition] = OrderedDict()
        self._switched_on: tuple[tuple[str, ...], int] = (), 0
        self._maps: dict[int, Map] = {}

    def can_switch_on(self, faults: Collection[str]) -> bool:
        """Return whether some faults, perhaps with circumstances, can be switched on together: no two break one function."""
        bases = {split_fault(fault)[0] for fault in faults}
        if not bases <= self.numbers.keys():
            return False
        return max(Counter(one for base in bases for one in self._functions[base]).values(), default=0) < 2

    def switch_on(self, faults: Iterable[str], under: int = 0) -> None:
        """Switch on these faults and no others; one fault under several conditions applies under each of them.

        The last one applies `under` a condition given by its bits, if there is one.
        """
        wanted = tuple(faults)
        if (wanted, under) == self._switched_on:
            return
        if {split_fault(one)[0] for one in (*wanted, *self._switched_on[0])} & self._early:
            self.clear_caches()
        self.on[:] = [False] * len(self.on)
        masks = [make_mask(split_fault(fault)[1]) for fault in wanted]
        masks[-1:] = [under or mask for mask in masks[-1:]]
        found: dict[int, list[int]] = {}
        for fault, mask in zip(wanted, masks, strict=True):
            number = self.numbers[split_fault(fault)[0]]
            found.setdefault(number, []).append(mask)
            self.on[number] = True
        self.circumstances.set_conditions({number: several if all(several) else [] for number, several in found.items()})
        self._switched_on = wanted, under

    def judge(self, position: AskedPosition, rulebook: Rulebook) -> AnyOutcome:
        """Judge a position with the faults that are on."""
        board = position.board
        self._maps[id(board.map)] = board.map
        early = {split_fault(one)[0] for one in self._switched_on[0]} & self._early
        if early and self.circumstances.are_limited:  # what is remembered of an order may hang on more than it says
            self.clear_caches()
            self._maps[id(board.map)] = board.map
        found: AnyOutcome
        if board.phase is not Phase.MOVEMENT or early:
            self.circumstances.begin_board(board, position.orders)
            found = self._modules["judge"].judge_without_kernel(board, position.orders, rulebook)
        else:
            at = self._situate_position(position, rulebook)
            self.circumstances.resume_board(at.judging)
            found = self._modules["outcome"].Outcome(board, at.docket, self._modules["solve"].adjudicate(at.situation))
        return found

    def answer_position(self, position: AskedPosition, rulebook: Rulebook) -> Answer | None:
        """Answer a position with the faults that are on; None where there is no answer."""
        try:
            return answer_from_outcome(self.judge(position, rulebook))
        except Exception:  # a broken clause can break anything
            return None

    def get_uses(self, fault: str) -> frozenset[int]:
        """Return the circumstances at each use of the rule that a fault breaks, on the position judged last."""
        return frozenset(self.circumstances.uses.get(self.numbers[fault], ()))

    def _situate_position(self, position: AskedPosition, rulebook: Rulebook) -> _SituatedPosition:
        key = id(position), rulebook
        kept = self._situations.get(key)
        if kept is None:
            judge, board = self._modules["judge"], position.board.ensure_possible()
            docket = judge.make_docket(board, position.orders, rulebook)
            situation, judging = (
                judge.build_situation(board, docket, rulebook),
                JudgedBoard(make_scene(board, position.orders), {}),
            )
            kept = self._situations[key] = _SituatedPosition(position, docket, situation, judging)
            if len(self._situations) > KEPT:
                self._situations.popitem(last=False)
        return kept

    def clear_caches(self) -> None:
        """Clear what the maps on which the judge judged have cached for it."""
        for board_map in self._maps.values():
            for one in (board_map, *(value for value in list(board_map.cache.values()) if isinstance(value, Map))):
                for key in [key for key in list(one.cache) if self._copies.owns(key)]:
                    one.cache.pop(key, None)
        self._maps.clear()


@cache
def get_switchable_judge() -> SwitchableJudge:
    """Return the judge that has all faults of the process."""
    return SwitchableJudge(FAULTS)


def _build_switched_trees(faults: Iterable[str]) -> tuple[Mapping[str, ast.Module], dict[str, int]]:
    """Return the syntax trees of modules in which faults can be switched on, and the number of each fault.

    A fault of parts that a function yields cannot be, as these stand in one expression.
    """
    numbers: dict[str, int] = {}
    edits: dict[str, list[tuple[int, list[Edit]]]] = {}
    for fault in faults:
        by_function: dict[str, list[Edit]] = {}
        for edit in get_edits(fault):
            by_function.setdefault(edit.function, []).append(edit)
        if any(_is_generator(function) for function in by_function):
            continue
        number = numbers[fault] = len(numbers)
        for function, several in by_function.items():
            edits.setdefault(function, []).append((number, several))
    trees: dict[str, ast.Module] = {}
    for function in sorted(edits, key=lambda one: -one.count(".")):  # a function within another one first
        name = get_module_name(function)
        whole = parse_module(name)
        branches = [
            (
                _make_fault_test(whole, function, n, several),
                reduce(edit_module, [one.with_fault_number(n) for one in several], whole),
            )
            for n, several in edits[function]
        ]
        trees[name] = add_branches(trees.get(name, whole), function, branches, apart=function.startswith("statement."))
    return trees, numbers


def _is_generator(function: str) -> bool:
    try:
        add_branches(parse_module(get_module_name(function)), function, [])
    except ExclusiveFaultsError:
        return True
    return False


def _make_fault_test(whole: ast.Module, function: str, number: int, edits: Sequence[Edit]) -> ast.expr:
    """Write the test whether a fault is on and applies to an equation's decisions, or to a function's arguments.

    Edits that ask themselves need to know only whether it is on.
    """
    on = f"{ON}[{number}]"
    if not any(one.asks_conditions for one in edits):
        given = [one for one in list_parameters(whole, function) if one in DECISIONS]
        of = ", ".join([str(number), *(given if function.startswith("statement.") else ["*locals().values()"])])
        on += f" and {APPLIES}({of})"
    return ast.parse(on, mode="eval").body
