"""Writes proofs in LRAT that clauses cannot all hold, with only the steps that are needed.

CaDiCaL (the extra `proofs`) writes them while it solves; `satjudge.proofs.verify.lrat` checks them.
docs/background/certificates.md says why it is this solver.
"""

from __future__ import annotations

import atexit
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import count, islice
from pathlib import Path
from tempfile import TemporaryDirectory

from satjudge.base.children import Child
from satjudge.base.errors import SatjudgeError
from satjudge.search.formulas.file_formats import Clause
from satjudge.search.second_opinion import check_solver

_PROGRAM = Path(__file__).with_name("cadical_lrat.py")
"""The path of the program, which is not imported here: the solver is an extra."""


class SatisfiableError(SatjudgeError):
    """The error of clauses that can all hold, so that there is nothing to be proved."""


def refutation(size: int, clauses: Sequence[Clause]) -> Iterator[str]:
    """Write the lines of a proof that the clauses, numbered 1, 2, 3 and so on, cannot all hold.

    Raises `InputError` if there is no solver, `SatisfiableError` if the clauses can hold, `SatjudgeError` if the solver fails.
    """
    return trim_proof(len(clauses), written_proof(size, clauses))


def written_proof(size: int, clauses: Sequence[Clause]) -> list[bytes]:
    """Return the lines of the solver's proof, numbered as the solver numbers clauses.

    Raises what `refutation` raises.
    """
    check_solver("a certificate")
    text = "".join(f"{' '.join(map(str, (*clause, 0)))}\n" for clause in clauses)
    with TemporaryDirectory(prefix="satjudge-") as folder:
        proof = Path(folder, "proof.lrat")
        told = _answer(f"p cnf {size} {len(clauses)}\n{text}proof {proof}\n")
        if told != "unsatisfiable":
            raise SatisfiableError("the clauses can all hold, so that nothing can be proved of them")
        return proof.read_bytes().splitlines()


def _answer(question: str) -> str:
    """Ask the solver, and return its answer. Raises `SatjudgeError` if it fails."""
    process = _solver()
    assert process.stdin
    assert process.stdout
    try:
        process.stdin.write(question.encode())
        process.stdin.flush()
        if told := process.stdout.readline():
            return told.decode().strip()
        raise SatjudgeError(f"the solver that writes proofs failed: exit {process.wait()}")
    except BaseException as error:  # what it would say now would answer no question
        stop_solver()
        if isinstance(error, OSError):
            raise SatjudgeError(f"the solver that writes proofs failed: {error}") from None
        raise


@cache
def _solver() -> Child:
    """Start the solver's process, which is asked about one formula after the other."""
    atexit.register(stop_solver)
    return Child([sys.executable, "-P", str(_PROGRAM)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def stop_solver() -> None:
    """Stop the solver's process, if there is one.

    Who asks next gets another one.
    """
    if _solver.cache_info().currsize:
        with _solver() as process:
            process.end()
        _solver.cache_clear()


def trim_proof(clauses: int, proof: Sequence[bytes]) -> Iterator[str]:
    """Keep the steps of a proof that the last one rests on, numbered anew, each deleted once it is not needed.

    The solver numbers what it derives while it reads clauses between these: so the clauses are the first numbers that are
    not those of steps. What is wrong in a proof stays wrong: whoever checks it finds out.
    """
    steps = [line for line in proof if b" d " not in line]
    derived = {int(line.split(maxsplit=1)[0]) for line in steps}
    given = islice((number for number in count(1) if number not in derived), clauses)
    numbers = {number: place for place, number in enumerate(given, 1)}
    kept, last_uses = _needed(steps)
    for new, (old, literals, hints) in enumerate(reversed(kept), clauses + 1):
        numbers[old] = new
        yield " ".join(map(str, (new, *literals, 0, *(numbers[hint] for hint in hints), 0)))
        if forgotten := [numbers.pop(hint) for hint in last_uses[old] if hint in derived]:
            yield f"{new} d {' '.join(map(str, forgotten))} 0"


_Step = tuple[int, list[int], list[int]]
"""A step: its number, its literals and its hints."""


def _needed(steps: Iterable[bytes]) -> tuple[list[_Step], dict[int, list[int]]]:
    """Find the steps that the last one rests on, from that one back, and the hints that each is the last to use."""
    kept: list[_Step] = []
    last_uses: dict[int, list[int]] = {}
    needed: set[int] = set()
    for line in reversed([*steps]):
        number = int(line.split(maxsplit=1)[0])
        if number in needed or not kept:
            numbers = [*map(int, line.split())]
            end = numbers.index(0)
            hints = numbers[end + 1 : -1]
            last_uses[number] = [hint for hint in dict.fromkeys(hints) if hint not in needed]
            needed.update(hints)
            kept.append((number, numbers[1:end], hints))
    return kept, last_uses
