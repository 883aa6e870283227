"""Makes judges with faults from copies of modules: faults are permanent, or are switched on by name.

Making a judge with a fault takes much longer than judging with it, and a diagnosis tries hundreds of faults. Each function that
a fault breaks therefore checks at run time which of its faults is on, and whether it applies to the function's arguments.
Module copies and compiled equations are made only once per process. Only faults in legality change the input of a situation, so
the situation of each position is cached.
"""

from __future__ import annotations

import ast
from collections import Counter, OrderedDict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache, lru_cache, reduce
from itertools import chain
from threading import RLock
from types import MappingProxyType, ModuleType, TracebackType
from typing import Any, NamedTuple, Self

from satjudge.engines.comparison import answer_from_outcome
from satjudge.engines.conformance.circumstances import Scene, find_circumstances, make_scene
from satjudge.engines.conformance.copies import ModuleCopies, parse_module
from satjudge.engines.conformance.edits import (
    APPLIES,
    Edit,
    EditError,
    ExclusiveFaultsError,
    add_branches,
    edit_module,
    list_parameters,
)
from satjudge.engines.conformance.faults import FAULTS, VARIATIONS, Condition, get_edits, split_fault
from satjudge.engines.conformance.mutations import DECISIONS, get_module_name
from satjudge.engines.positions import AskedPosition
from satjudge.judging.judge import AnyOutcome, GivenOrders, find_rulebook, read_orders
from satjudge.oracles.oracle import Answer
from satjudge.world.board import Board, Phase, group_pairs
from satjudge.world.geography import Map, Power
from satjudge.world.orders import Order
from satjudge.world.rules import Rulebook

ON = "_on"
"""The name of the list, in changed modules, that shows which faults are on."""
AFTER_LEGALITY = {"statement", "backup", "outcome", "retreats", "adjustments"}
"""The modules whose faults change neither the legal orders nor the input of a situation."""
KEPT = 12_000
"""The number of cached situations."""


# ---- conditions: facts about the arguments of a rule's function ----

ALWAYS, NEVER = 1, 2
"""The bit of a circumstance that is true at every use of a rule, and of one that is never true."""
_BITS: dict[str, int] = {"": ALWAYS, "nowhere": NEVER}
"""The bit of each circumstance found so far."""


def make_mask(circumstances: Iterable[str]) -> int:
    """Return the bit mask of some circumstances; new circumstances get new bits."""
    mask = 0
    for one in circumstances:
        mask |= _BITS.get(one) or _BITS.setdefault(one, 1 << len(_BITS))
    return mask


@lru_cache(maxsize=100_000)
def list_circumstances(mask: int) -> tuple[str, ...]:
    """List the circumstances whose bits are set in a mask."""
    return tuple([one for one, bit in _BITS.items() if mask & bit & ~ALWAYS])


class JudgedBoard(NamedTuple):
    """A board to judge, with the circumstances found so far for each tuple of rule arguments, by their identities."""

    scene: Scene
    seen: dict[tuple[int, ...], tuple[int, tuple[object, ...]]]


