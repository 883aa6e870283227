"""What pages are made of: elements, tables, and one self-contained page. Text is text: whatever it holds is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple
from xml.etree.ElementTree import Element

from satjudge.render.pictures.composition import serialised
from satjudge.render.report.assets import SCRIPT, STYLE

Content = Element | str | None
"""What an element may hold; None is nothing."""


class Section(NamedTuple):
    """A part of a page, with a heading."""

    title: str
    content: Sequence[Content]
    identity: str = ""


def node(tag: str, *content: Content, **attributes: object) -> Element:
    """An element with its content. `class_` is `class`, other underscores are hyphens; None is left out."""
    named = {name.rstrip("_").replace("_", "-"): str(value) for name, value in attributes.items() if value is not None}
    made = Element(tag, named)
    last: Element | None = None
    for part in content:
        if isinstance(part, Element):
            made.append(part)
            last = part
        elif part and last is not None:
            last.tail = (last.tail or "") + part
        elif part:
            made.text = (made.text or "") + part
    return made


def hidden(yes: bool) -> str | None:
    """The attribute `hidden`."""
    return "" if yes else None


def table(
    headings: Sequence[Content], rows: Iterable[Sequence[Content]], label: str, *, numbers: Iterable[int] = ()
) -> Element:
    """A table that scrolls by itself where the page is narrow; the columns `numbers` are set to the right."""
    right = {*numbers}

    def cell(tag: str, content: Content, column: int) -> Element:
        scope = "col" if tag == "th" else None
        return node(tag, content, class_="number" if column in right else None, scope=scope)

    head = node("tr", *(cell("th", heading, column) for column, heading in enumerate(headings)))
    body = [node("tr", *(cell("td", content, column) for column, content in enumerate(row))) for row in rows]
    return scrolling(node("table", node("thead", head), node("tbody", *body)), label)


def scrolling(content: Element, label: str, *classes: str) -> Element:
    """A box whose content may be wider than the page and then scrolls by itself, also from the keyboard."""
    return node("div", content, class_=" ".join(("scroll", *classes)), role="region", aria_label=label, tabindex="0")


def figure(drawing: Element, **attributes: object) -> Element:
    """A picture in a box where it can be made larger and then scrolls."""
    return node("figure", node("div", drawing, class_="picture"), **attributes)


def prose(words: str) -> Element:
    """Words in a table that may be broken into lines; orders and verdicts are not."""
    return node("span", words, class_="long")


def verdict(word: str) -> Element:
    """A verdict, coloured by what it says."""
    first, *fate = word.split(", ")
    parts: list[Content] = [node("span", first, class_=f"verdict {first}")]
    for one in fate:
        parts += [", ", node("span", one, class_=f"verdict {one}")]
    return node("span", *parts)


def section(part: Section) -> Element:
    """A section as an element."""
    name = f"{part.identity}-heading" if part.identity else None
    heading = node("h2", part.title, id=name)
    return node("section", heading, *part.content, id=part.identity or None, aria_labelledby=name)


def page(title: str, sections: Iterable[Section], *, subtitle: str = "", made: str = "") -> str:
    """One page that needs nothing else: no network, no other file. `made` says at its foot how it was made."""
    # The browser itself sees to it that nothing is fetched and no foreign script runs.
    policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
    head = node(
        "head",
        node("meta", charset="utf-8"),
        node("meta", name="viewport", content="width=device-width, initial-scale=1"),
        node("meta", http_equiv="Content-Security-Policy", content=policy),
        node("meta", name="color-scheme", content="light dark"),
        node("link", rel="icon", href="data:,"),  # or browsers ask for /favicon.ico
        node("title", title),
        node("style", STYLE),
    )
    header = node("header", node("h1", title), node("p", subtitle, class_="subtitle") if subtitle else None)
    main = node("main", *map(section, sections))
    foot = node("footer", node("p", made)) if made else None
    body = node("body", header, main, foot, node("script", SCRIPT))
    return "<!DOCTYPE html>\n" + serialised(node("html", head, body, lang="en"), "html") + "\n"
