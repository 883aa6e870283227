"""Judges other programs' saved games, single phases and test cases again, and compares the resulting positions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

from satjudge.base.errors import InputError, PhaseFailedError, SatjudgeError, UnresolvedError
from satjudge.base.values import brief
from satjudge.engines.documents.campaigns import ReplayedDifference, ReplayedOrder, ReplayedPhase
from satjudge.files import jdip
from satjudge.files.diplomacy_package import (
    COMPLETED,
    Row,
    SavedGame,
    SavedPhase,
    State,
    board_of,
    centers_by_power,
    make_row_board,
    map_of,
    normalize_phase,
    parse_phase,
    rename_powers,
    state_of,
)
from satjudge.judging.adjustments import AdjustmentOutcome
from satjudge.judging.judge import AnyOutcome, judge_phase
from satjudge.judging.outcome import Outcome
from satjudge.judging.solve import Engine
from satjudge.notation.parse import parse_order_leniently
from satjudge.world.board import by_power
from satjudge.world.geography import Map, Power, ProvinceCode, province_of
from satjudge.world.orders import Order, Remove, Unreadable, places_named
from satjudge.world.rules import Rulebook
from satjudge.world.seasons import centers_after_fall


@dataclass(frozen=True, slots=True)
class Replayed:
    """A phase of a game, or a case, that was judged again, with its differences."""

    game: str
    different: ReplayedPhase | None = None
    unanswered: str = ""
    """The reason why there is no outcome to compare, if the rulebook has no answer to the phase."""
    unreadable: tuple[str, ...] = ()
    """The places of unreadable orders, with reasons; their phases are judged nevertheless."""

    __repr__ = brief

    @property
    def is_same(self) -> bool:
        """True if there is an outcome and it does not differ."""
        return self.different is None and not self.unanswered


def compare_safely(
    game: str, place: Sequence[str], compare: Callable[[], ReplayedPhase | None], *, line: int | None = None
) -> Replayed:
    """Call `compare` for one phase and return its result, or the reason why the rulebook has no answer.

    `place` (such as game and phase) and `line` locate the phase in errors. Raises `InputError` for bad input, and
    `PhaseFailedError` for any unexpected error.
    """
    try:
        return Replayed(game, compare())
    except InputError as error:
        raise error.add_place(source=", ".join(part for part in (*place, error.source) if part), line=line) from None
    except UnresolvedError as error:
        return Replayed(game, unanswered=f"{', '.join(place)}: {error}")
    except SatjudgeError:
        raise
    except Exception as error:  # a failure on one phase must not prevent the comparison of others
        raise PhaseFailedError(f"{', '.join(place)}: {type(error).__name__}: {error}") from error


def iter_comparisons(
    game: SavedGame, rulebook: Rulebook, engine: Engine = Engine.STAGED, game_map: Map | None = None
) -> Iterator[Callable[[], Replayed]]:
    """Yield, for each phase of a game but idle retreat phases, a function that judges it and compares the result with the next.

    A game without a known map is played on `game_map`. Raises `InputError` with the game if there is no map; each of the
    functions raises one with the phase for an unreadable position. Retreat phases without any possible retreat are skipped,
    unless satjudge finds a retreat there, which is then compared with the file.
    """
    try:
        played_on = map_of(game, game_map)
    except InputError as error:
        raise error.add_place(source=f"game {game.id}") from None
    return (
        partial(_replay_phase, phase, game.phases[number + 1 :], str(game.id), played_on, rulebook, engine)
        for number, phase in enumerate(game.phases[:-1])
        if not is_idle(phase)
    )


def _replay_phase(
    phase: SavedPhase, later: Sequence[SavedPhase], game: str, game_map: Map, rulebook: Rulebook, engine: Engine
) -> Replayed:
    place = (f"game {game}", phase.name)
    found = compare_safely(game, place, partial(_compare_phase, phase, later, game_map, rulebook, engine))
    kind, _ = parse_phase(phase.name)
    orders = (
        (power, parse_order_leniently(text, game_map, kind)) for power, texts in phase.orders.items() for text in texts or ()
    )
    problems = ((power, order.problem) for power, order in orders if isinstance(order, Unreadable))
    return replace(found, unreadable=tuple(", ".join((*place, *problem)) for problem in problems))


def replay(game: SavedGame, rulebook: Rulebook, engine: Engine = Engine.STAGED) -> list[Replayed]:
    """Judge every phase of a game again, and return how each result differs from the saved next phase.

    Raises `InputError` with the phase for a position that cannot be read.
    """
    return [compare() for compare in iter_comparisons(game, rulebook, engine)]


def _compare_phase(
    phase: SavedPhase, later: Sequence[SavedPhase], game_map: Map, rulebook: Rulebook, engine: Engine
) -> ReplayedPhase | None:
    """Judge a phase and return how the result differs from the saved phase that follows in `later`; None if it does not."""
    board = board_of(phase, game_map)
    orders = {power: list(texts or ()) for power, texts in phase.orders.items()}
    outcome = judge_phase(board, orders, rulebook=rulebook, engine=engine, lenient=True)
    met = outcome.next_board
    following = _find_following_phase(met.phase_name, later)
    after, following_facts = (
        collect_facts(state_of(met.phase_name, met)),
        collect_facts(normalize_phase(following, game_map).state),
    )
    at_its_end = following.name == COMPLETED or (is_idle(following) and following.state.name != met.phase_name)
    compared = set(after) - (_OF_A_PHASE if at_its_end else set())
    if not any(following_facts["centers"].values()):  # some files omit them
        compared.discard("centers")
    saved = {unit: ", ".join(map(str, words)) for unit, words in phase.results.items() if words}
    return find_differences(
        phase.name,
        {kind: after[kind] for kind in after if kind in compared},
        following_facts,
        pair_verdicts(outcome, saved),
    )


def is_idle(phase: SavedPhase) -> bool:
    """Return whether a phase is a retreat phase in which no unit can retreat; some programs save such phases."""
    retreats = phase.state.retreats.values()
    return phase.name.endswith("R") and not any(places for entries in retreats for places in entries.values())


def _find_following_phase(name: str, later: Sequence[SavedPhase]) -> SavedPhase:
    """Return the saved phase to compare with: the first in `later` that is not idle or has the expected name, else the last."""
    return next((phase for phase in later if phase.state.name == name or not is_idle(phase)), later[-1])


# ---------------------------------------------------------------- comparison

ByPower = Mapping[Power, Collection[str]]
Facts = Mapping[str, ByPower]
"""The facts of a position by kind and power: `{"units": {"FRANCE": {"A PAR"}}}`."""
_OF_A_PHASE = {"phase", "retreats"}
"""The kinds of facts that are missing at the end of a game or file."""
_OrderResult = tuple[Power, Order, str, str]
"""A power, its order, satjudge's verdict, and the result words saved for the unit."""


