"""Declares the options that several commands share, and reads the cases in FILE."""

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
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from satjudge.apps.cli.output import describe_page_location, write_text
from satjudge.base.errors import InputError, RulebookError, SheetError
from satjudge.base.platforms import processors
from satjudge.files.cases import Entry, SeveralCasesError, choose_entry, find_entries, find_latest_entry, read_input
from satjudge.judging.solve import Engine, choose_usable_engine
from satjudge.notation.sheets import Sheet
from satjudge.world.board import Phase
from satjudge.world.geography import Map, load_map
from satjudge.world.rules import DEFAULT_RULES, Rulebook, load_preset, load_rulebook, preset_names

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

F = TypeVar("F", bound=Callable[..., Any])

MOST = 1_000_000_000
"""The maximum number of boards, resolutions or answers that can be requested."""
_MOST_JOBS = 256
"""The maximum number of processes."""
_LONGEST_TIMEOUT = 1e9
"""The longest time limit in seconds, about 30 years."""

# ---- parameters of commands, each declared as the default value of a parameter of a function ----


class _Option(click.Option):
    """An option whose help does not show the range of its numbers."""

    def get_help_extra(self, ctx: click.Context) -> Any:  # noqa: ANN401  # click's
        """Return what click adds to the option's help (the default, or that a value is required) without a range of numbers."""
        return {key: value for key, value in super().get_help_extra(ctx).items() if key != "range"}


@dataclass(frozen=True)
class _Parameter:
    """A parameter of a command, as written on the command line."""

    kind: type[click.Parameter]
    flags: tuple[str, ...]
    attributes: dict[str, Any]

    def make_parameters(self, name: str) -> list[click.Parameter]:
        """Return a list of the one click parameter with that name; an option without flags becomes `--name`."""
        usual = (f"--{name.replace('_', '-')}",) if self.kind is _Option else ()
        completing = {"shell_complete": _complete_file} if name in ("file", "files") else {}
        return [self.kind([*(self.flags or usual), name], **completing | self.attributes)]

    def take_value(self, values: dict[str, Any], name: str) -> object:
        """Return the value of the parameter `name` among the values that click has read."""
        return values[name]


def _complete_file(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return a completion item that makes the shell complete the word to a file name."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="file")]


@dataclass(frozen=True)
class _ParameterGroup:
    """Several options that form one parameter of a command; `make_value` computes the parameter's value from their values."""

    make_value: Callable[..., object]
    parameters: dict[str, _Parameter]

    def make_parameters(self, name: str) -> list[click.Parameter]:
        """Return click's parameters for all of the options; the group's own name is not used."""
        return [parameter for option_name, one in self.parameters.items() for parameter in one.make_parameters(option_name)]

    def take_value(self, values: dict[str, Any], name: str) -> object:
        """Return the value that `make_value` makes from the values of the options; the group's own name is not used."""
        return self.make_value(**{option_name: values[option_name] for option_name in self.parameters})


def option(help_text: str, *flags: str, **attributes: Any) -> Any:  # noqa: ANN401  # stands for the value that click reads
    """Declare an option with click's `attributes` and a help text that shows the default; a limited number is called N."""
    numbers = {"metavar": "N"} if type(attributes.get("type")) in (click.IntRange, click.FloatRange) else {}
    shown = attributes.get("default") is not None
    return _Parameter(_Option, flags, {"show_default": shown, **numbers, **attributes, "help": help_text})


def flag(help_text: str, *flags: str) -> Any:  # noqa: ANN401
    """Declare an option without a value; the parameter is true if the option is given."""
    return _Parameter(_Option, flags, {"is_flag": True, "help": help_text})


def argument(**attributes: Any) -> Any:  # noqa: ANN401
    """Declare a positional argument, which is required by default."""
    return _Parameter(click.Argument, (), attributes)


def write_epilog(command: click.Command, formatter: click.HelpFormatter) -> None:
    """Write a command's examples into its help, one per line, and a line on where to find the pages that the help mentions."""
    title, _, examples = (command.epilog or "").partition(":  ")
    with formatter.section(title):
        formatter.write("".join(f"  {example}\n" for example in examples.split("  ·  ")))
    helps = [command.help, *(one.help for one in command.params if isinstance(one, click.Option))]
    if pages := describe_page_location(" ".join(filter(None, helps))):
        formatter.write_paragraph()
        formatter.write(f"{pages}\n")  # as one piece, however long it is


class _HelpFormatter(click.HelpFormatter):
    """Writes the help of an option beside it if the option fits in 24 columns, else below it."""

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 24, col_spacing: int = 2) -> None:
        """Write options or commands, each with its help beside it, or below it if it is wider than `col_max` columns."""
        super().write_dl(rows, col_max, col_spacing)


