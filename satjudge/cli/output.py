"""Writing to standard output and standard error: the only place of the commands that does.

What is written is safe for a terminal (`satjudge.terminal`), and can be written in any encoding. Messages on standard error
never end a command; what is lost on standard output does, when the work is done.
"""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any

from satjudge.errors import reason_of
from satjudge.terminal import ERRORS, shown, shown_in_json

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult

PLAIN_WIDTH = 160
"""Columns of a table that does not go to a terminal."""
_WRITING = frozenset((errno.ENOSPC, errno.EBADF, errno.EDQUOT, errno.EFBIG, errno.EIO))


def prepare_streams() -> None:
    """Make the standard streams fit for all that is written.

    A stream that was closed before the command began is opened: nothing comes from standard input, nobody reads standard
    error, and to write to standard output is an error. So no file that is opened later takes the number of a stream.
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
        stream.reconfigure(errors=ERRORS)  # type: ignore[union-attr]  # they are what Python makes of the streams


def tell(text: str = "", *, err: bool = False) -> None:
    """Write lines of plain text, on standard error if asked to. Raises `OSError` for standard output."""
    _write(shown(text) + "\n", err=err)


def write_json_line(value: object) -> None:
    """Write one JSON document on a line of its own."""
    import msgspec

    _write_json(msgspec.json.encode(value))


def write_json(value: object) -> None:
    """Write one JSON document, to be read by people as well."""
    import msgspec

    _write_json(msgspec.json.format(msgspec.json.encode(value), indent=2))


def _write_json(document: bytes) -> None:
    _write(shown_in_json(document.decode(), sys.stdout.encoding or "utf-8") + "\n")


def _write(text: str, *, err: bool = False) -> None:
    stream = sys.stderr if err else sys.stdout
    try:
        stream.write(text)
        stream.flush()
    except OSError:
        if not err:
            raise
        silence(stream)


def silence(stream: IO[Any]) -> None:
    """Let a stream go nowhere from now on: what is left in it would fail again at the end."""
    with suppress(OSError, ValueError):  # one that is no file of the system
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def why_not_written(error: OSError) -> str:
    """What went wrong with a stream or a file, in words."""
    if error.filename is not None:
        return f"{error.filename}: {reason_of(error)}"
    if error.errno == errno.EBADF:
        return "cannot write: standard output is closed"
    return f"cannot write: {reason_of(error)}" if error.errno in _WRITING else reason_of(error)


class Safe:
    """A renderable of rich whose text, styled and laid out, holds no control characters but rich's own."""

    def __init__(self, part: RenderableType) -> None:
        self.part = part

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Rich asks for this."""
        from rich.segment import Segment

        for segment in console.render(self.part, options):
            yield segment if segment.control else Segment(shown(segment.text), segment.style)


def show(*parts: RenderableType) -> None:
    """Write tables and text; plain where standard output is not a terminal. A `Text` that is not to be wrapped is not."""
    from rich.console import Console
    from rich.text import Text

    terminal = sys.stdout.isatty()
    layout: dict[str, Any] = {} if terminal else {"width": PLAIN_WIDTH, "force_terminal": False}  # whatever FORCE_COLOR says
    console = Console(highlight=False, emoji=False, markup=False, **layout)
    for part in parts:
        whole = isinstance(part, Text) and bool(part.no_wrap)
        if terminal:
            console.print(Safe(part), soft_wrap=whole)
        else:  # without the blanks that pad a table
            with console.capture() as captured:
                console.print(Safe(part), soft_wrap=whole)
            tell("\n".join(line.rstrip() for line in captured.get().split("\n")[:-1]))
