"""Plays games of random legal orders on maps of any format, and checks in every phase what must hold under any rules.

    python benchmarks/studies/maps_played.py colonial loeb9 ../shared/maps/dpjudge ../shared/maps/jdip
    python benchmarks/studies/maps_played.py --games 3 --years 5 --seed 7 vDiplomacy/variants

Each argument is a map, or a folder of maps as `satjudge maps convert` takes it. A map that cannot be read is told with the
reason. Units are neither lost nor doubled, centres belong to those who stand in them, nobody builds where he may not or has
more units than centres afterwards; a game is the same after it was saved and read, and so is each position as a batch line and
as a case. Exit status 1 after any breach.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from satjudge.base.errors import SatjudgeError
from satjudge.base.values import replace
from satjudge.files.cases import read_position
from satjudge.files.maps import list_map_candidates, read_map
from satjudge.game.game import Game
from satjudge.judging.legal_orders import orderable
from satjudge.world.board import Board, Phase, Season
from satjudge.world.geography import Map, load_map, shipped_maps
from satjudge.world.seasons import counted_centers

_LONGEST_LIST = 400
"""The most orders of a unit among which one is drawn evenly."""


class Played(NamedTuple):
    """What came of the maps of one argument."""

    source: str
    names: list[str]
    refused: dict[str, str]
    """Why each map that cannot be read is refused."""
    breached: int
    games: int

    @property
    def row(self) -> str:
        """The row of a table in Markdown."""
        read = len(self.names) - len(self.refused)
        return f"| {self.source} | {len(self.names)} | {read} | {len(self.refused)} | {self.games} | {self.breached} |"


def main() -> None:
    """Reads the options, plays on each map, prints a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("maps", nargs="+", help="a map, or a folder of maps")
    parser.add_argument("--games", type=int, default=1, help="how many games on each map; 0 for reading alone  [default: 1]")
    parser.add_argument("--years", type=int, default=3, help="[default: 3]")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    found = [played(one, given.games, given.years, given.seed) for one in given.maps]
    print("\n| source | maps | read | refused | games | with a breach |\n|---|---|---|---|---|---|")
    print("\n".join(one.row for one in found))
    print("\n| refused | why |\n|---|---|")
    for one in found:
        for name, why in one.refused.items():
            print(f"| {Path(one.source).name}: {name} | {why} |")
    sys.exit(1 if any(one.breached for one in found) else 0)


def played(source: str, games: int, years: int, seed: int) -> Played:
    """Plays games on the map of an argument, or on all maps of a folder."""
    names = _inside(source) or [source]
    refused: dict[str, str] = {}
    breached = count = 0
    for name in names:
        short = Path(name).name
        try:
            game_map = load_map(name) if name in shipped_maps() else read_map(name)
        except SatjudgeError as error:
            refused[short] = _reason(error)
            print(f"{short}: refused: {error}", flush=True)
            continue
        for number in range(games):
            found = list(breaches(game_map, Random(f"{seed} {short} {number}"), years))
            breached += bool(found)
            count += 1
            print(f"{short}, game {number}: {'; '.join(found[:3]) or 'nothing is breached'}", flush=True)
    return Played(source, names, refused, breached, count)


def _reason(error: SatjudgeError) -> str:
    """Why a map is refused, without the place in its files; of classes each rule once."""
    told = str(error)
    told = told.removeprefix(re.match(r"\S+/\S+?(?::\d+)?: |", told)[0]).partition(" (remove it from")[0]  # type: ignore[index]
    return "; ".join(dict.fromkeys(re.sub(r"^\w+: ", "", part) for part in told.split("; "))).replace("|", "/")


def _inside(name: str) -> list[str]:
    return [] if name in shipped_maps() else list_map_candidates(Path(name))


def breaches(game_map: Map, random: Random, years: int) -> Iterator[str]:
    """Plays a game, and yields the violations."""
    game = Game.new(game_map)
    last = game_map.first_year + years
    while not game.is_over and game.board.turn is not None and game.board.turn.year < last:
        before, name = game.board, game.phase_name
        give_random_orders(game, random)
        game.next()
        for breach in (*of_position(game.board), *of_step(before, game.board), *of_files(game)):
            yield f"{name}: {breach}"


