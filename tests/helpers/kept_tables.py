"""Writes what the package keeps of its sources: tables as JSON, and the equations of the default rulebook."""

from __future__ import annotations

import tomllib
from zlib import crc32

import msgspec

from satjudge.base.resources import KEPT_TOML, data_file
from satjudge.judging.equations import compiler
from satjudge.world.rules import load_rulebook


def format_kept_tables() -> bytes:
    """Write the text of `models/kept.json`: the tables of `KEPT_TOML`, each with the checksum of its text."""
    texts = {name: data_file(*name.split("/")).read_text(encoding="utf-8") for name in KEPT_TOML}
    kept = {name: {"checksum": crc32(text.encode()), "tables": tomllib.loads(text)} for name, text in texts.items()}
    return msgspec.json.encode(kept) + b"\n"


def format_default_equations() -> str:
    """Write the text of `default_equations.py`."""
    rulebook, text = load_rulebook(), compiler.read_statement()
    choices = {name: str(at) if isinstance(at, str) else at for name, at in compiler.find_choices(rulebook, text)}
    stated = ", ".join(f'"{name}": {name}' for name in compiler.ROOTS)
    return f'''"""The equations under {rulebook.name}: `make generated` writes them anew."""

# fmt: off
# ruff: noqa
# mypy: ignore-errors

from satjudge.judging.equations.statement import *

WRITTEN_FROM = {compiler.compute_checksum(text)}
CHOICES = {choices}


{compiler.generate_source(rulebook)}


EQUATIONS = {{{stated}}}
'''
