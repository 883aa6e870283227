"""Finds the lines of docs/papers/lines.md: the fewest units for every number of centres, and decides claims of the literature.

    python benchmarks/studies/lines_atlas.py            # what is missing is found (minutes each), the page and the cases
    written python benchmarks/studies/lines_atlas.py --anew     # all is found again
    python benchmarks/studies/lines_atlas.py --page     # nothing more is found: only the page, the cases and pictures are
    written python benchmarks/studies/lines_atlas.py --timeout 60     # what CP-SAT does not settle so soon is put to CaDiCaL

Each answer is kept in docs/papers/lines/atlas.jsonl as soon as it is there, so a run that was ended goes on from there.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

from pysat.solvers import Solver

from satjudge.apps.cli import run
from satjudge.base.words import number_of
from satjudge.notation.sheet_reader import read_sheets
from satjudge.search.documents.proofs import LinesDocument, format_line_sheets
from satjudge.search.formulas.cpsat import Answer
from satjudge.search.formulas.file_formats import make_clauses
from satjudge.search.lines.line import read_line
from satjudge.search.lines.line_search import (
    LineConditions,
    LineSearchResult,
    PlanFormula,
    ask_second_solver,
    find_smallest_lines,
)
from satjudge.search.lines.prove import examine_line
from satjudge.search.second_opinion import SOLVER
from satjudge.search.task import LinesTask
from satjudge.world.geography import load_map
from satjudge.world.rules import load_rulebook

ROOT = Path(__file__).parents[2]
PAGE, KEPT, CASES, PICTURES = (
    ROOT / "docs" / "papers" / "lines.md",
    ROOT / "docs" / "papers" / "lines" / "atlas.jsonl",
    ROOT / "datc_cases" / "lines" / "fewest.txt",
    ROOT / "docs" / "pictures" / "lines",
)
BLOCK = re.compile(r"(<!-- found: (?P<name>[a-z-]+) -->\n)(?P<rest>.*?)(?=<!-- end -->)", re.DOTALL)
SOUTHERN_FLEETS = ("F LYO, F WES, F TYS, F TUN, F ION, F ADR, F AEG, F EAS, F BLA",)
CENTERS = range(1, 34)
HARDEST = 24
"""The number of centres that takes longest."""
ALL = 60
"""The most lines of a kind that are found; if there are fewer, they are all."""
SOURCE = "source: found by benchmarks/studies/lines_atlas.py"
RULES = load_rulebook("datc-3")
Row = Mapping[str, Any]


@dataclass(frozen=True)
class Claim:
    """What somebody says of lines, the question that settles it, and what the answer makes of it.

    `case` is what the line is called that it finds, if it is nowhere else in the atlas.
    """

    text: str
    question: dict[str, Any]
    settled: Callable[[Row], str]
    case: str = ""


def refuted_by_any(row: Row) -> str:
    """The claim is that there is no such line."""
    if row["lines"]:
        return f"*refuted* by `line:{name_of(row)}`"
    return (
        "*proved*: there is none"
        if row["proved"]
        else f"*open*: no line was found in {row['seconds']} CPU s, nor proved that there is none"
    )


def are_fewest(units: int) -> Callable[[Row], str]:
    """The claim is that this number of units is the fewest."""

    def settled(row: Row) -> str:
        if row["units"] is not None and row["units"] < units:
            return f"*refuted* by `line:{name_of(row)}`, with {number_of(row['units'], 'unit')}"
        number = 1 + len(row.get("also", ()))
        only = f", in {number_of(number, 'set')} of provinces only" if row["complete"] else ""
        return f"*proved*{only}" if row["proved"] else f"*open*: no fewer than {row['bound']}"

    return settled


def questions() -> Iterator[dict[str, Any]]:
    """Make a question: a goal, enemy units that cannot exist, whether the line feeds itself, the number of lines."""
    for number in sorted(CENTERS, key=lambda number: -abs(number - HARDEST)):
        yield by_number(number)
    yield from map(around, load_map().powers)
    yield from (claim.question for claim in CLAIMS)


def asked(
    goal: str,
    *,
    without: Sequence[str] = (),
    out: str | None = None,
    feeds: bool = False,
    pockets: bool = True,
    count: int = 1,
) -> dict[str, Any]:
    """A question as it is kept."""
    return {"goal": goal, "without": list(without), "out": out, "feeds": feeds, "pockets": pockets, "count": count}


def by_number(number: int) -> dict[str, Any]:
    """Ask for the fewest units for exactly this number of centres."""
    return asked(f"centers={number}", count=ALL)


def around(power: str) -> dict[str, Any]:
    """The fewest units that hold everything but the home centres of a power."""
    homes = sorted(load_map().homes(power))
    return asked(f"centers={len(load_map().centers) - len(homes)} and outside:{','.join(homes)}", count=ALL)


FEEDING = "centers>=13 and centers<=17"
"""What a line that feeds itself has, if it has 17 centres at most: no line of fewer than 13 does (the table)."""
CLAIMS = (
    Claim(
        "R. B. Lipton: six units are the fewest that hold Turkey, Iberia and Tunis, if there are no enemy fleets in the "
        "Mediterranean and the Black Sea; there is no other way",
        asked("protect:POR,SPA,TUN,CON,ANK,SMY and centers=6", without=SOUTHERN_FLEETS, feeds=True, count=ALL),
        are_fewest(6),
        "without-fleets-6",
    ),
    Claim(
        "They are the smallest line that feeds itself, if France, Italy, Austria and Russia are out, and the only one",
        asked(
            "centers>=1 and centers<=17 and outside:BER,KIE,MUN,EDI,LON,LVP",
            out="Turkey, France, Italy, Austria, Russia",
            feeds=True,
            count=ALL,
        ),
        are_fewest(6),
        "out-6",
    ),
    Claim(
        "They are the smallest line wherever enemy fleets cannot be in these seas",
        asked("centers>=1 and centers<=17", without=SOUTHERN_FLEETS, feeds=True),
        are_fewest(6),
        "without-fleets-1",
    ),
    Claim("C. von Metzke, R. Walker: ten units are the fewest for 15 centres", by_number(15), are_fewest(10)),
    Claim("R. Walker: fewer centres need more units", by_number(3), are_fewest(11)),
    Claim(
        "E. Verheiden, *Minimal Southern*: no line that holds Italy and feeds itself has fewer than 13 centres",
        asked("protect:ROM,NAP,VEN and centers<=12", feeds=True),
        refuted_by_any,
    ),
    Claim("The same: 13 units are the fewest for 13 centres", by_number(13), are_fewest(13)),
    Claim(
        "E. Verheiden, *Eastern*: every line of at most 17 centres that feeds itself has all of England or all of Turkey",
        asked("centers>=1 and centers<=17 and outside:EDI,ANK", feeds=True),
        refuted_by_any,
        "ankara-cut-off",
    ),
    Claim(
        "The same, of lines that cut no enemies off from the others",
        asked(f"{FEEDING} and not-all:EDI,LON,LVP and not-all:ANK,CON,SMY", feeds=True, pockets=False),
        refuted_by_any,
        "neither-england-nor-turkey",
    ),
    Claim(
        "Every line of at most 17 centres that feeds itself has some centre of England or of Turkey",
        asked(f"{FEEDING} and outside:EDI,LON,LVP,ANK,CON,SMY", feeds=True),
        refuted_by_any,
        "without-england-and-turkey",
    ),
)


def answer(question: Row, timeout: float | None = None, before: Row | None = None) -> Row:
    """Find the lines; what is kept of them. `before` is an answer to the question for fewer lines.

    Where the time is up, the other solver is asked whether there are none with fewer units, and it takes as long as it takes.
    """
    more = {name: question[name] for name in ("goal", "out", "feeds")}
    task = LinesTask(**more, without=(*question["without"],), no_pockets=not question["pockets"])
    wanted = task.parse_conditions(load_map())
    if before is not None and before["proved"]:
        told = dict(before)
        found = LineSearchResult(
            wanted, RULES, [read_line(sheet, RULES) for sheet in read_sheets("\n".join(before["sheets"]))], proved=True
        )
    else:
        found, told = few(wanted, question, timeout)
    if found.lines and question["count"] > 1:
        began = cpu_seconds()
        also, complete = others(found, question["count"])
        told |= {"also": also, "complete": complete, "seconds_for_all": round(cpu_seconds() - began, 1)}
    return {**told, **question}


def few(wanted: LineConditions, question: Row, timeout: float | None) -> tuple[LineSearchResult, dict[str, Any]]:
    """A line with the fewest units."""
    began, until = cpu_seconds(), None if timeout is None else monotonic() + timeout
    found = find_smallest_lines(wanted, RULES, time_left=lambda: None if until is None else until - monotonic())
    solver = "CP-SAT" if found.proved else "CaDiCaL"
    if not found.proved:
        ask_second_solver(found)
    document = LinesDocument.from_result(found, question["goal"], 0)
    told = {name: getattr(document, name) for name in ("units", "bound", "proved", "complete")}
    lines = [{"orders": line.orders, "centers": line.centers, "behind": line.behind} for line in document.lines]
    sheets = list(format_line_sheets(found, question["goal"]).values())
    return found, {**told, "seconds": round(cpu_seconds() - began, 1), "solver": solver, "lines": lines, "sheets": sheets}


def others(found: LineSearchResult, count: int) -> tuple[list[str], bool]:
    """Find the places of other lines with as few units, one by one, and whether these are all of them.

    Each is proved to hold.
    """
    units, plans, also = found.units, PlanFormula(found.wanted, RULES), list[str]()
    assert units is not None
    formula = plans.formula
    formula.require(-formula.at_least(units + 1, plans.occupied.values()))
    plans.forbid_line(found.lines[0].board.unit_at)
    with Solver(name=SOLVER, bootstrap_with=[list(clause) for clause in make_clauses(formula).clauses]) as solver:
        while len(also) < count - 1:
            if not solver.solve():
                return sorted(also), True
            values = (literal > 0 for literal in solver.get_model()[: formula.size])
            plan = plans.read_plan(Answer((False, *values), exhausted=True))
            assert examine_line(plan.make_line()).holds
            also.append(" ".join(sorted(plan.standing)))
            plans.forbid_line(plan.standing)
            solver.add_clause(list(formula.clauses[-1]))
    return sorted(also), False


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and its children."""
    return sum(os.times()[:4])


