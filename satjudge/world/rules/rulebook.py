"""Defines rulebooks as frozen values with one typed field per issue of DATC 3.2, and reads them from presets and files.

Issues that a game master settles before adjudication (4.D.1, 4.D.2, 4.E.4 to 4.E.6) and issues without an alternative (4.E.2)
are no options; docs/rulebooks.md lists what is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import astuple, replace

from satjudge.base.errors import RulebookError
from satjudge.base.lazy import cached_property
from satjudge.base.resources import data_directory, data_file, read_toml
from satjudge.base.words import one_line
from satjudge.world.rules import choices

if TYPE_CHECKING:
    from satjudge.world.geography import Map

DEFAULT_RULES = "datc-3"


class Option(Struct, frozen=True):
    """An issue as people choose it: its number, a question, and each value with its meaning and source."""

    issue: str
    question: str
    values: Mapping[str, str]


_STATED: list[tuple[Option, type[choices.Choice]]] = []
"""The options and what their values are, in the order in which `Rulebook` has fields for them."""


def _option(issue: str, question: str, default: choices.Choice, **meanings: str) -> Any:  # noqa: ANN401  # the field's type
    """The default of the field of one issue, which is noted; `meanings`, by the names of the values, replace those that the
    values have by themselves.
    """
    kind = type(default)
    _STATED.append((Option(issue, question, {str(value): meanings.get(value.name, value.meaning) for value in kind}), kind))
    return default


class Rulebook(Struct, frozen=True, dict=True):
    """The choices of one rulebook.

    The defaults are those of the author of DATC 3.2.
    """

    name: str
    title: str
    multi_route: choices.MultiRoute = _option(
        "4.A.1", "When is a convoy with several routes disrupted?", choices.MultiRoute.ALL
    )
    paradox: choices.ParadoxRule = _option("4.A.2", "What settles convoy paradoxes?", choices.ParadoxRule.SZYKMAN)
    convoying_fleet: choices.ConvoyingFleet = _option(
        "4.A.2.1982", "What does the 1982 paradox rule mean by a convoying fleet?", choices.ConvoyingFleet.ARMY
    )
    paradox_fallback: choices.ParadoxFallback = _option(
        "4.A.2.fallback", "What if the paradox rule has no answer to a core?", choices.ParadoxFallback.SZYKMAN
    )
    convoy_intent: choices.ConvoyIntent = _option(
        "4.A.3", "When does an army that could go by land mean to go by convoy?", choices.ConvoyIntent.OWN_OR_VIA
    )
    land_fallback: choices.LandFallback = _option(
        "4.A.3.fallback", "When does it go by land after all?", choices.LandFallback.NEVER
    )
    head_to_head_origin: choices.AttackOrigin = _option(
        "4.A.4.1",
        "Where does a convoyed attack come from for a fleet that attacks its last fleet?",
        choices.AttackOrigin.START,
        START="from where the army stands: there is no head-to-head battle (Calhamer; DATC 3.2, 6.F.30)",
        LAST_FLEET="from the last fleet: they meet head-to-head (Brannan's rule)",
    )
    paradox_origin: choices.AttackOrigin = _option(
        "4.A.4.2",
        "Where does it come from for a unit whose support is directed at its last fleet?",
        choices.AttackOrigin.START,
        START="from where the army stands: it cuts the support (DATC 3.2)",
        LAST_FLEET="from the last fleet: it does not cut the support (Brannan's rule)",
    )
    support_origin: choices.AttackOrigin = _option(
        "4.A.4.5",
        "Where does it come from for a unit that supports an attack on the army's province?",
        choices.AttackOrigin.START,
        START="from there: it does not cut the support (Calhamer; DATC 3.2, 6.G.13)",
        LAST_FLEET="from the last fleet: it cuts the support (guide; Brannan's rule)",
    )
    retreat_to_origin: choices.RetreatToOrigin = _option(
        "4.A.5", "May a unit retreat to where its convoyed attacker came from?", choices.RetreatToOrigin.ALLOWED
    )
    convoy_paths: choices.ConvoyPaths = _option(
        "4.A.6", "What of a convoy path that is written out?", choices.ConvoyPaths.IGNORED
    )
    dislodged_effect: choices.DislodgedEffect = _option(
        "4.A.7",
        "Does a dislodged unit still bounce others from where its attacker came from?",
        choices.DislodgedEffect.HEAD_TO_HEAD,
    )
    coast_omitted: choices.CoastOmitted = _option(
        "4.B.1", "A move without a coast where two are possible?", choices.CoastOmitted.ILLEGAL,
        ILLEGAL="illegal (all rulebooks; DATC 3.2)",
        DEFAULT="to a default coast, south before east (DATC 2.4, b; the coast is our choice)",
    )  # fmt: skip
    only_coast_omitted: choices.OnlyCoastOmitted = _option(
        "4.B.2", "A move without a coast where one is possible?", choices.OnlyCoastOmitted.POSSIBLE
    )
    impossible_coast: choices.ImpossibleCoast = _option(
        "4.B.3", "A move to a coast that cannot be reached, though the other can?", choices.ImpossibleCoast.ILLEGAL
    )
    support_coast: choices.SupportCoast = _option("4.B.4", "Coasts in support orders?", choices.SupportCoast.EITHER)
    wrong_coast: choices.Mistake = _option("4.B.5", "A wrong coast of the ordered or supported unit?", choices.Mistake.IGNORED)
    unknown_coast: choices.Mistake = _option(
        "4.B.6", "A coast that does not exist, or a coast for an army?", choices.Mistake.IGNORED
    )
    build_coast: choices.CoastOmitted = _option(
        "4.B.7", "A fleet built without a coast where there are two?", choices.CoastOmitted.ILLEGAL,
        ILLEGAL="illegal (1971 and later rulebooks)",
        DEFAULT="on a default coast, south before east (DATC 2.4, b)",
    )  # fmt: skip
    missing_kind: choices.Mistake = _option("4.C.1", "A unit not called army or fleet?", choices.Mistake.IGNORED)
    wrong_kind: choices.Mistake = _option(
        "4.C.2", "A unit called army that is a fleet, or the other way?", choices.Mistake.IGNORED
    )
    build_without_kind: choices.BuildWithoutKind = _option(
        "4.C.3", "A build that does not say army or fleet?", choices.BuildWithoutKind.INLAND_ARMY
    )
    inland_fleet: choices.InlandFleet = _option("4.C.4", "A fleet built inland?", choices.InlandFleet.ILLEGAL)
    missing_nationality: choices.Mistake = _option(
        "4.C.5", "A foreign unit supported or convoyed without its nationality?", choices.Mistake.IGNORED
    )
    wrong_nationality: choices.Mistake = _option(
        "4.C.6", "A unit supported or convoyed with a wrong nationality?", choices.Mistake.IGNORED
    )
    several_orders: choices.SeveralOrders = _option(
        "4.D.3", "Several different legal orders for one unit?", choices.SeveralOrders.FIRST
    )
    too_many_builds: choices.TooMany = _option(
        "4.D.4", "Too many builds?", choices.TooMany.FIRST,
        FIRST="the first legal ones count (2025EE)",
        LAST="the last legal ones count",
        NONE="all are illegal",
    )  # fmt: skip
    builds_in_one_province: choices.TooMany = _option(
        "4.D.5", "Several builds in one province?", choices.TooMany.FIRST,
        FIRST="the first counts (DATC 3.2, b)",
        LAST="the last counts",
        NONE="all are illegal",
    )  # fmt: skip
    too_many_removals: choices.TooManyRemovals = _option("4.D.6", "Too many removals?", choices.TooManyRemovals.FIRST)
    declining: choices.Declining = _option("4.D.7", "May a build be declined?", choices.Declining.ALLOWED)
    civil_disorder: choices.CivilDisorder = _option(
        "4.D.8", "Which units does civil disorder remove?", choices.CivilDisorder.OWNED_CENTERS
    )
    alphabet_language: choices.Language = _option(
        "4.D.8.language", "In which language do names decide between units that are equally far?", choices.Language.ENGLISH
    )
    disorder_support: choices.DisorderSupport = _option(
        "4.D.9", "May a unit of a power without any orders be supported in place?", choices.DisorderSupport.GIVEN
    )
    disorder_retreats: choices.DisorderRetreats = _option(
        "4.D.9.retreats", "May a dislodged unit of a power without any orders retreat?", choices.DisorderRetreats.ALLOWED
    )
    illegal_orders: choices.IllegalOrders = _option("4.E.1", "What becomes of an illegal order?", choices.IllegalOrders.IGNORED)
    superfluous_convoy: choices.SuperfluousConvoy = _option(
        "4.E.1.convoy", "A convoy order for a fleet that every route can do without?", choices.SuperfluousConvoy.ILLEGAL
    )
    impossible_via: choices.Mistake = _option(
        "4.E.1.via", "A fleet's move, or a retreat, that says `via convoy`?", choices.Mistake.ILLEGAL,
        ILLEGAL="illegal: it makes no sense (DATC 3.2, 4.E.1 and 6.A.7; guide)",
        IGNORED="the words are ignored",
    )  # fmt: skip
    implicit_orders: choices.ImplicitOrders = _option(
        "4.E.3", "Is a unit without an order moved as its own power's support or convoy says?", choices.ImplicitOrders.IGNORED
    )
    defenders_support: choices.DefendersSupport = _option(
        "5.B.8",
        "Does support from the power of the unit attacked help the attack past its rivals?",
        choices.DefendersSupport.IGNORED,
    )
    other_cores: choices.OtherCoreRule = _option(
        "5.B.9",
        "A core without a resolution, or with several, that holds supports but no convoy?",
        choices.OtherCoreRule.UNRESOLVED,
    )
    support_cores: choices.SupportCoreRule = _option(
        "10.F", "Supports over difficult borders that cut each other round?", choices.SupportCoreRule.CUT
    )
    difficult_borders: bool = False
    """True if the map has such borders; this and what follows is no choice, but what `on` takes from the map."""
    railroads: bool = False
    canals: bool = False

    def on(self, game_map: Map) -> Rulebook:
        """Add the rules that the map brings (DATC 2.4, 7 and 10); on most maps, return this rulebook unchanged."""
        if not game_map.has_rules:
            return self
        return _on_map(self, bool(game_map.difficult), bool(game_map.railroads), bool(game_map.canals))

    def __post_init__(self) -> None:
        by_circumstances = self.convoy_intent in (choices.ConvoyIntent.ALWAYS, choices.ConvoyIntent.OPPOSITE)
        if by_circumstances and self.land_fallback is choices.LandFallback.NEVER:
            raise RulebookError(
                f"4.A.3={self.convoy_intent} does not go with 4.A.3.fallback=never: armies could hardly ever move by land",
                suggestion="add --set 4.A.3.fallback=unordered",
            )

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        """Worked out once: rulebooks are asked for theirs again and again, and have many choices."""
        return hash(astuple(self))

    def __repr__(self) -> str:
        return one_line("Rulebook", self.name, self.title)

    def settings(self) -> dict[str, str]:
        """List every issue with the chosen value, `{"4.A.2": "szykman", …}`."""
        return {issue: str(getattr(self, name)) for issue, name in option_fields().items()}

    def with_settings(self, settings: Iterable[str]) -> Rulebook:
        """Copy this rulebook with some issues settled otherwise, each written `4.A.2=all-hold`.

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


