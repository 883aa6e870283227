"""Has the command `game`, with `new`, `show`, `order`, `next`, `report`, `undo`, `fork`, `end`, `export` and `import`."""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from satjudge.apps.cli import options
from satjudge.apps.cli.options import FILE_PATH, RulesOptions, argument, command, flag, option
from satjudge.apps.cli.output import file_errors, show, tell, write_file, write_json
from satjudge.base.errors import InputError, NotationError
from satjudge.files.cases import read_input
from satjudge.files.mail import letter_in
from satjudge.game.game import Game
from satjudge.game.kept_game import ChoiceError, hold_game_lock, names_of_games
from satjudge.game.readings import Unreadable
from satjudge.notation.parse import parse_orders
from satjudge.notation.write import file_name
from satjudge.world.board import Phase
from satjudge.world.geography import Map, Power, normal

if TYPE_CHECKING:
    from satjudge.show.report import GamePage

_file = argument(type=FILE_PATH)
_phase = option(
    "A phase that was played, S1901M or 'Spring 1901'. [default: the one at hand]", "--phase", "--case", metavar="NAME"
)


@click.group(
    epilog="Examples:  satjudge game new g.json  ·  satjudge game order g.json FRANCE 'A PAR - BUR' 'F BRE - MAO'  ·  "
    "satjudge game next g.json"
)
def game() -> None:
    """Play a game, which is kept in a file, phase by phase.

    The file is what the Python package diplomacy saves a game as, which reads it, too (docs/guides/game.md). A file is changed
    as a whole or not at all, by one command at a time: others wait, and say for whom.
    """


def _show_game(held: Game, as_json: bool, about: Collection[Power] | None = None) -> None:
    """Show the state of a game; with `about`, only illegal orders of these powers."""
    from satjudge.game.documents.games import shown_game

    document = shown_game(held)
    if as_json:
        write_json(document)
    else:
        from satjudge.show.games import game_table

        show(game_table(document, about))


def _create(held: Game, path: Path, force: bool) -> None:
    """Write the file of a new game.

    Raises `click.UsageError` if the file is there already.
    """
    with hold_game_lock(path):
        if path.exists() and not force:
            raise click.UsageError(f"{path} is there already: name another file, or write over it with --force")
        held.save(path)


_REPORTS = {"text": ".txt", "markdown": ".md", "html": ".html"}
"""The formats of a report, each with the ending of its files."""
_NOT_DUE = {
    Phase.MOVEMENT: "it has no such unit",
    Phase.RETREAT: "no such unit must retreat",
    Phase.ADJUSTMENT: "no such build or removal is due",
}
"""The reasons why an order that was kept for a phase is not given when this has come."""
_force = flag("Write over a file that is there.")


@command(epilog="Examples:  satjudge game new g.json  ·  satjudge game new c.json --map colonial --rules datc-2", group=game)
def new(
    file: Path = _file,
    game_map: Map | None = options.on_map("The map"),
    rules: RulesOptions = options.rules,
    name: str | None = option("What the game is called. [default: as the file]"),
    victory: int | None = option("Centres that win. [default: the map's number]", type=click.IntRange(1, 1000), metavar="N"),
    retreats_behind_arrow: bool = flag("Players write retreats behind an order: A PAR - BUR > GAS, PIC."),
    force: bool = _force,
    as_json: bool = options.json,
) -> None:
    """Begin a game."""
    held = Game.new(options.map_given() or "standard", rules.rulebook(), name=name or file.stem, victory=victory)
    held.retreats_behind_arrow = retreats_behind_arrow
    _create(held, file, force)
    _show_game(held, as_json)


@command(
    "show",
    epilog="Examples:  satjudge game show g.json --phase F1901M  ·  satjudge game show g.json --legal 'A PAR'",
    group=game,
)
def show_(
    file: Path = _file,
    phase: str | None = _phase,
    legal: str | None = option("List the legal orders of a unit or a centre; `all` for all of them.", metavar="UNIT"),
    details: bool = options.details,
    as_json: bool = options.json,
) -> None:
    """Show where a game stands, or what became of a phase."""
    held = Game.load(file)
    if legal is not None:
        listed = held.legal_orders() if legal == "all" else {legal: held.legal_orders(legal)}
        if as_json:
            write_json(listed)
        else:
            tell("\n".join(order for orders in listed.values() for order in orders))
    elif phase is None or (named := held.at(phase).phase_name) == held.phase_name:
        _show_game(held, as_json)
    else:
        _show_phase(held, named, as_json, details=details)


