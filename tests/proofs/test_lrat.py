"""Proofs in LRAT: what the checker takes and refuses, and that what CaDiCaL writes and `trimmed` keeps is a proof."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from itertools import combinations
from operator import or_
from pathlib import Path
from random import Random
from typing import TypeAlias

import pytest
from helpers.tampering import solver_proof
from hypothesis import given, settings
from hypothesis import strategies as st
from verified_checker import compressed

from satjudge.proofs.certificates.lrat_proofs import SatisfiableError, iter_refutation, trim_proof
from satjudge.proofs.verify.lrat import ProofError, ReadLimits, check_proof, check_proof_file, iter_lines, read_formula

Clause: TypeAlias = tuple[int, ...]

FORMULA: list[Clause] = [(1, 2), (-1, 2), (1, -2), (-1, -2)]
PROOF = ["5 1 0 1 3 0", "6 0 5 2 4 0"]


# The checker, by hand.


def test_a_proof_is_taken() -> None:
    assert check_proof(FORMULA, PROOF) == 2
    assert check_proof(FORMULA, ["7 2 0 1 2 0", "7 d 1 2 0", "90 0 7 3 4 0", "90 d 7 0"]) == 2, "gaps, and what is forgotten"
    assert check_proof([*FORMULA, (1, -1)], ["6 1 0 1 3 0", "7 0 6 2 4 0"]) == 2, "a clause that always holds is no matter"
    assert check_proof([(1, 1, 2), *FORMULA[1:]], PROOF) == 2, "a literal that stands twice is one literal"
    assert check_proof([(), (1,)], ["3 0 1 0"]) == 1, "a formula that has the clause without literals"


FAULTS = {
    "nothing new": (["5 1 0 1 1 3 0"], "1: step 5: hint 1 adds nothing: its literal 2 is already true"),
    "not unit": (["5 1 0 2 3 0"], "1: step 5: hint 2 is not unit: 2 of its literals are not false (-1 2)"),
    "two are open": (["5 0 1 0"], "1: step 5: hint 1 is not unit: 2 of its literals are not false (1 2)"),
    "no contradiction": (["5 1 0 1 0"], "1: step 5: the hints do not lead to a contradiction"),
    "no hints": (["5 1 0 0"], "1: step 5: the hints do not lead to a contradiction"),
    "hints behind the contradiction": (
        ["5 1 0 1 3 2 0"],
        "1: step 5: all literals of hint 3 are false, but more hints follow",
    ),
    "an unknown hint": (["5 1 0 1 9 0"], "1: step 5: hint 9 refers to an unknown clause"),
    "a hint that comes later": (["5 1 0 1 6 0", "6 0 5 2 4 0"], "1: step 5: hint 6 refers to an unknown clause"),
    "itself for a hint": (["5 0 5 0"], "1: step 5: hint 5 refers to an unknown clause"),
    "a hint that is forgotten": (["5 1 0 1 3 0", "5 d 2 0", "6 0 5 2 4 0"], "3: step 6: hint 2 refers to an unknown clause"),
    "forgotten twice": (["5 d 2 2 0"], "1: there is no clause 2 to delete"),
    "a number used twice": ([PROOF[0], "5 0 5 2 4 0"], "2: step 5 must have a higher number than clause 5"),
    "a number of the formula": (["4 1 0 1 3 0"], "1: step 4 must have a higher number than clause 4"),
    "a number below 0": (["-5 1 0 1 3 0"], "1: step -5 must have a higher number"),
    "beyond the size": (["5 3 0 1 3 0"], "1: step 5: literal 3 is beyond the 2 variables of the formula"),
    "RAT": (["5 1 0 -1 3 0"], "1: step 5: hint -1 belongs to a RAT step"),
    "it ends too soon": (PROOF[:1], "1: the proof ends without deriving the empty clause"),
    "nothing": ([], "the proof ends without deriving"),
    "cut off": (["5 1 0 1 3 0", "6 0 5 2 4"], "2: a step must have exactly two zeros"),
    "cut off within the numbers": (["5 1 0 1 3 0", "6 0"], "2: a step must have exactly two zeros"),
    "cut off within a deletion": (["5 1 0 1 3 0", "5 d 1"], "2: the line does not end with its only 0: it may be cut off"),
    "an empty line": ([""], "1: not a line of numbers: ''"),
    "three zeros": (["5 1 0 1 0 3 0"], "1: a step must have exactly two zeros"),
    "words": (["5 one 0 1 3 0"], "1: not a line of numbers: '5 one 0 1 3 0'"),
    "a comment": (["c 5"], "1: not a line of numbers"),
    "digits of another script": (["٥ 1 0 1 3 0"], "1: not a line of numbers"),
    "an underscore": (["5_0 1 0 1 3 0"], "1: not a line of numbers"),
    "a sign in a wrong place": (["5 1-2 0 1 3 0"], "1: not a line of numbers"),
    "thousands of digits": (["5" * 5000 + " 1 0 1 3 0"], "1: not a line of numbers"),
    "another number before d": (["x d 1 0"], "1: not a line of numbers"),
    "10 MB in a line": (["5 " + "1 " * 5_000_000], "1: too long: the limit is 8,000,000 characters a line"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_named_with_its_line(fault: str) -> None:
    lines, message = FAULTS[fault]
    with pytest.raises(ProofError, match=re.escape(message)) as told:
        check_proof(FORMULA, lines)
    assert len(str(told.value)) < 300


def test_the_size_is_that_of_the_header() -> None:
    assert check_proof(FORMULA, ["5 1 3 0 1 3 0", "6 1 0 1 3 0", "7 0 6 2 4 0"], max_variable=3) == 3


def test_a_proof_that_costs_too_much_is_refused() -> None:
    with pytest.raises(ProofError, match="2: step 6: the proof takes too long: the limit is 8 literals"):
        check_proof(FORMULA, PROOF, limits=ReadLimits(work=8))
    with pytest.raises(ProofError, match=r"2: too long: .* 20 in all"):
        check_proof(FORMULA, PROOF, limits=ReadLimits(text=20))


def test_clauses_that_take_too_much_memory_are_refused() -> None:
    """What is forgotten takes none: 1,000 clauses one after the other take less than 10 at a time."""
    after = len(FORMULA) + 1
    kept = [f"{after + number} 1 2 0 1 0" for number in range(10)]
    lines = [
        line for number in range(1000) for line in (f"{after + number} 1 2 0 1 0", f"{after + number} d {after + number} 0")
    ]
    small = ReadLimits(memory=len(FORMULA) * 400 + 2000)
    assert (
        check_proof(FORMULA, [*lines, f"{after + 1000} 2 0 1 2 0", f"{after + 1001} 0 {after + 1000} 3 4 0"], limits=small)
        == 1002
    )
    with pytest.raises(ProofError, match=r"clauses kept at this point take more memory .*allow more .* --memory MB"):
        check_proof(FORMULA, kept, limits=small)


def test_a_formula_that_takes_too_much_memory_is_refused() -> None:
    with pytest.raises(ProofError, match=r"the 1 clauses kept at this point take more memory than 0 MB"):
        check_proof([range(1, 1000)], [], limits=ReadLimits(memory=10_000))


def test_no_line_is_read_further_than_to_the_limit(tmp_path: Path) -> None:
    file = tmp_path / "long"
    file.write_text("1 " * 1000)
    with file.open() as text:
        assert len(next(iter_lines(text, ReadLimits(line=100)))) == 101


def test_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    formula, proof = tmp_path / "1.cnf", tmp_path / "1.lrat"
    formula.write_text("c what 1 means\np cnf 2 4\nc group\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n")
    proof.write_text("\n".join(PROOF))
    assert check_proof_file(formula, proof) == 2
    proof.write_bytes(b"5 1 0 1 3 0\n\xff\x00\n")
    with pytest.raises(ProofError, match=r"1\.lrat:2: not a line of numbers"):
        check_proof_file(formula, proof)
    formula.write_text("p cnf 1 4\n1 2 0\n")
    with pytest.raises(ProofError, match=r"1\.cnf:2: a literal is beyond the 1 variables of the header"):
        check_proof_file(formula, proof)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the formula has no header"),
        ("1 2 0\n", "1: expected a comment or a header"),
        ("p cnf 2 2\n1 2 0\n", "1 clauses, but the header says 2"),
        ("p cnf 2 1\n1 2\n", "2: the line does not end with its only 0: it may be cut off"),
        ("p cnf 2 1\n1 0 2 0\n", "2: the line does not end with its only 0"),
        ("p cnf 2 1\n1 x 0\n", "2: not a line of numbers"),
        ("p cnf 2 99999999999999999999\n", "1: expected a comment or a header"),
    ],
)
def test_a_formula_that_cannot_be_read(text: str, message: str) -> None:
    with pytest.raises(ProofError, match=re.escape(message)):
        read_formula(text.splitlines(keepends=True))


# Proofs that CaDiCaL writes.


def pigeons(holes: int) -> list[Clause]:
    """One pigeon more than there are holes, each in a hole of its own."""
    of = [[pigeon * holes + hole for hole in range(1, holes + 1)] for pigeon in range(holes + 1)]
    return [*map(tuple, of), *((-one, -other) for column in zip(*of, strict=True) for one, other in combinations(column, 2))]


def test_a_refutation_is_written_and_only_what_is_needed_of_it() -> None:
    clauses = pigeons(5)
    proof = [*iter_refutation(clauses)]
    assert check_proof(clauses, proof) == sum(" d " not in line for line in proof)
    raw = solver_proof(clauses)
    assert raw is not None
    assert check_proof(clauses, proof) < sum(b" d " not in line for line in raw)
    numbers = [int(line.split()[0]) for line in proof if " d " not in line]
    assert numbers == [*range(len(clauses) + 1, len(clauses) + len(numbers) + 1)]
    hints = {int(hint) for line in proof if " d " not in line for hint in line.split(" 0 ")[-1].split()}
    assert hints >= {*numbers[:-1]}, "each step is needed by a later one"


def test_what_can_hold_has_no_refutation() -> None:
    with pytest.raises(SatisfiableError, match="the clauses can all be true"):
        [*iter_refutation(FORMULA[:3])]
    assert [*iter_refutation([(1,), (-1,)])], "the same process answers the next question"


SIZE = 5
literals = st.integers(1, SIZE).flatmap(lambda variable: st.sampled_from((variable, -variable)))
formulas = st.lists(st.lists(literals, min_size=1, max_size=3).map(tuple), min_size=4, max_size=20)

ALL = (1 << (1 << SIZE)) - 1
"""All assignments of so many variables, one bit each."""
TRUE = {
    variable: sum(1 << model for model in range(1 << SIZE) if model >> (variable - 1) & 1) for variable in range(1, SIZE + 1)
}
WHERE = {**TRUE, **{-variable: ALL ^ models for variable, models in TRUE.items()}}
"""The assignments in which a literal holds."""


def models(clauses: Iterable[Clause]) -> int:
    """The assignments that satisfy all clauses."""
    found = ALL
    for clause in clauses:
        found &= reduce(or_, map(WHERE.__getitem__, clause), 0)
    return found


@settings(max_examples=60, deadline=None)
@given(formulas)
def test_a_formula_has_a_proof_just_where_no_assignment_satisfies_it(clauses: list[Clause]) -> None:
    """Clauses with a literal twice, with its opposite, single literals, clauses that come twice: in any order."""
    raw = solver_proof(clauses)
    assert (raw is not None) == (models(clauses) == 0)
    if raw is not None:
        check_proof(clauses, trim_proof(len(clauses), raw), max_variable=SIZE)


# Tampering.

Mutant: TypeAlias = tuple[list[Clause], list[str]]


def _other(random: Random, number: int, most: int) -> int:
    return random.choice([-number, random.randint(1, most), -random.randint(1, most), number + 1, number - 1, 0])


def literal_of_the_formula(random: Random, clauses: list[Clause], proof: list[str]) -> Mutant:
    place = random.randrange(len(clauses))
    clause = list(clauses[place])
    clause[random.randrange(len(clause))] = random.choice((1, -1)) * random.randint(1, SIZE)
    return [*clauses[:place], tuple(clause), *clauses[place + 1 :]], proof


def clause_added(random: Random, clauses: list[Clause], proof: list[str]) -> Mutant:
    place = random.randrange(len(clauses) + 1)
    return [*clauses[:place], random.choice(clauses), *clauses[place:]], proof


def clause_removed(random: Random, clauses: list[Clause], proof: list[str]) -> Mutant:
    place = random.randrange(len(clauses))
    return [*clauses[:place], *clauses[place + 1 :]], proof


def clause_made_empty_of_meaning(random: Random, clauses: list[Clause], proof: list[str]) -> Mutant:
    """The numbers stay, and what the clause says is gone."""
    place = random.randrange(len(clauses))
    return [*clauses[:place], (1, -1), *clauses[place + 1 :]], proof


def clause_made_weaker(random: Random, clauses: list[Clause], proof: list[str]) -> Mutant:
    place = random.randrange(len(clauses))
    more = random.choice((1, -1)) * random.randint(1, SIZE)
    return [*clauses[:place], (*clauses[place], more), *clauses[place + 1 :]], proof


def number_of_the_proof(random: Random, clauses: list[Clause], proof: list[str]) -> Mutant:
    place = random.randrange(len(proof))
    words = proof[place].split()
    at = random.choice([index for index, word in enumerate(words) if word != "d"])
    words[at] = str(_other(random, int(words[at]), len(clauses) + len(proof)))
    return clauses, [*proof[:place], " ".join(words), *proof[place + 1 :]]


def hints_swapped(random: Random, clauses: list[Clause], proof: list[str]) -> Mutant:
    place = random.randrange(len(proof))
    words = proof[place].split()
    one, other = (random.randrange(1, len(words)) for _ in range(2))
    words[one], words[other] = words[other], words[one]
    return clauses, [*proof[:place], " ".join(words), *proof[place + 1 :]]


def number_dropped(random: Random, clauses: list[Clause], proof: list[str]) -> Mutant:
    place = random.randrange(len(proof))
    words = proof[place].split()
    del words[random.randrange(len(words))]
    return clauses, [*proof[:place], " ".join(words), *proof[place + 1 :]]


def line_dropped(random: Random, clauses: list[Clause], proof: list[str]) -> Mutant:
    place = random.randrange(len(proof))
    return clauses, [*proof[:place], *proof[place + 1 :]]


def lines_swapped(random: Random, clauses: list[Clause], proof: list[str]) -> Mutant:
    one, other = (random.randrange(len(proof)) for _ in range(2))
    swapped = list(proof)
    swapped[one], swapped[other] = swapped[other], swapped[one]
    return clauses, swapped


def truncated(random: Random, clauses: list[Clause], proof: list[str]) -> Mutant:
    text = "\n".join(proof)
    return clauses, text[: random.randrange(len(text))].splitlines()


def refuted_at_once(random: Random, clauses: list[Clause], proof: list[str]) -> Mutant:
    """The last step at an earlier place, with hints by chance."""
    place = random.randrange(len(proof))
    hints = random.sample(range(1, len(clauses) + 1), min(len(clauses), random.randint(1, 6)))
    return clauses, [*proof[:place], f"{len(clauses) + len(proof)} 0 {' '.join(map(str, hints))} 0"]


MUTATIONS: tuple[Callable[[Random, list[Clause], list[str]], Mutant], ...] = (
    literal_of_the_formula, clause_added, clause_removed, clause_made_empty_of_meaning, clause_made_weaker,
    number_of_the_proof, hints_swapped, number_dropped, line_dropped, lines_swapped, truncated, refuted_at_once,
)  # fmt: skip
OF_FORMULA = MUTATIONS[:5]


def proved_formulas(random: Random) -> Iterator[Mutant]:
    """Small formulas that nothing satisfies and that need all their clauses, with their proofs."""
    while True:
        clauses = [
            tuple(random.choice((1, -1)) * variable for variable in random.sample(range(1, SIZE + 1), random.choice((2, 3, 3))))
            for _ in range(60)
        ]
        if models(clauses) == 0:
            for clause in random.sample(clauses, len(clauses)):
                rest = list(clauses)
                rest.remove(clause)
                clauses = rest if models(rest) == 0 else clauses
            raw = solver_proof(clauses)
            assert raw is not None
            yield clauses, [*trim_proof(len(clauses), raw)]


def tamper(mutants: int, seed: int) -> Counter[tuple[str, bool]]:
    """How many mutants of each kind were accepted and refused; none was accepted that is wrong.

    What is right, a truth table says: nothing satisfies the formula, and each clause of the proof follows from it.
    """
    random, found = Random(seed), Counter[tuple[str, bool]]()
    proved = proved_formulas(random)
    while found.total() < mutants:
        original = next(proved)
        assert check_proof(*original, max_variable=SIZE)
        for mutation in MUTATIONS * 5:
            clauses, proof, name = *mutation(random, *original), mutation.__name__
            if random.random() < 0.2:
                clauses, proof = random.choice(OF_FORMULA)(random, clauses, proof)
                name = "two mutations, of which one may undo the other"
            try:
                check_proof(clauses, proof, max_variable=SIZE)
            except ProofError:
                found[name, False] += 1
                continue
            found[name, True] += 1
            assert models(clauses) == 0, (clauses, proof)
    return found


def _each_was_refused(found: Counter[tuple[str, bool]]) -> None:
    for mutation in MUTATIONS:
        assert found[mutation.__name__, False], f"{mutation.__name__} was never refused"
    assert not found[clause_made_empty_of_meaning.__name__, True], "each clause is needed"
    assert any(found[mutation.__name__, True] for mutation in MUTATIONS), "some mutants are proofs still"


def test_no_wrong_mutant_is_accepted() -> None:
    _each_was_refused(tamper(2000, seed=1))


@pytest.mark.campaign
def test_no_wrong_mutant_of_many_is_accepted() -> None:
    _each_was_refused(tamper(100_000, seed=2))


def test_no_step_is_taken_that_does_not_follow() -> None:
    """Steps by chance, on formulas that can hold: where one is taken, its clause holds wherever the formula does."""
    random, taken = Random(3), 0
    for _ in range(6000):
        clauses = [
            tuple(random.choice((1, -1)) * random.randint(1, SIZE) for _ in range(random.choice((1, 2, 2, 3))))
            for _ in range(random.randint(2, 6))
        ]
        clause = tuple(random.choice((1, -1)) * random.randint(1, SIZE) for _ in range(random.randint(0, 3)))
        hints = random.sample(range(1, len(clauses) + 1), random.randint(1, min(4, len(clauses))))
        with pytest.raises(ProofError) as told:
            check_proof(clauses, [" ".join(map(str, (9, *clause, 0, *hints, 0))), "cut"], max_variable=SIZE)
        if told.value.line == 2:
            taken += 1
            assert not models(clauses) & ~models([clause]), (clauses, clause, hints)
    assert taken > 100


# For the verified checker.


def test_a_line_that_is_no_step_is_not_rewritten() -> None:
    for line in ("5 1 0 2 3", "5 1 2 3 0", "5 1 0 2 0 3 0"):
        with pytest.raises(ValueError, match="not a step of a proof"):
            [*compressed([line], {0: 0, 1: 1, 2: 2, 3: 3}, 3)]


def test_the_notation_of_the_verified_checker() -> None:
    """Clause 2 is left out since it always holds; numbers from 2 up are lower by one."""
    lines = ["5 -2 1 0 1 4 0", "5 d 3 0", "300 0 5 1 0"]
    numbers = {0: 0, 1: 1, 3: 2, 4: 3}
    assert b"".join(compressed(lines, numbers, 4)) == bytes(
        [*b"a", 8, 2, 5, 0, 2, 6, 0, *b"d", 4, 0, *b"a", 128 | (598 & 127), 598 >> 7, 0, 8, 2, 0]
    )
