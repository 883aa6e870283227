"""The package of the kit: every line keeps to its schema, and each runner gives the score that `satjudge conformance` gives."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from satjudge.apps.cli import run
from satjudge.engines.documents.conformance import format_share
from satjudge.engines.kit.package import (
    iter_packaged_questions,
    make_package_files,
    make_packaged_question,
    name_source,
    write_package,
)
from satjudge.engines.kit.parts import PARTS, digest_answers
from satjudge.oracles.oracle import Answer
from satjudge.world.rules import preset_names

PARTS_HERE = ("clauses", "retreats", "adjustments", "boards", "variants")
CRATES = Path("/usr/share/cargo/registry")
"""Where Debian keeps crates, serde_json among them (librust-serde-json-dev)."""
RUNNERS = {
    "python": [sys.executable, "runners/run.py"],
    "javascript": ["node", "runners/run.mjs"],
    "php": ["php", "runners/run.php"],
    "go": ["go", "run", "runners/run.go"],
    "rust": [
        *("cargo", "--quiet", "--offline", "--config", 'source.crates-io.replace-with="debian"'),
        *("--config", f'source.debian.directory="{CRATES}"', "run", "--manifest-path", "runners/rust/Cargo.toml", "--"),
    ],
}  # fmt: skip
SLIPS = """
import json, sys
from zlib import crc32
from satjudge.bulk.batch import answer_line

for line in sys.stdin:
    asked, answer = json.loads(line), json.loads(answer_line(line.encode()))
    slip = crc32(json.dumps([asked["units"], asked["orders"]], sort_keys=True).encode()) % 35
    if slip % 7 == 1:
        answer["units"] = {power: units[::-1] for power, units in answer["units"].items()} | {"NOBODY": []}
    if slip % 7 == 2 and "dislodged" in answer:
        answer["dislodged"] = {power: {unit: [] for unit in units} for power, units in answer["dislodged"].items()}
    if slip % 7 == 3:
        answer["results"] = {power: ["", *words[1:]] for power, words in answer["results"].items()}
    if slip % 7 == 4:
        answer["results"] = {power: words[::-1] for power, words in answer["results"].items()}
    if slip % 7 == 5:
        answer = {"id": asked["id"], "skip": "no mood"} if slip % 2 else {**answer, "remark": "easy"}
    if slip == 6:
        answer = {"id": asked["id"], "error": {"kind": "lost"}}
    print(json.dumps(answer), flush=True)
"""
"""An engine that slips now and then, and now and then writes what is right in another way."""


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A kit about adjustments alone, which is made quickly."""
    folder = tmp_path_factory.mktemp("package") / "kit"
    assert run(["kit", str(folder), "--part", "adjustments"]) == 0
    return folder


@pytest.fixture(scope="module")
def kit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("package") / "kit"
    write_package(folder, make_package_files(PARTS_HERE))
    return folder


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_every_line_keeps_to_its_schema(small: Path) -> None:
    keep_to_their_schemas(small)


@pytest.mark.slow
def test_every_line_of_all_phases_keeps_to_its_schema(kit: Path) -> None:
    keep_to_their_schemas(kit)


def keep_to_their_schemas(kit: Path) -> None:
    schemas = {path.stem: Draft202012Validator(json.loads(path.read_text(encoding="utf-8"))) for path in kit.glob("schemas/*")}
    for path in kit.glob("questions/*"):
        assert len(lines(path)) == len(list(iter_packaged_questions(path.stem)))
        assert not [error for line in lines(path) for error in schemas["question"].iter_errors(line)]
    for path in (*kit.glob("answers/*.jsonl"), *kit.glob("answers/settings/*")):
        assert not [error for line in lines(path) for error in schemas["answer"].iter_errors(line)]
    schemas["kit"].validate(json.loads((kit / "kit.json").read_text(encoding="utf-8")))
    for path in kit.glob("maps/*"):
        schemas["map"].validate(json.loads(path.read_text(encoding="utf-8")))


def test_it_needs_nothing_of_ours(small: Path) -> None:
    """Each question has its answer by each rulebook, and its map; no key is about satjudge's own tools."""
    kit = small
    asked = [line for path in kit.glob("questions/*") for line in lines(path)]
    names = {line["id"] for line in asked}
    assert len(names) == len(asked)
    for rules in preset_names():
        assert {line["id"] for line in lines(kit / "answers" / f"{rules}.jsonl")} == names
    assert {line["map"] for line in asked} == {path.stem for path in kit.glob("maps/*")}
    assert not {key for line in asked for key in line if re.search("expected|rules|satjudge", key)}


def test_settings_are_what_changes(small: Path) -> None:
    usual = {line["id"]: line for line in lines(small / "answers" / "datc-3.jsonl")}
    changed = lines(small / "answers" / "settings" / "4.D.7=refused.jsonl")
    assert changed
    assert all(line != usual[line["id"]] for line in changed)


