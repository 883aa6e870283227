"""Defines the exceptions of satjudge.

SatjudgeError
├── InputError            unusable input: the message says where it is and what to do
│   ├── NotationError     invalid text: an order, location or power that cannot be read
│   ├── SheetError        an order sheet that cannot be read
│   │   ├── SeveralFaultsError  several errors in one sheet, each with its place
│   │   └── RefusedOrderError   an order in it that is refused, while the others count
│   ├── BoardError        an impossible position: unknown provinces, two units in one place, …
│   ├── MapError          a map that cannot be read or used: the message names its line or table
│   ├── RequestError      a batch line that breaks the format
│   ├── RulebookError     an unknown rulebook, option or value
│   └── NotFoundError     a missing map, case or file
├── UnresolvedError       the rulebook does not settle a core or missing builds
├── EngineLimitError      a position that is too large for the chosen engine
├── PhaseFailedError      satjudge itself failed on one phase of many; the others are still judged
├── OracleSkipError       a compared engine declines to judge such a position
└── OracleError           a compared engine did not answer as it should
    └── OracleLostError   an engine that failed too often to be asked again
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import takewhile
from typing import Any, ClassVar


class SatjudgeError(Exception):
    """An error that satjudge raises on purpose."""


class InputError(SatjudgeError):
    """An error for input that satjudge cannot use.

    `line` and `column` count from 1 and are None if they do not apply; `suggestion` is a likely correction.
    """

    kind: ClassVar[str] = "input"

    def __init__(
        self,
        message: str,
        *,
        source: str | None = None,
        line: int | None = None,
        column: int | None = None,
        suggestion: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.source = source
        self.line = line
        self.column = column
        self.suggestion = suggestion

    def __str__(self) -> str:
        column = f"column {self.column}" if self.column is not None else ""
        if self.line is None:
            place = ", ".join(part for part in (self.source, column) if part)
        elif self.source is None:
            place = ", ".join(part for part in (f"line {self.line}", column) if part)
        else:
            place = ":".join(str(part) for part in (self.source, self.line, self.column) if part is not None)
        text = f"{place}: {self.message}" if place else self.message
        return f"{text} ({self.suggestion})" if self.suggestion else text

    def _render_traceback_(self) -> list[str]:
        """Return the traceback that notebooks show, as lines: only the line that called satjudge, and the message."""
        import traceback

        package_folder = os.path.dirname(os.path.dirname(__file__))
        calls = takewhile(lambda call: not call.filename.startswith(package_folder), traceback.extract_tb(self.__traceback__))
        last = [(call.filename, call.lineno or 0, call.name, call.line) for call in calls][-1:]  # drops the `^^^` markers
        return [*traceback.format_list(last), f"{type(self).__name__}: {self}"]

    def add_place(self, *, source: str | None = None, line: int | None = None, offset: int = 0) -> InputError:
        """Set source and line of the error unless they are None, add `offset` to its column if it has one, and return it."""
        self.source = source if source is not None else self.source
        self.line = line if line is not None else self.line
        if self.column is not None:
            self.column += offset
        return self


@contextmanager
def locate_errors(source: str | None = None, line: int | None = None, *, offset: int = 0) -> Iterator[None]:
    """Add `offset` to the column of any `InputError` raised in this context, and fill in a missing source or line."""
    try:
        yield
    except InputError as error:
        raise error.add_place(source=error.source or source, line=error.line or line, offset=offset) from None


class NotationError(InputError):
    """An error for text that cannot be read as an order, a location or a power.

    `readings` are versions of the text with the names that its author may have meant.
    """

    kind = "notation"

    def __init__(self, message: str, *, readings: tuple[str, ...] = (), **place: Any) -> None:  # noqa: ANN401  # as its base
        super().__init__(message, **place)
        self.readings = readings


class SheetError(InputError):
    """An error for an order sheet that cannot be read."""

    kind = "sheet"


class RefusedOrderError(SheetError, NotationError):
    """An error for a text in a sheet or a message that gives no order to a unit.

    `order` is the order as satjudge writes it, or None if the text cannot be read. `unit` is the unit that it orders, such as
    `F BRE`, or None if that is not known.
    """

    def __init__(self, error: InputError, order: str | None = None, unit: str | None = None) -> None:
        place = {name: getattr(error, name) for name in ("source", "line", "column", "suggestion")}
        super().__init__(error.message, readings=getattr(error, "readings", ()), **place)
        self.order = order
        self.unit = unit


class BoardError(InputError):
    """An error for an impossible position, which lists everything wrong with it in `problems`."""

    kind = "board"

    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


class MapError(InputError):
    """An error for a map that cannot be read or used."""

    kind = "map"


class RequestError(InputError):
    """An error for a batch line that breaks the batch format."""

    kind = "request"


class RulebookError(InputError):
    """An error for an unknown rulebook, option or value, or for options that do not go together."""

    kind = "rulebook"


class NotFoundError(InputError):
    """An error for a map, a case or a file that does not exist."""

    kind = "not-found"


MOST_TOLD = 50
"""The most errors that one message lists."""


class SeveralFaultsError(SheetError):
    """An error that joins several errors in one text.

    `errors` lists them, each with its own place. The place of this error is that of the first one.
    """

    def __init__(self, errors: Sequence[InputError]) -> None:
        self.errors = tuple(errors)
        more = ["…"] if len(errors) >= MOST_TOLD else []
        number = f"{MOST_TOLD} or more" if more else len(errors)
        shown = map(str, errors[:MOST_TOLD])
        message = "\n  ".join((f"{number} errors:", *shown, *more))
        super().__init__(message, source=errors[0].source, line=errors[0].line)

    def __str__(self) -> str:
        return self.message


def join_errors(errors: Sequence[InputError]) -> InputError:
    """Return the only error as it is, or a `SeveralFaultsError` whose message lists the first `MOST_TOLD` of several."""
    return errors[0] if len(errors) == 1 else SeveralFaultsError(errors)


class UnresolvedError(SatjudgeError):
    """An error for a core with no or several resolutions that no backup rule of the rulebook settles (DATC 5.B.9).

    `resolutions` holds the consistent resolutions of the whole board, `core` is the core in question, and `values` holds the
    decisions settled before it. All three keep their defaults for unordered builds that may not be declined (4.D.7 b).
    """

    resolutions: Any = None
    core: Any = None
    values: Sequence[bool | None] = ()


class EngineLimitError(SatjudgeError):
    """An error for a position that is too large for the chosen engine."""


class PhaseFailedError(SatjudgeError):
    """An error for a phase of a game on which satjudge itself failed; the message says which phase and how."""


class WorkerLostError(SatjudgeError):
    """An error for a process of satjudge's own that ended before its work was done."""


