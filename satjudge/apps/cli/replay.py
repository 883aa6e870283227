"""The command `replay`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from satjudge.apps.cli import EXIT_INTERNAL, EXIT_NOTHING_RAN, EXIT_USAGE, options
from satjudge.apps.cli.options import RulesOptions, argument, command
from satjudge.apps.cli.output import show, show_call_count, write_json, write_text
from satjudge.base.errors import InputError, NotationError, NotFoundError, PhaseFailedError, RequestError, SatjudgeError
from satjudge.engines.documents.campaigns import Replay, ReplayedGame
from satjudge.files.detect import Kind, detect, format_hint
from satjudge.judging.solve import Engine
from satjudge.notation.documents import Problem, document_origin
from satjudge.world.geography import Map
from satjudge.world.rules import Rulebook

if TYPE_CHECKING:
    from satjudge.engines.replaying import Replayed

_SUFFIXES = (".json", ".jsonl", ".txt", ".log", ".datc", ".json.gz", ".jsonl.gz")
"""The suffixes of the files that are read in a directory."""
_MOST_ERRORS = 100
"""The number of errors after which the rest of a file is skipped."""
_NO_GAMES = (
    *(Kind.RULEBOOK, Kind.PAGE, Kind.GZIP, Kind.ZIP, Kind.PDF),
    *(Kind.BACKSTABBR, Kind.SAVED_BY_JDIP, Kind.WEBDIPLOMACY_PAGE, Kind.VDIPLOMACY_PAGE, Kind.BACKSTABBR_PAGE),
)


class _ReplayTask(NamedTuple):
    """A phase or a case to judge again, with the game or case to which it belongs."""

    kind: str
    """`game` or `case`."""
    which: object
    judge: Callable[[], Replayed]


class _Result(NamedTuple):
    """The result of judging a phase or a case again, with its file, and its game or case."""

    file: str
    kind: str
    number: tuple[int, object]
    found: Replayed


@command(epilog="Examples:  satjudge replay game.json  ·  satjudge replay games/ --rules datc-2  ·  satjudge replay datc.txt")
def replay(
    files: tuple[str, ...] = argument(nargs=-1, required=True, metavar="FILE..."),
    game_map: Map | None = options.game_map,
    rules: RulesOptions = options.rules,
    engine: Engine = options.engine(Engine.STAGED),
    as_json: bool = options.json,
) -> int:
    """Re-adjudicate saved games or other programs' test cases.

    FILE can contain games saved by the package `diplomacy` (JSON or JSON Lines), a game from webDiplomacy's API, a DAIDE
    server log, single phases (JSON Lines), or cases in jDip's format. You can also name a gzip file, or a directory
    of files in these formats.

    satjudge lists every phase for which its result differs from the file's, with the orders concerned
    (docs/guides/saved-games.md). The exit status is 1 if there is a difference.
    """
    rulebook = rules.load_rulebook()
    results: list[_Result] = []
    errors: list[SatjudgeError] = []
    numbers = count()
    with show_call_count("phases judged") as advance:
        for name in files:
            with _collect_errors(errors):
                for file in _list_files(name):
                    errors += _replay_file(file, next(numbers), game_map, rulebook, engine, results, advance)
    if results or not errors:
        _show_results(results, errors, rulebook, engine, as_json)
    for error in errors:
        write_text(f"satjudge: {'internal error: ' if isinstance(error, PhaseFailedError) else ''}{error}", err=True)
    if errors:
        return EXIT_INTERNAL if any(isinstance(error, PhaseFailedError) for error in errors) else EXIT_USAGE
    if not results:
        write_text("satjudge: nothing ran: no phase is followed by another one to compare with", err=True)
        return EXIT_NOTHING_RAN
    return 0 if all(result.found.is_same for result in results) else 1


@contextmanager
def _collect_errors(errors: list[SatjudgeError], source: str = "") -> Iterator[None]:
    """Append an `InputError` or `PhaseFailedError` in this block to `errors`, with `source` as its place; do not raise it."""
    try:
        yield
    except InputError as error:
        errors.append(error.add_place(source=", ".join(filter(None, (source, error.source))) or None))
    except PhaseFailedError as error:
        errors.append(PhaseFailedError(f"{source}, {error}"))


def _list_files(name: str) -> list[str]:
    """Return `name` itself unless it is a directory, else the files of games in it; raise `NotFoundError` for none."""
    if not Path(name).is_dir():
        return [name]
    found = sorted(str(entry) for entry in Path(name).rglob("*") if entry.name.endswith(_SUFFIXES) and entry.is_file())
    if not found:
        raise NotFoundError(
            f"there is no game in the directory {name}", suggestion=f"names of files with games end in {', '.join(_SUFFIXES)}"
        )
    return found


def _replay_file(
    file: str,
    file_number: int,
    game_map: Map | None,
    rulebook: Rulebook,
    engine: Engine,
    results: list[_Result],
    advance: Callable[[], None],
) -> list[SatjudgeError]:
    """Judge a file's phases again (until 100 errors), call `advance` after each, append to `results`, and return the errors."""
    source = "standard input" if file == "-" else file
    errors: list[SatjudgeError] = []
    readers: Iterable[Callable[[], Iterable[_ReplayTask]]] = ()
    with _collect_errors(errors):
        readers = _iter_readers(file, source, game_map, rulebook, engine)
    for read in readers:
        plays: Iterable[_ReplayTask] = ()
        with _collect_errors(errors):
            plays = read()
        for play in plays:
            with _collect_errors(errors, source):
                found = play.judge()
                results.append(_Result(file, play.kind, (file_number, play.which), found))
                errors += (NotationError(f"{source}, {text}") for text in found.unreadable)
            advance()
            if len(errors) >= _MOST_ERRORS:
                break
        if len(errors) >= _MOST_ERRORS:
            return [*errors, RequestError("the rest of the file is skipped after too many errors", source=source)]
    return errors


