"""The server of the page to play with, over real sockets: whom it answers, its long tasks, and how it ends."""

from __future__ import annotations

import gzip
import json
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass
from email.message import Message
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import Any

import msgspec
import psutil
import pytest
from click.testing import CliRunner

from satjudge.apps.cli import cli, run
from satjudge.apps.cli.options import read_game
from satjudge.apps.explore import processes
from satjudge.apps.explore.examples import EXAMPLES, FOLDER
from satjudge.apps.explore.server import HEADERS, LONGEST_QUESTION, PageServer
from satjudge.apps.explore.tasks import Prove, Search, read_task
from satjudge.apps.explore.wire import open_phases
from satjudge.apps.http import LONGEST_END, is_loopback, open_socket
from satjudge.base.errors import InputError
from satjudge.notation.bundled_cases import find_bundled_case
from satjudge.search.task import LineTask
from satjudge.world.rules import load_rulebook

POSITION = {"units": {"ENGLAND": ["F LON", "F WAL"], "FRANCE": ["A BRE", "F ENG"]}}
SHEET = "ENGLAND:\nF LON S F WAL - ENG\nF WAL - ENG\nFRANCE:\nA BRE - LON\nF ENG C A BRE - LON\n"
JSON = {"content-type": "application/json"}
START = b'{"ask": "start"}'
WISH: dict[str, Any] = {"task": "guarantee", "asks": {"goal": "hold", "power": "ENGLAND"}, "position": POSITION}
ROUTES = [("GET", "/"), ("GET", "/store.js"), ("GET", "/tasks"), ("POST", "/ask"), ("POST", "/tasks"), ("POST", "/tasks/stop")]


@contextmanager
def running(host: str, as_host: str = "") -> Iterator[int]:
    """A server at work in a thread; the port that it listens on."""
    listening = open_socket(host, 0)
    server = PageServer(as_host or host, listening, open_phases([(find_bundled_case("6.F.14"), load_rulebook())]))
    thread = Thread(target=server.answer)
    thread.start()
    yield int(listening.getsockname()[1])
    server.should_exit = server.force_exit = True
    thread.join()


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with running("127.0.0.1") as port:
        yield port


@dataclass
class Answer:
    """An answer, read to its end."""

    status: int
    headers: Message
    body: bytes


