"""Counts openings of Spring 1901 that differ by one definition or another, for docs/papers/counts.md.

Daniel Loeb's 4,430,690,040,914,420 "significantly different" openings are looked for among them (docs/papers/counts.md). A
definition says which supports there are, and which pairs of orders may not be given together. Order sets are counted unit by
unit; what a later unit needs to know of those before it is which of its orders theirs forbid. Numbers are kept in
benchmarks/studies/openings.txt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from itertools import product
from pathlib import Path

import click

from satjudge.judging.legal_orders import legal_orders
from satjudge.world.board import Unit, starting_board
from satjudge.world.geography import province_of
from satjudge.world.orders import Hold, Move, Order, SupportHold, SupportMove

LOEB = 4_430_690_040_914_420
KEPT = Path(__file__).with_suffix(".txt")
_POWERS = ("ENGLAND", "FRANCE", "GERMANY", "ITALY", "AUSTRIA", "RUSSIA", "TURKEY")
"""Neighbours after one another, so that little needs to be known of those before."""


class Among(IntEnum):
    """Between which units something may not be."""

    NONE = 0
    OWN = 1
    ALL = 2


@dataclass(frozen=True)
class Definition:
    """What makes an opening count. All supports are of orders that are given; `contested`: of moves that meet another one."""

    supports: str
    """`none`, or `own`, `foreign` or `all` units' `moves`, `holds`, or `moves and holds`."""
    contested: bool = False
    against_holds: Among = Among.NONE
    """No moves against a unit that does not move."""
    swaps: Among = Among.NONE
    """No two units that change places."""
    standoffs: Among = Among.NONE
    """No two moves to one province."""

    def __str__(self) -> str:
        left_out = {"moves against holds": self.against_holds, "changes of places": self.swaps, "standoffs": self.standoffs}
        without = [f"{what} {('', 'among own units', 'among all')[among]}" for what, among in left_out.items() if among]
        return "; ".join((f"supports: {self.supports}{' that are contested' * self.contested}", *without))

    def supporting(self, unit: Unit, order: Order, owner: str) -> bool:
        """Whether there is this support; `owner`: whose the supported unit is."""
        whose, _, what = self.supports.partition(" ")
        fits = what.startswith("moves") if isinstance(order, SupportMove) else what.endswith("holds")
        return fits and whose in ("all", "own" if owner == unit.power else "foreign")


@dataclass(frozen=True)
class Choice:
    """An order of a unit. Supports that count only if contested are counted, less those that are not: `alone`, by -1 each."""

    unit: Unit
    moves_to: str = ""
    supported: str = ""
    supported_to: str = ""
    alone: bool = False


def choices(definition: Definition) -> list[list[Choice]]:
    """What each unit may be ordered, neighbours after one another."""
    board = starting_board()
    listed = legal_orders(board)
    found = []
    for unit in sorted(board.units, key=lambda unit: _POWERS.index(unit.power)):
        own = []
        for order in listed[unit.power][str(unit)]:
            if isinstance(order, Hold):
                own.append(Choice(unit))
            elif isinstance(order, Move):
                own.append(Choice(unit, province_of(order.destination)))
            elif isinstance(order, SupportHold | SupportMove):
                supported = order.supported.province
                if definition.supporting(unit, order, board.unit_at[supported].power):
                    to = province_of(order.destination) if isinstance(order, SupportMove) else ""
                    alone = (False, True) if definition.contested and to else (False,)
                    own += [Choice(unit, supported=supported, supported_to=to, alone=one) for one in alone]
        found.append(own)
    return found


def may_go_together(definition: Definition, one: Choice, other: Choice) -> bool:
    """Whether two orders may be given at the same time."""
    return _allows(definition, one, other) and _allows(definition, other, one)


def _allows(definition: Definition, one: Choice, other: Choice) -> bool:
    def left_out(among: Among) -> bool:
        return among is Among.ALL or (among is Among.OWN and one.unit.power == other.unit.power)

    if one.supported == other.unit.province and one.supported_to != other.moves_to:
        return False
    if one.alone and one.supported != other.unit.province and one.supported_to == other.moves_to:
        return False
    if one.moves_to == other.unit.province:
        if not other.moves_to and left_out(definition.against_holds):
            return False
        if other.moves_to == one.unit.province and left_out(definition.swaps):
            return False
    return not (one.moves_to and one.moves_to == other.moves_to and left_out(definition.standoffs))


def openings(definition: Definition) -> int:
    """How many order sets there are of orders that may all be given together."""
    units = choices(definition)
    together: dict[tuple[int, int], list[list[bool]]] = {}
    for (i, one), (j, other) in product(enumerate(units), repeat=2):
        table = [[may_go_together(definition, a, b) for b in other] for a in one]
        if i < j and not all(map(all, table)):
            together[i, j] = table
    known: Counter[tuple[tuple[int, int], ...]] = Counter({(): 1})
    for i, own in enumerate(units):
        tells = {k: _told(together, k, i, len(units[k])) for k in range(i + 1)}
        after: Counter[tuple[tuple[int, int], ...]] = Counter()
        for before, times in known.items():
            for number, choice in enumerate(own):
                if all((k, i) not in together or together[k, i][one][number] for k, one in before):
                    told = ((k, tells[k][one]) for k, one in (*before, (i, number)))
                    after[tuple((k, one) for k, one in told if one is not None)] += -times if choice.alone else times
        known = after
    return known.total()


def _told(together: dict[tuple[int, int], list[list[bool]]], k: int, i: int, orders: int) -> list[int | None]:
    """Map each order of a unit to the first with the same effect on later units; None if all have the same."""
    later = [table for (one, other), table in together.items() if one == k and other > i]
    rows = [tuple(tuple(table[number]) for table in later) for number in range(orders)]
    return [None if len(set(rows)) == 1 else rows.index(row) for row in rows]


def definitions() -> Iterator[Definition]:
    """The definitions that are tried."""
    kinds = (
        "none",
        *(f"{whose} {what}" for whose in ("own", "all", "foreign") for what in ("moves", "moves and holds", "holds")),
    )
    for supports in kinds:
        for contested in (False, True) if "moves" in supports else (False,):
            for left_out in product(Among, repeat=3):
                yield Definition(supports, contested, *left_out)


def line(definition: Definition, number: int) -> str:
    """A definition with its number, and how that compares with Loeb's."""
    return f"{number:>30,}  {number / LOEB:8.4f}  {definition}"


@click.command()
@click.option("--all", "every", is_flag=True, help="All definitions that are not kept yet (an hour), not just a few.")
def main(every: bool) -> None:
    """Count openings by many definitions."""
    if not every:
        few: list[Callable[[], Definition]] = [
            lambda: Definition("none"),
            lambda: Definition("none", False, Among.ALL, Among.ALL, Among.ALL),
            lambda: Definition("own moves", contested=True),
        ]
        for make in few:
            click.echo(line(make(), openings(make())))
        return
    kept = KEPT.read_text() if KEPT.exists() else ""
    for definition in definitions():
        if f"  {definition}\n" not in kept:
            with KEPT.open("a") as file:
                file.write(line(definition, openings(definition)) + "\n")


if __name__ == "__main__":
    main()
