"""Reports a campaign: the document of `satjudge crosscheck --json`, and case files that reproduce findings.

A case file is an order sheet with satjudge's verdicts; the other engine's answers and satjudge's reasons are notes in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from satjudge.base.errors import SheetError
from satjudge.base.platforms import command_of
from satjudge.base.words import number_of
from satjudge.bulk.census import write_case
from satjudge.engines.campaign import Campaign, Tally, format_failure
from satjudge.engines.comparison import ComparedPosition, Depth, list_unknown_words
from satjudge.engines.conformance.hypotheses import TOGETHER
from satjudge.engines.connections.registry import TIMEOUT
from satjudge.engines.documents import campaigns as documents
from satjudge.engines.documents.campaigns import Crosscheck, Failure, Found, Known
from satjudge.engines.families import Family
from satjudge.engines.findings import Finding, Findings
from satjudge.engines.positions import AskedPosition, Fuzz
from satjudge.explain.explanation import Explanation
from satjudge.explain.phases import adjustment_explanations, explanations, retreat_explanations
from satjudge.files.dialects import OURS
from satjudge.judging.adjustments import AdjustmentOutcome
from satjudge.judging.judge import judge_phase
from satjudge.judging.outcome import Outcome
from satjudge.judging.retreats import RetreatOutcome
from satjudge.notation.documents import document_origin
from satjudge.world.board import Phase, group_pairs
from satjudge.world.rules import DEFAULT_RULES, rulebook_text

_SMALLEST = 3
_FAILURES = 20
"""The most boards on which satjudge failed that a document lists one by one."""


def make_crosscheck_document(
    campaign: Campaign,
    tally: Tally,
    findings: Findings,
    directory: Path | None = None,
    loss_message: str = "",
    families: Sequence[Family] = (),
    describe: Callable[[str], str] = str,
) -> Crosscheck:
    """Make the document about a campaign with all its results, as `satjudge crosscheck --json` writes it.

    Commands refer to case files in the `directory`, if there is one. `loss_message` is the reason why the campaign ended early,
    if it did. `families` are the findings grouped by cause, and `describe` describes a part of a hypothesis in plain words.
    """
    described = {key: value for key, value in campaign.list_parameters().items() if key not in ("rules", "settings")}
    because = {known.name: known.because for known in campaign.known}
    together = [(name, known.boards) for name, known in tally.explained.items() if TOGETHER in name]
    again = campaign.source.list_arguments
    return Crosscheck(
        **document_origin(campaign.rulebook),
        **described,  # type: ignore[arg-type]  # parameters of the source
        boards=tally.boards,
        agreed=tally.agreed,
        unresolved=tally.unresolved,
        skipped=tally.skipped,
        too_large=tally.too_large,
        differing=len(tally.differing),
        failed=len(tally.failed),
        failures=[Failure("internal", one.error, command_of(again(one.board))) for one in tally.failed[:_FAILURES]],
        not_shrunk=findings.left,
        lost=loss_message,
        unknown_words=_list_unknown_words(campaign, findings),
        explained=[
            Known(
                **_collect_finding_fields(campaign, one, directory),
                explanation=one.explanation,
                because=because.get(one.explanation, ""),
            )
            for one in findings.explained
            if one.explanation is not None
        ],
        explained_together=dict(sorted(together, key=lambda one: (-one[1], one[0]))),
        findings=(shrunk := [Found(**_collect_finding_fields(campaign, one, directory)) for one in findings.unexplained]),
        families=[_make_family(campaign, one, {finding.shape: finding for finding in shrunk}, describe) for one in families],
        shrinking=round(findings.seconds, 1),
        out_of_time=findings.out_of_time,
    )


def iter_progress_lines(campaign: Campaign, tally: Tally) -> Iterator[str]:
    """Yield a line with the counts of an interrupted campaign, and lines for the smallest boards of the first few kinds."""
    counts = {
        "agree": tally.agreed,
        "differ, known": sum(known.boards for known in tally.explained.values()),
        "differ, not known": len(tally.differing),
        "without an answer by the rulebook": tally.unresolved,
        "skipped by the engine": tally.skipped,
        f"too large for the engine {campaign.engine}": tally.too_large,
        "not compared: satjudge itself failed": len(tally.failed),
    }
    counts_text = "; ".join(f"{boards:,} {kind}" for kind, boards in counts.items() if boards)
    yield f"compared {tally.boards:,} of {number_of(campaign.source.positions, 'board')}: {counts_text or 'nothing'}"
    smallest = {differing.kinds: differing for differing in sorted(tally.differing, reverse=True)}
    for one in sorted(smallest.values())[:_SMALLEST]:
        again = format_command(campaign, campaign.source.list_arguments(one.board))
        yield f"not shrunk, {number_of(one.units, 'unit')}, {'; '.join(one.kinds)}: {again}"
    if len(smallest) > _SMALLEST:
        yield f"and {len(smallest) - _SMALLEST:,} other kinds of differences"


_CITED = re.compile(r"\b(?:[4-6]\.[A-J]\.\d+|5\.B)\b")


def _make_family(
    campaign: Campaign, family: Family, documents_by_name: Mapping[str, Found], describe: Callable[[str], str]
) -> documents.Family:
    reasons = documents_by_name[family.findings[0].shape].reasons
    source = campaign.source
    first = source.first if isinstance(source, Fuzz) else 0
    return documents.Family(
        cause=family.cause,
        says=family.says or (TOGETHER.join(map(describe, family.cause.split(TOGETHER))) if family.by_hypothesis else ""),
        exact=family.by_hypothesis,
        or_else=list(family.or_else),
        rules=list(dict.fromkeys(rule for reason in reasons for rule in _CITED.findall(reason))),
        shapes=[finding.shape for finding in family.findings],
        boards=[first + board for board in family.boards],
    )


def _collect_finding_fields(campaign: Campaign, finding: Finding, directory: Path | None) -> dict[str, Any]:
    case = make_case_file(campaign, finding, directory)
    return {
        "shape": finding.shape,
        "units": finding.units,
        "boards": finding.boards,
        "came_from": finding.position.name,
        "differences": list(finding.differences),
        "reasons": list_reasons(campaign, finding),
        "case": case.text,
        "command": case.command,
        "resolution": finding.resolution,
    }


def _list_unknown_words(campaign: Campaign, findings: Findings) -> list[str]:
    """List the other engine's words in unexplained findings that neither the DATC nor the dialect has, sorted."""
    verdicts = (one.theirs for finding in findings.unexplained for one in finding.differences if one.number is not None)
    return sorted({word for verdict in verdicts for word in list_unknown_words(verdict, campaign.contact.words)})


