"""What rulebooks choose between, issue by issue (DATC chapter 4); where the 2.4 has other alternatives the value says so."""

from __future__ import annotations

from enum import StrEnum


class MultiRoute(StrEnum):
    """4.A.1: when is a convoy with several routes disrupted?"""

    ALL = "all-routes"
    ANY = "any-route"
    ANY_OWN = "any-own-route"


class ParadoxRule(StrEnum):
    """4.A.2: convoy paradoxes. The first three change SUPPORT, the others are backup rules for a core."""

    RULE_1971 = "1971"
    RULE_1982 = "1982"
    RULE_2000 = "2000"
    SZYKMAN = "szykman"
    ALL_HOLD = "all-hold"
    GUIDE = "guide"
    NONE = "none"


class ConvoyingFleet(StrEnum):
    """4.A.2 b: what the 1982 rule means by a convoying fleet."""

    ORDERED = "ordered"
    ARMY = "army"
    ROUTE = "route"


class ParadoxFallback(StrEnum):
    """4.A.2: what happens to a core that the paradox rule has no answer to."""

    SZYKMAN = "szykman"
    ALL_HOLD = "all-hold"
    UNRESOLVED = "unresolved"


class ConvoyIntent(StrEnum):
    """4.A.3: when does an army that could go by land mean to go by convoy?"""

    ALWAYS = "always"
    OPPOSITE = "opposite"
    INTENT_1982 = "1982"
    OWN_OR_VIA = "own-or-via"
    EXPLICIT = "explicit"


class LandFallback(StrEnum):
    """4.A.3: when does an army that means to go by convoy go by land after all?"""

    NEVER = "never"
    IMPOSSIBLE = "impossible"
    UNORDERED = "unordered"
    DISRUPTED = "disrupted"


class AttackOrigin(StrEnum):
    """4.A.4: where does a convoyed attack come from?"""

    START = "start"
    LAST_FLEET = "last-fleet"


class RetreatToOrigin(StrEnum):
    """4.A.5 (the third situation of 4.A.4): may a unit retreat to where its convoyed attacker came from?"""

    BARRED = "barred"
    ALLOWED = "allowed"


class ConvoyPaths(StrEnum):
    """4.A.6: convoy paths written out, `A YOR - NTH - HOL`."""

    IGNORED = "ignored"
    ALLOWED = "allowed"
    REQUIRED = "required"


class DislodgedEffect(StrEnum):
    """4.A.7 (the fourth situation of 4.A.4): on what does a dislodged unit have no effect?"""

    NEVER = "never"
    HEAD_TO_HEAD = "unless-head-to-head"


class CoastOmitted(StrEnum):
    """4.B.1: a move without a coast where two are possible; 4.B.7: a build without one."""

    ILLEGAL = "illegal"
    DEFAULT = "default-coast"


class OnlyCoastOmitted(StrEnum):
    """4.B.2: a move without a coast where one is possible."""

    POSSIBLE = "possible-coast"
    DEFAULT = "default-coast"
    ILLEGAL = "illegal"


class ImpossibleCoast(StrEnum):
    """4.B.3: a move to a coast that cannot be reached though the other can."""

    POSSIBLE = "possible-coast"
    ILLEGAL = "illegal"


class SupportCoast(StrEnum):
    """4.B.4: coasts in support orders."""

    MANDATORY = "mandatory"
    MANDATORY_IF_TWO = "mandatory-if-two"
    DEFAULT = "default-coast"
    OWN = "own-may-omit"
    EITHER = "either"
    IGNORED = "ignored"


class Mistake(StrEnum):
    """4.B.5, 4.B.6, 4.C.1, 4.C.2, 4.C.5, 4.C.6, and `via convoy` where it makes no sense (4.E.1).

    Is an order with this mistake illegal, or is the mistake ignored?
    """

    ILLEGAL = "illegal"
    IGNORED = "ignored"


class BuildWithoutKind(StrEnum):
    """4.C.3: a build that does not say army or fleet."""

    ILLEGAL = "illegal"
    INLAND_ARMY = "inland-army"
    COAST_FLEET = "inland-army-coast-fleet"


class InlandFleet(StrEnum):
    """4.C.4: building a fleet in an inland province."""

    ILLEGAL = "illegal"
    ARMY = "army"


class SeveralOrders(StrEnum):
    """4.D.3: several legal orders for one unit."""

    FIRST = "first"
    LAST = "last"
    NONE = "all-illegal"


class TooMany(StrEnum):
    """4.D.4, 4.D.5: too many builds, or several for one province."""

    FIRST = "first"
    LAST = "last"
    NONE = "all-illegal"


class TooManyRemovals(StrEnum):
    """4.D.6: too many removals."""

    FIRST = "first"
    LAST = "last"
    CIVIL_DISORDER = "civil-disorder"


class Declining(StrEnum):
    """4.D.7: may a build be declined?"""

    ALLOWED = "allowed"
    REFUSED = "refused"


class CivilDisorder(StrEnum):
    """4.D.8: which units are removed when their power does not say."""

    HOME_CENTERS = "1971"
    HOME_COUNTRY = "2000"
    GUIDE = "guide"
    OWNED_CENTERS = "2023"
    ONE_MOVE = "convoy-one-move"
    OWN_FLEETS = "convoy-own-fleets"
    ANY_FLEETS = "convoy-any-fleets"
    EITHER = "either-abilities"


class Language(StrEnum):
    """4.D.8: in which language do the names decide whom civil disorder removes?"""

    ENGLISH = "english"
    FRENCH = "french"
    GERMAN = "german"


class DisorderRetreats(StrEnum):
    """1971 and 1982 rulebooks, XIV.3: may a dislodged unit retreat whose power gave no orders?"""

    ALLOWED = "allowed"
    REFUSED = "refused"


class DisorderSupport(StrEnum):
    """4.D.9: may a unit of a power in civil disorder be supported in place?"""

    GIVEN = "given"
    REFUSED = "refused"


class IllegalOrders(StrEnum):
    """4.E.1: what becomes of an illegal order."""

    IGNORED = "ignored"
    HOLD = "hold"
    HOLD_IF_POSSIBLE = "hold-if-possible"


class SuperfluousConvoy(StrEnum):
    """4.E.1: is a convoy order legal for a fleet that is on a route, but on none that could not do without it?"""

    ILLEGAL = "illegal"
    LEGAL = "legal"


class ImplicitOrders(StrEnum):
    """4.E.3: is a unit without an order moved as its own power's support or convoy says?"""

    ALLOWED = "allowed"
    IGNORED = "ignored"


class DefendersSupport(StrEnum):
    """5.B.8: support for an attack that is given by the power of the unit attacked never dislodges it. Does it still count
    against rival attackers?
    """

    IGNORED = "ignored"
    AGAINST_RIVALS = "against-rivals"


class SupportCoreRule(StrEnum):
    """DATC 2.4, 10.F: supports over difficult borders that cut each other round."""

    CUT = "cut"
    GIVEN = "given"
    UNRESOLVED = "unresolved"


class OtherCoreRule(StrEnum):
    """5.B.9: what happens to a core with no or several resolutions that holds neither moves alone nor a convoy."""

    UNRESOLVED = "unresolved"
    ALL_FAIL = "all-fail"
