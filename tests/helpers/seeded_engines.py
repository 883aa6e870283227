"""Engines with one known mistake each, or two, for the diagnosis that must name it: as Python functions, and as programs.

`program` is the command that starts one, which speaks the batch format on its standard streams.

Those of the kind `oracle` are Kruijswijk's procedure (satjudge/oracles), which shares no rule with the statement, with a
piece of its source changed, `pairs` with two; those of the kind `statement` are satjudge with a fault
(satjudge/engines/conformance/faults.py); those of the kind `direct` contradict themselves, have another map, or give no answer.
"""

from __future__ import annotations

import json
import shlex
import sys
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from time import sleep
from typing import Any

from helpers import broken_engine
from satjudge.engines.campaign import make_campaign
from satjudge.engines.comparison import answer_from_outcome
from satjudge.engines.conformance.diagnosis import diagnose_engine
from satjudge.engines.conformance.evidence import make_recording_campaign
from satjudge.engines.conformance.faults import VARIATIONS, is_conditional, split_fault
from satjudge.engines.conformance.mutations import MUTATIONS
from satjudge.engines.conformance.switchable_judge import make_faulty_judge
from satjudge.engines.documents.conformance import Diagnosis
from satjudge.engines.kit.parts import PARTS, load_stored_questions
from satjudge.engines.kit.run import ask_kit
from satjudge.engines.positions import AskedPosition, ListedPositions, PhaseOrder, parse_position
from satjudge.judging.judge import judge_parsed_orders
from satjudge.judging.solve import Engine
from satjudge.oracles import datc_turn, kruijswijk_partial
from satjudge.oracles.oracle import Answer, Oracle
from satjudge.world.board import Board, Phase
from satjudge.world.geography import Map, Power, load_map
from satjudge.world.orders import Convoy
from satjudge.world.rules import load_rulebook

EVIDENCE = ("datc", "catalogue", "clauses", "options", "retreats", "adjustments")
PAIRS = 20
TESTS = Path(__file__).parents[1]
Judge = Callable[[AskedPosition], Answer]


@dataclass(frozen=True)
class Seed:
    """An engine with a known mistake."""

    name: str
    kind: str
    expected: tuple[str, ...]
    """What the diagnosis must name: one of these causes, settings or faults; of a pair all."""
    rules: str = "datc-3"
    settings: tuple[str, ...] = ()
    parts: tuple[str, ...] = EVIDENCE
    """The parts of the kit that it is asked."""


# ---- Kruijswijk's procedure with pieces of its source changed ----

