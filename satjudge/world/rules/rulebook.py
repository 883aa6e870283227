"""Lists the options of rulebooks in one table: each issue of DATC 3.2 with its choices, their meaning and its default.

Issues that a game master settles before adjudication (4.D.1, 4.D.2, 4.E.4 to 4.E.6) and issues without alternatives (4.E.2)
are not options; docs/reference/rulebooks.md lists them. If version 2.4 has other alternatives, the meaning says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any, Self

from msgspec import Struct
from msgspec.structs import astuple, replace

from satjudge.base.errors import RulebookError
from satjudge.base.imports import cached_property
from satjudge.base.values import one_line

if TYPE_CHECKING:
    from satjudge.world.geography import Map


class Choice(StrEnum):
    """A value of an option as written in `--set`, with its meaning and the rulebooks that choose it.

    A value whose meaning differs between options has no meaning here; each option states its own.
    """

    meaning: str

    def __new__(cls, value: str, meaning: str = "") -> Self:  # noqa: D102  # see the class
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
    NONE = "none", "no rule does"


class ConvoyingFleet(Choice):
    """A choice on 4.A.2 b: what the 1982 rule means by a convoying fleet."""

    ORDERED = "ordered", "a fleet that is ordered to convoy (DATC 3.2, 4.A.2 b, first meaning)"
    ARMY = "army", "a fleet ordered to convoy an army that tries to be convoyed so (second meaning)"
    ROUTE = "route", "a fleet on a complete route that is ordered for such an army (third meaning)"


class ParadoxFallback(Choice):
    """A choice on 4.A.2: what happens to a core that the paradox rule does not settle."""

    SZYKMAN = "szykman", "the Szykman rule"
    ALL_HOLD = "all-hold", "All Hold, as often played (DATC 2.4, 4.A.2 e)"
    UNRESOLVED = "unresolved", "it is reported as unresolved: the rulebooks are silent (DATC 3.2, 6.F.18, 6.F.22 to 6.F.24)"


class ConvoyIntent(Choice):
    """A choice on 4.A.3: when an army that could go by land is taken to intend a convoy."""

    ALWAYS = "always", "whenever it can (DATC 2.4, 4.A.3 a)"
    OPPOSITE = "opposite", "when the unit at its destination moves the other way (1971 with the recommended handling)"
    INTENT_1982 = "1982", "when an own fleet is ordered to convoy it, an own unit moves the other way, or it says so (1982)"
    OWN_OR_VIA = "own-or-via", "when a fleet of its power is ordered to convoy it, or it says `via convoy` (2000, 2023, 2025EE)"
    EXPLICIT = "explicit", "when it says `via convoy` (guide)"


class LandFallback(Choice):
    """A choice on 4.A.3: when an army that intends a convoy goes by land after all."""

    NEVER = "never", "never (2025EE)"
    IMPOSSIBLE = "impossible", "when no fleets are there that could convoy it (first reading of “could arrive”, DATC 3.2)"
    UNORDERED = "unordered", "when no route is ordered (second reading; DATC 2.4, 4.A.3 d)"
    DISRUPTED = "disrupted", "when every ordered route is disrupted too (third reading)"


class AttackOrigin(Choice):
    """A choice on 4.A.4: the province from which a convoyed attack comes."""

    START = "start"
    LAST_FLEET = "last-fleet"


class RetreatToOrigin(Choice):
    """A choice on 4.A.5 (the third situation of 4.A.4): whether a unit may retreat to its convoyed attacker's province."""

    BARRED = "barred", "no: the text taken literally (1971, 1982, 2000)"
    ALLOWED = "allowed", "yes (2023, 2025EE, guide)"


class ConvoyPaths(Choice):
    """A choice on 4.A.6: whether a convoy path in an order counts, such as `A YOR - NTH - HOL`."""

    IGNORED = "ignored", "it is ignored (DATC 3.2)"
    ALLOWED = "allowed", "the army goes that way or not at all"
    REQUIRED = "required", "the same, and without a path no convoy succeeds"


