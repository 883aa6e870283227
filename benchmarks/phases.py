"""The movement phases that are measured, class by class. The same seed gives the same phases everywhere."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random

from satjudge.bulk.random_boards.boards import Flavour, random_board
from satjudge.bulk.random_boards.drafts import Draft, load_atlas
from satjudge.judging.judge import judge
from satjudge.judging.outcome import Outcome
from satjudge.notation.bundled_cases import find_bundled_case, read_collection
from satjudge.notation.parse import parse_unit
from satjudge.world.board import Board, Phase, by_power, starting_board
from satjudge.world.geography import Power, load_map

GAME_SIZE = (22, 34)
"""Units: from the opening to as many as there are supply centres."""


@dataclass(frozen=True)
class Case:
    """A movement phase: the board as each side wants it, and the orders as texts."""

    name: str
    board: Board
    orders: Mapping[Power, Sequence[str]]

    @property
    def size(self) -> int:
        """The number of units."""
        return len(self.board.units)

    @property
    def units(self) -> dict[Power, list[str]]:
        """The units as the batch format writes them."""
        return by_power(self.board.units)

    def judged(self) -> Outcome:
        """The answer, with all that a player sees worked out: results, dislodgements with retreats, units afterwards."""
        outcome = judge(self.board, self.orders)
        outcome.results, outcome.dislodgements, outcome.units  # noqa: B018  # worked out when they are asked for
        return outcome


def drawn(seed: int, index: int, flavour: Flavour, units: tuple[int, int] = GAME_SIZE) -> Case:
    """One random position with legal orders."""
    board, orders = random_board(Random(f"{seed}:{flavour}:{index}"), flavour, units)
    texts = {power: [str(order) for order in given] for power, given in orders.items()}
    return Case(f"{flavour} {index}", board, texts)


def opening(seed: int, index: int) -> Case:
    """Spring 1901 with random legal orders."""
    start = starting_board()
    draft = Draft(Random(f"{seed}:opening:{index}"), load_atlas(load_map(), None), len(start.units), 0.5)
    for unit in start.units:
        draft.put_unit(unit.kind, unit.location, unit.power)
    draft.order_other_units()
    _, orders = draft.finish(0.0)
    return Case(f"opening {index}", start, {power: [str(order) for order in given] for power, given in orders.items()})


def datc_cases() -> list[Case]:
    """The movement phases of the DATC."""
    return [
        Case(sheet.identity, sheet.board, {power: [str(order) for order in given] for power, given in
                                           sheet.orders_by_power().items()})
        for sheet in read_collection()
        if sheet.phase is Phase.MOVEMENT and sheet.orders and _readable(sheet.identity)
    ]  # fmt: skip


def _readable(identity: str) -> bool:
    """Whether it is a phase that the judge answers at all."""
    sheet = find_bundled_case(identity)
    return bool(judge(sheet.board, sheet.orders_by_power()).results)


def datc(identity: str) -> Case:
    """One case of the DATC."""
    sheet = find_bundled_case(identity)
    return Case(identity, sheet.board, {power: list(map(str, given)) for power, given in sheet.orders_by_power().items()})


def classes(seed: int, count: int) -> dict[str, list[Case]]:
    """The classes of phases, so many of each where they are drawn.

    Most of the positions that are drawn for their convoys or circles hold a paradox or a circle, as real ones seldom do.
    """
    convoys = (drawn(seed, index, Flavour.CONVOYS) for index in itertools.count())
    return {
        "random, 22–34 units": [drawn(seed, index, Flavour.GENERAL) for index in range(count)],
        "openings, 22 units": [opening(seed, index) for index in range(count)],
        "convoys, 22–34 units": [drawn(seed, index, Flavour.CONVOYS) for index in range(count)],
        "convoys without a core, 22–34 units": list(islice((case for case in convoys if not has_core(case)), count)),
        "circles, 22–34 units": [drawn(seed, index, Flavour.CIRCLES) for index in range(count)],
        "DATC cases": datc_cases(),
    }


def has_core(case: Case) -> bool:
    """Whether partial information leaves something to be settled otherwise."""
    return bool(case.judged().adjudication.cores)


def with_core(seed: int, units: tuple[int, int] = GAME_SIZE) -> Iterator[tuple[Case, int]]:
    """Positions in which partial information leaves something open, with the number of orders in the largest core; endless."""
    for index in itertools.count():
        case = drawn(seed, index, (Flavour.CONVOYS, Flavour.CIRCLES)[index % 2], units)
        if cores := case.judged().adjudication.cores:
            yield case, max(len(core.decisions) for core in cores)


def by_orders(name: str, orders: Sequence[str], powers: Sequence[Power] = ("FRANCE",)) -> Case:
    """A position written as its orders alone, which are given to the powers in turn."""
    given: dict[Power, list[str]] = {}
    for index, order in enumerate(orders):
        given.setdefault(powers[index % len(powers)], []).append(order)
    units = [parse_unit(" ".join(order.split()[:2]), power, load_map()) for power, texts in given.items() for order in texts]
    return Case(name, Board(tuple(units)), given)


def ring_of_thirty() -> Case:
    """A ring of 30 moves, armies and fleets of all powers."""
    orders = (
        "F BAL - BOT", "F BOT - STP/SC", "F STP/NC - BAR", "F BAR - NWG", "F NWG - EDI", "A EDI - CLY", "A CLY - LVP",
        "F LVP - IRI", "F IRI - WAL", "A WAL - YOR", "F YOR - NTH", "F NTH - ENG", "F ENG - BRE", "A BRE - GAS",
        "A GAS - SPA", "F SPA/SC - LYO", "F LYO - TYS", "F TYS - ION", "F ION - EAS", "F EAS - SMY", "A SMY - CON",
        "F CON - BLA", "F BLA - RUM", "A RUM - BUD", "A BUD - VIE", "A VIE - BOH", "A BOH - MUN", "A MUN - KIE",
        "A KIE - BER", "F BER - BAL",
    )  # fmt: skip
    return by_orders("ring of 30 moves", orders, load_map().powers)


def sixteen_rings() -> Case:
    """16 rings of three moves that have nothing to do with each other: 65,536 resolutions."""
    rings = (
        ("F ADR - ALB", "A ALB - TRI", "F TRI - ADR"), ("F AEG - BUL/SC", "A BUL - GRE", "F GRE - AEG"),
        ("A ANK - ARM", "F ARM - BLA", "F BLA - ANK"), ("A APU - ROM", "A ROM - VEN", "A VEN - APU"),
        ("F BAL - LVN", "A LVN - PRU", "F PRU - BAL"), ("F BAR - NWG", "F NWG - NWY", "F NWY - BAR"),
        ("A BEL - HOL", "A HOL - RUH", "A RUH - BEL"), ("A BER - KIE", "A KIE - MUN", "A MUN - BER"),
        ("A BOH - TYR", "A TYR - VIE", "A VIE - BOH"), ("F BOT - FIN", "A FIN - STP", "F STP/SC - BOT"),
        ("A BRE - PAR", "A PAR - PIC", "A PIC - BRE"), ("A BUD - RUM", "A RUM - SER", "A SER - BUD"),
        ("A BUR - GAS", "A GAS - MAR", "A MAR - BUR"), ("A CLY - EDI", "A EDI - LVP", "A LVP - CLY"),
        ("F DEN - SKA", "F SKA - SWE", "A SWE - DEN"), ("F EAS - SMY", "A SMY - SYR", "F SYR - EAS"),
    )  # fmt: skip
    return by_orders("16 independent cores", [order for ring in rings for order in ring])


def twelve_fleets() -> Case:
    """12 fleets that are all ordered to convoy one army, and attacks on two of them.

    Those that are on no proper route are illegal (DATC 4.E.1), unless the rulebook lets superfluous convoys pass.
    """
    seas = ("NTH", "ENG", "IRI", "NAO", "MAO", "WES", "LYO", "TYS", "ION", "AEG", "EAS", "NWG")
    convoys = [f"F {sea} C A LON - SMY" for sea in seas]
    return by_orders("12 fleets for one army", ["A LON - SMY", *convoys, "F BRE - ENG", "F PIC S F BRE - ENG", "F TUN - ION"])
