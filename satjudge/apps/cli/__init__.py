"""Runs the command line: reads options, calls other rooms, shows the results, and exits with a code.

The command line formats no results, and knows no rules of the game.

Exit codes: 0 success, 1 a disagreement or failed case, 2 bad usage, unreadable input or output that cannot be written, 3
internal error, 5 nothing ran, 130 interrupted (by Ctrl-C, SIGTERM or SIGHUP). It is not an error if the reader of the output
stops early (`| head`).
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from io import StringIO
from typing import TYPE_CHECKING, NoReturn

import click

from satjudge.apps.cli.output import describe_write_error, prepare_streams, silence, write_error, write_text
from satjudge.base.errors import InputError, SatjudgeError, WorkerLostError, error_line, was_interrupted
from satjudge.base.imports import MissingPackageError, install_line
from satjudge.base.startup import EXIT_INTERRUPTED, interrupt_on_ending_signals, restore_interrupts
from satjudge.base.version import __version__

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

EXIT_DISAGREEMENT, EXIT_USAGE, EXIT_INTERNAL, EXIT_NOTHING_RAN = 1, 2, 3, 5

_REQUIRED = ("ortools", "networkx", "click", "rich", "msgspec", "filelock", "psutil", "numpy", "wasmtime")
_FOR_SEARCHES = ("ortools", "networkx")
"""Packages that most searches need, but judging does not (docs/guides/small.md)."""
_OPTIONAL = (
    *("resvg_py", "diplomacy", "pysat", "distributed", "dask", "starlette", "uvicorn", "mcp"),
    "prometheus_client",
)
"""Packages that satjudge's extras install, by their import names."""

GROUPS = {
    "Play and judge": {
        "judge": "Judge the orders in FILE and give the reason for each verdict.",
        "game": "Play a game, phase by phase, and keep it in a file.",
        "explore": "Try orders in the browser and see the reason for each result.",
        "explain": "Explain why the orders in FILE succeed or fail.",
        "maps": "List, show, draw, check and convert maps.",
        "resolutions": "Show all consistent resolutions of FILE side by side.",
        "compare": "Judge FILE under several rulebooks and compare the results.",
        "render": "Draw the orders in FILE and their results.",
        "report": "Write a web page about a position or a command's output.",
        "rulebooks": "List the rulebooks and their options.",
        "equations": "Print the equations of the position in FILE.",
    },
    "Check engines": {
        "crosscheck": "Find small positions on which an engine differs from satjudge.",
        "conformance": "Test an engine with the kit, a fixed set of questions.",
        "reduce": "Shrink a position on which your program fails.",
        "replay": "Re-adjudicate saved games or other programs' test cases.",
        "batch": "Judge positions in JSON Lines, and write one answer per line.",
        "serve": "Run an HTTP service that judges positions.",
        "mcp": "Run a Model Context Protocol server for language models.",
        "kit": "Write the conformance kit as files for programs in any language.",
        "kernel": "Write a table file for kernel.wasm, to judge in other languages.",
        "datc": "Run the test cases of the DATC.",
        "check": "Check satjudge against the expected verdicts in sheets.",
        "export": "Write the included cases as batch lines with expected answers.",
    },
    "Research": {
        "search": "Find a position with a property, or prove that there is none.",
        "prove": "Prove that a line of units holds, or show how it breaks.",
        "lines": "Find the smallest line of units that protects given centres.",
        "guarantee": "Find orders that reach GOAL, whatever the other powers order.",
        "verify": "Verify certificates independently of the code that wrote them.",
        "census": "Count cores and resolutions on random boards.",
        "count": "Count legal order sets and the positions they lead to.",
    },
}
"""The commands as `--help` lists them, each with the first line of its own help."""
_MODULES = {
    "report": "render",
    "rulebooks": "compare",
    "equations": "judge",
    "kit": "export",
    "kernel": "export",
    "mcp": "serve",
    "datc": "check",
    "count": "census",
}
"""The commands that have no module of their own, each with the module that defines it."""
_ENGINE_LIMITS = {"--startup-timeout": "--limit startup=", "--memory": "--limit memory=", "--restarts": "--limit restarts="}
_REPLACED = {
    "crosscheck": {"--reduce": "reduce", "--scheduler": "--jobs", "--shrink": "--limit shrink=", **_ENGINE_LIMITS},
    "conformance": {
        "--make": "kit",
        "--dashboard": "report",
        "--junit": "--report",
        "--html": "--report",
        "--tries": "--limit tries=",
        **_ENGINE_LIMITS,
    },
    "search": {"--scheduler": "--jobs"},
    "render": {"--no-legend": "--legend no", "--key": "--legend names"},
}
"""The options of version 1.0, each with the option or command that replaces it; the old forms work until version 1.2."""


