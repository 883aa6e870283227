"""Asks a second SAT solver about formulas that CP-SAT found unsatisfiable, and writes its proofs and formulas to files.

The solver is CaDiCaL, from the package `python-sat` (the extra `proofs`). Any DRAT checker can check a DRAT proof against the
DIMACS file of the same name. The proofs that `satjudge verify` reads are written by `satjudge.proofs.certificates`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

import msgspec

from satjudge.base.errors import InputError, SatjudgeError
from satjudge.base.imports import install_line
from satjudge.search.formulas.cadical import SolverProcess, flatten_clauses
from satjudge.search.formulas.clauses import Formula
from satjudge.search.formulas.file_formats import WRITERS, Clauses, make_clauses
from satjudge.search.search import Search

SOLVER = "cadical195"


class RefutationSource(Protocol):
    """A result that depends on questions which are proved to have no answer."""

    @property
    def refuted_questions(self) -> Sequence[tuple[str, Formula]]:
        """The questions that are proved to have no answer, each as a description and its formula."""
        ...


class SecondOpinion(msgspec.Struct, frozen=True):
    """The second solver's answer to one question; `agrees` is true if it finds no answer either."""

    question: str
    variables: int
    clauses: int
    agrees: bool


DratLines = Sequence[str]
"""The lines of a DRAT proof; empty if none was requested."""


def check_solver(purpose: str) -> None:
    """Raise `InputError` if the second solver, CaDiCaL, cannot be imported; the message says that `purpose` needs it."""
    if find_spec("pysat") is None:
        raise InputError(f"{purpose} needs the solver CaDiCaL", suggestion=install_line("pysat"))
    try:
        import pysat.solvers  # noqa: F401
    except Exception as error:  # any error of a broken package
        hint = "pip install --force-reinstall python-sat"
        raise InputError(f"the package pysat cannot be imported: {type(error).__name__}: {error}", suggestion=hint) from error


def iter_second_opinions(result: RefutationSource, *, with_proof: bool = False) -> Iterator[tuple[SecondOpinion, DratLines]]:
    """Yield the second solver's opinion on each refuted question of a result, with its DRAT proof if `with_proof`.

    Raises `InputError` if there is no such solver, `SatjudgeError` if it fails.
    """
    check_solver("a DRAT proof" if with_proof else "a second opinion")
    return (_ask_solver(question, make_clauses(formula), with_proof) for question, formula in result.refuted_questions)


def _ask_solver(question: str, clauses: Clauses, with_proof: bool) -> tuple[SecondOpinion, DratLines]:
    solver = SolverProcess()
    try:
        with TemporaryDirectory(prefix="satjudge-") as folder:
            proof = Path(folder, "proof.drat")
            found = solver.solve(flatten_clauses(clauses.clauses), proof=("drat", proof) if with_proof else None)
            lines = proof.read_text("ascii").splitlines() if with_proof and found is None else []
    except SatjudgeError as error:
        raise SatjudgeError(f"the second solver failed on “{question}”: {error}") from None
    finally:
        solver.end()
    return SecondOpinion(question, clauses.size, len(clauses.clauses), found is None), lines


class Proof(msgspec.Struct, frozen=True):
    """A written proof: the file of its formula, its own file, its size, and its digest."""

    formula: str
    proof: str
    bytes: int
    sha256: str


def write_proofs(result: RefutationSource, proofs: Iterable[DratLines], path: Path) -> list[Proof]:
    """Write each refuted question to `PATH-1.cnf`, its proof to `PATH-1.drat`, and so on; return what was written."""
    written = []
    for number, (proof, (_, formula)) in enumerate(zip(proofs, result.refuted_questions, strict=False), 1):
        files = [path.with_name(f"{path.name}-{number}.{ending}") for ending in ("cnf", "drat")]
        contents = ["\n".join(lines) + "\n" for lines in (make_clauses(formula).iter_lines(), proof)]
        for file, content in zip(files, contents, strict=True):
            file.write_text(content, encoding="ascii")
        digest = hashlib.sha256(contents[1].encode("ascii")).hexdigest()
        written.append(Proof(str(files[0]), str(files[1]), len(contents[1]), digest))
    return written


# ---- the questions of a search as files for other solvers (`satjudge.search.formulas.file_formats`) ----


class WrittenFormula(msgspec.Struct, frozen=True):
    """A question that was written to a file, and its size."""

    file: str
    question: str
    variables: int
    clauses: int
    counts: int


def check_ending(path: Path) -> None:
    """Raise `InputError` unless the file's name has the ending of a known format for formulas."""
    if path.suffix.removeprefix(".") not in WRITERS:
        *most, last = WRITERS
        raise InputError(
            f"{path}: formulas can be written as {', '.join(most)} or {last}", suggestion=f"name the file {path.stem}.cnf"
        )


def write_formulas(search: Search, path: Path) -> Iterator[WrittenFormula]:
    """Write every question of a search to a file (PATH, or PATH-1 and so on) and yield the name and the size of each.

    Raises `InputError` for an unknown ending, `OutOfTime` when the time is up.
    """
    check_ending(path)
    found = list(search.iter_questions())
    for number, (case, question) in enumerate(found, 1):
        file = path if len(found) == 1 else path.with_stem(f"{path.stem}-{number}")
        formula = question.formula
        with file.open("w", encoding="utf-8") as lines:
            lines.writelines(f"{line}\n" for line in WRITERS[path.suffix.removeprefix(".")](formula))
        yield WrittenFormula(str(file), str(case), formula.size, len(formula.clauses), len(formula.counts))
