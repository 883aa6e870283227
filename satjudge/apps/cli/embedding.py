"""The command `kernel`: what other languages need to judge by themselves."""

from __future__ import annotations

from pathlib import Path

from satjudge.apps.cli import options
from satjudge.apps.cli.options import FILE_PATH, RulesOptions, command, option
from satjudge.apps.cli.output import tell, write_file
from satjudge.world.geography import Map


@command(
    epilog="Examples:  satjudge kernel -o standard.tables  ·  satjudge kernel --rules 1982 -o 1982.tables --code kernel.wasm"
    "  ·  satjudge kernel --map 1898 -o 1898.tables"
)
def kernel(
    output: Path = option("The table file to write.", "-o", "--output", type=FILE_PATH, required=True),
    game_map: Map | None = options.game_map,
    rules: RulesOptions = options.rules,
    code: Path | None = option("Write the module of WebAssembly there, too.", "--code", type=FILE_PATH, metavar="FILE"),
) -> int:
    """Write what lets any language judge: a table file of a map and a rulebook for kernel.wasm.

    How a program uses both is told in docs/guides/kernel.md. Files for the rulebooks of satjudge on the standard map come with
    it and are written at once; for others all orders are judged first, which takes a minute.
    """
    from satjudge.bulk.table_facts import tables_for

    data, module = tables_for(game_map, rules.rulebook())
    write_file(output, data)
    told = f"{output}: {len(data):,} bytes"
    if code is not None:
        write_file(code, module)
        told += f"\n{code}: {len(module):,} bytes"
    tell(told)
    return 0