PARTIAL, TURN = kruijswijk_partial, datc_turn
ORACLE: Mapping[str, tuple[tuple[str, ...], tuple[tuple[types.ModuleType, str, str], ...]]] = {
    "defend without supports": (("DEFEND without supports",), ((PARTIAL, '(DATC 5.B.7)."""\n        return 1 + len(self._list_given_supports(move.supports, optimistic))', 'x"""\n        return 1'),)),
    "defend without the attacker's supports": (("DEFEND without supports by the attacker's power",), ((PARTIAL, '(DATC 5.B.7)."""\n        return 1 + len(self._list_given_supports(move.supports, optimistic))', 'x"""\n        return 1 + sum(s.unit.power != self.order_at[move.province].unit.power for s in self._list_given_supports(move.supports, optimistic))'),)),
    "prevent without supports": (("PREVENT without supports",), ((PARTIAL, "            return 0\n        return 1 + len(self._list_given_supports(move.supports, optimistic))\n\n    def _defend", "            return 0\n        return 1\n\n    def _defend"),)),
    "prevent without foreign supports": (("PREVENT without foreign supports",), ((PARTIAL, "            return 0\n        return 1 + len(self._list_given_supports(move.supports, optimistic))\n\n    def _defend", "            return 0\n        return 1 + sum(s.unit.power == move.unit.power for s in self._list_given_supports(move.supports, optimistic))\n\n    def _defend"),)),
    "prevent without the attacked power's supports": (("PREVENT without supports by the power of the unit attacked",), ((PARTIAL, "            return 0\n        return 1 + len(self._list_given_supports(move.supports, optimistic))\n\n    def _defend", "            return 0\n        there = self.order_at.get(move.province)\n        return 1 + sum(there is None or s.unit.power != there.unit.power for s in self._list_given_supports(move.supports, optimistic))\n\n    def _defend"),)),
    "prevent by losers of head-to-head battles": (("PREVENT by the loser of a head-to-head battle",), ((PARTIAL, "if opposing and self._resolve(opposing, not optimistic):\n            return 0", "if False:\n            return 0"),)),
    "prevent without a path": (("PREVENT without PATH",), ((PARTIAL, '4.A.7 b)."""\n        if not self._has_path(move, optimistic):', '"""\n        if False:'),)),
    "hold without supports": (("HOLD without supports",), ((PARTIAL, "return 1 + len(self._list_given_supports(self.hold_supports.get(province, ()), optimistic))", "return 1"),)),
    "hold without foreign supports": (("HOLD without foreign supports",), ((PARTIAL, "return 1 + len(self._list_given_supports(self.hold_supports.get(province, ()), optimistic))", "return 1 + sum(s.unit.power == order.unit.power for s in self._list_given_supports(self.hold_supports.get(province, ()), optimistic))"),)),
    "hold of a place that was left": (("HOLD of a place that was left",), ((PARTIAL, "return 0 if self._resolve(order, not optimistic) else 1", "return 1"),)),
    "hold of an empty place": (("HOLD of an empty place",), ((PARTIAL, "if order is None:\n            return 0\n        if isinstance", "if order is None:\n            return 1\n        if isinstance"),)),
    "hold one too little": (("HOLD one too little",), ((PARTIAL, "return 0 if self._resolve(order, not optimistic) else 1", "return 0"), (PARTIAL, "return 1 + len(self._list_given_supports(self.hold_supports.get(province, ()), optimistic))", "return len(self._list_given_supports(self.hold_supports.get(province, ()), optimistic))"))),
    "moves into one's own unit": (("ATTACK on a unit of one's own power",), ((PARTIAL, "if attacked.unit.power == move.unit.power:\n            return 0", "if False:\n            return 0"),)),
    "help against one's own unit": (("ATTACK helped by the unit's own power",), ((PARTIAL, "return 1 + sum(support.unit.power != attacked.unit.power for support in supports)", "return 1 + len(supports)"),)),
    "attack without supports": (("ATTACK without supports", "ATTACK without foreign supports"), ((PARTIAL, "return 1 + len(supports)\n        if attacked", "return 1\n        if attacked"),)),
    "attack on units that stay without supports": (("ATTACK without foreign supports",), ((PARTIAL, "return 1 + sum(support.unit.power != attacked.unit.power for support in supports)", "return 1"),)),
    "attack as if no unit ever left": (("ATTACK of a unit that never leaves",), ((PARTIAL, "return isinstance(attacked, MoveOrder) and not self.head_to_head(move) and self._resolve(attacked, optimistic)", "return False"),)),
    "attack as if every unit left": (("ATTACK as if every unit left",), ((PARTIAL, "if attacked is None or self._is_moving_away(attacked, move, optimistic):", "if True:"),)),
    "supports never cut": (("SUPPORT never cut",), ((PARTIAL, "return move.unit.power != support.unit.power and self._has_path(move, optimistic)", "return self._resolve(move, optimistic)"),)),
    "supports cut by one's own units": (("SUPPORT cut by its own power",), ((PARTIAL, "return move.unit.power != support.unit.power and self._has_path(move, optimistic)", "return self._has_path(move, optimistic)"),)),
    "supports cut without a path": (("SUPPORT cut without PATH",), ((PARTIAL, "return move.unit.power != support.unit.power and self._has_path(move, optimistic)", "return move.unit.power != support.unit.power"),)),
    "supports cut from where they are directed at": (("SUPPORT cut from where it is directed at",), ((PARTIAL, "if move.unit.province == support.province:", "if False:"),)),
    "supports given by dislodged units": (("SUPPORT given by a dislodged unit",), ((PARTIAL, "return self._resolve(move, optimistic)\n        return move.unit.power", "return False\n        return move.unit.power"),)),
    "supports in place never cut": (("SUPPORT in place never cut",), ((PARTIAL, "return move.unit.power != support.unit.power and self._has_path(move, optimistic)", "return bool(support.destinations) and move.unit.power != support.unit.power and self._has_path(move, optimistic) or self._resolve(move, optimistic)"),)),
    "supports of moves never cut": (("SUPPORT of a move never cut",), ((PARTIAL, "return move.unit.power != support.unit.power and self._has_path(move, optimistic)", "return not support.destinations and move.unit.power != support.unit.power and self._has_path(move, optimistic) or self._resolve(move, optimistic)"),)),
    "supports cut only by moves that succeed": (("SUPPORT never cut",), ((PARTIAL, "return move.unit.power != support.unit.power and self._has_path(move, optimistic)", "return move.unit.power != support.unit.power and self._resolve(move, optimistic) or self._resolve(move, optimistic)"),)),
    "supports not cut by convoyed armies": (("SUPPORT never cut by a convoyed army",), ((PARTIAL, "return move.unit.power != support.unit.power and self._has_path(move, optimistic)", "return move.unit.power != support.unit.power and not move.convoyed and self._has_path(move, optimistic) or self._resolve(move, optimistic)"),)),
    "supports given whatever the supported unit does": (("SUPPORT given without the supported order",), ((TURN, "            return \"given\" if order.resolution else \"cut\"", "            return \"given\" if order.resolution else \"cut\"\n        case SupportOrder():\n            return \"given\""),)),
    "a moving unit supported in place": (("a unit ordered to move supported in place",), ((TURN, "        support.matched = order.destination in support.destinations  # DATC 4.B.4\n        supports = order.supports", "        support.matched = order.destination in support.destinations or not support.destinations\n        supports = order.supports if support.destinations else hold_supports.setdefault(support.supported.province, [])"), (PARTIAL, "return 0 if self._resolve(order, not optimistic) else 1", "return 0 if self._resolve(order, not optimistic) else 1 + len(self._list_given_supports(self.hold_supports.get(province, ()), optimistic))"))),
    "move supports for whatever move": (("a move support for any order", "a support of a move to another place counts as well, 6.D.28"), ((TURN, "support.matched = order.destination in support.destinations  # DATC 4.B.4", "support.matched = bool(support.destinations)"),)),
    "convoys by dislodged fleets": (("CONVOY by a dislodged fleet",), ((PARTIAL, "return not any(self._resolve(move, not optimistic) for move in self.moves_to.get(convoy.unit.province, ()))", "return True"),)),
    "convoys broken by any attack": (("CONVOY broken by every attack",), ((PARTIAL, "return not any(self._resolve(move, not optimistic) for move in self.moves_to.get(convoy.unit.province, ()))", "return not self.moves_to.get(convoy.unit.province)"),)),
    "armies need no convoy": (("PATH without a route", "MOVE and ATTACK without PATH"), ((PARTIAL, "return not move.convoyed or any(", "return True or any("),)),
    "one fleet of a route suffices": (("PATH through one fleet of a route",), ((PARTIAL, "any(all(self._resolve(convoy, optimistic) for convoy in chain) for chain in move.chains)", "any(any(self._resolve(convoy, optimistic) for convoy in chain) for chain in move.chains)"),)),
    "every route must be free": (("4.A.1=any-route", "PATH only if every route is free"), ((PARTIAL, "return not move.convoyed or any(all(self._resolve(convoy, optimistic) for convoy in chain) for chain in move.chains)", "return not move.convoyed or bool(move.chains) and all(all(self._resolve(convoy, optimistic) for convoy in chain) for chain in move.chains)"),)),
    "no head-to-head battles": (("never head-to-head",), ((TURN, "return None if move.convoyed or opposing.convoyed else opposing", "return None"),)),
    "head-to-head although convoyed": (("head-to-head although convoyed",), ((TURN, "return None if move.convoyed or opposing.convoyed else opposing", "return opposing"),)),
    "head-to-head although the other is convoyed": (("head-to-head although the other is convoyed",), ((TURN, "return None if move.convoyed or opposing.convoyed else opposing", "return None if move.convoyed else opposing"),)),
    "head-to-head battles against HOLD": (("MOVE without DEFEND", "MOVE against DEFEND without a head-to-head battle"), ((PARTIAL, "resistance = self._defend_strength(opposing, not optimistic)", "resistance = self._hold_strength(move.province, not optimistic)"),)),
    "rivals do not matter": (("MOVE without rivals",), ((PARTIAL, "            if rival is not move\n", "            if False\n"),)),
    "circles bounce": (("circular movement fails, 6.C.1",), ((PARTIAL, "        for move in moves:\n            settle_order(move, True)", "        for move in moves:\n            settle_order(move, False)"),)),
    "paradoxes settled for the convoys": (("Szykman's rule: the convoy succeeds, 6.F.17",), ((PARTIAL, "settle_order(convoy, False)", "settle_order(convoy, True)"),)),
    "all hold": (("4.A.2=all-hold",), ((PARTIAL, "    if convoys:\n        for convoy in convoys:\n            settle_order(convoy, False)", "    if convoys:\n        for order in (*convoys, *moves):\n            settle_order(order, False)"),)),
    "by convoy only if it says so": (("4.A.3=explicit", "convoyed only where it says so"), ((TURN, "intended = move.via_convoy or any(convoy.unit.power == move.unit.power for convoy in convoys.values())", "intended = move.via_convoy"),)),
    "by convoy whosever fleet": (("convoyed by a foreign fleet's order", "4.A.3=always"), ((TURN, "any(convoy.unit.power == move.unit.power for convoy in convoys.values())", "bool(convoys)"),)),
    "by convoy only where land fails": (("convoyed only where land fails",), ((TURN, "intended = move.via_convoy or any(convoy.unit.power == move.unit.power for convoy in convoys.values())", "intended = False"),)),
    "retreats to the attacker's origin": (("a unit may retreat to where its attacker came from, 6.H.5",), ((TURN, "barred = closed if attacker.convoyed else closed | {attacker.unit.province}", "barred = closed"),)),
    "no retreats to a convoyed attacker's origin": (("4.A.5=barred",), ((TURN, "barred = closed if attacker.convoyed else closed | {attacker.unit.province}", "barred = closed | {attacker.unit.province}"),)),
    "retreats to stand-offs": (("a unit may retreat to where units bounced, 6.H.6",), ((TURN, "closed = {unit.province for unit in standing} | contested", "closed = {unit.province for unit in standing}"),)),
    "the last of several orders": (("4.D.3=last",), ((TURN, "first.setdefault(order.unit.province, order)", "first[order.unit.province] = order"),)),
}  # fmt: skip


