"""Certifies that a line holds: no enemies bring a unit into a province that it protects."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, starmap

import msgspec

from satjudge.base.errors import InputError
from satjudge.notation.documents import describe_rules
from satjudge.notation.sheets import Sheet
from satjudge.proofs.certificates.packing import Certified, Proved, check_shipped_map, pack_certificate, prove_step
from satjudge.proofs.verify.certificate import AtMost, LineClaim
from satjudge.proofs.verify.lines import list_assumptions, read_line
from satjudge.proofs.verify.named_clauses import NamedClauses
from satjudge.search.lines.line import EnemyUnit, Line
from satjudge.world.board import by_power
from satjudge.world.geography import ProvinceCode


def certify_line(line: Line, sheet: Sheet, on_province: Callable[[ProvinceCode], None] = lambda province: None) -> Certified:
    """Write a certificate that the line of a sheet holds, with the files that belong to it.

    Calls `on_province` with each province before its proof. Raises `InputError` if units of the line move, or if the second
    encoder cannot encode the line, `SatjudgeError` if it breaks.
    """
    check_certifiable(line)
    claim = make_claim(line, [*list_restrictions(line, sheet)])
    known = read_line(claim)

    def step(province: ProvinceCode, formula: NamedClauses) -> Proved:
        on_province(province)
        return prove_step(f"no attack enters {province}", province, formula)

    claim = msgspec.structs.replace(claim, unreachable=sorted(known.protected - known.sieges.keys()))
    return pack_certificate(claim, sheet.heading, starmap(step, known.sieges.items()), *list_assumptions(claim, known))


def check_certifiable(line: Line) -> None:
    """Raise `InputError` for maps that a certificate cannot name, and if units of the line move."""
    check_shipped_map(line.board.map)
    if line.is_moving:
        raise InputError("units of this line move: only lines whose units all stand can be certified")


def list_restrictions(line: Line, sheet: Sheet) -> Iterator[str]:
    """List the restrictions on enemies that could stand outside, as order sheets state them."""
    if line.missing:
        yield f"without: {', '.join(map(str, line.missing))}"
    if line.out is not None:
        yield f"out: {', '.join(map(line.board.map.name_of, line.out)) or 'nobody'}"
    if line.fleets == 0:
        yield "fleets: 0"
    if line.limits:
        yield from (f"enemies: {text.strip()}" for text in sheet.notes.get("enemies", ()))


def make_claim(line: Line, stated_restrictions: list[str]) -> LineClaim:
    """Write the claim about a line as data; unreachable provinces are added later."""
    rulebook = line.rulebook
    return LineClaim(
        map=line.board.map.name,
        units=[*chain.from_iterable(by_power(line.board.units).values())],
        orders=[str(line.orders[unit.province]) for unit in line.board.units],
        rulebook=describe_rules(rulebook),
        protected=sorted(line.protected_provinces),
        unreachable=[],
        enemies=_format_units(line.enemy_units),
        restrictions=stated_restrictions,
        most=line.enemies,
        fleets=line.fleets,
        limits=[AtMost(limit.most, _format_units(set(limit.units).intersection(line.enemy_units))) for limit in line.limits],
    )


def _format_units(units: Iterable[EnemyUnit]) -> list[str]:
    return sorted(f"{kind} {place}" for kind, place in units)
