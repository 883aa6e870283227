"""Makes documents of the findings of `prove`, `lines` and `guarantee`, and order sheets of lines and of attacks on them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain, starmap
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Self

from msgspec import UNSET, UnsetType

from satjudge.base.values import replace
from satjudge.base.words import number_of
from satjudge.notation.documents import CaseDocument, Document, JudgedDocument, case_origin, document_origin
from satjudge.notation.sheets import Sheet
from satjudge.notation.write import group_orders, make_file_name, sheet_text
from satjudge.search.guarantees import one_season
from satjudge.search.guarantees.lookahead import Lookahead, PositionAhead, SeasonTable
from satjudge.search.guarantees.odds import Chances
from satjudge.search.guarantees.one_season import OutOfTimeError
from satjudge.search.lines.line import Line
from satjudge.search.lines.moving_lines import MovingFinding, ReachedPosition, examine_moving_line, get_season
from satjudge.search.lines.prove import (
    Attack,
    LineFinding,
    Size,
    examine_line,
    examine_without_each,
    find_smallest_part,
    repair_line,
)
from satjudge.search.second_opinion import Proof, SecondOpinion
from satjudge.search.task import GuaranteeTask, LineTask
from satjudge.world.board import Unit, by_power
from satjudge.world.geography import Power, UnitKind
from satjudge.world.orders import Orders

if TYPE_CHECKING:
    from satjudge.search.lines.line_search import LineSearchResult

Texts = Mapping[Power, Sequence[str]]
"""Units, orders or verdicts, by power."""


def _format_all(things: Iterable[object]) -> list[str]:
    return list(map(str, things))


def format_list(items: Iterable[object], separator: str = ", ") -> str:
    """Return the texts of the items with `separator` between them, or `none` if there are none."""
    return separator.join(map(str, items)) or "none"


# ---- prove ----


class AttackDocument(Document):
    """An attack: the enemies' orders, the protected provinces that they enter, and the whole position with its verdicts.

    `position`, the name of the attacked position, and `becomes`, the result for the line, occur only for a line that moves.
    """

    orders: list[str]
    entered: list[str]
    units: Texts
    results: Texts
    position: str | UnsetType = UNSET
    becomes: str | UnsetType = UNSET


class PositionDocument(Document):
    """A position that a line may reach, with its orders; `after` lists the moves that led to it, unless the sheet states it."""

    name: str
    season: str | None
    orders: list[str]
    after: list[str]


class ProveCase(CaseDocument, kw_only=True):
    """The findings about a line; parts that were not requested are left out. `repaired` is null if no repair exists."""

    line: list[str]
    behind: list[str]
    enemies: int
    without: list[str]
    centers: list[str] | None
    """The supply centres that the line's side owns; null if that is not stated."""
    fleets: int | None
    """The largest number of enemy fleets; null for any number."""
    out: list[Power] | None
    """The powers that have no units; null if that is not stated."""
    finding: str
    """The finding: `holds` or `breaks`."""
    as_expected: bool
    size: Size
    stated: str | None
    """The finding that the sheet states; null if it states none, or if another question was asked."""
    question: list[str]
    """The question in sentences: what the line protects, and against which enemies."""
    remarks: list[str]
    attack: AttackDocument | UnsetType = UNSET
    redundant: list[str] | UnsetType = UNSET
    smallest: list[str] | UnsetType = UNSET
    repaired: list[str] | UnsetType | None = UNSET
    reached: list[str] | UnsetType = UNSET
    """The provinces to which units of a moving line go, or where they stand in other positions; they are also in `behind`."""
    outposts: list[str] | UnsetType = UNSET
    positions: list[PositionDocument] | UnsetType = UNSET
    """The positions that a moving line may reach; if the line breaks, those that were examined."""

    @property
    def headline(self) -> str:
        """The sentence that says whether the line holds, or which attack breaks it."""
        many = len(self.positions or ())
        if self.attack:
            enemies = number_of(len(self.attack.orders), "enemy", "enemies")
            if many:
                return f"Breaks: in position {self.attack.position}, with {enemies}, {self.attack.becomes}."
            return f"Breaks: an attack of {enemies} enters {format_list(self.attack.entered)}."
        if not many:
            return "Holds: if the line repeats these orders, no enemy can ever enter."
        result = (
            f"each of {many} positions leads to one of these positions" if many > 1 else "each turn leads to the same position"
        )
        return f"Holds: {result}, whatever the enemies order."

    @property
    def all_orders(self) -> dict[Power, list[str]]:
        """The orders of the line and of the enemies that break it, by power; empty if the line holds."""
        if not self.attack:
            return {}
        attacked = (position.orders for position in self.positions or () if position.name == self.attack.position)
        return group_orders(self.attack.units, (*next(attacked, self.line), *self.attack.orders))


