"""Real games: every phase judged again, against what the platforms' own adjudicators made of it.

The games are other people's data and no part of the project. They are read in `../shared/games` beside the checkout, or
where SATJUDGE_GAMES says; the README there tells where they come from.
"""

from __future__ import annotations

import gzip
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from satjudge.engines.replaying import Replayed, replay
from satjudge.files.diplomacy_package import read_games
from satjudge.judging.adjustments import judge_adjustments
from satjudge.judging.equations.logic import Reading
from satjudge.judging.equations.situation import MoveDecision, OrderDecision
from satjudge.judging.judge import judge, read_orders
from satjudge.judging.outcome import Outcome
from satjudge.judging.retreats import judge_retreats
from satjudge.notation.parse import parse_unit
from satjudge.world.board import Board, Phase, Unit
from satjudge.world.geography import Power, load_map
from satjudge.world.orders import Move
from satjudge.world.rules import load_rulebook
from satjudge.world.seasons import centers_after_fall

FOLDER = Path(os.environ.get("SATJUDGE_GAMES") or Path(__file__).parents[3] / "shared" / "games")
FILES = ("cicero_webdip", "backstabbr", "dipcc_misc")

Position = dict[Power, list[str]]
"""Units, orders or centres by power: `{"FRANCE": ["A BRE", "F SPA/SC"]}`."""


@dataclass(frozen=True, slots=True)
class OtherRuling:
    """A movement phase that the platform judged by another rule than `datc-3`, as if `order` had read `read_as`."""

    file: str
    game: str
    phase: str
    order: str
    read_as: str
    reason: str


OTHER_RULINGS = (
    OtherRuling(
        "cicero_webdip",
        "game_443777",
        "F1907M",
        "F AEG C A CON - BUL",
        "F AEG H",
        "webDiplomacy sends an army to an adjacent province by land unless it says VIA; by the DATC (4.A.3, 6.G.1)"
        " it goes by convoy if a fleet of its own power convoys it, and here it swaps places with F BUL/EC",
    ),
    OtherRuling(
        "dipcc_misc",
        "unit_selfplay_long",
        "F1906M",
        "A SEV - RUM VIA",
        "A SEV - RUM",
        "dipcc sends an army by land if no fleet is ordered to convoy it; by the DATC (4.A.3, 6.G.8) a move marked VIA"
        " never falls back to land",
    ),
    OtherRuling(
        "dipcc_misc",
        "unit_selfplay_long",
        "S1911M",
        "A SPA - GAS VIA",
        "A SPA - GAS",
        "dipcc sends an army by land if no fleet is ordered to convoy it; by the DATC (4.A.3, 6.G.8) a move marked VIA"
        " never falls back to land",
    ),
)
"""The only differences accepted. Each is undone by reading one order differently, and then everything must agree."""

COMPARED: dict[tuple[str, str], dict[str, int]] = {
    ("cicero_webdip", "M"): {"rows": 658, "centers": 66, "orders": 483},
    ("cicero_webdip", "R"): {"rows": 495, "centers": 260},
    ("cicero_webdip", "A"): {"rows": 322, "skipped": 31},
    ("backstabbr", "M"): {"rows": 228, "centers": 20, "orders": 7260, "orders not comparable": 38},
    ("backstabbr", "R"): {"rows": 171, "centers": 90},
    ("backstabbr", "A"): {"rows": 109},
    ("dipcc_misc", "M"): {"rows": 136, "centers": 17},
    ("dipcc_misc", "R"): {"rows": 96, "centers": 50},
    ("dipcc_misc", "A"): {"rows": 64},
}
"""How much there is to compare, by file and kind of phase, so that nothing drops out unseen: rows (and how many of them
are skipped), rows after which the centres are counted, and single orders with a result.
"""


# The files.


class Movement(msgspec.Struct):
    """A movement phase: the position before it and the orders."""

    phase: str
    units: Position
    orders: Position


class Row(Movement):
    """A phase of any kind, with what the platform made of it."""

    game: str
    dislodged: Position
    centers: Position
    next_units: Position
    next_dislodged: Position
    next_centers: Position | None = None
    results: dict[str, list[str]] | None = None
    prev: Movement | None = None
    """Of a retreat phase the movement phase before it."""


@cache
def rows_of(file: str) -> list[Row]:
    """The rows of a file; skips the test where it is absent."""
    path = FOLDER / f"{file}.jsonl.gz"
    if not path.is_file():
        pytest.skip(f"no real games at {path}: SATJUDGE_GAMES may name the folder that holds them")
    with gzip.open(path) as lines:
        return [msgspec.json.decode(line, type=Row) for line in lines]


