"""Certifies that no line with at most a number of units meets a goal, except those that were found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from satjudge.proofs.certificates.packing import Certified, check_shipped_map, pack_certificate, prove_step
from satjudge.proofs.verify.certificate import CONDITION, FewestClaim, ListedLine
from satjudge.proofs.verify.fewest_lines import make_claim_formula, read_line_space
from satjudge.proofs.verify.lines import list_possible_enemies
from satjudge.search.lines.line_search import LineConditions, LineSearchResult
from satjudge.world.geography import ProvinceCode


def make_claim(conditions: LineConditions, most: int = 0, lines: Iterable[ListedLine] = ()) -> FewestClaim:
    """Write the claim that no other line with at most a number of units meets the conditions.

    Raises `InputError` for maps that a certificate cannot name, or with rules of their own.
    """
    check_shipped_map(conditions.map)
    exist = {(unit.kind, unit.location) for unit in conditions.enemy_units}
    anyway = list_possible_enemies(conditions.map, conditions.protected)
    claim = FewestClaim(
        goal=" and ".join(_iter_condition_texts(conditions)),
        map=conditions.map.name,
        region=sorted(conditions.map.provinces if conditions.region is None else conditions.region),
        feeds=conditions.feeds,
        pockets=conditions.pockets,
        missing=[str(unit) for unit in anyway if (unit.kind, unit.location) not in exist],
        out=None if conditions.out is None else sorted(conditions.out),
        most=most,
        lines=[*lines],
    )
    read_line_space(claim)
    return claim


def _iter_condition_texts(conditions: LineConditions) -> Iterator[str]:
    """Yield the conditions in the form that `satjudge lines` takes."""
    if conditions.least == conditions.most:
        yield f"centers={conditions.least}"
    else:
        if conditions.least:
            yield f"centers>={conditions.least}"
        if conditions.most is not None:
            yield f"centers<={conditions.most}"
    yield from _format_province_condition("protect", conditions.protected)
    yield from _format_province_condition("outside", conditions.outside)
    for some in conditions.incomplete:
        yield from _format_province_condition("not-all", some)


def _format_province_condition(condition_name: str, provinces: Iterable[ProvinceCode]) -> Iterator[str]:
    if places := ",".join(sorted(provinces)):
        yield f"{condition_name}:{places}"


def get_proved_number(found: LineSearchResult) -> int:
    """Return the number of units up to which only the found lines exist; -1 if nothing was proved."""
    if found.units is None and found.proved:
        return len(found.wanted.map.provinces)
    return found.units if found.units is not None and found.complete else found.bound - 1


def certify_fewest(found: LineSearchResult, title: str) -> Certified:
    """Write a certificate of the proved result, with the files that belong to it.

    Raises `SatisfiableError` if the claim is false.
    """
    lines = [
        ListedLine(
            [f"{unit.kind} {unit.location}" for unit in line.board.units],
            [str(line.orders[unit.province]) for unit in line.board.units],
            sorted(line.protected_provinces),
        )
        for line in found.lines
    ]
    claim = make_claim(found.wanted, get_proved_number(found), lines)
    return pack_certificate(
        claim, title, [prove_step("there is no such line", "1", make_claim_formula(claim), store_clauses=False)], CONDITION
    )
