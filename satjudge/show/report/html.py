"""Makes self-contained HTML pages from elements and tables, with all text escaped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from xml.etree.ElementTree import Element

from satjudge.show.pictures import Look, Scene, position
from satjudge.show.pictures.composition import PagePlace, draw_document, draw_hidden_map, format_element
from satjudge.show.pictures.palette import DARK, LIGHT, PowerStyle, Theme
from satjudge.world.board import Board
from satjudge.world.verdicts import AnyVerdict, NoVerdict, Verdict

Content = Element | str | None
"""A part of the content of an element; None stands for nothing."""


class Section(NamedTuple):
    """A part of a page, with a heading."""

    title: str
    content: Sequence[Content]
    identity: str = ""
    folded: Sequence[Fold] = ()
    """The parts that can be opened below the section's content.

    The table of contents lists each title once, and links to the first part with it.
    """


class Fold(NamedTuple):
    """A part of a page that a reader can open: its heading with a remark, and its content."""

    title: str
    remark: str
    content: Sequence[Content]
    identity: str


def make_node(tag: str, *content: Content, **attributes: object) -> Element:
    """Make an HTML element with this tag, content and attributes.

    `class_` means `class`; other underscores become hyphens. Attributes that are None are left out.
    """
    texts = {name.rstrip("_").replace("_", "-"): str(value) for name, value in attributes.items() if value is not None}
    node = Element(tag, texts)
    last: Element | None = None
    for part in content:
        if isinstance(part, Element):
            node.append(part)
            last = part
        elif part and last is not None:
            last.tail = (last.tail or "") + part
        elif part:
            node.text = (node.text or "") + part
    return node


def format_hidden(is_hidden: bool) -> str | None:
    """Return the value of the attribute `hidden` for `make_node`: "" to hide the element, None not to."""
    return "" if is_hidden else None


def make_table(
    headings: Sequence[Content], rows: Iterable[Sequence[Content]], label: str, *, numbers: Iterable[int] = ()
) -> Element:
    """Make an HTML table in a scrolling box with this label; `numbers` are right-aligned columns, one-cell rows headings.

    In a table of several columns, a row of a single cell is a heading for the rows below it.
    """
    right = {*numbers}

    def cell(tag: str, content: Content, column: int) -> Element:
        scope = "col" if tag == "th" else None
        return make_node(tag, content, class_="number" if column in right else None, scope=scope)

    def line(row: Sequence[Content]) -> Element:
        if len(row) == 1 < len(headings):
            return make_node("tr", make_node("th", *row, scope="rowgroup", colspan=len(headings)))
        return make_node("tr", *(cell("td", content, column) for column, content in enumerate(row)))

    head = make_node("tr", *(cell("th", heading, column) for column, heading in enumerate(headings)))
    body = map(line, rows)
    return make_scrolling_box(make_node("table", make_node("thead", head), make_node("tbody", *body)), label)


def make_scrolling_box(content: Element, label: str, *classes: str) -> Element:
    """Wrap content that may be wider than the page in a box that scrolls, also by keys; screen readers read the label."""
    return make_node("div", content, class_=" ".join(("scroll", *classes)), role="region", aria_label=label, tabindex="0")


def make_figure(drawing: Element, **attributes: object) -> Element:
    """Wrap an SVG picture in a figure, with these attributes, that a reader can enlarge and scroll."""
    drawing.set("style", f"--ratio:{float(drawing.get('width', 1)) / float(drawing.get('height', 1)):.3f}")
    return make_node("figure", make_node("div", drawing, class_="picture"), **attributes)


def make_prose(words: str) -> Element:
    """Wrap a text in an element whose lines may be broken, unlike those of orders and verdicts."""
    return make_node("span", words, class_="long")


def make_verdict(words: AnyVerdict | str) -> Element:
    """Make an element for a verdict, with each word in its colour, or for other text, without colours."""
    if not isinstance(words, Verdict | NoVerdict):
        return make_node("span", words)
    first, *fate = (make_node("span", word, class_=f"verdict {word}") for word in words.words)
    return make_node("span", first, *(part for one in fate for part in (", ", one)))


def make_swatch(style: PowerStyle | None) -> Element | None:
    """Make an element with a power's letters on its colour, as on its units in pictures; None if there is no style."""
    look = f"background:{style.colour};color:{style.ink}" if style else ""
    return make_node("span", style.letters, class_="swatch", style=look) if style else None


def _make_section(part: Section) -> Element:
    name = f"{part.identity}-heading" if part.identity else None
    heading = make_node("h2", part.title, id=name)
    folded = make_node("div", *map(_make_fold, part.folded), class_="folds") if part.folded else None
    return make_node("section", heading, *part.content, folded, id=part.identity or None, aria_labelledby=name)


