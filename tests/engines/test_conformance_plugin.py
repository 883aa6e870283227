"""The plugin of pytest: each question of the kit is a test, and nothing is imported where nobody asks."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml

from satjudge.engines.kit.parts import PARTS

ROOT = Path(__file__).resolve().parents[2]
DOCS = (ROOT / "docs" / "guides" / "conformance.md").read_text(encoding="utf-8")
pytest_plugins = ["pytester"]
MODULE = "satjudge.apps.pytest_satjudge"
PLUGIN = ("-p", "pytest_satjudge", "-p", "no:cacheprovider")
ENGINE = """
from satjudge import judge_phase
from satjudge.engines.comparison import answer_from_outcome
from satjudge.world.orders import Hold, Move

def judge(board, orders):
    '''No army passes from Venice to Tyrolia, and nothing is built.'''
    if board.phase == "adjustment":
        raise NotImplementedError("no builds yet")
    def read(order):
        if str(order) == "F NTH - PIC":
            raise KeyError("a border that is missing")
        return Hold(order.unit) if str(order) == "A VEN - TYR" else order
    return answer_from_outcome(judge_phase(board, {power: list(map(read, given)) for power, given in orders.items()}))

def heeds_the_alphabet(board, orders):
    holds = {power: [Hold(order.unit) for order in given] for power, given in orders.items()}
    return answer_from_outcome(judge_phase(board, orders if list(orders) == sorted(orders) else holds))
"""
TEST = """
import pytest

@pytest.fixture
def satjudge_engine():
    {engine}

{marker}
def test_kit(satjudge_question):
    satjudge_question.check()
