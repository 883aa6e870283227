"""Sketches commands: what `--help` lists and shells complete, kept in `sketches.json`, so that neither imports a command.

`make generated` writes the file anew; a test holds that it says what the commands say.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import click

KEPT = Path(__file__).with_name("sketches.json")


@cache
def sketches() -> dict[str, Any]:
    """Read the kept sketches of all commands, by name."""
    found: dict[str, Any] = json.loads(KEPT.read_text(encoding="utf-8"))
    return found


def sketch_of(command: click.Command) -> dict[str, Any]:
    """Sketch a command: its short help and its parameters, as data."""
    told: dict[str, Any] = {"help": command.get_short_help_str(limit=200)}
    told["params"] = [_parameter_of(each) for each in command.params]
    if isinstance(command, click.Group):
        told["commands"] = {name: sketch_of(one) for name, one in command.commands.items()}
    return told


def _parameter_of(parameter: click.Parameter) -> dict[str, Any]:
    """Sketch an option or an argument: how it is written, and what may follow."""
    told: dict[str, Any] = {"named": [*parameter.opts, *parameter.secondary_opts]}
    if isinstance(parameter, click.Option):
        told["help"] = parameter.help
        told |= {name: True for name in ("is_flag", "multiple") if getattr(parameter, name)}
    if parameter.nargs != 1:
        told["nargs"] = parameter.nargs
    if isinstance(parameter.type, click.Choice):
        told["choices"] = list(parameter.type.choices)
    elif isinstance(parameter.type, click.Path) or parameter.name in ("file", "files"):
        told["path"] = "dir" if isinstance(parameter.type, click.Path) and not parameter.type.file_okay else "file"
    return told


def command_from_sketch(name: str, kept: dict[str, Any]) -> click.Command:
    """Make a command of its sketch that is read and completed like the real one, and does nothing."""
    parameters = [_sketched_parameter(each) for each in kept["params"]]
    if "commands" in kept:
        inside = {each: command_from_sketch(each, one) for each, one in kept["commands"].items()}
        return click.Group(name, commands=inside, params=parameters, help=kept["help"])
    return click.Command(name, params=parameters, help=kept["help"])


def _sketched_parameter(kept: dict[str, Any]) -> click.Parameter:
    """Make an option or an argument of its sketch."""
    attributes: dict[str, Any] = {name: kept[name] for name in ("nargs", "help", "is_flag", "multiple") if name in kept}
    if "choices" in kept:
        attributes["type"] = click.Choice(kept["choices"])
    elif "path" in kept:
        attributes["type"] = click.Path(file_okay=kept["path"] == "file")
    return (click.Option if "help" in kept else click.Argument)(kept["named"], **attributes)


def as_json(commands: Mapping[str, click.Command]) -> str:
    """Write the sketches of commands as JSON, a line for each command."""
    lines = (f"{json.dumps(name)}: {json.dumps(sketch_of(one), ensure_ascii=False)}" for name, one in commands.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"
