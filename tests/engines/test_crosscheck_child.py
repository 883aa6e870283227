"""An engine in another process: what it may say, and what becomes of one that dies, is slow or talks nonsense."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from helpers.talking import ANSWERS, READS

from satjudge.apps.cli import run
from satjudge.base.errors import OracleError, OracleLostError, RequestError
from satjudge.bulk.chunked_runs import run_count
from satjudge.engines.campaign import Campaign, make_campaign, tally_boards
from satjudge.engines.comparison import Depth, PhaseOrders
from satjudge.engines.connections import process_oracle
from satjudge.engines.connections.process_oracle import ProcessOracle
from satjudge.engines.findings import collect_findings
from satjudge.engines.positions import AskedPosition, Fuzz, ListedPositions
from satjudge.files.dialects import load_dialect
from satjudge.judging.solve import Engine
from satjudge.notation.parse import parse_unit
from satjudge.world.board import Board, DislodgedUnit, Phase
from satjudge.world.geography import load_map
from satjudge.world.orders import Move, Named, Retreat

HERE = Path(__file__).parents[1]
PYTHON = shlex.quote(sys.executable)
LONG_WAIT = 20.0
pytestmark = pytest.mark.usefixtures("without_hypotheses")


def _started(program: str, timeout: float = LONG_WAIT, restarts: int = 100, **limits: Any) -> Iterator[ProcessOracle]:  # noqa: ANN401
    """An engine that runs this Python program."""
    command = [sys.executable, "-c", program]
    oracle = ProcessOracle(command, load_dialect("satjudge"), rules="datc-3", timeout=timeout, restarts=restarts, **limits)
    yield oracle
    oracle.close()


def a_position() -> tuple[Board, PhaseOrders]:
    game_map = load_map()
    board = Board((parse_unit("A PAR", "FRANCE", game_map), parse_unit("F STP/NC", "RUSSIA", game_map)), map=game_map)
    return board, {"FRANCE": [Move(Named(None, "PAR"), "BUR")]}


NONSENSE = [
    ("sys.exit(3)", "died", "exit status 3"),
    ("sys.stderr.write('out of cheese\\n'); sys.exit(3)", "died", "exit status 3; its last words: 'out of cheese'"),
    (
        "sys.stderr.write('Error: no module\\n' + 30 * '  at x\\n'); sys.exit(1)", "died",
        "last words: 'Error: no module' / 'at x' / 'at x'",
    ),
    ("os.kill(os.getpid(), 9)", "died", r"signal 9 \(SIGKILL\)"),
    ("print('hello', flush=True)", "not JSON", "it answered 'hello'"),
    ("print('[1, 2]', flush=True)", "wrong shape", "Expected `object`"),
    ("print(json.dumps(dict(id=99, units={})), flush=True)", "wrong id", "it answered 99"),
    ("print(json.dumps(dict(units={})), flush=True)", "wrong id", "it answered None"),
    ("print(json.dumps(dict(id=asked['id'])), flush=True)", "wrong shape", "no `units`"),
    ("print(json.dumps(dict(id=asked['id'], units=[])), flush=True)", "wrong shape", "Expected `object"),
    (
        "print(json.dumps(dict(id=asked['id'], units=dict(FRANCE=['A PRA']))), flush=True)",
        "wrong shape", "'A PRA' cannot be read",
    ),
    (
        "print(json.dumps(dict(id=asked['id'], units={}, results=dict(FRANCE=[]))), flush=True)",
        "wrong shape", "has 0 verdicts for the 1 order of FRANCE",
    ),
    ("print(json.dumps(dict(id=asked['id'], error=dict(kind='no idea'))), flush=True)", "refused", "no idea"),
    ("print('x' * 2_000_000, flush=True)", "too long", "more than 1,000,000 bytes"),
]  # fmt: skip


@pytest.mark.parametrize(("program", "kind", "message"), NONSENSE, ids=[f"{kind}-{text}" for _, kind, text in NONSENSE])
def test_what_is_no_answer_is_told(program: str, kind: str, message: str) -> None:
    for oracle in _started(READS + program):
        for _ in range(2):  # it is started again
            with pytest.raises(OracleError, match=message) as caught:
                oracle(*a_position())
            assert caught.value.kind == kind


@pytest.fixture
def any_is_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Questions are sent ahead however busy the machine is."""
    monkeypatch.setattr(process_oracle, "QUICK", LONG_WAIT)


