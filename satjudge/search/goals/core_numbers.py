"""Holds quantities of cores (`satjudge.explain.cores`): the number of resolutions, and the order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass
from itertools import count

from satjudge.judging.equations.situation import ConvoyDecision, MoveDecision
from satjudge.search.goals.core_shape import require_kinds
from satjudge.search.goals.core_words import Hand, Link, Paradox
from satjudge.search.goals.goal import Drawn
from satjudge.search.goals.judged import Judged
from satjudge.search.goals.quantity import Quantity
from satjudge.search.unknown.question import Question
from satjudge.search.unknown.rulings import ConvoySettings
from satjudge.search.unknown.universe import Universe


class _OfCores(Quantity):
    """A number that the board's cores have; without such a core neither a comparison holds nor its opposite."""

    __slots__ = ()
    of_outcome = False
    about_resolutions = True

    def has_answer(self, judged: Judged) -> bool:
        return self.value(judged) is not None


@dataclass(frozen=True, slots=True)
class CoreResolutions(_OfCores):
    """The largest number of resolutions of a core whose resolutions are all part of resolutions of the board."""

    name = "core-resolutions"
    theorem = "a core has 0 or 2 resolutions, by theorems 3 and 4"

    def by_theorem(self, most: int) -> Collection[int]:
        return (0, 2)

    def value(self, judged: Judged) -> int | None:
        return max((len(core.core.resolutions) for core in judged.open_cores), default=None)

    def require(self, question: Question, least: int, most: int | None) -> None:
        """Ask for as many resolutions of the board, since each of the core's is part of one of these."""
        if most == 0:
            question.require_none()
        elif least:
            question.require_resolutions(least)


@dataclass(frozen=True, slots=True)
class CoreOrder(_OfCores):
    """The largest order of a paradox: the number of convoys in a core with no resolution, or several."""

    name = "core-order"
    draws = True

    def value(self, judged: Judged) -> int | None:
        return max((core.order for core in judged.open_cores if len(core.core.resolutions) != 1), default=None)

    def least_units(self, least: int) -> int:
        """Return the units of the simplest core of an order, as each convoy is in a link of its own (docs/papers/cores.md)."""
        return _simplest(least).least_units if least > 0 else 0

    def drawn(self, universe: Universe, least: int, most: int | None, time_left: Callable[[], float | None]) -> Drawn | None:
        """Draw the smallest board of the order, or of a higher one if that takes fewer fleets beside."""
        if least < 1 or not universe.all_free:
            return None
        from satjudge.search.goals.drawn_cores import smallest  # which needs a solver

        rooms, best = len(universe.spots_in), Drawn(None, None)
        for order in count(least) if most is None else range(least, most + 1):
            core = _simplest(order)
            if core.least_units >= (rooms + 1 if best.at_least is None else best.at_least):
                break
            found = smallest(universe, core, time_left)
            if found.at_least is not None and (best.at_least is None or found.at_least < best.at_least):
                best = found
        return best

    def require(self, question: Question, least: int, most: int | None) -> None:
        """Ask for the sign of a paradox with convoys, and for as many convoys, and moves to them, as the order says."""
        if least:
            question.formula.require(ConvoySettings(question.orders).sign_of_paradox())
            require_kinds(question.orders, Counter({ConvoyDecision: least, MoveDecision: least}))


def _simplest(order: int) -> Paradox:
    """Return the core of an order whose parts every other has: none of the order takes fewer units (docs/papers/cores.md)."""
    return Paradox((Link(Hand.ATTACK),) * order)
