"""Pages of the documentation site that are not written by hand: a hook of MkDocs (mkdocs.yml).

- CONTRIBUTING.md and its like, which stand at the top of the project, become pages.
- Each command gets a page, made from the same options and texts as its `--help`.
- Each room of the package gets a page with its public names, made from their docstrings by mkdocstrings.
- The pages of engines are made from the runs in docs/engine-runs.
- A file of the project that a page links to (a case, a rulebook) is copied into the site, so that the link works there.
"""

from __future__ import annotations

import ast
import html
import posixpath
import re
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

import click

from satjudge.apps.cli import cli
from satjudge.engines.documents.conformance import read_runs
from satjudge.show.report import make_engine_pages

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
AT_THE_TOP = {
    "ARCHITECTURE.md": "architecture.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "RELEASE.md": "release.md",
    "CHANGELOG.md": "changelog.md",
}
"""Documents outside docs/ and their pages."""

LINK = re.compile(r"(?<=\]\()(?!\w+:|#)([^)\s#]+)(#[^)\s]*)?(?=\))")
AS_TEXT = {".py", ".toml"}
"""Browsers show these only as plain text."""

INTERFACE = """
What programs use stands in [`satjudge`](satjudge.md): `from satjudge import judge`. The other parts are for those who go
further, or change satjudge itself.
"""


# Commands


def command_page(name: str, command: click.Command) -> str:
    """One command: what it does, its options, examples, and the guide that docs/reference/command-line.md names for it."""
    context = click.Context(command, parent=click.Context(cli, info_name="satjudge", **cli.context_settings), info_name=name)
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    options = [one.get_help_record(context) for one in command.get_params(context) if isinstance(one, click.Option)]
    rows = [f"| <code>{_cell(names)}</code> | {_cell(meaning)} |" for names, meaning in filter(None, options)]
    parts = [f"# satjudge {name}", _prose(command.help or ""), f"```\n{usage}\n```"]
    guide = re.search(
        rf"^\| `satjudge {name}.*\((\[[^\]]+\])\(([^)]+)\)\)", _read("docs/reference/command-line.md"), re.MULTILINE
    )
    if guide:
        target = posixpath.normpath(f"reference/{guide[2].partition('#')[0]}")
        parts.append(f"More about it: [{_title(DOCS / target)}](../{target}).")
    if isinstance(command, click.Group):
        listed = [
            f"| <code>satjudge {name} {part}</code> | {_cell(one.help or '')} |" for part, one in command.commands.items()
        ]
        parts += ["## What it can do", "\n".join(["| command | what it does |", "|---|---|", *listed])]
    parts += ["## Options", "\n".join(["| option | meaning |", "|---|---|", *rows])]
    if command.epilog:
        examples = command.epilog.removeprefix("Examples:").split("·")
        parts += ["## Examples", "```sh\n" + "\n".join(one.strip() for one in examples) + "\n```"]
    return "\n\n".join(parts) + "\n"


def command_pages() -> Iterator[tuple[str, str]]:
    """The address and text of every command's page, and of the list of them."""
    commands = {name: cli.commands[name] for name in sorted(cli.commands)}
    rows = [f"| [`satjudge {name}`]({name}.md) | {_cell(one.get_short_help_str(200))} |" for name, one in commands.items()]
    table = "\n".join(["| command | what it does |", "|---|---|", *rows])
    yield "commands/index.md", f"# Commands\n\n{_prose(cli.help or '')}\n\nEach explains itself with `--help`.\n\n{table}\n"
    for name, command in commands.items():
        yield f"commands/{name}.md", command_page(name, command)


def _prose(text: str) -> str:
    parts = text.replace("\b", "").split("\n\n")
    return "\n\n".join(_linked(html.escape(" ".join(part.split()), quote=False)) for part in parts)


def _cell(text: str) -> str:
    return _linked(html.escape(" ".join(text.split()), quote=False).replace("|", "&#124;").replace("[", "&#91;"))


def _linked(text: str) -> str:
    """Make links of the pages that a text for a terminal names by their files: `docs/guides/maps.md`."""
    return re.sub(r"\bdocs/([\w/-]+\.md)", lambda page: f"[{_title(DOCS / page[1])}](../{page[1]})", text)


# The Python interface


