"""Certifies that a line holds: that no enemies bring a unit into a province that it protects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from satjudge.board import by_power
from satjudge.certificates.lrat_proofs import SatisfiableError
from satjudge.certificates.packing import proved, versions
from satjudge.documents import Rules
from satjudge.errors import InputError
from satjudge.geography import ProvinceCode, province_of
from satjudge.notation.sheets import Sheet
from satjudge.orders import Move, MovementOrder, Named, SupportMove
from satjudge.research.lines import EnemyUnit, Line
from satjudge.research.prove import Siege
from satjudge.solve.clauses import TRUE, Literal
from satjudge.solve.dimacs import Clause, clauses_of
from satjudge.verify.bridge import DEFINED, REQUIRED, bridge
from satjudge.verify.certificate import FORMAT, AtMost, Certificate, LineClaim, Step
from satjudge.verify.checks import MOVE, TRUTH
from satjudge.verify.line_checks import read_line, rests_on
from satjudge.verify.named_clauses import Group, NamedClauses
from satjudge.verify.sieges import ORDER


def certify(line: Line, sheet: Sheet) -> tuple[Certificate, Mapping[str, bytes]]:
    """A certificate that the line of a sheet holds, and the files that belong into it.

    Raises `InputError` if units of the line move, if it breaks, or for what the second encoder does not encode.
    """
    if line.moves:
        raise InputError("units of this line move: only lines whose units all stand can be certified")
    sieges = {province: Siege(line, province) for province in sorted(line.protected)}
    unreachable = [province for province, siege in sieges.items() if not siege.candidates]
    claim = claim_of(line, unreachable, [*restrictions(line, sheet)])
    known = read_line(claim)
    steps: list[Step] = []
    files: dict[str, bytes] = {}
    for province, siege in sieges.items():
        second = known.siege(province)
        if second is None:
            continue
        first = first_formula(siege, [*known.orders_against(province)])
        try:
            entry, entry_files = proved(f"no attack enters {province}", province, first)
        except SatisfiableError:
            raise InputError(f"there is nothing to certify, for some attack on {province} satisfies the equations") from None
        implied, implied_files = proved(
            f"the second encoder's formula for {province} implies the first's", f"{province}-bridge", bridge(second, first)
        )
        steps += (entry, implied)
        files |= {**entry_files, **implied_files}
    certificate = Certificate(
        format=FORMAT, claim=claim, title=sheet.heading, steps=steps, assumptions=rests_on(claim, known), versions=versions()
    )
    return certificate, files


def restrictions(line: Line, sheet: Sheet) -> Iterator[str]:
    """What says that not all enemies can be that could stand outside, in the words of order sheets."""
    if line.missing:
        yield f"without: {', '.join(map(str, line.missing))}"
    if line.out is not None:
        yield f"out: {', '.join(map(line.board.map.name_of, line.out)) or 'nobody'}"
    if line.fleets == 0:
        yield "fleets: 0"
    if line.limits:
        yield from (f"enemies: {text.strip()}" for text in sheet.notes.get("enemies", ()))


def claim_of(line: Line, unreachable: list[ProvinceCode], told: list[str]) -> LineClaim:
    """What is claimed of a line, as data."""
    rulebook = line.rulebook
    return LineClaim(
        map=line.board.map.name,
        units=[*chain.from_iterable(by_power(line.board.units).values())],
        orders=[str(line.orders[unit.province]) for unit in line.board.units],
        rulebook=Rules(rulebook.name, rulebook.title, rulebook.settings()),
        protected=sorted(line.protected),
        unreachable=unreachable,
        enemies=_texts(line.enemy_units),
        restrictions=told,
        most=line.enemies,
        fleets=line.fleets,
        limits=[AtMost(limit.most, _texts(set(limit.units).intersection(line.enemy_units))) for limit in line.limits],
    )


def _texts(units: Iterable[EnemyUnit]) -> list[str]:
    return sorted(f"{kind} {place}" for kind, place in units)


Key = tuple[Named, ProvinceCode, ProvinceCode]
"""What an order of an enemy comes to: its unit, the province where the attack comes from, and that where it goes."""


def first_formula(siege: Siege, orders: Sequence[MovementOrder]) -> NamedClauses:
    """What the first encoder says of an attack, over the decisions that both encoders have about these `orders`.

    It names the province of a unit that is supported, and one coast of a province that is moved into. So an order of its own
    stands for several: it is given if one of these is, and a move succeeds if one of these does.
    """
    formula = siege.formula
    if siege.line.enemies < len(siege.unknown):
        formula.require(-formula.at_least(siege.line.enemies + 1, siege.unknown))
    clauses = clauses_of(formula)
    required = set(clauses.required)
    meant: dict[Key, list[MovementOrder]] = {}
    for order in orders:
        meant.setdefault(_key(order), []).append(order)
    given = zip((order for _, order in siege.candidates), siege.unknown, strict=True)
    decided = ((move.order, siege.encoding.move(move)) for move in siege.encoding.orders.situation.moves)
    names = {TRUE: TRUTH}
    defined: list[Clause] = []
    size = clauses.size
    for kind, entries in ((ORDER, given), (MOVE, decided)):
        for order, literal in entries:
            called = [f"{kind}{one}" for one in meant.get(_key(order), ())]
            if len(called) == 1:
                names[literal] = called[0]
                continue
            several = range(size + 1, size + 1 + len(called))
            size += len(called)
            names.update(zip(several, called, strict=True))
            defined += _is_one_of(literal, several)
    groups = (
        Group(DEFINED, [*(one for place, one in enumerate(clauses.clauses) if place not in required), *defined]),
        Group(REQUIRED, [clauses.clauses[place] for place in clauses.required]),
    )
    return NamedClauses(size, names, groups)


def _key(order: MovementOrder) -> Key:
    assert isinstance(order, Move | SupportMove)
    origin = order.supported if isinstance(order, SupportMove) else order.unit
    return order.unit, origin.province, province_of(order.destination)


def _is_one_of(literal: Literal, several: Iterable[Literal]) -> list[Clause]:
    """A variable is true just where one of these is."""
    return [(-literal, *several), *((literal, -one) for one in several)]
