"""Games that are written for other programs: phases for godip, a judge's history for jDip; both are read back."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from helpers.playing_out import play_random

from satjudge import Game
from satjudge.apps.cli import run
from satjudge.base.errors import InputError
from satjudge.files import godip, njudge
from satjudge.files.cases import list_entries
from satjudge.files.detect import Kind, detect
from satjudge.files.diplomacy_package import SavedGame, SavedPhase, board_of
from satjudge.notation.parse import parse_order
from satjudge.world.board import Board
from satjudge.world.geography import load_map
from satjudge.world.orders import Move, Order

MAP = load_map()
GAMES = [play_random(seed, 14) for seed in (11, 12)]


def saved(game: Game) -> SavedGame:
    return msgspec.convert(game.document(), SavedGame)


def standing(board: Board) -> tuple[Any, ...]:
    dislodged = {(lost.unit, lost.retreats) for lost in board.dislodged}
    return set(board.units), dislodged, dict(board.centers), board.phase, board.turn


def read_orders(phase: SavedPhase) -> dict[str, set[Order]]:
    """Read the orders of a phase, as far as godip has words for them: of a move by convoy only that it is one."""
    kind = board_of(phase, MAP).phase
    found: dict[str, set[Order]] = {}
    for power, texts in phase.orders.items():
        for text in texts or ():
            if text != "WAIVE":
                found.setdefault(power, set()).add(parse_order(text, MAP, kind))
    return found


@pytest.mark.parametrize("game", GAMES)
def test_a_phase_for_godip_is_read_back(game: Game) -> None:
    for phase in saved(game).phases:
        data = msgspec.json.encode(godip.phase_document(phase, MAP))
        assert detect(data) is Kind.GODIP
        (read,) = next(godip.game_readers(data))().phases
        assert standing(board_of(read, MAP)) == standing(board_of(phase, MAP))
        assert (read.name, read_orders(read)) == (phase.name, read_orders(phase))


@pytest.mark.parametrize("game", GAMES)
def test_a_history_for_jdip_is_read_back(game: Game) -> None:
    """Orders that are illegal are none there, and units that were to retreat and got no order are disbanded."""
    before = saved(game)
    history = njudge.format_history(before, MAP)
    assert detect(history.encode()) is Kind.NJUDGE
    read = next(njudge.game_readers(history.encode()))()
    assert [phase.name for phase in read.phases] == [phase.name for phase in before.phases]
    for phase, told in zip(before.phases, read.phases, strict=True):
        assert standing(board_of(told, MAP)) == standing(board_of(phase, MAP))
        given, there = read_orders(phase), read_orders(told)
        void = {unit for unit, words in phase.results.items() if "void" in (words or ())}
        for power, orders in given.items() if phase is not before.phases[-1] else ():
            counted = {order for order in orders if str(getattr(order, "unit", "")) not in void}
            assert {*map(without_way, counted)} <= {*map(without_way, there.get(power, ()))}


def without_way(order: Order) -> str:
    """Write an order without the way by which an army is convoyed, and without the powers of other units."""
    return re.sub(r"\b[A-Z]{4,} ", "", f"{order.unit} - {order.destination}" if isinstance(order, Move) else str(order))


ENGLISH, FRENCH = {"Type": "Fleet", "Nation": "England"}, {"Type": "Fleet", "Nation": "France"}
STARTED = {
    "Season": "Spring",
    "Year": 1901,
    "Type": "Movement",
    "Units": {"lon": ENGLISH, "mid": FRENCH, "stp/sc": {"Type": "Fleet", "Nation": "Russia"}},
    "Orders": {
        "England": {"lon": ["Move", "eng"]},
        "France": {"mid": ["Support", "lon", "eng"]},
        "Russia": {"stp": ["Move", "gob"]},
    },
    "SupplyCenters": {"lon": "England"},
    "Dislodgers": None,
    "Resolutions": {"lon": "OK", "mid": "ErrSupportBroken:bre"},
}
LISTED = {
    "PhaseOrdinal": 2,
    "Season": "Spring",
    "Year": 1901,
    "Type": "Retreat",
    "Units": [{"Province": "eng", "Unit": ENGLISH}],
    "SCs": [{"Province": "bre", "Owner": "France"}],
    "Dislodgeds": [{"Province": "eng", "Dislodged": FRENCH}],
    "Dislodgers": [{"Province": "nth", "Dislodger": "eng"}],
    "Bounces": [{"Province": "iri", "BounceList": "lvp,nat"}],
}


def test_a_phase_of_godip_is_read_as_its_users_write_it() -> None:
    (read,) = next(godip.game_readers(json.dumps(STARTED).encode()))().phases
    assert read.orders == {"ENGLAND": ["F LON - ENG"], "FRANCE": ["F MAO S F LON - ENG"], "RUSSIA": ["F STP/SC - BOT"]}
    assert read.results == {"F LON": [], "F MAO": ["cut"]}
    (entry,) = list_entries(json.dumps(STARTED).encode(), "start.json")
    assert [str(line.order) for line in entry.read().orders] == ["F LON - ENG", "F MAO S F LON - ENG", "F STP/SC - BOT"]


def test_the_lists_of_diplicity_are_read() -> None:
    document = {"Name": "phases", "Properties": [{"Properties": LISTED}]}
    (read,) = next(godip.game_readers(json.dumps(document).encode()))().phases
    assert (read.name, read.state.centers) == ("S1901R", {"FRANCE": ["BRE"]})
    assert read.state.retreats == {"FRANCE": {"F ENG": ["BEL", "BRE", "LON", "MAO", "PIC", "WAL"]}}


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"Type": "Builds"}, "there is no phase 'Builds' in 'Spring'"),
        ({"Units": {"lon": {"Type": "Wing", "Nation": "England"}}}, "a unit is an Army or a Fleet, not 'Wing'"),
        ({"Orders": {"England": {"lon": ["Teleport", "eng"]}}}, "there is no order 'Teleport eng'"),
        ({"Units": {"lun": {"Type": "Fleet", "Nation": "England"}}}, "expected a province"),
        ({"Units": 5}, "not a phase of godip or diplicity"),
        ({"Properties": [[], [5]]}, "not a phase of godip or diplicity"),
        ({"Variant": "Hundred"}, "there is no map named 'hundred'"),
    ],
)
def test_what_is_no_phase_of_godip_is_told(changed: dict[str, Any], error: str) -> None:
    with pytest.raises(InputError, match=error):
        next(godip.game_readers(json.dumps(STARTED | changed).encode(), "g.json"))()


def test_games_are_exported_and_imported_by_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game, phase, history, other = (str(tmp_path / name) for name in ("g.json", "p.json", "h.txt", "o.json"))
    GAMES[0].save(game)
    assert run(["game", "export", game, "--format", "godip", "--phase", "F1901M", "-o", phase]) == 0
    assert run(["game", "import", phase, other]) == 0
    assert run(["game", "export", game, "--format", "jdip", "-o", history]) == 0
    assert run(["replay", history]) == 0
    assert "14 phases of 1 game: 14 the same, 0 differ." in capsys.readouterr().out
    assert run(["game", "export", game, "--format", "jdip", "--phase", "F1901M"]) == 2
