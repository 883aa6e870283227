"""The npm package: what its README shows happens, and its answers are those of `satjudge batch`, byte for byte."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.browsing import Browser
from helpers.kit_lines import kit_lines
from selenium.webdriver.support.wait import WebDriverWait

from release.js import package
from satjudge.bulk.batch import answer_line
from satjudge.bulk.wasm.lines import LineAnswerer, LineQuestion
from satjudge.bulk.wasm.supply import supply_for
from satjudge.notation.shipped import shipped_sheet
from satjudge.world.geography import load_map
from satjudge.world.rules import load_preset

MOST_BYTES = 600_000
ROOT = Path(__file__).resolve().parents[2]
needs_node = pytest.mark.skipif(not shutil.which("node"), reason="Node is not here")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("js") / "satjudge"
    assert package(found) < MOST_BYTES
    return found


@needs_node
def test_answers_are_those_of_satjudge(folder: Path) -> None:
    lines = kit_lines()
    done = subprocess.run(["node", folder / "lines.js"], input=b"\n".join(lines), capture_output=True, check=True)
    answers = done.stdout.splitlines()
    assert len(answers) == len(lines)
    refused = [line for line, answer in zip(lines, answers, strict=True) if b'"refused"' in answer]
    assert len(refused) < len(lines) // 5
    for line, answer in zip(lines, answers, strict=True):
        if line not in refused:
            assert answer == answer_line(line)


@needs_node
def test_what_is_refused_is_named(folder: Path) -> None:
    lines = [
        b'{"id":"far","units":{"FRANCE":["A PAR"]},"orders":{"FRANCE":["A PAR - Moscow"]}}',
        b'{"id":"two","units":{"FRANCE":["A PAR","F PAR"]},"orders":{}}',
        b'{"id":3,"units":{"FRANCE":["A PAR"]},"orders":{"FRANCE":["A PAR H"]}}',
    ]
    done = subprocess.run(["node", folder / "lines.js"], input=b"\n".join(lines), capture_output=True, check=True)
    far, two, fine = map(json.loads, done.stdout.splitlines())
    assert far == {
        "id": "far",
        "error": {"kind": "refused", "message": '"A PAR - Moscow" is in no table of standard under datc-3'},
    }
    assert two["error"]["kind"] == "refused"
    assert fine["results"] == {"FRANCE": ["stands"]}


@needs_node
@pytest.mark.parametrize("question", [*LineQuestion][1:])
def test_questions_about_games_are_answered_as_in_python(folder: Path, question: LineQuestion) -> None:
    supply = supply_for(load_map(), load_preset("datc-3"))
    assert supply
    ours, lines = LineAnswerer(supply, learn_after=1_000_000), kit_lines()[::5]
    option = {"legal_line": "--legal", "next_line": "--next", "orders_line": "--orders"}[question]
    done = subprocess.run(["node", folder / "lines.js", option], input=b"\n".join(lines), capture_output=True, check=True)
    for line, answer in zip(lines, done.stdout.splitlines(), strict=True):
        expected = ours.answer(line, question)
        assert answer == expected or (expected is None and b'"refused"' in answer)


@needs_node
def test_the_readme_tells_what_happens(folder: Path) -> None:
    """Its examples, one behind the other, print what stands below them."""
    blocks = re.findall(r"```(\w*)\n(.*?)```", (folder / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    first, shown, year, printed, read, in_full = (text for _, text in blocks[:6])
    assert len(year.splitlines()) <= 30
    load, judge = first.rsplit("\n", 2)[0], first.rsplit("\n", 2)[1]
    program = f"{load}\nconsole.log({judge.rstrip(';')});\n{year}\nconsole.log({read.strip().rstrip(';')});"
    program = program.replace('"satjudge"', f'"{(folder / "index.js").as_uri()}"')
    (folder.parent / "readme.mjs").write_text(program, encoding="utf-8")
    done = subprocess.run(["node", folder.parent / "readme.mjs"], capture_output=True, text=True, check=True)
    assert "".join(done.stdout.split()) == "".join((shown + printed + in_full).split())


@needs_node
def test_a_position_may_have_its_time(folder: Path) -> None:
    """`judge` takes what `step` gives, and the bytes of a file may stand anywhere in theirs."""
    program = f"""
        import {{ readFileSync }} from "node:fs";
        import {{ load }} from "{(folder / "index.js").as_uri()}";
        const code = readFileSync("{folder / "data" / "kernel.wasm"}");
        const room = new Uint8Array(code.length + 7);
        room.set(code, 7);
        const judge = await load({{ kernel: room.subarray(7) }});
        const orders = {{ FRANCE: ["A PAR - BUR"] }};
        const position = {{ units: {{ FRANCE: ["A PAR"] }}, centers: {{ FRANCE: ["PAR"] }}, orders }};
        const {{ judged, next, ended }} = judge.step(position);
        console.log(JSON.stringify([judged, judge.judge(position), judge.judge({{ ...next, orders: {{}} }}), next, ended]));
        console.log(JSON.stringify([judge.legalOrders({{ ...next, units: {{ FRANCE: ["A MAR", "A BUR"] }} }}, "A MAR")]));"""
    (folder.parent / "timed.mjs").write_text(program, encoding="utf-8")
    done = subprocess.run(["node", folder.parent / "timed.mjs"], capture_output=True, text=True, check=True)
    judged, same, after, following, ended = json.loads(done.stdout.splitlines()[0])
    assert judged == same
    assert after["units"] == following["units"] == {"FRANCE": ["A BUR"]}
    assert (following["phase"], ended) == ("F1901M", None)
    (legal,) = json.loads(done.stdout.splitlines()[1])
    assert [*legal["FRANCE"]] == ["A MAR"]
    assert "A MAR S A BUR" in legal["FRANCE"]["A MAR"]


@needs_node
def test_the_kit_finds_no_difference(folder: Path) -> None:
    """What docs/guides/kernel.md shows: every question that is answered has satjudge's answer."""
    command = [sys.executable, "-m", "satjudge", "conformance", "--against", f"node {folder / 'lines.js'}", "--no-diagnosis"]
    parts = ("datc", "catalogue", "retreats", "adjustments", "products", "boards")
    command += [argument for part in parts for argument in ("--part", part)]
    told = json.loads(subprocess.run([*command, "--json"], capture_output=True, check=False).stdout)
    findings = [finding for part in told["parts"] for finding in part["findings"]]
    assert sum(part["asked"] for part in told["parts"]) > 800
    assert len(findings) <= 20
    assert all('"refused"' in json.dumps(finding).replace("\\", "") for finding in findings)


