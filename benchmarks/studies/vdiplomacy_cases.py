"""Judges vDiplomacy's own test cases of a variant, `datc.php` next to `install.php`, and prints satjudge's differences.

    python benchmarks/studies/vdiplomacy_cases.py ~/vDiplomacy/variants/Colonial --map colonial
    python benchmarks/studies/vdiplomacy_cases.py ~/vDiplomacy/variants/Baron1900 --map ~/dpjudge/DPjudge/maps/1900.map

The cases are tables of literals, so nothing is executed. Compared is what they state: whether a move arrives, whether a unit
is dislodged, and which orders are illegal. The map is satjudge's own, or somebody else's of the same variant, whose provinces
are found by their names; a territory behind those of the map is the canal of that variant, whose support is a permission to
pass. Exit status 1 after any difference.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from satjudge.base.errors import InputError
from satjudge.explain.phases import explanations
from satjudge.files.maps import php, read_map
from satjudge.files.maps.place_names import strip_abbreviation
from satjudge.judging.judge import judge
from satjudge.judging.outcome import Outcome
from satjudge.world.board import Board, Unit
from satjudge.world.geography import Map, ProvinceCode, UnitKind, normal
from satjudge.world.orders import Convoy, Hold, Move, Named, Order, Permission, SupportHold, SupportMove
from satjudge.world.rules import load_rulebook
from satjudge.world.rules.rulebook import Rulebook
from satjudge.world.verdicts import OrderResult

ARRIVES = frozenset({OrderResult.SUCCEEDS, OrderResult.STOPS})
"""A train that is held up on its way succeeds there as well ("interrupted TSRs are a "Success"", Colonial/datc.php)."""


class Row(NamedTuple):
    """An order of a case, as its table has it: numbers of countries and territories count from 1."""

    country: int
    kind: str
    place: int
    order: str
    to: int | None
    origin: int | None
    via: str
    expected: str
    legal: str


_TERRITORY = re.compile(r"array\('([^']+)', *'(?:Coast|Sea|Land|Strait)'")
_COAST = re.compile(r"\(([NESW])\w+ Coast\)$")
FILES = ("install", "variant", "datc")


class Cases:
    """The cases of a variant on a map of ours."""

    def __init__(self, folder: Path, game_map: Map, rulebook: Rulebook | None = None) -> None:
        self.map, self.rulebook = game_map, rulebook
        install, variant, cases = (php.read((folder / f"{name}.php").read_text("utf-8", "replace")) for name in FILES)
        self.names = [strip_abbreviation(_text(row.values[0])) for row in _rows(install.find_literals()["territoryRawData"])]
        later = _TERRITORY.findall((folder / "install.php").read_text("utf-8", "replace"))[len(self.names) :]
        self.names += [strip_abbreviation(name) for name in later]  # of a second table, whose last column is no literal
        self.powers = [self._power(_text(name)) for name in _values(variant.find_literals()["countries"])]
        self.codes = {normal(name): code for code, one in game_map.provinces.items() for name in (one.name, *one.aliases)}
        self.stated = [
            (_text(case.values[0]), [_row(row.values) for row in _rows(case.values[2])])
            for case in _rows(cases.find_literals()["testCaseData"])
        ]

    def _power(self, name: str) -> str:
        """The power of a name, or of its first word: Austria-Hungary is Austria on other maps."""
        words = normal(name)
        return self.map.power_aliases.get(words) or self.map.power_aliases[words.partition(" ")[0]]

    def place(self, number: int) -> ProvinceCode | None:
        """The province of a territory; None for one that is no province. Some maps leave out *Sea*."""
        name = normal(self.names[number - 1].partition(" (")[0])
        return self.codes.get(name) or self.codes.get(name.removesuffix(" sea"))

    def differences(self) -> Iterator[tuple[str, str]]:
        """Yield the cases on which satjudge says otherwise, each with what it says."""
        for name, rows in self.stated:
            try:
                told = list(self._otherwise(rows))
            except InputError as error:
                told = [str(error)]
            if told:
                yield name, "; ".join(told)

    def _otherwise(self, rows: Sequence[Row]) -> Iterator[str]:
        """Say what comes out otherwise; last how far the train comes, with the rules of the DATC 2.4 that say so."""
        standing = [(row, self._unit(row)) for row in rows if self.place(row.place)]
        board = Board(tuple(unit for _, unit in standing), centers=dict(self.map.owners), map=self.map)
        orders: dict[str, list[Order]] = {}
        for row in rows:
            if order := self._order(row, board):
                orders.setdefault(self.powers[row.country - 1], []).append(order)
        outcome = judge(board, orders, rulebook=self.rulebook)
        found = list(self._compared(standing, outcome))
        yield from found
        for one in explanations(outcome) if found else ():
            if any(f" - {line.name} - " in one.order for line in self.map.railroads):
                yield f"{one.order} {one.verdict}: {one.reasons[0]}"

    def _compared(self, standing: Sequence[tuple[Row, Unit]], outcome: Outcome) -> Iterator[str]:
        """Say which orders come out otherwise."""
        for row, unit in standing:
            given = [one for one in outcome.judged[unit.power] if str(one.order).startswith(f"{unit} ")]
            verdict, lost = given[0].verdict.order, unit.province in outcome.dislodgements
            if lost != (row.expected == "Dislodged"):
                yield f"{unit} is {'' if lost else 'not '}dislodged"
            elif row.order == "Move" and (verdict in ARRIVES) != (row.expected == "Success"):
                yield f"{given[0].order} {verdict}, not {row.expected}"
            elif (verdict is OrderResult.ILLEGAL) != (row.legal == "No"):
                yield f"{given[0].order} is {verdict} ({given[0].reason or 'legal'}), there legal: {row.legal}"

    def _unit(self, row: Row) -> Unit:
        return Unit(self.powers[row.country - 1], UnitKind(row.kind[0]), str(self._location(row.place)))

    def _location(self, number: int | None) -> str | None:
        if not number or (code := self.place(number)) is None:
            return None
        coast = _COAST.search(self.names[number - 1])
        return f"{code}/{coast[1]}C" if coast else code

    def _named(self, number: int | None, board: Board) -> Named:
        place = self._location(number) or ""
        unit = board.unit_at.get(place)
        return unit.named if unit else Named(None, place)

    def _order(self, row: Row, board: Board) -> Order | None:
        me = Named(UnitKind(row.kind[0]), self._location(row.place) or "")
        if not me.location:  # the canal: its support is a permission
            if row.order != "Support hold":
                return None
            canal, sea = self.map.canals[0], self._location(row.to)
            return Permission(canal.name, Named(UnitKind.FLEET, sea or ""), next(other for other in canal.seas if other != sea))
        to = self._location(row.to) or ""
        match row.order:
            case "Move":
                line = next(
                    (one for one in self.map.railroads if {me.location, to} <= set(one.line) and row.via == "Yes"), None
                )
                return Move(me, to, railroad=line.name) if line else Move(me, to, row.via == "Yes")
            case "Support hold":
                return SupportHold(me, self._named(row.to, board))
            case "Support move":
                return SupportMove(me, self._named(row.origin, board), to)
            case "Convoy":
                return Convoy(me, self._named(row.origin, board), to)
        return Hold(me)


def _row(values: Sequence[php.Literal]) -> Row:
    numbers = [value if isinstance(value, int) else None for value in values]
    country, place = numbers[0] or 0, numbers[2] or 0
    return Row(country, str(values[1]), place, str(values[3]), numbers[4], numbers[5], *map(str, values[6:9]))


def _rows(stated: php.Literal) -> list[php.Array]:
    return [row for row in _values(stated) if isinstance(row, php.Array)]


def _values(stated: php.Literal) -> list[php.Literal]:
    return stated.values if isinstance(stated, php.Array) else []


def _text(stated: php.Literal) -> str:
    return str(stated).replace("\\'", "'")


def main() -> None:
    """Read the options, and judge the cases."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("variant", type=Path)
    parser.add_argument("--map", required=True)
    parser.add_argument("--set", action="append", default=[], help="as everywhere: 4.E.1.convoy=legal")
    asked = parser.parse_args()
    cases = Cases(asked.variant, read_map(asked.map), load_rulebook().with_settings(asked.set))
    found = dict(cases.differences())
    for name, told in found.items():
        print(f"{name}: {told}")
    print(f"{len(cases.stated)} cases, {len(found)} otherwise")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
