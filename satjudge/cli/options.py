"""What commands are given: the options that several of them share, and the cases that FILE holds."""

from __future__ import annotations

import math
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial, wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from satjudge.board import Phase
from satjudge.errors import InputError, NotFoundError, RulebookError, SheetError
from satjudge.formats.cases import Entry, entries_in, read_input
from satjudge.geography import Map, ProvinceCode, load_map, province_of
from satjudge.notation.parse import parse_location
from satjudge.notation.sheets import Sheet
from satjudge.notation.shipped import COLLECTIONS, EDITIONS, collection_of, shipped_sheet, shipped_sheets
from satjudge.rules import DEFAULT_RULES, Rulebook, load_preset, load_rulebook, preset_names
from satjudge.solve import Engine

F = TypeVar("F", bound=Callable[..., Any])

MOST = 1_000_000_000
"""Boards, resolutions or answers that can be asked for."""
_MOST_JOBS = 256
"""Processes that share the work."""
_LONGEST_TIMEOUT = 1e9
"""Seconds; some 30 years."""

# ---- options ----

FILE_PATH = click.Path(dir_okay=False, path_type=Path)
DIRECTORY_PATH = click.Path(file_okay=False, path_type=Path)


class Seconds(click.FloatRange):
    """A time to wait: a number, and not one that never ends."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:  # noqa: ANN401  # click's
        """The number. Raises `click.BadParameter`."""
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number) or number > _LONGEST_TIMEOUT:
            self.fail(f"{value} is no number of seconds; without the option there is no limit", param, ctx)
        return number


def _units_range(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[int, int] | None:
    """The two ends of `4..14`; one number is both."""
    if value is None:
        return None
    match = re.fullmatch(r"(\d{1,3})(?:(?:\.\.|-)(\d{1,3}))?", value.strip())
    least, most = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    room = len((ctx.params.get("game_map") or load_map()).provinces)
    if not 1 <= least <= most <= room:
        raise click.BadParameter(f"{value!r} is no range of units; write 4..14, from 1 to {room}", ctx, param)
    return least, most


@dataclass(frozen=True)
class RulesOptions:
    """What `--rules` and `--set` ask for."""

    name: str | None
    settings: tuple[str, ...]

    @property
    def given(self) -> bool:
        """Whether either was given."""
        return self.name is not None or bool(self.settings)

    def rulebook(self, default: str = DEFAULT_RULES) -> Rulebook:
        """The rulebook that is asked for, else the preset of that name, which a sheet says. Raises `RulebookError`."""
        return (load_rulebook(self.name) if self.name else load_preset(default)).with_settings(self.settings)


def rules(command: F) -> F:
    """`--rules` and `--set`, together the argument `rules` of the command."""

    @click.option("--rules", metavar="NAME|FILE.toml", help=f"The rulebook to judge by. [default: {DEFAULT_RULES}]")
    @click.option(
        "--set", "settings", multiple=True, metavar="ISSUE=VALUE", help="Settle one issue otherwise, e.g. 4.A.2=all-hold."
    )
    @wraps(command)
    def with_rules(*arguments: object, rules: str | None, settings: tuple[str, ...], **options: object) -> object:
        return command(*arguments, rules=RulesOptions(rules, settings), **options)

    return with_rules  # type: ignore[return-value]  # the same but for these two


def named_rulebooks(names: str, settings: tuple[str, ...]) -> list[Rulebook]:
    """The rulebooks named, each once; `all` stands for the presets, the default one first. Raises `RulebookError`."""
    presets = sorted(preset_names(), key=lambda name: (name != DEFAULT_RULES, name))
    listed = [name.strip() for name in names.split(",") if name.strip()]
    if not listed:
        raise RulebookError("name at least one rulebook", suggestion=f"there are {', '.join(preset_names())}")
    chosen = dict.fromkeys(each for name in listed for each in (presets if name == "all" else [name]))
    return [load_rulebook(name).with_settings(settings) for name in chosen]


def engine(default: Engine) -> Callable[[F], F]:
    """`--engine`."""
    return click.option(
        "--engine",
        type=click.Choice([str(engine) for engine in Engine]),
        callback=lambda context, parameter, value: Engine(value),
        default=str(default),
        show_default=True,
        help="How to solve: by stages, all by the solver, or by brute force (few orders only).",
    )


_MAP = f"{__name__}.map"


def _read_map(ctx: click.Context, param: click.Parameter, value: str | None) -> Map | None:
    """The map that is named. Raises `InputError`."""
    if value is None:
        return None
    from satjudge.formats.maps import read_map

    ctx.meta[_MAP] = value
    return read_map(value)


def map_given() -> str:
    """What `--map` said to the current command; nothing if it was not given."""
    return str(click.get_current_context().meta.get(_MAP, ""))


def on_map(told: str = "The map of cases that name none") -> Callable[[F], F]:
    """`--map`, the argument `game_map` of the command, which is None where it is not given. It is read before the others."""
    return click.option(
        "--map",
        "game_map",
        callback=_read_map,
        is_eager=True,
        metavar="NAME|FILE",
        help=f"{told}: one that comes with satjudge, or a file (docs/maps.md). [default: standard]",
    )


game_map = on_map()
json = click.option("--json", "as_json", is_flag=True, help="Write JSON instead of tables.")
case = click.option(
    "--case", "identity", default=None, metavar="ID", help="Which case of FILE, if it has several; S1901M of a saved game."
)
seed = click.option("--seed", type=int, default=1, show_default=True, metavar="S", help="What they are drawn from.")
units = click.option(
    "--units",
    callback=_units_range,
    metavar="A..B",
    help="How many units a board has. [default: a mix of 4..9, 4..14, 10..22 and 16..34]",
)


def jobs(default: int | None = None) -> Callable[[F], F]:
    """`--jobs`: so many processes, else one per processor."""
    return click.option(
        "--jobs",
        type=click.IntRange(1, _MOST_JOBS),
        callback=lambda context, parameter, value: value or _processors(),
        default=default,
        show_default=bool(default),
        metavar="J",
        help="Processes." if default else "Processes. [default: one per processor]",
    )


def _processors() -> int:
    """How many processes can work at a time."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def checkpoint(name: str) -> Callable[[F], F]:
    """A file that keeps finished work."""
    told = "Keep finished work in this file (JSON Lines); a run that was interrupted goes on from there."
    return click.option(name, type=FILE_PATH, help=told)