class DislodgedEffect(Choice):
    """A choice on 4.A.7 (the fourth situation of 4.A.4): whether a dislodged unit can bounce others where its attacker was."""

    NEVER = "never", "never: the text taken literally (DATC 3.2, a)"
    HEAD_TO_HEAD = "unless-head-to-head", "it does, unless it lost a head-to-head battle (guide; DATC 3.2, b)"


class CoastOmitted(Choice):
    """A choice on 4.B.1 or 4.B.7: a move without a coast if two are possible, or a fleet built without one."""

    ILLEGAL = "illegal"
    DEFAULT = "default-coast"


class OnlyCoastOmitted(Choice):
    """A choice on 4.B.2: a move without a coast if only one is possible."""

    POSSIBLE = "possible-coast", "to that coast (DATC 3.2, a)"
    DEFAULT = "default-coast", "to a default coast, or illegal if that is the other one (DATC 2.4, b)"
    ILLEGAL = "illegal", "illegal (DATC 3.2, b)"


class ImpossibleCoast(Choice):
    """A choice on 4.B.3: a move to a coast that the fleet cannot reach, although it can reach the other."""

    POSSIBLE = "possible-coast", "to the other coast (DATC 3.2, a)"
    ILLEGAL = "illegal", "illegal (DATC 3.2, b)"


class SupportCoast(Choice):
    """A choice on 4.B.4: coasts in support orders."""

    MANDATORY = "mandatory", "every coast, and it must match (DATC 2.4, a)"
    MANDATORY_IF_TWO = "mandatory-if-two", "only where the fleet could go to both; a named coast must match (DATC 3.2, a)"
    DEFAULT = "default-coast", "none, which means a default coast; the coast must match (DATC 2.4, b)"
    OWN = "own-may-omit", "only where a foreign fleet could go to both; a named coast must match (Calhamer; DATC 3.2, b)"
    EITHER = "either", "none; a named coast must match, else any coast is supported (DATC 3.2, c; 2023)"
    IGNORED = "ignored", "none; coasts are ignored, and any coast is supported (guide; DATC 2.4, e)"


class Mistake(Choice):
    """A choice on 4.B.5, 4.B.6, 4.C.1, 4.C.2, 4.C.5, 4.C.6, or `via convoy` for a fleet (4.E.1): how to treat a mistake.

    The order with the mistake is illegal, or the mistake is ignored.
    """

    ILLEGAL = "illegal", "such an order is illegal"
    IGNORED = "ignored", "the mistake is ignored"


class BuildWithoutKind(Choice):
    """A choice on 4.C.3: a build that does not name an army or a fleet."""

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
    """A choice on 4.D.8: which units are removed if their power does not order enough removals."""

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
    """A choice on 4.D.8: the language of the province names by which civil disorder chooses between equally distant units."""

    ENGLISH = "english", "English (DATC 3.2, by default)"
    FRENCH = "french", "French: the names on the boards of a game face to face (DATC 3.2)"
    GERMAN = "german", "German: the names on the boards of a game face to face (DATC 3.2)"


class DisorderRetreats(Choice):
    """A choice on XIV.3 of the 1971 and 1982 rulebooks: whether a dislodged unit may retreat if its power gave no orders."""

    ALLOWED = "allowed", "yes"
    REFUSED = "refused", "no: it is disbanded (1971 and 1982, XIV.3)"


class DisorderSupport(Choice):
    """A choice on 4.D.9: whether a unit of a power in civil disorder can be given hold support."""

    GIVEN = "given", "yes (DATC 3.2, b)"
    REFUSED = "refused", "no (DATC 3.2, a)"


class IllegalOrders(Choice):
    """A choice on 4.E.1: how an illegal order is treated."""

    IGNORED = "ignored", "it is ignored (2023, 2025EE; DATC 3.2)"
    HOLD = "hold", "an illegal move counts as a hold that takes no hold support; the rest is ignored (guide; DATC 2.4, a and b)"
    HOLD_IF_POSSIBLE = (
        "hold-if-possible",
        "the same, if the move would be possible with other units on the board; else ignored (DATC 2.4, c)",
    )


