"""Every rule that a map's file may state, at every door: it is judged by, or refused by name."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable
from itertools import chain, product
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from helpers.games_beside import compared

from satjudge.apps.cli import run
from satjudge.apps.explore import wire
from satjudge.apps.explore.questions import answer_question
from satjudge.base.errors import InputError
from satjudge.bulk.games import Games
from satjudge.bulk.tables import learner
from satjudge.compat import diplomacy as compat
from satjudge.compat.positions import choose_rulebook
from satjudge.files.maps import read_map, toml
from satjudge.game.game import Game
from satjudge.judging.judge import judge
from satjudge.judging.legal_orders import orderable
from satjudge.notation.sheet_reader import read_sheets
from satjudge.world.board import Phase, by_power
from satjudge.world.rules.presets import load_preset
from satjudge.world.seasons import adjustments_due


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
    "victory_lead": Rule("[victory_lead]\nfirst = 20\nless_each_year = 1", ("a lead that wins",)),
    "last_year": Rule("[last_year]\nyear = 1910", ("a last year",)),
    "years": Rule("[years]\nfirst = -480\nstep = 2"),
    "closed": Rule('[closed]\nfall = ["BAR"]', ("closed", "closes provinces")),
    "railroad": Rule('[railroad.WAY]\npower = "FRANCE"\nline = ["PAR", "BUR", "MUN"]', ("railroad",)),
    "canal": Rule('[canal.SUEZ]\nkeeper = "CON"\nbetween = ["AEG", "BLA"]', ("canal",)),
    "province.convoys": Rule("[province.DEN]\nconvoys = true", ("coasts that convoy",)),
    "province.builders": Rule('[province.BEL]\nbuilders = ["FRANCE"]'),
    "province.builds_instead": Rule('[province.BUR]\nbuilds_instead = ["FRANCE"]', ("in place of a home",)),
    "province.difficult": Rule(
        '[province.PAR]\ndifficult = ["BUR"]\n[province.BUR]\ndifficult = ["PAR"]', ("difficult borders",)
    ),
    "province.half_strength": Rule(
        '[province.MAO]\nhalf_strength = ["BRE"]\n[province.BRE]\nhalf_strength = ["MAO"]', ("half strength",)
    ),
    "province.not_counted": Rule('[province.BEL]\nnot_counted = ["FRANCE"]'),
    "power.victory": Rule("[power.FRANCE]\nvictory = 12"),
    "power.victory_needs": Rule('[power.FRANCE]\nvictory_needs = ["PAR"]', ("need to win",)),
    "power.victory_needs_one": Rule('[power.FRANCE]\nvictory_needs_one = ["PAR", "ROM"]', ("need to win",)),
    "power.partisans": Rule('[power.FRANCE]\npartisans = "BUR"', ("partisans",)),
}
NO_RULES = {
    *("name", "title", "powers", "power", "province", "names", "abbreviations", "spellings", "groups", "lacks", "geometry"),
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
LINE: dict[str, Any] = {
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
    "export": ("export", "6.A.1"),
    "lines": ("lines", "protect:PAR", "--timeout", "5"),
    "game": ("game", "new", "GAME.json"),
    "maps draw": ("maps", "draw", "MAP", "-o", "OUT.svg"),
    "maps check": ("maps", "check", "MAP"),
}
QUICK = ("judge", "batch", "game")
SLOW = [door for door in DOORS if door not in QUICK]


def test_every_rule_of_a_map_is_gone_over() -> None:
    """A field of a map's file is in the table above, or is said to be no rule."""
    fields = {*toml._MapHeader.__struct_fields__}
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


def check_python_door(opened: Callable[[], object], rule: str) -> None:
    """What a door of Python says is an answer, or names the rule."""
    told = ""
    try:
        opened()
    except InputError as error:
        told = str(error)
    assert not told or any(word in told for word in RULES[rule].words), f"{rule}: {told}"


@pytest.mark.parametrize("rule", RULES)
def test_the_kernel_takes_a_rule_or_refuses_it_by_name(rule: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether the file itself is right, `satjudge.bulk.Games` tells below, which is made of the same tables."""
    monkeypatch.setattr(learner, "write_table_file", lambda *_: b"")
    game_map = read_map(written(tmp_path, rule)["MAP"])
    check_python_door(lambda: learner.make_table_file(game_map, load_preset("datc-3")), rule)


@pytest.mark.parametrize("rule", RULES)
def test_the_drop_in_plays_by_a_rule_as_games_do(rule: str, tmp_path: Path) -> None:
    files = written(tmp_path, rule)
    game, plain = compat.Game(map_name=files["MAP"]), Game.new(read_map(files["MAP"]), choose_rulebook(None))
    random = Random(rule)
    for _ in range(8):
        left = {power: abs(due) for power, due in adjustments_due(plain.board).items()}
        for power, listed in orderable(plain.board, plain.rulebook).items():
            chosen = [str(random.choice(orders)) for orders in listed.values() if orders]
            given = chosen[: left.get(power, 0)] if plain.board.phase is Phase.ADJUSTMENT else chosen
            game.set_orders(power, given)
            plain.set_orders(power, given)
        game.process()
        plain.next()
        assert game.get_current_phase() == plain.phase_name
        assert standing(game) == {power: sorted(units) for power, units in by_power(plain.board.units).items()}


def standing(game: compat.Game) -> dict[str, list[str]]:
    """The units that stand, without those that must retreat."""
    units = {power: sorted(unit for unit in of if not unit.startswith("*")) for power, of in game.get_units().items()}
    return {power: of for power, of in units.items() if of}


@pytest.mark.parametrize("rule", RULES)
def test_the_page_judges_and_draws_by_a_rule(rule: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "_opened", {})
    files = written(tmp_path, rule)

    def ask(name: str, /, **more: object) -> Any:  # noqa: ANN401
        return json.loads(answer_question(json.dumps({"ask": name, **more}).encode()))["answer"]

    ask("read", data=b64encode(Path(files["MAP"]).read_bytes()).decode(), name="own.toml")
    position = {"units": LINE["units"], "map": "own", "phase": "S1901M"}
    sheet = SHEET.partition("\n")[2]
    told = ask("judge", position=position, sheet=sheet)
    plain = judge(read_sheets(SHEET, game_map=read_map(files["MAP"]))[0].board, LINE["orders"])
    assert [one["verdict"] for one in told["orders"]] == [*chain(*plain.results.values())]
    assert "<svg" in ask("draw", position=position, sheet=sheet)


@pytest.mark.slow
@pytest.mark.parametrize("rule", RULES)
def test_games_in_arrays_follow_a_rule_or_refuse_it_by_name(rule: str, tmp_path: Path) -> None:
    game_map = read_map(written(tmp_path, rule)["MAP"])

    def played() -> None:
        compared(Games(3, game_map, seed=1, last_year=game_map.first_year + 2), "fierce")

    check_python_door(played, rule)


@pytest.mark.parametrize("rule", RULES)
def test_a_batch_line_gets_the_verdicts_that_judge_gives(rule: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """So neither door passes a rule over that the other one knows."""
    files = written(tmp_path, rule)
    assert run(["judge", files["SHEET"], "--map", files["MAP"], "--json"]) == 0
    judged = json.loads(capsys.readouterr().out)
    assert run(["batch", files["LINES"], "--map", files["MAP"]]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert {key: answer[key] for key in ("results", "units")} == {key: judged["cases"][0][key] for key in ("results", "units")}
