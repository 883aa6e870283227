"""States the version of satjudge, once."""

__version__ = "0.1.0"
