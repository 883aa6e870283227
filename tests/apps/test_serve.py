"""The service over HTTP, over real sockets: what it answers, to whom, within which limits, and how it ends."""

from __future__ import annotations

import asyncio
import json
import re
import shlex
import shutil
import subprocess
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from http.client import HTTPConnection
from pathlib import Path
from threading import Thread
from typing import Any

import msgspec
import psutil
import pytest
from helpers.kit_lines import kit_lines
from prometheus_client.parser import text_string_to_metric_families

from satjudge.apps.http import open_socket
from satjudge.apps.serve import server, workers
from satjudge.apps.serve.monitor import JsonFormatter
from satjudge.apps.serve.questions import QUESTIONS, answer_path
from satjudge.apps.serve.server import LONGEST_QUESTION, ServiceServer, make_description
from satjudge.apps.serve.worker import answer_question
from satjudge.apps.serve.workers import LimitError, ServiceLimits, Workers
from satjudge.base.errors import InputError
from satjudge.base.process_tree import Kin
from satjudge.bulk.batch import answer_line

PARADOX: dict[str, Any] = {
    "units": {"FRANCE": ["A BRE", "F ENG"], "ENGLAND": ["F LON", "F WAL"]},
    "orders": {"FRANCE": ["A BRE - LON", "F ENG C A BRE - LON"], "ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG"]},
}
JSON = {"content-type": "application/json; charset=utf-8"}
ROOT = Path(__file__).parents[2]
CLIENTS = ROOT / "docs" / "clients"


@pytest.fixture(scope="module")
def service() -> Iterator[int]:
    """A service at work in a thread; the port that it listens on."""
    listening = open_socket("127.0.0.1", 0)
    running = ServiceServer(
        "127.0.0.1", listening, ServiceLimits(jobs=1), hosts=["judge.example.org"], origins=["https://example.org"]
    )
    thread = Thread(target=running.answer)
    thread.start()
    port = int(listening.getsockname()[1])
    assert send(port, "GET", "/health")[0] == 200
    yield port
    children = psutil.Process().children()
    running.should_exit = True
    thread.join(20)
    assert not thread.is_alive()
    with suppress(psutil.Error):  # which a process raises that ends meanwhile
        assert not [child for child in children if child.status() != "zombie" and "serve.worker" in " ".join(child.cmdline())]