def give_random_orders(game: Game, random: Random) -> None:
    """Gives each unit a legal order that is drawn, mostly; in an adjustment as many as are due."""
    for power, listed in orderable(game.board, game.rulebook).items():
        choices = list(listed.values())
        if game.board.phase is Phase.ADJUSTMENT:
            count = sum(unit.power == power for unit in game.board.units)
            due = abs(counted_centers(game.board, power) - count)
            random.shuffle(choices)
            choices = choices[:due]
        drawn = [_drawn(orders, random) for orders in choices if orders and random.random() < 0.9]
        if drawn:
            game.order(power, *map(str, drawn))


def _drawn(orders: Sequence[object], random: Random) -> object:
    return orders[random.randrange(min(len(orders), _LONGEST_LIST))]


def of_position(board: Board) -> Iterator[str]:
    """Yields the faults of a position."""
    for code, count in Counter(unit.province for unit in board.units).items():
        if count > 1:
            yield f"{count} units stand in {code}"
    for unit in (*board.units, *(lost.unit for lost in board.dislodged)):
        if problem := board.map.problem_with(unit.kind, unit.location):
            yield problem
        if unit.power not in board.map.powers:
            yield f"{unit} belongs to {unit.power}, which does not play"
    if stray := [code for code in board.centers if code not in board.map.centers]:
        yield f"{', '.join(stray)} is owned, and no centre"


def of_step(before: Board, after: Board) -> Iterator[str]:
    """Yields the faults of a phase."""
    had, has = _counted(before), _counted(after)
    if before.phase is Phase.ADJUSTMENT:
        for power, count in has.items():
            centers = counted_centers(before, power)
            if count > max(centers, 0):
                yield f"{power} has {count} units for {centers} centres after its builds"
        stood = {(unit.power, unit.location) for unit in before.units}
        for unit in after.units:
            built = (unit.power, unit.location) not in stood
            instead = before.map.partisans.get(unit.power), *before.map.alternatives
            if built and unit.province not in {*before.map.build_centers(unit.power), *instead}:
                yield f"{unit.power} builds in {unit.province}, which is no place of its own"
        return
    comes_back = {after.map.nobody} if after.map.neutral and after.map.neutral.rebuilds and _is_spring(after) else set()
    for power in has.keys() - comes_back:  # whose armies come back before Spring, where no builds are due right after Fall
        if has[power] > had[power]:
            yield f"{power} has more units after {before.phase}"
    if before.phase is Phase.MOVEMENT and has != had and after.phase is Phase.RETREAT:
        yield "units are lost while orders are moved"
    if before.turn and before.turn.season is Season.SPRING and dict(before.centers) != dict(after.centers):
        yield "centres change their owners in Spring"
    if after.phase is Phase.ADJUSTMENT:
        for unit in after.units:
            if unit.province in after.map.centers and after.centers.get(unit.province) != unit.power:
                yield f"{unit.power} stands in {unit.province} after Fall, and does not own it"


def _is_spring(board: Board) -> bool:
    return board.turn is not None and board.turn.season is Season.SPRING


def _counted(board: Board) -> Counter[str]:
    """How many units each power has, dislodged ones among them."""
    return Counter(unit.power for unit in (*board.units, *(lost.unit for lost in board.dislodged)))


def of_files(game: Game) -> Iterator[str]:
    """Yields losses when a game, and its position as an order sheet, are written and read."""
    again = Game.from_saved(json.dumps(game.document()))
    if not _alike(again.board, game.board):
        yield "the game is another one after it was saved and read"
    if _given(again) != _given(game):
        yield "orders are others after the game was saved and read"
    if game.board.phase is not Phase.RETREAT and not game.is_over:
        sheet = read_position(game.sheet().encode(), None, game.map)
        if not _alike(replace(sheet.board, turn=game.board.turn), game.board):
            yield "the position is another one after it was written as a sheet and read"


def _given(game: Game) -> dict[str, list[str]]:
    last = game.history[-1] if game.history else None
    return {power: sorted(map(str, orders)) for power, orders in last.orders.items() if orders} if last else {}


def _alike(one: Board, other: Board) -> bool:
    """Return whether two boards are the same, in any order; their maps may be equal and not one object."""
    same = one.map.fingerprint == other.map.fingerprint and set(one.units) == set(other.units)
    lost = ({(gone.unit, gone.retreats) for gone in board.dislodged} for board in (one, other))
    parts = ("centers", "phase", "turn")
    return same and len({frozenset(each) for each in lost}) == 1 and all(getattr(one, p) == getattr(other, p) for p in parts)


if __name__ == "__main__":
    main()