@pytest.mark.usefixtures("any_is_quick")
def test_questions_are_sent_ahead() -> None:
    """The process reads a second question before it answers the first one; what it says first goes with the first."""
    program = (
        "import sys, json\nread = lambda: json.loads(sys.stdin.readline())\n"
        "say = lambda asked: print(json.dumps(dict(id=asked['id'], units=asked['units'])), flush=True)\n"
        "say(read())\nfor _ in range(2):\n    first, second = read(), read(); say(first); say(second)\n"
    )
    positions = [a_position() for _ in range(5)]
    for oracle in _started(program):
        oracle(*positions[0])
        for position in positions[1:]:
            oracle.send_ahead(*position)
        oracle(*positions[1])
        oracle(*positions[3])  # the one before it is heard, and left out
        assert oracle(*positions[4]).units == {"FRANCE": ["A PAR"], "RUSSIA": ["F STP/NC"]}


@pytest.mark.usefixtures("any_is_quick")
@pytest.mark.parametrize("status", [0, 3])
def test_a_process_that_dies_is_asked_anew_what_was_sent_ahead(status: int) -> None:
    """A process that ends in good order after some answers has not failed."""
    positions = [a_position() for _ in range(4)]
    for oracle in _started(f"{READS}if asked['id'] == 3: sys.exit({status})\n    {ANSWERS}"):
        oracle(*positions[0])
        for position in positions[1:]:
            oracle.send_ahead(*position)
        oracle(*positions[1])
        with pytest.raises(OracleError, match=f"exit status {status}"):
            oracle(*positions[2])
        assert oracle(*positions[3]).units == {"FRANCE": ["A PAR"], "RUSSIA": ["F STP/NC"]}
        oracle(*positions[2])


@pytest.mark.usefixtures("any_is_quick")
def test_an_error_is_told_of_the_question_that_it_answers() -> None:
    """Even where another one is asked before that one."""
    positions = [a_position() for _ in range(3)]
    for oracle in _started(f"{READS}if asked['id'] == 2: sys.exit(3)\n    {ANSWERS}"):
        oracle(*positions[0])
        oracle.send_ahead(*positions[1])
        oracle(*positions[2])
        with pytest.raises(OracleError, match="exit status 3"):
            oracle(*positions[1])


@pytest.mark.parametrize(("program", "orders"), [(f"{READS}time.sleep(60)", 1), ("import time; time.sleep(60)", 20_000)])
def test_a_slow_engine_is_ended(program: str, orders: int) -> None:
    """Also one that does not read its input, which is more than a pipe holds."""
    many: PhaseOrders = {"FRANCE": [Move(Named(None, "PAR"), "BUR")] * orders}
    for oracle in _started(program, timeout=0.2):
        began = time.monotonic()
        with pytest.raises(OracleError, match=r"timed out: there is no answer after 0\.2 seconds"):
            oracle(a_position()[0], many)
        assert time.monotonic() - began < LONG_WAIT


def test_an_engine_may_take_longer_to_start() -> None:
    program = f"import time; time.sleep(0.7)\n{READS}time.sleep(asked['id'] > 1 and 60); {ANSWERS}"
    for oracle in _started(program, timeout=0.5, startup_timeout=LONG_WAIT):
        assert oracle(*a_position()).units == {"FRANCE": ["A PAR"], "RUSSIA": ["F STP/NC"]}
        with pytest.raises(OracleError, match=r"no answer after 0\.5 seconds"):
            oracle(*a_position())


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="/proc")
def test_a_runaway_engine_is_ended_with_what_it_started() -> None:
    """Here it is a process that it started that fills memory."""
    child = "x = []\nwhile 1: x.append(bytearray(b'1' * 2**22)); import time; time.sleep(0.001)"
    program = f"import subprocess; {READS}subprocess.run([sys.executable, '-c', {child!r}])".replace(
        "; import sys", "\nimport sys"
    )
    for oracle in _started(program, memory=150):
        with pytest.raises(OracleError, match=r"it uses \d+ MiB of memory, but the limit is 150") as caught:
            oracle(*a_position())
        assert caught.value.kind == "too much memory"
        assert oracle._child is None


