"""Tells how a command is to be written whose order stands there without quotes, so that the shell made several words of it."""

from __future__ import annotations

from collections.abc import Sequence

import click

_ORDERS = frozenset({"order", "without", "with_", "legal"})
"""Parameters that take an order or a unit."""
_TEXTS = _ORDERS | {"deadline", "phase", "identity", "title"}
"""Parameters that take several words in quotes."""
_LISTS = frozenset({"names", "compared"})
"""Parameters that take a list with commas."""


def format_usage_hint(command: click.Command, ctx: click.Context, given: Sequence[str], error: click.UsageError) -> str | None:
    """Write how to correct words that a command does not take; return None if it is not known."""
    if isinstance(error, click.NoSuchOption):
        if error.option_name != "--as-meant":
            return None
        hint = "Only `satjudge game order` reads misspelt orders as they are meant (--as-meant)"
        return f"{hint}; --lenient judges the others."
    try:
        read, extra, _ = command.make_parser(ctx).parse_args(list(given))
    except click.UsageError:
        return None
    at = _place_of(extra, given)
    if not extra or at is None:
        return None
    begin, end = at, at + len(extra)
    while begin and not _is_flag(given[begin - 1]) and given[begin - 1] != read.get("file"):
        begin -= 1
    name = _name_of(command, given[begin - 1]) if begin and _is_flag(given[begin - 1]) else "order"
    if name in _LISTS:
        divided = [*given[:begin], ",".join(given[begin:end]), *given[end:]]
        return f"Divide names by commas: {format_command(ctx.command_path, divided)}"
    if name in _TEXTS and any(parameter.name == name for parameter in command.params):
        what = "each order" if name in _ORDERS else "the words"
        return format_quoting_hint(ctx.command_path, [*given[:begin], " ".join(given[begin:end]), *given[end:]], what)
    return None


def _name_of(command: click.Command, flag: str) -> str | None:
    """Find the name of the option that is called so."""
    return next((one.name for one in command.params if isinstance(one, click.Option) and flag in one.opts), None)


def format_quoting_hint(path: str, words: Sequence[str], what: str = "each order") -> str:
    """Write the message for words without quotes, with the corrected command."""
    return f"Put {what} in quotes: {format_command(path, words)}"


def format_command(path: str, words: Sequence[str]) -> str:
    """Write a command with quotes that any shell takes."""
    return " ".join([path, *(f'"{word}"' if " " in word else word for word in words)])


def _is_flag(word: str) -> bool:
    """Tell whether a word is an option; a lone `-` is part of an order."""
    return len(word) > 1 and word.startswith("-")


def _place_of(words: Sequence[str], given: Sequence[str]) -> int | None:
    """Find where words stand one behind the other, or None."""
    spans = range(len(given) - len(words), -1, -1)
    return next((at for at in spans if list(given[at : at + len(words)]) == list(words)), None)
