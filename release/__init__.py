"""Builds and checks what is released; no part of the package."""
