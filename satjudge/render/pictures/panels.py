"""Which pictures belong side by side: the phases of a case, its consistent resolutions, what rulebooks make of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress

from satjudge.adjustments import AdjustmentOutcome
from satjudge.board import Board, Phase
from satjudge.errors import SheetError, UnresolvedError
from satjudge.explain.context import RULE_NAMES
from satjudge.geography import Power
from satjudge.judge import judge, judge_phase
from satjudge.legality import Docket, sort_out
from satjudge.notation.sheets import Sheet
from satjudge.orders import Order
from satjudge.outcome import Outcome
from satjudge.render.pictures.scene import Scene, alternative, differing, movement, scene_of, unresolved
from satjudge.research.compare import UNRESOLVED, Comparison, compare
from satjudge.retreats import judge_retreats
from satjudge.rules import Rulebook, options
from satjudge.solve import Engine
from satjudge.solve.result import Adjudication, Resolutions

NO_ANSWER = "no answer"


@dataclass(frozen=True, slots=True)
class Panels:
    """Scenes to be shown together, and what is to be said of them all."""

    scenes: tuple[Scene, ...]
    notes: tuple[str, ...] = ()
    unresolved: str = ""
    """Why the rulebook has no answer, if it has none."""

    @property
    def resolved(self) -> bool:
        """Whether the rulebook has an answer."""
        return not self.unresolved


def case_panels(sheet: Sheet, rulebook: Rulebook, engine: Engine = Engine.STAGED) -> Panels:
    """What became of a case; the retreats, if it has any, beside the moves."""
    board, orders = sheet.board, sheet.orders_by_power()
    try:
        outcome = judge_phase(board, orders, rulebook=rulebook, engine=engine)
    except UnresolvedError as error:
        return _no_answer(board, orders, rulebook, error)
    if not isinstance(outcome, Outcome):
        return Panels((scene_of(outcome),), tuple(_removals(outcome)))
    if not sheet.has_retreats:
        return Panels((movement(outcome),), tuple(_rulings(outcome.adjudication)))
    retreats = judge_retreats(outcome.retreat_board, sheet.retreats_by_power(), rulebook=rulebook)
    moves = movement(outcome, "Moves")
    after = replace(scene_of(retreats, "Retreats"), contested=moves.contested)
    return Panels((moves, after), tuple(_rulings(outcome.adjudication)))


def _no_answer(board: Board, orders: Mapping[Power, Sequence[Order]], rulebook: Rulebook, error: UnresolvedError) -> Panels:
    docket = sort_out(board, orders, rulebook)
    core = error.core.decisions if error.core else ()
    scene = unresolved(board, docket, error.resolutions.situation, core, f"{rulebook.name}: {NO_ANSWER}")
    return Panels((scene,), (str(error),), str(error))


def _rulings(adjudication: Adjudication) -> Iterator[str]:
    rulings = adjudication.rulings
    for number, ruling in enumerate(rulings, 1):
        count = "no resolution" if not ruling.resolutions else f"{ruling.resolutions} resolutions"
        orders = ", ".join(map(str, ruling.core))
        core = f"Core {number} ({orders})" if len(rulings) > 1 else f"The core of {len(ruling.core)} orders"
        yield f"{core} has {count}; {RULE_NAMES.get(ruling.rule, ruling.rule)} decides."


def _removals(outcome: object) -> Iterator[str]:
    if isinstance(outcome, AdjustmentOutcome):
        for power, units in outcome.automatic.items():
            yield f"{outcome.board.map.name_of(power)} in civil disorder loses {', '.join(map(str, units))}."


def resolution_panels(sheet: Sheet, rulebook: Rulebook, engine: Engine = Engine.FULL, shown: int = 6) -> Panels:
    """The consistent resolutions side by side, then what the backup rules make of them.

    Raises `SheetError` for an adjustment phase, which has no resolutions.
    """
    if sheet.phase is not Phase.MOVEMENT:
        raise SheetError("only movement phases have resolutions", source=sheet.source_file, line=sheet.line)
    board, orders = sheet.board, sheet.orders_by_power()
    try:
        outcome = judge(board, orders, rulebook=rulebook, engine=engine)
    except UnresolvedError as error:
        docket, found = sort_out(board, orders, rulebook), error.resolutions
        some = [_supposed(board, docket, found, values) for values in found.first(shown)]
        unruled = _no_answer(board, orders, rulebook, error)
        return replace(unruled, scenes=(*_numbered(some, found), *unruled.scenes))
    found = outcome.adjudication.resolutions
    if found.count == 1 and not outcome.adjudication.rulings:
        return Panels((movement(outcome, "The one consistent resolution"),))
    scenes = [alternative(outcome, values) for values in found.first(shown)]
    ruled = movement(outcome, f"Ruled by {rulebook.name}")
    return Panels((*_numbered(scenes, found), ruled), (*_counted(found, len(scenes)), *_rulings(outcome.adjudication)))


def _numbered(scenes: Sequence[Scene], found: Resolutions) -> list[Scene]:
    return [replace(scene, caption=f"Resolution {n} of {found.count:,}") for n, scene in enumerate(scenes, 1)]


def _supposed(board: Board, docket: Docket, found: Resolutions, values: Sequence[bool]) -> Scene:
    return movement(Outcome(board, docket, Adjudication(found.situation, tuple(values), (), found)))


def _counted(found: Resolutions, shown: int) -> tuple[str, ...]:
    if not found.count:
        return ("There is no consistent resolution.",)
    if shown == found.count:
        return ()
    return (f"The first {shown} of {found.count:,} consistent resolutions.",)


def comparison_panels(sheet: Sheet, rulebooks: Sequence[Rulebook], engine: Engine = Engine.STAGED) -> Panels:
    """One scene for the rulebooks that say the same, what differs from the first answer marked, and the issues behind it."""
    found = compare(sheet.board, sheet.orders_by_power(), rulebooks, retreats=sheet.retreats_by_power(), engine=engine)
    scenes = [_compared(sheet, found, column, alike, engine) for column, alike in found.groups.items()]
    silent = [book.name for book, column in zip(found.rulebooks, found.columns, strict=True) if UNRESOLVED in column]
    why = f"{', '.join(silent)} {'has' if len(silent) == 1 else 'have'} no answer" if silent else ""
    return Panels(tuple(scenes), tuple(comparison_notes(found)), why)


def _compared(sheet: Sheet, found: Comparison, column: tuple[str, ...], alike: Sequence[Rulebook], engine: Engine) -> Scene:
    (scene, *_) = case_panels(sheet, alike[0], engine).scenes
    names = ", ".join(rulebook.name for rulebook in alike) + f": {NO_ANSWER}" * (UNRESOLVED in column)
    return replace(differing(scene, compress(found.orders, marks(found, column))), caption=names)


def marks(found: Comparison, column: Sequence[str]) -> list[bool]:
    """Which rows differ from the first rulebook that has an answer; none where there is no answer."""
    if UNRESOLVED in column:
        return [False] * len(column)
    return [word != other for word, other in zip(column, reference(found), strict=True)]


def reference(found: Comparison) -> tuple[str, ...]:
    """What the others are compared with: what the first rulebook says that has an answer; or the first, if none has."""
    return next((column for column in found.columns if UNRESOLVED not in column), found.columns[0])


def comparison_notes(found: Comparison) -> Iterator[str]:
    """Which issue makes which rulebook differ."""
    questions = {option.issue: option.question for option in options()}
    if found.agrees:
        yield "They all say the same."
    for issues, affected in found.reasons.items():
        told = "; ".join(f"{issue} ({questions[issue]})" for issue in issues)
        yield f"{', '.join(affected)}: {told}"
