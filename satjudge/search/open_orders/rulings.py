"""States how backup rules may settle unknown orders: where paradoxes may be ruled on, and how circular movement ends.

*Paradoxes.* For every setting of the convoys, the other equations have a solution, which determines for every convoy whether it
should be available (docs/background/search.md has the proof). A board has no resolution exactly if no setting agrees with its
result. A setting names convoys by the alphabetical rank of the convoying seas, so that it can be used for all boards.

A ruling on a paradox lets decisions fail despite their equations (`satjudge.judging.backup.list_overridable_kinds`), but only
if there is a paradox. One of two necessary conditions for a paradox is therefore required. The *sign of a paradox* adds four
encodings with other settings of the convoys: it holds if a paradox exists somewhere on the board, and hardly ever without one.
*Cycles* need a variable for each decision but no encoding. If all orders of a map are open, all of them might be in one cycle,
but for the few units of a position, cycles show which decisions cannot be in a core. So `search` uses the sign, and
`guarantee`, which has an encoding for every reply, uses cycles.

*Circular movement* (DATC 6.C) must succeed. In an encoding, any consistent resolution could be the outcome, and moves in a ring
have two: all succeed, or none does. So an outcome must not contain a ring that *waits*: moves that fail although each would
succeed if the unit at its destination, the next of the ring, left as ordered. If all of them succeeded, all equations would
still hold, and the outcome has the greatest of the solutions for moves after units that leave (docs/background/search.md). No
ring waits if every province has a height, and a waiting unit stands higher than the unit for which it waits.
"""

from __future__ import annotations

from itertools import pairwise, zip_longest
from typing import TypeAlias

import networkx

from satjudge.judging.equations import statement
from satjudge.judging.equations.situation import ConvoyDecision, Decision, MoveDecision, Place, Situation
from satjudge.judging.solve.cores import Mentions, Truth
from satjudge.search.formulas.clauses import FALSE, TRUE, Literal
from satjudge.search.open_orders.encoding import Encoding, UnknownOrders
from satjudge.search.open_orders.same_power import join_by_key
from satjudge.search.open_orders.universe_orders import UniverseOrders
from satjudge.world.geography import ProvinceCode
from satjudge.world.rules.rulebook import AttackOrigin, ParadoxRule

Pattern: TypeAlias = tuple[frozenset[int], bool]
"""A setting of the convoys: the ranks, among seas with convoys, of those whose convoys are available; if true, all others."""

ALL_AND_NONE: tuple[Pattern, Pattern] = ((frozenset(), False), (frozenset(), True))


SUPPORT_RULES = (ParadoxRule.RULE_1971, ParadoxRule.RULE_1982, ParadoxRule.RULE_2000)
"""The paradox rules that protect supports (4.A.2), under which equations read more of a convoy."""
_UNITS_OF_A_LINK = 4
"""The units of a link: a fleet, its army, the unit where the army lands, and one that could dislodge the fleet."""


