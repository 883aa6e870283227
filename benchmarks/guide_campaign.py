"""A campaign: the procedure of the 1998 guide against the solver under the rulebook `guide-1998`.

    python benchmarks/guide_campaign.py --boards 20000 --seed 1

Differences are counted by class. A class that `EXPLAINED` names is a known difference of rules with the sentence of the guide
that causes it; any other is a finding, printed with its board, and the exit status is then 1.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from rich.console import Console
from rich.progress import track
from rich.table import Table

from satjudge.board import Board, by_power
from satjudge.crosscheck.oracles import guide_1998
from satjudge.geography import Power, UnitKind
from satjudge.judge import judge
from satjudge.orders import Move, MovementOrder, SupportMove
from satjudge.outcome import Outcome
from satjudge.research.boards import Flavour, random_board
from satjudge.rules import load_rulebook

Orders = Mapping[Power, Sequence[MovementOrder]]

MIX = (*[Flavour.CONVOYS] * 5, *[Flavour.CIRCLES] * 2, *[Flavour.GENERAL] * 2, Flavour.DENSE)
VIA_FLEET = "a fleet ordered via convoy"
OWN_CONVOYER = "a support by the only fleet that could convoy the army"
EXPLAINED = {
    VIA_FLEET: "Chapter VII lists the orders there are, and a fleet's move by convoy is none of them: the guide calls it"
    " illegal; satjudge ignores the words on a fleet's order (DATC 4.E.1).",
    OWN_CONVOYER: "Step 1 looks at the fleets that stand at sea (“Viewed individually, they are possible”), the supporter's own"
    " among them, so the support is legal and merely finds no move; DATC 3.2, 6.D.31 calls it illegal.",
}


@dataclass(frozen=True, slots=True)
class Difference:
    """One order on which the two part."""

    power: Power
    order: MovementOrder
    guide: str
    solver: str


def board_number(seed: int, number: int) -> tuple[Board, dict[Power, list[MovementOrder]]]:
    """Board N of a seed, always the same."""
    random = Random(f"guide {seed} {number}")
    flavour = MIX[number % len(MIX)]
    units = (20, 30) if flavour is Flavour.DENSE else (4, 9) if number % 2 else (6, 14)
    return random_board(random, flavour, units=units, via=0.3, illegal=0.1 if number % 8 == 0 else 0.0)


def differences(board: Board, orders: Orders) -> list[Difference]:
    """Every order on which the guide's procedure and the solver part; positions follow from the verdicts."""
    outcome: Outcome = judge(board, orders, rulebook=load_rulebook("guide-1998"))
    answer = guide_1998.judge(board, orders)
    found = [
        Difference(power, order, guide, solver)
        for power, given in orders.items()
        for order, guide, solver in zip(given, answer.verdicts[power], outcome.results[power], strict=True)
        if guide != solver
    ]
    units = {power: sorted(texts) for power, texts in by_power(outcome.units).items()}
    if units != {power: sorted(texts) for power, texts in answer.units.items() if texts}:
        assert found, "positions differ though no verdict does"
    return found


def class_of(board: Board, orders: Orders, found: Sequence[Difference]) -> str:
    """Why they part: an explained class, or the shape of the first difference."""
    words = {(entry.guide[:7], entry.solver[:7]) for entry in found}
    if words == {("invalid", "illegal")} and all(isinstance(entry.order, SupportMove) for entry in found):
        return OWN_CONVOYER
    plain = {power: [_without_via(board, order) for order in given] for power, given in orders.items()}
    if plain != orders and not differences(board, plain):
        return VIA_FLEET
    return f"{type(found[0].order).__name__}: guide {found[0].guide}, solver {found[0].solver}"


def _without_via(board: Board, order: MovementOrder) -> MovementOrder:
    """The order without the words that mean nothing for a fleet."""
    unit = board.unit_at.get(order.unit.province)
    if isinstance(order, Move) and order.via_convoy and unit is not None and unit.kind is UnitKind.FLEET:
        return replace(order, via_convoy=False)
    return order


def main() -> int:
    """Run the campaign and print its table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    console = Console()
    counts: Counter[str] = Counter()
    smallest: dict[str, tuple[int, int]] = {}
    for number in track(range(options.boards), "judging", console=Console(stderr=True), disable=not sys.stderr.isatty()):
        board, orders = board_number(options.seed, number)
        found = differences(board, orders)
        name = class_of(board, orders, found) if found else "same"
        counts[name] += 1
        if found:
            smallest[name] = min(smallest.get(name, (99, 0)), (len(board.units), number))
    table = Table("boards", "class", "smallest", "why")
    for name, count in counts.most_common():
        table.add_row(str(count), name, _shown(options.seed, smallest.get(name)), EXPLAINED.get(name, ""))
    console.print(table)
    unexplained = set(counts) - set(EXPLAINED) - {"same"}
    return 1 if unexplained else 0


def _shown(seed: int, found: tuple[int, int] | None) -> str:
    if found is None:
        return ""
    board, orders = board_number(seed, found[1])
    texts = [f"{power}: {', '.join(map(str, given))}" for power, given in orders.items()]
    different = [f"{entry.order} | guide {entry.guide} | solver {entry.solver}" for entry in differences(board, orders)]
    return "\n".join([f"board {found[1]}: {' '.join(f'{u.power} {u};' for u in board.units)}", *texts, "→", *different])


if __name__ == "__main__":
    sys.exit(main())
