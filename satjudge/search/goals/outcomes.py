"""Defines goals about the outcome: a unit is dislodged, a unit stands somewhere, or an order has a verdict.

Retreats depend only on the final values of moves, supports and convoys (`satjudge.judging.outcome`), so the literal for a
destroyed unit holds exactly if the judge finds no retreat.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from satjudge.base.errors import InputError, NotationError
from satjudge.base.values import replace
from satjudge.judging.equations import statement
from satjudge.judging.equations.situation import ConvoyDecision, MoveDecision, OrderDecision, SupportDecision
from satjudge.notation.parse import parse_location, parse_order, parse_power
from satjudge.search.formulas.clauses import FALSE, TRUE, Literal
from satjudge.search.goals.goal import Goal, OutcomeGoal
from satjudge.search.goals.judged_position import Judged
from satjudge.search.open_orders.encoding import Encoding
from satjudge.search.open_orders.universe import Candidate, Universe, drop_unit_name, fits_place, is_same_order, is_same_unit
from satjudge.world.geography import Location, Map, Power, ProvinceCode, UnitKind, province_of
from satjudge.world.orders import Convoy, Hold, Move, MovementOrder, Named, SupportHold, SupportMove
from satjudge.world.rules.rulebook import RetreatToOrigin
from satjudge.world.verdicts import Fate, OrderResult
from satjudge.world.verdicts import Verdict as Told


@dataclass(frozen=True, slots=True)
class _PlaceGoal(OutcomeGoal):
    """A goal about a unit in a province or on a coast, of a certain power if one is named."""

    place: Location
    power: Power | None = None

    def __str__(self) -> str:
        return f"{self.name}:{self.place}" + (f"={self.power}" if self.power else "")

    @classmethod
    def read(cls, argument: str, game_map: Map) -> Goal:
        place, equals, power = argument.partition("=")
        return cls(read_place(place, game_map), parse_power(power, game_map) if equals else None)

    @property
    def province(self) -> ProvinceCode:
        """The province of the place, without its coast."""
        return province_of(self.place)


@dataclass(frozen=True, slots=True)
class DislodgedGoal(_PlaceGoal):
    """The goal that the unit in a province is dislodged, or the fleet on a coast if one is named."""

    name = "dislodged"
    form = "dislodged:PROVINCE"

    @classmethod
    def read(cls, argument: str, game_map: Map) -> Goal:
        return cls(read_place(argument, game_map))

    def holds(self, judged: Judged) -> bool:
        lost = judged.aftermath.dislodgements.values() if judged.aftermath else ()
        return any(fits_place(self.place, one.unit.location) for one in lost)

    def literal(self, encoding: Encoding) -> Literal:
        return encoding.all_of((has_unit_literal(encoding, self.place), encoding.dislodged(self.province)))

    def hints(self, universe: Universe) -> Iterator[str]:
        return iter_unit_hints(Named(None, self.place), universe)


@dataclass(frozen=True, slots=True)
class OccupiedGoal(_PlaceGoal):
    """The goal that a unit, of a certain power if one is named, stands in the province or on the coast after the moves."""

    name = "occupied"
    form = "occupied:PROVINCE=POWER"

    def holds(self, judged: Judged) -> bool:
        units = judged.aftermath.units if judged.aftermath else ()
        return any(fits_place(self.place, unit.location) and self.power in (None, unit.power) for unit in units)

    def literal(self, encoding: Encoding) -> Literal:
        """Return the literal that holds if a unit (of the power, if any) stays in the place undislodged, or moves there."""
        place = encoding.orders.situation.places.get(self.province)
        has_units = (has_unit_literal(encoding, self.place), self._has_unit_of_power(encoding, self.province))
        stays = encoding.all_of((*has_units, -encoding.is_left(self.province), -encoding.is_entered(self.province)))
        entering = [move for move in place.moves_in if fits_place(self.place, move.order.destination)] if place else []
        arriving = (encoding.all_of((encoding.move(m), self._has_unit_of_power(encoding, m.origin.province))) for m in entering)
        return encoding.any_of((stays, *arriving))

    def _has_unit_of_power(self, encoding: Encoding, province: ProvinceCode) -> Literal:
        orders = encoding.orders
        return orders.powers.has_unit_of(province, self.power) if self.power else orders.occupied.get(province, FALSE)

    def hints(self, universe: Universe) -> Iterator[str]:
        """Yield a sentence if the place is outside the region, or if the board has no unit of the power."""
        if self.province not in universe.provinces:
            yield f"{self.province} is outside the region"
        elif self.power and not universe.spots and all(unit.power != self.power for unit in universe.units):
            yield f"no unit of {universe.map.name_of(self.power)} is on the board"


def read_place(text: str, game_map: Map) -> Location:
    """Parse the name of a province or coast of the map; raises `InputError` if the map has none with that name."""
    location = parse_location(text, game_map)
    if location not in game_map.locations:
        province = province_of(location)
        coasts = sorted(one for one in game_map.locations if province_of(one) == province and one != province)
        raise InputError(f"there is no {location}", suggestion=f"write {' or '.join((province, *coasts))}", column=1)
    return location


def read_province(text: str, game_map: Map, goal_name: str) -> ProvinceCode:
    """Parse the name of a province, the argument of the goal or quantity `goal_name`, which errors mention.

    Raises `InputError` for a coast.
    """
    place = read_place(text, game_map)
    province = province_of(place)
    if place != province:
        hint = f"write {goal_name}:{province}; unit:{place} asks for a fleet on that coast"
        raise InputError(f"{goal_name} needs a province without a coast", suggestion=hint, column=1)
    return province


def has_unit_literal(encoding: Encoding, place: Location) -> Literal:
    """Return the literal that holds if a unit stands in this province, or on this coast, before the moves."""
    spot_literals = encoding.orders.iter_units(province_of(place))
    return encoding.any_of(literal for spot, literal in spot_literals if fits_place(place, spot.location))


def has_unit_at(judged: Judged, place: Location) -> bool:
    """Return whether a unit stands in this province, or on this coast, before the moves."""
    unit = judged.proposal.board.unit_at.get(province_of(place))
    return unit is not None and fits_place(place, unit.location)


def iter_unit_hints(unit_name: Named, universe: Universe) -> Iterator[str]:
    """Yield a sentence with the reason if the universe cannot have the named unit."""
    if unit_name.province not in universe.provinces:
        yield f"{unit_name.province} is outside the region"
    elif not any(is_same_unit(unit_name, spot.unit_name) for spot in universe.standing):
        yield f"there is no {unit_name}" if unit_name.kind else f"no unit stands in {unit_name.location}"


VERDICTS: dict[type[MovementOrder], tuple[OrderResult, ...]] = {
    Hold: (OrderResult.STANDS,),
    Move: (OrderResult.SUCCEEDS, OrderResult.FAILS, OrderResult.INVALID),
    SupportHold: (OrderResult.GIVEN, OrderResult.CUT, OrderResult.INVALID),
    SupportMove: (OrderResult.GIVEN, OrderResult.CUT, OrderResult.INVALID),
    Convoy: (OrderResult.AVAILABLE, OrderResult.DISRUPTED, OrderResult.INVALID),
}
"""The possible results of a legal order, by its kind."""


@dataclass(frozen=True, slots=True)
class VerdictGoal(OutcomeGoal):
    """The goal that the order is given and has this verdict: `fails`, `dislodged`, or both."""

    name = "verdict"
    form = 'verdict:"ORDER"=VERDICT'

    order: MovementOrder
    verdict: Told

    def __str__(self) -> str:
        text = str(self.verdict)
        return f'verdict:"{self.order}"=' + (f'"{text}"' if " " in text else text)

    @classmethod
    def read(cls, argument: str, game_map: Map) -> Goal:
        """Return the goal with an argument such as `"A PAR - BUR"=fails`, with the order in quotation marks."""
        match = re.fullmatch(r'"([^"]*)"=(.+)', argument)
        if match is None:
            raise InputError("expected an order and its verdict", suggestion='write verdict:"F WAL - ENG"=succeeds')
        order = parse_order(match[1], game_map)
        known = VERDICTS.get(type(order), ()) if isinstance(order, MovementOrder) else ()
        verdict = read_verdict(match[2])
        if not isinstance(order, MovementOrder) or verdict is None or verdict.order not in (None, *known):
            raise NotationError(f"{match[2]} is not a verdict on {order}", suggestion=f"verdicts: {', '.join((*known, *Fate))}")
        return cls(shorten_order(order, game_map), verdict)

    def holds(self, judged: Judged) -> bool:
        """Return whether the order is given and has all parts of the verdict: a result, a fate, or both."""
        found, words = judged.verdict(self.order), self.verdict.words
        return found is not None and set(words) <= set(found.words)

    def literal(self, encoding: Encoding) -> Literal:
        """Return the literal that holds if a matching order is given and has the verdict."""
        orders, place = encoding.orders, self.order.unit.province
        stands = encoding.any_of(
            literal for spot, literal in orders.iter_units(place) if is_same_unit(self.order.unit, spot.unit_name)
        )
        fate = has_fate(encoding, place, self.verdict)
        if isinstance(self.order, Hold):
            return encoding.all_of((stands, -orders.order_literal(place), fate))
        wanted = drop_unit_name(self.order)
        result = self.verdict.order
        if result is None:  # only a fate: the order need not count
            given = [literal for order, literal in orders.list_order_literals() if is_same_order(wanted, order)]
        else:
            decisions = zip(orders.situation.order_decisions, orders.written_orders, strict=True)
            given = [has_result(encoding, d, result) for d, order in decisions if is_same_order(wanted, order)]
        return encoding.all_of((stands, encoding.any_of(given), fate))

    def hints(self, universe: Universe) -> Iterator[str]:
        """Yield a sentence if no such unit is possible, or if it cannot be given the order."""
        about = list(iter_unit_hints(self.order.unit, universe))
        given = universe.orders.get(self.order.unit.province)
        if about:
            yield from about
        elif given is not None and not is_same_order(self.order, given):
            yield f"another order is given: {given}"
        elif not isinstance(self.order, Hold) and not any(self._is_like(candidate) for candidate in universe.candidates):
            yield f"{self.order} is never legal in the boards searched"

    def _is_like(self, candidate: Candidate) -> bool:
        fitting = any(is_same_unit(self.order.unit, spot.unit_name) for spot in candidate.given_to)
        return fitting and is_same_order(drop_unit_name(self.order), candidate.order)


def read_verdict(text: str) -> Told | None:
    """Parse a verdict such as `fails`, with or without quotation marks; None if the text is not a verdict."""
    try:
        return Told.read(", ".join(word.strip() for word in text.strip('"').split(",")))
    except ValueError:
        return None


def shorten_order(order: MovementOrder, game_map: Map) -> MovementOrder:
    """Return the order without `via convoy` if the unit cannot go by land, since it is then convoyed anyway."""
    if isinstance(order, Move) and order.via_convoy:
        by_land = order.destination in game_map.exits(UnitKind.ARMY, order.unit.location)
        return replace(order, via_convoy=by_land and order.unit.kind is not UnitKind.FLEET)
    return order


def has_fate(encoding: Encoding, place: ProvinceCode, verdict: Told) -> Literal:
    """Return the literal that holds if the unit has the verdict's fate; without one, only `stands` excludes dislodgement."""
    if verdict.unit is None:
        return -encoding.dislodged(place) if verdict.order is OrderResult.STANDS else TRUE
    stranded = has_no_retreat(encoding, place)
    return encoding.all_of((encoding.dislodged(place), stranded if verdict.unit is Fate.DESTROYED else -stranded))