CONDITIONAL: Mapping[str, tuple[tuple[str, ...], tuple[tuple[types.ModuleType, str, str], ...]]] = {
    "only own fleets convoy": (("a convoy order matches no army", "CONVOY never", "PATH never by convoy", "PATH by no route over some fleets", "a legal order does not count"), ((TURN, "if order.army is move.unit and order.province == move.province", "if order.army is move.unit and order.province == move.province and order.unit.power == move.unit.power"),)),
    "the disrupted fleet's army still bounces": (("PREVENT without PATH",), ((PARTIAL, '4.A.7 b)."""\n        if not self._has_path(move, optimistic):', '"""\n        if not move.chains and not self._has_path(move, optimistic):'),)),
    "two convoys that swap fight": (("head-to-head although convoyed", "head-to-head always"), ((TURN, "return None if move.convoyed or opposing.convoyed else opposing", "return None if move.convoyed != opposing.convoyed else opposing"),)),
    "supports in place not cut by convoyed armies": (("SUPPORT never cut", "SUPPORT in place never cut", "SUPPORT never cut by a convoyed army", "SUPPORT always given"), ((PARTIAL, "return move.unit.power != support.unit.power and self._has_path(move, optimistic)", "return move.unit.power != support.unit.power and (bool(support.destinations) or not move.convoyed) and self._has_path(move, optimistic)"),)),
    "supports not cut by the convoyed": (("SUPPORT never cut", "SUPPORT never cut by a convoyed army", "SUPPORT always given", "SUPPORT lost"), ((PARTIAL, "        if move.unit.province == support.province:\n", "        if move.unit.province == support.province and move.convoyed:\n            return False\n        if move.unit.province == support.province:\n"),)),
    "circles with a convoy fail": (("circular movement fails, 6.C.1",), ((PARTIAL, "        for move in moves:\n            settle_order(move, True)", "        for move in moves:\n            settle_order(move, not any(one.convoyed for one in moves))"),)),
    "fleets do not cut supports of armies": (("SUPPORT never cut",), ((PARTIAL, "return move.unit.power != support.unit.power and self._has_path(move, optimistic)", "return move.unit.power != support.unit.power and not (move.unit.kind == 'F' and support.unit.kind == 'A') and self._has_path(move, optimistic)"),)),
    "supports of foreign units in place do not count for fleets": (("HOLD without foreign supports", "HOLD without supports"), ((PARTIAL, "return 1 + len(self._list_given_supports(self.hold_supports.get(province, ()), optimistic))", "return 1 + sum(s.unit.power == order.unit.power or order.unit.kind == 'A' for s in self._list_given_supports(self.hold_supports.get(province, ()), optimistic))"),)),
}  # fmt: skip
"""Kruijswijk's procedure with mistakes that it makes in some cases only; named are rules that must be told with a condition."""


