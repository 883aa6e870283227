"""Holds the documents of `satjudge game`: the position of a game, the outcome of a phase, and the report on a phase."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from satjudge.base.errors import InputError
from satjudge.explain.documents import OfPower, PhaseResult, list_retreats, make_phase_fields
from satjudge.explain.phases import map_short_reasons
from satjudge.explain.words.player_text import Said, spoken_words
from satjudge.explain.words.verdict_text import (
    describe_ruling,
    iter_contested_notes,
    iter_notes,
    iter_unordered_adjustments,
)
from satjudge.files import godip, njudge
from satjudge.files.batch_lines import make_position_fields
from satjudge.files.diplomacy_package import SavedGame, centers_by_power
from satjudge.game.game import Game
from satjudge.game.stored_game import Ending, Played
from satjudge.judging.adjustments import AdjustmentOutcome
from satjudge.judging.outcome import Outcome
from satjudge.notation.documents import JudgedDocument, Rules, document_origin
from satjudge.world.board import Board, Phase, Season, by_power
from satjudge.world.geography import Map, Power, normal
from satjudge.world.rules import nearest_preset
from satjudge.world.seasons import adjustments_due, build_sites, counted_centers

_PHASE = re.compile(r"([SFW])(\d{1,4})([MRA])")
_SEASONS = {"S": "Spring", "F": "Fall", "W": "Winter"}
_KINDS = {"M": "moves", "R": "retreats", "A": "builds and removals"}


class GameShown(JudgedDocument, kw_only=True):
    """The document of `satjudge game show --json`, and of every command that changes a game: the current state."""

    game: str
    map: str
    names: dict[str, str]
    """The names of the powers, by their codes."""
    phase: str
    date: str
    """The turn by its usual name, `Spring 480 BC`, if the map has years of its own; else empty."""
    ended: str | None
    """How the game ended, in words."""
    winners: list[str]
    units: OfPower
    dislodged: dict[str, OfPower]
    """The units that must retreat, each with the places to which it may retreat."""
    centers: OfPower
    counts: dict[str, int]
    """The number of centres that count for each power."""
    due: dict[str, int]
    """The number of units that each power may build, or must remove if negative; empty except in an adjustment phase."""
    sites: OfPower
    """The places where units may be built."""
    orders: OfPower
    illegal: dict[str, dict[str, str]]
    """The illegal orders, each with the reason."""
    missing: OfPower
    """What each power has not ordered yet: its units, or a number of builds or removals."""
    told: list[str]
    """What happens to units and builds without orders, in words."""
    early: dict[str, OfPower]
    """The orders that are kept for later phases, by phase name and power."""
    played: list[str]
    """The names of the phases that were played."""


def list_powers(board: Board) -> list[Power]:
    """List the map's powers, then all others that own a centre or have a unit, even if it is dislodged."""
    units = (*board.units, *(lost.unit for lost in board.dislodged))
    return [*dict.fromkeys((*board.map.powers, *board.centers.values(), *(unit.power for unit in units)))]


def make_winter_fields(board: Board, *, is_over: bool) -> dict[str, Any]:
    """Return the fields `due` (builds by power, removals negative) and `sites`, both empty in other phases and at the end."""
    due = adjustments_due(board) if board.phase is Phase.ADJUSTMENT and not is_over else {}
    return {"due": due, "sites": {power: build_sites(board, power) for power, number in due.items() if number > 0}}


def make_game_document(game: Game) -> GameShown:
    """Return the document of a game's current position, with the orders given so far."""
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
        **make_winter_fields(board, is_over=game.is_over),
        orders=dict(game.orders),
        illegal=dict(game.illegal_orders),
        missing=dict(game.missing_orders),
        told=[] if game.is_over else game.at().missing_remarks_so_far,
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
    """The missing orders and their consequences, in words."""
    taken: dict[str, dict[str, str]]
    """The centres that changed hands, by the power that took them, each with its former owner or an empty string."""
    next: str
    """The phase that followed."""
    next_in_words: str
    """The phase that followed, in words."""
    ended: str | None


def format_phase(name: str, game_map: Map | None = None) -> str:
    """Return a phase's name in words (`Spring 1901, moves` for `S1901M`), with the years of `game_map`; others unchanged."""
    match = _PHASE.fullmatch(name)
    if match is None:
        return name
    year = game_map.year_called(int(match[2]), fall=match[1] != "S") if game_map else match[2]
    return f"{_SEASONS[match[1]]} {year}, {_KINDS[match[3]]}"


