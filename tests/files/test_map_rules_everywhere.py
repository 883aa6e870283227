"""Every rule that a map's file may state, at every door: it is judged by, or refused by name."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import NamedTuple

import pytest

from satjudge.apps.cli import run
from satjudge.files.maps import toml


class Rule(NamedTuple):
    """A rule as it stands in a file that amends the standard map, and words of which one names it in a refusal."""

    text: str
    words: tuple[str, ...] = ()


RULES = {
    "first_year": Rule("first_year = 1850"),
    "victory": Rule("victory = 20"),
    "victory_needs": Rule('victory_needs = ["PAR"]'),
    "builds_anywhere": Rule("builds_anywhere = true"),
    "first_builds": Rule("first_builds = 1", ("first builds",)),
    "builds_need_home": Rule("builds_need_home = true", ("need a home",)),
    "builds_in_any_home": Rule("builds_in_any_home = true"),
    "no_retreats": Rule("no_retreats = true", ("no retreats",)),
    "transforms": Rule("transforms = true", ("change their kind",)),
    "neutral": Rule(
        'add_powers = ["NOBODY"]\n[power.NOBODY]\nname = "Nobody"\nadjective = "Neutral"\n[neutral]\npower = "NOBODY"\n'
        '[province.BEL]\nunit = "A"\nunit_power = "NOBODY"',
        ("neutral units",),
    ),
    "victory_lead": Rule("[victory_lead]\nfirst = 20\nless_each_year = 1"),
    "last_year": Rule("[last_year]\nyear = 1910"),
    "years": Rule("[years]\nfirst = -480\nstep = 2"),
    "closed": Rule('[closed]\nfall = ["BAR"]', ("shut", "shuts")),
    "railroad": Rule('[railroad.WAY]\npower = "FRANCE"\nline = ["PAR", "BUR", "MUN"]', ("railroad",)),
    "canal": Rule('[canal.SUEZ]\nkeeper = "CON"\nbetween = ["AEG", "BLA"]', ("canal",)),
    "province.convoys": Rule("[province.DEN]\nconvoys = true", ("coasts that convoy",)),
    "province.builders": Rule('[province.BEL]\nbuilders = ["FRANCE"]'),
    "province.difficult": Rule(
        '[province.PAR]\ndifficult = ["BUR"]\n[province.BUR]\ndifficult = ["PAR"]', ("difficult borders",)
    ),
    "province.half_strength": Rule(
        '[province.MAO]\nhalf_strength = ["BRE"]\n[province.BRE]\nhalf_strength = ["MAO"]', ("half strength",)
    ),
    "province.not_counted": Rule('[province.BEL]\nnot_counted = ["FRANCE"]'),
    "power.victory": Rule("[power.FRANCE]\nvictory = 12"),
    "power.partisans": Rule('[power.FRANCE]\npartisans = "BUR"', ("partisans",)),
}
NO_RULES = {
    *("name", "title", "powers", "power", "province", "names", "spellings", "groups", "lacks", "geometry"),
    *(f"province.{field}" for field in ("name", "kind", "aliases", "center", "home", "country", "owner")),
    *(f"province.{field}" for field in ("unit", "unit_coast", "unit_power", "army", "fleet", "coasts")),
    *(f"power.{field}" for field in ("name", "adjective", "aliases", "color")),
}
SHEET = """\
case rule: A board on it
France:
  A Paris - Burgundy
  F Brest - MAO
Germany:
  A Munich - Burgundy
  A Kiel H
