"""Serves the page on the user's machine: its files, answers to its questions, and its long tasks.

It keeps nothing between two requests except running tasks and opened maps. It listens on the loopback interface by default,
and answers only requests for its own host from its own page, so that no other page in the same browser can ask it anything,
not even one whose name was made to lead here (DNS rebinding).
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

from satjudge.apps.explore.examples import EXAMPLES, FOLDER, example_picture
from satjudge.apps.explore.processes import Tasks, Tell
from satjudge.apps.explore.questions import Failed, answer
from satjudge.apps.explore.tasks import offered_tasks, read_task
from satjudge.apps.explore.wire import IN_HEADER, Opened, fault_of
from satjudge.apps.http import BodyError, Listener, body_of, is_own
from satjudge.base.errors import InputError, NotFoundError

LONGEST_QUESTION = 4_000_000
"""The most bytes of a question; a whole game takes some hundred thousand."""
HEADERS = {
    "content-security-policy": IN_HEADER,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",  # another satjudge may listen here tomorrow
}


def application(host: str, port: int, tasks: Tasks, opened: Sequence[Opened] = ()) -> Starlette:
    """Make the ASGI application that answers for this host and port, with a page that begins with the opened phases."""
    config = msgspec.json.encode({"engine": "server", "opened": opened, "examples": EXAMPLES})

    async def configure(request: Request) -> Response:
        """Return the configuration of the page."""
        return Response(config, media_type="application/json")

    async def carry_out(request: Request) -> Response:
        """Begin a task, and report on it line by line."""
        body = await body_of(request, LONGEST_QUESTION)
        try:
            task = read_task(body)
        except InputError as error:
            return Response(_line(Failed(fault_of(error))), media_type=_Lines.media_type)
        return _Lines(lambda tell: tasks.carry_out(task, tell))

    async def stop(request: Request) -> Response:
        """Interrupt a task."""
        body = await body_of(request, LONGEST_QUESTION)
        there = tasks.stop(body.decode("ascii", "replace"))
        return Response(status_code=204) if there else PlainTextResponse("there is no such task\n", 404)

    return Starlette(
        routes=[
            Route("/config.json", configure, methods=["GET"]),
            Route("/ask", _ask, methods=["POST"]),
            Route("/tasks", _offer, methods=["GET"]),
            Route(f"/{FOLDER}/{{name}}", _example, methods=["GET"]),
            Route("/tasks", carry_out, methods=["POST"]),
            Route("/tasks/stop", stop, methods=["POST"]),
            Mount("/", StaticFiles(directory=str(files("satjudge.apps.explore") / "page"), html=True)),
        ],
        middleware=[Middleware(_Guard, host=host, port=port), Middleware(_Compressor)],
        exception_handlers={BodyError: _refuse},
    )


# ---- who may ask ----


class _Guard:
    """Refuses foreign hosts and origins, and adds the security headers to every answer."""

    def __init__(self, app: ASGIApp, host: str, port: int) -> None:
        self.app = app
        self.host = host
        self.port = port

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as ASGI has it."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        if scope["type"] != "http":
            return
        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin")
        answered = self.app
        if not is_own(host, self.host, self.port) or origin not in (None, f"http://{host}"):
            answered = PlainTextResponse("this server does not answer for this host or page\n", 403)
        elif headers.get("upgrade", "").lower() == "websocket":
            answered = PlainTextResponse("this server has no WebSockets\n", 400)
        await answered(scope, receive, send_with_headers)


class _Compressor(GZipMiddleware):
    """Compresses long answers, except those of tasks, whose lines must arrive one by one."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as ASGI has it."""
        long = scope["type"] == "http" and not scope["path"].startswith("/tasks")
        await (super().__call__(scope, receive, send) if long else self.app(scope, receive, send))


# ---- answers ----


async def _refuse(request: Request, error: Exception) -> Response:
    """Explain why a body is not read."""
    assert isinstance(error, BodyError)
    return PlainTextResponse(f"{error}\n", error.status)


async def _ask(request: Request) -> Response:
    """Answer the question in the body."""
    body = await body_of(request, LONGEST_QUESTION)
    async with _one_at_a_time():
        if await request.is_disconnected():  # nobody waits for the answer any more
            return Response(status_code=204)
        answered = await to_thread.run_sync(answer, body)
    return Response(answered, media_type="application/json")


async def _example(request: Request) -> Response:
    """Answer with the picture of an example."""
    try:
        drawn = await to_thread.run_sync(example_picture, f"{FOLDER}/{request.path_params['name']}")
    except NotFoundError as error:
        return PlainTextResponse(f"{error}\n", 404)
    return Response(drawn, media_type="image/svg+xml")


async def _offer(request: Request) -> Response:
    """Answer with the list of tasks."""
    return Response(msgspec.json.encode(await to_thread.run_sync(offered_tasks)), media_type="application/json")


@cache
def _one_at_a_time() -> CapacityLimiter:
    """Let one answer be made at a time, as two at once would only delay each other."""
    return CapacityLimiter(1)


def _line(told: object) -> bytes:
    return msgspec.json.encode(told) + b"\n"


class _Lines(Response):
    """A response of JSON lines that `produce` sends one by one, and that is cancelled when nobody listens any more."""

    media_type = "application/x-ndjson"

    def __init__(self, produce: Callable[[Tell], Awaitable[None]]) -> None:
        super().__init__()
        del self.headers["content-length"]
        self.produce = produce

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer as ASGI has it."""

        async def tell(told: object) -> None:
            await send({"type": "http.response.body", "body": _line(told), "more_body": True})

        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        async with create_task_group() as group:

            async def until_nobody_listens() -> None:
                while (await receive())["type"] != "http.disconnect":
                    pass
                group.cancel_scope.cancel()

            group.start_soon(until_nobody_listens)
            await self.produce(tell)
            group.cancel_scope.cancel()
        await send({"type": "http.response.body", "body": b"", "more_body": False})


# ---- listening ----


class Server(Listener):
    """A server of the page that ends at once, with all tasks: the page has everything that matters."""

    def __init__(self, host: str, listening: socket.socket, opened: Sequence[Opened] = ()) -> None:
        self.tasks = Tasks()
        super().__init__(application(host, listening.getsockname()[1], self.tasks, opened), listening)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the tasks and wait for their answers, but not for a page that stalls."""
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        self.tasks.end()
        await super().shutdown(sockets)
