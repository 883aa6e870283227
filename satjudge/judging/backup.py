"""Applies backup rules (DATC 5.B.9) to cores that have no resolution, or several.

A core is a set of decisions that depend on each other and on nothing else. A core with exactly one resolution needs no rule.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from satjudge.base.errors import UnresolvedError
from satjudge.judging.equations.situation import (
    CanalDecision,
    ConvoyDecision,
    Decision,
    MoveDecision,
    PassDecision,
    Place,
    ReachDecision,
    SupportDecision,
)
from satjudge.world.rules import Rulebook
from satjudge.world.rules.rulebook import OtherCoreRule, ParadoxFallback, ParadoxRule, SupportCoreRule

CIRCULAR = "circular"
SUPPORTS = "supports"
"""The name of the ruling by which supports over difficult borders are treated alike (DATC 2.4, 10.F)."""
RAILROAD = "railroad"
CANAL = "canal"


class Ruling(Struct, frozen=True):
    """A backup rule applied to a core, with the values that it settles in place of the equations."""

    rule: str
    core: tuple[Decision, ...]
    resolutions: int
    """The number of resolutions of the core."""
    settled: dict[int, bool]
    """The settled values by index of the decision; other decisions of the core may still follow their equations."""


def rule_on(core: Sequence[Decision], resolutions: Sequence[Sequence[bool]], rulebook: Rulebook) -> Ruling:
    """Apply the rulebook's backup rule to a core with no or several resolutions; return its ruling, or raise `UnresolvedError`.

    Each resolution has a value for every decision of the core, in the same order. Raises `UnresolvedError` if the rulebook has
    no rule for this core.
    """
    circular = _settle_circle(core, resolutions)
    if circular is not None:
        return Ruling(CIRCULAR, tuple(core), len(resolutions), circular)
    convoys = [decision for decision in core if isinstance(decision, ConvoyDecision)]
    trains = [decision for decision in core if isinstance(decision, ReachDecision | PassDecision)]
    canals = [decision for decision in core if isinstance(decision, CanalDecision)]
    if trains or canals:
        return _rule_on_variant(core, convoys, trains, canals, resolutions, rulebook)
    if convoys:
        name, settled = _rule_on_paradox(core, convoys, resolutions, rulebook)
        return Ruling(name, tuple(core), len(resolutions), settled)
    if rulebook.difficult_borders and rulebook.support_cores is not SupportCoreRule.UNRESOLVED:
        supports = [decision for decision in core if isinstance(decision, SupportDecision)]
        is_given = rulebook.support_cores is SupportCoreRule.GIVEN
        return Ruling(SUPPORTS, tuple(core), len(resolutions), _assign_all(supports, is_given))
    if rulebook.other_cores is OtherCoreRule.ALL_FAIL:
        failing = [decision for decision in core if isinstance(decision, MoveDecision | SupportDecision)]
        return Ruling(str(rulebook.other_cores), tuple(core), len(resolutions), _assign_all(failing, False))
    raise _unresolved_error(core, resolutions, rulebook)


def _settle_circle(core: Sequence[Decision], resolutions: Sequence[Sequence[bool]]) -> dict[int, bool] | None:
    """If the core is a circular movement, return the values, by index, that make all its moves succeed; else None.

    A train counts as part of the circle if it closes one with the moves in some resolution (DATC 2.4, 5.B.9). How far the train
    gets follows from the moves.
    """
    moves = [decision for decision in core if isinstance(decision, MoveDecision)]
    if len(moves) == len(core):
        return _assign_all(core, True)
    if any(not isinstance(decision, MoveDecision | ReachDecision | PassDecision) for decision in core):
        return None
    return _assign_all(moves, True) if any(_is_circle(core, moves, values) for values in resolutions) else None


def _is_circle(core: Sequence[Decision], moves: Sequence[MoveDecision], values: Sequence[bool]) -> bool:
    """Return whether in a resolution all moves of the core succeed and form a circle with its train, wherever that stops."""
    holds = {decision.index: value for decision, value in zip(core, values, strict=True)}
    if not all(holds[move.index] for move in moves):
        return False
    next_places = {move.origin: move.destination for move in moves}
    (train,) = {decision.stage.train for decision in core if isinstance(decision, ReachDecision | PassDecision)}
    ends = (stage.place for stage in train.stages if stage.place in next_places and holds.get(stage.passing.index, True))
    return any(_is_closed_circle({**next_places, train.origin: place}) for place in ends)


def _is_closed_circle(next_places: Mapping[Place, Place]) -> bool:
    """Return whether following `next_places` from any of its places leads through all of them and back."""
    start = place = next(iter(next_places))
    for step in range(1, len(next_places) + 1):
        place = next_places[place]
        if place is start:
            return step == len(next_places)
        if place not in next_places:
            return False
    return False


def _rule_on_variant(
    core: Sequence[Decision],
    convoys: Sequence[ConvoyDecision],
    trains: Sequence[ReachDecision | PassDecision],
    canals: Sequence[CanalDecision],
    resolutions: Sequence[Sequence[bool]],
    rulebook: Rulebook,
) -> Ruling:
    """Apply the paradox, canal and railroad rules to a core with a train or a canal, and return one ruling (DATC 2.4, 7).

    A move through the canal fails and has no effect at its destination (7.C.8). Of the train's stages that meet another unit of
    the core, the last one fails and bounces others there (7.B.24). Decisions that remain open form another core.
    """
    names: list[str] = []
    settled: dict[int, bool] = {}
    if convoys and rulebook.paradox in _BACKUP_RULES:
        name, settled = _rule_on_paradox(core, convoys, resolutions, rulebook)
        names.append(name)
    if canals:
        names.append(CANAL)
        settled |= _assign_all(canals, False)
    if trains:
        names.append(RAILROAD)
        settled |= _fail_last_stage(core, trains)
    return Ruling(", ".join(names), tuple(core), len(resolutions), settled)


def _fail_last_stage(core: Sequence[Decision], trains: Sequence[ReachDecision | PassDecision]) -> dict[int, bool]:
    """Return the values, by index, that fail the train's last stage that meets a move of the core, else its last stage."""
    moves = [decision for decision in core if isinstance(decision, MoveDecision)]
    places = {place for move in moves for place in (move.origin, move.destination)}
    stages = [decision.stage for decision in trains]
    last = [stage for stage in stages if stage.place in places][-1:] or stages[-1:]
    reaching, passing = last[0].reaching, last[0].passing
    # REACH may already be settled. PASS may depend on the core without being part of it.
    return {passing.index: False} | ({reaching.index: True} if reaching in trains else {})


