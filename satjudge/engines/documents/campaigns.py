"""Holds the results of `crosscheck` and `replay`: where another program's answers differ from satjudge's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from operator import itemgetter

import msgspec
from msgspec import UNSET, UnsetType

from satjudge.base.words import join_first_names, number_of
from satjudge.notation.documents import Document, JudgedDocument, Problem

NOT_AGAIN, INTERNAL, LOST = "not again", "internal", "lost"
"""Kinds of differences whose boards are not shrunk: it differed only once, satjudge failed, or the engine was lost."""
_MOST_WORDS, _LONGEST_WORD = 20, 40

# ---- crosscheck ----


class Differing(msgspec.Struct, frozen=True):
    """A single difference between two answers."""

    kind: str = ""
    """The difference without names: `SupportMove: cut / given` (ours before theirs)."""
    power: str = ""
    subject: str = ""
    """The order or the unit."""
    ours: str = ""
    theirs: str = ""
    number: int | None = None
    """The index of the order among those of its power, from 0; None for a unit."""

    @property
    def subject_with_power(self) -> str:
        """The differing order or unit, with its power: `A PAR - BUR (FRANCE)`."""
        return f"{self.subject} ({self.power})" if self.power else self.subject


class Found(Document, kw_only=True):
    """A shrunk position on which two engines differ, and how many boards are like it."""

    shape: str
    units: int
    boards: int
    came_from: str = msgspec.field(name="from", default="")
    differences: list[Differing]
    reasons: list[str]
    """The reason for satjudge's verdict."""
    case: str
    """The position with satjudge's verdicts as an order sheet; or a batch line."""
    command: str = ""
    """The command that compares it again."""
    resolution: str = ""
    """Whether the other's answer is a consistent resolution: `a consistent resolution, 2 of 2`."""

    @property
    def sheet(self) -> list[str]:
        """The lines of the order sheet without its name and notes; or one batch line without its source and note."""
        if self.case.startswith("{"):
            line: dict[str, object] = msgspec.json.decode(self.case)
            return [msgspec.json.encode({key: told for key, told in line.items() if key not in ("source", "note")}).decode()]
        return [line for line in self.case.splitlines() if line and not line.startswith(("case ", "source:", "note:"))]

    @property
    def count_text(self) -> str:
        """The number of boards of this shape and the size to which they were shrunk, in a sentence."""
        as_it_was = {found.kind for found in self.differences} & {NOT_AGAIN, INTERNAL, LOST}
        size = "not shrunk" if as_it_was else f"shrunk to {number_of(self.units, 'unit')}"
        return f"{number_of(self.boards, 'board')} of this shape, {size}."


class Family(Document, kw_only=True):
    """Findings that have the same cause."""

    cause: str
    exact: bool = False
    """True if an engine with this cause gives all these answers; otherwise it is a common feature of the answers."""
    or_else: list[str] = msgspec.field(default_factory=list)
    """Other causes that give all these answers as well."""
    says: str = ""
    """The cause in plain words, after its name, or with the missing borders; empty if the name says all."""
    rules: list[str] = msgspec.field(default_factory=list)
    """The numbers of the DATC that satjudge's reasons on the smallest finding cite."""
    shapes: list[str]
    """Its findings by shape, the smallest first."""
    boards: list[int]
    """All its boards: their numbers in the seed, or among the positions in files."""

    @property
    def count_text(self) -> str:
        """The numbers of the family's boards and shapes and the rules that it cites, in words."""
        number = f"{number_of(len(self.boards), 'board')}, {number_of(len(self.shapes), 'shape')}"
        cited = f"; rules: {', '.join(self.rules)}" if self.rules else ""
        return f"{number}{cited}"

    @property
    def title(self) -> str:
        """The cause, in plain words if they are known."""
        return self.says or self.cause

    @property
    def certainty(self) -> str:
        """The certainty of the cause, in a sentence; "" if the cause is only a common feature of answers."""
        if not self.exact:
            return ""
        others = f" Other names that fit these boards equally well: {join_first_names(self.or_else)}." if self.or_else else ""
        return f"An engine that does this, and all else as satjudge does, gives all these answers.{others}"

    @property
    def board_ranges(self) -> str:
        """The numbers of the family's boards in one text, with runs as `3-5`."""
        runs: list[list[int]] = []
        for board in self.boards:
            if runs and board == runs[-1][-1] + 1:
                runs[-1].append(board)
            else:
                runs.append([board])
        return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


class Known(Found, kw_only=True):
    """The smallest example of an explained difference."""

    explanation: str
    because: str
    """The rule that explains it."""

    @property
    def count_text(self) -> str:
        """The number of boards with this difference, and the rule that explains it."""
        return f"{number_of(self.boards, 'board')}. {self.because}"


class Failure(Problem):
    """A board on which satjudge itself failed, with the command that tries it again."""

    again: str