def kind_and_message(error: Exception) -> tuple[str, str]:
    """Return an error's kind in answers (`sheet`, …, `internal`) and its message; raises `KeyboardInterrupt` after Ctrl-C.

    If SATJUDGE_DEBUG=1 is set, standard error shows where an `internal` error (a bug in satjudge) was raised.
    """
    if was_interrupted(error):
        raise KeyboardInterrupt from error
    if isinstance(error, InputError):
        return error.kind, str(error)
    if isinstance(error, UnresolvedError):
        return "unresolved", str(error)
    if isinstance(error, SatjudgeError):
        return "unanswered", str(error)
    if os.environ.get("SATJUDGE_DEBUG"):
        import traceback

        traceback.print_exception(error)
    return "internal", f"{error_line(error)} (a bug in satjudge; set SATJUDGE_DEBUG=1 to see where)"


def error_line(error: BaseException) -> str:
    """Return an error as the last line of a traceback shows it: its type and its message, if any."""
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def was_interrupted(error: BaseException | None) -> bool:
    """Return whether an error, or an error in its chain of causes, is `KeyboardInterrupt`; False for None.

    Compiled modules that are interrupted during their import turn Ctrl-C into errors of their own.
    """
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


class OracleError(SatjudgeError):
    """An error for an oracle that did not answer as it should; `kind` describes its behaviour in two words."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(kind, message)
        self.kind = kind
        self.message = message

    def __str__(self) -> str:
        return f"{self.kind}: {self.message}"


class OracleLostError(OracleError):
    """An error for an oracle that failed too often to be asked again.

    It holds the position of the last failure and the counts up to that point.
    """

    position: str = ""
    counted: Any = None


class OracleSkipError(SatjudgeError):
    """An error for a position that an oracle declines to judge."""


def reason_of(error: Exception) -> str:
    """Return why the operating system raised an error: its `strerror`, else its arguments as text, else its type."""
    arguments = " ".join(str(part) for part in error.args if part is not None)
    return getattr(error, "strerror", None) or arguments or type(error).__name__
