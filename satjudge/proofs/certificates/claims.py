"""Writes certificates: of resolutions, lines, the fewest units of a line, guarantees, and searches without an answer.

Each certificate starts as a claim. The steps are proved one by one and packed with the claim as files.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from importlib.metadata import PackageNotFoundError, version
from itertools import chain, starmap
from typing import TypeAlias

import msgspec

from satjudge.base.errors import InputError
from satjudge.base.version import __version__
from satjudge.judging.judge import Judgement
from satjudge.judging.legality import make_docket
from satjudge.judging.legality.dockets import Docket
from satjudge.notation.documents import describe_rules
from satjudge.notation.sheets import Sheet
from satjudge.proofs.certificates.lrat_proofs import SatisfiableError, iter_refutation
from satjudge.proofs.verify.certificate import (
    CONDITION,
    CORES,
    FORMAT,
    LEGALITY,
    RULINGS,
    AtMost,
    Certificate,
    Claim,
    ClaimedPosition,
    FewestClaim,
    GuaranteeClaim,
    LineClaim,
    ListedLine,
    NamedClauses,
    Resolution,
    ResolutionsClaim,
    SearchClaim,
    Step,
    describe_file,
)
from satjudge.proofs.verify.fewest_lines import make_claim_formula, read_line_space
from satjudge.proofs.verify.lines import list_assumptions as list_line_assumptions
from satjudge.proofs.verify.lines import list_possible_enemies, read_line
from satjudge.proofs.verify.positions import ParsedPosition
from satjudge.proofs.verify.resolutions import hide_retreats, iter_verdicts
from satjudge.proofs.verify.searches import AnyCase, read_cases
from satjudge.proofs.verify.searches import list_assumptions as list_search_assumptions
from satjudge.search.goals.goal import Both, Either, Goal
from satjudge.search.guarantees.one_season import WishTable
from satjudge.search.lines.line import EnemyUnit, Line
from satjudge.search.lines.line_search import LineConditions, LineSearchResult
from satjudge.search.open_orders.universe import Universe
from satjudge.world.board import by_power, group_pairs
from satjudge.world.geography import Map, ProvinceCode, load_map, shipped_maps

Proved: TypeAlias = tuple[Step, Mapping[str, bytes]]
"""A step of a certificate, with the contents of its files by name."""
Certified: TypeAlias = tuple[Certificate, Mapping[str, bytes]]
"""A certificate, with the contents of its files by name."""


def prove_step(label: str, file_stem: str, clauses: NamedClauses, *, store_clauses: bool = True) -> Proved:
    """Return a step with its files: an LRAT proof that `clauses` cannot all hold and, if `store_clauses`, the clauses.

    The step gets this `label`; its files are `file_stem`.lrat and `file_stem`.cnf. Raises `SatisfiableError` if the clauses can
    all hold.
    """
    formula = clauses.text.encode()
    try:
        proof = "".join(f"{line}\n" for line in iter_refutation(clauses.clauses)).encode()
    except SatisfiableError:
        raise SatisfiableError(f"“{label}” cannot be proved, which is a bug: please report the position") from None
    files = {f"{file_stem}.cnf": formula, f"{file_stem}.lrat": proof}
    described = [describe_file(*entry) for entry in files.items()]
    return Step(label, *described), files if store_clauses else {described[1].name: proof}


def pack_certificate(claim: Claim, title: str, proved_steps: Iterable[Proved], *assumptions: str) -> Certified:
    """Return a certificate of the claim with its proved steps, title and assumptions, and the contents of its files by name."""
    steps = [*proved_steps]
    files = {name: content for _, written in steps for name, content in written.items()}
    certificate_steps = [step for step, _ in steps]
    return Certificate(
        format=FORMAT, claim=claim, title=title, steps=certificate_steps, assumptions=[*assumptions], versions=list_versions()
    ), files


def check_shipped_map(game_map: Map) -> None:
    """Raise `InputError` unless the map is one of those included in satjudge: a certificate names its map."""
    if game_map.name not in shipped_maps() or load_map(game_map.name) is not game_map:
        raise InputError(f"certificates support only the maps included in satjudge, and {game_map.name} is not one of them")


def list_versions() -> dict[str, str]:
    """Return the installed versions of satjudge and its solvers, by package."""
    found = {"satjudge": __version__}
    for package in ("ortools", "python-sat"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


# ---- resolutions: a position has only the listed ones ----

MOST_RESOLUTIONS = 10_000
"""The largest number of resolutions that a certificate lists."""


def certify_resolutions(case: Judgement) -> Certified:
    """Return a certificate that a case has exactly the resolutions found by the judge, with the contents of its files by name.

    Raises `InputError` if not all resolutions are known, or if the second encoder cannot encode the position.
    """
    found = case.resolutions
    if not found.complete or found.count > MOST_RESOLUTIONS:
        raise InputError(
            f"certificates need a complete list of at most {MOST_RESOLUTIONS:,} resolutions; {found.count:,} were found"
        )
    docket = make_docket(found.situation.board, case.sheet.orders_by_power(), case.rulebook)
    position = ParsedPosition(make_claimed_position(case, docket))
    decisions = found.situation.order_decisions
    assignments = (
        {str(decision.order): values[decision.index] for decision in decisions} for values in found.list_first(found.count)
    )
    resolutions = [Resolution(_add_trains(position, succeeds)) for succeeds in assignments]
    verdicts = _derive_verdicts(case, docket, position, resolutions)
    claim = ResolutionsClaim(position=position.position, resolutions=resolutions, verdicts=verdicts)
    step = prove_step(
        "no other resolution satisfies the equations", "complete", position.encode_further_resolution(resolutions)
    )
    return pack_certificate(claim, case.sheet.heading + _format_left_out_orders(docket), [step], LEGALITY)


def _format_left_out_orders(docket: Docket) -> str:
    """Return the end of a certificate's title, which lists the illegal orders that were left out; "" if there are none."""
    illegal = [str(entry.order) for given in docket.entries.values() for entry in given if entry.reason]
    return f"; illegal and left out: {', '.join(illegal)}" if illegal else ""