class Circumstances:
    """Decides at each use of a broken rule on the current board whether its fault applies.

    Circumstances are bits of a number, so that a use can be compared quickly with a condition (`make_mask`).
    """

    def __init__(self, conditions: Mapping[int, Sequence[Condition]] = MappingProxyType({})) -> None:
        self._judging: JudgedBoard | None = None
        self.uses: dict[int, set[int]] = {}
        """The circumstances at each use so far of a rule whose fault has a condition, as masks, by the fault's number."""
        self.set_conditions({number: [make_mask(one) for one in several] for number, several in conditions.items()})

    def set_conditions(self, conditions: Mapping[int, Sequence[int]]) -> None:
        """Set each fault's conditions (masks), by its number: it applies if one of them is true, or always if it has none."""
        self.conditions = conditions
        self.are_limited = any(one for several in conditions.values() for one in several)

    def begin_board(self, board: Board, orders: Mapping[Power, Sequence[Any]]) -> None:
        """Set the board and orders on which circumstances depend from now on, and clear the recorded uses of rules."""
        self.resume_board(JudgedBoard(make_scene(board, orders), {}))

    def resume_board(self, judging: JudgedBoard) -> None:
        """Set the current board to one judged before, with the circumstances found for it, and clear the recorded uses."""
        self._judging = judging
        self.uses.clear()

    def are_true(self, number: int | None, *values: object) -> bool:
        """Return whether the fault `number` applies to a rule's arguments (always if None or unconditional); record the use."""
        conditions = self.conditions.get(number) if number is not None else None
        if number is None or not conditions:
            return True
        found = self.find_mask(values)
        self.uses.setdefault(number, set()).add(found)
        return any(found & condition == condition for condition in conditions)

    def find_mask(self, values: tuple[object, ...]) -> int:
        """Return a mask of all circumstances that are true of a rule's arguments; masks are cached for each board.

        Masks for a power's account of builds and removals are not cached, because the account changes.
        """
        if self._judging is None:
            return 0
        scene, seen = self._judging
        if any(type(value).__name__ == "_Account" for value in values):  # its builds and removals change
            return make_mask(find_circumstances(values, scene)) | ALWAYS
        key = tuple(map(id, values))
        found = seen.get(key)
        if found is None:
            found = seen[key] = make_mask(find_circumstances(values, scene)) | ALWAYS, values
        return found[0]


# ---- the judge ----


class Work:
    """Counts the questions judged in this process during a search for causes, to limit the search without a clock."""

    done = 0


WORK = Work()


class _SituatedPosition(NamedTuple):
    """A position with its docket, situation and circumstances."""

    position: AskedPosition
    docket: Any
    situation: Any
    judging: JudgedBoard