@dataclass(frozen=True)
class Report:
    """The findings about a line, as values; `case` is the document.

    A finding is None if it was not requested or does not apply.

    `stated` is the finding that the sheet states; None if there is none, or if a different question was asked. `without` maps
    each unit to the finding for the line without it. `repaired` is False if no further units can make the line hold. `moot`
    contains sentences on requests that do not apply.
    """

    sheet: Sheet
    finding: LineFinding
    stated: str | None = None
    without: Mapping[Unit, LineFinding] | None = None
    smallest: Line | None = None
    repaired: Line | Literal[False] | None = None
    moot: tuple[str, ...] = ()

    @classmethod
    def from_task(
        cls, sheet: Sheet, line: Line, stated_finding: str | None, task: LineTask, on_step: Callable[[], None] = lambda: None
    ) -> Report:
        """Make the report that a task asks for: prove or break the line, then reduce or repair it if requested."""
        cheapest, thin, mend = task.cheapest, task.redundant, task.repair or task.reorder
        if line.is_moving:
            moving = examine_moving_line(line, cheapest=cheapest, on_step=on_step)
            requests = {"--redundant": thin, "--repair and --reorder": mend}
            moot = (f"{option} is not available for a line that moves" for option, wanted in requests.items() if wanted)
            return cls(sheet, moving, stated_finding, moot=tuple(moot))
        finding = examine_line(line, cheapest=cheapest, on_province=on_step)
        thinned = thin and finding.holds
        spare, least = (
            (dict(examine_without_each(line, on_step)), find_smallest_part(line, on_step)) if thinned else (None, None)
        )
        mended: Line | Literal[False] | None = None
        if mend and not finding.holds:
            mended = repair_line(line, on_step, reorder=task.reorder) or False
        in_vain = {
            "there is no cheapest attack: the line holds": cheapest and finding.holds,
            "there is nothing to repair: the line holds": mend and finding.holds,
            "no unit is redundant: the line breaks as it is": thin and not finding.holds,
        }
        return cls(sheet, finding, stated_finding, spare, least, mended, tuple(why for why, true in in_vain.items() if true))

    @property
    def line(self) -> Line:
        """The line as it was examined."""
        return self.finding.line

    @property
    def attack(self) -> Attack | None:
        """The attack that breaks the line; None if the line holds."""
        return self.finding.attack

    @property
    def name(self) -> str:
        """The name for the line's order sheets: the sheet's identity, or else a name made from its file name."""
        return self.sheet.identity or make_file_name(Path(self.sheet.source_file).stem)

    @cached_property
    def case(self) -> ProveCase:
        """The document with the line and the findings."""
        line, attack, found = self.line, self.attack, self.finding
        verdict = "holds" if found.holds else "breaks"
        case = ProveCase(
            **case_origin(self.sheet, line.rulebook),
            line=_format_all(line.orders.values()),
            behind=sorted(line.behind),
            enemies=line.enemies,
            without=_format_all(line.missing),
            centers=None if line.centers is None else sorted(line.centers),
            fleets=line.fleets,
            out=None if line.out is None else list(line.out),
            finding=verdict,
            as_expected=verdict == (self.stated or "holds"),
            size=found.size,
            stated=self.stated,
            question=[*_describe_question(line)],
            remarks=[*line.remarks, *self.moot],
        )
        if attack:
            orders, units = _format_all(attack.orders.values()), by_power(attack.board.units)
            case.attack = AttackDocument(orders, list(attack.entered_provinces), units, attack.outcome.results)
        if isinstance(found, MovingFinding):
            case.reached = sorted(line.reached_provinces)
            case.outposts = sorted(line.outposts)
            case.positions = list(map(_describe_position, found.positions))
            if case.attack and found.attacked:
                case.attack.position, case.attack.becomes = found.attacked.name, found.becomes
        if self.without is not None:
            case.redundant = [str(unit) for unit, rest in self.without.items() if rest.holds]
        if self.smallest is not None:
            case.smallest = _format_all(self.smallest.orders.values())
        if self.repaired is not None:
            case.repaired = _format_all(self.repaired.orders.values()) if self.repaired else None
        return case

    def format_sheets(self, name: str) -> dict[str, str]:
        """Return order sheets of the line, its attack, its smallest part and its repair, as texts by sheet name from `name`.

        A part that equals the line has no sheet of its own. `satjudge check` and `satjudge prove` can read the sheets.
        """

        def title(part: str) -> str:
            return f"{self.sheet.title}: {part}" if self.sheet.title else part

        found = {name: format_line_sheet(self.line, self.case.finding, name, self.sheet.title, self.sheet.notes)}
        if self.attack:
            found[f"{name}-attack"] = format_attack_sheet(self.attack, f"{name}-attack", title("the attack"))
        parts = {"smallest": (self.smallest, "the smallest part"), "repaired": (self.repaired or None, "repaired")}
        for part, (line, role) in parts.items():
            if line is not None and line.orders != self.line.orders:
                found[f"{name}-{part}"] = format_line_sheet(line, "holds", f"{name}-{part}", title(role))
        return found


