"""Finds the lines of docs/lines.md: the fewest units for every number of centres, and what decides claims of the literature.

    python benchmarks/lines_atlas.py            # what is missing is found (minutes each), the page and the cases written
    python benchmarks/lines_atlas.py --anew     # all is found again
    python benchmarks/lines_atlas.py --page     # nothing more is found: only the page and the cases are written

Each answer is kept in docs/lines/atlas.jsonl as soon as it is there, so a run that was ended goes on from there.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from time import process_time
from typing import Any

from satjudge.documents.lines import LinesDocument, line_sheets
from satjudge.geography import load_map
from satjudge.research.line_search import Found, fewest, wanted_from
from satjudge.rules import load_rulebook

ROOT = Path(__file__).parents[1]
PAGE, KEPT, CASES = (
    ROOT / "docs" / "lines.md",
    ROOT / "docs" / "lines" / "atlas.jsonl",
    ROOT / "datc_cases" / "lines" / "fewest.txt",
)
BLOCK = re.compile(r"(<!-- found: (?P<name>[a-z-]+) -->\n).*?(?=<!-- end -->)", re.DOTALL)
ENGLAND, TURKEY = ("EDI", "LON", "LVP"), ("ANK", "CON", "SMY")
SOUTHERN_FLEETS = ("F LYO, F WES, F TYS, F TUN, F ION, F ADR, F AEG, F EAS, F BLA",)
CENTERS = range(1, 34)
HARDEST = 24
"""The number of centres that takes longest."""
SOURCE = "source: found by benchmarks/lines_atlas.py"
Row = Mapping[str, Any]


def questions() -> Iterator[dict[str, Any]]:
    """What is asked: a goal, enemy units that cannot exist, whether the line feeds itself, how many lines are wanted."""
    for number in sorted(CENTERS, key=lambda number: -abs(number - HARDEST)):
        yield asked(f"centers={number}", count=2 if number == 3 else 1)
    for english in ENGLAND:
        for turkish in TURKEY:
            yield asked(f"centers<=17 and outside:{english},{turkish}", feeds=True)
    yield asked("protect:ROM,NAP,VEN and centers<=12", feeds=True)
    yield asked("centers>=1 and centers<=17", without=SOUTHERN_FLEETS, feeds=True)
    yield asked("protect:POR,SPA,TUN,CON,ANK,SMY and centers=6", without=SOUTHERN_FLEETS, feeds=True, count=9)


def asked(goal: str, *, without: Sequence[str] = (), feeds: bool = False, count: int = 1) -> dict[str, Any]:
    """A question as it is kept."""
    least = goal if "centers=" in goal or "protect" in goal or "centers>=" in goal else f"centers>=1 and {goal}"
    return {"goal": least, "without": list(without), "feeds": feeds, "count": count}


def answer(question: Row) -> tuple[Found, Row]:
    """Find the lines; what is kept of them."""
    wanted = wanted_from(question["goal"], load_map(), without=question["without"], feeds=question["feeds"])
    began = process_time()
    found = fewest(wanted, load_rulebook("datc-3"), count=question["count"])
    document = LinesDocument.of(found, question["goal"], 0)
    told = {name: getattr(document, name) for name in ("units", "proved", "complete")}
    lines = [{"orders": line.orders, "centers": line.centers, "behind": line.behind} for line in document.lines]
    sheets = list(line_sheets(found, question["goal"]).values())
    return found, {**question, **told, "seconds": round(process_time() - began, 1), "lines": lines, "sheets": sheets}


def kept() -> list[Row]:
    """What was found before."""
    return [json.loads(line) for line in KEPT.read_text(encoding="utf-8").splitlines()] if KEPT.exists() else []


def row_of(rows: Sequence[Row], question: Row) -> Row | None:
    """The answer to a question, if it is there."""
    return next((row for row in rows if all(row[name] == told for name, told in question.items())), None)


def main(arguments: Sequence[str] | None = None) -> int:
    """Find what is missing, write the page and the cases."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--anew", action="store_true", help="find everything again")
    parser.add_argument("--page", action="store_true", help="find nothing, only write the page and the cases")
    chosen = parser.parse_args(arguments)
    if chosen.anew:
        KEPT.unlink(missing_ok=True)
    rows = kept()
    for question in () if chosen.page else questions():
        if row_of(rows, question) is None:
            _, row = answer(question)
            print(row["goal"], row["units"], f"{row['seconds']} s", file=sys.stderr, flush=True)
            rows.append(row)
            with KEPT.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")
            written(rows)
    written(rows)
    return 0


def written(rows: Sequence[Row]) -> None:
    """Write the page and the cases."""
    CASES.write_text(cases(rows), encoding="utf-8")
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8"), rows), encoding="utf-8")


def by_centers(rows: Sequence[Row]) -> list[Row]:
    """The answers for just so many centres, fewest centres first."""
    found = (row_of(rows, asked(f"centers={number}", count=2 if number == 3 else 1)) for number in CENTERS)
    return [row for row in found if row is not None]


def name_of(row: Row) -> str:
    """How the case of a number of centres is called."""
    return f"fewest-{row['goal'].partition('=')[2]}"


def cases(rows: Sequence[Row]) -> str:
    """The first line for each number of centres, as a case."""
    head = "# The fewest units that protect just so many supply centres of the standard map, found and proved by\n"
    head += "# benchmarks/lines_atlas.py (docs/lines.md). Other lines may have as few units.\n"
    found = []
    for row in by_centers(rows):
        for sheet in row["sheets"][:1]:
            found.append(re.sub(r"^case [^:]*(: .*)", rf"case {name_of(row)}\1\n{SOURCE}", sheet, count=1, flags=re.MULTILINE))
    return "\n".join([head, *found])


def table(rows: Sequence[Row]) -> str:
    """Each number of centres with the fewest units."""
    told = ["| centres | fewest units | a line | CPU s |", "|---|---|---|---|"]
    for row in by_centers(rows):
        number = row["goal"].partition("=")[2]
        orders = "; ".join(row["lines"][0]["orders"]) if row["lines"] else "none can hold just so many"
        units = "–" if row["units"] is None else str(row["units"])
        told.append(f"| {number} | {units if row['proved'] else f'at most {units}'} | {orders} | {row['seconds']} |")
    return "\n".join(told) + "\n"


def filled(text: str, rows: Sequence[Row]) -> str:
    """The page with its marked blocks written anew."""
    blocks = {"centers": table(rows)}
    return BLOCK.sub(lambda block: block[1] + blocks[block["name"]], text)


if __name__ == "__main__":
    sys.exit(main())