class _Context(click.Context):
    formatter_class = _HelpFormatter


class _WithExamples(click.Command):
    """A command whose help lists the examples one per line."""

    context_class = _Context

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples into the help, and a line on where to find the pages that the help mentions."""
        write_epilog(self, formatter)


class CommandGroup(_WithExamples, click.Group):
    """A command that has subcommands."""


class _Command(_WithExamples):
    """A command that suggests quotes or commas if it gets too many words."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; if that fails, raise `click.UsageError`, with the corrected command if possible."""
        given = list(args)
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            if hint := format_usage_hint(self, ctx, given, error):
                raise click.UsageError(hint, ctx) from error
            raise


def command(name: str | None = None, *, epilog: str, group: click.Group | None = None) -> Callable[[F], click.Command]:
    """Return a decorator that makes a command (of `group`, if given) from a function whose parameters are all declared."""

    def make_command(function: F) -> click.Command:
        declared: dict[str, _Parameter | _ParameterGroup] = {
            each.name: each.default for each in signature(function).parameters.values()
        }

        @wraps(function)
        def call(**read: object) -> object:
            return function(**{each: one.take_value(read, each) for each, one in declared.items()})

        parameters = [parameter for each, one in declared.items() for parameter in one.make_parameters(each)]
        new_command: click.Command = (group or click).command(name, cls=_Command, params=parameters, epilog=epilog)(call)
        return new_command

    return make_command


# ---- texts without quotes, which the shell splits into several words ----

_ORDERS = frozenset({"order", "without", "with_", "legal"})
"""Parameters that take an order or a unit."""
_TEXTS = _ORDERS | {"deadline", "phase", "identity", "title"}
"""Parameters that take several words in quotes."""
_LISTS = frozenset({"names", "compared"})
"""Parameters that take a comma-separated list."""
_ELSEWHERE = {
    "--as-meant": "Only `satjudge game order` corrects misspelt orders (--as-meant); use --lenient to judge the other orders.",
    "conformance --known": "--known belongs to `satjudge crosscheck`; list expected differences in a file (--expect FILE).",
    "crosscheck --expect": "--expect belongs to `satjudge conformance`; describe known differences with --known.",
}
"""Hints on options that belong to another command."""


def format_usage_hint(
    command: click.Command, ctx: click.Context, arguments: Sequence[str], error: click.UsageError
) -> str | None:
    """Return a hint on how to correct arguments that a command does not accept; None if there is none."""
    if isinstance(error, click.NoSuchOption):
        return _ELSEWHERE.get(error.option_name) or _ELSEWHERE.get(f"{command.name} {error.option_name}")
    try:
        read, extra, _ = command.make_parser(ctx).parse_args(list(arguments))
    except click.UsageError:
        return None
    begin = _find_words(extra, arguments)
    if not extra or begin is None:
        return None
    end = begin + len(extra)
    while begin and not _is_flag(arguments[begin - 1]) and arguments[begin - 1] != read.get("file"):
        begin -= 1
    name = _find_option_name(command, arguments[begin - 1]) if begin and _is_flag(arguments[begin - 1]) else "order"
    if name in _LISTS:
        divided = [*arguments[:begin], ",".join(arguments[begin:end]), *arguments[end:]]
        return f"Separate names with commas: {format_command(ctx.command_path, divided)}"
    if name in _TEXTS and any(parameter.name == name for parameter in command.params):
        joined = [*arguments[:begin], " ".join(arguments[begin:end]), *arguments[end:]]
        return format_quoting_hint(ctx.command_path, joined, "each order" if name in _ORDERS else "the words")
    return None


def _find_option_name(command: click.Command, flag: str) -> str | None:
    """Return the name of the command's parameter with that flag, such as `--map`; None if it has none."""
    return next((one.name for one in command.params if isinstance(one, click.Option) and flag in one.opts), None)


def format_quoting_hint(command_path: str, words: Sequence[str], subject: str = "each order") -> str:
    """Return a message that asks for quotes around `subject`, with the corrected command."""
    return f"Put {subject} in quotes: {format_command(command_path, words)}"


