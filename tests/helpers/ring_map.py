"""Holds a small map, two coasts, a dale, a town and two seas, and a sheet on it."""

from __future__ import annotations

RING = """\
name = "ring"
title = "Two coasts, a dale, a town and two seas"
powers = ["NORTH", "SOUTH"]

[power.NORTH]
name = "North"
adjective = "Northern"

[power.SOUTH]
name = "South"
adjective = "Southern"

[province.HILL]
name = "Hills"
kind = "coast"
center = true
home = "NORTH"
unit = "A"
army = ["DAL", "FEN"]
fleet = ["BAY", "FEN"]

[province.FEN]
name = "Fens"
kind = "coast"
center = true
army = ["HILL", "DAL", "TOW"]
fleet = ["BAY", "HILL", "DAL"]

[province.DAL]
name = "Dale"
kind = "coast"
center = true
home = "SOUTH"
unit = "F"
army = ["HILL", "FEN"]
fleet = ["BAY", "FEN", "SEA"]

[province.TOW]
name = "Town"
kind = "inland"
army = ["FEN"]

[province.BAY]
name = "Bay"
kind = "sea"
fleet = ["DAL", "FEN", "HILL", "SEA"]

[province.SEA]
name = "Sea"
kind = "sea"
fleet = ["DAL", "BAY"]
"""


ON_RING = """\
case meeting: Two want the Fens
North:
  A Hills - Fens         | succeeds
  F Bay S A Hills - Fens | given
South:
  F Dale - Fens          | fails
"""
