"""Makes the page about a phase of a game that a game master sends out, and its pictures as files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from xml.etree.ElementTree import Element

from satjudge.explain.words.player_text import Said
from satjudge.explain.words.verdict_text import NOT_ORDERED
from satjudge.game.documents import GameReport, find_reported_phase, make_game_report
from satjudge.game.game import Game
from satjudge.show.game_reports import Part, format_foot, format_title, insert_hard_spaces, iter_parts
from satjudge.show.pictures import Look, Picture, Scene, picture, position, scene_of
from satjudge.show.pictures.composition import PagePlace, choose_styles, draw_document, draw_hidden_map, list_legend_keys
from satjudge.show.pictures.palette import PowerStyle
from satjudge.show.rendering import common_crop
from satjudge.show.report.html import (
    Content,
    Section,
    format_page,
    make_figure,
    make_node,
    make_swatch,
    make_table,
    make_verdict,
)

_MAP = "the-map"


@dataclass(frozen=True)
class GamePage:
    """The report on a phase of a game, with pictures that show the same section of the map in every phase."""

    game: Game
    phase: str | None = None
    """The name of the phase, by default the last one that was played."""
    deadline: str | None = None
    details: bool = False
    """True if orders are described in the words of the rules."""

    @cached_property
    def report(self) -> GameReport:
        """The content of the report, as plain data."""
        return make_game_report(self.game, self.phase, deadline=self.deadline)

    @cached_property
    def scenes(self) -> dict[str, Scene]:
        """The scenes of the pictures by file name: `orders`, if the phase was played, and the `position` after it."""
        played, following = find_reported_phase(self.game, self.phase)
        after = {"position": position(following.board)}
        return {"orders": scene_of(played.outcome), **after} if played else after

    @cached_property
    def _look(self) -> Look:
        # The current phase shows just the position: its orders are still secret.
        return Look(legend=False, crop=common_crop([*self.game.history, self.game.board]))

    def draw_pictures(self) -> dict[str, Picture]:
        """Draw the pictures in the light theme, to be written as files; return them by the names of `scenes`."""
        look = Look("light", crop=self._look.crop)
        return {
            name: picture([scene], title=f"{format_title(self.report)}, the {name}", look=look)
            for name, scene in self.scenes.items()
        }

    def format_page(self) -> str:
        """Return the whole HTML page, which needs no network and no other file."""
        return format_page(format_title(self.report), self._iter_sections(), footer=format_foot(self.report))

    def _iter_sections(self) -> Iterator[Section]:
        pictures = {"Results": "orders", "The position now": "position"}
        scenes, first = list(self.scenes.values()), True
        for part in iter_parts(self.report, for_players=not self.details):
            name = pictures.get(part.title, "")
            content: list[Content] = []
            if name in self.scenes:
                content = [make_figure(draw_document([self.scenes[name]], look=self._look, page=PagePlace(name, _MAP)))]
                if first:
                    keys = (make_node("li", key, word) for key, word in list_legend_keys(scenes, self._look))
                    content = [draw_hidden_map(scenes, _MAP, self._look), *content, make_node("ul", *keys, class_="legend")]
                first = False
            yield Section(part.title, [*content, *self._iter_content(part)], "-".join(part.title.lower().split()))

    def _iter_content(self, part: Part) -> Iterator[Content]:
        if part.lines:
            yield make_node("ul", *(make_node("li", insert_hard_spaces(line)) for line in part.lines))
        blocks = [self._make_block(power, map(_make_order, given)) for power, given in part.orders.items()]
        blocks += [
            self._make_block(power, (make_node("p", insert_hard_spaces(line), class_="said") for line in lines))
            for power, lines in part.listed.items()
        ]
        if blocks:
            yield make_node("div", *blocks, class_="blocks")
        if part.columns:
            heads = [self._make_power_head(name) for name in part.columns]
            rows: list[list[Content]] = [[year, *map(_make_count, counts)] for year, *counts in part.rows]
            yield make_node("div", make_table(heads, rows, part.title, numbers=range(1, len(heads))), class_="chart")

    def _make_block(self, power: str, content: Iterable[Element]) -> Element:
        """Make an element for one power: its letters, its name, and the content below it."""
        return make_node(
            "div", make_node("h3", make_swatch(self._power_styles.get(power)), power, class_="power"), *content, class_="block"
        )

    def _make_power_head(self, name: str) -> Content:
        """Return a column's heading: for a power's name, its letters, with the name as a tooltip; other texts unchanged."""
        swatch = make_swatch(self._power_styles.get(name))
        return name if swatch is None else make_node("abbr", swatch, title=name)

    @cached_property
    def _power_styles(self) -> dict[str, PowerStyle]:
        """The style of each power in the pictures, by the full name of the power."""
        return {style.name: style for style in choose_styles(self.scenes.values()).values()}


def _make_count(cell: str) -> Element:
    count, _, change = cell.partition(" ")
    return make_node("span", count, make_node("small", change.strip("()")))


def _make_order(entry: Said) -> Element:
    outcome = make_node("span", _make_head(entry), insert_hard_spaces(entry.rest), class_="outcome")
    return make_node("div", make_node("span", insert_hard_spaces(entry.order), class_="text"), " ", outcome, class_="order")


def _make_head(entry: Said) -> Element:
    """Make an element with the first words of an order's result, in the colour of its verdict."""
    first, _, _ = entry.verdict.partition(", ")
    if entry.head == entry.verdict or first == NOT_ORDERED:
        return make_verdict(entry.head)
    return make_node("span", entry.head, class_=f"verdict {first}")