def test_who_speaks_before_being_asked_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_oracle, "SILENCE", LONG_WAIT)  # the process may take its time to start
    for oracle in _started("print('Engine 1.0 ready', flush=True)\n" + READS + ANSWERS):
        with pytest.raises(OracleError, match=r"spoke unasked: it wrote .* before the first question: 'Engine 1\.0 ready'"):
            oracle.probe_depth()


@pytest.mark.parametrize("program", [
    READS + "sys.stderr.write('x' * 1_000_000 + '\\n'); " + ANSWERS,
    READS + ANSWERS + "\n    break",
])  # fmt: skip
def test_an_engine_may_complain_as_much_as_it_likes_and_end_after_each_answer(program: str) -> None:
    for oracle in _started(program):
        for _ in range(4):
            assert oracle(*a_position()).units == {"FRANCE": ["A PAR"], "RUSSIA": ["F STP/NC"]}
        assert oracle.failures == 0


def test_who_fails_too_often_is_not_asked_again() -> None:
    for oracle in _started(READS + "sys.exit(7)", restarts=3):
        for _ in range(2):
            with pytest.raises(OracleError, match=r"^died"):
                oracle(*a_position())
        with pytest.raises(OracleLostError, match=r"it failed 3 times in a row; the last time.*exit status 7"):
            oracle(*a_position())
        with pytest.raises(OracleLostError, match="it failed 3 times in a row"):
            oracle(*a_position())


def test_an_answer_in_between_makes_up_for_failures() -> None:
    """It dies at every second question."""
    program = READS + "if asked['id'] % 2: sys.exit(1)\n    " + ANSWERS
    for oracle in _started(program, restarts=2):
        for _ in range(3):
            with pytest.raises(OracleError, match=r"^died"):
                oracle(*a_position())
            assert oracle(*a_position()).units["FRANCE"] == ["A PAR"]


@pytest.mark.parametrize(
    ("keys", "depth"),
    [("", "positions"), (", dislodged={}", "dislodgements"), (", dislodged={}, results=R", "verdicts")],
)
def test_the_depth_is_what_it_tells(keys: str, depth: str) -> None:
    program = f"print(json.dumps(dict(id=asked['id'], units=asked['units']{keys.replace('R', VERDICTS)})), flush=True)"
    for oracle in _started(READS + program):
        assert oracle.probe_depth() == Depth(depth)


VERDICTS = "{power: ['fails' for order in given] for power, given in asked['orders'].items()}"


def test_the_question_is_a_batch_line_in_the_dialect_of_the_engine(tmp_path: Path) -> None:
    log = tmp_path / "asked"
    program = f"{READS}open({str(log)!r}, 'w').write(line); print(json.dumps(dict(id=asked['id'], units={{}})), flush=True)"
    oracle = ProcessOracle([sys.executable, "-c", program], load_dialect("jdip"), rules="1982", timeout=LONG_WAIT, restarts=1)
    oracle(*a_position())
    oracle.close()
    assert json.loads(log.read_text(encoding="utf-8")) == {
        "id": 1, "phase": "movement", "rules": "1982", "units": {"France": ["A par"], "Russia": ["F stp-nc"]},
        "orders": {"France": ["par - bur"]},
    }  # fmt: skip


# ---- campaigns against programs ----


def campaign(command: str, boards: int = 40, depth: Depth | None = None, restarts: int = 100) -> Campaign:
    return make_campaign(command, Fuzz(1, boards), engine=Engine.STAGED, depth=depth, restarts=restarts)


def test_the_example_client_of_the_documentation() -> None:
    """It tells positions only, and knows next to nothing."""
    chosen = campaign(f"{PYTHON} {HERE.parent / 'docs' / 'example_client.py'}")
    assert chosen.depth is Depth.POSITIONS
    tally = tally_boards(chosen, range(40))
    assert tally.agreed > 5
    (smallest, *_) = collect_findings(chosen, tally, limit=5).unexplained
    assert smallest.units <= 3


