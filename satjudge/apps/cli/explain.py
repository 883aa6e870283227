"""The command `explain`."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import click

from satjudge.apps.cli import options
from satjudge.apps.cli.options import RulesOptions, argument, check_movement, command, flag, option, read_cases, select_movement
from satjudge.apps.cli.output import write_json, write_text
from satjudge.base.errors import InputError, NotationError, NotFoundError
from satjudge.explain.changes import pivotal_orders, what_if
from satjudge.explain.contradictions import why_no_resolution, why_not
from satjudge.explain.counterfactuals import what_would_change
from satjudge.explain.explanation import Explanation
from satjudge.explain.phases import explanations, find_explanation, retreat_explanations, why
from satjudge.files.documents import ExplainedCase
from satjudge.judging.judge import judge, judge_case
from satjudge.judging.position import Position, read_sheet_position
from satjudge.judging.solve import Engine
from satjudge.notation.documents import Cases, case_origin
from satjudge.notation.parse import parse_order, parse_power
from satjudge.notation.sheets import Sheet
from satjudge.show.findings import iter_case_lines
from satjudge.show.text import make_heading
from satjudge.world.board import Phase
from satjudge.world.geography import Map, Power
from satjudge.world.orders import Decline
from satjudge.world.rules import Rulebook


@command(
    epilog='Examples:  satjudge explain datc:6.F.14  ·  satjudge explain datc:6.F.16 "F WAL - ENG" --why-not  ·  '
    'satjudge explain datc:6.D.3 --without "F ION - ADR"  ·  satjudge explain datc:6.D.3 --with "Italy: A VEN - TYR"  ·  '
    "satjudge explain sheet.txt --pivotal  ·  satjudge explain sheet.txt 'A PAR - BUR' --what-would-change"
)
def explain(
    file: str = argument(),
    order: str | None = argument(required=False),
    identity: str | None = options.case,
    ask_what_would_change: bool = flag(
        "Find a new order for one other unit that changes the result of ORDER.", "--what-would-change"
    ),
    ask_why_not: bool = flag("Show if a failed ORDER succeeds in another resolution.", "--why-not"),
    without: tuple[str, ...] = option("Show what changes if this order is left out.", metavar="ORDER", multiple=True),
    with_: tuple[str, ...] = option(
        "Show what changes if a unit gets this order.", "--with", metavar="POWER: ORDER", multiple=True
    ),
    pivotal: bool = flag("Find orders without which the outcome, or the verdict on ORDER, would be different."),
    game_map: Map | None = options.game_map,
    rules: RulesOptions = options.rules,
    engine: Engine = options.engine(Engine.STAGED),
    as_json: bool = options.json,
) -> None:
    """Explain why the orders in FILE succeed or fail.

    ORDER can be an order, a unit, or a power. If you leave it out, satjudge explains all orders. Each explanation gives the
    strengths, the orders responsible and the rules. A number in brackets is a section of the DATC; [4.A.2=szykman] is a
    choice in the rulebook.
    """
    if ask_what_would_change + ask_why_not + pivotal + bool(without or with_) > 1:
        questions = "--what-would-change, --why-not, --pivotal and --without/--with are separate questions"
        raise click.UsageError(f"{questions}, so ask one at a time")
    if ask_what_would_change and order is None:
        raise click.UsageError("--what-would-change asks about one order: name ORDER after FILE")
    documents: list[ExplainedCase] = []
    missing: InputError | None = None
    sheets = read_cases(file, identity, game_map)
    if ask_what_would_change or ask_why_not or pivotal or without or with_:
        sheets = select_movement(sheets, "this question needs a movement phase")
        check_movement(sheets[0], "this question needs a movement phase; leave out the option to get the verdicts explained")
    for sheet in sheets:
        case = _CaseQuestion(sheet, rules.load_rulebook(sheet.rules), engine, order)
        try:
            if ask_what_would_change:
                answer = case.list_changing_orders()
            elif ask_why_not:
                answer = case.explain_why_not()
            elif pivotal:
                answer = case.list_pivotal_orders()
            elif without or with_:
                answer = case.explain_what_if(without, with_)
            else:
                answer = case.explain()
        except NotFoundError as error:  # another case of the file may have the order
            missing = missing or error.add_place(source=sheet.heading)
            continue
        documents.append(ExplainedCase(**case_origin(sheet, case.rulebook), engine=engine, **answer))
        if not as_json:
            write_text(
                "\n".join((make_heading(sheet, case.rulebook).plain_text, *iter_case_lines(documents[-1], sheet.map), ""))
            )
    if missing is not None and not documents:
        raise missing
    if as_json:
        write_json(Cases(documents))


Answer = dict[str, Any]
"""The fields of the document that answer the question."""


@dataclass(frozen=True)
class _CaseQuestion:
    """A case and a question about it, or about one of its orders."""

    sheet: Sheet
    rulebook: Rulebook
    engine: Engine
    order: str | None

    @cached_property
    def position(self) -> Position:
        return read_sheet_position(self.sheet)

    def explain(self) -> Answer:
        """Return the explanations of all verdicts, or only of those for the requested order or power."""
        try:
            return self._explain()
        except (NotFoundError, NotationError):
            with suppress(NotationError):
                power = parse_power(self.order or "", self.sheet.map)
                return replace(self, order=None)._explain_power(power)
            raise

    def _explain_power(self, power: Power) -> Answer:
        """Return the explanations of the verdicts on a power's orders; raise `NotFoundError` if the power has none."""
        found = {key: [one for one in answer if one.power == power] for key, answer in self._explain().items()}
        if not any(found.values()):
            raise NotFoundError(f"{self.sheet.map.name_of(power)} has no orders")
        return found

    def _explain(self) -> Answer:
        if self.sheet.phase is not Phase.MOVEMENT:
            return {"orders": self._select_explanations(self.position.explain(rulebook=self.rulebook))}
        return self._explain_movement()

    def _explain_movement(self) -> Answer:
        judged = judge_case(self.sheet, self.rulebook, self.engine)
        movement = judged.require_movement()
        retreats = retreat_explanations(judged.retreats, rulebook=self.rulebook, movement=movement) if judged.retreats else []
        if self.order is None:
            return {"orders": explanations(movement), "retreats": retreats}
        try:
            power, text = self._split_power(self.order)
            return {"orders": [why(movement, text, power)]}
        except (NotFoundError, NotationError):
            with suppress(NotFoundError):
                return {"retreats": self._select_explanations(retreats)}
            raise

    def _split_power(self, text: str) -> tuple[Power | None, str]:
        """Split `FRANCE: A PAR - BUR` into the power and the order; the power is None if none is named."""
        power, colon, rest = text.partition(":")
        return (parse_power(power, self.sheet.map), rest.strip()) if colon else (None, text)

    def _select_explanations(self, candidates: list[Explanation]) -> list[Explanation]:
        """Return the candidate for the requested order, or all without a request; if missing, raise `NotFoundError`."""
        if self.order is None:
            return candidates
        power, text = self._split_power(self.order)
        return [find_explanation([one for one in candidates if power in (None, one.power)], text, self.position.board)]

    def explain_why_not(self) -> Answer:
        """Return whether the requested order, or each failed one, could succeed in another resolution, or why it cannot."""
        outcome = judge(*self.position, rulebook=self.rulebook, engine=self.engine)
        adjudication = outcome.adjudication
        if self.order is not None:
            power, text = self._split_power(self.order)
            answers = [why_not(outcome, text, power)]
        else:
            failed = [d for d in adjudication.situation.decisions if not adjudication.values[d.index]]
            answers = [why_not(outcome, decision.order, decision.power) for decision in failed]
        return {"why_not": answers, "no_resolution": why_no_resolution(outcome)}

    def explain_what_if(self, removed_texts: Sequence[str], added_texts: Sequence[str]) -> Answer:
        """Return what changes without the orders `removed_texts` and with `added_texts` in place of their units' orders."""
        added = [self._find_owner(text) for text in added_texts]
        subject = None if self.order is None else self._split_power(self.order)
        options: dict[str, Any] = {"rulebook": self.rulebook, "engine": self.engine}
        return {"change": what_if(self.position, without=removed_texts, with_=added, asked=subject, **options)}

    def _find_owner(self, text: str) -> tuple[Power, str]:
        """Return the power that an order names, or else the owner of its unit, and the order's text without the power."""
        power, order = self._split_power(text)
        if power is not None:
            return power, order
        read = parse_order(order, self.sheet.map)
        unit = None if isinstance(read, Decline) else self.position.board.unit_at.get(read.unit.province)
        if unit is None:
            raise NotFoundError(f"there is no unit for {order}", suggestion=f"to name its power, write POWER: {order}")
        return unit.power, order

    def list_pivotal_orders(self) -> Answer:
        """Return each order whose removal would change the outcome, or the requested order's verdict."""
        subject = None if self.order is None else self._split_power(self.order)
        found = pivotal_orders(self.position, asked=subject, rulebook=self.rulebook, engine=self.engine)
        return {"pivotal": found} | ({"pivotal_for": self.order} if subject else {})

    def list_changing_orders(self) -> Answer:
        """Return other orders, each for one other unit, that would change the requested order's result."""
        power, text = self._split_power(self.order or "")
        found = what_would_change(self.position, text, power, rulebook=self.rulebook, engine=self.engine)
        return {"what_would_change": found}