def _describe_question(line: Line) -> Iterator[str]:
    """Yield sentences on the question: which provinces the line protects, and against which enemies."""
    units, provinces = number_of(len(line.board.units), "unit"), number_of(len(line.protected_provinces), "province")
    one = len(line.board.units) == 1
    protect, them = ("protects", "it") if one else ("protect", "them")
    goes = f"; {'it moves' if one else 'they move'} to {format_list(sorted(line.reached_provinces))}"
    moved_to = (
        f"{goes}, which {'are' if len(line.reached_provinces) > 1 else 'is'} protected as well"
        if line.reached_provinces
        else ""
    )
    behind = format_list(sorted(line.behind - line.reached_provinces))
    yield f"{units} {protect} {provinces}{moved_to}; behind {them}: {behind}."
    if line.outposts:
        yield f"The line may lose {format_list(sorted(line.outposts))} and the units there."
    if line.centers is not None:
        yield f"The line owns {number_of(len(line.centers), 'centre')}: {format_list(sorted(line.centers))}."
    fleets = "armies or fleets" if line.fleets is None else f"armies or at most {number_of(line.fleets, 'fleet')}"
    missing_text = f", without {format_list(line.missing)}" if line.missing else ""
    yield (
        f"Enemies: at most {number_of(line.enemies, 'unit')}, {fleets}, anywhere else{missing_text}; {_describe_limit(line)}. "
        "No enemy stands behind the line or is built there."
    )
    if line.out is not None:
        out = format_list(map(line.board.map.name_of, line.out)).replace("none", "nobody")
        yield f"Out of the game: {out}. The others build at home, so {_describe_possible_fleets(line)}."


