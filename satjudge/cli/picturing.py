"""Commands that draw: `render` and `report`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from satjudge import __version__
from satjudge.cli.common import (
    case_option,
    check_writable,
    engine_option,
    is_shipped,
    json_option,
    read_case,
    rulebook_from_options,
    rules_options,
    tell,
    write_file,
    write_json,
)
from satjudge.cli.positions import named_rulebooks
from satjudge.errors import UnresolvedError
from satjudge.formats.cases import read_input
from satjudge.formats.detect import Kind, detect
from satjudge.notation.sheets import Sheet
from satjudge.reading import LONGEST_RUN
from satjudge.solve import Engine

if TYPE_CHECKING:
    from satjudge.render.pictures.scene import Panels
    from satjudge.rules import Rulebook

_MOST_PANELS = 12
_SHOW_HELP = "How many of them, with --resolutions."
_WIDTH_HELP = "Pixels, 300 to 10000, to which all is scaled.  [default: what it needs, up to 1200]"

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
@click.option("--show", "shown", type=click.IntRange(1, _MOST_PANELS), default=6, show_default=True, help=_SHOW_HELP)
@click.option("--compare", "compared", metavar="A,B,...", help="These rulebooks (or `all`) side by side, differences marked.")
@click.option("--width", type=int, default=None, help=_WIDTH_HELP)
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

    An .svg opens in any browser; a .png needs `pip install "satjudge[pictures]"`. The exit code is 1 if the rulebook has no
    answer; the orders are drawn all the same. docs/pictures.md tells how to read the pictures.
    """
    from satjudge.render.pictures import Look, picture
    from satjudge.render.pictures.legend import told
    from satjudge.render.png import check_png, to_png

    if resolutions and compared:
        raise click.UsageError("--resolutions and --compare are pictures of their own: ask for one at a time")
    if not resolutions and _given("shown"):
        raise click.UsageError("--show says how many resolutions to draw: it goes with --resolutions")
    kind = output.suffix.lower()
    _check_output(file, output, (".svg", ".png"))
    if kind == ".png":
        check_png()
    look = Look(theme or ("light" if kind == ".png" else "auto"), width, whole, legend)
    sheet = read_case(file, identity)
    rulebook = rulebook_from_options(rules, settings, sheet.rules)
    names = named_rulebooks(compared) if compared else []
    chosen = [rulebook_from_options(name, settings) for name in names]
    panels = _panels(sheet, rulebook, Engine(engine), shown if resolutions else 0, chosen)
    drawn = picture(panels.scenes, title=sheet.heading if title is None else title, notes=panels.notes, look=look)
    write_file(output, to_png(drawn) if kind == ".png" else drawn.encode())
    if as_json:
        from satjudge.documents import made_by
        from satjudge.documents.positions import Drawn

        about = {**made_by(rulebook), "engine": engine, "id": sheet.identity or None}
        text = [told(scene) for scene in panels.scenes]
        write_json(Drawn(**about, file=str(output), notes=[*panels.notes], text=text))
    if not panels.resolved:
        tell(f"Unresolved: {panels.unresolved}", err=True)
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
) -> int:
    """Write a page about FILE that works without a network.

    It has the picture, every order with its reasons, all consistent resolutions, the cores, and what other rulebooks say.
    FILE may also be what `satjudge census --json` or `satjudge crosscheck --json` wrote.
    The exit code is 1 if the rulebook has no answer to a position; the page is written all the same.
    """
    from satjudge.render.report import PositionReport, run_page

    _check_output(file, output, (".html", ".htm"))
    data = None if is_shipped(file) else read_input(file, sys.stdin.buffer, LONGEST_RUN)
    if data is not None and detect(data) in (Kind.CENSUS, Kind.CROSSCHECK, Kind.JSON):
        _check_run_options(file)
        write_file(output, run_page(data, file).encode())
        return 0
    sheet = read_case(file, identity, data)
    rulebook = rulebook_from_options(rules, settings, sheet.rules)
    chosen = [rulebook_from_options(name, settings) for name in named_rulebooks(compared)]
    # The one that judges comes first, and no other of the same name replaces it.
    others = {other.name: other for other in (rulebook, *chosen, rulebook)}.values()
    made = f"Made by satjudge {__version__} with engine {engine}."
    told = PositionReport(sheet, rulebook, tuple(others), Engine(engine))
    write_file(output, told.page(made).encode())
    if isinstance(told.judged, UnresolvedError):
        tell(f"Unresolved: {told.judged}", err=True)
        return 1
    return 0


def _given(name: str) -> bool:
    """Whether an option of the current command was given by its user."""
    return click.get_current_context().get_parameter_source(name) is ParameterSource.COMMANDLINE


def _check_run_options(file: str) -> None:
    """Refuse options that only a position has a use for."""
    for option in click.get_current_context().command.params:
        if _given(option.name or "") and option.name not in ("file", "output"):
            raise click.UsageError(f"{option.opts[-1]} is for a position, and {file} holds a run")


def _panels(sheet: Sheet, rulebook: Rulebook, engine: Engine, shown: int, compared: list[Rulebook]) -> Panels:
    from satjudge.render.pictures.scene import case_panels, comparison_panels, resolution_panels

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
    check_writable(None, [output])
