"""Judges boards with orders for goals: outcome, resolutions, cores.

A search shows an answer only if its goal holds here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import chain, islice
from typing import Protocol

from satjudge.base.errors import EngineLimitError, UnresolvedError
from satjudge.explain.cores import ClassifiedCore, classify_core, classify_cores
from satjudge.judging.equations.logic import Reading
from satjudge.judging.equations.situation import ConvoyDecision, Situation
from satjudge.judging.judge import judge
from satjudge.judging.legality import make_docket
from satjudge.judging.outcome import Dislodgement, Outcome
from satjudge.judging.solve.result import Resolutions
from satjudge.search.open_orders.proposal import Proposal, make_hold
from satjudge.search.open_orders.universe import is_same_order
from satjudge.world.board import Board, DislodgedUnit, Phase, Season, Unit
from satjudge.world.geography import Power, ProvinceCode
from satjudge.world.orders import MovementOrder
from satjudge.world.rules import Rulebook
from satjudge.world.seasons import next_board
from satjudge.world.verdicts import JudgedOrder, Verdict

MOST_ROUTES = 100_000
"""The number of routes of all orders above which the longest is not computed."""


class Aftermath(Protocol):
    """The state after orders were carried out: of one movement phase (`Outcome`), or of several seasons (`JudgedSeasons`)."""

    @property
    def units(self) -> tuple[Unit, ...]:
        """The units on the board afterwards, without dislodged ones."""

    @property
    def dislodgements(self) -> Mapping[str, Dislodgement | DislodgedUnit]:
        """The dislodged units: by province after one movement phase, by power and unit after several seasons."""


class Judged:
    """A proposal as the staged engine judges it under a rulebook. `outcome` is None if the rulebook has no answer."""

    def __init__(self, proposal: Proposal, rulebook: Rulebook) -> None:
        self.proposal = proposal
        self.rulebook = rulebook
        self.outcome: Outcome | None = None
        self.resolutions: Resolutions
        self.error: UnresolvedError | None = None
        try:
            self.outcome = judge(proposal.board, proposal.orders, rulebook=rulebook)
            self.resolutions = self.outcome.adjudication.resolutions
        except UnresolvedError as error:
            self.error, self.resolutions = error, error.resolutions

    @property
    def aftermath(self) -> Aftermath | None:
        """The state after the orders; None if the rulebook has no answer."""
        return self.outcome

    @cached_property
    def board_afterwards(self) -> Board | None:
        """The board when the season is over, without dislodged units, or None if the rulebook has no answer."""
        return next_board(self.proposal.board, self.outcome.units) if self.outcome else None

    @property
    def ends_in_fall(self) -> bool:
        """True if it is Fall, after which centres have changed hands and adjustments may follow."""
        turn = self.proposal.board.turn
        return turn is not None and turn.season is Season.FALL

    @property
    def reading(self) -> Reading:
        """The equations, with the outcome's values of all decisions; there must be an outcome."""
        assert self.outcome is not None
        return Reading(self.outcome.adjudication.values)

    @property
    def situation(self) -> Situation:
        """The situation that was judged."""
        return self.resolutions.situation

    @property
    def results(self) -> Mapping[Power, list[str]] | None:
        """The verdicts on each power's orders, in the order of its orders; None if the rulebook has no answer."""
        return self.outcome.results if self.outcome else None

    @cached_property
    def cores(self) -> list[ClassifiedCore]:
        """The cores that the rulebook settled, each with its shape; empty if the rulebook has no answer to one."""
        return classify_cores(self.outcome.adjudication) if self.outcome else []

    @property
    def open_cores(self) -> list[ClassifiedCore]:
        """The cores whose every resolution is part of a resolution of the board; for a core with none, the board has none.

        A core that arises only because a ruling on another one overrode its equations may not be part of any resolution.
        """
        return [core for core in self.cores if self._is_open(core)]

    def _is_open(self, core: ClassifiedCore) -> bool:
        if not core.core.resolutions:
            return self.resolutions.count == 0
        indices = [decision.index for decision in core.core.decisions]
        part = next(part for part in self.resolutions.components if indices[0] in part.indices)
        positions = [part.indices.index(index) for index in indices]
        found = {tuple(assignment[position] for position in positions) for assignment in part.assignments}
        return self.resolutions.count > 0 and found.issuperset(core.core.resolutions)

    @property
    def unsettled_cores(self) -> list[ClassifiedCore]:
        """The core that the rulebook cannot settle, as a list of at most one."""
        if self.error is None or self.error.core is None:
            return []
        return [classify_core(self.situation, self.error.core, self.error.values)]

    @property
    def longest_route(self) -> int:
        """The number of fleets on the longest route all of whose fleets are ordered to convoy.

        Raises `EngineLimitError` if there are too many routes.
        """
        routes = chain.from_iterable(move.iter_routes() for move in self.situation.moves)
        lengths = [len(route) for route in islice(routes, MOST_ROUTES + 1)]
        if len(lengths) > MOST_ROUTES:
            raise EngineLimitError(f"the longest route cannot be found: there are more than {MOST_ROUTES:,}")
        return max(lengths, default=0)

    @property
    def has_differing_convoys(self) -> bool:
        """Return whether two of the board's resolutions differ on whether some convoy with a matching move is available."""
        found = self.resolutions
        return found.count > 1 and any(
            len({assignment[position] for assignment in part.assignments}) > 1
            for part in found.components
            for position, index in enumerate(part.indices)
            if isinstance(decision := found.situation.decisions[index], ConvoyDecision) and decision.matches
        )

    def verdict(self, order: MovementOrder) -> Verdict | None:
        """Return the verdict on an order; None if it was not given, or the rulebook has no answer."""
        return next((entry.verdict for entry in self._entries if is_same_order(order, entry.order)), None)

    def verdict_in(self, province: ProvinceCode) -> Verdict | None:
        """Return the verdict on the order of the unit in a province; None without a unit or an answer of the rulebook."""
        return next((entry.verdict for entry in self._entries if entry.province == province), None)

    @cached_property
    def _entries(self) -> list[JudgedOrder]:
        """The orders with their verdicts; empty if the rulebook has no answer."""
        return [entry for given in self.outcome.judged.values() for entry in given] if self.outcome else []

    @cached_property
    def position(self) -> tuple[frozenset[Unit], frozenset[ProvinceCode]] | None:
        """The units afterwards, and the provinces whose units were dislodged; None if the rulebook has no answer."""
        return (frozenset(self.outcome.units), frozenset(self.outcome.dislodgements)) if self.outcome else None

    def judge_without_unit(self, province: ProvinceCode) -> Judged:
        """Return the judgement of the same board without the unit in a province, with all other orders unchanged; cached."""
        if province not in self._removal_cache:
            self._removal_cache[province] = Judged(self.proposal.remove_units_and_orders((province,), ()), self.rulebook)
        return self._removal_cache[province]

    @cached_property
    def _removal_cache(self) -> dict[ProvinceCode, Judged]:
        return {}

    def judge_under(self, rulebook: Rulebook) -> Judged:
        """Return the judgement of the same proposal under another rulebook."""
        return self if rulebook == self.rulebook else Judged(self.proposal, rulebook)


