"""The command `conformance`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from satjudge.apps.cli import options
from satjudge.apps.cli.options import FILE_PATH, RulesOptions, command, flag, option
from satjudge.apps.cli.output import (
    check_writable,
    report_elapsed_time,
    show,
    show_progress,
    show_status,
    write_file,
    write_json,
    write_text,
)
from satjudge.base.errors import NotFoundError
from satjudge.base.startup import EXIT_INTERRUPTED
from satjudge.judging.solve import Engine

if TYPE_CHECKING:
    from satjudge.engines.campaign import Campaign
    from satjudge.engines.documents.conformance import Conformance, Diagnosis, Otherwise
    from satjudge.engines.kit.run import Expected
    from satjudge.show.layout import Part

_FEW = 20
"""The maximum number of named questions whose results are shown even without a difference."""


@command(
    epilog='Examples:  satjudge conformance --against "./my-engine --batch"  ·  satjudge conformance --against my_engine:judge'
    " --rules 1982 --part datc --part retreats  ·  satjudge conformance --against my_engine:judge --report kit.xml"
    " --report kit.html"
)
def conformance(
    against: str | None = option("Oracle, program or module:function to test.", metavar="NAME|CMD"),
    dialect: str = option("Notation of the engine.", default="satjudge", metavar="NAME|FILE"),
    rules: RulesOptions = options.rules,
    names: tuple[str, ...] = option(
        "Ask only this part's questions, plus `boards` unless you use --only.", "--part", metavar="NAME", multiple=True
    ),
    only: tuple[str, ...] = option(
        "Ask only questions whose names begin with this, e.g. 6.E.", metavar="QUESTION", multiple=True
    ),
    diagnosis: bool = option("Look for mistakes that explain wrong answers.", "--diagnosis/--no-diagnosis", default=True),
    limits: dict[str, Any] = options.limits(startup=None, memory=None, restarts=20, tries=2000),
    expect: Path | None = option("Accept the differences that this file lists.", type=FILE_PATH, metavar="FILE.toml"),
    update: bool = flag("Update the --expect file from the engine's answers."),
    reports: tuple[Path, ...] = option(
        "Write JUnit XML for CI (.xml) or a page with pictures (.html).", "--report", type=FILE_PATH, metavar="FILE",
        multiple=True
    ),
    badge: Path | None = option("Write the score as a badge for shields.io.", type=FILE_PATH, metavar="FILE.json"),
    as_json: bool = options.json,
) -> int:  # fmt: skip
    """Test an engine with the kit, a fixed set of questions.

    The kit covers every move of a lone unit, the DATC, every known core, retreats and adjustments. satjudge compares each
    answer with its own under the engine's rulebook (--rules, --set), and asks further questions to diagnose mistakes. The
    exit status is 1 if an answer differs. docs/guides/conformance.md lists the parts of the kit and shows how to use the kit
    in CI.
    """
    from satjudge.engines.campaign import make_campaign
    from satjudge.engines.kit.parts import BOARDS, PARTS
    from satjudge.engines.positions import ListedPositions

    if against is None:
        raise click.UsageError("name the engine with --against")
    check_parts(names)
    chosen = [name for name, part in PARTS.items() if (name in names if names else part.usual)]
    chosen += [BOARDS] if BOARDS not in chosen and not only else []
    if update and expect is None:
        raise click.UsageError("--update rewrites the file of --expect: add --expect FILE.toml")
    for path in reports:
        if path.suffix not in (".xml", ".html"):
            raise click.UsageError(f"--report {path}: name a file that ends in .xml or .html")
    files = _Reports(reports, badge, expect, update)
    check_writable(None, files.files)
    questions = _make_questions(chosen, only)
    campaign = make_campaign(
        against, ListedPositions(()), rules=rules.name, settings=rules.settings, engine=Engine.STAGED, dialect=dialect,
        timeout=limits["timeout"], startup_timeout=limits["startup"], memory=limits["memory"], restarts=limits["restarts"],
    )  # fmt: skip
    tries = limits["tries"] if diagnosis and not only else None
    return _ask_engine(campaign, questions, tries, files, as_json, one_by_one=bool(only))


def check_parts(names: Iterable[str]) -> None:
    """Raise `NotFoundError` unless all names are names of parts of the kit."""
    from satjudge.engines.kit.parts import PARTS

    if unknown := [name for name in names if name not in PARTS]:
        raise NotFoundError(f"there is no part {unknown[0]!r}", suggestion=f"the parts are {', '.join(PARTS)}")


def _make_questions(part_names: Sequence[str], question_names: Sequence[str]) -> dict[str, list[bytes]]:
    """Return the questions of these parts as batch lines, by part, or only those whose names begin like `question_names`."""
    from satjudge.engines.kit.parts import PARTS

    by_part = {name: list(PARTS[name].make()) for name in part_names}
    if question_names:
        names = [question.name for questions in by_part.values() for question in questions]
        wanted = {name for text in question_names for name in _find_questions(text, names)}
        by_part = {part: [question for question in questions if question.name in wanted] for part, questions in by_part.items()}
    return {part: [question.question_line for question in questions] for part, questions in by_part.items() if questions}


def _find_questions(text: str, names: Sequence[str]) -> list[str]:
    """Return the names that equal `text`, or else those that begin with it (ignoring case); raise `NotFoundError` for none."""
    from satjudge.engines.kit.parts import normalize_name

    lower, wanted = {name: name.casefold() for name in names}, normalize_name(text).casefold()
    found = [name for name in names if lower[name] == wanted]
    found = found or [name for name in names if lower[name].startswith(wanted)]
    if not found:
        raise NotFoundError(f"there is no question {text!r}", suggestion="`satjudge kit DIR` writes them all")
    return found


@dataclass(frozen=True)
class _Reports:
    """The files to which the result of a run is also written, if any."""

    pages: tuple[Path, ...]
    """Files of JUnit XML and of HTML."""
    badge: Path | None
    expect: Path | None = None
    update: bool = False
    """Whether to rewrite the file of expected differences."""

    @property
    def files(self) -> list[Path]:
        """The paths of all files to write."""
        return [path for path in (*self.pages, self.badge, self.expect if self.update else None) if path]

    def read_expectations(self) -> tuple[Expected, dict[str, int]]:
        """Return the differences that the file `expect` lists, and how many questions of each part may be skipped.

        Both are empty without a file, or if it is about to be created. Raises `InputError`.
        """
        from satjudge.engines.kit.run import read_expected, read_skips

        if self.expect and self.expect.exists():
            return read_expected(self.expect), read_skips(self.expect)
        if self.expect and not self.update:
            raise NotFoundError(f"there is no file {self.expect}", suggestion="add --update to write it")
        return {}, {}

    def write_reports(
        self,
        document: Conformance,
        parts: dict[str, list[bytes]],
        expected: Expected,
        difference_texts: Mapping[str, str],
        allowed_skips: Mapping[str, int],
    ) -> None:
        """Write all requested files; if one cannot be written, still write the others, because the run may have taken long.

        `difference_texts` holds the differences by question, and `allowed_skips` the number of questions in each part that may
        be skipped. Raises `click.FileError`.
        """
        from satjudge.engines.kit.run import format_expected, make_badge
        from satjudge.show.engines import format_junit
        from satjudge.show.report import format_run_page

        with ExitStack() as writing:
            if self.expect and self.update:
                expectations = format_expected(document, expected, difference_texts, allowed_skips)
                writing.callback(write_file, self.expect, expectations.encode())
            if self.badge:
                writing.callback(lambda path: write_file(path, msgspec.json.encode(make_badge(document)) + b"\n"), self.badge)
            for page in self.pages:
                text = format_run_page(document) if page.suffix == ".html" else format_junit(document, parts)
                writing.callback(write_file, page, text.encode())


def _ask_engine(
    campaign: Campaign,
    parts: dict[str, list[bytes]],
    max_tries: int | None,
    reports: _Reports,
    as_json: bool,
    one_by_one: bool = False,
) -> int:
    """Ask an engine all questions, diagnose it unless `max_tries` is None, show and write the results; return the exit code.

    With `one_by_one`, shows the result of each question. If the run is interrupted (Ctrl-C, SIGTERM), the results so far are
    written.
    """
    from satjudge.engines.conformance.diagnosis import diagnose_engine
    from satjudge.engines.conformance.evidence import make_recording_campaign
    from satjudge.engines.kit.parts import BOARDS
    from satjudge.engines.kit.run import (
        apply_expectations,
        ask_kit,
        compute_digests,
        format_differences,
        make_empty_conformance,
    )
    from satjudge.show.engines import iter_cause_lines

    expected, skips = reports.read_expectations()
    recording = make_recording_campaign(campaign)
    document, interrupted = make_empty_conformance(campaign), False
    try:
        with show_progress(sum(map(len, parts.values())), "questions") as advance:
            ask_kit(recording, parts, advance, document)
        if BOARDS in parts:
            document.digest, document.their_digest = compute_digests(recording, parts[BOARDS])
        if max_tries is not None:
            looking = "looking for causes (Ctrl-C stops the search and keeps its results; --no-diagnosis skips it)"
            with show_status(looking) as change, report_elapsed_time(looking) as change_line:
                shown_names: set[str] = set()

                def watch(step: str, diagnosis: Diagnosis | None) -> None:
                    change(step)
                    change_line(step)
                    document.diagnosis = diagnosis or document.diagnosis
                    for cause in diagnosis.causes if diagnosis else ():
                        if cause.name not in shown_names:
                            shown_names.add(cause.name)
                            write_text("\n".join(iter_cause_lines(cause, diagnosis.differing if diagnosis else 0)), err=True)

                try:
                    document.diagnosis = diagnose_engine(recording, recording.list_answers(parts), document, max_tries, watch)
                except Exception as error:  # the differences are shown anyway
                    write_text(f"no diagnosis: the search for causes failed ({type(error).__name__}: {error})", err=True)
    except KeyboardInterrupt:
        interrupted = True
        write_text("interrupted; the results so far are being written", err=True)
        document.lost = document.lost or "The run was interrupted while looking for causes."
    findings = {one.question: one for part in document.parts for one in part.findings}
    apply_expectations(document, parts, expected, {} if one_by_one else skips)  # with --only no part is asked as a whole
    skips |= {} if one_by_one else {part.part: part.skipped for part in document.parts}
    with ExitStack() as telling:
        elements = _iter_result_parts(campaign, document, parts, findings, one_by_one)
        telling.callback(lambda: write_json(document) if as_json else show(*elements))
        differing = {name: format_differences(one) for name, one in findings.items()}
        reports.write_reports(document, parts, expected, differing, skips)
    if interrupted:
        return EXIT_INTERRUPTED
    if reports.update and not (document.contradicting or document.lost):  # the file now lists the differences
        return 0
    return 0 if document.passes else 1


def _iter_result_parts(
    campaign: Campaign, document: Conformance, parts: dict[str, list[bytes]], findings: Mapping[str, Otherwise], single: bool
) -> Iterator[Part]:
    """Yield the parts for `show`; with `single`, first each question's result, or if there are many, each of the `findings`."""
    from satjudge.engines.kit.parts import read_name
    from satjudge.engines.kit.run import describe_question_result
    from satjudge.show.engines import format_finding, iter_conformance_text
    from satjudge.show.layout import StyledText

    if single:
        few = sum(map(len, parts.values())) <= _FEW
        for part in document.parts:
            lines = parts[part.part][: part.asked + part.not_asked]
            results = (findings.get(read_name(line)) or describe_question_result(campaign, part, line) for line in lines)
            shown = [one for one in results if one is not None and (few or one.differences)]
            yield from (StyledText(format_finding(one) + "\n") for one in shown)
    yield from iter_conformance_text(document)
