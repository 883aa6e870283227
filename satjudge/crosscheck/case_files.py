"""Findings as case files: a position that reruns, with both answers and satjudge's reasons."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from satjudge.crosscheck.campaign import Campaign
from satjudge.crosscheck.comparison import Depth
from satjudge.crosscheck.dialects import OURS
from satjudge.crosscheck.findings import Finding, Findings
from satjudge.errors import SheetError
from satjudge.explain import explanations
from satjudge.judge import judge
from satjudge.research.census.cases import case_text
from satjudge.rules import DEFAULT_RULES


@dataclass(frozen=True, slots=True)
class CaseFile:
    """A finding as a file."""

    name: str
    text: str


def case_files(campaign: Campaign, found: Findings) -> Iterator[CaseFile]:
    """A file for each finding, and for the smallest example of each explanation."""
    for finding in (*found.unexplained, *found.explained):
        yield case_file(campaign, finding)


def case_file(campaign: Campaign, finding: Finding) -> CaseFile:
    """An order sheet that expects what satjudge says.

    A sheet cannot say that there is no unit where one is ordered; such a position becomes a batch line.
    """
    position, name = finding.position, _name(finding)

    def notes(file: str) -> dict[str, list[str]]:
        return {"source": [f"satjudge crosscheck, {position.name}"], "note": list(_notes(campaign, finding, file))}

    try:
        text = case_text(
            position.board,
            position.orders,
            campaign.rules,
            campaign.settings,
            identity=name,
            title="; ".join(_titles(finding)),
            notes=notes(f"{name}.txt"),
        )
    except SheetError:
        line = {**msgspec.json.decode(position.line), "rules": campaign.rules, **notes(f"{name}.jsonl")}
        return CaseFile(f"{name}.jsonl", msgspec.json.encode(line).decode() + "\n")
    return CaseFile(f"{name}.txt", text)


def _name(finding: Finding) -> str:
    """The shape, or the explanation in a form that a file can have."""
    if finding.explanation is None:
        return finding.shape
    return f"known-{re.sub(r'[^a-z0-9]+', '-', finding.explanation.lower()).strip('-')[:80]}"


def _titles(finding: Finding) -> list[str]:
    """What the differences are, those in verdicts if there are any."""
    kinds = dict.fromkeys(found.kind for found in finding.differences if found.number is not None)
    return list(kinds or dict.fromkeys(found.kind for found in finding.differences))


def _notes(campaign: Campaign, finding: Finding, file: str) -> Iterator[str]:
    yield f"run it again: {command(campaign, file)}"
    if finding.explanation:
        yield f"known: {finding.explanation}"
    yield from (f"{campaign.contact.against} differs: {_one_line(str(found))}" for found in finding.differences)
    yield from (f"satjudge: {_one_line(reason)}" for reason in reasons(campaign, finding))


def _one_line(text: str) -> str:
    """A text that a note can hold: without line ends, and without what would begin a comment."""
    return re.sub(r"(^|\s)#", r"\1no. ", " ".join(text.split()))


def reasons(campaign: Campaign, finding: Finding) -> list[str]:
    """Why satjudge says what it says of every order and unit that differs."""
    position, concerned = finding.position, tuple(f"{found.subject} " for found in finding.differences)
    outcome = judge(position.board, position.orders, rulebook=campaign.rulebook, engine=campaign.engine)
    return [str(told) for told in explanations(outcome) if f"{told.order} ".startswith(concerned)]


def command(campaign: Campaign, file: str | Path) -> str:
    """The one command that compares the position in a file again."""
    contact = campaign.contact
    options = [f"--against {shlex.quote(contact.against)}"]
    if campaign.rules != DEFAULT_RULES:
        options.append(f"--rules {shlex.quote(campaign.rules)}")
    options += [f"--set {setting}" for setting in campaign.settings]
    if contact.dialect != OURS:
        options.append(f"--dialect {shlex.quote(contact.dialect)}")
    if campaign.depth is not Depth.VERDICTS:
        options.append(f"--depth {campaign.depth}")
    return f"satjudge crosscheck {' '.join(options)} {shlex.quote(str(file))}"