def options() -> list[Option]:
    """List every issue of a rulebook, in the order of the DATC."""
    return [option for option, _ in _STATED]


@cache
def _options() -> dict[str, tuple[Option, type[choices.Choice]]]:
    return {option.issue: (option, kind) for option, kind in _STATED}


@cache
def option_fields() -> dict[str, str]:
    """List the fields of `Rulebook` by their issues."""
    names = Rulebook.__struct_fields__[2:]  # its name and title come first, what `on` takes from the map last
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
"""Short names for choices that make up one reading: 4.A.4 is Brannan's rule as a whole, or its opposite."""


def read_settings(settings: Mapping[str, str]) -> dict[str, Any]:
    """Read the fields of a rulebook from its settings, by issue, or raise `RulebookError` for an unknown issue or value."""
    plain: dict[str, str] = {}
    for issue, value in settings.items():
        plain.update(_BUNDLES.get((issue, value.lower()), {issue: value}))
    read: dict[str, Any] = {}
    for issue, value in plain.items():
        if issue not in _options():
            raise RulebookError(f"there is no option {issue!r}", suggestion=_about_missing(issue))
        option, kind = _options()[issue]
        if value.lower() not in option.values:
            raise RulebookError(f"option {issue} has no value {value!r}", suggestion=f"values: {', '.join(option.values)}")
        read[option_fields()[issue]] = kind(value.lower())
    return read


