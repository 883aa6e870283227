"""Plays the same random games with the package `diplomacy` and with satjudge's drop-in, and compares them phase by phase.

    python benchmarks/studies/drop_in.py --games 1000 --years 5
    python benchmarks/studies/drop_in.py --untidy

One program (`drop_in_program.py`) runs twice, in processes of their own. Compared are the lists of possible orders, the orders
that were taken, their results, and where each phase led to; with `--untidy` half of the orders are written with a slip each
(`untidy.py`). A difference without a listed cause is shown, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, TypeAlias

from satjudge.notation.text_around_orders import is_uncertain

Document: TypeAlias = dict[str, Any]
PROGRAM = Path(__file__).with_name("drop_in_program.py")
UNCUT = "an army does not cut a support for the fleet that convoys it in the package: 1982's rule; here it does (5.B.2)"
HELPED = "a support for an attack by convoy on one's own unit counts in the package; here it does not dislodge (5.B.8)"
PATH = "a path over something else than seas is passed over in the package: `A YOR - SPA - EDI` moves; here it is refused"
NAME = "a name that only one of the two knows: `ROMA` here, `NA` in the package"
LETTER = "another letter than B or D is taken in the package's adjustments, and does nothing: `A PAR H`"
FAR_COAST = "a support for a fleet on a coast where it cannot go is taken in the package, if an army gives it"
COASTS = "of two coasts that are named the package takes the first: `F MAO - SPA NC/SC`; here the order is refused"
OPEN = "a word or sign that takes an order back or leaves it open is passed over in the package; here the order is refused"
SIGN = "a sign within a word is cut out in the package with what stands behind it: `A W?AR H`"
RAISED = "a text at which the package raises an error is left out here, or read"
WORDLESS = "what cannot be read in an adjustment phase has the result void, under its first words: not always the same"
VISITED = "a coast on which a fleet retreats stands for its province in influence, in the package"
FOLLOWS = "what follows from a text that was taken otherwise in the same phase"
LEADING = ("units", "centers", "retreats", "phase")
"""The differences after which a game is no longer compared."""
SHOWN = 10


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare as many games as asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--years", type=int, default=5)
    parser.add_argument("--untidy", action="store_true", help="write half of the orders untidily")
    parser.add_argument("--first", type=int, default=0, help="the number of the first game")
    asked = parser.parse_args(arguments)
    found = compared(asked.first, asked.first + asked.games, asked.years, untidy=asked.untidy)
    print(json.dumps(found, indent=2, ensure_ascii=False))
    return 1 if found["unexplained"] else 0


def compared(first: int, last: int, years: int, *, untidy: bool = False) -> Document:
    """Play these games in both, and return the number of equal phases and the differences."""
    causes: Counter[str] = Counter()
    unexplained: list[str] = []
    spent: dict[str, Counter[str]] = {"package": Counter(), "drop-in": Counter()}
    phases, texts, alone = 0, 0, set[str]()
    numbers = [str(number) for number in (first, last, years, int(untidy))]
    both = (groupby(run(by, numbers), lambda line: line["seed"]) for by in ([], ["-m", "satjudge.as_diplomacy"]))
    for (_, theirs), (seed, ours) in zip(*both, strict=True):
        (*of_theirs, last_of_theirs), (*of_ours, last_of_ours) = theirs, ours
        for side, line in (("package", last_of_theirs), ("drop-in", last_of_ours)):
            longest = max(spent[side]["longest"], line["spent"]["longest"])
            spent[side].update(line["spent"])
            spent[side]["longest"] = longest
        alone = alone or set(last_of_theirs["names"]) ^ set(last_of_ours["names"])
        for there, here in zip(of_theirs, of_ours, strict=False):
            phases, texts = phases + 1, texts + len(here["texts"])
            otherwise = list(taken_otherwise(there, here, alone))
            changed = any(not what.endswith("here []") or cause != RAISED for what, cause in otherwise)
            found = [*otherwise, *differences(there, here, FOLLOWS if changed else "")]
            causes.update(cause for _, cause in found if cause)
            unexplained += [f"game {seed}, {here['phase']}: {what}" for what, cause in found if not cause]
            if any(what.startswith(LEADING) for what, _ in found):
                break  # from here on it is another game
    return {
        "games": last - first,
        "phases": phases,
        "untidy texts": texts,
        "explained": dict(causes),
        "unexplained": unexplained[:SHOWN],
        "milliseconds of the processor for a phase": {side: told(of, phases) for side, of in spent.items()},
    }


def run(by: Sequence[str], numbers: Sequence[str]) -> Iterator[Document]:
    """Yield the program's output, with the package or with the drop-in."""
    command = [sys.executable, *by, str(PROGRAM), *numbers]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as program:
        assert program.stdout is not None
        yield from map(json.loads, program.stdout)
    if program.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {program.returncode}")


