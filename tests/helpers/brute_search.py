"""The reference search: every board with legal orders is drawn up and judged. For universes of a few units, in tests.

It knows nothing of candidates and formulas: what is legal is for `satjudge.judging.legality` to say, what comes of it for the
judge.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product

from satjudge.judging.legality import make_docket
from satjudge.search.goals.goal import Goal
from satjudge.search.goals.judged_position import Judged
from satjudge.search.open_orders.proposal import Proposal
from satjudge.search.open_orders.universe import Universe, meaning_key
from satjudge.search.search import Objective, add_goal_rulebooks, measure_proposal
from satjudge.world.board import Board, Unit
from satjudge.world.geography import Power, province_of
from satjudge.world.orders import Convoy, Hold, Move, MovementOrder, Named, SupportHold, SupportMove


def least(universe: Universe, goal: Goal, objective: Objective, most_units: int) -> int | None:
    """The least units, orders or fleets with which the goal holds; None if it holds of nothing."""
    best: int | None = None
    universe = add_goal_rulebooks(goal, universe)
    named = frozenset(power for power in universe.map.powers if power in str(goal))
    for proposal in proposals(universe, most_units, named):
        value = measure_proposal(proposal, objective)
        if (best is None or value < best) and goal.holds(Judged(proposal, universe.rulebook)):
            best = value
    return best


def proposals(universe: Universe, most_units: int, named: frozenset[Power] = frozenset()) -> Iterator[Proposal]:
    """Every board with legal orders in the universe; of powers that are not named the first will do for all."""
    for board in boards(universe, most_units, named):
        provinces = [unit.province for unit in board.units]
        for row in product(*(legal_orders(universe, board, unit) for unit in board.units)):
            given = {order.unit.province: meaning_key(order) for order in row if not isinstance(order, Hold)}
            yield Proposal(board, dict(zip(provinces, row, strict=True)), given)


def boards(universe: Universe, most_units: int, named: frozenset[Power] = frozenset()) -> Iterator[Board]:
    """Every board: any of the free units that fit beside those that stand, of any powers.

    A power that is neither named nor that of a unit is as good as another such, so only the first of them is tried.
    """
    for count in range(most_units - len(universe.units) + 1):
        for spots in combinations(sorted(universe.spots), count):
            if len({spot.province for spot in spots}) == count:
                for powers in _powers(universe, count, named):
                    units = (Unit(power, *spot) for power, spot in zip(powers, spots, strict=True))
                    yield Board((*universe.units, *units), map=universe.map)


def _powers(universe: Universe, count: int, named: frozenset[Power], chosen: Sequence[Power] = ()) -> Iterator[Sequence[Power]]:
    if len(chosen) == count:
        yield chosen
        return
    used = list(dict.fromkeys([*(unit.power for unit in universe.units), *sorted(named), *chosen]))
    fresh = [power for power in universe.map.powers if power not in used][:1]
    for power in fresh if universe.foreign else [*used, *fresh]:
        yield from _powers(universe, count, named, (*chosen, power))


def legal_orders(universe: Universe, board: Board, unit: Unit) -> list[MovementOrder]:
    """The orders for a unit that are legal under a rulebook of the universe; just the given one if there is one.

    In full and each once if there is one rulebook; if there are more, one of those of which all make the same.
    """
    given = universe.orders.get(unit.province)
    legal: dict[tuple[MovementOrder | None, ...], MovementOrder] = {}
    for order in [given] if given else _conceivable(universe, board, unit):
        dockets = [make_docket(board, {unit.power: [order]}, rulebook) for rulebook in universe.rulebooks]
        made = tuple(docket.orders.get(unit.province) for docket in dockets)
        if any(made):
            legal.setdefault(made, order if len(made) > 1 else made[0] or order)
    return list(legal.values())


def _conceivable(universe: Universe, board: Board, unit: Unit) -> Iterator[MovementOrder]:
    """Every order that can be written for a unit and stays in the region."""
    me = Named(unit.kind, unit.location)
    places = [place for code in sorted(universe.provinces) for place in (code, *universe.map.provinces[code].locations)]
    yield Hold(me)
    for place in dict.fromkeys(places):
        yield from (Move(me, place, via_convoy=via) for via in (False, True) if not (via and unit.kind == "F"))
        for other in board.units:
            if other is not unit:
                named = Named(other.kind, other.location, other.power)
                yield from (SupportMove(me, named, place), Convoy(me, named, place))
    for other in board.units:
        if other is not unit and province_of(other.location) in universe.provinces:
            yield SupportHold(me, Named(other.kind, other.location, other.power))
