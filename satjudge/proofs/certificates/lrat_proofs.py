"""Writes LRAT proofs that clauses cannot all hold, without unnecessary steps.

CaDiCaL (the extra `proofs`) writes the proofs while it solves; `satjudge.proofs.verify.lrat` checks them.
docs/background/certificates.md explains the choice of solver.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import count, islice
from pathlib import Path
from tempfile import TemporaryDirectory

from satjudge.base.errors import SatjudgeError
from satjudge.search.formulas.cadical import SolverProcess, flatten_clauses
from satjudge.search.formulas.file_formats import Clause
from satjudge.search.second_opinion import check_solver


class SatisfiableError(SatjudgeError):
    """The error raised for clauses that can all hold, so that there is nothing to prove."""


def iter_refutation(clauses: Sequence[Clause]) -> Iterator[str]:
    """Yield the lines of an LRAT proof that the clauses, numbered from 1, cannot all hold, without unnecessary steps.

    Raises `InputError` if there is no solver, `SatisfiableError` if the clauses can hold, `SatjudgeError` if the solver fails.
    """
    return trim_proof(len(clauses), request_proof(clauses))


def request_proof(clauses: Sequence[Clause]) -> list[bytes]:
    """Return the lines of the LRAT proof, as CaDiCaL writes it, that the clauses cannot all hold.

    Raises the same errors as `iter_refutation`.
    """
    check_solver("a certificate")
    with TemporaryDirectory(prefix="satjudge-") as folder:
        proof = Path(folder, "proof.lrat")
        try:
            found = _start_solver().solve(flatten_clauses(clauses), proof=("lrat", proof))
        except BaseException:  # a late answer would be taken for that to the next question
            stop_solver()
            raise
        if found is not None:
            raise SatisfiableError("the clauses can all be true, so they prove nothing")
        return proof.read_bytes().splitlines()


@cache
def _start_solver() -> SolverProcess:
    """Return the solver process that all proofs share, starting it on first use."""
    return SolverProcess()


def stop_solver() -> None:
    """Stop the shared solver process if it is running.

    The next proof starts a new one.
    """
    if _start_solver.cache_info().currsize:
        _start_solver().end()
        _start_solver.cache_clear()


def trim_proof(clause_count: int, proof: Sequence[bytes]) -> Iterator[str]:
    """Yield the lines of an LRAT proof that its last step depends on, renumbered, with each clause deleted after its last use.

    The solver already derives clauses while it reads the formula's `clause_count` clauses, so these have the first numbers that
    are not those of steps. An error in the proof is kept, so that the checker finds it.
    """
    steps = [line for line in proof if b" d " not in line]
    derived = {int(line.split(maxsplit=1)[0]) for line in steps}
    given = islice((number for number in count(1) if number not in derived), clause_count)
    numbers = {number: place for place, number in enumerate(given, 1)}
    needed_steps, last_uses = _find_needed_steps(steps)
    for new, (old, literals, hints) in enumerate(reversed(needed_steps), clause_count + 1):
        numbers[old] = new
        yield " ".join(map(str, (new, *literals, 0, *(numbers[hint] for hint in hints), 0)))
        if forgotten := [numbers.pop(hint) for hint in last_uses[old] if hint in derived]:
            yield f"{new} d {' '.join(map(str, forgotten))} 0"


_Step = tuple[int, list[int], list[int]]
"""A step: its number, its literals and its hints."""


def _find_needed_steps(steps: Iterable[bytes]) -> tuple[list[_Step], dict[int, list[int]]]:
    """Return the steps that the last step depends on, last first, and by step number the hints last used in that step."""
    needed_steps: list[_Step] = []
    last_uses: dict[int, list[int]] = {}
    needed: set[int] = set()
    for line in reversed([*steps]):
        number = int(line.split(maxsplit=1)[0])
        if number in needed or not needed_steps:
            numbers = [*map(int, line.split())]
            end = numbers.index(0)
            hints = numbers[end + 1 : -1]
            last_uses[number] = [hint for hint in dict.fromkeys(hints) if hint not in needed]
            needed.update(hints)
            needed_steps.append((number, numbers[1:end], hints))
    return needed_steps, last_uses
