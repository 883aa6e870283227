"""A rulebook: a frozen value with one typed field per issue, numbered as in DATC 3.2, each with its question and its answers.

Issues that a game master settles before adjudication (4.D.1, 4.D.2, 4.E.4 to 4.E.6) and issues without an alternative (4.E.2)
are no options; docs/rulebooks.md lists what is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import Field, dataclass, field, fields, replace
from difflib import get_close_matches
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Any

from satjudge.errors import RulebookError
from satjudge.rules.choices import (
    AttackOrigin,
    BuildWithoutKind,
    CivilDisorder,
    CoastOmitted,
    ConvoyingFleet,
    ConvoyIntent,
    ConvoyPaths,
    Declining,
    DefendersSupport,
    DislodgedEffect,
    DisorderRetreats,
    DisorderSupport,
    IllegalOrders,
    ImplicitOrders,
    ImpossibleCoast,
    InlandFleet,
    LandFallback,
    Language,
    Mistake,
    MultiRoute,
    OnlyCoastOmitted,
    OtherCoreRule,
    ParadoxFallback,
    ParadoxRule,
    RetreatToOrigin,
    SeveralOrders,
    SuperfluousConvoy,
    SupportCoast,
    SupportCoreRule,
    TooMany,
    TooManyRemovals,
)


if TYPE_CHECKING:
    from satjudge.geography import Map


@dataclass(frozen=True, slots=True)
class Option:
    """An issue as people choose it: its number, a question, and each value with what it means and where it comes from."""

    issue: str
    question: str
    values: Mapping[str, str]


def _option(issue: str, question: str, default: StrEnum, **values: str) -> Any:  # noqa: ANN401  # a dataclass field
    """The field of one issue; `values` are given by the names of the enumeration's members."""
    kind = type(default)
    meaning = {str(kind[name]): text for name, text in values.items()}
    assert list(meaning) == [str(member) for member in kind], f"{issue} must explain {list(kind)}"
    return field(default=default, metadata={"option": Option(issue, question, meaning), "kind": kind})


