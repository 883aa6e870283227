"""Compares two engines' answers to a position, or one engine's answers to a position in several forms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from satjudge.base.values import replace
from satjudge.base.words import join_first_names
from satjudge.engines.documents.campaigns import Differing
from satjudge.engines.positions import AskedPosition, OrderNumber, PhaseOrder
from satjudge.files.dialects import Meanings
from satjudge.judging.judge import AnyOutcome
from satjudge.notation.sheet_reader import VERDICTS
from satjudge.oracles.oracle import NOT_ACCEPTED, Answer
from satjudge.world.board import Phase
from satjudge.world.geography import Location, Power
from satjudge.world.orders import Decline, MovementOrder
from satjudge.world.verdicts import Fate, OrderResult, Verdict

PhaseOrders = Mapping[Power, Sequence[PhaseOrder]]

_THERE, _NOT_THERE, _STANDS = "there", "not there", "not dislodged"
PLACES = frozenset({"unit there / not there", "unit not there / there"})
"""The kinds of differences in the places of units."""


class Depth(StrEnum):
    """How much of two answers is compared.

    All depths compare the places of units.
    """

    POSITIONS = "positions"
    """The places of units after the moves."""
    DISLODGEMENTS = "dislodgements"
    """The places of units, the dislodged units, and their retreats."""
    RESULTS = "results"
    """The places of units, the dislodged units, and the verdict of every order, but no retreats."""
    VERDICTS = "verdicts"
    """The places of units, the dislodged units, their retreats, and the verdict of every order."""

    @property
    def compares_retreats(self) -> bool:
        """True if dislodged units and their retreats are compared."""
        return self in (Depth.DISLODGEMENTS, Depth.VERDICTS)

    @property
    def compares_results(self) -> bool:
        """True if the verdicts on orders are compared."""
        return self in (Depth.RESULTS, Depth.VERDICTS)

    def includes(self, other: Depth) -> bool:
        """Return whether this depth compares everything that the other one compares."""
        return self.compares_retreats >= other.compares_retreats and self.compares_results >= other.compares_results


RETREATS = "retreats of a unit"
"""The kind of differences in the places to which a dislodged unit may retreat."""
_OF_UNITS = "unit "
"""The prefix of all other kinds of differences that are not about verdicts."""


class Difference(Differing, frozen=True):
    """A single difference between two answers, with satjudge's result."""

    @property
    def order_result(self) -> OrderResult | None:
        """Satjudge's result for the order; None for a hold, or if the difference is not about an order."""
        return None if self.number is None else Verdict.read(self.ours).order

    def __str__(self) -> str:
        return f"{self.subject_with_power}: satjudge says {self.ours or 'nothing'}, the other {self.theirs or 'nothing'}"


