"""Asks an engine the kit's questions, part by part, and lists the answers that differ from satjudge's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from json import dumps
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from satjudge.base.errors import OracleLostError, OracleSkipError, RequestError, UnresolvedError
from satjudge.base.resources import read_toml
from satjudge.engines.campaign import VARYING, Campaign, format_failure
from satjudge.engines.comparison import Depth, Difference
from satjudge.engines.conformance.evidence import RecordingCampaign
from satjudge.engines.conformance.hypotheses import answer_position
from satjudge.engines.connections.process_oracle import REFUSED
from satjudge.engines.connections.registry import ORACLES, RAISED, get_phases
from satjudge.engines.documents.campaigns import INTERNAL, Differing
from satjudge.engines.documents.conformance import (
    EXPECTED,
    SKIPPED,
    SKIPPED_FOR,
    Badge,
    Conformance,
    Contradiction,
    Otherwise,
    PartAsked,
    TopicScore,
    format_share,
)
from satjudge.engines.kit.parts import KitQuestion, digest_answers, normalize_name, read_name
from satjudge.engines.positions import AskedPosition, parse_position
from satjudge.engines.report import format_command, list_reasons
from satjudge.judging.backup import CIRCULAR
from satjudge.judging.judge import judge_parsed_orders
from satjudge.judging.legality import make_docket
from satjudge.judging.outcome import Outcome
from satjudge.judging.solve import Engine
from satjudge.notation.documents import document_origin
from satjudge.world.board import Board, Phase
from satjudge.world.geography import Power, UnitKind, province_of
from satjudge.world.orders import Convoy, Move, MovementOrder, Order, SupportHold, SupportMove
from satjudge.world.rules import Rulebook

SHALLOW: Mapping[str, Depth] = {"map": Depth.POSITIONS}
"""The depth of comparison for parts in which engines may use different words: units' places show the borders."""

AGREED, EXPLAINED, UNRESOLVED, NOT_ASKED = "agreed", "explained", "no answer by the rulebook", "not asked"
"""The results of questions without a finding."""
ASKED_OTHERWISE = ("datc", "clauses")
EVERY_SO_MANY_OTHERWISE = 5
"""One in this many questions is also asked in other forms (`satjudge.engines.comparison`)."""


def make_empty_conformance(campaign: Campaign) -> Conformance:
    """Make the document about a campaign before any question is asked."""
    return Conformance(
        **document_origin(campaign.rulebook), against=campaign.contact.against, dialect=campaign.contact.dialect,
        depth=campaign.depth,
        parts=[],
    )  # fmt: skip


def ask_kit(
    campaign: Campaign,
    parts: Mapping[str, Sequence[bytes]],
    on_progress: Callable[[int], None] = lambda number: None,
    result: Conformance | None = None,
) -> Conformance:
    """Ask an engine all questions, given as batch lines by part, and return how its answers compare with satjudge's.

    Results are added to the document `result`, if given, even if asking is interrupted. `on_progress` is called with 1 for each
    question.
    """
    found = make_empty_conformance(campaign) if result is None else result
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
    counts_by_topic: dict[str, tuple[int, int]],
    on_progress: Callable[[int], None],
    result: Conformance,
) -> None:
    """Ask the questions part by part until the engine is lost; add results to `result` and counts to `counts_by_topic`."""
    for name, lines in parts.items():
        part = PartAsked(name)
        result.parts.append(part)
        try:
            _ask_part(set_part_depth(campaign, name), part, lines, counts_by_topic, on_progress)
            if name in ASKED_OTHERWISE and not result.contradicting:
                result.contradicting = find_first_contradictions(campaign, lines)
        except OracleLostError as error:
            result.lost = f"The engine was lost in the part {name}: {error.message}"
            break


def set_part_depth(campaign: Campaign, name: str) -> Campaign:
    """Return the campaign with the depth of comparison that a part of the kit needs."""
    depth = SHALLOW.get(name, campaign.depth)
    return replace(campaign, depth=depth) if campaign.depth.includes(depth) else campaign