class FaultyJudge:
    """A judge with faults that do not affect other judges in the process; its outcomes are instances of its own classes.

    The edits in `always` are permanent. Faults can be switched on, with or without conditions. Only one thread at a time may
    then use the judge, and must hold its `lock`. Use it in a `with` statement, which clears its values from the caches of maps.
    Raises `ExclusiveFaultsError` for changes that exclude each other, and `EditError` for changes that do not fit the source.
    """

    def __init__(self, faults: Sequence[str] = (), always: Sequence[Edit] = ()) -> None:
        self.lock = RLock()
        self.circumstances = Circumstances()
        self.numbers: dict[str, int] = {}
        self._functions: dict[str, frozenset[str]] = {}
        self._early: set[str] = set()
        changed, self.numbers = _build_switched_trees(faults, _change_modules(tuple(always)))
        self.on = [False] * len(self.numbers)
        for fault in self.numbers:
            edits = get_edits(fault)
            self._functions[fault] = frozenset(edit.function for edit in edits)
            if not {edit.module for edit in edits} <= AFTER_LEGALITY:
                self._early.add(fault)
        self._copies = ModuleCopies(changed, {APPLIES: self.circumstances.are_true, ON: self.on})
        self._modules = {name: self.get_module(f"satjudge.judging.{name}") for name in ("judge", "outcome", "solve")}
        self._situations: OrderedDict[tuple[int, Rulebook], _SituatedPosition] = OrderedDict()
        self._switched_on: tuple[tuple[str, ...], int] = (), 0
        self._maps: dict[int, Map] = {}

    def can_switch_on(self, faults: Collection[str]) -> bool:
        """Return whether these faults can be on together: the judge has all of them, and no two change the same function."""
        bases = {split_fault(fault)[0] for fault in faults}
        if not bases <= self.numbers.keys():
            return False
        return max(Counter(one for base in bases for one in self._functions[base]).values(), default=0) < 2

    def switch_on(self, faults: Iterable[str], condition: int = 0) -> None:
        """Switch on exactly these faults, the last under `condition` if not 0; of several conditions of a fault, one is enough.

        `condition` is a mask, which replaces the condition in the name of the last fault.
        """
        wanted = tuple(faults)
        if (wanted, condition) == self._switched_on:
            return
        if {split_fault(one)[0] for one in (*wanted, *self._switched_on[0])} & self._early:
            self.close()
        self.on[:] = [False] * len(self.on)
        masks = [make_mask(split_fault(fault)[1]) for fault in wanted]
        masks[-1:] = [condition or mask for mask in masks[-1:]]
        found: dict[int, list[int]] = {}
        for fault, mask in zip(wanted, masks, strict=True):
            number = self.numbers[split_fault(fault)[0]]
            found.setdefault(number, []).append(mask)
            self.on[number] = True
        self.circumstances.set_conditions({number: several if all(several) else [] for number, several in found.items()})
        self._switched_on = wanted, condition

    def get_module(self, name: str) -> ModuleType:
        """Return the judge's own copy of a module such as `satjudge.judging.check`, or the original if no change affects it."""
        return self._copies.get_module(name)

    def judge(self, board: Board, orders: GivenOrders, *, rulebook: Rulebook | str | None = None) -> AnyOutcome:
        """Judge the phase of a board like `satjudge.judging.judge.judge_phase`, with the faults that are on."""
        return self.judge_read(board, read_orders(board.ensure_possible(), orders), find_rulebook(rulebook))

    def judge_read(self, board: Board, orders: Mapping[Power, Sequence[Order]], rulebook: Rulebook) -> AnyOutcome:
        """Judge parsed orders like `satjudge.judging.judge.judge_without_kernel`, with the faults that are on."""
        self._begin_board(board, orders)
        found: AnyOutcome = self._modules["judge"].judge_without_kernel(board, orders, rulebook)
        return found

    def judge_position(self, position: AskedPosition, rulebook: Rulebook) -> AnyOutcome:
        """Judge a position with the faults that are on, reusing its cached situation unless one of these faults changes it."""
        WORK.done += 1
        found: AnyOutcome
        if position.board.phase is not Phase.MOVEMENT or self._is_early:
            found = self.judge_read(position.board, position.orders, rulebook)
        else:
            at = self._situate_position(position, rulebook)
            self._maps[id(position.board.map)] = position.board.map
            self.circumstances.resume_board(at.judging)
            found = self._modules["outcome"].Outcome(position.board, at.docket, self._modules["solve"].adjudicate(at.situation))
        return found

    def _begin_board(self, board: Board, orders: Mapping[Power, Sequence[Order]]) -> None:
        """Prepare to judge another board; clear cached legal orders if a fault that is on makes them depend on the board."""
        if self._is_early and self.circumstances.are_limited:
            self.close()
        self._maps[id(board.map)] = board.map
        self.circumstances.begin_board(board, orders)

    @property
    def _is_early(self) -> bool:
        """True if a fault that is on changes which orders are legal."""
        return not self._early.isdisjoint(split_fault(one)[0] for one in self._switched_on[0])

    def answer_position(self, position: AskedPosition, rulebook: Rulebook) -> Answer | None:
        """Judge a position with the faults that are on and return the answer; None if judging fails."""
        try:
            return answer_from_outcome(self.judge_position(position, rulebook))
        except Exception:  # a broken clause can break anything
            return None

    def get_uses(self, fault: str) -> frozenset[int]:
        """Return the circumstances (as masks) at each use of a fault's rule in the position that was judged last."""
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

    def close(self) -> None:
        """Remove the values that this judge stored in the caches of maps."""
        for board_map in self._maps.values():
            for one in (board_map, *(value for value in list(board_map.cache.values()) if isinstance(value, Map))):
                for key in [key for key in list(one.cache) if self._copies.owns(key)]:
                    one.cache.pop(key, None)
        self._maps.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self.close()


@cache
def get_switchable_judge() -> FaultyJudge:
    """Return the only judge of the process in which all faults can be switched on and off."""
    return FaultyJudge(FAULTS)


def make_faulty_judge(names: Iterable[str]) -> FaultyJudge:
    """Make a judge with these faults, given by name, on.

    Raises `ExclusiveFaultsError` for faults that exclude each other.
    """
    several = sorted(names, key=lambda one: split_fault(one)[0] in VARIATIONS)  # their patterns are more specific
    if any(split_fault(one)[1] for one in several):
        judge = FaultyJudge(list(dict.fromkeys(split_fault(one)[0] for one in several)))
        if not judge.can_switch_on(several):
            return _combine_in_functions(several)
        judge.switch_on(several)
        return judge
    try:
        return FaultyJudge(always=[edit for one in several for edit in get_edits(one)])
    except EditError as error:
        if len(several) < 2:
            raise
        for one in several:  # raise the error of a fault that cannot even be made alone
            FaultyJudge(always=get_edits(one))
        raise ExclusiveFaultsError(str(error)) from error