"""


@pytest.fixture
def author(pytester: pytest.Pytester) -> pytest.Pytester:
    """A folder of an author, with an engine."""
    pytester.makepyfile(an_engine=ENGINE)
    pytester.syspathinsert()
    return pytester


def run_against(author: pytest.Pytester, engine: str, *arguments: str, marker: str = "") -> pytest.RunResult:
    author.makepyfile(test_engine=TEST.format(engine=engine, marker=marker))
    return author.runpytest_inprocess(*PLUGIN, *arguments)


FROM_MODULE = "from an_engine import judge; return judge"


def test_each_question_is_a_test(author: pytest.Pytester) -> None:
    run = run_against(author, FROM_MODULE, "--satjudge-part", "datc", "-k", "6.A.1", "-rf")
    run.assert_outcomes(failed=3, passed=1, deselected=153)
    told = run.stdout.str()
    assert "FAILED test_engine.py::test_kit[datc-6.A.11] - Failed: A VIE - TYR" in told
    assert "  AUSTRIA  A VIE - TYR  fails      succeeds" in told
    assert "because A VEN - TYR fails: attack 1 (itself) does not exceed prevent 1 of A VIE - TYR" in told
    assert "pytest 'test_engine.py::test_kit[datc-6.A.11]'" in told
    assert 'raise KeyError("a border that is missing")' in told  # its traceback


def test_what_the_engine_does_not_do_is_skipped(author: pytest.Pytester) -> None:
    run = run_against(author, FROM_MODULE, "-rs", marker="@pytest.mark.satjudge(parts='adjustments')")
    run.assert_outcomes(skipped=len([*PARTS["adjustments"].make()]))
    assert "no builds yet" in run.stdout.str()


@pytest.mark.slow
def test_the_marker_says_what_is_asked_and_by_which_rulebook(author: pytest.Pytester) -> None:
    marker = "@pytest.mark.satjudge(parts=['datc'], rules='1971')"
    run = run_against(author, "return 'satjudge-staged'", "-k", "6.F.9 or 6.F.18", marker=marker)
    run.assert_outcomes(passed=1, skipped=1, deselected=155)  # the 1971 rulebook has no answer to 6.F.18


@pytest.mark.slow
def test_an_engine_that_contradicts_itself_fails_one_test(author: pytest.Pytester) -> None:
    engine = "from an_engine import heeds_the_alphabet; return heeds_the_alphabet"
    run = run_against(author, engine, "--satjudge-part", "clauses", "-k", "conduct")
    assert run.parseoutcomes()["failed"] == 1
    assert "gets another answer if asked differently (powers listed otherwise): " in run.stdout.str()
    assert run_against(author, FROM_MODULE, "--satjudge-part", "clauses", "-k", "conduct").parseoutcomes()["passed"] == 1


def test_an_option_names_the_engine_where_there_is_no_test_file(author: pytest.Pytester) -> None:
    run = author.runpytest_inprocess(*PLUGIN, "--satjudge-engine", "an_engine:judge", "--satjudge-part", "datc", "-k", "6.A.11")
    run.assert_outcomes(failed=1, deselected=156)
    assert "FAILED satjudge::test_kit[datc-6.A.11]" in run.stdout.str()
    assert "satjudge conformance --against an_engine:judge --part datc --only 6.A.11" in run.stdout.str()


@pytest.mark.slow
def test_an_option_names_the_engine_for_tests_that_ask(author: pytest.Pytester) -> None:
    author.makepyfile(test_engine="def test_kit(satjudge_question): satjudge_question.check()")
    run = author.runpytest_inprocess(
        *PLUGIN, "--satjudge-engine", "satjudge-staged", "--satjudge-part", "catalogue", "-k", "3M"
    )
    run.assert_outcomes(passed=12, deselected=26)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("engine", "told"),
    [
        ("return None", "no engine: define a fixture satjudge_engine, or name one with --satjudge-engine"),
        ("return 'no-such-engine'", "there is no oracle and no program 'no-such-engine'"),
        ("return 'python3 -c 1'", "does not answer the first question correctly: died"),
    ],
)
def test_an_engine_that_is_of_no_use_is_told_once(author: pytest.Pytester, engine: str, told: str) -> None:
    run = run_against(author, engine, "--satjudge-part", "catalogue")
    run.assert_outcomes(errors=1)
    assert told in run.stdout.str()


@pytest.mark.slow
def test_an_engine_that_is_lost_ends_the_run(author: pytest.Pytester) -> None:
    author.makefile(".txt", first="1")
    engine = 'return "python3 -c \'import sys, os; os.remove(\\"first.txt\\"); exec(open(\\"child.py\\").read())\'"'
    author.path.joinpath("child.py").write_text(
        "import json\nquestion = json.loads(sys.stdin.readline())\n"
        "print(json.dumps({'id': question['id'], 'units': question['units']}), flush=True)\n",
        encoding="utf-8",
    )
    run = run_against(author, engine, "--satjudge-part", "catalogue")
    assert run.parseoutcomes() == {"failed": 20}
    assert "satjudge: the engine was lost: it failed 20 times in a row" in run.stdout.str()


@pytest.mark.parametrize(
    ("marker", "told"),
    [
        ("@pytest.mark.satjudge(parts=['borders'])", "there is no part 'borders' of the kit; the parts are map, datc"),
        ("@pytest.mark.satjudge(rulebook='1971')", "the marker satjudge accepts only the keywords parts, rules, settings"),
    ],
)
def test_mistakes(author: pytest.Pytester, marker: str, told: str) -> None:
    run = run_against(author, FROM_MODULE, marker=marker)
    assert told in run.stdout.str() + run.stderr.str()


# ---- where nobody asks ----


def test_next_to_nothing_is_imported_where_nobody_asks(tmp_path: Path) -> None:
    """The package comes with its plugin, and imports what finds the rest later."""
    tmp_path.joinpath("test_other.py").write_text(
        "import sys\ndef test_one():\n    assert {name for name in sys.modules if name.split('.')[0] in "
        "('satjudge', 'msgspec', 'networkx', 'ortools', 'rich', 'click')} == {'satjudge', 'satjudge.apps', "
        "'satjudge.apps.pytest_satjudge', 'satjudge.base', *(f'satjudge.base.{name}' for name in "
        "('imports', 'startup', 'version'))}\n",
        encoding="utf-8",
    )
    others = [f"-pno:{name}" for name in ("hypothesispytest", "xdist", "benchmark")]
    command = [sys.executable, "-m", "pytest", "-q", *PLUGIN, *others]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120)
    assert "1 passed" in ran.stdout, ran.stdout + ran.stderr


def test_the_plugin_is_an_entry_point() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["entry-points"]["pytest11"] == {"pytest_satjudge": MODULE}
    assert find_spec(MODULE)


@pytest.mark.slow
def test_several_processes_share_the_questions(author: pytest.Pytester) -> None:
    author.makepyfile(test_engine=TEST.format(engine=FROM_MODULE, marker="@pytest.mark.satjudge(parts=['datc', 'catalogue'])"))
    run = author.runpytest_subprocess(*PLUGIN, "-n", "2")
    assert sum(run.parseoutcomes().values()) == 156 + 38 + 1


# ---- docs/guides/conformance.md ----


def test_the_documented_test_file_fails_as_is_shown(author: pytest.Pytester) -> None:
    (shown,) = re.findall(r'```python title="test_kit.py"\n(.+?)```', DOCS, re.DOTALL)
    (failure,) = re.findall(r"```\n_+ test_kit\[datc-6.A.11\] _+\n(.+?)```", DOCS, re.DOTALL)
    author.makepyfile(my_engine=ENGINE, test_kit=shown)
    run = author.runpytest_inprocess(*PLUGIN, "--satjudge-part", "datc", "-k", "6.A.11")
    assert all(part in run.stdout.str() for part in failure.split("…\n"))


def test_the_options_are_documented() -> None:
    options = re.findall(
        r'addoption\(\s*"(--satjudge-\w+)"', (ROOT / "satjudge" / "apps" / "pytest_satjudge.py").read_text(encoding="utf-8")
    )
    assert len(options) == 7
    assert [option for option in options if option not in DOCS] == []


def test_the_documented_workflow_uses_inputs_of_the_action() -> None:
    (shown,) = re.findall(r'```yaml title=".github/workflows/kit.yml"\n(.+?)```', DOCS, re.DOTALL)
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    (step,) = (one for one in yaml.safe_load(shown)["jobs"]["kit"]["steps"] if "satjudge" in one.get("uses", ""))
    assert step["with"].keys() <= action["inputs"].keys()
    assert all(f"`{name}`" in DOCS or name in step["with"] for name in action["inputs"])


@pytest.mark.slow
def test_the_action_asks_the_engine_and_leaves_its_reports(author: pytest.Pytester) -> None:
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    (step,) = (one for one in action["runs"]["steps"] if one.get("id") == "kit")
    inputs = {name: str(one.get("default", "")) for name, one in action["inputs"].items()}
    inputs |= {
        "engine": "an_engine:judge",
        "parts": "datc",
        "options": "--only=6.A.11\n--timeout=5",
        "settings": "4.A.2=all-hold\n",
    }
    expression = re.compile(r"\$\{\{ inputs\.([\w-]+) \}\}")
    given = {name: expression.sub(lambda found: inputs[found[1]], value) for name, value in step["env"].items()}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    files = {"GITHUB_STEP_SUMMARY": "summary", "GITHUB_OUTPUT": "output"}
    shell = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]]
    ran = subprocess.run(
        shell, cwd=author.path, env={**os.environ, **given, **files, "PATH": path}, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 1, ran.stderr
    assert "The engine answered 1 of 1 question differently, in the parts datc." in ran.stdout
    assert ran.stdout in author.path.joinpath("summary").read_text(encoding="utf-8")
    assert author.path.joinpath("output").read_text(encoding="utf-8") == "score=0%\n"
    written = sorted(path.name for path in author.path.joinpath("satjudge-reports").iterdir())
    assert written == ["badge.json", "kit.html", "kit.txt", "kit.xml"]