def find_first_contradictions(campaign: Campaign, lines: Sequence[bytes]) -> list[Contradiction]:
    """Ask some of the questions in several forms; return a list with the engine's first contradiction, or [] if none."""
    for line in lines[::EVERY_SO_MANY_OTHERWISE]:
        if (position := read_position(campaign.contact.against, line)) and (varying := campaign.find_contradiction(position)):
            return [Contradiction(position.name, varying.kind.removeprefix(VARYING), varying.theirs)]
    return []


def _ask_part(
    campaign: Campaign,
    part: PartAsked,
    lines: Sequence[bytes],
    counts_by_topic: dict[str, tuple[int, int]],
    on_progress: Callable[[int], None],
) -> None:
    """Ask the questions of one part; add results to `part`, and the numbers of compared and right answers by topic."""
    for line in lines:
        if position := read_position(campaign.contact.against, line):
            result = ask_question(campaign, part.part, position)
            _count_question(part, result)
            if result.is_compared:
                compared, right = counts_by_topic.get(result.topic, (0, 0))
                counts_by_topic[result.topic] = compared + 1, right + (result.finding is None)
        else:
            part.not_asked += 1
            part.others[read_name(line)] = NOT_ASKED
        on_progress(1)


def _count_question(part: PartAsked, question: AskedQuestion) -> None:
    part.asked += 1
    part.agreed += question.why == AGREED
    part.explained += question.why.startswith(EXPLAINED)
    part.unresolved += question.why == UNRESOLVED
    part.skipped += question.why.startswith(SKIPPED)
    if question.finding:
        part.findings.append(question.finding)
    elif question.why != AGREED:
        part.others[question.question] = question.why


def read_position(against: str, line: bytes) -> AskedPosition | None:
    """Parse the position of a question; None if the engine `against` cannot be asked about its phase, map or orders."""
    try:
        position = _read_cached(line)
    except RequestError:  # orders of another phase, or permissions to pass a canal
        return None
    oracle = ORACLES.get(against)
    known = position.board.phase in get_phases(against) and (oracle is None or oracle.maps.includes(position.board.map))
    return position if known else None


@lru_cache(maxsize=10_000)
def _read_cached(line: bytes) -> AskedPosition:
    """Parse the position in a batch line, with a cache because several engines may be asked in one process."""
    return parse_position(line)


def compute_digests(campaign: RecordingCampaign, lines: Sequence[bytes]) -> tuple[str, str]:
    """Return a hash of satjudge's answers and one of the engine's recorded answers, which is "" if some of these are missing.

    Questions of phases that the engine is not asked about are left out of both.
    """
    positions = [one for line in lines if (one := read_position(campaign.contact.against, line))]
    ours = [(one.name, answer) for one in positions if (answer := answer_position(one, campaign.rulebook))]
    recorded_answers = [campaign.recorded.get(name) for name, _ in ours]
    theirs = [(one.position.name, one.theirs) for one in recorded_answers if one and one.theirs]
    return digest_answers(ours), digest_answers(theirs) if len(theirs) == len(ours) else ""


@dataclass(frozen=True)
class AskedQuestion:
    """A question that was asked, with its result."""

    question: str
    topic: str
    why: str = ""
    """`agreed`, or why there is no finding, such as `skipped`; empty if there is a finding."""
    finding: Otherwise | None = None

    @property
    def is_compared(self) -> bool:
        """True if the engine's answer could be compared."""
        return bool(self.finding) or self.why == AGREED or self.why.startswith(EXPLAINED)


