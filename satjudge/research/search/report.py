"""What a search found, in words, for machines, and as cases that `satjudge check` runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from satjudge.board import by_power
from satjudge.notation.sheet_writer import order_lines, sheet_text
from satjudge.notation.sheets import Expectations
from satjudge.research.search.judging import Judged
from satjudge.research.search.searching import Objective, Result, Status, measure
from satjudge.research.search.second import Certificate, Opinion
from satjudge.research.search.universe import Universe
from satjudge.rules import DEFAULT_RULES


def restrictions(universe: Universe, most_units: int | None) -> list[str]:
    """Under what restrictions the search was made, and so under which its proofs hold."""
    everywhere = len(universe.provinces) == len(universe.map.provinces)
    told = ["the whole map" if everywhere else f"units and moves in {' '.join(sorted(universe.provinces))} only"]
    if universe.units:
        free = "and free units beside them" if universe.spots else "and no others"
        told.append(f"the {len(universe.units)} units of the board {free}")
    if universe.orders:
        told.append(f"{len(universe.orders)} orders given")
    told.append("free units of any powers" if universe.spots else "powers as given")
    told.append(f"convoys over at most {universe.longest_route} fleets")
    if most_units is not None:
        told.append(f"at most {most_units} units")
    told.append(f"legal orders under {universe.rulebook.name}")
    return told


def headline(result: Result) -> str:
    """How the search ended, in a sentence."""
    objective, value = result.objective, result.value
    match result.status:
        case Status.MINIMAL:
            return f"{_number(value, objective)}: proved minimal."
        case Status.FOUND:
            return "Found."
        case Status.NONE:
            return "There is none: proved."
    if objective is None:
        return "Time is up; nothing was proved." if not result.answers else "Time is up; there may be more."
    best = f"best so far {_number(value, objective)}" if result.answers else "none found so far"
    return f"Time is up: {best}, bound {result.bound} (fewer are proved not to do)."


def _number(value: int | None, objective: Objective | None) -> str:
    return f"{value} {str(objective)[:-1] if value == 1 else objective}"


def document(
    result: Result,
    universe: Universe,
    most_units: int | None,
    opinions: Sequence[Opinion] = (),
    certificates: Sequence[Certificate] = (),
) -> dict[str, object]:
    """The same for machines."""
    return {
        "goal": str(result.goal),
        "status": str(result.status),
        "minimise": str(result.objective) if result.objective else None,
        "value": result.value,
        "bound": result.bound if result.objective else None,
        "restrictions": restrictions(universe, most_units),
        "answers": [_answer(judged, result.objective) for judged in result.answers],
        "rounds": [asdict(part) for part in result.rounds],
        "second_opinions": [
            {"question": one.question, "variables": one.variables, "clauses": one.clauses, "agrees": one.agrees}
            for one in opinions
        ],
        "certificates": [
            {"formula": str(one.formula), "proof": str(one.proof), "bytes": one.size, "sha256": one.sha256}
            for one in certificates
        ],
    }


def _answer(judged: Judged, objective: Objective | None) -> dict[str, object]:
    proposal = judged.proposal
    return {
        "units": by_power(proposal.board.units),
        "orders": {power: [str(order) for order in given] for power, given in proposal.orders.items()},
        "results": judged.outcome.results if judged.outcome else None,
        "resolutions": judged.resolutions.count,
        "cores": [{"name": core.name, "shape": core.shape} for core in judged.cores],
        str(objective or "size"): measure(proposal, objective or Objective.UNITS),
    }


def sheets(
    result: Result, universe: Universe, most_units: int | None, *, settings: Sequence[str] = (), rules: str = DEFAULT_RULES
) -> dict[str, str]:
    """Each answer as an order sheet with the verdicts of the judge, by the name that its file takes.

    `rules` is the rulebook that the sheet names, `settings` what was settled otherwise.
    """
    told = f"{headline(result)} Restrictions: {'; '.join(restrictions(universe, most_units))}"
    found = {}
    for number, judged in enumerate(result.answers, 1):
        name = f"{_file_name(str(result.goal))}-{number}"
        verdicts = judged.outcome.results if judged.outcome else None
        lines = order_lines(judged.proposal.orders, verdicts) if verdicts else []
        otherwise = Expectations((rules,), tuple(settings), unresolved=verdicts is None, orders=lines)
        plain = verdicts is not None and not settings
        found[name] = sheet_text(
            judged.proposal.board,
            judged.proposal.orders,
            identity=name,
            title=", ".join(core.name for core in judged.cores) or str(result.goal),
            rules=rules,
            notes={"source": [f"satjudge search {result.goal}"], "note": [told, *_notes(judged)]},
            expected=verdicts if plain else None,
            under=() if plain else (otherwise,),
        )
    return found


def _notes(judged: Judged) -> Iterator[str]:
    yield f"consistent resolutions: {judged.resolutions.count}"
    for core in judged.cores:
        yield f"core {core.shape} ({core.name}): {'; '.join(map(str, core.core.decisions))}"


def _file_name(title: str) -> str:
    shapes = title.replace(":", "-").replace('"', "").replace("=", "-is-")
    return "".join(character if character.isalnum() or character == "-" else "-" for character in shapes).strip("-")[:60]
