"""Runs DeepMind's `observation_test` by satjudge, on the reference files that DeepMind gives out.

    python benchmarks/studies/deepmind_observation_test.py FOLDER
    python benchmarks/studies/deepmind_observation_test.py FOLDER --deepmind CHECKOUT

FOLDER has the files `observations.npz`, `legal_actions.npz` and `actions_outputs.npz`, to which DeepMind's README links. The
game in them is played again, and each observation and all legal actions must be the same. With a checkout of
google-deepmind/diplomacy its own test does that. Where `sl_params.npz` and `step_outputs.npz` are in FOLDER as well, its
network plays, too. The exit status is 1 if anything differs.
"""

from __future__ import annotations

import argparse
import pickle
import sys
import unittest
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy

from satjudge.env.deepmind import DiplomacyState

ADDRESS = "https://storage.googleapis.com/dm-diplomacy/"
GAME = ("observations.npz", "legal_actions.npz", "actions_outputs.npz")
"""The files of a game that was played."""
NETWORK = ("sl_params.npz", "step_outputs.npz")
"""The files of the network that played it."""
SHOWN = 5
"""The most differences of a part that are shown."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the test; return the exit status."""
    parser = argparse.ArgumentParser(
        prog="python benchmarks/studies/deepmind_observation_test.py",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path, help="the folder of the reference files")
    parser.add_argument(
        "--deepmind", type=Path, metavar="CHECKOUT", help="run the test of this checkout of DeepMind's repository"
    )
    parser.add_argument("--rules", metavar="RULEBOOK", help="the rulebook by which the game is judged (datc-3)")
    asked = parser.parse_args(arguments)
    missing = [name for name in GAME if not (asked.folder / name).is_file()]
    if missing:
        parser.error(f"{asked.folder} has no {', '.join(missing)}: download {', '.join(ADDRESS + name for name in missing)}")
    try:
        suite = theirs(asked.deepmind, asked.folder, asked.rules) if asked.deepmind else ours(asked.folder, asked.rules)
    except (ImportError, pickle.UnpicklingError) as error:
        parser.error(str(error))
    return int(not unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful())


# ---- the files ----


class Reader(pickle.Unpickler):
    """Reads base types and arrays out of a pickle, and refuses any other name."""

    def find_class(self, module: str, name: str) -> Any:  # noqa: ANN401  # a class or a function
        """Find what a pickle names.

        Raises `UnpicklingError` for anything but base types and what makes arrays.
        """
        if module == "dill._dill" and name in _BY_DILL:
            return _BY_DILL[name]
        if (module, name) not in _NAMED and not (module == "builtins" and name in _BASE_TYPES):
            raise pickle.UnpicklingError(f"it names {module}.{name}, which is neither a base type nor an array")
        return super().find_class(module, name)


def _made_array(make: Callable[..., Any], made_of: tuple[Any, ...], state: Any, attributes: Any = None) -> Any:  # noqa: ANN401
    """Make an array as `dill` writes it; one has no attributes of its own."""
    found = make(*made_of)
    found.__setstate__(state)
    return found


_BASE_TYPES = {kind.__name__: kind for kind in (bool, bytes, complex, dict, float, frozenset, int, list, set, str, tuple)}
_NAMED = {
    ("collections", "OrderedDict"), ("_codecs", "encode"), ("numpy", "ndarray"), ("numpy", "dtype"),
    *((f"numpy.{core}.multiarray", name) for core in ("core", "_core") for name in ("_reconstruct", "scalar")),
    *((f"numpy.{core}.numeric", "_frombuffer") for core in ("core", "_core")),
}  # fmt: skip
"""What arrays are made of, by module and name, in old and new versions of numpy."""
_BY_DILL: dict[str, Callable[..., Any]] = {"_create_array": _made_array, "_load_type": _BASE_TYPES.__getitem__}
"""What files name that `dill` wrote."""


def contents_of(path: Path) -> Any:  # noqa: ANN401  # what DeepMind put there
    """Read a reference file.

    Raises `UnpicklingError` for what is none.
    """
    try:
        with path.open("rb") as file:
            return Reader(file).load()
    except (pickle.UnpicklingError, EOFError, ValueError, TypeError, IndexError) as error:
        raise pickle.UnpicklingError(f"{path} is no file of base types and arrays: {error}") from None


# ---- played here ----