def ask_question(campaign: Campaign, part: str, position: AskedPosition) -> AskedQuestion:
    """Ask the engine a question of a part, compare its answer, and return the result with its topic.

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
    except Exception as error:  # an error in satjudge; an oracle's error is a difference
        compared, explained = campaign.make_single_difference(position, INTERNAL, format_failure(error), ""), None
    if explained is not None:
        return AskedQuestion(position.name, topic, f"{EXPLAINED}: {explained}")
    if not compared.differences:
        return AskedQuestion(position.name, topic, AGREED)
    finding = _describe_result(campaign, part, topic, compared.position, list_reasons(campaign, compared), compared.differences)
    return AskedQuestion(position.name, topic, finding=finding)


def describe_question_result(campaign: Campaign, part: PartAsked, line: bytes) -> Otherwise | None:
    """Return the result of a question as a document, with or without differences; None if the engine was not asked."""
    position = read_position(campaign.contact.against, line)
    if position is None:
        return None
    if differing := [one for one in part.findings if one.question == position.name]:
        return differing[0]
    topic = find_topic(position.board, position.orders, campaign.rulebook)
    why = [part.others[position.name]] if position.name in part.others else []
    return _describe_result(campaign, part.part, topic, position, why)


def _describe_result(
    campaign: Campaign,
    part: str,
    topic: str,
    position: AskedPosition,
    reasons: list[str],
    differences: Sequence[Difference] = (),
) -> Otherwise:
    """Make the document of a question's result, with its batch line and the command that asks it again."""
    question = KitQuestion(position.name, position.board, position.orders, campaign.rules, campaign.settings)
    try:
        line = question.answered_line
    except Exception:  # an error in satjudge, which is already reported
        line = question.question_line
    again = format_command(campaign, ["--part", part, "--only", position.name], "conformance")
    return Otherwise(position.name, list(differences), part, topic, reasons, line.decode(), again)


# ---- topics of questions, and scores by topic ----

UNSETTLED = "unsettled"
"""The value in place of a backup rule for questions that the rulebook leaves unanswered."""


@dataclass(frozen=True)
class _TopicQuestion:
    """A question, with all facts on which its topic depends."""

    board: Board
    orders: Mapping[Power, Sequence[Order]]
    rulebook: Rulebook

    @cached_property
    def movement_orders(self) -> list[MovementOrder]:
        return [order for orders in self.orders.values() for order in orders if isinstance(order, MovementOrder)]

    def has_orders(self, *kinds: type[MovementOrder]) -> bool:
        return any(isinstance(order, kinds) for order in self.movement_orders)

    @property
    def is_lone_move(self) -> bool:
        """True if the board has one unit, which is ordered to move."""
        return len(self.board.units) == 1 and [type(order) for order in self.movement_orders] == [Move]

    @property
    def has_coasts(self) -> bool:
        """True if a fleet is in a province with several coasts, or is ordered to move to one."""
        ordered = [order for order in self.movement_orders if order.unit.kind is UnitKind.FLEET]
        places = {unit.location for unit in self.board.units if unit.kind is UnitKind.FLEET}
        places |= {order.unit.location for order in ordered} | {one.destination for one in ordered if isinstance(one, Move)}
        provinces = self.board.map.provinces
        return any(len(provinces[code].locations) > 1 for code in map(province_of, places) if code in provinces)

    @cached_property
    def is_legal(self) -> bool:
        entries = make_docket(self.board, self.orders, self.rulebook).entries
        return all(entry.reason is None for given in entries.values() for entry in given)

    @property
    def has_head_to_head(self) -> bool:
        """True if two units are ordered to move to each other's province."""
        moves = {
            (order.unit.province, province_of(order.destination)) for order in self.movement_orders if isinstance(order, Move)
        }
        return any((destination, origin) in moves for origin, destination in moves)

    @cached_property
    def backup_rules(self) -> frozenset[str]:
        """The backup rules that settle cores without a resolution or with several, or `unsettled` if none does."""
        if len(self.movement_orders) < 2:
            return frozenset()
        try:
            outcome = judge_parsed_orders(self.board, self.orders, self.rulebook, engine=Engine.STAGED)
        except UnresolvedError:
            return frozenset({UNSETTLED})
        assert isinstance(outcome, Outcome)
        return frozenset(ruling.rule for ruling in outcome.adjudication.rulings)


@dataclass(frozen=True)
class Topic:
    """A topic of questions."""

    name: str
    about: str
    fits: Callable[[_TopicQuestion], bool]


