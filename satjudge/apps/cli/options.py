"""Declares the options that several commands share, and reads the cases that FILE holds."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import Any, TypeVar

import click

from satjudge.apps.cli.output import tell, where_pages_are
from satjudge.base.errors import InputError, RulebookError, SheetError
from satjudge.base.systems import processors
from satjudge.files.cases import Entry, SeveralCasesError, choose_entry, entries_of, find_latest_entry, read_input
from satjudge.judging.solve import Engine, usable
from satjudge.notation.sheets import Sheet
from satjudge.world.board import Phase
from satjudge.world.geography import Map, load_map
from satjudge.world.rules import DEFAULT_RULES, Rulebook, load_preset, load_rulebook, preset_names

F = TypeVar("F", bound=Callable[..., Any])

MOST = 1_000_000_000
"""The most boards, resolutions or answers that can be asked for."""
_MOST_JOBS = 256
"""The most processes that share the work."""
_LONGEST_TIMEOUT = 1e9
"""The longest time limit in seconds, some 30 years."""

# ---- parameters of commands: each is declared where its name, its type and its default are said ----


@dataclass(frozen=True)
class _Parameter:
    """A parameter of a command as it is written on the command line."""

    kind: type[click.Parameter]
    flags: tuple[str, ...]
    attributes: dict[str, Any]

    def parameters(self, name: str) -> list[click.Parameter]:
        """Make click's parameter of that name; an option without flags of its own is called by the name."""
        usual = (f"--{name.replace('_', '-')}",) if self.kind is click.Option else ()
        return [self.kind([*(self.flags or usual), name], **self.attributes)]

    def value(self, read: dict[str, Any], name: str) -> object:
        """Take the value for the command out of all that click has read."""
        return read[name]


@dataclass(frozen=True)
class _ParameterGroup:
    """Several options that are one parameter of a command, which is made of their values."""

    made: Callable[..., object]
    declared: dict[str, _Parameter]

    def parameters(self, name: str) -> list[click.Parameter]:
        """Make click's parameters for all of the options."""
        return [parameter for each, one in self.declared.items() for parameter in one.parameters(each)]

    def value(self, read: dict[str, Any], name: str) -> object:
        """Make the value for the command of the values of its options."""
        return self.made(**{each: read[each] for each in self.declared})


def option(told: str, *flags: str, **attributes: Any) -> Any:  # noqa: ANN401  # it stands for what click reads
    """Declare an option with its help, which tells the default."""
    return _Parameter(click.Option, flags, {"show_default": attributes.get("default") is not None, **attributes, "help": told})


def flag(told: str, *flags: str) -> Any:  # noqa: ANN401
    """Declare an option without a value."""
    return _Parameter(click.Option, flags, {"is_flag": True, "help": told})


def argument(**attributes: Any) -> Any:  # noqa: ANN401
    """Declare an argument, which is required unless said otherwise."""
    return _Parameter(click.Argument, (), attributes)


def write_where_pages_are(command: click.Command, formatter: click.HelpFormatter) -> None:
    """Write where `docs/…` is, where the help of a command names such a page: an installation has none of them."""
    helps = [command.help, *(one.help for one in command.params if isinstance(one, click.Option))]
    if pages := where_pages_are(" ".join(filter(None, helps))):
        formatter.write_paragraph()
        formatter.write(f"{pages}\n")  # as one piece, however long it is


class _Command(click.Command):
    """A command that says, where it gets more words than it takes, which of them belong together."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments.

        Raises `click.UsageError`, with the command as it should be.
        """
        given = list(args)
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            from satjudge.apps.cli.quoting import format_usage_hint

            if meant := format_usage_hint(self, ctx, given, error):
                raise click.UsageError(meant, ctx) from error
            raise

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples, and where the pages are that the text names by their files."""
        super().format_epilog(ctx, formatter)
        write_where_pages_are(self, formatter)


def command(name: str | None = None, *, epilog: str, group: click.Group | None = None) -> Callable[[F], click.Command]:
    """Make a command, in a group or by itself, of a function all of whose parameters are declared."""

    def make_command(function: F) -> click.Command:
        declared: dict[str, _Parameter | _ParameterGroup] = {
            each.name: each.default for each in signature(function).parameters.values()
        }

        @wraps(function)
        def call(**read: object) -> object:
            return function(**{each: one.value(read, each) for each, one in declared.items()})

        parameters = [parameter for each, one in declared.items() for parameter in one.parameters(each)]
        made: click.Command = (group or click).command(name, cls=_Command, params=parameters, epilog=epilog)(call)
        return made

    return make_command


# ---- options that several commands share ----

FILE_PATH = click.Path(dir_okay=False, path_type=Path)
DIRECTORY_PATH = click.Path(file_okay=False, path_type=Path)


class Seconds(click.FloatRange):
    """The type of a time limit: a number of seconds that is not infinite."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:  # noqa: ANN401  # click's
        """Read a number of seconds.

        Raises `click.BadParameter`.
        """
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number) or number > _LONGEST_TIMEOUT:
            self.fail(f"{value} is no number of seconds; without the option there is no limit", param, ctx)
        return number


