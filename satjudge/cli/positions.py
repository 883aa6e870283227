"""Commands about one position: `judge`, `resolutions`, `equations`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from satjudge import __version__
from satjudge.board import Phase
from satjudge.cli.common import (
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
)
from satjudge.errors import InputError, RulebookError, SatjudgeError, SheetError, UnresolvedError, reason_of
from satjudge.judge import judge_phase, situation_of
from satjudge.notation.sheets import Sheet
from satjudge.outcome import Outcome
from satjudge.retreats import judge_retreats
from satjudge.rules import DEFAULT_RULES, Rulebook, preset_names
from satjudge.solve import Engine

if TYPE_CHECKING:
    from satjudge.research.compare import Comparison


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
    results, silent = [], False
    for sheet in read_cases(file, identity, lenient=lenient):
        rulebook = rulebook_from_options(rules, settings, sheet.rules)
        try:
            results.append(_judge_case(sheet, rulebook, Engine(engine), as_json))
        except InputError:
            raise
        except SatjudgeError as error:
            silent = True
            results.append(_no_answer(sheet, rulebook, error, as_json))
    if as_json:
        write_json({"engine": engine, "cases": results})
    return 1 if silent else 0


def _no_answer(sheet: Sheet, rulebook: Rulebook, error: SatjudgeError, as_json: bool) -> dict[str, Any]:
    """Tell of a case that the rulebook has no answer to, or the engine none."""
    key = "unresolved" if isinstance(error, UnresolvedError) else "unanswered"
    if as_json:
        return provenance(rulebook, phase=sheet.phase, title=sheet.title, id=sheet.identity or None) | {key: str(error)}
    from rich.text import Text

    show(Text(f"{heading(sheet)}  [{rulebook.name}]", style="bold"), Text(f"{key.capitalize()}: {error}"), "")
    return {}


def _judge_case(sheet: Sheet, rulebook: Rulebook, engine: Engine, as_json: bool) -> dict[str, Any]:
    board, orders = sheet.board, sheet.orders_by_power()
    outcome = judge_phase(board, orders, rulebook=rulebook, engine=engine)
    retreats = None
    if sheet.has_retreats and isinstance(outcome, Outcome):
        retreats = judge_retreats(outcome.retreat_board, sheet.retreats_by_power(), rulebook=rulebook)
    if as_json:
        from satjudge.batch import written

        answer = provenance(rulebook, phase=board.phase, title=sheet.title) | written(outcome, sheet.identity or None)
        return answer | ({"retreats": written(retreats, None)} if retreats else {})
    from rich.text import Text

    from satjudge.render.text import outcome_table, retreats_due

    show(Text(f"{heading(sheet)}  [{rulebook.name}]", style="bold"), outcome_table(outcome))
    if retreats:
        show(Text("Retreats", style="bold"), outcome_table(retreats))
    elif due := retreats_due(outcome):
        show(Text(due))
    show("")
    return {}


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
def equations(
    file: str, identity: str | None, rules: str | None, settings: tuple[str, ...], proto: Path | None
) -> None:
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
        tell(f"# {heading(sheet)} [{rulebook.name}]")
        for line in lines(situation):
            tell(line)


@click.command(epilog="Examples:  satjudge compare datc:6.F.17 --rules all  ·  satjudge compare sheet.txt --rules 1982,2025ee")
@click.argument("file")
@case_option
@click.option("--rules", "names", default="all", show_default=True, metavar="A,B,...", help="Rulebooks, or `all` presets.")
@click.option("--set", "settings", multiple=True, metavar="ISSUE=VALUE", help="Settle one issue otherwise in all of them.")
@engine_option(Engine.STAGED)
@json_option
def compare(
    file: str, identity: str | None, names: str, settings: tuple[str, ...], engine: str, as_json: bool
) -> None:
    """Judge FILE under several rulebooks side by side.

    A column for those that say the same; what differs from the first is marked, with the issue that makes the difference.
    """
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
            documents.append(_comparison_document(sheet, comparison, engine))
        else:
            from rich.text import Text

            from satjudge.render.text import comparison_table

            show(Text(heading(sheet), style="bold"), comparison_table(comparison, sheet.map), "")
    if as_json:
        write_json({"cases": documents})


def named_rulebooks(names: str) -> list[str]:
    """The rulebooks named, `all` standing for the presets with the default one first; each once."""
    presets = sorted(preset_names(), key=lambda name: (name != DEFAULT_RULES, name))
    listed = [name.strip() for name in names.split(",") if name.strip()]
    return list(dict.fromkeys(each for name in listed for each in (presets if name == "all" else [name])))


def _comparison_document(sheet: Sheet, comparison: Comparison, engine: str) -> dict[str, Any]:
    return {
        "satjudge": __version__,
        "id": sheet.identity or None,
        "title": sheet.title,
        "engine": engine,
        "agrees": comparison.agrees,
        "rulebooks": {rulebook.name: rulebook.settings() for rulebook in comparison.rulebooks},
        "orders": [
            {
                "power": power,
                "order": order,
                "verdicts": {
                    rulebook.name: column[position]
                    for rulebook, column in zip(comparison.rulebooks, comparison.columns, strict=True)
                },
                "causes": {
                    rulebook.name: list(causes[position])
                    for rulebook, causes in zip(comparison.rulebooks, comparison.causes, strict=True)
                    if causes[position]
                },
            }
            for position, (power, order) in enumerate(comparison.orders)
        ],
    }
