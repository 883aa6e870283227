"""Turns the questions of the kit into tests, and asks an engine each question; `pytest_satjudge` loads this module."""

from __future__ import annotations

import shlex
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

import msgspec
import pytest

from satjudge.apps import pytest_suite as suite
from satjudge.base.errors import InputError, OracleLostError, OracleSkipError
from satjudge.engines.campaign import Campaign, make_campaign
from satjudge.engines.connections.process_oracle import ProcessOracle
from satjudge.engines.connections.registry import TIMEOUT, Contact
from satjudge.engines.documents.conformance import EXPECTED
from satjudge.engines.kit.parts import PARTS, KitQuestion
from satjudge.engines.kit.run import (
    AGREED,
    ASKED_OTHERWISE,
    EXPLAINED,
    NOT_ASKED,
    AskedQuestion,
    Expected,
    ask_question,
    find_first_contradictions,
    is_expected,
    read_expected,
    read_position,
    set_part_depth,
)
from satjudge.engines.positions import ListedPositions
from satjudge.files.dialects import OURS
from satjudge.judging.solve import Engine
from satjudge.oracles.oracle import Answer
from satjudge.show.engines import format_finding
from satjudge.world.rules import DEFAULT_RULES, load_rulebook

MARKER = "satjudge"
SUITE = "satjudge"
"""The name used instead of a file in the IDs of tests that are in no file of the user."""
CONDUCT = "conduct-asked otherwise"
"""The name of the test that checks that the engine does not contradict itself."""


@dataclass(frozen=True)
class Settings:
    """The settings of a test: the parts of the kit to ask, the rulebook, the dialect and the time limit."""

    parts: tuple[str, ...] = ()
    rules: str | None = None
    settings: tuple[str, ...] = ()
    dialect: str = OURS
    timeout: float = TIMEOUT


def find_settings(node: pytest.Item, config: pytest.Config) -> Settings:
    """Return the settings of a test, each from its marker or else from the command line; raise `pytest.UsageError`."""
    options = {
        "parts": tuple(config.getoption("satjudge_part")),
        "rules": config.getoption("satjudge_rules"),
        "settings": tuple(config.getoption("satjudge_set")),
        "dialect": config.getoption("satjudge_dialect"),
        "timeout": config.getoption("satjudge_timeout"),
    }
    marker = node.get_closest_marker(MARKER)
    marked: Mapping[str, Any] = marker.kwargs if marker else {}
    known = [field.name for field in fields(Settings)]
    if (marker and marker.args) or marked.keys() - set(known):
        raise pytest.UsageError(f"the marker {MARKER} accepts only the keywords {', '.join(known)}")
    lists = {name: (value,) if isinstance(value, str) else tuple(value) for name, value in marked.items() if name in LISTS}
    chosen = Settings(**{name: value for name, value in options.items() if value is not None} | {**marked, **lists})
    if unknown := [name for name in chosen.parts if name not in PARTS]:
        raise pytest.UsageError(f"there is no part {unknown[0]!r} of the kit; the parts are {', '.join(PARTS)}")
    return chosen


LISTS = ("parts", "settings")
"""The settings that may have several values."""

# ---- the tests ----


def parametrise(metafunc: pytest.Metafunc) -> None:
    """Parametrise a test with the chosen parts' questions (`PART-QUESTION`) and, for some parts, a check for contradictions."""
    chosen = find_settings(metafunc.definition, metafunc.config)
    names = [name for name, part in PARTS.items() if (name in chosen.parts if chosen.parts else part.usual)]
    questions: list[tuple[str, KitQuestion | None]] = [(name, question) for name in names for question in make_questions(name)]
    if set(names) & set(ASKED_OTHERWISE):
        questions.append((CONDUCT, None))
    ids = [_format_test_name(name, question) if question else name for name, question in questions]
    metafunc.parametrize("satjudge_question", questions, ids=ids, indirect=True)


def _format_test_name(part: str, question: KitQuestion) -> str:
    """Return the name of a question's test: `PART-QUESTION`, or the question's name if it already begins with the part."""
    return question.name if question.name.startswith(part) else f"{part}-{question.name}"


def read_expected_differences(config: pytest.Config) -> Expected:
    """Return the expected differences in the file of `--satjudge-expect`, or none; raise `pytest.UsageError`."""
    path = config.getoption("satjudge_expect")
    try:
        return _read_once(path) if path else {}
    except InputError as error:
        raise pytest.UsageError(str(error)) from None


@cache
def _read_once(path: str) -> Expected:
    return read_expected(Path(path))


@cache
def make_questions(part: str) -> tuple[KitQuestion, ...]:
    """Return the questions of a part of the kit."""
    return tuple(PARTS[part].make())


def collect_tests(session: pytest.Session) -> Iterator[pytest.Item]:
    """Yield the tests of the module `pytest_suite`, one for each question."""
    module: pytest.Module = pytest.Module.from_parent(session, path=Path(suite.__file__), nodeid=SUITE)
    for item in session.genitems(module):
        assert isinstance(item, pytest.Item)
        yield item


# ---- asking ----