TOPICS = (
    Topic("variants", "maps with special rules", lambda asked: not asked.board.map.is_standard),
    Topic("retreats", "retreat phases", lambda asked: asked.board.phase is Phase.RETREAT),
    Topic("adjustments", "builds and removals", lambda asked: asked.board.phase is Phase.ADJUSTMENT),
    Topic("paradoxes", "orders that need a rule for paradoxes", lambda asked: bool(asked.backup_rules - {CIRCULAR})),
    Topic("circular movement", "units that move in a circle", lambda asked: CIRCULAR in asked.backup_rules),
    Topic("no border", "illegal moves of a lone unit", lambda asked: asked.is_lone_move and not asked.is_legal),
    Topic("coasts", "fleets in provinces with several coasts", lambda asked: asked.has_coasts),
    Topic("borders", "legal moves of a lone unit", lambda asked: asked.is_lone_move),
    Topic("legality", "illegal orders", lambda asked: not asked.is_legal),
    Topic("convoys", "convoyed armies", lambda asked: asked.has_orders(Convoy)),
    Topic("head-to-head battles", "two units that move against each other", lambda asked: asked.has_head_to_head),
    Topic("supports", "supported moves and units", lambda asked: asked.has_orders(SupportHold, SupportMove)),
    Topic("moves", "all other orders", lambda asked: True),
)
"""All topics; a question belongs to the first one that fits."""


def find_topic(board: Board, orders: Mapping[Power, Sequence[Order]], rulebook: Rulebook) -> str:
    """Return the name of the topic under which a question is scored, the first one that fits."""
    question = _TopicQuestion(board, orders, rulebook)
    return next(topic.name for topic in TOPICS if topic.fits(question))


def make_scores(counts_by_topic: Mapping[str, tuple[int, int]]) -> list[TopicScore]:
    """Make the score of each topic from its numbers of compared and of right answers, the simplest topic first."""
    order = [topic.name for topic in reversed(TOPICS)]  # the simplest first
    return [TopicScore(topic, *counts_by_topic[topic]) for topic in sorted(counts_by_topic, key=order.index)]


# ---- the badge ----

_COLOURS = ((1.0, "brightgreen"), (0.95, "green"), (0.85, "yellow"), (0.7, "orange"), (0.0, "red"))
"""The lowest score for each colour of badges."""


def make_badge(result: Conformance) -> Badge:
    """Make a badge with an engine's score, in the format that shields.io reads."""
    label, share = f"Diplomacy rules: {result.rulebook.name}", result.score
    if result.lost:
        return Badge(label, "engine lost", "red")
    if share is None:
        return Badge(label, "nothing compared", "lightgrey")
    colour = next(name for least, name in _COLOURS if share >= least)
    if colour == "brightgreen" and not result.digest:  # the boards of every run were not asked
        colour = "green"
    if result.contradicting and colour in ("brightgreen", "green"):
        colour = "yellow"
    return Badge(label, format_share(share), colour)


# ---- the differences that are expected of an engine, each with a reason, so that CI fails only on new ones ----


class Entry(NamedTuple):
    """An expected difference in an engine's answer to a question."""

    because: str
    """The reason; empty if none was given."""
    differs: str | None = None
    """The difference in the form of `format_differences`; None for any difference."""


_SKIPS = "skipped"
"""The name of the table with the numbers of questions that may be skipped in each part; no question has this name."""


Expected = Mapping[str, Entry]
"""The expected difference for each question, by the question's name."""
_HEAD = """# Questions of satjudge's kit that the engine is expected to answer differently: the reason, and what differs.
# satjudge conformance --against … --expect THIS --update rewrites this file and keeps the reasons.
"""


def read_expected(path: Path) -> Expected:
    """Read the expected differences, by the name of the question, from a file.

    Raises `InputError`.
    """
    found: dict[str, Entry] = {}
    for question, entry in read_toml(path, RequestError).items():
        if question == _SKIPS:
            continue
        because, differs = (entry.get(key) for key in ("because", "differs")) if isinstance(entry, dict) else (None, None)
        if not isinstance(because, str):
            hint = f'write [{dumps(question, ensure_ascii=False)}] and below it because = "…"'
            raise RequestError(f"{question!r} has no reason", source=str(path), suggestion=hint)
        if not isinstance(differs, str | None):
            raise RequestError(f"{question!r}: `differs` must be a string", source=str(path), suggestion="--update writes it")
        found[normalize_name(question)] = Entry(because, differs)
    return found


def read_skips(path: Path) -> dict[str, int]:
    """Read the number of questions that the engine may skip, by part, from the file of expected differences.

    Raises `InputError`.
    """
    skips = read_toml(path, RequestError).get(_SKIPS, {})
    if not isinstance(skips, dict) or not all(type(number) is int for number in skips.values()):
        hint = f"write [{_SKIPS}] and below it datc = 65"
        raise RequestError(f"{_SKIPS!r} must be a table of parts and numbers", source=str(path), suggestion=hint)
    return skips


