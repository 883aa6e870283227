"""Finds the phase that an order is for, and the phase that a heading names, `Fall 1902 Retreats`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from satjudge.base.errors import NotationError
from satjudge.notation.text_around_orders import NamedSeason, read_named_season, read_season_heading
from satjudge.world.board import Board, Phase, Season, Turn
from satjudge.world.geography import Map
from satjudge.world.orders import Build, Decline, Disband, Order, Remove, Retreat, Unreadable, same_unit

_PHASES: dict[type, Phase] = {Retreat: Phase.RETREAT, Disband: Phase.RETREAT, Build: Phase.ADJUSTMENT, Remove: Phase.ADJUSTMENT}
_PHASES |= {Decline: Phase.ADJUSTMENT}
_HINTS = {
    Phase.MOVEMENT: "a unit moves, holds, supports or convoys",
    Phase.RETREAT: "a dislodged unit retreats or is disbanded",
    Phase.ADJUSTMENT: "units are built or removed",
}


def phase_kind(order: Order) -> Phase:
    """Return the kind of phase that an order belongs to: movement, retreat or adjustment."""
    return _PHASES.get(type(order), Phase.MOVEMENT)


def is_order_of(order: Order, phase: Phase) -> bool:
    """Return whether an order belongs to a phase of this kind, legal or not; an unreadable one belongs to any."""
    return isinstance(order, Unreadable) or phase_kind(order) is phase


def wrong_phase_error(order: Order, phase: Phase) -> NotationError:
    """Return the error for an order that does not belong to a phase of this kind."""
    article = "an" if phase is Phase.ADJUSTMENT else "a"
    return NotationError(f"{order} is not an order of {article} {phase} phase", suggestion=_HINTS[phase])


def choose_retreats(retreats: Sequence[Order], board: Board) -> list[Order]:
    """Return the orders with one retreat for each unit: its first possible one, or else its first; other orders stay."""
    found: list[Order] = []
    for order in retreats:
        same = [one for one in retreats if same_unit(one, order)] or [order]
        possible = (one for one in same if not isinstance(one, Retreat) or board.can_retreat(one.unit, one.destination))
        if order == next(possible, same[0]) and order not in found:
            found.append(order)
    return found


class GamePhase(NamedTuple):
    """A phase of a game, ordered by when it is played."""

    year: int
    fall: bool
    step: int
    """The number of the phase within its turn."""

    @property
    def phase(self) -> Phase:
        """The kind of phase, one of three."""
        return tuple(Phase)[self.step]

    @property
    def name(self) -> str:
        """The name of the phase in saved games, `"W1901A"`."""
        return Turn(self.year, Season.FALL if self.fall else Season.SPRING).name_of(self.phase)


def game_phase(turn: Turn, phase: Phase) -> GamePhase:
    """Return the phase of this kind in a turn."""
    return GamePhase(turn.year, turn.season is Season.FALL, [*Phase].index(phase))


def find_named_phase(said: NamedSeason, now: GamePhase, game_map: Map) -> GamePhase:
    """Return the next phase after `now` that a heading means, or the phase of the year that it names.

    A season alone means its moves; that of the current phase means this phase. Years are named as on the map.
    """
    if said.year is not None:
        said = said._replace(year=game_map.year_meant(said.year, fall=said.season in ("fall", "winter")))
    fall = said.season in ("fall", "winter") if said.season else said.phase is Phase.ADJUSTMENT or now.fall
    if said.phase is None and fall == now.fall and said.year in (None, now.year):
        return now
    step = [*Phase].index(said.phase or Phase.MOVEMENT)
    found = GamePhase(said.year or now.year, fall, step)
    if said.year is None and found < now and not said.season and step == 0:
        return GamePhase(now.year + now.fall, not now.fall, step)  # the moves that come next
    return found._replace(year=now.year + 1) if said.year is None and found[:2] < now[:2] else found


def match_phases(text: str, names: Iterable[str], game_map: Map | None = None) -> list[str]:
    """List those of the phase names (`F1901M`) that a text such as `Fall 1901`, `F1901` or `fall 1901 retreats` means.

    A season without a kind of phase means its moves, if they are among the phases. Years are named as on the map.
    """
    if not read_season_heading(text)[0]:
        return []
    asked = read_named_season(text)
    fall = asked.season in ("fall", "winter")
    year = asked.year if asked.year is None or game_map is None else game_map.year_meant(asked.year, fall=fall)
    found = {}
    for name in names:
        one = read_named_season(name)
        same_turn = (one.season in ("fall", "winter")) == fall and year in (None, one.year)
        if same_turn and asked.phase in (None, one.phase):
            found[name] = one.phase
    moves = [name for name, phase in found.items() if phase is Phase.MOVEMENT]
    return moves if asked.phase is None and moves else [*found]
