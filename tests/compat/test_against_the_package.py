"""The drop-in and the package itself, each in a process of its own, come to the same by the same program.

`python benchmarks/studies/drop_in.py --games 1000` plays more games.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import drop_in
import pytest
from helpers.sources import ROOT


@pytest.mark.parametrize("untidy", [False, True])
def test_random_games_are_the_same_phase_by_phase_but_for_listed_causes(untidy: bool) -> None:
    found = drop_in.compared(0, 6, 4, untidy=untidy)
    assert found["unexplained"] == []
    assert found["phases"] >= 40
    assert found["untidy texts"] >= 200 * untidy


def test_a_difference_without_a_cause_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = list(drop_in.run([], ["0", "1", "1"]))
    changed = json.loads(json.dumps(lines))
    changed[0]["results"]["A PAR"] = ["cut"]
    changed[1]["after"]["units"]["FRANCE"] = ["A NAP"]  # from there on it is another game
    changed[2]["results"] = {}
    answers = iter([lines, changed])
    monkeypatch.setattr(drop_in, "run", lambda *_: next(answers))
    told = drop_in.compared(0, 1, 1)["unexplained"]
    assert [one.partition(":")[0] for one in told] == ["game 0, S1901M", "game 0, F1901M"]


BORDERS = """
import json, itertools
from diplomacy import Map
standard = Map("standard")
asked = [(kind, place, order, other) for kind in "AF?" for order in "-SC" for place in standard.locs for other in standard.locs]
print(json.dumps({
    "abuts": sorted(one for one in asked if standard.abuts(*one)),
    "abut_list": {place: sorted(standard.abut_list(place)) for place in standard.locs},
    "with_provinces": {place: sorted(standard.abut_list(place, incl_no_coast=True)) for place in standard.locs},
    "locs": sorted(standard.locs), "loc_type": {place: standard.loc_type[place] for place in standard.locs},
    "coasts": standard.loc_coasts, "area": {place: standard.area_type(place) for place in standard.locs},
    "with_coasts": {place: sorted(near) for place, near in standard.dest_with_coasts.items()},
    "names": standard.loc_name, "scs": sorted(standard.scs), "homes": {of: sorted(at) for of, at in standard.homes.items()},
    "valid": sorted(filter(standard.is_valid_unit, (f"{kind} {place}" for kind in "AF" for place in standard.loc_coasts))),
    "next": [standard.find_next_phase("FALL 1903 MOVEMENT", kind) for kind in (None, "M", "R", "A")],
    "before": [standard.find_previous_phase("FALL 1903 MOVEMENT", kind) for kind in (None, "M", "R", "A")],
}))
"""


UNTIDY = """
import json, sys
from diplomacy import Game
told = {}
for text in json.load(sys.stdin):
    game = Game()
    game.clear_units()
    game.set_units("ENGLAND", ["A LON", "A WAL", "A RUM", "F NTH", "F NWY", "F CON", "F STP/NC"])
    game.set_units("TURKEY", ["F AEG"])
    try:
        game.set_orders("ENGLAND", [text])
        told[text] = ", ".join(game.get_orders("ENGLAND")) or "refused"
    except IndexError:
        told[text] = "an error"
print(json.dumps(told))
"""
PROBES = """
import json, random
from diplomacy import Game, Message
from diplomacy.utils import PriorityDict, strings
from diplomacy.utils.export import is_valid_saved_game, to_saved_game_format
told, game = {}, Game(rules=["NO_PRESS"])
game.set_units("ENGLAND", ["A LON", "F ENG", "F MAO", "F STP/NC"])
told["occupants"] = [game._occupant(*one) for one in (("PAR",), ("STP",), ("STP/SC",), ("STP/SC", 1), ("BUR",))]
told["convoys"] = [sorted(game._get_convoy_destinations(*unit)) for unit in (("A", "LON"), ("F", "MAO"), ("A", "MUN"))]
told["abuts"] = [game._abuts(*one) for one in (("A", "PAR", "-", "BUR"), ("F", "ENG", "S", "BEL"), ("F", "ENG", "-", "PAR"))]
told["rules"] = [game.no_press, game.public_press, game.solitaire]
roles = ["FRANCE", "TURKEY", ["FRANCE", "TURKEY"], strings.OBSERVER_TYPE, strings.OMNISCIENT_TYPE, "SERVER"]
for at, pair in enumerate(["FRANCE ENGLAND", "ENGLAND GLOBAL", "ITALY FRANCE", "SYSTEM OBSERVER", "RUSSIA TURKEY"]):
    sender, recipient = pair.split()
    game.messages[at] = Message(sender=sender, recipient=recipient, phase="S1901M", message=pair, time_sent=at)
told["messages"] = [list(game.filter_messages(game.messages, role)) for role in roles]
told["between"] = list(game.filter_messages(game.messages, "FRANCE", timestamp_from=1, timestamp_to=2))
told["last"] = max(game.messages.values()).message
game, drawn, told["combat"] = Game(), random.Random(7), []
for _ in range(14):
    possible = game.get_all_possible_orders()
    for power, places in sorted(game.get_orderable_locations().items()):
        game.set_orders(power, [drawn.choice(sorted(possible[place])) for place in sorted(places) if possible[place]])
    game.process()
    fights = [(place, *one) for place, strengths in game.combat.items() for one in strengths.items()]
    told["combat"] += sorted((place, strength, unit) for place, strength, units in fights for unit, _ in units)