@pytest.mark.parametrize("host", ["node", pytest.param("chromium", marks=pytest.mark.browser)])
def test_drawn_lines_are_answered_as_satjudge_batch_does(host: str) -> None:
    """`benchmarks/studies/javascript_lines.py` compares a million of them in Node."""
    if host == "node" and not shutil.which("node"):
        pytest.skip("Node is not here")
    command = [sys.executable, str(ROOT / "benchmarks/studies/javascript_lines.py"), "--lines", "300", "--host", host]
    told = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    assert (told["boards"], told["different"]) == (300, 0)


@pytest.mark.browser
def test_it_judges_in_a_browser(folder: Path, browser: Browser) -> None:
    """A page of one's own that loads the module judges as Node does."""
    from helpers.exploring import file_server

    sheet = shipped_sheet("6.F.14")
    units: dict[str, list[str]] = {}
    for unit in sheet.board.units:
        units.setdefault(unit.power, []).append(str(unit))
    orders = {power: [str(order) for order in given] for power, given in sheet.orders_by_power().items()}
    position = json.dumps({"units": units, "orders": orders})
    (folder / "page.html").write_text(
        '<title>waiting</title><script type="module">import { load } from "./index.js";'
        f"document.title = JSON.stringify((await load()).judge({position}));</script>",
        encoding="utf-8",
    )
    with file_server(folder) as server:
        browser.get(f"{server.address}/page.html")
        WebDriverWait(browser, 20).until(lambda _: browser.title != "waiting")
        assert json.loads(browser.title) == json.loads(answer_line(position.encode()))
