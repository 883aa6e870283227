"""Positions with a property: found, with as few units as can be, or proved not to be there."""