def _make_fold(part: Fold) -> Element:
    remark = make_node("span", part.remark, class_="faint")
    return make_node(
        "details",
        make_node("summary", make_node("h3", part.title), " ", remark),
        *part.content,
        id=part.identity,
        class_="fold",
    )


def _make_contents(sections: Iterable[Section]) -> Element:
    """Make a table of contents for the sections; links to folded parts open these."""
    heading = make_node("h2", "Contents", id="contents")
    return make_node("nav", heading, make_node("ul", *map(_make_link, sections)), aria_labelledby="contents", class_="contents")


def _make_link(part: Section | Fold) -> Element:
    folded = part.folded if isinstance(part, Section) else ()
    first = {one.title: one for one in reversed(folded)}
    titles = [_make_link(first[title]) for title in dict.fromkeys(one.title for one in folded)]
    below = make_node("ul", *titles) if titles else None
    return make_node("li", make_node("a", part.title, href=f"#{part.identity}"), below)


def format_page(
    title: str,
    sections: Iterable[Section],
    *,
    subtitle: str = "",
    footer: str = "",
    sticky_sections: int = 0,
    has_contents: bool = False,
) -> str:
    """Return an HTML page that needs no network and no other file, with a title, sections, and a footer, if given.

    The first `sticky_sections` sections are put together, and remain visible beside the others. With `has_contents`, there is a
    table of contents.
    """
    # With this policy, the browser fetches nothing and runs no foreign script.
    policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
    head = make_node(
        "head",
        make_node("meta", charset="utf-8"),
        make_node("meta", name="viewport", content="width=device-width, initial-scale=1"),
        make_node("meta", http_equiv="Content-Security-Policy", content=policy),
        make_node("meta", name="color-scheme", content="light dark"),
        make_node("link", rel="icon", href="data:,"),  # or browsers would request /favicon.ico
        make_node("title", title),
        make_node("style", _format_style()),
    )
    header = make_node("header", make_node("h1", title), make_node("p", subtitle, class_="subtitle") if subtitle else None)
    parts = list(sections)
    together, rest = [*map(_make_section, parts[:sticky_sections])], [*map(_make_section, parts[sticky_sections:])]
    main = make_node(
        "main",
        _make_contents(parts) if has_contents else None,
        make_node("div", *together, class_="board") if together else None,
        *rest,
    )
    foot = make_node("footer", make_node("p", footer)) if footer else None
    body = make_node("body", header, main, foot, make_node("script", _read_file("page.js")))
    return "<!DOCTYPE html>\n" + format_element(make_node("html", head, body, lang="en"), "html") + "\n"


def _format_style() -> str:
    dark = f"@media (prefers-color-scheme:dark){{:root{{{_format_colours(DARK, _DARK)}}}}}"
    return f"\n:root{{{_format_colours(LIGHT, _LIGHT)}}}\n{dark}{_read_file('page.css')}"


_LIGHT = "--faint:#5b636b;--card:#f4f6f8;--link:#0b5cad;--line:#d5dadf;--shade:#0004"
_DARK = "--faint:#a2abb4;--card:#1d2328;--link:#7db8f0;--line:#3a434b;--shade:#000d"


def _format_colours(theme: Theme, others: str) -> str:
    """Return the CSS variables for a page's colours: those of a theme for pictures, then the `others`."""
    return f"--paper:{theme.paper};--ink:{theme.ink};--good:{theme.good};--bad:{theme.bad};{others}"


def _read_file(name: str) -> str:
    """Return a line break and the text of the file of that name in this folder."""
    return "\n" + Path(__file__).with_name(name).read_text(encoding="utf-8")


# ---- pictures that share a map, so that a page contains each map once ----

_LOOK = Look(width=700, legend=False)


class SharedMaps:
    """The pictures of a page, and the hidden maps that they share, which can be anywhere on the page."""

    def __init__(self) -> None:
        self._boards: dict[str, Board] = {}
        self._drawn = 0

    def iter_figures(self, scenes: Iterable[Scene]) -> Iterator[Element]:
        """Yield a figure for each scene; it refers to the hidden map that `iter_maps` yields."""
        for scene in scenes:
            board = scene.board
            self._boards.setdefault(board.map.exact_name, board)
            self._drawn += 1
            page = PagePlace(f"case-{self._drawn}", self._name_map(board.map.exact_name))
            yield make_figure(draw_document([scene], look=_LOOK, page=page))

    def iter_maps(self) -> Iterator[Element]:
        """Yield the hidden maps to which the figures made so far refer."""
        for name, board in self._boards.items():
            yield draw_hidden_map([position(board)], self._name_map(name), Look(whole=True))

    def _name_map(self, exact_name: str) -> str:
        """Return the id of the map with this exact name on the page: `map-1`."""
        return f"map-{[*self._boards].index(exact_name) + 1}"
