"""Defines the package's words: each constant is its own name in small letters, `PREVIOUS_PHASE` is `previous_phase`."""

FORMING = "forming"
ACTIVE = "active"
PAUSED = "paused"
COMPLETED = "completed"
CANCELED = "canceled"
ALL_GAME_STATUSES = (FORMING, ACTIVE, PAUSED, COMPLETED, CANCELED)
ALL_VOTE_DECISIONS = {"yes", "no", "neutral"}
ALL_ROLE_TYPES = {"observer_type", "omniscient_type", "server_type"}


def __getattr__(name: str) -> str:
    """Return the word of a name in capitals, which forks of the package have more of."""
    if not name.isupper() or name.startswith(("_", "ALL_")):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return name.lower()