def _iter_readers(
    file: str, source: str, game_map: Map | None, rulebook: Rulebook, engine: Engine
) -> Iterator[Callable[[], Iterable[_ReplayTask]]]:
    """Return, for each game, phase or case in a file, a function that lists its phases to judge again.

    This function and those that it returns raise `InputError`.
    """
    from satjudge.engines import replaying
    from satjudge.files import diplomacy_package, game_readers, jdip

    def row_play(read_row: Callable[[], diplomacy_package.Row]) -> Iterable[_ReplayTask]:
        row = read_row()
        if row.next_units is None:
            return []
        return [_ReplayTask("game", row.game, partial(replaying.replay_row, row, rulebook, engine, game_map))]

    def game_plays(game_number: int, read_game: Callable[[], diplomacy_package.SavedGame]) -> Iterable[_ReplayTask]:
        game = read_game()
        try:
            found = replaying.iter_comparisons(game, rulebook, engine, game_map)
        except InputError as error:
            raise error.add_place(source=f"{source}, {error.source}") from None
        return (_ReplayTask("game", game_number, compare) for compare in found)

    def case_play(case_number: int, case: jdip.JdipCase) -> Iterable[_ReplayTask]:
        return [_ReplayTask("case", case_number, partial(replaying.replay_case, case, rulebook, engine))]

    data = diplomacy_package.read_all(sys.stdin.buffer, source) if file == "-" else diplomacy_package.read_file(Path(file))
    kind = detect(data)
    if kind in _NO_GAMES:
        raise RequestError(f"this is {kind}, not a saved game", source=source, suggestion=format_hint(kind))
    if kind in game_readers.ROWS:
        return (partial(row_play, read) for read in game_readers.ROWS[kind](data, source))
    if kind is Kind.JDIP or (kind is Kind.SHEET and data.strip()):
        cases = jdip.read_cases(diplomacy_package.check_length(data, source), source, game_map)
        return (partial(case_play, *numbered) for numbered in enumerate(cases))
    read_games = game_readers.GAMES.get(kind, diplomacy_package.game_readers)
    return (partial(game_plays, *numbered) for numbered in enumerate(read_games(data, source)))


def _show_results(
    results: Sequence[_Result], errors: Sequence[SatjudgeError], rulebook: Rulebook, engine: Engine, as_json: bool
) -> None:
    """Show the results of judging phases again, as text or JSON."""
    games = [
        ReplayedGame(file, found.game, int(found.is_same), found.different, found.unanswered) for file, _, _, found in results
    ]
    if as_json:
        problems = [Problem(getattr(error, "kind", "internal"), str(error)) for error in errors]
        write_json(Replay(**document_origin(rulebook), engine=engine, games=games, errors=problems))
        return
    from satjudge.show.engines import iter_replay_text

    numbers = [len({result.number for result in results if result.kind == kind}) for kind in ("game", "case")]
    show(*iter_replay_text(games, *numbers))