def format_command(command_path: str, words: Sequence[str]) -> str:
    """Return a command line that works in any shell, with quotes around words that contain spaces."""
    return " ".join([command_path, *(f'"{word}"' if " " in word else word for word in words)])


def _is_flag(word: str) -> bool:
    """Return whether a word is an option; a single `-` is not one, because orders contain it."""
    return len(word) > 1 and word.startswith("-")


def _find_words(words: Sequence[str], all_words: Sequence[str]) -> int | None:
    """Return the last index in `all_words` at which `words` occur in sequence; None if they do not."""
    indices = range(len(all_words) - len(words), -1, -1)
    return next((index for index in indices if list(all_words[index : index + len(words)]) == list(words)), None)


# ---- options that several commands share ----

FILE_PATH = click.Path(dir_okay=False, path_type=Path)
DIRECTORY_PATH = click.Path(file_okay=False, path_type=Path)
PATH = click.Path(path_type=Path)


class Seconds(click.FloatRange):
    """The type of a time limit: a finite number of seconds."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:  # noqa: ANN401  # click's
        """Return the number of seconds that a text states, or raise `click.BadParameter`."""
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number) or number > _LONGEST_TIMEOUT:
            self.fail(f"{value} is not a number of seconds; leave the option out for no limit", param, ctx)
        return number


def _parse_units_range(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[int, int] | None:
    """Return the least and the most units of a range such as `4..14` (for one number, both are that); None without a value."""
    if value is None:
        return None
    match = re.fullmatch(r"(\d{1,3})(?:(?:\.\.|-)(\d{1,3}))?", value.strip())
    least, most = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    room = len((ctx.params.get("game_map") or load_map()).provinces)
    if not 1 <= least <= most <= room:
        raise click.BadParameter(
            f"{value!r} is not a range of units; write one such as 4..14, between 1 and {room}", ctx, param
        )
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

    def load_rulebook(self, default: str = DEFAULT_RULES) -> Rulebook:
        """Load the rulebook of `--rules`, else the preset `default`, and apply `--set`; raise `RulebookError`."""
        if self.name and "," in self.name and not self.name.endswith(".toml"):
            hint = f"to compare several, run `satjudge compare FILE --rules {self.name}`"
            raise RulebookError(f"--rules accepts one rulebook here, not {self.name!r}", suggestion=hint)
        return (load_rulebook(self.name) if self.name else load_preset(default)).with_settings(self.settings)


def load_rulebooks(names: str, settings: tuple[str, ...]) -> list[Rulebook]:
    """Load the rulebooks in a comma-separated list, each once, and apply `settings`; `all` means the presets, default first.

    Raises `RulebookError`.
    """
    presets = sorted(preset_names(), key=lambda name: (name != DEFAULT_RULES, name))
    stripped = [name.strip() for name in names.split(",") if name.strip()]
    if not stripped:
        raise RulebookError("name at least one rulebook", suggestion=f"the presets are {', '.join(preset_names())}")
    chosen = dict.fromkeys(preset for name in stripped for preset in (presets if name == "all" else [name]))
    return [load_rulebook(name).with_settings(settings) for name in chosen]


def engine(default: Engine, **attributes: Any) -> Any:  # noqa: ANN401
    """Declare `--engine`; a default that needs the solver becomes `staged` where the solver is not installed."""
    return option(
        f"Solver: staged (bounds first), full (one CP-SAT model) or brute (brute force). [default: {default}]",
        metavar="METHOD",
        type=click.Choice([*map(str, Engine)]),
        callback=lambda _, __, value: Engine(value or choose_usable_engine(default)),
        **attributes,
    )


_MAP = f"{__name__}.map"


def _read_map(ctx: click.Context, param: click.Parameter, value: str | None) -> Map | None:
    """Read the map that the option `--map` names, and record the text for `get_map_option`; None without a value.

    Raises `InputError`.
    """
    if value is None:
        return None
    from satjudge.files.maps import read_map

    ctx.meta[_MAP] = value
    return read_map(value)


def get_map_option() -> str:
    """Return the text of the current command's `--map`; "" if it was not given."""
    return str(click.get_current_context().meta.get(_MAP, ""))


def on_map(help_text: str = "Map to use if the input does not name one. [default: standard]") -> Any:  # noqa: ANN401
    """Declare the option `--map`, whose value is a map, or None if it is not given.

    click reads this option before the others.
    """
    return option(help_text, "--map", metavar="NAME|FILE", callback=_read_map, is_eager=True)


