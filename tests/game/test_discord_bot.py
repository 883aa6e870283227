"""The bot of the documentation (docs/clients/discord_bot.py) plays a phase, on an interface of discord.py that is faked."""

from __future__ import annotations

import asyncio
import runpy
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from satjudge import Game

BOT = Path(__file__).resolve().parents[2] / "docs" / "clients" / "discord_bot.py"
Sent = list[tuple[str, list[Any]]]


class Bot:
    """The part of a bot that the program uses: commands by their names."""

    def __init__(self, **settings: object) -> None:
        self.settings, self.commands = settings, dict[str, Callable[..., Any]]()

    def command(self, name: str | None = None) -> Callable[..., Any]:
        def taken(function: Callable[..., Any]) -> Callable[..., Any]:
            self.commands[name or function.__name__] = function
            return function

        return taken

    def say(self, author: str, command: str, text: str) -> Sent:
        """What the bot sends when somebody writes a command to it."""
        sent: Sent = []

        async def send(message: str, files: list[Any] | None = None) -> None:
            assert len(message) <= 2000
            sent.append((message, files or []))

        context = SimpleNamespace(author=SimpleNamespace(name=author), send=send)
        function = self.commands[command]
        asyncio.run(function(context, **{next(iter(function.__kwdefaults__ or {"text": ""})): text}))
        return sent


@pytest.fixture
def bot(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Bot:
    discord, ext, commands = ModuleType("discord"), ModuleType("discord.ext"), ModuleType("discord.ext.commands")
    discord.__dict__.update(Intents=SimpleNamespace, File=lambda content, name: (name, content.read().decode()), ext=ext)
    commands.__dict__.update(Bot=Bot, Context=object, is_owner=lambda: lambda function: function)
    ext.__dict__["commands"] = commands
    for name, module in {"discord": discord, "discord.ext": ext, "discord.ext.commands": commands}.items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.chdir(tmp_path)
    Game.new(name="our game").save("game.json")
    made: Bot = runpy.run_path(str(BOT))["bot"]
    return made


def test_a_phase_is_played_on_discord(bot: Bot) -> None:
    mail = "Hello!\nA Par - Bur\nA Mar S A Par - Bur\nF Bre - Mao\nA Vie - Gal please"
    ((answer, _),) = bot.say("anna", "orders", mail)
    assert answer.splitlines() == [
        "message:1: passed over: 'Hello!'",
        "A VIE - GAL is not legal: A VIE belongs to Austria (6.A.6)",
        "Your orders:",
        "A PAR - BUR",
        "A MAR S A PAR - BUR",
        "F BRE - MAO",
        "A VIE - GAL",
    ]
    assert bot.say("bob", "orders", "A Mun - Bur") == [("Your orders:\nA MUN - BUR", [])]
    ((message, files),) = bot.say("master", "next", "Sunday 20:00")
    assert message == "**F1901M** is next. "
    (picture, drawn), (name, report) = files
    assert (picture, name) == ("S1901M.svg", "S1901M.md")
    assert "<svg" in drawn
    assert report.startswith("# our game: results of Spring 1901")
    assert "Orders are due Sunday 20:00." in report
    assert Game.load("game.json").units["FRANCE"] == ["F MAO", "A MAR", "A BUR"]


def test_who_plays_nobody_is_told_so_and_nothing_changes(bot: Bot) -> None:
    ((message, _),) = bot.say("eve", "orders", "A Par - Bur")
    assert message.startswith("there is no power 'nobody' (Austria, England,")
    assert Game.load("game.json").orders == {}
