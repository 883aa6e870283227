"""Serves questions over HTTP: reads requests, lets processes answer them, and keeps nothing between requests."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, closing, nullcontext, suppress
from difflib import get_close_matches
from functools import cache
from inspect import cleandoc
from typing import TYPE_CHECKING, Any

import msgspec
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from satjudge.apps.http import BodyError, Listener, is_loopback, is_own_host, read_body
from satjudge.apps.serve.monitor import LOG, Monitor, Recorder
from satjudge.apps.serve.questions import QUESTIONS, ListedRulebooks, describe_map, list_maps, list_rulebooks
from satjudge.apps.serve.worker import Refusal, Refused
from satjudge.apps.serve.workers import LimitError, ServiceAnswer, ServiceLimits, Workers
from satjudge.base.errors import NotFoundError
from satjudge.base.version import __version__
from satjudge.bulk.wasm import loading
from satjudge.bulk.wasm.loading import LineQuestion
from satjudge.files.documents import DescribedMap, ListedMaps
from satjudge.notation.documents import dedent_descriptions, encode_document
from satjudge.world.rules import load_rulebook

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

LONGEST_QUESTION = 1_000_000
"""The maximum number of bytes of a question; a phase takes a few thousand."""
JSON = "application/json"


def make_application(
    limits: ServiceLimits = ServiceLimits(),  # noqa: B008  # frozen
    *,
    accepts_host: Callable[[str], bool] = lambda host: True,
    origins: Sequence[str] = (),
    has_tools: bool = False,
) -> Starlette:
    """Make the ASGI application of the service, for hosts that `accepts_host` accepts, and for pages of the `origins`.

    With `has_tools`, the questions are also tools of the Model Context Protocol, at `/mcp`.
    """
    workers, kernel = Workers(limits), KernelAnswerer()
    monitor = Monitor(workers)

    async def answer_question(path: str, body: bytes) -> ServiceAnswer:
        ordinary = kernel.answer(path, body)
        return ServiceAnswer(200, JSON, ordinary) if ordinary else await workers.answer(path, body)

    async def answer(request: Request) -> Response:
        found = await answer_question(request.url.path, await read_body(request, LONGEST_QUESTION))
        return Response(found.content, found.status, media_type=found.media_type)

    sessions = _make_sessions(answer_question) if has_tools else None

    async def warm_up() -> None:
        await asyncio.gather(asyncio.to_thread(kernel.load), workers.warm_up())
        monitor.is_warm = True
        LOG.info("ready")

    @asynccontextmanager
    async def at_work(_: Starlette) -> AsyncIterator[None]:
        await workers.start()
        loading = asyncio.create_task(warm_up())  # in the background
        try:
            async with sessions.run() if sessions else nullcontext():
                yield
        finally:
            loading.cancel()
            await workers.end()

    def answer_ready(_: Request) -> Response:
        ready = monitor.is_ready()
        return Response(encode_document({"ready": ready}), 200 if ready else 503, media_type=JSON)

    application = Starlette(
        routes=[
            *([Route("/mcp", sessions.asgi_app)] if sessions else ()),
            Route("/", lambda _: Response(format_front_page(), media_type="text/html")),
            *(Route(kind.path, answer, methods=["POST"]) for kind in QUESTIONS),
            Route("/maps", _make_endpoint(lambda: encode_document(list_maps()))),
            Route("/maps/{name}", _answer_map),
            Route("/rulebooks", _make_endpoint(lambda: encode_document(list_rulebooks()))),
            Route("/openapi.json", _make_endpoint(lambda: encode_document(make_description()))),
            Route("/health", _make_endpoint(lambda: encode_document({"satjudge": __version__}))),
            Route("/ready", answer_ready),
            Route("/metrics", lambda _: Response(monitor.format_metrics(), media_type=CONTENT_TYPE_LATEST)),
        ],
        middleware=[
            Middleware(Recorder, monitor=monitor, routes=_ROUTES, refuse=_make_refusal("ending", "this service ends", 503)),
            Middleware(_Guard, accepts_host=accepts_host),
            Middleware(
                CORSMiddleware, allow_origins=list(origins), allow_methods=["GET", "POST"], allow_headers=["content-type"]
            ),
        ],
        exception_handlers={
            BodyError: lambda _, error: _make_refusal("request", error, error.status),
            LimitError: lambda _, error: _make_refusal(error.kind, error, error.status),
            HTTPException: _refuse_path,
        },
        lifespan=at_work,
    )
    application.state.monitor = monitor
    return application


def _make_sessions(answer: Callable[[str, bytes], Awaitable[ServiceAnswer]]) -> StreamableHTTPSessionManager:
    """Make the manager of MCP sessions over HTTP, which keeps nothing between requests; `answer` answers a path and a body."""
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

    from satjudge.apps.serve.tools import make_tool_server

    return StreamableHTTPSessionManager(make_tool_server(answer), json_response=True, stateless=True)


@cache
def format_front_page() -> str:
    """Return an HTML page for users who open the service's address in a browser: an example command and all paths."""
    example = f"curl -H 'Content-Type: application/json' \\\n  -d '{json.dumps(QUESTIONS[1].example)}' ADDRESS/judge"
    requests = [(f"POST {kind.path}", (kind.__doc__ or "").partition("\n")[0]) for kind in QUESTIONS]
    requests += [(f'GET <a href="{path}">{path}</a>', summary) for path, summary in DOCUMENTS.items()]
    rows = "".join(f"<tr><td>{path}<td>{summary}" for path, summary in requests)
    return (
        f"<!DOCTYPE html><html lang=en><meta charset=utf-8><title>satjudge serve</title><h1>satjudge {__version__}</h1>"
        f"<p>This service adjudicates Diplomacy. Try it:<pre>{example}</pre><table>{rows}</table>"
    )


