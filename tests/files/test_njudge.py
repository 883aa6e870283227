"""Mails of a judge by e-mail: what an njudge wrote of a turn with a retreat and a build is read, and replayed."""

from __future__ import annotations

from pathlib import Path

import pytest

from satjudge import Game
from satjudge.apps.cli import run
from satjudge.base.errors import InputError
from satjudge.files.detect import Kind, detect
from satjudge.files.diplomacy_package import SavedGame
from satjudge.files.njudge import game_readers

MAILS = """\
:: Judge: XXXX  Game: Ferret  Variant: Standard
:: Deadline: F1903M Tue Jan 06 2004 23:30:00 +0000

Movement results for Fall of 1903. (ferret.008)

Austria: Army Budapest -> Rumania.
Austria: Army Trieste -> Vienna.
Austria: Fleet Adriatic Sea SUPPORT Army Trieste. (*void*)

England: Army Yorkshire -> Edinburgh.
England: Fleet Liverpool HOLD.
England: Fleet North Sea SUPPORT Russian Fleet Sweden -> Norway.

France: Army Tyrolia SUPPORT Italian Army Apulia -> Trieste. (*void*)
France: Army Paris -> Burgundy.
France: Fleet Gascony SUPPORT Army Paris -> Brest. (*void*)

Germany: Army Kiel SUPPORT Fleet Helgoland Bight -> Denmark. (*void*)
Germany: Army Munich HOLD.
Germany: Fleet Helgoland Bight SUPPORT Army Munich -> Kiel. (*void*)

Italy: Army Apulia -> Venice.
Italy: Army Tuscany SUPPORT French Army Tyrolia -> Piedmont. (*void*)
Italy: Fleet Naples SUPPORT Army Apulia -> Rome. (*void*)

Russia: Army Warsaw SUPPORT Army Galicia.
Russia: Army Galicia SUPPORT Austrian Army Budapest. (*void*)
Russia: Fleet Rumania SUPPORT Turkish Army Bulgaria. (*cut, dislodged*)
Russia: Fleet Sweden -> Norway.
Russia: Fleet St Petersburg (north coast), No Order Processed.

Turkey: Army Bulgaria SUPPORT Austrian Army Budapest -> Rumania.
Turkey: Army Smyrna, No Order Processed.
Turkey: Fleet Ankara SUPPORT Army Smyrna -> Armenia. (*void*)
Turkey: Fleet Constantinople SUPPORT Fleet Ankara.

The following units were dislodged:

The Russian Fleet in Rumania can retreat to Sevastopol or Black Sea.

The next phase of 'ferret' will be Retreats for Fall of 1903.

:: Judge: XXXX  Game: Ferret  Variant: Standard
:: Deadline: F1903R Tue Jan 06 2004 23:30:00 +0000

Retreat results for Fall of 1903.  (ferret.009)

Russia:                   Fleet Rumania -> Black Sea.

Ownership of supply centers:

Austria:   Budapest, Rumania, Trieste, Vienna.
England:   Edinburgh, Liverpool, London.
France:    Brest, Marseilles, Paris.
Germany:   Berlin, Kiel, Munich.
Italy:     Naples, Rome, Venice.
Russia:    Moscow, Norway, Sevastopol, St Petersburg, Warsaw.
Turkey:    Ankara, Bulgaria, Constantinople, Smyrna.
Unowned:   Belgium, Denmark, Greece, Holland, Portugal, Serbia, Spain, Sweden,
           Tunis.

Austria:   4 Supply centers,  3 Units:  Builds   1 unit.
England:   3 Supply centers,  3 Units:  Builds   0 units.
France:    3 Supply centers,  3 Units:  Builds   0 units.
Germany:   3 Supply centers,  3 Units:  Builds   0 units.
Italy:     3 Supply centers,  3 Units:  Builds   0 units.
Russia:    5 Supply centers,  5 Units:  Builds   0 units.
Turkey:    4 Supply centers,  4 Units:  Builds   0 units.

The next phase of 'ferret' will be Adjustments for Winter of 1903.

:: Judge: XXXX  Game: Ferret  Variant: Standard
:: Deadline: F1903B Tue Jan 06 2004 23:30:00 +0000

Adjustment results for Winter of 1903.  (ferret.010)

Austria:                  Builds an army in Budapest.

The next phase of 'ferret' will be Movement for Spring of 1904.
"""
"""What njudge 1.7 sent of three phases, without the times of deadlines."""


def read(text: str = MAILS) -> SavedGame:
    (game,) = [one() for one in game_readers(text.encode(), "mails.txt")]
    return game