class Crosscheck(JudgedDocument, kw_only=True):
    """What `satjudge crosscheck --json` writes."""

    against: str
    dialect: str = ""
    timeout: float = 0
    startup_timeout: float | UnsetType = UNSET
    memory: int | UnsetType = UNSET
    """MiB that the engine might use."""
    depth: str = ""
    engine: str = ""
    known: list[str] = msgspec.field(default_factory=list)
    """The known explanations."""
    legal_only: bool = False
    """Whether illegal orders were left out."""
    seed: int | UnsetType = UNSET
    flavours: list[str] | UnsetType = UNSET
    units: tuple[int, int] | UnsetType | None = UNSET
    phases: list[str] | UnsetType = UNSET
    """The phases of random boards, if they are not of movement only."""
    first: int | UnsetType = UNSET
    """The number in the seed of the first board, if that is not 0."""
    map: str | UnsetType = UNSET
    """The map of random boards, if that is not the standard one."""
    positions: str | UnsetType = UNSET
    """A checksum over positions that were read from files."""
    boards: int
    agreed: int
    unresolved: int
    skipped: int = 0
    """Boards that the other engine does not judge."""
    too_large: int = 0
    differing: int
    failed: int = 0
    failures: list[Failure] = msgspec.field(default_factory=list)
    """The first of them."""
    not_shrunk: int = 0
    lost: str = ""
    """The reason why it ended early, if it did."""
    unknown_words: list[str] = msgspec.field(default_factory=list)
    explained: list[Known]
    explained_together: dict[str, int] = msgspec.field(default_factory=dict)
    """Known differences that only together explain boards, with how many; the most frequent first."""
    findings: list[Found]
    """One for each shape, the smallest first."""
    families: list[Family] = msgspec.field(default_factory=list)
    """The findings by cause, the cause of most boards first."""
    shrinking: float = 0
    """Seconds for shrinking and for finding causes."""
    out_of_time: bool = False
    """Whether time ran out before all boards were shrunk."""

    @property
    def by_family(self) -> Iterator[tuple[Family, list[Found]]]:
        """The families with their findings, the smallest first; if not grouped, each finding is a family."""
        by_shape = {finding.shape: finding for finding in self.findings}
        for family in self.families:
            yield family, [by_shape[shape] for shape in family.shapes]
        placed = {shape for family in self.families for shape in family.shapes}
        for finding in self.findings:
            if finding.shape not in placed:
                yield Family(cause=finding.shape, shapes=[finding.shape], boards=[]), [finding]

    @property
    def title(self) -> str:
        """The two judges that were compared, in words."""
        return f"satjudge against {self.against}"

    @property
    def boards_explained(self) -> int:
        """The number of boards on which all differences are explained."""
        not_compared = self.unresolved + self.skipped + self.too_large + self.failed
        return self.boards - self.agreed - self.differing - not_compared

    @property
    def hint(self) -> str:
        """A hint at words of the other engine that satjudge does not know; "" if there are none."""
        words = ", ".join(word[:_LONGEST_WORD] for word in self.unknown_words[:_MOST_WORDS])
        return f"words of the engine that satjudge does not know: {words}; see --dialect" if words else ""

    @property
    def numbers(self) -> Iterator[tuple[str, str]]:
        """The labels and values of the campaign's counts and conditions; zeros appear only where they matter."""
        yield "rulebook", self.rulebook.name
        yield "positions", self._source_text
        yield "compared", f"{self.depth}, satjudge with engine {self.engine}{', legal orders only' if self.legal_only else ''}"
        usual = {"boards": self.boards, "agree": self.agreed}
        usual |= {"differ, explained": self.boards_explained, "differ, unexplained": self.differing}
        rare = {
            "without an answer by the rulebook": self.unresolved,
            "skipped by the engine": self.skipped,
            "not compared: satjudge itself failed": self.failed,
            f"too large for the engine {self.engine}": self.too_large,
        }
        for what, boards in (*usual.items(), *filter(itemgetter(1), rare.items())):
            yield what, f"{boards:,}"

    @property
    def _source_text(self) -> str:
        """The source of the positions, as a phrase."""
        told: dict[str, object] = {
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
        return ", ".join(f"{key} {value}" for key, value in told.items() if value)

    @property
    def summary(self) -> str:
        """The result of the campaign, in a sentence or two."""
        failed = f" satjudge itself failed on {number_of(self.failed, 'board')}." if self.failed else ""
        lost = f"{failed} {self.lost}" if self.lost else failed
        boards = number_of(self.boards, "board")
        if not self.differing:
            return f"On {boards} nothing differs that is not explained.{lost}"
        shapes = number_of(len(self.findings), "shape")
        if self.families:
            shapes += f" of {len(self.families)} {'family' if len(self.families) == 1 else 'families'}"
        left = f"; {self.not_shrunk:,} of them were not shrunk" if self.not_shrunk else ""
        left += ", as the time for shrinking was up" if self.out_of_time else ""
        differ = "differs" if self.differing == 1 else "differ"
        return f"{self.differing:,} of {boards} {differ} without an explanation, in {shapes}{left}.{lost}"


# ---- replay ----


class ReplayedDifference(Document):
    """Facts that only satjudge, or only the file, has when the next phase begins: `phase`, `units`, `retreats` or `centers`."""

    what: str
    power: str
    satjudge: str
    file: str


class ReplayedOrder(Document):
    """An order that a difference concerns, with our verdict and the words saved for its unit."""

    power: str
    order: str
    verdict: str
    file: str


class ReplayedPhase(Document):
    """A phase that comes out differently."""

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
    """The reason why the rulebook has no answer to it."""


class Replay(JudgedDocument, kw_only=True):
    """What `satjudge replay --json` writes."""

    engine: str
    games: list[ReplayedGame]
    errors: list[Problem]
