"""Where a game stands, as a rich table."""

from __future__ import annotations

from collections.abc import Collection

from rich.console import Group, RenderableType
from rich.text import Text

from satjudge.documents.games import GamePhase, GameShown
from satjudge.geography import Map, Power
from satjudge.kept_game import Played
from satjudge.render.text import listing, outcome_table
from satjudge.words import number_of


def game_table(game: GameShown, game_map: Map, about: Collection[Power] | None = None) -> RenderableType:
    """The powers with their centres, units and orders; below what is to be done, what is missing and what is not legal.

    If it is `about` some powers, illegal orders of the others are only counted.
    """
    name = game_map.name_of
    state = f"over: {game.ended}" if game.ended else game.phase
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
        lines.append(f"{name(power)} {'may build' if due > 0 else 'must remove'} {number_of(abs(due), 'unit')}.")
    told = {power: reasons for power, reasons in game.illegal.items() if about is None or power in about}
    for power, reasons in told.items():
        lines += [f"{name(power)}: {order} is illegal: {reason}." for order, reason in reasons.items()]
    if others := sum(len(reasons) for power, reasons in game.illegal.items() if power not in told):
        which = f"{number_of(others, 'order')} {'is' if others == 1 else 'are'} illegal"
        lines.append(f"Of other powers {which}; `satjudge game show` tells why.")
    for phase, early in game.early.items():
        lines += [f"Kept for {phase}: {name(power)} {'; '.join(orders)}." for power, orders in early.items()]
    if game.orders:
        lines += [f"As it stands: {told}" for told in game.told]
    elif game.told:
        lines.append("No orders have been given yet.")
    return Group(heading, table, *map(Text, lines))


def phase_table(played: Played, document: GamePhase) -> RenderableType:
    """What became of a phase: its orders with verdicts, what was not ordered, and what comes next."""
    lines = [] if document.phase.endswith("A") else document.told  # unused builds and civil disorder stand below the table
    following = f"The game is over: {document.ended}." if document.ended else f"Next: {document.next}."
    heading = Text(f"{document.game}: {document.phase}", style="bold")
    return Group(heading, outcome_table(played.outcome), *map(Text, lines), Text(following))
