"""Writes to standard output and standard error, shows the progress of work, and writes files.

All output is safe for a terminal (`satjudge.base.words`) and can be written in any encoding. A command that cannot write to
standard error continues; one that cannot write to standard output ends after its work.
"""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from time import monotonic, perf_counter
from typing import IO, TYPE_CHECKING, Any

import click

import satjudge
from satjudge.base.errors import reason_of
from satjudge.base.words import ERRORS, escape_controls, escape_json, number_of

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult

    from satjudge.proofs.certificates.claims import Certified

PLAIN_WIDTH = 160
"""The width in columns of a table that is not written to a terminal."""
_PLACEHOLDER = "//example.org/"
"""The placeholder host in `pyproject.toml` until there is a public repository; it serves no pages."""
_WRITING = frozenset((errno.ENOSPC, errno.EBADF, errno.EDQUOT, errno.EFBIG, errno.EIO))


def prepare_streams() -> None:
    """Let commands write any text to the standard streams, and open closed ones, so that no file takes their numbers.

    If they were closed, standard input is empty, standard error is discarded, and writing to standard output is an error.
    """
    for number, flags in enumerate((os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, flags), True)
    sys.stdin = sys.stdin or open(0, closefd=False)  # noqa: SIM115  # it stays open
    sys.stdout = sys.stdout or open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", encoding="utf-8", closefd=False, buffering=1)  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors=ERRORS)  # type: ignore[union-attr]  # both are `TextIOWrapper`


def write_text(text: str = "", *, err: bool = False) -> None:
    """Write plain text and a line break to standard output or, with `err`, to standard error.

    Raises `OSError` if standard output cannot be written.
    """
    _write(escape_controls(text) + "\n", err=err)


def describe_page_location(text: str) -> str | None:
    """Return a line on where to find the pages `docs/…` that a text mentions; None if it mentions none."""
    if not re.search(r"(?<![\w/.])docs/[\w/-]+\.md\b", text):
        return None
    from importlib.metadata import PackageNotFoundError, metadata

    try:
        urls = dict(entry.split(", ", 1) for entry in metadata("satjudge").get_all("Project-URL") or ())
    except PackageNotFoundError:
        return None
    address = urls.get("Documentation", "").removesuffix("README.md")
    return f"Pages: {address}docs/" if address and _PLACEHOLDER not in address else f"Pages: {_describe_local_pages()}"


def _describe_local_pages() -> str:
    """Return the path of the pages in the running clone or, without a clone, a phrase that says where they are."""
    pages = Path(satjudge.__file__).parents[1] / "docs"
    return f"{pages}{os.sep}" if (pages / "guides").is_dir() else "in the folder docs of the repository"


def write_error(error: Exception) -> None:
    """Write an error to standard error, with a line on where to find the pages that its message mentions."""
    write_text(f"satjudge: {error}", err=True)
    if pages := describe_page_location(str(error)):
        write_text(pages, err=True)


def announce_address(host: str, port: int, path: str = "") -> str:
    """Write the address of a server, with a warning if other machines can reach the server, and return the address."""
    from satjudge.apps.http import is_loopback

    if not is_loopback(host):
        write_text(f"Note: anyone who can reach {host} can use this machine's processor; there is no password.", err=True)
    address = f"http://{f'[{host}]' if ':' in host else host}:{port}/{path}"
    write_text(address)
    return address


def write_wrapped(text: str) -> None:
    """Write a line of plain text, wrapped if it is long; continuation lines are indented by two more spaces."""
    from textwrap import fill

    from satjudge.base.platforms import terminal_width

    width = terminal_width() if sys.stdout.isatty() else PLAIN_WIDTH
    indent = " " * (len(text) - len(text.lstrip()) + 2)
    write_text(fill(text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False))


def write_json(value: object, *, one_line: bool = False) -> None:
    """Write a value to standard output as JSON, indented unless `one_line` is set."""
    import msgspec

    from satjudge.notation.documents import encode_document

    document = encode_document(value)
    if not one_line:
        document = msgspec.json.format(document, indent=2)
    _write(escape_json(document.decode(), sys.stdout.encoding or "utf-8") + "\n")


def _write(text: str, *, err: bool = False) -> None:
    """Write text unchanged to standard output or, with `err`, to standard error, whose own errors are ignored."""
    stream = sys.stderr if err else sys.stdout
    try:
        stream.write(text)
        stream.flush()
    except OSError:
        if not err:
            raise
        silence(stream)


