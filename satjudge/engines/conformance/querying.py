"""Asks an engine the questions of a kit, part by part, and lists the answers that differ from satjudge's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from satjudge.base.errors import OracleLostError, OracleSkipError, RequestError, UnresolvedError
from satjudge.engines.campaign import VARYING, Campaign, format_failure
from satjudge.engines.comparison import Depth, Difference
from satjudge.engines.conformance.engine_answers import RecordingCampaign
from satjudge.engines.conformance.hypotheses import answer_position
from satjudge.engines.conformance.kit import KitQuestion, digest_answers, read_name
from satjudge.engines.conformance.scores import find_topic, make_scores
from satjudge.engines.documents.campaigns import INTERNAL
from satjudge.engines.documents.conformance import SKIPPED, SKIPPED_FOR, Conformance, Contradiction, Otherwise, PartAsked
from satjudge.engines.positions import AskedPosition, parse_position
from satjudge.engines.registry import ORACLES, get_phases
from satjudge.engines.report import format_command, list_reasons
from satjudge.notation.documents import document_origin

SHALLOW: Mapping[str, Depth] = {"map": Depth.POSITIONS}
"""The depth of comparison in parts where engines may use different words: borders show in where units are."""

AGREED, EXPLAINED, UNRESOLVED, NOT_ASKED = "agreed", "explained", "no answer by the rulebook", "not asked"
"""The results of questions that are no findings."""
ASKED_OTHERWISE = ("datc", "clauses")
EVERY_SO_MANY_OTHERWISE = 5
"""The step between questions of a part that are asked in other forms as well (`satjudge.engines.comparison`)."""


def make_empty_conformance(campaign: Campaign) -> Conformance:
    """Make the document of a campaign before any question is asked."""
    return Conformance(
        **document_origin(campaign.rulebook), against=campaign.contact.against, dialect=campaign.contact.dialect,
        depth=campaign.depth,
        parts=[],
    )  # fmt: skip


def ask_kit(
    campaign: Campaign,
    parts: Mapping[str, Sequence[bytes]],
    on_progress: Callable[[int], None] = lambda number: None,
    into: Conformance | None = None,
) -> Conformance:
    """Ask the engine of a campaign all questions of some parts, given as batch lines, and compare its answers.

    The results so far are kept in `into`, if that is given, also if asking is interrupted.
    """
    found = make_empty_conformance(campaign) if into is None else into
    counted: dict[str, tuple[int, int]] = {}
    try:
        _ask_parts(campaign, parts, counted, on_progress, found)
    except KeyboardInterrupt:
        found.lost = f"It was interrupted in the part {found.parts[-1].part}." if found.parts else "It was interrupted."
        raise
    finally:
        found.topics = make_scores(counted)
    return found


def _ask_parts(
    campaign: Campaign,
    parts: Mapping[str, Sequence[bytes]],
    counted: dict[str, tuple[int, int]],
    on_progress: Callable[[int], None],
    found: Conformance,
) -> None:
    """Ask the questions part by part, until the engine is lost."""
    for name, lines in parts.items():
        part = PartAsked(name)
        found.parts.append(part)
        try:
            _ask_part(set_part_depth(campaign, name), part, lines, counted, on_progress)
            if name in ASKED_OTHERWISE and not found.contradicting:
                found.contradicting = find_first_contradictions(campaign, lines)
        except OracleLostError as error:
            found.lost = f"The engine was lost in the part {name}: {error.message}"
            break


def set_part_depth(campaign: Campaign, name: str) -> Campaign:
    """Return the campaign with the depth at which it compares answers to the questions of a part."""
    depth = SHALLOW.get(name, campaign.depth)
    return replace(campaign, depth=depth) if campaign.depth.includes(depth) else campaign


def find_first_contradictions(campaign: Campaign, lines: Sequence[bytes]) -> list[Contradiction]:
    """Find the first question on which the engine contradicts itself when it is asked in another form, if any."""
    for line in lines[::EVERY_SO_MANY_OTHERWISE]:
        if (position := read_position(campaign.contact.against, line)) and (varying := campaign.find_contradiction(position)):
            return [Contradiction(position.name, varying.kind.removeprefix(VARYING), varying.theirs)]
    return []


def _ask_part(
    campaign: Campaign,
    part: PartAsked,
    lines: Sequence[bytes],
    counted: dict[str, tuple[int, int]],
    on_progress: Callable[[int], None],
) -> None:
    """Ask the questions of one part, and count by topic how many were compared and how many agree."""
    for line in lines:
        if position := read_position(campaign.contact.against, line):
            asked = ask_question(campaign, part.part, position)
            _count_question(part, asked)
            if asked.is_compared:
                compared, right = counted.get(asked.topic, (0, 0))
                counted[asked.topic] = compared + 1, right + (asked.finding is None)
        else:
            part.not_asked += 1
            part.others[read_name(line)] = NOT_ASKED
        on_progress(1)


def _count_question(part: PartAsked, asked: AskedQuestion) -> None:
    part.asked += 1
    part.agreed += asked.why == AGREED
    part.explained += asked.why.startswith(EXPLAINED)
    part.unresolved += asked.why == UNRESOLVED
    part.skipped += asked.why.startswith(SKIPPED)
    if asked.finding:
        part.findings.append(asked.finding)
    elif asked.why != AGREED:
        part.others[asked.question] = asked.why


def read_position(against: str, line: bytes) -> AskedPosition | None:
    """Read the position of a question; None if the engine is not asked about its phase, its map or its orders."""
    try:
        position = _read_cached(line)
    except RequestError:  # orders of another phase, or permissions to pass a canal
        return None
    oracle = ORACLES.get(against)
    known = position.board.phase in get_phases(against) and (oracle is None or oracle.maps.includes(position.board.map))
    return position if known else None


@lru_cache(maxsize=10_000)
def _read_cached(line: bytes) -> AskedPosition:
    """Read a question, cached because several engines may be asked in one process."""
    return parse_position(line)


def compute_digests(campaign: RecordingCampaign, lines: Sequence[bytes]) -> tuple[str, str]:
    """Compute one number each for satjudge's and the engine's answers to some questions; empty if answers are missing.

    Questions of phases that the engine is not asked about are left out of both.
    """
    positions = [one for line in lines if (one := read_position(campaign.contact.against, line))]
    ours = [(one.name, answer) for one in positions if (answer := answer_position(one, campaign.rulebook))]
    heard = [campaign.said.get(name) for name, _ in ours]
    theirs = [(one.position.name, one.theirs) for one in heard if one and one.theirs]
    return digest_answers(ours), digest_answers(theirs) if len(theirs) == len(ours) else ""


@dataclass(frozen=True)
class AskedQuestion:
    """A question with its result."""

    question: str
    topic: str
    why: str = ""
    """`agreed`, or why a difference is no finding: it is explained, skipped and so on; empty if there is a finding."""
    finding: Otherwise | None = None

    @property
    def is_compared(self) -> bool:
        """Return whether the engine's answer could be compared."""
        return bool(self.finding) or self.why == AGREED or self.why.startswith(EXPLAINED)


