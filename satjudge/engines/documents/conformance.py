"""Defines the documents about engines' results on the kit: of one engine (`satjudge conformance`), or of several."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from math import floor
from pathlib import Path
from statistics import fmean

import msgspec

from satjudge.base.errors import NotFoundError, RequestError
from satjudge.base.words import join_first_names, number_of
from satjudge.engines.documents.campaigns import Differing
from satjudge.notation.documents import Document, JudgedDocument

SKIPPED = "skipped"
"""The reason why a question has no result: the engine declines to answer it."""
SKIPPED_FOR = f"{SKIPPED}: "
"""The prefix of an engine's own reason for skipping a question."""
EXPECTED = "expected"
"""The prefix of the author's reason for a question whose difference is in the file of `--expect`."""
WORDS = "words"
"""The kind of causes that affect only words, not units."""


class Otherwise(Document):
    """A question that an engine answers differently from satjudge."""

    question: str
    differences: list[Differing]
    part: str = ""
    topic: str = ""
    reasons: list[str] = msgspec.field(default_factory=list)
    """The reasons for satjudge's verdicts on the differences."""
    line: str = ""
    """The position with satjudge's answer under `expected`: a batch line."""
    again: str = ""
    """The command that asks the question again."""


class Contradiction(Document):
    """A question whose answer changes when the position is written in another form."""

    question: str
    how: str
    """The change in form, such as `orders listed otherwise`."""
    said: str
    """The first answer and the later one."""


class PartAsked(Document):
    """The results of an engine on a part of the kit.

    The engine answers the remaining questions differently.
    """

    part: str
    asked: int = 0
    agreed: int = 0
    explained: int = 0
    """Questions on which a known reason explains every difference."""
    unresolved: int = 0
    """Questions that the rulebook leaves unanswered; they are not compared."""
    skipped: int = 0
    """Questions that the engine declines to answer; they are not compared either."""
    not_asked: int = 0
    """Questions about phases or maps that the engine is not asked about."""
    expected: int = 0
    """Questions whose differences match the file of `--expect`."""
    findings: list[Otherwise] = msgspec.field(default_factory=list)
    others: dict[str, str] = msgspec.field(default_factory=dict)
    """The questions that neither agreed nor are findings, each with the reason: explained, skipped, and so on."""


class TopicScore(Document):
    """The score of an engine on one topic."""

    topic: str
    compared: int
    """The number of questions on the topic whose answers were compared."""
    right: int
    """The number of these questions without unexplained differences."""

    @property
    def share(self) -> float:
        """The share of right answers among the compared ones, from 0 to 1."""
        return self.right / self.compared


def format_share(share: float) -> str:
    """Format a share from 0 to 1 as a percentage with one decimal, rounded down so that only 1 gives 100%."""
    return f"{floor(share * 1000) / 10:g}%"


class Badge(Document, rename="camel"):
    """A badge, as https://shields.io/badges/endpoint-badge reads it."""

    label: str
    message: str
    color: str
    schema_version: int = 1


class Shown(Document):
    """A question with the engine's answer."""

    question: str
    phase: str
    units: dict[str, list[str]]
    """The units of each power, without dislodged units."""
    orders: dict[str, list[str]]
    said: dict[str, list[str]]
    """The engine's verdicts, or the units if it gives none; empty without an answer."""
    dislodged: dict[str, dict[str, list[str]]] = msgspec.field(default_factory=dict)
    """In a retreat phase, the dislodged units with the places to which they may retreat."""
    centers: dict[str, list[str]] = msgspec.field(default_factory=dict)
    """In an adjustment phase, the supply centres of each power."""
    expected: dict[str, list[str]] = msgspec.field(default_factory=dict)
    """The answer of the requested rulebook in the same form; empty if it has none."""
    differs: list[str] = msgspec.field(default_factory=list)
    """Further differences, in words: retreats, places of units."""
    of_units: bool = False
    """Whether `said` and `expected` are units because the engine gives no verdicts."""

    @property
    def is_right(self) -> bool:
        """True if the engine's answer is the expected one, although the diagnosis predicts another."""
        return self.said == self.expected and not self.differs


