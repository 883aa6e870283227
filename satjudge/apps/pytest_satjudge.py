"""Turns each question of satjudge's kit into a pytest test (docs/guides/conformance.md, "pytest").

pytest loads this module in every run on a machine where satjudge is installed. Therefore it imports nothing from satjudge until
a test needs a question; the package `satjudge` itself imports almost nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from satjudge.apps.pytest_plugin import KitCheck

ENGINE, QUESTION = "satjudge_engine", "satjudge_question"
"""The names of the fixtures."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options `--satjudge-…` to pytest."""
    group = parser.getgroup("satjudge", "the kit of satjudge: questions for an engine that adjudicates Diplomacy")
    many = {"action": "append", "default": []}
    group.addoption("--satjudge-engine", metavar="NAME|CMD", help="engine: a program, module:function, or an oracle")
    group.addoption("--satjudge-part", metavar="NAME", help="ask only this part of the kit; may be repeated", **many)
    group.addoption("--satjudge-rules", metavar="NAME|FILE.toml", help="rulebook that the engine plays by (default: datc-3)")
    group.addoption("--satjudge-set", metavar="ISSUE=VALUE", help="settle one issue differently; may be repeated", **many)
    group.addoption("--satjudge-dialect", metavar="NAME|FILE.toml", help="how the engine writes (default: satjudge)")
    group.addoption("--satjudge-expect", metavar="FILE.toml", help="accept the differences in this file")
    group.addoption(
        "--satjudge-timeout", metavar="SECONDS", type=float, help="seconds for an answer of a program (default: 10)"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker `satjudge` with pytest."""
    description = "settings for tests that use `satjudge_question`; they replace the options of the same names"
    config.addinivalue_line("markers", f"satjudge(parts, rules, settings, dialect, timeout): {description}")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Parametrise each test that uses the fixture `satjudge_question` with the questions of all chosen parts."""
    if QUESTION in metafunc.fixturenames:
        from satjudge.apps.pytest_plugin import parametrise

        parametrise(metafunc)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Add a test for each question if `--satjudge-engine` is given and no collected test uses questions."""
    if config.getoption("satjudge_engine") and not any(QUESTION in getattr(item, "fixturenames", ()) for item in items):
        from satjudge.apps.pytest_plugin import collect_tests

        items.extend(collect_tests(session))


@pytest.fixture(scope="session")
def satjudge_engine(pytestconfig: pytest.Config) -> object:
    """Return the engine: a function `judge(board, orders) -> Answer`, or a text as for `--against`; override this fixture."""
    return pytestconfig.getoption("satjudge_engine")


@pytest.fixture
def satjudge_question(request: pytest.FixtureRequest, satjudge_engine: object) -> KitCheck:
    """Return a question of the kit; its method `check()` asks the engine."""
    from satjudge.apps.pytest_plugin import bind_question

    return bind_question(request, satjudge_engine)