@contextmanager
def sent(port: int, method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None) -> Iterator[HTTPResponse]:
    """The beginning of an answer."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=20)) as connection:
        connection.request(method, path, body, {**(JSON if method == "POST" else {}), **(headers or {})})
        with connection.getresponse() as response:
            yield response


def send(port: int, method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None) -> Answer:
    """The whole answer."""
    with sent(port, method, path, body, headers) as response:
        return Answer(response.status, response.headers, response.read())


def task(port: int, asked: object) -> AbstractContextManager[HTTPResponse]:
    """What comes of a task, to be read line by line."""
    return sent(port, "POST", "/tasks", msgspec.json.encode(asked))


def events(port: int, asked: object) -> list[dict[str, Any]]:
    """All that comes of a task."""
    with task(port, asked) as response:
        return rest_of(response)


def rest_of(response: HTTPResponse) -> list[dict[str, Any]]:
    """The events that are still to come."""
    return [json.loads(line) for line in response]


def stop(port: int, name: str) -> int:
    """Ask to stop a task; the status of the answer."""
    return send(port, "POST", "/tasks/stop", name.encode()).status


# ---- who may ask ----


@pytest.mark.parametrize(("method", "path"), ROUTES)
def test_other_hosts_and_origins_are_refused_on_every_route(port: int, method: str, path: str) -> None:
    own = f"127.0.0.1:{port}"
    foreign = [
        {"Host": f"evil.example:{port}"},  # a name that was made to lead here
        {"Host": "evil.example"},
        {"Host": f"127.0.0.1.evil.example:{port}"},
        {"Host": f"127.0.0.1:{port + 1}"},
        {"Host": "127.0.0.1"},
        {"Host": f"192.168.1.1:{port}"},
        {"Host": ""},
        {"Host": own, "Origin": "http://evil.example"},
        {"Host": own, "Origin": "null"},
        {"Host": own, "Origin": f"https://{own}"},
        {"Host": own, "Origin": f"http://127.0.0.1:{port + 1}"},
        {"Host": own, "Origin": f"http://{own}@evil.example"},
    ]
    for headers in foreign:
        response = send(port, method, path, START, headers)
        assert (response.status, response.body) == (403, b"this server refuses requests for this host or page\n"), headers
        assert "access-control-allow-origin" not in response.headers
        assert response.headers["content-security-policy"] == HEADERS["content-security-policy"]


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "[::1]", "LOCALHOST"])
def test_its_own_page_is_answered_by_any_name_of_this_machine(port: int, name: str) -> None:
    own = {"Host": f"{name}:{port}", "Origin": f"http://{name}:{port}"}
    assert send(port, "POST", "/ask", b'{"ask": "nothing"}', own).status == 200


def test_a_server_for_all_comers_goes_by_addresses_only() -> None:
    with running("127.0.0.1", as_host="0.0.0.0") as port:
        for name, status in (("192.168.1.1", 200), ("[fe80::1]", 200), ("localhost", 200), ("evil.example", 403)):
            assert send(port, "GET", "/style.css", headers={"Host": f"{name}:{port}"}).status == status


def test_nothing_is_shared_with_other_origins(port: int) -> None:
    asked = {"Origin": f"http://127.0.0.1:{port}", "Access-Control-Request-Method": "POST"}
    for path in ("/ask", "/tasks", "/tasks/stop"):
        response = send(port, "OPTIONS", path, headers=asked)
        assert response.status == 405
        assert not [name for name in response.headers if name.lower().startswith("access-control")]


def test_every_answer_says_what_a_page_may_do(port: int) -> None:
    answers = [send(port, method, path, START) for method, path in (*ROUTES, ("GET", "/nothing")) if path != "/tasks"]
    answers.append(send(port, "POST", "/tasks", b"{}"))
    assert [answer.status for answer in answers] == [200, 200, 200, 404, 404, 200]
    for answer in answers:
        assert {name: answer.headers[name] for name in HEADERS} == HEADERS
        assert "server" not in answer.headers
    policy = HEADERS["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe-inline" not in policy.partition("style-src")[0]
    assert "'unsafe-eval'" not in policy


@pytest.mark.parametrize("path", ["/ask", "/tasks", "/tasks/stop"])
def test_what_a_form_of_another_page_could_send_is_refused(port: int, path: str) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        assert send(port, "POST", path, START, {"content-type": kind}).status == 415
    assert send(port, "POST", path, b"[" * (LONGEST_QUESTION + 1)).status == 413


@pytest.mark.parametrize("path", ["/../server.py", "/%2e%2e/server.py", "/..%2fserver.py", "//etc/passwd", "/%00"])
def test_only_files_of_the_page_are_served(port: int, path: str) -> None:
    assert send(port, "GET", path).status == 404


def test_pictures_of_examples_are_served(port: int) -> None:
    for one in EXAMPLES:
        answered = send(port, "GET", f"/{one.picture}")
        assert answered.status == 200
        assert answered.headers["content-type"] == "image/svg+xml"
    assert send(port, "GET", f"/{FOLDER}/6.F.99.svg").status == 404


@pytest.mark.parametrize("path", ["/", "/ask", "/nothing"])
def test_websockets_are_refused(port: int, path: str, capfd: pytest.CaptureFixture[str]) -> None:
    upgrade = {"Connection": "keep-alive, Upgrade", "Upgrade": "WebSocket", "Sec-WebSocket-Version": "13",
               "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ=="}  # fmt: skip
    answer = send(port, "GET", path, headers=upgrade)
    assert (answer.status, answer.body) == (400, b"this server has no WebSockets\n")
    assert {name: answer.headers[name] for name in HEADERS} == HEADERS
    assert send(port, "GET", path, headers={**upgrade, "Origin": "http://evil.example"}).status == 403
    assert capfd.readouterr() == ("", "")


def test_it_listens_on_this_machine_only() -> None:
    with open_socket("127.0.0.1", 0) as listening:
        assert listening.getsockname()[0] == "127.0.0.1"
        with pytest.raises(InputError, match=r"another program is listening there \(use --port 0 for a free one\)"):
            open_socket("127.0.0.1", listening.getsockname()[1])
    with pytest.raises(InputError, match="use an address of this machine for --host"):
        open_socket("192.0.2.1", 0)
    hosts = ("localhost", "127.0.0.1", "127.9.9.9", "::1", "0.0.0.0", "192.168.1.1", "evil.example", "")
    assert list(map(is_loopback, hosts)) == [True] * 4 + [False] * 4


# ---- long tasks ----


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> Any:  # noqa: ANN401
    """Puts a script in the place of satjudge; the file to which it writes its number."""
    number = tmp_path / "number"

    def run(script: str) -> Any:  # noqa: ANN401
        head = f"import os, sys, time; open({str(number)!r}, 'w').write(str(os.getpid()))\n"
        monkeypatch.setattr(processes, "SATJUDGE", (sys.executable, "-S", "-c", head + script))
        return number

    return run


WORKING = "print('SATJUDGE_PROGRESS: 7 of 9', file=sys.stderr, flush=True); time.sleep(60)"


def is_alive(number: str) -> bool:
    """Whether the process of this number is still there, once it had a moment to end."""
    for _ in range(1000):
        if not psutil.pid_exists(int(number)) or psutil.Process(int(number)).status() == psutil.STATUS_ZOMBIE:
            return False
        sleep(0.02)
    return True


def test_a_task_is_a_command_whose_position_comes_by_standard_input(port: int, command: Any) -> None:  # noqa: ANN401
    command("print('satjudge:', sys.argv[1:], sys.stdin.read(), file=sys.stderr)")
    started, told = events(port, {**WISH, "asks": {"goal": "take ENG", "power": "ENGLAND"}, "sheet": "nonsense"})
    assert set(started) == {"started"}
    arguments, _, line = told["fault"]["message"].partition("] ")
    options = "['guarantee', '--json', '--rules=datc-3', '--timeout=60', '--power=ENGLAND', '--', 'take ENG', '-'"
    assert arguments == options
    assert json.loads(line) == {**POSITION, "map": "standard", "phase": "movement", "orders": {}}


@pytest.mark.parametrize("ignored", [signal.SIG_DFL, signal.SIG_IGN])
def test_progress_comes_as_it_is_made_and_a_stop_ends_the_command(port: int, command: Any, ignored: signal.Handlers) -> None:  # noqa: ANN401
    """Also if whoever started the server has it ignore Ctrl-C."""
    number, began = command(f"import signal; signal.signal(signal.SIGINT, signal.{ignored.name}); {WORKING}"), monotonic()
    with task(port, WISH) as response:
        name = json.loads(response.readline())["started"]
        assert json.loads(response.readline()) == {"progress": "7 of 9"}
        assert stop(port, name) == 204
        assert [event["fault"]["message"] for event in rest_of(response)] == ["stopped"]
    assert monotonic() - began < processes.GRACE
    assert not is_alive(number.read_text())
    assert stop(port, name) == 404


def test_a_command_that_does_not_heed_is_killed(port: int, command: Any, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ANN401
    monkeypatch.setattr(processes, "GRACE", 0.05)
    number = command("import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); " + WORKING)
    with task(port, WISH) as response:
        name = json.loads(response.readline())["started"]
        response.readline()
        stop(port, name)
        assert "fault" in rest_of(response)[-1]
    assert not is_alive(number.read_text())


def test_a_command_ends_when_the_page_goes_away(port: int, command: Any) -> None:  # noqa: ANN401
    number = command(WORKING)
    with task(port, WISH) as response:
        response.readline()
        response.readline()
    assert not is_alive(number.read_text())


def test_only_so_many_are_at_work_at_a_time(port: int, command: Any) -> None:  # noqa: ANN401
    command(WORKING)
    with ExitStack() as stack:
        at_work = [stack.enter_context(task(port, WISH)) for _ in range(processes.MOST)]
        for response in at_work:
            response.readline()
        (refused,) = events(port, WISH)
        assert refused["fault"]["message"] == "2 tasks are running already"
    command("sys.exit('satjudge: no')")
    for _ in range(1000):  # the two are ending
        told = events(port, WISH)[-1]["fault"]["message"]
        if told == "no":
            break
        sleep(0.02)
    assert told == "no"


def test_the_time_limit_of_a_command_that_has_none_is_kept(port: int, command: Any) -> None:  # noqa: ANN401
    command(WORKING)
    asked = {"task": "prove", "line": "walker-1", "position": POSITION, "seconds": 0.1}
    *_, told = events(port, asked)
    assert told["fault"]["message"] == "the time ran out before there was an answer"


@pytest.mark.parametrize(
    "asked",
    [
        {"asks": {"goal": "--help"}},
        {"asks": {"goal": "-"}},
        {"asks": {"goal": "hold\n"}},
        {"asks": {"goal": "hold\0"}},
        {"asks": {"goal": ""}},
        {"asks": {"goal": "x" * 1001}},
        {"asks": {"power": "-h"}},
        {"asks": {"power": ["ENGLAND"]}},
        {"seconds": 0},
        {"seconds": 1e300},
        {"command": "rm"},
        {"task": "judge"},
        {"task": "../search"},
        {"position": {"units": {}, "map": "/etc/passwd"}},
        {"position": None},
        {"rules": {"name": "/tmp/mine.toml"}},
        {"rules": {"name": "datc-3", "settings": ["--json"]}},
        {"asks": {"goal": "differs:/tmp/mine.toml,datc-3"}},
        {"task": "prove", "line": "../../etc/passwd"},
        {"task": "prove", "line": "-"},
        {"task": "prove", "asks": {"behind": "-h"}},
        {"task": "prove", "asks": {"without": ["--json"]}},
        {"task": "prove", "sheet": "ENGLAND:\nnonsense\n"},
        {"task": "lines"},
        {"task": "lines", "asks": {"goal": "-h"}},
        {"task": "lines", "asks": {"goal": "centers=3", "everything": True}},
        {"task": "lines", "asks": {"goal": "centers=3", "count": 101}},
        {"task": "lines", "asks": {"goal": "centers=3"}, "position": {"units": {}, "map": "/etc/passwd"}},
    ],
    ids=str,
)
def test_a_task_that_is_none_is_told_and_nothing_runs(port: int, command: Any, asked: dict[str, Any]) -> None:  # noqa: ANN401
    number = command(WORKING)
    whole = {**WISH, **asked, "asks": {**(WISH["asks"] if "task" not in asked else {}), **asked.get("asks", {})}}
    assert events(port, whole)[-1]["fault"]["message"]
    assert not number.exists()


def test_values_stay_values_whatever_they_say() -> None:
    line = Prove(position=msgspec.convert(POSITION, type=type(read_task(msgspec.json.encode(WISH)).position)), line="walker-1",
                 asks=LineTask(behind="POR SPA; rm -rf $HOME `id`", without=("F VEN", "BLA --json")))  # fmt: skip
    assert list(line.iter_arguments()) == [
        "prove", "--json", "--rules=datc-3", "--behind=POR SPA; rm -rf $HOME `id`", "--without=F VEN", "--without=BLA --json",
        "--", "line:walker-1",
    ]  # fmt: skip


def test_lines_are_found_on_the_map_at_hand() -> None:
    asks = {"goal": "centers=3", "without": ["F BLA"], "feeds": True, "count": 2}
    task = read_task(msgspec.json.encode({"task": "lines", "asks": asks, "position": POSITION, "seconds": 5}))
    assert list(task.iter_arguments()) == [
        "lines", "--json", "--rules=datc-3", "--timeout=5.0", "--without=F BLA", "--feeds", "--count=2",
        "--map=standard", "--", "centers=3",
    ]  # fmt: skip
    assert task.format_input() == b""


def test_a_goal_that_is_a_module_is_not_imported() -> None:
    asked = {"task": "search", "position": POSITION, "asks": {"goal": "antigravity:Anything"}}
    with pytest.raises(InputError, match="there is no goal"):
        list(read_task(msgspec.json.encode(asked)).iter_arguments())
    assert "antigravity" not in sys.modules


def test_a_search_begins_with_what_is_at_hand() -> None:
    asks = {"goal": "paradox", "region": "BRE ENG", "free_units": True}
    base = {"task": "search", "position": POSITION, "sheet": SHEET, "asks": asks}
    start = {name: read_task(msgspec.json.encode({**base, "start": name})) for name in ("empty", "units", "orders")}
    assert start["empty"].format_input() == b""
    assert "--map=standard" in list(start["empty"].iter_arguments())
    assert json.loads(start["units"].format_input())["orders"] == {}
    assert json.loads(start["orders"].format_input())["orders"]["FRANCE"] == ["A BRE - LON", "F ENG C A BRE - LON"]
    assert {"--board=-", "--free-units", "--region=BRE ENG"} < set(start["orders"].iter_arguments())
    assert isinstance(start["orders"], Search)


# ---- how it begins and ends ----


def test_the_page_begins_with_what_the_command_was_given(port: int) -> None:
    config = json.loads(send(port, "GET", "/config.json").body)
    (case,) = config["opened"]
    assert config["engine"] == "server"
    assert (case["title"], case["rules"]["name"], case["follows"]) == ("6.F.14: Simple convoy paradox", "datc-3", False)
    assert case["position"]["units"]["FRANCE"] == ["A BRE", "F ENG"]
    assert "F ENG C A BRE - LON\n" in case["sheet"]


def test_retreats_of_a_case_are_a_phase_of_their_own() -> None:
    sheet = find_bundled_case("6.H.1")
    moves, retreats = open_phases([(sheet, load_rulebook())])
    assert (moves.follows, retreats.follows) == (False, True)
    assert (moves.position.phase, retreats.position.phase) == ("S1901M", "S1901R")
    assert retreats.position.dislodged
    assert retreats.sheet


def test_a_saved_game_is_opened_with_all_its_phases(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    for arguments in (["new", str(path)], ["order", str(path), "FRANCE", "A PAR - BUR"], ["next", str(path)]):
        assert run(["game", *arguments]) == 0
    rulebook = load_rulebook()
    phases = open_phases((sheet, rulebook) for sheet in read_game(str(path), None))
    assert [(one.position.phase, one.follows) for one in phases] == [("S1901M", False), ("F1901M", True)]
    assert phases[0].sheet == "FRANCE:\nA PAR - BUR\n"
    assert "A BUR" in phases[1].position.units["FRANCE"]
    assert len(read_game(str(path), "F1901M")) == 1


def test_what_cannot_be_opened_is_told() -> None:
    for arguments, message in (
        (["nothing.txt"], "there is no file nothing.txt"),
        (["--case", "6.A.1"], "no file is given"),
        (["datc:6.F.14", "--case", "6.A.1"], "there is no case 6.A.1"),
    ):
        done = CliRunner().invoke(cli, ["explore", "--no-browser", *arguments])
        assert done.exit_code != 0
        assert message in done.output + str(done.exception)


STALLED = b"POST /tasks HTTP/1.1\r\nhost: 127.0.0.1:%d\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{"


COMMAND = "import signal; signal.signal(signal.SIGINT, signal.{}); from satjudge.apps.cli import main; main()"


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize(
    ("stalled", "number"),
    [(b"", signal.SIGINT), (STALLED, signal.SIGINT), (b"", signal.SIGTERM)],
    ids=["idle", "stalled", "Ctrl-C is ignored"],
)
def test_ctrl_c_ends_it_quietly_and_at_once(stalled: bytes, number: signal.Signals) -> None:
    """Also while a page is connected, a task is at work, and a request does not come to its end; the port is free again."""
    program = COMMAND.format("default_int_handler" if number is signal.SIGINT else "SIG_IGN")
    command = [sys.executable, "-c", program, "explore", "--no-browser", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        address = server.stdout.readline().strip()
        port = int(address.rstrip("/").rpartition(":")[2])
        asked = {"task": "prove", "line": "walker-1", "position": POSITION}
        with socket.create_connection(("127.0.0.1", port)) as page, task(port, asked) as response:
            page.sendall(stalled and stalled % port)
            assert "started" in json.loads(response.readline())
            children = Path(f"/proc/{server.pid}/task/{server.pid}/children")
            while not (numbers := children.read_text().split()):
                sleep(0.01)
            began = monotonic()
            server.send_signal(signal.SIGINT)
            if number is not signal.SIGINT:
                with pytest.raises(subprocess.TimeoutExpired):
                    server.wait(1)
                server.send_signal(number)
            output, errors = server.communicate(timeout=20)
        assert (server.returncode, output, errors) == (0, "", "")
        assert monotonic() - began < 5 + (LONGEST_END if stalled else 0)
        assert not any(is_alive(number) for number in numbers)
    open_socket("127.0.0.1", port).close()


def test_what_is_long_is_compressed_where_a_browser_reads_that(port: int) -> None:
    packed = send(port, "POST", "/ask", START, {"accept-encoding": "gzip"})
    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(packed.body) == send(port, "POST", "/ask", START).body
    assert send(port, "GET", "/tasks", headers={"accept-encoding": "gzip"}).headers["content-encoding"] is None, (
        "lines come one by one"
    )


def test_the_page_links_all_its_style_sheets(port: int) -> None:
    page = send(port, "GET", "/").body.decode()
    folder = Path(processes.__file__).parent / "page"
    assert {path.name for path in folder.glob("*.css") if f'href="{path.name}"' not in page} == set()
