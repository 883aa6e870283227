"""Reads the picture of a godip variant: the places of units and the areas of provinces, out of the SVG beside the Go file.

Only numbers are taken, as of jDip's pictures: no script, style, image or reference of a drawing gets into a picture of ours.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from satjudge.files.maps.outlines import beginning, outlines, parse_translation
from satjudge.files.maps.packages import package
from satjudge.files.maps.safe_xml import Element, parsed_xml
from satjudge.world.geography import Location, Point, province_of

_PICTURE = re.compile(
    r"\bSVGMap:\s{1,9}func\(\) \(\[\]byte, error\) \{\s{1,9}return (?:(?P<variant>\w{1,60})\.)?"
    r'Asset\("(?P<file>svg/[\w-]{1,60}\.svg)"\)'
)
"""How a variant names its picture: its own, or that of the variant in a folder beside."""
_AREAS = "provinces"
"""The layer of areas."""
_CENTER = "Center"
"""The end of the ids of paths that begin where a unit stands."""
_NUMBER = re.compile(r"-?[0-9]{1,7}(?:\.[0-9]{1,20})?")


def geometry_of(text: str, folder: Path, meant: Callable[[str], Location | None]) -> dict[str, Any] | None:
    """Read the geometry of the picture that a variant names; `meant` gives the location of a name in it.

    None where there is no such file, or nothing that fits the map. Raises `MapError` for a file that is no picture.
    """
    named = _PICTURE.search(text)
    home = folder.parent / named["variant"] if named and named["variant"] else folder
    found = package(home, named["file"]) if named and home.is_dir() else None
    if named is None or found is None:
        return None
    picture = parsed_xml(found.file(named["file"]), found.format_file_name(named["file"]))
    box = _NUMBER.findall(picture.get("viewBox"))
    units = {place: [round(x, 1), round(y, 1)] for name, (x, y) in _centers(picture, (0.0, 0.0)) if (place := meant(name))}
    if len(box) != 4 or not units:
        return None
    left, top, width, height = map(float, box)
    centers = {code: at for code, at in units.items() if code == province_of(code)}
    areas = outlines(picture, meant, _AREAS)
    return {"size": [width, height], "origin": [left, top], "units": units, "centers": centers} | (
        {"outlines": areas} if areas else {}
    )


def _centers(part: Element, shift: Point) -> Iterator[tuple[str, Point]]:
    """Each place where a unit stands, by its name; what is turned or scaled is left out."""
    for child in part.parts:
        by = parse_translation(child.get("transform"))
        if by is None:
            continue
        at = (shift[0] + by[0], shift[1] + by[1])
        name = child.get("id")
        if name.endswith(_CENTER) and (place := beginning(child, at)):
            yield name.removesuffix(_CENTER), place
        yield from _centers(child, at)