def ask_question(campaign: Campaign, part: str, position: AskedPosition) -> AskedQuestion:
    """Ask the engine one question of a part, and compare its answer.

    Raises `OracleLostError`.
    """
    topic = find_topic(position.board, position.orders, campaign.rulebook)
    try:
        compared = campaign.compare(position)
        explained = campaign.format_explanation(compared) if compared.differences else None
    except OracleLostError:
        raise
    except UnresolvedError:
        return AskedQuestion(position.name, topic, UNRESOLVED)
    except OracleSkipError as error:
        return AskedQuestion(position.name, topic, f"{SKIPPED_FOR}{error}" if str(error) else SKIPPED)
    except Exception as error:  # of satjudge's own; what an oracle raises is a difference
        compared, explained = campaign.make_single_difference(position, INTERNAL, format_failure(error), ""), None
    if explained is not None:
        return AskedQuestion(position.name, topic, f"{EXPLAINED}: {explained}")
    if not compared.differences:
        return AskedQuestion(position.name, topic, AGREED)
    finding = _describe_result(campaign, part, topic, compared.position, list_reasons(campaign, compared), compared.differences)
    return AskedQuestion(position.name, topic, finding=finding)


def describe_question_result(campaign: Campaign, part: PartAsked, line: bytes) -> Otherwise | None:
    """Describe the result of a question in a part, with its board, even if nothing differs; None if it was not asked."""
    position = read_position(campaign.contact.against, line)
    if position is None:
        return None
    if differing := [one for one in part.findings if one.question == position.name]:
        return differing[0]
    topic = find_topic(position.board, position.orders, campaign.rulebook)
    why = [part.others[position.name]] if position.name in part.others else []
    return _describe_result(campaign, part.part, topic, position, why)


def _describe_result(
    campaign: Campaign, part: str, topic: str, position: AskedPosition, why: list[str], differences: Sequence[Difference] = ()
) -> Otherwise:
    """Describe the result of a question, with its batch line and the command that asks it again."""
    question = KitQuestion(position.name, position.board, position.orders, campaign.rules, campaign.settings)
    try:
        line = question.answered_line
    except Exception:  # of satjudge's own, which is told already
        line = question.question_line
    again = format_command(campaign, ["--part", part, "--only", position.name], "conformance")
    return Otherwise(position.name, list(differences), part, topic, why, line.decode(), again)
