"""The command `explore`: a page to play with."""

from __future__ import annotations

import os
import webbrowser
from contextlib import suppress
from threading import Thread

import click

from satjudge.cli import options
from satjudge.cli.options import RulesOptions, read_game
from satjudge.cli.output import tell
from satjudge.geography import Map


@click.command(
    epilog="Examples:  satjudge explore  ·  satjudge explore datc:6.F.14  ·  satjudge explore game.json --rules 1982"
    "  ·  satjudge explore --port 0 --no-browser"
)
@click.argument("file", required=False)
@options.case
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="The port; 0 takes a free one.")
@click.option("--no-browser", is_flag=True, help="Do not open the page in the browser.")
@options.game_map
@options.rules
def explore(
    file: str | None,
    identity: str | None,
    host: str,
    port: int,
    no_browser: bool,
    game_map: Map | None,
    rules: RulesOptions,
) -> None:
    """Open a page to play with: every resolution, every reason.

    It begins with the case or the game in FILE, or else with the opening position. The page is served on this machine only.
    Ctrl-C ends it, with exit status 0.
    """
    from satjudge.explore.opening import opened
    from satjudge.explore.server import Server, is_loopback, listen

    if identity is not None and file is None:
        raise click.UsageError("--case chooses one of the cases of a file: name it")
    sheets = [] if file is None else read_game(file, identity, game_map)
    begins_with = opened((sheet, rules.rulebook(sheet.rules)) for sheet in sheets)
    listening = listen(host, port)
    address = f"http://{f'[{host}]' if ':' in host else host}:{listening.getsockname()[1]}/"
    if not is_loopback(host):
        tell(f"Note: whoever can reach {host} can make this machine work; there is no password.", err=True)
    tell(address)
    if not no_browser:
        Thread(target=_show, args=(address,), daemon=True).start()
    Server(host, listening, begins_with).answer()
    os._exit(0)  # else Python would wait for an answer that is still worked out, and nobody does


def _show(address: str) -> None:
    """Open a browser, if there is one."""
    with suppress(webbrowser.Error, OSError):
        webbrowser.open(address)