@dataclass(frozen=True)
class ComparedPosition:
    """A position with all differences between two engines' answers."""

    position: AskedPosition
    differences: tuple[Difference, ...]
    ours: Answer | None = None
    theirs: Answer | None = None
    """The oracle's answer; None if it gave none."""

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of all differences."""
        return frozenset(difference.kind for difference in self.differences)

    def find_difference(self, number: OrderNumber) -> Difference | None:
        """Return the difference in the verdict on an order, given by its power and index; None if there is none."""
        return next((found for found in self.differences if (found.power, found.number) == number), None)


def answer_from_outcome(outcome: AnyOutcome) -> Answer:
    """Convert an outcome of satjudge to an `Answer`, the form in which answers are compared.

    The answer lists dislodged units only for movement phases.
    """
    dislodgements = outcome.dislodgements.values() if outcome.phase is Phase.MOVEMENT else ()
    retreats = {entry.unit: entry.retreats for entry in dislodgements}
    return Answer.from_verdicts(
        {power: list(given) for power, given in outcome.results.items() if given}, retreats, outcome.units
    )


def compare_answers(ours: Answer, theirs: Answer, orders: PhaseOrders, depth: Depth, words: Meanings) -> list[Difference]:
    """List all differences between two answers at a depth of comparison: verdicts, then dislodgements, then units."""
    return [
        *(_compare_verdicts(ours, theirs, orders, words) if depth.compares_results else ()),
        *(_compare_dislodgements(ours, theirs) if depth.compares_retreats else ()),
        *_compare_units(ours, theirs),
    ]


def _compare_units(ours: Answer, theirs: Answer) -> Iterator[Difference]:
    for power in sorted({*ours.units, *theirs.units}):
        mine, other = set(ours.units.get(power, ())), set(theirs.units.get(power, ()))
        for unit in sorted(mine ^ other):
            states = (_THERE, _NOT_THERE) if unit in mine else (_NOT_THERE, _THERE)
            yield Difference(f"{_OF_UNITS}{states[0]} / {states[1]}", power, unit, *states)


def _compare_dislodgements(ours: Answer, theirs: Answer) -> Iterator[Difference]:
    for power in sorted({*ours.dislodged, *theirs.dislodged}):
        mine, other = ours.dislodged.get(power, {}), theirs.dislodged.get(power, {})
        for unit in sorted({*mine, *other}):
            fates = _format_fate(mine.get(unit)), _format_fate(other.get(unit))
            if fates[0] != fates[1]:
                kinds = [text if text == _STANDS else "dislodged" for text in fates]
                kind = f"{_OF_UNITS}{kinds[0]} / {kinds[1]}" if kinds[0] != kinds[1] else RETREATS
                yield Difference(kind, power, unit, *fates)


def _format_fate(retreats: Sequence[Location] | None) -> str:
    if retreats is None:
        return _STANDS
    return f"dislodged, may retreat to {', '.join(sorted(retreats)) or 'nowhere'}"


def _compare_verdicts(ours: Answer, theirs: Answer, orders: PhaseOrders, words: Meanings) -> Iterator[Difference]:
    for power, given in orders.items():
        for number, order in enumerate(given):
            mine, other = ours.verdicts[power][number], theirs.verdicts[power][number]
            if not can_agree(mine, other, words, reports_fate=isinstance(order, MovementOrder)):
                yield Difference(_name_kind(order, mine, other), power, str(order), mine, other, number)


def can_agree(ours: str, theirs: str, words: Meanings, *, reports_fate: bool = True) -> bool:
    """Return whether the other engine's verdict can mean ours, by the dictionary `words`; an empty one not in it always can.

    If the dictionary is empty, the two verdicts must be the same.

    If `reports_fate` is false, the fate of the unit is ignored. After retreats and adjustments, the units show the fate.
    """
    if theirs == ours or (theirs == "" and "" not in words):
        return True
    verdict = Verdict.read(ours)
    if theirs.startswith(NOT_ACCEPTED):
        return verdict.order is OrderResult.ILLEGAL and (verdict.unit or "") == _split_verdict(theirs)[1]
    if not words:
        return False
    whole = _find_combined_meanings(theirs, words)
    if not all(ours in can_mean for can_mean in whole):
        return False
    word, of_the_order = (
        verdict.order or OrderResult.STANDS,
        _find_meanings(theirs, words) - _find_fate_meanings(theirs, words) - whole,
    )
    return (not reports_fate or has_same_fate(ours, theirs, words)) and all(word in can_mean for can_mean in of_the_order)


def can_mean(theirs: str, results: Collection[OrderResult], words: Meanings) -> bool:
    """Return whether the other engine's verdict can mean one of these results of an order, whatever its unit's fate.

    An empty verdict can mean any result.
    """
    fates = (None, *Fate)
    return any(
        can_agree(str(Verdict.from_result(result, fate)), theirs, words, reports_fate=False)
        for result in results
        for fate in fates
    )


def has_same_fate(ours: str, theirs: str, words: Meanings) -> bool:
    """Return whether the other verdict can mean the same fate of the unit as ours (perhaps none); an empty one can mean any."""
    fate, fates = Verdict.read(ours).unit, _find_fate_meanings(theirs, words)
    says_nothing = theirs == "" and "" not in words
    if whole := _find_combined_meanings(theirs, words):
        return all(fate in {Verdict.read(meaning).unit for meaning in can_mean} for can_mean in whole)
    return says_nothing or (any(fate in can_mean for can_mean in fates) if fate else not fates)


def is_only_wording(difference: Difference, depth: Depth, words: Meanings) -> bool:
    """Return whether a difference is in an order's verdict alone: its unit's fate is the same in both, or compared separately.

    The fates are the same if dislodgements are compared as well, or if both verdicts state the same fate.
    """
    return difference.number is not None and (
        depth.compares_retreats or has_same_fate(difference.ours, difference.theirs, words)
    )


def is_visible_on_board(kind: str) -> bool:
    """Return whether a kind of differences is about units, dislodged units or their retreats, not about verdicts."""
    return kind == RETREATS or kind.startswith(_OF_UNITS)


def format_word_differences(differences: Iterable[Differing], rule: str) -> str:
    """Return a phrase on how the engine's words differ from satjudge's, the commonest first, and which rule would explain it.

    The engine may not follow this rule: a word such as `void` may mean several things, and the units do not show which.
    """
    pairs = Counter((one.theirs, one.ours) for one in differences)
    texts = [f"`{theirs}` where satjudge says `{ours}`" for (theirs, ours), _ in pairs.most_common()]
    return f"says {join_first_names(texts)}, as if by “{rule}”; all units end up the same, so its real rule may be another"


def _split_parts(theirs: str) -> frozenset[str]:
    """Return the comma-separated parts of the other engine's verdict, in lower case and without anything after a colon."""
    return frozenset(part.partition(":")[0].strip().casefold() for part in theirs.split(","))