@pytest.mark.slow
def test_the_digest_is_that_of_the_boards(kit: Path) -> None:
    answers = [line for line in lines(kit / "answers" / "1982.jsonl") if str(line["id"]).startswith("boards/")]
    told: list[tuple[str, Answer]] = [
        (one["id"].removeprefix("boards/"), Answer({}, one.get("dislodged", {}), one.get("units", {}))) for one in answers
    ]
    assert json.loads((kit / "kit.json").read_text(encoding="utf-8"))["profiles"]["1982"]["digest"] == digest_answers(told)


@pytest.mark.parametrize(
    ("part", "name", "source"),
    [
        ("datc", "6.A.1", "DATC 3.2, 6.A.1"),
        ("retreats", "6.H.1/retreats", "DATC 3.2, 6.H.1"),
        ("retreats", "1982/example-5a/retreats", "rulebook of 1982, example-5a"),
        ("options", "option 1, 6.F.9", "DATC 3.2, 6.F.9"),
        ("variants", "option 66, 2.4/10.F", "DATC 2.4, 10.F"),
        ("options", "option 26, option.4.B.1", "a smallest position on which a mistake changes the answer"),
        ("clauses", "clause 9", "a smallest position on which a mistake changes the answer"),
        ("map", "A ALB - ANK", "the borders of the map"),
    ],
)
def test_each_question_names_its_source(part: str, name: str, source: str) -> None:
    assert name_source(part, name) == source


def asked(kit: Path, runner: Sequence[str], *rest: str) -> subprocess.CompletedProcess[str]:
    """What a runner printed, and its exit status."""
    return subprocess.run([*runner, *rest], cwd=kit, capture_output=True, encoding="utf-8", check=False)


def scores(kit: Path, runner: Sequence[str], *rest: str) -> tuple[set[str], str]:
    """The scores of topics that a runner prints, and the last line."""
    done = asked(kit, runner, *rest)
    assert done.returncode == 1, done.stderr
    told = done.stdout.splitlines()
    return {" ".join(line.split()) for line in told if " of " in line}, told[-1]


def engine(folder: Path) -> list[str]:
    (folder / "slips.py").write_text(SLIPS, encoding="utf-8")
    return [sys.executable, str(folder / "slips.py")]


def test_a_runner_counts_what_is_right(small: Path, tmp_path: Path) -> None:
    right = subprocess.run(
        [*RUNNERS["python"], str(Path(sys.executable).with_name("satjudge")), "batch"],
        cwd=small,
        capture_output=True,
        text=True,
    )
    assert right.returncode == 0, right.stderr
    assert right.stdout.splitlines() == [f"{'adjustments':24}{61:6} of {61:6}", "score: 100%"]
    done = subprocess.run([*RUNNERS["python"], *engine(tmp_path)], cwd=small, capture_output=True, text=True)
    counted, *wrong, skipped, score = done.stdout.splitlines()
    rights, compared = map(int, re.findall(r"\d+", counted))
    assert done.returncode == 1
    assert 0 < len(wrong) == compared - rights
    assert skipped == f"skipped: {61 - compared}"
    assert score == f"score: {format_share(rights / compared)}"


def test_an_outsider_reads_what_a_question_tells() -> None:
    """Mistakes are told in sentences, as the diagnosis tells them, and not by the names alone that mutations have here."""
    question = next(one for one in PARTS["clauses"].make() if one.name == "clause 1")
    assert make_packaged_question("clauses", question).tells == [
        "HOLD of an empty place: An empty province counts as held (5.B.5)"
    ]


JUNK = """
import sys
print("ready", "null", "3", "[]", "{", sep="\\n", flush=True)
for line in sys.stdin:
    pass
"""
"""An engine that writes five lines, none of which is an answer, and then nothing."""


IN_EACH_LANGUAGE = pytest.mark.parametrize(
    "language", [name if name == "python" else pytest.param(name, marks=pytest.mark.slow) for name in RUNNERS]
)


@IN_EACH_LANGUAGE
def test_what_is_no_answer_is_wrong(language: str, small: Path, tmp_path: Path) -> None:
    """A runner comes to its end whatever an engine writes, and reads files of settings that change nothing."""
    demand(language)
    (tmp_path / "junk.py").write_text(JUNK, encoding="utf-8")
    empty = "answers/settings/4.A.1=any-route.jsonl"
    assert not (small / empty).read_bytes()
    files = [*("--answers", "answers/datc-3.jsonl"), *("--answers", empty), *("--part", "adjustments")]
    done = asked(small, RUNNERS[language], *files, sys.executable, str(tmp_path / "junk.py"))
    counted, *wrong, score = done.stdout.splitlines()
    assert (counted.split(), score) == (["adjustments", "0", "of", "61"], "score: 0%")
    assert len(wrong) == 5
    assert "the engine ended after 5 of 61 answers, with exit status 0" in done.stderr