def _show_phase(held: Game, phase: str, as_json: bool, *, details: bool) -> None:
    """Show the outcome of a phase."""
    from satjudge.game.documents.games import phase_of_game

    played = held.at(phase)
    document = phase_of_game(held, played)
    if as_json:
        write_json(document)
    else:
        from satjudge.show.games import phase_table
        from satjudge.show.text import detailed_table, spoken_table

        table = detailed_table(played.outcome) if details else spoken_table(played.outcome, verdicts=False)
        show(phase_table(document, table, details=details))


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
        "Read the orders of all powers there: `France:` with orders below; - for input.", metavar="SHEET"
    ),
    add: bool = flag("Only change the orders of the units that the sheet names."),
    clear: bool = flag("First take back all orders of the power, or of all, also those kept for later phases."),
    take_back: tuple[str, ...] = option(
        "First take back this order, or the orders of this unit.", metavar="ORDER", multiple=True
    ),
    lenient: bool = flag("Keep orders that cannot be read: they are illegal, with the reason."),
    as_meant: bool = flag("Read what is poorly written where only one order can be meant, and tell so."),
    as_json: bool = options.json,
) -> None:
    """Give orders to the units of POWER, or to those of several by a sheet; with both, the sheet's orders are those of POWER.

    An order takes the place of one given before to the same unit; a sheet takes that of all orders of the powers in it, unless
    by --add. If anything cannot be read nothing is taken, and all that cannot is told (but see --lenient); of what a player
    sent, a mail or the sheet of POWER, the rest is taken. Orders that are not legal are taken, and told. Orders for a later
    phase are kept for it where the text says so.
    """
    told, given = list[str](), dict[str, list[str]]()
    if not (texts or sheet or clear or take_back) or (texts and sheet):
        raise click.UsageError("give POWER and its orders, or --sheet with a file, or --clear, or --take-back")
    if take_back and power is None:
        raise click.UsageError("whose order is to be taken back? Name POWER behind FILE")
    text, source, is_mail = "\n".join(texts), "order", False
    if sheet:
        source = "standard input" if sheet == "-" else sheet
        text, encoding, is_mail = letter_in(read_input(sheet, sys.stdin.buffer), source)
        told += encoding
    with Game.open(file) as held:
        if clear:
            told += _clear_orders(held, power)
        if take_back and power:
            held.take_back(power, *take_back)
        if text or sheet:
            try:
                how: Unreadable = "keep" if lenient else "refuse" if is_mail or (sheet and power) else "raise"
                if power:
                    message = held.read_message(
                        power, text, source=source, unreadable=how, as_meant=as_meant, add=add or not sheet
                    )
                    told, given = [*told, *message.ensure_read().remarks], {power: message.orders}
                else:
                    read = held.read_sheet(text, source=source, unreadable=how, as_meant=as_meant, add=add)
                    told, given = [*told, *read.ensure_read().remarks], read.orders
            except InputError as error:
                if power and (meant := _join_words(held, power, texts)):
                    from satjudge.apps.cli.quoting import format_quoting_hint

                    raise click.UsageError(format_quoting_hint("satjudge game order", [str(file), *meant])) from error
                raise
    if any(": dropped: " in line for line in told):
        told.append("--add keeps the orders to units that a sheet does not name")
    if not as_meant and any(line.startswith("refused: ") and "did you mean" in line for line in told):
        told.append("--as-meant reads misspelt names that can mean one thing only")
    for line in told:
        tell(line, err=True)
    _show_game(held, as_json, given)


def _clear_orders(held: Game, power: str | None) -> list[str]:
    """Take back all orders of a power, or of all, and list those that had been given for later phases."""
    before = held.early_orders
    held.clear_orders(*([power] if power else []))
    after = held.early_orders
    return [
        f"{phase}: taken back: {of} gave before: {'; '.join(orders)}"
        for phase, early in before.items()
        for of, orders in early.items()
        if of not in after.get(phase, {})
    ]


