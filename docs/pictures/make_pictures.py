"""Makes the pictures of the documentation again (`make generated`), or in the folder that you name.

Each line below is a picture: its name, and what `satjudge render` is asked for. Every case of the catalogue has one, too.
Those of MAPS are made by `satjudge maps draw`.
"""

from __future__ import annotations

import sys
from pathlib import Path
from shlex import quote, split

from satjudge.apps.cli import run
from satjudge.notation.bundled_cases import read_collection

HERE = Path(__file__).resolve().parent
PICTURES = {
    "6.C.1": "datc:6.C.1",
    "6.F.14": "datc:6.F.14 --resolutions",
    "6.F.14-narrow": "datc:6.F.14 --resolutions --width 400",
    "6.F.16": "datc:6.F.16",
    "6.F.28": "datc:6.F.28",
    "6.F.9-rulebooks": "datc:6.F.9 --compare datc-3,1971",
    "opening": f"{quote(str(HERE / 'opening.txt'))} --title 'Spring 1901'",
    "rules": f"{quote(str(HERE / 'rules.txt'))} --title 'Hold, move, support, convoy'",
    "midgame": f"{quote(str(HERE / 'midgame.txt'))} --title 'Thirty-four units'",
}
MAPS = {"colonial": "colonial", "standard": "standard --key"}
"""Each map's picture, and what `satjudge maps draw` is asked for."""


def pictures() -> dict[str, str]:
    """Each picture's name, and what `satjudge render` is asked for."""
    catalogue = {
        sheet.identity: f"{quote(sheet.source_file)} --case {sheet.identity}" for sheet in read_collection("catalogue")
    }
    return PICTURES | catalogue


def make(folder: Path) -> int:
    """Write all pictures into a folder; the exit code of the first command that fails, else 0."""
    for name, what in pictures().items():
        if code := run(["render", *split(what), "-o", str(folder / f"{name}.svg")]):
            return code
    for name, what in MAPS.items():
        if code := run(["maps", "draw", *split(what), "-o", str(folder / f"{name}.svg")]):
            return code
    return 0


if __name__ == "__main__":
    sys.exit(make(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE))
