"""Untidy orders are taken and refused as docs/guides/drop-in.md says, here and by the package."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from helpers.sources import ROOT

PROGRAM = """
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


def tables_of_the_page() -> Iterator[list[list[list[str]]]]:
    """The rows of each of its tables of untidy orders, of each cell the texts in it."""
    page = (ROOT / "docs/guides/drop-in.md").read_text(encoding="utf-8")
    section = page.partition("## Untidy orders")[2].partition("\n## ")[0]
    for table in re.findall(r"(?:^\|.*\n)+", section, re.MULTILINE):
        rows = [line.strip("|").split("|") for line in table.splitlines()[2:]]
        yield [[re.findall(r"`(.+?)`", cell) or [cell.strip()] for cell in row] for row in rows]


def test_untidy_orders_are_taken_as_the_page_says(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    taken, refused, differing = tables_of_the_page()
    here = {text: order for texts, (order,) in taken for text in texts}
    here |= {text: "refused" for _, texts in refused for text in texts}
    there = here | {text: order for (text,), _, (order,), _ in differing}
    here |= {text: order for (text,), (order,), _, _ in differing}
    assert len(here) > 50
    for expected, by in ((here, ["-m", "satjudge.as_diplomacy"]), (there, [])):
        command = [sys.executable, *by, str(tmp_path / "program.py")]
        done = subprocess.run(command, input=json.dumps(list(expected)), capture_output=True, text=True, check=True)
        assert json.loads(done.stdout) == expected
