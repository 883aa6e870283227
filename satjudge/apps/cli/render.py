"""The commands `render` and `report`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from satjudge.apps.cli import options
from satjudge.apps.cli.options import (
    FILE_PATH,
    PATH,
    RulesOptions,
    argument,
    command,
    flag,
    load_rulebooks,
    option,
    read_phases,
)
from satjudge.apps.cli.output import check_writable, show_status, write_file, write_files, write_json, write_text
from satjudge.base.resources import LONGEST_RUN
from satjudge.base.version import __version__
from satjudge.base.words import number_of
from satjudge.files.cases import read_input
from satjudge.files.detect import Kind, detect
from satjudge.judging.solve import Engine
from satjudge.notation.bundled_cases import is_case_name
from satjudge.notation.parse import parse_power
from satjudge.notation.sheets import Sheet
from satjudge.world.geography import Map
from satjudge.world.rules import DEFAULT_RULES, Rulebook

if TYPE_CHECKING:
    from satjudge.show.pictures.geometry import Box


@command(
    epilog="Examples:  satjudge render datc:6.F.14 -o paradox.svg  ·  satjudge render datc:6.F.14 -o all.png --resolutions  ·  "
    "satjudge render datc:6.F.9 -o rules.svg --compare datc-3,1971  ·  satjudge render sheet.txt -o map.svg --whole"
)
def render(
    file: str = argument(),
    output: Path = option("File to write: .svg or .png.", "-o", "--output", type=FILE_PATH, required=True),
    identity: str | None = options.case,
    powers: tuple[str, ...] = option(
        "Draw only the orders of this power, as if nobody else had given any.", "--power", metavar="POWER", multiple=True
    ),
    resolutions: bool = flag("Draw all consistent resolutions side by side, then the ruling."),
    compared: str | None = option(
        "Draw the results under these rulebooks (or `all`) side by side, and mark differences.", "--compare", metavar="A,B,..."
    ),
    width: int | None = option("Width in pixels, 300 to 10000. [default: as needed, up to 1200]", type=int),
    theme: str | None = option("Colours: light, dark or auto. [default: auto, or light for .png]"),
    whole: bool = flag("Draw the whole map instead of the part with units."),
    title: str | None = option("Title of the picture. [default: the case's]"),
    legend: str = option(
        "Legend below the map; `names` also lists the provinces.", type=click.Choice(["yes", "no", "names"]), default="yes"
    ),
    game_map: Map | None = options.game_map,
    rules: RulesOptions = options.rules,
    as_json: bool = options.json,
) -> int:  # fmt: skip
    """Draw the orders in FILE and their results.

    An .svg file opens in any browser. To write a .png file, install the packages resvg-py and ttf-opensans. If the rulebook
    has no answer, satjudge still draws the orders, and the exit status is 1. docs/guides/pictures.md explains how to read
    the pictures.
    """
    from satjudge.show.pictures import Look, picture
    from satjudge.show.pictures.legend import describe_scene
    from satjudge.show.pictures.scene import make_case_panels, make_comparison_panels, make_resolution_panels
    from satjudge.show.rendering import check_png, to_png

    if resolutions and compared:
        raise click.UsageError("--resolutions and --compare make different pictures: choose one")
    kind = output.suffix.lower()
    _check_output(file, output, (".svg", ".png"))
    if kind == ".png":
        check_png()
    sheet, phases = read_phases(file, identity, game_map)
    sheet = sheet.of_powers([parse_power(name, sheet.map) for name in powers]) if powers else sheet
    rulebook = rules.load_rulebook(sheet.rules)
    crop = None if whole else _find_common_crop(sheet, phases, rulebook)
    look = Look(theme or ("light" if kind == ".png" else "auto"), width, whole, legend != "no", crop, legend == "names")
    chosen = load_rulebooks(compared, rules.settings) if compared else []
    if chosen:
        panels = make_comparison_panels(sheet, chosen)
    else:
        panels = make_resolution_panels(sheet, rulebook) if resolutions else make_case_panels(sheet, rulebook)
    svg = picture(panels.scenes, title=_make_title(sheet) if title is None else title, notes=panels.notes, look=look)
    write_file(output, to_png(svg) if kind == ".png" else svg.encode())
    if as_json:
        from satjudge.explain.documents import Drawn
        from satjudge.notation.documents import document_origin

        about = {**document_origin(rulebook), "engine": Engine.STAGED, "id": sheet.identity or None}
        text = [describe_scene(scene) for scene in panels.scenes]
        write_json(Drawn(**about, file=str(output), notes=[*panels.notes], text=text))
    if not panels.is_resolved:
        write_text(f"Unresolved: {panels.unresolved}", err=True)
    return 0 if panels.is_resolved else 1


@command(
    epilog="Examples:  satjudge report datc:6.F.14 -o paradox.html  ·  "
    "satjudge report sheet.txt -o page.html --compare 1971,1982  ·  satjudge report runs/"
)
def report(
    file: str = argument(),
    output: Path | None = option("Page to write, or a directory if FILE is one.", "-o", "--output", type=PATH),
    identity: str | None = options.case,
    compared: str = option(
        "Rulebooks to compare. The first one judges unless --rules or FILE names another.", "--compare", default="all",
        metavar="A,B,..."
    ),
    game_map: Map | None = options.game_map,
    rules: RulesOptions = options.rules,
    engine: Engine = options.engine(Engine.STAGED),
) -> int:  # fmt: skip
    """Write a web page about a position or a command's output.

    The page works without a network. It shows a picture, the reasons for each order's result, all consistent resolutions,
    the cores, and the verdicts of other rulebooks. If the rulebook has no answer, satjudge still writes the page, and the
    exit status is 1.

    FILE can also be the output of `satjudge census --json`, `crosscheck --json` or `conformance --json`. To compare several
    engines, name a directory with the output of `conformance` for each engine (docs/guides/conformance.md).
    """
    from satjudge.show.report import PositionReport, make_run_page

    if Path(file).is_dir():
        _check_run_options(file)
        return _write_engine_pages(Path(file), output or Path(file))
    if output is None:
        raise click.UsageError(f"{file} is not a directory of runs: name the page to write with -o, e.g. -o page.html")
    _check_output(file, output, (".html", ".htm"))
    data = None if is_case_name(file) else read_input(file, sys.stdin.buffer, LONGEST_RUN)
    if data is not None and detect(data) in (Kind.CENSUS, Kind.CROSSCHECK, Kind.JSON):
        _check_run_options(file)
        write_file(output, make_run_page(data, file).encode())
        return 0
    sheet, phases = read_phases(file, identity, game_map, data, allow_retreats=False)
    rulebook = rules.load_rulebook(sheet.rules)
    chosen = load_rulebooks(compared, rules.settings) if compared else []
    if _is_given("compared") and len(chosen) > 1 and rules.name is None and sheet.rules == DEFAULT_RULES:
        rulebook = chosen[0]
    # The rulebook that judges comes first, and no other rulebook of the same name replaces it.
    others = {other.name: other for other in (rulebook, *chosen, rulebook)}.values()
    footer = f"Made by satjudge {__version__} with engine {engine}."
    page = PositionReport(sheet, rulebook, tuple(others), engine, _find_common_crop(sheet, phases, rulebook, engine))
    write_file(output, page.format_page(footer).encode())
    if error := page.judgement.unresolved_error:
        write_text(f"Unresolved: {error}", err=True)
        return 1
    return 0


def _write_engine_pages(runs: Path, directory: Path) -> int:
    """Write HTML pages to `directory` about the engines whose runs are files NAME.json in `runs`; return the exit code 0."""
    from satjudge.engines.documents.conformance import read_runs
    from satjudge.show.report import make_engine_pages

    engines = read_runs(runs)
    check_writable(directory, ())
    with show_status("drawing the smallest questions"):
        pages = make_engine_pages(engines)
    write_files(directory, pages.items())
    write_text(f"wrote the pages of {number_of(len(engines), 'engine')} to {directory / 'index.html'}", err=True)
    return 0


def _find_common_crop(sheet: Sheet, phases: Iterable[Sheet], rulebook: Rulebook, engine: Engine = Engine.STAGED) -> Box | None:
    """Return the section of the map that pictures of all phases share; None for no phases, or if the sheet's board is full."""
    from satjudge.show.pictures.composition import find_common_view, is_full_board
    from satjudge.show.pictures.scene import make_case_panels

    sheets = [] if is_full_board(sheet.board) else list(phases)
    scenes = (scene for sheet in sheets for scene in make_case_panels(sheet, rulebook, engine).scenes)
    return find_common_view([sheet.board for sheet in sheets], scenes) if sheets else None


