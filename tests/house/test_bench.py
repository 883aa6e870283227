"""The benchmark runs and tells what it is meant to tell; how fast anything is, is no matter of a test."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
sys.path[:0] = [str(BENCHMARKS), str(BENCHMARKS / "studies")]

import bench  # noqa: E402
import counters  # noqa: E402
import differential  # noqa: E402
import diplomacy_package  # noqa: E402
import drawn_lines  # noqa: E402
import million  # noqa: E402
import other_engines  # noqa: E402
import page  # noqa: E402
import phases  # noqa: E402
import real_positions  # noqa: E402
import sections  # noqa: E402
from measuring import QUICK, Figure, interleaved, spread  # noqa: E402

from satjudge.bulk.random_boards.boards import Flavour  # noqa: E402
from satjudge.judging.judge import judge, resolutions  # noqa: E402


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
    assert judge(ring.board, ring.orders).successful_moves.keys() == {unit.province for unit in ring.board.units}
    assert ring.size == 30
    cores = phases.sixteen_rings()
    assert resolutions(cores.board, cores.orders).count == 65_536
    fleets = phases.twelve_fleets()
    convoys = [text for given in fleets.orders.values() for text in given if " C A LON - SMY" in text]
    assert len(convoys) == 12


def test_the_same_seed_gives_the_same_boards() -> None:
    assert phases.opening(1, 2) == phases.opening(1, 2)
    assert phases.drawn(1, 2, Flavour.CONVOYS).orders == phases.drawn(1, 2, Flavour.CONVOYS).orders
    assert list(drawn_lines.requests(1, (0, 20))) == list(drawn_lines.requests(1, (0, 20)))


def test_without_published_games_a_seeded_player_plays_some(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(real_positions, "FOLDER", tmp_path)
    name, cases = real_positions.real_cases(1, 3)
    assert name == "games of a seeded player, 22–34 units"
    assert all(22 <= case.size <= 34 for case in cases)
    assert cases == real_positions.real_cases(1, 3)[1]
    row = {"game": "one", "phase": "S1901M", "units": cases[0].units, "orders": cases[0].orders}
    few = {"game": "one", "phase": "S1902M", "units": {"FRANCE": ["A PAR"]}, "orders": {}}
    with gzip.open(tmp_path / "backstabbr.jsonl.gz", "wb") as file:
        file.writelines(json.dumps(one).encode() + b"\n" for one in (row, few, row | {"phase": "W1901A"}))
    name, published = real_positions.real_cases(1, 3)
    assert (name, len(published)) == ("published games, 22–34 units", 1)
    assert (published[0].units, published[0].orders) == (cases[0].units, cases[0].orders)


SLOW_ENGINE = """#!{python}
import json, sys
assert sys.argv[1:] == ["2023", "--time"]
for number, line in enumerate(sys.stdin):
    told = {{"id": number, "units": {{}}, "seconds": {{"line to line": 0.9, "judging": 0.5}}}}
    print(json.dumps(told if number else {{"skip": "this one"}}))
