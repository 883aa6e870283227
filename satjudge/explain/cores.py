"""Classifies cores as graphs of decisions that depend on each other, by their shapes and their names in the literature.

A core is recognised by its structure alone: provinces, powers and case numbers play no part. Names are those of DATC 3.2, 6.C,
6.F and 5.D.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING

from satjudge.base.graph_digests import digest
from satjudge.judging.equations import statement
from satjudge.judging.equations.logic import Reading
from satjudge.judging.equations.situation import (
    CanalDecision,
    ConvoyDecision,
    Decision,
    MoveDecision,
    PassDecision,
    ReachDecision,
    Situation,
    SupportDecision,
)
from satjudge.judging.solve.cores import build_mention_graph, find_mentions
from satjudge.judging.solve.result import Adjudication, Core, CoreKind
from satjudge.world.rules.rulebook import LandFallback

if TYPE_CHECKING:
    import networkx

    from satjudge.judging.judge import Judgement

_TABLE_INPUTS = 12


@dataclass(frozen=True)
class ClassifiedCore:
    """A core of a situation, with the decisions on which its decisions depend."""

    situation: Situation
    core: Core
    signs: dict[int, dict[int, str]]
    """For each decision of the core, the decisions on which it depends, all by index.

    The sign is `+` if a decision tends to be true when the other is true, and `-` if it tends to be true when the other is
    false.
    """

    @cached_property
    def graph(self) -> networkx.DiGraph:
        """The networkx graph of the core, with an edge from each decision to those on which its equation depends.

        The shape of the core depends only on `label` and `sign`.
        """
        import networkx

        graph = networkx.DiGraph()
        for decision in self.core.decisions:
            graph.add_node(decision.index, label=label_decision(decision), order=str(decision), power=decision.power)
        for one, edges in self.signs.items():
            graph.add_edges_from((one, other, {"sign": sign}) for other, sign in edges.items())
        return graph

    @cached_property
    def counts(self) -> Counter[type[Decision]]:
        """The number of decisions of each kind in the core."""
        return Counter(type(decision) for decision in self.core.decisions)

    @property
    def order(self) -> int:
        """The order of a paradox, which is the number of its convoying fleets."""
        return self.counts[ConvoyDecision]

    @property
    def kind(self) -> CoreKind:
        """The kind of core: circular movement, one resolution, no resolution, or several resolutions."""
        return self.core.kind

    @cached_property
    def name(self) -> str:
        """The name of this kind of core in the literature."""
        if self.kind is CoreKind.CIRCULAR_MOVEMENT:
            units = {decision.province for decision in self.core.decisions}
            convoyed = sum(_can_go_by_convoy(decision) for decision in self.core.decisions)
            how = f", {convoyed} by convoy" if convoyed else ""
            how += ", 1 by railroad" if self._has_kinds(ReachDecision, PassDecision) else ""
            return f"circular movement of {len(units)}{how}"
        if self.kind is CoreKind.ONE_RESOLUTION:
            return f"cyclic dependency of {len(self.core.decisions)} with one resolution"
        if self._has_kinds(ReachDecision, PassDecision, CanalDecision):
            return self._name_variant()
        if self.counts[SupportDecision] == len(self.core.decisions):
            return "supports that cut each other over difficult borders"
        if not self.order:
            return "core of moves and supports"
        return _name_paradox(self)

    def _has_kinds(self, *kinds: type[Decision]) -> bool:
        return any(self.counts[kind] for kind in kinds)

    def _name_variant(self) -> str:
        """Return the name of a paradox with railroads or canals: `railroad and canal paradox with no resolution`."""
        parts = {"railroad": (ReachDecision, PassDecision), "canal": (CanalDecision,), "convoy": (ConvoyDecision,)}
        found = [part for part, kinds in parts.items() if self._has_kinds(*kinds)]
        *most, last = found
        names_text = f"{', '.join(most)} and {last}" if most else last
        number = len(self.core.resolutions)
        return f"{names_text} paradox with {f'{number} resolutions' if number else 'no resolution'}"

    @cached_property
    def shape(self) -> str:
        """A name that is the same for all cores with isomorphic labelled graphs, in any provinces."""
        parts = [f"{count}{letter}" for kind, letter in LETTERS.items() if (count := self.counts[kind])]
        labels = {decision.index: label_decision(decision) for decision in self.core.decisions}
        return f"{''.join(parts)}-{len(self.core.resolutions)}r-{digest(labels, self.signs)}"


LETTERS: dict[type[Decision], str] = {
    ConvoyDecision: "C",
    MoveDecision: "M",
    SupportDecision: "S",
    ReachDecision: "R",
    PassDecision: "P",
    CanalDecision: "K",
}
"""The letter for each kind of decision in the name of a shape."""


def is_same_graph(one: networkx.DiGraph, other: networkx.DiGraph) -> bool:
    """Return whether two graphs are isomorphic, with equal `label`s of nodes and `sign`s of edges."""
    import networkx

    matches = {f"{kind}_match": lambda a, b, key=key: a[key] == b[key] for kind, key in (("node", "label"), ("edge", "sign"))}
    return bool(networkx.is_isomorphic(one, other, **matches))


def _name_paradox(core: ClassifiedCore) -> str:
    several = core.kind is CoreKind.SEVERAL_RESOLUTIONS
    if core.order == 1:
        return _name_paradox_of_one_convoy(core, several)
    rank = {2: "second", 3: "third", 4: "fourth", 5: "fifth", 6: "sixth"}.get(core.order, f"{core.order}th")
    if not several:
        return f"{rank} order paradox with no resolution"
    convoys = [place for place, decision in enumerate(core.core.decisions) if isinstance(decision, ConvoyDecision)]
    if all(len({values[place] for place in convoys}) == 2 for values in core.core.resolutions):
        return f"{rank} order paradox with exclusive convoys"
    number = {2: "two", 3: "three", 4: "four"}.get(len(core.core.resolutions), str(len(core.core.resolutions)))
    return f"{rank} order paradox with {number} resolutions"


def _name_paradox_of_one_convoy(core: ClassifiedCore, has_several: bool) -> str:
    """Return the name of a paradox with one convoy (DATC 6.F.14 to 6.F.18); `has_several` means several resolutions.

    The army lands on a unit that supports the attack on its fleet (simple), an attack that keeps another from its fleet
    (Pandin's), or its fleet itself (betrayal); it may threaten to dislodge that unit (extended).
    """
    fleet = next(decision for decision in core.core.decisions if isinstance(decision, ConvoyDecision))
    supports = [decision for decision in core.core.decisions if isinstance(decision, SupportDecision)]
    dislodging = any(move in core.core.decisions for move in fleet.matches)
    if has_several:
        for_attack = any(not s.supports_hold and s.directed_at is fleet.place for s in supports)
        return ("simple paradox" if for_attack else "first order paradox with two resolutions") + (
            ", army dislodging" if dislodging else ""
        )
    if any(s.supports_hold and s.supported is fleet.place for s in supports):
        return "betrayal paradox"
    if any(not s.supports_hold and s.directed_at is fleet.place for s in supports):
        return "Pandin's extended paradox" if dislodging else "Pandin's paradox"
    return "first order paradox with no resolution"


def _can_go_by_convoy(decision: Decision) -> bool:
    """Return whether a decision is about a move that goes, or could go, by convoy (4.A.3)."""
    if not isinstance(decision, MoveDecision):
        return False
    if decision.by_land and decision.rules.land_fallback is LandFallback.DISRUPTED:
        return bool(decision.convoys)
    return Reading(()).is_convoyed(decision)


def label_decision(decision: Decision) -> str:
    """Return the kind of a decision in words: `convoyed move`, `hold support`."""
    if isinstance(decision, MoveDecision):
        return "convoyed move" if _can_go_by_convoy(decision) else "move"
    if isinstance(decision, SupportDecision):
        return "hold support" if decision.supports_hold else "move support"
    return _LABELS[type(decision)]


_LABELS: dict[type[Decision], str] = {
    ConvoyDecision: "convoy",
    ReachDecision: "stage tried",
    PassDecision: "stage passed",
    CanalDecision: "canal",
}


def classify_cores(adjudication: Adjudication) -> list[ClassifiedCore]:
    """Return the cores of an adjudication, classified, in the sequence in which they were settled."""
    found = []
    settled: dict[int, bool] = {}
    for core in adjudication.cores:
        outside = [settled.get(index, value) for index, value in enumerate(adjudication.values)]
        found.append(classify_core(adjudication.situation, core, outside))
        settled |= core.settled_values
    return found


def classify_case(case: Judgement) -> list[ClassifiedCore]:
    """Return the cores of a judged case, classified, or only the core to which the rulebook has no answer."""
    if error := case.unresolved_error:
        return [classify_core(case.resolutions.situation, error.core, error.values)] if error.core else []
    return classify_cores(case.require_movement().adjudication)


def classify_core(situation: Situation, core: Core, values: Sequence[bool | None]) -> ClassifiedCore:
    """Classify a core; `values` are those of all decisions by index, of which open ones outside the core count as false."""
    inside = {decision.index for decision in core.decisions}
    values = [None if i in inside else bool(value) for i, value in enumerate(values)]
    mentioned = find_mentions(situation, values, core.decisions)
    signs = {index: _find_signs(values, situation.decisions[index], sorted(inputs)) for index, inputs in mentioned.items()}
    return ClassifiedCore(situation, core, signs)


def _find_signs(values: Sequence[bool | None], subject: Decision, inputs: Sequence[int]) -> dict[int, str]:
    """Map each input on which a decision depends to `+` (it helps), `-` (it hinders) or `+-` (both), by trying values."""
    trial = [bool(value) for value in values]
    reading = Reading(trial)
    signs: dict[int, set[str]] = {}
    for row in product((False, True), repeat=min(len(inputs), _TABLE_INPUTS)):
        for index, value in zip(inputs, row, strict=False):
            trial[index] = value
        before = statement.decision(reading, subject)
        for other in inputs:
            trial[other] = not trial[other]
            if statement.decision(reading, subject) != before:
                signs.setdefault(other, set()).add("+" if before != trial[other] else "-")
            trial[other] = not trial[other]
    return {other: "".join(sorted(signs[other])) for other in inputs if other in signs}


def make_dependency_graph(adjudication: Adjudication) -> networkx.DiGraph:
    """Return a networkx graph of all decisions, with labels and values, and edges to those in their equations."""
    situation = adjudication.situation
    graph = build_mention_graph(situation, [None] * len(situation.decisions), situation.decisions)
    cores = {decision.index: number for number, core in enumerate(adjudication.cores, 1) for decision in core.decisions}
    for decision in situation.decisions:
        attributes = graph.nodes[decision.index]
        attributes.update(label=label_decision(decision), order=str(decision), power=decision.power)
        attributes.update(value=adjudication.values[decision.index], core=cores.get(decision.index, 0))
    return graph


def find_cycle(core: ClassifiedCore) -> list[Decision]:
    """Return a shortest cycle through a core's first convoy (or else decision), in which each decision depends on the next."""
    convoys = [decision.index for decision in core.core.decisions if isinstance(decision, ConvoyDecision)]
    start = (convoys or [decision.index for decision in core.core.decisions])[0]
    come_from: dict[int, int] = {}
    ahead = deque([start])
    while start not in come_from:
        node = ahead.popleft()
        for following in core.signs[node]:
            if following not in come_from:
                come_from[following] = node
                ahead.append(following)
    indices = [start]
    while (before := come_from[indices[-1]]) != start:
        indices.append(before)
    return [core.situation.decisions[index] for index in (start, *reversed(indices[1:]))]


def describe_cycle(core: ClassifiedCore) -> list[str]:
    """Return a line for each decision of a cycle in the core, such as `A  needs  B` or `A  is stopped by  B`."""
    ring = find_cycle(core)
    lines = []
    for decision, following in zip(ring, [*ring[1:], ring[0]], strict=True):
        sign = core.signs[decision.index][following.index]
        wants = {"+": "needs", "-": "is stopped by"}.get(sign, "depends on")
        lines.append(f"{decision}  {wants}  {following}")
    return lines
