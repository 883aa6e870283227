"""Makes the questions of datc_cases/kit about broken rules: for each mutation a small position that detects it.

    python benchmarks/studies/conformance_kit.py [--seconds 60] [--anew] [--part clauses]

It writes the parts that are kept in datc_cases/kit, and reached.json, which says what the DATC and the kit tell apart. After so
many seconds, or where it is interrupted, it ends and goes on where it was when it is run again. --anew forgets what was found
before, unless a run that did so was interrupted; --part makes only that part anew.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, partial
from multiprocessing import TimeoutError as TooSlow
from multiprocessing import get_context
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

import msgspec
from drawn_boards import HOW_MANY, drawn
from mutation_witnesses import (
    COLLECTIONS,
    Answer,
    Answers,
    statement_answer,
    statement_answers,
    trials,
    witness,
)
from small_positions import MOST_UNITS, positions_of

from satjudge.base.resources import data_directory, write_atomically
from satjudge.engines.conformance.mutations import ROOM_OF, ROOMS
from satjudge.engines.conformance.switchable_judge import FaultyJudge, make_faulty_judge
from satjudge.engines.kit.parts import KEPT, KitQuestion, read_question
from satjudge.world.board import Phase
from satjudge.world.rules import DEFAULT_RULES

FOLDER = data_directory() / "datc_cases" / "kit"
REACHED = FOLDER / "reached.json"
BEGUN, TOLD, LEAST = (FOLDER / f"kit.{what}" for what in ("begun", "told", "least"))
"""The results so far."""
UNFINISHED = FOLDER / "kit.unfinished"
"""The file that exists while everything is rebuilt, and after an interruption."""
NAMES = {"clauses": "clause", "legality": "legality", "retreats": "retreat", "adjustments": "adjustment"}
"""What the questions of a part are called."""
PHASES = {"retreats": Phase.RETREAT, "adjustments": Phase.ADJUSTMENT}
T = TypeVar("T")
PATIENCE = 90.0
"""Seconds for answers by broken rules."""
AT_ONCE = 500
"""Positions that are drawn and asked together."""
AllAnswers = Callable[[Sequence[KitQuestion]], list[Answer]]


def main() -> None:
    arguments = ArgumentParser(description=__doc__)
    arguments.add_argument("--seconds", type=float, default=1e9)
    arguments.add_argument("--anew", action="store_true")
    arguments.add_argument("--part", choices=list(KEPT))
    chosen = arguments.parse_args()
    until = monotonic() + chosen.seconds
    if chosen.part or (chosen.anew and not UNFINISHED.exists()):
        _forget([name for name, room in ROOM_OF.items() if chosen.part is None or room in KEPT[chosen.part]])
    if chosen.anew:
        UNFINISHED.touch()
    witnesses = _each(BEGUN, _found, until)
    kit = {
        part: merged_questions(
            (read_question(line.encode()) for name, (_, line) in witnesses.items() if line and ROOM_OF[name] in rooms),
            NAMES[part],
        )
        for part, rooms in KEPT.items()
    }
    every = [question for found in kit.values() for question in found]
    answers = statement_answers(every)
    told = _each(TOLD, lambda name: _telling(name, every, answers), until)
    for name, numbers in told.items():
        for number in numbers:
            every[number] = every[number].with_purpose(name)
    least = _each(LEAST, lambda name: _least(name, every), until)
    every = [replace(one, proved=tuple(name for name in one.tells if _is_least(one, least[name]))) for one in every]
    _write(kit, every, {name: datc for name, (datc, _) in witnesses.items()})
    UNFINISHED.unlink(missing_ok=True)


def merged_questions(questions: Iterable[KitQuestion], name: str) -> list[KitQuestion]:
    """Merge questions, each position under a rulebook once, and name them by number, the smallest first: `name 1`."""
    distinct = {msgspec.json.encode((question.position, question.settings)): question for question in questions}
    ordered = sorted(distinct.values(), key=lambda question: (len(question.board.units), len(question.question_line)))
    return [replace(question, name=f"{name} {number}") for number, question in enumerate(ordered, start=1)]


def mutations_reached(datc: Mapping[str, Sequence[str]], questions: Sequence[KitQuestion]) -> dict[str, Any]:
    """Count the mutations that the DATC detects, by default and by any rulebook it speaks of, and those of the kit.

    `datc` has, for each mutation, the names of the cases that tell it with the rulebooks under which they do.
    """
    kit = {name for question in questions for name in question.tells}
    usually = {name for question in questions if question.is_usual for name in question.tells}
    usual = [name for name, told in datc.items() if any(one.split()[1:] == [DEFAULT_RULES] for one in told)]
    return {
        "mutations": len(datc),
        "datc under datc-3": len(usual),
        "kit under datc-3": sum(name in usually for name in datc),
        "datc under any rulebook": sum(bool(told) for told in datc.values()),
        "kit": sum(name in kit for name in datc),
        "only the kit under datc-3": [name for name in datc if name in usually and name not in usual],
        "only the kit": [name for name, told in datc.items() if name in kit and not told],
        "none": [name for name in datc if name not in kit],
    }


def _forget(names: Sequence[str]) -> None:
    """Forget the questions that were found for these mutations, and what was found of all questions together."""
    kept = BEGUN.read_text(encoding="utf-8").splitlines(keepends=True) if BEGUN.exists() else []
    BEGUN.write_text("".join(line for line in kept if json.loads(line)[0] not in names), encoding="utf-8")
    TOLD.unlink(missing_ok=True)
    LEAST.unlink(missing_ok=True)


def _each(kept: Path, make: Callable[[str], T], until: float) -> dict[str, T]:
    """What is made of each mutation; what was made before is kept in a file. Exits when the time is over."""
    lines = kept.read_text(encoding="utf-8").splitlines() if kept.exists() else []
    made: dict[str, T] = {name: value for name, value in map(json.loads, lines) if name in ROOM_OF}
    for name in ROOM_OF:
        if name not in made:
            if monotonic() > until:
                sys.exit(f"{kept.name}: {len(made)} of {len(ROOM_OF)} mutations; run it again to go on")
            began = monotonic()
            made[name] = make(name)
            print(f"{kept.name}: {len(made)} of {len(ROOM_OF)}, {name}: {monotonic() - began:.1f} s", flush=True)
            with kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps([name, made[name]]) + "\n")
    return {name: made[name] for name in ROOM_OF}


@cache
def _asked(collection: str, phase: Phase) -> tuple[list[KitQuestion], list[Answer]]:
    """The questions of a collection, and what the whole rules answer."""
    asked = list(trials(collection, phase))
    return asked, statement_answers(asked)


@cache
def _drawn(room: str, first: int) -> tuple[list[KitQuestion], list[Answer]]:
    asked = list(drawn(room, range(first, first + AT_ONCE)))
    return asked, statement_answers(asked)


def _sources(room: str) -> Iterator[tuple[str, Callable[[], tuple[list[KitQuestion], list[Answer]]]]]:
    """Where questions come from that may tell mutations of a room: the collections, then what is drawn, some at a time."""
    for collection in COLLECTIONS:
        yield collection, partial(_asked, collection, PHASES.get(room, Phase.MOVEMENT))
    for first in range(0, HOW_MANY.get(room, 0), AT_ONCE):
        yield f"drawn from {first}", partial(_drawn, room, first)


def _found(name: str) -> tuple[list[str], str]:
    """Return the cases of the DATC that detect a mutation, and the line of the smallest question that does."""
    room = ROOM_OF[name]
    found: list[KitQuestion] = []
    datc: list[str] = []
    _asked("datc-3.2", PHASES.get(room, Phase.MOVEMENT))  # before the process begins that is to know them
    with _broken_rules(name) as (answers, all_answers):
        for source, made in _sources(room):
            if source == "drawn from 0" and found and not any(question.board.map.is_standard for question in found):
                break  # positions that depend on rules of a map are not drawn
            asked, whole = made()
            said = zip(asked, whole, all_answers(asked), strict=True)
            differing = [question for question, mine, theirs in said if mine != theirs]
            if source == "datc-3.2":
                datc = [" ".join((one.name, one.rules, *one.settings)) for one in differing]
            found += differing
            if any(question.is_usual for question in differing):
                break  # none that another collection has could be better
        best = witness(found, statement_answer, answers)
    print(f"{name}: {len(datc)} of the DATC; {best.name if best else 'none'}", flush=True)
    return datc, best.answered_line.decode() if best else ""


@contextmanager
def _broken_rules(name: str) -> Iterator[tuple[Answers, AllAnswers]]:
    """Who answers a question, or all of some, by rules with that change in them: a process of its own."""
    context = get_context("fork")
    pool = context.Pool(1)

    def all_answers(asked: Sequence[KitQuestion]) -> list[Answer]:
        nonlocal pool
        try:
            return pool.apply_async(_said, (name, asked)).get(PATIENCE)
        except TooSlow:
            pool.terminate()
            pool = context.Pool(1)
            if len(asked) == 1:
                return [{"error": "TooSlow"}]
            return [answer for question in asked for answer in all_answers([question])]

    try:
        yield lambda question: all_answers([question])[0], all_answers
    finally:
        pool.terminate()


def _said(name: str, asked: Sequence[KitQuestion]) -> list[Answer]:
    """What a mutant of that process says."""
    return [statement_answer(question, _faulty(name).judge_read) for question in asked]


@cache
def _faulty(name: str) -> FaultyJudge:
    return make_faulty_judge([name])


def _telling(name: str, kit: list[KitQuestion], whole: list[Answer]) -> list[int]:
    """Return the numbers of the questions that detect a mutation. Only legality is tested in phases of all kinds."""
    room = ROOM_OF[name]
    phases = list(Phase) if room == "legality" else [PHASES.get(room, Phase.MOVEMENT)]
    numbers = [number for number, question in enumerate(kit) if question.board.phase in phases]
    with _broken_rules(name) as (_, all_answers):
        answers = all_answers([kit[number] for number in numbers])
    return [number for number, answer in zip(numbers, answers, strict=True) if answer != whole[number]]


@cache
def _positions(units: int) -> tuple[list[KitQuestion], list[Answer]]:
    asked = positions_of(units)
    return asked, statement_answers(asked)


def _least(name: str, every: Sequence[KitQuestion]) -> int:
    """Return the fewest units that detect a clause under the default rulebook.

    0 if that is not known: of rules that are neither equations nor backup rules, and where the smallest question has so many
    units that no search ends there.
    """
    sizes = [len(question.board.units) for question in every if question.is_usual and name in question.tells]
    smallest = min(sizes, default=0)
    if ROOM_OF[name] not in ("equations", "backup") or smallest > MOST_UNITS + 1:
        return 0
    with _broken_rules(name) as (_, all_answers):
        for units in range(1, smallest):
            asked, whole = _positions(units)
            if all_answers(asked) != whole:
                print(f"{name}: {units} units do, not {smallest}", flush=True)
                return units
    return smallest


def _is_least(question: KitQuestion, least: int) -> bool:
    """Return whether a question has the fewest units that detect a clause."""
    return question.is_usual and len(question.board.units) == least


def _write(kit: dict[str, list[KitQuestion]], every: Sequence[KitQuestion], datc: dict[str, list[str]]) -> None:
    telling = iter(every)
    for part, found in kit.items():
        lines = b"".join(next(telling).answered_line + b"\n" for _ in found)
        write_atomically(FOLDER / f"{part}.jsonl", lines)
    summary = {
        room: mutations_reached({name: datc[name] for name in stated.mutations}, every) for room, stated in ROOMS.items()
    }
    write_atomically(REACHED, (json.dumps(summary, indent=1) + "\n").encode())


if __name__ == "__main__":
    main()
