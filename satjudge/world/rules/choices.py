"""Lists the choices of rulebooks, issue by issue (DATC chapter 4), with the meaning of each for people.

Where the 2.4 has other alternatives the meaning says so.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Self


class Choice(StrEnum):
    """A value of an option, as people write it behind `--set`, with its meaning and who chooses it.

    A value that means something else in each of several options has no meaning here; the options tell theirs.
    """

    meaning: str

    def __new__(cls, value: str, meaning: str = "") -> Self:  # noqa: D102  # the class says it
        choice = str.__new__(cls, value)
        choice._value_ = value
        choice.meaning = meaning
        return choice


class MultiRoute(Choice):
    """A choice on 4.A.1: when a convoy with several routes is disrupted."""

    ALL = "all-routes", "when all routes are (1982 and later rulebooks; DATC 3.2 b)"
    ANY = "any-route", "when one route is (1971 rulebook; DATC 3.2 a)"
    ANY_OWN = "any-own-route", "when one route is, but routes with foreign fleets do not count where own fleets suffice (guide)"


class ParadoxRule(Choice):
    """A choice on 4.A.2: the rule for convoy paradoxes.

    The first three change SUPPORT, the others are backup rules for a core.
    """

    RULE_1971 = (
        "1971",
        "a convoyed army does not cut the support of a fleet for an attack on one of its convoying fleets (1971)",
    )
    RULE_1982 = "1982", "a convoyed army does not cut a fleet's support for an action in a sea with a convoying fleet (1982)"
    RULE_2000 = (
        "2000",
        "a convoyed army does not cut support for an attack on a fleet necessary for its convoy (2000, 2023, 2025EE);"
        " a fleet is necessary if no successful route avoids it",
    )
    SZYKMAN = "szykman", "the convoys of the core fail (Szykman; DATC 3.2, the author's preference)"
    ALL_HOLD = "all-hold", "the moves of the core fail (All Hold; DATC 3.2)"
    GUIDE = (
        "guide",
        "the resolution of the core in which all its convoys are disrupted if there is one, else its moves fail (guide)",
    )
    NONE = "none", "nothing does"


class ConvoyingFleet(Choice):
    """A choice on 4.A.2 b: what the 1982 rule means by a convoying fleet."""

    ORDERED = "ordered", "a fleet that is ordered to convoy (DATC 3.2, 4.A.2 b, first meaning)"
    ARMY = "army", "a fleet ordered to convoy an army that tries to be convoyed so (second meaning)"
    ROUTE = "route", "a fleet on a complete route that is ordered for such an army (third meaning)"


class ParadoxFallback(Choice):
    """A choice on 4.A.2: what happens to a core that the paradox rule has no answer to."""

    SZYKMAN = "szykman", "the Szykman rule"
    ALL_HOLD = "all-hold", "All Hold, as often played (DATC 2.4, 4.A.2 e)"
    UNRESOLVED = "unresolved", "it is reported as unresolved: the rulebooks are silent (DATC 3.2, 6.F.18, 6.F.22 to 6.F.24)"


class ConvoyIntent(Choice):
    """A choice on 4.A.3: when an army that could go by land means to go by convoy."""

    ALWAYS = "always", "whenever it can (DATC 2.4, 4.A.3 a)"
    OPPOSITE = "opposite", "when the unit at its destination moves the other way (1971 with the recommended handling)"
    INTENT_1982 = "1982", "when an own fleet is ordered to convoy it, an own unit moves the other way, or it says so (1982)"
    OWN_OR_VIA = "own-or-via", "when a fleet of its power is ordered to convoy it, or it says `via convoy` (2000, 2023, 2025EE)"
    EXPLICIT = "explicit", "when it says `via convoy` (guide)"


class LandFallback(Choice):
    """A choice on 4.A.3: when an army that means to go by convoy goes by land after all."""

    NEVER = "never", "never (2025EE)"
    IMPOSSIBLE = "impossible", "when no fleets are there that could convoy it (first reading of “could arrive”, DATC 3.2)"
    UNORDERED = "unordered", "when no route is ordered (second reading; DATC 2.4, 4.A.3 d)"
    DISRUPTED = "disrupted", "when every ordered route is disrupted too (third reading)"


class AttackOrigin(Choice):
    """A choice on 4.A.4: the province that a convoyed attack comes from."""

    START = "start"
    LAST_FLEET = "last-fleet"


class RetreatToOrigin(Choice):
    """A choice on 4.A.5 (the third situation of 4.A.4): may a unit retreat to its convoyed attacker's province."""

    BARRED = "barred", "no: the text taken literally (1971, 1982, 2000)"
    ALLOWED = "allowed", "yes (2023, 2025EE, guide)"