_MISTAKE = {"ILLEGAL": "such an order is illegal", "IGNORED": "the mistake is ignored"}


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The choices of one rulebook. The defaults are those of the author of DATC 3.2."""

    name: str
    title: str
    multi_route: MultiRoute = _option(
        "4.A.1", "When is a convoy with several routes disrupted?", MultiRoute.ALL,
        ALL="when all routes are (1982 and later rulebooks; DATC 3.2 b)",
        ANY="when one route is (1971 rulebook; DATC 3.2 a)",
        ANY_OWN="when one route is, but routes with foreign fleets do not count where own fleets suffice (guide)",
    )  # fmt: skip
    paradox: ParadoxRule = _option(
        "4.A.2", "What settles convoy paradoxes?", ParadoxRule.SZYKMAN,
        RULE_1971="a convoyed army does not cut the support of a fleet for an attack on one of its convoying fleets (1971)",
        RULE_1982="a convoyed army does not cut a fleet's support for an action in a sea with a convoying fleet (1982)",
        RULE_2000="a convoyed army does not cut support for an attack on a fleet necessary for its convoy (2000, 2023, 2025EE);"
        " a fleet is necessary if no successful route avoids it",
        SZYKMAN="the convoys of the core fail (Szykman; DATC 3.2, the author's preference)",
        ALL_HOLD="the moves of the core fail (All Hold; DATC 3.2)",
        GUIDE="the resolution of the core in which all its convoys are disrupted if there is one, else its moves fail (guide)",
        NONE="nothing does",
    )  # fmt: skip
    convoying_fleet: ConvoyingFleet = _option(
        "4.A.2.1982", "What does the 1982 paradox rule mean by a convoying fleet?", ConvoyingFleet.ARMY,
        ORDERED="a fleet that is ordered to convoy (DATC 3.2, 4.A.2 b, first meaning)",
        ARMY="a fleet ordered to convoy an army that tries to be convoyed so (second meaning)",
        ROUTE="a fleet on a complete route that is ordered for such an army (third meaning)",
    )  # fmt: skip
    paradox_fallback: ParadoxFallback = _option(
        "4.A.2.fallback", "What if the paradox rule has no answer to a core?", ParadoxFallback.SZYKMAN,
        SZYKMAN="the Szykman rule",
        ALL_HOLD="All Hold, as often played (DATC 2.4, 4.A.2 e)",
        UNRESOLVED="it is reported as unresolved: the rulebooks are silent (DATC 3.2, 6.F.18, 6.F.22 to 6.F.24)",
    )  # fmt: skip
    convoy_intent: ConvoyIntent = _option(
        "4.A.3", "When does an army that could go by land mean to go by convoy?", ConvoyIntent.OWN_OR_VIA,
        ALWAYS="whenever it can (DATC 2.4, 4.A.3 a)",
        OPPOSITE="when the unit at its destination moves the other way (1971 with the recommended handling)",
        INTENT_1982="when an own fleet is ordered to convoy it, an own unit moves the other way, or it says so (1982)",
        OWN_OR_VIA="when a fleet of its power is ordered to convoy it, or it says `via convoy` (2000, 2023, 2025EE)",
        EXPLICIT="when it says `via convoy` (guide)",
    )  # fmt: skip
    land_fallback: LandFallback = _option(
        "4.A.3.fallback", "When does it go by land after all?", LandFallback.NEVER,
        NEVER="never (2025EE)",
        IMPOSSIBLE="when no fleets are there that could convoy it (first reading of “could arrive”, DATC 3.2)",
        UNORDERED="when no route is ordered (second reading; DATC 2.4, 4.A.3 d)",
        DISRUPTED="when every ordered route is disrupted too (third reading)",
    )  # fmt: skip
    head_to_head_origin: AttackOrigin = _option(
        "4.A.4.1", "Where does a convoyed attack come from for a fleet that attacks its last fleet?", AttackOrigin.START,
        START="from where the army stands: there is no head-to-head battle (Calhamer; DATC 3.2, 6.F.30)",
        LAST_FLEET="from the last fleet: they meet head-to-head (Brannan's rule)",
    )  # fmt: skip
    paradox_origin: AttackOrigin = _option(
        "4.A.4.2", "Where does it come from for a unit whose support is directed at its last fleet?", AttackOrigin.START,
        START="from where the army stands: it cuts the support (DATC 3.2)",
        LAST_FLEET="from the last fleet: it does not cut the support (Brannan's rule)",
    )  # fmt: skip
    support_origin: AttackOrigin = _option(
        "4.A.4.5", "Where does it come from for a unit that supports an attack on the army's province?", AttackOrigin.START,
        START="from there: it does not cut the support (Calhamer; DATC 3.2, 6.G.13)",
        LAST_FLEET="from the last fleet: it cuts the support (guide; Brannan's rule)",
    )  # fmt: skip
    retreat_to_origin: RetreatToOrigin = _option(
        "4.A.5", "May a unit retreat to where its convoyed attacker came from?", RetreatToOrigin.ALLOWED,
        BARRED="no: the text taken literally (1971, 1982, 2000)",
        ALLOWED="yes (2023, 2025EE, guide)",
    )  # fmt: skip
    convoy_paths: ConvoyPaths = _option(
        "4.A.6", "What of a convoy path that is written out?", ConvoyPaths.IGNORED,
        IGNORED="it is ignored (DATC 3.2)",
        ALLOWED="the army goes that way or not at all",
        REQUIRED="the same, and without a path no convoy succeeds",
    )  # fmt: skip
    dislodged_effect: DislodgedEffect = _option(
        "4.A.7", "Does a dislodged unit still bounce others from where its attacker came from?", DislodgedEffect.HEAD_TO_HEAD,
        NEVER="never: the text taken literally (DATC 3.2, a)",
        HEAD_TO_HEAD="it does, unless it lost a head-to-head battle (guide; DATC 3.2, b)",
    )  # fmt: skip
    coast_omitted: CoastOmitted = _option(
        "4.B.1", "A move without a coast where two are possible?", CoastOmitted.ILLEGAL,
        ILLEGAL="illegal (all rulebooks; DATC 3.2)",
        DEFAULT="to a default coast, south before east (DATC 2.4, b; the coast is our choice)",
    )  # fmt: skip
    only_coast_omitted: OnlyCoastOmitted = _option(
        "4.B.2", "A move without a coast where one is possible?", OnlyCoastOmitted.POSSIBLE,
        POSSIBLE="to that coast (DATC 3.2, a)",
        DEFAULT="to a default coast, or illegal if that is the other one (DATC 2.4, b)",
        ILLEGAL="illegal (DATC 3.2, b)",
    )  # fmt: skip
    impossible_coast: ImpossibleCoast = _option(
        "4.B.3", "A move to a coast that cannot be reached, though the other can?", ImpossibleCoast.ILLEGAL,
        POSSIBLE="to the other coast (DATC 3.2, a)",
        ILLEGAL="illegal (DATC 3.2, b)",
    )  # fmt: skip
    support_coast: SupportCoast = _option(
        "4.B.4", "Coasts in support orders?", SupportCoast.EITHER,
        MANDATORY="must be named and match (DATC 2.4, a)",
        MANDATORY_IF_TWO="must match, and be named where the fleet could go to both (DATC 3.2, a)",
        DEFAULT="must match; a default coast where none is named (DATC 2.4, b)",
        OWN="must match, and be named where a foreign fleet could go to both (Calhamer; DATC 3.2, b)",
        EITHER="must match if named; else any coast is supported (DATC 3.2, c; 2023)",
        IGNORED="are ignored: any coast is supported (guide; DATC 2.4, e)",
    )  # fmt: skip
    wrong_coast: Mistake = _option("4.B.5", "A wrong coast of the ordered or supported unit?", Mistake.IGNORED, **_MISTAKE)
    unknown_coast: Mistake = _option(
        "4.B.6", "A coast that does not exist, or a coast for an army?", Mistake.IGNORED, **_MISTAKE
    )
    build_coast: CoastOmitted = _option(
        "4.B.7", "A fleet built without a coast where there are two?", CoastOmitted.ILLEGAL,
        ILLEGAL="illegal (1971 and later rulebooks)",
        DEFAULT="on a default coast, south before east (DATC 2.4, b)",
    )  # fmt: skip
    missing_kind: Mistake = _option("4.C.1", "A unit not called army or fleet?", Mistake.IGNORED, **_MISTAKE)
    wrong_kind: Mistake = _option("4.C.2", "A unit called army that is a fleet, or the other way?", Mistake.IGNORED, **_MISTAKE)
    build_without_kind: BuildWithoutKind = _option(
        "4.C.3", "A build that does not say army or fleet?", BuildWithoutKind.INLAND_ARMY,
        ILLEGAL="illegal (DATC 2.4, a)",
        INLAND_ARMY="an army inland; illegal at the coast (2000 and later rulebooks; DATC 2.4, b)",
        COAST_FLEET="an army inland; at the coast a fleet if a coast is named (DATC 2.4, c)",
    )  # fmt: skip
    inland_fleet: InlandFleet = _option(
        "4.C.4", "A fleet built inland?", InlandFleet.ILLEGAL,
        ILLEGAL="illegal (DATC 3.2, a)",
        ARMY="an army (DATC 3.2, b)",
    )  # fmt: skip
    missing_nationality: Mistake = _option(
        "4.C.5", "A foreign unit supported or convoyed without its nationality?", Mistake.IGNORED, **_MISTAKE
    )
    wrong_nationality: Mistake = _option(
        "4.C.6", "A unit supported or convoyed with a wrong nationality?", Mistake.IGNORED, **_MISTAKE
    )
    several_orders: SeveralOrders = _option(
        "4.D.3", "Several different legal orders for one unit?", SeveralOrders.FIRST,
        FIRST="the first counts (2025EE)",
        LAST="the last counts",
        NONE="all are illegal and the unit holds (DATC 3.2, c; DATC 2.4, c)",
    )  # fmt: skip
    too_many_builds: TooMany = _option(
        "4.D.4", "Too many builds?", TooMany.FIRST,
        FIRST="the first legal ones count (2025EE)",
        LAST="the last legal ones count",
        NONE="all are illegal",
    )  # fmt: skip
    builds_in_one_province: TooMany = _option(
        "4.D.5", "Several builds in one province?", TooMany.FIRST,
        FIRST="the first counts (DATC 3.2, b)",
        LAST="the last counts",
        NONE="all are illegal",
    )  # fmt: skip
    too_many_removals: TooManyRemovals = _option(
        "4.D.6", "Too many removals?", TooManyRemovals.FIRST,
        FIRST="the first legal ones count (2025EE)",
        LAST="the last legal ones count",
        CIVIL_DISORDER="all are illegal, and civil disorder decides",
    )  # fmt: skip
    declining: Declining = _option(
        "4.D.7", "May a build be declined?", Declining.ALLOWED,
        ALLOWED="yes (2000, 2023)",
        REFUSED="no: such an order is illegal, and a power that could build more leaves the phase unresolved (DATC 3.2, b)",
    )  # fmt: skip
    civil_disorder: CivilDisorder = _option(
        "4.D.8", "Which units does civil disorder remove?", CivilDisorder.OWNED_CENTERS,
        HOME_CENTERS="farthest from the home centres, fleets by fleet moves, armies also over water (1971, 1982; DATC 2.4, d)",
        HOME_COUNTRY="farthest from the home country, counted in the same way (2000)",
        GUIDE="farthest from the home centres, with the guide's alphabet (guide)",
        OWNED_CENTERS="farthest from an owned centre over adjacent provinces of any kind (2023, 2025EE)",
        ONE_MOVE="as 1971, but a convoy, whether fleets are there or not, counts as one move (DATC 2.4, a)",
        OWN_FLEETS="as 1971, but a convoy counts as one move and needs fleets of the same power (DATC 2.4, b)",
        ANY_FLEETS="as 1971, but a convoy counts as one move and needs fleets of any power (DATC 2.4, c)",
        EITHER="farthest from the home centres over adjacent provinces of any kind (DATC 2.4, e)",
    )  # fmt: skip
    alphabet_language: Language = _option(
        "4.D.8.language", "In which language do names decide between units that are equally far?", Language.ENGLISH,
        ENGLISH="English (DATC 3.2, by default)",
        FRENCH="French: the names on the boards of a game face to face (DATC 3.2)",
        GERMAN="German: the names on the boards of a game face to face (DATC 3.2)",
    )  # fmt: skip
    disorder_support: DisorderSupport = _option(
        "4.D.9", "May a unit of a power without any orders be supported in place?", DisorderSupport.GIVEN,
        GIVEN="yes (DATC 3.2, b)",
        REFUSED="no (DATC 3.2, a)",
    )  # fmt: skip
    disorder_retreats: DisorderRetreats = _option(
        "4.D.9.retreats", "May a dislodged unit of a power without any orders retreat?", DisorderRetreats.ALLOWED,
        ALLOWED="yes",
        REFUSED="no: it is disbanded (1971 and 1982, XIV.3)",
    )  # fmt: skip
    illegal_orders: IllegalOrders = _option(
        "4.E.1", "What becomes of an illegal order?", IllegalOrders.IGNORED,
        IGNORED="it is ignored (2023, 2025EE; DATC 3.2)",
        HOLD="an illegal move counts as a hold that takes no hold support; the rest is ignored (guide; DATC 2.4, a and b)",
        HOLD_IF_POSSIBLE="the same, if the move would be possible with other units on the board; else ignored (DATC 2.4, c)",
    )  # fmt: skip
    superfluous_convoy: SuperfluousConvoy = _option(
        "4.E.1.convoy", "A convoy order for a fleet that every route can do without?", SuperfluousConvoy.ILLEGAL,
        ILLEGAL="illegal: routes are proper ones (DATC 3.2, 4.E.1 and 6.G.19)",
        LEGAL="legal, and the fleet is part of the convoy (guide, Step 1)",
    )  # fmt: skip
    impossible_via: Mistake = _option(
        "4.E.1.via", "A fleet's move, or a retreat, that says `via convoy`?", Mistake.ILLEGAL,
        ILLEGAL="illegal: it makes no sense (DATC 3.2, 4.E.1 and 6.A.7; guide)",
        IGNORED="the words are ignored",
    )  # fmt: skip
    implicit_orders: ImplicitOrders = _option(
        "4.E.3", "Is a unit without an order moved as its own power's support or convoy says?", ImplicitOrders.IGNORED,
        ALLOWED="yes (DATC 3.2, a)",
        IGNORED="no (DATC 3.2, b)",
    )  # fmt: skip
    defenders_support: DefendersSupport = _option(
        "5.B.8", "Does support from the power of the unit attacked help the attack past its rivals?", DefendersSupport.IGNORED,
        IGNORED="no (DATC 5.B.8, 6.E.7)",
        AGAINST_RIVALS="yes, though not against the unit itself (guide, Steps 15, 19 and 20)",
    )  # fmt: skip
    other_cores: OtherCoreRule = _option(
        "5.B.9", "A core without a resolution, or with several, that holds supports but no convoy?", OtherCoreRule.UNRESOLVED,
        UNRESOLVED="an explicit error; no such core is known under the standard rules",
        ALL_FAIL="its moves and supports fail (DATC 5.B.9, meant for variants)",
    )  # fmt: skip
    support_cores: SupportCoreRule = _option(
        "10.F", "Supports over difficult borders that cut each other round?", SupportCoreRule.CUT,
        CUT="all are cut (DATC 2.4, 10.F: “both supports are cut or both supports are not cut”)",
        GIVEN="none is cut (the other way to treat them alike)",
        UNRESOLVED="an explicit error",
    )  # fmt: skip

    difficult_borders: bool = False
    railroads: bool = False
    canals: bool = False

    def on(self, game_map: Map) -> Rulebook:
        """This rulebook with the rules that the map brings (DATC 2.4, 7 and 10): itself on most maps."""
        if not game_map.has_rules:
            return self
        return _on_map(self, bool(game_map.difficult), bool(game_map.railroads), bool(game_map.canals))

    def __post_init__(self) -> None:
        if self.convoy_intent in (ConvoyIntent.ALWAYS, ConvoyIntent.OPPOSITE) and self.land_fallback is LandFallback.NEVER:
            raise RulebookError(
                f"4.A.3={self.convoy_intent} does not go with 4.A.3.fallback=never: armies could hardly ever move by land",
                suggestion="add --set 4.A.3.fallback=unordered",
            )

    def settings(self) -> dict[str, str]:
        """Every issue with the value chosen, `{"4.A.2": "szykman", …}`."""
        return {option.issue: str(getattr(self, entry.name)) for option, entry in _options().values()}

    def with_settings(self, settings: Iterable[str]) -> Rulebook:
        """This rulebook with some issues settled otherwise, each written `4.A.2=all-hold`.

        Raises `RulebookError` for an unknown issue or value, and for choices that do not go together.
        """
        chosen: dict[str, str] = {}
        for setting in settings:
            issue, equals, value = (part.strip() for part in setting.partition("="))
            if not equals or not value or not issue:
                raise RulebookError(f"a setting is written ISSUE=VALUE, as in 4.A.2=all-hold, not {setting!r}")
            chosen[issue] = value
        if not chosen:
            return self
        label = ", ".join(f"{issue}={value}" for issue, value in chosen.items())
        return replace(self, name=f"{self.name} with {label}", **read_settings(chosen))


@cache
def _on_map(rulebook: Rulebook, difficult_borders: bool, railroads: bool, canals: bool) -> Rulebook:
    return replace(rulebook, difficult_borders=difficult_borders, railroads=railroads, canals=canals)


@cache
def _options() -> dict[str, tuple[Option, Field[Any]]]:
    described = [entry for entry in fields(Rulebook) if "option" in entry.metadata]
    return {entry.metadata["option"].issue: (entry.metadata["option"], entry) for entry in described}


def options() -> list[Option]:
    """Every issue that a rulebook chooses on, in the order of the DATC."""
    return [option for option, _ in _options().values()]


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
"""Short names for choices that make up one reading: 4.A.4 is Brannan's rule as a whole, or its opposite."""


