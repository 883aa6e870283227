"""The printed equations: golden dumps of textbook boards, and the proof that a dump says what the equations say.

`python tests/judging/test_equations.py` writes the dumps in models/equations/ anew, and what is kept of the equations, the map
and the rulebook; look at the difference before committing it.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from satjudge.judging.equations import default_equations, statement
from satjudge.judging.equations.logic import Logic, Reading, compute_hold_strengths, compute_strengths
from satjudge.judging.equations.printing import Printing, format_equations, name_decision
from satjudge.judging.equations.situation import Situation
from satjudge.judging.judge import judge, read_situation
from satjudge.notation.bundled_cases import find_bundled_case, read_collection
from satjudge.notation.sheets import Sheet
from satjudge.world.board import Phase
from satjudge.world.rules import load_rulebook

FOLDER = Path(__file__).parents[2] / "models" / "equations"
TEXTBOOK = ("6.A.11", "6.C.1", "6.D.10", "6.E.3", "6.E.15", "6.F.2", "6.F.9", "6.F.14", "6.F.16", "6.G.10")


# Golden dumps: unchanged, which is not yet right.


def dump(identity: str) -> str:
    """The equations of a shipped case as `satjudge equations` prints them."""
    sheet = find_bundled_case(identity)
    heading = f"# {sheet.identity}: {sheet.title} [{sheet.rules}]"
    return "\n".join([heading, *format_equations(_situation(sheet))]) + "\n"


def _situation(sheet: Sheet) -> Situation:
    return read_situation(sheet.board, sheet.orders_by_power(), rulebook=load_rulebook(sheet.rules))


def rewrite() -> None:
    """Write all dumps anew."""
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for identity in TEXTBOOK:
        (FOLDER / f"{identity}.txt").write_text(dump(identity), encoding="utf-8")


@pytest.mark.parametrize("identity", TEXTBOOK)
def test_the_dump_is_as_it_was(identity: str) -> None:
    assert dump(identity) == (FOLDER / f"{identity}.txt").read_text(encoding="utf-8")


def test_there_are_no_other_dumps() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(TEXTBOOK)


# A dump is Python: evaluated, it gives the values that the equations give.

GIVEN: dict[str, Any] = {"__builtins__": {}, "true": True, "false": False}


def table(situation: Situation, values: Sequence[bool]) -> dict[str, bool | int]:
    """What each name of a dump stands for where the decisions have these values."""
    found: dict[str, bool | int] = {
        f"HOLD({place})": value for place, value in compute_hold_strengths(situation, values).items()
    }
    found |= {name_decision(decision): values[decision.index] for decision in situation.decisions}
    for move in situation.moves:
        these = compute_strengths(move, values)
        found |= {f"PATH({move})": these.path, f"ATTACK({move})": these.attack}
        found |= {f"PREVENT({move})": these.prevent, f"DEFEND({move})": these.defend}
    return found


def equations(situation: Situation, values: Sequence[bool]) -> dict[str, bool | int]:
    """What the equations say of each name of a dump."""
    reading = Reading(values)
    said: dict[str, bool | int] = {name_decision(it): statement.decision(reading, it) for it in situation.decisions}
    return table(situation, values) | said


def assignments(sheet: Sheet, situation: Situation, *, arbitrary: int = 4) -> Iterator[tuple[bool, ...]]:
    """The resolutions of a case, its ruled one, and some assignments that need not be consistent."""
    outcome = judge(sheet.board, sheet.orders_by_power(), rulebook=load_rulebook(sheet.rules))
    yield from outcome.adjudication.resolutions.list_first(8)
    yield outcome.adjudication.values
    chance = random.Random(sheet.identity)
    for _ in range(arbitrary):
        yield tuple(chance.random() < 0.5 for _ in situation.decisions)


MOVEMENT_CASES = [sheet for sheet in read_collection() if sheet.phase is Phase.MOVEMENT]


def test_the_movement_cases_are_all_here() -> None:
    assert len(MOVEMENT_CASES) > 150
    assert any(case.identity == "6.F.29" for case in MOVEMENT_CASES)


@pytest.mark.parametrize("sheet", MOVEMENT_CASES, ids=lambda sheet: sheet.identity)
def test_the_dump_says_what_the_equations_say(sheet: Sheet) -> None:
    situation = _situation(sheet)
    printed = [line.strip().partition(" = ") for line in format_equations(situation) if line]
    names = re.compile("|".join(re.escape(key) for key in sorted(table(situation, [False] * len(situation.decisions)))))
    for values in assignments(sheet, situation):
        known = {label: repr(value) for label, value in table(situation, values).items()}

        def worth(text: str, known: dict[str, str] = known) -> object:
            return eval(names.sub(lambda match: known[match[0]], text), GIVEN)

        assert {left: worth(right) for left, _, right in printed} == equations(situation, values)
    assert len(printed) == len({left for left, _, _ in printed})


def test_a_resolution_satisfies_its_dump() -> None:
    situation = _situation(find_bundled_case("6.F.14"))
    for values in assignments(find_bundled_case("6.F.14"), situation, arbitrary=0):
        assert equations(situation, values) == table(situation, values)


# The language itself, on terms that the equations of today do not contain.


class Term:
    """A term as a function of a logic and of what the three names are in it."""

    def __init__(self, operation: str, *parts: Any) -> None:  # noqa: ANN401
        self.operation, self.parts = operation, parts

    def __repr__(self) -> str:
        return f"{self.operation}{self.parts!r}"

    def read(self, logic: Logic[Any, Any], names: Sequence[Any]) -> Any:  # noqa: ANN401
        def value(part: object) -> Any:  # noqa: ANN401
            return part.read(logic, names) if isinstance(part, Term) else part

        match self.operation:
            case "name":
                return names[self.parts[0]]
            case "constant":
                return logic.constant(self.parts[0])
            case "total":
                return logic.total(self.parts[0], [value(part) for part in self.parts[1:]])
            case "exceeds" | "choose":
                return getattr(logic, self.operation)(*(value(part) for part in self.parts))
        return getattr(logic, self.operation)([value(part) for part in self.parts])


def truth(chance: random.Random, depth: int) -> Term:
    """Some term that is a truth value."""
    if not depth or chance.random() < 0.2:
        return Term("name", chance.randrange(3)) if chance.random() < 0.9 else Term("constant", chance.random() < 0.5)
    if chance.random() < 0.2:
        return Term("exceeds", number(chance, depth - 1), number(chance, depth - 1))
    parts = (truth(chance, depth - 1) for _ in range(chance.randint(1, 3)))
    return Term(chance.choice(("all_of", "any_of", "none_of")), *parts)


def number(chance: random.Random, depth: int) -> Term:
    """Some term that is a strength."""
    if depth and chance.random() < 0.5:
        return Term("choose", truth(chance, depth - 1), number(chance, depth - 1), number(chance, depth - 1))
    parts = (truth(chance, max(depth - 1, 0)) for _ in range(chance.randint(0, 3)))
    return Term("total", chance.randint(0, 2), *parts)


A, B, C = (Term("name", number) for number in range(3))
EITHER, BOTH = Term("any_of", A, B), Term("all_of", A, B)
NONE, ONE, TWO = (Term("total", number) for number in range(3))


@pytest.mark.parametrize(
    ("term", "text"),
    [
        (Term("all_of"), "true"),
        (Term("any_of"), "false"),
        (Term("all_of", A, Term("constant", True), A), "a"),
        (Term("all_of", A, Term("constant", False)), "false"),
        (Term("all_of", EITHER, C), "(a or b) and c"),
        (Term("any_of", BOTH, C), "(a and b) or c"),
        (Term("all_of", BOTH, C), "a and b and c"),
        (Term("none_of", A, B), "not a and not b"),
        (Term("none_of", BOTH), "not (a and b)"),
        (Term("none_of", Term("none_of", A)), "a"),
        (Term("none_of", Term("none_of", A, B)), "not (not a and not b)"),
        (Term("total", 1, A, Term("constant", True), B), "2 + a + b"),
        (Term("total", 0), "0"),
        (Term("total", 0, BOTH, Term("none_of", C)), "(a and b) + (not c)"),
        (Term("exceeds", TWO, ONE), "true"),
        (Term("exceeds", ONE, ONE), "false"),
        (Term("exceeds", Term("choose", A, ONE, NONE), NONE), "(1 if a else 0) > 0"),
        (Term("choose", C, Term("choose", A, TWO, ONE), NONE), "(2 if a else 1) if c else 0"),
        (Term("choose", A, Term("total", 1, B), Term("total", 1, B)), "1 + b"),
    ],
    ids=repr,
)
def test_how_terms_are_printed(term: Term, text: str) -> None:
    assert term.read(Printing(), "abc") == text


@pytest.mark.parametrize("kind", [truth, number])
def test_any_term_is_printed_as_it_is_read(kind: Callable[[random.Random, int], Term]) -> None:
    chance = random.Random(1)
    for _ in range(1500):
        term = kind(chance, chance.randint(1, 3))
        text = term.read(Printing(), "abc")
        for values in product((False, True), repeat=3):
            found = eval(text, GIVEN | dict(zip("abc", values, strict=True)))
            assert found == term.read(Reading(()), values), f"{term} is printed as {text}"


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from helpers.kept_tables import format_default_equations, format_kept_tables

    rewrite()
    Path(default_equations.__file__).write_text(format_default_equations(), encoding="utf-8")
    FOLDER.with_name("kept.json").write_bytes(format_kept_tables())
