"""Draws positions, outcomes and games as SVG or PNG, for `satjudge.render` and the other rooms."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeAlias

from satjudge.base.errors import RequestError, UnresolvedError

if TYPE_CHECKING:
    from satjudge.game.game import Game
    from satjudge.game.stored_game import Played
    from satjudge.judging.judge import AnyOutcome
    from satjudge.judging.position import Position
    from satjudge.show.pictures import Picture
    from satjudge.show.pictures.geometry import Box
    from satjudge.show.pictures.scene import Scene
    from satjudge.world.board import Board

    Shown: TypeAlias = Board | Position | AnyOutcome | Played


def svg(
    board: Shown | Game,
    outcome: AnyOutcome | None = None,
    *,
    title: str = "",
    theme: str = "auto",
    width: int | None = None,
    whole: bool = False,
    legend: bool = True,
    crop: Box | Game | Iterable[Shown] | None = None,
) -> Picture:
    """Draw a board, a game's current board, or an outcome, position or phase with orders and results, as an SVG document.

    With `outcome`, `board` is the board before it. A position is judged under its own rulebook. For a game, its current board
    is drawn, with the section of the map that `common_crop` finds for the game.

    The theme is `light`, `dark`, or `auto` (the reader's preference). The picture is `width` pixels wide, or as wide as it
    needs, up to 1200. Action in a corner of the map is enlarged, unless you ask for the `whole` map; a full board is shown
    whole. `crop` is the section of the map to show instead, or a game, or positions and outcomes, for which `common_crop` finds
    the section. A map without a drawing is drawn as a schematic.

    Raises `RequestError` for an unknown theme or an outcome of another position, `TypeError` for an unsuitable value.
    """
    from satjudge.game.game import Game
    from satjudge.show.pictures import Look, picture
    from satjudge.show.pictures.geometry import Box

    if isinstance(board, Game):
        crop = board if crop is None else crop
        board = board.board
    _check_arguments(board, outcome)
    scene = _make_scene(board if outcome is None else outcome)
    piece = None if whole else common_crop(crop) if crop is not None and not isinstance(crop, Box) else crop
    return picture([scene], title=title, look=Look(theme, width, whole, legend, piece))


def common_crop(phases: Game | Iterable[Shown]) -> Box:
    """Return the section of the map with the action in these positions and outcomes or a game; the whole map if one is full.

    Pass it to `svg` as `crop`, so that all pictures of a game show the same section: left, top, right and bottom in units of
    the map's geometry. If a board is full, as in nearly every game, the section is the whole map. Raises `ValueError` without a
    phase.
    """
    from satjudge.game.game import Game
    from satjudge.show.pictures.composition import find_common_view
    from satjudge.world.board import Board

    if isinstance(phases, Game):
        phases = [*phases.history, phases.board if phases.is_over else phases.at()]
    shown = list(phases)
    if not shown:
        raise ValueError("common_crop needs at least one position or outcome")
    return find_common_view([one if isinstance(one, Board) else one.board for one in shown], map(_make_scene, shown))


def _make_scene(value: Shown) -> Scene:
    from satjudge.game.stored_game import Played
    from satjudge.judging.judge import read_orders
    from satjudge.judging.position import Position
    from satjudge.show.pictures import position, scene_of
    from satjudge.show.pictures.scene import make_unresolved_scene
    from satjudge.world.board import Board

    if isinstance(value, Played | Position):
        try:
            return scene_of(value.outcome if isinstance(value, Played) else value.judge())
        except UnresolvedError as error:
            given = Position(value.board, read_orders(value.board, value.orders, lenient=True))
            return make_unresolved_scene(given, value.rulebook, error)
    return position(value) if isinstance(value, Board) else scene_of(value)


def _check_arguments(board: object, outcome: object) -> None:
    """Raise `TypeError` for values that `svg` cannot draw, and `RequestError` for an outcome of another board."""
    from satjudge.game.stored_game import Played
    from satjudge.judging.judge import AnyOutcome
    from satjudge.judging.position import Position
    from satjudge.world.board import Board

    for given, kinds in ((board, Board | Position | AnyOutcome | Played), (outcome, AnyOutcome | None)):
        if not isinstance(given, kinds):
            known = "a Board, a Position, or a result (an outcome of the judge, a phase of a Game)"
            raise TypeError(f"svg draws {known}, not {given!r:.60}")
    if isinstance(outcome, AnyOutcome) and board not in (outcome, outcome.board):
        hint = "draw the outcome alone, or with its own board"
        raise RequestError("the outcome belongs to another position", suggestion=hint)


# ---- PNG, without a browser, and with the same font on every machine ----
#
# The extra `pictures` installs both: resvg, which supports the style sheets of the pictures, and the files of the font that
# the style sheet names first.

_IN_OUR_FONT = re.compile("[\n\r\t -~\u00a0-\u017f\u0384-\u038a\u038c\u038e-\u03a1\u03a3-\u03ce\u0400-\u0482–—‘’“”•…]*")
"""Texts whose characters Open Sans has: European languages in Latin, Greek and Cyrillic letters."""


def check_png() -> None:
    """Raise `RequestError` if the library or the font that PNG pictures need is not installed."""
    try:
        import resvg_py  # noqa: F401
        import ttf_opensans  # noqa: F401
    except ImportError as error:
        library = "font Open Sans" if error.name == "ttf_opensans" else "library resvg-py"
        hint = "pip install resvg-py ttf-opensans, or write an .svg"
        raise RequestError(f"PNG pictures need the {library}", suggestion=hint) from None


def to_png(svg: str, background: str = "#ffffff") -> bytes:
    """Convert an SVG picture to PNG at its natural size, on the given background, with the same result on every machine.

    The exception is characters that Open Sans lacks: these are drawn with the machine's own fonts, if one has them. Raises
    `RequestError` if the `pictures` extra is not installed.
    """
    check_png()
    import resvg_py
    from ttf_opensans import OPENSANS_BOLD, OPENSANS_REGULAR

    fonts = [str(font.path) for font in (OPENSANS_REGULAR, OPENSANS_BOLD)]
    ours = _IN_OUR_FONT.fullmatch(svg) is not None
    return bytes(resvg_py.svg_to_bytes(svg_string=svg, background=background, font_files=fonts, skip_system_fonts=ours))
