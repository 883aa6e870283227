"""Judges boards with orders, and provides what goals ask about them: outcome, resolutions and cores.

A search shows an answer only if its goal holds for the judged position.
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
"""The largest number of convoy routes among which the longest is looked for."""


class Aftermath(Protocol):
    """The position after one movement phase (`Outcome`), or after several seasons (`JudgedSeasons`)."""

    @property
    def units(self) -> tuple[Unit, ...]:
        """The units on the board afterwards, without dislodged units."""

    @property
    def dislodgements(self) -> Mapping[str, Dislodgement | DislodgedUnit]:
        """The dislodged units: by province after a movement phase, or by power and unit after several seasons."""


class Judged:
    """A proposal, judged by the staged engine under a rulebook; `outcome` is None if the rulebook has no answer."""

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
        """The position after the orders; None if the rulebook has no answer."""
        return self.outcome

    @cached_property
    def board_afterwards(self) -> Board | None:
        """The board after the season, without dislodged units; None if the rulebook has no answer."""
        return next_board(self.proposal.board, self.outcome.units) if self.outcome else None

    @property
    def ends_in_fall(self) -> bool:
        """True if the season is Fall, after which centres change hands and adjustments follow."""
        turn = self.proposal.board.turn
        return turn is not None and turn.season is Season.FALL

    @property
    def reading(self) -> Reading:
        """The equations' values of all decisions in the outcome, which must exist."""
        assert self.outcome is not None
        return Reading(self.outcome.adjudication.values)

    @property
    def situation(self) -> Situation:
        """The situation of the board's orders and decisions, as it was judged."""
        return self.resolutions.situation

    @property
    def results(self) -> Mapping[Power, list[str]] | None:
        """The verdicts by power, each power's in the same sequence as its orders; None if the rulebook has no answer."""
        return self.outcome.results if self.outcome else None

    @cached_property
    def cores(self) -> list[ClassifiedCore]:
        """The cores that the rulebook settled, each with its shape; empty if the rulebook has no answer."""
        return classify_cores(self.outcome.adjudication) if self.outcome else []

    @property
    def open_cores(self) -> list[ClassifiedCore]:
        """The cores that the rest of the board leaves open: each resolution of the core is part of one of the board.

        For a core without resolutions, the board must have none. The resolutions of a core that exists only because of a ruling
        on another core need not be parts of any of the board.
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
        """A list with the core that the rulebook cannot settle; empty if there is none."""
        if self.error is None or self.error.core is None:
            return []
        return [classify_core(self.situation, self.error.core, self.error.values)]

    @property
    def longest_route(self) -> int:
        """The number of fleets on the longest route whose fleets are all ordered to convoy; 0 if there is none.

        Raises `EngineLimitError` if there are too many routes.
        """
        routes = chain.from_iterable(move.iter_routes() for move in self.situation.moves)
        lengths = [len(route) for route in islice(routes, MOST_ROUTES + 1)]
        if len(lengths) > MOST_ROUTES:
            raise EngineLimitError(f"the longest convoy route cannot be found: there are more than {MOST_ROUTES:,} routes")
        return max(lengths, default=0)

    @property
    def has_differing_convoys(self) -> bool:
        """Return whether some convoy with a matching move is available in one resolution of the board but not in another."""
        found = self.resolutions
        return found.count > 1 and any(
            len({assignment[position] for assignment in part.assignments}) > 1
            for part in found.components
            for position, index in enumerate(part.indices)
            if isinstance(decision := found.situation.decisions[index], ConvoyDecision) and decision.matches
        )

    def verdict(self, order: MovementOrder) -> Verdict | None:
        """Return the verdict on an order; None if the order was not given, or if the rulebook has no answer."""
        return next((entry.verdict for entry in self._entries if is_same_order(order, entry.order)), None)

    def verdict_in(self, province: ProvinceCode) -> Verdict | None:
        """Return the verdict on the order to the unit in a province; None if there is no unit or the rulebook has no answer."""
        return next((entry.verdict for entry in self._entries if entry.province == province), None)

    @cached_property
    def _entries(self) -> list[JudgedOrder]:
        """The orders with their verdicts; empty if the rulebook has no answer."""
        return [entry for given in self.outcome.judged.values() for entry in given] if self.outcome else []

    @cached_property
    def position(self) -> tuple[frozenset[Unit], frozenset[ProvinceCode]] | None:
        """The units afterwards, and the provinces whose units are dislodged; None if the rulebook has no answer."""
        return (frozenset(self.outcome.units), frozenset(self.outcome.dislodgements)) if self.outcome else None

    def judge_without_unit(self, province: ProvinceCode) -> Judged:
        """Judge the board without the unit in a province, with all other orders unchanged; results are cached."""
        if province not in self._removal_cache:
            self._removal_cache[province] = Judged(self.proposal.remove_units_and_orders((province,), ()), self.rulebook)
        return self._removal_cache[province]

    @cached_property
    def _removal_cache(self) -> dict[ProvinceCode, Judged]:
        return {}

    def judge_under(self, rulebook: Rulebook) -> Judged:
        """Judge the same proposal under another rulebook."""
        return self if rulebook == self.rulebook else Judged(self.proposal, rulebook)


class JudgedSeasons(Judged):
    """The result of several seasons: the board after the last one, and all units dislodged during them."""

    def __init__(self, before: Board, after: Board, dislodged: Iterable[Unit], rulebook: Rulebook) -> None:
        self.proposal = Proposal(before, {unit.province: make_hold(unit) for unit in before.units}, {})
        self.rulebook = rulebook
        self.outcome, self.error = None, None
        self.after = self.board_afterwards = after
        self.dislodged = tuple(dislodged)

    @property
    def aftermath(self) -> Aftermath:
        """The position after the last season, which this object itself provides."""
        return self

    @property
    def ends_in_fall(self) -> bool:
        """True if adjustments follow the last season."""
        return self.after.phase is Phase.ADJUSTMENT

    @property
    def units(self) -> tuple[Unit, ...]:
        """The units on the board after the last season."""
        return self.after.units

    @property
    def dislodgements(self) -> Mapping[str, DislodgedUnit]:
        """The units dislodged in any season, by power and unit; their retreats are left empty."""
        return {f"{unit.power} {unit}": DislodgedUnit(unit, ()) for unit in self.dislodged}


def find_illegal_orders(proposal: Proposal, rulebook: Rulebook) -> dict[MovementOrder, str]:
    """Return the orders that are illegal under a rulebook, each with the reason."""
    docket = make_docket(proposal.board, proposal.orders, rulebook)
    illegal = ((entry.order, entry.reason) for given in docket.entries.values() for entry in given if entry.reason is not None)
    return {order: reason for order, reason in illegal if isinstance(order, MovementOrder)}


def find_never_legal_orders(proposal: Proposal, rulebooks: Iterable[Rulebook]) -> dict[MovementOrder, str]:
    """Return the orders that are illegal under all of the rulebooks, each with the reason under the first one."""
    first, *others = (find_illegal_orders(proposal, rulebook) for rulebook in rulebooks)
    return {order: reason for order, reason in first.items() if all(order in other for other in others)}