class SuperfluousConvoy(Choice):
    """A choice on 4.E.1: a convoy order to a fleet that every route it is on could do without."""

    ILLEGAL = "illegal", "illegal: routes are proper ones (DATC 3.2, 4.E.1 and 6.G.19)"
    LEGAL = "legal", "legal, and the fleet is part of the convoy (guide, Step 1)"


class ImplicitOrders(Choice):
    """A choice on 4.E.3: whether a support or convoy order moves a unit of the same power that has no order."""

    ALLOWED = "allowed", "yes (DATC 3.2, a)"
    IGNORED = "ignored", "no (DATC 3.2, b)"


class DefendersSupport(Choice):
    """A choice on 5.B.8: whether an attacked power's support for the attack counts against rival attackers.

    Such support never dislodges.
    """

    IGNORED = "ignored", "no (DATC 5.B.8, 6.E.7)"
    AGAINST_RIVALS = "against-rivals", "yes, though not against the unit itself (guide, Steps 15, 19 and 20)"


class SupportCoreRule(Choice):
    """A choice on DATC 2.4, 10.F: what happens to supports over difficult borders that cut each other in a circle."""

    CUT = "cut", "all are cut (DATC 2.4, 10.F: “both supports are cut or both supports are not cut”)"
    GIVEN = "given", "none is cut (the other way to treat them alike)"
    UNRESOLVED = "unresolved", "an explicit error"


class OtherCoreRule(Choice):
    """A choice on 5.B.9: a core with no or several resolutions that has supports but no convoys."""

    UNRESOLVED = "unresolved", "an explicit error; no such core is known under the standard rules"
    ALL_FAIL = "all-fail", "its moves and supports fail (DATC 5.B.9, meant for variants)"


class Option(Struct, frozen=True):
    """An issue that rulebooks decide: its number, a question, and each value with its meaning and source."""

    issue: str
    question: str
    values: Mapping[str, str]


_STATED: list[tuple[Option, type[Choice]]] = []
"""Each option with the class of its values, in the order of the fields of `Rulebook`."""


def _option(issue: str, question: str, default: Choice, **meanings: str) -> Any:  # noqa: ANN401  # the field's type
    """Add an option for `Rulebook`'s next field, and return its default; `meanings`, by value name, replace values' own."""
    kind = type(default)
    _STATED.append((Option(issue, question, {str(value): meanings.get(value.name, value.meaning) for value in kind}), kind))
    return default


