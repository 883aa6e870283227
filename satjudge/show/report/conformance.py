"""Makes the page about an engine's results on the kit: its diagnosis, scores, and findings with pictures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

import msgspec

from satjudge.base.errors import InputError, UnresolvedError
from satjudge.base.words import in_short, number_of
from satjudge.engines.documents.conformance import Conformance, Otherwise, Shown, told_share
from satjudge.files.batch_lines import Request, RequestReader, read_request
from satjudge.judging.judge import judge_read
from satjudge.show.conformance import VERDICTS, verdicts
from satjudge.show.pictures import scene_of
from satjudge.show.report.html import Content, Folded, Section, node, page, prose, table
from satjudge.show.report.shared_maps import SharedMaps
from satjudge.world.board import Phase, grouped
from satjudge.world.rules import Rulebook

_DRAWN = 5
_LISTED = 200
"""The most findings of a topic that are listed behind those with a picture."""


def conformance_page(run: Conformance) -> str:
    """Make a self-contained HTML page about an engine's results on the kit."""
    made = f"Made by satjudge {run.satjudge}, rulebook {run.rulebook.name}."
    score = f"Score {told_share(run.score)}" if run.score is not None else "Nothing compared"
    subtitle = f"{score} under the rulebook {run.rulebook.name}."
    return page(f"{run.against} on the kit of satjudge", _sections(run), subtitle=subtitle, made=made)


def _sections(run: Conformance) -> Iterator[Section]:
    maps, rulebook = SharedMaps(), run.rulebook.rulebook()
    yield Section("Diagnosis", [*_diagnosis(maps, rulebook, run)], "diagnosis")
    shares = [(one.topic, f"{one.right:,}", f"{one.compared:,}", told_share(one.share)) for one in run.topics]
    headings = ("Topic", "right", "of", "")
    mean = node("p", "The score of the engine is the mean of its topics.", class_="faint")
    yield Section("Scores", [table(headings, shares, "Scores", numbers=(1, 2, 3)), mean], "scores")
    by_topic = grouped((finding.topic, finding) for part in run.parts for finding in part.findings)
    folded = [
        Folded(topic, number_of(len(found), "finding"), [*_topic(maps, rulebook, found)], f"topic-{number}")
        for number, (topic, found) in enumerate(by_topic.items(), 1)
    ]
    nothing = None if folded else node("p", "Nothing differs that is not explained.")
    yield Section("Findings", [nothing, *maps.maps()], "findings", folded)
    yield Section("Parts", [_parts(run)], "parts")


def _diagnosis(maps: SharedMaps, rulebook: Rulebook, run: Conformance) -> Iterator[Content]:
    """Write the faults of the engine: in a sentence, then cause by cause with the smallest evidence for each."""
    found = run.diagnosis
    if found:
        yield node("p", node("strong", f"The engine {found.says}."))
        yield node("p", found.counted)
    yield node("p", run.summary)
    yield from (node("p", f"{one.question}, {one.how}: {one.said}") for one in run.contradicting)
    for cause in found.causes if found else ():
        instead = f" Or, which the answers do not tell from it: {in_short(cause.instead)}." if cause.instead else ""
        yield node("h3", cause.says)
        yield node("p", f"{cause.counted(found.differing)}{instead}".strip() if found else "", class_="faint")
        for shown in cause.evidence:
            yield from _shown(maps, rulebook, shown)
    if found and found.unexplained:
        yield node("h3", number_of(len(found.unexplained), "unexplained answer"))
        yield from (node("p", f"In some cases only, perhaps: {one.told}") for one in found.near)
        for shown in found.unexplained[:_DRAWN]:
            yield from _shown(maps, rulebook, shown)


def _shown(maps: SharedMaps, rulebook: Rulebook, shown: Shown) -> Iterator[Content]:
    """Write a question with the engine's answer, and draw what becomes of it by satjudge."""
    yield node("h4", f"{shown.question}, {shown.phase} phase")
    rows = [
        (
            power,
            ", ".join((*shown.units.get(power, ()), *(f"{unit} (dislodged)" for unit in shown.dislodged.get(power, ())))),
            *([", ".join(shown.centers.get(power, ()))] if shown.centers else []),
            *("; ".join(told.get(power, ())) for told in (shown.orders, shown.expected, shown.said)),
        )
        for power in dict.fromkeys((*shown.units, *shown.dislodged, *shown.orders, *shown.said))
    ]
    headings = ["", "units", *(["centres"] if shown.centers else []), "orders", "expected", "the engine said"]
    yield table(headings, rows, "What was expected, and what the engine said")
    if shown.phase == Phase.MOVEMENT:
        line = msgspec.json.encode({"units": shown.units, "orders": shown.orders})
        yield from _pictures(maps, rulebook, line)


def _parts(run: Conformance) -> Content:
    headings = ("Part", "asked", "agree", "explained", "no answer by the rulebook", "skipped", "not asked", "differ")
    rows = [(name, *(f"{number:,}" for number in numbers)) for name, *numbers in run.rows]
    return table(headings, rows, "Parts", numbers=range(1, len(headings)))


def _topic(maps: SharedMaps, rulebook: Rulebook, found: Sequence[Otherwise]) -> Iterator[Content]:
    """Write the smallest findings of a topic, each with a picture, and a list of others."""
    smallest = sorted(found, key=lambda finding: len(finding.line))
    yield from chain.from_iterable(_finding(maps, rulebook, finding) for finding in smallest[:_DRAWN])
    if rest := smallest[_DRAWN:]:
        rows = [(one.question, one.part, *_first(one)) for one in rest[:_LISTED]]
        yield node("h4", "Others")
        yield table(["Question", "Part", "", "satjudge", "the other"], rows, "Others")
    if len(rest) > _LISTED:
        yield node("p", f"And {number_of(len(rest) - _LISTED, 'more', 'more')}; --json tells them all.", class_="faint")


def _first(finding: Otherwise) -> tuple[Content, ...]:
    one = finding.differences[0]
    return one.whose, one.ours, prose(one.theirs)


def _finding(maps: SharedMaps, rulebook: Rulebook, finding: Otherwise) -> Iterator[Content]:
    yield node("h4", f"{finding.question} ", node("span", f"part {finding.part}", class_="faint"))
    rows = [(power, order, prose(ours), prose(theirs)) for power, order, ours, theirs in verdicts(finding)]
    yield table(VERDICTS, rows, "Orders, and units that differ")
    yield from _pictures(maps, rulebook, finding.line.encode())
    if finding.reasons:
        yield node("ul", *(node("li", reason) for reason in finding.reasons))
    yield node("p", node("code", finding.again))
    yield node("details", node("summary", "The batch line"), node("pre", finding.line))


def _pictures(maps: SharedMaps, rulebook: Rulebook, line: bytes) -> Iterator[Content]:
    """Draw what becomes of the orders by satjudge; nothing where that is not known."""
    try:
        reader = RequestReader(read_request(line, Request))
        outcome = judge_read(reader.board(), reader.orders(), rulebook)
    except (InputError, UnresolvedError):
        return
    yield from maps.figures([scene_of(outcome)])
