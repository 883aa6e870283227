"""Formats values for `print` and for notebooks: as the tables of the commands, in notebooks as HTML with a picture.

A notebook calls `_repr_html_` (`satjudge.base.values`). Cells of tables become HTML cells, so each table is defined once.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import cast
from xml.etree.ElementTree import Element

from satjudge.base.errors import RequestError, UnresolvedError
from satjudge.base.values import Displayable
from satjudge.explain.compare import ComparedCase
from satjudge.files.documents import described_map
from satjudge.game.documents import make_game_document
from satjudge.game.game import Game
from satjudge.game.stored_game import Played
from satjudge.judging.adjustments import AdjustmentOutcome
from satjudge.judging.judge import iter_outcomes
from satjudge.judging.outcome import Outcome
from satjudge.judging.position import Position
from satjudge.judging.retreats import RetreatOutcome
from satjudge.judging.solve.result import Resolutions
from satjudge.show.games import make_game_table
from satjudge.show.layout import Cell, Column, Group, Listing, Part, StyledText
from satjudge.show.maps import make_map_tables
from satjudge.show.pictures import Look, Scene, picture
from satjudge.show.pictures.composition import format_element
from satjudge.show.pictures.scene import make_movement_scene
from satjudge.show.rendering import svg
from satjudge.show.report.html import make_node
from satjudge.show.text import (
    format_plain,
    make_comparison_table,
    make_orders_table,
    make_position_table,
    make_resolutions_table,
    make_spoken_table,
)
from satjudge.world.board import Board, group_pairs, starting_board
from satjudge.world.geography import Map

WIDTH = 900
"""The width of a picture, in pixels."""
_FIRST = 5
"""The maximum number of resolutions that are shown."""


def as_text(value: Displayable | ComparedCase) -> str:
    """Return the text that `print` shows for a value: the same table as in the output of commands."""
    return format_plain(_make_table(value))


def as_html(value: Displayable) -> str:
    """Return the HTML that a notebook shows for a value: a picture (if the map is not too large) and a table."""
    picture, table = "", "".join(format_element(part, "html") for part in _iter_elements(_make_table(value)))
    with suppress(RequestError):
        picture = _draw_picture(value)
    return f'<div style="overflow-x: auto">{picture}{table}</div>'


def _make_table(value: Displayable | ComparedCase) -> Part:
    match value:
        case ComparedCase():
            return make_comparison_table(value, value.game_map)
        case Board():
            return make_position_table(value)
        case Position():
            return Group(make_position_table(value.board), make_orders_table(value))
        case Resolutions():
            return make_resolutions_table(value, None, most_shown=_FIRST)
        case Game():
            return make_game_table(make_game_document(value))
        case Played():
            return Group(StyledText(value.phase_name, style="bold"), _format_outcome(value))
        case Map():
            return make_map_tables(described_map(value))
        case Outcome() | RetreatOutcome() | AdjustmentOutcome():
            return make_spoken_table(value)
    raise TypeError(f"{type(value).__name__} cannot be shown as a table")


def _format_outcome(played: Played) -> Part:
    try:
        return Group(make_spoken_table(played.outcome), *map(StyledText, played.missing_remarks))
    except UnresolvedError as error:
        return Group(make_position_table(played.board), StyledText(f"Unresolved: {error}"))


def _draw_picture(value: Displayable) -> str:
    """Draw a value as an SVG text: a board, outcome or game, a map's starting position, or the first resolutions."""
    if isinstance(value, Resolutions):
        return picture([*_iter_scenes(value)], look=Look(width=WIDTH))
    return svg(starting_board(value) if isinstance(value, Map) else cast("Board | Game", value), width=WIDTH)


def _iter_scenes(resolutions: Resolutions) -> Iterator[Scene]:
    """Yield a scene for each of the first resolutions, in which it is the outcome of the orders."""
    situation = resolutions.situation
    orders = group_pairs((decision.power, decision.order) for decision in situation.order_decisions)
    for number, outcome in enumerate(iter_outcomes(resolutions, orders, resolutions.list_first(_FIRST)), 1):
        yield make_movement_scene(outcome, f"Resolution {number} of {resolutions.count:,}")


def _iter_elements(shown: Part) -> Iterator[Element]:
    """Yield the HTML elements for the tables and texts in a part."""
    if isinstance(shown, Group):
        for part in shown.parts:
            yield from _iter_elements(part)
    elif isinstance(shown, Listing):
        cells = ([_make_cell("td", *one) for one in zip(row, shown.columns, strict=True)] for row in shown.rows)
        rows = [make_node("tr", *row) for row in cells]
        heading = [_make_cell("th", column.heading, column) for column in shown.columns] if shown.show_header else []
        yield make_node("table", make_node("thead", make_node("tr", *heading)), make_node("tbody", *rows))
    else:
        yield make_node("div", _make_words(shown))


def _make_cell(tag: str, content: Cell, column: Column) -> Element:
    return make_node(tag, _make_words(content), style=f"text-align: {'right' if column.right else 'left'}")


def _make_words(content: Cell) -> Element | str:
    """Return the text of a cell, as a `<b>` element if any part of it is bold."""
    if isinstance(content, str):
        return content
    return make_node("b", content.plain_text) if content.is_bold else content.plain_text
