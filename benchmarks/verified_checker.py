"""Formulas and their LRAT proofs, put to a formally verified checker: `python benchmarks/verified_checker.py FILE.cnf…`.

The checker is `projects/sat/lrat/incremental` in the books of ACL2 (Heule, Hunt, Kaufmann and Wetzler, ITP 2017): ACL2 has
proved that no formula it accepts is satisfiable. On Debian: `apt-get install acl2 acl2-books acl2-books-certs` (3.5 GB; the
certificates say that the proofs in the books were checked). The proof of each FILE.cnf is FILE.lrat beside it.

The proof is rewritten in the checker's binary notation, which can do no harm: one that came out wrong is refused. Clauses that
always hold, since they have a literal and its opposite, are left out of the formula, because the checker takes none, and the
others numbered anew. The checker writes out the formula that it verified, and this is compared with what is left of FILE.cnf
clause by clause, so that its reader is not trusted either.

A log has one line of JSON for each formula, with the SHA-256 of both files; `--resume` leaves out those that it has.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import click

from satjudge.errors import InputError
from satjudge.verify.lrat import lines_of, read_formula

_SCRIPT = """(include-book "projects/sat/lrat/incremental/run" :dir :system)
(lrat::lrat-check "{formula}" "{proof}")
"""


@click.command()
@click.argument("formulas", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--log", type=click.Path(dir_okay=False, path_type=Path), help="Where lines of JSON are added.")
@click.option("--resume", is_flag=True, help="Leave out what the log has, with the same two files.")
def main(formulas: tuple[Path, ...], log: Path | None, resume: bool) -> None:
    """Exits with 1 if a proof is not verified."""
    known = {(row["cnf"], row["lrat"]): row for row in map(json.loads, log.open())} if log and resume and log.exists() else {}
    refused = 0
    for formula in formulas:
        digests = [hashlib.sha256(file.read_bytes()).hexdigest() for file in (formula, formula.with_suffix(".lrat"))]
        row = known.get((digests[0], digests[1]))
        if row is None:
            began = perf_counter()
            problem = verify(formula, formula.with_suffix(".lrat"))
            row = {"name": formula.stem, "cnf": digests[0], "lrat": digests[1], "verified": not problem, "problem": problem}
            row["seconds"] = round(perf_counter() - began, 1)
            if log:
                with log.open("a", encoding="utf-8") as lines:
                    lines.write(json.dumps(row) + "\n")
        refused += not row["verified"]
        print(
            f"{formula}: {'verified' if row['verified'] else 'NOT VERIFIED: ' + row['problem']} ({row['seconds']} s)",
            flush=True,
        )
    sys.exit(refused > 0)


def verify(formula: Path, proof: Path) -> str:
    """Why ACL2's checker does not verify a proof; empty if it does."""
    try:
        with formula.open(encoding="ascii", errors="replace") as lines:
            size, clauses = read_formula(lines_of(lines))
    except InputError as error:
        return f"{formula.name}: {error}"
    with TemporaryDirectory(prefix="satjudge-") as folder:
        plain, binary, printed = (Path(folder, name) for name in ("formula.cnf", "proof.clrat", "verified.cnf"))
        kept = [number for number, clause in enumerate(clauses, 1) if not any(-literal in clause for literal in clause)]
        rows = [" ".join(map(str, (*dict.fromkeys(clauses[number - 1]), 0))) for number in kept]
        numbers = {0: 0, **{old: new for new, old in enumerate(kept, 1)}}
        plain.write_text("\n".join((f"p cnf {size} {len(rows)}", *rows, "")), encoding="ascii")
        try:
            with proof.open(encoding="ascii", errors="replace") as lines:
                binary.write_bytes(b"".join(compressed(lines, numbers, len(clauses))))
        except (ValueError, KeyError) as error:
            return f"{proof.name}: {type(error).__name__} {error}"
        done = subprocess.run(
            ["acl2"],
            input=_SCRIPT.format(formula=plain, proof=binary),
            env={**os.environ, "LRAT_PRINT_FORMULA": str(printed)},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if "Uncertified" in done.stdout or "Warnings:" in done.stdout:
            return "the checker's books are not certified: apt-get install acl2-books acl2-books-certs"
        if done.returncode or "\ns VERIFIED\n" not in done.stdout or "s FAILED" in done.stdout:
            return f"exit {done.returncode}: {' '.join(_told(done.stdout))[:400]}"
        verified = printed.read_text(encoding="ascii").split("\n")
        return "" if [row for row in verified if row] == rows else "what was verified is another formula"


def _told(output: str) -> Iterator[str]:
    """What the checker says of its own, without the banner of ACL2."""
    after = output.partition("ACL2 !>")[2]
    yield from (
        line.strip() for line in after.splitlines() if re.search("error|fail|ABORT|Unable|FAILED|exceed", line, re.IGNORECASE)
    )


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
