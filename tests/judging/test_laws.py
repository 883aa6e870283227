"""Laws that hold whatever the position: what must not matter does not, and nothing is lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from helpers.strategies import Position, Resolution, all_in_words, boards_with_orders, note, rulings_in_words
from hypothesis import assume, given
from hypothesis import strategies as st

from satjudge.base.values import replace
from satjudge.bulk.random_boards.boards import Flavour
from satjudge.judging.judge import judge
from satjudge.judging.outcome import Outcome
from satjudge.world.board import Board, Phase, Unit
from satjudge.world.geography import Power, load_map, province_of
from satjudge.world.orders import Hold, Named

MAP = load_map()
NORTH_WEST = frozenset(
    {
        "NAO",
        "NWG",
        "NTH",
        "IRI",
        "ENG",
        "HEL",
        "SKA",
        "DEN",
        "KIE",
        "HOL",
        "BEL",
        "PIC",
        "BRE",
        "CLY",
        "EDI",
        "YOR",
        "LON",
        "WAL",
        "LVP",
        "NWY",
    }
)
SOUTH_EAST = frozenset(
    {"BLA", "SEV", "RUM", "BUL", "GRE", "CON", "ANK", "ARM", "SMY", "SYR", "AEG", "EAS", "SER", "ALB", "ION"}
)


@dataclass(frozen=True)
class Told:
    """All that an outcome tells, without the order in which it tells it."""

    verdicts: frozenset[tuple[Power, str, str]]
    units: frozenset[Unit]
    dislodged: frozenset[tuple[Unit, tuple[str, ...], str | None]]
    resolutions: frozenset[Resolution]
    rulings: frozenset[tuple[str, frozenset[str], frozenset[Resolution]]]


def told(outcome: Outcome) -> Told:
    return Told(
        frozenset(
            (power, str(entry.order), verdict)
            for power, entries in outcome.docket.entries.items()
            for entry, verdict in zip(entries, outcome.results[power], strict=True)
        ),
        frozenset(outcome.units),
        frozenset((entry.unit, entry.retreats, entry.attacker_origin) for entry in outcome.retreat_board.dislodged),
        all_in_words(outcome.adjudication),
        rulings_in_words(outcome.adjudication),
    )


def judged(position: Position) -> Outcome:
    outcome = judge(position.board, position.orders)
    note(outcome.adjudication)
    return outcome


# What does not matter.


@given(position=boards_with_orders(illegal=0.1), data=st.data())
def test_order_of_orders_and_units_does_not_matter(position: Position, data: st.DataObject) -> None:
    powers = data.draw(st.permutations(sorted(position.orders)))
    orders = {power: data.draw(st.permutations(position.orders[power])) for power in powers}
    board = replace(position.board, units=tuple(data.draw(st.permutations(position.board.units))))
    assert told(judge(board, orders)) == told(judged(position))


@given(position=boards_with_orders(illegal=0.1), names=st.permutations(MAP.powers))
def test_powers_are_only_names(position: Position, names: Sequence[Power]) -> None:
    name = dict(zip(MAP.powers, names, strict=True))

    def renamed(unit: Unit) -> Unit:
        return replace(unit, power=name[unit.power])

    before = told(judged(position))
    board = replace(position.board, units=tuple(map(renamed, position.board.units)))
    after = told(judge(board, {name[power]: given for power, given in position.orders.items()}))
    assert after == replace(
        before,
        verdicts=frozenset((name[power], order, verdict) for power, order, verdict in before.verdicts),
        units=frozenset(map(renamed, before.units)),
        dislodged=frozenset((renamed(unit), retreats, origin) for unit, retreats, origin in before.dislodged),
    )


def test_the_two_regions_are_far_apart() -> None:
    assert not NORTH_WEST & SOUTH_EAST
    assert not any(MAP.neighbours[province] & SOUTH_EAST for province in NORTH_WEST)


@given(
    one=boards_with_orders(units=(1, 9), within=NORTH_WEST, illegal=0.05),
    other=boards_with_orders(units=(1, 9), within=SOUTH_EAST, illegal=0.05),
)
def test_positions_far_apart_do_not_meet(one: Position, other: Position) -> None:
    """Their resolutions multiply; all else is what either has."""
    here, there = told(judged(one)), told(judged(other))
    powers = sorted({*one.orders, *other.orders})
    orders = {power: [*one.orders.get(power, ()), *other.orders.get(power, ())] for power in powers}
    both = judge(Board((*one.board.units, *other.board.units)), orders)
    assert both.adjudication.resolutions.count == len(here.resolutions) * len(there.resolutions)
    assert told(both) == Told(
        here.verdicts | there.verdicts,
        here.units | there.units,
        here.dislodged | there.dislodged,
        frozenset(left | right for left in here.resolutions for right in there.resolutions),
        here.rulings | there.rulings,
    )


@given(position=boards_with_orders(illegal=0.35), data=st.data())
def test_illegal_order_is_no_order(position: Position, data: st.DataObject) -> None:
    outcome = judged(position)
    entries = [(power, entry) for power, entries in outcome.docket.entries.items() for entry in entries]
    illegal = [(power, entry.order) for power, entry in entries if entry.reason]
    assume(illegal)
    dropped = data.draw(st.lists(st.sampled_from(illegal), min_size=1, unique=True) | st.just(illegal))
    orders = {power: [order for order in given if (power, order) not in dropped] for power, given in position.orders.items()}
    before, after = told(outcome), told(judge(position.board, orders))
    gone = {(power, str(order)) for power, order in dropped}
    rest = frozenset(verdict for verdict in before.verdicts if verdict[:2] not in gone)
    assert after == replace(before, verdicts=rest)


@given(position=boards_with_orders(illegal=0.1))
def test_units_without_orders_hold(position: Position) -> None:
    """Telling each unit that holds to hold changes nothing but that there is a verdict on it."""
    outcome = judged(position)
    holding = [unit for unit in position.board.units if unit.province not in outcome.docket.orders]
    orders = {power: [*given] for power, given in position.orders.items()}
    for unit in holding:
        orders.setdefault(unit.power, []).append(Hold(Named(unit.kind, unit.location)))
    after = told(judge(position.board, orders))
    assert replace(after, verdicts=frozenset()) == replace(told(outcome), verdicts=frozenset())


@given(position=boards_with_orders(illegal=0.1))
def test_judging_twice_gives_the_same(position: Position) -> None:
    one, other = judged(position), judge(position.board, position.orders)
    assert told(one) == told(other)
    assert (one.results, one.units, one.next_board) == (other.results, other.units, other.next_board)
    assert list(one.adjudication.resolutions) == list(other.adjudication.resolutions)  # in the same order, too


# What is never lost or made.


@given(position=boards_with_orders(units=(1, 16), illegal=0.1))
def test_units_are_neither_lost_nor_stacked(position: Position) -> None:
    outcome = judged(position)
    after = outcome.retreat_board
    assert after.problems() == []  # no two units in one province, nor two that were dislodged from one
    dislodged = [entry.unit for entry in after.dislodged]
    assert len(after.units) + len(dislodged) == len(position.board.units)
    assert set(dislodged) <= set(position.board.units)
    for power in {unit.power for unit in position.board.units}:
        kinds = sorted(unit.kind for unit in position.board.units if unit.power == power)
        assert sorted(unit.kind for unit in (*after.units, *dislodged) if unit.power == power) == kinds


@given(position=boards_with_orders(Flavour.CONVOYS, (4, 16)) | boards_with_orders(units=(4, 16)))
def test_dislodged_units_know_their_attacker(position: Position) -> None:
    outcome = judged(position)
    succeeded = {move.destination.province: move for move in outcome.successful_moves.values()}
    occupied = {unit.province for unit in outcome.units}
    stayed = {unit.province for unit in position.board.units} - set(outcome.successful_moves)
    assert set(outcome.dislodgements) == stayed & set(succeeded)
    for entry in outcome.retreat_board.dislodged:
        attack = succeeded[entry.unit.province]
        attacker = position.board.unit_at[attack.origin.province]
        assert entry.attacker_origin == attack.origin.province == attacker.province
        assert outcome.dislodgements[entry.unit.province].attacker == attacker
        assert attacker.power != entry.unit.power
        assert set(entry.retreats) <= position.board.map.exits(entry.unit.kind, entry.unit.location)
        assert not occupied & set(map(province_of, entry.retreats))
        if not attack.routes:
            assert entry.attacker_origin not in map(province_of, entry.retreats)
    anywhere = any(entry.retreats for entry in outcome.retreat_board.dislodged)
    assert outcome.next_board.phase is (Phase.RETREAT if anywhere else Phase.MOVEMENT)


@given(position=boards_with_orders(units=(1, 16), illegal=0.1))
def test_verdicts_say_what_became_of_the_units(position: Position) -> None:
    outcome = judged(position)
    told_apart = [
        (power, order, verdict)
        for power, given in position.orders.items()
        for order, verdict in zip(given, outcome.results[power], strict=True)
    ]
    for power, order, verdict in told_apart:
        province = order.unit.province
        unit = position.board.unit_at.get(province)
        words = verdict.split(", ")
        assert ("succeeds" in words) <= (province in outcome.successful_moves)
        if unit is not None and unit.power == power:
            assert ("dislodged" in words or "destroyed" in words) == (province in outcome.dislodgements)
            if "destroyed" in words:
                assert outcome.dislodgements[province].retreats == ()
        else:
            assert verdict == "illegal"
