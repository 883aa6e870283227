"""The kernel rules on cores as `satjudge.judging.backup` does: both are asked about every small core."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product

import numpy
import pytest
from helpers.interpreted import functions

from satjudge.base.errors import UnresolvedError
from satjudge.bulk.arrays import CONVOY, FOUND, KIND, MOVE, NO_ANSWER, OPEN, PITCH, SUPPORT
from satjudge.bulk.kernel_source import kernel_source
from satjudge.judging.backup import rule_names, rule_on
from satjudge.judging.equations.situation import ConvoyDecision, Decision, MoveDecision, Place, SupportDecision
from satjudge.world.orders import Convoy, Move, Named, SupportHold
from satjudge.world.rules import Rulebook, load_preset, preset_names

OTHERS = ("datc-3 with 4.A.2=all-hold", "datc-3 with 5.B.9=all-fail", "2023 with 4.A.2.fallback=szykman")
Values = Sequence[tuple[bool, ...]]


def stand_in(kind: int, index: int, rulebook: Rulebook) -> Decision:
    """A decision of a kind: rulings read nothing else of it."""
    here, named = Place("", None, rulebook), Named(None, "")
    if kind == MOVE:
        return MoveDecision(index, rulebook, Move(named, ""), "", here, here, True, False)
    if kind == SUPPORT:
        return SupportDecision(index, rulebook, SupportHold(named, named), "", here, here, here, True)
    return ConvoyDecision(index, rulebook, Convoy(named, named, ""), "", here)


def cores() -> Iterator[tuple[tuple[int, ...], Values]]:
    """Every core of up to three decisions with none to three resolutions, and of up to two with any number."""
    for size, most in ((1, 2), (2, 4), (3, 3)):
        values = list(product((False, True), repeat=size))
        for kinds in product((MOVE, SUPPORT, CONVOY), repeat=size):
            for count in (0, *range(2, most + 1)):
                yield from ((kinds, found) for found in combinations(values, count))


@pytest.mark.parametrize("name", [*preset_names(), *OTHERS])
def test_every_small_core_is_ruled_on_alike(name: str) -> None:
    rulebook = load_preset(name)
    kernel = functions(kernel_source(rulebook))
    ruled = 0
    for kinds, resolutions in cores():
        core = [stand_in(kind, index, rulebook) for index, kind in enumerate(kinds)]
        at, bits = numpy.zeros(PITCH * 8, numpy.int64), numpy.zeros((6, 64), numpy.int64)
        for position, kind in enumerate(kinds):
            at[position * PITCH + OPEN], at[position * PITCH + KIND] = position, kind
        for number, values in enumerate(resolutions):
            bits[FOUND, number] = sum(value << position for position, value in enumerate(values))
        kernel.update(at=at, bits=bits)
        rule, which, settling = map(int, kernel["rule_on"]((1 << len(kinds)) - 1, len(kinds), len(resolutions)))
        try:
            ruling = rule_on(core, resolutions, rulebook)
        except UnresolvedError:
            assert rule == NO_ANSWER, (kinds, resolutions)
            continue
        ruled += 1
        settled = {position: bool(settling >> position & 1) for position in range(len(kinds)) if which >> position & 1}
        assert (rule_names(rulebook)[rule], settled) == (ruling.rule, ruling.settled), (kinds, resolutions)
    assert ruled > 90
