"""The command `game`, with `new`, `show`, `order`, `next`, `report`, `undo`, `fork`, `end`, `export` and `import`."""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from satjudge.apps.cli import options
from satjudge.apps.cli.options import (
    FILE_PATH,
    CommandGroup,
    RulesOptions,
    argument,
    command,
    flag,
    format_quoting_hint,
    option,
)
from satjudge.apps.cli.output import convert_file_errors, show, write_file, write_json, write_text
from satjudge.base.errors import InputError, NotationError
from satjudge.files.cases import read_input
from satjudge.files.mail import read_letter
from satjudge.game.game import Game
from satjudge.game.readings import Unreadable
from satjudge.game.stored_game import ChoiceError, hold_game_lock, list_game_names
from satjudge.notation.parse import parse_orders, parse_power
from satjudge.notation.write import make_file_name
from satjudge.world.board import Phase
from satjudge.world.geography import Map, Power, normal

if TYPE_CHECKING:
    from satjudge.show.report import GamePage

_file = argument(type=FILE_PATH)
_phase = option("Phase, e.g. S1901M or 'Spring 1901'. [default: the current one]", "--phase", "--case", metavar="NAME")


@click.group(
    cls=CommandGroup,
    epilog="Examples:  satjudge game new g.json  ·  satjudge game order g.json FRANCE 'A PAR - BUR' 'F BRE - MAO'  ·  "
    "satjudge game next g.json",
)
def game() -> None:
    """Play a game, phase by phase, and keep it in a file.

    The file has the format in which the Python package `diplomacy` saves games (docs/guides/game.md). Each command either
    updates the whole file or leaves it unchanged. If several commands use the same file at once, each waits for its turn.
    """


def _show_game(current_game: Game, as_json: bool, powers: Collection[Power] | None = None) -> None:
    """Show the state of a game, or write it as JSON; list illegal orders of `powers` only (None: of all powers)."""
    from satjudge.game.documents import make_game_document

    document = make_game_document(current_game)
    if as_json:
        write_json(document)
    else:
        from satjudge.show.games import make_game_table

        show(make_game_table(document, powers))


def _create_file(new_game: Game, path: Path, force: bool) -> None:
    """Save a new game to a file; raise `click.UsageError` if the file exists, unless `force` is set."""
    with hold_game_lock(path):
        if path.exists() and not force:
            raise click.UsageError(f"{path} already exists: name another file, or overwrite it with --force")
        new_game.save(path)


_REPORTS = {"text": ".txt", "markdown": ".md", "html": ".html"}
"""The formats of a report, each with the suffix of its files."""
_NOT_DUE = {
    Phase.MOVEMENT: "it has no such unit",
    Phase.RETREAT: "no such unit must retreat",
    Phase.ADJUSTMENT: "no such build or removal is due",
}
"""The reasons why an order kept for a phase is dropped when the phase comes."""
_force = flag("Overwrite an existing file.")


@command(epilog="Examples:  satjudge game new g.json  ·  satjudge game new c.json --map colonial --rules datc-2", group=game)
def new(
    file: Path = _file,
    game_map: Map | None = options.on_map("An included map or a map file. [default: standard]"),
    rules: RulesOptions = options.rules,
    name: str | None = option("Name of the game. [default: the name of the file]"),
    victory: int | None = option(
        "Number of centres that a power needs to win. [default: the map's]", type=click.IntRange(1, 1000)
    ),
    retreats_behind_arrow: bool = flag("Accept retreats written after an order, as in A PAR - BUR > GAS, PIC."),
    force: bool = _force,
    as_json: bool = options.json,
) -> None:
    """Start a game."""
    held = Game.new(options.get_map_option() or "standard", rules.load_rulebook(), name=name or file.stem, victory=victory)
    held.retreats_behind_arrow = retreats_behind_arrow
    _create_file(held, file, force)
    _show_game(held, as_json)


@command(
    "show",
    epilog="Examples:  satjudge game show g.json --phase F1901M  ·  satjudge game show g.json --legal 'A PAR'",
    group=game,
)
def show_(
    file: Path = _file,
    phase: str | None = _phase,
    legal: str | None = option("List the legal orders of a unit or a centre, or `all`.", metavar="UNIT"),
    details: bool = options.details,
    as_json: bool = options.json,
) -> None:
    """Show the current state of a game, or the result of a phase."""
    held = Game.load(file)
    if legal is not None:
        orders_by_power = held.legal_orders() if legal == "all" else {legal: held.legal_orders(legal)}
        if as_json:
            write_json(orders_by_power)
        else:
            write_text("\n".join(order for orders in orders_by_power.values() for order in orders))
    elif phase is None or (phase_name := held.at(phase).phase_name) == held.phase_name:
        _show_game(held, as_json)
    else:
        _show_phase(held, phase_name, as_json, details=details)


