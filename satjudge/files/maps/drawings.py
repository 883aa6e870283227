"""Reads drawings from other programs: the outlines of provinces, as points along them, and the colours of powers.

jDip's pictures have a layer of invisible areas for the pointer, one for each province, which are all that a picture needs. Only
numbers are copied, so no script, style, image or reference in a drawing can get into satjudge's pictures.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from math import sqrt

from satjudge.base.errors import MapError
from satjudge.base.resources import data_file, read_toml
from satjudge.files.maps.packages import Element
from satjudge.world.geography import Location, Point, ProvinceCode, coast_of, fold, province_of

LAYER = "MouseLayer"
"""The layer of areas in jDip's pictures."""
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_TOKEN = re.compile(rf"[A-Za-z]|{_NUMBER}")
_MOVED = re.compile(rf"\s*translate\(\s*({_NUMBER})(?:[\s,]+({_NUMBER}))?\s*\)\s*")
_TAKES = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7}
"""The number of arguments of each command of a path."""
_STEPS = 4
"""The number of straight pieces that replace a curve."""
_MOST_POINTS = 60_000
_MOST_DRAWN = 600_000
"""The maximum number of points in a drawing, and of characters that describe them, to limit the time for reading it."""
_MOST_WRITTEN, _FINEST = 9_000, 8_000
"""The maximum number of points in a map's file; the first tolerance for dropping points is this fraction of the picture."""
_FAR = 1e5
Ring = list[Point]


def read_outlines(
    picture: Element, find_location: Callable[[str], Location | None], layer_name: str = LAYER
) -> dict[ProvinceCode, str]:
    """Read the outline of each province, as text, from a drawing's layer of areas; {} without it or with too many points.

    `find_location` returns the location to which a name in the drawing refers. Returns {} for a drawing with too many points.
    """
    found: dict[Location, list[Ring]] = {}
    layer = next((layer for layer in picture.iter_elements("g") if layer.get("id") == layer_name), None)
    if layer is None or _count_path_letters(layer) > _MOST_DRAWN:
        return {}
    for name, ring in _iter_areas(layer, "", parse_translation(layer.get("transform")) or (0.0, 0.0)):
        location = find_location(name)
        if location is not None and len(ring) > 2:
            found.setdefault(location, []).append(ring)
    if sum(len(ring) for rings in found.values() for ring in rings) > _MOST_POINTS:
        return {}
    whole = {location: rings for location, rings in found.items() if not coast_of(location)}
    for location, rings in found.items():
        if coast_of(location):  # in most drawings a part of its province's area, in some a separate one
            areas = whole.setdefault(province_of(location), [])
            areas += [ring for ring in rings if not any(_do_boxes_overlap(ring, other) for other in areas)]
    return _write_outlines(whole)


def _write_outlines(outlines: Mapping[ProvinceCode, Sequence[Ring]]) -> dict[ProvinceCode, str]:
    """Write the outline of each province as text; drop points, if there are too many for a map file."""
    reach = max((abs(part) for rings in outlines.values() for ring in rings for place in ring for part in place), default=0.0)
    off, rings = reach / _FINEST, outlines
    while sum(len(ring) for each in rings.values() for ring in each) > _MOST_WRITTEN and off:
        rings = {code: [thin for ring in each if len(thin := _thin_ring(ring, off)) > 2] for code, each in rings.items()}
        off *= 1.5
    return {code: format_outlines(each) for code, each in rings.items() if each}


def _thin_ring(ring: Ring, tolerance: float) -> Ring:
    """Drop the points of a closed line that are within `tolerance` of the line without them (Douglas and Peucker, 1973)."""
    indices, open_ = {0, len(ring) - 1}, [(0, len(ring) - 1)]
    while open_:
        first, last = open_.pop()
        far, at = max(
            ((_measure_offset(ring[first], ring[last], ring[i]), i) for i in range(first + 1, last)), default=(0.0, 0)
        )
        if far > tolerance:
            indices.add(at)
            open_ += [(first, at), (at, last)]
    return [ring[i] for i in sorted(indices)]


