"""Variants of diplicity: a small one of our own, in version 1 of its schema."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from satjudge.base.errors import MapError
from satjudge.files.maps import read_map
from satjudge.game.game import Game
from satjudge.world.geography import LastYear, Map, Neutral, Years

Stated = dict[str, Any]


def ways(*phases: tuple[str, str, int]) -> list[Stated]:
    """Transitions round a cycle of phases, each with the years that pass before the next one."""
    return [
        {"from": {"season": season, "type": kind}, "to": {"season": after[0], "type": after[1], "yearDelta": passed}}
        for (season, kind, passed), after in zip(phases, (*phases[1:], phases[0]), strict=True)
    ]


CLASSICAL = (
    ("Dry", "Movement", 0), ("Dry", "Retreat", 0), ("Wet", "Movement", 0), ("Wet", "Retreat", 0), ("Wet", "Adjustment", 1),
)  # fmt: skip


def exits(who: str, *to: str) -> list[Stated]:
    return [{"to": place, "pass": who} for place in to]


ISLES: Stated = {
    "schemaVersion": 1,
    "id": "two-isles",
    "name": "Two Isles",
    "description": "A map of our own.",
    "author": "satjudge",
    "victoryConditions": [{"type": "supply-center-majority", "supplyCenters": 3}],
    "phaseProgression": {"seasons": ["Dry", "Wet"], "transitions": ways(*CLASSICAL)},
    "nations": [
        {"id": "old-men", "name": "Old Men", "color": "#AABBCC"},
        {"id": "giants", "name": "Giants", "color": "#00ff00"},
    ],
    "provinces": [
        {"id": "east", "name": "East Isle", "type": "coastal", "supplyCenter": True, "homeNation": "old-men",
         "adjacencies": exits("army", "moor") + exits("fleet", "sound")},
        {"id": "moor", "name": "The Moor", "type": "land", "supplyCenter": True, "adjacencies": exits("army", "east", "head")},
        {"id": "head", "name": "Giants' Head", "type": "land", "supplyCenter": True, "homeNation": "giants",
         "adjacencies": exits("army", "moor") + exits("fleet", "sound")},
        {"id": "sound", "name": "The Sound", "type": "sea", "supplyCenter": False,
         "adjacencies": exits("fleet", "east", "head/nc", "head", "far-sea")},
        {"id": "far-sea", "name": "Far Sea", "type": "sea", "supplyCenter": False,
         "adjacencies": exits("fleet", "sound", "head/west")},
    ],
    "namedCoasts": [
        {"id": "head/nc", "name": "Head (NC)", "parentProvince": "head", "adjacencies": exits("fleet", "sound")},
        {"id": "head/west", "name": "Head (West)", "parentProvince": "head", "adjacencies": exits("fleet", "far-sea")},
    ],
    "initialState": {
        "phase": {"season": "Dry", "year": 1722, "type": "Movement"},
        "units": [
            {"nation": "old-men", "type": "Army", "location": "east"},
            {"nation": "giants", "type": "Fleet", "location": "head/west"},
        ],
        "supplyCenters": [{"nation": "old-men", "province": "east"}, {"nation": "old-men", "province": "moor"}],
    },
    "dominanceRules": [{"province": "sound", "nation": "giants", "dependencies": [], "priority": 1}],
}  # fmt: skip


def read(folder: Path, change: Callable[[Stated], object] = lambda stated: None) -> Map:
    stated = copy.deepcopy(ISLES)
    change(stated)
    (folder / "isles.json").write_text(json.dumps(stated), encoding="utf-8")
    return read_map(folder / "isles.json")


def test_a_variant_is_read(tmp_path: Path) -> None:
    found = read(tmp_path)
    assert (found.name, found.title, found.first_year, found.victory) == ("two-isles", "Two Isles", 1722, 3)
    assert found.powers == ("OLD-MEN", "GIANTS")
    assert found.colours == {"OLD-MEN": "#aabbcc", "GIANTS": "#00ff00"}
    assert {code: exits for code, exits in found.army.items() if exits} == {
        "EAST": {"MOOR"}, "MOOR": {"EAST", "HEAD"}, "HEAD": {"MOOR"},
    }  # fmt: skip
    assert found.fleet == {
        "EAST": {"SOUND"}, "HEAD/NC": {"SOUND"}, "HEAD/WC": {"FARSEA"}, "SOUND": {"EAST", "HEAD/NC", "FARSEA"},
        "FARSEA": {"SOUND", "HEAD/WC"},
    }  # fmt: skip
    assert found.start == (("OLD-MEN", "A", "EAST"), ("GIANTS", "F", "HEAD/WC"))
    assert found.owners == {"EAST": "OLD-MEN", "MOOR": "OLD-MEN"}
    assert found.homes("GIANTS") == {"HEAD"}


def test_it_is_played(tmp_path: Path) -> None:
    game = Game.new(read(tmp_path))
    game.order("OLD-MEN", "A EAST - MOOR")
    game.next()
    assert [str(unit) for unit in game.board.units] == ["A MOOR", "F HEAD/WC"]


def test_its_rules_are_read(tmp_path: Path) -> None:
    def change(stated: Stated) -> None:
        stated["adjudicationModifiers"] = ["allow-builds-in-non-home-centers", "neutral-nations-auto-build"]
        stated["nations"].append({"id": "nobody", "name": "Nobody", "color": "#000000", "non_playable": True})
        stated["victoryConditions"].append({"type": "timed-resolution", "year": 1730, "resolution": "shared-draw"})

    found = read(tmp_path, change)
    assert found.builds_anywhere
    assert found.neutral == Neutral("NOBODY", rebuilds=True)
    assert found.last_year == LastYear(1730, draw=True)


def test_years_go_on_as_it_says(tmp_path: Path) -> None:
    """As they do in Hundred, whose years have one turn, with builds in every second one."""

    def hundred(stated: Stated) -> None:
        after = {"season": "Dry", "type": "Movement", "yearDelta": 5}
        retreat = {"season": "Dry", "type": "Retreat"}
        stated["phaseProgression"]["transitions"] = [
            {"from": {"season": "Dry", "type": "Movement"}, "to": {**retreat, "yearDelta": 0}},
            {"from": retreat, "to": after, "condition": {"yearMod": 10, "yearModValue": 5}},
            {"from": retreat, "to": {"season": "Dry", "type": "Adjustment", "yearDelta": 0}},
            {"from": {"season": "Dry", "type": "Adjustment"}, "to": after},
        ]
        stated["initialState"]["phase"]["year"] = 1425

    assert read(tmp_path, hundred).years == Years(1425, 10, 5)

    def by_builds(stated: Stated) -> None:
        stated["initialState"] |= {"phase": {"season": "Wet", "year": 1721, "type": "Adjustment"}, "units": []}

    assert read(tmp_path, by_builds).first_year == 1722

    def before_christ(stated: Stated) -> None:
        stated["initialState"]["phase"]["year"] = -3

    assert read(tmp_path, before_christ).years == Years(-3)


@pytest.mark.parametrize(
    ("where", "value", "problem"),
    [
        ("schemaVersion", 2, r"Invalid enum value 2 - at `\$.schemaVersion`"),
        ("adjudicationModifiers", ["fog"], "adjudicationModifiers: fog: satjudge has no such rule"),
        (
            "victoryConditions",
            [{"type": "province-control", "provinces": ["moor"]}],
            "satjudge does not support the condition province-control",
        ),
        ("dominanceRules", [{"province": "moor"}], "dominanceRules: moor: satjudge does not support this rule"),
        ("phaseProgression", {"seasons": ["Dry"], "transitions": ways(*CLASSICAL[:2])}, "satjudge supports only moves and"),
        ("wings", True, "unknown field `wings`"),
        ("namedCoasts", [], "there is no province or coast 'head/"),
        ("nations", [{"id": "old-men", "name": "Old", "color": "#000000"}], "there is no nation 'giants'"),
        ("provinces", ISLES["provinces"] * 2, "two provinces have the same letters"),
    ],
)
def test_what_satjudge_cannot_play_is_refused_by_name(where: str, value: object, problem: str, tmp_path: Path) -> None:
    with pytest.raises(MapError, match=problem):
        read(tmp_path, lambda stated: stated.update({where: value}))


def test_two_nations_that_nobody_plays_are_refused(tmp_path: Path) -> None:
    def change(stated: Stated) -> None:
        stated["nations"] += [{"id": one, "name": one, "color": "#000000", "non_playable": True} for one in ("he", "she")]

    with pytest.raises(MapError, match="nations: neither he nor she is played"):
        read(tmp_path, change)


def test_an_older_file_is_said_to_hold_no_borders(tmp_path: Path) -> None:
    with pytest.raises(MapError, match="without a schemaVersion contains no borders") as refused:
        read(tmp_path, lambda stated: stated.pop("schemaVersion"))
    assert refused.value.suggestion == "use the Go file of godip"
