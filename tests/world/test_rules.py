"""Rulebooks: the presets, settings on top of them, files of the user's own, and what is wrong with these."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Any

import pytest

from satjudge.base.errors import InputError, RulebookError
from satjudge.base.resources import data_directory
from satjudge.base.values import replace
from satjudge.world.rules import (
    DEFAULT_RULES,
    Rulebook,
    load_preset,
    load_rulebook,
    options,
    preset_names,
    rulebook_from,
    rulebook_text,
)
from satjudge.world.rules.rulebook import ParadoxRule, option_fields

PRESETS = preset_names()
FOLDER = data_directory() / "models" / "rulebooks"


@pytest.fixture
def own(tmp_path: Path) -> Callable[..., str]:
    """Write a rulebook's file and return its name."""

    def write(text: str, name: str = "own.toml") -> str:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


# Presets.


def test_presets_are_the_files() -> None:
    assert sorted(path.stem for path in FOLDER.iterdir()) == PRESETS
    assert DEFAULT_RULES in PRESETS


def test_the_default() -> None:
    assert load_rulebook() == load_rulebook(DEFAULT_RULES)
    assert load_rulebook().name == DEFAULT_RULES == "datc-3"
    assert load_rulebook().paradox is ParadoxRule.SZYKMAN
    assert load_rulebook().title == "DATC 3.2, the author's preferences"


@pytest.mark.parametrize("name", PRESETS)
def test_presets_load(name: str) -> None:
    rulebook = load_rulebook(name)
    assert rulebook.name == name
    assert rulebook.title not in ("", name)
    assert load_rulebook(name) is rulebook
    assert hash(rulebook) == hash(replace(rulebook))
    with pytest.raises(AttributeError):
        rulebook.name = "other"  # type: ignore[misc]


def test_every_issue_has_its_field() -> None:
    for option in options():
        kind: type[Enum] = type(getattr(load_rulebook(), option_fields()[option.issue]))
        assert list(option.values) == [str(value) for value in kind]
    assert option_fields()["4.A.2"] == "paradox"


@pytest.mark.parametrize("name", PRESETS)
def test_presets_give_a_source_for_every_choice(name: str) -> None:
    data = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    assert data["settings"]
    for issue, entry in data["settings"].items():
        assert entry["source"], issue
        assert load_rulebook(name).settings()[issue] == entry["choice"], issue


def test_no_two_presets_are_the_same() -> None:
    settings = [tuple(load_rulebook(name).settings().items()) for name in PRESETS]
    assert len(set(settings)) == len(settings)


# Settings.


@pytest.mark.parametrize("name", PRESETS)
def test_every_issue_has_a_value(name: str) -> None:
    settings = load_rulebook(name).settings()
    assert {"4.A.2", "5.B.9"} <= settings.keys()
    assert settings.keys() == load_rulebook().settings().keys()
    assert all(type(value) is str and value for value in settings.values())


@pytest.mark.parametrize("name", PRESETS)
def test_settings_can_be_given_again(name: str) -> None:
    rulebook = load_rulebook(name)
    again = load_rulebook().with_settings(f"{issue}={value}" for issue, value in rulebook.settings().items())
    assert again.settings() == rulebook.settings()


def test_settings_change_what_they_name_and_nothing_else() -> None:
    rulebook = load_rulebook()
    changed = rulebook.with_settings(["4.A.2=all-hold"])
    assert changed.paradox is ParadoxRule.ALL_HOLD
    assert changed.settings() == rulebook.settings() | {"4.A.2": "all-hold"}
    assert changed.name == "datc-3 with 4.A.2=all-hold"
    assert changed.title == rulebook.title
    assert rulebook.paradox is ParadoxRule.SZYKMAN
    assert changed != rulebook
    assert changed.with_settings(["4.A.2=szykman"]).settings() == rulebook.settings()


def test_several_settings() -> None:
    changed = load_rulebook().with_settings(["4.A.2=none", " 5.B.9 = all-fail "])
    assert changed.name == "datc-3 with 4.A.2=none, 5.B.9=all-fail"
    assert (changed.settings()["4.A.2"], changed.settings()["5.B.9"]) == ("none", "all-fail")


def test_the_last_of_two_settings_counts() -> None:
    changed = load_rulebook().with_settings(["4.A.2=none", "4.A.2=all-hold"])
    assert changed.paradox is ParadoxRule.ALL_HOLD
    assert changed.name == "datc-3 with 4.A.2=all-hold"


def test_no_settings_change_nothing() -> None:
    assert load_rulebook().with_settings([]) is load_rulebook()


