"""Shows values: by `print` with the tables of the commands, in notebooks with a picture and the same tables as HTML.

A notebook asks a value for `_repr_html_` (`satjudge.base.values`). Cells of tables become cells; so each table is stated once.
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
from satjudge.game.documents.games import shown_game
from satjudge.game.game import Game
from satjudge.game.kept_game import Played
from satjudge.judging.adjustments import AdjustmentOutcome
from satjudge.judging.judge import outcomes_of
from satjudge.judging.outcome import Outcome
from satjudge.judging.position import Position
from satjudge.judging.retreats import RetreatOutcome
from satjudge.judging.solve.result import Resolutions
from satjudge.show.games import game_table
from satjudge.show.layout import Cell, Column, Group, Listing, Part, Text
from satjudge.show.maps import described_table
from satjudge.show.pictures import Look, Scene, picture
from satjudge.show.pictures.composition import element_text
from satjudge.show.pictures.scene import movement
from satjudge.show.rendering import svg
from satjudge.show.report.html import node
from satjudge.show.text import comparison_table, orders_table, plain_text, position_table, resolutions_table, spoken_table
from satjudge.world.board import Board, group_pairs, starting_board
from satjudge.world.geography import Map

WIDTH = 900
"""The width of a picture, in pixels."""
_FIRST = 5
"""The number of resolutions that are shown."""


def as_text(shown: Displayable | ComparedCase) -> str:
    """Write the table that `print` shows of a value: that of the command which shows the same."""
    return plain_text(_table(shown))


def as_html(shown: Displayable) -> str:
    """Write the picture and the table that a notebook shows of a value; no picture if the map is too large to be drawn."""
    drawn, table = "", "".join(element_text(part, "html") for part in _elements(_table(shown)))
    with suppress(RequestError):
        drawn = _picture(shown)
    return f'<div style="overflow-x: auto">{drawn}{table}</div>'


def _table(shown: Displayable | ComparedCase) -> Part:
    match shown:
        case ComparedCase():
            return comparison_table(shown, shown.game_map)
        case Board():
            return position_table(shown)
        case Position():
            return Group(position_table(shown.board), orders_table(shown))
        case Resolutions():
            return resolutions_table(shown, None, shown=_FIRST)
        case Game():
            return game_table(shown_game(shown))
        case Played():
            return Group(Text(shown.phase_name, style="bold"), _format_outcome(shown))
        case Map():
            return described_table(described_map(shown))
        case Outcome() | RetreatOutcome() | AdjustmentOutcome():
            return spoken_table(shown)
    raise TypeError(f"{type(shown).__name__} has no table")


def _format_outcome(played: Played) -> Part:
    try:
        return Group(spoken_table(played.outcome), *map(Text, played.told_missing))
    except UnresolvedError as error:
        return Group(position_table(played.board), Text(f"Unresolved: {error}"))


def _picture(shown: Displayable) -> str:
    """Draw orders with their results, or only the position."""
    if isinstance(shown, Resolutions):
        return picture([*_resolutions(shown)], look=Look(width=WIDTH))
    return svg(starting_board(shown) if isinstance(shown, Map) else cast("Board | Game", shown), width=WIDTH)


def _resolutions(found: Resolutions) -> Iterator[Scene]:
    """List the first resolutions, each as if it alone were the outcome of the orders."""
    situation = found.situation
    orders = group_pairs((decision.power, decision.order) for decision in situation.order_decisions)
    for number, outcome in enumerate(outcomes_of(found, orders, found.first(_FIRST)), 1):
        yield movement(outcome, f"Resolution {number} of {found.count:,}")


def _elements(shown: Part) -> Iterator[Element]:
    """Write tables and texts as HTML."""
    if isinstance(shown, Group):
        for part in shown.parts:
            yield from _elements(part)
    elif isinstance(shown, Listing):
        cells = ([_cell("td", *one) for one in zip(row, shown.columns, strict=True)] for row in shown.rows)
        rows = [node("tr", *row) for row in cells]
        heading = [_cell("th", column.heading, column) for column in shown.columns] if shown.show_header else []
        yield node("table", node("thead", node("tr", *heading)), node("tbody", *rows))
    else:
        yield node("div", _words(shown))


def _cell(tag: str, content: Cell, column: Column) -> Element:
    return node(tag, _words(content), style=f"text-align: {'right' if column.right else 'left'}")


def _words(content: Cell) -> Element | str:
    """Write a text, bold if a part of it is."""
    if isinstance(content, str):
        return content
    return node("b", content.plain) if content.is_bold else content.plain
