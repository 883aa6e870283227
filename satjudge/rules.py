"""Rulebooks: what they choose where the rules are disputed (DATC chapter 4).

A rulebook is a frozen value with one typed field per issue; the presets are TOML files in `models/rulebooks/`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, cast

from satjudge.errors import RulebookError
from satjudge.resources import data_directory, data_file

DEFAULT_RULES = "datc-3"


class ParadoxRule(StrEnum):
    """4.A.2: what happens to a core with convoys that has no or several resolutions."""

    SZYKMAN = "szykman"
    """The convoys of the core fail (DATC 4.A.2 c, the author's preference)."""
    ALL_HOLD = "all-hold"
    """All moves of the core fail (DATC 4.A.2, "All Hold")."""
    NONE = "none"
    """No answer: the judge reports the core as unresolved."""


class OtherCoreRule(StrEnum):
    """5.B.9: what happens to a core with no or several resolutions that holds neither moves alone nor a convoy."""

    UNRESOLVED = "unresolved"
    """An explicit error; no such core is known under the standard rules."""
    ALL_FAIL = "all-fail"
    """All moves and supports of the core fail (DATC 5.B.9, meant for variants)."""


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The choices of one rulebook. Each field names its issue of DATC 3.2 in its metadata."""

    name: str
    title: str
    paradox: ParadoxRule = field(default=ParadoxRule.SZYKMAN, metadata={"issue": "4.A.2"})
    other_cores: OtherCoreRule = field(default=OtherCoreRule.UNRESOLVED, metadata={"issue": "5.B.9"})

    def settings(self) -> dict[str, str]:
        """Every issue with the value chosen, `{"4.A.2": "szykman", …}`."""
        return {issue: str(getattr(self, name)) for issue, name in _issues().items()}

    def with_settings(self, settings: Iterable[str]) -> Rulebook:
        """This rulebook with some issues settled otherwise, each written `4.A.2=all-hold`.

        Raises `RulebookError` for an unknown issue or value.
        """
        chosen: dict[str, str] = {}
        for setting in settings:
            issue, equals, value = (part.strip() for part in setting.partition("="))
            if not equals or not value:
                raise RulebookError(f"a setting is written ISSUE=VALUE, as in 4.A.2=all-hold, not {setting!r}")
            chosen[issue] = value
        if not chosen:
            return self
        label = ", ".join(f"{issue}={value}" for issue, value in chosen.items())
        return replace(self, name=f"{self.name} with {label}", **_read_settings(chosen))


def _issues() -> dict[str, str]:
    return {entry.metadata["issue"]: entry.name for entry in fields(Rulebook) if "issue" in entry.metadata}


def _read_settings(settings: Mapping[str, str]) -> dict[str, Any]:
    issues = _issues()
    types = {"paradox": ParadoxRule, "other_cores": OtherCoreRule}
    read: dict[str, Any] = {}
    for issue, value in settings.items():
        if issue not in issues:
            raise RulebookError(f"there is no option {issue!r}", suggestion=f"options: {', '.join(issues)}")
        choices = types[issues[issue]]
        try:
            read[issues[issue]] = choices(value)
        except ValueError:
            raise RulebookError(
                f"option {issue} has no value {value!r}", suggestion=f"values: {', '.join(choices)}"
            ) from None
    return read


def preset_names() -> list[str]:
    """The names of the rulebooks that come with satjudge."""
    return sorted(path.stem for path in (data_directory() / "models" / "rulebooks").glob("*.toml"))


@cache
def load_rulebook(name: str = DEFAULT_RULES) -> Rulebook:
    """A rulebook by the name of its preset, or from a TOML file of the user's own.

    Raises `RulebookError` for an unknown name, option or value.
    """
    if name.endswith(".toml"):
        path = Path(name)
        if not path.is_file():
            raise RulebookError(f"there is no file {name}")
    elif name in preset_names():
        path = data_file("models", "rulebooks", f"{name}.toml")
    else:
        close = get_close_matches(name, preset_names(), 1)
        known = f"did you mean {close[0]}?" if close else f"there are {', '.join(preset_names())}"
        raise RulebookError(f"there is no rulebook {name!r}", suggestion=known)
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RulebookError(f"{path}: not a TOML file: {error}") from None
    return rulebook_from(data, name=path.stem)


def rulebook_from(data: Mapping[str, Any], *, name: str) -> Rulebook:
    """A rulebook from the tables of its TOML file; settings stand under `[settings]`, each with its issue as key."""
    settings = {
        issue: value["choice"] if isinstance(value, Mapping) else value
        for issue, value in data.get("settings", {}).items()
    }
    base = load_rulebook(cast(str, data["based_on"])) if "based_on" in data else Rulebook(name=name, title=name)
    return replace(base, name=data.get("name", name), title=data.get("title", name), **_read_settings(settings))