class ConvoySettings:
    """Makes literals about settings of the convoys among unknown orders."""

    def __init__(self, orders: UnknownOrders) -> None:
        self.orders = orders
        self.formula = orders.formula
        self.convoys = [d for d in orders.situation.decisions if isinstance(d, ConvoyDecision)]

    def contradiction_literal(self, pattern: Pattern) -> Literal:
        """Encode the equations with convoys as in a pattern; return the literal that some convoy's equation differs from it."""
        name = f"convoys set, {sorted(pattern[0])} {pattern[1]}"
        encoding = Encoding(self.orders, name, convoys=self._make_inputs(pattern)).post_equations()
        return self.formula.any_of(self.formula.xor(encoding.convoy(c), encoding.convoy_equation(c)) for c in self.convoys)

    def _make_inputs(self, pattern: Pattern) -> dict[int, Literal]:
        """Return, by decision index, the literal that holds if the convoy is available in the pattern."""
        ranks, complement = pattern
        inputs = {}
        for sea, before in self._list_convoy_counts().items():
            exactly = [self.formula.all_of((rank, -following)) for rank, following in pairwise(before)]
            is_listed = self.formula.any_of(exactly[rank] for rank in ranks if rank < len(exactly))
            for c in self.orders.situation.places[sea].convoys:
                available = -is_listed if complement else is_listed
                inputs[c.index] = self.formula.all_of((self.orders.guards[c.index], available))
        return inputs

    def _list_convoy_counts(self) -> dict[ProvinceCode, list[Literal]]:
        """Return, by sea with convoys, literals that hold if at least 0, 1, 2 … of the seas before it have any."""
        found: dict[ProvinceCode, list[Literal]] = {}
        before: list[Literal] = [TRUE]
        for province, place in sorted(self.orders.situation.places.items()):
            if place.convoys:
                found[province] = [*before, FALSE]
                convoying = self.formula.any_of(self.orders.guards[c.index] for c in place.convoys)
                more = (self.formula.all_of((convoying, rank)) for rank in before)
                before = [self.formula.any_of(pair) for pair in zip([*before, FALSE], [TRUE, *more], strict=True)]
        return found

    def make_paradox_sign(self) -> Literal:
        """Add encodings; return a literal that holds at least where a backup rule settles a paradox, and rarely elsewhere."""
        contradicted = self.formula.all_of(
            map(self.contradiction_literal, ALL_AND_NONE)
        )  # a core with no resolution contradicts both
        return self.formula.any_of((self._make_several_sign(), contradicted))

    def _make_several_sign(self) -> Literal:
        """Return the sign of several resolutions: some convoy is available in one new encoding and disrupted in another.

        A part that depends on that core may have no resolution, so the other convoys keep their setting.
        """
        encodings = []
        for name in ("one way", "another way"):
            inputs = {
                c.index: self.formula.all_of((self.formula.add_variable(), self.orders.guards[c.index])) for c in self.convoys
            }
            encodings.append(Encoding(self.orders, name, convoys=inputs).post_equations())
        one, other = encodings
        return self.formula.any_of(
            self.formula.all_of(
                (
                    one.convoy(c),
                    one.convoy_equation(c),
                    self.orders.guards[c.index],
                    -other.convoy(c),
                    -other.convoy_equation(c),
                )
            )
            for c in self.convoys
        )


# Rings


def has_self_dependent_convoy(orders: UniverseOrders, *, against: bool) -> Literal:
    """Return the literal that a convoy may cut support for an attack on its fleet (`against`: its defence); `TRUE` if unsure.

    With `against`, the support defends the fleet: the fleet is dislodged if the convoy succeeds, so there is no resolution.
    Otherwise it supports the attack on the fleet: the fleet is dislodged if the convoy fails, so there are two resolutions.
    If there is no resolution, or several that differ in convoys, some convoys depend on each other in a ring, and a ring of n
    convoys takes 4n units (docs/background/search.md). So the literal is `TRUE` if there may be more units, and where the
    rulebook or the map allows other dependencies between convoys.
    """
    rules, game_map = orders.situation.rulebook, orders.map
    by_supports_alone = rules.paradox not in SUPPORT_RULES and rules.paradox_origin is AttackOrigin.START
    too_many = orders.most_units is None or orders.most_units >= 2 * _UNITS_OF_A_LINK
    if too_many or not by_supports_alone or game_map.convoying - game_map.seas:
        return TRUE
    encoding = Encoding(orders)
    linked = _has_defending_link if against else _has_attacking_link
    somewhere = encoding.any_of(
        encoding.all_of((landing, linked(encoding, place, target)))
        for place in orders.situation.places.values()
        for target, landing in _find_landings(encoding, place).items()
    )
    supporters = orders.formula.at_least(1 + against, orders.group_literals_by_kind().get("supports", ()))
    return encoding.all_of((somewhere, supporters))  # the first implies the second, but not directly


def _find_landings(encoding: Encoding, place: Place) -> dict[Place, Literal]:
    """Return, by the place where an army of the fleet's convoys lands, the literal that holds if it attacks a unit there."""
    return join_by_key(
        encoding.formula,
        (
            (move.destination, encoding.all_of((encoding.is_chosen(convoy), _has_attack(encoding, move))))
            for convoy in place.convoys
            for move in convoy.matches
        ),
    )


def _has_attacking_link(encoding: Encoding, fleet: Place, target: Place) -> Literal:
    """Return the literal that holds if the unit in `target` supports a move that could dislodge the fleet."""
    return encoding.any_of(
        encoding.all_of((_could_dislodge(encoding, move), encoding.is_chosen(support)))
        for move in fleet.moves_in
        for support in move.supports
        if support.place is target
    )


def _has_defending_link(encoding: Encoding, fleet: Place, target: Place) -> Literal:
    """Return the literal that holds if the unit in `target` supports the endangered fleet, or a move to its sea."""
    supports = (*fleet.hold_supports, *(support for move in fleet.moves_in for support in move.supports))
    supported = encoding.any_of(encoding.is_chosen(support) for support in supports if support.place is target)
    others = (_could_dislodge(encoding, move, excluded=target) for move in fleet.moves_in)
    return encoding.all_of((supported, encoding.any_of(others)))


