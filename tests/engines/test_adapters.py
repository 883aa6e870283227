"""The adapters of `adapters/`: what they share, the bridge to HTTP against a server, how they translate."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest

from satjudge.files.documents import described_map
from satjudge.notation.parse import parse_order
from satjudge.world.geography import load_map

ADAPTERS = Path(__file__).resolve().parents[2] / "adapters"
LINE: dict[str, Any] = {"id": 7, "units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A PAR - BUR"]}}
Reply = tuple[int, bytes]


def adapter(path: str) -> ModuleType:
    """A module of `adapters/`, under a name of its own."""
    spec = importlib.util.spec_from_file_location(f"adapter_{Path(path).stem}", ADAPTERS / path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    before = list(sys.path)
    spec.loader.exec_module(module)
    sys.path[:] = before
    return module


lines, bridge, pydip = adapter("shared/batch_lines.py"), adapter("http/http_lines.py"), adapter("pydip/pydip_lines.py")
diplicity = adapter("diplicity-react/diplicity_lines.py")


@contextmanager
def endpoint(reply: Callable[[dict[str, Any]], Reply], protocol: str = "HTTP/1.1") -> Iterator[tuple[str, list[Any]]]:
    """A server on this machine: its address, and what it is asked, with the header `X-Key`."""
    asked: list[Any] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = protocol

        def do_POST(self) -> None:
            """Answer as the test says."""
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append((self.path, request, self.headers["X-Key"], self.client_address[1]))
            status, body = reply(request)
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments: object) -> None:
            """Say nothing."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def holding(request: dict[str, Any]) -> Reply:
    """The units stay where they are."""
    return 200, json.dumps({"id": request["id"], "units": request["units"]}).encode()


@pytest.mark.parametrize(("protocol", "connections"), [("HTTP/1.1", 1), ("HTTP/1.0", 3)])
def test_lines_are_posted_to_an_endpoint(protocol: str, connections: int) -> None:
    """By one connection, if the endpoint keeps it open."""
    with endpoint(holding, protocol) as (address, asked):
        there = bridge.Endpoint(f"{address}/judge?rules=2023", {"X-Key": "secret"}, 5.0)
        for number in (1, 2, 3):
            assert there.answer(json.dumps(LINE | {"id": number}) + "\n") == {"id": number, "units": {"FRANCE": ["A PAR"]}}
        there.close()
    assert [(path, request["id"], key) for path, request, key, _ in asked] == [
        ("/judge?rules=2023", number, "secret") for number in (1, 2, 3)
    ]  # fmt: skip
    assert len({port for *_, port in asked}) == connections


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        ((501, b"no retreats"), {"skip": "no retreats"}),
        ((501, b""), {"skip": "not implemented"}),
        ((500, b"<h1>\nOops</h1>"), {"error": "HTTP status 500: <h1> Oops</h1>"}),
        ((302, b""), {"error": "HTTP status 302: "}),
        ((200, b"Oops"), {"error": "its answer is not JSON: Oops"}),
        ((200, b"[]"), {"error": "its answer is no JSON object: []"}),
        ((200, b'{"units": {}}'), {"units": {}}),
        ((200, b'{"id": 8, "units": {}}'), {"id": 8, "units": {}}),
    ],
)
def test_what_an_endpoint_says_otherwise_is_an_answer_too(reply: Reply, told: dict[str, Any]) -> None:
    """An answer without `id` gets that of the line; another `id` is left, so that it is noticed."""
    with endpoint(lambda request: reply) as (address, _):
        there = bridge.Endpoint(address, {}, 5.0)
        assert there.answer(json.dumps(LINE)) == {"id": 7, **told}
        there.close()


def test_an_endpoint_that_is_not_there_is_an_error() -> None:
    """The address is told, and the next line is posted again."""
    with endpoint(holding) as (address, _):
        pass
    answer = bridge.Endpoint(address, {}, 5.0).answer(json.dumps(LINE))
    assert answer["id"] == 7
    assert answer["error"].startswith(f"no answer from {address}: ConnectionRefusedError")


@pytest.mark.parametrize(
    "arguments", [["localhost:80"], ["ftp://localhost"], ["http://localhost", "--header", "Authorization"]]
)
def test_a_wrong_address_or_header_is_told(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["http_lines.py", *arguments])
    with pytest.raises(SystemExit, match="2"):
        bridge.main()
    told = capsys.readouterr().err
    assert "is no address that begins with http://" in told or "a name and a value, as in --header" in told


