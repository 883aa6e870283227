"""Collects the contents of pictures: units with their fates, orders with their verdicts, and pictures shown side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, compress, islice

from satjudge.base.errors import SheetError, UnresolvedError
from satjudge.base.values import brief, replace
from satjudge.base.words import number_of
from satjudge.explain.compare import REMOVALS, RETREATS_OF, UNRESOLVED, ComparedCase, compare, name_rulebooks
from satjudge.explain.words.reason_text import format_rule_names
from satjudge.judging.adjustments import AdjustmentOutcome
from satjudge.judging.equations.logic import Reading
from satjudge.judging.equations.situation import CanalDecision, Situation, Train
from satjudge.judging.judge import AnyOutcome, iter_outcomes, judge_case
from satjudge.judging.legality import Docket, Entry, make_docket
from satjudge.judging.outcome import Outcome
from satjudge.judging.position import Position, read_sheet_position
from satjudge.judging.retreats import RetreatOutcome
from satjudge.judging.solve import Engine
from satjudge.judging.solve.result import Adjudication, Resolutions
from satjudge.notation.sheets import Sheet
from satjudge.world.board import Board, Phase, Unit
from satjudge.world.geography import Location, Map, Power, ProvinceCode, UnitKind, province_of
from satjudge.world.orders import Build, Hold, Move, Order, Permission, Retreat, SupportHold, SupportMove
from satjudge.world.rules import Rulebook
from satjudge.world.verdicts import AnyVerdict, Fate, NoVerdict, OrderResult, Verdict

NO_ANSWER = "no answer"
MOST_ROUTES = 1_000
"""The maximum number of routes of a convoy that are drawn."""
MOST_ORDERS = 12
"""The maximum number of orders of one unit that are drawn; more would be illegible."""
BAD = frozenset((OrderResult.FAILS, OrderResult.CUT, OrderResult.DISRUPTED))
"""The results of failed orders."""
VOID = frozenset((OrderResult.ILLEGAL, OrderResult.INVALID))
"""The results of orders that are not carried out."""
DISORDER = "removed by civil disorder"
"""The fate of units that are removed without an order (4.D.8)."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A unit in a picture, with its fate: for example `dislodged` or `built`, or "" for none.

    Other fates are `destroyed`, `disbanded`, `removed`, `removed by civil disorder`, and `illegal` for a unit that does not
    exist because the order to build it was illegal.
    """

    unit: Unit
    fate: str = ""
    waiting: bool = False
    """True if the unit, dislodged or illegal, is drawn next to another unit in its province."""
    highlight: str = ""
    """`differs` if rulebooks disagree about the unit's retreats, or about its removal."""
    retreats: tuple[Location, ...] = ()
    """The locations to which the unit may retreat, until its retreat is ordered."""
    standing: str = ""
    """`holds` if the unit was ordered to hold; `unordered` if it got no order, but other units did."""


@dataclass(frozen=True, slots=True)
class TrainRide:
    """The way of an army's move by railroad (DATC 2.4, 7.B)."""

    way: tuple[ProvinceCode, ...]
    """The provinces on the way, ending with the destination."""
    came: int
    """The number of provinces that the army has reached; all of them if the move was not judged."""
    bounced: ProvinceCode | None = None
    """The province where the army was turned back."""

    @property
    def has_arrived(self) -> bool:
        """True if the army reached its destination."""
        return self.came == len(self.way)