def _describe_possible_fleets(line: Line) -> str:
    """Return a clause, such as `they can have no fleets at sea`, on where enemies can have fleets."""
    game_map = line.board.map
    fleets = {place for kind, place in line.enemy_units if kind is UnitKind.FLEET}
    seas = sorted(game_map.seas.intersection(fleets))
    return f"their fleets can be in {format_list(seas)} and the coasts there" if seas else "they can have no fleets at sea"


def _describe_limit(line: Line) -> str:
    if line.limits:
        return "they are given, and may be wherever they could have moved"
    if line.enemies >= line.most_enemies:
        more = "no more" if line.enemies == line.most_enemies else f"no more than {line.most_enemies}"
        units = number_of(len(line.board.units), "unit")
        own = f"has {units}" if line.centers is None else f"owns {len(line.centers)}"
        return f"there can be {more}, because there are {len(line.board.map.centers)} supply centres and the line {own}"
    return "the proof covers no more than these"


def _describe_position(position: ReachedPosition) -> PositionDocument:
    line = position.line
    return PositionDocument(position.name, get_season(line), _format_all(line.orders.values()), _format_all(position.after))


def _avoid_first_year(line: Line) -> Line:
    """Return a moving line with a year after the map's first, so that its sheet states the season; others unchanged."""
    turn = line.board.turn
    later = turn and turn.year == line.board.map.first_year and replace(turn, year=turn.year + 1)
    return replace(line, board=replace(line.board, turn=later)) if line.is_moving and later else line


def format_line_sheet(line: Line, finding: str, identity: str, title: str, notes: Texts | None = None) -> str:
    """Return the text of an order sheet for a line, with notes on the provinces behind it, its enemies, and the finding."""
    rows = {"behind": [" ".join(sorted(line.behind)) or "none"]}
    notes = {key: texts for key, texts in (notes or {}).items() if key != "outside"}
    if line.centers is not None:
        rows["centers"] = [" ".join(sorted(line.centers)) or "none"]
    if line.missing:
        rows["without"] = [", ".join(map(str, line.missing))]
    if line.out is not None:
        rows["out"] = [", ".join(map(line.board.map.name_of, line.out)) or "nobody"]
    if line.fleets is not None:
        rows["fleets"] = [str(line.fleets)]
    return format_attack_sheet(Attack(_avoid_first_year(line), {}), identity, title, {**notes, **rows, "finding": [finding]})


def format_attack_sheet(attack: Attack, identity: str, title: str, notes: Texts | None = None) -> str:
    """Return the text of an order sheet with a line, an attack on it, and the judge's verdicts."""
    rules, results = attack.line.rulebook.name, attack.outcome.results
    return sheet_text(attack.board, attack.by_power, identity=identity, title=title, rules=rules, notes=notes, expected=results)


# ---- lines ----


class FoundLine(Document):
    """A line: its orders, the supply centres that it protects, and the provinces behind it."""

    orders: list[str]
    centers: list[str]
    behind: list[str]

    @classmethod
    def from_line(cls, line: Line) -> Self:
        """Make the document of a line."""
        orders = [str(order) for _, order in sorted(line.orders.items())]
        return cls(orders, sorted(line.protected_provinces & set(line.board.map.centers)), sorted(line.behind))

    @property
    def description(self) -> tuple[str, ...]:
        """Two clauses, on the centres that the line protects and on the provinces behind it."""
        protects = f"protects {number_of(len(self.centers), 'supply centre')}: {format_list(self.centers, ' ')}"
        return protects, f"behind it: {' '.join(self.behind) or 'nothing'}"


