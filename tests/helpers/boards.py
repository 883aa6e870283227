"""Boards of units that are written by power."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from satjudge.notation.parse import parse_unit
from satjudge.world.board import Board
from satjudge.world.geography import load_map


def split(text: str) -> list[str]:
    """The parts of a text that commas divide."""
    return [part.strip() for part in text.split(",") if part.strip()]


def board_of(units: Mapping[str, Sequence[str]] | None = None, /, **more: str) -> Board:
    """`{"FRANCE": ["A PAR", "F BRE"]}`, or `FRANCE="A PAR, F BRE"`."""
    there = []
    for power, texts in {**(units or {}), **more}.items():
        listed = split(texts) if isinstance(texts, str) else texts
        there += [parse_unit(text, power, load_map()) for text in listed]
    return Board(tuple(there))