@dataclass(frozen=True, slots=True)
class ShownOrder:
    """An order in a picture with its verdict, or with `unresolved` if the rulebook has no answer.

    For a convoyed move, `chain` contains the last seas of its routes. For a convoy on such a route, it contains the places
    before its fleet: the convoyed army's province, or other fleets.
    """

    power: Power
    order: Order
    origin: Location
    """The location of the order's unit."""
    verdict: AnyVerdict
    highlight: str = ""
    """`core` or `differs` if the order is highlighted."""
    chain: tuple[ProvinceCode, ...] = ()
    given: str = ""
    """The order as it was given, if it is drawn in a completed form (with the actual kind, location and coast)."""
    ride: TrainRide | None = None
    """The way of a move by railroad."""

    __repr__ = brief

    @property
    def text(self) -> str:
        """The text of the order as it was given."""
        return self.given or str(self.order)

    @property
    def kind(self) -> str:
        """The kind of the order in one word, such as `move`, `support` or `convoy`; `unreadable` if it cannot be read."""
        return "support" if isinstance(self.order, SupportHold | SupportMove) else type(self.order).__name__.lower()

    @property
    def line(self) -> str:
        """The kind of line with which the order is drawn: `convoyed` for a move by convoy, else its kind."""
        return "convoyed" if isinstance(self.order, Move) and self.chain else self.kind

    @property
    def word(self) -> OrderResult | Fate | NoVerdict:
        """The verdict on the order in one word, or the fate of its unit if there is no verdict on the order itself."""
        return self.verdict.word

    @property
    def sign(self) -> str:
        """The sign on the order: `void` if illegal or invalid, `bad` if it failed or the train was turned back, else ""."""
        bounced = self.ride is not None and self.ride.bounced is not None
        return "void" if self.word in VOID else "bad" * (self.word in BAD or bounced)


@dataclass(frozen=True, slots=True)
class Scene:
    """The content of one picture: a position with its orders and their results."""

    board: Board
    figures: tuple[Figure, ...]
    orders: tuple[ShownOrder, ...] = ()
    contested: frozenset[ProvinceCode] = frozenset()
    """The provinces that a standoff left empty, to which no unit may retreat."""
    caption: str = ""
    unseen: tuple[str, ...] = ()
    """Descriptions of the orders that cannot be drawn, such as those for units that do not exist."""

    __repr__ = brief

    @property
    def has_options(self) -> bool:
        """True if any unit has possible retreats to draw."""
        return any(figure.retreats for figure in self.figures)

    @property
    def powers(self) -> list[Power]:
        """The powers that have units, orders or centres in the picture, sorted by name."""
        found = {figure.unit.power for figure in self.figures} | {order.power for order in self.orders}
        return sorted(found | set(self.board.centers.values()))


def position(board: Board, caption: str = "") -> Scene:
    """Make the scene of a board with its dislodged units and their retreats, but without orders."""
    waiting = (Figure(lost.unit, "dislodged", waiting=True, retreats=lost.retreats) for lost in board.dislodged)
    return Scene(board, (*map(Figure, board.units), *waiting), caption=caption)


def _iter_dislodged_figures(board: Board, removed: Collection[Unit] = ()) -> Iterator[Figure]:
    for lost in board.dislodged:
        yield Figure(lost.unit, "disbanded" if lost.unit in removed else "dislodged", waiting=True)


def scene_of(outcome: AnyOutcome, caption: str = "") -> Scene:
    """Make the scene of a phase's outcome, with its orders and their results."""
    if isinstance(outcome, Outcome):
        return make_movement_scene(outcome, caption)
    if isinstance(outcome, RetreatOutcome):
        return _make_retreat_scene(outcome, caption)
    return _make_adjustment_scene(outcome, caption)


# ---- movement ----


def make_movement_scene(outcome: Outcome, caption: str = "") -> Scene:
    """Make the scene of a movement phase's outcome, in which the orders in cores are highlighted."""
    adjudication = outcome.adjudication
    core = {decision.index for one in adjudication.cores for decision in one.decisions}
    shown, unseen = _list_movement_orders(outcome.docket, adjudication.situation, adjudication.values, core, outcome)
    lost = outcome.dislodgements
    figures = [
        Figure(unit, lost[unit.province].fate, retreats=lost[unit.province].retreats) if unit.province in lost else Figure(unit)
        for unit in outcome.board.units
    ]
    figures = list(_mark_standing_units(figures, outcome.docket))
    return Scene(outcome.board, (*figures, *_iter_dislodged_figures(outcome.board)), shown, outcome.left_empty, caption, unseen)


def _mark_standing_units(figures: Iterable[Figure], docket: Docket) -> Iterator[Figure]:
    """Yield the figures, with `standing` set for units that hold, ordered or not; for none if there are no orders."""
    entries = [entry for given in docket.entries.values() for entry in given]
    ordered = {entry.province for entry in entries}
    held = {entry.province for entry in entries if entry.reason is None and isinstance(entry.order, Hold)}
    for figure in figures:
        province = figure.unit.province
        marked = bool(entries) and not figure.waiting and (province in held or province not in ordered)
        yield replace(figure, standing="holds" if province in held else "unordered") if marked else figure


