"""`satjudge report RUNS`: pages of several engines, made from their runs."""

from __future__ import annotations

import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from release.engine_runs import trimmed_run
from satjudge.apps.cli import run
from satjudge.engines.documents.conformance import read_runs
from satjudge.show.report import make_engine_pages

RUNS = Path(__file__).parents[2] / "docs" / "engine-runs"
ABOUT = """
title = "Own attacks & all"
release = "1.0"
language = "Python"
home = "https://example.org/engine"

[[claims]]
says = "It dislodges its own units."
source = "broken_engine.py:20"
"""


@pytest.fixture(scope="module")
def asked() -> bytes:
    """The run of an engine that dislodges its own units, on the kit's questions of supports, as --json writes it."""
    written = StringIO()
    with redirect_stdout(written):
        engine = "helpers.broken_engine:self_dislodgement"
        assert run(["conformance", "--against", engine, "--only", "6.D", "--part", "datc", "--no-diagnosis", "--json"]) == 1
    return written.getvalue().encode()


@pytest.fixture
def runs(tmp_path: Path, asked: bytes) -> Path:
    (tmp_path / "own.json").write_bytes(asked)
    (tmp_path / "own.toml").write_text(ABOUT, encoding="utf-8")
    (tmp_path / "plain.json").write_bytes(asked)
    return tmp_path


def test_pages_of_engines(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The table leads from each cell to the smallest question, which shows both answers and what was read in the source."""
    assert run(["report", str(runs)]) == 0
    assert "the pages of 2 engines" in capsys.readouterr().err
    index, own, plain = ((runs / f"{name}.html").read_text(encoding="utf-8") for name in ("index", "own", "plain"))
    assert "Own attacks &amp; all" in index
    for page, text in {"own": own, "plain": plain}.items():
        for topic in re.findall(rf'href="{page}.html#([^"]+)"', index):
            assert f'id="{topic}"' in text
    assert "The answer by the rulebook" in own
    assert "Where the engine leaves the units" in own
    assert own.count("<figure") % 2 == 0
    assert all(
        told in own for told in ("broken_engine.py:20", "It dislodges its own units.", 'href="https://example.org/engine"')
    )
    assert "What it does differently" not in plain


def test_a_cell_leads_to_the_smallest_question(runs: Path) -> None:
    engine = read_runs(runs)[0]
    by_topic = [finding for part in engine.run.parts for finding in part.findings if finding.topic == "supports"]
    shown = engine.smallest["supports"]
    assert len(shown.line) == min(len(one.line) for one in by_topic)
    assert engine.scores["supports"].right == engine.scores["supports"].compared - len(by_topic)
    page = make_engine_pages(read_runs(runs))["own.html"]
    clauses = [found.split(", ") for found in re.findall(r"<p class=\"faint\">DATC ([^<]*)</p>", page)]
    assert clauses
    assert all(re.fullmatch(r"\d+\.[A-Z](\.\d+)?", clause) for found in clauses for clause in found)
    assert any(f"[{found[0]}" in " ".join(shown.reasons) for found in clauses)
    assert set(make_engine_pages(read_runs(runs))) == {"index.html", "own.html", "plain.html"}


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("bad.json", "{}", "not a run of the kit"),
        ("own.toml", "title = 3", "not a description of an engine"),
        ("own.toml", "title", "not a description"),
    ],
)
def test_what_is_no_run(name: str, text: str, message: str, runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (runs / name).write_text(text, encoding="utf-8")
    assert run(["report", str(runs)]) == 2
    assert message in capsys.readouterr().err
    assert not (runs / "index.html").exists()


def test_a_directory_without_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["report", str(tmp_path)]) == 2
    assert "contains no runs" in capsys.readouterr().err


def test_the_runs_of_the_documentation() -> None:
    """Nine engines of others at least; what is said of one names a line of its source or a position, and no machine."""
    engines = read_runs(RUNS)
    assert len([engine for engine in engines if "oracle" not in engine.title]) >= 9
    assert all(claim.source or claim.position for engine in engines for claim in engine.about.claims)
    assert not any(
        word in path.read_text(encoding="utf-8") for path in RUNS.iterdir() for word in ("/home/", "/tmp/", "/work/")
    )
    assert [engine.run for engine in engines] == [trimmed_run(engine) for engine in engines]
