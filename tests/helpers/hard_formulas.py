"""Makes formulas: random ones, and pigeons in holes, which are hard to refute by clauses."""

from __future__ import annotations

from random import Random

from satjudge.search.formulas.clauses import Formula, Literal


def random_formula(random: Random) -> tuple[Formula, list[Literal]]:
    formula = Formula()
    variables = [formula.add_variable() for _ in range(12)]
    for _ in range(30):
        formula.require(*some(random, variables, 3))
    formula.require(formula.at_least(3, some(random, variables, 6)))
    formula.require(-formula.at_least(4, some(random, variables, 7)))
    formula.require_at_most_one(some(random, variables, 4))
    return formula, variables


def some(random: Random, variables: list[Literal], number: int) -> list[Literal]:
    return [variable * random.choice((1, -1)) for variable in random.sample(variables, number)]


def pigeons(holes: int) -> tuple[Formula, Literal]:
    """One more of them than holes, unless a literal holds: small, and hard to refute by clauses."""
    formula = Formula()
    freed = formula.add_variable()
    sits = [[formula.add_variable() for _ in range(holes)] for _ in range(holes + 1)]
    for places in sits:
        formula.require(freed, *places)
    for hole in range(holes):
        for one in range(holes + 1):
            for other in range(one):
                formula.require(-sits[one][hole], -sits[other][hole])
    return formula, freed
