"""What `search`, `prove`, `lines` and `guarantee` show is read off their documents, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec
import pytest

from satjudge.apps.cli import run
from satjudge.apps.cli.output import show
from satjudge.notation.bundled_cases import find_bundled_case
from satjudge.notation.documents import Cases
from satjudge.search.documents.proofs import GuaranteeCase, LinesDocument, ProveCase
from satjudge.search.documents.search import SearchDocument
from satjudge.show.layout import Part
from satjudge.show.searches import iter_found_lines, iter_line_text, iter_search_text, iter_wish_text
from satjudge.world.geography import load_map


def searched(document: bytes, _: str) -> Iterable[Part]:
    return iter_search_text(msgspec.json.decode(document, type=SearchDocument), load_map())


def proved(document: bytes, line: str) -> Iterator[Part]:
    for case in msgspec.json.decode(document, type=Cases[ProveCase]).cases:
        yield from iter_line_text(find_bundled_case(line.partition(":")[2], "line"), case, 0)


def lined(document: bytes, _: str) -> Iterable[Part]:
    return iter_found_lines(msgspec.json.decode(document, type=LinesDocument))


def wished(document: bytes, _: str) -> Iterator[Part]:
    sheet = find_bundled_case("6.F.14")
    for case in msgspec.json.decode(document, type=Cases[GuaranteeCase]).cases:
        yield from iter_wish_text(sheet.heading, case, sheet.board, 0)


RENDERED: dict[str, Any] = {"search": searched, "prove": proved, "lines": lined, "guarantee": wished}
RUNS = [
    ("search", "paradox", "--region", "BRE ENG LON WAL"),
    ("search", "differs:1982,datc-3", "--region", "BRE ENG LON WAL PIC"),
    ("search", "no-resolution", "--region", "BRE ENG LON WAL", "--board", "datc:6.F.17", "--set", "4.A.2=none"),
    (
        "search",
        "paradox",
        "--region",
        "BRE ENG LON WAL",
        "--rules",
        "1982",
        "--set",
        "4.A.2=none",
        "--set",
        "4.A.2.fallback=unresolved",
    ),
    ("search", "count(unit:UNIT) = 1", "--region", "BEL", "--all"),
    ("search", "not dislodged:ENG", "--board", "datc:6.F.14"),
    ("prove", "line:walker-1"),
    ("prove", "line:beshera-1", "--cheapest", "--redundant", "--repair", "--reorder"),
    ("prove", "line:lipton-dynamic"),
    ("prove", "line:walker-1", "--fleets", "3", "--out", "Germany", "--without", "F BLA"),
    ("lines", "protect:STP,NWY", "--region", "STP NWY SWE FIN"),
    ("guarantee", "take ENG", "datc:6.F.14", "--power", "England"),
    ("guarantee", "take LON", "datc:6.F.14", "--power", "France", "--seasons", "1", "--odds"),
    ("guarantee", "keep LON", "datc:6.F.14", "--power", "England, France", "--keep-orders"),
    pytest.param(("lines", "centers=3", "--count", "2"), marks=pytest.mark.slow),
]


@pytest.mark.parametrize("arguments", RUNS, ids=" ".join)
def test_what_is_shown_is_read_off_the_document(arguments: tuple[str, ...], capfd: pytest.CaptureFixture[str]) -> None:
    code = run([*arguments, "--json"])
    document = capfd.readouterr().out.encode()
    show(*RENDERED[arguments[0]](document, arguments[1]))
    rendered = capfd.readouterr().out
    assert run([*arguments]) == code
    assert untimed(capfd.readouterr().out) == untimed(rendered)


def test_what_explains_an_answer_names_the_rulebook_as_it_was_asked_for(capfd: pytest.CaptureFixture[str]) -> None:
    silent = "4.A.2=none", "4.A.2.fallback=unresolved"
    run(["search", "paradox", "--region", "BRE ENG LON WAL", "--rules", "1982", *(f"--set={one}" for one in silent)])
    assert f"Unresolved: 1982 with {', '.join(silent)} has no answer" in capfd.readouterr().out


def test_an_answer_tells_of_a_core_once(capfd: pytest.CaptureFixture[str]) -> None:
    """Each order of a ring has the same reason; where resolutions say different things of orders, each is told."""
    run(["search", "several-resolutions", "--region", "BUR PIC BEL"])
    told = capfd.readouterr().out
    assert len(re.findall(r"its core \(.*\) has 2 resolutions: in 1 it succeeds, in 1 it fails", told)) == 1
    assert len(re.findall(r"succeeds by the rule for circular movement \[5\.B\.9, 6\.C\]", told)) == 2
    run(["search", "paradox and several-resolutions", "--region", "BRE ENG LON WAL"])
    told = capfd.readouterr().out
    assert told.count("its core (") == 1
    assert told.count("its core has 2 resolutions: in 1 it ") >= 1


def untimed(text: str) -> str:
    return re.sub(r"[\d.]+ s\b", "… s", text)