def told(spent: Counter[str], phases: int) -> dict[str, float]:
    longest = spent.pop("longest")
    each = {part: round(1000 * seconds / max(phases, 1), 3) for part, seconds in spent.items()}
    return each | {"all": round(sum(each.values()), 3), "longest phase": round(1000 * longest, 1)}


def taken_otherwise(theirs: Document, ours: Document, alone: set[str]) -> Iterator[tuple[str, str]]:
    """Yield the untidy texts of which something else was taken, each with the cause that is listed, or with none."""
    for there, here in zip(theirs["texts"], ours["texts"], strict=True):
        if there["taken"] == ["raises"]:
            yield f"{there['text']!r}: an error in the package, here {here['taken']}", RAISED
        elif there["taken"] != here["taken"]:
            told = f"{there['text']!r}: {there['taken']} in the package, here {here['taken']}"
            yield told, cause_of_taking(there["text"], there["taken"], here["taken"], alone, ours["phase"])


def cause_of_taking(text: str, there: list[str], here: list[str], alone: set[str], phase: str) -> str:
    """Find the listed cause for which an untidy text is taken otherwise; none if there is not any."""
    words = text.upper().replace(".", " ").replace(",", " ").split()
    if text.split().count("-") > 1 and there and not here:
        return PATH
    if phase[-1] == "A" and there and there[0].split()[-1] not in ("B", "D"):
        return LETTER
    if there and not here and re.search(r"\b[NSEW]C\b\W+[NSEW]C\b", text):
        return COASTS
    signs = re.search(r"~~|[?]|!(?:=|.*\w)|/|[([] *[])]", text)
    if there and not here and (signs or is_uncertain(" ".join(filter(str.isalpha, words)))):
        return OPEN
    if there and not here and " S " in there[0] and "/" in there[0][-4:]:
        return FAR_COAST
    if re.search(r"\w[?!*,]\w|/.*/", text):
        return SIGN
    return NAME if alone.intersection(words) else ""


def differences(theirs: Document, ours: Document, follows: str = "") -> Iterator[tuple[str, str]]:
    """Yield how a phase differs, each with the cause that is listed, with that from which it may follow, or with none."""
    for key in ("seed", "phase", "possible", "places", "orders"):
        if theirs[key] != ours[key]:
            yield f"{key}: {theirs[key]} in the package, here {ours[key]}", ""
    for power, accepted in theirs["accepted"].items():
        if accepted != ours["accepted"][power]:
            yield f"orders of {power}: {accepted} in the package, here {ours['accepted'][power]}", follows
    helped = HELPED if any(helped_against_itself(order, ours) for of in ours["accepted"].values() for order in of) else ""
    for unit in {**theirs["results"], **ours["results"]}:
        there, here = theirs["results"].get(unit), ours["results"].get(unit)
        if there != here:
            cause = cause_of(unit, there, here, ours) or helped or follows
            yield f"result of {unit}: {there} in the package, here {here}", cause
    for key, value in theirs["after"].items():
        if value != ours["after"][key]:
            visited = VISITED if key == "influence" and "/" in str(value) else ""
            yield f"{key} afterwards: {value} in the package, here {ours['after'][key]}", visited or helped or follows


def cause_of(unit: str, there: list[str] | None, here: list[str] | None, phase: Document) -> str:
    """Find the listed cause of a difference in the words for a unit; none if there is not any."""
    if phase["phase"][-1] == "A" and {*(there or ()), *(here or ())} == {"void"}:
        return WORDLESS
    order = next((one for given in phase["accepted"].values() for one in given if one.startswith(f"{unit} ")), "")
    uncut = " S " in order and there == [] and here == ["cut"]
    return UNCUT if uncut and convoyed_by_whom_it_supports(unit, order, phase) else ""


def convoyed_by_whom_it_supports(unit: str, order: str, phase: Document) -> bool:
    """Return whether an army comes to a unit by a fleet that the unit supports, or against which it supports."""
    convoys = (one for given in phase["accepted"].values() for one in given if " C " in one)
    return any(one.endswith(f" - {unit[2:5]}") and one[2:5] in order for one in convoys)


def helped_against_itself(order: str, phase: Document) -> bool:
    """Return whether an order supports an attack by convoy on a unit of its own power."""
    move = order.partition(" S ")[2]
    moves = {one for given in phase["accepted"].values() for one in given}
    return " - " in move and f"{move} VIA" in moves and own_attacked(order, phase)


def own_attacked(order: str, phase: Document) -> bool:
    """Return whether a support is for an attack on a province in which its own power has a unit."""
    goal = order.rpartition(" - ")[2][:3]
    power = next(power for power, given in phase["accepted"].items() if order in given)
    return any(place[:3] == goal for place in phase["places"][power])


if __name__ == "__main__":
    sys.exit(main())
