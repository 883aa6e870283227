"""Writes where a game stands, and the phases that were played, as tables."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from satjudge.base.words import number_of
from satjudge.explain.explanation import listed
from satjudge.game.documents.games import GamePhase, GameShown
from satjudge.game.documents.reports import phase_in_words
from satjudge.game.kept_game import Played
from satjudge.show.layout import Group, Part, Text
from satjudge.show.spoken import without_numbers
from satjudge.show.text import listing, outcome_table, spoken_table
from satjudge.world.board import Board, Phase, by_power
from satjudge.world.geography import Power
from satjudge.world.seasons import adjustments_due, build_sites


def game_table(game: GameShown, board: Board, about: Collection[Power] | None = None) -> Part:
    """Draw a table of the powers of a game with centres, units and orders; below it what is due, missing or illegal.

    If it is `about` some powers, illegal orders of the others are only counted.
    """
    name = board.map.name_of
    state = f"over: {game.ended}" if game.ended else f"{game.phase}{f', {board.date}' if board.date else ''}"
    heading = Text(f"{game.game}: {state}  [{game.map}, {game.rulebook.name}]", style="bold")
    table = listing("Power", "Centres", "Units", "Orders", numbers=("Centres",))
    for power in dict.fromkeys((*game.counts, *game.units, *game.dislodged)):
        units = [*game.units.get(power, ()), *(f"*{unit}" for unit in game.dislodged.get(power, ()))]
        table.add_row(
            name(power), str(game.counts.get(power, 0)), ", ".join(units) or "none", "; ".join(game.orders.get(power, ()))
        )
    lines = [
        f"{name(power)} must retreat {unit}: to {', '.join(places) or 'nowhere, it is disbanded'}."
        for power, units in game.dislodged.items()
        for unit, places in units.items()
    ]
    for power, due in game.due.items():
        where = f", in {listed(build_sites(board, power), 'or')}" if due > 0 else ""
        lines.append(f"{name(power)} {'may build' if due > 0 else 'must remove'} {number_of(abs(due), 'unit')}{where}.")
    told = {power: reasons for power, reasons in game.illegal.items() if about is None or power in about}
    for power, reasons in told.items():
        lines += [f"{name(power)}: {order} is illegal: {without_numbers(reason)}." for order, reason in reasons.items()]
    if others := sum(len(reasons) for power, reasons in game.illegal.items() if power not in told):
        which = f"{number_of(others, 'order')} {'is' if others == 1 else 'are'} illegal"
        lines.append(f"Of other powers {which}; `satjudge game show` tells why.")
    for phase, early in game.early.items():
        lines += [f"Kept for {phase}: {name(power)} {'; '.join(orders)}." for power, orders in early.items()]
    if (told or not game.orders) and not game.ended:
        lines += _examples(board)
    if game.orders:
        lines += [f"As it stands: {without_numbers(told)}" for told in game.told]
    elif game.told:
        lines.append("No orders have been given yet.")
    return Group(heading, table, *map(Text, lines))


def _examples(board: Board) -> Iterator[str]:
    """Write how the orders of a winter, or of retreats, are written."""
    found: list[str] = []
    for power, due in adjustments_due(board).items() if board.phase is Phase.ADJUSTMENT else ():
        sites, units = build_sites(board, power), by_power(board.units).get(power, [])
        found += [f"A {sites[0]} B (build)"] if due > 0 and sites else [f"{units[0]} D (remove)"] if due < 0 and units else []
    for lost in board.dislodged:
        found += [f"{lost.unit} R {place} (retreat)" for place in lost.retreats[:1]] + [f"{lost.unit} D (disband)"]
    if kinds := {example.rpartition("(")[2]: example for example in reversed(found)}:
        yield f"Orders of this phase are written so: {listed(reversed(kinds.values()))}."


def phase_table(played: Played, document: GamePhase, *, details: bool = False) -> Part:
    """Draw a table of what became of a phase: its orders as players speak of them, what was missing, and what comes next.

    With `details` orders have their verdicts, in the words of the rules.
    """
    plain = str if details else without_numbers
    lines = [] if document.phase.endswith("A") else document.told  # unused builds and civil disorder stand below the table
    following = f"The game is over: {document.ended}." if document.ended else f"Next: {phase_in_words(document.next)}."
    heading = Text(f"{document.game}: {document.phase}", style="bold")
    table = outcome_table(played.outcome) if details else spoken_table(played.outcome, verdicts=False)
    return Group(heading, table, *(Text(plain(line)) for line in lines), Text(following))