# ---- engines that contradict themselves, have another map, or give no answer ----


def _right(board: Board, orders: Mapping[Power, Sequence[PhaseOrder]]) -> Answer:
    return answer_from_outcome(judge_parsed_orders(board, orders, load_rulebook()))


def _on_map(change: Callable[[Map], Map]) -> Oracle:
    """satjudge on another map."""
    other = change(load_map())

    def judge(board: Board, orders: Mapping[Power, Sequence[PhaseOrder]]) -> Answer:
        return _right(replace(board, map=other) if board.map is load_map() else board, orders)

    return judge


def _with_borders(kind: str, *borders: tuple[str, str], missing: bool = False) -> Callable[[Map], Map]:
    """The map with these borders for one kind of unit, or without them."""

    def change(game_map: Map) -> Map:
        exits = {place: set(there) for place, there in getattr(game_map, kind).items()}
        for one, other in (*borders, *((other, one) for one, other in borders)):
            exits[one] = exits[one] - {other} if missing else exits[one] | {other}
        changed: dict[str, Any] = {kind: {place: frozenset(there) for place, there in exits.items()}, "cache": {}}
        return replace(game_map, **changed)

    return change


def _one_coast(board: Board, orders: Mapping[Power, Sequence[PhaseOrder]]) -> Answer:
    """An engine that knows one coast of St Petersburg only."""
    said = _right(board, orders)
    return replace(said, units={p: [unit.replace("STP/NC", "STP/SC") for unit in units] for p, units in said.units.items()})