def _combine_in_functions(faults: Sequence[str]) -> FaultyJudge:
    """Make a judge with these faults on, some of which change the same function but test their own conditions.

    Raises `ExclusiveFaultsError` if faults in the same function do not test their own conditions.
    """
    bases = list(dict.fromkeys(split_fault(fault)[0] for fault in faults))
    functions = {base: {edit.function for edit in get_edits(base)} for base in bases}
    counts = Counter(chain.from_iterable(functions.values()))
    alone = [base for base in bases if all(counts[function] < 2 for function in functions[base])]
    numbers = {base: number for number, base in enumerate((base for base in bases if base not in alone), len(alone))}
    edits = [edit.with_fault_number(number) for base, number in numbers.items() for edit in get_edits(base)]
    if not all(APPLIES in (edit.new or "") and edit.module in AFTER_LEGALITY for edit in edits):
        raise ExclusiveFaultsError(f"no judge can have these faults at the same time: {' and '.join(faults)}")
    try:
        judge = FaultyJudge(alone, always=edits)
    except EditError as error:
        raise ExclusiveFaultsError(str(error)) from error
    judge.switch_on([fault for fault in faults if split_fault(fault)[0] in alone])
    masks = {
        number: [make_mask(condition) for base, condition in map(split_fault, faults) if base == shared and condition]
        for shared, number in numbers.items()
    }
    judge.circumstances.set_conditions({**judge.circumstances.conditions, **masks})
    return judge


@lru_cache(maxsize=256)
def _change_modules(edits: tuple[Edit, ...]) -> Mapping[str, ast.Module]:
    """Return the syntax trees of the modules that the edits change, with the edits applied, by module name."""
    trees: dict[str, ast.Module] = {}
    for edit in edits:
        name = get_module_name(edit.function)
        trees[name] = edit_module(trees.get(name) or parse_module(name), edit.with_fault_number(None))
    return trees


def _build_switched_trees(
    faults: Iterable[str], changed: Mapping[str, ast.Module]
) -> tuple[Mapping[str, ast.Module], dict[str, int]]:
    """Return syntax trees by module, based on `changed`, in which faults can be switched on, and the number of each such fault.

    A fault in a function that yields parts of an equation cannot be switched on, since these are parts of one expression.
    """
    numbers: dict[str, int] = {}
    edits: dict[str, list[tuple[int, list[Edit]]]] = {}
    for fault in faults:
        by_function = group_pairs((edit.function, edit) for edit in get_edits(fault))
        if any(_is_generator(function) for function in by_function):
            continue
        number = numbers[fault] = len(numbers)
        for function, several in by_function.items():
            edits.setdefault(function, []).append((number, several))
    trees = dict(changed)
    for function in sorted(edits, key=lambda one: -one.count(".")):  # a function within another one first
        name = get_module_name(function)
        whole = changed.get(name) or parse_module(name)
        branches = [
            (
                _make_fault_test(whole, function, n, several),
                reduce(edit_module, [one.with_fault_number(n) for one in several], whole),
            )
            for n, several in edits[function]
        ]
        trees[name] = add_branches(trees.get(name, whole), function, branches, as_functions=function.startswith("statement."))
    return trees, numbers


@lru_cache
def _is_generator(function: str) -> bool:
    try:
        add_branches(parse_module(get_module_name(function)), function, [])
    except ExclusiveFaultsError:
        return True
    return False


def _make_fault_test(whole: ast.Module, function: str, number: int, edits: Sequence[Edit]) -> ast.expr:
    """Return an expression that tests whether a fault is on and applies to the arguments of a function.

    If the fault's edits test their own conditions, it only tests whether the fault is on. `whole` is the module's syntax tree.
    """
    on = f"{ON}[{number}]"
    if not any(one.asks_conditions for one in edits):
        given = [one for one in list_parameters(whole, function) if one in DECISIONS]
        arguments = ", ".join([str(number), *(given if function.startswith("statement.") else ["*locals().values()"])])
        on += f" and {APPLIES}({arguments})"
    return ast.parse(on, mode="eval").body