@pytest.mark.parametrize("setting", ["4.A.2", "4.A.2=", "4.A.2 = ", "", "all-hold", "=szykman"])
def test_settings_that_are_not_written_as_such(setting: str) -> None:
    with pytest.raises(RulebookError, match=r"ISSUE=VALUE, as in 4\.A\.2=all-hold, not") as caught:
        load_rulebook().with_settings([setting])
    assert repr(setting) in str(caught.value)


@pytest.mark.parametrize("setting", ["4.A.99=szykman", "paradox=szykman", "4.a.2=szykman"])
def test_unknown_issues(setting: str) -> None:
    with pytest.raises(RulebookError, match=f"there is no option '{setting.partition('=')[0]}'"):
        load_rulebook().with_settings([setting])


@pytest.mark.parametrize("setting", ["4.A.2=nonsense", "4.A.2=a=b", "5.B.9=szykman"])
def test_unknown_values(setting: str) -> None:
    issue, _, value = setting.partition("=")
    with pytest.raises(RulebookError, match=f"option {issue} has no value '{value}'") as caught:
        load_rulebook().with_settings([setting])
    assert f"values: {'unresolved, all-fail' if issue == '5.B.9' else ''}" in str(caught.value)
    if issue == "4.A.2":
        assert {"szykman", "all-hold", "none"} <= set(str(caught.value).partition("values: ")[2].rstrip(")").split(", "))


def test_one_wrong_setting_among_right_ones() -> None:
    with pytest.raises(RulebookError, match="nonsense"):
        load_rulebook().with_settings(["4.A.2=all-hold", "5.B.9=nonsense"])


# Files of the user's own.


def test_a_file_of_the_users_own(own: Callable[..., str]) -> None:
    text = """
        name = "house"
        title = "Our house"
        [settings]
        "4.A.2" = "all-hold"
        [settings."5.B.9"]
        choice = "all-fail"
        source = "we asked grandmother"
    """
    rulebook = load_rulebook(own(text))
    assert (rulebook.name, rulebook.title) == ("house", "Our house")
    assert rulebook.settings() == load_rulebook().settings() | {"4.A.2": "all-hold", "5.B.9": "all-fail"}


def test_an_empty_file_is_named_after_itself(own: Callable[..., str]) -> None:
    rulebook = load_rulebook(own("", "house.toml"))
    assert rulebook == Rulebook(name="house", title="house")
    assert rulebook.settings() == load_rulebook("datc-3").settings()


@pytest.mark.parametrize("name", PRESETS)
def test_a_file_based_on_a_preset(own: Callable[..., str], name: str) -> None:
    rulebook = load_rulebook(own(f'based_on = "{name}"\nsettings."5.B.9" = "all-fail"'))
    assert (rulebook.name, rulebook.title) == ("own", "own")
    assert rulebook.settings() == load_rulebook(name).settings() | {"5.B.9": "all-fail"}


def test_a_file_based_on_a_file(own: Callable[..., str]) -> None:
    first = own('based_on = "datc-3"\nsettings."4.A.2" = "all-hold"\nsettings."5.B.9" = "all-fail"', "first.toml")
    second = load_rulebook(own(f'based_on = {first!r}\nsettings."4.A.2" = "none"', "second.toml"))
    assert second.name == "second"
    assert (second.settings()["4.A.2"], second.settings()["5.B.9"]) == ("none", "all-fail")


def test_settings_on_top_of_a_file(own: Callable[..., str]) -> None:
    rulebook = load_rulebook(own('settings."4.A.2" = "all-hold"')).with_settings(["5.B.9=all-fail"])
    assert rulebook.name == "own with 5.B.9=all-fail"
    assert (rulebook.settings()["4.A.2"], rulebook.settings()["5.B.9"]) == ("all-hold", "all-fail")


def test_a_rulebook_from_tables() -> None:
    assert rulebook_from({}, name="x") == Rulebook("x", "x")
    assert rulebook_from({"settings": {"4.A.2": {"choice": "none"}}}, name="x").paradox is ParadoxRule.NONE


# What is wrong with a rulebook.


def test_rulebook_errors_are_input_errors() -> None:
    assert issubclass(RulebookError, InputError)
    assert RulebookError.kind == "rulebook"


def test_an_unknown_name_with_a_near_one() -> None:
    with pytest.raises(RulebookError, match=r"there is no rulebook 'datc-33' \(did you mean datc-3\?\)"):
        load_rulebook("datc-33")


