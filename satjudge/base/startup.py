"""Makes a command that is still importing modules end at once and without a traceback on Ctrl-C or a missing package.

The package imports this module before any other, and it imports nothing that takes time. It acts only in a process of the
command `satjudge` or `python -m satjudge`, or in its workers; a program that uses the library keeps its signal handlers.
`satjudge.apps.cli.main` takes over after the imports.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

EXIT_INTERRUPTED = 130
_OBJECTS = 50_000
"""The number of new objects after which Python collects garbage; its default of 700 would make it do so dozens of times."""


def _is_command() -> bool:
    """Return whether this process was started as the command `satjudge`, or by `python -m satjudge`."""
    program = next(iter(getattr(sys, "argv", ())), "")
    if program == "-m":  # while Python looks for the module to run
        return "satjudge" in sys.orig_argv
    folder, name = os.path.split(program)
    return os.path.splitext(name)[0] == "satjudge" or (name == "__main__.py" and os.path.basename(folder) == "satjudge")


def _end(number: int, frame: object) -> None:
    if "--multiprocessing-fork" not in sys.orig_argv:  # a worker leaves the message to its parent
        os.write(2, b"interrupted\n")
    os._exit(EXIT_INTERRUPTED)


def _explain(kind: type[BaseException], error: BaseException, trace: Any) -> None:  # noqa: ANN401  # a traceback
    if not isinstance(error, ModuleNotFoundError):
        sys.__excepthook__(kind, error, trace)
        return
    os.write(2, f"satjudge: this needs the package {error.name}, which is not installed (pip install {error.name})\n".encode())
    os._exit(2)


def restore_interrupts() -> None:
    """Undo what startup installed for the command: Ctrl-C raises `KeyboardInterrupt` again, errors print tracebacks."""
    sys.excepthook = sys.__excepthook__ if sys.excepthook is _explain else sys.excepthook
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def interrupt_on_ending_signals() -> Iterator[None]:
    """Make the signals by which systems end a program, unless handled or ignored, raise `KeyboardInterrupt` in this context.

    The program can then report its results so far.

    The signals are SIGTERM, and SIGHUP when a terminal closes; Windows sends neither. Ignored signals (`nohup`) stay ignored.
    """
    from satjudge.base.platforms import ending_signals

    received = []
    with suppress(ValueError):  # not the main thread
        for number in ending_signals():
            if signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, signal.default_int_handler)
                received.append(number)
    try:
        yield
    finally:
        for number in received:
            signal.signal(number, signal.SIG_DFL)


if _is_command():
    gc.set_threshold(_OBJECTS, 20, 50)
    if sys.excepthook is sys.__excepthook__:
        sys.excepthook = _explain
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        with suppress(ValueError):  # not the main thread
            signal.signal(signal.SIGINT, _end)
