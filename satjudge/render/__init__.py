"""Shows results to people, as tables, plots, pictures and pages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from satjudge.lazy import submodules as _submodules

if TYPE_CHECKING:
    from satjudge.board import Board
    from satjudge.judge import AnyOutcome
    from satjudge.render import png as png
    from satjudge.render.pictures import Picture
    from satjudge.render.pictures.geometry import Box
    from satjudge.render.pictures.scene import Scene
else:
    __getattr__ = _submodules("satjudge.render", "png")


def svg(
    board: Board | AnyOutcome,
    outcome: AnyOutcome | None = None,
    *,
    title: str = "",
    theme: str = "auto",
    width: int | None = None,
    whole: bool = False,
    legend: bool = True,
    crop: Box | None = None,
) -> Picture:
    """A position as an SVG document; with an outcome, or just an outcome, its orders and what became of them.

    The theme is `light`, `dark`, or `auto`, what the reader prefers. The picture is `width` pixels wide, or as wide as it
    needs, up to 1200. What happens in a corner of the map is shown enlarged, unless the `whole` map is asked for; a full
    board is shown whole. `crop` is the piece of the map to show in place of that: `common_crop` gives one for a whole game.
    A map that nobody has drawn is drawn as a schematic.

    Raises `RequestError` for an unknown theme or an outcome of another position, `TypeError` for what is neither a position
    nor an outcome.
    """
    from satjudge.render.pictures import Look, picture

    _check(board, outcome)
    scene = _scene(board if outcome is None else outcome)
    return picture([scene], title=title, look=Look(theme, width, whole, legend, crop))


def common_crop(phases: Iterable[Board | AnyOutcome]) -> Box:
    """The piece of the map that shows what happens in all of these, for the argument `crop` of `svg`.

    So the pictures of a game lie on each other: left, top, right and bottom in units of the map's geometry.
    Raises `ValueError` where there are no phases.
    """
    from satjudge.render.pictures import Look
    from satjudge.render.pictures.composition import view_of
    from satjudge.render.pictures.look_of_maps import geometry_of

    scenes = [_scene(one) for one in phases]
    if not scenes:
        raise ValueError("common_crop needs at least one position or outcome")
    return view_of(geometry_of(scenes[0].board.map), scenes, Look())


def _scene(shown: Board | AnyOutcome) -> Scene:
    from satjudge.board import Board
    from satjudge.render.pictures import position, scene_of

    return position(shown) if isinstance(shown, Board) else scene_of(shown)


def _check(board: object, outcome: object) -> None:
    """Refuse what is no position or outcome, and an outcome that does not belong to the position."""
    from satjudge.board import Board
    from satjudge.errors import RequestError
    from satjudge.judge import AnyOutcome

    for given, kinds in ((board, Board | AnyOutcome), (outcome, AnyOutcome | None)):
        if not isinstance(given, kinds):
            raise TypeError(f"svg draws a Board, or what became of one (an outcome of the judge), not {given!r:.60}")
    if isinstance(outcome, AnyOutcome) and board not in (outcome, outcome.board):
        hint = "draw the outcome alone, or with its own board"
        raise RequestError("the outcome is that of another position", suggestion=hint)