@IN_EACH_LANGUAGE
def test_a_runner_says_why_an_engine_was_not_asked(language: str, small: Path, tmp_path: Path) -> None:
    demand(language)
    (tmp_path / "dies.py").write_text("import sys\nprint('{}')\nsys.exit(3)\n", encoding="utf-8")
    (tmp_path / "slips.py").write_text('import sys\nfor line in sys.stdin: print(\'{"id": "x"}\')\n', encoding="utf-8")
    python = sys.executable
    cases = {
        ("--nowhere", python): "--nowhere",
        (): "engine",
        ("--part", "nothing", python): "the kit has no questions/nothing.jsonl",
        ("--answers", "nothing.jsonl", python): "the kit has no nothing.jsonl",
        (str(tmp_path / "nothing"),): "cannot be run" if language != "php" else "with exit status 127",
        (python, str(tmp_path / "dies.py")): "the engine ended after 1 of 61 answers, with exit status 3",
        (python, str(tmp_path / "slips.py")): "was answered where adjustments/",
    }
    for words, told in cases.items():
        done = asked(small, RUNNERS[language], *words)
        assert told in done.stderr, words
        assert done.returncode == (2 if language != "go" else 1), words  # `go run` has a status of its own


@IN_EACH_LANGUAGE
def test_a_runner_shows_what_was_wrong(language: str, small: Path, tmp_path: Path) -> None:
    """It names no mistakes: what one question tells, another may refute."""
    demand(language)
    told = asked(small, RUNNERS[language], "--show", *engine(tmp_path)).stdout.splitlines()
    ours = asked(small, RUNNERS["python"], "--show", *engine(tmp_path)).stdout.splitlines()
    assert len(told) == len(ours) == 15
    for line, other in zip(told, ours, strict=True):
        label, _, rest = line.partition("{")
        assert (label, json.loads(f"{{{rest}") if rest else "") == (
            other.partition("{")[0],
            json.loads(other[other.index("{") :]) if rest else "",
        )
    assert {line.split()[0] for line in told} == {
        "adjustments",
        "wrong:",
        "asked",
        "expected",
        "answered",
        "skipped:",
        "score:",
    }
    assert [line.split()[0] for line in told if line.startswith("  ")][:3] == ["asked", "expected", "answered"]


@IN_EACH_LANGUAGE
def test_a_copy_of_a_runner_is_told_where_the_kit_is(
    language: str, small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    demand(language)
    copied, asking = tmp_path / "tests" / "runners", engine(tmp_path)
    shutil.copytree(small / "runners", copied)
    usual = asked(small, RUNNERS[language], *asking)
    assert "the environment variable KIT names another" in asked(copied.parent, RUNNERS[language], *asking).stderr
    monkeypatch.setenv("KIT", str(small))
    assert asked(copied.parent, RUNNERS[language], *asking).stdout == usual.stdout


def test_what_profiles_say_is_explained(small: Path) -> None:
    index = json.loads((small / "kit.json").read_text(encoding="utf-8"))
    for profile in index["profiles"].values():
        for issue, value in profile["settings"].items():
            assert index["issues"][issue]["question"].endswith("?")
            assert index["issues"][issue]["values"][value]


def test_the_engine_of_the_readme_is_asked(small: Path, tmp_path: Path) -> None:
    text = (small / "README.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    (tmp_path / "first.py").write_text(code, encoding="utf-8")
    done = asked(small, RUNNERS["python"], sys.executable, str(tmp_path / "first.py"))
    assert (done.returncode, done.stdout.splitlines()) == (1, ["skipped: 61", "score: 0%"])


def demand(language: str) -> None:
    if not shutil.which(RUNNERS[language][0]) or (language == "rust" and not any(CRATES.glob("serde_json*"))):
        pytest.skip(f"{language} is not here")


@pytest.mark.slow
@pytest.mark.parametrize("language", RUNNERS)
def test_a_runner_gives_the_score_that_satjudge_gives(
    language: str, kit: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    demand(language)
    parts = [word for part in PARTS_HERE[:-1] for word in ("--part", part)]
    topics, score = scores(kit, RUNNERS[language], *parts, *engine(tmp_path))
    assert run(["conformance", "--against", " ".join(engine(tmp_path)), *parts, "--no-diagnosis", "--json"]) == 1
    document = msgspec.json.decode(capsys.readouterr().out)
    assert topics == {f"{one['topic']} {one['right']} of {one['compared']}" for one in document["topics"]}
    share = sum(one["right"] / one["compared"] for one in document["topics"]) / len(document["topics"])
    assert score == f"score: {format_share(share)}"
