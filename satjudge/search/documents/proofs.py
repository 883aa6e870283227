"""Writes what `prove`, `lines` and `guarantee` found as documents, and stalemate lines and attacks on them as order sheets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import starmap
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Self

from msgspec import UNSET, UnsetType

from satjudge.base.replacing import replace
from satjudge.base.words import number_of
from satjudge.notation.documents import CaseMade, Document, Made, case_made, made_by
from satjudge.notation.sheets import Sheet
from satjudge.notation.write import file_name, sheet_text
from satjudge.search import guarantee
from satjudge.search.ahead import Journey, PositionAhead, Season
from satjudge.search.guarantee import OutOfTimeError
from satjudge.search.lines import Line
from satjudge.search.moving import MovingFinding, Reached, examine_moving, season_of
from satjudge.search.odds import Chances
from satjudge.search.prove import Attack, Finding, Size, examine, repair, smallest, without_each
from satjudge.search.second_opinion import Proof, SecondOpinion
from satjudge.world.board import Unit, by_power
from satjudge.world.geography import Power
from satjudge.world.orders import Orders

if TYPE_CHECKING:
    from satjudge.search.line_search import Found

Texts = Mapping[Power, Sequence[str]]
"""Units, orders or verdicts, power by power."""


def _texts(things: Iterable[object]) -> list[str]:
    return list(map(str, things))


# ---- prove ----


class AttackDocument(Document):
    """Enemies with their orders, the protected provinces that they enter, and the whole position with its verdicts.

    `position` and `becomes` are of a line that moves: the name of the attacked position, and what becomes of the line.
    """

    orders: list[str]
    entered: list[str]
    units: Texts
    results: Texts
    position: str | UnsetType = UNSET
    becomes: str | UnsetType = UNSET


class PositionDocument(Document):
    """A position that a line may come to, with its orders; `after` has the moves that led to it, if it had no orders."""

    name: str
    season: str | None
    orders: list[str]
    after: list[str]


class ProveCase(CaseMade, kw_only=True):
    """The findings about a line; parts that were not asked for are left out. `repaired` is null where nothing can mend it."""

    line: list[str]
    behind: list[str]
    enemies: int
    without: list[str]
    centers: list[str] | None
    """The supply centres that the line's side owns; null where that is not said."""
    fleets: int | None
    """The largest number of enemy fleets; null for any number."""
    out: list[Power] | None
    """The powers that have no units; null where that is not said."""
    finding: str
    """The finding: `holds` or `breaks`."""
    as_expected: bool
    size: Size
    remarks: list[str]
    attack: AttackDocument | UnsetType = UNSET
    redundant: list[str] | UnsetType = UNSET
    smallest: list[str] | UnsetType = UNSET
    repaired: list[str] | UnsetType | None = UNSET
    reached: list[str] | UnsetType = UNSET
    """The provinces where units of a line that moves go, or stand in other positions; protected, and in `behind`."""
    outposts: list[str] | UnsetType = UNSET
    positions: list[PositionDocument] | UnsetType = UNSET
    """The positions that a line that moves may come to; if it breaks, those that were examined."""


