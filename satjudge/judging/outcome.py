"""Derives what players see from a resolution: verdicts, dislodgements, retreats, contested provinces and the next board."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NoReturn

from msgspec import Struct

from satjudge.base.imports import cached_property
from satjudge.base.values import brief, one_line
from satjudge.base.words import number_of
from satjudge.judging.equations.compiler import Equations, compile_equations
from satjudge.judging.equations.situation import (
    CanalDecision,
    ConvoyDecision,
    Decision,
    MoveDecision,
    PassDecision,
    ReachDecision,
    SupportDecision,
)
from satjudge.judging.legality import Docket, Entry
from satjudge.judging.solve import Engine
from satjudge.judging.solve.result import Adjudication
from satjudge.world.board import Board, ByPower, DislodgedUnit, Phase, Unit, unit_of
from satjudge.world.geography import Location, Map, Power, ProvinceCode, UnitKind, province_of
from satjudge.world.orders import Hold, Named
from satjudge.world.rules.rulebook import DisorderRetreats, RetreatToOrigin, Rulebook
from satjudge.world.seasons import next_board
from satjudge.world.verdicts import Fate, JudgedOrder, OrderResult, PhaseOutcome, Verdict

RESULTS: Mapping[type[Decision], tuple[OrderResult, OrderResult, OrderResult]] = {
    MoveDecision: (OrderResult.INVALID, OrderResult.FAILS, OrderResult.SUCCEEDS),
    SupportDecision: (OrderResult.INVALID, OrderResult.CUT, OrderResult.GIVEN),
    ConvoyDecision: (OrderResult.INVALID, OrderResult.DISRUPTED, OrderResult.AVAILABLE),
}
"""The results of a legal order of each kind: without the order that it must match, matched but failing, and succeeding."""
_RESULT_VERDICTS = {result: Verdict.from_result(result) for result in OrderResult}
"""The verdicts on orders whose units were not dislodged."""
_SUCCESS_VERDICTS: dict[type[Decision], Verdict] = {
    kind: _RESULT_VERDICTS[RESULTS[kind][2]] for kind in (MoveDecision, SupportDecision)
}
"""The verdict on an order whose equation holds."""


class Dislodgement(Struct, frozen=True):
    """A unit that was dislodged, its attacker, and where the unit may retreat to (sorted; empty if it is destroyed)."""

    unit: Unit
    attacker: Unit
    retreats: tuple[Location, ...]
    disbanded_by: str = ""
    """Why a rule disbands the unit although it could retreat (option 4.D.9.retreats); "" if no rule does."""

    @property
    def fate(self) -> Fate:
        """The fate of the unit: dislodged, or destroyed if it has no retreat."""
        return Fate.DISLODGED if self.retreats else Fate.DESTROYED


class KernelOutcome(Struct, frozen=True):
    """The outcome of a movement phase as the compiled kernel computes it, in the terms of `Outcome`."""

    results: Mapping[Power, list[str]]
    dislodgements: dict[ProvinceCode, Dislodgement]
    units: tuple[Unit, ...]
    contested: frozenset[ProvinceCode]

    __repr__ = brief


class Outcome(PhaseOutcome):
    """The outcome of a movement phase.

    Each property is computed on first use from the board, the orders that count (`docket`) and their resolution
    (`adjudication`). If the compiled kernel judged the phase, `docket` and `adjudication` are computed on first use, too.
    """

    phase: ClassVar[Literal[Phase.MOVEMENT]] = Phase.MOVEMENT

    def __init__(self, board: Board, docket: Docket, adjudication: Adjudication, engine: str = Engine.STAGED) -> None:
        self.__dict__.update(board=board, docket=docket, adjudication=adjudication, engine=str(engine))

    @classmethod
    def from_kernel(cls, board: Board, kernel_outcome: KernelOutcome, judge_plainly: Callable[[], Outcome]) -> Outcome:
        """Return an outcome with the kernel's results; `judge_plainly` judges the phase in Python if more is needed."""
        outcome = cls.__new__(cls)
        outcome.__dict__.update(
            board=board,
            _judge_plainly=judge_plainly,
            _results=kernel_outcome.results,
            dislodgements=kernel_outcome.dislodgements,
        )
        outcome.__dict__.update(units=kernel_outcome.units, contested=kernel_outcome.contested, engine="kernel")
        return outcome

    if TYPE_CHECKING:
        board: Board

        def _judge_plainly(self) -> Outcome: ...

    @cached_property
    def docket(self) -> Docket:
        """All orders given, with the reason if one is illegal, and the order that counts for each unit."""
        return self._plain_outcome.docket

    @cached_property
    def adjudication(self) -> Adjudication:
        """The values of all decisions, with the backup rules that settled some of them."""
        return self._plain_outcome.adjudication

    @cached_property
    def _plain_outcome(self) -> Outcome:
        return self._judge_plainly()

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"an outcome cannot be changed: {name!r} was not set")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Outcome):
            return NotImplemented
        return (self.board, self.docket, self.adjudication) == (other.board, other.docket, other.adjudication)

    __hash__ = None  # type: ignore[assignment]  # since its parts cannot be hashed

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the outcome without its derived values."""
        return type(self), (self.board, self.docket, self.adjudication)

    def __repr__(self) -> str:
        verdicts = Counter(verdict for given in self.results.values() for verdict in given)
        counted = ", ".join(f"{count} {verdict.replace(', ', ' and ')}" for verdict, count in verdicts.items())
        dislodged = ", ".join(str(lost.unit) for lost in self.dislodgements.values())
        orders = number_of(verdicts.total(), "order")
        return one_line(
            "Outcome",
            self.adjudication.situation.rulebook.name,
            f"{orders}: {counted}" if counted else "no orders",
            f"dislodged {dislodged}" if dislodged else "",
            ", ".join(f"backup rule {ruling.rule}" for ruling in self.adjudication.rulings),
        )

    @cached_property
    def _equations(self) -> Equations:
        return compile_equations(self.adjudication.situation.rulebook)

    @property
    def _moves(self) -> list[MoveDecision]:
        return self.adjudication.situation.moves

    @cached_property
    def successful_moves(self) -> dict[ProvinceCode, MoveDecision]:
        """The successful moves, by the province from which each starts."""
        values = self.adjudication.values
        return {move.origin.province: move for move in self._moves if values[move.index]}

    @cached_property
    def rides(self) -> dict[ProvinceCode, ProvinceCode]:
        """The last vacant province that each army reached by railroad, by the province that it left (DATC 2.4, 7.B)."""
        values, found = self.adjudication.values, {}
        for train in self.adjudication.situation.trains:
            vacant = (
                stage for stage in train.stages if stage.place.unit is None or stage.place.province in self.successful_moves
            )
            for stage in vacant:
                if values[stage.passing.index]:
                    found[train.origin.province] = stage.place.province
        return found

    @cached_property
    def _moves_by_destination(self) -> dict[ProvinceCode, MoveDecision]:
        return {move.destination.province: move for move in self.successful_moves.values()}

    @cached_property
    def contested(self) -> frozenset[ProvinceCode]:
        """The provinces to which a move failed with PREVENT above 0, so that no unit may retreat there (DATC 6.H.6, 6.H.9)."""
        values = self.adjudication.values
        prevent = self._equations["prevent"]
        failed = [move for move in self._moves if not values[move.index]]
        found = frozenset([move.destination.province for move in failed if prevent(values, values, move) > 0])
        for train in self.adjudication.situation.trains:
            turned = (stage for stage in train.stages if values[stage.reaching.index] and not values[stage.passing.index])
            found |= {stage.place.province for stage in turned if not any(values[move.index] for move in stage.opposed)}
        return found

    @property
    def left_empty(self) -> frozenset[ProvinceCode]:
        """The contested provinces in which no unit is after the moves."""
        return self.contested - self._occupied_afterwards

    @cached_property
    def dislodgements(self) -> dict[ProvinceCode, Dislodgement]:
        """The dislodgement of each dislodged unit, by the province in which the unit was."""
        found: dict[ProvinceCode, Dislodgement] = {}
        moved, rides = self.successful_moves, self.rides
        for province, move in self._moves_by_destination.items():
            unit = move.destination.unit
            if unit is not None and province not in moved and province not in rides:
                disbanded_by = self._find_disbanding_reason(unit.power)
                retreats = () if disbanded_by else self._find_retreats(unit, move)
                found[province] = Dislodgement(unit, self.board.unit_at[move.origin.province], retreats, disbanded_by)
        return found

    def _find_disbanding_reason(self, power: Power) -> str:
        """Return why a rule disbands the dislodged units of a power; "" if no rule does."""
        rules = self.adjudication.situation.rulebook
        return find_disbanding_reason(self.board.map, power, rules, ordered=bool(self.docket.entries.get(power)))

    def _find_retreats(self, unit: Unit, attacker: MoveDecision) -> tuple[Location, ...]:
        """Return, sorted, a unit's retreats: to its attacker's origin only after a convoyed attack, if allowed (4.A.5)."""
        values = self.adjudication.values
        by_convoy = self._equations["is_convoyed"](values, values, attacker)
        is_allowed = by_convoy and attacker.rules.retreat_to_origin is RetreatToOrigin.ALLOWED
        barred = None if is_allowed else attacker.origin.province
        return tuple(
            sorted(
                location
                for location in self.board.open_map.exits(unit.kind, unit.location)
                if (province := province_of(location)) != barred
                and province not in self.contested
                and province not in self._occupied_afterwards
            )
        )

    @cached_property
    def _occupied_afterwards(self) -> frozenset[ProvinceCode]:
        stayed = self.board.unit_at.keys() - self.successful_moves.keys()
        if self.rides:
            return frozenset({*(stayed - self.rides.keys()), *self._moves_by_destination, *self.rides.values()})
        return frozenset(stayed | self._moves_by_destination.keys())

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """The units after the moves, except the dislodged ones, in the order of the board before."""
        moved, rides, dislodged, after = self.successful_moves, self.rides, self.dislodgements, []
        for province, unit in self.board.unit_at.items():
            move = moved.get(province)
            if move is not None:
                after.append(unit_of(unit.power, unit.kind, move.order.destination))
            elif province in rides:
                after.append(unit_of(unit.power, unit.kind, rides[province]))
            elif province not in dislodged:
                after.append(self._transformed_units.get(province, unit))
        return tuple(after)

    @cached_property
    def _transformed_units(self) -> dict[ProvinceCode, Unit]:
        """The units that become the other kind because no foreign unit attacks them, by province."""
        ordered, unit_at = self._ordered_transformations, self.board.unit_at
        return {
            place: unit_of(unit_at[place].power, becomes.kind or UnitKind.ARMY, becomes.location)
            for place, becomes in ordered.items()
            if not self.transformation_attackers[place]
        }

    @cached_property
    def transformation_attackers(self) -> dict[ProvinceCode, list[Unit]]:
        """The foreign units that attack each unit ordered to become the other kind, by the province of the latter."""
        found: dict[ProvinceCode, list[Unit]] = {place: [] for place in self._ordered_transformations}
        values, unit_at, prevent = self.adjudication.values, self.board.unit_at, self._equations["prevent"]
        for move in self._moves if found else ():
            place, attacker = move.destination.province, unit_at[move.origin.province]
            foreign = place in found and unit_at[place].power != attacker.power
            if foreign and prevent(values, values, move) > 0:  # 0 if the move has no path
                found[place].append(attacker)
        return found

    @cached_property
    def _ordered_transformations(self) -> dict[ProvinceCode, Named]:
        """The unit that each transforming unit is ordered to become, by its province."""
        orders = self.docket.orders.items() if self.board.map.transforms else ()
        return {place: order.becomes for place, order in orders if isinstance(order, Hold) and order.becomes}

    @cached_property
    def retreat_board(self) -> Board:
        """The position right after the moves, with all dislodged units, including those that cannot retreat."""
        dislodged = tuple(
            DislodgedUnit(entry.unit, entry.retreats, entry.attacker.province, entry.disbanded_by)
            for entry in self.dislodgements.values()
        )
        return replace(self.board, units=self.units, dislodged=dislodged, phase=Phase.RETREAT)

    @cached_property
    def next_board(self) -> Board:
        """The next position in the game; after Fall, centres have changed hands.

        Its phase is a retreat phase if a dislodged unit may retreat, an adjustment phase if one is due after Fall, or else a
        movement phase.
        """
        return next_board(self.board, self.units, self.retreat_board.dislodged)

    @cached_property
    def judged(self) -> Mapping[Power, list[JudgedOrder]]:
        """The orders of every power with their verdicts, in the order in which they were given."""
        return ByPower(
            {
                power: [
                    JudgedOrder(power, entry.order, self._find_verdict(entry), entry.reason, entry.province)
                    for entry in entries
                ]
                for power, entries in self.docket.entries.items()
            }
        )

    def _find_verdict(self, entry: Entry) -> Verdict:
        if entry.reason is None:
            return self._verdicts[entry.province]
        # The fate of a unit is reported only once: with the order that counts, if there is one.
        dislodgement = None if entry.province in self.docket.orders else self.dislodgements.get(entry.province or "")
        return Verdict.from_result(OrderResult.ILLEGAL, dislodgement.fate if dislodgement else None)

    @cached_property
    def _verdicts(self) -> dict[ProvinceCode | None, Verdict]:
        """The verdict on the order that counts for the unit in each province; permissions, which have none, are under None."""
        found: dict[ProvinceCode | None, Verdict] = dict.fromkeys(self.board.unit_at, _RESULT_VERDICTS[OrderResult.STANDS])
        found[None] = _RESULT_VERDICTS[OrderResult.GRANTED]
        for decision, value in zip(self.adjudication.situation.decisions, self.adjudication.values, strict=True):
            if value and (verdict := _SUCCESS_VERDICTS.get(type(decision))):
                found[decision.province] = verdict
            elif not isinstance(decision, CanalDecision):  # which belongs to another unit's order
                found[decision.province] = _RESULT_VERDICTS[self.find_result(decision)]
        for province in self._ordered_transformations:
            found[province] = _RESULT_VERDICTS[
                OrderResult.SUCCEEDS if province in self._transformed_units else OrderResult.FAILS
            ]
        for province, lost in self.dislodgements.items():
            found[province] = Verdict.from_result(found[province].order, lost.fate)
        return found

    def find_result(self, decision: Decision) -> OrderResult:
        """Return the result of the legal order behind a decision, without the fate of its unit."""
        value = self.adjudication.values[decision.index]
        if (results := RESULTS.get(type(decision))) is not None:
            return results[0 if not self._is_matched(decision) else 2 if value else 1]
        if isinstance(decision, ReachDecision | PassDecision):
            if decision.stage.last and value and isinstance(decision, PassDecision):
                return OrderResult.SUCCEEDS
            return OrderResult.STOPS if decision.province in self.rides else OrderResult.FAILS
        return OrderResult.AVAILABLE if value else OrderResult.DISRUPTED

    def _is_matched(self, decision: Decision) -> bool:
        """Return whether a decision's order is matched by the order that it needs; one that needs none always is."""
        if isinstance(decision, ConvoyDecision):
            return bool(decision.matches)
        values = self.adjudication.values
        if values[decision.index]:
            return True
        if isinstance(decision, MoveDecision):  # a move by convoy needs a route of fleets ordered to convoy it
            return decision.has_route or not self._equations["is_convoyed"](values, values, decision)
        return bool(self._equations["is_matched"](values, values, decision))


def find_disbanding_reason(game_map: Map, power: Power, rules: Rulebook, *, ordered: bool) -> str:
    """Return why a power's dislodged units are disbanded: the map, neutrality or, by option, if not `ordered`; "" if not."""
    if game_map.no_retreats:
        return "there are no retreats on this map"
    if power == game_map.nobody:
        return "nobody orders neutral units"
    if rules.disorder_retreats is DisorderRetreats.ALLOWED or ordered:
        return ""
    return f"{game_map.name_of(power)} gave no orders (4.D.9.retreats)"