class JudgedSeasons(Judged):
    """The result of several seasons: the board after the last one, and all units dislodged on the way."""

    def __init__(self, before: Board, after: Board, dislodged: Iterable[Unit], rulebook: Rulebook) -> None:
        self.proposal = Proposal(before, {unit.province: make_hold(unit) for unit in before.units}, {})
        self.rulebook = rulebook
        self.outcome, self.error = None, None
        self.after = self.board_afterwards = after
        self.dislodged = tuple(dislodged)

    @property
    def aftermath(self) -> Aftermath:
        """The position after the last season."""
        return self

    @property
    def ends_in_fall(self) -> bool:
        """True if adjustments follow."""
        return self.after.phase is Phase.ADJUSTMENT

    @property
    def units(self) -> tuple[Unit, ...]:
        """The units that stand after the last season."""
        return self.after.units

    @property
    def dislodgements(self) -> Mapping[str, DislodgedUnit]:
        """The units dislodged in any season, by power and unit, without retreats."""
        return {f"{unit.power} {unit}": DislodgedUnit(unit, ()) for unit in self.dislodged}


def find_illegal_orders(proposal: Proposal, rulebook: Rulebook) -> dict[MovementOrder, str]:
    """Return a dict from each order that is illegal under a rulebook to the reason."""
    docket = make_docket(proposal.board, proposal.orders, rulebook)
    illegal = ((entry.order, entry.reason) for given in docket.entries.values() for entry in given if entry.reason is not None)
    return {order: reason for order, reason in illegal if isinstance(order, MovementOrder)}


def find_never_legal_orders(proposal: Proposal, rulebooks: Iterable[Rulebook]) -> dict[MovementOrder, str]:
    """Return a dict from each order that is illegal under all of these rulebooks to the reason that the first one gives."""
    first, *others = (find_illegal_orders(proposal, rulebook) for rulebook in rulebooks)
    return {order: reason for order, reason in first.items() if all(order in other for other in others)}
