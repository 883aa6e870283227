"""The command `explore`: a page to play with."""

from __future__ import annotations

import webbrowser

import click

from satjudge.cli.output import tell


@click.command(epilog="Examples:  satjudge explore  ·  satjudge explore --port 8000 --no-browser")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="The port; 0 takes a free one.")
@click.option("--no-browser", is_flag=True, help="Do not open the page in the browser.")
def explore(host: str, port: int, no_browser: bool) -> None:
    """Open a page to play with: every resolution, every reason.

    The page is served on this machine only. Ctrl-C ends it.
    """
    from satjudge.explore.server import listen, serve

    listening = listen(host, port)
    address = f"http://{host}:{listening.getsockname()[1]}/"
    tell(address)
    if not no_browser:
        webbrowser.open(address)
    serve(host, listening)