def collect_facts(state: State) -> Facts:
    """Return the phase, units, retreats and centres of a saved position, each as texts by power."""
    return {
        "phase": {"": [state.name]},
        "units": {power: [unit for unit in units if not unit.startswith("*")] for power, units in state.units.items()},
        "retreats": {
            power: [f"{unit} to {' '.join(sorted(places))}" for unit, places in retreats.items() if places]
            for power, retreats in state.retreats.items()
        },
        "centers": state.centers,
    }


def find_differences(name: str, ours: Facts, theirs: Facts, orders: Iterable[_OrderResult]) -> ReplayedPhase | None:
    """Return the facts that only one of two positions has, with the orders concerned; None if the facts are equal."""
    differences: list[ReplayedDifference] = []
    places: set[ProvinceCode] = set()
    for kind, owned in ours.items():
        for power in sorted({*owned, *theirs[kind]}):
            mine, other = set(owned.get(power, ())), set(theirs[kind].get(power, ()))
            if mine != other:
                differences.append(ReplayedDifference(kind, power, _format_facts(mine - other), _format_facts(other - mine)))
                places.update(_parse_place(fact) for fact in mine ^ other)
    if not differences:
        return None
    concerned = [
        ReplayedOrder(power, str(order), verdict, saved)
        for power, order, verdict, saved in orders
        if places & {province_of(place) for place in places_named(order)}
    ]
    return ReplayedPhase(name, differences, concerned)