"""


@pytest.mark.slow
def test_engines_that_are_named_are_beside_ours_and_the_others_left_out_in_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    engine = tmp_path / "engine"
    engine.write_text(SLOW_ENGINE.format(python=sys.executable), encoding="utf-8")
    engine.chmod(0o755)
    monkeypatch.delenv("SATJUDGE_DIPCC", raising=False)
    monkeypatch.setenv("SATJUDGE_DIPLOMACY_RS", str(engine))
    monkeypatch.setattr(real_positions, "FOLDER", tmp_path)
    monkeypatch.setattr(diplomacy_package, "installed", lambda: None)
    taken = other_engines.PROGRAMS[1].takes([phases.datc("6.A.1"), phases.datc("6.A.2")])
    assert taken == [False, True]
    monkeypatch.setattr(other_engines.Program, "takes", lambda program, cases: [True] * len(cases))
    engine.write_text(engine.read_text(encoding="utf-8").replace("told if number", "told if True"), encoding="utf-8")
    found = {figure.name: figure for figure in sections.beside_others(replace(QUICK, boards=1))}
    assert capsys.readouterr().err.splitlines() == ["left out: dipcc (C++) (SATJUDGE_DIPCC names no program)"]
    assert found["diplomacy (Rust), judging"].values.median == 5e5
    ratio = found["diplomacy (Rust), judging: ratio"].values.median
    assert ratio == pytest.approx(5e5 / found["judge, judging"].values.median, rel=0.5)
    assert "in bulk, line to line" in found
    assert "| diplomacy (Rust) | 500,000 µs |" in page.engines(page.Measured({}, list(found.values()), {}, {}))


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
def test_the_kernel_is_compared_with_what_the_plain_path_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(differential, "BLOCK", 80)
    kept, figures = tmp_path / "plain.jsonl", tmp_path / "figures.json"
    assert differential.main(["plain", "--boards", "640", "--state", str(kept)]) == 0
    compiled = ["compiled", "--boards", "800", "--plain", str(kept), "--json", str(figures)]
    assert differential.main(compiled) == 0
    told = json.loads(figures.read_text(encoding="utf-8"))
    assert (told["boards"], told["plain"]["boards"]) == (640, 640)
    assert told["plain"]["by_full"] > 8
    monkeypatch.setattr(differential, "digest", lambda found: "another")
    assert differential.main(compiled) == 1
    assert "another digest than that of the plain path" in capsys.readouterr().out


def test_boards_of_a_block_are_the_same_each_time_and_variants_differ() -> None:
    once, again = differential.drawn(1, range(2_000)), differential.drawn(1, range(2_000))
    for one, other in zip(once, again, strict=True):
        assert (one == other).all()
    units, powers, orders = once
    assert ((units == -1) == (powers == -1)).all()
    assert (orders[units == -1] == -1).all()
    assert len({row.tobytes() for row in orders}) > 1_700
    provinces = [[differential.vocabulary().units[unit].province for unit in row if unit != -1] for row in units]
    assert all(len(set(row)) == len(row) for row in provinces)


def test_digests_tell_boards_apart_and_paths_not() -> None:
    block = range(80)
    judge, boards = differential.plain_judge("datc-3"), differential.drawn(1, block)
    found = judge.judge(*boards)
    same = differential.digest(found)
    assert differential.digest(judge.judge(*boards)) == same
    found.retreats[0] ^= True
    assert differential.digest(found) != same


def test_the_page_says_what_the_files_say() -> None:
    """If this fails: python benchmarks/page.py."""
    text = page.PAGE.read_text(encoding="utf-8")
    measured = page.Measured.read(page.PAGE.with_suffix(""))
    assert page.filled(text, measured) == text
    assert [block["name"] for block in page.BLOCK.finditer(text)].count("targets") == 1
    assert {block["name"] for block in page.BLOCK.finditer(text)} == page.BLOCKS.keys()
    table = (page.PAGE.with_suffix("") / "bench.md").read_text(encoding="utf-8")
    assert table == bench.markdown(measured.figures)


def test_the_readme_says_what_the_files_say() -> None:
    """If this fails: python benchmarks/page.py."""
    text = page.README.read_text(encoding="utf-8")
    assert page.filled_readme(text, page.Measured.read(page.PAGE.with_suffix(""))) == text
    names = {"process(), judging: ratio": 13, "diplomacy (Rust), judging: ratio": 1.1, "dipcc (C++), judging: ratio": 0.27,
             "arrays beside dipcc, judging": 10.5, "dipcc (C++), line to line: ratio": 5}  # fmt: skip
    figures = [Figure("engines on real positions", name, "×", spread([value])) for name, value in names.items()]
    positions = Figure("engines on real positions", "positions", "", spread([400]), note="published games; 33 at the median")
    filled = page.filled_readme(text, page.Measured({}, [*figures, positions], {}, {}))
    assert "On 400 positions of published games,\nsatjudge is 13 times as fast as `process()` of the `diplo" in filled
    assert "Over [arrays](docs/guides/arrays.md) it is 10.5 times as fast as dipcc" in filled
    assert page.filled_readme(text, page.Measured({}, figures, {}, {})) == text


def test_a_block_is_filled_again_and_again() -> None:
    counts = {"boards": 10, "cores": 3, "rulings": 2, "different": 1, "left": {"1971": 2}}
    found = {**counts, "seed": 7, "plain": {"with_cores": 5, "by_full": 4, "different": 0}}
    measured = page.Measured({}, [], found, {})
    once = page.filled("a\n<!-- measured: differential -->\nold\n<!-- end -->\nb\n", measured)
    assert once == page.filled(once, measured)
    assert "On 10 drawn boards (seed 7)" in once
    assert "found 1 differences. The answers contain 2 rulings. The kernel left 2 boards" in once
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


def test_sections_that_are_measured_again_take_the_place_of_what_was_there() -> None:
    one, other, again = (
        Figure(section, "what", "s", spread([value])) for section, value in (("one", 1.0), ("other", 2.0), ("one", 3.0))
    )
    assert bench.beside([one, other], [again]) == [again, other]


@pytest.mark.slow
def test_doors_are_measured_beside_the_package(tmp_path: Path) -> None:
    """Self-play, the service and environments: figures of each contestant, and the blocks of the page."""
    found = tmp_path / "found.json"
    command = [sys.executable, str(BENCHMARKS / "bench.py"), "--quick", "--only", "self-play,serve,env", "--json", str(found)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    figures = page.figures_of(json.loads(found.read_text(encoding="utf-8")))
    assert all(figure.values.least > 0 for figure in figures)
    measured = page.Measured({}, figures, {}, {})
    told = page.selfplay(measured) + page.serve(measured) + page.env(measured)
    for row in (
        "| `Game at once, kernel` |", "| `Game unit by unit, plain` |", "| `drop-in` |", "| `diplomacy` |",
        "| judge, one by one: requests a second of the processor |",
        "| arrays, 60 games at a time |", "| DeepMind's protocol |", "| PettingZoo |",
    ):  # fmt: skip
        assert row in told


def test_a_section_that_there_is_not() -> None:
    command = [sys.executable, str(BENCHMARKS / "bench.py"), "--only", "nothing"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "there is no section nothing" in done.stderr
