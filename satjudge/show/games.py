"""Writes the current state of a game, and the phases that were played, as tables."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from satjudge.base.words import number_of
from satjudge.explain.explanation import format_list
from satjudge.explain.words.player_text import strip_rule_numbers
from satjudge.game.documents import GamePhase, GameShown
from satjudge.show.layout import Group, Part, StyledText
from satjudge.show.text import make_listing
from satjudge.world.geography import Power


def make_game_table(game: GameShown, explained_powers: Collection[Power] | None = None) -> Part:
    """Make a table of a game's powers, with what is due, remarks, and why orders of `explained_powers` (None: all) are illegal.

    If `explained_powers` is given, the other powers' illegal orders are only counted.
    """
    name = game.names.__getitem__
    state = f"over: {game.ended}" if game.ended else ", ".join(filter(None, (game.phase, game.date)))
    heading = StyledText(f"{game.game}: {state}  [{game.map}, {game.rulebook.name}]", style="bold")
    table = make_listing("Power", "Centres", "Units", "Orders", numbers=("Centres",))
    for power in dict.fromkeys((*game.counts, *game.units, *game.dislodged)):
        units = [*game.units.get(power, ()), *(f"*{unit}" for unit in game.dislodged.get(power, ()))]
        table.add_row(
            name(power), str(game.counts.get(power, 0)), ", ".join(units) or "none", "; ".join(game.orders.get(power, ()))
        )
    ended = bool(game.ended)
    lines = ["* marks a dislodged unit."] if any(game.dislodged.values()) else []
    lines = ["* marks a dislodged unit, which must retreat or disband."] if lines and not ended else lines
    for power, lost in game.dislodged.items() if not ended else ():
        lines += [f"{name(power)}: {unit} {_format_retreats(places)}." for unit, places in lost.items()]
    for power, due in game.due.items():
        where = f", in {format_list(game.sites[power], 'or')}" if due > 0 else ""
        lines.append(f"{name(power)} {'may build' if due > 0 else 'must remove'} {number_of(abs(due), 'unit')}{where}.")
    told = {power: reasons for power, reasons in game.illegal.items() if explained_powers is None or power in explained_powers}
    for power, reasons in told.items():
        lines += [f"{name(power)}: {order} is illegal: {_add_advice(reason)}." for order, reason in reasons.items()]
    if others := sum(len(reasons) for power, reasons in game.illegal.items() if power not in told):
        subject = f"{number_of(others, 'order')} of other powers {'is' if others == 1 else 'are'} illegal"
        lines.append(f"{subject}; `satjudge game show` explains why.")
    for phase, early in game.early.items():
        lines += [f"Kept for {phase}: {name(power)} {'; '.join(orders)}." for power, orders in early.items()]
    misshapen = any(not _is_of_kind(game, power, order) for power, reasons in told.items() for order in reasons)
    if (misshapen or not game.orders) and not game.ended:
        lines += _iter_examples(game)
    if game.orders:
        lines += [f"With these orders: {strip_rule_numbers(told)}" for told in game.told]
    elif game.told:
        lines.append("No orders have been given yet.")
    return Group(heading, table, *map(StyledText, lines))


def _format_retreats(places: Sequence[str]) -> str:
    """Return what a dislodged unit that can retreat to these places must do."""
    if not places:
        return "has nowhere to retreat, so it is disbanded"
    return f"must retreat to {format_list(places, 'or')}{',' if len(places) > 1 else ''} or disband"


def _is_of_kind(game: GameShown, power: Power, order: str) -> bool:
    """Return whether an illegal order is of a kind that the phase allows (move, retreat, build or removal)."""
    due = game.due.get(power, 0)
    if due:
        return order == "WAIVE" or order.endswith(" B" if due > 0 else " D")
    return not game.dislodged or " R " in order or order.endswith(" D")


def _add_advice(reason: str) -> str:
    """Return the reason why an order is illegal, in players' words; for too many builds, add how to take one back."""
    text = strip_rule_numbers(reason)
    advice = " (take back an earlier order with --take-back or `take_back`)"
    return text + advice * bool(re.search(r" only \d+( to remove)?$", text))


def _iter_examples(game: GameShown) -> Iterator[str]:
    """Yield a line with examples of orders for a winter or retreat phase; nothing for a movement phase."""
    found: list[str] = []
    for power, due in game.due.items():
        sites, units = game.sites.get(power, []), game.units.get(power, [])
        found += [f"A {sites[0]} B (build)"] if due > 0 and sites else [f"{units[0]} D (remove)"] if due < 0 and units else []
    for lost in game.dislodged.values():
        for unit, retreats in lost.items():
            found += [f"{unit} R {place} (retreat)" for place in retreats[:1]] + [f"{unit} D (disband)"]
    if kinds := {example.rpartition("(")[2]: example for example in reversed(found)}:
        yield f"In this phase, write orders like this: {format_list(reversed(kinds.values()))}."


def make_phase_table(phase: GamePhase, table: Part, *, details: bool = False) -> Part:
    """Make what `game next` shows of a phase: heading, `table`, remarks (with rule numbers if `details`), and next phase.

    With `details`, the remarks contain the section numbers of rules.
    """
    plain = str if details else strip_rule_numbers
    lines = [] if phase.phase.endswith("A") else [*phase.told]  # unused builds and civil disorder are below the table
    lines += _iter_taken_centres(phase)
    following = f"The game is over: {phase.ended}." if phase.ended else f"Next: {phase.next_in_words}."
    heading = StyledText(f"{phase.game}: {phase.phase}", style="bold")
    return Group(heading, table, *(StyledText(plain(line)) for line in lines), StyledText(following))


def _iter_taken_centres(phase: GamePhase) -> Iterator[str]:
    """Yield a line on the supply centres that changed hands, with their former owners; nothing if there are none."""
    centre_texts = [
        f"{power} takes {format_list(f'{centre} from {former}' if former else centre for centre, former in centres.items())}"
        for power, centres in phase.taken.items()
    ]
    if centre_texts:
        yield f"Supply centres: {'; '.join(centre_texts)}."
