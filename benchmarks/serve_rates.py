"""What `satjudge serve` answers: requests to `/judge` a second of its processor, and how long one waits, by wrk where it is.

Each request is a real position. The service runs as a command, in processes of its own.
"""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from importlib.util import find_spec
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
import psutil
from measuring import Effort, Figure, number, spread
from real_positions import real_cases

SECTION = "satjudge serve"
CONNECTIONS = 8
SECONDS = 5
"""How long wrk asks."""
HEADERS = {"Content-Type": "application/json"}
LUA = """
local asked, at = {}, 0
init = function()
  local headers = {["Content-Type"] = "application/json", ["Host"] = wrk.headers["Host"]}
  for line in io.lines("LINES") do asked[#asked + 1] = wrk.format("POST", "/judge", headers, line) end
end
request = function() at = at % #asked + 1; return asked[at] end
done = function(summary, latency)
  local errors = summary.errors
  local wrong = errors.status + errors.read + errors.write + errors.timeout + errors.connect
  io.write(string.format('{"requests": %d, "wrong": %d, "p50": %f, "p99": %f}\\n', summary.requests, wrong,
    latency:percentile(50), latency:percentile(99)))
end
"""
"""Asks one position after the other, and prints the number of answers and refusals, and the waiting time in µs."""


def serve(effort: Effort) -> Iterator[Figure]:
    """All of it; nothing without the extra `serve`."""
    if not (find_spec("starlette") and find_spec("uvicorn")):
        return
    name, cases = real_cases(effort.seed, 4 * effort.boards)
    bodies = [msgspec.json.encode({"units": case.units, "orders": case.orders}) for case in cases]
    with service() as (port, process):
        asked_one_by_one(port, list(islice(cycle(bodies), max(2 * len(bodies), 400))))  # then the kernel knows all orders
        before = processor_time(process)
        asked_one_by_one(port, bodies)
        rate = len(bodies) / max(processor_time(process) - before, 0.01)  # the clock of processes has hundredths of a second
        note = f"one connection, {len(bodies)} {name}"
        yield number(SECTION, "judge, one by one: requests a second of the processor", "", rate, note=note)
        if shutil.which("wrk"):
            yield from _by_wrk(port, process, bodies, effort)
        else:
            print("left out: waiting at 8 connections (wrk is not installed)", file=sys.stderr)


def _by_wrk(port: int, process: psutil.Process, bodies: Sequence[bytes], effort: Effort) -> Iterator[Figure]:
    """What wrk measures at eight connections, round by round."""
    rates, waiting = list[float](), {"p50": list[float](), "p99": list[float]()}
    with TemporaryDirectory() as folder:
        script, lines = Path(folder) / "ask.lua", Path(folder) / "lines.jsonl"
        lines.write_bytes(b"\n".join(bodies) + b"\n")
        script.write_text(LUA.replace("LINES", str(lines)), encoding="utf-8")
        command = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{SECONDS}s", "-s", str(script), f"http://127.0.0.1:{port}"]
        for _ in range(effort.rounds):
            before = processor_time(process)
            done = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            told = json.loads(done.strip().rpartition("\n")[2])
            if told["wrong"]:
                raise RuntimeError(f"{told['wrong']} requests were not answered")
            rates.append(told["requests"] / max(processor_time(process) - before, 0.01))
            for which, found in waiting.items():
                found.append(told[which] / 1e3)
    asked = f"{CONNECTIONS} connections, by wrk"
    name = "judge: requests a second of the processor"
    yield Figure(SECTION, name, "", spread(rates), 3_000, at_least=True, note=asked)
    yield Figure(SECTION, "judge: half of the answers within", "ms", spread(waiting["p50"]), note=asked)
    yield Figure(SECTION, "judge: 99 % of the answers within", "ms", spread(waiting["p99"]), 20, note=asked)


@contextmanager
def service() -> Iterator[tuple[int, psutil.Process]]:
    """Start the service on a free port; it is ended at the end."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    command = [sys.executable, "-m", "satjudge", "serve", "--port", str(port)]
    process = psutil.Popen(command, stdout=subprocess.DEVNULL)
    try:
        _wait_for(port)
        yield port, process
    finally:
        process.terminate()
        process.wait(10)


def _wait_for(port: int) -> None:
    """Wait until the service answers."""
    for _ in range(200):
        try:
            with closing(HTTPConnection("127.0.0.1", port, timeout=5)) as connection:
                connection.request("GET", "/health")
                connection.getresponse().read()
                return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError("satjudge serve does not answer")


def asked_one_by_one(port: int, bodies: Sequence[bytes]) -> None:
    """Ask `/judge` over one connection.

    Raises `RuntimeError` for a question that is refused.
    """
    with closing(HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
        for body in bodies:
            connection.request("POST", "/judge", body, HEADERS)
            answer = connection.getresponse()
            said = answer.read()
            if answer.status != 200:
                raise RuntimeError(said.decode())


def processor_time(process: psutil.Process) -> float:
    """Add up the processor's seconds of a process and of those that it started."""
    family = [process, *process.children(recursive=True)]
    return float(sum(one.cpu_times().user + one.cpu_times().system for one in family))
