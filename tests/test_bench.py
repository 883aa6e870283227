"""The benchmark runs and tells what it is meant to tell; how fast anything is, is no matter of a test."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

import bench  # noqa: E402
import counters  # noqa: E402
import differential  # noqa: E402
import million  # noqa: E402
import page  # noqa: E402
import phases  # noqa: E402
from measuring import Figure, interleaved, spread  # noqa: E402

from satjudge.judge import judge, resolutions  # noqa: E402
from satjudge.research.boards import Flavour  # noqa: E402


def test_a_spread_is_the_median_with_quartiles_and_extremes() -> None:
    found = spread([5, 1, 2, 4, 3])
    assert (found.median, found.low, found.high, found.least, found.most, found.count) == (3, 2, 4, 1, 5, 5)
    assert spread([7]).times(2).median == spread([14]).median


@pytest.mark.parametrize(
    ("target", "least", "largest", "met"),
    [
        (2, False, False, True),
        (2, False, True, False),
        (2, True, False, True),
        (3, True, False, False),
        (None, True, True, None),
    ],
)
def test_a_target_is_met_or_not(target: float | None, least: bool, largest: bool, met: bool | None) -> None:
    assert Figure("a", "b", "ms", spread([1, 2, 3]), target, least, largest).met is met


@pytest.mark.slow
def test_contestants_take_turns_with_everything_set_up_anew() -> None:
    order: list[str] = []

    def contestant(name: str) -> Callable[[int], Callable[[], object]]:
        def prepare(case: int) -> Callable[[], object]:
            order.append(f"set {name}{case}")
            return lambda: order.append(f"{name}{case}")

        return prepare

    times = interleaved({"a": contestant("a"), "b": contestant("b")}, [1, 2], rounds=1)
    assert [len(found) for found in times.values()] == [2, 2]
    assert order[:8] == ["set a1", "set a2", "a1", "a2", "set b1", "set b2", "b1", "b2"]
    assert order[8:] == ["set b1", "set b2", "b1", "b2", "set a1", "set a2", "a1", "a2"]


def test_the_boards_of_the_growth_section_are_what_they_are_called() -> None:
    ring = phases.ring_of_thirty()
    assert judge(ring.board, ring.orders).moved.keys() == {unit.province for unit in ring.board.units}
    assert ring.size == 30
    cores = phases.sixteen_rings()
    assert resolutions(cores.board, cores.orders).count == 65_536
    fleets = phases.twelve_fleets()
    convoys = [text for given in fleets.orders.values() for text in given if " C A LON - SMY" in text]
    assert len(convoys) == 12


def test_the_same_seed_gives_the_same_boards() -> None:
    assert phases.opening(1, 2) == phases.opening(1, 2)
    assert phases.drawn(1, 2, Flavour.CONVOYS).orders == phases.drawn(1, 2, Flavour.CONVOYS).orders
    assert list(differential.requests(1, (0, 20))) == list(differential.requests(1, (0, 20)))


def test_counters_do_not_depend_on_the_machine() -> None:
    case = phases.datc("6.F.14")
    assert counters.counted(case) == counters.counted(case)
    assert counters.counted(case)["decisions"] == 4


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads /proc")
def test_a_stream_of_boards_is_answered_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(million, "DRAWN", 5)
    monkeypatch.setattr(million, "SAMPLE_SECONDS", 0.02)  # it is soon over
    watched, _ = million.run(seed=1, boards=300, jobs=2)
    assert (watched.answers, watched.errors, watched.in_order) == (300, 0, True)
    assert watched.samples
    most_memory = max((sample.megabytes for sample in watched.samples), key=sum)
    assert len(most_memory) >= 3  # the command and its two workers


def test_growth_of_memory_is_what_the_end_took_over_the_middle() -> None:
    samples = [million.Sample(0.0, 2, (20.0, 30.0)), million.Sample(1.0, 2, (10.0,)), million.Sample(2.0, 4, (20.0, 40.0))]
    watched = million.Watched(4, samples=samples)
    assert million.growth(watched) == 1.2
    assert watched.at_tenths() == [samples[0], samples[2]]
    assert million.in_words((20.0, 30.0)) == "20 MB, and 30 MB in the processes that it started"


@pytest.mark.slow
def test_the_compiled_path_is_compared(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert differential.main(["--boards", "100", "--seed", "7"]) == 0
    assert "0 differences on" in capsys.readouterr().out
    monkeypatch.setattr(differential, "answer", lambda request: {})
    assert differential.main(["--boards", "20", "--seed", "7"]) == 1


def test_the_page_says_what_the_files_say() -> None:
    """If this fails: python benchmarks/page.py."""
    text = page.PAGE.read_text(encoding="utf-8")
    measured = page.Measured.read(page.PAGE.with_suffix(""))
    assert page.filled(text, measured) == text
    assert [block["name"] for block in page.BLOCK.finditer(text)].count("targets") == 1
    assert {block["name"] for block in page.BLOCK.finditer(text)} == page.BLOCKS.keys()
    table = (page.PAGE.with_suffix("") / "bench.md").read_text(encoding="utf-8")
    assert table == bench.markdown(measured.figures)


def test_a_block_is_filled_again_and_again() -> None:
    measured = page.Measured({}, [], {"boards": {"dense": 10}, "left": {"dense": 2}, "differences": 1, "seed": 7}, {})
    once = page.filled("a\n<!-- measured: differential -->\nold\n<!-- end -->\nb\n", measured)
    assert once == page.filled(once, measured)
    assert "of 10 generated boards (seed 7) it answered 8, with 1 differences, and left 2" in once
    assert once.startswith("a\n<!-- measured")
    assert once.endswith("<!-- end -->\nb\n")
    assert "old" not in once
    with pytest.raises(KeyError):
        page.filled("<!-- measured: nothing -->\n<!-- end -->", measured)


def test_a_missed_target_is_shown() -> None:
    slow = Figure("growth", "a: judge", "ms", spread([5, 9]), 7, of_largest=True)
    text = page.targets(page.Measured({}, [slow, Figure("b", "c", "×", spread([3]), 4, True)], {}, {}))
    assert "| b: c | at least 4 × | 3 × | **no** |" in text
    assert "| growth, the slowest of 1: a: judge | at most 7 ms, the largest | 9 ms | **no** |" in text


@pytest.mark.slow
def test_the_command(tmp_path: Path) -> None:
    found = tmp_path / "found.json"
    text = tmp_path / "found.md"
    picture = tmp_path / "found.svg"
    arguments = ("--quick", "--only", "size,counters,paradoxes", "--json", found, "--markdown", text, "--plot", picture)
    environment = {**os.environ, "COLUMNS": "160"}
    command = [sys.executable, str(BENCHMARKS / "bench.py"), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    assert "targets not met" in done.stdout
    figures = json.loads(found.read_text(encoding="utf-8"))["figures"]
    assert {figure["section"] for figure in figures} >= {"judge by size", "all resolutions", "counters, 6.F.28"}
    assert all(figure["values"]["median"] >= 0 for figure in figures)
    assert "| 6.F.28, full |" in text.read_text(encoding="utf-8")
    assert "<svg" in picture.read_text(encoding="utf-8")


def test_a_section_that_there_is_not() -> None:
    command = [sys.executable, str(BENCHMARKS / "bench.py"), "--only", "nothing"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "there is no section nothing" in done.stderr
