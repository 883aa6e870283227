"""What people see: tables, plots, pictures, pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from satjudge.board import Board
    from satjudge.judge import Orders
    from satjudge.render.pictures import Picture
    from satjudge.render.pictures.scene import AnyOutcome


def svg(
    board: Board | AnyOutcome,
    outcome: AnyOutcome | None = None,
    *,
    orders: Orders | None = None,
    title: str = "",
    theme: str = "auto",
    width: int | None = None,
    whole: bool = False,
    legend: bool = True,
) -> Picture:
    """A position as an SVG document; with an outcome, or just an outcome, its orders and what became of them.

    The outcomes of retreats and adjustments do not hold their orders: give them, or the position afterwards is shown. The
    theme is `light`, `dark`, or `auto`, what the reader prefers. The picture is `width` pixels wide, or as wide as it needs,
    up to 1200. What happens in a corner of the map is shown enlarged, unless the `whole` map is asked for.
    Raises `NotFoundError` for a map without geometry, `RequestError` for an unknown theme.
    """
    from satjudge.board import Board
    from satjudge.judge import read_orders
    from satjudge.render.pictures import Look, picture, position, scene_of

    if not isinstance(board, Board):
        outcome = board
        board = outcome.board
    given = read_orders(board, orders) if orders is not None else None
    scene = scene_of(outcome, given) if outcome is not None else position(board)
    return picture([scene], title=title, look=Look(theme, width, whole, legend))


def notebook_svg(board: Board, outcome: AnyOutcome | None = None) -> str | None:
    """What notebooks show; nothing if the map has no geometry."""
    from satjudge.errors import NotFoundError

    try:
        return str(svg(board, outcome, width=900))
    except NotFoundError:
        return None
