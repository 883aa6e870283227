"""The command `explore`."""

from __future__ import annotations

import os
import signal
import webbrowser
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import click

from satjudge.apps.cli import options
from satjudge.apps.cli.options import DIRECTORY_PATH, RulesOptions, argument, command, flag, get_map_option, option, read_game
from satjudge.apps.cli.output import announce_address, convert_file_errors, show_status, write_text
from satjudge.base.errors import InputError
from satjudge.base.imports import require_packages
from satjudge.base.platforms import user_cache
from satjudge.world.geography import Map, load_map

if TYPE_CHECKING:
    from satjudge.apps.explore.wire import OpenedPhase


@command(
    epilog="Examples:  satjudge explore  ·  satjudge explore datc:6.F.14  ·  satjudge explore game.json --rules 1982"
    "  ·  satjudge explore --map own.toml  ·  satjudge explore --port 0 --no-browser  ·  satjudge explore --site pages"
)
def explore(
    file: str | None = argument(required=False),
    identity: str | None = options.case,
    host: str = option("Address to listen on.", default="127.0.0.1"),
    port: int = option("Port to listen on; 0 for any free port.", type=click.IntRange(0, 65535), default=8765),
    no_browser: bool = flag("Do not open the page in the browser."),
    site: Path | None = option("Write static files to this directory; satjudge then runs in the browser.", type=DIRECTORY_PATH),
    cache: Path | None = option(
        "Directory for the files that --site downloads. [default: the user's cache]", type=DIRECTORY_PATH
    ),
    game_map: Map | None = options.on_map("Map to open; it must agree with the map of FILE, if any. [default: standard]"),
    rules: RulesOptions = options.rules,
) -> None:
    """Try orders in the browser and see the reason for each result.

    The page opens with the case or game in FILE, or with the opening position of the map. By default, you can reach the page
    only from your own machine. Ctrl-C or SIGTERM stops the server, with exit status 0.

    With --site, satjudge writes the page as static files instead. Any file server can serve these files, even without a
    network. The first time, satjudge downloads Python for browsers (Pyodide, 9 MB) from npm and PyPI.
    """
    if identity is not None and file is None:
        raise click.UsageError("--case chooses a case from a file, but no file is given")
    begins_with = _read_opening(file, identity, game_map, rules, for_site=site is not None)
    if site is not None:
        return _write_site(site, cache, begins_with)
    with require_packages("`satjudge explore`", "starlette", "uvicorn", extra="explore"):
        from satjudge.apps.explore.server import PageServer
        from satjudge.apps.http import open_socket

    listening = open_socket(host, port)
    address = announce_address(host, listening.getsockname()[1])
    if not no_browser:
        Thread(target=_open_browser, args=(address,), daemon=True).start()
    server = PageServer(host, listening, begins_with)
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.default_int_handler:
        signal.signal(signal.SIGHUP, server.handle_exit)  # as uvicorn handles Ctrl-C and SIGTERM
    server.answer()
    os._exit(0)  # else Python would wait for an answer that nobody needs


def _read_opening(
    file: str | None, case_id: str | None, game_map: Map | None, rules: RulesOptions, *, for_site: bool
) -> list[OpenedPhase]:
    """Return the phases that the page shows first (none: the default opening), and allow `game_map` unless it is for a site.

    Raises `InputError`.
    """
    from satjudge.apps.explore.wire import allow_map, open_map, open_phases, open_phases_on_any_map

    if game_map and not for_site:  # a site has the maps that come with satjudge
        allow_map(game_map)
    if file is None:
        return [open_map(game_map or load_map(), rules.load_rulebook())] if game_map or rules.is_given else []
    sheets = read_game(file, case_id, game_map)
    for sheet in sheets:
        if game_map and sheet.board.map != game_map:
            of_map = f"{file} is played on the map {sheet.board.map.name}, not on {get_map_option()}"
            raise InputError(of_map, suggestion="leave out --map")
    begin = open_phases if for_site else open_phases_on_any_map
    return begin((sheet, rules.load_rulebook(sheet.rules)) for sheet in sheets)


def _open_browser(address: str) -> None:
    """Open an address in the browser; do nothing if there is no browser."""
    with suppress(webbrowser.Error, OSError):
        webbrowser.open(address)


def _write_site(directory: Path, cache: Path | None, opening_phases: Sequence[OpenedPhase]) -> None:
    from satjudge.apps.explore.site import write_site

    with show_status("making the site"), convert_file_errors(directory):
        written = write_site(directory, cache or user_cache(), opening_phases)
    megabytes = sum(map(len, written.values())) / 1e6
    write_text(f"wrote {directory}: {len(written)} files, {megabytes:.1f} MB", err=True)
    write_text(f"serve it with any file server: python3 -m http.server --bind 127.0.0.1 --directory {directory}", err=True)
