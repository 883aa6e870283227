"""Reads rulebooks: those that come with satjudge, and users' own files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from satjudge.base.errors import RulebookError
from satjudge.base.resources import data_directory, data_file, read_toml
from satjudge.world.rules.rulebook import Rulebook, read_settings

DEFAULT_RULES = "datc-3"


def preset_names() -> list[str]:
    """List the names of the rulebooks that come with satjudge, sorted."""
    return sorted(path.stem for path in (data_directory() / "models" / "rulebooks").glob("*.toml"))


@cache
def load_rulebook(name: str = DEFAULT_RULES) -> Rulebook:
    """Return the rulebook with this name, or the one in this TOML file if the name ends with `.toml`.

    Raises `RulebookError` for an unknown name, option or value, and for choices that cannot be combined.
    """
    return _load(str(name), ())  # the name may be a number, such as 1982, or a `Path`


def load_preset(name: str) -> Rulebook:
    """Return the rulebook that a sheet or batch line names, such as `1982 with 4.A.2=all-hold`; it must come with satjudge.

    Raises `RulebookError` for an unknown name, issue or value.

    This never opens other files: only users may name one, not the texts that are judged.
    """
    if " with " in name:
        name, *lists = name.split(" with ")
        return load_preset(name).with_settings(part.strip() for text in lists for part in text.split(",") if part.strip())
    if name.endswith(".toml"):
        known = f"there are {', '.join(preset_names())}; to judge by a file name it yourself: --rules FILE.toml"
        raise RulebookError(f"{name!r} is not a rulebook that comes with satjudge", suggestion=known)
    return load_rulebook(name)


def rulebook_text(rules: str, settings: Iterable[str]) -> str:
    """Return the name by which sheets and batch lines mean `rules` with these settings: `1982 with 4.A.2=all-hold`."""
    return " with ".join(filter(None, (rules, ", ".join(settings))))


def nearest_preset(rulebook: Rulebook) -> tuple[str, tuple[str, ...]]:
    """Return the preset that differs least from a rulebook, and its differences: `("1982", ("4.A.2=all-hold",))`.

    So a sheet can name its rules without naming a file, which only users may do.
    """
    chosen = rulebook.settings()

    def list_differences(preset: str) -> tuple[str, ...]:
        usual = load_preset(preset).settings()
        return tuple(f"{issue}={value}" for issue, value in chosen.items() if usual[issue] != value)

    nearest = min(preset_names(), key=lambda preset: (len(list_differences(preset)), preset != rulebook.name))
    return nearest, list_differences(nearest)


def _load(name: str, dependents: tuple[str, ...]) -> Rulebook:
    """Return the rulebook with this name or in this file; `dependents` has the files based on it, to refuse circles."""
    path = _find_file(name)
    if str(path.resolve()) in dependents:
        raise RulebookError(f"{name} is based on itself, through {' and '.join(Path(file).name for file in dependents)}")
    return rulebook_from(_read_data(path), name=path.stem, dependents=(*dependents, str(path.resolve())))


def _find_file(name: str) -> Path:
    """Return the path of a rulebook's TOML file, or raise `RulebookError` for an unknown name."""
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


def _read_data(path: Path) -> dict[str, Any]:
    """Return the tables of a rulebook's file, or raise `RulebookError` if it is not valid TOML."""
    return read_toml(path, lambda message: RulebookError(f"{path}: not a readable TOML file: {message}"))


def rulebook_sources(name: str) -> dict[str, str]:
    """Map each issue for which the rulebook's own file, not the one it is based on, states a source to that source."""
    settings = _read_data(_find_file(name)).get("settings", {})
    return {issue: value["source"] for issue, value in settings.items() if isinstance(value, Mapping) and "source" in value}


def rulebook_from(data: Mapping[str, Any], *, name: str, dependents: tuple[str, ...] = ()) -> Rulebook:
    """Return the rulebook that the tables of a file describe; `name` is its default name, `dependents` the files based on it.

    The keys are `name`, `title`, `based_on` and `settings`. `[settings]` has a choice for each issue, perhaps with its source:
    `"4.A.2" = "szykman"` or `"4.A.2" = {choice = "szykman", source = "…"}`. `dependents` has the files based on this one.
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
    base = _load(str(data["based_on"]), dependents) if "based_on" in data else Rulebook(name=name, title=name)
    try:
        read = read_settings(choices)
    except RulebookError as error:
        raise error.add_place(source=name) from None
    return replace(base, name=data.get("name", name), title=data.get("title", name), **read)
