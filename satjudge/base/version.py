"""States the version of satjudge, once."""

__version__ = "1.0.0"
