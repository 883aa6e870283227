"""The command `replay`: games and test cases of other programs, judged again."""

from __future__ import annotations

import sys
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from satjudge.cli import EXIT_INTERNAL, EXIT_USAGE
from satjudge.cli.common import (
    EXIT_NOTHING_RAN,
    engine_option,
    json_option,
    provenance,
    rulebook_from_options,
    rules_options,
    show,
    tell,
    write_json,
)
from satjudge.errors import InputError, NotationError, NotFoundError, PhaseFailedError, RequestError, SatjudgeError
from satjudge.rules import Rulebook
from satjudge.solve import Engine
from satjudge.words import number_of

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from satjudge.crosscheck.replaying import DifferentPhase, Replayed

_SUFFIXES = (".json", ".jsonl", ".txt", ".datc", ".json.gz", ".jsonl.gz")
"""Of the files that are taken from a directory."""
_MOST_ERRORS = 100
"""In one file; after so many nothing more is read of it."""
T = TypeVar("T")


class _Play(NamedTuple):
    """What there is to judge again, and which game or case of which file it is or belongs to."""

    file: str
    kind: str
    """`game` or `case`."""
    number: tuple[int, object]
    """Of the file, and what tells games in it apart: a game may come as a whole or phase by phase."""
    judge: Callable[[], Replayed]


