"""Asks the program that is extracted from the formal theory (`models/theory`), and writes boards as its problems."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from satjudge.judging.equations.situation import ConvoyDecision, MoveDecision, Situation, SupportDecision
from satjudge.world.board import Unit
from satjudge.world.geography import Map, UnitKind, province_of

THEORY = Path(__file__).resolve().parents[2] / "models" / "theory"
TOOLS = ("coqc", "ocamlopt", "make")
HOW = "apt-get install coq libcoq-mathcomp-ssreflect ocaml-nox"
MISSING = [tool for tool in TOOLS if shutil.which(tool) is None]

Resolution = frozenset[str]
"""The provinces whose orders succeed."""


@cache
def built(folder: Path = THEORY) -> Path:
    """The folder with the program and what Rocq says, checked where something has changed, and by each process of a test run.

    Raises `CalledProcessError` where a proof fails.
    """
    build = Path("build", os.environ.get("PYTEST_XDIST_WORKER", ""))
    command = ["make", "--silent", "-C", str(folder), f"BUILD={build.as_posix()}"]
    subprocess.run(command, check=True, capture_output=True, text=True, timeout=1800)
    return folder / build


def problem(situation: Situation) -> Iterator[str]:
    """A situation, that is orders after legality, as the lines that the program reads; nothing is matched or routed here."""
    orders = {decision.province: decision for decision in situation.order_decisions}
    for unit in situation.board.units:
        order = _order(orders.get(unit.province)) if unit.province in orders else "hold"
        yield f"unit {unit.province} {unit.power} {'army' if unit.kind is UnitKind.ARMY else 'fleet'} {order}"
    yield from borders(situation.board.map, situation.board.units)


def _order(decision: object) -> str:
    match decision:
        case MoveDecision():
            return f"move {decision.destination.province}{' via' * decision.order.via_convoy}"
        case SupportDecision() if decision.supports_hold:
            return f"support-hold {decision.supported.province}" if decision.supported.supportable else "support-hold nobody"
        case SupportDecision():
            return f"support-move {decision.supported.province} {_meant(decision)}"
        case ConvoyDecision():
            return f"convoy {decision.order.convoyed.province} {province_of(decision.order.destination)}"
    raise TypeError(decision)


def _meant(support: SupportDecision) -> str:
    """Where the supported move goes; to the other coast than is ordered it is another move (DATC 4.B.4)."""
    coasts = {move.order.destination for move in support.supported.moves_out if move.destination is support.directed_at}
    wanted = getattr(support.order, "destination", "")
    return support.directed_at.province if wanted in coasts | {support.directed_at.province} else wanted


def borders(game_map: Map, units: Iterable[Unit]) -> Iterator[str]:
    """The two relations of the map, as far as the units need them."""
    for unit in units:
        exits = {province_of(there) for there in game_map.exits(unit.kind, unit.location)}
        if unit.kind is UnitKind.ARMY:
            yield from (f"land {unit.province} {there}" for there in sorted(exits))
        else:
            yield from (f"sea {unit.province} {there}" for there in sorted(exits))


def ask(
    problems: Iterable[Iterable[str]], command: str | Sequence[str] = "enumerate", program: Path | None = None
) -> list[set[Resolution]]:
    """The resolutions of each problem, by one command for all or one for each. Raises `CalledProcessError`."""
    stated = [list(lines) for lines in problems]
    commands = [command] * len(stated) if isinstance(command, str) else command
    text = "".join("\n".join([*lines, last, ""]) for lines, last in zip(stated, commands, strict=True))
    program = program or built() / "theory"
    found = subprocess.run([program], input=text, capture_output=True, text=True, check=True, timeout=3600).stdout
    answers: list[set[Resolution]] = [set()]
    for line in found.splitlines():
        if line == ".":
            answers.append(set())
        else:
            answers[-1].add(frozenset(line.split()))
    return answers[:-1]