def silence(stream: IO[Any]) -> None:
    """Redirect a stream to the null device, because its remaining output would fail again at exit."""
    with suppress(OSError, ValueError):  # a stream without a file descriptor
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def describe_write_error(error: OSError) -> str:
    """Return a message on why a stream or a file could not be written."""
    if error.filename is not None:
        return f"{error.filename}: {reason_of(error)}"
    if error.errno == errno.EBADF:
        return "cannot write: standard output is closed"
    return f"cannot write: {reason_of(error)}" if error.errno in _WRITING else reason_of(error)


class SafeRenderable:
    """A rich renderable whose output, styled and laid out, contains no control characters other than rich's own."""

    def __init__(self, part: RenderableType) -> None:
        self.part = part

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the rendered segments, with control characters in their text escaped."""
        from rich.segment import Segment

        for segment in console.render(self.part, options):
            yield segment if segment.control else Segment(escape_controls(segment.text), segment.style)


def show(*parts: RenderableType) -> None:
    """Write tables and texts to standard output, without styles if it is not a terminal or rich is not installed."""
    from satjudge.base.platforms import terminal_width
    from satjudge.show.layout import Group, Listing, StyledText, format_lines

    terminal = sys.stdout.isatty()
    coloured = _is_terminal(sys.stdout)
    width = terminal_width() if terminal else PLAIN_WIDTH
    for part in parts:
        lines = format_lines(part, width) if isinstance(part, str | StyledText | Listing | Group) and not coloured else None
        if lines is None:
            _show_by_rich(part)
        else:
            write_text("\n".join(lines))


def _is_terminal(stream: IO[Any]) -> bool:
    """Return whether a stream is a terminal on which rich can draw."""
    return stream.isatty() and find_spec("rich") is not None


def _show_by_rich(part: RenderableType) -> None:
    """Write a table or a text to standard output with rich."""
    from rich.console import Console

    from satjudge.show.layout import StyledText

    terminal = sys.stdout.isatty()
    layout: dict[str, Any] = {} if terminal else {"width": PLAIN_WIDTH, "force_terminal": False}  # even with FORCE_COLOR
    console = Console(highlight=False, emoji=False, markup=False, **layout)
    whole = isinstance(part, StyledText) and part.whole
    if terminal:
        console.print(SafeRenderable(part), soft_wrap=whole)
    else:  # without the blanks that pad a table
        with console.capture() as captured:
            console.print(SafeRenderable(part), soft_wrap=whole)
        write_text("\n".join(line.rstrip() for line in captured.get().split("\n")[:-1]))


# ---- progress ----


@contextmanager
def show_progress(total: int, item_name: str = "boards", *, lines: bool = True) -> Iterator[Callable[[int], None]]:
    """Show a bar or, without a terminal, occasional lines (if `lines` is set); yield a function that adds finished items."""
    if _is_terminal(sys.stderr):
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

        columns = (TextColumn(item_name), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(item_name, total=total)
            yield lambda number: bar.advance(task, number)
        return
    done = reported = 0

    def advance(number: int) -> None:
        nonlocal done, reported
        done += number
        if lines and 10 * done // total > 10 * reported // total and number:
            write_text(f"{done:,} of {total:,} {item_name}", err=True)
            reported = done

    yield advance


@contextmanager
def watch_progress(
    boards: int, checkpoint: Path | None, verb: str, jobs: str = ""
) -> Iterator[tuple[Callable[[int, int], None], Callable[[int], None]]]:
    """Show the progress of a run over boards and, at the end, its speed; yield functions for its start and for each chunk.

    Call the first at the start, with the numbers of boards and of damaged lines in the checkpoint. Call the second after
    each chunk, with the number of boards in it. `verb` is a word such as `compared`; `jobs` is shown after the speed.
    """
    counted = 0
    began = perf_counter()
    with show_progress(boards) as advance:

        def start(finished_boards: int, damaged_lines: int) -> None:
            if damaged_lines:
                ignored = number_of(damaged_lines, "damaged line")
                write_text(f"{checkpoint}: ignoring {ignored}; their boards are {verb} again", err=True)
            if finished_boards:
                write_text(f"{checkpoint}: {finished_boards:,} of {number_of(boards, 'board')} are already {verb}", err=True)
            advance(finished_boards)

        def go_on(number: int) -> None:
            nonlocal counted
            counted += number
            advance(number)

        yield start, go_on
    seconds = perf_counter() - began
    write_text(f"{number_of(counted, 'board')} in {seconds:.1f} s ({counted / seconds:,.0f} a second{jobs})", err=True)


_AT_FIRST, _AT_TIMES = 5.0, 30.0
"""The seconds until long work is first reported without a terminal, and the seconds between further reports."""


@contextmanager
def report_elapsed_time(text: str) -> Iterator[Callable[[str], None]]:
    """Report a long task on standard error at intervals, unless that is a terminal; yield a function that changes the text."""
    doing = [text]
    if _is_terminal(sys.stderr):
        yield doing.append
        return
    from threading import Event, Thread

    ended, began = Event(), monotonic()

    def report() -> None:
        wait = _AT_FIRST
        while not ended.wait(wait):
            write_text(f"{doing[-1]}: {monotonic() - began:.0f} s so far", err=True)
            wait = _AT_TIMES

    thread = Thread(target=report, daemon=True)
    thread.start()
    try:
        yield doing.append
    finally:
        ended.set()
        thread.join()


@contextmanager
def show_status(text: str) -> Iterator[Callable[[str], None]]:
    """Show a message and the elapsed time on a terminal; yield a function that changes the message.

    If there is no terminal, each message becomes a line if the environment variable `SATJUDGE_PROGRESS` is set.
    """
    if not _is_terminal(sys.stderr):
        from satjudge.base.platforms import PROGRESS

        change: Callable[[str], None] = (
            (lambda text: write_text(f"{PROGRESS}: {text}", err=True)) if PROGRESS in os.environ else _ignore_text
        )
        change(text)
        yield change
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(escape_controls(text))
        yield lambda text: bar.update(task, description=escape_controls(text))


def _ignore_text(text: str) -> None:
    """Do nothing, because nobody would see the text."""


@contextmanager
def show_call_count(label: str) -> Iterator[Callable[[], None]]:
    """Yield a function, and show at a terminal how often it has been called: `label: 12`."""
    numbers = count(1)
    with show_status(label) as change:
        yield lambda: change(f"{label}: {next(numbers):,}")


# ---- files ----


@contextmanager
def convert_file_errors(path: Path) -> Iterator[None]:
    """Convert an `OSError` in this block to a `click.FileError` about the file it names, or else about `path`."""
    try:
        yield
    except OSError as error:
        raise click.FileError(str(error.filename or path), reason_of(error)) from None


@contextmanager
def announce_file(path: Path) -> Iterator[None]:
    """Report on standard error, after this block, that the file `path` was written; convert file errors to `click.FileError`.

    The report comes only if the block raises nothing.
    """
    with convert_file_errors(path):
        yield
    write_text(f"wrote {path}", err=True)


def write_file(path: Path, content: bytes) -> None:
    """Write a file and report that on standard error.

    Raises `click.FileError`.
    """
    with announce_file(path):
        path.write_bytes(content)


def write_certificate(certified: Certified, path: Path) -> None:
    """Write a certificate with its files to `path`, and report that on standard error.

    Raises `click.FileError`.
    """
    from satjudge.proofs.verify.certificate import write_certificate

    with announce_file(path):
        write_certificate(*certified, path)


def write_files(directory: Path, texts: Iterable[tuple[str, str]], *, input_names: Iterable[str] = ()) -> int:
    """Write pairs of a file name and text into a directory, with valid, unique names, not over `input_names`; return how many.

    Raises `click.UsageError` instead of overwriting a file in `input_names`, and `click.FileError`.
    """
    from satjudge.notation.write import make_file_name

    files: dict[Path, str] = {}
    for name, text in texts:
        stem, _, suffix = name.rpartition(".")
        path = directory / f"{make_file_name(stem)}.{suffix}"
        while path in files:
            path = path.with_stem(f"{path.stem}-again")
        files[path] = text
    inputs = {Path(name).resolve() for name in input_names}
    if clashes := [path for path in files if path.resolve() in inputs]:
        raise click.UsageError(f"--save {directory} would overwrite {clashes[0]}, which was read: name another directory")
    with convert_file_errors(directory):
        directory.mkdir(parents=True, exist_ok=True)
        for path, text in files.items():
            path.write_text(text, encoding="utf-8")
    return len(files)


def check_writable(directory: Path | None, files: Iterable[Path]) -> None:
    """Raise `click.UsageError` before any work if a directory cannot be created or written to, or a file cannot be written."""
    for path in files:
        if not os.access(path if path.exists() else path.parent, os.W_OK):
            why = "permission denied" if path.parent.is_dir() else f"there is no directory {path.parent}"
            raise click.UsageError(f"cannot write {path}: {why}")
    if directory is not None:
        parent = next(place for place in (directory, *directory.parents, Path()) if place.exists())
        if not (parent.is_dir() and os.access(parent, os.W_OK)):
            raise click.UsageError(f"cannot write to {directory}: {parent} is not a writable directory")