def with_following(rows: list[Row]) -> Iterator[tuple[Row, Row | None]]:
    """Each row with the next one of its game."""
    for row, following in zip(rows, [*rows[1:], None], strict=True):
        yield row, following if following and following.game == row.game else None


# Positions.


def board_of(units: Position, centers: Position, phase: Phase = Phase.MOVEMENT) -> Board:
    """The board that a row describes."""
    standard = load_map()
    placed = tuple(parse_unit(text, power, standard) for power, texts in units.items() for text in texts)
    owners = {province: power for power, provinces in centers.items() for province in provinces}
    return Board(placed, (), owners, phase, standard)


def named(units: Iterable[Unit]) -> set[str]:
    """Units with their powers: `{"FRANCE A BRE"}`."""
    return {f"{unit.power} {unit}" for unit in units}


def flat(position: Position) -> set[str]:
    """A position of a row in the same form."""
    return {f"{power} {text}" for power, texts in position.items() for text in texts}


def unequal(what: str, ours: set[str], theirs: set[str]) -> Iterator[str]:
    """The difference between two positions as a sentence, if there is one."""
    if ours != theirs:
        yield f"{what}: satjudge alone has {sorted(ours - theirs)}, the platform alone {sorted(theirs - ours)}"


# Movement phases.


def judged(game: str, movement: Movement, centers: Position, other_rulings: Iterable[OtherRuling]) -> Outcome:
    """What satjudge makes of a movement phase, the orders read as the platform reads them."""
    this = (game, movement.phase)
    read_as = {ruling.order: ruling.read_as for ruling in other_rulings if (ruling.game, ruling.phase) == this}
    orders = {power: [read_as.get(text, text) for text in texts] for power, texts in movement.orders.items()}
    return judge(board_of(movement.units, centers), orders)


def compare_movement(file: str, row: Row, following: Row | None, tally: Counter[str]) -> Iterator[str]:
    outcome = judged(row.game, row, row.centers, OTHER_RULINGS)
    yield from unequal("units after the moves", named(outcome.units), flat(row.next_units))
    yield from compare_dislodged(file, outcome, flat(row.next_dislodged))
    yield from compare_centers(file, row, following, outcome.next_board, tally)
    if row.results is not None:
        yield from WORDS_OF[file](outcome, row.results, tally)


def compare_dislodged(file: str, outcome: Outcome, theirs: set[str]) -> Iterator[str]:
    """The dislodged units are the same; dipcc may leave out those that have no retreat and are destroyed."""
    dislodged = outcome.dislodgements.values()
    if file == "dipcc_misc":
        theirs = theirs | named(entry.unit for entry in dislodged if not entry.retreats)
    yield from unequal("dislodged units", named(entry.unit for entry in dislodged), theirs)


def compare_centers(file: str, row: Row, following: Row | None, after: Board, tally: Counter[str]) -> Iterator[str]:
    """Who owns which centre, at the rows that end a Fall turn: the retreats, or moves that no retreats follow.

    `next_centers` changes there and nowhere else. In backstabbr it never does: there the next row has the new owners.
    """
    if not row.phase.startswith("F") or (following and following.phase.endswith("R")):
        return
    theirs = row.next_centers if file != "backstabbr" else following.centers if following else None
    if theirs is not None:
        tally["centers"] += 1
        ours = {f"{power} {province}" for province, power in centers_after_fall(after).items()}
        yield from unequal("centres after Fall", ours, flat(theirs))


# Results of single orders. The word for each order is compared; that for the fate of its unit is compared apart.


def verdicts_of(outcome: Outcome) -> Iterator[tuple[Unit, str, bool]]:
    """Each ordered unit with the verdict on its order, and whether that is a move, be it illegal."""
    for power, entries in outcome.docket.entries.items():
        for entry, result in zip(entries, outcome.results[power], strict=True):
            assert entry.province is not None, f"{power} orders {entry.order} without having that unit"
            yield outcome.board.unit_at[entry.province], result.partition(",")[0], isinstance(entry.order, Move)


def compare_fates(outcome: Outcome, results: dict[str, list[str]]) -> Iterator[str]:
    ours = {str(entry.unit) for entry in outcome.dislodgements.values()}
    yield from unequal("called dislodged", ours, {unit for unit, words in results.items() if "dislodged" in words})


