"""Has the command `conformance`, which makes the kit and asks an engine its questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from satjudge.apps.cli import options
from satjudge.apps.cli.options import DIRECTORY_PATH, FILE_PATH, RulesOptions, command, flag, option
from satjudge.apps.cli.output import (
    check_writable,
    file_errors,
    progress,
    report_elapsed_time,
    show,
    status,
    tell,
    write_file,
    write_files,
    write_json,
)
from satjudge.base.errors import NotFoundError
from satjudge.base.startup import EXIT_INTERRUPTED
from satjudge.base.words import number_of
from satjudge.judging.solve import Engine

if TYPE_CHECKING:
    from satjudge.engines.campaign import Campaign
    from satjudge.engines.conformance.expecting import Expected
    from satjudge.engines.documents.conformance import Conformance, Otherwise
    from satjudge.show.layout import Part

_FEW = 20
"""The number of questions asked for by name up to which each is shown, also where nothing differs."""


@command(
    epilog='Examples:  satjudge conformance --against "./my-engine --batch"  ·  satjudge conformance --against my_engine:judge'
    " --rules 1982 --part datc --part retreats  ·  satjudge conformance --against my_engine:judge --junit kit.xml"
    " --html kit.html  ·  satjudge conformance --make kit  ·  satjudge conformance --dashboard runs"
)
def conformance(
    against: str | None = option("An oracle, a program with its arguments, or module:function.", metavar="NAME|CMD"),
    make: Path | None = option("Write the kit there, for programs in any language.", type=DIRECTORY_PATH, metavar="DIR"),
    dashboard: Path | None = option(
        "Write pages of the engines whose runs (--json) are NAME.json in this directory.", type=DIRECTORY_PATH, metavar="RUNS"
    ),
    names: tuple[str, ...] = option(
        "Only this part of the kit, and the boards; may be repeated.", "--part", metavar="NAME", multiple=True
    ),
    only: tuple[str, ...] = option(
        "Only the question of this name, or those whose names begin so (6.E);"
        " each is shown with its board and the reason. May be repeated.", metavar="QUESTION", multiple=True
    ),
    list_them: bool = flag("List the parts of the kit.", "--list"),
    dialect: str = option("How the engine writes.", default="satjudge", metavar="NAME|FILE.toml"),
    rules: RulesOptions = options.rules,
    diagnosis: bool = option("Say what explains the answers.", "--diagnosis/--no-diagnosis", default=True),
    tries: int = option("Try so many hypotheses about the engine at most.", type=click.IntRange(min=0), default=2000),
    limits: dict[str, Any] = options.limits(restarts=20),
    expect: Path | None = option(
        "Differences that are expected, with reasons: only others count.", type=FILE_PATH, metavar="FILE.toml"
    ),
    update: bool = flag("Write the file of --expect anew, as the engine answers now."),
    junit: Path | None = option(
        "Write JUnit XML for CI services, a case for each question.", type=FILE_PATH, metavar="FILE.xml"
    ),
    badge: Path | None = option("Write the score as a badge, for shields.io.", type=FILE_PATH, metavar="FILE.json"),
    page: Path | None = option("Write a page with pictures of what differs.", "--html", type=FILE_PATH, metavar="FILE.html"),
    as_json: bool = options.json,
) -> int:  # fmt: skip
    """Ask an engine a fixed set of questions, the kit.

    Its parts are every move of one unit alone, the DATC, every core that is known, retreats and adjustments. Every answer is
    compared with satjudge's under the rulebook of the engine (--rules, --set); the exit status is 1 if one differs. First the
    diagnosis says which rulebook the engine plays and what it does wrong, each with the smallest question that shows it; for
    that it is asked some questions more. A program answers batch lines on its standard streams (docs/guides/crosscheck.md).
    With --make the kit is written as a package for programs in any language: questions, answers by each rulebook, maps, schemas
    and runners (docs/guides/conformance.md).
    With --junit, --badge and --html the result is written to files as well. --dashboard makes pages of several engines in the
    directory of their runs: a table of engines and topics (index.html), and for each engine the smallest question of every
    topic with both answers; NAME.toml there says what the engine of NAME.json is.
    """
    from satjudge.engines.campaign import campaign_against
    from satjudge.engines.conformance.kit import BOARDS, PARTS
    from satjudge.engines.positions import ListedPositions

    if list_them:
        show(*(f"{part.name:12} {part.about}" for part in PARTS.values()))
        return 0
    if sum(given is not None for given in (against, make, dashboard)) != 1:
        raise click.UsageError("name an engine with --against, write the kit with --make DIR, or pages with --dashboard RUNS")
    if dashboard is not None:
        return _dashboard(dashboard)
    if unknown := [name for name in names if name not in PARTS]:
        raise NotFoundError(f"there is no part {unknown[0]!r}", suggestion=f"there are {', '.join(PARTS)}")
    if make is not None:
        return _make(make, [name for name in PARTS if name in names or not names])
    assert against is not None
    chosen = [name for name, part in PARTS.items() if (name in names if names else part.usual)]
    chosen += [BOARDS] if BOARDS not in chosen and not only else []
    if update and expect is None:
        raise click.UsageError("--update writes the file of --expect FILE.toml; name it")
    reports = _Reports(junit, badge, page, expect, update)
    check_writable(None, reports.files)
    questions = _questions(chosen, only)
    campaign = campaign_against(
        against, ListedPositions(()), rules=rules.name, settings=rules.settings, engine=Engine.STAGED, dialect=dialect,
        **limits,
    )  # fmt: skip
    return _ask(campaign, questions, tries if diagnosis and not only else None, reports, as_json, each=bool(only))


def _make(directory: Path, chosen: Sequence[str]) -> int:
    """Write the package of the kit with these parts into a directory."""
    from satjudge.engines.conformance.package import package_files, write_package

    check_writable(directory, ())
    if directory.is_dir() and any(directory.iterdir()):
        tell(f"{directory} is there: files of the kit in it are written anew, others stay", err=True)
    judging = "judging every question by every rulebook, which takes a minute or two"
    with status(judging), report_elapsed_time(judging):
        files = package_files(chosen)
    with file_errors(directory):
        write_package(directory, files)
    tell(
        f"wrote the kit with {number_of(len(chosen), 'part')} to {directory}: {directory / 'README.md'} says how it is used",
        err=True,
    )
    return 0


def _dashboard(directory: Path) -> int:
    """Write the pages of engines into the directory of their runs."""
    from satjudge.engines.documents.engines import read_runs
    from satjudge.show.report import engine_pages

    engines = read_runs(directory)
    check_writable(directory, ())
    with status("drawing the smallest questions"):
        pages = engine_pages(engines)
    write_files(directory, pages.items())
    tell(f"wrote the pages of {number_of(len(engines), 'engine')} to {directory / 'index.html'}", err=True)
    return 0


def _questions(chosen: Sequence[str], only: Sequence[str]) -> dict[str, list[bytes]]:
    """Make the batch lines that ask these parts, or those questions in them.

    Raises `NotFoundError`.
    """
    from satjudge.engines.conformance.kit import PARTS

    made = {name: list(PARTS[name].make()) for name in chosen}
    if only:
        names = [question.name for questions in made.values() for question in questions]
        wanted = {name for text in only for name in _find_questions(text, names)}
        made = {part: [question for question in questions if question.name in wanted] for part, questions in made.items()}
    return {part: [question.question_line for question in questions] for part, questions in made.items() if questions}


def _find_questions(text: str, names: Sequence[str]) -> list[str]:
    """Find the questions with a name, or else those whose names begin with it.

    Raises `NotFoundError`.
    """
    from satjudge.engines.conformance.kit import bare_name

    lower, wanted = {name: name.casefold() for name in names}, bare_name(text).casefold()
    found = [name for name in names if lower[name] == wanted]
    found = found or [name for name in names if lower[name].startswith(wanted)]
    if not found:
        raise NotFoundError(f"there is no question {text!r}", suggestion="satjudge conformance --make DIR writes them all")
    return found


@dataclass(frozen=True)
class _Reports:
    """The files to which the result is written as well, if any."""

    junit: Path | None
    badge: Path | None
    html: Path | None
    expect: Path | None = None
    update: bool = False
    """Whether the file of expected differences is written anew."""

    @property
    def files(self) -> list[Path]:
        """The files that are asked for."""
        return [path for path in (self.junit, self.badge, self.html, self.expect if self.update else None) if path]

    def read_expectations(self) -> Expected:
        """Read the expected differences; there are none without a file, or if it is to be written for the first time.

        Raises `InputError`.
        """
        from satjudge.engines.conformance.expecting import read_expected

        return {} if self.expect is None or (self.update and not self.expect.exists()) else read_expected(self.expect)

    def skips(self) -> dict[str, int]:
        """Read how many questions of each part may be skipped; none is limited without a file that says so.

        Raises `InputError`.
        """
        from satjudge.engines.conformance.expecting import read_skips

        return read_skips(self.expect) if self.expect and self.expect.exists() else {}

    def write(
        self,
        document: Conformance,
        parts: dict[str, list[bytes]],
        expected: Expected,
        differing: Mapping[str, str],
        skips: Mapping[str, int],
    ) -> None:
        """Write all files, even if one cannot be written: the result may have taken long.

        `differing` has what differs on each question, by its name; `skips` how many of each part may be skipped from now on.

        Raises `click.FileError`.
        """
        from satjudge.engines.conformance.expecting import expected_text
        from satjudge.engines.conformance.scores import badge
        from satjudge.show.engines import junit
        from satjudge.show.report import run_page_of

        with ExitStack() as writing:
            if self.expect and self.update:
                writing.callback(
                    lambda path: write_file(path, expected_text(document, expected, differing, skips).encode()), self.expect
                )
            if self.html:
                writing.callback(lambda path: write_file(path, run_page_of(document).encode()), self.html)
            if self.badge:
                writing.callback(lambda path: write_file(path, msgspec.json.encode(badge(document)) + b"\n"), self.badge)
            if self.junit:
                writing.callback(lambda path: write_file(path, junit(document, parts).encode()), self.junit)


def _ask(
    campaign: Campaign,
    parts: dict[str, list[bytes]],
    diagnosis: int | None,
    reports: _Reports,
    as_json: bool,
    each: bool = False,
) -> int:
    """Ask an engine all questions, write its results in all ways that are asked for, and return the exit code.

    What is known by then is told as well if the user interrupts it (Ctrl-C), or somebody ends it (SIGTERM).
    """
    from satjudge.engines.conformance.diagnosis import diagnose
    from satjudge.engines.conformance.engine_answers import listening_campaign
    from satjudge.engines.conformance.expecting import expect, format_differences
    from satjudge.engines.conformance.kit import BOARDS
    from satjudge.engines.conformance.querying import conformance, digests, empty_conformance

    expected, skips = reports.read_expectations(), reports.skips()
    heard = listening_campaign(campaign)
    document, interrupted = empty_conformance(campaign), False
    try:
        with progress(sum(map(len, parts.values())), "questions") as advance:
            conformance(heard, parts, advance, document)
        if BOARDS in parts:
            document.digest, document.their_digest = digests(heard, parts[BOARDS])
        if diagnosis is not None:
            looking = "looking for causes, which may take minutes (--no-diagnosis leaves it out)"
            with status(looking), report_elapsed_time(looking):
                try:
                    document.diagnosis = diagnose(heard, heard.list_answers(parts), document, diagnosis)
                except Exception as error:  # what differs is told all the same
                    tell(f"no diagnosis: it failed ({type(error).__name__}: {error})", err=True)
    except KeyboardInterrupt:
        interrupted = True
        document.lost = document.lost or "It was interrupted while causes were looked for."
    known = {one.question: one for part in document.parts for one in part.findings}
    expect(document, parts, expected, {} if each else skips)  # with --only no part is asked as a whole
    skips |= {} if each else {part.part: part.skipped for part in document.parts}
    with ExitStack() as telling:
        telling.callback(
            lambda: write_json(document) if as_json else show(*_iter_result_parts(campaign, document, parts, known, each))
        )
        reports.write(document, parts, expected, {name: format_differences(one) for name, one in known.items()}, skips)
    if interrupted:
        tell("interrupted", err=True)
        return EXIT_INTERRUPTED
    if reports.update and not (document.contradicting or document.lost):  # what differs stands in the file from now on
        return 0
    return 0 if document.passes else 1


def _iter_result_parts(
    campaign: Campaign, document: Conformance, parts: dict[str, list[bytes]], known: Mapping[str, Otherwise], each: bool
) -> Iterator[Part]:
    """Write the results for the terminal, after the questions that were named; `known` has the differences of each."""
    from satjudge.engines.conformance.kit import name_of
    from satjudge.engines.conformance.querying import question_result
    from satjudge.show.engines import conformance_text, finding_text
    from satjudge.show.layout import Text

    if each:
        few = sum(map(len, parts.values())) <= _FEW
        for part in document.parts:
            lines = parts[part.part][: part.asked + part.not_asked]
            asked = (known.get(name_of(line)) or question_result(campaign, part, line) for line in lines)
            shown = [one for one in asked if one is not None and (few or one.differences)]
            yield from (Text(finding_text(one) + "\n") for one in shown)
    yield from conformance_text(document)
