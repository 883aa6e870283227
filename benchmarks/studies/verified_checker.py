"""Puts formulas and their LRAT proofs to a formally verified checker, for docs/papers/certificates.md.

The checker is `projects/sat/lrat/incremental` in the books of ACL2 (Heule, Hunt, Kaufmann and Wetzler, ITP 2017): ACL2 has
proved that no formula it accepts is satisfiable. On Debian: `apt-get install acl2 acl2-books acl2-books-certs` (3.5 GB; the
certificates say that the proofs in the books were checked). A FILE is a certificate, a bundle of them, or a formula
FILE.cnf, whose proof is FILE.lrat next to it.

The proof is rewritten in the checker's binary notation, which can do no harm: one that came out wrong is refused. Clauses that
always hold, since they have a literal and its opposite, are left out of the formula, because the checker takes none, and the
others numbered anew. The checker writes out the formula that it verified, and this is compared with what is left of FILE.cnf
clause by clause, so that its reader is not trusted either.

A log has one line of JSON for each formula, with the beginning of the SHA-256 of it and of its proof; `--resume` leaves out
those that it has. docs/certificates/verified.jsonl is the log of the certificates that `certify.py` makes.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from satjudge.base.errors import InputError
from satjudge.proofs.verify.certificate import iter_certificates
from satjudge.proofs.verify.lrat import iter_lines, read_formula
from satjudge.proofs.verify.verifier import iter_formula_texts

_BOOK = """(include-book "projects/sat/lrat/incremental/run" :dir :system)
"""
_CHECK = """(mv-let (erp formula state)
  (lrat::proved-formula "{plain}" "{binary}" 1000000 nil nil 'verified-checker state)
  (declare (ignore erp))
  (if formula (lrat::print-formula formula :filename "{verified}" :header-p nil) (value nil)))
"""
"""ACL2's theorem `lrat::soundness`: if `proved-formula` returns a formula, nothing satisfies it."""
_AT_ONCE = 50
"""Proofs for one process, which takes 2 seconds to start."""


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--log", type=click.Path(dir_okay=False, path_type=Path), help="Where lines of JSON are added.")
@click.option("--resume", is_flag=True, help="Leave out what the log has, with the same two files.")
def main(files: tuple[Path, ...], log: Path | None, resume: bool) -> None:
    """Exits with 1 if a proof is not verified."""
    with TemporaryDirectory(prefix="satjudge-") as folder:
        formulas = dict(_formulas(files, Path(folder)))
        known = _check(formulas, log, resume=resume)
    verified = sum(not row.get("problem") for row in known)
    print(f"{verified} of {len(formulas)} verified")
    sys.exit(verified < len(formulas))


def _formulas(files: Iterable[Path], folder: Path) -> Iterator[tuple[Path, str]]:
    """Yield every formula, as a file next to its proof, with its name; certificates are unpacked to a folder."""
    for file in files:
        if file.suffix != ".zip":
            yield file, file.stem
            continue
        for package in iter_certificates(file):
            for step, text in iter_formula_texts(package):
                name = "/".join((file.stem, package.path.stem, Path(step.formula.name).stem))
                place = folder / f"{hashlib.sha256(name.encode()).hexdigest()}.cnf"
                place.write_text(text, encoding="ascii")
                place.with_suffix(".lrat").write_text(package.read_text(step.proof), encoding="ascii")
                yield place, name


def _check(formulas: Mapping[Path, str], log: Path | None, *, resume: bool) -> list[dict[str, Any]]:
    """The line of the log for each formula."""
    told = log.read_text(encoding="utf-8") if log and resume and log.exists() else ""
    kept: list[dict[str, Any]] = [*map(json.loads, told.splitlines())]
    rows = {(row["cnf"], row["lrat"]): row for row in kept}
    digests = {formula: (_digest(formula), _digest(formula.with_suffix(".lrat"))) for formula in formulas}
    left = [formula for formula in formulas if digests[formula] not in rows]
    print(f"{len(formulas) - len(left)} of {len(formulas)} formulas are known from the log", flush=True)
    for first in range(0, len(left), _AT_ONCE):
        some = left[first : first + _AT_ONCE]
        for formula, problem in zip(some, problems(some), strict=True):
            cnf, lrat = digests[formula]
            rows[cnf, lrat] = row = {"name": formulas[formula], "cnf": cnf, "lrat": lrat, "problem": problem}
            if problem:
                print(f"{formulas[formula]}: {problem}", flush=True)
            if log:
                with log.open("a", encoding="utf-8") as lines:
                    lines.write(json.dumps(row) + "\n")
        print(f"{first + len(some)} of {len(left)} put to the checker", flush=True)
    found = [{**rows[digests[formula]], "name": name} for formula, name in formulas.items()]
    if log:  # one line for each formula, as it is now
        current = {row["name"]: row for row in (*kept, *found)}
        log.write_text("".join(json.dumps(row) + "\n" for row in current.values()), encoding="utf-8")
    return found


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()[:16]


def problems(formulas: Sequence[Path]) -> list[str]:
    """Why ACL2's checker does not verify the proof of each formula; empty where it does."""
    with TemporaryDirectory(prefix="satjudge-") as folder:
        tasks = [_Task(formula, Path(folder, str(number))) for number, formula in enumerate(formulas)]
        script = _BOOK + "".join(task.script for task in tasks)
        done = subprocess.run(["acl2"], input=script, capture_output=True, text=True, check=False)
        if "Uncertified" in done.stdout or "Warnings:" in done.stdout:
            sys.exit("the checker's books are not certified: apt-get install acl2-books acl2-books-certs")
        return [task.result() for task in tasks]


class _Task:
    """A formula with its proof, written for the checker into files that begin with `place`."""

    def __init__(self, formula: Path, place: Path) -> None:
        self.script = self.problem = ""
        self.rows: list[str] = []
        self.verified = place.with_suffix(".verified")
        plain, binary = place.with_suffix(".cnf"), place.with_suffix(".clrat")
        try:
            with formula.open(encoding="ascii", errors="replace") as lines:
                size, clauses = read_formula(iter_lines(lines))
            kept = [number for number, clause in enumerate(clauses, 1) if not any(-literal in clause for literal in clause)]
            self.rows = [" ".join(map(str, (*dict.fromkeys(clauses[number - 1]), 0))) for number in kept]
            plain.write_text("\n".join((f"p cnf {size} {len(self.rows)}", *self.rows, "")), encoding="ascii")
            numbers = {0: 0, **{old: new for new, old in enumerate(kept, 1)}}
            with formula.with_suffix(".lrat").open(encoding="ascii", errors="replace") as lines:
                binary.write_bytes(b"".join(compressed(lines, numbers, len(clauses))))
        except (InputError, ValueError, KeyError) as error:
            self.problem = f"cannot be rewritten: {type(error).__name__} {error}"
        else:
            self.script = _CHECK.format(plain=plain, binary=binary, verified=self.verified)

    def result(self) -> str:
        """Why the proof is not verified, after the checker has run."""
        if self.problem or not self.verified.exists():
            return self.problem or "refused by the checker"
        verified = self.verified.read_text(encoding="ascii").split("\n")
        return "" if [row for row in verified if row] == self.rows else "what was verified is another formula"


def compressed(lines: Iterable[str], numbers: Mapping[int, int], clauses: int) -> Iterator[bytes]:
    """The steps in the notation of `lrat-compress` (github.com/marijnheule/drat-trim): a letter, and numbers of 7 bits a byte.

    `numbers` are the new ones of the clauses that are left of so many. Raises `ValueError` for what is not a step, and
    `KeyError` for one with a clause that is not left.
    """
    fewer = clauses + 1 - len(numbers)

    def renumbered(number: int) -> int:
        return number - fewer if number > clauses else numbers[number]

    for line in lines:
        first, deletes, deleted = line.partition(" d ")
        if deletes:
            yield b"d" + _packed(map(renumbered, map(int, deleted.split())))
        else:
            number, *rest = map(int, first.split())
            if rest.count(0) != 2 or rest[-1]:
                raise ValueError(f"not a step of a proof: {line[:60]!r}")
            end = rest.index(0) + 1
            literals = sorted(rest[: end - 1], key=abs)  # in this order the checker takes them
            yield b"a" + _packed((renumbered(number), *literals, 0, *map(renumbered, rest[end:])))


def _packed(numbers: Iterable[int]) -> bytes:
    packed = bytearray()
    for number in numbers:
        rest = 2 * abs(number) + (number < 0)
        while rest > 127:
            packed.append(rest & 127 | 128)
            rest >>= 7
        packed.append(rest)
    return bytes(packed)


if __name__ == "__main__":
    main()
