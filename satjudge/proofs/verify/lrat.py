"""Checks proofs that clauses cannot all hold, in the format LRAT (Cruz-Filipe and others, CADE 2017).

    python -m satjudge.proofs.verify.lrat FORMULA.cnf PROOF.lrat [MEGABYTES]

A proof is text with one step on a line:

    ID LITERAL… 0 HINT… 0     a clause that follows from earlier ones, with the reasons
    ID d HINT… 0              clauses that are deleted

Hints are numbers of clauses; those of the formula are 1, 2, 3 and so on. A clause follows if its literals cannot all be false
(*reverse unit propagation*). Suppose that they are. Then in every hint but the last all literals but one are false, so that
this one is true and its opposite false; and all literals of the last hint are false, a contradiction. The proof is complete
once it derives the empty clause: nothing satisfies the formula.

LRAT also has RAT steps, which preserve satisfiability but do not follow. Proofs by satjudge have none, and they are refused.
This module needs only Python and its error class.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, ClassVar

from satjudge.base.errors import InputError
from satjudge.base.words import number_of


class ProofError(InputError):
    """The error of a proof that does not show its claim, or of an unreadable formula; `line` counts from 1."""

    kind: ClassVar[str] = "proof"


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """The limits on reading, so that a hostile file costs no more.

    `line` and `text` count characters, `work` the literals of hints (15 million a second or more), `memory` the bytes of all
    known clauses: the formula's, and derived ones not yet deleted.
    """

    line: int = 8_000_000
    text: int = 4_000_000_000
    work: int = 20_000_000_000
    memory: int = 1_000_000_000


LIMITS = ReadLimits()


def check_proof(clauses: Iterable[Iterable[int]], lines: Iterable[str], *, size: int = 0, limits: ReadLimits = LIMITS) -> int:
    """Check an LRAT proof that clauses cannot all hold, and return how many clauses it derives, the empty one included.

    `size` is the largest variable, if it is larger than those in the clauses. Raises `ProofError` for the first wrong step, and
    if the empty clause is not derived.
    """
    checker = _Checker(clauses, size, limits)
    number = 0
    for number, line in enumerate(lines, 1):
        try:
            checker.take_step(line)
        except ProofError as error:
            raise error.add_place(line=number) from None
    if not checker.refuted:
        raise ProofError("the proof ends without deriving the empty clause", line=number or None)
    return checker.steps


class _Checker:
    """The clauses known so far, by number."""

    def __init__(self, clauses: Iterable[Iterable[int]], size: int, limits: ReadLimits) -> None:
        self.limits = limits
        self.text = self.work = self.steps = self.memory = 0
        self.known: dict[int, frozenset[int]] = {}
        for number, clause in enumerate(clauses, 1):
            self._store_clause(number, frozenset(clause))
        self.size = max((abs(literal) for clause in self.known.values() for literal in clause), default=0)
        self.size = max(self.size, size)
        self.last = len(self.known)
        self.refuted = False

    def take_step(self, line: str) -> None:
        """Check one line of the proof, which adds a derived clause or deletes clauses."""
        self.text += len(line)
        if len(line) > self.limits.line or self.text > self.limits.text:
            raise ProofError(f"too long: a proof can have {self.limits.line:,} characters a line, {self.limits.text:,} in all")
        number, deletes, deleted = line.partition(" d ")
        if deletes:
            _parse_numbers(number)
            self._delete_clauses(_strip_final_zero(_parse_numbers(deleted)))
        else:
            numbers = _parse_numbers(line)
            if numbers.count(0) != 2:
                raise ProofError("a step has two zeros, one after its literals and one after its hints")
            end = numbers.index(0)
            self._add_clause(numbers[0], numbers[1:end], _strip_final_zero(numbers[end + 1 :]))

    def _delete_clauses(self, hints: Sequence[int]) -> None:
        for hint in hints:
            if (clause := self.known.pop(hint, None)) is None:
                raise ProofError(f"clause {hint} is to be deleted, but there is no such clause")
            self.memory -= _count_bytes(clause)

    def _store_clause(self, number: int, clause: frozenset[int]) -> None:
        self.known[number] = clause
        self.memory += _count_bytes(clause)
        if self.memory > self.limits.memory:
            held = f"the {len(self.known):,} clauses that are known at a time"
            raise ProofError(
                f"{held} take more memory than {self.limits.memory / 1_000_000:,.0f} MB",
                suggestion="allow more with satjudge verify --memory MB, or use another checker with --write-formulas DIR",
            )

    def _add_clause(self, number: int, literals: Sequence[int], hints: Sequence[int]) -> None:
        if number <= self.last:
            raise ProofError(f"step {number} is numbered no higher than clause {self.last} before it")
        for literal in literals:
            if abs(literal) > self.size:
                raise ProofError(f"step {number}: literal {literal} is beyond the {self.size} variables of the formula")
        try:
            self._propagate_hints(literals, hints)
        except ProofError as error:
            raise ProofError(f"step {number}: {error.message}") from None
        self._store_clause(number, frozenset(literals))
        self.last = number
        self.steps += 1
        self.refuted = self.refuted or not literals

    def _propagate_hints(self, literals: Iterable[int], hints: Sequence[int]) -> None:
        """Raise `ProofError` unless negating the literals leads, along the hinted clauses, to a contradiction."""
        false = set(literals)
        for place, hint in enumerate(hints, 1):
            clause = self.known.get(hint)
            if clause is None:
                raise ProofError(f"hint {hint} is a step of kind RAT" if hint < 0 else f"there is no clause {hint}, its hint")
            self.work += len(clause)
            if self.work > self.limits.work:
                raise ProofError(f"more work than a proof may take: {self.limits.work:,} literals of hints")
            left = clause - false
            if not left:
                if place < len(hints):
                    raise ProofError(f"all literals of hint {hint} are false, but more hints follow")
                return
            if len(left) > 1:
                some = " ".join(map(str, sorted(left, key=abs)[:5]))
                raise ProofError(f"hint {hint} is not unit: {len(left)} of its literals are not false ({some})")
            (true,) = left
            if -true in false:
                raise ProofError(f"hint {hint} adds nothing: its literal {true} is true already")
            false.add(-true)
        raise ProofError("its hints do not lead to a contradiction")


def _count_bytes(clause: frozenset[int]) -> int:
    """Return the estimated memory of a clause, in bytes: its set, its literals, and its place among the known clauses."""
    return sys.getsizeof(clause) + 32 * len(clause) + 100


_FOREIGN = re.compile("[^-0-9 \n]")
"""The characters that are refused: `int` would also accept digits of other scripts, signs and underscores."""


def _parse_numbers(text: str) -> list[int]:
    try:
        if not _FOREIGN.search(text) and (numbers := [int(word) for word in text.split()]):
            return numbers
    except ValueError:  # a misplaced sign, or thousands of digits
        pass
    raise ProofError(f"not a line of numbers: {text[:60]!r}")


def _strip_final_zero(numbers: Sequence[int]) -> Sequence[int]:
    """Return the numbers before the final 0; raise `ProofError` if the only 0 is not at the end."""
    if numbers[-1:] != [0] or 0 in numbers[:-1]:
        raise ProofError("the line has no 0 at its end: it is cut off")
    return numbers[:-1]


def read_formula(lines: Iterable[str]) -> tuple[int, list[tuple[int, ...]]]:
    """Return the number of variables and the clauses of a DIMACS file with one clause on a line.

    Raises `ProofError`.
    """
    header, clauses = None, []
    for number, line in enumerate(lines, 1):
        try:
            if header is None:
                header = re.fullmatch(r"p cnf ([0-9]{1,18}) ([0-9]{1,18})\n?", line)
                if header is None and not line.startswith("c"):
                    raise ProofError("neither a comment nor a header “p cnf VARIABLES CLAUSES”")
            elif not line.startswith("c"):
                clauses.append(clause := tuple(_strip_final_zero(_parse_numbers(line))))
                if any(abs(literal) > int(header[1]) for literal in clause):
                    raise ProofError(f"a literal beyond the {header[1]} variables of the header")
        except ProofError as error:
            raise error.add_place(line=number) from None
    if header is None or len(clauses) != int(header[2]):
        raise ProofError(f"{len(clauses)} clauses, but the header says {header[2]}" if header else "a formula without a header")
    return int(header[1]), clauses


def iter_lines(file: IO[str], limits: ReadLimits = LIMITS) -> Iterator[str]:
    """Yield the lines of a file, each cut one character past the limit on a line's length."""
    return iter(lambda: file.readline(limits.line + 1), "")


def check_proof_file(formula: Path, proof: Path, limits: ReadLimits = LIMITS) -> int:
    """Check an LRAT proof of a DIMACS file's clauses, and return how many clauses it derives.

    Raises `ProofError`, which names the file and the line, and `OSError`.
    """
    path = formula
    try:
        with formula.open(encoding="ascii", errors="replace") as file:
            size, clauses = read_formula(iter_lines(file, limits))
        path = proof
        with proof.open(encoding="ascii", errors="replace") as file:
            return check_proof(clauses, iter_lines(file, limits), size=size, limits=limits)
    except ProofError as error:
        raise error.add_place(source=str(path)) from None


if __name__ == "__main__":
    try:
        paths = (Path(sys.argv[1]), Path(sys.argv[2]))
        allowed = ReadLimits(memory=int(sys.argv[3]) * 1_000_000) if len(sys.argv) > 3 else LIMITS
        sys.stdout.write(f"verified: {number_of(check_proof_file(*paths, allowed), 'step')}\n")
    except ProofError as told:
        sys.exit(f"not verified: {told}")
