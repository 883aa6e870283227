"""Applies backup rules (DATC 5.B.9) to cores that have no resolution, or several.

A core is a set of decisions that wait for each other and for nothing else. With exactly one resolution it needs no rule.
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
    """A backup rule applied to a core, with the values it settles in place of equations."""

    rule: str
    core: tuple[Decision, ...]
    resolutions: int
    """The number of resolutions of the core."""
    settled: dict[int, bool]
    """The settled values by index of the decision; some of the core may be left to its equations."""


def rule_on(core: Sequence[Decision], resolutions: Sequence[Sequence[bool]], rulebook: Rulebook) -> Ruling:
    """Return the ruling of the rulebook's backup rule on a core with these resolutions.

    There are none or several, each with a value for every decision of the core.

    Raises `UnresolvedError` if the rulebook has no such rule.
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
        given = rulebook.support_cores is SupportCoreRule.GIVEN
        return Ruling(SUPPORTS, tuple(core), len(resolutions), _assign_all(supports, given))
    if rulebook.other_cores is OtherCoreRule.ALL_FAIL:
        failing = [decision for decision in core if isinstance(decision, MoveDecision | SupportDecision)]
        return Ruling(str(rulebook.other_cores), tuple(core), len(resolutions), _assign_all(failing, False))
    raise _unresolved_error(core, resolutions, rulebook)


def _settle_circle(core: Sequence[Decision], resolutions: Sequence[Sequence[bool]]) -> dict[int, bool] | None:
    """Return the values, by index, that settle a circular movement (all moves succeed, a train may be in it); else None.

    Then the moves of the core and the train form one circle in some resolution (DATC 2.4, 5.B.9). How far the train comes
    follows from the moves.
    """
    moves = [decision for decision in core if isinstance(decision, MoveDecision)]
    if len(moves) == len(core):
        return _assign_all(core, True)
    if any(not isinstance(decision, MoveDecision | ReachDecision | PassDecision) for decision in core):
        return None
    return _assign_all(moves, True) if any(_is_circle(core, moves, values) for values in resolutions) else None


def _is_circle(core: Sequence[Decision], moves: Sequence[MoveDecision], values: Sequence[bool]) -> bool:
    """Return whether all moves of the core succeed in a resolution, and form one circle with its train, where that may end."""
    holds = {decision.index: value for decision, value in zip(core, values, strict=True)}
    if not all(holds[move.index] for move in moves):
        return False
    onward = {move.origin: move.destination for move in moves}
    (train,) = {decision.stage.train for decision in core if isinstance(decision, ReachDecision | PassDecision)}
    ends = (stage.place for stage in train.stages if stage.place in onward and holds.get(stage.passing.index, True))
    return any(_is_closed_circle({**onward, train.origin: place}) for place in ends)


def _is_closed_circle(onward: Mapping[Place, Place]) -> bool:
    """Return whether the way from any of these places leads through all of them and back."""
    start = place = next(iter(onward))
    for step in range(1, len(onward) + 1):
        place = onward[place]
        if place is start:
            return step == len(onward)
        if place not in onward:
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
    """Return the ruling of all paradox rules together on a core with a train (move by railroad) or a canal (DATC 2.4, 7).

    A move through the canal fails and has no effect where it goes (7.C.8). The last stage of the train that meets another
    unit of the core fails, and bounces others there (7.B.24). What remains, if anything, is a core of its own.
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
    """Return values, by index, by which the train's last stage that meets another unit of the core fails, else its last."""
    moves = [decision for decision in core if isinstance(decision, MoveDecision)]
    met = {place for move in moves for place in (move.origin, move.destination)}
    stages = [decision.stage for decision in trains]
    stage = [one for one in stages if one.place in met][-1:] or stages[-1:]
    reaching, passing = stage[0].reaching, stage[0].passing
    # Its attempt may be settled already. Its success may depend on the core without being in it.
    return {passing.index: False} | ({reaching.index: True} if reaching in trains else {})


def _rule_on_paradox(
    core: Sequence[Decision],
    convoys: Sequence[ConvoyDecision],
    resolutions: Sequence[Sequence[bool]],
    rulebook: Rulebook,
) -> tuple[str, dict[int, bool]]:
    """Return the name of the paradox rule or fallback for a core with convoys (4.A.2), and the values it sets, by index."""
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
        raise NotImplementedError(f"satjudge.judging.backup does not apply the paradox rule {name} yet")
    return name, settled


_SUPPORT_RULES = (ParadoxRule.RULE_1971, ParadoxRule.RULE_1982, ParadoxRule.RULE_2000)
"""The paradox rules that change SUPPORT; the fallback settles cores that remain."""
_BACKUP_RULES = tuple(rule for rule in ParadoxRule if rule not in (*_SUPPORT_RULES, ParadoxRule.NONE))


def find_paradox_rule(rulebook: Rulebook) -> str | None:
    """Return the name of the rule for cores with convoys: the paradox rule or its fallback (4.A.2); None if neither rules."""
    if rulebook.paradox in _BACKUP_RULES:
        return str(rulebook.paradox)
    silent = rulebook.paradox is ParadoxRule.NONE or rulebook.paradox_fallback is ParadoxFallback.UNRESOLVED
    return None if silent else str(rulebook.paradox_fallback)


def list_rule_names(rulebook: Rulebook) -> tuple[str, str, str, str]:
    """Return the names of the rules for circles, convoys ("" if none), supports over difficult borders, and other cores."""
    return CIRCULAR, find_paradox_rule(rulebook) or "", SUPPORTS, str(rulebook.other_cores)


def find_ruling_choices(rulebook: Rulebook) -> tuple[object, ...]:
    """Return all choices of a rulebook that `rule_on` reads: rulebooks that agree on them rule alike on every core."""
    beside_trains = rulebook.paradox in _BACKUP_RULES
    return find_paradox_rule(rulebook), beside_trains, rulebook.other_cores, rulebook.support_cores


def list_overridable_kinds(rulebook: Rulebook) -> tuple[type[Decision], ...]:
    """Return the kinds of decisions that `rule_on` may fail against their equations in a paradox; () without a rule."""
    name = find_paradox_rule(rulebook)
    if name is None:
        return ()
    return (ConvoyDecision,) if name == ParadoxRule.SZYKMAN else (MoveDecision, ConvoyDecision)


def _hold_all(core: Sequence[Decision]) -> dict[int, bool]:
    """Return the values, by index, with which All Hold settles a core: its moves and convoys fail."""
    return _assign_all([decision for decision in core if isinstance(decision, MoveDecision | ConvoyDecision)], False)


def _find_disrupted_resolution(core: Sequence[Decision], resolutions: Sequence[Sequence[bool]]) -> dict[int, bool] | None:
    """Return, by index, the only one of two resolutions that disrupts every convoy, or None (guide; DATC 2.4, 4.A.2 f)."""
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
    way_out = "; options 4.A.2 and 4.A.2.fallback settle such cores" if rulebook.paradox_fallback == "unresolved" else ""
    return UnresolvedError(f"{rulebook.name} has no answer to this core with {len(resolutions)} resolutions: {orders}{way_out}")