def test_a_seeded_bug_in_a_program() -> None:
    chosen = campaign(f"{PYTHON} {HERE / 'helpers' / 'broken_engine.py'} self_dislodgement")
    assert chosen.depth is Depth.VERDICTS
    found = collect_findings(chosen, tally_boards(chosen, range(40)), limit=3)
    assert found.unexplained[0].units == 3
    kinds = {difference.kind for difference in found.unexplained[0].differences}
    assert "Move: fails / succeeds" in kinds


def test_satjudge_itself_as_a_program() -> None:
    code = "import sys; from satjudge.apps.cli import main; sys.argv = ['satjudge', 'batch']; main()"
    tally = tally_boards(campaign(f"{PYTHON} -c {shlex.quote(code)}"), range(40))
    assert (tally.agreed, tally.differing) == (40, [])


@pytest.mark.slow
def test_a_position_on_which_a_program_dies_is_shrunk() -> None:
    """It cannot bear two supports on a board; both answers stand in the finding."""
    program = READS + "if line.count(' S ') > 1: sys.stderr.write('too much'); sys.exit(5)\n    " + ANSWERS
    chosen = campaign(f"{PYTHON} -c {shlex.quote(program)}", 12)
    tally = tally_boards(chosen, range(12))
    found = collect_findings(chosen, tally, limit=2).unexplained
    (died,) = [finding for finding in found if any(difference.kind == "died" for difference in finding.differences)]
    orders = [order for given in died.position.orders.values() for order in given]
    assert len(orders) == 2
    assert died.differences[0].theirs == "died: it ended with exit status 5; its last words: 'too much'"


def test_a_program_that_fails_only_now_and_then(tmp_path: Path) -> None:
    """Asked again it answers as it should: the finding says so, and is not shrunk."""
    seen = str(tmp_path / "seen")
    fails = f"if asked['id'] == 3 and not os.path.exists({seen!r}): open({seen!r}, 'w').close(); sys.exit(1)\n    "
    lines = [b'{"id": "%d", "units": {"FRANCE": ["A PAR", "A BUR"]}, "orders": {}}' % number for number in range(3)]
    campaign = make_campaign(f"{PYTHON} -c {shlex.quote(READS + fails + ANSWERS)}", ListedPositions(tuple(lines)))
    tally = tally_boards(campaign, range(3))
    assert len(tally.differing) == 1
    (finding,) = collect_findings(campaign, tally).unexplained
    assert (finding.units, [found.kind for found in finding.differences]) == (2, ["not again"])


def test_a_program_that_is_of_no_use_is_refused_before_anything_is_done() -> None:
    greets = READS + "print('hello', flush=True)"
    with pytest.raises(RequestError, match=r"first question.*not JSON: it answered 'hello'.*docs/reference/asked-engines\.md"):
        campaign(f"{PYTHON} -c {shlex.quote(greets)}")
    with pytest.raises(RequestError, match="does not report verdicts"):
        campaign(f"{PYTHON} -c {shlex.quote(READS + ANSWERS)}", depth=Depth.VERDICTS)


