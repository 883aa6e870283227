"""Describes the outcome of a phase, order by order and in sentences, for tables, emails and pages."""

from __future__ import annotations

from collections.abc import Iterator

from satjudge.base.words import EACH_BY_ITSELF, number_of
from satjudge.judging.adjustments import AdjustmentOutcome
from satjudge.judging.backup import CIRCULAR, Ruling
from satjudge.judging.judge import AnyOutcome
from satjudge.judging.outcome import Dislodgement, Outcome
from satjudge.judging.retreats import RetreatOutcome
from satjudge.judging.solve.result import Adjudication, Resolutions
from satjudge.notation.documents import Document
from satjudge.world.board import DislodgedUnit, Unit
from satjudge.world.geography import Map, Power
from satjudge.world.orders import Build, Decline
from satjudge.world.seasons import adjustments_due
from satjudge.world.verdicts import Fate, JudgedOrder, OrderResult

NOT_ORDERED, HOLDS = "not ordered", "holds"


class OrderSummary(Document):
    """An order in a table, or a unit without an order, with the verdict and a remark on its reason or effect."""

    power: Power
    order: str
    verdict: str
    remark: str


def iter_order_summaries(outcome: AnyOutcome) -> Iterator[OrderSummary]:
    """Yield a summary of each order and, if units move and any order was given, of each unit without one, power by power."""
    silent = _find_unordered_units(outcome) if any(outcome.judged.values()) else {}
    for power in dict.fromkeys((*outcome.judged, *sorted(silent))):
        for entry in outcome.judged.get(power, ()):
            yield OrderSummary(power, str(entry.order), entry.verdict, format_remark(outcome, entry))
        yield from silent.get(power, ())


def _find_unordered_units(outcome: AnyOutcome) -> dict[Power, list[OrderSummary]]:
    """Return each power's units without any order, legal or not, in a movement phase, as summaries."""
    found: dict[Power, list[OrderSummary]] = {}
    if isinstance(outcome, Outcome):
        ordered = {(power, entry.province) for power, given in outcome.judged.items() for entry in given}
        for unit in outcome.board.units:
            if (unit.power, unit.province) not in ordered:
                lost = outcome.dislodgements.get(unit.province)
                fate = f"{format_fate(lost)} {_format_dislodgement(lost)}" if lost else HOLDS
                found.setdefault(unit.power, []).append(OrderSummary(unit.power, str(unit), NOT_ORDERED, fate))
    return found


def _format_dislodgement(dislodgement: Dislodgement) -> str:
    places = f"may retreat to {', '.join(dislodgement.retreats)}" if dislodgement.retreats else format_no_retreat(dislodgement)
    return f"by {dislodgement.attacker}; {places}"


def format_fate(dislodgement: Dislodgement) -> str:
    """Return the fate of a dislodged unit: "destroyed" if it has no retreat, unless a rule disbands it, else "dislodged"."""
    return Fate.DISLODGED if dislodgement.disbanded_by else dislodgement.fate


def format_no_retreat(dislodgement: Dislodgement) -> str:
    """Return "no retreat", or "disbanded:" and the rule that disbands a unit although it could retreat."""
    return f"disbanded: {dislodgement.disbanded_by}" if dislodgement.disbanded_by else "no retreat"


def format_owned_unit(unit: Unit, game_map: Map) -> str:
    """Format a unit with the name of its power: `A PAR of France`."""
    return f"{unit} of {game_map.name_of(unit.power)}"


def format_remark(outcome: AnyOutcome, entry: JudgedOrder) -> str:
    """Return why an order does not count, and who dislodged its unit and where it may retreat; "" if neither applies."""
    reason = entry.reason
    if not isinstance(outcome, Outcome):
        return reason or ""
    if entry.verdict.order is OrderResult.INVALID:  # name the order that does not match, as `explain` does (DATC 4.E.2)
        from satjudge.explain.explanation import format_rules
        from satjudge.explain.phases import why

        first = why(outcome, entry.order, entry.power).reasons[0]
        reason = f"{first.text} ({format_rules(first.rules)})"
    dislodgement = outcome.dislodgements.get(entry.province or "")
    if dislodgement is None or entry.verdict.unit is None:
        return reason or ""  # if a unit has several orders, its fate is in the remark on the one that counts
    text = _format_dislodgement(dislodgement)
    return f"{reason}; {dislodgement.fate} {text}" if reason else text


def iter_footnotes(outcome: AnyOutcome) -> Iterator[str]:
    """Yield the sentences of `iter_notes`, then sentences on the number of resolutions and on backup rules."""
    yield from iter_notes(outcome)
    if isinstance(outcome, Outcome):
        yield from _iter_rulings(outcome.adjudication)


def iter_notes(outcome: AnyOutcome) -> Iterator[str]:
    """Yield sentences on disbanded units, unused builds, civil disorder, contested provinces, and missing owners or seasons."""
    game_map = outcome.board.map
    if isinstance(outcome, RetreatOutcome):
        disbanded = [(lost.unit, _find_disband_reason(lost, outcome)) for lost in outcome.board.dislodged if lost.retreats]
        if told := [f"{format_owned_unit(unit, game_map)} ({why})" for unit, why in disbanded if why]:
            yield f"Disbanded: {', '.join(told)}."
    elif isinstance(outcome, AdjustmentOutcome):
        yield from (told for told, _ in _iter_unused_builds(outcome))
        yield from (f"{loss} (DATC 4.D.8)." for loss in iter_civil_disorder(outcome))
        if not outcome.board.centers:
            yield "No supply centre has an owner here. State the owners in the sheet: `France owns SC PAR, SC BRE`."
    else:
        if game_map.closed and not outcome.board.turn:
            shut = "; ".join(f"{', '.join(sorted(codes))} in {season}" for season, codes in game_map.closed.items())
            first = next(iter(game_map.closed))
            yield f"No season is given, so nothing is shut. This map shuts {shut}: write `season: {first}`."
        yield from iter_contested_notes(outcome)


