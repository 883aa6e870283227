"""Writes the tables that the package keeps as JSON."""

from __future__ import annotations

import tomllib
from zlib import crc32

import msgspec

from satjudge.base.resources import KEPT_TOML, data_file


def format_kept_tables() -> bytes:
    """Write the text of `models/kept.json`: the tables of `KEPT_TOML`, each with the checksum of its text."""
    texts = {name: data_file(*name.split("/")).read_text(encoding="utf-8") for name in KEPT_TOML}
    kept = {name: {"checksum": crc32(text.encode()), "tables": tomllib.loads(text)} for name, text in texts.items()}
    return msgspec.json.encode(kept) + b"\n"
