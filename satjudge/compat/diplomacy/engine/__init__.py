"""Holds games, maps, powers, messages and pictures, as the package's folder of that name does."""
