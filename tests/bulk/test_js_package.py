"""The npm package: what its README shows happens, and its answers are those of `satjudge batch`, byte for byte."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from helpers.browsing import Browser
from helpers.kit_lines import kit_lines
from helpers.slips import slipped_retreats, slipped_winters
from msgspec import convert
from selenium.webdriver.support.wait import WebDriverWait
from test_bulk import boards

from release.js import package
from satjudge.bulk.batch import Settings, answer_line
from satjudge.bulk.random_boards.boards import Flavour
from satjudge.bulk.tables.learner import CAUSES
from satjudge.bulk.wasm.lines import LineAnswerer, LineQuestion
from satjudge.bulk.wasm.loading import make_supply, table_file_name
from satjudge.files.batch_lines import Request, RequestReader
from satjudge.judging.judge import judge_phase
from satjudge.notation.bundled_cases import find_bundled_case, read_collection
from satjudge.notation.write import format_prose
from satjudge.world.geography import load_map
from satjudge.world.orders import MovementOrder, Order
from satjudge.world.rules import load_preset
from satjudge.world.verdicts import Fate, OrderResult

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
@pytest.mark.parametrize("rules", ["datc-3", "1971", "2023"])
def test_a_slip_does_not_cost_a_phase_of_retreats_or_adjustments(folder: Path, rules: str) -> None:
    """An impossible order is illegal, as in Python, by whatever coasts and names; of 10,000 phases none was refused."""
    rows = [*islice(slipped_retreats(rules), 200), *islice(slipped_winters(rules), 200)]
    lines, tables = [json.dumps(row).encode() for row in rows], ROOT / "models" / "kernel" / table_file_name(rules)
    done = subprocess.run(["node", folder / "lines.js", tables], input=b"\n".join(lines), capture_output=True, check=True)
    for line, answer in zip(lines, done.stdout.splitlines(), strict=True):
        assert answer == answer_line(line, Settings(rules=rules)), line


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
        "error": {"kind": "refused", "message": f'"A PAR - Moscow": {CAUSES[0]}'},
    }
    assert two["error"] == {"kind": "refused", "message": f'"F PAR": {CAUSES[0]}'}
    assert fine["results"] == {"FRANCE": ["stands"]}


@needs_node
@pytest.mark.parametrize("question", [*LineQuestion][1:])
def test_questions_about_games_are_answered_as_in_python(folder: Path, question: LineQuestion) -> None:
    supply = make_supply(load_map(), load_preset("datc-3"))
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
    readme = (folder / "README.md").read_text(encoding="utf-8")
    shown = re.findall(r"```js\n((?:(?!```).)*)```\n\n```(?:js)?\n((?:(?!```).)*)```", readme, re.DOTALL)
    assert len(shown) == 5
    assert max(len(program.splitlines()) for program, _ in shown) <= 30
    program = "\n".join(_printing(program) for program, _ in shown)
    program = program.replace('"satjudge"', f'"{(folder / "index.js").as_uri()}"')
    (folder.parent / "readme.mjs").write_text(program, encoding="utf-8")
    done = subprocess.run(["node", folder.parent / "readme.mjs"], capture_output=True, text=True, check=True)
    assert "".join(done.stdout.split()) == "".join("".join(printed for _, printed in shown).split())


def _printing(program: str) -> str:
    """A program whose last line prints what it comes to, if it is a question to the judge."""
    *lines, last = program.strip().splitlines()
    return "\n".join([*lines, f"console.log({last.rstrip(';')});" if last.startswith("judge.") else last])


def run_in_node(folder: Path, program: str) -> Any:  # noqa: ANN401
    """What a program with a judge at hand prints as JSON."""
    head = f'import {{ load, Refusal }} from "{(folder / "index.js").as_uri()}";\nconst judge = await load();\n'
    path = folder.parent / "program.mjs"
    path.write_text(head + program, encoding="utf-8")
    return json.loads(subprocess.run(["node", path], capture_output=True, text=True, check=True).stdout)


@needs_node
def test_typed_orders_mean_what_satjudge_reads(folder: Path) -> None:
    """What people write (tests/notation/as_people_write.toml), and the DATC's prose: nothing else, and seldom nothing."""
    collected = tomllib.loads((ROOT / "tests/notation/as_people_write.toml").read_text(encoding="utf-8"))
    typed = [
        (manner.get("phase", "movement"), text, said)
        for manner in collected["manner"]
        for text, said in manner.get("read", {}).items()
    ]
    standard = load_map()
    orders = {str(line.order): line.order for sheet in read_collection() for line in sheet.orders}
    prosaic = [("movement", format_prose(order, standard), text) for text, order in orders.items() if _is_plain(order)]
    program = f"""
        const phases = {{ movement: {{}}, retreat: {{ dislodged: {{}} }}, adjustment: {{ centers: {{}} }} }};
        const told = {json.dumps(typed + prosaic)}.map(([phase, text]) =>
            judge.check({{ phase, units: {{}}, ...phases[phase], orders: {{ FRANCE: [text] }} }}).lines[0].order);
        console.log(JSON.stringify(told));"""
    told = run_in_node(folder, program)
    for (_, text, said), order in zip(typed + prosaic, told, strict=True):
        assert order in (said, None), text
    assert sum(order is not None for order in told[: len(typed)]) > len(typed) / 2
    assert None not in told[len(typed) :]


