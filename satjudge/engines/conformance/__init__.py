"""Tells engines apart by a fixed set of positions (the kit), and finds the causes of an engine's wrong answers."""
