"""Has the command `maps`, with `list`, `show`, `draw`, `check` and `convert`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path

import click

from satjudge.apps.cli import options
from satjudge.apps.cli.options import FILE_PATH, argument, command, flag, option
from satjudge.apps.cli.output import file_errors, show, tell, write_file, write_json
from satjudge.base.errors import RequestError, SatjudgeError
from satjudge.world.board import Board, Unit

_EXIT_PROBLEMS = 1
_map_argument = argument(metavar="NAME|FILE")


@click.group(epilog="Examples:  satjudge maps list  ·  satjudge maps check my-map.toml  ·  satjudge maps convert milan")
def maps() -> None:
    """List, show, draw, check and convert maps.

    NAME is a map that comes with satjudge. FILE is a map as TOML (docs/guides/maps.md), a .map file of DPjudge or of the Python
    package diplomacy, a package of jDip (its folder or zip archive, with #VARIANT behind it if it holds several), a folder of
    webDiplomacy's or vDiplomacy's variants, a Go file of godip's, or a variant of diplicity's as JSON.
    """


@command("list", epilog="Example:  satjudge maps list --json", group=maps)
def list_(as_json: bool = options.json) -> None:
    """List the maps that come with satjudge."""
    from satjudge.files.documents.maps import listed_maps
    from satjudge.files.maps import read_map, shipped_maps
    from satjudge.show.maps import listed_table

    document = listed_maps([read_map(name) for name in shipped_maps()])
    if as_json:
        write_json(document)
    else:
        show(listed_table(document))


@command("show", epilog="Examples:  satjudge maps show colonial  ·  satjudge maps show empire.map --json", group=maps)
def show_(name: str = _map_argument, as_json: bool = options.json) -> None:
    """Show a map: its powers, its provinces with their borders, and where its rules differ."""
    from satjudge.files.documents.maps import described_map
    from satjudge.files.maps import read_map
    from satjudge.show.maps import described_table

    document = described_map(read_map(name))
    if as_json:
        write_json(document)
    else:
        show(described_table(document))


@command(epilog="Examples:  satjudge maps draw colonial -o colonial.svg  ·  satjudge maps draw milan -o milan.png", group=maps)
def draw(
    name: str = _map_argument,
    output: Path = option("The .svg or .png to write.", "-o", "--output", type=FILE_PATH, required=True),
    empty: bool = flag("Without the units and owners of the beginning."),
    key: bool = options.key,
    theme: str | None = option("light, dark, or auto: what the reader prefers.  [default: auto; for .png light]"),
    width: int | None = option(
        "Pixels, 300 to 10000, to which all is scaled.  [default: what it needs, up to 1200, or more for very many provinces]",
        type=int,
    ),
) -> None:
    """Draw a map as a game on it begins.

    The map of a jDip package is drawn on its own outlines; one that nobody has drawn as a schematic, with provinces as nodes
    and borders as lines. docs/guides/maps.md tells more.
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
    drawn = picture([position(board)], title=game_map.title, look=look)
    write_file(output, to_png(drawn) if kind == ".png" else drawn.encode())


@command(epilog="Examples:  satjudge maps check loeb9  ·  satjudge maps check my-map.toml", group=maps)
def check(name: str = _map_argument, as_json: bool = options.json) -> int:
    """See whether a map can be played on.

    What is wrong makes the exit code 1: borders in one direction only, places that nobody can get to, homes that are no
    centres, difficult borders that one side does not know. What is odd is told, and may be meant.
    """
    from satjudge.files.documents.maps import checked_map
    from satjudge.files.maps import read_unchecked
    from satjudge.show.maps import checked_lines

    document = checked_map(read_unchecked(name))
    if as_json:
        write_json(document)
    else:
        tell(checked_lines(document))
    return _EXIT_PROBLEMS if document.problems else 0


@command(
    epilog="Examples:  satjudge maps convert empire.map -o empire.toml  ·  satjudge maps convert vDiplomacy/variants -o read/",
    group=maps,
)
def convert(
    name: str = _map_argument,
    output: Path | None = option(
        "Write there. [default: to the terminal]", "-o", "--output", type=click.Path(path_type=Path), metavar="FILE"
    ),
) -> int:
    """Write a map of any format as TOML, or all maps of a folder and of the folders in it.

    Of a package of jDip with several variants the default is taken where none is named, and told with the others. Of a folder
    of maps each becomes a file in the folder that -o names, and is told with what it does not say; one that satjudge cannot
    play is told with the reason, and the exit code is 1 then.
    """
    from satjudge.files.maps import maps_in

    if found := maps_in(Path(name)):
        return _convert_all(Path(name), found, output)
    text = _convert_map(name)
    if output is None:
        tell(text.rstrip("\n"))
    else:
        write_file(output, text.encode())
    return 0


def _convert_map(name: str) -> str:
    """Convert a map file of any format, and return its text as TOML."""
    from satjudge.files.maps import list_other_variants, read_tables, toml

    tables = read_tables(name)
    if others := list_other_variants(name, tables):
        tell(f"took {tables['title']}, the default of the package; name another behind a #: {', '.join(others)}", err=True)
    for lack in tables.get("lacks", ()):
        tell(f"lacks: {lack}", err=True)
    return toml.map_text(tables)


def _convert_all(folder: Path, found: Sequence[str], output: Path | None) -> int:
    """Write each map of a folder into another one with what it does not say, or tell why it cannot be played on."""
    from satjudge.files.maps import lacking, read_map, read_tables, toml

    if output is None:
        raise RequestError(f"there are {len(found)} maps in that folder", suggestion="-o FOLDER says where they are written")
    output.mkdir(parents=True, exist_ok=True)
    written: set[str] = set()
    for path in found:
        short = str(Path(path).relative_to(folder))
        try:
            game_map, tables = read_map(path), read_tables(path)
        except SatjudgeError as error:
            tell(f"{short}: {error}")
        else:
            name = next(name for name in _names_of_files(game_map.name) if name not in written)
            written.add(name)
            with file_errors(output / name):
                (output / name).write_bytes(toml.map_text(tables).encode())
            tell(f"{short}: {'; '.join([name, *lacking(tables)])}")
    tell(f"{len(written)} of {len(found)} maps were converted")
    return 0 if len(written) == len(found) else _EXIT_PROBLEMS


def _names_of_files(name: str) -> Iterator[str]:
    """Names for the file of a map: others where maps of one name stand in a folder."""
    yield f"{name}.toml"
    yield from (f"{name}-{number}.toml" for number in count(2))
