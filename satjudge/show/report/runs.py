"""Makes HTML pages from the JSON of runs: of a census, a campaign against another engine, or the kit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from xml.etree.ElementTree import Element

import msgspec

from satjudge.base.errors import RequestError
from satjudge.base.resources import decode_json
from satjudge.base.words import number_of
from satjudge.bulk.census import Census, Shape, name_key
from satjudge.engines.documents.campaigns import Crosscheck, Family, Found
from satjudge.engines.documents.conformance import Conformance
from satjudge.files.detect import Kind, detect, format_hint
from satjudge.notation.sheet_reader import read_sheets
from satjudge.show.pictures.scene import make_case_panels
from satjudge.show.report.engine_pages import make_conformance_page
from satjudge.show.report.html import Content, Fold, Section, SharedMaps, format_page, make_node, make_prose, make_table
from satjudge.world.rules import Rulebook


def make_run_page(data: bytes, source: str = "the run") -> str:
    """Return a self-contained HTML page about a run, from the JSON that its command wrote to the file `source`.

    Raises `RequestError` if the data are not from a run.
    """
    try:
        read = decode_json(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise RequestError(f"not JSON: {error}", source=source) from None
    kinds: dict[str, type[Census | Crosscheck | Conformance]] = {
        "claims": Census, "parts": Conformance, "against": Crosscheck,
    }  # fmt: skip
    kind = next((kind for key, kind in kinds.items() if isinstance(read, dict) and key in read), None)
    if kind is None:
        hint = "`satjudge census --json`, `satjudge crosscheck --json` and `satjudge conformance --json` write such files"
        if (found := detect(data)) is not Kind.JSON:
            hint = f"it is {found}: {format_hint(found)}"
        raise RequestError("a page cannot be made from this file", source=source, suggestion=hint)
    try:
        return format_run_page(msgspec.convert(read, kind))
    except msgspec.ValidationError as error:
        raise RequestError(f"not what satjudge {kind.__name__.lower()} --json writes: {error}", source=source) from None


def format_run_page(run: Census | Crosscheck | Conformance) -> str:
    """Return a self-contained HTML page about a census, a campaign against an engine, or an engine's results on the kit."""
    if isinstance(run, Conformance):
        return make_conformance_page(run)
    made = f"Made by satjudge {run.satjudge}, rulebook {run.rulebook.name}."
    if isinstance(run, Census):
        holding = number_of(run.boards_with_cores, "board contains", "boards contain")
        subtitle = f"Seed {run.seed}; {holding} a core. Judged by {run.rulebook.name}."
        title = f"A census of {number_of(run.boards, 'board')}"
        return format_page(title, _iter_census_sections(run), subtitle=subtitle, footer=made, has_contents=True)
    agreed = f"{run.agreed:,} of {number_of(run.boards, 'board')} agree; {run.differing:,} differ in ways that are not known."
    return format_page(run.title, _iter_crosscheck_sections(run), subtitle=f"{agreed} {run.lost}".strip(), footer=made)


# ---- a census ----


def _iter_census_sections(run: Census) -> Iterator[Section]:
    yield Section("Boards by number of resolutions", [_make_resolutions_table(run)], "resolutions")
    yield Section("Cores", [_make_names_table(run)], "cores")
    claims = [(make_prose(one.claim), f"{one.tested:,}", f"{one.violations:,}") for one in run.claims.values()]
    yield Section("Claims", [make_table(["Claim", "Tested", "Violated"], claims, "Claims", numbers=(1, 2))], "claims")
    if run.differing:
        pairs = sorted(run.differing.items(), key=lambda item: (-item[1].boards, item[0]))
        parted = [(names.replace(",", " and "), f"{pair.boards:,}") for names, pair in pairs]
        label = f"Where rulebooks differ, of {number_of(run.compared, 'board')}"
        yield Section(label, [make_table(["Rulebooks", "Boards"], parted, label, numbers=(1,))], "rulebooks")
    cases = _CaseRenderer(run.rulebook.rulebook())
    shapes = sorted(run.shapes.items(), key=lambda item: -item[1].cores)
    shown = [_make_shape(cases, shape, found) for shape, found in shapes]
    yield Section("Shapes", [*cases.maps.iter_maps()], "shapes", shown)