"""
LINE = {
    "id": "rule",
    "units": {"FRANCE": ["A PAR", "F BRE"], "GERMANY": ["A MUN", "A KIE"]},
    "orders": {"FRANCE": ["A PAR - BUR", "F BRE - MAO"], "GERMANY": ["A MUN - BUR", "A KIE H"]},
}
DOORS = {
    "judge": ("judge", "SHEET"),
    "resolutions": ("resolutions", "SHEET"),
    "explain": ("explain", "SHEET"),
    "equations": ("equations", "SHEET"),
    "compare": ("compare", "SHEET"),
    "check": ("check", "SHEET"),
    "count": ("count", "SHEET"),
    "batch": ("batch", "LINES"),
    "render": ("render", "SHEET", "-o", "OUT.svg"),
    "report": ("report", "SHEET", "-o", "OUT.html"),
    "census": ("census", "--boards", "2", "--seed", "1"),
    "crosscheck": ("crosscheck", "--against", "kruijswijk-partial", "SHEET"),
    "search": ("search", "dislodged:BUR", "--max-units", "2", "--region", "PAR BUR MUN"),
    "prove": ("prove", "SHEET", "--enemies", "1"),
    "guarantee": ("guarantee", "hold", "SHEET", "--power", "France"),
    "game": ("game", "new", "GAME.json"),
    "maps draw": ("maps", "draw", "MAP", "-o", "OUT.svg"),
    "maps check": ("maps", "check", "MAP"),
}
QUICK = ("judge", "batch", "game")
SLOW = [door for door in DOORS if door not in QUICK]


def test_every_rule_of_a_map_is_gone_over() -> None:
    """A field of a map's file is in the table above, or is said to be no rule."""
    fields = {*toml._Whole.__struct_fields__}
    fields |= {f"province.{field}" for field in toml._Province.__struct_fields__}
    fields |= {f"power.{field}" for field in toml._Power.__struct_fields__}
    assert fields == {*RULES, *NO_RULES}


def written(folder: Path, rule: str) -> dict[str, str]:
    """The files of a rule, by what stands for them at the doors."""
    own = folder / "own.toml"
    own.write_text(f'based_on = "standard"\nname = "own"\ntitle = "Own"\n{RULES[rule].text}\n', encoding="utf-8")
    (folder / "sheet.txt").write_text(SHEET, encoding="utf-8")
    (folder / "lines.jsonl").write_text(json.dumps(LINE) + "\n", encoding="utf-8")
    return {
        "MAP": str(own),
        "SHEET": str(folder / "sheet.txt"),
        "LINES": str(folder / "lines.jsonl"),
        "OUT.svg": str(folder / "out.svg"),
        "OUT.html": str(folder / "out.html"),
        "GAME.json": str(folder / "game.json"),
    }


def at_door(door: str, rule: str, folder: Path) -> int:
    files = written(folder, rule)
    given = [files.get(word, word) for word in DOORS[door]]
    return run([*given, *([] if door.startswith("maps") else ["--map", files["MAP"]])])


def check_door(door: str, rule: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = at_door(door, rule, folder)
    told = capsys.readouterr()
    if code == 2:
        assert any(word in told.err for word in RULES[rule].words), f"{door}, {rule}: {told.err}"
    else:
        assert code in (0, 1, 5), f"{door}, {rule}: {code} {told.err}"


@pytest.mark.parametrize(("door", "rule"), [*product(QUICK, RULES)])
def test_a_rule_is_taken_or_refused_by_name(door: str, rule: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check_door(door, rule, tmp_path, capsys)


@pytest.mark.slow
@pytest.mark.parametrize(("door", "rule"), [*product(SLOW, RULES)])
def test_a_rule_is_taken_or_refused_by_name_at_every_door(
    door: str, rule: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    check_door(door, rule, tmp_path, capsys)


@pytest.mark.parametrize("rule", RULES)
def test_a_batch_line_gets_the_verdicts_that_judge_gives(rule: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """So neither door passes a rule over that the other one knows."""
    files = written(tmp_path, rule)
    assert run(["judge", files["SHEET"], "--map", files["MAP"], "--json"]) == 0
    judged = json.loads(capsys.readouterr().out)
    assert run(["batch", files["LINES"], "--map", files["MAP"]]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert {key: answer[key] for key in ("results", "units")} == {key: judged["cases"][0][key] for key in ("results", "units")}
