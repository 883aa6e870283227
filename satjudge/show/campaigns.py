"""Writes the findings of `crosscheck` and `replay`, as tables for the terminal and in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from textwrap import shorten

from msgspec.structs import astuple

from satjudge.base.words import number_of
from satjudge.engines.documents.campaigns import Crosscheck, Family, Found, ReplayedGame, ReplayedPhase
from satjudge.show.layout import Column, Listing, Part, Text
from satjudge.show.markdown import code_span, escaped_text, longest_ticks, table_rows
from satjudge.show.text import listing

_SHOWN, _SETS_SHOWN, _SHAPES_SHOWN, _LONGEST_LIST = 20, 5, 5, 100


# ---- crosscheck, for the terminal ----


def crosscheck_text(found: Crosscheck) -> Iterator[Part]:
    """Write a campaign against another engine for the terminal: its numbers, then its smallest findings."""
    numbers = Listing([Column(""), Column("")], found.title, show_header=False, lined=True)
    for row in found.numbers:
        numbers.add_row(*row)
    yield numbers
    known = Listing([*map(Column, ("Boards", "Explained difference", "Why"))], "Explained", lined=True)
    for one in found.explained:
        known.add_row(f"{one.boards:,}", one.explanation, one.because)
    together = list(found.explained_together.items())
    for names, boards in together[:_SETS_SHOWN]:
        known.add_row(f"{boards:,}", names, "together")
    if rest := together[_SETS_SHOWN:]:
        known.add_row(f"{sum(boards for _, boards in rest):,}", f"{len(rest)} other sets of these", "--report tells them")
    if known.rows:
        yield from ("", known)
    families = list(found.by_family)
    for number, (family, members) in enumerate(families[:_SHOWN], 1):
        yield from _family_text(number, family, members)
    if len(families) > _SHOWN:
        yield from ("", f"and {len(families) - _SHOWN} more families; --save or --report holds them all")
    yield from ("", *filter(None, [found.hint]), found.summary)


def _family_text(number: int, family: Family, members: Sequence[Found]) -> Iterator[Part]:
    """Write a family of findings: the smallest finding in full, of the others their shapes."""
    smallest, *others = members
    yield from ("", f"{number}. {family.title}", f"{family.counted}. {family.certainty}".strip())
    yield from _finding_text(smallest)
    if others:
        more = f", and {len(others) - _SHAPES_SHOWN} more" if len(others) > _SHAPES_SHOWN else ""
        yield f"also: {', '.join(one.shape for one in others[:_SHAPES_SHOWN])}{more}"
    if family.boards:
        yield f"found on boards number {shorten(family.listed, _LONGEST_LIST, placeholder=' …')}"


def _finding_text(finding: Found) -> Iterator[Part]:
    rows = Listing([*map(Column, ("", "satjudge", "the other"))], lined=True)
    for one in finding.differences:
        rows.add_row(one.whose, one.ours, one.theirs)
    command = Text(finding.command, whole=True)  # to be copied
    yield from (f"{finding.shape}: {finding.counted}", *finding.sheet)
    yield rows
    if finding.resolution:
        yield f"The other's answer is {finding.resolution}."
    yield from finding.reasons
    yield command


def engines_lines(oracles: Iterable[tuple[str, str, str, str]], dialects: Iterable[tuple[str, str]]) -> Iterator[str]:
    """List the oracles, each with its algorithm, its rulebook and what it lacks, and then the dialects."""
    yield "Oracles (--against NAME)"
    for name, about, rules, missing in oracles:
        yield f"  {name:20} {about}, under {rules}" + (f" – {missing}" if missing else "")
    yield "Dialects (--dialect NAME)"
    yield from (f"  {name:20} {about}" for name, about in dialects)


# ---- crosscheck, in Markdown ----


def markdown(found: Crosscheck) -> str:
    """Write the findings of a campaign against another engine in Markdown."""
    return "\n".join(_markdown(found)) + "\n"


def _markdown(found: Crosscheck) -> Iterator[str]:
    yield from (f"# {escaped_text(found.title)}", "", escaped_text(found.summary), "")
    if found.hint:
        yield from (escaped_text(found.hint), "")
    yield from ("| | |", "|---|---|")
    yield from (f"| {escaped_text(name)} | {escaped_text(value)} |" for name, value in found.numbers)
    yield from ("", f"satjudge {found.satjudge}")
    if found.failures:
        rows = ((one.again, one.message) for one in found.failures)
        yield from ("", "## satjudge itself failed", "", *table_rows(("board", "how"), rows))
    if found.explained:
        yield from ("", "## Explained differences")
    for known in found.explained:
        yield from ("", f"### {escaped_text(known.explanation)}", "", *_finding(known))
    if found.explained_together:
        together = ((name, f"{boards:,}") for name, boards in found.explained_together.items())
        yield from ("", "### Several together", "", *table_rows(("", "boards"), together))
    if found.findings:
        yield from ("", "## Findings")
    for number, (family, members) in enumerate(found.by_family, 1):
        yield from (
            "",
            f"### {number}. {escaped_text(family.title)}",
            "",
            escaped_text(f"{family.counted}. {family.certainty}".strip()),
        )
        if family.boards:
            yield from ("", f"Boards: {family.listed}")
        for finding in members:
            yield from ("", f"#### {finding.shape}", "", *_finding(finding))


def _finding(finding: Found) -> Iterator[str]:
    fence = "`" * max(3, 1 + longest_ticks("\n".join(finding.sheet)))
    yield from (escaped_text(finding.counted), "", fence, *finding.sheet, fence, "")
    yield from table_rows(("", "satjudge", "the other"), ((one.whose, one.ours, one.theirs) for one in finding.differences))
    if finding.resolution:
        yield from ("", f"The other's answer is {finding.resolution}.")
    if finding.reasons:
        yield from ("", *(f"- {escaped_text(reason)}" for reason in finding.reasons))
    yield from ("", code_span(finding.command))


# ---- replay ----


def replay_text(replayed: Sequence[ReplayedGame], games: int, cases: int) -> Iterator[Part]:
    """Write the phases that satjudge judges otherwise than the files, and how many phases of games and cases were judged."""
    several = len({game.file for game in replayed}) > 1
    for game in replayed:
        if game.different:
            yield from _phase_text(game.game, game.different, f"{game.file}, " if several else "")
        if game.unanswered:
            yield from (game.unanswered, "")
    same, unanswered = sum(game.same for game in replayed), sum(bool(game.unanswered) for game in replayed)
    different = sum(game.different is not None for game in replayed)
    numbers = {"game": games, "case": cases}
    of = " and ".join(number_of(number, kind) for kind, number in numbers.items() if number) or "no game"
    came = f"{same:,} the same, {different:,} {'differs' if different == 1 else 'differ'}"
    silent = f", {unanswered:,} without an answer in the rulebook" if unanswered else ""
    yield f"{number_of(same + different + unanswered, 'phase')} of {of}: {came}{silent}."


def _phase_text(game: str, phase: ReplayedPhase, file: str) -> Iterator[Part]:
    """Write the differences in a phase, and the orders that have to do with them."""
    yield Text(f"{file}{game}: {phase.phase}", style="bold", whole=True)
    yield listing("What", "Power", "Only satjudge has", "Only the file has", rows=map(astuple, phase.differences))
    if phase.orders:
        yield listing("Power", "Order", "Verdict", "In the file", rows=map(astuple, phase.orders))
    yield ""
