"""Any engine behind an HTTP endpoint: each batch line is posted to it, and the body of its answer is the answer line."""

from __future__ import annotations

import argparse
import http.client
import json
import sys
from typing import Any
from urllib.parse import SplitResult, urlsplit

NOT_IMPLEMENTED = 501
"""The status with which an endpoint skips a position, if it does not say `skip` itself."""


class Endpoint:
    """An HTTP endpoint, by a connection that is kept open."""

    def __init__(self, url: str, headers: dict[str, str], timeout: float) -> None:
        self.url: SplitResult = urlsplit(url)
        if self.url.scheme not in ("http", "https") or not self.url.hostname:
            raise ValueError(f"{url} is no address that begins with http:// or https://")
        self.headers = {"Content-Type": "application/json", "Accept": "application/json", **headers}
        self.timeout = timeout
        self.connection: http.client.HTTPConnection | None = None

    def answer(self, line: str) -> dict[str, Any]:
        """What the endpoint says to a batch line; what goes wrong on the way is an `error`."""
        identity = json.loads(line).get("id")
        try:
            status, body = self._posted(line.strip().encode())
        except (OSError, http.client.HTTPException) as error:
            self.close()
            return {"id": identity, "error": f"no answer from {self.url.geturl()}: {type(error).__name__}: {error}"}
        return {"id": identity, **_read(status, body)}

    def _posted(self, body: bytes) -> tuple[int, bytes]:
        """Status and body of the answer. A connection that the endpoint has closed meanwhile is opened once more."""
        kept = self.connection is not None
        try:
            return self._asked(body)
        except (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError):
            self.close()
            if not kept:
                raise
        return self._asked(body)

    def _asked(self, body: bytes) -> tuple[int, bytes]:
        if self.connection is None:
            secure = self.url.scheme == "https"
            kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
            assert self.url.hostname is not None
            self.connection = kind(self.url.hostname, self.url.port, timeout=self.timeout)
        path = (self.url.path or "/") + (f"?{self.url.query}" if self.url.query else "")
        self.connection.request("POST", path, body, self.headers)
        response = self.connection.getresponse()
        return response.status, response.read()

    def close(self) -> None:
        """Close the connection."""
        if self.connection is not None:
            self.connection.close()
            self.connection = None


def _read(status: int, body: bytes) -> dict[str, Any]:
    """The keys of an answer."""
    said = " ".join(body.decode(errors="replace").split())[:200]
    if status == NOT_IMPLEMENTED:
        return {"skip": said or "not implemented"}
    if status != http.client.OK:
        return {"error": f"HTTP status {status}: {said}"}
    try:
        answer = json.loads(body)
    except ValueError:
        return {"error": f"its answer is not JSON: {said}"}
    return answer if isinstance(answer, dict) else {"error": f"its answer is no JSON object: {said}"}


def main() -> None:
    """Read batch lines, and write what the endpoint says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url", help="where batch lines are posted, e.g. http://127.0.0.1:8000/adjudicate")
    parser.add_argument("--header", action="append", default=[], metavar="NAME:VALUE", help="sent with each; may be repeated")
    parser.add_argument("--timeout", type=float, default=10.0, metavar="SECONDS", help="for an answer (10)")
    given = parser.parse_args()
    if wrong := next((header for header in given.header if ":" not in header), None):
        parser.error(f"--header {wrong}: a name and a value, as in --header 'Authorization: Bearer …'")
    headers = {name.strip(): value.strip() for name, _, value in (header.partition(":") for header in given.header)}
    try:
        endpoint = Endpoint(given.url, headers, given.timeout)
    except ValueError as error:
        parser.error(str(error))
    for line in sys.stdin:
        print(json.dumps(endpoint.answer(line)), flush=True)


if __name__ == "__main__":
    main()
