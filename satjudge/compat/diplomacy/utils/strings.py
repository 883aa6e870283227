"""Defines the package's words: each constant is its own name in lower case: `PREVIOUS_PHASE` is `previous_phase`."""

ALL_GAME_STATUSES = ("forming", "active", "paused", "completed", "canceled")
ALL_COMM_LEVELS, ALL_STATE_TYPES = {"channel", "game"}, {"phase", "state_history", "state"}
ALL_GRADES, ALL_GRADE_UPDATES = {"admin", "omniscient", "moderator"}, {"promote", "demote"}
ALL_VOTE_DECISIONS = {"yes", "no", "neutral"}
ALL_ROLE_TYPES = {"observer_type", "omniscient_type", "server_type"}


def __getattr__(name: str) -> str:
    """Return any constant that forks of the package define: its name in lower case."""
    if not name.isupper() or name.startswith(("_", "ALL_")):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return name.lower()