def compare_webdip_words(outcome: Outcome, results: dict[str, list[str]], tally: Counter[str]) -> Iterator[str]:
    """webDiplomacy lists the orders that came to nothing, all with one word; a hold counts as one of them."""
    yield from compare_fates(outcome, results)
    for unit, verdict, _ in verdicts_of(outcome):
        tally["orders"] += 1
        if (verdict in ("succeeds", "given", "available")) is (str(unit) in results):
            yield f"{unit} {verdict}, the platform says {results.get(str(unit), 'nothing')}"


BACKSTABBR_WORDS = {
    "stands": {"succeeds, Unchallenged", "succeeds, Stronger defense"},
    "dislodged": {"fails, Insufficient hold strength"},
    "destroyed": {"fails, Insufficient hold strength"},
    "succeeds": {"succeeds, Attack strength is greater"},
    "given": {"succeeds, Unchallenged", "succeeds, Neither displaced nor disrupted"},
    "cut": {"fails, Disrupted", "fails, Displaced"},
    "available": {"succeeds, Unchallenged", "succeeds, Not Dislodged"},
    "disrupted": {"fails, Dislodged"},
    "illegal": {"fails, Invalid Order", "fails, Invalid move path"},
    "invalid": {"fails, Invalid Order", "fails, Invalid move path"},
}
"""What Backstabbr says for each of our verdicts; for failed moves and for backup rules see `backstabbr_words`."""


def compare_backstabbr_words(outcome: Outcome, results: dict[str, list[str]], tally: Counter[str]) -> Iterator[str]:
    """Backstabbr has a result and a reason for every unit.

    Not comparable are supports and convoys that do not fit the order of the other unit. By the DATC they are `invalid`
    (`illegal` if no order could fit), whatever else befalls them, and Backstabbr calls most of them an Invalid Order.
    But it never asks whether a unit supported in place was ordered to move, nor whether an army takes its convoy; and a
    move counts as supported if the unit supports somebody else's move to that province, or is ordered to a coast there
    that it cannot reach. Of all these it says what it says of fitting ones: Unchallenged, Disrupted and so on.

    We have no words for what it tells apart in units that hold and in supports: whether they were attacked at all, and
    whether a support was cut by an attack or by being dislodged from where it was directed at. Units without an order
    in the row (its text could not be read) are an Invalid Order there and nothing here.
    """
    yield from compare_fates(outcome, results)
    decisions = {decision_unit(decision): decision for decision in outcome.adjudication.situation.order_decisions}
    for unit, verdict, is_move in verdicts_of(outcome):
        said = ", ".join(word for word in results[str(unit)] if word != "dislodged")
        if verdict in ("illegal", "invalid") and not is_move and said != "fails, Invalid Order":
            tally["orders not comparable"] += 1
            continue
        tally["orders"] += 1
        if said not in (expected := backstabbr_words(outcome, verdict, decisions.get(unit))):
            yield f"{unit} {verdict}, which is {' or '.join(expected)}; the platform says {said!r}"


def decision_unit(decision: OrderDecision) -> Unit | None:
    return (decision.origin if isinstance(decision, MoveDecision) else decision.place).unit


def backstabbr_words(outcome: Outcome, verdict: str, decision: OrderDecision | None) -> set[str]:
    """What Backstabbr may say of an order.

    It marks what a backup rule decides, and says which strength stopped a move.
    """
    if decision and decision.index in outcome.adjudication.overridden:
        return {"succeeds" if isinstance(decision, MoveDecision) else "fails, Contradiction!"}
    if verdict == "fails" and isinstance(decision, MoveDecision):
        return {f"fails, {why_it_failed(decision, Reading(outcome.adjudication.values))}"}
    return BACKSTABBR_WORDS[verdict]


def why_it_failed(move: MoveDecision, reading: Reading) -> str:
    if not reading.path(move):
        return "Invalid move path"
    strength = reading.attack(move)
    if any(reading.prevent(rival) >= strength for rival in move.destination.moves_in if rival is not move):
        return "Attack strength is not greater than the prevent strength"
    if any(reading.head_to_head(move, other) for other in move.opposed):
        return "Attack strength is not greater than the head to head strength"
    return "Attack strength is not greater than the defend strength"


WORDS_OF = {"cicero_webdip": compare_webdip_words, "backstabbr": compare_backstabbr_words}


# Retreats and adjustments.


