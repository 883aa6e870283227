"""Reads where the provinces of a map lie: seeds, borders, bridges and the projection, as `NAME.seeds.toml` states them."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent


def planned(name: str) -> dict[str, Any]:
    """The seeds of a map; a map based on another has only the differences."""
    with (HERE / f"{name}.seeds.toml").open("rb") as file:
        plan = tomllib.load(file)
    if "based_on" not in plan:
        return plan
    base = planned(plan.pop("based_on"))
    for group, names in plan.pop("remove", {}).items():
        for gone in names:
            del base[group][gone]
    for group, entries in plan.items():
        base[group] = base[group] + entries if isinstance(entries, list) else base.get(group, {}) | entries
    return base
