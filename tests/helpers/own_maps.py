"""A small map of one's own, as the text of its TOML file."""

OWN = """
name = "two-isles"
title = "Two isles"
powers = ["NORTH", "SOUTH"]
[power]
NORTH = {name = "North", adjective = "Northern"}
SOUTH = {name = "South", adjective = "Southern"}
[province]
AAA = {name = "An isle", kind = "coast", fleet = ["SEA"], center = true, home = "NORTH", unit = "A"}
BBB = {name = "Another isle", kind = "coast", fleet = ["SEA"], center = true, home = "SOUTH"}
SEA = {name = "The sea", kind = "sea", fleet = ["AAA", "BBB"]}
"""