def _units_range(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[int, int] | None:
    """Read the two ends of `4..14`; one number is both."""
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
    """The values of `--rules` and `--set`."""

    name: str | None
    settings: tuple[str, ...]

    @property
    def is_given(self) -> bool:
        """True if `--rules` or `--set` was given."""
        return self.name is not None or bool(self.settings)

    def rulebook(self, default: str = DEFAULT_RULES) -> Rulebook:
        """Load the rulebook that is asked for, else the preset `default`, which a sheet names.

        Raises `RulebookError`.
        """
        return (load_rulebook(self.name) if self.name else load_preset(default)).with_settings(self.settings)


def named_rulebooks(names: str, settings: tuple[str, ...]) -> list[Rulebook]:
    """Load the rulebooks named, each once; `all` stands for the presets, the default one first.

    Raises `RulebookError`.
    """
    presets = sorted(preset_names(), key=lambda name: (name != DEFAULT_RULES, name))
    listed = [name.strip() for name in names.split(",") if name.strip()]
    if not listed:
        raise RulebookError("name at least one rulebook", suggestion=f"there are {', '.join(preset_names())}")
    chosen = dict.fromkeys(each for name in listed for each in (presets if name == "all" else [name]))
    return [load_rulebook(name).with_settings(settings) for name in chosen]


def engine(default: Engine) -> Any:  # noqa: ANN401
    """Declare `--engine`; a default that needs the solver is solved by stages where the solver is not installed."""
    told, names = "How to solve: by stages, all by the solver, or by brute force (few orders only).", [*map(str, Engine)]
    return option(
        f"{told} [default: {default}]", type=click.Choice(names), callback=lambda _, __, value: Engine(value or usable(default))
    )


_MAP = f"{__name__}.map"


def _read_map(ctx: click.Context, param: click.Parameter, value: str | None) -> Map | None:
    """Read the map that is named.

    Raises `InputError`.
    """
    if value is None:
        return None
    from satjudge.files.maps import read_map

    ctx.meta[_MAP] = value
    return read_map(value)


def map_given() -> str:
    """Return the value of `--map` of the current command, or an empty text if it was not given."""
    return str(click.get_current_context().meta.get(_MAP, ""))


def on_map(told: str = "The map of cases that name none") -> Any:  # noqa: ANN401
    """Declare `--map`, which is None where it is not given.

    It is read before the other options.
    """
    told = f"{told}: one that comes with satjudge, or a file (docs/guides/maps.md). [default: standard]"
    return option(told, "--map", metavar="NAME|FILE", callback=_read_map, is_eager=True)


_RULES = {
    "rules": option(f"The rulebook to judge by. [default: {DEFAULT_RULES}]", metavar="NAME|FILE.toml"),
    "settings": option("Settle one issue otherwise, e.g. 4.A.2=all-hold.", "--set", multiple=True, metavar="ISSUE=VALUE"),
}
rules: Any = _ParameterGroup(lambda rules, settings: RulesOptions(rules, settings), _RULES)
game_map = on_map()
json = flag("Write JSON instead of tables.", "--json")
details = flag("Say it in the words of the rules: strengths, cores, what backup rules did, with the numbers of passages.")
key = flag("Below it, the codes of the provinces that are shown, with their names.")
case = option(
    "Which case of FILE, if it has several; of a saved game the phase, S1901M or 'Spring 1901'.",
    "--case",
    "--phase",
    metavar="ID",
)
seed = option("What they are drawn from.", type=int, default=1, metavar="S")
units = option(
    "How many units a board has. [default: a mix of 4..9, 4..14, 10..22 and 16..34]", metavar="A..B", callback=_units_range
)
checkpoint = option(
    "Keep finished work in this file (JSON Lines); a run that was interrupted goes on from there.", type=FILE_PATH
)
drat = option(
    "Write what is proved as PATH-1.cnf and its proof, which checkers of DRAT can follow, as PATH-1.drat; and so on.",
    type=FILE_PATH, metavar="PATH",
)  # fmt: skip
without = option(
    'Enemy units that cannot exist: "F VEN, BLA" is no fleet in Venice and nothing in the Black Sea, F no fleet at all.',
    metavar="UNITS", multiple=True,
)  # fmt: skip


def jobs(default: int | None = None) -> Any:  # noqa: ANN401
    """Declare `--jobs`, the number of processes; without it one per processor."""
    told, shown = ("Processes.", {"default": default}) if default else ("Processes. [default: one per processor]", {})
    kind = click.IntRange(1, _MOST_JOBS)
    return option(told, metavar="J", type=kind, callback=lambda _, __, value: value or processors(), **shown)


def limits(restarts: int) -> Any:  # noqa: ANN401
    """Declare the limits of another engine as one parameter: `--timeout`, `--startup-timeout`, `--memory`, `--restarts`."""
    first = "Seconds for the first answer of each process. [default: as --timeout]"
    memory, again = (
        "End a program that uses more, with all that it starts.",
        "Give up on a program that fails so often in a row.",
    )
    declared = {
        "timeout": option("Seconds for an answer.", type=Seconds(min=0.01), default=10.0),
        "startup_timeout": option(first, type=Seconds(min=0.01)),
        "memory": option(memory, type=click.IntRange(min=1), metavar="MIB"),
        "restarts": option(again, type=click.IntRange(min=1), default=restarts),
    }
    return _ParameterGroup(dict, declared)


def task(made: Callable[..., object], **declared: Any) -> Any:  # noqa: ANN401
    """Declare the options that say what is asked, as one value of `satjudge.search.task`."""
    return _ParameterGroup(made, declared)


def save(told: str) -> Any:  # noqa: ANN401
    """Declare `--save DIR`."""
    return option(told, type=DIRECTORY_PATH, metavar="DIR")


# ---- reading ----


def read_cases(name: str, identity: str | None = None, game_map: Map | None = None, *, lenient: bool = False) -> list[Sheet]:
    """Read the cases that FILE holds, or the one of that ID; those that name no map are on the given one.

    Raises `InputError`; if it is `lenient` not for unreadable orders.
    """
    entries = _entries(name, game_map, lenient=lenient)
    return [entry.read() for entry in (entries if identity is None else [_select_entry(name, entries, identity)])]


def read_case(name: str, identity: str | None, game_map: Map | None = None, data: bytes | None = None) -> Sheet:
    """Read the one case of FILE, or the one asked for; `data` is the content of the file, if it was read.

    Raises `InputError`.
    """
    return _select_entry(name, _entries(name, game_map, data), identity).read()


def read_phases(
    name: str, identity: str | None, game_map: Map | None = None, data: bytes | None = None, *, retreats: bool = True
) -> tuple[Sheet, Iterator[Sheet]]:
    """Read a case as `read_case` does; if it is a phase of a saved game, also all readable phases of this game.

    Of one game the latest phase with orders is taken where none is asked for, and told; if `retreats` also one of retreats.
    """
    entries = _entries(name, game_map, data)
    taken = None
    if identity is None and len(entries) > 1:
        taken = find_latest_entry(entries if retreats else [entry for entry in entries if not entry.identity.endswith("R")])
    if taken:
        latest = "the latest with orders" if taken.ordered else "the latest"
        now = f", --case {entries[-1].identity} the position now" if taken is not entries[-1] else ""
        tell(f"took {taken.name}, {latest}; --case chooses another{now}", err=True)
    chosen = taken or _select_entry(name, entries, identity)
    others = [entry for entry in entries if entry.game is not None and entry.game == chosen.game]
    return chosen.read(), _readable(others)


def read_game(name: str, identity: str | None, game_map: Map | None = None) -> list[Sheet]:
    """Read the phases of the one game of FILE, or its one case, or the one asked for.

    Raises `InputError`.
    """
    entries = _entries(name, game_map)
    games = {entry.game for entry in entries}
    if identity is None and len(games) == 1 and None not in games:
        return [entry.read() for entry in entries]
    return [_select_entry(name, entries, identity).read()]


def _readable(entries: Iterable[Entry]) -> Iterator[Sheet]:
    for entry in entries:
        with suppress(InputError):
            yield entry.read()


def _entries(name: str, game_map: Map | None, data: bytes | None = None, *, lenient: bool = False) -> list[Entry]:
    """Find the cases of a file of any kind, of standard input (`-`), or the shipped ones of that name.

    Raises `InputError`.
    """
    if name == "-":
        name, data = "standard input", read_input(name, sys.stdin.buffer) if data is None else data
    return entries_of(name, game_map=game_map, data=data, lenient=lenient)


def _select_entry(file: str, entries: Sequence[Entry], identity: str | None) -> Entry:
    """Select the one case of FILE, or the one with the given ID.

    Raises `InputError`.
    """
    try:
        return choose_entry(file, entries, identity)
    except SeveralCasesError as error:
        raise click.UsageError(f"{error.message}: choose one with --case ID (there are {error.known})") from None


def check_movement(sheet: Sheet, message: str = "only movement phases have equations and resolutions") -> None:
    """Raise `SheetError` with that message for a sheet of another phase."""
    if sheet.phase is not Phase.MOVEMENT:
        raise SheetError(message, source=sheet.source_file, line=sheet.line)
