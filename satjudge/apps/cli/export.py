"""The commands that write files for programs in other languages: `export`, `kit` and `kernel`."""

from __future__ import annotations

from pathlib import Path

from satjudge.apps.cli import options
from satjudge.apps.cli.conformance import check_parts
from satjudge.apps.cli.options import DIRECTORY_PATH, FILE_PATH, RulesOptions, argument, command, option
from satjudge.apps.cli.output import (
    check_writable,
    convert_file_errors,
    report_elapsed_time,
    show_status,
    write_file,
    write_json,
    write_text,
)
from satjudge.base.words import number_of
from satjudge.notation.bundled_cases import read_bundled_cases
from satjudge.world.geography import Map


@command(
    epilog="Examples:  satjudge export > datc.jsonl  ·  satjudge export 6.F catalogue:all  ·  satjudge export | satjudge batch"
)
def export(ids: tuple[str, ...] = argument(nargs=-1, metavar="[ID]..."), game_map: Map | None = options.game_map) -> None:
    """Write the included cases as batch lines with expected answers.

    An ID is a case of the DATC (6.F.14), a section (6.F), or a short name (datc:all, catalogue:all, line:all, datc:6.F.14).
    Without an ID, satjudge writes all cases of the DATC.

    Each line contains the expected answer under `expected`. The verdicts and automatic removals come from the case. The
    positions, retreats, resolutions and rulings come from satjudge. A case with retreats has a second line, named ID/retreats.
    """
    from satjudge.files.documents import exported_lines

    for sheet in (sheet for name in ids or ("all",) for sheet in read_bundled_cases(name, game_map)):
        for line in exported_lines(sheet):
            write_json(line, one_line=True)


@command(epilog="Examples:  satjudge kit questions  ·  satjudge kit questions --part datc --part retreats")
def kit(
    directory: Path = argument(type=DIRECTORY_PATH, metavar="DIR"),
    names: tuple[str, ...] = option("Write only this part of the kit.", "--part", metavar="NAME", multiple=True),
) -> int:
    """Write the conformance kit as files for programs in any language.

    satjudge writes the questions, the answers under each rulebook, maps, schemas and test runners to DIR. With these files, you
    can check an engine without satjudge (docs/guides/conformance.md). Writing the files takes a minute or two.
    """
    from satjudge.engines.kit.package import make_package_files, write_package
    from satjudge.engines.kit.parts import PARTS

    check_parts(names)
    chosen = [name for name in PARTS if name in names or not names]
    check_writable(directory, ())
    if directory.is_dir() and any(directory.iterdir()):
        write_text(f"{directory} exists: the kit's files in it are replaced, and all others stay", err=True)
    judging = "judging every question under every rulebook, which takes a minute or two"
    with show_status(judging), report_elapsed_time(judging):
        files = make_package_files(chosen)
    with convert_file_errors(directory):
        write_package(directory, files)
    parts = number_of(len(chosen), "part")
    write_text(f"wrote the kit with {parts} to {directory}: start with {directory / 'README.md'}", err=True)
    return 0


@command(
    epilog="Examples:  satjudge kernel -o standard.tables  ·  satjudge kernel --rules 1982 -o 1982.tables --code kernel.wasm"
    "  ·  satjudge kernel --map 1898 -o 1898.tables"
)
def kernel(
    output: Path = option("Table file to write.", "-o", "--output", type=FILE_PATH, required=True),
    game_map: Map | None = options.on_map("An included map or a map file. [default: standard]"),
    rules: RulesOptions = options.rules,
    code: Path | None = option("Also write the WebAssembly module to FILE.", "--code", type=FILE_PATH, metavar="FILE"),
) -> int:
    """Write a table file for kernel.wasm, to judge in other languages.

    With kernel.wasm and a table file, a program in any language can judge orders (docs/guides/kernel.md). Table files for
    the standard map and the included rulebooks are written at once. For others, satjudge first judges all possible orders,
    which takes a minute.
    """
    from satjudge.bulk.tables.learner import make_table_file

    data, module = make_table_file(game_map, rules.load_rulebook())
    write_file(output, data)
    sizes = f"{output}: {len(data):,} bytes"
    if code is not None:
        write_file(code, module)
        sizes += f"\n{code}: {len(module):,} bytes"
    write_text(sizes)
    return 0