def _could_dislodge(encoding: Encoding, move: MoveDecision, excluded: Place | None = None) -> Literal:
    """Return the literal that holds if a move attacks a foreign unit with foreign support, other than from `excluded`."""
    counting = (
        encoding.all_of((encoding.is_chosen(support), statement.is_foreign(encoding, move.destination, support.place)))
        for support in move.supports
        if support.place is not excluded
    )
    return encoding.all_of((_has_attack(encoding, move), encoding.any_of(counting)))


def _has_attack(encoding: Encoding, move: MoveDecision) -> Literal:
    return encoding.all_of((encoding.is_chosen(move), statement.is_foreign(encoding, move.origin, move.destination)))


# Cycles

_CHOICE = -1
"""The mark of a value that depends on which orders are given."""


class _MightMention(Mentions):
    """A logic that collects the decisions that an equation may mention, whatever orders are given."""

    def is_chosen(self, decision: Decision) -> Truth:
        """Return the mark of an unknown choice, since it is not known which orders are given."""
        return frozenset((_CHOICE,))


def make_mention_graph(situation: Situation) -> networkx.DiGraph:
    """Return a graph of decision indices, with an edge from each decision to those that its equation may mention."""
    reader = _MightMention([None] * len(situation.decisions))
    graph = networkx.DiGraph()
    for subject in situation.decisions:
        graph.add_node(subject.index)
        mentioned = statement.decision(reader, subject)
        if not isinstance(mentioned, bool):
            graph.add_edges_from((subject.index, other) for other in mentioned if other != _CHOICE)
    return graph


def require_cycles(encoding: Encoding) -> None:
    """Require that decisions fail against their equations only on cycles of given orders, and moves only if a convoy does.

    Every order of a cycle is given, mentions another one of it, and is mentioned by another. Every core has such cycles (DATC
    5.B.9).
    """
    formula, guards, fails = encoding.formula, encoding.orders.guards, encoding.fails
    graph = make_mention_graph(encoding.orders.situation)
    for component in networkx.strongly_connected_components(graph):
        affected = [index for index in component if index in fails]
        if len(component) == 1:
            for index in affected:
                formula.require(-fails[index])
        elif affected:
            part = graph.subgraph(component)
            on = {index: formula.add_variable() for index in sorted(component)}
            for index, literal in on.items():
                formula.require(-literal, guards[index])
                formula.require(-literal, *(on[other] for other in part.successors(index)))
                formula.require(-literal, *(on[other] for other in part.predecessors(index)))
            for index in affected:
                formula.require(-fails[index], on[index])
    decisions = encoding.orders.situation.decisions
    convoys = [literal for index, literal in fails.items() if isinstance(decisions[index], ConvoyDecision)]
    for index, literal in fails.items():
        if isinstance(decisions[index], MoveDecision):
            formula.require(-literal, *convoys)


def require_circular_movement(encoding: Encoding) -> None:
    """Require that, in the encoding of an outcome, no ring of moves fails only because each waits for the next.

    A height is a list of literals, for at least 1, 2, and so on. It is less than the number of units in the ring.
    """
    orders = encoding.orders
    graph = networkx.DiGraph((move.origin.province, move.destination.province) for move in orders.situation.moves)
    for component in networkx.strongly_connected_components(graph):
        most = min(len(component), orders.most_units or len(component))
        heights = {
            province: [encoding.formula.add_variable() for _ in range(1, most)] for province in sorted(component) if most > 1
        }
        for province, height in heights.items():
            for lower, higher in pairwise(height):
                encoding.formula.require(-higher, lower)
            _require_heights(encoding, orders.situation.places[province], heights)


def _require_heights(encoding: Encoding, place: Place, heights: dict[ProvinceCode, list[Literal]]) -> None:
    """Require that a unit whose move fails only because the unit in `place` does not leave has a greater height than this one.

    Only the moves out of the place matter for the success of a move into it: they leave the place empty, and beat rivals that
    come from their destinations (docs/background/search.md).
    """
    left = encoding.suppose_moves(place.moves_out)
    leaving = encoding.any_of(map(encoding.is_chosen, place.moves_out))
    for move in place.moves_in:
        if move.origin.province in heights:
            would = encoding.all_of((encoding.is_chosen(move), leaving, -encoding.move(move), statement.move(left, move)))
            above = heights[move.origin.province]
            for reached, next_one in zip_longest((TRUE, *heights[place.province]), above, fillvalue=FALSE):
                encoding.formula.require(-would, -reached, next_one)
