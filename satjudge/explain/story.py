"""The storyteller: reads the facts of one outcome off its equations, chooses what matters, and finds the words and the rule."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from satjudge.backup import CIRCULAR
from satjudge.board import Unit
from satjudge.equations import statement
from satjudge.equations.logic import Reading
from satjudge.equations.proof import Amount, Comparison, Fact, Proof, Term, comparisons
from satjudge.equations.situation import ConvoyDecision, Decision, MoveDecision, Place, SupportDecision
from satjudge.explain.parts import (
    CoreAccount,
    Culprit,
    Draft,
    Reason,
    Rule,
    culprit,
    in_force,
    is_word,
    listed,
    one_of,
    spelt,
    spelt_of,
    strength,
    unit_of,
    without_rules,
    word,
)
from satjudge.explain.settling import settling_order
from satjudge.geography import Power, ProvinceCode, province_of
from satjudge.legality import Entry
from satjudge.orders import SupportMove
from satjudge.outcome import Outcome
from satjudge.rules import ConvoyPaths, MultiRoute, OtherCoreRule, ParadoxRule, options
from satjudge.solve.result import Core

RULE_NAMES = {
    CIRCULAR: "the rule for circular movement",
    ParadoxRule.SZYKMAN: "the Szykman rule",
    ParadoxRule.ALL_HOLD: "the rule All Hold",
    ParadoxRule.GUIDE: "the rule of the Technical Guide",
    OtherCoreRule.ALL_FAIL: "the rule for other cores",
}
_ISSUES = frozenset(option.issue for option in options())
_FEW, _MANY = 3, 6
"""So many orders at most are listed one by one."""
_RANK = {Term.DEFEND: 0, Term.HOLD: 1, Term.PREVENT: 2}


def _retold(reason: Reason, text: str, *rules: Rule) -> Reason:
    """The same reason in other words, with these rules first."""
    return replace(reason, text=text, rules=tuple(dict.fromkeys((*rules, *reason.rules))))


def _unblamed(reason: Reason) -> Reason:
    """The same reason without culprits: it tells why something does not fail."""
    return replace(reason, culprits=(), nested=tuple(map(_unblamed, reason.nested)))


class Storyteller:
    """Tells reasons in one outcome."""

    def __init__(self, outcome: Outcome) -> None:
        adjudication = outcome.adjudication
        self.outcome = outcome
        self.rules = adjudication.situation.rulebook
        self.values = adjudication.values
        self.proof = Proof(adjudication.values)
        self.overridden = adjudication.overridden
        self.places: dict[ProvinceCode, Place] = adjudication.situation.places
        self.decisions: dict[ProvinceCode, Decision] = {
            (d.origin if isinstance(d, MoveDecision) else d.place).province: d for d in adjudication.situation.decisions
        }
        self.cores: dict[int, Core] = {d.index: core for core in adjudication.cores for d in core.decisions}
        self.settled_at = settling_order(adjudication)

    def option(self, issue: str) -> Rule:
        """An issue with the choice in force."""
        return in_force(self.rules, issue)

    def power(self, power: Power) -> str:
        """A power by its name."""
        return self.outcome.board.map.power_names.get(power, power)

    # Orders that are no decisions, and what is not settled by equations.

    def illegal(self, entry: Entry) -> list[Reason]:
        """Why an order does not count; and what its unit does all the same, if anything."""
        text, numbers = without_rules(entry.reason or "")
        named = [self.option(number) if number in _ISSUES and number != "4.E.1" else number for number in numbers]
        if entry.counts_as_move:
            named.append(self.option("4.E.1"))
        reasons = [Reason(text, tuple(named) or ("4.E.1",))]
        decision = self.decisions.get(entry.province or "")
        counting = (e for given in self.outcome.docket.entries.values() for e in given if e.reason is None)
        if decision is not None and entry.province not in {other.province for other in counting}:
            reasons.append(Reason(f"the orders of its own power imply {decision}", (self.option("4.E.3"),)))
        return reasons

    def hold(self, place: Place) -> list[Reason]:
        """Why a unit that holds stands, or is dislodged."""
        if place.province in self.outcome.dislodgements:
            return [self.dislodged(place)]
        return [self._survives(place, "5.B.1")]

    def _survives(self, place: Place, rule: Rule) -> Reason:
        if not place.moves_in:
            return Reason(f"nobody moves to {place}", (rule,))
        draft = Draft(nested=[_unblamed(self._failure_of(move)) for move in place.moves_in])
        return draft.reason(f"no move to {place} succeeds", rule)

    def _failure_of(self, move: MoveDecision) -> Reason:
        reason = self.failure(move)
        return _retold(reason, f"{move} fails: {reason.text}")

    def dislodged(self, place: Place) -> Reason:
        """By whom the unit there is dislodged, and with what strength."""
        lost = self.outcome.dislodgements[place.province]
        attacker = self.outcome.moved[lost.attacker.province]
        overcome = [
            found for found in comparisons(statement.move(self.proof, attacker)) if found.other and _defends(found.other, place)
        ]
        found = min(overcome, key=lambda found: _RANK[found.other.term]) if overcome else None  # type: ignore[union-attr,index]
        draft = Draft(culprits=[culprit(attacker)])
        text = f"{lost.fate} by {attacker} of {self.power(attacker.power)}"
        if found and found.one and found.other:
            text += f", whose {spelt(found.one)} exceeds {self._opposition(found.other, draft)}"
            draft.strengths.insert(0, strength(found.one))
            draft.culprits = [culprit(attacker), *map(culprit, found.one.supports)]  # and not those on its own side
            self._tell_uncounted(found.other, found.one.value - found.other.value, draft)
        if not lost.retreats:
            draft.nested.append(self._no_retreat(place))
        return draft.reason(text, "5.B.1")

    def _tell_uncounted(self, amount: Amount, short: int, draft: Draft) -> None:
        """Tell of the supports that do not count in a strength, if they could have made up what it falls short of."""
        about = amount.about
        given = about.hold_supports if isinstance(about, Place) else one_of(amount).supports
        missing = [s for s in given if s not in amount.supports and statement.matched(self.proof, s).value]
        if amount.value and len(missing) >= short:
            draft.nested += [self._uncounted(support, amount) for support in missing]

    def _uncounted(self, support: SupportDecision, amount: Amount) -> Reason:
        """Why a support does not count in a strength: it is not given, or its power would help to dislodge its own unit."""
        if not self.values[support.index]:
            reason = self.support_failure(support)
            subject = unit_of(support) if not reason.text.startswith("cut") else f"the support of {unit_of(support)}"
            return _retold(reason, f"{subject} is {reason.text}")
        unit = one_of(amount).destination.unit
        whose = self.power(support.power)
        text = f"the support of {unit_of(support)} does not count: {whose} does not help to dislodge its own {unit}"
        return Reason(text, ("5.B.8", "6.D.12"), (culprit(support),))

    def _no_retreat(self, place: Place) -> Reason:
        """Why none of the exits of a destroyed unit is open."""
        outcome = self.outcome
        lost = outcome.dislodgements[place.province]
        exits = outcome.board.map.exits(lost.unit.kind, lost.unit.location)
        provinces = sorted({province_of(location) for location in exits})
        told, rules = barred_exits(outcome, provinces, lost.attacker)
        return Reason(f"it has no retreat: {told}" if told else "it has no retreat", ("4.E.2", *rules))

    # Moves.

    def decided(self, decision: Decision) -> list[Reason]:
        """Why a decision is as it is, by its equation, by a ruling, or by both."""
        core = self.cores.get(decision.index)
        ruling = core.ruling if core is not None else None
        if core is None or ruling is None:
            return [self.cause(decision)]
        if decision.index not in ruling.settled:
            return [self.cause(decision), self.ruled(decision, core)]
        agrees = statement.decision(self.proof, decision).value is self.values[decision.index]
        numbers = [self.cause(decision)] if agrees and ruling.rule == CIRCULAR else []
        return [self.ruled(decision, core), *numbers]

    def cause(self, decision: Decision) -> Reason:
        """Why a decision is as its equation has it."""
        value = self.values[decision.index]
        if isinstance(decision, MoveDecision):
            return self.success(decision) if value else self.failure(decision)
        if isinstance(decision, SupportDecision):
            return self.support_given(decision) if value else self.support_failure(decision)
        return self.convoy_available(decision) if value else self.convoy_failure(decision)

    def success(self, move: MoveDecision) -> Reason:
        """What a successful move overcame."""
        draft = Draft()
        overcome: dict[tuple[object, int], list[str]] = {}
        for found in comparisons(statement.move(self.proof, move)):
            assert found.one is not None
            assert found.other is not None
            number = strength(found.one)
            if number not in draft.strengths:
                draft.strengths.append(number)
            told = overcome.setdefault((found.one.term, found.one.value), [spelt(found.one)])
            told.append(self._opposition(found.other, draft))
        text = "; ".join(f"{own} exceeds {listed(others)}" for own, *others in overcome.values())
        draft.culprits.clear()
        if len(overcome) > 1:
            draft.rules.append(self.option("5.B.8"))
        way = self._way(move, draft)
        return draft.reason(f"it goes {way}, and {text}" if way else text, "5.B.1")

    def _way(self, move: MoveDecision, draft: Draft) -> str:
        """How the move goes, where that is not plain."""
        if not move.might_be_convoyed:
            return ""
        if move.by_land:
            draft.rules += [self.option("4.A.3"), self.option("4.A.3.fallback")]
        if not self.proof.convoyed(move).value:
            return "by land"
        route = next((route for route in move.routes if all(self.values[c.index] for c in route)), ())
        if len(move.routes) > 1:
            draft.rules.append(self.option("4.A.1"))
        return f"by the convoy of {listed(unit_of(c) for c in route)}" if route else ""

    def failure(self, move: MoveDecision) -> Reason:
        """What a move that fails does not overcome."""
        fact = statement.move(self.proof, move)
        if move.index in self.overridden:
            return self.ruled(move, self.cores[move.index], briefly=True)
        path = self.proof.path(move)
        if not path.value:
            return self._no_path(move)
        found = min(
            (part for parts in fact.parts for part in comparisons(parts)),
            key=lambda found: (not self._grounded(found, move), *_weight(found)),
        )
        one, other = found.one, found.other
        assert one is not None
        assert other is not None
        draft = Draft(strengths=[strength(one)])
        own = spelt(one)
        if not one.value:
            own += f" (its own power's {move.destination.unit} does not leave)"
            draft.rules += ["5.B.8", "6.D.10"]
        text = f"{own} does not exceed {self._opposition(other, draft)}"
        if one.term is Term.DEFEND or (other.term is Term.PREVENT and set(one.supports) != _given(move, self.values)):
            draft.rules.append(self.option("5.B.8"))
        self._tell_uncounted(one, other.value - one.value + 1, draft)
        way = self._way(move, draft)
        return draft.reason(f"it goes {way}, but {text}" if way else text, "5.B.1")

    def _grounded(self, fact: Fact, decision: Decision) -> bool:
        """Whether a fact rests on nothing that was settled after the decision that it is to explain."""
        return self._latest(fact.decisions(self._latest)) <= self.settled_at[decision.index]

    def _latest(self, decisions: frozenset[Decision]) -> int:
        """When the last of these decisions was settled."""
        return max((self.settled_at[other.index] for other in decisions), default=-1)

    def _opposition(self, amount: Amount, draft: Draft) -> str:
        """What stands against a move, in words; its culprits, rules and number go into the draft."""
        number = strength(amount)
        if number not in draft.strengths:
            draft.strengths.append(number)
        draft.culprits += [culprit(support) for support in amount.supports]
        if isinstance(amount.about, Place):
            return self._holding(amount, amount.about, draft)
        move = one_of(amount)
        draft.culprits.insert(0, culprit(move))
        if amount.term is Term.DEFEND:
            draft.rules.append("5.B.7")
            if any(other.destination is not move.origin for other in move.opposed):
                draft.rules.append(self.option("4.A.4.1"))
            return f"{spelt_of(amount)} in a head-to-head battle"
        if amount.value:
            lost = self.outcome.dislodgements.get(move.origin.province)
            if lost is not None and lost.attacker.province == move.destination.province:
                draft.rules.append(self.option("4.A.7"))
            return spelt_of(amount)
        if not self.proof.path(move).value:
            draft.rules.append("5.B.4")
            return f"{spelt_of(amount)} (it does not arrive)"
        winner = next((other for other in move.opposed if statement.beaten(self.proof, move, other).value), None)
        draft.rules += ["5.B.6", self.option("4.A.7")]
        return f"{spelt_of(amount)} ({winner} defeats it)"

    def _holding(self, amount: Amount, place: Place, draft: Draft) -> str:
        if place.unit is None:
            return f"hold {amount.value} of {place} (empty)"
        if not amount.value:
            return f"hold {amount.value} of {place} ({place.unit} leaves)"
        draft.culprits.insert(0, self.stander(place, place.unit))
        return spelt_of(amount).replace("(itself", "(itself, failing to leave" if place.moves_out else "(itself")

    def stander(self, place: Place, unit: Unit) -> Culprit:
        """The unit that stands in the way, with its order."""
        decision = self.decisions.get(place.province)
        return culprit(decision) if decision else Culprit(unit.power, f"{unit} H")

    def _no_path(self, move: MoveDecision) -> Reason:
        """Why a convoyed move does not arrive: no convoy was ordered, or it is disrupted."""
        rules = [self.option("4.A.3"), self.option("4.A.3.fallback")] if move.by_land else []
        if move.order.route or move.rules.convoy_paths is ConvoyPaths.REQUIRED:
            rules.append(self.option("4.A.6"))
        if not move.routes:
            ordered = listed(unit_of(convoy) for convoy in move.convoys)
            only = f" (only {ordered} {'is' if len(move.convoys) == 1 else 'are'})" if ordered else ""
            text = f"it goes by convoy, and no complete chain of fleets is ordered to convoy it{only}"
            return Reason(text, ("4.E.2", *rules))
        if len(move.routes) > 1:
            rules.insert(0, self.option("4.A.1"))
        broken = sorted(self.proof.path(move).decisions(self._latest), key=lambda decision: decision.index)
        draft = Draft(rules, [culprit(decision) for decision in broken])
        draft.nested = [self._failing_convoy(decision) for decision in broken if isinstance(decision, ConvoyDecision)]
        fleets = listed(unit_of(decision) for decision in broken)
        every = move.rules.multi_route is MultiRoute.ALL
        many = f"each of the {len(move.routes)} routes" if every else f"one of the {len(move.routes)} routes"
        which = "its convoy is" if len(move.routes) == 1 else f"{many} of its convoy is"
        return draft.reason(f"{which} disrupted at {fleets}", "5.B.4")

    def _failing_convoy(self, convoy: ConvoyDecision) -> Reason:
        reason = self.convoy_failure(convoy)
        return _retold(reason, f"{unit_of(convoy)} is {reason.text}")

    # Supports.

    def support_given(self, support: SupportDecision) -> Reason:
        """Why nothing cuts a support."""
        if not support.place.moves_in:
            return Reason(f"nobody moves to {support.place}", ("5.B.2",))
        draft = Draft(nested=[_unblamed(self._harmless(move, support)) for move in support.place.moves_in])
        return draft.reason(f"no move to {support.place} cuts it", "5.B.2")

    def _harmless(self, move: MoveDecision, support: SupportDecision) -> Reason:
        """Why a move to the supporting unit does not cut its support."""
        proof = self.proof
        path = proof.path(move)
        protected = not statement.unprotected(proof, move, support).value
        otherwise = protected or move.power == support.power or move.origin is support.directed_at
        if not path.value and (self._grounded(path, support) or not otherwise):
            reason = self._no_path(move)
            return _retold(reason, f"{move} does not arrive: {reason.text}")
        if protected:
            rules = [self.option("4.A.2")]
            if move.rules.paradox is ParadoxRule.RULE_1982:
                rules.append(self.option("4.A.2.1982"))
            return Reason(f"{move} goes by convoy and cannot cut this support", tuple(rules))
        if move.power == support.power:
            text, rules = f"{move} is of the same power", ["5.B.2"]
        elif move.origin is support.directed_at:
            text, rules = f"{move} comes from where the support is directed", ["5.B.2", "6.D.15"]
            if move.might_be_convoyed:
                rules.append(self.option("4.A.4.5"))
        else:
            text, rules = f"{move} attacks from its last fleet, where the support is directed", [self.option("4.A.4.2")]
        reason = self.failure(move)
        return _retold(reason, f"{text}, and it fails: {reason.text}", *rules)

    def support_failure(self, support: SupportDecision) -> Reason:
        """What a support does not match, or who cuts it."""
        proof, attacks = self.proof, support.place.moves_in
        if not statement.matched(proof, support).value:
            return self._unmatched(support)
        if support.index in self.overridden:
            return self.ruled(support, self.cores[support.index], briefly=True)
        reached = [(move, statement.cuts(proof, move, support)) for move in attacks if move.power != support.power]
        cuts = [move for move, fact in reached if fact.value and self._grounded(fact, support)]
        cuts += [move for move, fact in reached if fact.value and move not in cuts]
        driven = [fact for move in attacks if (fact := statement.dislodges(proof, move, support)).value]
        if driven and (not cuts or self._grounded(driven[0], support)):
            reason = self.dislodged(support.place)
            return _retold(reason, reason.text, "5.B.2")
        cutting = cuts[0]
        rules = ["5.B.2"]
        if cutting.origin is support.directed_at:
            rules.append(self.option("4.A.4.5"))
        draft = Draft(rules, [culprit(cutting)])
        way = self._way(cutting, draft)
        arrives = f", which arrives {way}" if way else ""
        return draft.reason(f"cut by {cutting} of {self.power(cutting.power)}{arrives}")

    def _unmatched(self, support: SupportDecision) -> Reason:
        """What the supported unit does instead of what the support says."""
        place = support.supported
        unit, does = place.unit, self.does(place)
        blamed = (self.stander(place, unit),) if unit else ()
        if not isinstance(support.order, SupportMove):
            if place.moves_out:
                return Reason(f"{unit} cannot be supported in place: {does}", ("4.E.2", "6.D.7"), blamed)
            issue = "4.E.1" if any(e.counts_as_move for e in self._entries(place)) else "4.D.9"
            return Reason(f"{unit} cannot be supported in place: {does}", ("4.E.2", self.option(issue)), blamed)
        rules = ["4.E.2"]
        destination = support.order.destination
        if any(move.destination is support.directed_at for move in place.moves_out):
            rules.append(self.option("4.B.4"))
        return Reason(f"{unit} was not ordered to move to {destination}: {does}", tuple(rules), blamed)

    def _entries(self, place: Place) -> list[Entry]:
        given = self.outcome.docket.entries.values()
        return [entry for entries in given for entry in entries if entry.province == place.province]

    def does(self, place: Place) -> str:
        """What the unit there was ordered to do."""
        decision = self.decisions.get(place.province)
        if decision is not None:
            return f"its order is {decision}"
        entries = self._entries(place)
        if not entries or any(entry.reason is None for entry in entries):
            return "it holds" if entries else "it has no order"
        return f"its order {entries[0].order} is illegal"

    # Convoys.

    def convoy_available(self, convoy: ConvoyDecision) -> Reason:
        """Why a convoying fleet is not dislodged."""
        if not convoy.matches:
            return self._unordered(convoy)
        return self._survives(convoy.place, "5.B.3")

    def _unordered(self, convoy: ConvoyDecision) -> Reason:
        army = self.places[convoy.order.convoyed.province]
        rules = ["4.E.2"]
        text = f"{army.unit} was not ordered to move to {convoy.order.destination}: {self.does(army)}"
        destination = province_of(convoy.order.destination)
        if any(move.destination.province == destination for move in army.moves_out):
            text = f"{army.moves_out[0]} does not say that it goes by convoy"
            rules.append(self.option("4.A.3"))
        return Reason(text, tuple(rules), (self.stander(army, army.unit),) if army.unit else ())

    def convoy_failure(self, convoy: ConvoyDecision) -> Reason:
        """Who dislodges a convoying fleet; or which rule disrupts it."""
        if not convoy.matches:
            return self._unordered(convoy)
        if convoy.index in self.overridden:
            return self.ruled(convoy, self.cores[convoy.index], briefly=True)
        if convoy.place.province in self.outcome.dislodgements:
            reason = self.dislodged(convoy.place)
            return _retold(reason, reason.text, "5.B.3")
        raise AssertionError(f"{convoy} is neither dislodged nor ruled upon")

    # Cores.

    def ruled(self, decision: Decision, core: Core, *, briefly: bool = False) -> Reason:
        """Which backup rule decided, and what each resolution of the core said of the order."""
        ruling = core.ruling
        assert ruling is not None
        name, value = RULE_NAMES[ruling.rule], self.values[decision.index]
        if decision.index in ruling.settled:
            text = f"{word(decision, value)} by {name}"
        else:
            settled = [str(other) for other in core.decisions if other.index in ruling.settled]
            what = listed(settled) if len(settled) <= _FEW else f"{len(settled)} orders of its core"
            text = f"{name} settles {what}, and this follows"
        blamed = [culprit(other) for other in core.decisions if other is not decision] or [culprit(decision)]
        draft = Draft([self._ruling_issue(ruling.rule)], [] if value else blamed)
        return draft.reason(text if briefly else f"{text}: {_said(decision, core)}", "5.B.9")

    def _ruling_issue(self, rule: str) -> Rule:
        if rule == CIRCULAR:
            return "6.C"
        if rule == OtherCoreRule.ALL_FAIL:
            return self.option("5.B.9")
        return self.option("4.A.2" if self.rules.paradox == rule else "4.A.2.fallback")

    def account(self, decision: Decision) -> CoreAccount | None:
        """The core that a decision is in."""
        core = self.cores.get(decision.index)
        if core is None:
            return None
        settled = core.ruling.settled if core.ruling else {}
        return CoreAccount(
            tuple(str(other) for other in core.decisions),
            core.resolutions,
            core.ruling.rule if core.ruling else None,
            tuple(str(other) for other in core.decisions if other.index in settled),
        )


def _defends(amount: Amount, place: Place) -> bool:
    """Whether a strength is the unit's own in that place: its HOLD, or DEFEND of its move."""
    return amount.about is place or (amount.term is Term.DEFEND and one_of(amount).origin is place)