def has_result(encoding: Encoding, subject: OrderDecision, result: OrderResult) -> Literal:
    """Return the literal that holds if the order is given, legal and has this result; `invalid` lacks a matching order."""
    if isinstance(subject, SupportDecision):
        matched = statement.is_matched(encoding, subject)
    elif isinstance(subject, ConvoyDecision):
        matched = encoding.any_of(encoding.is_chosen(move) for move in subject.matches)
    else:
        by_land = -encoding.is_convoyed(subject)
        matched = encoding.any_of((by_land, statement.has_ordered_route(encoding, subject, own_only=False)))
    if result is OrderResult.INVALID:
        return encoding.all_of((encoding.is_chosen(subject), -matched))
    value = encoding.value_of(subject)
    holds = result in (OrderResult.SUCCEEDS, OrderResult.GIVEN, OrderResult.AVAILABLE)
    return encoding.all_of((encoding.is_chosen(subject), matched, value if holds else -value))


def has_no_retreat(encoding: Encoding, place: ProvinceCode) -> Literal:
    """Return the literal that holds if a unit dislodged from this province could not retreat anywhere."""

    stranded = []
    for spot, stands in encoding.orders.iter_units(place):
        exits = sorted({province_of(location) for location in encoding.orders.map.exits(*spot)})
        stranded.append(encoding.all_of((stands, *(is_retreat_barred(encoding, place, province) for province in exits))))
    return encoding.any_of(stranded)


