"""Makes the kit as a package of plain files, for programs in any language: questions, answers, maps and schemas.

The package works without satjudge, and contains no keys that only satjudge's tools use. The handwritten files (introduction,
comparison of answers, licence, sources, runners) are in `datc_cases/kit/package`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec

from satjudge.base.errors import RulebookError
from satjudge.base.resources import data_file
from satjudge.engines.conformance.faults import describe_part
from satjudge.engines.kit.parts import BOARDS, PARTS, KitQuestion, compute_fingerprint, digest_answers
from satjudge.engines.kit.run import TOPICS, find_topic
from satjudge.engines.positions import make_position
from satjudge.files.documents import DescribedMap, described_map
from satjudge.files.jdip import jdip_case
from satjudge.files.json_cases import EDITIONS, cases_text, json_case
from satjudge.judging.position import Position
from satjudge.notation.documents import dedent_descriptions
from satjudge.oracles.oracle import Answer
from satjudge.world.geography import load_map
from satjudge.world.rules import DEFAULT_RULES, Rulebook, load_preset, options, preset_names

_BY_HAND = "README.md"
"""One of the handwritten files, next to all others."""
Units = dict[str, list[str]]
"""Each power's units (or centres): `{"FRANCE": ["A PAR", "F SPA/SC"]}`."""
Lost = dict[str, dict[str, list[str]]]
"""The dislodged units of each power, each with the places to which it may retreat."""


class PackagedQuestion(msgspec.Struct, frozen=True, omit_defaults=True):
    """A position of one phase with its orders: a line of `questions/PART.jsonl`."""

    id: str
    """The part and the name of the question, which are unique together."""
    part: str
    topic: str
    """The topic under datc-3; an answer has another topic if its profile changes it."""
    source: str
    """The text from which the question is taken."""
    map: str
    """The name of a file in `maps`."""
    phase: str
    """`movement`, `retreat` or `adjustment`."""
    units: Units
    """The units of each power, without dislodged units."""
    orders: dict[str, list[str]]
    dislodged: Lost = {}
    centers: Units | msgspec.UnsetType = msgspec.UNSET
    """The supply centres of each power, in adjustment phases and on maps with a railroad."""
    season: str = ""
    """`spring` or `fall`, on maps where provinces are closed in a season."""
    tells: list[str] = []
    """The mistakes that the question reveals, and the values of an issue that it distinguishes."""


class PackagedAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer to a question under a profile: a line of `answers/PROFILE.jsonl`."""

    id: str
    units: Units = {}
    """The units afterwards, without dislodged units."""
    dislodged: Lost = {}
    results: dict[str, list[str]] = {}
    """The verdicts on each power's orders, in the same sequence as its orders."""
    automatic: Units = {}
    """The units that civil disorder removed."""
    unresolved: bool = False
    """True if the rulebook has no answer; the question is then not compared."""
    topic: str = ""
    """The topic, if this profile changes it."""


class PartOfKit(msgspec.Struct, frozen=True):
    """A part of the kit."""

    about: str
    questions: int
    fingerprint: str
    """A checksum that changes if any question of the part changes."""
    compared: list[str]
    """The keys of the answers that are compared."""
    usual: bool
    """True if the part counts by default."""


class Profile(msgspec.Struct, frozen=True):
    """A rulebook: how it settles each issue of the DATC, and a digest of its answers."""

    title: str
    settings: dict[str, str]
    digest: str
    """A hash of the answers to the part `boards`; README.md explains how it is computed."""


class Issue(msgspec.Struct, frozen=True):
    """An issue that rulebooks settle in different ways."""

    question: str
    values: dict[str, str]
    """Each possible value with its meaning."""


class KitIndex(msgspec.Struct, frozen=True):
    """The content of `kit.json`."""

    name: str
    version: str
    parts: dict[str, PartOfKit]
    topics: dict[str, str]
    """Each topic with a description of its questions."""
    profiles: dict[str, Profile]
    issues: dict[str, Issue]
    """Each issue, by its number in the DATC, with the meaning of its values."""
    settings: dict[str, str]
    """Each setting with a separate file of answers, with its meaning."""


