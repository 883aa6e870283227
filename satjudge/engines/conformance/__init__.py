"""Tests engines with a fixed set of positions (the kit), and finds the causes of their wrong answers."""