def _find_meanings(theirs: str, words: Meanings) -> frozenset[frozenset[str]]:
    """Return, for each part of the other engine's verdict, the set of words that it can mean; an unknown part means itself."""
    return frozenset(words.get(part, frozenset((part,))) for part in _split_parts(theirs))


def list_unknown_words(theirs: str, words: Meanings) -> frozenset[str]:
    """Return the parts of the other engine's verdict that are neither DATC verdicts nor in the dictionary `words`."""
    return _split_parts(theirs) - VERDICTS - words.keys() - {"", NOT_ACCEPTED}


def _find_combined_meanings(theirs: str, words: Meanings) -> frozenset[frozenset[str]]:
    """Return the sets of meanings of those parts of a verdict that can state both an order's result and its unit's fate."""
    return frozenset(can_mean for can_mean in _find_meanings(theirs, words) if any(", " in meaning for meaning in can_mean))


def _find_fate_meanings(theirs: str, words: Meanings) -> frozenset[frozenset[str]]:
    """Return the sets of meanings of those parts of a verdict that state only the fate of the unit."""
    meanings = _find_meanings(theirs, words) - _find_combined_meanings(theirs, words)
    return frozenset(can_mean for can_mean in meanings if can_mean & frozenset(Fate))


def _split_verdict(theirs: str) -> tuple[str, str]:
    """Return a verdict's word for the order ("" for a dislodged hold) and its word for the unit's fate ("" if none).

    Anything after a colon, such as the province in `ErrBounce:par`, is removed.
    """
    word, fate = (part.partition(":")[0].strip() for part in theirs.partition(", ")[::2])
    return ("", word) if word in frozenset(Fate) else (word, fate)


def _name_kind(order: PhaseOrder, ours: str, theirs: str) -> str:
    """Return the kind of a difference between two verdicts on an order, such as `SupportMove: cut / given`."""
    mine, (word, fate) = Verdict.read(ours), _split_verdict(theirs)
    if (mine.order or "") != word and not (word == NOT_ACCEPTED and mine.order is OrderResult.ILLEGAL):
        return f"{type(order).__name__}: {mine.order or 'stands'} / {word[:40] or 'stands'}"
    return f"{type(order).__name__}: {mine.unit or 'not dislodged'} / {fate[:40] or 'not dislodged'}"


# ---- one position in other forms: an engine's answer must not depend on how the position is written ----
#
# The sequence of orders and powers has no meaning, and apart from their home centres powers differ only by name.


@dataclass(frozen=True, slots=True)
class RewrittenPosition:
    """A position in another form, which must not change its outcome."""

    how: str
    """The difference in form, such as `orders listed otherwise`."""
    position: AskedPosition
    read: Callable[[Answer], Answer]
    """A function that converts the answer to this form into the answer to the original position."""


