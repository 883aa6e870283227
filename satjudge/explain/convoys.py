"""Convoys: why a fleet is there to carry its army, or is not, or has no army to carry."""

from __future__ import annotations

from satjudge.equations.situation import ConvoyDecision
from satjudge.explain.context import Context
from satjudge.explain.parts import Reason
from satjudge.explain.rulings import ruled
from satjudge.explain.standing import dislodged, survives
from satjudge.geography import province_of


def convoy_available(context: Context, convoy: ConvoyDecision) -> Reason:
    """Why a convoying fleet is not dislodged."""
    return survives(context, convoy.place, "5.B.3") if convoy.matches else _unordered(context, convoy)


def convoy_failure(context: Context, convoy: ConvoyDecision) -> Reason:
    """Who dislodges a convoying fleet; or which rule disrupts it."""
    if not convoy.matches:
        return _unordered(context, convoy)
    if convoy.index in context.overridden:
        return ruled(context, convoy, briefly=True)
    if convoy.place.province in context.outcome.dislodgements:
        return dislodged(context, convoy.place, "5.B.3")
    raise AssertionError(f"{convoy} is neither dislodged nor ruled upon")


def _unordered(context: Context, convoy: ConvoyDecision) -> Reason:
    """What the army does instead of what the convoy says."""
    army = context.places[convoy.order.convoyed.province]
    rules = ["4.E.2"]
    text = f"{army.unit} was not ordered to move to {convoy.order.destination}: {context.does(army)}"
    destination = province_of(convoy.order.destination)
    if any(move.destination.province == destination for move in army.moves_out):
        text = f"{army.moves_out[0]} does not say that it goes by convoy"
        rules.append(context.option("4.A.3"))
    return Reason(text, tuple(rules), (context.stander(army, army.unit),) if army.unit else ())