class KitCheck:
    """A question of the kit together with the engine to ask."""

    def __init__(self, part: str, question: KitQuestion | None, engine: _Engine, node: pytest.Item) -> None:
        self.part = part
        self.question = question
        """None for the test that checks that the engine does not contradict itself."""
        self._engine = engine
        self._node = node

    def __repr__(self) -> str:
        return f"<question {self._node.name}>"

    def check(self) -> None:
        """Ask the engine; fail the test if the answer differs from satjudge's (xfail if expected), skip it if not compared."""
        __tracebackhide__ = True
        try:
            result = self._ask_question()
        except OracleLostError as error:
            _stop_tests(self._node, f"the engine was lost: {error.message}")
        expected = read_expected_differences(self._node.config)
        if result.finding and is_expected(result.finding, expected):
            pytest.xfail(f"{EXPECTED}: {expected[result.question].because or 'no reason given'}")
        if result.question in expected and result.why == AGREED:
            warnings.warn(f"{result.question} is answered correctly, but the file of --satjudge-expect lists it", stacklevel=2)
        if result.finding:
            again = (
                result.finding.again
                if self._node.nodeid.startswith(f"{SUITE}::")
                else f"pytest {shlex.quote(self._node.nodeid)}"
            )
            text = format_finding(msgspec.structs.replace(result.finding, again=again))
            pytest.fail("\n\n".join((text, *self._engine.raised)), pytrace=False)
        if result.why.startswith(EXPLAINED):
            pytest.xfail(result.why)
        if not result.is_compared:
            pytest.skip(result.why)

    def _ask_question(self) -> AskedQuestion:
        campaign = self._engine.campaign
        self._engine.raised.clear()
        if self.question is None:
            return self._find_contradictions()
        position = read_position(campaign.contact.against, self.question.question_line)
        if position is None:
            return AskedQuestion(self.question.name, "", NOT_ASKED)
        return ask_question(set_part_depth(campaign, self.part), self.part, position)

    def _find_contradictions(self) -> AskedQuestion:
        for part in ASKED_OTHERWISE:
            for one in find_first_contradictions(
                self._engine.campaign, [question.question_line for question in make_questions(part)]
            ):
                pytest.fail(
                    f"{one.question} of the part {part} gets another answer if asked differently ({one.how}): {one.said}",
                    pytrace=False,
                )
        return AskedQuestion(CONDUCT, "", "agreed")


@dataclass(frozen=True)
class _Engine:
    """An engine, with the campaign by which its answers are compared."""

    campaign: Campaign
    raised: list[str]
    """The traceback of the error that a Python function raised at the last question, if any."""


_engines: dict[tuple[str | int, Settings], _Engine | str] = {}
"""The engines of this process by text or, for a function, by identity; for an unusable engine, the reason."""


def bind_question(request: pytest.FixtureRequest, engine: object) -> KitCheck:
    """Return a check of a test's question, with its engine (connected once a process); stop the run without a usable engine."""
    node, chosen = request.node, find_settings(request.node, request.config)
    if engine is None:
        _stop_tests(node, "there is no engine: define a fixture satjudge_engine, or name one with --satjudge-engine")
    key = engine if isinstance(engine, str) else id(engine), chosen
    if key not in _engines:
        try:
            _engines[key] = _connect_engine(engine, chosen)
        except InputError as error:
            _engines[key] = str(error)
    found = _engines[key]
    if isinstance(found, str):
        _stop_tests(node, found)
    part, question = request.param
    return KitCheck(part, question, found, node)


def _stop_tests(node: pytest.Item, reason: str) -> NoReturn:
    """Fail the test with a reason, and stop the run, because all other tests would fail in the same way."""
    node.session.shouldfail = f"satjudge: {reason}"
    pytest.fail(f"satjudge: {reason}", pytrace=False)


def _connect_engine(engine: object, settings: Settings) -> _Engine:
    """Connect an engine, and return it with its campaign; a program is tried with a first question.

    Raises `InputError`.
    """
    if callable(engine):
        rulebook = load_rulebook(settings.rules or DEFAULT_RULES).with_settings(settings.settings)
        name = f"{getattr(engine, '__module__', '')}:{getattr(engine, '__qualname__', type(engine).__name__)}"
        contact = Contact(name, rulebook, settings.dialect, function=engine)
        rules = settings.rules or DEFAULT_RULES
        campaign = Campaign(contact, ListedPositions(()), rules, settings.settings, contact.probe_depth(), Engine.STAGED)
    elif isinstance(engine, str):
        campaign = make_campaign(
            engine, ListedPositions(()), rules=settings.rules, settings=settings.settings, engine=Engine.STAGED,
            dialect=settings.dialect, timeout=settings.timeout, restarts=20,
        )  # fmt: skip
    else:
        raise pytest.UsageError(f"satjudge_engine must be a text or a function, not {engine!r:.80}")
    oracle = campaign.contact.connect()
    raised: list[str] = []
    if isinstance(oracle, ProcessOracle):
        return _Engine(campaign, raised)
    return _Engine(replace(campaign, contact=replace(campaign.contact, function=_record_errors(oracle, raised))), raised)


def _record_errors(judge: Callable[..., Answer], tracebacks: list[str]) -> Callable[..., Answer]:
    """Return a function that calls `judge`; an error that is no skip leaves its traceback as the only one in `tracebacks`."""

    def call_judge(*arguments: object) -> Answer:
        try:
            return judge(*arguments)
        except (NotImplementedError, OracleSkipError):
            raise
        except Exception:
            tracebacks[:] = [traceback.format_exc()]
            raise

    return call_judge