def _measure_offset(start: Point, end: Point, place: Point) -> float:
    """Return the distance from the point `place` to the segment from `start` to `end`."""
    (x, y), (dx, dy) = (place[0] - start[0], place[1] - start[1]), (end[0] - start[0], end[1] - start[1])
    along = (x * dx + y * dy) / (dx * dx + dy * dy) if dx or dy else 0.0
    along = min(max(along, 0.0), 1.0)
    x, y = x - along * dx, y - along * dy
    return sqrt(x * x + y * y)


def find_path_start(shape: Element, shift: Point = (0.0, 0.0)) -> Point | None:
    """Return the first point of an SVG path, moved by `shift`; None if the shape is no path or the point is far off."""
    found = next(_iter_path_commands(shape.get("d")), None) if shape.name == "path" else None
    if found is None or found[0].upper() != "M":
        return None
    x, y = found[1][0] + shift[0], found[1][1] + shift[1]
    return (x, y) if abs(x) < _FAR and abs(y) < _FAR else None


def _count_path_letters(layer: Element) -> int:
    """Count the characters of all coordinates of the paths and polygons in a layer."""
    stated = ((shape, key) for name, key in (("path", "d"), ("polygon", "points")) for shape in layer.iter_elements(name))
    return sum(len(shape.get(key)) for shape, key in stated)


def _do_boxes_overlap(ring: Ring, other_ring: Ring) -> bool:
    """Return whether the bounding boxes of two closed lines overlap or touch."""
    return all(
        min(place[axis] for place in ring) <= max(place[axis] for place in other_ring)
        and min(place[axis] for place in other_ring) <= max(place[axis] for place in ring)
        for axis in (0, 1)
    )


def format_outlines(rings: Sequence[Sequence[Point]]) -> str:
    """Write closed lines as text: `"0,0 10,0 10,10; 2,2 4,2 4,4"`."""
    return "; ".join(" ".join(f"{_number(x)},{_number(y)}" for x, y in ring) for ring in rings)


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _iter_areas(part: Element, name: str, shift: Point) -> Iterator[tuple[str, Ring]]:
    """Yield each closed line in a layer, moved by `shift`, after its `name` (if "", its id); skip rotated or scaled parts."""
    for child in part.parts:
        by = parse_translation(child.get("transform"))
        if by is None:
            continue
        at = (shift[0] + by[0], shift[1] + by[1])
        called = name or child.get("id").lstrip("_")
        for ring in _iter_rings(child):
            moved_ring = [(x + at[0], y + at[1]) for x, y in ring]
            if all(abs(x) < _FAR and abs(y) < _FAR for x, y in moved_ring):
                yield called, moved_ring
        yield from _iter_areas(child, called, at)


def parse_translation(transform: str) -> Point | None:
    """Return the shift (x, y) of an SVG transformation; (0, 0) if it is empty, None if it is not a pure translation."""
    if not transform:
        return (0.0, 0.0)
    found = _MOVED.fullmatch(transform)
    return (float(found[1]), float(found[2] or 0)) if found else None


def _iter_rings(shape: Element) -> Iterator[Ring]:
    """Yield the closed lines of a path, polygon or rectangle as lists of points."""
    if shape.name == "path":
        yield from _read_path(shape.get("d"))
    elif shape.name == "polygon":
        numbers = [float(number) for number in re.findall(_NUMBER, shape.get("points"))]
        yield list(zip(numbers[::2], numbers[1::2], strict=False))
    elif shape.name == "rect":
        found = [re.fullmatch(_NUMBER, shape.get(key) or "0") for key in ("x", "y", "width", "height")]
        if all(found):
            x, y, wide, high = (float(number[0]) for number in found if number)
            yield [(x, y), (x + wide, y), (x + wide, y + high), (x, y + high)]


