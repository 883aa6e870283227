"""Lines of the batch format for the compiled kernel: the questions of the kit without the keys that it leaves to others."""

from __future__ import annotations

import json

from satjudge.engines.kit.parts import PARTS


def kit_lines() -> list[bytes]:
    """Lines of all phases: the cases and boards of the kit, without the rulebook."""
    parts = ("datc", "catalogue", "retreats", "adjustments", "boards")
    questions = [question for part in parts for question in PARTS[part].make()]
    lines = [{key: value for key, value in json.loads(one.question_line).items() if key != "rules"} for one in questions]
    return [json.dumps(line).encode() for line in lines]
