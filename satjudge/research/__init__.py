"""Questions about positions at large, not about one phase of one game."""