def make_phase_document(game: Game, played: Played) -> GamePhase:
    """Return the document of a played phase: its orders, its outcome, and the phase that followed."""
    names = [*(past.phase_name for past in game.history), game.phase_name]
    number = names.index(played.phase_name) if played.phase_name in names[:-1] else len(names) - 2
    following = names[number + 1]
    return GamePhase(
        **document_origin(game.rulebook),
        **make_phase_fields(played.outcome),
        game=game.name,
        phase=played.phase_name,
        orders={power: list(given) for power, given in played.orders.items() if given},
        told=played.missing_remarks,
        taken=_find_changed_centers(
            played.board, game.history[number + 1].board if number + 1 < len(game.history) else game.board
        ),
        next=following,
        next_in_words=format_phase(following, played.board.map),
        ended=str(game.ending) if game.ending and following == game.phase_name else None,
    )


def _find_changed_centers(previous_board: Board, board: Board) -> dict[str, dict[str, str]]:
    """Return the centres that each power took in a phase, by its name, each with its former owner's name or ""."""
    name, found = previous_board.map.name_of, dict[str, dict[str, str]]()
    for centre, power in sorted(board.centers.items()):
        former = previous_board.centers.get(centre)
        if former != power:
            found.setdefault(name(power), {})[centre] = name(former) if former else ""
    return dict(sorted(found.items()))


def iter_batch_lines(game: Game) -> Iterator[dict[str, Any]]:
    """Yield a batch line for each played phase of a game and, unless the game is over, for the current phase.

    If settings of the rulebook were changed, the lines name no rulebook, because the format cannot express such changes.
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
        yield line | make_position_fields(board) | keys


def export_game(game: Game, kind: str, phase: str | None = None) -> str:
    """Return a phase of a game (by default the current one) in the format `godip`, or the whole game in the format `jdip`."""
    saved = msgspec.convert(game.document(), SavedGame)
    if kind == "jdip":
        return njudge.format_history(saved, game.map)
    name = game.at(phase).phase_name
    found = next((one for one in saved.phases if one.name == name), saved.phases[-1])
    return msgspec.json.encode(godip.phase_document(found, game.map)).decode() + "\n"


# ---- the game master's report after a phase ----

_CODE = re.compile(r"[A-Z0-9]{2,}")


class YearCounted(msgspec.Struct):
    """The number of centres that counted for each power after a year, and its change since the year before."""

    year: int
    counts: dict[str, int]
    changes: dict[str, int]


class GameReport(JudgedDocument, kw_only=True):
    """The document that `satjudge game report --json` writes.

    Powers are identified by codes, which `names` maps to their names.
    """

    game: str
    map: str
    names: dict[str, str]
    codes: dict[str, str]
    """The names of the provinces whose codes are in the report, on a map that does not come with satjudge."""
    phase: str | None
    """The reported phase; none before the first phase was judged."""
    heading: str
    results: dict[str, list[Said]]
    missing: list[str]
    """The missing orders and their consequences, in words."""
    notes: list[str]
    rulings: list[str]
    """The decisions of backup rules, in plain words."""
    next: str
    next_heading: str
    ended: str | None
    deadline: str | None
    """The time by which orders are due, in the game master's words."""
    retreats: dict[str, OfPower]
    """The units that must retreat or disband, each with the places to which it may retreat."""
    due: dict[str, int]
    """The number of units that each power may build, or must remove if negative."""
    sites: OfPower
    """The places where units may be built."""
    units: OfPower
    """The units after the phase."""
    centers: OfPower
    counts: dict[str, int]
    """The number of centres that count for each power."""
    chart: list[YearCounted]


def find_reported_phase(game: Game, phase: str | None = None) -> tuple[Played | None, Played]:
    """Return the played phase to report (by default the last one; None if there is none), and the phase that followed.

    Raises `InputError` for a phase that has not been judged yet.
    """
    played = game.at(phase) if phase else next(reversed(game.history), None)
    if played is not None and played.phase_name not in (names := [past.phase_name for past in game.history]):
        hint = f"`satjudge game next` judges it; judged so far: {', '.join(names) or 'none'}"
        raise InputError(f"{played.phase_name} has not been judged yet", suggestion=hint)
    phases = [*game.history, game.at()]
    return played, phases[phases.index(played) + 1 if played else 0]