@dataclass(frozen=True)
class Report:
    """The findings about a line.

    A finding that was not asked for, or makes no sense here, is None.

    `stated` is what the sheet says was found of this line; None if it says nothing, or another question was asked.
    `without` says of each unit what becomes of the line without it. `repaired` is False where no further units can make the
    line hold. `moot` says what was asked but made no sense.
    """

    sheet: Sheet
    finding: Finding
    stated: str | None = None
    without: Mapping[Unit, Finding] | None = None
    smallest: Line | None = None
    repaired: Line | Literal[False] | None = None
    moot: tuple[str, ...] = ()

    @classmethod
    def on(
        cls,
        sheet: Sheet,
        line: Line,
        stated: str | None,
        *,
        cheapest: bool = False,
        thin: bool = False,
        mend: bool = False,
        reorder: bool = False,
        on_step: Callable[[], None] = lambda: None,
    ) -> Report:
        """Ask the questions about a line: which units one that holds can do without, and which one that breaks lacks."""
        if line.moves:
            moving = examine_moving(line, cheapest=cheapest, on_step=on_step)
            asked = {"--redundant": thin, "--repair and --reorder": mend or reorder}
            moot = (f"{what} of a line that moves is not known" for what, wanted in asked.items() if wanted)
            return cls(sheet, moving, stated, moot=tuple(moot))
        finding = examine(line, cheapest=cheapest, on_province=on_step)
        thinned = thin and finding.holds
        without, least = (dict(without_each(line, on_step)), smallest(line, on_step)) if thinned else (None, None)
        mended: Line | Literal[False] | None = None
        if mend and not finding.holds:
            mended = repair(line, on_step, reorder=reorder) or False
        in_vain = {
            "there is no cheapest attack: the line holds": cheapest and finding.holds,
            "there is nothing to repair: the line holds": mend and finding.holds,
            "no unit is redundant: the line breaks as it is": thin and not finding.holds,
        }
        return cls(sheet, finding, stated, without, least, mended, tuple(why for why, true in in_vain.items() if true))

    @property
    def line(self) -> Line:
        """The line."""
        return self.finding.line

    @property
    def attack(self) -> Attack | None:
        """The attack that breaks the line."""
        return self.finding.attack

    @property
    def moving(self) -> MovingFinding | None:
        """The finding, if units of the line move."""
        return self.finding if isinstance(self.finding, MovingFinding) else None

    @property
    def spare(self) -> list[Unit] | None:
        """The units without which the line holds, each by itself."""
        return None if self.without is None else [unit for unit, rest in self.without.items() if rest.holds]

    @property
    def verdict(self) -> str:
        """The finding in one word, `holds` or `breaks`."""
        return "holds" if self.finding.holds else "breaks"

    @property
    def expected(self) -> bool:
        """True if the finding is the one that the sheet states; if it states none, whether the line holds."""
        return self.verdict == (self.stated or "holds")

    @property
    def name(self) -> str:
        """The name of the line, after which its sheets are named."""
        return self.sheet.identity or file_name(Path(self.sheet.source_file).stem)

    def document(self) -> ProveCase:
        """Write the line and the findings as plain data."""
        line, attack = self.line, self.attack
        case = ProveCase(
            **case_made(self.sheet, line.rulebook),
            line=_texts(line.orders.values()),
            behind=sorted(line.behind),
            enemies=line.enemies,
            without=_texts(line.missing),
            centers=None if line.centers is None else sorted(line.centers),
            fleets=line.fleets,
            out=None if line.out is None else list(line.out),
            finding=self.verdict,
            as_expected=self.expected,
            size=self.finding.size,
            remarks=[*line.remarks, *self.moot],
        )
        if attack:
            orders, units = _texts(attack.orders.values()), by_power(attack.board.units)
            case.attack = AttackDocument(orders, list(attack.entered), units, attack.outcome.results)
        if (moving := self.moving) is not None:
            case.reached = sorted(line.reached)
            case.outposts = sorted(line.outposts)
            case.positions = list(map(_reached, moving.positions))
            if case.attack and moving.attacked:
                case.attack.position, case.attack.becomes = moving.attacked.name, moving.becomes
        if self.spare is not None:
            case.redundant = _texts(self.spare)
        if self.smallest is not None:
            case.smallest = _texts(self.smallest.orders.values())
        if self.repaired is not None:
            case.repaired = _texts(self.repaired.orders.values()) if self.repaired else None
        return case

    def sheets(self, name: str) -> dict[str, str]:
        """Write the line, its attack and its parts as order sheets, by the names of their files.

        A part that is the line itself has no sheet of its own.

        `satjudge check` and `satjudge prove` read them again.
        """

        def title(part: str) -> str:
            return f"{self.sheet.title}: {part}" if self.sheet.title else part

        found = {name: line_sheet(self.line, self.verdict, name, self.sheet.title, self.sheet.notes)}
        if self.attack:
            found[f"{name}-attack"] = attack_sheet(self.attack, f"{name}-attack", title("the attack"))
        parts = {"smallest": (self.smallest, "the smallest part"), "repaired": (self.repaired or None, "repaired")}
        for part, (line, what) in parts.items():
            if line is not None and line.orders != self.line.orders:
                found[f"{name}-{part}"] = line_sheet(line, "holds", f"{name}-{part}", title(what))
        return found


def _reached(position: Reached) -> PositionDocument:
    line = position.line
    return PositionDocument(position.name, season_of(line), _texts(line.orders.values()), _texts(position.after))


