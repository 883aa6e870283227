"""DeepMind's `observation_test` runs by one command on files in the format of its reference files; those cannot be had here.

The files are of a game that random agents play by `DiplomacyState`: they show that files are read and compared, not whose rules
these are. A game that DiploBench's state played over the package `diplomacy` passed as well, here and in DeepMind's own test.
"""

from __future__ import annotations

import pickle
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import deepmind_observation_test
import numpy
import pytest
from deepmind_observation_test import GAME, main

from satjudge.env.deepmind import DiplomacyState

DEEPMINDS = 700 * 17
"""The actions for which DeepMind leaves room for each power."""


@pytest.fixture(scope="module")
def played() -> tuple[list[Any], list[Any], list[Any]]:
    """Ten phases, as the reference files have them: observations, legal actions, what the agents chose and said beside."""
    state, random = DiplomacyState(), Random(1)
    observations, legal, actions = list[Any](), list[Any](), list[Any]()
    for _ in range(10):
        seen, listed = state.observation(), state.legal_actions()
        of = {"board": seen.board, "build_numbers": seen.build_numbers, "last_actions": seen.last_actions}
        observations.append(OrderedDict(season=seen.season.value, **of))
        padded = numpy.zeros((7, DEEPMINDS), numpy.int64)
        for row, possible in zip(padded, listed, strict=True):
            row[: len(possible)] = possible
        legal.append(padded)
        chosen = [random.sample(possible, min(len(possible), 9)) for possible in listed]
        actions.append((chosen, {"values": numpy.zeros(7)}))
        state.step(chosen)
    return observations, legal, actions


@pytest.fixture
def folder(tmp_path: Path, played: tuple[list[Any], list[Any], list[Any]]) -> Path:
    for name, contents in zip(GAME, played, strict=True):
        (tmp_path / name).write_bytes(pickle.dumps(contents))
    return tmp_path


def test_the_game_of_the_files_is_played_again(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(folder)]) == 0
    assert capsys.readouterr().err.endswith("OK\n")


def _other_board(files: dict[str, Any]) -> None:
    files["observations.npz"][3]["board"][7, 0] ^= 1


def _other_numbers(files: dict[str, Any]) -> None:
    files["observations.npz"][3]["build_numbers"][2] = -5


def _other_actions(files: dict[str, Any]) -> None:
    files["legal_actions.npz"][3][2, 0] += 1 << 48


def _other_order(files: dict[str, Any]) -> None:
    row = files["legal_actions.npz"][3][0]
    row[:2] = row[1::-1].copy()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (_other_board, "feature 0: "),
        (_other_numbers, "build numbers are ["),
        (_other_actions, "legal actions of FRANCE: legal there alone"),
        (_other_order, "legal actions of AUSTRIA: in another order"),
    ],
)
def test_a_difference_is_told_with_its_phase(
    folder: Path, change: Callable[[dict[str, Any]], None], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {name: pickle.loads((folder / name).read_bytes()) for name in GAME}
    files["legal_actions.npz"] = [rows.copy() for rows in files["legal_actions.npz"]]
    change(files)
    for name, contents in files.items():
        (folder / name).write_bytes(pickle.dumps(contents))
    assert main([str(folder)]) == 1
    said = capsys.readouterr().err
    assert told in said
    assert "M differs" in said or "A differs" in said or "R differs" in said


def test_without_the_files_it_says_where_they_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main([str(tmp_path)])
    assert "download https://storage.googleapis.com/dm-diplomacy/observations.npz" in capsys.readouterr().err


class Harmful:
    def __reduce__(self) -> tuple[Callable[..., Any], tuple[str]]:
        return eval, ("1 + 1",)


def test_what_a_pickle_names_beside_arrays_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for contents in (pickle.dumps([Harmful()]), b"no pickle", b""):
        (folder / "observations.npz").write_bytes(contents)
        with pytest.raises(SystemExit, match="2"):
            main([str(folder)])
        assert "observations.npz is no file of base types and arrays" in capsys.readouterr().err


def test_what_dill_writes_is_read() -> None:
    """Dill has a function of its own that makes arrays, and one that names types."""
    find = deepmind_observation_test.Reader(BytesIO()).find_class
    made = find("dill._dill", "_create_array")
    array = numpy.arange(6).reshape(2, 3)
    reduced: Any = array.__reduce__()
    assert (made(*reduced, None) == array).all()
    assert find("dill._dill", "_load_type")("list") is list


@pytest.fixture
def _modules_as_before() -> Iterator[None]:
    """Forget the modules of a checkout that a test brings."""
    before = {name: module for name, module in sys.modules.items() if name.partition(".")[0] == "diplomacy"}
    yield
    for name in [name for name in sys.modules if name.partition(".")[0] == "diplomacy"]:
        del sys.modules[name]
    sys.modules.update(before)


OWN_TEST = """
import unittest
class ObservationTest(unittest.TestCase):
    def test_fixed_play(self):
        assert len(self.get_reference_observations()) == len(self.get_actions_outputs()) == 10
        assert self.get_diplomacy_state().observation() == "theirs"
"""


@pytest.mark.usefixtures("_modules_as_before")
def test_deepminds_own_test_runs_where_there_is_a_checkout(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A checkout of the same form: modules that import each other as `diplomacy`."""
    checkout = tmp_path / "checkout"
    for name, text in (
        ("tests/observation_test.py", OWN_TEST),
        ("environment/observation_utils.py", "Season, Observation = int, lambda *of: 'theirs'\n"),
        ("network/parameter_provider.py", "import jax_is_missing\n"),
    ):
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        (checkout / name).write_text(text, encoding="utf-8")
    asked = [str(folder), "--deepmind", str(checkout)]
    with pytest.raises(SystemExit, match="2"):
        main(asked)
    assert "DeepMind's test needs jax_is_missing: pip install -r" in capsys.readouterr().err
    (checkout / "network/parameter_provider.py").write_text("", encoding="utf-8")
    assert main(asked) == 0
    with pytest.raises(SystemExit, match="2"):
        main([str(folder), "--deepmind", str(tmp_path)])
    assert "is no checkout of https://github.com/google-deepmind/diplomacy" in capsys.readouterr().err