def make_package_files(parts: Collection[str] = tuple(PARTS)) -> dict[str, bytes]:
    """Make all files of the package, with the questions of these parts; return the content of each file by its path."""
    about = data_file("datc_cases", "kit", "package", _BY_HAND).parent
    by_hand = {
        path.relative_to(about).as_posix(): path.read_bytes()
        for path in sorted(about.rglob("*"))
        if path.is_file() and path.name != "kit.toml" and "__pycache__" not in path.parts
    }
    asked = {name: list(iter_packaged_questions(name)) for name in PARTS if name in parts}
    questions = {name: [make_packaged_question(name, question) for question in part] for name, part in asked.items()}
    answers = {name: list(_iter_answers(asked, questions, load_preset(name))) for name in preset_names()}
    settings = _list_setting_answers(asked, questions, answers[DEFAULT_RULES])
    return {
        **by_hand,
        "kit.json": _encode_json(
            _make_index(tomllib.loads((about / "kit.toml").read_text(encoding="utf-8")), questions, answers)
        ),
        **{f"questions/{name}.jsonl": _encode_lines(lines) for name, lines in questions.items()},
        **{f"answers/{name}.jsonl": _encode_lines(lines) for name, lines in answers.items()},
        **{f"answers/settings/{name}.jsonl": _encode_lines(lines) for name, lines in settings.items()},
        **dict(_iter_format_files(asked, answers)),
        **{f"maps/{name}.json": _encode_json(_describe_map(name)) for name in _list_maps(questions)},
        **{f"schemas/{name}.json": _encode_json(_make_schema(name, kind)) for name, kind in SCHEMAS.items()},
    }


SCHEMAS: Mapping[str, Any] = {"question": PackagedQuestion, "answer": PackagedAnswer, "kit": KitIndex, "map": DescribedMap}
"""The kinds of documents in the package, each with a JSON Schema."""