def _is_plain(order: Order) -> bool:
    """Tell whether an order of moves names no route, which the kernel reads not."""
    return isinstance(order, MovementOrder) and not getattr(order, "route", ())


@needs_node
def test_lines_are_checked_one_by_one(folder: Path) -> None:
    program = """
        const winter = { phase: "W1901A", units: { FRANCE: ["F BRE"] }, centers: { FRANCE: ["BRE", "PAR"] } };
        const told = [
            judge.check({ ...judge.start,
                orders: { FRANCE: ["A PAR - BUZ", "paris - gascony", "A PAR H", "F BRE - MUN", 7] } }),
            judge.check({ ...winter, orders: { FRANCE: ["Build army Paris", "A PAR B"] } }),
        ];
        console.log(JSON.stringify(told));"""
    moves, builds = run_in_node(folder, program)
    assert [(line["order"], line["place"], line["problem"]) for line in moves["lines"]] == [
        (None, None, '"BUZ" means nothing here'),
        ("A PAR - GAS", 0, None),
        ("A PAR H", 1, "the order that counts is A PAR - GAS (4.D.3)"),
        ("F BRE - MUN", 2, "a fleet cannot move from BRE to MUN (6.A.3, 6.A.9)"),
        (None, None, '"7" means nothing here'),
    ]
    assert moves["orders"] == {"FRANCE": ["A PAR - GAS", "A PAR H", "F BRE - MUN"]}
    assert [line["legal"] for line in builds["lines"]] == [True, False]


@needs_node
def test_an_illegal_order_has_the_reason_that_it_has_in_python(folder: Path) -> None:
    moves = (row for flavour in Flavour for row in boards(flavour, 20, 0.3))
    rows = [*moves, *islice(slipped_retreats("why"), 60), *islice(slipped_winters("why"), 60)]
    program = f"""
        const told = {json.dumps(rows)}.map(({{ id, ...position }}) => {{
            try {{ return judge.check(position).lines.map(({{ problem }}) => problem); }} catch {{ return null; }} }});
        console.log(JSON.stringify(told));"""
    compared = 0
    for row, told in zip(rows, run_in_node(folder, program), strict=True):
        reader = RequestReader(convert(row, Request))
        judged = judge_phase(reader.board(), reader.orders()).judged
        if told is not None:
            assert told == [one.reason for of in judged.values() for one in of], row
            compared += sum(problem is not None for problem in told)
    assert compared > 300


@needs_node
def test_what_is_due_is_what_may_be_ordered(folder: Path) -> None:
    """Builds as many as there are open homes and centres to spare, removals as many as there are units too many."""
    program = """
        const units = { FRANCE: ["A PAR", "F ENG"], GERMANY: ["A MUN", "A RUH"], ITALY: ["A ROM"], TURKEY: ["A CON"] };
        const centers = { FRANCE: ["BRE", "PAR", "SPA", "POR"], GERMANY: ["BEL"], ITALY: ["ROM"],
            TURKEY: ["CON", "SMY", "ANK", "BUL"] };
        console.log(JSON.stringify(judge.due({ phase: "W1901A", units, centers })));"""
    assert run_in_node(folder, program) == {"FRANCE": 1, "GERMANY": -1, "TURKEY": 2}


