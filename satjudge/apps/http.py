"""Holds what the page's server and the service share: listening, checking hosts, and reading request bodies."""

from __future__ import annotations

import errno
import ipaddress
import signal
import socket
from contextlib import suppress
from types import FrameType

import uvicorn
from starlette.requests import Request
from starlette.types import ASGIApp

from satjudge.base.errors import InputError, reason_of

LONGEST_END = 3
"""The time in seconds that answers have to finish when the server is interrupted."""


def open_socket(host: str, port: int) -> socket.socket:
    """Return a socket that listens at a host and port (0: any free port); raise `InputError` if that is impossible."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        return socket.create_server(address[:2], family=family)
    except OSError as error:
        is_used = error.errno == errno.EADDRINUSE
        hint = (
            "use --port 0 for a free one"
            if is_used or error.errno == errno.EACCES
            else "use an address of this machine for --host"
        )
        why = "another program is listening there" if is_used else reason_of(error).partition(" (")[0]
        raise InputError(f"cannot listen on {host}:{port}: {why}", suggestion=hint) from None


class Listener(uvicorn.Server):
    """A server that answers requests on an open socket until it is interrupted."""

    def __init__(self, app: ASGIApp, listening_socket: socket.socket, *, grace: int = LONGEST_END) -> None:
        # Malformed requests are refused, not logged: a warning of uvicorn would appear in the user's terminal.
        config = uvicorn.Config(app, log_level="error", ws="none", server_header=False, timeout_graceful_shutdown=grace)
        super().__init__(config)
        self.listening = listening_socket
        self.ignores_interrupts = signal.getsignal(signal.SIGINT) is signal.SIG_IGN

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End the server, at once on a second signal; ignore SIGINT if it was ignored when the server was made."""
        if sig != signal.SIGINT or not self.ignores_interrupts:
            self.force_exit = self.should_exit
            super().handle_exit(sig, frame)

    def answer(self) -> None:
        """Answer requests until an interrupt."""
        with suppress(KeyboardInterrupt):
            self.run(sockets=[self.listening])


def is_own_host(request_host: str, host: str, port: int) -> bool:
    """Return whether a `Host` header (`request_host`) names the server at this host and port (if public, any IP address does).

    A public server also accepts any IP address, because a host name that was redirected here is never an IP address.
    """
    host = host.strip("[]").lower()
    name, colon, request_port = request_host.lower().rpartition(":")
    if not colon or name.endswith(":"):  # browsers leave out the port of the scheme
        name, request_port = request_host.lower(), "80"
    name = name.removeprefix("[").removesuffix("]")
    if request_port != str(port):
        return False
    if name == host or (is_loopback(host) and is_loopback(name)):
        return True
    return not is_loopback(host) and (_is_address(name) or name == "localhost")


def is_loopback(host: str) -> bool:
    """Return whether a host name or address stands for this machine and cannot be reached from other machines."""
    return host == "localhost" or (_is_address(host) and ipaddress.ip_address(host).is_loopback)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class BodyError(Exception):
    """An error for a request body that was not read, with its HTTP status."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


async def read_body(request: Request, max_bytes: int) -> bytes:
    """Return a request's body; raise `BodyError` if its content type is not JSON or it exceeds `max_bytes` bytes."""
    kind, _, _ = request.headers.get("content-type", "").partition(";")
    if kind.strip().lower() != "application/json":  # a form of another page cannot send JSON
        raise BodyError(415, "the content type must be application/json")
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > max_bytes:
            raise BodyError(413, f"the body must not exceed {max_bytes:,} bytes")
    return bytes(body)
