"""What commands write as JSON: it is the encoded document, it validates against the schema in docs/schemas."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator, ValidationError

from satjudge.apps.cli import cli, run
from satjudge.bulk.census import Census
from satjudge.bulk.position_counts import Counted
from satjudge.engines.documents.campaigns import Crosscheck, Replay
from satjudge.engines.documents.conformance import Conformance
from satjudge.explain.compare import ComparedCase
from satjudge.explain.documents import BatchAnswer, Drawn, Judged, ResolutionLine, ResolvedCase
from satjudge.files.documents import (
    CheckedCases,
    CheckedMap,
    DescribedMap,
    ExplainedCase,
    ExportedLine,
    ListedMaps,
    Report,
    Rulebooks,
)
from satjudge.game.documents import GamePhase, GameReport, GameShown
from satjudge.notation.documents import Cases, dedent_descriptions
from satjudge.proofs.verify.checks import VerifiedFiles
from satjudge.search.documents.proofs import GuaranteeCase, LinesDocument, ProveCase
from satjudge.search.documents.search import Formulas, SearchDocument

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = ROOT / "docs" / "schemas"
DOCUMENTS: dict[str, Any] = {
    "batch": BatchAnswer,
    "census": Census,
    "check": CheckedCases,
    "compare": Cases[ComparedCase],
    "conformance": Conformance,
    "count": Counted,
    "crosscheck": Crosscheck,
    "explain": Cases[ExplainedCase],
    "export": ExportedLine,
    "game-next": GamePhase,
    "game-report": GameReport,
    "game-show": GameShown,
    "guarantee": Cases[GuaranteeCase],
    "judge": Judged,
    "judge-report": Report,
    "maps-check": CheckedMap,
    "maps-list": ListedMaps,
    "maps-show": DescribedMap,
    "lines": LinesDocument,
    "prove": Cases[ProveCase],
    "render": Drawn,
    "replay": Replay,
    "resolutions": Cases[ResolvedCase],
    "resolutions-jsonl": ResolutionLine,
    "rulebooks": Rulebooks,
    "search": SearchDocument,
    "search-formula": Formulas,
    "verify": VerifiedFiles,
}
"""What commands write with `--json`, or as a line of JSON, by the command; `datc` writes what `check` does."""


VERSIONS = dict.fromkeys(DOCUMENTS, 1) | {"check": 2, "conformance": 3, "explain": 2, "game-report": 2}
"""The number of each schema: a higher one where a new schema takes something away of what readers of the old one rest on."""


def schema(name: str) -> dict[str, Any]:
    """The JSON Schema of a document, with its version."""
    about = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": f"urn:satjudge:{name}:{VERSIONS[name]}"}
    return {**about, **dedent_descriptions(msgspec.json.schema(DOCUMENTS[name]))}


def taken_away(old: Any, new: Any, place: str = "") -> list[str]:  # noqa: ANN401  # parts of schemas
    """Where a new schema breaks what readers of the old one rest on: what is required stays, and values stay what they are.

    More properties, more that are required, and other words about them break nothing.
    """
    if isinstance(old, dict) and isinstance(new, dict):
        more = new.keys() - old.keys() if place.rpartition("/")[2] not in ("properties", "$defs") else set()
        changed = {key for key in more | old.keys() if key not in ("$id", "description", "title", "required")}
        lost = [f"{place}/required/{name}" for name in old.get("required", []) if name not in new.get("required", [])]
        return lost + [one for key in sorted(changed) for one in taken_away(old.get(key), new.get(key), f"{place}/{key}")]
    return [] if old == new else [place]


GAME = {
    "id": "g", "map": "standard", "phases": [
        {"name": "S1901M", "state": {"name": "S1901M", "units": {"FRANCE": ["A PAR"]}, "centers": {"FRANCE": ["PAR"]}},
         "orders": {"FRANCE": ["A PAR - BUR"]}, "results": {"A PAR": []}},
        {"name": "F1901M", "state": {"name": "F1901M", "units": {"FRANCE": ["A PIC"]}, "centers": {"FRANCE": ["PAR"]}},
         "orders": {"FRANCE": []}, "results": {}},
    ],
}  # fmt: skip
SHEET = """case one: First
England:
  F London - North Sea | fails

case two: Second
rules: 1971
Turkey:
  A Ankara - Constantinople | succeeds