def _in_season(line: Line) -> Line:
    """Return the line in a year in which a sheet says that it is Spring; in the first year that is left out."""
    turn = line.board.turn
    said = turn and turn.year == line.board.map.first_year and replace(turn, year=turn.year + 1)
    return replace(line, board=replace(line.board, turn=said)) if line.moves and said else line


def line_sheet(line: Line, finding: str, identity: str, title: str, notes: Texts | None = None) -> str:
    """Write a line as an order sheet, with the provinces behind it and the finding."""
    told = {"behind": [" ".join(sorted(line.behind)) or "none"]}
    notes = {key: texts for key, texts in (notes or {}).items() if key != "outside"}
    if line.centers is not None:
        told["centers"] = [" ".join(sorted(line.centers)) or "none"]
    if line.missing:
        told["without"] = [", ".join(map(str, line.missing))]
    if line.out is not None:
        told["out"] = [", ".join(map(line.board.map.name_of, line.out)) or "nobody"]
    if line.fleets is not None:
        told["fleets"] = [str(line.fleets)]
    return attack_sheet(Attack(_in_season(line), {}), identity, title, {**notes, **told, "finding": [finding]})


def attack_sheet(attack: Attack, identity: str, title: str, notes: Texts | None = None) -> str:
    """Write an attack on a line as an order sheet, with the judge's verdicts."""
    rules, results = attack.line.rulebook.name, attack.outcome.results
    return sheet_text(attack.board, attack.by_power, identity=identity, title=title, rules=rules, notes=notes, expected=results)


# ---- lines ----


class FoundLine(Document):
    """A line: its orders, the supply centres that it protects, and the provinces behind it."""

    orders: list[str]
    centers: list[str]
    behind: list[str]

    @classmethod
    def of(cls, line: Line) -> Self:
        """Describe a line as plain data."""
        orders = [str(order) for _, order in sorted(line.orders.items())]
        return cls(orders, sorted(line.protected & set(line.board.map.centers)), sorted(line.behind))


class LinesDocument(Made, kw_only=True):
    """The lines with the fewest units that protect given provinces or centres.

    `units` is null if none was found. `proved`: no line that does and stands still has fewer; `bound`: none of these has fewer
    than this. `complete`: so few units that stand still do it in no other provinces than these.
    """

    goal: str
    map: str
    restrictions: list[str]
    seconds: float
    units: int | None
    bound: int
    proved: bool
    complete: bool
    lines: list[FoundLine]
    second_opinions: list[SecondOpinion]
    proofs: list[Proof]

    @classmethod
    def of(
        cls,
        found: Found,
        goal: str,
        seconds: float,
        second_opinions: Sequence[SecondOpinion] = (),
        proofs: Sequence[Proof] = (),
    ) -> Self:
        """Describe the lines that were found in so many seconds, and the second solver's opinions."""
        return cls(
            **made_by(found.rulebook),
            goal=goal,
            map=found.wanted.map.name,
            restrictions=_restrictions(found),
            seconds=round(seconds, 2),
            units=found.units,
            bound=found.bound,
            proved=found.proved,
            complete=found.complete,
            lines=list(map(FoundLine.of, found.lines)),
            second_opinions=list(second_opinions),
            proofs=list(proofs),
        )


def _restrictions(found: Found) -> list[str]:
    """List the restrictions under which these lines were found."""
    wanted, told = found.wanted, []
    if wanted.region is not None:
        told.append(f"units and protected provinces in {' '.join(sorted(wanted.region))}")
    if wanted.missing:
        told.append(f"without enemy units {', '.join(map(str, wanted.missing))}")
    if wanted.out is not None:
        told.append(f"no enemy units of {', '.join(map(wanted.map.name_of, wanted.out))}, of others as they can come")
    if wanted.feeds:
        told.append("no more units than supply centres protected")
    if not wanted.pockets:
        told.append("no enemies cut off from the others")
    return told


def line_sheets(found: Found, goal: str) -> dict[str, str]:
    """Write the lines as order sheets, by the names of their files."""
    named = file_name(goal.replace(">=", " at least ").replace("<=", " at most "))
    names = [named if len(found.lines) == 1 else f"{named}-{number}" for number in range(1, len(found.lines) + 1)]
    title = f"{number_of(found.units or 0, 'unit')} for {goal}"
    return {name: line_sheet(line, "holds", name, title) for name, line in zip(names, found.lines, strict=True)}


