"""The documentation site: every command and every public name is in it, its links lead somewhere, no page needs a network.

What takes a build (marker `site`) runs in `make docs`, on the site that it has built.
"""

from __future__ import annotations

import ast
import importlib.util
import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType
from urllib.parse import unquote, urlsplit

import click
import pytest

import satjudge
from satjudge.apps.cli import cli
from satjudge.base.imports import cached_property

ROOT = Path(__file__).resolve().parents[2]
BUILT = ROOT / "site"


def loaded() -> ModuleType:
    """The hook that makes pages."""
    description = importlib.util.spec_from_file_location("site_pages", ROOT / "docs" / "site_pages.py")
    assert description
    assert description.loader
    module = importlib.util.module_from_spec(description)
    description.loader.exec_module(module)
    return module


PAGES = loaded()


@cache
def commands() -> dict[str, str]:
    return dict(PAGES.command_pages())


@pytest.mark.parametrize("name", sorted(cli.commands))
def test_each_command_has_a_page_with_all_its_options_and_examples(name: str) -> None:
    page = commands()[f"commands/{name}.md"]
    assert f"]({name}.md)" in commands()["commands/index.md"]
    parameters = [parameter for parameter in cli.commands[name].params if isinstance(parameter, click.Option)]
    options = ["--help", *(option for parameter in parameters for option in parameter.opts if option.startswith("--"))]
    assert [option for option in options if option not in page] == []
    assert f"satjudge {name}" in page.partition("## Examples")[2]


def test_pages_of_commands_link_to_what_help_names_by_its_file() -> None:
    assert "([Maps, and bringing your own](../guides/maps.md))" in commands()["commands/maps.md"]
    assert [name for name, page in commands().items() if re.search(r"(?<!\()\bdocs/[\w/-]+\.md", page)] == []


def test_no_page_stands_for_a_command_that_is_gone() -> None:
    assert len(commands()) == len(cli.commands) + 1


def test_each_module_has_its_place() -> None:
    """Of all modules that are anybody's business, on the page of its room."""
    paths = [path for path in (ROOT / "satjudge").rglob("*.py") if path.with_name("__init__.py").exists()]
    modules = {".".join(path.relative_to(ROOT).with_suffix("").parts) for path in paths}
    public = {name.removesuffix(".__init__") for name in modules if "__main__" not in name}
    documented = {name for _, page in PAGES.api_pages() for name in re.findall(r"^::: (\S+)", page, re.MULTILINE)}
    assert documented == public


def test_each_document_is_in_the_navigation() -> None:
    """MkDocs says so too, but only in a build."""
    navigation = (ROOT / "mkdocs.yml").read_text("utf-8").partition("\nnav:")[2]
    for path in (ROOT / "docs").rglob("*.md"):
        assert path.relative_to(ROOT / "docs").as_posix() in navigation


class Page(HTMLParser):
    """What a page leads to, loads, and can be led to."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.loads: set[str] = set()
        self.anchors: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attributes}
        self.anchors.update(value for name, value in values.items() if name in ("id", "name"))
        if tag == "a" and "href" in values:
            self.links.add(values["href"])
        elif tag == "link" and values.get("rel") not in ("canonical", "prev", "next"):
            self.loads.add(values.get("href", ""))
        elif "src" in values:
            self.loads.add(values["src"])


@cache
def page(path: Path) -> Page:
    return Page(path)


def pages() -> list[Path]:
    found = sorted(path for path in BUILT.rglob("*.html") if path.name != "404.html")  # its links are those of a server
    assert found, "make docs builds the site"
    return found


def broken(path: Path) -> Iterator[str]:
    """The links of a page that lead nowhere."""
    for link in page(path).links | page(path).loads:
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        if (
            not target.is_file()
            or not target.is_relative_to(BUILT)
            or (
                parts.fragment
                and target.suffix == ".html"
                and unquote(parts.fragment) not in page(target).anchors | {"__tabbed"}
            )
        ):
            yield link


@pytest.mark.site
def test_links_lead_somewhere() -> None:
    assert {str(path.relative_to(BUILT)): found for path in pages() if (found := sorted(broken(path)))} == {}


@pytest.mark.site
def test_pages_load_nothing_from_elsewhere() -> None:
    for path in pages():
        assert [one for one in page(path).loads if urlsplit(one).netloc] == [], path
    for style in BUILT.rglob("*.css"):
        assert re.findall(r"url\([\"']?(?:https?:)?//", style.read_text("utf-8")) == [], style


@pytest.mark.site
def test_each_public_name_is_described() -> None:
    """A module at the front door is described in its room."""
    front = page(BUILT / "api" / "satjudge.html").anchors
    described = {anchor for path in (BUILT / "api").glob("*.html") for anchor in page(path).anchors}
    in_rooms = {name for name in satjudge.__all__ if getattr(getattr(satjudge, name), "__name__", "") in described}
    others = [name for name in satjudge.__all__ if name not in in_rooms]
    assert [name for name in others if not {f"satjudge.{name}", f"satjudge.{name}.{name}"} & front] == []
    modules = [module for room in PAGES.rooms().values() for module in room]
    offers = (f"{module}.{name}" for module in modules for name in offered(module))
    assert [name for name in offers if name not in described | {f"satjudge.{one}" for one in in_rooms}] == []


@pytest.mark.site
def test_what_is_read_without_parentheses_is_shown_as_an_attribute() -> None:
    """Whoever writes `position.texts()` gets an error: it is worked out when it is asked for, and then a value."""
    front = (BUILT / "api" / "satjudge.html").read_text("utf-8")
    named = (name for name in satjudge.__all__ if isinstance(getattr(satjudge, name), type))
    asked = [
        f"satjudge.{name}.{attribute}"
        for name in named
        for attribute, value in vars(getattr(satjudge, name)).items()
        if isinstance(value, property | cached_property) and not attribute.startswith("_")
    ]
    headings = dict(re.findall(r'<h\d id="([^"]+)" class="doc doc-heading">(.*?)</h\d>', front, re.DOTALL))
    shown = [name for name in asked if name in headings]
    assert {"satjudge.Board.unit_at", "satjudge.Outcome.next_board", "satjudge.Position.texts"} <= {*shown}
    assert [name for name in shown if "doc-attribute-name" not in headings[name]] == []


def offered(module: str) -> list[str]:
    """The names that a module declares as public."""
    for statement in PAGES._tree(module).body:
        if isinstance(statement, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "__all__" for t in statement.targets):
            return list(ast.literal_eval(statement.value))
    return []


@pytest.mark.site
def test_each_command_is_described_and_found() -> None:
    index = (BUILT / "search" / "search_index.json").read_text(encoding="utf-8")
    for name in cli.commands:
        assert (BUILT / "commands" / f"{name}.html").is_file()
        assert f'"commands/{name}.html"' in index


@pytest.mark.site
def test_nothing_of_the_machine_that_built_the_site_is_in_it() -> None:
    assert not [path for path in BUILT.rglob("*") if path.name == "__pycache__" or path.suffix in (".pyc", ".py")]