def is_retreat_barred(encoding: Encoding, place: ProvinceCode, province: ProvinceCode) -> Literal:
    """Return the literal that holds if a unit dislodged from `place` may not retreat to `province` (DATC 6.H)."""
    occupied = (encoding.stays(province), encoding.is_entered(province))
    return encoding.any_of((*occupied, _is_contested(encoding, province), _is_attacked_from(encoding, place, province)))


def _is_contested(encoding: Encoding, province: ProvinceCode) -> Literal:
    """Return the literal that holds if some move to the province fails although its PREVENT is above 0 (DATC 6.H.6, 6.H.9)."""
    above = {m: next(iter(encoding.prevent(m)), FALSE) for m in _list_moves_into(encoding, province)}
    fails = ((encoding.is_chosen(m), -encoding.move(m), literal) for m, literal in above.items())
    return encoding.any_of(map(encoding.all_of, fails))


def _is_attacked_from(encoding: Encoding, province: ProvinceCode, origin: ProvinceCode) -> Literal:
    """Return the literal that holds if the dislodging unit came from `origin`, unless by a convoy that 4.A.5 exempts."""
    moves = (move for move in _list_moves_into(encoding, province) if move.origin.province == origin)
    back_is_free = RetreatToOrigin.ALLOWED
    return encoding.any_of(
        encoding.all_of((encoding.move(m), -encoding.is_convoyed(m) if m.rules.retreat_to_origin is back_is_free else TRUE))
        for m in moves
    )


