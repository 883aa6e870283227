"""Makes the part `clauses` of the kit: for each broken clause of the statement the smallest position that tells it apart.

    python benchmarks/conformance_kit.py [--seconds 60] [--anew]

It writes datc_cases/kit/clauses.jsonl, and reached.json, which says what the DATC and the kit tell apart. After so many seconds
it ends and goes on where it was when it is run again; --anew forgets what was found.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import TimeoutError as TooSlow
from multiprocessing import get_context
from pathlib import Path
from time import monotonic
from typing import TypeVar

from satjudge.conformance.kit import merged, reached
from satjudge.conformance.mutations import MUTATIONS, broken
from satjudge.conformance.questions import Question, read_question
from satjudge.conformance.witnesses import (
    COLLECTIONS,
    Answer,
    Answers,
    all_by_statement,
    by_statement,
    trials,
    witness,
)
from satjudge.resources import data_directory, write_atomically

FOLDER = data_directory() / "datc_cases" / "kit"
CLAUSES, REACHED = FOLDER / "clauses.jsonl", FOLDER / "reached.json"
BEGUN, TOLD = FOLDER / "clauses.begun", FOLDER / "clauses.told"
"""What was found so far."""
T = TypeVar("T")
PATIENCE = 60.0
"""Seconds for answers by a broken statement."""
AllAnswers = Callable[[Sequence[Question]], list[Answer]]


def main() -> None:
    arguments = ArgumentParser(description=__doc__)
    arguments.add_argument("--seconds", type=float, default=1e9)
    arguments.add_argument("--anew", action="store_true")
    chosen = arguments.parse_args()
    until = monotonic() + chosen.seconds
    if chosen.anew:
        BEGUN.unlink(missing_ok=True)
        TOLD.unlink(missing_ok=True)
    questions = {name: list(trials(name)) for name in COLLECTIONS}
    whole: dict[str, list[Answer]] = {}

    def found(name: str) -> tuple[list[str], str]:
        whole.update({} if whole else {collection: all_by_statement(asked) for collection, asked in questions.items()})
        return _found(name, questions, whole)

    witnesses = _each(BEGUN, found, until)
    kit = merged(read_question(line.encode()) for _, line in witnesses.values() if line)
    answers = all_by_statement(kit)
    _write(kit, witnesses, _each(TOLD, lambda name: _telling(name, kit, answers), until))


def _each(kept: Path, make: Callable[[str], T], until: float) -> dict[str, T]:
    """What is made of each mutation; what was made before is kept in a file. Exits when the time is over."""
    lines = kept.read_text(encoding="utf-8").splitlines() if kept.exists() else []
    made: dict[str, T] = {name: value for name, value in map(json.loads, lines) if name in MUTATIONS}
    for name in MUTATIONS:
        if name not in made:
            if monotonic() > until:
                sys.exit(f"{kept.name}: {len(made)} of {len(MUTATIONS)} mutations; run it again to go on")
            made[name] = make(name)
            with kept.open("a", encoding="utf-8") as file:
                file.write(json.dumps([name, made[name]]) + "\n")
    return {name: made[name] for name in MUTATIONS}


def _found(name: str, questions: dict[str, list[Question]], whole: dict[str, list[Answer]]) -> tuple[list[str], str]:
    differing: dict[str, list[Question]] = {}
    with _broken_statement(name) as (answers, all_answers):
        for collection, asked in questions.items():
            said = zip(asked, whole[collection], all_answers(asked), strict=True)
            differing[collection] = [question for question, mine, theirs in said if mine != theirs]
            if any(question.usual for question in differing[collection]):
                break  # none that another collection has could be better
        best = witness([one for found in differing.values() for one in found], by_statement, answers)
    told = [" ".join((one.name, one.rules, *one.settings)) for one in differing["datc-3.2"]]
    print(f"{name}: {len(told)} of the DATC; {best.name if best else 'none'}", flush=True)
    return told, best.answered.decode() if best else ""


@contextmanager
def _broken_statement(name: str) -> Iterator[tuple[Answers, AllAnswers]]:
    """Who answers a question, or all of some, by the statement with that change in it: a process of its own."""
    context = get_context("fork")
    pool = context.Pool(1, _break, (name,))

    def all_answers(asked: Sequence[Question]) -> list[Answer]:
        nonlocal pool
        try:
            return pool.apply_async(all_by_statement, (asked,)).get(PATIENCE)
        except TooSlow:
            pool.terminate()
            pool = context.Pool(1, _break, (name,))
            if len(asked) == 1:
                return [{"error": "TooSlow"}]
            return [answer for question in asked for answer in all_answers([question])]

    try:
        yield lambda question: all_answers([question])[0], all_answers
    finally:
        pool.terminate()


def _break(name: str) -> None:
    _kept.append(changed := broken(name))
    changed.__enter__()


_kept: list[object] = []
"""What would restore the statement if it were collected."""


def _telling(name: str, kit: list[Question], whole: list[Answer]) -> list[int]:
    """The numbers of the questions that tell a mutation."""
    with _broken_statement(name) as (_, all_answers):
        return [number for number, answer in enumerate(all_answers(kit)) if answer != whole[number]]


def _write(kit: list[Question], witnesses: dict[str, tuple[list[str], str]], told: dict[str, list[int]]) -> None:
    for name, numbers in told.items():
        for number in numbers:
            kit[number] = kit[number].telling(name)
    write_atomically(CLAUSES, b"".join(question.answered + b"\n" for question in kit))
    summary = reached({name: datc for name, (datc, _) in witnesses.items()}, kit)
    write_atomically(REACHED, (json.dumps(summary, indent=1) + "\n").encode())


if __name__ == "__main__":
    main()
