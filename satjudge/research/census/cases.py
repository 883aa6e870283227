"""The boards that a census points at, as order sheets that `satjudge check` runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from satjudge.board import Board
from satjudge.geography import Power
from satjudge.notation.sheets import Expectations
from satjudge.notation.write import order_lines, sheet_text
from satjudge.outcome import Outcome
from satjudge.research.census import CLAIMS, Orders, Plan, Tally, judged
from satjudge.research.cores import classify
from satjudge.rules import Rulebook, load_rulebook


@dataclass(frozen=True, slots=True)
class Case:
    """A case with the name that its file takes."""

    name: str
    text: str


def shape_case(plan: Plan, tally: Tally, shape: str) -> Case:
    """The smallest example of a shape."""
    found = tally.shapes[shape]
    names = ", or ".join(sorted(found.names, key=lambda name: (-found.names[name], name)))
    _, board, orders = plan.draw(found.smallest.board)
    _, adjudication, _ = judged(board, orders, plan.rulebook)
    cores = [core for core in classify(adjudication) if core.shape == shape] if adjudication else []
    notes = [f"core: {'; '.join(str(decision) for decision in core.core.decisions)}" for core in cores]
    notes.append(f"the smallest of {found.cores:,} cores of this shape on {tally.boards:,} boards")
    return Case(shape, _text(plan, found.smallest.board, shape, names, notes))


def claim_cases(plan: Plan, tally: Tally) -> Iterator[Case]:
    """The counterexamples to claims that were kept."""
    for claim, tests in tally.claims.items():
        for number, found in enumerate(tests.counterexamples, 1):
            name = f"claim-{claim}-{number}"
            yield Case(name, _text(plan, found.board, name, f"against: {CLAIMS[claim]}", [f"see {found.what}"]))


def all_cases(plan: Plan, tally: Tally) -> Iterator[Case]:
    """The smallest example of each shape, then the counterexamples."""
    for shape in sorted(tally.shapes):
        yield shape_case(plan, tally, shape)
    yield from claim_cases(plan, tally)


def _text(plan: Plan, index: int, identity: str, title: str, notes: Sequence[str]) -> str:
    flavour, board, orders = plan.draw(index)
    source = f"satjudge census, seed {plan.seed}, board {index} ({flavour}, {len(board.units)} units)"
    told = {"source": [source], "note": notes}
    return case_text(board, orders, plan.rules, plan.settings, identity=identity, title=title, notes=told)


def case_text(
    board: Board,
    orders: Orders,
    rules: str,
    settings: tuple[str, ...],
    *,
    identity: str,
    title: str,
    notes: Mapping[str, Sequence[str]],
) -> str:
    """A position as an order sheet that expects what satjudge says, by a rulebook and under its settings."""
    base = load_rulebook(rules)
    verdicts = _verdicts(board, orders, base)
    under = [] if verdicts is not None else [_block(rules, (), orders, None)]
    if settings:
        under.append(_block(rules, settings, orders, _verdicts(board, orders, base.with_settings(settings))))
    return sheet_text(board, orders, identity=identity, title=title, rules=rules, notes=notes, expected=verdicts, under=under)


def _verdicts(board: Board, orders: Orders, rulebook: Rulebook) -> Mapping[Power, Sequence[str]] | None:
    docket, adjudication, resolved = judged(board, orders, rulebook)
    return Outcome(board, docket, adjudication).results if adjudication is not None and resolved else None


def _block(
    rules: str, settings: tuple[str, ...], orders: Orders, verdicts: Mapping[Power, Sequence[str]] | None
) -> Expectations:
    lines = order_lines(orders, verdicts) if verdicts else []
    return Expectations((rules,), settings, unresolved=verdicts is None, orders=lines)
