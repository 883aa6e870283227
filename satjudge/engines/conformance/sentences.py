"""Puts settings and faults into plain words, for authors of engines."""

from __future__ import annotations

from collections.abc import Mapping

from satjudge.engines.conformance.conditions import AND, IF, split_fault
from satjudge.world.rules import options

SENTENCES: Mapping[str, str] = {
    "MOVE without HOLD": "A move succeeds however strongly the unit at its destination is held (DATC 5.B.1, 6.A.11)",
    "MOVE without DEFEND": "Of two units that move against each other one gets through although the other is as strong (5.B.7, 6.E.1)",
    "MOVE against DEFEND without a head-to-head battle": "A move must overcome the strength of the opposite move also where one of them is convoyed (5.B.1, 6.G.1)",
    "MOVE without rivals": "Two moves of equal strength to one province do not bounce (5.B.6, 6.A.12)",
    "SUPPORT given without the supported order": "A support is called given though the unit does something else (4.E.2)",
    "SUPPORT given by a dislodged unit": "A unit that is dislodged still gives its support, if the attack came from where that is directed at (6.D.17)",
    "SUPPORT never cut": "Supports are not cut by attacks (6.D.2, 6.D.3)",
    "SUPPORT cut without PATH": "A convoyed army cuts support although its convoy is disrupted (6.F.5)",
    "SUPPORT cut by its own power": "An attack by a unit of the same power cuts a support (6.D.20)",
    "SUPPORT cut from where it is directed at": "A support is cut by the unit that it is directed at, although that does not dislodge it (6.D.15)",
    "SUPPORT lost to dislodgement although a paradox rule protects it": "A support that a paradox rule protects is lost when its unit is dislodged (4.A.2)",
    "SUPPORT cut although a paradox rule protects it": "A convoyed army cuts a support that a paradox rule protects (4.A.2)",
    "SUPPORT cut by a convoyed attack from there, 4.A.4": "A convoyed attack from where a support is directed at does not cut it, though the rulebook has it come from the last fleet (4.A.4)",
    "SUPPORT cut by an attack by land from there, 4.A.4": "A support is cut by an attack by land from where it is directed at (4.A.4, 6.D.15)",
    "a unit ordered to move supported in place": "A unit that was ordered to move, and fails, is helped by support in place (6.D.7, 6.D.8)",
    "a unit supported in place that may not be, 4.D.9, 4.E.1": "A unit is supported in place although the rulebook forbids it after such an order (4.D.9, 4.E.1)",
    "a move support for any order": "A support for a move counts as matched whatever the unit does (6.D.6, 6.D.28)",
    "CONVOY by a dislodged fleet": "A fleet that is dislodged still convoys (6.F.4)",
    "convoyed only where land fails": "An army that could go by land is never convoyed, whatever is ordered (4.A.3, 6.G.1)",
    "convoyed only where it says so": "An army that could go by land is convoyed only if its order says so, not for a fleet's order of its own power (4.A.3)",
    "convoyed by a foreign fleet's order": "A foreign fleet's order to convoy takes an army to sea that could go by land: it is kidnapped (4.A.3, 6.G.2)",
    "never by land though no fleets are there": "An army does not go by land after all although no fleets are there (4.A.3)",
    "never by land though no route is ordered": "An army does not go by land after all although no route is ordered (4.A.3)",
    "never by land though every route is disrupted": "An army does not go by land after all although every route is disrupted (4.A.3)",
    "head-to-head although convoyed": "Units that exchange places bounce although one of them is convoyed (6.G.1)",
    "head-to-head although the other is convoyed": "A unit that moves by land bounces with the convoyed army that comes the other way (6.G.1)",
    "head-to-head although this one is convoyed": "A convoyed army bounces with the unit that comes the other way by land (6.G.1)",
    "PATH without a route": "An army arrives over sea without a convoy (5.B.4, 6.F.5)",
    "PATH by land although convoyed": "An army whose convoy is disrupted goes by land after all (6.G.7)",
    "PATH through one fleet of a route": "A convoy succeeds if one fleet of the route is left (6.F.4)",
    "PATH only if every route is free": "A convoy fails as soon as one of several routes is disrupted, though another is free (4.A.1, 6.F.9)",
    "PATH if any route is free, 1971": "A convoy succeeds if any route is free, though the rulebook asks for all (4.A.1)",
    "PATH needs foreign fleets, guide": "A disrupted route of foreign fleets disrupts the convoy although own fleets suffice (4.A.1, guide)",
    "PATH needs no own fleets either, guide": "Routes with own fleets are disregarded as well (4.A.1, guide)",
    "PATH without any route, 1971": "A convoy succeeds although no route is ordered (4.A.1, 1971)",
    "HOLD of a place that was left": "A province counts as held although its unit moved away (5.B.5)",
    "HOLD of an empty place": "An empty province counts as held (5.B.5)",
    "HOLD without supports": "Supports in place do not count (5.B.5, 6.A.11)",
    "HOLD without foreign supports": "Supports in place count only if they are of the same power",
    "HOLD one too little": "A unit that stays is dislodged by an attack that is only as strong as it (5.B.1)",
    "ATTACK of a unit that never leaves": "An attack counts as if the unit at its destination stayed, also where that moves away (5.B.8)",
    "ATTACK as if every unit left": "An attack counts as if the unit at its destination moved away: units of one power dislodge each other (5.B.8, 6.D.10)",
    "ATTACK on a unit of one's own power": "A power dislodges its own unit, if foreign units support the attack (5.B.8, 6.D.10 to 6.D.12)",
    "ATTACK helped by the unit's own power": "Support counts against a unit of the power that gives it (5.B.8, 6.D.12)",
    "ATTACK without supports": "Supports do not count where units move into provinces that are empty or left (5.B.8)",
    "ATTACK without foreign supports": "Supports do not count against a unit that stays (5.B.8, 6.A.11)",
    "MOVE and ATTACK without PATH": "A convoyed army arrives although no fleet convoys it (5.B.4, 5.B.8)",
    "PREVENT without PATH": "A convoyed army bounces others although its convoy is disrupted (5.B.6)",
    "PREVENT by the loser of a head-to-head battle": "A unit that lost a head-to-head battle still bounces others (5.B.6, 6.E.1)",
    "PREVENT lost although not head-to-head": "A unit bounces nobody if the unit at its destination came its way, also where one was convoyed (5.B.6)",
    "PREVENT without supports": "Supports do not count in a standoff (5.B.6)",
    "PREVENT without foreign supports": "Supports count in a standoff only if they are of the same power as the move (5.B.6)",
    "PREVENT without supports by the power of the unit attacked": "In a standoff supports do not count that are given by the power of the unit in the province (5.B.6, 6.E.12)",
    "PREVENT by a unit that any attack dislodged": "A unit that is dislodged bounces nobody, from wherever the attack came (5.B.6, 6.E.4)",
    "DEFEND without supports": "Supports do not count for the defence in a head-to-head battle (5.B.7, 6.E.6)",
    "DEFEND without supports by the attacker's power": "In a head-to-head battle supports by the attacker's own power do not count for the other side (5.B.7)",
    "DEFEND without foreign supports": "In a head-to-head battle supports count for the defence only if they are of the same power (5.B.7)",
    "SUPPORT of a move never cut": "Supports for moves are not cut by attacks (6.D.3)",
    "SUPPORT in place never cut": "Supports in place are not cut by attacks (6.D.2)",
    "SUPPORT never cut by a convoyed army": "Convoyed armies do not cut support (5.B.2)",
    "SUPPORT against a unit of one's own power never given": "Support for an attack on a province with an own unit counts nowhere, not even in a standoff (6.D.10, 6.E.9)",
    "SUPPORT of a convoyed move never given": "Support for a convoyed move does not count (6.F.3)",
    "CONVOY broken by every attack": "A convoy is disrupted as soon as a fleet is attacked, not only if it is dislodged (6.F.3)",
    "MOVE never": "A move fails that nothing stops (5.B.1)",
    "CONVOY never": "A fleet does not convoy though it is not dislodged (5.B.3)",
    "PATH never by convoy": "An army is not convoyed though no fleet that it needs is dislodged (5.B.4)",
    "SUPPORT never given": "A support that nothing cuts is not given (5.B.2)",
    "SUPPORT always given": "A support is given although it is cut, or its unit dislodged (5.B.2)",
    "PREVENT nothing": "A move bounces no other one (5.B.6)",
    "PREVENT one too much": "A move bounces others as if it had a support more (5.B.6)",
    "HOLD one too much": "A unit that stays is held as if it had a support more (5.B.5)",
    "ATTACK one too much": "A move attacks as if it had a support more (5.B.8)",
    "ATTACK with one support at most": "Of several supports of an attack only one counts (5.B.8)",
    "HOLD with one support at most": "Of several supports in place only one counts (5.B.5)",
    "PREVENT with one support at most": "Of several supports only one counts in a standoff (5.B.6)",
    "DEFEND with one support at most": "Of several supports only one counts for the defence in a head-to-head battle (5.B.7)",
    "head-to-head always": "Units that exchange places bounce although they are convoyed (6.G.1)",
    "a convoy order matches no army": "A fleet's order to convoy does not count though its army is ordered to move so (4.E.2)",
    "a support order matches no move": "A support does not count though the unit is ordered to move so (4.E.2, 4.B.4)",
    "a support in place does not count": "A support in place does not count though its unit is not ordered to move (4.E.2)",
    "a legal order does not count": "An order is called illegal that is legal (4.E.1)",
    "a dislodged unit may retreat nowhere": "A dislodged unit may not retreat though it has where to go (6.H)",
    "a retreat never succeeds": "A retreat fails that nothing stops (6.H)",
    "two units retreat to one province, 6.H.7": "Units that retreat to one province do not collide (6.H.7)",
    "one unit less is built than there are centres for": "A power may build one unit less than it has centres for (4.D.4)",
    "a unit that may be built is not": "A unit is not built though it may be (6.I)",
    "a unit that may be removed is not": "A unit is not removed though it may be (6.J)",
    "never head-to-head": "Units exchange places by land: there are no head-to-head battles (6.B.13, 6.C.5)",
}  # fmt: skip
"""The sentence for a fault, by name; other faults have names that say enough."""


def part_in_words(part: str) -> str:
    """Put a setting or a fault into plain words."""
    issue, _, value = part.partition("=")
    for option in options():
        if option.issue == issue and value in option.values:
            return f"{part}: {option.values[value]}"
    fault, condition = split_fault(part)
    return f"{part}: {SENTENCES[fault]}{IF * bool(condition)}{AND.join(condition)}" if fault in SENTENCES else part