def _join_words(held: Game, power: str, words: Sequence[str]) -> list[str] | None:
    """Join the words of an unquoted order, with its power first; return None if they are no order."""
    try:
        held.map.power_aliases[normal(power)]
    except KeyError:
        named, words = "POWER", [power, *words]
    else:
        named = power
    if len(words) < 2 or any(" " in word for word in words):
        return None
    try:
        orders = parse_orders(" ".join(words), held.map, held.board.phase)
    except NotationError:
        return [named, " ".join(words)] if words[0].upper() in ("A", "F") else None
    return [named, " ".join(words)] if len(orders) == 1 else [named, *map(str, orders)]


@command("next", epilog="Example:  satjudge game next g.json", group=game)
def next_(file: Path = _file, details: bool = options.details, as_json: bool = options.json) -> None:
    """Judge the orders, and go on to the next phase.

    Phases in which nobody has anything to do are left out; after a Fall the centres change hands, and whoever has those that
    win has won.
    """
    with Game.open(file) as held:
        phase = held.phase_name
        held.next()
    for kept_for, orders in held.dropped_orders.items():
        left_out = "the game is over" if held.is_over else "the phase was left out, as nobody has anything to do in it"
        why = _NOT_DUE[held.board.phase] if kept_for == held.phase_name else left_out
        for power, dropped in orders.items():
            tell(f"{kept_for}: dropped: {power} gave before: {'; '.join(dropped)} ({why})", err=True)
    for power, given in held.orders.items():
        tell(f"{held.phase_name}: {power} gave before: {'; '.join(given)}", err=True)
    _show_phase(held, phase, as_json, details=details)


@command(
    epilog='Examples:  satjudge game report g.json --due "Sunday 20:00"  ·  satjudge game report g.json -o page.html  ·  '
    "satjudge game report g.json --phase F1901M -o reports/",
    group=game,
)
def report(
    file: Path = _file,
    phase: str | None = option(
        "The phase to report, S1901M or 'Spring 1901'. [default: the last that was judged]", "--phase", "--case", metavar="NAME"
    ),
    deadline: str | None = option("By when orders are due, as it is to be told: `Sunday 20:00`.", "--due", metavar="TEXT"),
    kind: str | None = option("How to write it. [default: text, or as -o ends]", "--format", type=click.Choice(list(_REPORTS))),
    output: Path | None = option(
        "A file; or a directory for all formats.", "-o", "--output", type=click.Path(path_type=Path), metavar="OUT"
    ),
    details: bool = options.details,
    as_json: bool = options.json,
) -> None:
    """Write what a game master sends out when a phase is judged.

    Results as players speak of them, who must do what and by when, what was missing, the position, the centres over the years:
    as text for an e-mail, Markdown for a forum, or a page that needs no other file. A directory gets all three, and the
    pictures of the orders and of the position.
    """
    from satjudge.game.documents.reports import game_report

    held = Game.load(file)
    document = game_report(held, phase, deadline=deadline)
    every = output is not None and (output.is_dir() or not output.suffix)
    if every and kind:
        raise click.UsageError(f"{output} is a directory, which gets all formats: name a file, or leave out --format")
    kinds = {suffix: name for name, suffix in _REPORTS.items()}
    chosen = kind or (kinds.get(output.suffix.lower()) if output and not every else "text")
    if output and chosen is None:
        raise click.UsageError(
            f"a report is written to {', '.join(kinds)} or a directory, not to {output.name}; or say --format"
        )

    def format_report(kind: str | None) -> str:
        from satjudge.show import game_reports

        write = game_reports.markdown if kind == "markdown" else game_reports.text
        return page().page() if kind == "html" else write(document, spoken=not details)

    def page() -> GamePage:
        from satjudge.show.report import GamePage

        return GamePage(held, phase, deadline, details)

    if output and every:
        name = file_name(document.phase or document.next)
        with file_errors(output):
            output.mkdir(parents=True, exist_ok=True)
        for kind, suffix in _REPORTS.items():
            write_file(output / f"{name}{suffix}", format_report(kind).encode())
        for what, drawn in page().pictures().items():
            write_file(output / f"{name}-{what}.svg", drawn.encode())
    elif output:
        write_file(output, format_report(chosen).encode())
    if as_json:
        write_json(document)
    elif output is None:
        tell(format_report(chosen).rstrip("\n"))


