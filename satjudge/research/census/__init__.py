"""A census of random boards: how often each kind of core occurs, where rulebooks part, and whether the claims hold.

Board N of a census is a function of the plan and of N alone, and what is counted are sums and smallest examples, so that
the result is the same however the boards are divided among chunks, processes and interrupted runs.
"""

from satjudge.research.census.claims import CLAIMS, ONE_RESOLUTION, OTHERWISE, is_circular_movement
from satjudge.research.census.counting import NOT_EXHAUSTED, Orders, Plan, census_of, judged, run_census, tally_boards
from satjudge.research.census.tallies import Example, Graph, NameTally, ShapeTally, Tally

__all__ = [
    "CLAIMS",
    "NOT_EXHAUSTED",
    "ONE_RESOLUTION",
    "OTHERWISE",
    "Example",
    "Graph",
    "NameTally",
    "Orders",
    "Plan",
    "ShapeTally",
    "Tally",
    "census_of",
    "is_circular_movement",
    "judged",
    "run_census",
    "tally_boards",
]
