"""What processes do that die as they work; each of them imports this module alone, which imports next to nothing."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Sequence
from pathlib import Path
from time import sleep


def squares(accidents: Path, items: Sequence[int]) -> list[int]:
    """The squares of numbers; negative ones kill the process, and so does 7, as often as there are files in a folder."""
    for item in items:
        accident = next(accidents.iterdir(), None) if item == 7 else None
        if accident is not None:
            accident.unlink()
        if item < 0 or accident is not None:
            os.kill(os.getpid(), signal.SIGKILL)
    return [item**2 for item in items]


def lost(item: int) -> int:
    """What stands for an item that processes die of."""
    return 1000 + item


def half_a_result(accidents: Path, items: Sequence[int]) -> list[bytes]:
    """Much to send back; the first process is killed as it sends it."""
    accident = next(accidents.iterdir(), None)
    if accident is not None:
        accident.unlink()
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGKILL)).start()
    return [b"x" * 50_000_000 for _ in items]


def hang(begun: Path, item: int) -> None:
    """Leave a file that is called as the process, and never end; the item 0 is done at once."""
    (begun / str(os.getpid())).touch()
    while item:
        sleep(1)
