"""Lists the oracles that come with satjudge, and connects to oracles, which may also be Python functions or commands."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sys
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from satjudge.base.errors import NotFoundError, OracleError, OracleSkipError, RequestError, UnresolvedError
from satjudge.base.imports import install_line
from satjudge.base.platforms import words_of
from satjudge.base.values import brief
from satjudge.engines.comparison import Depth, PhaseOrders, answer_from_outcome
from satjudge.engines.connections.process_oracle import ProcessOracle, list_first_positions
from satjudge.files.dialects import OURS, Meanings, load_dialect
from satjudge.judging.judge import judge_phase
from satjudge.judging.solve import Engine
from satjudge.oracles.oracle import Answer, Oracle, check_answer
from satjudge.world.board import Board, Phase
from satjudge.world.geography import Map, load_map
from satjudge.world.rules import DEFAULT_RULES, Rulebook, load_preset, preset_names

TIMEOUT = 10.0
RAISED = "raised "
"""The prefix of kinds of `OracleError` for what a Python function raised."""
_EXPECTED = "the page “What an engine is asked” of the documentation, docs/reference/asked-engines.md, explains the format"
_FUNCTION_TAKES = "the function takes a board and the orders of each power, and returns a `satjudge.crosscheck.Answer`"
_FUNCTION = re.compile(r"(?P<module>[A-Za-z_][\w.]*):(?P<function>[A-Za-z_]\w*)")


class Maps(StrEnum):
    """The kinds of maps that an oracle supports."""

    STANDARD = "the standard map"
    PLAIN = "maps without rules of their own"
    ALL = "every map"

    def includes(self, game_map: Map) -> bool:
        """Return whether a map is of this kind; False for maps with rules beyond tables of units and orders."""
        if game_map.beyond_tables:
            return False
        return self is Maps.ALL or game_map.is_standard or (self is Maps.PLAIN and not game_map.own_rules)


@dataclass(frozen=True, slots=True)
class NamedOracle:
    """An oracle that comes with satjudge.

    `rules` is the rulebook that it follows, and `package` the Python package that it needs.
    """

    name: str
    module: str
    about: str
    rules: str = DEFAULT_RULES
    depth: Depth = Depth.VERDICTS
    package: str | None = None
    maps: Maps = Maps.PLAIN

    def load(self) -> Oracle:
        """Import the oracle's module, and return its function `judge`.

        Raises `NotFoundError` if the package is missing.
        """
        if self.package and find_spec(self.package) is None:  # not imported, as it may have to run in a separate process
            hint = install_line(self.package)
            raise NotFoundError(f"the oracle {self.name} needs the package {self.package}", suggestion=hint)
        oracle: Oracle = import_module(self.module).judge
        return oracle


_OWN = "satjudge.oracles"
ORACLES = {
    oracle.name: oracle
    for oracle in (
        NamedOracle("kruijswijk-partial", f"{_OWN}.kruijswijk_partial", "the partial information algorithm of DATC 5.E"),
        NamedOracle("kruijswijk-guess", f"{_OWN}.kruijswijk_guess", "the guess algorithm of DATC 5.F"),
        NamedOracle(
            "kruijswijk-variants",
            f"{_OWN}.kruijswijk_variants",
            "the rules of DATC 2.4, with railroad, canal, ice, convoying coasts and difficult borders",
            rules="datc-2",
            maps=Maps.ALL,
        ),
        NamedOracle("guide-1998", f"{_OWN}.guide_1998", "the procedure of the Player's Technical Guide", rules="guide-1998"),
        NamedOracle(
            "diplomacy",
            "satjudge.engines.connections.diplomacy_package",
            "the `diplomacy` package, in a process of its own",
            package="diplomacy",
            maps=Maps.STANDARD,
        ),
    )
}
ENGINES = {f"satjudge-{engine}": engine for engine in (Engine.STAGED, Engine.FULL)}
"""Satjudge's own engines by name, for trying out campaigns."""


def is_shipped(against: str) -> bool:
    """Return whether `against` is the name of an oracle, engine or rulebook that comes with satjudge."""
    return against in ORACLES or against in ENGINES or against in preset_names()