@click.command(
    epilog="Examples:  satjudge replay game.json  ·  satjudge replay games/ --rules datc-2  ·  satjudge replay datc.txt"
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@rules_options
@engine_option(Engine.STAGED)
@json_option
def replay(files: tuple[str, ...], rules: str | None, settings: tuple[str, ...], engine: str, as_json: bool) -> int:
    """Judge saved games or test cases of other programs again.

    A FILE holds games as the `diplomacy` package saves them (JSON, or JSON Lines), single phases (JSON Lines), or cases in
    jDip's format (CASE, PRESTATE, ORDERS, POSTSTATE); it may be packed by gzip, and a directory stands for the files in it.
    Every phase that comes out differently is shown, with the orders that concern it (docs/saved-games.md).
    """
    rulebook = rulebook_from_options(rules, settings)
    errors: list[SatjudgeError] = []
    replayed = list(_replayed(files, rulebook, Engine(engine), errors))
    if replayed or not errors:
        _told(replayed, errors, provenance(rulebook, engine=engine) if as_json else None)
    for error in errors:
        tell(f"satjudge: {'internal error: ' if _is_internal(error) else ''}{error}", err=True)
    if errors:
        return EXIT_INTERNAL if any(map(_is_internal, errors)) else EXIT_USAGE
    if not replayed:
        tell("satjudge: nothing ran: there is no phase with another one after it", err=True)
        return EXIT_NOTHING_RAN
    return 0 if all(game.same for _, game in replayed) else 1


def _replayed(
    names: Sequence[str], rulebook: Rulebook, engine: Engine, errors: list[SatjudgeError]
) -> Iterator[tuple[_Play, Replayed]]:
    """What comes of all phases of all files, read and judged one after the other so that they need not be kept in memory."""
    files = chain.from_iterable(_kept((partial(_files, name) for name in names), errors))
    with _watching() as advance:
        for number, file in enumerate(files):
            wrong: list[SatjudgeError] = []
            for read in _readers(number, file, rulebook, engine, wrong):
                for play in chain.from_iterable(_kept((read,), wrong)):
                    for found in _kept((partial(_played, play),), wrong):
                        wrong += (NotationError(f"{_source(file)}, {told}") for told in found.unreadable)
                        yield play, found
                    advance()
                    if len(wrong) >= _MOST_ERRORS:
                        break
                if len(wrong) >= _MOST_ERRORS:
                    left = "the rest of the file is left out: too much in it cannot be judged"
                    wrong.append(RequestError(left, source=_source(file)))
                    break
            errors += wrong


def _kept(tasks: Iterable[Callable[[], T]], errors: list[SatjudgeError]) -> Iterator[T]:
    """What comes of tasks; errors are collected, so that none hides anything else."""
    for task in tasks:
        try:
            yield task()
        except (InputError, PhaseFailedError) as error:
            errors.append(error)


def _is_internal(error: SatjudgeError) -> bool:
    return isinstance(error, PhaseFailedError)


def _told(
    replayed: Sequence[tuple[_Play, Replayed]], errors: Sequence[SatjudgeError], document: dict[str, object] | None
) -> None:
    """Write the results, as JSON if there is a document for them."""
    if document is not None:
        told = [{"kind": getattr(error, "kind", "internal"), "message": str(error)} for error in errors]
        write_json({**document, "games": [_document(play.file, game) for play, game in replayed], "errors": told})
    else:
        _show(replayed)


def _played(play: _Play) -> Replayed:
    """What comes of a play; an error says in which file."""
    source = _source(play.file)
    try:
        return play.judge()
    except InputError as error:
        raise error.at(source=f"{source}, {error.source}" if error.source else source) from None
    except PhaseFailedError as error:
        raise PhaseFailedError(f"{source}, {error}") from error


def _files(name: str) -> list[str]:
    """The file of that name, or those in the directory of that name. Raises `NotFoundError`."""
    if not Path(name).is_dir():
        return [name]
    found = sorted(str(entry) for entry in Path(name).rglob("*") if entry.name.endswith(_SUFFIXES) and entry.is_file())
    if not found:
        raise NotFoundError(f"there is no game in the directory {name}", suggestion=f"games end in {', '.join(_SUFFIXES)}")
    return found


def _source(file: str) -> str:
    """How a file is called in messages."""
    return "standard input" if file == "-" else file


def _readers(
    number: int, file: str, rulebook: Rulebook, engine: Engine, errors: list[SatjudgeError]
) -> Iterator[Callable[[], Iterable[_Play]]]:
    """For each game, phase or case in the file of that number what reads it. They, and this, raise `InputError`."""
    return chain.from_iterable(_kept((partial(_readers_of, number, file, rulebook, engine),), errors))


def _readers_of(number: int, file: str, rulebook: Rulebook, engine: Engine) -> Iterator[Callable[[], Iterable[_Play]]]:
    from satjudge.crosscheck import jdip, phase_rows, replaying, saved_games

    def row_play(read: Callable[[], phase_rows.Row]) -> Iterable[_Play]:
        row = read()
        return [_Play(file, "game", (number, row.game), partial(phase_rows.check_row, row, rulebook, engine))]

    def game_plays(read: Callable[[], saved_games.SavedGame], which: int) -> Iterable[_Play]:
        pairs = replaying.comparisons(read(), rulebook, engine)
        return (_Play(file, "game", (number, which), compare) for compare in pairs)

    def case_play(case: jdip.Case, which: int) -> Iterable[_Play]:
        return [_Play(file, "case", (number, which), partial(jdip.check, case, rulebook, engine))]

    source = _source(file)
    data = saved_games.read_all(sys.stdin.buffer, source) if file == "-" else saved_games.read_file(Path(file))
    if phase_rows.holds_rows(data):
        return (partial(row_play, read) for read in phase_rows.row_readers(data, source))
    if data.removeprefix(BOM_UTF8).lstrip()[:1] in (b"{", b"[", b""):
        return (partial(game_plays, read, i) for i, read in enumerate(saved_games.game_readers(data, source)))
    cases = jdip.read_cases(saved_games.document_of(data, source), source)
    return (partial(case_play, case, i) for i, case in enumerate(cases))


@contextmanager
def _watching() -> Iterator[Callable[[], None]]:
    """Something to call after each phase: where somebody looks on, it is counted."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.completed:,} phases judged"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task("judging", total=None)
        yield lambda: shown.advance(task)


def _show(replayed: Sequence[tuple[_Play, Replayed]]) -> None:
    several = len({play.file for play, _ in replayed}) > 1
    for play, game in replayed:
        if game.different:
            show(*_tables(game.game, game.different, f"{play.file}, " if several else ""), "")
        if game.unanswered:
            show(game.unanswered, "")
    show(_summary(replayed))


def _summary(replayed: Sequence[tuple[_Play, Replayed]]) -> str:
    """How many phases were judged, of how many games and cases, and what came of them."""
    same = sum(game.same for _, game in replayed)
    different = sum(game.different is not None for _, game in replayed)
    unanswered = sum(bool(game.unanswered) for _, game in replayed)
    numbers = {kind: len({play.number for play, _ in replayed if play.kind == kind}) for kind in ("game", "case")}
    judged = number_of(same + different + unanswered, "phase")
    games = " and ".join(number_of(number, kind) for kind, number in numbers.items() if number) or "no game"
    came = f"{same:,} the same, {different:,} {'differs' if different == 1 else 'differ'}"
    return f"{judged} of {games}: {came}" + (f", {unanswered:,} without an answer in the rulebook." if unanswered else ".")


def _tables(game: str, phase: DifferentPhase, file: str) -> Iterator[Table | Text]:
    """What differs, and the orders that have to do with it."""
    from rich.text import Text

    yield Text(f"{file}{game}: {phase.name}", style="bold", no_wrap=True)
    found = _table("What", "Power", "Only satjudge has", "Only the file has")
    for entry in phase.differences:
        found.add_row(entry.what, entry.power, entry.ours, entry.theirs)
    yield found
    orders = _table("Power", "Order", "Verdict", "In the file")
    for order in phase.orders:
        orders.add_row(order.power, str(order.order), order.verdict, order.saved)
    if phase.orders:
        yield orders


def _table(*headings: str) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in headings:
        table.add_column(heading, overflow="fold", header_style="bold", no_wrap=heading in ("Power", "Order"))
    return table


def _document(name: str, game: Replayed) -> dict[str, Any]:
    document: dict[str, Any] = {"file": name, "game": game.game, "same": int(game.same), "different": None}
    document["unanswered"] = game.unanswered
    if game.different:
        differences = [
            {"what": entry.what, "power": entry.power, "satjudge": entry.ours, "file": entry.theirs}
            for entry in game.different.differences
        ]
        orders = [
            {"power": entry.power, "order": str(entry.order), "verdict": entry.verdict, "file": entry.saved}
            for entry in game.different.orders
        ]
        document["different"] = {"phase": game.different.name, "differences": differences, "orders": orders}
    return document