class _Commands(Mapping[str, click.Command]):
    """The commands by name; a module is imported only when one of its commands is needed."""

    names = tuple(name for group in GROUPS.values() for name in group)

    def __getitem__(self, name: str) -> click.Command:
        if name not in self.names:
            raise KeyError(name)
        command: click.Command = getattr(import_module(f"{__name__}.{_MODULES.get(name, name)}"), name)
        return command

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)


class _Group(click.Group):
    """A group whose commands end quietly when the reader of their output stops early (`satjudge export | head -1`).

    It lists and completes the names of its commands without importing the commands.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, in the order of the help."""
        return list(self.commands)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command's name, the command, and its arguments, after replacing options of version 1.0 in `args`."""
        return super().resolve_command(ctx, args if ctx.resilient_parsing else replace_old_options(args))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands and options that begin with an incomplete word, for the shell."""
        from click.shell_completion import CompletionItem

        helps = (entry for group in GROUPS.values() for entry in group.items())
        names = [CompletionItem(name, help=about) for name, about in helps if name.startswith(incomplete)]
        return names + click.Command.shell_complete(self, ctx, incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands into the help, group by group."""
        width = max(map(len, self.commands))
        for title, commands in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), about) for name, about in commands.items()])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples into the help, and a line on where to find the pages that the help mentions."""
        from satjudge.apps.cli.options import write_epilog

        write_epilog(self, formatter)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command, flush its output, and return its exit code or None, or 0 if the reader of its output stopped."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:  # click itself would exit with 1
            silence(sys.stdout)
            return 0
        return result


def replace_old_options(arguments: Sequence[str]) -> list[str]:
    """Return a command's name and arguments with options of version 1.0 replaced (some change the name); warn about each."""
    command, *rest = arguments
    replaced, name, words = _REPLACED.get(command, {}), command, list[str]()
    left = iter(rest)
    for word in left:
        flag, equals, value = word.partition("=")
        new = replaced.get(flag)
        if new is None:
            words.append(word)
            continue
        now = new if new.startswith("-") else f"satjudge {new}"
        write_text(f"Note: `{command} {flag}` is now `{now}`; the old form works until version 1.2.", err=True)
        if not new.startswith("-"):
            name = new
        elif new.endswith("="):
            option, _, key = new.partition(" ")
            words += [option, key + (value if equals else next(left, ""))]
            continue
        else:
            words += new.split()
        if equals:
            words.append(value)
    return [name, *words]


@click.group(
    cls=_Group,
    commands=_Commands(),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Examples:  satjudge judge datc:6.F.14  ·  satjudge resolutions my-sheet.txt  ·  satjudge batch < rows.jsonl",
)
@click.version_option(__version__, prog_name="satjudge")
def cli() -> None:
    """Adjudicate Diplomacy by solving its rules as equations.

    FILE can be an order sheet (docs/reference/order-sheets.md), `-` for standard input, or an included case such as
    datc:6.F.14.
    """


def main() -> None:
    """Run the command that `sys.argv` names, and exit with its code."""
    prepare_streams()
    try:
        restore_interrupts()
        code = run(sys.argv[1:])
    except KeyboardInterrupt:  # while `run` was reporting the result of the command
        code = EXIT_INTERRUPTED
    _exit(code)


def _exit(code: int) -> NoReturn:
    """Exit with a code, without waiting for a solver that is still running."""
    solving = sys.modules.get("satjudge.search.formulas.cpsat")
    if solving is not None and solving.is_any_solver_running():
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    gc.freeze()  # or Python would look for cycles among all objects, which takes seconds after a long run
    sys.exit(code)