# ---- case files ----


@dataclass(frozen=True, slots=True)
class CaseFile:
    """The name and content of a file with one finding."""

    name: str
    text: str
    command: str
    """The command that compares the finding again."""


def iter_case_files(campaign: Campaign, findings: Findings, directory: Path) -> Iterator[CaseFile]:
    """Yield a case file for each finding, then for the smallest example of each explanation, without saving it."""
    for finding in (*findings.unexplained, *findings.explained):
        yield make_case_file(campaign, finding, directory)


def make_case_file(campaign: Campaign, finding: Finding, directory: Path | None = None) -> CaseFile:
    """Make a finding's case file: an order sheet with satjudge's verdicts, or else a batch line, and the command to rerun it.

    Without a directory, the command compares the board from which the finding was shrunk. The file is a batch line for
    retreats, adjustments and orders without a unit, which a sheet cannot express.
    """
    position, name = finding.position, _name_file(finding)

    source = campaign.source
    options_text = " ".join(source.options) if isinstance(source, Fuzz) else ""
    mapped = ["--map", source.map_given] if source.map_given else []
    origin = ", ".join(part for part in ("satjudge crosscheck", position.name, options_text) if part)

    def format_rerun_command(file: str) -> str:
        return format_command(campaign, [str(directory / file), *mapped] if directory else source.list_arguments(finding.board))

    def notes(file: str) -> dict[str, list[str]]:
        return {
            "source": [_join_lines(origin)],
            "note": [f"run it again: {format_rerun_command(file)}", *_iter_notes(campaign, finding)],
        }

    try:
        text = _format_sheet(campaign, finding, name, notes(f"{name}.txt"))
    except Exception:  # a sheet cannot express the position, or satjudge has no verdicts on it
        line = {
            **msgspec.json.decode(position.line),
            "rules": rulebook_text(campaign.rules, campaign.settings),
            **notes(f"{name}.jsonl"),
        }
        return CaseFile(f"{name}.jsonl", msgspec.json.encode(line).decode() + "\n", format_rerun_command(f"{name}.jsonl"))
    return CaseFile(f"{name}.txt", text, format_rerun_command(f"{name}.txt"))


