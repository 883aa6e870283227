"""When orders are for: the phase that an order belongs to, and the one that a heading names, `Fall 1902 Retreats`."""

from __future__ import annotations

from typing import NamedTuple

from satjudge.base.errors import NotationError
from satjudge.notation.lines import Said
from satjudge.world.board import Phase, Season, Turn
from satjudge.world.orders import Build, Decline, Disband, Order, Remove, Retreat, Unreadable

_PHASES: dict[type, Phase] = {Retreat: Phase.RETREAT, Disband: Phase.RETREAT, Build: Phase.ADJUSTMENT, Remove: Phase.ADJUSTMENT}
_PHASES |= {Decline: Phase.ADJUSTMENT}
_HINTS = {
    Phase.MOVEMENT: "a unit moves, holds, supports or convoys",
    Phase.RETREAT: "a dislodged unit retreats or is disbanded",
    Phase.ADJUSTMENT: "units are built or removed",
}


def phase_of(order: Order) -> Phase:
    """The phase that an order belongs to, legal or not."""
    return _PHASES.get(type(order), Phase.MOVEMENT)


def belongs_to(order: Order, phase: Phase) -> bool:
    """Whether an order is one of such a phase, legal or not; a text that cannot be read may be one of any."""
    return isinstance(order, Unreadable) or phase_of(order) is phase


def of_another_phase(order: Order, phase: Phase) -> NotationError:
    """The error for an order that is none of such a phase."""
    article = "an" if phase is Phase.ADJUSTMENT else "a"
    return NotationError(f"{order} is no order of {article} {phase} phase", suggestion=_HINTS[phase])


class Moment(NamedTuple):
    """A phase of a game. Of two the one that is played first is the lesser."""

    year: int
    fall: bool
    step: int
    """Which phase of the turn."""

    @property
    def phase(self) -> Phase:
        """Which of the three phases it is."""
        return tuple(Phase)[self.step]

    @property
    def name(self) -> str:
        """What it is called in saved games, `"W1901A"`."""
        return Turn(self.year, Season.FALL if self.fall else Season.SPRING).name_of(self.phase)


def moment_of(turn: Turn, phase: Phase) -> Moment:
    """A phase of a turn."""
    return Moment(turn.year, turn.season is Season.FALL, [*Phase].index(phase))


def moment_said(said: Said, now: Moment) -> Moment:
    """The phase that a heading names for a game that is in the phase `now`: the next such one, unless a year is named.

    A season by itself is its moves; that of the phase at hand is this phase.
    """
    fall = said.season in ("fall", "winter") if said.season else said.phase is Phase.ADJUSTMENT or now.fall
    if said.phase is None and fall == now.fall and said.year in (None, now.year):
        return now
    step = [*Phase].index(said.phase or Phase.MOVEMENT)
    found = Moment(said.year or now.year, fall, step)
    if said.year is None and found < now and not said.season and step == 0:
        return Moment(now.year + now.fall, not now.fall, step)  # the moves that come next
    return found._replace(year=now.year + 1) if said.year is None and found[:2] < now[:2] else found
