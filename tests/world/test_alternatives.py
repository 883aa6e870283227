"""Every alternative of DATC chapter 4 can be chosen, or docs/reference/rulebooks.md says why not (datc_cases/options.toml)."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from satjudge.base.resources import data_directory
from satjudge.world.rules import load_rulebook

ROOT = Path(__file__).parents[2]
LISTED = tomllib.loads((data_directory() / "datc_cases" / "options.toml").read_text(encoding="utf-8"))["alternative"]
SEEDS = sorted(ROOT.parent.glob("shared/seeds/004_*"))


@pytest.mark.parametrize("text", LISTED)
def test_every_alternative_can_be_chosen_or_is_told_to_be_left_out(text: str) -> None:
    told = " ".join((ROOT / "docs" / "reference" / "rulebooks.md").read_text(encoding="utf-8").split())
    for issue, alternatives in LISTED[text].items():
        for one in alternatives:
            if one.startswith("left out: "):
                assert f"**{one.removeprefix('left out: ')}**" in told, f"{text}, {issue}"
            else:
                load_rulebook().with_settings(part.strip() for part in one.split(","))


@pytest.mark.skipif(not SEEDS, reason="the text of the DATC is not at hand")
def test_no_numbered_alternative_of_datc_3_is_missing() -> None:
    text = SEEDS[0].read_text(encoding="utf-8")
    begin, end = text.index("\n4.A.1. MULTI-ROUTE CONVOY DISRUPTION"), text.index("\n5. THE PROCESS", text.index("\n4.E.6. "))
    chapter = text[begin:end]
    sections = re.split(r"\n(?=4\.[A-E]\.\d+\. )", chapter)[1:]
    counted = {section.split(". ")[0]: len(re.findall(r"\n +\d+\. ", section)) for section in sections}
    # In 4.A.2 a quoted letter is numbered as well, and the two wordings of Szykman's rule are one number.
    assert counted == {issue: len(alternatives) for issue, alternatives in LISTED["3.2"].items()}
