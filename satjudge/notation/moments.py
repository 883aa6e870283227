"""To which phase an order belongs."""

from __future__ import annotations

from satjudge.board import Phase
from satjudge.errors import NotationError
from satjudge.orders import Build, Decline, Disband, Order, Remove, Retreat, Unreadable

_PHASES = {Retreat: Phase.RETREAT, Disband: Phase.RETREAT, Build: Phase.ADJUSTMENT, Remove: Phase.ADJUSTMENT}
_PHASES |= {Decline: Phase.ADJUSTMENT}
_HINTS = {
    Phase.MOVEMENT: "a unit moves, holds, supports or convoys",
    Phase.RETREAT: "a dislodged unit retreats or is disbanded",
    Phase.ADJUSTMENT: "units are built or removed",
}


def belongs_to(order: Order, phase: Phase) -> bool:
    """Whether an order is one of such a phase, legal or not; a text that cannot be read may be one of any."""
    return isinstance(order, Unreadable) or _PHASES.get(type(order), Phase.MOVEMENT) is phase


def of_another_phase(order: Order, phase: Phase) -> NotationError:
    """The error for an order that is none of such a phase."""
    article = "an" if phase is Phase.ADJUSTMENT else "a"
    return NotationError(f"{order} is no order of {article} {phase} phase", suggestion=_HINTS[phase])
