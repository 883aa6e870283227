"""Shows operators how the service is doing: whether it is ready, metrics for Prometheus, and a log of requests."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Collection
from typing import Any

import msgspec
import uvicorn.config
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from satjudge.apps.serve.workers import Workers

LOG = logging.getLogger("satjudge.serve")
SECONDS = (0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 30)
"""The bounds of the histogram of response times in seconds; the kernel takes less than the first."""
OTHER = "other"
"""The route for all paths that the service does not have, so that unknown paths create no new series."""


class Monitor:
    """The state of a service, for its operators."""

    def __init__(self, workers: Workers) -> None:
        self.is_ending = False
        """Whether the service is shutting down, so that each answer closes its connection."""
        self.is_warm = False
        """Whether the processes have loaded what they need."""
        self._registry = CollectorRegistry()
        self._requests = Counter("satjudge_requests", "Requests.", ("route", "status"), registry=self._registry)
        self._seconds = Histogram(
            "satjudge_request_seconds", "Seconds per request.", ("route",), registry=self._registry, buckets=SECONDS
        )
        self._refusals = Counter("satjudge_refusals", "Requests refused, by their reason.", ("kind",), registry=self._registry)
        measured = {
            "satjudge_ready": ("Whether the service is ready.", self.is_ready),
            "satjudge_waiting_questions": ("Questions that wait for a process.", lambda: workers.waiting),
            "satjudge_workers": ("Processes that answer questions.", lambda: workers.limits.jobs),
            "satjudge_busy_workers": ("Processes that work on an answer or are replaced.", workers.count_busy),
        }
        for name, (description, measure) in measured.items():
            Gauge(name, description, registry=self._registry).set_function(measure)

    def is_ready(self) -> bool:
        """Return whether the service is ready, so that a load balancer may send it requests."""
        return self.is_warm and not self.is_ending

    def format_metrics(self) -> bytes:
        """Return the metrics in the text format of Prometheus."""
        return generate_latest(self._registry)

    def record(self, scope: Scope, route: str, status: int, seconds: float, error_kind: str | None) -> None:
        """Count an answered request in the metrics, and log it; `error_kind` is the kind of error of a refusal."""
        self._requests.labels(route, status).inc()
        self._seconds.labels(route).observe(seconds)
        if error_kind:
            self._refusals.labels(error_kind).inc()
        if LOG.isEnabledFor(logging.INFO):
            fields = {"method": scope["method"], "path": scope["path"], "route": route, "status": status}
            fields |= {"seconds": round(seconds, 6), "client": (scope["client"] or ("",))[0]}
            LOG.info("request", extra={"fields": fields | ({"kind": error_kind} if error_kind else {})})


class Recorder:
    """Records each request and, once the service is ending, closes each connection after its answer."""

    def __init__(self, app: ASGIApp, monitor: Monitor, routes: Collection[str], refuse: ASGIApp) -> None:
        self.app, self.monitor, self.routes, self.refuse = app, monitor, routes, refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on and record the answer; when the service ends, close the connection; refuse what is cancelled."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, status, kind = time.perf_counter(), 0, None

        async def send_on(message: Message) -> None:
            nonlocal status, kind
            if message["type"] == "http.response.start":
                status = message["status"]
                if self.monitor.is_ending:
                    MutableHeaders(scope=message)["connection"] = "close"
            elif status >= 400 and kind is None:
                kind = read_kind(message.get("body", b""))
            await send(message)

        try:
            await self.app(scope, receive, send_on)
        except asyncio.CancelledError:  # the time for shutting down has passed
            if status:
                raise
            await self.refuse(scope, receive, send_on)
        finally:
            path = scope["path"]
            route = "/maps/{name}" if path.startswith("/maps/") else path if path in self.routes else OTHER
            self.monitor.record(scope, route, status or 500, time.perf_counter() - began, kind)


def read_kind(body: bytes) -> str:
    """Return the kind of error in the JSON document of a refusal; `OTHER` if the body is no such document."""
    try:
        return str(msgspec.json.decode(body)["error"]["kind"])
    except (msgspec.DecodeError, KeyError, TypeError):
        return OTHER


class JsonFormatter(logging.Formatter):
    """Formats a log record as JSON on one line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a log record as one line of JSON: its time in UTC, level, message and fields."""
        seconds = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        line: dict[str, Any] = {"time": f"{seconds}.{record.msecs:03.0f}Z", "level": record.levelname.lower()}
        line |= {"message": record.getMessage(), **getattr(record, "fields", {})}
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line).decode()


def start_json_log() -> None:
    """Start logging as JSON to standard error: the service's requests, start and end, and errors of any library."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter())
    logging.basicConfig(handlers=[handler], level=logging.WARNING)
    LOG.setLevel(logging.INFO)
    uvicorn.config.LOGGING_CONFIG["loggers"] = {}  # errors of uvicorn go to this log, too