def _make_title(sheet: Sheet) -> str:
    """Return the title of a picture: the sheet's heading or, for a phase of a game, its usual name `Fall 1901, moves`."""
    if sheet.title:
        return sheet.heading
    from satjudge.game.documents import format_phase  # slow to import

    return format_phase(sheet.identity, sheet.map) if sheet.identity else sheet.heading


def _is_given(name: str) -> bool:
    """Return whether the parameter `name` of the current command was given on the command line."""
    return click.get_current_context().get_parameter_source(name) is ParameterSource.COMMANDLINE


def _check_run_options(file: str) -> None:
    """Raise `click.UsageError` if an option was given that applies only to positions, because `file` holds a run."""
    for parameter in click.get_current_context().command.params:
        if _is_given(parameter.name or "") and parameter.name not in ("file", "output"):
            name = next(one for one in parameter.opts if one.startswith("--"))
            raise click.UsageError(f"{name} applies to a position, but {file} holds a run")


def _check_output(file: str, output: Path, suffixes: Sequence[str]) -> None:
    """Raise `click.UsageError` if `output` is FILE itself, cannot be written, or has a suffix that is not in `suffixes`."""
    if output.suffix.lower() not in suffixes:
        command = click.get_current_context().info_name
        raise click.UsageError(f"{command} writes {' or '.join(suffixes)}, not {output.suffix or output.name}")
    if output.exists() and Path(file).exists() and output.samefile(file):
        raise click.UsageError(f"{output} is FILE itself and would be overwritten: choose another name")
    check_writable(None, [output])