def test_phases_are_read_with_positions_orders_and_results() -> None:
    game = read()
    assert (game.id, game.map, [phase.name for phase in game.phases]) == (
        "ferret",
        "standard",
        ["F1903M", "F1903R", "W1903A", "S1904M"],
    )
    moves, retreats, builds, spring = game.phases
    assert moves.state.units["RUSSIA"] == ["A WAR", "A GAL", "F RUM", "F SWE", "F STP/NC"]
    assert moves.orders["RUSSIA"] == ["A WAR S A GAL", "A GAL S AUSTRIA A BUD", "F RUM S TURKEY A BUL", "F SWE - NWY"]
    assert moves.results["F RUM"] == ["cut", "dislodged"]
    assert moves.results["A WAR"] == []
    assert retreats.state.units["RUSSIA"] == ["A WAR", "A GAL", "F NWY", "F STP/NC", "*F RUM"]
    assert retreats.state.retreats == {"RUSSIA": {"F RUM": ["BLA", "SEV"]}}
    assert retreats.orders == {"RUSSIA": ["F RUM R BLA"]}
    assert builds.state.centers["RUSSIA"] == ["MOS", "NWY", "SEV", "STP", "WAR"]
    assert builds.orders == {"AUSTRIA": ["A BUD B"]}
    assert sorted(spring.state.units["AUSTRIA"]) == ["A BUD", "A RUM", "A VIE", "F ADR"]


def test_the_game_is_replayed_and_played_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (path := tmp_path / "mails.txt").write_text(MAILS)
    assert detect(MAILS.encode()) is Kind.NJUDGE
    assert run(["replay", str(path)]) == 0
    assert capsys.readouterr().out == "3 phases of 1 game: 3 the same, 0 differ.\n"
    game = Game.load(path)
    assert (game.phase_name, game.units["TURKEY"]) == ("S1904M", ["A BUL", "A SMY", "F ANK", "F CON"])
    assert run(["judge", str(path), "--case", "F1903M", "--json"]) == 0
    assert "cut, dislodged" in capsys.readouterr().out


def test_removals_waived_builds_and_retreats_that_fail_are_read() -> None:
    game = read(
        "Movement results for Fall of 1901. (dot.002)\n\nFrance: Army Paris HOLD.\nItaly: Army Burgundy HOLD. (*dislodged*)\n"
        "Italy: Fleet Spain (south coast) -> Mid-Atlantic Ocean.\nItaly: Army Ruhr -> Holland. (*bounce, dislodged*)\n\n"
        "The following units were dislodged:\n\nThe Italian Army in Burgundy can retreat to Picardy or "
        "Marseilles or\nGascony.\n"
        "The Italian Army in Ruhr with no valid retreats was destroyed.\n\n"
        "Retreat results for Fall of 1901. (dot.003)\n\nItaly: Army  Burgundy -> Gascony (*bounce, destroyed*).\n\n"
        "Ownership of supply centers:\n\nFrance: Paris, Brest,\n        Marseilles, St.\n        Petersburg.\n\n"
        "Adjustment results for Winter of 1901. (dot.004)\n\n"
        "Italy:   Defaults, removing the fleet in the Mid-Atlantic Ocean.\n"
        "France:  Builds a fleet in Brest.\nFrance:  Build waived.\n\n"
        "The next phase of 'dot' will be Movement for Spring of 1902.\n"
    )
    moves, retreats, builds, spring = game.phases
    assert moves.state.units["ITALY"] == ["A BUR", "F SPA/SC", "A RUH"]
    assert retreats.state.units["ITALY"] == ["F MAO", "*A BUR"]
    assert retreats.state.retreats == {"ITALY": {"A BUR": ["GAS", "MAR", "PIC"]}}
    assert builds.state.centers == {"FRANCE": ["PAR", "BRE", "MAR", "STP"]}
    assert builds.orders == {"FRANCE": ["F BRE B", "WAIVE"]}
    assert spring.state.units == {"FRANCE": ["A PAR", "F BRE"], "ITALY": []}


def test_several_games_in_a_file_are_several_games() -> None:
    games = [one() for one in game_readers((MAILS + MAILS.replace("ferret", "polecat")).encode(), "")]
    assert [game.id for game in games] == ["ferret", "polecat"]


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("Army Paris -> Burgundy", "Army Paris -> Bregundy", r"mails.txt:\d+: .*Bregundy"),
        ("Germany: Army Kiel", "Gormany: Army Kiel", r"mails.txt:\d+: there is no power 'Gormany'"),
        ("Movement results", "Movement orders", "orders of a movement phase are not its results"),
        ("Variant: Standard", "Variant: Machiavelli", "there is no map named 'machiavelli'"),
        (
            "Retreat results for Fall of 1903.  (ferret.009)",
            "Movement results for Fall of 1903. (ferret.008)",
            "F1903M appears twice",
        ),
    ],
)
def test_what_cannot_be_read_is_told_with_its_line(before: str, after: str, told: str) -> None:
    assert before in MAILS
    with pytest.raises(InputError, match=told):
        read(MAILS.replace(before, after))


def test_a_text_without_results_holds_no_game() -> None:
    with pytest.raises(InputError, match="the file contains no results of a judge"):
        read("Hello.\n")


def test_endless_lines_are_passed_over() -> None:
    """They would take a regular expression quadratic time."""
    hostile = "The Russian Fleet in " + "with no " * 200_000 + "\n"
    marked = MAILS.replace("The following units were dislodged:\n\n", f"The following units were dislodged:\n\n{hostile}\n")
    assert len(marked) > 1_000_000
    assert read(marked) == read()