DOCUMENTS = {
    "/maps": "List the included maps.",
    "/rulebooks": "List the included rulebooks with their settings.",
    "/openapi.json": "Describe the service for programs (OpenAPI).",
    "/health": "Return the version of satjudge, if the service is running.",
    "/ready": "Return whether the service takes requests; the status is 503 while it starts or ends.",
    "/metrics": "Return the metrics of the service for Prometheus.",
}
"""The documents of the service, each with what a GET returns."""
_ROUTES = {"/", "/mcp", *DOCUMENTS, *(kind.path for kind in QUESTIONS)}


def _make_endpoint(make_document: Callable[[], bytes]) -> Callable[[Request], Response]:
    """Return an endpoint that always answers with the same JSON document, which is made at the first request."""
    make_once = cache(make_document)
    return lambda _: Response(make_once(), media_type=JSON)


def _answer_map(request: Request) -> Response:
    try:
        return Response(encode_document(describe_map(request.path_params["name"])), media_type=JSON)
    except NotFoundError as error:
        return _make_refusal(error.kind, error, 404)


def _refuse_path(request: Request, error: Exception) -> Response:
    """Return the refusal of a path that does not exist or does not take the request's method; it shows what does."""
    assert isinstance(error, HTTPException)
    path, reason = request.url.path, error.detail
    if error.status_code == 404:
        near = get_close_matches(path, _ROUTES, 1)
        reason = f"there is no path {path:.60} ({f'did you mean {near[0]}?' if near else 'GET / lists all paths'})"
    elif error.status_code == 405:
        reason = f"{path} does not accept {request.method}; send {(error.headers or {})['Allow']}"
    return _make_refusal("request", reason, error.status_code, error.headers)


def _make_refusal(kind: str, reason: object, status: int, headers: Mapping[str, str] | None = None) -> Response:
    again = {"retry-after": "1"} if status == 503 else {}
    return Response(encode_document(Refused(Refusal(kind, str(reason)))), status, {**(headers or {}), **again}, JSON)


class _Guard:
    """Refuses requests for other hosts, so that a page whose name resolves to this machine gets no answer (DNS rebinding)."""

    def __init__(self, app: ASGIApp, accepts_host: Callable[[str], bool]) -> None:
        self.app = app
        self.accepts_host = accepts_host

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it if it is for another host."""
        app = self.app
        if scope["type"] == "http":
            host = next((value.decode("latin-1") for name, value in scope["headers"] if name == b"host"), "")
            if not self.accepts_host(host):
                app = _make_refusal(
                    "request", f"this service does not answer for the host {host!r:.60}: allow it with --allow-host", 403
                )
        await app(scope, receive, send)


# ---- the kernel ----

AT_ONCE = {
    "/judge": (LineQuestion.OUTCOME, (b'"details"',)),
    "/legal": (LineQuestion.LEGAL_ORDERS, (b'"id"', b'"victory"', b'"details"', b'"power"')),
    "/next": (LineQuestion.NEXT_PHASE, (b'"of"', b'"details"')),
}
"""The questions that the kernel answers, each with the keys of requests that are left to the processes."""


class KernelAnswerer:
    """Answers ordinary questions in this process, with the compiled kernel, which needs little time and memory."""

    def __init__(self) -> None:
        self._answer: Callable[[bytes, LineQuestion], bytes | None] = lambda body, question: None

    def load(self) -> None:
        """Load the kernel; if that fails, report the error and leave all questions to the processes."""
        try:
            if found := loading.load_line_answerer(None, load_rulebook()):
                self._answer = found.answer
        except Exception as error:
            loading.report_failure(error)

    def answer(self, path: str, body: bytes) -> bytes | None:
        """Return the JSON answer to an ordinary question, or None for a question that is left to the processes."""
        if path not in AT_ONCE:
            return None
        question, keys = AT_ONCE[path]
        return None if any(key in body for key in keys) else self._answer(body, question)


# ---- listening ----


LONGEST_IDLE = 1.0
"""The time in seconds after the signal to end in which open connections may still send a request."""


class ServiceServer(Listener):
    """The server of the service, which answers all accepted requests before it ends."""

    def __init__(
        self,
        host: str,
        listening_socket: socket.socket,
        limits: ServiceLimits,
        *,
        hosts: Sequence[str] = (),
        origins: Sequence[str] = (),
        has_tools: bool = False,
        drain: float = 0.0,
        grace: int = 30,
    ) -> None:
        """Make the server; after a signal it accepts requests for `drain` more seconds, and then has `grace` for answers."""
        port, names = listening_socket.getsockname()[1], {name.lower() for name in hosts}

        def accepts_host(request_host: str) -> bool:
            return (
                request_host.lower() in names
                or request_host.lower().rpartition(":")[0] in names
                or is_own_host(request_host, host, port)
                or (is_loopback(host) and is_loopback(request_host.lower()))  # a proxy may leave out the port
            )

        application = make_application(limits, accepts_host=accepts_host, origins=origins, has_tools=has_tools)
        super().__init__(application, listening_socket, grace=grace)
        self.drain, self.monitor = drain, application.state.monitor

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept requests for `drain` more seconds, answer all, close each connection after its answer, and log the end."""
        self.monitor.is_ending = True
        LOG.info("ending")
        await self._wait(self.drain, lambda: True)
        await self._accept_last()
        await self._wait(LONGEST_IDLE, lambda: bool(self.server_state.connections))
        await super().shutdown(sockets)
        LOG.info("ended", extra={"fields": {"unanswered": len(self.server_state.tasks)}})

    async def _wait(self, seconds: float, is_needed: Callable[[], bool]) -> None:
        """Wait for at most `seconds`, while `is_needed` returns true and there is no second signal."""
        end = time.monotonic() + seconds
        while is_needed() and not self.force_exit and (left := end - time.monotonic()) > 0:
            await asyncio.sleep(min(left, 0.05))

    async def _accept_last(self) -> None:
        """Stop listening, and serve the connections that the system has already accepted."""
        last = self.listening.dup()
        for server in self.servers:
            server.close()
        accepted = []
        with closing(last), suppress(BlockingIOError):
            last.setblocking(False)
            last.listen(0)  # keeps the queue, but admits almost no other connection
            while True:
                accepted.append(last.accept()[0])
        loop = asyncio.get_running_loop()
        protocol: Any = self.config.http_protocol_class
        state = {"config": self.config, "server_state": self.server_state, "app_state": self.lifespan.state}
        for connection in accepted:
            await loop.connect_accepted_socket(lambda: protocol(**state), connection)


