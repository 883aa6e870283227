"""Holds the report of a game master after a phase: results, orders due, deadline, the position and the centre chart."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from satjudge.base.errors import InputError
from satjudge.explain.documents import OfPower, list_retreats
from satjudge.explain.phases import map_short_reasons
from satjudge.explain.player_text import Said, spoken_words
from satjudge.explain.verdict_text import describe_ruling, format_contested_provinces, iter_notes, iter_unordered_adjustments
from satjudge.files.saved_games import centers_by_power
from satjudge.game.documents.games import format_phase, list_powers, make_winter_fields
from satjudge.game.game import Game
from satjudge.game.stored_game import Ending, Played
from satjudge.judging.adjustments import AdjustmentOutcome
from satjudge.judging.outcome import Outcome
from satjudge.notation.documents import JudgedDocument, document_origin
from satjudge.world.board import Board, Phase, Season, by_power
from satjudge.world.geography import Map, Power, normal
from satjudge.world.seasons import counted_centers

_CODE = re.compile(r"[A-Z0-9]{2,}")


class YearCounted(msgspec.Struct):
    """The number of centres that counted for each power after a year, and its change since the year before."""

    year: int
    counts: dict[str, int]
    changes: dict[str, int]


class GameReport(JudgedDocument, kw_only=True):
    """The document that `satjudge game report --json` writes.

    Powers have their codes; `names` maps these to their names.
    """

    game: str
    map: str
    names: dict[str, str]
    codes: dict[str, str]
    """The names of the provinces whose codes are in the report, on a map that does not come with satjudge."""
    phase: str | None
    """The phase that is reported; none before the first was judged."""
    heading: str
    results: dict[str, list[Said]]
    missing: list[str]
    """The missing orders and the fates of their units, in words."""
    notes: list[str]
    rulings: list[str]
    """The decisions of backup rules, in plain words."""
    next: str
    next_heading: str
    ended: str | None
    deadline: str | None
    """The time by which orders are due, in the game master's words."""
    retreats: dict[str, OfPower]
    """Units that must retreat or be disbanded, with the places open to them."""
    due: dict[str, int]
    """The number of units that each power may build, or must remove if negative."""
    sites: OfPower
    """The places where units may be built."""
    units: OfPower
    """The units of the position that the phase led to."""
    centers: OfPower
    counts: dict[str, int]
    """The number of centres that count for each power."""
    chart: list[YearCounted]


def find_reported_phase(game: Game, phase: str | None = None) -> tuple[Played | None, Played]:
    """Find the phase to report, by default the last one played, and the phase that it led to.

    The first is None if none was played.

    Raises `InputError` for a phase that was not judged yet.
    """
    played = game.at(phase) if phase else next(reversed(game.history), None)
    if played is not None and played.phase_name not in (names := [past.phase_name for past in game.history]):
        hint = f"`satjudge game next` judges it; there are {', '.join(names) or 'no others'}"
        raise InputError(f"{played.phase_name} has not been judged yet", suggestion=hint)
    phases = [*game.history, game.at()]
    return played, phases[phases.index(played) + 1 if played else 0]


def make_game_report(game: Game, phase: str | None = None, *, deadline: str | None = None) -> GameReport:
    """Make a report of a played phase, or of the game's beginning.

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
        **make_winter_fields(board, over=over),
        units=by_power(board.units),
        centers=centers_by_power(board.centers),
        counts={power: counted_centers(board, power) for power in powers},
        chart=make_chart([*(past.board for past in game.history), game.board], board, powers),
    )
    report.codes |= _map_codes(report, game.map)
    return report


def _map_codes(report: GameReport, game_map: Map) -> dict[str, str]:
    """Name the provinces whose codes are in a report; empty for a map that comes with satjudge, as players know its codes."""
    if game_map.exact_name == game_map.name:
        return {}
    orders = (said.order for given in report.results.values() for said in given)
    places = (
        place for of in (report.units, report.centers, report.retreats, report.sites) for told in of.values() for place in told
    )
    said = set(_CODE.findall(" ".join((*orders, *places)))) & game_map.provinces.keys()
    named = {code: game_map.provinces[code].name for code in sorted(said)}
    return {code: name for code, name in named.items() if normal(name) != normal(code)}


def _format_ending(game: Game) -> str:
    """Write how a game ended, with the names of powers."""
    if game.ending is None:
        return "its file says so"
    return str(Ending(game.ending.how, tuple(map(game.map.name_of, game.ending.winners))))


def _list_results(played: Played | None) -> dict[Power, list[Said]]:
    found: dict[Power, list[Said]] = {}
    reasons = map_short_reasons(played.outcome) if played and isinstance(played.outcome, Outcome) else {}
    for said in spoken_words(played.outcome) if played else ():
        said.remark = said.remark or reasons.get((said.power, said.order), "")
        found.setdefault(said.power, []).append(said)
    order = [power for power in played.board.map.powers if power in found] if played else []
    return {power: found[power] for power in dict.fromkeys((*order, *found))}


def _list_missing(played: Played | None) -> list[str]:
    """List the orders that were not given and their consequences; the notes cover retreats."""
    if played and isinstance(played.outcome, AdjustmentOutcome):
        return list(iter_unordered_adjustments(played.outcome))
    return played.told_missing if played and played.board.phase is Phase.MOVEMENT else []


def _iter_notes(played: Played, board: Board) -> Iterator[str]:
    """Yield further remarks on a phase, and which powers have nothing left in the position that it led to."""
    elsewhere = _list_missing(played)
    if isinstance(played.outcome, Outcome) and board.phase is not Phase.RETREAT:  # a report needs no list of retreats
        elsewhere += format_contested_provinces(played.outcome)
    yield from (note for note in iter_notes(played.outcome) if note not in elsewhere)
    for power in sorted(_find_alive_powers(played.board) - _find_alive_powers(board)):
        yield f"{board.map.name_of(power)} is eliminated."


def _find_alive_powers(board: Board) -> set[Power]:
    """Find the powers that own a centre or have a unit, even a dislodged one."""
    return {*board.centers.values(), *(unit.power for unit in (*board.units, *(lost.unit for lost in board.dislodged)))}


def _list_rulings(played: Played | None) -> list[str]:
    if played is None or not isinstance(played.outcome, Outcome):
        return []
    return [describe_ruling(ruling) for ruling in played.outcome.adjudication.rulings]


def make_chart(boards: Sequence[Board], last: Board, powers: Sequence[Power]) -> list[YearCounted]:
    """Count the centres of each power at the end of every year up to a position, beginning with the first position."""
    counts: dict[int, Mapping[Power, int]] = {}
    year = 0
    for board in boards:
        if board.turn:
            over = board.phase is Phase.ADJUSTMENT and board.turn.season is Season.FALL
            year = board.turn.year - (0 if over else 1)
        counts[year] = {power: counted_centers(board, power) for power in powers}
        if board is last:
            break
    before = dict(next(iter(counts.values())))
    chart = []
    for year, counted in counts.items():
        chart.append(
            YearCounted(
                last.map.calendar_year(year), dict(counted), {power: counted[power] - before[power] for power in powers}
            )
        )
        before = dict(counted)
    return chart
