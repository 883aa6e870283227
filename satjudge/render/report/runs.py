"""Pages about runs that were written as JSON: a census of random boards, or a campaign against another engine."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

import msgspec

from satjudge.errors import RequestError
from satjudge.notation.kinds import other_kind
from satjudge.notation.sheets import Sheet, read_sheets
from satjudge.reading import decode_json
from satjudge.render.pictures import Look, position
from satjudge.render.pictures.composition import OnPage, document, map_alone
from satjudge.render.pictures.panels import case_panels
from satjudge.render.report.html import Content, Folded, Section, figure, node, page, prose, table
from satjudge.rules import DEFAULT_RULES, Rulebook, load_rulebook, preset_names
from satjudge.words import number_of

_MAP = "the-map"
_LOOK = Look(width=700, legend=False)


class _Settled(msgspec.Struct):
    """The rulebook of a run."""

    name: str
    settings: dict[str, str]

    def rulebook(self) -> Rulebook:
        """The preset of that name, with what was settled otherwise. Raises `RulebookError`."""
        base = load_rulebook(self.name if self.name in preset_names() else DEFAULT_RULES)
        usual = base.settings()
        return base.with_settings(f"{issue}={value}" for issue, value in self.settings.items() if usual.get(issue) != value)


class _Run(msgspec.Struct):
    """What every run tells."""

    satjudge: str
    rulebook: _Settled

    @property
    def made(self) -> str:
        """How it was made."""
        return f"Made by satjudge {self.satjudge}, rulebook {self.rulebook.name}."


class _Named(msgspec.Struct):
    kind: str
    order: int
    cores: int
    boards: int


class _Shape(msgspec.Struct):
    kind: str
    cores: int
    case: str
    names: dict[str, int]


class _Counterexample(msgspec.Struct):
    case: str
    board: int


class _Claim(msgspec.Struct):
    claim: str
    tested: int
    violations: int
    counterexamples: list[_Counterexample]


class _Pair(msgspec.Struct):
    boards: int


class Census(_Run):
    """What `satjudge census --json` writes, as far as a page tells of it."""

    seed: int
    boards: int
    boards_with_cores: int
    compared: int
    resolutions: dict[str, dict[str, int]]
    names: dict[str, _Named]
    shapes: dict[str, _Shape]
    claims: dict[str, _Claim]
    differing: dict[str, _Pair]


class _Difference(msgspec.Struct):
    subject: str
    power: str
    ours: str
    theirs: str


class _Finding(msgspec.Struct):
    shape: str
    units: int
    boards: int
    differences: list[_Difference]
    reasons: list[str]
    case: str
    explanation: str | None = None
    because: str = ""
    command: str = ""


class Crosscheck(_Run):
    """What `satjudge crosscheck --json` writes, as far as a page tells of it."""

    against: str
    boards: int
    agreed: int
    differing: int
    unresolved: int
    explained: list[_Finding]
    findings: list[_Finding]
    explained_together: dict[str, int] = {}
    too_large: int = 0
    seed: int | None = None
    flavours: list[str] = []
    units: list[int] | None = None
    depth: str = ""
    engine: str = ""
    lost: str = ""
    unknown_words: list[str] = []


def run_page(data: bytes, source: str = "the run") -> str:
    """A self-contained HTML page about a run. Raises `RequestError` for what is none."""
    try:
        read = decode_json(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise RequestError(f"not JSON: {error}", source=source) from None
    kinds: dict[str, type[Census] | type[Crosscheck]] = {"claims": Census, "against": Crosscheck}
    kind = next((kind for key, kind in kinds.items() if isinstance(read, dict) and key in read), None)
    if kind is None:
        hint = "`satjudge census --json` and `satjudge crosscheck --json` write such"
        if (found := other_kind(data)) and found[0] != "JSON":
            hint = f"it is {found[0]}: {found[1]}"
        raise RequestError("this is no run that a page could be made of", source=source, suggestion=hint)
    try:
        run = msgspec.convert(read, kind)
    except msgspec.ValidationError as error:
        raise RequestError(f"not what satjudge {kind.__name__.lower()} --json writes: {error}", source=source) from None
    return census_page(run) if isinstance(run, Census) else crosscheck_page(run)


# ---- a census ----


def census_page(run: Census) -> str:
    """The page of a census."""
    title = f"A census of {run.boards:,} boards"
    subtitle = f"Seed {run.seed}; {run.boards_with_cores:,} boards hold a core. Judged by {run.rulebook.name}."
    return page(title, _census_sections(run), subtitle=subtitle, made=run.made, listed=True)


def _census_sections(run: Census) -> Iterator[Section]:
    yield Section("Boards by number of resolutions", [_resolutions_table(run)], "resolutions")
    names = sorted(run.names.items(), key=lambda item: -item[1].cores)
    named = [(prose(name), prose(found.kind), f"{found.cores:,}", f"{found.boards:,}") for name, found in names]
    yield Section("Cores", [table(["Name", "Kind", "Cores", "Boards"], named, "Cores", numbers=(2, 3))], "cores")
    claims = [(prose(one.claim), f"{one.tested:,}", f"{one.violations:,}") for one in run.claims.values()]
    yield Section("Claims", [table(["Claim", "Tested", "Violated"], claims, "Claims", numbers=(1, 2))], "claims")
    if run.differing:
        pairs = sorted(run.differing.items(), key=lambda item: (-item[1].boards, item[0]))
        parted = [(names.replace(",", " and "), f"{pair.boards:,}") for names, pair in pairs]
        label = f"Where rulebooks part, of {run.compared:,} boards"
        yield Section(label, [table(["Rulebooks", "Boards"], parted, label, numbers=(1,))], "rulebooks")
    cases = _Cases(run.rulebook.rulebook())
    shapes = sorted(run.shapes.items(), key=lambda item: -item[1].cores)
    shown = [_shape(cases, shape, found) for shape, found in shapes]
    yield Section("Shapes", [cases.map()], "shapes", shown)


def _resolutions_table(run: Census) -> Element:
    columns = sorted({count for row in run.resolutions.values() for count in row}, key=_by_number)
    rows = [(flavour, *(f"{row.get(count, 0):,}" for count in columns)) for flavour, row in run.resolutions.items()]
    numbers = range(1, len(columns) + 1)
    return table(["Boards", *columns], rows, "Boards by number of resolutions", numbers=numbers)


def _by_number(text: str) -> tuple[bool, int, str]:
    return (not text.isdigit(), int(text) if text.isdigit() else 0, text)


def _shape(cases: _Cases, shape: str, found: _Shape) -> Folded:
    intro = node("p", f"{found.cores:,} cores of the shape {shape}; the smallest board with one:", class_="faint")
    content = [intro, *cases.shown(found.case)]
    return Folded(", ".join(found.names), number_of(found.cores, "core"), content, f"shape-{shape}")


# ---- a campaign ----


def crosscheck_page(run: Crosscheck) -> str:
    """The page of a campaign against another engine."""
    agreed = f"{run.agreed:,} of {number_of(run.boards, 'board')} agree; {run.differing:,} differ without an explanation."
    subtitle = f"{agreed} {run.lost}".strip()
    return page(f"satjudge against {run.against}", _crosscheck_sections(run), subtitle=subtitle, made=run.made)


def _positions(run: Crosscheck) -> str:
    """What was compared, in a sentence."""
    counts = {flavour: run.flavours.count(flavour) for flavour in run.flavours}
    parts = [f"Random boards of seed {run.seed}"] if run.seed is not None else ["Positions from files"]
    if counts:
        parts.append(", ".join(f"{name}×{count}" if count > 1 else name for name, count in counts.items()))
    if run.units:
        parts.append(f"{run.units[0]} to {run.units[1]} units")
    return f"{'; '.join(parts)}. Compared: {run.depth}, satjudge with engine {run.engine}, rulebook {run.rulebook.name}."


def _crosscheck_sections(run: Crosscheck) -> Iterator[Section]:
    explained = run.boards - run.agreed - run.differing - run.unresolved - run.too_large
    numbers = [
        ("boards", run.boards),
        ("agree", run.agreed),
        ("differ, explained", explained),
        ("differ, unexplained", run.differing),
        ("without an answer by the rulebook", run.unresolved),
        ("too large for satjudge's engine", run.too_large),
    ]
    rows = [(name, f"{number:,}") for name, number in numbers]
    cases = _Cases(run.rulebook.rulebook())
    found = [part for one in run.findings for part in _finding(cases, one, one.shape)]
    known = [part for one in run.explained for part in _finding(cases, one, one.explanation or one.shape)]
    if run.explained_together:
        together = [(names, f"{boards:,}") for names, boards in run.explained_together.items()]
        known += [node("h3", "Several together"), table(["", "Boards"], together, "Several together", numbers=(1,))]
    numbered = table(["", "Boards"], rows, "Numbers", numbers=(1,))
    yield Section("Numbers", [numbered, *_hints(run), cases.map()], "numbers")
    yield Section("Findings", found or [node("p", "Nothing differs that is not explained.")], "findings")
    if known:
        yield Section("Explained differences", known, "explained")


def _hints(run: Crosscheck) -> Iterator[Content]:
    """What was compared, and what may be wrong with how the other engine is read."""
    yield node("p", _positions(run), class_="faint")
    if run.unknown_words:
        words = ", ".join(run.unknown_words)
        yield node("p", f"Words of the engine that satjudge does not know: {words}; see ", node("code", "--dialect"), ".")


def _finding(cases: _Cases, finding: _Finding, heading: str) -> Iterator[Content]:
    yield node("h3", heading)
    counted = f"{number_of(finding.boards, 'board')}; this one has {number_of(finding.units, 'unit')}."
    yield node("p", " ".join(part for part in (counted, finding.because) if part), class_="faint")
    rows = [
        (f"{one.subject} ({one.power})" if one.power else one.subject, one.ours, prose(one.theirs))
        for one in finding.differences
    ]
    yield table(["", "satjudge", "the other"], rows, "Differences")
    yield from cases.shown(finding.case)
    if finding.reasons:
        yield node("ul", *(node("li", reason) for reason in finding.reasons))
    if finding.command:
        yield node("p", node("code", finding.command))


# ---- cases, with pictures that share one map ----


class _Cases:
    """Shows cases: a picture, and the order sheet to copy."""

    def __init__(self, rulebook: Rulebook) -> None:
        self.rulebook = rulebook
        self.sheets: list[Sheet] = []

    def shown(self, text: str) -> Iterator[Content]:
        """A case as a picture and as text. Raises `InputError` for what is no order sheet.

        Where a unit is ordered that is not there, a case is a batch line; of that there is no picture.
        """
        if text.startswith("{"):
            yield node("pre", text)
            return
        sheet = read_sheets(text, source="a case of the run")[0]
        self.sheets.append(sheet)
        for number, scene in enumerate(case_panels(sheet, self.rulebook).scenes):
            name = f"case-{len(self.sheets)}-{number}"
            yield figure(document([scene], look=_LOOK, page=OnPage(name, _MAP)))
        yield node("details", node("summary", "The order sheet"), node("pre", text))

    def map(self) -> Content:
        """The map that the pictures borrow."""
        return map_alone([position(self.sheets[0].board)], _MAP, Look(whole=True)) if self.sheets else None