def iter_contested_notes(outcome: Outcome) -> Iterator[str]:
    """Yield a sentence that lists the provinces barred to retreats by a standoff, if there are any."""
    if outcome.left_empty:
        yield f"Contested, so no unit can retreat there: {', '.join(sorted(outcome.left_empty))}."


def iter_unordered_adjustments(outcome: AdjustmentOutcome) -> Iterator[str]:
    """Yield sentences on builds that powers neither ordered nor declined, then on automatic removals."""
    yield from (note for note, forgotten in _iter_unused_builds(outcome) if forgotten)
    yield from (f"{loss} (DATC 4.D.8)." for loss in iter_civil_disorder(outcome))


def iter_civil_disorder(outcome: AdjustmentOutcome) -> Iterator[str]:
    """Yield a clause for each power in civil disorder: `France in civil disorder loses A PAR`."""
    for power, units in outcome.automatic.items():
        yield f"{outcome.board.map.name_of(power)} in civil disorder loses {', '.join(map(str, units))}"


def _find_disband_reason(dislodged_unit: DislodgedUnit, outcome: RetreatOutcome) -> str | None:
    """Return why a dislodged unit is disbanded without being ordered to; None if it retreats or was ordered to disband."""
    power = dislodged_unit.unit.power
    results = {
        entry.verdict.order
        for entry in outcome.judged.get(power, ())
        if not isinstance(entry.order, Decline) and entry.order.unit.province == dislodged_unit.unit.province
    }
    if OrderResult.SUCCEEDS in results:
        return None
    if OrderResult.FAILS in results:
        return "several units retreated there"
    return "no legal order" if results else "no order"


def _iter_unused_builds(outcome: AdjustmentOutcome) -> Iterator[tuple[str, bool]]:
    """Yield a sentence on each power's unused builds, and whether it declined only some or none of them.

    If many powers ordered no builds, one sentence names them all.
    """
    unused = [*_iter_unused_by_power(outcome)]
    silent = [(name, count) for name, count, declined in unused if not declined]
    together = silent if len(silent) > EACH_BY_ITSELF else []
    for name, count, declined in unused:
        if (name, count) not in together:
            declined_text = f" ({declined} declined)" if declined else ""
            yield f"{name} leaves {number_of(count, 'build')} unused{declined_text}.", declined < count
    if together:
        yield f"These powers leave builds unused: {', '.join(f'{name} ({count})' for name, count in together)}.", True


def _iter_unused_by_power(outcome: AdjustmentOutcome) -> Iterator[tuple[str, int, int]]:
    """Yield, for each power with unused builds, its name, the number of unused builds, and how many of them it declined."""
    board, due = outcome.board, adjustments_due(outcome.board)
    for power in dict.fromkeys((*board.centers.values(), *due)):
        orders = [entry.order for entry in outcome.judged.get(power, ()) if entry.verdict.order is OrderResult.SUCCEEDS]
        unused = due.get(power, 0) - sum(isinstance(order, Build) for order in orders)
        if unused > 0:
            yield board.map.name_of(power), unused, min(unused, sum(isinstance(order, Decline) for order in orders))


def _iter_rulings(adjudication: Adjudication) -> Iterator[str]:
    if adjudication.rulings or adjudication.resolutions.count != 1:
        yield f"Consistent resolutions: {format_count(adjudication.resolutions)}."
    for ruling in adjudication.rulings:
        core = "; ".join(str(decision) for decision in ruling.core)
        yield f"Backup rule {ruling.rule} settled a core with {ruling.resolutions} resolutions: {core}."


def describe_ruling(ruling: Ruling) -> str:
    """Return sentences for players on how a backup rule settled a circle or a paradox, without mentioning cores."""
    from satjudge.explain.explanation import format_list, format_predicate
    from satjudge.explain.words.reason_text import format_rule_names

    orders = format_list(map(str, ruling.core))
    if ruling.rule == CIRCULAR and len(ruling.settled) == len(ruling.core):
        return f"{orders} move in a circle, and all of them succeed (DATC 6.C)."
    consistent = number_of(ruling.resolutions, "result is", "results are") if ruling.resolutions else "no result is"
    settled = format_list(
        f"{decision} {format_predicate(decision, ruling.settled[decision.index])}"
        for decision in ruling.core
        if decision.index in ruling.settled
    )
    return (
        f"A paradox: {orders} depend on each other, and {consistent} consistent. "
        f"By {format_rule_names(ruling.rule)}, {settled}. The other results follow from this."
    )


def format_count(resolutions: Resolutions) -> str:
    """Format the number of resolutions, with "at least" if the search was stopped."""
    return f"{resolutions.count:,}" if resolutions.complete else f"at least {resolutions.count:,} (the search was stopped)"