class Cause(Document):
    """One mistake or choice of an engine, with the smallest evidence for it."""

    kind: str
    """`setting`, `fault`, `border`, `coast`, `variance` (the engine contradicts itself), `failure` (it gives no answer) or
    `words` (it uses other words for orders, but all units end up the same).
    """
    name: str
    says: str
    """A description in plain words."""
    explains: int
    """The number of differing answers to the kit that would be unexplained without it."""
    evidence: list[Shown] = msgspec.field(default_factory=list)
    """The smallest of these answers; empty if the cause shows only together with another one."""
    instead: list[str] = msgspec.field(default_factory=list)
    """Other settings or faults that explain the same answers, by name."""
    besides: int = 0
    """The number of answers outside the kit that would be unexplained without it."""

    def format_count(self, differing: int) -> str:
        """Return a sentence with the number of answers that the cause explains, out of `differing` ones; "" for none."""
        besides = f"{number_of(self.besides, 'answer')} to further questions" if self.besides else ""
        among = f"{self.explains:,} of the {number_of(differing, 'answer that differs', 'answers that differ')}"
        text = " and ".join(filter(None, [among if self.explains else "", besides]))
        return f"It explains {text}." if text else ""


class Diagnosis(Document):
    """The causes that explain the answers from an engine, and the answers left unexplained."""

    rules: str
    settings: list[str]
    also: list[str]
    """Other rulebooks that fit the answers equally well."""
    causes: list[Cause]
    unexplained: list[Shown]
    """The differing answers that no cause explains."""
    answers: int
    """The number of answers."""
    differing: int = 0
    """The number of differing answers, counted as in the parts."""
    set_aside: int = 0
    """The number of differing answers that a wrong border may explain, and that are therefore not used as evidence."""
    left: int = 0
    """The number of differing answers that nothing explains; `unexplained` also has answers outside the kit."""
    cut_short: bool = False
    """Whether the limit on hypotheses was reached while answers were unexplained."""
    tries: int = 0
    """The limit on hypotheses (`--limit tries=N`)."""
    unfinished: bool = False
    """Whether the user stopped the search early."""
    boards: int = 0
    """The number of answers to the boards of every run, without which the diagnosis does not report agreement."""
    further: int = 0
    """The number of boards outside the kit that were asked to confirm the result."""
    besides: int = 0
    """The number of these boards that are answered differently, if all answers to the kit are right."""
    nearest: bool = False
    """Whether most answers differ from `rules`, which is then only the nearest rulebook."""
    doubt: str = ""
    """The reason to doubt that the result is the engine's real rule; empty if there is none."""

    @property
    def caveat(self) -> str:
        """The warning that the search for causes ended early, and how to continue it; "" if it did not."""
        limit = f"reached its limit of {number_of(self.tries, 'hypothesis', 'hypotheses')}" if self.cut_short else ""
        more = "" if self.unfinished else f" (--limit tries={3 * self.tries or 2000} tries more)"
        ended = "was stopped early" if self.unfinished else limit
        return f"the search for causes {ended}, so the rulebook and the causes may be wrong{more}" if ended else ""

    @property
    def count_text(self) -> str:
        """A sentence with the numbers of answers that differ, that are explained, and that are not; "" if none differs."""
        if self.besides:
            differ = number_of(self.besides, "differs", "differ")
            return f"All answers to the kit are right, but of {self.further:,} to further boards {differ}."
        if not self.differing:
            return ""
        explained = self.differing - self.set_aside - self.left
        aside = f"; {self.set_aside:,} more may result from a wrong border and are ignored" if self.set_aside else ""
        left = f"; nothing explains the other {self.left:,}" if self.left else ""
        differ = number_of(self.differing, "answer to the kit differs", "answers to the kit differ")
        return f"{differ}: this explains {explained:,}{aside}{left}."

    @property
    def doubt_text(self) -> str:
        """A sentence about the doubt that the causes are the real ones; "" if there is none."""
        return f"This explains the engine's answers, but its real rule may be another: {self.doubt}." if self.doubt else ""

    @property
    def mistakes(self) -> list[Cause]:
        """The causes that are mistakes, not choices that a rulebook allows or other words for orders."""
        return [cause for cause in self.causes if cause.kind not in ("setting", WORDS)]

    @property
    def coverage_remark(self) -> str:
        """The remark that the boards of every run were not compared, to follow a statement of agreement; "" if they were."""
        return "" if self.boards else " as far as it was asked, without the boards of every run"

    @property
    def verb(self) -> str:
        """The verb between engine and rulebook: `plays`, or `is nearest to` if most answers differ."""
        return "is nearest to" if self.nearest else "plays"

    @property
    def plays(self) -> str:
        """The rulebook that the engine follows, with its settings and any rulebooks that fit equally well, as a text."""
        settings = f" with {', '.join(self.settings)}" if self.settings else ""
        also = f" (or {', '.join(self.also)}: its answers fit both)" if self.also else ""
        return f"{self.rules}{settings}{also}"

    @property
    def says(self) -> str:
        """The diagnosis as a sentence without a subject: `plays datc-3; …`."""
        wrong = [cause for cause in self.causes if cause.kind != "setting"]  # different words are mentioned as well
        left = number_of(len(self.unexplained), "answer")
        if not wrong and not self.unexplained:
            return f"agrees with {self.plays}{self.coverage_remark}"
        cause_texts = [cause.says + (f" (or: {join_first_names(cause.instead)})" if cause.instead else "") for cause in wrong]
        rest = f"{left} unexplained" if self.unexplained else "everything else agrees"
        doubt = f", but the engine's real rule may be another: {self.doubt}" if self.doubt else ""
        return f"{self.verb} {self.plays}; {'; '.join(filter(None, (*cause_texts, rest, self.caveat)))}{doubt}"