_RULES = {
    "rules": option(f"Rulebook to judge by. [default: {DEFAULT_RULES}]", metavar="NAME|FILE.toml"),
    "settings": option("Change a rulebook choice, e.g. 4.A.2=all-hold.", "--set", multiple=True, metavar="ISSUE=VALUE"),
}
rules: Any = _ParameterGroup(lambda rules, settings: RulesOptions(rules, settings), _RULES)
game_map = on_map()
json = flag("Write JSON instead of tables.", "--json")
details = flag("Explain the results in terms of the rules, with section numbers.")
case = option("Case in FILE, or phase of a game, e.g. F1901M.", "--case", "--phase", metavar="ID")
seed = option("Seed for the random boards.", type=int, default=1, metavar="S")
units = option("Units on each board. [default: varies from 4 to 34]", metavar="A..B", callback=_parse_units_range)
checkpoint = option("Save progress in this file, to resume the run later.", type=FILE_PATH)
drat = option("Write DRAT proofs: PATH-1.cnf, PATH-1.drat, …", type=FILE_PATH, metavar="PATH")
without = option('Enemy units to rule out: "F VEN, BLA", or F (fleets).', metavar="UNITS", multiple=True)


def jobs(default: int | None = None) -> Any:  # noqa: ANN401
    """Declare `--jobs`, the number of processes; without `default`, there is one per processor."""
    about, kind = f"Number of processes. [default: {default or 'one per processor'}]", click.IntRange(1, _MOST_JOBS)
    return option(about, metavar="J", type=kind, callback=lambda _, __, value: value or default or processors())


class Workers(NamedTuple):
    """The value of `--jobs` where the work can also be sent to a cluster."""

    jobs: int
    scheduler: str | None = None
    """The address of a `distributed` scheduler, whose workers are used instead of processes."""


def workers(help_text: str, default: int | None = None) -> Any:  # noqa: ANN401
    """Declare `--jobs` as a number of processes (without `default`, one per processor) or a scheduler's address (`tcp://…`)."""

    def read_workers(ctx: click.Context, param: click.Parameter, value: str | None) -> Workers:
        if value is not None and "://" in value:
            return Workers(default or processors(), value)
        return Workers(click.IntRange(1, _MOST_JOBS)(value, param, ctx) or default or processors())

    return option(help_text, "--jobs", metavar="J|ADDRESS", callback=read_workers)


_LIMITS: dict[str, click.FloatRange | click.IntRange] = {
    "startup": Seconds(min=0.01),
    "memory": click.IntRange(min=1),
    "restarts": click.IntRange(min=1),
    "shrink": click.IntRange(0, MOST),
    "tries": click.IntRange(min=0),
}
"""The limits that `--limit KEY=VALUE` sets, with their types; docs/reference/asked-engines.md explains them."""


def limits(**defaults: int | None) -> Any:  # noqa: ANN401
    """Declare `--timeout` and `--limit` as one parameter, a dict; the keywords are the possible limits with their defaults."""

    def read_limits(ctx: click.Context, param: click.Parameter, texts: Sequence[str]) -> dict[str, Any]:
        found: dict[str, Any] = dict(defaults)
        for text in texts:
            key, _, value = text.partition("=")
            if key not in found or not value:
                raise click.BadParameter(
                    f"{text!r} is not a limit; write KEY=VALUE, where KEY is one of {', '.join(found)}", ctx, param
                )
            found[key] = _LIMITS[key](value, param, ctx)
        return found

    known = ", ".join(key if default is None else f"{key} (default {default})" for key, default in defaults.items())
    about = f"Set a limit: {known}."
    declared = {
        "timeout": option("Time limit for each answer.", metavar="SECONDS", type=Seconds(min=0.01), default=10.0),
        "limit": option(about, multiple=True, metavar="KEY=VALUE", callback=read_limits),
    }
    return _ParameterGroup(lambda timeout, limit: {"timeout": timeout, **limit}, declared)


def task(make_task: Callable[..., object], **parameters: Any) -> Any:  # noqa: ANN401
    """Declare several options as one parameter, whose value `make_task` makes from theirs."""
    return _ParameterGroup(make_task, parameters)


def save(help_text: str) -> Any:  # noqa: ANN401
    """Declare `--save DIR` with a help text."""
    return option(help_text, type=DIRECTORY_PATH, metavar="DIR")


