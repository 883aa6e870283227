"""The command `serve`."""

from __future__ import annotations

import os
import re

import click

from satjudge.apps.cli.options import command, option
from satjudge.apps.cli.output import announce_address
from satjudge.base.imports import require_packages

_jobs = option("Number of processes.", type=click.IntRange(1, 1000), default=min(os.cpu_count() or 1, 8))
_seconds = option("Maximum time for an answer, in seconds (0.1 to 3600).", type=click.FloatRange(0.1, 3600), default=10.0)
_memory = option("Maximum memory of a process, in MiB (at least 100).", type=click.IntRange(100), default=1000)
_hosts = option("Also accept requests for this host name, e.g. behind a proxy.", "--allow-host", metavar="NAME", multiple=True)


def _check_origins(_context: click.Context, _parameter: click.Parameter, origins: tuple[str, ...]) -> tuple[str, ...]:
    """Return the origins unchanged; raise `click.BadParameter` for one that no browser would send."""
    for origin in origins:
        if origin != "*" and not re.fullmatch(r"https?://[^/\s]+", origin):
            raise click.BadParameter(f"{origin!r} is not an origin; write one such as https://example.org, or *")
    return origins


@command(
    epilog="Examples:  satjudge serve  ·  satjudge serve --port 8080 --jobs 4 --seconds 5  ·  "
    "satjudge serve --host 0.0.0.0 --allow-host judge.example.org  ·  "
    """curl -H 'Content-Type: application/json' -d '{"units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A PAR - BUR"]}}' """
    "localhost:8780/judge"
)
def serve(
    host: str = option("Address to listen on.", default="127.0.0.1"),
    port: int = option("Port to listen on; 0 for any free port.", type=click.IntRange(0, 65535), default=8780),
    jobs: int = _jobs,
    seconds: float = _seconds,
    memory: int = _memory,
    waiting: int = option("Maximum number of requests in the queue.", type=click.IntRange(1), default=256),
    hosts: tuple[str, ...] = _hosts,
    origins: tuple[str, ...] = option(
        "Accept requests from web pages of this origin, e.g. https://example.org, or * for any.",
        "--allow-origin",
        metavar="ORIGIN",
        multiple=True,
        callback=_check_origins,
    ),
    log: str | None = option("Log startup, requests and shutdown as JSON to standard error.", type=click.Choice(["json"])),
    drain: float = option(
        "Keep accepting connections for N seconds after SIGTERM.", type=click.FloatRange(0, 600), default=0.0
    ),
    grace: int = option("After that, wait at most N seconds for unfinished answers.", type=click.IntRange(1, 3600), default=30),
) -> None:
    """Run an HTTP service that judges positions.

    Other programs POST JSON to /start, /judge, /legal, /resolutions, /explain, /next, /draw, /report and /read, or GET
    /maps, /rulebooks, /health, /ready and /metrics. /openapi.json describes all of these. The service keeps no state between
    requests.

    docs/guides/serve.md has examples, and docs/guides/deploy.md shows how to run the service for a site. On Ctrl-C or
    SIGTERM, the service answers the requests that it already has and exits with status 0. A second signal stops it at once.
    """
    with require_packages("`satjudge serve`", "starlette", "uvicorn", "prometheus_client", extra="serve"):
        from satjudge.apps.http import open_socket
        from satjudge.apps.serve.monitor import start_json_log
        from satjudge.apps.serve.server import ServiceServer
        from satjudge.apps.serve.workers import ServiceLimits

    if log:
        start_json_log()
    listening = open_socket(host, port)
    announce_address(host, listening.getsockname()[1])
    limits = ServiceLimits(jobs=jobs, seconds=seconds, memory=memory, waiting=waiting)
    ServiceServer(host, listening, limits, hosts=hosts, origins=origins, drain=drain, grace=grace).answer()


@command(
    epilog="Examples:  satjudge mcp  ·  satjudge mcp --port 8781  ·  "
    """in a client's settings: {"mcpServers": {"satjudge": {"command": "satjudge", "args": ["mcp"]}}}"""
)
def mcp(
    port: int | None = option("Serve HTTP on this port, at /mcp; 0 for any free port.", type=click.IntRange(0, 65535)),
    host: str = option("Address to listen on.", default="127.0.0.1"),
    jobs: int = _jobs,
    seconds: float = _seconds,
    memory: int = _memory,
    hosts: tuple[str, ...] = _hosts,
) -> None:
    """Run a Model Context Protocol server for language models.

    By default, satjudge serves one client through standard input and output. With --port, it serves any number of clients over
    HTTP. The tools correspond to the requests of `satjudge serve`: start, judge, legal, resolutions, explain, next, draw,
    report and read. The resources are rulebooks, test cases and maps. docs/guides/mcp.md has examples. Ctrl-C or SIGTERM stops
    the server, with exit status 0.
    """
    with require_packages("`satjudge mcp`", "mcp", "prometheus_client", extra="mcp"):
        from satjudge.apps.http import open_socket
        from satjudge.apps.serve.server import ServiceServer
        from satjudge.apps.serve.tools import serve_standard_streams
        from satjudge.apps.serve.workers import ServiceLimits

    limits = ServiceLimits(jobs=jobs, seconds=seconds, memory=memory)
    if port is None:
        serve_standard_streams(limits)
        return
    listening = open_socket(host, port)
    announce_address(host, listening.getsockname()[1], "mcp")
    ServiceServer(host, listening, limits, hosts=hosts, has_tools=True).answer()