def kept() -> list[Row]:
    """Read the stored answers."""
    return [json.loads(line) for line in KEPT.read_text(encoding="utf-8").splitlines()] if KEPT.exists() else []


def row_of(rows: Sequence[Row], question: Row) -> Row | None:
    """The answer to a question, for however many lines, if it is there."""
    return next((row for row in rows if all(row.get(name) == told for name, told in question.items() if name != "count")), None)


def is_answered(row: Row | None, question: Row) -> bool:
    """Whether nothing is left to be found."""
    return row is not None and row["proved"] and (row["complete"] or row["count"] >= question["count"])


def main(arguments: Sequence[str] | None = None) -> int:
    """Find missing answers, and write the page and the cases."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--anew", action="store_true", help="find everything again")
    parser.add_argument("--page", action="store_true", help="find nothing, only write the page, the cases and the pictures")
    parser.add_argument("--timeout", type=float, metavar="SECONDS", help="after so long a question is put to CaDiCaL")
    chosen = parser.parse_args(arguments)
    if chosen.anew:
        KEPT.unlink(missing_ok=True)
    rows = kept()
    for question in () if chosen.page else questions():
        before = row_of(rows, question)
        if not is_answered(before, question):
            row = answer(question, chosen.timeout, before)
            print(row["goal"], row["units"], f"{row['seconds']} s", file=sys.stderr, flush=True)
            rows = [*(other for other in rows if row_of([other], question) is None), row]
            KEPT.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
            written(rows)
            if row["lines"] and (before is None or row["lines"] != before["lines"]):
                (PICTURES / f"{name_of(row)}.svg").unlink(missing_ok=True)
    written(rows)
    return drawn(rows)


def written(rows: Sequence[Row]) -> None:
    """Write the page and the cases."""
    CASES.write_text(cases(rows), encoding="utf-8")
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8"), rows), encoding="utf-8")


def by_centers(rows: Sequence[Row]) -> list[Row]:
    """Return the answers by number of centres, fewest first."""
    found = (row_of(rows, by_number(number)) for number in CENTERS)
    return [row for row in found if row is not None]


def by_power(rows: Sequence[Row]) -> dict[str, Row]:
    """The answers for what lies around each power."""
    found = {power: row_of(rows, around(power)) for power in load_map().powers}
    return {power: row for power, row in found.items() if row is not None}


def refuting(rows: Sequence[Row]) -> list[Row]:
    """The answers that refute a claim by a line that is nowhere else in the atlas."""
    others = [*by_centers(rows), *by_power(rows).values()]
    found = (row_of(rows, claim.question) for claim in CLAIMS)
    return [row for row in found if row is not None and row["lines"] and row not in others]


def name_of(row: Row) -> str:
    """How the case of a row is called: `fewest-17`, `around-turkey`, or what a claim calls it."""
    powers = {around(power)["goal"]: power for power in load_map().powers}
    if row["goal"] in powers:
        return f"around-{powers[row['goal']].lower()}"
    if re.fullmatch(r"centers=\d+", row["goal"]):
        return f"fewest-{row['goal'].partition('=')[2]}"
    return next(claim.case for claim in CLAIMS if row_of([row], claim.question) is not None)


def atlas(rows: Sequence[Row]) -> dict[str, Row]:
    """Every line that is a case, by name."""
    found = [*by_centers(rows), *by_power(rows).values(), *refuting(rows)]
    return {name_of(row): row for row in found if row["lines"]}


def cases(rows: Sequence[Row]) -> str:
    """The first line for each number of centres, around each power, and for each claim, as a case."""
    head = (
        "# The fewest units that stand still and protect just so many supply centres of the standard map, or all but the home\n"
        "# centres of a power, and lines that refute claims: found and proved by "
        "benchmarks/studies/lines_atlas.py (docs/papers/lines.md).\n"
        "# Other lines may have as few units.\n"
    )
    found = []
    for name, row in atlas(rows).items():
        sheet = re.sub(r"^case [^:]*(: .*)", rf"case {name}\1\n{SOURCE}", row["sheets"][0], count=1, flags=re.MULTILINE)
        found.append(sheet)
    return "\n".join([head, *found])


def drawn(rows: Sequence[Row]) -> int:
    """A picture of each line that has none; the exit status of what failed, else 0."""
    PICTURES.mkdir(exist_ok=True)
    for name in atlas(rows):
        file = PICTURES / f"{name}.svg"
        if not file.exists() and (code := run(["render", str(CASES), "--case", name, "--width", "600", "-o", str(file)])):
            return code
    return 0


def table(rows: Sequence[Row]) -> str:
    """Each number of centres with the fewest units."""
    told = ["| centres | fewest units that stand still | lines | a line | CPU s |", "|---|---|---|---|---|"]
    for row in by_centers(rows):
        number = row["goal"].partition("=")[2]
        told.append(f"| {number} | {units_of(row)} | {lines_of(row)} | {orders_of(row)} | {took(row)} |")
    return "\n".join(told) + "\n"


def units_of(row: Row) -> str:
    """How few units do it, as far as is known."""
    if row["units"] is None:
        return "–" if row["proved"] else "open"
    return str(row["units"]) if row["proved"] else f"at most {row['units']}"


def took(row: Row) -> str:
    """The CPU time that the answer took."""
    return f"{row['seconds']}" if row["solver"] == "CP-SAT" else f"{row['seconds']}, {row['solver']}"


def lines_of(row: Row) -> str:
    """How many lines have so few units."""
    if not row["lines"]:
        return ""
    number = 1 + len(row.get("also", ()))
    return f"{number}, all" if row["complete"] else f"{number} or more"


def orders_of(row: Row) -> str:
    """The first line, with its picture."""
    if not row["lines"]:
        return "none holds exactly this many" if row["proved"] else "none found"
    return f"[picture](../pictures/lines/{name_of(row)}.svg): {'; '.join(row['lines'][0]['orders'])}"


def table_around(rows: Sequence[Row]) -> str:
    """Each power with the fewest units around it."""
    told = ["| all but the home centres of | fewest units that stand still | lines | a line | CPU s |", "|---|---|---|---|---|"]
    for power, row in by_power(rows).items():
        told.append(f"| {power.capitalize()} | {units_of(row)} | {lines_of(row)} | {orders_of(row)} | {took(row)} |")
    return "\n".join(told) + "\n"


def table_of_claims(rows: Sequence[Row]) -> str:
    """Each claim with what became of it, and the command that asks."""
    told = ["| claim | answer | command | CPU s |", "|---|---|---|---|"]
    for claim in CLAIMS:
        row = row_of(rows, claim.question)
        if row is not None:
            told.append(f"| {claim.text} | {claim.settled(row)} | `{command(row)}` | {took(row)} |")
    return "\n".join(told) + "\n"


def command(question: Row) -> str:
    """What asks for the answer in a row."""
    without = "".join(f' --without "{units}"' for units in question["without"])
    without += f' --out "{question["out"]}"' if question.get("out") else ""
    count = " --all" if question["count"] > 1 else ""
    feeds, pockets = " --feeds" if question["feeds"] else "", "" if question["pockets"] else " --no-pockets"
    second = " --timeout 60 --second-opinion" if question["solver"] == "CaDiCaL" else ""
    return f'satjudge lines "{question["goal"]}"{without}{feeds}{pockets}{count}{second}'


def places_of(line: Mapping[str, Any]) -> str:
    """The provinces in which its units stand."""
    return " ".join(sorted(re.split(r"[ /]", order)[1] for order in line["orders"]))


def filled(text: str, rows: Sequence[Row]) -> str:
    """Return the page with its marked blocks rewritten."""
    blocks = {
        "centers": table(rows),
        "around": table_around(rows),
        "claims": table_of_claims(rows),
    }
    return BLOCK.sub(lambda block: block[1] + blocks.get(block["name"], block["rest"]), text)


if __name__ == "__main__":
    sys.exit(main())