def write_package(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files, given as contents by path, into a folder."""
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


# ---- questions and answers ----


def iter_packaged_questions(name: str) -> Iterator[KitQuestion]:
    """Yield a part's questions, without those with orders of another phase (6.H.1 to 6.H.3) or canal permissions."""
    return (question for question in PARTS[name].make() if make_position(question.board, question.orders, question.name))


def make_packaged_question(part: str, question: KitQuestion) -> PackagedQuestion:
    """Convert a question of a part to the package's format, without its answer but with its topic, source and purpose."""
    position = {key: value for key, value in question.position.items() if key != "rules"}
    return msgspec.convert(
        {
            "map": load_map().name, **position, "id": f"{part}/{question.name}", "part": part,
            "topic": find_topic(question.board, question.orders, load_preset(DEFAULT_RULES)),
            "source": name_source(part, question.name), "tells": list(map(describe_part, sorted(set(question.tells)))),
        },
        PackagedQuestion,
    )  # fmt: skip


_SOURCES = {"map": "the borders of the map", "catalogue": "the catalogue of known cores", BOARDS: "drawn at random"}
"""The source of all questions of a part."""
_BOOKS = {
    "": "DATC 3.2", "2.4": "DATC 2.4", "1971": "rulebook of 1971", "1982": "rulebook of 1982",
    "1998": "Diplomacy Player's Technical Guide (1998)",
}  # fmt: skip
"""The books by the prefix of the names of their cases."""
_CASE = re.compile(r"(?:.*, )?(?:(?P<book>2\.4|1971|1982|1998)/)?(?P<case>\d+\.\w.*|(?<=/).+)")


def name_source(part: str, name: str) -> str:
    """Return a description of a question's source: the rule text and case, or a position that reveals a mistake."""
    if part in _SOURCES:
        return _SOURCES[part]
    if found := _CASE.fullmatch(name.removesuffix("/retreats")):
        return f"{_BOOKS[found['book'] or '']}, {found['case']}"
    return "a smallest position on which a mistake changes the answer"


def _iter_answers(
    questions_by_part: Mapping[str, Iterable[KitQuestion]],
    questions: Mapping[str, Iterable[PackagedQuestion]],
    rulebook: Rulebook,
) -> Iterator[PackagedAnswer]:
    """Yield a rulebook's answers to all questions, part by part; `questions` are the same ones in the package's format."""
    for part, those in questions_by_part.items():
        for question, known in zip(those, questions[part], strict=True):
            yield _make_answer(question, known, rulebook)


def _make_answer(question: KitQuestion, known: PackagedQuestion, rulebook: Rulebook) -> PackagedAnswer:
    try:
        answer = question.make_answer(rulebook)
    except RulebookError:  # the map lacks the names by which the rulebook sorts (4.D.8)
        return PackagedAnswer(known.id, unresolved=True)
    topic = find_topic(question.board, question.orders, rulebook)
    about = {"id": known.id, "topic": topic if topic != known.topic else ""}
    return msgspec.convert({"unresolved": True, **about} if "error" in answer else {**answer, **about}, PackagedAnswer)


def _list_setting_answers(
    questions_by_part: Mapping[str, Iterable[KitQuestion]],
    questions: Mapping[str, Iterable[PackagedQuestion]],
    usual_answers: Iterable[PackagedAnswer],
) -> dict[str, list[PackagedAnswer]]:
    """Return, for each setting that changes one issue, the answers that it changes; the part `map` is left out."""
    known = {answer.id: answer for answer in usual_answers}
    parts = {part: those for part, those in questions_by_part.items() if part != "map"}
    return {
        setting: [answer for answer in _iter_answers(parts, questions, changed) if answer != known[answer.id]]
        for setting, _, changed in _iter_other_settings(load_preset(DEFAULT_RULES))
    }


def _iter_other_settings(rulebook: Rulebook) -> Iterator[tuple[str, str, Rulebook]]:
    """Yield each setting (`ISSUE=VALUE`) that can change a rulebook by itself, its meaning, and the changed rulebook."""
    usual = rulebook.settings()
    for option in options():
        for value, meaning in option.values.items():
            if value != usual[option.issue]:
                setting = f"{option.issue}={value}"
                with suppress(RulebookError):  # one that goes only with another
                    yield setting, f"{option.question} {meaning}", rulebook.with_settings([setting])


# ---- files in other formats ----


def _iter_format_files(
    questions_by_part: Mapping[str, Iterable[KitQuestion]], answers: Mapping[str, Iterable[PackagedAnswer]]
) -> Iterator[tuple[str, bytes]]:
    """Yield path and content of files with all questions, except of the part `map`, in the formats of other test suites."""
    for rules in EDITIONS.values():
        answers_by_id = {answer.id: answer for answer in answers[rules] if not answer.unresolved}
        known = [
            (name, Position(question.board, question.orders), answers_by_id[name])
            for part, questions in questions_by_part.items()
            for question in questions
            if part != "map" and (name := f"{part}/{question.name}") in answers_by_id
        ]
        cases = (json_case(name, position, answer.results, rules) for name, position, answer in known)
        yield f"formats/tests-{rules}.json", cases_text(case for case in cases if case)
        texts = (jdip_case(name, position, answer.units, answer.dislodged) for name, position, answer in known)
        yield f"formats/jdip-{rules}.txt", "\n".join(filter(None, texts)).encode()


# ---- files ----


def _make_index(
    descriptions: Mapping[str, str],
    questions: Mapping[str, list[PackagedQuestion]],
    answers: Mapping[str, list[PackagedAnswer]],
) -> KitIndex:
    parts = {
        name: PartOfKit(
            PARTS[name].about,
            len(lines),
            compute_fingerprint(map(msgspec.json.encode, lines)),
            ["units"] if name == "map" else ["units", "dislodged", "results"],
            PARTS[name].usual,
        )
        for name, lines in questions.items()
    }
    profiles = {name: _make_profile(load_preset(name), lines) for name, lines in answers.items()}
    topics = {topic.name: topic.about for topic in TOPICS}
    settings = {setting: meaning for setting, meaning, _ in _iter_other_settings(load_preset(DEFAULT_RULES))}
    issues = {option.issue: Issue(option.question, dict(option.values)) for option in options()}
    return KitIndex(descriptions["name"], descriptions["version"], parts, topics, profiles, issues, settings)


def _make_profile(rulebook: Rulebook, answers: Iterable[PackagedAnswer]) -> Profile:
    boards = ((one.id.partition("/")[2], one) for one in answers if one.id.startswith(f"{BOARDS}/"))
    digest = digest_answers((name, Answer(one.results, one.dislodged, one.units)) for name, one in boards)
    return Profile(rulebook.title, rulebook.settings(), digest)


def _list_maps(questions: Mapping[str, Iterable[PackagedQuestion]]) -> list[str]:
    return sorted({question.map for question in chain.from_iterable(questions.values())})


def _describe_map(name: str) -> dict[str, Any]:
    """Return the description of a map as plain data, without the keys about satjudge itself."""
    described: dict[str, Any] = msgspec.to_builtins(described_map(load_map(name)))
    return {key: value for key, value in described.items() if key != "satjudge"}


def _make_schema(name: str, kind: Any) -> dict[str, Any]:  # noqa: ANN401  # a struct
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": name,
        **dedent_descriptions(msgspec.json.schema(kind)),
    }


def _encode_lines(values: Iterable[Any]) -> bytes:
    return b"".join(msgspec.json.encode(value) + b"\n" for value in values)


def _encode_json(value: Any) -> bytes:  # noqa: ANN401  # a document
    return msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"
