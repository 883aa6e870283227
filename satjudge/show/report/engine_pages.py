"""Makes HTML pages about engines' results on the kit: a table of engines, and for each its diagnosis, scores and findings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain

import msgspec

from satjudge.base.errors import InputError, UnresolvedError
from satjudge.base.words import join_first_names, number_of
from satjudge.engines.documents.conformance import AboutEngine, Conformance, EngineRun, Otherwise, Shown, format_share
from satjudge.files.batch_lines import Request, RequestReader, read_request
from satjudge.judging.judge import AnyOutcome, judge_parsed_orders
from satjudge.notation.parse import parse_unit
from satjudge.show.engines import VERDICTS, iter_verdict_rows
from satjudge.show.pictures import position, scene_of
from satjudge.show.report.html import Content, Fold, Section, SharedMaps, format_page, make_node, make_prose, make_table
from satjudge.world.board import Board, Phase, Unit, group_pairs
from satjudge.world.rules import Rulebook

_DRAWN = 5
_LISTED = 200
"""The maximum number of findings of a topic that are listed without a picture."""


def make_conformance_page(run: Conformance) -> str:
    """Return a self-contained HTML page about an engine's results on the kit."""
    footer = f"Made by satjudge {run.satjudge}, rulebook {run.rulebook.name}."
    score = f"Score {format_share(run.score)}" if run.score is not None else "Nothing compared"
    subtitle = f"{score} under the rulebook {run.rulebook.name}."
    return format_page(f"{run.against} on the kit of satjudge", _iter_kit_sections(run), subtitle=subtitle, footer=footer)


def _iter_kit_sections(run: Conformance) -> Iterator[Section]:
    maps, rulebook = SharedMaps(), run.rulebook.rulebook()
    yield Section("Diagnosis", [*_iter_diagnosis(maps, rulebook, run)], "diagnosis")
    shares = [(one.topic, f"{one.right:,}", f"{one.compared:,}", format_share(one.share)) for one in run.topics]
    headings = ("Topic", "right", "of", "")
    mean = make_node("p", "The score of the engine is the mean of its topics.", class_="faint")
    yield Section("Scores", [make_table(headings, shares, "Scores", numbers=(1, 2, 3)), mean], "scores")
    by_topic = group_pairs((finding.topic, finding) for part in run.parts for finding in part.findings)
    folded = [
        Fold(topic, number_of(len(found), "finding"), [*_iter_topic(maps, rulebook, found)], f"topic-{number}")
        for number, (topic, found) in enumerate(by_topic.items(), 1)
    ]
    nothing = None if folded else make_node("p", "There are no findings.")
    yield Section("Findings", [nothing, *maps.iter_maps()], "findings", folded)
    yield Section("Parts", [_make_part_table(run)], "parts")


def _iter_diagnosis(maps: SharedMaps, rulebook: Rulebook, run: Conformance) -> Iterator[Content]:
    """Yield an engine's diagnosis (if any), summary and contradictions as HTML, then causes and unexplained answers."""
    found = run.diagnosis
    if found:
        yield make_node("p", make_node("strong", f"The engine {found.says}."))
        yield make_node("p", found.count_text)
    yield make_node("p", run.summary)
    yield from (make_node("p", f"{one.question}, {one.how}: {one.said}") for one in run.contradicting)
    for cause in found.causes if found else ():
        instead = f" The answers do not distinguish this from: {join_first_names(cause.instead)}." if cause.instead else ""
        yield make_node("h3", cause.says)
        yield make_node("p", f"{cause.format_count(found.differing)}{instead}".strip() if found else "", class_="faint")
        for shown in cause.evidence:
            yield from _format_evidence(maps, rulebook, shown)
    if found and found.unexplained:
        yield make_node("h3", number_of(len(found.unexplained), "unexplained answer"))
        for shown in found.unexplained[:_DRAWN]:
            yield from _format_evidence(maps, rulebook, shown)


def _format_evidence(maps: SharedMaps, rulebook: Rulebook, example: Shown) -> Iterator[Content]:
    """Yield a question as a table with both answers, and for a movement phase a picture of satjudge's outcome."""
    yield make_node("h4", f"{example.question}, {example.phase} phase")
    rows = [
        (
            power,
            ", ".join((*example.units.get(power, ()), *(f"{unit} (dislodged)" for unit in example.dislodged.get(power, ())))),
            *([", ".join(example.centers.get(power, ()))] if example.centers else []),
            *("; ".join(texts.get(power, ())) for texts in (example.orders, example.expected, example.said)),
        )
        for power in dict.fromkeys((*example.units, *example.dislodged, *example.orders, *example.said))
    ]
    headings = ["", "units", *(["centres"] if example.centers else []), "orders", "expected", "the engine said"]
    yield make_table(headings, rows, "What was expected, and what the engine said")
    if example.phase == Phase.MOVEMENT:
        line = msgspec.json.encode({"units": example.units, "orders": example.orders})
        yield from _iter_pictures(maps, rulebook, line)


