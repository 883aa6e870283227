"""Writes the results of an engine on the kit as JUnit XML, which CI services show: parts are suites, questions are cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from xml.etree.ElementTree import Element, SubElement, indent

from satjudge.base.words import shown
from satjudge.engines.conformance.kit import name_of
from satjudge.engines.conformance.querying import EXPLAINED
from satjudge.engines.documents.conformance import Conformance, Otherwise, PartAsked
from satjudge.show.conformance import finding_text, headline
from satjudge.show.pictures.composition import element_text


def junit(found: Conformance, parts: Mapping[str, Sequence[bytes]]) -> str:
    """Write the results of an engine on the kit as JUnit XML; `parts` are the batch lines that were asked.

    A question that is not compared is skipped, with the reason. That the engine contradicts itself, or was lost, is a case of
    its own.
    """
    suites = Element("testsuites", name=f"satjudge conformance against {found.against}, rulebook {found.rulebook.name}")
    if found.diagnosis:
        _added(_added(suites, "testsuite", name="diagnosis"), "system-out", f"The engine {found.diagnosis.says}.")
    for part in found.parts:
        _suite(suites, part, [*map(name_of, parts[part.part])], lost=bool(found.lost))
    conduct = {one.how: f"{one.question}, {one.how}: {one.said}" for one in found.contradicting}
    conduct |= {"lost": found.lost} if found.lost else {}
    for how, said in conduct.items():
        suite = _added(suites, "testsuite", name="conduct")
        case = _added(suite, "testcase", classname="satjudge.conduct", name=how)
        _added(case, "failure", said, type=how, message=said)
    for suite in suites:
        for tag, name in (("testcase", "tests"), ("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
            suite.set(name, str(sum(1 for _ in suite.iter(tag))))
    for name in ("tests", "failures", "errors", "skipped"):
        suites.set(name, str(sum(int(suite.get(name, 0)) for suite in suites)))
    indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + element_text(suites, "xml") + "\n"


def _suite(suites: Element, part: PartAsked, names: Sequence[str], *, lost: bool) -> None:
    """Write the questions of a part; those that were not asked because the engine was lost are left out."""
    suite = _added(suites, "testsuite", name=part.part)
    findings = {finding.question: finding for finding in part.findings}
    last = part.asked + part.not_asked if lost else len(names)
    for name in names[:last]:
        case = _added(suite, "testcase", classname=f"satjudge.{part.part}", name=name)
        if name in findings:
            _fail(case, findings[name])
        elif (why := part.others.get(name, "")).startswith(EXPLAINED):
            _added(case, "system-out", why)
        elif why:
            _added(case, "skipped", message=why)


def _fail(case: Element, finding: Otherwise) -> None:
    kind = finding.differences[0].kind
    _added(case, "failure", finding_text(finding), type=kind, message=headline(finding))


def _added(parent: Element, tag: str, content: str = "", **attributes: str) -> Element:
    """Add a new element to its parent, with texts that XML can hold."""
    made = SubElement(parent, tag, {name: shown(text) for name, text in attributes.items()})
    made.text = shown(content) or None
    return made