@pytest.mark.parametrize(
    ("text", "kind", "unit", "other", "destination"),
    [
        ("A PAR H", "H", "A PAR", "None", ""),
        ("KIE - DEN", "-", " KIE", "None", "DEN"),
        ("F STP/SC - BOT", "-", "F STP/SC", "None", "BOT"),
        ("A LON - NTH - BEL", "-", "A LON", "None", "BEL"),
        ("F POR S F SPA/NC", "S", "F POR", "F SPA/NC", ""),
        ("F MAR S F GAS - SPA/NC", "S", "F MAR", "F GAS", "SPA/NC"),
        ("F TYS C FRANCE A TUN - NAP", "C", "F TYS", "A TUN", "NAP"),
        ("A VEN R APU VIA", "R", "A VEN", "None", "APU"),
        ("F STP/NC B", "B", "F STP/NC", "None", ""),
        ("A PRU D", "D", "A PRU", "None", ""),
        ("F spa/sc - gol", "-", "F spa/sc", "None", "gol"),
    ],
)
def test_orders_are_taken_apart(text: str, kind: str, unit: str, other: str, destination: str) -> None:
    order = lines.read_order(text, "FRANCE")
    assert (order.kind, str(order.unit), str(order.other), order.destination) == (kind, unit, other, destination)
    assert order.via == text.endswith("VIA")
    assert order.route == (("NTH",) if "NTH" in text else ())
    assert order.power == order.unit.power == "FRANCE"
    assert text != text.upper() or str(parse_order(text, load_map())) == text


def test_lines_that_an_adapter_cannot_judge() -> None:
    def raises(request: dict[str, Any]) -> dict[str, Any]:
        raise RuntimeError("oops")

    def twice(request: dict[str, Any]) -> dict[str, Any]:
        return {"units": lines.by_power([order.unit for order in lines.one_for_each(lines.orders_of(request)).values()])}

    phases = {"movement": twice, "adjustment": raises}
    requests = [
        LINE, LINE | {"phase": "retreat"}, LINE | {"phase": "adjustment"}, LINE | {"map": "pure"},
        LINE | {"orders": {"FRANCE": ["A PAR H", "A PAR - BUR"]}}, LINE | {"orders": {"FRANCE": ["A PAR X"]}},
    ]  # fmt: skip
    out = StringIO()
    lines.serve(phases, StringIO("".join(json.dumps(request) + "\n" for request in requests)), out)
    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    assert answers == [
        {"id": 7, "units": {"FRANCE": ["A PAR"]}},
        {"id": 7, "skip": "no retreat phases"},
        {"id": 7, "error": "RuntimeError: oops"},
        {"id": 7, "skip": "only the standard map"},
        {"id": 7, "skip": "the engine takes one order for each unit; two are for PAR"},
        {"id": 7, "skip": "the adapter does not know such an order: A PAR X"},
    ]


def test_pydip_has_a_name_for_each_place() -> None:
    """Each province, for armies and for fleets, and back."""
    game_map = load_map()
    assert set(pydip.NAMES) == set(game_map.provinces)
    assert {code for code in game_map.provinces if code not in game_map.army} == pydip.SEAS
    assert all(pydip.read(pydip.written(code, "A")) == code for code in game_map.army)
    assert all(pydip.read(pydip.written(place, "F")) == place for place in game_map.fleet)
    assert [pydip.written(place, "F") for place in ("BUL/EC", "SPA/SC", "BRE", "MAO")] == [
        "Bulgaria North Coast", "Spain South Coast", "Brest Coast", "Mid-Atlantic Ocean",
    ]  # fmt: skip
    assert pydip.written("SPA/NC", "A") == "Spain"


def test_diplicity_is_told_of_stand_offs_and_attackers() -> None:
    """Its map is made of the tables that it has; places for retreats become what they are derived from."""
    place = {"type": "coastal", "supply_center": True, "parent_id": None, "adjacencies": []}
    made = diplicity.variant(
        {
            "nations": [{"nation_id": "russia", "name": "Russia"}],
            "provinces": [place | {"id": "stp", "name": "St"}, place | {"id": "stp/nc", "name": "N", "parent_id": "stp"}],
        },
        {"initial_supply_centers": [{"nation": "Russia", "province": "stp"}]},
    )
    assert [(one["id"], one["homeNation"]) for one in made["provinces"]] == [("stp", "russia")]
    assert [(one["id"], one["parentProvince"]) for one in made["namedCoasts"]] == [("stp/nc", "stp")]
    order = diplicity._order(diplicity.read_order("F nth C A lon - bel", "England"), [])
    assert order == {
        "nation": "england", "source": "nth", "orderType": "Convoy", "target": "bel", "aux": "lon", "unitType": "Fleet",
        "viaConvoy": False,
    }  # fmt: skip
    engine = object.__new__(diplicity.Engine)
    reach = {"ven": {"apu", "tri", "rom"}, "nap": {"apu", "rom"}}
    engine._within_reach = lambda unit: reach[unit.location]
    venice, naples = (diplicity.Unit("A", where, "Italy") for where in ("ven", "nap"))
    assert engine._barred([], {venice: ["rom"], naples: ["rom"]}) == (["apu", "tri"], {})
    assert engine._barred([], {venice: ["rom", "tri"], naples: ["apu"]}) == ([], {venice: "apu", naples: "rom"})
    with pytest.raises(diplicity.Skip, match="would find others"):
        engine._barred([], {venice: [], naples: ["apu", "rom"]})


