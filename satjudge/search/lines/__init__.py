"""Proves that lines of units hold, finds attacks that break them, and searches for lines."""
