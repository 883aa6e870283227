"""What a campaign found, with satjudge's reasons and the cases that rerun, as the document of `satjudge crosscheck --json`."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

from satjudge.crosscheck.campaign import TOGETHER, Campaign, Tally
from satjudge.crosscheck.case_files import case_file, reasons
from satjudge.crosscheck.comparison import unknown
from satjudge.crosscheck.findings import Finding, Findings
from satjudge.documents import made_by
from satjudge.documents.campaigns import Crosscheck, Differing, Failure, Found, Known

_FAILURES = 20
"""Boards on which satjudge failed that are told one by one."""


def crosscheck_document(
    campaign: Campaign, tally: Tally, found: Findings, directory: Path | None = None, lost: str = ""
) -> Crosscheck:
    """A campaign with all that came of it.

    The cases are named as they are saved in the `directory`, if they are; `lost` tells why the campaign ended before all
    boards were compared, if it did.
    """
    described = {key: value for key, value in campaign.described().items() if key not in ("rules", "settings")}
    because = {known.name: known.because for known in campaign.known}
    together = [(name, known.boards) for name, known in tally.explained.items() if TOGETHER in name]
    again = campaign.source.again
    return Crosscheck(
        **made_by(campaign.rulebook),
        **described,  # type: ignore[arg-type]  # what a source tells of itself
        boards=tally.boards,
        agreed=tally.agreed,
        unresolved=tally.unresolved,
        too_large=tally.too_large,
        differing=len(tally.differing),
        failed=len(tally.failed),
        failures=[Failure(shlex.join(again(one.board)), "internal", one.error) for one in tally.failed[:_FAILURES]],
        not_shrunk=found.left,
        lost=lost,
        unknown_words=_unknown_words(campaign, found),
        explained=[
            Known(**_told(campaign, one, directory), explanation=one.explanation, because=because.get(one.explanation, ""))
            for one in found.explained
            if one.explanation is not None
        ],
        explained_together=dict(sorted(together, key=lambda one: (-one[1], one[0]))),
        findings=[Found(**_told(campaign, one, directory)) for one in found.unexplained],
    )


def _told(campaign: Campaign, finding: Finding, directory: Path | None) -> dict[str, Any]:
    case = case_file(campaign, finding, directory)
    return {
        "shape": finding.shape,
        "units": finding.units,
        "boards": finding.boards,
        "came_from": finding.position.name,
        "differences": [
            Differing(one.kind, one.power, one.subject, str(one.ours), str(one.theirs), one.number)
            for one in finding.differences
        ],
        "reasons": reasons(campaign, finding),
        "case": case.text,
        "command": case.command,
    }


def _unknown_words(campaign: Campaign, found: Findings) -> list[str]:
    """The words of the other engine in what was found that are neither the DATC's nor in the dialect."""
    said = (one.theirs for finding in found.unexplained for one in finding.differences if one.number is not None)
    return sorted({word for verdict in said for word in unknown(verdict, campaign.contact.words)})