@pytest.mark.parametrize("name", ["", "qqqq", "../datc-3", "DATC"])
def test_an_unknown_name(name: str) -> None:
    with pytest.raises(RulebookError, match="there is no rulebook") as caught:
        load_rulebook(name)
    assert "datc-3" in str(caught.value).partition("(")[2]


@pytest.mark.parametrize("name", ["missing.toml", "a\0b.toml", ".toml"])
def test_a_file_that_is_not_there(name: str, tmp_path: Path) -> None:
    with pytest.raises(RulebookError, match="there is no file"):
        load_rulebook(str(tmp_path / name))


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(RulebookError, match="there is no file"):
        load_rulebook(str(tmp_path / "folder.toml"))


@pytest.mark.parametrize("data", [b"title = ", b"[settings", b"\xff\xfe", b"a = 1\na = 2\n", b"\0"])
def test_a_file_that_is_not_toml(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "own.toml"
    path.write_bytes(data)
    with pytest.raises(RulebookError, match="not a readable TOML file") as caught:
        load_rulebook(str(path))
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('settings."4.A.99" = "szykman"', "there is no option '4.A.99'"),
        ('settings."4.A.2" = "nonsense"', "option 4.A.2 has no value 'nonsense'"),
        ('settings."4.A.2" = 3', "option 4.A.2 has no value"),
        ('settings."4.A.2" = []', "option 4.A.2 has no value"),
        ('settings."4.A.2" = {source = "no choice"}', "quote the issues, and give each a choice"),
        ('based_on = "datc-33"', "there is no rulebook 'datc-33'"),
        ('based_on = "missing.toml"', "there is no file missing.toml"),
        ("based_on = 3", "based_on must be a text"),
        ("settings = 3", "settings must be a table"),
        ('[setings]\n"4.A.2" = "none"', "unknown key 'setings'"),
        ('settings."4.A.3" = "always"', "4.A.3"),  # without a fallback, armies could hardly ever go by land
    ],
)
def test_mistakes_in_a_file(own: Callable[..., str], text: str, message: str) -> None:
    with pytest.raises(RulebookError) as caught:
        load_rulebook(own(text))
    assert message in str(caught.value)


def test_a_mistake_is_told_again(own: Callable[..., str]) -> None:
    name = own('settings."4.A.2" = "nonsense"')
    messages = []
    for _ in range(2):
        with pytest.raises(RulebookError) as caught:
            load_rulebook(name)
        messages.append(str(caught.value))
    assert messages[0] == messages[1]


def test_choices_that_do_not_go_together() -> None:
    with pytest.raises(RulebookError, match=r"4\.A\.3=always cannot be combined with 4\.A\.3\.fallback=never") as caught:
        load_rulebook().with_settings(["4.A.3=always"])
    remedy: Any = str(caught.value).partition("--set ")[2].rstrip(")")
    assert load_rulebook().with_settings(["4.A.3=always", remedy]).settings()["4.A.3"] == "always"


def test_a_rulebook_based_on_itself(tmp_path: Path) -> None:
    one, other = tmp_path / "one.toml", tmp_path / "other.toml"
    one.write_text(f'based_on = "{other}"\n', encoding="utf-8")
    other.write_text(f'based_on = "{one}"\n', encoding="utf-8")
    with pytest.raises(RulebookError, match="is based on itself"):
        load_rulebook(str(one))


@pytest.mark.parametrize(("issue", "why"), [("4.D.1", "a game master settles this"), ("4.E.2", "about words only")])
def test_issues_that_are_no_options_say_why(issue: str, why: str) -> None:
    with pytest.raises(RulebookError, match=why):
        load_rulebook().with_settings([f"{issue}=a"])


def test_sheets_and_batch_lines_may_settle_issues_otherwise() -> None:
    """As a rulebook is called, so it can be named again."""
    changed = load_rulebook("1982").with_settings(["4.A.2=all-hold", "5.B.9=all-fail"])
    assert load_preset(changed.name) == changed
    assert load_preset(changed.with_settings(["4.A.7=never"]).name).settings()["4.A.7"] == "never"
    assert rulebook_text("1982", ["4.A.2=all-hold", "5.B.9=all-fail"]) == changed.name
    assert rulebook_text("1982", []) == "1982"


@pytest.mark.parametrize("name", ["1982 with 4.A.2", "1982 with 4.A.2=soon", "own.toml with 4.A.2=none", "1982with 4.A.2=none"])
def test_what_is_settled_must_be_an_issue_of_a_rulebook_that_comes_with_satjudge(name: str) -> None:
    with pytest.raises(RulebookError):
        load_preset(name)