def _show_phase(current_game: Game, phase: str, as_json: bool, *, details: bool) -> None:
    """Show the outcome of a played phase, or write it as JSON."""
    from satjudge.game.documents import make_phase_document

    played = current_game.at(phase)
    document = make_phase_document(current_game, played)
    if as_json:
        write_json(document)
    else:
        from satjudge.show.games import make_phase_table
        from satjudge.show.text import make_detailed_table, make_spoken_table

        table = make_detailed_table(played.outcome) if details else make_spoken_table(played.outcome, verdicts=False)
        show(make_phase_table(document, table, details=details))


@command(
    epilog="Examples:  satjudge game order g.json FRANCE 'A PAR - BUR' 'F BRE - MAO'  ·  "
    "satjudge game order g.json --sheet orders.txt  ·  satjudge game order g.json TURKEY --sheet mail.txt  ·  "
    "satjudge game order g.json FRANCE --clear  ·  satjudge game order g.json FRANCE --take-back 'F BRE B'",
    group=game,
)
def order(
    file: Path = _file,
    power: str | None = argument(required=False),
    texts: tuple[str, ...] = argument(nargs=-1, metavar="[TEXT]..."),
    sheet: str | None = option(
        "Read orders from this file (- for standard input), under headings such as `France:`.", metavar="SHEET"
    ),
    add: bool = flag("Keep the orders of units that the sheet does not name."),
    clear: bool = flag("First remove all orders of POWER, or of all powers, including those for later phases."),
    take_back: tuple[str, ...] = option("First remove this order, or this unit's orders.", metavar="ORDER", multiple=True),
    lenient: bool = flag("Treat unreadable orders as illegal instead of stopping with an error."),
    as_meant: bool = flag("Correct a misspelt order that has only one possible meaning, with a note."),
    as_json: bool = options.json,
) -> None:
    """Enter orders for one power or, with --sheet, for several.

    An order replaces an earlier one for the same unit. A sheet replaces all orders of its powers unless you use --add. Illegal
    orders are accepted, with a note. Orders for a later phase are kept until that phase.

    If an order is unreadable, satjudge lists all problems and accepts no orders. Readable orders are still accepted if you
    use --lenient, if you name a POWER, or if the sheet is an email.
    """
    remarks, owners = list[str](), list[Power]()
    if not (texts or sheet or clear or take_back) or (texts and sheet):
        raise click.UsageError("give POWER and its orders, or use --sheet FILE, --clear or --take-back")
    if take_back and power is None:
        raise click.UsageError("--take-back needs the power that gave the order: name POWER after FILE")
    text, source, is_mail = "\n".join(texts), "order", False
    if sheet:
        source = "standard input" if sheet == "-" else sheet
        text, encoding, is_mail = read_letter(read_input(sheet, sys.stdin.buffer), source)
        remarks += encoding
    with Game.open(file) as held:
        if clear:
            remarks += _clear_orders(held, power)
        if take_back and power:
            held.take_back(power, *take_back)
        if text or sheet:
            try:
                how: Unreadable = "keep" if lenient else "refuse" if is_mail or (sheet and power) else "raise"
                if power:
                    message = held.read_message(
                        power, text, source=source, unreadable=how, as_meant=as_meant, add=add or not sheet
                    )
                    remarks += message.ensure_read().remarks
                else:
                    read = held.read_sheet(text, source=source, unreadable=how, as_meant=as_meant, add=add)
                    remarks, owners = [*remarks, *read.ensure_read().remarks], list(read.orders)
            except InputError as error:
                if power and (joined_words := _join_words(held, power, texts)):
                    raise click.UsageError(format_quoting_hint("satjudge game order", [str(file), *joined_words])) from error
                raise
    if any(": dropped the earlier order " in line for line in remarks):
        remarks.append("use --add to keep the orders of units that a sheet does not name")
    if not as_meant and any(line.startswith("refused: ") and "did you mean" in line for line in remarks):
        remarks.append("use --as-meant to accept misspelt names that can mean only one thing")
    for line in remarks:
        write_text(line, err=True)
    _show_game(held, as_json, [parse_power(power, held.map)] if power else owners)


def _clear_orders(current_game: Game, power: str | None) -> list[str]:
    """Remove all orders of a power (of every power for None); return remarks on those removed that were for later phases."""
    before = current_game.early_orders
    current_game.clear_orders(*([power] if power else []))
    after = current_game.early_orders
    return [
        f"{phase}: withdrew the earlier orders of {owner}: {'; '.join(orders)}"
        for phase, early in before.items()
        for owner, orders in early.items()
        if owner not in after.get(phase, {})
    ]


