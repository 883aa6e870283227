"""Holds the data of a page about engines: results on the kit, descriptions, and notes on the source code."""

from __future__ import annotations

import tomllib
from pathlib import Path

import msgspec

from satjudge.base.errors import NotFoundError, RequestError
from satjudge.engines.documents.conformance import Conformance, Otherwise, TopicScore
from satjudge.notation.documents import Document


class Claim(Document):
    """A statement about an engine, with its evidence."""

    says: str
    source: str = ""
    """The file of its source, with the line: `orders/move.go:118`."""
    position: str = ""
    """Orders that show it, by power, or the name of a question."""


class AboutEngine(Document):
    """The description of an engine, as the file NAME.toml next to its run NAME.json states it."""

    title: str = ""
    release: str = ""
    language: str = ""
    home: str = ""
    """The address of its source."""
    claims: list[Claim] = msgspec.field(default_factory=list)


class EngineRun(Document):
    """An engine's results on the kit, under the name of its files."""

    name: str
    run: Conformance
    about: AboutEngine

    @property
    def title(self) -> str:
        """The engine's name for people."""
        return self.about.title or self.name

    @property
    def scores(self) -> dict[str, TopicScore]:
        """The score of each topic that was compared."""
        return {score.topic: score for score in self.run.topics}

    @property
    def smallest(self) -> dict[str, Otherwise]:
        """The smallest wrongly answered question of each topic; one that shows in a unit before one of words alone."""
        findings = sorted((one for part in self.run.parts for one in part.findings), key=_size_key, reverse=True)
        return {finding.topic: finding for finding in findings}


def _size_key(finding: Otherwise) -> tuple[bool, int, str]:
    return all(one.number is not None for one in finding.differences), len(finding.line), finding.question


def read_runs(folder: Path) -> list[EngineRun]:
    """Read the runs in a folder, by name: NAME.json of `satjudge conformance --json`, with NAME.toml if there is one.

    Raises `NotFoundError` for a folder without runs, and `RequestError` for an invalid run.
    """
    paths = sorted(folder.glob("*.json"))
    if not paths:
        raise NotFoundError(f"{folder} contains no runs", suggestion="satjudge conformance --json > NAME.json writes one")
    return [EngineRun(path.stem, _read_run(path), _read_about(path.with_suffix(".toml"))) for path in paths]


def _read_about(path: Path) -> AboutEngine:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return AboutEngine()
    try:
        return msgspec.convert(tomllib.loads(text), AboutEngine)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise RequestError(f"not a description of an engine: {error}", source=str(path)) from None


def _read_run(path: Path) -> Conformance:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Conformance)
    except msgspec.MsgspecError as error:
        hint = "a run is what `satjudge conformance --json` writes"
        raise RequestError(f"not a run of the kit: {error}", source=str(path), suggestion=hint) from None
