"""Builds and checks releases; not part of the package."""