@needs_node
def test_a_refusal_tells_why_and_where(folder: Path) -> None:
    """Also of what the kernel is not asked, as a position that is none."""
    wrong: list[tuple[str, str, list[object]]] = [
        ('{units: {FRANCE: ["A PAR", "F BRE"]}, orders: {FRANCE: ["F BRE H", "A PAR - BUZ"]}}', CAUSES[0],
         ["A PAR - BUZ", "orders", "FRANCE", 1]),
        ('{units: {FRANCE: ["A PAR", "F BRX"]}}', CAUSES[0], ["F BRX", "units", "FRANCE", 1]),
        ('{units: {FRANCE: ["A PAR"]}, orders: {BURGUNDY: ["A PAR H"]}}', CAUSES[0], ["BURGUNDY", "orders", "BURGUNDY", None]),
        ("{units: {}, order: {}}", "a position has no key order", [None, "order", None, None]),
        ('{phase: "W1901A", units: {FRANCE: ["A PAR"]}}', "needs `centers`", [None, "centers", None, None]),
        ('{phase: "adjustment", units: {FRANCE: ["A PAR"]}}', "needs `centers`", [None, "centers", None, None]),
        ("null", "a position is an object, not null", [None, None, None, None]),
        ('{units: {FRANCE: ["A PAR"], GERMANY: ["A BER", "A PAR"]}}', "another unit stands there",
         ["A PAR", "units", "GERMANY", 1]),
        ('{phase: "adjustment", units: {}, centers: {FRANCE: ["PAR", "BUR"]}}', "this is not a supply centre",
         ["BUR", "centers", "FRANCE", 1]),
        ('{phase: "retreat", units: {FRANCE: ["A BUR"]}, dislodged: {ITALY: {"A PAR": ["BUR"]}}}', "out of reach or occupied",
         ["A PAR", "dislodged", "ITALY", 0]),
        ('{phase: "movment", units: {}}', "there is no such phase", ["movment", "phase", None, None]),
        ('{units: {FRANCE: ["A PAR"]}, orders: {FRANCE: ["A PAR H", "A P\u00c4R - BUR"]}}', "ASCII JSON without escapes",
         ["A P\u00c4R - BUR", "orders", "FRANCE", 1]),
    ]  # fmt: skip
    program = f"""
        const told = [{", ".join(position for position, _, _ in wrong)}].map((position) => {{
            try {{ return judge.judge(position); }} catch (error) {{
                return error instanceof Refusal && [error.message, error.text, error.key, error.power, error.index];
            }}
        }});
        console.log(JSON.stringify(told));"""
    for (position, why, where), (said, *found) in zip(wrong, run_in_node(folder, program), strict=True):
        assert (why in said, found) == (True, where), position


@needs_node
def test_files_are_sought_where_the_program_is(folder: Path) -> None:
    """By a relative address, by bytes; what is no option, and no such file, is refused with words."""
    program = """
        const tried = [{ map: "loeb9" }, "loeb9", { tables: "index.js" }, { kernel: "index.js" },
            { tables: "data/standard.datc-3.tables" }];
        const told = [];
        for (const files of tried) told.push(await load(files).then((found) => found.map, (error) => error.message));
        console.log(JSON.stringify(told));"""
    (folder / "program.mjs").write_text(f'import {{ load }} from "./index.js";{program}', encoding="utf-8")
    done = subprocess.run(["node", "program.mjs"], capture_output=True, text=True, check=True, cwd=folder)
    (folder / "program.mjs").unlink()
    option, word, tables, kernel, fine = json.loads(done.stdout)
    assert option.startswith("load has no option map: there are tables and kernel")
    assert word.startswith('load has options, not "loeb9"')
    assert "index.js is not a table file of satjudge: it begins with " in tables
    assert "index.js is not a kernel of satjudge" in kernel
    assert fine == "standard"


def test_types_name_the_words_of_verdicts(folder: Path) -> None:
    """All words of the judge, those of the README but for maps that it speaks not of."""
    types = (folder / "index.d.ts").read_text(encoding="utf-8")
    words = {
        kind: set(re.findall(r'"(\w+)"', re.findall(rf"export type {kind} =(.*?);\n", types, re.DOTALL)[0]))
        for kind in ("Word", "Fate")
    }
    assert words == {"Word": {*OrderResult}, "Fate": {*Fate}}
    shown = (folder / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`.*?`) \|", shown.partition("## Verdicts")[2].partition("\n## ")[0], re.MULTILINE)
    assert {word for row in rows for word in re.findall(r"`(\w+)`", row)} == {*OrderResult} - {"stops", "granted"}


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
    told = [json.dumps(finding).replace("\\", "") for finding in findings]
    assert all('"refused"' in one and "this is in no table" in one for one in told)
    assert all(_names_no_coast(one["line"]) for one in findings)


def _names_no_coast(line: str) -> bool:
    """Tell whether an order names a coast that there is not."""
    there = {place for province in load_map().provinces.values() for place in province.locations}
    orders = " ".join(order for given in json.loads(line)["orders"].values() for order in given)
    return not {word for word in orders.split() if "/" in word} <= there


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

    sheet = find_bundled_case("6.F.14")
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
