"""Reads and writes saved games in the package's format."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from satjudge.compat.diplomacy.engine.game import Game
from satjudge.compat.diplomacy.utils.exceptions import DiplomacyException
from satjudge.compat.diplomacy.utils.game_phase_data import GamePhaseData

RULES_TO_SKIP = ("SOLITAIRE", "NO_DEADLINE", "CD_DUMMIES", "ALWAYS_WAIT", "IGNORE_ERRORS")


def to_saved_game_format(game: Game, output_path: str | None = None, output_mode: str = "a") -> dict[str, Any]:
    """Return a game as a dict in the package's format; with `output_path` also write it to that file as a line of JSON.

    The last phase is the current one. `output_mode` is the mode in which the file is opened; "a" appends.
    """
    rules = [rule for rule in game.rules if rule not in RULES_TO_SKIP]
    beside = {"game_id": game.game_id, "map": game.map_name, "rules": rules}
    phases = [phase.to_dict() for phase in (*game.get_phase_history(), game.get_phase_data())]
    for phase in phases:
        phase["state"] = phase["state"] | beside
    saved = {"id": game.game_id, "map": game.map_name, "rules": rules, "phases": phases}
    if output_path:
        with Path(output_path).open(output_mode, encoding="utf-8") as file:
            file.write(json.dumps(saved) + "\n")
    return saved


def from_saved_game_format(saved_game: Mapping[str, Any]) -> Game:
    """Return the game from a dict of `to_saved_game_format`; its positions are taken as saved, not adjudicated again."""
    game = Game(saved_game.get("id"), map_name=saved_game.get("map", "standard"), rules=saved_game.get("rules", ()))
    phases = [GamePhaseData.from_dict(phase) for phase in saved_game.get("phases", ())]
    if phases:
        game.set_phase_data(phases)
    return game


def is_valid_saved_game(saved_game: Mapping[str, Any]) -> bool:
    """Return whether a saved game is complete, its orders are legal, and replaying them leads from each phase to the next.

    Hashes are not compared, since the package and the drop-in compute them differently.
    """
    if not {"id", "map", "rules", "phases"} <= saved_game.keys():
        return False
    game = Game(saved_game["id"], map_name=saved_game["map"], rules=saved_game["rules"])
    try:
        phases = [GamePhaseData.from_dict(phase) for phase in saved_game["phases"]]
        if phases:
            game.set_phase_data(phases[0])
        for played, after in pairwise(phases):
            for power, orders in played.orders.items():
                game.set_orders(power, orders or ())
                if sorted(game.get_orders(power)) != sorted(orders or ()):
                    return False
            game.process()
            if _extract_position(game.get_state()) != _extract_position(after.state):
                return False
    except (DiplomacyException, KeyError, TypeError, ValueError):
        return False
    return True


def _extract_position(state: Mapping[str, Any]) -> list[Any]:
    """Return the phase name, units, centres and homes of a state, by which positions are compared."""
    lists = ({power: sorted(items) for power, items in state[key].items()} for key in ("units", "centers", "homes"))
    return [state["name"], *lists]


def load_saved_games_from_disk(input_path: str, on_error: str = "raise") -> list[Game]:
    """Load a file with one game per line; bad lines raise an error if `on_error` is "raise", and are skipped otherwise."""
    games = []
    for line in Path(input_path).read_text(encoding="utf-8").splitlines():
        try:
            games.append(from_saved_game_format(json.loads(line)))
        except ValueError:
            if on_error == "raise":
                raise
    return games
