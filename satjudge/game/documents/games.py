"""Holds the documents of `satjudge game`: the current position of a game, and the outcome of a phase."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from satjudge.explain.documents import OfPower, PhaseResult, list_retreats, make_phase_fields
from satjudge.files import godip, njudge
from satjudge.files.batch_lines import position_keys
from satjudge.files.saved_games import SavedGame, centers_by_power
from satjudge.game.game import Game
from satjudge.game.stored_game import Played
from satjudge.notation.documents import JudgedDocument, Rules, document_origin
from satjudge.world.board import Board, Phase, by_power
from satjudge.world.geography import Map, Power
from satjudge.world.rules import nearest_preset
from satjudge.world.seasons import adjustments_due, build_sites

_PHASE = re.compile(r"([SFW])(\d{1,4})([MRA])")
_SEASONS = {"S": "Spring", "F": "Fall", "W": "Winter"}
_KINDS = {"M": "moves", "R": "retreats", "A": "builds and removals"}


class GameShown(JudgedDocument, kw_only=True):
    """The document of `satjudge game show --json`, and of every command that changes a game: where the game stands."""

    game: str
    map: str
    names: dict[str, str]
    """The names of the powers, by their codes."""
    phase: str
    date: str
    """The turn by its usual name if the map has years of its own, `Spring 480 BC`; else empty."""
    ended: str | None
    """The end of the game, in words."""
    winners: list[str]
    units: OfPower
    dislodged: dict[str, OfPower]
    """Units that must retreat, with the places open to them."""
    centers: OfPower
    counts: dict[str, int]
    """The number of centres that count for each power."""
    due: dict[str, int]
    """The number of units that each power may build, or must remove if negative; in an adjustment phase."""
    sites: OfPower
    """The places where units may be built."""
    orders: OfPower
    illegal: dict[str, dict[str, str]]
    """The orders given that are not legal, with the reasons."""
    missing: OfPower
    """The orders not given yet: units, or a number of builds or removals."""
    told: list[str]
    """The fate of unordered units and builds, in words."""
    early: dict[str, OfPower]
    """The orders that are kept for phases to come, by the names of these."""
    played: list[str]
    """The names of the phases that were played."""


def list_powers(board: Board) -> list[Power]:
    """List the powers of a map, and all others that own a centre or have a unit, even a dislodged one."""
    units = (*board.units, *(lost.unit for lost in board.dislodged))
    return [*dict.fromkeys((*board.map.powers, *board.centers.values(), *(unit.power for unit in units)))]


def make_winter_fields(board: Board, *, over: bool) -> dict[str, Any]:
    """Make the fields about builds and removals: how many are due, and where; none when the game is over."""
    due = adjustments_due(board) if board.phase is Phase.ADJUSTMENT and not over else {}
    return {"due": due, "sites": {power: build_sites(board, power) for power, number in due.items() if number > 0}}


def make_game_document(game: Game) -> GameShown:
    """Make the document of the present state of a game."""
    board = game.board
    return GameShown(
        **document_origin(game.rulebook),
        game=game.name,
        map=game.map.name,
        names={power: game.map.name_of(power) for power in dict.fromkeys((*list_powers(board), *game.orders))},
        phase=game.phase_name,
        date=board.date,
        ended=str(game.ending) if game.ending else None,
        winners=list(game.ending.winners) if game.ending else [],
        units=by_power(board.units),
        dislodged=list_retreats(board.dislodged),
        centers=centers_by_power(board.centers),
        counts=dict(game.centers),
        **make_winter_fields(board, over=game.is_over),
        orders=dict(game.orders),
        illegal=dict(game.illegal_orders),
        missing=dict(game.missing_orders),
        told=[] if game.is_over else game.at().told_so_far,
        early=game.early_orders,
        played=[played.phase_name for played in game.history],
    )


class GamePhase(PhaseResult, kw_only=True):
    """The document that `satjudge game next --json` and `show --phase` write: the outcome of a phase, and the next one."""

    satjudge: str
    rulebook: Rules
    game: str
    phase: str
    orders: OfPower
    told: list[str]
    """The missing orders, and the fates of their units, in words."""
    taken: dict[str, dict[str, str]]
    """The centres that changed hands, by the name of the power that took them, each with its former owner or an empty text."""
    next: str
    """The phase that followed."""
    next_in_words: str
    """The phase that followed, as people call it."""
    ended: str | None


def format_phase(name: str, game_map: Map | None = None) -> str:
    """Write `S1901M` in words: `Spring 1901, moves`; other names stay as they are."""
    match = _PHASE.fullmatch(name)
    if match is None:
        return name
    year = game_map.year_called(int(match[2]), fall=match[1] != "S") if game_map else match[2]
    return f"{_SEASONS[match[1]]} {year}, {_KINDS[match[3]]}"


def make_phase_document(game: Game, played: Played) -> GamePhase:
    """Make the document of the outcome of a phase of a game."""
    names = [*(past.phase_name for past in game.history), game.phase_name]
    number = names.index(played.phase_name) if played.phase_name in names[:-1] else len(names) - 2
    following = names[number + 1]
    return GamePhase(
        **document_origin(game.rulebook),
        **make_phase_fields(played.outcome),
        game=game.name,
        phase=played.phase_name,
        orders={power: list(given) for power, given in played.orders.items() if given},
        told=played.told_missing,
        taken=_find_changed_centers(
            played.board, game.history[number + 1].board if number + 1 < len(game.history) else game.board
        ),
        next=following,
        next_in_words=format_phase(following, played.board.map),
        ended=str(game.ending) if game.ending and following == game.phase_name else None,
    )


def _find_changed_centers(before: Board, after: Board) -> dict[str, dict[str, str]]:
    """Find the centres that have another owner after a phase than before."""
    name, found = before.map.name_of, dict[str, dict[str, str]]()
    for centre, power in sorted(after.centers.items()):
        former = before.centers.get(centre)
        if former != power:
            found.setdefault(name(power), {})[centre] = name(former) if former else ""
    return dict(sorted(found.items()))


def iter_batch_lines(game: Game) -> Iterator[dict[str, Any]]:
    """Write every played phase of a game, and the current one, as a line of the batch format.

    Lines name no rulebook if settings were changed, as the format cannot express these.
    """
    preset, settings = nearest_preset(game.rulebook)
    phases = [*game.history] if game.is_over else [*game.history, game.at()]
    for played in phases:
        board = played.board
        line: dict[str, Any] = {"id": f"{game.name}/{played.phase_name}", "phase": str(board.phase)}
        if not settings:
            line["rules"] = preset
        orders = {power: list(given) for power, given in played.orders.items() if given}
        keys = {"units": by_power(board.units), "orders": orders, "centers": centers_by_power(board.centers)}
        yield line | position_keys(board) | keys


def export_game(game: Game, kind: str, phase: str | None = None) -> str:
    """Write a phase of a game for `godip`, by default the current one, or its history for `jdip`."""
    saved = msgspec.convert(game.document(), SavedGame)
    if kind == "jdip":
        return njudge.format_history(saved, game.map)
    name = game.at(phase).phase_name
    found = next((one for one in saved.phases if one.name == name), saved.phases[-1])
    return msgspec.json.encode(godip.phase_document(found, game.map)).decode() + "\n"
