"""The JSON Schema of every document: `python -m satjudge.documents.schemas DIR` writes them (`make schemas`)."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import msgspec

from satjudge.documents.campaigns import Crosscheck, Replay
from satjudge.documents.cases import CheckedCases, ExportedLine, Rulebooks
from satjudge.documents.census import Census
from satjudge.documents.explanations import ExplainedCases
from satjudge.documents.guarantee import GuaranteeDocument
from satjudge.documents.maps import CheckedMap, DescribedMap, ListedMaps
from satjudge.documents.positions import BatchAnswer, ComparedCases, Drawn, Judged, ResolutionLine, ResolvedCases
from satjudge.documents.prove import ProveDocument
from satjudge.documents.search import SearchDocument

DOCUMENTS: dict[str, type[msgspec.Struct]] = {
    "batch": BatchAnswer,
    "census": Census,
    "check": CheckedCases,
    "compare": ComparedCases,
    "crosscheck": Crosscheck,
    "explain": ExplainedCases,
    "export": ExportedLine,
    "guarantee": GuaranteeDocument,
    "judge": Judged,
    "maps-check": CheckedMap,
    "maps-list": ListedMaps,
    "maps-show": DescribedMap,
    "prove": ProveDocument,
    "render": Drawn,
    "replay": Replay,
    "resolutions": ResolvedCases,
    "resolutions-jsonl": ResolutionLine,
    "rulebooks": Rulebooks,
    "search": SearchDocument,
}
"""What commands write with `--json`, or as a line of JSON, by the command; `datc` writes what `check` does."""


def schema(document: type[msgspec.Struct]) -> dict[str, Any]:
    """The JSON Schema of a document."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **msgspec.json.schema(document)}


def write_schemas(directory: Path) -> None:
    """Write the schema of each document into a directory, `judge.json` and so on."""
    for name, document in DOCUMENTS.items():
        text = json.dumps(schema(document), indent=1, ensure_ascii=False)
        (directory / f"{name}.json").write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    write_schemas(Path(sys.argv[1]))
