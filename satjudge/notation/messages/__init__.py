"""Reads the orders for a phase of a game: game masters' texts, and messages of players."""
