"""Lines and attacks on them as order sheets, which `satjudge check` and `satjudge prove` read again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from satjudge.geography import Power
from satjudge.judge import judge
from satjudge.notation.sheet_writer import sheet_text
from satjudge.orders import MovementOrder
from satjudge.research.prove.attack import Attack
from satjudge.research.prove.line import Line


def line_sheet(line: Line, finding: str, identity: str, title: str, notes: Mapping[str, Sequence[str]] | None = None) -> str:
    """A line with what lies behind it and what was found of it."""
    told = {"behind": [" ".join(sorted(line.behind)) or "none"]}
    if line.missing:
        told["without"] = [", ".join(map(str, line.missing))]
    orders: dict[Power, list[MovementOrder]] = {}
    for unit in line.board.units:
        orders.setdefault(unit.power, []).append(line.orders[unit.province])
    return sheet_text(
        line.board,
        orders,
        identity=identity,
        title=title,
        rules=line.rulebook.name,
        notes={**(notes or {}), **told, "finding": [finding]},
        expected=judge(line.board, orders, rulebook=line.rulebook).results,
    )


def attack_sheet(attack: Attack, identity: str, title: str, notes: Mapping[str, Sequence[str]] | None = None) -> str:
    """An attack on a line, with the judge's verdicts."""
    return sheet_text(
        attack.board,
        attack.by_power,
        identity=identity,
        title=title,
        rules=attack.line.rulebook.name,
        notes=notes,
        expected=attack.outcome.results,
    )
