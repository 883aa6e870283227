"""Commands about one position: `judge`, `equations`, `compare`, `resolutions`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from satjudge.board import Phase
from satjudge.cli.common import (
    MOST,
    Seconds,
    case_option,
    engine_option,
    json_option,
    read_cases,
    rulebook_from_options,
    rules_options,
    show,
    tell,
    write_json,
    write_json_line,
)
from satjudge.errors import InputError, RulebookError, SatjudgeError, SheetError, UnresolvedError, reason_of
from satjudge.judge import judge as judge_movement
from satjudge.judge import judge_phase, situation_of
from satjudge.notation.sheets import Sheet
from satjudge.outcome import Outcome
from satjudge.retreats import judge_retreats
from satjudge.rules import DEFAULT_RULES, Rulebook, preset_names
from satjudge.solve import Engine
from satjudge.solve.result import Limits

if TYPE_CHECKING:
    from satjudge.documents.positions import JudgedCase, Resolved


@click.command(
    epilog="Examples:  satjudge judge datc:6.F.14  ·  satjudge judge --json sheet.txt  ·  satjudge judge - < sheet.txt"
)
@click.argument("file")
@case_option
@rules_options
@engine_option(Engine.STAGED)
@click.option("--lenient", is_flag=True, help="Orders that cannot be read are illegal, with the reason, and no error.")
@json_option
def judge(
    file: str,
    identity: str | None,
    rules: str | None,
    settings: tuple[str, ...],
    engine: str,
    lenient: bool,
    as_json: bool,
) -> int:
    """Judge the orders in FILE, with the reasons.

    It says the verdict on each order, dislodgements, retreats, what the backup rules did, and the position afterwards.
    The exit code is 1 if the rulebook, or the engine, has no answer to a case; the others are judged all the same.
    """
    cases, silent = [], False
    for sheet in read_cases(file, identity, lenient=lenient):
        rulebook = rulebook_from_options(rules, settings, sheet.rules)
        try:
            case = _judge_case(sheet, rulebook, Engine(engine), as_json)
        except InputError:
            raise
        except SatjudgeError as error:
            silent = True
            case = _no_answer(sheet, rulebook, error, as_json)
        cases += [case] if case else []
    if as_json:
        from satjudge.documents.positions import Judged

        write_json(Judged(engine, cases))
    return 1 if silent else 0


def _judge_case(sheet: Sheet, rulebook: Rulebook, engine: Engine, as_json: bool) -> JudgedCase | None:
    """Judge a case and show what became of it; or make a document of it."""
    outcome = judge_phase(sheet.board, sheet.orders_by_power(), rulebook=rulebook, engine=engine)
    retreats = None
    if sheet.has_retreats and isinstance(outcome, Outcome):
        retreats = judge_retreats(outcome.retreat_board, sheet.retreats_by_power(), rulebook=rulebook)
    if as_json:
        from satjudge.documents.positions import judged_case

        return judged_case(sheet, rulebook, outcome, retreats)
    from satjudge.render.text import judged_text

    show(*judged_text(sheet, rulebook, outcome, retreats))
    return None


def _no_answer(sheet: Sheet, rulebook: Rulebook, error: SatjudgeError, as_json: bool) -> JudgedCase | None:
    """Tell of a case that the rulebook has no answer to, or the engine none."""
    if as_json:
        from satjudge.documents.positions import unjudged_case

        return unjudged_case(sheet, rulebook, error)
    from satjudge.render.text import unjudged_text

    show(*unjudged_text(sheet, rulebook, error))
    return None


def check_movement(sheet: Sheet) -> None:
    """Raise `SheetError` for a sheet of another phase."""
    if sheet.phase is not Phase.MOVEMENT:
        raise SheetError("only movement phases have equations and resolutions", source=sheet.source_file, line=sheet.line)


@click.command(epilog="Examples:  satjudge equations datc:6.F.14  ·  satjudge equations sheet.txt --proto model.pbtxt")
@click.argument("file")
@case_option
@rules_options
@click.option(
    "--proto", type=click.Path(dir_okay=False, path_type=Path), help="Write the CP-SAT model there (text, or .pb binary)."
)
def equations(file: str, identity: str | None, rules: str | None, settings: tuple[str, ...], proto: Path | None) -> None:
    """Print the equations that FILE poses.

    They are those of every decision, path and strength, with all that is constant folded away.
    """
    from satjudge.equations.printing import lines

    sheets = read_cases(file, identity)
    if proto and len(sheets) > 1:
        raise click.UsageError(f"--proto writes one model, but {file} holds {len(sheets)} cases: choose one with --case ID")
    for sheet in sheets:
        check_movement(sheet)
        rulebook = rulebook_from_options(rules, settings, sheet.rules)
        situation = situation_of(sheet.board, sheet.orders_by_power(), rulebook=rulebook)
        if proto:
            from satjudge.solve.cpsat import Model

            try:
                Model(situation, [None] * len(situation.decisions)).with_names().posted().write(proto)
            except OSError as error:
                raise click.FileError(str(proto), reason_of(error)) from None
            tell(f"wrote {proto}", err=True)
        tell(f"# {sheet.heading} [{rulebook.name}]")
        for line in lines(situation):
            tell(line)


@click.command(epilog="Examples:  satjudge compare datc:6.F.17 --rules all  ·  satjudge compare sheet.txt --rules 1982,2025ee")
@click.argument("file")
@case_option
@click.option("--rules", "names", default="all", show_default=True, metavar="A,B,...", help="Rulebooks, or `all` presets.")
@click.option("--set", "settings", multiple=True, metavar="ISSUE=VALUE", help="Settle one issue otherwise in all of them.")
@engine_option(Engine.STAGED)
@json_option
def compare(file: str, identity: str | None, names: str, settings: tuple[str, ...], engine: str, as_json: bool) -> None:
    """Judge FILE under several rulebooks side by side.

    A column for those that say the same; what differs from the first is marked, with the issue that makes the difference.
    """
    from satjudge.documents.positions import ComparedCases, compared_case
    from satjudge.render.text import compared_text
    from satjudge.research.compare import compare as compare_rulebooks

    documents = []
    for sheet in read_cases(file, identity):
        chosen = named_rulebooks(names)
        if not chosen:
            raise RulebookError("name at least one rulebook", suggestion=f"there are {', '.join(preset_names())}")
        rulebooks = [rulebook_from_options(name, settings) for name in chosen]
        comparison = compare_rulebooks(
            sheet.board, sheet.orders_by_power(), rulebooks, retreats=sheet.retreats_by_power(), engine=Engine(engine)
        )
        if as_json:
            documents.append(compared_case(sheet, comparison, engine))
        else:
            show(*compared_text(sheet, comparison))
    if as_json:
        write_json(ComparedCases(documents))


def named_rulebooks(names: str) -> list[str]:
    """The rulebooks named, `all` standing for the presets with the default one first; each once."""
    presets = sorted(preset_names(), key=lambda name: (name != DEFAULT_RULES, name))
    listed = [name.strip() for name in names.split(",") if name.strip()]
    return list(dict.fromkeys(each for name in listed for each in (presets if name == "all" else [name])))


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
    from satjudge.documents.positions import ResolvedCases, resolution_lines, resolved_case
    from satjudge.render.text import resolved_text

    found = []
    for sheet in _movement_cases(file, identity):
        rulebook = rulebook_from_options(rules, settings, sheet.rules)
        found.append(_resolve(sheet, rulebook, Engine(engine), Limits(limit, timeout)))
    if graph:
        _write_graph(found[0], graph)
    if jsonl:
        for case in found:
            for line in resolution_lines(case):
                write_json_line(line)
            least = "" if case.found.complete else "at least "
            tell(f"{case.sheet.heading}: {least}{case.found.count:,} consistent resolutions", err=True)
    elif as_json:
        write_json(ResolvedCases([resolved_case(case, engine) for case in found]))
    else:
        for case in found:
            show(*resolved_text(case, shown))
    return 1 if any(case.unresolved for case in found) else 0


def _movement_cases(file: str, identity: str | None) -> list[Sheet]:
    """The cases of FILE that have resolutions; others are passed over with a word, unless there is nothing else."""
    sheets = read_cases(file, identity)
    moving = [sheet for sheet in sheets if sheet.phase is Phase.MOVEMENT]
    if not moving:
        check_movement(sheets[0])
    for sheet in sheets:
        if sheet.phase is not Phase.MOVEMENT:
            tell(f"{sheet.heading}: passed over, only movement phases have resolutions", err=True)
    return moving


def _resolve(sheet: Sheet, rulebook: Rulebook, engine: Engine, limits: Limits) -> Resolved:
    from satjudge.documents.positions import Resolved

    try:
        outcome = judge_movement(sheet.board, sheet.orders_by_power(), rulebook=rulebook, engine=engine, limits=limits)
    except UnresolvedError as error:
        return Resolved(sheet, rulebook, error.resolutions, None, error)
    return Resolved(sheet, rulebook, outcome.adjudication.resolutions, outcome.adjudication)


def _write_graph(case: Resolved, path: Path) -> None:
    from satjudge.cores import dependency_graph
    from satjudge.render.graphs import cycle_svg, to_dot, to_graphml, to_json

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