@command(epilog="Example:  satjudge game undo g.json", group=game)
def undo(file: Path = _file, as_json: bool = options.json) -> None:
    """Take the last phase back; its orders stand again as they were.

    Orders given in the phase at hand are kept for it, and given again when it comes.
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
    """Write a copy of a game to NEW, to play it on in another way; from an earlier phase if one is named."""
    held = Game.load(file).fork(phase, name=new_file.stem)
    _create(held, new_file, force)
    _show_game(held, as_json)


@command(epilog="Examples:  satjudge game end g.json FRANCE TURKEY  ·  satjudge game end g.json --draw", group=game)
def end(
    file: Path = _file,
    powers: tuple[str, ...] = argument(nargs=-1, metavar="[POWER]..."),
    draw: bool = flag("A draw of all powers that are left."),
    as_json: bool = options.json,
) -> None:
    """End a game: as a draw of several powers, by conceding it to one, or with nobody as the winner."""
    if draw and powers:
        raise click.UsageError("name the powers of the draw, or say --draw for all that are left")
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
        "An order sheet or godip's JSON of a phase; of all phases batch lines, the package's saved game, or what jDip imports.",
        "--format", type=click.Choice(["sheet", "batch", "saved", "godip", "jdip"]), default="sheet"
    ),
    phase: str | None = _phase,
    output: Path | None = option("Write there. [default: to the terminal]", "-o", "--output", type=FILE_PATH, metavar="OUT"),
) -> None:  # fmt: skip
    """Write a game, or a phase of it, for other programs and commands."""
    from satjudge.game.documents.games import batch_lines, export_game

    if phase and kind not in ("sheet", "godip"):
        raise click.UsageError(f"--format {kind} writes all phases: leave out --phase")
    held = Game.load(file)
    if kind == "sheet":
        text = held.sheet(phase)
    elif kind == "batch":
        text = "".join(f"{msgspec.json.encode(line).decode()}\n" for line in batch_lines(held))
    elif kind == "saved":
        text = msgspec.json.encode(held.document()).decode() + "\n"
    else:
        text = export_game(held, kind, phase)
    if output is None:
        tell(text.rstrip("\n"))
    else:
        write_file(output, text.encode())


@command("import", epilog="Example:  satjudge game import games.jsonl g.json --game game_433761 --rules datc-2", group=game)
def import_(
    saved: str = argument(metavar="SAVED"),
    file: Path | None = argument(type=FILE_PATH, required=False),
    identity: str | None = option("Which game of SAVED, if it holds several.", "--game", metavar="ID"),
    listing: bool = flag("Only tell the names of the games in SAVED.", "--list"),
    game_map: Map | None = options.on_map("The map, where SAVED names none or another is meant"),
    rules: RulesOptions = options.rules,
    force: bool = _force,
    as_json: bool = options.json,
) -> None:
    """Take a game of another program.

    SAVED holds games as the package diplomacy saves them, a game as webDiplomacy's API tells it, a log of a DAIDE server, mails
    of a judge, phases of godip or diplicity, or single phases (docs/guides/saved-games.md).

    Positions stay as they are in SAVED, whatever satjudge would have made of the orders: `satjudge replay` tells.
    """
    if (file is None) != listing:
        raise click.UsageError("name SAVED and the FILE to write, or SAVED and --list")
    data, source = read_input(saved, sys.stdin.buffer, _LONGEST), "standard input" if saved == "-" else saved
    if file is None:
        names = names_of_games(data, source)
        return write_json(names) if as_json else tell("\n".join(names))
    rulebook = rules.rulebook() if rules.is_given else None
    try:
        held = Game.read(data, source, game=identity, rulebook=rulebook, map=options.map_given() or None)
    except ChoiceError as error:
        error.suggestion = f"--game ID chooses one; {error.suggestion}; `satjudge game import {saved} --list` names all"
        raise
    _create(held, file, force)
    _show_game(held, as_json)


_LONGEST = 200_000_000
"""The most bytes of a file of games."""