class Rulebook(Struct, frozen=True, dict=True):
    """The choices of one rulebook; the defaults are those of the author of DATC 3.2."""

    name: str
    title: str
    multi_route: MultiRoute = _option("4.A.1", "When is a convoy with several routes disrupted?", MultiRoute.ALL)
    paradox: ParadoxRule = _option("4.A.2", "What settles convoy paradoxes?", ParadoxRule.SZYKMAN)
    convoying_fleet: ConvoyingFleet = _option(
        "4.A.2.1982", "What does the 1982 paradox rule mean by a convoying fleet?", ConvoyingFleet.ARMY
    )
    paradox_fallback: ParadoxFallback = _option(
        "4.A.2.fallback", "What happens if the paradox rule does not settle a core?", ParadoxFallback.SZYKMAN
    )
    convoy_intent: ConvoyIntent = _option(
        "4.A.3", "When is an army convoyed although it could go by land?", ConvoyIntent.OWN_OR_VIA
    )
    land_fallback: LandFallback = _option("4.A.3.fallback", "When does such an army go by land after all?", LandFallback.NEVER)
    head_to_head_origin: AttackOrigin = _option(
        "4.A.4.1",
        "From where does a convoyed army attack a fleet that attacks its last convoying fleet?",
        AttackOrigin.START,
        START="from where the army stands: there is no head-to-head battle (Calhamer; DATC 3.2, 6.F.30)",
        LAST_FLEET="from the last fleet: they meet head-to-head (Brannan's rule)",
    )
    paradox_origin: AttackOrigin = _option(
        "4.A.4.2",
        "From where does it attack a unit that supports an attack on its last convoying fleet?",
        AttackOrigin.START,
        START="from where the army stands: it cuts the support (DATC 3.2)",
        LAST_FLEET="from the last fleet: it does not cut the support (Brannan's rule)",
    )
    support_origin: AttackOrigin = _option(
        "4.A.4.5",
        "From where does a convoyed army attack a unit that supports an attack on the army's own province?",
        AttackOrigin.START,
        START="from there: it does not cut the support (Calhamer; DATC 3.2, 6.G.13)",
        LAST_FLEET="from the last fleet: it cuts the support (guide; Brannan's rule)",
    )
    retreat_to_origin: RetreatToOrigin = _option(
        "4.A.5", "May a unit retreat to the province that its convoyed attacker left?", RetreatToOrigin.ALLOWED
    )
    convoy_paths: ConvoyPaths = _option("4.A.6", "How is a convoy path in an order treated?", ConvoyPaths.IGNORED)
    dislodged_effect: DislodgedEffect = _option(
        "4.A.7",
        "Can a dislodged unit bounce others in the province that its attacker left?",
        DislodgedEffect.HEAD_TO_HEAD,
    )
    coast_omitted: CoastOmitted = _option(
        "4.B.1", "How is a move without a coast treated if two coasts are possible?", CoastOmitted.ILLEGAL,
        ILLEGAL="illegal (all rulebooks; DATC 3.2)",
        DEFAULT="to a default coast, south before east (DATC 2.4, b; the coast is our choice)",
    )  # fmt: skip
    only_coast_omitted: OnlyCoastOmitted = _option(
        "4.B.2", "How is a move without a coast treated if one coast is possible?", OnlyCoastOmitted.POSSIBLE
    )
    impossible_coast: ImpossibleCoast = _option(
        "4.B.3", "How is a move treated if only the other coast can be reached?", ImpossibleCoast.ILLEGAL
    )
    support_coast: SupportCoast = _option("4.B.4", "Which coasts must support orders name?", SupportCoast.EITHER)
    wrong_coast: Mistake = _option("4.B.5", "How is a wrong coast of the ordered or supported unit treated?", Mistake.IGNORED)
    unknown_coast: Mistake = _option("4.B.6", "How is a nonexistent coast, or a coast for an army, treated?", Mistake.IGNORED)
    build_coast: CoastOmitted = _option(
        "4.B.7", "How is the build of a fleet without a coast treated if there are two coasts?", CoastOmitted.ILLEGAL,
        ILLEGAL="illegal (1971 and later rulebooks)",
        DEFAULT="on a default coast, south before east (DATC 2.4, b)",
    )  # fmt: skip
    missing_kind: Mistake = _option(
        "4.C.1", "How is an order treated that does not call its unit army or fleet?", Mistake.IGNORED
    )
    wrong_kind: Mistake = _option(
        "4.C.2", "How is an order treated that calls a fleet an army, or an army a fleet?", Mistake.IGNORED
    )
    build_without_kind: BuildWithoutKind = _option(
        "4.C.3", "How is a build treated that does not name an army or a fleet?", BuildWithoutKind.INLAND_ARMY
    )
    inland_fleet: InlandFleet = _option("4.C.4", "How is the build of a fleet inland treated?", InlandFleet.ILLEGAL)
    missing_nationality: Mistake = _option(
        "4.C.5", "How is a support or convoy order treated that omits a foreign unit's nationality?", Mistake.IGNORED
    )
    wrong_nationality: Mistake = _option(
        "4.C.6", "How is a support or convoy order treated that gives a unit the wrong nationality?", Mistake.IGNORED
    )
    several_orders: SeveralOrders = _option(
        "4.D.3", "Which order counts if a unit has several legal ones?", SeveralOrders.FIRST
    )
    too_many_builds: TooMany = _option(
        "4.D.4", "Which builds count if there are too many?", TooMany.FIRST,
        FIRST="the first legal ones count (2025EE)",
        LAST="the last legal ones count",
        NONE="all are illegal",
    )  # fmt: skip
    builds_in_one_province: TooMany = _option(
        "4.D.5", "Which build counts if there are several in one province?", TooMany.FIRST,
        FIRST="the first counts (DATC 3.2, b)",
        LAST="the last counts",
        NONE="all are illegal",
    )  # fmt: skip
    too_many_removals: TooManyRemovals = _option("4.D.6", "Which removals count if there are too many?", TooManyRemovals.FIRST)
    declining: Declining = _option("4.D.7", "May a build be declined?", Declining.ALLOWED)
    civil_disorder: CivilDisorder = _option("4.D.8", "Which units does civil disorder remove?", CivilDisorder.OWNED_CENTERS)
    alphabet_language: Language = _option(
        "4.D.8.language", "In which language do names decide between equally distant units?", Language.ENGLISH
    )
    disorder_support: DisorderSupport = _option(
        "4.D.9", "May a unit of a power without any orders be supported in place?", DisorderSupport.GIVEN
    )
    disorder_retreats: DisorderRetreats = _option(
        "4.D.9.retreats", "May a dislodged unit of a power without any orders retreat?", DisorderRetreats.ALLOWED
    )
    illegal_orders: IllegalOrders = _option("4.E.1", "How is an illegal order treated?", IllegalOrders.IGNORED)
    superfluous_convoy: SuperfluousConvoy = _option(
        "4.E.1.convoy", "Is a convoy order legal for a fleet that no route needs?", SuperfluousConvoy.ILLEGAL
    )
    impossible_via: Mistake = _option(
        "4.E.1.via", "How is `via convoy` treated in a fleet's move or in a retreat?", Mistake.ILLEGAL,
        ILLEGAL="illegal: it makes no sense (DATC 3.2, 4.E.1 and 6.A.7; guide)",
        IGNORED="the words are ignored",
    )  # fmt: skip
    implicit_orders: ImplicitOrders = _option(
        "4.E.3", "Does a support or convoy order also move a unit of the same power that has no order?", ImplicitOrders.IGNORED
    )
    defenders_support: DefendersSupport = _option(
        "5.B.8",
        "Does support by the attacked unit's power count against rivals of the attack?",
        DefendersSupport.IGNORED,
    )
    other_cores: OtherCoreRule = _option(
        "5.B.9",
        "What happens to a core with supports but without convoys if it has no or several resolutions?",
        OtherCoreRule.UNRESOLVED,
    )
    support_cores: SupportCoreRule = _option(
        "10.F", "What happens to supports over difficult borders that cut each other in a circle?", SupportCoreRule.CUT
    )
    difficult_borders: bool = False
    """True if the map has difficult borders; this field and those below are not choices but set by `with_map_rules`."""
    railroads: bool = False
    canals: bool = False
    half_strength: bool = False

    def with_map_rules(self, game_map: Map) -> Rulebook:
        """Return this rulebook with the map's own rules added (DATC 2.4, 7 and 10); on most maps, the rulebook itself."""
        if not game_map.has_rules:
            return self
        rules = (game_map.difficult, game_map.railroads, game_map.canals, game_map.half_strength)
        return _on_map(self, *map(bool, rules))

    def __post_init__(self) -> None:
        by_circumstances = self.convoy_intent in (ConvoyIntent.ALWAYS, ConvoyIntent.OPPOSITE)
        if by_circumstances and self.land_fallback is LandFallback.NEVER:
            raise RulebookError(
                f"4.A.3={self.convoy_intent} cannot be combined with 4.A.3.fallback=never: armies could hardly move by land",
                suggestion="add --set 4.A.3.fallback=unordered",
            )

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        """The hash, which is cached because rulebooks are hashed often and have many choices."""
        return hash(astuple(self))

    def __repr__(self) -> str:
        return one_line("Rulebook", self.name, self.title)

    def settings(self) -> dict[str, str]:
        """Return the chosen value of every issue, by issue: `{"4.A.2": "szykman", …}`."""
        return {issue: str(getattr(self, name)) for issue, name in option_fields().items()}

    def with_settings(self, settings: Iterable[str]) -> Rulebook:
        """Return a copy of this rulebook, renamed, with issues changed by texts such as `4.A.2=all-hold`; itself without any.

        Raises `RulebookError` for an unknown issue or value, and for choices that cannot be combined.
        """
        chosen: dict[str, str] = {}
        for setting in settings:
            issue, equals, value = (part.strip() for part in setting.partition("="))
            if not equals or not value or not issue:
                raise RulebookError(f"write a setting as ISSUE=VALUE, as in 4.A.2=all-hold, not {setting!r}")
            chosen[issue] = value
        if not chosen:
            return self
        label = ", ".join(f"{issue}={value}" for issue, value in chosen.items())
        return replace(self, name=f"{self.name} with {label}", **read_settings(chosen))