def _list_movement_orders(
    docket: Docket, situation: Situation, values: Sequence[bool] | None, core_indexes: Collection[int], outcome: Outcome | None
) -> tuple[tuple[ShownOrder, ...], tuple[str, ...]]:
    """Return orders to draw, with verdicts (unresolved without `outcome`) and implied ones (4.E.3), and descriptions of others.

    If `outcome` is None, their verdicts are unresolved. `core_indexes` are the decisions whose orders are highlighted, and
    `values` the decisions' values, if known.
    """
    units = situation.board.unit_at
    decisions = {d.province: d for d in situation.decisions if not isinstance(d, CanalDecision)}
    trains = {train.origin.province: train for train in situation.trains}
    in_core = {situation.decisions[index].province for index in core_indexes}  # any stage of a train, or the canal of a fleet
    chains = _map_chains(situation, values)
    shown, unseen, ordered_provinces = [], [], set()

    def show(power: Power, order: Order, province: ProvinceCode, verdict: AnyVerdict, order_text: str, *, counts: bool) -> None:
        decision = decisions.get(province) if counts else None
        index = decision.index if decision else -1
        mark = "core" if counts and province in in_core else ""
        ride = _find_ride(order, province, situation.board.map, trains.get(province) if counts else None, outcome)
        shown.append(ShownOrder(power, order, units[province].location, verdict, mark, chains.get(index, ()), order_text, ride))

    for power, entries in docket.entries.items():
        verdicts = [judged.verdict for judged in outcome.judged[power]] if outcome else _list_open_verdicts(entries)
        for entry, verdict in zip(entries, verdicts, strict=True):
            if keeper := _find_keeper(entry, situation.board):
                show(power, entry.order, keeper, verdict, str(entry.order), counts=False)
                continue
            if entry.province is None:
                unseen.append(f"{entry.order} of {situation.board.map.name_of(power)} ({verdict})")
                continue
            counts = entry.reason is None
            ordered_provinces.update([entry.province] if counts else [])
            drawn_order = entry.legal if counts and entry.legal else entry.order
            show(power, drawn_order, entry.province, verdict, str(entry.order), counts=counts)
    for province, order in docket.orders.items():
        if province not in ordered_provinces and province in decisions:  # a neutral unit that holds has none
            implied = Verdict.from_result(outcome.find_result(decisions[province])) if outcome else NoVerdict.UNRESOLVED
            show(units[province].power, order, province, implied, "", counts=True)
    return _choose_drawable(shown, unseen, situation.board)


def _find_keeper(entry: Entry, board: Board) -> ProvinceCode | None:
    """Return the province that keeps the canal of a permission, if the ordering power has a unit there; else None."""
    if not isinstance(entry.order, Permission):
        return None
    keeper = next(canal.keeper for canal in board.map.canals if canal.name == entry.order.canal)
    unit = board.unit_at.get(keeper)
    return keeper if unit and unit.power == entry.power else None


def _find_ride(
    order: Order, origin: ProvinceCode, game_map: Map, train: Train | None, outcome: Outcome | None
) -> TrainRide | None:
    """Return the way of a railroad move, and how far it got (to the end if not judged); None for others or off the line."""
    if not isinstance(order, Move) or not order.railroad:
        return None
    ends = {origin, province_of(order.destination)}
    railroad = next((one for one in game_map.railroads if one.name == order.railroad and ends.issubset(one.line)), None)
    if railroad is None or len(ends) == 1:
        return None
    way = railroad.way(origin, province_of(order.destination))
    if train is None or outcome is None:
        return TrainRide(way, len(way))
    values, last = outcome.adjudication.values, outcome.rides.get(origin)
    turned = (s.place.province for s in train.stages if values[s.reaching.index] and not values[s.passing.index])
    return TrainRide(way, way.index(last) + 1 if last else 0, next(turned, None))


