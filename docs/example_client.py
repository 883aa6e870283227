"""How an engine in any language lets satjudge check it: batch lines in, one answer line each out (docs/reference/batch.md).

    satjudge crosscheck --against "python docs/example_client.py" --fuzz 1000

This engine knows one rule: a move into an empty province to which nobody else moves succeeds, and nothing else does. It
tells positions only; with `results` and `dislodged` in its answers those would be compared as well.
"""

import json
import sys
from collections import Counter
from typing import Any


def province(location: str) -> str:
    """The province of a location: SPA for SPA/SC."""
    return location.split("/")[0]


def judged(units: dict[str, list[str]], orders: dict[str, list[str]]) -> dict[str, list[str]]:
    """Where the units of each power are afterwards: `{"FRANCE": ["A PAR", ...]}`."""
    moves = {
        text.split(" - ")[0]: text.split(" - ")[1].removesuffix(" VIA")
        for texts in orders.values()
        for text in texts
        if " - " in text and not {"S", "C"} & set(text.split())
    }
    wanted = Counter(map(province, moves.values()))
    taken = {province(unit.split()[1]) for texts in units.values() for unit in texts}

    def after(unit: str) -> str:
        there = moves.get(unit, "")
        return f"{unit[0]} {there}" if there and wanted[province(there)] == 1 and province(there) not in taken else unit

    return {power: [after(unit) for unit in texts] for power, texts in units.items()}


for line in sys.stdin:
    request: dict[str, Any] = json.loads(line)
    print(json.dumps({"id": request["id"], "units": judged(request["units"], request["orders"])}), flush=True)
