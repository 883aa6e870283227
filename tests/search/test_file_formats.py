"""Formulas written for other solvers say what they said: read back, they have the same assignments."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path
from random import Random

import pytest

from satjudge.apps.cli import run
from satjudge.search.formulas.clauses import Formula
from satjudge.search.formulas.cpsat import Answer, Solver
from satjudge.search.formulas.file_formats import WRITERS
from satjudge.search.goals import parse_goal
from satjudge.search.open_orders.universe import Universe, spots_of
from satjudge.search.search import Objective, Search
from satjudge.world.geography import load_map
from satjudge.world.rules import load_rulebook

Evaluator = Callable[[Sequence[bool]], bool]
"""Whether what was written holds, where the variables have these values (the first stands for nothing)."""


def _opb(text: str) -> Evaluator:
    rows = []
    for line in text.splitlines():
        if not line.startswith("*"):
            terms, least = line.removesuffix(" ;").split(" >= ")
            rows.append((re.findall(r"([+-]\d+) x(\d+)", terms), int(least)))
    assert f"#constraint= {len(rows)}" in text.splitlines()[0]
    return lambda values: all(sum(int(w) * values[int(x)] for w, x in terms) >= least for terms, least in rows)


def _minizinc(text: str) -> Evaluator:
    lines = [line.partition("%")[0].strip() for line in text.splitlines()]
    assert lines[-1] == "solve satisfy;"
    told = [line.removeprefix("constraint ").removesuffix(";") for line in lines if line.startswith("constraint")]
    for old, new in (("\\/", " or "), ("<->", "=="), ("bool2int", "int")):
        told = [line.replace(old, new) for line in told]
    rows = [compile(re.sub(r"x(\d+)", r"x[\1]", line), "model", "eval", dont_inherit=True) for line in told]
    return lambda values: all(eval(row, {"x": values}) for row in rows)


def _smt_lib(text: str) -> Evaluator:
    code = re.sub(r";.*", "", text)
    tokens = iter(re.findall(r"[()]|[^\s()]+", code))

    def read(token: str) -> object:
        return [read(inner) for inner in iter(lambda: next(tokens), ")")] if token == "(" else token

    script = [read(token) for token in tokens]
    asserted = [command[1] for command in script if isinstance(command, list) and command[0] == "assert"]

    def value(term: object, values: Sequence[bool]) -> int:
        if isinstance(term, str):
            return values[int(term[1:])] if term.startswith("x") else int(term) if term.isdecimal() else term == "true"
        assert isinstance(term, list)
        parts = [value(part, values) for part in term[1:]]
        match term[0]:
            case "not":
                return not parts[0]
            case "or":
                return any(parts)
            case "ite":
                return parts[1] if parts[0] else parts[2]
            case "+":
                return sum(parts)
            case "=":
                return parts[0] == parts[1]
            case ">=":
                return parts[0] >= parts[1]
        assert term[0] == "<="
        return parts[0] <= parts[1]

    return lambda values: all(value(term, values) for term in asserted)


READERS = {"opb": _opb, "mzn": _minizinc, "smt2": _smt_lib}


def _holds(formula: Formula, values: Sequence[bool]) -> bool:
    answer = Answer(tuple(values), exhausted=True)
    return (
        all(any(map(answer.holds, clause)) for clause in formula.clauses)
        and all(answer.holds(c.result) == (sum(map(answer.holds, c.literals)) >= c.least) for c in formula.counts)
        and all(sum(map(answer.holds, literals)) <= 1 for literals in formula.exclusive)
    )


def _random_formula(random: Random) -> Formula:
    formula = Formula()
    literals = [formula.add_variable(f"variable {n}") for n in range(6)]

    def some(number: int) -> list[int]:
        return [literal * random.choice((1, -1)) for literal in random.sample(literals, number)]

    for _ in range(random.randint(0, 2)):
        formula.require(*some(random.randint(1, 3)))
    formula.require(*some(1), formula.at_least(random.randint(2, 3), some(5)))
    formula.require(-formula.at_least(2, some(4)), *some(1))
    formula.require_at_most_one(some(random.randint(1, 3)))
    return formula


def _assignments(formula: Formula) -> Iterator[tuple[bool, ...]]:
    return ((False, True, *rest) for rest in product((False, True), repeat=formula.size - 1))


@pytest.mark.parametrize("ending", READERS)
@pytest.mark.parametrize("seed", range(4))
def test_what_is_written_has_the_same_assignments(seed: int, ending: str) -> None:
    formula = _random_formula(Random(seed))
    evaluate = READERS[ending]("\n".join(WRITERS[ending](formula)))
    found = [evaluate(values) for values in _assignments(formula)]
    assert found == [_holds(formula, values) for values in _assignments(formula)]
    assert True in found
    assert False in found


@pytest.mark.parametrize("seed", range(4))
def test_dimacs_has_as_many_assignments(seed: int) -> None:
    """The variables that counters take are functions of the others, so that models can be counted."""
    solvers = pytest.importorskip("pysat.solvers")
    formula = _random_formula(Random(seed))
    lines = list(WRITERS["cnf"](formula))
    clauses = [list(map(int, line.split()[:-1])) for line in lines if line[0] not in "cp"]
    assert f"p cnf {max(abs(part) for clause in clauses for part in clause)} {len(clauses)}" in lines
    assert not any(-literal in clause for clause in clauses for literal in clause), "some checkers refuse tautologies"
    with solvers.Solver("glucose4", bootstrap_with=clauses) as solver:
        models = [tuple(value > 0 for value in model[: formula.size]) for model in solver.enum_models()]
    assert len(models) == len(set(models)) == sum(_holds(formula, values) for values in _assignments(formula))
    assert all(_holds(formula, (False, *values)) for values in models)


@pytest.mark.parametrize("ending", WRITERS)
def test_a_search_is_written_for_other_solvers(ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / f"ring.{ending}"
    command = ["search", "several-resolutions", "--region", "BEL PIC BUR", "--max-units", "3", "--formula", str(file), "--json"]
    assert run(command) == 0
    (written,) = json.loads(capsys.readouterr().out)["formulas"]
    assert written["file"] == str(file)
    text = file.read_text(encoding="utf-8")
    assert re.search(r"^(c \d+|\* x\d+|.*[%;]) A BEL - BUR$", text, re.MULTILINE)


def test_a_question_about_boards_is_read_back_with_its_answer() -> None:
    region = frozenset({"BEL", "PIC", "BUR"})
    universe = Universe(load_rulebook(), spots=spots_of(load_map(), region), region=region)
    goal = parse_goal("some(dislodged:UNIT)", load_map())
    for most, found in ((3, True), (2, False)):
        (_, question), (_, ruled) = Search(universe, goal, Objective.UNITS, most).iter_questions()
        assert Solver(ruled.formula).decide().is_unsatisfiable
        answer = Solver(question.formula).decide()
        assert (answer.values is not None) == found
        if answer.values is not None:
            assert all(READERS[ending]("\n".join(WRITERS[ending](question.formula)))(answer.values) for ending in READERS)


def test_unknown_endings_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["search", "paradox", "--region", "BEL PIC", "--formula", "x.lp"]) == 2
    assert "x.lp: formulas can be written as cnf, opb, mzn or smt2" in capsys.readouterr().err
