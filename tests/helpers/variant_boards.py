"""Random positions at the places where a map has rules of its own (DATC 2.4, 7 to 10), and what two judges say of them.

As a program it compares the oracle with the judge: `python tests/helpers/variant_boards.py CHAPTER SEED FIRST COUNT`.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import TypeAlias, cast

from satjudge.base.errors import UnresolvedError
from satjudge.base.values import replace
from satjudge.engines.comparison import Depth, answer_from_outcome, compare_answers
from satjudge.engines.comparison import PhaseOrders as Compared
from satjudge.judging.judge import judge
from satjudge.notation.bundled_cases import read_collection
from satjudge.notation.sheets import Sheet
from satjudge.oracles.datc_turn import Given
from satjudge.oracles.kruijswijk_variants import judge as oracle
from satjudge.oracles.kruijswijk_variants.cores import UnknownCoreError
from satjudge.world.board import Board, Phase, Season, Turn, Unit, by_power
from satjudge.world.geography import Canal, Map, Power, ProvinceCode, Railroad, Terrain, UnitKind, load_map, province_of
from satjudge.world.orders import Convoy, Hold, Move, MovementOrder, Permission, SupportHold, SupportMove

Orders: TypeAlias = dict[Power, list[Given]]

EVERYTHING = 0
"""In place of a chapter: maps on which the rules of all four come together."""
MAPS = {
    EVERYTHING: ("colonial", "standard", "loeb9"),
    7: ("colonial", "colonial", "colonial-otaru"),
    8: ("loeb9",),
    9: ("standard-9-denmark", "standard-9-sweden", "standard-9-both", "standard-9-both"),
    10: ("loeb9", "loeb9-10d", "loeb9-10f", "loeb9-10f"),
}
PLACES = {
    EVERYTHING: ((),),
    7: (("MOS", "PRM", "OMS", "KRA", "IRK", "VLA"), ("EGY", "MED", "RED"), ("OMS", "KRA", "EGY", "RED")),
    8: (("ARC",), ("ARC", "NWG")),
    9: (("DEN", "SWE"), ("DEN",), ("SWE", "BOT")),
    10: (("COR", "NAF"), ("SIC", "NAP"), ("SIC", "TUN", "NAF"), ("NAF", "TUN", "SIC", "NAP")),
}


class _Drawing:
    """Draws one position."""

    def __init__(self, random: Random, chapter: int) -> None:
        self.random = random
        self.orders: dict[Unit, Given] = {}
        self.permissions: list[tuple[Power, Permission]] = []
        self.centers: dict[ProvinceCode, Power] = {}
        self.season = random.choice((None, Season.SPRING, Season.FALL, Season.FALL))
        case = random.choice(_cases(chapter)) if chapter != EVERYTHING and random.random() < 0.5 else None
        self.map: Map = case.map if case else load_map(random.choice(MAPS[chapter]))
        self.heart: tuple[ProvinceCode, ...] = random.choice(PLACES[chapter])
        if chapter == EVERYTHING or (case is None and random.random() < 0.4):
            self.map, self.heart = _altered(random, self.map, chapter)
        self.powers = random.sample(sorted(self.map.powers), random.choice((2, 3, 3, 4)))
        for railroad in self.map.railroads:
            if railroad.power not in self.powers:
                self.powers[0] = railroad.power
        self.units: list[Unit] = []
        if case:
            self._take_from(case)
        near = sorted(_around(self.map, self.heart, random.choice((1, 1, 1, 2))) - set(self.heart))
        inner = [code for code in self.heart if random.random() < 0.7]
        outer = random.sample(near, min(len(near), random.randint(0, 4) if case else random.randint(2, 10)))
        taken = {unit.province for unit in self.units}
        self.units += [self._unit(code) for code in dict.fromkeys(outer if case else (*inner, *outer)) if code not in taken]
        self.at = {unit.province: unit for unit in self.units}
        for railroad in self.map.railroads:
            for code in sorted(self.map.centers.intersection(railroad.line)):
                if random.random() < 0.25:
                    self.centers[code] = random.choice(self.powers)

    def _take_from(self, case: Sheet) -> None:
        """A case of the document, some of its units left out, of other powers, or with other orders."""
        board = case.board
        self.heart = tuple(sorted({unit.province for unit in board.units}))
        self.powers = sorted({unit.power for unit in board.units} | {self.random.choice(self.powers)})
        self.centers = dict(board.centers)
        self.season = board.turn.season if board.turn and self.random.random() < 0.7 else self.season
        given = {entry.order.unit.province: entry.order for entry in case.orders if isinstance(entry.order, MovementOrder)}
        for unit in board.units:
            if self.random.random() < 0.06:
                continue
            power = self.random.choice(self.powers) if self.random.random() < 0.12 else unit.power
            changed = Unit(power, unit.kind, unit.location)
            self.units.append(changed)
            order = given.get(unit.province)
            if order is not None and self.random.random() < 0.88:
                self.orders[changed] = order
        self.permissions = [
            (entry.power, entry.order)
            for entry in case.orders
            if isinstance(entry.order, Permission) and self.random.random() < 0.8
        ]

    def position(self) -> tuple[Board, Orders]:
        """The position and its orders."""
        if self.random.random() < 0.6:
            for _ in range(self.random.choice((1, 1, 2, 3))):
                self._convoy()
        if not any(isinstance(order, Move) and order.railroad for order in self.orders.values()):
            self._trains()
        for unit in self._shuffled():
            if unit not in self.orders and self.random.random() < 0.6:
                self._move(unit)
        for unit in self._shuffled():
            if unit not in self.orders:
                self._support_or_hold(unit)
        self._permit()
        orders: Orders = {}
        for unit in self._shuffled():
            orders.setdefault(unit.power, []).append(self.orders[unit])
        for power, permission in self.permissions:
            orders.setdefault(power, []).append(permission)
        turn = Turn(self.map.first_year, self.season) if self.season else None
        return Board(tuple(self.units), centers=self.centers, map=self.map, turn=turn).ensure_possible(), orders

    def _shuffled(self) -> list[Unit]:
        return self.random.sample(self.units, len(self.units))

    def _unit(self, code: ProvinceCode) -> Unit:
        province = self.map.provinces[code]
        army = province.terrain is Terrain.INLAND or (province.terrain is Terrain.COAST and self.random.random() < 0.6)
        if province.convoys and province.terrain is Terrain.COAST:
            army = self.random.random() < 0.25
        kind = UnitKind.ARMY if army else UnitKind.FLEET
        power = self.random.choice(self.powers)
        for railroad in self.map.railroads:
            if code in railroad.line and self.random.random() < 0.4:
                power = railroad.power
        return Unit(power, kind, code if army else self.random.choice(province.locations))

    def _convoy(self) -> None:
        """An army that goes over a random way of fleets, which are ordered so, most of them."""
        armies = [unit for unit in self.units if unit.kind is UnitKind.ARMY and unit not in self.orders]
        if not armies:
            return
        army = self.random.choice(armies)
        way: list[ProvinceCode] = []
        here = army.province
        while True:
            beside = [code for code in _by_water(self.map, here) if code not in way and code != army.province]
            fleets = [
                code
                for code in beside
                if (unit := self.at.get(code)) and unit.kind is UnitKind.FLEET and self.map.provinces[code].convoys
            ]
            landings = [code for code in beside if self.map.provinces[code].terrain is Terrain.COAST]
            if way and landings and (not fleets or self.random.random() < 0.5):
                destination = self.random.choice(self._liked(landings))
                break
            if not fleets:
                return
            here = self.random.choice(fleets)
            way.append(here)
        via = self.random.random() < 0.3
        self.orders[army] = Move(army.named, destination, via_convoy=via)
        for code in way:
            if self.at[code] not in self.orders and self.random.random() < 0.93:
                self.orders[self.at[code]] = Convoy(self.at[code].named, army.named, destination)

    def _liked(self, codes: list[ProvinceCode]) -> list[ProvinceCode]:
        """The places where something is or goes on, the more often."""
        aims = {province_of(order.destination) for order in self.orders.values() if isinstance(order, Move)}
        return [
            code for code in codes for _ in range(1 + 3 * (code in self.heart) + 2 * (code in self.at) + 2 * (code in aims))
        ]

    def _trains(self) -> None:
        for railroad in self.map.railroads:
            armies = [self.at[code] for code in railroad.line if code in self.at and self.at[code].kind is UnitKind.ARMY]
            armies = [unit for unit in armies if unit not in self.orders]
            own = [unit for unit in armies if unit.power == railroad.power]
            for unit in self.random.sample(own, min(len(own), self.random.choice((1, 1, 1, 1, 1, 1, 2)))):
                self._train(unit, railroad.line, railroad.name)
            if armies and self.random.random() < 0.03:
                self._train(self.random.choice(armies), railroad.line, railroad.name)

    def _train(self, unit: Unit, line: tuple[ProvinceCode, ...], name: str) -> None:
        others = [code for code in line if code != unit.province]
        far = max(others, key=lambda code: abs(line.index(code) - line.index(unit.province)))
        self.orders[unit] = Move(unit.named, self.random.choice((*others, far, far, far)), railroad=name)

    def _move(self, unit: Unit) -> None:
        exits = sorted(self.map.exits(unit.kind, unit.location))
        for canal in self.map.canals:
            if unit.kind is UnitKind.FLEET and unit.location in canal.seas:
                exits += [sea for sea in canal.seas if sea != unit.location] * 8
        if exits:
            province = self.random.choice(self._liked([province_of(there) for there in exits]))
            self.orders[unit] = Move(unit.named, next(there for there in exits if province_of(there) == province))

    def _support_or_hold(self, unit: Unit) -> None:
        reached = {province_of(there) for there in self.map.exits(unit.kind, unit.location)}
        choices: list[Given] = []
        for other, order in self.orders.items():
            if isinstance(order, Move) and other is not unit:
                if province_of(order.destination) in reached:
                    choices += [SupportMove(unit.named, other.named, order.destination)] * 4
                elif self.random.random() < 0.03:
                    choices.append(SupportMove(unit.named, other.named, order.destination))
            elif other.province in reached:
                choices += [SupportHold(unit.named, other.named)]
        choices += [
            SupportHold(unit.named, other.named)
            for other in self.units
            if other.province in reached and other not in self.orders
        ]
        if choices and self.random.random() < 0.85:
            self.orders[unit] = self.random.choice(choices)
        else:
            self.orders[unit] = Hold(unit.named)

    def _permit(self) -> None:
        for canal in self.map.canals:
            fleets = [self.at[sea] for sea in canal.seas if sea in self.at]
            for fleet in fleets:
                if not self.permissions and self.random.random() < 0.25:
                    keeper = self.at.get(canal.keeper)
                    power = keeper.power if keeper and self.random.random() < 0.9 else self.random.choice(self.powers)
                    destination = next(sea for sea in canal.seas if sea != fleet.location)
                    self.permissions.append((power, Permission(canal.name, fleet.named, destination)))


def _altered(random: Random, game_map: Map, chapter: int) -> tuple[Map, tuple[ProvinceCode, ...]]:
    """A map with the rules of a chapter in other places, and one such place."""
    everything = chapter == EVERYTHING
    heart: list[ProvinceCode] = []
    shut: frozenset[ProvinceCode] = frozenset()
    altered = replace(game_map, cache={}, name=f"{game_map.name}-altered")
    coasts = sorted(code for code, province in game_map.provinces.items() if province.terrain is Terrain.COAST)
    if chapter == 9 or everything:
        chosen = {code for code in coasts if not game_map.provinces[code].coasts and random.random() < 0.4}
        provinces = {
            code: replace(province, convoys=province.terrain is Terrain.SEA or code in chosen)
            for code, province in game_map.provinces.items()
        }
        altered = replace(altered, provinces=provinces, cache={})
        heart = [random.choice(sorted(chosen))]
    if chapter == 8 or everything:
        shut = frozenset(code for code in sorted(game_map.provinces) if random.random() < 0.1)
        heart = [random.choice(sorted(shut) or coasts)]
    if chapter == 7 or everything:
        altered = replace(altered, railroads=(_railroad(random, altered),), canals=_canals(random, altered), cache={})
        heart = list(random.choice((altered.railroads[0].line, (altered.canals[0].keeper, *altered.canals[0].seas))))
    if chapter == 8 or everything:  # no text says how ice, trains and canals go together
        lines = [code for railroad in altered.railroads for code in railroad.line]
        shut -= {*lines, *(sea for canal in altered.canals for sea in canal.seas)}
        altered = replace(altered, closed={"fall": shut}, cache={})
    if chapter == 10 or everything:
        line = [code for railroad in altered.railroads for code in railroad.line]
        pairs = {(here, there) for here, exits in game_map.army.items() for there in exits if here < there}
        chosen_pairs = [pair for pair in sorted(pairs) if random.random() < 0.35 and not set(pair) <= set(line)]
        difficult: dict[ProvinceCode, frozenset[ProvinceCode]] = {}
        for here, there in chosen_pairs:
            difficult[here] = difficult.get(here, frozenset()) | {there}
            difficult[there] = difficult.get(there, frozenset()) | {here}
        altered = replace(altered, difficult=difficult, cache={})
        heart = heart or list(random.choice(chosen_pairs))
    return altered, tuple(heart)


def _railroad(random: Random, game_map: Map) -> Railroad:
    while True:
        line = [random.choice(sorted(game_map.army))]
        while onward := sorted(game_map.army[line[-1]] - set(line)):
            line.append(random.choice(onward))
            if len(line) == 6:
                return Railroad("TSR", random.choice(sorted(game_map.powers)), tuple(line))


def _canals(random: Random, game_map: Map) -> tuple[Canal, ...]:
    while True:
        keeper = random.choice(sorted(game_map.provinces))
        seas = [code for code in _by_water(game_map, keeper) if code in game_map.seas]
        if len(seas) > 1 and game_map.provinces[keeper].terrain is Terrain.COAST:
            here, there = random.sample(seas, 2)
            if there not in game_map.fleet[here]:
                return (Canal("SC", keeper, (here, there)),)


@cache
def _cases(chapter: int) -> list[Sheet]:
    sheets = read_collection("datc-2.4")
    return [sheet for sheet in sheets if sheet.phase is Phase.MOVEMENT and re.match(rf"2.4/{chapter}[.]", sheet.identity)]


def _by_water(game_map: Map, code: ProvinceCode) -> list[ProvinceCode]:
    exits = [there for here, found in game_map.fleet.items() if province_of(here) == code for there in found]
    return sorted({province_of(there) for there in exits})


def _around(game_map: Map, heart: tuple[ProvinceCode, ...], steps: int) -> set[ProvinceCode]:
    found = set(heart)
    for _ in range(steps):
        found |= {near for code in found for near in game_map.neighbours[code]}
    return found


def variant_board(chapter: int, seed: int, number: int) -> tuple[Board, Orders]:
    """Board `number` of a seed for a chapter of the DATC 2.4: always the same."""
    return _Drawing(Random(f"{chapter}:{seed}:{number}"), chapter).position()


def differences(board: Board, orders: Orders) -> list[str]:
    """What the oracle and the judge differ in."""
    try:
        ours = answer_from_outcome(judge(board, orders, rulebook="datc-2"))
    except UnresolvedError:
        ours = None
    try:
        theirs = oracle(board, orders)
    except UnknownCoreError:
        theirs = None
    if ours is None or theirs is None:
        return [] if ours is theirs else [f"unresolved: {'judge' if ours is None else 'oracle'}"]
    return list(map(str, compare_answers(ours, theirs, cast("Compared", orders), Depth.VERDICTS, {})))


def described(board: Board, orders: Orders) -> Iterator[str]:
    """The position as a sheet has it."""
    yield from (f"{railroad}" for railroad in board.map.railroads)
    yield from (f"{canal}" for canal in board.map.canals)
    if board.map.difficult:
        yield f"difficult: { ({code: sorted(there) for code, there in board.map.difficult.items() if code in board.unit_at}) }"
    if board.map.convoying - board.map.seas:
        yield f"convoying coasts: {sorted(board.map.convoying - board.map.seas)}"
    if board.map.closed:
        yield f"shut: { {season: sorted(codes) for season, codes in board.map.closed.items()} }"
    yield f"map: {board.map.name}" + (f"  season: {board.turn.season}" if board.turn else "")
    yield from (f"{power} owns SC {code}" for code, power in board.centers.items())
    yield f"units: {by_power(board.units)}"
    yield from (f"  {power}: {order}" for power, given in orders.items() for order in given)


def main(chapter: int, seed: int, first: int, count: int) -> None:
    """Compare so many boards and print those that differ."""
    differing = 0
    for number in range(first, first + count):
        board, orders = variant_board(chapter, seed, number)
        if found := differences(board, orders):
            differing += 1
            print(
                "\n".join((f"== chapter {chapter}, seed {seed}, board {number}", *described(board, orders), *found)), flush=True
            )
    print(f"chapter {chapter}, seed {seed}: {differing} of {count} boards differ")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