def _read_path(data: str) -> Iterator[Ring]:
    """Yield the closed lines in SVG path data (SVG 1.1, 8.3) as lists of points; arcs become straight lines."""
    ring: Ring = []
    point = start = control = (0.0, 0.0)
    before = ""
    for command, numbers in _iter_path_commands(data):
        kind, dx, dy = command.upper(), *(point if command.islower() else (0.0, 0.0))
        if kind == "Z":
            point = start
            continue
        if kind == "M":
            if ring:
                yield ring
            ring = []
        if kind in "HV":
            ends = [(numbers[0] + dx, point[1]) if kind == "H" else (point[0], numbers[0] + dy)]
        else:
            pairs = numbers[-2:] if kind == "A" else numbers
            ends = [(x + dx, y + dy) for x, y in zip(pairs[::2], pairs[1::2], strict=True)]
        if kind in "ST":  # the control point of the curve before, mirrored
            smooth = before in ("CS" if kind == "S" else "QT")
            ends.insert(0, (2 * point[0] - control[0], 2 * point[1] - control[1]) if smooth and before else point)
        ring += _iter_curve_points([point, *ends])
        control, point, before = ends[-2] if len(ends) > 1 else ends[-1], ends[-1], kind
        if kind == "M":
            start = point
    if ring:
        yield ring


def _iter_path_commands(data: str) -> Iterator[tuple[str, list[float]]]:
    """Yield the commands of SVG path data, each with its numbers, up to the first error; repeat a command for more numbers."""
    command, numbers = "", list[float]()
    for token in _TOKEN.findall(data):
        if token.isalpha():
            command, numbers = token, []
            if token in "Zz":
                yield token, []
            elif token.upper() not in _TAKES:
                return
        elif command in ("", "z", "Z"):
            return
        else:
            numbers.append(float(token))
            if len(numbers) == _TAKES[command.upper()]:
                yield command, numbers
                command, numbers = {"M": "L", "m": "l"}.get(command, command), []


def _iter_curve_points(control_points: Sequence[Point]) -> Iterator[Point]:
    """Yield points along the Bézier curve with these control points, without its start; only the end if it is straight."""
    if len(control_points) == 2:
        yield control_points[1]
        return
    for step in range(1, _STEPS + 1):
        t, points = step / _STEPS, list(control_points)
        while len(points) > 1:  # de Casteljau
            points = [((1 - t) * x + t * u, (1 - t) * y + t * v) for (x, y), (u, v) in pairwise(points)]
        yield points[0]


# ---- Colours of powers ----

_HEXADECIMAL = re.compile(r"#(?P<short>[0-9a-f]{3})(?![0-9a-f])|#(?P<full>[0-9a-f]{6})(?![0-9a-f])")
_RULE = re.compile(r"\.(?P<name>\w+)\s*\{(?P<body>[^{}]*)\}")
_FILL = re.compile(r"(?<![\w-])fill\s*:\s*(?P<colour>#?\w+)")


def format_colour(parts: Sequence[object]) -> str | None:
    """Write red, green and blue, each from 0 to 255, as `#d55e00`; None if the parts are not three such numbers."""
    numbers = [part for part in parts if isinstance(part, int) and 0 <= part <= 255]
    return "#" + "".join(f"{number:02x}" for number in numbers) if len(numbers) == len(parts) == 3 else None


def parse_colour(text: str) -> str | None:
    """Return a CSS colour, which is a name or hexadecimal, as `#d55e00`; None if it is neither."""
    written = fold(text.strip())
    if found := _HEXADECIMAL.fullmatch(written):
        return f"#{found['full'] or ''.join(2 * digit for digit in found['short'])}"
    return _load_colour_names().get(written)


def list_fill_colours(style_sheet: str) -> dict[str, str]:
    """Return the fill colour (`#d55e00`) of each class that has one in a style sheet, by the class's name in lower case."""
    found = {}
    for rule in _RULE.finditer(style_sheet):
        fill = _FILL.search(rule["body"])
        if fill and (colour := parse_colour(fill["colour"])):
            found[fold(rule["name"])] = colour
    return found


@cache
def _load_colour_names() -> Mapping[str, str]:
    """Return the hexadecimal codes (`#d55e00`) of CSS's named colours, by name."""
    return read_toml(data_file("models", "colours.toml"), MapError)