def rooms() -> dict[str, list[str]]:
    """The parts of the package, each with its modules: `{"satjudge.notation": ["satjudge.notation.parse", ...]}`."""
    found: dict[str, list[str]] = {}
    for path in sorted((ROOT / "satjudge").rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        module = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        if path.with_name("__init__.py").exists() and not any(part.startswith("_") for part in module.split(".")):
            found.setdefault(".".join(parts[:2]) if parts[1] != "__init__" else "satjudge", []).append(module)
    return found


def api_pages() -> Iterator[tuple[str, str]]:
    """The address and text of the page of every room, and of the list of them."""
    found = rooms()
    rows = _rows((f"[`{room}`]({room}.md)", room) for room in found)
    yield "api/index.md", f"# The package\n\n{_prose(INTERFACE)}\n\n| part | what it is |\n|---|---|\n{rows}\n"
    for room, modules in found.items():
        yield f"api/{room}.md", room_page(room, modules)


def room_page(room: str, modules: list[str]) -> str:
    """One room: what it is, what each of its modules is, then their names."""
    inside = [module for module in modules if module != room]
    parts = [f"---\ntitle: {room}\n---", f"::: {room}\n    options:\n      heading_level: 1"]
    if inside:
        parts.insert(
            1, f"# {room}\n\n| module | what it is |\n|---|---|\n" + _rows((f"[`{one}`][{one}]", one) for one in inside)
        )
        parts[2] = f"::: {room}"
    return "\n\n".join([*parts, *(f"::: {module}" for module in inside)]) + "\n"


def _rows(modules: Iterable[tuple[str, str]]) -> str:
    return "\n".join(f"| {link} | {_cell(_first_line(module))} |" for link, module in modules)


def _first_line(module: str) -> str:
    return (ast.get_docstring(_tree(module)) or "").partition("\n")[0]


def _tree(module: str) -> ast.Module:
    path = ROOT.joinpath(*module.split("."))
    package = path / "__init__.py"
    return ast.parse((package if package.exists() else path.with_suffix(".py")).read_text(encoding="utf-8"))


# What MkDocs calls


def on_config(config: MkDocsConfig) -> None:
    """Fill the parts of the navigation that name a folder of pages made here."""
    import griffe

    griffe.stdlib_decorators["satjudge.base.imports.cached_property"] = {"cached", "property"}  # as that of functools
    made = [uri for uri, _ in (*command_pages(), *api_pages())]
    _fill(config.nav or [], made)


def _fill(sections: list[dict[str, Any] | str], made: list[str]) -> None:
    """Put the pages of a folder in place of its name, in a part of the navigation and in the parts of it."""
    for section in sections:
        for title, content in section.items() if isinstance(section, dict) else ():
            if isinstance(content, list):
                _fill(content, made)
            elif content.endswith("/"):
                section[title] = [uri for uri in made if uri.startswith(content)]


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages made here, and the files that pages link to."""
    from mkdocs.structure.files import File

    top = ((uri, _read(source)) for source, uri in AT_THE_TOP.items() if (ROOT / source).exists())
    for uri, text in (*top, *command_pages(), *api_pages()):
        files.append(File.generated(config, uri, content=text))
    for name, text in make_engine_pages(read_runs(DOCS / "engine-runs")).items():
        files.append(File.generated(config, f"engine-pages/{name}", content=text))
    linked = {target for page in files.documentation_pages() for target, _ in _links(page.src_uri, page.content_string)}
    for target in sorted(linked):
        uri = _address(target)
        if files.get_file_from_path(uri) is None:
            files.append(File.generated(config, uri, **_content(target)))
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Let links to files of the project lead to where they are in the site."""
    here = page.file.src_uri
    for target, written in _links(here, markdown):
        relative = posixpath.relpath(_address(target), posixpath.dirname(here) or ".")
        markdown = markdown.replace(f"]({written}", f"]({relative}")
    return markdown


def _links(uri: str, text: str) -> set[tuple[str, str]]:
    """The files of the project that a page links to, each as a path from the top and as it is written in the page."""
    elsewhere = uri.removeprefix("files/") if uri.startswith("files/") else f"docs/{uri}"
    source = next((source for source, page in AT_THE_TOP.items() if page == uri), elsewhere)
    found = {(posixpath.normpath(posixpath.join(posixpath.dirname(source), link[1])), link[1]) for link in LINK.finditer(text)}
    return {(target, written) for target, written in found if (ROOT / target).exists()}


def _address(target: str) -> str:
    """Where in the site a file of the project is."""
    path = PurePosixPath(target)
    if target in AT_THE_TOP:
        return AT_THE_TOP[target]
    if (ROOT / target).is_dir():
        return f"files/{target}/index.md"
    if path.parts[0] == "docs" and path.suffix not in AS_TEXT:
        return str(path.relative_to("docs"))
    return f"files/{target}" + (".txt" if path.suffix in AS_TEXT else "")


def _content(target: str) -> dict[str, str]:
    """What to show of a file or a directory, as an argument of `File.generated`."""
    if not (ROOT / target).is_dir():
        return {"abs_src_path": str(ROOT / target)}
    listed = sorted((ROOT / target).rglob("*.t*"))
    return {"content": f"# {target}\n\n" + "\n".join(f"- {path.relative_to(ROOT / target)}" for path in listed) + "\n"}


def _read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def _title(path: Path) -> str:
    return path.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")