def _make_resolutions_table(run: Census) -> Element:
    columns = sorted({count for row in run.resolutions.values() for count in row}, key=name_key)
    rows = [(flavour, *(f"{row.get(count, 0):,}" for count in columns)) for flavour, row in run.resolutions.items()]
    numbers = range(1, len(columns) + 1)
    return make_table(["Boards", *columns], rows, "Boards by number of resolutions", numbers=numbers)


def _make_names_table(run: Census) -> Element:
    """Make a table that counts, for each name of cores, the cores and boards, grouped by the kind of the name."""
    rows: list[Sequence[Content]] = []
    for kind, named in groupby(
        sorted(run.names.items(), key=lambda item: (item[1].kind, -item[1].cores)), lambda item: item[1].kind
    ):
        rows.append([kind])
        rows.extend((make_prose(name), f"{found.cores:,}", f"{found.boards:,}") for name, found in named)
    return make_table(["Name", "Cores", "Boards"], rows, "Cores", numbers=(1, 2))


def _make_shape(cases: _CaseRenderer, shape: str, smallest: Shape) -> Fold:
    intro = make_node(
        "p", f"{number_of(smallest.cores, 'core')} of the shape {shape}; the smallest board with one:", class_="faint"
    )
    content = [intro, *cases.render_case(smallest.case)]
    return Fold(", ".join(smallest.names), number_of(smallest.cores, "core"), content, f"shape-{shape}")


# ---- a campaign ----


def _iter_crosscheck_sections(run: Crosscheck) -> Iterator[Section]:
    cases = _CaseRenderer(run.rulebook.rulebook())
    found = [part for family, members in run.by_family for part in _iter_family(cases, family, members)]
    known = [part for one in run.explained for part in _iter_finding(cases, one, one.explanation)]
    if run.explained_together:
        together = [(names, f"{boards:,}") for names, boards in run.explained_together.items()]
        known += [make_node("h3", "Several together"), make_table(["", "Boards"], together, "Several together", numbers=(1,))]
    hint = make_node("p", run.hint) if run.hint else None
    yield Section(
        "Numbers", [make_table(["", ""], run.numbers, "Numbers", numbers=(1,)), hint, *cases.maps.iter_maps()], "numbers"
    )
    yield Section("Findings", found or [make_node("p", "There are no findings.")], "findings")
    if known:
        yield Section("Known differences", known, "explained")


def _iter_family(cases: _CaseRenderer, family: Family, members: Sequence[Found]) -> Iterator[Content]:
    yield make_node("h3", family.title)
    yield make_node("p", f"{family.count_text}. {family.certainty}".strip())
    if family.boards:
        yield make_node("p", f"Boards: {family.board_ranges}", class_="faint")
    for one in members:
        yield from _iter_finding(cases, one, one.shape, "h4")


def _iter_finding(cases: _CaseRenderer, finding: Found, heading: str, level: str = "h3") -> Iterator[Content]:
    yield make_node(level, heading)
    yield make_node("p", finding.count_text, class_="faint")
    rows = [(one.subject_with_power, one.ours, make_prose(one.theirs)) for one in finding.differences]
    yield make_table(["", "satjudge", "the other"], rows, "Differences")
    if finding.resolution:
        yield make_node("p", f"The other answer is {finding.resolution}.")
    yield from cases.render_case(finding.case)
    if finding.reasons:
        yield make_node("ul", *(make_node("li", reason) for reason in finding.reasons))
    if finding.command:
        yield make_node("p", make_node("code", finding.command))


# ---- cases, with pictures that share a map ----


class _CaseRenderer:
    """Renders cases: a picture, and the order sheet to copy."""

    def __init__(self, rulebook: Rulebook) -> None:
        self.rulebook = rulebook
        self.maps = SharedMaps()

    def render_case(self, text: str) -> Iterator[Content]:
        """Yield a case's pictures and its order sheet to copy, or only the text of a batch line (`{…}`).

        Raises `InputError` for any other text.
        """
        if text.startswith("{"):
            yield make_node("pre", text)
            return
        sheet = read_sheets(text, source="a case of the run")[0]
        yield from self.maps.iter_figures(make_case_panels(sheet, self.rulebook).scenes)
        yield make_node("details", make_node("summary", "The order sheet"), make_node("pre", text))
