"""Writes the JSON Schema of every document: `python -m satjudge.documents.schemas DIR` (`make schemas`)."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import msgspec

from satjudge.documents import Cases
from satjudge.documents.campaigns import Crosscheck, Replay
from satjudge.documents.cases import CheckedCases, ExplainedCase, ExportedLine, Rulebooks
from satjudge.documents.census import Census
from satjudge.documents.game_reports import GameReport
from satjudge.documents.games import GamePhase, GameShown
from satjudge.documents.maps import CheckedMap, DescribedMap, ListedMaps
from satjudge.documents.positions import BatchAnswer, ComparedCase, Drawn, Judged, ResolutionLine, ResolvedCase
from satjudge.documents.proofs import GuaranteeCase, ProveCase
from satjudge.documents.search import SearchDocument

DOCUMENTS: dict[str, Any] = {
    "batch": BatchAnswer,
    "census": Census,
    "check": CheckedCases,
    "compare": Cases[ComparedCase],
    "crosscheck": Crosscheck,
    "explain": Cases[ExplainedCase],
    "export": ExportedLine,
    "game-next": GamePhase,
    "game-report": GameReport,
    "game-show": GameShown,
    "guarantee": Cases[GuaranteeCase],
    "judge": Judged,
    "maps-check": CheckedMap,
    "maps-list": ListedMaps,
    "maps-show": DescribedMap,
    "prove": Cases[ProveCase],
    "render": Drawn,
    "replay": Replay,
    "resolutions": Cases[ResolvedCase],
    "resolutions-jsonl": ResolutionLine,
    "rulebooks": Rulebooks,
    "search": SearchDocument,
}
"""What commands write with `--json`, or as a line of JSON, by the command; `datc` writes what `check` does."""


def schema(document: object) -> dict[str, Any]:
    """The JSON Schema of a document."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **msgspec.json.schema(document)}


def write_schemas(directory: Path) -> None:
    """Write the schema of each document into a directory, `judge.json` and so on."""
    for name, document in DOCUMENTS.items():
        text = json.dumps(schema(document), indent=1, ensure_ascii=False)
        (directory / f"{name}.json").write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    write_schemas(Path(sys.argv[1]))