def get_phases(against: str) -> frozenset[Phase]:
    """Return the phases that an opponent judges: movement phases for satjudge's named oracles, all for anything else."""
    return frozenset({Phase.MOVEMENT} if against in ORACLES else Phase)


@dataclass(frozen=True, slots=True)
class Contact:
    """The way to reach an oracle, and its limits."""

    against: str
    """The name of an oracle, an engine or a rulebook, `module:function`, or a command with its arguments."""
    rulebook: Rulebook
    """The rulebook under which a command is asked to judge."""
    dialect: str = OURS
    timeout: float = TIMEOUT
    """The time limit for a command's answers, in seconds."""
    restarts: int = 100
    """The number of successive failures after which a command is lost."""
    startup_timeout: float | None = None
    """The time limit for a new process's first answer, in seconds; None for `timeout`."""
    memory: int | None = None
    """The memory that a command may use with all its children, in MiB; None for no limit."""
    function: Oracle | None = None
    """The function that judges, if it is given directly; `against` is then only its name."""

    __repr__ = brief

    @property
    def words(self) -> Meanings:
        """The dictionary of the oracle's dialect: the DATC's verdicts that each of its words can mean."""
        return load_dialect(self.dialect).words

    @property
    def is_ours(self) -> bool:
        """True if the opponent is an oracle, engine or rulebook that comes with satjudge."""
        return is_shipped(self.against)

    @property
    def own_rulebook(self) -> Rulebook | None:
        """The opponent's rulebook if the opponent is satjudge under another rulebook, else None."""
        return load_preset(self.against) if self.against in preset_names() else None

    @property
    def fingerprint(self) -> str:
        """A checksum over the engine's program and argument files, or its Python module; "" if it comes with satjudge."""
        if self.is_ours:
            return ""
        if match := _FUNCTION.fullmatch(self.against):
            origin = getattr(import_module(match["module"]), "__file__", None)
            files = [Path(origin)] if origin else []
        else:
            program, *arguments = _split_command(self.against)
            files = [Path(shutil.which(program) or program), *map(Path, arguments)]
        digest = hashlib.sha256()
        for file in files:
            with suppress(OSError, ValueError):  # most arguments are not files
                digest.update(file.read_bytes() if file.is_file() else b"")
        return digest.hexdigest()[:16]

    def connect(self) -> Oracle:
        """Connect to the oracle, once per process, and return the function that judges.

        Raises `NotFoundError`.
        """
        return self.function or _connect_oracle(self)

    def ask(self, board: Board, orders: PhaseOrders) -> Answer:
        """Ask the oracle about a position, and return its checked answer.

        Raises `OracleError` for every failure, `OracleSkipError`, and `UnresolvedError` only for oracles of satjudge.
        """
        try:
            return check_answer(self.connect()(board, orders), orders)
        except (OracleError, OracleSkipError):
            raise
        except NotImplementedError as error:  # how a Python oracle skips a position
            raise OracleSkipError(str(error)) from None
        except Exception as error:  # any error in an oracle is a finding
            if isinstance(error, UnresolvedError) and self.is_ours:
                raise
            raise OracleError(f"{RAISED}{type(error).__name__}", str(error)) from error

    def restart(self, *, only_after_failure: bool = False) -> None:
        """End the command's process, so that the next question starts a new one; optionally, only after a failure."""
        oracle = self.connect()
        if isinstance(oracle, ProcessOracle) and (oracle.failures or not only_after_failure):
            oracle.start_anew()

    def check_phases(self, phases: Iterable[Phase]) -> None:
        """Raise `RequestError` if the oracle does not judge one of the phases."""
        if others := sorted(set(phases) - get_phases(self.against)):
            raise RequestError(f"{self.against} judges only movement phases, not {', '.join(others)}")

    def check_maps(self, maps: Iterable[Map]) -> None:
        """Raise `RequestError` if the oracle does not support one of the maps."""
        oracle = ORACLES.get(self.against)
        for game_map in maps if oracle else ():
            if oracle and not oracle.maps.includes(game_map):
                has = game_map.own_rules if oracle.maps is Maps.PLAIN or game_map.beyond_tables else {}
                message = f"{oracle.name} supports only {oracle.maps}, not {game_map.name}"
                others = ", ".join(other.name for other in ORACLES.values() if other.maps.includes(game_map))
                raise RequestError(
                    message + (f", which has {', '.join(has)}" if has else ""),
                    suggestion=f"these oracles do: {others}" if others else "satjudge-staged and satjudge-full do",
                )

    def probe_depth(self, game_map: Map | None = None) -> Depth:
        """Return the deepest comparison that the oracle supports, which an external engine's answer to a first position shows.

        Raises `InputError` if the oracle cannot be used.
        """
        oracle = self.connect()
        if self.is_ours:
            return ORACLES[self.against].depth if self.against in ORACLES else Depth.VERDICTS
        program = oracle if isinstance(oracle, ProcessOracle) else None
        try:
            return program.probe_depth(game_map) if program else self._probe_function(game_map)
        except OracleSkipError as error:
            hint = "some of them may be skipped, but not all, because an answer shows how much the engine reports"
            raise RequestError(f"{self.against!r} skips the first questions: {error}", suggestion=hint) from None
        except OracleError as error:
            message = f"{self.against!r} does not answer the first question correctly: {error}"
            raise RequestError(message, suggestion=_EXPECTED if program else f"{_FUNCTION_TAKES}; {_EXPECTED}") from None

    def _probe_function(self, game_map: Map | None) -> Depth:
        """Ask a Python function about the first positions, and return the depth of its answer, or VERDICTS if it skips them.

        Raises `OracleError`.
        """
        for position in list_first_positions(game_map or load_map()):
            with suppress(OracleSkipError):
                answer = self.ask(*position)
                if answer.verdicts or not answer.units:
                    return Depth.VERDICTS
                return Depth.DISLODGEMENTS if answer.dislodged else Depth.POSITIONS
        return Depth.VERDICTS