@cache
def _on_map(rulebook: Rulebook, difficult: bool, railroads: bool, canals: bool, half: bool) -> Rulebook:
    return replace(rulebook, difficult_borders=difficult, railroads=railroads, canals=canals, half_strength=half)


def options() -> list[Option]:
    """Return every issue that rulebooks decide, with its question and values, in the order of the DATC."""
    return [option for option, _ in _STATED]


def before_options() -> dict[str, str]:
    """Map every issue to its default, which is what all rulebooks did before the option was added.

    So data that does not mention an option keeps its meaning.
    """
    return Rulebook("", "").settings()


@cache
def _options() -> dict[str, tuple[Option, type[Choice]]]:
    return {option.issue: (option, kind) for option, kind in _STATED}


@cache
def option_fields() -> dict[str, str]:
    """Map each issue to the name of its field in `Rulebook`."""
    names = Rulebook.__struct_fields__[2:]  # after name and title; the map's rules come last
    return dict(zip(_options(), names, strict=False))


_BUNDLES = {
    ("4.A.3", "1971"): {"4.A.3": "opposite", "4.A.3.fallback": "disrupted"},
    ("4.A.3", "2000"): {"4.A.3": "own-or-via", "4.A.3.fallback": "unordered"},
    ("4.A.3", "2023"): {"4.A.3": "own-or-via", "4.A.3.fallback": "unordered"},
    ("4.A.3", "2025ee"): {"4.A.3": "own-or-via", "4.A.3.fallback": "never"},
    ("4.A.4.3", "start"): {"4.A.5": "barred"},
    ("4.A.4.3", "last-fleet"): {"4.A.5": "allowed"},
    ("4.A.4.4", "start"): {"4.A.7": "never"},
    ("4.A.4.4", "last-fleet"): {"4.A.7": "unless-head-to-head"},
    **{
        ("4.A.4", value): {
            **{f"4.A.4.{situation}": value for situation in (1, 2, 5)},
            "4.A.5": "barred" if value == "start" else "allowed",
            "4.A.7": "never" if value == "start" else "unless-head-to-head",
        }
        for value in ("start", "last-fleet")
    },
}
"""Short names for combinations of choices: 4.A.4 stands for all of Brannan's rule, or for its opposite."""