def _choose_drawable(
    orders: Sequence[ShownOrder], unseen: Sequence[str], board: Board
) -> tuple[tuple[ShownOrder, ...], tuple[str, ...]]:
    """Return at most `MOST_ORDERS` orders of each unit, preferring legal ones, and `unseen` with descriptions of the others."""
    order_counts: Counter[tuple[Power, Location]] = Counter()
    too_many = set()
    for shown in sorted(orders, key=lambda shown: shown.word is OrderResult.ILLEGAL):
        order_counts[shown.power, shown.origin] += 1
        if order_counts[shown.power, shown.origin] > MOST_ORDERS:
            too_many.add(id(shown))
    words = (f"{one.text} of {board.map.name_of(one.power)} ({one.verdict})" for one in orders if id(one) in too_many)
    return tuple(one for one in orders if id(one) not in too_many), (*unseen, *words)


def _list_open_verdicts(entries: Sequence[Entry]) -> list[AnyVerdict]:
    """Return the verdict on each order of a position to which the rulebook has no answer: illegal or unresolved."""
    return [Verdict.from_result(OrderResult.ILLEGAL) if entry.reason else NoVerdict.UNRESOLVED for entry in entries]


def _map_chains(situation: Situation, values: Sequence[bool] | None) -> dict[int, tuple[ProvinceCode, ...]]:
    """Return the last seas of each convoyed move's routes, and the places before each convoy's fleet, by decision's index."""
    found: dict[int, dict[ProvinceCode, None]] = {}
    for move in situation.moves:
        convoyed = Reading(values).is_convoyed(move) if values is not None else move.might_be_convoyed
        for route in islice(move.iter_routes(), MOST_ROUTES) if convoyed else ():
            before = move.origin.province
            for convoy in route:
                found.setdefault(convoy.index, {})[before] = None
                before = convoy.place.province
        if convoyed and move.has_route:  # only routes that hold, or all of them if none does, to show the intended destination
            whole = [*islice(move.iter_routes(values), MOST_ROUTES)] or [*islice(move.iter_routes(), MOST_ROUTES)]
            found[move.index] = dict.fromkeys(route[-1].place.province for route in whole)
    return {index: tuple(places) for index, places in found.items()}


def mark_differences(scene: Scene, rows: Iterable[tuple[Power, str]]) -> Scene:
    """Return a scene that highlights, instead of cores, the orders and units in these rows (power, text) of a comparison."""
    different = {*rows}

    def mark(power: Power, *texts: str) -> str:
        return "differs" if any((power, text) in different for text in texts) else ""

    orders = (replace(shown, highlight=mark(shown.power, shown.text)) for shown in scene.orders)
    figures = []
    for figure in scene.figures:
        removal = (REMOVALS,) if figure.fate == DISORDER else ()
        figures.append(replace(figure, highlight=mark(figure.unit.power, f"{RETREATS_OF} {figure.unit}", *removal)))
    return replace(scene, orders=tuple(orders), figures=tuple(figures))


# ---- retreats and adjustments ----


def _make_retreat_scene(outcome: RetreatOutcome, caption: str) -> Scene:
    waiting = {lost.unit.province: lost.unit for lost in outcome.board.dislodged}
    fled = {
        entry.order.unit.province
        for given in outcome.judged.values()
        for entry in given
        if isinstance(entry.order, Retreat) and entry.verdict.order is OrderResult.SUCCEEDS
    }
    disbanded = [unit for province, unit in waiting.items() if province not in fled]
    shown, unseen = _list_adjudicated_orders(outcome, waiting, {})
    figures = (*map(Figure, outcome.board.units), *_iter_dislodged_figures(outcome.board, disbanded))
    return Scene(outcome.board, figures, shown, caption=caption, unseen=unseen)


def _make_adjustment_scene(outcome: AdjustmentOutcome, caption: str) -> Scene:
    before, after = {*outcome.board.units}, {*outcome.units}
    lost = {unit: DISORDER for units in outcome.automatic.values() for unit in units}
    figures = [Figure(unit, "" if unit in after else lost.get(unit, "removed")) for unit in outcome.board.units]
    figures += [Figure(unit, "built") for unit in outcome.units if unit not in before]
    units = {figure.unit.province: figure.unit for figure in figures}
    refused = _find_refused_builds(outcome)
    shown, unseen = _list_adjudicated_orders(outcome, units, refused)
    figures += [Figure(unit, "illegal", waiting=province in units) for province, unit in refused.items()]
    return Scene(outcome.board, tuple(figures), shown, caption=caption, unseen=unseen)