class LinesDocument(JudgedDocument, kw_only=True):
    """The lines with the fewest units that protect given provinces or centres.

    Only lines that do not move are considered. `units` is null if no line was found. `proved`: it is proved that no line has
    fewer units. `bound`: the proved lower bound on units. `complete`: no line with this number of units is in other provinces.
    """

    goal: str
    map: str
    power: Power
    """The power to which the lines belong."""
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
    def from_result(
        cls,
        result: LineSearchResult,
        goal: str,
        seconds: float,
        second_opinions: Sequence[SecondOpinion] = (),
        proofs: Sequence[Proof] = (),
    ) -> Self:
        """Make the document of a line search that took `seconds`, with the second solver's opinions and proofs."""
        return cls(
            **document_origin(result.rulebook),
            goal=goal,
            map=result.wanted.map.name,
            power=(result.wanted.out or result.wanted.map.powers)[0],
            restrictions=_list_restrictions(result),
            seconds=round(seconds, 2),
            units=result.units,
            bound=result.bound,
            proved=result.proved,
            complete=result.complete,
            lines=list(map(FoundLine.from_line, result.lines)),
            second_opinions=list(second_opinions),
            proofs=list(proofs),
        )

    @property
    def restriction_texts(self) -> list[str]:
        """The restrictions under which the lines were found, each as a sentence."""
        return [f"Only {restriction}." for restriction in self.restrictions]

    @property
    def headline(self) -> str:
        """The sentence that says how few units hold the line, and whether that is proved."""
        if self.units is None and self.proved:
            return "No line that stands still protects this, whatever its units. Proved."
        if self.units is None:
            return "Undecided: time was up before a line was found."
        units = number_of(self.units, "unit")
        if not self.proved:
            bound = f"no line that stands still has fewer than {self.bound}"
            return f"{units} hold; {bound}: time was up before more was proved."
        fewest = f"{units}, proved: no line that stands still has fewer"
        if self.complete:
            places = "these provinces" if len(self.lines) == 1 else f"these {len(self.lines)} sets of provinces"
            return f"{fewest}, and none with as few stands outside {places}."
        return f"{fewest}. There may be equally small lines in other provinces (--all)."


def _list_restrictions(result: LineSearchResult) -> list[str]:
    """Return phrases for the restrictions under which the lines were found."""
    wanted, told = result.wanted, []
    if wanted.region is not None:
        told.append(f"units and protected provinces in {' '.join(sorted(wanted.region))}")
    if wanted.missing:
        told.append(f"without enemy units {', '.join(map(str, wanted.missing))}")
    if wanted.out is not None:
        told.append(f"no enemy units of {', '.join(map(wanted.map.name_of, wanted.out))}, only those of others that can arrive")
    if wanted.feeds:
        told.append("no more units than supply centres protected")
    if not wanted.pockets:
        told.append("no enemies cut off from the others")
    return told


def format_line_sheets(result: LineSearchResult, goal: str) -> dict[str, str]:
    """Return the found lines as texts of order sheets, by sheet names that are made from the goal."""
    file_name = make_file_name(goal.replace(">=", " at least ").replace("<=", " at most "))
    names = [file_name if len(result.lines) == 1 else f"{file_name}-{number}" for number in range(1, len(result.lines) + 1)]
    title = f"{number_of(result.units or 0, 'unit')} for {goal}"
    return {name: format_line_sheet(line, "holds", name, title) for name, line in zip(names, result.lines, strict=True)}


# ---- guarantee ----


class DefeatDocument(Document):
    """Own orders, a reply that defeats them, and the verdicts; `unresolved` if the rulebook has no answer."""

    orders: list[str]
    reply: Texts
    results: Texts | str

    def all_orders(self, units: Texts) -> dict[Power, list[str]]:
        """Return the orders of both sides in this defeat, by power; `units` are the board's units as texts."""
        return group_orders(units, chain(self.orders, *self.reply.values()))


class StepDocument(Document):
    """A position that may follow, with the number of seasons to go, the units, the dislodged units, and orders for them."""

    seasons: int
    phase: str
    units: Texts
    dislodged: Texts
    orders: Texts


class DrawnOrders(Document):
    """Orders of one side, and the probability with which it should give them, as a fraction such as `1/2`."""

    probability: str
    orders: Texts


class OddsDocument(Document):
    """The probability of the wish if the power and all others together choose their orders at random, as stated."""

    probability: str
    own: list[DrawnOrders]
    others: list[DrawnOrders]