# ---- reading FILE ----


def read_cases(file: str, case_id: str | None = None, game_map: Map | None = None, *, lenient: bool = False) -> list[Sheet]:
    """Read the cases of a file (or `-`, or shipped ones), or only that with the ID; `game_map` is for cases that name none.

    Raises `InputError`; with `lenient`, not for unreadable orders.
    """
    entries = _read_entries(file, game_map, lenient=lenient)
    return [entry.read() for entry in (entries if case_id is None else [_select_entry(file, entries, case_id)])]


def read_case(file: str, case_id: str | None, game_map: Map | None = None, data: bytes | None = None) -> Sheet:
    """Read the only case of a file (or `-`, or a shipped one), or that with the ID; `game_map` is used if it names none.

    `data` is the content of the file, if it has been read already. Raises `InputError`.
    """
    return _select_entry(file, _read_entries(file, game_map, data), case_id).read()


def read_phases(
    file: str, case_id: str | None, game_map: Map | None = None, data: bytes | None = None, *, allow_retreats: bool = True
) -> tuple[Sheet, Iterator[Sheet]]:
    """Return a file's chosen case, by default a game's latest phase with orders, and the readable phases of its game, if any.

    If the file is one game and no ID is given, chooses the latest phase with orders (not a retreat unless `allow_retreats`),
    and reports this choice.
    """
    entries = _read_entries(file, game_map, data)
    latest_entry = None
    if case_id is None and len(entries) > 1:
        latest_entry = find_latest_entry(
            entries if allow_retreats else [entry for entry in entries if not entry.identity.endswith("R")]
        )
    if latest_entry:
        latest = "the latest phase with orders" if latest_entry.ordered else "the latest phase"
        now = f" (--case {entries[-1].identity} is the current position)" if latest_entry is not entries[-1] else ""
        write_text(f"using {latest_entry.name}, {latest}; choose another with --case{now}", err=True)
    chosen = latest_entry or _select_entry(file, entries, case_id)
    others = [entry for entry in entries if entry.game is not None and entry.game == chosen.game]
    return chosen.read(), _iter_readable(others)


def read_game(file: str, case_id: str | None, game_map: Map | None = None) -> list[Sheet]:
    """Read the phases of a file that is one game, if no ID is given; else its only case or the one with that ID.

    Raises `InputError`.
    """
    entries = _read_entries(file, game_map)
    games = {entry.game for entry in entries}
    if case_id is None and len(games) == 1 and None not in games:
        return [entry.read() for entry in entries]
    return [_select_entry(file, entries, case_id).read()]


def _iter_readable(entries: Iterable[Entry]) -> Iterator[Sheet]:
    for entry in entries:
        with suppress(InputError):
            yield entry.read()


def _read_entries(file: str, game_map: Map | None, data: bytes | None = None, *, lenient: bool = False) -> list[Entry]:
    """List the cases in a file of any kind (`-`: standard input), or shipped ones it names; `game_map` is for any without.

    Raises `InputError`.
    """
    if file == "-":
        file, data = "standard input", read_input(file, sys.stdin.buffer) if data is None else data
    return find_entries(file, default_map=game_map, data=data, lenient=lenient)


def _select_entry(file: str, entries: Sequence[Entry], case_id: str | None) -> Entry:
    """Return the only case in `entries`, which come from `file`, or the one with that ID.

    Raises `NotFoundError` if there is none, and `click.UsageError` if there are several.
    """
    try:
        return choose_entry(file, entries, case_id)
    except SeveralCasesError as error:
        raise click.UsageError(f"{error.message}: choose one with --case ID (the IDs are {error.known})") from None


def select_movement(sheets: list[Sheet], reason: str) -> list[Sheet]:
    """Return the cases of movement phases, and report each other one as skipped for `reason`; if there are none, return all."""
    moving = [sheet for sheet in sheets if sheet.phase is Phase.MOVEMENT]
    for sheet in sheets if moving else ():
        if sheet.phase is not Phase.MOVEMENT:
            write_text(f"{sheet.heading}: skipped, {reason}", err=True)
    return moving or sheets


def check_movement(sheet: Sheet, message: str = "only movement phases have equations and resolutions") -> None:
    """Raise `SheetError` with `message` unless the sheet is of a movement phase."""
    if sheet.phase is not Phase.MOVEMENT:
        raise SheetError(message, source=sheet.source_file, line=sheet.line)