def _add_trains(position: ParsedPosition, succeeds: Mapping[str, bool]) -> dict[str, bool]:
    """Return `succeeds`, which maps each order's text to whether it succeeds, with moves by railroad (trains) added."""
    trains = position.literals.keys() - succeeds.keys()
    solution = position.find_solution(succeeds) if trains else None
    return {**succeeds, **{train: solution is not None and position.literals[train] in solution for train in trains}}


def make_claimed_position(case: Judgement, docket: Docket) -> ClaimedPosition:
    """Return a case's position as data: units, orders that count (from the docket), rulebook, and what its map needs.

    Raises `InputError` unless the map is included in satjudge.
    """
    board = case.resolutions.situation.board
    check_shipped_map(board.map)
    ordered = (unit for unit in board.units if unit.province in docket.orders)
    orders = group_pairs((unit.power, str(docket.orders[unit.province])) for unit in ordered)
    return ClaimedPosition(
        map=board.map.name,
        season=board.turn.season if board.turn and board.open_map is not board.map else None,
        units=by_power(board.units),
        orders=orders,
        permissions=[*map(str, docket.permissions.values())],
        centers=dict(board.centers) if board.map.railroads else {},
        unsupportable=sorted(docket.unsupportable),
        rulebook=describe_rules(case.rulebook),
    )


def _derive_verdicts(
    case: Judgement, docket: Docket, position: ParsedPosition, resolutions: list[Resolution]
) -> dict[str, str] | None:
    """Return the verdict on each order that counts, by its text; None without an outcome or a way to check verdicts."""
    if case.outcome is None or not any(iter_verdicts(position, resolutions)):
        return None
    entries = chain.from_iterable(case.outcome.judged.values())
    judged = {entry.province: hide_retreats(str(entry.verdict)) for entry in entries if not entry.reason}
    return {str(order): judged[province] for province, order in docket.orders.items()}


# ---- a line holds: no enemies bring a unit into a province that it protects ----


def certify_line(line: Line, sheet: Sheet, on_province: Callable[[ProvinceCode], None] = lambda province: None) -> Certified:
    """Return a certificate that the stalemate line of a sheet holds, with the contents of its files by name.

    Calls `on_province` with each attacked province before its proof starts. Raises `InputError` if units of the line move or
    the second encoder cannot encode the line, and `SatjudgeError` if the line does not hold.
    """
    check_line_certifiable(line)
    claim = make_line_claim(line, [*list_restrictions(line, sheet)])
    known = read_line(claim)

    def step(province: ProvinceCode, formula: NamedClauses) -> Proved:
        on_province(province)
        return prove_step(f"no attack enters {province}", province, formula)

    claim = msgspec.structs.replace(claim, unreachable=sorted(known.protected - known.sieges.keys()))
    return pack_certificate(claim, sheet.heading, starmap(step, known.sieges.items()), *list_line_assumptions(claim, known))


def check_line_certifiable(line: Line) -> None:
    """Raise `InputError` if the stalemate line's map is not included in satjudge, or if units of the line move."""
    check_shipped_map(line.board.map)
    if line.is_moving:
        raise InputError("units of this line move: certificates support only lines whose units all stay where they are")


def list_restrictions(line: Line, sheet: Sheet) -> Iterator[str]:
    """Yield the line's restrictions on possible enemies as the sheet's notes state them, such as `without: F BLA`."""
    if line.missing:
        yield f"without: {', '.join(map(str, line.missing))}"
    if line.out is not None:
        yield f"out: {', '.join(map(line.board.map.name_of, line.out)) or 'nobody'}"
    if line.fleets == 0:
        yield "fleets: 0"
    if line.limits:
        yield from (f"enemies: {text.strip()}" for text in sheet.notes.get("enemies", ()))


def make_line_claim(line: Line, stated_restrictions: list[str]) -> LineClaim:
    """Return the claim that a stalemate line holds, as data, with an empty `unreachable` list for the caller to fill in."""
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


