"""The command `replay`: games and test cases of other programs, judged again."""

from __future__ import annotations

import sys
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import click

from satjudge.cli import EXIT_INTERNAL, EXIT_USAGE
from satjudge.cli.common import (
    EXIT_NOTHING_RAN,
    engine_option,
    json_option,
    rulebook_from_options,
    rules_options,
    show,
    tell,
    write_json,
)
from satjudge.documents import made_by
from satjudge.documents.campaigns import Replay, ReplayedDifference, ReplayedGame, ReplayedOrder, ReplayedPhase, ReplayError
from satjudge.errors import InputError, NotationError, NotFoundError, PhaseFailedError, RequestError, SatjudgeError
from satjudge.rules import Rulebook
from satjudge.solve import Engine

if TYPE_CHECKING:
    from satjudge.crosscheck.replaying import Replayed

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
        _told(replayed, errors, rulebook, engine, as_json)
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
    replayed: Sequence[tuple[_Play, Replayed]], errors: Sequence[SatjudgeError], rulebook: Rulebook, engine: str, as_json: bool
) -> None:
    """Write the results."""
    games = [_document(play.file, game) for play, game in replayed]
    if as_json:
        told = [ReplayError(getattr(error, "kind", "internal"), str(error)) for error in errors]
        write_json(Replay(**made_by(rulebook), engine=engine, games=games, errors=told))
        return
    from satjudge.render.campaigns import replay_text

    numbers = [len({play.number for play, _ in replayed if play.kind == kind}) for kind in ("game", "case")]
    show(*replay_text(games, *numbers))


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
    from satjudge.crosscheck import replaying
    from satjudge.formats import jdip, saved_games
    from satjudge.formats.detect import Kind, detect

    def row_play(read: Callable[[], saved_games.Row]) -> Iterable[_Play]:
        row = read()
        return [_Play(file, "game", (number, row.game), partial(replaying.check_row, row, rulebook, engine))]

    def game_plays(read: Callable[[], saved_games.SavedGame], which: int) -> Iterable[_Play]:
        pairs = replaying.comparisons(read(), rulebook, engine)
        return (_Play(file, "game", (number, which), compare) for compare in pairs)

    def case_play(case: jdip.Case, which: int) -> Iterable[_Play]:
        return [_Play(file, "case", (number, which), partial(replaying.check_case, case, rulebook, engine))]

    source = _source(file)
    data = saved_games.read_all(sys.stdin.buffer, source) if file == "-" else saved_games.read_file(Path(file))
    if detect(data) is Kind.ROWS:
        return (partial(row_play, read) for read in saved_games.row_readers(data, source))
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


def _document(name: str, game: Replayed) -> ReplayedGame:
    different = None
    if game.different:
        differences = [ReplayedDifference(one.what, one.power, one.ours, one.theirs) for one in game.different.differences]
        orders = [ReplayedOrder(one.power, str(one.order), str(one.verdict), one.saved) for one in game.different.orders]
        different = ReplayedPhase(game.different.name, differences, orders)
    return ReplayedGame(name, game.game, int(game.same), different, game.unanswered)