@interrupt_on_ending_signals()
def run(arguments: list[str]) -> int:
    """Run one command, report its errors on standard error, and return its exit code."""
    try:
        result = cli.main(arguments, prog_name="satjudge", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except click.exceptions.Exit as exit_request:
        return exit_request.exit_code
    except click.ClickException as error:
        write_text(_format_usage(error), err=True)
        return EXIT_USAGE
    except click.Abort:
        write_text("interrupted", err=True)
        return EXIT_INTERRUPTED
    except InputError as error:
        write_error(error)
        return EXIT_USAGE
    except SatjudgeError as error:
        write_error(error)
        return EXIT_INTERNAL if isinstance(error, WorkerLostError) else EXIT_DISAGREEMENT
    except Exception as error:
        if was_interrupted(error):
            write_text("interrupted", err=True)
            return EXIT_INTERRUPTED
        if os.environ.get("SATJUDGE_DEBUG"):
            raise
        if message := _format_outside_error(error):
            write_text(f"satjudge: {message}", err=True)
            return EXIT_USAGE
        write_text(f"satjudge: internal error: {error_line(error)} (SATJUDGE_DEBUG=1 shows where)", err=True)
        return EXIT_INTERNAL


def _format_usage(error: click.ClickException) -> str:
    """Return click's message about bad usage, without the final line break."""
    with StringIO() as text:
        error.show(text)
        return text.getvalue().removesuffix("\n")


def _format_outside_error(error: Exception) -> str | None:
    """Return a message about an error that is not satjudge's own, else None; after an error of a stream, silence stdout."""
    if message := _format_package_error(error):
        return message
    if isinstance(error, OSError):
        if error.filename is None:
            silence(sys.stdout)
        return describe_write_error(error)
    if isinstance(error, RecursionError):
        return "something in the input is nested too deeply"
    return _format_own_code_error(error)


def _format_own_code_error(error: Exception) -> str | None:
    """Return a message about an error raised in the user's own module in the working directory; None for another error."""
    from traceback import walk_tb

    frames = list(walk_tb(error.__traceback__))
    if not frames:
        return None
    (frame, line), folder = frames[-1], os.getcwd()
    file = frame.f_code.co_filename
    own = os.path.dirname(os.path.abspath(file)) == folder and not frame.f_globals.get("__name__", "").startswith("satjudge")
    where = f"{os.path.basename(file)}, line {line}, in {frame.f_code.co_name}"
    return f"{where}: {error_line(error)} (SATJUDGE_DEBUG=1 shows more)" if own else None


def _format_package_error(error: Exception) -> str | None:
    """Return a message about a package that is missing or cannot be imported; None for another error."""
    if isinstance(error, MissingPackageError):
        return str(error)
    name = _find_package(error)
    if name is None:
        return None
    if isinstance(error, ModuleNotFoundError) and (error.name or "").partition(".")[0] == name:
        if name in _FOR_SEARCHES and not any(map(_is_installed, _FOR_SEARCHES)):
            return "this needs ortools, the solver, and networkx, which are not installed (pip install ortools networkx)"
        return str(MissingPackageError("this", [name]))
    again = install_line(name).replace("install", "install --force-reinstall", 1)
    return f"the package {name} cannot be imported: {type(error).__name__}: {error} ({again})"


def _is_installed(package: str) -> bool:
    """Return whether a package is installed, without importing it."""
    try:
        return find_spec(package) is not None
    except ImportError:
        return False


def _find_package(error: Exception) -> str | None:
    """Return which of satjudge's dependencies is missing, or was being imported when the error occurred; None for others."""
    from traceback import walk_tb

    known = {*_REQUIRED, *_OPTIONAL}
    for frame, _ in walk_tb(error.__traceback__):
        package = frame.f_globals.get("__name__", "").partition(".")[0]
        if package in known and frame.f_code.co_name == "<module>":
            return str(package)
    missing = (getattr(error, "name", None) or "").partition(".")[0] if isinstance(error, ImportError) else ""
    return missing if missing in known else None