def _find_refused_builds(outcome: AdjustmentOutcome) -> dict[ProvinceCode, Unit]:
    """Return, for each province with an illegal order to build, the unit of the first such order."""
    found: dict[ProvinceCode, Unit] = {}
    for entry in chain.from_iterable(outcome.judged.values()):
        order, illegal = entry.order, entry.verdict.order is OrderResult.ILLEGAL
        if isinstance(order, Build) and illegal and order.unit.province in outcome.board.map.provinces:
            kind = order.unit.kind or UnitKind.ARMY
            found.setdefault(order.unit.province, Unit(entry.power, kind, order.unit.location))
    return found


def _list_adjudicated_orders(
    outcome: RetreatOutcome | AdjustmentOutcome, units: Mapping[ProvinceCode, Unit], refused: Mapping[ProvinceCode, Unit]
) -> tuple[tuple[ShownOrder, ...], tuple[str, ...]]:
    """Return the retreats or adjustments to draw, with verdicts, and descriptions of the others (no such unit, too many)."""
    shown, unseen = [], []
    for power, order, verdict, _, _ in chain.from_iterable(outcome.judged.values()):
        unit_name = getattr(order, "unit", None)
        candidates = refused if isinstance(order, Build) and verdict.order is OrderResult.ILLEGAL else units
        unit = candidates.get(unit_name.province) if unit_name else None
        if unit is not None and unit.power == power:
            shown.append(ShownOrder(power, order, unit.location, verdict))
        else:
            unseen.append(f"{order} of {outcome.board.map.name_of(power)} ({verdict})")
    return _choose_drawable(shown, unseen, outcome.board)


# ---- pictures shown side by side: phases, consistent resolutions, outcomes by rulebook ----


@dataclass(frozen=True, slots=True)
class Panels:
    """Scenes that are shown together, with notes on all of them."""

    scenes: tuple[Scene, ...]
    notes: tuple[str, ...] = ()
    unresolved: str = ""
    """The reason why the rulebook has no answer; "" if it has one."""

    @property
    def is_resolved(self) -> bool:
        """True if the rulebook has an answer."""
        return not self.unresolved


def make_case_panels(sheet: Sheet, rulebook: Rulebook, engine: Engine = Engine.STAGED) -> Panels:
    """Judge a case, and return the scene of its outcome, or of the unresolved core, and a second scene for any retreats."""
    judged = judge_case(sheet, rulebook, engine)
    if error := judged.unresolved_error:
        return Panels((make_unresolved_scene(read_sheet_position(sheet), rulebook, error),), (str(error),), str(error))
    outcome = judged.require_outcome()
    if not isinstance(outcome, Outcome):
        return Panels((scene_of(outcome),), tuple(_iter_removals(outcome)))
    if not judged.retreats:
        return Panels((make_movement_scene(outcome),), tuple(_iter_rulings(outcome.adjudication)))
    moves = make_movement_scene(outcome, "Moves")
    after = replace(scene_of(judged.retreats, "Retreats"), contested=moves.contested)
    return Panels((moves, after), tuple(_iter_rulings(outcome.adjudication)))


def make_unresolved_scene(unresolved_position: Position, rulebook: Rulebook, error: UnresolvedError) -> Scene:
    """Make the scene of moves to which the rulebook has no answer (`error`), with the unresolved core highlighted."""
    docket = make_docket(unresolved_position.board, unresolved_position.orders, rulebook)
    core = {decision.index for decision in error.core.decisions} if error.core else set()
    shown, unseen = _list_movement_orders(docket, error.resolutions.situation, None, core, None)
    scene = position(unresolved_position.board, f"{rulebook.name}: {NO_ANSWER}")
    return replace(scene, figures=tuple(_mark_standing_units(scene.figures, docket)), orders=shown, unseen=unseen)


