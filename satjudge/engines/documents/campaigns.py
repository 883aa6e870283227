"""Defines the documents of `crosscheck` and `replay`: how another program's answers differ from satjudge's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from operator import itemgetter

import msgspec
from msgspec import UNSET, UnsetType

from satjudge.base.words import join_first_names, number_of
from satjudge.notation.documents import Document, JudgedDocument, Problem

NOT_AGAIN, INTERNAL, LOST = "not again", "internal", "lost"
"""Kinds of differences whose boards are not shrunk: one that did not recur, a failure of satjudge, or a lost engine."""
_MOST_WORDS, _LONGEST_WORD = 20, 40

# ---- crosscheck ----


class Differing(msgspec.Struct, frozen=True):
    """A single difference between two answers."""

    kind: str = ""
    """The difference without names: `SupportMove: cut / given` (satjudge's word first)."""
    power: str = ""
    subject: str = ""
    """The order or the unit."""
    ours: str = ""
    theirs: str = ""
    number: int | None = None
    """The index of the order among its power's orders; None if the difference is about a unit."""

    @property
    def subject_with_power(self) -> str:
        """The differing order or unit with its power: `A PAR - BUR (FRANCE)`."""
        return f"{self.subject} ({self.power})" if self.power else self.subject


class Found(Document, kw_only=True):
    """A shrunk position on which two engines differ, and the number of boards that shrank to its shape."""

    shape: str
    units: int
    boards: int
    came_from: str = msgspec.field(name="from", default="")
    differences: list[Differing]
    reasons: list[str]
    """The reasons for satjudge's verdicts."""
    case: str
    """The position with satjudge's verdicts, as an order sheet or a batch line."""
    command: str = ""
    """The command that compares the position again."""
    resolution: str = ""
    """Whether the other engine's answer is a consistent resolution: `a consistent resolution, 2 of 2`."""

    @property
    def sheet(self) -> list[str]:
        """The lines of the order sheet without its name and notes, or the batch line without its source and note."""
        if self.case.startswith("{"):
            line: dict[str, object] = msgspec.json.decode(self.case)
            return [msgspec.json.encode({key: value for key, value in line.items() if key not in ("source", "note")}).decode()]
        return [line for line in self.case.splitlines() if line and not line.startswith(("case ", "source:", "note:"))]

    @property
    def count_text(self) -> str:
        """A sentence with the number of boards of this shape, and the size to which they were shrunk."""
        as_it_was = {found.kind for found in self.differences} & {NOT_AGAIN, INTERNAL, LOST}
        size = "not shrunk" if as_it_was else f"shrunk to {number_of(self.units, 'unit')}"
        return f"{number_of(self.boards, 'board')} of this shape, {size}."


class Family(Document, kw_only=True):
    """Findings that have the same cause."""

    cause: str
    exact: bool = False
    """True if an engine with this cause gives all answers on the shrunk boards; otherwise it is a common feature of them."""
    or_else: list[str] = msgspec.field(default_factory=list)
    """Other causes that give all these answers as well."""
    says: str = ""
    """The name of the cause with a description, or with the missing borders; empty if the name explains itself."""
    rules: list[str] = msgspec.field(default_factory=list)
    """The DATC numbers that satjudge's reasons cite for the smallest finding."""
    shapes: list[str]
    """The shapes of its findings, the smallest first."""
    boards: list[int]
    """The numbers of all its boards in the seed, or among the positions in files."""

    @property
    def count_text(self) -> str:
        """A phrase with the numbers of the family's boards and shapes, and the rules that it cites."""
        number = f"{number_of(len(self.boards), 'board')}, {number_of(len(self.shapes), 'shape')}"
        cited = f"; rules: {', '.join(self.rules)}" if self.rules else ""
        return f"{number}{cited}"

    @property
    def title(self) -> str:
        """The cause: its description if it has one, otherwise its name."""
        return self.says or self.cause

    @property
    def certainty(self) -> str:
        """A sentence on how well the cause explains the answers; "" if it is only a common feature of them."""
        if not self.exact:
            return ""
        others = f" Other names that fit these boards equally well: {join_first_names(self.or_else)}." if self.or_else else ""
        engine = "An engine that does this, and otherwise judges like satjudge"
        return f"{engine}, gives all these answers on the shrunk boards.{others}"

    @property
    def board_ranges(self) -> str:
        """The numbers of the family's boards as a text, with ranges: `1, 3-5`."""
        runs: list[list[int]] = []
        for board in self.boards:
            if runs and board == runs[-1][-1] + 1:
                runs[-1].append(board)
            else:
                runs.append([board])
        return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


class Known(Found, kw_only=True):
    """The smallest example of a known difference."""

    explanation: str
    because: str
    """The rule that explains it."""

    @property
    def count_text(self) -> str:
        """A text with the number of boards that the known difference explains, and the reason for it."""
        return f"{number_of(self.boards, 'board')}. {self.because}"


class Failure(Problem):
    """A board on which satjudge itself failed, with the command that compares it again."""

    again: str


class Crosscheck(JudgedDocument, kw_only=True):
    """The document that `satjudge crosscheck --json` writes."""

    against: str
    dialect: str = ""
    timeout: float = 0
    startup_timeout: float | UnsetType = UNSET
    memory: int | UnsetType = UNSET
    """The memory that the engine may use, in MiB."""
    depth: str = ""
    engine: str = ""
    known: list[str] = msgspec.field(default_factory=list)
    """The names of the known differences that may explain boards."""
    legal_only: bool = False
    """Whether illegal orders were removed."""
    seed: int | UnsetType = UNSET
    flavours: list[str] | UnsetType = UNSET
    units: tuple[int, int] | UnsetType | None = UNSET
    phases: list[str] | UnsetType = UNSET
    """The phases of random boards, unless all are movement phases."""
    first: int | UnsetType = UNSET
    """The number of the first board in the seed, if it is not 0."""
    map: str | UnsetType = UNSET
    """The map of random boards, if it is not the standard map."""
    positions: str | UnsetType = UNSET
    """A checksum over the positions, if they were read from files."""
    boards: int
    agreed: int
    unresolved: int
    skipped: int = 0
    """Boards that the other engine declines to judge."""
    too_large: int = 0
    differing: int
    failed: int = 0
    failures: list[Failure] = msgspec.field(default_factory=list)
    """The first of these failures."""
    not_shrunk: int = 0
    lost: str = ""
    """The reason why it ended early, if it did."""
    unknown_words: list[str] = msgspec.field(default_factory=list)
    explained: list[Known]
    explained_together: dict[str, int] = msgspec.field(default_factory=dict)
    """Combinations of known differences that explain boards only together, with their numbers, the most frequent first."""
    findings: list[Found]
    """A finding for each shape, the smallest first."""
    families: list[Family] = msgspec.field(default_factory=list)
    """The findings grouped by cause, the cause of most boards first."""
    shrinking: float = 0
    """The time for shrinking and for finding causes, in seconds."""
    out_of_time: bool = False
    """Whether time ran out before all boards were shrunk."""

    @property
    def by_family(self) -> Iterator[tuple[Family, list[Found]]]:
        """Each family with its findings, the smallest finding first; a finding without a family gets its own."""
        by_shape = {finding.shape: finding for finding in self.findings}
        for family in self.families:
            yield family, [by_shape[shape] for shape in family.shapes]
        placed = {shape for family in self.families for shape in family.shapes}
        for finding in self.findings:
            if finding.shape not in placed:
                yield Family(cause=finding.shape, shapes=[finding.shape], boards=[]), [finding]

    @property
    def title(self) -> str:
        """The title, which names the two engines that were compared."""
        return f"satjudge against {self.against}"

    @property
    def boards_explained(self) -> int:
        """The number of boards on which known differences explain all differences."""
        not_compared = self.unresolved + self.skipped + self.too_large + self.failed
        return self.boards - self.agreed - self.differing - not_compared

    @property
    def hint(self) -> str:
        """A hint that lists words of the other engine that satjudge does not know; "" if there are none."""
        words = ", ".join(word[:_LONGEST_WORD] for word in self.unknown_words[:_MOST_WORDS])
        return f"words of the engine that satjudge does not know: {words}; see --dialect" if words else ""

    @property
    def numbers(self) -> Iterator[tuple[str, str]]:
        """Labels and values of the campaign's conditions and counts; unusual counts appear only if they are not 0."""
        yield "rulebook", self.rulebook.name
        yield "positions", self._source_text
        yield "compared", f"{self.depth}, satjudge with engine {self.engine}{', legal orders only' if self.legal_only else ''}"
        usual = {"boards": self.boards, "agree": self.agreed}
        usual |= {"differ, known": self.boards_explained, "differ, not known": self.differing}
        rare = {
            "without an answer by the rulebook": self.unresolved,
            "skipped by the engine": self.skipped,
            "not compared: satjudge itself failed": self.failed,
            f"too large for the engine {self.engine}": self.too_large,
        }
        for name, boards in (*usual.items(), *filter(itemgetter(1), rare.items())):
            yield name, f"{boards:,}"

    @property
    def _source_text(self) -> str:
        """A phrase that describes the source of the positions: `seed 1, units 3 8`."""
        source_fields: dict[str, object] = {
            "seed": self.seed or "",
            "flavours": " ".join(
                name if number == 1 else f"{name}×{number}" for name, number in Counter(self.flavours or ()).items()
            ),
            "units": " ".join(map(str, self.units or ())),
            "phases": " ".join(self.phases or ()),
            "first": self.first or "",
            "map": self.map or "",
            "positions": self.positions or "",
        }
        return ", ".join(f"{key} {value}" for key, value in source_fields.items() if value)

    @property
    def summary(self) -> str:
        """The result of the campaign in a sentence or more."""
        failed = f" satjudge itself failed on {number_of(self.failed, 'board')}." if self.failed else ""
        lost = f"{failed} {self.lost}" if self.lost else failed
        boards = number_of(self.boards, "board")
        if not self.differing:
            return f"On {boards}, {'all differences are known' if self.boards_explained else 'there are no differences'}.{lost}"
        shapes = number_of(len(self.findings), "shape")
        if self.families:
            shapes += f" of {len(self.families)} {'family' if len(self.families) == 1 else 'families'}"
        left = f"; {self.not_shrunk:,} of them were not shrunk" if self.not_shrunk else ""
        left += ", because the time limit was reached" if self.out_of_time else ""
        differ = "differs in a way that is" if self.differing == 1 else "differ in ways that are"
        return f"{self.differing:,} of {boards} {differ} not known (--known), in {shapes}{left}.{lost}"


# ---- replay ----


class ReplayedDifference(Document):
    """Facts at the beginning of the next phase that differ between satjudge and the file: units, retreats, centres, phase."""

    what: str
    power: str
    satjudge: str
    file: str


class ReplayedOrder(Document):
    """An order that a difference concerns, with satjudge's verdict and the words saved for its unit."""

    power: str
    order: str
    verdict: str
    file: str


class ReplayedPhase(Document):
    """A phase for which satjudge's result differs from the file's."""

    phase: str
    differences: list[ReplayedDifference]
    orders: list[ReplayedOrder]


class ReplayedGame(Document):
    """A phase of a game, or a case, that was judged again."""

    file: str
    game: str
    same: int
    """1 if the result was the same."""
    different: ReplayedPhase | None
    unanswered: str
    """The reason why the rulebook has no answer to the phase; empty if it has one."""


class Replay(JudgedDocument, kw_only=True):
    """The document that `satjudge replay --json` writes."""

    engine: str
    games: list[ReplayedGame]
    errors: list[Problem]