def _dies_of_convoys(board: Board, orders: Mapping[Power, Sequence[PhaseOrder]]) -> Answer:
    if any(isinstance(order, Convoy) for given in orders.values() for order in given):
        raise ZeroDivisionError("convoys")
    return _right(board, orders)


def _hangs(board: Board, orders: Mapping[Power, Sequence[PhaseOrder]]) -> Answer:
    """Circular movements of four never end."""
    if sum(isinstance(order, Convoy) for given in orders.values() for order in given) > 3:
        sleep(1000)
    return _right(board, orders)


def _eats(board: Board, orders: Mapping[Power, Sequence[PhaseOrder]]) -> Answer:
    if sum(isinstance(order, Convoy) for given in orders.values() for order in given) > 3:
        hoard = [bytearray(10_000_000) for _ in range(200)]
        sleep(len(hoard))
    return _right(board, orders)


DIRECT: Mapping[str, tuple[tuple[str, ...], Oracle]] = {
    "the first order listed succeeds": (("orders listed otherwise",), broken_engine.first_listed_succeeds),
    "the first power listed succeeds": (("powers listed otherwise",), broken_engine.first_power_succeeds),
    "england succeeds": (("powers renamed",), broken_engine.england_succeeds),
    "every other time": (("asked again",), broken_engine.every_other_time),
    "no border Picardy - Belgium": (("borders missing",), _on_map(_with_borders("army", ("PIC", "BEL"), missing=True))),
    "two borders of fleets": (("borders missing",), _on_map(_with_borders("fleet", ("ENG", "NTH"), ("BLA", "SEV"), missing=True))),
    "a border Switzerland has": (("borders extra",), _on_map(_with_borders("army", ("MAR", "TYR")))),
    "one coast of St Petersburg": (("coasts wrong",), _one_coast),
    "dies of convoys": (("failure",), _dies_of_convoys),
    "hangs": (("failure",), _hangs),
    "eats memory": (("failure",), _eats),
    "the first retreat arrives": (("the first of two units that retreat to one province arrives, 6.H.7",), broken_engine.first_retreat_arrives),
    "removes the nearest": (("civil disorder takes the nearest units first, 4.D.8",), broken_engine.removes_the_nearest),
    "builds in any centre": (("units are built in every centre that is owned, 6.I.6",), broken_engine.builds_in_any_centre),
    "retreats where it was shut": (("a unit retreats to where it may not go, 6.H.5, if the unit goes to a province that it borders on and the unit goes to where nobody was",), broken_engine.retreats_where_it_was_shut),
}  # fmt: skip
LIMITED: Mapping[str, Mapping[str, Any]] = {
    "hangs": {"timeout": 2.0, "startup_timeout": 60.0, "restarts": 60},
    "eats memory": {"memory": 400, "startup_timeout": 60.0, "restarts": 60},
}


