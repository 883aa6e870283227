"""What a campaign found: as plain data, of which `satjudge.render.report` makes a page, and in Markdown."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from html import escape
from itertools import chain
from pathlib import Path
from typing import Any

from satjudge import __version__
from satjudge.crosscheck.campaign import TOGETHER, Campaign, Tally
from satjudge.crosscheck.case_files import CaseFile, case_file, reasons
from satjudge.crosscheck.comparison import unknown
from satjudge.crosscheck.findings import Finding, Findings
from satjudge.words import number_of

Row = tuple[str, str]
_MOST_WORDS, _LONGEST_WORD = 20, 40
_FAILURES = 20
"""Boards on which satjudge failed that are told one by one."""


@dataclass(frozen=True, slots=True)
class Account:
    """A finding with all that is told of it."""

    finding: Finding
    case: CaseFile
    reasons: list[str]
    """Why satjudge says what it says."""
    because: str
    """The rule that explains a known difference."""

    @property
    def command(self) -> str:
        """What compares it again."""
        return self.case.command

    @property
    def sheet(self) -> list[str]:
        """The position with the verdicts of satjudge."""
        return [line for line in self.case.text.splitlines() if line and not line.startswith(_PREAMBLE)]

    @property
    def rows(self) -> list[tuple[str, str, str]]:
        """The differences: of what, what satjudge says, and what the other says."""
        return [(found.whose, found.ours, found.theirs) for found in self.finding.differences]

    @property
    def counted(self) -> str:
        """How often it was met, and how small it is."""
        finding = self.finding
        boards = number_of(finding.boards, "board")
        if finding.explanation:
            return f"{boards}. {self.because}"
        size = f"shrunk to {number_of(finding.units, 'unit')}" if finding.shrunk else "not shrunk"
        return f"{boards} of this shape, {size}."


_PREAMBLE = ("case ", "source:", "note:")


@dataclass(frozen=True)
class Report:
    """A campaign with all that came of it."""

    campaign: Campaign
    tally: Tally
    found: Findings
    directory: Path | None = None
    """Where the cases are saved, if they are."""
    lost: str = ""
    """Why it ended before all boards were compared, if it did."""

    @property
    def failed(self) -> bool:
        """Whether there is a difference that nothing explains, or the other engine was lost."""
        return bool(self.tally.differing or self.lost)

    @property
    def failures(self) -> list[tuple[str, str]]:
        """The first boards on which satjudge itself failed, and how."""
        source = self.campaign.source
        return [(shlex.join(source.again(one.board)), one.error) for one in self.tally.failed[:_FAILURES]]

    @cached_property
    def unknown_words(self) -> list[str]:
        """The words of the other engine in what was found that are neither the DATC's nor in the dialect."""
        said = (found.theirs for finding in self.found.unexplained for found in finding.differences if found.number is not None)
        return sorted({word for verdict in said for word in unknown(verdict, self.campaign.contact.words)})

    @property
    def hint(self) -> str:
        """What may be wrong with how the other engine is read."""
        words = ", ".join(word[:_LONGEST_WORD] for word in self.unknown_words[:_MOST_WORDS])
        return f"words of the engine that satjudge does not know: {words}; see --dialect" if words else ""

    @property
    def title(self) -> str:
        """What was compared."""
        return f"satjudge against {self.campaign.contact.against}"

    @property
    def together(self) -> list[tuple[str, int]]:
        """Known differences that only together explain boards, with how many; the most frequent first."""
        several = [(name, known.boards) for name, known in self.tally.explained.items() if TOGETHER in name]
        return sorted(several, key=lambda one: (-one[1], one[0]))

    @property
    def rows(self) -> list[Row]:
        """The numbers, and what they depend on."""
        campaign, tally = self.campaign, self.tally
        source = ", ".join(f"{key} {_plain(value)}" for key, value in campaign.source.described().items() if value)
        explained = sum(known.boards for known in tally.explained.values())
        return [
            ("rulebook", ", ".join((campaign.rulebook.name, *campaign.settings))),
            ("positions", source),
            ("compared", f"{campaign.depth}, satjudge with engine {campaign.engine}"),
            ("boards", f"{tally.boards:,}"),
            ("agree", f"{tally.agreed:,}"),
            ("differ, explained", f"{explained:,}"),
            ("differ, unexplained", f"{len(tally.differing):,}"),
            *([("without an answer by the rulebook", f"{tally.unresolved:,}")] if tally.unresolved else []),
            *([("not compared: satjudge itself failed", f"{len(tally.failed):,}")] if tally.failed else []),
            *([(f"too large for the engine {campaign.engine}", f"{tally.too_large:,}")] if tally.too_large else []),
        ]

    @cached_property
    def summary(self) -> str:
        """What there is to say in a sentence."""
        tally = self.tally
        failed = f" satjudge itself failed on {number_of(len(tally.failed), 'board')}." if tally.failed else ""
        lost = f"{failed} {self.lost}" if self.lost else failed
        boards = number_of(tally.boards, "board")
        if not tally.differing:
            return f"On {boards} nothing differs that is not explained.{lost}"
        shapes = number_of(len(self.found.unexplained), "shape")
        left = f"; {self.found.left:,} of them were not shrunk" if self.found.left else ""
        differ = "differs" if len(tally.differing) == 1 else "differ"
        return f"{len(tally.differing):,} of {boards} {differ} without an explanation, in {shapes}{left}.{lost}"

    @cached_property
    def findings(self) -> list[Account]:
        """The findings, the smallest first."""
        return [self._account(finding) for finding in self.found.unexplained]

    @cached_property
    def known(self) -> list[Account]:
        """The smallest example of each explanation, the most frequent first."""
        return [self._account(finding) for finding in self.found.explained]

    def _account(self, finding: Finding) -> Account:
        campaign = self.campaign
        case = case_file(campaign, finding, self.directory)
        because = next((known.because for known in campaign.known if known.name == finding.explanation), "")
        return Account(finding, case, reasons(campaign, finding), because)

    def document(self) -> dict[str, Any]:
        """The report as plain data."""
        tally = self.tally
        return {
            "against": self.campaign.contact.against,
            **{key: value for key, value in self.campaign.described().items() if key not in ("rules", "settings")},
            "boards": tally.boards,
            "agreed": tally.agreed,
            "unresolved": tally.unresolved,
            "too_large": tally.too_large,
            "differing": len(tally.differing),
            "failed": len(tally.failed),
            "failures": [{"again": again, "kind": "internal", "message": error} for again, error in self.failures],
            "not_shrunk": self.found.left,
            "lost": self.lost,
            "unknown_words": self.unknown_words,
            "explained": [
                {"explanation": one.finding.explanation, "because": one.because, **_plain_account(one)} for one in self.known
            ],
            "explained_together": dict(self.together),
            "findings": [_plain_account(one) for one in self.findings],
        }


