"""Commands that draw: `render` and `report`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from satjudge import __version__
from satjudge.cli.common import (
    cases_of,
    engine_option,
    heading,
    json_option,
    provenance,
    read_cases,
    rulebook_from_options,
    rules_options,
    standard_input,
    write_json,
)
from satjudge.cli.positions import named_rulebooks
from satjudge.errors import NotFoundError
from satjudge.notation.sheets import Sheet
from satjudge.solve import Engine

if TYPE_CHECKING:
    from satjudge.render.pictures.panels import Panels
    from satjudge.rules import Rulebook

_MOST_PANELS = 12

case_option = click.option("--case", "identity", default=None, metavar="ID", help="Which case of FILE, if it has several.")
output_option = click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), required=True, help="The file to write."
)


@click.command(
    epilog="Examples:  satjudge render datc:6.F.14 -o paradox.svg  ·  satjudge render datc:6.F.14 -o all.png --resolutions  ·  "
    "satjudge render datc:6.F.9 -o rules.svg --compare datc-3,1971  ·  satjudge render sheet.txt -o map.svg --whole"
)
@click.argument("file")
@output_option
@case_option
@click.option("--resolutions", is_flag=True, help="All consistent resolutions side by side, then the ruling.")
@click.option("--show", "shown", type=click.IntRange(1, _MOST_PANELS), default=6, show_default=True, help="How many of them.")
@click.option("--compare", "compared", metavar="A,B,...", help="These rulebooks (or `all`) side by side, differences marked.")
@click.option("--width", type=int, default=None, help="Pixels, to which all is scaled.  [default: what it needs, up to 1200]")
@click.option("--theme", default=None, help="light, dark, or auto: what the reader prefers.  [default: auto; for .png light]")
@click.option("--whole", is_flag=True, help="The whole map, even if all happens in one corner.")
@click.option("--title", default=None, help="The title, in place of the case's.")
@click.option("--no-legend", "legend", is_flag=True, flag_value=False, default=True, help="Leave the legend out.")
@rules_options
@engine_option(Engine.STAGED)
@json_option
def render(
    file: str,
    output: Path,
    identity: str | None,
    resolutions: bool,
    shown: int,
    compared: str | None,
    width: int | None,
    theme: str | None,
    whole: bool,
    title: str | None,
    legend: bool,
    rules: str | None,
    settings: tuple[str, ...],
    engine: str,
    as_json: bool,
) -> int:
    """Draw FILE: units, orders and what became of them.

    The exit code is 1 if the rulebook has no answer; the orders are drawn all the same.
    """
    from satjudge.render.pictures import Look, picture
    from satjudge.render.pictures.words import told
    from satjudge.render.png import check_png, to_png

    if resolutions and compared:
        raise click.UsageError("--resolutions and --compare are pictures of their own: ask for one at a time")
    kind = output.suffix.lower()
    _check_output(file, output, (".svg", ".png"))
    if kind == ".png":
        check_png()
    look = Look(theme or ("light" if kind == ".png" else "auto"), width, whole, legend)
    sheet = one_case(file, read_cases(file), identity)
    rulebook = rulebook_from_options(rules, settings, sheet.rules)
    names = named_rulebooks(compared) if compared else []
    chosen = [rulebook_from_options(name, settings) for name in names]
    panels = _panels(sheet, rulebook, Engine(engine), shown if resolutions else 0, chosen)
    drawn = picture(panels.scenes, title=heading(sheet) if title is None else title, notes=panels.notes, look=look)
    write_file(output, to_png(drawn) if kind == ".png" else drawn.encode())
    if as_json:
        text = [told(scene) for scene in panels.scenes]
        about = provenance(rulebook, engine=engine, id=sheet.identity or None)
        write_json(about | {"file": str(output), "notes": panels.notes, "text": text})
    return 0 if panels.resolved else 1


@click.command(
    epilog="Examples:  satjudge report datc:6.F.14 -o paradox.html  ·  "
    "satjudge report sheet.txt -o page.html --compare 1971,1982"
)
@click.argument("file")
@output_option
@case_option
@click.option("--compare", "compared", default="all", show_default=True, metavar="A,B,...", help="Rulebooks to compare.")
@rules_options
@engine_option(Engine.STAGED)
def report(
    file: str,
    output: Path,
    identity: str | None,
    compared: str,
    rules: str | None,
    settings: tuple[str, ...],
    engine: str,
) -> None:
    """Write a page about FILE that works without a network.

    It has the picture, every order with its reasons, all consistent resolutions, the cores, and what other rulebooks say.
    FILE may also be what `satjudge census --json` or `satjudge crosscheck --json` wrote.
    """
    from satjudge.render.report import position_page, run_page

    _check_output(file, output, (".html", ".htm"))
    if isinstance(read := _run_or_cases(file), bytes):
        _check_run_options(file)
        write_file(output, run_page(read, file).encode())
        return
    sheet = one_case(file, read, identity)
    rulebook = rulebook_from_options(rules, settings, sheet.rules)
    names = dict.fromkeys((rulebook.name, *named_rulebooks(compared)))
    others = [rulebook if name == rulebook.name else rulebook_from_options(name, settings) for name in names]
    made = f"Made by satjudge {__version__} with engine {engine}."
    write_file(output, position_page(sheet, rulebook, others, engine=Engine(engine), made=made).encode())


def _run_or_cases(file: str) -> bytes | list[Sheet]:
    """The run that FILE holds as JSON, or its cases. Raises `InputError`."""
    if file == "-":
        data = standard_input()
        return data if data.lstrip().startswith(b"{") else cases_of(data)
    run = Path(file)
    return run.read_bytes() if run.suffix.lower() == ".json" and run.is_file() else read_cases(file)


def _check_run_options(file: str) -> None:
    """Refuse options that only a position has a use for."""
    context = click.get_current_context()
    for option in context.command.params:
        asked = context.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE
        if asked and option.name not in ("file", "output"):
            raise click.UsageError(f"{option.opts[-1]} is for a position, and {file} holds a run")


def _panels(sheet: Sheet, rulebook: Rulebook, engine: Engine, shown: int, compared: list[Rulebook]) -> Panels:
    from satjudge.render.pictures.panels import case_panels, comparison_panels, resolution_panels

    if compared:
        return comparison_panels(sheet, compared, engine)
    return resolution_panels(sheet, rulebook, engine, shown) if shown else case_panels(sheet, rulebook, engine)


def _check_output(file: str, output: Path, kinds: Sequence[str]) -> None:
    """Refuse to write over FILE, and to write anything but these kinds of file."""
    if output.suffix.lower() not in kinds:
        command = click.get_current_context().info_name
        raise click.UsageError(f"{command} writes {' or '.join(kinds)}, not {output.suffix or output.name}")
    if output.exists() and Path(file).exists() and output.samefile(file):
        raise click.UsageError(f"{output} is FILE itself, which would be lost: choose another name to write to")


def one_case(file: str, sheets: Sequence[Sheet], identity: str | None) -> Sheet:
    """The one case of FILE, or the one asked for. Raises `InputError`."""
    found = [sheet for sheet in sheets if identity in (None, sheet.identity)]
    if len(found) == 1:
        return found[0]
    known = ", ".join(sheet.identity or f"line {sheet.line}" for sheet in sheets[:8]) + ", …" * (len(sheets) > 8)
    if not found:
        raise NotFoundError(f"there is no case {identity} in {file}", suggestion=f"there are {known}")
    raise click.UsageError(f"{file} holds {len(found)} cases: choose one with --case ID (there are {known})")


def write_file(path: Path, content: bytes) -> None:
    """Write a file, and say so on standard error."""
    try:
        path.write_bytes(content)
    except OSError as error:
        raise click.FileError(str(path), error.strerror or str(error)) from None
    click.echo(f"wrote {path}", err=True)
