"""The server on one's own machine: the files of the page, and answers to its questions. It keeps nothing between two requests.

It listens on the loopback interface unless told otherwise, and answers only requests for the host that it was started as and
from the page that it served, so that no other page in the same browser can ask it anything.
"""

from __future__ import annotations

import errno
import socket
from collections.abc import Awaitable, Callable
from functools import cache
from importlib.resources import files

import uvicorn
from anyio import CapacityLimiter, to_thread
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from satjudge.errors import InputError, reason_of
from satjudge.explore.questions import answer

LONGEST_QUESTION = 1_000_000
"""Bytes. A whole game takes some ten thousand."""
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "connect-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""What the page may do: run its own scripts, ask its own server, and nothing else."""
HEADERS = {"content-security-policy": POLICY, "x-content-type-options": "nosniff", "referrer-policy": "no-referrer"}

_Next = Callable[[Request], Awaitable[Response]]


def application(host: str, port: int) -> Starlette:
    """The server as an ASGI application that answers as this host and port."""
    own = {f"{name}:{port}" for name in (host, *(("localhost", "127.0.0.1", "[::1]") if _is_loopback(host) else ()))}

    async def guard(request: Request, call_next: _Next) -> Response:
        """Refuse hosts and origins other than one's own."""
        origin = request.headers.get("origin")
        if request.headers.get("host") not in own or (origin and origin.partition("://")[2] not in own):
            return PlainTextResponse("this is another page's server\n", 403, HEADERS)
        response = await call_next(request)
        response.headers.update(HEADERS)
        return response

    return Starlette(
        routes=[
            Route("/ask", _ask, methods=["POST"]),
            Mount("/", StaticFiles(directory=str(files("satjudge.explore") / "page"), html=True)),
        ],
        middleware=[Middleware(BaseHTTPMiddleware, dispatch=guard)],
    )


def _is_loopback(host: str) -> bool:
    return host in ("localhost", "127.0.0.1", "::1")


async def _ask(request: Request) -> Response:
    """The answer to the question in the body."""
    if request.headers.get("content-type") != "application/json":  # which no form of another page can send
        return PlainTextResponse("questions are application/json\n", 415)
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > LONGEST_QUESTION:
            return PlainTextResponse(f"a question has at most {LONGEST_QUESTION:,} bytes\n", 413)
    told = await to_thread.run_sync(answer, bytes(body), limiter=_one_at_a_time())
    return Response(told, media_type="application/json")


@cache
def _one_at_a_time() -> CapacityLimiter:
    """Answers take the processor and nothing else, so that two at a time would both come late."""
    return CapacityLimiter(1)


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there; port 0 is any free one. Raises `InputError` if it cannot."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        return socket.create_server(address[:2], family=family)
    except OSError as error:
        taken = error.errno == errno.EADDRINUSE
        hint = "--port 0 takes a free one" if taken else "--host takes an address of this machine"
        raise InputError(f"cannot listen on {host}:{port}: {reason_of(error)}", suggestion=hint) from None


def serve(host: str, listening: socket.socket) -> None:
    """Answer until interrupted."""
    app = application(host, listening.getsockname()[1])
    uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="off")).run(sockets=[listening])
