"""What a campaign found, for people: Markdown, and HTML that needs nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from html import escape
from itertools import chain
from string import Template
from typing import Any

from satjudge import __version__
from satjudge.crosscheck.campaign import TOGETHER, Campaign, Tally
from satjudge.crosscheck.case_files import CaseFile, case_file, command, judged, reasons
from satjudge.crosscheck.findings import Finding, Findings
from satjudge.render.pictures import Look, picture, scene_of

Row = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Account:
    """A finding with all that is told of it."""

    finding: Finding
    case: CaseFile
    reasons: list[str]
    """Why satjudge says what it says."""
    because: str
    """The rule that explains a known difference."""
    command: str
    """What compares it again."""

    @property
    def sheet(self) -> list[str]:
        """The position with the verdicts of satjudge."""
        return [line for line in self.case.text.splitlines() if line and not line.startswith(_PREAMBLE)]

    @property
    def rows(self) -> list[tuple[str, str, str]]:
        """The differences: of what, what satjudge says, and what the other says."""
        return [(f"{found.subject} ({found.power})", found.ours, found.theirs) for found in self.finding.differences]

    @property
    def counted(self) -> str:
        """How often it was met, and how small it is."""
        finding = self.finding
        boards = "1 board" if finding.boards == 1 else f"{finding.boards:,} boards"
        if finding.explanation:
            return f"{boards}. {self.because}"
        return f"{boards} of this shape, shrunk to {finding.units} {'unit' if finding.units == 1 else 'units'}."


_PREAMBLE = ("case ", "source:", "note:")


@dataclass(frozen=True)
class Report:
    """A campaign with all that came of it."""

    campaign: Campaign
    tally: Tally
    found: Findings

    @property
    def failed(self) -> bool:
        """Whether there is a difference that nothing explains."""
        return bool(self.tally.differing)

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
        ]

    @cached_property
    def summary(self) -> str:
        """What there is to say in a sentence."""
        tally = self.tally
        if not self.failed:
            return f"On {tally.boards:,} boards nothing differs that is not explained."
        shapes = len(self.found.unexplained)
        left = f"; {self.found.left:,} of them were not shrunk" if self.found.left else ""
        plural = "shape" if shapes == 1 else "shapes"
        return f"{len(tally.differing):,} of {tally.boards:,} boards differ without an explanation, in {shapes} {plural}{left}."

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
        case = case_file(campaign, finding)
        because = next((known.because for known in campaign.known if known.name == finding.explanation), "")
        return Account(finding, case, reasons(campaign, finding), because, command(campaign, case.name))

    def document(self) -> dict[str, Any]:
        """The report as plain data."""
        return {
            "against": self.campaign.contact.against,
            **{key: value for key, value in self.campaign.described().items() if key not in ("rules", "settings")},
            "boards": self.tally.boards,
            "agreed": self.tally.agreed,
            "unresolved": self.tally.unresolved,
            "differing": len(self.tally.differing),
            "not_shrunk": self.found.left,
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
    }


def _plain(value: object) -> str:
    if isinstance(value, list):
        counts = {part: value.count(part) for part in value}
        return " ".join(f"{part}×{count}" if count > 1 else str(part) for part, count in counts.items())
    return str(value)


# ---- Markdown ----


def markdown(report: Report) -> str:
    """The report in Markdown."""
    return "\n".join(chain(_head(report), _known(report), _findings(report))) + "\n"


def _head(report: Report) -> Iterator[str]:
    yield from (f"# {report.title}", "", report.summary, "", "| | |", "|---|---|")
    yield from (f"| {name} | {_cell(value)} |" for name, value in report.rows)
    yield from ("", f"satjudge {__version__}")


def _known(report: Report) -> Iterator[str]:
    if report.known:
        yield from ("", "## Explained differences")
    for account in report.known:
        yield from ("", f"### {account.finding.explanation}", "", *_account(account))
    if report.together:
        rows = ((name, f"{boards:,}") for name, boards in report.together)
        yield from ("", "### Several together", "", *_table(("", "boards"), rows))


def _findings(report: Report) -> Iterator[str]:
    if report.findings:
        yield from ("", "## Findings")
    for number, account in enumerate(report.findings, 1):
        yield from ("", f"### {number}. {account.finding.shape}", "", *_account(account))


def _account(account: Account) -> Iterator[str]:
    yield from (account.counted, "", "```", *account.sheet, "```", "")
    yield from _table(("", "satjudge", "the other"), account.rows)
    if account.reasons:
        yield from ("", *(f"- {reason}" for reason in account.reasons))
    yield from ("", f"`{account.command}`")


def _table(heading: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    for cells in (heading, ["---"] * len(heading), *rows):
        yield f"| {' | '.join(map(_cell, cells))} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


# ---- HTML ----

_PAGE = Template("""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
table { border-collapse: collapse; margin: 1rem 0; }
td, th { border: 1px solid #ccc; padding: .2rem .6rem; text-align: left; vertical-align: top; }
pre { background: #f4f4f4; padding: .8rem; overflow-x: auto; }
code { background: #f4f4f4; overflow-wrap: anywhere; }
section { border-top: 1px solid #ccc; margin-top: 2rem; }
figure { margin: 0; }
svg { max-width: 100%; height: auto; }
</style>
</head>
<body>
<h1>$title</h1>
<p>$summary</p>
<table>$rows</table>
$explained
$findings
<footer><p>satjudge $version</p></footer>
</body>
</html>
""")

_SECTION = Template("""<section id="$name">
<h3>$heading</h3>
<p>$text</p>
<figure>$picture</figure>
<pre>$case</pre>
<table><tr><th></th><th>satjudge</th><th>the other</th></tr>$differences</table>
<ul>$reasons</ul>
<p><code>$command</code></p>
</section>
""")


def html(report: Report) -> str:
    """The report as one HTML page."""
    known = [_section(report, account, account.finding.explanation or "") for account in report.known]
    findings = [
        _section(report, account, f"{number}. {account.finding.shape}") for number, account in enumerate(report.findings, 1)
    ]
    return _PAGE.substitute(
        title=escape(report.title),
        summary=escape(report.summary),
        rows=_html_rows(report.rows),
        explained="\n".join(["<h2>Explained differences</h2>", *known, _several(report)] if known else []),
        findings="\n".join(["<h2>Findings</h2>", *findings] if findings else []),
        version=__version__,
    )


def _several(report: Report) -> str:
    rows = [(name, f"{boards:,}") for name, boards in report.together]
    return f"<h3>Several together</h3>\n<table>{_html_rows(rows)}</table>" if rows else ""


def _section(report: Report, account: Account, heading: str) -> str:
    return _SECTION.substitute(
        name=escape(account.case.name.rpartition(".")[0]),
        heading=escape(heading),
        text=escape(account.counted),
        picture=_picture(report, account.finding),
        case=escape("\n".join(account.sheet)),
        differences=_html_rows(account.rows),
        reasons="".join(f"<li>{escape(reason)}</li>" for reason in account.reasons),
        command=escape(account.command),
    )


def _html_rows(rows: Iterable[Sequence[str]]) -> str:
    return "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)


def _picture(report: Report, finding: Finding) -> str:
    """What satjudge says of the finding, drawn on the map."""
    svg = picture([scene_of(judged(report.campaign, finding))], look=Look(theme="light", legend=False))
    return str(svg)
