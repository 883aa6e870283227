"""satjudge adjudicates the board game Diplomacy by solving its rules as equations.

    >>> from satjudge import judge, Board, parse_unit, load_map
    >>> units = tuple(parse_unit(text, power, load_map()) for power, text in [("AUSTRIA", "A VIE"), ("ITALY", "A VEN")])
    >>> judge(Board(units), {"AUSTRIA": ["A VIE - TYR"], "ITALY": ["A VEN - TYR"]}).results
    {'AUSTRIA': ['fails'], 'ITALY': ['fails']}
"""

__version__ = "0.1.0"

from satjudge.board import Board, DislodgedUnit, Phase, Season, Turn, Unit, starting_board
from satjudge.errors import InputError, SatjudgeError, UnresolvedError
from satjudge.geography import Map, Power, load_map
from satjudge.judge import judge, judge_phase, resolutions
from satjudge.notation import parse_order, parse_unit
from satjudge.outcome import Outcome
from satjudge.rules import Rulebook, load_rulebook
from satjudge.solve import Engine

__all__ = [
    "Board",
    "DislodgedUnit",
    "Engine",
    "InputError",
    "Map",
    "Outcome",
    "Phase",
    "Power",
    "Rulebook",
    "SatjudgeError",
    "Season",
    "Turn",
    "Unit",
    "UnresolvedError",
    "judge",
    "judge_phase",
    "load_map",
    "load_rulebook",
    "parse_order",
    "parse_unit",
    "resolutions",
    "starting_board",
]
