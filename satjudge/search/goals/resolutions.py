"""Defines goals about how many resolutions a board with orders has, and how they differ."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from satjudge.judging.equations.situation import ConvoyDecision, MoveDecision
from satjudge.search.goals.goal import Either, Goal
from satjudge.search.goals.judged_position import Judged
from satjudge.search.goals.quantities import Quantity
from satjudge.search.open_orders.question import Question


@dataclass(frozen=True, slots=True)
class SeveralResolutions(Goal):
    """The goal that the board has at least two consistent resolutions."""

    name = "several-resolutions"
    about_resolutions = True

    def holds(self, judged: Judged) -> bool:
        return judged.resolutions.count > 1

    def require(self, question: Question) -> None:
        question.require_several(MoveDecision)


@dataclass(frozen=True, slots=True)
class DifferingConvoys(Goal):
    """The goal that two resolutions of the board differ in a convoy that some move is ordered to take."""

    name = "differing-convoys"
    about_resolutions = True
    dislodges_a_convoy = True
    implies = (SeveralResolutions(),)

    def holds(self, judged: Judged) -> bool:
        return judged.has_differing_convoys

    def require(self, question: Question) -> None:
        question.require_several(ConvoyDecision)


@dataclass(frozen=True, slots=True)
class NoResolution(Goal):
    """The goal that the board has no consistent resolution."""

    name = "no-resolution"
    about_resolutions = True
    dislodges_a_convoy = True
    excludes = (SeveralResolutions(), DifferingConvoys())

    def holds(self, judged: Judged) -> bool:
        return judged.resolutions.count == 0

    def require(self, question: Question) -> None:
        question.require_no_resolution()

    def require_not(self, question: Question) -> None:
        question.orders.encode_resolution()


@dataclass(frozen=True, slots=True)
class ParadoxGoal(Goal):
    """The goal that the board has no resolution, or two that differ in a convoy that some move is ordered to take."""

    name = "paradox"

    def holds(self, judged: Judged) -> bool:
        return judged.resolutions.count == 0 or judged.has_differing_convoys

    def to_normal_form(self) -> Goal:
        return Either(DifferingConvoys(), NoResolution())


@dataclass(frozen=True, slots=True)
class ResolutionCount(Quantity):
    """The number of consistent resolutions of the board."""

    name = "resolutions"
    theorem = "a board has no resolution, or 1, 2, 4, …: a power of two, by theorem 5"
    of_outcome = False
    about_resolutions = True

    def value(self, judged: Judged) -> int:
        return judged.resolutions.count

    def list_possible_values(self, max_value: int) -> Collection[int]:
        return (0, *(2**cores for cores in range(max(max_value, 0).bit_length() + 1)))

    def require(self, question: Question, least: int, max_value: int | None) -> None:
        """Require at least `least` resolutions, or none if `max_value` is 0."""
        if least:
            question.require_resolutions(least)
        if max_value == 0:
            question.require_no_resolution()