def _format_facts(facts: Collection[str]) -> str:
    return ", ".join(sorted(facts))


def _parse_place(fact: str) -> ProvinceCode:
    """Return the province of a unit or centre in a text: PAR in `A PAR`, `A PAR to BUR` and `PAR`."""
    words = fact.split()
    return province_of(words[1] if len(words) > 1 else fact)


def pair_verdicts(outcome: AnyOutcome, saved: Mapping[str, str]) -> Iterator[_OrderResult]:
    """Yield each order and each removal by civil disorder, with satjudge's verdict and the `saved` words for its unit."""
    for power, order, verdict, _, _ in chain.from_iterable(outcome.judged.values()):
        yield power, order, str(verdict), saved.get(" ".join(str(order).split()[:2]), "")
    if isinstance(outcome, AdjustmentOutcome):
        for power, units in outcome.automatic.items():
            for unit in units:
                yield power, Remove(unit.named), "civil disorder (4.D.8)", saved.get(str(unit), "")


# ---------------------------------------------------------------- single phases and cases


def replay_row(row: Row, rulebook: Rulebook, engine: Engine = Engine.STAGED, game_map: Map | None = None) -> Replayed:
    """Judge the phase in a table row, and compare the result with the next position in the row, if it has one.

    Raises `InputError` with the phase.
    """
    return compare_safely(row.game, (row.game, row.phase), partial(_compare_row, row, rulebook, engine, game_map))


def _compare_row(row: Row, rulebook: Rulebook, engine: Engine, game_map: Map | None) -> ReplayedPhase | None:
    outcome = judge_phase(make_row_board(row, rulebook, engine, game_map), row.orders, rulebook=rulebook, engine=engine)
    if row.next_units is None:
        return None
    lost = row.next_dislodged if isinstance(outcome, Outcome) else {}
    ends_fall = row.phase.startswith("F") and not any(row.next_dislodged.values())
    saved = {unit: ", ".join(words) for unit, words in row.results.items()}
    return _compare_position(row.phase, outcome, row.next_units, lost, saved, row.next_centers if ends_fall else None)


def replay_case(case: jdip.JdipCase, rulebook: Rulebook, engine: Engine = Engine.STAGED) -> Replayed:
    """Judge a jDip test case, and compare the result with the position that the case expects.

    Raises `InputError`.
    """
    case.require_readable()
    return compare_safely(case.title, (case.title,), partial(_compare_case, case, rulebook, engine), line=case.line)


def _compare_case(case: jdip.JdipCase, rulebook: Rulebook, engine: Engine) -> ReplayedPhase | None:
    outcome = judge_phase(jdip.board_of(case, rulebook, engine), case.orders, rulebook=rulebook, engine=engine)
    units = case.units if case.same else case.after
    return _compare_position(case.phase, outcome, by_power(units), by_power(case.lost))


def _compare_position(
    name: str,
    outcome: AnyOutcome,
    units: ByPower,
    dislodged: ByPower,
    saved: Mapping[str, str] = {},
    centers: ByPower | None = None,
) -> ReplayedPhase | None:
    """Return how the position after a phase differs from the expected units, dislodged units and centres, or None."""
    game_map = outcome.board.map
    units, dislodged = rename_powers(units, game_map), rename_powers(dislodged, game_map)
    dislodgements = outcome.dislodgements.values() if isinstance(outcome, Outcome) else ()
    # A file may, but need not, list a destroyed unit.
    dislodged_units = [one.unit for one in dislodgements if one.retreats or str(one.unit) in dislodged.get(one.unit.power, ())]
    ours: dict[str, ByPower] = {"units": by_power(outcome.units), "dislodged": by_power(dislodged_units)}
    theirs: dict[str, ByPower] = {"units": units, "dislodged": dislodged}
    if centers is not None:
        ours["centers"] = centers_by_power(centers_after_fall(outcome.next_board))
        theirs["centers"] = rename_powers(centers, game_map)
    return find_differences(name, ours, theirs, pair_verdicts(outcome, saved))