class Conformance(JudgedDocument, kw_only=True):
    """The document that `satjudge conformance --json` writes."""

    against: str
    dialect: str
    depth: str
    parts: list[PartAsked]
    contradicting: list[Contradiction] = msgspec.field(default_factory=list)
    """The first question on which the engine contradicts itself, if there is one."""
    lost: str = ""
    """The reason why the run ended early, if it did."""
    diagnosis: Diagnosis | None = None
    """The explanation of the engine's answers; None unless requested."""
    topics: list[TopicScore] = msgspec.field(default_factory=list)
    """The topics of the questions that were compared."""
    vanished: list[str] = msgspec.field(default_factory=list)
    """Questions in the file of `--expect` that are answered correctly."""
    changed: list[str] = msgspec.field(default_factory=list)
    """Questions whose differences are not those in the file of `--expect`."""
    unanswered: list[str] = msgspec.field(default_factory=list)
    """Questions in the file of `--expect` that the engine skips."""
    skipped_more: list[str] = msgspec.field(default_factory=list)
    """Parts of which the engine skips more questions than the file of `--expect` allows, with both numbers."""
    without_reason: int = 0
    """The number of expected differences without a reason."""
    digest: str = ""
    """A hash of satjudge's answers to the boards of every run; empty if they were not asked."""
    their_digest: str = ""
    """A hash of the engine's answers to the same boards; empty if it did not answer all."""

    @property
    def score(self) -> float | None:
        """The mean of the topics' shares, in which each topic counts equally; None if nothing was compared."""
        return fmean(topic.share for topic in self.topics) if self.topics else None

    @property
    def expectation_text(self) -> str:
        """Sentences with the number of expected differences, and which changed, vanished or were skipped; "" for none."""
        number = sum(part.expected for part in self.parts)
        bare = f", {self.without_reason:,} without a reason" if self.without_reason else ""
        known = f" {number_of(number, 'difference is', 'differences are')} expected{bare}." if number else ""
        lists = (
            ("Expected, but different from the file", self.changed, ""),
            ("Expected, but answered right", self.vanished, " (--update)"),
            ("Expected, but skipped by the engine", self.unanswered, ""),
            ("More questions are skipped than the file allows", self.skipped_more, ""),
        )
        return known + "".join(f" {text}: {join_first_names(names)}{hint}." for text, names, hint in lists if names)

    @property
    def passes(self) -> bool:
        """True if there are no unexpected differences, contradictions or failures, and no more skips than allowed."""
        besides = self.diagnosis is not None and self.diagnosis.besides
        return not (besides or self.differing or self.contradicting or self.lost or self.unanswered or self.skipped_more)

    @property
    def differing(self) -> int:
        """The number of questions answered differently without a known or expected reason."""
        return sum(len(part.findings) for part in self.parts)

    @property
    def compared_count(self) -> int:
        """The number of questions on which the two answers were compared."""
        return sum(part.asked - part.skipped - part.unresolved for part in self.parts)

    @property
    def _not_compared_text(self) -> str:
        """Clauses with the number of questions that were not compared, and the reasons; "" if all were compared."""
        skipped, unresolved = (sum(getattr(part, name) for part in self.parts) for name in ("skipped", "unresolved"))
        others = [why for part in self.parts for why in part.others.values()]
        reasons = dict.fromkeys(why.removeprefix(SKIPPED_FOR) for why in others if why.startswith(SKIPPED_FOR))
        why = f" ({join_first_names(list(reasons))})" if reasons else ""
        texts = [f"; {skipped:,} {'was' if skipped == 1 else 'were'} skipped{why}" if skipped else ""]
        texts += [f"; the rulebook has no answer to {unresolved:,}" if unresolved else ""]
        return "".join(texts)

    @property
    def summary(self) -> str:
        """The result in one or more sentences, with the numbers of questions that were compared and that were not."""
        asked, rest = number_of(self.compared_count, "question"), self._not_compared_text
        lost = f"{self.expectation_text} {self.lost}" if self.lost else self.expectation_text
        if self.contradicting:
            lost = f" It contradicts itself: {self.contradicting[0].how}.{lost}"
        if self.differing:
            parts = ", ".join(part.part for part in self.parts if part.findings)
            than = " than expected" if any(part.expected for part in self.parts) else ""
            return f"The engine answered {self.differing:,} of {asked} differently{than}, in the parts {parts}{rest}.{lost}"
        if rest and not self.compared_count:
            return f"No question was compared{rest}.{lost}"
        none = f"there are no {'unexpected ' if any(part.expected for part in self.parts) else ''}differences"
        known = "all differences are known" if any(part.explained for part in self.parts) else none
        return f"On {asked}, {known}{rest}.{lost}"

    @property
    def rows(self) -> Iterator[tuple[str, int, int, int, int, int, int, int, int]]:
        """For each part its name and numbers asked, agreed, explained, unresolved, skipped, not asked, expected, differing."""
        for part in self.parts:
            numbers = (part.asked, part.agreed, part.explained, part.unresolved, part.skipped, part.not_asked, part.expected)
            yield part.part, *numbers, len(part.findings)