def send(port: int, method: str, path: str, body: object = None, **headers: str) -> tuple[int, dict[str, str], Any]:
    """Status, headers and content of an answer; JSON is read."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
        data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, data, {**(JSON if method == "POST" else {}), **named})
        answer = connection.getresponse()
        content, told = answer.read(), {name.lower(): value for name, value in answer.getheaders()}
        return answer.status, told, json.loads(content) if told["content-type"] == "application/json" else content


def post(port: int, path: str, **question: object) -> Any:  # noqa: ANN401
    """The answer to a question about the paradox, which there must be."""
    status, _, told = send(port, "POST", path, {**PARADOX, **question})
    assert status == 200, told
    return told


# ---- answers ----


def test_a_phase_is_judged_as_a_batch_line_is(service: int) -> None:
    line = json.dumps({"id": "x", **PARADOX}).encode()
    assert send(service, "POST", "/judge", line)[2] == json.loads(answer_line(line))
    assert answer_question("/judge", line)[1].content == answer_line(line)


def test_a_full_name_of_a_phase_says_the_same(service: int) -> None:
    assert post(service, "/judge", phase="F1907M") == post(service, "/judge")


@pytest.mark.parametrize("path", ["/judge", "/legal", "/resolutions", "/explain", "/next", "/draw", "/report"])
def test_an_order_that_cannot_be_read_is_illegal_wherever_it_is_sent(service: int, path: str) -> None:
    question = PARADOX | {"orders": {"FRANCE": ["A BRE - XXX", "F ENG - NTH"]}}
    status, _, told = send(service, "POST", path, question)
    assert status == 200
    if path in ("/report", "/explain"):
        assert "XXX" in str(told)
    if path == "/judge":
        assert (told["results"], told["error"]["kind"]) == ({"FRANCE": ["illegal", "succeeds"]}, "notation")


def test_a_mistyped_power_is_named(service: int) -> None:
    told = post(service, "/judge", orders={"FRANC": ["A BRE H"]})
    assert told["results"] == {"FRANC": ["illegal"]}
    assert told["error"] == {"kind": "notation", "message": "there is no power 'FRANC' (did you mean France?)"}
    status, _, told = send(service, "POST", "/next", PARADOX | {"orders": {"FRANC": ["A BRE H"]}})
    assert (status, told["error"]["message"]) == (422, "there is no power 'FRANC'")
    status, _, told = send(service, "POST", "/judge", {"units": {"Lepanto": ["A PAR"]}, "orders": {"Lepanto": ["A PAR H"]}})
    assert (status, told.get("error")) == (200, None)  # a power of one's own


def test_empty_objects_may_be_written_as_php_writes_them(service: int) -> None:
    question = {"units": {"FRANCE": ["A PAR"]}, "orders": [], "centers": [], "dislodged": [], "phase": "S1901M"}
    assert send(service, "POST", "/next", question)[2]["next"]["units"] == {"FRANCE": ["A PAR"]}
    lost = {"units": [], "dislodged": {"FRANCE": []}, "phase": "retreat"}
    assert send(service, "POST", "/judge", lost)[0] == 200
    assert send(service, "POST", "/judge", {"units": [["A PAR"]]})[0] == 422


def test_the_front_page_shows_what_can_be_asked(service: int) -> None:
    status, headers, told = send(service, "GET", "/")
    assert (status, headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert all(kind.path.encode() in told for kind in QUESTIONS)
    assert b"curl" in told


def test_a_year_is_played_by_sending_back_what_came(service: int) -> None:
    """The centres of both powers are theirs at the end: those taken, and those that nobody stands in."""
    phase: dict[str, Any] = {
        "phase": "S1901M",
        "units": {"FRANCE": ["A PAR", "F BRE"], "GERMANY": ["A MUN"]},
        "centers": {"FRANCE": ["PAR", "BRE"], "GERMANY": ["MUN"]},
    }
    orders = {
        "S1901M": {"FRANCE": ["A PAR - BUR"]},
        "F1901M": {"FRANCE": ["A BUR - BEL"]},
        "W1901A": {"FRANCE": ["BUILD A PAR"]},
    }
    for name, given in orders.items():
        assert phase["phase"] == name
        status, _, told = send(service, "POST", "/next", {**phase, "orders": given})
        assert (status, told["ended"]) == (200, None)
        assert told["judged"]["results"] == {"FRANCE": ["succeeds"]}
        phase = told["next"]
    assert phase == {
        "phase": "S1902M",
        "units": {"FRANCE": ["A BEL", "F BRE", "A PAR"], "GERMANY": ["A MUN"]},
        "centers": {"FRANCE": ["BEL", "BRE", "PAR"], "GERMANY": ["MUN"]},
        "map": "standard",
        "rules": "datc-3",
    }


def test_a_retreat_follows_where_a_unit_is_dislodged(service: int) -> None:
    told = post(service, "/next", phase="S1901M")["next"]
    assert told["phase"] == "S1901R"
    assert told["dislodged"] == {"FRANCE": {"F ENG": ["BEL", "IRI", "MAO", "NTH", "PIC"]}}
    again = send(service, "POST", "/next", {**told, "orders": {"FRANCE": ["F ENG R MAO"]}})[2]
    assert again["judged"]["results"] == {"FRANCE": ["succeeds"]}
    assert again["next"]["phase"] == "F1901M"


def test_whoever_has_the_centres_that_win_has_won(service: int) -> None:
    told = post(service, "/next", phase="F1901M", centers={"FRANCE": ["BRE", "PAR"]}, orders={}, victory=2)
    assert "FRANCE" in told["ended"] or "France" in told["ended"]


def test_legal_orders_are_listed_for_all_and_for_one(service: int) -> None:
    of_all = post(service, "/legal")["legal"]
    assert list(of_all) == ["FRANCE", "ENGLAND"]
    assert post(service, "/legal", of="F ENG")["legal"] == {"FRANCE": {"F ENG": of_all["FRANCE"]["F ENG"]}}
    assert "F ENG - NTH" in of_all["FRANCE"]["F ENG"]


def test_resolutions_and_reasons_are_told(service: int) -> None:
    assert post(service, "/resolutions")["count"] == 2
    (reason,) = post(service, "/explain", order="A BRE")["orders"]
    assert reason["verdict"] == "fails"
    assert not post(service, "/explain", order="A BRE", why_not=True)["why_not"][0]["possible"]
    assert post(service, "/explain", order="F ENG", why_not=True)["why_not"][0]["possible"]
    changed = post(service, "/explain", order="A BRE", what_would_change=True)["what_would_change"]
    assert changed["wish"] == "A BRE - LON succeeds"
    assert changed["changes"][0]["orders"]
    status, _, told = send(
        service, "POST", "/explain", {**PARADOX, "order": "A BRE", "what_would_change": True, "why_not": True}
    )
    assert (status, "ask one at a time" in str(told)) == (422, True)


def test_pictures_and_reports_are_written(service: int) -> None:
    assert post(service, "/draw").startswith(b"<svg")
    question = json.dumps(PARADOX).encode()
    assert answer_path("/draw", question) is answer_path("/draw", question)  # it is drawn once
    assert post(service, "/draw", shows="before") != post(service, "/draw", shows="after")
    assert b"Results" in post(service, "/report")
    assert post(service, "/report", format="html").startswith(b"<!DOCTYPE html>")


def test_texts_are_read(service: int) -> None:
    status, _, told = send(service, "POST", "/read", {"text": "France:\nA Par - Bur\n"})
    assert status == 200
    assert told["phases"][0]["orders"] == {"FRANCE": ["A PAR - BUR"]}
    mail = {"text": "Hello,\nA Bre - Lon\nmy best\n", "power": "France", "phase": {"units": PARADOX["units"]}}
    _, _, told = send(service, "POST", "/read", mail)
    assert told["orders"] == {"FRANCE": ["A BRE - LON"]}
    assert "passed over" in told["told"][0]


def test_what_there_is_is_listed(service: int) -> None:
    assert "standard" in [each["name"] for each in send(service, "GET", "/maps")[2]["maps"]]
    assert send(service, "GET", "/maps/standard")[2]["name"] == "standard"
    assert "datc-3" in [each["name"] for each in send(service, "GET", "/rulebooks")[2]["rulebooks"]]
    assert "satjudge" in send(service, "GET", "/health")[2]


def test_what_operators_ask_is_answered(service: int, caplog: pytest.LogCaptureFixture) -> None:
    """Readiness, metrics and a log; strangers' paths make no new series."""
    while send(service, "GET", "/ready")[0] == 503:
        time.sleep(0.05)
    with caplog.at_level("INFO", "satjudge.serve"):
        send(service, "POST", "/judge", b"{")
        send(service, "GET", "/maps/nowhere")
        send(service, "GET", "/strange/path")
    lines = [json.loads(JsonFormatter().format(record)) for record in caplog.records]
    keys = ("message", "level", "path", "route", "status", "kind", "client")
    assert [[line[key] for key in keys] for line in lines] == [
        ["request", "info", "/judge", "/judge", 422, "request", "127.0.0.1"],
        ["request", "info", "/maps/nowhere", "/maps/{name}", 404, "not-found", "127.0.0.1"],
        ["request", "info", "/strange/path", "other", 404, "request", "127.0.0.1"],
    ]
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line["time"]) for line in lines)
    status, headers, told = send(service, "GET", "/metrics")
    assert (status, headers["content-type"].partition(";")[0]) == (200, "text/plain")
    found = {one.name: one for one in text_string_to_metric_families(told.decode())}
    counted = {(one.labels["route"], one.labels["status"]): one.value for one in found["satjudge_requests"].samples}
    assert counted["/maps/{name}", "404"] >= 1
    assert {route for route, _ in counted} <= {
        "other",
        "/maps/{name}",
        "/",
        *server.DOCUMENTS,
        *(kind.path for kind in QUESTIONS),
    }
    assert sum(one.value for one in found["satjudge_request_seconds"].samples if one.name.endswith("_count")) == sum(
        one.value for one in found["satjudge_requests"].samples if one.name.endswith("_total")
    )
    assert {name: found[name].samples[0].value for name in found if name.split("_")[1] in ("ready", "waiting", "workers")} == {
        "satjudge_ready": 1,
        "satjudge_waiting_questions": 0,
        "satjudge_workers": 1,
    }