@pytest.mark.slow
def test_the_package_diplomacy_in_all_phases() -> None:
    """It is in the extra `oracles`, and so here: a dislodgement, two retreats to one place, a build in a second phase."""
    requests = [
        {
            "id": 1, "units": {"FRANCE": ["A BRE", "F ENG"], "ENGLAND": ["F LON", "F WAL"]},
            "orders": {"FRANCE": ["A BRE - LON VIA", "F ENG C A BRE - LON"], "ENGLAND": ["F LON S F WAL - ENG", "F WAL - ENG"]},
        },
        {
            "id": 2, "phase": "retreat", "units": {"RUSSIA": ["A SER"]},
            "orders": {"AUSTRIA": ["F TRI R ALB"], "TURKEY": ["F GRE R ALB"]},
            "dislodged": {"AUSTRIA": {"F TRI": ["ADR", "ALB"]}, "TURKEY": {"F GRE": ["ALB"]}},
        },
        {
            "id": 3, "phase": "adjustment", "units": {"FRANCE": ["A BRE"]}, "centers": {"FRANCE": ["BRE", "PAR"]},
            "orders": {"FRANCE": ["A PAR B", "A MAR B"]},
        },
        {"id": 4, "units": {"SPARTA": ["A PAR"]}, "orders": {}},
    ]  # fmt: skip
    done = subprocess.run(
        [sys.executable, ADAPTERS / "diplomacy" / "diplomacy_lines.py"],
        input="".join(json.dumps(request) + "\n" for request in requests), capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        {
            "id": 1, "results": {"FRANCE": ["no convoy", "dislodged"], "ENGLAND": ["", ""]},
            "units": {"ENGLAND": ["F LON", "F ENG"], "FRANCE": ["A BRE"]},
            "dislodged": {"FRANCE": {"F ENG": ["BEL", "IRI", "MAO", "NTH", "PIC"]}},
        },
        {"id": 2, "results": {"AUSTRIA": ["bounce"], "TURKEY": ["bounce"]}, "units": {"RUSSIA": ["A SER"]}},
        {"id": 3, "results": {"FRANCE": ["", "void"]}, "units": {"FRANCE": ["A BRE", "A PAR"]}},
        {"id": 4, "skip": "there is no power SPARTA"},
    ]  # fmt: skip


ENGINE = """
def process_game_state(asked):
    provinces = {one["id"]: one for one in asked["territories"]}
    assert provinces["STP"]["neighbours"] == ["BAR", "BOT", "FIN", "LVN", "MOS", "NWY"]
    assert provinces["ROM"]["shared_coasts"] == ["NAP", "TUS"]
    assert {one["id"] for one in asked["named_coasts"]} == {*"BUL/EC BUL/SC SPA/NC SPA/SC STP/NC STP/SC".split()}
    return {
        "pieces": [{"id": one["id"], "dislodged": one["territory"] == "BUR"} for one in asked["pieces"]],
        "orders": [{"id": one["id"], "illegal": False, "outcome": "succeeds"} for one in asked["orders"]],
    }
"""
"""An engine that looks whether it is told the map, does all that it is told, and dislodges who stands in Burgundy."""


def test_an_engine_that_is_told_its_map_by_the_kit(tmp_path: Path) -> None:
    """The adapter of johnpooch/diplomacy: provinces of the packaged kit, coasts of fleets, orders and what becomes of them."""
    (tmp_path / "adjudicator.py").write_text(ENGINE, encoding="utf-8")
    (tmp_path / "standard.json").write_bytes(msgspec.json.encode(described_map(load_map())))
    adapter = ADAPTERS / "johnpooch-diplomacy" / "johnpooch_lines.py"
    program = [sys.executable, str(adapter), str(tmp_path), str(tmp_path / "standard.json")]
    line = {
        "units": {"FRANCE": ["A PAR", "A BUR"], "RUSSIA": ["F STP/SC"]},
        "orders": {"FRANCE": ["A PAR S A BUR"], "RUSSIA": ["F STP/SC - BOT"]},
    }
    twice = {**line, "orders": {"FRANCE": ["A PAR H", "A PAR - PIC"]}}
    asked = "".join(json.dumps(one) + "\n" for one in (line, twice))
    done = subprocess.run(program, input=asked, capture_output=True, text=True, check=True)
    first, second = map(json.loads, done.stdout.splitlines())
    assert first["units"] == {"FRANCE": ["A PAR"], "RUSSIA": ["F BOT"]}
    assert "one order for each unit" in second["skip"]