def format_differences(finding: Otherwise) -> str:
    """Format all differences in a question's answer as one text: `A MAR (FRANCE): answered fails, should be succeeds`."""
    return "; ".join(map(_format_difference, finding.differences))


def _format_difference(one: Differing) -> str:
    """Format a difference; a failure without the engine's command and messages, which are not the same in every run."""
    if one.power or not one.theirs:
        return f"{one.subject_with_power}: answered {one.theirs or 'nothing'}, should be {one.ours or 'nothing'}"
    said = "an error" if one.kind.startswith((REFUSED, RAISED)) else one.kind
    return f"the engine: answered {said}, should be {one.ours}"


def apply_expectations(
    result: Conformance,
    parts: Mapping[str, Sequence[bytes]],
    expected: Expected,
    skips: Mapping[str, int] = MappingProxyType({}),
) -> None:
    """Remove expected differences from a result's findings, and record in the result which changed, vanished or were skipped.

    `parts` are the batch lines of the questions, by part. `skips` limits the number of skipped questions by part; other parts
    have no limit.
    """
    texts = (f"{part.part} ({part.skipped:,}, not {skips.get(part.part, part.skipped):,})" for part in result.parts)
    more = (part.skipped > skips.get(part.part, part.skipped) for part in result.parts)
    result.skipped_more = [text for text, is_more in zip(texts, more, strict=True) if is_more]
    for part in result.parts:
        as_expected = [one for one in part.findings if is_expected(one, expected)]
        part.findings = [one for one in part.findings if not is_expected(one, expected)]
        result.changed += [one.question for one in part.findings if one.question in expected]
        for one in as_expected:
            part.others[one.question] = f"{EXPECTED}: {expected[one.question].because or 'no reason is given'}"
        part.expected = len(as_expected)
        result.without_reason += sum(not expected[one.question].because for one in as_expected)
        result.vanished += [name for name in _list_agreeing(part, parts) if name in expected]
        result.unanswered += [name for name, why in part.others.items() if name in expected and why.startswith(SKIPPED)]


def is_expected(finding: Otherwise, expected: Expected) -> bool:
    """Return whether a question's differences are exactly the expected ones, or any differences are expected there."""
    if finding.question not in expected:
        return False
    differs = expected[finding.question].differs
    return differs in (None, format_differences(finding)) or any(
        not one.power and f": answered {one.theirs}, should be " in differs  # as written before 1.1, with the command
        for one in finding.differences
    )


def format_expected(result: Conformance, expected: Expected, differing: Mapping[str, str], skips: Mapping[str, int]) -> str:
    """Return the new content of the file of expected differences: the remaining ones in `expected`, and `differing`.

    Vanished and skipped differences are left out, and reasons are kept. `differing` contains the differences of each question
    by its name, and `skips` the number of skipped questions by part.
    """
    dropped_names = {*result.vanished, *result.unanswered}
    remaining = {name: entry.differs for name, entry in expected.items() if name not in dropped_names}

    def entry(name: str, differs: str | None) -> str:
        because = expected[name].because if name in expected else ""
        rows = {"because": because, "differs": differs}
        lines = (f"{key} = {dumps(text, ensure_ascii=False)}\n" for key, text in rows.items() if text is not None)
        return f"\n[{dumps(name, ensure_ascii=False)}]\n{''.join(lines)}"

    rows = "".join(f"{part} = {number}\n" for part, number in skips.items())
    table = f"\n# The number of questions of each part that the engine may skip.\n[{_SKIPS}]\n{rows}" if rows else ""
    return _HEAD + table + "".join(entry(name, differs) for name, differs in {**remaining, **differing}.items())


def _list_agreeing(part: PartAsked, parts: Mapping[str, Sequence[bytes]]) -> list[str]:
    """List the names of the asked questions of a part that have no difference, not even an expected one."""
    others = {*part.others, *(one.question for one in part.findings)}
    names = map(read_name, parts[part.part][: part.asked + part.not_asked])
    return [name for name in names if name not in others]