def _format_sheet(campaign: Campaign, finding: Finding, name: str, notes: Mapping[str, Sequence[str]]) -> str:
    """Format a finding as an order sheet with satjudge's verdicts, or raise the error that prevents this."""
    board, numbered = finding.position.board, finding.position.movement_orders
    if board.phase is not Phase.MOVEMENT:
        raise SheetError("only movement phases can be written as sheets with expected verdicts")
    orders = group_pairs((power, order) for (power, _), order in numbered.items())
    return write_case(board, orders, campaign.rules, campaign.settings, identity=name, title=finding.title, notes=notes)


def _name_file(finding: Finding) -> str:
    """Return a file name without extension: the finding's shape, or `known-` and its explanation."""
    if finding.explanation is None:
        return finding.shape
    return f"known-{re.sub(r'[^a-z0-9]+', '-', finding.explanation.lower()).strip('-')[:80]}"


def _iter_notes(campaign: Campaign, finding: Finding) -> Iterator[str]:
    if finding.explanation:
        yield f"known: {finding.explanation}"
    yield from (f"{campaign.contact.against} differs: {_join_lines(str(found))}" for found in finding.differences)
    yield from (f"satjudge: {_join_lines(reason)}" for reason in list_reasons(campaign, finding))


def _join_lines(text: str) -> str:
    """Return a text as one line, with any `#` that would begin a comment replaced by `no. `."""
    return re.sub(r"(^|\s)#", r"\1no. ", " ".join(text.split()))


def list_reasons(campaign: Campaign, finding: Finding | ComparedPosition) -> list[str]:
    """List satjudge's explanations of its verdicts on all differing orders and units; if it fails, one text with its error."""
    position, concerned = finding.position, tuple(f"{found.subject} " for found in finding.differences)
    try:
        return [str(one) for one in _explain_position(campaign, position) if f"{one.order} ".startswith(concerned)]
    except Exception as error:  # a missing reason must not suppress the finding
        return [f"satjudge itself fails here: {format_failure(error)}"]


def _explain_position(campaign: Campaign, position: AskedPosition) -> list[Explanation]:
    """Return satjudge's explanations of all verdicts on a position of any phase."""
    outcome = judge_phase(position.board, position.orders, rulebook=campaign.rulebook, engine=campaign.engine)
    match outcome:
        case Outcome():
            return explanations(outcome)
        case RetreatOutcome():
            return retreat_explanations(outcome, rulebook=campaign.rulebook)
        case AdjustmentOutcome():
            return adjustment_explanations(outcome, rulebook=campaign.rulebook)


def format_command(campaign: Campaign, positions: Sequence[str], name: str = "crosscheck") -> str:
    """Return the command that compares positions again; `positions` are files or options, and `name` is the subcommand.

    Commands other than `crosscheck` always compare everything that the engine reports.
    """
    contact = campaign.contact
    options = [
        ("--against", contact.against, None),
        ("--rules", campaign.rules, DEFAULT_RULES),
        *(("--set", setting, None) for setting in campaign.settings),
        ("--dialect", contact.dialect, OURS),
        ("--depth", campaign.depth if name == "crosscheck" else Depth.VERDICTS, Depth.VERDICTS),
        ("--timeout", f"{contact.timeout:g}", f"{TIMEOUT:g}"),
        ("--limit", f"startup={contact.startup_timeout:g}" if contact.startup_timeout is not None else "", ""),
        ("--limit", f"memory={contact.memory}" if contact.memory else "", ""),
    ]
    option_texts = [text for name, value, usual in options if value != usual for text in (name, value)]
    option_texts += ["--legal-only"] if campaign.legal_only else []
    return command_of(["satjudge", name, *option_texts, *positions])