# ---- the description in OpenAPI ----

_REFUSALS = {
    413: "The request body is too long.",
    415: "The content type is not application/json.",
    422: "The request has no answer, because it is malformed, its position is impossible, or it takes too long.",
    503: "Too many requests are waiting. Try again later.",
}
_LISTS = {
    "/maps": ("List the included maps.", ListedMaps),
    "/maps/{name}": ("Describe the powers, provinces and special rules of a map.", DescribedMap),
    "/rulebooks": ("List the included rulebooks with their settings.", ListedRulebooks),
}


def make_description() -> dict[str, Any]:
    """Return the OpenAPI 3.1 description of the service."""
    question_types = list(QUESTIONS)
    answers = [kind.answers for kind in QUESTIONS if not isinstance(kind.answers, tuple)]
    listed_kinds = [kind for _, kind in _LISTS.values()]
    kinds = [*question_types, *answers, *listed_kinds, Refused]
    schema = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    schemas, components = dedent_descriptions(schema)
    schema_of = dict(zip(map(repr, kinds), schemas, strict=True))
    refused = {"application/json": {"schema": schema_of[repr(Refused)]}}
    paths: dict[str, Any] = {}
    for kind in QUESTIONS:
        summary, _, more = cleandoc(kind.__doc__ or "").partition("\n\n")
        given = kind.answers
        content: dict[str, Any] = (
            {"application/json": {"schema": schema_of[repr(given)]}}
            if not isinstance(given, tuple)
            else {media_type: {"schema": {"type": "string"}} for media_type in given}
        )
        paths[kind.path] = {
            "post": {
                "summary": summary,
                "description": more,
                "operationId": kind.path[1:],
                "requestBody": {
                    "required": True,
                    "content": {"application/json": {"schema": schema_of[repr(kind)], "example": kind.example}},
                },
                "responses": {
                    "200": {"description": "The answer.", "content": content},
                    **{str(status): {"description": why, "content": refused} for status, why in _REFUSALS.items()},
                },
            }
        }
    for path, (summary, list_type) in _LISTS.items():
        content = {"application/json": {"schema": schema_of[repr(list_type)]}}
        get: dict[str, Any] = {
            "summary": summary,
            "operationId": path[1:].replace("/{name}", "_one"),
            "responses": {"200": {"description": "The list.", "content": content}},
        }
        if "{" in path:
            get["parameters"] = [{"name": "name", "in": "path", "required": True, "schema": {"type": "string"}}]
            get["responses"]["404"] = {"description": "There is no such map.", "content": refused}
        paths[path] = {"get": get}
    about = {
        "title": "satjudge",
        "version": __version__,
        "description": "Adjudicates Diplomacy. POST a position with its orders. The service keeps no state between requests.",
    }
    return {"openapi": "3.1.0", "info": about, "paths": paths, "components": {"schemas": components}}