"""
JSON = ["--jobs", "1", "--json"]
BATCH_LINES = [
    {"units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A PAR - BUR"]}, "id": {"any": 1}},
    {"units": {"FRANCE": ["A PARR"]}},
    {"units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["A PAR - BURR"]}},
]

SLOW = {"--fuzz", "--limit=tries=3"}
"""Options with which hypotheses are tried for seconds."""
RUNS = [
    ("batch", ["batch", "rows.jsonl"]),
    ("census", ["census", "--boards", "15", "--seed", "3", "--compare-every", "5", *JSON]),
    ("check", ["check", "sheet.txt", "datc:6.J.2", "--json"]),
    ("check", ["datc", "6.F.14", "6.F.16", "--rules", "1982", "--json"]),
    ("check", ["check", "datc:6.C.1", "--engine", "brute", "--json"]),
    ("compare", ["compare", "datc:6.F.17", "--json"]),
    ("compare", ["compare", "datc:6.J.2", "--json"]),
    ("count", ["count", "--map", "1898", "--json"]),
    ("conformance", ["conformance", "--against", "guide-1998", "--part", "catalogue", "--limit=tries=3", "--json"]),
    ("conformance", ["conformance", "--against", "guide-1998", "--rules", "2000", "--only", "6.F.17", "--json"]),
    ("crosscheck", ["crosscheck", "--against", "guide-1998", "--fuzz", "30", "--limit=shrink=2", "--rules", "2000", *JSON]),
    ("crosscheck", ["crosscheck", "--against", "kruijswijk-partial", "datc:6.F", *JSON]),
    ("explain", ["explain", "datc:6.H.1", "--json"]),
    ("explain", ["explain", "datc:6.J.2", "--json"]),
    ("explain", ["explain", "datc:6.F.14", "--pivotal", "--json"]),
    ("explain", ["explain", "datc:6.F.14", "A BRE", "--pivotal", "--json"]),
    ("explain", ["explain", "datc:6.F.14", "A BRE", "--what-would-change", "--json"]),
    ("explain", ["explain", "datc:6.G.6", "F IRI", "--what-would-change", "--json"]),
    ("explain", ["explain", "datc:6.F.16", "--why-not", "--json"]),
    ("explain", ["explain", "datc:6.F.17", "--why-not", "--json"]),
    ("explain", ["explain", "datc:6.D.3", "A VEN", "--with", "Italy: A VEN - TYR", "--json"]),
    ("export", ["export", "6.H.1", "6.J.2", "6.F.14"]),
    ("game-next", ["game", "next", "game.json", "--json"]),
    ("game-report", ["game", "report", "game.json", "--json"]),
    ("game-show", ["game", "show", "game.json", "--json"]),
    ("guarantee", ["guarantee", "take ENG", "datc:6.F.14", "--power", "England", "--json"]),
    ("guarantee", ["guarantee", "take LON", "datc:6.F.14", "--power", "France", "--json"]),
    ("guarantee", ["guarantee", "keep TRI", "datc:6.A.1", "--power", "England", "--json"]),
    ("judge", ["judge", "sheet.txt", "--json"]),
    ("judge", ["judge", "datc:6.H.1", "--json"]),
    ("judge", ["judge", "datc:6.J.2", "--json"]),
    ("judge", ["judge", "datc:6.F.14", "--set", "4.A.2=none", "--json"]),
    ("lines", ["lines", "centers=3 and outside:SMY", "--json"]),
    ("maps-check", ["maps", "check", "colonial", "--json"]),
    ("maps-list", ["maps", "list", "--json"]),
    ("maps-show", ["maps", "show", "colonial", "--json"]),
    ("prove", ["prove", "line:walker-1", "--json"]),
    ("prove", ["prove", "line:beshera-1", "--cheapest", "--repair", "--redundant", "--json"]),
    ("render", ["render", "datc:6.F.14", "-o", "p.svg", "--resolutions", "--json"]),
    ("replay", ["replay", "game.json", "--json"]),
    ("resolutions", ["resolutions", "datc:6.F.14", "--json"]),
    ("resolutions", ["resolutions", "datc:6.F.17", "--set", "4.A.2=none", "--json"]),
    ("resolutions-jsonl", ["resolutions", "datc:6.F.14", "--jsonl"]),
    ("rulebooks", ["rulebooks", "--json"]),
    ("search", ["search", "differs:1982,datc-3", "--region", "BEL PIC ENG", "--minimise", "fleets", "--json"]),
    ("search", ["search", "count(unit:UNIT) = 1", "--region", "BEL", "--all", "--json"]),
    ("search-formula", ["search", "dislodged:BEL", "--region", "BEL PIC", "--formula", "f.opb", "--json"]),
    ("search", ["search", "paradox", "--region", "BRE ENG LON WAL PIC", "--json"]),
    ("search", ["search", "differs:1982,datc-3", "--region", "BRE ENG LON WAL PIC", "--json"]),
    ("verify", ["verify", str(ROOT / "docs" / "certificates" / "6.F.14.zip"), "--json"]),
]
LINES = ("batch", "export", "resolutions-jsonl")


def stored(name: str) -> Any:  # noqa: ANN401
    return json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("sheet.txt").write_text(SHEET, encoding="utf-8")
    Path("game.json").write_text(json.dumps(GAME), encoding="utf-8")
    Path("rows.jsonl").write_text("".join(json.dumps(line) + "\n" for line in BATCH_LINES), encoding="utf-8")


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_schemas_are_up_to_date(name: str) -> None:
    """`make generated` writes them anew."""
    assert stored(name) == json.loads(json.dumps(schema(name)))
    Draft202012Validator.check_schema(stored(name))


def test_no_schema_is_left_over_and_no_command_is_left_out() -> None:
    written = {name for name, _ in RUNS} | {"judge-report"}  # this into a file: tests/base/test_reporting.py
    assert {path.stem for path in SCHEMAS.glob("*.json")} == set(DOCUMENTS) == written
    writing = {name for name, command in cli.commands.items() if any(option.name == "as_json" for option in command.params)}
    assert writing - set(DOCUMENTS) == {"datc", "reduce"}  # they write what `check` does, and a batch line


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("name", "arguments"),
    [pytest.param(*one, marks=[pytest.mark.slow] * bool(SLOW & {*one[1]})) for one in RUNS],
    ids=lambda part: part if isinstance(part, str) else " ".join(part),
)
def test_what_is_written_is_the_document(name: str, arguments: list[str], capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    """It validates, and nothing is in it that the document does not have."""
    assert run(arguments) in (0, 1)
    written = capfdbinary.readouterr().out
    for text in written.splitlines() if name in LINES else [written]:
        told = json.loads(text)
        Draft202012Validator(stored(name)).validate(told)
        read = msgspec.json.decode(text, type=DOCUMENTS[name])
        assert json.loads(msgspec.json.encode(read)) == told


def places(document: Any, path: tuple[object, ...] = ()) -> Iterator[tuple[object, ...]]:  # noqa: ANN401
    """Where in a document each of its values is."""
    entries = document.items() if isinstance(document, dict) else enumerate(document) if isinstance(document, list) else ()
    for key, value in entries:
        yield (*path, key)
        yield from places(value, (*path, key))


def test_a_document_with_another_kind_of_value_does_not_validate(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["judge", "datc:6.F.14", "--json"]) == 0
    text = capsys.readouterr().out
    validator = Draft202012Validator(stored("judge"))
    for path in places(json.loads(text)):
        spoilt = place = json.loads(text)
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = 0.5
        with pytest.raises(ValidationError):
            validator.validate(spoilt)


def test_a_schema_may_tell_more_but_not_less() -> None:
    old = {
        "$id": "urn:satjudge:x:1", "$ref": "#/$defs/X", "$defs": {"X": {"type": "object", "properties": {
            "a": {"type": "integer", "description": "old words"}, "b": {"enum": ["x", "y"]}}, "required": ["a"]}},
    }  # fmt: skip

    def changed(change: Callable[[dict[str, Any]], object]) -> list[str]:
        new = copy.deepcopy(old)
        change(new["$defs"]["X"])  # type: ignore[index]
        return taken_away(old, new)

    assert changed(lambda kind: kind["properties"].update(c={"type": "string"})) == []
    assert changed(lambda kind: kind["properties"]["a"].update(description="new words")) == []
    assert changed(lambda kind: kind["required"].append("b")) == []
    assert changed(lambda kind: kind["properties"].pop("b")) == ["/$defs/X/properties/b"]
    assert changed(lambda kind: kind["required"].remove("a")) == ["/$defs/X/required/a"]
    assert changed(lambda kind: kind["properties"]["a"].update(type="string")) == ["/$defs/X/properties/a/type"]
    assert changed(lambda kind: kind["properties"]["b"]["enum"].append("z")) == ["/$defs/X/properties/b/enum"]
    assert changed(lambda kind: kind["properties"]["a"].update(nullable=True)) == ["/$defs/X/properties/a/nullable"]


def write_schemas() -> None:
    """Write all schemas. Raises `SystemExit` for one that takes something away and has no new version."""
    for name in DOCUMENTS:
        made, file = schema(name), SCHEMAS / f"{name}.json"
        old = stored(name) if file.exists() else {}
        lost = taken_away(old, json.loads(json.dumps(made))) if old.get("$id") == made["$id"] else []
        if lost:
            raise SystemExit(f"{name}: a reader of the schema would miss {', '.join(lost)}: give it a new number in VERSIONS")
        file.write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":  # make generated
    write_schemas()