# ---- all of them ----


def seeds() -> Iterator[Seed]:
    """All engines."""
    for name, (expected, _) in ORACLE.items():
        yield Seed(name, "oracle", expected)
    for name, (expected, _) in CONDITIONAL.items():
        yield Seed(name, "conditional", expected, parts=(*EVIDENCE, "boards"))
    for name, (expected, _) in DIRECT.items():
        on_the_map = ("map",) if expected[0].startswith(("borders", "coasts")) else ()
        parts = ("catalogue",) if name in LIMITED else (*on_the_map, *EVIDENCE)
        yield Seed(name, "direct", expected, parts=parts)
    for name in (*MUTATIONS, *VARIATIONS):
        telling = [question for question in load_stored_questions("clauses") if name in question.tells]
        if telling or name in VARIATIONS:
            question = min(telling, key=lambda one: one.needs, default=None)
            where = (question.rules, question.settings) if question else ("datc-3", ())
            parts = EVIDENCE if question is None or question.board.map.is_standard else (*EVIDENCE, "variants")
            yield Seed(name, "statement", (name,), *where, parts=parts)
    random, pairs = Random(18), 0
    while pairs < PAIRS:
        names = random.sample(list(ORACLE), 2)
        if _go_together(names):
            pairs += 1
            yield Seed(" + ".join(names), "pairs", tuple(one for name in names for one in ORACLE[name][0][:1]))


def _go_together(names: Sequence[str]) -> bool:
    """Whether both changes can be made, in other functions."""
    places = [old for name in names for _, old, _ in ORACLE[name][1]]
    try:
        changed_oracle(*names)
    except (ValueError, SyntaxError):
        return False
    return len({old.strip()[:25] for old in places}) == len(places)


def changed_oracle(*names: str) -> Judge:
    """Kruijswijk's procedure with these changes in its source."""
    sources = {module: Path(str(module.__file__)).read_text(encoding="utf-8") for module in (TURN, PARTIAL)}
    for name in names:
        for module, old, new in {**ORACLE, **CONDITIONAL}[name][1]:
            if old not in sources[module]:
                raise ValueError(f"{name}: {old!r} is not in {module.__name__}")
            sources[module] = sources[module].replace(old, new, 1)
    turn, partial = types.ModuleType("changed_turn"), types.ModuleType("changed_partial")
    sys.modules["changed_turn"], sys.modules["changed_partial"] = turn, partial
    exec(sources[TURN], turn.__dict__)
    exec(sources[PARTIAL].replace(TURN.__name__, "changed_turn"), partial.__dict__)

    def judge(position: AskedPosition) -> Answer:
        if position.board.phase is not Phase.MOVEMENT:
            raise NotImplementedError("movement only")
        answer: Answer = partial.judge(position.board, position.orders)
        return answer

    return judge


