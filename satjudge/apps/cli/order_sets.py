"""Has the command `count`, which counts legal order sets and the positions they lead to."""

from __future__ import annotations

import click

from satjudge.apps.cli import options
from satjudge.apps.cli.options import RulesOptions, argument, check_movement, command, flag, read_case
from satjudge.apps.cli.output import show, write_json
from satjudge.notation.sheets import Sheet
from satjudge.world.board import starting_board
from satjudge.world.geography import Map, load_map


@command(
    epilog="Examples:  satjudge count  ·  satjudge count --map loeb9 --second-opinion  ·  satjudge count datc:6.F.14 --json"
)
def count(
    file: str | None = argument(required=False),
    identity: str | None = options.case,
    second_opinion: bool = flag("Count positions in another way as well: power by power."),
    game_map: Map | None = options.on_map("The map of cases that name none, and of the beginning of a game"),
    rules: RulesOptions = options.rules,
    as_json: bool = options.json,
) -> int:
    """Count legal order sets, and the positions they lead to.

    Without FILE that is the beginning of a game: Spring 1901. All numbers are exact. Orders in FILE are not looked at.
    docs/background/counts.md tells what is counted.
    """
    from satjudge.bulk.documents.counts import count_document
    from satjudge.show.research import counted_lines

    if file is None:
        if identity is not None:
            raise click.UsageError("--case chooses one of the cases of a file: name it")
        played_on = game_map or load_map()
        title = f"The beginning of a game on the map {played_on.name}"
        sheet = Sheet("", title=title, map=played_on, given=starting_board(played_on))
    else:
        sheet = read_case(file, identity, game_map)
        check_movement(sheet, "only orders of movement phases are counted")
    document = count_document(sheet, rules.rulebook(sheet.rules), second_opinion=second_opinion)
    if as_json:
        write_json(document)
    else:
        show(*counted_lines(document, sheet.board.map))
    return 0