def _rule_on_paradox(
    core: Sequence[Decision],
    convoys: Sequence[ConvoyDecision],
    resolutions: Sequence[Sequence[bool]],
    rulebook: Rulebook,
) -> tuple[str, dict[int, bool]]:
    """Return the name of the paradox rule or fallback for a core with convoys (4.A.2) and the values it settles; or raise."""
    name = find_paradox_rule(rulebook)
    if name == ParadoxRule.SZYKMAN:
        settled = _assign_all(convoys, False)
    elif name == ParadoxRule.ALL_HOLD:
        settled = _hold_all(core)
    elif name == ParadoxRule.GUIDE:
        settled = _find_disrupted_resolution(core, resolutions) or _hold_all(core)
    elif name is None:
        raise _unresolved_error(core, resolutions, rulebook)
    else:
        raise NotImplementedError(f"satjudge.judging.backup does not support the paradox rule {name} yet")
    return name, settled


_SUPPORT_RULES = (ParadoxRule.RULE_1971, ParadoxRule.RULE_1982, ParadoxRule.RULE_2000)
"""The paradox rules that change the equation of SUPPORT; the fallback settles the cores that remain."""
_BACKUP_RULES = tuple(rule for rule in ParadoxRule if rule not in (*_SUPPORT_RULES, ParadoxRule.NONE))


def find_paradox_rule(rulebook: Rulebook) -> str | None:
    """Return the name of the paradox rule or, if it only changes SUPPORT, of its fallback; None if neither settles cores."""
    if rulebook.paradox in _BACKUP_RULES:
        return str(rulebook.paradox)
    silent = rulebook.paradox is ParadoxRule.NONE or rulebook.paradox_fallback is ParadoxFallback.UNRESOLVED
    return None if silent else str(rulebook.paradox_fallback)


def list_rule_names(rulebook: Rulebook) -> tuple[str, str, str, str]:
    """Return the names of the rules for circles, convoys ("" if none), supports over difficult borders, and other cores."""
    return CIRCULAR, find_paradox_rule(rulebook) or "", SUPPORTS, str(rulebook.other_cores)


def find_ruling_choices(rulebook: Rulebook) -> tuple[object, ...]:
    """Return the choices of a rulebook that `rule_on` reads: it gives the same rulings for rulebooks with equal choices."""
    beside_trains = rulebook.paradox in _BACKUP_RULES
    return find_paradox_rule(rulebook), beside_trains, rulebook.other_cores, rulebook.support_cores


def list_overridable_kinds(rulebook: Rulebook) -> tuple[type[Decision], ...]:
    """Return the kinds of decisions that a paradox rule may settle as failing, whatever their equations say; () without one."""
    name = find_paradox_rule(rulebook)
    if name is None:
        return ()
    return (ConvoyDecision,) if name == ParadoxRule.SZYKMAN else (MoveDecision, ConvoyDecision)


def _hold_all(core: Sequence[Decision]) -> dict[int, bool]:
    """Return the values, by index, by which the rule All Hold settles a core: its moves and convoys fail."""
    return _assign_all([decision for decision in core if isinstance(decision, MoveDecision | ConvoyDecision)], False)


def _find_disrupted_resolution(core: Sequence[Decision], resolutions: Sequence[Sequence[bool]]) -> dict[int, bool] | None:
    """If just one of two resolutions disrupts every convoy, return its values by index, else None (DATC 2.4, 4.A.2 f)."""
    found = [
        {decision.index: value for decision, value in zip(core, values, strict=True)}
        for values in resolutions
        if not any(value for decision, value in zip(core, values, strict=True) if isinstance(decision, ConvoyDecision))
    ]
    return found[0] if len(found) == 1 and len(resolutions) == 2 else None


def _assign_all(decisions: Sequence[Decision], value: bool) -> dict[int, bool]:
    return {decision.index: value for decision in decisions}


def _unresolved_error(core: Sequence[Decision], resolutions: Sequence[Sequence[bool]], rulebook: Rulebook) -> UnresolvedError:
    orders = "; ".join(str(decision) for decision in core)
    way_out = "; choose another value of 4.A.2 or 4.A.2.fallback" if rulebook.paradox_fallback == "unresolved" else ""
    return UnresolvedError(f"{rulebook.name} has no answer to this core with {len(resolutions)} resolutions: {orders}{way_out}")