def compare_retreats(file: str, row: Row, following: Row | None, tally: Counter[str]) -> Iterator[str]:
    assert row.prev is not None
    outcome = judged(row.game, row.prev, row.centers, OTHER_RULINGS)
    yield from unequal("units before the retreats", named(outcome.units), flat(row.units))
    yield from compare_dislodged(file, outcome, flat(row.dislodged))
    board = outcome.retreat_board
    after = judge_retreats(board, read_orders(board, row.orders)).next_board
    yield from unequal("units after the retreats", named(after.units), flat(row.next_units))
    yield from compare_centers(file, row, following, after, tally)


def compare_adjustments(file: str, row: Row, following: Row | None, tally: Counter[str]) -> Iterator[str]:
    """Builds and removals, where every removal was ordered: automatic ones followed an older rule than 4.D.8's."""
    if any(removals_missing(row, power) for power in row.units):
        tally["skipped"] += 1
        return
    board = board_of(row.units, row.centers, Phase.ADJUSTMENT)
    outcome = judge_adjustments(board, read_orders(board, row.orders))
    yield from unequal("units after the adjustments", named(outcome.units), flat(row.next_units))
    if outcome.automatic:
        yield f"satjudge removes units although all removals were ordered: {outcome.automatic}"


def removals_missing(row: Row, power: Power) -> bool:
    ordered = sum(text.endswith(" D") for text in row.orders.get(power, ()))
    return ordered < len(row.units[power]) - len(row.centers.get(power, ()))


# The tests.


COMPARE: dict[str, Callable[[str, Row, Row | None, Counter[str]], Iterator[str]]] = {
    "M": compare_movement,
    "R": compare_retreats,
    "A": compare_adjustments,
}


@pytest.mark.parametrize("kind", COMPARE)
@pytest.mark.parametrize("file", FILES)
def test_real_games_go_as_on_their_platforms(file: str, kind: str) -> None:
    tally: Counter[str] = Counter()
    differences: list[str] = []
    for row, following in with_following(rows_of(file)):
        if row.phase.endswith(kind):
            tally["rows"] += 1
            found = COMPARE[kind](file, row, following, tally)
            differences += [f"{row.game} {row.phase}: {difference}" for difference in found]
    assert not differences, "\n".join(differences)
    assert tally == COMPARED[file, kind]


@pytest.mark.parametrize("ruling", OTHER_RULINGS, ids=lambda ruling: f"{ruling.game}-{ruling.phase}")
def test_the_other_rulings_really_differ(ruling: OtherRuling) -> None:
    (row,) = (row for row in rows_of(ruling.file) if (row.game, row.phase) == (ruling.game, ruling.phase))
    assert any(ruling.order in orders for orders in row.orders.values())
    as_written = judged(row.game, row, row.centers, other_rulings=())
    assert named(as_written.units) != flat(row.next_units), f"{ruling} is stale: satjudge now agrees"


@pytest.mark.slow
def test_games_that_hold_every_retreat_phase_replay_to_their_end() -> None:
    """As webDiplomacy saves them, with a phase for units that can only be disbanded: 36 of the 41 games once stopped at one."""
    games: dict[str, list[Row]] = {}
    for row in rows_of("cicero_webdip"):
        games.setdefault(row.game, []).append(row)
    documents = [{"id": name, "phases": [saved_phase(row) for row in rows]} for name, rows in games.items()]
    found: list[Replayed] = []
    for game in read_games(msgspec.json.encode(documents)):
        found += replay(game, load_rulebook())
    assert len(documents) == 41
    assert (len(found), sum(one.is_same for one in found)) == (1357, 1356)
    (different,) = (one.different for one in found if one.different)
    assert different.phase in {ruling.phase for ruling in OTHER_RULINGS}


def saved_phase(row: Row) -> dict[str, Any]:
    """A row as a phase of a saved game; where units may retreat is satjudge's own."""
    units = {power: [*texts] for power, texts in row.units.items()}
    retreats: dict[Power, dict[str, list[str]]] = {}
    if row.prev is not None:
        lost = judge(board_of(row.prev.units, row.centers), row.prev.orders).dislodgements.values()
        exits = {str(entry.unit): list(entry.retreats) for entry in lost}
        retreats = {power: {text: exits.get(text, []) for text in texts} for power, texts in row.dislodged.items()}
    state = {"name": row.phase, "units": units, "retreats": retreats, "centers": row.centers}
    return {"name": row.phase, "state": state, "orders": row.orders}
