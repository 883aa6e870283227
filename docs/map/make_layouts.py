"""Makes `models/maps/layouts.json`, layouts of schematics of maps that come with satjudge: `python docs/map/make_layouts.py`.

To make one takes seconds, and numpy and networkx, which are not there in a browser.
"""

from __future__ import annotations

import json
from pathlib import Path

from satjudge.show.pictures.look_of_maps import drawn_codes, known_places
from satjudge.show.pictures.schematic import Layout, fingerprint, layout
from satjudge.world.geography import Map, load_map, shipped_maps

TARGET = Path(__file__).resolve().parents[2] / "models" / "maps" / "layouts.json"


def main() -> None:
    """Writes the layout of each map whose provinces are not all on the standard map."""
    maps = [load_map(name) for name in shipped_maps()]
    found = [f'"{one.name}": {json.dumps(stored(one))}' for one in maps if len(drawn_codes(one)) < len(one.provinces)]
    TARGET.write_text("{\n" + ",\n".join(found) + "\n}\n", encoding="utf-8")


def made(game_map: Map) -> Layout:
    """The layout of a map, made anew."""
    return layout(game_map, known_places(game_map, drawn_codes(game_map)))


def stored(game_map: Map) -> dict[str, object]:
    """The same as it is kept."""
    places, width, height = made(game_map)
    return {"of": fingerprint(game_map), "width": width, "height": height, "places": places}


if __name__ == "__main__":
    main()