def _join_words(current_game: Game, power: str, words: Sequence[str]) -> list[str] | None:
    """Return `power` (`POWER` if it names none) and the orders that unquoted words make up; None if they look like none."""
    try:
        current_game.map.power_aliases[normal(power)]
    except KeyError:
        power_word, words = "POWER", [power, *words]
    else:
        power_word = power
    if len(words) < 2 or any(" " in word for word in words):
        return None
    try:
        orders = parse_orders(" ".join(words), current_game.map, current_game.board.phase)
    except NotationError:
        return [power_word, " ".join(words)] if words[0].upper() in ("A", "F") else None
    return [power_word, " ".join(words)] if len(orders) == 1 else [power_word, *map(str, orders)]


@command("next", epilog="Example:  satjudge game next g.json", group=game)
def next_(file: Path = _file, details: bool = options.details, as_json: bool = options.json) -> None:
    """Judge the orders and go on to the next phase.

    Phases in which nobody has anything to do are skipped. After Fall, centres change owners, and a power that owns enough of
    them wins.
    """
    with Game.open(file) as held:
        phase = held.phase_name
        held.next()
    for kept_for, orders in held.dropped_orders.items():
        left_out = "the game is over" if held.is_over else "the phase was skipped because no power could act"
        why = _NOT_DUE[held.board.phase] if kept_for == held.phase_name else left_out
        for power, dropped in orders.items():
            write_text(f"{kept_for}: dropped the earlier orders of {power}: {'; '.join(dropped)} ({why})", err=True)
    for power, given in held.orders.items():
        write_text(f"{held.phase_name}: earlier orders of {power}: {'; '.join(given)}", err=True)
    _show_phase(held, phase, as_json, details=details)


@command(
    epilog='Examples:  satjudge game report g.json --due "Sunday 20:00"  ·  satjudge game report g.json -o page.html  ·  '
    "satjudge game report g.json --phase F1901M -o reports/",
    group=game,
)
def report(
    file: Path = _file,
    phase: str | None = option(
        "Phase to report on, e.g. S1901M or 'Spring 1901'. [default: the last judged phase]",
        "--phase",
        "--case",
        metavar="NAME",
    ),
    deadline: str | None = option("Deadline for the next orders, e.g. `Sunday 20:00`.", "--due", metavar="TEXT"),
    kind: str | None = option(
        "Output format. [default: from the name of OUT, or else text]", "--format", type=click.Choice(list(_REPORTS))
    ),
    output: Path | None = option(
        "File to write, or a directory for all formats.", "-o", "--output", type=click.Path(path_type=Path), metavar="OUT"
    ),
    details: bool = options.details,
    as_json: bool = options.json,
) -> None:
    """Write the game master's report on a phase.

    The report gives the results in plain language, the missing orders, the position, and the centres year by year. It also
    shows what each power must do next, and by when. The report is text for an email, Markdown for a forum, or a web page in
    one file. If OUT is a directory, you get all three, with pictures of the orders and the position.
    """
    from satjudge.game.documents import make_game_report

    held = Game.load(file)
    document = make_game_report(held, phase, deadline=deadline)
    every = output is not None and (output.is_dir() or not output.suffix)
    if every and kind:
        raise click.UsageError(f"{output} is a directory and gets all formats: name a file, or leave out --format")
    kinds = {suffix: name for name, suffix in _REPORTS.items()}
    chosen = kind or (kinds.get(output.suffix.lower()) if output and not every else "text")
    if output and chosen is None:
        raise click.UsageError(f"{output.name} has no suffix of a report: use {', '.join(kinds)}, a directory, or --format")

    def format_report(kind: str | None) -> str:
        from satjudge.show import game_reports

        write = game_reports.format_markdown if kind == "markdown" else game_reports.format_text
        return page().format_page() if kind == "html" else write(document, for_players=not details)

    def page() -> GamePage:
        from satjudge.show.report import GamePage

        return GamePage(held, phase, deadline, details)

    if output and every:
        name = make_file_name(document.phase or document.next)
        with convert_file_errors(output):
            output.mkdir(parents=True, exist_ok=True)
        for kind, suffix in _REPORTS.items():
            write_file(output / f"{name}{suffix}", format_report(kind).encode())
        for picture_name, svg in page().draw_pictures().items():
            write_file(output / f"{name}-{picture_name}.svg", svg.encode())
    elif output:
        write_file(output, format_report(chosen).encode())
    if as_json:
        write_json(document)
    elif output is None:
        write_text(format_report(chosen).rstrip("\n"))