def read_settings(settings: Mapping[str, str]) -> dict[str, Any]:
    """Map fields of `Rulebook` to the values that settings by issue (or short name for several) choose; or `RulebookError`."""
    plain: dict[str, str] = {}
    for issue, value in settings.items():
        plain.update(_BUNDLES.get((issue, value.lower()), {issue: value}))
    read: dict[str, Any] = {}
    for issue, value in plain.items():
        if issue not in _options():
            raise RulebookError(f"there is no option {issue!r}", suggestion=_suggest_issue(issue))
        option, kind = _options()[issue]
        if value.lower() not in option.values:
            raise RulebookError(f"option {issue} has no value {value!r}", suggestion=f"values: {', '.join(option.values)}")
        read[option_fields()[issue]] = kind(value.lower())
    return read


_NO_OPTIONS = {
    **dict.fromkeys(("4.D.1", "4.D.2", "4.E.4", "4.E.5", "4.E.6"), "a game master settles this before adjudication"),
    "4.E.2": "in 3.2 that issue is about words only; docs/reference/rulebooks.md explains how 2.4 treats unreadable orders",
}


def _suggest_issue(issue: str) -> str:
    """Return a hint for a text that is not an issue: why it has no option, similar issues, or the command that lists all."""
    if issue in _NO_OPTIONS:
        return _NO_OPTIONS[issue]
    from difflib import get_close_matches

    near = get_close_matches(issue, [*_options(), "4.A.4"], 3, 0.8)
    return f"did you mean {' or '.join(near)}?" if near else "`satjudge rulebooks` lists all options"
