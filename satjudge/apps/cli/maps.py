"""The command `maps`, with `list`, `show`, `draw`, `check` and `convert`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path

import click

from satjudge.apps.cli import options
from satjudge.apps.cli.options import FILE_PATH, CommandGroup, argument, command, flag, option
from satjudge.apps.cli.output import convert_file_errors, show, write_file, write_json, write_text
from satjudge.base.errors import RequestError, SatjudgeError
from satjudge.world.board import Board, Unit

_EXIT_PROBLEMS = 1
_map_argument = argument(metavar="NAME|FILE")


@click.group(
    cls=CommandGroup, epilog="Examples:  satjudge maps list  ·  satjudge maps check my-map.toml  ·  satjudge maps convert milan"
)
def maps() -> None:
    """List, show, draw, check and convert maps.

    NAME is an included map. FILE is a map in TOML (docs/guides/maps.md), a .map file from DPjudge or the package
    `diplomacy`, a jDip package, a variant folder from webDiplomacy or vDiplomacy, a Go file from godip, or a JSON variant
    from diplicity. A jDip package is a folder or a zip archive. If it contains several variants, add #VARIANT to its name.
    """


@command("list", epilog="Example:  satjudge maps list --json", group=maps)
def list_(as_json: bool = options.json) -> None:
    """List the included maps."""
    from satjudge.files.documents import listed_maps
    from satjudge.files.maps import read_map, shipped_maps
    from satjudge.show.maps import make_map_list

    document = listed_maps([read_map(name) for name in shipped_maps()])
    if as_json:
        write_json(document)
    else:
        show(make_map_list(document))


@command("show", epilog="Examples:  satjudge maps show colonial  ·  satjudge maps show empire.map --json", group=maps)
def show_(name: str = _map_argument, as_json: bool = options.json) -> None:
    """Show a map's powers, provinces, borders and special rules."""
    from satjudge.files.documents import described_map
    from satjudge.files.maps import read_map
    from satjudge.show.maps import make_map_tables

    document = described_map(read_map(name))
    if as_json:
        write_json(document)
    else:
        show(make_map_tables(document))


@command(epilog="Examples:  satjudge maps draw colonial -o colonial.svg  ·  satjudge maps draw milan -o milan.png", group=maps)
def draw(
    name: str = _map_argument,
    output: Path = option("File to write: .svg or .png.", "-o", "--output", type=FILE_PATH, required=True),
    empty: bool = flag("Leave out the starting units and owners."),
    key: bool = flag("List the provinces and their codes below the map."),
    theme: str | None = option("Colours: light, dark or auto. [default: auto, or light for .png]"),
    width: int | None = option("Width in pixels, 300 to 10000. [default: chosen to fit the map]", type=int),
) -> None:
    """Draw a map with its starting units and owners.

    A jDip package is drawn with its own outlines. A map without a drawing becomes a diagram in which provinces are nodes and
    borders are lines (docs/guides/maps.md).
    """
    from satjudge.files.maps import read_map
    from satjudge.show.pictures import Look, picture, position
    from satjudge.show.rendering import check_png, to_png

    kind = output.suffix.lower()
    if kind not in (".svg", ".png"):
        raise click.UsageError(f"draw writes .svg or .png, not {output.suffix or output.name}")
    if kind == ".png":
        check_png()
    game_map = read_map(name)
    units = () if empty else tuple(Unit(*start) for start in game_map.start)
    board = Board(units, centers={} if empty else dict(game_map.owners), map=game_map)
    look = Look(theme or ("light" if kind == ".png" else "auto"), width, whole=True, key=key)
    svg = picture([position(board)], title=game_map.title, look=look)
    write_file(output, to_png(svg) if kind == ".png" else svg.encode())


@command(epilog="Examples:  satjudge maps check loeb9  ·  satjudge maps check my-map.toml", group=maps)
def check(name: str = _map_argument, as_json: bool = options.json) -> int:
    """Check that a map can be played on.

    The output lists errors, and oddities that may be intended. The exit status is 1 if the map has errors: one-way borders,
    unreachable provinces, home provinces that are not centres, or difficult borders declared on one side only.
    """
    from satjudge.files.documents import checked_map
    from satjudge.files.maps import read_unchecked
    from satjudge.show.maps import format_map_check

    document = checked_map(read_unchecked(name))
    if as_json:
        write_json(document)
    else:
        write_text(format_map_check(document))
    return _EXIT_PROBLEMS if document.problems else 0


@command(
    epilog="Examples:  satjudge maps convert empire.map -o empire.toml  ·  satjudge maps convert vDiplomacy/variants -o read/",
    group=maps,
)
def convert(
    name: str = _map_argument,
    output: Path | None = option(
        "File to write. [default: standard output]", "-o", "--output", type=click.Path(path_type=Path), metavar="FILE"
    ),
) -> int:
    """Convert a map of any format, or all maps in a folder, to TOML.

    If a jDip package has several variants, satjudge converts the default one unless you add #VARIANT to the name. If you name a
    folder, satjudge also converts the maps in its subfolders. In that case, use -o to name a folder for the results. satjudge
    also reports what is missing from each map. The exit status is 1 if any of the maps cannot be used.
    """
    from satjudge.files.maps import list_map_candidates

    if found := list_map_candidates(Path(name)):
        return _convert_all(Path(name), found, output)
    text = _convert_map(name)
    if output is None:
        write_text(text.rstrip("\n"))
    else:
        write_file(output, text.encode())
    return 0


def _convert_map(name: str) -> str:
    """Return a map file of any format as TOML text; report its gaps and its package's other variants on standard error."""
    from satjudge.files.maps import list_other_variants, read_tables, toml

    tables = read_tables(name)
    if others := list_other_variants(name, tables):
        write_text(
            f"using {tables['title']}, the default of the package; add # and a name to choose another: {', '.join(others)}",
            err=True,
        )
    for lack in tables.get("lacks", ()):
        write_text(f"lacks: {lack}", err=True)
    return toml.map_text(tables)


def _convert_all(folder: Path, map_paths: Sequence[str], output: Path | None) -> int:
    """Convert a folder's maps to files in `output` (None is an error), list each map's gaps or error, return the exit code."""
    from satjudge.files.maps import list_gaps, read_map, read_tables, toml

    if output is None:
        raise RequestError(f"the folder contains {len(map_paths)} maps", suggestion="name a folder to write them to: -o FOLDER")
    output.mkdir(parents=True, exist_ok=True)
    written: set[str] = set()
    for path in map_paths:
        short = str(Path(path).relative_to(folder))
        try:
            game_map, tables = read_map(path), read_tables(path)
        except SatjudgeError as error:
            write_text(f"{short}: {error}")
        else:
            name = next(name for name in _iter_file_names(game_map.name) if name not in written)
            written.add(name)
            with convert_file_errors(output / name):
                (output / name).write_bytes(toml.map_text(tables).encode())
            write_text(f"{short}: {'; '.join([name, *list_gaps(tables)])}")
    write_text(f"converted {len(written)} of {len(map_paths)} maps")
    return 0 if len(written) == len(map_paths) else _EXIT_PROBLEMS


def _iter_file_names(name: str) -> Iterator[str]:
    """Yield possible file names for a map: `name.toml`, then `name-2.toml` and so on."""
    yield f"{name}.toml"
    yield from (f"{name}-{number}.toml" for number in count(2))