def read_settings(settings: Mapping[str, str]) -> dict[str, Any]:
    """The fields of a rulebook from its settings, by issue. Raises `RulebookError` for an unknown issue or value."""
    plain: dict[str, str] = {}
    for issue, value in settings.items():
        plain.update(_BUNDLES.get((issue, value.lower()), {issue: value}))
    read: dict[str, Any] = {}
    for issue, value in plain.items():
        if issue not in _options():
            raise RulebookError(f"there is no option {issue!r}", suggestion=_about_missing(issue))
        option, entry = _options()[issue]
        if value.lower() not in option.values:
            raise RulebookError(f"option {issue} has no value {value!r}", suggestion=f"values: {', '.join(option.values)}")
        read[entry.name] = entry.metadata["kind"](value.lower())
    return read


_NO_OPTIONS = {
    **dict.fromkeys(("4.D.1", "4.D.2", "4.E.4", "4.E.5", "4.E.6"), "a game master settles this before adjudication"),
    "4.E.2": "in 3.2 that issue is about words only; docs/rulebooks.md says what becomes of orders that cannot be read (2.4)",
}


def _about_missing(issue: str) -> str:
    """What to say of an issue that is no option."""
    if issue in _NO_OPTIONS:
        return _NO_OPTIONS[issue]
    near = get_close_matches(issue, [*_options(), "4.A.4"], 3, 0.8)
    return f"near: {', '.join(near)}" if near else "satjudge rulebooks lists them"