class GuaranteeCase(CaseDocument, kw_only=True):
    """The orders that guarantee the wish, or replies that defeat all sets of orders."""

    wish: str
    remarks: list[str]
    power: Power
    allies: list[Power]
    goal: str
    kept: list[str]
    """The orders that were fixed by the sheet."""
    assumed: str | None
    """The assumption about the other powers' orders."""
    seasons: int | None
    """The number of seasons ahead; null if the wish is about the position after the moves, before retreats."""
    positions: int | None
    """The number of positions that were solved; null if `seasons` is null."""
    odds: OddsDocument | None
    """The odds of a refuted wish, if requested; null if the time ran out."""
    plan: list[StepDocument] | None
    """The orders for every position that may follow the first season of a guarantee; null if the time ran out."""
    line_of_play: list[StepDocument]
    """The refutation over several seasons: own orders and the reply that defeats them, phase by phase, and the end."""
    finding: str
    """The finding: `guaranteed`, `refuted` or `undecided`."""
    orders: list[str] | None
    defeats: list[DefeatDocument]
    example: int | None
    """The index of the defeat that is shown as an example; null if there is none."""


def make_guarantee_case(
    finding: one_season.GuaranteeFinding,
    sheet: Sheet,
    task: GuaranteeTask,
    remarks: Sequence[str] = (),
    lookahead: Lookahead | None = None,
    chances: Chances | None = None,
) -> GuaranteeCase:
    """Return the document of a finding about a wish; `lookahead` solved its positions, if it is about several seasons."""
    table = finding.table
    plan: list[StepDocument] | None = []
    lost: list[StepDocument] = []
    if lookahead and isinstance(table, SeasonTable):
        start = lookahead.solve(table.position)
        try:
            plan = (
                [_make_step(solved.position, solved.orders or {}) for solved in lookahead.make_plan(start)]
                if start.is_won
                else []
            )
        except OutOfTimeError:
            plan = None
        lost = [] if start.is_won else list(starmap(_make_step, lookahead.iter_line_of_play(start)))
    return GuaranteeCase(
        **case_origin(sheet, table.rulebook),
        wish=task.goal,
        remarks=[*remarks],
        power=table.power,
        allies=list(table.allies),
        goal=str(table.goal),
        kept=_format_all(table.kept_orders.values()),
        assumed=task.assumed,
        seasons=task.seasons,
        positions=len(lookahead.solved) if lookahead else None,
        odds=_make_odds_document(chances) if chances else None,
        plan=plan,
        line_of_play=lost,
        finding="undecided" if finding.undecided else "refuted" if finding.orders is None else "guaranteed",
        orders=None if finding.orders is None else _format_all(finding.orders.values()),
        defeats=list(map(_make_defeat, finding.defeats)),
        example=finding.example if finding.defeats else None,
    )


def _make_odds_document(chances: Chances) -> OddsDocument:
    def describe_side(side: Sequence[tuple[Orders, Fraction]]) -> list[DrawnOrders]:
        return [
            DrawnOrders(str(share), {power: _format_all(given) for power, given in orders.items()}) for orders, share in side
        ]

    return OddsDocument(str(chances.value), describe_side(chances.rows), describe_side(chances.columns))


def _make_step(position: PositionAhead, orders: Orders) -> StepDocument:
    board = position.board
    lost = (one.unit for one in board.dislodged)
    given = {power: _format_all(their) for power, their in orders.items() if their}
    return StepDocument(position.seasons, board.phase, by_power(board.units), by_power(lost), given)


def _make_defeat(defeat: one_season.Defeat) -> DefeatDocument:
    reply = {power: _format_all(orders) for power, orders in one_season.group_by_power(defeat.reply).items()}
    return DefeatDocument(_format_all(defeat.own.values()), reply, defeat.outcome.results if defeat.outcome else "unresolved")