@pytest.mark.parametrize(("shape", "message"), [
    ("asked['units']['FRANCE'].append('A MUN')", "FRANCE has 2 units, but 3 in the answer: A GAS, A MUN, F ENG"),
    ("asked['units']['ENGLAND'][3] = 'F ENG'", "two units stand in ENG; `units` must be the units after the moves"),
    ("asked['units']['RUSSIA'] = ['F STP']", "F STP of RUSSIA: "),
    ("asked['units']['ROSSIYA'] = ['F BOT']", "ROSSIYA has 0 units, but 1 in the answer: F BOT"),
    ("answer['dislodged'] = dict(ENGLAND={'F MAO': ['IRI']})", "F MAO is among the `dislodged`"),
    ("answer['dislodged'] = dict(FRANCE={'F ENG': ['IRI']})", "FRANCE has 2 units, but 3 in the answer"),
])  # fmt: skip
def test_a_first_answer_of_the_wrong_shape_is_told_at_once(shape: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine that leaves dislodged units on the board, drops coasts, or calls powers as nobody else does."""
    monkeypatch.setattr("satjudge.engines.connections.process_oracle.SILENCE", 0.01)
    program = f"{READS}answer = dict(id=asked['id'], units=asked['units']); {shape}; print(json.dumps(answer), flush=True)"
    with pytest.raises(RequestError, match=f"does not answer the first question correctly: wrong shape: .*{message}"):
        campaign(f"{PYTHON} -c {shlex.quote(program)}")


def test_results_without_dislodgements_are_compared_as_what_they_tell() -> None:
    """An engine with a bug that tells no retreats: its verdicts are compared all the same, also what they say of units."""
    program = "import sys, json\nfrom satjudge.bulk.batch import answer_line\nfor line in sys.stdin:\n    "
    wrong = "said = json.loads(answer_line(line.encode()).decode().replace('destroyed', 'dislodged')); del said['dislodged']; "
    chosen = campaign(f"{PYTHON} -c {shlex.quote(program + wrong + 'print(json.dumps(said), flush=True)')}")
    assert chosen.depth is Depth.RESULTS
    kinds = {kind for one in tally_boards(chosen, range(24)).differing for kind in one.kinds}
    assert kinds
    assert all(kind.endswith(": destroyed / dislodged") for kind in kinds)
    assert campaign(chosen.contact.against, depth=Depth.POSITIONS).depth is Depth.POSITIONS
    with pytest.raises(RequestError, match="does not report dislodgements"):
        campaign(chosen.contact.against, depth=Depth.DISLODGEMENTS)


def test_a_program_that_is_lost_ends_the_campaign() -> None:
    program = READS + "if asked['id'] > 3: sys.exit(1)\n    " + ANSWERS
    chosen = campaign(f"{PYTHON} -c {shlex.quote(program)}", restarts=2)
    with pytest.raises(OracleLostError, match="2 times in a row"):
        tally_boards(chosen, range(40))


def test_an_engine_skips_what_it_does_not_do(capsys: pytest.CaptureFixture[str]) -> None:
    """One that knows no convoys is asked another first question. A board that is skipped is neither right nor wrong."""
    program = (
        f"{READS}if ' C ' in line: print(json.dumps(dict(id=asked['id'], skip='convoys')), flush=True); continue\n    {ANSWERS}"
    )
    tally = tally_boards(campaign(f"{PYTHON} -c {shlex.quote(program)}"), range(15))
    assert tally.skipped > 5
    assert tally.boards == tally.skipped + len(tally.differing) + tally.agreed
    options = ["--against", f"{PYTHON} -c {shlex.quote(program)}", "--jobs", "1"]
    assert run(["crosscheck", *options, "datc:6.F.14"]) == 5
    shown = capsys.readouterr()
    assert "skipped by the engine" in shown.out
    assert "skips every board" in shown.err
    with pytest.raises(RequestError, match="skips the first questions: 'tired'"):
        campaign(f"{PYTHON} -c {shlex.quote(READS + SKIPS)}")


SKIPS = "print(json.dumps(dict(id=asked['id'], skip='tired')), flush=True)"


def test_a_checkpoint_is_bound_to_the_file_of_the_engine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    engine, state = tmp_path / "engine.py", tmp_path / "state"
    engine.write_text(READS + ANSWERS, encoding="utf-8")
    options = ["--against", f"{PYTHON} {engine}", "--fuzz", "4", "--jobs", "1", "--limit=shrink=0", "--checkpoint", str(state)]
    assert run(["crosscheck", *options]) == 1
    assert run(["crosscheck", *options]) == 1
    assert "4 of 4 boards are already compared" in capsys.readouterr().err
    engine.write_text(f"{READS}{ANSWERS}  # mended", encoding="utf-8")
    assert run(["crosscheck", *options]) == 2
    assert "this is the state of another crosscheck: program differ" in capsys.readouterr().err


def test_what_was_found_before_a_program_is_lost_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With a report and saved cases. A new process of it is right about a board on which the first one died."""
    program = READS + "if asked['id'] > 12: sys.exit(1)\n    " + ANSWERS
    saved, report = tmp_path / "found", tmp_path / "r.md"
    options = ["--against", f"{PYTHON} -c {shlex.quote(program)}", "--fuzz", "40", "--jobs", "1", "--limit=restarts=2"]
    assert run(["crosscheck", *options, "--save", str(saved), "--report", str(report), "--limit=shrink=2"]) == 1
    shown = capsys.readouterr().out
    lost = "The engine was lost at seed 1, board 12: it failed 2 times in a row"
    assert lost in shown.replace("\n", " ")
    assert "12 of 40 boards were compared" in shown
    assert lost in report.read_text(encoding="utf-8")
    wrong, died = sorted(file.read_text(encoding="utf-8").splitlines()[0].partition(": ")[2] for file in saved.iterdir())
    assert (wrong.startswith("a move "), died) == (True, "not again")


def test_a_program_that_is_lost_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = READS + "if asked['id'] > 1: sys.exit(1)\n    " + ANSWERS
    options = ["--against", f"{PYTHON} -c {shlex.quote(program)}", "--fuzz", "40", "--jobs", "1", "--limit=restarts=1"]
    assert run(["crosscheck", *options]) == 2
    assert "lost at seed 1, board 0" in capsys.readouterr().err


@pytest.mark.slow
def test_what_does_not_differ_in_a_new_process_is_not_called_shrunk() -> None:
    """A program that is right about its first eight questions only: no new process of it differs."""
    program = "import sys; from satjudge.bulk.batch import answer_line\nfor number, line in enumerate(sys.stdin):\n    "
    wrong = "print(answer_line(line.encode()).decode().replace('fails', 'succeeds' if number > 7 else 'fails'), flush=True)"
    chosen = campaign(f"{PYTHON} -c {shlex.quote(program + wrong)}", 40)
    tally = tally_boards(chosen, range(40))
    assert len(tally.differing) > 20
    (once,) = collect_findings(chosen, tally, limit=3).unexplained
    assert (once.shape, once.boards) == ("not-again", 3)
    assert [found.kind for found in once.differences] == ["not again"]
    assert once.position.line == chosen.source.get_position(once.board).line


def test_blocks_of_a_slow_program_are_kept_as_far_as_they_are_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Here every program is slow."""
    monkeypatch.setattr("satjudge.engines.campaign.BLOCK", 0.0)
    state, chosen = tmp_path / "state.jsonl", campaign(f"{PYTHON} -c {shlex.quote(READS + ANSWERS)}", 24)
    counted = run_count(chosen.count, 24, state_path=state, chunk=8)
    assert counted == tally_boards(chosen, range(24))
    chunks = [json.loads(line)["chunk"] for line in state.read_text(encoding="utf-8").splitlines()[1:]]
    assert sorted(chunks) == [[number, number + 1] for number in range(24)]
    assert chunks[:3] == [[0, 1], [8, 9], [16, 17]]  # the rest is divided more finely
    assert run_count(chosen.count, 24, state_path=state) == counted


GRANDCHILD = (
    "import subprocess; grandchild = subprocess.Popen(['sleep', '600'], start_new_session=True); "
    "open({file!r}, 'w').write(str(grandchild.pid)); "
)


@pytest.mark.skipif(os.name == "nt", reason="sessions")
@pytest.mark.parametrize("ending", ["", "sys.exit(3)", "time.sleep(600)"])
def test_a_process_that_the_engine_leaves_behind_keeps_nobody_and_is_ended(ending: str, tmp_path: Path) -> None:
    """It is in a session of its own and keeps the engine's pipes open, also that to its input."""
    file = tmp_path / "pid"
    program = f"{READS}{GRANDCHILD.format(file=str(file))}{ending or ANSWERS}"
    began, threads = time.monotonic(), threading.active_count()
    try:
        with contextmanager(_started)(program, timeout=2.0 if "sleep" in ending else LONG_WAIT) as oracle:
            if ending:
                with pytest.raises(OracleError) as caught:
                    oracle(*a_position())
                assert caught.value.kind == ("timed out" if "sleep" in ending else "died")
            else:
                oracle(*a_position())
        assert time.monotonic() - began < LONG_WAIT
        assert not _runs(int(file.read_text(encoding="utf-8")))
        assert threading.active_count() == threads
    finally:
        with suppress(ProcessLookupError):
            os.kill(int(file.read_text(encoding="utf-8")), signal.SIGKILL)


def test_no_descriptor_is_left_open() -> None:
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        with contextmanager(_started)(READS + ANSWERS) as oracle:
            oracle(*a_position())
    assert len(os.listdir("/proc/self/fd")) == before


@pytest.mark.skipif(os.name == "nt", reason="signals")
@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("interrupts", [1, 2])
def test_an_interrupt_waits_for_nobody(interrupts: int, tmp_path: Path) -> None:
    """The program hangs; it is ended, and so are satjudge's own processes."""
    hangs = f"open(f'{tmp_path}/{{os.getpid()}}', 'w').close(); time.sleep(600 if asked['id'] > 1 else 0); "
    options = ["--against", f"{PYTHON} -c {shlex.quote(READS + hangs + ANSWERS)}", "--fuzz", "400", "--timeout", "600"]
    command = [sys.executable, "-c", "from satjudge.apps.cli import main; main()", "crosscheck", *options, "--jobs", "2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        _until(lambda: len(list(tmp_path.iterdir())) == 3)  # one of satjudge itself, and one of each worker
        began = time.monotonic()
        for _ in range(interrupts):
            process.send_signal(signal.SIGINT)
            time.sleep(0.02)
        output, errors = process.communicate(timeout=LONG_WAIT)
    assert time.monotonic() - began < LONG_WAIT
    assert process.returncode == 130 or (interrupts == 2 and process.returncode == -signal.SIGINT)
    assert b"Traceback" not in errors
    assert interrupts == 2 or b"compared 0 of 400 boards: nothing" in errors
    assert output == b""
    _until(lambda: not any(_runs(int(file.name)) for file in tmp_path.iterdir()))


def _until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + LONG_WAIT
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def _runs(pid: int) -> bool:
    """Whether a process goes on running. One that was killed may take a moment to go."""
    until = time.monotonic() + LONG_WAIT
    while (running := _is_there(pid)) and time.monotonic() < until:
        time.sleep(0.01)
    return running


def _is_there(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def test_a_program_is_asked_about_later_phases_in_its_dialect() -> None:
    """Dislodged units with their retreats, and who owns what; what it says of dislodged units then does not count."""
    lost = "dislodged=dict(FRANCE={'A PAR': []} if asked['phase'] == 'adjustment' else {})"
    says = f"print(json.dumps(dict(id=asked['id'], units=asked['units'], {lost})), flush=True)"
    game_map = load_map()
    army, fleet = parse_unit("A PAR", "FRANCE", game_map), parse_unit("F SPA/SC", "FRANCE", game_map)
    retreat = Board((army,), (DislodgedUnit(fleet, ("LYO", "MAO")),), phase=Phase.RETREAT)
    adjustment = Board((army,), centers={"PAR": "FRANCE"}, phase=Phase.ADJUSTMENT)
    oracle = ProcessOracle([sys.executable], load_dialect("godip"), rules="datc-3", timeout=9.0, restarts=9)
    asked = oracle._format_request(retreat, {"FRANCE": [Retreat(fleet.named, "MAO")]})
    assert {key: asked[key] for key in ("phase", "dislodged", "orders")} == {
        "phase": "retreat", "dislodged": {"France": {"F spa/sc": ["gol", "mid"]}}, "orders": {"France": ["F spa/sc R mid"]},
    }  # fmt: skip
    asked = oracle._format_request(adjustment, {"FRANCE": []})
    assert {key: asked[key] for key in ("phase", "centers")} == {"phase": "adjustment", "centers": {"France": ["par"]}}
    boards = Fuzz(1, 30, phases=(Phase.ADJUSTMENT,))
    chosen = make_campaign(f"{PYTHON} -c {shlex.quote(READS + says)}", boards)
    tally = tally_boards(chosen, range(30))
    assert {kind for one in tally.differing for kind in one.kinds} == {"unit there / not there", "unit not there / there"}


def test_positions_are_told_apart_by_what_they_say() -> None:
    board, orders = a_position()
    position = AskedPosition(board, {power: list(given) for power, given in orders.items()}, "x")
    assert json.loads(position.line) == {
        "id": "x", "units": {"FRANCE": ["A PAR"], "RUSSIA": ["F STP/NC"]}, "orders": {"FRANCE": ["PAR - BUR"]},
    }  # fmt: skip