@cache
def _connect_oracle(contact: Contact) -> Oracle:
    if contact.against in ORACLES:
        return ORACLES[contact.against].load()
    if contact.against in ENGINES:
        return partial(_judge_position, contact.rulebook, ENGINES[contact.against])
    if rulebook := contact.own_rulebook:
        return partial(_judge_position, rulebook, Engine.STAGED)
    if match := _FUNCTION.fullmatch(contact.against):
        return _import_function(match["module"], match["function"])
    dialect = load_dialect(contact.dialect)
    return ProcessOracle(
        _split_command(contact.against), dialect, rules=contact.rulebook.name, timeout=contact.timeout,
        restarts=contact.restarts, startup_timeout=contact.startup_timeout, memory=contact.memory,
    )  # fmt: skip


def _import_function(module: str, name: str) -> Oracle:
    """Import and return a Python function that judges; modules in the working directory can be imported.

    Raises `NotFoundError`.
    """
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        oracle: Oracle = getattr(import_module(module), name)
    except ModuleNotFoundError as error:
        raise NotFoundError(f"there is no module {error.name}", suggestion="run satjudge in its folder") from None
    except AttributeError:
        raise NotFoundError(f"there is no function {name} in {module}") from None
    return oracle


def _split_command(against: str) -> list[str]:
    """Split a command line into its program and arguments.

    Raises `InputError` if the program cannot be run.
    """
    try:
        command = words_of(against)
    except ValueError as error:
        raise RequestError(f"cannot read the command {against!r}: {error}") from None
    if command and Path(command[0]).is_file() and not os.access(command[0], os.X_OK):
        hint = f"chmod +x {command[0]}, or name the program that runs it first, as in 'node {command[0]}'"
        raise RequestError(f"the file {command[0]} is not executable", suggestion=hint)
    if not command or shutil.which(command[0]) is None:
        known = ", ".join((*ORACLES, *ENGINES))
        hint = f"oracles are {known}; or name a rulebook, a program, or a Python function as module:function"
        raise NotFoundError(f"there is no oracle and no program {against!r}", suggestion=hint)
    return command


def _judge_position(rulebook: Rulebook, engine: Engine, board: Board, orders: PhaseOrders) -> Answer:
    """Judge a position with one of satjudge's own engines, and return the outcome as an answer."""
    return answer_from_outcome(judge_phase(board, orders, rulebook=rulebook, engine=engine))