def iter_rewritten_positions(position: AskedPosition) -> Iterator[RewrittenPosition]:
    """Yield the position itself, and copies with orders or powers rearranged or renamed, which must not change the outcome."""
    yield RewrittenPosition("asked again", position, _keep_answer)
    if _can_reorder(position):
        yield RewrittenPosition("orders listed otherwise", _reverse_orders(position), _reverse_verdicts)
    yield RewrittenPosition("powers listed otherwise", _reverse_powers(position), _keep_answer)
    if position.board.phase is not Phase.ADJUSTMENT and not position.board.map.own_rules:
        powers = position.board.map.powers
        others = dict(zip(powers, (*powers[len(powers) // 2 :], *powers[: len(powers) // 2]), strict=True))
        back = {new: old for old, new in others.items()}
        yield RewrittenPosition(
            "powers renamed", _rename_powers(position, others), lambda answer: _restore_powers(answer, back)
        )


def _keep_answer(answer: Answer) -> Answer:
    return answer


def _can_reorder(position: AskedPosition) -> bool:
    """Return whether the sequence of a position's orders is irrelevant: no unit has several, and the phase has no builds."""
    ordered = [order.unit.province for order in position.orders_by_number.values() if not isinstance(order, Decline)]
    return position.board.phase is not Phase.ADJUSTMENT and len(set(ordered)) == len(ordered)


def _reverse_orders(position: AskedPosition) -> AskedPosition:
    return AskedPosition(position.board, {power: list(given)[::-1] for power, given in position.orders.items()}, position.name)


def _reverse_verdicts(answer: Answer) -> Answer:
    return replace(answer, verdicts={power: words[::-1] for power, words in answer.verdicts.items()})


def _reverse_powers(position: AskedPosition) -> AskedPosition:
    board = replace(position.board, units=position.board.units[::-1], dislodged=position.board.dislodged[::-1])
    return AskedPosition(board, dict(list(position.orders.items())[::-1]), position.name)


def _rename_powers(position: AskedPosition, others: dict[Power, Power]) -> AskedPosition:
    """Return the position with each power replaced by another one, also in orders that name a unit's power."""

    def of_other(order: PhaseOrder) -> PhaseOrder:
        parts = ((part, getattr(order, part, None)) for part in ("unit", "supported", "convoyed"))
        units = {part: one for part, one in parts if one is not None and one.power}
        return replace(order, **{part: replace(one, power=others.get(one.power, one.power)) for part, one in units.items()})

    board = position.board
    units = tuple(replace(unit, power=others.get(unit.power, unit.power)) for unit in board.units)
    dislodged = tuple(
        replace(lost, unit=replace(lost.unit, power=others.get(lost.unit.power, lost.unit.power))) for lost in board.dislodged
    )
    orders = {others.get(power, power): [of_other(order) for order in given] for power, given in position.orders.items()}
    return AskedPosition(replace(board, units=units, dislodged=dislodged), orders, position.name)


def _restore_powers(answer: Answer, original_powers: dict[Power, Power]) -> Answer:
    return Answer(
        {original_powers.get(power, power): entries for power, entries in answer.verdicts.items()},
        {original_powers.get(power, power): entries for power, entries in answer.dislodged.items()},
        {original_powers.get(power, power): entries for power, entries in answer.units.items()},
    )


def describe_first_difference(position: AskedPosition, usual_answer: Answer, other_answer: Answer) -> str:
    """Describe the first order, power's units or retreats in which two answers of one engine differ; "" if they agree."""
    for (power, number), order in position.orders_by_number.items() if usual_answer.verdicts and other_answer.verdicts else ():
        one, other = usual_answer.verdicts[power][number], other_answer.verdicts[power][number]
        if one != other:
            return f"{order} ({power}): {one}, otherwise {other}"
    for power in sorted({*usual_answer.units, *other_answer.units}):
        units = set(usual_answer.units.get(power, ())), set(other_answer.units.get(power, ()))
        if units[0] != units[1]:
            return f"units of {power}: {', '.join(sorted(units[0]))}, otherwise {', '.join(sorted(units[1]))}"
    return "" if _list_dislodged(usual_answer) == _list_dislodged(other_answer) else "retreats of dislodged units"


def _list_dislodged(answer: Answer) -> dict[tuple[Power, str], list[str]]:
    return {(power, unit): sorted(places) for power, units in answer.dislodged.items() for unit, places in units.items()}