def make_game_report(game: Game, phase: str | None = None, *, deadline: str | None = None) -> GameReport:
    """Return the report on a played phase (by default the last one), or on the start of a game without played phases.

    Raises `InputError`, or `UnresolvedError` for a phase that the rulebook cannot resolve.
    """
    played, following = find_reported_phase(game, phase)
    board, name_of = following.board, game.map.name_of
    over = game.is_over and board is game.board
    powers = list_powers(board)
    results = _list_results(played)
    report = GameReport(
        **document_origin(game.rulebook),
        game=game.name,
        map=game.map.name,
        names={power: name_of(power) for power in dict.fromkeys((*powers, *results))},
        codes={},
        phase=played.phase_name if played else None,
        heading=f"results of {format_phase(played.phase_name, game.map)}" if played else "the game begins",
        results=results,
        missing=_list_missing(played),
        notes=list(_iter_notes(played, board)) if played else [],
        rulings=_list_rulings(played),
        next=game.phase_name if over else following.phase_name,
        next_heading="" if over else format_phase(following.phase_name, game.map),
        ended=_format_ending(game) if over else None,
        deadline=deadline,
        retreats=list_retreats(board.dislodged),
        **make_winter_fields(board, is_over=over),
        units=by_power(board.units),
        centers=centers_by_power(board.centers),
        counts={power: counted_centers(board, power) for power in powers},
        chart=make_chart([*(past.board for past in game.history), game.board], board, powers),
    )
    report.codes |= _map_codes(report, game.map)
    return report


def _map_codes(report: GameReport, game_map: Map) -> dict[str, str]:
    """Return the names (if different) of the provinces whose codes occur in a report, by code; {} if the map is shipped."""
    if game_map.exact_name == game_map.name:
        return {}
    orders = (said.order for given in report.results.values() for said in given)
    fields = (report.units, report.centers, report.retreats, report.sites)
    places = (place for by_owner in fields for group in by_owner.values() for place in group)
    said = set(_CODE.findall(" ".join((*orders, *places)))) & game_map.provinces.keys()
    names = {code: game_map.provinces[code].name for code in sorted(said)}
    return {code: name for code, name in names.items() if normal(name) != normal(code)}


def _format_ending(game: Game) -> str:
    """Return how a game ended, with the power names, or `its file says so` if that is all that is known."""
    if game.ending is None:
        return "its file says so"
    return str(Ending(game.ending.how, tuple(map(game.map.name_of, game.ending.winners))))


def _list_results(played: Played | None) -> dict[Power, list[Said]]:
    found: dict[Power, list[Said]] = {}
    reasons = map_short_reasons(played.outcome) if played and isinstance(played.outcome, Outcome) else {}
    for summary in spoken_words(played.outcome) if played else ():
        summary.remark = summary.remark or reasons.get((summary.power, summary.order), "")
        found.setdefault(summary.power, []).append(summary)
    order = [power for power in played.board.map.powers if power in found] if played else []
    return {power: found[power] for power in dict.fromkeys((*order, *found))}


def _list_missing(played: Played | None) -> list[str]:
    """Return sentences on the orders that were missing in a phase, and their consequences; none for retreats or no phase."""
    if played and isinstance(played.outcome, AdjustmentOutcome):
        return list(iter_unordered_adjustments(played.outcome))
    return played.missing_remarks if played and played.board.phase is Phase.MOVEMENT else []


def _iter_notes(played: Played, board: Board) -> Iterator[str]:
    """Yield the notes on a phase that no other part of a report has, then a sentence for each power that was eliminated."""
    elsewhere = _list_missing(played)
    if isinstance(played.outcome, Outcome) and board.phase is not Phase.RETREAT:  # a report needs no list of retreats
        elsewhere += iter_contested_notes(played.outcome)
    yield from (note for note in iter_notes(played.outcome) if note not in elsewhere)
    for power in sorted(_find_alive_powers(played.board) - _find_alive_powers(board)):
        yield f"{board.map.name_of(power)} is eliminated."


def _find_alive_powers(board: Board) -> set[Power]:
    """Return the powers that own a centre or have a unit, even if it is dislodged."""
    return {*board.centers.values(), *(unit.power for unit in (*board.units, *(lost.unit for lost in board.dislodged)))}


def _list_rulings(played: Played | None) -> list[str]:
    if played is None or not isinstance(played.outcome, Outcome):
        return []
    return [describe_ruling(ruling) for ruling in played.outcome.adjudication.rulings]


def make_chart(boards: Sequence[Board], last_board: Board, powers: Sequence[Power]) -> list[YearCounted]:
    """Return each power's number of centres at the start and after each year up to `last_board`, with its change that year."""
    counts: dict[int, Mapping[Power, int]] = {}
    year = 0
    for board in boards:
        if board.turn:
            over = board.phase is Phase.ADJUSTMENT and board.turn.season is Season.FALL
            year = board.turn.year - (0 if over else 1)
        counts[year] = {power: counted_centers(board, power) for power in powers}
        if board is last_board:
            break
    before = dict(next(iter(counts.values())))
    chart = []
    for year, counted in counts.items():
        chart.append(
            YearCounted(
                last_board.map.calendar_year(year), dict(counted), {power: counted[power] - before[power] for power in powers}
            )
        )
        before = dict(counted)
    return chart
