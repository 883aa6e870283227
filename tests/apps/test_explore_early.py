"""What the page of a site answers before Python has started is what satjudge answers, on every case of the gallery."""

from __future__ import annotations

import json
import shutil
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from satjudge.apps.explore import site
from satjudge.apps.explore.questions import answer_question
from satjudge.apps.explore.wire import open_phases
from satjudge.notation.bundled_cases import list_case_files
from satjudge.notation.sheet_reader import load_sheets
from satjudge.world.geography import load_map
from satjudge.world.rules import load_preset

PAGE = Path(site.__file__).parent / "page"
ASK = """
const [folder, page] = process.argv.slice(2);
globalThis.document = {baseURI: new URL(`${folder}/`, 'file:///').href};
const {readFileSync} = await import('node:fs');
const {makeEarly} = await import(`${page}/early.js`);
const {config, known, questions} = JSON.parse(readFileSync(0, 'utf8'));
const ask = makeEarly(config, Promise.resolve(known));
const told = [];
for (const question of questions) told.push(await ask(question).then(answer => answer ?? null));
console.log(JSON.stringify(told));
"""
needs_node = pytest.mark.skipif(not shutil.which("node"), reason="Node is not here")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The kernel as a site has it, and the modules of the page that ask it."""
    made = tmp_path_factory.mktemp("early")
    (made / site.KERNEL).mkdir()
    for name, content in site.read_kernel_files().items():
        (made / site.KERNEL / name).write_bytes(content)
    for name in ("early.js", "ground.js", "reading.js", "dom.js"):
        shutil.copy(PAGE / name, made / name)
    (made / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    (made / "ask.mjs").write_text(ASK, encoding="utf-8")
    return made


def asked(folder: Path, questions: list[dict[str, Any]]) -> list[Any]:
    """What is answered without Python; None where it is not."""
    known = {'{"ask":"start"}': here({"ask": "start"})}
    given = json.dumps({"config": {"early": site.make_early_config()}, "known": known, "questions": questions})
    command = ["node", str(folder / "ask.mjs"), str(folder), str(folder)]
    told: list[Any] = json.loads(subprocess.run(command, input=given, capture_output=True, text=True, check=True).stdout)
    return told


def here(question: dict[str, Any]) -> Any:  # noqa: ANN401
    """What satjudge answers as a program."""
    return msgspec.json.decode(answer_question(msgspec.json.encode(question)))


def gallery_questions() -> Iterator[dict[str, Any]]:
    """A question for the verdicts of every phase of the gallery that is played on the map whose tables there are."""
    for path in list_case_files():
        for sheet in load_sheets(path):
            if sheet.board.map.name == site.EARLY_MAP:
                for one in open_phases([(sheet, load_preset(sheet.rules))]):
                    about = {"position": one.position, "sheet": one.sheet, "rules": one.rules}
                    yield {"ask": "judge", **msgspec.to_builtins(about)}


def early_and_whole(folder: Path, questions: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """What is answered of these without Python, where anything is, and by satjudge."""
    for question, early in zip(questions, asked(folder, questions), strict=True):
        if early is not None:
            yield early, here(question)["answer"]


@needs_node
def test_verdicts_are_those_of_satjudge(folder: Path) -> None:
    """All but reasons and what is inside of cores; few wait, for orders that are written otherwise."""
    questions = [*gallery_questions()]
    answered = 0
    for early, whole in early_and_whole(folder, questions):
        answered += 1
        for name in ("dislodged", "units", "errors", "headings", "missing", "resolutions", "unresolved"):
            assert early[name] == whole[name]
        reasons = [
            [(one["order"], one["verdict"], one.pop("illegal") is None) for one in told["orders"]] for told in (early, whole)
        ]
        assert early["orders"] == whole["orders"]
        assert reasons[0] == reasons[1]
        for one, other in zip(early["rulings"], whole["rulings"], strict=True):
            assert one.items() <= other.items()
        assert [core["provinces"] for core in early["cores"]] == [core["provinces"] for core in whole["cores"]]
    assert answered > len(questions) * 0.9
    page = (Path(__file__).parents[2] / "docs" / "guides" / "explore-site.md").read_text(encoding="utf-8")
    assert f"it judges {answered} of the {len(questions)} phases in the gallery." in page


@needs_node
def test_legal_orders_and_next_phases_are_those_of_satjudge(folder: Path) -> None:
    judged = [*gallery_questions()]
    choices = [{**one, "ask": "choices", "sheet": ""} for one in judged[::3]]
    told = [*early_and_whole(folder, choices)]
    assert len(told) > len(choices) * 0.9
    for early, whole in told:
        assert early == whole
    nexts = [{**one, "ask": "next"} for one in judged]
    found = [*early_and_whole(folder, nexts)]
    assert len(found) > len(nexts) * 0.9
    for early, whole in found:
        assert early == whole


TYPED = {
    "S1901M": ("{unit}{to}{place}", "{unit}{to}{place} via convoy", "{unit} Holds", "{unit} supports {unit}{to}{place}",
               "{unit} s {unit}", "{unit} c {unit}{to}{place}"),
    "S1901R": ("{unit}{to}{place}", "{unit} retreats to {place}", "{unit} d"),
    "W1901A": ("{unit} b", "{unit} D"),
}  # fmt: skip
ALMOST = (
    "{text} (cancelled)", "{text} > Kie", "{text} - Kie", "{text}, or Kie", "{text}\nor Kie", "{text}?", "no {text}", "{text}s",
    "~~{text}~~", "# {text}", "{text}\nEngland", "{text} x", "{text} via",
)  # fmt: skip


def typed(random: Random, phase: str) -> str:
    """A line as people type it: in either kind of letters, with codes or names, blanks or none, and coasts; or almost so."""
    provinces = load_map().provinces

    def place() -> str:
        one = random.choice([*provinces.values()])
        name = random.choice((one.code, one.code.lower(), one.code.title(), one.name, one.name.upper()))
        return name + random.choice(("/nc", "(SC)", " (ec)", " wc")) if one.coasts or random.random() < 0.05 else name

    text = random.choice(TYPED[phase])
    while "{" in text:
        words = {"unit": random.choice(("A ", "a ", "Army ", "F  ", "fleet ", "")) + place(), "place": place()}
        to = random.choice((" - ", "-", "->", " – ", "→", " to ", " TO "))
        name = text[text.index("{") + 1 : text.index("}")]
        text = text.replace(f"{{{name}}}", (words | {"to": to})[name], 1)
    slip = random.choice(("{text}",) * 2 * len(ALMOST) + ALMOST)
    return random.choice((slip.format(text=text), slip.format(text=text).replace("-", random.choice("=!>/—"))))


@needs_node
def test_what_people_type_is_read_as_by_satjudge_or_waits(folder: Path) -> None:
    """Random lines, and all that people are known to write: many are read at once, and none as anything else."""
    random = Random("typed")
    sheets = [(phase, f"{power}\n{typed(random, phase)}\n") for phase in TYPED for power in ("FRANCE:", "France") * 120]
    collected = tomllib.loads((Path(__file__).parents[1] / "notation" / "as_people_write.toml").read_text(encoding="utf-8"))
    phases = dict(zip(("movement", "retreat", "adjustment"), TYPED, strict=True))
    for manner in collected["manner"]:
        texts = (*manner.get("read", ()), *manner.get("told", ()))
        sheets += ((phases[manner.get("phase", "movement")], f"FRANCE:\n{text}\n") for text in texts)
    units, owned = {"FRANCE": ["A PAR", "F BRE"]}, {"FRANCE": ["PAR", "BRE", "MAR"]}
    position: dict[str, Any] = {"units": units, "map": "standard", "centers": owned}
    about = {"ask": "judge", "rules": {"name": "datc-3", "settings": []}}
    lost = {"dislodged": {"FRANCE": {"A BUR": ["GAS"]}}}
    questions = [
        about | {"position": position | {"phase": phase} | (lost if phase.endswith("R") else {}), "sheet": sheet}
        for phase, sheet in sheets
    ]
    found = [*early_and_whole(folder, questions)]
    assert len(found) > len(questions) / 4
    for early, whole in found:
        for name in ("errors", "headings", "missing", "units"):
            assert early[name] == whole[name]
        assert [one | {"illegal": None} for one in early["orders"]] == [one | {"illegal": None} for one in whole["orders"]]


SHEET = "FRANCE:\nA PAR - BUR\n\nENGLAND:\nF LON - NTH\nA LVP - YOR\n"


@needs_node
@pytest.mark.parametrize(
    "sheet", ["", SHEET, "FRANCE:\n", "France:\n  a par-bur\r\nFleet Brest to Mid-Atlantic Ocean\n\n", "england:"]
)
@pytest.mark.parametrize(
    ("power", "what"), [("FRANCE", "A PAR"), ("FRANCE", "F BRE"), ("ENGLAND", "F LON"), ("TURKEY", "F ANK")]
)
def test_orders_go_into_the_sheet_as_satjudge_writes_them(folder: Path, sheet: str, power: str, what: str) -> None:
    position = here({"ask": "start"})["answer"]["position"]
    about = {"ask": "give", "position": position, "sheet": sheet, "rules": {"name": "datc-3", "settings": []}}
    questions = [about | {"power": power, "what": what, "order": order} for order in (f"{what} H", "")]
    assert [early == whole for early, whole in early_and_whole(folder, questions)] == [True, True]


@needs_node
@pytest.mark.parametrize("sheet", ["", "FRANCE:\nF BRE B\n", "ENGLAND:\nF LON D\n"])
def test_orders_of_a_winter_go_into_the_sheet_as_satjudge_writes_them(folder: Path, sheet: str) -> None:
    """And what is due is counted as satjudge counts it; to waive a build is written by satjudge alone."""
    position = {
        "units": {"FRANCE": ["A BUR"], "ENGLAND": ["F LON", "F NTH", "A YOR"]},
        "centers": {"FRANCE": ["PAR", "BRE", "MAR", "MUN"], "ENGLAND": ["LVP"]},
        "map": "standard",
        "phase": "W1901A",
    }
    about = {"position": position, "sheet": sheet, "rules": {"name": "datc-3", "settings": []}}
    given = [("FRANCE", "PAR", "A PAR B"), ("FRANCE", "BRE", "A BRE B"), ("FRANCE", "BRE", ""), ("ENGLAND", "F LON", "F LON D")]
    questions = [about | {"ask": "give", "power": power, "what": what, "order": order} for power, what, order in given]
    questions += [about | {"ask": ask} for ask in ("choices", "next")]
    assert [early == whole for early, whole in early_and_whole(folder, questions)] == [True] * 6
    ((early, whole),) = early_and_whole(folder, [about | {"ask": "judge"}])
    assert early["missing"] == whole["missing"]
    assert asked(folder, [questions[0] | {"order": "WAIVE"}]) == [None]


@needs_node
@pytest.mark.parametrize(
    "more",
    [
        {"sheet": "FRANCE:\nParis goes to Burgundy\n"},
        {"sheet": "FRANCE:\nA Par - Bur (cancelled)\n"},
        {"sheet": "FRANCE:\nA Par - Bur - Mun\n"},
        {"sheet": "FRANCE:\nA PAR B\n"},
        {"sheet": "A PAR - BUR\n"},
        {"sheet": "FRANCE:\n# a word\nA PAR - BUR\n"},
        {"sheet": "FRANCE:\nA PAR - XYZ\n"},
        {"rules": {"name": "datc-3", "settings": ["4.A.2=all-hold"]}},
        {"position": {"units": {"FRANCE": ["A PAR"]}, "map": "colonial", "phase": "S1901M"}},
        {"position": {"units": {"FRANCE": ["A PAR", "F PAR"]}, "map": "standard", "phase": "S1901M"}},
    ],
)
def test_what_the_kernel_does_not_know_waits(folder: Path, more: dict[str, Any]) -> None:
    position = {"units": {"FRANCE": ["A PAR"]}, "map": "standard", "phase": "S1901M"}
    about = {"ask": "judge", "position": position, "sheet": "FRANCE:\nA PAR H\n", "rules": {"name": "datc-3", "settings": []}}
    assert [told is not None for told in asked(folder, [about, about | more])] == [True, False]
