"""What it takes to start: import and commands, each in a process of its own, and the memory that processes take."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from measuring import Effort, Figure, number, peak_megabytes, run, spread


def starting(effort: Effort) -> Iterator[Figure]:
    """Import and start-up of the commands, each in a process of its own, with its peak memory."""
    with TemporaryDirectory() as folder:
        plain = Path(folder) / "plain.txt"
        plain.write_text("France:\n  A Paris - Burgundy\n  A Marseilles S A Paris - Burgundy\n", encoding="utf-8")
        rows = Path(folder) / "rows.jsonl"
        rows.write_bytes(b'{"units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A PAR - BUR"]}}\n')
        yield _start("an empty Python", "pass", effort)
        yield _start("import satjudge", "import satjudge", effort, 0.04)
        yield _start("satjudge judge, no core", _command("judge", str(plain)), effort, 0.1)
        yield _start("satjudge judge, a core (6.F.14)", _command("judge", "datc:6.F.14"), effort)
        yield _start("satjudge batch, one line", _command("batch", str(rows)), effort)


def _command(*arguments: str) -> str:
    """What the command `satjudge` runs."""
    return f"from satjudge.apps.cli import run; assert run({list(arguments)!r}) == 0"


def _start(name: str, code: str, effort: Effort, target: float | None = None) -> Figure:
    run(sys.executable, "-c", code)
    runs = [run(sys.executable, "-c", code) for _ in range(effort.processes)]
    processor = median(processor for _, processor in runs)
    note = f"{processor:.2g} s of the processor, peak memory {peak_megabytes(code):.0f} MB"
    return Figure("start-up", name, "s", spread(waited for waited, _ in runs), target, note=note)


def memory(effort: Effort) -> Iterator[Figure]:
    """The peak memory of an interpreter that judges some boards of 34 units, and writes their answers."""
    drawing = (
        "from random import Random; from satjudge.bulk.random_boards.boards import Flavour, random_board; "
        f"boards = [random_board(Random(index), Flavour.GENERAL, (34, 34)) for index in range({5 * effort.boards})]; "
    )
    judging = "from satjudge.judging.judge import judge; [judge(*board, engine={!r}).results for board in boards]"
    batch = (
        "from satjudge.bulk.batch import Answering; from satjudge.world.board import by_power; "
        "rows = [{'units': by_power(board.units), "
        "'orders': {power: list(map(str, given)) for power, given in orders.items()}} for board, orders in boards]; "
        "list(Answering(plain_first=0).rows(rows))"
    )
    works = {"only drawn": "", "judge": judging.format("staged"), "judge, `full`": judging.format("full"), "in bulk": batch}
    for name, code in works.items():
        yield number("peak memory", f"{5 * effort.boards} boards: {name}", "MB", peak_megabytes(drawing + code))