def _make_part_table(run: Conformance) -> Content:
    headings = ("Part", "asked", "agree", "known", "no answer by the rulebook", "skipped", "not asked", "differ")
    rows = [(name, *(f"{number:,}" for number in numbers)) for name, *numbers in run.rows]
    return make_table(headings, rows, "Parts", numbers=range(1, len(headings)))


def _iter_topic(maps: SharedMaps, rulebook: Rulebook, findings: Sequence[Otherwise]) -> Iterator[Content]:
    """Yield the smallest findings of a topic as HTML, each with a picture, then a table of the other findings."""
    smallest = sorted(findings, key=lambda finding: len(finding.line))
    yield from chain.from_iterable(_iter_finding(maps, rulebook, finding) for finding in smallest[:_DRAWN])
    if rest := smallest[_DRAWN:]:
        rows = [(one.question, one.part, *_describe_first(one)) for one in rest[:_LISTED]]
        yield make_node("h4", "Others")
        yield make_table(["Question", "Part", "", "satjudge", "the other"], rows, "Others")
    if len(rest) > _LISTED:
        yield make_node("p", f"And {number_of(len(rest) - _LISTED, 'more', 'more')}; --json lists them all.", class_="faint")


def _describe_first(finding: Otherwise) -> tuple[Content, ...]:
    one = finding.differences[0]
    return one.subject_with_power, one.ours, make_prose(one.theirs)


def _iter_finding(maps: SharedMaps, rulebook: Rulebook, finding: Otherwise) -> Iterator[Content]:
    yield make_node("h4", f"{finding.question} ", make_node("span", f"part {finding.part}", class_="faint"))
    rows = [(power, order, make_prose(ours), make_prose(theirs)) for power, order, ours, theirs in iter_verdict_rows(finding)]
    yield make_table(VERDICTS, rows, "Orders, and units that differ")
    yield from _iter_pictures(maps, rulebook, finding.line.encode())
    if finding.reasons:
        yield make_node("ul", *(make_node("li", reason) for reason in finding.reasons))
    yield make_node("p", make_node("code", finding.again))
    yield make_node("details", make_node("summary", "The batch line"), make_node("pre", finding.line))


def _iter_pictures(maps: SharedMaps, rulebook: Rulebook, line: bytes) -> Iterator[Content]:
    """Yield a picture of satjudge's outcome for a batch line; nothing if it cannot be judged."""
    try:
        reader = RequestReader(read_request(line, Request))
        outcome = judge_parsed_orders(reader.board(), reader.orders(), rulebook)
    except (InputError, UnresolvedError):
        return
    yield from maps.iter_figures([scene_of(outcome)])


# ---- pages of several engines: a table of topics, and for each engine the smallest question of every topic ----

_BRACKETS = re.compile(r"\[([^]]*)\]")
_CLAUSE = re.compile(r"\b\d+\.[A-Z](?:\.\d+)?\b")
"""The number of a clause of the DATC: `5.B.1`."""
INDEX = "index.html"


def make_engine_pages(engines: Sequence[EngineRun]) -> dict[str, str]:
    """Return HTML pages by file name: one with a table of all engines, and one about each engine."""
    return {INDEX: _make_index(engines), **{f"{engine.name}.html": _make_engine_page(engine) for engine in engines}}


# ---- the table ----


def _make_index(engines: Sequence[EngineRun]) -> str:
    topics = [*dict.fromkeys(topic for engine in engines for topic in engine.scores)]
    rows = [
        (
            make_node("a", engine.title, href=f"{engine.name}.html"),
            make_prose(f"{engine.about.release} {engine.about.language}".strip()),
            engine.run.rulebook.name,
            format_share(engine.run.score) if engine.run.score is not None else "",
            *(_make_cell(engine, topic) for topic in topics),
        )
        for engine in sorted(engines, key=lambda one: (-(one.run.score or 0), one.title))
    ]
    headings = ["Engine", "", "asked by", "score", *topics]
    introduction = make_node(
        "p",
        "Each engine answered the questions of the conformance kit. A cell shows the share of the questions on a topic that"
        " the engine answers as its rulebook requires. The link leads to the smallest question that it answers differently,"
        " with both answers. An engine may follow another rulebook. The score is the mean of the topics.",
    )
    scores = Section(
        "Engines and topics", [introduction, make_table(headings, rows, "Scores", numbers=range(3, len(headings)))], "scores"
    )
    version = engines[0].run.satjudge if engines else ""
    return format_page(f"{number_of(len(engines), 'engine')} on the kit", [scores], footer=f"Made by satjudge {version}.")