def _plain_account(account: Account) -> dict[str, Any]:
    finding = account.finding
    return {
        "shape": finding.shape,
        "units": finding.units,
        "boards": finding.boards,
        "from": finding.position.name,
        "differences": [asdict(found) for found in finding.differences],
        "reasons": account.reasons,
        "case": account.case.text,
        "command": account.command,
    }


def _plain(value: object) -> str:
    if isinstance(value, list):
        counts = {part: value.count(part) for part in value}
        return " ".join(f"{part}×{count}" if count > 1 else str(part) for part, count in counts.items())
    return str(value)


# ---- Markdown ----
#
# What an engine says is text, never Markdown or HTML, and stays in its line.


def markdown(report: Report) -> str:
    """The report in Markdown."""
    return "\n".join(chain(_head(report), _known(report), _findings(report))) + "\n"


def _head(report: Report) -> Iterator[str]:
    yield from (f"# {_text(report.title)}", "", _text(report.summary), "")
    if report.hint:
        yield from (_text(report.hint), "")
    yield from ("| | |", "|---|---|")
    yield from (f"| {_text(name)} | {_text(value)} |" for name, value in report.rows)
    yield from ("", f"satjudge {__version__}")
    if report.failures:
        yield from ("", "## satjudge itself failed", "", *_table(("board", "how"), report.failures))


def _known(report: Report) -> Iterator[str]:
    if report.known:
        yield from ("", "## Explained differences")
    for account in report.known:
        yield from ("", f"### {_text(account.finding.explanation or '')}", "", *_account(account))
    if report.together:
        rows = ((name, f"{boards:,}") for name, boards in report.together)
        yield from ("", "### Several together", "", *_table(("", "boards"), rows))


def _findings(report: Report) -> Iterator[str]:
    if report.findings:
        yield from ("", "## Findings")
    for number, account in enumerate(report.findings, 1):
        yield from ("", f"### {number}. {account.finding.shape}", "", *_account(account))


def _account(account: Account) -> Iterator[str]:
    fence = "`" * max(3, 1 + _longest_ticks("\n".join(account.sheet)))
    yield from (_text(account.counted), "", fence, *account.sheet, fence, "")
    yield from _table(("", "satjudge", "the other"), account.rows)
    if account.reasons:
        yield from ("", *(f"- {_text(reason)}" for reason in account.reasons))
    yield from ("", _code(account.command))


def _table(heading: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    for cells in (heading, ["---"] * len(heading), *rows):
        yield f"| {' | '.join(cell if cell == '---' else _text(cell) for cell in cells)} |"


def _text(text: str) -> str:
    """A text as Markdown shows it: signs that mean something there, or in HTML, mean themselves."""
    return re.sub(r"([\\`*_\[\]|~])", r"\\\1", escape(" ".join(text.split()), quote=False))


def _code(text: str) -> str:
    """A text as code in a line; backticks that it holds do not end it."""
    ticks = "`" * (1 + _longest_ticks(text))
    return f"{ticks} {text} {ticks}" if len(ticks) > 1 else f"`{text}`"


def _longest_ticks(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)