_NO_OPTIONS = {
    **dict.fromkeys(("4.D.1", "4.D.2", "4.E.4", "4.E.5", "4.E.6"), "a game master settles this before adjudication"),
    "4.E.2": "in 3.2 that issue is about words only; docs/rulebooks.md says what becomes of orders that cannot be read (2.4)",
}


def _about_missing(issue: str) -> str:
    """What to say of an issue that is no option."""
    if issue in _NO_OPTIONS:
        return _NO_OPTIONS[issue]
    from difflib import get_close_matches

    near = get_close_matches(issue, [*_options(), "4.A.4"], 3, 0.8)
    return f"near: {', '.join(near)}" if near else "satjudge rulebooks lists them"


def preset_names() -> list[str]:
    """List the names of the rulebooks that come with satjudge."""
    return sorted(path.stem for path in (data_directory() / "models" / "rulebooks").glob("*.toml"))


@cache
def load_rulebook(name: str = DEFAULT_RULES) -> Rulebook:
    """Load a rulebook by the name of its preset, or from a TOML file of the user's own.

    Raises `RulebookError` for an unknown name, option or value, and for choices that do not go together.
    """
    return _load(name, ())


def load_preset(name: str) -> Rulebook:
    """Load a rulebook that comes with satjudge by its text in a sheet or batch line, such as `1982 with 4.A.2=all-hold`.

    Raises `RulebookError` for an unknown name, issue or value.

    Files are not opened: only the user says which, not what the user was given to judge.
    """
    if " with " in name:
        name, *settled = name.split(" with ")
        return load_preset(name).with_settings(one.strip() for some in settled for one in some.split(",") if one.strip())
    if name.endswith(".toml"):
        known = f"there are {', '.join(preset_names())}; to judge by a file name it yourself: --rules FILE.toml"
        raise RulebookError(f"{name!r} is no rulebook that comes with satjudge", suggestion=known)
    return load_rulebook(name)