def save(told: str) -> Callable[[F], F]:
    """`--save DIR`."""
    return click.option("--save", type=DIRECTORY_PATH, metavar="DIR", help=told)


# ---- reading ----


def read_cases(name: str, identity: str | None = None, game_map: Map | None = None, *, lenient: bool = False) -> list[Sheet]:
    """The cases that FILE holds, or the one of that ID; those that name no map are on the given one.

    Raises `InputError`; if it is `lenient` not for unreadable orders.
    """
    entries = _entries(name, game_map, lenient=lenient)
    return [entry.read() for entry in (entries if identity is None else [_one(name, entries, identity)])]


def read_case(name: str, identity: str | None, game_map: Map | None = None, data: bytes | None = None) -> Sheet:
    """The one case of FILE, or the one asked for; `data` is what the file holds, if it was read. Raises `InputError`."""
    return _one(name, _entries(name, game_map, data), identity).read()


def read_phases(
    name: str, identity: str | None, game_map: Map | None = None, data: bytes | None = None
) -> tuple[Sheet, Iterator[Sheet]]:
    """The case as `read_case` reads it; and, if it is a phase of a saved game, the phases of this game that can be read."""
    entries = _entries(name, game_map, data)
    chosen = _one(name, entries, identity)
    others = [entry for entry in entries if entry.game is not None and entry.game == chosen.game]
    return chosen.read(), _readable(others)


def read_game(name: str, identity: str | None, game_map: Map | None = None) -> list[Sheet]:
    """The phases of the one game of FILE, or its one case, or the one asked for. Raises `InputError`."""
    entries = _entries(name, game_map)
    games = {entry.game for entry in entries}
    if identity is None and len(games) == 1 and None not in games:
        return [entry.read() for entry in entries]
    return [_one(name, entries, identity).read()]


def _readable(entries: Iterable[Entry]) -> Iterator[Sheet]:
    for entry in entries:
        with suppress(InputError):
            yield entry.read()