def ours(folder: Path, rules: str | None = None) -> unittest.TestSuite:
    """Make the test that plays the game again, without anything of DeepMind's."""
    observations, legal, actions = (contents_of(folder / name) for name in GAME)

    class FixedPlay(unittest.TestCase):
        """The game of the reference files, phase by phase."""

        def test_fixed_play(self) -> None:
            """Play the actions of the files; observations and legal actions are theirs."""
            state = DiplomacyState(rules)
            for observation, padded, given in zip(observations, legal, actions, strict=False):
                if told := differences(state, observation, padded):
                    self.fail("\n".join([f"{state.games.name_of(0)} differs", *told]))
                state.step([[int(action) for action in of or ()] for of in given[0]])

    return unittest.TestSuite([FixedPlay("test_fixed_play")])


def differences(state: DiplomacyState, observation: Mapping[str, Any], padded: Any) -> list[str]:  # noqa: ANN401  # an array
    """List in words how a phase differs from what the files say of it."""
    seen, names = state.observation(), state.numbering.areas
    found = []
    if int(observation["season"]) != seen.season.value:
        found.append(f"the season is {int(observation['season'])} there, {seen.season.value} here")
    board = numpy.asarray(observation["board"])
    cells = [] if board.shape != seen.board.shape else numpy.argwhere(board != seen.board).tolist()
    if board.shape != seen.board.shape:
        found.append(f"the board has the shape {board.shape} there, {seen.board.shape} here")
    found += [f"{names[area]}, feature {feature}: {board[area, feature]} there" for area, feature in cells[:SHOWN]]
    if (numbers := [int(due) for due in observation["build_numbers"]]) != seen.build_numbers.tolist():
        found.append(f"build numbers are {numbers} there, {seen.build_numbers.tolist()} here")
    if sorted(map(int, observation["last_actions"])) != sorted(seen.last_actions):
        found.append("the last actions are others")
    for power, (row, mine) in enumerate(zip(padded, state.legal_actions(), strict=True)):
        listed = [int(action) for action in row if action]
        if listed != mine:
            there, here = sorted(set(listed) - set(mine)), sorted(set(mine) - set(listed))
            what = f"legal there alone: {there[:SHOWN]}, here alone: {here[:SHOWN]}" if there or here else "in another order"
            found.append(f"legal actions of {state.games.vocabulary.powers[power]}: {what}")
    return found


# ---- DeepMind's own test ----


def theirs(checkout: Path, folder: Path, rules: str | None = None) -> unittest.TestSuite:
    """Make DeepMind's own test, out of a checkout of its repository.

    Raises `ImportError` where there is none, or where something is missing that it needs.
    """
    if not (checkout / "tests" / "observation_test.py").is_file():
        raise ImportError(f"{checkout} is no checkout of https://github.com/google-deepmind/diplomacy")
    package = ModuleType("diplomacy")  # its modules import each other by this name, whatever the folder is called
    package.__path__ = [str(checkout)]
    sys.modules["diplomacy"] = package
    try:
        test, utils, parameters = (
            import_module(f"diplomacy.{name}")
            for name in ("tests.observation_test", "environment.observation_utils", "network.parameter_provider")
        )
    except ModuleNotFoundError as error:
        raise ImportError(
            f"DeepMind's test needs {error.name}: pip install -r {checkout / 'requirements.txt'}, or newer versions of what is "
            "named there; without --deepmind the game is played again without it"
        ) from None
    game = {name: partial(contents_of, folder / name) for name in (*GAME, "step_outputs.npz")}

    def provider(_test: unittest.TestCase) -> Any:  # noqa: ANN401  # DeepMind's
        with (folder / "sl_params.npz").open("rb") as file:
            return parameters.ParameterProvider(file)

    def asked(name: str) -> Callable[[unittest.TestCase], Any]:
        return lambda _test: game[name]()

    case: Any = type(
        "ObservationTest",
        (test.ObservationTest,),
        {
            "get_diplomacy_state": lambda _test: DiplomacyState(rules, utils=utils),
            "get_parameter_provider": provider,
            "get_reference_observations": asked("observations.npz"),
            "get_reference_legal_actions": asked("legal_actions.npz"),
            "get_reference_step_outputs": asked("step_outputs.npz"),
            "get_actions_outputs": asked("actions_outputs.npz"),
        },
    )
    plays = all((folder / name).is_file() for name in NETWORK)
    return unittest.TestSuite([case("test_fixed_play"), *([case("test_network_play")] if plays else [])])


if __name__ == "__main__":
    sys.exit(main())
