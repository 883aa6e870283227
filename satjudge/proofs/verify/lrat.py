"""Checks proofs that clauses cannot all hold, in the format LRAT (Cruz-Filipe and others, CADE 2017).

    python -m satjudge.proofs.verify.lrat FORMULA.cnf PROOF.lrat [MEGABYTES]

A proof is text with one step on a line:

    ID LITERAL… 0 HINT… 0     a clause that follows from earlier ones, with the reasons
    ID d HINT… 0              clauses that are deleted

Hints are numbers of clauses; those of the formula are 1, 2, 3 and so on. A clause follows if its literals cannot all be false
(*reverse unit propagation*). Suppose that they are. Then in every hint but the last, all literals except one are false, so
this one must be true and its opposite false. All literals of the last hint are then false, a contradiction. The proof is
complete once it derives the empty clause: nothing satisfies the formula.

LRAT also has RAT steps, whose clauses preserve satisfiability but do not follow. satjudge's proofs have none, and this
checker refuses them. The module needs only Python and satjudge's error classes.
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
    """The error raised for a wrong proof or an unreadable formula; `line` counts from 1."""

    kind: ClassVar[str] = "proof"


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """The limits on reading, which bound the cost of a hostile file.

    `line` and `text` limit the characters of a line and of the file. `work` limits the literals of hints (at least 15 million
    are checked a second). `memory` limits the bytes of the formula's clauses and of derived ones not yet deleted.
    """

    line: int = 8_000_000
    text: int = 4_000_000_000
    work: int = 20_000_000_000
    memory: int = 1_000_000_000


LIMITS = ReadLimits()


def check_proof(
    clauses: Iterable[Iterable[int]], lines: Iterable[str], *, max_variable: int = 0, limits: ReadLimits = LIMITS
) -> int:
    """Check an LRAT proof that clauses cannot all hold; return how many clauses it derives, including the empty one.

    The proof may use variables up to `max_variable` even if no clause contains them. Raises `ProofError` for the first wrong
    step, and if the proof does not derive the empty clause.
    """
    checker = _Checker(clauses, max_variable, limits)
    number = 0
    for number, line in enumerate(lines, 1):
        try:
            checker.apply_line(line)
        except ProofError as error:
            raise error.add_place(line=number) from None
    if not checker.refuted:
        raise ProofError("the proof ends without deriving the empty clause", line=number or None)
    return checker.steps


class _Checker:
    """The clauses known so far, by number."""

    def __init__(self, clauses: Iterable[Iterable[int]], max_variable: int, limits: ReadLimits) -> None:
        self.limits = limits
        self.text = self.work = self.steps = self.memory = 0
        self.known: dict[int, frozenset[int]] = {}
        for number, clause in enumerate(clauses, 1):
            self._store_clause(number, frozenset(clause))
        self.size = max((abs(literal) for clause in self.known.values() for literal in clause), default=0)
        self.size = max(self.size, max_variable)
        self.last = len(self.known)
        self.refuted = False

    def apply_line(self, line: str) -> None:
        """Check one line of the proof and store the clause that it derives, or delete the clauses that it names."""
        self.text += len(line)
        if len(line) > self.limits.line or self.text > self.limits.text:
            raise ProofError(f"too long: the limit is {self.limits.line:,} characters a line, {self.limits.text:,} in all")
        number, deletes, deleted = line.partition(" d ")
        if deletes:
            _parse_numbers(number)
            self._delete_clauses(_strip_final_zero(_parse_numbers(deleted)))
        else:
            numbers = _parse_numbers(line)
            if numbers.count(0) != 2:
                raise ProofError("a step must have exactly two zeros, one after its literals and one after its hints")
            end = numbers.index(0)
            self._add_clause(numbers[0], numbers[1:end], _strip_final_zero(numbers[end + 1 :]))

    def _delete_clauses(self, hints: Sequence[int]) -> None:
        for hint in hints:
            if (clause := self.known.pop(hint, None)) is None:
                raise ProofError(f"there is no clause {hint} to delete")
            self.memory -= _count_bytes(clause)

    def _store_clause(self, number: int, clause: frozenset[int]) -> None:
        self.known[number] = clause
        self.memory += _count_bytes(clause)
        if self.memory > self.limits.memory:
            held = f"the {len(self.known):,} clauses kept at this point"
            raise ProofError(
                f"{held} take more memory than {self.limits.memory / 1_000_000:,.0f} MB",
                suggestion="allow more with satjudge verify --memory MB, or use another checker with --write-formulas DIR",
            )

    def _add_clause(self, number: int, literals: Sequence[int], hints: Sequence[int]) -> None:
        if number <= self.last:
            raise ProofError(f"step {number} must have a higher number than clause {self.last} before it")
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
        """Raise `ProofError` unless assuming that all literals are false leads, by the hinted clauses, to a contradiction."""
        false = set(literals)
        for place, hint in enumerate(hints, 1):
            clause = self.known.get(hint)
            if clause is None:
                raise ProofError(
                    f"hint {hint} belongs to a RAT step" if hint < 0 else f"hint {hint} refers to an unknown clause"
                )
            self.work += len(clause)
            if self.work > self.limits.work:
                raise ProofError(f"the proof takes too long: the limit is {self.limits.work:,} literals of hints")
            left = clause - false
            if not left:
                if place < len(hints):
                    raise ProofError(f"all literals of hint {hint} are false, but more hints follow")
                return
            if len(left) > 1:
                literals_text = " ".join(map(str, sorted(left, key=abs)[:5]))
                raise ProofError(f"hint {hint} is not unit: {len(left)} of its literals are not false ({literals_text})")
            (true,) = left
            if -true in false:
                raise ProofError(f"hint {hint} adds nothing: its literal {true} is already true")
            false.add(-true)
        raise ProofError("the hints do not lead to a contradiction")


def _count_bytes(clause: frozenset[int]) -> int:
    """Return an estimate of the memory, in bytes, that a stored clause takes."""
    return sys.getsizeof(clause) + 32 * len(clause) + 100


_FOREIGN = re.compile("[^-0-9 \n]")
"""A character that is not allowed in numbers: `int` would also accept digits of other scripts, plus signs and underscores."""


def _parse_numbers(text: str) -> list[int]:
    try:
        if not _FOREIGN.search(text) and (numbers := [int(word) for word in text.split()]):
            return numbers
    except ValueError:  # a misplaced sign, or thousands of digits
        pass
    raise ProofError(f"not a line of numbers: {text[:60]!r}")


def _strip_final_zero(numbers: Sequence[int]) -> Sequence[int]:
    """Return the numbers before the final 0; raise `ProofError` unless the last number, and no other, is 0."""
    if numbers[-1:] != [0] or 0 in numbers[:-1]:
        raise ProofError("the line does not end with its only 0: it may be cut off")
    return numbers[:-1]


def read_formula(lines: Iterable[str]) -> tuple[int, list[tuple[int, ...]]]:
    """Return the number of variables and the clauses of a DIMACS file that has one clause on each line; raises `ProofError`."""
    header, clauses = None, []
    for number, line in enumerate(lines, 1):
        try:
            if header is None:
                header = re.fullmatch(r"p cnf ([0-9]{1,18}) ([0-9]{1,18})\n?", line)
                if header is None and not line.startswith("c"):
                    raise ProofError("expected a comment or a header “p cnf VARIABLES CLAUSES”")
            elif not line.startswith("c"):
                clauses.append(clause := tuple(_strip_final_zero(_parse_numbers(line))))
                if any(abs(literal) > int(header[1]) for literal in clause):
                    raise ProofError(f"a literal is beyond the {header[1]} variables of the header")
        except ProofError as error:
            raise error.add_place(line=number) from None
    if header is None or len(clauses) != int(header[2]):
        raise ProofError(f"{len(clauses)} clauses, but the header says {header[2]}" if header else "the formula has no header")
    return int(header[1]), clauses


def iter_lines(file: IO[str], limits: ReadLimits = LIMITS) -> Iterator[str]:
    """Yield the lines of a file; cut a line that is too long one character past `limits.line`, so that it is refused."""
    return iter(lambda: file.readline(limits.line + 1), "")


def check_proof_file(formula: Path, proof: Path, limits: ReadLimits = LIMITS) -> int:
    """Check a file with an LRAT proof of the DIMACS file `formula`; return how many clauses the proof derives.

    Raises `ProofError`, which names the file and the line, and `OSError`.
    """
    path = formula
    try:
        with formula.open(encoding="ascii", errors="replace") as file:
            size, clauses = read_formula(iter_lines(file, limits))
        path = proof
        with proof.open(encoding="ascii", errors="replace") as file:
            return check_proof(clauses, iter_lines(file, limits), max_variable=size, limits=limits)
    except ProofError as error:
        raise error.add_place(source=str(path)) from None


if __name__ == "__main__":
    try:
        paths = (Path(sys.argv[1]), Path(sys.argv[2]))
        allowed = ReadLimits(memory=int(sys.argv[3]) * 1_000_000) if len(sys.argv) > 3 else LIMITS
        sys.stdout.write(f"verified: {number_of(check_proof_file(*paths, allowed), 'step')}\n")
    except ProofError as told:
        sys.exit(f"not verified: {told}")