def _list_moves_into(encoding: Encoding, province: ProvinceCode) -> Sequence[MoveDecision]:
    place = encoding.orders.situation.places.get(province)
    return place.moves_in if place else ()


# ---- goals about a unit in a province: its power before the moves, and the verdict on its order ----


@dataclass(frozen=True, slots=True)
class StandingUnitGoal(_PlaceGoal):
    """The goal that a unit, of a certain power if one is named, stands in the province or on the coast before the moves."""

    name = "unit"
    form = "unit:PROVINCE=POWER"

    def holds(self, judged: Judged) -> bool:
        unit = judged.proposal.board.unit_at.get(self.province) if judged.outcome else None
        return unit is not None and fits_place(self.place, unit.location) and self.power in (None, unit.power)

    def literal(self, encoding: Encoding) -> Literal:
        has_unit = has_unit_literal(encoding, self.place)
        if self.power is None:
            return has_unit
        return encoding.all_of((has_unit, encoding.orders.powers.has_unit_of(self.province, self.power)))

    def hints(self, universe: Universe) -> Iterator[str]:
        return iter_unit_hints(Named(None, self.place), universe)


@dataclass(frozen=True, slots=True)
class OrderVerdictGoal(OutcomeGoal):
    """The goal that the order of the unit in a place, whatever it is, has a certain verdict."""

    name = "order"
    form = "order:PROVINCE=VERDICT"

    place: Location
    verdict: Told

    def __str__(self) -> str:
        text = str(self.verdict)
        return f"order:{self.place}=" + (f'"{text}"' if " " in text else text)

    @classmethod
    def read(cls, argument: str, game_map: Map) -> Goal:
        place, _, words = argument.partition("=")
        text, known = read_verdict(words), dict.fromkeys(word for verdict_words in VERDICTS.values() for word in verdict_words)
        if text is None or text.order not in (None, *known):
            raise NotationError(f"{words or 'nothing'} is not a verdict", suggestion=f"verdicts: {', '.join((*known, *Fate))}")
        return cls(read_place(place, game_map), text)

    @property
    def province(self) -> ProvinceCode:
        """The province of the place, without its coast."""
        return province_of(self.place)

    def holds(self, judged: Judged) -> bool:
        found = judged.verdict_in(self.province) if has_unit_at(judged, self.place) else None
        return found is not None and set(self.verdict.words) <= set(found.words)

    def literal(self, encoding: Encoding) -> Literal:
        """Return the literal that holds if the unit in the place has the fate, and its order has the result."""
        orders, result = encoding.orders, self.verdict.order
        fate = has_fate(encoding, self.province, self.verdict)
        stands = has_unit_literal(encoding, self.place)
        if result is None:
            return encoding.all_of((stands, fate))
        if result is OrderResult.STANDS:
            return encoding.all_of((stands, -orders.order_literal(self.province), fate))
        kinds = tuple(kind for kind, results in VERDICTS.items() if result in results and kind is not Hold)
        decisions = (d for d in orders.situation.order_decisions if d.province == self.province and isinstance(d.order, kinds))
        given = [has_result(encoding, d, result) for d in decisions]
        return encoding.all_of((stands, encoding.any_of(given), fate))

    def hints(self, universe: Universe) -> Iterator[str]:
        return iter_unit_hints(Named(None, self.place), universe)