@command(epilog="Example:  satjudge game undo g.json", group=game)
def undo(file: Path = _file, as_json: bool = options.json) -> None:
    """Undo a declared end, or else the last phase; restore its orders.

    Orders that you have already given for the current phase are kept. They come back when the game reaches this phase again.
    """
    with Game.open(file) as held:
        held.undo()
    _show_game(held, as_json)


@command(
    epilog="Examples:  satjudge game fork g.json other.json  ·  satjudge game fork g.json other.json --phase F1901M", group=game
)
def fork(
    file: Path = _file,
    new_file: Path = argument(type=FILE_PATH, metavar="NEW"),
    phase: str | None = _phase,
    force: bool = _force,
    as_json: bool = options.json,
) -> None:
    """Copy a game to NEW, up to the current phase or an earlier one."""
    held = Game.load(file).fork(phase, name=new_file.stem)
    _create_file(held, new_file, force)
    _show_game(held, as_json)


@command(epilog="Examples:  satjudge game end g.json FRANCE TURKEY  ·  satjudge game end g.json --draw", group=game)
def end(
    file: Path = _file,
    powers: tuple[str, ...] = argument(nargs=-1, metavar="[POWER]..."),
    draw: bool = flag("Declare a draw among all surviving powers."),
    as_json: bool = options.json,
) -> None:
    """End a game in a draw or concession, or without a winner.

    If you name one POWER, it wins. If you name several, they share a draw. If you name none and do not use --draw, nobody
    wins.
    """
    if draw and powers:
        raise click.UsageError("name the powers that share the draw, or use --draw for all survivors")
    with Game.open(file) as held:
        if draw:
            held.draw()
        else:
            held.end(*powers)
    _show_game(held, as_json)


@command(epilog="Examples:  satjudge game export g.json > phase.txt  ·  satjudge game export g.json --format batch", group=game)
def export(
    file: Path = _file,
    kind: str = option(
        "Format. Files in `sheet` and `godip` format contain one phase; the others contain all phases.",
        "--format", type=click.Choice(["sheet", "batch", "saved", "godip", "jdip"]), default="sheet"
    ),
    phase: str | None = _phase,
    output: Path | None = option("File to write. [default: standard output]", "-o", "--output", type=FILE_PATH, metavar="OUT"),
) -> None:  # fmt: skip
    """Write a game, or one phase of it, for other programs and commands."""
    from satjudge.game.documents import export_game, iter_batch_lines

    if phase and kind not in ("sheet", "godip"):
        raise click.UsageError(f"--format {kind} writes all phases: leave out --phase")
    held = Game.load(file)
    if kind == "sheet":
        text = held.sheet(phase)
    elif kind == "batch":
        text = "".join(f"{msgspec.json.encode(line).decode()}\n" for line in iter_batch_lines(held))
    elif kind == "saved":
        text = msgspec.json.encode(held.document()).decode() + "\n"
    else:
        text = export_game(held, kind, phase)
    if output is None:
        write_text(text.rstrip("\n"))
    else:
        write_file(output, text.encode())


@command("import", epilog="Example:  satjudge game import games.jsonl g.json --game game_433761 --rules datc-2", group=game)
def import_(
    saved: str = argument(metavar="SAVED"),
    file: Path | None = argument(type=FILE_PATH, required=False),
    identity: str | None = option("Game to import if SAVED contains several.", "--game", metavar="ID"),
    listing: bool = flag("Only list the games in SAVED.", "--list"),
    game_map: Map | None = options.on_map("Map to use if SAVED names none, or the wrong one."),
    rules: RulesOptions = options.rules,
    force: bool = _force,
    as_json: bool = options.json,
) -> None:
    """Import a game from another program.

    SAVED can contain games saved by the package `diplomacy`, a game from webDiplomacy's API, a DAIDE server log, emails
    from a judge, phases from godip or diplicity, or single phases (docs/guides/saved-games.md).

    The imported positions are those in SAVED, even if satjudge would judge the orders differently. To see such differences,
    use `satjudge replay`.
    """
    if (file is None) != listing:
        raise click.UsageError("name SAVED and the FILE to write, or use --list")
    data, source = read_input(saved, sys.stdin.buffer, _LONGEST), "standard input" if saved == "-" else saved
    if file is None:
        names = list_game_names(data, source)
        return write_json(names) if as_json else write_text("\n".join(names))
    rulebook = rules.load_rulebook() if rules.is_given else None
    try:
        held = Game.read(data, source, game=identity, rulebook=rulebook, map=options.get_map_option() or None)
    except ChoiceError as error:
        error.suggestion = f"use --game ID; {error.suggestion}; `satjudge game import {saved} --list` lists all"
        raise
    _create_file(held, file, force)
    _show_game(held, as_json)


_LONGEST = 200_000_000
"""The maximum size of a file of games, in bytes."""