def said(rules: str, settings: Iterable[str]) -> str:
    """Write a rulebook with changed issues as sheets and batch lines do: `1982 with 4.A.2=all-hold` (`load_preset`)."""
    return " with ".join(filter(None, (rules, ", ".join(settings))))


def nearest_preset(rulebook: Rulebook) -> tuple[str, tuple[str, ...]]:
    """Find the preset from which a rulebook differs least, and the differences: `("1982", ("4.A.2=all-hold",))`.

    So a sheet says which rules it is judged by without naming a file, which nobody but the user may open.
    """
    chosen = rulebook.settings()

    def otherwise(preset: str) -> tuple[str, ...]:
        usual = load_preset(preset).settings()
        return tuple(f"{issue}={value}" for issue, value in chosen.items() if usual[issue] != value)

    nearest = min(preset_names(), key=lambda preset: (len(otherwise(preset)), preset != rulebook.name))
    return nearest, otherwise(nearest)


def _load(name: str, based_on_it: tuple[str, ...]) -> Rulebook:
    """A rulebook and those that it is based on, one after the other."""
    path = _file(name)
    if str(path.resolve()) in based_on_it:
        raise RulebookError(f"{name} is based on itself, by way of {' and '.join(Path(one).name for one in based_on_it)}")
    return rulebook_from(_data(path), name=path.stem, based_on_it=(*based_on_it, str(path.resolve())))


def _file(name: str) -> Path:
    """The TOML file of a rulebook. Raises `RulebookError` if there is none of that name."""
    if name.endswith(".toml"):
        if not Path(name).is_file():
            raise RulebookError(f"there is no file {name}")
        return Path(name)
    if name in preset_names():
        return data_file("models", "rulebooks", f"{name}.toml")
    from difflib import get_close_matches

    close = get_close_matches(name, preset_names(), 1)
    known = f"did you mean {close[0]}?" if close else f"there are {', '.join(preset_names())}"
    raise RulebookError(f"there is no rulebook {name!r}", suggestion=known)


def _data(path: Path) -> dict[str, Any]:
    """The tables of a rulebook's file. Raises `RulebookError` if it is not TOML."""
    return read_toml(path, lambda message: RulebookError(f"{path}: not a readable TOML file: {message}"))


def rulebook_sources(name: str) -> dict[str, str]:
    """Read from a rulebook's file where its choices are stated, by issue."""
    settings = _data(_file(name)).get("settings", {})
    return {issue: value["source"] for issue, value in settings.items() if isinstance(value, Mapping) and "source" in value}


def rulebook_from(data: Mapping[str, Any], *, name: str, based_on_it: tuple[str, ...] = ()) -> Rulebook:
    """Make a rulebook from the tables of its file: `name`, `title`, `based_on` and `settings`.

    Under `[settings]` stands each issue with its choice, alone or with its source: `"4.A.2" = "szykman"` or `"4.A.2" =
    {choice = "szykman", source = "…"}`.
    """
    unknown = set(data) - {"name", "title", "based_on", "settings"}
    if unknown:
        raise RulebookError(f"{name}: unknown key {sorted(unknown)[0]!r}", suggestion="keys: name, title, based_on, settings")
    settings = data.get("settings", {})
    if not isinstance(settings, Mapping):
        raise RulebookError(f"{name}: settings must be a table", suggestion='write [settings] and below it "4.A.2" = "szykman"')
    if any(isinstance(value, Mapping) and "choice" not in value for value in settings.values()):
        raise RulebookError(f"{name}: quote the issues, and give each a choice", suggestion='write "4.A.2" = "szykman"')
    for key in ("name", "title", "based_on"):
        if not isinstance(data.get(key, ""), str):
            raise RulebookError(f"{name}: {key} must be a text", suggestion=f'write {key} = "..."')
    choices = {issue: str(value["choice"]) if isinstance(value, Mapping) else str(value) for issue, value in settings.items()}
    base = _load(str(data["based_on"]), based_on_it) if "based_on" in data else Rulebook(name=name, title=name)
    try:
        read = read_settings(choices)
    except RulebookError as error:
        raise error.at(source=name) from None
    return replace(base, name=data.get("name", name), title=data.get("title", name), **read)