# ---- guarantee ----


class DefeatDocument(Document):
    """Orders of the power, a reply that defeats them, and the verdicts; `unresolved` where the rulebook has no answer."""

    orders: list[str]
    reply: Texts
    results: Texts | str


class StepDocument(Document):
    """A position that may come about, with the seasons to go: units, dislodged units, and orders for them."""

    seasons: int
    phase: str
    units: Texts
    dislodged: Texts
    orders: Texts


class DrawnOrders(Document):
    """Orders of one side, and the probability with which it gives them, a fraction such as `1/2`."""

    probability: str
    orders: Texts


class OddsDocument(Document):
    """The probability with which the wish comes true if the power and all others together draw lots."""

    probability: str
    own: list[DrawnOrders]
    others: list[DrawnOrders]


class GuaranteeCase(CaseMade, kw_only=True):
    """The orders that guarantee the wish, or replies that defeat every set of orders."""

    wish: str
    remarks: list[str]
    power: Power
    allies: list[Power]
    goal: str
    kept: list[str]
    """The orders that were not to be chosen."""
    assumed: str | None
    """The assumption about the orders of others."""
    seasons: int | None
    """The number of seasons ahead; null where the wish speaks of the position after the moves, before retreats."""
    positions: int | None
    """The number of positions that were solved on the way; null without seasons."""
    odds: OddsDocument | None
    """The odds of a refuted wish, where asked for; null if the time was up."""
    plan: list[StepDocument] | None
    """The orders for every position that may come after the first season of a guarantee; null if the time was up."""
    line_of_play: list[StepDocument]
    """The refutation over seasons: own orders and the reply that defeats them, phase by phase, and the end."""
    finding: str
    """The finding: `guaranteed`, `refuted` or `undecided`."""
    orders: list[str] | None
    defeats: list[DefeatDocument]


def guarantee_case(
    finding: guarantee.Finding,
    sheet: Sheet,
    wish: str,
    remarks: list[str],
    assumed: str | None = None,
    journey: Journey | None = None,
    seasons: int | None = None,
    chances: Chances | None = None,
) -> GuaranteeCase:
    """Write the finding about a wish on a sheet as a document."""
    table = finding.table
    plan: list[StepDocument] | None = []
    lost: list[StepDocument] = []
    if journey and isinstance(table, Season):
        start = journey.solve(table.position)
        try:
            plan = [_step(solved.position, solved.orders or {}) for solved in journey.plan(start)] if start.won else []
        except OutOfTimeError:
            plan = None
        lost = [] if start.won else list(starmap(_step, journey.line_of_play(start)))
    return GuaranteeCase(
        **case_made(sheet, table.rulebook),
        wish=wish,
        remarks=remarks,
        power=table.power,
        allies=list(table.allies),
        goal=str(table.goal),
        kept=_texts(table.always.values()),
        assumed=assumed,
        seasons=seasons,
        positions=len(journey.solved) if journey else None,
        odds=_odds(chances) if chances else None,
        plan=plan,
        line_of_play=lost,
        finding="undecided" if finding.undecided else "refuted" if finding.orders is None else "guaranteed",
        orders=None if finding.orders is None else _texts(finding.orders.values()),
        defeats=list(map(_defeat, finding.defeats)),
    )


def _odds(chances: Chances) -> OddsDocument:
    def drawn(side: Sequence[tuple[Orders, Fraction]]) -> list[DrawnOrders]:
        return [DrawnOrders(str(share), {power: _texts(given) for power, given in orders.items()}) for orders, share in side]

    return OddsDocument(str(chances.value), drawn(chances.rows), drawn(chances.columns))


def _step(position: PositionAhead, orders: Orders) -> StepDocument:
    board = position.board
    lost = (one.unit for one in board.dislodged)
    given = {power: _texts(their) for power, their in orders.items() if their}
    return StepDocument(position.seasons, board.phase, by_power(board.units), by_power(lost), given)


def _defeat(defeat: guarantee.Defeat) -> DefeatDocument:
    reply = {power: _texts(orders) for power, orders in guarantee.by_power(defeat.reply).items()}
    return DefeatDocument(_texts(defeat.own.values()), reply, defeat.outcome.results if defeat.outcome else "unresolved")
