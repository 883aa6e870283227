"""The command `explain`: why a verdict is what it is, why not another, and what would change it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from satjudge.board import Phase, Unit
from satjudge.cli.common import (
    case_option,
    engine_option,
    heading,
    json_option,
    provenance,
    read_cases,
    rulebook_from_options,
    rules_options,
    tell,
    write_json,
)
from satjudge.equations.printing import name
from satjudge.errors import InputError, NotationError, NotFoundError, SheetError
from satjudge.geography import Map, Power
from satjudge.judge import judge_phase
from satjudge.notation import parse_order, parse_power
from satjudge.notation.sheets import Sheet
from satjudge.orders import Decline
from satjudge.outcome import Outcome
from satjudge.retreats import judge_retreats
from satjudge.rules import Rulebook
from satjudge.solve import Engine

if TYPE_CHECKING:
    from satjudge.explain import Change, Contradiction, Dislodged, Explanation, Pivot, Reason, VerdictChange, WhyNot

Document = dict[str, Any]


@click.command(
    epilog='Examples:  satjudge explain datc:6.F.14  ·  satjudge explain datc:6.F.16 "F WAL - ENG" --why-not  ·  '
    'satjudge explain datc:6.D.3 --without "F ION - ADR"  ·  satjudge explain datc:6.D.3 --with "Italy: A VEN - TYR"  ·  '
    "satjudge explain sheet.txt --pivotal"
)
@click.argument("file")
@click.argument("order", required=False)
@case_option
@click.option("--why-not", "ask_why_not", is_flag=True, help="Could it have succeeded, been given or been available?")
@click.option("--without", "without", multiple=True, metavar="ORDER", help="What changes if this order is left out?")
@click.option("--with", "with_", multiple=True, metavar="POWER: ORDER", help="What changes if its unit gets this order?")
@click.option("--pivotal", is_flag=True, help="Which orders change positions or dislodgements if they are left out?")
@rules_options
@engine_option(Engine.STAGED)
@json_option
def explain(
    file: str,
    order: str | None,
    identity: str | None,
    ask_why_not: bool,
    without: tuple[str, ...],
    with_: tuple[str, ...],
    pivotal: bool,
    rules: str | None,
    settings: tuple[str, ...],
    engine: str,
    as_json: bool,
) -> None:
    """Say why the orders in FILE come out as they do.

    All orders, or just ORDER: with numbers, culprits and rules. ORDER is written in either notation; a unit alone stands for
    its order. Numbers in brackets are those of the DATC; an issue such as [4.A.2=szykman] is one that the rulebook has
    chosen on.
    """
    asked = [name for name, value in (("--why-not", ask_why_not), ("--pivotal", pivotal)) if value]
    if len(asked + ["--without/--with"] * bool(without or with_)) > 1:
        raise click.UsageError("--why-not, --pivotal and --without/--with are questions of their own: ask one at a time")
    documents: list[Document] = []
    missing: InputError | None = None
    for sheet in read_cases(file, identity):
        case = _Case(sheet, rulebook_from_options(rules, settings, sheet.rules), Engine(engine), order)
        try:
            if ask_why_not:
                lines, document = case.why_not()
            elif pivotal:
                lines, document = case.pivotal()
            elif without or with_:
                lines, document = case.what_if(without, with_)
            else:
                lines, document = case.why()
        except NotFoundError as error:  # another case of the file may have the order
            missing = missing or error.at(source=heading(sheet))
            continue
        about = provenance(case.rulebook, engine=engine, id=sheet.identity or None, title=sheet.title)
        documents.append(about | document)
        if not as_json:
            tell("\n".join((f"{heading(sheet)}  [{case.rulebook.name}]", *lines, "")))
    if missing is not None and not documents:
        raise missing
    if as_json:
        write_json({"cases": documents})


Answer = tuple[list[str], Document]
"""For people, and for machines."""


class _Case:
    """One case and the question about it."""

    def __init__(self, sheet: Sheet, rulebook: Rulebook, engine: Engine, order: str | None) -> None:
        self.sheet = sheet
        self.rulebook = rulebook
        self.engine = engine
        self.order = order
        self.board = sheet.board
        self.orders = sheet.orders_by_power()

    def _movement(self) -> Outcome:
        outcome = judge_phase(self.board, self.orders, rulebook=self.rulebook, engine=self.engine)
        if not isinstance(outcome, Outcome):
            what = "only movement phases have equations to ask; without an option the verdicts are explained"
            raise SheetError(what, source=self.sheet.source_file, line=self.sheet.line)
        return outcome

    def why(self) -> Answer:
        """Why the verdicts are what they are."""
        from satjudge.explain import adjustment_explanations

        if self.sheet.phase is Phase.ADJUSTMENT:
            outcome = judge_phase(self.board, self.orders, rulebook=self.rulebook)
            found = adjustment_explanations(outcome, rulebook=self.rulebook)  # type: ignore[arg-type]
            return self._told({"orders": self._sought(found)})
        return self._told(self._why_movement())

    def _why_movement(self) -> dict[str, list[Explanation]]:
        from satjudge.explain import explanations, retreat_explanations
        from satjudge.explain import why as why_one

        movement = self._movement()
        retreats: list[Explanation] = []
        if self.sheet.retreats:
            judged = judge_retreats(movement.retreat_board, self.sheet.retreats_by_power(), rulebook=self.rulebook)
            retreats = retreat_explanations(judged, rulebook=self.rulebook, movement=movement)
        if self.order is None:
            return {"orders": explanations(movement), "retreats": retreats}
        try:
            power, text = self._split(self.order)
            return {"orders": [why_one(movement, text, power)]}
        except (NotFoundError, NotationError):
            if retreats and (sought := self._sought(retreats, quiet=True)):
                return {"retreats": sought}
            raise

    def _split(self, text: str) -> tuple[Power | None, str]:
        """A power in front of an order, `FRANCE: A PAR - BUR`."""
        power, colon, rest = text.partition(":")
        return (parse_power(power, self.sheet.map), rest.strip()) if colon else (None, text)

    def _sought(self, found: list[Explanation], *, quiet: bool = False) -> list[Explanation]:
        """The explanation of the order that is asked for."""
        if self.order is None:
            return found
        power, text = self._split(self.order)
        texts = {text.strip().upper()}
        for phase in (Phase.RETREAT, Phase.ADJUSTMENT):
            try:
                texts.add(str(parse_order(text, self.sheet.map, phase)).upper())
            except NotationError:
                continue
        chosen = [entry for entry in found if entry.order.upper() in texts and power in (None, entry.power)]
        if not chosen and not quiet:
            known = "; ".join(entry.order for entry in found)
            raise NotFoundError(f"there is no order {text}", suggestion=f"there are {known}")
        return chosen

    def _told(self, groups: dict[str, list[Explanation]]) -> Answer:
        lines: list[str] = []
        for group, found in groups.items():
            if found and group == "retreats":
                lines.append("Retreats")
            lines += explanation_lines(found, self.sheet.map)
        return lines, {group: [_explanation(entry) for entry in found] for group, found in groups.items()}

    def why_not(self) -> Answer:
        """Whether orders could have had their way; without ORDER those that have it not."""
        from satjudge.explain import why_no_resolution, why_not

        outcome = self._movement()
        adjudication = outcome.adjudication
        if self.order is not None:
            power, text = self._split(self.order)
            answers = [why_not(outcome, text, power)]
        else:
            failed = [d for d in adjudication.situation.decisions if not adjudication.values[d.index]]
            answers = [why_not(outcome, decision.order, decision.power) for decision in failed]
        cores = why_no_resolution(outcome)
        lines = [line for answer in answers for line in (answer.wish, *(f"  {step}" for step in answer.steps))]
        for core in cores:
            orders = "; ".join(str(decision) for decision in core.core.decisions)
            lines += [f"The core {orders} has no resolution", *(f"  {step}" for step in core.steps)]
        return lines, {"why_not": [_why_not(a, outcome) for a in answers], "no_resolution": [_contradiction(c) for c in cores]}

    def what_if(self, without: Sequence[str], with_: Sequence[str]) -> Answer:
        """What changes with other orders."""
        from satjudge.explain import what_if
        from satjudge.explain import why as why_one

        self._movement()
        added = [self._owned(text) for text in with_]
        change = what_if(
            self.board, self.orders, without=without, with_=added, rulebook=self.rulebook, engine=self.engine
        )
        lines, document = list(_change_lines(change, self.sheet.map)), _change(change)
        if self.order is not None:
            power, text = self._split(self.order)
            found = why_one(change.after, text, power)
            lines += ["Then", *explanation_lines([found], self.sheet.map)]
            document["order"] = _explanation(found)
        return lines, {"change": document}

    def _owned(self, text: str) -> tuple[Power, str]:
        """An order with its power: the one that is named, else the owner of the unit."""
        power, order = self._split(text)
        if power is not None:
            return power, order
        read = parse_order(order, self.sheet.map)
        unit = None if isinstance(read, Decline) else self.board.unit_at.get(read.unit.province)
        if unit is None:
            raise NotFoundError(f"whose order is {order}? There is no such unit", suggestion=f"write POWER: {order}")
        return unit.power, order

    def pivotal(self) -> Answer:
        """The orders on which the outcome hangs."""
        from satjudge.explain import pivotal_orders

        self._movement()
        found = pivotal_orders(self.board, self.orders, rulebook=self.rulebook, engine=self.engine)
        lines = [line for pivot in found for line in _pivot_lines(pivot, self.sheet.map)]
        return lines or ["No order is pivotal."], {"pivotal": [_pivot(pivot) for pivot in found]}


def explanation_lines(found: Sequence[Explanation], game_map: Map) -> Iterator[str]:
    """Explanations power by power, a line for each reason, those for what it takes for granted farther right."""
    power = None
    for entry in found:
        if entry.power != power:
            power = entry.power
            yield f"{game_map.name_of(power)}:"
        _, *rest = [line for reason in entry.reasons for line in _reason_lines(reason, 2)]
        yield f"  {entry.order}  {entry.head}"
        yield from rest


def _reason_lines(reason: Reason, depth: int) -> Iterator[str]:
    yield f"{'  ' * depth}{reason}"
    for below in reason.nested:
        yield from _reason_lines(below, depth + 1)


def _change_lines(change: Change, game_map: Map) -> Iterator[str]:
    if not change.verdicts:
        yield "Nothing changes."
    for entry in change.verdicts:
        before, after = entry.before or "not ordered", entry.after or "left out"
        yield f"  {game_map.name_of(entry.power)}  {entry.order}: {before} -> {after}"
    yield from _outcome_lines(change)


def _outcome_lines(change: Change) -> Iterator[str]:
    game_map = change.before.board.map
    gone, come = change.positions
    yield from (f"  no longer there: {_unit_line(entry, game_map)}" for entry in gone)
    yield from (f"  now there: {_unit_line(entry, game_map)}" for entry in come)
    before, after = change.dislodgements
    both = {entry.unit for entry in before} & {entry.unit for entry in after}
    yield from (f"  no longer: {_unit_line(entry, game_map)}" for entry in before if entry.unit not in both)
    for entry in after:
        still = "still" if entry.unit in both else "now"
        yield f"  {still}: {_unit_line(entry, game_map)}"


def _unit_line(entry: Unit | Dislodged, game_map: Map) -> str:
    if isinstance(entry, Unit):
        return f"{entry} of {game_map.name_of(entry.power)}"
    fate = f"dislodged (may retreat to {', '.join(entry.retreats)})" if entry.retreats else "destroyed"
    return f"{entry.unit} of {game_map.name_of(entry.unit.power)} {fate}"


def _pivot_lines(pivot: Pivot, game_map: Map) -> Iterator[str]:
    yield f"Without {pivot.order} of {game_map.name_of(pivot.power)}"
    if pivot.change is None:
        yield "  the rulebook has no answer"
    else:
        yield from _outcome_lines(pivot.change)


# As JSON.


def _reason(reason: Reason) -> Document:
    return {
        "text": reason.text,
        "rules": reason.rules,
        "culprits": [found._asdict() for found in reason.culprits],
        "strengths": reason.strengths,
        "because": [_reason(below) for below in reason.nested],
    }


def _explanation(entry: Explanation) -> Document:
    return {
        "power": entry.power,
        "order": entry.order,
        "verdict": str(entry.verdict),
        "text": entry.text,
        "rules": entry.rules,
        "culprits": [found._asdict() for found in entry.culprits],
        "reasons": [_reason(reason) for reason in entry.reasons],
        "core": entry.core,
    }


def _why_not(answer: WhyNot, outcome: Outcome) -> Document:
    decisions = outcome.adjudication.situation.decisions
    values = answer.resolution
    return {
        "power": answer.power,
        "order": answer.order,
        "wish": answer.wish,
        "possible": answer.possible,
        "resolution": {str(decision): values[decision.index] for decision in decisions} if values else None,
        "forbidding": [name(decision) for decision in answer.forbidding],
        "steps": answer.steps,
    }


def _contradiction(found: Contradiction) -> Document:
    return {
        "core": [str(decision) for decision in found.core.decisions],
        "equations": [name(decision) for decision in found.equations],
        "steps": found.steps,
    }


def _units(units: Sequence[Unit]) -> list[Document]:
    return [{"power": unit.power, "unit": str(unit)} for unit in units]


def _change(change: Change) -> Document:
    gone, come = change.dislodgements
    return {
        "outcome_differs": change.outcome_differs,
        "verdicts": [_verdict_change(entry) for entry in change.verdicts],
        "positions": {"before": _units(change.positions[0]), "after": _units(change.positions[1])},
        "dislodgements": {
            side: [{"power": lost.unit.power, "unit": str(lost.unit), "retreats": lost.retreats} for lost in found]
            for side, found in (("before", gone), ("after", come))
        },
    }


def _verdict_change(entry: VerdictChange) -> Document:
    before, after = (None if verdict is None else str(verdict) for verdict in (entry.before, entry.after))
    return {"power": entry.power, "order": entry.order, "before": before, "after": after}


def _pivot(pivot: Pivot) -> Document:
    change = _change(pivot.change) if pivot.change else None
    return {"power": pivot.power, "order": pivot.order, "change": change}