def _weight(found: Comparison) -> tuple[bool, int, int]:
    """What to tell of the comparisons in which a move fails: why it has no attack, else what opposes it most."""
    assert found.one is not None
    assert found.other is not None
    assert found.other.term is not None
    powerless = found.one.value == 0 and found.other.term is not Term.PREVENT
    return not powerless, found.one.value - found.other.value, _RANK[found.other.term]


def _said(decision: Decision, core: Core) -> str:
    """What the resolutions of a core say of one of its orders."""
    few = len(core.decisions) <= _MANY
    orders = "; ".join(str(other) for other in core.decisions) if few else f"{len(core.decisions)} orders"
    if not core.resolutions:
        return f"its core ({orders}) has no resolution"
    index = core.decisions.index(decision)
    said = [is_word(decision, values[index]) for values in core.resolutions]
    told = ", ".join(f"in {said.count(one)} it {one}" for one in dict.fromkeys(said))
    return f"its core ({orders}) has {len(said)} resolutions: {told}"


def _given(move: MoveDecision, values: Sequence[bool]) -> set[SupportDecision]:
    return {support for support in move.supports if values[support.index]}


def barred_exits(outcome: Outcome, provinces: Iterable[ProvinceCode], attacker: Unit) -> tuple[str, tuple[Rule, ...]]:
    """Why a dislodged unit may not retreat to these provinces, and by which rules (DATC 6.H)."""
    occupied = {unit.province for unit in outcome.units}
    told: dict[str, list[ProvinceCode]] = {"occupied": [], "contested": [], "from": []}
    for province in provinces:
        if province in occupied | outcome.contested:
            told["occupied" if province in occupied else "contested"].append(province)
        elif province == attacker.province:
            told["from"].append(province)
    parts = [
        f"{listed(found)} {'is' if len(found) == 1 else 'are'} {how}"
        for how, found in told.items()
        if found and how != "from"
    ]
    parts += [f"its attacker came from {province}" for province in told["from"]]
    by_convoy = Reading(outcome.adjudication.values).convoyed(outcome.moved[attacker.province])
    origin = in_force(outcome.adjudication.situation.rulebook, "4.A.5") if by_convoy else "6.H.5"
    issues = {origin: told["from"], "6.H.6": told["contested"]}
    return ", and ".join(parts), tuple(issue for issue, found in issues.items() if found)
