"""Finds the phase to which an order belongs, and the phase that a heading names, such as `Fall 1902 Retreats`."""

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
    """Return whether an order belongs to a phase of this kind, legal or not; an unreadable order belongs to any."""
    return isinstance(order, Unreadable) or phase_kind(order) is phase


def wrong_phase_error(order: Order, phase: Phase) -> NotationError:
    """Return the error for an order that does not belong to a phase of this kind."""
    article = "an" if phase is Phase.ADJUSTMENT else "a"
    return NotationError(f"{order} is not a valid order in {article} {phase} phase", suggestion=_HINTS[phase])


def choose_retreats(retreats: Sequence[Order], board: Board) -> list[Order]:
    """Return the orders with one retreat per unit: its first possible one, or else its first; other orders are unchanged."""
    found: list[Order] = []
    for order in retreats:
        alike = [one for one in retreats if same_unit(one, order)] or [order]
        possible = (one for one in alike if not isinstance(one, Retreat) or board.can_retreat(one.unit, one.destination))
        if order == next(possible, alike[0]) and order not in found:
            found.append(order)
    return found


class GamePhase(NamedTuple):
    """A phase of a game; phases compare in the sequence in which they are played."""

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


def find_named_phase(heading: NamedSeason, current: GamePhase, game_map: Map) -> GamePhase:
    """Return the next phase, from the current one on, that a heading means, or the phase of the year that it names.

    A season alone means its movement phase, except that the current season means the current phase. Years are written as on the
    map.
    """
    if heading.year is not None:
        heading = heading._replace(year=game_map.year_meant(heading.year, fall=heading.season in ("fall", "winter")))
    fall = heading.season in ("fall", "winter") if heading.season else heading.phase is Phase.ADJUSTMENT or current.fall
    if heading.phase is None and fall == current.fall and heading.year in (None, current.year):
        return current
    step = [*Phase].index(heading.phase or Phase.MOVEMENT)
    found = GamePhase(heading.year or current.year, fall, step)
    if heading.year is None and found < current and not heading.season and step == 0:
        return GamePhase(current.year + current.fall, not current.fall, step)  # the next moves
    return found._replace(year=current.year + 1) if heading.year is None and found[:2] < current[:2] else found


def match_phases(text: str, names: Iterable[str], game_map: Map | None = None) -> list[str]:
    """List those of the phase names (`F1901M`) that a text such as `Fall 1901`, `F1901` or `fall 1901 retreats` means.

    A season without a kind of phase means its movement phase, if that is among the phases. Years are written as on the map.
    """
    if not read_season_heading(text)[0]:
        return []
    wanted = read_named_season(text)
    fall = wanted.season in ("fall", "winter")
    year = wanted.year if wanted.year is None or game_map is None else game_map.year_meant(wanted.year, fall=fall)
    found = {}
    for name in names:
        one = read_named_season(name)
        same_turn = (one.season in ("fall", "winter")) == fall and year in (None, one.year)
        if same_turn and wanted.phase in (None, one.phase):
            found[name] = one.phase
    moves = [name for name, phase in found.items() if phase is Phase.MOVEMENT]
    return moves if wanted.phase is None and moves else [*found]