def is_shipped(name: str) -> bool:
    """Whether FILE is the short name of shipped cases, `datc:6.F.14`."""
    prefix, colon, _ = name.partition(":")
    return bool(colon) and prefix.lower() in COLLECTIONS


def shipped_cases(name: str, game_map: Map | None, edition: str = EDITIONS[0]) -> list[Sheet]:
    """The shipped cases of a short name: one (`datc:6.F.14`, `line:lipton-southern-3`), those of a section (`datc:6.F`), or all
    of a collection (`catalogue:all`). Without a prefix the name is of the DATC, whose edition the ID may name itself (2.4/7.B).

    Raises `NotFoundError`.
    """
    prefix, identity = (name.lower().partition(":")[0], name.partition(":")[2]) if is_shipped(name) else ("datc", name)
    if prefix == "datc" and edition != EDITIONS[0] and "/" not in identity:
        identity = f"{edition}/{identity}"
    wanted, collection = identity.lower().rstrip("."), collection_of(identity, prefix)
    if wanted.rpartition("/")[2] == "all":
        return list(shipped_sheets(collection, game_map=game_map))
    if section := shipped_sheets(collection, section=identity.upper().rpartition("/")[2].rstrip("."), game_map=game_map):
        return list(section)
    try:
        return [shipped_sheet(identity, prefix, game_map=game_map)]
    except NotFoundError:
        sheets = shipped_sheets(collection, game_map=game_map)
        if found := [sheet for sheet in sheets if sheet.identity.lower().startswith(f"{wanted}.")]:
            return found
        raise


def _entries(name: str, game_map: Map | None, data: bytes | None = None, *, lenient: bool = False) -> list[Entry]:
    """The cases of a file of any kind (`satjudge.formats`), of standard input (`-`), or the shipped ones of that name.

    Raises `InputError`.
    """
    if is_shipped(name):
        return [Entry(sheet.identity, sheet.line, partial(_itself, sheet)) for sheet in shipped_cases(name, game_map)]
    try:
        data = read_input(name, sys.stdin.buffer) if data is None else data
    except NotFoundError as error:
        error.suggestion = error.suggestion or "shipped cases are named like datc:6.F.14"
        raise
    return entries_in(data, "standard input" if name == "-" else name, game_map=game_map, lenient=lenient)


def _itself(sheet: Sheet) -> Sheet:
    return sheet


def _one(file: str, entries: Sequence[Entry], identity: str | None) -> Entry:
    """The one case of FILE, or the one asked for. Raises `InputError`."""
    found = [entry for entry in entries if identity in (None, entry.identity)]
    if len(found) == 1:
        return found[0]
    known = ", ".join(entry.name for entry in entries[:8]) + ", …" * (len(entries) > 8)
    if not found:
        alone = len(entries) == 1 and not entries[0].identity
        hint = "its only case has no ID: leave out --case" if alone else f"there are {known}"
        raise NotFoundError(f"there is no case {identity} in {file}", suggestion=hint)
    if identity is not None:
        raise NotFoundError(f"{len(found)} cases in {file} are called {identity}", suggestion="give each an ID of its own")
    raise click.UsageError(f"{file} holds {len(found)} cases: choose one with --case ID (there are {known})")


def check_movement(sheet: Sheet, message: str = "only movement phases have equations and resolutions") -> None:
    """Raise `SheetError` with that message for a sheet of another phase."""
    if sheet.phase is not Phase.MOVEMENT:
        raise SheetError(message, source=sheet.source_file, line=sheet.line)


# ---- regions ----


def provinces(text: str, game_map: Map) -> frozenset[ProvinceCode]:
    """Provinces with blanks or commas between them. Raises `InputError` with the column of what is none."""
    source = f"--region {text!r}"
    found: set[ProvinceCode] = set()
    for name in re.finditer(r"[^\s,]+", text):
        try:
            location = parse_location(name[0], game_map)
        except InputError as error:
            raise error.at(source=source, offset=name.start()) from None
        province = province_of(location)
        if location != province:
            message, hint = f"{name[0]} is a coast; a region is made of provinces", f"write {province}"
            raise InputError(message, source=source, column=name.start() + 1, suggestion=hint)
        found.add(province)
    if not found:
        raise InputError("--region names no province", suggestion='write --region "BRE ENG LON WAL"')
    return frozenset(found)
