"""Makes pages of engines: a table of engines and topics, and for each engine the smallest question of every topic."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from satjudge.base.errors import InputError, UnresolvedError
from satjudge.base.words import number_of
from satjudge.engines.documents.conformance import Otherwise, told_share
from satjudge.engines.documents.engines import AboutEngine, EngineRun
from satjudge.files.batch_lines import Request, RequestReader, read_request
from satjudge.judging.judge import AnyOutcome, judge_read
from satjudge.notation.parse import parse_unit
from satjudge.show.conformance import VERDICTS, verdicts
from satjudge.show.pictures import position, scene_of
from satjudge.show.report.html import Content, Section, node, page, prose, table
from satjudge.show.report.shared_maps import SharedMaps
from satjudge.world.board import Board, Unit
from satjudge.world.rules import Rulebook

_BRACKETS = re.compile(r"\[([^]]*)\]")
_CLAUSE = re.compile(r"\b\d+\.[A-Z](?:\.\d+)?\b")
"""The number of a clause of the DATC: `5.B.1`."""
INDEX = "index.html"


def engine_pages(engines: Sequence[EngineRun]) -> dict[str, str]:
    """Make the pages of engines, by the names of their files: the table, and a page for each engine."""
    return {INDEX: _index(engines), **{f"{engine.name}.html": _engine(engine) for engine in engines}}


# ---- the table ----


def _index(engines: Sequence[EngineRun]) -> str:
    topics = [*dict.fromkeys(topic for engine in engines for topic in engine.scores)]
    rows = [
        (
            node("a", engine.title, href=f"{engine.name}.html"),
            prose(f"{engine.about.release} {engine.about.language}".strip()),
            engine.run.rulebook.name,
            told_share(engine.run.score) if engine.run.score is not None else "",
            *(_cell(engine, topic) for topic in topics),
        )
        for engine in sorted(engines, key=lambda one: (-(one.run.score or 0), one.title))
    ]
    headings = ["Engine", "", "asked by", "score", *topics]
    told = node(
        "p",
        "Each engine was asked the questions of the conformance kit. A cell is the share of the questions on a topic that it"
        " answers as the rulebook does by which it was asked; it leads to the smallest question that it answers otherwise, with"
        " both answers. An engine is not wrong because it plays another rulebook. The score is the mean of the topics.",
    )
    scores = Section("Engines and topics", [told, table(headings, rows, "Scores", numbers=range(3, len(headings)))], "scores")
    version = engines[0].run.satjudge if engines else ""
    return page(f"{number_of(len(engines), 'engine')} on the kit", [scores], made=f"Made by satjudge {version}.")


def _cell(engine: EngineRun, topic: str) -> Content:
    score = engine.scores.get(topic)
    if score is None:
        return ""
    title = f"{score.right:,} of {score.compared:,}"
    share = told_share(score.share)
    if topic not in engine.smallest:
        return node("span", share, title=title)
    return node("a", share, href=f"{engine.name}.html#{_identity(topic)}", title=title)


def _identity(topic: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", topic.lower())


# ---- an engine ----


def _engine(engine: EngineRun) -> str:
    run = engine.run
    score = f"Score {told_share(run.score)}" if run.score is not None else "Nothing compared"
    made = f"Made by satjudge {run.satjudge}, rulebook {run.rulebook.name}."
    return page(engine.title, _sections(engine), subtitle=f"{score} under the rulebook {run.rulebook.name}.", made=made)


def _sections(engine: EngineRun) -> Iterator[Section]:
    maps, rulebook, smallest = SharedMaps(), engine.run.rulebook.rulebook(), engine.smallest
    yield Section("The engine", [*_about(engine.about), node("p", node("a", "All engines", href=INDEX))], "engine")
    if engine.about.claims:
        yield Section("What it does otherwise", [*_claims(engine.about)], "claims")
    for topic, score in engine.scores.items():
        if topic in smallest:
            told = f"{score.right:,} of {number_of(score.compared, 'question')} as by the rulebook. The smallest other one:"
            shown = [node("p", told, class_="faint"), *_question(maps, rulebook, smallest[topic])]
            yield Section(f"{topic.capitalize()}, {told_share(score.share)}", shown, _identity(topic))
    right = [topic for topic in engine.scores if topic not in smallest]
    whole = node("p", f"As by the rulebook: {', '.join(right)}." if right else "It answers otherwise on every topic.")
    yield Section("All else", [whole, *maps.maps()], "right")


def _about(about: AboutEngine) -> Iterator[Content]:
    told = {"Release": about.release, "Language": about.language, "Source": about.home}
    rows = [(name, node("a", text, href=text) if text.startswith("https://") else text) for name, text in told.items() if text]
    if rows:
        yield table(["", ""], rows, "The engine")


def _claims(about: AboutEngine) -> Iterator[Content]:
    """Write what is said of an engine, each with the line of its source or the position that shows it."""
    for claim in about.claims:
        seen = [node("code", text) for text in (claim.source, claim.position) if text]
        yield node("p", claim.says, " ", *(part for one in seen for part in (one, " ")))


def _question(maps: SharedMaps, rulebook: Rulebook, finding: Otherwise) -> Iterator[Content]:
    """Write a question with both answers, and draw both: orders with their verdicts, and where the engine leaves the units."""
    yield node("h3", finding.question)
    if clauses := _clauses(finding):
        yield node("p", f"DATC {', '.join(clauses)}", class_="faint")
    rows = [(power, order, prose(ours), prose(theirs)) for power, order, ours, theirs in verdicts(finding)]
    yield table(VERDICTS, rows, "Orders, and units that differ")
    try:
        reader = RequestReader(read_request(finding.line.encode(), Request))
        outcome = judge_read(reader.board(), reader.orders(), rulebook)
    except (InputError, UnresolvedError):
        return
    scenes = [scene_of(outcome, "The answer by the rulebook")]
    if (left := _left_by_engine(outcome, finding)) is not None:
        scenes.append(position(left, "Where the engine leaves the units"))
    yield node("div", *maps.figures(scenes), class_="pair")
    if finding.reasons:
        yield node("ul", *(node("li", reason) for reason in finding.reasons))
    yield node("details", node("summary", "The batch line"), node("pre", finding.line))


def _clauses(finding: Otherwise) -> list[str]:
    """List the clauses of the DATC that satjudge's reasons for what differs name, each once."""
    named = (clause for reason in finding.reasons for told in _BRACKETS.findall(reason) for clause in _CLAUSE.findall(told))
    return list(dict.fromkeys(named))


def _left_by_engine(outcome: AnyOutcome, finding: Otherwise) -> Board | None:
    """Return the board as the engine leaves it; None where units fare as by the rulebook, or cannot stand so."""
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
        return Board(tuple(units.values()), map=board.map).checked()
    except InputError:  # two units in one province, or one that is nowhere
        return None
