"""satjudge adjudicates the board game Diplomacy by solving its rules as equations.

    >>> from satjudge import judge, Board, parse_unit, load_map
    >>> units = tuple(parse_unit(text, power, load_map()) for power, text in [("AUSTRIA", "A VIE"), ("ITALY", "A VEN")])
    >>> judge(Board(units), {"AUSTRIA": ["A VIE - TYR"], "ITALY": ["A VEN - TYR"]}).results
    {'AUSTRIA': ['fails'], 'ITALY': ['fails']}

`satjudge.Game` holds a game, from its beginning to victory or a draw.

`satjudge.batch`, `check`, `crosscheck`, `explain` and `render` need no import of their own: they are imported when they are
first asked for, as in `satjudge.render.svg(outcome)`.
"""

__version__ = "0.1.0"

from satjudge import startup as _startup  # noqa: F401  # before what takes time: till the command runs, Ctrl-C ends it

# isort: split
from typing import TYPE_CHECKING

from satjudge.board import Board, DislodgedUnit, Phase, Season, Turn, Unit, starting_board
from satjudge.errors import InputError, SatjudgeError, UnresolvedError
from satjudge.geography import Map, Power, load_map
from satjudge.judge import judge, judge_phase, resolutions
from satjudge.lazy import submodules as _submodules
from satjudge.notation import parse_order, parse_unit
from satjudge.outcome import Outcome
from satjudge.rules import Rulebook, load_rulebook
from satjudge.solve import Engine

if TYPE_CHECKING:
    from satjudge import batch as batch
    from satjudge import check as check
    from satjudge import crosscheck as crosscheck
    from satjudge import explain as explain
    from satjudge import formats as formats
    from satjudge import render as render
    from satjudge.game import Game as Game
else:
    _module = _submodules("satjudge", "batch", "bulk", "check", "crosscheck", "explain", "formats", "render")

    def __getattr__(name: str) -> object:
        """What is imported when it is first asked for."""
        if name == "Game":
            from satjudge.game import Game

            return Game
        return _module(name)


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