def test_the_description_names_every_path(service: int) -> None:
    told = send(service, "GET", "/openapi.json")[2]
    assert told == json.loads(msgspec.json.encode(make_description()))
    assert {kind.path for kind in QUESTIONS} < set(told["paths"])
    assert all(operation["summary"].endswith(".") for each in told["paths"].values() for operation in each.values())


# ---- refusals ----


REFUSED = {
    "no JSON": ("/judge", b"{", 422, "request"),
    "an unknown key": ("/next", {**PARADOX, "unit": 1}, 422, "unknown-key"),
    "no place": ("/judge", {"units": {"FRANCE": ["A XXX"]}}, 422, "notation"),
    "no rulebook that comes with satjudge": ("/legal", {**PARADOX, "rules": "/etc/passwd"}, 422, "rulebook"),
    "no map that comes with satjudge": ("/draw", {**PARADOX, "map": "../x.toml"}, 422, "request"),
    "no phase": ("/next", {**PARADOX, "phase": "X1901M"}, 422, "request"),
    "no moves": ("/resolutions", {"units": {}, "phase": "W1901A"}, 422, "request"),
    "no text": ("/read", {"text": 1}, 422, "request"),
    "no such unit": ("/legal", {**PARADOX, "of": "A PAR"}, 422, "not-found"),
    "no such path": ("/judges", PARADOX, 404, "request"),
    "too much": ("/judge", b" " * (LONGEST_QUESTION + 1), 413, "request"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_refused_says_why(service: int, what: str) -> None:
    path, body, status, kind = REFUSED[what]
    found, _, told = send(service, "POST", path, body)
    assert (found, told["error"]["kind"], told["error"].get("column")) == (status, kind, 3 if what == "no place" else None)
    assert told["error"]["message"]


def test_only_what_is_called_json_is_read(service: int) -> None:
    """A form of another page can send anything else without asking."""
    status, _, told = send(service, "POST", "/judge", PARADOX, content_type="text/plain")
    assert status == 415
    assert "application/json" in told["error"]["message"]


def test_another_method_is_told_which_there_is(service: int) -> None:
    status, headers, told = send(service, "GET", "/judge")
    assert (status, headers["allow"]) == (405, "POST")
    assert told["error"]["message"] == "/judge does not accept GET; send POST"


def test_a_misspelt_path_or_key_is_told_what_may_be_meant(service: int) -> None:
    assert "there is no path /jugde (did you mean /judge?)" in str(send(service, "POST", "/jugde", PARADOX))
    assert "(did you mean `units` by `unit`?)" in str(send(service, "POST", "/judge", {"unit": {}}))


def test_it_answers_for_its_own_names_only(service: int) -> None:
    assert {send(service, "GET", "/health", host=name)[0] for name in ("judge.example.org", "localhost", "127.0.0.1")} == {200}
    status, _, told = send(service, "GET", "/health", host="evil.example.org")
    assert status == 403
    assert "--allow-host" in told["error"]["message"]


def test_pages_of_named_origins_may_ask(service: int) -> None:
    asked = {"access_control_request_method": "POST", "access_control_request_headers": "content-type"}
    assert send(service, "OPTIONS", "/judge", origin="https://example.org", **asked)[0] == 200
    assert send(service, "OPTIONS", "/judge", origin="https://evil.example.org", **asked)[0] == 400


# ---- limits ----

FAKE = """
import sys, time
for line in sys.stdin.buffer:
    path, length = line.decode().split()
    body = sys.stdin.buffer.read(int(length))
    if body == b"slow": time.sleep(60)
    if body == b"large": kept = b"x" * 300_000_000; time.sleep(60)
    if body == b"end": sys.exit()
    sys.stdout.buffer.write(b"200 %d text/plain\\n" % len(body) + body)
    sys.stdout.flush()
"""


def fake(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the processes do as they are told."""
    monkeypatch.setattr(workers, "COMMAND", (sys.executable, "-c", FAKE))


async def _asked(limits: ServiceLimits, *bodies: bytes) -> list[str]:
    """What becomes of questions, one after the other."""
    pool, told = Workers(limits), []
    await pool.start()
    for body in bodies:
        try:
            told.append((await pool.answer("/x", body)).content.decode())
        except LimitError as error:
            told.append(error.kind)
    await pool.end()
    return told


@pytest.mark.parametrize(
    ("body", "limits", "kind"),
    [
        (b"slow", ServiceLimits(jobs=1, seconds=0.3), "time"),
        (b"large", ServiceLimits(jobs=1, memory=200), "memory"),
        (b"end", ServiceLimits(jobs=1), "internal"),
    ],
    ids=["slow", "large", "ending"],
)
def test_a_question_that_takes_too_much_is_given_up_and_the_next_is_answered(
    monkeypatch: pytest.MonkeyPatch, body: bytes, limits: ServiceLimits, kind: str
) -> None:
    fake(monkeypatch)
    assert asyncio.run(_asked(limits, b"one", body, b"two")) == ["one", kind, "two"]


def test_more_questions_than_may_wait_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    fake(monkeypatch)

    async def many() -> list[str]:
        pool = Workers(ServiceLimits(jobs=1, seconds=0.5, waiting=1))
        await pool.start()
        first = asyncio.create_task(pool.answer("/x", b"slow"))
        await asyncio.sleep(0.1)
        second = asyncio.create_task(pool.answer("/x", b"second"))
        await asyncio.sleep(0.1)
        with pytest.raises(LimitError) as refused:
            await pool.answer("/x", b"third")
        with pytest.raises(LimitError):
            await first
        content = (await second).content
        await pool.end()
        return [refused.value.kind, content.decode()]

    assert asyncio.run(many()) == ["busy", "second"]


def test_a_process_that_has_not_started_uses_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a container, processes of a session outside have session 0."""
    monkeypatch.setattr("satjudge.base.process_tree.session_of", lambda process: 0)
    assert Kin().memory() == 0


def test_a_hundred_clients_are_served(monkeypatch: pytest.MonkeyPatch) -> None:
    """One process has a question of each at a time, and the others wait."""
    fake(monkeypatch)

    async def many() -> list[bytes]:
        pool = Workers(ServiceLimits(jobs=1))
        await pool.start()
        told = await asyncio.gather(*(pool.answer("/x", b"%d" % client) for client in range(100)))
        await pool.end()
        return [one.content for one in told]

    assert asyncio.run(many()) == [b"%d" % client for client in range(100)]


def test_a_fault_of_ours_is_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(path: str, body: bytes) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("satjudge.apps.serve.worker.answer_path", fail)
    status, told = answer_question("/judge", b"{}")
    assert (status, json.loads(told.content)["error"]["kind"]) == (500, "internal")


@pytest.mark.parametrize(("path", "keys"), [("/judge", {}), ("/legal", {}), ("/next", {"centers": {"FRANCE": ["PAR"]}})])
def test_the_kernel_answers_ordinary_questions_as_the_processes_do(path: str, keys: dict[str, Any]) -> None:
    """Most of the kit's, in all phases; what only the kernel would take is left to the processes, which refuse it."""
    kernel = server.KernelAnswerer()
    assert kernel.answer(path, json.dumps(PARADOX).encode()) is None
    kernel.load()
    lines = [json.loads(line) | keys for line in kit_lines()[::9]]
    without = {"id"} if path == "/legal" else set()
    questions = [json.dumps({key: of for key, of in line.items() if key not in without}).encode() for line in lines]
    found = {body: told for body in questions if (told := kernel.answer(path, body))}
    assert len(found) > len(questions) / 2
    for body, told in found.items():
        assert (200, told) == (answer_question(path, body)[0], answer_question(path, body)[1].content), body
    of_another = {"victory": 3} if path == "/legal" else {"of": "A BRE"}
    assert kernel.answer(path, json.dumps(PARADOX | of_another).encode()) is None


ADJUSTMENTS = {"phase": "W1901A", "units": {"FRANCE": ["A BUR"]}, "centers": {"FRANCE": ["PAR", "MAR"]}}


@pytest.mark.parametrize(
    ("path", "question", "details"),
    [
        ("/judge", {"units": {"France": ["A PAR"]}, "orders": {"France": ["A PAR - LON"]}}, ("6.A.1", None)),
        ("/next", ADJUSTMENTS | {"orders": {"FRANCE": ["A MAR B", "A PAR B"]}}, ("4.D.4", None)),
        ("/next", ADJUSTMENTS | {"phase": "F1901M"}, ("", {"FRANCE": 1})),
        ("/legal", ADJUSTMENTS, (None, {"FRANCE": 1})),
    ],
)
def test_details_are_why_orders_are_illegal_and_how_many_adjustments_are_due(
    path: str, question: dict[str, Any], details: tuple[str | None, dict[str, int] | None]
) -> None:
    asked = json.dumps(question | {"details": True}).encode()
    kernel = server.KernelAnswerer()
    kernel.load()
    assert kernel.answer(path, asked) is None
    answer, plain = (json.loads(answer_path(path, body).content) for body in (asked, json.dumps(question).encode()))
    reasons, due = answer.pop("reasons", None), answer.pop("due", None)
    assert (details[0] is None) == (reasons is None)
    assert (details[0] or "") in str(reasons)
    assert (due, answer) == (details[1], plain)


def test_the_legal_orders_of_one_power() -> None:
    question = {"units": {"France": ["A PAR"], "Italy": ["A ROM"]}}
    bodies = (json.dumps(question | more).encode() for more in ({}, {"power": "Italy"}, {"power": "ITALY"}))
    whole, one, same = (json.loads(answer_path("/legal", body).content) for body in bodies)
    assert one["legal"] == same["legal"] == {"ITALY": whole["legal"]["ITALY"]}


@pytest.mark.parametrize("path", ["/judge", "/next", "/explain", "/legal"])
def test_a_question_may_spell_a_power_in_several_ways(path: str) -> None:
    body = b'{"units": {"France": ["A PAR"]}, "orders": {"france": ["A PAR - BUR"]}, "centers": {"FRANKREICH": ["PAR"]}}'
    kernel = server.KernelAnswerer()
    kernel.load()
    assert kernel.answer(path, body) is None
    assert answer_path(path, body) == answer_path(path, body.replace(b"france", b"France").replace(b"FRANKREICH", b"France"))


def test_nothing_is_read_from_files() -> None:
    with pytest.raises(InputError):
        answer_path("/read", json.dumps({"text": "datc:6.F.14"}).encode())


@pytest.mark.slow
def test_the_service_is_as_it_is_described(service: int, tmp_path: Path) -> None:
    """Not tried: that whatever the description allows has an answer, as it cannot say which positions are possible."""
    command = [sys.executable, "-m", "schemathesis.cli", "run", f"http://127.0.0.1:{service}/openapi.json", "-n", "50"]
    left_out = "positive_data_acceptance"
    run = subprocess.run(
        [*command, "--exclude-checks", left_out], cwd=tmp_path, capture_output=True, text=True, timeout=600, check=False
    )
    assert run.returncode == 0, run.stdout[-5000:]


# ---- ending ----

CHILD = """
import sys
from satjudge.apps.cli import run
from satjudge.apps.serve import workers
workers.COMMAND = (sys.executable, "-c", {fake!r})
sys.exit(run(["serve", "--port", "0", "--jobs", "1", "--log", "json", *{options!r}]))
"""


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., tuple[subprocess.Popen[str], int]]]:
    """Starts a service as a process, whose questions other than the kernel's are answered by a fake; gives its port."""
    begun = []

    def start_service(*options: str) -> tuple[subprocess.Popen[str], int]:
        command = [sys.executable, "-c", CHILD.format(fake=FAKE, options=options)]
        with (tmp_path / "log").open("w") as log:
            begun.append(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True))
        assert begun[-1].stdout
        port = int(begun[-1].stdout.readline().rpartition(":")[2].strip("/\n"))
        while send(port, "GET", "/ready")[0] == 503:
            time.sleep(0.05)
        return begun[-1], port

    yield start_service
    for process in begun:
        process.kill()
        process.communicate()


