"""Explains how far a train gets, and whether a fleet may pass a canal (DATC 2.4, 7.B and 7.C)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard

from satjudge.explain.context import Context
from satjudge.explain.explanation import Culprit, Draft, Reason, format_list, make_culprit
from satjudge.explain.words.reason_text import format_owned_strength, format_strength, make_ruling_reason, make_strength
from satjudge.judging.equations import statement
from satjudge.judging.equations.proof import Amount
from satjudge.judging.equations.situation import CanalDecision, Decision, MoveDecision, PassDecision, Place, Stage, Train
from satjudge.judging.legality import Entry
from satjudge.world.geography import Location
from satjudge.world.orders import Permission

# ---- trains ----


def find_train(decision: Decision) -> Train | None:
    """Return the train (an army that moves by railroad) whose passage a decision is about; None for other decisions."""
    return decision.stage.train if isinstance(decision, PassDecision) else None


def explain_journey(context: Context, train: Train) -> tuple[str, Draft, Amount | None]:
    """Return how far a train (army on a railroad) came as text, a draft of the reason, and its strength if it bounced."""
    draft = Draft()
    ahead = [stage for stage in train.stages if not context.values[stage.passing.index]]
    passed = [stage for stage in train.stages if stage not in ahead]
    ways = [_format_passage(context, stage, draft) for stage in passed]
    passages = [way for way in ways if way]
    draft.culprits.clear()
    short = None
    if not ahead:
        passages += [] if ways[-1] else [f"it comes to {train.stages[-1].place}" if passages else "nothing stops it on its way"]
    elif not context.values[ahead[0].reaching.index]:
        passages.append(_format_centre_stop(context, passed[-1], draft))
    else:
        why, short = _explain_turning_back(context, ahead[0], draft)
        passages.append(why)
        passages.append(_format_end(context, train, ahead[0], draft))
    return "; ".join(passages), draft, short


def _format_passage(context: Context, stage: Stage, draft: Draft) -> str:
    """Return how a train (army on a railroad) came into or through a province; "" if unopposed; add to the draft."""
    unit, place = stage.place.unit, stage.place
    left = place.province in context.outcome.successful_moves
    if unit and not left:
        draft.rules.append("7.B.10" if place.moves_out else "7.B.9" if place.moves_in else "7.B.3")
        if stage.unowned:
            draft.rules.append("7.B.22" if place.moves_out else "7.B.20")
        return f"it passes its own power's {unit}, which {'fails to leave' if place.moves_out else 'stays'}"
    ways = [f"after {unit} leaves"] if unit else []
    rivals = [(move, context.proof.prevent(move)) for move in place.moves_in]
    mine = context.proof.train_strength(stage)
    stronger = [(move, amount) for move, amount in rivals if amount.value >= mine.value]
    if stronger:
        draft.rules.append("7.B.7" if stronger[0][1].supports else "7.B.6")
        ways.append(f"while {format_list(str(move) for move, _ in stronger)} bounce there")
    overcome = [amount for _, amount in rivals if amount.value < mine.value]
    if overcome:
        draft.rules.append("7.B.15" if mine.supports else "7.B")
        draft.strengths += [make_strength(mine), *map(make_strength, overcome)]
        ways.append(f"as {format_strength(mine)} exceeds {format_list(map(format_owned_strength, overcome))}")
    return f"it comes into {place} {' and '.join(ways)}" if ways else ""


def _format_centre_stop(context: Context, stage: Stage, draft: Draft) -> str:
    draft.rules += ["7.B.21" if stage.place.unit else "7.B.18"]
    return (
        f"it stops in {stage.place} to take the supply centre, which {context.get_power_name(stage.train.power)} does not own"
    )


def _explain_turning_back(context: Context, stage: Stage, draft: Draft) -> tuple[str, Amount | None]:
    """Return why a train (army on a railroad) does not enter a province, and its strength if it bounced; add to the draft."""
    place, unit = stage.place, stage.place.unit
    if stage.passing.index in context.overridden:
        reason = make_ruling_reason(context, stage.passing, briefly=True)
        draft.rules += ["7.B.24", *reason.rules]
        draft.culprits += reason.culprits
        return f"the backup rule for the railroad stops it before {place}", None
    if stage.opposed:
        draft.rules += ["7.B.28" if stage.supports else "7.B.26"]
        draft.culprits += map(make_culprit, stage.opposed)
        return f"{format_list(map(str, stage.opposed))} comes towards it, and it dislodges nobody", None
    if unit and place.province not in context.outcome.successful_moves:
        return _format_blocking_unit(context, stage, place, draft), None
    mine = context.proof.train_strength(stage)
    rivals = [move for move in place.moves_in if not statement.is_outdone(context.proof, stage, move).value]
    rival = max(rivals, key=lambda move: context.proof.prevent(move).value)
    other = context.proof.prevent(rival)
    draft.rules += [_choose_bounce_rule(stage, rival, other)]
    draft.culprits += [make_culprit(rival), *map(make_culprit, other.supports)]
    draft.strengths += [make_strength(mine), make_strength(other)]
    return f"it bounces in {place}: {format_strength(mine)} does not exceed {format_owned_strength(other)}", mine


def _choose_bounce_rule(stage: Stage, rival: MoveDecision, prevent: Amount) -> str:
    if len(stage.place.moves_in) > 1:
        return "7.B.8"
    if rival.power == stage.train.power:
        return "7.B.4"
    return "7.B.2" if prevent.supports else "7.B.1"


def _format_blocking_unit(context: Context, stage: Stage, place: Place, draft: Draft) -> str:
    """Return a clause on which unit in a province stops a train (move by railroad); add culprits and rules to the draft."""
    unit = place.unit
    assert unit is not None
    lost = context.outcome.dislodgements.get(place.province)
    draft.culprits.append(context.blame_unit(place, unit))
    if unit.power == stage.train.power and not stage.last:
        draft.rules.append("7.B.9")
        attacker = context.outcome.successful_moves[lost.attacker.province] if lost else None
        draft.culprits += [make_culprit(attacker)] if attacker else []
        return f"{unit} is dislodged in {place}, and a train passes only an army that stays"
    draft.rules.append("7.B.13")
    return f"{unit} {'is dislodged in' if lost else 'stays in'} {place}, and a train dislodges nobody"


def _format_end(context: Context, train: Train, barred_stage: Stage, draft: Draft) -> str:
    """Return where a train that cannot enter `barred_stage` ends: a vacant province before it, or its origin; add rules."""
    behind = train.stages[: train.stages.index(barred_stage)]
    ended = context.outcome.rides.get(train.origin.province)
    if ended is None:
        if behind:
            draft.rules.append("7.B.12")
            return f"nothing behind it is vacant, and it stays in {train.origin}"
        return f"it stays in {train.origin}"
    if behind[-1].place.province == ended:
        return f"it ends in {ended}"
    draft.rules.append("7.B.5")
    return f"it ends in {ended}, the last vacant province before"


def iter_train_rulings(context: Context, train: Train) -> Iterator[Reason]:
    """Yield a reason for each backup rule applied to a core that contains a train (an army on a railroad)."""
    for core in context.outcome.adjudication.cores:
        own = [d for stage in train.stages for d in (stage.passing, stage.reaching) if d in core.decisions]
        settled = [decision for decision in own if core.ruling and decision.index in core.ruling.settled]
        if core.ruling and own:
            yield make_ruling_reason(context, (settled or own)[0])


def explain_trains(context: Context, place: Place, *, supporting: bool = False) -> tuple[str, tuple[str, ...]]:
    """Return clauses on trains that pass a unit or stop before it without dislodging it or cutting its support, with rules."""
    passages, rules = [], []
    for stage in place.stages_in:
        if context.values[stage.passing.index]:
            passages.append(f"{stage.train.order} passes through {place}")
            rules.append("7.B.3")
        elif context.values[stage.reaching.index]:
            effect = "cuts no support" if supporting else "dislodges nobody"
            passages.append(f"{stage.train.order} stops before {place}, for a train {effect}")
            rules.append("7.B.14" if supporting else "7.B.13")
    return "; ".join(passages), tuple(rules)


# ---- canals ----


def explain_permission(context: Context, entry: Entry) -> Reason:
    """Return the effect of a permission to pass a canal: which fleets may pass, and which may not."""
    order = entry.order
    assert isinstance(order, Permission)
    game_map, rules = context.outcome.board.map, ["7.C.2"]
    canal = next(canal for canal in game_map.canals if canal.name == order.canal)
    keeper = context.places[canal.keeper].unit
    text = f"{keeper} holds the {order.canal}, and permits {order.unit} to pass it"
    own = [move for move in context.decisions.values() if _is_canal_move(move, canal.seas) and move.power == entry.power]
    if others := [str(move.order.unit) for move in own if move.province != order.unit.province]:
        text += f"; so {format_list(others)} of its own power may not"
        rules.append("7.C.4")
    return Reason.from_text(text, tuple(rules))


def _is_canal_move(decision: Decision, seas: tuple[Location, Location]) -> TypeGuard[MoveDecision]:
    if not isinstance(decision, MoveDecision) or not decision.by_canal:
        return False
    return {decision.origin.province, decision.destination.province} == {*seas}


def explain_canal_move(context: Context, move: MoveDecision) -> tuple[str, str]:
    """Return a phrase on how a move passes a canal, such as `through the Suez Canal, with permission`, and the rule."""
    name = move.canals[0].name
    own = name not in context.outcome.docket.permissions
    return f"through the {name}{', which its own power holds' if own else ', with permission'}", "7.C.3" if own else "7.C.2"


def explain_no_passage(context: Context, move: MoveDecision) -> Reason:
    """Return why a fleet does not pass a canal: no unit holds it, permission is missing, or the canal is shut."""
    canal = context.outcome.board.map.canal_between(move.order.unit.location, move.order.destination)
    assert canal is not None
    if move.canals:
        return _explain_shut_canal(context, move.canals[0])
    place = context.places.get(canal.keeper)
    keeper = place.unit if place else None
    if place is None or keeper is None:
        return Reason.from_text(f"no unit in {canal.keeper} permits it to pass the {canal.name}", ("7.C.1",))
    permitted = context.outcome.docket.permissions.get(canal.name)
    if permitted:
        text = f"{context.get_power_name(keeper.power)} permits only {permitted.unit} to pass the {canal.name}"
        return Reason.from_text(text, ("7.C.4",), (Culprit(keeper.power, str(permitted)),))
    if keeper.power == move.power:
        rivals = [other for other in context.decisions.values() if _is_canal_move(other, canal.seas) and other is not move]
        others = [other for other in rivals if other.power == move.power]
        order_list = format_list(str(other) for other in others)
        text = f"{order_list} of its own power is also ordered through the {canal.name}, but only one fleet may pass"
        return Reason.from_text(text, ("7.C.5",), tuple(map(make_culprit, others)))
    text = f"{keeper} of {context.get_power_name(keeper.power)}, which holds the {canal.name}, does not permit it to pass"
    return Reason.from_text(text, ("7.C.1",), (context.blame_unit(place, keeper),))


def _explain_shut_canal(context: Context, canal: CanalDecision) -> Reason:
    """Return why a canal is shut to a fleet with permission: its holder leaves or is dislodged, or a backup rule decides."""
    if canal.index in context.overridden:
        return make_ruling_reason(context, canal, briefly=True)
    place = canal.place
    unit = place.unit
    leaving = next((move for move in place.moves_out if context.values[move.index]), None)
    if leaving or place.province in context.outcome.rides:
        text = f"{unit}, which holds the {canal.name}, leaves {place}"
        return Reason.from_text(text, ("7.C.8",), (make_culprit(leaving),) if leaving else ())
    attacker = next(move for move in place.moves_in if context.values[move.index])
    return Reason.from_text(
        f"{unit}, which holds the {canal.name}, is dislodged by {attacker}", ("7.C.10",), (make_culprit(attacker),)
    )
