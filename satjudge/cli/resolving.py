"""The command `resolutions`: every consistent resolution of a position, and the cores that make them none or several."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from satjudge.board import Phase
from satjudge.cli.common import (
    MOST,
    Seconds,
    case_option,
    engine_option,
    heading,
    json_option,
    provenance,
    read_cases,
    rulebook_from_options,
    rules_options,
    show,
    tell,
    write_json,
    write_json_line,
)
from satjudge.cli.positions import check_movement
from satjudge.errors import UnresolvedError, reason_of
from satjudge.judge import judge
from satjudge.notation.sheets import Sheet
from satjudge.rules import Rulebook
from satjudge.solve import Engine
from satjudge.solve.result import Adjudication, Limits, Resolutions

if TYPE_CHECKING:
    from satjudge.research.cores import ClassifiedCore

LISTED_IN_JSON = 1000


@dataclass(frozen=True)
class _Resolved:
    """What there is to tell of one case; no adjudication where the rulebook has no answer to a core."""

    sheet: Sheet
    rulebook: Rulebook
    found: Resolutions
    adjudication: Adjudication | None
    error: UnresolvedError | None = None

    @property
    def unresolved(self) -> str | None:
        """Why there is no adjudication."""
        return str(self.error) if self.error else None

    @property
    def cores(self) -> list[ClassifiedCore]:
        """The cores; without an adjudication the one that has no answer."""
        from satjudge.research.cores import classify, classify_core

        if self.error and self.error.core:
            return [classify_core(self.found.situation, self.error.core, self.error.values)]
        return classify(self.adjudication) if self.adjudication and self.adjudication.cores else []


@click.command(
    epilog="Examples:  satjudge resolutions datc:6.F.16  ·  satjudge resolutions sheet.txt --jsonl | jq .decisions  ·  "
    "satjudge resolutions datc:6.F.28 --graph core.svg"
)
@click.argument("file")
@case_option
@rules_options
@engine_option(Engine.FULL)
@click.option("--show", "shown", type=click.IntRange(0, MOST), default=8, show_default=True, help="How many a table shows.")
@click.option("--limit", type=click.IntRange(1, MOST), default=Limits().count, show_default=True, help="How many to look for.")
@click.option("--timeout", type=Seconds(min=0, min_open=True), default=None, help="How many seconds to look for them.")
@click.option("--jsonl", is_flag=True, help="Write each resolution as a line, with every decision and strength.")
@click.option(
    "--graph",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the dependency graph there (.graphml, .dot, .json), or the first core drawn as a circle (.svg).",
)
@json_option
def resolutions(
    file: str,
    identity: str | None,
    rules: str | None,
    settings: tuple[str, ...],
    engine: str,
    shown: int,
    limit: int,
    timeout: float | None,
    jsonl: bool,
    graph: Path | None,
    as_json: bool,
) -> int:
    """Show every consistent resolution of FILE, side by side.

    Below them stand the cores, each as a cycle of orders, and what the backup rules made of them. --limit and --timeout
    may leave the answer partial; it says so then. The exit code is 1 if a core stays unresolved.
    """
    found = []
    for sheet in _movement_cases(file, identity):
        rulebook = rulebook_from_options(rules, settings, sheet.rules)
        found.append(_resolve(sheet, rulebook, Engine(engine), Limits(limit, timeout)))
    if graph:
        _write_graph(found[0], graph)
    if jsonl:
        for case in found:
            _write_lines(case)
    elif as_json:
        write_json({"cases": [_document(case, engine) for case in found]})
    else:
        _show(found, shown)
    return 1 if any(case.unresolved for case in found) else 0


def _movement_cases(file: str, identity: str | None) -> list[Sheet]:
    """The cases of FILE that have resolutions; others are passed over with a word, unless there is nothing else."""
    sheets = read_cases(file, identity)
    moving = [sheet for sheet in sheets if sheet.phase is Phase.MOVEMENT]
    if not moving:
        check_movement(sheets[0])
    for sheet in sheets:
        if sheet.phase is not Phase.MOVEMENT:
            tell(f"{heading(sheet)}: passed over, only movement phases have resolutions", err=True)
    return moving


def _resolve(sheet: Sheet, rulebook: Rulebook, engine: Engine, limits: Limits) -> _Resolved:
    try:
        outcome = judge(sheet.board, sheet.orders_by_power(), rulebook=rulebook, engine=engine, limits=limits)
    except UnresolvedError as error:
        return _Resolved(sheet, rulebook, error.resolutions, None, error)
    return _Resolved(sheet, rulebook, outcome.adjudication.resolutions, outcome.adjudication)


def _show(found: list[_Resolved], shown: int) -> None:
    from rich.text import Text

    from satjudge.render.text import cores_text, resolutions_table

    for case in found:
        show(
            Text(f"{heading(case.sheet)}  [{case.rulebook.name}]", style="bold"),
            resolutions_table(case.found, case.adjudication, shown),
            *(Text(line) for line in cores_text(case.cores)),
        )
        if case.unresolved:
            show(f"Unresolved: {case.unresolved}")
        show("")


def _resolution(case: _Resolved, values: tuple[bool, ...]) -> dict[str, Any]:
    from satjudge.equations.evaluate import hold_strengths, strengths

    situation = case.found.situation
    return {
        "decisions": {str(decision): values[decision.index] for decision in situation.decisions},
        "strengths": {
            str(move): {
                "path": found.path,
                "attack": found.attack,
                "prevent": found.prevent,
                "defend": found.defend,
                "opposition": found.opposition,
            }
            for move in situation.moves
            for found in [strengths(move, values)]
        },
        "hold": hold_strengths(situation, values),
    }


def _write_lines(case: _Resolved) -> None:
    for number, values in enumerate(case.found, start=1):
        about = provenance(case.rulebook, id=case.sheet.identity or None, resolution=number)
        write_json_line(about | _resolution(case, values))
    least = "" if case.found.complete else "at least "
    tell(f"{heading(case.sheet)}: {least}{case.found.count:,} consistent resolutions", err=True)


def _document(case: _Resolved, engine: str) -> dict[str, Any]:
    decisions = case.found.situation.decisions
    return {
        **provenance(case.rulebook, engine=engine, id=case.sheet.identity or None, title=case.sheet.title),
        "count": case.found.count,
        "complete": case.found.complete,
        "resolutions": [_resolution(case, values) for values in case.found.first(LISTED_IN_JSON)],
        "cores": [
            {
                "decisions": [str(decision) for decision in core.core.decisions],
                "kind": core.kind,
                "name": core.name,
                "order": core.order,
                "shape": core.shape,
                "resolutions": [
                    {str(decision): value for decision, value in zip(core.core.decisions, values, strict=True)}
                    for values in core.core.resolutions
                ],
            }
            for core in case.cores
        ],
        "rulings": [
            {
                "rule": ruling.rule,
                "core": [str(decision) for decision in ruling.core],
                "resolutions": ruling.resolutions,
                "settled": {str(decisions[index]): value for index, value in ruling.settled.items()},
            }
            for ruling in (case.adjudication.rulings if case.adjudication else ())
        ],
        "ruled": _resolution(case, case.adjudication.values) if case.adjudication else None,
        "unresolved": case.unresolved,
    }


def _write_graph(case: _Resolved, path: Path) -> None:
    from satjudge.research.cores import cycle_svg, dependency_graph, to_dot, to_graphml, to_json

    writers = {".graphml": to_graphml, ".dot": to_dot, ".json": to_json}
    if path.suffix not in {*writers, ".svg"}:
        raise click.UsageError(f"--graph writes {', '.join(writers)} or .svg, not {path.suffix or path.name}")
    if case.adjudication is None:
        raise click.UsageError("a graph needs a rulebook that has an answer; try --set 4.A.2=szykman")
    if path.suffix != ".svg":
        text = writers[path.suffix](dependency_graph(case.adjudication))
    elif case.cores:
        text = cycle_svg(case.cores[0])
    else:
        raise click.UsageError("there is no core to draw: every order is settled by partial information")
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise click.FileError(str(path), reason_of(error)) from None
    tell(f"wrote {path}", err=True)
