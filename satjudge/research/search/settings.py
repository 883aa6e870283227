"""Boards without a resolution, and the signs of a paradox: what comes of it if convoys are set, one way or another.

Whatever the convoys are set to, the other equations have a solution, and it says of every convoy whether it should be
available (docs/search.md proves it). A board has no resolution just where no setting agrees with what comes of it. Sets of
convoys are named by the rank of the convoying seas in the alphabet, so that a setting is one for all boards.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TypeAlias

from satjudge.equations.situation import ConvoyDecision
from satjudge.geography import ProvinceCode
from satjudge.research.search.copies import Copy
from satjudge.research.search.model import OrderModel
from satjudge.solve.clauses import FALSE, TRUE, Literal

Pattern: TypeAlias = tuple[frozenset[int], bool]
"""Which of the chosen convoys are available, by their rank among the convoying seas; if true, all but these."""

ALL_AND_NONE: tuple[Pattern, Pattern] = ((frozenset(), False), (frozenset(), True))


class ConvoySettings:
    """Ways to set the convoys of unknown orders."""

    def __init__(self, model: OrderModel) -> None:
        self.model = model
        self.formula = model.formula
        self.convoys = [d for d in model.situation.decisions if isinstance(d, ConvoyDecision)]

    def contradicted(self, pattern: Pattern) -> Literal:
        """With the convoys set so, some convoy should be otherwise."""
        copy = Copy(self.model, f"convoys set, {sorted(pattern[0])} {pattern[1]}", convoys=self._inputs(pattern)).posted()
        return self.formula.any_of(self.formula.xor(copy.convoy(c), copy.computed(c)) for c in self.convoys)

    def _inputs(self, pattern: Pattern) -> dict[int, Literal]:
        """Whether each convoy is available in the pattern."""
        ranks, complement = pattern
        inputs = {}
        for sea, before in self._convoys_before().items():
            exactly = [self.formula.all_of((rank, -following)) for rank, following in pairwise(before)]
            listed = self.formula.any_of(exactly[rank] for rank in ranks if rank < len(exactly))
            for c in self.model.situation.places[sea].convoys:
                available = -listed if complement else listed
                inputs[c.index] = self.formula.all_of((self.model.guards[c.index], available))
        return inputs

    def _convoys_before(self) -> dict[ProvinceCode, list[Literal]]:
        """For each sea, in a fixed order: whether at least 0, 1, 2 … of the fleets in the seas before it convoy."""
        found: dict[ProvinceCode, list[Literal]] = {}
        before: list[Literal] = [TRUE]
        for province, place in sorted(self.model.situation.places.items()):
            if place.convoys:
                found[province] = [*before, FALSE]
                convoying = self.formula.any_of(self.model.guards[c.index] for c in place.convoys)
                more = (self.formula.all_of((convoying, rank)) for rank in before)
                before = [self.formula.any_of(pair) for pair in zip([*before, FALSE], [TRUE, *more], strict=True)]
        return found

    def sign_of_paradox(self) -> Literal:
        """What holds wherever the backup rule for paradoxes is applied to a core."""
        return self.formula.any_of((self._sign_of_several(), self._sign_of_none()))

    def _sign_of_several(self) -> Literal:
        """A core with several resolutions: some convoy is consistently available in one copy and disrupted in another.

        What depends on that core may have no resolution, so the other convoys are what they are said to be.
        """
        copies = []
        for name in ("one way", "another way"):
            inputs = {c.index: self.formula.all_of((self.formula.new(), self.model.guards[c.index])) for c in self.convoys}
            copies.append(Copy(self.model, name, convoys=inputs).posted())
        one, other = copies
        return self.formula.any_of(
            self.formula.all_of(
                (one.convoy(c), one.computed(c), self.model.guards[c.index], -other.convoy(c), -other.computed(c))
            )
            for c in self.convoys
        )

    def _sign_of_none(self) -> Literal:
        """A core with no resolution: setting all convoys, or none, contradicts the equations."""
        return self.formula.all_of(map(self.contradicted, ALL_AND_NONE))