saved = json.loads(json.dumps(to_saved_game_format(game)))
def changed(change):
    other = json.loads(json.dumps(saved))
    change(other, other["phases"])
    return is_valid_saved_game(other)
told["valid"] = [
    changed(lambda game, phases: None), changed(lambda game, phases: game.pop("rules")),
    changed(lambda game, phases: phases.pop(2)),
    changed(lambda game, phases: phases[3]["state"]["centers"]["FRANCE"].pop()), changed(lambda game, phases: phases.clear()),
    changed(lambda game, phases: phases[1]["orders"]["FRANCE"].append("A MUN - KIE")),
    changed(lambda game, phases: phases[2]["state"]["units"]["RUSSIA"].reverse()),
]
CARRIED = ["A APU - ROM VIA", "F ION C A APU - ROM"]
told["carried"] = []
for orders in (["A APU - ROM VIA"], CARRIED, [*CARRIED, "F TYS C A APU - ROM"], ["A APU - GRE VIA", "F ION C A APU - GRE"],
               ["A APU - ROM", "F ION C A APU - ROM"], ["A APU - ROM", "F ION C A APU - ROM", "F TYS C A APU - ROM"]):
    game = Game()
    game.clear_units()
    game.set_units("ITALY", ["A APU", "A ROM", "F ION", "F TYS"])
    game.set_units("AUSTRIA", ["F ADR", "F AEG"])
    game.set_orders("ITALY", orders)
    game.set_orders("AUSTRIA", ["F ADR - ION", "F AEG S F ADR - ION"] * ("A APU - GRE VIA" in orders))
    told["carried"].append({unit: sorted(map(str, words)) for unit, words in sorted(game.process().results.items())})
first = PriorityDict()
first["far"], first["near"] = 2, 1
told["words"] = [list(first.smallest()), strings.PREVIOUS_PHASE, strings.ALL_GAME_STATUSES]
print(json.dumps(told))
"""
DROP_IN = ("-m", "satjudge.as_diplomacy")


def said_by(program: str, *by: str, asked: object = None) -> dict[str, object]:
    command = [sys.executable, *by, "-c", program]
    done = subprocess.run(command, input=json.dumps(asked), capture_output=True, text=True, check=True)
    said: dict[str, object] = json.loads(done.stdout)
    return said


@pytest.mark.parametrize("program", [BORDERS, PROBES], ids=["map", "what programs ask besides"])
def test_a_program_is_told_what_the_package_tells(program: str) -> None:
    theirs, ours = said_by(program), said_by(program, *DROP_IN)
    for key, value in theirs.items():
        assert ours[key] == value, key


OWN_TESTS = ("diplomacy.tests.test_datc", "diplomacy.tests.test_game", "diplomacy.tests.test_map")
NO_CHECK = "games by the rule NO_CHECK, in which orders are kept unread, are refused by name"
EXCEPTIONS = {
    "test_get_orders_no_check": NO_CHECK,
    "test_set_orders_replace": NO_CHECK,
    "test_set_orders_no_replace": NO_CHECK,
    "test_histories": "it plays on the package's server, which the drop-in has not",
    "test_add_homes": "maps are read and not edited: homes are changed in `Power.homes`",
    "test_drop": "maps are read and not edited",
}
"""The package's own tests that do not pass on the drop-in, and why."""


def test_the_own_tests_of_the_package_pass_but_for_the_listed_exceptions(tmp_path: Path) -> None:
    """They are run from the installed package in place, `diplomacy.tests` over the drop-in's modules."""
    options = ("-q", "-rf", "--tb=no", "-p", "no:cacheprovider", "-c", "/dev/null", f"--rootdir={tmp_path}")
    command = [sys.executable, *DROP_IN, "-m", "pytest", *options, "--pyargs", *OWN_TESTS]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    failed = re.findall(r"^FAILED \S*::(\w+)", done.stdout, re.MULTILINE)
    (passed,) = re.findall(r"(\d+) passed", done.stdout)
    assert sorted(failed) == sorted(EXCEPTIONS), done.stdout + done.stderr
    assert int(passed) + len(EXCEPTIONS) == 201


def tables_of_untidy_orders() -> Iterator[list[list[list[str]]]]:
    """The rows of each table in docs/guides/drop-in.md, of each cell the texts in it."""
    page = (ROOT / "docs/guides/drop-in.md").read_text(encoding="utf-8")
    section = page.partition("## Untidy orders")[2].partition("\n## ")[0]
    for table in re.findall(r"(?:^\|.*\n)+", section, re.MULTILINE):
        rows = [line.strip("|").split("|") for line in table.splitlines()[2:]]
        yield [[re.findall(r"`(.+?)`", cell) or [cell.strip()] for cell in row] for row in rows]


def test_untidy_orders_are_taken_as_the_page_says() -> None:
    taken, refused, differing = tables_of_untidy_orders()
    both = {text: order for texts, (order,) in taken for text in texts}
    both |= {text: "refused" for _, texts in refused for text in texts}
    assert len(both) > 40
    for column, by in ((1, DROP_IN), (2, ())):
        expected = both | {text: row[column][0] for row in differing for text in row[0]}
        assert said_by(UNTIDY, *by, asked=list(expected)) == expected
