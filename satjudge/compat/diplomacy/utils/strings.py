"""Defines the words for the status of a game."""

FORMING = "forming"
ACTIVE = "active"
PAUSED = "paused"
COMPLETED = "completed"
CANCELED = "canceled"
ALL_GAME_STATUSES = (FORMING, ACTIVE, PAUSED, COMPLETED, CANCELED)
