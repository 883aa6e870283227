"""The program that is extracted from the formal theory (`models/theory`), asked by batch lines. It judges movement phases.

What is legal it does not know: that is read as DATC 3.2 has it, as the oracles of satjudge do, which share no equation with it.
The program is made by `make -C models/theory`; another one may be named as argument.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import cast

from satjudge.notation.parse import parse_order, parse_unit
from satjudge.oracles.datc_turn import ConvoyOrder, MoveOrder, Order, SupportOrder, Turn, build_answer
from satjudge.world.board import Board
from satjudge.world.geography import UnitKind, load_map, province_of
from satjudge.world.orders import MovementOrder

sys.path.append(str(Path(__file__).resolve().parents[1] / "shared"))

from batch_lines import Answer, Request, serve

PROGRAM = Path(__file__).resolve().parents[2] / "models" / "theory" / "build" / "theory"


def problem(turn: Turn) -> Iterator[str]:
    """The orders that are followed, as the program reads them; nothing is matched here but coasts."""
    for order in turn.orders:
        unit = order.unit
        kind = "army" if unit.kind is UnitKind.ARMY else "fleet"
        yield f"unit {unit.province} {unit.power} {kind} {_words(turn, order)}"
        for there in sorted({province_of(place) for place in turn.board.map.exits(unit.kind, unit.location)}):
            yield f"{'land' if kind == 'army' else 'sea'} {unit.province} {there}"


def _words(turn: Turn, order: Order) -> str:
    match order:
        case MoveOrder():
            return f"move {order.province}{' via' * order.via_convoy}"
        case SupportOrder(destinations=()):
            return f"support-hold {order.supported.province}"
        case SupportOrder():
            move = turn.order_at[order.supported.province]
            other_coast = isinstance(move, MoveOrder) and move.province == order.province and not order.matched
            return f"support-move {order.supported.province} {order.destinations[0] if other_coast else order.province}"
        case ConvoyOrder():
            return f"convoy {order.army.province} {order.province}"
    return "hold"


class Engine:
    """The program, one process for all questions."""

    def __init__(self, program: Path) -> None:
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def ask(self, lines: Iterator[str]) -> list[set[str]]:
        """The provinces whose orders succeed, and those that are contested."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write("\n".join([*lines, "adjudicate", ""]))
        self.process.stdin.flush()
        found: list[set[str]] = []
        while (line := self.process.stdout.readline().strip()) != ".":
            if self.process.poll() is not None:
                raise RuntimeError("the program of the theory has ended")
            found.append(set(line.split()))
        return found

    def movement(self, request: Request) -> Answer:
        """The verdicts by the equations as they are proved about, and Szykman's rule."""
        game_map = load_map()
        units = tuple(parse_unit(text, power, game_map) for power, texts in request["units"].items() for text in texts)
        given = ((power, [parse_order(text, game_map) for text in texts]) for power, texts in request["orders"].items())
        turn = Turn(Board(units), {power: cast("list[MovementOrder]", orders) for power, orders in given})
        succeeding, contested = self.ask(problem(turn))
        for order in turn.orders:
            order.resolution = order.unit.province in succeeding
        said = build_answer(turn, contested)
        return {"results": said.verdicts, "dislodged": said.dislodged, "units": said.units}


if __name__ == "__main__":
    serve({"movement": Engine(Path(sys.argv[1]) if len(sys.argv) > 1 else PROGRAM).movement})