async def _ask_until_refused(port: int, number: int, *, keeps: bool) -> Counter[str]:
    """Ask one question after the other, over one connection or many; count answers, and what had none."""
    found, body = Counter[str](), json.dumps(PARADOX).encode()
    path = "/legal" if number % 5 else "/resolutions"
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    question = f"{head}\r\nConnection: {'keep-alive' if keeps else 'close'}\r\n\r\n".encode() + body
    while True:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            return found
        with closing(writer):
            is_open = True
            while is_open:
                try:
                    writer.write(question)
                    answered = (await reader.readuntil(b"\r\n\r\n")).lower()
                    await reader.readexactly(int(answered.partition(b"content-length: ")[2].split()[0]))
                except (OSError, asyncio.IncompleteReadError):
                    found["lost"] += 1
                    break
                found[answered.split()[1].decode()] += 1
                is_open = b"connection: close" not in answered


@pytest.mark.slow
@pytest.mark.parametrize("keeps", [True, False], ids=["connections that are kept", "connections of one question"])
def test_no_answer_is_lost_when_the_service_ends(
    start: Callable[..., tuple[subprocess.Popen[str], int]], tmp_path: Path, *, keeps: bool
) -> None:
    process, port = start()

    async def ask() -> Counter[str]:
        clients = [asyncio.create_task(_ask_until_refused(port, number, keeps=keeps)) for number in range(100)]
        await asyncio.sleep(2)
        process.terminate()
        return sum(await asyncio.gather(*clients), Counter())

    found = asyncio.run(ask())
    assert (found["lost"], set(found) <= {"200"}, found["200"] > 200) == (0, True, True), found
    assert process.wait(20) == 0
    messages = [json.loads(line)["message"] for line in (tmp_path / "log").read_text().splitlines()]
    assert [one for one in messages if one != "request"] == ["ready", "ending", "ended"]