class ConvoyPaths(Choice):
    """A choice on 4.A.6: what convoy paths written out count for, `A YOR - NTH - HOL`."""

    IGNORED = "ignored", "it is ignored (DATC 3.2)"
    ALLOWED = "allowed", "the army goes that way or not at all"
    REQUIRED = "required", "the same, and without a path no convoy succeeds"


class DislodgedEffect(Choice):
    """A choice on 4.A.7 (the fourth situation of 4.A.4): on what a dislodged unit has no effect."""

    NEVER = "never", "never: the text taken literally (DATC 3.2, a)"
    HEAD_TO_HEAD = "unless-head-to-head", "it does, unless it lost a head-to-head battle (guide; DATC 3.2, b)"


class CoastOmitted(Choice):
    """A choice on 4.B.1 or 4.B.7: a move without a coast where two are possible, or a build without one."""

    ILLEGAL = "illegal"
    DEFAULT = "default-coast"


class OnlyCoastOmitted(Choice):
    """A choice on 4.B.2: a move without a coast where one is possible."""

    POSSIBLE = "possible-coast", "to that coast (DATC 3.2, a)"
    DEFAULT = "default-coast", "to a default coast, or illegal if that is the other one (DATC 2.4, b)"
    ILLEGAL = "illegal", "illegal (DATC 3.2, b)"


class ImpossibleCoast(Choice):
    """A choice on 4.B.3: a move to a coast that cannot be reached though the other can."""

    POSSIBLE = "possible-coast", "to the other coast (DATC 3.2, a)"
    ILLEGAL = "illegal", "illegal (DATC 3.2, b)"


class SupportCoast(Choice):
    """A choice on 4.B.4: coasts in support orders."""

    MANDATORY = "mandatory", "must be named and match (DATC 2.4, a)"
    MANDATORY_IF_TWO = "mandatory-if-two", "must match, and be named where the fleet could go to both (DATC 3.2, a)"
    DEFAULT = "default-coast", "must match; a default coast where none is named (DATC 2.4, b)"
    OWN = "own-may-omit", "must match, and be named where a foreign fleet could go to both (Calhamer; DATC 3.2, b)"
    EITHER = "either", "must match if named; else any coast is supported (DATC 3.2, c; 2023)"
    IGNORED = "ignored", "are ignored: any coast is supported (guide; DATC 2.4, e)"


class Mistake(Choice):
    """A choice on 4.B.5, 4.B.6, 4.C.1, 4.C.2, 4.C.5, 4.C.6, or senseless `via convoy` (4.E.1): what becomes of a mistake.

    Is an order with this mistake illegal, or is the mistake ignored?
    """

    ILLEGAL = "illegal", "such an order is illegal"
    IGNORED = "ignored", "the mistake is ignored"


class BuildWithoutKind(Choice):
    """A choice on 4.C.3: a build that does not say army or fleet."""

    ILLEGAL = "illegal", "illegal (DATC 2.4, a)"
    INLAND_ARMY = "inland-army", "an army inland; illegal at the coast (2000 and later rulebooks; DATC 2.4, b)"
    COAST_FLEET = "inland-army-coast-fleet", "an army inland; at the coast a fleet if a coast is named (DATC 2.4, c)"


class InlandFleet(Choice):
    """A choice on 4.C.4: the build of a fleet in an inland province."""

    ILLEGAL = "illegal", "illegal (DATC 3.2, a)"
    ARMY = "army", "an army (DATC 3.2, b)"


class SeveralOrders(Choice):
    """A choice on 4.D.3: several legal orders for one unit."""

    FIRST = "first", "the first counts (2025EE)"
    LAST = "last", "the last counts"
    NONE = "all-illegal", "all are illegal and the unit holds (DATC 3.2, c; DATC 2.4, c)"


class TooMany(Choice):
    """A choice on 4.D.4 or 4.D.5: too many builds, or several for one province."""

    FIRST = "first"
    LAST = "last"
    NONE = "all-illegal"


class TooManyRemovals(Choice):
    """A choice on 4.D.6: too many removals."""

    FIRST = "first", "the first legal ones count (2025EE)"
    LAST = "last", "the last legal ones count"
    CIVIL_DISORDER = "civil-disorder", "all are illegal, and civil disorder decides"


