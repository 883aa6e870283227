"""Serves the page on the user's machine: its files, the answers to its questions, and its long tasks.

The server keeps nothing between two requests except running tasks and opened maps. By default it listens on the loopback
interface. It answers only requests for its own host from its own page, so that no other page in the same browser can use it,
not even a page whose name resolves to this machine (DNS rebinding).
"""

from __future__ import annotations

import logging
import socket
from collections.abc import Awaitable, Callable, Sequence
from functools import cache
from importlib.resources import files

import msgspec
from anyio import CapacityLimiter, create_task_group, to_thread
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from satjudge.apps.explore.examples import EXAMPLES, FOLDER, draw_example
from satjudge.apps.explore.processes import Reporter, TaskRunner
from satjudge.apps.explore.questions import FaultAnswer, answer_question
from satjudge.apps.explore.tasks import list_task_choices, read_task
from satjudge.apps.explore.wire import IN_HEADER, OpenedPhase, make_fault
from satjudge.apps.http import BodyError, Listener, is_own_host, read_body
from satjudge.base.errors import InputError, NotFoundError

LONGEST_QUESTION = 4_000_000
"""The maximum number of bytes of a question; a whole game takes a few hundred thousand."""
HEADERS = {
    "content-security-policy": IN_HEADER,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",  # another version of satjudge may listen here tomorrow
}


def make_application(host: str, port: int, tasks: TaskRunner, opening_phases: Sequence[OpenedPhase] = ()) -> Starlette:
    """Make the ASGI application of the page for this host and port; the page first shows `opening_phases`."""
    config = msgspec.json.encode({"engine": "server", "opened": opening_phases, "examples": EXAMPLES})

    async def configure(request: Request) -> Response:
        """Return the configuration of the page as JSON."""
        return Response(config, media_type="application/json")

    async def run_task(request: Request) -> Response:
        """Return a response that runs the requested task and reports on it line by line, or says why the task is invalid."""
        body = await read_body(request, LONGEST_QUESTION)
        try:
            task = read_task(body)
        except InputError as error:
            return Response(_encode_line(FaultAnswer(make_fault(error))), media_type=_Lines.media_type)
        return _Lines(lambda tell: tasks.run_task(task, tell))

    async def stop_task(request: Request) -> Response:
        """Interrupt the task whose name is the request's body, and return an empty response, or 404 if there is none."""
        body = await read_body(request, LONGEST_QUESTION)
        is_stopped = tasks.stop_task(body.decode("ascii", "replace"))
        return Response(status_code=204) if is_stopped else PlainTextResponse("there is no such task\n", 404)

    return Starlette(
        routes=[
            Route("/config.json", configure, methods=["GET"]),
            Route("/ask", _answer_question, methods=["POST"]),
            Route("/tasks", _answer_task_choices, methods=["GET"]),
            Route(f"/{FOLDER}/{{name}}", _answer_example, methods=["GET"]),
            Route("/tasks", run_task, methods=["POST"]),
            Route("/tasks/stop", stop_task, methods=["POST"]),
            Mount("/", StaticFiles(directory=str(files("satjudge.apps.explore") / "page"), html=True)),
        ],
        middleware=[Middleware(_Guard, host=host, port=port), Middleware(_Compressor)],
        exception_handlers={BodyError: _make_refusal},
    )


# ---- access ----


class _Guard:
    """Refuses requests for other hosts or from other origins, and adds the security headers to every answer."""

    def __init__(self, app: ASGIApp, host: str, port: int) -> None:
        self.app = app
        self.host = host
        self.port = port

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on and add security headers to the answer; refuse other hosts, other origins and WebSockets."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        if scope["type"] != "http":
            return
        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin")
        app = self.app
        if not is_own_host(host, self.host, self.port) or origin not in (None, f"http://{host}"):
            app = PlainTextResponse("this server refuses requests for this host or page\n", 403)
        elif headers.get("upgrade", "").lower() == "websocket":
            app = PlainTextResponse("this server has no WebSockets\n", 400)
        await app(scope, receive, send_with_headers)


class _Compressor(GZipMiddleware):
    """Compresses long answers, except those of tasks, whose lines must arrive one by one."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, with a long answer compressed unless the path begins with `/tasks`."""
        long = scope["type"] == "http" and not scope["path"].startswith("/tasks")
        await (super().__call__(scope, receive, send) if long else self.app(scope, receive, send))


# ---- answers ----


async def _make_refusal(request: Request, error: Exception) -> Response:
    """Return a response with the message and status of `error`, because of which a request's body was not read."""
    assert isinstance(error, BodyError)
    return PlainTextResponse(f"{error}\n", error.status)


async def _answer_question(request: Request) -> Response:
    """Return the response to the question in a request's body, one question at a time; an empty one if the client is gone."""
    body = await read_body(request, LONGEST_QUESTION)
    async with _get_limiter():
        if await request.is_disconnected():  # nobody is waiting for the answer any more
            return Response(status_code=204)
        answered = await to_thread.run_sync(answer_question, body)
    return Response(answered, media_type="application/json")


async def _answer_example(request: Request) -> Response:
    """Return the picture of the example that the request's path names, as SVG, or a response with status 404."""
    try:
        svg = await to_thread.run_sync(draw_example, f"{FOLDER}/{request.path_params['name']}")
    except NotFoundError as error:
        return PlainTextResponse(f"{error}\n", 404)
    return Response(svg, media_type="image/svg+xml")


async def _answer_task_choices(request: Request) -> Response:
    """Return what tasks can choose from, such as forms of goals, as a JSON response."""
    return Response(msgspec.json.encode(await to_thread.run_sync(list_task_choices)), media_type="application/json")


@cache
def _get_limiter() -> CapacityLimiter:
    """Return the limiter that allows one computation at a time, because two at once would both be slow."""
    return CapacityLimiter(1)


def _encode_line(value: object) -> bytes:
    return msgspec.json.encode(value) + b"\n"


class _Lines(Response):
    """A response of JSON lines, which `produce` sends one by one; when the client disconnects, `produce` is cancelled."""

    media_type = "application/x-ndjson"

    def __init__(self, produce: Callable[[Reporter], Awaitable[None]]) -> None:
        super().__init__()
        del self.headers["content-length"]
        self.produce = produce

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run `produce` and send each message that it reports as a line, until it ends or the client disconnects."""

        async def report(message: object) -> None:
            await send({"type": "http.response.body", "body": _encode_line(message), "more_body": True})

        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        async with create_task_group() as group:

            async def until_nobody_listens() -> None:
                while (await receive())["type"] != "http.disconnect":
                    pass
                group.cancel_scope.cancel()

            group.start_soon(until_nobody_listens)
            await self.produce(report)
            group.cancel_scope.cancel()
        await send({"type": "http.response.body", "body": b"", "more_body": False})


# ---- listening ----


class PageServer(Listener):
    """The server of the page, which can stop at once and kill all tasks, because the page itself holds the user's work."""

    def __init__(self, host: str, listening_socket: socket.socket, opening_phases: Sequence[OpenedPhase] = ()) -> None:
        self.tasks = TaskRunner()
        port = listening_socket.getsockname()[1]
        super().__init__(make_application(host, port, self.tasks, opening_phases), listening_socket)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Kill the tasks and wait for their responses to end, unless a page has stopped reading."""
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        self.tasks.kill_all()
        await super().shutdown(sockets)