def _iter_rulings(adjudication: Adjudication) -> Iterator[str]:
    rulings = adjudication.rulings
    for number, ruling in enumerate(rulings, 1):
        count = "no resolution" if not ruling.resolutions else f"{ruling.resolutions} resolutions"
        orders = ", ".join(map(str, ruling.core))
        core = f"Core {number} ({orders})" if len(rulings) > 1 else f"The core of {number_of(len(ruling.core), 'order')}"
        yield f"{core} has {count}; {format_rule_names(ruling.rule)} {'decide' if ', ' in ruling.rule else 'decides'}."


def _iter_removals(outcome: object) -> Iterator[str]:
    if isinstance(outcome, AdjustmentOutcome):
        from satjudge.explain.words.verdict_text import iter_civil_disorder

        yield from (f"{loss}." for loss in iter_civil_disorder(outcome))


def make_resolution_panels(sheet: Sheet, rulebook: Rulebook, engine: Engine = Engine.STAGED, most_shown: int = 6) -> Panels:
    """Return scenes of a case's first `most_shown` consistent resolutions, then of the ruling or open core; one if no choice.

    Raises `SheetError` for retreats and adjustments, which have no resolutions.
    """
    if sheet.phase is not Phase.MOVEMENT:
        raise SheetError("only movement phases have resolutions", source=sheet.source_file, line=sheet.line)
    case = judge_case(sheet, rulebook, engine)
    found = case.resolutions
    if error := case.unresolved_error:
        given = read_sheet_position(sheet)
        supposed = iter_outcomes(found, given.orders, found.list_first(most_shown))
        return Panels(
            (*_iter_resolution_scenes(supposed, found), make_unresolved_scene(given, rulebook, error)),
            (str(error),),
            str(error),
        )
    outcome = case.require_movement()
    if found.count == 1 and not outcome.adjudication.rulings:
        return Panels((make_movement_scene(outcome, "The one consistent resolution"),))
    columns = found.list_first(most_shown)
    others = (Outcome(outcome.board, outcome.docket, replace(outcome.adjudication, values=tuple(one))) for one in columns)
    scenes = (*_iter_resolution_scenes(others, found), make_movement_scene(outcome, f"Ruled by {rulebook.name}"))
    notes = [] if found.count else ["There is no consistent resolution."]
    if len(columns) < found.count:
        notes.append(f"The first {len(columns)} of {found.count:,} consistent resolutions.")
    return Panels(scenes, (*notes, *_iter_rulings(outcome.adjudication)))


def _iter_resolution_scenes(outcomes: Iterable[Outcome], resolutions: Resolutions) -> Iterator[Scene]:
    """Yield the scene of each resolution's outcome, with the number of the resolution in its caption."""
    for number, outcome in enumerate(outcomes, 1):
        yield make_movement_scene(outcome, f"Resolution {number} of {resolutions.count:,}")


def make_comparison_panels(sheet: Sheet, rulebooks: Sequence[Rulebook]) -> Panels:
    """Return a scene for each group of rulebooks that agree on a case, with the differences from the first group marked."""
    books = name_rulebooks(rulebooks)
    found = compare(read_sheet_position(sheet), rulebooks, retreats=sheet.retreats_by_power())
    rows = [(order.power, order.order) for order in found.orders]
    scenes = []
    for name, (column, alike) in zip(found.names, found.groups.items(), strict=True):
        (scene, *_) = make_case_panels(sheet, books[alike[0]]).scenes
        caption = name + f": {NO_ANSWER}" * (UNRESOLVED in column)
        scenes.append(replace(mark_differences(scene, compress(rows, found.mark_differences(column))), caption=caption))
    silent = [name for name, column in found.columns.items() if UNRESOLVED in column]
    why = f"{', '.join(silent)} {'has' if len(silent) == 1 else 'have'} no answer" if silent else ""
    return Panels(tuple(scenes), tuple(list_comparison_notes(found)), why)


def list_comparison_notes(comparison: ComparedCase) -> list[str]:
    """List the notes on a comparison: that all rulebooks agree, or which choices make them differ."""
    return [*(["All rulebooks agree."] if comparison.agrees else []), *comparison.reasons]