class Declining(Choice):
    """A choice on 4.D.7: whether a build may be declined."""

    ALLOWED = "allowed", "yes (2000, 2023)"
    REFUSED = (
        "refused",
        "no: such an order is illegal, and a power that could build more leaves the phase unresolved (DATC 3.2, b)",
    )


class CivilDisorder(Choice):
    """A choice on 4.D.8: the units that are removed when their power does not say."""

    HOME_CENTERS = (
        "1971",
        "farthest from the home centres, fleets by fleet moves, armies also over water (1971, 1982; DATC 2.4, d)",
    )
    HOME_COUNTRY = "2000", "farthest from the home country, counted in the same way (2000)"
    GUIDE = "guide", "farthest from the home centres, with the guide's alphabet (guide)"
    OWNED_CENTERS = "2023", "farthest from an owned centre over adjacent provinces of any kind (2023, 2025EE)"
    ONE_MOVE = "convoy-one-move", "as 1971, but a convoy, whether fleets are there or not, counts as one move (DATC 2.4, a)"
    OWN_FLEETS = (
        "convoy-own-fleets",
        "as 1971, but a convoy counts as one move and needs fleets of the same power (DATC 2.4, b)",
    )
    ANY_FLEETS = "convoy-any-fleets", "as 1971, but a convoy counts as one move and needs fleets of any power (DATC 2.4, c)"
    EITHER = "either-abilities", "farthest from the home centres over adjacent provinces of any kind (DATC 2.4, e)"


class Language(Choice):
    """A choice on 4.D.8: the language of the names that decide whom civil disorder removes."""

    ENGLISH = "english", "English (DATC 3.2, by default)"
    FRENCH = "french", "French: the names on the boards of a game face to face (DATC 3.2)"
    GERMAN = "german", "German: the names on the boards of a game face to face (DATC 3.2)"


class DisorderRetreats(Choice):
    """A choice on XIV.3 of the 1971 and 1982 rulebooks: may a dislodged unit retreat whose power gave no orders."""

    ALLOWED = "allowed", "yes"
    REFUSED = "refused", "no: it is disbanded (1971 and 1982, XIV.3)"


class DisorderSupport(Choice):
    """A choice on 4.D.9: may a unit of a power in civil disorder be supported in place."""

    GIVEN = "given", "yes (DATC 3.2, b)"
    REFUSED = "refused", "no (DATC 3.2, a)"


class IllegalOrders(Choice):
    """A choice on 4.E.1: what becomes of an illegal order."""

    IGNORED = "ignored", "it is ignored (2023, 2025EE; DATC 3.2)"
    HOLD = "hold", "an illegal move counts as a hold that takes no hold support; the rest is ignored (guide; DATC 2.4, a and b)"
    HOLD_IF_POSSIBLE = (
        "hold-if-possible",
        "the same, if the move would be possible with other units on the board; else ignored (DATC 2.4, c)",
    )


class SuperfluousConvoy(Choice):
    """A choice on 4.E.1: a convoy order to a fleet that is on routes, but on none that needs the fleet."""

    ILLEGAL = "illegal", "illegal: routes are proper ones (DATC 3.2, 4.E.1 and 6.G.19)"
    LEGAL = "legal", "legal, and the fleet is part of the convoy (guide, Step 1)"


class ImplicitOrders(Choice):
    """A choice on 4.E.3: may a support or convoy order move its own power's unit that has no order."""

    ALLOWED = "allowed", "yes (DATC 3.2, a)"
    IGNORED = "ignored", "no (DATC 3.2, b)"


class DefendersSupport(Choice):
    """A choice on 5.B.8: whether an attacked power's support for the attack counts against rival attackers.

    Such support never dislodges.
    """

    IGNORED = "ignored", "no (DATC 5.B.8, 6.E.7)"
    AGAINST_RIVALS = "against-rivals", "yes, though not against the unit itself (guide, Steps 15, 19 and 20)"


class SupportCoreRule(Choice):
    """A choice on DATC 2.4, 10.F: what happens to supports over difficult borders that cut each other round."""

    CUT = "cut", "all are cut (DATC 2.4, 10.F: “both supports are cut or both supports are not cut”)"
    GIVEN = "given", "none is cut (the other way to treat them alike)"
    UNRESOLVED = "unresolved", "an explicit error"


class OtherCoreRule(Choice):
    """A choice on 5.B.9: a core with no or several resolutions that holds neither moves alone nor a convoy."""

    UNRESOLVED = "unresolved", "an explicit error; no such core is known under the standard rules"
    ALL_FAIL = "all-fail", "its moves and supports fail (DATC 5.B.9, meant for variants)"