def _make_cell(engine: EngineRun, topic: str) -> Content:
    score = engine.scores.get(topic)
    if score is None:
        return ""
    title = f"{score.right:,} of {score.compared:,}"
    share = format_share(score.share)
    if topic not in engine.smallest:
        return make_node("span", share, title=title)
    return make_node("a", share, href=f"{engine.name}.html#{_make_id(topic)}", title=title)


def _make_id(topic: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", topic.lower())


# ---- an engine ----


def _make_engine_page(engine: EngineRun) -> str:
    run = engine.run
    score = f"Score {format_share(run.score)}" if run.score is not None else "Nothing compared"
    footer = f"Made by satjudge {run.satjudge}, rulebook {run.rulebook.name}."
    return format_page(
        engine.title, _iter_sections(engine), subtitle=f"{score} under the rulebook {run.rulebook.name}.", footer=footer
    )


def _iter_sections(engine: EngineRun) -> Iterator[Section]:
    maps, rulebook, smallest = SharedMaps(), engine.run.rulebook.rulebook(), engine.smallest
    yield Section(
        "The engine", [*_format_engine_facts(engine.about), make_node("p", make_node("a", "All engines", href=INDEX))], "engine"
    )
    if engine.about.claims:
        yield Section("What it does differently", [*_iter_claims(engine.about)], "claims")
    for topic, score in engine.scores.items():
        if topic in smallest:
            text = f"{score.right:,} of {number_of(score.compared, 'question')} answered as required. The smallest other one:"
            nodes = [make_node("p", text, class_="faint"), *_iter_question(maps, rulebook, smallest[topic])]
            yield Section(f"{topic.capitalize()}, {format_share(score.share)}", nodes, _make_id(topic))
    right = [topic for topic in engine.scores if topic not in smallest]
    whole = make_node("p", f"As in the rulebook: {', '.join(right)}." if right else "It answers differently on every topic.")
    yield Section("Other topics", [whole, *maps.iter_maps()], "right")


def _format_engine_facts(about: AboutEngine) -> Iterator[Content]:
    facts = {"Release": about.release, "Language": about.language, "Source": about.home}
    rows = [
        (name, make_node("a", text, href=text) if text.startswith("https://") else text) for name, text in facts.items() if text
    ]
    if rows:
        yield make_table(["", ""], rows, "The engine")


def _iter_claims(about: AboutEngine) -> Iterator[Content]:
    """Yield the claims about an engine as HTML paragraphs, each with the source line or the position that shows it."""
    for claim in about.claims:
        seen = [make_node("code", text) for text in (claim.source, claim.position) if text]
        yield make_node("p", claim.says, " ", *(part for one in seen for part in (one, " ")))


def _iter_question(maps: SharedMaps, rulebook: Rulebook, finding: Otherwise) -> Iterator[Content]:
    """Yield a finding's question as HTML: clauses, both answers, and pictures of satjudge's outcome and the engine's units."""
    yield make_node("h3", finding.question)
    if clauses := _list_clauses(finding):
        yield make_node("p", f"DATC {', '.join(clauses)}", class_="faint")
    rows = [(power, order, make_prose(ours), make_prose(theirs)) for power, order, ours, theirs in iter_verdict_rows(finding)]
    yield make_table(VERDICTS, rows, "Orders, and units that differ")
    try:
        reader = RequestReader(read_request(finding.line.encode(), Request))
        outcome = judge_parsed_orders(reader.board(), reader.orders(), rulebook)
    except (InputError, UnresolvedError):
        return
    scenes = [scene_of(outcome, "The answer by the rulebook")]
    if (left := _make_engine_board(outcome, finding)) is not None:
        scenes.append(position(left, "Where the engine leaves the units"))
    yield make_node("div", *maps.iter_figures(scenes), class_="pair")
    if finding.reasons:
        yield make_node("ul", *(make_node("li", reason) for reason in finding.reasons))
    yield make_node("details", make_node("summary", "The batch line"), make_node("pre", finding.line))


def _list_clauses(finding: Otherwise) -> list[str]:
    """List the DATC clauses that satjudge's reasons for a finding's differences mention, each once."""
    clauses = (clause for reason in finding.reasons for text in _BRACKETS.findall(reason) for clause in _CLAUSE.findall(text))
    return list(dict.fromkeys(clauses))


def _make_engine_board(outcome: AnyOutcome, finding: Otherwise) -> Board | None:
    """Return the board after the phase as the engine has it; None if its units are as in the outcome, or impossible."""
    changed = [one for one in finding.differences if one.kind.startswith("unit ")]
    if not changed:
        return None
    board = outcome.board
    units: dict[tuple[str, str], Unit] = {(unit.power, str(unit)): unit for unit in outcome.units}
    try:
        for one in changed:
            if one.ours == "there":
                units.pop((one.power, one.subject), None)
            else:
                units[one.power, one.subject] = parse_unit(one.subject, one.power, board.map)
        return Board(tuple(units.values()), map=board.map).ensure_possible()
    except InputError:  # two units in one province, or one in no province
        return None