@pytest.mark.slow
@pytest.mark.parametrize(("options", "signals"), [(("--grace", "1"), 1), ((), 2)], ids=["late", "at once"])
def test_a_slow_answer_does_not_keep_the_service(
    start: Callable[..., tuple[subprocess.Popen[str], int]], options: tuple[str, ...], signals: int
) -> None:
    """After the grace or a second signal it is refused."""
    process, port = start("--drain", "0.5", *options)
    answers: list[int] = []
    thread = Thread(target=lambda: answers.append(send(port, "POST", "/report", b"slow")[0]))
    thread.start()
    time.sleep(0.3)
    began = time.monotonic()
    process.terminate()
    time.sleep(0.2)
    status, headers, _ = send(port, "GET", "/ready")
    assert (status, headers["connection"]) == (503, "close")
    if signals == 2:
        process.terminate()
    assert process.wait(10) == 0
    assert time.monotonic() - began < 5
    thread.join()
    assert answers == [503]


# ---- deployment ----


@pytest.mark.slow
def test_the_steps_of_the_dockerfile_make_a_service(tmp_path: Path) -> None:
    """Its files and commands, in a folder and with the packages of this environment, as the registries need not be there."""
    source, made = tmp_path / "src", tmp_path / "made"
    steps = (ROOT / "Dockerfile").read_text()
    kept = re.findall(r"^!(.*)$", (ROOT / ".dockerignore").read_text(), re.MULTILINE)
    for name in kept:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        copy(ROOT / name, source / name)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = {re.split("[>=;]", one)[0] for one in [*project["dependencies"], *project["optional-dependencies"]["serve"]]}
    (listed,) = re.findall(r"pip install --no-cache-dir (click .*)", steps)
    assert {re.split("[>=]", one)[0] for one in shlex.split(listed)} == wanted - {"ortools", "networkx", "rich"}
    for step in re.findall(r"^RUN (.*)$", steps, re.MULTILINE):
        command = step.replace("/opt/satjudge", str(made)).replace("/board", str(tmp_path / "board"))
        command = command.replace("python -m venv", f"{sys.executable} -m venv").replace(
            "--no-deps", "--no-deps --no-build-isolation"
        )
        subprocess.run(command, shell=True, cwd=source, check=True, capture_output=True)  # as docker does
        if "venv" in command:
            (folder,) = made.glob("lib/*/site-packages")
            (folder / "here.pth").write_text(str(Path(msgspec.__file__).parents[1]))
    assert (tmp_path / "board" / "index.html").exists()
    entry = [json.loads(one) for one in re.findall(r"^(?:ENTRYPOINT|CMD) (.*)$", steps, re.MULTILINE)]
    command = [*entry[0], *entry[1], "--port", "0"]
    command[0] = str(made / "bin" / "satjudge")
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout
        port = int(process.stdout.readline().rpartition(":")[2].strip("/\n"))
        assert send(port, "GET", "/health")[0] == 200
        process.terminate()
    assert process.returncode == 0


# ---- clients ----


@pytest.mark.parametrize(
    ("command", "client"),
    [(sys.executable, "client.py"), ("node", "client.mjs"), ("php", "client.php")],
    ids=["py", "js", "php"],
)
def test_the_clients_of_the_documentation_play_a_year(service: int, command: str, client: str) -> None:
    program = shutil.which(command)
    if program is None:
        pytest.skip(f"{command} is not here")
    run = subprocess.run(
        [program, str(CLIENTS / client), f"http://127.0.0.1:{service}"], capture_output=True, text=True, timeout=60, check=True
    )
    lines = run.stdout.splitlines()
    assert lines[0] == "S1901M FRANCE A PAR - BUR -> succeeds"
    assert lines[-2:] == ['S1902M ["A BEL","A MAR","A PAR","F BRE"]', "refused: no request has a key `unit`"]