# ---- the fewest units of a line: only the lines found meet the conditions with at most this many units ----


def make_fewest_claim(conditions: LineConditions, max_units: int = 0, lines: Iterable[ListedLine] = ()) -> FewestClaim:
    """Return, as data, the claim that only the stalemate lines `lines` have at most `max_units` units and meet the conditions.

    Raises `InputError` for a map that is not included in satjudge or that has rules of its own.
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
        most=max_units,
        lines=[*lines],
    )
    read_line_space(claim)
    return claim


def _iter_condition_texts(conditions: LineConditions) -> Iterator[str]:
    """Yield each condition that lines must meet, in the syntax of the command `satjudge lines`, such as `centers=17`."""
    if conditions.least == conditions.most:
        yield f"centers={conditions.least}"
    else:
        if conditions.least:
            yield f"centers>={conditions.least}"
        if conditions.most is not None:
            yield f"centers<={conditions.most}"
    yield from _format_province_condition("protect", conditions.protected)
    yield from _format_province_condition("outside", conditions.outside)
    for provinces in conditions.incomplete:
        yield from _format_province_condition("not-all", provinces)


def _format_province_condition(condition_name: str, provinces: Iterable[ProvinceCode]) -> Iterator[str]:
    if places := ",".join(sorted(provinces)):
        yield f"{condition_name}:{places}"


def get_proved_number(result: LineSearchResult) -> int:
    """Return the largest number of units up to which the result lists all lines, as proved; -1 if nothing is proved."""
    if result.units is None and result.proved:
        return len(result.wanted.map.provinces)
    return result.units if result.units is not None and result.complete else result.bound - 1


def certify_fewest(result: LineSearchResult, title: str) -> Certified:
    """Return a certificate of what a line search proved, with the contents of its files by name.

    Raises `SatisfiableError` if the claim is false.
    """
    lines = [
        ListedLine(
            [f"{unit.kind} {unit.location}" for unit in line.board.units],
            [str(line.orders[unit.province]) for unit in line.board.units],
            sorted(line.protected_provinces),
        )
        for line in result.lines
    ]
    claim = make_fewest_claim(result.wanted, get_proved_number(result), lines)
    return pack_certificate(
        claim, title, [prove_step("there is no such line", "1", make_claim_formula(claim), store_clauses=False)], CONDITION
    )


# ---- searches and guarantees: no board meets a goal, or a wish never fails ----

_NOT_ENOUGH = {
    RULINGS: "the proof only shows which orders a ruling on a paradox may change",
    CORES: "the proof only covers what is true of cores on every map",
}
"""The reasons why a formula that rests on an assumption may not prove the claim."""


def make_search_claim(goal: Goal, universe: Universe, max_units: int) -> SearchClaim:
    """Return, as data, the claim that no board with at most `max_units` units in the universe's region meets the goal."""
    rulebooks = universe.rulebooks
    return SearchClaim(
        goal=str(goal)[1:-1] if isinstance(goal, Both | Either) else str(goal),
        map=universe.map.name,
        region=sorted(universe.provinces),
        most=max_units,
        fleets=None,
        rulebooks=[*map(describe_rules, rulebooks)],
    )


def make_guarantee_claim(table: WishTable, orders: Collection[str]) -> GuaranteeClaim:
    """Return, as data, the claim that the orders of the table's powers guarantee its wish.

    Raises `InputError` unless the map is included in satjudge.
    """
    board, rulebook = table.board, table.rulebook
    check_shipped_map(board.map)
    return GuaranteeClaim(
        goal=str(table.goal),
        map=board.map.name,
        units=by_power(board.units),
        powers=[table.power, *table.allies],
        orders=[*orders],
        rulebook=describe_rules(rulebook),
    )


def check_search_certifiable(goal: Goal, universe: Universe) -> None:
    """Raise `InputError` if certificates do not support the goal, or the map or rulebooks of the universe."""
    check_shipped_map(universe.map)
    read_cases(make_search_claim(goal, universe, 1))


def certify_search(claim: SearchClaim | GuaranteeClaim, title: str = "") -> Certified:
    """Return a certificate of a claim about a search or a guarantee, with the contents of its files by name.

    Raises `InputError` if the second encoder cannot encode the claim, or not precisely enough to prove it.
    """
    bounds, cases = read_cases(claim)

    def step(number: int, case: AnyCase) -> Proved:
        try:
            return prove_step(f"not the case: {case.text}", str(number), case.make_formula(bounds), store_clauses=False)
        except SatisfiableError as error:
            if why := [_NOT_ENOUGH[name] for name in case.assumptions if name in _NOT_ENOUGH]:
                raise InputError(f"no certificate can be written: {why[0]}, which is not enough here") from None
            raise error from None

    title = title or f"{claim.goal} with at most {bounds.most} units"
    return pack_certificate(claim, title, starmap(step, enumerate(cases, 1)), *list_search_assumptions(cases))
