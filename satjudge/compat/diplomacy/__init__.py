"""Replaces the package `diplomacy`: it has the package's interface for games in one process, and satjudge adjudicates.

    >>> from satjudge.compat.diplomacy import Game
    >>> game = Game()
    >>> game.set_orders("FRANCE", ["A PAR - BUR", "A MAR S A PAR - BUR"])
    >>> game.process().results["A PAR"], game.get_current_phase()
    ([], 'F1901M')

Modules have the same paths as in the package. The code is based on the package's documentation and on how programs call it.
"""

import satjudge.compat.diplomacy.utils.export  # noqa: F401  # loaded with the package, as `diplomacy.utils.export` is
from satjudge.compat.diplomacy.engine.game import Game
from satjudge.compat.diplomacy.engine.map import Map
from satjudge.compat.diplomacy.engine.message import Message
from satjudge.compat.diplomacy.engine.power import Power
from satjudge.compat.diplomacy.utils.game_phase_data import GamePhaseData

__all__ = ["Game", "GamePhaseData", "Map", "Message", "Power"]