def with_faults(seed: Seed, faults: Sequence[str]) -> Judge:
    """A judge with faults."""
    rulebook, broken = load_rulebook(seed.rules).with_settings(seed.settings), make_faulty_judge(faults)
    return lambda position: answer_from_outcome(broken.judge_read(position.board, position.orders, rulebook))


_KEPT: list[object] = []


def serve(judge: Judge) -> None:
    """Answer batch lines until there are no more."""
    for line in sys.stdin:
        request = json.loads(line)
        try:
            found = judge(parse_position(line.encode()))
            reply = {"results": found.verdicts, "dislodged": found.dislodged, "units": found.units}
        except NotImplementedError as error:
            reply = {"skip": str(error)}
        except Exception as error:
            reply = {"error": {"kind": type(error).__name__, "message": str(error)}}
        sys.stdout.write(json.dumps({"id": request["id"], **reply}) + "\n")
        sys.stdout.flush()


def start(name: str) -> None:
    """Be the engine of that name."""
    seed = next(seed for seed in seeds() if seed.name == name)
    if seed.kind == "direct":
        serve(lambda position: DIRECT[name][1](position.board, position.orders))
    else:
        serve(with_faults(seed, seed.expected))


def diagnosed(seed: Seed) -> Diagnosis:
    """What is told of an engine."""
    limits = {"startup_timeout": 60.0, **LIMITED.get(seed.name, {})}  # a program may start while others work
    campaign = make_campaign(
        _against(seed), ListedPositions(()), rules=seed.rules, settings=seed.settings, engine=Engine.STAGED, **limits
    )
    heard = make_recording_campaign(campaign)
    questions = {name: asked(name) for name in seed.parts}
    found = ask_kit(heard, questions)
    return diagnose_engine(heard, heard.list_answers(questions), found)


def _against(seed: Seed) -> str:
    """How an engine is reached: as a function if it can be judged by in this process, else as a program."""
    if seed.kind == "statement" or seed.name in LIMITED:
        return program(seed)
    module = types.ModuleType(f"seeded_{len(_KEPT)}")
    if seed.kind == "direct":
        judge = DIRECT[seed.name][1]
    else:
        changed = changed_oracle(*seed.name.split(" + "))

        def judge(board: Board, orders: Mapping[Power, Sequence[PhaseOrder]]) -> Answer:
            return changed(AskedPosition(board, orders))

    module.judge = judge  # type: ignore[attr-defined]
    _KEPT.append(module)
    sys.modules[module.__name__] = module
    return f"{module.__name__}:judge"


@cache
def asked(part: str) -> list[bytes]:
    """The questions of a part of the kit."""
    return [question.question_line for question in PARTS[part].make()]


def program(seed: Seed) -> str:
    """The command that starts an engine."""
    start_here = f"import sys; sys.path.insert(0, {str(TESTS)!r}); from helpers.seeded_engines import start; start(sys.argv[1])"
    return shlex.join((sys.executable, "-c", start_here, seed.name))


def right(seed: Seed, told: Diagnosis) -> bool:
    """Whether what it has is named: of a pair both."""
    named = {name for cause in told.causes for name in (cause.name, cause.kind)} | {
        one for cause in told.causes for one in cause.instead
    }
    if seed.kind == "conditional":
        return not {split_fault(name)[0] for name in named if is_conditional(name)}.isdisjoint(seed.expected)
    if seed.kind == "pairs":
        return all(not named.isdisjoint(ORACLE[name][0]) for name in seed.name.split(" + "))
    return not named.isdisjoint(seed.expected)