# ---- a page about engines: results on the kit, descriptions, and claims about their source code ----


class Claim(Document):
    """A statement about an engine, with its evidence."""

    says: str
    source: str = ""
    """The place in the engine's source: `orders/move.go:118`."""
    position: str = ""
    """Orders that show it, by power, or the name of a question that does."""


class AboutEngine(Document):
    """The description of an engine, from the file NAME.toml next to its run NAME.json."""

    title: str = ""
    release: str = ""
    language: str = ""
    home: str = ""
    """The address of its source code."""
    claims: list[Claim] = msgspec.field(default_factory=list)


class EngineRun(Document):
    """An engine's results on the kit, with its description; `name` is the name of its files."""

    name: str
    run: Conformance
    about: AboutEngine

    @property
    def title(self) -> str:
        """The engine's display name."""
        return self.about.title or self.name

    @property
    def scores(self) -> dict[str, TopicScore]:
        """The scores of the topics that were compared, by topic."""
        return {score.topic: score for score in self.run.topics}

    @property
    def smallest(self) -> dict[str, Otherwise]:
        """The smallest wrongly answered question of each topic, preferably one in which units differ."""
        findings = sorted((one for part in self.run.parts for one in part.findings), key=_size_key, reverse=True)
        return {finding.topic: finding for finding in findings}


def _size_key(finding: Otherwise) -> tuple[bool, int, str]:
    return all(one.number is not None for one in finding.differences), len(finding.line), finding.question


def read_runs(folder: Path) -> list[EngineRun]:
    """Read all engines' runs in a folder, by name: NAME.json, the output of `satjudge conformance`, and NAME.toml if it exists.

    Raises `NotFoundError` for a folder without runs, and `RequestError` for an invalid run.
    """
    paths = sorted(folder.glob("*.json"))
    if not paths:
        raise NotFoundError(f"{folder} contains no runs", suggestion="satjudge conformance --json > NAME.json writes one")
    return [EngineRun(path.stem, _read_run(path), _read_about(path.with_suffix(".toml"))) for path in paths]


def _read_about(path: Path) -> AboutEngine:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return AboutEngine()
    try:
        return msgspec.convert(tomllib.loads(text), AboutEngine)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise RequestError(f"not a description of an engine: {error}", source=str(path)) from None


def _read_run(path: Path) -> Conformance:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Conformance)
    except msgspec.MsgspecError as error:
        hint = "a run is what `satjudge conformance --json` writes"
        raise RequestError(f"not a run of the kit: {error}", source=str(path), suggestion=hint) from None
